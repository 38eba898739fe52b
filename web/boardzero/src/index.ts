// BoardZero in a web page: rules, players and analysis of the core, compiled to WebAssembly.

import { type Catalog, gameFacts } from "./catalog.js";
import { Connection } from "./connection.js";
import { CatalogGame } from "./game.js";
import type { BoardZero, LoadOptions, Player } from "./types.js";

export type * from "./types.js";

/** Fetches the core and its catalogue, and starts the worker that knows the rules. */
export async function load(options: LoadOptions = {}): Promise<BoardZero> {
  const assets = folder(
    options.assets ?? new URL(/* @vite-ignore */ "../assets/", import.meta.url),
  );
  const address = (path: string) => new URL(path, assets).href;
  const onnx = new URL(options.onnx ?? address("ort/ort.js"), assets).href;
  const startWorker = options.worker ?? packagedWorker;
  const [module, catalog] = await Promise.all([
    compile(address("core.wasm")),
    fetched(address("catalog.json")).then((answer) => answer.json() as Promise<Catalog>),
  ]);
  const rules = new Connection(startWorker, module);
  const players = new Set<Player>();
  return {
    games: catalog.games,
    players: catalog.players,
    async game(spec) {
      const around = { catalog, module, startWorker, rules, address, onnx, players };
      const game = new CatalogGame(gameFacts(catalog, spec), around);
      await game.start(); // the rules refuse options that do not go together
      return game;
    },
    close() {
      for (const player of players) player.close();
      rules.restart(new Error("BoardZero was closed"));
    },
  };
}

function packagedWorker(): Worker {
  return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
}

async function compile(address: string): Promise<WebAssembly.Module> {
  const answer = await fetched(address);
  // A plain file server may not know the type that streaming asks for.
  return answer.headers.get("Content-Type") === "application/wasm"
    ? WebAssembly.compileStreaming(answer)
    : WebAssembly.compile(await answer.arrayBuffer());
}

async function fetched(address: string): Promise<Response> {
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) throw new Error(`cannot fetch ${address}`);
  return answer;
}

function folder(address: string | URL): URL {
  const here = typeof document === "undefined" ? import.meta.url : document.baseURI;
  const url = new URL(address, here);
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}
