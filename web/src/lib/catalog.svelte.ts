// The games, asked for once; a game with options when somebody wants it.

import { named } from "../i18n/index.svelte";
import { api } from "./api";
import { HUMAN } from "./seats";
import type { GameInfo, LevelView } from "./types";

class Catalog {
  games = $state.raw<GameInfo[]>([]);
  #variants = new Map<string, Promise<GameInfo>>();

  async load() {
    this.games = await api.catalog.games();
  }

  find(spec: string): Promise<GameInfo> {
    const known = this.games.find((game) => game.spec === spec);
    if (known) return Promise.resolve(known);
    let variant = this.#variants.get(spec);
    if (!variant) {
      variant = api.catalog.game(spec);
      variant.catch(() => this.#variants.delete(spec));
      this.#variants.set(spec, variant);
    }
    return variant;
  }
}

export const catalog = new Catalog();

export const titleOf = (game: GameInfo) => named("game", game.text, game.title);

/** What a player is called: its level, if it has one, or its spec. */
export function playerName(spec: string, levels: LevelView[], person: string): string {
  if (spec === HUMAN) return person;
  const level = levels.find((level) => level.spec === spec);
  return level ? named("level", level.name) : spec;
}
