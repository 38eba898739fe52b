"""Three machines that share nothing but a network lose processes, power and cables; no game."""

from pathlib import Path

import pytest

from tests.chaos.drive import chaos
from tests.chaos.network import why_not


@pytest.mark.slow
@pytest.mark.skipif(bool(why_not()), reason=why_not() or "there is chaos")
def test_a_run_on_machines_that_fail_at_random_loses_nothing(tmp_path: Path) -> None:
    found = chaos(tmp_path, minutes=3, seed=1)
    assert found["versions"] > 1
    assert found["faults"]
