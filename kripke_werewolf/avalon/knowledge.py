"""The Kripke models of the game, and what becomes of them.

A world is a `Deal`. Two worlds are related for a player iff the player observes the same in both: an evil
player sees who is evil, Merlin sees everything, any other good player sees only that the own card is good.
The models are not pointed: one model serves every game in which the same was announced and inferred,
whatever the actual deal.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from threading import RLock
from typing import Any
from weakref import WeakValueDictionary

from kripke_werewolf.avalon.rules import PAIRS, PLAYERS, Deal, Rules, evil, is_merlin
from kripke_werewolf.language import Formula
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.semantics.bits import BitSpace, Rows
from kripke_werewolf.semantics.space import check_names


def deals(rules: Rules) -> list[Deal]:
    """Return the deals of a game, equally likely."""
    if rules.merlin is None:
        return [Deal(pair) for pair in PAIRS]
    some = slice(1) if rules.merlin_seat == "lowest" else slice(None)
    return [Deal(pair, merlin) for pair in PAIRS for merlin in Deal(pair).good[some]]


def initial_model(rules: Rules, *, merlin: int | None = None) -> KripkeModel:
    """Return what everybody knows after the deal: 30 worlds, or 10 where a world does not say who is Merlin.

    `merlin`: for a game with Merlin on the 10 worlds of `worlds="pairs"`, the player who is Merlin, who
    tells all of them apart. The atoms `m_i` are false in the models of pairs.

    >>> model = initial_model(Rules(merlin="naive"))
    >>> len(model), model.holds("K_3 (e_4 & ~K_3 m_5) & ~Kw_1 e_3", at=Deal((3, 4), 5))
    (30, True)
    """
    if rules.merlin is not None and rules.worlds == "roles":
        worlds = [Deal(pair, good) for pair in PAIRS for good in Deal(pair).good]
    else:
        worlds = [Deal(pair) for pair in PAIRS]

    def observation(player: int) -> Callable[[Deal], Hashable]:
        def observe(deal: Deal) -> Hashable:
            if player in (deal.merlin, merlin):
                return deal
            return deal.evil if player in deal.evil else "good"

        return observe

    def atoms(deal: Deal) -> list[str]:
        roles = [evil(i) for i in deal.evil] + ([is_merlin(deal.merlin)] if deal.merlin else [])
        return [atom.name for atom in roles]

    return KripkeModel.from_observations(
        worlds,
        {i: observation(i) for i in PLAYERS},
        atoms,
        atoms=[atom(i).name for atom in (evil, is_merlin) for i in PLAYERS],
    )


_WORLDS = [*map(Deal, PAIRS), *(Deal(pair, good) for pair in PAIRS for good in Deal(pair).good)]
_NUMBERS = {world: number for number, world in enumerate(_WORLDS)}
_known: WeakValueDictionary[Hashable, Knowledge] = WeakValueDictionary()
_known_lock = RLock()


class Knowledge:
    """What everybody knows at one point of a game: the worlds left, and who can tell which of them apart.

    The worlds are deals, which say which atoms are true; they have the same numbers in all knowledge, so
    that sets of them are integers. Equal knowledge is one object, like equal formulas: what was found out
    about it in one game helps in every other.
    """

    __slots__ = ("__weakref__", "_announced", "_cells", "space")
    space: BitSpace
    """The worlds as bits, on which formulas are evaluated."""
    _announced: dict[int, Knowledge]  # what has been made with the same relations, by the worlds left
    _cells: dict[tuple[int, Deal], int]

    def __new__(cls, model: KripkeModel) -> Knowledge:
        """Return what everybody knows in a model of the game."""
        space = model.space

        def moved(inside: int) -> int:
            return sum(1 << _NUMBERS[space.name(w)] for w in space.members(inside))

        relations = {
            agent: Rows((moved(who), moved(sees)) for who, sees in relation.within(space.all).rows)
            for agent, relation in space.relations.items()
        }
        valuation = {atom: moved(space.fact(atom)) for atom in space.valuation}
        return cls._of(BitSpace(moved(space.all), relations, valuation, _WORLDS.__getitem__, {}, {}), {})

    @classmethod
    def _of(cls, space: BitSpace, announced: dict[int, Knowledge]) -> Knowledge:
        relations = [frozenset(r.within(space.all).rows) for r in space.relations.values()]
        key = space.all, tuple(relations)
        with _known_lock:
            found = _known.get(key)
            if found is None:
                found = object.__new__(cls)
                found.space, found._announced, found._cells = space, announced, {}
                _known[key] = found
            return announced.setdefault(space.all, found)

    def __reduce__(self) -> tuple[Any, ...]:
        return Knowledge, (self.model,)

    @property
    def model(self) -> KripkeModel:
        """The model; all its worlds are designated."""
        return KripkeModel.from_space(self.space)

    def world(self, deal: Deal) -> Deal:
        """Return the world of a deal: the deal itself, or its evil pair where worlds are pairs."""
        return Deal(deal.evil) if self.space.all < 1 << len(PAIRS) else deal

    def truth(self, f: Formula) -> int:
        """Return the worlds where a formula is true, as the bits of an integer."""
        found = self.space.memo.get(f)
        if found is None:
            check_names(self.space, f)
            found = self.space.truth(f)
        return found

    def holds(self, f: Formula, deal: Deal) -> bool:
        """Return whether a formula is true at the world of a deal."""
        return self.space.has(self.truth(f), _NUMBERS[self.world(deal)])

    def cell(self, player: int, deal: Deal) -> int:
        """Return the worlds that a player considers possible at the world of a deal."""
        key = player, deal
        if key not in self._cells:
            relation = self.space.relations[str(player)]
            self._cells[key] = self.space.sees(relation, _NUMBERS[self.world(deal)])
        return self._cells[key]

    def known(self, player: int, f: Formula, deal: Deal) -> bool | None:
        """Return the truth value of a formula as far as the player knows it; None if they do not.

        That is K_i φ, K_i ~φ or neither.
        """
        return self.settled(f, self.cell(player, deal))

    def settled(self, f: Formula, cell: int) -> bool | None:
        """Return the truth value of a formula if it is the same at all worlds of a set, else None."""
        inside = cell & self.truth(f)
        return True if inside == cell else None if inside else False

    def announced(self, f: Formula) -> Knowledge:
        """Return the knowledge after the public announcement of a formula that is true somewhere."""
        left = self.truth(f)
        if left not in self._announced:
            self._of(self.space.with_worlds(left), self._announced)
        return self._announced[left]

    def observed(self, facts: Sequence[int]) -> Knowledge:
        """Return the knowledge after all evil players, and they alone, observed which facts are true.

        At a world with evil player i, i no longer considers possible the worlds where another of the
        facts (truth sets) are true; nothing changes for the good players there. In terms of action
        models: the events are the pairs of evil players and the possible answers, and two events look
        the same to a player who is evil in neither.
        """
        space = self.space
        answers = [space.all]
        for fact in facts:
            answers = [part for answer in answers for part in (answer & fact, answer & ~fact) if part]
        relations = dict(space.relations)
        for i in PLAYERS:
            as_evil = space.fact(evil(i).name)
            told = [as_evil & answer for answer in answers] + [space.all & ~as_evil]
            relations[str(i)] = relations[str(i)].meet(Rows((cell, cell) for cell in told if cell))
        return self._of(space.with_relations(relations), {})
