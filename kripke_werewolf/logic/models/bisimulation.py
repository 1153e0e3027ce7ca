"""Bisimilarity of two pointed models, and formulas that distinguish them.

The formulas are read off the rounds of partition refinement: worlds separated in round k differ in an atom (k
= 0), or one of them sees a block of the round before that the other does not see (Cleaveland 1990). Of the
formulas found, shorter ones are preferred.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.logic.formulas.operators import Atom, Knows, Not, Possible, Probability, conjunction
from kripke_werewolf.logic.formulas.syntax import Formula, natural
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.logic.semantics.bits import BitSpace, Cells
from kripke_werewolf.logic.semantics.contraction import Refinement, probable_agents
from kripke_werewolf.logic.semantics.ranks import RankAtom, facts_of
from kripke_werewolf.logic.semantics.space import Worlds
from kripke_werewolf.logic.semantics.worlds import Computed

# blocks seen by only one of two worlds for which a formula is computed
_CANDIDATES = 6


def bisimilar(
    m: KripkeModel,
    w: Hashable | KripkeModel,
    n: KripkeModel | None = None,
    v: Hashable = None,
    *,
    depth: int | None = None,
) -> bool:
    """Return whether world w of m and world v of n are bisimilar: they satisfy the same formulas without D.

    `bisimilar(m, n)` compares the designated worlds of two pointed models.

    `depth`: compare only formulas of at most that modal depth (E and C count the steps they take). For agents
    with weights in one of the models, the probabilities of all formulas must agree as well. A contraction has
    weights, so it may differ from a model without them that is bisimilar to the one it was made from.

    D can distinguish bisimilar worlds, since it depends on the intersection of several agents' relations.

    >>> one = KripkeModel(["w"], {"a": [("w", "w")]}, {"p": ["w"]})
    >>> two = KripkeModel(["u", "v"], {"a": [("u", "v"), ("v", "u")]}, {"p": ["u", "v"]})
    >>> bisimilar(one, "w", two, "u")
    True

    Raises `ModelError` if the models differ in their agents or atoms.
    """
    both = _side_by_side(*_pointed(m, w, n, v))
    blocks = both.blocks(None if depth is None else natural(depth, "depth"))
    return blocks.parted(both.left, both.right) is None


def distinguishing_formula(
    m: KripkeModel, w: Hashable | KripkeModel, n: KripkeModel | None = None, v: Hashable = None
) -> Formula | None:
    """Return a formula that is true at world w of m and false at world v of n; None if they are bisimilar.

    `distinguishing_formula(m, n)` is about the designated worlds of two pointed models.

    Its modal depth is minimal; it is kept short, though it need not be the shortest. It is built from K, M,
    Boolean operators and, for agents with weights, P.

    >>> m = KripkeModel.from_partitions("wv", {"a": [["w", "v"]]}, {"p": ["w"]})
    >>> n = KripkeModel.from_partitions("w", {"a": [["w"]]}, {"p": ["w"]})
    >>> str(distinguishing_formula(m, "w", n, "w"))
    'M_a ~p'

    Raises `ModelError` if the models differ in their agents or atoms.
    """
    both = _side_by_side(*_pointed(m, w, n, v))
    search = _Search(both.space, both.blocks())
    if search.blocks.parted(both.left, both.right) is None:
        return None
    tasks = [(both.left, both.right)]
    while tasks:  # a stack instead of recursion, so that formulas may be deep
        missing = [pair for pair in search.needed(*tasks[-1]) if search.key(*pair) not in search.found]
        if missing:
            tasks.extend(missing)
        else:
            search.settle(*tasks.pop())
    return search.found[search.key(both.left, both.right)]


def _pointed(
    m: KripkeModel, w: Hashable | KripkeModel, n: KripkeModel | None, v: Hashable
) -> tuple[KripkeModel, Hashable, KripkeModel, Hashable]:
    """Return two models, each with a world of it, by default the only one that it designates."""
    if isinstance(n, KripkeModel):
        return m, w, n, v
    if not isinstance(m, KripkeModel) or not isinstance(w, KripkeModel) or n is not None:
        raise ModelError("expected two models, each with a world: (m, w, n, v), or two pointed models")
    for model in (m, w):
        if len(model.designated) != 1:
            raise ModelError(f"{model!r} designates several worlds; name one of each model: (m, w, n, v)")
    return m, m.designated[0], w, w.designated[0]


# --- two models as one -----------------------------------------------------------------------------


class _Both(NamedTuple):
    """The worlds reachable from two pointed models in one space; `left` and `right` are the points."""

    space: Worlds[Any]
    left: int
    right: int

    def blocks(self, depth: int | None = None) -> Refinement:
        """Return the blocks after `depth` rounds, by default after the last round that splits a block."""
        return Refinement(self.space, probable_agents(self.space, self.space.weights)).run(depth)


def _side_by_side(m: KripkeModel, w: Hashable, n: KripkeModel, v: Hashable) -> _Both:
    """Return the worlds reachable from the two points, in one space."""
    for what, ours, theirs in (("agents", m.agents, n.agents), ("atoms", m.atoms, n.atoms)):
        if odd := sorted(set(ours) ^ set(theirs)):
            raise ModelError(
                f"the models must have the same {what} to be compared; only one of them has {', '.join(odd)}"
            )
    if m is n:
        part = m.point(w, v).generated()
        return _Both(part.space.layered(), part.worlds.index(w), part.worlds.index(v))
    left, right = m.point(w).generated(), n.point(v).generated()
    first, second, offset = left.space.layered(), right.space.layered(), len(left)
    places = left.worlds.index(w), offset + right.worlds.index(v)
    # an agent that has no probabilities in one of the models is compared without them
    weighed = [
        a
        for a in left.agents
        if (a in first.weights or a in second.weights) and all(s.weigh(a, s.all) for s in (first, second))
    ]
    facts = facts_of({a: first.listed_ranks(a) + second.listed_ranks(a) for a in left.agents})
    for p in left.atoms:
        beyond = [offset + world for world in second.members(second.fact(p))]
        facts[p] = first.members(first.fact(p)) + beyond
    parts: Any = (
        Computed(offset + len(right), int, lambda name: name if isinstance(name, int) else None),
        {a: Cells(*first.cells(a)).beside(Cells(*second.cells(a))) for a in left.agents},
        facts,
        {a: first.listed_weights(a) + second.listed_weights(a) for a in weighed},
        first.variables,
    )
    if isinstance(first, BitSpace) and isinstance(second, BitSpace):
        return _Both(BitSpace.of(*parts), *places)
    from kripke_werewolf.logic.semantics.arrays import ArraySpace

    return _Both(ArraySpace.of(*parts), *places)


# --- formulas ----------------------------------------------------------------------------------------


class _Candidate(NamedTuple):
    """A way to distinguish x from y: the formula of world `one`, false at the worlds `others`.

    Without `comparison`, only x sees a world like `one`, with `turned` only y; `others` are the worlds the
    other one sees. With it, both see such worlds with different probabilities: `comparison` says how the
    probability at x compares with that at y, and gives the one at x; `others` are the other worlds that x
    sees.
    """

    agent: str
    one: int
    others: list[int]
    turned: bool = False
    comparison: tuple[str, Fraction] | None = None


class _Search:
    """Formulas for pairs of worlds; all worlds of a block share them."""

    def __init__(self, space: Worlds[Any], blocks: Refinement) -> None:
        self.space, self.blocks = space, blocks
        self.found: dict[tuple[int, int], Formula] = {}
        self._ways: dict[tuple[int, int], list[_Candidate]] = {}
        self._length: dict[Formula, int] = {}
        several = {blocks.of(w) for w in space.members(space.all)}
        self._most = _CANDIDATES if len(several) <= 100 else 1

    def key(self, x: int, y: int) -> tuple[int, int]:
        return self.blocks.of(x), self.blocks.of(y)

    def needed(self, x: int, y: int) -> list[tuple[int, int]]:
        """Return the pairs of worlds whose formulas the formula for (x, y) is built from."""
        key = self.key(x, y)
        if key not in self._ways:
            self._ways[key] = self._candidates(x, y)
        return [(way.one, other) for way in self._ways[key] for other in way.others]

    def settle(self, x: int, y: int) -> None:
        """Find the formula for (x, y); the formulas it needs are known."""
        ways = self._ways[self.key(x, y)]
        options = [self._formula(way) for way in ways] or [self._atom(x, y)]
        self.found[self.key(x, y)] = min(options, key=self._size)

    def _atom(self, x: int, y: int) -> Formula:
        space = self.space
        values = {p: (space.has(space.fact(p), x), space.has(space.fact(p), y)) for p in space.valuation}
        here = [p for p, (at_x, at_y) in values.items() if at_x and not at_y]
        there = [p for p, (at_x, at_y) in values.items() if at_y and not at_x]
        name = [*here, *there][0]
        found = name.by_layers if isinstance(name, RankAtom) else Atom(name)
        return found if here else Not(found)

    def _candidates(self, x: int, y: int) -> list[_Candidate]:
        """Return ways to distinguish x from y by their successors, in the blocks of the round before."""
        parted = self.blocks.parted(x, y)
        if not parted:
            return []
        out: list[_Candidate] = []
        for agent in self.space.relations:
            mine, theirs = self._seen(agent, x, parted - 1), self._seen(agent, y, parted - 1)
            out += [_Candidate(agent, w, [*theirs.values()]) for b, w in mine.items() if b not in theirs]
            out += [_Candidate(agent, w, [*mine.values()], True) for b, w in theirs.items() if b not in mine]
            if agent in self.space.weights and mine.keys() == theirs.keys():
                here, there = self._shares(agent, x, parted - 1), self._shares(agent, y, parted - 1)
                for b, w in mine.items():
                    if here[b] != there[b]:
                        others = [v for c, v in mine.items() if c != b]
                        comparison = (">=" if here[b] > there[b] else "<=", here[b])
                        out.append(_Candidate(agent, w, others, False, comparison))
        return sorted(out, key=lambda way: len(way.others))[: self._most]

    def _successors(self, agent: str, world: int) -> list[int]:
        return self.space.members(self.space.sees(self.space.relations[agent], world))

    def _seen(self, agent: str, world: int, number: int) -> dict[int, int]:
        """Return the blocks of a round that an agent sees at a world, with one world of each."""
        found: dict[int, int] = {}
        for v in self._successors(agent, world):
            found.setdefault(self.blocks.of(v), v)
        return {self.blocks.of(v, number): v for _, v in sorted(found.items())}

    def _shares(self, agent: str, world: int, number: int) -> dict[int, Fraction]:
        """Return an agent's probability of each block at a world."""
        space = self.space
        successors = self._successors(agent, world)
        total = space.weigh(agent, space.set_of(successors))
        shares: dict[int, Fraction] = {}
        for v in successors:
            block = self.blocks.of(v, number)
            share = Fraction(space.weigh(agent, space.set_of([v])), total or 1)
            shares[block] = shares.get(block, Fraction(0)) + share
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
        """Return a short formula that is true at one world and false at the others."""
        if len(others) == 1:
            return self.found[self.key(one, others[0])]
        pool = {f: self._true_at(f, others) for f in {self.found[self.key(one, o)] for o in others}}
        order = sorted(pool, key=lambda f: (self._size(f), str(f)))
        chosen: list[Formula] = []
        left = set(range(len(others)))
        while left:
            best = max(order, key=lambda f: len(left - pool[f]))
            chosen.append(best)
            left &= pool[best]
        for f in sorted(chosen, key=self._size, reverse=True):
            rest = [g for g in chosen if g is not f]
            if rest and not set.intersection(*(pool[g] for g in rest)):
                chosen = rest
        return conjunction(chosen)

    def _true_at(self, f: Formula, worlds: Sequence[int]) -> set[int]:
        """Return the indices of the given worlds where a formula is true."""
        inside = self.space.truth(f)
        return {place for place, w in enumerate(worlds) if self.space.has(inside, w)}

    def _size(self, f: Formula) -> int:
        for node in f.ordered(lambda g: () if g in self._length else g.children):
            self._length[node] = 1 + sum(self._length[c] for c in node.children)
        return self._length[f]
