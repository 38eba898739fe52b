// Smart Game Format (FF[4], GM[4]): games of gomoku and renju; as boardzero.games.notation.sgf.

import { Refused } from "../../api/api";
import type { ArrowData } from "../../types";
import type { Game, State } from "../game";
import { COLORS } from "./annotations";
import type { OnError, OpenGame } from "./files";
import { quoted } from "./pdntokens";
import { Places } from "./places";
import { joined, oneLine, Tree, type TreeNode } from "./tree";

// Our tags and SGF's properties of the whole game.
const TAGS: [string, string][] = [
  ["Event", "EV"],
  ["Site", "PC"],
  ["Date", "DT"],
  ["Round", "RO"],
  ["Black", "PB"],
  ["White", "PW"],
  ["Annotator", "AN"],
];
const GLYPHS: [number, string][] = [
  [1, "TE[1]"],
  [3, "TE[2]"],
  [2, "BM[1]"],
  [4, "BM[2]"],
  [5, "IT[]"],
  [6, "DO[]"],
];
const SHAPES: [string, ArrowData["color"]][] = [
  ["CR", "green"],
  ["TR", "red"],
  ["SQ", "yellow"],
  ["MA", "blue"],
];
const RULES = ["renju", "standard", "freestyle"];
const RESULTS: Record<string, string> = { "1-0": "B+", "0-1": "W+", "1/2-1/2": "0" };
const TOKEN =
  /(?<space>\s+)|(?<mark>[(;)])|(?<name>[A-Za-z]+)|(?<value>\[(?:\\[\s\S]|[^\]\\])*\])|(?<junk>[\s\S])/g;

type Properties = Map<string, string[]>;
type Item = { at: number; properties: Properties };
type Event = { kind: "game" | "open" | "node" | "close" | "end" | "error"; item: Item };

export const looksLikeSgf = (text: string) => /\(\s*;[\s;]*[A-Za-z]+\s*\[/.test(text);

/** The games of a text; the good part of a faulty one. `given` decides rules that are not named. */
export async function* readTrees(
  text: string,
  given: Game,
  open: OpenGame,
  onError: OnError,
): AsyncGenerator<Tree> {
  const places = new Places(text);
  let number = 0;
  const tell = (at: number, reason: string) =>
    onError(new Refused(`SGF game ${Math.max(number, 1)}, ${places.of(at)}: ${reason}`));
  let reader: Reader | null = null;
  for (const { kind, item } of parse(text)) {
    if (kind === "game") {
      number += 1;
      reader = new Reader(given, open, tell);
    } else if (kind === "error") {
      tell(item.at, [...item.properties.keys()].join(""));
    } else if (kind === "end") {
      if (reader?.tree) yield reader.tree;
      reader = null;
    } else await reader?.take(kind, item);
  }
}

/** What stands in the text, in its order. */
function* parse(text: string): Generator<Event> {
  const begin = text.search(/\(\s*;/);
  if (begin < 0) {
    yield fault(0, "there is no game in this text: SGF begins with '(;'");
    return;
  }
  let depth = 0;
  let item: Item = { at: 0, properties: new Map() };
  let values: string[] | null = null;
  for (const found of text.slice(begin).matchAll(TOKEN)) {
    const at = begin + found.index;
    const { mark, name, value, junk } = found.groups ?? {};
    if (value !== undefined) {
      if (values) values.push(value.slice(1, -1));
      else yield fault(at, "a value stands without a property");
    } else if (name && depth) {
      const key = name.replace(/[^A-Z]/g, "") || name.toUpperCase();
      values = item.properties.get(key) ?? [];
      item.properties.set(key, values);
    } else if (mark) {
      values = null;
      if (item.properties.size) yield { kind: "node", item };
      item = { at, properties: new Map() };
      if (mark === "(") {
        depth += 1;
        yield { kind: depth === 1 ? "game" : "open", item };
      } else if (mark === ")" && depth) {
        depth -= 1;
        yield { kind: depth ? "close" : "end", item };
      }
    } else if (junk && depth) {
      const open = junk === "[";
      yield fault(
        at,
        open ? "a value is not closed with ']'" : `${quoted(junk)} is not understood`,
      );
      if (open) break;
    }
  }
  if (item.properties.size) yield { kind: "node", item };
  if (depth) {
    yield fault(text.length, "a game is not closed with ')'");
    yield { kind: "end", item };
  }
}

const fault = (at: number, sentence: string): Event => ({
  kind: "error",
  item: { at, properties: new Map([[sentence, []]]) },
});

/** Puts the nodes of one game into a tree. */
class Reader {
  tree: Tree | null = null;
  #node: TreeNode | null = null; // null where a line has ended before its time
  #opened: (TreeNode | null)[] = [];

  constructor(
    private readonly given: Game,
    private readonly open: OpenGame,
    private readonly trouble: (at: number, reason: string) => void,
  ) {}

  async take(kind: Event["kind"], item: Item) {
    if (kind === "open") this.#opened.push(this.#node);
    else if (kind === "close") this.#node = this.#opened.pop() ?? null;
    else {
      try {
        await this.#add(item.properties);
      } catch (error) {
        this.#node = null;
        this.trouble(item.at, (error as Error).message);
      }
    }
  }

  async #add(properties: Properties) {
    if (!this.tree) {
      this.tree = await treeOf(properties, this.given, this.open);
      this.#node = this.tree.root;
    }
    if (!this.#node) return;
    if (["AB", "AW", "AE"].some((name) => properties.has(name)) && this.#node.parent) {
      throw new Refused("stones can be set up only before the first move");
    }
    for (const [seat, name] of ["B", "W"].entries()) {
      if (properties.has(name)) this.#play(this.#node, seat, first(properties, name));
    }
    annotate(this.#node, properties, this.tree.game);
  }

  #play(node: TreeNode, seat: number, point: string) {
    const { position } = node;
    const { game } = position;
    if (position.outcome) throw new Refused("the game is over before this move");
    if (position.toMove !== seat) {
      throw new Refused(`${game.seats[seat]} moves, and it is the other's turn`);
    }
    this.#node = node.add(game.geometry.label(cellOf(point, game)));
  }
}

async function treeOf(properties: Properties, given: Game, open: OpenGame): Promise<Tree> {
  const kind = first(properties, "GM", "4");
  // Some programs leave Go's number on a board of gomoku.
  if (kind !== "4" && kind !== "1") throw new Refused(`GM[${kind}] is not gomoku, which is GM[4]`);
  const game = await gameOf(properties, given, open);
  const tags = new Map<string, string>();
  for (const [tag, name] of TAGS) if (properties.has(name)) tags.set(tag, first(properties, name));
  const mark = first(properties, "RE").trim().slice(0, 1).toUpperCase();
  const result = { B: "1-0", W: "0-1", "0": "1/2-1/2", D: "1/2-1/2" }[mark] ?? "*";
  return new Tree(game, { start: startOf(properties, game), tags, result });
}

async function gameOf(properties: Properties, given: Game, open: OpenGame): Promise<Game> {
  const size = first(properties, "SZ", "15").split(":")[0] ?? "";
  if (!/^\d+$/.test(size)) throw new Refused(`SZ[${size}] is not the size of a board`);
  const rule = first(properties, "RU");
  if (rule.split(":")[0] === "gomoku") return open(rule);
  const named = RULES.find((name) => rule.toLowerCase().includes(name));
  const fits = given.traits.sgf && given.geometry.rows === Number(size);
  if (fits && (!named || given.spec.includes(`rule=${named}`))) return given;
  return open(`gomoku:size=${size}${named ? `,rule=${named}` : ""}`);
}

function startOf(properties: Properties, game: Game): State {
  const stones = ["AB", "AW"].flatMap((name, seat) =>
    (properties.get(name) ?? []).flatMap((text) =>
      cellsOf(text, game).map((cell) => [cell, seat] as const),
    ),
  );
  const mover = "BW".indexOf(first(properties, "PL").slice(0, 1).toUpperCase() || "-");
  if (!stones.length && mover !== 1) return game.start();
  const black = stones.filter(([, seat]) => seat === 0).length;
  const toMove = mover < 0 ? Number(2 * black > stones.length) : mover;
  return game.start(fenOf(new Map(stones), toMove, game.geometry.rows));
}

/** Rows from the top, letters for stones, numbers for empty points; then the mover. */
function fenOf(stones: Map<number, number>, toMove: number, size: number): string {
  const rows = Array.from({ length: size }, (_, row) => {
    const marks = Array.from({ length: size }, (_, column) => {
      const seat = stones.get(row * size + column);
      return seat === undefined ? "." : "xo"[seat];
    });
    return marks.join("").replace(/\.+/g, (gap) => String(gap.length));
  });
  return `${rows.join("/")} ${"xo"[toMove]}`;
}

function annotate(node: TreeNode, properties: Properties, game: Game) {
  node.comment = joined(node.comment, (properties.get("C") ?? []).map(unescaped).join(" "));
  for (const [glyph, written] of GLYPHS) {
    const [name, value] = [written.slice(0, 2), written.slice(3, -1)];
    const given = first(properties, name, "1");
    if (properties.has(name) && (!value || given === value || given === "")) node.nags.push(glyph);
  }
  for (const nag of properties.get("NAG") ?? []) if (/^\d+$/.test(nag)) node.nags.push(Number(nag));
  const value = first(properties, "V");
  if (/^-?[01](\.\d+)?$/.test(value) && Math.abs(Number(value)) <= 1) {
    node.evaluation = { seat: 0, value: Number(value) };
  } else if (value) node.comment = joined(node.comment, `V[${value}]`);
  for (const [name, color] of SHAPES) {
    for (const text of properties.get(name) ?? []) {
      node.arrows.push(...cellsOf(text, game).map((cell) => ({ tail: cell, head: cell, color })));
    }
  }
  const colored = properties.get("AC") ?? [];
  for (const text of properties.get("AR") ?? []) {
    const ends = text.split(":");
    const color = COLORS.find((one) => colored.includes(`${text}:${one}`)) ?? "green";
    if (ends.length !== 2) continue;
    const [tail = 0, head = 0] = ends.map((end) => cellOf(end, game));
    node.arrows.push({ tail, head, color });
  }
}

const first = (properties: Properties, name: string, otherwise = ""): string =>
  oneLine(unescaped(properties.get(name)?.[0] ?? otherwise));

/** `hh`: column and row from the top left, as letters. */
function cellOf(point: string, game: Game): number {
  const size = game.geometry.rows;
  const numbers = [...point.trim().toLowerCase()].map((letter) => letter.charCodeAt(0) - 97);
  const [column = -1, row = -1] = numbers;
  if (numbers.length !== 2 || !numbers.every((number) => number >= 0 && number < size)) {
    throw new Refused(`'${point.slice(0, 20)}' is not a point of a board of ${size}`);
  }
  return row * size + column;
}

/** A point or, as `aa:cc`, all points of a rectangle. */
function cellsOf(text: string, game: Game): number[] {
  const colon = text.indexOf(":");
  if (colon < 0) return [cellOf(text, game)];
  const size = game.geometry.rows;
  const [from, to] = [cellOf(text.slice(0, colon), game), cellOf(text.slice(colon + 1), game)];
  const found: number[] = [];
  for (let row = Math.floor(from / size); row <= Math.floor(to / size); row++) {
    for (let column = from % size; column <= to % size; column++) found.push(row * size + column);
  }
  return found;
}

export function writeTree(tree: Tree): string {
  const text = [`(;${rootText(tree)}`];
  for (const node of inOrder(tree.root)) {
    const forks = (node?.parent?.variations.length ?? 0) > 1;
    text.push(node ? `\n${forks ? "(" : ""};${properties(node, tree.game)}` : ")");
  }
  return `${text.join("")})\n`;
}

/** Each node before what follows it; null where a line in parentheses ends. */
function* inOrder(root: TreeNode): Generator<TreeNode | null> {
  const waiting: (TreeNode | null)[] = [root];
  while (waiting.length) {
    const node = waiting.pop() ?? null;
    if (node !== root) yield node;
    const children = node?.variations ?? [];
    for (const child of [...children].reverse()) {
      if (children.length > 1) waiting.push(null);
      waiting.push(child);
    }
  }
}

function rootText(tree: Tree): string {
  const { game, tags, root } = tree;
  const options = new URLSearchParams((game.spec.split(":")[1] ?? "").replaceAll(",", "&"));
  const rule = options.has("line") ? game.spec : (options.get("rule") ?? "freestyle");
  let text = `FF[4]GM[4]CA[UTF-8]AP[BoardZero]SZ[${game.geometry.rows}]RU[${escaped(rule)}]`;
  for (const [tag, name] of TAGS) {
    const value = tags.get(tag);
    if (value) text += `${name}[${escaped(value)}]`;
  }
  if (tree.result in RESULTS) text += `RE[${RESULTS[tree.result]}]`;
  if (!tree.beginsAsUsual) {
    for (const [seat, name] of ["AB", "AW"].entries()) {
      const own = root.position.pieces.filter(({ owner }) => owner === seat);
      text += listed(
        name,
        own.map(({ cell }) => pointOf(cell, game)),
      );
    }
    text += `PL[${"BW"[root.position.toMove]}]`;
  }
  return text + notes(root, game);
}

function properties(node: TreeNode, game: Game): string {
  const color = "BW"[node.parent?.position.toMove ?? 0];
  return `${color}[${pointOf(node.move?.path[0] ?? 0, game)}]${notes(node, game)}`;
}

function notes(node: TreeNode, game: Game): string {
  const comment = joined(node.startingComment, node.comment);
  let text = comment ? `C[${escaped(comment)}]` : "";
  const marks = new Map<string, number>(); // a property stands once in a node
  for (const [nag, written] of GLYPHS) {
    const name = written.slice(0, 2);
    if (!node.nags.includes(nag) || marks.has(name)) continue;
    marks.set(name, nag);
    text += written;
  }
  const told = [...marks.values()];
  text += listed("NAG", node.nags.filter((nag) => !told.includes(nag)).map(String));
  if (node.evaluation) {
    const { seat, value } = node.evaluation;
    text += `V[${((seat === 0 ? value : -value) + 0).toFixed(3)}]`;
  }
  for (const [name, color] of SHAPES) {
    const cells = node.arrows.filter((a) => a.tail === a.head && a.color === color);
    text += listed(
      name,
      cells.map(({ tail }) => pointOf(tail, game)),
    );
  }
  const lines = node.arrows
    .filter(({ tail, head }) => tail !== head)
    .map((a) => ({ ends: `${pointOf(a.tail, game)}:${pointOf(a.head, game)}`, color: a.color }));
  text += listed(
    "AR",
    lines.map(({ ends }) => ends),
  );
  const colored = lines.filter(({ color }) => color !== "green");
  return (
    text +
    listed(
      "AC",
      colored.map(({ ends, color }) => `${ends}:${color}`),
    )
  );
}

const listed = (name: string, values: string[]) =>
  values.length ? name + values.map((value) => `[${value}]`).join("") : "";

const pointOf = (cell: number, { geometry }: Game) =>
  String.fromCharCode(97 + (cell % geometry.rows), 97 + Math.floor(cell / geometry.rows));

const escaped = (text: string) => oneLine(text).replace(/[\\\]:]/g, "\\$&");
const unescaped = (text: string) => text.replace(/\\\n/g, "").replace(/\\([\s\S])/g, "$1");
