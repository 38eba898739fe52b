// Players that think. Each has a worker of its own, which is kept as long as it is likely to be asked
// again: so it goes on with the tree or the table that it has.

import type { Player } from "boardzero";
import { Refused } from "../api/api";
import type { Choice, Limit } from "./core";
import type { Game, State } from "./game";

const KEPT = 4; // players, each with some memory

const keyOf = (game: Game, spec: string) => `${game.spec} ${spec}`;

type Entry = { player: Promise<Player>; busy: Promise<unknown> };

export class Thinking {
  #players = new Map<string, Entry>(); // the one asked longest ago first

  /** Asks a player; one that is told to stop gives the best move so far, which nobody waits for. */
  async choose(
    game: Game,
    spec: string,
    state: State,
    limit: Limit,
    signal?: AbortSignal,
    progress?: (soFar: Choice) => void,
  ): Promise<Choice> {
    const key = keyOf(game, spec);
    const entry = this.#entry(key, game, spec);
    const turn = entry.busy.then(async () => {
      signal?.throwIfAborted();
      const player = await entry.player;
      const from = await game.rules.replay(
        state.history.map(({ text }) => text),
        state.origin,
      );
      signal?.throwIfAborted();
      const stop = () => player.stop();
      signal?.addEventListener("abort", stop);
      try {
        return await player.choose(from, limit, progress);
      } finally {
        signal?.removeEventListener("abort", stop);
      }
    });
    entry.busy = turn.catch(() => undefined);
    try {
      return await turn;
    } catch (error) {
      if (signal?.aborted) throw error;
      this.#forget(key); // its worker may have died: the next one to ask gets another
      throw new Refused((error as Error).message || `${spec} has failed`);
    }
  }

  /** Lets a player fetch what it needs before it is asked; what fails is told when it is. */
  prepare(game: Game, spec: string) {
    const { player, busy } = this.#entry(keyOf(game, spec), game, spec);
    busy.then(async () => (await player).prepare()).catch(() => undefined);
  }

  #entry(key: string, game: Game, spec: string): Entry {
    const known = this.#players.get(key);
    const entry = known ?? { player: game.rules.player(spec), busy: Promise.resolve() };
    this.#players.delete(key);
    this.#players.set(key, entry);
    for (const old of [...this.#players.keys()].slice(0, -KEPT)) this.#forget(old);
    return entry;
  }

  #forget(key: string) {
    const entry = this.#players.get(key);
    this.#players.delete(key);
    entry?.busy
      .then(() => entry.player)
      .then(
        (player) => player.close(),
        () => undefined,
      );
  }
}
