"""Whole runs of sparse nets: learning, dying, going on, and what comes of them."""

import json
import time
from pathlib import Path

import pytest

from boardzero import BoardZeroError, _core, make
from boardzero.cli import main
from boardzero.experiments.ladder import Measurement
from boardzero.experiments.promote import make_champion
from boardzero.models import champions, fingerprint, read_model
from boardzero.models.file_bundle import pack, unpack
from boardzero.models.kinds import champion_player
from boardzero.players import Limit, make_player
from boardzero.players.level import top_player
from boardzero.runs.curves import plot_run
from boardzero.runs.events import (
    Event,
    GamesPlayed,
    GateDecided,
    LossMeasured,
    ProbesMeasured,
    StartedFromModel,
    of_type,
)
from boardzero.runs.run_folder import RunFolder
from boardzero.training.inspection import inspect
from boardzero.training.train import train
from tests.cli.test_extras import PACKAGES, run_without
from tests.games import tictactoe
from tests.training.tiny import Training
from tests.training.tiny_sparse import tiny_sparse


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunFolder, list[Event]]:
    """A run that was left alone."""
    events: list[Event] = []
    folder = tmp_path_factory.mktemp("runs") / "sparse"
    return train(tiny_sparse(), run=folder, cores=1, on_event=events.append), events


def games_of(run: RunFolder) -> dict[int, bytes]:
    replay = run.replay()
    assert replay.set_aside == []
    games = {game.number: replay.read(game) for game in replay.games}
    replay.close()
    return games


def net_of(run: RunFolder, version: int) -> bytes:
    return (run.version_folder(version) / "net.nnue").read_bytes()


def test_a_run_leaves_versions_games_and_progress(finished: tuple[RunFolder, list[Event]]) -> None:
    run, events = finished
    assert run.versions() == [0, 1, 2]
    games = games_of(run)
    assert sorted(games) == list(range(32))
    versions = [_core.parse_record(record).version for _, record in sorted(games.items())]
    assert versions == [0] * 20 + [1] * 12
    assert (run.progress().iteration, run.progress().version) == (3, 2)
    assert [gate.games for gate in of_type(events, GateDecided)] == [4, 4]
    assert of_type(events, GamesPlayed)[-1].positions_per_second > 0
    assert {*of_type(events, LossMeasured)[-1].losses} == {"result", "value"}
    assert len({net_of(run, version) for version in run.versions()}) == 3
    inspect(run.path)


def test_random_games_come_first_then_those_with_few_nodes_then_all_others() -> None:
    recipe = tiny_sparse(selfplay__early_iterations=1, selfplay__early_nodes=7)
    games = [recipe.games_of(iteration) for iteration in (1, 2, 3, 4)]
    assert games == [range(20), range(20, 32), range(32, 44), range(44, 56)]
    nodes = [{recipe.nodes_of(number) for number in numbers} for numbers in games]
    assert nodes == [{0}, {7}, {20}, {20}]


def test_the_window_is_learned_from_as_often_as_the_recipe_says(
    finished: tuple[RunFolder, list[Event]],
) -> None:
    run, events = finished
    replay = run.replay()
    new = sum(game.samples for game in replay.games if game.iteration == 2)
    replay.close()
    first, last = (event.step for event in of_type(events, LossMeasured))
    assert (last - first) * 128 == pytest.approx(2 * new, rel=0.3)


@pytest.mark.parametrize("seconds", [1.2, 2.5])
def test_a_killed_run_goes_on_and_ends_as_one_that_was_left_alone(
    seconds: float, finished: tuple[RunFolder, list[Event]], tmp_path: Path
) -> None:
    run = RunFolder(tmp_path / "run")
    training = Training(run.path, tiny_sparse())
    time.sleep(seconds)
    training.kill()
    before = games_of(run) if run.path.exists() else {}
    train(tiny_sparse(), run=run.path, cores=1)
    alone, games = finished[0], games_of(run)
    assert games == games_of(alone)
    assert before.items() <= games.items()
    assert [net_of(run, version) for version in (0, 1, 2)] == [
        net_of(alone, version) for version in (0, 1, 2)
    ]


def test_the_optimiser_goes_on_where_it_was(
    finished: tuple[RunFolder, list[Event]], tmp_path: Path
) -> None:
    run = train(tiny_sparse(run__iterations=1), run=tmp_path / "run", cores=1)
    train(tiny_sparse(), run=run.path, cores=1)
    assert net_of(run, 2) == net_of(finished[0], 2)


def test_a_candidate_that_fails_goes_back_to_the_best_version_if_the_recipe_says_so(
    tmp_path: Path,
) -> None:
    strict = tiny_sparse(gate__threshold=2, gate__on_fail="restore", run__iterations=1)
    run = train(strict, run=tmp_path / "run", cores=1)
    assert run.versions() == [0]
    state = (run.candidate / "trainer.bin").read_bytes()
    assert state == (run.version_folder(0) / "trainer.bin").read_bytes()


def test_a_run_may_start_from_a_model_and_says_what_is_none(
    finished: tuple[RunFolder, list[Event]], tmp_path: Path
) -> None:
    events: list[Event] = []
    before = finished[0]
    begun = tiny_sparse(run__start_from=f"{before.path}:1", run__iterations=0)
    run = train(begun, run=tmp_path / "run", cores=1, on_event=events.append)
    assert of_type(events, StartedFromModel)
    assert net_of(run, 0) == net_of(before, 1)
    for source, why in [("nowhere", "no model and no run"), (str(before.path), "shape")]:
        wrong = tiny_sparse(run__start_from=source, net__hidden=64)
        with pytest.raises(BoardZeroError, match=why):
            train(wrong, run=tmp_path / "wrong", cores=1)


def test_versions_are_played_by_alphabeta_wherever_a_player_is_named(
    finished: tuple[RunFolder, list[Event]], capsys: pytest.CaptureFixture[str]
) -> None:
    run, _ = finished
    game = make("english")
    player = make_player(f"alphabeta:run={run.path}", game)
    assert player.spec == f"alphabeta:run={run.path},version=2"
    assert player.fingerprint
    choice = player.choose(game.start(), Limit(nodes=500))
    assert choice.nodes > 0
    for family, version in (("minimax", 1), ("maxn", 0)):
        spec = f"{family}:model={run.version_folder(version)},depth=2"
        assert make_player(spec, game).choose(game.start())
    match = ["match", f"alphabeta:run={run.path},nodes=50", "random:seed=1", "--game", "english"]
    assert main([*match, "--games", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["games"] == 2


def test_a_run_is_drawn_listed_exported_and_imported(
    finished: tuple[RunFolder, list[Event]], tmp_path: Path
) -> None:
    run, events = finished
    drawn = {path.name for path in plot_run(run, tmp_path / "plots", "svg")}
    losses = {"result-loss.svg", "value-loss.svg"}
    assert drawn == {*losses, "elo.svg", "probes.svg", "probes-where.svg"}
    assert [event.version for event in of_type(events, ProbesMeasured)] == run.versions()
    for source in (run.path, run.version_folder(2)):
        pack(source, tmp_path / "packed.zip")
        copy = tmp_path / source.name
        unpack(tmp_path / "packed.zip", copy, check=inspect)
    assert net_of(RunFolder(tmp_path / run.name), 1) == net_of(run, 1)
    card = read_model(tmp_path / "0002")
    assert (card.method, card.player, card.version) == ("nnue", "alphabeta", 2)
    assert card.nets[0].parameters > 10_000
    assert card.rating is not None


@pytest.mark.slow
def test_a_sparse_champion_has_levels_and_is_found_without_its_folder(
    finished: tuple[RunFolder, list[Event]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(champions, "CHAMPIONS", tmp_path / "champions")
    folder = make_champion(finished[0].version_folder(2), home=tmp_path / "champions")
    assert {file.name for file in folder.iterdir()} == {"card.json", "net.nnue"}
    game = make("english")
    assert champion_player(game, time="1") == "alphabeta:eval=champion,time=1"
    assert top_player(game) == "alphabeta:eval=champion,nodes=200000"
    more, less = (f"alphabeta:nodes={n},eval=champion" for n in (50, 5))
    Measurement(game, tmp_path / "kept.json").play(more, less, 2)
    (pair,) = json.loads((tmp_path / "kept.json").read_text())["pairs"]
    assert pair["wins"] + pair["draws"] + pair["losses"] == 2
    # Games of another net are not counted for this one.
    assert set(pair["nets"]) == {fingerprint(folder, read_model(folder))}


def test_training_needs_no_package_of_an_extra(tmp_path: Path) -> None:
    recipe = tmp_path / "tiny.toml"
    recipe.write_text(tiny_sparse(run__iterations=1).toml())
    every = [package for packages in PACKAGES.values() for package in packages]
    command = ("train", str(recipe), "--run", str(tmp_path / "run"), "--cores", "1")
    ended = run_without(*every, command=command, home=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert RunFolder(tmp_path / "run").versions() == [0, 1]


def test_a_game_in_python_learns_by_the_generic_recipe(tmp_path: Path) -> None:
    game = f"{tictactoe.__file__}"
    run = train(
        "generic-nnue",
        run=tmp_path / "run",
        changes=(
            f"game={game}",
            "selfplay.first_games=200",
            "selfplay.games=20",
            "run.iterations=2",
            "gate.threshold=0.01",
            "gate.games=4",
        ),
        cores=1,
    )
    assert run.versions() == [0, 1, 2]
    state = make(game).start()
    assert make_player(f"alphabeta:run={run.path},depth=2", make(game)).choose(state)


def test_three_players_learn_and_are_played_by_maxn(tmp_path: Path) -> None:
    recipe = tiny_sparse(game="chexers", run__iterations=1)
    run = train(recipe, run=tmp_path / "run", cores=1)
    assert run.versions() == [0, 1]
    assert recipe.player == read_model(run.version_folder(1)).player == "maxn"
    game = make("chexers")
    assert make_player(f"maxn:run={run.path},nodes=200", game).choose(game.start())
