"""What a game is like, for those who show, store, rate or play it without knowing its rules.

Every game has one `GameTraits`, filled from its rules by the module that registers it. Who needs to
know such a thing asks `game.traits`; nothing outside `games` and the protocols goes by the name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from boardzero.games.game import Game, State

# What people choose a strength by, the weakest first; the page has texts for them. A game has eight
# of them or more, as many as there is room for between its first and its champion.
LEVEL_NAMES = (
    *("first", "beginner", "novice", "easy", "casual", "regular"),
    *("club", "strong", "expert", "master", "grandmaster", "champion"),
)
_LEFT_OUT = ("grandmaster", "novice", "strong", "regular")  # where there are fewer levels, in turn
LEAST_LEVELS = len(LEVEL_NAMES) - len(_LEFT_OUT)


def level_names(count: int) -> tuple[str, ...]:
    """The names of so many levels."""
    spare = len(LEVEL_NAMES) - count
    if 0 <= spare <= len(_LEFT_OUT):
        return tuple(name for name in LEVEL_NAMES if name not in _LEFT_OUT[:spare])
    # Of fewer still, a game in Python may have three: the last is the champion all the same.
    named = level_names(LEAST_LEVELS)
    return (*named[: count - 1], named[-1])


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTraits:
    """The facts about one game."""

    seats: tuple[str, ...]  # what the players are called, in the order of play
    numbered: bool = False  # cells are called by number rather than by column and row
    must_capture: bool = False  # who can capture must
    largest_capture: bool = False  # and must take as many pieces as possible
    pdn: PdnType | None = None  # how PDN files hold its games, if they do
    sgf: bool = False  # whether SGF files hold its games
    composer: Composer | None = None  # how its positions are put together, if they can be,
    pieces: tuple[str, ...] = ()  # and from which kinds of piece
    goals: tuple[frozenset[int], ...] = ()  # cells that a seat's pieces head for, if they do
    text: str = ""  # key of the page's texts, if not the game's name
    diagrams: tuple[Diagram, ...] = ()  # positions of books that people may want to look at
    counters: tuple[Counter, ...] = ()  # what a position has beside its pieces
    deciding: Callable[[State], list[int]] | None = None  # cells that won a game, if some did
    players: ClassicPlayers


@dataclass(frozen=True, slots=True)
class Diagram:
    """A position that a book shows."""

    name: str  # key of the page's texts
    fen: str


@dataclass(frozen=True, slots=True)
class PdnType:
    """What PDN, the format of draughts files, prescribes for one kind of draughts."""

    tag: str  # GameType: its number, who begins, columns, rows, notation
    capture: str = "x"  # between the squares of a capture
    win: int = 1  # points for a win
    tag_only: bool = False  # a file without the tag is never taken for it

    @property
    def number(self) -> str:
        return self.tag.partition(",")[0]

    @property
    def algebraic(self) -> bool:
        return ",A" in self.tag

    @property
    def results(self) -> tuple[str, str, str]:
        """Of a game that who began wins, draws and loses."""
        half = "1/2" if self.win == 1 else str(self.win // 2)
        return f"{self.win}-0", f"{half}-{half}", f"0-{self.win}"


class Composer(Protocol):
    """Writes the FEN of a position, given owner and kind of the piece on each cell."""

    def __call__(
        self, game: Game, pieces: Mapping[int, tuple[int, str]], to_move: int, /
    ) -> str: ...


@dataclass(frozen=True, slots=True)
class Counter:
    """A number for each seat that players look at beside the board."""

    name: str  # key of the page's texts
    field: int  # of the FEN, from 0, with a number for each seat: "2,0,1"

    def read(self, state: State) -> list[int]:
        return [int(count) for count in state.fen().split()[self.field].split(",")]


@dataclass(frozen=True, slots=True)
class ClassicPlayers:
    """Players without a net that suit a game, as specs."""

    ladder: tuple[str, ...]  # for people, where levels were not measured: as many as `level_names`
    unchanging: tuple[str, ...]  # to measure others by, the weakest first: `random`, rated 0
    analysts: tuple[str, ...]  # for study and hints, the best first
    opponent: str  # of a person in the terminal who names none
    tactician: str = ""  # sees shots best, for reviews; the champion or first analyst if none
    rungs: tuple[str, ...] = ()  # that measured levels are chosen from, weak to strong
    summit: str = ""  # above them: may think longer


def errant(search: str, margins: Mapping[str, tuple[float, ...]]) -> tuple[str, ...]:
    """Players that err less and less and look further and further, from margins by options."""
    return tuple(
        f"{search}:{options}" + (f",margin={margin:g}" if margin else "")
        for options, widths in margins.items()
        for margin in widths
    )


def bounded(search: str, nodes: tuple[int, ...]) -> tuple[str, ...]:
    """Players that look at so many positions for each move, and need little memory for them."""
    return tuple(f"{search}:nodes={count},hash=4" for count in nodes)


_TWO_SEATS = ClassicPlayers(
    # Who looks one ahead and loses no piece there plays alike with any margin.
    ladder=(
        *errant("alphabeta", {"depth=1,hash=1": (9,), "depth=2,hash=1": (1, 0.3)}),
        *errant("alphabeta", {"depth=3,hash=1": (0.5, 0.1), "depth=4,hash=1": (0.03,)}),
        *("alphabeta:nodes=2000,hash=4", "alphabeta:nodes=200000"),
    ),
    unchanging=("random", "mcts:rollouts=100", "mcts:rollouts=1000"),
    analysts=("alphabeta:analyse=true", "mcts", "random"),
    opponent="alphabeta:time=1",
    tactician="alphabeta",
    rungs=(
        *errant("alphabeta", {"depth=1,hash=1": (9,)}),
        *errant("alphabeta", {"depth=2,hash=1": (3, 2, 1.4, 1, 0.7, 0.5, 0.3, 0.15)}),
        *errant("alphabeta", {"depth=3,hash=1": (1, 0.7, 0.5, 0.3, 0.2, 0.1, 0.05)}),
        *errant("alphabeta", {"depth=4,hash=1": (0.3, 0.2, 0.1, 0.03)}),
        *bounded("alphabeta", (500, 1000, 2000, 4000, 8000, 15000, 30000)),
    ),
    summit="alphabeta:nodes=200000",
)
_MANY_SEATS = ClassicPlayers(
    ladder=(
        *errant("maxn", {"depth=1": (9, 0.2), "depth=2": (0.2, 0.05), "depth=3": (0.1, 0.03, 0)}),
        "mcts:time=1",
    ),
    unchanging=("random", "greedy", "mcts:rollouts=100", "mcts:rollouts=1000"),
    analysts=("mcts", "random"),
    opponent="mcts:time=1",
    rungs=(
        *errant("maxn", {"depth=1": (9, 1, 0.5, 0.3, 0.2, 0.1), "depth=2": (0.5, 0.3, 0.2, 0.1)}),
        *errant("maxn", {"depth=2": (0.05, 0.02, 0), "depth=3": (0.1, 0.05, 0.03, 0.02, 0.01, 0)}),
        "maxn:depth=4,nodes=150000",
    ),
    summit="maxn:depth=5,nodes=500000",
)


def classic_players(seats: int) -> ClassicPlayers:
    """Players that suit any game of so many seats; `dataclasses.replace` fits them to one."""
    return _TWO_SEATS if seats == 2 else _MANY_SEATS
