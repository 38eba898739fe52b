"""Print the packages that building the project and running it with the given extras need.

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
    config = tomllib.loads(pyproject.read_text())
    wanted = config["build-system"]["requires"] + requirements(config["project"], sys.argv[1:])
    print("\n".join(dict.fromkeys(wanted)))
