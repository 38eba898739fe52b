import json
import os
import re
from contextlib import ExitStack
from typing import Literal

import pytest
from accessible import assert_accessible
from board import cell, click
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect
from served import Server
from websockets.sync.client import connect

PAGES = {
    "new game": "/#/play",
    "study": "/#/study?game=english&moves=11-15 22-18 15x22 25x18 8-11 29-25 4-8 25-22 12-16",
    "puzzles": "/#/puzzles",
    "my games": "/#/games",
    "rules": "/#/rules/international",
    "arena": "/#/arena",
    "learn": "/#/learn",
}


def test_alpha_beta_can_be_asked_about_gomoku(page: Page) -> None:
    page.goto("/#/study?game=gomoku&moves=d4 e5 d5")
    page.get_by_label("Analyst").select_option(label="Alpha-beta")
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.get_by_test_id("candidates").locator("li").first).to_be_visible()


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


def test_a_move_on_the_board_begins_a_variation_and_the_game_stays(page: Page) -> None:
    page.goto("/#/study?game=english&moves=11-15 22-18")
    expect(page.get_by_text("2 / 2")).to_be_visible()
    page.keyboard.press("Home")
    expect(page.get_by_text("0 / 2")).to_be_visible()
    expect(cell(page, "9")).to_have_attribute("aria-label", "9, Black man, can move")
    click(page, "9", "13")
    expect(page.get_by_text("1 / 1")).to_be_visible()
    expect(page.locator(".moves .move")).to_have_text(["11-15", "9-13", "22-18"])


def test_a_position_is_set_up_in_the_editor(page: Page) -> None:
    page.goto("/#/study?game=english")
    page.get_by_role("tab", name="Set up").click()
    page.get_by_role("button", name="Clear the board").click()
    click(page, "10")
    page.get_by_role("button", name="White king").click()
    click(page, "30")
    page.get_by_role("button", name="Use this position").click()
    expect(page.get_by_role("tab", name="Analysis")).to_have_attribute("aria-selected", "true")
    expect(page.locator("[data-piece]")).to_have_count(2)
    page.get_by_role("tab", name="Load").click()
    expect(page.locator(".fen")).to_have_text("B:WK30:B10")


def test_pdn_is_loaded_and_a_bad_one_explained(page: Page) -> None:
    page.goto("/#/study?game=english")
    page.get_by_role("tab", name="Load").click()
    page.get_by_label("A game: PDN, SGF or moves").first.fill("1. 11-15 22-18 2. 15x22 *")
    page.locator("form", has=page.locator("textarea")).get_by_role(
        "button", name="Load", exact=True
    ).click()
    expect(page.get_by_text("3 / 3")).to_be_visible()


def test_a_review_says_in_words_what_was_missed_and_teaches_it(page: Page) -> None:
    # 17-14 10x17 1x3 would have won two for one.
    page.goto("/#/study?game=english&fen=W:WK1,17,21,25,28:B4,6,7,10,20&moves=28-24 20x27")
    page.get_by_role("button", name="Review the game").click()
    missed = page.get_by_test_id("review").locator("li").first
    expect(missed).to_contain_text("17-14", timeout=30000)
    page.get_by_role("button", name="Learn from the mistakes").click()
    lesson = page.get_by_test_id("lesson")
    expect(lesson).to_contain_text("White played 28-24 here. What was better?")
    expect(page.locator(".moves .move")).to_have_count(0)  # the answer is hidden
    expect(page.get_by_text("17-14")).to_have_count(0)
    click(page, "25", "22")
    expect(lesson).to_contain_text("25-22 is answered like this", timeout=15000)
    lesson.get_by_role("button", name="Try again").click()
    expect(lesson).to_contain_text("What was better?")
    click(page, "17", "14")
    expect(lesson).to_contain_text("Yes, 17-14 is good.")
    lesson.get_by_role("button", name="Done").click()
    expect(page.locator(".moves .move").first).to_contain_text("28-24")


def test_findings_stay_whatever_is_played_afterwards(page: Page) -> None:
    page.goto("/#/study?game=english&fen=W:WK1,17,21,25,28:B4,6,7,10,20&moves=28-24 20x27")
    page.get_by_role("button", name="Review the game").click()
    finding = page.get_by_test_id("review").locator("li").first
    expect(finding).to_be_visible(timeout=30000)
    expect(page.get_by_role("button", name="Review the game")).to_be_visible(timeout=15000)
    finding.get_by_role("button", name="Best line").click()
    expect(page.locator(".moves [aria-current]")).to_be_visible()
    expect(finding).to_be_visible()
    expect(page.locator(".moves .move").first).to_contain_text("28-24?")


def test_a_review_goes_on_after_a_restart_of_the_server(page: Page, server: Server) -> None:
    page.goto("/#/study?game=english&fen=W:WK1,17,21,25,28:B4,6,7,10,20&moves=28-24 20x27")
    page.get_by_role("button", name="Review the game").click()
    server.stop()
    expect(page.get_by_text("The server does not answer")).to_be_visible()
    server.start()
    expect(page.get_by_text("The server does not answer")).to_be_hidden(timeout=15000)
    expect(page.get_by_test_id("review").locator("li").first).to_contain_text(
        "17-14", timeout=30000
    )
    expect(page.get_by_role("button", name="Review the game")).to_be_visible(timeout=15000)


def test_positions_are_put_together_only_where_the_game_can_write_them(page: Page) -> None:
    def foreign(route: Route) -> None:
        games = [game | {"editable": False} for game in route.fetch().json()]
        route.fulfill(json=games)

    page.route("**/api/catalog", foreign)
    page.goto("/#/study?game=english")
    expect(page.get_by_role("tab")).to_have_count(3)
    page.get_by_role("tab", name="Load").click()
    expect(page.get_by_label("Position (FEN)")).to_be_visible()


def test_an_analysis_that_must_wait_says_its_place(page: Page, server: Server) -> None:
    request = {"kind": "analyse", "line": {"game": "gomoku"}, "player": "mcts", "seconds": 20}
    with ExitStack() as stack:
        for _ in range(2 + (os.cpu_count() or 1)):
            address = server.address.replace("http", "ws") + "api/analysis"
            stack.enter_context(connect(address)).send(json.dumps(request))
        page.goto("/#/study?game=gomoku")
        page.get_by_role("button", name="Analyse", exact=True).click()
        queue = page.get_by_test_id("queue")
        expect(queue).to_contain_text(re.compile(r"place \d"), timeout=15000)
        expect(page.get_by_test_id("candidates")).to_be_visible(timeout=20000)


def test_stored_games_are_found_by_a_position(page: Page) -> None:
    page.goto("/")
    wish = {"game": "russian", "seats": ["human", "human"]}
    key = page.request.post("/api/games", data=wish).json()["id"]
    page.goto(f"/#/play/{key}")
    page.get_by_label("Type a move").fill("c3-d4")
    page.keyboard.press("Enter")
    expect(page.locator(".moves .move")).to_have_count(1)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Sure?").click()
    expect(page.locator(".result")).to_be_visible()
    page.goto("/#/study?game=russian&moves=c3-d4")
    page.get_by_role("tab", name="Explorer").click()
    expect(page.get_by_text("1 stored game has this position")).to_be_visible()
    page.locator(".found a").first.click()
    expect(page.get_by_text("1 / 1")).to_be_visible()
    expect(page.get_by_test_id("heading")).to_contain_text("human")


def test_any_player_can_be_asked(page: Page) -> None:
    page.goto("/#/study?game=english")
    page.get_by_label("Analyst").select_option(label="Another player …")
    page.get_by_label("Player spec").fill("alphabeta:depth=3,analyse=true")
    page.get_by_role("button", name="Use").click()
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.get_by_text("depth 3")).to_be_visible()


def test_a_small_tournament_is_played_and_replayed(page: Page) -> None:
    page.goto("/#/arena")
    page.get_by_label("Game", exact=True).select_option("gomoku")
    for box in page.get_by_role("checkbox").all()[3:]:
        box.uncheck()
    page.get_by_role("button", name="Start the tournament").click()
    expect(page.locator("[data-state=finished]")).to_be_visible(timeout=60000)
    assert_accessible(page)
    expect(page.get_by_text("wins · draws · losses")).to_be_visible()
    expect(page.locator(".past a").first).to_contain_text("First game, Beginner, Easy")
    expect(page.locator(".past a").first).to_contain_text(re.compile(r"20\d\d"))
    page.locator(".cell button").first.click()
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator(".games a").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator(".games a").first.click()
    expect(page).to_have_url(re.compile("stored="))
    expect(page.locator("svg.board")).to_be_visible()


def test_the_arena_offers_every_option_and_lets_a_bad_player_go(
    browser: Browser, server: Server
) -> None:
    context = browser.new_context(base_url=server.address, locale="en-GB")
    page = context.new_page()
    page.goto("/#/arena")
    page.get_by_label("Game", exact=True).select_option("gomoku")
    page.get_by_label("Size").select_option("15")
    card = page.locator(".form").bounding_box()
    assert card is not None
    for row in page.locator(".check").all():
        box = row.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= card["x"] + card["width"]
    for box in page.get_by_role("checkbox").all()[2:]:
        box.uncheck()
    page.get_by_label("Player spec").fill("nonsense:depth=3")
    page.get_by_role("button", name="Add a player").click()
    page.get_by_role("button", name="Start the tournament").click()
    expect(page.get_by_role("alert")).to_contain_text("nonsense")
    page.get_by_role("button", name="Remove nonsense, depth 3").click()
    expect(page.get_by_text("nonsense, depth 3")).to_have_count(0)
    page.get_by_role("button", name="Start the tournament").click()
    expect(page.locator("[data-state]")).to_be_visible()
    key = page.url.rpartition("/")[2]
    assert page.request.get(f"/api/tournaments/{key}").json()["game"] == "gomoku:size=15"
    page.get_by_role("button", name="Stop").click()
    context.close()


def test_games_that_cannot_be_fetched_are_not_those_of_another_pair(
    browser: Browser, server: Server
) -> None:
    context = browser.new_context(base_url=server.address, locale="en-GB")
    page = context.new_page()
    wish = {"game": "gomoku", "players": ["random", "greedy"], "games": 2}
    key = page.request.post("/api/tournaments", data=wish).json()["id"]
    page.goto(f"/#/arena/{key}")
    expect(page.locator("[data-state=finished]")).to_be_visible(timeout=60000)
    page.locator(".cell button").first.click()
    expect(page.locator(".games a")).to_have_count(2)
    page.route("**/games?*", lambda route: route.fulfill(status=500, json={"detail": "too late"}))
    page.locator(".cell button").last.click()
    expect(page.get_by_text("too late")).to_be_visible()
    expect(page.locator(".games a")).to_have_count(0)
    context.close()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_serious_problem(
    page: Page, name: str, theme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=theme)
    page.goto(PAGES[name])
    expect(page.locator("h1")).to_be_attached()
    page.wait_for_timeout(300)
    assert_accessible(page)


@pytest.mark.parametrize("tab", ["Explorer", "Set up", "Load and export"])
def test_axe_finds_no_serious_problem_behind_a_tab_of_study(page: Page, tab: str) -> None:
    page.goto(PAGES["study"])
    page.get_by_role("tab", name=tab).click()
    assert_accessible(page)


def test_axe_finds_no_serious_problem_in_analysis_and_review(page: Page) -> None:
    page.goto("/#/study?game=english&fen=W:WK1,17,21,25,28:B4,6,7,10,20&moves=28-24")
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_test_id("review")).to_be_visible(timeout=30000)
    page.get_by_role("button", name="Heat map").click()
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.get_by_test_id("candidates")).to_be_visible()
    assert_accessible(page)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("language", ["en-GB", "nl-NL"])
def test_no_page_is_wider_than_a_phone(
    browser: Browser, server: Server, name: str, language: str
) -> None:
    size = ViewportSize(width=360, height=740)
    context = browser.new_context(base_url=server.address, viewport=size, locale=language)
    page = context.new_page()
    page.goto(PAGES[name])
    expect(page.locator("h1")).to_be_attached()
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


def test_axe_finds_no_serious_problem_in_a_game(page: Page) -> None:
    page.goto("/#/play")
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_label("Type a move")).to_be_visible()
    click(page, "32")
    assert_accessible(page)


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
