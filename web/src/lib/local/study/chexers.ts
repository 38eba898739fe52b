// What goes wrong in Chexers: pieces that are jumped over, exits missed or let happen, blocks; as
// boardzero.study.chexers.

import type { Move } from "../core";
import type { State } from "../game";
import { playedOut, short, written } from "./lines";
import { type Mistake, named } from "./reasons";
import type { Reason } from "./words";

export const reason = (mistake: Mistake): Reason | null =>
  lostPiece(mistake) ?? missed(mistake) ?? exitAllowed(mistake);

/** Of the answers before the mover's next turn, one that takes a piece over. */
function lostPiece(mistake: Mistake): Reason | null {
  const { game, toMove: seat } = mistake.state;
  const position = mistake.after.copy();
  const line: string[] = [];
  for (const move of playedOut(mistake.after, mistake.reply).slice(0, game.players - 1)) {
    const [taker, before] = [position.toMove, count(position, seat)];
    position.play(move);
    line.push(move.text);
    if (count(position, seat) < before) {
      if (losesAsMuch(mistake, seat)) return null;
      return named(mistake, "loses_piece", { other: game.seats[taker] ?? "", line: written(line) });
    }
  }
  return null;
}

/** Whether the best line loses a piece before the mover's next turn, too. */
function losesAsMuch(mistake: Mistake, seat: number): boolean {
  const position = mistake.state.copy();
  const moves = playedOut(mistake.state, mistake.bestLine).slice(0, mistake.state.game.players);
  for (const move of moves) {
    const before = count(position, seat);
    position.play(move);
    if (count(position, seat) < before && position.toMove !== seat) return !isExit(move);
  }
  return false;
}

function missed(mistake: Mistake): Reason | null {
  const { state, after: played } = mistake;
  const { seats } = state.game;
  const seat = state.toMove;
  const after = state.after(mistake.best);
  if (isExit(mistake.best) && !isExit(mistake.played)) {
    const left = exits(after);
    const most = Math.max(...left);
    const ahead = seats[left.indexOf(most)] ?? "";
    return named(mistake, "missed_exit", { ahead, exits: most });
  }
  if (count(after, seat) > count(state, seat) && count(state, seat) >= count(played, seat)) {
    const victim = seats.findIndex(
      (_, who) => who !== seat && count(after, who) < count(state, who),
    );
    return named(mistake, "missed_jump", { victim: seats[victim] ?? "" });
  }
  return null;
}

/** Who can leave after the move played, and not after the best one. */
function exitAllowed(mistake: Mistake): Reason | null {
  const { state, after, best } = mistake;
  const found = firstExit(after, mistake.reply, state.toMove);
  if (!found) return null;
  const blocked = firstExit(state.after(best), mistake.bestLine.slice(1), state.toMove);
  if (blocked?.seat === found.seat) return null;
  const who = state.game.seats[found.seat] ?? "";
  const line = written(found.line);
  if (found.way.has(best.path.at(-1) ?? -1)) {
    return named(mistake, "missed_block", { victim: who, line });
  }
  if (found.exits === Math.max(...exits(after)) + 1) {
    return named(mistake, "lets_exit", { other: who, exits: found.exits, line });
  }
  return null;
}

/**
 * The first piece that another seat brings off the board within two turns of each: the line up to
 * it, the hexagons that this seat entered before, and how many of its pieces have left then.
 */
function firstExit(state: State, reply: readonly string[], seat: number) {
  const position = state.copy();
  const line: string[] = [];
  const ways = state.game.seats.map(() => new Set<number>());
  for (const move of playedOut(state, reply).slice(0, 2 * state.game.players - 1)) {
    const mover = position.toMove;
    position.play(move);
    line.push(move.text);
    const way = ways[mover] as Set<number>;
    if (mover !== seat && isExit(move)) {
      return { seat: mover, line, way, exits: exits(position)[mover] ?? 0 };
    }
    for (const cell of move.path.slice(1)) way.add(cell);
  }
  return null;
}

const isExit = (move: Move) => short(move.text).endsWith("exit");

/** Pieces on the board and off it. */
const count = (state: State, seat: number) =>
  state.pieces.filter(({ owner }) => owner === seat).length + (exits(state)[seat] ?? 0);

const exits = (state: State): readonly number[] => state.counters[0]?.counts ?? [];
