// How the players of a training run are written.

import { api } from "./api";
import type { RunSummary } from "./types";

/** The newest version of a run, or the given one. */
export const playerOf = ({ player, name }: RunSummary, version?: number): string =>
  `${player}:run=${name}${version === undefined ? "" : `,version=${version}`}`;

/** The runs whose versions can be played with; recorded ones are only to look at. */
export const playableRuns = async (): Promise<RunSummary[]> => (api.hosted ? api.learn.runs() : []);

/** The newest versions of the runs that learned this game, whatever rules end it. */
export const trainedPlayers = (runs: RunSummary[], { plays }: { plays: string }): string[] =>
  runs.filter((run) => run.versions.length > 0 && run.plays === plays).map((run) => playerOf(run));

/** The run whose newest version this spec names. */
export const runOf = (spec: string): string | undefined => /^\w+:run=([^,]*)$/.exec(spec)?.[1];
