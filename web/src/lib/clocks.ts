// How games on the clock began. A game tells only what is left of it; this browser remembers the
// rest, so that another game like it can begin.

export type ClockSetting = { minutes: number; increment: number };

const KEY = "boardzero.clocks";
const MOST = 50; // games; the oldest are forgotten

function load(): [string, ClockSetting][] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
}

export function rememberClock(game: string, clock: ClockSetting) {
  try {
    localStorage.setItem(KEY, JSON.stringify([...load(), [game, clock]].slice(-MOST)));
  } catch {
    // A browser without storage forgets: the next game has no clock then.
  }
}

export const clockOf = (game: string): ClockSetting | null => new Map(load()).get(game) ?? null;
