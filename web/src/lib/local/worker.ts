// The worker that stands in for a server.

import { load } from "boardzero";
import { type Api, type Connection, Refused } from "../api/api";
import { host, type SiteData } from "./host";
import type { FromWorker, ToWorker } from "./messages";
import { rulesOf } from "./rules";

type Group = Record<string, (...given: unknown[]) => unknown>;

// Core and data lie in a folder that is named after their content, beside the one of this script.
const folder = new URL(`../${import.meta.env.VITE_FILES}/`, self.location.href);
const data: SiteData = {
  words: once("data/words.json"),
  puzzles: once("data/puzzles.json"),
  recorded: once("data/recorded.json"),
  drawings: once("data/drawings.json"),
};
const connections = new Map<number, Promise<Connection<unknown>>>();
const api = start();

async function start(): Promise<Api> {
  const assets = new URL("core/", folder);
  const [core, module, catalog] = await Promise.all([
    load({ assets, worker: playerWorker }),
    get("core/core.wasm")
      .then((answer) => answer.arrayBuffer())
      .then(WebAssembly.compile),
    get("core/catalog.json").then((answer) => answer.json()),
  ]);
  return host(core, rulesOf(module, catalog, bytes), data);
}

function playerWorker(): Worker {
  return new Worker(new URL("../../../boardzero/src/worker.ts", import.meta.url), {
    type: "module",
  });
}

async function bytes(path: string): Promise<Uint8Array> {
  return new Uint8Array(await (await get(`core/${path}`)).arrayBuffer());
}

async function get(path: string): Promise<Response> {
  const answer = await fetch(new URL(path, folder)).catch(() => null);
  if (!answer?.ok) throw new Refused(`${path} of this site cannot be loaded`);
  return answer;
}

/** A file of the site, fetched when it is first asked for. */
function once<T>(path: string): () => Promise<T> {
  let fetched: Promise<T> | null = null;
  return () => {
    fetched ??= get(path).then((answer) => answer.json());
    fetched.catch(() => {
      fetched = null;
    });
    return fetched;
  };
}

const tell = (message: FromWorker) => self.postMessage(message);

function refuse(id: number, error: unknown) {
  const unknown = error instanceof Refused && error.unknown;
  tell({ kind: "refused", id, sentence: (error as Error).message, unknown });
}

self.onmessage = async ({ data: asked }: MessageEvent<ToWorker>) => {
  const { id } = asked;
  try {
    if (asked.kind === "send") (await connections.get(id))?.send(asked.message);
    else if (asked.kind === "close") {
      const connection = connections.get(id);
      connections.delete(id);
      (await connection)?.close();
    } else if (asked.kind === "connect") {
      const [group, name] = asked.path;
      const listener = {
        hear: (message: unknown) => tell({ kind: "heard", id, message }),
        online: (open: boolean) => tell({ kind: "online", id, open }),
      };
      const made = api.then((found) => {
        const groups = found as unknown as Record<string, Group>;
        return groups[group]?.[name]?.(...asked.given, listener) as Connection<unknown>;
      });
      connections.set(id, made);
      await made;
    } else {
      const [group, name] = asked.path;
      const groups = (await api) as unknown as Record<string, Group>;
      tell({ kind: "answer", id, answer: await groups[group]?.[name]?.(...asked.given) });
    }
  } catch (error) {
    refuse(id, error);
  }
};
