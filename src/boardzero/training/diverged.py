"""Learning that has left all numbers behind: a run must not go on with it."""

from boardzero.base.errors import BoardZeroError


class DivergedError(BoardZeroError):
    """Weights or losses have grown beyond all numbers."""

    def __init__(self, steps: int, rate: float) -> None:
        super().__init__(
            f"learning has diverged: after {steps:,} batches the loss is no number any more. "
            "Versions and games are kept. Begin another run with "
            f"--set run.start_from=RUN and a smaller rate, --set learn.lr={rate / 10:g}"
        )
