"""What was wrong in a game, and why: every position from the last to the first.

Two players look at it. The analyst, whom the person chose, gives the winning chances; the tactician
sees shots best in this game. What a forced win or pieces decide is the tactician's to say: the move
played and the best one are compared by searches of what each leads to, and whatever seems wrong is
searched again for longer before it is called so. Where nothing is forced, both must agree. A move
that nobody looked at has no value and is searched. A win that is kept and takes much longer is an
inaccuracy.

The work is a generator that asks (`Ask`) and is told (`Choice`), so that it runs in a loop here and
among many others on a server.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from boardzero.games import Evaluation, Game, Move, State
from boardzero.models.kinds import champion_player
from boardzero.players import Choice, Limit, make_player
from boardzero.study.endings import known_value
from boardzero.study.lines import balance_after, played_out, short
from boardzero.study.reasons import ATTACK, Mistake, reason_for
from boardzero.study.words import Language, Reason, better_word, verdict_word

if TYPE_CHECKING:
    from boardzero.games import GameTree

VerdictName = Literal["inaccuracy", "mistake", "blunder"]

# Loss of winning chances, from 0 to 1, from which on a move has a name.
_NAMES: tuple[tuple[VerdictName, float], ...] = (
    ("blunder", 0.20),
    ("mistake", 0.10),
    ("inaccuracy", 0.05),
)
_GLYPHS: Mapping[VerdictName, int] = {"blunder": 4, "mistake": 2, "inaccuracy": 6}
_DOUBTFUL = 0.03  # from this loss on a move is searched again
_AGAIN = 3  # times as long
_DECIDED = 0.995  # values beyond are forced wins
_LOST = -0.8  # from this value on chances tell nothing more, and only what is lost does
_THROWN_AWAY = 3  # men given for nothing: a blunder even then
SECONDS = 0.15  # for each position and player


@dataclass(frozen=True, slots=True)
class Ask:
    """A question of the review: what would this player play here?"""

    state: State
    player: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of the mover's winning chances, and why."""

    name: VerdictName | None  # None: nothing was wrong
    loss: float  # of winning chances, in [0, 1]
    best_gain: int  # pieces won less pieces lost along the best line
    played_gain: int  # the same after the move played
    refutation: tuple[str, ...]  # what answers the move played
    reason: Reason | None  # None where nothing can be said but the lines


@dataclass(frozen=True, slots=True)
class ReviewStep:
    """A position of a game: what is best, and what is said of the move played."""

    ply: int
    state: State
    value: float | None  # for the mover, by the analyst
    best: Move | None  # None where the game is over
    line: tuple[str, ...]  # that the best move begins
    played: Move | None  # None at the end
    verdict: Verdict | None  # None where there was no choice or nobody has an opinion


def review_game(
    game: State | GameTree,
    *,
    player: str | None = None,
    tactician: str | None = None,
    seconds: float = SECONDS,
    nodes: int | None = None,
) -> Iterator[ReviewStep]:
    """Review a game from its last position to its first; of a tree, the main line.

    With `nodes` each search is bounded by positions instead of time, and the review repeats.
    """
    end = game if isinstance(game, State) else game.end().state()
    analyst = player or default_analyst(end.game)
    work = reviewing(end, analyst=analyst, tactician=tactician, seconds=seconds)
    with ExitStack() as stack:
        specs = {analyst, tactician or strongest(end.game)}
        players = {s: stack.enter_context(closing(make_player(s, end.game))) for s in specs}
        answer: Choice | None = None
        while True:
            try:
                asked = work.send(answer)
            except StopIteration:
                return
            answer = None
            if isinstance(asked, ReviewStep):
                yield asked
            else:
                limit = Limit(time=asked.seconds)
                if nodes is not None:
                    limit = Limit(nodes=int(nodes * asked.seconds / seconds))
                answer = players[asked.player].choose(asked.state, limit)


def strongest(game: Game) -> str:
    """Who sees best what a move loses: the game's tactician, its champion, or else an analyst."""
    named = game.traits.players.tactician
    return named or champion_player(game) or game.traits.players.analysts[0]


def default_analyst(game: Game) -> str:
    return champion_player(game) or game.traits.players.analysts[0]


def reviewing(
    end: State, *, analyst: str, tactician: str | None = None, seconds: float = SECONDS
) -> Generator[Ask | ReviewStep, Choice | None, None]:
    """The review itself; who runs it answers every `Ask` with a `Choice`."""
    verifier = _Verifier(tactician or strongest(end.game), seconds)
    states = positions(end)
    following: Choice | None = None  # the tactician's, of the position after
    later: Choice | None = None  # the analyst's
    for ply in range(len(states) - 1, -1, -1):
        state = states[ply]
        after = states[ply + 1] if ply + 1 < len(states) else None
        opinion = checked = None
        verdict = None
        if state.outcome() is None:
            checked = yield from verifier.ask(state, seconds)
            opinion = checked
            if analyst != verifier.player:
                opinion = yield Ask(state, analyst, seconds)
                assert opinion is not None
            if after is not None and len(state.moves()) > 1:
                doubt = None if opinion is checked else _loss(state, opinion, after, later)
                verdict, checked = yield from verifier.verdict(
                    state, after, checked, following, doubt
                )
        shown = opinion
        if verdict is not None and verdict.name is not None:
            shown = checked  # what was shown to be better
        yield ReviewStep(
            ply=ply,
            state=state,
            value=opinion.value if opinion else None,
            best=shown.move if shown else None,
            line=shown.pv if shown else (),
            played=_played(after) if after is not None else None,
            verdict=verdict,
        )
        following, later = checked, opinion


class _Verifier:
    """The tactician at work."""

    def __init__(self, player: str, seconds: float) -> None:
        self.player = player
        self._seconds = seconds

    def ask(self, state: State, seconds: float) -> Generator[Ask, Choice | None, Choice]:
        choice = yield Ask(state, self.player, seconds)
        assert choice is not None
        return choice

    def verdict(
        self,
        state: State,
        after: State,
        best: Choice,
        following: Choice | None,
        doubt: float | None,  # what the analyst says is lost
    ) -> Generator[Ask, Choice | None, tuple[Verdict | None, Choice]]:
        """What is said of a move, and the best choice as it was found on a second look."""
        seat = state.to_move
        played = _played(after)
        if following is None and after.outcome() is None:
            following = yield from self.ask(after, self._seconds)
        value = _value(after, following, seat)
        if value is None or best.value is None:
            value = _known_value(best, played) if value is None else value
            if value is None or best.value is None:
                return None, best
        top = _value(state, best, seat)
        assert top is not None
        if played.text == best.move.text:
            top = value = max(value, top)
        thrown = _is_thrown_away(state, best, after, following)
        late = _mistake(state, best, after, following, value, top).wins_late
        if (top - value) / 2 >= _DOUBTFUL or thrown or late:
            best, following, top, value = yield from self._again(state, after, best, following)
        loss = max(0.0, (top - value) / 2)
        reply = following.pv if following is not None else ()
        gains = balance_after(state, best.pv, seat), balance_after(after, reply, seat, since=state)
        decided = max(top, -value) >= _DECIDED or gains[0] != gains[1]
        if doubt is not None and not decided:
            loss = min(loss, doubt)
        mistake = _mistake(state, best, after, following, value, top)
        late = late and mistake.wins_late
        reason = None
        if loss >= _NAMES[-1][1] or thrown or late or _loses_at_once(after, reply):
            reason = reason_for(mistake)
        name = _name(loss, gains[0] - gains[1], top, reason)
        if late and name is None:
            name = "inaccuracy"
        elif name == "inaccuracy" and (reason is None or reason.kind in ATTACK):
            name = None  # so little, and nothing that shows it
        reason = reason if name else None
        return Verdict(name, loss, *gains, refutation=tuple(reply), reason=reason), best

    def _again(
        self, state: State, after: State, best: Choice, following: Choice | None
    ) -> Generator[Ask, Choice | None, tuple[Choice, Choice | None, float, float]]:
        """Both moves searched alike and for longer: what one search alone thinks is often noise."""
        seat = state.to_move
        longer = self._seconds * _AGAIN
        best = yield from self.ask(state, longer)
        if after.outcome() is None:
            following = yield from self.ask(after, longer)
        value = _value(after, following, seat)
        top = _value(state, best, seat)
        then = state.after(best.move)
        if then.outcome() is not None:
            top = _value(then, None, seat)
        elif then != after:
            answer = yield from self.ask(then, longer)
            top = _value(then, answer, seat)
            if answer.pv:
                best = replace(best, pv=(best.move.text, *answer.pv))
        if value is None:
            value = _known_value(best, _played(after))
        if value is None or top is None:
            return best, following, 0.0, 0.0
        if best.move.text == _played(after).text:
            top = value
        return best, following, top, value


def positions(end: State) -> list[State]:
    """The states of a game, the first first."""
    states = [end.copy()]
    while states[-1].history:
        before = states[-1].copy()
        before.undo()
        states.append(before)
    return states[::-1]


def annotate(tree: GameTree, steps: list[ReviewStep], language: Language = "en") -> None:
    """Write a review into a tree: glyphs, evaluations, sentences, and the better lines."""
    nodes = [tree, *tree.mainline()]
    for step in steps:
        node = nodes[step.ply]
        if step.value is not None:
            node.evaluation = Evaluation(step.state.to_move, max(-1.0, min(1.0, step.value)))
        verdict = step.verdict
        if verdict is None or verdict.name is None or step.ply + 1 >= len(nodes):
            continue
        played = nodes[step.ply + 1]
        if _GLYPHS[verdict.name] not in played.nags:
            played.nags.append(_GLYPHS[verdict.name])
        played.comment = f"{played.comment} {explain(step, language)}".strip()
        node.add_line(played_out(step.state, step.line))


def explain(step: ReviewStep, language: Language = "en") -> str:
    """A review's sentence about the move played; empty where nothing was wrong."""
    if step.verdict is None or step.verdict.name is None or step.best is None:
        return ""
    reason = step.verdict.reason
    words = [
        f"{verdict_word(step.verdict.name, language)}.",
        reason.sentence(language) if reason else "",
        better_word(short(step.best.text), language),
    ]
    return " ".join(word for word in words if word)


def _played(after: State) -> Move:
    played = after.last_move
    if played is None:  # by actions: of a game in Python
        before = after.copy()
        action = before.undo()
        assert isinstance(action, int)
        played = before.moves_of([action])[0]
    return played


def _value(state: State, choice: Choice | None, seat: int) -> float | None:
    known = known_value(state, seat)
    if known is not None or choice is None:
        return known
    return choice.value_for(seat, state.to_move, state.game.players)


def _loss(
    state: State, best: Choice | None, after: State, following: Choice | None
) -> float | None:
    """What a player thinks that a move has lost, if it has an opinion."""
    if best is None or best.value is None:
        return None
    value = _value(after, following, state.to_move)
    return None if value is None else max(0.0, (best.value - value) / 2)


def _known_value(best: Choice, played: Move) -> float | None:
    """Of a move among the candidates, if the search has really looked at it."""
    most = max((c.visits for c in best.candidates), default=0)
    for candidate in best.candidates:
        enough = most == 0 or candidate.visits >= max(8, most / 200)
        if candidate.move.text == played.text and enough:
            return candidate.value
    return None


def _mistake(
    state: State, best: Choice, after: State, following: Choice | None, value: float, top: float
) -> Mistake:
    reply = following.pv if following is not None else ()
    return Mistake(state, _played(after), after, reply, best.move, best.pv, value=value, top=top)


def _is_thrown_away(state: State, best: Choice, after: State, following: Choice | None) -> bool:
    reply = following.pv if following is not None else ()
    seat = state.to_move
    lost = balance_after(state, best.pv, seat) - balance_after(after, reply, seat, since=state)
    return lost >= _THROWN_AWAY


def _loses_at_once(after: State, reply: Sequence[str]) -> bool:
    """Whether the other side's next move ends the game."""
    if len(reply) != 1 or after.outcome() is not None:
        return False
    outcome = after.after(reply[0]).outcome()
    return outcome is not None and outcome.winner == after.to_move


def _name(loss: float, men: int, top: float, reason: Reason | None) -> VerdictName | None:
    """By winning chances, and by what is lost where those say nothing any more."""
    if reason is not None and reason.kind == "ignored_four":
        return "blunder"
    if men >= _THROWN_AWAY and top <= _LOST:
        return "blunder"
    return next((name for name, bound in _NAMES if loss >= bound), None)
