"""Forced playouts against a slow reference."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from boardzero import _core, make
from boardzero.models import SearchConfig
from boardzero.models.onnx import Evaluator
from tests.reference.forcing import TOP, ForcedPlayouts
from tests.reference.puct import Options, Puct
from tests.search.mock_net import MockNet, evaluate
from tests.search.stored import MOVER, Record, play_out, self_play
from tests.search.test_puct import GAMES, material

Floats = NDArray[np.float32]
OPTIONS = Options(
    48, formula="alphazero", c_puct=1.25, first_play="parent", forced="skip", proven=True
)


def played(
    spec: str, options: Options, strength: float, net: Evaluator | None = None
) -> _core.GameRecord:
    """A game without noise or chance, whose choices the reference can repeat."""
    shape = make(spec).shape
    chances = _core.SelfPlayOptions()
    contestant = _core.Contestant()
    search = SearchConfig.model_validate({**vars(options), "forced_playouts": strength})
    contestant.search = search.native(noise=True)
    chances.contestants = [contestant]
    chances.temperature = chances.late_temperature = 0.0
    chances.reuse_tree = False
    chances.max_steps = 40
    pool = _core.make_pool(make(spec).start().native, chances, [MOVER], 1, 1)
    nets = [net or MockNet(shape.actions, shape.players)]
    return _core.parse_record(play_out(pool, nets, [0])[0])


@pytest.mark.parametrize("proven", [True, False])
@pytest.mark.parametrize("spec", GAMES)
def test_targets_and_moves_are_the_references(spec: str, proven: bool) -> None:
    options = replace(OPTIONS, proven=proven)
    shape = make(spec).shape
    net = MockNet(shape.actions, shape.players)
    record = played(spec, options, 2.0)
    decisions = {decision.ply: decision for decision in record.decisions}
    state = make(spec).start()
    pruned = forced = 0
    for ply, action in enumerate(record.actions):
        if ply in decisions:
            wanted = ForcedPlayouts(lambda s: evaluate(net, s), material, options, 2.0)
            visits = wanted.search(state)
            if TOP not in wanted.proven:
                target = wanted.target(state.to_move)
                assert dict(decisions[ply].policy) == pytest.approx(target, abs=1e-5)
                assert visits[action] == max(visits.values())
                total = sum(visits.values())
                pruned += any(n / total > target.get(a, 0) + 1e-9 for a, n in visits.items())
                plain = Puct(lambda s: evaluate(net, s), material, options).search(state)
                forced += plain != visits
        state.play_action(action)
    assert pruned > 3
    assert forced > 3


class Peaked:
    """Thinks that half of all good moves are the first one, and that everybody stands equal."""

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        logits = np.zeros((len(planes), 25), np.float32)
        logits[:, 0] = np.log(24)
        return logits, np.zeros((len(planes), 2), np.float32)


def test_what_was_only_forced_is_not_learned() -> None:
    """By hand: once the first move has 24 visits, 0.02 c sqrt(N) of another exceeds its
    0.5 c sqrt(N) / (1 + 24), so PUCT tries others, once each. Forced, they get several visits,
    which PUCT would not have made, and a single one that is left counts for nothing."""
    spec, options = "gomoku:size=5,line=4", replace(OPTIONS, first_play="zero")
    plain, forced = (played(spec, options, k, Peaked()).decisions[0].policy for k in (0.0, 50.0))
    assert [action for action, _ in plain] == list(range(25))
    assert [round(48 * share) for _, share in plain] == [24] + 24 * [1]
    assert forced == [(0, 1.0)]


def test_quick_choices_and_gumbel_roots_are_not_forced() -> None:
    def quick(options: _core.SelfPlayOptions) -> None:
        options.full_share = 1e-9
        options.fast_simulations = 24

    spec, forced = "gomoku:size=5,line=4", SearchConfig(forced_playouts=4.0)
    assert self_play(spec, 3, search=forced, change=quick) == self_play(spec, 3, change=quick)
    gumbel = SearchConfig(root="gumbel")
    forced_gumbel = SearchConfig(root="gumbel", forced_playouts=4.0)
    assert self_play(spec, 3, search=forced_gumbel) == self_play(spec, 3, search=gumbel)
    assert self_play(spec, 3, search=forced) != self_play(spec, 3)


def test_the_target_of_a_forced_search_still_sums_to_one() -> None:
    forced = SearchConfig(noise_weight=0.25, forced_playouts=2.0)
    for data in self_play("gomoku:size=5,line=4", 6, search=forced):
        for choice in Record.unpack(data).choices:
            assert sum(share for _, share in choice.policy) == pytest.approx(65535, abs=25)
