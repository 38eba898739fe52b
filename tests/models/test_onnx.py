"""Nets as functions, and what is refused as one."""

import json
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper

from boardzero import BoardZeroError
from boardzero.models import ModelCard, NetCard, OnnxNet, UniformNet, read_model


def sentence(error: pytest.ExceptionInfo[BoardZeroError]) -> str:
    text = str(error.value)
    assert "\n" not in text
    return text


def test_a_uniform_net_likes_all_actions_alike_and_finds_every_state_even() -> None:
    logits, values = UniformNet(policy=7, players=3)(np.ones((4, 2, 5, 5), np.float32))
    assert logits.shape == (4, 7)
    assert values.shape == (4, 3)
    assert not logits.any()
    assert not values.any()


@pytest.mark.parametrize(
    "content", [b"", b"garbage", b"\x08\x07" * 100], ids=["empty", "text", "x"]
)
def test_garbage_is_refused_as_a_net_with_a_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "net.onnx"
    path.write_bytes(content)
    with pytest.raises(BoardZeroError, match="cannot be read as a net") as error:
        OnnxNet(path)
    assert str(path) in sentence(error)


def test_a_net_that_is_not_there_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BoardZeroError, match="cannot be read as a net") as error:
        OnnxNet(tmp_path / "net.onnx")
    sentence(error)


def test_an_onnx_model_that_does_something_else_is_refused() -> None:
    ports = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in ("x", "y")]
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", ports[:1], ports[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    with pytest.raises(BoardZeroError, match="x, y, and not planes, policy, value"):
        OnnxNet(model.SerializeToString())


# Model cards.


def card() -> ModelCard:
    return ModelCard(
        game="gomoku:size=5,line=4",
        nets=(NetCard(file="net.onnx", encoding="mover", policy="flat"),),
    )


def write(folder: Path, text: str) -> Path:
    (folder / "net.onnx").touch()
    (folder / "card.json").write_text(text)
    return folder


def test_a_card_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert read_model(write(tmp_path, card().model_dump_json())) == card()


def test_a_folder_without_a_card_holds_no_model(tmp_path: Path) -> None:
    with pytest.raises(BoardZeroError, match="holds no model"):
        read_model(tmp_path)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"nets": "none"}, "nets"),
        ({"colour": 1}, "colour"),
        ({"version": "first"}, "version"),
        ({"search": {"simulations": 0}}, "search.simulations"),
    ],
)
def test_a_wrong_card_is_one_sentence_that_names_the_place(
    tmp_path: Path, change: dict[str, object], reason: str
) -> None:
    data = {**json.loads(card().model_dump_json()), **change}
    with pytest.raises(BoardZeroError, match="is not a model card") as error:
        read_model(write(tmp_path, json.dumps(data)))
    assert reason in sentence(error)


@pytest.mark.parametrize("text", ["", "{", "[]", "\x00"])
def test_a_card_that_is_no_json_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BoardZeroError, match="is not a model card") as error:
        read_model(write(tmp_path, text))
    sentence(error)


@pytest.mark.parametrize("file", ["../net.onnx", "/etc/passwd", "missing.onnx", ".net.onnx"])
def test_a_card_cannot_name_a_net_outside_its_folder(tmp_path: Path, file: str) -> None:
    text = card().model_dump_json().replace("net.onnx", file)
    with pytest.raises(BoardZeroError, match="which is not there"):
        read_model(write(tmp_path, text))
