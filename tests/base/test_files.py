"""Files and folders that appear complete or not at all."""

import errno
from pathlib import Path

import pytest

from boardzero import BoardZeroError
from boardzero.base.files import finish_folder, write_file, write_folder


def fill_with(text: str):
    def fill(folder: Path) -> None:
        (folder / "a").write_text(text)
        (folder / "b").write_text(text)

    return fill


def read(folder: Path) -> list[str]:
    return [path.read_text() for path in sorted(folder.iterdir())]


class Killed(BaseException):
    """Stands for SIGKILL: no handler may tidy up after it."""


def test_a_file_is_replaced_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file"
    write_file(path, "one")
    write_file(path, b"two")
    assert path.read_text() == "two"
    assert [entry.name for entry in path.parent.iterdir()] == ["file"]


def test_a_folder_is_replaced_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder"
    write_folder(path, fill_with("one"))
    write_folder(path, fill_with("two"))
    assert read(path) == ["two", "two"]
    assert [entry.name for entry in path.parent.iterdir()] == ["folder"]


@pytest.mark.parametrize("step", range(12))
def test_a_folder_that_is_replaced_is_never_lost(
    tmp_path: Path, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed before any of its renames and deletions, the old or the new content is there."""
    path = tmp_path / "folder"
    write_folder(path, fill_with("old"))
    left = step

    def or_die(function):
        def call(*args, **kwargs):
            nonlocal left
            left -= 1
            if left < 0:
                raise Killed
            return function(*args, **kwargs)

        return call

    with monkeypatch.context() as patch:
        patch.setattr("os.rename", or_die(__import__("os").rename))
        patch.setattr("os.unlink", or_die(__import__("os").unlink))
        patch.setattr("os.rmdir", or_die(__import__("os").rmdir))
        try:
            write_folder(path, fill_with("new"))
            killed = False
        except Killed:
            killed = True
    finish_folder(path)
    assert read(path) in ([["old"] * 2, ["new"] * 2] if killed else [["new"] * 2])
    write_folder(path, fill_with("newer"))
    assert read(path) == ["newer"] * 2
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]


def test_a_full_disk_is_a_sentence_and_leaves_nothing_behind(tmp_path: Path) -> None:
    def full(folder: Path) -> None:
        (folder / "a").write_text("half")
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "folder"
    write_folder(path, fill_with("old"))
    with pytest.raises(BoardZeroError, match="No space left on device; make room and run"):
        write_folder(path, full)
    assert read(path) == ["old", "old"]
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]
