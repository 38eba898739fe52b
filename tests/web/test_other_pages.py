import json
import re
from pathlib import Path

import pytest
from board import cell, click, moves
from playwright.sync_api import Page, expect

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = {
    "new game": "/#/play",
    "study": "/#/study?game=english&moves=11-15 22-18",
    "arena": "/#/arena",
    "learn": "/#/learn",
}


def test_analysis_streams_onto_the_board(page: Page) -> None:
    page.goto("/#/study?game=gomoku&moves=d4 e5 d5")
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.get_by_test_id("candidates").locator("li").first).to_be_visible()
    expect(page.locator(".arrow").first).to_be_visible()
    page.get_by_role("button", name="Heat map").click()
    expect(page.locator(".heat").first).to_be_visible()


def test_arrow_keys_go_through_a_line(page: Page) -> None:
    page.goto("/#/study?game=english&moves=11-15 22-18 15x22")
    expect(page.get_by_text("3 / 3")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("1 / 3")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator("[data-piece]")).to_have_count(23)


def test_a_move_on_the_board_begins_a_new_line(page: Page) -> None:
    page.goto("/#/study?game=english&moves=11-15 22-18")
    expect(page.get_by_text("2 / 2")).to_be_visible()
    page.keyboard.press("Home")
    expect(page.get_by_text("0 / 2")).to_be_visible()
    click(page, "9", "13")
    expect(page.get_by_text("1 / 1")).to_be_visible()
    assert moves(page) == ["9-13"]


def test_a_position_is_set_up_in_the_editor(page: Page) -> None:
    page.goto("/#/study?game=english")
    page.get_by_role("tab", name="Set up").click()
    page.get_by_role("button", name="Clear the board").click()
    click(page, "10")
    page.get_by_role("button", name="White king").click()
    click(page, "30")
    page.get_by_role("button", name="Use this position").click()
    expect(page.locator("[data-piece]")).to_have_count(2)
    page.get_by_role("tab", name="Load").click()
    expect(page.locator(".fen")).to_have_text("B:WK30:B10")


def test_pdn_is_loaded_and_a_bad_one_explained(page: Page) -> None:
    page.goto("/#/study?game=english")
    page.get_by_role("tab", name="Load").click()
    page.get_by_label("Moves or a game (PDN)").first.fill("1. 11-15 22-18 2. 15x22 *")
    page.locator("form", has=page.locator("textarea")).get_by_role(
        "button", name="Load", exact=True
    ).click()
    expect(page.get_by_text("3 / 3")).to_be_visible()


def test_a_review_says_in_words_what_was_missed(page: Page) -> None:
    # 22-17 hands over a man for nothing.
    page.goto("/#/study?game=english&moves=11-15 22-17 15-19 24x15 10x19 23x16 12x19")
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_role("progressbar")).to_be_hidden(timeout=30000)
    expect(page.get_by_test_id("review")).to_be_attached()


def test_a_small_tournament_is_played_and_replayed(page: Page) -> None:
    page.goto("/#/arena")
    page.locator(".form select").select_option("gomoku")
    for box in page.get_by_role("checkbox").all()[2:]:
        box.uncheck()
    page.get_by_role("button", name="Start the tournament").click()
    expect(page.locator("[data-state=finished]")).to_be_visible(timeout=60000)
    page.locator(".cell button").first.click()
    page.locator(".games a").first.click()
    expect(page).to_have_url(re.compile("stored="))
    expect(page.locator("svg.board")).to_be_visible()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_serious_problem(page: Page, name: str, theme: str) -> None:
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    page.goto(PAGES[name])
    expect(page.locator("h1")).to_be_attached()
    page.wait_for_timeout(300)
    _assert_accessible(page)


def test_axe_finds_no_serious_problem_in_a_game(page: Page) -> None:
    page.goto("/#/play")
    page.get_by_role("button", name="Start the game").click()
    expect(cell(page, "32")).to_be_visible()
    click(page, "32")
    _assert_accessible(page)


def test_the_page_paints_within_a_second_and_is_small(page: Page) -> None:
    sizes: list[int] = []
    page.on(
        "response", lambda response: sizes.append(int(response.headers.get("content-length", 0)))
    )
    page.goto("/")
    expect(page.locator("h1")).to_be_visible()
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    assert paint < 1000
    assert sum(sizes) < 200_000


def _assert_accessible(page: Page) -> None:
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    serious = {
        violation["id"]: [node["html"][:160] for node in violation["nodes"][:3]]
        for violation in found
        if violation["impact"] in ("serious", "critical")
    }
    assert not serious, json.dumps(serious, indent=1)


@pytest.mark.slow
def test_a_training_is_started_watched_stopped_and_played_against(page: Page) -> None:
    pytest.importorskip("torch")
    page.goto("/#/learn")
    page.locator("form select").select_option("wang-gomoku-quick")
    page.get_by_label("Minutes").fill("1")
    page.get_by_role("button", name="Start training").click()
    expect(page.get_by_role("progressbar")).to_be_visible(timeout=60000)
    version = page.get_by_role("button", name="0", exact=True)
    expect(version).to_be_visible(timeout=60000)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("progressbar")).to_be_hidden(timeout=60000)
    version.click()
    expect(page.locator("svg.board")).to_be_visible()
    click(page, "d4")
    expect(page.locator(".moves .move")).to_have_count(2, timeout=20000)
