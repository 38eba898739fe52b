// Which opponents are proposed, and what becomes of a choice when the game changes.

import type { LevelView } from "./types";

type Ladder = { levels: Pick<LevelView, "name" | "spec">[] };

/** The opponent of somebody who has not chosen one. */
export const usual = ({ levels }: Ladder): string =>
  levels[Math.min(3, levels.length - 1)]?.spec ?? "random";

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
