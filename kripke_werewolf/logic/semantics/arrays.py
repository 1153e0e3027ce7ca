"""Large models: sets of worlds as boolean arrays.

A relation is stored by cells (`semantics.cells`), a valuation by rows; no Python loop runs over worlds. Truth
sets are as large as the model, so each query keeps only those it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial, reduce
from math import gcd, lcm
from operator import or_
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.semantics.bits import (
    MOST_BITS,
    BitSpace,
    Cells,
    Classes,
    Pairs,
    gathered,
    members,
    no_probabilities,
)
from kripke_werewolf.logic.semantics.cells import General, Mask, Partition, Relation, Steps, cell_sums, join
from kripke_werewolf.logic.semantics.contraction import Refinement, merged_blocks
from kripke_werewolf.logic.semantics.numbering import Ints, firsts, rows_numbered
from kripke_werewolf.logic.semantics.ranks import RankAtom, hidden
from kripke_werewolf.logic.semantics.refinement import Blocks, refined
from kripke_werewolf.logic.semantics.space import Copy, Space, Worlds, event_shares
from kripke_werewolf.logic.semantics.worlds import Computed, Named, Paired, WorldNames

if TYPE_CHECKING:
    from kripke_werewolf.logic.semantics.action import ActionModel

Weights: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.object_]
"""Integers: int64 as long as all sums fit, otherwise Python integers (dtype object)."""

_SAFE = 2**62  # sums and products of weights below it stay inside int64
_GROWTH = 4  # a space is contracted when it has grown by this factor
_JOINT = 8  # relations of groups that are kept from one query to the next: it bounds the memory
_SLIM = 64  # worlds up to which contracting costs more than it saves


# --- weights -----------------------------------------------------------------------------------------


def _scaled(weights: Iterable[Fraction | int]) -> Weights:
    """Return the smallest integers in the given ratios."""
    values = list(weights)
    common = lcm(*(v.denominator for v in values)) if values else 1
    return in_lowest_terms(np.array([int(v * common) for v in values], object))


def in_lowest_terms(weights: Weights) -> Weights:
    """Divide by the greatest common divisor, and store as int64 where that is safe."""
    if weights.dtype != object:
        divisor = int(np.gcd.reduce(weights)) if len(weights) else 1
        return weights // divisor if divisor > 1 else weights
    divisor = gcd(*weights.tolist()) or 1
    return _stored((weights // divisor).tolist())


def _stored(weights: Sequence[int]) -> Weights:
    """Return integers as int64 where that is safe."""
    return np.array(weights, np.int64 if max(weights, default=0) < 2**31 else object)


def _mask_of_bits(inside: int, size: int) -> Mask:
    octets = np.frombuffer(inside.to_bytes(-(-size // 8), "little"), np.uint8)
    return np.unpackbits(octets, count=size, bitorder="little").view(np.bool_)


def is_uniform(weights: Weights) -> bool:
    """Return whether all worlds have the same positive weight; such weights need not be stored."""
    return len(weights) == 0 or (weights[0] > 0 and bool((weights == weights[0]).all()))


# --- valuations --------------------------------------------------------------------------------------


class Valuation(Mapping[str, Mask]):
    """A read-only mapping from atoms to truth sets over `size` worlds.

    A truth set may be a function without arguments, called when its atom is first looked up. The truth sets
    of a submodel are likewise computed on demand, so that only the atoms of a formula cost time.
    """

    __slots__ = ("_changed", "_given", "_taken", "_worlds", "size")

    def __init__(self, size: int, rows: Mapping[str, Mask | Callable[[], Mask]]) -> None:
        self.size = size
        self._given = dict(rows)  # valuations that are taken from this one share it
        self._worlds: Ints | None = None  # the worlds taken of those given; None for all
        self._changed: dict[str, Mask] = {}  # the new truth sets of atoms that updates changed
        self._taken: dict[str, Mask] = {}  # truth sets already looked up

    def __reduce__(self) -> tuple[object, ...]:
        return Valuation, (self.size, dict(self))

    def __getitem__(self, atom: str) -> Mask:
        if atom not in self._taken:
            found = self._changed[atom] if atom in self._changed else self._row(atom)
            mask = found.view()
            mask.setflags(write=False)
            self._taken[atom] = mask
        return self._taken[atom]

    def _row(self, atom: str) -> Mask:
        row = self._given[atom]
        if callable(row):
            row = self._given[atom] = np.ascontiguousarray(row(), dtype=bool)
        return row if self._worlds is None else row.take(self._worlds)

    def __contains__(self, atom: object) -> bool:
        return atom in self._given or atom in self._changed

    def __iter__(self) -> Iterator[str]:
        return iter(self._given | self._changed)

    def __len__(self) -> int:
        return len(self._given | self._changed)

    def take(self, worlds: Ints) -> Valuation:
        """Return the valuation of the given worlds, renumbered from 0."""
        found = Valuation(len(worlds), {})
        found._given = self._given
        # however many updates come one after the other, a row is one step away from an array
        found._worlds = worlds if self._worlds is None else self._worlds.take(worlds)
        found._changed = {atom: row.take(worlds) for atom, row in self._changed.items()}
        return found

    def with_rows(self, rows: Mapping[str, Mask]) -> Valuation:
        """Return the valuation with the truth sets of some atoms replaced."""
        found = Valuation(self.size, {})
        found._given, found._worlds = self._given, self._worlds
        found._changed = self._changed | dict(rows)
        return found


# --- the space ---------------------------------------------------------------------------------------


class ArraySpace(Worlds[Mask]):
    """Worlds 0..n-1, with one array per component; see `Worlds`."""

    __slots__ = ("_all", "base", "names", "relations", "size", "valuation", "variables", "weights")
    relations: Mapping[str, Relation]
    valuation: Valuation
    weights: Mapping[str, Weights]
    base: int  # the worlds of the space that updates inside a formula began with

    def __init__(
        self,
        names: WorldNames,
        relations: Mapping[str, Relation],
        valuation: Valuation,
        weights: Mapping[str, Weights],
        variables: Mapping[str, Mapping[str, Formula]],
    ) -> None:
        super().__init__()
        self.names, self.relations, self.valuation = names, relations, valuation
        self.weights, self.variables = weights, variables
        self.size = self.base = len(names)
        self._all: Mask | None = None

    @classmethod
    def of(
        cls,
        names: WorldNames,
        relations: Mapping[str, Classes | Pairs | Cells],
        valuation: Mapping[str, list[int]],
        weights: Mapping[str, Sequence[Fraction | int] | None],
        variables: Mapping[str, Mapping[str, Formula]],
    ) -> ArraySpace:
        """Return the space of the given components; weights None: no probabilities."""
        size = len(names)
        rows: dict[str, Mask] = {}
        for atom, true in valuation.items():
            rows[atom] = np.zeros(size, bool)
            rows[atom][true] = True
        found: dict[str, Relation] = {}
        for agent, relation in relations.items():
            if isinstance(relation, Classes):
                found[agent] = Partition(np.array(relation.labels, np.int32), relation.number)
            elif isinstance(relation, Cells):
                found[agent] = General.from_cells(*relation)
            else:
                found[agent] = General.from_pairs(size, relation.pairs)
        weighed: dict[str, Weights] = {
            agent: np.zeros(size, np.int64) if given is None else _scaled(given)
            for agent, given in weights.items()
        }
        return cls(names, found, Valuation(size, rows), weighed, variables)

    def __reduce__(self) -> tuple[Any, ...]:
        return ArraySpace, (self.names, self.relations, self.valuation, self.weights, self.variables)

    @property
    def all(self) -> Mask:  # type: ignore[override]
        """All worlds."""
        if self._all is None:
            self._all = np.ones(self.size, bool)
            self._all.setflags(write=False)
        return self._all

    # --- the algebra -----------------------------------------------------------------------------

    def complement(self, inside: Mask) -> Mask:  # noqa: D102 - inherited
        return ~inside

    def any_of(self, sets: Sequence[Mask]) -> Mask:  # noqa: D102 - inherited
        return reduce(or_, sets) if sets else np.zeros(self.size, bool)

    def counted(self, sets: Sequence[Mask], low: int, high: int) -> Mask:  # noqa: D102 - inherited
        number = np.zeros(self.size, np.int32)
        for inside in sets:
            number += inside
        return (number >= low) & (number <= high)

    def fact(self, atom: str) -> Mask:  # noqa: D102 - inherited
        return self.valuation[atom]

    def some(self, inside: Mask) -> bool:  # noqa: D102 - inherited
        return bool(inside.any())

    def box(self, relation: Any, inside: Mask) -> Mask:  # noqa: D102 - inherited
        return relation.box(inside)  # type: ignore[no-any-return]

    def meet(self, left: Relation, right: Relation) -> Relation:  # noqa: D102 - inherited
        return left.meet(right)

    def join(self, relations: list[Relation], within: Mask) -> Steps:  # noqa: D102 - inherited
        return join(relations, within)

    def make_total(self) -> Partition:  # noqa: D102 - inherited
        return Partition.whole(self.size)

    def best(self, agent: str, inside: Mask) -> Mask:  # noqa: D102 - inherited
        relation, most = self.relations[agent], self.ranks(agent)
        if not most or not isinstance(relation, Partition):
            return super().best(agent, inside)
        rank, least = np.zeros(self.size, np.int32), np.full(relation.cells, most, np.int32)
        for k in range(1, most + 1):
            rank += self.fact(RankAtom(agent, k))
        np.minimum.at(least, relation.labels[inside], rank[inside])
        found: Mask = inside & (rank == relation.spread(least))
        return found

    # --- sets and numbers of worlds --------------------------------------------------------------

    def name(self, world: int) -> Hashable:  # noqa: D102 - inherited
        return self.names[world]

    def find(self, name: object) -> int | None:  # noqa: D102 - inherited
        return self.names.find(name)

    def named(self, inside: Mask) -> list[Hashable]:  # noqa: D102 - inherited
        return list(map(self.names.at, self.members(inside)))

    def set_of(self, worlds: Ints | Sequence[int]) -> Mask:  # noqa: D102 - inherited
        found = np.zeros(self.size, bool)
        found[worlds] = True
        return found

    def has(self, inside: Mask, world: int) -> bool:  # noqa: D102 - inherited
        return bool(inside[world])

    def count(self, inside: Mask) -> int:  # noqa: D102 - inherited
        return int(np.count_nonzero(inside))

    def members(self, inside: Mask, most: int | None = None) -> list[int]:  # noqa: D102 - inherited
        found: list[int] = np.flatnonzero(inside)[:most].tolist()
        return found

    def steps(self, relation: Any, inside: Mask) -> Mask:  # noqa: D102 - inherited
        return relation.image(inside)  # type: ignore[no-any-return]

    def reachable(self, start: Mask) -> Mask:  # noqa: D102 - inherited
        return start | self.joined(tuple(self.relations)).image(start)  # type: ignore[no-any-return]

    def classes(self, agent: str) -> list[list[int]] | None:  # noqa: D102 - inherited
        relation = self.relations[agent].simplest()
        if not isinstance(relation, Partition):
            return None
        return sorted((cell.tolist() for cell in relation.members if len(cell)), key=lambda cell: cell[0])

    def may_lose(self, updated: ArraySpace) -> tuple[Mapping[str, Relation], None]:  # noqa: D102 - inherited
        kept = {a for a, relation in updated.relations.items() if isinstance(relation, Partition)}
        return {a: relation for a, relation in self.relations.items() if a not in kept}, None

    def cells(self, agent: str) -> Cells:  # noqa: D102 - inherited
        return self.relations[agent].simplest().listed()

    def same_as(self, other: Any) -> bool:  # noqa: D102 - inherited
        return (
            all(np.array_equal(self.fact(atom), other.fact(atom)) for atom in self.atoms)
            and super().same_as(other)
            and all(np.array_equal(self.weight(agent), other.weight(agent)) for agent in self.relations)
        )

    def same_pairs(self, left: Relation, right: Relation) -> bool:  # noqa: D102 - inherited
        return left.same_as(right)

    def reordered(self, worlds: Sequence[int]) -> ArraySpace:  # noqa: D102 - inherited
        return self._taken(np.array(worlds, np.int64))

    # --- between the carriers --------------------------------------------------------------------

    @classmethod
    def from_bits(cls, space: BitSpace, names: WorldNames) -> ArraySpace:
        """Return the arrays of a space of bits whose worlds are numbered without gaps."""
        relations = {agent: space.cells(agent) for agent in space.relations}
        valuation = {atom: space.members(space.fact(atom)) for atom in space.valuation}
        found = cls.of(names, relations, valuation, {}, space.variables)
        found.weights = {agent: _stored(space.listed_weights(agent)) for agent in space.weights}
        return found

    @classmethod
    def by_facts(
        cls, names: WorldNames, facts: Mapping[str, int], seen: Mapping[str, list[int]], blind: Iterable[str]
    ) -> ArraySpace:
        """Return the space in which agents tell worlds apart by facts, all given as bits.

        Those in `blind` have no probabilities.
        """
        size = len(names)
        columns = {a: [(_mask_of_bits(true, size), 2) for true in sets] for a, sets in seen.items()}
        relations = {a: Partition(*rows_numbered(columns[a], size)) for a in seen}
        rows = Valuation(size, {atom: partial(_mask_of_bits, true, size) for atom, true in facts.items()})
        return cls(names, relations, rows, dict.fromkeys(blind, np.zeros(size, np.int64)), {})

    @classmethod
    def grown(cls, space: BitSpace, before: Callable[[int], int]) -> tuple[ArraySpace, Callable[[Mask], int]]:
        """Return a space of bits as arrays, and the map that takes its sets back to `before`."""
        kept, whole = np.array(members(space.all)), space.compact()
        found = cls.from_bits(whole, Computed(len(kept), whole.name))

        def back(inside: Mask) -> int:
            spread = np.zeros(space.all.bit_length(), bool)
            spread[kept] = inside
            return before(found.as_bits(spread))

        return found, back

    def bits(self) -> BitSpace:
        """Return the space as bits; for small models."""
        relations = {agent: self.cells(agent) for agent in self.relations}
        valuation = {atom: self.members(true) for atom, true in self.valuation.items()}
        found = BitSpace.of(Named.known(self.names), relations, valuation, {}, self.variables)
        weights = {}
        for agent in self.weights:
            sets = gathered((weight, 1 << w) for w, weight in enumerate(self.listed_weights(agent)))
            weights[agent] = tuple((worlds, weight) for weight, worlds in sorted(sets.items()))
        found.weights = weights
        return found

    def tidy(self, points: Mask | None, small: int) -> tuple[Worlds[Any], Any]:  # noqa: D102 - inherited
        if self.size > small:
            return self, points
        return self.bits(), None if points is None else self.as_bits(points)

    def as_bits(self, inside: Mask) -> int:
        """Return a set as bits."""
        return int.from_bytes(np.packbits(inside, bitorder="little").tobytes(), "little")

    def mask_of_bits(self, inside: int) -> Mask:
        """Return a set given as bits."""
        return _mask_of_bits(inside, self.size)

    # --- other spaces ----------------------------------------------------------------------------

    def asked(self) -> ArraySpace:  # noqa: D102 - inherited
        found = self.with_relations(self.relations)
        if len(self._joint) > _JOINT:
            self._joint.clear()
        found._joint = self._joint
        return found

    def part(self, agents: Collection[str], atoms: Iterable[str]) -> ArraySpace:  # noqa: D102 - inherited
        return ArraySpace(
            self.names,
            {agent: self.relations[agent] for agent in agents},
            Valuation(self.size, {atom: partial(self.valuation.__getitem__, atom) for atom in atoms}),
            {agent: weights for agent, weights in self.weights.items() if agent in agents},
            self.variables,
        )

    def with_relations(self, relations: Mapping[str, Relation]) -> ArraySpace:  # noqa: D102 - inherited
        return ArraySpace(self.names, relations, self.valuation, self.weights, self.variables)

    def with_facts(self, facts: Mapping[str, Mask]) -> ArraySpace:  # noqa: D102 - inherited
        valuation = self.valuation.with_rows(facts)
        return ArraySpace(self.names, self.relations, valuation, self.weights, self.variables)

    def with_worlds(self, inside: Mask) -> ArraySpace:  # noqa: D102 - inherited
        return self._taken(np.flatnonzero(inside))

    def _taken(self, kept: Ints) -> ArraySpace:
        """Return the subspace of the given worlds."""
        found = ArraySpace(
            self.names.selected(kept),
            {agent: relation.restrict(kept) for agent, relation in self.relations.items()},
            self.valuation.take(kept),
            {agent: weights.take(kept) for agent, weights in self.weights.items()},
            self.variables,
        )
        found.base = self.base
        return found

    def taken(self, inside: Mask, kept: Mask) -> Mask:  # noqa: D102 - inherited
        return inside[kept]

    def restricted(self, inside: Mask) -> tuple[ArraySpace, Callable[[Mask], Mask]]:  # noqa: D102 - inherited
        return self.with_worlds(inside), self._way_back(np.flatnonzero(inside), None)

    def product(self, action: ActionModel) -> tuple[ArraySpace, Callable[[Mask], Mask]]:  # noqa: D102 - inherited
        copies = self.copies(action)
        self.check_size(action, copies)
        updated, chosen = self.paired(action, copies, None)
        return updated, self._way_back(_places(copies)[0], chosen)

    def _way_back(self, world: Ints, chosen: Mask | None) -> Callable[[Mask], Mask]:
        """Return the map that takes sets of copies back to sets of the original worlds."""

        def before(inside: Mask) -> Mask:
            found = np.zeros(self.size, bool)
            found[world[inside if chosen is None else inside & chosen]] = True
            return found

        return before

    def paired(  # noqa: D102 - inherited
        self, action: ActionModel, copies: Sequence[Copy[Mask]], points: Mask | None
    ) -> tuple[ArraySpace, Mask]:
        world, place, ends = _places(copies)
        event = np.array([copy.event for copy in copies], np.int32)[place]
        valuation = self.valuation.take(world)
        changed: dict[str, Mask] = {}
        chosen = np.zeros(len(world), bool)
        for k, copy in enumerate(copies):
            here = slice(ends[k], ends[k + 1])
            old = world[here]
            chosen[here] = (copy.chosen if points is None else copy.chosen & points)[old]
            for atom, true in copy.post.items():
                if atom not in changed:
                    changed[atom] = valuation[atom].copy()
                changed[atom][here] = true[old]
        updated = ArraySpace(
            Paired(self.names, tuple(action.events), world, event),
            {agent: r.product(action._sight(agent), world, event) for agent, r in self.relations.items()},
            valuation.with_rows(changed),
            self._shared(action, copies, world, ends),
            self.variables,
        )
        updated.base = self.base
        return updated, chosen

    def _shared(
        self, action: ActionModel, copies: Sequence[Copy[Mask]], world: Ints, ends: Ints
    ) -> dict[str, Weights]:
        """Return the new weights: those of the worlds times the shares of the events; see `event_shares`."""
        merges = any(len(copy.merged) > 1 for copy in copies)
        splitting = action.splitting(self.relations)
        sights = {a: sight for a, sight in action.among(self.relations).items() if merges or a in splitting}
        every = event_shares(action.shares, sights, copies, self.all, self.some)
        out: dict[str, Weights] = {}
        for agent in self.relations:
            each = every.get(agent)
            if each is None and agent not in self.weights:
                continue  # all worlds weigh the same
            new = self.weight(agent).take(world)
            if each is not None:
                common = lcm(*(whole for shares in each for _, whole in shares))
                parts = [part for shares in each for part, _ in shares]
                largest = int(new.max(initial=0)) * max(parts, default=0) * common
                dtype: Any = np.int64 if largest < _SAFE else object
                factors = np.zeros(len(world), dtype)
                for k, shares in enumerate(each):
                    here = slice(ends[k], ends[k + 1])
                    for (part, whole), there in shares.items():
                        factors[here][there[world[here]]] = part * (common // whole)
                new = new.astype(dtype) * factors
            if not is_uniform(new):
                out[agent] = in_lowest_terms(new)
        return out

    def started(self, columns: Iterable[Sequence[int]] = ()) -> Ints:  # noqa: D102 - inherited
        facts: list[tuple[Any, int]] = [(true, 2) for true in self.valuation.values()]
        return rows_numbered(facts + [(np.asarray(column), self.size) for column in columns], self.size)[0]

    def refined(  # noqa: D102 - inherited
        self, agents: Collection[str], columns: Iterable[Sequence[int]] = ()
    ) -> Blocks:
        return refined(self, agents, self.started(columns))

    def quotient(  # noqa: D102 - inherited
        self, found: Blocks, agents: Collection[str]
    ) -> tuple[ArraySpace, Callable[[Mask], Mask]]:
        smaller, block = self._quotient(found, agents)
        return smaller, lambda inside: smaller.set_of(block[inside])

    def _quotient(self, found: Blocks, agents: Collection[str]) -> tuple[ArraySpace, Ints]:
        """Return the quotient, and the block of each world."""
        if found.number == self.size:
            return self, np.arange(self.size)
        place = firsts(found.block, found.number)
        order = np.argsort(place)
        first, rank = place[order], np.argsort(order)
        block = rank[found.block]
        relations, weights = {}, {}
        for agent, relation in self.relations.items():
            seen = found.seen[agent]
            seen = seen._replace(block=rank[seen.block])
            relations[agent] = seen.relation(relation, first)
            new: Weights = np.zeros(len(first), np.int64)
            if agent in agents and not relation.pools():
                new = cell_sums(block, len(first), self.weight(agent))
            elif agent in agents or agent not in self.weights:
                part = seen.shares()
                given: Any = np.ones_like(part, shape=len(first))
                given[seen.block] = part
                if np.array_equal(given[seen.block], part):
                    new = given
            if not is_uniform(new):
                weights[agent] = in_lowest_terms(new)
        names, valuation = self.names.selected(first), self.valuation.take(first)
        return ArraySpace(names, relations, valuation, weights, self.variables), block

    def canonical(  # noqa: D102 - inherited
        self, points: Mask, *, probable: bool = False
    ) -> tuple[Worlds[Any], Any, Hashable]:
        reached = self.reachable(points)
        there, smaller = points[reached], self.with_worlds(reached)
        if not probable:  # most worlds are merged here; small spaces are numbered fast
            smaller, merged = smaller.contracted(distributed=False, probable=False)
            there = merged(there)
        if probable or smaller.size <= MOST_BITS:
            return smaller.bits().canonical(smaller.as_bits(there), probable=probable)
        facts = [smaller.valuation[atom] for atom in sorted(smaller.valuation)]
        block = rows_numbered([(true, 2) for true in facts], smaller.size)[0]
        relations = dict(sorted(smaller.relations.items()))
        if len(np.unique(block)) < smaller.size:  # afterwards each world is a block: no two are bisimilar
            bare = ArraySpace(smaller.names, relations, Valuation(smaller.size, {}), {}, {})
            block = np.array(Refinement(bare, (), [block], ordered=True).run().block)
        order = np.argsort(block)
        found = smaller.unweighted()._taken(order)
        seen = [found.relations[agent].canonical() for agent in relations]
        told = [np.packbits(row[order]).tobytes() for row in (there, *facts)]
        told += [row.tobytes() for own in seen for row in (own.labels, own.sources, own.targets)]
        return found, there[order], (found.size, *told, *hidden(found.valuation, relations))

    def unweighted(self) -> ArraySpace:  # noqa: D102 - inherited
        none = {agent: np.zeros(self.size, np.int64) for agent in self.relations}
        return ArraySpace(self.names, self.relations, self.valuation, none, self.variables)

    def contracted_after(  # noqa: D102 - inherited
        self, before: Space[Mask], *, distributed: bool, probable: bool, whole: bool
    ) -> tuple[Space[Mask], Callable[[Mask], Mask]] | None:
        if self.size <= max(_SLIM, _GROWTH * self.base):
            return None
        quotient, block = self._quotient(*merged_blocks(self, distributed=distributed, probable=probable))
        if 2 * quotient.size > self.size:
            self.base = self.size  # not worth it before it has grown again
            return None
        return quotient, lambda inside: inside[block]

    # --- probability -----------------------------------------------------------------------------

    def weight(self, agent: str) -> Weights:
        """Return an agent's weights of the worlds; all 1 by default."""
        return self.weights.get(agent, np.ones(self.size, np.int64))

    def weigh(self, agent: str, inside: Mask) -> int:  # noqa: D102 - inherited
        return int(self.weight(agent)[inside].sum())

    def listed_weights(self, agent: str) -> list[int]:  # noqa: D102 - inherited
        found: list[int] = self.weight(agent).tolist()
        return found

    def edge_count(self, agent: str) -> int:  # noqa: D102 - inherited
        return self.relations[agent].edge_count()

    def unweighed(self, agent: str) -> int | None:  # noqa: D102 - inherited
        relation = self.relations[agent]
        blind = (relation.total(self.weight(agent)) == 0) & ~relation.box(np.zeros(self.size, bool))
        places = np.flatnonzero(blind)
        return int(places[0]) if len(places) else None

    def chances(self, agent: str, inside: Mask) -> tuple[Weights, Weights]:
        """Return, per world, numerator and denominator of the probability that an agent gives to a set.

        Where the agent considers no world possible, every probability is 1, as every K_a φ is true. Raises
        `ModelError` if all worlds that the agent considers possible at some world have weight 0.
        """
        relation, weights = self.relations[agent], self.weight(agent)
        part = relation.total(np.where(inside, weights, 0))
        whole = relation.total(weights)
        blind = whole == 0
        if blind.any() and (place := self.unweighed(agent)) is not None:
            raise no_probabilities(agent, self.name(place))
        return np.where(blind, 1, part), np.where(blind, 1, whole)

    def compared(self, node: s.Probability) -> Mask:  # noqa: D102 - inherited
        # sum of c_i n_i / d_i compared with b: multiply by the denominators of the numbers and, per
        # world, by the product of the agents' totals, all of which are positive
        scale = lcm(node.bound.denominator, *(t.coefficient.denominator for t in node.terms))
        parts = {t: self.chances(t.agent, self.memo[t.body]) for t in node.terms}
        totals = {t.agent: parts[t][1] for t in node.terms}
        size = Fraction(1)
        for total in totals.values():
            size *= max(1, *map(int, (total.max(initial=1),)))
        size *= scale * (abs(node.bound) + sum(abs(t.coefficient) for t in node.terms))
        dtype: Any = np.int64 if size < _SAFE else object  # Python integers where int64 could overflow

        def times(factor: Fraction, *arrays: Weights) -> Weights:
            out: Any = np.full(self.size, int(factor * scale), dtype)
            for array in arrays:
                out = out * array.astype(dtype)
            return out  # type: ignore[no-any-return]

        left = times(Fraction(0))
        for term in node.terms:
            others = [total for agent, total in totals.items() if agent != term.agent]
            left = left + times(term.coefficient, parts[term][0], *others)
        right = times(node.bound, *totals.values())
        return np.asarray(node.holds(left, right), bool)


def _places(copies: Sequence[Copy[Mask]]) -> tuple[Ints, Ints, Ints]:
    """Return world and copy number for each world of a product, and where the copies of each world begin."""
    happens = [np.flatnonzero(copy.worlds).astype(np.int32) for copy in copies]
    ends = np.cumsum([0, *map(len, happens)])
    place = np.repeat(np.arange(len(copies), dtype=np.int32), np.diff(ends))
    return np.concatenate([*happens, np.zeros(0, np.int32)]), place, ends
