import { expect, test } from "vitest";
import { adapt, finished } from "../src/lib/adaptive";
import examples from "./fixtures/adaptive.json";

test("the level that follows the person is the one that Python finds", () => {
  for (const { ratings, games, ...wanted } of examples) {
    const ladder = ratings.map((rating, i) => ({ spec: `player${i}`, rating }));
    const played = games.map(({ met, points }) => ({
      opponents: met.map((i) => `player${i}`),
      points,
    }));
    const { rating, games: told, ...found } = adapt(ladder, played);
    expect(rating).toBeCloseTo(wanted.rating, 2);
    expect(told).toBe(Math.min(5, games.length));
    expect({ ...found, rating: wanted.rating }).toEqual(wanted);
  }
});

test("of the games that are kept, those of one person count, the oldest first", () => {
  const listed = [
    { game: "english", seats: ["human", "club"], result: "0-1" },
    { game: "english", seats: ["easy", "human"], result: "0-1" },
    { game: "english", seats: ["human", "human"], result: "1-0" },
    { game: "russian", seats: ["human", "club"], result: "1-0" },
    { game: "english", seats: ["human", "casual"], result: "½-½" },
  ];
  expect(finished(listed, "english")).toEqual([
    { opponents: ["casual"], points: 0.5 },
    { opponents: ["easy"], points: 1 },
    { opponents: ["club"], points: 0 },
  ]);
  const three = [{ game: "chexers", seats: ["a", "human", "b"], result: "0-0-1" }];
  expect(finished(three, "chexers")).toEqual([{ opponents: ["a", "b"], points: 0 }]);
});
