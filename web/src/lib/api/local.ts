// The answers without a server: a worker gives them, from the core compiled for the browser. If it
// dies, another takes its place: games and studies are kept outside of it.

import type { FromWorker, ToWorker } from "../local/messages";
import { type Api, type Connection, type Listener, Refused } from "./api";

type Pending = { resolve(answer: unknown): void; reject(reason: Error): void };
type Open = { path: [string, string]; given: unknown[]; listener: Listener<unknown> };
type Asked = Extract<ToWorker, { kind: "call" | "connect" }>;

const AGAIN = 1000; // milliseconds until a worker that died is replaced

class Host {
  #worker: Worker | null = null;
  #number = 0;
  #pending = new Map<number, Pending>();
  #open = new Map<number, Open>();

  call(path: [string, string], given: unknown[]): Promise<unknown> {
    const id = ++this.#number;
    while (given.length && given.at(-1) === undefined) given.pop(); // JSON would make null of it
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#post({ kind: "call", id, path, given });
    });
  }

  connect(path: [string, string], given: unknown[]): Connection<unknown> {
    const id = ++this.#number;
    const listener = given.pop() as Listener<unknown>;
    this.#open.set(id, { path, given, listener });
    this.#post({ kind: "connect", id, path, given });
    return {
      send: (message) => this.#post({ kind: "send", id, message }),
      close: () => {
        this.#open.delete(id);
        this.#post({ kind: "close", id });
      },
    };
  }

  #post(message: ToWorker) {
    this.#worker ??= this.#start();
    // What a page holds may be a proxy, which cannot be cloned.
    this.#worker.postMessage(JSON.parse(JSON.stringify(message)));
  }

  #start(): Worker {
    const worker = new Worker(new URL("../local/worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#replace(event.message);
    };
    return worker;
  }

  #hear(message: FromWorker) {
    const { id } = message;
    if (message.kind === "heard") this.#open.get(id)?.listener.hear(message.message);
    else if (message.kind === "online") this.#open.get(id)?.listener.online(message.open);
    else {
      const pending = this.#pending.get(id);
      this.#pending.delete(id);
      if (message.kind === "answer") pending?.resolve(message.answer);
      else pending?.reject(new Refused(message.sentence, message.unknown));
    }
  }

  /** Whoever waits is told; conversations begin anew with another worker. */
  #replace(reason: string) {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { reject } of this.#pending.values()) {
      reject(new Refused(`the program in this page has failed: ${reason || "no reason given"}`));
    }
    this.#pending.clear();
    for (const { listener } of this.#open.values()) listener.online(false);
    setTimeout(() => {
      for (const [id, { path, given }] of this.#open) {
        const asked: Asked = { kind: "connect", id, path, given };
        this.#post(asked);
      }
    }, AGAIN);
  }
}

const host = new Host();

/** Every function of a group, asked of the worker. */
const group = <G extends object>(name: string): G =>
  new Proxy({} as G, {
    get: (_, what: string) =>
      what === "connect"
        ? (...given: unknown[]) => host.connect([name, what], given)
        : (...given: unknown[]) => host.call([name, what], given),
  });

export const api: Api = {
  hosted: false,
  catalog: group("catalog"),
  play: group("play"),
  study: group("study"),
  kept: group("kept"),
  puzzles: group("puzzles"),
  arena: group("arena"),
  learn: group("learn"),
};
