// Moves that are nearly the best, as boardzero/players/near_best.py picks them: a move that looks worse
// than the best by less than a margin, but none that loses a piece in front of it.

import { settings } from "./catalog.js";
import type { SearchReport } from "./protocol.js";

const SURE = 0.999999; // values beyond are spread no further

/** A value from [-1, 1] on a scale without ends. */
const spread = (value: number): number => Math.atanh(Math.max(-SURE, Math.min(SURE, value)));

/** A search of nothing but what lies in front, and the difference that is not yet a piece. */
export interface Look {
  settings: string;
  depth: number;
  tolerance: number;
}

/** How a game of so many seats with these evaluations is looked at; null where nothing is captured. */
export function lookOf(evaluations: string[][], seats: number, seed: number): Look | null {
  const pieces = evaluations.find((names) => names.includes("material"))?.[0];
  const name = seats > 2 ? evaluations[0]?.[0] : pieces;
  if (name === undefined) return null;
  const kind = seats > 2 ? "paranoid" : "alphabeta";
  return {
    settings: settings({ kind, seed, plain: false, hash: 1, analyse: true, eval: name }),
    depth: seats > 2 ? 2 : 1,
    tolerance: seats > 2 ? 0.1 : 1e-6,
  };
}

/** The report with the move to play first. `seen` is what the look found. */
export function nearBest(
  report: SearchReport,
  seen: SearchReport | null,
  { margin, tolerance, random }: { margin: number; tolerance: number; random: () => number },
): SearchReport {
  const [best] = report.moves;
  if (!best || best.value >= 1) return report;
  const worth = new Map(seen?.moves.map(({ move, value }) => [`${move.actions}`, spread(value)]));
  const least = (worth.get(`${best.move.actions}`) ?? 0) - tolerance;
  let picked = best;
  let most = Number.NEGATIVE_INFINITY;
  for (const one of report.moves) {
    const lost = one.value <= -1 && best.value > -1;
    if (!one.exact || lost || (worth.get(`${one.move.actions}`) ?? 0) < least) continue;
    const blurred = spread(one.value) + margin * random();
    if (blurred > most) [picked, most] = [one, blurred];
  }
  if (picked === best) return report;
  const others = report.moves.filter((one) => one !== picked);
  return { ...report, moves: [picked, ...others], pv: [picked.move.text] };
}
