"""One suite for every game: all that are registered, with each choice of their options."""

from collections.abc import Callable
from functools import cache

import pytest

from boardzero import make
from boardzero.games.conformance import PROMISES, Sample, sample
from tests.games import variants


@cache
def _sample(spec: str) -> Sample:
    return sample(make(spec), seed=1)


@pytest.mark.parametrize("spec", variants.ALL, ids=variants.name)
@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
def test_every_game_keeps_its_promises(promise: Callable[[Sample], None], spec: str) -> None:
    promise(_sample(spec))
