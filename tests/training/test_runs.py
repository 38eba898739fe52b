"""Whole runs of a tiny recipe: learning, stopping, dying, going on."""

import errno
import json
import math
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from boardzero import BoardZeroError, _core, make
from boardzero.models import OnnxNet
from boardzero.players import Limit, make_player
from boardzero.runs.curves import elo_by_gates
from boardzero.runs.events import Event, GamesPlayed, GateDecided, ShardSetAside, Stopped, of_type
from boardzero.runs.recipe import Recipe
from boardzero.runs.run_folder import REJECTED, RunFolder
from boardzero.training.loop import TrainingLoop
from boardzero.training.model_files import write_model
from boardzero.training.train import train
from boardzero.training.trainer_group import TrainerGroup
from tests.training.tiny import ROOT, Training, check, tiny


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunFolder, list[Event]]:
    """A run that was left alone."""
    events: list[Event] = []
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    return train(tiny(gate__threshold=0.01), run=folder, cores=1, on_event=events.append), events


# A run that nothing happens to.


def test_a_run_leaves_versions_games_and_progress(finished: tuple[RunFolder, list[Event]]) -> None:
    run, _ = finished
    versions, games = check(run.path)
    assert versions == [0, 1, 2]
    assert sorted(games) == list(range(16))
    progress = run.progress()
    assert (progress.iteration, progress.trained, progress.version) == (3, False, 2)
    assert run.recipe() == tiny(gate__threshold=0.01)


def test_games_carry_the_iteration_and_the_version_that_played_them(
    finished: tuple[RunFolder, list[Event]],
) -> None:
    run, _ = finished
    replay = run.replay()
    assert [game.iteration for game in replay.games] == [1] * 8 + [2] * 8
    assert [_core.parse_record(replay.read(g)).version for g in replay.games] == [0] * 8 + [1] * 8


def test_cards_say_what_a_model_is_and_how_to_make_it(
    finished: tuple[RunFolder, list[Event]],
) -> None:
    run, _ = finished
    _, card = run.model()
    assert (card.game, card.recipe, card.run, card.version) == (tiny().game, "tiny", "tiny", 2)
    assert card.games == 16
    assert card.search == tiny().search
    assert "boardzero train" in card.reproduce
    gates = of_type(finished[1], GateDecided)
    assert run.model(0)[1].rating is None
    assert card.rating == pytest.approx(sum(map(elo_of, gates)), abs=0.1)
    assert card.nets[0].parameters > 1000


def elo_of(gate: GateDecided) -> float:
    """What a gate says that its candidate is stronger, with half a game added to each side."""
    half = gate.draws / 2 + 0.5
    return 400 * math.log10((gate.wins + half) / (gate.losses + half))


def test_a_gate_that_was_played_again_after_a_kill_counts_once() -> None:
    def gate(iteration: int, wins: int, *, accepted: bool) -> GateDecided:
        return GateDecided(wins, 0, 10 - wins, accepted, iteration=iteration)

    won, again, lost = (gate(i, w, accepted=w > 5) for i, w in ((1, 9), (2, 8), (2, 5)))
    assert elo_by_gates([won, won]).x == [0, 1]
    assert elo_by_gates([won, again, lost]).y == elo_by_gates([won]).y


def test_the_log_tells_the_same_as_the_events(finished: tuple[RunFolder, list[Event]]) -> None:
    run, events = finished
    lines = [json.loads(line) for line in (run.path / "log.jsonl").read_text().splitlines()]
    told = [event.kind for event in events if event.kind != "games"]
    assert [line["event"] for line in lines if line["event"] != "games"] == told
    assert told.count("version") == 3
    assert told.count("gate") == 2
    assert told[-1] == "stopped"
    assert reason_of(events[-1]) == "done"
    games = of_type(events, GamesPlayed)
    assert [event.done for event in games] == [*range(1, 9)] * 2
    assert run.read_log() == [event for event in events if event.logged]


def reason_of(event: Event) -> str:
    assert isinstance(event, Stopped)
    return event.reason


def test_the_net_has_learned_something(finished: tuple[RunFolder, list[Event]]) -> None:
    run, _ = finished
    planes = make(tiny().game).start().encode()[None]
    logits = [OnnxNet(run.model(v)[0] / "net.onnx")(planes)[0].copy() for v in (0, 1, 2)]
    assert abs(logits[0] - logits[1]).max() > 1e-3
    assert abs(logits[1] - logits[2]).max() > 1e-3


def test_a_finished_run_has_nothing_left_to_do(finished: tuple[RunFolder, list[Event]]) -> None:
    run, _ = finished
    before = check(run.path)
    again = train(tiny(gate__threshold=0.01), run=run.path, cores=1)
    assert check(again.path) == before


# Playing with what was learned.


def test_every_version_plays(finished: tuple[RunFolder, list[Event]]) -> None:
    run, _ = finished
    game = make(tiny().game)
    for version in run.versions():
        player = make_player(f"zero:run={run.path},version={version},sims=20", game)
        choice = player.choose(game.start())
        assert choice.move in game.start().moves()
        assert choice.nodes == 20
        assert choice.pv[0] == choice.move.text
        assert choice.candidates[0].move == choice.move
        assert -1 <= (choice.value or 0) <= 1
        assert player.choose(game.start(), Limit(simulations=7)).nodes == 7


def test_the_latest_version_plays_if_none_is_named(
    finished: tuple[RunFolder, list[Event]], monkeypatch: pytest.MonkeyPatch
) -> None:
    run, _ = finished
    monkeypatch.setenv("BOARDZERO_RUNS", str(run.path.parent))
    player = make_player("zero:run=tiny", make(tiny().game))
    assert player.card.version == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("zero", "has no champion"),
        ("zero:run={run},model={run}", "a model or a run"),
        ("zero:run={run},version=7", "has the versions 0 to 2, not 7"),
        ("zero:run={run}/versions", "is not a run with versions"),
        ("zero:model={run}", "holds no model"),
    ],
)
def test_a_player_that_cannot_be_made_is_refused_with_a_sentence(
    finished: tuple[RunFolder, list[Event]], spec: str, sentence: str
) -> None:
    with pytest.raises(BoardZeroError, match=sentence):
        make_player(spec.format(run=finished[0].path), make(tiny().game))


def test_a_model_of_another_game_is_refused(finished: tuple[RunFolder, list[Event]]) -> None:
    run, _ = finished
    others = ("size=6,line=4", "size=15", "size=5,line=3", "size=5", "size=5,line=4,rule=standard")
    for spec in ("english", *(f"gomoku:{options}" for options in others)):
        with pytest.raises(BoardZeroError, match="holds a model for gomoku:size=5,line=4, not for"):
            make_player(f"zero:run={run.path}", make(spec))


def test_a_model_plays_on_where_other_rules_end_the_game(tmp_path: Path) -> None:
    recipe = tiny(game="english:endings=meng")
    trainers = TrainerGroup(make(recipe.game), recipe)
    write_model(tmp_path / "model", trainers, run="a", version=0, games=0, minutes=0)
    for spec in ("english", "english:endings=ocheretian", "english:endings=meng,king=3"):
        player = make_player(f"zero:model={tmp_path / 'model'},sims=2", make(spec))
        assert player.choose(make(spec).start()).move in make(spec).start().moves()
    with pytest.raises(BoardZeroError, match="not for russian"):
        make_player(f"zero:model={tmp_path / 'model'}", make("russian"))


def test_a_net_that_does_not_fit_its_card_is_refused(
    finished: tuple[RunFolder, list[Event]], tmp_path: Path
) -> None:
    run, _ = finished
    folder, card = run.model()
    (tmp_path / "net.onnx").write_bytes((folder / "net.onnx").read_bytes())
    for change in ({"game": "gomoku:size=6,line=4"}, {"history": 2}):
        if "game" in change:
            other = card.model_copy(update=change)
        else:
            other = card.model_copy(update={"nets": (card.nets[0].model_copy(update=change),)})
        (tmp_path / "card.json").write_text(other.model_dump_json())
        with pytest.raises(BoardZeroError, match="does not fit"):
            make_player(f"zero:model={tmp_path}", make(other.game))


# Stopping and going on.


def test_a_run_that_is_out_of_time_goes_on_where_it_was(tmp_path: Path) -> None:
    recipe = tiny(run__iterations=1)
    events: list[Event] = []
    run = train(recipe, run=tmp_path / "a", cores=1, minutes=0.0, on_event=events.append)
    assert reason_of(events[-1]) == "time"
    assert run.progress().iteration == 1
    versions, games = check(run.path)
    run = train(recipe, run=tmp_path / "a", cores=1, on_event=events.append)
    assert reason_of(events[-1]) == "done"
    after, more = check(run.path)
    assert set(versions) <= set(after)
    assert games.items() <= more.items()
    assert len(more) == 8


def test_a_candidate_that_waited_becomes_a_version_with_all_its_files(tmp_path: Path) -> None:
    recipe = tiny(run__iterations=1, gate__games=0, selfplay__int8=True)

    def interrupt(event: Event) -> None:
        if isinstance(event, GateDecided):
            raise KeyboardInterrupt

    stopped = train(recipe, run=tmp_path / "a", cores=1, on_event=interrupt)
    assert stopped.progress().trained
    _, card = train(recipe, run=tmp_path / "a", cores=1).model(1)
    assert card.nets[0].int8 == "net.int8.onnx"


@pytest.mark.parametrize("mode", ["sync", "async"])
@pytest.mark.parametrize(("threshold", "versions"), [(0.01, [0, 1]), (2.0, [0])])
def test_a_verdict_that_was_noted_is_carried_out_and_its_gate_not_played_again(
    tmp_path: Path,
    mode: str,
    threshold: float,
    versions: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recipe = tiny(
        run__mode=mode, run__iterations=1, gate__threshold=threshold, gate__on_fail="restore"
    )

    def killed(_: TrainingLoop) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(TrainingLoop, "_carry_out", killed)
        run = train(recipe, run=tmp_path / "a", cores=1)
    assert run.versions() == [0]
    assert run.progress().verdict == (1 if versions[-1] else REJECTED)
    run = train(recipe, run=run.path, cores=1)
    assert check(run.path)[0] == versions
    assert run.progress().iteration == 2
    assert len(of_type(run.read_log(), GateDecided)) == 1


def test_ctrl_c_stops_a_run_cleanly(tmp_path: Path) -> None:
    def interrupt(event: Event) -> None:
        if isinstance(event, GamesPlayed) and event.done == 3:
            raise KeyboardInterrupt

    run = train(tiny(run__iterations=1), run=tmp_path / "a", cores=1, on_event=interrupt)
    assert reason_of(run.read_log()[-1]) == "interrupted"
    _, games = check(run.path)
    assert len(games) >= 3
    train(tiny(run__iterations=1), run=tmp_path / "a", cores=1)
    _, more = check(run.path)
    assert games.items() <= more.items()
    assert len(more) == 8


def test_the_same_recipe_and_seed_play_the_same_games(
    tmp_path: Path, finished: tuple[RunFolder, list[Event]]
) -> None:
    recipe = tiny(gate__threshold=0.01)
    again = train(recipe, run=tmp_path / "again", cores=1)
    shard = "replay/shard-000001.bin"
    assert (again.path / shard).read_bytes() == (finished[0].path / shard).read_bytes()
    other = train(tiny(seed=2, run__iterations=1), run=tmp_path / "other", cores=1)
    assert set(check(other.path)[1].values()).isdisjoint(check(again.path)[1].values())


def test_a_folder_of_another_recipe_is_refused(finished: tuple[RunFolder, list[Event]]) -> None:
    run, _ = finished
    before = check(run.path)
    with pytest.raises(BoardZeroError, match="was begun with another recipe"):
        train(tiny(seed=5), run=run.path, cores=1)
    assert check(run.path) == before


def test_a_recipe_can_be_changed_until_something_came_of_it(tmp_path: Path) -> None:
    RunFolder.create(tmp_path / "a", tiny(seed=5))
    assert RunFolder.create(tmp_path / "a", tiny()).recipe() == tiny()


def test_two_processes_do_not_train_the_same_run(tmp_path: Path) -> None:
    recipe = tiny(run__iterations=1, gate__games=0)
    folder = tmp_path / "run"
    training = Training(folder, tiny(run__iterations=1000))
    wait_for(folder, lambda: (folder / "versions").exists(), training)
    with pytest.raises(BoardZeroError, match=f"number {training.process.pid}.; stop that one"):
        train(tiny(run__iterations=1000), run=folder, cores=1)
    training.kill()
    with (
        RunFolder(folder).lock(),
        pytest.raises(BoardZeroError, match="is being trained by another"),
    ):
        train(tiny(run__iterations=1000), run=folder, cores=1)
    run = train(tiny(run__iterations=1000), run=folder, cores=1, minutes=0.0)
    assert reason_of(run.read_log()[-1]) == "time"
    other = RunFolder.create(tmp_path / "other", tiny(seed=9))
    with other.lock(), pytest.raises(BoardZeroError, match="is being trained by another"):
        RunFolder.create(other.path, recipe)  # which would change its recipe
    assert other.recipe() == tiny(seed=9)


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_one_core_is_one_core_and_everything_else_goes_first(tmp_path: Path, mode: str) -> None:
    seen: dict[int, tuple[str, int]] = {}

    def look(event: Event) -> None:
        if not isinstance(event, GamesPlayed):
            return
        for child in children_of(os.getpid()):
            allowed = Path(f"/proc/{child}/status").read_text().split("Cpus_allowed_list:")[1]
            seen[child] = allowed.split()[0], os.getpriority(os.PRIO_PROCESS, child)

    before = os.sched_getaffinity(0)
    recipe = tiny(run__mode=mode, run__iterations=1, run__workers=2, gate__games=0)
    train(recipe, run=tmp_path / "a", cores=1, on_event=look)
    assert os.sched_getaffinity(0) == before
    assert len(seen) >= (2 if mode == "sync" else 4)  # workers, trainer and evaluator
    assert len({cores for cores, _ in seen.values()}) == 1
    assert next(iter(seen.values()))[0].isdecimal()
    assert all(niceness >= 5 for _, niceness in seen.values())


def children_of(process: int) -> list[int]:
    """The workers and trainers that a process has started."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [
        int(child)
        for child in children
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


def test_a_folder_with_other_files_is_refused_and_a_killed_beginning_is_not(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "letter.txt").write_text("dear")
    with pytest.raises(BoardZeroError, match="is not empty and holds no run"):
        RunFolder.create(tmp_path / "a", tiny())
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / ".recipe.toml.draft").write_text("na")
    assert RunFolder.create(tmp_path / "b", tiny()).recipe() == tiny()


def test_more_cores_than_there_are_are_refused(tmp_path: Path) -> None:
    for cores in (0, 10_000):
        with pytest.raises(BoardZeroError, match=f"{cores} cannot be used"):
            train(tiny(), run=tmp_path / "a", cores=cores)


DAMAGED = ("progress.json", "recipe.toml", "candidate/net.safetensors", "versions/0000/net.onnx")
GARBAGE = b"\xff\xfe garbage \x00"


@pytest.mark.parametrize(
    ("mode", "name", "content"),
    [
        *(("sync", name, content) for name in DAMAGED for content in (b"", GARBAGE, b"[1]")),
        *(("async", name, GARBAGE) for name in DAMAGED[2:]),  # which other processes read there
    ],
)
def test_a_damaged_file_of_a_run_is_one_sentence_that_names_it(
    tmp_path: Path, mode: str, name: str, content: bytes
) -> None:
    recipe = tiny(run__iterations=1, run__mode=mode)
    run = RunFolder.create(tmp_path / "a", recipe)
    trainers = TrainerGroup(make(recipe.game), recipe)
    trainers.save(run.candidate)
    write_model(run.version_folder(0), trainers, run="a", version=0, games=0, minutes=0)
    (run.path / name).write_bytes(content)
    with pytest.raises(BoardZeroError, match=name) as error:
        train(recipe, run=run.path, cores=1)
    assert "\n" not in str(error.value)


def test_a_damaged_shard_is_set_aside_and_its_games_are_played_again(tmp_path: Path) -> None:
    recipe = tiny(run__iterations=1)

    def stop(event: Event) -> None:
        if isinstance(event, GamesPlayed) and event.done == 5:
            raise KeyboardInterrupt

    run = train(recipe, run=tmp_path / "a", cores=1, on_event=stop)
    (run.path / "replay" / "shard-000001.bin").write_bytes(b"rubbish" * 100)
    events: list[Event] = []
    train(recipe, run=run.path, cores=1, on_event=events.append)
    assert isinstance(events[0], ShardSetAside)
    assert sorted(check(run.path)[1]) == list(range(8))


# Dying.


def wait_for(run: Path, moment: Callable[[], bool], training: Training, limit: float = 600) -> None:
    end = time.monotonic() + limit
    while not moment() and training.process.poll() is None:
        assert time.monotonic() < end, f"{run} never got there"
        time.sleep(0.01)


def survive(tmp_path: Path, kills: int, seed: int, *, mode: str = "sync") -> None:
    """Kill a run again and again; whatever was there must stay there, and it must end."""
    rng = random.Random(seed)
    recipe = tiny(
        run__mode=mode,
        run__iterations=6,
        run__workers=2,
        gate__threshold=0.01,
        selfplay__games=12,
        seed=seed,
    )
    folder = tmp_path / "run"
    versions: list[int] = []
    games: dict[int, bytes] = {}
    for _ in range(kills):
        training = Training(folder, recipe)
        # From the first file that changes on, at a random moment: imports take seconds.
        before = _newest(folder)
        wait_for(folder, lambda before=before: _newest(folder) > before, training)
        time.sleep(rng.random() ** 2 * 2.5)
        if training.process.poll() is not None:
            break
        training.kill()
        if not (folder / "recipe.toml").exists():
            continue
        now, found = check(folder)
        assert set(versions) <= set(now), "an accepted version is lost"
        assert games.items() <= found.items(), "a finished game is lost or was changed"
        versions, games = now, found
    assert_finished(folder, recipe, versions, games)


def assert_finished(
    folder: Path, recipe: Recipe, versions: list[int], games: dict[int, bytes]
) -> None:
    """Let a run come to its end, and compare it with what was there before."""
    Training(folder, recipe).finish()
    now, found = check(folder)
    assert set(versions) <= set(now)
    assert games.items() <= found.items()
    iterations = recipe.run.iterations or 0
    if recipe.run.mode == "sync":
        assert sorted(found) == list(range(iterations * recipe.selfplay.games))
    assert RunFolder(folder).progress().iteration == iterations + 1
    assert now == list(range(len(now)))
    # No candidate was tested twice: it would have met itself, and might have passed again.
    weights = [(folder / "versions" / f"{v:04d}" / "net.safetensors").read_bytes() for v in now]
    assert len(set(weights)) == len(now)
    assert 2 <= len(now) <= iterations + 1


def _newest(folder: Path) -> float:
    """When something in the run changed last."""
    times = [path.stat().st_mtime for path in folder.glob("**/*.*") if path.exists()]
    return max(times, default=0.0)


def test_a_run_survives_being_killed_five_times(tmp_path: Path) -> None:
    survive(tmp_path, 5, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["sync", "async"])
def test_a_run_survives_being_killed_thirty_times(tmp_path: Path, mode: str) -> None:
    for seed in range(2, 5):
        (tmp_path / str(seed)).mkdir()
        survive(tmp_path / str(seed), 10, seed, mode=mode)


def test_games_of_a_worker_that_dies_are_played_again(tmp_path: Path) -> None:
    killed: list[int] = []

    def kill_a_worker(event: Event) -> None:
        if isinstance(event, GamesPlayed) and event.done == 2 and not killed:
            for child in children_of(os.getpid()):
                os.kill(child, signal.SIGKILL)
                killed.append(child)

    recipe = tiny(run__iterations=1, gate__games=0)
    run = train(recipe, run=tmp_path / "a", cores=1, on_event=kill_a_worker)
    assert killed
    versions, games = check(run.path)
    assert sorted(games) == list(range(8))
    assert versions == [0, 1]


def test_a_full_disk_stops_a_run_with_a_sentence_and_it_goes_on_with_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every place where a run writes."""
    recipe = tiny(run__iterations=1, gate__games=0)
    folder = tmp_path / "a"
    for target in ("os.fsync", "pathlib.Path.write_bytes", "pathlib.Path.rename"):

        def full(*_: object, **__: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(target, full)
            with pytest.raises(BoardZeroError, match="No space left on device; make room"):
                train(recipe, run=folder, cores=1)
    train(recipe, run=folder, cores=1)
    versions, games = check(folder)
    assert versions == [0, 1]
    assert sorted(games) == list(range(8))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk")
@pytest.mark.slow
@pytest.mark.parametrize("mode", ["sync", "async"])
def test_a_disk_that_is_really_full_stops_a_run_and_room_lets_it_go_on(
    tmp_path: Path, mode: str
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(disk)])
    if mounted.returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        recipe = tiny(run__mode=mode, run__iterations=12, gate__threshold=0.01)
        training = Training(disk / "run", recipe)
        _, error = training.process.communicate(timeout=900)
        assert training.process.returncode == 1
        assert error.splitlines()[-1].startswith("refused: ")
        assert "make room and run the same command again" in error.splitlines()[-1]
        versions, games = check(disk / "run")
        subprocess.run(["mount", "-o", "remount,size=20M", str(disk)], check=True)
        assert_finished(disk / "run", recipe, versions, games)
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=False)


# Side by side.


def test_an_asynchronous_run_comes_to_its_end_and_loses_nothing_when_killed(tmp_path: Path) -> None:
    recipe = tiny(run__mode="async", run__iterations=2, gate__threshold=0.01)
    folder = tmp_path / "run"
    training = Training(folder, recipe)
    stored = folder / "replay" / "shard-000001.bin"
    wait_for(folder, lambda: stored.exists() and stored.stat().st_size > 3000, training)
    training.kill()
    versions, games = check(folder)
    Training(folder, recipe).finish()
    now, found = check(folder)
    assert set(versions) <= set(now)
    assert games.items() <= found.items()
    assert len(found) >= 16
    assert now == list(range(len(now)))
    run = RunFolder(folder)
    for version in now[1:]:
        assert run.model(version)[1].rating is not None


# Other games.


def test_a_game_written_in_python_is_learned_like_any_other(tmp_path: Path) -> None:
    spec = str(ROOT / "examples" / "connect_four.py")
    recipe = tiny(game=spec, run__iterations=1, selfplay__games=4, gate__games=2)
    run = train(recipe, run=tmp_path / "a", cores=1)
    assert len(check(run.path)[1]) == 4
    game = make(spec)
    choice = make_player(f"zero:run={run.path},version=0", game).choose(game.start())
    assert choice.move in game.start().moves()


@pytest.mark.parametrize("spec", ["chexers", "english"])
def test_three_players_and_double_turns_are_learned(tmp_path: Path, spec: str) -> None:
    net = {"blocks": 1, "channels": 8, "value": {"output": "players", "hidden": 16}}
    recipe = tiny(
        game=spec,
        net__value=net["value"],
        run__iterations=1,
        selfplay__games=2,
        selfplay__max_steps=40,
        gate__games=0,
    )
    run = train(recipe, run=tmp_path / "a", cores=1)
    versions, games = check(run.path)
    assert versions == [0, 1]
    assert len(games) == 2
    game = make(spec)
    state = game.start()
    player = make_player(f"zero:run={run.path},sims=4", game)
    for _ in range(12):
        choice = player.choose(state)
        assert choice.move in state.moves()
        state.play(choice.move)
