"""One game at the terminal: people type, programs think, and everybody sees the board.

Works as well with a script at standard input as with a person at a keyboard.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boardzero.base.errors import BoardZeroError, nearest
from boardzero.base.files import write_file
from boardzero.cli.output import emit, interruptible, screen, shows_color
from boardzero.games import GameTree, Move, State, write_tree
from boardzero.games.drawing import text
from boardzero.players import Choice, Limit, Player, make_player
from boardzero.study.lines import written
from boardzero.study.review import strongest

if TYPE_CHECKING:
    from rich.console import Console

_HINT = 1.0  # seconds for a hint
_FEW = 12  # moves that are listed without being asked for


@dataclass(frozen=True, slots=True)
class GameOver:
    """Why the game is over, or was left."""

    winner: int | None
    reason: str


class TerminalGame:
    """A game between people (None) and programs, with commands besides moves."""

    def __init__(
        self,
        state: State,
        players: Sequence[Player | None],
        *,
        limit: Limit,
        flip: bool = False,
        as_json: bool = False,
    ) -> None:
        self.state = state
        self.players = players
        self.limit = limit
        self.flip = flip
        self.as_json = as_json
        self.console = screen(json_too=as_json)
        self._resigned: GameOver | None = None
        self._analyst: Player | None = None  # who gives hints
        self._left = False
        self._news = True  # the board has changed since it was drawn
        self._announced = False
        self._saved: set[Path] = set()  # may be written again
        self._commands: dict[str, tuple[Callable[[str], None], str]] = {
            "moves": (self._moves, "list the legal moves"),
            "hint": (self._hint, "what the best analyst would play, and the line it expects"),
            "undo": (self._undo, "take back your last move, and the answers to it"),
            "board": (lambda _: self._show(), "draw the board again"),
            "flip": (self._flip, "turn the board"),
            "fen": (lambda _: self.console.print(self.state.fen()), "the position as text"),
            "save": (self._save, "save FILE: write the game to a file"),
            "resign": (self._resign, "give the game up"),
            "quit": (self._quit, "leave"),
            "help": (self._help, "this list"),
        }

    def play(self) -> None:
        """Until the people leave or, without people, until the game is over."""
        names = dict(zip(self.state.game.seats, map(_name, self.players), strict=True))
        self._event("start", game=self.state.game.spec, fen=self.state.fen(), seats=names)
        self._print(
            f"{self.state.game.title}: "
            + ", ".join(f"{seat} {name}" for seat, name in names.items()),
            "bold",
        )
        if None in self.players:
            self._print("Type a move, or help.", "dim")
        while not self._left:
            ending = self.ending()
            player = self.players[self.state.to_move]
            if player is None or ending or None not in self.players:
                self._show_news()
            if ending is not None:
                self._announce(ending)
            elif player is None:
                self._hear(f"{self._mover()}> ")
            else:
                self._think(player)
        self._report_end()

    def ending(self) -> GameOver | None:
        """How the game ended, if it has."""
        outcome = self.state.outcome()
        return self._resigned if outcome is None else GameOver(outcome.winner, outcome.reason)

    def _announce(self, ending: GameOver) -> None:
        """Say it once; then people may still save the game or take something back."""
        if not self._announced:
            self._announced = True
            winner = None if ending.winner is None else self.state.game.seats[ending.winner]
            result = f"{winner} wins" if winner else "no winner" if self._resigned else "draw"
            self._print(f"{result}: {ending.reason}", "bold")
        if None in self.players:
            self._hear("game over> ")
        else:
            self._left = True

    # What people do.

    def _hear(self, prompt: str) -> None:
        line = ask(self.console, prompt)
        over = self.ending() is not None
        if line is None or (over and not line.strip()):
            self._left = True
            return
        try:
            self._obey(line.strip())
        except BoardZeroError as error:
            self._print(str(error), "yellow")

    def _obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        command = self._commands.get(word.lower())
        if command is not None:
            command[0](rest.strip())
        elif word.isalpha() and word.isascii() and not self._is_move(line):
            raise nearest("command", word, self._commands)
        elif line and self.ending() is not None:
            raise BoardZeroError("the game is over: undo, save FILE or quit")
        elif line:
            self._move(self.state.parse(line), None)

    def _is_move(self, line: str) -> bool:
        try:
            self.state.parse(line)
        except BoardZeroError:
            return False
        return True

    def _moves(self, _rest: str) -> None:
        self._print("  ".join(map(str, self.state.moves())))

    def _hint(self, _rest: str) -> None:
        if self.ending() is not None:
            raise BoardZeroError("the game is over: there is nothing to hint at")
        if self._analyst is None:
            self._analyst = make_player(strongest(self.state.game), self.state.game)
        analyst = self._analyst
        choice = interruptible(lambda: analyst.choose(self.state.copy(), Limit(time=_HINT)))
        self._event("hint", move=str(choice.move), line=list(choice.pv), value=choice.value)
        self._print(f"try {choice.move}{_thoughts(choice)}", "green")
        if len(choice.pv) > 1:
            self._print(f"  {written(choice.pv)}", "dim")

    def _undo(self, _rest: str) -> None:
        """Back to where a person had the move, so that programs answer anew."""
        count = 0 if self._resigned else self._plies_to_undo()
        if count is None:
            raise BoardZeroError("there is no move of yours to take back")
        for _ in range(count):
            self.state.undo()
        self._resigned, self._announced = None, False
        self._event("undo", moves=count, fen=self.state.fen())
        self._news = True

    def _plies_to_undo(self) -> int | None:
        trial = self.state.copy()
        for count in range(1, len(trial.history) + 1):
            trial.undo()
            if self.players[trial.to_move] is None:
                return count
        return None

    def _flip(self, _rest: str) -> None:
        self.flip = not self.flip
        self._show()

    def _save(self, rest: str) -> None:
        if not rest:
            raise BoardZeroError("save needs the name of a file, such as: save game.pdn")
        path = Path(rest).expanduser().absolute()
        if path.exists() and path not in self._saved:
            raise BoardZeroError(f"{path} exists already; choose another name")
        names = list(map(_name, self.players))
        write_file(path, game_text(self.state, names, self._result()), parents=False)
        self._saved.add(path)
        self._event("save", file=str(path))
        self._print(f"Saved to {path}", "dim")

    def _result(self) -> str:
        """As in PDN, the points of the one who begins first; a star while the game goes on."""
        ending = self.ending()
        if ending is None:
            return "*"
        if ending.winner is None:
            return "1/2-1/2"
        return "1-0" if ending.winner == 0 else "0-1"

    def _resign(self, _rest: str) -> None:
        if self.ending() is not None:
            raise BoardZeroError("the game is over already")
        others = [seat for seat in range(len(self.players)) if seat != self.state.to_move]
        winner = others[0] if len(others) == 1 else None
        self._resigned = GameOver(winner, f"{self._mover()} resigned")

    def _quit(self, _rest: str) -> None:
        self._left = True

    def _help(self, _rest: str) -> None:
        for move in self.state.moves()[:1]:
            self._print(f"  {move!s:8} a move of {self._mover()}, for example")
        for name, (_, meaning) in self._commands.items():
            self._print(f"  {name:8} {meaning}")

    # What programs do.

    def _think(self, player: Player) -> None:
        def choose() -> Choice:
            return player.choose(self.state.copy(), self.limit)

        shown = self.console.status(f"{self._mover()} is thinking")
        with shown if self.console.is_terminal else nullcontext():
            choice = interruptible(choose)
        self._move(choice.move, choice)

    def _move(self, move: Move, choice: Choice | None) -> None:
        seat, name = self._mover(), _name(self.players[self.state.to_move])
        self.state.play(move)
        self._event(
            "move",
            seat=seat,
            player=name,
            move=str(move),
            fen=self.state.fen(),
            value=choice.value if choice else None,
            seconds=round(choice.time, 3) if choice else None,
        )
        if choice is not None:
            self._print(f"{seat} plays {move}{_thoughts(choice)}")
        self._news = True

    # What everybody sees.

    def _show_news(self) -> None:
        if self._news:
            self._news = False
            self._show()

    def _show(self) -> None:
        from rich.text import Text

        board = text.draw(
            self.state,
            color=shows_color(self.console),
            last_move=self.state.last_move,
            flip=self.flip,
        )
        self.console.print(Text.from_ansi(f"\n{board}\n"))
        moves = self.state.moves()
        if moves and len(moves) <= _FEW and self.players[self.state.to_move] is None:
            self._print("  ".join(map(str, moves)), "dim")

    def _report_end(self) -> None:
        ending = self.ending() or GameOver(None, "quit")
        winner = None if ending.winner is None else self.state.game.seats[ending.winner]
        self._event("end", winner=winner, reason=ending.reason, plies=len(self.state.history))

    def _mover(self) -> str:
        return self.state.game.seats[self.state.to_move]

    def _print(self, line: str, style: str = "") -> None:
        self.console.print(line, style=style)

    def _event(self, kind: str, **fields: str | float | list[str] | dict[str, str] | None) -> None:
        if self.as_json:
            emit(event=kind, **fields)


def game_text(state: State, names: Sequence[str], result: str) -> str:
    """A game as a file holds it, with the names of its players seat by seat."""
    tags = {"Event": "boardzero play", "Game": state.game.spec}
    tags |= {seat.capitalize(): name for seat, name in zip(state.game.seats, names, strict=True)}
    return write_tree(GameTree.of(state, tags=tags, result=result))


def _name(player: Player | None) -> str:
    return "human" if player is None else player.spec


def _thoughts(choice: Choice) -> str:
    """What the player says about its move, in brackets."""
    said = []
    if choice.value is not None:
        said.append(f"value {choice.value:+.2f}")
    if choice.depth:
        said.append(f"depth {choice.depth}")
    if choice.nodes:
        said.append(f"{choice.nodes:,} nodes")
    if choice.time >= 0.05:
        said.append(f"{choice.time:.1f} s")
    return f"  ({', '.join(said)})" if said else ""


def ask(console: Console, prompt: str) -> str | None:
    """A line from a person or a script, or None at its end."""
    if sys.stdin.isatty() and not console.stderr:
        import readline  # noqa: F401  # line editing and history for input()

        try:
            return input(prompt)
        except EOFError:
            print()
            return None
    console.print(prompt, end="")
    line = sys.stdin.readline()
    if not sys.stdin.isatty():  # nobody's typing shows, so the script's line does
        console.print(line.rstrip("\n"))
    return line.rstrip("\n") if line else None
