"""The trainer of an asynchronous run: beside the owner or remote, and what it may offer."""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from boardzero import make
from boardzero.base.errors import BoardZeroError
from boardzero.models.file_bundle import FileBundle
from boardzero.runs.events import Event, GamesPlayed, LossMeasured, of_type
from boardzero.runs.recipe import ClusterConfig, Recipe, WorkerConfig
from boardzero.runs.replay import Replay
from boardzero.runs.run_folder import Progress, RunFolder
from boardzero.training.game_worker import FinishedGame
from boardzero.training.loop import Speedometer
from boardzero.training.model_files import write_model
from boardzero.training.session import TrainingJob
from boardzero.training.side_by_side import SideBySide
from boardzero.training.trainer_group import TrainerGroup
from boardzero.training.trainer_process import TrainerProcess
from boardzero.training.trainer_worker import (
    Learned,
    NewGame,
    OfferedModel,
    Restored,
    TrainerState,
    _RemoteChannel,
    _Trainer,
)
from boardzero.workers.local import LocalLauncher
from tests.training.scripted import Heard, ScriptedLauncher, game
from tests.training.tiny import check, tiny


class FarLauncher(LocalLauncher):
    """Processes on this machine that behave as if they shared no disk with it."""

    local = False


class ShortChannel:
    """Says what it was given, then hangs up."""

    def __init__(self, *says: object) -> None:
        self.says = list(says)
        self.heard: list[object] = []

    def poll(self, timeout: float | None = 0.0) -> bool:  # noqa: ARG002
        return bool(self.says)

    def recv(self) -> object:
        if not self.says:
            raise EOFError
        return self.says.pop(0)

    def send(self, message: object, /) -> None:
        self.heard.append(message)


def remote(**changes: object) -> Recipe:
    recipe = tiny(run__mode="async", gate__games=0, **changes)
    return recipe.model_copy(update={"cluster": ClusterConfig(trainer=WorkerConfig(on=""))})


def model(folder: Path, spec: str) -> Path:
    recipe = tiny(game=spec)
    write_model(folder, TrainerGroup(make(spec), recipe), run="a", version=0, games=0, minutes=0)
    return folder


def trainer_of(
    folder: Path, recipe: Recipe, launcher: ScriptedLauncher, heard: Heard
) -> TrainerProcess:
    run = RunFolder.create(folder, recipe)
    return TrainerProcess(run, recipe, run.replay(), launcher, heard)


def test_a_run_without_a_disk_in_common_trains(tmp_path: Path) -> None:
    events: list[Event] = []
    run = RunFolder.create(tmp_path / "run", remote(run__iterations=3, gate__on_fail="restore"))
    recipe = run.recipe()
    assert isinstance(recipe, Recipe)
    SideBySide(TrainingJob(run, events.append, FarLauncher()), recipe).go()
    versions, games = check(run.path)
    assert versions == [0, 1, 2, 3]
    assert len(games) >= 24
    assert (run.candidate / "optimizer.safetensors").exists()
    steps = [event.step for event in of_type(events, LossMeasured)]
    assert steps == sorted(steps)


def test_workers_wait_when_games_pile_up_before_the_trainer(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path / "run", remote(run__workers=9))
    recipe = run.recipe()
    assert isinstance(recipe, Recipe)
    training = SideBySide(TrainingJob(run, lambda _: None, ScriptedLauncher(20)), recipe)
    training._players.start([], [])
    training._keep_busy()
    most = recipe.cluster.ahead * recipe.selfplay.games
    assert training._players.unfinished == most == 32  # nine workers could hold 72
    for number in range(5):
        training._replay.append(game(number), 1)
    training._keep_busy()
    assert training._players.unfinished == 32
    training._learned = 20
    training._keep_busy()
    assert training._players.unfinished == 32 - 5 + 20


def test_a_remote_trainer_gets_games_as_bytes_and_its_candidate_comes_back(
    tmp_path: Path, heard: Heard
) -> None:
    recipe, launcher = remote(), ScriptedLauncher(1)
    trainer = trainer_of(tmp_path / "run", recipe, launcher, heard)
    run = RunFolder(tmp_path / "run")
    replay = run.replay()
    replay.append(game(0), 1)
    trainer.add_game(replay.games[-1])
    assert launcher.workers[0].heard[-1] == NewGame(game(0), 1)
    offered = FileBundle.of(model(tmp_path / "model", recipe.game))
    candidate = FileBundle({"net.safetensors": b"weights"})
    launcher.workers[0].says = [OfferedModel(offered, candidate), Learned(1)]
    assert list(trainer.listen()) == [run.path / "waiting", Learned(1)]
    assert FileBundle.of(run.path / "waiting") == offered
    assert FileBundle.of(run.candidate) == candidate
    assert heard == []


def test_a_candidate_that_was_saved_and_not_offered_becomes_the_first_version_all_the_same(
    tmp_path: Path,
) -> None:
    run = RunFolder.create(tmp_path / "run", tiny(run__mode="async"))
    TrainerGroup(make(tiny().game), tiny()).save(run.candidate)
    for begun, said in ((False, [run.path / "offered", Learned(0)]), (True, [Learned(0)])):
        channel = ShortChannel()
        with pytest.raises(EOFError):
            _Trainer(channel, run, [], threads=1, begun=begun).run()
        assert channel.heard == said


def test_a_remote_trainer_knows_whether_there_is_a_version(tmp_path: Path, heard: Heard) -> None:
    recipe, launcher = remote(), ScriptedLauncher(1)
    trainer = trainer_of(tmp_path / "run", recipe, launcher, heard)
    model(RunFolder(tmp_path / "run").version_folder(0), recipe.game)
    launcher.workers[0].alive = False
    list(trainer.listen())
    first, second = (worker.heard[0] for worker in launcher.workers)
    assert isinstance(first, TrainerState)
    assert isinstance(second, TrainerState)
    assert (first.begun, second.begun) == (False, True)


def test_who_is_started_after_a_candidate_was_rejected_does_not_go_on_with_it(
    tmp_path: Path, heard: Heard
) -> None:
    best = model(tmp_path / "best", tiny().game)
    weights = (best / "net.safetensors").read_bytes()
    there = RunFolder.create(tmp_path / "there", tiny(run__mode="async"))
    TrainerGroup(make(tiny().game), tiny(seed=9)).save(there.candidate)
    channel = ShortChannel(FileBundle.of(best))
    with pytest.raises(EOFError):
        _Trainer(_RemoteChannel(channel, there), there, [], threads=1, begun=True).run()
    assert (there.candidate / "net.safetensors").read_bytes() == weights
    restored = Restored(FileBundle.of(there.candidate))
    assert channel.heard == [Learned(0), restored]
    launcher = ScriptedLauncher(1)
    trainer = trainer_of(tmp_path / "run", remote(), launcher, heard)
    launcher.workers[0].says = [restored]
    assert list(trainer.listen()) == []
    assert (tmp_path / "run" / "candidate" / "net.safetensors").read_bytes() == weights


def test_a_gate_whose_version_was_written_is_not_counted_again_after_a_kill(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path / "run", remote())
    for version in (0, 1):
        model(run.version_folder(version), tiny().game)
    for noted, iteration in ((0, 4), (1, 3)):
        run.save_progress(Progress(iteration=3, version=noted))
        launcher = ScriptedLauncher(20)
        training = SideBySide(TrainingJob(run, lambda _: None, launcher), remote())
        assert (training._progress.iteration, training._progress.version) == (iteration, 1)


def test_every_round_of_games_is_safe_and_its_pace_is_that_of_positions_to_learn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[Event] = []
    synced: list[int] = []
    monkeypatch.setattr(Replay, "sync", lambda replay: synced.append(len(replay)))
    run = RunFolder.create(tmp_path / "run", remote())
    launcher = ScriptedLauncher(20)
    training = SideBySide(TrainingJob(run, events.append, launcher), remote())
    # A second passes with every game.
    training._speed = Speedometer(8, clock=itertools.count().__next__)
    training._players.start([], [])
    training._keep_busy()
    for worker in launcher.workers:
        worker.says = [FinishedGame(game(number), 0) for number in worker.numbers]
    training._hear_players()
    assert synced == [8]
    told = of_type(events, GamesPlayed)
    positions = sum(stored.samples for stored in training._replay.games)
    assert told[-1].positions_per_second == round(positions / 8, 1)


def test_a_candidate_is_not_refused_while_a_newer_one_takes_its_place(
    tmp_path: Path, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    launcher = ScriptedLauncher(1)
    trainer = trainer_of(tmp_path / "run", tiny(run__mode="async"), launcher, heard)
    offered = model(tmp_path / "model", tiny().game)
    newer = offered.rename(tmp_path / "newer")
    naps: list[float] = []

    def nap(seconds: float) -> None:
        naps.append(seconds)
        if len(naps) == 2:
            newer.rename(offered)

    monkeypatch.setattr("boardzero.training.trainer_process.time.sleep", nap)
    launcher.workers[0].says = [offered]
    assert list(trainer.listen()) == [tmp_path / "run" / "waiting"]
    assert heard == []


@pytest.mark.parametrize("far", [True, False])
def test_a_model_of_another_game_is_refused_and_the_trainer_begins_again(
    tmp_path: Path, heard: Heard, far: bool
) -> None:
    recipe = remote() if far else tiny(run__mode="async")
    launcher = ScriptedLauncher(1)
    trainer = trainer_of(tmp_path / "run", recipe, launcher, heard)
    other = model(tmp_path / "model", "gomoku:size=6,line=4")
    candidate = FileBundle({"net.safetensors": b"weights"})
    launcher.workers[0].says = [OfferedModel(FileBundle.of(other), candidate) if far else other]
    assert list(trainer.listen()) == []
    assert heard.reasons() == ["a model for gomoku:size=6,line=4, not for gomoku:size=5,line=4"]
    assert not RunFolder(tmp_path / "run").candidate.exists()
    assert not launcher.workers[0].alive
    assert len(launcher.workers) == 2


def test_what_is_no_model_at_all_is_refused(tmp_path: Path, heard: Heard) -> None:
    launcher = ScriptedLauncher(1)
    recipe = remote()
    trainer = trainer_of(tmp_path / "run", recipe, launcher, heard)
    good = FileBundle.of(model(tmp_path / "model", recipe.game))
    damaged = replace(good, files={**good.files, "net.onnx": b"garbage"})
    for place, (message, reason) in enumerate(
        [
            (OfferedModel(damaged, good), "is damaged"),
            (OfferedModel(FileBundle({}), good), "card.json is missing"),
            (OfferedModel(good, FileBundle({"../evil.bin": b""})), "no file of a run"),
            ("hello", "unknown kind"),
        ]
    ):
        launcher.workers[place].says = [message]
        assert list(trainer.listen()) == []
        assert reason in heard.reasons()[place]
    assert len(heard.reasons()) == 4


def test_a_trainer_that_dies_again_and_again_ends_the_run(tmp_path: Path, heard: Heard) -> None:
    launcher = ScriptedLauncher(1)
    trainer = trainer_of(tmp_path / "run", tiny(run__mode="async"), launcher, heard)
    for _ in range(20):
        launcher.workers[-1].alive = False
        list(trainer.listen())
    launcher.workers[-1].alive = False
    with pytest.raises(BoardZeroError, match="the trainer has died 20 times"):
        list(trainer.listen())


def test_a_remote_trainer_cannot_begin_with_files_of_this_machine(
    tmp_path: Path, heard: Heard
) -> None:
    recipe = remote(run__start_from="masters.pdn")
    with pytest.raises(BoardZeroError, match=r"cluster\.trainer\.on=driver"):
        trainer_of(tmp_path / "run", recipe, ScriptedLauncher(1), heard)


def test_where_a_run_works_may_change_but_not_what_it_learns(tmp_path: Path) -> None:
    model(RunFolder.create(tmp_path / "run", tiny()).version_folder(0), tiny().game)
    recipe = tiny().model_copy(update={"cluster": ClusterConfig(ahead=9)})
    assert RunFolder.create(tmp_path / "run", recipe).recipe() == recipe
    with pytest.raises(BoardZeroError, match="another recipe"):
        RunFolder.create(tmp_path / "run", tiny(seed=7))
