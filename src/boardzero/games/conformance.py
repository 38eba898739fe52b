"""What every game must keep, checked by playing at random.

`check` is for those who write games: it raises a `BoardZeroError` that says which promise a game
breaks and where. Each promise is a function of a `Sample`, named after what it promises; the
project's own tests run all of them over every registered game.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from boardzero._core import NativeState
from boardzero.base.errors import BoardZeroError
from boardzero.games.game import Game, Move, Outcome, State
from boardzero.games.registry import make

_LONGEST_GAME = 20_000


@dataclass(frozen=True, slots=True)
class Sample:
    """Some states of a game, first the start, then some of each of a few random games."""

    game: Game
    states: list[State]
    over: list[State]  # the last state of each random game
    rng: random.Random

    @property
    def running(self) -> list[State]:
        return [state for state in self.states if state.outcome() is None]


def sample(game: Game, *, games: int = 4, states: int = 24, seed: int = 0) -> Sample:
    """Play random games, and keep about as many states as asked for, with the last of each game."""
    rng = random.Random(seed)
    kept, over = [game.start()], []
    for _ in range(games):
        line = list(_random_game(game, rng))
        kept += rng.sample(line[:-1], min(len(line) - 1, states // games))
        kept.append(line[-1])
        over.append(line[-1])
    return Sample(game, kept, over, rng)


def check(game: Game | str, *, games: int = 4, seed: int = 0) -> None:
    """Raise a `BoardZeroError` with the first promise that the game breaks, if any."""
    drawn = sample(make(game) if isinstance(game, str) else game, games=games, seed=seed)
    for promise in PROMISES:
        promise(drawn)


# The promises.


def a_random_game_always_ends(drawn: Sample) -> None:
    endings = [_outcome(state).reason for state in drawn.over]
    _require(
        set(endings) != {"length limit"},
        drawn.over[0],
        "no random game ended before the length limit",
    )


def what_is_over_has_no_moves_and_what_is_not_has_some(drawn: Sample) -> None:
    for state in drawn.states:
        over = state.outcome() is not None
        _require(over == (not state.actions()), state, "outcome and actions disagree on its end")
        _require(over == (not state.moves()), state, "outcome and moves disagree on its end")


def legal_actions_are_playable(drawn: Sample) -> None:
    for state in drawn.running:
        for action in state.actions():
            after = state.copy()
            after.play_action(action)
            _require(
                after.to_move in range(drawn.game.players),
                after,
                f"after action {action} nobody is to move",
            )


def illegal_actions_are_refused(drawn: Sample) -> None:
    count = drawn.game.shape.actions
    for state in drawn.states:
        legal = set(state.actions())
        tries = [-1, count, *(drawn.rng.randrange(count) for _ in range(20))]
        before = state.copy()
        for action in tries:
            if action not in legal:
                _require(_refuses(state, action), state, f"took the illegal action {action}")
                _require(state == before, state, f"changed by the illegal action {action}")


def copies_are_independent(drawn: Sample) -> None:
    for state in drawn.running:
        before = state.fen()
        state.copy().play_action(drawn.rng.choice(state.actions()))
        _require(state.fen() == before, state, "playing on a copy changed it")


def undo_restores(drawn: Sample) -> None:
    for state in drawn.running:
        after = state.copy()
        after.play_action(drawn.rng.choice(state.actions()))
        after.undo()
        _require_alike(after, state, "undo did not restore it")
    for state in drawn.over:
        back = state.copy()
        while back.history:
            back.undo()
        _require_alike(back, drawn.game.start(), "undoing a whole game did not lead to the start")


def keys_agree_with_equality(drawn: Sample) -> None:
    states = [*drawn.states, *(state.copy() for state in drawn.states)]
    for a, b in combinations(states, 2):
        _require((a == b) == (a.key() == b.key()), a, f"equality and keys disagree on {b!r}")
    for state in drawn.running:
        action = drawn.rng.choice(state.actions())
        once, twice = state.copy(), state.copy()
        once.play_action(action)
        twice.play_action(action)
        _require_alike(once, twice, f"action {action} does not always lead to the same state")


def outcomes_add_up(drawn: Sample) -> None:
    """Two players' values cancel out; of more, a winner has 1 and the losers -1."""
    for state in drawn.over:
        outcome = _outcome(state)
        values = outcome.values
        _require(len(values) == drawn.game.players, state, f"has {len(values)} values")
        _require(all(-1 <= v <= 1 for v in values), state, f"has values {values}")
        if drawn.game.players == 2:
            _require(abs(sum(values)) < 1e-6, state, f"has values {values} that do not cancel out")
        if outcome.winner is not None:
            best = max(values)
            _require(
                values[outcome.winner] == best and values.count(best) == 1,
                state,
                f"was won by seat {outcome.winner} with values {values}",
            )


def encodings_have_the_declared_shape(drawn: Sample) -> None:
    shape = drawn.game.shape
    for state in drawn.states:
        planes = state.encode()
        _require(
            planes.shape == (shape.planes, shape.rows, shape.columns)
            and planes.dtype == np.float32,
            state,
            f"encodes as {planes.dtype} {planes.shape}",
        )
        _require(bool(np.isfinite(planes).all()), state, "encodes as numbers that are not finite")


def encodings_are_from_the_movers_view(drawn: Sample) -> None:
    """Where a symmetry exchanges seats, both see the same; else one's own pieces are told apart."""
    native = drawn.game.start().native
    swaps = [k for k in range(native.symmetries()) if native.transformed_seat(k, 0) != 0]
    for state in drawn.running:
        for k in swaps:
            turned = state.native.transformed(k)
            _require(
                np.array_equal(turned.encode(), state.encode()),
                state,
                f"looks different to the mover under symmetry {k}, which exchanges the seats",
            )
            for action in state.actions():
                _require(
                    turned.relative(state.native.transformed_action(k, action))
                    == state.native.relative(action),
                    state,
                    f"action {action} has another relative id under symmetry {k}",
                )
    with_pieces = [state for state in drawn.running if state.pieces()]
    if not swaps and with_pieces:
        _own_pieces_have_planes(drawn, with_pieces)


def symmetries_commute_with_play(drawn: Sample) -> None:
    for state in drawn.running:
        native = state.native
        action = drawn.rng.choice(state.actions())
        after = native.clone()
        after.play(action)
        _require(native.transformed(0).equals(native), state, "symmetry 0 changes it")
        for k in range(1, native.symmetries()):
            turned = native.transformed(k)
            where = f"under symmetry {k}"
            _require(
                sorted(turned.actions())
                == sorted(native.transformed_action(k, a) for a in native.actions()),
                state,
                f"has other actions {where}",
            )
            _require(
                turned.to_move == native.transformed_seat(k, native.to_move),
                state,
                f"has another mover {where}",
            )
            turned.play(native.transformed_action(k, action))
            _require(
                turned.equals(after.transformed(k)),
                state,
                f"action {action} leads elsewhere {where}",
            )
            _require(
                _turned_values(native, k, after.outcome()) == _values(turned.outcome()),
                state,
                f"action {action} ends otherwise {where}",
            )


def moves_and_actions_agree(drawn: Sample) -> None:
    for state in drawn.running:
        moves = state.moves()
        texts = [move.text for move in moves]
        _require(len(set(texts)) == len(texts), state, f"has moves of the same name: {texts}")
        _require(
            {move.actions[0] for move in moves} <= set(state.actions()),
            state,
            "a move does not begin with one of its actions",
        )
        for action in state.actions():
            made = _finished(state, action, drawn.rng)
            _require(made in moves, state, f"action {action} leads to '{made}', not to its moves")
        for move in drawn.rng.sample(moves, min(len(moves), 8)):
            _require(state.parse(move.text) == move, state, f"does not understand '{move}'")
            stepwise = state.copy()
            for action in move.actions:
                stepwise.play_action(action)
            _require(state.after(move) == stepwise, state, f"'{move}' is not its actions")


def fen_round_trips(drawn: Sample) -> None:
    for state in drawn.states:
        read = drawn.game.parse_fen(state.fen())
        _require(read == state, state, f"reads back as {read!r}")
        _require(read.fen() == state.fen(), state, "changes its FEN when read back")
        if state.outcome() is None and read.outcome() is None:
            _require(read.actions() == state.actions(), state, "has other actions when read back")


def nonsense_is_no_fen(drawn: Sample) -> None:
    for text in ("", "nonsense", "\x00", "\ud800", "(" * 5000, drawn.game.start().fen() + "?"):
        try:
            drawn.game.parse_fen(text)
        except BoardZeroError:
            continue
        _require(False, drawn.game.start(), f"read {text[:40]!r} as a position")


def pieces_stand_on_the_board(drawn: Sample) -> None:
    places = drawn.game.geometry.places
    for state in drawn.states:
        cells = [piece.cell for piece in state.pieces()]
        _require(len(set(cells)) == len(cells), state, "has two pieces on one cell")
        _require(places.keys() >= set(cells), state, "has a piece off the board")
        for move in state.moves()[:8]:
            _require(places.keys() >= set(move.path), state, f"'{move}' leaves the board")


def boards_can_be_drawn(drawn: Sample) -> None:
    for state in drawn.states[:8]:
        _require(bool(str(state).strip()), state, "draws as nothing")
        picture = state.svg(last_move=state.last_move)
        _require(picture.startswith("<svg") and picture.endswith("</svg>"), state, "has no picture")


PROMISES: tuple[Callable[[Sample], None], ...] = (
    a_random_game_always_ends,
    what_is_over_has_no_moves_and_what_is_not_has_some,
    legal_actions_are_playable,
    illegal_actions_are_refused,
    copies_are_independent,
    undo_restores,
    keys_agree_with_equality,
    outcomes_add_up,
    encodings_have_the_declared_shape,
    encodings_are_from_the_movers_view,
    symmetries_commute_with_play,
    moves_and_actions_agree,
    fen_round_trips,
    nonsense_is_no_fen,
    pieces_stand_on_the_board,
    boards_can_be_drawn,
)


# Help for the promises.


def _random_game(game: Game, rng: random.Random) -> Iterator[State]:
    """The states of a random game after the start; the last one is over."""
    state = game.start()
    for _ in range(_LONGEST_GAME):
        state.play_action(rng.choice(state.actions()))
        yield state.copy()
        if state.outcome() is not None:
            return
    _require(False, state, f"is not over after {_LONGEST_GAME} random actions")


def _finished(state: State, action: int, rng: random.Random) -> Move | None:
    """The move that begins with an action and goes on at random."""
    at, actions = state.copy(), [action]
    at.play_action(action)
    while at.actions() and not state.moves_of(actions):
        actions.append(rng.choice(at.actions()))
        at.play_action(actions[-1])
    return next(iter(state.moves_of(actions)), None)


def _require(kept: bool, state: State, complaint: str) -> None:
    if not kept:
        raise BoardZeroError(f"{state!r} {complaint}")


def _require_alike(a: State, b: State, complaint: str) -> None:
    same = a == b and a.fen() == b.fen() and a.key() == b.key() and a.actions() == b.actions()
    _require(same and np.array_equal(a.encode(), b.encode()), a, complaint)


def _refuses(state: State, action: int) -> bool:
    try:
        state.copy().play_action(action)
    except BoardZeroError:
        return True
    return False


def _outcome(state: State) -> Outcome:
    outcome = state.outcome()
    assert outcome is not None
    return outcome


def _values(outcome: Outcome | None) -> list[float] | None:
    return None if outcome is None else outcome.values


def _turned_values(
    native: NativeState, symmetry: int, outcome: Outcome | None
) -> list[float] | None:
    if outcome is None:
        return None
    turned = [0.0] * len(outcome.values)
    for seat, value in enumerate(outcome.values):
        turned[native.transformed_seat(symmetry, seat)] = value
    return turned


def _own_pieces_have_planes(drawn: Sample, states: list[State]) -> None:
    """Some planes hold the mover's pieces and nothing else, whoever the mover is."""
    shape = drawn.game.shape
    own = [{p.cell for p in state.pieces() if p.owner == state.to_move} for state in states]
    shown = [
        [set(np.flatnonzero(plane)) for plane in state.encode().reshape(shape.planes, -1)]
        for state in states
    ]
    planes = [
        p
        for p in range(shape.planes)
        if all(planes[p] <= mine for planes, mine in zip(shown, own, strict=True))
    ]
    for state, supports, mine in zip(states, shown, own, strict=True):
        seen = set().union(*(supports[p] for p in planes))
        _require(seen == mine, state, "does not show the mover's own pieces in planes of their own")
