"""The trainer of an asynchronous run: beside the supervisor or away, and what it may offer."""

import itertools
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from boardzero import make
from boardzero.base.errors import BoardZeroError
from boardzero.models.file_bundle import Luggage
from boardzero.runs.events import Event
from boardzero.runs.recipe import ClusterConfig, PostConfig, Recipe
from boardzero.runs.replay import Replay
from boardzero.runs.run_folder import Progress, RunDir
from boardzero.training.concurrent import AsyncRun
from boardzero.training.learner import Learner
from boardzero.training.selfplay_worker import FinishedGame
from boardzero.training.trainer_process import (
    Learned,
    TrainerPost,
    _Belongings,
    _Courier,
    _Lesson,
    _Offer,
    _Restored,
    _Trainer,
)
from boardzero.training.versions import write_version
from boardzero.workers.launcher import LocalStaff
from tests.training.scripted import Heard, ScriptedStaff, game
from tests.training.tiny import check, tiny


class FarStaff(LocalStaff):
    """Processes on this machine that behave as if they shared no disk with it."""

    here = False


class ShortLine:
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


def away(**changes: object) -> Recipe:
    recipe = tiny(run__mode="async", gate__games=0, **changes)
    return recipe.model_copy(update={"cluster": ClusterConfig(trainer=PostConfig(on=""))})


def model(folder: Path, spec: str) -> Path:
    recipe = tiny(game=spec)
    write_version(folder, Learner(make(spec), recipe), run="a", version=0, games=0, minutes=0)
    return folder


def trainer_of(folder: Path, recipe: Recipe, staff: ScriptedStaff, heard: Heard) -> TrainerPost:
    run = RunDir.create(folder, recipe)
    return TrainerPost(run, recipe, run.replay(), staff, heard)


def test_a_run_without_a_disk_in_common_trains(tmp_path: Path) -> None:
    events: list[Event] = []
    run = RunDir.create(tmp_path / "run", away(run__iterations=3, gate__on_fail="restore"))
    recipe = run.recipe()
    assert isinstance(recipe, Recipe)
    AsyncRun(run, recipe, events.append, employer=FarStaff(), deadline=None).go()
    versions, games = check(run.path)
    assert versions == [0, 1, 2, 3]
    assert len(games) >= 24
    assert (run.candidate / "optimizer.safetensors").exists()
    steps = [event.fields["step"] for event in events if event.kind == "loss"]
    assert steps == sorted(steps)  # type: ignore[type-var]


def test_workers_wait_when_games_pile_up_before_the_trainer(tmp_path: Path) -> None:
    run = RunDir.create(tmp_path / "run", away(run__workers=9))
    recipe = run.recipe()
    assert isinstance(recipe, Recipe)
    training = AsyncRun(run, recipe, lambda _: None, employer=ScriptedStaff(20), deadline=None)
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


def test_a_trainer_that_is_away_gets_games_as_bytes_and_its_candidate_comes_back(
    tmp_path: Path, heard: Heard
) -> None:
    recipe, staff = away(), ScriptedStaff(1)
    trainer = trainer_of(tmp_path / "run", recipe, staff, heard)
    run = RunDir(tmp_path / "run")
    replay = run.replay()
    replay.append(game(0), 1)
    trainer.teach(replay.games[-1])
    assert staff.posts[0].heard[-1] == _Lesson(game(0), 1)
    offered = Luggage.of(model(tmp_path / "model", recipe.game))
    candidate = Luggage({"net.safetensors": b"weights"})
    staff.posts[0].says = [_Offer(offered, candidate), Learned(1)]
    assert list(trainer.listen()) == [run.path / "waiting", Learned(1)]
    assert Luggage.of(run.path / "waiting") == offered
    assert Luggage.of(run.candidate) == candidate
    assert heard == []


def test_a_candidate_that_was_saved_and_not_offered_becomes_the_first_version_all_the_same(
    tmp_path: Path,
) -> None:
    run = RunDir.create(tmp_path / "run", tiny(run__mode="async"))
    Learner(make(tiny().game), tiny()).save(run.candidate)
    for begun, said in ((False, [run.path / "offered", Learned(0)]), (True, [Learned(0)])):
        line = ShortLine()
        with pytest.raises(EOFError):
            _Trainer(line, run, [], threads=1, begun=begun).run()
        assert line.heard == said


def test_a_trainer_that_is_away_knows_whether_there_is_a_version(
    tmp_path: Path, heard: Heard
) -> None:
    recipe, staff = away(), ScriptedStaff(1)
    trainer = trainer_of(tmp_path / "run", recipe, staff, heard)
    model(RunDir(tmp_path / "run").version_folder(0), recipe.game)
    staff.posts[0].alive = False
    list(trainer.listen())
    first, second = (post.heard[0] for post in staff.posts)
    assert isinstance(first, _Belongings)
    assert isinstance(second, _Belongings)
    assert (first.begun, second.begun) == (False, True)


def test_who_is_started_after_a_candidate_was_rejected_does_not_go_on_with_it(
    tmp_path: Path, heard: Heard
) -> None:
    best = model(tmp_path / "best", tiny().game)
    weights = (best / "net.safetensors").read_bytes()
    there = RunDir.create(tmp_path / "there", tiny(run__mode="async"))
    Learner(make(tiny().game), tiny(seed=9)).save(there.candidate)
    line = ShortLine(Luggage.of(best))
    with pytest.raises(EOFError):
        _Trainer(_Courier(line, there), there, [], threads=1, begun=True).run()
    assert (there.candidate / "net.safetensors").read_bytes() == weights
    restored = _Restored(Luggage.of(there.candidate))
    assert line.heard == [Learned(0), restored]
    staff = ScriptedStaff(1)
    trainer = trainer_of(tmp_path / "run", away(), staff, heard)
    staff.posts[0].says = [restored]
    assert list(trainer.listen()) == []
    assert (tmp_path / "run" / "candidate" / "net.safetensors").read_bytes() == weights


def test_a_gate_whose_version_was_written_is_not_counted_again_after_a_kill(tmp_path: Path) -> None:
    run = RunDir.create(tmp_path / "run", away())
    for version in (0, 1):
        model(run.version_folder(version), tiny().game)
    for noted, iteration in ((0, 4), (1, 3)):
        run.save_progress(Progress(iteration=3, version=noted))
        employer = ScriptedStaff(20)
        training = AsyncRun(run, away(), lambda _: None, employer=employer, deadline=None)
        assert (training._progress.iteration, training._progress.version) == (iteration, 1)


def test_every_round_of_games_is_safe_and_its_pace_is_that_of_positions_to_learn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[Event] = []
    synced: list[int] = []
    monkeypatch.setattr(Replay, "sync", lambda replay: synced.append(len(replay)))
    run = RunDir.create(tmp_path / "run", away())
    staff = ScriptedStaff(20)
    # A second passes with every game.
    clock = SimpleNamespace(monotonic=itertools.count().__next__)
    monkeypatch.setattr("boardzero.training.pace.time", clock)
    training = AsyncRun(run, away(), events.append, employer=staff, deadline=None)
    training._players.start([], [])
    training._keep_busy()
    for post in staff.posts:
        post.says = [FinishedGame(game(number), 0) for number in post.numbers]
    training._hear_players()
    assert synced == [8]
    told = [event.fields for event in events if event.kind == "games"]
    positions = sum(stored.samples for stored in training._replay.games)
    assert told[-1]["positions_per_second"] == round(positions / 8, 1)


def test_a_candidate_is_not_refused_while_a_newer_one_takes_its_place(
    tmp_path: Path, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    staff = ScriptedStaff(1)
    trainer = trainer_of(tmp_path / "run", tiny(run__mode="async"), staff, heard)
    offered = model(tmp_path / "model", tiny().game)
    newer = offered.rename(tmp_path / "newer")
    naps: list[float] = []

    def nap(seconds: float) -> None:
        naps.append(seconds)
        if len(naps) == 2:
            newer.rename(offered)

    monkeypatch.setattr("boardzero.training.trainer_process.time.sleep", nap)
    staff.posts[0].says = [offered]
    assert list(trainer.listen()) == [tmp_path / "run" / "waiting"]
    assert heard == []


@pytest.mark.parametrize("far", [True, False])
def test_a_model_of_another_game_is_refused_and_the_trainer_begins_again(
    tmp_path: Path, heard: Heard, far: bool
) -> None:
    recipe = away() if far else tiny(run__mode="async")
    staff = ScriptedStaff(1)
    trainer = trainer_of(tmp_path / "run", recipe, staff, heard)
    other = model(tmp_path / "model", "gomoku:size=6,line=4")
    candidate = Luggage({"net.safetensors": b"weights"})
    staff.posts[0].says = [_Offer(Luggage.of(other), candidate) if far else other]
    assert list(trainer.listen()) == []
    assert heard.reasons() == ["a model for gomoku:size=6,line=4, not for gomoku:size=5,line=4"]
    assert not RunDir(tmp_path / "run").candidate.exists()
    assert not staff.posts[0].alive
    assert len(staff.posts) == 2


def test_what_is_no_model_at_all_is_refused(tmp_path: Path, heard: Heard) -> None:
    staff = ScriptedStaff(1)
    recipe = away()
    trainer = trainer_of(tmp_path / "run", recipe, staff, heard)
    good = Luggage.of(model(tmp_path / "model", recipe.game))
    damaged = replace(good, files={**good.files, "net.onnx": b"garbage"})
    for place, (message, reason) in enumerate(
        [
            (_Offer(damaged, good), "cannot be read as a net"),
            (_Offer(Luggage({}), good), "card.json is missing"),
            (_Offer(good, Luggage({"../evil.bin": b""})), "no file of a run"),
            ("hello", "unknown kind"),
        ]
    ):
        staff.posts[place].says = [message]
        assert list(trainer.listen()) == []
        assert reason in heard.reasons()[place]
    assert len(heard.reasons()) == 4


def test_a_trainer_that_dies_again_and_again_ends_the_run(tmp_path: Path, heard: Heard) -> None:
    staff = ScriptedStaff(1)
    trainer = trainer_of(tmp_path / "run", tiny(run__mode="async"), staff, heard)
    for _ in range(20):
        staff.posts[-1].alive = False
        list(trainer.listen())
    staff.posts[-1].alive = False
    with pytest.raises(BoardZeroError, match="the trainer has died 20 times"):
        list(trainer.listen())


def test_a_trainer_that_is_away_cannot_begin_with_files_of_this_machine(
    tmp_path: Path, heard: Heard
) -> None:
    recipe = away(run__start_from="masters.pdn")
    with pytest.raises(BoardZeroError, match=r"cluster\.trainer\.on=driver"):
        trainer_of(tmp_path / "run", recipe, ScriptedStaff(1), heard)


def test_where_a_run_works_may_change_but_not_what_it_learns(tmp_path: Path) -> None:
    model(RunDir.create(tmp_path / "run", tiny()).version_folder(0), tiny().game)
    recipe = tiny().model_copy(update={"cluster": ClusterConfig(ahead=9)})
    assert RunDir.create(tmp_path / "run", recipe).recipe() == recipe
    with pytest.raises(BoardZeroError, match="another recipe"):
        RunDir.create(tmp_path / "run", tiny(seed=7))
