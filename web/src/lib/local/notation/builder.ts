// Puts what a text says, piece by piece, into a tree; as boardzero.games.notation.tree_builder. A
// line in which something is wrong ends there; what stands in it later is passed over.

import type { Move } from "../core";
import { openAgain, type State } from "../game";
import { readComment } from "./annotations";
import { joined, type Tree, type TreeNode } from "./tree";

/** The tree so far, and where in it the text goes on. */
export class TreeBuilder {
  #node: TreeNode | null; // null where a line has ended before its time
  #opened: (TreeNode | null)[] = []; // where the lines go on that variations interrupt
  #starting = ""; // a comment before the first move of a variation
  #fresh = false; // such a move is next

  constructor(readonly tree: Tree) {
    this.#node = tree.root;
  }

  get inVariation(): boolean {
    return this.#opened.length > 0;
  }
  get hasMoves(): boolean {
    return this.tree.root.variations.length > 0;
  }
  /** Where the next move is played; null in a line that is lost. */
  get position(): State | null {
    return this.#node && openAgain(this.#node.position);
  }

  move(move: Move) {
    if (!this.#node) return;
    this.#node = this.#node.add(move, this.#starting);
    [this.#fresh, this.#starting] = [false, ""];
    if (!this.inVariation) this.#node.promote(); // a variation may have begun with the same move
  }

  comment(text: string) {
    if (this.#fresh) this.#starting = joined(this.#starting, text);
    else if (this.#node) readComment(this.#node, this.tree.game, text);
  }

  nag(glyph: number | undefined) {
    const node = this.#node;
    if (node && glyph !== undefined && !this.#fresh && !node.nags.includes(glyph)) {
      node.nags.push(glyph);
    }
  }

  /** A variation begins, with another move than the last one; false if there is none. */
  open(): boolean {
    const node = this.#node;
    this.#opened.push(node);
    if (!node) return true;
    if (!node.parent || this.#fresh) {
      this.lose();
      return false;
    }
    [this.#node, this.#fresh] = [node.parent, true];
    return true;
  }

  close() {
    this.#node = this.#opened.pop() ?? null;
    [this.#fresh, this.#starting] = [false, ""];
  }

  /** This line cannot be followed any more. */
  lose() {
    [this.#node, this.#fresh, this.#starting] = [null, false, ""];
  }
}
