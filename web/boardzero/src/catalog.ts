// What is known of games and players beside the rules: `assets/catalog.json`, written by
// scripts/catalog.py from the Python package, whose word it is.

import { canonical, parseSpec, readOptions, type TypedOption, type Values } from "./specs.js";
import type { GameTraits, Geometry, Level } from "./types.js";

/** How a position is written that is put together piece by piece. */
export type Composer =
  | { kind: "DraughtsComposer" }
  | { kind: "RowsComposer"; letters: string; more: string };

export interface CatalogPlayer {
  name: string;
  summary: string;
  options: TypedOption[];
  seats: [number, number];
}

interface CatalogGame {
  name: string;
  title: string;
  summary: string;
  options: TypedOption[];
  /** Every spec that there is, and the place of its facts in `infos`. */
  variants: Record<string, number>;
  /** The numbers of pieces of its endgame tables. */
  tables: number[];
}

interface Info {
  title: string;
  geometry: number;
  levels: Level[];
  /** The folder of its model, and its net where that is one of the core. */
  champion: { folder: string; sparse: string | null } | null;
  counters: { name: string; field: number }[];
  composer: Composer | null;
  traits: GameTraits;
}

/** How players spend time and choose, where neither a spec nor a limit says. */
export interface Thinking {
  exploration: Record<"rollout" | "evaluation", Record<string, number>>;
  rollouts: number;
  report_seconds: number;
  clock: {
    moves_to_go: number;
    reserve: number;
    largest_share: number;
    increment_share: number;
  };
}

export interface Catalog {
  games: CatalogGame[];
  infos: Info[];
  geometries: Geometry[];
  players: CatalogPlayer[];
  thinking: Thinking;
}

/** All facts about one game with its options. */
export interface GameFacts extends Info {
  spec: string;
  name: string;
  options: Values;
  board: Geometry;
  tables: string[];
  /** The same for the core. */
  settings: string;
}

export function gameFacts(catalog: Catalog, spec: string): GameFacts {
  const parsed = parseSpec(spec);
  const family = named(catalog.games, parsed.name, "game");
  const options = readOptions(parsed, family.options);
  const own = canonical(parsed.name, options, family.options);
  // A choice of options that no game has: the rules say why.
  const info = catalog.infos[family.variants[own] ?? Object.values(family.variants)[0] ?? 0];
  const board = info && catalog.geometries[info.geometry];
  if (!info || !board) throw new Error(`nothing is known of ${own}`);
  return {
    ...info,
    spec: own,
    name: family.name,
    options,
    board,
    tables: family.tables.map((pieces) => `tables/${family.name}-${pieces}.bzt`),
    settings: settings({ game: family.name, ...options }),
  };
}

/** Values as the core reads them. */
export function settings(values: Values): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
}

export function named<T extends { name: string }>(
  all: readonly T[],
  name: string,
  what: string,
): T {
  const found = all.find((one) => one.name === name);
  if (found) return found;
  throw new Error(`there is no ${what} '${name}'; there are ${all.map((o) => o.name).join(", ")}`);
}
