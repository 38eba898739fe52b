// The games, asked for once; a game with options when somebody wants it.

import { named, t } from "../i18n/index.svelte";
import { api } from "./api";
import { HUMAN } from "./seats";
import { calledFamily } from "./spec";
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

/** What a player is called: its level, if it has one, or what its spec says. */
export function playerName(spec: string, levels: LevelView[], person: string): string {
  if (spec === HUMAN) return person;
  const level = levels.find((level) => level.spec === spec);
  return level ? named("level", level.name) : specInWords(spec);
}

/** A spec in words, such as "Alpha-beta, depth 3"; what has no words stays as it is written. */
export function specInWords(spec: string): string {
  const [, rest = ""] = /^[^:]*:?(.*)$/.exec(spec) ?? [];
  const options = rest.split(",").flatMap((text) => {
    const [name = "", value = ""] = text.split("=");
    const said = name && !UNSAID.includes(name) && text !== "eval=champion";
    return said ? [{ name, value }] : [];
  });
  const run = options.find(({ name }) => name === "run");
  const who = run ? t("analyst.run", { name: run.value }) : named("analyst", calledFamily(spec));
  const how = options.filter((option) => option !== run);
  return [
    who,
    ...how.map(({ name, value }) => named("with", name, `${name} ${value}`, { n: value })),
  ].join(", ");
}
const UNSAID = ["analyse", "hash", "seed"]; // options that do not matter to whoever plays against it
