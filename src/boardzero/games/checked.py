"""The border between rules written in Python and the compiled core.

The core calls the methods of `Checked` and trusts what they return. Each asks the rules and either
gives a right answer or raises a `BoardZeroError` that names the game, the method and the state, so
that a mistake in a game ends in a sentence and never in a crash or a hang.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from itertools import islice
from operator import index
from typing import Any, Generic, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

from boardzero.base.errors import BoardZeroError
from boardzero.games.python_game import Ending, PythonGame, game_name
from boardzero.games.traits import GameTraits, classic_players

S = TypeVar("S", bound=Hashable)

_SEATS = ("first", "second", "third", "fourth")
_FLOAT32 = np.dtype(np.float32)
_LONGEST_FEN = 100_000


class ContractError(BoardZeroError):
    """Rules written in Python gave an answer that cannot be right."""

    complaint = ""  # what was wrong, without the name of the game


class Checked(Generic[S]):
    """A game whose every answer has been looked at."""

    def __init__(self, rules: PythonGame[S]) -> None:
        self._rules = rules
        self._name = game_name(rules)
        self.players = self._number("players", 2, len(_SEATS))
        self.rows = self._number("rows", 1, 1000)
        self.columns = self._number("columns", 1, 1000)
        self.symmetries = self._number("symmetries", 1, 1000)
        self.stages = self._number("stages", 1, 100)
        self.max_length = self._number("max_length", 1, 2**30)
        self._cells = self.rows * self.columns
        given = rules.action_count is not None
        most = 2**16 - 1  # searches count them in two bytes
        self.action_count = self._number("action_count", 1, most) if given else self._cells
        if self.action_count > most:
            raise self._error(f"has {self._cells} cells; give an action_count of at most {most}")
        draws_pieces = type(rules).cells is not PythonGame.cells
        if type(rules).encode is not PythonGame.encode:
            self.planes = self._number("planes", 1, 2**20)
        elif draws_pieces:
            self.planes = self.players * len(rules.kinds) + 1
        else:
            raise self._error("must define cells or encode, or nets would see nothing")
        self._shape = (self.planes, self.rows, self.columns)
        self._has_picture = type(rules).picture is not PythonGame.picture
        self.turns_actions = type(rules).relative is not PythonGame.relative
        self.geometry = self._ask("geometry")
        self.traits = self._traits()
        self._state_type: type[S] = type(self.initial())

    def initial(self) -> S:
        s: S = self._ask("initial")
        try:
            hash(s)
        except TypeError:
            raise self._error(
                f"initial() gave {_short(s)}, which is not hashable; a state must not change:"
                " use a string, a tuple or a frozen dataclass"
            ) from None
        return s

    def _traits(self) -> GameTraits:
        seats = tuple(self._rules.seats) or _SEATS[: self.players]
        numbered = all(label.isdigit() for label in self.geometry.labels.values())
        usual = GameTraits(seats=seats, numbered=numbered, players=classic_players(self.players))
        try:
            traits = self._rules.traits(usual)
        except Exception as error:
            self._raised("traits", error)
        if not isinstance(traits, GameTraits):
            raise self._error(f"traits() gave {_short(traits)}, not GameTraits")
        if len(traits.seats) != self.players:
            raise self._error(f"has {self.players} players but names {len(traits.seats)} seats")
        return traits

    def look(self, s: S) -> tuple[int, list[int], tuple[float, ...] | None, str]:
        """The mover, the legal actions, the values (None while the game goes on) and the reason."""
        rules, method = self._rules, "outcome"
        try:
            outcome = rules.outcome(s)
            method = "to_move"
            mover = index(rules.to_move(s))
            if outcome is None:
                method = "actions"
                # One more than there can be is enough to know that there are too many.
                actions = list(map(index, islice(rules.actions(s), self.action_count + 1)))
        except Exception as error:
            self._raised(method, error, s)
        if not 0 <= mover < self.players:
            self._wrong("to_move", s, f"gave {mover}, but the seats are 0 to {self.players - 1}")
        if outcome is not None:
            return mover, [], *self._ending(s, outcome)
        if not actions:
            self._wrong("actions", s, "gave none, although outcome gave None")
        if min(actions) < 0 or max(actions) >= self.action_count:
            wrong = next(a for a in actions if not 0 <= a < self.action_count)
            self._wrong("actions", s, f"gave {wrong}, but they are 0 to {self.action_count - 1}")
        if len(set(actions)) < len(actions):
            wrong = next(a for a in actions if actions.count(a) > 1)
            self._wrong("actions", s, f"gave {wrong} more than once")
        return mover, actions, None, ""

    def play(self, s: S, action: int) -> S:
        after: S = self._ask("play", s, action)
        if after is s:
            self._wrong("play", s, "gave back the same object; it must make a new one", action)
        if not isinstance(after, self._state_type):
            kind = self._state_type.__name__
            self._wrong("play", s, f"gave {_short(after)}, not a {kind} as initial does", action)
        return after

    def stage(self, s: S) -> int:
        stage: int = self._ask("stage", s, read=index)
        if not 0 <= stage < self.stages:
            self._wrong("stage", s, f"gave {stage}, but the stages are 0 to {self.stages - 1}")
        return stage

    def encode(self, s: S) -> NDArray[np.float32]:
        planes = self._ask("encode", s)
        if not isinstance(planes, np.ndarray):
            self._wrong("encode", s, f"gave a {type(planes).__name__}, not a numpy array")
        if planes.shape != self._shape or planes.dtype != _FLOAT32:
            self._wrong(
                "encode",
                s,
                f"gave {planes.dtype} of shape {planes.shape}, not float32 of {self._shape}",
            )
        if not math.isfinite(planes.sum()):
            self._wrong("encode", s, "gave a number that is not finite")
        return np.ascontiguousarray(planes)

    def relative(self, s: S, action: int) -> int:
        return self._action("relative", s, action, self._ask("relative", s, action, read=index))

    def identity(self, s: S) -> str:
        return self._text("identity", s)

    def fen(self, s: S) -> str:
        return self._text("fen", s)

    def picture(self, s: S) -> str:
        """The board as the rules draw it, or nothing."""
        return self._text("picture", s) if self._has_picture else ""

    def text(self, s: S, action: int) -> str:
        text = self._ask("text", s, action)
        if not isinstance(text, str) or not text:
            self._wrong("text", s, f"gave {_short(text)}, not a text", action)
        return text

    def path(self, s: S, action: int) -> list[int]:
        most = self._cells + 1
        path: list[int] = self._ask(
            "path", s, action, read=lambda cells: list(map(index, islice(cells, most)))
        )
        if any(not 0 <= cell < self._cells for cell in path):
            self._wrong("path", s, f"gave {path}, but cells are 0 to {self._cells - 1}", action)
        return path

    def pieces(self, s: S) -> list[tuple[int, tuple[int, str]]]:
        """The cells that are not empty, each with the owner and the kind of piece."""
        kinds = self._rules.kinds
        found = []
        try:
            cells = self._rules.cells(s)
            if cells is None:
                return []
            count = len(cells)
            for cell, piece in enumerate(islice(cells, self._cells)):
                if piece is not None:
                    owner, kind = piece if isinstance(piece, tuple) else (piece, kinds[0])
                    found.append((cell, (index(owner), kind)))
        except Exception as error:
            self._raised("cells", error, s)
        if count != self._cells:
            self._wrong("cells", s, f"gave {count} cells, not {self.rows} x {self.columns}")
        for cell, (owner, kind) in found:
            if not 0 <= owner < self.players or kind not in kinds:
                self._wrong("cells", s, f"put {(owner, kind)} on cell {cell}, which is no piece")
        return found

    def parse_fen(self, text: str) -> S:
        """The state that a text describes, if the rules can say anything about it."""
        if len(text) > _LONGEST_FEN:
            raise BoardZeroError(f"a FEN of {self._name} has at most {_LONGEST_FEN} characters")
        try:
            s = self._rules.parse_fen(text)
            hash(s)
            if not isinstance(s, self._state_type):
                raise TypeError(f"it is a {type(s).__name__}")
            self.look(s)
            self.pieces(s)
        except Exception as error:
            why = error.complaint if isinstance(error, ContractError) else error
            sentence = f"'{_clipped(text)}' is not a FEN of {self._name}: {why}"
            raise BoardZeroError(" ".join(sentence.split())) from error
        return s

    def transform(self, s: S, symmetry: int) -> S:
        turned: S = self._ask("transform", s, symmetry)
        if not isinstance(turned, self._state_type):
            kind = self._state_type.__name__
            self._wrong("transform", s, f"gave {_short(turned)}, not a {kind}", symmetry)
        return turned

    def transform_action(self, action: int, symmetry: int) -> int:
        turned = self._ask("transform_action", action, symmetry, read=index)
        return self._action("transform_action", None, action, turned)

    def _ask(
        self, method: str, *arguments: object, read: Callable[[Any], Any] = lambda answer: answer
    ) -> Any:
        """What the rules answer; their own error becomes a sentence."""
        try:
            return read(getattr(self._rules, method)(*arguments))
        except Exception as error:
            self._raised(method, error, *arguments)

    # What is wrong, in sentences.

    def _number(self, name: str, low: int, high: int) -> int:
        value = getattr(self._rules, name)
        if not isinstance(value, int) or not low <= value <= high:
            raise self._error(f"has {name} = {_short(value)}, but it must be from {low} to {high}")
        return value

    def _ending(self, s: S, outcome: object) -> tuple[tuple[float, ...], str]:
        values, reason = outcome, ""
        if isinstance(outcome, Ending):
            values, reason = outcome.values, outcome.reason
        try:
            numbers = tuple(map(float, values))  # type: ignore[call-overload]
            right = len(numbers) == self.players and all(-1.0 <= v <= 1.0 for v in numbers)
        except (TypeError, ValueError):
            right = False
        if not right:
            self._wrong(
                "outcome",
                s,
                f"gave {_short(outcome)}, which is neither None (not over) nor {self.players}"
                " values from -1 to 1",
            )
        return numbers, reason or "the rules of the game"

    def _text(self, method: str, s: S) -> str:
        text = self._ask(method, s)
        if not isinstance(text, str):
            self._wrong(method, s, f"gave {_short(text)}, not a text")
        return text

    def _action(self, method: str, s: S | None, action: int, answer: int) -> int:
        if not 0 <= answer < self.action_count:
            last = self.action_count - 1
            self._wrong(method, s, f"gave {answer}, but actions are 0 to {last}", action)
        return answer

    def _raised(self, method: str, error: Exception, *arguments: object) -> NoReturn:
        call = self._call(method, *arguments)
        raise self._error(f"{call} raised {type(error).__name__}: {error}") from error

    def _wrong(self, method: str, s: S | None, complaint: str, *arguments: object) -> NoReturn:
        raise self._error(f"{self._call(method, s, *arguments)} {complaint}")

    def _call(self, method: str, *arguments: object) -> str:
        return f"{method}({', '.join(_short(a) for a in arguments if a is not None)})"

    def _error(self, complaint: str) -> ContractError:
        error = ContractError(f"the game {self._name} breaks its contract: {complaint}")
        error.complaint = complaint
        return error


def _short(value: object) -> str:
    try:
        return _clipped(repr(value))
    except Exception:
        return f"a {type(value).__name__}"


def _clipped(text: str, length: int = 300) -> str:
    return text if len(text) <= length else text[:length] + "..."
