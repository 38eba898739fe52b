// Games in files of any format: PDN for draughts, SGF for gomoku, plain text for the rest; as
// boardzero.games.notation.files.

import { Refused } from "../../api/api";
import type { ReadTrees, WrittenTree } from "../../types";
import type { Game } from "../game";
import * as movetext from "./movetext";
import * as pdn from "./pdn";
import * as sgf from "./sgf";
import type { Tree } from "./tree";

export type OnError = (error: Refused) => void;
export type OpenGame = (spec: string) => Promise<Game>;

const MOST_GAMES = 200; // read from one text
const MOST_PROBLEMS = 20; // told of one text

/** The games of a PDN, SGF or plain text; of a faulty one the good part. */
export async function readFile(
  text: string,
  game: Game,
  kinds: Game[], // all games, for a text that names another
  open: OpenGame,
): Promise<ReadTrees> {
  const problems: string[] = [];
  const trees: Tree[] = [];
  for await (const tree of treesOf(text, game, kinds, open, ({ message }) => {
    problems.push(message);
  })) {
    trees.push(tree);
    if (trees.length === MOST_GAMES) {
      problems.push(`only the first ${MOST_GAMES} games were read`);
      break;
    }
  }
  if (problems[0] && !trees.some(({ root }) => root.variations.length)) {
    throw new Refused(problems[0]);
  }
  if (!trees.length) throw new Refused("there is no game in this text");
  return { trees: trees.map((tree) => tree.data()), problems: problems.slice(0, MOST_PROBLEMS) };
}

/** A tree in the format that others read. */
export function writeFile(tree: Tree): WrittenTree {
  const { traits } = tree.game;
  if (traits.pdn) return { text: pdn.writeTree(tree), extension: "pdn" };
  if (traits.sgf) return { text: sgf.writeTree(tree), extension: "sgf" };
  return { text: movetext.writeTree(tree), extension: "txt" };
}

async function* treesOf(
  text: string,
  given: Game,
  kinds: Game[],
  open: OpenGame,
  onError: OnError,
): AsyncGenerator<Tree> {
  if (sgf.looksLikeSgf(text)) {
    yield* sgf.readTrees(text, given, open, onError);
    return;
  }
  const own = await ownGame(text, open);
  const rules = own ?? given;
  if (rules.traits.pdn) {
    // A GameType in the file counts more than a game that is only a guess.
    const guess = text.includes("[GameType") && !own ? null : rules;
    const draughts = kinds.filter(({ traits }) => traits.pdn);
    yield* pdn.readTrees(text, guess, draughts, onError);
  } else yield* movetext.readTrees(text, rules, open, onError);
}

/** The game that the text names as this program does; other programs may mean something else. */
async function ownGame(text: string, open: OpenGame): Promise<Game | null> {
  const spec = movetext.tagIn(text, "Game");
  return spec ? open(spec).catch(() => null) : null;
}
