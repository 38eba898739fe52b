"""What the package says about itself, each fact in one place."""

import tomllib
from pathlib import Path
from typing import get_args

from boardzero.base.extras import Extra

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]


def test_the_version_stands_in_one_file():
    assert PROJECT["dynamic"] == ["version"]
    assert '"version":' not in (ROOT / "web" / "package.json").read_text()


def test_every_extra_can_be_named_by_who_misses_it():
    assert set(get_args(Extra)) == EXTRAS.keys() - {"all", "dev"}


def test_all_brings_every_extra():
    (everything,) = EXTRAS["all"]
    named = everything.partition("[")[2].rstrip("]").split(",")
    assert {*named, "arena"} == EXTRAS.keys() - {"all", "dev"}  # several of them bring the arena


def test_readme_has_every_extra():
    table = (ROOT / "README.md").read_text()
    assert all(f"`{extra}`" in table for extra in EXTRAS.keys() - {"dev"})
