"""Runs on a real Ray cluster of a head and two nodes, parts of which die, leave and join."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardzero.arena import Competition, CompetitionPlan
from boardzero.base.errors import BoardZeroError
from boardzero.experiments.sweep import Sweep
from boardzero.runs.events import (
    ClusterResized,
    Event,
    GamesPlayed,
    GateDecided,
    LossMeasured,
    MessageRefused,
    Stopped,
    VersionArchived,
    WorkerMeasured,
    WorkerStopped,
    of_type,
)
from boardzero.runs.recipe import ClusterConfig, Recipe, WorkerConfig
from boardzero.store import Store
from boardzero.training.train import train
from boardzero.workers.launcher import join_cluster
from tests.training.machines import Machines, SpyLauncher, machines
from tests.training.tiny import ROOT, check, tiny
from tests.training.tiny_sparse import tiny_sparse


@pytest.fixture(scope="module")
def cluster() -> Iterator[Machines]:
    with machines() as found:
        yield found


@pytest.fixture(autouse=True)
def _spy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardzero.workers.ray.RayLauncher", SpyLauncher)
    monkeypatch.setattr(SpyLauncher, "babblers", 0)
    monkeypatch.setattr("boardzero.training.loop._REPORT_SECONDS", 0.2)


def recipe_of(mode: str, **changes: object) -> Recipe:
    wanted = {"run__mode": mode, "run__workers": None, "gate__threshold": 0.01, **changes}
    return tiny(**wanted)


class Hand:
    """Does something once, when a run has got somewhere; keeps all events."""

    def __init__(self, kind: type[Event], act: object, *, after: int = 1) -> None:
        self._kind, self._act, self._after = kind, act, after
        self.events: list[Event] = []

    def __call__(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, self._kind) and self.count(self._kind) == self._after:
            self._act()  # type: ignore[operator]

    def count(self, kind: type[Event]) -> int:
        return len(of_type(self.events, kind))


def assert_whole(folder: Path, hand: Hand, *, iterations: int) -> dict[int, bytes]:
    """The run is done, each game was counted once, and no version is missing."""
    versions, games = check(folder)
    assert versions == list(range(len(versions)))
    assert [event.version for event in of_type(hand.events, VersionArchived)] == versions
    assert hand.count(GamesPlayed) == len(games)
    assert hand.count(GateDecided) == iterations
    assert [event.reason for event in of_type(hand.events, Stopped)] == ["done"]
    return games


def test_a_run_on_a_cluster_trains_although_a_worker_is_killed(
    cluster: Machines, tmp_path: Path
) -> None:
    hand = Hand(GamesPlayed, lambda: SpyLauncher.latest.kill("selfplay_main"))
    folder = tmp_path / "run"
    train(recipe_of("async"), run=folder, cluster=cluster.address, on_event=hand)
    assert_whole(folder, hand, iterations=2)
    mains = Counter(name for name, _ in SpyLauncher.latest.started)
    assert mains == {
        "trainer_main": 1,
        "selfplay_main": 4,
    }  # the gate's, two players, and one in its place
    assert all(event.stats.node for event in of_type(hand.events, WorkerMeasured))
    assert 1 <= of_type(hand.events, ClusterResized)[0].workers <= 2
    assert not (folder / "workers.json").exists()  # nobody is left


@pytest.mark.slow
def test_a_sparse_net_is_trained_on_a_cluster_although_a_worker_is_killed(
    cluster: Machines, tmp_path: Path
) -> None:
    hand = Hand(GamesPlayed, lambda: SpyLauncher.latest.kill("sparse_main"))
    run = train(tiny_sparse(), run=tmp_path / "run", cluster=cluster.address, on_event=hand)
    assert run.versions() == [0, 1, 2]
    alone = train(tiny_sparse(run__iterations=1), run=tmp_path / "alone", cores=1)
    first, same = ({g.number: r.read(g) for g in r.games} for r in (run.replay(), alone.replay()))
    assert sorted(first) == list(range(32))
    assert same.items() <= first.items()


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["sync", "async"])
def test_a_node_that_goes_takes_no_game_along_and_a_new_one_helps(
    cluster: Machines, tmp_path: Path, mode: str
) -> None:
    def change() -> None:
        cluster.remove()
        cluster._nodes.append(cluster.add())

    hand = Hand(GamesPlayed, change, after=3)
    folder = tmp_path / "run"
    iterations = 6
    recipe = recipe_of(mode, run__iterations=iterations, selfplay__games=30)
    train(recipe, run=folder, cluster=cluster.address, on_event=hand)
    games = assert_whole(folder, hand, iterations=iterations)
    if mode == "sync":
        assert sorted(games) == list(range(30 * iterations))
    nodes = [worker.node for name, worker in SpyLauncher.latest.started if name == "selfplay_main"]
    assert len(set(nodes)) == 4 if mode == "sync" else len(set(nodes)) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("on", ["driver", ""])
def test_a_trainer_that_is_killed_goes_on_where_it_was_wherever_it_is(
    cluster: Machines, tmp_path: Path, on: str
) -> None:
    main = "trainer_main" if on else "remote_trainer_main"
    hand = Hand(VersionArchived, lambda: SpyLauncher.latest.kill(main), after=2)
    folder = tmp_path / "run"
    recipe = recipe_of("async", run__iterations=4).model_copy(
        update={"cluster": ClusterConfig(trainer=WorkerConfig(on=on))}
    )
    train(recipe, run=folder, cluster=cluster.address, on_event=hand)
    assert_whole(folder, hand, iterations=4)
    assert Counter(name for name, _ in SpyLauncher.latest.started)[main] == 2
    steps = [event.step for event in of_type(hand.events, LossMeasured)]
    # It went on from its last candidate: only what it was just learning is learned again.
    assert all(step > steps[0] for step in steps[1:])


@pytest.mark.slow
def test_what_workers_send_that_is_no_game_is_refused_and_the_run_goes_on(
    cluster: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SpyLauncher, "babblers", 1)
    hand = Hand(Stopped, lambda: None)
    folder = tmp_path / "run"
    recipe = recipe_of("sync", run__iterations=2, selfplay__games=40)
    run = train(recipe, run=folder, cluster=cluster.address, on_event=hand)
    games = assert_whole(folder, hand, iterations=2)
    assert sorted(games) == list(range(80))
    assert hand.count(MessageRefused) >= 5
    assert hand.count(WorkerStopped) == 1
    logged = of_type(run.read_log(), MessageRefused)
    assert any("cut short" in event.reason for event in logged)


@pytest.mark.slow
def test_a_driver_that_is_killed_goes_on_and_loses_nothing(
    cluster: Machines, tmp_path: Path
) -> None:
    recipe = recipe_of("async", run__iterations=8, gate__threshold=0.01)
    (tmp_path / "recipe.toml").write_text(recipe.toml())
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "boardzero", "train", str(tmp_path / "recipe.toml"), "--json"]
    command += ["--run", str(folder), "--cluster", cluster.address]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    versions: list[int] = []
    games: dict[int, bytes] = {}
    for _ in range(2):
        driver = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        assert driver.stdout is not None
        for line in driver.stdout:
            event = json.loads(line)
            if event["event"] == "version" and event["version"] > max(versions, default=0):
                break
        os.killpg(driver.pid, signal.SIGKILL)
        driver.wait()
        now, found = check(folder)
        assert set(versions) <= set(now)
        assert games.items() <= found.items()
        versions, games = now, found
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, timeout=900)
    assert done.returncode == 0
    now, found = check(folder)
    assert set(versions) <= set(now)
    assert now == list(range(len(now)))
    assert games.items() <= found.items()


@pytest.mark.slow
def test_a_tournament_on_a_cluster_knows_models_of_this_machine_and_resumes(
    cluster: Machines, tmp_path: Path
) -> None:
    run = train(tiny(run__iterations=1, gate__games=0), run=tmp_path / "run", cores=1)
    players = ("random", f"zero:run={run.path},version=0", f"zero:run={run.path},version=1,sims=4")
    plan = CompetitionPlan(kind="tournament", game=tiny().game, players=players, games=6)
    (tmp_path / "run").rename(tmp_path / "moved")  # the nodes must not find it by accident
    (tmp_path / "run").symlink_to(tmp_path / "moved")
    with Store(tmp_path / "games.sqlite") as store:
        competition = Competition(plan, store)
        launcher = join_cluster(cluster.address)
        try:
            for number in competition.play(launcher=launcher):
                if len(competition.games) == 3:
                    SpyLauncher.latest.kill("_referee_main")
                assert number in competition.games
        finally:
            launcher.close()
        assert sorted(competition.games) == list(range(18))
        assert not any(competition.faults(player) for player in range(3))
        assert Competition(plan, store).over


@pytest.mark.slow
def test_a_sweep_trains_its_trials_on_the_cluster(cluster: Machines, tmp_path: Path) -> None:
    recipe = tmp_path / "tiny.toml"
    recipe.write_text(tiny(run__iterations=1, gate__games=0).toml())
    heard: list[tuple[str, Event]] = []
    launcher = join_cluster(cluster.address)
    try:
        sweep = Sweep(
            str(recipe),
            ["learn.lr=0.001,0.01,0.1"],
            folder=tmp_path / "sweep",
            minutes=5,
            games=4,
            cores=1,
            launcher=launcher,
        )
        rounds = list(sweep.rounds(lambda trial, event: heard.append((trial, event))))
    finally:
        launcher.close()
    assert [len(result.ratings) for result in rounds] == [3, 2]
    assert {trial for trial, _ in heard} == {"lr=0.001", "lr=0.01", "lr=0.1"}
    for trial in sweep.trials:
        assert check(tmp_path / "sweep" / trial)[0] == [0, 1]


def test_a_cluster_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    begun = time.monotonic()
    with pytest.raises(
        BoardZeroError, match=r"no Ray cluster answers at '127\.0\.0\.1:1'"
    ) as error:
        train(tiny(), run=tmp_path / "run", cluster="127.0.0.1:1")
    assert "\n" not in str(error.value)
    assert time.monotonic() - begun < 60
    with pytest.raises(BoardZeroError, match="HOST:PORT"):
        train(tiny(), run=tmp_path / "run", cluster="ray://127.0.0.1:1")


def test_what_nodes_of_ray_say_is_not_printed_between_lines_of_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(BoardZeroError):
        join_cluster("127.0.0.1:1")
    import ray._private.worker

    said = {"lines": ["A worker died"], "pid": "raylet", "is_err": False, "ip": "127.0.0.1"}
    ray._private.worker.print_to_stdstream(said, ignore_prefix=False)
    assert capsys.readouterr().out == ""
