"""An employer whose posts do nothing but say what a test lets them say."""

import struct
from collections.abc import Sequence
from functools import cache

from boardzero.training.selfplay_worker import Assignment
from boardzero.workers.launcher import Main, Need, Post
from tests.search.stored import self_play
from tests.training.tiny import tiny


@cache
def games() -> list[bytes]:
    return self_play(tiny().game, 12, simulations=4)


def game(number: int, source: list[bytes] | None = None) -> bytes:
    """A good game with this number."""
    record = (source or games())[number % 12]
    return record[:7] + struct.pack("<I", number) + record[11:]


class ScriptedPost:
    node = "there"

    def __init__(self) -> None:
        self.ready = True
        self.alive = True
        self.stranded = False
        self.heard: list[object] = []
        self.says: list[object] = []

    def send(self, message: object) -> None:
        self.heard.append(message)

    def receive(self) -> list[object]:
        found, self.says = self.says, []
        return found

    @property
    def numbers(self) -> list[int]:
        return [n for m in self.heard if isinstance(m, Assignment) for n in m.numbers]


class ScriptedStaff:
    here = False
    size = None
    dashboard = ""

    def __init__(self, places: int) -> None:
        self.places = places
        self.posts: list[ScriptedPost] = []
        self.shunned = 0

    def hire(self, main: Main, *args: object, need: Need) -> Post:  # noqa: ARG002
        self.posts.append(ScriptedPost())
        return self.posts[-1]

    def room(self, need: Need) -> int:  # noqa: ARG002
        return self.places - self.shunned - sum(post.alive for post in self.posts)

    def expect(self, need: Need, count: int) -> None: ...

    def wait(self, posts: Sequence[Post], timeout: float) -> None: ...

    def seal(self, message: object) -> object:
        return message

    def dismiss(
        self,
        posts: Sequence[Post],
        *,
        patience: float = 2,  # noqa: ARG002
        for_good: bool = False,
    ) -> None:
        for post in posts:
            assert isinstance(post, ScriptedPost)
            post.alive = False
            self.shunned += for_good

    def close(self) -> None: ...


class Heard(list[tuple[str, dict[str, object]]]):
    def __call__(self, kind: str, **fields: object) -> None:
        self.append((kind, fields))

    def reasons(self) -> list[str]:
        return [str(fields["reason"]) for kind, fields in self if kind == "refused"]
