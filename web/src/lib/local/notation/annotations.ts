// What is said about a move, as the words of a comment: `[%eval white 0.350] [%cal G32>28]`; as
// boardzero.games.notation.annotations.

import type { ArrowData } from "../../types";
import type { Game } from "../game";
import { joined, oneLine, type TreeNode } from "./tree";

/** Marks of strength and their glyph numbers; a star marks a forced move. */
export const STRENGTHS: Record<string, number> = {
  "!": 1,
  "?": 2,
  "!!": 3,
  "??": 4,
  "!?": 5,
  "?!": 6,
  "*": 7,
};
export const COLORS = ["green", "red", "yellow", "blue"] as const;

const letter = (color: string) => color.slice(0, 1).toUpperCase();

/** The comment of a node with its evaluation and its arrows. */
export function commentText(node: TreeNode, game: Game): string {
  const parts = [oneLine(node.comment)];
  if (node.evaluation) {
    const { seat, value } = node.evaluation;
    parts.push(`[%eval ${game.seats[seat]} ${(value + 0).toFixed(3)}]`);
  }
  const label = (cell: number) => game.geometry.label(cell);
  const cells = node.arrows.filter(({ tail, head }) => tail === head);
  const lines = node.arrows.filter(({ tail, head }) => tail !== head);
  const marks = cells.map(({ tail, color }) => letter(color) + label(tail));
  const words = lines.map(
    ({ tail, head, color }) => `${letter(color)}${label(tail)}>${label(head)}`,
  );
  if (marks.length) parts.push(`[%csl ${marks.join(" ")}]`);
  if (words.length) parts.push(`[%cal ${words.join(" ")}]`);
  return parts.filter(Boolean).join(" ");
}

/** Add what a comment says to a node; what is no evaluation and no arrow stays text. */
export function readComment(node: TreeNode, game: Game, text: string) {
  const rest = oneLine(text)
    .replace(/\[%eval (\w+) (-?[01](?:\.\d+)?)\]/g, (whole, seat: string, number: string) => {
      const value = Number(number);
      if (!game.seats.includes(seat) || Math.abs(value) > 1) return whole;
      node.evaluation = { seat: game.seats.indexOf(seat), value };
      return "";
    })
    .replace(/\[%c[as]l ([^[\]]*)\]/g, (whole, list: string) => {
      const words = game.geometry.kind === "hexes" ? list : list.replaceAll(",", " ");
      const arrows = words
        .split(/\s+/)
        .filter(Boolean)
        .map((word) => arrow(word, game));
      if (arrows.includes(null)) return whole;
      for (const one of arrows) if (one && !hasArrow(node, one)) node.arrows.push(one);
      return "";
    });
  node.comment = joined(node.comment, rest);
}

const hasArrow = (node: TreeNode, { tail, head, color }: ArrowData) =>
  node.arrows.some((one) => one.tail === tail && one.head === head && one.color === color);

/** `G32>28` or `R19`; also `G32-28` and `G3228`, as other programs write them. */
function arrow(word: string, game: Game): ArrowData | null {
  const color = COLORS.find((one) => letter(one) === word.slice(0, 1));
  const rest = word.slice(1);
  let halves = rest.split(">");
  if (game.geometry.kind !== "hexes") {
    halves = rest.split(/[->]/);
    if (/^(?:\d{4}|(?:[a-z]\d){2})$/.test(rest)) {
      halves = [rest.slice(0, 2), rest.slice(2)].map((half) => half.replace(/^0+/, ""));
    }
  }
  const [tail, head] = [halves[0], halves.at(-1)].map((half) =>
    game.geometry.cells.get(half ?? ""),
  );
  if (!color || halves.length > 2 || tail === undefined || head === undefined) return null;
  return { tail, head, color };
}
