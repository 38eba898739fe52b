"""The adaptive level in the terminal: by the games that are kept, and kept itself for the next."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from boardzero.cli.terminal_game import TerminalGame
from boardzero.games import Game, plays_alike
from boardzero.players import levels
from boardzero.players.adaptive import Adapted, FinishedGame, adapt
from boardzero.store import PlayedGame, Store

_HUMAN = "human"
_REMEMBERED = 200  # games


def adapted_level(game: Game) -> Adapted:
    """The level for the person at this machine."""
    with Store() as store:
        newest = [
            played
            for played in store.games(player=_HUMAN, newest_first=True, limit=_REMEMBERED)
            if plays_alike(played.game, game.spec) and played.seats.count(_HUMAN) == 1
        ]
    return adapt(levels(game), [_finished(played) for played in reversed(newest)])


def keep_game(session: TerminalGame, seats: Sequence[str], start: str) -> None:
    """Keep a finished game between the person and a level, unless it was left or never begun."""
    ending = session.ending()
    if ending is None or not session.state.history:
        return
    values = [0.0 if ending.winner is None else -1.0] * len(seats)
    if ending.winner is not None:
        values[ending.winner] = 1.0
    now = datetime.now(UTC)
    record = PlayedGame(
        tuple(seats),
        tuple(values),
        ending.winner,
        game=session.state.game.spec,
        reason=ending.reason,
        started=now,
        finished=now,
        moves=tuple(map(str, session.state.history)),
        start=start,
    )
    with Store() as store:
        store.add_game(record)


def _finished(played: PlayedGame) -> FinishedGame:
    seat = played.seats.index(_HUMAN)
    others = tuple(spec for spec in played.seats if spec != _HUMAN)
    return FinishedGame(others, played.points(seat))
