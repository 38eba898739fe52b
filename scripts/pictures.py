"""Draw the pictures of the documentation into docs/images."""

from pathlib import Path

import boardzero

IMAGES = Path(__file__).parent.parent / "docs" / "images"


def pictures() -> dict[str, str]:
    """File name -> SVG."""
    draughts = boardzero.make("international").parse_fen(
        "W:W28,32,33,37,38,39,42,43,45,48,K50:B1,3,5,12,13,15,16,20,22,24,26,36,K46"
    )
    draughts.play(draughts.moves()[0])
    gomoku = boardzero.make("gomoku:size=15").start()
    for move in ("h8", "i9", "i7", "g9", "j8", "h9", "f9", "j9", "k9", "h10", "g7", "i8"):
        gomoku.play(move)
    chexers = boardzero.make("chexers").parse_fen("1g1g/5/2b3/2gr2b/r4b/1r2b/1r2 r 0,0,1 40")
    chexers.play("0,0>-2,0")
    return {
        f"{state.game.name}.svg": state.svg(last_move=state.last_move) + "\n"
        for state in (draughts, gomoku, chexers)
    }


def search_pictures() -> dict[str, str]:
    """What a search makes of a net's first thoughts, on one position of gomoku: file name -> SVG.

    Drawn anew for each site, because a net's last digits differ from machine to machine.
    """
    state = boardzero.make("gomoku").start()
    for move in ("d4", "e5", "e4", "d5", "f4", "c4", "f5"):
        state.play(move)
    with_search = boardzero.make_player("zero:sims=400", state.game).choose(state)
    found = with_search.candidates
    priors = {one.move.path[-1]: one.prior or 0.0 for one in found}
    visits = {one.move.path[-1]: float(one.visits) for one in found}
    return {
        "position.svg": state.svg(last_move=state.last_move),
        "priors.svg": state.svg(heat=_to_one(priors)),
        "visits.svg": state.svg(heat=_to_one(visits), highlights=[with_search.move.path[-1]]),
    }


def _to_one(values: dict[int, float]) -> dict[int, float]:
    largest = max(values.values())
    return {cell: value / largest for cell, value in values.items() if value > 0}


if __name__ == "__main__":
    for name, picture in {**pictures(), **search_pictures()}.items():
        (IMAGES / name).write_text(picture)
