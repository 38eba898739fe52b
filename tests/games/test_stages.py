"""The stages of draughts, and the small policy that suffices while there are no kings."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from boardzero import BoardZeroError, PythonGame, State, make
from boardzero._core import convert_policy

INTERNATIONAL = make("international:endings=meng")


def random_states(count: int, *, seed: int) -> Iterator[State]:
    """States on the way through random games, captures under way included."""
    rng = random.Random(seed)
    while count > 0:
        state = INTERNATIONAL.start()
        while state.outcome() is None and count > 0:
            yield state
            count -= 1
            state.play_action(rng.choice(state.actions()))


@pytest.mark.parametrize(
    ("fen", "stage"),
    [
        ("W:W31-50:B1-20", 0),  # 40 pieces
        ("W:W35-50:B1-16", 0),  # 32
        ("W:W35-50:B1-15", 1),  # 31
        ("W:W35-50:B1-15,K25", 2),  # a king, however many pieces there are
        ("W:W35-39:B1-4", 1),  # 9
        ("W:W35-38:B1-4", 2),  # 8
    ],
)
def test_stages_go_by_the_number_of_pieces_and_kings(fen: str, stage: int) -> None:
    state = INTERNATIONAL.parse_fen(fen)
    assert state.native.stages() == 3
    assert state.native.stage() == stage


@pytest.mark.parametrize(
    ("fen", "stage"), [("W:W21-32:B1-7", 0), ("W:W21-32:B1-6", 1), ("W:W21-23:B1", 2)]
)
def test_smaller_boards_have_the_same_shares_of_their_pieces(fen: str, stage: int) -> None:
    assert make("english").parse_fen(fen).native.stage() == stage


def test_images_are_in_the_stage_of_the_position() -> None:
    for state in random_states(2000, seed=3):
        assert state.native.transformed(1).stage() == state.native.stage()


def test_games_without_stages_have_one() -> None:
    for spec in ("gomoku", "chexers"):
        native = make(spec).start().native
        assert (native.stages(), native.stage()) == (1, 0)


def test_inflating_and_compressing_are_inverse_on_ten_thousand_early_states() -> None:
    """InflateProbs and CompressProbs: one entry of the small vector for each legal action."""
    rng = np.random.default_rng(1)
    seen = {0: 0, 1: 0}
    for state in random_states(60_000, seed=1):
        native = state.native
        stage = native.stage()
        if stage == 2 or seen[stage] == 5000:
            continue
        seen[stage] += 1
        large = np.zeros(2501, np.float32)
        large[native.actions()] = rng.random(len(native.actions()), np.float32) + 1
        small = convert_policy(native, large.tolist(), "absolute", "directions")
        assert len(small) == 201
        assert sum(share > 0 for share in small) == len(native.actions())
        assert convert_policy(native, small, "directions", "absolute") == large.tolist()
        again = convert_policy(
            native,
            convert_policy(native, small, "directions", "absolute"),
            "absolute",
            "directions",
        )
        assert again == small
        if seen == {0: 5000, 1: 5000}:
            break
    assert seen == {0: 5000, 1: 5000}


def test_a_king_needs_the_large_policy() -> None:
    """Which is why the small one ends with stage 2."""
    native = INTERNATIONAL.parse_fen("W:WK28:B1").native
    large = [0.0] * 2501
    for action in native.actions():
        large[action] = 1.0
    small = convert_policy(native, large, "absolute", "directions")
    assert sum(share > 0 for share in small) < len(native.actions())


def test_a_vector_of_another_size_is_refused() -> None:
    with pytest.raises(BoardZeroError, match="a policy 'directions' has 201 entries"):
        convert_policy(INTERNATIONAL.start().native, [0.0] * 200, "directions", "absolute")


class Countdown(PythonGame[int]):
    """Take one or two of ten; who takes the last wins. The last five are another stage."""

    rows = columns = 1
    action_count = 2
    planes = 1
    stages = 2

    def initial(self) -> int:
        return 100

    def to_move(self, s: int) -> int:
        return s // 100 % 2

    def actions(self, _: int) -> list[int]:
        return [0, 1]

    def play(self, s: int, action: int) -> int:
        return s + 100 + action

    def outcome(self, s: int) -> list[float] | None:
        return [1.0, -1.0] if s >= 1000 else None

    def encode(self, _: int) -> np.ndarray:
        return np.zeros((1, 1, 1), np.float32)

    def stage(self, s: int) -> int:
        return s // 500


def test_a_game_written_in_python_may_have_stages() -> None:
    state = Countdown().game().start()
    found = []
    while state.outcome() is None:
        found.append(state.native.stage())
        state.play_action(0)
    assert found == [0] * 4 + [1] * 5


class Lost(Countdown):
    def stage(self, _: int) -> int:
        return 2


def test_a_stage_that_there_is_not_is_refused_with_a_sentence() -> None:
    with pytest.raises(BoardZeroError, match=r"stage.*gave 2, but the stages are 0 to 1"):
        Lost().game().start().native.stage()
