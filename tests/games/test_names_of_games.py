"""How games written in Python get their names: files, registered classes, packages."""

from pathlib import Path

import pytest

from boardzero import BoardZeroError, make, register
from boardzero.games import families, registry
from tests.base.faulty import add_plugins
from tests.games.tictactoe import TicTacToe


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


GAME_FILE = """
from boardzero import PythonGame
from tests.games.tictactoe import TicTacToe

class Sized(TicTacToe):
    def __init__(self, size: int = 3, fast: bool = False, note: str = "") -> None:
        self.size, self.fast, self.note = size, fast, note
        self.title = f"{size} {fast} {note}"
"""


def test_a_file_is_a_name_and_the_arguments_of_its_class_are_options(folder: Path) -> None:
    (folder / "sized.py").write_text(GAME_FILE)
    assert make("./sized.py").title == "3 False "
    game = make('sized.py:size=4,fast=true,note="a,b"')
    assert game.title == "4 True a,b"
    assert game.spec == 'sized.py:size=4,fast=true,note="a,b"'
    assert make(game.spec).title == game.title
    assert make(str(folder / "sized.py")).start().moves()


def test_a_file_that_changes_is_read_again(folder: Path) -> None:
    file = folder / "sized.py"
    file.write_text(GAME_FILE)
    first = make("./sized.py")
    file.write_text(GAME_FILE.replace("{size} {fast}", "now {size}"))
    assert first.title == "3 False "
    assert make("./sized.py").title == "now 3 "


def test_a_file_with_several_games_says_which_one_it_means(folder: Path) -> None:
    (folder / "two.py").write_text(GAME_FILE + "\nclass Other(Sized): pass\n")
    with pytest.raises(BoardZeroError, match="defines Sized, Other; say which with GAME"):
        make("./two.py")
    (folder / "two.py").write_text(GAME_FILE + "\nclass Other(Sized): pass\nGAME = Other\n")
    assert make("./two.py").start().moves()


BAD_FILES = {
    "x = 1": "defines no subclass of boardzero.PythonGame",
    "x = ": "cannot be loaded: SyntaxError",
    "1 / 0": "cannot be loaded: ZeroDivisionError: division by zero",
    "GAME = 3": "GAME in .* is not a subclass of PythonGame",
    "from boardzero import PythonGame\nclass Half(PythonGame[int]): pass": "Half in .* does not"
    " define actions, initial, outcome, play, to_move",
    GAME_FILE.replace("size: int = 3", "size: int"): "'size' of Sized needs a default",
    GAME_FILE.replace("self.title", "1 / 0 #"): "bad.py cannot be made: division by zero",
}


@pytest.mark.parametrize(("text", "sentence"), BAD_FILES.items())
def test_a_file_without_a_game_is_refused_in_a_sentence(
    folder: Path, text: str, sentence: str
) -> None:
    (folder / "bad.py").write_text(text)
    with pytest.raises(BoardZeroError, match=sentence):
        make("./bad.py")


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("./none.py", "there is no file './none.py' to load a game from"),
        ("./sized.py:sise=4", "unknown option of ./sized.py 'sise'; did you mean 'size'?"),
        ("./sized.py:size=four", "must be a whole number, not 'four'"),
        ("./sized.py:fast=1", "must be true or false, not '1'"),
    ],
)
def test_a_wrong_name_or_option_is_refused_in_a_sentence(
    folder: Path, spec: str, sentence: str
) -> None:
    (folder / "sized.py").write_text(GAME_FILE)
    with pytest.raises(BoardZeroError) as caught:
        make(spec)
    assert sentence in str(caught.value)


def test_a_registered_class_can_be_made_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry._families, "_loaded", {})
    register(TicTacToe)
    assert make("tic_tac_toe").start().moves()
    assert "Three in a row on 3x3" in [family.summary for family in families()]
    with pytest.raises(BoardZeroError, match="neither a Family nor a subclass of PythonGame"):
        register(3)  # type: ignore[arg-type]


def test_packages_add_games_by_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    add_plugins(
        monkeypatch,
        games={
            "noughts": "tests.games.tictactoe:TicTacToe",
            "faulty": "tests.games.nowhere:Thing",
        },
    )
    monkeypatch.setattr(registry._families, "_loaded", {})
    assert make("noughts").spec == "noughts"
    with pytest.raises(BoardZeroError, match=r"'faulty' .* cannot be loaded: ModuleNotFoundError"):
        make("faulty")
    with pytest.warns(UserWarning, match="'faulty'"):
        assert [family.name for family in families()] == ["noughts", "openspiel"]
    with pytest.raises(BoardZeroError, match="did you mean 'noughts'"):
        make("nought")
