"""How large and how quick the program without a server is: make bench-site.

Prints lines of JSON: bytes of the first load and of each net, compressed; seconds until the first
board is drawn, and from a person's first move until the answer of the level "club", in Chromium
with nothing cached, the best and the median of several visits; and the memory of a page before and
after fifty games.
"""

import gzip
import json
import re
import shutil
import statistics
import sys
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "web" / "boardzero"
VISITS = 5
GAMES = 50
FIRST_BOARD = """() => new Promise((done) => {
  const look = () => {
    const board = document.querySelector('svg.board [data-cell], svg.board [data-piece]');
    if (board) requestAnimationFrame(() => done(performance.now() / 1000));
    else requestAnimationFrame(look);
  };
  look();
})"""
PLAYED = """async ([spec, level, games]) => {
  const { load } = await import('/dist/index.js');
  window.boardzero ??= await load();
  window.game ??= await window.boardzero.game(spec);
  window.player ??= await window.game.player(level);
  for (let i = 0; i < games; ++i) {
    let state = await window.game.start();
    while (!state.outcome) state = await state.play((await window.player.choose(state)).move);
    await window.player.newGame();
  }
}"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def compressed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))


def sizes(site: Path) -> dict[str, object]:
    listed = re.search(r"const FILES = (\[.*?\]);", (site / "sw.js").read_text())
    assert listed is not None
    first = ["index.html", *(name for name in json.loads(listed[1]) if name != "./")]
    later = sorted(site.glob("files-*/core/nets/*/net*")) + sorted(site.glob("files-*/core/ort/*"))
    return {
        "first_load": sum(compressed(site / name) for name in first),
        **{"/".join(path.parts[-2:]): compressed(path) for path in later},
    }


def first_board(page: Page) -> float:
    page.goto("#/play")
    return float(page.evaluate(FIRST_BOARD))


def first_reply(page: Page, game: str, move: str) -> float:
    """From the moment that a move is made; the net was fetched when the game was begun."""
    page.goto(f"#/play?game={game}")
    page.get_by_role("radio", name="Club").check(force=True)
    page.get_by_role("button", name="Start the game").click()
    field = page.get_by_label("Type a move")
    field.fill(move)
    page.wait_for_timeout(2000)  # as a person who looks at the board
    page.evaluate("window.begun = performance.now()")
    field.press("Enter")
    seconds = page.evaluate(
        """() => new Promise((done) => {
          const look = () => {
            const count = document.querySelectorAll('.moves .move').length;
            if (count >= 2) done((performance.now() - window.begun) / 1000);
            else requestAnimationFrame(look);
          };
          look();
        })"""
    )
    return float(seconds)


def visits(browser: Browser, address: str) -> None:
    def seconds(work: object) -> dict[str, float]:
        found = []
        for _ in range(VISITS):
            context = browser.new_context(base_url=address, locale="en-GB")
            found.append(work(context.new_page()))  # type: ignore[operator]
            context.close()
        return {"best": round(min(found), 3), "median": round(statistics.median(found), 3)}

    print(json.dumps({"first_board": seconds(first_board)}), flush=True)
    for game, move in (("english", "11-15"), ("international", "32-28"), ("gomoku", "d4")):
        reply = seconds(partial(first_reply, game=game, move=move))
        print(json.dumps({"first_reply": game, **reply}), flush=True)


def memory(browser: Browser, address: str) -> None:
    """The whole page's, its workers too; a few games first, so that all is there."""
    page = browser.new_page()
    page.goto(f"{address}/example/")
    session = page.context.new_cdp_session(page)

    def used() -> int:
        session.send("HeapProfiler.collectGarbage")
        time.sleep(0.5)
        return int(page.evaluate("performance.memory.usedJSHeapSize"))

    page.evaluate(PLAYED, ["english", "beginner", 3])
    before = used()
    page.evaluate(PLAYED, ["english", "beginner", GAMES])
    print(json.dumps({"games": GAMES, "heap_before": before, "heap_after": used()}), flush=True)


def main(site: Path) -> None:
    print(json.dumps(sizes(site)), flush=True)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for folder, work in ((site, visits), (PACKAGE, memory)):
            handler = partial(Quiet, directory=str(folder))
            with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
                Thread(target=server.serve_forever, daemon=True).start()
                work(browser, f"http://127.0.0.1:{server.server_port}")
                server.shutdown()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
