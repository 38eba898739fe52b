"""Data sets: every position once, whoever is killed goes on, and files of people's games."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from boardzero import BoardZeroError, _core, make
from boardzero.lodz.samples import samples_of
from boardzero.training.dataset import DataSet, DatasetPlan, Games, load_plan, plan_names

ENGLISH = "english:endings=ocheretian"


def plan(count: int = 4, **changes: object) -> DatasetPlan:
    games = (Games(players=("random",), count=count),)
    return DatasetPlan.model_validate({"name": "t", "game": ENGLISH, "games": games, **changes})


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> DataSet:
    """Four games of random with itself."""
    data = DataSet.create(tmp_path_factory.mktemp("data") / "set", plan())
    data.make(workers=1)
    return data


def test_records_are_those_of_self_play_and_pass_its_check(played: DataSet) -> None:
    sampler = _core.make_sampler(make(ENGLISH).start().native, ("mover", "planes", 0))
    replay = played.replay()
    for game in replay.games:
        sampler.verify(replay.read(game))
        assert game.samples > 0
    replay.close()


def test_random_openings_are_played_and_not_learned(tmp_path: Path) -> None:
    data = DataSet.create(tmp_path / "set", plan(2, opening_plies=3))
    data.make(workers=1)
    replay = data.replay()
    records = [_core.parse_record(replay.read(game)) for game in replay.games]
    replay.close()
    assert [min(d.ply for d in record.decisions) for record in records] == [3, 3]
    assert records[0].actions[:3] == records[1].actions[:3]  # each opening with both seatings


def test_players_change_seats(tmp_path: Path) -> None:
    games = (Games(players=("alphabeta:depth=3", "random"), count=4),)
    data = DataSet.create(tmp_path / "set", plan(games=games))
    data.make(workers=1)
    replay = data.replay()
    records = [_core.parse_record(replay.read(game)) for game in replay.games]
    replay.close()
    assert {record.number: record.winner for record in records} == {0: 0, 1: 1, 2: 0, 3: 1}


def test_three_sit_down_in_turn_and_their_games_can_be_learned_from(tmp_path: Path) -> None:
    games = (Games(players=("greedy", "random"), count=2),)
    assert [games[0].seats(n, 3) for n in (0, 1)] == [
        ("greedy", "random", "greedy"),
        ("random", "greedy", "random"),
    ]
    data = DataSet.create(tmp_path / "set", plan(game="chexers", games=games, max_plies=60))
    data.make(workers=1)
    sampler = _core.make_sampler(make("chexers").start().native, ("mover", "flat", 0))
    replay = data.replay()
    for game in replay.games:
        sampler.verify(replay.read(game))
    replay.close()
    assert data.summary().games == 2


def test_the_same_plan_gives_the_same_games(played: DataSet, tmp_path: Path) -> None:
    again = DataSet.create(tmp_path / "set", plan())
    again.make(workers=1)
    assert samples_of(again).boards.tobytes() == samples_of(played).boards.tobytes()


def test_what_was_finished_is_not_played_again(tmp_path: Path) -> None:
    data = DataSet.create(tmp_path / "set", plan(3))
    data.make(workers=1)
    before = (data.path / "shard-000001.bin").read_bytes()
    told = []
    DataSet.create(tmp_path / "set", plan(3)).make(workers=1, on_progress=told.append)
    assert (data.path / "shard-000001.bin").read_bytes() == before
    assert [progress.done for progress in told] == [3]


def test_a_torn_last_game_is_played_again(tmp_path: Path, played: DataSet) -> None:
    data = DataSet.create(tmp_path / "set", plan())
    data.make(workers=1)
    shard = data.path / "shard-000001.bin"
    shard.write_bytes(shard.read_bytes()[:-5])
    assert not data.is_complete
    data.make(workers=1)
    assert data.is_complete
    assert samples_of(data).total == samples_of(played).total


def test_killed_at_any_moment_it_goes_on_and_nothing_is_twice(tmp_path: Path) -> None:
    wanted = plan(60, seed=3, opening_plies=2)
    DataSet.create(tmp_path / "set", wanted)
    script = (
        "if __name__ == '__main__':\n"
        "    from boardzero.training.dataset import DataSet\n"
        f"    DataSet.open({str(tmp_path / 'set')!r}).make(workers=1)\n"
    )
    (tmp_path / "make.py").write_text(script)
    command = [sys.executable, str(tmp_path / "make.py")]
    maker = subprocess.Popen(command, start_new_session=True)
    shard = tmp_path / "set" / "shard-000001.bin"
    while not (shard.exists() and shard.stat().st_size > 2000) and maker.poll() is None:
        time.sleep(0.02)
    os.killpg(maker.pid, signal.SIGKILL)
    maker.wait()
    data = DataSet.open(tmp_path / "set")
    data.make(workers=1)
    replay = data.replay()
    assert sorted(game.number for game in replay.games) == list(range(60))
    replay.close()


def test_games_of_people_are_taken_from_pdn(tmp_path: Path) -> None:
    file = tmp_path / "club.pdn"
    file.write_text(
        '[GameType "21"]\n[Result "1-0"]\n1. 11-15 23-19 2. 8-11 22-17 1-0\n\n'
        '[GameType "21"]\n1. 11-15 23-19 *\n\n'  # without a result it teaches nothing
        '[GameType "21"]\n[Result "0-1"]\n1. 11-15 99-1 0-1\n\n'
        '[GameType "21"]\n[Result "1/2-1/2"]\n1. 11-15 23-19 1/2-1/2\n'
    )
    data = DataSet.create(tmp_path / "set", plan(games=(), pdn=(str(file),)))
    errors: list[BoardZeroError] = []
    data.make(on_error=errors.append)
    data.make(on_error=errors.append)
    assert len(errors) == 1
    assert data.is_complete
    summary = data.summary()
    assert (summary.games, summary.positions, len(samples_of(data))) == (2, 6, 4)
    assert summary.results == {str(file): (1, 1, 0)}


def test_games_of_people_do_not_stand_for_games_that_are_to_be_played(tmp_path: Path) -> None:
    file = tmp_path / "club.pdn"
    file.write_text('[GameType "21"]\n[Result "1-0"]\n1. 11-15 23-19 1-0\n')
    data = DataSet.create(tmp_path / "set", plan(2, pdn=(str(file),)))
    data.make(workers=1)
    assert data.is_complete
    replay = data.replay()
    kept = [replay.read(game) for game in replay.games if game.number != 0]
    (data.path / "shard-000001.bin").unlink()
    replay = data.replay()
    for record in kept:
        replay.append(record, iteration=1)
    replay.close()
    assert data.count() == 2
    assert not data.is_complete


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    data = DataSet.create(tmp_path / "set", plan(games=(), pdn=("/nowhere/x.pdn",)))
    with pytest.raises(BoardZeroError, match=r"cannot read '/nowhere/x.pdn'"):
        data.make()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"games": ()}, "needs games to be played, or PDN files"),
        ({"game": "gomoku", "pdn": ("a.pdn",)}, "games of draughts"),
        ({"games": ({"players": ("random",) * 3, "count": 1},)}, "2 seats"),
        ({"games": [{"players": ["alphabetta"], "count": 1}]}, "did you mean 'alphabeta'"),
        ({"sed": 1}, "sed"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        plan(**changes)


def test_another_plan_does_not_go_into_the_same_folder(played: DataSet) -> None:
    with pytest.raises(BoardZeroError, match="is made of other games"):
        DataSet.create(played.path, plan(5))


def test_a_folder_without_a_data_set_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(BoardZeroError, match="boardzero dataset make"):
        DataSet.open(tmp_path)


@pytest.mark.parametrize("name", plan_names())
def test_plans_that_are_shipped_are_valid_and_survive_being_saved(
    name: str, tmp_path: Path
) -> None:
    wanted = load_plan(name)
    DataSet.create(tmp_path / "set", wanted)
    assert DataSet.open(tmp_path / "set").plan == wanted


def test_the_lodz_data_set_has_the_thesis_s_games() -> None:
    parts = {part.players: part.count for part in load_plan("lodz").games}
    assert list(parts.values()) == [1000, 900, 230]
    assert sum(parts.values()) == 2130
