"""Where games are kept: windows, torn and damaged shards, sizes."""

import os
import resource
import signal
import tracemalloc
from functools import cache
from pathlib import Path

import pytest

from boardzero import BoardZeroError
from boardzero.runs import replay as module
from boardzero.runs.replay import Replay
from tests.search.stored import Record, self_play

FRAME = 16  # bytes before each record


@cache
def games() -> list[bytes]:
    return self_play("gomoku:size=5,line=4", 12, simulations=4)


def filled(folder: Path, count: int = 12, per_iteration: int = 4) -> Replay:
    replay = Replay(folder)
    for number, record in enumerate(games()[:count]):
        assert replay.append(record, 1 + number // per_iteration)
    return replay


def records(replay: Replay) -> list[bytes]:
    return [replay.read(game) for game in replay.games]


def shards(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_was_stored_is_read_and_is_there_after_opening_again(tmp_path: Path) -> None:
    replay = filled(tmp_path)
    assert records(replay) == games()
    replay.sync()
    replay.close()
    again = Replay(tmp_path)
    assert records(again) == games()
    assert again.numbers == set(range(12))
    assert [game.iteration for game in again.games] == [1] * 4 + [2] * 4 + [3] * 4
    for game, data in zip(again.games, games(), strict=True):
        assert game.samples == sum(choice.full for choice in Record.unpack(data).choices)


def test_a_game_that_was_just_stored_can_be_read_at_once(tmp_path: Path) -> None:
    replay = Replay(tmp_path)
    for record in games():
        replay.append(record, 1)
        assert replay.read(replay.games[-1]) == record


def test_a_number_is_stored_once(tmp_path: Path) -> None:
    replay = filled(tmp_path, 3)
    assert not replay.append(games()[1], 7)
    assert len(replay) == 3
    replay.close()
    assert not Replay(tmp_path).append(games()[2], 7)


def test_more_iterations_than_a_shard_can_count_are_one_sentence(tmp_path: Path) -> None:
    replay = Replay(tmp_path)
    assert replay.append(games()[0], 65_535)
    with pytest.raises(BoardZeroError, match="at most 65,535 iterations"):
        replay.append(games()[1], 65_536)


def test_bytes_that_are_no_game_are_not_stored(tmp_path: Path) -> None:
    replay = Replay(tmp_path)
    with pytest.raises(BoardZeroError, match="a stored game"):
        replay.append(b"nonsense", 1)
    assert shards(tmp_path) == []


# Windows.


def numbers(replay: Replay, **bounds: int) -> list[int]:
    return [game.number for game in replay.window(**bounds)]


def test_a_window_without_bounds_holds_everything(tmp_path: Path) -> None:
    assert numbers(filled(tmp_path)) == list(range(12))


def test_a_window_holds_the_latest_games_oldest_first(tmp_path: Path) -> None:
    replay = filled(tmp_path)
    assert numbers(replay, games=5) == [7, 8, 9, 10, 11]
    assert numbers(replay, iterations=1) == [8, 9, 10, 11]
    assert numbers(replay, iterations=2) == list(range(4, 12))
    assert numbers(replay, iterations=99) == list(range(12))


def test_a_window_of_positions_holds_whole_games_within_the_bound(tmp_path: Path) -> None:
    replay = filled(tmp_path)
    for bound in range(1, 150, 7):
        window = replay.window(positions=bound)
        total = sum(game.samples for game in window)
        assert total <= bound or len(window) == 1  # there is always something to learn
        older = replay.games[: len(replay) - len(window)]
        assert not older or total + older[-1].samples > bound


def test_all_bounds_that_are_given_hold(tmp_path: Path) -> None:
    replay = filled(tmp_path)
    assert numbers(replay, iterations=2, games=3) == [9, 10, 11]
    assert numbers(replay, iterations=1, games=9) == [8, 9, 10, 11]


def test_an_empty_store_has_an_empty_window(tmp_path: Path) -> None:
    assert Replay(tmp_path).window(games=3) == []


# Damage.


def test_a_torn_end_is_cut_off_wherever_it_was_torn(tmp_path: Path) -> None:
    replay = filled(tmp_path, 3)
    replay.close()
    shard = tmp_path / "shard-000001.bin"
    whole = shard.read_bytes()
    kept = replay.games[2].offset - FRAME
    for end in range(kept, len(whole), 13):
        shard.write_bytes(whole[:end])
        again = Replay(tmp_path)
        assert records(again) == games()[:2]
        assert shard.stat().st_size == kept
        assert again.set_aside == []


@pytest.mark.parametrize("written", [0, 6, FRAME, FRAME + 30])
def test_an_end_that_was_never_written_is_cut_off(tmp_path: Path, written: int) -> None:
    """After a loss of power, a file may have its new length and zeros for what was to come."""
    replay = filled(tmp_path, 4)
    replay.close()
    shard = tmp_path / "shard-000001.bin"
    kept = replay.games[2].offset - FRAME
    shard.write_bytes(shard.read_bytes()[: kept + written] + bytes(4096))
    again = Replay(tmp_path)
    assert records(again) == games()[:2]
    assert again.set_aside == []
    assert shard.stat().st_size == kept


def test_what_comes_after_a_torn_end_is_stored_behind_the_last_whole_game(tmp_path: Path) -> None:
    filled(tmp_path, 3).close()
    shard = tmp_path / "shard-000001.bin"
    os.truncate(shard, shard.stat().st_size - 1)
    again = Replay(tmp_path)
    assert again.append(games()[2], 5)
    again.close()
    assert records(Replay(tmp_path)) == games()[:3]


@pytest.mark.parametrize("place", ["frame", "length", "great length", "record"])
def test_a_damaged_shard_is_set_aside_and_the_rest_is_used(
    tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SHARD_BYTES", 1_500)
    replay = filled(tmp_path)
    replay.close()
    names = shards(tmp_path)
    assert len(names) > 2
    broken = tmp_path / names[1]
    inside = next(game for game in replay.games if game.shard == broken)
    data = bytearray(broken.read_bytes())
    places = {"frame": -FRAME, "length": 4 - FRAME, "great length": 7 - FRAME, "record": 20}
    data[inside.offset + places[place]] ^= 0x41
    broken.write_bytes(data)
    again = Replay(tmp_path)
    whole = [game.number for game in replay.games if game.shard != broken]
    assert [game.number for game in again.games] == whole
    assert [path.name for path in again.set_aside] == [names[1].replace(".bin", ".damaged")]
    assert again.set_aside[0].read_bytes() == data  # nothing is thrown away
    assert again.append(games()[inside.number], 9)
    again.close()
    assert inside.number in Replay(tmp_path).numbers


def test_two_shards_damaged_one_after_the_other_are_both_kept_aside(tmp_path: Path) -> None:
    for record in games()[:2]:
        replay = Replay(tmp_path)
        replay.append(record, 1)
        replay.close()
        next(tmp_path.glob("*.bin")).write_bytes(b"x" * 100)
        assert len(Replay(tmp_path)) == 0
    assert len(list(tmp_path.glob("*.damaged*"))) == 2


def test_a_full_disk_stops_with_a_sentence_and_loses_no_stored_game(tmp_path: Path) -> None:
    """The kernel refuses to let the file grow beyond a limit, as on a full disk."""
    replay = filled(tmp_path, 3)
    shard = tmp_path / "shard-000001.bin"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (shard.stat().st_size + 40, hard))
    try:
        with pytest.raises(BoardZeroError, match=r"cannot write .*: .*; make room"):
            replay.append(games()[3], 1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert records(replay) == games()[:3]
    assert replay.append(games()[3], 1)  # once there is room
    replay.close()
    assert records(Replay(tmp_path)) == games()[:4]


# Sizes.


def test_a_shard_that_is_full_is_followed_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SHARD_BYTES", 3_000)
    filled(tmp_path).close()
    assert shards(tmp_path)[:2] == ["shard-000001.bin", "shard-000002.bin"]
    assert records(Replay(tmp_path)) == games()


@pytest.mark.parametrize(
    ("spec", "most"), [("international:endings=meng", 250), ("gomoku:size=15", 500)]
)
def test_a_million_positions_fit_into_the_promised_space(
    tmp_path: Path, spec: str, most: int
) -> None:
    """50 simulations a choice, as in the recipes; the noise of 15x15 spreads them most."""
    replay = Replay(tmp_path)
    for record in self_play(spec, 4, simulations=50):
        replay.append(record, 1)
    replay.close()
    positions = sum(game.samples for game in replay.games)
    assert positions > 100
    size = sum(path.stat().st_size for path in tmp_path.iterdir())
    assert size / positions < most


def test_games_are_read_from_memory_maps_and_not_held(tmp_path: Path) -> None:
    """A store as large as a shard costs only its index."""
    replay = filled(tmp_path)
    tracemalloc.start()
    for _ in range(200):
        for game in replay.games:
            replay.read(game)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 50_000
    maps = Path("/proc/self/maps").read_text()
    assert str(tmp_path / "shard-000001.bin") in maps
