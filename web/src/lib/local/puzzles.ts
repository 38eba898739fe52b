// Puzzles that came with the program; as boardzero.study.puzzles and boardzero.server.puzzles choose
// them.

import { Refused } from "../api/api";
import type { PuzzleGames, PuzzleView } from "../types";

export type PuzzleData = Record<string, PuzzleView[]>; // by the game's spec, the easiest first

export class Puzzles {
  constructor(private readonly data: PuzzleData) {}

  games(): PuzzleGames[] {
    return Object.entries(this.data).map(([game, found]) => ({ game, count: found.length }));
  }

  /** The same for everybody until midnight, universal time. */
  daily(game: string, day = new Date()): PuzzleView {
    const known = this.#of(game);
    const date = day.toISOString().slice(0, 10);
    return known[crc32(`${game} ${date}`) % known.length] as PuzzleView;
  }

  /** One near the solver's rating that is not done yet; when all are, the first done again. */
  next(game: string, rating: number, done: string[]): PuzzleView {
    const known = this.#of(game);
    const early = done.slice(0, Math.floor(known.length / 2) + 1);
    let fresh = known.filter(({ id }) => !done.includes(id));
    if (!fresh.length) fresh = known.filter(({ id }) => early.includes(id));
    const far = (puzzle: PuzzleView) => Math.abs(puzzle.rating - rating);
    return fresh.reduce((best, one) => (far(one) < far(best) ? one : best));
  }

  #of(game: string): PuzzleView[] {
    const found = this.data[game] ?? [];
    if (!found.length) throw new Refused(`there are no puzzles of ${game}`, true);
    return found;
  }
}

/** The checksum of zip files, by which a day's puzzle is drawn. */
function crc32(text: string): number {
  let crc = ~0;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
