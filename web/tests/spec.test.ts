import { expect, test } from "vitest";
import { specOf } from "../src/lib/spec";

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
