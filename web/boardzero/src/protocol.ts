// What a page and its workers say to each other. A request carries all that it needs: a worker
// remembers positions and searches only to be quicker, so that another one can take its place.

import type { Move, Outcome, Piece, TableResult } from "./types.js";

/** A position by how it came about. */
export interface Place {
  /** The game for the core. */
  settings: string;
  from: string | null;
  moves: readonly string[];
}

export type CoreMove = Move & { actions: number[] };

/** A position as the core shows it. */
export interface StateView {
  fen: string;
  mover: number;
  key: string;
  pieces: Piece[];
  moves: CoreMove[];
  outcome: Outcome | null;
  last: CoreMove | null;
}

/** What evaluates positions: a net by its address, or an evaluation of the game by its name. */
export interface Evaluation {
  name: string;
  net: string | null;
}

/** How a player with a model chooses, where its card does not say. */
export interface ZeroOptions {
  /** The address of the model's folder. */
  model: string;
  /** The address of the module that evaluates residual nets. */
  onnx: string;
  temperature: number;
  noise: boolean;
  /** Exploration; 0 takes the card's. */
  c_puct: number;
  /** Megabytes for its tree. */
  memory: number;
  seed: number | null;
}

/** A search to be made; `evaluation` is null for one that has none. */
export interface Plan {
  kind: "search" | "uct" | "puct";
  settings: string;
  evaluation: Evaluation | null;
  /** Addresses of endgame tables. */
  tables: string[];
  /** Keep the tree from move to move. */
  reuse: boolean;
  /** Plays a move that is nearly the best. */
  near?: NearBest;
  /** Of a search with a trained model. */
  zero: ZeroOptions | null;
}

/** How a player errs: see near.ts. */
export interface NearBest {
  margin: number;
  seats: number;
  seed: number;
}

/** What a search may spend; null is no bound. */
export interface Budget {
  seconds: number | null;
  depth: number | null;
  nodes: number | null;
}

/** What a search found: the moves looked at, the best first. */
export interface SearchReport {
  moves: {
    move: CoreMove;
    value: number;
    exact: boolean;
    visits: number;
    prior?: number;
  }[];
  /** The move to play, where it need not be the first. */
  chosen?: CoreMove;
  /** What the position is worth to the mover and to each seat, where that is not the first move's. */
  value?: number;
  values?: number[];
  pv: string[];
  nodes: number;
  depth: number;
  seconds: number;
}

/** What a worker can be asked. */
export interface Calls {
  view(place: Place): StateView;
  /** Every position on the way, the start included. */
  line(place: Place): StateView[];
  parse(place: Place, text: string): Move;
  perft(place: Place, depth: number): bigint;
  evaluate(place: Place, evaluation: Evaluation): Promise<number[]>;
  probe(place: Place, tables: string[]): Promise<TableResult | null>;
  probeMoves(place: Place, tables: string[]): Promise<(TableResult | null)[]>;
  /** Seconds that AlphaChexers gives to a move. */
  chexersSeconds(place: Place, left: number): number;
  think(place: Place, plan: Plan, budget: Budget, report_seconds: number): Promise<SearchReport>;
  /** Fetches all that a search needs, so that it can begin at once. */
  prepare(place: Place, plan: Plan): Promise<void>;
  newGame(): void;
}

export interface Setup {
  module: WebAssembly.Module;
  /** A number that is not 0 ends a search, where the page may share memory. */
  flag: SharedArrayBuffer | null;
}

export type ToWorker =
  | { kind: "setup"; setup: Setup }
  | { kind: "call"; id: number; name: keyof Calls; given: unknown[] }
  | { kind: "stop" };

export type FromWorker =
  | { kind: "result"; id: number; result: unknown }
  | { kind: "error"; id: number; message: string }
  | { kind: "progress"; id: number; report: SearchReport };
