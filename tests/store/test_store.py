from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stored_games import GAME

from boardzero.base.errors import BoardZeroError
from boardzero.store import PlayedGame, Rating, Store, StoredGame

SEATS = st.integers(2, 4)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
MOMENTS = st.datetimes(timezones=st.just(UTC))


@st.composite
def records(draw: st.DrawFn) -> PlayedGame:
    seats = draw(SEATS)
    each = lambda of: tuple(draw(st.lists(of, min_size=seats, max_size=seats)))  # noqa: E731
    return PlayedGame(
        seats=each(TEXTS),
        values=each(st.floats(-1, 1)),
        winner=draw(st.none() | st.integers(0, seats - 1)),
        seconds=each(st.floats(0, 1e6)),
        turns=each(st.integers(0, 10**6)),
        game=draw(TEXTS),
        reason=draw(TEXTS),
        started=draw(MOMENTS),
        finished=draw(MOMENTS),
        moves=tuple(draw(st.lists(TEXTS))),
        opening=tuple(draw(st.lists(TEXTS))),
        start=draw(TEXTS),
        seed=draw(st.none() | st.integers(-(2**70), 2**70)),
    )


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(record=records())
def test_a_game_comes_back_as_it_was_stored(store: Store, record: PlayedGame) -> None:
    game_id = store.add_game(record)
    assert game_id is not None
    assert store.game(game_id) == StoredGame(**asdict(record), id=game_id)


def test_games_survive_closing_and_opening(path: Path) -> None:
    with Store(path) as store:
        game_id = store.add_game(GAME)
    with Store(path) as store:
        assert [game.id for game in store.games()] == [game_id]


def test_games_are_found_by_player_rules_and_match(store: Store) -> None:
    match = store.start_match("match", game="english").id
    first = store.add_game(GAME, match=match, number=0)
    second = store.add_game(replace(GAME, seats=("random", "greedy")))
    third = store.add_game(replace(GAME, game="gomoku:size=8"), match=match, number=1)

    def found(**conditions: object) -> list[int]:
        assert store.count(**conditions) == len(list(store.games(**conditions)))  # type: ignore[arg-type]
        return [game.id for game in store.games(**conditions)]  # type: ignore[arg-type]

    assert found() == [first, second, third]
    assert found(player="greedy") == [second]
    assert found(player="random") == [first, second, third]
    assert found(game="english") == [first, second]
    assert found(match=match) == [first, third]
    assert found(match=match, game="english", player="random") == [first]
    assert found(player="nobody") == []
    assert store.players() == ("alphabeta:depth=3", "greedy", "random")


def test_the_newest_games_come_first_when_asked(store: Store) -> None:
    ids = [store.add_game(GAME) for _ in range(5)]
    assert [game.id for game in store.games(newest_first=True, limit=2)] == [ids[4], ids[3]]
    assert [game.id for game in store.games(limit=2)] == ids[:2]


def test_more_games_than_one_page_come_each_once_and_in_order(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boardzero.store.store._PAGE", 3)
    ids = [store.add_game(replace(GAME, seed=seed)) for seed in range(10)]
    assert [game.id for game in store.games()] == ids
    assert [game.id for game in store.games(newest_first=True)] == ids[::-1]


def test_games_may_be_added_while_others_are_read(store: Store, path: Path) -> None:
    store.add_game(GAME)
    reading = store.games()
    next(reading)
    with Store(path) as other:
        assert other.add_game(GAME) is not None


def test_a_number_of_a_match_counts_once_and_the_first_game_stays(store: Store) -> None:
    match = store.start_match("tournament", game="english").id
    first = store.add_game(GAME, match=match, number=7)
    assert store.add_game(replace(GAME, winner=1), match=match, number=7) is None
    assert [(game.id, game.winner) for game in store.games(match=match)] == [(first, 0)]
    assert store.done(match) == {7}
    assert store.players() == ("alphabeta:depth=3", "random")


def test_the_same_number_in_two_matches_is_two_games(store: Store) -> None:
    for _ in range(2):
        match = store.start_match("match", game="english")
        assert store.add_game(GAME, match=match.id, number=0) is not None
    assert store.count() == 2


def test_resuming_finds_the_newest_match_with_equal_settings(store: Store) -> None:
    old = store.start_match("gauntlet", game="english", settings='{"games": 10, "seed": 1}')
    new = store.start_match("gauntlet", game="english", settings='{"games": 10, "seed": 1}')
    again = store.resume_match("gauntlet", game="english", settings='{"seed":1,"games":10}')
    assert old.id != new.id
    assert again == new


@pytest.mark.parametrize(
    ("kind", "game", "settings_text"),
    [
        ("match", "english", '{"seed": 1}'),
        ("sprt", "international", '{"seed": 1}'),
        ("sprt", "english", '{"seed": 2}'),
    ],
)
def test_resuming_starts_a_new_match_when_anything_differs(
    store: Store, kind: str, game: str, settings_text: str
) -> None:
    old = store.start_match("sprt", game="english", settings='{"seed": 1}')
    new = store.resume_match(kind, game=game, settings=settings_text)  # type: ignore[arg-type]
    assert new.id != old.id
    assert store.match(new.id) == new
    assert store.done(new.id) == frozenset()


def test_matches_are_listed_by_kind_and_game(store: Store) -> None:
    first = store.start_match("match", game="english")
    second = store.start_match("sprt", game="english")
    third = store.start_match("match", game="gomoku")
    assert store.matches() == [first, second, third]
    assert store.matches(kind="match") == [first, third]
    assert store.matches(kind="match", game="gomoku") == [third]


def test_a_new_rating_list_replaces_the_old_one_of_its_method_only(store: Store) -> None:
    weak, strong = Rating("random", -50, -80, -20, 40), Rating("greedy", 50, 20, float("inf"), 40)
    store.save_ratings([weak], game="english", method="thesis")
    store.save_ratings([Rating("gone", 1, 0, 2, 3)], game="english", method="elo")
    store.save_ratings([weak, strong], game="english", method="elo")
    assert store.ratings(game="english", method="elo") == [strong, weak]
    assert store.ratings(game="english", method="thesis") == [weak]
    assert store.ratings(game="gomoku", method="elo") == []


def test_times_are_kept_in_universal_time(store: Store) -> None:
    local = datetime.fromisoformat("2024-05-01T14:00:00+02:00")
    game_id = store.add_game(replace(GAME, started=local))
    assert game_id is not None
    assert store.game(game_id).started.isoformat() == "2024-05-01T12:00:00+00:00"


def test_asking_for_what_is_not_there_gives_a_sentence(store: Store) -> None:
    with pytest.raises(BoardZeroError, match="there is no game 5 in"):
        store.game(5)
    with pytest.raises(BoardZeroError, match="there is no match 6 in"):
        store.match(6)
    with pytest.raises(BoardZeroError, match="there is no match 6 in"):
        store.done(6)
    with pytest.raises(BoardZeroError, match="there is no match 6 in"):
        store.add_game(GAME, match=6, number=0)
    assert store.count() == 0


def test_wrong_matches_are_refused_with_a_sentence(store: Store) -> None:
    with pytest.raises(BoardZeroError, match="'duel' is no kind of match; there are match,"):
        store.start_match("duel", game="english")  # type: ignore[arg-type]
    with pytest.raises(BoardZeroError, match="not JSON"):
        store.start_match("match", game="english", settings="games=10")
    with pytest.raises(BoardZeroError, match="both the match and its number"):
        store.add_game(GAME, number=3)


def test_a_sound_database_has_no_problems(store: Store) -> None:
    store.add_game(GAME)
    assert store.problems() == []


def test_games_are_found_by_a_position_the_newest_first(store: Store) -> None:
    first, second, other = (store.add_game(GAME) for _ in range(3))
    assert [game.id for game in store.unindexed(2)] == [other, second]
    high = 2**64 - 1
    store.index({first: [1, high, 3, high], second: [1, 2, high], other: []})
    assert store.unindexed(9) == []
    found = store.with_position(high, game="english", limit=9)
    assert [(game.id, ply) for game, ply in found] == [(second, 2), (first, 1)]
    assert store.with_position(high, game="russian", limit=9) == []
    assert store.with_position(4, game="english", limit=9) == []


def test_a_match_says_how_many_games_it_is_to_have(store: Store) -> None:
    match = store.start_match("match", game="english")
    assert match.planned is None
    store.plan_match(match.id, 20)
    assert store.match(match.id).planned == 20
