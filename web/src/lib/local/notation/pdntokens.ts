// PDN as text: from lines to tokens to the tags and the moves of each game; as
// boardzero.games.notation.pdn_tokens. What cannot be understood becomes a token of the kind "error".

import { oneLine } from "./tree";

const SQUARE = "[a-j]\\d{1,2}|\\d{1,2}";
export const SQUARES = new RegExp(SQUARE, "gi");

// The order matters: "1-0" and "1." come before moves, "(!)" before variations. A star ends a game
// unless it sticks to a move, which it marks as forced. Spaces may surround "-", "x" and ":".
const PARTS = [
  "(?<space>\\s+)",
  '(?<tag>\\[\\s*(?<name>[A-Za-z]\\w*)\\s*"(?<value>(?:\\\\["\\\\]|\\\\(?!["\\\\])|[^"\\\\]|"(?!\\s*\\]))*)"\\s*\\])',
  "(?<brace>\\{)",
  "(?<rest>[;%].*)",
  "(?<strength>\\([!?]+\\)|[!?]+)",
  "(?<left>\\()",
  "(?<right>\\))",
  "(?<nag>\\$\\d{1,4})",
  "(?<result>(?:0\\s*-\\s*[012]|1\\s*-\\s*[01]|2\\s*-\\s*0|1/2\\s*-\\s*1/2|½\\s*-\\s*½)(?![\\w/])|\\*)",
  "(?<number>\\d+\\s*\\.+|\\.+)",
  `(?<move>(?:${SQUARE})(?:(?:\\s*[-x:]\\s*|\\*)(?:${SQUARE}))+|(?:[a-h][1-8]){2,}|\\d{4})(?!\\w)(?<forced>\\*)?`,
  '(?<setup>/\\s*FEN\\s*"(?<fen>[^"/]*)"\\s*/)',
  "(?<junk>\\[?[^\\s(){}]+|[\\s\\S])",
];
const PATTERN = new RegExp(PARTS.join("|"), "iy");
const KINDS = ["strength", "left", "right", "nag", "result"] as const;

/** Left opens a variation, right closes it; the text of an error says what is wrong. */
export type Token = {
  kind: (typeof KINDS)[number] | "tag" | "comment" | "setup" | "move" | "error";
  text: string;
  line: number;
  column: number;
  name: string; // of a tag
};
type Place = Pick<Token, "line" | "column">;

/** The tags of one game and its moves, not both empty. */
export type RawGame = {
  tags: Map<string, Token>;
  body: Token[]; // the main line
  tree: Token[]; // the same with all variations
};

/** The games of a text. A game ends at a result, or where the tags of the next begin. */
export function* splitGames(text: string): Generator<RawGame> {
  const fresh = (): RawGame => ({ tags: new Map(), body: [], tree: [] });
  const holds = (raw: RawGame, ...kinds: Token["kind"][]) =>
    raw.body.some(({ kind }) => kinds.includes(kind));
  let raw = fresh();
  for (const [token, inVariation] of withDepth(scan(text))) {
    if (token.kind === "tag") {
      if (holds(raw, "move", "setup", "nag", "strength") || raw.tags.has(token.name)) {
        yield raw;
        raw = fresh();
      }
      raw.tags.set(token.name, token);
      continue;
    }
    raw.tree.push(token);
    if (inVariation) continue;
    raw.body.push(token);
    if (token.kind === "result") {
      // A second mark of the end, as in "2-0 *", is no game.
      if (raw.tags.size || raw.body.length > 1) yield raw;
      raw = fresh();
    }
  }
  if (raw.tags.size || holds(raw, "move", "setup", "nag", "strength", "error")) yield raw;
}

/** The tokens of a text, without spaces and move numbers. */
function* scan(text: string): Generator<Token> {
  let comment: string[] = []; // the lines so far of one that is not closed
  let opened: Place = { line: 0, column: 0 };
  for (const [index, line] of text.split(/(?<=\n)/).entries()) {
    let at = index === 0 && line.startsWith("\ufeff") ? 1 : 0;
    while (at < line.length) {
      if (comment.length) {
        const end = line.indexOf("}", at);
        comment.push(line.slice(at, end < 0 ? undefined : end));
        at = end < 0 ? line.length : end + 1;
        if (end >= 0) {
          yield { kind: "comment", text: oneLine(comment.join("")), ...opened, name: "" };
          comment = [];
        }
        continue;
      }
      PATTERN.lastIndex = at;
      const found = PATTERN.exec(line) as RegExpExecArray; // junk is whatever nothing else matches
      const here = { line: index + 1, column: at + 1 };
      at = PATTERN.lastIndex;
      const groups = found.groups ?? {};
      if (groups.space || groups.number) continue;
      if (groups.junk) {
        yield error(`${quoted(found[0].slice(0, 30))} is not understood`, here);
      } else if (groups.brace) {
        [comment, opened] = [[""], here];
      } else {
        yield* tokens(found, here);
      }
    }
  }
  if (comment.length) yield error("a comment is not closed with '}'", opened);
}

/** What a match stands for: a token, a move and its strength, or nothing. */
function* tokens(found: RegExpExecArray, here: Place): Generator<Token> {
  const groups = found.groups ?? {};
  const { name = "", value = "", rest, setup, fen = "", move, forced } = groups;
  if (groups.tag) {
    const text = oneLine(value.replace(/\\(["\\])/g, "$1"));
    yield { kind: "tag", text, ...here, name: name.slice(0, 1).toUpperCase() + name.slice(1) };
  } else if (rest) {
    // What follows a % is for other programs.
    if (rest.startsWith(";")) {
      yield { kind: "comment", text: oneLine(rest.slice(1)), ...here, name: "" };
    }
  } else if (setup) {
    yield { kind: "setup", text: fen, ...here, name: "" };
  } else if (move) {
    yield { kind: "move", text: move, ...here, name: "" };
    if (forced) yield { kind: "strength", text: "*", ...here, name: "" };
  } else {
    const kind = KINDS.find((one) => groups[one] !== undefined) ?? "error";
    yield { kind, text: found[0].replace(/\s+/g, ""), ...here, name: "" };
  }
}

/** Each token and whether it belongs to a variation; parentheses may nest as deep as they like. */
function* withDepth(all: Iterable<Token>): Generator<[Token, boolean]> {
  let depth = 0;
  let opened: Place = { line: 0, column: 0 };
  const unclosed = () => error("a variation is not closed with ')'", opened);
  for (const token of all) {
    if (token.kind === "left") {
      if (depth === 0) opened = { line: token.line, column: token.column };
      depth += 1;
      yield [token, true];
    } else if (token.kind === "right") {
      if (depth === 0) yield [error("')' closes nothing", token), false];
      else {
        depth -= 1;
        yield [token, true];
      }
    } else if (depth && token.kind === "tag") {
      depth = 0; // no variation holds tags, so it was never closed
      yield [unclosed(), false];
      yield [token, false];
    } else yield [token, depth > 0];
  }
  if (depth) yield [unclosed(), false];
}

const error = (text: string, { line, column }: Place): Token => ({
  kind: "error",
  text,
  line,
  column,
  name: "",
});

/** As Python quotes a text. */
export function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return quote + (quote === "'" ? body.replaceAll("'", "\\'") : body) + quote;
}
