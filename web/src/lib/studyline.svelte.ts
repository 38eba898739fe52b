// A line of play that is being studied: its positions, where the person is, and what analysis found.

import { api } from "./api";
import { catalog } from "./catalog.svelte";
import type {
  AnalysisView,
  BoardView,
  GameInfo,
  LoadedLine,
  MoveView,
  PositionView,
  ReviewView,
} from "./types";

export class StudyLine {
  info = $state.raw<GameInfo | null>(null);
  fen = $state.raw<string | null>(null);
  moves = $state.raw<string[]>([]);
  positions = $state.raw<BoardView[]>([]); // before each move, and after the last
  ply = $state(0);
  playable = $state.raw<PositionView | null>(null); // the current position with its legal moves
  analyses = $state.raw<Map<string, AnalysisView>>(new Map()); // by FEN
  reviewed = $state.raw<Map<number, ReviewView>>(new Map()); // by ply

  get current(): BoardView | undefined {
    return this.positions[this.ply];
  }

  /** The line up to where the person is. */
  get here(): LoadedLine {
    return { game: this.info?.spec ?? "", fen: this.fen, moves: this.moves.slice(0, this.ply) };
  }

  /** Another line; of what a review found, the caller says what still holds. */
  async load(line: LoadedLine, ply = line.moves.length, reviewed = new Map<number, ReviewView>()) {
    const [info, view] = await Promise.all([catalog.find(line.game), api.study.line(line)]);
    this.info = info;
    this.fen = line.fen;
    this.moves = view.moves;
    this.positions = view.positions;
    this.reviewed = reviewed;
    await this.go(ply);
  }

  async go(ply: number) {
    this.ply = Math.max(0, Math.min(ply, this.positions.length - 1));
    const here = this.here;
    const playable = await api.study.position(here);
    if (playable.fen === this.current?.fen) this.playable = playable;
  }

  /** A move on the board: forward along the line, or a new line from here. */
  async play(move: MoveView) {
    if (this.moves[this.ply] === move.text) return this.go(this.ply + 1);
    await this.replace([...this.moves.slice(0, this.ply), move.text]);
  }

  async replace(moves: string[], ply = moves.length) {
    const common = this.moves.findIndex((move, i) => move !== moves[i]);
    const limit = common < 0 ? moves.length : common;
    const kept = new Map([...this.reviewed].filter(([at]) => at < limit));
    await this.load({ game: this.info?.spec ?? "", fen: this.fen, moves }, ply, kept);
  }

  note(analysis: AnalysisView) {
    this.analyses = new Map(this.analyses).set(analysis.fen, analysis);
  }

  /** What a review says; of a line that was left meanwhile, nothing. */
  noteReview(step: ReviewView) {
    if (this.positions[step.ply]?.fen !== step.fen) return;
    this.reviewed = new Map(this.reviewed).set(step.ply, step);
  }

  /** Winning chances of a seat at each ply, in [0, 1], as far as known. */
  chances(seat: number): (number | null)[] {
    const players = this.info?.seats.length ?? 2;
    return this.positions.map((position, ply) => {
      if (position.ending) {
        const { winner } = position.ending;
        return winner === null ? 0.5 : winner === seat ? 1 : 0;
      }
      const value = this.analyses.get(position.fen)?.value ?? this.reviewed.get(ply)?.value ?? null;
      if (value === null) return null;
      if (position.to_move === seat) return (value + 1) / 2;
      return players === 2 ? (1 - value) / 2 : null;
    });
  }
}
