import { beforeEach, expect, test, vi } from "vitest";
import { StudyTree } from "../src/lib/studytree.svelte";
import type { Line, ReviewView } from "../src/lib/types";

// Positions are named by the moves that lead there.
const fen = (moves: string[]) => ["start", ...moves].join(" ");

vi.mock("../src/lib/catalog.svelte", () => ({
  catalog: { find: async (spec: string) => ({ spec, seats: ["white", "black"] }) },
}));
vi.mock("../src/lib/api", () => ({
  api: {
    study: {
      line: async ({ moves }: Required<Line>) => ({
        moves,
        positions: [...moves.keys(), moves.length].map((ply) => ({
          fen: fen(moves.slice(0, ply)),
          to_move: ply % 2,
        })),
      }),
      position: async ({ moves }: Required<Line>) => ({ fen: fen(moves) }),
    },
  },
}));

let tree: StudyTree;
const here = () => tree.here.moves.join(" ");
const moves = (id: number) => tree.children(id).map(({ move }) => move);

beforeEach(async () => {
  tree = new StudyTree();
  await tree.load({ game: "english", fen: null, moves: ["a", "b", "c"] });
});

test("another move is a variation, and the game stays", async () => {
  await tree.go(1);
  await tree.play("x");
  expect(here()).toBe("a x");
  expect(moves(1)).toEqual(["b", "x"]);
  await tree.go(1);
  await tree.play("b");
  expect(tree.whole.moves).toEqual(["a", "b", "c"]);
  expect(tree.nodes).toHaveLength(5);
});

test("a variation is promoted, deleted, and each edit undone", async () => {
  await tree.go(0);
  const end = await tree.addLine(0, ["x", "y"], { visit: true });
  tree.promote(end);
  expect(moves(0)).toEqual(["x", "a"]);
  expect(tree.branchOf(end)).toBeNull();
  await tree.remove(end);
  expect(here()).toBe("x");
  await tree.undo();
  expect(here()).toBe("x y");
  await tree.undo();
  expect(moves(0)).toEqual(["a", "x"]);
  await tree.undo();
  expect(moves(0)).toEqual(["a"]);
  expect(tree.canUndo).toBe(false);
});

test("marks of strength exclude each other, comments and arrows are kept", () => {
  tree.toggleNag(1, 1);
  tree.toggleNag(1, 2);
  tree.comment(1, "good");
  tree.toggleArrow(1, { tail: 3, head: 4, color: "green" });
  expect(tree.data().nodes[1]).toMatchObject({ nags: [2], comment: "good", arrows: [{ head: 4 }] });
  tree.toggleArrow(1, { tail: 3, head: 4, color: "green" });
  expect(tree.data().nodes[1]?.arrows).toEqual([]);
});

test("what goes to the server comes back the same, each node after its parent", async () => {
  await tree.addLine(0, ["x", "y"]);
  await tree.addLine(1, ["z"]);
  const data = tree.data();
  expect(data.nodes.map(({ move, parent }) => [move, parent])).toEqual([
    ["", 0],
    ["a", 0],
    ["b", 1],
    ["c", 2],
    ["z", 1],
    ["x", 0],
    ["y", 5],
  ]);
  const again = new StudyTree();
  await again.load(data);
  expect(again.data()).toEqual(data);
});

test("a verdict stays with its position, whatever is played afterwards", async () => {
  const line = tree.line.map(({ id }) => id);
  tree.noteReview({ ply: 1, value: 0.5, fen: fen(["a"]) } as ReviewView, line);
  await tree.go(0);
  await tree.play("x");
  expect(tree.reviewed.get(1)?.value).toBe(0.5);
  expect(tree.chances(0)).toEqual([null, null]);
  await tree.visit(1);
  expect(tree.chances(1)[1]).toBe(0.75);
});

test("a file that cannot be loaded leaves the present work alone", async () => {
  tree.comment(1, "mine");
  const before = tree.data();
  const nodes = [{ ...before.nodes[0], parent: 0 }] as typeof before.nodes;
  const broken = {
    ...before,
    get nodes(): typeof nodes {
      throw new Error("broken");
    },
  };
  await expect(tree.load(broken)).rejects.toThrow("broken");
  expect(tree.data()).toEqual(before);
});
