import csv
import io
from pathlib import Path

import pytest
from rich.console import Console
from simulated import games

from boardzero.arena import (
    Table,
    cross_table,
    rating_table,
    seconds_per_move,
    time_table,
    total_wins,
    wins_table,
)
from boardzero.base.errors import BoardZeroError
from boardzero.store import GameResult, Rating

LODZ = {"random": "Rand", "minimax:depth=3": "MM 3"}
PLAYED = games("random", "minimax:depth=3", 1, 9, 90) + games("minimax:depth=3", "random", 98, 2, 0)

# Table 2 of the Gomoku thesis: wins of the row's version against the column's, and the total that
# it prints. Five of its totals are not the sums of their rows.
VERSIONS = [str(version) for version in [1, *range(10, 151, 10)]]
GOMOKU = """
. 3 0 2 1 1 2 0 1 0 0 0 0 0 0 0 11
7 . 3 2 2 0 2 2 4 1 0 0 1 1 0 0 25
8 5 . 3 3 2 0 5 4 2 3 0 1 0 1 1 38
5 5 2 . 0 0 2 0 0 0 0 0 0 0 0 0 14
7 8 5 2 . 4 0 0 2 0 0 1 0 0 0 0 29
9 6 8 3 6 . 2 3 0 1 0 0 1 2 0 0 41
5 6 5 3 9 7 . 0 2 2 0 2 1 0 0 0 42
7 6 3 4 4 4 9 . 2 2 2 1 0 0 0 0 42
8 5 4 8 7 7 4 1 . 0 0 1 2 2 2 0 51
10 8 6 5 6 6 4 0 7 . 5 3 2 1 1 1 65
10 10 4 6 10 8 7 5 6 0 . 1 1 1 0 1 65
10 10 9 5 8 5 5 7 7 4 9 . 2 3 2 1 87
10 8 9 9 9 6 8 7 7 8 6 5 . 3 0 1 96
10 7 9 10 10 6 10 5 8 8 6 2 6 . 2 2 101
10 10 8 9 8 7 9 9 7 9 8 6 7 3 . 3 105
10 10 9 9 10 9 8 8 8 9 9 7 6 3 5 . 110
"""


def test_the_cross_table_counts_for_the_player_who_moves_first() -> None:
    table = cross_table(PLAYED, labels=LODZ)
    assert table.columns == ("", "Rand", "MM 3")
    assert table.rows == (("Rand", "-", "1 : 9 : 90"), ("MM 3", "98 : 2 : 0", "-"))


def test_the_order_of_the_players_can_be_given() -> None:
    table = cross_table(PLAYED, players=["minimax:depth=3", "random", "greedy"])
    assert [row[0] for row in table.rows] == ["minimax:depth=3", "random", "greedy"]
    assert table.rows[2] == ("greedy", "-", "-", "-")


def test_a_cross_table_of_three_player_games_is_refused() -> None:
    with pytest.raises(BoardZeroError, match="two players"):
        cross_table([GameResult(("a", "b", "c"), (1, -1, -1), 0)])


def test_the_wins_table_of_the_gomoku_thesis_is_reproduced() -> None:
    thesis = [line.split() for line in GOMOKU.split("\n") if line]
    played = [
        game
        for row, cells in zip(VERSIONS, thesis, strict=True)
        for column, cell in zip(VERSIONS, cells, strict=False)
        if cell != "."
        for game in games(row, column, int(cell) // 2, 0, 0)
        + games(column, row, 0, 1, int(cell) - int(cell) // 2)
    ]
    table = wins_table(played, players=VERSIONS)
    assert table.columns == ("", *VERSIONS, "total")
    for row, cells in zip(table.rows, thesis, strict=True):
        assert row[1:-1] == tuple(cell.replace(".", "") for cell in cells[:-1])
    slips = {
        row[0]: (int(row[-1]), int(cells[-1]))
        for row, cells in zip(table.rows, thesis, strict=True)
        if row[-1] != cells[-1]
    }
    assert slips == {
        "1": (10, 11),
        "70": (44, 42),
        "100": (70, 65),
        "140": (113, 105),
        "150": (120, 110),
    }
    assert total_wins(played)["150"] == 120


def test_a_game_of_three_is_one_win_over_both_others() -> None:
    played = [
        GameResult(("a", "b", "c"), (-1, 1, -1), 1),
        GameResult(("a", "b", "c"), (0,) * 3, None),
    ]
    table = wins_table(played)
    assert table.rows == (
        ("a", "", "0", "0", "0"),
        ("b", "1", "", "1", "1"),
        ("c", "0", "0", "", "0"),
    )


def test_the_rating_table_has_the_strongest_first() -> None:
    ratings = [Rating("a", -12.6, -40.2, 15.1, 30), Rating("b", 12.6, -15.1, float("inf"), 30)]
    assert rating_table(ratings).rows == (
        ("b", "13", "-15", "+∞", "30"),
        ("a", "-13", "-40", "15", "30"),
    )


def test_the_time_per_move_is_the_mean_over_all_moves_and_not_over_games() -> None:
    played = [
        GameResult(("a", "b"), (1, -1), 0, seconds=(1.0, 3.0), turns=(1, 3)),
        GameResult(("b", "a"), (1, -1), 0, seconds=(1.0, 1.0), turns=(1, 3)),
        GameResult(("a", "untimed"), (0, 0), None),
    ]
    assert seconds_per_move(played) == {"a": 0.5, "b": 1.0}


def test_the_time_table_says_how_many_times_shorter_than_the_reference() -> None:
    played = [GameResult(("a", "b"), (1, -1), 0, seconds=(0.08, 3.0), turns=(8, 3))]
    table = time_table(played, reference={"a": 19.24})
    assert table.columns == ("player", "seconds", "reference", "times shorter")
    assert table.rows == (("a", "0.01", "19.2", "1,924"), ("b", "1", "-", "-"))
    assert time_table(played).rows == (("a", "0.01"), ("b", "1"))


TABLE = Table("Title", ("", "one", "[b]x|y"), (("first", "1", "22"), ("b", "-333", "a,b")))


def test_text_is_aligned() -> None:
    assert TABLE.text().split("\n") == [
        "Title",
        "",
        "        one  [b]x|y",
        "─────  ────  ──────",
        "first     1      22",
        "b      -333     a,b",
        "",
    ]


def test_markdown_escapes_its_own_bars() -> None:
    assert TABLE.markdown().split("\n")[2:4] == [r"|  | one | [b]x\|y |", "| :--- | ---: | ---: |"]


def test_csv_reads_back_as_the_same_cells() -> None:
    rows = [tuple(row) for row in csv.reader(io.StringIO(TABLE.csv()))]
    assert rows == [TABLE.columns, *TABLE.rows]


def test_rich_shows_names_that_look_like_markup() -> None:
    console = Console(width=60, file=io.StringIO())
    console.print(TABLE.rich())
    assert "[b]x|y" in console.file.getvalue()  # type: ignore[attr-defined]


def test_a_table_without_rows_is_still_a_table() -> None:
    table = cross_table([])
    assert table.rows == ()
    assert table.text().startswith("Won")
    assert table.csv() == '""\n'


@pytest.mark.parametrize(
    ("name", "start"), [("t.txt", "Title"), ("t.md", "**T"), ("t.csv", ",one")]
)
def test_the_name_of_the_file_chooses_the_format(tmp_path: Path, name: str, start: str) -> None:
    TABLE.save(tmp_path / name)
    assert (tmp_path / name).read_text().startswith(start)


def test_a_file_that_cannot_be_a_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BoardZeroError, match=r"ends in .txt, .md or .csv, which .*t.xls does not"):
        TABLE.save(tmp_path / "t.xls")
    with pytest.raises(BoardZeroError, match="cannot write"):
        TABLE.save(tmp_path / "missing" / "t.csv")
