"""What agents consider possible, on diagrams.

An agent observes some variables; the states it considers possible are those of the law that agree
on them (knowledge structures; van Benthem, van Eijck, Gattinger and Su 2018, section 2). Where
that is not all, a *link* over the variables and the copies of the unobserved ones says which
states are accessible from which (belief structures; ibid., section 4).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kripke_werewolf.symbolic.bdd import BDDs, Variables
from kripke_werewolf.symbolic.conjunction import Conjunction, Part

__all__ = ["Law", "Relation", "copied"]


class Law:
    """The states there are: a conjunction over the variables of a vocabulary; an immutable value.

    It remembers its projections, since the knowledge of one agent asks for the same ones again.
    """

    __slots__ = ("_projections", "all", "scope")

    def __init__(self, conjunction: Conjunction, scope: Variables) -> None:
        self.all, self.scope = conjunction, scope
        self._projections: dict[Variables, Conjunction] = {}

    @property
    def bdds(self) -> BDDs:
        """The manager of the diagrams."""
        return self.all.bdds

    def without(self, variables: Variables) -> Conjunction:
        """Return where some values of the variables give a state."""
        if not variables:
            return self.all
        found = self._projections.get(variables)
        if found is None:
            found = self._projections[variables] = self.all.eliminate(variables)
        return found

    def also(self, *parts: Part) -> Law:
        """Return the law restricted to the states where the parts are true."""
        return Law(self.all.also(*parts), self.scope)

    def states(self, inside: Part) -> Conjunction:
        """Return the states where `inside` is true."""
        return Conjunction(self.bdds, (*self.all.parts, inside))

    def some(self, inside: Part) -> bool:
        """Return whether `inside` is true at some state, provided that there are states."""
        related = self.all.connected(inside.support)
        return Conjunction(self.bdds, (*related, inside)).satisfiable()


@dataclass(frozen=True, slots=True)
class Relation:
    """An accessibility relation: agreement on the observed variables, and a link.

    The link is a conjunction over variables and copies of unobserved ones; when it is empty the
    relation is an equivalence.
    """

    observed: Variables
    link: tuple[Part, ...] = ()
    # the variables whose copies the link mentions
    reach: Variables = field(init=False, default=0)

    def __post_init__(self) -> None:
        support = 0
        for p in self.link:
            support |= p.support
        object.__setattr__(self, "reach", support >> 1 & _originals(support))

    def possible(self, law: Law, inside: Part) -> Part:
        """Return the states from which some accessible state lies inside: M φ from φ.

        As all results, it is meant relative to the law: elsewhere it says nothing.
        """
        needed = (inside.support | self.reach) & law.scope & ~self.observed
        return self._reaching(law, inside, needed, self._context(law, needed))

    def _context(self, law: Law, needed: Variables) -> list[Part]:
        """Return what the law says about the needed variables, the other unobserved ones eliminated.

        A part without needed variables says something about observed ones only, which the state
        itself already satisfies.
        """
        if not needed:
            return []
        rest = law.without(law.scope & ~self.observed & ~needed)
        return [p for p in rest.parts if p.support & needed]

    def _reaching(self, law: Law, inside: Part, needed: Variables, context: list[Part]) -> Part:
        bdds = law.bdds
        if self.link:
            renamed = (copied(bdds, p, needed) for p in (*context, inside))
            return Conjunction(bdds, (*self.link, *renamed)).eliminate(needed << 1).whole()
        if len(context) == 1:  # the usual case, kept short
            diagram = bdds.and_exists(context[0].diagram, inside.diagram, needed)
            return Part(diagram, (context[0].support | inside.support) & ~needed)
        return Conjunction(bdds, (*context, inside)).eliminate(needed).whole() if needed else inside

    def necessary(self, law: Law, inside: Part) -> Part:
        """Return the states from which all accessible states lie inside: K φ from φ."""
        outside = self.possible(law, Part(~inside.diagram, inside.support))
        return Part(~outside.diagram, outside.support)

    def whether(self, law: Law, inside: Part) -> Part:
        """Return the states from which all or none of the accessible states lie inside: Kw φ from φ."""
        needed = (inside.support | self.reach) & law.scope & ~self.observed
        context = self._context(law, needed)
        one = needed == inside.support and needed.bit_count() == 1
        if one and len(context) == 1 and not self.link and law.bdds.branch(inside.diagram) is not None:
            # an unobserved variable or its negation: unknown where the law allows both values
            only = context[0]
            return Part(law.bdds.exists(~only.diagram, needed), only.support & ~needed)
        some = self._reaching(law, inside, needed, context)
        other = self._reaching(law, Part(~inside.diagram, inside.support), needed, context)
        return Part(~(some.diagram & other.diagram), some.support | other.support)

    def accessible(self, law: Law, start: Part) -> Part:
        """Return the states that are accessible from some state of `start`."""
        unseen = law.scope & ~self.observed
        before = law.states(start)
        if not self.link:
            return before.eliminate(unseen).whole()
        linked = Conjunction(law.bdds, (*before.parts, *self.link)).eliminate(unseen).whole()
        copies = linked.support & (unseen << 1)
        diagram = law.bdds.uncopied(linked.diagram, copies >> 1)
        return Part(diagram, linked.support & ~copies | copies >> 1)

    def meet(self, law: Law, other: Relation) -> Relation:
        """Return the intersection of two relations: what distributed knowledge looks along."""
        observed = self.observed | other.observed
        return Relation(observed, tuple(_identified(law.bdds, p, observed) for p in self.link + other.link))

    def also(self, observed: Variables, *link: Part) -> Relation:
        """Return the relation restricted to states that agree on more variables and fit more links."""
        return Relation(self.observed | observed, self.link + link)


def _originals(variables: Variables) -> Variables:
    """Return the set of all even numbers as far as `variables` goes."""
    return int("01" * (variables.bit_length() // 2 + 1), 2)


def copied(bdds: BDDs, p: Part, variables: Variables) -> Part:
    """Replace variables by their copies."""
    moved = p.support & variables
    return Part(bdds.copied(p.diagram, moved), p.support & ~moved | moved << 1)


def _identified(bdds: BDDs, p: Part, observed: Variables) -> Part:
    """Put observed variables for their copies: accessible states agree on them."""
    moved = p.support & observed << 1
    return Part(bdds.uncopied(p.diagram, moved >> 1), p.support & ~moved | moved >> 1)
