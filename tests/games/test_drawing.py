"""Boards as text and as SVG, for squares, points and hexagons."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

import boardzero
from boardzero import BoardZeroError, State
from boardzero.games.drawing import text
from tests.games import variants

GAMES = [*variants.GAMES, "gomoku:size=15"]
SVG = "{http://www.w3.org/2000/svg}"


def start(game: str) -> State:
    return boardzero.make(game).start()


def picture(state: State, **options: object) -> ElementTree.Element:
    return ElementTree.fromstring(state.svg(**options))


def cells(root: ElementTree.Element) -> set[int]:
    return {int(node.get("data-cell")) for node in root.iter() if node.get("data-cell")}


def without_color(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


# Text.

INTERNATIONAL = """\
  1    b   b   b   b   b  5
  6  b   b   b   b   b    10
 11    b   b   b   b   b  15
 16  b   b   b   b   b    20
 21    .   .   .   .   .  25
 26  .   .   .   .   .    30
 31    w   w   w   w   w  35
 36  w   w   w   w   w    40
 41    w   w   w   w   w  45
 46  w   w   w   w   w    50"""

RUSSIAN = """\
  8    b   b   b   b  8
  7  b   b   b   b    7
  6    b   b   b   b  6
  5  .   .   .   .    5
  4    .   .   .   .  4
  3  w   w   w   w    3
  2    w   w   w   w  2
  1  w   w   w   w    1
     a b c d e f g h"""

GOMOKU = """\
  5  . . . . .  5
  4  . . . . .  4
  3  . . X . .  3
  2  . O . . .  2
  1  . . . . .  1
     a b c d e"""

CHEXERS = """\
            G     G     G     G
           0,-3  1,-3  2,-3  3,-3
         .     .     .     .     .
       -1,-2  0,-2  1,-2  2,-2  3,-2
      .     .     .     .     .     .
    -2,-1 -1,-1  0,-1  1,-1  2,-1  3,-1
   R     .     .     .     .     .     B
  -3,0  -2,0  -1,0  0,0   1,0   2,0   3,0
      R     .     .     .     .     B
     -3,1  -2,1  -1,1  0,1   1,1   2,1
         R     .     .     .     B
        -3,2  -2,2  -1,2  0,2   1,2
            R     .     .     B
           -3,3  -2,3  -1,3  0,3"""


@pytest.mark.parametrize(
    ("game", "moves", "board"),
    [
        ("international", [], INTERNATIONAL),
        ("russian", [], RUSSIAN),
        ("gomoku:size=5", ["c3", "b2"], GOMOKU),
        ("chexers", [], CHEXERS),
    ],
)
def test_a_state_prints_as_its_board(game, moves, board):
    state = start(game)
    for move in moves:
        state.play(move)
    assert str(state) == board


def test_kings_are_capital_and_jumped_pieces_are_crosses():
    state = boardzero.make("international").parse_fen("W:W17,K40:B12,13,22,23,K3:M17x22")
    lines = str(state).splitlines()
    assert lines[0] == "  1    .   .   B   .   .  5"
    assert lines[3] == " 16  .   w   .   .   .    20"
    assert lines[4] == " 21    .   x   b   .   .  25"
    assert lines[7] == " 36  .   .   .   .   W    40"


def test_a_flipped_board_is_the_same_seen_from_the_other_side():
    state = start("international")
    upside_down = text.draw(state, flip=True).splitlines()
    assert upside_down[0] == " 50    w   w   w   w   w  46"
    assert upside_down[-1] == "  5  b   b   b   b   b    1"


def test_plain_text_marks_the_last_move_highlights_and_heat():
    state = start("international")
    state.play("32-28")
    drawn = text.draw(state, last_move=state.last_move, highlights=[22], heat={23: 0.5, 24: 1.0})
    lines = drawn.splitlines()
    assert lines[4] == " 21    .   .  *.   5   9  25"
    assert lines[5] == " 26  .   .  >w   .   .    30"
    assert lines[6] == " 31    w  >.   w   w   w  35"


@pytest.mark.parametrize("game", GAMES)
def test_colour_shows_as_many_pieces_as_there_are_and_keeps_lines_aligned(game):
    state = start(game)
    while len(state.history) < 4:
        state.play(state.moves()[0])
    lines = without_color(text.draw(state, color=True)).splitlines()
    assert sum(line.count("●") for line in lines) == len(state.pieces())
    geometry = state.game.geometry
    if geometry.kind != "hexes":
        margins = 5 + (geometry.kind == "points")
        boards = [line for line in lines if not line.isspace()][: geometry.rows]
        widths = {len(line.rstrip("0123456789")) for line in boards}
        assert widths == {2 * geometry.columns + margins}


def test_colour_shows_the_numbers_of_empty_squares_and_crowns_of_kings():
    state = boardzero.make("international").parse_fen("W:WK40:BK3")
    lines = without_color(text.draw(state, color=True)).splitlines()
    assert lines[0] == "  1    1   2  ♛    4   5 5"
    assert lines[7] == " 36 36  37  38  39  ♛    40"


def test_heat_changes_the_colour_of_a_cell_and_nothing_else():
    state = start("gomoku")
    cold, hot = (text.draw(state, color=True, heat={0: value}) for value in (0.1, 0.9))
    assert without_color(cold) == without_color(hot)
    assert cold != hot


# SVG.


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("flip", [False, True])
def test_a_picture_is_valid_and_has_every_cell_and_piece(game, flip):
    state = start(game)
    while len(state.history) < 4:
        state.play(state.moves()[0])
    root = picture(state, flip=flip)
    assert cells(root) == set(state.game.geometry.places)
    pieces = [node for node in root.iter(f"{SVG}g") if "translate" in node.get("transform", "")]
    assert len(pieces) == len(state.pieces())


@pytest.mark.parametrize("game", GAMES)
def test_everything_lies_within_the_picture(game):
    state = start(game)
    state.play(state.moves()[0])
    root = picture(state)
    width, height = map(float, root.get("viewBox").split()[2:])
    for node in root.iter():
        for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", node.get("points", "")):
            assert 0 <= float(x) <= width
            assert 0 <= float(y) <= height
        if node.get("data-cell") and node.get("cx"):
            assert 0 < float(node.get("cx")) < width
            assert 0 < float(node.get("cy")) < height
        if node.get("data-cell") and node.get("x"):
            assert 0 <= float(node.get("x")) <= width - float(node.get("width"))


def test_a_picture_says_in_words_what_it_shows():
    state = start("international")
    root = picture(state)
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text == "International draughts: white to move"
    assert root.find(f"{SVG}desc").text == state.fen()


def test_the_title_of_a_finished_game_is_its_result():
    state = boardzero.make("international").parse_fen("W:W32:B28")
    state.play("32x23")
    title = picture(state).find(f"{SVG}title").text
    assert title == "International draughts: white wins, no move left"


def test_size_sets_pixels_and_without_it_the_picture_scales():
    assert picture(start("english"), size=200).get("width") == "200"
    assert picture(start("english")).get("width") is None


def test_highlights_heat_and_the_last_move_add_marks():
    state = start("international")
    plain = len(list(picture(state).iter()))
    state.play("32-28")
    assert len(list(picture(state, highlights=[26, 27]).iter())) == plain + 2
    assert len(list(picture(state, heat={26: 0.5, 27: 1.0, 28: 0.0}).iter())) == plain + 2
    marked = picture(state, last_move=state.last_move)
    assert len(list(marked.iter(f"{SVG}polyline"))) == 1


def test_a_capture_is_traced_with_crosses_where_pieces_stood():
    state = boardzero.make("international").parse_fen("W:W28:B22,12,13,23")
    state.play("28x28")
    root = picture(state, last_move=state.last_move)
    (way,) = root.iter(f"{SVG}polyline")
    assert len(way.get("points").split()) == 5
    assert any(node.get("d", "").count("M") == 4 for node in root.iter(f"{SVG}path"))


def test_a_king_wears_a_crown_and_a_jumped_piece_fades():
    state = boardzero.make("international").parse_fen("W:W17,K40:B12,22:M17x22")
    root = picture(state)
    assert len(list(root.iter(f"{SVG}path"))) == 1
    assert len([node for node in root.iter(f"{SVG}g") if node.get("opacity")]) == 1


def test_a_stone_just_set_has_a_dot():
    state = start("gomoku")
    state.play("d4")
    plain, marked = picture(state), picture(state, last_move=state.last_move)
    assert len(list(marked.iter(f"{SVG}circle"))) == len(list(plain.iter(f"{SVG}circle"))) + 1


def test_many_pictures_can_share_a_page():
    """Ids, classes and style sheets would reach across pictures."""
    for game in GAMES:
        root = picture(start(game))
        assert not any(node.get("id") or node.get("class") for node in root.iter())
        assert not list(root.iter(f"{SVG}style"))


def test_a_notebook_shows_the_last_move():
    state = start("international")
    state.play("32-28")
    assert state._repr_svg_() == state.svg(last_move=state.last_move, size=400)


def test_a_mark_on_a_cell_that_does_not_exist_is_refused():
    with pytest.raises(BoardZeroError, match="no cell 50"):
        start("international").svg(highlights=[50])
    with pytest.raises(BoardZeroError, match="no cell 64"):
        str(text.draw(start("gomoku"), heat={64: 1.0}))


def test_the_last_move_is_unknown_at_the_start_and_after_single_steps():
    state = start("international")
    assert state.last_move is None
    state.play_action(state.actions()[0])
    assert state.last_move is None
