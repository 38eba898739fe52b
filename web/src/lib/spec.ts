// How a game with options is written.

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
