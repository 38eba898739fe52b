// What goes wrong in five in a row: fours, open threes, two threats at once, forbidden points; as
// boardzero.study.five. Everything is asked of the rules: a point is a five when playing there wins.

import type { Move } from "../core";
import type { State } from "../game";
import { playedOut, written } from "./lines";
import { type Mistake, named, WON } from "./reasons";
import type { Reason } from "./words";

const NEAR = 2; // points further from a stone make no threat with it
const FAR = 5; // points further apart are no one threat

export function reason(mistake: Mistake): Reason | null {
  const seat = mistake.state.toMove;
  const five = fives(mistake.state, seat)[0];
  if (five && !mistake.after.outcome) return named(mistake, "missed_five", { best: five.text });
  return mistake.reply.length ? answered(mistake, 1 - seat) : missed(mistake, seat);
}

/** What the answer does. */
function answered(mistake: Mistake, other: number): Reason | null {
  const threats = fives(mistake.state, other);
  const line = written(mistake.reply);
  if (threats.length && !threats.some(({ text }) => text === mistake.played.text)) {
    return named(mistake, "ignored_four", { line });
  }
  const moves = playedOut(mistake.after, mistake.reply);
  const [first] = moves;
  if (!first || mistake.value > -WON) return missed(mistake, 1 - other);
  const then = mistake.after.after(first);
  if (then.outcome) return null;
  const wins = fives(then, other);
  const blocked = wins.find((win) => !mayPlay(then, win));
  if (wins.length === 1 && blocked)
    return named(mistake, "forbidden", { point: blocked.text, line });
  const reply = first.text;
  if (wins.length >= 2) {
    if (!inOneLine(then, first, wins)) return named(mistake, "double_threat", { reply, line });
    if (openThrees(mistake.state, other).length) return named(mistake, "ignored_three", { line });
    return named(mistake, "open_four", { reply, line });
  }
  if (isDoubleThreat(then, first, other)) return named(mistake, "double_threat", { reply, line });
  if (wins.length && allFours(mistake.after, moves, other))
    return named(mistake, "fours", { line });
  return null;
}

/** Who has the attack, where nothing is forced yet. */
export function attack(mistake: Mistake): Reason | null {
  const { state, after, best } = mistake;
  const [first] = playedOut(after, mistake.reply);
  const line = written(mistake.reply);
  const then = first && after.after(first);
  if (then && !then.outcome) {
    if (first.text === best.text) return named(mistake, "key_point", { line });
    if (openThrees(then, after.toMove).length) {
      return named(mistake, "open_three", { reply: first.text, line });
    }
  }
  const better = state.after(best);
  if (better.outcome || !openThrees(better, state.toMove).length) return null;
  return named(mistake, "missed_three", { line: written(mistake.bestLine) });
}

/** What the best move would have done. */
function missed(mistake: Mistake, seat: number): Reason | null {
  if (mistake.top < WON) return null;
  const then = mistake.state.after(mistake.best);
  if (then.outcome) return named(mistake, "missed_five", { best: mistake.best.text });
  const wins = fives(then, seat);
  if (wins.length >= 2 && inOneLine(then, mistake.best, wins)) {
    return named(mistake, "missed_open_four");
  }
  if (wins.length >= 2 || isDoubleThreat(then, mistake.best, seat)) {
    return named(mistake, "missed_double", { line: written(mistake.bestLine) });
  }
  return null;
}

/** The moves with which a seat would win at once, were it to move. */
function fives(state: State, seat: number): Move[] {
  const asked = asMover(state, seat);
  if (!asked || asked.outcome) return [];
  const bare = asked.withoutHistory();
  return near(asked).filter((move) => bare.after(move).outcome?.winner === seat);
}

/** The moves with which a seat would make an open four, were it to move. */
function openThrees(state: State, seat: number): Move[] {
  const asked = asMover(state, seat);
  if (!asked || asked.outcome) return [];
  const bare = asked.withoutHistory();
  const inCompany = company(asked, seat);
  return near(asked).filter((move) => {
    if (!inCompany(move)) return false;
    const after = bare.after(move);
    if (after.outcome) return false;
    const wins = fives(after, seat);
    return wins.length >= 2 && inOneLine(after, move, wins);
  });
}

/** Whether a move that was just played threatens in two directions at once. */
function isDoubleThreat(state: State, move: Move, seat: number): boolean {
  const cell = move.path[0] ?? -1;
  const wins = fives(state, seat);
  const directions = directionsOf(state, cell, wins);
  if (directions.size >= 2) return true;
  let answered = state;
  if (wins[0]) {
    // A four: answered, is there an open three as well?
    const answer = asMover(state, 1 - seat) ?? state;
    try {
      answered = answer.after(wins[0].text);
    } catch {
      return true;
    }
    if (answered.outcome || fives(answered, 1 - seat).length) return false;
  }
  const threes = directionsOf(answered, cell, openThrees(answered, seat));
  return new Set([...directions, ...threes]).size >= 2;
}

/** The same stones with this seat to move. */
function asMover(state: State, seat: number): State | null {
  if (state.toMove === seat) return state;
  const rows = state.fen.slice(0, state.fen.lastIndexOf(" "));
  try {
    return state.game.start(`${rows} ${"xo"[seat]}`);
  } catch {
    return null;
  }
}

const mayPlay = (state: State, move: Move) => state.moves.some(({ text }) => text === move.text);

function allFours(state: State, moves: readonly Move[], seat: number): boolean {
  const position = state.copy();
  for (const move of moves) {
    const mover = position.toMove;
    position.play(move);
    if (mover === seat && !position.outcome && !fives(position, seat).length) return false;
  }
  return position.outcome !== null || moves.length >= 3;
}

function near(state: State): Move[] {
  const { geometry } = state.game;
  const stones = state.pieces.map(({ cell }) => geometry.place(cell));
  return state.moves.filter(({ path }) => {
    if (path[0] === undefined) return false;
    const [row, column] = geometry.place(path[0]);
    return stones.some(
      ([down, right]) => Math.abs(down - row) <= NEAR && Math.abs(right - column) <= NEAR,
    );
  });
}

/** Whether enough stones of a seat are in line with a point for a four, two short of a five. */
function company(state: State, seat: number): (move: Move) => boolean {
  const five = Number(/line=(\d)/.exec(state.game.spec)?.[1] ?? 5);
  const { geometry } = state.game;
  const own = new Set(
    state.pieces.filter(({ owner }) => owner === seat).map(({ cell }) => `${geometry.place(cell)}`),
  );
  const ways = [
    [0, 1],
    [1, 0],
    [1, 1],
    [1, -1],
  ] as const;
  return ({ path }) => {
    const [row, column] = geometry.place(path[0] ?? -1);
    return ways.some(([down, right]) => {
      let count = 0;
      for (let n = 1 - five; n < five; n++) {
        count += Number(own.has(`${[row + n * down, column + n * right]}`));
      }
      return count >= five - 2;
    });
  };
}

/** Whether two of the points lie in one line with the stone. */
function inOneLine(state: State, move: Move, wins: readonly Move[]): boolean {
  const found = wins
    .map((win) => direction(state, move.path[0] ?? -1, win.path[0] ?? -1))
    .filter((way) => way !== null);
  return new Set(found).size < found.length;
}

const directionsOf = (state: State, cell: number, moves: readonly Move[]) =>
  new Set(
    moves.map(({ path }) => direction(state, cell, path[0] ?? -1)).filter((way) => way !== null),
  );

/** The line that two points are on, near enough to be one threat. */
function direction(state: State, cell: number, other: number): string | null {
  const [row, column] = state.game.geometry.place(cell);
  const [row2, column2] = state.game.geometry.place(other);
  const [down, right] = [row2 - row, column2 - column];
  const far = Math.max(Math.abs(down), Math.abs(right));
  const straight = down === 0 || right === 0 || Math.abs(down) === Math.abs(right);
  if (far === 0 || far > FAR || !straight) return null;
  const [y, x] = [down / far, right / far];
  const sign = y > 0 || (y === 0 && x > 0) ? 1 : -1;
  return `${y * sign + 0} ${x * sign + 0}`;
}
