// Live games: players think, clocks run out, everybody who watches is told; as boardzero.server.live.
// A change is told when it is kept; or with the reason why it is not, and then tried again.

import { Refused } from "../api/api";
import { HUMAN } from "../seats";
import type { GameView, PlayCommand, PlayNews } from "../types";
import type { Move } from "./core";
import { type Session, UsualRefusal } from "./session";
import type { Thinking } from "./thinking";
import { moveView } from "./views";

const PACE = 700; // milliseconds between moves of players that somebody watches
const HINT_SECONDS = 0.7;
const RETRY = 2000; // milliseconds until a game is kept again that could not be
const LATE = 50; // milliseconds after which a flag has surely fallen

type Watcher = (news: PlayNews) => void;

export class LiveGame {
  #watchers = new Set<Watcher>();
  #driver: AbortController | null = null; // of the thinking that goes on
  #flag: ReturnType<typeof setTimeout> | undefined;
  #trouble: string | null = null;
  #unsaved: string | null = null;
  #saving: Promise<void> = Promise.resolve();

  constructor(
    readonly session: Session,
    private readonly thinking: Thinking,
    private readonly keep: (session: Session) => Promise<void>,
  ) {
    this.#setFlag();
  }

  view(): GameView {
    return {
      ...this.session.view(),
      thinking: this.#driver !== null,
      waiting: 0,
      trouble: this.#trouble,
      unsaved: this.#unsaved,
    };
  }

  watch(watcher: Watcher) {
    this.#watchers.add(watcher);
    this.#goOn();
    watcher({ kind: "game", game: this.view() });
  }

  leave(watcher: Watcher) {
    this.#watchers.delete(watcher);
    if (!this.#watchers.size && !this.session.hasPeople) this.#interrupt(); // nobody looks
  }

  obey(command: PlayCommand, tell: Watcher) {
    try {
      if (command.kind === "hint") this.#hint(tell);
      else this.#act(command);
    } catch (error) {
      tell(refusal(error));
    }
  }

  /** Until all that has happened is kept, or known not to be. */
  saved(): Promise<void> {
    return this.#saving;
  }

  /** Tell everybody, let the next player think, keep it. */
  changed() {
    this.#setFlag();
    this.#goOn();
    this.#save();
  }

  #act(command: Exclude<PlayCommand, { kind: "hint" }>) {
    const { session } = this;
    if (command.kind === "offer_draw") return this.#offerDraw();
    const before = session.state.plies;
    const wasOver = session.ending !== null;
    try {
      if (command.kind === "move") this.#play(command.text);
      else if (command.kind === "answer_draw") session.answerDraw(command.accept);
      else if (command.kind === "undo") session.undo();
      else if (command.kind === "resign") session.resign();
      else session.pause(command.kind === "pause");
    } catch (error) {
      if (session.ending && !wasOver) {
        this.#interrupt(); // it came too late, which all must know
        this.changed();
      }
      throw error;
    }
    if (session.state.plies !== before || !session.thinker) this.#interrupt();
    this.changed();
  }

  #play(text: string) {
    if (this.session.thinker) throw new Refused("it is not your turn");
    if (this.session.paused) throw new Refused("the game is paused");
    this.session.play(text);
  }

  /** To the other person, or to players, who answer at once. */
  #offerDraw() {
    const { session } = this;
    session.offerDraw();
    if (session.seats.filter((seat) => seat === HUMAN).length !== 1) return this.changed();
    const accept = session.acceptsDraw();
    session.answerDraw(accept);
    if (accept) this.#interrupt();
    this.changed();
    if (!accept) {
      const sentence = "the offer is declined: your opponent hopes for more";
      throw new UsualRefusal("draw_declined", sentence);
    }
  }

  /** What the best player for study would do. */
  #hint(tell: Watcher) {
    const { state, game, ending } = this.session;
    if (ending) throw new Refused("the game is over");
    const asked = state.copy();
    this.thinking
      .choose(game, game.traits.analysts[0] ?? "", asked, { time: HINT_SECONDS })
      .then(({ move, value }) =>
        tell({ kind: "hint", ply: asked.plies, move: moveView(move), value }),
      )
      .catch((error) => tell(refusal(error)));
  }

  #interrupt() {
    this.#driver?.abort();
    this.#driver = null;
  }

  #goOn() {
    this.#trouble = null;
    const somebodyCares = this.#watchers.size > 0 || this.session.hasPeople;
    const waits = this.session.thinker !== null || this.session.mustPass;
    if (this.#driver || !waits || !somebodyCares) return;
    this.#driver = new AbortController();
    this.#drive(this.#driver).catch((error: Error) => this.#fail(error.message));
  }

  /** Let players move, and people pass who can only do that, until a person has a choice. */
  async #drive(driver: AbortController) {
    const { session } = this;
    while (session.thinker !== null || session.mustPass) {
      const player = session.thinker;
      if (player === null) {
        await sleep(PACE);
        if (driver.signal.aborted) return;
        this.#playOne(session.state.moves[0] as Move, null);
        continue;
      }
      const began = performance.now();
      const { game, state, limit } = session;
      const choice = await this.thinking.choose(game, player, state.copy(), limit, driver.signal);
      if (!session.hasPeople) await sleep(PACE - (performance.now() - began));
      if (driver.signal.aborted) return;
      this.#playOne(choice.move, choice.value);
    }
  }

  #playOne(move: Move, value: number | null) {
    const { session } = this;
    try {
      session.play(move, value);
    } catch (error) {
      if (!(error instanceof UsualRefusal)) throw error; // else its time was over
    }
    if (session.thinker === null && !session.mustPass) this.#driver = null;
    this.changed();
  }

  #fail(sentence: string) {
    this.#interrupt();
    this.#trouble = sentence;
    this.#tell({ kind: "game", game: this.view() });
  }

  /** Lets the game end when the time of the one to move does. */
  #setFlag() {
    clearTimeout(this.#flag);
    const left = this.session.flagIn;
    if (left === null) return;
    this.#flag = setTimeout(
      () => {
        if (!this.session.outOfTime()) return;
        this.#interrupt();
        this.changed();
      },
      left * 1000 + LATE,
    );
  }

  #save() {
    const view = this.view();
    this.#saving = this.#saving.then(async () => {
      try {
        await this.keep(this.session);
        this.#unsaved = null;
      } catch (error) {
        this.#unsaved = (error as Error).message;
        setTimeout(() => this.#save(), RETRY);
      }
      this.#tell({ kind: "game", game: { ...view, unsaved: this.#unsaved } });
    });
  }

  #tell(news: PlayNews) {
    for (const watcher of this.#watchers) watcher(news);
  }
}

function refusal(error: unknown): PlayNews {
  const code = error instanceof UsualRefusal ? error.code : null;
  return { kind: "error", message: (error as Error).message, code };
}

const sleep = (time: number) => new Promise((done) => setTimeout(done, Math.max(0, time)));
