"""The results of a competition as tables and files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from boardzero.arena.competition import Competition
from boardzero.arena.ratings import fit_elo, multiplayer_ratings, pair_elo
from boardzero.arena.score import total_wins
from boardzero.arena.tables import Table, cross_table, rating_table, time_table, wins_table
from boardzero.base.files import writing
from boardzero.store import Rating


class Report:
    """What can be said of a competition; `labels` are short names, `reference` others' times."""

    def __init__(
        self,
        competition: Competition,
        *,
        labels: Mapping[str, str] | None = None,
        reference: Mapping[str, float] | None = None,
    ) -> None:
        self._competition = competition
        self._players = competition.plan.players
        self._games = [game for _, game in sorted(competition.games.items())]
        self._labels = labels or {}
        self._reference = reference
        self._for_two = competition.seats == 2

    @property
    def scale(self) -> str:
        return "Elo" if self._for_two else "Plackett-Luce"

    def ratings(self) -> tuple[Rating, ...]:
        """Strongest first; nobody where no two different players met."""
        games = self._games
        return fit_elo(games).ratings if self._for_two else multiplayer_ratings(games)

    def rating_table(self) -> Table:
        return rating_table(self.ratings(), scale=self.scale, labels=self._labels)

    def results(self) -> Table:
        """Won : drawn : lost for two seats, and wins for more."""
        if not self._for_two:
            return self.wins()
        return cross_table(self._games, players=self._players, labels=self._labels)

    def wins(self) -> Table:
        """Games won against each other one, and in all."""
        return wins_table(self._games, players=self._players, labels=self._labels)

    def duels(self) -> Table:
        """The first player against each other one that it met alone."""
        rows = []
        for number, player in enumerate(self._players[1:], start=1):
            score = self._competition.score(0, number)
            elo = pair_elo(score.wins, score.draws, score.losses)
            ends = (f"{end:+.0f}".replace("inf", "∞") for end in elo)
            name = self._labels.get(player, player)
            rows.append((name, str(score), f"{score.mean:.3f}", *ends))
        first = self._labels.get(self._players[0], self._players[0])
        return Table(
            f"{first} against each, with 95 % intervals",
            ("opponent", "won : drawn : lost", "score", "Elo", "from", "to"),
            tuple(rows),
        )

    def times(self) -> Table:
        return time_table(
            self._games, players=self._players, labels=self._labels, reference=self._reference
        )

    def tables(self) -> list[Table]:
        """All that there are, the answer first."""
        if self._competition.plan.kind == "gauntlet" or not self.ratings():
            return [self.duels(), self.times()]
        return [self.rating_table(), self.results(), self.times()]

    def markdown(self) -> str:
        return "\n".join(table.markdown() for table in self.tables())

    def plot(self, path: Path) -> None:
        """The ratings with their intervals."""
        from boardzero.arena.plots import plot_ratings

        plot_ratings(self.ratings(), path, scale=self.scale, labels=self._labels)

    def plot_wins(self, path: Path) -> None:
        """The games that each player won in all."""
        from boardzero.arena.plots import plot_totals

        won = total_wins(self._games)
        totals = {self._labels.get(player, player): won.get(player, 0) for player in self._players}
        plot_totals(totals, path, title="Games won by each player", x_label="")

    def save(self, folder: Path) -> None:
        """Every table as CSV and Markdown, and ratings and wins as pictures."""
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        tables = {"results": self.results(), "wins": self.wins(), "times": self.times()}
        for suffix in (".svg", ".png"):
            self.plot_wins(folder / f"wins{suffix}")
            if self.ratings():
                self.plot(folder / f"ratings{suffix}")
        if self.ratings():
            tables["ratings"] = self.rating_table()
        for name, table in tables.items():
            table.save(folder / f"{name}.csv")
            table.save(folder / f"{name}.md")
