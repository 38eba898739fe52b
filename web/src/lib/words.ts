// Moves and endings in words.

import { language, named, t } from "../i18n/index.svelte";
import type { BoardView, EndingView } from "./types";

/** Kind and cells of a move in the notation of the Chexers referee. */
function refereed(text: string): { kind: string; cells: string[] } | null {
  const [, kind, rest = ""] = /^\("(\w+)", (.*)\)$/.exec(text) ?? [];
  if (!kind) return null;
  const cells = [...rest.matchAll(/\((-?\d+),(-?\d+)\)/g)].map(([, q, r]) => `${q},${r}`);
  return { kind, cells };
}

/** A move as it stands in a list; the referee's notation of Chexers is too long for one. */
export function short(text: string): string {
  const referee = refereed(text);
  if (!referee) return text;
  const { kind, cells } = referee;
  if (kind === "PASS") return t("move.pass");
  if (kind === "EXIT") return `${cells[0]} ↗`;
  return cells.join(kind === "JUMP" ? " » " : " → ").replaceAll("-", "−");
}

/** A move as a person may type it: the referee's notation of Chexers has a short form. */
export function typable(text: string): string {
  const referee = refereed(text);
  if (!referee) return text;
  const { kind, cells } = referee;
  return kind === "PASS" ? "pass" : kind === "EXIT" ? `${cells[0]} exit` : cells.join(">");
}

export function ending(
  { winner, reason }: EndingView,
  seats: string[],
  pieces: BoardView["pieces"],
): { title: string; why: string } {
  const title =
    winner === null ? t("end.draw") : t("end.wins", { seat: named("seat", seats[winner] ?? "") });
  const bare = winner !== null && pieces.every(({ owner }) => owner === winner);
  return { title, why: bare && reason === "no move left" ? t("end.bare") : why(reason) };
}

/** What people call moves: rounds in which each player has one turn. */
export const rounds = (plies: number, players: number) => Math.ceil(plies / players);

/** Why a game ended; the arena's own reasons carry details that fill no line here. */
export function why(reason: string): string {
  if (reason.startsWith("cut at")) return t("reason.cut");
  if (/^(error|died|late|illegal move)/.test(reason)) return t("reason.fault");
  return named("reason", reason);
}

export const percent = (value: number) => Math.round(50 * (value + 1));

/** What a version of a run is called; the one that a run begins with has learned nothing. */
export const versionName = (version: number) =>
  version === 0 ? t("learn.untrained") : t("learn.version", { n: version });

/** Seconds as a clock shows them. */
export const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** Seconds in words: "2 minutes". */
export function lasting(seconds: number): string {
  const [unit, size] =
    seconds < 90 ? ["second", 1] : seconds < 5400 ? ["minute", 60] : ["hour", 3600];
  const format = new Intl.NumberFormat(language.code, {
    style: "unit",
    unit: String(unit),
    unitDisplay: "long",
  });
  return format.format(Math.max(1, Math.round(seconds / Number(size))));
}
