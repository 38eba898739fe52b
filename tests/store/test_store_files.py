"""Which files are opened, which are refused, and how old ones are brought up to date."""

import sqlite3
from pathlib import Path

import pytest
from stored_games import GAME

from boardzero.base.errors import BoardZeroError
from boardzero.store import Store, schema


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def refused(path: Path, complaint: str) -> None:
    """The sentence is given, and neither the file nor its folder has changed."""
    before = contents(path.parent)
    with pytest.raises(BoardZeroError, match=complaint) as error:
        Store(path)
    assert "\n" not in str(error.value)
    assert contents(path.parent) == before


def test_a_text_file_is_refused_and_left_untouched(path: Path) -> None:
    path.write_text("1. 32-28 19-23\n" * 20)
    refused(path, "games.sqlite is not a database")


def test_a_file_shorter_than_a_header_is_refused_and_left_untouched(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0")
    refused(path, "games.sqlite is not a database")


@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
def test_a_database_of_another_program_is_refused_and_left_untouched(
    path: Path, journal: str
) -> None:
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA journal_mode = {journal}")
        db.execute("CREATE TABLE games (id)")
    db.close()
    refused(path, "another program")


def test_a_newer_database_is_refused_and_left_untouched(path: Path) -> None:
    Store(path).close()
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 1000")
    db.close()
    refused(path, "newer BoardZero .format 1000, this one knows up to 2.: update")


def test_a_database_made_newer_by_a_program_that_still_runs_is_refused(path: Path) -> None:
    Store(path).close()
    running = sqlite3.connect(path, isolation_level=None)
    running.execute("PRAGMA user_version = 1000")  # is in the write-ahead log only
    before = path.read_bytes()
    with pytest.raises(BoardZeroError, match="newer BoardZero"):
        Store(path)
    assert path.read_bytes() == before
    running.close()


def test_a_directory_is_refused(path: Path) -> None:
    path.mkdir()
    with pytest.raises(BoardZeroError, match=r"cannot read the database .*: Is a directory"):
        Store(path)


def test_a_path_below_a_file_is_refused(path: Path) -> None:
    path.write_text("")
    with pytest.raises(BoardZeroError, match="cannot read the database"):
        Store(path / "games.sqlite")


def test_a_damaged_database_gives_a_sentence_and_not_wrong_games(path: Path) -> None:
    with Store(path) as store:
        for _ in range(200):
            store.add_game(GAME)
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(BoardZeroError, match="cannot use the database"), Store(path) as store:
        list(store.games())


def test_a_truncated_database_gives_a_sentence(path: Path) -> None:
    with Store(path) as store:
        store.add_game(GAME)
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(BoardZeroError, match="cannot use the database"), Store(path) as store:
        list(store.games())


def test_an_empty_file_becomes_a_database(path: Path) -> None:
    path.touch()
    with Store(path) as store:
        assert store.count() == 0


def test_missing_folders_are_made(tmp_path: Path) -> None:
    with Store(tmp_path / "a" / "b" / "games.sqlite") as store:
        assert store.add_game(GAME) is not None


def test_an_older_database_is_migrated_and_keeps_its_games(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(path) as store:
        game_id = store.add_game(GAME)
    scripts = (*schema.scripts(), "ALTER TABLE games ADD COLUMN event TEXT;\nSELECT 1;")
    monkeypatch.setattr(schema, "scripts", lambda: scripts)
    with Store(path) as store:
        assert [game.id for game in store.games()] == [game_id]
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (len(scripts),)
        assert db.execute("SELECT event FROM games").fetchall() == [(None,)]
    db.close()


def test_a_migration_that_fails_leaves_the_old_database(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(path) as store:
        store.add_game(GAME)
    scripts = (*schema.scripts(), "DROP TABLE ratings;\nALTER TABLE absent ADD COLUMN x;")
    with monkeypatch.context() as patch:
        patch.setattr(schema, "scripts", lambda: scripts)
        with pytest.raises(BoardZeroError, match="no such table: absent"):
            Store(path)
    with Store(path) as store:
        assert store.count() == 1
        assert store.ratings(game="english", method="elo") == []


def test_the_store_uses_a_write_ahead_log_and_full_synchronisation(path: Path) -> None:
    with Store(path) as store:
        assert store._db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert store._db.execute("PRAGMA synchronous").fetchone()[0] == 2
