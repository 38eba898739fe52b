import { beforeEach, expect, test, vi } from "vitest";
import { StudyLine } from "../src/lib/studyline.svelte";
import type { LoadedLine, ReviewView } from "../src/lib/types";

// Positions are named by the moves that lead there.
const fen = (moves: string[]) => ["start", ...moves].join(" ");

vi.mock("../src/lib/catalog.svelte", () => ({
  catalog: { find: async (spec: string) => ({ spec, seats: ["white", "black"] }) },
}));
vi.mock("../src/lib/api", () => ({
  api: {
    study: {
      line: async ({ moves }: LoadedLine) => ({
        moves,
        positions: [...moves.keys(), moves.length].map((ply) => ({
          fen: fen(moves.slice(0, ply)),
        })),
      }),
      position: async ({ moves }: LoadedLine) => ({ fen: fen(moves) }),
    },
  },
}));

const step = (moves: string[]) => ({ ply: moves.length, fen: fen(moves) }) as ReviewView;
let line: StudyLine;

beforeEach(async () => {
  line = new StudyLine();
  await line.load({ game: "english", fen: null, moves: ["a", "b", "c"] });
});

test("a verdict belongs to a position of the line", () => {
  line.noteReview(step(["a", "b"]));
  expect([...line.reviewed.keys()]).toEqual([2]);
});

test("a verdict on a line that was left is not kept", async () => {
  await line.load({ game: "english", fen: null, moves: ["x", "y", "z"] });
  line.noteReview(step(["a", "b"]));
  line.noteReview(step(["a", "b", "c", "d"]));
  expect(line.reviewed.size).toBe(0);
});

test("another move keeps the verdicts on the moves before it", async () => {
  line.noteReview(step([]));
  line.noteReview(step(["a"]));
  await line.replace(["a", "x"]);
  expect([...line.reviewed.keys()]).toEqual([0]);
});
