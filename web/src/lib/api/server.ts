// The server's answers, by requests and sockets. What may be asked, and with what, is in its schema.

import type { Requests, Sockets } from "../types";
import { type Api, type Connection, type Listener, Refused } from "./api";
import { Socket } from "./socket";

type Address = keyof Requests;
type Values = Record<string, string | number | undefined>;
type Given = { path?: Values; query?: Values; body?: unknown };

async function ask<A extends Address>(
  address: A,
  given: Omit<Requests[A], "answer">,
): Promise<Requests[A]["answer"]> {
  const [method, template = ""] = address.split(" ");
  const { path = {}, query = {}, body } = given as Given;
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]) => [key, `${value}`]),
  );
  const response = await fetch(
    search.size ? `${fill(template, path)}?${search}` : fill(template, path),
    {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    },
  );
  const answer = await response.json().catch(() => null);
  if (response.ok) return answer;
  throw new Refused(sentence(answer, response.statusText), response.status === 404);
}

const fill = (template: string, values: Values) =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));

function sentence(answer: unknown, otherwise: string): string {
  const detail = (answer as { detail?: unknown } | null)?.detail;
  if (typeof detail === "string") return detail;
  const first = Array.isArray(detail) ? (detail[0] as { msg?: string; loc?: string[] }) : null;
  return first?.msg ? `${first.loc?.slice(1).join(".") ?? ""}: ${first.msg}` : otherwise;
}

function connect<P extends keyof Sockets>(
  template: P,
  path: Values,
  listener: Listener<Sockets[P]["heard"]>,
): Connection<Sockets[P]["sent"]> {
  return new Socket(fill(template, path), listener);
}

export const api: Api = {
  hosted: true,
  catalog: {
    games: () => ask("GET /api/catalog", {}),
    game: (spec) => ask("GET /api/catalog/{spec}", { path: { spec } }),
  },
  play: {
    open: (body) => ask("POST /api/games", { body }),
    game: (key) => ask("GET /api/games/{key}", { path: { key } }),
    recent: () => ask("GET /api/games", { query: { limit: 6 } }),
    connect: (key, listener) => connect("/api/games/{key}/live", { key }, listener),
  },
  study: {
    position: (body) => ask("POST /api/position", { body }),
    line: (body) => ask("POST /api/line", { body }),
    setup: (body) => ask("POST /api/setup", { body }),
    read: (body) => ask("POST /api/trees/read", { body }),
    write: (body) => ask("POST /api/trees/write", { body }),
    svg: async (body) => (await ask("POST /api/svg", { body })).text,
    search: (body) => ask("POST /api/stored/search", { body }),
    stored: (number) => ask("GET /api/stored/{number}", { path: { number } }),
    explore: (body) => ask("POST /api/stored/explore", { body }),
    tryMove: (body) => ask("POST /api/try", { body }),
    connect: (listener) => connect("/api/analysis", {}, listener),
  },
  kept: {
    studies: () => ask("GET /api/studies", { query: { limit: 100 } }),
    study: (key) => ask("GET /api/studies/{key}", { path: { key } }),
    save: async (key, body) =>
      key === null
        ? (await ask("POST /api/studies", { body })).key
        : (await ask("PUT /api/studies/{key}", { path: { key }, body })).key,
    deleteStudy: (key) => ask("DELETE /api/studies/{key}", { path: { key } }),
    games: (game, before, player) =>
      ask("GET /api/stored", {
        query: {
          limit: 50,
          ...(game ? { game } : {}),
          ...(before ? { before } : {}),
          ...(player ? { player } : {}),
        },
      }),
    game: (number) => ask("GET /api/stored/{number}/text", { path: { number } }),
    deleteGame: (number) => ask("DELETE /api/stored/{number}", { path: { number } }),
  },
  puzzles: {
    games: () => ask("GET /api/puzzles", {}),
    daily: (game) => ask("GET /api/puzzles/daily", { query: { game } }),
    next: (game, rating, done) =>
      ask("GET /api/puzzles/next", { query: { game, rating, done: done.join(",") } }),
  },
  arena: {
    start: (body) => ask("POST /api/tournaments", { body }),
    stop: (number) => ask("POST /api/tournaments/{number}/stop", { path: { number } }),
    tournament: (number) => ask("GET /api/tournaments/{number}", { path: { number } }),
    tournaments: () => ask("GET /api/tournaments", {}),
    games: (number, a, b) =>
      ask("GET /api/tournaments/{number}/games", { path: { number }, query: { a, b } }),
  },
  learn: {
    recipes: () => ask("GET /api/runs/recipes/all", {}),
    runs: () => ask("GET /api/runs", {}),
    run: (name) => ask("GET /api/runs/{name}", { path: { name } }),
    start: (body) => ask("POST /api/runs", { body }),
    stop: (name) => ask("POST /api/runs/{name}/stop", { path: { name } }),
    selfplay: (name, back) =>
      ask("GET /api/runs/{name}/selfplay", { path: { name }, query: { back } }),
    compare: (name, body) => ask("POST /api/runs/{name}/versions", { path: { name }, body }),
    strength: (name) => ask("GET /api/runs/{name}/strength", { path: { name } }),
    measure: (name) => ask("POST /api/runs/{name}/strength", { path: { name } }),
    stopMeasuring: (name) => ask("POST /api/runs/{name}/strength/stop", { path: { name } }),
  },
};
