// Games and states: what the catalogue knows, and what the worker says of each position.

import type { Catalog, GameFacts } from "./catalog.js";
import { compose } from "./compose.js";
import { Connection } from "./connection.js";
import { planPlayer } from "./plan.js";
import { PlannedPlayer } from "./player.js";
import type { Place, StateView } from "./protocol.js";
import type { Game, GameTraits, Geometry, Level, Move, Piece, Player, State } from "./types.js";

/** What games share. */
export interface Surroundings {
  catalog: Catalog;
  module: WebAssembly.Module;
  startWorker: () => Worker;
  /** The worker that answers about rules. */
  rules: Connection;
  /** The address of a file of the package. */
  address: (path: string) => string;
  /** The address of the module that evaluates residual nets. */
  onnx: string;
  players: Set<Player>;
}

export class CatalogGame implements Game {
  readonly spec: string;
  readonly name: string;
  readonly title: string;
  readonly options: Readonly<Record<string, number | boolean | string>>;
  readonly traits: GameTraits;
  readonly geometry: Geometry;
  readonly levels: readonly Level[];
  readonly facts: GameFacts;
  readonly around: Surroundings;

  constructor(facts: GameFacts, around: Surroundings) {
    this.spec = facts.spec;
    this.name = facts.name;
    this.title = facts.title;
    this.options = facts.options;
    this.traits = facts.traits;
    this.geometry = facts.board;
    this.levels = facts.levels;
    this.facts = facts;
    this.around = around;
  }

  start(fen?: string | null): Promise<State> {
    return this.replay([], fen);
  }

  async replay(moves: readonly string[], fen?: string | null): Promise<State> {
    const place = this.place(moves, fen);
    return new PlacedState(this, place, await this.around.rules.call("view", place));
  }

  async line(moves: readonly string[], fen?: string | null): Promise<State[]> {
    const place = this.place(moves, fen);
    const views = await this.around.rules.call("line", place);
    return views.map((view, count) => {
      const before = { ...place, moves: views.slice(1, count + 1).map(lastText) };
      return new PlacedState(this, before, view);
    });
  }

  async compose(pieces: readonly Piece[], mover: number): Promise<State> {
    return this.start(compose(this.facts, pieces, mover));
  }

  async player(spec: string): Promise<Player> {
    const { catalog, address, onnx, startWorker, module, players } = this.around;
    const plan = planPlayer(catalog, this.facts, spec, address, onnx);
    const connection = new Connection(startWorker, module);
    const placeOf = (state: State) => this.place(state.history, state.from);
    const player: Player = new PlannedPlayer(
      this,
      plan,
      connection,
      placeOf,
      catalog.thinking,
      () => players.delete(player),
    );
    players.add(player);
    return player;
  }

  place(moves: readonly string[], fen?: string | null): Place {
    return { settings: this.facts.settings, from: fen ?? null, moves: [...moves] };
  }
}

class PlacedState implements State {
  readonly game: CatalogGame;
  readonly from: string | null;
  readonly history: readonly string[];
  readonly fen: string;
  readonly mover: number;
  readonly key: string;
  readonly pieces: State["pieces"];
  readonly moves: State["moves"];
  readonly outcome: State["outcome"];
  readonly last: Move | null;
  readonly counters: State["counters"];

  constructor(game: CatalogGame, place: Place, view: StateView) {
    this.game = game;
    this.from = place.from;
    // As the rules write them, however they were given.
    this.history = view.last ? [...place.moves.slice(0, -1), view.last.text] : place.moves;
    this.fen = view.fen;
    this.mover = view.mover;
    this.key = view.key;
    this.pieces = view.pieces;
    this.moves = view.moves;
    this.outcome = view.outcome;
    this.last = view.last;
    this.counters = game.facts.counters.map(({ name, field }) => ({
      name,
      counts: (view.fen.split(/\s+/)[field] ?? "").split(",").map(Number),
    }));
  }

  parse(text: string) {
    return this.#rules.call("parse", this.#place, text);
  }

  play(move: Move | string): Promise<State> {
    const text = typeof move === "string" ? move : move.text;
    return this.game.replay([...this.history, text], this.from);
  }

  perft(depth: number) {
    return this.#rules.call("perft", this.#place, depth);
  }

  evaluate(options: { eval?: string; net?: string | URL } = {}) {
    const net = options.net === undefined ? null : this.game.around.address(String(options.net));
    const name = options.eval ?? "auto:hand";
    return this.#rules.call("evaluate", this.#place, { name, net });
  }

  probe() {
    return this.#rules.call("probe", this.#place, this.#tables);
  }

  probeMoves() {
    return this.#rules.call("probeMoves", this.#place, this.#tables);
  }

  get #rules(): Connection {
    return this.game.around.rules;
  }
  get #tables(): string[] {
    return this.game.facts.tables.map(this.game.around.address);
  }
  get #place(): Place {
    return this.game.place(this.history, this.from);
  }
}

function lastText(view: StateView): string {
  return view.last?.text ?? "";
}
