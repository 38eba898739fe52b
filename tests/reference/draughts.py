"""Oracles for draughts, and positions to ask them about.

Two of them: every kind of draughts played slowly by a page of Python, which is told in `PLAIN` what
the kind is like, and pydraughts for the kinds that it knows. pydraughts counts squares as we do and
lets White move up; only the names of the games and the algebraic squares of Russian draughts
differ.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from draughts.core.game import Game as Peer

from boardzero import Game, State

PEERS = {
    "international": "standard",
    "english": "english",
    "russian": "russian",
    "brazilian": "brazilian",
}  # the games that pydraughts knows, and its names for them

Squares = tuple[int, int, frozenset[int]]  # from, to, and the squares of what is taken, from 1


def random_game(game: Game, rng: random.Random, *, plies: int = 400) -> list[State]:
    """The states of a game of random moves, the last of which is over unless it got too long."""
    state = game.start()
    states = [state.copy()]
    while len(states) <= plies and (moves := state.moves()):
        state.play(rng.choice(moves))
        states.append(state.copy())
    return states


def numeric_fen(state: State) -> str:
    """The position between two moves, with squares as numbers in every game."""
    seats = state.game.seats
    lists: dict[str, list[str]] = {"white": [], "black": []}
    for piece in state.pieces():
        prefix = "K" if piece.kind == "king" else ""
        lists[seats[piece.owner]].append(f"{prefix}{piece.cell + 1}")
    mover = seats[state.to_move][0].upper()
    return f"{mover}:W{','.join(lists['white'])}:B{','.join(lists['black'])}"


def our_moves(state: State) -> set[Squares]:
    return {
        (move.path[0] + 1, move.path[-1] + 1, frozenset(cell + 1 for cell in move.captured))
        for move in state.moves()
    }


def peer_moves(name: str, fen: str) -> set[Squares]:
    return set(_peer_routes(name, fen))


def peer_perft(name: str, fen: str, depth: int) -> int:
    """The number of move sequences, routes that take the same pieces being one move."""
    routes = _peer_routes(name, fen)
    if depth == 1:
        return len(routes)
    return sum(peer_perft(name, after, depth - 1) for after in _after_each(name, fen, routes))


def _peer_routes(name: str, fen: str) -> dict[Squares, list[list[int]]]:
    routes, captures = Peer(PEERS[name], fen).legal_moves()
    return {
        (route[0][0], route[-1][1], frozenset(square for square in taken if square)): route
        for route, taken in zip(routes, captures, strict=True)
    }


def _after_each(name: str, fen: str, routes: dict[Squares, list[list[int]]]) -> Iterator[str]:
    for route in routes.values():
        game = Peer(PEERS[name], fen)
        game.push(route)
        yield game.get_li_fen()


@dataclass(frozen=True)
class Plain:
    """One kind of draughts, in plain words."""

    width: int = 8
    men_take_backwards: bool = True
    kings_fly: bool = True
    takes_most: bool = False
    crowned_in_passing: Literal["no", "and stops", "and goes on"] = "no"


PLAIN = {
    "international": Plain(width=10, takes_most=True),
    "english": Plain(men_take_backwards=False, kings_fly=False, crowned_in_passing="and stops"),
    "russian": Plain(crowned_in_passing="and goes on"),
    "brazilian": Plain(takes_most=True),
    "pool": Plain(),
}

Place = tuple[int, int]  # row and column, from the top left
Board = dict[Place, str]  # w, b for men, W, B for kings


class PlainDraughts:
    """A position between two moves. Slow, and as near to a rule book as it can be."""

    def __init__(self, rules: Plain, board: Board, side: str) -> None:
        self.rules = rules
        self.board = board
        self.side = side  # w or b

    @classmethod
    def read(cls, name: str, fen: str) -> "PlainDraughts":
        """From a FEN with numbers."""
        rules = PLAIN[name]
        side, *lists = fen.split(":")
        board = {}
        for text in lists:
            color = text[0].lower()
            for word in filter(None, text[1:].split(",")):
                piece = color.upper() if word[0] == "K" else color
                board[place(rules.width, int(word.lstrip("K")))] = piece
        return cls(rules, board, side.lower())

    def moves(self) -> dict[Squares, "PlainDraughts"]:
        """What may be played, and the position after it."""
        own = [at for at, piece in self.board.items() if piece.lower() == self.side]
        captures = {
            self._move(start, end, taken): self._after(start, end, piece, taken)
            for start in own
            for end, piece, taken in self._captures(start)
        }
        if captures and self.rules.takes_most:
            most = max(len(taken) for _, _, taken in captures)
            return {move: after for move, after in captures.items() if len(move[2]) == most}
        return captures or {
            self._move(start, end): self._after(start, end, self.board[start], frozenset())
            for start in own
            for end in self._steps(start)
        }

    def perft(self, depth: int) -> int:
        after = self.moves()
        return len(after) if depth == 1 else sum(p.perft(depth - 1) for p in after.values())

    def _steps(self, start: Place) -> Iterator[Place]:
        king = self.board[start].isupper()
        for rows, columns in DIRECTIONS:
            if not king and rows != self._forwards:
                continue
            for end in self._ray(start, rows, columns):
                if end in self.board:
                    break
                yield end
                if not (king and self.rules.kings_fly):
                    break

    def _captures(self, start: Place) -> Iterator[tuple[Place, str, frozenset[Place]]]:
        """Where captures that begin here end, with what piece, and what they take."""
        rest = {at: piece for at, piece in self.board.items() if at != start}

        def go_on(
            at: Place, piece: str, taken: frozenset[Place]
        ) -> Iterator[tuple[Place, str, frozenset[Place]]]:
            further = False
            for victim, landings in self._jumps(rest, at, piece, taken):
                further = True
                ends = {end: self._in_passing(end, piece) for end in landings}
                more = taken | {victim}
                # Who may choose where to land must land where the capture goes on.
                leading_on = [
                    end
                    for end, (now, stops) in ends.items()
                    if not stops and any(self._jumps(rest, end, now, more))
                ]
                for end in leading_on or landings:
                    now, stops = ends[end]
                    if stops:
                        yield end, now, more
                    else:
                        yield from go_on(end, now, more)
            if not further and taken:
                yield at, piece, taken

        yield from go_on(start, self.board[start], frozenset())

    def _jumps(
        self, board: Board, at: Place, piece: str, taken: frozenset[Place]
    ) -> Iterator[tuple[Place, list[Place]]]:
        """Pieces that can be jumped next, with the places behind them; none is jumped twice."""
        for rows, columns in DIRECTIONS:
            if piece.islower() and rows != self._forwards and not self.rules.men_take_backwards:
                continue
            flies = piece.isupper() and self.rules.kings_fly
            ray = list(self._ray(at, rows, columns))
            victim = next((i for i, p in enumerate(ray) if p in board), None)
            if victim is None or (victim > 0 and not flies) or ray[victim] in taken:
                continue
            if board[ray[victim]].lower() == self.side:
                continue
            free = []
            for behind in ray[victim + 1 :]:
                if behind in board:
                    break
                free.append(behind)
            if free:
                yield ray[victim], free if flies else free[:1]

    def _in_passing(self, end: Place, piece: str) -> tuple[str, bool]:
        """What a piece is after a jump, and whether it must stop."""
        if piece.isupper() or end[0] != self._last_row or self.rules.crowned_in_passing == "no":
            return piece, False
        return piece.upper(), self.rules.crowned_in_passing == "and stops"

    def _after(
        self, start: Place, end: Place, piece: str, taken: frozenset[Place]
    ) -> "PlainDraughts":
        board = {at: p for at, p in self.board.items() if at != start and at not in taken}
        board[end] = piece.upper() if end[0] == self._last_row else piece
        return PlainDraughts(self.rules, board, "b" if self.side == "w" else "w")

    @property
    def _forwards(self) -> int:
        return -1 if self.side == "w" else 1

    @property
    def _last_row(self) -> int:
        return 0 if self.side == "w" else self.rules.width - 1

    def _ray(self, start: Place, rows: int, columns: int) -> Iterator[Place]:
        row, column = start[0] + rows, start[1] + columns
        while row in range(self.rules.width) and column in range(self.rules.width):
            yield row, column
            row, column = row + rows, column + columns

    def _move(self, start: Place, end: Place, taken: frozenset[Place] = frozenset()) -> Squares:
        width = self.rules.width
        return number(width, start), number(width, end), frozenset(number(width, t) for t in taken)


DIRECTIONS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def place(width: int, square: int) -> Place:
    row, index = divmod(square - 1, width // 2)
    return row, 2 * index + (row + 1) % 2


def number(width: int, at: Place) -> int:
    return at[0] * (width // 2) + at[1] // 2 + 1
