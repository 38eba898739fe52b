"""How quickly a player stops."""

import threading
from time import perf_counter, sleep

from boardzero import State
from boardzero.players import Choice, Player


def stop_while_thinking(player: Player, state: State) -> tuple[Choice, float]:
    """A choice that is stopped after a tenth of a second, and how long it took from then on."""
    stopped: list[float] = []

    def stop() -> None:
        sleep(0.1)
        stopped.append(perf_counter())
        player.stop()

    thread = threading.Thread(target=stop)
    thread.start()
    choice = player.choose(state)
    delay = perf_counter() - stopped[0]
    thread.join()
    return choice, delay
