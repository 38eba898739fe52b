"""Runs and models as one file: packed, unpacked, and looked through before anyone uses them."""

import json
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper
from typer.testing import CliRunner

from boardzero import BoardZeroError, make
from boardzero.cli.runs import app
from boardzero.models.file_bundle import pack, unpack
from boardzero.runs.run_folder import Progress, RunFolder
from boardzero.training.inspection import inspect
from boardzero.training.model_files import write_model
from boardzero.training.trainer_group import TrainerGroup
from tests.search.stored import Record, self_play
from tests.training.tiny import check, tiny


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with one version and five games, as training would leave it."""
    recipe = tiny()
    run = RunFolder.create(tmp_path_factory.mktemp("runs") / "tiny", recipe)
    learner = TrainerGroup(make(recipe.game), recipe)
    write_model(run.version_folder(0), learner, run="tiny", version=0, games=0, minutes=0)
    run.save_progress(Progress())
    replay = run.replay()
    for record in self_play(recipe.game, 5, simulations=4):
        replay.append(record, 1)
    replay.close()
    return run.path


def games_of(run: Path) -> list[Record]:
    replay = RunFolder(run).replay()
    return [Record.unpack(replay.read(game)) for game in replay.games]


def repacked(run: Path, target: Path, change: Callable[[str, bytes], bytes]) -> Path:
    """The run as one file, with some of its files changed."""
    pack(run, target)
    with zipfile.ZipFile(target) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, change(name, data))
    return target


def shard(*records: bytes, samples: int | None = None) -> bytes:
    """A shard as `Replay` writes it."""
    found = b""
    for data in records:
        count = sum(choice.full for choice in Record.unpack(data).choices)
        count = count if samples is None else samples
        found += struct.pack("<4sIIHH", b"BZR1", len(data), zlib.crc32(data), 1, count) + data
    return found


def with_games(run: Path, target: Path, content: bytes) -> Path:
    return repacked(run, target, lambda name, data: content if name.endswith(".bin") else data)


def test_a_run_is_moved_as_one_file(run: Path, tmp_path: Path) -> None:
    pack(run, tmp_path / "run.zip")
    unpack(tmp_path / "run.zip", tmp_path / "copy", check=inspect)
    assert check(tmp_path / "copy") == check(run)
    assert not list(tmp_path.glob(".*"))


def test_a_model_is_moved_as_one_file(run: Path, tmp_path: Path) -> None:
    pack(run / "versions" / "0000", tmp_path / "model.zip")
    unpack(tmp_path / "model.zip", tmp_path / "model", check=inspect)
    names = {path.name for path in (tmp_path / "model").iterdir()}
    assert names == {"card.json", "net.onnx", "net.safetensors"}


def test_the_command_looks_through_what_it_imports(run: Path, tmp_path: Path) -> None:
    file = with_games(run, tmp_path / "bad.zip", shard(illegal(games_of(run)[0])))
    result = CliRunner().invoke(app, ["import", str(file), str(tmp_path / "new")])
    assert result.exit_code != 0
    assert not (tmp_path / "new").exists()
    good = CliRunner().invoke(app, ["export", str(run), str(tmp_path / "good.zip")])
    assert good.exit_code == 0
    good = CliRunner().invoke(app, ["import", str(tmp_path / "good.zip"), str(tmp_path / "new")])
    assert good.exit_code == 0
    assert check(tmp_path / "new") == check(run)


def illegal(game: Record) -> bytes:
    actions = (game.actions[0], *game.actions[:-1])  # the first point is taken twice
    return Record(actions, (), game.outcome, game.winner).pack()


def endless(game: Record) -> bytes:
    lost = tuple(-value for value in game.outcome)
    return Record(game.actions, game.choices, lost, game.winner).pack()


def infinite(game: Record) -> bytes:
    return Record(game.actions[:4], (), (float("nan"), 0.0)).pack()


def shares(game: Record) -> bytes:
    first = game.choices[0]
    wrong = type(first)(first.ply, True, first.values, tuple((a, 30_000) for a, _ in first.policy))
    return Record(game.actions, (wrong, *game.choices[1:]), game.outcome, game.winner).pack()


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (illegal, "game 0 in shard-000001.bin cannot be learned from: .* illegal action"),
        (endless, "game 0 in shard-000001.bin .* outcome is not how it ended"),
        (infinite, "game 0 in shard-000001.bin .* a value is not between -1 and 1"),
        (shares, "game 0 in shard-000001.bin .* are not 1 in all"),
    ],
)
def test_a_game_that_would_spoil_a_net_is_refused_with_its_place(
    run: Path, tmp_path: Path, spoil: Callable[[Record], bytes], sentence: str
) -> None:
    won = next(game for game in games_of(run) if game.winner >= 0)
    file = with_games(run, tmp_path / "bad.zip", shard(spoil(won)))
    with pytest.raises(BoardZeroError, match=sentence) as error:
        unpack(file, tmp_path / "new", check=inspect)
    assert "\n" not in str(error.value)
    assert "draft" not in str(error.value)
    assert [path.name for path in tmp_path.iterdir()] == ["bad.zip"]


def test_a_frame_that_promises_other_samples_is_refused(run: Path, tmp_path: Path) -> None:
    content = shard(games_of(run)[0].pack(), samples=60_000)
    file = with_games(run, tmp_path / "bad.zip", content)
    with pytest.raises(BoardZeroError, match="another number of choices than its frame"):
        unpack(file, tmp_path / "new", check=inspect)


def test_a_damaged_shard_is_set_aside_when_a_run_comes_in(run: Path, tmp_path: Path) -> None:
    file = with_games(run, tmp_path / "bad.zip", b"rubbish" * 50)
    unpack(file, tmp_path / "new", check=inspect)
    assert (tmp_path / "new" / "replay" / "shard-000001.damaged").exists()


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("recipe.toml", b"game = 3", "recipe.toml"),
        ("recipe.toml", b"\xff\xfe", "recipe.toml is damaged"),
        ("progress.json", b"[]", "progress.json is damaged"),
        ("versions/0000/card.json", b"{}", "card.json is not a model card"),
        ("versions/0000/net.onnx", b"garbage", "net.onnx is damaged: it is not what its card says"),
        ("versions/0000/net.safetensors", b"garbage", "net.safetensors is damaged"),
        ("progress.json", b'{"iteration": "1"}', "progress.json is damaged"),
        ("progress.json", b'{"iteration": -1}', "progress.json is damaged"),
        ("progress.json", b'{"seconds": NaN}', "progress.json is damaged"),
    ],
)
def test_a_file_that_is_wrong_is_named(
    run: Path, tmp_path: Path, name: str, content: bytes, sentence: str
) -> None:
    file = repacked(run, tmp_path / "a.zip", lambda n, data: content if n == name else data)
    with pytest.raises(BoardZeroError, match=sentence) as error:
        unpack(file, tmp_path / "new", check=inspect)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "new").exists()


def test_a_net_that_does_not_fit_its_card_is_refused(run: Path, tmp_path: Path) -> None:
    def other(name: str, data: bytes) -> bytes:
        return data.replace(b"size=5", b"size=6") if name.endswith("card.json") else data

    file = repacked(run, tmp_path / "a.zip", other)
    with pytest.raises(BoardZeroError, match="does not fit what its card says"):
        unpack(file, tmp_path / "new", check=inspect)


def test_what_is_no_parcel_is_one_sentence(run: Path, tmp_path: Path) -> None:
    for number, content in enumerate((b"", b"PK\x03\x04 but not really", b"\0" * 1000)):
        file = tmp_path / f"{number}.zip"
        file.write_bytes(content)
        with pytest.raises(BoardZeroError, match="could not be unpacked"):
            unpack(file, tmp_path / "new")
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr("../out.json", "{}")
    with pytest.raises(BoardZeroError, match=r"holds '\.\./out.json'"):
        unpack(tmp_path / "evil.zip", tmp_path / "new")
    pack(run, tmp_path / "run.zip")
    whole = bytearray((tmp_path / "run.zip").read_bytes())
    whole[200] ^= 0xFF
    (tmp_path / "run.zip").write_bytes(whole)
    with pytest.raises(BoardZeroError, match=r"run\.zip"):
        unpack(tmp_path / "run.zip", tmp_path / "new")
    with pytest.raises(BoardZeroError, match="is there already"):
        unpack(tmp_path / "run.zip", tmp_path)
    assert not (tmp_path / "new").exists()


# What an attacker would send.


def without_digests(card: bytes) -> dict[str, object]:
    data: dict[str, object] = json.loads(card)
    data.pop("digests")
    return data


def changed_card(run: Path, target: Path, **changes: object) -> Path:
    def change(name: str, data: bytes) -> bytes:
        if not name.endswith("card.json"):
            return data
        return json.dumps({**without_digests(data), **changes}).encode()

    return repacked(run, target, change)


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A file of Python that leaves a trace when it is run."""
    file = tmp_path / "trap" / "game.py"
    file.parent.mkdir()
    file.write_text(f"open({str(file.parent / 'sprung')!r}, 'w').close()")
    return file


@pytest.mark.parametrize("where", ["recipe.toml", "card.json"])
@pytest.mark.parametrize("key", ["game", "method"])
def test_a_file_of_code_that_a_run_names_is_not_run(
    run: Path, tmp_path: Path, trap: Path, where: str, key: str
) -> None:
    def change(name: str, data: bytes) -> bytes:
        if not name.endswith(where):
            return data
        named = f"{trap}:METHOD" if key == "method" else str(trap)
        if where == "card.json":
            return json.dumps({**without_digests(data), key: named}).encode()
        lines = data.decode().splitlines()
        return "\n".join(
            f"{key} = '{named}'" if x.startswith(f"{key} =") else x for x in lines
        ).encode()

    file = repacked(run, tmp_path / "a.zip", change)
    result = CliRunner().invoke(app, ["import", str(file), str(tmp_path / "new" / "run")])
    assert isinstance(result.exception, BoardZeroError)
    assert "--trust" in str(result.exception)
    assert not (trap.parent / "sprung").exists()
    assert not (tmp_path / "new").exists()
    if key == "game":
        CliRunner().invoke(app, ["import", str(file), str(tmp_path / "new"), "--trust"])
        assert (trap.parent / "sprung").exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"nets": []},
        {"plan": {"trees": [{"nets": [7]}]}},
        {"plan": {"turns": [3]}},
        {"plan": {"trees": [{"follows": 5}]}},
        {"search": {"c_puct": 1e400}},
        {"game": ["gomoku"]},
    ],
)
def test_a_card_that_makes_no_sense_is_refused(
    run: Path, tmp_path: Path, changes: dict[str, object]
) -> None:
    file = changed_card(run, tmp_path / "a.zip", **changes)
    with pytest.raises(BoardZeroError, match=r"card\.json"):
        unpack(file, tmp_path / "new", check=inspect)


def test_a_net_that_says_what_is_no_number_is_refused(run: Path, tmp_path: Path) -> None:
    def spoil(name: str, data: bytes) -> bytes:
        if name.endswith("card.json"):
            return json.dumps(without_digests(data)).encode()
        if not name.endswith(".onnx"):
            return data
        model = onnx.load_from_string(data)
        for tensor in model.graph.initializer:
            if tensor.data_type == onnx.TensorProto.FLOAT:
                array = np.full_like(numpy_helper.to_array(tensor), np.nan)
                tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))
        return model.SerializeToString()

    file = repacked(run, tmp_path / "a.zip", spoil)
    with pytest.raises(BoardZeroError, match="no number"):
        unpack(file, tmp_path / "new", check=inspect)


def test_a_small_file_does_not_become_a_large_folder(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("recipe.toml", "name = 'x'")
        archive.writestr("replay/shard-000001.bin", bytes(100_000_000))
    assert bomb.stat().st_size < 1_000_000
    with pytest.raises(BoardZeroError, match="would become 100,000,010"):
        unpack(bomb, tmp_path / "new", check=inspect)
    assert [path.name for path in tmp_path.iterdir()] == ["bomb.zip"]


@pytest.mark.parametrize(
    "name",
    [
        "versions/²/card.json",
        "versions/1/card.json",
        "versions/0000/deep/card.json",
        "versions/card.json",
        "versions/99999999999999999999/card.json",
        "a/b/c.json",
    ],
)
def test_an_odd_name_is_refused(run: Path, tmp_path: Path, name: str) -> None:
    pack(run, tmp_path / "a.zip")
    with zipfile.ZipFile(tmp_path / "a.zip", "a") as archive:
        archive.writestr(name, "{}")
    with pytest.raises(BoardZeroError, match="it is not a packed run"):
        unpack(tmp_path / "a.zip", tmp_path / "new", check=inspect)
