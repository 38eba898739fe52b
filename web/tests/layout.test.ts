import { describe, expect, it } from "vitest";
import { layout, neighbour, passedBy } from "../src/board/layout";
import type { GeometryView } from "../src/lib/types";

/** A draughts board of ten by ten, numbered from 0. */
const draughts: GeometryView = {
  kind: "squares",
  rows: 10,
  columns: 10,
  cells: Array.from({ length: 50 }, (_, cell) => {
    const row = Math.floor(cell / 5);
    return {
      cell,
      row,
      column: 2 * (cell % 5) + (1 - (row % 2)),
      label: String(cell + 1),
      goal_of: [],
    };
  }),
};
const hexes: GeometryView = {
  kind: "hexes",
  rows: 7,
  columns: 7,
  cells: Array.from({ length: 49 }, (_, cell) => ({
    cell,
    row: Math.floor(cell / 7),
    column: cell % 7,
    label: "",
    goal_of: [],
  })).filter(({ row, column }) => Math.abs(row - 3 + column - 3) <= 3),
};

describe("layout", () => {
  it("keeps every cell inside the drawing, turned or not", () => {
    for (const geometry of [draughts, hexes]) {
      for (const flip of [false, true]) {
        const board = layout(geometry, flip);
        for (const cell of board.cells) {
          const { x, y } = board.at(cell);
          expect(x).toBeGreaterThan(board.margin);
          expect(x).toBeLessThan(board.width - board.margin);
          expect(y).toBeGreaterThan(board.margin);
          expect(y).toBeLessThan(board.height - board.margin);
        }
      }
    }
  });

  it("puts the first cell of a turned board where the last one was", () => {
    const [upright, turned] = [layout(draughts), layout(draughts, true)];
    expect(turned.at(0)).toEqual(upright.at(49));
  });

  it("knows that draughts squares have numbers", () => {
    expect(layout(draughts).numbered).toBe(true);
  });
});

describe("arrow keys", () => {
  it("reach every cell of every board from any other", () => {
    for (const geometry of [draughts, hexes]) {
      const board = layout(geometry);
      const reached = new Set([board.cells[0] as number]);
      for (const cell of reached) {
        for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"] as const)
          reached.add(neighbour(board, cell, key));
      }
      expect(reached.size).toBe(board.cells.length);
    }
  });

  it("go to the next dark square of the row", () => {
    expect(neighbour(layout(draughts), 0, "ArrowRight")).toBe(1);
    expect(neighbour(layout(draughts), 1, "ArrowLeft")).toBe(0);
  });
});

describe("a capture", () => {
  it("knows which piece each jump passes", () => {
    const board = layout(draughts);
    // 47x38x29 in the usual numbers, over 42 and 33
    expect(passedBy(board, [46, 37, 28], [32, 41])).toEqual([[41], [32]]);
  });
});
