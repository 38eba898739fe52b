// Which opponents are proposed, and what becomes of a choice when the game changes.

import type { LevelView } from "./types";

type Ladder = { levels: Pick<LevelView, "name" | "spec">[] };

/** The opponent of somebody who has not chosen one. */
export const usual = ({ levels }: Ladder): string =>
  (levels.find(({ name }) => name === "casual") ?? levels[Math.min(3, levels.length - 1)])?.spec ??
  "random";

/** The share of points that a player expects who is rated higher by so many Elo. */
export const expected = (difference: number): number => 1 / (1 + 10 ** (-difference / 400));

/** Of ten games against the level below, how many points it scores; null where that is unknown. */
export function againstBelow(levels: Pick<LevelView, "rating">[], i: number): number | null {
  const [own, below] = [levels[i]?.rating, levels[i - 1]?.rating];
  if (typeof own !== "number" || typeof below !== "number" || own <= below) return null;
  return Math.round(10 * expected(own - below));
}

/**
 * The chosen players in another game. A level is played by other players there: whoever chose one
 * gets the level of the same name. What somebody typed stays.
 */
export function carried(players: string[], from: Ladder, to: Ladder): string[] {
  return players.map((spec) => {
    const level = from.levels.find((level) => level.spec === spec);
    if (!level || to.levels.some((level) => level.spec === spec)) return spec;
    return to.levels.find(({ name }) => name === level.name)?.spec ?? usual(to);
  });
}
