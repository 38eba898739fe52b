import json
import re
import shutil
from pathlib import Path

import pytest
from accessible import assert_accessible
from board import cell, click
from playwright.sync_api import Page, expect

from boardzero.lodz.recipes import DqnRecipe, SupervisedRecipe
from boardzero.runs.recipe import Recipe


def test_a_game_of_self_play_is_watched(page: Page, trained: str) -> None:
    page.goto(f"/#/learn/{trained}")
    expect(page.get_by_text(re.compile(r"Version 1 in iteration 2\."))).to_be_visible()
    move = page.get_by_label("Move", exact=True)
    move.fill("0")
    page.get_by_role("button", name="Watch").click()
    expect(page.locator(".counter")).to_have_text(re.compile("^2 /"))
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="An older game").click()
    expect(page.get_by_role("button", name="A newer game")).to_be_enabled()
    page.get_by_role("link", name="Study", exact=True).last.click()
    expect(page).to_have_url(re.compile(r"study\?run=first&back=1"))
    expect(page.get_by_role("group", name="Gomoku board")).to_be_visible()
    expect(page.locator(".moves .move").nth(4)).to_be_visible()


def test_versions_stand_side_by_side_with_heat_maps(page: Page, trained: str) -> None:
    page.goto(f"/#/learn/{trained}")
    versions = page.get_by_test_id("versions").locator("li")
    expect(versions).to_have_count(3)
    expect(versions.first.locator(".heat").first).to_be_attached()
    page.get_by_role("button", name="Start position").click()
    expect(page.get_by_text("A position of your own")).to_be_visible()
    expect(versions.first).to_contain_text("for Black")
    page.get_by_text("Priors").click()
    expect(versions.first.locator(".heat")).to_have_count(25)
    click(page, "c3")
    expect(versions.first).to_contain_text("for White")
    page.get_by_role("group", name="Versions").get_by_role("button", name="1").click()
    expect(versions).to_have_count(2)
    versions.last.get_by_role("button", name="Play on").click()
    expect(page).to_have_url(re.compile("/play/"))
    expect(cell(page, "c3")).to_have_attribute("aria-label", re.compile("Black stone"))


def test_the_strength_of_versions_is_measured_and_shown(page: Page, trained: str) -> None:
    page.goto(f"/#/learn/{trained}")
    page.get_by_role("button", name="Measure").click()
    expect(page.get_by_test_id("strength")).to_have_text(
        re.compile(r"Version 2 scores about \d+ of 100 points against random play"), timeout=90000
    )
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Measure more")).to_be_visible()
    assert_accessible(page)


def test_runs_are_compared_on_the_page(page: Page, trained: str, data: Path) -> None:
    shutil.copytree(data / "runs" / trained, data / "runs" / "second", dirs_exist_ok=True)
    page.goto(f"/#/learn/{trained}")
    together = page.get_by_test_id("together")
    together.get_by_label("second").check()
    expect(together.locator("canvas").first).to_be_visible()
    expect(together.locator(".legend li")).to_have_count(2)
    together.get_by_role("button", name="Measure them against the same opponents").click()
    expect(together.get_by_role("status")).to_be_visible(timeout=20000)
    together.get_by_role("button", name="Stop").click()
    expect(together.get_by_role("status")).to_be_hidden(timeout=60000)
    expect(together.get_by_role("button", name="Measure them")).to_be_visible()


def test_a_trained_player_shows_its_first_guess_as_a_heat_map(page: Page, trained: str) -> None:
    page.goto(f"/#/study?game=gomoku:size=5,line=4&player=zero:run={trained}")
    page.get_by_role("button", name="Heat map").click()
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.get_by_test_id("candidates")).to_be_visible()
    page.get_by_text("Priors").click()
    expect(page.locator(".heat")).to_have_count(25)


def test_every_net_of_a_run_has_its_own_curves(page: Page, data: Path) -> None:
    run = data / "runs" / "many-nets"
    run.mkdir(parents=True)
    recipe = Recipe(name="many-nets", game="international", method="three-stage")
    (run / "recipe.toml").write_text(recipe.toml())
    lines = [
        {"event": "loss", "net": net, "step": step, "policy": 3 / step, "value": 1 / step}
        for step in (1, 2, 3)
        for net in ("opening", "middle", "end")
    ]
    (run / "log.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    page.goto("/#/learn/many-nets")
    legend = page.locator(".legend li")
    expect(legend).to_have_count(6)
    expect(legend.nth(2)).to_have_text("middle policy 1.00")
    assert_accessible(page)


def test_choices_of_a_run_of_the_lodz_kind_are_shown(page: Page, data: Path) -> None:
    """Ocheretian 2022, figure 5.9."""
    run = data / "runs" / "choosing"
    run.mkdir(parents=True)
    (run / "recipe.toml").write_text(DqnRecipe(name="choosing", game="english").toml())
    lines = [
        {"event": "test", "iteration": cycle, "decisions": 40, "first": first, "wrong": 60}
        for cycle, first in ((10, 4), (20, 10), (30, 30))
    ]
    (run / "log.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    page.goto("/#/learn/choosing")
    figure = page.get_by_test_id("figure-choices")
    expect(figure.get_by_role("heading")).to_have_text("Legal at the first choice")
    expect(figure.locator(".legend li")).to_have_count(2)
    expect(figure.locator("canvas")).to_be_visible()


def test_a_run_that_learns_without_a_search_is_played_by_its_net(page: Page, data: Path) -> None:
    run = data / "runs" / "picking"
    (run / "versions" / "0001").mkdir(parents=True)
    recipe = SupervisedRecipe(name="picking", game="english", data="ours")
    (run / "recipe.toml").write_text(recipe.toml())
    page.goto("/#/learn/picking")
    expect(page.get_by_text("A position of your own")).to_be_visible()
    expect(page.get_by_role("heading", name="version by version")).to_have_count(0)
    with page.expect_request("**/api/games") as request:
        page.locator(".facts").get_by_role("button", name="1", exact=True).click()
    assert request.value.post_data_json["seats"] == ["human", "net:run=picking,version=1"]
    expect(page).to_have_url(re.compile("/play/"))


@pytest.mark.slow
def test_a_training_is_started_watched_stopped_and_played_against(page: Page) -> None:
    pytest.importorskip("torch")
    page.goto("/#/learn")
    page.locator("form select").select_option("wang-gomoku-modern")
    page.get_by_label("Minutes").fill("1")
    page.get_by_role("button", name="Start training").click()
    expect(page.get_by_role("progressbar")).to_be_visible(timeout=60000)
    version = page.locator(".facts").get_by_role("button", name="untrained", exact=True)
    expect(version).to_be_visible(timeout=60000)
    expect(page.get_by_role("heading", name="A game of self-play")).to_be_visible(timeout=60000)
    page.locator(".facts").get_by_role("button", name="Stop").click()
    expect(page.get_by_role("progressbar")).to_be_hidden(timeout=60000)
    version.click()
    expect(page).to_have_url(re.compile("/play/"))
    expect(page.get_by_label("Type a move")).to_be_visible()
    click(page, "d4")
    expect(page.locator(".moves .move")).to_have_count(2, timeout=20000)


def test_words_of_the_field_are_explained_where_they_stand(page: Page, trained: str) -> None:
    page.goto(f"/#/learn/{trained}")
    page.get_by_role("button", name="What is Gate?").first.click()
    expect(page.locator(":popover-open")).to_contain_text(
        "A new net plays a match against the best one so far."
    )
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="untrained").first).to_be_visible()


def test_a_training_is_set_up_with_sliders_and_says_what_it_does(page: Page) -> None:
    page.goto("/#/learn")
    page.get_by_label("Recipe").select_option("wang-gomoku-small")
    expect(page.locator("optgroup[label=Gomoku] option").first).to_be_attached()
    page.get_by_text("Change a few values").click()
    page.get_by_label("Games a round").fill("10")
    page.get_by_label("Minutes").fill("1.5")
    page.get_by_role("button", name="Start training").click()
    expect(page.get_by_text("is being started")).to_be_visible()
    doing = page.get_by_test_id("doing")
    expect(doing).to_contain_text(re.compile("Starting|Playing|Learning"), timeout=60000)
    expect(doing).to_contain_text("left")
    expect(page.locator("pre.mono", has_text="games = 10").last).to_be_attached()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_test_id("doing")).to_have_count(0, timeout=60000)
