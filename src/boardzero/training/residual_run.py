"""Runs of residual nets that are trained in turns."""

from __future__ import annotations

from boardzero.runs.recipe import Recipe
from boardzero.training.fleet import Players
from boardzero.training.in_turns import CandidateNet, InTurns


class ResidualInTurns(InTurns):
    """Learns in torch; PUCT plays."""

    recipe: Recipe

    def _new_candidate(self) -> CandidateNet:
        import torch  # slow to load, and only wanted by runs of this kind

        from boardzero.training.candidate import CandidateTrainer

        torch.set_num_threads(self.job.cores)
        return CandidateTrainer(self.run, self.recipe, self._replay)

    def _who_plays(self) -> Players:
        return Players.with_puct(self.recipe)
