// Seconds left for each seat; as boardzero.server.game_session has it. Runs from the first move on.

import type { ClockView } from "../types";
import type { Limit } from "./core";

const MARGIN = 0.2; // seconds of a move that a player leaves, so that its answer is in time
const LEAST_THOUGHT = 0.05;

const now = () => performance.now() / 1000;

export class GameClock {
  running: number | null = null;
  #since = 0;
  #left: number[];

  /** `minutes`, `increment` and `perMove` are what was agreed on. */
  constructor(
    readonly minutes: number,
    readonly increment: number,
    left: readonly number[],
    readonly perMove = false,
  ) {
    this.#left = [...left];
  }

  left(seat: number): number {
    const used = seat === this.running ? now() - this.#since : 0;
    return Math.max(0, (this.#left[seat] ?? 0) - used);
  }

  stop() {
    if (this.running === null) return;
    this.#left[this.running] = this.left(this.running);
    this.running = null;
  }

  start(seat: number) {
    this.stop();
    if (this.perMove) this.#left.fill(60 * this.minutes);
    [this.running, this.#since] = [seat, now()];
  }

  /** The seat has moved; the following one's time runs. */
  press(seat: number, following: number) {
    const ran = this.running === seat;
    this.stop();
    if (ran) this.#left[seat] = (this.#left[seat] ?? 0) + this.increment;
    this.start(following);
  }

  /** How long the player of a seat may think about its move. */
  limit(seat: number): Limit {
    const left = this.left(seat);
    return this.perMove
      ? { time: Math.max(LEAST_THOUGHT, left - MARGIN) }
      : { clock: { left, increment: this.increment } };
  }

  view(): ClockView {
    const { minutes, increment, perMove: per_move, running } = this;
    const left = this.#left.map((_, seat) => Math.round(this.left(seat) * 100) / 100);
    return { minutes, increment, per_move, left, running };
  }
}
