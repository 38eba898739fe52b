"""Games of a data set as rows: every position with its step once."""

from pathlib import Path

import numpy as np
import pytest

from boardzero import _core, make
from boardzero.lodz.samples import samples_of
from boardzero.training.dataset import DataSet, DatasetPlan, Games, record_bytes

ENGLISH = "english:endings=ocheretian"


def plan() -> DatasetPlan:
    games = (Games(players=("random",), count=4),)
    return DatasetPlan(name="t", game=ENGLISH, games=games)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> DataSet:
    """Four games of random with itself."""
    data = DataSet.create(tmp_path_factory.mktemp("data") / "set", plan())
    data.make(workers=1)
    return data


def test_every_action_of_a_game_is_a_row_or_the_repetition_of_one(played: DataSet) -> None:
    samples = samples_of(played)
    replay = played.replay()
    actions = sum(len(_core.parse_record(replay.read(game)).actions) for game in replay.games)
    replay.close()
    assert samples.total == actions > len(samples)  # all begin with the same board
    rows = np.column_stack([samples.boards, samples.pieces, samples.targets])
    assert len(np.unique(rows, axis=0)) == len(samples)


def test_results_are_those_of_the_games_seen_by_the_mover(tmp_path: Path) -> None:
    data = DataSet.create(tmp_path / "set", plan())
    state = make(ENGLISH).start()
    moves = []
    for text in ("11-15", "23-19"):
        moves.append(state.parse(text))
        state.play(text)
    replay = data.replay()
    for number, (values, winner) in enumerate([((1.0, -1.0), 0), ((0.0, 0.0), None)]):
        record = record_bytes(number=number, source=0, moves=moves, values=values, winner=winner)
        assert replay.append(record, iteration=1)
    replay.close()
    samples = samples_of(data)
    assert samples.counts.tolist() == [2, 2]
    assert samples.results.tolist() == [0.5, -0.5]
