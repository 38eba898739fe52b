"""Games in files of any format: PDN for draughts, SGF for gomoku, plain text for the rest.

The text itself says which it is; what it leaves open, such as the kind of draughts, the given game
decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from boardzero.base.errors import BoardZeroError
from boardzero.games.game import Game
from boardzero.games.notation import movetext, pdn, sgf
from boardzero.games.registry import make
from boardzero.games.tree import GameTree

OnError = Callable[[BoardZeroError], None]


def read_trees(
    text: str,
    game: Game | str | None = None,
    *,
    on_error: OnError | None = None,
    named: Callable[[str], Game] = make,
) -> Iterator[GameTree]:
    """The games of a text, with all that it says about them.

    `named` makes the game that a text names; who reads texts of strangers gives a careful one.
    """
    given = make(game) if isinstance(game, str) else game
    if sgf.looks_like_sgf(text):
        yield from sgf.read_trees(text, given, on_error=on_error)
        return
    own = _own_game(text, named)
    rules = own or given
    if rules is None or rules.traits.pdn is not None:
        # A GameType in the file counts more than a game that is only a guess.
        guess = None if "[GameType" in text and own is None else rules
        yield from pdn.read_trees(text.splitlines(keepends=True), guess, on_error=on_error)
    else:
        yield from movetext.read_trees(text, rules, on_error=on_error, named=named)


def load_trees(
    path: Path, game: Game | str | None = None, *, on_error: OnError | None = None
) -> list[GameTree]:
    """The games of a file; UTF-8, or Latin-1 as older files are."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BoardZeroError(f"cannot read '{path}': {error.strerror}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return list(read_trees(text, game, on_error=on_error))


def write_tree(tree: GameTree, *, plain: bool = False) -> str:
    """A game in the format that others read: PDN, SGF or, where there is none, plain text."""
    if not plain and tree.game.traits.pdn is not None:
        return pdn.write_tree(tree)
    if not plain and tree.game.traits.sgf:
        return sgf.write_tree(tree)
    return movetext.write_tree(tree)


def file_extension(game: Game) -> str:
    """What the name of such a file ends with."""
    return "pdn" if game.traits.pdn is not None else "sgf" if game.traits.sgf else "txt"


def _own_game(text: str, named: Callable[[str], Game]) -> Game | None:
    """The game that the text names as this program does."""
    with suppress(BoardZeroError):  # other programs may mean something else by the tag
        if spec := movetext.tag_in(text, "Game"):
            return named(spec)
    return None
