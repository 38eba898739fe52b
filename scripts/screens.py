"""Photograph every page at four sizes, light and dark: python scripts/screens.py FOLDER [PAGE...].

Writes one sheet for each page, on which all eight pictures stand side by side. It starts a server
of its own with an empty home, lets it learn gomoku for a moment, plays a small tournament, and
goes through the pages as a visitor.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

SIZES = ((1280, 900), (768, 1024), (390, 844), (844, 390))
THEMES = ("light", "dark")
GAP = 16
SCALE = 0.5
COLORS = 96  # of a sheet: enough for flat areas and soft edges
RECIPE = "gomoku8-nnue"
LINE = "11-15 22-18 15x22 25x18 8-11 29-25 4-8 25-22 12-16 24-20"
MOVES = "32-28 18-23 38-32 12-18 31-27 7-12 43-38 1-7 36-31 20-24 41-36 14-20"


def new_game(page: Page) -> None:
    page.goto("/#/play")
    page.get_by_role("button", name="Start the game").wait_for()


def game(page: Page) -> None:
    wish = {"game": "international", "seats": ["human", "club"], "moves": MOVES.split()}
    key = page.request.post("/api/games", data=wish).json()["id"]
    page.goto(f"/#/play/{key}")
    page.get_by_role("button", name="Hint").wait_for()


def study(page: Page) -> None:
    page.goto(f"/#/study?game=english&moves={LINE}")
    page.get_by_role("button", name="Review the game").click()
    page.get_by_test_id("review").wait_for(timeout=120_000)
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.get_by_test_id("candidates").wait_for(timeout=60_000)
    page.wait_for_timeout(3000)
    stop = page.get_by_role("button", name="Stop", exact=True)
    if stop.is_visible():
        stop.click()


def learn(page: Page) -> None:
    page.goto(f"/#/learn/{RECIPE}")
    page.get_by_test_id("versions").wait_for(timeout=60_000)


def arena(page: Page) -> None:
    wish = {"game": "english", "players": ["random", "greedy", "mcts:rollouts=60"], "games": 4}
    answer = page.request.post("/api/tournaments", data=wish)
    assert answer.ok, answer.text()
    page.goto(f"/#/arena/{answer.json()['id']}")
    page.locator("[data-state=finished]").wait_for(timeout=240_000)
    page.locator(".cell button").first.click()


def puzzles(page: Page) -> None:
    page.goto("/#/puzzles/international")
    page.get_by_test_id("puzzle").wait_for()


def games(page: Page) -> None:
    for count in (2, 4, 6):
        wish = {"game": "english", "seats": ["human", "human"], "moves": LINE.split()[:count]}
        key = page.request.post("/api/games", data=wish).json()["id"]
        page.goto(f"/#/play/{key}")
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Sure?").click()
        page.locator(".result").wait_for()
    page.goto("/#/games")
    page.get_by_test_id("games").locator("li").first.wait_for()


def rules(page: Page) -> None:
    page.goto("/#/rules/international")
    page.locator("svg.board").first.wait_for()


PAGES: dict[str, Callable[[Page], None]] = {
    "new-game": new_game,
    "game": game,
    "study": study,
    "learn": learn,
    "arena": arena,
    "puzzles": puzzles,
    "games": games,
    "rules": rules,
}


@contextmanager
def served(home: Path) -> Iterator[str]:
    environment = os.environ | {"BOARDZERO_HOME": str(home), "BOARDZERO_RUNS": str(home / "runs")}
    program = [sys.executable, "-m", "boardzero"]
    train = [*program, "train", RECIPE, "--minutes", "0.5", "--cores", "1"]
    subprocess.run(train, env=environment, check=True, stdout=subprocess.DEVNULL)
    serve = [*program, "serve", "--port", "0", "--json"]
    with subprocess.Popen(serve, env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield json.loads(server.stdout.readline())["address"]
        server.terminate()


def sheet(page: Page) -> Image.Image:
    """All sizes beside each other, the dark ones below the light ones."""
    rows = []
    for theme in THEMES:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        pictures = []
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(400)
            pictures.append(Image.open(BytesIO(page.screenshot())).convert("RGB"))
        rows.append(pictures)
    across = sum(width for width, _ in SIZES) + GAP * (len(SIZES) + 1)
    tallest = max(height for _, height in SIZES)
    whole = Image.new("RGB", (across, len(rows) * (tallest + GAP) + GAP), "#8a8a8a")
    for row, pictures in enumerate(rows):
        left = GAP
        for picture in pictures:
            whole.paste(picture, (left, GAP + row * (tallest + GAP)))
            left += picture.width + GAP
    return whole


def main(folder: Path, wanted: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with (
        tempfile.TemporaryDirectory() as home,
        served(Path(home)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name in wanted or PAGES:
            page = browser.new_context(base_url=address, locale="en-GB").new_page()
            PAGES[name](page)
            whole = sheet(page)
            size = (round(whole.width * SCALE), round(whole.height * SCALE))
            small = whole.resize(size, Image.Resampling.LANCZOS)
            small.quantize(COLORS).save(folder / f"screens-{name}.png", optimize=True)
            if full := os.environ.get("SCREENS_FULL"):  # to look at closely
                Path(full).mkdir(parents=True, exist_ok=True)
                whole.save(Path(full) / f"{name}.png")
            page.context.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
