// A line of play that is being studied: its positions, where the person is, and what analysis found.

import { api } from "./api";
import { catalog } from "./catalog.svelte";
import type { Analysis, Frame, GameInfo, Line, Move, Position, Reviewed } from "./types";

export class StudyLine {
  info = $state.raw<GameInfo | null>(null);
  fen = $state.raw<string | null>(null);
  moves = $state.raw<string[]>([]);
  frames = $state.raw<Frame[]>([]);
  ply = $state(0);
  position = $state.raw<Position | null>(null); // of the current ply, with legal moves
  analyses = $state.raw<Map<string, Analysis>>(new Map()); // by FEN
  reviewed = $state.raw<Map<number, Reviewed>>(new Map()); // by ply

  get frame(): Frame | undefined {
    return this.frames[this.ply];
  }

  /** The line up to where the person is. */
  get here(): Line {
    return { game: this.info?.spec ?? "", fen: this.fen, moves: this.moves.slice(0, this.ply) };
  }

  /** Another line; of what a review found, the caller says what still holds. */
  async load(line: Line, ply = line.moves.length, reviewed = new Map<number, Reviewed>()) {
    const [info, view] = await Promise.all([catalog.find(line.game), api.line(line)]);
    this.info = info;
    this.fen = line.fen;
    this.moves = view.moves;
    this.frames = view.frames;
    this.reviewed = reviewed;
    await this.go(ply);
  }

  async go(ply: number) {
    this.ply = Math.max(0, Math.min(ply, this.frames.length - 1));
    const here = this.here;
    const position = await api.position(here);
    if (position.fen === this.frame?.fen) this.position = position;
  }

  /** A move on the board: forward along the line, or a new line from here. */
  async play(move: Move) {
    if (this.moves[this.ply] === move.text) return this.go(this.ply + 1);
    await this.replace([...this.moves.slice(0, this.ply), move.text]);
  }

  async replace(moves: string[], ply = moves.length) {
    const common = this.moves.findIndex((move, i) => move !== moves[i]);
    const limit = common < 0 ? moves.length : common;
    const kept = new Map([...this.reviewed].filter(([at]) => at < limit));
    await this.load({ game: this.info?.spec ?? "", fen: this.fen, moves }, ply, kept);
  }

  note(analysis: Analysis) {
    this.analyses = new Map(this.analyses).set(analysis.fen, analysis);
  }

  /** What a review says; of a line that was left meanwhile, nothing. */
  noteReview(step: Reviewed) {
    if (this.frames[step.ply]?.fen !== step.fen) return;
    this.reviewed = new Map(this.reviewed).set(step.ply, step);
  }

  /** Winning chances of a seat at each ply, in [0, 1], as far as known. */
  chances(seat: number): (number | null)[] {
    const players = this.info?.seats.length ?? 2;
    return this.frames.map((frame, ply) => {
      if (frame.ending) {
        const { winner } = frame.ending;
        return winner === null ? 0.5 : winner === seat ? 1 : 0;
      }
      const value = this.analyses.get(frame.fen)?.value ?? this.reviewed.get(ply)?.value ?? null;
      if (value === null) return null;
      if (frame.to_move === seat) return (value + 1) / 2;
      return players === 2 ? (1 - value) / 2 : null;
    });
  }
}
