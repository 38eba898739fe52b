// Moves and endings in words.

import { named, t } from "../i18n/index.svelte";
import type { EndingView } from "./types";

/** A move as it stands in a list; the referee's notation of Chexers is too long for one. */
export function short(text: string): string {
  const match = /^\("(\w+)", (.*)\)$/.exec(text);
  if (!match) return text;
  const [, kind, rest = ""] = match;
  const cells = [...rest.matchAll(/\((-?\d+),(-?\d+)\)/g)].map(([, q, r]) => `${q},${r}`);
  if (kind === "PASS") return t("move.pass");
  if (kind === "EXIT") return `${cells[0]} ↗`;
  return cells.join(kind === "JUMP" ? " » " : " → ").replaceAll("-", "−");
}

export function ending(
  { winner, reason }: EndingView,
  seats: string[],
): { title: string; why: string } {
  const title =
    winner === null ? t("end.draw") : t("end.wins", { seat: named("seat", seats[winner] ?? "") });
  return { title, why: why(reason) };
}

/** Why a game ended; the arena's own reasons carry details that fill no line here. */
export function why(reason: string): string {
  if (reason.startsWith("cut at")) return t("reason.cut");
  if (/^(error|died|late|illegal move)/.test(reason)) return t("reason.fault");
  return named("reason", reason);
}

export const percent = (value: number) => Math.round(50 * (value + 1));
