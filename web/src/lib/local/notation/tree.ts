// A game with all that is known about it, as the notations read and write it; as boardzero.games.tree.

import { Refused } from "../../api/api";
import type { ArrowData, EvaluationData, NodeData, TreeData } from "../../types";
import type { Move } from "../core";
import { type Game, openAgain, type State } from "../game";

const MOST_NODES = 20_000; // of one tree

/** A position of a game tree. The first of its variations is the main line. */
export class TreeNode {
  readonly variations: TreeNode[] = [];
  readonly ply: number; // moves since the root
  comment = "";
  startingComment = ""; // before the move, at the beginning of a variation
  nags: number[] = []; // numeric annotation glyphs: 1 is "!", 2 is "?"
  evaluation: EvaluationData | null = null;
  arrows: ArrowData[] = [];

  constructor(
    readonly position: State, // without what was played before
    readonly move: Move | null, // null at the root
    readonly parent: TreeNode | null,
  ) {
    this.ply = parent ? parent.ply + 1 : 0;
  }

  /** The node after a legal move, new or, where the move is known, the one that is there. */
  add(move: Move | string, startingComment = ""): TreeNode {
    const open = openAgain(this.position);
    const made = typeof move === "string" ? open.parse(move) : move;
    let node = this.variations.find((one) => one.move?.text === made.text);
    if (!node) {
      node = new TreeNode(open.after(made).withoutHistory(), made, this);
      this.variations.push(node);
    }
    node.startingComment = joined(node.startingComment, startingComment);
    return node;
  }

  /** First among the variations of its parent. */
  promote() {
    const among = this.parent?.variations ?? [];
    among.splice(among.indexOf(this), 1);
    among.unshift(this);
  }
}

/** A game from its beginning: the rules, the tags (names, date, event) and the result. */
export class Tree {
  readonly root: TreeNode;
  readonly tags: Map<string, string>;
  result: string; // points of who begins and of the other; "*" while unknown

  constructor(
    readonly game: Game,
    { start, tags, result }: { start?: State; tags?: Iterable<[string, string]>; result?: string },
  ) {
    this.root = new TreeNode((start ?? game.start()).withoutHistory(), null, null);
    this.tags = new Map(tags);
    this.result = result ?? "*";
  }

  get beginsAsUsual(): boolean {
    return this.root.position.equals(this.game.start());
  }

  /** All nodes, each before what follows it, main lines first; however deep, by no recursion. */
  *walk(): Generator<TreeNode> {
    const waiting = [this.root];
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      yield node;
      waiting.push(...[...node.variations].reverse());
    }
  }

  data(): TreeData {
    const numbers = new Map<TreeNode, number>();
    const nodes: NodeData[] = [];
    for (const node of this.walk()) {
      if (nodes.length === MOST_NODES) break;
      numbers.set(node, nodes.length);
      nodes.push({
        parent: node.parent ? (numbers.get(node.parent) ?? 0) : 0,
        move: node.move?.text ?? "",
        comment: `${node.startingComment} ${node.comment}`.trim(),
        nags: [...node.nags],
        evaluation: node.evaluation,
        arrows: [...node.arrows],
      });
    }
    return {
      game: this.game.spec,
      fen: this.beginsAsUsual ? null : this.root.position.fen,
      tags: Object.fromEntries(this.tags),
      result: this.result,
      nodes,
    };
  }

  /** The tree that such data describes; says which node is wrong. */
  static of(game: Game, data: TreeData): Tree {
    const tree = new Tree(game, {
      start: game.start(data.fen),
      tags: Object.entries(data.tags),
      result: data.result,
    });
    const nodes: TreeNode[] = [];
    for (const [number, one] of data.nodes.entries()) {
      const parent = nodes[one.parent];
      if (number && !parent)
        throw new Refused(`node ${number} of the tree stands before its parent`);
      let node = tree.root;
      try {
        if (number && parent) node = parent.add(one.move);
      } catch (error) {
        throw new Refused(`node ${number} of the tree: ${(error as Error).message}`);
      }
      node.comment = one.comment;
      node.nags = [...one.nags];
      if (one.evaluation && one.evaluation.seat < game.players) node.evaluation = one.evaluation;
      const { places } = game.geometry;
      node.arrows = one.arrows.filter(({ tail, head }) => places.has(tail) && places.has(head));
      nodes.push(node);
    }
    return tree;
  }
}

/** Two comments as one, spaces made single. */
export const joined = (text: string, more: string): string => oneLine(`${text} ${more}`);
export const oneLine = (text: string): string => text.split(/\s+/).filter(Boolean).join(" ");
