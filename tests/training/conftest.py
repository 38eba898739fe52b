"""What tests of learning share."""

import pytest

from tests.training.scripted import Heard


@pytest.fixture
def heard() -> Heard:
    """What a fleet or a trainer tells."""
    return Heard()
