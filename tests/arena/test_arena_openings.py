"""Where games begin."""

from itertools import islice
from pathlib import Path

import pytest

from boardzero.arena.openings import Opening, RandomOpenings, WrittenOpenings, read_openings
from boardzero.base.errors import BoardZeroError
from boardzero.games import make


def first(count: int, plies: int, *, game: str = "english", seed: int = 0) -> list[Opening]:
    return list(islice(RandomOpenings(plies).of(make(game), seed=seed), count))


@pytest.mark.parametrize("game", ["english", "international", "gomoku", "chexers"])
def test_random_openings_are_legal_distinct_and_of_the_length_asked_for(game: str) -> None:
    openings = first(50, 4, game=game)
    states = {opening.state(make(game)) for opening in openings}
    assert len(states) == 50
    assert {len(opening.moves) for opening in openings} == {4}
    assert all(state.outcome() is None for state in states)


def test_openings_depend_on_the_seed_alone() -> None:
    assert first(20, 4, seed=1) == first(20, 4, seed=1)
    assert first(20, 4, seed=1) != first(20, 4, seed=2)
    assert first(20, 4) == first(30, 4)[:20]


def test_openings_come_again_when_there_are_no_others() -> None:
    openings = first(21, 1)
    assert len(set(openings)) == 7  # the first moves of English draughts
    assert openings[:7] == openings[7:14] == openings[14:]


def test_no_plies_are_the_usual_start() -> None:
    assert first(2, 0) == [Opening(), Opening()]


def test_a_game_that_is_over_too_soon_has_no_openings() -> None:
    with pytest.raises(BoardZeroError, match="ends within 100 random plies"):
        first(1, 100, game="gomoku")


def read(tmp_path: Path, text: str, pdn_plies: int = 4) -> tuple[Opening, ...]:
    path = tmp_path / "openings.txt"
    path.write_text(text)
    return read_openings(path, make("english"), pdn_plies=pdn_plies).openings


def test_a_file_has_moves_or_positions_on_its_lines(tmp_path: Path) -> None:
    text = "# two\n9-14 24-19\n\n1. 11-15 22-18 2. 15x22  # and a capture\nW:W22,31:B18\n"
    assert read(tmp_path, text) == (
        Opening(moves=("9-14", "24-19")),
        Opening(moves=("11-15", "22-18", "15x22")),
        Opening(start="W:W22,31:B18"),
    )


def test_the_first_moves_of_games_in_pdn_are_openings(tmp_path: Path) -> None:
    text = '[Event "a"]\n1. 9-14 24-19 2. 5-9 *\n[Event "b"]\n[FEN "W:W22,31:B18"]\n1. 22x15 *\n'
    assert read(tmp_path, text, pdn_plies=2) == (
        Opening(moves=("9-14", "24-19")),
        Opening(start="W:W22,31:B18", moves=("22x15",)),
    )


def test_moves_with_spaces_stand_apart_by_semicolons(tmp_path: Path) -> None:
    game = make("chexers")
    state = game.start()
    for _ in range(2):
        state.play(state.moves()[0])
    moves = tuple(str(move) for move in state.history)
    path = tmp_path / "openings.txt"
    path.write_text("; ".join(moves))
    assert read_openings(path, game).openings == (Opening(moves=moves),)


def test_openings_of_a_file_come_in_order_and_again(tmp_path: Path) -> None:
    openings = WrittenOpenings(read(tmp_path, "9-14\n11-15\n"))
    moves = [opening.moves[0] for opening in islice(openings.of(make("english")), 5)]
    assert moves == ["9-14", "11-15", "9-14", "11-15", "9-14"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("9-14\n9-15", "line 2 of .* is no opening: .*9-15"),
        ("W:W99:B1", "line 1 of .* is no opening: .*99"),
        ("# nothing", "there are no openings"),
    ],
)
def test_a_bad_file_is_refused_with_the_place(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(BoardZeroError, match=complaint):
        read(tmp_path, text)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BoardZeroError, match=r"cannot read the openings .* No such file"):
        read_openings(tmp_path / "none", make("english"))


def test_an_opening_in_which_the_game_is_over_is_refused() -> None:
    over = WrittenOpenings((Opening(start="B:W22:B"),))
    with pytest.raises(BoardZeroError, match="in opening 1 the game is over"):
        next(over.of(make("english")))
