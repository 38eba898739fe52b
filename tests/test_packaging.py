"""What the package says about itself, each fact in one place."""

import json
import re
import subprocess
import sys
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


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_every_action_of_a_workflow_is_pinned_by_its_hash():
    used = [one for path in WORKFLOWS for one in re.findall(r"uses: (.*)", path.read_text())]
    assert len(used) > 10
    assert [one for one in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", one)] == []


def test_workflows_call_targets_that_there_are():
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    called = {word for path in WORKFLOWS for word in re.findall(r"make ([\w-]+)", path.read_text())}
    assert {"test", "test-all", "test-oldest", "docs", "sanitize"} <= called <= set(targets)


def test_a_release_tells_what_the_changelog_says_of_its_version():
    def notes(version: str) -> subprocess.CompletedProcess[str]:
        script = [sys.executable, ROOT / "scripts" / "release_notes.py", version]
        return subprocess.run(script, capture_output=True, text=True, check=False)

    told = notes(f"v{boardzero.__version__}")
    assert "### Added" in told.stdout
    assert told.stdout.strip() in (ROOT / "CHANGELOG.md").read_text()
    assert notes("v0.0.9").returncode != 0


def test_commits_are_checked_as_make_check_does():
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    assert [hook["entry"] for hook in hooks] == ["make format", "make check"]


def test_everything_that_ages_is_looked_after():
    updates = yaml.safe_load((ROOT / ".github" / "dependabot.yml").read_text())["updates"]
    looked_after = {one["package-ecosystem"] for one in updates}
    assert looked_after == {"github-actions", "pip", "npm", "docker"}
