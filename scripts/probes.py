"""Make the probes that come with the program, or larger sets of them.

    python scripts/probes.py gomoku gomoku:size=15 --each 2
    python scripts/probes.py gomoku:size=15 --each 20 --folder many

The same seed makes the same probes. `boardzero probe PLAYER --game GAME --file FILE` asks those of
a file.
"""

import argparse
from collections import Counter
from pathlib import Path

from boardzero.base.files import write_file
from boardzero.probes.making import make_probes, mixed
from boardzero.probes.probe import FILES, Probe, file_of, written


def make_file(spec: str, *, each: int, seed: int, folder: Path) -> None:
    probes: dict[str, Probe] = {}
    for probe in make_probes(spec, each=each, seed=seed):
        probes.setdefault(probe.fen, probe)
        if len(probes) % 10 == 0:
            print(f"{spec}: {len(probes)}, {probe.theme}", flush=True)
    write_file(file_of(spec, folder), "".join(map(written, mixed([*probes.values()]))))
    print(f"{spec}: {dict(Counter(probe.theme for probe in probes.values()))}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="+")
    parser.add_argument("--each", type=int, default=2, help="probes of each slice")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=FILES)
    args = parser.parse_args()
    for spec in args.games:
        make_file(spec, each=args.each, seed=args.seed, folder=args.folder)


if __name__ == "__main__":
    main()
