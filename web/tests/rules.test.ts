import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RULES } from "../src/lib/rules";

const file = readFileSync(new URL("./fixtures/python.json", import.meta.url));
const known = JSON.parse(new TextDecoder().decode(file));
const games = new Set<string>(
  known.positions.map(({ line }: { line: { game: string } }) => line.game.split(":")[0]),
);

test("every game has its rules in both languages, with pictures", () => {
  expect(games.size).toBeGreaterThanOrEqual(7);
  for (const game of games) {
    const paragraphs = RULES[game] ?? [];
    expect(paragraphs.filter(({ fen }) => fen !== undefined).length, game).toBeGreaterThan(1);
    for (const { title, text } of paragraphs) {
      for (const words of [title.en, title.nl, text.en, text.nl]) expect(words, game).toBeTruthy();
    }
  }
});
