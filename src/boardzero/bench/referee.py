"""What a game inside the Chexers course's referee costs: CPU time and memory, against its limits.

Each game runs in a process of its own, with our player in one of the seats in turn and simple
players in the others. The memory is all that the process takes, which includes Python and them.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from boardzero.bench import Measurement
from boardzero.games import make
from boardzero.players import make_player
from boardzero.protocols.chexers import Player, as_action

GAMES = 20
CPU_SECONDS = 60.0
MEGABYTES = 100.0


def measure(games: int = GAMES) -> Iterator[Measurement]:
    costs = [_cost(number) for number in range(games)]
    seconds = max(cost["seconds"] for cost in costs)
    megabytes = max(cost["megabytes"] for cost in costs)
    yield Measurement(f"CPU of {games} games, most", seconds, "s", "limit", CPU_SECONDS)
    yield Measurement(f"memory of {games} games, most", megabytes, "MB", "limit", MEGABYTES)
    yield Measurement("turns of our longest game", max(cost["turns"] for cost in costs), "turns")
    yield Measurement("games won by our player", sum(cost["won"] for cost in costs), "games")


def _cost(number: int) -> dict[str, float]:
    command = [sys.executable, "-m", "boardzero.bench.referee", str(number)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    cost: dict[str, float] = json.loads(done.stdout)
    return cost


def play(number: int) -> dict[str, float]:
    """One game, as the referee plays it; the others are random and greedy by turns."""
    # What the limits forbid shall break here and not at the course.
    resource.setrlimit(resource.RLIMIT_CPU, (4 * int(CPU_SECONDS), 4 * int(CPU_SECONDS)))
    game = make("chexers")
    seat = number % 3
    ours = Player(game.seats[seat])
    other = make_player("greedy" if number % 2 else f"random:seed={number}", game)
    state, random = game.start(), Random(number)
    turns = 0
    while state.outcome() is None:
        if state.to_move == seat:
            action = ours.action()
            turns += 1
        else:
            # A little chance, or greedy players would repeat one game.
            wanders = random.random() < 0.1
            move = random.choice(state.moves()) if wanders else other.choose(state).move
            action = as_action(move.text)
        colour = game.seats[state.to_move]
        state.play(str(action))
        ours.update(colour, action)
    outcome = state.outcome()
    assert outcome is not None
    return {
        "seconds": ours.used,
        "megabytes": _peak_megabytes(),
        "turns": turns,
        "won": float(outcome.values[seat] > 0),
    }


def _peak_megabytes() -> float:
    """Of this process alone: the figure of getrusage goes back to before its program was loaded."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    print(json.dumps(play(int(sys.argv[1]))))
