// Who sits where around the board.

import type { GameInfo } from "./types";

export const HUMAN = "human"; // the player of a seat where a person sits

/** Of two, the seat whose pieces start at the bottom of the board as it is shown. */
export function bottomSeat(info: GameInfo, flip = false): number {
  if (info.seats.length !== 2) return 0;
  const corner = info.geometry.cells[0]?.cell;
  const drawn = info.geometry.kind === "squares";
  const top = drawn ? (info.start.pieces.find(({ cell }) => cell === corner)?.owner ?? 1) : 1;
  return flip ? top : 1 - top;
}

/** Whether a seat's pieces start in the upper half: then the board is turned. */
export function sitsOnTop(info: GameInfo, seat: number): boolean {
  if (info.geometry.kind !== "squares") return false;
  const own = info.start.pieces.filter(({ owner }) => owner === seat);
  return own.length > 0 && own.every(({ cell }) => cell < info.geometry.cells.length / 2);
}
