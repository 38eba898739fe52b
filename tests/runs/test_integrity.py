"""Damage that is noticed: in frames, in weights, in rows, and in what is not there any more."""

import sqlite3
import struct
import zlib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boardzero import BoardZeroError
from boardzero.cli import doctor, serve
from boardzero.models import read_model
from boardzero.models.card import ModelCard, NetCard, write_card
from boardzero.runs.events import GamesMissing
from boardzero.runs.replay import Replay
from boardzero.server import Settings, check_data
from boardzero.store import PlayedGame, Store
from boardzero.training.train import train
from tests.search.stored import self_play
from tests.training.tiny import tiny

GAME = "gomoku:size=5,line=4"


@pytest.mark.parametrize("place", [12, 14])
def test_a_flipped_bit_of_a_frame_is_noticed(tmp_path: Path, place: int) -> None:
    replay = Replay(tmp_path)
    for record in self_play(GAME, 3, simulations=4):
        replay.append(record, 1)
    replay.close()
    shard = tmp_path / "shard-000001.bin"
    data = bytearray(shard.read_bytes())
    data[place] ^= 2  # the iteration, or the number of samples
    shard.write_bytes(data)
    assert Replay(tmp_path).set_aside


def test_games_that_an_earlier_program_stored_are_read_on(tmp_path: Path) -> None:
    records = list(self_play(GAME, 2, simulations=4))
    old = records[0]
    frame = struct.pack("<4sIIHH", b"BZR1", len(old), zlib.crc32(old), 1, 5)
    (tmp_path / "shard-000001.bin").write_bytes(frame + old)
    replay = Replay(tmp_path)
    replay.append(records[1], 2)
    replay.close()
    assert [game.iteration for game in Replay(tmp_path).games] == [1, 2]


@pytest.mark.parametrize("how", ["emptied", pytest.param("deleted", marks=pytest.mark.slow)])
def test_games_that_are_not_there_any_more_are_missed(tmp_path: Path, how: str) -> None:
    train(tiny(run__iterations=1, gate__games=0), run=tmp_path, cores=1)
    shard = tmp_path / "replay" / "shard-000001.bin"
    shard.unlink() if how == "deleted" else shard.write_bytes(b"")
    events: list[object] = []
    train(tiny(run__iterations=1, gate__games=0), run=tmp_path, cores=1, on_event=events.append)
    missing = [event for event in events if isinstance(event, GamesMissing)]
    assert [(event.found, event.noted) for event in missing] == [(0, 8)]


def test_weights_that_are_not_what_the_card_says_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "net.onnx").write_bytes(bytes(100))
    net = NetCard(file="net.onnx", encoding="mover", policy="flat")
    write_card(tmp_path, ModelCard(game=GAME, nets=(net,)))
    assert read_model(tmp_path).digests
    (tmp_path / "net.onnx").write_bytes(bytes(99) + b"\1")
    with pytest.raises(BoardZeroError, match=r"net\.onnx is damaged"):
        read_model(tmp_path)


def test_a_bad_row_leaves_the_other_games(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    record = PlayedGame(
        ("a", "b"), (1.0, -1.0), 0, game=GAME, reason="", moves=(), started=now, finished=now
    )
    with Store(tmp_path / "games.sqlite") as store:
        numbers = [store.add_game(record) for _ in range(3)]
    with sqlite3.connect(tmp_path / "games.sqlite") as db:
        db.execute("UPDATE games SET moves = 'rubbish' WHERE id = ?", (numbers[1],))
    with Store(tmp_path / "games.sqlite") as store:
        with pytest.warns(UserWarning, match=f"game {numbers[1]} .* is damaged and left out"):
            found = list(store.games())
        assert [game.id for game in found] == [numbers[0], numbers[2]]


@pytest.mark.parametrize("name", ["games.sqlite", "web.sqlite"])
def test_a_truncated_database_is_found_by_the_doctor_and_refused_by_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    check_data(Settings(tmp_path))
    path = tmp_path / name
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("CREATE TABLE filler (text TEXT)")
        db.executemany("INSERT INTO filler VALUES (?)", [("x" * 1000,)] * 50)
    monkeypatch.setenv("BOARDZERO_HOME", str(tmp_path))
    assert all(one.status == "ok" for one in doctor._databases())
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert [one.name for one in doctor._databases() if one.status == "fail"] == [name]
    with pytest.raises(BoardZeroError, match=name):
        check_data(Settings(tmp_path))
    result = CliRunner().invoke(serve.app, ["--data", str(tmp_path), "--port", "0"])
    assert isinstance(result.exception, BoardZeroError)
    assert "BoardZero is at" not in result.output
