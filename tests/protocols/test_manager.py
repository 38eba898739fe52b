"""Our Gomocup engine as managers use it: a script of what they send, when, and what they count.

Managers differ. Some tell the rule before START and some after it; all end their lines as Windows
does, measure the time themselves, and send `time_left` before each move of a match.
"""

import subprocess
from queue import Queue
from threading import Thread
from time import perf_counter

import pytest
from conversations import ENGINE

from boardzero.games import make

SIZE = 15
GAME = make(f"gomoku:size={SIZE}")


class Manager:
    """Talks to one engine through pipes, and keeps its clock."""

    def __init__(self, player):
        command = [*ENGINE.split(), "gomocup", "--player", player]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self._engine = subprocess.Popen(command, **pipes)
        self._lines = Queue()
        Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self._engine.stdout:
            self._lines.put(line.decode().strip())

    def send(self, *lines):
        self._engine.stdin.write("".join(f"{line}\r\n" for line in lines).encode())
        self._engine.stdin.flush()

    def hear(self, seconds=60):
        """The next line that is no comment."""
        while (line := self._lines.get(timeout=seconds)).startswith(("MESSAGE", "DEBUG")):
            pass
        return line

    def ask(self, *lines):
        """An answer, and how long it took."""
        begun = perf_counter()
        self.send(*lines)
        return self.hear(), perf_counter() - begun

    def is_silent(self):
        """Whether nothing was said that nobody asked for."""
        answer, _ = self.ask("ABOUT")
        return answer.startswith('name="')

    def end(self):
        self.send("END")
        code = self._engine.wait(20)
        errors = self._engine.stderr.read()
        self._engine.stdin.close()
        return code, errors


@pytest.fixture
def manager():
    made = []

    def start(player):
        made.append(Manager(player))
        return made[-1]

    yield start
    for one in made:
        one._engine.kill()
        one._engine.wait()


def move(state, answer):
    """Play `x,y` as a manager's referee does."""
    x, y = map(int, answer.split(","))
    state.play(GAME.geometry.labels[y * SIZE + x])


def point(played):
    cell = played.path[0]
    return f"{cell % SIZE},{cell // SIZE}"


def test_a_match_of_two_games_with_a_clock_for_all_moves(manager):
    """As a tournament plays it: a second of the whole match for 20 moves, the sides changed."""
    engine = manager("alphabeta:hash=1")
    assert engine.ask("ABOUT")[0].startswith('name="BoardZero", version="')
    left = 8.0
    for game in range(2):
        assert engine.ask("START 15")[0] == "OK"
        engine.send("INFO rule 0", "INFO game_type 1", "INFO max_memory 367001600")
        engine.send("INFO timeout_turn 400", "INFO timeout_match 8000", "INFO folder C:\\data")
        state = GAME.start()
        for ply in range(20):
            if state.outcome() is not None:
                break
            if ply % 2 == game:
                engine.send(f"INFO time_left {round(1000 * left)}")
                ours = f"TURN {point(state.history[-1])}" if state.history else "BEGIN"
                answer, took = engine.ask(ours)
                left -= took
                assert took < 0.4 + 1.0  # a manager allows for its own pipes; a busy machine more
                move(state, answer)
            else:
                state.play(state.moves()[(7 * ply) % len(state.moves())])
    assert engine.is_silent()
    assert engine.end() == (0, b"")


def test_a_person_at_a_board_takes_back_sets_up_and_stops_long_thoughts(manager):
    engine = manager("alphabeta:hash=1")
    assert engine.ask("START 15")[0] == "OK"
    engine.send("INFO timeout_turn 100", "INFO timeout_match 0", "INFO rule 0")
    answer, _ = engine.ask("TURN 7,7")
    assert engine.ask(f"TAKEBACK {answer}")[0] == "OK"
    assert engine.ask("TAKEBACK 7,7")[0] == "OK"
    engine.send("YXBOARD", "7,7,2", "8,7,1", "DONE")
    assert engine.is_silent()  # it only sets the stones
    other, _ = engine.ask("TURN 6,6")
    assert other not in {"7,7", "8,7", "6,6"}
    engine.send("INFO timeout_turn 300000", "BOARD", "7,7,2", "8,7,1", "6,6,2", "DONE")
    assert engine.is_silent()  # it thinks, and hears
    last, took = engine.ask("STOP")
    assert took < 5
    assert last not in {"7,7", "8,7", "6,6"}
    assert engine.end() == (0, b"")


def test_a_manager_that_names_the_rule_before_the_board(manager):
    engine = manager("random")
    for rule in (4, 0):
        assert engine.ask(f"INFO rule {rule}", "START 15")[0] == "OK"
        double_three = ["7,8,2", "8,8,2", "9,7,2", "9,6,2", "3,3,1", "11,11,1", "4,12,1", "10,1,1"]
        engine.send("YXBOARD", *double_three, "DONE")
        answer, _ = engine.ask("TURN 9,8")  # black's, which only renju forbids
        assert answer.startswith("ERROR") == (rule == 4)
    assert engine.end() == (0, b"")


def test_the_end_comes_in_the_middle_of_a_long_thought(manager):
    engine = manager("alphabeta:hash=1")
    engine.ask("START 15")
    engine.send("INFO timeout_turn 300000", "BEGIN")
    begun = perf_counter()
    assert engine.end() == (0, b"")
    assert perf_counter() - begun < 10
