// What is asked of the compiled core without waiting: positions of every game. `rules.ts` answers.

import type {
  Candidate,
  GameTraits,
  Geometry,
  Limit,
  Move,
  Outcome,
  Piece,
  Choice as PlayerChoice,
} from "boardzero";

export type { Candidate, GameTraits, Geometry, Limit, Move, Outcome, Piece };

/** What a player picked; some know what it is worth to every seat. */
export type Choice = PlayerChoice & { values?: readonly number[] };

/** A position; never changed, so that it may be shared. */
export interface Position {
  readonly toMove: number;
  readonly fen: string;
  readonly key: string;
  readonly outcome: Outcome | null;
  readonly pieces: readonly Piece[];
  readonly moves: readonly Move[];
  readonly counters: readonly { name: string; counts: readonly number[] }[];
  /** By the endgame tables, for the mover: 1 is a win, null where they do not know it. */
  readonly certain: number | null;
  parse(text: string): Move; // throws a sentence
  after(move: Move): Position;
}

/** The rules of one game. */
export interface GameRules {
  /** The start, or the position that a FEN describes. */
  position(fen: string | null): Position; // throws a sentence
  /** Fetches the endgame tables, where there are any: from then on positions know of them. */
  tables(): Promise<void>;
}

/** What the position is worth to a seat, as far as the player knows. */
export function valueFor(choice: Choice, seat: number, mover: number, players: number) {
  if (choice.values?.length) return choice.values[seat] ?? null;
  if (choice.value === null || (players > 2 && seat !== mover)) return null;
  return seat === mover ? choice.value : -choice.value;
}
