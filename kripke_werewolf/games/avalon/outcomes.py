"""Outcomes of Avalon: the winner and the number of quests, exact or counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from kripke_werewolf import games
from kripke_werewolf.base.reports.tables import Grid, shown
from kripke_werewolf.games.avalon.rules import Outcome, Side
from kripke_werewolf.games.programs.chance import add, deviations, wilson


@dataclass(frozen=True, repr=False)
class AvalonOutcomes(games.Outcomes):
    """A distribution of outcomes.

    >>> o = AvalonOutcomes({Outcome("good", 3): Fraction(1, 4), Outcome("evil", 4): Fraction(3, 4)})
    >>> o.good, o.quests(), o.quests("good")
    (Fraction(1, 4), Fraction(15, 4), Fraction(3, 1))
    """

    weights: Mapping[Outcome, Fraction | int]

    def headline(self) -> str:
        """Return the share of games that Good won, and the mean number of quests."""
        line = f"Good wins {shown(self.good, 'percent')}"
        if (quests := self.quests()) is not None:
            line += f"; quests {float(quests):.3f} on average"
        return line

    @property
    def good(self) -> Fraction:
        """The share of games that Good won."""
        return self.won("good")

    @property
    def evil(self) -> Fraction:
        """The share of games that Evil won."""
        return self.won("evil")

    def weight(self, winner: Side | None = None) -> Fraction | int:
        """Return the number or probability of all games, or of those won by a side."""
        return sum(w for o, w in self.weights.items() if winner in (None, o.winner))

    def won(self, winner: Side) -> Fraction:
        """Return the share of games won by a side."""
        return Fraction(self.weight(winner)) / (self.total or 1)

    def lengths(self, winner: Side | None = None) -> dict[int, Fraction]:
        """Return the share of each number of quests played, in all games or in those won by a side."""
        won = {o: w for o, w in self.weights.items() if winner in (None, o.winner)}
        found: dict[int, Fraction] = {}
        for outcome in sorted(won, key=lambda o: o.quests):
            add(found, outcome.quests, Fraction(won[outcome]) / self.weight(winner))
        return found

    def quests(self, winner: Side | None = None) -> Fraction | None:
        """Return the mean number of quests played; None if a side won no game."""
        lengths = self.lengths(winner)
        if not lengths:
            return None
        return sum((n * share for n, share in lengths.items()), Fraction(0))

    def rows(self) -> list[tuple[Outcome, Fraction | int]]:
        """Return the outcomes that occur with their weights, in a fixed order."""
        return sorted((o, w) for o, w in self.weights.items() if w)

    def means(self) -> dict[str, Fraction | None]:
        """Return the mean number of quests in all games, and in those won by Good and by Evil."""
        return {"all": self.quests(), "good": self.quests("good"), "evil": self.quests("evil")}

    def decimal_means(self) -> dict[str, float | None]:
        """Return the mean numbers of quests as decimals."""
        return {who: None if mean is None else float(mean) for who, mean in self.means().items()}


@dataclass(frozen=True, repr=False)
class AvalonSolution(AvalonOutcomes, games.Solution):
    """The exact distribution of outcomes, with rational probabilities; and measurements along the way."""

    def to_dict(self) -> dict[str, Any]:
        """Return the solution for JSON: fractions as strings such as "2/3", and the same as decimals."""
        decimal = {"good": float(self.good), "evil": float(self.evil), "quests": self.decimal_means()}
        return {
            "good": str(self.good),
            "evil": str(self.evil),
            "quests": {who: None if mean is None else str(mean) for who, mean in self.means().items()},
            "decimal": decimal,
            **super().to_dict(),
        }


@dataclass(frozen=True, repr=False)
class AvalonSimulation(AvalonOutcomes, games.Simulation):
    """Counted outcomes of simulated games, with confidence intervals."""

    def interval(self, outcome: Side = "good", *, confidence: float = 0.95) -> tuple[float, float]:
        """Return the Wilson interval of the share of games won by a side."""
        return wilson(int(self.weight(outcome)), self.games, confidence=confidence)

    def rate(self) -> str:
        """Return the share of games that Good won, with its interval, in a line."""
        low, high = self.interval()
        return f"{self.games:,} games, Good won {float(self.good):.4f} ({low:.4f} to {high:.4f})"

    def grid(self) -> Grid:
        """Return a table of how often each outcome occurred."""
        rows = []
        for way, count in self.rows():
            rows.append((way.winner, str(way.quests), way.by, f"{count:,}", decimals(count / self.games, 4)))
        return Grid(("won by", "quests", "decided by", "games", "share"), tuple(rows), words=True)

    def quests_interval(
        self, winner: Side | None = None, *, confidence: float = 0.95
    ) -> tuple[float, float] | None:
        """Return the interval of the mean number of quests (normal approximation); None without games."""
        lengths = {n: float(share) for n, share in self.lengths(winner).items()}
        if not lengths:
            return None
        mean = sum(n * share for n, share in lengths.items())
        variance = sum(share * (n - mean) ** 2 for n, share in lengths.items())
        spread = deviations(confidence) * sqrt(variance / int(self.weight(winner)))
        return mean - spread, mean + spread

    def to_dict(self) -> dict[str, Any]:
        """Return the results for JSON: shares with 95% intervals, and the counts."""
        sides: dict[str, Side | None] = {"all": None, "good": "good", "evil": "evil"}
        return {
            "good": float(self.good),
            "good_interval": self.interval("good") if self.games else None,
            "evil": float(self.evil),
            "quests": self.decimal_means(),
            "quests_interval": {who: self.quests_interval(side) for who, side in sides.items()},
            **super().to_dict(),
        }


def decimals(value: Any, places: int) -> str:
    """Return a number with this many places after the point; None is a dash.

    >>> decimals(Fraction(2, 3), 2), decimals(None, 2)
    ('0.67', '-')
    """
    return "-" if value is None else f"{float(value):.{places}f}"
