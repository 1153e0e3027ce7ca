"""Formulas that tell two pointed models apart.

Read off the rounds of partition refinement: worlds that part in round k differ in an atom (k = 0),
or one of them sees a block, as blocks were a round before, that the other does not see (Cleaveland
1990). Among the formulas found on the way the shorter ones are taken.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.operators import Atom, Knows, Not, Possible, conjunction
from kripke_werewolf.language.probability import Probability
from kripke_werewolf.models.bisimulation import Union, union
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.models.numbering import Longs
from kripke_werewolf.models.refinement import Refinement
from kripke_werewolf.models.relation import Mask

__all__ = ["distinguishing_formula"]

# blocks, of those that only one of two worlds sees, for which a formula is worked out
_CANDIDATES = 6


def distinguishing_formula(m: KripkeModel, w: Hashable, n: KripkeModel, v: Hashable) -> Formula | None:
    """Return a formula that is true at world w of m and false at world v of n; None if they are bisimilar.

    It has the smallest modal depth that such a formula can have, and is kept short, though not
    necessarily the shortest. It has no operator but K, M, booleans and, for agents with weights, P.

    >>> m = KripkeModel.from_partitions("wv", {"a": [["w", "v"]]}, {"p": ["w"]})
    >>> n = KripkeModel.from_partitions("w", {"a": [["w"]]}, {"p": ["w"]})
    >>> str(distinguishing_formula(m, "w", n, "w"))
    'M_a ~p'

    Raises `ModelError` if the models differ in their agents or atoms.
    """
    both = union(m, w, n, v)
    found = _told_apart(both, both.refinement().run())
    if found is None or m.holds(found, at=w) > n.holds(found, at=v):
        return found
    # the signatures of two different rows were equal in some round: look at the rows themselves
    refinement = both.refinement()
    while refinement.exact_round():
        pass
    return _told_apart(both, refinement)


def _told_apart(both: Union, refinement: Refinement) -> Formula | None:
    if refinement.block[both.left] == refinement.block[both.right]:
        return None
    search = _Search(both.model, refinement)
    tasks = [(both.left, both.right)]
    while tasks:  # a stack: the depth of the formula is no depth of recursion
        missing = [pair for pair in search.needed(*tasks[-1]) if search.key(*pair) not in search.found]
        if missing:
            tasks.extend(missing)
        else:
            search.settle(*tasks.pop())
    return search.found[search.key(both.left, both.right)]


class _Candidate(NamedTuple):
    """A way to tell x from y: `one`, a world that an agent sees at x or y, and all `others` it sees.

    `comparison`: None if x sees a world like `one` and y does not, or with `turned` the reverse;
    otherwise how the probability of its block at x compares with that at y, and with what number.
    """

    agent: str
    one: int
    others: list[int]
    turned: bool = False
    comparison: tuple[str, Fraction] | None = None


class _Search:
    """Formulas for pairs of worlds; all worlds of a block share them, and stand for each other."""

    def __init__(self, model: KripkeModel, refinement: Refinement) -> None:
        self.model, self.refinement = model, refinement
        self.found: dict[tuple[int, int], Formula] = {}
        self._ways: dict[tuple[int, int], list[_Candidate]] = {}
        self._true: dict[Formula, Mask] = {}
        self._length: dict[Formula, int] = {}
        self._successors: dict[tuple[str, int], Longs] = {}
        self._most = _CANDIDATES if refinement.count <= 100 else 1

    def key(self, x: int, y: int) -> tuple[int, int]:
        return int(self.refinement.block[x]), int(self.refinement.block[y])

    def needed(self, x: int, y: int) -> list[tuple[int, int]]:
        """Return the pairs of worlds whose formulas that of (x, y) is made of."""
        key = self.key(x, y)
        if key not in self._ways:
            self._ways[key] = self._candidates(x, y)
        return [(way.one, other) for way in self._ways[key] for other in way.others]

    def settle(self, x: int, y: int) -> None:
        """Find the formula for (x, y), those it needs being there."""
        ways = self._ways[self.key(x, y)]
        options = [self._formula(way) for way in ways] or [self._atom(x, y)]
        self.found[self.key(x, y)] = min(options, key=self._size)

    def _atom(self, x: int, y: int) -> Formula:
        rows = self.model.valuation
        here = [p for p in rows if rows[p][x] and not rows[p][y]]
        return Atom(here[0]) if here else Not(Atom(next(p for p in rows if rows[p][y] and not rows[p][x])))

    def _candidates(self, x: int, y: int) -> list[_Candidate]:
        """Return ways to tell x from y by what they see, as the blocks were a round before they part."""
        parted = self.refinement.parted(*self.key(x, y))
        if not parted:
            return []
        out: list[_Candidate] = []
        for agent in self.model.agents:
            mine, theirs = self._seen(agent, x, parted - 1), self._seen(agent, y, parted - 1)
            out += [_Candidate(agent, w, [*theirs.values()]) for b, w in mine.items() if b not in theirs]
            out += [_Candidate(agent, w, [*mine.values()], True) for b, w in theirs.items() if b not in mine]
            if agent in self.model.weights and mine.keys() == theirs.keys():
                here, there = self._shares(agent, x, parted - 1), self._shares(agent, y, parted - 1)
                for b, w in mine.items():
                    if here[b] != there[b]:
                        others = [v for c, v in mine.items() if c != b]
                        comparison = (">=" if here[b] > there[b] else "<=", here[b])
                        out.append(_Candidate(agent, w, others, False, comparison))
        return sorted(out, key=lambda way: len(way.others))[: self._most]

    def _seen(self, agent: str, world: int, number: int) -> dict[int, int]:
        """Return the blocks, as of a round, that an agent sees at a world, with a world of each."""
        successors = self._successors_of(agent, world)
        blocks, first = np.unique(self.refinement.block[successors], return_index=True)
        return {
            self.refinement.at_round(b, number): int(successors[i])
            for b, i in zip(blocks.tolist(), first.tolist(), strict=True)
        }

    def _successors_of(self, agent: str, world: int) -> Longs:
        relation = self.model.relations[agent]
        key = agent, int(relation.labels[world])
        if key not in self._successors:
            self._successors[key] = relation.successors(world)
        return self._successors[key]

    def _shares(self, agent: str, world: int, number: int) -> dict[int, Fraction]:
        """Return an agent's probability of each block at a world."""
        weights = self.model.weight(agent)
        successors = self._successors_of(agent, world)
        total = sum(int(weights[v]) for v in successors)
        shares: dict[int, Fraction] = {}
        for v in successors.tolist():
            block = self.refinement.at_round(int(self.refinement.block[v]), number)
            shares[block] = shares.get(block, Fraction(0)) + Fraction(int(weights[v]), total or 1)
        return shares

    def _formula(self, way: _Candidate) -> Formula:
        like = self._like(way.one, way.others)
        if way.comparison is not None:
            relation, number = way.comparison
            return Probability([(Fraction(1), way.agent, like)], relation, number)
        if way.turned:
            return Knows(way.agent, like.body if isinstance(like, Not) else Not(like))
        return Possible(way.agent, like)

    def _like(self, one: int, others: Sequence[int]) -> Formula:
        """Return a formula that is true at a world and at none of some others, from as few as will do."""
        if len(others) == 1:
            return self.found[self.key(one, others[0])]
        pool = {f: self._at(f, others) for f in {self.found[self.key(one, o)] for o in others}}
        order = sorted(pool, key=lambda f: (self._size(f), str(f)))
        chosen: list[Formula] = []
        left = np.ones(len(others), bool)
        while left.any():
            best = max(order, key=lambda f: int(np.count_nonzero(left & ~pool[f])))
            chosen.append(best)
            left &= pool[best]
        for f in sorted(chosen, key=self._size, reverse=True):
            rest = [g for g in chosen if g is not f]
            if rest and not np.logical_and.reduce([pool[g] for g in rest]).any():
                chosen = rest
        return conjunction(chosen)

    def _at(self, f: Formula, worlds: Sequence[int]) -> Mask:
        from kripke_werewolf.semantics.probability import probability_set

        true, model = self._true, self.model
        for node in _parts(f, true):
            match node:
                case Atom(name):
                    true[node] = model.valuation[name]
                case Not(body):
                    true[node] = ~true[body]
                case Knows(agent, body):
                    true[node] = model.relations[agent].box(true[body])
                case Possible(agent, body):
                    true[node] = ~model.relations[agent].box(~true[body])
                case Probability():
                    true[node] = probability_set(model, node, true)
                case _:  # a conjunction, of nothing if it is the constant
                    parts = [true[part] for part in node.children]
                    true[node] = np.logical_and.reduce([np.ones(len(model), bool), *parts])
        return true[f][list(worlds)]

    def _size(self, f: Formula) -> int:
        for node in _parts(f, self._length):
            self._length[node] = 1 + sum(self._length[c] for c in node.children)
        return self._length[f]


def _parts(f: Formula, known: Container[Formula]) -> Iterator[Formula]:
    """Yield the subformulas that are not known yet, children first; they must be known when resumed."""
    stack = [f]
    while stack:
        missing = [c for c in stack[-1].children if c not in known]
        if missing:
            stack += missing
        elif (node := stack.pop()) not in known:
            yield node
