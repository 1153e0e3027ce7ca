"""The Kripke models of Avalon.

A world is a `Deal`. Two worlds are related for a player iff the player observes the same in both. The models
are not pointed: one model serves every game with the same announcements and inferences, whatever the actual
deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any, Self, TypeAlias

from kripke_werewolf import games
from kripke_werewolf.games.avalon.rules import EVIL, Deal, Rules, dealt, role_atoms, seats
from kripke_werewolf.games.programs.knowledge import Points, at_least
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.semantics.bits import Rows, gathered


def worlds(rules: Rules) -> tuple[Deal, ...]:
    """Return the worlds of the models of a game: all deals, or only the evil players if worlds are pairs."""
    roles = ("evil",) if rules.worlds == "pairs" else rules.roles
    return dealt(rules.players, EVIL[rules.players], roles)


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


class Beliefs(Knowledge):
    """The knowledge and beliefs of all players: some worlds are more plausible than others, for everybody.

    The more unexpected moves were made for a world, the less plausible it is. Players believe the facts that
    hold in the most plausible worlds of their cell (a plausibility model; Spohn 1988, Baltag and Smets 2008).
    In the model, `K_i` is belief: it may be false, and may be revised. `besides` has the players' cells, and
    the worlds in layers, the most plausible first.
    """

    __slots__ = ()

    @classmethod
    def at_first(cls, knowledge: games.Knowledge) -> Self:
        """Return the beliefs before any move: all worlds are equally plausible."""
        space = knowledge.space
        apart = tuple((agent, frozenset(r.within(space.all).rows)) for agent, r in space.relations.items())
        return cls._held(knowledge, space.all, apart, (space.all,))

    @classmethod
    def _held(cls, known: games.Knowledge, worlds: int, apart: _Apart, layers: tuple[int, ...]) -> Self:
        inside = [layer & worlds for layer in layers]
        there = [rank for rank, layer in enumerate(inside) if layer]
        kept = tuple(inside[there[0] : there[-1] + 1])  # gaps stay: ranks are numbers of moves
        within = tuple(
            (agent, frozenset((cell & worlds, cell & worlds) for cell, _ in cells if cell & worlds))
            for agent, cells in apart
        )
        relations = {
            agent: Rows((cell, next(cell & layer for layer in kept if cell & layer)) for cell, _ in cells)
            for agent, cells in within
        }
        space = known.space.with_worlds(worlds).with_relations(relations)
        return cls._kept(known.points, space, {}, known._checked, (within, kept))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.points, self.space.all, *self.besides)

    def left(self, worlds: int) -> Self:
        """Return the beliefs after everybody learns that the actual world is one of these."""
        if worlds not in self._announced:
            self._announced[worlds] = self._held(self, worlds, *self.besides)
        return self._announced[worlds]

    def surprised(self, expected: Sequence[int]) -> Self:
        """Return the beliefs after moves, each expected in the given worlds."""
        apart, layers = self.besides
        found: dict[int, int] = {}
        for rank, layer in enumerate(layers):
            as_expected = at_least(layer, expected)
            for number, (some, more) in enumerate(pairwise((*as_expected, 0))):
                if worlds := some & ~more:
                    place = rank + len(expected) - number
                    found[place] = found.get(place, 0) | worlds
        ordered = tuple(found.get(rank, 0) for rank in range(max(found) + 1))
        return self._held(self, self.space.all, apart, ordered)


_Apart: TypeAlias = tuple[tuple[str, frozenset[tuple[int, int]]], ...]


def _restored(points: Points, worlds: int, apart: _Apart, layers: tuple[int, ...]) -> Beliefs:
    relations = {agent: Rows(cells) for agent, cells in apart}
    return Beliefs._held(games.Knowledge.of(points, worlds, relations), worlds, apart, layers)


@cache
def _points(names: tuple[Deal, ...], roles: tuple[str, ...]) -> Points:
    valuation = {atom: 0 for role in roles for atom in role_atoms(role, seats(names[0].players))}
    for number, deal in enumerate(names):
        for atom in deal.facts():
            valuation[atom] |= 1 << number
    return Points(names, valuation)
