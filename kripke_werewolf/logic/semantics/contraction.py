"""Bisimilar worlds by partition refinement, and what contraction merges.

After round k two worlds are in one block iff they are k-bisimilar: they satisfy the same formulas of modal
depth at most k (Blackburn, de Rijke and Venema 2001, section 2.3). When a round splits no block, worlds of a
block are bisimilar. The first rounds number all worlds anew. The later ones look only at what sees a world
that has moved to another block; the largest part of a block that is split does not move, so that there are
n log n steps (Paige and Tarjan 1987; Valmari and Lehtinen 2008). `semantics.refinement` begins on arrays for
large models.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import chain
from math import gcd
from typing import TYPE_CHECKING, Any, Self

from kripke_werewolf.base.grouping import grouped, numbered

if TYPE_CHECKING:
    from kripke_werewolf.logic.semantics.space import Worlds


# --- refinement ------------------------------------------------------------------------------------


class View:
    """An agent's relation by rows, each given by the worlds in it and those that they see.

    `weight`: the agent's weights of the worlds (None: equal ones); `probable`: whether blocks must have the
    same probabilities.
    """

    def __init__(
        self,
        rows: Sequence[tuple[list[int], list[int]]],
        size: int,
        weight: Any = None,
        probable: bool = False,
    ) -> None:
        self.rows, self.size, self.weight, self.probable = rows, size, weight, probable
        self.sight = [-1] * size  # the number of what each world sees
        self._known = 0  # numbers used

    @cached_property
    def row(self) -> list[int]:
        """The row of each world, -1 for those that see nothing."""
        found = [-1] * self.size
        for row, (who, _) in enumerate(self.rows):
            for w in who:
                found[w] = row
        return found

    @cached_property
    def seeing(self) -> list[list[int]]:
        """For each world the rows that see it."""
        found: list[list[int]] = [[] for _ in range(self.size)]
        for row, (_, sees) in enumerate(self.rows):
            for w in sees:
                found[w].append(row)
        return found

    def look(self, rows: Sequence[tuple[list[int], list[int]]], block: Sequence[int], ordered: bool) -> None:
        """Number anew what is seen from some rows; if `ordered`, in an order that depends on nothing else."""
        keys: list[frozenset[Any]]
        if not self.probable:
            keys = [frozenset(map(block.__getitem__, sees)) for _, sees in rows]
        else:
            keys = [frozenset(seen_shares(block, self.weight, sees).items()) for _, sees in rows]
        number = {key: k for k, key in enumerate(sorted({*keys}, key=sorted) if ordered else {*keys})}
        for key, (who, _) in zip(keys, rows, strict=True):
            for w in who:
                self.sight[w] = self._known + number[key]
        self._known += len(number)


def seen_shares(block: Sequence[int], weight: Sequence[int] | None, worlds: Sequence[int]) -> dict[int, int]:
    """Return the smallest integers in the ratios of what the worlds given weigh in each block together."""
    if weight is None:
        found: dict[int, int] = Counter(map(block.__getitem__, worlds))
    else:
        found = dict.fromkeys(map(block.__getitem__, worlds), 0)
        for w in worlds:
            found[block[w]] += weight[w]
    divisor = gcd(*found.values())
    if divisor <= 1:
        return found
    return {number: mass // divisor for number, mass in found.items()}


class Refinement:
    """A refinement of the worlds of a space by rounds: `block` is that of each world, -1 of no world.

    At the start worlds share a block if they agree in true atoms and each column; some `agents` must also
    give the blocks the same probabilities. If `ordered`, neither the order of the worlds nor the number of
    copies matters for the numbers of blocks. `whole`: the first rounds, which look at all worlds. `born`: the
    round in which each block arose (0: at the start); `parent`: the one that it was split from, whose number
    is smaller (-1: none).
    """

    def __init__(
        self,
        space: Worlds[Any],
        agents: Collection[str],
        columns: Any = (),
        *,
        ordered: bool = False,
        whole: int = 8,
    ) -> None:
        self.block = list(map(int, space.started(columns)))
        self.ordered, self.rounds, self._whole = ordered, 0, whole
        self.views: list[View] = []
        for agent, relation in space.relations.items():
            weight = space.listed_weights(agent) if agent in space.weights else None
            rows = relation.listed_rows(space.all)
            self.views.append(View(rows, len(self.block), weight, agent in agents))
        self.parent = [-1] * (max(self.block, default=-1) + 1)
        self.born = [0] * len(self.parent)
        self._inside: dict[int, list[int]] = {}  # the worlds of each block, and some that have left it
        self._size = Counter[int]()
        self._moved: list[int] = []

    def round(self) -> bool:
        """Refine all blocks once; return whether one was split."""
        if self.rounds < self._whole:
            self._split_all()
        else:
            self._split_some()
        self.rounds += 1
        before = len(self.born)
        self.born += [self.rounds] * (len(self.parent) - before)
        return len(self.parent) > before

    def _split_all(self) -> None:
        """Number all worlds anew; one part of each block keeps its number."""
        for view in self.views:
            view.look(view.rows, self.block, self.ordered)
        keys = list(zip(self.block, *[view.sight for view in self.views], strict=True))
        kept: dict[int, Any] = {}
        number: dict[Any, int] = {}
        for key in sorted({*keys}) if self.ordered else dict.fromkeys(keys):
            number[key] = key[0]
            if kept.setdefault(key[0], key) is not key:
                number[key] = len(self.parent)
                self.parent.append(key[0])
        self.block = list(map(number.__getitem__, keys))

    def _split_some(self) -> None:
        """Split the blocks of worlds that see a world that moved; the largest part keeps the number."""
        number, around = self.block, set[int]()
        for view in self.views:
            rows = view.rows
            if self._inside:
                rows = [rows[k] for k in {*chain.from_iterable(map(view.seeing.__getitem__, self._moved))}]
            view.look(rows, number, self.ordered)
            around.update(*[who for who, _ in rows])
        if not self._inside:
            self._inside = grouped((block, w) for w, block in enumerate(number))
            self._size = Counter(number)
        inside, size = self._inside, self._size
        worlds = [w for w in around if size[number[w]] > 1]
        columns = [number, *[view.sight for view in self.views]]
        keys = zip(*[map(column.__getitem__, worlds) for column in columns], strict=True)
        alike = grouped(zip(keys, worlds, strict=True))
        self._moved = []
        for block, parts in grouped([(key[0], alike[key]) for key in sorted(alike)]).items():
            rest = size[block] - sum(map(len, parts))
            if not self.ordered:
                parts.sort(key=len)
            if not rest or (len(parts[-1]) > rest and not self.ordered):
                most = parts.pop()  # they keep the number, and those that saw no world move get another
                if rest:
                    parts.append([w for w in inside[block] if number[w] == block and w not in around])
                inside[block] = most
            for part in parts:
                new = len(self.parent)
                for w in part:
                    number[w] = new
                size[block] -= len(part)
                size[new], inside[new] = len(part), part
                self.parent.append(block)
                self._moved += part

    def run(self, depth: int | None = None) -> Self:
        """Refine until no block is split, or for `depth` rounds altogether."""
        size = sum(part >= 0 for part in self.block)
        while self.rounds != depth and len(self.parent) < size and self.round():
            pass
        return self

    def of(self, world: int, after: int | None = None) -> int:
        """Return the block of a world, now or after an earlier round."""
        block = self.block[world]
        while after is not None and self.born[block] > after:
            block = self.parent[block]
        return block

    def parted(self, one: int, other: int) -> int | None:
        """Return the first round that separated two worlds, None if they are in one block."""
        found, blocks = None, {self.of(one), self.of(other)}
        while len(blocks) > 1:
            later = max(blocks)
            found = self.born[later]
            blocks = blocks - {later} | {self.parent[later]}
        return found


def probable_agents(space: Worlds[Any], agents: Collection[str]) -> list[str]:
    """Return the given agents that have probabilities."""
    return [agent for agent in agents if space.weigh(agent, space.all)]


# --- contraction -----------------------------------------------------------------------------------


def merged_blocks(space: Worlds[Any], *, distributed: bool, probable: bool) -> tuple[Any, list[str]]:
    """Return the blocks whose worlds are merged, and the agents whose probabilities are preserved."""
    agents = probable_agents(space, space.relations if probable else space.weights)
    # one number per world cannot weigh a world differently for each of its observers: worlds with different
    # observers stay apart
    relations = [space.relations[agent] for agent in agents]
    columns = [relation.observers(space.all) for relation in relations if not relation.pools(space.all)]
    while True:
        found = space.refined(agents, columns)
        again = kept_apart(space, list(map(int, found.block))) if distributed else []
        if not again:
            return found, agents
        columns += [found.block, *again]


def kept_apart(space: Worlds[Any], block: Sequence[int]) -> list[list[int]]:
    """Return columns that keep apart what must not be merged if D is to be preserved; none if all may be.

    It is preserved if the agents who see worlds of a block from one world also see some world of it in
    common: then the intersection of the quotients is the quotient of the intersection. Otherwise only worlds
    of the block that the same worlds see may be merged.
    """
    several = {number for number, worlds in Counter(block).items() if worlds > 1}
    if not several:
        return []
    lacking, views = set[int](), Refinement(space, ()).views
    for combination in set(zip(*[view.row for view in views], strict=True)):
        rows = [view.rows[k][1] for view, k in zip(views, combination, strict=True) if k >= 0]
        sights = [[w for w in sees if block[w] in several] for sees in rows]
        common = Counter(chain.from_iterable(sights))
        seeing = Counter(chain.from_iterable({block[w] for w in sight} for sight in sights))
        lacking |= seeing.keys() - {block[w] for w, agents in common.items() if agents == seeing[block[w]]}
    if not lacking:
        return []
    seen_from = [zip(view.seeing, block, strict=True) for view in views]
    return [numbered(tuple(rows) if b in lacking else () for rows, b in column) for column in seen_from]
