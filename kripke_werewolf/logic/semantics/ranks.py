"""Plausibility: the ranks of worlds, belief read off them, and their changes, in the algebra of truth sets.

A rank of 0 is the most plausible; only the order among the worlds that an agent cannot tell apart counts
(Baltag and Smets 2008). That a rank is at least k is a hidden atom. So announcements, products and
contraction carry ranks on all carriers as they carry facts, and the decision procedure guesses them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, Self, TypeVar

from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.base.grouping import remembered
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Algebra, Formula

if TYPE_CHECKING:
    from kripke_werewolf.logic.semantics.action import ActionModel

S = TypeVar("S")

MOST_RANKS = 1000
"""The greatest rank: each is a truth set."""


class RankAtom(str):
    """The name of a hidden atom: the rank of a world for an agent is at least `least`."""

    __slots__ = ("agent", "least")
    agent: str
    least: int

    def __new__(cls, agent: str, least: int) -> RankAtom:
        """Return the name for an agent and a rank."""
        found = super().__new__(cls, f"rank of {agent} at least {least}")
        found.agent, found.least = agent, least
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return RankAtom, (self.agent, self.least)

    @property
    def formula(self) -> Formula:
        """The atom as a formula; it has no notation."""
        return s.Atom._make((self,), ())

    @property
    def by_layers(self) -> Formula:
        """The formula that says the same if the ranks are those of `Ranked.layered`."""
        found = list[Formula]()
        for _ in range(self.least):
            found.append(~s.Best(self.agent, s.conjunction(found)))
        return s.conjunction(found)


def facts_of(ranks: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
    """Return the worlds where each hidden atom is true, given the ranks of the worlds for some agents."""
    return {
        RankAtom(agent, k): [w for w, rank in enumerate(given) if rank >= k]
        for agent, given in ranks.items()
        for k in range(1, max(given, default=0) + 1)
    }


class Ranked(Algebra[S]):
    """What the operators of belief say, by the ranks in the valuation of a space."""

    __slots__ = ()
    valuation: Mapping[str, Any]
    _groups: dict[Any, Any]

    @abstractmethod
    def some(self, inside: S) -> bool:
        """Return whether a truth set is nonempty."""

    @abstractmethod
    def with_facts(self, facts: Mapping[str, S]) -> Self:
        """Return the space with the truth sets of some atoms replaced, or with further atoms."""

    @property
    def atoms(self) -> tuple[str, ...]:
        """The names of the atoms that are not hidden."""
        return tuple([atom for atom in self.valuation if type(atom) is not RankAtom])

    def ranks(self, agent: str) -> int:
        """Return the greatest rank that a world may have for an agent; 0: all are equally plausible."""

        def greatest() -> int:
            return next(k for k in count() if RankAtom(agent, k + 1) not in self.valuation)

        return remembered(self._groups, ("ranks", agent), greatest)

    def levels(self, agent: str) -> list[S]:
        """Return the worlds of each rank, the most plausible first; some levels may be empty."""

        def levels() -> list[S]:
            at_least = [self.all]
            for k in range(1, self.ranks(agent) + 1):
                at_least.append(self.all_of([at_least[-1], self.fact(RankAtom(agent, k))]))
            below = [self.complement(worlds) for worlds in at_least[1:]]
            return [*map(self.all_of, zip(at_least, below, strict=False)), at_least[-1]]

        return remembered(self._groups, ("levels", agent), levels)

    def best(self, agent: str, inside: S) -> S:
        """Return the worlds of a set such that the agent sees no more plausible world of the set."""
        if not self.ranks(agent):
            return inside
        relation, found, better = self.relations[agent], [], self.any_of([])
        for level in self.levels(agent):
            here = self.all_of([inside, level])
            found.append(self.all_of([here, self.complement(better)]))
            better = self.any_of([better, self.diamond(relation, here)])
        return self.any_of(found)

    def safe(self, agent: str, inside: S) -> S:
        """Return the worlds such that all that the agent sees and that are as plausible are inside."""
        relation, found, bad = self.relations[agent], [], self.any_of([])
        outside = self.complement(inside)
        for level in self.levels(agent):
            bad = self.any_of([bad, self.diamond(relation, self.all_of([level, outside]))])
            found.append(self.all_of([level, self.complement(bad)]))
        return self.any_of(found)

    def commonly(self, group: tuple[str, ...], given: S, inside: S) -> S:
        """Return where all nonempty paths end inside that lead to their agents' best worlds of a set."""
        found, before = self.all, None
        steps = [(self.relations[agent], self.complement(self.best(agent, given))) for agent in group]
        while before is None or self.some(self.all_of([before, self.complement(found)])):
            before, there = found, self.all_of([inside, found])
            known = [self.box(relation, self.any_of([there, other])) for relation, other in steps]
            found = self.all_of([found, *known])
        return found

    # --- changes -----------------------------------------------------------------------------------

    def ranked(self, given: Mapping[str, Sequence[S]]) -> Self:
        """Return the space in which a rank for an agent is the number of given sets that a world is in."""
        facts: dict[str, S] = {
            RankAtom(agent, k): self.counted(sets, k, len(sets))
            for agent, sets in given.items()
            for k in range(1, len(sets) + 1)
        }
        return self.with_facts(facts)

    @property
    def is_ordered(self) -> bool:
        """Whether some agent finds some worlds more plausible than others."""
        return any(map(self.ranks, self.relations))

    def with_levels(self, given: Mapping[str, Sequence[S]]) -> Self:
        """Return the space with other ranks: for each agent the worlds of each; empty ones are left out."""
        none, facts = self.any_of([]), dict[str, S]()
        for agent, levels in given.items():
            kept, above = [level for level in levels if self.some(level)], none
            if len(kept) > MOST_RANKS + 1:
                raise ModelError(f"agent {agent!r} would have more than {MOST_RANKS:,} ranks")
            for k in range(len(kept) - 1, 0, -1):
                above = self.any_of([above, kept[k]])
                facts[RankAtom(agent, k)] = above
            for k in range(max(1, len(kept)), self.ranks(agent) + 1):
                facts[RankAtom(agent, k)] = none
        return self.with_facts(facts) if facts else self

    def tidied(self) -> Self:
        """Return the space with the ranks numbered anew, without gaps."""
        return self.with_levels({a: self.levels(a) for a in self.relations if self.ranks(a)})

    def layered(self) -> Self:
        """Return the space with ranks that count the more plausible layers in the cell of each world."""
        new = dict[str, list[S]]()
        for agent in self.relations:
            rest, layers = self.all, new.setdefault(agent, [])
            while self.ranks(agent) and self.some(rest):
                layers.append(self.best(agent, rest))
                rest = self.all_of([rest, self.complement(layers[-1])])
        return self.with_levels(new)

    def upgraded(self, inside: S, *, conservative: bool) -> Self:
        """Return the space in which the worlds of a set come first, or the best of them in each cell."""
        new = {}
        for agent in self.relations:
            first = self.best(agent, inside) if conservative else inside
            levels, rest = self.levels(agent), self.complement(first)
            new[agent] = [self.all_of([part, level]) for part in (first, rest) for level in levels]
        return self.with_levels(new)

    def prioritised(self, action: ActionModel) -> tuple[Self, ActionModel]:
        """Return the space and the action such that its product orders events first, then worlds.

        This is the action priority rule (Baltag and Smets 2008): the ranks of events become postconditions.
        """
        if not any(event.ranks for event in action.events.values()):
            return self, action
        most = {agent: action.most_rank(agent) for agent in self.relations}
        facts, none = dict[str, S](), self.any_of([])
        posts: dict[Any, dict[str, Formula]] = {name: {} for name in action.events}
        for agent in (agent for agent in most if most[agent]):
            number = self.ranks(agent) + 1
            for k in range(1, number * (1 + most[agent])):
                if k >= number:
                    facts[RankAtom(agent, k)] = none
                for name, event in action.events.items():
                    posts[name][RankAtom(agent, k)] = _rank(agent, k - number * event.rank_for(agent), number)
        changed = {e: event.changing({**event.post, **posts[e]}) for e, event in action.events.items()}
        wide = self.with_facts(facts)
        wide.memo.update(self.memo)
        return wide, action.with_events(changed)


def _rank(agent: str, least: int, number: int) -> Formula:
    """Return the formula that a rank below `number` is at least `least`."""
    if least <= 0:
        return s.TRUE
    return RankAtom(agent, least).formula if least < number else s.FALSE


def hidden(atoms: Mapping[str, Any], agents: Any) -> list[RankAtom]:
    """Return the hidden atoms of some agents."""
    return [atom for atom in atoms if isinstance(atom, RankAtom) and atom.agent in agents]
