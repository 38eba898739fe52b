// How games and players with options are written.

import type { OptionView } from "./types";

type Family = { name: string; options: Pick<OptionView, "name" | "default">[] };

/** The spec of a game with the options that are not as usual. */
export function specOf(family: Family, chosen: Record<string, string>): string {
  const changed = family.options.filter(
    ({ name, default: usual }) => (chosen[name] ?? usual) !== usual,
  );
  const options = changed.map(({ name }) => `${name}=${chosen[name]}`);
  return options.length ? `${family.name}:${options.join(",")}` : family.name;
}

/** The family whose name a player goes by: a champion that another search than PUCT plays is one. */
export function calledFamily(spec: string): string {
  return /[:,]eval=champion(,|$)/.test(spec) ? "zero" : (spec.split(":")[0] ?? "");
}
