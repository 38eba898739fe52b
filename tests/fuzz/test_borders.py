"""What strangers send is read or refused in a sentence: a kept corpus, and a minute of new ones."""

import importlib.util
import os

import pytest

from tests.fuzz import corpus
from tests.fuzz.borders import BORDERS
from tests.fuzz.explore import NATIVE, PYTHON, command, explore

_SECONDS = 60  # for all borders together


def test_every_border_has_a_corpus() -> None:
    assert set(PYTHON) == set(BORDERS)
    assert all(corpus.inputs(border) for border in (*PYTHON, *NATIVE))


@pytest.mark.parametrize("border", PYTHON)
def test_the_kept_inputs_are_read_or_refused(border: str) -> None:
    for data in corpus.inputs(border):
        BORDERS[border](data)


@pytest.mark.slow
@pytest.mark.parametrize("border", [*PYTHON, *NATIVE])
def test_new_inputs_are_read_or_refused(border: str) -> None:
    if border in NATIVE and not os.access(command(border)[0], os.X_OK):
        pytest.skip("the fuzzers of the core are built by `make fuzzers`, which needs clang")
    if border in PYTHON and importlib.util.find_spec("atheris") is None:
        pytest.skip("atheris is not installed: it has no package for this Python")
    seconds = max(1, _SECONDS // len(PYTHON + NATIVE))
    assert explore(border, seconds=seconds) > len(corpus.inputs(border))
