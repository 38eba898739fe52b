"""Accepted nets: from a trainer to a model folder that anyone can play with."""

from pathlib import Path

from boardzero.infer.card import ModelCard, NetCard
from boardzero.learn.files import write_folder
from boardzero.learn.trainer import Trainer, weights_of
from boardzero.nets.export import int8_bytes, onnx_bytes

__all__ = ["write_version"]


def write_version(
    folder: Path, trainer: Trainer, *, run: str, version: int, games: int, minutes: float
) -> None:
    """Write a model folder: ONNX to play, safetensors to go on learning, and the card."""
    recipe = trainer.recipe
    model = onnx_bytes(trainer.playing)
    int8 = None
    if recipe.selfplay.int8 and trainer.examples is not None:
        int8 = int8_bytes(model, trainer.examples)
    card = ModelCard(
        game=recipe.game,
        method=recipe.method,
        nets=(
            NetCard(
                file="net.onnx",
                int8="" if int8 is None else "net.int8.onnx",
                encoding=recipe.format.encoding,
                policy=recipe.format.policy,
                history=recipe.format.history,
                parameters=sum(p.numel() for p in trainer.net.parameters()),
            ),
        ),
        recipe=recipe.name,
        run=run,
        version=version,
        games=games,
        minutes=round(minutes, 2),
        search=recipe.search,
        reproduce=f"boardzero train {recipe.name}",
    )

    def fill(draft: Path) -> None:
        (draft / "net.onnx").write_bytes(model)
        if int8 is not None:
            (draft / "net.int8.onnx").write_bytes(int8)
        (draft / "net.safetensors").write_bytes(weights_of(trainer.playing))
        (draft / "card.json").write_text(card.model_dump_json(indent=2))

    write_folder(folder, fill)
