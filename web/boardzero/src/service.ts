// What a worker does with the core: positions, evaluations, tables and searches.

import { Core, CoreFault, type Pointer } from "./core.js";
import { type Look, lookOf, nearBest } from "./near.js";
import { openNet } from "./onnx.js";
import type {
  Budget,
  Calls,
  CoreMove,
  Evaluation,
  NearBest,
  Place,
  Plan,
  SearchReport,
  Setup,
  StateView,
} from "./protocol.js";
import { randomNumbers } from "./random.js";
import type { Move, TableResult } from "./types.js";
import { type ModelCard, type Nets, type Root, Zero } from "./zero.js";

const REMEMBERED = 64; // positions
const UNBOUNDED = 2n ** 64n - 1n;
const RESULTS: Record<number, TableResult> = { 1: "win", 0: "draw", [-1]: "loss" };

interface Position {
  pointer: Pointer;
  last: CoreMove | null;
  actions: readonly number[]; // all that were played
}

/** A search and what it searched last. */
interface Thinker {
  key: string;
  pointer: Pointer;
  kind: "search" | "uct";
  root: Place | null;
}

interface Model {
  card: ModelCard;
  nets: Nets;
}

/** A look at what lies in front, of a player that errs. */
interface Looker {
  key: string;
  pointer: Pointer | null; // or there is nothing to look for
  look: Look | null;
  random: () => number;
}

export class Service implements Calls {
  readonly #setup: Setup;
  readonly #flag: Int32Array | null;
  readonly #fetch: (address: string) => Promise<Uint8Array>;
  #core: Core;
  #positions = new Map<string, Position>();
  #files = new Map<string, Promise<Pointer>>(); // nets and tables by address
  #thinker: Thinker | null = null;
  #looker: Looker | null = null;
  #models = new Map<string, Promise<Model>>(); // by the address of their folder
  #zero: { key: string; player: Zero } | null = null;
  #stopped = false;

  /** Told what is known of the search that runs. */
  progress: ((report: SearchReport) => void) | null = null;

  constructor(setup: Setup, fetchBytes: (address: string) => Promise<Uint8Array>) {
    this.#setup = setup;
    this.#flag = setup.flag && new Int32Array(setup.flag);
    this.#fetch = fetchBytes;
    this.#core = this.#start();
  }

  /** Bytes of memory that the core has taken. */
  get bytes(): number {
    return this.#core.bytes;
  }

  /** Ends a search that pauses now and then; others look at the flag. */
  stop(): void {
    this.#stopped = true;
  }

  /** Answers a request; where the core is broken, the next one finds a new core. */
  async answer(name: keyof Calls, given: unknown[]): Promise<unknown> {
    try {
      return await (this[name] as (...given: unknown[]) => unknown)(...given);
    } catch (error) {
      if (error instanceof CoreFault) this.#restart();
      throw error;
    }
  }

  view(place: Place): StateView {
    return this.#view(this.#position(place));
  }

  line(place: Place): StateView[] {
    return [...place.moves.keys(), place.moves.length].map((count) =>
      this.view({ ...place, moves: place.moves.slice(0, count) }),
    );
  }

  parse(place: Place, text: string): Move {
    return this.#core.ask<CoreMove>("state_parse", this.#position(place).pointer, text);
  }

  perft(place: Place, depth: number): bigint {
    if (!Number.isInteger(depth) || depth < 0 || depth > 60) {
      throw new Error("perft needs a depth from 0 to 60");
    }
    return this.#core.call("state_perft", this.#position(place).pointer, depth) as bigint;
  }

  async evaluate(place: Place, evaluation: Evaluation): Promise<number[]> {
    const net = await this.#net(evaluation.net);
    const { pointer } = this.#position(place);
    return this.#core.ask("state_evaluate", pointer, this.#named(pointer, evaluation), net);
  }

  async probe(place: Place, tables: string[]): Promise<TableResult | null> {
    const found = await this.#tables(place, tables);
    return this.#probe(found, this.#position(place).pointer);
  }

  async probeMoves(place: Place, tables: string[]): Promise<(TableResult | null)[]> {
    const found = await this.#tables(place, tables);
    return this.view(place).moves.map(({ text }) => {
      const after = this.#position({ ...place, moves: [...place.moves, text] });
      const result = this.#probe(found, after.pointer);
      return result === "win" ? "loss" : result === "loss" ? "win" : result;
    });
  }

  chexersSeconds(place: Place, left: number): number {
    return this.#core.call("chexers_seconds", this.#position(place).pointer, left) as number;
  }

  async think(place: Place, plan: Plan, budget: Budget, every: number): Promise<SearchReport> {
    this.#stopped = false;
    if (plan.zero) return this.#think(place, plan, budget, every);
    const net = await this.#net(plan.evaluation?.net ?? null);
    const tables = await this.#tables(place, plan.tables);
    const thinker = this.#prepare(place, plan, net, tables);
    if (plan.kind === "uct") return this.#grow(thinker, place, plan.reuse, budget, every);
    const found = this.#search(thinker.pointer, place, budget);
    return plan.near ? this.#nearBest(place, found, plan.near) : found;
  }

  #search(pointer: Pointer, place: Place, { seconds, depth, nodes }: Budget): SearchReport {
    return this.#core.ask(
      "search_run",
      pointer,
      this.#position(place).pointer,
      seconds ?? Number.POSITIVE_INFINITY,
      depth ?? 2 ** 31 - 1,
      nodes === null ? UNBOUNDED : BigInt(nodes),
    );
  }

  #nearBest(place: Place, found: SearchReport, near: NearBest): SearchReport {
    const { pointer, look, random } = this.#lookerOf(place, near);
    const budget = { seconds: null, depth: look?.depth ?? null, nodes: null };
    const seen = pointer === null ? null : this.#search(pointer, place, budget);
    return nearBest(found, seen, {
      margin: near.margin,
      tolerance: look?.tolerance ?? 0,
      random,
    });
  }

  #lookerOf(place: Place, near: NearBest): Looker {
    const key = JSON.stringify([place.settings, near]);
    if (this.#looker?.key === key) return this.#looker;
    if (this.#looker?.pointer) this.#core.call("search_free", this.#looker.pointer);
    this.#looker = null;
    const start = this.#position({ ...place, from: null, moves: [] }).pointer;
    const evaluations = this.#core.ask<string[][]>("state_evaluations", start);
    const look = lookOf(evaluations, near.seats, near.seed);
    const pointer = look && this.#core.make("search_new", start, look.settings, 0, 0);
    this.#looker = { key, pointer, look, random: randomNumbers(near.seed) };
    return this.#looker;
  }

  async prepare(place: Place, plan: Plan): Promise<void> {
    if (plan.zero) await this.#model(plan.zero.model, plan.zero.onnx);
    await this.#net(plan.evaluation?.net ?? null);
    await this.#tables(place, plan.tables);
  }

  newGame(): void {
    this.#zero?.player.newGame();
    if (this.#thinker?.kind === "search") this.#core.call("search_clear", this.#thinker.pointer);
    if (this.#thinker) this.#thinker.root = null;
  }

  /** A player with a model. */
  async #think(place: Place, plan: Plan, budget: Budget, every: number): Promise<SearchReport> {
    if (!plan.zero) throw new Error("this plan names no model");
    const key = JSON.stringify([place.settings, plan]);
    if (this.#zero?.key !== key) {
      const { card, nets } = await this.#model(plan.zero.model, plan.zero.onnx);
      const tables = await this.#tables(place, plan.tables);
      this.#zero?.player.newGame();
      this.#zero = { key, player: new Zero(this.#core, card, nets, tables, plan.zero) };
    }
    return this.#zero.player.choose(this.#root(place), budget, every, {
      interrupted: () => this.#interrupted(),
      progress: (soFar) => this.progress?.(soFar),
    });
  }

  #root(place: Place): Root {
    const { pointer: state, actions } = this.#position(place);
    const { mover, players } = this.#seats(state);
    const at = (count: number) => ({ ...place, moves: place.moves.slice(0, count) });
    return {
      state,
      players,
      mover,
      beginning: JSON.stringify([place.settings, place.from]),
      actions,
      before: (wanted) => {
        let count = place.moves.length;
        let since: readonly number[] = [];
        while (count > 0 && since.length < wanted) {
          since = actions.slice(this.#position(at(--count)).actions.length);
        }
        return { state: this.#position(at(count)).pointer, since };
      },
      keys: () => this.#keysBefore(place),
    };
  }

  /** The keys of the positions that led to this one. */
  #keysBefore(place: Place): Set<string> {
    const keys = new Set<string>();
    const start = this.#position({ ...place, moves: [] }).pointer;
    const passing = this.#core.make("state_clone", start);
    for (const text of place.moves) {
      keys.add(this.#core.ask("state_key", passing));
      this.#core.ask("state_play", passing, text);
    }
    this.#core.call("state_free", passing);
    return keys;
  }

  /** Simulations in parts: the tree grows on, and between them a wish to stop is heard. */
  async #grow(
    thinker: Thinker,
    place: Place,
    reuse: boolean,
    budget: Budget,
    every: number,
  ): Promise<SearchReport> {
    let played = reuse ? this.#playedSince(thinker.root, place) : null;
    thinker.root = place;
    for (let simulations = 0, seconds = 0, depth = 0; ; ) {
      const secondsLeft = Math.max(0, (budget.seconds ?? Number.POSITIVE_INFINITY) - seconds);
      const left = budget.nodes === null ? UNBOUNDED : BigInt(budget.nodes - simulations);
      const actions = played ? [new Int32Array(played)] : [0, 0];
      const found = this.#core.ask<SearchReport>(
        "uct_run",
        thinker.pointer,
        this.#position(place).pointer,
        ...actions,
        Math.min(every, secondsLeft),
        left,
      );
      played = [];
      simulations += found.nodes;
      seconds += found.seconds;
      depth = Math.max(depth, found.depth);
      const soFar = { ...found, nodes: simulations, seconds, depth };
      const early = found.seconds < every / 2; // nothing is left to find out
      const spent = simulations >= (budget.nodes ?? Number.POSITIVE_INFINITY);
      const late = seconds >= (budget.seconds ?? Number.POSITIVE_INFINITY);
      if (early || spent || late) return soFar;
      this.progress?.(soFar);
      await new Promise((resolve) => setTimeout(resolve));
      if (this.#interrupted()) return soFar;
    }
  }

  /** The actions from the last root to here, or null if that was another game. */
  #playedSince(root: Place | null, place: Place): number[] | null {
    if (!root || root.settings !== place.settings || root.from !== place.from) return null;
    if (root.moves.some((text, i) => place.moves[i] !== text)) return null;
    const before = this.#position(root).actions.length;
    return this.#position(place).actions.slice(before);
  }

  #prepare(place: Place, plan: Plan, net: Pointer, tables: Pointer): Thinker {
    const key = JSON.stringify([place.settings, plan]);
    if (this.#thinker?.key === key) return this.#thinker;
    if (this.#thinker) {
      this.#core.call(`${this.#thinker.kind}_free`, this.#thinker.pointer);
      this.#thinker = null;
    }
    const start = this.#position({ ...place, from: null, moves: [] }).pointer;
    const name = plan.evaluation ? this.#named(start, plan.evaluation) : "";
    const settings = `${plan.settings}\neval=${name}`;
    const kind = plan.kind === "uct" ? "uct" : "search";
    const pointer =
      kind === "uct"
        ? this.#core.make("uct_new", start, settings)
        : this.#core.make("search_new", start, settings, net, tables);
    const thinker: Thinker = { key, pointer, kind, root: null };
    this.#thinker = thinker;
    return thinker;
  }

  #seats(state: Pointer): { mover: number; players: number } {
    return this.#core.ask("state_seats", state);
  }

  /** The usual name of an evaluation; "auto:NAME" is the first one where there is none so named. */
  #named(start: Pointer, { name, net }: Evaluation): string {
    if (net !== null) return "";
    const known = this.#core.ask<string[][]>("state_evaluations", start);
    const wanted = name.replace(/^auto:/, "");
    const found = known.find((names) => names.includes(wanted))?.[0];
    if (found !== undefined) return found;
    if (name !== wanted) return known[0]?.[0] ?? "";
    const has = known.map((names) => names[0]).join(" and ") || "none to choose from";
    throw new Error(`this game has no evaluation '${name}'; it has ${has}`);
  }

  #view(position: Position): StateView {
    const view = this.#core.ask<Omit<StateView, "last">>("state_view", position.pointer);
    return { ...view, last: position.last };
  }

  #position(place: Place): Position {
    const key = JSON.stringify([place.settings, place.from, ...place.moves]);
    const known = this.#positions.get(key);
    if (known) {
      this.#positions.delete(key); // the latest stand last
      this.#positions.set(key, known);
      return known;
    }
    const made = this.#made(place);
    this.#positions.set(key, made);
    if (this.#positions.size > REMEMBERED) {
      for (const [oldest, { pointer }] of this.#positions) {
        this.#positions.delete(oldest);
        this.#core.call("state_free", pointer);
        break;
      }
    }
    return made;
  }

  #made(place: Place): Position {
    const text = place.moves.at(-1);
    if (text !== undefined) {
      const before = this.#latestBefore(place);
      return this.#played(before.position, place.moves.slice(before.moves));
    }
    const start = this.#core.make("state_new", place.settings);
    if (place.from === null) return { pointer: start, last: null, actions: [] };
    try {
      const pointer = this.#core.make("state_with_fen", start, place.from);
      return { pointer, last: null, actions: [] };
    } finally {
      this.#core.call("state_free", start);
    }
  }

  /** The longest beginning that is remembered. */
  #latestBefore(place: Place): { position: Position; moves: number } {
    for (let moves = place.moves.length - 1; moves > 0; --moves) {
      const beginning = [place.settings, place.from, ...place.moves.slice(0, moves)];
      const position = this.#positions.get(JSON.stringify(beginning));
      if (position) return { position, moves };
    }
    return { position: this.#position({ ...place, moves: [] }), moves: 0 };
  }

  #played(before: Position, texts: readonly string[]): Position {
    const pointer = this.#core.make("state_clone", before.pointer);
    try {
      let last = before.last;
      const actions = [...before.actions];
      for (const text of texts) {
        last = this.#core.ask<CoreMove>("state_play", pointer, text);
        actions.push(...last.actions);
      }
      return { pointer, last, actions };
    } catch (error) {
      if (!(error instanceof CoreFault)) this.#core.call("state_free", pointer);
      throw error;
    }
  }

  #probe(tables: Pointer, state: Pointer): TableResult | null {
    if (tables === 0) return null;
    return RESULTS[this.#core.call("tables_probe", tables, state) as number] ?? null;
  }

  async #net(address: string | null): Promise<Pointer> {
    if (address === null) return 0;
    return this.#once(address, async () => {
      const bytes = await this.#fetch(address);
      return this.#core.make("net_new", bytes);
    });
  }

  #model(folder: string, onnx: string): Promise<Model> {
    const opened = this.#models.get(folder) ?? this.#openModel(folder, onnx);
    this.#models.set(folder, opened);
    opened.catch(() => this.#models.delete(folder));
    return opened;
  }

  async #openModel(folder: string, onnx: string): Promise<Model> {
    const text = new TextDecoder().decode(await this.#fetch(new URL("card.json", folder).href));
    const card = readCard(text, folder);
    const address = (file: string) => new URL(file, folder).href;
    const [first] = card.nets;
    if (first?.file.endsWith(".nnue")) {
      return { card, nets: { sparse: await this.#net(address(first.file)) } };
    }
    const residual = card.nets.map(async ({ file }) =>
      openNet(await this.#fetch(address(file)), onnx),
    );
    return { card, nets: { residual: await Promise.all(residual) } };
  }

  async #tables(place: Place, addresses: string[]): Promise<Pointer> {
    if (addresses.length === 0) return 0;
    const key = addresses.join("\n");
    return this.#once(key, async () => {
      const files = await Promise.all(addresses.map(this.#fetch)).catch(() => null);
      if (!files) {
        this.#files.delete(key); // without a network there are none, and all else goes on
        return 0;
      }
      const start = this.#position({ ...place, from: null, moves: [] }).pointer;
      const tables = this.#core.make("tables_new", start);
      for (const [i, bytes] of files.entries()) {
        this.#core.call("tables_add", tables, addresses[i] ?? "", bytes);
      }
      return tables;
    });
  }

  /** What was opened stays open; what failed is tried again. */
  #once(key: string, open: () => Promise<Pointer>): Promise<Pointer> {
    const opened = this.#files.get(key) ?? open();
    this.#files.set(key, opened);
    opened.catch(() => this.#files.delete(key));
    return opened;
  }

  #interrupted(): boolean {
    return this.#stopped || (this.#flag !== null && Atomics.load(this.#flag, 0) !== 0);
  }

  #start(): Core {
    return new Core(this.#setup.module, {
      progress: (json) => this.progress?.(JSON.parse(json)),
      interrupted: () => this.#interrupted(),
    });
  }

  #restart(): void {
    this.#positions.clear();
    this.#files.clear();
    this.#models.clear();
    this.#thinker = null;
    this.#looker = null;
    this.#zero = null;
    this.#core = this.#start();
  }
}

function readCard(text: string, folder: string): ModelCard {
  try {
    const card: ModelCard = JSON.parse(text);
    if (card.nets.length && card.plan.trees.length && card.search.simulations) return card;
  } catch {
    // The sentence below says it.
  }
  throw new Error(`${folder}card.json is not a model card`);
}
