"""`boardzero games list`, `show` and `export`: the games that were played and kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from boardzero.base.data_home import default_store
from boardzero.base.errors import BoardZeroError
from boardzero.base.files import write_file
from boardzero.cli.options import AsJson, StorePath, grouped_options
from boardzero.cli.output import Json, emit, row, screen, shows_color
from boardzero.games import GameTree, State, make, write_tree
from boardzero.games.drawing import text
from boardzero.store import Store, StoredGame


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredGamesFilter:
    """Which games of which database."""

    match: Annotated[int | None, typer.Option(help="Only games of this match.")] = None
    player: Annotated[
        str | None, typer.Option(metavar="PLAYER", help="Only games of this player.")
    ] = None
    game: Annotated[
        str | None, typer.Option("--game", "-g", metavar="GAME", help="Only this game.")
    ] = None
    store: StorePath = None

    def games(self, *, newest: int | None = None) -> list[StoredGame]:
        """In the order in which they were stored, or only so many, the newest first."""
        spec = None if self.game is None else make(self.game).spec
        with _existing(self.store) as database:
            return list(
                database.games(
                    player=self.player,
                    game=spec,
                    match=self.match,
                    newest_first=newest is not None,
                    limit=newest,
                )
            )


@grouped_options
def list_games(
    limit: Annotated[int, typer.Option(help="At most so many, the newest.", min=1)] = 20,
    *,
    which: StoredGamesFilter,
    as_json: AsJson = False,
) -> None:
    """List stored games, the newest first."""
    found = which.games(newest=limit)
    if not found:
        raise BoardZeroError("no stored game is like that; 'boardzero games list' shows all")
    for stored in found:
        if as_json:
            emit(**record(stored))
        else:
            _line(stored)


def show_game(
    number: Annotated[int, typer.Argument(help="The number in the list.", metavar="ID")],
    ply: Annotated[
        int | None, typer.Option(help="The board after so many plies; the last, if not given.")
    ] = None,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Show one stored game: its players, its moves, a board."""
    with _existing(store) as database:
        stored = database.game(number)
    if as_json:
        emit(**record(stored))
        return
    from rich.text import Text

    console = screen()
    state = replayed(stored, ply)
    console.print(f"game {stored.id}: {stored.game}", style="bold")
    for name, player in zip(state.game.seats, stored.seats, strict=True):
        console.print(f"{name:6} {player}")
    console.print(Text.from_ansi(f"\n{text.draw(state, color=shows_color(console))}\n"))
    if stored.opening:
        console.print(f"opening {' '.join(stored.opening)}", style="dim")
    console.print(" ".join(stored.moves))
    console.print(f"{_winner(stored)}, {stored.reason}, {stored.plies} plies", style="bold")


@grouped_options
def export_games(
    file: Annotated[
        Path | None, typer.Argument(help="Where to; the screen, if not given.", metavar="FILE")
    ] = None,
    *,
    which: StoredGamesFilter,
    as_json: AsJson = False,
) -> None:
    """Write stored games as PDN, SGF or plain text, or with --json one on each line."""
    found = which.games()
    if not found:
        raise BoardZeroError("there are no such games")
    if as_json:
        import json

        lines = [json.dumps(record(stored), ensure_ascii=False) + "\n" for stored in found]
    else:
        lines = [_text(stored) for stored in found]
    if file is None:
        print("".join(lines), end="")
    else:
        write_file(file, "".join(lines), parents=False)
        screen(json_too=True).print(f"{len(found)} games written to {file}", style="dim")


def record(stored: StoredGame) -> dict[str, Json]:
    """All that is known of a game."""
    known: dict[str, Json] = asdict(stored)
    players = known.pop("seats")
    times = {"started": stored.started.isoformat(), "finished": stored.finished.isoformat()}
    return {**known, "players": players, **times}


def replayed(stored: StoredGame, ply: int | None = None) -> State:
    """The game played again, up to a ply."""
    moves = (*stored.opening, *stored.moves)
    if ply is not None and not 0 <= ply <= len(moves):
        raise BoardZeroError(f"game {stored.id} has plies 0 to {len(moves)}, not {ply}")
    return make(stored.game).replay(moves[:ply], stored.start)


@contextmanager
def _existing(path: Path | None) -> Iterator[Store]:
    """A database to read, which is not made where there is none."""
    where = path or default_store()
    if not where.exists():
        raise BoardZeroError(f"there are no stored games: {where} does not exist")
    with Store(where) as store:
        yield store


def _winner(stored: StoredGame) -> str:
    if stored.winner is None:
        return "nobody won"
    return f"{make(stored.game).seats[stored.winner]} won"


def _line(stored: StoredGame) -> None:
    match = "" if stored.match is None else f"{stored.match}/{stored.number}"
    row(
        screen(),
        (str(stored.id), -6, "bold"),
        (match, 9, "dim"),
        (f"{stored.finished:%Y-%m-%d %H:%M}", 16, "dim"),
        (stored.game, 14, ""),
        (" - ".join(stored.seats), 44, ""),
        (_winner(stored), 12, ""),
        (f"{stored.reason}, {stored.plies} plies", 0, "dim"),
    )


def _text(stored: StoredGame) -> str:
    """The game in the format of its kind: PDN, SGF or plain text."""
    state = replayed(stored)
    tags = {
        "Event": "boardzero" if stored.match is None else f"boardzero match {stored.match}",
        "Date": f"{stored.started:%Y.%m.%d}",
        "Round": "?" if stored.number is None else str(stored.number),
    }
    names = zip(state.game.seats, stored.seats, strict=True)
    tags |= {seat.capitalize(): player for seat, player in names}
    results = {None: "1/2-1/2", 0: "1-0", 1: "0-1", 2: "0-0-1"}
    tree = GameTree.of(state, tags=tags, result=results[stored.winner])
    tree.end().comment = stored.reason
    return write_tree(tree)
