"""Every parser takes work in proportion to its input, on the inputs that are worst for it.

Work is counted, not timed: the lines of Python that are executed. What a regular expression does
within one match is not among them; the fuzzers refuse an input that takes longer than seconds.
"""

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from tests.fuzz.borders import BORDERS

_SIZE = 600  # characters; then twice as many
_MOST = 2.6  # times the work for twice the input: linear is 2, and a quadratic part soon shows

# Repeated until they are long enough: twenty for the formats of files, fewer where lines are short.
_FILES = (
    '[a " ',
    '[a "b"]\n',
    "[a ",
    "(",
    "()",
    "( ",
    ")",
    "{",
    "{}",
    "{a} ",
    "1. ",
    "32-28 ",
    "1. 32-28 19-23 ",
    "$1 ",
    "! ",
    "(1. 32-28 ) ",
    "\\",
    '"',
    "1-0 ",
    "%\n",
)
_SGF = (
    "(;",
    "(;C[",
    "(;C[\\",
    ";",
    ";B[aa]",
    "(;B[aa])",
    "[aa]",
    "C[a]",
    "AB[aa:oo]",
    "AR[aa:bb]",
    "NAG[1]",
    "(",
    ")",
    "\\",
    "]",
    "(;GM[4]SZ[5];B[aa];W[bb])",
    "TR[aa]",
    "V[0.5]",
    "a",
    "\n",
)
_LINES = ('pos pos="', "pos pos=W moves=", "a=", "a=b ", '"', "x" * 9, "ping\n", "level time=1 ")
_POINTS = ("START 15\n", "TURN 7,7\n", "BOARD\n", "1,1,1\n", "INFO rule 0\n", ",", "DONE\n", " ")
_MESSAGES = ("C\0", "M0001322800\0", "R", "\0", "E00\0", "B001W\0", "K0\0", "x")
_SPECS = ("a=", "a=b,", 'a="', "\\", ":", " ", ",", "mcts:c=")
_WORST = {
    "pdn": _FILES,
    "files": (*_FILES, *_SGF),
    "sgf": tuple(f"(;GM[4]SZ[15]{'' if unit[0] in '(;' else ';'}" + unit for unit in _SGF) + _SGF,
    "spec": _SPECS,
    "hub": _LINES,
    "hub-answers": _LINES,
    "gomocup": _POINTS,
    "gomocup-answers": _POINTS,
    "dxp": _MESSAGES,
}


@pytest.mark.parametrize("border", _WORST)
def test_twice_the_input_is_twice_the_work(border: str) -> None:
    read = BORDERS[border]
    for unit in _WORST[border]:
        read(unit.encode())  # what is made once does not count
        short, long = (_lines(read, (unit * (size // len(unit)))) for size in (_SIZE, 2 * _SIZE))
        assert long <= _MOST * short + 500, f"{unit!r}: {short:,} lines, then {long:,}"


def _lines(read: Callable[[bytes], None], text: str) -> int:
    """How many lines of Python are executed, in this thread."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> object:
        nonlocal count
        if "boardzero" not in frame.f_code.co_filename:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        read(text.encode())
    finally:
        sys.settrace(before)
    return count
