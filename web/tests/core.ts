// The compiled core in these tests: read from the package's folder, without workers.

import { readFileSync } from "node:fs";
import type { BoardZero, Game as PackageGame } from "boardzero";
import { type Catalog, gameFacts } from "boardzero/catalog";
import { Games } from "../src/lib/local/games";
import { rulesOf } from "../src/lib/local/rules";

const file = (path: string) =>
  readFileSync(new URL(`../boardzero/assets/${path}`, import.meta.url));

const catalog: Catalog = JSON.parse(new TextDecoder().decode(file("catalog.json")));
const module = new WebAssembly.Module(file("core.wasm"));

/** The facts of games as the package gives them; its workers are not there. */
const core = {
  games: catalog.games,
  players: catalog.players,
  game: async (spec: string) => {
    const { board, ...facts } = gameFacts(catalog, spec);
    return { ...facts, geometry: board } as unknown as PackageGame;
  },
  close: () => undefined,
} as BoardZero;

export const games = new Games(
  core,
  rulesOf(module, catalog, async (path) => file(path)),
);
