"""Events of a run for TensorBoard."""

from pathlib import Path

from boardzero.base.extras import needs_extra
from boardzero.runs.events import Event

__all__ = ["TensorBoard"]


class TensorBoard:
    """An observer that writes scalars; steps are batches for losses, iterations for the rest."""

    def __init__(self, folder: Path) -> None:
        with needs_extra("train", "a training run"):
            from tensorboard.summary import Writer  # type: ignore[import-untyped]

        self._writer = Writer(str(folder))
        self._crowds = 0  # how often the crowd of workers has changed

    def __call__(self, event: Event) -> None:
        fields, add = event.fields, self._writer.add_scalar
        if event.kind == "loss":
            name = f"loss/{fields['net']}" if "net" in fields else "loss"
            for head in fields.keys() - {"net", "step"}:
                add(f"{name}/{head}", float(fields[head]), int(fields["step"]))
        elif event.kind == "fit":
            for key in ("net", "piece", "move", "piece_match", "move_match"):
                if key in fields:
                    add(f"fit/{key}", float(fields[key]), int(fields["epoch"]))
        elif event.kind == "cycles":
            for key in ("legal", "explore", "cycles_per_second", "piece", "move"):
                add(f"cycles/{key}", float(fields[key]), int(fields["done"]))
        elif event.kind == "gate":
            wins, draws, losses = (int(fields[key]) for key in ("wins", "draws", "losses"))
            if games := wins + draws + losses:
                add("gate/score", (wins + draws / 2) / games, event.iteration)
        elif event.kind == "version":
            add("version", int(fields["version"]), event.iteration)
            self._writer.flush()
        elif event.kind == "games" and fields["done"] == fields["total"]:
            speed = float(fields["positions_per_second"])
            add("selfplay/positions_per_second", speed, event.iteration)

        elif event.kind == "worker":
            name = f"workers/{fields['name']} on {fields['node']}"
            speed = float(fields["evaluations_per_second"])
            add(f"{name}/evaluations_per_second", speed, int(fields["games"]))
        elif event.kind == "workers":
            self._crowds += 1
            add("cluster/workers", int(fields["workers"]), self._crowds)
            add("cluster/nodes", int(fields["nodes"]), self._crowds)

    def close(self) -> None:
        self._writer.close()
