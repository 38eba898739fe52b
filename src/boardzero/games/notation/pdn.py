"""Portable Draughts Notation: games of draughts as people and programs exchange them.

Reading follows what files hold in practice: PDN 3.0 and its elders, odd spacing, both kinds of
squares, captures with or without their path, the wrong separator, results of either style. A move
that fits several captures is never guessed. Writing follows PDN 3.0. `read_games` gives main lines,
which is all that training needs; `read_trees` gives all that a file holds.

A result gives the points of the player who begins and then of the other. That is White, except in
English draughts, where Black begins: there "1-0" is a win of Black. The standard is silent on this;
the archives of English draughts do it so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from boardzero.base.errors import BoardZeroError
from boardzero.games.game import Game, Move, State
from boardzero.games.geometry import draughts_board
from boardzero.games.notation.annotations import STRENGTHS
from boardzero.games.notation.pdn_tokens import SQUARE, RawGame, Token, split_games
from boardzero.games.notation.tree_builder import TreeBuilder
from boardzero.games.notation.tree_text import moves_text, tag_lines
from boardzero.games.registry import families, make
from boardzero.games.traits import PdnType
from boardzero.games.tree import GameNode, GameTree, joined, open_again

# What the tags of a tournament game say when nobody knows.
_ROSTER = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
}

_VALUES = {
    **dict.fromkeys(("1-0", "2-0"), (1.0, -1.0)),
    **dict.fromkeys(("1/2-1/2", "½-½", "1-1"), (0.0, 0.0)),
    **dict.fromkeys(("0-1", "0-2"), (-1.0, 1.0)),
    "0-0": (-1.0, -1.0),  # lost by both
}


@dataclass(frozen=True, slots=True)
class PdnGame:
    """A game as a PDN file records it.

    `comments` and `nags` (numeric annotation glyphs: 1 is "!", 2 is "?") are keyed by the number
    of moves played before them. `result` is in the style of the game, "*" while unknown.
    """

    tags: Mapping[str, str]
    game: Game
    moves: tuple[Move, ...]
    comments: Mapping[int, str] = field(default_factory=dict)
    result: str = "*"
    nags: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        state: State,
        *,
        tags: Mapping[str, str] | None = None,
        comments: Mapping[int, str] | None = None,
        result: str | None = None,
    ) -> PdnGame:
        """The game that led to a state; its result is the state's outcome unless given."""
        _type_of(state.game)
        start, moves = _whole_moves(state)
        tags = dict(tags or {})
        if start != state.game.start():
            tags["FEN"] = start.fen()
        result = _styled(state.game, result, "*") if result else _result(state)
        return cls(tags, state.game, moves, comments or {}, result)

    @property
    def values(self) -> tuple[float, float] | None:
        """One value per seat, as in `Outcome.values`, by the result; None when it is unknown."""
        return _VALUES.get(self.result)

    def start(self) -> State:
        """The state in which the game began."""
        return self.game.start(self.tags.get("FEN"))

    def states(self) -> Iterator[State]:
        """The start, and the state after each move."""
        state = self.start()
        yield state
        for move in self.moves:
            state = open_again(state).after(move)
            yield state

    def final(self) -> State:
        """The state after the last move."""
        state = self.start()
        for move in self.moves:
            state = open_again(state)
            state.play(move)
        return state

    def tree(self) -> GameTree:
        """The same as a game tree of one line."""
        tree = GameTree(self.game, start=self.start(), tags=self.tags, result=self.result)
        node: GameNode = tree
        for at, move in enumerate((None, *self.moves)):
            node = node if move is None else node.add_variation(move)
            node.comment = joined("", self.comments.get(at, ""))
            node.nags = list(self.nags.get(at, ()))
        return tree


def write_game(record: PdnGame) -> str:
    """One game as PDN 3.0; texts of several games can follow each other in one file."""
    return write_tree(record.tree())


def write_tree(tree: GameTree) -> str:
    """A game with its variations as PDN 3.0; several can follow each other in one file."""
    capture = _type_of(tree.game).capture
    result = _styled(tree.game, tree.result, "*")

    def spelled(move: Move) -> str:
        return _in_notation(tree.game, move.text).replace("x", capture)

    text = moves_text(tree, result if result in _VALUES else "*", spelled)
    return f"{tag_lines(_tags(tree, result))}\n{text}\n\n"


def read_games(
    source: str | Path | Iterable[str],
    game: Game | str | None = None,
    *,
    on_error: Callable[[BoardZeroError], None] | None = None,
) -> Iterator[PdnGame]:
    """The games of a PDN text, file or sequence of lines, one by one.

    Which game they are follows from the GameType tag; where that is missing, from `game`, or else
    from the first move if only one kind of draughts allows it. A given `game` also decides how
    games end; a GameType that contradicts it is an error. A game that cannot be read raises
    `BoardZeroError` or, with `on_error`, is handed to it as an error and left out.
    """
    given = _given(game)
    for number, raw in enumerate(split_games(source), 1):
        try:
            record = _read(raw, given)
        except _PlaceError as error:
            if on_error is None:
                raise error.named(number) from None
            on_error(error.named(number))
        else:
            yield record


def read_trees(
    source: str | Path | Iterable[str],
    game: Game | str | None = None,
    *,
    on_error: Callable[[BoardZeroError], None] | None = None,
) -> Iterator[GameTree]:
    """The same with variations, comments, glyphs, evaluations and arrows.

    With `on_error`, the good part of a game is given: a line ends before its first wrong move.
    """
    given = _given(game)
    tree: GameTree | None = None
    for number, raw in enumerate(split_games(source), 1):
        troubles: list[_PlaceError] = []
        before = tree.game if tree is not None else None
        tree = None
        try:
            tree = _read_tree(raw, given, before, troubles.append)
        except _PlaceError as error:
            troubles.append(error)
        for trouble in troubles:
            if on_error is None:
                raise trouble.named(number) from None
            on_error(trouble.named(number))
        if tree is not None:
            yield tree


# Reading.


class _PlaceError(Exception):
    """What is wrong, and with which token."""

    def __init__(self, token: Token, reason: object) -> None:
        super().__init__(str(reason))
        self.token = token

    def named(self, number: int) -> BoardZeroError:
        """The error for a person, of the game with this number."""
        place = f"game {number}, line {self.token.line}, column {self.token.column}"
        return BoardZeroError(f"PDN {place}: {self}")


def _given(game: Game | str | None) -> Game | None:
    game = make(game) if isinstance(game, str) else game
    if game is not None:
        _type_of(game)
    return game


def _read(raw: RawGame, given: Game | None) -> PdnGame:
    for token in raw.body:
        if token.kind == "error":
            raise _PlaceError(token, token.text)
    game = _game_of(raw, given)
    tags = {name: token.text for name, token in raw.tags.items()}
    state = _start(raw, game)
    tags.pop("FEN", None)
    if state != game.start():
        tags["FEN"] = state.fen()
    moves: list[Move] = []
    comments: dict[int, str] = {}
    nags: dict[int, tuple[int, ...]] = {}
    end = "*"
    for token in raw.body:
        at = len(moves)
        match token.kind:
            case "move":
                state = open_again(state)
                moves.append(_parse(state, token))
                state.play(moves[-1])
            case "comment":
                comments[at] = f"{comments[at]} {token.text}" if at in comments else token.text
            case "nag":
                nags[at] = (*nags.get(at, ()), int(token.text[1:]))
            case "strength":
                if glyph := STRENGTHS.get(token.text.strip("()")):
                    nags[at] = (*nags.get(at, ()), glyph)
            case "result":
                end = token.text
            case "setup" if moves:
                raise _PlaceError(token, "a position can be set up only before the first move")
    result = _styled(game, tags.get("Result", "*"), end)
    return PdnGame(tags, game, tuple(moves), comments, result, nags)


def _read_tree(
    raw: RawGame,
    given: Game | None,
    before: Game | None,
    on_trouble: Callable[[_PlaceError], None],
) -> GameTree:
    try:
        game = _game_of(raw, given)
    except _PlaceError:
        if before is None or "GameType" in raw.tags:
            raise
        game = before  # only the first game of some files says which it is
    tags = {name: token.text for name, token in raw.tags.items() if name != "FEN"}
    start = _start(raw, game)
    tree = GameTree(game, start=start, tags=tags)
    builder = TreeBuilder(tree)
    end = "*"
    for token in raw.tree:
        if token.kind == "result" and not builder.in_variation:
            end = token.text
        try:
            _build(builder, token)
        except _PlaceError as error:
            on_trouble(error)
    tree.result = _styled(game, tags.get("Result", "*"), end)
    return tree


def _build(builder: TreeBuilder, token: Token) -> None:
    match token.kind:
        case "move" if (position := builder.position) is not None:
            try:
                builder.move(_parse(position, token))
            except _PlaceError:
                builder.lose()
                raise
        case "comment":
            builder.comment(token.text)
        case "nag":
            builder.nag(int(token.text[1:]))
        case "strength":
            builder.nag(STRENGTHS.get(token.text.strip("()")))
        case "left":
            if not builder.open():
                raise _PlaceError(token, "a variation needs a move before it")
        case "right":
            builder.close()
        case "setup" if builder.has_moves:
            raise _PlaceError(token, "a position can be set up only before the first move")
        case "error":
            raise _PlaceError(token, token.text)


def _game_of(raw: RawGame, given: Game | None) -> Game:
    token = raw.tags.get("GameType")
    if token is None:
        return given or _deduced(raw)
    number = token.text.partition(",")[0].strip()
    if given is not None and _type_of(given).number == number:
        return given
    kinds = {_type_of(game).number: game for game in _kinds()}
    if number not in kinds:
        known = ", ".join(f"{number} {game.name}" for number, game in kinds.items())
        raise _PlaceError(token, f"GameType {token.text!r} is none of those known here: {known}")
    if given is not None:
        raise _PlaceError(token, f"GameType {number} is {kinds[number].name}, not {given.name}")
    return kinds[number]


def _deduced(raw: RawGame) -> Game:
    """The only game in which the first move is legal."""
    first = next((token for token in raw.body if token.kind == "move"), None)
    fitting = []
    for game in (game for game in _kinds() if not _type_of(game).tag_only):
        with suppress(_PlaceError):
            state = _start(raw, game)
            if first is not None:
                _parse(state, first)
            fitting.append(game)
    if len(fitting) == 1:
        return fitting[0]
    names = " or ".join(game.name for game in fitting) or "none that is known here"
    raise _PlaceError(
        first or raw.first, f"there is no GameType tag, and the game could be {names}; name it"
    )


def _start(raw: RawGame, game: Game) -> State:
    setup = next((token for token in raw.body if token.kind in ("setup", "move")), None)
    if setup is None or setup.kind == "move":
        setup = raw.tags.get("FEN")
    if setup is None or setup.text.strip() in ("", "?", "-"):
        return game.start()
    try:
        return game.parse_fen(setup.text)
    except BoardZeroError as error:
        raise _PlaceError(setup, error) from None


def _parse(state: State, token: Token) -> Move:
    """The move that the squares mean, whatever separates them.

    Captures are compulsory: whether a move is one follows from the position. Some archives write
    quiet moves with an "x", others leave the separator out.
    """
    squares = SQUARE.findall(token.text)
    separators = "x-" if re.search(r"[x:*]", token.text, re.IGNORECASE) else "-x"
    try:
        return state.parse(separators[0].join(squares))
    except BoardZeroError as error:
        with suppress(BoardZeroError):
            return state.parse(separators[1].join(squares))
        raise _PlaceError(token, error) from None


def _styled(game: Game, tag: str, end: str) -> str:
    """The result in the style of the game; the tag counts first, because many files end in "*"."""
    win, draw, loss = _type_of(game).results
    styles = {(1.0, -1.0): win, (0.0, 0.0): draw, (-1.0, 1.0): loss, (-1.0, -1.0): "0-0"}
    for text in ("".join(tag.split()), end):
        if text in _VALUES:
            return styles[_VALUES[text]]
    return "*" if tag in ("", "?") else tag


# Writing.


def _type_of(game: Game) -> PdnType:
    if game.traits.pdn is None:
        known = ", ".join(game.name for game in _kinds())
        raise BoardZeroError(f"PDN is for {known}, not for {game.name}")
    return game.traits.pdn


def _kinds() -> list[Game]:
    """The games that PDN is for."""
    found = []
    for family in families():
        if not family.needs:
            with suppress(BoardZeroError):  # of a game in Python that cannot be made
                found.append(make(family.name))
    return [game for game in found if game.traits.pdn is not None]


def _result(state: State) -> str:
    outcome = state.outcome()
    if outcome is None:
        return "*"
    win, draw, loss = _type_of(state.game).results
    return draw if outcome.winner is None else (win, loss)[outcome.winner]


def _whole_moves(state: State) -> tuple[State, tuple[Move, ...]]:
    """Where a state's history began, and the moves since; single jumps are joined to captures."""
    actions, start = state.played_actions, state.copy()
    while start.history:
        start.undo()
    moves = start.moves_of(actions)
    if sum(len(move.actions) for move in moves) < len(actions):
        raise BoardZeroError("a game cannot be written as PDN in the middle of a capture")
    return start, tuple(moves)


def _tags(tree: GameTree, result: str) -> dict[str, str]:
    tags = {**_ROSTER, "Result": "", "GameType": "", **tree.tags}
    tags |= {"Result": result, "GameType": _type_of(tree.game).tag}
    tags = {name: value for name, value in tags.items() if name not in ("SetUp", "FEN")}
    if not tree.begins_as_usual:
        tags |= {"SetUp": "1", "FEN": _in_notation(tree.game, tree.position.fen())}
    for name in tags:
        if not re.fullmatch(r"[A-Z][A-Za-z0-9_]*", name):
            raise BoardZeroError(f"{name!r} cannot be a PDN tag: it must be a capitalised word")
    return tags


def _in_notation(game: Game, text: str) -> str:
    """The squares of a move or a FEN in the way that the GameType promises."""
    geometry = game.geometry
    wanted = draughts_board(geometry.rows, algebraic=_type_of(game).algebraic).labels
    labels = {label: wanted[cell] for cell, label in geometry.labels.items()}
    return re.sub(r"[a-h]\d|\d+", lambda found: labels[found[0]], text)
