// A game between people and players: who sits where, what was played, how it ended; as
// boardzero.server.game_session. Nothing here waits or thinks; `live.ts` does.

import { Refused } from "../api/api";
import { HUMAN } from "../seats";
import type { ClockView, EndingView, ErrorNews, GameSummary, GameView } from "../types";
import { GameClock } from "./clock";
import type { Limit, Move } from "./core";
import type { Game, State } from "./game";
import { endingOf, positionView } from "./views";

const TIME = "time"; // the reason of an ending

/** One that belongs to normal play: the page has its own words for the code. */
export class UsualRefusal extends Refused {
  constructor(
    readonly code: NonNullable<ErrorNews["code"]>,
    sentence: string,
  ) {
    super(sentence);
  }
}

/** As a session is kept. */
export type SavedGame = {
  id: string;
  game: string;
  seats: string[];
  start: string | null;
  moves: string[];
  values: (number | null)[];
  ending: EndingView | null;
  draw_offer: number | null;
  paused: boolean;
  archived: boolean;
  updated: number; // seconds since 1970
  clock: ClockView | null;
};

function onlyPasses({ moves }: State): boolean {
  return moves.length > 0 && moves.every(({ path }) => path.length === 0);
}

export class Session {
  state: State;
  clock: GameClock | null = null;
  drawOffer: number | null = null;
  paused = false;
  archived = false; // once over; playing on after that does not make it another game
  updated = Date.now() / 1000;
  #values: (number | null)[] = []; // what the mover thought of each move
  #movers: number[] = []; // who made each move
  #ending: EndingView | null = null; // by something off the board

  constructor(
    readonly id: string,
    readonly game: Game,
    readonly seats: string[],
    readonly start: string | null,
  ) {
    if (seats.length !== game.players) {
      throw new Refused(`${game.name} has ${game.players} seats, not ${seats.length}`);
    }
    this.state = game.start(start);
  }

  // What is the case

  get ending(): EndingView | null {
    return this.#ending ?? endingOf(this.state);
  }
  get mover(): number {
    return this.state.toMove;
  }
  /** The player that must think now, if it is not a person's turn. */
  get thinker(): string | null {
    const player = this.seats[this.mover] ?? HUMAN;
    return this.ending || this.paused || player === HUMAN ? null : player;
  }
  /** Whether a person is to move who can do nothing but pass. */
  get mustPass(): boolean {
    return !this.ending && this.seats[this.mover] === HUMAN && onlyPasses(this.state);
  }
  get hasPeople(): boolean {
    return this.seats.includes(HUMAN);
  }
  get limit(): Limit {
    return this.clock?.limit(this.mover) ?? {};
  }
  /** Seconds until the mover's time is over. */
  get flagIn(): number | null {
    const running = this.clock?.running ?? null;
    return running === null || this.ending ? null : (this.clock?.left(running) ?? null);
  }

  // What happens

  play(move: Move | string, value: number | null = null) {
    if (this.ending) throw new Refused("the game is over");
    if (this.outOfTime()) throw new UsualRefusal("time_over", "your time is over");
    const seat = this.mover;
    this.state.play(typeof move === "string" ? this.#parse(move) : move);
    this.#values.push(value);
    this.#movers.push(seat);
    if (this.drawOffer !== seat) this.drawOffer = null; // a move declines
    this.clock?.press(seat, this.mover);
    this.#changed();
  }

  /** Back to where a person had the move; after resigning, back into the game. */
  undo() {
    if (this.#lostOnTime) throw new Refused("no move can be taken back when the time is over");
    if (this.#ending && this.hasPeople) this.#ending = null;
    else {
      const kept = this.#lastChoice();
      if (kept < 0) throw new Refused("there is no move of yours to take back");
      while (this.state.plies > kept) this.state.undo();
      this.#values.length = this.#movers.length = kept;
    }
    this.clock?.start(this.mover);
    this.drawOffer = null;
    this.#changed();
  }

  /** The person who has the move gives up, or the only person, at any moment. */
  resign() {
    this.#end(this.#otherThan(this.#person()), "resigned");
  }

  offerDraw() {
    const seat = this.#person();
    if (this.drawOffer !== null) throw new Refused("there is an offer already");
    this.drawOffer = seat;
    this.#changed();
  }

  answerDraw(accept: boolean) {
    if (this.drawOffer === null) throw new Refused("nobody has offered a draw");
    this.drawOffer = null;
    if (accept) this.#end(null, "agreed");
    this.#changed();
  }

  /** Whether the players agree: if none thought last that it stands better. */
  acceptsDraw(): boolean {
    const opinions = this.seats.flatMap((player, seat) =>
      player !== HUMAN && this.#movers.includes(seat) ? [this.#lastValue(seat)] : [],
    );
    return opinions.length > 0 && opinions.every((value) => value !== null && value <= 0);
  }

  /** Ends the game if somebody's time is over. */
  outOfTime(): boolean {
    const left = this.flagIn;
    if (left === null || left > 0) return false;
    this.#end(this.#otherThan(this.clock?.running ?? 0), TIME);
    return true;
  }

  pause(paused: boolean) {
    if (paused && this.hasPeople) throw new Refused("only a game between players can be paused");
    this.paused = paused;
    if (this.clock && this.state.plies && !this.ending) {
      if (paused) this.clock.stop();
      else this.clock.start(this.mover);
    }
    this.#changed();
  }

  // How it is shown and kept

  view(): Omit<GameView, "thinking" | "waiting" | "trouble" | "unsaved"> {
    return {
      id: this.id,
      game: this.game.spec,
      title: this.game.rules.title,
      seats: this.seats.map((player, seat) => ({
        name: this.game.seats[seat] ?? "",
        player,
        value: this.#lastValue(seat),
      })),
      start: this.start,
      moves: this.#texts(),
      position: positionView(this.state, this.#ending),
      clock: this.clock?.view() ?? null,
      paused: this.paused,
      draw_offer: this.drawOffer,
      can_undo: this.#canUndo(),
    };
  }

  summary(): GameSummary {
    return {
      id: this.id,
      game: this.game.spec,
      title: this.game.rules.title,
      seats: this.seats,
      plies: this.state.plies,
      ending: this.ending,
      updated: String(this.updated),
      position: { ...positionView(this.state, this.ending), moves: [] },
    };
  }

  dump(): SavedGame {
    return {
      id: this.id,
      game: this.game.spec,
      seats: this.seats,
      start: this.start,
      moves: this.#texts(),
      values: [...this.#values],
      ending: this.#ending,
      draw_offer: this.drawOffer,
      paused: this.paused,
      archived: this.archived,
      updated: this.updated,
      clock: this.clock?.view() ?? null,
    };
  }

  /** Back from `dump`; the clock runs again from now, unless the game is paused. */
  static load(game: Game, saved: SavedGame): Session {
    const session = new Session(saved.id, game, saved.seats, saved.start);
    for (const move of saved.moves) {
      session.#movers.push(session.mover);
      session.state.play(move);
    }
    session.#values = [...saved.values];
    session.#ending = saved.ending;
    session.drawOffer = saved.draw_offer;
    session.paused = saved.paused;
    session.archived = saved.archived;
    session.updated = saved.updated;
    if (saved.clock) {
      const { minutes, increment, left, per_move } = saved.clock;
      session.clock = new GameClock(minutes, increment, left, per_move);
      const runs = session.state.plies && !session.ending && !session.paused;
      if (runs) session.clock.start(session.mover);
    }
    return session;
  }

  /** The person who speaks: whose turn it is, or the only one there is. */
  #person(): number {
    if (this.ending) throw new Refused("the game is over");
    if (!this.hasPeople) throw new Refused("nobody plays here but players");
    return this.seats[this.mover] === HUMAN ? this.mover : this.seats.indexOf(HUMAN);
  }

  /** Who wins when this seat loses: nobody, where others are left to play for it. */
  #otherThan(seat: number): number | null {
    return this.game.players === 2 ? 1 - seat : null;
  }

  #canUndo(): boolean {
    if (!this.hasPeople || this.#lostOnTime) return false;
    return this.#ending !== null || this.#lastChoice() >= 0;
  }

  /** How many plies lead to where a person last had a choice; -1 if none had. */
  #lastChoice(): number {
    const trial = this.state.copy();
    while (trial.plies) {
      trial.undo();
      if (this.seats[trial.toMove] === HUMAN && !onlyPasses(trial)) return trial.plies;
    }
    return -1;
  }

  #parse(text: string): Move {
    try {
      return this.state.parse(text);
    } catch (error) {
      throw new UsualRefusal("illegal", (error as Error).message);
    }
  }

  get #lostOnTime(): boolean {
    return this.#ending?.reason === TIME;
  }

  #lastValue(seat: number): number | null {
    return this.#values[this.#movers.lastIndexOf(seat)] ?? null;
  }

  #texts(): string[] {
    return this.state.history.map(({ text }) => text);
  }

  #end(winner: number | null, reason: string) {
    this.#ending = { winner, reason, cells: [] };
    this.clock?.stop();
    this.#changed();
  }

  #changed() {
    this.updated = Date.now() / 1000;
    if (this.ending) this.clock?.stop();
  }
}
