"""The borders that bytes of strangers cross: each reads an input or refuses it in one sentence.

A border is a function of bytes. What it raises, other than the refusal that it waits for itself, is
a fault. Borders of the core (`cpp/fuzz`) are programs of their own.
"""

from __future__ import annotations

import struct
import tempfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from boardzero import BoardZeroError, make
from boardzero.base.specs import parse_spec, read_options
from boardzero.games import families
from boardzero.games.notation import files, pdn, sgf
from boardzero.players import Limit, make_player, player_families
from boardzero.protocols.dxp import Peer, frames
from boardzero.protocols.engine_process import EngineError
from boardzero.protocols.gomocup import GomocupEngine
from boardzero.protocols.gomocup_player import GomocupPlayer
from boardzero.protocols.hub import HubEngine
from boardzero.protocols.hub_player import HubPlayer
from boardzero.runs.replay import Replay, newest_records

_MOST_LINES = 40


def read_or_refuse(read: Callable[[], object]) -> None:
    try:
        read()
    except BoardZeroError as error:
        sentence = str(error)
        assert sentence
        assert "\n" not in sentence
        assert len(sentence) < 2100, len(sentence)


def read_pdn(data: bytes) -> None:
    read_or_refuse(lambda: [pdn.write_tree(tree) for tree in pdn.read_trees([_text(data)])])


def read_sgf(data: bytes) -> None:
    read_or_refuse(lambda: [sgf.write_tree(tree) for tree in sgf.read_trees(_text(data))])


def read_files(data: bytes) -> None:
    """Texts of any format; what is read reads back, and what is wrong is told and left out."""

    def named(spec: str) -> object:
        parsed = parse_spec(spec)
        if parsed.name not in {family.name for family in families()}:
            raise BoardZeroError("a text of strangers names only games that are there")
        return make(spec)

    told: list[BoardZeroError] = []

    def read() -> None:
        for tree in files.read_trees(_text(data), "gomoku", on_error=told.append, named=named):
            again = list(files.read_trees(files.write_tree(tree), named=named))
            assert [node.position for node in again[0].mainline()] == [
                node.position for node in tree.mainline()
            ]

    read_or_refuse(read)
    assert all("\n" not in str(error) for error in told)


def read_spec(data: bytes) -> None:
    """Specs of games and players; one that is read is written and read again."""
    known = {family.name: family.options for family in (*families(), *player_families())}

    def read() -> None:
        spec = parse_spec(_text(data))
        if spec.name in known:
            read_options(spec, known[spec.name])
            assert parse_spec(str(spec)).options == spec.options

    read_or_refuse(read)


def talk_hub(data: bytes) -> None:
    """Lines of a client to our engine."""
    _talk(HubEngine("english", "random", _printable), data)


def talk_gomocup(data: bytes) -> None:
    """Lines of a manager to our engine."""
    _talk(GomocupEngine("random", _printable), data)


def answer_hub(data: bytes) -> None:
    """Lines of another program that plays for us."""
    _ask(HubPlayer("hub", {"cmd": "x", "params": "", "time": 1.0, "grace": 1.0}), "english", data)


def answer_gomocup(data: bytes) -> None:
    player = GomocupPlayer("gomocup", {"cmd": "x", "memory": 1, "time": 1.0, "grace": 1.0})
    _ask(player, "gomoku:size=15", data)


def talk_dxp(data: bytes) -> None:
    """Messages of an opponent."""
    game = _game("international")
    peer = Peer(game, make_player("random", game), _printable)
    for message in list(frames(bytearray(data)))[:_MOST_LINES]:
        peer.receive(message)
        peer.wait()
    peer.close()


def read_replay(data: bytes) -> None:
    """A shard of finished games, whose checksums are right as those of a forger are."""
    frame = struct.Struct("<4sIIHH")
    shard, left = b"", data
    while len(left) >= frame.size:
        magic, length, _, iteration, samples = frame.unpack(left[: frame.size])
        record = left[frame.size :][: length % 1024]
        checksum = zlib.crc32(struct.pack("<HH", iteration, samples) + record)
        shard += frame.pack(magic, len(record), checksum, iteration, samples) + record
        left = left[frame.size + len(record) :]
    with tempfile.TemporaryDirectory(dir=_memory()) as folder:
        (Path(folder) / "shard-000001.bin").write_bytes(shard + left)
        list(newest_records(Path(folder)))
        replay = Replay(Path(folder))
        for game in replay.games:
            replay.read(game)
        replay.close()


BORDERS: dict[str, Callable[[bytes], None]] = {
    "pdn": read_pdn,
    "sgf": read_sgf,
    "files": read_files,
    "spec": read_spec,
    "hub": talk_hub,
    "hub-answers": answer_hub,
    "gomocup": talk_gomocup,
    "gomocup-answers": answer_gomocup,
    "dxp": talk_dxp,
    "replay": read_replay,
}


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _printable(line: str) -> None:
    assert "\n" not in line


@cache
def _game(spec: str):
    return make(spec)


@cache
def _memory() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _lines(data: bytes) -> list[str]:
    return _text(data).splitlines()[:_MOST_LINES]


def _talk(engine: HubEngine | GomocupEngine, data: bytes) -> None:
    for line in _lines(data):
        if not engine.receive(line):
            break
        engine.wait()
    engine.close()


class _Script:
    """A program that says these lines and then nothing more."""

    name = "script"

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines

    def send(self, line: str) -> None:
        _printable(line)

    def receive(self, _: float) -> str:
        for line in self._lines:
            return line
        raise EngineError("script does not answer")


def _ask(player: HubPlayer | GomocupPlayer, game: str, data: bytes) -> None:
    program = _Script(iter(_lines(data)))
    state = _game(game).start()

    def ask() -> None:
        player._introduce(program, state, 0.0)
        for _ in range(2):
            state.play(player._ask(program, state, Limit(time=0.1), 0.0).move)

    read_or_refuse(ask)
