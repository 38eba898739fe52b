import { expect, test } from "vitest";
import { heat, shares } from "../src/lib/heat";
import type { CandidateView } from "../src/lib/types";

const candidate = (
  cell: number,
  visits: number,
  prior: number | null,
  value = 0,
): CandidateView => ({
  move: { text: String(cell), path: [0, cell], captured: [] },
  visits,
  prior,
  value,
});

test("visits and priors are shares of all", () => {
  const candidates = [candidate(1, 30, 0.2), candidate(2, 10, 0.6)];
  expect(shares(candidates, "visits")).toEqual([0.75, 0.25]);
  expect(shares(candidates, "priors").map((share) => Math.round(100 * share))).toEqual([25, 75]);
});

test("a search without visits is taken by its values", () => {
  const [best = 0, other = 0] = shares([candidate(1, 0, null, 0.5), candidate(2, 0, null, 0.1)]);
  expect(best).toBeGreaterThan(0.9);
  expect(other).toBeGreaterThan(0);
});

test("moves to the same cell warm it together, and the one that stands out is hot", () => {
  const others = Array.from({ length: 17 }, (_, i) => candidate(10 + i, 2, null));
  const cells = heat(
    [candidate(5, 20, null), candidate(5, 20, null), candidate(6, 10, null), ...others],
    "visits",
  );
  expect(cells.get(5)).toBe(1);
  expect(cells.get(6)).toBeCloseTo(0.25);
});

test("where all moves are alike no cell is hot", () => {
  const cells = heat(
    Array.from({ length: 20 }, (_, i) => candidate(i, 0, 0.05)),
    "priors",
  );
  expect(Math.max(...cells.values())).toBeCloseTo(0.25);
});
