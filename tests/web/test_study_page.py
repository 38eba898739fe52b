"""Study, puzzles, my games and rules, as a person uses them."""

import re
from collections.abc import Iterator

import pytest
from accessible import assert_accessible
from board import cell, click
from playwright.sync_api import Browser, Page, ViewportSize, expect
from served import Server

LINE = "/#/study?game=english&moves=11-15 22-18"
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}


@pytest.fixture(params=SIZES)
def visit(request: pytest.FixtureRequest, browser: Browser, server: Server) -> Iterator[Page]:
    """A fresh visitor with a large or a small screen."""
    width, height = SIZES[request.param]
    context = browser.new_context(
        base_url=server.address, viewport=ViewportSize(width=width, height=height), locale="en-GB"
    )
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    yield page
    context.close()


def branch(page: Page) -> None:
    """Opens a game and plays another first move."""
    page.goto(LINE)
    expect(page.get_by_text("2 / 2")).to_be_visible()
    page.get_by_role("button", name="First position").click()
    expect(cell(page, "9")).to_have_attribute("aria-label", "9, Black man, can move")
    click(page, "9", "13")
    expect(page.locator(".moves .move")).to_have_text(["11-15", "9-13", "22-18"])


def test_variations_are_promoted_deleted_and_edits_undone(visit: Page) -> None:
    branch(visit)
    visit.get_by_role("button", name="Make main line").click()
    expect(visit.locator(".moves .move")).to_have_text(["9-13", "11-15", "22-18"])
    visit.get_by_role("button", name="Delete from here").click()
    expect(visit.locator(".moves .move")).to_have_text(["11-15", "22-18"])
    visit.get_by_role("button", name="Undo").click()
    expect(visit.locator(".moves .move")).to_have_text(["9-13", "11-15", "22-18"])
    assert_accessible(visit)


def test_work_is_kept_as_one_goes_and_survives_a_reload(visit: Page) -> None:
    branch(visit)
    visit.get_by_label("Comment on this position").fill("the edge")
    visit.get_by_role("button", name="Mark the move !", exact=True).click()
    expect(visit.locator(".moves")).to_contain_text("the edge")
    visit.wait_for_url("**study=**")
    visit.reload()
    expect(visit.locator(".moves .move").nth(1)).to_have_text("9-13!")
    expect(visit.locator(".moves")).to_contain_text("the edge")
    expect(visit.locator(".moves [aria-current]")).to_have_text("9-13!")


def test_a_link_opens_the_tree_on_another_machine(
    visit: Page, browser: Browser, server: Server
) -> None:
    branch(visit)
    visit.get_by_label("Comment on this position").fill("look here")
    visit.get_by_role("button", name="Copy link").click()
    expect(visit.get_by_role("button", name="Copied")).to_be_visible()
    link = visit.evaluate("navigator.clipboard.readText()")
    other = browser.new_context(base_url=server.address).new_page()
    other.goto(link)
    expect(other.locator(".moves .move")).to_have_text(["11-15", "9-13", "22-18"])
    expect(other.locator(".moves")).to_contain_text("look here")
    other.context.close()


def test_of_a_link_that_is_cut_off_the_good_part_is_shown_and_the_place_told(visit: Page) -> None:
    moves = "11-15 22-18 15x22 25x18 8-11 29-25 4-8 25-22 12-16"
    visit.goto(f"/#/study?game=english&moves={moves}")
    expect(visit.get_by_text("9 / 9")).to_be_visible()
    visit.get_by_role("button", name="Copy link").click()
    expect(visit.get_by_role("button", name="Copied")).to_be_visible()
    link = visit.evaluate("navigator.clipboard.readText()")
    packed = re.search(r"tree=([\w-]+)", link)
    assert packed is not None
    cut = link.replace(packed[1], packed[1][:-12])
    visit.goto(cut)
    expect(visit.get_by_text("cut off; shown is what it holds")).to_be_visible()
    expect(visit.locator(".moves .move").first).to_have_text("11-15")


def test_a_link_with_a_wrong_move_is_opened_up_to_it(visit: Page) -> None:
    visit.goto("/#/study?game=english&moves=11-15 22-18 15-16")
    expect(visit.get_by_text("move 3: ")).to_be_visible()
    expect(visit.locator(".moves .move")).to_have_text(["11-15", "22-18"])


def test_a_damaged_link_is_a_sentence_and_the_present_work_stays(visit: Page) -> None:
    branch(visit)
    visit.goto("/#/study?game=english&tree=nonsense")
    expect(visit.get_by_text("This link is damaged")).to_be_visible()
    expect(visit.locator(".moves .move")).to_have_text(["11-15", "9-13", "22-18"])


def test_arrows_are_drawn_and_kept(visit: Page) -> None:
    visit.goto(LINE)
    visit.get_by_role("button", name="Draw").click()
    cell(visit, "15").scroll_into_view_if_needed()
    visit.evaluate("scrollTo(0, 0)")
    click(visit, "15", "19")
    expect(visit.locator(".arrow.green").first).to_be_visible()
    visit.wait_for_url("**study=**")
    visit.reload()
    expect(visit.locator(".arrow.green").first).to_be_visible()


def test_an_engine_line_is_added_by_a_click_and_the_keyboard_goes_through_it(visit: Page) -> None:
    page = visit
    page.goto(LINE)
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.locator(".pv .step").nth(2)).to_be_visible(timeout=15000)
    page.get_by_role("button", name="Stop", exact=True).click()
    page.locator(".pv .step").nth(2).click()
    expect(page.get_by_text("5 / 5")).to_be_visible()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".moves [aria-current]")).to_have_text("11-15")
    page.keyboard.press("Control+z")
    expect(page.locator(".moves .move")).to_have_text(["11-15", "22-18"])


def test_chances_say_whose_they_are_and_stand_on_the_side_of_the_one_ahead(page: Page) -> None:
    page.goto("/#/study?game=english&fen=W:WK1,K2,K3,K4,K10,K11:BK32,K28&moves=1-5")
    page.get_by_role("button", name="Analyse", exact=True).click()
    meter = page.get_by_role("meter")
    expect(meter).to_have_attribute("aria-label", re.compile(r"chances for White: (9\d|100) %"))
    number = meter.locator(".number")
    height = page.evaluate("document.querySelector('[role=meter]').clientHeight")
    assert int(number.inner_text()) > 50

    def top() -> float:
        outer, inner = meter.bounding_box(), number.bounding_box()
        assert outer is not None
        assert inner is not None
        return inner["y"] - outer["y"]

    assert top() > height * 3 / 4  # White sits below, and is ahead
    expect(page.get_by_text(re.compile("White.s winning chances over the game"))).to_be_visible()
    page.get_by_role("button", name="Turn the board").click()
    expect(page.get_by_text(re.compile("Black.s winning chances over the game"))).to_be_visible()
    assert int(number.inner_text()) > 50
    assert top() < height / 4


def test_an_ending_that_the_tables_know_is_named(visit: Page) -> None:
    visit.goto("/#/study?game=english&fen=B:WK10:B12,K1")
    tables = visit.get_by_test_id("tables")
    expect(tables).to_have_text(
        "Endgame tables: Black wins with best play. Only 12-16, 1-5 keeps it."
    )
    click(visit, "1", "6")
    expect(tables).to_have_text("Endgame tables: a draw with best play.")
    visit.get_by_role("button", name="Review the game").click()
    expect(visit.get_by_test_id("review")).to_contain_text(
        "known from the tables: it was won, and after 1-6 it is drawn", timeout=20_000
    )
    assert_accessible(visit)


# 17-14 10x17 1x3 would have won two for one.
MISSED = "/#/study?game=english&fen=W:WK1,17,21,25,28:B4,6,7,10,20&moves=28-24 20x27"


def test_a_review_shows_the_refutation_and_the_better_line_and_keeps_the_game(visit: Page) -> None:
    visit.goto(MISSED)
    visit.get_by_role("button", name="Review the game").click()
    found = visit.get_by_test_id("review").locator("li").first
    expect(found).to_contain_text("17-14", timeout=30_000)
    expect(visit.get_by_role("button", name="Review the game")).to_be_visible(timeout=15_000)
    found.get_by_role("button", name="Show why").click()
    expect(visit.locator(".moves .move").filter(has_text="20x27").first).to_be_visible()
    found.get_by_role("button", name="Best line").click()
    expect(visit.locator(".moves .move").filter(has_text="17-14").first).to_be_visible()
    expect(visit.locator(".moves .move").first).to_contain_text("28-24")
    expect(found).to_be_visible()
    assert_accessible(visit)


def test_a_lesson_hides_the_answer_refutes_what_is_wrong_and_shows_the_solution(
    visit: Page,
) -> None:
    visit.goto(MISSED)
    visit.get_by_role("button", name="Review the game").click()
    visit.get_by_role("button", name="Learn from the mistakes").click(timeout=30_000)
    lesson = visit.get_by_test_id("lesson")
    expect(lesson).to_contain_text("White played 28-24 here. What was better?")
    expect(visit.get_by_text("17-14")).to_have_count(0)
    assert_accessible(visit)
    cell(visit, "25").scroll_into_view_if_needed()
    click(visit, "25", "22")
    expect(lesson).to_contain_text("25-22 is answered like this", timeout=15_000)
    expect(visit.get_by_text("17-14")).to_have_count(0)
    lesson.get_by_role("button", name="Try again").click()
    lesson.get_by_role("button", name="Show the solution").click()
    expect(lesson).to_contain_text("17-14 was best")
    expect(cell(visit, "14")).to_have_attribute("aria-label", re.compile("White"))
    lesson.get_by_role("button", name="Done").click()
    expect(visit.locator(".moves .move").first).to_contain_text("28-24")


def test_a_file_with_several_games_and_a_fault_loads_its_good_part(visit: Page) -> None:
    visit.goto("/#/study?game=english")
    visit.get_by_role("tab", name="Load").click()
    text = '[White "Ann"]\n1. 11-15 (1. 9-14) 22-18 2. 15-99 *\n[White "Bob"]\n1. 10-15 *'
    visit.get_by_label("A game: PDN, SGF or moves").first.fill(text)
    form = visit.locator("form", has=visit.locator("textarea"))
    form.get_by_role("button", name="Load", exact=True).click()
    expect(visit.get_by_text("line 2, column 29")).to_be_visible()
    expect(visit.get_by_test_id("heading")).to_contain_text("Ann")
    visit.get_by_role("button", name="2. ").click()
    expect(visit.get_by_test_id("heading")).to_contain_text("Bob")
    visit.get_by_role("button", name="1. ").click()
    expect(visit.get_by_test_id("heading")).to_contain_text("Ann")
    visit.get_by_role("tab", name="Analysis").click()
    expect(visit.locator(".moves .move")).to_have_text(["11-15", "9-14", "22-18"])


def finish_game(page: Page) -> str:
    """A game that is resigned after one move."""
    page.goto("/")
    wish = {"game": "english", "seats": ["human", "human"]}
    key = str(page.request.post("/api/games", data=wish).json()["id"])
    page.goto(f"/#/play/{key}")
    page.get_by_label("Type a move").fill("11-15")
    page.keyboard.press("Enter")
    page.get_by_label("Type a move").fill("22-18")
    page.keyboard.press("Enter")
    expect(page.locator(".moves .move")).to_have_count(2)
    return key


def test_one_looks_back_while_playing(visit: Page) -> None:
    finish_game(visit)
    visit.locator(".moves .move").first.click()
    expect(visit.get_by_text("Looking back: move 1")).to_be_visible()
    expect(cell(visit, "18")).to_have_attribute("aria-label", "18, empty")
    visit.get_by_role("button", name="Back to the game").click()
    expect(cell(visit, "18")).to_have_attribute("aria-label", re.compile("White man"))


def test_my_games_are_filtered_exported_opened_and_deleted(visit: Page) -> None:
    finish_game(visit)
    visit.get_by_role("button", name="Resign").click()
    visit.get_by_role("button", name="Sure?").click()
    expect(visit.locator(".result")).to_be_visible()
    visit.goto("/#/games")
    games = visit.get_by_test_id("games").locator("li")
    expect(games.first).to_contain_text("English draughts")
    count = games.count()
    visit.get_by_label("Name, result or date").fill("nobody at all")
    expect(visit.get_by_text("Nothing here yet.")).to_be_visible()
    visit.get_by_label("Name, result or date").fill("")
    assert_accessible(visit)
    with visit.expect_download() as download:
        games.first.get_by_role("button", name="Export").click()
    assert download.value.suggested_filename.endswith(".pdn")
    games.first.get_by_role("link").first.click()
    expect(visit.get_by_test_id("heading")).to_contain_text(re.compile("1-0|0-1"))
    visit.get_by_role("tab", name="Explorer").click()
    explorer = visit.get_by_test_id("explorer")
    row = explorer.locator("tbody tr", has_text="11-15")
    expect(row.locator("td").nth(1)).to_have_text(re.compile(r"[1-9]"))
    expect(row.get_by_role("img")).to_have_attribute("aria-label", re.compile("[1-9]"))
    assert_accessible(visit)
    row.get_by_role("button", name="11-15").click()
    expect(visit.locator(".moves [aria-current]")).to_have_text("11-15")
    visit.goto("/#/games")
    games.first.get_by_role("button", name="Delete").click()
    games.first.get_by_role("button", name="Delete").click()
    expect(games).to_have_count(max(1, count - 1))


def test_a_puzzle_is_solved_and_rated_and_its_answer_is_hidden(visit: Page) -> None:
    visit.goto("/#/puzzles/english")
    status = visit.get_by_test_id("puzzle")
    expect(status).to_contain_text("to move")
    puzzle = visit.request.get("/api/puzzles/daily?game=english").json()
    expect(visit.get_by_text(puzzle["solution"][0], exact=True)).to_have_count(0)
    assert_accessible(visit)
    for move in puzzle["solution"][::2]:
        squares = move.replace("x", "-").split("-")
        expect(cell(visit, squares[0])).to_have_attribute("aria-label", re.compile("can move"))
        click(visit, *squares)
        visit.wait_for_timeout(900)
        if "Solved" in status.inner_text():
            break
    expect(status).to_contain_text("Solved!")
    expect(visit.get_by_test_id("rating")).not_to_contain_text("1200")
    visit.get_by_role("button", name="Next puzzle").click()
    expect(status).to_contain_text("to move")
    visit.get_by_role("button", name="Show the solution").click()
    expect(status).to_contain_text("was best")
    visit.get_by_role("button", name="Puzzle of the day").click()
    expect(status).to_contain_text("to move")


def test_a_wrong_move_in_a_puzzle_is_answered_and_may_be_tried_again(visit: Page) -> None:
    puzzle = visit.request.get("/api/puzzles/daily?game=english").json()
    line = {"game": puzzle["game"], "fen": puzzle["fen"], "moves": []}
    moves = visit.request.post("/api/position", data=line).json()["moves"]
    wrong = next(move["text"] for move in moves if move["text"] != puzzle["solution"][0])
    visit.goto("/#/puzzles/english")
    status = visit.get_by_test_id("puzzle")
    expect(status).to_contain_text("to move")
    squares = wrong.replace("x", "-").split("-")
    expect(cell(visit, squares[0])).to_have_attribute("aria-label", re.compile("can move"))
    click(visit, *squares)
    expect(status).to_contain_text(wrong, timeout=15_000)
    again = visit.get_by_role("button", name="Try again")
    expect(again).to_be_visible(timeout=15_000)
    assert_accessible(visit)
    again.click()
    expect(status).to_contain_text("to move")


@pytest.mark.parametrize("game", ["international", "english", "gomoku", "chexers"])
def test_the_rules_are_one_click_from_the_board_with_pictures(visit: Page, game: str) -> None:
    visit.goto(f"/#/study?game={game}")
    visit.get_by_role("link", name="Rules of this game").click()
    expect(visit.locator("h1")).to_contain_text("Rules")
    expect(visit.locator("svg.board").nth(1)).to_be_visible()
    assert_accessible(visit)
