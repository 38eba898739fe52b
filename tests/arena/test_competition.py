"""Whole competitions, in the store."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import fake_players  # noqa: F401 (registers them)
import pytest

from boardzero.arena.competition import Competition, CompetitionPlan, duels
from boardzero.arena.openings import RandomOpenings
from boardzero.arena.score import Score
from boardzero.arena.terms import Terms
from boardzero.base.errors import BoardZeroError
from boardzero.games import make
from boardzero.store import Store
from boardzero.training.model_files import write_model
from boardzero.training.trainer_group import TrainerGroup
from tests.training.tiny import tiny

A, B, C = "fake-honest", "fake-honest:after=1", "fake-honest:after=2"
BAD = "fake-illegal"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.sqlite") as store:
        yield store


def match(*players: str, games: int = 8, seed: int = 0, game: str = "english") -> CompetitionPlan:
    return CompetitionPlan(kind="match", game=game, players=players, games=games, seed=seed)


def played(plan: CompetitionPlan, store: Store, *, fresh: bool = False) -> Competition:
    competition = Competition(plan, store, fresh=fresh)
    for _ in competition.play():
        pass
    return competition


def moves(competition: Competition) -> dict[int, tuple[str, ...]]:
    return {number: game.moves for number, game in competition.games.items()}


def test_a_match_keeps_all_its_games_and_counts_them(store: Store) -> None:
    competition = played(match(A, B), store)
    assert competition.over
    assert store.count(match=competition.match.id) == 8
    score = competition.score(0)
    assert score.games == 8
    assert competition.score(1) == score.reversed
    assert Counter(game.seats for game in competition.games.values()) == {(A, B): 4, (B, A): 4}


def test_the_same_seed_gives_the_same_games_and_another_one_others(store: Store) -> None:
    first = moves(played(match(A, B), store))
    assert moves(played(match(A, B), store, fresh=True)) == first
    assert moves(played(match(A, B, seed=1), store)) != first


def test_an_interrupted_match_goes_on_where_it_was(store: Store) -> None:
    interrupted = Competition(match(A, B), store)
    playing = interrupted.play()
    before = [next(playing), next(playing), next(playing)]
    playing.close()
    after = Competition(match(A, B), store)
    assert after.match == interrupted.match
    assert len(after.games) == len(before)
    assert len(list(after.play())) == 5
    assert moves(after) == moves(played(match(A, B), store, fresh=True))


def test_a_complete_match_is_not_played_again(store: Store) -> None:
    first = played(match(A, B), store)
    second = Competition(match(A, B), store)
    assert second.over
    assert list(second.play()) == []
    assert second.score(0) == first.score(0)


def test_more_games_can_be_asked_for_later(store: Store) -> None:
    played(match(A, B, games=4), store)
    longer = Competition(match(A, B, games=8), store)
    assert len(longer.games) == 4
    assert len(list(longer.play())) == 4
    assert moves(longer) == moves(played(match(A, B), store, fresh=True))


def test_other_settings_are_another_match(store: Store) -> None:
    first = Competition(match(A, B), store)
    other = CompetitionPlan(
        kind="match", game="english", players=(A, B), games=8, openings=RandomOpenings(plies=2)
    )
    assert Competition(other, store).match.id != first.match.id


def test_another_net_in_the_same_place_is_another_match(store: Store, tmp_path: Path) -> None:
    def with_model_of(games: int) -> Competition:
        learner = TrainerGroup(make("gomoku:size=5,line=4"), tiny())
        write_model(tmp_path / "model", learner, run="a", version=0, games=games, minutes=0)
        players = (f"zero:model={tmp_path / 'model'}", "random:seed=1")
        return Competition(
            CompetitionPlan(kind="match", game="gomoku:size=5,line=4", players=players, games=2),
            store,
        )

    first, other = with_model_of(games=0), with_model_of(games=100)
    assert first.plan.players == other.plan.players
    assert first.match.id != other.match.id


def test_a_player_can_meet_itself(store: Store) -> None:
    competition = played(match(A, A, games=10), store)
    assert competition.score(0).reversed == competition.score(1)
    assert competition.seconds_per_move(0) != competition.seconds_per_move(1)


def test_a_bad_player_loses_every_game_and_the_tournament_goes_on(store: Store) -> None:
    plan = CompetitionPlan(kind="tournament", game="english", players=(A, BAD, B), games=4)
    competition = played(plan, store)
    assert len(competition.games) == 12
    assert competition.score(1) == Score(losses=8)
    assert competition.score(1, 0) == Score(losses=4)
    assert competition.score(0, 2).games == 4
    assert competition.faults(1) == {"illegal move": 8}
    assert not competition.faults(0)


def test_of_three_seats_two_players_have_as_many_each(store: Store) -> None:
    competition = played(match(A, B, game="chexers", games=6), store)
    assert competition.score(0) == competition.score(1).reversed
    assert Counter(p.seating.count(0) for p in competition.pairings.values()) == {1: 3, 2: 3}


def test_of_three_seats_a_bad_player_loses_however_many_it_has(store: Store) -> None:
    competition = played(match(A, BAD, game="chexers", games=6), store)
    assert competition.score(0) == Score(wins=6)
    assert competition.score(1) == Score(losses=6)
    for duel in duels(competition):  # as ratings see it
        assert duel.winner is not None
        assert duel.seats[duel.winner] == A
        assert duel.points(duel.winner) == 1


def test_of_three_players_nobody_wins_when_one_forfeits(store: Store) -> None:
    plan = CompetitionPlan(kind="tournament", game="chexers", players=(A, BAD, B), games=3)
    competition = played(plan, store)
    assert competition.score(1) == Score(losses=3)
    assert competition.score(0) == competition.score(2) == Score(draws=3)


def test_a_gauntlet_is_the_first_against_each_other_one(store: Store) -> None:
    plan = CompetitionPlan(kind="gauntlet", game="english", players=(BAD, A, B), games=2)
    competition = played(plan, store)
    assert competition.score(0) == Score(losses=4)
    assert competition.score(1, 2) == Score()


def test_a_sequential_test_stops_when_the_answer_is_clear(store: Store) -> None:
    plan = CompetitionPlan(
        kind="sprt", game="english", players=(A, BAD), games=1000, sprt=(0.0, 50.0), seed=2
    )
    competition = played(plan, store)
    assert competition.sprt is not None
    assert competition.sprt.verdict == "H1"
    assert competition.over
    # Games under way when the answer is clear are still counted, and these take microseconds.
    assert 4 <= len(competition.games) < 500
    again = Competition(plan, store)
    assert again.over
    assert again.sprt is not None
    assert again.sprt.llr == competition.sprt.llr


@pytest.mark.parametrize(
    ("plan", "complaint"),
    [
        ({"players": (A,)}, "needs at least two players"),
        ({"players": (A, B, C)}, "a match has two players, not 3"),
        ({"games": 0}, "needs at least one game"),
        ({"game": "english:ending=x"}, "did you mean 'endings'"),
        ({"players": (A, "fake-honesty")}, "did you mean 'fake-honest'"),
        ({"players": (A, "fake-honest:afte=1")}, "did you mean 'after'"),
        ({"kind": "tournament", "players": (A, B, A)}, "in the tournament twice"),
        ({"kind": "sprt", "sprt": (5.0, 0.0)}, "elo0 below elo1"),
        ({"kind": "sprt", "sprt": (0.0, 5.0), "game": "chexers"}, "needs a game of two"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(plan: dict[str, object], complaint: str) -> None:
    usual = {"kind": "match", "game": "english", "players": (A, B), "games": 4, "terms": Terms()}
    with pytest.raises(BoardZeroError, match=complaint):
        CompetitionPlan(**(usual | plan))  # type: ignore[arg-type]
