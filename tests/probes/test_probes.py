"""Probes that come with the program, and what players answer."""

import json
import random
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from boardzero.base.errors import BoardZeroError
from boardzero.cli import main
from boardzero.games import make, tablebase
from boardzero.players import Limit, make_player
from boardzero.probes import (
    Probe,
    Slice,
    blind_spots,
    games_with_probes,
    measure,
    measure_player,
    probes_of,
    read_probes,
)
from boardzero.probes.making import five, make_probes, mixed
from tests.games.variants import GAMES
from tests.probes.blind import Blind

BOARDS = tuple(spec for spec in games_with_probes() if make(spec).traits.sgf)


def test_every_game_has_probes() -> None:
    assert {make(spec).name for spec in games_with_probes()} == set(GAMES)
    assert "gomoku:size=15" in games_with_probes()


@pytest.mark.parametrize("spec", games_with_probes())
def test_a_probe_is_a_position_with_good_and_with_bad_answers(spec: str) -> None:
    game = make(spec)
    probes = probes_of(game)
    assert 95 <= len(probes) <= 300
    assert len({probe.fen for probe in probes}) == len(probes)
    for probe in probes:
        state = game.parse_fen(probe.fen)
        legal = {move.text for move in state.moves()}
        assert set(probe.good) < legal
        assert set(probe.bad) <= legal - set(probe.good)
        assert game.seats[state.to_move] in probe.labels


@pytest.mark.parametrize("spec", games_with_probes())
def test_every_slice_has_enough_probes_to_be_judged(spec: str) -> None:
    probes = probes_of(make(spec))
    counts = Counter((probe.theme, label) for probe in probes for label in probe.labels)
    assert min(counts.values()) >= 10
    first = probes[: len(probes) // 2]  # a run that has little time asks the first ones
    assert {(probe.theme, label) for probe in first for label in probe.labels} == set(counts)


@pytest.mark.parametrize("spec", BOARDS)
def test_lines_lie_in_all_directions_regions_and_colours_alike(spec: str) -> None:
    probes = probes_of(make(spec))
    lines = [probe.labels for probe in probes if probe.theme != "double threat"]
    assert {labels[0] for labels in lines} == set(five.DIRECTIONS)
    assert {labels[1] for labels in lines} == set(five.REGIONS)
    counts = Counter(lines)
    assert len(counts) == 4 * 3 * 2
    assert min(counts.values()) >= 0.75 * max(counts.values())


@pytest.mark.parametrize("spec", BOARDS)
def test_who_leaves_a_three_or_a_four_alone_loses(spec: str) -> None:
    game, rng = make(spec), random.Random(1)
    probes = [probe for probe in probes_of(game) if probe.theme in ("stop three", "stop four")]
    solver = make_player("alphabeta:eval=hand,nodes=20000,seed=1", game)
    for probe in rng.sample(probes, 12):
        state = game.parse_fen(probe.fen)
        wrong = [move for move in state.moves() if move.text not in probe.good]
        for move in rng.sample(wrong, 3):
            solver.new_game()
            assert solver.choose(state.after(move)).value == pytest.approx(1, abs=0.005)


@pytest.mark.parametrize(
    "spec", [spec for spec in games_with_probes() if tablebase.files(make(spec))]
)
def test_endings_have_one_move_that_keeps_the_result(spec: str) -> None:
    game = make(spec)
    endings = [probe for probe in probes_of(game) if probe.theme == "ending"]
    assert endings
    for probe in endings:
        state = game.parse_fen(probe.fen)
        best = tablebase.probe(state)
        kept = [found.move.text for found in tablebase.moves(state) if found.result == best]
        assert tuple(kept) == probe.good


def test_probes_of_pieces_that_leave_are_made_again_by_their_seed() -> None:
    made = mixed([*islice(make_probes("chexers", each=2, seed=1), 20)])
    assert set(made) <= set(probes_of(make("chexers")))


def test_a_blind_player_is_found_out_and_told_where() -> None:
    game = make("gomoku")
    diagonals = [label for label in five.DIRECTIONS if "diagonal" in label]
    player = Blind(game, diagonals, theme="stop three")
    report = measure(player, probes_of(game))
    assert report.shares[Slice("stop three", "row")] == 1
    assert report.shares[Slice("stop three", "falling diagonal")] == 0
    assert report.shares[Slice("stop four", "falling diagonal")] == 1
    blind = blind_spots(report)
    assert {str(spot.where) for spot in blind} >= {f"stop three, {label}" for label in diagonals}
    assert {spot.where.theme for spot in blind} == {"stop three"}
    assert "0% right, 90% are wanted" in str(blind[-1])
    assert blind_spots(measure(Blind(game, []), probes_of(game))) == []


def test_a_theme_of_which_nothing_is_known_is_one_blind_spot() -> None:
    game = make("chexers")
    report = measure(Blind(game, game.seats, theme="exit"), probes_of(game))
    assert [spot.where for spot in blind_spots(report)] == [Slice("exit")]


def test_a_measurement_ends_after_its_seconds() -> None:
    game = make("gomoku")
    report = measure(Blind(game, []), probes_of(game), seconds=0)
    assert report.asked == 1


def test_a_player_with_a_budget_of_its_own_keeps_it() -> None:
    game = make("gomoku")
    few = probes_of(game)[:5]
    own = measure_player("alphabeta:nodes=1,seed=1", game, probes=few)
    assert measure_player("alphabeta", game, probes=few).right >= own.right
    assert measure_player("alphabeta", game, limit=Limit(nodes=1), probes=few).right == own.right


def test_the_command_tells_shares_by_theme(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "random:seed=1", "--game", "chexers", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["asked"] == len(probes_of(make("chexers")))
    themes = ("exit", "stop exit", "block", "safe way")
    assert sum(told["slices"][theme][0] for theme in themes) == told["right"]
    assert {where.partition(", ")[0] for where in told["blind"]} == set(themes)
    assert main(["probe", "random:seed=1", "--game", "chexers"]) == 0
    assert "safe way" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--game", "gomoku:size=7"], "there are no probes of gomoku:size=7"),
        (["--game", "english", "--nodes", "3", "--time", "1"], "--nodes or --time, not both"),
        (["--game", "english", "--file", "nowhere.jsonl"], "nowhere.jsonl cannot be read"),
    ],
)
def test_what_cannot_be_asked_is_told_in_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["probe", "random", *arguments]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"game": "english"}', '{"game": 1, "fen": 2, "theme": 3}']
)
def test_a_damaged_file_is_told_with_its_line(line: str, tmp_path: Path) -> None:
    path = tmp_path / "probes.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(BoardZeroError, match=r"line 1 of .*probes\.jsonl is no probe"):
        read_probes(path)


def test_probes_of_another_game_are_refused() -> None:
    other = (Probe("english", make("english").start().fen(), "shot", ("white",), ("9-14",)),)
    with pytest.raises(BoardZeroError, match="probes of english, not of gomoku"):
        measure_player("random", make("gomoku"), probes=other)
