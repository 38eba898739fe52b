// Games as plain text, for those that PDN is not for; as boardzero.games.notation.movetext. A move may
// hold spaces and parentheses: reading goes by what is legal.

import { Refused } from "../../api/api";
import type { Game } from "../game";
import { STRENGTHS } from "./annotations";
import { TreeBuilder } from "./builder";
import type { OnError, OpenGame } from "./files";
import { Places } from "./places";
import { Tree } from "./tree";
import { movesText, tagLines } from "./treetext";

const TAG = /\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]/y;
const TAG_LINE = /^\[(\w+) "((?:[^"\\]|\\.)*)"\]\s*$/gm;
const NUMBER = /(?:\s|\d+\.+)+/y;
const RESULT = /(\*|[\d/]+(?:-[\d/]+)+)(?=[\s)]|$)/y;
const SPACE = /\s*/y;
const WORD = /[^\s(){}]+|[\s\S]/y;
const COMMENT = /\{([^}]*)(\}?)|;(.*)/y;
const GLYPH = /\$(\d{1,4})|([!?]+)/y;
const OPEN = /\((?=\s*(?:\d+\.|[{;]|$))/my;
const ENDS = " \t\r\n\u00a0){}$!?;"; // what may stand behind a move

export function writeTree(tree: Tree): string {
  const tags = new Map([...tree.tags].filter(([name]) => name !== "FEN"));
  tags.set("Game", tree.game.spec);
  tags.set("Result", tree.result);
  if (!tree.beginsAsUsual) tags.set("FEN", tree.root.position.fen);
  return `${tagLines(tags)}\n${movesText(tree, tree.result, ({ text }) => text)}\n`;
}

/** The games of a text; the good part of a faulty one. */
export async function* readTrees(
  text: string,
  game: Game,
  open: OpenGame,
  onError: OnError,
): AsyncGenerator<Tree> {
  const reader = new Reader(text, game, open, onError);
  while (!reader.isDone) {
    const tree = await reader.game();
    if (tree) yield tree;
  }
}

/** The value of a tag, if the text has it. */
export function tagIn(text: string, name: string): string | null {
  for (const found of text.matchAll(TAG_LINE)) if (found[1] === name) return plain(found[2] ?? "");
  return null;
}

/** Reads game after game. Variations wait on a stack of its own, however deep they nest. */
class Reader {
  #at: number;
  #number = 0;
  #text: string;
  #places: Places;

  constructor(
    text: string,
    private readonly given: Game,
    private readonly open: OpenGame,
    private readonly onError: OnError,
  ) {
    this.#text = text.replace(/^\ufeff/, "");
    this.#places = new Places(this.#text);
    this.#at = this.#skip(SPACE, 0);
  }

  get isDone(): boolean {
    return this.#at >= this.#text.length;
  }

  /** The next game, or null where nothing of it can be read. */
  async game(): Promise<Tree | null> {
    this.#number += 1;
    const begin = this.#at;
    let tree: Tree;
    try {
      tree = await this.#treeOf(this.#tags());
    } catch (error) {
      this.#tell((error as Error).message, begin);
      TAG_LINE.lastIndex = this.#at; // to where tags begin again
      this.#at = TAG_LINE.exec(this.#text)?.index ?? this.#text.length;
      return null;
    }
    this.#moves(tree);
    return tree;
  }

  #tags(): Map<string, string> {
    const tags = new Map<string, string>();
    for (let found = this.#match(TAG); found; found = this.#match(TAG)) {
      tags.set(found[1] ?? "", plain(found[2] ?? ""));
      this.#at = this.#skip(SPACE, TAG.lastIndex);
    }
    return tags;
  }

  async #treeOf(tags: Map<string, string>): Promise<Tree> {
    const named = tags.get("Game");
    const game = named && named !== this.given.spec ? await this.open(named) : this.given;
    const start = game.start(tags.get("FEN"));
    const result = tags.get("Result") ?? "*";
    for (const name of ["Game", "FEN", "Result"]) tags.delete(name);
    return new Tree(game, { start, tags, result });
  }

  #moves(tree: Tree) {
    const builder = new TreeBuilder(tree);
    for (;;) {
      this.#at = this.#skip(NUMBER, this.#at);
      if (this.isDone || this.#match(TAG)) break;
      const result = this.#match(RESULT);
      if (result) {
        this.#at = RESULT.lastIndex;
        if (builder.inVariation) continue;
        if (tree.result === "*") tree.result = result[1] ?? "*";
        break;
      }
      if (!this.#note(builder) && !this.#move(builder)) this.#refuse(builder);
    }
    if (builder.inVariation) this.#tell("a variation is not closed with ')'", this.#at);
    this.#at = this.#skip(SPACE, this.#at);
  }

  /** What stands between moves. */
  #note(builder: TreeBuilder): boolean {
    const at = this.#at;
    const comment = this.#match(COMMENT);
    const glyph = this.#match(GLYPH);
    if (comment) {
      this.#at = COMMENT.lastIndex;
      builder.comment(comment[1] ?? comment[3] ?? "");
      if (comment[2] === "") this.#tell("a comment is not closed with '}'", at);
    } else if (glyph) {
      this.#at = GLYPH.lastIndex;
      builder.nag(glyph[1] ? Number(glyph[1]) : STRENGTHS[glyph[2] ?? ""]);
    } else if (this.#match(OPEN)) {
      this.#at += 1;
      if (!builder.open()) this.#tell("a variation needs a move before it", at);
    } else if (this.#text[at] === ")" && builder.inVariation) {
      this.#at += 1;
      builder.close();
    } else return false;
    return true;
  }

  /** The longest legal move that stands here. */
  #move(builder: TreeBuilder): boolean {
    let end = 0;
    let longest = null;
    for (const move of builder.position?.moves ?? []) {
      const at = this.#endOf(move.text);
      if (at !== null && at >= end) [end, longest] = [at, move];
    }
    if (!longest) return false;
    this.#at = end;
    builder.move(longest);
    return true;
  }

  #refuse(builder: TreeBuilder) {
    const at = this.#at;
    const word = this.#match(WORD)?.[0] ?? "";
    this.#at += word.length || 1;
    const { position } = builder;
    if (!position) return;
    builder.lose();
    let reason = `'${word}' is not understood here`;
    try {
      position.parse(word);
    } catch (error) {
      reason = (error as Error).message;
    }
    this.#tell(reason, at);
  }

  /** Where a move that is written here ends; spaces between its parts do not matter. */
  #endOf(move: string): number | null {
    let at = this.#at;
    for (const part of move.match(/\w+|[^\w\s]/g) ?? []) {
      at = this.#skip(SPACE, at);
      if (!this.#text.startsWith(part, at)) return null;
      at += part.length;
    }
    const next = this.#text[at];
    return next === undefined || ENDS.includes(next) ? at : null;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text);
  }

  #skip(pattern: RegExp, at: number): number {
    pattern.lastIndex = at;
    return pattern.test(this.#text) ? pattern.lastIndex : at;
  }

  #tell(reason: string, at: number) {
    this.onError(new Refused(`game ${this.#number}, ${this.#places.of(at)}: ${reason}`));
  }
}

const plain = (value: string) => value.replace(/\\(.)/g, "$1");
