"""The Kripke models of Avalon.

A world is a `Deal`. Two worlds are related for a player iff the player observes the same in both. The
models are not pointed: one model serves every game in which the same was announced and inferred,
whatever the actual deal.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache
from itertools import combinations, permutations, product
from typing import Any, Self

from kripke_werewolf import games
from kripke_werewolf.avalon.rules import EVIL, SPECIAL, Deal, Rules, evil, has_role, is_merlin, seats
from kripke_werewolf.games.knowledge import Points
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.semantics.bits import Rows


@cache
def _dealt(players: int, merlin: bool, special: tuple[str, ...]) -> tuple[Deal, ...]:
    """Return all assignments of roles, in order."""
    found = []
    wicked = [role for role in special if role != "percival"]
    for pair in combinations(seats(players), EVIL[players]):
        good = [i for i in seats(players) if i not in pair]
        kind = (["merlin"] if merlin else []) + (["percival"] if "percival" in special else [])
        for bright, dark in product(permutations(good, len(kind)), permutations(pair, len(wicked))):
            cards = dict(zip([*kind, *wicked], [*bright, *dark], strict=True))
            found.append(Deal(pair, **cards, players=players))
    return tuple(found)


def _special(rules: Rules) -> tuple[str, ...]:
    return tuple(role for role in SPECIAL if getattr(rules, role))


def deals(rules: Rules) -> list[Deal]:
    """Return the deals of a game, equally likely."""
    every = _dealt(rules.players, rules.merlin is not None, _special(rules))
    if rules.merlin_seat == "lowest":
        return [deal for deal in every if deal.merlin in (None, deal.good[0])]
    return list(every)


def worlds(rules: Rules) -> tuple[Deal, ...]:
    """Return the worlds of the models of a game: all deals, or who may be evil where worlds are pairs."""
    roles = rules.merlin is not None and rules.worlds == "roles"
    return _dealt(rules.players, roles, _special(rules))


def _true(deal: Deal) -> Iterator[str]:
    yield from (evil(i).name for i in deal.evil)
    if deal.merlin is not None:
        yield is_merlin(deal.merlin).name
    for role in SPECIAL:
        if (player := getattr(deal, role)) is not None:
            yield has_role(role, player).name


def _atoms(rules: Rules) -> list[str]:
    plain = [kind(i).name for kind in (evil, is_merlin) for i in rules.seats]
    return plain + [has_role(role, i).name for role in _special(rules) for i in rules.seats]


def _observation(player: int, merlin: int | None) -> Callable[[Deal], Hashable]:
    return lambda deal: deal if player == merlin else deal.observed(player)


def initial_model(rules: Rules, *, merlin: int | None = None) -> KripkeModel:
    """Return what everybody knows after the deal: 30 worlds with Merlin among five players, 10 without.

    `merlin`: for a game with Merlin on the 10 worlds of `worlds="pairs"`, the player who is Merlin, who
    tells all of them apart. The atoms `m_i` are false in the models of pairs.

    >>> model = initial_model(Rules(merlin="naive"))
    >>> len(model), model.holds("K_3 (e_4 & ~K_3 m_5) & ~Kw_1 e_3", at=Deal((3, 4), 5))
    (30, True)
    """
    return KripkeModel.from_observations(
        worlds(rules),
        {i: _observation(i, merlin) for i in rules.seats},
        lambda deal: list(_true(deal)),
        atoms=_atoms(rules),
    )


class Knowledge(games.Knowledge):
    """What everybody knows at one point of a game of Avalon: the deals left, and who can tell them apart."""

    __slots__ = ()

    def __new__(cls, model: KripkeModel) -> Self:
        """Return what everybody knows in a model of the game."""
        names = model.worlds
        first: Any = names[0]
        special = tuple(role for role in SPECIAL if getattr(first, role) is not None)
        points = _points(_dealt(first.players, first.merlin is not None, special), tuple(model.atoms))
        places = [points.numbers[name] for name in names]
        relations = {}
        for agent in model.agents:
            relation = model.relation(agent)
            sights = [0] * len(points.names)
            for w, place in enumerate(places):
                sights[place] = sum(1 << places[int(v)] for v in relation.successors(w))
            relations[agent] = Rows.of_sights(sights)
        return cls.of(points, sum(1 << place for place in places), relations)

    @classmethod
    def dealt(cls, rules: Rules, *, merlin: int | None = None) -> Self:
        """Return what everybody knows after the deal; see `initial_model`."""
        points = _points(worlds(rules), tuple(_atoms(rules)))
        relations = {}
        for i in rules.seats:
            cells: dict[Hashable, int] = {}
            observe = _observation(i, merlin)
            for number, deal in enumerate(points.names):
                seen = observe(deal)  # type: ignore[arg-type]
                cells[seen] = cells.get(seen, 0) | 1 << number
            relations[str(i)] = Rows((cell, cell) for cell in cells.values())
        return cls.of(points, (1 << len(points.names)) - 1, relations)

    def world(self, actual: Deal) -> Deal:
        """Return the world of a deal: the deal itself, or who is evil where worlds are pairs."""
        first: Any = self.points.names[0]
        return Deal(actual.evil, players=actual.players) if first.merlin is None else actual

    def observed(self, parts: Sequence[int]) -> Self:
        """Return the knowledge after all evil players, and they alone, observed in which part the world is.

        At a world with evil player i, i no longer considers possible the worlds of other parts; nothing
        changes for the good players there. In terms of action models: the events are the sets of evil
        players and the parts, and two events look the same to a player who is evil in neither.
        """
        space = self.space
        cells = {}
        for i in space.relations:
            as_evil = space.fact(f"e_{i}")
            cells[i] = [*(as_evil & part for part in parts), space.all & ~as_evil]
        return self.told(cells)


@cache
def _points(names: tuple[Deal, ...], atoms: tuple[str, ...]) -> Points:
    valuation = dict.fromkeys(atoms, 0)
    for number, deal in enumerate(names):
        for atom in _true(deal):
            valuation[atom] |= 1 << number
    return Points(names, valuation)
