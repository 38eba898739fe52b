"""Nets in training become a model: a folder that anyone can play with."""

from pathlib import Path

from boardzero.base.files import write_folder
from boardzero.models.card import ModelCard, NetCard, write_card
from boardzero.nets.export import int8_bytes, onnx_bytes
from boardzero.training.trainer import Trainer, weights_of
from boardzero.training.trainer_group import TrainerGroup


def write_model(
    folder: Path,
    trainers: TrainerGroup,
    *,
    run: str,
    version: int,
    games: int,
    minutes: float,
) -> None:
    """Write a model folder: ONNX to play, safetensors to go on learning, and the card."""
    recipe = trainers.recipe
    nets = [_net(trainer) for trainer in trainers.trainers]
    card = ModelCard(
        game=recipe.game,
        method=recipe.method,
        nets=tuple(net for net, _ in nets),
        recipe=recipe.name,
        run=run,
        version=version,
        games=games,
        minutes=round(minutes, 2),
        search=recipe.search,
        plan=recipe.plan,
        reproduce=f"boardzero train {recipe.name}",
    )

    def fill(draft: Path) -> None:
        for _, files in nets:
            for name, data in files.items():
                (draft / name).write_bytes(data)
        write_card(draft, card)

    write_folder(folder, fill)


def _net(trainer: Trainer) -> tuple[NetCard, dict[str, bytes]]:
    """What the card says of one net, and its files."""
    prefix, form = trainer.prefix, trainer.section.format
    model = onnx_bytes(trainer.playing)
    files = {
        f"{prefix}net.onnx": model,
        f"{prefix}net.safetensors": weights_of(trainer.playing),
    }
    int8 = ""
    if trainer.recipe.selfplay.int8 and trainer.examples is not None:
        int8 = f"{prefix}net.int8.onnx"
        files[int8] = int8_bytes(model, trainer.examples)
    card = NetCard(
        name=trainer.role.name,
        file=f"{prefix}net.onnx",
        int8=int8,
        encoding=form.encoding,
        policy=form.policy,
        history=form.history,
        parameters=sum(p.numel() for p in trainer.net.parameters()),
    )
    return card, files
