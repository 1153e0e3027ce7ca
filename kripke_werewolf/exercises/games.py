"""Who knows what in a game?"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, ClassVar, Self

from kripke_werewolf.exercises.exercise import OnModel, Parameter, Result, Shown
from kripke_werewolf.exercises.forms import Names
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.sentences import clause, names
from kripke_werewolf.models import KripkeModel

if TYPE_CHECKING:
    from numpy.random import Generator

_PLAYERS = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")
_CARDS = {"w": "wolf", "s": "seer", "v": "villager"}


@dataclass(frozen=True, slots=True, repr=False)
class WhoKnows(OnModel):
    """Which players know a fact? The model has one designated world.

    `story`: what has happened; the model is then what the students have to think of, and is not shown.
    """

    kind: ClassVar[str] = "who-knows"
    about: ClassVar[str] = "which players know it?"
    parameters: ClassVar = {
        "size": Parameter(5, range(4, 7), "players"),
        "depth": Parameter(1, range(1, 3), "1: who knows a fact; 2: who knows what another player knows"),
    }
    formula: Formula
    story: str | None = None

    def question(self) -> str:
        """Return the task in words."""
        story = f"{self.story} " if self.story else ""
        return f"{story}Which of {names(self.model.agents)} know that {clause(self.formula)}?"

    def shown(self) -> tuple[Shown, ...]:
        """Return the model, unless there is a story."""
        return () if self.story else (Shown(self.model),)

    @property
    def form(self) -> Names:
        """The names of players."""
        return Names(tuple(self.model.agents), "player")

    def _knowing(self) -> frozenset[str]:
        return frozenset(a for a in self.model.agents if self.model.holds(s.Knows(a, self.formula)))

    def judge(self, answer: frozenset[str]) -> Result:
        """Return whether the players are those, and why the first wrong one is not."""
        right = self._knowing()
        for player in self.model.agents:
            if (player in right) != (player in answer):
                share = Fraction(max(0, len(answer & right) - len(answer - right)), len(right) or 1)
                verb = "is missing" if player in right else "does not belong there"
                return Result(False, f"{player} {verb}\n{self.option_reason(player)}", share)
        return Result(True, "\n".join(map(self.option_reason, self.model.agents)))

    def option_reason(self, option: str) -> str:
        """Return why a player knows it or not."""
        return str(self.model.explain(s.Knows(option, self.formula)))

    def solution(self) -> str:
        """Return the players."""
        right = self._knowing()
        return ", ".join(a for a in self.model.agents if a in right) or "none"

    @classmethod
    def generate(cls, rng: Generator, *, size: int, depth: int) -> Self | None:
        """Return a game of Werewolf with dealt cards in which the seer has looked at a card.

        Wolves know each other, and a player has shown their card.
        """
        players = _PLAYERS[:size]
        cards = "w" * (1 + (size > 4)) + "s" + "v" * (size - 2 - (size > 4))
        deals = sorted({"".join(deal) for deal in permutations(cards)})
        actual = deals[int(rng.integers(len(deals)))]
        looked, out = rng.permutation(size)[:2].tolist()
        if actual[looked] == "s" or actual[out] == "s":
            return None
        model = KripkeModel.from_observations(
            [deal for deal in deals if deal[looked] != "s"],
            {player: _View(n, looked) for n, player in enumerate(players)},
            lambda deal: [f"{_CARDS[card]}_{p}" for p, card in zip(players, deal, strict=True)],
            actual,
            atoms=[f"{card}_{player}" for player in players for card in _CARDS.values()],
        ).announce(f"{_CARDS[actual[out]]}_{players[out]}")
        about = int(rng.integers(size))
        fact: Formula = s.Atom(f"{_CARDS[str(rng.choice(list('wsv')))]}_{players[about]}")
        if depth == 2:
            other = players[int(rng.integers(size))]
            fact = s.KnowsWhether(other, fact)
        fact = fact if model.holds(fact) else ~fact
        found = cls("", model, fact, _story(players, actual, looked, out))
        known = found._knowing()
        return found if 0 < len(known) < size and about != out else None


@dataclass(frozen=True, slots=True)
class _View:
    """What a player sees of a deal: their card; a wolf, the wolves; the seer, the card they look at."""

    place: int
    looked: int

    def __call__(self, deal: str) -> tuple[str, ...]:
        match deal[self.place]:
            case "w":
                return ("w", *(str(n) for n, card in enumerate(deal) if card == "w"))
            case "s":
                return "s", deal[self.looked]
        return ("v",)


def _story(players: tuple[str, ...], deal: str, looked: int, out: int) -> str:
    wolves = deal.count("w")
    held = names([f"{p} is {_article(card)}" for p, card in zip(players, deal, strict=True)])
    count = "one wolf" if wolves == 1 else f"{wolves} wolves"
    know = "" if wolves == 1 else " The wolves know each other."
    villagers = deal.count("v")
    seen, left = players[looked], players[out]
    return (
        f"{names(players)} play Werewolf with {count}, a seer and {villagers} villagers, and everyone sees "
        f"their own card only.{know} {held}. The seer looks at the card of another player: everyone sees "
        f"that it is {seen}'s, but not who looks. Then {left} is voted out and shows their card."
    )


def _article(card: str) -> str:
    return f"{'the' if card == 's' else 'a'} {_CARDS[card]}"
