"""Engines to talk to: in this process, or as other programs see them."""

import sys
from random import Random
from threading import Lock

ENGINE = f"{sys.executable} -m boardzero engine"


class Conversation:
    """Says lines to an engine in this process, and hears what it answers until it is at rest."""

    def __init__(self, make):
        self._lock = Lock()
        self._heard = []
        self.engine = make(self._hear)

    def _hear(self, line):
        with self._lock:
            self._heard.append(line)

    def say(self, *lines):
        """What the engine answers to these lines, and to none after them."""
        for line in lines:
            assert self.engine.receive(line)
            self.engine.wait()
        return self.heard()

    def say_only(self, line):
        """Without waiting for the end of a search."""
        assert self.engine.receive(line)

    def heard(self):
        with self._lock:
            heard, self._heard = self._heard, []
        return heard


def fuzzed(lines, count, seed):
    """Lines of a protocol, most of them damaged."""
    random = Random(seed)
    odd = ["\0", "\t", "é", "\u0661"]  # the last one is a digit, but not in ASCII
    alphabet = [chr(c) for c in range(32, 127)] + odd
    for _ in range(count):
        line = random.choice(lines)
        for _ in range(random.choice((0, 0, 1, 1, 2, 5))):
            line = _damaged(line, random, alphabet)
        yield line


def _damaged(line, random, alphabet):
    at = random.randint(0, len(line))
    match random.randrange(5):
        case 0:
            return line[:at] + line[at + 1 :]
        case 1:
            return line[:at] + random.choice(alphabet) + line[at:]
        case 2:
            return line[:at] + str(random.choice((-1, 0, 7, 51, 99, 10**12))) + line[at + 2 :]
        case 3:
            return line[:at]
        case _:
            return line[at:] + line[:at]
