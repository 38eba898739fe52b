"""Runs of sparse nets that play by PUCT and learn a policy."""

from pathlib import Path

from boardzero import _core, make
from boardzero.models import read_model
from boardzero.players import Limit, make_player
from boardzero.runs.events import Event, GateDecided, LossMeasured, of_type
from boardzero.training.inspection import inspect
from boardzero.training.train import train
from tests.training.tiny_sparse import tiny_sparse


def test_a_run_by_puct_learns_from_visits_and_its_net_plays_by_both_searches(
    tmp_path: Path,
) -> None:
    events: list[Event] = []
    recipe = tiny_sparse(selfplay__search="puct", net__policy=True)
    run = train(recipe, run=tmp_path / "run", cores=1, on_event=events.append)
    assert run.versions() == [0, 1, 2]
    assert [gate.games for gate in of_type(events, GateDecided)] == [4, 4]
    assert {*of_type(events, LossMeasured)[-1].losses} == {"result", "value", "policy"}
    replay = run.replay()
    latest = [_core.parse_record(replay.read(g)) for g in replay.games if g.iteration == 2]
    replay.close()
    assert all(decision.policy for record in latest for decision in record.decisions)
    assert any(decision.quiet for record in latest for decision in record.decisions)
    inspect(run.path)
    card = read_model(run.version_folder(2))
    assert (card.player, card.search.simulations) == ("zero", recipe.gate.nodes)
    state = make("english").start()
    for family in ("zero", "alphabeta"):
        player = make_player(f"{family}:run={run.path}", make("english"))
        assert player.choose(state, Limit(nodes=30)).move in state.moves()


def test_a_policy_learns_from_the_games_of_alphabeta(tmp_path: Path) -> None:
    recipe = tiny_sparse(net__policy=True, run__iterations=2)
    events: list[Event] = []
    run = train(recipe, run=tmp_path / "run", cores=1, on_event=events.append)
    assert of_type(events, LossMeasured)[-1].losses["policy"] > 0
    assert read_model(run.version_folder(2)).player == "alphabeta"


def test_versions_are_played_at_so_many_simulations() -> None:
    assert tiny_sparse(selfplay__search="puct").versions_as_players() == {"sims": "20"}
    assert tiny_sparse().versions_as_players(7) == {"nodes": "7"}
