import { expect, test } from "vitest";
import { en } from "../src/i18n/en";
import { fill } from "../src/i18n/fill";
import { nl } from "../src/i18n/nl";

const sources = import.meta.glob<string>(["../src/**/*.{svelte,ts}", "!../src/i18n/{en,nl}.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const page = Object.values(sources).join("\n");
const rules = Object.values(
  import.meta.glob<string>("../../cpp/games/draughts/endings.hpp", {
    query: "?raw",
    import: "default",
    eager: true,
  }),
).join();

// Names that the server sends: named("seat", …). Keys put together from names of the page:
// t(`study.${tab}`).
const groups = [...page.matchAll(/named\(\s*"(\w+)"/g)].map(([, group]) => `${group}.`);
const patterns = [...page.matchAll(/`(\w+\.)\$\{[^}]+\}([\w.]*)`/g)].map(
  ([, before = "", after = ""]) => new RegExp(`^${before}(\\w+)${after}$`),
);

function isUsed(key: string): boolean {
  const quoted = (text: string) => page.includes(`"${text}"`) || page.includes(`'${text}'`);
  if (quoted(key) || groups.some((group) => key.startsWith(group))) return true;
  return patterns.some((pattern) => {
    const name = pattern.exec(key)?.[1];
    return name !== undefined && quoted(name);
  });
}

test("every text is in every language", () => {
  expect(Object.keys(nl)).toEqual(Object.keys(en));
});

test("every text is shown somewhere", () => {
  expect(Object.keys(en).filter((key) => !isUsed(key))).toEqual([]);
});

test("every ending of draughts has its words", () => {
  const reasons = [...rules.matchAll(/(?:return|\?) "([^"]+)"/g)].map(([, reason]) => reason);
  expect(reasons).toContain("threefold repetition");
  expect(reasons.filter((reason) => !(`reason.${reason}` in nl))).toEqual([]);
});

test("a number has the word that fits it", () => {
  const text = en["study.review.done"];
  const said = fill(text, { seat: "White", blunders: 0, mistakes: 1, inaccuracies: 2 }, "en");
  expect(said).toBe("White: 0 blunders, 1 mistake, 2 inaccuracies");
});
