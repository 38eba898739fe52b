// What was wrong in a game, and why: every position from the last to the first; as
// boardzero.study.review, where the reasons for all of it stand.

import type { ReviewView, VerdictView } from "../../types";
import { type Choice, type Move, valueFor } from "../core";
import type { State } from "../game";
import { moveView } from "../views";
import { balanceAfter, playedOut, texts } from "./lines";
import { ATTACK, type Mistake, reasonFor, winsLate } from "./reasons";
import { type Reason, sentences, type Words } from "./words";

/** Lets a player look at a position for so many seconds. */
export type Ask = (state: State, player: string, seconds: number) => Promise<Choice>;

type Name = NonNullable<VerdictView["name"]>;
type Verdict = Omit<VerdictView, "reason"> & { reason: Reason | null };

// Loss of winning chances, from 0 to 1, from which on a move has a name.
const NAMES: [Name, number][] = [
  ["blunder", 0.2],
  ["mistake", 0.1],
  ["inaccuracy", 0.05],
];
const LEAST = 0.05;
const DOUBTFUL = 0.03; // from this loss on a move is searched again
const AGAIN = 3; // times as long
const DECIDED = 0.995; // values beyond are forced wins
const LOST = -0.8; // from this value on chances tell nothing more, and only what is lost does
const THROWN_AWAY = 3; // men given for nothing: a blunder even then

export async function* review(
  end: State,
  analyst: string,
  seconds: number,
  ask: Ask,
  words: Words,
): AsyncGenerator<ReviewView> {
  const verifier = new Verifier(end.game.traits.tactician, seconds, ask);
  const states = positions(end);
  let following: Choice | null = null; // the tactician's, of the position after
  let later: Choice | null = null; // the analyst's
  for (let ply = states.length - 1; ply >= 0; ply--) {
    const state = states[ply] as State;
    const after = states[ply + 1] ?? null;
    let opinion: Choice | null = null;
    let checked: Choice | null = null;
    let verdict: Verdict | null = null;
    if (!state.outcome) {
      checked = await ask(state, verifier.player, seconds);
      opinion = analyst === verifier.player ? checked : await ask(state, analyst, seconds);
      if (after && state.moves.length > 1) {
        const doubt = opinion === checked ? null : lossOf(state, opinion, after, later);
        [verdict, checked] = await verifier.verdict(state, after, checked, following, doubt);
      }
    }
    const shown = verdict?.name ? checked : opinion; // what was shown to be better
    yield {
      kind: "review",
      ply,
      fen: state.fen,
      mover: state.toMove,
      value: opinion?.value ?? null,
      best: shown && moveView(shown.move),
      played: after?.lastMove?.text ?? null,
      pv: texts(playedOut(state, shown?.pv ?? [])),
      verdict: verdict && {
        ...verdict,
        reason: verdict.reason ? sentences(verdict.reason, words) : {},
      },
    };
    [following, later] = [checked, opinion];
  }
}

/** The tactician at work. */
class Verifier {
  constructor(
    readonly player: string,
    private readonly seconds: number,
    private readonly askPlayer: Ask,
  ) {}

  /** What is said of a move, and the best choice as it was found on a second look. */
  async verdict(
    state: State,
    after: State,
    found: Choice,
    next: Choice | null,
    doubt: number | null, // what the analyst says is lost
  ): Promise<[Verdict | null, Choice]> {
    const seat = state.toMove;
    const played = after.lastMove as Move;
    let [best, following] = [found, next];
    if (!following && !after.outcome) following = await this.ask(after, this.seconds);
    let value = worth(after, following, seat) ?? knownValue(best, played);
    let top = best.value === null ? null : worth(state, best, seat);
    if (value === null || top === null) return [null, best];
    if (played.text === best.move.text) top = value = Math.max(value, top);
    const thrown = isThrownAway(state, best, after, following);
    let late = winsLate(mistakeOf(state, best, after, following, value, top));
    if ((top - value) / 2 >= DOUBTFUL || thrown || late) {
      ({ best, following, top, value } = await this.again(state, after, following));
    }
    let loss = Math.max(0, (top - value) / 2);
    const reply = following?.pv ?? [];
    const gain = balanceAfter(state, best.pv, seat);
    const kept = balanceAfter(after, reply, seat, state);
    const decided = Math.max(top, -value) >= DECIDED || gain !== kept;
    if (doubt !== null && !decided) loss = Math.min(loss, doubt);
    const mistake = mistakeOf(state, best, after, following, value, top);
    late &&= winsLate(mistake);
    let reason: Reason | null = null;
    if (loss >= LEAST || thrown || late || losesAtOnce(after, reply)) reason = reasonFor(mistake);
    let name = nameOf(loss, gain - kept, top, reason);
    if (late && !name) name = "inaccuracy";
    // So little, and nothing that shows it.
    else if (name === "inaccuracy" && (!reason || ATTACK.includes(reason.kind))) name = null;
    const verdict = { name, loss, best_gain: gain, played_gain: kept, refutation: [...reply] };
    return [{ ...verdict, reason: name ? reason : null }, best];
  }

  /** Both moves searched alike and for longer: what one search alone thinks is often noise. */
  private async again(state: State, after: State, next: Choice | null) {
    const seat = state.toMove;
    const longer = this.seconds * AGAIN;
    let best = await this.ask(state, longer);
    const following = after.outcome ? next : await this.ask(after, longer);
    let value = worth(after, following, seat);
    let top = worth(state, best, seat);
    const then = state.after(best.move);
    if (then.outcome) {
      top = worth(then, null, seat);
    } else if (!then.equals(after)) {
      const answer = await this.ask(then, longer);
      top = worth(then, answer, seat);
      if (answer.pv.length) best = { ...best, pv: [best.move.text, ...answer.pv] };
    }
    const played = after.lastMove as Move;
    value ??= knownValue(best, played);
    if (value === null || top === null) return { best, following, top: 0, value: 0 };
    if (best.move.text === played.text) top = value;
    return { best, following, top, value };
  }

  private ask(state: State, seconds: number): Promise<Choice> {
    return this.askPlayer(state, this.player, seconds);
  }
}

/** The states of a game, the first first. */
function positions(end: State): State[] {
  const states = [end.copy()];
  for (let left = end.plies; left > 0; left--) {
    const before = (states[0] as State).copy();
    before.undo();
    states.unshift(before);
  }
  return states;
}

function worth(state: State, choice: Choice | null, seat: number): number | null {
  const known = state.certain(seat);
  if (known !== null || !choice) return known;
  return valueFor(choice, seat, state.toMove, state.game.players);
}

/** What a player thinks that a move has lost, if it has an opinion. */
function lossOf(state: State, best: Choice, after: State, following: Choice | null) {
  const value = worth(after, following, state.toMove);
  if (best.value === null || value === null) return null;
  return Math.max(0, (best.value - value) / 2);
}

/** Of a move among the candidates, if the search has really looked at it. */
function knownValue(best: Choice, played: Move): number | null {
  const most = Math.max(0, ...best.candidates.map(({ visits }) => visits));
  const found = best.candidates.find(
    ({ move, visits }) =>
      move.text === played.text && (most === 0 || visits >= Math.max(8, most / 200)),
  );
  return found?.value ?? null;
}

function mistakeOf(
  state: State,
  best: Choice,
  after: State,
  following: Choice | null,
  value: number,
  top: number,
): Mistake {
  const reply = following?.pv ?? [];
  const played = after.lastMove as Move;
  return { state, played, after, reply, best: best.move, bestLine: best.pv, value, top };
}

function isThrownAway(state: State, best: Choice, after: State, following: Choice | null) {
  const seat = state.toMove;
  const kept = balanceAfter(after, following?.pv ?? [], seat, state);
  return balanceAfter(state, best.pv, seat) - kept >= THROWN_AWAY;
}

/** Whether the other side's next move ends the game. */
function losesAtOnce(after: State, reply: readonly string[]): boolean {
  if (reply.length !== 1 || after.outcome) return false;
  return after.after(reply[0] as string).outcome?.winner === after.toMove;
}

/** By winning chances, and by what is lost where those say nothing any more. */
function nameOf(loss: number, men: number, top: number, reason: Reason | null): Name | null {
  if (reason?.kind === "ignored_four") return "blunder";
  if (men >= THROWN_AWAY && top <= LOST) return "blunder";
  return NAMES.find(([, bound]) => loss >= bound)?.[0] ?? null;
}
