// What goes wrong in draughts: men lost to shots and exchanges, breakthroughs, the opposition; as
// boardzero.study.draughts.

import type { Move } from "../core";
import type { State } from "../game";
import { playedOut, texts, untilQuiet, written } from "./lines";
import { type Mistake, named } from "./reasons";
import type { Reason } from "./words";

const FEW = 4; // pieces of a side with which the opposition is what counts

export const reason = (mistake: Mistake): Reason | null =>
  endingLost(mistake) ??
  menLost(mistake) ??
  menMissed(mistake) ??
  knownEnding(mistake) ??
  breakthrough(mistake) ??
  opposition(mistake);

function menLost(mistake: Mistake): Reason | null {
  const { state, after } = mistake;
  const other = after.toMove;
  const line = untilLost(after, untilQuiet(after, mistake.reply), other);
  const answer = captures(after, line, other);
  const best = captures(state, untilQuiet(state, mistake.bestLine), state.toMove);
  const lost = answer.own - answer.others - mistake.played.captured.length;
  if (lost < 1 || best.own - best.others <= -lost) return null;
  const words = written(texts(line));
  if (answer.others === 0) return named(mistake, "takes", { lost: answer.own, line: words });
  const kind = answer.givesFirst ? "shot" : "outnumbered";
  return named(mistake, kind, { given: answer.others, taken: answer.own, line: words });
}

/** A line up to where what it takes is taken: exchanges later in it explain nothing. */
function untilLost(state: State, line: Move[], taker: number): Move[] {
  const net = (moves: Move[]) => {
    const { own, others } = captures(state, moves, taker);
    return own - others;
  };
  const least = Math.min(net(line), 1);
  for (let end = 1; end < line.length; end++) {
    const rest = line.slice(0, end);
    const quiet = !line[end]?.captured.length;
    if (line[end - 1]?.captured.length && quiet && net(rest) >= least) return rest;
  }
  return line;
}

function menMissed(mistake: Mistake): Reason | null {
  const { state, after } = mistake;
  const line = untilQuiet(state, mistake.bestLine);
  const best = captures(state, line, state.toMove);
  const reply = captures(after, untilQuiet(after, mistake.reply), after.toMove);
  const won = best.own - best.others;
  const got = mistake.played.captured.length - (reply.own - reply.others);
  if (won < 1 || got >= won) return null;
  const kind = best.givesFirst ? "missed_shot" : "missed_men";
  return named(mistake, kind, { won, line: written(texts(line)) });
}

function breakthrough(mistake: Mistake): Reason | null {
  const { state, after } = mistake;
  const [seat, other] = [state.toMove, after.toMove];
  const answer = playedOut(after, mistake.reply);
  const best = playedOut(state, mistake.bestLine);
  let crowned = untilKing(after, answer, other);
  if (crowned.length) {
    if (untilKing(state, best, other).length) return null;
    return named(mistake, "breakthrough", { line: written(texts(crowned)) });
  }
  crowned = untilKing(state, best, seat);
  if (!crowned.length || untilKing(after, answer, seat).length) return null;
  return named(mistake, "missed_breakthrough", { line: written(texts(crowned)) });
}

/**
 * Of two lines that keep as many pieces, one keeps the opposition and one gives it away. Only
 * exchanges change who has it: every other move leaves it where it is.
 */
function opposition(mistake: Mistake): Reason | null {
  const { state, after } = mistake;
  const exchanges = untilQuiet(state, mistake.bestLine);
  const kept = endOf(
    state,
    exchanges.length ? exchanges : playedOut(state, mistake.bestLine.slice(0, 1)),
  );
  const lost = endOf(after, untilQuiet(after, mistake.reply));
  if (!isSmall(kept) || !isSmall(lost)) return null;
  const seat = state.toMove;
  if (!hasOpposition(kept, seat) || hasOpposition(lost, seat)) return null;
  return named(mistake, "opposition");
}

function endOf(state: State, line: readonly Move[]): State {
  const end = state.copy();
  for (const move of line) end.play(move);
  return end;
}

/** What the tables knew, and know to be thrown away. */
function endingLost(mistake: Mistake): Reason | null {
  const seat = mistake.state.toMove;
  const [before, after] = [mistake.state.certain(seat), mistake.after.certain(seat)];
  if (before === null || after === null || before <= after) return null;
  return named(mistake, "tables_lost", { was: inWords(before), now: inWords(after) });
}

/** A move into an ending that the tables know, from a position that they do not. */
function knownEnding(mistake: Mistake): Reason | null {
  const after = mistake.after.certain(mistake.state.toMove);
  if (after === null || after >= mistake.top) return null;
  return named(mistake, "tables_reached", { now: inWords(after) });
}

const inWords = (value: number) => (value > 0 ? "won" : value < 0 ? "lost" : "drawn");

/**
 * Whether the seat, and not the other, makes the last move when kings face each other. The old rule:
 * count the pieces on the files that end in a dark square of the mover's own back row; if their
 * number is odd, who is to move has the opposition.
 */
function hasOpposition(state: State, seat: number): boolean {
  const { geometry, seats } = state.game;
  const back = seats[state.toMove] === "white" ? geometry.rows - 1 : 0;
  const files = new Set<number>();
  for (const [row, column] of geometry.places.values()) if (row === back) files.add(column);
  const count = state.pieces.filter(({ cell }) => files.has(geometry.place(cell)[1])).length;
  return (state.toMove === seat) === (count % 2 === 1);
}

function isSmall(state: State): boolean {
  const [one, two] = [0, 1].map(
    (seat) => state.pieces.filter(({ owner }) => owner === seat).length,
  );
  return one === two && (one ?? 0) <= FEW;
}

/** What the sides take along a line; `givesFirst`: who begins it, and takes more, is taken from. */
function captures(state: State, line: readonly Move[], seat: number) {
  const position = state.copy();
  const beginner = state.toMove;
  const taken = [0, 0];
  let first: number | null = null;
  for (const move of line) {
    const mover = position.toMove;
    if (move.captured.length) first ??= mover;
    taken[mover] = (taken[mover] ?? 0) + move.captured.length;
    position.play(move);
  }
  const of = (who: number) => taken[who] ?? 0;
  const givesFirst = first !== null && first !== beginner && of(beginner) > of(first);
  return { own: of(seat), others: of(1 - seat), givesFirst };
}

/** The line up to where a seat gets a king; empty if it gets none. */
function untilKing(state: State, line: readonly Move[], seat: number): Move[] {
  const position = state.copy();
  for (const [count, move] of line.entries()) {
    const [mover, before] = [position.toMove, kings(position, seat)];
    position.play(move);
    if (mover === seat && kings(position, seat) > before) return line.slice(0, count + 1);
  }
  return [];
}

const kings = (state: State, seat: number) =>
  state.pieces.filter(({ owner, kind }) => owner === seat && kind === "king").length;
