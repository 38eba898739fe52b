"""What a game is like, for those who show, store, rate or play it without knowing its rules.

Every game has one `GameTraits`, filled from its rules by the module that registers it. Who needs to
know such a thing asks `game.traits`; nothing outside `games` and the protocols goes by the name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from boardzero.games.game import Game, State

# What people choose a strength by; the page has texts for them.
LEVEL_NAMES = ("beginner", "easy", "casual", "club", "expert", "champion")


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

    ladder: tuple[str, ...]  # for people, one for each of `LEVEL_NAMES`
    unchanging: tuple[str, ...]  # to measure others by, the weakest first: `random`, rated 0
    analysts: tuple[str, ...]  # for study and hints, the best first
    opponent: str  # of a person in the terminal who names none
    tactician: str = ""  # sees shots best, for reviews; the champion or first analyst if none


_TWO_SEATS = ClassicPlayers(
    ladder=(  # greedy is no better than random where captures are forced
        "random",
        "alphabeta:depth=1",
        "alphabeta:depth=3",
        "alphabeta:depth=5",
        "alphabeta:time=0.3",
        "alphabeta:time=2",
    ),
    unchanging=("random", "mcts:rollouts=100", "mcts:rollouts=1000"),
    analysts=("alphabeta:analyse=true", "mcts", "random"),
    opponent="alphabeta:time=1",
    tactician="alphabeta",
)
_MANY_SEATS = ClassicPlayers(
    ladder=("random", "greedy", "maxn:depth=1", "maxn:depth=3", "mcts:time=0.5", "mcts:time=2"),
    unchanging=("random", "greedy", "mcts:rollouts=100", "mcts:rollouts=1000"),
    analysts=("mcts", "random"),
    opponent="mcts:time=1",
)


def classic_players(seats: int) -> ClassicPlayers:
    """Players that suit any game of so many seats; `dataclasses.replace` fits them to one."""
    return _TWO_SEATS if seats == 2 else _MANY_SEATS
