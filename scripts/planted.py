"""Plant mistakes in games and see whether a review finds them.

    python scripts/planted.py                     # all 60 games; goes on where it was stopped
    python scripts/planted.py --family gomoku --games 5 --out /tmp/planted

A quick player plays; now and then its move is replaced by one that a search ten times as deep as
the review's calls bad. The game is reviewed, and every move that the review accuses, and a third of
the others, is checked by the deeper search: one that this calls sound, and no slower on the way to
a forced win, must not be accused.
Everything follows from a game's number. `games.csv` has a line for each game, `errors.csv` one for
each mistake of the review.
"""

import argparse
import csv
import random
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from boardzero.games import State, make
from boardzero.players import Choice, Limit, Player, make_player
from boardzero.study import ReviewStep
from boardzero.study.lines import short
from boardzero.study.reasons import Mistake
from boardzero.study.review import Ask, default_analyst, explain, reviewing, strongest


@dataclass(frozen=True)
class Family:
    """Games that are reviewed alike, and what a search of the review may cost."""

    games: tuple[str, ...]
    nodes: int  # positions that the tactician looks at
    simulations: int  # of an analyst with a net
    tries: int = 10  # moves that are looked at for one to plant
    plies: int = 44  # of a game


FAMILIES = {
    "draughts": Family(("international", "english", "russian", "brazilian", "pool"), 20_000, 150),
    "gomoku": Family(("gomoku", "gomoku:size=15", "gomoku:size=15,rule=renju"), 10_000, 150),
    "chexers": Family(("chexers",), 60, 60, tries=4, plies=32),
}
DEEPER = 10
QUICKER = 6  # the games are played by searches that are so much shorter
GAMES = 20
BAD, SOUND = 0.25, 0.03  # losses of winning chances by the deeper search
PLANTED = 3  # of a game, at most
OFTEN = 0.5  # share of plies at which one is tried to be planted
SHARE = 3  # of the moves that are not accused, one in so many is checked


@dataclass
class Row:
    """What came of one game."""

    family: str
    game: str
    number: int
    plies: int = 0
    planted: int = 0
    found: int = 0  # called a mistake or a blunder
    named: int = 0  # and told why, in words
    sound: int = 0  # by the deeper search, those not checked counted like those that were
    accused: int = 0  # though sound


@dataclass(frozen=True)
class Error:
    """A planted mistake that was missed or not explained, or a sound move that was accused."""

    game: str
    number: int
    kind: str  # missed, unexplained or accused
    fen: str
    move: str
    said: str


class Deep:
    """The search that is ten times as deep as the review's."""

    def __init__(self, player: Player, nodes: int) -> None:
        self._player = player
        self._limit = Limit(nodes=nodes)

    def value(self, state: State, move: str) -> float:
        after = state.after(move)
        outcome = after.outcome()
        if outcome is not None:
            return float(outcome.values[state.to_move])
        found = self._player.choose(after, self._limit)
        return found.value_for(state.to_move, after.to_move, state.game.players) or 0.0

    def wins_late(self, step: ReviewStep) -> bool:
        """Whether the move played wins, and much later than the best one."""
        state, after = step.state, step.state.after(str(step.played))
        best = self._player.choose(state, self._limit)
        reply = () if after.outcome() is not None else self._player.choose(after, self._limit).pv
        moves = step.state.parse(str(step.played)), best.move
        value, top = (self.value(state, move.text) for move in moves)
        return Mistake(
            state, moves[0], after, reply, moves[1], best.pv, value=value, top=top
        ).wins_late

    def losses(self, state: State, moves: list[str]) -> Iterator[float]:
        """Of winning chances, against the best move."""
        best = self._player.choose(state, self._limit).move.text
        top = self.value(state, best)
        for move in moves:
            yield 0.0 if move == best else max(0.0, (top - self.value(state, move)) / 2)


def seeded(spec: str) -> str:
    family = spec.partition(":")[0]
    takes_seed = family in ("alphabeta", "mcts", "zero")
    return f"{spec}{',' if ':' in spec else ':'}seed=1" if takes_seed else spec


def plant(quick: Player, deep: Deep, start: State, family: Family, rng: random.Random) -> set[int]:
    """Plays on from a start; the plies at which a mistake was planted."""
    state, planted = start, set[int]()
    nodes = max(40, family.nodes // QUICKER)
    for _ in range(4 if state.game.traits.must_capture else 2):
        state.play(rng.choice(state.moves()))
    while state.outcome() is None and len(state.history) < family.plies:
        move = quick.choose(state, Limit(nodes=nodes)).move.text
        if len(state.history) > 5 and len(planted) < PLANTED and rng.random() < OFTEN:
            options = [option.text for option in state.moves()]
            options = rng.sample(options, min(family.tries, len(options)))
            for option, loss in zip(options, deep.losses(state, options), strict=True):
                if loss >= BAD:
                    move = option
                    planted.add(len(state.history))
                    break
        state.play(move)
    return planted


def steps_of(
    end: State, family: Family, players: dict[str, Player], analyst: str
) -> Iterator[ReviewStep]:
    """The review, with searches that are bounded by nodes so that it repeats."""
    tactician = strongest(end.game)
    work = reviewing(end, analyst=analyst, tactician=tactician, seconds=1.0)
    answer: Choice | None = None
    while True:
        try:
            asked = work.send(answer)
        except StopIteration:
            return
        answer = None
        if isinstance(asked, Ask):
            nodes = family.nodes if asked.player == tactician else family.simulations
            limit = Limit(nodes=int(nodes * asked.seconds))
            answer = players[asked.player].choose(asked.state, limit)
        else:
            yield asked


def try_game(name: str, number: int) -> tuple[Row, list[Error]]:
    family = FAMILIES[name]
    game = make(family.games[number % len(family.games)])
    rng = random.Random(f"planted {game.spec} {number}")
    row, errors = Row(name, game.spec, number), list[Error]()
    specs = {strongest(game), default_analyst(game)}
    with ExitStack() as stack:

        def player(spec: str) -> Player:
            return stack.enter_context(closing(make_player(seeded(spec), game)))

        deep = Deep(player(strongest(game)), family.nodes * DEEPER)
        end = game.start()
        quick = player(strongest(game))
        planted = plant(quick, deep, end, family, rng)
        row.plies, row.planted = len(end.history), len(planted)
        players = {spec: player(spec) for spec in specs}
        for step in steps_of(end, family, players, default_analyst(game)):
            if step.played is not None and step.verdict is not None:
                judge_step(step, deep, row, errors, was_planted=step.ply in planted)
            elif step.ply in planted:
                errors.append(error_of(row, "missed", step))
    return row, errors


def judge_step(
    step: ReviewStep, deep: Deep, row: Row, errors: list[Error], *, was_planted: bool
) -> None:
    assert step.verdict is not None
    name, reason = step.verdict.name, step.verdict.reason
    if was_planted:
        found = name in ("mistake", "blunder")
        row.found += found
        row.named += found and reason is not None
        if not found or reason is None:
            errors.append(error_of(row, "unexplained" if found else "missed", step))
    elif name is not None or step.ply % SHARE == 0:
        (loss,) = deep.losses(step.state, [str(step.played)])
        if loss < SOUND and not (name is not None and deep.wins_late(step)):
            row.sound += 1 if name is not None else SHARE
            row.accused += name is not None
            if name is not None:
                errors.append(error_of(row, "accused", step))


def error_of(row: Row, kind: str, step: ReviewStep) -> Error:
    loss = f"{step.verdict.loss:.2f} " if step.verdict else ""
    said = loss + explain(step)
    return Error(row.game, row.number, kind, step.state.fen(), short(str(step.played)), said)


def read_rows(path: Path) -> list[Row]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8") as file:
        return [
            Row(row.pop("family"), row.pop("game"), **{key: int(n) for key, n in row.items()})
            for row in csv.DictReader(file)
        ]


def append(path: Path, kind: type[Row] | type[Error], lines: list[Row] | list[Error]) -> None:
    new = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, [field.name for field in fields(kind)], lineterminator="\n")
        if new:
            out.writeheader()
        out.writerows(map(asdict, lines))


def report(rows: list[Row]) -> str:
    columns = ("games", "planted", "found", "named", "sound", "accused")
    text = f"{'family':10}" + "".join(f"{column:>9}" for column in columns) + "\n"
    for name in FAMILIES:
        mine = [row for row in rows if row.family == name]
        planted, found, named, sound, accused = (
            sum(getattr(row, key) for row in mine)
            for key in ("planted", "found", "named", "sound", "accused")
        )
        if mine and planted and sound:
            text += f"{name:10}{len(mine):9}{planted:9}{found / planted:9.1%}{named / planted:9.1%}"
            text += f"{sound:9}{accused / sound:9.2%}\n"
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--family", choices=FAMILIES, action="append")
    parser.add_argument("--games", type=int, default=GAMES, help="of each family")
    parser.add_argument("--out", type=Path, default=Path("docs/results/planted"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    games, mistakes = args.out / "games.csv", args.out / "errors.csv"
    for name in args.family or FAMILIES:
        done = {row.number for row in read_rows(games) if row.family == name}
        for number in range(args.games):
            if number not in done:
                row, errors = try_game(name, number)
                append(mistakes, Error, errors)
                append(games, Row, [row])
                print(report(read_rows(games)), flush=True)


if __name__ == "__main__":
    main()
