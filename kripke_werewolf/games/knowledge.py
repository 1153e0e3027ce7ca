"""What the players of a game know at one moment: a Kripke model whose worlds are bits of integers.

The models are not pointed: one model serves every course of a game in which the same was learnt, whatever
the actual world. Equal knowledge is one object, so what has been found out about it is found out once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from threading import RLock
from typing import Any, ClassVar, Self
from weakref import WeakValueDictionary

from kripke_werewolf.errors import GameError, UnknownAgentError, UnknownWorldError
from kripke_werewolf.language import Atom, Formula
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.semantics.bits import BitSpace, Rows
from kripke_werewolf.semantics.space import check_names


class Points:
    """The worlds of a game in order, with the truth sets of its atoms; equal ones are one object."""

    __slots__ = ("__weakref__", "names", "numbers", "valuation")
    _known: ClassVar[WeakValueDictionary[Hashable, Points]] = WeakValueDictionary()
    _lock: ClassVar[RLock] = RLock()
    names: tuple[Hashable, ...]
    numbers: Mapping[Hashable, int]
    valuation: Mapping[str, int]

    def __new__(cls, names: Sequence[Hashable], valuation: Mapping[str, int]) -> Points:
        """Return the worlds with these names."""
        key = tuple(names), tuple(sorted(valuation.items()))
        with cls._lock:
            found = cls._known.get(key)
            if found is None:
                found = object.__new__(cls)
                found.names, found.valuation = key[0], dict(valuation)
                found.numbers = {name: number for number, name in enumerate(key[0])}
                cls._known[key] = found
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return Points, (self.names, dict(self.valuation))


class Knowledge:
    """What everybody knows at one point of a game: the worlds left, and who can tell which of them apart.

    Worlds keep their numbers through announcements and observations, so that sets of them are integers.
    """

    __slots__ = ("__weakref__", "_announced", "_cells", "points", "space")
    _known: ClassVar[WeakValueDictionary[Hashable, Knowledge]] = WeakValueDictionary()
    _lock: ClassVar[RLock] = RLock()
    points: Points
    """All worlds that there were at the start."""
    space: BitSpace
    """The worlds as bits, on which formulas are evaluated."""
    _announced: dict[int, Self]  # what has been made with the same relations, by the worlds left
    _cells: dict[tuple[Hashable, Hashable], int]

    def __new__(cls, model: KripkeModel) -> Self:
        """Return what everybody knows in a model of the game."""
        space = model.space if isinstance(model.space, BitSpace) else None
        names = model.worlds
        numbers = {name: number for number, name in enumerate(names)}
        if space is None or space.all != (1 << len(names)) - 1:
            relations = {
                agent: Rows.of_sights(
                    sum(1 << int(v) for v in model.relation(agent).successors(w)) for w in range(len(names))
                )
                for agent in model.agents
            }
            valuation = {a: sum(1 << numbers[w] for w in model.where(Atom(a))) for a in model.atoms}
        else:
            relations, valuation = dict(space.relations), {a: space.fact(a) for a in space.valuation}
        return cls.of(Points(names, valuation), (1 << len(names)) - 1, relations)

    @classmethod
    def of(
        cls,
        points: Points,
        worlds: int,
        relations: Mapping[str, Rows],
        weights: Mapping[str, tuple[tuple[int, int], ...]] | None = None,
    ) -> Self:
        """Return what everybody knows where these worlds are left, and these relations hold."""
        space = BitSpace(worlds, relations, points.valuation, points.names.__getitem__, weights or {}, {})
        return cls._kept(points, space, {})

    @classmethod
    def _kept(cls, points: Points, space: BitSpace, announced: dict[int, Self]) -> Self:
        relations = tuple(frozenset(r.within(space.all).rows) for r in space.relations.values())
        key = cls, points, space.all, relations, tuple(sorted(space.weights.items()))
        with Knowledge._lock:
            found: Any = Knowledge._known.get(key)
            if found is None:
                found = object.__new__(cls)
                found.points, found.space, found._announced, found._cells = points, space, announced, {}
                Knowledge._known[key] = found
            return announced.setdefault(space.all, found)

    def __reduce__(self) -> tuple[Any, ...]:
        rows = {agent: r.within(self.space.all).rows for agent, r in self.space.relations.items()}
        return _unpickled, (type(self), self.points, self.space.all, rows, dict(self.space.weights))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.space.all.bit_count()} worlds>"

    @property
    def model(self) -> KripkeModel:
        """The model; all its worlds are designated."""
        return KripkeModel.from_space(self.space)

    def world(self, actual: Any) -> Hashable:
        """Return the world of the model that stands for the actual one."""
        return actual  # type: ignore[no-any-return]

    def number(self, actual: Hashable) -> int:
        """Return the number of the world that stands for the actual one."""
        try:
            return self.points.numbers[self.world(actual)]
        except KeyError:
            raise UnknownWorldError(actual, self.points.names) from None

    # --- questions -------------------------------------------------------------------------------

    def truth(self, f: Formula) -> int:
        """Return the worlds where a formula is true, as the bits of an integer."""
        found = self.space.memo.get(f)
        if found is None:
            check_names(self.space, f)
            found = self.space.truth(f)
        return found

    def holds(self, f: Formula, actual: Hashable) -> bool:
        """Return whether a formula is true at the actual world."""
        return bool(self.truth(f) >> self.number(actual) & 1)

    def cell(self, player: Hashable, actual: Hashable) -> int:
        """Return the worlds that a player considers possible at the actual world."""
        key = player, actual
        found = self._cells.get(key)
        if found is None:
            relation = self.space.relations.get(str(player))
            if relation is None:
                raise UnknownAgentError(player, self.space.relations)
            found = self._cells[key] = self.space.sees(relation, self.number(actual))
        return found

    def known(self, player: Hashable, f: Formula, actual: Hashable) -> bool | None:
        """Return the truth value of a formula as far as the player knows it; None if they do not.

        That is K_i φ, K_i ~φ or neither.
        """
        return self.settled(f, self.cell(player, actual))

    def settled(self, f: Formula, cell: int) -> bool | None:
        """Return the truth value of a formula if it is the same at all worlds of a set, else None."""
        inside = cell & self.truth(f)
        return True if inside == cell else None if inside else False

    def chance(self, player: Hashable, f: Formula, actual: Hashable) -> Fraction:
        """Return the probability that a player gives to a formula: its share of what is possible."""
        cell, true = self.cell(player, actual), self.truth(f)
        if not cell:
            raise GameError(f"player {player} considers no world possible, so no probability is defined")
        weights = self.space.weights.get(str(player))
        if weights is None:
            return Fraction((cell & true).bit_count(), cell.bit_count())
        if not weights:
            raise GameError("the game has no probabilities for its players: set probable = True in it")
        total = sum((inside & cell).bit_count() * weight for inside, weight in weights)
        return Fraction(sum((inside & cell & true).bit_count() * w for inside, w in weights), total)

    # --- what is learnt --------------------------------------------------------------------------

    def announced(self, f: Formula) -> Self:
        """Return the knowledge after the public announcement of a formula that is true somewhere."""
        return self.left(self.truth(f))

    def left(self, worlds: int) -> Self:
        """Return the knowledge after everybody learns that the actual world is among these."""
        if worlds not in self._announced:
            self._kept(self.points, self.space.with_worlds(worlds), self._announced)
        return self._announced[worlds]

    def told(self, cells: Mapping[Any, Iterable[int]]) -> Self:
        """Return the knowledge after some players each learn in which of some sets the actual world is.

        Each player gets a partition of the worlds; nothing changes for those who get none.
        """
        relations = dict(self.space.relations)
        for player, parts in cells.items():
            name = str(player)
            relations[name] = relations[name].meet(Rows((part, part) for part in parts if part))
        return self._kept(self.points, self.space.with_relations(relations), {})


def _unpickled(
    kind: type[Knowledge],
    points: Points,
    worlds: int,
    rows: Mapping[str, tuple[tuple[int, int], ...]],
    weights: Mapping[str, tuple[tuple[int, int], ...]],
) -> Knowledge:
    return kind.of(points, worlds, {agent: Rows(listed) for agent, listed in rows.items()}, weights)


def parted(worlds: int, facts: Iterable[int]) -> list[int]:
    """Return the parts into which facts (truth sets) divide a set of worlds, by which of them are true."""
    parts = [worlds]
    for fact in facts:
        parts = [part for old in parts for part in (old & fact, old & ~fact) if part]
    return parts
