import { expect, test } from "vitest";
import { playerOf, runOf, trainedPlayers } from "../src/lib/runs";
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

test("a run that learned the game under other rules of ending is offered", () => {
  const runs = [
    { name: "meng", player: "zero", game: "english:endings=meng", plays: "english", versions: [1] },
    {
      name: "large",
      player: "zero",
      game: "gomoku:size=15",
      plays: "gomoku:size=15",
      versions: [1],
    },
    { name: "young", player: "zero", game: "english", plays: "english", versions: [] as number[] },
  ] as RunSummary[];
  expect(trainedPlayers(runs, { plays: "english" })).toEqual(["zero:run=meng"]);
});
