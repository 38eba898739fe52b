"""Runs by name or path, and which of their versions are meant."""

from pathlib import Path

import pytest

from boardzero import BoardZeroError
from boardzero.models import find_run, find_version, run_name, spread, version_folders


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where runs are kept: one with versions 0, 3 and 12, and another folder beside it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BOARDZERO_RUNS", str(tmp_path / "kept"))
    for version in ("0000", "0003", "0012", ".0013.draft"):
        (tmp_path / "kept" / "one" / "versions" / version).mkdir(parents=True)
    (tmp_path / "here").mkdir()
    return tmp_path / "kept"


def test_a_run_is_found_by_its_name_or_its_path(home: Path, tmp_path: Path) -> None:
    assert find_run("one") == home / "one"
    assert find_run(str(home / "one")) == home / "one"
    assert find_run("here") == Path("here")
    (home / "here").mkdir()
    assert find_run("here") == home / "here"  # those that are kept come first
    assert find_run("./here") == Path("here")
    for run in (home / "one", tmp_path / "here"):
        assert find_run(run_name(run)) == run


def test_the_latest_version_is_meant_unless_one_is_named(home: Path) -> None:
    assert list(version_folders(home / "one")) == [0, 3, 12]
    assert find_version(home / "one").name == "0012"
    assert find_version(home / "one", 3).name == "0003"
    with pytest.raises(BoardZeroError, match="one has the versions 0 to 12, not 4"):
        find_version(home / "one", 4)
    with pytest.raises(BoardZeroError, match="is not a run with versions"):
        find_version(home / "two")


@pytest.mark.parametrize(
    ("count", "most", "wanted"),
    [(3, 5, [0, 1, 2]), (11, 3, [0, 5, 10]), (7, 4, [0, 2, 4, 6]), (5, 1, [4]), (1, 1, [0])],
)
def test_versions_are_chosen_evenly_apart(count: int, most: int, wanted: list[int]) -> None:
    assert spread(range(count), most) == wanted
