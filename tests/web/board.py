"""What a person does at the board."""

from playwright.sync_api import Locator, Page, expect

__all__ = ["cell", "click", "drag", "moves", "open_game", "play_move", "play_on"]


def open_game(page: Page, *seats: str, game: str, fen: str | None = None) -> str:
    """Open a game over the server's own interface and go there."""
    wish = {"game": game, "seats": list(seats), "fen": fen}
    page.goto("/")
    answer = page.request.post("/api/games", data=wish)
    assert answer.ok, answer.text()
    key = str(answer.json()["id"])
    page.goto(f"/#/play/{key}")
    expect(page.locator("svg.board")).to_be_visible()
    return key


def cell(page: Page, label: str) -> Locator:
    return page.locator(f'[data-label="{label}"]').first


def _middle(page: Page, label: str) -> tuple[float, float]:
    box = cell(page, label).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def click(page: Page, *labels: str) -> None:
    for label in labels:
        page.mouse.click(*_middle(page, label))


def drag(page: Page, *labels: str) -> None:
    """From the first cell over all others to the last."""
    page.mouse.move(*_middle(page, labels[0]))
    page.mouse.down()
    for label in labels[1:]:
        page.mouse.move(*_middle(page, label), steps=6)
    page.mouse.up()


def moves(page: Page) -> list[str]:
    return page.locator(".moves .move").all_inner_texts()


def play_on(page: Page, key: str, limit: int = 400) -> None:
    """Play the first legal move by clicks until the game is over."""
    for _ in range(limit):
        game = page.request.get(f"/api/games/{key}").json()
        position = game["position"]
        if position["ending"]:
            expect(page.locator(".result")).to_be_visible()
            return
        if game["seats"][position["to_move"]]["player"] != "human":
            page.wait_for_timeout(10)
            continue
        plies = len(game["moves"])
        move = position["moves"][(plies * 7) % len(position["moves"])]
        play_move(page, game["game"], move["path"])
        page.wait_for_function(
            "n => document.querySelectorAll('.moves .move').length > n", arg=plies, timeout=5000
        )
    raise AssertionError("the game does not end")


def play_move(page: Page, game: str, path: list[int]) -> None:
    """By clicks on every cell of the way; by a button what is not on the board."""
    if not path:
        page.get_by_role("button", name="Pass").click()
        return
    for number in path:
        page.evaluate(
            "c => document.querySelector(`[data-cell='${c}']`).scrollIntoView({block: 'center'})",
            number,
        )
        box = page.locator(f'[data-cell="{number}"]').bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    if len(path) == 1 and game == "chexers":
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
