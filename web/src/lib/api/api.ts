// What the page asks of the world outside: rules, players that think, tournaments, runs. Pages know
// only this interface; a server answers it, and so may anything else that has the games.

import type {
  ArenaGame,
  ExploredMove,
  FoundGame,
  GameInfo,
  GameRequest,
  GameSummary,
  GameView,
  Line,
  LineView,
  ListedGame,
  NewRun,
  NewTournament,
  PlayCommand,
  PlayNews,
  PositionView,
  PuzzleGames,
  PuzzleView,
  ReadTrees,
  RecipeView,
  RunSummary,
  RunView,
  SelfPlayGame,
  Setup,
  StrengthView,
  StudyNews,
  StudyRequest,
  StudySummary,
  TournamentSummary,
  TournamentView,
  TreeData,
  TreeText,
  Tried,
  Try,
  VersionComparison,
  VersionThought,
  WrittenTree,
} from "../types";

/** Something was asked that cannot be; the message is a sentence for the person. */
export class Refused extends Error {
  unknown: boolean; // what it was asked about does not exist

  constructor(sentence: string, unknown = false) {
    super(sentence);
    this.unknown = unknown;
  }
}

/** A conversation. One that is lost comes back by itself, and forgets what was said. */
export interface Connection<Sent> {
  send(message: Sent): void;
  close(): void;
}
export type Listener<Heard> = {
  hear(message: Heard): void;
  online(open: boolean): void;
};

export interface Api {
  hosted: boolean; // by a server: only then can it train, and hold tournaments
  catalog: {
    games(): Promise<GameInfo[]>;
    game(spec: string): Promise<GameInfo>;
  };
  play: {
    open(wish: GameRequest): Promise<GameView>;
    game(id: string): Promise<GameView>;
    recent(): Promise<GameSummary[]>;
    connect(id: string, listener: Listener<PlayNews>): Connection<PlayCommand>;
  };
  study: {
    position(line: Line): Promise<PositionView>;
    line(line: Line): Promise<LineView>;
    setup(setup: Setup): Promise<PositionView>;
    read(text: TreeText): Promise<ReadTrees>;
    write(tree: TreeData): Promise<WrittenTree>;
    svg(line: Line): Promise<string>;
    search(line: Line): Promise<FoundGame[]>;
    stored(id: number): Promise<TreeData>;
    explore(line: Line): Promise<ExploredMove[]>;
    tryMove(wish: Try): Promise<Tried>;
    connect(listener: Listener<StudyNews>): Connection<StudyRequest>;
  };
  kept: {
    studies(): Promise<StudySummary[]>;
    study(key: string): Promise<TreeData>;
    save(key: string | null, tree: TreeData): Promise<string>; // its key
    deleteStudy(key: string): Promise<unknown>;
    games(game: string, before?: number, player?: string): Promise<ListedGame[]>;
    game(id: number): Promise<WrittenTree>;
    deleteGame(id: number): Promise<unknown>;
  };
  puzzles: {
    games(): Promise<PuzzleGames[]>;
    daily(game: string): Promise<PuzzleView>;
    next(game: string, rating: number, done: string[]): Promise<PuzzleView>;
  };
  arena: {
    start(wish: NewTournament): Promise<TournamentView>;
    stop(id: number): Promise<TournamentView>;
    tournament(id: number): Promise<TournamentView>;
    tournaments(): Promise<TournamentSummary[]>;
    games(id: number, a: number, b: number): Promise<ArenaGame[]>;
  };
  learn: {
    recipes(): Promise<RecipeView[]>;
    runs(): Promise<RunSummary[]>;
    run(name: string): Promise<RunView>;
    start(wish: NewRun): Promise<RunView>;
    stop(name: string): Promise<RunView>;
    selfplay(name: string, back: number): Promise<SelfPlayGame | null>;
    compare(name: string, wish: VersionComparison): Promise<VersionThought[]>;
    strength(name: string): Promise<StrengthView>;
    measure(name: string): Promise<StrengthView>;
    stopMeasuring(name: string): Promise<StrengthView>;
  };
}
