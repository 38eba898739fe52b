"""Workers on this machine: what they are told, what they say, and how they end."""

import os
import signal
import time
from collections.abc import Iterator

import pytest

from boardzero.base.errors import BoardZeroError
from boardzero.workers.launcher import Channel, Refusal, Resources, Worker, as_worker, raise_refusal
from boardzero.workers.local import LocalLauncher


def echo(channel: Channel, greeting: str) -> None:
    """A main function: greets, then repeats what it hears."""
    with as_worker(channel):
        channel.send(greeting)
        while True:
            channel.send(channel.recv())


def refuse(channel: Channel) -> None:
    with as_worker(channel):
        raise BoardZeroError("the net cannot be read")


def say_number(channel: Channel) -> None:
    channel.send(os.getpid())
    channel.recv()


@pytest.fixture
def launcher() -> Iterator[LocalLauncher]:
    launcher = LocalLauncher()
    yield launcher
    launcher.close()


def next_of(launcher: LocalLauncher, worker: Worker) -> object:
    """What a worker sends next; None if it has gone."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        launcher.wait([worker], 1)
        if found := worker.receive():
            assert len(found) == 1
            return found[0]
        if not worker.alive:
            return None
    raise TimeoutError


def test_a_worker_is_given_arguments_and_answers_what_it_is_sent(launcher: LocalLauncher) -> None:
    worker = launcher.start(echo, "hello", resources=Resources())
    assert next_of(launcher, worker) == "hello"
    worker.send(launcher.share({"version": 3}))
    assert next_of(launcher, worker) == {"version": 3}
    launcher.stop([worker])
    assert not worker.alive
    worker.send("lost")  # which is no error


def test_what_a_worker_cannot_do_is_a_sentence_for_its_owner(launcher: LocalLauncher) -> None:
    worker = launcher.start(refuse, resources=Resources())
    message = next_of(launcher, worker)
    assert message == Refusal("the net cannot be read")
    with pytest.raises(BoardZeroError, match="the net cannot be read"):
        raise_refusal(message)
    raise_refusal("another message")  # which passes
    assert next_of(launcher, worker) is None


def test_what_a_worker_sent_before_it_was_killed_is_received(launcher: LocalLauncher) -> None:
    worker = launcher.start(say_number, resources=Resources())
    number = next_of(launcher, worker)
    assert isinstance(number, int)
    os.kill(number, signal.SIGKILL)
    assert next_of(launcher, worker) is None
    assert not worker.alive
    assert not worker.node_lost
