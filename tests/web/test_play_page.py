import re

import pytest
from board import cell, click, drag, moves, open_game, play_on
from playwright.sync_api import Browser, Page, expect
from served import Server

from tests.games.variants import DRAUGHTS

# White on 47 takes 42, 33 and 23 in one move, and has no other.
CHAIN = "W:W47:B42,33,23,8"


def test_a_game_is_set_up_and_begun_on_the_page(page: Page) -> None:
    page.goto("/")
    page.locator("label.game", has_text="English draughts").click()
    page.get_by_role("radio", name="Beginner").check(force=True)
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_label("Type a move")).to_be_visible()
    click(page, "11", "15")
    expect(page.locator(".moves .move")).to_have_count(2)
    assert moves(page)[0] == "11-15"


def test_a_level_is_played_by_another_player_on_another_board(page: Page) -> None:
    page.goto("/")
    page.locator("label.game", has_text="Gomoku").click()
    page.get_by_role("radio", name="Expert").check(force=True)
    expect(page.get_by_test_id("spec")).to_contain_text("alphabeta:")
    page.get_by_role("radio", name="Champion").check(force=True)
    on_eight = page.get_by_test_id("spec").text_content()
    page.get_by_label("Size").select_option("9")
    expect(page.get_by_test_id("spec")).to_have_text("alphabeta:nodes=50000,hash=4")
    assert on_eight != "alphabeta:nodes=50000,hash=4"
    expect(page.get_by_role("radio", name="Champion")).to_be_checked()


def test_the_level_follows_the_results_of_the_person_and_says_so(page: Page) -> None:
    page.goto("/")
    page.locator("label.game", has_text="Gomoku").click()
    page.get_by_label("Let the level follow my results").check()
    expect(page.get_by_text("No finished games yet: begins with Easy.")).to_be_visible()
    page.get_by_role("button", name="Start the game").click()
    page.get_by_label("Type a move").fill("d4")
    page.keyboard.press("Enter")
    expect(page.locator(".moves .move")).to_have_count(2)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Sure?").click()
    expect(page.locator(".result")).to_be_visible()
    page.goto("/#/")
    page.reload()
    page.locator("label.game", has_text="Gomoku").click()
    expect(page.get_by_text("You scored 0 of 1: down from Easy to Beginner.")).to_be_visible()
    expect(page.get_by_role("radio", name="Beginner")).to_be_checked()


def test_legal_destinations_are_shown_for_a_selected_piece(page: Page) -> None:
    open_game(page, "human", "human", game="english")
    click(page, "11")
    expect(page.locator(".target")).to_have_count(2)
    expect(cell(page, "15")).to_have_attribute("aria-label", "15, empty, legal destination")


@pytest.mark.parametrize("way", [("47", "29"), ("47", "38", "29"), ("47", "38", "29", "18")])
def test_a_multi_jump_is_clicked_square_by_square_or_by_its_end(
    page: Page, way: tuple[str, ...]
) -> None:
    open_game(page, "human", "human", game="international", fen=CHAIN)
    end = ("47", "18") if way == ("47", "29") else way
    click(page, *end)
    if way[-1] != "18" and end == way:
        expect(page.locator(".moves .move")).to_have_count(0)
        click(page, "18")
    expect(page.locator(".moves .move")).to_have_count(1)
    expect(page.locator("[data-piece]")).to_have_count(2)


def test_a_multi_jump_is_dragged(page: Page) -> None:
    open_game(page, "human", "human", game="international", fen=CHAIN)
    drag(page, "47", "38", "29", "18")
    expect(page.locator(".moves .move")).to_have_text("47x18")
    expect(page.locator("[data-piece]")).to_have_count(2)


def test_a_mandatory_capture_is_marked_and_explained(page: Page) -> None:
    open_game(page, "human", "human", game="international", fen="W:W28,48:B22,12")
    expect(page.locator(".must")).to_have_count(1)
    expect(page.get_by_text("take as many as you can: 2 pieces")).to_be_visible()
    click(page, "48")
    expect(page.get_by_text("48 cannot move now: 28 must capture first.")).to_be_visible()


def test_what_must_capture_does_not_look_like_the_last_move(page: Page) -> None:
    open_game(page, "human", "human", game="english")
    for move in ("11-15", "22-18"):
        page.get_by_label("Type a move").fill(move)
        page.keyboard.press("Enter")
    expect(page.locator(".must")).to_have_count(1)
    must, last = page.evaluate(
        """() => {
          const part = (color) => color.match(/[\\d.]+/g).slice(0, 3).map(Number);
          const seen = (where) => getComputedStyle(document.querySelector(where));
          return [part(seen('.must').stroke), part(seen('.last').fill)];
        }"""
    )
    assert max(abs(a - b) for a, b in zip(must, last, strict=True)) > 100


def test_the_keyboard_alone_plays_a_move(page: Page) -> None:
    open_game(page, "human", "human", game="english")
    cell(page, "11").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    label = page.evaluate("document.activeElement.dataset.label")
    assert label in ("15", "16")
    page.keyboard.press("Enter")
    expect(page.locator(".moves .move")).to_have_text(f"11-{label}")


def test_a_click_that_no_pointer_made_plays_a_move(page: Page) -> None:
    open_game(page, "human", "human", game="english")
    cell(page, "11").dispatch_event("click")
    expect(cell(page, "11")).to_have_attribute("aria-label", re.compile("selected"))
    cell(page, "15").dispatch_event("click")
    expect(page.locator(".moves .move")).to_have_text("11-15")


def test_another_game_has_the_same_clock(page: Page) -> None:
    page.goto("/")
    page.get_by_role("radio", name="People here").check(force=True)
    page.get_by_role("radio", name="3 + 2").check(force=True)
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Sure?").click()
    page.get_by_role("button", name="Play again").click()
    expect(page.locator(".result")).to_be_hidden()
    expect(page.get_by_text("3:00")).to_have_count(2)


def test_a_typed_move_is_played_and_a_wrong_one_explained(page: Page) -> None:
    open_game(page, "human", "human", game="english")
    page.get_by_label("Type a move").fill("1-32")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("message")).to_contain_text("“1-32” is not a legal move here")
    page.get_by_label("Type a move").fill("castle, please")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("message")).to_contain_text("You can play 9-14, 10-15, 11-16")
    page.get_by_label("Type a move").fill("11-15")
    page.keyboard.press("Enter")
    expect(page.locator(".moves .move")).to_have_text("11-15")


def test_a_game_survives_reload_and_restart_of_the_server(page: Page, server: Server) -> None:
    open_game(page, "human", "random", game="english")
    click(page, "11", "15")
    expect(page.locator(".moves .move")).to_have_count(2)
    before = moves(page)
    page.reload()
    expect(page.locator(".moves .move")).to_have_text(before)
    server.stop()
    expect(page.get_by_text("The server does not answer")).to_be_visible()
    server.start()
    expect(page.get_by_text("The server does not answer")).to_be_hidden(timeout=15000)
    expect(page.locator(".moves .move")).to_have_text(before)


def test_undo_hint_and_resign_work_from_the_page(page: Page) -> None:
    open_game(page, "human", "random", game="gomoku")
    click(page, "d4")
    expect(page.locator(".moves .move")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".moves .move")).to_have_count(0)
    page.get_by_role("button", name="Hint").click()
    expect(page.get_by_test_id("message")).to_contain_text("Try ", timeout=10000)
    expect(page.locator(".arrow.hint")).to_have_count(1)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Sure?").click()
    expect(page.locator(".result")).to_contain_text("White wins")


def test_players_can_be_watched_and_paused(page: Page) -> None:
    open_game(page, "random", "random", game="english")
    expect(page.locator(".moves .move").nth(1)).to_be_visible(timeout=10000)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()


def test_the_page_speaks_dutch(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Language").select_option("nl")
    expect(page.get_by_role("heading", name="Ga zitten voor een partij")).to_be_visible()
    page.reload()
    expect(page.get_by_role("link", name="Spelen")).to_be_visible()
    open_game(page, "human", "random", game="english")
    page.get_by_role("button", name="Remise aanbieden").click()
    page.get_by_role("button", name="Zeker?").click()
    expect(page.get_by_test_id("message")).to_contain_text("Het aanbod is afgeslagen")


def test_a_game_is_set_up_with_its_own_rules_and_clock(page: Page) -> None:
    page.goto("/#/play?game=gomoku")
    page.get_by_label("In a row").select_option("4")
    page.get_by_role("radio", name="People here").check(force=True)
    page.get_by_role("radio", name="Other").check(force=True)
    page.get_by_label("Time for").select_option(label="each move")
    page.get_by_label("Seconds").fill("45")
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_label("Type a move")).to_be_visible()
    for point in ["a1", "a8", "b1", "b8", "c1", "c8"]:
        click(page, point)
    expect(page.locator(".moves .move")).to_have_count(6)
    expect(page.get_by_role("timer").last).to_contain_text(re.compile("0:4[45]"))
    click(page, "d1")
    expect(page.locator(".result")).to_contain_text("Black wins")
    expect(page.locator(".won")).to_have_count(4)


def test_draws_of_another_kind_can_be_chosen(page: Page) -> None:
    page.goto("/#/play?game=english")
    page.get_by_text("How a game may end").click()
    page.get_by_label("Draws by").select_option(label="Meng 2020")
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_label("Type a move")).to_be_visible()
    key = page.url.rpartition("/")[2]
    assert page.request.get(f"/api/games/{key}").json()["game"] == "english:endings=meng"


def test_a_planned_move_is_played_when_its_turn_comes(page: Page) -> None:
    open_game(page, "human", "alphabeta:time=1.5", game="international")
    click(page, "32", "28")
    expect(page.locator(".moves .move")).to_have_count(1)
    expect(page.get_by_role("button", name="32, empty")).to_be_visible()  # the man has arrived
    click(page, "37", "32")
    expect(page.locator(".planned")).to_have_count(2)
    expect(page.locator(".moves .move")).to_have_count(3, timeout=10000)
    assert moves(page)[2] == "37-32"


def test_nothing_that_cannot_be_done_is_offered_after_the_end(page: Page) -> None:
    open_game(page, "human", "random", game="english", fen="B:WK10:B6,7,1")
    page.get_by_role("button", name="Offer a draw").click()
    expect(page.get_by_role("button", name="Sure?")).to_be_visible()  # a slip offers nothing
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Sure?").click()
    expect(page.get_by_role("button", name="Play again as White")).to_be_visible()
    for gone in ["Hint", "Offer a draw", "Resign"]:
        expect(page.get_by_role("button", name=gone)).to_have_count(0)
    expect(page.locator("button:disabled")).to_have_count(0)


def test_who_has_lost_all_pieces_is_told_so(page: Page) -> None:
    open_game(page, "human", "human", game="english", fen="B:W18:B15")
    click(page, "15", "22")
    expect(page.locator(".result")).to_contain_text("all pieces were taken")


def test_who_can_only_pass_passes_and_is_told_why(page: Page) -> None:
    fen = "4/4r/6/g6/6/4b/4 r 0,0,0 0"
    open_game(page, "human", "greedy:seed=1", "greedy:seed=1", game="chexers", fen=fen)
    click(page, "3,-2", "3,-2")
    expect(page.get_by_text("Red has no piece that can move, so it passes.")).to_be_visible()
    expect(page.locator(".moves .move", has_text="pass").nth(1)).to_be_visible(timeout=10000)


@pytest.mark.parametrize("language", ["en-GB", "nl-NL"])
def test_the_header_fits_at_every_width(browser: Browser, server: Server, language: str) -> None:
    context = browser.new_context(base_url=server.address, locale=language)
    page = context.new_page()
    page.goto("/#/games")
    expect(page.locator("h1")).to_be_attached()
    for width in [360, 560, 561, 700, 701, 760, 761, 776, 791, 800, 801, 960, 1000, 1001]:
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


def test_a_phone_on_its_side_has_the_board_beside_the_rest(page: Page) -> None:
    page.set_viewport_size({"width": 844, "height": 390})
    open_game(page, "human", "human", game="international")
    board = page.locator("svg.board").bounding_box()
    status = page.get_by_text("White to move").bounding_box()
    assert board is not None
    assert status is not None
    assert board["y"] >= 40
    assert board["y"] + board["height"] <= 390
    assert board["height"] > 300
    assert status["x"] > board["x"] + board["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 844


@pytest.mark.parametrize("game", ["international", "russian", "chexers"])
def test_names_of_squares_can_be_read_on_a_phone(page: Page, game: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_game(page, *["human"] * (3 if game == "chexers" else 2), game=game)
    heights = page.evaluate("""() => [...document.querySelectorAll('svg.board text')].map(
        text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)""")
    assert min(heights) >= 9.9
    above = page.evaluate("""() => {
        const [text] = document.querySelectorAll('svg.board text');
        const [piece] = document.querySelectorAll('[data-piece]');
        return !!(piece.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING); }""")
    assert above  # later in the drawing is above


@pytest.mark.slow
@pytest.mark.parametrize("game", [*DRAUGHTS, "gomoku"])
def test_a_whole_game_is_played_by_clicks(page: Page, game: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    play_on(page, open_game(page, "human", "random:seed=3", game=game))


@pytest.mark.slow
def test_a_whole_game_of_chexers_is_played_by_clicks(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    fen = "4/5/4r1/5r1/4b1/g3b/g3 r 2,2,2 0"
    play_on(
        page, open_game(page, "human", "greedy:seed=3", "greedy:seed=4", game="chexers", fen=fen)
    )
