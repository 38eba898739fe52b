"""All games that tests run over, as spec strings: the registry says which there are."""

from pathlib import Path

from boardzero.base.specs import Option
from boardzero.games import families, make

EXAMPLES = Path(__file__).parents[2] / "examples"

PYTHON = [
    str(EXAMPLES / "connect_four.py"),
    str(EXAMPLES / "othello.py"),
    f"{EXAMPLES / 'othello.py'}:size=6",
]
OPENSPIEL = [
    "openspiel:tic_tac_toe",
    "openspiel:hex(board_size=5)",
    "openspiel:breakthrough(rows=6,columns=6)",
]


def _values(option: Option) -> list[object]:
    """The ends of the range, or all choices, but for the default."""
    if isinstance(option.default, bool):
        found: list[object] = [False, True]
    elif option.choices:
        found = list(option.choices)
    else:
        found = [int(end) for end in (option.low, option.high) if end is not None]
    return [value for value in found if value != option.default]


SHIPPED = [f for f in families() if f.make.__module__.startswith("boardzero.games.")]
GAMES = [family.name for family in SHIPPED]
DRAUGHTS = [name for name in GAMES if make(name).traits.pdn is not None]

NATIVE = [
    spec
    for family in SHIPPED
    for spec in [
        family.name,
        *(
            f"{family.name}:{option.name}={value}"
            for option in family.options
            for value in _values(option)
        ),
    ]
]

ALL = [*NATIVE, *PYTHON, *OPENSPIEL]


def name(spec: str) -> str:
    """The spec without the folder, for people."""
    return spec.replace(f"{EXAMPLES}/", "")
