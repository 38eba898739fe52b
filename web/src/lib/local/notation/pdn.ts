// Portable Draughts Notation; as boardzero.games.notation.pdn, which says what files hold in practice.

import { Refused } from "../../api/api";
import type { Move } from "../core";
import type { Game, State } from "../game";
import { STRENGTHS } from "./annotations";
import { TreeBuilder } from "./builder";
import type { OnError } from "./files";
import { quoted, type RawGame, SQUARES, splitGames, type Token } from "./pdntokens";
import { Tree } from "./tree";
import { movesText, tagLines } from "./treetext";

// What the tags of a tournament game say when nobody knows.
const ROSTER: [string, string][] = [
  ["Event", "?"],
  ["Site", "?"],
  ["Date", "????.??.??"],
  ["Round", "?"],
  ["White", "?"],
  ["Black", "?"],
];
type End = "win" | "draw" | "loss" | "both"; // of who began; lost by both
const ENDS: Record<string, End> = {
  "1-0": "win",
  "2-0": "win",
  "1/2-1/2": "draw",
  "½-½": "draw",
  "1-1": "draw",
  "0-1": "loss",
  "0-2": "loss",
  "0-0": "both",
};

export function writeTree(tree: Tree): string {
  const { capture } = typeOf(tree.game);
  const result = styled(tree.game, tree.result, "*");
  const spelled = (move: Move) => inNotation(tree.game, move.text).replaceAll("x", capture);
  const text = movesText(tree, result in ENDS ? result : "*", spelled);
  return `${tagLines(tagsOf(tree, result))}\n${text}\n\n`;
}

/** The games of a text; the good part of a faulty one. `kinds` are all games that PDN is for. */
export function* readTrees(
  text: string,
  given: Game | null,
  kinds: Game[],
  onError: OnError,
): Generator<Tree> {
  let number = 0;
  let before: Game | null = null;
  for (const raw of splitGames(text)) {
    number += 1;
    const tell = (trouble: PlaceError) => onError(trouble.named(number));
    let tree: Tree | null = null;
    try {
      tree = readTree(raw, given, before, kinds, tell);
    } catch (error) {
      if (!(error instanceof PlaceError)) throw error;
      tell(error);
    }
    before = tree?.game ?? null;
    if (tree) yield tree;
  }
}

/** What is wrong, and with which token. */
class PlaceError extends Error {
  constructor(
    readonly token: Token,
    reason: unknown,
  ) {
    super(reason instanceof Error ? reason.message : String(reason));
  }
  named(number: number): Refused {
    const { line, column } = this.token;
    return new Refused(`PDN game ${number}, line ${line}, column ${column}: ${this.message}`);
  }
}

function readTree(
  raw: RawGame,
  given: Game | null,
  before: Game | null,
  kinds: Game[],
  onTrouble: (trouble: PlaceError) => void,
): Tree {
  let game: Game;
  try {
    game = gameOf(raw, given, kinds);
  } catch (error) {
    if (!before || raw.tags.has("GameType")) throw error;
    game = before; // only the first game of some files says which it is
  }
  const tags = new Map<string, string>();
  for (const [name, { text }] of raw.tags) if (name !== "FEN") tags.set(name, text);
  const tree = new Tree(game, { start: startOf(raw, game), tags });
  const builder = new TreeBuilder(tree);
  let end = "*";
  for (const token of raw.tree) {
    if (token.kind === "result" && !builder.inVariation) end = token.text;
    try {
      build(builder, token);
    } catch (error) {
      if (!(error instanceof PlaceError)) throw error;
      onTrouble(error);
    }
  }
  tree.result = styled(game, tags.get("Result") ?? "*", end);
  return tree;
}

function build(builder: TreeBuilder, token: Token) {
  const { kind, text } = token;
  if (kind === "move") {
    const { position } = builder;
    if (!position) return;
    try {
      builder.move(parse(position, token));
    } catch (error) {
      builder.lose();
      throw error;
    }
  } else if (kind === "comment") builder.comment(text);
  else if (kind === "nag") builder.nag(Number(text.slice(1)));
  else if (kind === "strength") builder.nag(STRENGTHS[text.replace(/[()]/g, "")]);
  else if (kind === "left") {
    if (!builder.open()) throw new PlaceError(token, "a variation needs a move before it");
  } else if (kind === "right") builder.close();
  else if (kind === "setup" && builder.hasMoves) {
    throw new PlaceError(token, "a position can be set up only before the first move");
  } else if (kind === "error") throw new PlaceError(token, text);
}

function gameOf(raw: RawGame, given: Game | null, kinds: Game[]): Game {
  const token = raw.tags.get("GameType");
  if (!token) return given ?? deduced(raw, kinds);
  const number = (token.text.split(",")[0] ?? "").trim();
  if (given && numberOf(given) === number) return given;
  const kind = kinds.find((game) => numberOf(game) === number);
  if (!kind) {
    const known = kinds.map((game) => `${numberOf(game)} ${game.name}`).join(", ");
    const sentence = `GameType ${quoted(token.text)} is none of those known here: ${known}`;
    throw new PlaceError(token, sentence);
  }
  if (given) {
    throw new PlaceError(token, `GameType ${number} is ${kind.name}, not ${given.name}`);
  }
  return kind;
}

/** The only game in which the first move is legal. */
function deduced(raw: RawGame, kinds: Game[]): Game {
  const first = raw.body.find(({ kind }) => kind === "move");
  const fitting = kinds.filter((game) => {
    if (typeOf(game).tag_only) return false;
    try {
      const start = startOf(raw, game);
      if (first) parse(start, first);
      return true;
    } catch {
      return false;
    }
  });
  if (fitting.length === 1 && fitting[0]) return fitting[0];
  const names = fitting.map(({ name }) => name).join(" or ") || "none that is known here";
  const place = first ?? [...raw.tags.values(), ...raw.body][0];
  throw new PlaceError(
    place as Token,
    `there is no GameType tag, and the game could be ${names}; name it`,
  );
}

function startOf(raw: RawGame, game: Game): State {
  let setup = raw.body.find(({ kind }) => kind === "setup" || kind === "move");
  if (setup?.kind !== "setup") setup = raw.tags.get("FEN");
  if (!setup || ["", "?", "-"].includes(setup.text.trim())) return game.start();
  try {
    return game.start(setup.text);
  } catch (error) {
    throw new PlaceError(setup, error);
  }
}

/** The move that the squares mean, whatever separates them: whether it captures, the position says. */
function parse(state: State, token: Token): Move {
  const squares = token.text.match(SQUARES) ?? [];
  const separators = /[x:*]/i.test(token.text) ? ["x", "-"] : ["-", "x"];
  try {
    return state.parse(squares.join(separators[0]));
  } catch (error) {
    try {
      return state.parse(squares.join(separators[1]));
    } catch {
      throw new PlaceError(token, error);
    }
  }
}

/** The result in the style of the game; the tag counts first, because many files end in "*". */
function styled(game: Game, tag: string, end: string): string {
  const { win } = typeOf(game);
  const half = win === 1 ? "1/2" : String(Math.floor(win / 2));
  const styles = { win: `${win}-0`, draw: `${half}-${half}`, loss: `0-${win}`, both: "0-0" };
  for (const text of [tag.replace(/\s+/g, ""), end]) {
    const known = ENDS[text];
    if (known) return styles[known];
  }
  return tag === "" || tag === "?" ? "*" : tag;
}

function typeOf(game: Game) {
  const { pdn } = game.traits;
  if (!pdn) throw new Refused(`PDN is not for ${game.name}`);
  return pdn;
}

const numberOf = (game: Game) => typeOf(game).tag.split(",")[0] ?? "";

function tagsOf(tree: Tree, result: string): Map<string, string> {
  const type = typeOf(tree.game).tag;
  const tags = new Map([...ROSTER, ["Result", ""], ["GameType", ""], ...tree.tags]);
  tags.set("Result", result);
  tags.set("GameType", type);
  tags.delete("SetUp");
  tags.delete("FEN");
  if (!tree.beginsAsUsual) {
    tags.set("SetUp", "1");
    tags.set("FEN", inNotation(tree.game, tree.root.position.fen));
  }
  for (const name of tags.keys()) {
    if (!/^[A-Z][A-Za-z0-9_]*$/.test(name)) {
      throw new Refused(`${quoted(name)} cannot be a PDN tag: it must be a capitalised word`);
    }
  }
  return tags;
}

/** The squares of a move or a FEN in the way that the GameType promises. */
function inNotation(game: Game, text: string): string {
  const algebraic = typeOf(game).tag.includes(",A");
  const board = game.geometry;
  return text.replace(/[a-h]\d|\d+/g, (label) => {
    const cell = board.cells.get(label) ?? -1;
    const [row, column] = board.place(cell);
    return algebraic ? `${String.fromCharCode(97 + column)}${board.rows - row}` : String(cell + 1);
  });
}
