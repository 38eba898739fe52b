"""The JavaScript package on a plain page, from a plain file server: no part of ours answers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from accessible import assert_accessible
from playwright.sync_api import Browser, Page, expect

PACKAGE = Path(__file__).parents[2] / "web" / "boardzero"

if not (PACKAGE / "assets" / "core.wasm").is_file():
    raise pytest.UsageError("tests/web need the built package (make wasm)")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    handler = partial(Quiet, directory=str(PACKAGE))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def plain(browser: Browser, address: str) -> Iterator[Page]:
    """A page that fails the test if anything goes wrong in it or leaves the origin."""
    page = browser.new_page(base_url=address)
    trouble: list[str] = []
    page.on("console", lambda m: trouble.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on(
        "request",
        lambda r: None if r.url.startswith((address, "data:")) else trouble.append(r.url),
    )
    yield page
    page.close()
    assert not trouble


LOAD = "const { load } = await import('/dist/index.js'); const bz = await load();"


def test_the_example_plays(plain: Page) -> None:
    plain.goto("/example/")
    expect(plain.get_by_role("status")).to_have_text("Your move.")
    for cell in ("11", "15"):
        plain.get_by_role("button", name=cell, exact=True).click()
    expect(plain.get_by_role("status")).to_have_text("Your move.", timeout=10_000)
    assert plain.locator("circle").count() == 24
    assert_accessible(plain)


def test_a_stopped_player_answers_with_its_best_move_so_far(plain: Page) -> None:
    plain.goto("/example/")
    for player in ("alphabeta:time=60", "mcts:time=60"):
        depth, seconds, again = plain.evaluate(
            f"""async () => {{ {LOAD}
            const game = await bz.game('english');
            const state = await game.start();
            const player = await game.player('{player}');
            const begin = performance.now();
            const chosen = player.choose(state, {{}}, () => player.stop());
            const {{ depth, move }} = await chosen;
            const seconds = (performance.now() - begin) / 1000;
            const after = await state.play(move);
            const again = await player.choose(after, {{ time: 0.05 }});
            bz.close();
            return [depth, seconds, again.move.text]; }}"""
        )
        assert depth >= 1
        assert seconds < 10
        assert again


def test_analysis_streams_and_ends_where_its_reader_leaves(plain: Page) -> None:
    plain.goto("/example/")
    depths, moves = plain.evaluate(
        f"""async () => {{ {LOAD}
        const game = await bz.game('international');
        const state = await game.start();
        const player = await game.player('alphabeta:analyse=true');
        const depths = [];
        for await (const soFar of player.analyse(state, {{ time: 60 }})) {{
          depths.push(soFar.depth);
          if (soFar.depth >= 4) break;
        }}
        const {{ moves }} = await state.play('32-28'); // rules answer while players think
        bz.close();
        return [depths, moves.length]; }}"""
    )
    assert depths == [1, 2, 3, 4]
    assert moves == 9


def test_every_game_is_played_to_its_end(plain: Page) -> None:
    plain.goto("/example/")
    plies = plain.evaluate(
        f"""async () => {{ {LOAD}
        const plies = [];
        for (const {{ name }} of bz.games) {{
          const game = await bz.game(name);
          const player = await game.player('mcts:rollouts=20');
          let state = await game.start();
          while (!state.outcome) state = await state.play((await player.choose(state)).move);
          plies.push(state.history.length);
          player.close();
        }}
        bz.close();
        return plies; }}"""
    )
    assert all(plies)


def test_what_cannot_be_is_said_in_a_sentence(plain: Page) -> None:
    plain.goto("/example/")
    said = plain.evaluate(
        f"""async () => {{ {LOAD}
        const game = await bz.game('english');
        const state = await game.start();
        const tries = [
          () => bz.game('chess'),
          () => bz.game('gomoku:size=4'),
          () => game.player('maxim'),
          () => game.player('alphabeta:depth=deep'),
          () => game.start('W:W99'),
          () => state.play('1-32'),
          () => game.player('alphabeta:model=missing.nnue,nodes=9').then((p) => p.choose(state)),
        ];
        const said = [];
        for (const each of tries) said.push(await each().catch((error) => error.message));
        bz.close();
        return said; }}"""
    )
    wanted = ("no game", "from 5 to 20", "no player", "whole number", "99", "1-32", "cannot fetch")
    for sentence, part in zip(said, wanted, strict=True):
        assert part in sentence
