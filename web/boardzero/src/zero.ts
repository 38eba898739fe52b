// A player with a trained model: a PUCT search whose leaves its nets evaluate; as
// boardzero.players.zero_player. A sparse net does it in the core, residual ones by their runtime.

import type { Core, Pointer } from "./core.js";
import type { Net } from "./onnx.js";
import type { Budget, CoreMove, SearchReport, ZeroOptions } from "./protocol.js";
import { randomNumbers } from "./random.js";

const ENDLESS = 1_000_000_000; // simulations, where only time bounds the search
const AHEAD = 0.2; // better than a draw by this much
const BATCH = 8; // leaves that a search against time has evaluated at once
const CHILDREN = 64; // that are evaluated together, where a search evaluates all of a node's
const SLICE_SECONDS = 0.02; // that a sparse net searches before anybody may stop it

/** What is known about a model: its `card.json`. */
export interface ModelCard {
  nets: { file: string; encoding: string; policy: string; history: number }[];
  search: {
    simulations: number;
    root: string;
    child_values: boolean;
    random_ties: boolean;
    noise_weight: number;
    [option: string]: number | string | boolean;
  };
  plan: {
    trees: {
      nets: number[];
      follows: number | null;
      value_share: number;
      prior_share: number;
    }[];
    turns: number[];
  };
}

/** The nets of a model, opened: one of the core, or several of the runtime. */
export type Nets = { sparse: Pointer } | { residual: Net[] };

/** Where to search from, and how it came about. The position stays its owner's. */
export interface Root {
  state: Pointer;
  players: number;
  mover: number;
  /** The name of the game's beginning: equal actions from equal beginnings lead to equal states. */
  beginning: string;
  /** All that were played since then. */
  actions: readonly number[];
  /** An earlier position, at least so many moves or actions ago, and the actions since. */
  before(actions: number): { state: Pointer; since: readonly number[] };
  /** The keys of all earlier positions. */
  keys(): Set<string>;
}

export interface Hooks {
  interrupted(): boolean;
  progress(soFar: SearchReport): void;
}

interface RootAction {
  action: number;
  visits: number;
  value: number;
  prior: number;
  proven: boolean;
}

interface Collected {
  rows: number; // -1 when done
  net: number;
  shape: number[];
}

const now = () => performance.now() / 1000;
const pause = () => new Promise((resolve) => setTimeout(resolve));

export class Zero {
  readonly #core: Core;
  readonly #card: ModelCard;
  readonly #nets: Nets;
  readonly #tables: Pointer;
  readonly #options: ZeroOptions;
  readonly #random: () => number;
  readonly #history: number;
  #search: Pointer = 0; // the last one, with its tree, where only time bounds it
  #last: { beginning: string; actions: readonly number[] } | null = null; // its root

  constructor(core: Core, card: ModelCard, nets: Nets, tables: Pointer, options: ZeroOptions) {
    this.#core = core;
    this.#card = card;
    this.#nets = nets;
    this.#tables = tables;
    this.#options = options;
    this.#random = options.seed === null ? Math.random : randomNumbers(options.seed);
    this.#history = "sparse" in nets ? 0 : Math.max(...card.nets.map(({ history }) => history));
  }

  async choose(root: Root, budget: Budget, every: number, hooks: Hooks): Promise<SearchReport> {
    const begun = now();
    const end = budget.seconds === null ? Number.POSITIVE_INFINITY : begun + budget.seconds;
    const simulations = this.#simulations(budget);
    const endless = simulations >= ENDLESS;
    const kept = endless ? this.#goOn(root) : 0;
    const known = budget.seconds === null && this.#options.temperature === 0;
    if (!kept) this.newGame();
    const search = kept || this.#begin(root, known);
    const position = this.#core.make("state_clone", root.state);
    const keys = root.keys();
    const told = () => ({
      ...this.#core.ask<SearchReport>("puct_report", search, root.state),
      seconds: now() - begun,
    });
    const actions: number[] = [];
    let first: SearchReport | null = null;
    let done = 0;
    try {
      for (;;) {
        // A capture of several jumps is several actions, each searched.
        const legal = this.#core.ask<number[]>("state_actions", position);
        let action = legal[0] as number;
        if (legal.length > 1 || !first) {
          const tell = first ? () => undefined : () => hooks.progress(told());
          await this.#run(search, simulations, end, every, hooks.interrupted, tell);
          done += this.#core.call("puct_done", search) as number;
          first ??= told();
          const found = this.#core.ask<RootAction[]>("puct_actions", search);
          action = this.#pick(this.#withoutRepetition(position, keys, found, root.players));
        }
        this.#last = { beginning: root.beginning, actions: [...root.actions, ...actions] };
        keys.add(this.#core.ask<string>("state_key", position));
        this.#core.call("state_play_action", position, action);
        actions.push(action);
        const [chosen] = this.#core.ask<CoreMove[]>(
          "state_move_of",
          root.state,
          new Int32Array(actions),
        );
        if (chosen) {
          // The steps that follow may have changed what the first one led to expect.
          const pv = first.pv[0] === chosen.text ? first.pv : [chosen.text];
          const value = first.values?.[root.mover] ?? 0;
          return { ...first, chosen, pv, value, nodes: done, seconds: now() - begun };
        }
        this.#core.call("puct_follow", search, new Int32Array([action]));
      }
    } finally {
      this.#core.call("state_free", position);
      if (endless) this.#search = search;
      else this.#core.call("puct_free", search);
    }
  }

  /** Forgets the last search. */
  newGame(): void {
    if (this.#search) this.#core.call("puct_free", this.#search);
    this.#search = 0;
    this.#last = null;
  }

  #simulations({ nodes, seconds }: Budget): number {
    const usual = this.#card.search.simulations * this.#card.plan.turns.length;
    return nodes ?? (seconds === null ? usual : ENDLESS);
  }

  /** The last search, if the game has come here from where it was. */
  #goOn({ beginning, actions }: Root): Pointer {
    const last = this.#last;
    if (!this.#search || last?.beginning !== beginning) return 0;
    if (last.actions.some((action, i) => actions[i] !== action)) return 0;
    const since = actions.slice(last.actions.length);
    this.#core.call("puct_follow", this.#search, new Int32Array(since));
    return this.#search;
  }

  /** A search from here; a net that sees earlier positions gets to see those of the game. */
  #begin(root: Root, known: boolean): Pointer {
    const { state, since } = root.before(this.#history);
    const search = this.#core.make(
      "puct_new",
      state,
      this.#settings(known),
      "sparse" in this.#nets ? this.#nets.sparse : 0,
      this.#tables,
    );
    this.#core.call("puct_follow", search, new Int32Array(since));
    return search;
  }

  /** A Gumbel root shares out a number of simulations that it must `know` beforehand. */
  #settings(known: boolean): string {
    const { search, plan, nets } = this.#card;
    const { noise, c_puct, memory } = this.#options;
    const byLot = noise || search.random_ties;
    const lines: [string, unknown][] = Object.entries({
      ...search,
      c_puct: c_puct || search.c_puct,
      root: known ? search.root : "puct",
      noise_weight: noise ? search.noise_weight : 0,
      memory,
      seed: byLot ? Math.floor(this.#random() * 2 ** 48) : 0,
      trees: plan.trees.length,
      turns: plan.turns.join(),
      nets: nets.length,
    });
    for (const [i, tree] of plan.trees.entries()) {
      lines.push([`tree_nets.${i}`, tree.nets.join()], [`tree_follows.${i}`, tree.follows ?? -1]);
      lines.push([`tree_value_share.${i}`, tree.value_share]);
      lines.push([`tree_prior_share.${i}`, tree.prior_share]);
    }
    for (const [i, { encoding, policy, history }] of nets.entries()) {
      lines.push([`net_encoding.${i}`, encoding], [`net_policy.${i}`, policy]);
      lines.push([`net_history.${i}`, history]);
    }
    return lines.map(([name, value]) => `${name}=${value}`).join("\n");
  }

  async #run(
    search: Pointer,
    simulations: number,
    end: number,
    every: number,
    interrupted: () => boolean,
    tell: () => void,
  ): Promise<void> {
    this.#core.call("puct_simulations", search, simulations);
    const exact = simulations < ENDLESS;
    let told = now();
    for (let time = told; await this.#advance(search, exact, end - time); ) {
      time = now();
      if (time >= end) return;
      if (time - told < every) continue;
      tell();
      told = time;
      await pause(); // a wish to stop is heard
      if (interrupted()) return;
    }
  }

  /** Lets a search go on for a moment; false when it is done. */
  async #advance(search: Pointer, exact: boolean, seconds: number): Promise<boolean> {
    if ("sparse" in this.#nets) {
      const slice = Math.max(0, Math.min(seconds, SLICE_SECONDS));
      return this.#core.call("puct_run", search, slice) !== 0;
    }
    // One by one, so that every simulation knows the one before; but children are a batch.
    const atOnce = this.#card.search.child_values ? CHILDREN : 1;
    const { rows, net, shape } = this.#core.ask<Collected>(
      "puct_collect",
      search,
      exact ? atOnce : BATCH,
    );
    if (rows <= 0) return rows === 0;
    const size = shape.reduce((product, extent) => product * extent, rows);
    const planes = this.#core.floats("puct_planes", search, size);
    const nets = this.#nets.residual;
    const found = await nets[net]?.evaluate(planes, [rows, ...shape]);
    if (!found) throw new Error("this model lacks a net that its plan names");
    this.#core.call("puct_receive", search, found.policy, found.value);
    return true;
  }

  #pick(candidates: readonly RootAction[]): number {
    const [best] = candidates;
    if (!best) throw new Error("the search found no move");
    const { temperature } = this.#options;
    if (temperature === 0 || (best.proven && best.value >= 1)) return best.action;
    // The prior lets a rising temperature reach moves that the search did not try.
    const scores = candidates.map(({ visits, prior }) => visits + prior);
    const most = Math.max(...scores) || 1;
    const weights = scores.map((score) => (score / most) ** (1 / temperature));
    let rest = this.#random() * weights.reduce((sum, weight) => sum + weight, 0);
    const drawn = candidates.find((_, i) => {
      rest -= weights[i] ?? 0;
      return rest < 0;
    });
    return (drawn ?? best).action;
  }

  /** The candidates, unless the best one brings an earlier position back and the mover is ahead. */
  #withoutRepetition(
    position: Pointer,
    keys: ReadonlySet<string>,
    found: RootAction[],
    players: number,
  ): RootAction[] {
    const [best] = found;
    const draw = 2 / players - 1;
    const repeats = ({ action }: RootAction) => {
      const after = this.#core.make("state_clone", position);
      this.#core.call("state_play_action", after, action);
      const key = this.#core.ask<string>("state_key", after);
      this.#core.call("state_free", after);
      return keys.has(key);
    };
    if (!best || best.value < draw + AHEAD || !keys.size || !repeats(best)) return found;
    const good = Math.max(draw, best.value - AHEAD);
    const tried = best.visits / 20; // enough that the value means something
    const others = found.filter((c) => c.value >= good && c.visits >= tried && !repeats(c));
    return others.length ? others : found;
  }
}
