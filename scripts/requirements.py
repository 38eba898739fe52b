"""Print the packages that the project and the given extras need, one per line.

pip could install them together with the project, but then each change of the C++ code would ask
the package index again.
"""

import re
import sys
import tomllib
from pathlib import Path


def requirements(project: dict, extras: list[str]) -> list[str]:
    """All requirements, with extras that name other extras of the project unfolded."""
    found = list(project["dependencies"])
    for extra in extras:
        for line in project["optional-dependencies"][extra]:
            inner = re.fullmatch(rf"{project['name']}\[(.*)\]", line)
            if inner:
                found += requirements(project | {"dependencies": []}, inner[1].split(","))
            else:
                found.append(line)
    return found


if __name__ == "__main__":
    pyproject = Path(__file__).parent.parent / "pyproject.toml"
    project = tomllib.loads(pyproject.read_text())["project"]
    print("\n".join(requirements(project, sys.argv[1:])))
