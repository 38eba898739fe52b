// Requests to the server; a refusal becomes an error with the server's own sentence.

import type {
  ClockSetting,
  GameInfo,
  GameSummary,
  GameView,
  Line,
  LineView,
  Piece,
  Position,
} from "./types";

export class Refused extends Error {
  status: number;

  constructor(sentence: string, status: number) {
    super(sentence);
    this.status = status;
  }
}

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new Refused(sentence(answer, response.statusText), response.status);
  return answer as T;
}

function sentence(answer: unknown, otherwise: string): string {
  const detail = (answer as { detail?: unknown } | null)?.detail;
  if (typeof detail === "string") return detail;
  const first = Array.isArray(detail) ? (detail[0] as { msg?: string; loc?: string[] }) : null;
  return first?.msg ? `${first.loc?.slice(1).join(".") ?? ""}: ${first.msg}` : otherwise;
}

export const get = <T>(path: string) => request<T>("GET", path);
export const post = <T>(path: string, body: unknown = {}) => request<T>("POST", path, body);

type Wish = {
  game: string;
  seats: string[];
  clock?: ClockSetting | null;
  fen?: string | null;
  moves?: string[];
};

export const api = {
  catalog: () => get<GameInfo[]>("/api/catalog"),
  game: (spec: string) => get<GameInfo>(`/api/catalog/${encodeURIComponent(spec)}`),
  recent: () => get<GameSummary[]>("/api/games?limit=6"),
  open: (wish: Wish) => post<GameView>("/api/games", wish),
  position: (line: Line) => post<Position>("/api/position", line),
  line: (line: Line) => post<LineView>("/api/line", line),
  setup: (game: string, to_move: number, pieces: Piece[]) =>
    post<Position>("/api/setup", { game, to_move, pieces }),
};
