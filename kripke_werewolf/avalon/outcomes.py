"""How games end: weights of outcomes, exact or counted, and what is read off them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

from kripke_werewolf.avalon.setting import Outcome, Side
from kripke_werewolf.errors import GameError

__all__ = ["Outcomes", "wilson"]


@dataclass(frozen=True)
class Outcomes:
    """A distribution of outcomes.

    >>> o = Outcomes({Outcome("good", 3): Fraction(1, 4), Outcome("evil", 4): Fraction(3, 4)})
    >>> o.good, o.quests(), o.quests("good")
    (Fraction(1, 4), Fraction(15, 4), Fraction(3, 1))
    """

    weights: Mapping[Outcome, Fraction | int]
    """The weight of every outcome: a probability, or a number of games."""

    @property
    def total(self) -> Fraction | int:
        """The weight of all outcomes: 1, or the number of games."""
        return sum(self.weights.values())

    @property
    def good(self) -> Fraction:
        """The share of games that Good won."""
        return self.share("good")

    @property
    def evil(self) -> Fraction:
        """The share of games that Evil won."""
        return self.share("evil")

    def share(self, winner: Side) -> Fraction:
        """Return the share of games that a side won."""
        return Fraction(sum(w for o, w in self.weights.items() if o.winner == winner)) / (self.total or 1)

    def lengths(self, winner: Side | None = None) -> dict[int, Fraction]:
        """Return the share of each number of quests played, in all games or in those that a side won."""
        won = {o: w for o, w in self.weights.items() if winner in (None, o.winner)}
        total = sum(won.values())
        return {
            n: Fraction(sum(w for o, w in won.items() if o.quests == n)) / total
            for n in sorted({o.quests for o in won})
        }

    def quests(self, winner: Side | None = None) -> Fraction | None:
        """Return the mean number of quests played; None where a side won no game."""
        lengths = self.lengths(winner)
        return sum((n * share for n, share in lengths.items()), Fraction(0)) if lengths else None

    def rows(self) -> list[tuple[Outcome, Fraction | int]]:
        """Return the outcomes that occur with their weights, in a fixed order."""
        return sorted((o, w) for o, w in self.weights.items() if w)

    def means(self) -> dict[str, Fraction | None]:
        """Return the mean number of quests in all games, in those that Good won and that Evil won."""
        return {"all": self.quests(), "good": self.quests("good"), "evil": self.quests("evil")}


def wilson(successes: int, trials: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Return the Wilson score interval of a probability (Wilson 1927).

    >>> low, high = wilson(46, 100)
    >>> round(low, 4), round(high, 4)
    (0.3656, 0.5574)

    Raises GameError for impossible numbers.
    """
    if not 0 <= successes <= trials or trials < 1:
        raise GameError(
            f"{successes!r} successes in {trials!r} trials: expected 0 <= successes <= trials, trials >= 1"
        )
    z, p = deviations(confidence), successes / trials
    centre = p + z * z / (2 * trials)
    spread = z * sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    # at the ends exactly 0 and 1, whatever the rounding
    low = (centre - spread) / scale if successes else 0.0
    return low, (centre + spread) / scale if successes < trials else 1.0


def deviations(confidence: float) -> float:
    """Return how many standard deviations around the mean hold that share of a normal distribution."""
    if not 0 < confidence < 1:
        raise GameError(f"confidence={confidence!r} is not possible (allowed: above 0 and below 1)")
    return NormalDist().inv_cdf((1 + confidence) / 2)
