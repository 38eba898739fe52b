"""Sun and Zhao 2018: AlphaGo Zero for English draughts; the slides show training curves alone."""

from __future__ import annotations

from collections.abc import Sequence

from boardzero.reproduce.curves import elo_curves, elo_figure, head_figure
from boardzero.reproduce.document import Document
from boardzero.reproduce.page import Page
from boardzero.reproduce.parts import MeasuringPart, Part, Training, Workshop, save_progress

_PLAYERS = ("random", "alphabeta:depth=2")


def _run(quick: bool) -> str:
    return "sun-zhao-small" if quick else "sun-zhao"


def parts(quick: bool) -> Sequence[Part]:
    run = _run(quick)
    training = Training(run, 5, limit=5) if quick else Training(run, 120, limit=120)

    def progress(shop: Workshop) -> None:
        save_progress(shop, "progress.csv", (run,))

    games, versions = (6, 3) if quick else (40, 10)
    return [
        training,
        elo_curves("curves", (run,), _PLAYERS, games=games, versions=versions, minutes=20),
        MeasuringPart("progress", "how far the run has come", 0.1, progress),
    ]


def write(page: Page, quick: bool) -> None:
    run = _run(quick)
    page.section("Training")
    columns = ("run", "iterations", "versions", "games", "minutes")
    rows = page.rows("progress.csv")
    page.table("How far the run is", columns, [[row[c] for c in columns] for row in rows])
    page.say(
        "The slides give three days on one GPU and show two curves without numbers. Their "
        "parameters (20 "
        "simulations, c_puct 0.1, learning rate 0.01, 10 games and 50 epochs an iteration) "
        "are the recipe's; "
        "what they leave open is the linked program's: 10 blocks of 64, a value layer of 128, "
        "batches of 64, "
        "20,000 records."
    )
    losses = page.rows("curves/losses.csv")
    head_figure(page, "losses", losses, run, title=f"Training losses of {run}")
    elo = page.rows("curves/elo.csv")
    for against in _PLAYERS:
        name = against.replace(":", "-").replace("=", "-")
        elo_figure(page, f"elo-{name}", elo, against, title=f"Elo against {against}")
    table = [
        (r["version"], r["minutes"], r["against"], f"{r['wins']} : {r['draws']} : {r['losses']}")
        for r in elo
    ]
    measured = ("version", "minutes", "against", "won : drawn : lost")
    page.table("Versions, which the slides do not measure", measured, table)


SUN_ZHAO = Document(
    "sun-zhao",
    "Sun and Zhao 2018: from Go to draughts",
    "Haozhe Sun and Tong Zhao, 2018: English draughts in the way of AlphaGo Zero, three "
    "components side by side.",
    2000,
    parts,
    write,
)
