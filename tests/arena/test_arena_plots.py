import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from boardzero.arena.plots import (
    Curve,
    _legend_columns,
    plot_curves,
    plot_ratings,
    plot_totals,
)
from boardzero.base.errors import BoardZeroError
from boardzero.store import Rating

RATINGS = [Rating("random", -300, -400, -220, 60), Rating("mcts:rollouts=600", 300, 220, 401, 60)]
DEPTHS = [
    Curve("Minimax", [1, 3, 6], [1e-5, 1e-3, 0.1]),
    Curve("Minimax (thesis)", [3, 6], [0.17, 19.24], reference=True),
]
ROLLOUTS = [Curve("MCTS", [100, 600, 1800], [0.001, 0.006, 0.018])]
ELO = [Curve("mpv", [1, 2, 3], [-300, -100, 20], [-350, -150, -30], [-250, -50, 70])]

PLOTS: dict[str, tuple[Callable[[Path], None], tuple[str, ...]]] = {
    "ratings": (
        lambda path: plot_ratings(RATINGS, path, labels={"random": "Rand"}),
        ("Rand", "mcts:rollouts=600", "Elo", "\N{MINUS SIGN}300", "Ratings with 95 % intervals"),
    ),
    "totals": (
        lambda path: plot_totals({"1": 10, "10": 25, "20": 38}, path),
        ("version", "games won", "38", "Games won by each version"),
    ),
    "depth": (
        lambda path: plot_curves(
            DEPTHS, path, title="Time", x_label="depth", y_label="time per move", seconds=True
        ),
        ("depth", "time per move", "Minimax", "Minimax (thesis)", "1 s", "10 µs"),
    ),
    "rollouts": (
        lambda path: plot_curves(
            ROLLOUTS, path, title="T", x_label="roll-outs", y_label="s", seconds=True, log_x=True
        ),
        ("roll-outs", "MCTS", "500", "10 ms"),
    ),
    "elo": (
        lambda path: plot_curves(
            ELO, path, title="Against Alpha-Beta", x_label="iteration", y_label="Elo"
        ),
        ("iteration", "Elo", "mpv", "Against Alpha-Beta"),
    ),
}


def words(svg: Path) -> set[str]:
    # matplotlib writes the micro sign of µs as the Greek letter, and a thin or plain space.
    texts = (
        element.text or "" for element in ElementTree.parse(svg).iter() if "text" in element.tag
    )
    return {text.replace("\u03bc", "\u00b5").strip() for text in texts}


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_says_what_it_shows(tmp_path: Path, name: str) -> None:
    plot, expected = PLOTS[name]
    plot(tmp_path / "plot.svg")
    assert words(tmp_path / "plot.svg") >= set(expected)


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_becomes_a_picture_of_good_size(tmp_path: Path, name: str) -> None:
    PLOTS[name][0](tmp_path / "plot.png")
    data = (tmp_path / "plot.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20]) == 1200  # width


def test_the_same_data_give_the_same_file(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        plot_totals({"1": 10, "10": 25}, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_ratings_without_an_upper_bound_can_be_drawn(tmp_path: Path) -> None:
    plot_ratings([*RATINGS, Rating("x", 500, 450, float("inf"), 9)], tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 1000


def test_empty_plots_are_drawn_and_not_refused(tmp_path: Path) -> None:
    plot_ratings([], tmp_path / "ratings.png")
    plot_totals({}, tmp_path / "totals.png")
    plot_curves([], tmp_path / "elo.png", title="Nothing yet", x_label="x", y_label="Elo")
    assert len(list(tmp_path.iterdir())) == 3


def test_a_file_that_cannot_be_a_plot_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BoardZeroError, match=r"ends in .png or .svg, which .*plot.jpeg does not"):
        plot_totals({"1": 1}, tmp_path / "plot.jpeg")
    with pytest.raises(BoardZeroError, match="cannot write"):
        plot_totals({"1": 1}, tmp_path / "missing" / "plot.png")


@pytest.mark.parametrize(("length", "columns"), [(8, 4), (28, 2), (200, 1)])
def test_a_legend_is_no_wider_than_its_figure(length: int, columns: int) -> None:
    assert _legend_columns(["x" * length, "y"]) == columns
    assert _legend_columns([]) == 4


def test_importing_the_arena_loads_no_heavy_library() -> None:
    code = """
import sys, boardzero
before = set(sys.modules)
import boardzero.arena, boardzero.arena.plots, boardzero.store
heavy = {"numpy", "scipy", "matplotlib", "openskill", "rich"} & (set(sys.modules) - before)
sys.exit(f"loaded {heavy}" if heavy else 0)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
