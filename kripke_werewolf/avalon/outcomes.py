"""How games end: weights of outcomes, exact or counted, what is read off them, and the exact solution."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Any

from kripke_werewolf.avalon.game import Avalon, State, check_game
from kripke_werewolf.avalon.rules import PARTY_SIZES, PROPOSALS, Outcome, Side
from kripke_werewolf.display import Displayed
from kripke_werewolf.errors import GameError
from kripke_werewolf.reports.documents import Block, Paragraph
from kripke_werewolf.reports.tables import Grid, shown


@dataclass(frozen=True, repr=False)
class Outcomes(Displayed):
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
        return self.weight()

    def headline(self) -> str:
        """Return the share of games that Good won, and the mean number of quests."""
        quests = self.quests()
        mean = "" if quests is None else f"; quests {float(quests):.3f} on average"
        return f"Good wins {shown(self.good, 'percent')}{mean}"

    def display(self) -> Iterator[Block]:
        """Yield the line, and a table of all outcomes."""
        yield Paragraph(self.headline())
        share = [(o, shown(Fraction(w) / self.total, "percent")) for o, w in self.rows()]
        yield Grid(("outcome", "share"), tuple((str(outcome), text) for outcome, text in share))

    @property
    def good(self) -> Fraction:
        """The share of games that Good won."""
        return self.share("good")

    @property
    def evil(self) -> Fraction:
        """The share of games that Evil won."""
        return self.share("evil")

    def weight(self, winner: Side | None = None) -> Fraction | int:
        """Return the weight of all games, or of those that a side won."""
        return sum(w for o, w in self.weights.items() if winner in (None, o.winner))

    def share(self, winner: Side) -> Fraction:
        """Return the share of games that a side won."""
        return Fraction(self.weight(winner)) / (self.total or 1)

    def lengths(self, winner: Side | None = None) -> dict[int, Fraction]:
        """Return the share of each number of quests played, in all games or in those that a side won."""
        won = {o: w for o, w in self.weights.items() if winner in (None, o.winner)}
        return {
            n: Fraction(sum(w for o, w in won.items() if o.quests == n)) / self.weight(winner)
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

    def decimal_means(self) -> dict[str, float | None]:
        """Return the mean numbers of quests as decimals."""
        return {who: None if mean is None else float(mean) for who, mean in self.means().items()}


@dataclass(frozen=True, repr=False)
class Solution(Outcomes):
    """The exact distribution of outcomes: rational probabilities."""

    states: frozenset[State]
    """All states that a game can reach, up to the outcome."""

    def to_dict(self) -> dict[str, Any]:
        """Return the solution for JSON: fractions as strings such as "2/3", and the same as decimals."""
        return {
            "good": str(self.good),
            "evil": str(self.evil),
            "quests": {who: None if mean is None else str(mean) for who, mean in self.means().items()},
            "decimal": {
                "good": float(self.good),
                "evil": float(self.evil),
                "quests": self.decimal_means(),
            },
            "outcomes": [{**outcome._asdict(), "probability": str(p)} for outcome, p in self.rows()],
            "states": len(self.states),
        }


def solve(game: Avalon) -> Solution:
    """Return the exact win rates and distributions of quests, in rational arithmetic.

    Probability flows from the deal through the states in the order of quests and attempts; each state is
    looked at once, when all that leads to it has been.

    >>> from kripke_werewolf.avalon import published
    >>> solve(Avalon(published())).good
    Fraction(6067, 12960)

    Raises GameError for what is no game, and `IllegalMove` for a strategy that breaks a rule.
    """
    check_game(game)
    layers: dict[tuple[int, int], dict[State, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    outcomes: dict[Outcome, Fraction] = defaultdict(Fraction)
    layers[1, 1].update(game.starts())
    order = [
        (quest, attempt) for quest in range(1, len(PARTY_SIZES) + 1) for attempt in range(1, PROPOSALS + 1)
    ]
    for place in order:
        for state, probability in layers[place].items():
            for following, p in game.successors(state).items():
                if isinstance(following, Outcome):
                    outcomes[following] += probability * p
                else:
                    layers[following.now.quest, following.now.attempt][following] += probability * p
    states = frozenset(state for layer in layers.values() for state in layer)
    return Solution(dict(outcomes), states)


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
