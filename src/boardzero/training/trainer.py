"""Fits one net to recorded games.

Targets: the search's policy and the game's outcome (or a mix of it with what the search thought),
both seen by the mover.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load, save
from torch import Tensor
from torch.nn import functional

from boardzero import _core
from boardzero.base.errors import BoardZeroError
from boardzero.games import Game
from boardzero.methods import find_method
from boardzero.nets.residual import NetShape, ResidualNet
from boardzero.runs.recipe import Recipe
from boardzero.runs.replay import Replay, ReplayEntry
from boardzero.training.diverged import DivergedError
from boardzero.training.sampling import Surprises, draw_indices

Losses = dict[str, float]  # by head, "policy" and "value" first

_TELL_EVERY = 50  # batches
_LOOK_SECONDS = 1.0  # whoever lets it learn may look at the clock that often
_MOST_SAMPLES = 100_000_000  # of one round


class Trainer:
    """A net, its optimiser, and the way from games to batches."""

    def __init__(
        self,
        game: Game,
        recipe: Recipe,
        which: int = 0,
        endings: _core.Tablebase | None = None,
    ) -> None:
        """`which` of the method's nets; the values of `endings` are learned instead of results."""
        self.recipe = recipe
        self.role = find_method(recipe.method).nets[which]
        self.section = recipe.sections()[self.role.name]
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._sampler = _core.make_sampler(game.start().native, self.section.format.names, endings)
        planes, rows, columns = self._sampler.input_shape()
        self.shape = NetShape(
            planes,
            rows,
            columns,
            self._sampler.policy_size(),
            self._sampler.players(),
            self.section.format.history,
        )
        torch.manual_seed(recipe.seed + which)
        # Channels last: a quarter faster on processors, and on a GPU too.
        self.net = ResidualNet(self.section, self.shape).to(self.device)
        self.net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.optimizer = self._optimizer()
        self._average = copy.deepcopy(self.net) if recipe.learn.average > 0 else None
        self.steps = 0
        self.examples: NDArray[np.float32] | None = None  # inputs of the latest batch
        self._ranks: dict[ReplayEntry, NDArray[np.int64]] = {}  # of the net's own examples
        self._surprises = Surprises(recipe.replay.surprise)

    @property
    def playing(self) -> ResidualNet:
        """The net as it should play: with averaged weights if the recipe wants them."""
        return self.net if self._average is None else self._average

    @property
    def prefix(self) -> str:
        """What the names of the net's files begin with; nothing for a method's only one."""
        return "" if self.role.name == "net" else f"{self.role.name}-"

    @property
    def images(self) -> int:
        """In how many ways each position is shown in one pass over the games."""
        turns = self._sampler.symmetries()
        return {"mirror": min(2, turns), "all": turns}.get(self.recipe.replay.symmetries, 1)

    def window(self, replay: Replay) -> list[ReplayEntry]:
        """The games that are to be learned from now, oldest first."""
        bounds = self.recipe.replay
        positions = None if bounds.positions is None else max(1, bounds.positions // self.images)
        if positions is not None and bounds.growth > 0:
            stored = sum(game.samples for game in replay.games)
            positions = round(positions * max(1.0, stored / positions) ** bounds.growth)
        return replay.window(iterations=bounds.iterations, games=bounds.games, positions=positions)

    def fit(
        self,
        replay: Replay,
        games: list[ReplayEntry],
        *,
        fresh: int,
        seed: int,
        passes: float | None = None,
    ) -> Iterator[Losses | None]:
        """Learn from the games, of which the last `fresh` are new; tells losses now and then.

        None only says that it is at it, so that nobody waits long for a word.

        How much is the recipe's to say, unless a number of passes over all games is given.
        """
        samples = self._plan(replay, games, fresh, np.random.default_rng(seed), passes)
        size = self.recipe.learn.batch_size
        self.net.train()
        recent: list[Losses] = []
        told = time.monotonic()
        for start in range(0, len(samples), size):
            batch = samples[start : start + size]
            if len(batch) < min(size, 8) and start > 0:
                break  # a last crumb would only upset the norms
            recent.append(self._step(replay, games, batch))
            if not all(map(math.isfinite, recent[-1].values())):
                raise DivergedError(self.steps, self.recipe.learn.lr)
            if len(recent) == _TELL_EVERY:
                yield _mean(recent)
                recent.clear()
                told = time.monotonic()
            elif time.monotonic() - told > _LOOK_SECONDS:
                yield None
                told = time.monotonic()
        if not self.is_finite:
            raise DivergedError(self.steps, self.recipe.learn.lr)
        if recent:
            yield _mean(recent)

    @property
    def is_finite(self) -> bool:
        """Whether all weights are numbers."""
        return all(bool(torch.isfinite(tensor).all()) for tensor in self.net.state_dict().values())

    def look(self, replay: Replay, games: list[ReplayEntry]) -> None:
        """Have examples, as after learning, without learning."""
        rng = np.random.default_rng(self.recipe.seed)
        samples = self._plan(replay, games, 0, rng, passes=1)[: self.recipe.learn.batch_size]
        if len(samples):
            self._draw(replay, games, samples)

    def save(self, folder: Path) -> None:
        """Net and optimiser into a folder that is there."""
        parts = {"net": weights_of(self.net), "optimizer": save(self._optimizer_tensors())}
        if self._average is not None:
            parts["average"] = weights_of(self._average)
        for part, data in parts.items():
            self._file(folder, part).write_bytes(data)

    def load(self, folder: Path) -> None:
        """Take both back; the optimiser starts afresh if it is not there."""
        self.load_weights(folder)
        average = self._file(folder, "average")
        if self._average is not None and average.exists():
            self._average.load_state_dict(_read(average))
        path = self._file(folder, "optimizer")
        self.optimizer = self._optimizer()
        if path.exists():
            self._restore_optimizer(_read(path))

    def load_weights(self, folder: Path) -> None:
        """Take a net over; says so if it is another kind of net."""
        path = self._file(folder, "net")
        tensors = _read(path)
        try:
            self.net.load_state_dict(tensors)
            if self._average is not None:
                self._average.load_state_dict(tensors)
        except RuntimeError:
            raise BoardZeroError(f"{path} holds a net of another shape than the recipe's") from None

    def _file(self, folder: Path, part: str) -> Path:
        return folder / f"{self.prefix}{part}.safetensors"

    def _optimizer(self) -> torch.optim.Optimizer:
        learn = self.recipe.learn
        parameters = self.net.parameters()
        if learn.optimizer == "sgd":
            return torch.optim.SGD(
                parameters, lr=learn.lr, momentum=learn.momentum, weight_decay=learn.weight_decay
            )
        kind = torch.optim.AdamW if learn.optimizer == "adamw" else torch.optim.Adam
        return kind(parameters, lr=learn.lr, weight_decay=learn.weight_decay)

    def _optimizer_tensors(self) -> dict[str, Tensor]:
        tensors = {"steps": torch.tensor(self.steps)}
        for index, state in self.optimizer.state_dict()["state"].items():
            for name, value in state.items():
                if isinstance(value, Tensor):
                    tensors[f"{index}.{name}"] = value.contiguous().cpu()
        return tensors

    def _restore_optimizer(self, tensors: dict[str, Tensor]) -> None:
        self.steps = int(tensors.pop("steps"))
        state: dict[int, dict[str, Tensor]] = {}
        for key, value in tensors.items():
            index, name = key.split(".", 1)
            state.setdefault(int(index), {})[name] = value
        groups = self.optimizer.state_dict()["param_groups"]
        self.optimizer.load_state_dict({"state": state, "param_groups": groups})

    def _plan(
        self,
        replay: Replay,
        games: list[ReplayEntry],
        fresh: int,
        rng: np.random.Generator,
        passes: float | None = None,
    ) -> NDArray[np.int64]:
        """The samples of one round in random order, rows of (game, rank, symmetry)."""
        learn, images = self.recipe.learn, self.images
        examples = self._examples(replay, games)
        positions = len(examples)
        if positions == 0:
            return np.empty((0, 3), np.int64)
        if passes is not None:
            total = round(passes * positions)
        elif learn.epochs is not None:
            total = round(learn.epochs * images * positions)
        elif learn.steps is not None:
            total = learn.steps * learn.batch_size
        else:
            new = int((examples[:, 0] >= len(games) - fresh).sum())
            total = round((learn.uses or 1) * new)
        weights = None
        if self._surprises.share > 0:
            weights = np.tile(self._surprises.weights(replay, games, examples), images)
        if total > _MOST_SAMPLES:
            raise BoardZeroError(
                f"one round would learn {total:,} positions; at most {_MOST_SAMPLES:,} fit into "
                "memory: give smaller learn.steps, epochs or uses"
            )
        chosen = draw_indices(images * positions, total, rng, weights)
        game, rank = examples[chosen % positions].T
        if self.recipe.replay.symmetries == "random":
            symmetry = rng.integers(self._sampler.symmetries(), size=total)
        else:
            symmetry = chosen // positions
        return np.stack([game, rank, symmetry], axis=1)

    def _examples(self, replay: Replay, games: list[ReplayEntry]) -> NDArray[np.int64]:
        """What the net learns from, rows of (game, rank)."""
        owned = {game: self._own(replay, game) for game in games}
        if self.role.stages is not None:
            self._ranks = owned  # those of games that have left the window are let go
        ranks = list(owned.values()) or [np.empty(0, np.int64)]
        which = np.repeat(np.arange(len(games)), [len(own) for own in ranks[: len(games)]])
        return np.stack([which, np.concatenate(ranks)], axis=1)

    def _own(self, replay: Replay, game: ReplayEntry) -> NDArray[np.int64]:
        """The ranks of a game's examples that are in the net's stages."""
        if self.role.stages is None:
            return np.arange(game.samples)
        if game in self._ranks:
            return self._ranks[game]
        stages = self._sampler.stages(replay.read(game))
        return np.flatnonzero(np.isin(stages, self.role.stages))

    def _step(self, replay: Replay, games: list[ReplayEntry], batch: NDArray[np.int64]) -> Losses:
        learn = self.recipe.learn
        inputs, policy, values, targets = self._draw(replay, games, batch)
        logits, raw, further = self.net.forward_all(inputs)
        losses = {
            "policy": functional.cross_entropy(logits, policy),
            "value": self._value_loss(raw, values),
        }
        for head in self.net.auxiliaries:
            losses[head.name] = head.loss(further[head.name], targets[head.name])
        weighted = [learn.weight_of(head) * loss for head, loss in losses.items()]
        self.optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(torch.stack(weighted).sum())
        if learn.clip > 0:
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), learn.clip)
        self._set_rate()
        self.optimizer.step()
        self.steps += 1
        self._follow()
        return {head: loss.item() for head, loss in losses.items()}

    def _set_rate(self) -> None:
        learn = self.recipe.learn
        rate = learn.lr * min(1.0, (self.steps + 1) / (learn.warmup + 1))
        if learn.decay > 0:
            passed = min(1.0, self.steps / learn.decay)
            rate *= 0.55 + 0.45 * math.cos(math.pi * passed)
        for group in self.optimizer.param_groups:
            group["lr"] = rate

    def _follow(self) -> None:
        """Bring the averaged weights a little nearer to the net's."""
        if self._average is None:
            return
        # At first the average would be mostly the untrained net, so it follows faster.
        keep = min(self.recipe.learn.average, (1 + self.steps) / (10 + self.steps))
        with torch.no_grad():
            pairs = zip(
                self._average.state_dict().values(), self.net.state_dict().values(), strict=True
            )
            for mean, now in pairs:
                if mean.is_floating_point():
                    mean.lerp_(now, 1 - keep)
                else:
                    mean.copy_(now)

    def _draw(
        self, replay: Replay, games: list[ReplayEntry], batch: NDArray[np.int64]
    ) -> tuple[Tensor, Tensor, Tensor, dict[str, Tensor]]:
        """Inputs, policies, values, and the targets of the auxiliary heads by name."""
        shape, rows = self.shape, len(batch)
        inputs = np.empty((rows, shape.planes, shape.rows, shape.columns), np.float32)
        policy = np.empty((rows, shape.policy), np.float32)
        outcome = np.empty((rows, shape.players), np.float32)
        search = np.empty((rows, shape.players), np.float32)
        further = {
            head.name: np.empty((rows, *head.target(shape)), np.float32)
            for head in self.net.auxiliaries
        }
        samples = [(replay.read(games[g]), rank, turn) for g, rank, turn in batch.tolist()]
        self._sampler.draw(samples, inputs, policy, outcome, search, **further)
        self.examples = inputs
        share = self.recipe.learn.search_value
        values = outcome if share == 0 else (1 - share) * outcome + share * search
        return (
            torch.from_numpy(inputs).to(self.device, memory_format=torch.channels_last),
            torch.from_numpy(policy).to(self.device),
            torch.from_numpy(values).to(self.device),
            {name: torch.from_numpy(rows).to(self.device) for name, rows in further.items()},
        )

    def _value_loss(self, raw: Tensor, values: Tensor) -> Tensor:
        """Cross-entropy for win, draw and loss; squared error for everything else."""
        output = self.section.value.output
        if output == "win-draw-loss":
            own = values[:, 0]
            targets = torch.stack([own.clamp(min=0), 1 - own.abs(), (-own).clamp(min=0)], dim=1)
            return functional.cross_entropy(raw, targets)
        wanted = values if output == "players" else values[:, :1]
        return functional.mse_loss(torch.tanh(raw), wanted)


def weights_of(net: ResidualNet) -> bytes:
    """A net as safetensors."""
    return save({name: tensor.contiguous().cpu() for name, tensor in net.state_dict().items()})


def _mean(losses: list[Losses]) -> Losses:
    return {head: sum(one[head] for one in losses) / len(losses) for head in losses[0]}


def _read(path: Path) -> dict[str, Tensor]:
    try:
        return load(path.read_bytes())
    except FileNotFoundError:
        raise BoardZeroError(f"{path} is missing") from None
    except Exception as error:
        raise BoardZeroError(f"{path} is damaged: {error}") from None
