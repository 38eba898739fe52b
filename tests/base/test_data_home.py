from pathlib import Path

import pytest

from boardzero.base.data_home import data_home, default_store
from boardzero.store import Store


def test_boardzero_home_wins_over_every_other_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDZERO_HOME", "/data/games")
    monkeypatch.setenv("XDG_DATA_HOME", "/elsewhere")
    assert data_home() == Path("/data/games")


def test_the_users_data_directory_is_the_usual_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BOARDZERO_HOME", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "/elsewhere")
    assert data_home() == Path("/elsewhere/boardzero")


@pytest.mark.parametrize("data", ["", "relative/path"])
def test_without_a_usable_setting_it_is_the_standard_directory(
    monkeypatch: pytest.MonkeyPatch, data: str
) -> None:
    monkeypatch.delenv("BOARDZERO_HOME", raising=False)
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setenv("XDG_DATA_HOME", data)
    assert data_home() == Path("/home/ada/.local/share/boardzero")


def test_a_store_without_a_path_opens_in_the_data_home(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BOARDZERO_HOME", str(tmp_path / "new" / "home"))
    with Store() as store:
        assert store.path == default_store()
    assert default_store().is_file()
