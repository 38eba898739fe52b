"""Workers show what they compute before their games count, and are compared with each other."""

import random
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from boardzero.base.errors import BoardZeroError
from boardzero.games import families
from boardzero.runs.events import GamesOdd, MessageRefused, WorkerStopped, of_type
from boardzero.runs.evidence import look_at_refusals
from boardzero.training.fleet import Players, SelfPlayFleet
from boardzero.training.game_worker import FinishedGame
from boardzero.training.signature import WorkerSignature, signature_of
from boardzero.training.worker_statistics import ComparedGame, WorkerStatistics
from tests.search.stored import self_play
from tests.training.scripted import Heard, ScriptedLauncher, ScriptedWorker, game
from tests.training.tiny import tiny

RIGHT = signature_of(tiny().game)


def fleet_of(launcher: ScriptedLauncher, heard: Heard, games: int) -> SelfPlayFleet:
    fleet = SelfPlayFleet(Players.with_puct(tiny()), launcher, size=None, tell=heard)
    fleet.start([], range(games), version=3)
    return fleet


def test_signatures_of_games_differ_and_are_the_same_each_time() -> None:
    names = [family.name for family in families() if family.name != "openspiel"]
    found = {name: signature_of(name) for name in names}
    assert len(set(found.values())) == len(names)
    signature_of.cache_clear()
    assert {name: signature_of(name) for name in names} == found


def test_the_signature_of_gomoku_is_what_it_was() -> None:
    """A change here is a change of rules or searches: machines with either cannot work together."""
    assert signature_of("gomoku:size=5,line=4") == RIGHT
    assert RIGHT.perft == 25 * 24 * 23


def test_a_worker_with_another_signature_is_dismissed_and_its_games_go_to_others(
    heard: Heard,
) -> None:
    launcher = ScriptedLauncher(2)
    fleet = fleet_of(launcher, heard, 6)
    wrong, right = launcher.workers
    wrong.shows = [replace(RIGHT, perft=RIGHT.perft + 1)]
    wrong.says = [FinishedGame(game(0), 0)]
    assert list(fleet.collect(timeout=0)) == []
    (event,) = heard
    assert isinstance(event, WorkerStopped)
    assert (event.worker, event.node) == ("worker 1", "there")
    assert event.reason == (
        "it computes otherwise than this machine (perft 13801 instead of 13800)"
    )
    assert [notice.text for notice in event.notices()] == [f"worker 1 on there: {event.reason}"]
    assert not wrong.alive
    assert sorted(right.numbers) == [0, 1, 2, 3, 4, 5]
    right.says = [FinishedGame(game(n), 0) for n in range(6)]
    assert len(list(fleet.collect(timeout=0))) == 6


def test_where_no_worker_computes_what_the_owner_does_the_run_ends_with_a_sentence(
    heard: Heard,
) -> None:
    launcher = ScriptedLauncher(2)
    fleet = fleet_of(launcher, heard, 6)
    for worker in launcher.workers:
        worker.shows = [replace(RIGHT, search="0:0/0")]
    with pytest.raises(BoardZeroError, match=r"search 0:0/0 instead of .*; the same build") as said:
        list(fleet.collect(timeout=0))
    assert "\n" not in str(said.value)


def test_games_without_a_signature_are_refused(heard: Heard) -> None:
    launcher = ScriptedLauncher(1)
    fleet = fleet_of(launcher, heard, 6)
    launcher.workers[0].shows = []
    launcher.workers[0].says = [FinishedGame(game(0), 0)]
    assert list(fleet.collect(timeout=0)) == []
    assert heard.reasons() == ["a game before its signature"]


def test_a_signature_names_all_that_differs() -> None:
    other = WorkerSignature(1, RIGHT.search, "")
    assert RIGHT.difference(RIGHT) == ""
    assert RIGHT.difference(other) == (
        f"perft 1 instead of {RIGHT.perft}, engine  instead of {RIGHT.engine}"
    )


def sent(worker: ScriptedWorker, source: list[bytes], done: set[int]) -> list[object]:
    """A game of the source, by chance, for each that a worker was asked for and has not sent."""
    new = [number for number in worker.numbers if number not in done]
    done.update(new)
    choose = random.Random(new[0] if new else 0).choice
    return [FinishedGame(game(number, [choose(source)] * 12), 0) for number in new]


def test_a_worker_that_sends_legal_but_odd_games_is_told_of_once(heard: Heard) -> None:
    launcher = ScriptedLauncher(3)
    fleet = fleet_of(launcher, heard, 600)
    good = self_play(tiny().game, 12, simulations=4)
    odd = [min(good, key=len)]  # one legal game, again and again
    done: set[int] = set()
    taken = 0
    while fleet.unfinished:
        for worker, source in zip(launcher.workers, (good, good, odd), strict=True):
            worker.says = sent(worker, source, done)
        taken += len(list(fleet.collect(timeout=0)))
    assert taken == 600  # all of them are kept
    assert of_type(heard, MessageRefused) == []
    told = of_type(heard, GamesOdd)
    assert {event.worker for event in told} == {"worker 3"}
    assert len({event.reason for event in told}) == len(told)
    assert [stats.odd for stats in fleet.stats()] == [False, False, True]


class Honest:
    """Games of random length and result, as those of one run are."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def game(self, **changes: object) -> ComparedGame:
        draw = self._random
        winner = draw.choice([None, 0, 0, 1])
        fair = ComparedGame(
            round(draw.gauss(60, 15)), winner is None, winner == 0, draw.getrandbits(60)
        )
        return replace(fair, **changes)


def test_honest_workers_are_never_odd() -> None:
    games, statistics = Honest(1), WorkerStatistics(skip=0)
    for turn in range(1500):
        for worker in range(20):
            assert statistics.add(f"{worker}", games.game()) == [], (turn, worker)


def test_a_worker_that_joins_when_games_have_become_longer_is_not_odd() -> None:
    games, statistics = Honest(2), WorkerStatistics(skip=0)
    for turn in range(3000):
        for worker in range(4 if turn < 1500 else 5):
            game = games.game()
            assert statistics.add(f"{worker}", replace(game, length=game.length + turn // 20)) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"length": 12}, r"they take 12\.0 steps, those of others \d+\.\d"),
        ({"drawn": True, "first_won": False}, r"100% are drawn, of those of others 2\d%"),
        (
            {"drawn": False, "first_won": True},
            r"100% are won by the side that begins, of those of others [45]\d%",
        ),
        ({"key": 7}, r"9\d% are repetitions of its own, of those of others 0%"),
    ],
)
def test_each_kind_of_odd_games_is_told_in_a_sentence(change: dict[str, object], said: str) -> None:
    games, statistics = Honest(3), WorkerStatistics(skip=5)
    told = []
    for _ in range(100):
        for worker in range(3):
            assert statistics.add(f"good {worker}", games.game()) == []
        told += statistics.add("odd", games.game(**change))
    assert any(re.fullmatch(said, sentence) for sentence in told), told
    assert len(told) == len(set(told))


def test_the_first_games_of_a_worker_do_not_count_because_short_ones_finish_first() -> None:
    games, statistics = Honest(4), WorkerStatistics(skip=60)
    for turn in range(300):
        for worker in range(3):
            length = 10 if worker == 2 and turn < 60 else 60
            assert statistics.add(f"{worker}", games.game(length=length)) == []
    assert statistics.summary("2") == {
        "steps": 60.0,
        "draws": pytest.approx(0.25, abs=0.1),
        "odd": False,
    }


def test_odd_games_are_among_the_findings_of_a_diagnosis() -> None:
    log = [GamesOdd("worker 3", "pc2", "they take 7.0 steps, those of others 15.5")]
    run = SimpleNamespace(log=log)
    (found,) = look_at_refusals(run)  # type: ignore[arg-type]
    assert found.name == "odd games"
    assert "worker 3 on pc2" in found.evidence
    assert "7.0 steps" in found.evidence
