"""Reading and writing PDN: what files hold in practice, what the standard wants written."""

import io
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from draughts.PDN import PDNReader

import boardzero
from boardzero import BoardZeroError
from boardzero.games import PdnGame, read_games, write_game
from tests.reference.draughts import PEERS, random_game

CLUB = Path(__file__).parent.parent / "data" / "club-evening.pdn"


def read(text: str, game: str | None = None) -> PdnGame:
    (record,) = read_games(text, game)
    return record


def moves(record: PdnGame) -> list[str]:
    return [str(move) for move in record.moves]


def test_a_file_with_odd_spacing_reads() -> None:
    records = list(read_games(CLUB))
    assert [(r.game.name, len(r.moves), r.result) for r in records] == [
        ("international", 70, "0-2"),
        ("international", 60, "1-1"),
        ("international", 0, "2-0"),
        ("english", 50, "1-0"),
        ("russian", 50, "0-1"),
        ("brazilian", 30, "1/2-1/2"),
        ("international", 2, "*"),
    ]
    first, second, *_, problem = records
    assert first.tags["Black"] == 'O\'Connor, "Paddy"'
    assert first.comments == {
        10: "Voorkomt 27-22.",
        11: "[%clock w1:41:00 B1:44:12]",
        14: "Slaat over 23 naar 34; de witte stand is al moeilijk.",
    }
    assert first.nags == {11: (2,), 14: (3,), 23: (2,), 25: (6,), 54: (1,), 60: (7,)}
    assert (second.tags["White"], second.tags["Black"]) == ("Sørensen, Åse", "Ba, Moussa")
    assert second.final().fen().startswith("W:W26,27,30,34,39,42,44,45,46,47,48:B5,8,9,10,")
    assert problem.final().fen() == "B:WK20,45:B5,19,K47"


def test_every_game_of_that_file_is_written_and_reads_back() -> None:
    for record in read_games(CLUB):
        again = read(write_game(record))
        assert moves(again) == moves(record)
        assert (again.result, again.comments, again.nags) == (
            *(record.result, record.comments, record.nags),
        )
        assert {**record.tags, **again.tags} == again.tags | {
            name: value for name, value in record.tags.items() if name not in again.tags
        }


# Moves and their numbers.


@pytest.mark.parametrize(
    "text",
    [
        "1.32-28 19-23 2.28x19 14x23",
        "1. 32-28 19-23 2. 28x19 14x23",
        "1 . 32 - 28 19-23 2 .28 x 19\n14\tX 23",
        "1. 32-28 1... 19-23 2. 28:19 2. ... 14x23",
        "32-28 19-23 28x19 14x23",
        "1.3228 1923 2.2819 1423",
    ],
)
def test_moves_read_with_any_spacing_and_numbering(text: str) -> None:
    assert moves(read(text, "international")) == ["32-28", "19-23", "28x19", "14x23"]


def test_squares_with_leading_zeros_read() -> None:
    assert moves(read("1. 11-15 23-19 2. 08-11", "english"))[-1] == "8-11"


@pytest.mark.parametrize("text", ["1. c3-d4 d6-c5 2. b2-c3", "1. c3d4 D6C5 2. b2c3"])
def test_algebraic_squares_read_in_both_games_that_use_them(text: str) -> None:
    assert moves(read(f'[GameType "25"] {text}')) == ["c3-d4", "d6-c5", "b2-c3"]
    assert moves(read(f'[GameType "26"] {text}')) == ["22-18", "10-14", "25-22"]


def test_numeric_squares_read_in_russian_draughts() -> None:
    assert moves(read('[GameType "25"] 1. 22-18 12-16')) == ["c3-d4", "h6-g5"]


def test_captures_read_with_and_without_their_path() -> None:
    fen = '[FEN "W:W38:B32,21"] '
    for text in ("38x16", "38x27x16"):
        assert moves(read(fen + text, "international")) == ["38x16"]


def test_the_separator_may_be_wrong_because_captures_are_compulsory() -> None:
    assert moves(read("1. 10x14 24-20 2. 14-18 23-14 3. 9x18", "english")) == [
        *("10-14", "24-20", "14-18", "23x14", "9x18"),
    ]


def test_an_ambiguous_capture_is_an_error_and_its_full_path_is_not() -> None:
    fen = '[FEN "W:WK26:B14,19,21,42"]\n'
    with pytest.raises(BoardZeroError, match=r"line 2, column 4: '26x47' fits several captures"):
        read(f"{fen}1. 26x47 *", "international")
    assert moves(read(f"{fen}1. 26x8x24x47 *", "international")) == ["26x8x24x47"]


def test_ambiguous_captures_are_written_with_their_path_and_others_without() -> None:
    game = boardzero.make("international")
    state = game.parse_fen("W:WK26:B14,19,21,42,5").after("26x8x24x47")
    assert "1. 26x8x24x47 " in write_game(PdnGame.of(state))
    assert "1. 38x16 " in write_game(PdnGame.of(game.parse_fen("W:W38:B32,21,5").after("38x16")))


def test_a_move_may_stand_on_its_own_line() -> None:
    assert moves(read("1.\n32-28\n19-23\n", "international")) == ["32-28", "19-23"]


# What is not moves.


def test_comments_are_kept_with_the_number_of_moves_before_them() -> None:
    record = read(
        "{before} 1. 32-28 {one} {two; (} 19-23 ; three } rest\n 2. 28x19 % not this\n 14x23",
        "international",
    )
    assert record.comments == {0: "before", 1: "one two; (", 2: "three } rest"}
    assert len(record.moves) == 4


def test_variations_are_skipped_however_deep_they_nest() -> None:
    deep = "(" * 100_000 + "{ ) } 33-28 nonsense" + ")" * 100_000
    assert moves(read(f"1. 32-28 {deep} 19-23", "international")) == ["32-28", "19-23"]


def test_marks_of_strength_become_glyphs() -> None:
    record = read("1. 32-28! 19-23?? 2. 28x19* 14x23(!?) $10 3. 37-32 !!!", "international")
    assert record.nags == {1: (1,), 2: (4,), 3: (7,), 4: (5, 10)}


def test_lines_that_start_with_a_percent_sign_are_skipped() -> None:
    assert moves(read("% 1. 31-26\n1. 32-28\n%\n19-23", "international")) == ["32-28", "19-23"]


def test_tags_may_hold_quotes_brackets_and_backslashes() -> None:
    record = read(
        '[Event "The "Big" Open"] [Site "[here]"]\n[White "a \\"b\\" \\\\ c:\\d"] *',
        "international",
    )
    assert record.tags["Event"] == 'The "Big" Open'
    assert record.tags["Site"] == "[here]"
    assert record.tags["White"] == 'a "b" \\ c:\\d'


def test_a_game_without_moves_is_a_game() -> None:
    record = read('[GameType "20"] [Result "2-0"] 2-0')
    assert (record.moves, record.result) == ((), "2-0")
    assert record.final() == boardzero.make("international").start()


# Several games.


def test_games_end_at_a_result_or_at_the_next_tags() -> None:
    text = """
    1. 32-28 *
    1. 33-28 2-0 *
    [Event "x"] 1. 34-30
    [Event "y"] [Result "1-1"]
    [Event "z"] 1. 31-27 1-1
    """
    records = list(read_games(text, "international"))
    assert [moves(record) for record in records] == [
        ["32-28"],
        ["33-28"],
        ["34-30"],
        [],
        ["31-27"],
    ]
    assert [record.result for record in records] == ["*", "2-0", "*", "1-1", "1-1"]


def test_an_empty_text_holds_no_games() -> None:
    assert list(read_games("")) == []
    assert list(read_games("\n % nothing\n {nothing} ; nothing\n")) == []


def test_games_are_read_no_further_than_asked_for() -> None:
    asked = []

    def lines() -> Iterator[str]:
        for number in range(1000):
            asked.append(number)
            yield "1. 32-28 19-23 *\n"

    records = read_games(lines(), "international")
    next(records)
    next(records)
    assert len(asked) == 2


def test_files_and_their_encodings(tmp_path: Path) -> None:
    text = '\ufeff[White "Gérard"]\r\n[GameType "20"]\r\n1. 32-28 *\r\n'
    path = tmp_path / "game.pdn"
    path.write_bytes(text.encode("utf-8"))
    assert next(read_games(path)).tags["White"] == "Gérard"
    path.write_bytes(text[1:].encode("latin-1"))
    assert next(read_games(path)).tags["White"] == "Gérard"
    with path.open(encoding="latin-1") as file:
        assert next(read_games(file)).tags["White"] == "Gérard"
    assert next(read_games(io.StringIO(text))).tags["White"] == "Gérard"


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BoardZeroError, match=r"cannot read '.*none\.pdn': No such file"):
        list(read_games(tmp_path / "none.pdn"))


# Which game, where it starts, how it ended.


@pytest.mark.parametrize(
    ("tag", "game", "text"),
    [
        ("20", "international", "32-28"),
        ("20,W,10,10,N2,0", "international", "32-28"),
        ("21,B,8,8,N1,0", "english", "11-15"),
        ("23,B,8,8,N1,0", "pool", "11-15"),
        ("25,W,8,8,A0,0", "russian", "c3-d4"),
        ("26,W,8,8,A0", "brazilian", "c3-d4"),
        (" 26 , W", "brazilian", "22-18"),
    ],
)
def test_the_game_type_says_which_game(tag: str, game: str, text: str) -> None:
    assert read(f'[GameType "{tag}"] 1. {text}').game == boardzero.make(game)


@pytest.mark.parametrize(("text", "game"), [("32-28", "international"), ("11-15", "english")])
def test_without_a_game_type_the_first_move_may_tell(text: str, game: str) -> None:
    assert read(f"1. {text}").game.name == game


def test_without_a_game_type_nothing_is_guessed() -> None:
    with pytest.raises(BoardZeroError, match=r"no GameType tag.* russian or brazilian"):
        read("1. c3-d4")
    with pytest.raises(BoardZeroError, match="none that is known here"):
        read("1. 1-2")


def test_a_given_game_decides_how_games_end() -> None:
    record = read('[GameType "20"] 1. 32-28', "international:endings=meng")
    assert record.game.spec == "international:endings=meng"


def test_a_game_type_that_contradicts_the_given_game_is_an_error() -> None:
    with pytest.raises(BoardZeroError, match="GameType 21 is english, not russian"):
        read('[GameType "21"] 1. 11-15', "russian")


@pytest.mark.parametrize("tag", ["22", "", "x", "20W", "-1"])
def test_an_unknown_game_type_is_an_error(tag: str) -> None:
    with pytest.raises(BoardZeroError, match="none of those known here: 20 international, 21"):
        read(f'[GameType "{tag}"] *')


def test_pdn_is_only_for_draughts() -> None:
    with pytest.raises(BoardZeroError, match="not for chexers"):
        list(read_games("", "chexers"))
    with pytest.raises(BoardZeroError, match="not for chexers"):
        write_game(PdnGame.of(boardzero.make("chexers").start()))


def test_a_game_may_start_elsewhere() -> None:
    record = read('[FEN "B:W50:B5"]\n1... 5-10 2. 50-44', "international")
    assert record.start().fen() == "B:W50:B5"
    assert record.final().fen() == "B:W44:B10"
    assert [state.fen() for state in record.states()] == ["B:W50:B5", "W:W50:B10", "B:W44:B10"]
    text = write_game(record)
    assert '[SetUp "1"]\n[FEN "B:W50:B5"]\n' in text
    assert "1... 5-10 2. 50-44 *" in text


def test_a_setup_before_the_moves_is_a_start_too() -> None:
    record = read('/FEN "B:W50:B5"/ 1... 5-10', "international")
    assert record.tags["FEN"] == "B:W50:B5"
    with pytest.raises(BoardZeroError, match="column 8: a position can be set up only before"):
        read('1.32-28/FEN "B:W50:B5"/', "international")


def test_the_fen_of_an_algebraic_game_is_algebraic() -> None:
    state = boardzero.make("brazilian").parse_fen("W:W21,K32:B1,12")
    assert '[FEN "W:Wa3,Kg1:Bb8,h6"]' in write_game(PdnGame.of(state))


@pytest.mark.parametrize(
    ("game", "written", "result"),
    [
        ("international", "1-0", "2-0"),
        ("international", "0-2", "0-2"),
        ("international", "1/2-1/2", "1-1"),
        ("english", "2-0", "1-0"),
        ("english", "1 - 1", "1/2-1/2"),
        ("russian", "½-½", "1/2-1/2"),
        ("brazilian", "0-2", "0-1"),
        ("brazilian", "0-0", "0-0"),
        ("brazilian", "*", "*"),
    ],
)
def test_results_of_either_style_read_in_the_style_of_the_game(
    game: str, written: str, result: str
) -> None:
    assert read(f'[Event "x"] {written}', game).result == result
    assert read(f'[Result "{written}"] *', game).result == result


def test_other_results_are_kept_in_the_tag() -> None:
    record = read('[Result "1+ - 1-"] 1. 32-28 *', "international")
    assert record.result == "1+ - 1-"
    assert record.values is None
    assert read(write_game(record)).result == "1+ - 1-"


def test_the_first_number_of_a_result_belongs_to_the_player_who_begins() -> None:
    black_won = boardzero.make("english").parse_fen("B:W14:B10").after("10x17")
    white_won = boardzero.make("international").parse_fen("W:W28:B22").after("28x17")
    assert PdnGame.of(black_won).result == "1-0"
    assert PdnGame.of(white_won).result == "2-0"
    assert PdnGame.of(black_won).values == PdnGame.of(white_won).values == (1, -1)
    assert black_won.game.seats[0] == "black"


def test_players_may_play_on_past_a_draw_that_nobody_claimed() -> None:
    shuffle = "47-42 4-9 42-47 9-4 " * 5
    record = read(f'[FEN "W:WK47,36:BK4,15"] {shuffle} 36-31 1-1', "international")
    assert len(record.moves) == 21
    assert len(list(record.states())) == 22
    assert record.final().fen() == "B:W31,K47:BK4,15"


# Writing.


def test_a_game_is_written_as_the_standard_wants_it() -> None:
    state = boardzero.make("international").start()
    for text in ("32-28", "19-23", "28x19"):
        state.play(text)
    record = PdnGame.of(
        state, tags={"White": "Ann", "Annotator": 'the "pen"'}, comments={2: "dare", 3: "of course"}
    )
    assert write_game(record) == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "Ann"]\n[Black "?"]\n'
        '[Result "*"]\n[GameType "20,W,10,10,N2,0"]\n[Annotator "the \\"pen\\""]\n\n'
        "1. 32-28 19-23 {dare} 2. 28x19 {of course} *\n\n"
    )


def test_russian_captures_are_written_with_a_colon_and_brazilian_moves_with_letters() -> None:
    for game, capture in (("russian", "c3:a5"), ("brazilian", "c3xa5")):
        state = boardzero.make(game).parse_fen("W:Wc3:Bb4,h8")
        state.play(state.moves()[0])
        assert f"1. {capture} " in write_game(PdnGame.of(state))


def test_lines_stay_within_80_columns() -> None:
    state = random_game(boardzero.make("international"), random.Random(1))[-1]
    text = write_game(PdnGame.of(state, comments={3: "a long comment " * 20}))
    assert max(map(len, text.splitlines())) < 80


def test_a_comment_with_a_brace_is_written_behind_a_semicolon() -> None:
    state = boardzero.make("english").start()
    text = write_game(PdnGame.of(state, comments={0: "a } b"}))
    assert "; a } b\n" in text
    assert read(text).comments == {0: "a } b"}


@pytest.mark.parametrize("name", ["event", "", "My Tag", "A-B", "X\n"])
def test_a_tag_that_pdn_cannot_hold_is_refused(name: str) -> None:
    with pytest.raises(BoardZeroError, match="cannot be a PDN tag"):
        write_game(PdnGame.of(boardzero.make("english").start(), tags={name: "x"}))


@pytest.mark.parametrize("name", PEERS)
def test_pydraughts_reads_what_is_written(name: str) -> None:
    rng = random.Random(name)
    states = [random_game(boardzero.make(name), rng)[-1] for _ in range(5)]
    text = "".join(write_game(PdnGame.of(state)) for state in states)
    for state, peer in zip(states, PDNReader(pdn_text=text).games, strict=True):
        plain = " ".join(peer.moves).replace(":", "x").split()
        again = boardzero.make(name).start()
        for move in plain:
            again.play(move)
        assert again == state


# Errors: one sentence with the game, the line and the column.


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("1. 32-28 *\n\n 1. 11-15", r"game 2, line 3, column 5: '11-15' is not legal here"),
        ("1. 32-28 hello", r"game 1, line 1, column 10: 'hello' is not understood"),
        ("1. 32-28 {x\n", r"game 1, line 1, column 10: a comment is not closed with '}'"),
        ("1. 32-28 (19-23\n", r"line 1, column 10: a variation is not closed with '\)'"),
        ('1. 32-28 (1-\n[Event "x"] *', r"line 1, column 10: a variation is not closed"),
        ("1. 32-28 ) 19-23", r"line 1, column 10: '\)' closes nothing"),
        ('[FEN "W:W60:B1"]\n*', r"line 1, column 1: bad FEN .* square 60 is not on the board"),
        ("[Event x]\n*", r"line 1, column 1: '\[Event' is not understood"),
        ("1. 32", r"column 4: '32' is not understood"),
        ("1. 28x19x", r"column 4: '28x19x' is not understood"),
        ("1. 2-0x", r"column 4: '2-0x' is not understood"),
        ("eof", r"'eof' is not understood"),
    ],
)
def test_an_error_names_the_game_the_line_and_the_column(text: str, error: str) -> None:
    with pytest.raises(BoardZeroError, match=error) as caught:
        list(read_games(text, "international"))
    assert "\n" not in str(caught.value)


def test_a_game_that_cannot_be_read_may_be_left_out() -> None:
    errors: list[BoardZeroError] = []
    text = '1. 32-28 *\n1. 1-2 *\n[Event x]\n[White "a"] 1. 33-28 *\n1. 34-30 *\nend'
    records = list(read_games(text, "international", on_error=errors.append))
    assert [moves(record) for record in records] == [["32-28"], ["34-30"]]
    places = [str(error).partition(":")[0] for error in errors]
    assert places == [
        "PDN game 2, line 2, column 4",
        "PDN game 3, line 3, column 1",
        "PDN game 5, line 6, column 1",
    ]
