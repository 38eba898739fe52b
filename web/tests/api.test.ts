import { afterEach, expect, test, vi } from "vitest";
import { Refused } from "../src/lib/api";
import { api as server } from "../src/lib/api/server";

const sources = import.meta.glob<string>("../src/**/*.{svelte,ts}", {
  query: "?raw",
  import: "default",
  eager: true,
});

function answers(body: unknown, status = 200) {
  const asked = vi.fn(async (_path: string, _request: RequestInit) =>
    Response.json(body, { status }),
  );
  vi.stubGlobal("fetch", asked);
  return asked;
}
afterEach(() => vi.unstubAllGlobals());

test("only lib/api talks to the world outside", () => {
  const talkers = Object.keys(sources).filter((path) =>
    /\bfetch\(|\bWebSocket\b|[^.]\/api\/[a-z]/.test(sources[path] ?? ""),
  );
  const allowed = ["api/server.ts", "api/socket.ts", "local/worker.ts", "types.ts"];
  expect(talkers.sort()).toEqual(allowed.map((file) => `../src/lib/${file}`));
});

test("what is given stands in the address, and nothing is sent that need not be", async () => {
  const asked = answers([]);
  await server.arena.games(7, 0, 2);
  await server.catalog.game("gomoku:size=15,rule=renju");
  expect(asked.mock.calls.map(([path]) => path)).toEqual([
    "/api/tournaments/7/games?a=0&b=2",
    "/api/catalog/gomoku%3Asize%3D15%2Crule%3Drenju",
  ]);
  expect(asked.mock.calls[0]?.[1]).toMatchObject({ method: "GET", body: undefined });
});

test("a refusal is a sentence, and says whether there is such a thing at all", async () => {
  answers({ detail: "there is no such game" }, 404);
  await expect(server.play.game("x")).rejects.toEqual(new Refused("there is no such game", true));
  answers({ detail: [{ loc: ["body", "games"], msg: "Input should be less than 200" }] }, 422);
  await expect(
    server.arena.start({ game: "english", players: [], games: 999 }),
  ).rejects.toMatchObject({ message: "games: Input should be less than 200", unknown: false });
});
