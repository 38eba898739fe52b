"""What the package says about itself, each fact in one place."""

import json
import re
import tomllib
from pathlib import Path
from typing import get_args

import yaml

import boardzero
from boardzero.base.extras import Extra
from boardzero.cli import COMMANDS
from boardzero.server.app import STATIC

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
FOR_DEVELOPERS = {"dev", "docs"}


def test_the_version_stands_in_one_file():
    assert PROJECT["dynamic"] == ["version"]
    assert '"version":' not in (ROOT / "web" / "package.json").read_text()


def test_the_package_for_web_pages_is_of_this_version():
    package = json.loads((ROOT / "web" / "boardzero" / "package.json").read_text())
    assert package["version"] == boardzero.__version__


def test_every_extra_can_be_named_by_who_misses_it():
    assert set(get_args(Extra)) == EXTRAS.keys() - {"all"} - FOR_DEVELOPERS


def test_all_brings_every_extra():
    (everything,) = EXTRAS["all"]
    named = everything.partition("[")[2].rstrip("]").split(",")
    named.append("arena")  # which several of them bring
    assert set(named) == EXTRAS.keys() - {"all"} - FOR_DEVELOPERS


def test_readme_has_every_extra():
    table = (ROOT / "README.md").read_text()
    assert all(f"`{extra}`" in table for extra in EXTRAS.keys() - FOR_DEVELOPERS)


def test_the_changelog_describes_this_version():
    assert f"## {boardzero.__version__} " in (ROOT / "CHANGELOG.md").read_text()


def test_the_citation_is_of_this_version():
    assert f"version: {boardzero.__version__}\n" in (ROOT / "CITATION.cff").read_text()


def test_licences_of_all_that_the_page_carries_are_shown():
    told = (STATIC / "licences.txt").read_text()
    bundled = [package["name"] for package in json.loads((STATIC / "bundled.json").read_text())]
    fonts = re.findall(r"node_modules/(@[\w-]+/[\w-]+)", (ROOT / "web/src/app.css").read_text())
    assert bundled
    assert fonts
    assert [name for name in bundled + fonts if f"\n{name}: " not in told] == []


def test_the_compose_file_starts_programs_of_the_package():
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    assert services["page"]["command"][0] in COMMANDS
    assert services["train"]["entrypoint"] == ["boardzero", "train"]
    assert {"head", "worker"} <= services.keys()
    extras = [part for one in services.values() for part in _extras(one.get("build"))]
    assert set(extras) <= EXTRAS.keys()


def _extras(build: object) -> list[str]:
    return build["args"]["EXTRAS"].split(",") if isinstance(build, dict) else []
