// Trees as text in the style of PDN: tags, numbered moves, comments, glyphs, variations; as
// boardzero.games.notation.tree_text.

import type { Move } from "../core";
import { commentText } from "./annotations";
import { oneLine, type Tree, type TreeNode } from "./tree";

const WIDTH = 79;
const GLUE = "\u00a0"; // where a line must not break

export const tagLines = (tags: Iterable<[string, string]>): string =>
  [...tags].map(([name, value]) => `[${name} "${escaped(value)}"]\n`).join("");

/** The moves of all variations with what is said about them, and the result. */
export function movesText(tree: Tree, result: string, spelled: (move: Move) => string): string {
  const lines: string[] = [];
  let words: string[] = [];
  for (const word of [...wordsOf(tree, spelled), result]) {
    if (word === ")" && words.length) words[words.length - 1] += word;
    else words.push(word);
    if (word.startsWith(";")) {
      // It ends only with its line.
      if (words.length > 1) lines.push(filled(words.slice(0, -1)));
      lines.push(word);
      words = [];
    }
  }
  if (words.length) lines.push(filled(words));
  return lines.join("\n");
}

function filled(words: string[]): string {
  const lines: string[] = [];
  let line = "";
  for (const word of words.join(" ").split(" ")) {
    if (line && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line].join("\n").replaceAll(GLUE, " ");
}

type Event = { kind: "move" | "open" | "close"; node: TreeNode };

/** A tree in the order in which it is written: a move, its alternatives, what follows it. */
function* events(root: TreeNode): Generator<Event> {
  const waiting: { kind: Event["kind"] | "rest"; node: TreeNode }[] = [
    { kind: "rest", node: root },
  ];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { kind, node } = next;
    if (kind !== "rest") {
      yield { kind, node };
      continue;
    }
    const [main, ...others] = node.variations;
    if (!main) continue;
    yield { kind: "move", node: main };
    waiting.push({ kind: "rest", node: main });
    for (const other of others.reverse()) {
      for (const kind of ["close", "rest", "move", "open"] as const) {
        waiting.push({ kind, node: other });
      }
    }
  }
}

function* wordsOf(tree: Tree, spelled: (move: Move) => string): Generator<string> {
  const { players } = tree.game;
  const first = tree.root.position.toMove;
  yield* notes(tree.root, tree);
  let numbered = false; // afresh behind each comment, for whoever reads only from there
  let opening = "";
  for (const { kind, node } of events(tree.root)) {
    if (kind === "open") {
      [opening, numbered] = ["(", false];
    } else if (kind === "close") {
      numbered = false;
      yield ")";
    } else if (node.move) {
      const starting = comment(node.startingComment);
      if (starting) {
        yield starting.startsWith("{") ? opening + starting : opening;
        if (starting.startsWith(";")) yield starting;
        [opening, numbered] = ["", false];
      }
      const turn = node.ply - 1 + first;
      const begins = turn % players === 0;
      const number =
        begins || !numbered ? `${Math.floor(turn / players) + 1}${begins ? "." : "..."} ` : "";
      yield opening + number + spelled(node.move).replaceAll(" ", GLUE);
      opening = "";
      const said = [...notes(node, tree)];
      yield* said;
      numbered = !said.length;
    }
  }
}

function* notes(node: TreeNode, tree: Tree): Generator<string> {
  for (const glyph of node.nags) yield `$${glyph}`;
  const text = comment(commentText(node, tree.game));
  if (text) yield text;
}

/** In braces or, if it holds one, behind a semicolon until the end of its line. */
function comment(text: string): string {
  const line = oneLine(text);
  if (!line) return "";
  return line.includes("}") ? `; ${line}` : `{${line}}`;
}

const escaped = (value: string) => oneLine(value).replaceAll("\\", "\\\\").replaceAll('"', '\\"');
