// Analysis and review, told while they go on: one at a time, a new request ends the one before; as
// boardzero.server.study and boardzero.server.analysis.

import { Refused } from "../api/api";
import type { StudyNews, StudyRequest, Tried, Try } from "../types";
import { type Choice, valueFor } from "./core";
import type { State } from "./game";
import type { Games } from "./games";
import { playedOut, texts } from "./study/lines";
import { review } from "./study/review";
import type { Words } from "./study/words";
import type { Thinking } from "./thinking";
import { analysisView } from "./views";

const PACE = 120; // milliseconds between two reports, at least
const SECONDS = 10; // of an analysis
const REVIEW_SECONDS = 0.15; // for each position
const TRY_SECONDS = 0.4; // for each of the two moves that are compared
const AS_GOOD = 0.02; // of the winning chances: a move this near to the best one is accepted

export class Studying {
  #work = new AbortController();

  constructor(
    private readonly games: Games,
    private readonly thinking: Thinking,
    private readonly words: Words,
    private readonly tell: (news: StudyNews) => void,
  ) {}

  ask(request: StudyRequest) {
    this.#work.abort();
    this.#work = new AbortController();
    if (request.kind === "stop") return;
    const { signal } = this.#work;
    const tell = (news: StudyNews) => {
      if (!signal.aborted) this.tell(news);
    };
    const work = request.kind === "review" ? this.#review : this.#analyse;
    work
      .call(this, request as never, tell, signal)
      .then(() => tell({ kind: "done", request: request.kind }))
      .catch((error: Error) => tell({ kind: "error", message: error.message, code: null }));
  }

  async #analyse(
    { line, player, seconds = SECONDS }: Extract<StudyRequest, { kind: "analyse" }>,
    tell: (news: StudyNews) => void,
    signal: AbortSignal,
  ) {
    const state = await this.games.stateOf(line);
    if (state.outcome) throw new Refused("the game is over here");
    let last = 0;
    const progress = (choice: Choice) => {
      if (performance.now() - last < PACE) return; // a first iteration is over in no time
      last = performance.now();
      tell(analysisView(choice, state));
    };
    const limit = { time: seconds };
    const choice = await this.thinking.choose(state.game, player, state, limit, signal, progress);
    tell(analysisView(choice, state));
  }

  async #review(
    { line, player, seconds = REVIEW_SECONDS }: Extract<StudyRequest, { kind: "review" }>,
    tell: (news: StudyNews) => void,
    signal: AbortSignal,
  ) {
    const end = await this.games.stateOf(line);
    await end.game.tables();
    const ask = (state: State, spec: string, time: number) =>
      this.thinking.choose(end.game, spec, state, { time }, signal);
    for await (const step of review(end, player, seconds, ask, this.words)) tell(step);
  }
}

/** Whether a move is as good as the best one, and what answers it if it is not. */
export async function tryMove(wish: Try, games: Games, thinking: Thinking): Promise<Tried> {
  const state = await games.stateOf(wish.line);
  const [move, best] = [state.parse(wish.move), state.parse(wish.best)];
  if (move.text === best.text) return { accepted: true, loss: 0, refutation: [] };
  const { game, toMove: seat } = state;
  const values: number[] = [];
  let refutation: string[] = [];
  for (const option of [best, move]) {
    const after = state.after(option);
    refutation = [];
    if (after.outcome) {
      values.push(after.outcome.values[seat] ?? 0);
      continue;
    }
    const limit = { time: TRY_SECONDS };
    const choice = await thinking.choose(game, game.traits.tactician, after, limit);
    values.push(valueFor(choice, seat, after.toMove, game.players) ?? 0);
    refutation = texts(playedOut(after, choice.pv));
  }
  const [top = 0, value = 0] = values;
  const loss = Math.max(0, (top - value) / 2);
  return { accepted: loss <= AS_GOOD, loss, refutation };
}
