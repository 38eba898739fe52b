"""Sweeps: what they try, whom they drop, and that they go on where they were."""

from contextlib import suppress
from pathlib import Path

import pytest

from boardzero.base.errors import BoardZeroError
from boardzero.base.files import finish_folder
from boardzero.experiments.sweep import Sweep, _archive_of, _install, trials_of
from boardzero.runs.events import Event
from boardzero.runs.recipe import Recipe
from boardzero.runs.run_folder import RunFolder
from tests.training.tiny import tiny


def test_a_grid_is_every_combination() -> None:
    assert trials_of(["learn.lr=0.1, 0.2", "net.blocks=4"]) == [
        ("learn.lr=0.1", "net.blocks=4"),
        ("learn.lr=0.2", "net.blocks=4"),
    ]


def test_a_value_of_a_grid_may_be_a_list() -> None:
    assert trials_of(["net.hidden=[64, 32],[16]"]) == [
        ("net.hidden=[64, 32]",),
        ("net.hidden=[16]",),
    ]


@pytest.mark.parametrize("line", ["learn.lr", "learn.lr=", "learn.lr=,"])
def test_a_line_without_values_is_refused(line: str) -> None:
    with pytest.raises(BoardZeroError, match="not of the form"):
        trials_of([line])


def test_a_wrong_value_is_refused_before_anything_is_trained(tmp_path: Path) -> None:
    with pytest.raises(BoardZeroError, match=r"learn\.lr"):
        Sweep("wang-gomoku-modern", ["learn.lr=0.1,-1"], folder=tmp_path / "sweep", minutes=1)
    assert not (tmp_path / "sweep").exists()


def test_nets_that_do_not_search_are_compared_by_the_players_that_play_them(
    tmp_path: Path,
) -> None:
    recipe = tmp_path / "tiny.toml"
    recipe.write_text('extends = "lodz-dqn"\nname = "tiny"\n[run]\ncycles = 4\nparallel = 2\n')
    grid = ["learn.lr=0.001,0.01"]
    sweep = Sweep(str(recipe), grid, folder=tmp_path / "sweep", minutes=5, games=2, cores=1)
    (found,) = sweep.rounds()
    assert sorted(trial for trial, _ in found.ratings) == ["lr=0.001", "lr=0.01"]
    assert all(rating.player.startswith("net:model=") for _, rating in found.ratings)


def test_a_trial_without_a_version_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begin(recipe: Recipe, *, run: Path, **_: object) -> None:
        RunFolder.create(run, recipe)

    monkeypatch.setattr("boardzero.experiments.sweep.train", begin)
    grid = ["learn.lr=0.1,0.2"]
    sweep = Sweep("wang-gomoku-modern", grid, folder=tmp_path / "sweep", minutes=0.5)
    with pytest.raises(BoardZeroError, match=r"lr=0.1 has no version after 0.5 minutes; give"):
        next(sweep.rounds())


def test_a_run_that_comes_back_takes_its_place_whole_whoever_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "lr=0.1"
    for seed in (1, 2):
        RunFolder.create(tmp_path / f"run{seed}", tiny(seed=seed))
    _install(_archive_of(tmp_path / "run1"), place)

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    for name in ("shutil.rmtree", "pathlib.Path.rename"):
        with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
            patch.setattr(name, die)
            _install(_archive_of(tmp_path / "run2"), place)
        finish_folder(place)
        assert RunFolder.open(place).recipe() in (tiny(seed=1), tiny(seed=2))
    (tmp_path / "run2").rename(tmp_path / ".lr=0.1.whole")
    (place / "recipe.toml").unlink()  # as a deletion that was killed left it
    finish_folder(place)
    assert RunFolder.open(place).recipe() == tiny(seed=2)
    _install(_archive_of(tmp_path / "run1"), place)
    assert [path.name for path in tmp_path.glob("*lr*")] == ["lr=0.1"]


def test_the_weaker_half_is_dropped_and_a_second_call_trains_nothing_again(tmp_path: Path) -> None:
    recipe = tmp_path / "tiny.toml"
    recipe.write_text(tiny(run__iterations=1, gate__games=0).toml())
    heard: list[tuple[str, Event]] = []

    def rounds() -> list[tuple[float, list[str]]]:
        sweep = Sweep(
            str(recipe),
            ["learn.lr=0.001,0.01,0.1", "learn.clip=1"],  # so names have commas in them
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
    assert {trial for trial, _ in heard} == {f"lr={lr},clip=1" for lr in ("0.001", "0.01", "0.1")}
    heard.clear()
    assert rounds() == first
    assert heard == []
