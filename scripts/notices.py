"""Collect the licences of what the package carries but others made: web/public/licences.txt.

    python scripts/notices.py            # writes that file
    python scripts/notices.py --check    # fails if it says something else

The page shows it, and so it lies in every wheel; tests/test_packaging.py looks whether something
was forgotten.
"""

import sys
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "web" / "public" / "licences.txt"
PAGE = {  # package -> what it is to us
    "@fontsource-variable/fraunces": "a font of the page",
    "@fontsource-variable/instrument-sans": "a font of the page",
    "clsx": "part of the page",
    "svelte": "part of the page",
    "uplot": "part of the page",
}
HEADER = "BoardZero itself is under the MIT licence. It carries, or is compiled with:\n"
LINE = "-" * 80


def notices() -> str:
    """The whole file."""
    found = [(name, role, _of_npm(name)) for name, role in PAGE.items()]
    found.append(("nanobind", "part of the compiled core", _of_nanobind()))
    found.append(("robin-map", "part of the compiled core", _of_robin_map()))
    return "\n".join([HEADER, *(f"{LINE}\n{n}: {r}\n{LINE}\n\n{text}\n" for n, r, text in found)])


def _of_npm(name: str) -> str:
    folder = ROOT / "web" / "node_modules" / name
    path = next(file for file in sorted(folder.iterdir()) if file.stem.lower() == "license")
    return path.read_text(encoding="utf-8").strip()


def _of_nanobind() -> str:
    text = distribution("nanobind").read_text("licenses/LICENSE")
    assert text is not None
    return text.strip()


def _of_robin_map() -> str:
    """It comes with nanobind; its licence stands at the top of its header."""
    header = distribution("nanobind").locate_file("nanobind/ext/robin_map/include/tsl/robin_map.h")
    comment = Path(str(header)).read_text(encoding="utf-8").partition("*/")[0]
    return "\n".join(line.strip(" *") for line in comment.splitlines()[1:]).strip()


if __name__ == "__main__":
    text = notices()
    if sys.argv[1:] != ["--check"]:
        TARGET.write_text(text, encoding="utf-8")
    elif not TARGET.is_file() or TARGET.read_text(encoding="utf-8") != text:
        sys.exit(f"{TARGET.name} is not what the packages say; run: python scripts/notices.py")
