"""`boardzero play`: a game in the terminal, each seat a person or a program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from boardzero.base.errors import BoardZeroError
from boardzero.cli.options import AsJson
from boardzero.cli.output import command_line, row, screen, tell
from boardzero.games import Game, State, families, make
from boardzero.players import Limit, Player, make_player
from boardzero.players.adaptive import ADAPTIVE

app = command_line()

_HUMAN = "human"


@app.command(epilog="Example: boardzero play english --seat black=human --seat white=random")
def play(
    game: Annotated[
        str | None, typer.Argument(help="The game; a menu, if none is given.", metavar="GAME")
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER",
            help="A player such as human or random, once for each seat in the order of play, "
            "or with the seat's name: black=human. adaptive is the level that suits you by the "
            "games that you finished. One seat is yours if you say nothing.",
        ),
    ] = None,
    fen: Annotated[str | None, typer.Option(help="The position, if not the first.")] = None,
    time: Annotated[
        float | None, typer.Option(help="Seconds that a program may think about a move.", min=0.001)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play in the terminal, against people or programs.

    Type moves as they are written in books, such as 32-28 or 28x19, and help for what else there
    is. With --json, each event of the game is one line.
    """
    from boardzero.cli.terminal_game import TerminalGame

    rules = make(game or _menu(as_json=as_json))
    state = rules.start(fen)
    specs = assign_seats(rules, seat or [])
    adapts = ADAPTIVE in specs
    if adapts:
        specs = _adapted(rules, specs, as_json=as_json)
    players = [None if spec == _HUMAN else make_player(spec, rules) for spec in specs]
    session = TerminalGame(
        state,
        players,
        limit=Limit(time=time),
        flip=_sits_at_top(state, players),
        as_json=as_json,
    )
    try:
        session.play()
        if adapts:
            from boardzero.cli.adaptive import keep_game

            keep_game(session, specs, fen or "")
    finally:
        for player in players:
            if player is not None:
                player.close()


def assign_seats(game: Game, given: Sequence[str]) -> list[str]:
    """The spec of each seat's player; a seat without one is a person's, if none is so far."""
    specs: dict[int, str] = {}
    for text in given:
        name, equals, spec = text.partition("=")
        if equals and name in game.seats:
            seat = game.seats.index(name)
        else:
            seat = next((s for s in range(game.players) if s not in specs), game.players)
            spec = text
        if seat in specs:
            raise BoardZeroError(f"the seat {name} of {game.name} is given twice")
        if seat == game.players:
            raise BoardZeroError(f"{game.name} has only {game.players} seats")
        specs[seat] = spec
    for seat in range(game.players):
        if seat not in specs:
            specs[seat] = _opponent(game) if _HUMAN in specs.values() else _HUMAN
    return [specs[seat] for seat in range(game.players)]


def _adapted(game: Game, specs: Sequence[str], *, as_json: bool) -> list[str]:
    """The level that adapts in its place; the person hears which it is, and why."""
    from boardzero.cli.adaptive import adapted_level

    if specs.count(_HUMAN) != 1:
        raise BoardZeroError(f"{ADAPTIVE} suits one person: one seat must be {_HUMAN}")
    found = adapted_level(game)
    tell(
        found.words,
        as_json=as_json,
        event="adapted",
        level=found.level.name,
        player=found.level.spec,
    )
    return [found.level.spec if spec == ADAPTIVE else spec for spec in specs]


def _opponent(game: Game) -> str:
    """The best player that there is for a person who named none."""
    from boardzero.models.kinds import champion_player

    return champion_player(game, time="1") or game.traits.players.opponent


def _sits_at_top(state: State, players: Sequence[Player | None]) -> bool:
    """Whether the one person at the board has the pieces at its upper side, as set up."""
    people = [seat for seat, player in enumerate(players) if player is None]
    places = state.game.geometry.places
    start = state.game.start()
    if len(people) != 1 or start.game.geometry.kind != "squares" or not start.pieces():
        return False
    middle = (state.game.geometry.rows - 1) / 2
    rows = [places[piece.cell][0] for piece in start.pieces() if piece.owner == people[0]]
    return bool(rows) and sum(rows) / len(rows) < middle


def _menu(*, as_json: bool) -> str:
    """Let the person choose a game; the first, if there is no answer."""
    from boardzero.cli.terminal_game import ask

    console = screen(json_too=as_json)
    choices = families()
    for number, family in enumerate(choices, start=1):
        about = f"{family.title}: {family.summary}"
        row(console, (str(number), -3, "bold"), (about, 0, ""))
    answer = (ask(console, "Which game? [1] ") or "1").strip()
    if answer.isdecimal() and 1 <= int(answer) <= len(choices):
        return choices[int(answer) - 1].name
    return answer
