// A player: a plan, and a worker of its own to think in.

import type { Thinking } from "./catalog.js";
import type { Connection } from "./connection.js";
import { NO_BOUND, type PlayerPlan, within } from "./plan.js";
import type { Budget, Place, SearchReport } from "./protocol.js";
import { randomNumbers } from "./random.js";
import type { Choice, Game, Limit, Player, State } from "./types.js";

/** Ends a thought whose worker was ended. */
class Ended extends Error {}

interface Thought {
  latest: SearchReport | null;
  stopping: boolean;
}

export class PlannedPlayer implements Player {
  readonly spec: string;
  readonly game: Game;
  readonly #plan: PlayerPlan;
  readonly #connection: Connection;
  readonly #placeOf: (state: State) => Place;
  readonly #thinking: Thinking;
  readonly #whenClosed: () => void;
  readonly #random: () => number;
  #clock: number;
  #thought: Thought | null = null;
  #closed = false;

  constructor(
    game: Game,
    plan: PlayerPlan,
    connection: Connection,
    placeOf: (state: State) => Place,
    thinking: Thinking,
    whenClosed: () => void,
  ) {
    this.spec = plan.spec;
    this.game = game;
    this.#plan = plan;
    this.#connection = connection;
    this.#placeOf = placeOf;
    this.#thinking = thinking;
    this.#whenClosed = whenClosed;
    this.#random = plan.seed === null ? Math.random : randomNumbers(plan.seed);
    this.#clock = plan.clock ?? 0;
  }

  async choose(
    state: State,
    limit: Limit = {},
    progress?: (soFar: Choice) => void,
  ): Promise<Choice> {
    if (this.#closed) throw new Error("this player was closed");
    if (this.#thought) throw new Error("this player thinks already: stop it first");
    if (state.game.spec !== this.game.spec)
      throw new Error("this player was made for another game");
    if (state.outcome) throw new Error("the game is over, so there is no move to search for");
    const thought: Thought = { latest: null, stopping: false };
    this.#thought = thought;
    try {
      return await this.#choose(state, limit, thought, progress);
    } finally {
      this.#thought = null;
    }
  }

  async *analyse(state: State, limit: Limit = {}): AsyncIterableIterator<Choice> {
    const reports: Choice[] = [];
    let wake = () => {};
    let over = false;
    const chosen = this.choose(state, limit, (soFar) => {
      reports.push(soFar);
      wake();
    }).finally(() => {
      over = true;
      wake();
    });
    chosen.catch(() => {}); // told below
    try {
      while (!over) {
        if (reports.length === 0) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        yield* reports.splice(0);
      }
      yield await chosen;
    } finally {
      if (!over) this.stop();
      await chosen.catch(() => {});
    }
  }

  stop(): void {
    if (!this.#thought || this.#thought.stopping) return;
    this.#thought.stopping = true;
    this.#connection.stop();
    this.#cutShort(this.#thought);
  }

  async newGame(): Promise<void> {
    this.#clock = this.#plan.clock ?? 0;
    if (this.#plan.plan) await this.#connection.call("newGame");
  }

  async prepare(): Promise<void> {
    const { plan } = this.#plan;
    if (plan) await this.#connection.call("prepare", this.#placeOf(await this.game.start()), plan);
  }

  close(): void {
    this.#closed = true;
    this.#whenClosed();
    this.#connection.restart(new Error("this player was closed"));
  }

  async #choose(
    state: State,
    limit: Limit,
    thought: Thought,
    progress?: (soFar: Choice) => void,
  ): Promise<Choice> {
    const { plan } = this.#plan;
    if (!plan) return this.#anyMove(state);
    const place = this.#placeOf(state);
    const budget = await this.#budget(state, place, limit);
    const hear = (report: SearchReport) => {
      thought.latest = report;
      if (thought.stopping) this.#cutShort(thought);
      else progress?.(this.#choice(report));
    };
    const every = this.#thinking.report_seconds;
    const found = await this.#connection
      .callWith(hear, "think", place, plan, budget, every)
      .catch((error: Error) => {
        if (error instanceof Ended && thought.latest) return thought.latest;
        throw error;
      });
    this.#clock -= found.seconds;
    return this.#choice(found);
  }

  /** A search that cannot hear is ended with its worker, as soon as it has reported something. */
  #cutShort(thought: Thought): void {
    const deaf = this.#plan.plan?.kind === "search" && !this.#connection.sharesMemory;
    if (deaf && thought.latest) this.#connection.restart(new Ended("stopped"));
  }

  async #budget(state: State, place: Place, limit: Limit): Promise<Budget> {
    const kind = this.#plan.plan?.kind;
    if (this.#plan.clock !== null) return this.#clockBudget(place, limit);
    // A forced move needs no thought.
    const forced = limit.clock && state.moves.length === 1;
    if (kind === "uct" && forced) return { ...NO_BOUND, nodes: 1 };
    const budget = within(this.#plan.budget, limit, kind !== "search", this.#thinking);
    if (kind === "puct" && forced) return { ...budget, seconds: 0 };
    const bounded = Object.values(budget).some((bound) => bound !== null);
    return bounded ? budget : (this.#plan.fallback ?? budget);
  }

  /** AlphaChexers shares its clock out by the stage of the game. */
  async #clockBudget(place: Place, limit: Limit): Promise<Budget> {
    const { clock, ...rest } = limit;
    const share = (left: number) => this.#connection.call("chexersSeconds", place, left);
    if (clock) {
      const time = Math.min(await share(clock.left), rest.time ?? Number.POSITIVE_INFINITY);
      return within(this.#plan.budget, { ...rest, time }, true, this.#thinking);
    }
    const budget = within(this.#plan.budget, rest, true, this.#thinking);
    if (budget.seconds !== null || budget.nodes !== null) return budget;
    return { ...NO_BOUND, seconds: await share(this.#clock) };
  }

  #choice(report: SearchReport): Choice {
    const { valued } = this.#plan;
    const candidates = report.moves.map(({ move, value, exact, visits, prior }) => ({
      move,
      visits,
      value: exact && valued ? value : null,
      prior: prior ?? null,
    }));
    const [best] = report.moves;
    if (!best) throw new Error("the search found no move");
    const known = this.#plan.plan?.kind === "uct" ? best.exact : report.depth > 0;
    return {
      move: report.chosen ?? best.move,
      value: known ? (report.value ?? best.value) : null,
      values: report.values,
      pv: report.pv,
      candidates,
      nodes: report.nodes,
      depth: report.depth,
      time: report.seconds,
    };
  }

  #anyMove(state: State): Choice {
    const move = state.moves[Math.floor(this.#random() * state.moves.length)];
    if (!move) throw new Error("there is no legal move");
    return { move, value: null, pv: [], candidates: [], nodes: 0, depth: 0, time: 0 };
  }
}
