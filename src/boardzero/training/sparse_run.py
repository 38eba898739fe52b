"""Runs of sparse nets: the core plays and learns, and no torch is needed."""

from __future__ import annotations

from boardzero.games import make
from boardzero.runs.sparse_recipe import SparseRecipe
from boardzero.training.fleet import Players, SelfPlayFleet
from boardzero.training.in_turns import CandidateNet, InTurns
from boardzero.training.inspection import GameInspector
from boardzero.training.sparse_candidate import SparseCandidate
from boardzero.training.sparse_worker import sparse_main


class SparseRun(InTurns):
    """One worker plays on all cores of this machine; a cluster has one for each place."""

    recipe: SparseRecipe

    def _new_candidate(self) -> CandidateNet:
        return SparseCandidate(self.run, self.recipe, self._replay, threads=self.job.cores)

    @property
    def _has_threads(self) -> bool:
        """Whether one process can use several cores: rules in Python hold its lock."""
        return not make(self.recipe.game).start().native.needs_gil

    def _start_players(self) -> SelfPlayFleet:
        if not self.job.launcher.local or not self._has_threads:
            return super()._start_players()
        return self._start_fleet(self.recipe.run.workers or 1, self.recipe.cluster.worker)

    def _who_plays(self) -> Players:
        if not self._has_threads:
            threads = 1
        elif self.job.launcher.local:
            threads = max(1, self.job.cores // (self.recipe.run.workers or 1))
        else:
            threads = max(1, int(self.recipe.cluster.worker.cpus))
        inspector = GameInspector(self.recipe.game, has_policies=False)
        return Players(self.recipe, sparse_main, inspector, (threads,))
