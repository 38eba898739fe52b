"""Recorded games: their bytes, what is refused, and the samples that are drawn from them."""

import random
from contextlib import suppress
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardzero import BoardZeroError, _core, make
from boardzero.models import SearchConfig
from tests.search.stored import MOVER, Choice, Format, Record, draw, planes, replay, self_play

GAMES = ["gomoku:size=5,line=4", "english", "international:endings=meng", "chexers"]


@cache
def games(spec: str) -> list[bytes]:
    def short(options: _core.SelfPlayOptions) -> None:
        options.max_steps = 70
        options.full_share = 0.75
        options.fast_simulations = 4

    return self_play(spec, 3, simulations=8, change=short)


@cache
def records(spec: str) -> list[Record]:
    return [Record.unpack(data) for data in games(spec)]


def verify(spec: str, record: Record) -> None:
    _core.make_sampler(make(spec).start().native, MOVER).verify(record.pack())


# Bytes.


@pytest.mark.parametrize("spec", GAMES)
def test_a_record_taken_apart_and_put_together_has_the_same_bytes(spec: str) -> None:
    for data in games(spec):
        assert Record.unpack(data).pack() == data


@pytest.mark.parametrize("spec", GAMES)
def test_the_core_reads_from_a_record_what_its_bytes_say(spec: str) -> None:
    for data in games(spec):
        read, record = _core.parse_record(data), Record.unpack(data)
        assert tuple(read.actions) == record.actions
        assert tuple(read.outcome) == record.outcome
        assert (-1 if read.winner is None else read.winner) == record.winner
        assert (read.number, read.version, read.fen) == (record.number, record.version, "")
        for decision, choice in zip(read.decisions, record.choices, strict=True):
            assert (decision.ply, decision.full) == (choice.ply, choice.full)
            assert tuple(decision.values) == choice.values
            shares = [(a, np.float32(share) / np.float32(65535)) for a, share in choice.policy]
            assert decision.policy == shares


def test_a_game_of_which_only_the_moves_are_known_has_the_bytes_that_it_always_had() -> None:
    data = _core.write_record(
        [350, 737, 383], [1, 2], (1.0, -1.0), winner=0, number=7, version=3, fen="W:W22:B1"
    )
    assert data.hex() == (
        "01020003000000070000000800573a5732323a42310000803f000080bf03005e01e1027f01"
        "02000100010000803f000080bf0100e102ffff0200010000803f000080bf01007f01ffff"
    )
    outcome = (1.0, -1.0)
    choices = (Choice(1, True, outcome, ((737, 65535),)), Choice(2, True, outcome, ((383, 65535),)))
    assert Record.unpack(data) == Record((350, 737, 383), choices, outcome, 0, 3, 7, b"W:W22:B1")


@pytest.mark.parametrize(
    ("actions", "choices", "players", "sentence"),
    [
        ([65536], [], 2, "an action that no game has"),
        ([-1], [], 2, "an action that no game has"),
        ([1] * 65536, [], 2, "too long to be stored"),
        ([1], [1], 2, "a choice after its end"),
        ([1], [], 5, "too many results"),
    ],
)
def test_a_game_that_does_not_fit_into_a_record_is_refused(
    actions: list[int], choices: list[int], players: int, sentence: str
) -> None:
    with pytest.raises(BoardZeroError, match=sentence):
        _core.write_record(actions, choices, [0.0] * players, winner=None, number=0)


def test_every_cut_record_and_every_longer_one_is_refused() -> None:
    data = games("gomoku:size=5,line=4")[0]
    for end in range(len(data)):
        with pytest.raises(BoardZeroError, match="a stored game"):
            _core.parse_record(data[:end])
    with pytest.raises(BoardZeroError, match="followed by other bytes"):
        _core.parse_record(data + b"\0")
    with pytest.raises(BoardZeroError, match="unknown format"):
        _core.parse_record(b"\5" + data[1:])


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_bytes_that_are_no_record_are_refused_or_read_but_never_crash(data: bytes) -> None:
    for attempt in (data, b"\1\2" + data, b"\2\2" + data):
        with suppress(BoardZeroError):
            _core.parse_record(attempt)


# Verification.


@pytest.mark.parametrize("spec", GAMES)
def test_games_of_self_play_are_legal_and_end_as_they_say(spec: str) -> None:
    for record in records(spec):
        verify(spec, record)
        state = replay(spec, record, len(record.actions))
        outcome = state.outcome()
        players = len(record.outcome)
        cut_short = (2 / players - 1,) * players
        assert record.outcome == pytest.approx(tuple(outcome.values) if outcome else cut_short)
        assert record.winner == (
            -1 if outcome is None or outcome.winner is None else outcome.winner
        )


def test_an_illegal_game_is_refused_with_the_step() -> None:
    spec = "gomoku:size=5,line=4"
    record = records(spec)[0]
    twice = (*record.actions[:3], record.actions[2], *record.actions[4:])
    with pytest.raises(BoardZeroError, match=f"illegal action {record.actions[2]} at step 3"):
        verify(spec, replace(record, actions=twice))
    with pytest.raises(BoardZeroError, match="illegal action 9999 at step 0"):
        verify(spec, replace(record, actions=(9999, *record.actions[1:])))


def test_a_game_that_goes_on_after_its_end_is_refused() -> None:
    spec = "gomoku:size=5,line=4"
    record = next(r for r in records(spec) if r.winner >= 0)
    free = next(a for a in range(25) if a not in record.actions)
    with pytest.raises(BoardZeroError, match=f"illegal action {free} at step"):
        verify(spec, replace(record, actions=(*record.actions, free)))


def test_a_game_with_another_outcome_is_refused() -> None:
    spec = "gomoku:size=5,line=4"
    record = next(r for r in records(spec) if r.winner >= 0)
    with pytest.raises(BoardZeroError, match="not how it ended"):
        verify(spec, replace(record, outcome=tuple(-v for v in record.outcome)))
    with pytest.raises(BoardZeroError, match="values for other players"):
        verify("chexers", record)


def test_a_target_for_an_illegal_action_is_refused() -> None:
    spec = "gomoku:size=5,line=4"
    record = records(spec)[0]
    later = record.choices[4]
    wrong = replace(later, policy=((record.actions[0], 65535),))
    choices = (*record.choices[:4], wrong, *record.choices[5:])
    with pytest.raises(BoardZeroError, match=f"illegal action {record.actions[0]} at step"):
        verify(spec, replace(record, choices=choices))


def test_choices_that_are_out_of_order_are_refused() -> None:
    spec = "gomoku:size=5,line=4"
    record = records(spec)[0]
    with pytest.raises(BoardZeroError, match="out of order"):
        verify(spec, replace(record, choices=record.choices[::-1]))


# Samples.


def full_choices(record: Record) -> list[Choice]:
    return [choice for choice in record.choices if choice.full]


@pytest.mark.parametrize("spec", GAMES)
def test_every_sample_is_the_position_played_through_in_python(spec: str) -> None:
    data, record = games(spec)[0], records(spec)[0]
    players = len(record.outcome)
    for rank, choice in enumerate(full_choices(record)):
        state = replay(spec, record, choice.ply)
        sample = draw(spec, data, rank)
        assert np.array_equal(sample.inputs, state.encode())
        policy = np.zeros_like(sample.policy)
        for action, share in choice.policy:
            policy[state.native.relative(action)] = np.float32(share) / np.float32(65535)
        assert np.array_equal(sample.policy, policy)
        turns = [(state.to_move + i) % players for i in range(players)]
        assert sample.outcome == [record.outcome[seat] for seat in turns]
        assert sample.search == [choice.values[seat] for seat in turns]


@pytest.mark.parametrize("spec", GAMES)
def test_a_sample_that_is_not_there_is_refused(spec: str) -> None:
    data, record = games(spec)[0], records(spec)[0]
    with pytest.raises(BoardZeroError, match="fewer choices than its index says"):
        draw(spec, data, len(full_choices(record)))
    with pytest.raises(BoardZeroError, match="no such symmetry"):
        draw(spec, data, 0, make(spec).start().native.symmetries())


@pytest.mark.parametrize("spec", GAMES)
def test_symmetric_copies_show_the_transformed_state_and_the_transformed_actions(
    spec: str,
) -> None:
    data, record = games(spec)[1], records(spec)[1]
    for rank, choice in list(enumerate(full_choices(record)))[::3]:
        state = replay(spec, record, choice.ply).native
        plain = draw(spec, data, rank)
        for symmetry in range(state.symmetries()):
            image = state.transformed(symmetry)
            sample = draw(spec, data, rank, symmetry)
            assert np.array_equal(sample.inputs, image.encode())
            wanted = np.zeros_like(sample.policy)
            for action, share in choice.policy:
                place = image.relative(state.transformed_action(symmetry, action))
                wanted[place] = np.float32(share) / np.float32(65535)
            assert np.array_equal(sample.policy, wanted)
            assert sample.outcome == plain.outcome  # from the mover, whoever that is now
            assert sample.search == plain.search


FORMATS: list[tuple[str, Format]] = [
    ("gomoku:size=5,line=4", ("mover", "flat", 3)),
    ("gomoku:size=5,line=4", ("wang", "flat", 2)),
    ("english", ("mover", "planes", 7)),
    ("english", ("sun-zhao", "sun-zhao", 2)),
    ("international:endings=meng", ("meng", "absolute", 7)),
    ("chexers", ("mover", "flat", 4)),
]


@pytest.mark.parametrize(("spec", "form"), FORMATS)
def test_what_is_learned_is_what_the_search_showed_its_net(spec: str, form: Format) -> None:
    data, record = games(spec)[0], records(spec)[0]
    options = SearchConfig().native(noise=False)
    search = _core.make_search(make(spec).start().native, options, form, seed=1)
    played = 0
    for rank, choice in list(enumerate(full_choices(record)))[:12]:
        search.follow(list(record.actions[played : choice.ply]))
        played = choice.ply
        shown = search.collect()
        assert shown is not None
        assert np.array_equal(draw(spec, data, rank, form=form).inputs, shown[0])


def test_a_history_is_seen_by_the_present_mover_and_is_zero_before_the_start() -> None:
    spec, form = "gomoku:size=5,line=4", ("mover", "flat", 3)
    data, record = games(spec)[0], records(spec)[0]
    for rank, choice in enumerate(full_choices(record)):
        mover = choice.ply % 2
        for age in range(4):
            own, other, first = draw(spec, data, rank, form=form).inputs[3 * age : 3 * age + 3]
            if age > choice.ply:
                assert not own.any()
                assert not other.any()
                assert not first.any()
                continue
            played = record.actions[: choice.ply - age]
            assert sorted(np.flatnonzero(own)) == sorted(played[mover::2])
            assert sorted(np.flatnonzero(other)) == sorted(played[1 - mover :: 2])
            assert (first == (1 - mover)).all()


# The encodings of the earlier systems, on positions made by hand.


def squares(plane: np.ndarray) -> list[int]:
    """The numbers, from 1, of what is 1 in a plane of dark squares; nothing else is there."""
    assert set(np.unique(plane)) <= {0.0, 1.0}
    return (np.flatnonzero(plane) + 1).tolist()


def test_the_eight_planes_of_meng() -> None:
    state = make("international:endings=meng").parse_fen("B:W31,45,K5:B20,K46")
    seen = planes(state, ("meng", "absolute", 0))
    assert seen.shape == (8, 10, 5)
    assert [squares(plane) for plane in seen[:5]] == [[31, 45], [5], [20], [46], []]
    assert not seen[5].any()  # black to move
    assert not seen[6:].any()  # nothing played
    state.play("20-24")
    state.play("45-40")
    state.play("24-29")
    seen = planes(state, ("meng", "absolute", 0))
    assert [squares(plane) for plane in seen[:5]] == [[31, 40], [5], [29], [46], []]
    assert (seen[5] == 1).all()
    assert (seen[6] == 3).all()
    assert (seen[7] == 3).all()


def test_pieces_jumped_but_not_removed_have_a_plane_of_their_own_and_leave_the_others() -> None:
    state = make("international:endings=meng").parse_fen("W:W32:B28,19,K1")
    assert [move.text for move in state.moves()] == ["32x14"] or len(state.actions()) == 1
    state.play_action(state.actions()[0])
    seen = planes(state, ("meng", "absolute", 0))
    assert [squares(plane) for plane in seen[:5]] == [[23], [], [19], [1], [28]]
    assert (seen[5] == 1).all()  # still white's turn
    assert (seen[6] == 1).all()
    assert (seen[7] == 0).all()


def test_the_three_planes_of_the_english_draughts_report() -> None:
    state = make("english").parse_fen("W:W22,K10:B6,K1")
    pieces, movable, player = planes(state, ("sun-zhao", "sun-zhao", 0))
    wanted = np.zeros((8, 8), np.float32)
    wanted[5, 2] = 1  # 22
    wanted[2, 3] = 1  # 10, a king that looks like a man
    wanted[1, 2] = -1  # 6
    wanted[0, 1] = -1  # 1
    assert np.array_equal(pieces, wanted)
    can = {move.actions[0] // 32 for move in state.moves()}
    cells = {(square // 4, 2 * (square % 4) + (1 if square // 4 % 2 == 0 else 0)) for square in can}
    assert {(int(r), int(c)) for r, c in np.argwhere(movable)} == cells
    assert movable.max() == 1
    assert (player == 1).all()
    black = make("english").start()
    assert (planes(black, ("sun-zhao", "sun-zhao", 0))[2] == -1).all()
    assert np.count_nonzero(planes(black, ("sun-zhao", "sun-zhao", 0))[1]) == 4


def test_the_three_planes_of_wang() -> None:
    state = make("gomoku:size=8").start()
    for action in (9, 63, 0):
        state.play_action(action)
    turn, first, second = planes(state, ("wang", "flat", 0))
    assert (turn == 1).all()  # the second player's turn
    assert np.flatnonzero(first).tolist() == [0, 9]
    assert np.flatnonzero(second).tolist() == [63]
    assert not planes(make("gomoku:size=8").start(), ("wang", "flat", 0)).any()


# Policies.


def one_choice(spec: str, rng: random.Random, *, kings: bool) -> tuple[bytes, list[int]]:
    """A record whose last choice gives each legal action of a random position its own share."""
    while True:
        state = make(spec).start()
        actions = []
        for _ in range(rng.randrange(90)):
            if state.outcome() is None:
                actions.append(rng.choice(state.actions()))
                state.play_action(actions[-1])
        has_kings = any(piece.kind == "king" for piece in state.pieces())
        if state.outcome() is None and (kings or not has_kings):
            break
    legal = state.actions()
    shares = [100 + i for i in range(len(legal))]
    values = (0.0,) * state.game.players
    choice = Choice(len(actions), True, values, tuple(zip(legal, shares, strict=True)))
    return Record((*actions, legal[0]), (choice,), values).pack(), shares


POLICIES = [
    ("international", "flat", True),
    ("international", "absolute", True),
    ("international", "planes", True),
    ("international", "directions", False),
    ("russian", "planes", True),
    ("english", "planes", True),
    ("english", "directions", True),
    ("english", "sun-zhao", True),
    ("gomoku:size=6", "flat", True),
    ("gomoku:size=6", "absolute", True),
    ("chexers", "flat", True),
    ("chexers", "absolute", True),
]


@pytest.mark.parametrize(("spec", "policy", "kings"), POLICIES)
def test_legal_actions_have_distinct_places_in_every_policy(
    spec: str, policy: str, kings: bool
) -> None:
    rng = random.Random(f"{spec} {policy}")
    for _ in range(40):
        data, shares = one_choice(spec, rng, kings=kings)
        for symmetry in (0, 1):
            found = draw(spec, data, 0, symmetry, ("mover", policy, 0)).policy
            assert sorted(np.round(found[found > 0] * 65535).astype(int).tolist()) == shares


def test_a_direction_is_up_left_up_right_down_left_down_right() -> None:
    state = make("english").parse_fen("W:WK18:B1")
    legal = state.actions()  # to 14, 15, 22 and 23, in some order
    shares = {17 * 32 + to - 1: to for to in (14, 15, 22, 23)}
    assert sorted(legal) == sorted(shares)
    policy = tuple((action, shares[action]) for action in legal)
    choice = Choice(0, True, (0.0, 0.0), policy)
    record = Record((legal[0],), (choice,), (0.0, 0.0), fen=state.fen().encode()).pack()
    places = draw("english", record, 0, form=("sun-zhao", "sun-zhao", 0)).policy.reshape(4, 8, 8)
    assert np.round(places[:, 4, 3] * 65535).tolist() == [14, 15, 22, 23]
    flat = draw("english", record, 0, form=("sun-zhao", "directions", 0)).policy
    assert np.round(flat[4 * 17 : 4 * 18] * 65535).tolist() == [14, 15, 22, 23]
    assert len(flat) == 129
