"""Bisimilar worlds of large models, by partition refinement on arrays.

Random colours split the blocks first. In each round a world gets a colour made from its own and, for each
agent, from the greatest and the least of the numbers that the worlds seen have, which are made from their
colours. Worlds with different colours are not bisimilar; some that are not may share theirs. So what each
world sees is compared exactly before anything is merged. What is left after some attempts, as in a chain,
is split by rounds on lists (`semantics.contraction`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from kripke_werewolf.logic.semantics.cells import General, Integers, Partition, Relation, cell_sums
from kripke_werewolf.logic.semantics.contraction import Refinement
from kripke_werewolf.logic.semantics.numbering import (
    Ints,
    Longs,
    dense,
    firsts,
    key_counts,
    ranges,
    row_numbers,
    rows_numbered,
    stable_order,
    starts,
)

if TYPE_CHECKING:
    from kripke_werewolf.logic.semantics.arrays import ArraySpace

Colours: TypeAlias = npt.NDArray[np.uint64]

_ATTEMPTS = 4  # attempts on arrays
_ODD = np.uint64(0x9E3779B97F4A7C15)


class Sights(NamedTuple):
    """What an agent sees: distinct pairs of a cell and a block seen from it, ascending, and what these weigh.

    `sight`: the same number for cells from which the same is seen, with the same shares if these matter.
    """

    row: Ints
    block: Ints
    mass: Any
    sight: Ints

    @classmethod
    def _of(cls, row: Ints, block: Ints, rows: int, blocks: int, mass: Integers | None) -> Sights:
        """Return the distinct pairs of a row and a block, with their masses, by default 1 each, added up."""
        digits = blocks.bit_length()
        key: Ints = row.astype(np.int32 if rows << digits <= 2**31 else np.int64)  # short keys sort faster
        key <<= digits
        key |= block
        if mass is None and rows << digits <= len(key):
            often = key_counts(key, rows << digits)
            key = np.flatnonzero(often)
            mass = often[key]
        elif mass is None:
            key.sort()
            first = starts(key)
            key, mass = key[first], np.diff(np.append(first, len(key)))
        else:
            label, key = dense(key, rows << digits)
            mass = cell_sums(label, len(key), mass)
        return cls(key >> digits, key & ((1 << digits) - 1), mass, row)

    @classmethod
    def along(
        cls, relation: Relation, block: Ints, blocks: int, weights: Integers | None, *, probable: bool
    ) -> Sights:
        """Return the blocks that are seen along a relation."""
        found = cls._of(relation.labels, block, relation.cells, blocks, weights)
        if not isinstance(relation, Partition):
            count, targets = key_counts(found.row, relation.cells), relation.targets
            every = ranges((np.cumsum(count) - count)[targets], count[targets])
            row = np.repeat(relation.sources, count[targets])
            found = Sights(row, found.block[every], found.mass[every], row)
            if not (np.diff(relation.sources) > 0).all():  # some row sees several cells
                found = cls._of(row, found.block, relation.cells, blocks, found.mass)
        value: Ints = found.block
        if probable:
            shares, share = np.unique(found.shares(), return_inverse=True)
            value = dense(value * len(shares) + share, blocks * len(shares))[0]
        return found._replace(sight=row_numbers(found.row, value, relation.cells))

    def shares(self) -> Integers:
        """Return the masses, in each row as the smallest integers in the same ratios."""
        if not self.mass.max(initial=1) > 1:
            return self.mass  # type: ignore[no-any-return]
        first = starts(self.row)
        divisor = np.gcd.reduceat(self.mass, first)
        divisor[divisor == 0] = 1
        found: Integers = self.mass // np.repeat(divisor, np.diff(np.append(first, len(self.row))))
        return found

    def relation(self, old: Relation, first: Longs) -> Relation:
        """Return the relation between blocks; `first` is a world of each block."""
        own, found = dense(self.sight[old.labels[first]], old.cells)
        if isinstance(old, Partition):
            return Partition(own, len(found))
        # blocks share a cell if they see the same and are seen from the same
        place = np.full(old.cells, -1)
        place[old.labels[first[firsts(own, len(found))]]] = np.arange(len(found))
        row = place[self.row]
        row, block = row[row >= 0], self.block[row >= 0]
        back = stable_order(block, len(first))
        seen_from = row_numbers(block[back], row[back], len(first))
        labels, cells = rows_numbered([(own, len(found)), (seen_from, len(first))], len(first))
        edges = General(labels, max(cells, len(found)), row, labels[block])
        return General(labels, cells, *edges.expand(own[firsts(labels, cells)])).simplest()


class Blocks(NamedTuple):
    """The block of each world, and their number; what each agent sees, if worlds are in one block."""

    block: Ints
    number: int
    seen: Mapping[str, Sights]


def refined(space: ArraySpace, agents: Collection[str], start: Ints) -> Blocks:
    """Return the blocks of bisimilar worlds; see `Worlds.refined`. `start`: the blocks at the start."""
    rng, stable, attempt, digits = np.random.default_rng(0), False, 0, 2 + space.size.bit_length()
    block, number = start, int(start.max(initial=-1)) + 1
    colour = rng.integers(2**64, size=number, dtype=np.uint64)[start]
    seen: dict[str, Sights] = {}
    while not stable and number < space.size:
        colour = _coloured(space.relations.values(), colour, rng)
        block, keys = dense((colour >> np.uint64(digits)).view(np.int64), 1 << 64 - digits)
        number, attempt = len(keys), attempt + 1
        if attempt > _ATTEMPTS:
            listed = Refinement(space, agents, [start, block], whole=0).run()
            block, number = np.array(listed.block, np.int32), len(listed.parent)
        if number == space.size:
            break
        for agent, relation in space.relations.items():
            weights, probable = space.weights.get(agent), agent in agents
            seen[agent] = Sights.along(relation, block, number, weights, probable=probable)
        place = firsts(block, number)[block]
        stable = True
        sights = [seen[agent].sight[relation.labels] for agent, relation in space.relations.items()]
        for column in (start, *sights):
            if not np.array_equal(column[place], column):
                colour += rng.integers(2**64, size=int(column.max()) + 1, dtype=np.uint64)[column]
                stable = False
    return Blocks(block, number, seen)


def _coloured(relations: Collection[Relation], colour: Colours, rng: np.random.Generator) -> Colours:
    """Return the colours after some rounds, while the blocks become more."""
    colour, before, number = colour.copy(), 0, 1
    digits = min(2 + len(colour).bit_length(), 63)
    while 10 * number > 11 * before:
        for relation in relations:
            value = colour * (rng.integers(2**64, size=1, dtype=np.uint64) | np.uint64(1))
            for least, extreme in ((0, np.maximum), (2**64 - 1, np.minimum)):
                seen = np.full(relation.cells, least, np.uint64)
                extreme.at(seen, relation.labels, value)
                if not isinstance(relation, Partition):
                    inside, seen = seen, np.full(relation.cells, least, np.uint64)
                    extreme.at(seen, relation.sources, inside[relation.targets])
                colour += seen[relation.labels]
                colour *= _ODD
            colour ^= colour >> np.uint64(29)
        used = np.zeros(1 << digits, bool)
        used[colour >> np.uint64(64 - digits)] = True
        before, number = number, int(np.count_nonzero(used))
    return colour
