"""The program without a server: build/site on a plain file server, as a person uses it."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from accessible import assert_accessible
from board import click, moves, play_move
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect
from static import FileServer

import boardzero
from boardzero.games import families

SITE = Path(__file__).parents[2] / "build" / "site"
GAMES = [family.name for family in families() if family.for_strangers]
LEVELS = ("Beginner", "Casual", "Club")
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
PAGES = {
    "new game": "#/play",
    "study": "#/study?game=english&moves=11-15 22-18 15x22 25x18 8-11 29-25 4-8 25-22 12-16",
    "puzzles": "#/puzzles",
    "my games": "#/games",
    "rules": "#/rules/international",
    "arena": "#/arena",
    "learn": "#/learn",
}
LARGEST = 1_500_000  # bytes, compressed: of the first load, and of one game's net

if not (SITE / "index.html").is_file():
    raise pytest.UsageError("tests/web need the built site (make build/site/index.html)")


@pytest.fixture
def files() -> Iterator[FileServer]:
    server = FileServer(SITE)
    yield server
    server.stop()


def visitor(browser: Browser, server: FileServer, size: str = "desktop") -> BrowserContext:
    width, height = SIZES[size]
    return browser.new_context(
        base_url=server.address, viewport=ViewportSize(width=width, height=height), locale="en-GB"
    )


@pytest.fixture(params=["desktop"])
def visit(request: pytest.FixtureRequest, browser: Browser, files: FileServer) -> Iterator[Page]:
    """A fresh visitor; an error in the console, or a request to elsewhere, fails the test."""
    context = visitor(browser, files, request.param)
    trouble: list[str] = []
    context.on(
        "request",
        lambda r: (
            None if r.url.startswith((files.address, "data:", "blob:")) else trouble.append(r.url)
        ),
    )
    page = context.new_page()
    page.on("console", lambda m: trouble.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    yield page
    context.close()
    assert trouble == []


on_both = pytest.mark.parametrize("visit", SIZES, indirect=True)


def begin(page: Page, game: str, level: str) -> None:
    """A game with the first seat for oneself."""
    page.goto(f"#/play?game={game}")
    bars = page.locator(f'.ladder label[title="{level}"]')
    expect(bars.first).to_be_visible()
    for bar in bars.all():
        bar.click()
        expect(bar.get_by_role("radio")).to_be_checked()
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_label("Type a move")).to_be_visible()


def play_to_the_end(page: Page, game: str, most: int = 400) -> None:
    """Any moves by clicks, until the rules say that it is over."""
    for _ in range(most):
        played = moves(page)
        state = boardzero.make(game).replay(played)
        if state.is_over:
            expect(page.locator(".result")).to_be_visible()
            return
        legal = state.moves()
        if state.to_move == 0 and legal[0].path:
            play_move(page, game, legal[len(played) * 7 % len(legal)].path)
        page.wait_for_function(
            "n => document.querySelectorAll('.moves .move').length > n",
            arg=len(played),
            timeout=60_000,
        )
    raise AssertionError("the game does not end")


def test_a_whole_game_is_played_and_kept(visit: Page) -> None:
    begin(visit, "gomoku", "Club")
    play_to_the_end(visit, "gomoku")
    played = moves(visit)
    visit.reload()
    expect(visit.locator(".result")).to_be_visible()
    assert moves(visit) == played
    visit.goto("#/games")
    expect(visit.get_by_test_id("games").locator("li").first).to_contain_text("Gomoku")


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_against_three_levels(visit: Page, game: str, level: str) -> None:
    begin(visit, game, level)
    play_to_the_end(visit, game)


@on_both
def test_a_game_goes_on_after_a_reload(visit: Page) -> None:
    begin(visit, "english", "Beginner")
    click(visit, "11", "15")
    expect(visit.locator(".moves .move")).to_have_count(2)
    before = moves(visit)
    visit.reload()
    expect(visit.locator(".moves .move")).to_have_text(before)
    visit.get_by_role("button", name="Hint").click()
    expect(visit.locator(".arrow").first).to_be_visible(timeout=30_000)


@on_both
def test_analysis_streams(visit: Page) -> None:
    visit.goto("#/study?game=english&moves=11-15 23-19")
    visit.get_by_label("Analyst").select_option(label="Alpha-beta")
    visit.get_by_role("button", name="Analyse", exact=True).click()
    found = visit.get_by_test_id("candidates").locator("li")
    expect(found.first).to_be_visible(timeout=30_000)
    seen = visit.get_by_test_id("effort")
    first = seen.inner_text()
    expect(seen).not_to_have_text(first, timeout=30_000)
    visit.get_by_role("button", name="Stop", exact=True).click()
    expect(visit.get_by_role("button", name="Analyse", exact=True)).to_be_visible()
    assert_accessible(visit)


def test_a_review_says_what_was_missed(visit: Page) -> None:
    # 17-14 10x17 1x3 would have won two for one.
    visit.goto("#/study?game=english&fen=W:WK1,17,21,25,28:B4,6,7,10,20&moves=28-24 20x27")
    visit.get_by_role("button", name="Review the game").click()
    missed = visit.get_by_test_id("review").locator("li").first
    expect(missed).to_contain_text("17-14", timeout=60_000)


def test_what_the_tables_know_is_named(visit: Page) -> None:
    visit.goto("#/study?game=english&fen=B:WK10:B12,K1")
    expect(visit.get_by_test_id("tables")).to_contain_text("Black wins with best play")


@on_both
def test_a_puzzle_is_solved(visit: Page) -> None:
    visit.goto("#/puzzles/english")
    status = visit.get_by_test_id("puzzle")
    expect(status).to_contain_text("to move")
    visit.get_by_role("button", name="Show the solution").click()
    expect(status).to_contain_text("was best", timeout=20_000)


@on_both
def test_every_page_fits_and_is_accessible(visit: Page) -> None:
    for name, address in PAGES.items():
        visit.goto(address)
        expect(visit.locator("h1:visible, svg.board:visible").first).to_be_visible()
        expect(visit.locator(".stale")).to_have_count(0)
        visit.wait_for_timeout(300)  # until what fades in is there
        width = visit.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert width <= 0, f"{name} is too wide by {width}"
        assert_accessible(visit)


def test_what_needs_a_server_says_so_and_shows_what_was_recorded(visit: Page) -> None:
    visit.goto("#/learn")
    expect(visit.locator(".notice").first).to_contain_text("own machine")
    visit.get_by_role("navigation", name="Learn").get_by_role("link").first.click()
    expect(visit.get_by_test_id("versions").locator("li").first).to_be_visible()
    expect(visit.locator(".legend li").first).to_be_visible()
    visit.goto("#/arena")
    expect(visit.locator(".notice").first).to_contain_text("own machine")
    visit.locator(".past a").first.click()
    visit.locator(".cell button").first.click()
    visit.locator(".games a").first.click()
    expect(visit.locator(".moves .move").first).to_be_visible()


def test_all_of_it_is_there_without_a_network(browser: Browser, files: FileServer) -> None:
    context = visitor(browser, files)
    page = context.new_page()
    begin(page, "english", "Beginner")
    click(page, "11", "15")
    expect(page.locator(".moves .move")).to_have_count(2)
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    played = moves(page)
    files.stop()
    page.reload()
    expect(page.locator(".moves .move")).to_have_text(played)
    page.goto("#/study?game=russian")
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.get_by_test_id("candidates").locator("li").first).to_be_visible(timeout=30_000)
    page.goto("#/puzzles/english")
    expect(page.get_by_test_id("puzzle")).to_contain_text("to move")
    context.close()


def test_a_new_build_is_shown_at_once_and_the_old_one_forgotten(
    browser: Browser, tmp_path: Path
) -> None:
    folder = tmp_path / "site"
    shutil.copytree(SITE, folder)
    files = FileServer(folder)
    context = visitor(browser, files)
    page = context.new_page()
    page.goto("")
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    [before] = page.evaluate("caches.keys()")
    index, worker = folder / "index.html", folder / "sw.js"
    index.write_text(index.read_text().replace("<head>", '<head><meta name="build" content="2">'))
    worker.write_text(re.sub(r'BUILD = "\w+"', 'BUILD = "another"', worker.read_text()))
    page.reload()
    assert page.locator("meta[name=build]").get_attribute("content") == "2"
    page.evaluate(
        "navigator.serviceWorker.ready.then((found) => found.update()).then(() => undefined)"
    )
    for _ in range(100):
        kept = page.evaluate("caches.keys()")
        if len(kept) == 1 and kept != [before]:
            break
        page.wait_for_timeout(100)
    assert len(kept) == 1
    assert kept != [before]
    files.stop()
    page.reload()
    assert page.locator("meta[name=build]").get_attribute("content") == "2"
    context.close()


def test_it_can_be_installed(visit: Page) -> None:
    visit.goto("")
    link = visit.locator("link[rel=manifest]").get_attribute("href")
    assert link is not None
    manifest = json.loads((SITE / link).read_text())
    assert manifest["display"] == "standalone"
    assert {icon["sizes"] for icon in manifest["icons"]} >= {"192x192", "512x512"}
    for icon in manifest["icons"]:
        assert (SITE / icon["src"]).is_file()
    session = visit.context.new_cdp_session(visit)
    faults = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [fault["errorId"] for fault in faults] in ([], ["in-incognito"])


def compressed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))


def test_the_first_load_is_small() -> None:
    listed = re.search(r"const FILES = (\[.*?\]);", (SITE / "sw.js").read_text())
    assert listed is not None
    names = [name for name in json.loads(listed[1]) if name != "./"]
    assert sum(compressed(SITE / name) for name in ("index.html", *names)) < LARGEST
    nets = [path for path in SITE.glob("files-*/core/nets/*/*") if path.suffix != ".json"]
    for net in nets:
        assert compressed(net) < LARGEST, net


def test_a_net_is_fetched_when_its_game_is_begun(visit: Page, files: FileServer) -> None:
    visit.goto("#/play?game=english")
    expect(visit.locator("svg.board").first).to_be_visible()
    visit.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    assert not [path for path in files.asked if "/nets/" in path or "/ort/" in path]
    begin(visit, "english", "Club")
    click(visit, "11", "15")
    expect(visit.locator(".moves .move")).to_have_count(2, timeout=60_000)
    fetched = {path for path in files.asked if "/nets/" in path}
    assert fetched
    assert all("/english/" in path for path in fetched)


def test_a_damaged_file_is_a_sentence_and_the_game_goes_on(
    browser: Browser, files: FileServer
) -> None:
    context = visitor(browser, files)
    page = context.new_page()
    page.goto("")
    files.damaged = ("/nets/", "/tables/")
    begin(page, "english", "Champion")
    click(page, "11", "15")
    trouble = page.locator(".notice.bad")
    expect(trouble).to_contain_text(re.compile(r"\w+ \w+"), timeout=60_000)
    assert moves(page) == ["11-15"]
    files.damaged = ()
    page.evaluate("caches.keys().then((names) => Promise.all(names.map((n) => caches.delete(n))))")
    page.reload()
    expect(page.locator(".moves .move")).to_have_count(2, timeout=60_000)
    expect(trouble).to_have_count(0)
    context.close()


def test_a_player_without_memory_is_a_sentence_and_the_game_is_kept(
    browser: Browser, files: FileServer
) -> None:
    context = visitor(browser, files)
    page = context.new_page()
    begin(page, "english", "Beginner")
    page.evaluate(
        """() => new Promise((done) => {
          const opening = indexedDB.open("boardzero");
          opening.onsuccess = () => {
            const store = opening.result.transaction("games", "readwrite").objectStore("games");
            store.getAll().onsuccess = ({ target }) => {
              const [game] = target.result;
              game.seats[1] = "alphabeta:nodes=10,hash=1024";
              store.put(game).onsuccess = done;
            };
          };
        })"""
    )
    page.reload()
    click(page, "11", "15")
    trouble = page.locator(".notice.bad")
    expect(trouble).to_contain_text("for want of memory", timeout=60_000)
    page.reload()
    expect(page.locator(".moves .move")).to_have_text(["11-15"])
    context.close()
