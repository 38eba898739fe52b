"""Ocheretian 2022: nets that pick a piece, then its move, and search players."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median

from boardzero.arena.plots import Curve
from boardzero.arena.tournament_recipe import TournamentRecipe, read_recipe
from boardzero.arena.tournament_recipe import run as run_tournament
from boardzero.base.errors import BoardZeroError
from boardzero.games import make
from boardzero.lodz.events import ChoicesTested
from boardzero.lodz.legality import MOVE_ERRORS, PIECE_ERRORS, Tally, examine
from boardzero.lodz.picker import OnnxPicker
from boardzero.reproduce.document import Document
from boardzero.reproduce.page import Page, theirs
from boardzero.reproduce.parts import MeasuringPart, Part, Training, Workshop, save_progress
from boardzero.runs.events import of_type
from boardzero.training.dataset import DataSet

_NETS = ("lodz-single", "lodz-double", "lodz-dqn")
_PLUS = ("lodz-double-plus", "lodz-dqn-plus")
_OPPONENTS = ("minimax:depth=3", "alphabeta:depth=3", "mcts:rollouts=600,prove=false")
_CYCLES = 530_000  # where the thesis stopped
_GROUP = 100  # test games in a point of figure 5.9
_SEARCHERS = ("Rand", "MM 3", "MM 6", "AB 3", "AB 6", "MCTS 600", "MCTS 1800")


def _nets(quick: bool) -> tuple[str, ...]:
    return tuple(f"{name}-small" for name in _NETS) if quick else (*_NETS, *_PLUS)


def parts(quick: bool) -> Sequence[Part]:
    small = "-small" if quick else ""
    cycles = () if quick else (f"run.cycles={_CYCLES}",)
    trainings: list[Part] = [
        Training(f"lodz-single{small}", 1 if quick else 8),
        Training(f"lodz-double{small}", 1 if quick else 4),
        Training(f"lodz-dqn{small}", 6 if quick else 290, changes=cycles),
    ]
    if not quick:
        trainings += [Training("lodz-double-plus", 3), Training("lodz-dqn-plus", 20)]
    games = 10 if quick else 100
    return [
        *trainings,
        MeasuringPart(
            "legality",
            "how often choices are legal",
            games / 20,
            lambda s: _legality(s, quick, games),
        ),
        MeasuringPart(
            "tables", "all players against all, and times", games / 3, lambda s: _tables(s, quick)
        ),
        MeasuringPart(
            "data", "what the data set is made of", 0.5, lambda s: _data(s, f"lodz{small}")
        ),
    ]


def _data(shop: Workshop, name: str) -> None:
    try:
        summary = DataSet.open(name).summary()
    except BoardZeroError:
        return  # nothing has been trained
    mean = summary.positions / max(1, summary.games)
    columns = ("data set", "games", "positions", "positions a game")
    shop.save("data.csv", columns, [(name, summary.games, summary.positions, f"{mean:.1f}")])


def _legality(shop: Workshop, quick: bool, games: int) -> None:
    """Games against search players, as the thesis counts; and the test games of deep Q-learning."""
    columns: tuple[str, ...]
    columns = ("run", "version", "games", "decisions", "illegal tries", "ratio", "best ratio")
    columns += ("legal at first", "first decisions legal, mean", "median", "won", "drawn", "lost")
    rows, errors = [], []
    for run in shop.runs_of(_nets(quick)):
        folder, card = run.model()
        game = make(card.game)
        tally = Tally()
        for played in examine(OnnxPicker(folder, game), game, _OPPONENTS, games=games, seed=1):
            tally = played
            shop.tell(f"{run.name}: {sum(tally.results.values())} of {games} games")
        counts = (tally.decisions, tally.tries, f"{tally.ratio:.4f}", f"{tally.best_ratio:.4f}")
        begun = (f"{fmean(tally.begun_well):.1f}", f"{median(tally.begun_well):g}")
        score = (tally.results[1], tally.results[0], tally.results[-1])
        rows.append((run.name, card.version, games, *counts, f"{tally.legal:.4f}", *begun, *score))
        errors += [
            (
                run.name,
                f"{which}: {what}",
                tally.first_errors[which, what],
                tally.errors[which, what],
            )
            for which, kinds in (("piece", PIECE_ERRORS), ("move", MOVE_ERRORS))
            for what in kinds
        ]
    shop.save("legality.csv", columns, rows)
    shop.save("errors.csv", ("run", "error", "first choices", "all tries"), errors)
    save_progress(shop, "progress.csv", _nets(quick))
    _test_games(shop, quick)


def _test_games(shop: Workshop, quick: bool) -> None:
    rows = []
    for run in shop.runs_of([name for name in _nets(quick) if "dqn" in name]):
        events = of_type(run.read_log(), ChoicesTested)
        for start in range(0, len(events), _GROUP):
            group = events[start : start + _GROUP]
            sums = (sum(e.decisions for e in group), sum(e.first for e in group))
            rows.append((run.name, group[-1].iteration, *sums, sum(e.wrong for e in group)))
    columns = ("run", "cycle", "decisions", "legal at first choice", "illegal tries")
    shop.save("test-games.csv", columns, rows)


def _tables(shop: Workshop, quick: bool) -> None:
    """The cross table with the nets, and that of the search players with the figures of time."""
    for name in ("lodz-table", "lodz-nets-table"):
        recipe = read_recipe(name)
        if name == "lodz-nets-table":
            recipe = _with_runs(recipe, shop, quick)
        if quick:
            recipe = recipe.model_copy(update={"games": 4, "figures": ()})
        shop.tell(recipe.title)
        run_tournament(recipe, shop.store, shop.folder / name, play=shop.play)


def _with_runs(recipe: TournamentRecipe, shop: Workshop, quick: bool) -> TournamentRecipe:
    """With the runs of this experiment, as far as they are there."""
    players = {}
    for label, spec in recipe.players.items():
        if not spec.startswith("net:run="):
            players[label] = spec
            continue
        name = spec.removeprefix("net:run=") + ("-small" if quick else "")
        for run in shop.runs_of([name]):
            players[label] = f"net:run={run.path.resolve()}"
    times = {k: v for k, v in (recipe.reference or {}).items() if k in players}
    return recipe.model_copy(update={"players": players, "reference": times})


def write(page: Page, quick: bool) -> None:
    page.section("The data set (section 5.2)")
    data = [["thesis", "2130", "127739", "60.0"]]
    data += [list(row.values()) for row in page.rows("data.csv")]
    page.table("Games", ("", "games", "positions", "positions a game"), data)
    page.section("Legal choices (sections 5.3 and 5.4)")
    _write_ratios(page, quick)
    _write_errors(page)
    _write_test_games(page)
    page.section("Cross table (section 5.5)")
    _write_cross_table(page)
    _write_results(page, "lodz-table", "Search players alone, from the usual start")
    page.section("Time for a move (table 5.1, figures 5.10 and 5.11)")
    _write_times(page)


def _write_ratios(page: Page, quick: bool) -> None:
    printed = {row["run"]: row for row in theirs("ocheretian-ratios")}
    table = []
    for row in page.rows("legality.csv"):
        said = printed.get(row["run"].removesuffix("-small"), {})
        mean, most = said.get("mean", ""), said.get("maximum", "")
        percent = [_percent(row[key]) for key in ("ratio", "best ratio")]
        table.append(
            (
                row["run"],
                f"{mean} %" if mean else "",
                percent[0],
                f"{most} %" if most else "",
                percent[1],
                f"{100 * float(row['legal at first']):.1f} %",
                f"{row['first decisions legal, mean']} / {row['median']}",
                f"{row['won']} : {row['drawn']} : {row['lost']}",
            )
        )
    columns: tuple[str, ...]
    columns = ("net", "correct : incorrect, thesis", "ours", "largest of a game, thesis", "ours")
    columns += ("legal at first choice", "decisions until the first illegal, mean / median")
    page.table("Against minimax 3, alpha-beta 3 and MCTS 600", (*columns, "w : d : l"), table)
    page.say(
        'Of the single network the thesis says that "for the first 15 - 20 moves, the network '
        "selects and "
        'sends the correct move". A ratio counts every illegal try of a decision, so that one '
        "hard position "
        "weighs more than many easy ones."
        + (" The small forms learned from a tenth of the games." if quick else "")
    )


def _percent(ratio: str) -> str:
    return "no mistake" if ratio == "inf" else f"{100 * float(ratio):.1f} %"


def _write_errors(page: Page) -> None:
    rows = page.rows("errors.csv")
    runs = list(dict.fromkeys(row["run"] for row in rows))
    counts = {(r["run"], r["error"]): f"{r['first choices']} / {r['all tries']}" for r in rows}
    kinds = dict.fromkeys(row["error"] for row in rows)
    table = [(kind, *(counts[run, kind] for run in runs)) for kind in kinds]
    page.table("Figures 5.7 and 5.8: what is wrong, first choices / all tries", ("", *runs), table)


def _write_test_games(page: Page) -> None:
    rows = page.rows("test-games.csv")
    for run in dict.fromkeys(row["run"] for row in rows):
        own = [row for row in rows if row["run"] == run]
        x = [float(row["cycle"]) for row in own]
        ratios = [100 * int(r["decisions"]) / max(1, int(r["illegal tries"])) for r in own]
        curves = [Curve("ours", x, ratios)]
        if "plus" not in run:
            curves.append(Curve("thesis, mean", [0, x[-1]], [9.459, 9.459], reference=True))
        title = f"Figure 5.9: correct to incorrect choices of {run}, percent"
        name = f"figure-5-9-{run}"
        page.curves(name, curves, title=title, x_label="cycle", y_label="percent")
        mean = (
            100
            * sum(int(r["decisions"]) for r in own)
            / max(1, sum(int(r["illegal tries"]) for r in own))
        )
        text = f"`{run}`: {mean:.1f} % over all test games to cycle {int(x[-1]):,}"
        page.say(text + ("." if "plus" in run else "; the thesis has 9.459 % to cycle 530,000."))


def _write_cross_table(page: Page) -> None:
    ours = page.rows("lodz-nets-table/results.csv")
    if not ours:
        page.missing("Cross table")
        return
    label = next(iter(ours[0]))
    by_row = {row[label]: row for row in ours}
    table = []
    for row in theirs("ocheretian-cross-table"):
        net, seat = row["net"], row["seat"]
        if net not in by_row:
            continue
        names = [name for name in row if name not in ("net", "seat")]
        table.append((f"{net}, {seat}, thesis", *(row[name] for name in names)))
        mine = [
            by_row[net].get(name, "") if seat == "first" else _turned(by_row.get(name, {}).get(net))
            for name in names
        ]
        table.append((f"{net}, {seat}, ours", *mine))
    page.table("Won : drawn : lost by the net", ("", *_SEARCHERS, "NN 1"), table)
    _write_results(page, "lodz-nets-table", "All players, ours")


def _write_results(page: Page, folder: str, title: str) -> None:
    """Won, drawn and lost by the row, who moves first; and ratings."""
    for file, what in (
        ("results", "won : drawn : lost by the row, who begins"),
        ("ratings", "Elo"),
    ):
        rows = page.rows(f"{folder}/{file}.csv")
        columns = list(rows[0]) if rows else []
        page.table(f"{title}: {what}", columns, [list(row.values()) for row in rows])


def _turned(result: str | None) -> str:
    """Seen by the other side."""
    return " : ".join(reversed(result.split(" : "))) if result else ""


def _write_times(page: Page) -> None:
    times = page.rows("lodz-nets-table/times.csv") or page.rows("lodz-table/times.csv")
    seconds = {row["player"]: row["seconds"] for row in times}
    table = [
        (row["player"], row["seconds"], seconds[row["player"]])
        for row in theirs("ocheretian-times")
        if row["player"] in seconds
    ]
    page.table(
        "Table 5.1: mean seconds for a move, in the games above", ("", "thesis", "ours"), table
    )
    for name, axis in (("figure-5-10", "depth"), ("figure-5-11", "roll-outs")):
        rows = page.rows(f"lodz-table/{name}.csv")
        title = f"Figure {name[7:].replace('-', '.')}: seconds for a move by {axis}"
        if not rows:
            page.missing(title)
            continue
        curves = []
        for column in list(rows[0])[1:]:
            there = [row for row in rows if row[column]]
            x, y = [float(r[axis]) for r in there], [float(r[column]) for r in there]
            curves.append(Curve(column, x, y, reference=column.endswith("(reference)")))
        page.curves(name, curves, title=title, x_label=axis, y_label="for a move", seconds=True)
    page.say(
        "Times of the figures are from games of the two with each other, not from those of "
        "the table."
    )


OCHERETIAN = Document(
    "ocheretian",
    "Ocheretian 2022: deep Q-learning and draughts",
    "Lodz 2022: English draughts that end after 15 plies without a jump; a single network, a "
    "double network and "
    "deep Q-learning against random, minimax, alpha-beta and Monte-Carlo players.",
    1500,
    parts,
    write,
)
