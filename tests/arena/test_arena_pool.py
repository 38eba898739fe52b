"""Games in other processes, some of which hang or die."""

import time
from collections.abc import Iterable
from multiprocessing import active_children
from pathlib import Path

import fake_game  # noqa: F401 (registers it)
import fake_players  # noqa: F401 (registers them)
import pytest

from boardzero.arena.openings import Opening
from boardzero.arena.pool import play_all
from boardzero.arena.terms import Terms
from boardzero.arena.worker import GameTask
from boardzero.base.errors import BoardZeroError
from boardzero.players import Limit, name_player, registry
from boardzero.store import PlayedGame

HONEST = "fake-honest"


def task(
    number: int, *seats: str, terms: Terms | None = None, opening: Opening | None = None
) -> GameTask:
    game = "english" if len(seats) == 2 else "chexers"
    return GameTask(number, game, seats, opening or Opening(), terms or Terms(), seed=number)


def play(tasks: Iterable[GameTask], workers: int = 2) -> dict[int, PlayedGame]:
    return {task.number: record for task, record in play_all(tasks, workers=workers)}


def test_every_game_is_played_once_whatever_the_number_of_workers() -> None:
    tasks = [task(number, HONEST, HONEST) for number in range(12)]
    one, two = play(tasks, workers=1), play(tasks, workers=2)
    assert set(one) == set(two) == set(range(12))
    assert {n: game.moves for n, game in one.items()} == {n: game.moves for n, game in two.items()}
    assert len({game.moves for game in one.values()}) == 12


def test_a_player_with_its_own_seed_keeps_it() -> None:
    games = play(task(n, "fake-honest:seed=5", "fake-honest:seed=6") for n in range(2))
    assert games[0].moves == games[1].moves
    assert games[0].seats == ("fake-honest:seed=5", "fake-honest:seed=6")


def test_a_player_is_known_to_the_workers_by_the_name_that_somebody_gave_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(registry._families, "_loaded", dict(registry._families._loaded))
    name_player("five", "fake-honest:seed=5")
    games = play([task(0, "five", "fake-honest:seed=6"), task(1, "fake-honest:seed=5", "five")])
    assert [games[n].seats.index("five") for n in (0, 1)] == [0, 1]
    own = play([task(0, "fake-honest:seed=5", "fake-honest:seed=6")])
    assert games[0].moves == own[0].moves
    assert not any(game.reason.startswith("error") for game in games.values())


def test_a_player_that_hangs_loses_on_time_and_the_others_play_on() -> None:
    terms = Terms(Limit(time=0.05), margin=0.1)
    hanging = task(0, HONEST, "fake-hang:after=2", terms=terms)
    games = play([hanging, *(task(number, HONEST, HONEST) for number in range(1, 5))])
    assert len(games) == 5
    assert games[0].winner == 0
    assert games[0].reason == "late: no move in time"
    assert len(games[0].moves) == 5
    assert games[0].finished > games[0].started


def test_a_player_that_kills_its_process_each_time_loses() -> None:
    games = play([task(0, "fake-crash:after=3", HONEST), task(1, HONEST, HONEST)])
    assert games[0].winner == 1
    assert games[0].reason == "died: SIGSEGV"
    assert len(games[0].moves) == 6
    assert not games[1].reason.startswith("died")


def test_a_death_that_does_not_happen_again_leaves_no_trace(tmp_path: Path) -> None:
    once = task(0, f"fake-crash:after=3,once={tmp_path / 'crashed'}", HONEST)
    game = play([once], workers=1)[0]
    assert (tmp_path / "crashed").exists()
    assert game.moves == play([task(0, HONEST, HONEST)])[0].moves


def test_a_player_that_cannot_be_made_loses() -> None:
    game = play([task(0, HONEST, "fake-honest:after=never")])[0]
    assert game.winner == 0
    assert game.reason.startswith("error: BoardZeroError: option 'after'")


def test_of_three_players_only_the_dead_one_loses() -> None:
    assert play([task(0, HONEST, "fake-crash", HONEST)])[0].values == (0.5, -1, 0.5)


def test_a_killed_worker_loses_only_its_game_which_is_played_again() -> None:
    tasks = [task(number, "fake-nap:seconds=0.002", HONEST) for number in range(8)]
    games: dict[int, PlayedGame] = {}
    for done, game in play_all(tasks, workers=2):
        games[done.number] = game
        if len(games) == 2:
            active_children()[0].kill()
    assert set(games) == set(range(8))
    assert not any(game.reason.startswith("died") for game in games.values())


def test_a_game_that_a_module_registered_is_known_to_the_workers() -> None:
    race = GameTask(0, "race", (HONEST, HONEST), Opening(), Terms(), seed=1)
    assert play([race])[0].reason == "ten"


def test_what_is_wrong_with_the_game_itself_stops_everything() -> None:
    broken = task(0, HONEST, HONEST, opening=Opening(moves=("1-32",)))
    with pytest.raises(BoardZeroError, match="1-32"):
        play([broken])


def test_no_process_is_left_when_the_caller_stops_early() -> None:
    tasks = (task(number, "fake-hang:after=5", HONEST) for number in range(2))
    playing = play_all([task(9, HONEST, HONEST), *tasks], workers=2)
    next(playing)
    assert len(active_children()) == 2
    start = time.monotonic()
    playing.close()
    assert time.monotonic() - start < 5
    assert active_children() == []
