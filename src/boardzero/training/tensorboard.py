"""Events of a run for TensorBoard."""

from collections import Counter
from pathlib import Path

from boardzero.base.extras import needs_extra
from boardzero.runs.events import Event, VersionArchived


class TensorBoard:
    """An observer that writes the scalars of events."""

    def __init__(self, folder: Path) -> None:
        with needs_extra("train", "a training run"):
            from tensorboard.summary import Writer  # type: ignore[import-untyped]

        self._writer = Writer(str(folder))
        self._steps: Counter[str] = Counter()  # of scalars that have none of their own

    def __call__(self, event: Event) -> None:
        for tag, value, step in event.scalars():
            if step is None:
                self._steps[tag] += 1
            self._writer.add_scalar(tag, value, self._steps[tag] if step is None else step)
        if isinstance(event, VersionArchived):
            self._writer.flush()

    def close(self) -> None:
        self._writer.close()
