// How a move is seen: pieces keep their identity from one position to the next, and one of them goes
// its way while those that it captures vanish.

import type { BoardView, MoveView, PieceView } from "../lib/types";
import { type Layout, passedBy } from "./layout";

export type Shown = PieceView & { id: number };
export type Motion = { legs: number[]; time: number; cancel: () => void }; // milliseconds

const STEP = 190; // milliseconds of one jump
const FADE = 220; // of a captured piece

let numbers = 0;

/** The pieces of the next position: those that stood there, or moved there, are the same ones. */
export function follow(shown: Shown[], pieces: PieceView[], move: MoveView | null): Shown[] {
  const ids = new Map(shown.map((piece) => [piece.cell, piece.id]));
  if (move && move.path.length > 1) {
    const id = ids.get(move.path[0] as number);
    ids.delete(move.path[0] as number);
    if (id !== undefined) ids.set(move.path.at(-1) as number, id);
  }
  const used = new Set<number>();
  return pieces.map((piece) => {
    let id = ids.get(piece.cell);
    if (id === undefined || used.has(id)) id = ++numbers;
    used.add(id);
    return { ...piece, id };
  });
}

/** Whether the board changes by the position's last move alone, not by going back or elsewhere. */
export function isOneMove(shown: Shown[], next: BoardView): boolean {
  const path = next.last?.path ?? [];
  if (path.length < 2) return false;
  const before = shown.find((piece) => piece.cell === path[0]);
  const after = next.pieces.find((piece) => piece.cell === path.at(-1));
  return before !== undefined && before.owner === after?.owner;
}

/** Starts the move on the drawing, if it can: when each leg ends, when all is over. */
export function start(
  svg: SVGSVGElement,
  board: Layout,
  shown: Shown[],
  move: MoveView,
): Motion | null {
  const drawn = (cell: number) => {
    const piece = shown.find((one) => one.cell === cell);
    return svg.querySelector(`[data-piece="${piece?.id}"]`);
  };
  const mover = drawn(move.path[0] as number);
  if (!mover?.animate) return null;
  const legs = move.path.slice(1).map((_, leg) => STEP * (leg + 1));
  const time = STEP * legs.length + 60;
  mover.parentElement?.append(mover); // above the others while it moves
  const running = [mover.animate(way(board, move), { duration: time, fill: "forwards" })];
  passedBy(board, move.path, move.captured).forEach((cells, leg) => {
    for (const cell of cells) {
      const delay = STEP * leg + STEP / 2;
      const timing = { duration: FADE, delay, fill: "both", easing: "ease-in" } as const;
      const gone = drawn(cell)?.animate(vanishing(board, cell), timing);
      if (gone) running.push(gone);
    }
  });
  const cancel = () => {
    for (const animation of running) animation.cancel();
  };
  return { legs, time, cancel };
}

/** Along the path; over what it captures, in a jump. */
function way(board: Layout, move: MoveView): Keyframe[] {
  const points = move.path.map((cell) => board.at(cell));
  return points.flatMap((p, i) => {
    const here = { transform: `translate(${p.x}px, ${p.y}px) scale(1)`, easing: "ease-in-out" };
    const q = points[i + 1];
    if (!q || move.captured.length === 0) return [here];
    const lift = `translate(${(p.x + q.x) / 2}px, ${(p.y + q.y) / 2 - 14}px) scale(1.14)`;
    return [here, { transform: lift, easing: "ease-in-out" }];
  });
}

function vanishing(board: Layout, cell: number): Keyframe[] {
  const p = board.at(cell);
  const at = `translate(${p.x}px, ${p.y}px)`;
  return [
    { opacity: 1, transform: `${at} scale(1)` },
    { opacity: 0, transform: `${at} scale(0.55)` },
  ];
}
