"""Mine and verify the puzzles that come with the program: `python scripts/puzzles.py english 200`.

Goes on where it was stopped: what is verified is in the file already.
"""

import sys
from pathlib import Path

from boardzero.study.puzzles import PUZZLES, file_of, mine, verify, written


def main(spec: str, wanted: int, seconds: float, seed: int, folder: Path) -> None:
    file = file_of(spec, folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    have = file.read_text().splitlines() if file.exists() else []
    with file.open("a") as out:
        for tried, puzzle in enumerate(mine(spec, seed=seed, wanted=10 * wanted), start=1):
            if len(have) >= wanted:
                break
            line = written(puzzle)
            if line[:25] not in {known[:25] for known in have} and verify(puzzle, seconds=seconds):
                have.append(line)
                out.write(line)
                out.flush()
            print(spec, tried, "tried,", len(have), "kept", flush=True)


if __name__ == "__main__":
    spec, wanted = sys.argv[1], int(sys.argv[2])
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 10.0
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    folder = Path(sys.argv[5]) if len(sys.argv) > 5 else PUZZLES
    main(spec, wanted, seconds, seed, folder)
