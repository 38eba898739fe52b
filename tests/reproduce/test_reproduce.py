"""The experiments of the documents: their parts, their time, and reports that come from files."""

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from boardzero import BoardZeroError
from boardzero.reproduce.document import Document, Effort, plan, reproduce, write_report
from boardzero.reproduce.documents import DOCUMENTS, find_document
from boardzero.reproduce.ladder import GOMOKU, INTERNATIONAL, Ladder
from boardzero.reproduce.page import Page, theirs
from boardzero.reproduce.parts import MeasuringPart, Training, Workshop
from boardzero.runs.recipe import load_recipe

LADDERS = [INTERNATIONAL, GOMOKU]


@pytest.mark.parametrize("ladder", LADDERS, ids=lambda ladder: ladder.name)
def test_the_last_rung_of_a_ladder_is_the_modern_recipe_to_the_value(ladder: Ladder) -> None:
    whole = {"name", "about", "seed", "run"}
    top = load_recipe(ladder.recipe, ladder.changes(ladder.rungs[-1]))
    modern = load_recipe(ladder.modern)
    if not modern.gate.games:  # type: ignore[attr-defined]
        whole.add("gate")  # its other keys mean nothing
    assert top.model_dump(exclude=whole) == modern.model_dump(exclude=whole)


@pytest.mark.parametrize("ladder", LADDERS, ids=lambda ladder: ladder.name)
def test_a_ladder_has_at_most_eight_rungs_whose_recipes_are_valid(ladder: Ladder) -> None:
    assert len(ladder.rungs) <= 8
    recipes = [load_recipe(ladder.recipe, ladder.changes(rung)) for rung in ladder.rungs]
    assert len({recipe.toml() for recipe in recipes}) == len(recipes)


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
@pytest.mark.parametrize("quick", [False, True])
def test_every_part_of_a_document_says_what_it_is(document: Document, quick: bool) -> None:
    parts = document.parts(quick)
    assert len({part.name for part in parts}) == len(parts)
    assert all(part.about and part.minutes > 0 for part in parts)
    if quick:
        trained = [part.recipe for part in parts if isinstance(part, Training)]
        assert all(name.endswith("-small") or "hindsight" in name for name in trained)


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_a_report_without_results_says_so_and_is_written(
    document: Document, tmp_path: Path
) -> None:
    text = write_report(document, tmp_path, quick=False).read_text()
    assert document.title in text
    assert "not measured yet" in text


def test_five_printed_totals_of_wang_s_table_are_not_their_rows_sums() -> None:
    wrong = [
        row["version"]
        for row in theirs("wang-table-2")
        if sum(int(row[v] or 0) for v in row if v not in ("version", "total")) != int(row["total"])
    ]
    assert wrong == ["1", "70", "100", "140", "150"]  # as the report says


def test_hours_are_shared_out_among_the_trainings() -> None:
    document = find_document("wang")
    steps = plan(document, Effort(hours=8), cores=1)
    assert sum(step.minutes for step in steps) == pytest.approx(480, rel=0.05)
    assert all(step.limit is None for step in steps if not step.part.is_elastic)
    none = plan(document, Effort(hours=0), cores=1)
    assert {step.limit for step in none if step.part.is_elastic} == {0}


def tiny(*parts: object) -> Document:
    def write(page: Page, _: bool) -> None:
        page.table("Found", ("n",), [[row["n"]] for row in page.rows("n.csv")])

    return Document("tiny", "Tiny", "About.", 1, lambda _: list(parts), write)  # type: ignore[arg-type]


def test_parts_are_done_in_order_and_the_report_follows_each(tmp_path: Path) -> None:
    told = []

    def work(shop: Workshop) -> None:
        shop.tell("at it")
        shop.save("n.csv", ("n",), [(7,)])

    document = tiny(MeasuringPart("one", "a number", 1, work))
    report = reproduce(document, Effort(), folder=tmp_path, cores=1, tell=told.append)
    assert "| 7 |" in report.read_text()
    assert [(p.step, p.steps, p.news) for p in told] == [(1, 1, ""), (1, 1, "at it")]


def test_without_hours_nothing_is_trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDZERO_RUNS", str(tmp_path / "runs"))
    document = tiny(Training("wang-gomoku", 60))
    reproduce(document, Effort(hours=0), folder=tmp_path / "out", cores=1)
    assert not (tmp_path / "runs").exists()


@pytest.mark.slow
def test_a_training_that_is_done_is_not_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOARDZERO_RUNS", str(tmp_path / "runs"))
    changes = ("selfplay.games=2", "search.simulations=2", "search.child_values=false")
    changes += ("selfplay.max_steps=8", "run.iterations=1", "gate.games=0")
    document = tiny(Training("wang-gomoku-small", 1, changes))
    reproduce(document, Effort(), folder=tmp_path / "out", cores=1)
    log = tmp_path / "runs/wang-gomoku-small/log.jsonl"
    before = log.read_bytes()
    reproduce(document, Effort(), folder=tmp_path / "out", cores=1)
    assert log.read_bytes() == before


def test_too_little_disk_is_said_before_anything_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=5 << 20))
    with pytest.raises(BoardZeroError, match=r"has 5 MB of room.*4,000 MB"):
        reproduce(find_document("wang"), Effort(), folder=tmp_path, cores=1)


def test_bad_requests_are_answered_with_a_sentence() -> None:
    with pytest.raises(BoardZeroError, match="did you mean 'wang'"):
        find_document("wong")
    with pytest.raises(BoardZeroError, match="exclude each other"):
        Effort(quick=True, hours=1)
    with pytest.raises(BoardZeroError, match="less than 0"):
        Effort(hours=-1)


WINS = "player,1,2,total\n1,,3,3\n2,7,,7\n"
LOSSES = "run,net,iteration,policy,value\nwang-gomoku,net,1,4.1,0.9\nwang-gomoku,net,2,3.9,0.8\n"


def test_figures_are_drawn_anew_from_the_csv_files_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "versions").mkdir()
    (tmp_path / "versions/wins.csv").write_text(WINS)
    (tmp_path / "losses.csv").write_text(LOSSES)
    cells = [f"6.5,10,{row},{column},.,0.0156" for row in range(8) for column in range(8)]
    (tmp_path / "boards.csv").write_text(
        "\n".join(["figure,version,row,column,mark,share", *cells, ""])
    )
    document = find_document("wang")
    page = write_report(document, tmp_path, quick=False).read_text()
    figures = {path.name: path.read_bytes() for path in tmp_path.glob("*.svg")}
    assert {"figure-6-1.svg", "figure-6-2.svg", "figure-6-3.svg", "figure-6.5.svg"} <= set(figures)
    for path in tmp_path.glob("*.svg"):
        path.unlink()
    assert write_report(document, tmp_path, quick=False).read_text() == page
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*.svg")} == figures
