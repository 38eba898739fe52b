"""Print what CHANGELOG.md says about a version: python scripts/release_notes.py v0.2.0."""

import re
import sys
from pathlib import Path

CHANGELOG = Path(__file__).parent.parent / "CHANGELOG.md"


def notes(version: str) -> str:
    """The section of a version, without its heading."""
    heading = rf"^## {re.escape(version.removeprefix('v'))} .*?\n(.*?)(?=^## |\Z)"
    found = re.search(heading, CHANGELOG.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    if found is None:
        sys.exit(f"CHANGELOG.md has no section for {version}")
    return found[1].strip()


if __name__ == "__main__":
    print(notes(sys.argv[1]))
