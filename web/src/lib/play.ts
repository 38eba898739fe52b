// How pages lead to a game.

import { api } from "./api";
import { router } from "./router.svelte";
import type { GameRequest } from "./types";

/** Opens a game and goes there. */
export async function startGame(wish: GameRequest) {
  const { id } = await api.play.open(wish);
  router.go(`#/play/${id}`);
}
