// The level that suits a person by the games that they finished, as boardzero/players/adaptive.py: a
// rating on the scale of the levels, which every game moves as Elo does, the first ones most.

import { expected } from "./levels";
import { HUMAN } from "./seats";
import type { LevelView, ListedGame } from "./types";

export type FinishedGame = { opponents: string[]; points: number };
export type Adapted = {
  level: number; // places on the ladder
  before: number | null; // before the last game; null without games
  points: number; // in the last few games
  games: number; // how many these are
  rating: number;
};

const START = 2; // the place of the level that somebody without games meets
const STEP = 175; // Elo between levels that were not measured
const [FIRST, LATER, FALLS] = [200, 80, 20]; // what a game counts at first, and later, by game
const TOLD = 5; // of the last games that are spoken of

/** The games of one person against players, the oldest first, from a list with the newest first. */
export const finished = (
  listed: Pick<ListedGame, "game" | "seats" | "result">[],
  game: string,
): FinishedGame[] =>
  listed
    .filter((one) => one.game === game && one.seats.filter((who) => who === HUMAN).length === 1)
    .map(({ seats, result }) => ({
      opponents: seats.filter((who) => who !== HUMAN),
      points: result.includes("½") ? 0.5 : Number(result.split("-")[seats.indexOf(HUMAN)]),
    }))
    .reverse();

/** The level for a person who finished these games; those against others than levels are ignored. */
export function adapt(
  ladder: Pick<LevelView, "spec" | "rating">[],
  games: FinishedGame[],
): Adapted {
  const ratings = rated(ladder);
  const [lowest = 0, highest = 0] = [ratings[0], ratings.at(-1)];
  const of = new Map(ladder.map(({ spec }, i) => [spec, ratings[i] ?? 0]));
  let rating = ratings[Math.min(START, ladder.length - 1)] ?? 0;
  let before: number | null = null;
  const counted: number[] = [];
  for (const { opponents, points } of games) {
    const met = opponents.flatMap((spec) => of.get(spec) ?? []);
    if (met.length === 0 || met.length < opponents.length) continue;
    before = rating;
    const mean = met.reduce((sum, one) => sum + one, 0) / met.length;
    const worth = Math.max(LATER, FIRST - FALLS * counted.length);
    rating += worth * (points - expected(rating - mean));
    rating = Math.min(Math.max(rating, lowest), highest);
    counted.push(points);
  }
  const last = counted.slice(-TOLD);
  return {
    level: nearest(ratings, rating),
    before: before === null ? null : nearest(ratings, before),
    points: last.reduce((sum, one) => sum + one, 0),
    games: last.length,
    rating,
  };
}

/** Ratings that rise with the levels; where they were not measured, in even steps. */
function rated(ladder: Pick<LevelView, "rating">[]): number[] {
  const found: number[] = [];
  for (const { rating } of ladder) {
    const below = found.at(-1);
    const even = below === undefined ? 0 : below + STEP;
    const least = below === undefined ? Number.NEGATIVE_INFINITY : below + 1;
    found.push(typeof rating === "number" ? Math.max(rating, least) : even);
  }
  return found;
}

function nearest(ratings: number[], rating: number): number {
  const away = ratings.map((one) => Math.abs(one - rating));
  return away.indexOf(Math.min(...away));
}
