"""Programs and clients that must not hurt us: endless lines, silence, numbers beyond numbers."""

import resource
import socket
import sys
from pathlib import Path
from threading import Thread
from time import perf_counter

import pytest

from boardzero.base.processes import machine_megabytes
from boardzero.cli import main
from boardzero.games import make
from boardzero.players import Limit, make_player
from boardzero.protocols import dxp
from boardzero.protocols.dxp_net import listen, talk
from boardzero.protocols.engine_process import EngineError, EngineProcess


def program(path: Path, *lines: str) -> str:
    path.write_text("\n".join(["import sys, time", *lines]) + "\n")
    return f"{sys.executable} {path}"


def test_a_line_without_end_fills_no_memory(tmp_path: Path) -> None:
    flood = "sys.stdout.write('x' * 200_000_000); sys.stdout.flush(); print(); print('done')"
    engine = EngineProcess(program(tmp_path / "flood.py", flood, "time.sleep(60)"))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    until = perf_counter() + 60
    assert len(engine.receive(until)) == 65_536
    assert engine.receive(until) == "done"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # kilobytes
    engine.kill()


def test_a_program_gets_half_of_the_memory_at_most(tmp_path: Path) -> None:
    greedy = f"input(); data = bytearray({machine_megabytes() << 20}); print('have it', flush=True)"
    engine = EngineProcess(program(tmp_path / "greedy.py", greedy))
    engine.send("go")
    with pytest.raises(EngineError, match="MemoryError"):
        engine.receive(perf_counter() + 60)
    engine.kill()


@pytest.mark.parametrize("nodes", ["1e999", "nan", "-inf", "x", "1e300"])
def test_a_number_beyond_numbers_forfeits_no_legal_move(tmp_path: Path, nodes: str) -> None:
    command = program(
        tmp_path / "engine.py",
        "for line in sys.stdin:",
        "    if line == 'hub\\n': print('wait', flush=True)",
        "    if line == 'init\\n': print('ready', flush=True)",
        f"    if line == 'go think\\n': print('info nodes={nodes} depth={nodes} score={nodes}')",
        "    if line == 'go think\\n': print('done move=32-28', flush=True)",
    )
    player = make_player(f'hub:cmd="{command}",grace=20', make("international"))
    choice = player.choose(make("international").start(), Limit(time=0.1))
    player.close()
    assert choice.move.text == "32-28"
    assert choice.nodes == 0
    assert choice.value is None or -1 <= choice.value <= 1


def test_a_silent_client_does_not_keep_others_waiting() -> None:
    game = make("international")
    player = make_player("random", game)
    ended = []

    def serve() -> None:
        connection, _ = door.accept()
        talk(connection, lambda send: dxp.Peer(game, player, send), patience=0.3)
        ended.append(True)

    with listen("127.0.0.1", 0) as door:
        server = Thread(target=serve)
        server.start()
        with socket.create_connection(door.getsockname()) as silent:
            silent.settimeout(30)
            assert silent.recv(100) == b""
        server.join(30)
    assert ended


@pytest.mark.parametrize(
    "command",
    [
        ["train", "{folder}/x.toml"],
        ["runs", "import", "{folder}", "{folder}/new"],
        ["games", "list", "--store", "{folder}"],
        ["dataset", "make", "{folder}/x.toml"],
        ["match", "random", "random", "--game", "english", "--openings", "{folder}"],
    ],
)
def test_a_folder_in_the_place_of_a_file_is_one_sentence(
    tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.toml").mkdir()
    assert main([part.format(folder=tmp_path) for part in command]) == 2
    said = capsys.readouterr().err.strip()
    assert said.startswith("boardzero: ")
    assert "Traceback" not in said
