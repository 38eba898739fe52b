"""Endgame tables as values to learn, and as the ends of games of self-play."""

from pathlib import Path

import numpy as np

from boardzero import _core, make
from boardzero.games import tablebase
from boardzero.training.train import train
from tests.search.stored import MOVER, Choice, Record
from tests.training.tiny import check, tiny


def test_samples_take_the_certain_value_where_there_is_one() -> None:
    game = make("english")
    start = game.parse_fen("B:W22,31:B18,K27")  # one jump, and three are left
    known_endings = tablebase.tables_up_to(game, 3)
    assert known_endings is not None
    jump = start.moves()[0]
    after = start.after(jump)
    known = known_endings.certain(after.native)
    assert known is not None
    actions = [*jump.actions, *after.moves()[0].actions]
    choices = tuple(
        Choice(ply, True, (0.25, -0.25), ((action, 65535),)) for ply, action in enumerate(actions)
    )
    data = Record(tuple(actions), choices, (-0.5, 0.5), fen=start.fen().encode()).pack()
    sampler = _core.make_sampler(game.start().native, MOVER, known_endings)
    plain = _core.make_sampler(game.start().native, MOVER)
    rest = len(jump.actions)  # the choice after the capture, white's
    for tool, wanted in ((plain, (0.5, -0.25)), (sampler, (known[1], known[1]))):
        rows = [np.empty((1, *tool.input_shape()), np.float32)]
        rows += [np.empty((1, n), np.float32) for n in (tool.policy_size(), 2, 2)]
        tool.draw([(data, rest, 0)], *rows)
        assert (rows[2][0, 0], rows[3][0, 0]) == wanted
        tool.draw([(data, 0, 0)], *rows)  # four pieces: as it was played
        assert (rows[2][0, 0], rows[3][0, 0]) == (-0.5, 0.25)


def test_a_run_with_solved_endings_trains(tmp_path: Path) -> None:
    recipe = tiny(
        game="english",
        replay__tablebase=2,
        selfplay__tablebase=3,
        selfplay__max_steps=60,
        gate__games=0,
        run__iterations=1,
        search__simulations=2,
    )
    run = train(recipe, run=tmp_path / "a", cores=1)
    check(run.path)
