"""Games at the terminal, typed by a script."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import boardzero
from boardzero.cli.play import assign_seats

TWO_PEOPLE = ("--seat", "human", "--seat", "human")


def events(result, kind):
    return [record for record in result.records if record["event"] == kind]


def test_a_scripted_game_with_undo_and_save(run, tmp_path):
    file = tmp_path / "game.pdn"
    typed = f"32-28\n19-24\nundo\n19-23\n28x19\n14x23\nsave {file}\nquit\n"
    result = run("play", "international", *TWO_PEOPLE, typed=typed)
    assert result.code == 0
    assert "1. 32-28 19-23 2. 28x19 14x23 *" in file.read_text()


def test_the_events_of_a_game_as_json_lines(run):
    typed = "32-28\n19-24\nundo\n19-23\nresign\n"
    result = run("play", "international", *TWO_PEOPLE, "--json", typed=typed)
    assert [record["event"] for record in result.records] == [
        *("start", "move", "move", "undo", "move", "end"),
    ]
    start, move, *_, end = result.records
    assert start["game"] == "international"
    assert start["seats"] == {"white": "human", "black": "human"}
    assert set(move) == {"event", "seat", "player", "move", "fen", "value", "seconds"}
    assert (move["seat"], move["move"]) == ("white", "32-28")
    assert end == {"event": "end", "winner": "black", "reason": "white resigned", "plies": 2}


def test_a_game_in_a_python_file_is_played_to_its_end(run):
    file = Path(__file__).parents[2] / "examples" / "connect_four.py"
    result = run("play", str(file), *TWO_PEOPLE, "--json", typed="d\ne\nd\ne\nd\ne\nd\n")
    assert result.code == 0
    end = result.records[-1]
    assert (end["winner"], end["reason"]) == ("red", "four in a row")


def test_a_game_in_a_python_file_that_breaks_the_contract_stops_with_a_sentence(run, tmp_path):
    example = Path(__file__).parents[2] / "examples" / "connect_four.py"
    broken = tmp_path / "broken.py"
    broken.write_text(example.read_text().replace('"xo"[self.to_move(s)]', '"xo"[2]'))
    result = run("play", str(broken), "--seat", "random", "--seat", "random")
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert "connect_four breaks its contract: play('......./" in result.err
    assert "raised IndexError: string index out of range" in result.err


def test_undo_goes_back_to_the_persons_own_move(run):
    typed = "32-28\nundo\n33-28\nquit\n"
    arguments = ("--seat", "human", "--seat", "random:seed=1", "--json")
    result = run("play", "international", *arguments, typed=typed)
    (undo,) = events(result, "undo")
    assert undo["moves"] == 2
    assert undo["fen"] == boardzero.make("international").start().fen()


def test_undo_with_nothing_to_undo_says_so(run):
    result = run("play", "english", *TWO_PEOPLE, typed="undo\n")
    assert "no move of yours to take back" in result.out


def test_a_move_against_the_rules_is_refused_with_the_reason(run):
    fen = "W:W28,45:B22,12"
    result = run("play", "international", *TWO_PEOPLE, "--fen", fen, typed="45-40\n")
    assert "a capture is mandatory" in result.out


def test_a_mistyped_command_is_answered_with_the_nearest(run):
    assert "did you mean 'help'?" in run("play", "english", *TWO_PEOPLE, typed="hepl\n").out


def test_a_hint_names_a_legal_move_and_plays_nothing(run):
    result = run("play", "english", "--seat", "human", "--seat", "human", "--json", typed="hint\n")
    (hint,) = [record for record in result.records if record["event"] == "hint"]
    assert hint["line"][0] == hint["move"]
    assert not [record for record in result.records if record["event"] == "move"]


def test_help_lists_the_commands(run):
    out = run("play", "english", *TWO_PEOPLE, typed="help\n").out
    assert all(word in out for word in ("undo", "save FILE", "resign", "fen", "quit", "moves"))


def test_fen_and_moves_on_request(run):
    out = run("play", "english", *TWO_PEOPLE, typed="fen\nmoves\n").out
    assert boardzero.make("english").start().fen() in out
    assert "9-14  10-15  11-16" in out


def test_few_moves_are_listed_and_many_are_not(run):
    assert "9-14  10-15" in run("play", "english", *TWO_PEOPLE).out
    assert "a1  b1" not in run("play", "gomoku", *TWO_PEOPLE).out


def test_a_finished_game_can_still_be_saved_or_taken_back(run, tmp_path):
    file = tmp_path / "end.pdn"
    fen = "W:W32:B28"
    typed = f"32x23\nsave {file}\n23-18\nundo\n"
    result = run("play", "international", *TWO_PEOPLE, "--fen", fen, typed=typed)
    assert "white wins: no move left" in result.out
    assert "the game is over" in result.out
    assert "32x23" in file.read_text()
    assert result.out.rstrip().endswith("white>")


def test_a_saved_game_of_draughts_is_pdn_that_reads_back(run, tmp_path):
    file = tmp_path / "resigned.pdn"
    run("play", "english", *TWO_PEOPLE, typed=f"9-14\n23-19\nresign\nsave {file}\nquit\n")
    (record,) = boardzero.games.read_games(file)
    assert [str(move) for move in record.moves] == ["9-14", "23-19"]
    assert (record.tags["White"], record.tags["Black"]) == ("human", "human")
    assert record.result == "0-1"  # black, who begins, resigned


def test_save_never_overwrites_a_file_that_it_did_not_write(run, tmp_path):
    file = tmp_path / "mine.pdn"
    file.write_text("precious")
    result = run("play", "english", *TWO_PEOPLE, typed=f"save {file}\n")
    assert "exists already" in result.out
    assert file.read_text() == "precious"


def test_save_writes_again_what_it_wrote_before(run, tmp_path):
    file = tmp_path / "game.pdn"
    run("play", "english", *TWO_PEOPLE, typed=f"save {file}\n9-14\nsave {file}\n")
    assert "9-14" in file.read_text()


def test_a_file_that_cannot_be_written_is_named_and_the_game_goes_on(run, tmp_path):
    result = run("play", "english", *TWO_PEOPLE, typed=f"save {tmp_path}/no/x.pdn\n9-14\n")
    assert "cannot write" in result.out
    assert result.code == 0


def test_programs_play_to_the_end_by_themselves(run):
    arguments = ("--seat", "random:seed=1", "--seat", "random:seed=2", "--json")
    result = run("play", "english", *arguments)
    state = boardzero.make("english").start()
    for event in events(result, "move"):
        state.play(event["move"])
        assert event["fen"] == state.fen()
    (end,) = events(result, "end")
    assert state.outcome().reason == end["reason"]
    assert end["plies"] == len(state.history)


def test_three_programs_play_chexers(run):
    arguments = [word for seed in "123" for word in ("--seat", f"random:seed={seed}")]
    result = run("play", "chexers", *arguments, "--json")
    assert {event["seat"] for event in events(result, "move")} == {"red", "green", "blue"}
    assert len(events(result, "end")) == 1


def test_without_a_game_there_is_a_menu(run):
    assert "English draughts: black human" in run("play", typed="2\nquit\n").out
    assert "English draughts: black human" in run("play", typed="english\nquit\n").out
    assert "International draughts: white human" in run("play").out


def test_black_alone_at_the_board_sees_it_from_blacks_side(run):
    board = run("play", "international", "--seat", "random:seed=1", "--seat", "human").out
    assert board.index(" 50 ") < board.index("  5 ")
    board = run("play", "international", "--seat", "human", "--seat", "random:seed=1").out
    assert board.index("  5\n") < board.index(" 46 ")


@pytest.mark.parametrize(
    ("game", "given", "seats"),
    [
        ("english", ["human", "random"], ["human", "random"]),
        ("english", ["white=human", "random"], ["random", "human"]),
        ("english", ["random:seed=1"], ["random:seed=1", "human"]),
        ("chexers", ["blue=random", "red=random"], ["random", "human", "random"]),
    ],
)
def test_seats_go_by_order_or_by_name(game, given, seats):
    assert assign_seats(boardzero.make(game), given) == seats


def test_a_seat_that_nobody_named_goes_to_a_person_first_and_then_to_programs():
    seats = assign_seats(boardzero.make("chexers"), [])
    assert seats == ["human", "zero:time=1", "zero:time=1"]


def test_where_there_is_no_champion_another_program_plays():
    assert assign_seats(boardzero.make("gomoku:size=9"), [])[1] == "alphabeta:time=1"


def at_a_terminal(environment: dict[str, str]) -> str:
    """What a person at a terminal sees who leaves at once."""
    screen, terminal = pty.openpty()
    os.write(screen, b"quit\n")
    subprocess.run(
        [sys.executable, "-m", "boardzero", "play", "english", *TWO_PEOPLE],
        stdin=terminal,
        stdout=terminal,
        env=os.environ | {"TERM": "xterm-256color", "COLORTERM": "truecolor"} | environment,
        check=True,
    )
    os.close(terminal)
    seen = b""
    while True:
        try:
            seen += os.read(screen, 65536)
        except OSError:  # the terminal is closed and read to its end
            os.close(screen)
            return seen.decode()


def test_the_board_has_colours_on_a_terminal():
    assert "●" in at_a_terminal({})


def test_the_board_is_plain_on_a_terminal_for_those_who_want_no_colour():
    seen = at_a_terminal({"NO_COLOR": "1"})
    assert "●" not in seen
    assert "b   b   b   b" in seen
