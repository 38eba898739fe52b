// Positions put together piece by piece, written as the FEN that the rules read.

import type { GameFacts } from "./catalog.js";
import type { Piece } from "./types.js";

export function compose(facts: GameFacts, pieces: readonly Piece[], mover: number): string {
  const { seats } = facts.traits;
  if (!facts.composer) {
    throw new Error(`positions of ${facts.name} cannot be put together, only played to`);
  }
  const standing = new Map(pieces.map((piece) => [piece.cell, piece]));
  for (const piece of pieces) {
    if (!facts.board.cells.some(({ cell }) => cell === piece.cell)) {
      throw new Error(`the board of ${facts.name} has no cell ${piece.cell}`);
    }
  }
  for (const seat of [mover, ...pieces.map((piece) => piece.owner)]) {
    if (!seats[seat]) throw new Error(`${facts.name} has no seat ${seat}`);
  }
  return facts.composer.kind === "DraughtsComposer"
    ? draughts(facts, standing, mover)
    : rows(facts, facts.composer, standing, mover);
}

type Standing = ReadonlyMap<number, Piece>;

/** `W:W31,K40:B1,2`. */
function draughts(facts: GameFacts, standing: Standing, mover: number): string {
  const { seats } = facts.traits;
  const initial = (color: string | undefined) => (color ?? "").charAt(0).toUpperCase();
  const side = (color: string) => {
    const squares = facts.board.cells.flatMap(({ cell, label }) => {
      const piece = standing.get(cell);
      if (!piece || seats[piece.owner] !== color) return [];
      return [(piece.kind === "king" ? "K" : "") + label];
    });
    return initial(color) + squares.join(",");
  };
  return `${initial(seats[mover])}:${side("white")}:${side("black")}`;
}

/** Rows from the top, letters for the seats' pieces, numbers for empty cells; then the mover. */
function rows(
  facts: GameFacts,
  composer: { letters: string; more: string },
  standing: Standing,
  mover: number,
): string {
  const lines = new Map<number, string>();
  for (const { cell, row } of facts.board.cells) {
    const piece = standing.get(cell);
    const mark = piece ? (composer.letters[piece.owner] ?? "") : " ";
    lines.set(row, (lines.get(row) ?? "") + mark);
  }
  const written = [...lines.values()].map((line) => line.replace(/ +/g, (gap) => `${gap.length}`));
  return `${written.join("/")} ${composer.letters[mover]}${composer.more}`;
}
