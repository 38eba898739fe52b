// What the page answers without a server, beside what Python answered: scripts/page_fixtures.py.

import { expect, test } from "vitest";
import type { Choice } from "../src/lib/local/core";
import type { State } from "../src/lib/local/game";
import { readFile, writeFile } from "../src/lib/local/notation/files";
import { Tree } from "../src/lib/local/notation/tree";
import { Puzzles } from "../src/lib/local/puzzles";
import { review } from "../src/lib/local/study/review";
import { positionView } from "../src/lib/local/views";
import { games } from "./core";
import python from "./fixtures/python.json";

const open = (spec: string) => games.open(spec);

test.each(python.positions)("a position of $line.game", async ({ line, view }) => {
  expect(positionView(await games.stateOf(line))).toEqual(view);
});

test.each(python.files)("a file of $game: $text", async ({ game, text, answer }) => {
  const read = readFile(text, await open(game), await games.all(), open);
  const told = await read.catch((error: Error) => ({ error: error.message }));
  expect(told).toEqual(answer);
});

test.each(python.trees)("a tree of $data.game is written", async ({ data, written }) => {
  expect(writeFile(Tree.of(await open(data.game), data as never))).toEqual(written);
});

test.each(python.reviews)("a review of $line.game", async ({ line, analyst, asked, steps }) => {
  const waiting = [...asked];
  const ask = async (state: State): Promise<Choice> => {
    const known = waiting.shift();
    expect(known?.fen).toBe(state.fen);
    return told(state, known?.choice as Told);
  };
  const found = [];
  const end = await games.stateOf(line);
  for await (const step of review(end, analyst, 0.15, ask, python.words)) found.push(step);
  expect(found).toEqual(steps);
});

type Told = (typeof python.reviews)[number]["asked"][number]["choice"];

function told(state: State, { move, candidates, ...rest }: Told): Choice {
  return {
    ...rest,
    move: state.parse(move),
    candidates: candidates.map((one) => ({ ...one, move: state.parse(one.move) })),
    nodes: 0,
    depth: 1,
    time: 0,
  };
}

test.each(python.puzzles)("the puzzles of $game on $day", (asked) => {
  const { game, day, daily, rating, done, next } = asked;
  const puzzles = new Puzzles(python.all_puzzles as never);
  expect(puzzles.daily(game, new Date(`${day}T12:00:00Z`)).id).toBe(daily);
  expect(puzzles.next(game, rating, done).id).toBe(next);
});
