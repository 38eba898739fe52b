"""What comes from other machines is read from bytes of our own format, and made of nothing else."""

import pickle
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from boardzero.arena.cluster import _Result
from boardzero.models.file_bundle import FileBundle
from boardzero.runs.events import GamesPlayed, LossMeasured, WorkerMeasured, WorkerStats
from boardzero.store import PlayedGame
from boardzero.training.game_worker import FinishedGame, Heartbeat
from boardzero.training.trainer_worker import Learned, OfferedModel, Restored
from boardzero.workers.launcher import Refusal
from boardzero.workers.messages import Unreadable, decode_all, encode, message

PLAYED = PlayedGame(
    seats=("a", "b"),
    values=(0.0, 0.0),
    winner=None,
    game="gomoku",
    reason="full",
    started=datetime(2026, 1, 2, tzinfo=UTC),
    finished=datetime(2026, 1, 3, tzinfo=UTC),
    moves=("a1",),
)


def test_messages_are_what_they_were() -> None:
    said = [
        FinishedGame(b"\0record", 2),
        Heartbeat(5, 0.5, 3, 1),
        Learned(7),
        OfferedModel(FileBundle({"card.json": b"{}", "net.onnx": b"\xff"}), None),
        Restored(FileBundle({"card.json": b"{}"})),
        Refusal("why"),
        WorkerMeasured(WorkerStats("worker 1", "node", 5, 6, 7), iteration=3),
        _Result(4, PLAYED),
        Path("offered"),
        b"archive",
        "text",
    ]
    assert list(decode_all(b"".join(map(encode, said)))) == said


def test_every_event_of_a_run_can_be_said() -> None:
    assert list(decode_all(encode(GamesPlayed(iteration=2, minutes=0.5, **_fields(GamesPlayed)))))
    assert list(decode_all(encode(LossMeasured(iteration=2, minutes=0.5, **_fields(LossMeasured)))))


class _Trap:
    """What a pickle would run."""

    def __reduce__(self) -> tuple[object, ...]:
        return Path.write_text, (Path("trap"), "sprung")


def test_a_pickle_is_refused_and_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert isinstance(next(decode_all(pickle.dumps(_Trap()))), Unreadable)
    assert not (tmp_path / "trap").exists()


@dataclass(frozen=True)
class _Undeclared:
    number: int = 1


def test_only_declared_classes_are_made() -> None:
    with pytest.raises(AssertionError, match="not declared"):
        encode(_Undeclared())
    kind = message(_Undeclared)
    data = encode(kind())
    other = data.replace(b"_Undeclared", b"_Undeclarec")
    assert list(decode_all(data)) == [kind()]
    assert isinstance(next(decode_all(other)), Unreadable)


@pytest.mark.parametrize(
    "wrong",
    [Heartbeat("many", 0.5, 3, 1), FinishedGame(7, 0), Learned(None), OfferedModel(b"", None)],  # type: ignore[arg-type]
    ids=lambda wrong: type(wrong).__name__,
)
def test_fields_of_other_types_are_refused(wrong: object) -> None:
    assert next(decode_all(encode(wrong))) == Unreadable(
        f"a message {type(wrong).__name__} with fields of other types"
    )


def test_what_is_damaged_or_cut_anywhere_is_refused_and_what_came_before_counts() -> None:
    first, second = encode(Learned(1)), encode(FinishedGame(b"record", 1))
    for length in range(1, len(second)):
        found = list(decode_all(first + second[:length]))
        assert found[0] == Learned(1)
        assert isinstance(found[1], Unreadable)
    for place in range(len(second)):
        damaged = bytearray(second)
        damaged[place] ^= 0x10
        assert isinstance(next(decode_all(bytes(damaged))), Unreadable)


def _fields(kind: type) -> dict[str, object]:
    own = {"int": 1, "float": 0.5, "str": "a", "bool": True, "str | None": None}
    return {
        name: own.get(str(field.type), {"value": 0.5})
        for name, field in kind.__dataclass_fields__.items()
        if name not in ("iteration", "minutes", "kind", "notice")
    }
