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


if __name__ == "__main__":
    for name, picture in pictures().items():
        (IMAGES / name).write_text(picture)
