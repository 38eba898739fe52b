"""The puzzles that come with the program, and the mining of new ones."""

from dataclasses import replace
from datetime import date

import pytest

from boardzero import BoardZeroError
from boardzero.games import make
from boardzero.study.mining import mine_games, verify
from boardzero.study.puzzles import GAP, PLAYED, Puzzle, daily, file_of, games_with_puzzles, puzzles


@pytest.mark.parametrize("spec", games_with_puzzles())
def test_every_puzzle_can_be_played_and_has_one_clear_solution(spec: str) -> None:
    known = puzzles(make(spec))
    assert known
    assert len({puzzle.id for puzzle in known}) == len(known)
    for puzzle in known:
        state = make(puzzle.game).parse_fen(puzzle.fen)
        assert len(state.moves()) >= 3
        assert puzzle.gap >= GAP
        for move in puzzle.solution:
            state.play(move)
    assert file_of(spec).is_file()


def test_the_daily_puzzle_is_the_same_all_day_and_another_on_some_other_day() -> None:
    game = make("english")
    days = [date(2030, 1, day) for day in range(1, 20)]
    assert daily(game, days[0]) == daily(game, days[0])
    assert len({daily(game, day).id for day in days}) > 1
    with pytest.raises(BoardZeroError, match="no puzzles"):
        daily(make("chexers"), days[0])


def long_shot() -> Puzzle:
    known = puzzles(make("international"))
    return next(one for one in known if one.theme == "shot" and len(one.solution) >= 5)


def test_a_puzzle_withstands_a_search_and_says_whose_it_was() -> None:
    found = verify(long_shot(), seconds=0.1)
    assert found is not None
    assert (found.verified, found.verifier) == (0.1, "alphabeta")
    assert found.gap >= GAP


def test_a_position_with_several_good_moves_does_not_withstand_a_search() -> None:
    start = make("english").start()
    one = replace(long_shot(), game="english", fen=start.fen(), solution=("11-15", "23-19"))
    assert verify(one, seconds=0.1) is None


def test_puzzles_are_found_in_games_that_were_played() -> None:
    wanted = long_shot()
    state = make(wanted.game).parse_fen(wanted.fen)
    (found,) = mine_games([state.after(wanted.solution[0])])
    assert found is not None
    assert (found.id, found.solution[0], found.mined) == (wanted.id, wanted.solution[0], PLAYED)
