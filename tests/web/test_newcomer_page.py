"""The tasks of docs/newcomer.md that are done on the page, by a person who follows its words."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from board import click
from playwright.sync_api import Page, expect

TEXT = (Path(__file__).parents[2] / "docs" / "newcomer.md").read_text()
ON_THE_PAGE = TEXT.partition("## On the page")[2]
TITLES = dict(re.findall(r"^### (\d+)\. ([^\n]+)$", ON_THE_PAGE, re.MULTILINE))


def go_to(page: Page, name: str) -> None:
    page.goto("/")
    page.get_by_role("navigation").get_by_role("link", name=name).click()


def begin(page: Page) -> None:
    go_to(page, "Play")
    page.locator("label.game", has_text="English draughts").click()
    page.get_by_role("radio", name="Beginner").check(force=True)
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_role("button", name="Resign")).to_be_visible()  # the game's own page
    click(page, "11", "15")
    expect(page.locator(".moves .move")).to_have_count(2)


def resign(page: Page) -> None:
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Sure?").click()
    expect(page.locator(".result")).to_be_visible()


def ask_for_a_hint(page: Page) -> None:
    begin(page)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".arrow").first).to_be_visible(timeout=15000)
    resign(page)


def look_again(page: Page) -> None:
    begin(page)
    resign(page)
    go_to(page, "Play")
    page.get_by_role("link", name="My games").click()
    page.get_by_test_id("games").locator("li a").first.click()
    expect(page).to_have_url(re.compile("study"))
    expect(page.locator(".moves .move").first).to_have_text("11-15")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.get_by_test_id("candidates").locator("li").first).to_be_visible(timeout=15000)
    expect(page.locator(".arrow").first).to_be_visible()


def solve_a_puzzle(page: Page) -> None:
    go_to(page, "Puzzles")
    status = page.get_by_test_id("puzzle")
    expect(status).to_contain_text("to move")
    page.get_by_role("button", name="Show the solution").click()
    expect(status).to_contain_text("was best")


def read_the_rules(page: Page) -> None:
    go_to(page, "Study")
    page.get_by_role("link", name="Rules of this game").click()
    expect(page.locator("h1")).to_contain_text("Rules")
    expect(page.locator("svg.board").first).to_be_visible()


def let_players_compete(page: Page) -> None:
    go_to(page, "Arena")
    page.locator(".form select").first.select_option("gomoku")
    for box in page.get_by_role("checkbox").all()[3:]:
        box.uncheck()
    page.get_by_role("button", name="Start the tournament").click()
    expect(page.locator("[data-state=finished]")).to_be_visible(timeout=60000)
    page.locator(".cell button").first.click()
    expect(page.locator(".games a").first).to_be_visible()


def watch_it_learn(page: Page) -> None:
    go_to(page, "Learn")
    page.get_by_role("link", name="first").click()
    expect(page.locator(".legend li").first).to_be_visible()
    expect(page.get_by_test_id("versions").locator("li").first).to_be_visible()


TASKS: dict[str, Callable[[Page], None]] = {
    "Begin a game": begin,
    "Ask for a hint, and give up": ask_for_a_hint,
    "Look at the game again": look_again,
    "Solve a puzzle": solve_a_puzzle,
    "Read the rules": read_the_rules,
    "Let players compete": let_players_compete,
    "Watch it learn": watch_it_learn,
}


def test_every_task_is_done_here() -> None:
    assert list(TITLES.values()) == list(TASKS)


@pytest.mark.usefixtures("trained")
@pytest.mark.parametrize("title", TASKS)
def test_a_newcomer_does_it(page: Page, title: str) -> None:
    TASKS[title](page)
