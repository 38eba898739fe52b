"""Mine the puzzles that come with the program, and verify them by the strongest player.

    python scripts/puzzles.py mine english gomoku:size=15 --count 200
    python scripts/puzzles.py mine english --played evening.pdn
    python scripts/puzzles.py verify --seconds 10
    python scripts/puzzles.py verify english --seconds 10 --player alphabeta:run=english-nnue

Self-play has no end; with `--played` the games of a file are looked through instead. Everything
goes on where it was stopped. A puzzle that does not withstand its verification is taken out; the
seconds that it has withstood, and whose they were, stand in its line.
"""

import argparse
from collections.abc import Iterable
from itertools import zip_longest
from pathlib import Path

from boardzero.base.files import write_file
from boardzero.games import load_trees
from boardzero.study.mining import mine, mine_games, verify
from boardzero.study.puzzles import PUZZLES, Puzzle, file_of, read_puzzles, written


def mine_file(spec: str, count: int, folder: Path, played: Path | None) -> None:
    file = file_of(spec, folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    have = read_puzzles(file) if file.exists() else []
    known = {puzzle.id for puzzle in have}
    first = max((puzzle.mined + 1 for puzzle in have), default=0)
    found: Iterable[Puzzle | None]
    if played is not None:
        found = mine_games(tree.end().state() for tree in load_trees(played, spec))
    else:
        found = mine(spec, first)
    with file.open("a", encoding="utf-8") as out:
        for number, puzzle in enumerate(found, start=1):
            if puzzle is not None and puzzle.id not in known:
                known.add(puzzle.id)
                out.write(written(puzzle))
                out.flush()
                print(f"{spec}: {len(known)} puzzles, {number} games", flush=True)
            if len(known) >= count:
                break


def verify_files(files: list[Path], seconds: float, player: str | None) -> None:
    """One of each file in turn, so that stopping early is fair to all games."""
    waiting = [
        [(file, puzzle) for puzzle in read_puzzles(file) if _waits(puzzle, seconds, player)]
        for file in files
    ]
    turns = [pair for turn in zip_longest(*waiting) for pair in turn if pair is not None]
    for done, (file, puzzle) in enumerate(turns, start=1):
        good = verify(puzzle, seconds=seconds, player=player)
        # Read again: what was mined meanwhile stays.
        kept = [good if other.id == puzzle.id else other for other in read_puzzles(file)]
        write_file(file, "".join(written(other) for other in kept if other is not None))
        verdict = "taken out" if good is None else f"good, by {good.gap:.0%}"
        print(f"{done} of {len(turns)}: {file.stem} {puzzle.id} {verdict}", flush=True)


def _waits(puzzle: Puzzle, seconds: float, player: str | None) -> bool:
    return puzzle.verified < seconds or (player is not None and puzzle.verifier != player)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    mining = commands.add_parser("mine", help="find puzzles in games")
    mining.add_argument("games", nargs="+")
    mining.add_argument("--count", type=int, default=200)
    mining.add_argument("--played", type=Path, help="a file of games, instead of self-play")
    verifying = commands.add_parser("verify", help="let the strongest player try them")
    verifying.add_argument("games", nargs="*", help="all that have puzzles if none is named")
    verifying.add_argument("--seconds", type=float, default=10.0)
    verifying.add_argument("--player", help="instead of the game's strongest one")
    for parser_of in (mining, verifying):
        parser_of.add_argument("--folder", type=Path, default=PUZZLES)
    args = parser.parse_args()
    if args.command == "mine":
        for spec in args.games:
            mine_file(spec, args.count, args.folder, args.played)
    else:
        files = [file_of(spec, args.folder) for spec in args.games]
        verify_files(files or sorted(args.folder.glob("*.jsonl")), args.seconds, args.player)


if __name__ == "__main__":
    main()
