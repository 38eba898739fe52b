"""Versions that may not become champions are told what is missing, and nothing is changed."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from boardzero.cli import main
from boardzero.experiments import eligible
from boardzero.experiments.promote import make_champion
from boardzero.games import Game, make
from boardzero.models import champion, champions, read_model
from boardzero.models.card import Comparison, ModelCard, copy_model
from boardzero.models.kinds import champion_player
from boardzero.players import Player, make_player, player_spec
from boardzero.probes import probes_of
from boardzero.study.review import default_analyst
from tests.models.test_sparse import write_sparse_model
from tests.probes.blind import Blind

GAME = "gomoku"
DIAGONALS = ("falling diagonal", "rising diagonal")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run whose only version is a shipped net; champions are looked for in an empty folder."""
    shipped = champion(make(GAME))
    assert shipped is not None
    copy_model(shipped, tmp_path / "run" / "versions" / "0001")
    monkeypatch.setattr(champions, "CHAMPIONS", tmp_path / "champions")
    return tmp_path / "run"


def change_card(run: Path, **changes: object) -> None:
    version = run / "versions" / "0001"
    card = read_model(version).model_copy(update=changes)
    copy_model(version, run / "changed", ModelCard.model_validate(card.model_dump()))
    shutil.rmtree(version)
    (run / "changed").rename(version)


def files(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["promote", *arguments]) == 2
    return capsys.readouterr().err


def plays(*blind: str) -> Callable[[str, Game], Player]:
    return lambda _spec, game: Blind(game, blind)


def test_a_net_with_a_blind_spot_is_refused_and_told_where(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files(champions.CHAMPIONS.parent)
    monkeypatch.setattr(eligible, "make_player", plays(*DIAGONALS))
    told = refusal(capsys, str(run))
    assert "it has a blind spot" in told
    assert "stop three, falling diagonal: 0% right, 90% are wanted" in told
    assert "stop three, row" not in told
    assert files(champions.CHAMPIONS.parent) == before


def test_a_net_that_sees_everything_passes(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eligible, "make_player", plays())
    version = run / "versions" / "0001"
    report = eligible.measure_version(version, read_model(version))
    assert report is not None
    assert report.right == report.asked
    eligible.refuse_blind(report)


def test_the_version_itself_is_asked(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eligible, "probes_of", lambda game: probes_of(game)[:4])
    version = run / "versions" / "0001"
    report = eligible.measure_version(version, read_model(version))
    assert report is not None
    assert report.asked == 4
    assert str(version) in report.player


@pytest.mark.parametrize(
    ("changes", "arguments", "sentence"),
    [
        ({"games": 999}, (), "it has learned from 999 games, and 1,000 are the least"),
        ({}, ("--game", "english"), "a version for gomoku, not for english"),
        ({}, ("--game", "gomoku:size=15"), "a version for gomoku, not for gomoku:size=15"),
        ({}, ("--version", "7"), "has the versions 0 to 1, not 7"),
        ({}, ("--player", "greedy"), "greedy cannot play this version"),
        ({}, ("--also", "gomoku:size=11"), "a model for gomoku, not for gomoku:size=11"),
        ({}, ("--compared", "nowhere.jsonl"), "nowhere.jsonl cannot be read"),
    ],
)
def test_what_is_missing_is_said_and_nothing_is_changed(
    changes: dict[str, object],
    arguments: tuple[str, ...],
    sentence: str,
    run: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    change_card(run, **changes)
    before = files(champions.CHAMPIONS.parent)
    told = refusal(capsys, str(run), *arguments)
    assert sentence in told
    assert told.count("\n") == 1
    assert files(champions.CHAMPIONS.parent) == before


def test_a_run_without_versions_and_one_that_is_not_there_are_told_apart(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(run / "versions")
    assert "has no versions yet" in refusal(capsys, str(run))
    assert "there is no run" in refusal(capsys, str(run / "nowhere"))


def match(players: list[str], score: tuple[int, int, int], game: str = GAME) -> str:
    wins, draws, losses = score
    told = {"game": game, "players": players, "wins": wins, "draws": draws, "losses": losses}
    return json.dumps({**told, "seconds_per_move": [0.1, 0.09]})


def test_the_card_says_with_what_a_champion_was_compared(run: Path, tmp_path: Path) -> None:
    version = run / "versions" / "0001"
    mine = f"zero:run={run},version=1,time=0.1"
    lines = [
        match([mine, "alphabeta:time=0.1"], (120, 20, 60)),
        match(["mcts:time=0.1", mine], (10, 0, 190)),
        match(["mcts:time=0.1", "random"], (10, 0, 0)),
        match([mine, "random"], (1, 0, 0), game="english"),
        match([f"zero:model={version}", f"zero:run={tmp_path / 'gone'},version=3"], (5, 5, 5)),
    ]
    file = tmp_path / "matches.jsonl"
    file.write_text("\n".join(lines) + "\n")
    found = eligible.comparisons(version, file)
    assert found == [
        Comparison(player="alphabeta:time=0.1", wins=120, draws=20, losses=60, seconds=0.1),
        Comparison(player="mcts:time=0.1", wins=190, draws=0, losses=10, seconds=0.09),
        Comparison(player="zero:run=gone,version=3", wins=5, draws=5, losses=5, seconds=0.1),
    ]


def test_a_file_without_a_match_of_the_version_is_refused(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "matches.jsonl"
    file.write_text(match(["mcts", "random"], (10, 0, 0)) + "\n")
    assert "has no match of" in refusal(capsys, str(run), "--compared", str(file))
    file.write_text('{"game": "gomoku"}\n')
    assert "line 1 of" in refusal(capsys, str(run), "--compared", str(file))


def sparse_champion(folder: Path, game: str, **changes: object) -> Path:
    """An untrained sparse net that has become a champion."""
    version = write_sparse_model(folder / "version", game)
    card = read_model(version).model_copy(update={"games": 5000, **changes})
    return make_champion(version, home=folder / "champions", card=card)


@pytest.mark.parametrize("family", ["alphabeta", "zero"])
def test_a_champion_may_be_a_sparse_net_with_either_search(
    family: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(champions, "CHAMPIONS", tmp_path / "champions")
    game = make("gomoku")
    assert champion_player(game) is None
    card = eligible.check_card(read_model(sparse_champion(tmp_path, "gomoku")), player=family)
    folder = sparse_champion(tmp_path, "gomoku", player=card.player)
    assert champion(game) == folder
    own = "zero:sims=4" if family == "zero" else "alphabeta:eval=champion,nodes=50"
    best = champion_player(game, **({"sims": "4"} if family == "zero" else {"nodes": "50"}))
    assert best == own == str(player_spec(own, game))
    assert default_analyst(game) == own.partition("sims")[0].partition(",nodes")[0].rstrip(":")
    assert make_player(own, game).choose(game.start())
    # Whoever asks for the champion by its older name gets it, too.
    assert make_player("zero:sims=4", game).choose(game.start())


def test_a_champion_may_be_that_of_other_boards_too_unless_they_have_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(champions, "CHAMPIONS", tmp_path / "champions")
    folder = sparse_champion(tmp_path, "gomoku:size=15")
    other = eligible.check_also(folder, read_model(folder), "gomoku:size=11")
    folder = sparse_champion(tmp_path, "gomoku:size=15", also=(other,))
    smaller = make("gomoku:size=11")
    assert champion(smaller) == folder
    assert champion(make("gomoku:size=19")) is None
    assert make_player("alphabeta:eval=champion,nodes=20", smaller).choose(smaller.start())
    own = sparse_champion(tmp_path, "gomoku:size=11")
    assert champion(smaller) == own != folder
