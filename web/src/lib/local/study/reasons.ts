// Why a move was wrong, found by looking at the lines that show it; as boardzero.study.reasons.
// Where nothing certain can be said there is no reason: a sentence that is wrong is worse than none.

import type { Move } from "../core";
import type { State } from "../game";
import * as chexers from "./chexers";
import * as draughts from "./draughts";
import * as five from "./five";
import { short, winsIn, written } from "./lines";
import type { Reason } from "./words";

export const WON = 0.995; // a value that only a forced win has
export const ATTACK = ["key_point", "open_three", "missed_three"]; // reasons that prove nothing by themselves
const LATE = 6; // plies: three moves of each side

/** A move that may be wrong: what it led to, what answers it, and what was best. */
export type Mistake = {
  state: State;
  played: Move;
  after: State;
  reply: readonly string[]; // the line that answers it
  best: Move;
  bestLine: readonly string[]; // beginning with the best move
  value: number; // of the move played, for its mover
  top: number; // of the best one
};

export function named(
  mistake: Mistake,
  kind: string,
  values: Record<string, string | number> = {},
): Reason {
  const { state, after, played, best } = mistake;
  const { seats } = state.game;
  return {
    kind,
    values: {
      played: short(played.text),
      best: short(best.text),
      mover: seats[state.toMove] ?? "",
      other: seats[after.toMove] ?? "", // who answers
      ...values,
    },
  };
}

/** The first thing that can be said, the most telling first. */
export function reasonFor(mistake: Mistake): Reason | null {
  const { traits, geometry } = mistake.state.game;
  let found: Reason | null = null;
  if (winsLate(mistake) && !traits.sgf) return late(mistake);
  if (traits.must_capture) found = draughts.reason(mistake);
  else if (traits.sgf) found = five.reason(mistake);
  else if (geometry.kind === "hexes") found = chexers.reason(mistake);
  found ??= forced(mistake) ?? late(mistake);
  return found ?? (traits.sgf ? five.attack(mistake) : null);
}

/** Whether both moves win, and the one played much later. */
export function winsLate(mistake: Mistake): boolean {
  if (Math.min(mistake.value, mistake.top) < WON) return false;
  const [fast, slow] = [fastWin(mistake), slowWin(mistake)];
  if (fast === null || slow === null) return false;
  return slow - fast >= LATE || (fast === 1 && slow > 1);
}

const fastWin = ({ state, bestLine }: Mistake) => winsIn(state, bestLine, state.toMove);

function slowWin({ state, after, reply }: Mistake): number | null {
  if (after.outcome) return after.outcome.winner === state.toMove ? 1 : null;
  const rest = winsIn(after, reply, state.toMove);
  return rest === null ? null : rest + 1;
}

function late(mistake: Mistake): Reason | null {
  const [fast, slow] = [fastWin(mistake), slowWin(mistake)];
  if (fast === null || slow === null || !winsLate(mistake)) return null;
  const turns = (plies: number) => Math.floor((plies - 1) / mistake.state.game.players) + 1;
  return named(mistake, "slower", { fast: turns(fast), slow: turns(slow) });
}

function forced(mistake: Mistake): Reason | null {
  const { value, top, reply, bestLine } = mistake;
  if (value <= -WON && -WON < top && reply.length) {
    return named(mistake, "loses", { line: written(reply) });
  }
  if (value < WON && WON <= top && bestLine.length) {
    return named(mistake, "missed_win", { line: written(bestLine) });
  }
  return null;
}
