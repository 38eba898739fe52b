// How clicks become a move. A person may click every square of a capture or only the last one; a
// move is played as soon as only one is meant.

import type { MoveView } from "../lib/types";

export type Selection = {
  trail: number[]; // cells clicked so far, the piece first
  pool: MoveView[]; // moves that are still meant
};
export type Click = { selection: Selection | null; move: MoveView | null };

const NOTHING: Click = { selection: null, move: null };

/** A click on a cell, `occupied` if a piece stands there. */
export function click(
  moves: MoveView[],
  selection: Selection | null,
  cell: number,
  occupied: boolean,
): Click {
  if (selection) {
    const further = onward(selection, cell);
    if (further) return further;
    if (selection.trail[0] === cell) return NOTHING;
  }
  const pool = moves.filter((move) => move.path[0] === cell);
  if (pool.length === 0) return NOTHING;
  const placed = pool.find((move) => move.path.length === 1);
  if (placed && !occupied) return { selection: null, move: placed };
  return { selection: { trail: [cell], pool }, move: null };
}

/** Cells that a click can go on to: the next step of each move, and where each ends. */
export function targets({ trail, pool }: Selection): { ends: Set<number>; steps: Set<number> } {
  const ends = new Set<number>();
  const steps = new Set<number>();
  for (const { path } of pool) {
    const last = path.at(-1) as number;
    if (path.length > 1 || trail.length === 1) ends.add(last);
    const next = path[trail.length];
    if (startsWith(path, trail) && next !== undefined && next !== last) steps.add(next);
  }
  return { ends, steps };
}

function onward({ trail, pool }: Selection, cell: number): Click | null {
  const clicked = [...trail, cell];
  const again = pool.find((move) => move.path.length === 1 && move.path[0] === cell);
  if (again && trail.length === 1 && trail[0] === cell) return { selection: null, move: again };

  const exact = pool.filter((move) => startsWith(move.path, clicked));
  const ending = pool.filter((move) => move.path.length > 1 && move.path.at(-1) === cell);
  const whole = exact.find((move) => move.path.length === clicked.length);
  if (whole && exact.length === 1) return { selection: null, move: whole };
  if (exact.length === 0 && ending.length === 1) {
    return { selection: null, move: ending[0] as MoveView };
  }
  if (exact.length > 0) {
    // On the way of one move and the end of just another: the first click steps, a second one ends.
    if (ending.length === 1 && trail.at(-1) === cell) {
      return { selection: null, move: ending[0] as MoveView };
    }
    const pool = [...exact, ...ending.filter((move) => !exact.includes(move))];
    return { selection: { trail: clicked, pool }, move: null };
  }
  const passing = pool.filter((move) => isWithin(clicked, move.path));
  const left = ending.length > 0 ? ending : passing;
  if (left.length === 0 || trail.at(-1) === cell) return null;
  if (left.length === 1 && ending.length === 1)
    return { selection: null, move: left[0] as MoveView };
  return { selection: { trail, pool: left }, move: null };
}

function startsWith(path: number[], trail: number[]): boolean {
  return trail.every((cell, i) => path[i] === cell);
}

function isWithin(trail: number[], path: number[]): boolean {
  let i = 0;
  for (const cell of path) if (cell === trail[i]) i++;
  return i === trail.length;
}
