"""Each reason that a review knows, in a position that shows it."""

import pytest

from boardzero.games import make
from boardzero.study.reasons import Mistake, reason_for
from boardzero.study.words import Reason


def reason(
    game: str,
    fen: str,
    played: str,
    reply: str,
    best_line: str,
    *,
    value: float = -0.5,
    top: float = 0.0,
) -> Reason | None:
    """What is said of a move that is answered so, where another line was better."""
    state = make(game).parse_fen(fen)
    best = best_line.split("; ") if ";" in best_line else best_line.split()
    return reason_for(
        Mistake(
            state,
            state.parse(played),
            state.after(played),
            reply.split("; ") if ";" in reply else reply.split(),
            state.parse(best[0]),
            best,
            value=value,
            top=top,
        )
    )


@pytest.mark.parametrize(
    ("fen", "played", "reply", "best", "kind", "words"),
    [
        (
            "W:W6,11,21,26,28,29:B18",
            "21-17",
            "18-22 26-23 22-26 11-7 26-31",
            "26-22 18x25 29x22",
            "breakthrough",
            "After 21-17 black breaks through to a king: 18-22 26-23 22-26 11-7 26-31.",
        ),
        (
            "W:W6,15,18,K24,29:B16,K22",
            "24-27",
            "22x15",
            "15-10 22x15 6-1",
            "missed_breakthrough",
            "15-10 breaks through to a king: 15-10 22x15 6-1.",
        ),
        (
            "B:W17,19,29,30,32:B1,2,6,9,10",
            "10-15",
            "19x10 6x15",
            "10-14 17x10 6x24",
            "missed_shot",
            "10-14 was a shot that wins one man: 10-14 17x10 6x24.",
        ),
        (
            "B:W9,K23,26,29,31:B1,4,15,K30,K32",
            "4-8",
            "23-27 32x23 26x10",
            "15-19 23x16",
            "shot",
            "After 4-8 white has a shot that gives one man and takes two men: 23-27 32x23 26x10.",
        ),
        (
            "W:WK24,31:B18,25",
            "24-28",
            "25-30 28-24 18-22",
            "31-26 25-29 26-23 18x27 24x31",
            "opposition",
            "31-26 keeps the opposition; after 24-28 black has it.",
        ),
    ],
)
def test_draughts(fen: str, played: str, reply: str, best: str, kind: str, words: str) -> None:
    found = reason("english", fen, played, reply, best)
    assert found is not None
    assert (found.kind, found.sentence()) == (kind, words)


DOUBLE = "15/15/15/15/8x6/7o7/6o1x6/5oxx1x5/6o8/15/15/15/15/15/15 o"
# Black's column has a gap at h8 that only an overline fills; white's row needs h8 to be stopped.
GAP = "15/15/15/15/15/7x7/7x7/8ooo1x2/7x7/7x7/7x7/15/15/15/o1o11o x"
# A four in the upper row is answered; then a stone below makes two fours.
FOURS = "15/15/15/15/6x8/2xooo9/6o8/6o8/2xooo9/15/15/15/15/15/x1x1x1x1x6 x"


@pytest.mark.parametrize(
    ("fen", "played", "reply", "best", "kind", "words"),
    [
        (
            DOUBLE,
            "a9",
            "i8 k8 i10 i12 i7",
            "i8",
            "double_threat",
            "After a9 i8 makes two threats at once: i8 k8 i10 i12 i7.",
        ),
        (
            GAP,
            "a15",
            "l8",
            "l8",
            "forbidden",
            "h8 is a forbidden point for black, so the threat there cannot be answered: l8.",
        ),
        (
            FOURS,
            "a15",
            "g10 h10 g7 g6 h7",
            "g10",
            "fours",
            "After a15 white wins by one four after the other: g10 h10 g7 g6 h7.",
        ),
    ],
)
def test_five_in_a_row(fen: str, played: str, reply: str, best: str, kind: str, words: str) -> None:
    found = reason("gomoku:size=15,rule=renju", fen, played, reply, best, value=-1.0)
    assert found is not None
    assert (found.kind, found.sentence()) == (kind, words)


def test_a_win_that_is_kept_and_takes_much_longer_is_named() -> None:
    lines = {
        "7-10": "2-6 10x1",
        "7-11": "2-6 11-15 6-1 32-27 1-5 27-23 5-1 15-10 1-5 23-18 5-1 14-9 1-5 18-14 5-1 9-5"
        " 1-6 10x1",
    }
    fen, won = "W:WK7,K14,K32:BK2", {"value": 1.0, "top": 1.0}
    best = f"7-10 {lines['7-10']}"
    slow = reason("english", fen, "7-11", lines["7-11"], best, **won)
    assert slow is not None
    assert slow.sentence() == "7-10 wins in two moves, 7-11 only in ten moves."
    assert slow.sentence("nl") == "7-10 wint in twee zetten, 7-11 pas in tien zetten."
    assert reason("english", fen, "7-10", lines["7-10"], best, **won) is None


# Chexers: who is jumped over, and who leaves the board. Red leaves on the right, green below.


def step(start: str, end: str) -> str:
    return f'("MOVE", (({start}),({end})))'


RACE = "g1g1/5/5r/r6/5b/5/3b r 0,0,0 0"


def test_an_exit_that_is_missed_is_named_with_who_is_ahead() -> None:
    found = reason("chexers", RACE, step("-3,0", "-2,0"), "; ", '("EXIT", (3,-1)); ')
    assert found is not None
    assert found.kind == "missed_exit"
    assert "3,-1 exit brings a piece off the board; red is ahead with one piece" in found.sentence()


# Green stands beside its exits at -2,3, where red is, and -1,3, where red could go.
GUARDED = "g3/5/6/7/5b/2gr1/1r2 r 0,0,0 0"
LEAVES = "; ".join(
    [step("-1,2", "-1,3"), step("2,1", "2,0"), step("1,1", "1,0"), '("EXIT", (-1,3))']
)
STAYS = "; ".join([step("0,-3", "1,-3"), step("2,1", "2,0")])


@pytest.mark.parametrize(
    ("best", "words"),
    [
        (
            step("0,2", "-1,3"),
            "0,2>-1,3 blocks green's way off the board; after 0,2>1,1 it is open: -1,2>-1,3, ",
        ),
        (
            step("0,2", "0,1"),
            "After 0,2>1,1 green can leave the board and is ahead with one piece out: -1,2>-1,3, ",
        ),
    ],
)
def test_a_way_off_the_board_that_is_left_open_is_named(best: str, words: str) -> None:
    line = f"{best}; {STAYS}"
    found = reason("chexers", GUARDED, step("0,2", "1,1"), LEAVES, line)
    assert found is not None
    assert found.sentence().startswith(words)


def test_a_jump_that_is_missed_is_named() -> None:
    best = '("JUMP", ((-2,3),(0,1))); ' + STAYS
    found = reason("chexers", GUARDED, step("0,2", "1,1"), LEAVES, best)
    assert found is not None
    assert found.sentence() == "-2,3>0,1 jumps over a piece of green's and takes it over."


# Where nothing is forced, who has the attack.


@pytest.mark.parametrize(
    ("reply", "best", "kind"),
    [("h10 h11", "h10 h11", "key_point"), ("h10 h11", "g9", "open_three"), ("a1", "h10", None)],
)
def test_an_attack_is_named(reply: str, best: str, kind: str | None) -> None:
    fen = "15/15/15/15/15/15/7o7/7o7/5x2x6/15/15/15/15/15/15 x"
    found = reason("gomoku:size=15", fen, "a15", reply, best, value=-0.4, top=0.1)
    assert (found.kind if found else None) == kind
