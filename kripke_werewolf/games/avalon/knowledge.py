"""The Kripke models of Avalon.

A world is a `Deal`. Two worlds are related for a player iff the player observes the same in both. The models
are not pointed: one model serves every game with the same announcements and inferences, whatever the actual
deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Self

from kripke_werewolf import games
from kripke_werewolf.games.avalon.rules import EVIL, Deal, Rules, all_deals, role_atoms, seats
from kripke_werewolf.games.programs.knowledge import Points
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.semantics.bits import Rows, gathered


def worlds(rules: Rules) -> tuple[Deal, ...]:
    """Return the worlds of the models of a game: all deals, or only the evil players if worlds are pairs."""
    roles = ("evil",) if rules.worlds == "pairs" else rules.roles
    return all_deals(rules.players, EVIL[rules.players], roles)


def initial_model(rules: Rules, *, merlin: int | None = None) -> KripkeModel:
    """Return the model after the deal: for five players 30 worlds with Merlin, 10 without.

    `merlin`: for a game with Merlin and `worlds="pairs"`, the player who is Merlin and can tell all 10 worlds
    apart. The atoms `m_i` are false in the models of pairs.

    >>> model = initial_model(Rules(merlin="naive"))
    >>> len(model), model.holds("K_3 (e_4 & ~K_3 m_5) & ~Kw_1 e_3", at=Deal((3, 4), 5))
    (30, True)
    """
    return Knowledge.dealt(rules, merlin=merlin).model


class Knowledge(games.Knowledge):
    """The knowledge of all players at one point of a game: the possible deals and everybody's cells."""

    __slots__ = ()

    @classmethod
    def dealt(cls, rules: Rules, *, merlin: int | None = None) -> Self:
        """Return the knowledge of all players after the deal; see `initial_model`."""
        points = _points(worlds(rules), ("evil", "merlin", *rules.roles))
        relations = {}
        for i in rules.seats:
            seen = (deal if i == merlin else deal.observed(i) for deal in worlds(rules))
            cells = gathered((observed, 1 << number) for number, observed in enumerate(seen))
            relations[str(i)] = Rows((cell, cell) for cell in cells.values())
        return cls.of(points, (1 << len(points.names)) - 1, relations)

    def world(self, actual: Deal) -> Deal:
        """Return the world of a deal: the deal itself, or the evil players if worlds are pairs."""
        first: Any = self.points.names[0]
        return Deal(actual.evil, players=actual.players) if first.merlin is None else actual

    def observed(self, facts: Sequence[int]) -> Self:
        """Return the knowledge after exactly the evil players have observed which facts are true.

        At a world with evil player i, i no longer considers worlds with other true facts possible; nothing
        changes for the good players there. In terms of action models: the events are the sets of evil players
        and of true facts, and two events look the same to a player who is evil in neither.
        """
        return self.told({i: (self.space.fact(f"e_{i}"), facts) for i in self.space.relations})


@cache
def _points(names: tuple[Deal, ...], roles: tuple[str, ...]) -> Points:
    valuation = {atom: 0 for role in roles for atom in role_atoms(role, seats(names[0].players))}
    for number, deal in enumerate(names):
        for atom in deal.facts():
            valuation[atom] |= 1 << number
    return Points(names, valuation)
