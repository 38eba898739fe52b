// What the package offers. Whatever needs the rules answers with a promise: a worker computes it.
// A failure is an Error whose message is a sentence for a person.

/** Where the package finds its files, and how it starts workers. */
export interface LoadOptions {
  /** Where the package's folder `assets` is served; beside the module unless told otherwise. */
  assets?: string | URL;
  /** Starts a worker that runs the package's `worker.js`, where a bundler needs another way. */
  worker?: () => Worker;
  /** Where a build of onnxruntime-web is served, for players with residual nets; in `assets` otherwise. */
  onnx?: string | URL;
}

/** The games and players of one page. */
export interface BoardZero {
  readonly games: readonly GameFamily[];
  readonly players: readonly PlayerFamily[];
  /** The game that a spec names: `international`, `gomoku:size=15,rule=renju`. */
  game(spec: string): Promise<Game>;
  /** Ends all workers. */
  close(): void;
}

/** An option of a spec. The type of the default is the type of the option. */
export interface Option {
  readonly name: string;
  readonly default: number | boolean | string;
  readonly help: string;
  readonly choices: readonly string[];
  readonly low: number | null;
  readonly high: number | null;
  /** Of a game: it decides when the game ends and what for, not how to play. */
  readonly ends_only: boolean;
}

/** A game before its options are chosen. */
export interface GameFamily {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly options: readonly Option[];
}

/** A kind of player before its options are chosen. */
export interface PlayerFamily {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly Option[];
  /** The smallest and the largest number of seats of a game that it plays. */
  readonly seats: readonly [number, number];
}

/** What the game is like. */
export interface GameTraits {
  /** What the seats are called, in the order of play. */
  readonly seats: readonly string[];
  /** Squares are called by number rather than by column and row. */
  readonly numbered: boolean;
  readonly must_capture: boolean;
  readonly largest_capture: boolean;
  /** How PDN files hold its games, if they do. */
  readonly pdn: { tag: string; capture: string; win: number; tag_only: boolean } | null;
  readonly sgf: boolean;
  /** Whether a position can be put together piece by piece, see `Game.compose`. */
  readonly editable: boolean;
  /** The kinds of piece. */
  readonly pieces: readonly string[];
  /** Key of texts about the game, mostly its name. */
  readonly text: string;
  readonly diagrams: readonly { name: string; fen: string }[];
  /** Players for study, the best first, as specs. */
  readonly analysts: readonly string[];
  /** Sees shots best; for reviews. */
  readonly tactician: string;
}

export interface Cell {
  readonly cell: number;
  readonly row: number;
  readonly column: number;
  readonly label: string;
  /** The seats, by name, whose pieces head for it. */
  readonly goal_of: readonly string[];
}

/** Where the cells of a board lie; hexagons by axial coordinates counted from 0. */
export interface Geometry {
  readonly kind: "squares" | "points" | "hexes";
  readonly rows: number;
  readonly columns: number;
  readonly cells: readonly Cell[];
}

/** A player by the name that says how strong it is. */
export interface Level {
  readonly name: string;
  readonly spec: string;
  readonly rating: number | null;
}

/** The rules of a game with its options. */
export interface Game {
  /** As short as can be: options that are given their default are left out. */
  readonly spec: string;
  readonly name: string;
  readonly title: string;
  readonly options: Readonly<Record<string, number | boolean | string>>;
  readonly traits: GameTraits;
  readonly geometry: Geometry;
  /** The weakest first. All of them play in this page. */
  readonly levels: readonly Level[];
  /** How a game begins, or the position that a FEN describes. */
  start(fen?: string | null): Promise<State>;
  /** The state after these moves. */
  replay(moves: readonly string[], fen?: string | null): Promise<State>;
  /** Every state on the way, the start included, in one request. */
  line(moves: readonly string[], fen?: string | null): Promise<State[]>;
  /** The position with these pieces, where the game has `traits.editable`. */
  compose(pieces: readonly Piece[], mover: number): Promise<State>;
  /** A player by its spec or by the name of a level; close it when it is no longer needed. */
  player(spec: string): Promise<Player>;
}

export interface Piece {
  readonly cell: number;
  /** The seat. */
  readonly owner: number;
  readonly kind: string;
}

export interface Move {
  readonly text: string;
  /** The cells visited, first to last. */
  readonly path: readonly number[];
  /** The cells of pieces taken. */
  readonly captured: readonly number[];
}

/** How a game ended. */
export interface Outcome {
  /** One value per seat, in [-1, 1]. */
  readonly values: readonly number[];
  readonly winner: number | null;
  readonly reason: string;
}

export type TableResult = "win" | "draw" | "loss";

/** A position and how it came about. It never changes: `play` gives another. */
export interface State {
  readonly game: Game;
  /** The FEN that the game began with, if not at the usual start. */
  readonly from: string | null;
  /** The moves since then. */
  readonly history: readonly string[];
  readonly fen: string;
  /** The seat that acts now; 0 moves first. */
  readonly mover: number;
  /** 16 hexadecimal digits: equal for equal positions with equal movers. */
  readonly key: string;
  readonly pieces: readonly Piece[];
  /** The legal moves; none only when the game is over. */
  readonly moves: readonly Move[];
  readonly outcome: Outcome | null;
  /** The move that led here. */
  readonly last: Move | null;
  /** What the game counts beside the pieces, a number for each seat. */
  readonly counters: readonly { name: string; counts: readonly number[] }[];

  /** The legal move that a text means. */
  parse(text: string): Promise<Move>;
  /** The state after a move. */
  play(move: Move | string): Promise<State>;
  /** Move sequences of exactly this length. */
  perft(depth: number): Promise<bigint>;
  /** What an evaluation says of the position without a search, one value per seat in [-1, 1]. */
  evaluate(options?: { eval?: string; net?: string | URL }): Promise<number[]>;
  /** The result for the mover by the endgame tables, or null where none knows it. */
  probe(): Promise<TableResult | null>;
  /** The same for every legal move, for the one who makes it, in the order of `moves`. */
  probeMoves(): Promise<(TableResult | null)[]>;
}

/** How long a player may think: the first bound reached ends it. What a spec says holds otherwise. */
export interface Limit {
  /** Seconds. */
  time?: number;
  depth?: number;
  nodes?: number;
  simulations?: number;
  /** Seconds that the mover has left, for each move that it will make. */
  clock?: { left: number; increment?: number; moves?: number };
}

/** One of the moves that a player looked at. */
export interface Candidate {
  readonly move: Move;
  readonly visits: number;
  /** For the mover, in [-1, 1]. */
  readonly value: number | null;
  readonly prior: number | null;
}

/** The move that a player picked, and why. */
export interface Choice {
  readonly move: Move;
  /** For the mover, in [-1, 1]; null if the player has no opinion. */
  readonly value: number | null;
  /** The same for every seat, where the player knows it. */
  readonly values?: readonly number[] | undefined;
  /** The line that the player expects, first its own move. */
  readonly pv: readonly string[];
  /** Best first. */
  readonly candidates: readonly Candidate[];
  /** States visited, or simulations. */
  readonly nodes: number;
  readonly depth: number;
  /** Seconds used. */
  readonly time: number;
}

/** Picks moves for any seat of one game. It thinks in a worker of its own, about one state at a time. */
export interface Player {
  readonly spec: string;
  readonly game: Game;
  /** A legal move of a state that is not over; `progress` is told what is known while it thinks. */
  choose(state: State, limit?: Limit, progress?: (soFar: Choice) => void): Promise<Choice>;
  /** The same as a stream whose last item is the choice. Leaving the loop stops the player. */
  analyse(state: State, limit?: Limit): AsyncIterableIterator<Choice>;
  /** Makes a running `choose` or `analyse` end with its best move so far. */
  stop(): void;
  /** Forgets what belongs to the game before. */
  newGame(): Promise<void>;
  /** Fetches what it needs, so that its first thought begins at once; thinking does so, too. */
  prepare(): Promise<void>;
  /** Ends its worker. */
  close(): void;
}
