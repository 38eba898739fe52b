import { expect, test } from "vitest";
import { playerOf, runOf } from "../src/lib/runs";
import type { RunSummary } from "../src/lib/types";

const run = { name: "first", player: "net" } as RunSummary;

test("a run is played by its own kind of player", () => {
  expect(playerOf(run)).toBe("net:run=first");
  expect(playerOf(run, 3)).toBe("net:run=first,version=3");
});

test("the player of a run is known by its spec", () => {
  expect(runOf(playerOf(run))).toBe("first");
  expect(runOf("zero:run=second")).toBe("second");
  expect(runOf("zero:sims=16")).toBeUndefined();
});
