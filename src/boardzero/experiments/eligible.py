"""What a version must have before it may become the champion of its game.

It has learned from enough games, it is of the game that is meant, which comes with the program, and
it is blind nowhere: of every theme of the game's probes, and of every direction, region and seat
in it, it answers as many as the bar says. Whatever is missing is said, and nothing is changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from boardzero.base.errors import BoardZeroError
from boardzero.base.specs import Spec, parse_spec
from boardzero.games import Game, make, plays_alike
from boardzero.models import find_run, find_version, read_model
from boardzero.models.archive import version_folders
from boardzero.models.card import Comparison, ModelCard, fingerprint
from boardzero.models.kinds import kind_of, player_of
from boardzero.players import Player, make_player
from boardzero.players.model_options import models_of
from boardzero.probes import SMALL, ProbeReport, blind_spots, measure, probes_of

FEWEST_GAMES = 1000  # of self-play


def version_to_promote(run: str, version: int | None) -> Path:
    """The folder of a run's version, of the latest if none is named."""
    folder = find_run(run)
    if not folder.is_dir():
        raise BoardZeroError(f"there is no run '{run}'")
    if not version_folders(folder):
        raise BoardZeroError(f"{folder} has no versions yet: 'boardzero train' makes them")
    return find_version(folder, version)


def check_card(card: ModelCard, *, game: str | None = None, player: str | None = None) -> ModelCard:
    """The card of a version that may become a champion, with the family that is to play it."""
    own = make(card.game)
    if not own.name.isidentifier():
        raise BoardZeroError(f"{own.spec} does not come with the program, and has no champion")
    if game is not None and not plays_alike(card.game, game):
        raise BoardZeroError(f"this is a version for {card.game}, not for {make(game).spec}")
    if card.games < FEWEST_GAMES:
        raise BoardZeroError(
            f"it has learned from {card.games:,} games, and {FEWEST_GAMES:,} are the least: "
            "train it longer"
        )
    family = player or player_of(card)
    known = kind_of(card).players
    if family not in known:
        raise BoardZeroError(f"{family} cannot play this version, but {' and '.join(known)} can")
    return card if player is None else card.model_copy(update={"player": family})


def check_also(version: Path, card: ModelCard, game: str) -> str:
    """The spec of another game, if the version's player can play it."""
    other = make(game)
    _player(version, card, other).close()  # says why, if it cannot
    return other.spec


def measure_version(version: Path, card: ModelCard) -> ProbeReport | None:
    """How a version answers the probes of its game; None if there are none."""
    game = make(card.game)
    probes = probes_of(game)
    if not probes:
        return None
    with closing(_player(version, card, game)) as player:
        return measure(player, probes, SMALL)


def _player(version: Path, card: ModelCard, game: Game) -> Player:
    spec = Spec(player_of(card), {"model": str(version), "seed": "1"})
    return make_player(str(spec), game)


def refuse_blind(report: ProbeReport) -> None:
    """Raise if a version is blind somewhere, and say where."""
    blind = blind_spots(report)
    if blind:
        told = "; ".join(map(str, blind))
        raise BoardZeroError(f"it has a blind spot, and the champion stays what it is: {told}")


def comparisons(version: Path, file: Path) -> list[Comparison]:
    """The matches of a version in a file of lines as `boardzero match --json` writes them."""
    card = read_model(version)
    found = list(_comparisons(file, make(card.game), fingerprint(version, card)))
    if not found:
        raise BoardZeroError(f"{file} has no match of {version}")
    return found


def _comparisons(file: Path, game: Game, wanted: str) -> Iterator[Comparison]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BoardZeroError(f"{file} cannot be read: {error}") from None
    for number, line in enumerate(lines, start=1):
        try:
            told = json.loads(line)
            players = [str(player) for player in told["players"]]
            score = [int(told[name]) for name in ("wins", "draws", "losses")]
            seconds = [float(s or 0.0) for s in told["seconds_per_move"]]
            played = str(told["game"])
            one, other = (_is_model(player, wanted) for player in players)
        except (ValueError, TypeError, KeyError) as error:
            raise BoardZeroError(
                f"line {number} of {file} is no match as 'boardzero match --json' writes it: "
                f"{error!r}"
            ) from None
        if one == other or not plays_alike(played, game.spec):
            continue
        mine = 0 if one else 1
        wins, draws, losses = score if one else score[::-1]
        yield Comparison(
            player=_without_folders(players[1 - mine]),
            wins=wins,
            draws=draws,
            losses=losses,
            seconds=round(seconds[mine], 3),
        )


def _is_model(player: str, wanted: str) -> bool:
    """Whether a player's spec names the model of this fingerprint."""
    try:
        folders = models_of([player]).values()
        return any(fingerprint(folder, read_model(folder)) == wanted for folder in folders)
    except BoardZeroError:  # a model that is not here
        return False


def _without_folders(player: str) -> str:
    """A spec that names models by their last names only: folders are of one machine."""
    spec = parse_spec(player)
    short = {
        name: Path(value).name if name in ("model", "run") else value
        for name, value in spec.options.items()
    }
    return str(Spec(spec.name, short))
