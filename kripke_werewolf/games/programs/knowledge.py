"""The knowledge of players at one moment: a Kripke model whose worlds are bits of integers.

The models are not pointed: one model serves all courses of a game in which the same was learnt, whatever the
actual world. Equal knowledge is one object, so facts about it are computed once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from threading import RLock
from typing import Any, ClassVar, Self
from weakref import WeakValueDictionary

from kripke_werewolf.base.errors import GameError, UnknownAgentError, UnknownWorldError, check_known
from kripke_werewolf.logic.formulas import Formula
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.semantics.bits import BitSpace, Rows
from kripke_werewolf.logic.semantics.space import check_formula_names


def written(value: object) -> str:
    """Return a value as a string, the same for equal sets.

    >>> written((1, frozenset("ba")))
    "tuple(1, {'a', 'b'})"
    """
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(map(written, value))) + "}"
    if isinstance(value, tuple):
        return f"{type(value).__name__}({', '.join(map(written, value))})"
    return repr(value)


class Points:
    """The worlds of a game in order, with the truth sets of its atoms; equal values are one object."""

    __slots__ = ("__weakref__", "names", "numbers", "valuation")
    _known: ClassVar[WeakValueDictionary[Hashable, Points]] = WeakValueDictionary()
    _lock: ClassVar[RLock] = RLock()
    names: tuple[Hashable, ...]
    numbers: Mapping[Hashable, int]
    valuation: Mapping[str, int]

    def __new__(cls, names: Sequence[Hashable], valuation: Mapping[str, int]) -> Points:
        """Return the worlds with these names."""
        # equal names may be of different types (1 and True), and games tell these apart
        key = tuple(names), tuple(map(written, names)), tuple(sorted(valuation.items()))
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
    """The knowledge of all players at one point of a game: the remaining worlds, and everybody's cells.

    Worlds keep their numbers through announcements and observations, so that sets of them are integers.
    """

    _known: ClassVar[WeakValueDictionary[Hashable, Knowledge]] = WeakValueDictionary()
    _lock: ClassVar[RLock] = RLock()
    points: Points
    """All worlds at the start."""
    space: BitSpace
    """The worlds as bits, on which formulas are evaluated."""
    _announced: dict[int, Self]  # results with the same relations, by the remaining worlds
    _rows: dict[str, frozenset[tuple[int, int]]]  # worlds, and those considered possible there
    _checked: set[Formula]  # formulas whose names all occur, here and in derived knowledge

    @classmethod
    def of(
        cls,
        points: Points,
        worlds: int,
        relations: Mapping[str, Rows],
        weights: Mapping[str, tuple[tuple[int, int], ...]] | None = None,
    ) -> Self:
        """Return the knowledge given by the remaining worlds and the relations."""
        space = BitSpace(worlds, relations, points.valuation, points.names.__getitem__, weights or {}, {})
        return cls._kept(points, space, {}, set())

    @classmethod
    def _kept(
        cls,
        points: Points,
        space: BitSpace,
        announced: dict[int, Self],
        checked: set[Formula],
        rows: Mapping[str, frozenset[tuple[int, int]]] | None = None,
    ) -> Self:
        known = rows or {agent: frozenset(r.within(space.all).rows) for agent, r in space.relations.items()}
        relations = tuple(known[agent] for agent in space.relations)
        key = cls, points, space.all, relations, tuple(sorted(space.weights.items()))
        with Knowledge._lock:
            found: Any = Knowledge._known.get(key)
            if found is None:
                found = object.__new__(cls)
                found.points, found.space, found._announced = points, space, announced
                found._checked = checked
                found._rows = dict(zip(space.relations, relations, strict=True))
                Knowledge._known[key] = found
            return announced.setdefault(space.all, found)

    def __reduce__(self) -> tuple[Any, ...]:
        relations = {agent: r.within(self.space.all) for agent, r in self.space.relations.items()}
        return type(self).of, (self.points, self.space.all, relations, dict(self.space.weights))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.space.all.bit_count()} worlds>"

    def with_atoms(self, atoms: Iterable[str]) -> Knowledge:
        """Return the knowledge with further atoms, which are false everywhere."""
        valuation = {**dict.fromkeys(atoms, 0), **self.points.valuation}
        if len(valuation) == len(self.points.valuation):
            return self
        space = self.space
        return type(self).of(Points(self.points.names, valuation), space.all, space.relations, space.weights)

    @property
    def model(self) -> KripkeModel:
        """The model; all its worlds are designated."""
        return KripkeModel.from_space(self.space)

    def world(self, actual: Any) -> Hashable:
        """Return the world of the model that represents the actual one."""
        return actual  # type: ignore[no-any-return]

    def number(self, actual: Hashable) -> int:
        """Return the number of the world that represents the actual one."""
        try:
            return self.points.numbers[self.world(actual)]
        except KeyError:
            raise UnknownWorldError(actual, self.points.names) from None

    # --- questions -------------------------------------------------------------------------------

    def truth(self, f: Formula) -> int:
        """Return the worlds where a formula is true, as the bits of an integer."""
        found = self.space.memo.get(f)
        if found is None:
            if f not in self._checked:
                check_formula_names(self.space, f)
                self._checked.add(f)
            found = self.space.truth(f)
        return found

    def holds(self, f: Formula, actual: Hashable) -> bool:
        """Return whether a formula is true at the actual world."""
        return bool(self.truth(f) >> self.number(actual) & 1)

    def cell(self, player: Hashable, actual: Hashable) -> int:
        """Return the worlds that a player considers possible at the actual world."""
        relations = self.space.relations
        name = check_known(str(player), relations, UnknownAgentError)
        return self.space.sees(relations[name], self.number(actual))

    def settled(self, f: Formula, cell: int) -> bool | None:
        """Return the truth value of a formula if it is the same throughout a set of worlds, else None."""
        inside = cell & self.truth(f)
        if inside == cell:
            return True
        return None if inside else False

    def chance(self, player: Hashable, f: Formula, actual: Hashable) -> Fraction:
        """Return the probability that a player gives to a formula: its share of the possible worlds."""
        cell, name = self.cell(player, actual), str(player)
        total = self.space.weigh(name, cell)
        if not total:
            raise GameError(
                f"no probabilities are defined for player {player}: they consider no world possible, or the "
                "game has none (set probable = True in it)"
            )
        return Fraction(self.space.weigh(name, cell & self.truth(f)), total)

    # --- what is learnt --------------------------------------------------------------------------

    def left(self, worlds: int) -> Self:
        """Return the knowledge after everybody learns that the actual world is one of these."""
        if worlds not in self._announced:
            self._kept(self.points, self.space.with_worlds(worlds), self._announced, self._checked)
        return self._announced[worlds]

    def told(self, news: Mapping[Any, tuple[int, Sequence[int]]]) -> Self:
        """Return the knowledge after some players learn, at some worlds, which of some facts are true.

        `news`: for each of these players, the worlds, and the facts as truth sets.
        """
        rows = dict(self._rows)
        for player, (where, facts) in news.items():
            if new := {fact & where: None for fact in facts if fact & where and where & ~fact}:
                name, found = str(player), list[tuple[int, int]]()
                for who, sees in self._rows[name]:
                    if who & where and who & (who - 1):  # more than one world, so there is something to learn
                        found += _split(who, sees, where, new)
                    else:
                        found.append((who, sees))
                rows[name] = frozenset(found)
        changed = {agent: Rows(new) for agent, new in rows.items() if new != self._rows[agent]}
        if not changed:
            return self
        space = self.space.with_relations({**self.space.relations, **changed})
        return self._kept(self.points, space, {}, self._checked, rows=rows)


def _split(who: int, sees: int, where: int, facts: Iterable[int]) -> list[tuple[int, int]]:
    """Return a row of a relation divided by facts that are learnt at some worlds."""
    rest = who & ~where
    inside = [(who & where, sees & where)]
    for fact in facts:
        inside = [p for w, v in inside for p in ((w & fact, v & fact), (w & ~fact, v & ~fact)) if p[0]]
    if rest:
        inside.append((rest, sees))
    return [(w, v) for w, v in inside if v]
