"""Wang 2018: gomoku on 8x8; losses, a tournament of versions, and what they look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from boardzero.arena.competition import CompetitionPlan
from boardzero.arena.openings import RandomOpenings
from boardzero.games import State, make
from boardzero.models import spread
from boardzero.players import make_player
from boardzero.reproduce.curves import head_figure
from boardzero.reproduce.document import Document
from boardzero.reproduce.ladder import GOMOKU
from boardzero.reproduce.page import Page, theirs
from boardzero.reproduce.parts import (
    Data,
    MeasuringPart,
    Part,
    Tournament,
    Training,
    Workshop,
    save_losses,
    save_progress,
)
from boardzero.runs.run_folder import RunFolder

# Boards of figures 6.4, 6.7 and 6.10 (its height on the board is lost; it is centred), by the
# version that looked at them, with the figure that shows what it saw.
_BOARDS = {
    10: ("6.5", "8/8/8/8/8/8/3oxoxo/xoxoxox1 x"),
    40: ("6.8", "8/8/8/8/8/3x4/3o4/3x4 o"),
    150: ("6.11", "8/8/2oxx3/3o4/2xxo3/3ox3/8/8 o"),
}
_FINAL = {10: "6.6", 40: "6.9"}  # figures of games of a version with itself
_VERSIONS = 16


def _run(quick: bool) -> str:
    return "wang-gomoku-small" if quick else "wang-gomoku"


def parts(quick: bool) -> Sequence[Part]:
    run = _run(quick)
    training = Training(run, 6, limit=6) if quick else Training(run, 6000)
    games, versions = (2, 4) if quick else (10, _VERSIONS)

    def plan(shop: Workshop) -> CompetitionPlan | None:
        found = shop.runs_of([run])
        if not found or len(found[0].versions()) < 3:
            return None
        chosen = _chosen(found[0], versions)
        # ε is part of U in every search of the thesis: without it ten games would be two.
        players = tuple(_spec(found[0], version) for version in chosen)
        return CompetitionPlan(
            kind="tournament",
            game="gomoku",
            players=players,
            games=games,
            openings=RandomOpenings(0),
            seed=1,
        )

    measured: list[Part] = [
        Tournament("versions", "16 versions all against all", 5 if quick else 60, plan, _labels),
        MeasuringPart("losses", "policy and value loss", 0.1, lambda shop: _losses(shop, run)),
        MeasuringPart("boards", "what three versions look at", 2, lambda shop: _boards(shop, run)),
    ]
    if quick:
        return [training, *measured]
    taught: list[Part] = [
        Data("gomoku-alphabeta", 15),
        Training("gomoku-taught", 30, limit=60),
        Training("gomoku8-zero", 60, run="gomoku-self", limit=60),
        Tournament("taught", "taught by games against taught by itself", 10, _taught),
    ]
    return [training, *measured, *taught, *GOMOKU.parts(minutes=15, games=100)]


def _taught(shop: Workshop) -> CompetitionPlan | None:
    found = shop.runs_of(["gomoku-taught", "gomoku-self"])
    if len(found) < 2:
        return None
    players = tuple(f"zero:run={run.path.resolve()},sims=64" for run in found)
    return CompetitionPlan(kind="match", game="gomoku", players=players, games=200, seed=1)


def _chosen(run: RunFolder, most: int) -> list[int]:
    """Version 1 and every tenth, as the thesis has it; or as many, evenly apart."""
    there = [version for version in run.versions() if version > 0]
    every_tenth = [version for version in there if version == 1 or version % 10 == 0]
    return every_tenth if len(every_tenth) == most else spread(there, most)


def _spec(run: RunFolder, version: int) -> str:
    return f"zero:run={run.path.resolve()},version={version},noise=true"


def _labels(plan: CompetitionPlan) -> Mapping[str, str]:
    return {
        player: next(o for o in player.split(",") if o.startswith("version=")).split("=")[1]
        for player in plan.players
    }


def _losses(shop: Workshop, run: str) -> None:
    save_losses(shop, "losses.csv", [run])
    save_progress(shop, "progress.csv", [run])


def _boards(shop: Workshop, name: str) -> None:
    """What versions 10, 40 and 150, or the nearest, think of the thesis's boards."""
    cells: list[tuple[object, ...]] = []
    finals: list[tuple[object, ...]] = []
    game = make("gomoku")
    for run in shop.runs_of([name]):
        for wanted, (figure, fen) in _BOARDS.items():
            version = min(run.versions(), key=lambda there: abs(there - wanted))
            spec = f"zero:run={run.path.resolve()},version={version},seed=1"
            state = game.parse_fen(fen)
            choice = make_player(spec, game).choose(state)
            visits = {c.move.text: c.visits for c in choice.candidates}
            total = sum(visits.values()) or 1
            for row, line in enumerate(_lines(state)):
                for column, mark in enumerate(line):
                    share = visits.get(f"{chr(97 + column)}{8 - row}", 0) / total
                    cells.append((figure, version, row, column, mark, f"{share:.4f}"))
            if wanted in _FINAL:
                finals += [(_FINAL[wanted], version, line) for line in _play_alone(spec)]
    shop.save("boards.csv", ("figure", "version", "row", "column", "mark", "share"), cells)
    shop.save("finals.csv", ("figure", "version", "line"), finals)


def _play_alone(spec: str) -> list[str]:
    """The last board of a version's game with itself."""
    game = make("gomoku")
    player = make_player(f"{spec},noise=true", game)
    state = game.start()
    while state.outcome() is None:
        state.play(player.choose(state).move)
    return _lines(state)


def _lines(state: State) -> list[str]:
    """The rows of the board from the top: X, O or a dot for each square."""
    rows = state.fen().split()[0].split("/")
    return ["".join("." * int(c) if c.isdigit() else c.upper() for c in row) for row in rows]


def write(page: Page, quick: bool) -> None:
    run = _run(quick)
    page.section("Training")
    columns = ("run", "iterations", "versions", "games", "minutes", "end")
    rows = page.rows("progress.csv")
    page.table("How far the run is", columns, [[row[c] for c in columns] for row in rows])
    page.say("The thesis trained for a month on a GPU, to 150 accepted versions.")
    losses = page.rows("losses.csv")
    head_figure(page, "figure-6-1", losses, run, title="Figure 6.1: value and policy loss")
    total = [{**row, "policy": str(float(row["policy"]) + float(row["value"]))} for row in losses]
    _overall(page, total)
    page.section("Versions against each other")
    _write_versions(page)
    page.section("What versions look at")
    _write_boards(page)
    if not quick:
        page.section("Taught by others, or by itself (section 7.4)")
        _write_taught(page)
        page.section("Why it learned slowly: from the small recipe to the modern one")
        GOMOKU.write(page)


def _overall(page: Page, rows: Sequence[Mapping[str, str]]) -> None:
    from boardzero.arena.plots import Curve

    x = [float(row["iteration"]) for row in rows]
    curve = Curve("both losses", x, [float(row["policy"]) for row in rows])
    title = "Figure 6.2: overall loss"
    page.curves("figure-6-2", [curve], title=title, x_label="iteration", y_label="loss")


def _write_versions(page: Page) -> None:
    printed = theirs("wang-table-2")
    columns = list(printed[0])
    page.table("Table 2 as printed", columns, [[row[c] for c in columns] for row in printed])
    page.say(
        "Printed totals of versions 1, 70, 100, 140 and 150 are not the sums of their rows, which "
        "are 10, 44, 70, 113 and 120; the figure has the printed ones."
    )
    ours = page.rows("versions/wins.csv")
    if not ours:
        page.missing("Table 2, ours")
        return
    columns = list(ours[0])
    page.table("Table 2, ours", columns, [[row[c] for c in columns] for row in ours])
    totals = {row[columns[0]]: int(row["total"]) for row in ours}
    page.totals("figure-6-3", totals, title="Figure 6.3: games won by each version, ours")
    totals = {row["version"]: int(row["total"]) for row in printed}
    page.totals("figure-6-3-thesis", totals, title="Figure 6.3: games won, the thesis's")


def _write_boards(page: Page) -> None:
    cells = page.rows("boards.csv")
    for wanted, (figure, _) in _BOARDS.items():
        own = [cell for cell in cells if cell["figure"] == figure]
        if not own:
            page.missing(f"Figure {figure}")
            continue
        shares = [[0.0] * 8 for _ in range(8)]
        marks = [["."] * 8 for _ in range(8)]
        for cell in own:
            row, column = int(cell["row"]), int(cell["column"])
            shares[row][column], marks[row][column] = float(cell["share"]), cell["mark"]
        title = f"Figure {figure}: version {own[0]['version']} (thesis: {wanted}), visits by square"
        page.board(f"figure-{figure}", shares, ["".join(row) for row in marks], title=title)
    finals = page.rows("finals.csv")
    for figure in _FINAL.values():
        lines = [row for row in finals if row["figure"] == figure]
        if lines:
            board = "\n".join(" ".join(row["line"]) for row in lines)
            version = lines[0]["version"]
            title = f"Figure {figure}, a game of version {version} with itself:"
            page.say(f"{title}\n\n```text\n{board}\n```")


def _write_taught(page: Page) -> None:
    rows = page.rows("taught/results.csv")
    columns = list(rows[0]) if rows else []
    page.table("Won : drawn : lost, the row first", columns, [list(r.values()) for r in rows])


WANG = Document(
    "wang",
    "Wang 2018: mastering gomoku without human knowledge",
    "Yuan Wang, Cal Poly 2018: gomoku on 8x8, a search whose expansions score every child, "
    "150 accepted versions.",
    4000,
    parts,
    write,
)
