// The compiled core: its functions with memory and failures looked after.
//
// A failure inside is a sentence that the core hands out; it is thrown as an Error through the
// compiled frames, which are not unwound: only their stack is given back. What else goes wrong (no
// memory left, a fault) leaves the instance unusable, and is a CoreFault.

import { wasi } from "./wasi.js";

/** A pointer to something that lives in the core. */
export type Pointer = number;

/** The instance can no longer be used. */
export class CoreFault extends Error {}

class Refusal extends Error {}

export interface CoreHooks {
  /** Hears what a search reports before its end, as JSON. */
  progress(json: string): void;
  /** Asked about once in a millisecond: whether the search should end. */
  interrupted(): boolean;
}

type Exports = Record<string, WebAssembly.ExportValue> & {
  memory: WebAssembly.Memory;
  __stack_pointer: WebAssembly.Global;
};
type Argument = number | bigint | string | Uint8Array | Int32Array | Float32Array;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Core {
  readonly #exports: Exports;

  constructor(module: WebAssembly.Module, hooks: CoreHooks) {
    const text = (at: number, size: number): string =>
      decoder.decode(new Uint8Array(this.#exports.memory.buffer, at, size));
    const instance = new WebAssembly.Instance(module, {
      boardzero: {
        fail: (at: number, size: number) => {
          throw new Refusal(text(at, size));
        },
        progress: (at: number, size: number) => hooks.progress(text(at, size)),
        interrupted: () => (hooks.interrupted() ? 1 : 0),
      },
      wasi_snapshot_preview1: wasi(() => this.#exports.memory),
    });
    this.#exports = instance.exports as Exports;
    this.#function("_initialize")();
  }

  /** Bytes of memory that the instance has taken. */
  get bytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** Calls a function. Texts and arrays become a place in memory and a size. */
  call(name: string, ...given: Argument[]): number | bigint | undefined {
    const stack = this.#exports.__stack_pointer;
    const top = stack.value;
    const places: number[] = [];
    try {
      const plain = given.flatMap((argument) => {
        if (typeof argument === "number" || typeof argument === "bigint") return [argument];
        const bytes = typeof argument === "string" ? encoder.encode(argument) : argument;
        const place = this.#function("allocate")(Math.max(1, bytes.byteLength)) as number;
        places.push(place);
        const { buffer, byteOffset, byteLength } = bytes;
        new Uint8Array(this.#exports.memory.buffer, place).set(
          new Uint8Array(buffer, byteOffset, byteLength),
        );
        return [place, bytes.length];
      });
      return this.#function(name)(...plain);
    } catch (error) {
      if (error instanceof Refusal) {
        stack.value = top;
        throw new Error(error.message);
      }
      throw new CoreFault(
        "the program met a fault, perhaps for want of memory; what was played is not lost",
        { cause: error },
      );
    } finally {
      for (const place of places) this.#function("release")(place);
    }
  }

  /** Calls a function that makes something. */
  make(name: string, ...given: Argument[]): Pointer {
    return this.call(name, ...given) as Pointer;
  }

  /** Calls a function that leaves its answer as JSON. */
  ask<T>(name: string, ...given: Argument[]): T {
    this.call(name, ...given);
    const at = this.#function("result_data")() as number;
    const size = this.#function("result_size")() as number;
    return JSON.parse(decoder.decode(new Uint8Array(this.#exports.memory.buffer, at, size)));
  }

  /** Calls a function that writes so many floats. */
  floats(name: string, from: Pointer, size: number): Float32Array {
    const place = this.#function("allocate")(Math.max(4, 4 * size)) as number;
    try {
      this.call(name, from, place);
      return new Float32Array(this.#exports.memory.buffer, place, size).slice();
    } finally {
      this.#function("release")(place);
    }
  }

  #function(name: string): (...plain: (number | bigint)[]) => number | bigint | undefined {
    return this.#exports[name] as (...plain: (number | bigint)[]) => number | bigint | undefined;
  }
}
