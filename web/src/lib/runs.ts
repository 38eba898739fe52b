// How the players of a training run are written.

import type { RunSummary } from "./types";

/** The newest version of a run, or the given one. */
export const playerOf = ({ player, name }: RunSummary, version?: number): string =>
  `${player}:run=${name}${version === undefined ? "" : `,version=${version}`}`;

/** The run whose newest version this spec names. */
export const runOf = (spec: string): string | undefined =>
  /^(?:zero|net):run=([^,]*)$/.exec(spec)?.[1];
