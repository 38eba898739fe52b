import { expect, test } from "vitest";
import { againstBelow, carried, usual } from "../src/lib/levels";

const ladder = (...specs: [string, string][]) => ({
  levels: specs.map(([name, spec]) => ({ name, spec })),
});
const trained = ladder(["beginner", "random"], ["club", "zero:sims=16"], ["expert", "zero:time=1"]);
const plain = ladder(["beginner", "random"], ["club", "mcts:rollouts=3000"]);

test("a level that another board does not have becomes its level of the same name", () => {
  expect(carried(["zero:sims=16", "random"], trained, plain)).toEqual([
    "mcts:rollouts=3000",
    "random",
  ]);
});

test("a level whose name is missing too becomes the usual opponent", () => {
  expect(carried(["zero:time=1"], trained, plain)).toEqual([usual(plain)]);
});

test("a player that somebody typed stays", () => {
  expect(carried(["mcts:rollouts=7"], trained, plain)).toEqual(["mcts:rollouts=7"]);
});

test("a level is measured by the one below, in points of ten games", () => {
  const rated = [0, 200, 900, 850, null].map((rating) => ({ rating }));
  expect(rated.map((_, i) => againstBelow(rated, i))).toEqual([null, 8, 10, null, null]);
});
