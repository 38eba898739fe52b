"""Plug-ins as other packages would add them, good ones and bad ones."""

import pytest

from boardzero.base import plugins


def add_plugins(monkeypatch: pytest.MonkeyPatch, **groups: dict[str, str]) -> None:
    """Let packages have these entry points: for each group names and places."""
    monkeypatch.setattr(plugins, "_entry_points", lambda group: groups.get(group, {}))


FAULTY = "neither a game nor a player"
