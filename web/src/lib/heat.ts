// What a search prefers, as shares of its candidates and as warmth of the board's cells.

import type { CandidateView } from "./types";

const OUTSTANDING = 4; // times as much as if all moves were alike

export type HeatBy = "visits" | "priors";

/** Of each candidate, adding up to 1; a search that counts no visits is taken by its values. */
export function shares(candidates: CandidateView[], by: HeatBy = "visits"): number[] {
  if (by === "priors") return normal(candidates.map(({ prior }) => prior ?? 0));
  const visits = candidates.map(({ visits }) => visits);
  if (visits.some((count) => count > 0)) return normal(visits);
  const best = Math.max(...candidates.map(({ value }) => value ?? -1));
  return normal(
    candidates.map(({ value }) => (value === null ? 0 : Math.exp((value - best) * 12))),
  );
}

/**
 * From 0 to 1; cells to which several moves lead add up. The warmest cell is 1 if it stands out: where
 * all moves are alike, none is hot.
 */
export function heat(candidates: CandidateView[], by: HeatBy): Map<number, number> {
  const cells = new Map<number, number>();
  const all = shares(candidates, by);
  candidates.forEach(({ move }, i) => {
    const cell = move.path.at(-1);
    if (cell !== undefined) cells.set(cell, (cells.get(cell) ?? 0) + (all[i] ?? 0));
  });
  const most = Math.max(...cells.values(), Math.min(1, OUTSTANDING / candidates.length));
  return new Map(
    [...cells]
      .map(([cell, share]) => [cell, share / most] as const)
      .filter(([, value]) => value > 0.01),
  );
}

export const hasPriors = (candidates: CandidateView[]) =>
  candidates.some(({ prior }) => prior !== null);

function normal(numbers: number[]): number[] {
  const sum = numbers.reduce((a, b) => a + b, 0) || 1;
  return numbers.map((number) => number / sum);
}
