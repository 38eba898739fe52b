// What the server sends; the same names as in its messages.

export type Cell = { cell: number; row: number; column: number; label: string };
export type Geometry = {
  kind: "squares" | "points" | "hexes";
  rows: number;
  columns: number;
  cells: Cell[];
};
export type Piece = { cell: number; owner: number; kind: string };
export type Move = { text: string; path: number[]; captured: number[] };
export type Ending = { winner: number | null; reason: string };
export type Forced = { rule: "any" | "largest"; captures: number; cells: number[] };
export type Frame = {
  fen: string;
  to_move: number;
  pieces: Piece[];
  last: Move | null;
  ending: Ending | null;
  exits: number[] | null;
};
export type Position = Frame & { moves: Move[]; forced: Forced | null };
export type Level = { name: string; spec: string; rating?: number | null };
export type Option = {
  name: string;
  default: string;
  help: string;
  choices: string[];
  low: number | null;
  high: number | null;
};
export type GameInfo = {
  name: string;
  spec: string;
  title: string;
  summary: string;
  seats: string[];
  options: Option[];
  geometry: Geometry;
  start: Position;
  levels: Level[];
  analysts: string[];
  editable: boolean; // whether a position can be put together piece by piece
};
export type Seat = { name: string; player: string; value: number | null };
export type ClockSetting = { minutes: number; increment: number };
export type Clock = ClockSetting & { left: number[]; running: number | null };
export type GameView = {
  id: string;
  game: string;
  title: string;
  seats: Seat[];
  start: string | null;
  moves: string[];
  position: Position;
  clock: Clock | null;
  thinking: boolean;
  waiting: number;
  paused: boolean;
  draw_offer: number | null;
  can_undo: boolean;
  trouble: string | null;
};
export type GameSummary = {
  id: string;
  game: string;
  title: string;
  seats: string[];
  plies: number;
  ending: Ending | null;
  updated: string;
  position: Position;
};
export type Line = { game: string; fen: string | null; moves: string[] };
export type LineView = {
  game: string;
  title: string;
  seats: string[];
  start: string | null;
  moves: string[];
  frames: Frame[];
  tags: Record<string, string>;
};
export type Candidate = {
  move: Move;
  visits: number;
  value: number | null;
  prior: number | null;
};
export type Thought = {
  candidates: Candidate[];
  value: number | null;
  pv: string[];
  depth: number;
  nodes: number;
  time: number;
};
export type Analysis = Thought & { ply: number; fen: string; mover: number };
export type Verdict = {
  name: "inaccuracy" | "mistake" | "blunder" | null;
  loss: number;
  best_gain: number;
  played_gain: number;
};
export type Reviewed = {
  ply: number;
  fen: string;
  mover: number;
  value: number | null;
  best: Move | null;
  pv: string[];
  verdict: Verdict | null;
};
export type Arrow = { path: number[]; weight: number; tone: "best" | "other" | "hint" };

// Runs

export type RunSummary = {
  name: string;
  game: string;
  method: string;
  player: "zero" | "net"; // searches with its nets, or only picks by them
  versions: number[];
  running: boolean;
  progress: number | null;
  trouble: string | null;
  iteration: number;
  seconds: number;
  updated: number;
};
export type RunEvent = {
  event: string;
  iteration: number;
  fields: Record<string, number | string | boolean | null>;
};
export type Worker = {
  name: string;
  node: string;
  evaluations_per_second: number;
  games: number;
  refused: number;
};
export type Cluster = { dashboard: string; workers: Worker[] };
export type Run = {
  summary: RunSummary;
  recipe: string;
  events: RunEvent[];
  cluster: Cluster | null;
};
export type SelfPlay = Line & {
  values: (number[] | null)[];
  iteration: number;
  version: number;
  number: number;
  winner: number | null;
};
export type Rating = {
  player: string;
  value: number;
  low: number | null;
  high: number | null;
  games: number;
};
export type Strength = {
  scale: "elo" | "openskill";
  measuring: boolean;
  trouble: string | null;
  done: number;
  total: number;
  versions: (Omit<Rating, "player"> & { version: number })[];
  opponents: Rating[];
};

export const HUMAN = "human";
