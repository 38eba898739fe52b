"""A player that knows all answers but those with some labels."""

from collections.abc import Container

from boardzero.games import Game, State
from boardzero.players import Choice, Limit, Player
from boardzero.probes import probes_of


class Blind(Player):
    """Answers probes rightly, except where it is blind."""

    spec = "blind"

    def __init__(self, game: Game, labels: Container[str], *, theme: str | None = None) -> None:
        self._probes = {probe.fen: probe for probe in probes_of(game)}
        self._labels = labels
        self._theme = theme

    def choose(self, state: State, limit: Limit = Limit()) -> Choice:  # noqa: ARG002, B008
        probe = self._probes[state.fen()]
        is_blind = self._theme in (None, probe.theme) and any(
            label in self._labels for label in probe.labels
        )
        wrong = (move for move in state.moves() if move.text not in probe.good)
        return Choice(next(wrong) if is_blind else state.parse(probe.good[0]))
