// A move that is planned while the opponent thinks: two clicks, and it is played when it is legal.

import type { MoveView } from "../lib/types";

export type Plan = { from: number; to: number | null }; // `to` is null until the second click

type Clicked = {
  own: boolean; // a piece of the person who plans stands there
  occupied: boolean;
  places: boolean; // in this game one puts stones on empty points
  leaves: boolean; // in this game pieces leave the board, by a second click
};

/** What is planned after a click on a cell. */
export function planned(plan: Plan | null, cell: number, clicked: Clicked): Plan | null {
  const { own, occupied, places, leaves } = clicked;
  if (places) return occupied || plan?.from === cell ? null : { from: cell, to: cell };
  if (plan?.to === null) {
    if (plan.from === cell) return leaves ? { from: cell, to: cell } : null;
    if (!own) return { from: plan.from, to: cell };
  }
  return own ? { from: cell, to: null } : null;
}

/** The one legal move that was planned, if there is just one. */
export function fitting({ from, to }: Plan, moves: MoveView[]): MoveView | null {
  const found = moves.filter(({ path }) => path[0] === from && path.at(-1) === to);
  return found.length === 1 ? (found[0] as MoveView) : null;
}
