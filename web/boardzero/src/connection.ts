// A worker as the page sees it: a function to call, which may be started anew at any time.

import type { Calls, FromWorker, SearchReport, Setup, ToWorker } from "./protocol.js";

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
  progress?: ((report: SearchReport) => void) | undefined;
}

type Answer<K extends keyof Calls> = Awaited<ReturnType<Calls[K]>>;

export class Connection {
  readonly #start: () => Worker;
  readonly #setup: Setup;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #calls = 0;

  constructor(start: () => Worker, module: WebAssembly.Module) {
    this.#start = start;
    // Only a page that is isolated from others may share memory.
    const shares = typeof SharedArrayBuffer !== "undefined" && globalThis.crossOriginIsolated;
    this.#setup = { module, flag: shares ? new SharedArrayBuffer(4) : null };
  }

  call<K extends keyof Calls>(name: K, ...given: Parameters<Calls[K]>): Promise<Answer<K>> {
    return this.callWith(undefined, name, ...given);
  }

  /** The same; `progress` hears reports before the answer. */
  callWith<K extends keyof Calls>(
    progress: ((report: SearchReport) => void) | undefined,
    name: K,
    ...given: Parameters<Calls[K]>
  ): Promise<Answer<K>> {
    this.#raise(0);
    const id = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (result: unknown) => void, reject, progress });
      this.#say({ kind: "call", id, name, given });
    });
  }

  /** Whether a search hears of a wish to stop while it computes. */
  get sharesMemory(): boolean {
    return this.#setup.flag !== null;
  }

  /** Asks a running search to end; one that never pauses does not hear it without shared memory. */
  stop(): void {
    this.#raise(1);
    this.#say({ kind: "stop" });
  }

  /** Ends the worker; the next call starts another. What waits for an answer gets this error. */
  restart(error: Error): void {
    this.#worker?.terminate();
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }

  #raise(value: number): void {
    if (this.#setup.flag) Atomics.store(new Int32Array(this.#setup.flag), 0, value);
  }

  #say(message: ToWorker): void {
    if (!this.#worker) {
      const worker = this.#start();
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data);
      worker.onerror = (event) => {
        event.preventDefault();
        this.restart(
          new Error(`the worker has failed: ${event.message || "it cannot be started"}`),
        );
      };
      worker.postMessage({ kind: "setup", setup: this.#setup } satisfies ToWorker);
      this.#worker = worker;
    }
    this.#worker.postMessage(message);
  }

  #hear(message: FromWorker): void {
    const waiting = this.#waiting.get(message.id);
    if (message.kind === "progress") {
      waiting?.progress?.(message.report);
      return;
    }
    this.#waiting.delete(message.id);
    if (message.kind === "result") waiting?.resolve(message.result);
    else waiting?.reject(new Error(message.message));
  }
}
