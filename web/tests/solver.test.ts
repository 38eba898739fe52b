import { expect, test } from "vitest";
import { nextRating, Solver } from "../src/lib/solver.svelte";

test("a hard puzzle solved is worth more than an easy one", () => {
  const gain = (puzzle: number) => nextRating(1200, puzzle, true, 0) - 1200;
  expect(gain(1600)).toBeGreaterThan(gain(900));
  expect(nextRating(1200, 1200, false, 50)).toBeCloseTo(1188);
});

test("only the first try at a puzzle counts", () => {
  const solver = new Solver();
  solver.use("english");
  solver.finish("a", 1200, false);
  const { rating } = solver;
  solver.finish("a", 1200, true);
  expect(solver.rating).toBe(rating);
  expect(rating).toBeLessThan(1200);
});
