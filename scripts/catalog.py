"""Write what the JavaScript package must know of games and players beside the rules.

    python scripts/catalog.py web/boardzero/assets

Writes `catalog.json`, and lays the endgame tables, the champions, what evaluates residual nets if
one of them is such a net, and the licences of what is compiled into the core beside it. All facts
are asked of the registries: a game with other options has other facts, so every choice of options
is asked for, and equal answers are kept once.
"""

import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import distribution
from importlib.util import find_spec
from itertools import product
from pathlib import Path

from boardzero.base.errors import BoardZeroError
from boardzero.base.specs import Option, Spec, parse_spec
from boardzero.games import Family, Game, families, make
from boardzero.games.tablebase import files
from boardzero.models import champion, read_model
from boardzero.models.kinds import champion_player
from boardzero.models.sparse import NET_FILE
from boardzero.players import PlayerFamily, player_families
from boardzero.players.level import Level, levels, unmeasured_levels
from boardzero.players.mcts import C_HEURISTIC, ROLLOUTS, C
from boardzero.players.time_management import CLOCK, REPORT_SECONDS

ROOT = Path(__file__).parent.parent

# What the core plays by itself. A model is named by the address of its net there.
PLAYERS = (
    *("random", "greedy", "minimax", "maxn", "paranoid", "brs"),
    *("alphabeta", "mcts", "alphachexers", "zero"),
)
ELSEWHERE = {"run", "version", "threads", "tablebase"}  # options that a page does not have
MOST_TABLE_PIECES = 3
NETS = "nets"
RUNTIME = ROOT / "web" / "node_modules" / "onnxruntime-web"
RUNTIME_FILES = {  # a plain file server may not know what .mjs is
    "ort.wasm.bundle.min.mjs": "ort.js",
    "ort-wasm-simd-threaded.wasm": "ort-wasm-simd-threaded.wasm",
}
LIBRARIES = ("musl/COPYRIGHT", "wasi/LICENSE", "wasi/libc-bottom-half/cloudlibc/LICENSE")

# A page has less room than a program: megabytes as a rule and at most.
DEFAULTS = {"memory": 64}
HIGHEST = {"memory": 1024, "hash": 1024}


class Kept(list[object]):
    """Values, each once; `at` gives a value's place."""

    def at(self, value: object) -> int:
        if value not in self:
            self.append(value)
        return self.index(value)


def catalog() -> dict[str, object]:
    """The whole file."""
    infos, geometries = Kept(), Kept()
    return {
        "games": [
            {
                "name": family.name,
                "title": family.title,
                "summary": family.summary,
                "options": [_option(option) for option in family.options],
                "variants": {
                    game.spec: infos.at(_info(game, geometries)) for game in _variants(family)
                },
                "tables": sorted(n for n in files(make(family.name)) if n <= MOST_TABLE_PIECES),
            }
            for family in _families()
        ],
        "infos": infos,
        "geometries": geometries,
        "players": [_player(family) for family in player_families() if family.name in PLAYERS],
        "thinking": {
            "exploration": {"rollout": C, "evaluation": C_HEURISTIC},
            "rollouts": ROLLOUTS,
            "report_seconds": REPORT_SECONDS,
            "clock": asdict(CLOCK),
        },
    }


def copy_files(assets: Path) -> None:
    """The endgame tables and champions that the catalogue names."""
    for name in ("tables", NETS, "ort"):
        shutil.rmtree(assets / name, ignore_errors=True)
        (assets / name).mkdir(parents=True)
    for family in _families():
        for pieces, path in files(make(family.name)).items():
            if pieces <= MOST_TABLE_PIECES:
                shutil.copyfile(path, assets / "tables" / path.name)
        for game in _variants(family):
            folder = champion(game)
            if folder is not None:
                _copy_champion(folder, assets)
    (assets / "licences.txt").write_text(licences(), encoding="utf-8")


def _copy_champion(folder: Path, assets: Path) -> None:
    """Its card, in the words of today, and its exact nets; quicker ones are not so in a page."""
    target = assets / NETS / folder.name
    target.mkdir(exist_ok=True)
    card = read_model(folder)
    (target / "card.json").write_text(card.model_dump_json() + "\n")
    for net in card.nets:
        shutil.copyfile(folder / net.file, target / net.file)
    if not _is_sparse(folder):
        for name, target_name in RUNTIME_FILES.items():
            shutil.copyfile(RUNTIME / "dist" / name, assets / "ort" / target_name)
        # Its own archive has none; the same program for Python has.
        for name in ("LICENSE", "ThirdPartyNotices.txt"):
            text = distribution("onnxruntime").locate_file(f"onnxruntime/{name}")
            shutil.copyfile(str(text), assets / "ort" / name)


def licences() -> str:
    """Our own, and those of the C library, which is compiled into the core."""
    [compiler] = find_spec("ziglang").submodule_search_locations  # type: ignore[union-attr, misc]
    texts = [ROOT / "LICENSE", *(Path(compiler) / "lib" / "libc" / name for name in LIBRARIES)]
    return f"\n{'-' * 80}\n\n".join(path.read_text(encoding="utf-8") for path in texts)


def _families() -> list[Family]:
    """Those of the core: others need a package."""
    return [family for family in families() if not family.needs]


def _variants(family: Family) -> Iterator[Game]:
    """The game with every choice of options that its rules allow."""
    choices = [[(option.name, value) for value in _values(option)] for option in family.options]
    for chosen in product(*choices):
        try:
            yield make(str(Spec(family.name, dict(chosen))))
        except BoardZeroError:
            continue


def _values(option: Option) -> list[str]:
    if option.choices:
        return list(option.choices)
    if isinstance(option.default, int) and option.low is not None and option.high is not None:
        return [str(n) for n in range(int(option.low), int(option.high) + 1)]
    raise AssertionError(f"nobody can try all values of {option.name}")


def _info(game: Game, geometries: Kept) -> dict[str, object]:
    traits, players = game.traits, game.traits.players
    folder = champion(game)
    return {
        "title": game.title,
        "geometry": geometries.at(_geometry(game)),
        "levels": [asdict(level) for level in _levels(game)],
        "champion": None if folder is None else _champion(folder),
        "counters": [asdict(counter) for counter in traits.counters],
        "composer": (
            {"kind": type(traits.composer).__name__, **asdict(traits.composer)}  # type: ignore[call-overload]
            if traits.composer is not None
            else None
        ),
        "traits": {
            "seats": traits.seats,
            "numbered": traits.numbered,
            "must_capture": traits.must_capture,
            "largest_capture": traits.largest_capture,
            "pdn": None if traits.pdn is None else asdict(traits.pdn),
            "sgf": traits.sgf,
            "editable": traits.composer is not None,
            "pieces": traits.pieces,
            "text": traits.text or game.name,
            "diagrams": [asdict(diagram) for diagram in traits.diagrams],
            "analysts": [spec for spec in _analysts(game) if _plays(spec)],
            "tactician": players.tactician or players.analysts[0],
        },
    }


def _geometry(game: Game) -> dict[str, object]:
    geometry = game.geometry
    heading = dict(zip(game.seats, game.traits.goals, strict=False))
    return {
        "kind": geometry.kind,
        "rows": geometry.rows,
        "columns": geometry.columns,
        "cells": [
            {
                "cell": cell,
                "row": row,
                "column": column,
                "label": geometry.labels[cell],
                "goal_of": [seat for seat, cells in heading.items() if cell in cells],
            }
            for cell, (row, column) in geometry.places.items()
        ],
    }


def _champion(folder: Path) -> dict[str, object]:
    place = f"{NETS}/{folder.name}/"
    return {"folder": place, "sparse": place + NET_FILE if _is_sparse(folder) else None}


def _analysts(game: Game) -> tuple[str, ...]:
    """As the server offers them: the champion first."""
    own = champion_player(game)
    return (*(() if own is None else (own,)), *game.traits.players.analysts)


def _levels(game: Game) -> list[Level]:
    """As measured; by hand where the core does not play the champion, or none of them."""
    *below, champion = levels(game)
    if not all(_plays(level.spec) for level in below):
        return unmeasured_levels(game)
    if not _plays(champion.spec):
        champion = Level(champion.name, game.traits.players.ladder[-1])
    return [*below, champion]


def _plays(spec: str) -> bool:
    return parse_spec(spec).name in PLAYERS


def _is_sparse(folder: Path) -> bool:
    return read_model(folder).nets[0].file == NET_FILE


def _player(family: PlayerFamily) -> dict[str, object]:
    return {
        "name": family.name,
        "summary": family.summary,
        "options": [_option(o) for o in family.options if o.name not in ELSEWHERE],
        "seats": family.seats,
    }


def _option(option: Option) -> dict[str, object]:
    return {
        "name": option.name,
        "default": DEFAULTS.get(option.name, option.default),
        "kind": type(option.default).__name__,
        "help": option.help,
        "choices": option.choices,
        "low": option.low,
        "high": HIGHEST.get(option.name, option.high),
        "ends_only": option.ends_only,
    }


if __name__ == "__main__":
    assets = Path(sys.argv[1])
    copy_files(assets)
    text = json.dumps(catalog(), separators=(",", ":"), ensure_ascii=False)
    (assets / "catalog.json").write_text(text + "\n")
