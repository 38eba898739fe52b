import { expect, test } from "vitest";
import { fitting, type Plan, planned } from "../src/board/premove";

const empty = { own: false, occupied: false, places: false, leaves: false };
const own = { ...empty, own: true, occupied: true };

test("two clicks plan a move, and a third on nothing gives it up", () => {
  const half = planned(null, 11, own);
  const whole = planned(half, 15, empty);
  expect([half, whole]).toEqual([
    { from: 11, to: null },
    { from: 11, to: 15 },
  ]);
  expect(planned(whole, 20, empty)).toBeNull();
  expect(planned(half, 11, own)).toBeNull();
  expect(planned(half, 12, own)).toEqual({ from: 12, to: null });
});

test("a stone is planned by one click, a piece that leaves by two on itself", () => {
  expect(planned(null, 7, { ...empty, places: true })).toEqual({ from: 7, to: 7 });
  expect(planned({ from: 7, to: null }, 7, { ...own, leaves: true })).toEqual({ from: 7, to: 7 });
});

test("what was planned is played only if one legal move is meant", () => {
  const move = (path: number[], captured: number[] = []) => ({
    text: path.join("-"),
    path,
    captured,
  });
  const plan: Plan = { from: 1, to: 9 };
  expect(fitting(plan, [move([1, 5]), move([1, 9])])?.text).toBe("1-9");
  expect(fitting(plan, [move([1, 5])])).toBeNull();
  expect(fitting(plan, [move([1, 3, 9], [2]), move([1, 7, 9], [8])])).toBeNull();
});
