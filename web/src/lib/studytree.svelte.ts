// A game that is being studied: its variations and what is said about them, where the person is,
// and what analysis found. The line that is shown goes through the current node to its end.

import { api } from "./api";
import { catalog } from "./catalog.svelte";
import type {
  AnalysisView,
  ArrowData,
  BoardView,
  EvaluationData,
  GameInfo,
  Line,
  MoveView,
  PositionView,
  ReviewView,
  TreeData,
} from "./types";

export type StudyNode = {
  id: number;
  parent: number; // the root, 0, is its own
  move: string;
  comment: string;
  nags: number[];
  evaluation: EvaluationData | null;
  arrows: ArrowData[];
};
export type PlainLine = { game: string; fen: string | null; moves: string[] };
type Snapshot = { nodes: StudyNode[]; at: number; tip: number };

const EMPTY = { comment: "", nags: [], evaluation: null, arrows: [] };
const ROOT: StudyNode = { id: 0, parent: 0, move: "", ...EMPTY };
const MOST_UNDO = 100;

export class StudyTree {
  info = $state.raw<GameInfo | null>(null);
  fen = $state.raw<string | null>(null);
  tags = $state.raw<Record<string, string>>({});
  result = $state("*");
  nodes = $state.raw<StudyNode[]>([ROOT]); // of two with one parent, the first is the main line
  at = $state(0);
  tip = $state(0); // the end of the line that is shown
  boards = $state.raw<Map<number, BoardView>>(new Map()); // by node
  playable = $state.raw<PositionView | null>(null); // the current position with its legal moves
  analyses = $state.raw<Map<string, AnalysisView>>(new Map()); // by FEN
  reviewed = $state.raw<Map<number, ReviewView>>(new Map()); // by the node of the position
  edits = $state(0); // how often something was changed that is worth keeping
  #next = 1;
  #past = $state.raw<Snapshot[]>([]);

  #byId = $derived(new Map(this.nodes.map((node) => [node.id, node])));
  #children = $derived.by(() => {
    const found = new Map<number, StudyNode[]>();
    for (const node of this.nodes) {
      if (node.id === 0) continue;
      const among = found.get(node.parent);
      if (among) among.push(node);
      else found.set(node.parent, [node]);
    }
    return found;
  });
  /** The nodes of the line that is shown, the root first. */
  line = $derived(this.path(this.tip));
  ply = $derived(
    Math.max(
      0,
      this.line.findIndex((node) => node.id === this.at),
    ),
  );
  moves = $derived(this.line.slice(1).map((node) => node.move));
  positions = $derived(
    this.line.flatMap((node) => {
      const board = this.boards.get(node.id);
      return board ? [board] : [];
    }),
  );

  get current(): BoardView | undefined {
    return this.boards.get(this.at);
  }
  get node(): StudyNode {
    return this.#byId.get(this.at) ?? ROOT;
  }
  get canUndo(): boolean {
    return this.#past.length > 0;
  }
  /** The line up to where the person is. */
  get here(): PlainLine {
    return this.#lineTo(this.at);
  }
  get whole(): PlainLine {
    return this.#lineTo(this.tip);
  }

  children(id: number): StudyNode[] {
    return this.#children.get(id) ?? [];
  }

  path(id: number): StudyNode[] {
    const found: StudyNode[] = [];
    let node = this.#byId.get(id);
    while (node && node.id !== 0) {
      found.push(node);
      node = this.#byId.get(node.parent);
    }
    return [this.#byId.get(0) ?? ROOT, ...found.reverse()];
  }

  /** Another game; what was studied before is gone from here, and kept where it was saved. */
  async load(game: PlainLine | TreeData, ply?: number) {
    const info = await catalog.find(game.game);
    const nodes = "nodes" in game ? fromData(game) : fromMoves(game.moves);
    const tip = endOf(nodes, 0);
    const before = { info: this.info, nodes: this.nodes };
    try {
      const line = nodes.length > 1 ? movesTo(nodes, tip) : [];
      const view = await api.study.line({ game: game.game, fen: game.fen, moves: line });
      this.info = info;
      this.fen = game.fen;
      this.tags = "tags" in game ? game.tags : {};
      this.result = "result" in game ? game.result : "*";
      this.nodes = nodes;
      this.#next = nodes.length;
      this.#past = [];
      this.reviewed = new Map();
      this.at = 0;
      this.tip = tip;
      this.boards = new Map(this.line.map((node, i) => [node.id, view.positions[i] as BoardView]));
    } catch (reason) {
      [this.info, this.nodes] = [before.info, before.nodes];
      throw reason;
    }
    await this.go(ply ?? this.line.length - 1);
  }

  /** Along the line that is shown. */
  async go(ply: number) {
    const node = this.line[Math.max(0, Math.min(ply, this.line.length - 1))];
    if (node) await this.visit(node.id);
  }

  /** To any node. */
  async visit(id: number) {
    if (!this.#byId.has(id)) return;
    const tip = this.line.some((node) => node.id === id) ? this.tip : endOf(this.nodes, id);
    await this.#show(tip);
    this.tip = tip;
    this.at = id;
    const playable = await api.study.position(this.#lineTo(id));
    if (this.at === id) this.playable = playable;
  }

  /** A move on the board: along the tree, or a new branch of it. */
  async play(move: MoveView | string) {
    const text = typeof move === "string" ? move : move.text;
    await this.visit(this.#add(this.at, [text]));
  }

  /** Moves that follow a node become a variation, unless they are there; stays where the person is. */
  async addLine(from: number, moves: string[], { visit = false } = {}) {
    const end = this.#add(from, moves);
    if (visit) await this.visit(end);
    return end;
  }

  note(analysis: AnalysisView) {
    this.analyses = new Map(this.analyses).set(analysis.fen, analysis);
  }

  /** What a review says of a position of the line that it was asked about. */
  noteReview(step: ReviewView, line: number[]) {
    const id = line[step.ply];
    if (id === undefined || !this.#byId.has(id)) return;
    this.reviewed = new Map(this.reviewed).set(id, step);
  }

  // Edits. Each can be undone.

  comment(id: number, comment: string) {
    if (this.#byId.get(id)?.comment !== comment) this.#change(id, { comment });
  }

  toggleNag(id: number, nag: number) {
    const nags = this.#byId.get(id)?.nags ?? [];
    const others = nags.filter((one) => one !== nag && (nag > 6 || one > 6));
    this.#change(id, { nags: nags.includes(nag) ? others : [nag, ...others] });
  }

  toggleArrow(id: number, arrow: ArrowData) {
    const arrows = this.#byId.get(id)?.arrows ?? [];
    const rest = arrows.filter(({ tail, head }) => tail !== arrow.tail || head !== arrow.head);
    this.#change(id, { arrows: rest.length < arrows.length ? rest : [...rest, arrow] });
  }

  clearArrows(id: number) {
    this.#change(id, { arrows: [] });
  }

  /** Everything that a review says, at once and as one edit. */
  annotate(changes: Map<number, Partial<StudyNode>>) {
    this.#remember();
    this.nodes = this.nodes.map((node) => ({ ...node, ...changes.get(node.id) }));
  }

  /** The variation that a node is in becomes the main one where it branches off. */
  promote(id: number) {
    const branch = this.branchOf(id);
    if (branch === null) return;
    this.#remember();
    const node = this.#byId.get(branch) as StudyNode;
    const rest = this.nodes.filter((other) => other.id !== branch);
    const first = rest.findIndex((other) => other.id !== 0 && other.parent === node.parent);
    this.nodes = [...rest.slice(0, first), node, ...rest.slice(first)];
  }

  /** The first node of the variation that a node is in; null on the main line. */
  branchOf(id: number): number | null {
    for (const node of this.path(id).slice(1).reverse()) {
      if (this.children(node.parent)[0]?.id !== node.id) return node.id;
    }
    return null;
  }

  /** A node and all that follows it go. */
  async remove(id: number) {
    const node = this.#byId.get(id);
    if (!node || id === 0) return;
    this.#remember();
    const gone = new Set([id]);
    let grown = true;
    while (grown) {
      const more = this.nodes.filter(
        (one) => gone.has(one.parent) && !gone.has(one.id) && one.id !== 0,
      );
      for (const one of more) gone.add(one.id);
      grown = more.length > 0;
    }
    const at = gone.has(this.at) ? node.parent : this.at;
    this.nodes = this.nodes.filter((one) => !gone.has(one.id));
    this.tip = endOf(this.nodes, at);
    await this.visit(at);
  }

  async undo() {
    const last = this.#past.at(-1);
    if (!last) return;
    this.#past = this.#past.slice(0, -1);
    this.edits += 1;
    await this.#learn(movesTo(last.nodes, last.tip), pathIds(last.nodes, last.tip));
    [this.nodes, this.tip] = [last.nodes, last.tip];
    await this.visit(last.at);
  }

  /** The tree for the server and for files: each node after its parent, main lines first. */
  data(): TreeData {
    const order: StudyNode[] = [];
    const waiting = [this.#byId.get(0) ?? ROOT];
    while (waiting.length) {
      const node = waiting.pop() as StudyNode;
      order.push(node);
      waiting.push(...[...this.children(node.id)].reverse());
    }
    const number = new Map(order.map((node, i) => [node.id, i]));
    return {
      game: this.info?.spec ?? "",
      fen: this.fen,
      tags: this.tags,
      result: this.result,
      nodes: order.map(({ id: _, ...node }) => ({ ...node, parent: number.get(node.parent) ?? 0 })),
    };
  }

  /** The number of the current node in `data`, for the address. */
  get place(): number {
    let count = 0;
    const waiting = [0];
    while (waiting.length) {
      const id = waiting.pop() as number;
      if (id === this.at) return count;
      count += 1;
      waiting.push(
        ...this.children(id)
          .map((node) => node.id)
          .reverse(),
      );
    }
    return 0;
  }

  /** Winning chances of a seat at each ply of the line, in [0, 1], as far as known. */
  chances(seat: number): (number | null)[] {
    const players = this.info?.seats.length ?? 2;
    return this.line.map((node) => {
      const position = this.boards.get(node.id);
      if (!position) return null;
      if (position.ending) {
        const { winner } = position.ending;
        return winner === null ? 0.5 : winner === seat ? 1 : 0;
      }
      const known = this.analyses.get(position.fen)?.value ?? this.reviewed.get(node.id)?.value;
      const [value, mover] =
        known == null ? [node.evaluation?.value, node.evaluation?.seat] : [known, position.to_move];
      if (value == null) return null;
      if (mover === seat) return (value + 1) / 2;
      return players === 2 ? (1 - value) / 2 : null;
    });
  }

  #lineTo(id: number): PlainLine {
    const moves = this.path(id)
      .slice(1)
      .map((node) => node.move);
    return { game: this.info?.spec ?? "", fen: this.fen, moves };
  }

  #add(from: number, moves: string[]): number {
    let parent = from;
    const added: StudyNode[] = [];
    for (const move of moves) {
      const known = added.length
        ? undefined
        : this.children(parent).find((node) => node.move === move);
      if (known) {
        parent = known.id;
        continue;
      }
      added.push({ id: this.#next, parent, move, ...EMPTY });
      parent = this.#next;
      this.#next += 1;
    }
    if (added.length) {
      this.#remember();
      this.nodes = [...this.nodes, ...added];
    }
    return parent;
  }

  #change(id: number, change: Partial<StudyNode>) {
    this.#remember();
    this.nodes = this.nodes.map((node) => (node.id === id ? { ...node, ...change } : node));
  }

  #remember() {
    const now = { nodes: this.nodes, at: this.at, tip: this.tip };
    this.#past = [...this.#past.slice(-MOST_UNDO), now];
    this.edits += 1;
  }

  /** Makes sure that all positions of a line are known. */
  async #show(tip: number) {
    const ids = this.path(tip).map((node) => node.id);
    if (ids.every((id) => this.boards.has(id))) return;
    await this.#learn(this.#lineTo(tip).moves, ids);
  }

  async #learn(moves: string[], ids: number[]) {
    const line: Line = { game: this.info?.spec ?? "", fen: this.fen, moves };
    const { positions } = await api.study.line(line);
    const boards = new Map(this.boards);
    for (const [i, id] of ids.entries()) boards.set(id, positions[i] as BoardView);
    this.boards = boards;
  }
}

function fromMoves(moves: string[]): StudyNode[] {
  return [ROOT, ...moves.map((move, i) => ({ id: i + 1, parent: i, move, ...EMPTY }))];
}

function fromData({ nodes }: TreeData): StudyNode[] {
  return nodes.map((node, id) => ({ ...node, id }));
}

function endOf(nodes: StudyNode[], id: number): number {
  const first = new Map<number, number>();
  for (const node of nodes) {
    if (node.id !== 0 && !first.has(node.parent)) first.set(node.parent, node.id);
  }
  let end = id;
  for (let next = first.get(end); next !== undefined; next = first.get(end)) end = next;
  return end;
}

function pathIds(nodes: StudyNode[], id: number): number[] {
  const parents = new Map(nodes.map((node) => [node.id, node.parent]));
  const found: number[] = [];
  for (let at = id; at !== 0; at = parents.get(at) ?? 0) found.push(at);
  return [0, ...found.reverse()];
}

function movesTo(nodes: StudyNode[], id: number): string[] {
  const moves = new Map(nodes.map((node) => [node.id, node.move]));
  return pathIds(nodes, id)
    .slice(1)
    .map((at) => moves.get(at) ?? "");
}
