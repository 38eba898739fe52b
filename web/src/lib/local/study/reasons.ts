// Why a move was wrong, found by looking at the lines that show it; as boardzero.study.reasons.
// Where nothing certain can be said there is no reason: a sentence that is wrong is worse than none.

import type { Move } from "../core";
import type { State } from "../game";
import * as chexers from "./chexers";
import * as draughts from "./draughts";
import * as five from "./five";
import { short, written } from "./lines";
import type { Reason } from "./words";

export const WON = 0.995; // a value that only a forced win has

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
  if (traits.must_capture) found = draughts.reason(mistake);
  else if (traits.sgf) found = five.reason(mistake);
  else if (geometry.kind === "hexes") found = chexers.reason(mistake);
  return found ?? forced(mistake);
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
