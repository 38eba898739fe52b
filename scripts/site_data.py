"""Write what the page without a server knows beside the core: python scripts/site_data.py FOLDER.

The words of reviews, the puzzles, the parts of which pictures of boards are made, and recorded runs
and tournaments. All of it is said by the program; the page only repeats it.
"""

import json
import re
import sys
from dataclasses import asdict
from pathlib import Path

from boardzero.games import Game, families, make
from boardzero.games.drawing import svg
from boardzero.games.notation.fen import compose
from boardzero.study import words
from boardzero.study.puzzles import games_with_puzzles, puzzles

ROOT = Path(__file__).parent.parent
RECORDED = ROOT / "docs" / "results" / "recorded"
PIECE = re.compile(r'<g transform="translate\(([-\d.]+) ([-\d.]+)\)">(.*)</g>')


def site_data() -> dict[str, object]:
    """The content of every file."""
    return {
        "words.json": review_words(),
        "puzzles.json": {
            spec: [_puzzle(p) for p in puzzles(make(spec))] for spec in games_with_puzzles()
        },
        "drawings.json": drawings(),
        "recorded.json": recorded(),
    }


def review_words() -> dict[str, object]:
    return {
        "numbers": words.NUMBERS,
        "nouns": words.NOUNS,
        "seats": words.SEATS,
        "outcomes": words.OUTCOMES,
        "sentences": words.SENTENCES,
    }


def _puzzle(puzzle: object) -> dict[str, object]:
    data = asdict(puzzle)
    return {name: data[name] for name in ("id", "game", "fen", "solution", "rating", "theme")}


def drawings() -> dict[str, object]:
    """Of every kind of board the empty one and where its cells lie, and every kind of piece."""
    boards: dict[str, object] = {}
    pieces: dict[str, str] = {}
    for game in _boards():
        geometry = game.geometry
        name = f"{geometry.kind} {geometry.rows} {str(game.traits.numbered).lower()}"
        if name not in boards:
            boards[name] = _board(game)
        pieces |= _pieces(game)
    return {"boards": boards, "pieces": pieces}


def _boards() -> list[Game]:
    """A game for every board that the page offers."""
    found = []
    for family in families():
        if family.for_strangers:
            size = next((option for option in family.options if option.name == "size"), None)
            sizes = range(int(size.low), int(size.high) + 1) if size else ()
            found += [make(f"{family.name}:size={n}") for n in sizes] or [make(family.name)]
    return found


def _board(game: Game) -> dict[str, object]:
    start = game.start()
    centres = {}
    lines = []
    for line in svg.draw(start).splitlines():
        if PIECE.fullmatch(line):
            continue
        if line.startswith("<title>"):
            line = "<title>{title}</title>"
        elif line.startswith("<desc>"):
            continue
        elif line == "</svg>":
            lines.append("{pieces}")
        if cell := re.search(r'data-cell="(\d+)"', line):
            centres[cell[1]] = _centre(line)
        lines.append(line)
    return {"board": "\n".join(lines), "centres": centres}


def _centre(shape: str) -> tuple[float, float]:
    """The middle of a cell by its shape."""
    number = {name: float(value) for name, value in re.findall(r' (\w+)="([-\d.]+)"', shape)}
    if "cx" in number:
        return number["cx"], number["cy"]
    if "width" in number:
        return number["x"] + number["width"] / 2, number["y"] + number["height"] / 2
    corners = [
        tuple(map(float, c.split(","))) for c in re.search('points="(.*?)"', shape)[1].split()
    ]
    x, y = (sum(axis) / len(corners) for axis in zip(*corners, strict=True))
    return round(x, 2), round(y, 2)


def _pieces(game: Game) -> dict[str, str]:
    """Each kind of piece of each seat, drawn once."""
    found = {}
    cell = sorted(game.geometry.places)[len(game.geometry.places) // 2]
    for seat, color in enumerate(game.seats):
        for kind in game.traits.pieces:
            text = svg.draw(compose(game, 0, [(cell, seat, kind)]))
            found[f"{color} {kind}"] = PIECE.search(text)[3]
    return found


def recorded() -> dict[str, object]:
    """Runs and tournaments as scripts/record.py has recorded them."""

    def read(kind: str) -> list[object]:
        return [json.loads(path.read_text()) for path in sorted((RECORDED / kind).glob("*.json"))]

    return {"runs": read("runs"), "tournaments": read("tournaments")}


def write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in site_data().items():
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
