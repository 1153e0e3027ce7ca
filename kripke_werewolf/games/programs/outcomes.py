"""Outcomes of plays: distributions, exact or counted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.reports.documents import Block, Paragraph
from kripke_werewolf.base.reports.tables import Grid, shown
from kripke_werewolf.games.programs.chance import wilson


@dataclass(frozen=True, repr=False)
class Outcomes(Displayed):
    """A distribution of outcomes.

    >>> Outcomes({"heads": 3, "tails": 1}).share("heads")
    Fraction(3, 4)
    """

    weights: Mapping[Any, Fraction | int]
    """The weight of every outcome: a probability or a number of games."""

    @property
    def total(self) -> Fraction | int:
        """The total weight: 1, or the number of games."""
        return sum(self.weights.values())

    def share(self, outcome: Any) -> Fraction:
        """Return the share of games with an outcome: 0 for one that never occurs."""
        return Fraction(self.weights.get(outcome, 0)) / (self.total or 1)

    def rows(self) -> list[tuple[Any, Fraction | int]]:
        """Return the outcomes that occur with their weights, in a fixed order."""
        found = [(o, w) for o, w in self.weights.items() if w]
        return sorted(found, key=lambda row: by_number(str(row[0])))

    def headline(self) -> str:
        """Return the most frequent outcomes with their shares."""
        most = sorted(self.rows(), key=lambda row: -row[1])[:3]
        return "; ".join(f"{o}: {shown(Fraction(w) / self.total, 'percent')}" for o, w in most) or "no games"

    def display(self) -> Iterator[Block]:
        """Yield the line, and a table of all outcomes."""
        yield Paragraph(self.headline())
        share = [(o, shown(Fraction(w) / self.total, "percent")) for o, w in self.rows()]
        yield Grid(("outcome", "share"), tuple((str(outcome), text) for outcome, text in share))


@dataclass(frozen=True, repr=False)
class Simulation(Outcomes):
    """Counted outcomes of simulated games, with confidence intervals."""

    about: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The description of the game: rules, strategies with their parameters, identity, seed, version."""

    @property
    def games(self) -> int:
        """The number of games played."""
        return int(self.total)

    def interval(self, outcome: Any, *, confidence: float = 0.95) -> tuple[float, float]:
        """Return the Wilson interval of the share of games with an outcome."""
        return wilson(int(self.weights.get(outcome, 0)), self.games, confidence=confidence)

    def to_dict(self) -> dict[str, Any]:
        """Return the results for JSON: the description, and the count of every outcome."""
        outcomes = [
            {
                **as_record(o),
                "games": int(n),
                "share": float(n / self.games),
                "interval": wilson(int(n), self.games),
            }
            for o, n in self.rows()
        ]
        return {"about": dict(self.about), "games": self.games, "outcomes": outcomes}


def by_number(name: str) -> list[tuple[int, int | str]]:
    """Return a sort key for names with numbers: "quest 2" before "quest 10"."""
    parts = re.split(r"(\d+)", name)
    return [(1, int(part)) if part.isdigit() else (0, part) for part in parts if part]


def as_record(outcome: Any) -> dict[str, Any]:
    """Return an outcome as named values: the fields of a named tuple, else its name."""
    return dict(outcome._asdict()) if hasattr(outcome, "_asdict") else {"outcome": str(outcome)}
