"""Sparse models: one of another game or shape, or a damaged file, is refused in a sentence."""

import json
import shutil
from pathlib import Path

import pytest

from boardzero import BoardZeroError, _core, make, make_player
from boardzero.base.files import write_folder
from boardzero.models.card import ModelCard, write_card
from boardzero.models.kinds import kind_of
from boardzero.models.sparse import NET_FILE, SPARSE, net_card
from boardzero.training.inspection import inspect_model


def write_sparse_model(folder: Path, game: str, *, hidden: int = 32, policy: bool = False) -> Path:
    """An untrained net."""
    start = make(game).start().native
    net = _core.make_sparse_trainer(start, hidden, seed=1, policy=policy).net()

    def fill(draft: Path) -> None:
        (draft / NET_FILE).write_bytes(net.bytes())
        write_card(draft, ModelCard(game=game, method="nnue", nets=(net_card(net),)))

    write_folder(folder, fill)
    return folder


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return write_sparse_model(tmp_path / "model", "english")


def sign(model: Path) -> None:
    """Let the card have the digests of what lies beside it."""
    write_card(model, ModelCard.model_validate_json((model / "card.json").read_text()))


def refusal(spec: str, game: str = "english") -> str:
    with pytest.raises(BoardZeroError) as caught:
        make_player(spec, make(game))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_sparse_model_is_one_by_its_card(model: Path) -> None:
    inspect_model(model, game="english")
    assert kind_of(ModelCard(game="english", method="nnue", nets=())) is SPARSE


def test_a_damaged_file_is_refused_in_a_sentence(model: Path) -> None:
    file = model / NET_FILE
    data = file.read_bytes()
    for wrong, why in [
        (data[:1000], "cut short"),
        (data[:5000] + b"\1\2\3" + data[5003:], "damaged"),
        (b"", "no file of a sparse net"),
    ]:
        file.write_bytes(wrong)
        sign(model)  # as one who wishes us ill would
        assert why in refusal(f"alphabeta:model={model}")
        with pytest.raises(BoardZeroError, match=why):
            inspect_model(model)


def test_a_net_that_is_not_what_its_card_says_is_refused(model: Path, tmp_path: Path) -> None:
    wider = write_sparse_model(tmp_path / "wider", "english", hidden=64)
    shutil.copy(wider / NET_FILE, model / NET_FILE)
    assert "is damaged: it is not what its card says" in refusal(f"alphabeta:model={model}")
    sign(model)
    assert "does not fit what its card says" in refusal(f"alphabeta:model={model}")


def test_a_model_of_another_game_is_refused_whatever_its_card_says(model: Path) -> None:
    assert "a model for english, not for russian" in refusal(f"alphabeta:model={model}", "russian")
    card = json.loads((model / "card.json").read_text())
    (model / "card.json").write_text(json.dumps({**card, "game": "russian"}))
    said = refusal(f"alphabeta:model={model}", "russian")
    assert "'draughts-english'" in said
    assert "'draughts-russian'" in said


def test_who_cannot_play_a_model_says_who_can(model: Path) -> None:
    assert f"but alphabeta:model={model} can" in refusal(f"net:model={model}")
    assert "takes eval=hand or a net, not both" in refusal(f"alphabeta:model={model},eval=hand")
    assert "takes a model or a run" in refusal(f"alphabeta:model={model},run=x")
    assert "is not a run with versions" in refusal("alphabeta:run=nowhere")
    assert "card.json is missing" in refusal("alphabeta:model=nowhere")
    assert "zero:model" in refusal("alphabeta:eval=champion", "gomoku")  # whose net is residual


def test_one_net_plays_gomoku_on_boards_of_other_sizes(tmp_path: Path) -> None:
    model = write_sparse_model(tmp_path / "model", "gomoku:size=15")
    game = make("gomoku:size=11")
    assert make_player(f"alphabeta:model={model},nodes=50", game).choose(game.start())


@pytest.mark.parametrize("game", ["international", "english", "gomoku", "chexers"])
def test_every_game_of_ours_has_an_evaluation_by_hand(game: str) -> None:
    family = "maxn" if game == "chexers" else "alphabeta"
    state = make(game).start()
    assert make_player(f"{family}:eval=hand,nodes=50", make(game)).choose(state)
