"""Boolean functions represented by conjunctions of parts, multiplied only as far as needed.

The conjunction of many small diagrams can be exponentially larger than they are: n announcements about
overlapping sets of coins are n small diagrams, or one of 2^n nodes. Knowledge is a quantification ∃x…, which
eliminates a variable from the few parts in which it occurs (bucket elimination; Dechter 1999, and the
partitioned transition relations of Burch, Clarke and Long 1991).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Any, NamedTuple

from kripke_werewolf.logic.semantics.bits import gathered
from kripke_werewolf.logic.symbolic.bdd import Diagram, Oxidd, Variables

# the number of nodes that a product may have beyond those of its factors
_SLACK = 256
# larger parts are not multiplied with much smaller ones
_LARGE = 4096


class Factor(NamedTuple):
    """A diagram and a superset of the variables that occur in it."""

    diagram: Diagram
    support: Variables

    def __and__(self, other: Factor) -> Factor:
        return Factor(self.diagram & other.diagram, self.support | other.support)

    def __or__(self, other: Factor) -> Factor:
        return Factor(self.diagram | other.diagram, self.support | other.support)

    def __xor__(self, other: Factor) -> Factor:
        return Factor(self.diagram ^ other.diagram, self.support | other.support)

    def __invert__(self) -> Factor:
        return Factor(~self.diagram, self.support)


def joint_support(parts: Iterable[Factor]) -> Variables:
    """Return the variables that may occur in some of the parts."""
    return reduce(or_, [p.support for p in parts], 0)


def factor(bdds: Oxidd, f: Diagram, support: Variables) -> Factor:
    """Return a diagram with its support, computed if the given one is too large for the diagram."""
    if bdds.size(f) <= support.bit_count():
        support = reduce(or_, [1 << v for v, _, _ in bdds.branches([f]).values()], 0)
    return Factor(f, support)


def balanced(bdds: Oxidd, combine: Callable[..., Any], parts: Iterable[Factor], empty: Diagram) -> Factor:
    """Combine any number of functions by an associative and commutative operation.

    Neighbours in the order are combined first, which keeps intermediate results small.
    """
    given = list(parts)
    diagrams = sorted([p.diagram for p in given], key=bdds.top)
    while len(diagrams) > 1:
        pairs = [combine(a, b) for a, b in zip(diagrams[::2], diagrams[1::2], strict=False)]
        diagrams = pairs + diagrams[len(diagrams) & ~1 :]
    return Factor(next(iter(diagrams), empty), joint_support(given))


def assembled(bdds: Oxidd, rows: list[int], order: list[int]) -> Diagram:
    """Return the diagram that is true at exactly the rows, bit sets of the variables in `order`."""
    # upwards from the bottom: rows that agree on all variables above share a diagram
    level: dict[int, Diagram] = dict.fromkeys(rows, bdds.true)
    for v in reversed(order):
        above: dict[int, Diagram] = {}
        for row in level:
            rest = row & ~(1 << v)
            if rest not in above:
                high, low = (level.get(row, bdds.false) for row in (rest | 1 << v, rest))
                above[rest] = bdds.variable(v).ite(high, low)
        level = above
    return level.get(0, bdds.false)


@dataclass(frozen=True, slots=True)
class Conjunction:
    """The conjunction of some parts; an immutable value."""

    bdds: Oxidd
    parts: tuple[Factor, ...] = ()

    @property
    def support(self) -> Variables:
        """The variables that may occur in it."""
        return joint_support(self.parts)

    def also(self, *new: Factor) -> Conjunction:
        """Return the conjunction with further parts, multiplied where that pays off.

        It does if the product is smaller than a factor, or if factors of similar size have a product not much
        larger than both; so a large part is not copied for every small one.
        """
        bdds = self.bdds
        parts = list(self.parts)
        for added in new:
            diagram, size = added.diagram, bdds.size(added.diagram)
            support, kept = added.support, []
            for size_old, old in sorted(((bdds.size(p.diagram), p) for p in parts), key=lambda x: x[0]):
                similar = size_old <= 8 * size + _SLACK
                related = old.support & support and (similar or size_old <= _LARGE)
                if related or size + size_old <= _SLACK:
                    product = diagram & old.diagram
                    size_new = bdds.size(product)
                    most = size + size_old + _SLACK if similar else size_old
                    if size_new <= most:
                        diagram, size, support = product, size_new, support | old.support
                        continue
                kept.append(old)
            if diagram != bdds.true:
                kept.append(factor(bdds, diagram, support))
            parts = kept
        return Conjunction(bdds, tuple(parts))

    def whole(self) -> Factor:
        """Return the conjunction as one diagram."""
        alone = len(self.parts) == 1
        return self.parts[0] if alone else balanced(self.bdds, and_, self.parts, self.bdds.true)

    def eliminate(self, variables: Variables) -> Conjunction:
        """Return the existential quantification over the variables.

        The variable with the fewest and smallest parts goes first.
        """
        bdds = self.bdds
        if len(self.parts) <= 2:
            return self._eliminate_at_once(variables)
        parts = dict(enumerate(self.parts))
        number = len(parts)
        # variables that occur in the same parts go together
        groups = gathered(_split(variables & self.support, self.parts))
        while groups:
            where = min(groups, key=lambda ids: (len(ids), sum(bdds.size(parts[i].diagram) for i in ids)))
            gone = groups.pop(where)
            bucket = sorted((parts.pop(i) for i in where), key=lambda p: bdds.size(p.diagram))
            diagram, support = bucket[0]
            for p in bucket[1:-1]:
                diagram, support = diagram & p.diagram, support | p.support
            if len(bucket) > 1:
                diagram = bdds.and_exists(diagram, bucket[-1].diagram, gone)
                support |= bucket[-1].support
            else:
                diagram = bdds.exists(diagram, gone)
            if diagram == bdds.false:
                return Conjunction(bdds, (Factor(bdds.false, 0),))
            support &= ~gone
            parts[number] = Factor(diagram, support)
            groups = gathered(
                ((ids - where) | {number} if ids & where else ids, together)
                for ids, together in groups.items()
            )
            number += 1
        return Conjunction(bdds, tuple(p for p in parts.values() if p.diagram != bdds.true))

    def _eliminate_at_once(self, variables: Variables) -> Conjunction:
        """Return `eliminate` for at most two parts, for which there is no order to choose."""
        bdds, parts = self.bdds, self.parts
        if len(parts) == 2 and parts[0].support & parts[1].support & variables:
            (f, of_f), (g, of_g) = parts
            support = of_f | of_g
            joined = Factor(bdds.and_exists(f, g, support & variables), support & ~variables)
            return Conjunction(bdds, (joined,))
        found = tuple(Factor(bdds.exists(f, of & variables), of & ~variables) for f, of in parts)
        return Conjunction(bdds, found)

    def satisfiable(self) -> bool:
        """Return whether some assignment makes all parts true."""
        return all(p.diagram != self.bdds.false for p in self.eliminate(self.support).parts)

    def connected(self, variables: Variables, through: Variables = -1) -> tuple[Factor, ...]:
        """Return the parts that depend on the variables, directly or through some others (by default any)."""
        found: list[Factor] = []
        others: Sequence[Factor] = self.parts
        while joining := [p for p in others if p.support & variables]:
            others = [p for p in others if not p.support & variables]
            found += joining
            variables |= joint_support(joining) & through
        return tuple(found)

    def count(self, variables: Variables) -> int:
        """Return the number of satisfying assignments to the variables, which include the support."""
        total, free = 1, variables
        for component in self.components():
            inside = component.support & variables
            free &= ~inside
            total *= self.bdds.count(component.whole().diagram, inside.bit_count())
            if not total:
                return 0
        return total << free.bit_count()

    def components(self) -> list[Conjunction]:
        """Return the conjunctions of parts that share variables, directly or indirectly."""
        found, left = [], self
        while left.parts:
            together = left.connected(left.parts[0].support) or left.parts[:1]
            found.append(Conjunction(self.bdds, together))
            left = Conjunction(self.bdds, tuple(p for p in left.parts if p not in together))
        return found


def _split(variables: Variables, parts: Sequence[Factor]) -> list[tuple[frozenset[int], Variables]]:
    """Group variables by the parts in which they occur."""
    groups: list[tuple[list[int], Variables]] = [([], variables)]
    for i, p in enumerate(parts):
        split = []
        for where, together in groups:
            inside, outside = together & p.support, together & ~p.support
            if inside:
                split.append(([*where, i], inside))
            if outside:
                split.append((where, outside))
        groups = split
    return [(frozenset(where), together) for where, together in groups if together]
