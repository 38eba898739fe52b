"""Sweeps: what they try, whom they drop, and that they go on where they were."""

from pathlib import Path

import pytest

from boardzero.errors import BoardZeroError
from boardzero.learn.events import Event
from boardzero.learn.sweep import Sweep, trials_of
from tests.learn.tiny import tiny


def test_a_grid_is_every_combination() -> None:
    assert trials_of(["learn.lr=0.1, 0.2", "net.blocks=4"]) == [
        ("learn.lr=0.1", "net.blocks=4"),
        ("learn.lr=0.2", "net.blocks=4"),
    ]


@pytest.mark.parametrize("line", ["learn.lr", "learn.lr=", "learn.lr=,"])
def test_a_line_without_values_is_refused(line: str) -> None:
    with pytest.raises(BoardZeroError, match="not of the form"):
        trials_of([line])


def test_a_wrong_value_is_refused_before_anything_is_trained(tmp_path: Path) -> None:
    with pytest.raises(BoardZeroError, match=r"learn\.lr"):
        Sweep("wang-gomoku-quick", ["learn.lr=0.1,-1"], folder=tmp_path / "sweep", minutes=1)
    assert not (tmp_path / "sweep").exists()


def test_the_weaker_half_is_dropped_and_a_second_call_trains_nothing_again(tmp_path: Path) -> None:
    recipe = tmp_path / "tiny.toml"
    recipe.write_text(tiny(run__iterations=1, gate__games=0).toml())
    heard: list[tuple[str, Event]] = []

    def rounds() -> list[tuple[float, list[str]]]:
        sweep = Sweep(
            str(recipe),
            ["learn.lr=0.001,0.01,0.1"],
            folder=tmp_path / "sweep",
            minutes=5,
            games=4,
            cores=1,
        )
        found = sweep.rounds(lambda trial, event: heard.append((trial, event)))
        return [(result.minutes, [trial for trial, _ in result.ratings]) for result in found]

    first = rounds()
    assert [(minutes, len(trials)) for minutes, trials in first] == [(5, 3), (10, 2)]
    assert set(first[1][1]) == set(first[0][1][:2])
    assert {trial for trial, _ in heard} == {"lr=0.001", "lr=0.01", "lr=0.1"}
    heard.clear()
    assert rounds() == first
    assert heard == []
