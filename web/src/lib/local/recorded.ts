// What needs many processes, training and tournaments, as it was recorded elsewhere: the site's data
// holds it. Whoever asks for more is told where to get it.

import { type Api, Refused } from "../api/api";
import type {
  ArenaGame,
  RunView,
  SelfPlayGame,
  StrengthView,
  TournamentView,
  TreeData,
  VersionThought,
} from "../types";

export type RecordedRun = {
  view: RunView;
  games: SelfPlayGame[]; // the newest first
  strength: StrengthView;
  thoughts: Record<string, VersionThought[]>; // by position
};
export type RecordedTournament = {
  view: TournamentView;
  games: (ArenaGame & { places: number[]; tree: TreeData })[]; // places: of its players
};
export type Recorded = { runs: RecordedRun[]; tournaments: RecordedTournament[] };

const INSTALL =
  "needs the program on your own machine: pip install boardzero, then boardzero serve";

const refuse = (what: string) => async (): Promise<never> => {
  throw new Refused(`${what} ${INSTALL}`);
};

/** `fenOf` gives the position that a line leads to. */
export function recordedLearning(
  load: () => Promise<Recorded>,
  fenOf: (line: Parameters<Api["study"]["position"]>[0]) => Promise<string>,
): Api["learn"] {
  const find = async (name: string): Promise<RecordedRun> => {
    const found = (await load()).runs.find(({ view }) => view.summary.name === name);
    if (!found) throw new Refused(`there is no run ${name}`, true);
    return found;
  };
  return {
    recipes: async () => [],
    runs: async () => (await load()).runs.map(({ view }) => view.summary),
    run: async (name) => (await find(name)).view,
    start: refuse("training"),
    stop: refuse("training"),
    selfplay: async (name, back) => (await find(name)).games[back] ?? null,
    compare: async (name, { line, versions }) => {
      const known = (await find(name)).thoughts[await fenOf(line)];
      if (!known) {
        throw new Refused(
          `what the versions think is recorded for the first game only; another position ${INSTALL}`,
        );
      }
      return known.filter(({ version }) => versions.includes(version));
    },
    strength: async (name) => (await find(name)).strength,
    measure: refuse("measuring"),
    stopMeasuring: refuse("measuring"),
  };
}

export function recordedArena(load: () => Promise<Recorded>): Api["arena"] {
  const find = async (id: number): Promise<RecordedTournament> => {
    const found = (await load()).tournaments.find(({ view }) => view.id === id);
    if (!found) throw new Refused(`there is no tournament ${id}`, true);
    return found;
  };
  return {
    start: refuse("a tournament"),
    stop: refuse("a tournament"),
    tournament: async (id) => (await find(id)).view,
    tournaments: async () => (await load()).tournaments.map(({ view }) => view),
    games: async (id, a, b) =>
      (await find(id)).games.filter(({ places }) => places.includes(a) && places.includes(b)),
  };
}

/** A game of a recorded tournament to study, if it is one. */
export async function recordedGame(load: () => Promise<Recorded>, id: number) {
  const games = (await load()).tournaments.flatMap(({ games }) => games);
  return games.find((game) => game.id === id)?.tree ?? null;
}
