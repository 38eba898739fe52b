"""Reviews: what is a mistake, what is none, and the sentences that say why."""

import pytest

from boardzero.games import GameTree, State, make, read_trees, tablebase, write_tree
from boardzero.study import ReviewStep, annotate, review_game
from boardzero.study.draughts import has_opposition
from boardzero.study.five import fives, is_double_threat, open_threes
from boardzero.study.review import explain
from boardzero.study.words import LANGUAGES, Reason, kinds


def reviewed(game: str, fen: str, move: str, *, nodes: int = 20_000) -> ReviewStep:
    """What a review says of a move in a position."""
    state = make(game).parse_fen(fen).after(move)
    *_, first = review_game(state, player="alphabeta", nodes=nodes)
    return first


def name(step: ReviewStep) -> str | None:
    assert step.verdict is not None
    return step.verdict.name


def kind(step: ReviewStep) -> str | None:
    assert step.verdict is not None
    assert step.verdict.reason is not None
    return step.verdict.reason.kind


# Gomoku. Rows from the top, x is black.

OPEN_THREE = "15/15/15/15/15/15/6oo7/5xxx7/15/15/15/15/15/15/15 x"
OPEN_FOUR = "15/15/15/15/15/6o8/6oo7/5xxxx6/15/15/15/15/15/15/15 o"


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
@pytest.mark.parametrize("move", ["e8", "i8"])
def test_an_open_four_is_never_a_blunder(rule: str, move: str) -> None:
    step = reviewed(f"gomoku:size=15,rule={rule}", OPEN_THREE, move)
    assert name(step) is None


@pytest.mark.parametrize("move", ["a1", "h10", "o15"])
def test_ignoring_a_four_is_always_a_blunder(move: str) -> None:
    step = reviewed("gomoku:size=15", OPEN_FOUR, move)
    assert name(step) == "blunder"
    assert kind(step) == "ignored_four"


def test_stopping_a_four_is_no_blunder_even_where_it_does_not_help() -> None:
    assert name(reviewed("gomoku:size=15", OPEN_FOUR, "e8")) is None


def test_stones_in_the_corners_are_not_sound_while_there_is_an_open_four_to_make() -> None:
    step = reviewed("gomoku:size=15", OPEN_THREE, "a1")
    assert name(step) == "blunder"
    assert kind(step) == "missed_open_four"
    assert step.best is not None
    assert step.best.text in ("e8", "i8")


def test_an_open_three_that_is_not_stopped_is_named() -> None:
    step = reviewed("gomoku:size=15", OPEN_THREE.replace(" x", " o").replace("6oo7", "7o7"), "a1")
    assert (name(step), kind(step)) == ("blunder", "ignored_three")
    assert "does not stop it" in explain(step)


def test_a_five_that_is_missed_is_named() -> None:
    both = "15/15/15/15/15/5oooo6/15/4oxxxx6/15/15/15/15/15/15/15 x"
    assert kind(reviewed("gomoku:size=15", both, "a1")) == "missed_five"


def test_threats_are_what_the_rules_say() -> None:
    game = make("gomoku:size=15")
    assert len(fives(game.parse_fen(OPEN_FOUR), 0)) == 2
    assert {m.text for m in open_threes(game.parse_fen(OPEN_THREE), 0)} == {"e8", "i8"}
    crossing = "15/15/15/15/7x7/7x7/7x7/15/5xx8/15/15/15/15/15/15 x"
    after = game.parse_fen(crossing).after("h8")
    assert is_double_threat(after, game.parse_fen(crossing).parse("h8"), 0) or fives(after, 0)


# Draughts.


QUIET = (
    "W:W27,31,34,35,36,37,38,39,40,41,42,44,45,46,47,48,49,50"
    ":B1,2,3,4,5,6,7,8,9,10,11,14,15,16,17,19,20,23"
)
OPENING = (
    "W:W27,32,35,37,38,39,40,41,42,43,44,45,46,47,48,49,50"
    ":B1,2,3,4,5,6,7,8,9,10,12,15,16,17,18,20,24"
)


def test_giving_four_men_for_nothing_is_a_blunder() -> None:
    step = reviewed("international", QUIET, "34-29")
    assert (name(step), kind(step)) == ("blunder", "takes")
    assert "After 34-29 black takes" in explain(step)
    assert "23x21" in explain(step)
    assert step.verdict is not None
    assert step.verdict.best_gain - step.verdict.played_gain >= 4


def test_a_man_given_away_is_named_with_the_line_that_takes_it() -> None:
    step = reviewed("international", OPENING, "35-30")
    assert (name(step), kind(step)) == ("mistake", "takes")
    assert "After 35-30 black takes one man: 24x35" in explain(step)
    assert "Na 35-30 slaat zwart één schijf: 24x35" in explain(step, "nl")
    assert step.verdict is not None
    assert step.verdict.refutation[0] == "24x35"


def test_an_exchange_that_comes_short_is_named_so() -> None:
    step = reviewed("international", OPENING, "27-22")
    assert kind(step) == "outnumbered"


def test_a_sound_move_is_not_accused() -> None:
    assert name(reviewed("international", OPENING, "40-34")) is None


def test_giving_men_in_a_lost_game_is_a_blunder_still() -> None:
    lost = "W:W35,39,40,44,45:BK2,K5,7,8,9,12,13,14,18,19,24"
    moves = make("international").parse_fen(lost).moves()
    verdicts = [reviewed("international", lost, move.text).verdict for move in moves]
    thrown = [v for v in verdicts if v and v.best_gain - v.played_gain >= 3]
    assert all(verdict.name == "blunder" for verdict in thrown)


def test_a_forced_move_is_not_judged() -> None:
    step = reviewed("english", "B:W18,32:B15,1", "15x22")
    assert step.verdict is None


def test_a_move_that_no_search_visited_is_searched_and_not_taken_for_a_draw() -> None:
    state = make("gomoku:size=15").parse_fen(OPEN_THREE).after("a1")
    *_, step = review_game(state, player="mcts:rollouts=300", nodes=20_000)
    assert name(step) == "blunder"


def test_who_has_the_opposition() -> None:
    game = make("english")
    # Kings that face each other with one row between: who is not to move has it.
    state = game.parse_fen("B:WK23:BK7")
    assert has_opposition(state, 0) != has_opposition(state, 1)


# Endings that the tables which come with the program know.


@pytest.mark.parametrize(
    ("fen", "move", "was", "now"),
    [
        ("B:WK10:B12,K1", "1-6", "won", "drawn"),
        ("W:WK23,30:BK14", "23-18", "won", "lost"),
    ],
)
def test_an_ending_known_from_the_tables_that_is_thrown_away_is_named(
    fen: str, move: str, was: str, now: str
) -> None:
    step = reviewed("english", fen, move, nodes=2000)
    assert (name(step), kind(step)) == ("blunder", "tables_lost")
    assert f"known from the tables: it was {was}, and after {move} it is {now}" in explain(step)


def test_no_move_is_accused_that_keeps_what_the_tables_know() -> None:
    for fen in ("B:WK10:B12,K1", "W:WK23,30:BK14", "W:WK14,K15:BK1", "W:W22:BK1"):
        state = make("english").parse_fen(fen)
        was = tablebase.probe(state)
        for option in tablebase.moves(state):
            if option.result == was:
                assert name(reviewed("english", fen, option.move.text, nodes=2000)) is None


# Chexers.


def test_a_piece_that_is_jumped_over_is_named() -> None:
    # Red steps beside a green piece with a free hexagon behind.
    state = make("chexers").parse_fen("gggg/5/2r3/7/r4b/r3b/r2b r 0,0,0 0")
    found = []
    for move in state.moves():
        *_, step = review_game(state.after(move), nodes=100)
        if step.verdict and step.verdict.name and step.verdict.reason:
            found.append(explain(step))
    assert any("jumps over a piece" in sentence for sentence in found)


# All of it.


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", kinds())
def test_every_reason_is_a_sentence_in_every_language(reason: str, language: str) -> None:
    values: dict[str, str | int] = {"was": "won", "now": "drawn"}
    values |= dict.fromkeys(("mover", "other", "ahead", "victim"), "white")
    values |= dict.fromkeys(("played", "best", "line", "reply", "point"), "1-2")
    values |= dict.fromkeys(("lost", "given", "taken", "won", "exits"), 2)
    text = Reason(reason, values).sentence(language)  # type: ignore[arg-type]
    assert text.endswith(".")
    assert "{" not in text
    assert "  " not in text
    assert language == "en" or "white" not in text


def sample() -> State:
    state = make("english").start()
    for move in ["11-15", "23-19", "8-11", "22-17", "11-16", "24-20", "16x23", "27x11"]:
        state.play(move)
    return state


def test_a_review_goes_into_a_tree_and_its_file() -> None:
    tree = GameTree.of(sample())
    steps = list(review_game(tree, player="alphabeta", nodes=5000))
    assert [step.ply for step in steps] == list(range(8, -1, -1))
    annotate(tree, steps, "nl")
    wrong = [step for step in steps if step.verdict and step.verdict.name]
    marked = [node for node in tree.mainline() if node.nags]
    assert len(marked) == len(wrong)
    (again,) = read_trees(write_tree(tree))
    assert write_tree(again) == write_tree(tree)
