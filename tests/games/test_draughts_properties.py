"""What holds in every position of draughts, whatever its rules."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import boardzero
from boardzero import BoardZeroError, State
from boardzero.games import PdnGame, read_games, write_game
from tests.games.variants import DRAUGHTS

GAMES = st.sampled_from([boardzero.make(name) for name in DRAUGHTS])
CHOICES = st.lists(st.integers(0, 1 << 16), max_size=120)


@st.composite
def played(draw: st.DrawFn) -> State:
    """A state reached by whole moves, its history with it."""
    state = draw(GAMES).start()
    for choice in draw(CHOICES):
        moves = state.moves()
        if not moves:
            break
        state.play(moves[choice % len(moves)])
    return state


@st.composite
def thrown(draw: st.DrawFn) -> State:
    """Pieces thrown on the board: kings and long captures, which games seldom have."""
    game = draw(GAMES)
    squares = len(game.geometry.places)
    row = game.geometry.columns // 2
    cells = draw(st.lists(st.integers(1, squares), unique=True, min_size=2, max_size=18))
    border = draw(st.integers(1, len(cells) - 1))
    assume(max(border, len(cells) - border) <= 12)
    kings = draw(st.sets(st.sampled_from(cells)))

    def listed(part: list[int], crown: range) -> str:
        return ",".join(f"{'K' if cell in kings or cell in crown else ''}{cell}" for cell in part)

    white = listed(cells[:border], range(1, row + 1))
    black = listed(cells[border:], range(squares - row + 1, squares + 1))
    return game.parse_fen(f"{draw(st.sampled_from('WB'))}:W{white}:B{black}")


BETWEEN_MOVES = played() | thrown()


@st.composite
def anywhere(draw: st.DrawFn) -> State:
    """A state between two moves or within a capture."""
    state = draw(BETWEEN_MOVES)
    for choice in draw(st.lists(st.integers(0, 1 << 16), max_size=4)):
        actions = state.actions()
        if not actions:
            break
        state.play_action(actions[choice % len(actions)])
    return state


def snapshot(state: State) -> tuple[object, ...]:
    outcome = state.outcome()
    return (
        state.fen(),
        state.key(),
        state.to_move,
        None if outcome is None else (outcome.winner, outcome.reason),
        state.encode().tobytes(),
        tuple(state.actions()),
    )


def ends_of_the_turn(state: State) -> set[str]:
    """The positions that some sequence of steps reaches when the turn has passed."""
    ends = set()
    open_states = [state]
    while open_states:
        here = open_states.pop()
        for action in here.actions():
            after = here.copy()
            after.play_action(action)
            if after.to_move == state.to_move:
                open_states.append(after)
            else:
                ends.add(after.fen())
    return ends


@given(anywhere())
@settings(deadline=None)
def test_undo_takes_back_a_move_and_all_that_belongs_to_it(state: State) -> None:
    before = snapshot(state)
    for move in state.moves():
        state.play(move)
        assert state.undo() == move
        assert snapshot(state) == before


@given(anywhere())
@settings(deadline=None)
def test_undo_takes_back_a_single_step(state: State) -> None:
    before = snapshot(state)
    for action in state.actions():
        state.play_action(action)
        assert snapshot(state) != before
        assert state.undo() == action
        assert snapshot(state) == before


@given(played())
@settings(deadline=None)
def test_a_whole_game_can_be_undone(state: State) -> None:
    moves = state.history
    assert [state.undo() for _ in moves] == list(reversed(moves))
    assert snapshot(state) == snapshot(state.game.start())


@given(played())
@settings(deadline=None)
def test_what_is_done_to_a_copy_leaves_the_original_alone(state: State) -> None:
    moves = state.history
    before = snapshot(state)
    other = state.copy()
    for _ in moves[-2:]:
        other.undo()
    for move in other.moves()[:1]:
        other.play(move)
    assert snapshot(state) == before
    assert [state.undo() for _ in moves] == list(reversed(moves))
    assert snapshot(state) == snapshot(state.game.start())


@given(anywhere())
@settings(deadline=None, max_examples=200)
def test_whole_moves_and_steps_reach_the_same_positions(state: State) -> None:
    assert {state.after(move).fen() for move in state.moves()} == ends_of_the_turn(state)


@given(anywhere())
@settings(deadline=None)
def test_a_move_is_the_same_as_its_actions(state: State) -> None:
    for move in state.moves():
        stepwise = state.copy()
        for action in move.actions:
            stepwise.play_action(action)
        assert snapshot(stepwise) == snapshot(state.after(move))
        assert len(move.actions) == max(1, len(move.captured))


@given(anywhere())
@settings(deadline=None)
def test_two_moves_never_reach_the_same_position(state: State) -> None:
    moves = state.moves()
    assert len({state.after(move).fen() for move in moves}) == len(moves)
    assert len({state.after(move).key() for move in moves}) == len(moves)


@given(anywhere())
@settings(deadline=None)
def test_the_text_of_a_move_means_that_move(state: State) -> None:
    texts = [str(move) for move in state.moves()]
    assert len(set(texts)) == len(texts)
    for move in state.moves():
        assert state.parse(str(move)) == move


@given(anywhere())
@settings(deadline=None, max_examples=200)
def test_a_fen_reads_back(state: State) -> None:
    again = state.game.parse_fen(state.fen())
    assert again == state
    assert (again.fen(), again.key(), again.to_move) == (state.fen(), state.key(), state.to_move)
    if state.outcome() is None:
        assert again.actions() == state.actions()


LINE = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="}"), max_size=30)


@given(played(), st.dictionaries(st.integers(0, 20), LINE), LINE, LINE)
@settings(deadline=None)
def test_a_game_written_as_pdn_reads_back(
    state: State, comments: dict[int, str], white: str, event: str
) -> None:
    record = PdnGame.of(state, tags={"White": white, "Event": event}, comments=comments)
    text = write_game(record)
    (again,) = read_games(text)
    assert again.final() == state
    assert (again.game, again.result) == (record.game, record.result)
    assert [str(move) for move in again.moves] == [str(move) for move in state.history]
    assert again.tags["White"] == " ".join(white.split())
    assert again.comments == {
        at: " ".join(comment.split())
        for at, comment in comments.items()
        if comment.split() and at <= len(again.moves)
    }
    assert write_game(again) == text


@given(thrown(), CHOICES)
@settings(deadline=None)
def test_a_game_that_starts_elsewhere_reads_back(state: State, choices: list[int]) -> None:
    for choice in choices[:10]:
        moves = state.moves()
        if not moves:
            break
        state.play(moves[choice % len(moves)])
    text = write_game(PdnGame.of(state))
    (again,) = read_games(text)
    assert again.final() == state
    assert write_game(again) == text


@given(anywhere())
@settings(deadline=None)
def test_a_game_played_by_steps_is_written_by_moves(state: State) -> None:
    if ":M" in state.fen():
        with pytest.raises(BoardZeroError, match="middle of a capture"):
            PdnGame.of(state)
        return
    (again,) = read_games(write_game(PdnGame.of(state)))
    assert again.final() == state


@given(anywhere())
@settings(deadline=None, max_examples=200)
def test_the_turned_position_with_exchanged_colours_has_the_turned_moves(state: State) -> None:
    native = state.native
    turned = native.transformed(1)
    last = len(state.game.geometry.places) - 1
    assert turned.to_move == native.transformed_seat(1, native.to_move) == 1 - native.to_move
    assert {native.transformed_action(1, action) for action in native.actions()} == set(
        turned.actions()
    )
    assert {
        (last - move.path[0], last - move.path[-1], frozenset(last - c for c in move.captured))
        for move in native.moves()
    } == {(move.path[0], move.path[-1], frozenset(move.captured)) for move in turned.moves()}
    assert turned.transformed(1).equals(native)
    assert native.transformed(0).equals(native)


@given(anywhere())
@settings(deadline=None)
def test_turning_and_playing_can_be_exchanged(state: State) -> None:
    for action in state.actions():
        after = state.native.clone()
        after.play(action)
        turned = state.native.transformed(1)
        turned.play(state.native.transformed_action(1, action))
        assert turned.equals(after.transformed(1))
        assert turned.key() == after.transformed(1).key()


@given(anywhere())
@settings(deadline=None)
def test_a_state_and_the_turned_one_look_the_same_to_a_net(state: State) -> None:
    turned = state.native.transformed(1)
    assert np.array_equal(state.encode(), turned.encode())
    for action in state.actions():
        turned_action = state.native.transformed_action(1, action)
        assert state.native.relative(action) == turned.relative(turned_action)


@given(anywhere())
@settings(deadline=None)
def test_the_planes_hold_each_piece_once(state: State) -> None:
    planes = state.encode()
    pieces = state.pieces()
    own = [piece for piece in pieces if piece.owner == state.to_move]
    jumped = [piece for piece in pieces if piece.kind == "jumped"]
    assert planes[:5].sum() == len(pieces)
    assert planes[:2].sum() == len(own)
    assert planes[4].sum() == len(jumped)
    assert planes[5].sum() == (1 if jumped else 0)
    assert set(np.unique(planes[:6])) <= {0.0, 1.0}
