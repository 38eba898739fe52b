import { describe, expect, it } from "vitest";
import { click, type Selection, targets } from "../src/board/selection";
import type { MoveView } from "../src/lib/types";

const step = (from: number, to: number): MoveView => ({
  text: `${from}-${to}`,
  path: [from, to],
  captured: [],
});
const jump = (...path: number[]): MoveView => ({
  text: path.join("x"),
  path,
  captured: path.slice(1),
});

/** Click these cells one after the other; every first cell holds a piece. */
function clicks(moves: MoveView[], ...cells: number[]) {
  let selection: Selection | null = null;
  let move: MoveView | null = null;
  for (const cell of cells) {
    const occupied = moves.some(({ path }) => path.length > 1 && path[0] === cell);
    ({ selection, move } = click(moves, selection, cell, occupied));
  }
  return { selection, move };
}

describe("clicks on the board", () => {
  it("select a piece that can move, and play when its destination is clicked", () => {
    const moves = [step(31, 26), step(31, 27), step(32, 27)];
    expect(clicks(moves, 31).selection?.pool).toHaveLength(2);
    expect(clicks(moves, 31, 27).move?.text).toBe("31-27");
  });

  it("do nothing on a piece that cannot move", () => {
    expect(clicks([step(31, 26)], 40)).toEqual({ selection: null, move: null });
  });

  it("change to another piece when that is clicked instead of a destination", () => {
    const moves = [step(31, 26), step(32, 28)];
    expect(clicks(moves, 31, 32).selection?.trail).toEqual([32]);
  });

  it("let a piece go when it is clicked again", () => {
    expect(clicks([step(31, 26)], 31, 31).selection).toBeNull();
  });

  it("play a stone at once on an empty point", () => {
    expect(clicks([{ text: "d4", path: [5], captured: [] }], 5).move?.text).toBe("d4");
  });

  it("need a second click for a piece to leave the board", () => {
    const moves = [step(3, 4), { text: "exit", path: [3], captured: [] }];
    expect(clicks(moves, 3).move).toBeNull();
    expect(clicks(moves, 3, 3).move?.text).toBe("exit");
  });
});

describe("a capture of several pieces", () => {
  const long = jump(1, 10, 19, 28);

  it("is played by its last square alone", () => {
    expect(clicks([long], 1, 28).move).toBe(long);
  });

  it("is played by all of its squares", () => {
    expect(clicks([long], 1, 10).move).toBeNull();
    expect(clicks([long], 1, 10, 19).move).toBeNull();
    expect(clicks([long], 1, 10, 19, 28).move).toBe(long);
  });

  it("may skip squares on the way", () => {
    expect(clicks([long], 1, 10, 28).move).toBe(long);
  });

  it("waits for a turning square when two ways lead to the same end", () => {
    const left = jump(1, 10, 30);
    const right = jump(1, 12, 30);
    expect(clicks([left, right], 1, 30).move).toBeNull();
    expect(clicks([left, right], 1, 30, 12).selection).not.toBeNull();
    expect(clicks([left, right], 1, 30, 12, 30).move).toBe(right);
    expect(clicks([left, right], 1, 10, 30).move).toBe(left);
  });

  it("can end where another one turns: the first click steps, the second ends", () => {
    const ends = jump(1, 5, 9);
    const turns = jump(1, 9, 20);
    expect(clicks([ends, turns], 1, 9).move).toBeNull();
    expect(clicks([ends, turns], 1, 9, 20).move).toBe(turns);
    expect(clicks([ends, turns], 1, 9, 9).move).toBe(ends);
  });

  it("may come back to where it began", () => {
    const round = jump(1, 10, 21, 12, 1);
    expect(clicks([round], 1, 1).move).toBe(round);
  });

  it("shows its next square and its last", () => {
    const { ends, steps } = targets({ trail: [1], pool: [long] });
    expect([...ends]).toEqual([28]);
    expect([...steps]).toEqual([10]);
  });
});
