// What goes over the wire. Written by scripts/page_types.py from the server's schema: `make types`.

export type Analyse = {
  kind: "analyse";
  line: Line;
  player: string;
  seconds?: number;
};

export type AnalysisView = {
  candidates: CandidateView[];
  value: number | null;
  pv: string[];
  depth: number;
  nodes: number;
  time: number;
  kind: "analysis";
  ply: number;
  fen: string;
  mover: number;
};

export type AnswerDraw = {
  kind: "answer_draw";
  accept: boolean;
};

export type ArenaGame = {
  id: number;
  seats: string[];
  winner: number | null;
  reason: string;
  plies: number;
};

export type ArrowData = {
  tail: number;
  head: number;
  color: "green" | "red" | "yellow" | "blue";
};

/** A position to look at: without its legal moves, which would fill a long line's answer. */
export type BoardView = {
  fen: string;
  to_move: number;
  pieces: PieceView[];
  last: MoveView | null;
  ending: EndingView | null;
  counters: CounterView[];
};

export type CandidateView = {
  move: MoveView;
  visits: number;
  value: number | null;
  prior: number | null;
};

export type CellView = {
  cell: number;
  row: number;
  column: number;
  label: string;
  goal_of: string[];
};

export type ClockSetting = {
  minutes: number;
  increment?: number;
  per_move?: boolean;
};

export type ClockView = {
  minutes: number;
  increment: number;
  per_move: boolean;
  left: number[];
  running: number | null;
};

/** Who plays now for a run on a cluster. */
export type ClusterStats = {
  workers: WorkerStats[];
  dashboard: string;
};

/** What the game counts beside the pieces on the board. */
export type CounterView = {
  name: string;
  counts: number[];
};

export type CrossCell = {
  row: number;
  column: number;
  wins: number;
  draws: number;
  losses: number;
};

export type CurveView = {
  label: string;
  x: number[];
  y: number[];
};

export type DeletedGame = {
  id: number;
};

export type DiagramView = {
  name: string;
  fen: string;
};

/** What a training does now. */
export type Doing = {
  what: "starting" | "playing" | "learning";
  done: number;
  total: number;
  version: number;
  next_version: number | null;
  left: number | null;
};

export type EndingView = {
  winner: number | null;
  reason: string;
  cells: number[];
};

/** Why a message changed nothing, in one sentence. */
export type ErrorNews = {
  kind: "error";
  message: string;
  code: "time_over" | "draw_declined" | "illegal" | null;
};

export type EvaluationData = {
  seat: number;
  value: number;
};

/** What was played in a position, how often, and what came of it. */
export type ExploredMove = {
  move: string;
  games: number;
  wins: number[];
  draws: number;
};

/** Curves that only runs of some kind have. */
export type FigureView = {
  name: string;
  title: string;
  x_label: string;
  curves: CurveView[];
};

/** Why only some pieces may move: a capture is mandatory, in some games the largest one. */
export type ForcedView = {
  rule: "any" | "largest";
  captures: number;
  cells: number[];
};

export type FoundGame = {
  id: number;
  game: string;
  seats: string[];
  ply: number;
  plies: number;
  result: string;
};

export type GameInfo = {
  name: string;
  spec: string;
  plays: string;
  title: string;
  summary: string;
  seats: string[];
  options: OptionView[];
  geometry: GeometryView;
  start: PositionView;
  levels: LevelView[];
  analysts: string[];
  editable: boolean;
  pieces: string[];
  text: string;
  diagrams: DiagramView[];
};

/** The game after every change. */
export type GameNews = {
  kind: "game";
  game: GameView;
};

export type GameRequest = {
  game: string;
  seats: string[];
  clock?: ClockSetting | null;
  fen?: string | null;
  moves?: string[];
};

export type GameSummary = {
  id: string;
  game: string;
  title: string;
  seats: string[];
  plies: number;
  ending: EndingView | null;
  updated: string;
  position: PositionView;
};

export type GameView = {
  id: string;
  game: string;
  title: string;
  seats: SeatView[];
  start: string | null;
  moves: string[];
  position: PositionView;
  clock: ClockView | null;
  thinking: boolean;
  waiting: number;
  paused: boolean;
  draw_offer: number | null;
  can_undo: boolean;
  trouble: string | null;
  unsaved: string | null;
};

/** So many of the iteration's games are stored. */
export type GamesPlayed = {
  done: number;
  total: number;
  positions_per_second: number;
  evaluations_per_second: number;
  iteration: number;
  minutes: number;
};

/** A candidate's match with the best version is over. */
export type GateDecided = {
  wins: number;
  draws: number;
  losses: number;
  accepted: boolean;
  iteration: number;
  minutes: number;
};

export type GeometryView = {
  kind: "squares" | "points" | "hexes";
  rows: number;
  columns: number;
  cells: CellView[];
};

/** What the best analyst would play. */
export type Hint = {
  kind: "hint";
  ply: number;
  move: MoveView;
  value: number | null;
};

/** A value of a recipe that may be changed. */
export type KnobView = {
  key: string;
  value: number;
  low: number;
  high: number;
  whole: boolean;
};

export type LevelView = {
  name: string;
  spec: string;
  rating: number | null;
};

/** A position by how it came about, because rules look at the past too. */
export type Line = {
  game: string;
  fen?: string | null;
  moves?: string[];
};

export type LineView = {
  game: string;
  title: string;
  seats: string[];
  start: string | null;
  moves: string[];
  positions: BoardView[];
};

export type ListedGame = {
  id: number;
  game: string;
  seats: string[];
  plies: number;
  result: string;
  reason: string;
  date: string;
};

/** Mean losses over the latest batches. */
export type LossMeasured = {
  losses: Record<string, number>;
  step: number;
  net: string | null;
  iteration: number;
  minutes: number;
};

export type MoveView = {
  text: string;
  path: number[];
  captured: number[];
};

export type NewRun = {
  recipe: string;
  minutes: number;
  changes?: Record<string, number>;
};

export type NewTournament = {
  game: string;
  players: string[];
  games: number;
};

/** A node and the number of its parent, which stands before it; the root is its own, 0. */
export type NodeData = {
  parent: number;
  move: string;
  comment: string;
  nags: number[];
  evaluation: EvaluationData | null;
  arrows: ArrowData[];
};

export type OptionView = {
  name: string;
  default: string;
  help: string;
  choices: string[];
  low: number | null;
  high: number | null;
  ends_only: boolean;
};

export type PieceView = {
  cell: number;
  owner: number;
  kind: string;
};

export type PlacedPiece = {
  cell: number;
  owner: number;
  kind: string;
};

export type PlayCommand = PlayMove | AnswerDraw | SimpleCommand;

export type PlayMove = {
  kind: "move";
  text: string;
};

export type PlayNews = GameNews | QueuePlace | Hint | ErrorNews;

/** A position to play from. */
export type PositionView = {
  fen: string;
  to_move: number;
  pieces: PieceView[];
  last: MoveView | null;
  ending: EndingView | null;
  counters: CounterView[];
  moves: MoveView[];
  forced: ForcedView | null;
  tables: TablesView | null;
};

export type PuzzleGames = {
  game: string;
  count: number;
};

export type PuzzleView = {
  id: string;
  game: string;
  fen: string;
  solution: string[];
  rating: number;
  theme: string;
};

/** How many wait for a free processor before this thought; 0 when it goes on. */
export type QueuePlace = {
  kind: "queue";
  place: number;
};

export type RatingView = {
  player: string;
  value: number;
  low: number | null;
  high: number | null;
  games: number;
};

/** The games of a text, and what was wrong with it. */
export type ReadTrees = {
  trees: TreeData[];
  problems: string[];
};

export type RecipeView = {
  name: string;
  game: string;
  about: string;
  iterations: number | null;
  games: number | null;
  knobs: KnobView[];
  text: string;
};

export type Review = {
  kind: "review";
  line: Line;
  player: string;
  seconds?: number;
};

/** A position of a game: what the analyst would play, and what it says of the move played. */
export type ReviewView = {
  kind: "review";
  ply: number;
  fen: string;
  mover: number;
  value: number | null;
  best: MoveView | null;
  played: string | null;
  pv: string[];
  verdict: VerdictView | null;
};

export type RunSummary = {
  name: string;
  game: string;
  plays: string;
  method: string;
  player: string;
  versions: number[];
  running: boolean;
  progress: number | null;
  trouble: string | null;
  iteration: number;
  seconds: number;
  updated: number;
};

export type RunView = {
  summary: RunSummary;
  doing: Doing | null;
  played: number;
  recipe: string;
  games: GamesPlayed[];
  losses: LossMeasured[];
  gates: GateDecided[];
  figures: FigureView[];
  cluster: ClusterStats | null;
};

export type SavedKey = {
  key: string;
};

export type SeatView = {
  name: string;
  player: string;
  value: number | null;
};

/** A line, and what the search thought on the way. */
export type SelfPlayGame = {
  game: string;
  fen: string | null;
  moves: string[];
  values: (number[] | null)[];
  iteration: number;
  version: number;
  number: number;
  winner: number | null;
};

/** A position made in the editor. */
export type Setup = {
  game: string;
  to_move: number;
  pieces: PlacedPiece[];
};

export type SimpleCommand = {
  kind: "undo" | "resign" | "offer_draw" | "hint" | "pause" | "resume";
};

export type StopStudy = {
  kind: "stop";
};

export type StrengthView = {
  scale: "elo" | "openskill";
  measuring: boolean;
  trouble: string | null;
  done: number;
  total: number;
  versions: VersionRating[];
  opponents: RatingView[];
};

export type StudyDone = {
  kind: "done";
  request: "analyse" | "review";
};

export type StudyNews = AnalysisView | ReviewView | QueuePlace | StudyDone | ErrorNews;

export type StudyRequest = Analyse | Review | StopStudy;

export type StudySummary = {
  key: string;
  game: string;
  tags: Record<string, string>;
  result: string;
  moves: number;
  updated: number;
};

/** An ending that the endgame tables know: its result for the mover, and what keeps it. */
export type TablesView = {
  result: "win" | "draw" | "loss";
  keeps: string[];
  only: boolean;
};

export type TextView = {
  text: string;
};

/** What a player thinks of a position, its best move first. */
export type ThoughtView = {
  candidates: CandidateView[];
  value: number | null;
  pv: string[];
  depth: number;
  nodes: number;
  time: number;
};

export type TournamentSummary = {
  id: number;
  game: string;
  players: string[];
  total: number;
  done: number;
  state: "running" | "finished" | "stopped";
  trouble: string | null;
  created: string;
};

export type TournamentView = {
  id: number;
  game: string;
  players: string[];
  total: number;
  done: number;
  state: "running" | "finished" | "stopped";
  trouble: string | null;
  created: string;
  scale: "elo" | "openskill";
  cross: CrossCell[];
  ratings: RatingView[];
};

/** A game tree; of two nodes with one parent, the first is the main line. */
export type TreeData = {
  game: string;
  fen: string | null;
  tags: Record<string, string>;
  result: string;
  nodes: NodeData[];
};

export type TreeText = {
  game: string;
  text: string;
};

export type Tried = {
  accepted: boolean;
  loss: number;
  refutation: string[];
};

/** A move instead of the best one. */
export type Try = {
  line: Line;
  move: string;
  best: string;
};

/** What became of the mover's winning chances, and what the best line would have brought. */
export type VerdictView = {
  name: "inaccuracy" | "mistake" | "blunder" | null;
  loss: number;
  best_gain: number;
  played_gain: number;
  refutation: string[];
  reason: Record<string, string>;
};

export type VersionComparison = {
  line: Line;
  versions: number[];
  simulations?: number;
};

export type VersionRating = {
  player: string;
  value: number;
  low: number | null;
  high: number | null;
  games: number;
  version: number;
};

export type VersionThought = {
  version: number;
  thought: ThoughtView;
};

/** How one worker is doing. */
export type WorkerStats = {
  name: string;
  node: string;
  evaluations_per_second: number;
  games: number;
  refused: number;
  steps: number;
  draws: number;
  odd: boolean;
};

export type WrittenTree = {
  text: string;
  extension: string;
};

/** What is given with a request, and what the server answers. */
export type Requests = {
  "POST /api/games": { body: GameRequest; answer: GameView };
  "GET /api/games": { query: { limit?: number; }; answer: GameSummary[] };
  "GET /api/games/{key}": { path: { key: string; }; answer: GameView };
  "POST /api/position": { body: Line; answer: PositionView };
  "POST /api/line": { body: Line; answer: LineView };
  "POST /api/setup": { body: Setup; answer: PositionView };
  "POST /api/trees/read": { body: TreeText; answer: ReadTrees };
  "POST /api/trees/write": { body: TreeData; answer: WrittenTree };
  "GET /api/studies": { query: { limit?: number; }; answer: StudySummary[] };
  "POST /api/studies": { body: TreeData; answer: SavedKey };
  "PUT /api/studies/{key}": { path: { key: string; }; body: TreeData; answer: SavedKey };
  "GET /api/studies/{key}": { path: { key: string; }; answer: TreeData };
  "DELETE /api/studies/{key}": { path: { key: string; }; answer: SavedKey };
  "GET /api/puzzles": { answer: PuzzleGames[] };
  "GET /api/puzzles/daily": { query: { game: string; }; answer: PuzzleView };
  "GET /api/puzzles/next": { query: { game: string; rating?: number; done?: string; }; answer: PuzzleView };
  "POST /api/try": { body: Try; answer: Tried };
  "POST /api/svg": { body: Line; answer: TextView };
  "POST /api/stored/search": { body: Line; answer: FoundGame[] };
  "POST /api/stored/explore": { body: Line; answer: ExploredMove[] };
  "GET /api/stored": { query: { game?: string | null; player?: string | null; before?: number | null; limit?: number; }; answer: ListedGame[] };
  "GET /api/stored/{number}": { path: { number: number; }; answer: TreeData };
  "DELETE /api/stored/{number}": { path: { number: number; }; answer: DeletedGame };
  "GET /api/stored/{number}/text": { path: { number: number; }; answer: WrittenTree };
  "GET /api/tournaments": { answer: TournamentSummary[] };
  "POST /api/tournaments": { body: NewTournament; answer: TournamentView };
  "GET /api/tournaments/{number}": { path: { number: number; }; answer: TournamentView };
  "GET /api/tournaments/{number}/games": { path: { number: number; }; query: { a: number; b: number; }; answer: ArenaGame[] };
  "POST /api/tournaments/{number}/stop": { path: { number: number; }; answer: TournamentView };
  "GET /api/runs": { answer: RunSummary[] };
  "POST /api/runs": { body: NewRun; answer: RunView };
  "GET /api/runs/recipes/all": { answer: RecipeView[] };
  "POST /api/runs/{name}/stop": { path: { name: string; }; answer: RunView };
  "GET /api/runs/{name}": { path: { name: string; }; answer: RunView };
  "GET /api/runs/{name}/selfplay": { path: { name: string; }; query: { back?: number; }; answer: SelfPlayGame | null };
  "GET /api/runs/{name}/strength": { path: { name: string; }; answer: StrengthView };
  "POST /api/runs/{name}/strength": { path: { name: string; }; answer: StrengthView };
  "POST /api/runs/{name}/strength/stop": { path: { name: string; }; answer: StrengthView };
  "POST /api/runs/{name}/versions": { path: { name: string; }; body: VersionComparison; answer: VersionThought[] };
  "GET /api/catalog": { answer: GameInfo[] };
  "GET /api/catalog/{spec}": { path: { spec: string; }; answer: GameInfo };
};

/** What the page sends on a socket, and what it hears. */
export type Sockets = {
  "/api/games/{key}/live": { sent: PlayCommand; heard: PlayNews };
  "/api/analysis": { sent: StudyRequest; heard: StudyNews };
};
