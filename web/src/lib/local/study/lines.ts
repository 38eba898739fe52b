// Lines of play, looked at: what they win, and how people write them; as boardzero.study.lines.

import type { Move } from "../core";
import type { State } from "../game";

const SHOWN = 7; // moves of a line in a sentence
const LONGEST = 60; // moves of a line that goes on to where captures end

/** A move as people write it: those of the Chexers referee are long. */
export function short(move: string): string {
  const text = move
    .replace(/\("(?:MOVE|JUMP)", \(\(([-\d,]+)\),\(([-\d,]+)\)\)\)/g, "$1>$2")
    .replace(/\("EXIT", \(([-\d,]+)\)\)/g, "$1 exit");
  return text === '("PASS", None)' ? "pass" : text;
}

/** The first moves of a line for a sentence. */
export function written(line: readonly string[]): string {
  const moves = line.map(short);
  const separator = moves.some((move) => /[ >]/.test(move)) ? ", " : " ";
  return moves.slice(0, SHOWN).join(separator) + (moves.length > SHOWN ? " …" : "");
}

export const texts = (moves: readonly Move[]): string[] => moves.map(({ text }) => text);

/** The moves of a line as far as they are legal. */
export function playedOut(state: State, line: readonly string[]): Move[] {
  const end = state.copy();
  const moves: Move[] = [];
  for (const text of line) {
    if (end.outcome) break;
    try {
      const move = end.parse(text);
      end.play(move);
      moves.push(move);
    } catch {
      break;
    }
  }
  return moves;
}

/** A line up to where captures end; if it breaks off in one, the captures that follow. */
export function untilQuiet(state: State, line: readonly string[]): Move[] {
  const moves = playedOut(state, line);
  const end = state.copy();
  let last = moves.findLastIndex(({ captured }) => captured.length) + 1;
  for (const move of moves) end.play(move);
  while (moves.length < LONGEST && !end.outcome && mustTake(end)) {
    const move = end.moves.reduce((best, one) =>
      one.captured.length > best.captured.length ? one : best,
    );
    end.play(move);
    moves.push(move);
    last = moves.length;
  }
  return moves.slice(0, last);
}

/** The plies of a line after which a seat has won; null if it does not show that. */
export function winsIn(state: State, line: readonly string[], seat: number): number | null {
  const end = state.copy();
  for (const [i, move] of playedOut(state, line).entries()) {
    end.play(move);
    if (end.outcome) return end.outcome.winner === seat ? i + 1 : null;
  }
  return null;
}

/** Pieces that a line wins for a seat, less those that it loses; 0 where pieces do not count. */
export function balanceAfter(
  state: State,
  line: readonly string[],
  seat: number,
  since: State = state,
): number {
  if (!state.game.traits.must_capture) return 0;
  const end = state.copy();
  for (const move of untilQuiet(state, line)) end.play(move);
  return balance(end, seat) - balance(since, seat);
}

/** Pieces of a seat less those of the others. */
const balance = (state: State, seat: number) =>
  state.pieces.reduce((sum, { owner }) => sum + (owner === seat ? 1 : -1), 0);

const mustTake = (state: State) =>
  state.game.traits.must_capture && Boolean(state.moves[0]?.captured.length);
