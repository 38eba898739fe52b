"""Alpha-beta in Chromium against the portable wheel, in one run: make bench-wasm.

Prints one line of JSON for each game: nodes a second in the page, those of the wheel's portable
core (x86-64-v2) and of its core for AVX2, and the ratios. Each takes turns with the others, and the
best of its turns counts, so that a busy moment of the machine hits nobody alone.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from playwright.sync_api import Page, sync_playwright

PACKAGE = Path(__file__).parent.parent / "web" / "boardzero"
GAMES = ("international", "english", "gomoku")
PLAYER = "alphabeta:nodes=1500000,hash=16,seed=1"
TURNS = 3
NATIVE = """
import sys, boardzero
game = boardzero.make(sys.argv[1])
choice = boardzero.make_player(sys.argv[2], game).choose(game.start())
print(choice.nodes / choice.time)
"""
IN_PAGE = """async ([spec, name]) => {
  const { load } = await import('/dist/index.js');
  const boardzero = await load();
  const game = await boardzero.game(spec);
  const player = await game.player(name);
  const { nodes, time } = await player.choose(await game.start());
  boardzero.close();
  return nodes / time;
}"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def native(core: Path, game: str) -> float:
    """Nodes a second of an unpacked wheel, whose path hides this tree's own build."""
    environment = {**os.environ, "PYTHONPATH": str(core)}
    command = [sys.executable, "-c", NATIVE, game, PLAYER]
    said = subprocess.run(
        command, env=environment, cwd=core, capture_output=True, text=True, check=True
    )
    return float(said.stdout)


def measure(page: Page, portable: Path, avx2: Path) -> None:
    for game in GAMES:
        turns = [
            (page.evaluate(IN_PAGE, [game, PLAYER]), native(portable, game), native(avx2, game))
            for _ in range(TURNS)
        ]
        browser, slow, fast = (max(column) for column in zip(*turns, strict=True))
        print(
            json.dumps(
                {
                    "game": game,
                    "browser": round(browser),
                    "portable": round(slow),
                    "avx2": round(fast),
                    "ratio": round(browser / slow, 3),
                    "ratio_avx2": round(browser / fast, 3),
                }
            )
        )


def main(wheel: Path) -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    handler = partial(Quiet, directory=str(PACKAGE))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        cores = [Path(folder) / name for name in ("portable", "avx2")]
        for core in cores:
            zipfile.ZipFile(wheel).extractall(core)
        shutil.rmtree(cores[0] / "boardzero" / "_x86_64_v3")
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{server.server_port}/example/")
            measure(page, *cores)
            browser.close()
            server.shutdown()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
