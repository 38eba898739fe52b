"""Plug-ins: one that fails to load is named in a sentence, and the rest works."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from boardzero import BoardZeroError, make, make_player
from boardzero.base import plugins
from boardzero.base.plugins import PluginWarning, Registry
from boardzero.games import families
from boardzero.players import player_families, registry
from tests.base.faulty import add_plugins

NOWHERE = "tests.base.nowhere:THING"
WRONG = "tests.base.faulty:FAULTY"


def numbers(group: plugins.Group = "players") -> Registry[int]:
    def accept(_: str, thing: object) -> int:
        return int(str(thing))

    return Registry(group, "number", accept)


def test_what_is_asked_for_and_fails_to_load_is_an_error_that_names_it_and_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add_plugins(monkeypatch, players={"lost": NOWHERE, "wrong": WRONG})
    for name, place, why in [
        ("lost", NOWHERE, "ModuleNotFoundError: No module named 'tests.base.nowhere'"),
        ("wrong", WRONG, "BoardZeroError: 'neither a game nor a player' is not a PlayerFamily"),
    ]:
        sentence = re.escape(f"the player '{name}' ({place}) cannot be loaded: {why}")
        with pytest.raises(BoardZeroError, match=f"^{sentence}$"):
            make_player(name, make("english"))
    assert make_player("random", make("english"))


def test_a_list_warns_of_what_fails_to_load_and_has_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add_plugins(monkeypatch, players={"lost": NOWHERE}, games={"wrong": WRONG})
    with pytest.warns(PluginWarning, match="the player 'lost' .* cannot be loaded"):
        assert {"random", "hub", "net"} <= {family.name for family in player_families()}
    with pytest.warns(PluginWarning, match="the game 'wrong' .* cannot be loaded"):
        assert {"english", "openspiel"} <= {family.name for family in families()}


def test_ours_comes_before_another_package_s_of_the_same_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(registry._families, "_loaded", {})
    add_plugins(monkeypatch, players={"hub": NOWHERE})
    assert registry.player_family("hub").runs_programs


def test_an_unknown_name_is_answered_with_the_nearest_plug_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add_plugins(monkeypatch, players={"seven": NOWHERE})
    with pytest.raises(BoardZeroError, match="unknown number 'sevn'; did you mean 'seven'"):
        numbers()["sevn"]
    assert "seven" in numbers()
    assert "sevn" not in numbers()


@pytest.mark.parametrize("place", [p for group in plugins._TABLE.values() for p in group.values()])
def test_every_plug_in_of_ours_is_where_the_table_says(place: str) -> None:
    module, _, name = place.partition(":")
    code = f"from {module} import {name}; import sys; print('torch' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "False\n"  # what is trained needs it, what is listed does not


def test_the_command_line_says_which_plug_in_it_left_out_and_lists_the_others(
    tmp_path: Path,
) -> None:
    package = tmp_path / "faulty-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Name: faulty\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[boardzero.games]\nfaulty = nowhere:Thing\n")
    code = (
        f"import sys; sys.path.append({str(tmp_path)!r})\n"
        "from boardzero.cli import main; main(['games'])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stderr == (
        "boardzero: the game 'faulty' (nowhere:Thing) cannot be loaded: "
        "ModuleNotFoundError: No module named 'nowhere'\n"
    )
    assert "english" in found.stdout
