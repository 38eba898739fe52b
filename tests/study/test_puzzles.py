"""The puzzles that come with the program, and the mining of new ones."""

from datetime import date

import pytest

from boardzero import BoardZeroError
from boardzero.games import make
from boardzero.study.puzzles import GAP, daily, file_of, games_with_puzzles, puzzles


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
