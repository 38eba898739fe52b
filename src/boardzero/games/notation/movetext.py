"""Games as texts: PDN where PDN is for the game, and in its style where it is not.

The style is tags, the numbered moves and the result. A move may hold spaces, as those of Chexers
do: lines break only between moves, and reading goes by what is legal.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping

from boardzero.games.game import Game, State
from boardzero.games.notation.pdn import PdnGame, write_game

_TAG = re.compile(r'^\[(\w+) "((?:[^"\\]|\\.)*)"\]\s*$', re.MULTILINE)
_NUMBER = re.compile(r"\s*(\d+\.+)?\s*")
_RESULT = re.compile(r"(\*|[\d/]+-[\d/]+)(?=\s|$)")
_SPACE = re.compile(r"\s*")
_WORD = re.compile(r"\S+")
_PART = re.compile(r"\w+|[^\w\s]")
_GLUE = "\N{NO-BREAK SPACE}"  # where a line must not break


def write_text(
    state: State, *, tags: Mapping[str, str] | None = None, result: str | None = None
) -> str:
    """The game that led to a state."""
    if state.game.traits.pdn is not None:
        return write_game(PdnGame.of(state, tags=tags, result=result))
    start = state.copy()
    moves = [str(start.undo()) for _ in state.history][::-1]
    all_tags = {**(tags or {}), "Game": state.game.spec, "Result": result or "*"}
    if start != state.game.start():
        all_tags["FEN"] = start.fen()
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in all_tags.items()]
    return "\n".join([*lines, "", _wrapped(moves, state.game.players, result or "*"), ""])


def read_moves(text: str, game: Game) -> State:
    """The game in a text that is not PDN; tags, numbers and a result are optional.

    Raises `BoardZeroError` at the first move that is not legal.
    """
    fen = tag_in(text, "FEN")
    state = game.parse_fen(fen) if fen else game.start()
    body = _TAG.sub("", text)
    at = _skip(_NUMBER, body, 0)
    while at < len(body):
        ends = {end: move for move in state.moves() if (end := _end_of(move.text, body, at))}
        if ends:
            at = max(ends)
            state.play(ends[at])
        elif result := _RESULT.match(body, at):
            at = result.end()
        else:
            word_end = _skip(_WORD, body, at)
            state.play(body[at:word_end])
            at = word_end
        at = _skip(_NUMBER, body, at)
    return state


def tag_in(text: str, name: str) -> str | None:
    """The value of a tag, if the text has it."""
    found = (re.sub(r"\\(.)", r"\1", tag[2]) for tag in _TAG.finditer(text) if tag[1] == name)
    return next(found, None)


def _wrapped(moves: list[str], players: int, result: str) -> str:
    numbered = (
        f"{ply // players + 1}. {move}" if ply % players == 0 else move
        for ply, move in enumerate(moves)
    )
    words = [word.replace(" ", _GLUE) for word in numbered]
    text = " ".join([*words, result])
    filled = textwrap.fill(text, 80, break_long_words=False, break_on_hyphens=False)
    return filled.replace(_GLUE, " ")


def _skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _end_of(move: str, text: str, at: int) -> int | None:
    """Where a move that is written at a place ends; spaces between its parts do not matter."""
    for part in _PART.findall(move):
        at = _skip(_SPACE, text, at)
        if not text.startswith(part, at):
            return None
        at += len(part)
    return at if text[at : at + 1].strip() == "" else None


def _escaped(value: str) -> str:
    return " ".join(value.split()).replace("\\", r"\\").replace('"', r"\"")
