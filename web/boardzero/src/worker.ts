// The worker: hears requests, and answers each by the service.

import type { FromWorker, ToWorker } from "./protocol.js";
import { Service } from "./service.js";

let service: Service | undefined;
let queue = Promise.resolve();

const say = (message: FromWorker) => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "setup") {
    service = new Service(data.setup, fetchBytes);
  } else if (data.kind === "stop") {
    service?.stop();
  } else {
    queue = queue.then(() => answer(data)); // one after the other, also those that pause
  }
};

async function answer({ id, name, given }: ToWorker & { kind: "call" }): Promise<void> {
  if (!service) return;
  service.progress = (report) => say({ kind: "progress", id, report });
  try {
    say({ kind: "result", id, result: await service.answer(name, given) });
  } catch (error) {
    say({ kind: "error", id, message: error instanceof Error ? error.message : String(error) });
  }
}

async function fetchBytes(address: string): Promise<Uint8Array> {
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) throw new Error(`cannot fetch ${address}`);
  return new Uint8Array(await answer.arrayBuffer());
}
