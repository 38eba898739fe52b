"""`dataset` and `evaluate`, for people and for machines."""

from pathlib import Path

import numpy as np
import pytest

PLAN = """
game = "english:endings=ocheretian"
[[games]]
players = ["random"]
count = 3
"""


@pytest.fixture
def made(run, tmp_path: Path) -> Path:
    (tmp_path / "three.toml").write_text(PLAN)
    folder = tmp_path / "set"
    result = run("dataset", "make", str(tmp_path / "three.toml"), "--out", str(folder))
    assert result.code == 0
    assert "games         3" in result.out
    return folder


def test_dataset_lists_what_can_be_made(run):
    assert {record["name"] for record in run("dataset", "--json").records} >= {"lodz"}
    assert "lodz" in run("dataset").out


def test_a_data_set_as_json_is_one_object_with_stable_fields(run, made):
    (record,) = run("dataset", "show", str(made), "--json").records
    assert record["games"] == record["planned"] == 3
    assert record["positions"] == record["distinct"] + record["duplicates"]
    assert list(record["results"]) == ["random"]


def test_a_data_set_of_another_game_than_draughts_is_shown_too(run, tmp_path):
    make = ("dataset", "make", "x", "--play", "random", "--games", "1", "--game", "gomoku:size=5")
    result = run(*make, "--out", str(tmp_path / "set"))
    assert "games         1" in result.out
    (record,) = run("dataset", "show", str(tmp_path / "set"), "--json").records
    assert record["positions"] > 0
    assert "boards" not in record


def test_a_data_set_is_exported_as_the_thesis_s_arrays(run, made, tmp_path):
    assert run("dataset", "export", str(made), str(tmp_path / "set.npz")).code == 0
    with np.load(tmp_path / "set.npz", allow_pickle=False) as arrays:
        assert arrays["boards"].shape[1] == 32
        assert arrays["boards"].max() <= 4
        assert arrays["pieces"].shape == arrays["targets"].shape


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("dataset", "make", "lods"), "did you mean 'lodz'?"),
        (("dataset", "make", "x", "--pdn", "a.pdn"), "need --game"),
        (("dataset", "make", "x", "--play", "rando", "--game", "english"), "'random'"),
        (("dataset", "show", "/nowhere/at/all"), "holds no data set"),
        (("evaluate", "no-such-run"), "is not a run with versions"),
    ],
)
def test_bad_input_is_one_sentence(run, arguments, sentence):
    result = run(*arguments)
    assert result.code == 2
    assert sentence in result.err
    assert "Traceback" not in result.err


def test_evaluate_counts_and_sets_the_thesis_beside_it(run, made, tmp_path):
    folder = tmp_path / "run"
    changes = ["--set", f"data={made}", "--set", "learn.epochs=1"]
    assert run("train", "lodz-double", "--run", str(folder), *changes).code == 0
    command = ("evaluate", str(folder), "--games", "2", "--against", "random")
    (record,) = run(*command, "--json").records
    assert record["thesis_ratio"] == 0.344285
    assert sum(record["errors"].values()) == record["illegal_tries"]
    assert record["won"] + record["drawn"] + record["lost"] == 2
    result = run(*command, "--csv", str(tmp_path / "counts.csv"))
    assert "legal at first choice" in result.out
    assert "misses a jump" in (tmp_path / "counts.csv").read_text()
