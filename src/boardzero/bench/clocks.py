"""How well our engines keep time: 200 moves of 50 ms each, and a `stop` in the middle of a search.

Times are what the other program sees, from its last word to our move. The peers are the limits that
we set ourselves. A `ping` shows how late the machine itself is: on an idle one it takes a fraction
of a millisecond.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from time import perf_counter, sleep

from boardzero.bench import Measurement
from boardzero.games import State, make
from boardzero.protocols import hub
from boardzero.protocols.engine_process import EngineProcess
from boardzero.protocols.squares import find, numbered, position

MOVES = 200
MOVE_MS = 50
LATEST_MS = 70.0
STOPS = 50
PINGS = 100
STOP_MS = 20.0


def measure() -> Iterator[Measurement]:
    for name, play in (("hub", _hub_times), ("gomocup", _gomocup_times)):
        with _engine(name) as program:
            times = sorted(play(program, MOVES))
        yield _figure(f"{name} {MOVE_MS} ms, 99th percentile", times[len(times) * 99 // 100 - 1])
        yield _figure(f"{name} {MOVE_MS} ms, latest", times[-1])
    with _engine("hub") as program:
        pings = sorted(_ping_times(program, PINGS))
        stops = sorted(_stop_times(program, STOPS))
    yield Measurement("ping, median", 1000 * pings[len(pings) // 2], "ms")
    yield Measurement("ping, latest", 1000 * pings[-1], "ms")
    yield _figure("hub stop, median", stops[len(stops) // 2], STOP_MS)
    yield _figure("hub stop, latest", stops[-1], STOP_MS)


@contextmanager
def _engine(protocol: str) -> Iterator[EngineProcess]:
    program = EngineProcess([sys.executable, "-m", "boardzero", "engine", protocol])
    try:
        yield program
    finally:
        program.kill()


def _figure(name: str, seconds: float, limit: float = LATEST_MS) -> Measurement:
    return Measurement(name, 1000 * seconds, "ms", "limit", limit)


def _hub_times(program: EngineProcess, moves: int) -> Iterator[float]:
    _await(program, "hub", lambda text: text == "wait")
    _await(program, "init", lambda text: text == "ready")
    game = make("international")
    state = game.start()
    for _ in range(moves):
        if state.outcome() is not None:
            state = game.start()
        program.send(hub.line("pos", {"pos": position(state)}))
        program.send(f"level move-time={MOVE_MS / 1000}")
        start = perf_counter()
        answer = _await(program, "go think", lambda text: text.startswith("done"))
        yield perf_counter() - start
        _, arguments = hub.parse_line(answer)
        state.play(find(state, hub.parse_move(arguments["move"])))


def _ping_times(program: EngineProcess, pings: int) -> Iterator[float]:
    _await(program, "hub", lambda text: text == "wait")
    for _ in range(pings):
        sleep(0.02)
        start = perf_counter()
        _await(program, "ping", lambda text: text == "pong")
        yield perf_counter() - start


def _stop_times(program: EngineProcess, stops: int) -> Iterator[float]:
    _await(program, "hub", lambda text: text == "wait")
    _await(program, "init", lambda text: text == "ready")
    random = Random(0)
    state = make("international").start()
    for _ in range(stops):
        program.send(hub.line("pos", {"pos": position(state)}))
        program.send("go analyze")
        sleep(random.uniform(0.02, 0.1))
        start = perf_counter()
        _await(program, "stop", lambda text: text.startswith("done"))
        yield perf_counter() - start
        state.play(numbered_first(state))


def numbered_first(state: State) -> str:
    return min(state.moves(), key=lambda move: str(numbered(move))).text


def _gomocup_times(program: EngineProcess, moves: int) -> Iterator[float]:
    size = 15
    _await(program, f"START {size}", lambda text: text == "OK")
    program.send(f"INFO timeout_turn {MOVE_MS}")
    random = Random(0)
    state = make(f"gomoku:size={size}").start()
    ask = "BEGIN"
    for _ in range(moves):
        start = perf_counter()
        answer = _await(program, ask, lambda text: text[:1].isdigit())
        yield perf_counter() - start
        x, y = map(int, answer.split(","))
        state.play_action(y * size + x)
        cell = random.choice(state.actions()) if state.outcome() is None else -1
        if cell >= 0:
            state.play_action(cell)
        ask = f"TURN {cell % size},{cell // size}"
        if state.outcome() is not None:
            _await(program, "RESTART", lambda text: text == "OK")
            state = make(f"gomoku:size={size}").start()
            ask = "BEGIN"


def _await(program: EngineProcess, line: str, is_it: Callable[[str], bool]) -> str:
    program.send(line)
    until = perf_counter() + 10
    while not is_it(text := program.receive(until)):
        pass
    return text
