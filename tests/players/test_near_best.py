"""Players that err: within a margin, and never in what lies in front of them."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from boardzero import Game, Move, State, make, make_player
from boardzero.games import families
from boardzero.players.level import unmeasured_levels
from boardzero.players.near_best import spread
from tests.games.variants import ALL, DRAUGHTS, name

WEAKEST = "alphabeta:depth=1,hash=1,margin=9"


def positions(game: Game, count: int, seed: str = "") -> Iterator[State]:
    """Of random games, where there is something to choose."""
    rng = Random(f"{game.spec}{seed}")
    state = game.start()
    while count:
        if state.is_over:
            state = game.start()
        if len(state.moves()) > 1:
            count -= 1
            yield state.copy()
        state.play(rng.choice(state.moves()))


def own_pieces(state: State, seat: int) -> int:
    return sum(piece.owner == seat for piece in state.pieces())


def left_after_captures(state: State, seat: int) -> int:
    """Pieces ahead of the opponent once both have captured as long as they must, at their best.

    Plain minimax, as slow as it is obvious.
    """
    captures = [move for move in state.moves() if move.captured]
    if not captures:
        return own_pieces(state, seat) - own_pieces(state, 1 - seat)
    worth = [left_after_captures(state.after(move), seat) for move in captures]
    return max(worth) if state.to_move == seat else min(worth)


@pytest.mark.parametrize("spec", DRAUGHTS)
def test_the_weakest_level_never_gives_away_a_piece_in_front_of_it(spec: str) -> None:
    """Kings count for more than men there, so that only positions without them are compared."""
    game = make(spec)
    careful = make_player("alphabeta:depth=1,mode=engine,analyse=true,seed=1", game)
    for number, state in enumerate(positions(game, 60)):
        if any(piece.kind == "king" for piece in state.pieces()):
            continue
        seat = state.to_move
        chosen = make_player(f"{WEAKEST},seed={number}", game).choose(state).move
        best = careful.choose(state).move
        after, wanted = state.after(chosen), state.after(best)
        if any(piece.kind == "king" for s in (after, wanted) for piece in s.pieces()):
            continue
        left, least = left_after_captures(after, seat), left_after_captures(wanted, seat)
        assert left >= least, (state.fen(), chosen, best)


def test_a_shot_that_lies_deeper_is_missed() -> None:
    """Of two moves that lose nothing at once, the weakest level plays the losing one too."""
    game = make("international")
    seen = Counter(
        deep_loss(state, make_player(f"{WEAKEST},seed={number}", game).choose(state).move)
        for number, state in enumerate(positions(game, 40, "deep"))
    )
    assert seen[True] > 0
    assert seen[False] > seen[True]


def deep_loss(state: State, move: Move) -> bool:
    """Whether a deeper search says that the move loses more than half a man."""
    judge = make_player("alphabeta:depth=5,mode=engine,analyse=true,seed=1", state.game)
    values = {str(c.move): spread(c.value or 0) for c in judge.choose(state).candidates}
    return values[str(move)] < max(values.values()) - spread(0.25)


@pytest.mark.parametrize("white", [("a1", "c1", "e1"), ("h9", "h11", "h13")])
def test_a_four_is_completed_and_stopped_however_large_the_margin(white: tuple[str, ...]) -> None:
    game = make("gomoku:size=15")
    state = game.start()
    for black, other in zip(("h8", "i8", "j8"), white, strict=True):
        state.play(black)
        state.play(other)
    state.play("k8")
    for seed in range(5):  # one of its ends can still be stopped
        assert str(make_player(f"{WEAKEST},seed={seed}", game).choose(state).move) in {"g8", "l8"}
    state.play("g8")
    for seed in range(5):
        assert str(make_player(f"{WEAKEST},seed={seed}", game).choose(state).move) == "l8"


def test_no_piece_of_chexers_is_left_to_the_next_player_for_nothing() -> None:
    game = make("chexers")
    look = make_player("paranoid:depth=2,seed=1", game)
    for number, state in enumerate(positions(game, 40)):
        chosen = make_player(f"maxn:depth=1,margin=9,seed={number}", game).choose(state).move
        best = make_player("maxn:depth=1,seed=1", game).choose(state).candidates[0].value
        values = {str(c.move): spread(c.value or 0) for c in look.choose(state).candidates}
        tied = [
            values[str(c.move)]
            for c in make_player("maxn:depth=1,seed=1", game).choose(state).candidates
            if c.value == best
        ]
        assert values[str(chosen)] >= min(tied) - 0.1 - 1e-6


@pytest.mark.parametrize("margin", [0.05, 0.3])
def test_the_move_is_worse_than_the_best_by_less_than_the_margin(margin: float) -> None:
    game = make("english")
    for number, state in enumerate(positions(game, 40)):
        player = make_player(f"alphabeta:depth=2,margin={margin},seed={number}", game)
        choice = player.choose(state)
        best = max(c.value for c in choice.candidates if c.value is not None)
        assert choice.value is not None
        assert spread(choice.value) >= spread(best) - margin - 1e-6
        assert choice.pv[0] == str(choice.move)


def test_a_win_within_the_horizon_is_played() -> None:
    game = make("english")
    state = game.parse_fen("W:W18,K10:B14")  # both kings and men can take the last man
    assert len(state.moves()) >= 1
    for seed in range(8):
        choice = make_player(f"{WEAKEST},seed={seed}", game).choose(state)
        assert choice.value == 1.0
        assert state.after(choice.move).is_over


def test_the_same_seed_errs_in_the_same_way_and_another_in_another() -> None:
    game = make("international")
    state = game.start()

    def chosen(seed: int) -> str:
        return str(make_player(f"{WEAKEST},seed={seed}", game).choose(state).move)

    assert chosen(3) == chosen(3)
    assert len({chosen(seed) for seed in range(30)}) > 3


@pytest.mark.parametrize("spec", ALL, ids=name)
def test_every_unmeasured_level_below_the_champion_plays_every_game(spec: str) -> None:
    game = make(spec)
    state = next(positions(game, 1))
    for level in unmeasured_levels(game)[:-1]:
        player = make_player(level.spec, game)
        assert player.choose(state).move in state.moves()


def test_the_variants_above_are_all_families_that_there_are() -> None:
    ours = {f.name for f in families() if f.make.__module__.startswith("boardzero.games")}
    assert ours <= {spec.partition(":")[0] for spec in ALL}
