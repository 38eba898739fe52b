import { expect, test } from "vitest";
import { calledFamily, specOf } from "../src/lib/spec";

const gomoku = {
  name: "gomoku",
  options: [
    { name: "size", default: "8" },
    { name: "line", default: "5" },
  ],
};

test("a spec names only the options that are not as usual", () => {
  expect(specOf(gomoku, {})).toBe("gomoku");
  expect(specOf(gomoku, { size: "8", line: "5" })).toBe("gomoku");
  expect(specOf(gomoku, { size: "15", line: "6" })).toBe("gomoku:size=15,line=6");
});

test("a champion is called so, whatever search plays it", () => {
  expect(calledFamily("zero:sims=100")).toBe("zero");
  expect(calledFamily("alphabeta:eval=champion,time=1")).toBe("zero");
  expect(calledFamily("alphabeta:eval=hand,time=1")).toBe("alphabeta");
  expect(calledFamily("mcts")).toBe("mcts");
});
