"""Small models: sets of worlds as Python integers, whose bit w stands for world w.

Worlds are never renumbered: an announcement leaves a smaller set of worlds, and the copies of a product are
numbered side by side, copy k of world w being world k * width + w. Most operations are therefore a few
operations on integers, and their cost depends on the rows of the relations, not on the worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache, reduce
from itertools import chain, compress
from math import gcd, lcm
from operator import lshift, or_
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.semantics.contraction import Refinement, View, probable_agents, seen_shares
from kripke_werewolf.logic.semantics.ranks import hidden
from kripke_werewolf.logic.semantics.space import Copy, Space, Worlds, event_shares

if TYPE_CHECKING:
    from kripke_werewolf.logic.semantics.action import ActionModel
    from kripke_werewolf.logic.semantics.worlds import Named, WorldNames

K = TypeVar("K", bound=Hashable)
_Number = TypeVar("_Number", int, Fraction)

Weights = tuple[tuple[int, int], ...]
"""The weights of worlds: disjoint sets of worlds, each with the weight of its worlds."""

Key = tuple[Any, ...]
"""Identifies a model up to bisimilarity, among those with the same agents and atoms."""

COLLECTION = (list, set, tuple, Iterable)
"""What is given for several worlds; a type that stands here itself is recognised at once."""
_LISTS = frozenset((list, tuple, set, frozenset))
_DIGITS = bytes(i & 1 for i in range(256))
MOST_BITS = 256  # worlds beyond which updates inside formulas are made on arrays, for up to 16 agents
_REMEMBERED = 1024  # bits up to which canonical orders are remembered: it bounds the memory
_SLIM = 12  # worlds up to which contracting costs more than it saves


def members(inside: int) -> list[int]:
    """Return the elements of a set, ascending.

    >>> members(0b10011)
    [0, 1, 4]
    """
    return list(compress(range(inside.bit_length()), digits(inside)))


@cache
def arrays_are_there() -> bool:
    """Return whether numpy can be imported; without it, large models are represented by bits as well."""
    try:
        import numpy  # noqa: F401
    except ImportError:
        return False
    return True


def digits(inside: int) -> bytes:
    """Return the bits of a set, lowest first, as bytes 0 and 1."""
    return bin(inside)[:1:-1].encode().translate(_DIGITS)


def first(inside: int) -> int:
    """Return the least element of a nonempty set."""
    return (inside & -inside).bit_length() - 1


def renumbered(inside: int, kept: int) -> int:
    """Return a set with the elements of `kept` renumbered 0, 1, 2, …; others are dropped.

    >>> bin(renumbered(0b1010, 0b1110))
    '0b101'
    """
    chosen = bin(kept)[2:].encode().translate(_DIGITS)
    return int("".join(compress(f"{inside & kept:0{kept.bit_length()}b}", chosen)) or "0", 2)


def gathered(parts: Iterable[tuple[K, int]]) -> dict[K, int]:
    """Return the union of the sets with each key."""
    found: dict[K, int] = {}
    for key, inside in parts:
        found[key] = found.get(key, 0) | inside
    return found


class Classes(NamedTuple):
    """An equivalence relation as given by users: each world's class number, and the number of classes."""

    labels: list[int]
    number: int

    @classmethod
    def read(
        cls,
        classes: Iterable[Iterable[Hashable]],
        numbers: Mapping[Hashable, int],
        whose: str,
        unknown: Callable[[Hashable, Collection[Hashable], str], Exception],
        kind: str = "world",
    ) -> Classes:
        """Read the classes of named worlds (or events), given the number of each name, in order.

        The errors use `whose` ("agent 'a'"), `kind` and `unknown`. Raises `ModelError` for classes that
        overlap, are incomplete, or are not collections.
        """
        if isinstance(classes, str) or not isinstance(classes, COLLECTION):
            raise ModelError(f"the classes of {whose} must be a collection, got {classes!r}")
        given = list(classes)
        if given and isinstance(given[0], str):
            bare = all(isinstance(cell, str) and cell in numbers for cell in given)
            if bare and (len(given) > 1 or len(given[0]) > 1):
                raise ModelError(
                    f"the classes of {whose} must be collections of {kind}s, got {given!r}; "
                    f"one class of all is [{given!r}], and a class for each is {[[one] for one in given]!r}"
                )
        labels = [-1] * len(numbers)
        for label, cell in enumerate(given):
            if not isinstance(cell, COLLECTION):
                raise ModelError(
                    f"a class of {whose} must be a collection of {kind}s, got {cell!r}; "
                    f"one class of all is [{given!r}]"
                )
            for name in cell:
                try:
                    number = numbers[name]
                except (KeyError, TypeError):
                    raise unknown(name, numbers, whose) from None
                if labels[number] >= 0:
                    problem = f"{kind} {name!r} is in more than one class of {whose}, or twice in one"
                    if all(isinstance(c, tuple) and len(c) == 2 for c in given):
                        problem += f"; pairs of {kind}s go to the plain constructor, as {{agent: pairs}}"
                    raise ModelError(problem)
                labels[number] = label
        if -1 in labels:
            missing = list(numbers)[labels.index(-1)]
            raise ModelError(f"{kind} {missing!r} is in no class of {whose}; every {kind} must be in one")
        return cls(labels, len(given))

    def rows(self, size: int) -> Rows:
        """Return the relation on `size` worlds."""
        cells = [0] * self.number
        for world, label in enumerate(self.labels):
            cells[label] |= 1 << world
        return Rows([(cell, cell) for cell in cells if cell])


def _listed(name: object, given: Any) -> Any:
    """Return the value given under a name; raises `TypeError` unless both are what most people give."""
    if name.__class__ is not str or not name:
        raise TypeError
    if given.__class__ not in _LISTS:
        raise TypeError
    return given


class Pairs(NamedTuple):
    """A relation as given by users: pairs of world numbers."""

    pairs: list[tuple[int, int]]

    def rows(self, size: int) -> Rows:
        """Return the relation on `size` worlds."""
        sights = [0] * size
        for w, v in self.pairs:
            sights[w] |= 1 << v
        return Rows.of_sights(sights)


class Cells(NamedTuple):
    """A relation by cells: the cell of each world, and for each cell those that its worlds see."""

    labels: list[int]
    seen: list[list[int]]

    def rows(self, size: int) -> Rows:
        """Return the relation on `size` worlds."""
        worlds = gathered((cell, 1 << w) for w, cell in enumerate(self.labels))
        sees = {own: reduce(or_, [worlds.get(cell, 0) for cell in self.seen[own]], 0) for own in worlds}
        return Rows((who, sees[own]) for own, who in worlds.items() if sees[own])

    @classmethod
    def seen_by(cls, labels: Iterable[int], seeing: Iterable[Iterable[int]]) -> Cells:
        """Return the relation of worlds, given the row of each and the rows from which it is seen."""
        number: dict[tuple[int, ...], int] = {}
        own = [number.setdefault((k, *rows), len(number)) for k, rows in zip(labels, seeing, strict=True)]
        sources = grouped((k, cell) for cell, (k, *_) in enumerate(number))
        seen: list[list[int]] = [[] for _ in number]
        for cell, (_, *rows) in enumerate(number):
            for source in chain.from_iterable(map(sources.__getitem__, rows)):
                seen[source].append(cell)
        return cls(own, seen)

    def beside(self, other: Cells) -> Cells:
        """Return the disjoint union of two relations; the worlds of the other come last."""
        own = len(self.seen)
        seen = [[cell + own for cell in cells] for cells in other.seen]
        return Cells(self.labels + [cell + own for cell in other.labels], self.seen + seen)

    def failures(self, worlds: Iterable[int]) -> dict[str, tuple[int, ...]]:
        """Return the frame properties that it lacks on the given worlds, each with its first counterexample.

        Worlds are examined in order; see `models.frames.FrameClass`.
        """
        from kripke_werewolf.logic.formulas.logics import FRAME_PROPERTIES

        first: dict[int, int] = {}
        for w in worlds:
            first.setdefault(self.labels[w], w)
        sees = {cell: first.keys() & self.seen[cell] for cell in first}
        found: dict[str, tuple[int, ...]] = {}
        for cell, seen in sees.items():
            w = first[cell]
            if cell not in seen:
                found.setdefault("reflexive", (w,))
            if not seen:
                found.setdefault("serial", (w,))
            for other in sorted(seen, key=first.__getitem__):
                v = first[other]
                if cell not in sees[other]:
                    found.setdefault("symmetric", (w, v))
                for name, apart in (("transitive", sees[other] - seen), ("euclidean", seen - sees[other])):
                    if apart and name not in found:
                        found[name] = w, v, min(map(first.__getitem__, apart))
            if len(found) == len(FRAME_PROPERTIES):
                break
        return {name: found[name] for name in FRAME_PROPERTIES if name in found}


class Rows:
    """A relation as disjoint rows (who, sees): the worlds in `who` see exactly those in `sees`.

    Worlds that see nothing are in no row. In an equivalence every row is a class, with `who == sees`. Rows
    may contain worlds that the space no longer has.
    """

    __slots__ = ("rows",)

    def __init__(self, rows: Iterable[tuple[int, int]]) -> None:
        self.rows = tuple(rows)

    @classmethod
    def of_sights(cls, sights: Iterable[int]) -> Rows:
        """Return the relation in which world w sees exactly the worlds in the w-th set."""
        whose = gathered([(sees, 1 << w) for w, sees in enumerate(sights)])
        return cls((who, sees) for sees, who in whose.items() if sees)

    def preimage(self, inside: int) -> int:
        """Return the worlds that see some world of a set."""
        found = 0
        for who, sees in self.rows:
            if sees & inside:
                found |= who
        return found

    def image(self, inside: int) -> int:
        """Return the worlds that some world of a set sees."""
        found = 0
        for who, sees in self.rows:
            if who & inside:
                found |= sees
        return found

    def sees(self, world: int) -> int:
        """Return the successors of a world."""
        return self.image(1 << world)

    def leaving(self, inside: int) -> Rows:
        """Return the relation restricted to pairs that begin in a set."""
        return Rows((who & inside, sees) for who, sees in self.rows if who & inside)

    def meet(self, other: Rows) -> Rows:
        """Return the intersection of two relations."""
        return Rows(
            (who, sees & seen)
            for mine, sees in self.rows
            for theirs, seen in other.rows
            if (who := mine & theirs) and sees & seen
        )

    def within(self, worlds: int, ends: int = -1) -> Rows:
        """Return the relation restricted to the given worlds, and to pairs that end in a set."""
        ends &= worlds
        return Rows((w, v) for who, sees in self.rows if (w := who & worlds) and (v := sees & ends))

    def failures(self, worlds: int) -> dict[str, tuple[int, ...]]:
        """Return the frame properties that it lacks on the given worlds; see `Cells.failures`."""
        return {} if self.is_equivalence(worlds) else self.cells(worlds).failures(members(worlds))

    def cells(self, worlds: int) -> Cells:
        """Return the relation by cells of worlds that see, and are seen from, the same."""
        view = View(self.listed_rows(worlds), worlds.bit_length())
        return Cells.seen_by(view.row, view.seeing)

    def listed_rows(self, worlds: int) -> list[tuple[list[int], list[int]]]:
        """Return the rows among the given worlds, as lists."""
        found = []
        for who, sees in self.within(worlds).rows:
            inside = members(who)
            found.append((inside, inside if who == sees else members(sees)))
        return found

    def pools(self, worlds: int) -> bool:
        """Return whether the relation is K45: the worlds seen from a world see exactly each other."""
        return not self.failures(worlds).keys() & {"transitive", "euclidean"}

    def observers(self, worlds: int) -> list[int]:
        """Return a number for each world, the same for worlds that see, and are seen from, the same."""
        return self.cells(worlds).labels

    def places(self, worlds: int) -> list[bytes]:
        """Return columns in which worlds agree that see, and are seen from, the same."""
        width = worlds.bit_length()
        return [digits(inside & worlds).ljust(width, b"\0") for inside in {*chain.from_iterable(self.rows)}]

    def by_sight(self) -> dict[int, int]:
        """Return, for each nonempty set of successors, all worlds that have exactly these successors."""
        return gathered((sees, who) for who, sees in self.rows)

    def closed(self, worlds: int, properties: Collection[str]) -> Rows:
        """Return the least extension that has the given frame properties on the worlds.

        There is no least serial extension: worlds without successors are made to see themselves.
        """
        every = members(worlds)
        sees = dict.fromkeys(every, 0)
        for who, seen in self.within(worlds).rows:
            for w in members(who):
                sees[w] = seen
        while True:
            before = dict(sees)
            for w in every:
                if "reflexive" in properties:
                    sees[w] |= 1 << w
                for v in members(sees[w]):
                    if "symmetric" in properties:
                        sees[v] |= 1 << w
                    if "transitive" in properties:
                        sees[w] |= sees[v]
                    if "euclidean" in properties:
                        sees[v] |= sees[w]
            if sees == before:
                blind = [w for w in every if not sees[w]]
                if "serial" not in properties or not blind:
                    return Rows.of_sights(sees.get(w, 0) for w in range(worlds.bit_length()))
                sees |= {w: 1 << w for w in blind}

    def is_equivalence(self, worlds: int) -> bool:
        """Return whether it is an equivalence relation on the worlds."""
        covered = 0
        for who, sees in self.rows:
            if who & worlds and (who ^ sees) & worlds:
                return False
            covered |= who
        return not worlds & ~covered


class ManySteps:
    """One or more steps along any of several relations."""

    __slots__ = ("relations",)

    def __init__(self, relations: Iterable[Rows]) -> None:
        self.relations = tuple(relations)

    def preimage(self, inside: int) -> int:
        """Return the worlds from which steps lead into a set."""
        return self._closed(inside, Rows.preimage)

    def image(self, inside: int) -> int:
        """Return the worlds that can be reached from a set."""
        return self._closed(inside, Rows.image)

    def sees(self, world: int) -> int:
        """Return the worlds that can be reached from a world."""
        return self.image(1 << world)

    def _closed(self, inside: int, step: Callable[[Rows, int], int]) -> int:
        found, new = 0, inside
        while new:
            new = reduce(or_, [step(r, new) for r in self.relations], 0) & ~found
            found |= new
        return found


class BitSpace(Worlds[int]):
    """Worlds as bits; see `Worlds`. Some bits may stand for no world."""

    __slots__ = ("_listed", "_name", "_places", "all", "relations", "valuation", "variables", "weights")
    remembered = 4096
    _name: Callable[[int], Hashable]
    _listed: Sequence[Hashable]  # the names by place, made when first asked for
    _places: Mapping[Hashable, int]  # the place of each name, likewise
    relations: Mapping[str, Rows]
    valuation: Mapping[str, int]
    weights: Mapping[str, Weights]

    def __init__(
        self,
        worlds: int,
        relations: Mapping[str, Rows],
        valuation: Mapping[str, int],
        name: Callable[[int], Hashable],
        weights: Mapping[str, Weights],
        variables: Mapping[str, Mapping[str, Formula]],
    ) -> None:
        self.memo, self._after, self._groups, self._joint = {}, {}, {}, {}
        self.all, self.relations, self.valuation, self._name = worlds, relations, valuation, name
        self.weights, self.variables = weights, variables
        self._listed, self._places = (), {}

    @classmethod
    def of(
        cls,
        names: WorldNames,
        relations: Mapping[str, Classes | Pairs | Cells],
        valuation: Mapping[str, list[int]],
        weights: Mapping[str, Sequence[Fraction | int] | None],
        variables: Mapping[str, Mapping[str, Formula]],
    ) -> BitSpace:
        """Return the space of components given by world numbers; weights None: no probabilities."""
        size = len(names)
        found: dict[str, Weights] = {}
        for agent, given in weights.items():
            values = [Fraction(0)] * size if given is None else map(Fraction, given)
            found[agent] = integral(gathered((value, 1 << w) for w, value in enumerate(values)))
        true = {}
        for atom, listed in valuation.items():
            inside = 0
            for world in listed:
                inside |= 1 << world
            true[atom] = inside
        rows = {agent: relation.rows(size) for agent, relation in relations.items()}
        return cls((1 << size) - 1, rows, true, names.at, found, variables)

    @classmethod
    def plain(
        cls,
        names: Named,
        classes: Mapping[str, Iterable[Iterable[Hashable]]],
        valuation: Mapping[str, Iterable[Hashable]],
    ) -> BitSpace | None:
        """Return the space of classes and truth sets if all are listed by names, and without a mistake."""
        numbers, relations, true = names.numbers, {}, {}
        every = (1 << len(numbers)) - 1
        try:
            for agent, cells in classes.items():
                covered, count = 0, 0
                rows: list[tuple[int, int]] = []
                for cell in _listed(agent, cells):
                    who = 0
                    if cell.__class__ not in _LISTS:
                        return None
                    for name in cell:
                        who += 1 << numbers[name]
                    covered += who
                    count += len(cell)
                    if who:
                        rows.append((who, who))
                # as many powers of two as there are worlds have this sum only if all differ
                if covered != every or count != len(numbers):
                    return None
                relations[agent] = Rows(rows)
            for atom, worlds in valuation.items():
                inside = 0
                for world in _listed(atom, worlds):
                    inside |= 1 << numbers[world]
                true[atom] = inside
        except (AttributeError, KeyError, TypeError):
            return None
        space = cls(every, relations, true, names.at, {}, {})
        space._listed, space._places = names.listed, numbers
        return space

    @classmethod
    def by_facts(
        cls, names: WorldNames, facts: Mapping[str, int], seen: Mapping[str, list[int]], blind: Iterable[str]
    ) -> BitSpace:
        """Return the space in which agents tell worlds apart by facts; `blind` ones have no probabilities."""
        relations, every = {}, (1 << len(names)) - 1
        for agent, sets in seen.items():
            cells = [every]
            for true in sets:
                cells = [part for cell in cells for part in (cell & true, cell & ~true) if part]
            relations[agent] = Rows((cell, cell) for cell in cells)
        return cls(every, relations, facts, names.at, dict.fromkeys(blind, ((every, 0),)), {})

    @classmethod
    def numbered(cls, worlds: int, relations: Mapping[str, Rows], valuation: Mapping[str, int]) -> BitSpace:
        """Return a space without weights and variables whose worlds are named w0, w1, …"""
        return cls(worlds, relations, valuation, "w{}".format, {}, {})

    def __reduce__(self) -> tuple[Any, ...]:
        whole = self.compact()
        name = [whole.name(w) for w in members(whole.all)].__getitem__
        return BitSpace, (whole.all, whole.relations, whole.valuation, name, whole.weights, whole.variables)

    # --- the algebra -----------------------------------------------------------------------------

    def fact(self, atom: str) -> int:  # noqa: D102 - inherited
        return self.valuation[atom] & self.all

    def some(self, inside: int) -> bool:  # noqa: D102 - inherited
        return inside != 0

    def box(self, relation: Any, inside: int) -> int:  # noqa: D102 - inherited
        seeing: int = relation.preimage(self.all ^ inside)
        return self.all & ~seeing

    def diamond(self, relation: Any, inside: int) -> int:  # noqa: D102 - inherited
        return self.all & relation.preimage(inside)  # type: ignore[no-any-return]

    def meet(self, left: Rows, right: Rows) -> Rows:  # noqa: D102 - inherited
        return left.meet(right)

    def join(self, relations: list[Rows], within: int) -> ManySteps:  # noqa: D102 - inherited
        # steps must not pass through removed worlds
        return ManySteps(relation.within(self.all, within) for relation in relations)

    def make_total(self) -> Rows:  # noqa: D102 - inherited
        return Rows([(self.all, self.all)])

    # --- sets and numbers of worlds --------------------------------------------------------------

    def name(self, world: int) -> Hashable:  # noqa: D102 - inherited
        return self._name(world)

    def find(self, name: object) -> int | None:  # noqa: D102 - inherited
        if not self._places:
            self._places = {self._name(w): w for w in members(self.all)}
        try:
            return self._places.get(name)
        except TypeError:  # not hashable, so no name of a world
            return None

    def named(self, inside: int) -> list[Hashable]:  # noqa: D102 - inherited
        if not self._listed:
            name, worlds = self._name, self.all
            self._listed = [name(w) if worlds >> w & 1 else None for w in range(worlds.bit_length())]
        return list(compress(self._listed, digits(inside)))

    def set_of(self, worlds: Sequence[int]) -> int:  # noqa: D102 - inherited
        return reduce(or_, [1 << w for w in worlds], 0)

    def has(self, inside: int, world: int) -> bool:  # noqa: D102 - inherited
        return bool(inside >> world & 1)

    def count(self, inside: int) -> int:  # noqa: D102 - inherited
        return inside.bit_count()

    def members(self, inside: int, most: int | None = None) -> list[int]:  # noqa: D102 - inherited
        return members(inside)[:most]

    def sees(self, relation: Any, world: int) -> int:  # noqa: D102 - inherited
        return relation.sees(world) & self.all  # type: ignore[no-any-return]

    def steps(self, relation: Any, inside: int) -> int:  # noqa: D102 - inherited
        return relation.image(inside) & self.all  # type: ignore[no-any-return]

    def reachable(self, start: int) -> int:  # noqa: D102 - inherited
        found = new = start
        while new:
            reached = 0
            for relation in self.relations.values():
                reached |= relation.image(new)
            new = reached & self.all & ~found
            found |= new
        return found

    def classes(self, agent: str) -> list[list[int]] | None:  # noqa: D102 - inherited
        relation = self.relations[agent]
        if not relation.is_equivalence(self.all):
            return None
        return [members(who) for who in sorted((w for w, _ in relation.within(self.all).rows), key=first)]

    def cells(self, agent: str) -> Cells:  # noqa: D102 - inherited
        return self.relations[agent].cells(self.all)

    def may_lose(self, updated: BitSpace) -> tuple[Mapping[str, Rows], int]:  # noqa: D102 - inherited
        return self.relations, self.all

    def same_as(self, other: Any) -> bool:  # noqa: D102 - inherited
        def told(space: BitSpace) -> tuple[Any, ...]:
            equal: Weights = ((space.all, 1),)
            weights = {
                a: {(x & space.all, n) for x, n in space.weights.get(a, equal) if x & space.all}
                for a in space.relations
            }
            return {atom: space.fact(atom) for atom in space.atoms}, weights

        return self.all == other.all and told(self) == told(other) and super().same_as(other)

    def same_pairs(self, left: Rows, right: Rows) -> bool:  # noqa: D102 - inherited
        return left.within(self.all).by_sight() == right.within(self.all).by_sight()

    def reordered(self, worlds: Sequence[int]) -> BitSpace:  # noqa: D102 - inherited
        place = {old: new for new, old in enumerate(worlds)}
        return self._moved(worlds, lambda inside: self.set_of([place[w] for w in members(inside)]))

    def _moved(self, worlds: Sequence[int], moved: Callable[[int], int]) -> BitSpace:
        """Return the space with its worlds in this order, without gaps; `moved` gives the places of a set."""
        names, inside = list(map(self._name, worlds)), self.all
        rows = {agent: relation.within(inside).rows for agent, relation in self.relations.items()}
        return BitSpace(
            moved(inside),
            {agent: Rows((moved(who), moved(sees)) for who, sees in found) for agent, found in rows.items()},
            {atom: moved(true & inside) for atom, true in self.valuation.items()},
            names.__getitem__,
            {a: tuple((moved(x & inside), n) for x, n in w if x & inside) for a, w in self.weights.items()},
            self.variables,
        )

    # --- updates ---------------------------------------------------------------------------------

    def with_worlds(self, inside: int) -> BitSpace:  # noqa: D102 - inherited
        return BitSpace(inside, self.relations, self.valuation, self._name, self.weights, self.variables)

    def with_facts(self, facts: Mapping[str, int]) -> BitSpace:  # noqa: D102 - inherited
        valuation = {**self.valuation, **facts}
        return BitSpace(self.all, self.relations, valuation, self._name, self.weights, self.variables)

    def part(self, agents: Collection[str], atoms: Iterable[str]) -> BitSpace:  # noqa: D102 - inherited
        return BitSpace(
            self.all,
            {agent: self.relations[agent] for agent in agents},
            {atom: self.valuation[atom] for atom in atoms},
            self._name,
            {agent: weights for agent, weights in self.weights.items() if agent in agents},
            self.variables,
        )

    def with_relations(self, relations: Mapping[str, Rows]) -> BitSpace:  # noqa: D102 - inherited
        return BitSpace(self.all, relations, self.valuation, self._name, self.weights, self.variables)

    def taken(self, inside: int, kept: int) -> int:  # noqa: D102 - inherited
        return inside & kept

    def restricted(self, inside: int) -> tuple[BitSpace, Callable[[int], int]]:  # noqa: D102 - inherited
        return self.with_worlds(inside), lambda found: found

    def product(self, action: ActionModel) -> tuple[Space[Any], Callable[[Any], int]]:  # noqa: D102
        copies = self.copies(action)
        self.check_size(action, copies)
        updated, _ = self.paired(action, copies, None)
        width, mask = self.all.bit_length(), (1 << self.all.bit_length()) - 1
        chosen = [k * width for k, copy in enumerate(copies) if copy.chosen]

        def before(inside: int) -> int:
            return reduce(or_, [inside >> shift & mask for shift in chosen], 0)

        most = MOST_BITS * max(1, len(self.relations) // 8)
        if updated.all.bit_count() > most and arrays_are_there():
            from kripke_werewolf.logic.semantics.arrays import ArraySpace

            return ArraySpace.grown(updated, before)
        if not updated.is_sparse:
            return updated, before
        kept = members(updated.all)
        return updated.compact(), lambda inside: before(sum(1 << w for w in compress(kept, digits(inside))))

    def paired(  # noqa: D102 - inherited
        self, action: ActionModel, copies: Sequence[Copy[int]], points: int | None
    ) -> tuple[BitSpace, int]:
        width = self.all.bit_length()
        every = [k * width for k in range(len(copies))]  # the place of the first world of each copy
        worlds, where = self.all, [copy.worlds for copy in copies]

        def placed(sets: Iterable[int]) -> int:
            return reduce(or_, map(lshift, sets, every), 0)

        everywhere = placed(where)
        changed, sights = action.changed, action.among(self.relations)
        valuation = {}
        for atom, true in self.valuation.items():
            if atom in changed:
                valuation[atom] = placed([copy.post.get(atom, true) & copy.worlds for copy in copies])
            elif true == worlds:
                valuation[atom] = everywhere
            else:
                valuation[atom] = placed([true & there for there in where])
        events = tuple([(copy.event, place) for copy, place in zip(copies, every, strict=True)])
        paired = _paired_rows if width <= MOST_BITS else _paired_rows.__wrapped__  # bounds the memory
        relations = {
            agent: paired(relation.rows, sights[agent], events, worlds, everywhere)
            for agent, relation in self.relations.items()
        }
        names = list(action.events)
        old, numbers = self._name, [copy.event for copy in copies]
        updated = BitSpace(
            everywhere,
            relations,
            valuation,
            lambda world: (old(world % width), names[numbers[world // width]]),
            self._shared(action, copies, width, everywhere),
            self.variables,
        )
        if points is None:
            points = self.all
        return updated, placed([copy.chosen & points for copy in copies])

    def _shared(
        self, action: ActionModel, copies: Sequence[Copy[int]], width: int, everywhere: int
    ) -> dict[str, Weights]:
        """Return the new weights: those of the worlds times the shares of the events; see `event_shares`."""
        known = self.weights.values()
        if len(known) == len(self.relations) and not any(weight for of in known for _, weight in of):
            return dict.fromkeys(self.weights, ((everywhere, 0),))  # no probabilities, before and after
        merges, splitting = any(len(copy.merged) > 1 for copy in copies), action.splitting(self.relations)
        happens = gathered([part for copy in copies for part in copy.merged])
        apart = sum(map(int.bit_count, happens.values())) == reduce(or_, happens.values(), 0).bit_count()
        if not known and (apart or not (merges or splitting)):
            return {}  # nothing is split
        sights = action.among(self.relations)
        split = [a for a in sights if a in self.weights or (not apart and (merges or a in splitting))]
        every = event_shares(action.shares, {a: sights[a] for a in split}, copies, self.all, bool)
        found: dict[str, Weights] = {}
        for agent, each in every.items():
            old = self.weights.get(agent, ((self.all, 1),))
            common = lcm(*(whole for shares in each for _, whole in shares))
            pieces: dict[int, int] = {}
            for k, shares in enumerate(each):
                for (part, whole), here in shares.items():
                    for worlds, weight in old:
                        if place := (here & worlds) << k * width:
                            value = weight * part * (common // whole)
                            pieces[value] = pieces.get(value, 0) | place
            if len(pieces) > 1 or 0 in pieces:
                found[agent] = integral(pieces)
        return found

    @property
    def is_sparse(self) -> bool:
        """Whether most bits stand for no world."""
        return self.all.bit_length() > 4 * self.all.bit_count() + 64

    def compact(self) -> BitSpace:
        """Return the space with its worlds renumbered 0, 1, 2, … without gaps."""
        gaps = self.all & (self.all + 1)
        return self._moved(members(self.all), self.renumbered) if gaps else self

    def renumbered(self, inside: int) -> int:
        """Return a set in the numbering of `compact`."""
        return renumbered(inside, self.all)

    def tidy(self, points: int | None, small: int) -> tuple[BitSpace, int | None]:  # noqa: D102 - inherited
        whole = self.compact()
        if points is not None and whole is not self:
            points = self.renumbered(points)
        return whole, points

    def started(self, columns: Iterable[Sequence[Any]] = ()) -> list[int]:  # noqa: D102 - inherited
        width = self.all.bit_length()
        facts = [digits(self.fact(atom)).ljust(width, b"\0") for atom in self.valuation]
        entries = list(zip(digits(self.all), *facts, *columns, strict=True))
        number = {entry: k for k, entry in enumerate(sorted({entry for entry in entries if entry[0]}))}
        return [number.get(entry, -1) for entry in entries]

    def refined(  # noqa: D102 - inherited
        self, agents: Collection[str], columns: Iterable[Sequence[Any]] = ()
    ) -> Refinement:
        return Refinement(self, agents, columns).run()

    def quotient(  # noqa: D102 - inherited
        self, found: Refinement, agents: Collection[str]
    ) -> tuple[BitSpace, Callable[[int], int]]:
        block, every = found.block, members(self.all)
        leader = {block[w]: 1 << w for w in reversed(every)}
        kept = sum(leader.values())
        if kept == self.all:
            return self, lambda inside: inside
        relations: dict[str, Rows] = {}
        weights: dict[str, Weights] = {}
        for (agent, relation), view in zip(self.relations.items(), found.views, strict=True):
            seen = [seen_shares(block, view.weight, sees) for _, sees in view.rows]
            sights = [sum(map(leader.__getitem__, parts)) for parts in seen]
            rows = zip(sights, relation.within(self.all).rows, strict=True)
            together = gathered([(sees, who & kept) for sees, (who, _) in rows])
            relations[agent] = Rows((who, sees) for sees, who in together.items() if who)
            new: Weights = ((kept, 0),)  # no probabilities, as when merged worlds differ in them
            if agent in agents or agent not in self.weights:
                if agent in agents and not relation.pools(self.all):
                    seen = [seen_shares(block, view.weight, every)]
                weight = dict.fromkeys(leader, 1)
                for parts in seen:
                    weight |= parts
                if all(parts.items() <= weight.items() for parts in seen):
                    if len({*weight.values()}) == 1:
                        continue
                    new = integral(gathered([(weight[number], first) for number, first in leader.items()]))
            weights[agent] = new
        valuation = {atom: true & kept for atom, true in self.valuation.items()}
        smaller = BitSpace(kept, relations, valuation, self._name, weights, self.variables)
        return smaller, lambda inside: sum({leader[block[w]] for w in members(inside)})

    def canonical(  # noqa: D102 - inherited
        self, points: int, *, probable: bool = False
    ) -> tuple[BitSpace, int, Key]:
        # states that differ only in atoms with the same value at all worlds, as after public moves, share
        # the work: such atoms do not matter for the order of the worlds
        part = self.with_worlds(self.reachable(points))
        atoms, agents = sorted(part.valuation), sorted(part.relations)
        facts = [part.fact(atom) for atom in atoms]
        weighted = set(probable_agents(part, agents)) if probable else ()
        remembered = part.all.bit_length() <= _REMEMBERED
        shape, images = (_ordered if remembered else _ordered.__wrapped__)(
            part.all,
            points,
            tuple([part.relations[agent].rows for agent in agents]),
            tuple([true for true in facts if true and true != part.all]),
            tuple([part.weights.get(a, ((part.all, 1),)) if a in weighted else None for a in agents]),
        )
        size, there, *rows = shape
        varying = iter(images)
        always = {0: 0, part.all: size}
        told = tuple([always[true] if true in always else next(varying) for true in facts])
        key = shape, told, tuple(hidden(part.valuation, agents))
        if weighted:
            smaller, merged = part.contracted(distributed=False, probable=True)
            return smaller.compact(), smaller.renumbered(merged(points)), key
        relations = dict(zip(agents, map(Rows, rows), strict=True))
        none: dict[str, Weights] = dict.fromkeys(agents, ((size, 0),))
        valuation = dict(zip(atoms, told, strict=True))
        return BitSpace(size, relations, valuation, "w{}".format, none, self.variables), there, key

    def unweighted(self) -> BitSpace:  # noqa: D102 - inherited
        none: dict[str, Weights] = dict.fromkeys(self.relations, ((self.all, 0),))
        return BitSpace(self.all, self.relations, self.valuation, self._name, none, self.variables)

    def contracted_after(  # noqa: D102 - inherited
        self, before: Space[int], *, distributed: bool, probable: bool, whole: bool
    ) -> tuple[Space[int], Callable[[int], int]] | None:
        if distributed or self.all.bit_count() <= _SLIM:
            return None  # preserving distributed knowledge is costly, and pays off only for arrays
        quotient, merged = self.contracted(distributed=distributed, probable=probable)
        if quotient is self:
            return None
        blocks = gathered([(merged(1 << w), 1 << w) for w in members(self.all)]).values()
        return quotient.compact(), lambda inside: reduce(or_, compress(blocks, digits(inside)), 0)

    # --- probability -----------------------------------------------------------------------------

    def weigh(self, agent: str, inside: int) -> int:  # noqa: D102 - inherited
        weights = self.weights.get(agent)
        if weights is None:
            return inside.bit_count()
        return sum(weight * (inside & worlds).bit_count() for worlds, weight in weights)

    def listed_weights(self, agent: str) -> list[int]:  # noqa: D102 - inherited
        found = [0] * self.all.bit_length()
        for worlds, weight in self.weights.get(agent, ((self.all, 1),)):
            for w in members(worlds & self.all):
                found[w] = weight
        return found

    def edge_count(self, agent: str) -> int:  # noqa: D102 - inherited
        return sum(w.bit_count() * v.bit_count() for w, v in self.relations[agent].within(self.all).rows)

    def unweighed(self, agent: str) -> int | None:  # noqa: D102 - inherited
        rows = self.relations[agent].within(self.all).rows
        return min((first(who) for who, sees in rows if not self.weigh(agent, sees)), default=None)

    def chances(self, agent: str, inside: int) -> dict[Fraction, int]:
        """Return the worlds at which the agent gives a set each probability.

        Raises `ModelError` if all worlds that the agent considers possible at some world have weight 0.
        """
        place = self.unweighed(agent) if agent in self.weights else None
        if place is not None:
            raise no_probabilities(agent, self.name(place))
        rows = self.relations[agent].within(self.all).rows
        weighed = [(who, self.weigh(agent, sees & inside), self.weigh(agent, sees)) for who, sees in rows]
        shares = [(Fraction(part, whole), who) for who, part, whole in weighed]
        blind = self.all & ~reduce(or_, [who for who, _ in rows], 0)
        if blind:
            shares.append((Fraction(1), blind))
        return gathered(shares)


def no_probabilities(agent: str, world: Hashable) -> ModelError:
    """Return the error that an agent has no probabilities at a world."""
    return ModelError(
        f"agent {agent!r} has no probabilities at {world!r}: all worlds considered possible "
        "there have weight 0 (as after an announcement of probability 0, "
        "or after a contraction without keep_probability=True)"
    )


@lru_cache(maxsize=2048)  # the states of a search have many relations in common
def _paired_rows(
    rows: tuple[tuple[int, int], ...],
    sight: Sequence[int],
    events: tuple[tuple[int, int], ...],
    worlds: int,
    everywhere: int,
) -> Rows:
    """Return an agent's relation after an update: for events, each with the place of its copy of the worlds.

    `sight`: the events that the agent considers possible at each; `everywhere`: the worlds of all copies.
    """

    found = []
    for seen, among in grouped((sight[event], place) for event, place in events).items():
        # a set times the places of some copies is the set in these copies
        there = sum([1 << place for event, place in events if seen >> event & 1])
        here = sum([1 << place for place in among])
        for who, sees in rows:
            new, to = (who & worlds) * here & everywhere, (sees & worlds) * there & everywhere
            if new and to:
                found.append((new, to))
    return Rows(found)


def integral(pieces: Mapping[_Number, int]) -> Weights:
    """Return the smallest integer weights in the given ratios."""
    common = lcm(*(value.denominator for value in pieces))
    numbers = {value: int(value * common) for value in pieces}
    divisor = gcd(*numbers.values()) or 1
    return tuple((worlds, numbers[value] // divisor) for value, worlds in sorted(pieces.items()))


@lru_cache(maxsize=2048)  # products that differ in commonly known atoms only are many in a search
def _ordered(
    worlds: int,
    points: int,
    relations: tuple[tuple[tuple[int, int], ...], ...],
    facts: tuple[int, ...],
    weights: tuple[Weights | None, ...],
) -> tuple[Key, tuple[int, ...]]:
    """Return bisimilar worlds as blocks, in an order independent of numbering, and facts in that order.

    The first part is the set of blocks, those with a point, and the rows of each agent.
    """
    given = {str(k): weight for k, weight in enumerate(weights) if weight is not None}
    rows = {str(k): Rows(rows) for k, rows in enumerate(relations)}
    space = BitSpace(worlds, rows, {str(k): fact for k, fact in enumerate(facts)}, str, given, {})
    found = Refinement(space, given, ordered=True).run()
    block = found.block

    def place(inside: Iterable[int]) -> int:
        return sum([1 << number for number in {block[w] for w in inside}])

    shape = []
    for view in found.views:
        seen: list[Any] = [place(sees) for _, sees in view.rows]
        if view.weight is not None:
            seen = [tuple(sorted(seen_shares(block, view.weight, sees).items())) for _, sees in view.rows]
        alike = gathered(zip(seen, [place(who) for who, _ in view.rows], strict=True))
        shape.append(tuple(sorted([(who, sees) for sees, who in alike.items()])))
    images = [place(members(inside & worlds)) for inside in (worlds, points, *facts)]
    return (*images[:2], *shape), tuple(images[2:])
