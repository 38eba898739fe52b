"""Deep Q-learning with a double net after Ocheretian 2022, and improvements as options.

A cycle is a game of the nets with themselves and one round of learning: from choices that were
illegal, whose target is -1, and from legal steps, whose target is (eq. 4.3 there)

    y = r + discount * max Q(next position, ·)

where r is the game's result at a player's last step and 0 before, and the next position is the one
in which the same player moves again. As there, all other outputs of a row keep what the net
says now as their target, and targets are computed with the parameters before the round.
"""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from boardzero.lodz.dense_net import Floats
from boardzero.lodz.events import ChoicesTested, CyclesDone
from boardzero.lodz.exploring import Experience, Explorers, good_columns, play_test_game
from boardzero.lodz.nets import PickingNets
from boardzero.lodz.recipes import DqnRecipe
from boardzero.lodz.row_store import RowStore
from boardzero.lodz.run import PickingRun
from boardzero.runs.events import Resumed
from boardzero.training.session import OutOfTimeError, TrainingJob

_SAVE_SECONDS = 30.0
_TELL_SECONDS = 2.0
_RECENT = 100  # test games in the running mean

Ints = NDArray[np.int64]


class QLearner:
    """The three stores, and one round of learning from them."""

    def __init__(self, recipe: DqnRecipe, nets: PickingNets, *, cores: int = 1) -> None:
        self.recipe = recipe
        self._helper = ThreadPoolExecutor(1) if cores > 1 else None
        self.nets = nets
        self.target_nets = {name: net.copy() for name, net in nets.nets.items()}
        stores, squares = recipe.stores, nets.squares
        board, one = (np.uint8, (squares,)), (np.uint8, ())
        self.bad_pieces = RowStore(stores.bad, {"board": board, "piece": one})
        self.bad_moves = RowStore(stores.bad, {"board": board, "piece": one, "target": one})
        self.good = RowStore(stores.good, good_columns(squares))

    @property
    def stores(self) -> dict[str, RowStore]:
        return {"bad_pieces": self.bad_pieces, "bad_moves": self.bad_moves, "good": self.good}

    def remember(self, game: Experience) -> None:
        if self.recipe.learn.illegal_from == "tries":
            self.bad_pieces.add(game.bad_pieces)
            self.bad_moves.add(game.bad_moves)
        self.good.add(game.good)

    def learn(self, rng: np.random.Generator, cycle: int) -> tuple[float, float]:
        """One round; the losses of the piece net and of the move net on legal steps."""
        learn = self.recipe.learn
        if learn.illegal_from == "tries":
            self._learn_bad(rng, cycle)
        if learn.target_every and cycle % learn.target_every == 0:
            self.renew()
        return self._learn_good(rng, cycle)

    def renew(self) -> None:
        """Let the target nets be the present ones."""
        for name, net in self.nets.nets.items():
            self.target_nets[name].parameters[:] = net.parameters

    def _learn_bad(self, rng: np.random.Generator, cycle: int) -> None:
        """Both nets at once if there is a core for each: they share nothing."""
        count, illegal = self.recipe.stores.bad_samples, self.recipe.learn.illegal
        pieces, moves = (store.draw(rng, count) for store in (self.bad_pieces, self.bad_moves))

        def teach_moves() -> None:
            inputs = self.nets.inputs(moves["board"].astype(np.uint8))
            inputs = self.nets.move_inputs(inputs, _ints(moves["piece"]))
            self._fit("move", inputs, _ints(moves["target"]), illegal, cycle)

        helping = self._helper.submit(teach_moves) if self._helper else None
        inputs = self.nets.inputs(pieces["board"].astype(np.uint8))
        self._fit("piece", inputs, _ints(pieces["piece"]), illegal, cycle)
        if helping is None:
            teach_moves()
        else:
            helping.result()

    def _learn_good(self, rng: np.random.Generator, cycle: int) -> tuple[float, float]:
        rows = self.good.draw(rng, self.recipe.stores.good_samples)
        piece_targets, move_targets = self.targets(rows)
        inputs = self.nets.inputs(rows["board"].astype(np.uint8))
        pieces, targets = _ints(rows["piece"]), _ints(rows["target"])
        chose = rows["chose_piece"].astype(np.bool_)
        with_pieces = self.nets.move_inputs(inputs, pieces)
        masks: tuple[Floats | None, Floats | None] = (None, None)
        if self.recipe.learn.illegal_from == "all":
            masks = (
                rows["legal_pieces"][chose].astype(np.float32),
                rows["legal_targets"].astype(np.float32),
            )
        first = self._fit(
            "piece", inputs[chose], pieces[chose], piece_targets[chose], cycle, masks[0]
        )
        return first, self._fit("move", with_pieces, targets, move_targets, cycle, masks[1])

    def targets(self, rows: dict[str, NDArray[np.generic]]) -> tuple[Floats, Floats]:
        """What the piece and the move of legal steps are worth, by Ocheretian 2022, eq. 4.3."""
        learn, nets = self.recipe.learn, self.nets
        squares = nets.squares
        results = rows["result"].astype(np.float32)
        rewards = np.select([results > 0, results < 0], [learn.win, learn.loss], learn.draw)
        over = rows["over"].astype(np.bool_)
        inputs = nets.inputs(rows["next_board"].astype(np.uint8))
        legal = np.unpackbits(rows["next_legal"].astype(np.uint8), axis=1)
        matrix = legal[:, : squares * squares].reshape(-1, squares, squares).astype(np.bool_)
        allowed: NDArray[np.bool_] = (
            np.any(matrix, axis=2) if learn.mask else np.ones((len(inputs), squares), np.bool_)
        )
        piece_next, pieces = self._next("piece", inputs, allowed)
        if learn.mask:
            allowed = matrix[np.arange(len(inputs)), pieces]
        move_next, _ = self._next("move", nets.move_inputs(inputs, pieces), allowed)
        returns = learn.outcome * rewards * learn.discount ** rows["left"].astype(np.float32)

        def mixed(best: Floats) -> Floats:
            stepwise = np.where(over, rewards, learn.discount * best)
            return np.asarray((1 - learn.outcome) * stepwise + returns, np.float32)

        return mixed(piece_next), mixed(move_next)

    def _next(self, name: str, inputs: Floats, allowed: NDArray[np.bool_]) -> tuple[Floats, Ints]:
        """The value of the best choice, and that choice."""
        learn = self.recipe.learn
        net = self.nets.nets[name]
        evaluating = self.target_nets[name] if learn.target_every else net
        values = evaluating.predict(inputs)
        wishes = net.predict(inputs) if learn.double else values
        best = np.where(allowed, wishes, -np.inf).argmax(axis=1)
        return values[np.arange(len(values)), best], best

    def _fit(
        self,
        name: str,
        inputs: Floats,
        places: Ints,
        wanted: float | Floats,
        cycle: int,
        legal: Floats | None = None,
    ) -> float:
        """Teach a net what the outputs at some places should be, and leave its others alone.

        With a mask of what is legal, everything illegal is taught at once.
        """
        learn, net = self.recipe.learn, self.nets.nets[name]
        if len(inputs) == 0:
            return 0.0
        rows = np.arange(len(inputs))
        targets = net.predict(inputs)
        weights = None
        if legal is not None:
            targets = np.where(legal > 0, targets, np.float32(learn.illegal)).astype(np.float32)
            weights = 1 - legal
            weights[rows, places] = 1
        targets[rows, places] = wanted
        share = min(1.0, cycle / self.recipe.run.cycles)
        lr = learn.lr + share * ((learn.final_lr or learn.lr) - learn.lr)
        return net.fit(
            inputs,
            targets,
            batch=learn.batch_size,
            lr=lr,
            weights=weights,
            decay=learn.decay,
            epsilon=learn.epsilon,
        )


class DqnRun(PickingRun):
    """One run. Killed at any moment, it goes on from where it was half a minute before."""

    recipe: DqnRecipe

    def __init__(self, job: TrainingJob, recipe: DqnRecipe) -> None:
        super().__init__(job, recipe, recipe.net)
        self._learner = QLearner(recipe, self.nets, cores=job.cores)
        self._start = self.game.start().native
        self._recent: deque[float] = deque(maxlen=_RECENT)
        self._losses = (0.0, 0.0)  # of the last cycle
        self._saved = self._told = time.monotonic()

    def go(self) -> None:
        """Cycle until all are done or the time is over (`OutOfTimeError`)."""
        try:
            self._prepare()
            self._cycles()
        except (OutOfTimeError, KeyboardInterrupt):
            self._checkpoint()
            self._archive(self._progress.version + 1, self._progress.iteration - 1)
            raise

    def _prepare(self) -> None:
        tensors = self._restore()
        if tensors is None:
            self._archive(0, 0)
            return
        for name, store in self._learner.stores.items():
            store.load(name, tensors)
        for name, net in self._learner.target_nets.items():
            net.load(f"older.{name}", tensors)
        # What was written later than the nets is done again.
        self._set(iteration=int(tensors["cycle"][0]))
        cycle = self._progress.iteration - 1
        self._tell(Resumed(cycle, self._progress.version))
        # Killed before it came to that.
        if self._is_due(cycle) and self.run.model()[1].games < cycle:
            self._archive(self._progress.version + 1, cycle)

    def _cycles(self) -> None:
        run = self.recipe.run
        rng = np.random.default_rng((self.recipe.seed, self._progress.iteration))
        explorers = Explorers(
            self._start,
            self.nets,
            squares=self.nets.squares,
            games=run.parallel,
            max_steps=run.max_steps,
        )
        begun, first = time.monotonic(), self._progress.iteration
        while (cycle := self._progress.iteration) <= run.cycles:
            for game in explorers.advance(rng, self.recipe.explore.at(cycle)):
                self._cycle(game, rng)
                self._report(begun, first)
                self._check_time()
                if self._progress.iteration > run.cycles:
                    return

    def _cycle(self, game: Experience, rng: np.random.Generator) -> None:
        cycle, run = self._progress.iteration, self.recipe.run
        self._learner.remember(game)
        self._losses = self._learner.learn(rng, cycle)
        if cycle % run.test_every == 0:
            self._test(cycle)
        self._progress = replace(self._progress, iteration=cycle + 1)
        if self._is_due(cycle):
            self._checkpoint()
            self._archive(self._progress.version + 1, cycle)
        elif time.monotonic() - self._saved > _SAVE_SECONDS:
            self._checkpoint()

    def _is_due(self, cycle: int) -> bool:
        """Whether this cycle ends with a version."""
        return cycle % self.recipe.run.archive_every == 0 or cycle == self.recipe.run.cycles

    def _test(self, cycle: int) -> None:
        test = play_test_game(self._start, self.nets, self.recipe.run.max_steps)
        self._recent.append(test.first / test.decisions)
        counts = (test.decisions, test.first, test.wrong)
        self.run.log(ChoicesTested(*counts, iteration=cycle, minutes=self._minutes))

    def _report(self, begun: float, first: int) -> None:
        now = time.monotonic()
        if now - self._told < _TELL_SECONDS:
            return
        self._told = now
        cycle = self._progress.iteration - 1
        self._tell(
            CyclesDone(
                done=cycle,
                total=self.recipe.run.cycles,
                cycles_per_second=round((cycle + 1 - first) / (now - begun), 2),
                explore=round(self.recipe.explore.at(cycle), 3),
                legal=round(float(np.mean(self._recent)), 4) if self._recent else 0.0,
                piece=round(self._losses[0], 6),
                move=round(self._losses[1], 6),
            )
        )

    def _checkpoint(self) -> None:
        """The net in training with all that belongs to it."""
        further: dict[str, NDArray[np.generic]] = {
            "cycle": np.array([self._progress.iteration], np.int64)
        }
        for name, store in self._learner.stores.items():
            further |= store.tensors(name)
        for name, net in self._learner.target_nets.items():
            further |= net.tensors(f"older.{name}")
        self._keep(**cast(dict[str, Floats], further))
        self._save()
        self._saved = time.monotonic()


def _ints(column: NDArray[np.generic]) -> Ints:
    return column.astype(np.int64)
