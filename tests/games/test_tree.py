"""The game tree: what can be done with it, and that files give back what they were given."""

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boardzero
from boardzero import BoardZeroError
from boardzero.games import (
    Arrow,
    Evaluation,
    GameNode,
    GameTree,
    load_trees,
    make,
    read_trees,
    write_tree,
)
from boardzero.games.tree import COLORS
from tests.games.variants import GAMES

DATA = Path(__file__).parent.parent / "data" / "games"
WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=25
)


def lines(tree: GameTree) -> list[str]:
    """Every line of a tree from its beginning to its end."""
    ends = [node for node in tree.walk() if not node.variations]
    return [" ".join(str(move) for move in node.moves()) for node in ends]


def content(tree: GameTree) -> list[object]:
    """All that a tree holds, in a form that can be compared."""
    return [
        (
            node.ply,
            str(node.move),
            " ".join(node.comment.split()),
            " ".join(node.starting_comment.split()),
            sorted(node.nags),
            node.evaluation and (node.evaluation.seat, round(node.evaluation.value, 3)),
            sorted(node.arrows, key=repr),
        )
        for node in tree.walk()
    ]


# The tree itself.


def test_the_first_variation_is_the_main_line_and_can_be_changed() -> None:
    tree = GameTree(make("international"))
    tree.add_variation("32-28").add_variation("19-23")
    second, third = tree.add_variation("33-28"), tree.add_variation("34-29")
    assert [str(node.move) for node in tree.mainline()] == ["32-28", "19-23"]
    third.promote()
    assert [str(node.move) for node in tree.variations] == ["32-28", "34-29", "33-28"]
    second.promote_to_main()
    assert [str(node.move) for node in tree.mainline()] == ["33-28"]
    assert second.is_mainline()
    assert not third.is_mainline()
    second.demote()
    second.remove()
    assert [str(node.move) for node in tree.variations] == ["32-28", "34-29"]


def test_a_move_that_is_there_already_is_not_added_twice() -> None:
    tree = GameTree(make("gomoku"))
    assert tree.add_variation("d4") is tree.add_variation("d4", comment="again", nags=[1])
    assert (tree.variation("d4").comment, tree.variation("d4").nags) == ("again", [1])


def test_a_node_gives_its_state_with_all_that_was_played() -> None:
    tree = GameTree(make("english"))
    node = tree.add_line(["11-15", "23-19", "8-11"])
    assert [str(move) for move in node.state().history] == ["11-15", "23-19", "8-11"]
    assert node.state() == node.position
    assert node.root() is tree


def test_what_cannot_be_is_refused_in_a_sentence() -> None:
    tree = GameTree(make("english"))
    with pytest.raises(BoardZeroError, match="11-20"):
        tree.add_variation("11-20")
    with pytest.raises(BoardZeroError, match="no variation 11-15"):
        tree.variation("11-15")
    with pytest.raises(BoardZeroError, match="cannot be removed"):
        tree.remove()
    with pytest.raises(BoardZeroError, match=r"\[-1, 1\]"):
        Evaluation(0, 1.5)


def test_play_may_go_on_past_a_draw_that_nobody_claimed() -> None:
    tree = GameTree(make("english"), start=make("english").parse_fen("B:WK32:BK1"))
    node: GameNode = tree
    for move in ["1-6", "32-27", "6-1", "27-32"] * 4:
        node = node.add_variation(move)
    assert node.ply == 16
    assert node.state() == node.position


# Round trips.


def random_tree(
    game: str, rng: random.Random, words: Callable[[], str], *, starting: bool
) -> GameTree:
    """With everything that a node may hold."""
    rules = make(game)
    start = rules.start()
    for _ in range(rng.choice((0, 0, 7))):
        start.play(rng.choice(start.moves()))
    tree = GameTree(rules, start=boardzero.make(game).parse_fen(start.fen()))
    tree.comment = words()
    nodes: list[GameNode] = [tree]
    for _ in range(rng.randrange(25)):
        parent = rng.choice(nodes[-5:])
        moves = parent.position.moves()
        if not moves:
            continue
        node = parent.add_variation(rng.choice(moves))
        nodes.append(node)
        node.comment = words()
        if starting and not node.is_main_variation():
            node.starting_comment = words()
        node.nags = rng.sample(range(1, 140), rng.choice((0, 0, 1, 2)))
        if rng.random() < 0.3:
            seat = rng.randrange(rules.players) if rules.traits.pdn or rules.players > 2 else 0
            node.evaluation = Evaluation(seat, round(rng.uniform(-1, 1), 3))
        cells = list(rules.geometry.places)
        arrows = {
            Arrow(rng.choice(cells), rng.choice(cells), rng.choice(COLORS))
            for _ in range(rng.choice((0, 0, 2)))
        }
        once = {(arrow.tail, arrow.head): arrow for arrow in arrows}
        node.arrows = list(once.values())
    return tree


@pytest.mark.parametrize("game", [*GAMES, "gomoku:size=15,rule=renju", "gomoku:size=9,line=4"])
@given(st.integers(0, 2**32), st.data())
@settings(deadline=None, max_examples=30)
def test_what_a_tree_holds_its_file_gives_back(game: str, seed: int, data: st.DataObject) -> None:
    sgf = make(game).traits.sgf
    trees = [
        random_tree(game, random.Random(seed + n), lambda: data.draw(WORDS), starting=not sgf)
        for n in range(data.draw(st.integers(1, 3)))
    ]
    text = "".join(map(write_tree, trees))
    again = list(read_trees(text, game))
    assert [content(tree) for tree in again] == [content(tree) for tree in trees]
    assert [tree.game for tree in again] == [tree.game for tree in trees]
    assert [tree.position for tree in again] == [tree.position for tree in trees]
    assert "".join(map(write_tree, again)) == text


@given(st.integers(0, 2**32))
@settings(deadline=None, max_examples=30)
def test_gomoku_round_trips_as_plain_text_too(seed: int) -> None:
    tree = random_tree("gomoku", random.Random(seed), lambda: "so (1. a1 ", starting=True)
    (again,) = read_trees(write_tree(tree, plain=True))
    assert content(again) == content(tree)


# Files as they are found.


def test_a_lecture_with_nested_variations_keeps_all_of_them() -> None:
    (tree,) = load_trees(DATA / "lecture.pdn")
    assert lines(tree) == [
        "32-28 19-23 28x19 14x23 37-32 10-14",
        "32-28 19-23 28x19 14x23 33-28",
        "32-28 19-23 28x19 14x23 35-30",
        "32-28 19-23 28x19 13x24 33-29 24x33 39x28",
        "33-28 18-22 31-27",
        "33-28 18-23 38-33",
        "34-29 19-23",
    ]
    assert tree.comment == "Les 4. Kijk eerst zelf!"
    assert tree.tags["Event"] == 'Trainingsavond: de "Springer"'
    third = tree.variation("34-29")
    assert (third.nags, third.comment) == ([6], "te vroeg (denk ik)")
    assert third.next().arrows == [  # type: ignore[union-attr]
        *(Arrow(18, 18, "green"), Arrow(22, 22, "red"), Arrow(33, 28), Arrow(18, 22, "red")),
    ]
    reply = tree.next().next()  # type: ignore[union-attr]
    assert reply.comment == "[%eval 0.21] [%clk 1:59:58]"  # another program's units
    assert (
        tree.variation("32-28")
        .variation("19-23")
        .variation("28x19")
        .variation("13x24")
        .starting_comment
        == "eerst dit"
    )


def test_of_a_broken_file_the_good_part_is_loaded_and_each_fault_named() -> None:
    troubles: list[BoardZeroError] = []
    trees = load_trees(DATA / "broken-tail.pdn", "english", on_error=troubles.append)
    first, second, third = trees  # a comment that is not closed holds the fourth
    assert lines(first) == [
        "11-15 23-19 8-11 22-17 4-8 17-13 15-18",
        "11-15 23-19 9-13 22-18",
    ]
    assert first.result == "1-0"
    assert lines(second) == ["11-16 22-18 16-20"]
    assert second.next().nags == [5]  # type: ignore[union-attr]
    assert lines(third) == ["10-15"]
    places = [str(trouble).partition(": ")[0] for trouble in troubles]
    assert places[:4] == [
        "PDN game 1, line 3, column 42",
        "PDN game 1, line 3, column 94",
        "PDN game 2, line 7, column 1",
        "PDN game 2, line 7, column 30",
    ]
    with pytest.raises(BoardZeroError, match="game 1, line 3, column 42"):
        load_trees(DATA / "broken-tail.pdn", "english")


def test_an_old_program_wrote_letters_colons_and_latin_1() -> None:
    first, second = load_trees(DATA / "old-program.pdn", on_error=lambda _: None)
    assert first.tags["White"] == "Jörg"
    assert lines(first)[1:] == ["e3-f4 f6-g5", "g3-h4"]
    assert first.variation("g3-h4").nags == [3]
    assert (second.game.name, second.result) == ("russian", "1/2-1/2")


def test_old_sgf_with_long_names_and_a_letter_before_it() -> None:
    (tree,) = load_trees(DATA / "renju.sgf")
    assert tree.game.spec == "gomoku:size=15,rule=renju"
    assert (tree.tags["Black"], tree.result) == ("Ueda, A.", "1-0")
    assert tree.comment == "A lecture ] with brackets: and colons"
    assert lines(tree) == ["h8 h9 i8 g10", "h8 h9 j9 f6", "h8 h9 j9 g7"]
    answer = tree.next().next()  # type: ignore[union-attr]
    assert answer.comment == "the usual answer"
    assert [node.nags for node in answer.variations] == [[3], [2]]


def test_of_broken_sgf_the_good_part_is_loaded_and_each_fault_named() -> None:
    troubles: list[BoardZeroError] = []
    first, second, third = load_trees(DATA / "two-and-a-half.sgf", on_error=troubles.append)
    assert lines(first) == ["d5 d4 e4 f3"]
    assert second.position.to_move == 0
    assert len(second.position.pieces()) == 5
    assert lines(third) == ["d5"]
    assert [str(trouble) for trouble in troubles] == [
        "SGF game 1, line 1, column 42: 'zz' is not a point of a board of 8",
        "SGF game 3, line 3, column 24: black moves, and it is the other's turn",
        "SGF game 3, line 4, column 1: a game is not closed with ')'",
    ]


def test_empty_nodes_values_of_others_and_passes() -> None:
    troubles: list[BoardZeroError] = []
    (tree,) = load_trees(DATA / "empty-nodes.sgf", on_error=troubles.append)
    assert lines(tree) == ["e5 d6"]
    first = tree.next()
    assert first is not None
    assert (first.comment, first.evaluation) == ("V[3.5]", None)
    assert first.end().evaluation == Evaluation(0, 0.25)
    assert set(first.end().arrows) == {Arrow(0, 0, "red"), Arrow(40, 30)}
    assert len(troubles) == 1
    assert "is not a point" in str(troubles[0])


def test_a_chexers_game_reads_without_tags_and_in_the_referees_words() -> None:
    text = """1. ("MOVE", ((-3,0),(-2,0))) ("MOVE",((3,-3),(2,-2)))
        (1... {or} ("MOVE", ((0,-3),(0,-2)))) *"""
    (tree,) = read_trees(text, "chexers")
    assert len(lines(tree)) == 2
    with pytest.raises(BoardZeroError, match="game 1, line 1, column 4"):
        list(read_trees('1. ("MOVE", ((-3,0),(3,0)))', "chexers"))


# Large and odd.


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("1. 32-28 " + "(1. 33-28 " * 20_000 + ")" * 20_000, "international"),
        ("(;GM[4]SZ[9]" + "(;B[aa]" * 20_000 + ")" * 20_001, "gomoku:size=9"),
        ("1. a1 " + "(1. b1 " * 20_000 + ")" * 20_000, "gomoku"),
        ("(;GM[4]SZ[9]" + "(;B[zz])" * 20_000 + ")", "gomoku:size=9"),
        ("[" * 200_000, "international"),
        ("{" * 200_000, "chexers"),
        ("(;B[" + "\\" * 200_000, "gomoku"),
    ],
)
def test_deep_and_long_nonsense_takes_linear_time(text: str, game: str) -> None:
    began = time.process_time()
    trees = list(read_trees(text, game, on_error=lambda _: None))
    for tree in trees:
        write_tree(tree)
    assert time.process_time() - began < 6


def test_a_line_of_thousands_of_moves_reads_and_writes() -> None:
    moves = ["1-6", "32-27", "6-1", "27-32"] * 2500
    tree = GameTree(make("english"), start=make("english").parse_fen("B:WK32:BK1"))
    tree.add_line(moves)
    (again,) = read_trees(write_tree(tree))
    assert lines(again) == [" ".join(moves)]


@given(st.text(), st.sampled_from(GAMES))
@settings(deadline=None, max_examples=300)
def test_any_text_gives_games_or_sentences(text: str, game: str) -> None:
    for sample in (text, f"(;{text}", f'[Game "{game}"]\n{text}'):
        for tree in read_trees(sample, game, on_error=lambda _: None):
            write_tree(tree)
