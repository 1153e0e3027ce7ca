"""The game as a Markov chain: its states numbered and their transitions tabulated when first needed.

Many games are walked at once. All games at the same attempt of the same quest move together, those in
the same state by one table, so that every state is visited once in a walk, however many games are in it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from threading import Lock
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from kripke_werewolf.avalon.game import Avalon, Next, State, check_game
from kripke_werewolf.avalon.outcomes import Outcomes
from kripke_werewolf.avalon.setting import PARTY_SIZES, PROPOSALS, Outcome

__all__ = ["Chain", "Solution", "solve"]

Table: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]


class Chain:
    """The states of a game as far as they have been visited; the tables grow, nothing in them changes."""

    def __init__(self, game: Avalon) -> None:
        check_game(game)
        self.game = game
        self._places: list[Next] = []
        self._numbers: dict[Next, int] = {}
        self._quests: list[int] = []  # of every place; 0 for an outcome
        self._tables: dict[int, Table] = {}
        self._start = self._table(game.starts())
        self._lock = Lock()

    @property
    def visited(self) -> frozenset[State]:
        """The states in which a game has been so far."""
        return frozenset(p for n in self._tables if isinstance(p := self._places[n], State))

    def walk(self, games: int, rng: np.random.Generator) -> Counter[Outcome]:
        """Play a number of games and return how often each outcome occurred.

        What is drawn depends on `rng` alone, not on the states visited before.
        """
        with self._lock:
            places = _drawn(self._start, rng.random(games))
            for quest in range(1, len(PARTY_SIZES) + 1):
                here = np.flatnonzero(np.array(self._quests)[places] == quest)
                for _ in range(PROPOSALS):
                    places[here] = self._step(places[here], rng.random(len(here)))
                    here = here[np.array(self._quests)[places[here]] == quest]
            found, counts = np.unique(places, return_counts=True)
        ends = ((self._places[n], count) for n, count in zip(found.tolist(), counts.tolist(), strict=True))
        return Counter({end: count for end, count in ends if isinstance(end, Outcome)})

    def _step(self, places: npt.NDArray[np.int64], chances: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        """Return the next places of games."""
        out = np.empty_like(places)
        order = np.argsort(places, kind="stable")
        found, counts = np.unique(places, return_counts=True)
        for number, games in zip(found.tolist(), np.split(order, np.cumsum(counts)), strict=False):
            out[games] = _drawn(self._of(number), chances[games])
        return out

    def _of(self, number: int) -> Table:
        if number not in self._tables:
            state = self._places[number]
            assert isinstance(state, State)  # games that have ended do not move
            self._tables[number] = self._table(self.game.successors(state))
        return self._tables[number]

    def _table(self, following: Mapping[State, Fraction] | Mapping[Next, Fraction]) -> Table:
        """Return the upper bounds of the chances of the next places, and these places."""
        for place in following:
            if place not in self._numbers:
                self._numbers[place] = len(self._places)
                self._places.append(place)
                self._quests.append(place.now.quest if isinstance(place, State) else 0)
        bounds = np.cumsum(np.array([float(p) for p in following.values()]))
        bounds[-1] = 1
        return bounds, np.array([self._numbers[place] for place in following])


def _drawn(table: Table, chances: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    bounds, places = table
    return places[np.searchsorted(bounds, chances, side="right")]


@dataclass(frozen=True)
class Solution(Outcomes):
    """The exact distribution of outcomes: rational probabilities."""

    states: frozenset[State]
    """All states that a game can reach, up to the outcome."""

    def to_dict(self) -> dict[str, Any]:
        """Return the solution for JSON: fractions as text such as "2/3", and the same as decimals."""
        means = self.means()
        return {
            "good": str(self.good),
            "evil": str(self.evil),
            "quests": {who: None if mean is None else str(mean) for who, mean in means.items()},
            "decimal": {
                "good": float(self.good),
                "evil": float(self.evil),
                "quests": {who: None if mean is None else float(mean) for who, mean in means.items()},
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
