"""Mine the puzzles that come with the program, and verify them by the strongest player.

    python scripts/puzzles.py mine english gomoku:size=15 --count 200
    python scripts/puzzles.py verify --seconds 10

Both go on where they were stopped. A puzzle that does not withstand its verification is taken out;
the seconds that it has withstood stand in its line.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from boardzero.base.files import write_file
from boardzero.study.mining import mine, verify
from boardzero.study.puzzles import PUZZLES, file_of, read_puzzles, written


def mine_file(spec: str, count: int, folder: Path) -> None:
    file = file_of(spec, folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    have = read_puzzles(file) if file.exists() else []
    known = {puzzle.id for puzzle in have}
    first = max((puzzle.mined + 1 for puzzle in have), default=0)
    with file.open("a", encoding="utf-8") as out:
        for number, puzzle in enumerate(mine(spec, first), start=first):
            if len(known) >= count:
                break
            if puzzle is None or puzzle.id in known:
                continue
            known.add(puzzle.id)
            out.write(written(puzzle))
            out.flush()
            print(f"{spec}: {len(known)} puzzles of {number + 1} games", flush=True)


def verify_file(file: Path, seconds: float) -> None:
    waiting = [puzzle for puzzle in read_puzzles(file) if puzzle.verified < seconds]
    for done, puzzle in enumerate(waiting, start=1):
        good = verify(puzzle, seconds=seconds)
        # Read again: what was mined meanwhile stays.
        kept = [
            replace(other, verified=seconds) if other.id == puzzle.id else other
            for other in read_puzzles(file)
            if good or other.id != puzzle.id
        ]
        write_file(file, "".join(map(written, kept)))
        verdict = "good" if good else "taken out"
        print(f"{file.stem}: {done} of {len(waiting)}, {verdict}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    mining = commands.add_parser("mine", help="find puzzles in self-play")
    mining.add_argument("games", nargs="+")
    mining.add_argument("--count", type=int, default=200)
    verifying = commands.add_parser("verify", help="let the strongest player try them")
    verifying.add_argument("--seconds", type=float, default=10.0)
    for parser_of in (mining, verifying):
        parser_of.add_argument("--folder", type=Path, default=PUZZLES)
    args = parser.parse_args()
    if args.command == "mine":
        for spec in args.games:
            mine_file(spec, args.count, args.folder)
    else:
        for file in sorted(args.folder.glob("*.jsonl")):
            verify_file(file, args.seconds)


if __name__ == "__main__":
    main()
