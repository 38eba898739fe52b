"""Games that others played, as records that a net can learn from.

Self-play records what the search thought of each choice. Of other games only the move is known, so
that is the whole policy, and the result is the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from boardzero import _core
from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, plays_alike
from boardzero.games.notation.pdn import read_games
from boardzero.store import Store, StoredGame

OnError = Callable[[BoardZeroError], None]

_MOST_ACTIONS = 65535  # of a record


@dataclass(frozen=True, slots=True)
class ImitatedGame:
    """A finished game. The first `given` actions were nobody's choice, as in a drawn opening."""

    actions: Sequence[int]
    values: tuple[float, ...]  # how it ended, one per seat
    fen: str = ""  # where it began; empty for the usual start
    given: int = 0


def imitation_record(game: Game, played: ImitatedGame, *, number: int) -> bytes:
    """The bytes that self-play would have stored; raises if the game breaks the rules."""
    native = game.start(played.fen).native.clone()
    actions: list[int] = []
    choices: list[int] = []  # plies at which there was one
    for ply, action in enumerate(played.actions[:_MOST_ACTIONS]):
        legal = native.actions()
        if not legal:
            break  # the players went on where these rules end the game
        if len(legal) > 1 and ply >= played.given:
            choices.append(ply)
        native.play(action)
        actions.append(action)
    outcome = native.outcome()
    ended = played.values if outcome is None else tuple(outcome.values)
    if len(ended) != game.players:
        raise BoardZeroError(f"a game of {game.name} has {game.players} results, not {len(ended)}")
    winner = ended.index(max(ended)) if max(ended) > 0 else None
    return _core.write_record(actions, choices, ended, winner=winner, number=number, fen=played.fen)


def games_of_pdn(file: Path, game: Game, on_error: OnError) -> Iterator[ImitatedGame]:
    """The games of a PDN file whose result is known; `on_error` hears of the others."""
    if game.traits.pdn is None:
        raise BoardZeroError(f"{file} holds games of draughts, not of {game.name}")
    for number, record in enumerate(read_games(file, game, on_error=on_error), 1):
        if record.values is None:
            on_error(BoardZeroError(f"PDN game {number} has no result"))
            continue
        actions = [action for move in record.moves for action in move.actions]
        yield ImitatedGame(actions, record.values, record.tags.get("FEN", ""))


def games_of_store(path: Path | None, game: Game, on_error: OnError) -> Iterator[ImitatedGame]:
    """The games of a database that were played by these rules; forfeited ones teach nothing."""
    alike = cache(lambda spec: plays_alike(spec, game.spec))
    with Store(path) as store:
        for stored in store.games():
            if not alike(stored.game):
                continue
            try:
                yield _of_store(stored, game)
            except BoardZeroError as error:
                on_error(BoardZeroError(f"game {stored.id} of {store.path}: {error}"))


def _of_store(stored: StoredGame, game: Game) -> ImitatedGame:
    state = game.start(stored.start)
    actions: list[int] = []
    given = 0
    for number, text in enumerate((*stored.opening, *stored.moves)):
        move = state.parse(text)
        state.play(move)
        actions += move.actions
        if number < len(stored.opening):
            given = len(actions)
    if state.outcome() is None and stored.winner is not None:
        raise BoardZeroError(f"it ended before its end: {stored.reason}")
    return ImitatedGame(actions, stored.values, stored.start, given)
