"""Accessibility relations as diagrams.

An agent observes some variables; the states it considers possible are those of the law that agree on them
(knowledge structures; van Benthem, van Eijck, Gattinger and Su 2018, section 2). If more is needed, a *link*
over the variables and the copies of the unobserved ones says which states are accessible from which (belief
structures; ibid., section 4).

Truth sets have no meaning outside the law.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import and_
from typing import Any, TypeAlias

from kripke_werewolf.base.grouping import remembered
from kripke_werewolf.logic.symbolic.bdd import Oxidd, Variables
from kripke_werewolf.logic.symbolic.conjunction import Conjunction, Factor, balanced, joint_support

Step: TypeAlias = "Callable[[Law, Factor], Factor]"


class Law:
    """The set of states: a conjunction over the variables of a vocabulary; an immutable value.

    It caches its projections, since queries about one agent need the same ones again.
    """

    def __init__(self, conjunction: Conjunction, scope: Variables) -> None:
        self.all, self.scope = conjunction, scope
        self._projections: dict[Variables, Conjunction] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Law, (self.all, self.scope)

    @property
    def bdds(self) -> Oxidd:
        """The manager of the diagrams."""
        return self.all.bdds

    def without(self, variables: Variables) -> Conjunction:
        """Return the projection of the law that forgets the variables."""
        if not variables:
            return self.all
        return remembered(self._projections, variables, lambda: self.all.eliminate(variables))

    def also(self, *parts: Factor, new: Variables = 0) -> Law:
        """Return the law restricted to states where the parts are true, with new variables."""
        return Law(self.all.also(*parts), self.scope | new)

    def states(self, inside: Factor) -> Conjunction:
        """Return the states where `inside` is true."""
        return Conjunction(self.bdds, (*self.all.parts, inside))

    def some(self, inside: Factor) -> bool:
        """Return whether `inside` is true at some state; there must be states."""
        related = self.all.connected(inside.support)
        return Conjunction(self.bdds, (*related, inside)).satisfiable()

    def settled(self, p: Factor) -> Factor:
        """Return a constant if the law determines the truth value, else the part itself.

        If the law has several parts, knowledge can be simple at all states but complicated elsewhere.
        """
        if len(self.all.parts) < 2 or not p.support:
            return p
        if not self.some(p):
            return Factor(self.bdds.false, 0)
        return p if self.some(~p) else Factor(self.bdds.true, 0)


class _Accessible(ABC):
    """The scope of a modal operator, along a relation."""

    __slots__ = ()

    @abstractmethod
    def possible(self, law: Law, inside: Factor) -> Factor:
        """Return the states from which some accessible state lies inside: M φ from φ."""

    def necessary(self, law: Law, inside: Factor) -> Factor:
        """Return the states from which all accessible states lie inside: K φ from φ."""
        return ~self.possible(law, ~inside)

    def whether(self, law: Law, inside: Factor) -> Factor:
        """Return the states from which all or none of the accessible states lie inside: Kw φ from φ."""
        return self.necessary(law, inside) | self.necessary(law, ~inside)


@dataclass(frozen=True, slots=True)
class Relation(_Accessible):
    """An accessibility relation: agreement on the observed variables, and a link.

    The link is a conjunction over variables and copies of unobserved ones; when it is empty the
    relation is an equivalence.
    """

    observed: Variables
    link: tuple[Factor, ...] = ()
    # the variables whose copies the link mentions
    reach: Variables = field(init=False, default=0)

    def __post_init__(self) -> None:
        support = joint_support(self.link)
        originals = int("01" * (support.bit_length() // 2 + 1), 2)  # all even numbers up to the greatest
        object.__setattr__(self, "reach", support >> 1 & originals)

    def possible(self, law: Law, inside: Factor) -> Factor:  # noqa: D102 - inherited
        bdds, (needed, context) = law.bdds, self._context(law, inside)
        parts = (*context, inside)
        if self.link:
            renamed = (primed(bdds, p, needed) for p in parts)
            found = Conjunction(bdds, (*self.link, *renamed)).eliminate(needed << 1).whole()
        else:
            found = Conjunction(bdds, parts).eliminate(needed).whole() if needed else inside
        return law.settled(found)

    def _context(self, law: Law, inside: Factor) -> tuple[Variables, list[Factor]]:
        """Return the unobserved variables whose values matter, and the law's constraints on them.

        Other unobserved ones are eliminated. A part without needed variables constrains observed ones only,
        which the state itself satisfies.
        """
        needed = (inside.support | self.reach) & law.scope & ~self.observed
        rest = law.without(law.scope & ~self.observed & ~needed) if needed else Conjunction(law.bdds)
        return needed, [p for p in rest.parts if p.support & needed]

    def accessible(self, law: Law, start: Factor) -> Factor:
        """Return the states accessible from a set of states."""
        unseen = law.scope & ~self.observed
        before = law.states(start)
        if not self.link:
            return before.eliminate(unseen).whole()
        linked = Conjunction(law.bdds, (*before.parts, *self.link)).eliminate(unseen).whole()
        return _uncopied(law.bdds, linked, unseen)

    def meet(self, bdds: Oxidd, other: Relation) -> Relation:
        """Return the intersection of two relations, for distributed knowledge."""
        observed = self.observed | other.observed
        # accessible states agree on the observed variables
        return Relation(observed, tuple(_uncopied(bdds, p, observed) for p in self.link + other.link))

    def also(self, observed: Variables, *link: Factor) -> Relation:
        """Return the relation restricted to states that agree on more variables and satisfy more links."""
        return Relation(self.observed | observed, self.link + link)


@dataclass(frozen=True, slots=True)
class TransitiveClosure(_Accessible):
    """One or more steps along any of several relations, each to a state in `within`, for common knowledge."""

    relations: Sequence[Relation]
    within: Factor

    def necessary(self, law: Law, inside: Factor) -> Factor:
        """Return C φ = E X for the greatest fixpoint X of within -> φ & E X.

        Its complement grows from the states outside φ, one agent's step at a time; each step uses the result
        of the one before.
        """

        def step(relation: Relation) -> Step:
            return lambda law, found: self.within & relation.possible(law, found)

        lost = grown(law, self.within & ~inside, [step(r) for r in self.relations])
        if self.within.diagram == law.bdds.true and not any(r.link for r in self.relations):
            return ~lost  # equivalences: one more step leads nowhere new
        return balanced(law.bdds, and_, [r.necessary(law, ~lost) for r in self.relations], law.bdds.true)

    def possible(self, law: Law, inside: Factor) -> Factor:  # noqa: D102 - inherited
        return ~self.necessary(law, ~inside)


class Everything(_Accessible):
    """The total relation: every state sees every state."""

    def possible(self, law: Law, inside: Factor) -> Factor:  # noqa: D102 - inherited
        # quantified variables do not belong to states and remain
        return law.states(inside).eliminate(law.scope).whole()


def grown(law: Law, start: Factor, steps: Sequence[Step]) -> Factor:
    """Return the closure of a set of states under steps, taken in turn."""
    found = start
    unchanged = turn = 0
    while unchanged < len(steps):
        more = steps[turn % len(steps)](law, found)
        turn += 1
        if law.some(more & ~found):
            found = found | more
            unchanged = 0
        else:
            unchanged += 1
    return found


def primed(bdds: Oxidd, p: Factor, variables: Variables) -> Factor:
    """Replace variables by their copies."""
    moved = p.support & variables
    return Factor(bdds.copied(p.diagram, moved), p.support & ~moved | moved << 1)


def _uncopied(bdds: Oxidd, p: Factor, variables: Variables) -> Factor:
    """Replace the copies of variables by the variables."""
    moved = p.support & variables << 1
    return Factor(bdds.copied(p.diagram, moved >> 1, back=True), p.support & ~moved | moved >> 1)
