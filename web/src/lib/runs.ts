// How the players of a training run are written.

import type { RunSummary } from "./types";

/** The newest version of a run, or the given one. */
export const playerOf = ({ player, name }: RunSummary, version?: number): string =>
  `${player}:run=${name}${version === undefined ? "" : `,version=${version}`}`;

/** The newest versions of the runs that learned this very game. */
export const trainedPlayers = (runs: RunSummary[], game: string): string[] =>
  runs.filter((run) => run.versions.length > 0 && run.game === game).map((run) => playerOf(run));

/** The run whose newest version this spec names. */
export const runOf = (spec: string): string | undefined => /^\w+:run=([^,]*)$/.exec(spec)?.[1];
