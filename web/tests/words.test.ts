import { expect, test, vi } from "vitest";

// What decides the language of the page, and is told of it.
vi.stubGlobal("navigator", { languages: ["en"] });
vi.stubGlobal("document", { documentElement: {} });
const { rounds, short, typable } = await import("../src/lib/words");

test("moves are counted as people do: one of each player is one move", () => {
  expect([0, 1, 2, 3, 4].map((plies) => rounds(plies, 2))).toEqual([0, 1, 1, 2, 2]);
  expect([3, 4].map((plies) => rounds(plies, 3))).toEqual([1, 2]);
});

test("the referee's notation has a short form that can be typed", () => {
  expect(short('("MOVE", ((-3,0),(-2,0)))')).toBe("−3,0 → −2,0");
  expect(typable('("MOVE", ((-3,0),(-2,0)))')).toBe("-3,0>-2,0");
});
