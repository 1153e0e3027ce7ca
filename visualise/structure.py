"""What a picture needs to know of a model: classes, arrows and valuations as small arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from kripke_werewolf.models import KripkeModel
from kripke_werewolf.models.relation import Partition, Relation
from visualise.text import natural

__all__ = ["Ties", "structure"]


@dataclass(frozen=True, slots=True)
class Ties:
    """An agent's relation: `classes` if it is an equivalence, else the pairs of different worlds.

    `loops`: the worlds that see themselves, where that is worth showing (not all of them do).
    `groups`: if the relation is K45 (as belief is) the sets of worlds that see just themselves and
    each other; all other worlds then see all of one group, or nothing. Empty if arrows are few.
    """

    agent: str
    classes: tuple[tuple[int, ...], ...] | None
    pairs: frozenset[tuple[int, int]]
    loops: frozenset[int]
    groups: tuple[tuple[int, ...], ...] = ()

    @property
    def labels(self) -> dict[int, int]:
        """The number of each world's class; empty for what is no equivalence."""
        return {w: number for number, cell in enumerate(self.classes or ()) for w in cell}

    @property
    def cells(self) -> tuple[tuple[int, ...], ...]:
        """The sets of worlds that lines without arrow heads join: classes, or else groups."""
        return self.groups if self.classes is None else self.classes

    def entries(self, at: npt.NDArray[np.floating]) -> list[tuple[int, int]]:
        """Return for each world outside all groups the closest world of the group it sees."""
        group = {w: cell for cell in self.groups for w in cell}
        seen = {i: group[j] for i, j in self.pairs if i not in group}
        found = []
        for i, cell in sorted(seen.items()):
            far = np.linalg.norm(at[list(cell)] - at[i], axis=1)
            found.append((i, cell[int(np.argmin(np.round(far, 6)))]))
        return found


@dataclass(frozen=True, slots=True)
class Structure:
    """The relations to be drawn over worlds 0..size-1, and the valuation, shape (size, atoms)."""

    size: int
    ties: tuple[Ties, ...]
    bits: npt.NDArray[np.bool_]

    def neighbours(self) -> npt.NDArray[np.bool_]:
        """Return which worlds some agent relates, in either direction; shape (size, size)."""
        out = np.zeros((self.size, self.size), bool)
        for ties in self.ties:
            for cell in ties.classes or ():
                out[np.ix_(cell, cell)] = True
            for i, j in ties.pairs:
                out[i, j] = out[j, i] = True
        np.fill_diagonal(out, False)
        return out

    def components(self) -> list[list[int]]:
        """Return the connected parts, each ascending, by their first world."""
        near = self.neighbours()
        left = set(range(self.size))
        found = []
        while left:
            stack, part = [min(left)], set[int]()
            while stack:
                world = stack.pop()
                if world not in part:
                    part.add(world)
                    stack.extend(np.flatnonzero(near[world]).tolist())
            left -= part
            found.append(sorted(part))
        return found

    def telling(self) -> Structure:
        """Return the structure without the agents who confuse all worlds or none: they shape nothing."""
        return Structure(
            self.size,
            tuple(t for t in self.ties if t.classes is None or 1 < len(t.classes) < self.size),
            self.bits,
        )

    def restricted(self, worlds: Sequence[int]) -> Structure:
        """Return the structure of some worlds, renumbered from 0."""
        number = {w: i for i, w in enumerate(worlds)}
        ties = tuple(
            Ties(
                t.agent,
                None
                if t.classes is None
                else tuple(cell for c in t.classes if (cell := tuple(number[w] for w in c if w in number))),
                frozenset((number[i], number[j]) for i, j in t.pairs if i in number and j in number),
                frozenset(number[w] for w in t.loops if w in number),
                tuple(cell for c in t.groups if (cell := tuple(number[w] for w in c if w in number))),
            )
            for t in self.ties
        )
        return Structure(len(worlds), ties, self.bits[list(worlds)])


def structure(model: KripkeModel, agents: Sequence[str]) -> Structure:
    """Return the structure of a model for the given agents; for models small enough to draw."""
    rows = [model.truth(atom) for atom in natural(model.atoms)]
    bits = np.array(rows, bool).T if rows else np.zeros((len(model), 0), bool)
    ties = [ties_of(agent, model.relation(agent)) for agent in agents]
    if sum(len(t.pairs) for t in ties if t.groups) <= _CROWDED * len(model):
        ties = [replace(t, groups=()) for t in ties]
    return Structure(len(model), tuple(ties), bits)


_CROWDED = 2  # more arrows to a world are too many: then groups are drawn in their place


def ties_of(agent: str, relation: Relation) -> Ties:
    """Read an agent's relation."""
    simple = relation.simplest()
    if isinstance(simple, Partition):
        cells = tuple(_members(simple))
        return Ties(agent, cells, frozenset(), frozenset())
    sees: dict[int, list[int]] = {}
    for i, j in relation.pairs():
        sees.setdefault(i, []).append(j)
    pairs = frozenset((i, j) for i, seen in sees.items() for j in seen if i != j)
    loops = frozenset(i for i, seen in sees.items() if i in seen)
    shown = loops if len(loops) < len(relation) else frozenset[int]()
    return Ties(agent, None, pairs, shown, _groups(sees))


def _groups(sees: dict[int, list[int]]) -> tuple[tuple[int, ...], ...]:
    """Return the sets of worlds seen if the relation is transitive and euclidean, else nothing."""
    found = {tuple(seen) for seen in sees.values()}
    believed = all(tuple(sees.get(w, ())) == seen for seen in found for w in seen)
    return tuple(sorted(found)) if believed else ()


def _members(partition: Partition) -> Iterator[tuple[int, ...]]:
    for cell in partition.members:
        if len(cell):
            yield tuple(cell.tolist())
