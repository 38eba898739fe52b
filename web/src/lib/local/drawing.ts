// A position as an SVG picture, put together from the parts that boardzero.games.drawing draws: the
// empty board, and each kind of piece.

import { Refused } from "../api/api";
import type { State } from "./game";

type Drawing = {
  board: string; // the empty board; {title} and {pieces} stand where they go
  centres: Record<string, [x: number, y: number]>; // by cell
};
export type Drawings = {
  boards: Record<string, Drawing>; // by the kind of board and its size
  pieces: Record<string, string>; // by the name of the seat and the kind of piece
};

export function drawing(state: State, { boards, pieces }: Drawings): string {
  const { geometry, rules, seats } = state.game;
  const name = `${geometry.kind} ${geometry.rows} ${rules.traits.numbered}`;
  const board = boards[name];
  if (!board) throw new Refused(`there is no picture of the board of ${state.game.spec}`);
  const standing = state.pieces.map(({ cell, owner, kind }) => {
    const [x, y] = board.centres[cell] ?? [0, 0];
    return `<g transform="translate(${x} ${y})">${pieces[`${seats[owner]} ${kind}`] ?? ""}</g>`;
  });
  return board.board
    .replace("{title}", `${rules.title}: ${news(state)}`)
    .replace("{pieces}", standing.join("\n"));
}

function news({ outcome, toMove, game }: State): string {
  if (!outcome) return `${game.seats[toMove]} to move`;
  if (outcome.winner === null) return `drawn, ${outcome.reason}`;
  return `${game.seats[outcome.winner]} wins, ${outcome.reason}`;
}
