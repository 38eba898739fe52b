"""The level that adapts to a person's results."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardzero.players import Level
from boardzero.players.adaptive import FinishedGame, adapt, rated

EXAMPLES = Path(__file__).parents[2] / "web" / "tests" / "fixtures" / "adaptive.json"


def ladder(*ratings: float | None) -> list[Level]:
    return [Level(f"level{i}", f"player{i}", rating) for i, rating in enumerate(ratings)]


LADDER = ladder(250, 420, 600, 770, 940, 1130, 1300, 1490)

games = st.lists(
    st.builds(
        FinishedGame,
        st.tuples(st.sampled_from([level.spec for level in LADDER])),
        st.sampled_from([0.0, 0.5, 1.0]),
    ),
    max_size=30,
)


def place(found: Level) -> int:
    return [level.spec for level in LADDER].index(found.spec)


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(games)
def test_a_win_never_lowers_the_level_and_a_loss_never_raises_it(
    played: list[FinishedGame],
) -> None:
    now = adapt(LADDER, played)
    met = (now.level.spec,)
    assert place(adapt(LADDER, [*played, FinishedGame(met, 1.0)]).level) >= place(now.level)
    assert place(adapt(LADDER, [*played, FinishedGame(met, 0.0)]).level) <= place(now.level)


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(games)
def test_it_never_leaves_the_ladder(played: list[FinishedGame]) -> None:
    found = adapt(LADDER, played)
    assert found.level.spec in {level.spec for level in LADDER}
    assert 250 <= found.rating <= 1490


@pytest.mark.parametrize(("points", "end"), [(1.0, 7), (0.0, 0)])
def test_who_always_wins_comes_to_the_champion_and_who_always_loses_to_the_first(
    points: float, end: int
) -> None:
    played: list[FinishedGame] = []
    seen = [place(adapt(LADDER, played).level)]
    for _ in range(25):
        played.append(FinishedGame((adapt(LADDER, played).level.spec,), points))
        seen.append(place(adapt(LADDER, played).level))
    assert seen == sorted(seen, reverse=points == 0)
    assert seen[-1] == end
    assert all(abs(after - before) <= 1 for before, after in pairwise(seen))


def test_it_says_what_it_did() -> None:
    assert adapt(LADDER, []).words == "No games of yours yet: begins with level2."
    won = adapt(LADDER, [FinishedGame(("player2",), 1.0)])
    assert won.words == "You scored 1 of 1: up from level2 to level3."
    lost = adapt(LADDER, [FinishedGame(("player2",), 0.0)])
    assert lost.words == "You scored 0 of 1: down from level2 to level1."
    drawn = adapt(LADDER, [FinishedGame(("player2",), 0.5)])
    assert drawn.words == "You scored 0.5 of 1: stays with level2."


def test_games_against_others_than_levels_do_not_count() -> None:
    played = [FinishedGame(("zero:sims=400",), 1.0), FinishedGame(("player7", "other"), 1.0)]
    assert adapt(LADDER, played) == adapt(LADDER, [])


def test_levels_that_were_not_measured_lie_evenly() -> None:
    assert rated(ladder(None, None, None)) == [0, 175, 350]
    assert rated(ladder(100, 90, None)) == [
        100,
        101,
        276,
    ]  # ratings of the same strength still rise


def test_it_agrees_with_the_page() -> None:
    for example in json.loads(EXAMPLES.read_text()):
        levels = ladder(*example["ratings"])
        played = [
            FinishedGame(tuple(f"player{i}" for i in game["met"]), game["points"])
            for game in example["games"]
        ]
        found = adapt(levels, played)
        assert found.level.spec == f"player{example['level']}"
        before = None if found.before is None else found.before.spec
        assert before == (None if example["before"] is None else f"player{example['before']}")
        assert (found.points, found.games) == (example["points"], len(example["games"][-5:]))
        assert found.rating == pytest.approx(example["rating"], abs=0.01)
