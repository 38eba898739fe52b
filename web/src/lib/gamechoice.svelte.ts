// A game that a person chooses, with its options; what is known of it comes when it is known.

import { catalog } from "./catalog.svelte";
import { specOf } from "./spec";
import type { GameInfo } from "./types";

export class GameChoice {
  family = $state.raw<GameInfo>(catalog.games[0] as GameInfo);
  options = $state.raw<Record<string, string>>({});
  info = $state.raw<GameInfo>(this.family); // of the last choice that is known
  error = $state("");

  /** `info`, if given, is the game with options of its own that somebody has already. */
  constructor(name: string, info?: GameInfo) {
    this.pick(name);
    if (!info) return;
    const chosen = info.spec.split(":")[1]?.split(",") ?? [];
    const options = Object.fromEntries(chosen.map((text) => text.split("=")));
    [this.options, this.info] = [{ ...this.options, ...options }, info];
  }

  get spec(): string {
    return specOf(this.family, this.options);
  }

  /** Another game, as it is usually played. */
  pick(name: string) {
    this.family = catalog.games.find((game) => game.name === name) ?? this.family;
    this.options = Object.fromEntries(
      this.family.options.map((option) => [option.name, option.default]),
    );
    [this.info, this.error] = [this.family, ""];
  }

  async set(option: string, value: string) {
    this.options = { ...this.options, [option]: value };
    const asked = this.spec;
    const current = () => asked === this.spec;
    try {
      const found = await catalog.find(asked);
      if (current()) [this.info, this.error] = [found, ""];
    } catch (reason) {
      if (current()) this.error = (reason as Error).message;
    }
  }
}
