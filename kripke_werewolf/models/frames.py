"""Frame classes: which properties an accessibility relation has, and what an update lost.

The properties and the names of the classes are those of the modal cube (Chellas 1980, chapters 3
and 5; Garson, "Modal Logic", Stanford Encyclopedia of Philosophy).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from kripke_werewolf.models.numbering import Indices, Longs, dense, ranges
from kripke_werewolf.models.relation import Mask, Partition, Relation
from kripke_werewolf.models.worlds import WorldNames

__all__ = ["FRAME_CLASSES", "FRAME_PROPERTIES", "CellGraph", "FrameClass", "Loss", "frame_class", "losses"]

FRAME_PROPERTIES = ("reflexive", "serial", "transitive", "symmetric", "euclidean")

# every class with all that follows from its axioms; no other combinations occur
FRAME_CLASSES: Mapping[str, frozenset[str]] = {
    name: frozenset(properties.split())
    for name, properties in {
        "K": "",
        "KD": "serial",
        "KT": "reflexive serial",
        "KB": "symmetric",
        "KDB": "serial symmetric",
        "KTB": "reflexive serial symmetric",
        "K4": "transitive",
        "KD4": "serial transitive",
        "S4": "reflexive serial transitive",
        "K5": "euclidean",
        "KD5": "serial euclidean",
        "K45": "transitive euclidean",
        "KD45": "serial transitive euclidean",
        "KB5": "symmetric transitive euclidean",
        "S5": "reflexive serial transitive symmetric euclidean",
    }.items()
}
_NAMES = {properties: name for name, properties in FRAME_CLASSES.items()}
_ALL = frozenset(FRAME_PROPERTIES)

_PATHS = 1 << 21  # paths or words looked at in one go
_MATRIX = 4096  # cells up to which a relation is also kept as a matrix of bits


class FrameClass(str):
    """The class of one agent's relation: a string such as `S5` or `KD45`, with the reasons.

    `agent`: whose relation it is. `counterexamples`: for each property that fails a tuple of world
    names that shows it: reflexive (w,): w does not see itself; serial (w,): w sees nothing;
    symmetric (w, v): w sees v but not the other way round; transitive (w, v, u): w sees v and v
    sees u, but w does not see u; euclidean (w, v, u): w sees v and u, but v does not see u.
    """

    __slots__ = ("agent", "counterexamples")
    agent: str
    counterexamples: Mapping[str, tuple[Hashable, ...]]

    def __new__(cls, agent: str, counterexamples: Mapping[str, tuple[Hashable, ...]]) -> Self:
        """Return the class of a relation that has all properties but those with a counterexample."""
        found = super().__new__(cls, _NAMES[_ALL.difference(counterexamples)])
        found.agent, found.counterexamples = agent, dict(counterexamples)
        return found

    def __getnewargs__(self) -> tuple[str, Mapping[str, tuple[Hashable, ...]]]:  # type: ignore[override]
        return self.agent, self.counterexamples

    def __repr__(self) -> str:
        return f"FrameClass({self.agent!r}, {self.counterexamples!r})"

    @property
    def properties(self) -> tuple[str, ...]:
        """The properties that hold."""
        return tuple(p for p in FRAME_PROPERTIES if p not in self.counterexamples)

    @property
    def reflexive(self) -> bool:
        """Whether every world sees itself."""
        return "reflexive" not in self.counterexamples

    @property
    def serial(self) -> bool:
        """Whether every world sees some world."""
        return "serial" not in self.counterexamples

    @property
    def transitive(self) -> bool:
        """Whether every world sees what the worlds it sees see."""
        return "transitive" not in self.counterexamples

    @property
    def symmetric(self) -> bool:
        """Whether every world is seen by the worlds it sees."""
        return "symmetric" not in self.counterexamples

    @property
    def euclidean(self) -> bool:
        """Whether the worlds that a world sees see each other."""
        return "euclidean" not in self.counterexamples

    @property
    def reasons(self) -> tuple[str, ...]:
        """A sentence for every property that fails."""
        return tuple(
            f"not {p}: {_REASONS[p].format(*map(repr, worlds))}" for p, worlds in self.counterexamples.items()
        )


_REASONS = {
    "reflexive": "{0} does not see itself",
    "serial": "{0} sees no world",
    "transitive": "{0} sees {1}, which sees {2}, but {0} does not see {2}",
    "symmetric": "{0} sees {1}, but {1} does not see {0}",
    "euclidean": "{0} sees {1} and {2}, but {1} does not see {2}",
}


class Loss(NamedTuple):
    """A frame property that an update lost: an agent's class `before` and `after` it."""

    agent: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.agent}: {self.before} -> {self.after}"


def frame_class(agent: str, relation: Relation, names: WorldNames) -> FrameClass:
    """Return the class of a relation, with counterexamples by the names of worlds."""
    return FrameClass(agent, {p: tuple(names[w] for w in worlds) for p, worlds in failures(relation).items()})


def losses(before: Mapping[str, Relation], after: Mapping[str, Relation]) -> tuple[Loss, ...]:
    """Return the agents whose relation has lost a property, with its class before and after."""
    found = []
    for agent, old in before.items():
        new = after[agent]
        if failures(new).keys() - failures(old).keys():
            found.append(Loss(agent, _name(old), _name(new)))
    return tuple(found)


def _name(relation: Relation) -> str:
    return _NAMES[_ALL.difference(failures(relation))]


# --- which properties hold -------------------------------------------------------------------------


def failures(relation: Relation) -> Mapping[str, tuple[int, ...]]:
    """Return the properties that a relation lacks, each with the indices of a counterexample.

    A partition lacks none, which costs nothing to say. Of other relations the graph on the cells
    is looked at, once.
    """
    if isinstance(relation, Partition):
        return {}
    if "failures" not in relation.__dict__:
        relation.__dict__["failures"] = _failures(relation)
    found: Mapping[str, tuple[int, ...]] = relation.__dict__["failures"]
    return found


def _failures(relation: Relation) -> dict[str, tuple[int, ...]]:
    labels, _ = dense(relation.labels, relation.cells)
    cells = int(labels.max(initial=-1)) + 1
    first = np.empty(cells, np.int64)
    first[labels[::-1]] = np.arange(len(labels))[::-1]
    graph = CellGraph(cells, *relation.occupied_edges())
    sources, targets = graph.sources, graph.targets
    found: dict[str, tuple[int, ...]] = {}

    def fails(what: str, *cells_at: int) -> None:
        found[what] = tuple(int(first[c]) for c in cells_at)

    if (blind := _first(~graph.loops(), first)) is not None:
        fails("reflexive", blind)
    if (dead := _first(~graph.leaves(), first)) is not None:
        fails("serial", dead)
    if (broken := graph.escape(targets, sources)) is not None:
        edge, cell = broken
        fails("transitive", int(sources[edge]), int(targets[edge]), cell)
    one_way = np.flatnonzero(~graph.has(targets, sources))
    if len(one_way):
        fails("symmetric", int(sources[one_way[0]]), int(targets[one_way[0]]))
    if (broken := graph.escape(sources, targets)) is not None:
        edge, cell = broken
        fails("euclidean", int(sources[edge]), int(targets[edge]), cell)
    return found


def _first(cells: Mask, first: Longs) -> int | None:
    found = np.flatnonzero(cells)
    return int(found[np.argmin(first[found])]) if len(found) else None


class CellGraph:
    """The graph on the cells of a relation, all of which have worlds; edges ascending."""

    def __init__(self, cells: int, sources: Indices, targets: Indices) -> None:
        self.cells, self.sources, self.targets = cells, sources, targets
        self.keys = sources.astype(np.int64) * cells + targets
        self.count = np.bincount(sources, minlength=cells)
        self.begin = np.cumsum(self.count) - self.count

    def has(self, sources: npt.NDArray[np.integer], targets: npt.NDArray[np.integer]) -> Mask:
        """Return which of the given pairs are edges."""
        if not len(self.keys):
            return np.zeros(len(sources), bool)
        wanted = sources.astype(np.int64) * self.cells + targets
        place = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.asarray(self.keys[place] == wanted)

    def loops(self) -> Mask:
        """Return which cells see themselves."""
        every = np.arange(self.cells)
        return self.has(every, every)

    def leaves(self) -> Mask:
        """Return which cells see anything."""
        return self.count > 0

    def rows(self) -> npt.NDArray[np.uint64]:
        """Return the graph as a matrix of bits, one row per cell, 64 cells to a word."""
        rows = np.zeros((self.cells, -(-self.cells // 64)), np.uint64)
        bit = np.uint64(1) << (self.targets % 64).astype(np.uint64)
        np.bitwise_or.at(rows, (self.sources, self.targets // 64), bit)
        return rows

    def escape(self, x: Indices, y: Indices) -> tuple[int, int] | None:
        """Return the first i and a cell such that x[i] sees the cell but y[i] does not; None if none."""
        count = self.count[x]
        paths = int(count.sum())
        if paths > _PATHS and self.cells <= _MATRIX:
            rows = self.rows()
            step = max(1, _PATHS // rows.shape[1])
            for start in range(0, len(x), step):
                here = slice(start, start + step)
                extra = rows[x[here]] & ~rows[y[here]]
                bad = np.flatnonzero(extra.any(axis=1))
                if len(bad):
                    bits = np.unpackbits(extra[bad[0]].view(np.uint8), bitorder="little")
                    return start + int(bad[0]), int(np.flatnonzero(bits)[0])
            return None
        cuts = np.searchsorted(np.cumsum(count), np.arange(_PATHS, paths, _PATHS))
        for part in np.split(np.arange(len(x)), cuts):
            seen = self.targets[ranges(self.begin[x[part]], count[part])]
            origin = np.repeat(part, count[part])
            bad = np.flatnonzero(~self.has(y[origin], seen))
            if len(bad):
                return int(origin[bad[0]]), int(seen[bad[0]])
        return None
