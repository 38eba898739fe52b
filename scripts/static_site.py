"""Put the program without a server together: python scripts/static_site.py FOLDER.

The page built for it, the core, and its data become one folder that any static host can serve, with
relative addresses only. Core and data lie in a folder named after their content, so that no cache
ever mixes two builds. The service worker gets the list of files that the program needs at once.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from site_data import write

ROOT = Path(__file__).parent.parent
WEB = ROOT / "web"
CORE = WEB / "boardzero" / "assets"
LATER = ("core/nets/*/*", "core/ort/*", "core/tables/*", "data/drawings.json", "data/recorded.json")


def assemble(target: Path) -> None:
    parts = ROOT / "build" / "site-parts"
    shutil.rmtree(parts, ignore_errors=True)
    write(parts / "data")
    shutil.copytree(CORE, parts / "core")
    name = f"files-{_fingerprint(parts)}"
    environment = os.environ | {"VITE_FILES": name}
    command = ["npm", "run", "--silent", "build:site", "--", "--outDir", str(target.resolve())]
    subprocess.run(command, cwd=WEB, env=environment, check=True, stdout=subprocess.DEVNULL)
    shutil.copytree(parts, target / name)
    shutil.copytree(WEB / "site", target, dirs_exist_ok=True)
    (target / "bundled.json").unlink(missing_ok=True)
    _fill_service_worker(target, name)


def _fill_service_worker(target: Path, name: str) -> None:
    files = [path for path in sorted(target.rglob("*")) if path.is_file() and path.name != "sw.js"]
    later = {path for pattern in LATER for path in (target / name).glob(pattern)}
    needed = [path.relative_to(target).as_posix() for path in files if path not in later]
    listed = ["./", *(path for path in needed if path != "index.html")]
    worker = target / "sw.js"
    text = worker.read_text(encoding="utf-8")
    text = text.replace('"{build}"', json.dumps(_fingerprint(target)))
    worker.write_text(text.replace('"{files}"', json.dumps(listed)), encoding="utf-8")


def _fingerprint(folder: Path) -> str:
    """Of all files below a folder."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:12]


if __name__ == "__main__":
    assemble(Path(sys.argv[1]))
