// Games and states, the way a program uses them; as boardzero.games has them.

import type { Game as Rules } from "boardzero";
import { Refused } from "../api/api";
import type { GameRules, GameTraits, Geometry, Move, Outcome, Piece, Position } from "./core";

/** The rules of one game with its options. */
export class Game {
  readonly geometry: Board;
  readonly #own: GameRules;

  constructor(
    readonly rules: Rules,
    own: GameRules,
  ) {
    this.geometry = new Board(rules.geometry);
    this.#own = own;
  }

  get spec() {
    return this.rules.spec;
  }
  get name() {
    return this.rules.name;
  }
  get traits(): GameTraits {
    return this.rules.traits;
  }
  get seats() {
    return this.rules.traits.seats;
  }
  get players() {
    return this.seats.length;
  }

  /** Fetches the endgame tables, for whoever studies. */
  tables(): Promise<void> {
    return this.#own.tables();
  }
  start(fen?: string | null): State {
    return new State(this, this.#own.position(fen || null));
  }
}

/** Where the cells of a board lie, and what people call them. */
export class Board {
  readonly kind: Geometry["kind"];
  readonly rows: number;
  readonly columns: number;
  readonly places = new Map<number, readonly [row: number, column: number]>();
  readonly labels = new Map<number, string>();
  readonly cells = new Map<string, number>(); // by label

  constructor(view: Geometry) {
    [this.kind, this.rows, this.columns] = [view.kind, view.rows, view.columns];
    for (const { cell, row, column, label } of view.cells) {
      this.places.set(cell, [row, column]);
      this.labels.set(cell, label);
      this.cells.set(label, cell);
    }
  }
  place(cell: number): readonly [row: number, column: number] {
    return this.places.get(cell) ?? [-1, -1];
  }
  label(cell: number): string {
    return this.labels.get(cell) ?? "";
  }
}

type Past = { position: Position; move: Move };

/** A position, and how it came about. */
export class State {
  #position: Position;
  #past: Past[];

  constructor(
    readonly game: Game,
    position: Position,
    past: Past[] = [],
  ) {
    this.#position = position;
    this.#past = past;
  }

  get toMove() {
    return this.#position.toMove;
  }
  get fen() {
    return this.#position.fen;
  }
  get key() {
    return this.#position.key;
  }
  get outcome(): Outcome | null {
    return this.#position.outcome;
  }
  get pieces(): readonly Piece[] {
    return this.#position.pieces;
  }
  get moves(): readonly Move[] {
    return this.#position.moves;
  }
  get counters() {
    return this.#position.counters;
  }
  /** What it is worth to a seat with best play, or null where nobody knows for certain. */
  certain(seat: number): number | null {
    if (this.outcome) return this.outcome.values[seat] ?? 0;
    const value = this.#position.certain;
    return value === null || seat === this.toMove ? value : -value + 0;
  }
  get history(): Move[] {
    return this.#past.map(({ move }) => move);
  }
  get plies() {
    return this.#past.length;
  }
  get lastMove(): Move | null {
    return this.#past.at(-1)?.move ?? null;
  }
  /** The FEN from which the history leads here; null for the usual start. */
  get origin(): string | null {
    const first = this.#past[0]?.position ?? this.#position;
    const usual = this.game.start();
    return first.fen === usual.fen ? null : first.fen;
  }

  parse(text: string): Move {
    return this.#position.parse(text);
  }
  play(move: Move | string) {
    const played = typeof move === "string" ? this.parse(move) : move;
    const after = this.#position.after(played);
    this.#past.push({ position: this.#position, move: played });
    this.#position = after;
  }
  after(move: Move | string): State {
    const copy = this.copy();
    copy.play(move);
    return copy;
  }
  undo() {
    const last = this.#past.pop();
    if (!last) throw new Refused("there is nothing to undo");
    this.#position = last.position;
  }
  copy(): State {
    return new State(this.game, this.#position, [...this.#past]);
  }
  /** The same position; sharing no list of what came before keeps long lines small. */
  withoutHistory(): State {
    return new State(this.game, this.#position);
  }
  equals(other: State): boolean {
    return this.game.spec === other.game.spec && this.fen === other.fen;
  }
}

/** The state or, if it is drawn, its position with all counters at zero: people may play on. */
export function openAgain(state: State): State {
  const { outcome } = state;
  return outcome && outcome.winner === null ? state.game.start(state.fen) : state;
}
