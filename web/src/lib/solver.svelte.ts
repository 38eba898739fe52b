// How well the person solves puzzles, remembered by this browser: a rating of each game, and what is done.

import { recall, remember } from "./storage";

type Record = { rating: number; done: string[] };
const NEW: Record = { rating: 1200, done: [] };

function read(game: string): Record {
  try {
    return { ...NEW, ...JSON.parse(recall(`puzzles.${game}`) ?? "{}") };
  } catch {
    return NEW;
  }
}

/** Elo after a puzzle; the first ones count more, so that a new solver finds their level. */
export function nextRating(rating: number, puzzle: number, solved: boolean, count: number): number {
  const expected = 1 / (1 + 10 ** ((puzzle - rating) / 400));
  return rating + (count < 20 ? 64 : 24) * (Number(solved) - expected);
}

export class Solver {
  #game = $state("");
  #record = $state.raw(NEW);

  use(game: string) {
    this.#game = game;
    this.#record = read(game);
  }
  get rating() {
    return this.#record.rating;
  }
  get done() {
    return this.#record.done;
  }

  /** Only the first try at a puzzle counts. */
  finish(id: string, puzzle: number, solved: boolean) {
    const { rating, done } = this.#record;
    if (done.includes(id)) return;
    this.#record = {
      rating: nextRating(rating, puzzle, solved, done.length),
      done: [...done, id].slice(-400),
    };
    remember(`puzzles.${this.#game}`, JSON.stringify(this.#record));
  }
}
