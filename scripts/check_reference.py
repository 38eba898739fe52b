"""Check that a built site documents every public name: python scripts/check_reference.py FOLDER."""

import sys
import zlib
from importlib import import_module
from pathlib import Path

from references import PACKAGES, home


def documented(site: Path) -> set[str]:
    """Python names that have a place of their own in the site, from its inventory."""
    inventory = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    lines = zlib.decompress(inventory).decode("utf-8").splitlines()
    return {line.split()[0] for line in lines if line.split()[1].startswith("py:")}


def public() -> set[str]:
    """What the packages name in `__all__`, where it is documented."""
    modules = [f"boardzero.{name}".rstrip(".") for name in PACKAGES]
    named = {f"{one}.{name}" for one in modules for name in import_module(one).__all__}
    return {home(name) for name in named} - {"boardzero.__version__"}


if __name__ == "__main__":
    missing = sorted(public() - documented(Path(sys.argv[1])))
    print("\n".join(f"{name} is not in the reference" for name in missing) or "all names are there")
    sys.exit(1 if missing else 0)
