import { describe, expect, it } from "vitest";
import { follow, isOneMove, type Shown } from "../src/board/motion";
import type { BoardView, MoveView, PieceView } from "../src/lib/types";

const man = (cell: number, owner = 0): PieceView => ({ cell, owner, kind: "man" });
const king = (cell: number, owner = 0): PieceView => ({ cell, owner, kind: "king" });
const play = (path: number[], captured: number[] = []): MoveView => ({ text: "", path, captured });
const stand = (...pieces: PieceView[]): Shown[] => follow([], pieces, null);
const board = (pieces: PieceView[], last: MoveView | null): BoardView => ({
  fen: "",
  to_move: 1,
  pieces,
  last,
  ending: null,
  counters: [],
});

describe("pieces from one position to the next", () => {
  it("stay who they are, wherever they go and whatever they become", () => {
    const before = stand(man(7), man(30, 1), man(33));
    const after = follow(before, [king(1), man(33), man(30, 1)], play([7, 1]));
    const ids = (shown: Shown[]) => new Map(shown.map((piece) => [piece.cell, piece.id]));
    expect(ids(after).get(1)).toBe(ids(before).get(7));
    expect(ids(after).get(30)).toBe(ids(before).get(30));
    expect(ids(after).get(33)).toBe(ids(before).get(33));
  });

  it("are new where nobody stood, and never two of the same", () => {
    const before = stand(man(7), man(8));
    const after = follow(before, [man(7), man(8), man(9)], play([9]));
    expect(new Set(after.map((piece) => piece.id)).size).toBe(3);
    const round = follow(before, [man(7), man(8)], play([7, 2, 7], [8]));
    expect(round.map((piece) => piece.id)).toEqual(before.map((piece) => piece.id));
  });

  it("come by one move only if the mover was there and has arrived", () => {
    const before = stand(man(31), man(20, 1));
    expect(isOneMove(before, board([man(27), man(20, 1)], play([31, 27])))).toBe(true);
    expect(isOneMove(before, board([man(26), man(20, 1)], play([32, 27])))).toBe(false);
    expect(isOneMove(before, board([man(27), man(20, 1)], play([20, 27])))).toBe(false);
    expect(isOneMove(before, board([man(31), man(20, 1)], null))).toBe(false);
    expect(isOneMove(before, board([man(31), man(20, 1), man(5)], play([5])))).toBe(false);
  });
});
