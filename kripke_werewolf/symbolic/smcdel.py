"""Answers to the queries of SMCDEL files, by SMCDEL's definitions on the same diagrams.

A formula becomes a Boolean function on all assignments to the vocabulary, even those that violate the state
law (van Benthem, van Eijck, Gattinger and Su 2018, definition 5). This matters to quantifiers, which may
refer to such assignments, and to `TRUE?` at one of them; otherwise `KnowledgeStructure` and `KripkeModel`
give the same answers.
"""

from __future__ import annotations

from dataclasses import dataclass

from kripke_werewolf.errors import ModelTooLarge
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.models.formats.smcdel import Answer, SmcdelFile
from kripke_werewolf.semantics.space import Space
from kripke_werewolf.symbolic.bdd import Oxidd, Variables, variable_set
from kripke_werewolf.symbolic.conjunction import Conjunction, Factor
from kripke_werewolf.symbolic.diagrams import DiagramSpace
from kripke_werewolf.symbolic.relation import Law, Relation


def answers(file: SmcdelFile, *, limit: int, bdds: Oxidd | None = None) -> list[Answer]:
    """Return the answers to the queries of a file; see `SmcdelFile.answers`."""
    bdds = bdds or Oxidd()
    number = dict(zip(file.vocabulary, bdds.declare(len(file.vocabulary)), strict=True))
    scope = variable_set(number.values())
    seen = {agent: variable_set(number[p] for p in atoms) for agent, atoms in file.observables.items()}
    relations = {agent: _Everywhere(variables) for agent, variables in seen.items()}
    facts = {p: Factor(bdds.variable(v), 1 << v) for p, v in number.items()}
    everything = _Functions(bdds, number, facts, _Assignments(Conjunction(bdds), scope), relations, {})
    space = everything.with_law(everything.truth(file.law))
    law = space.law.all.whole()
    found: list[Answer] = []
    for query in file.queries:
        true = space.truth(query.formula)
        if query.state is not None:
            found.append(bdds.value(true.diagram, {number[p] for p in query.state}))
        elif query.kind == "VALID?":
            found.append((law & ~true).diagram == bdds.false)
        else:
            inside = law & true
            size = bdds.count(inside.diagram, len(number))
            if size > limit:
                advice = "ask VALID? or TRUE? instead, or narrow the question"
                raise ModelTooLarge(size, limit, f"the answer to {query.text}", advice)
            states = space.assignments(Conjunction(bdds, (inside,)))
            found.append([[_atom(p) for p, v in number.items() if v in state] for state in states])
    return found


def _atom(name: str) -> int | str:
    return int(name) if name.isdecimal() else name


class _Assignments(Law):
    """A law as a single diagram, whose functions are distinguished even where it is violated."""

    __slots__ = ()

    def also(self, *parts: Factor, new: Variables = 0) -> Law:
        whole = Conjunction(self.bdds, (*self.all.parts, *parts)).whole()
        return _Assignments(Conjunction(self.bdds, (whole,)), self.scope | new)

    def some(self, inside: Factor) -> bool:
        return bool(inside.diagram != self.bdds.false)

    def settled(self, p: Factor) -> Factor:
        return p


@dataclass(frozen=True, slots=True)
class _Everywhere(Relation):
    """The states that an agent considers possible, even at assignments that violate the law."""

    def _needed(self, law: Law, inside: Factor) -> Variables:
        return law.scope & ~self.observed

    def _context(self, law: Law, needed: Variables) -> list[Factor]:
        return [law.all.whole()]

    def meet(self, bdds: Oxidd, other: Relation) -> Relation:
        return _Everywhere(self.observed | other.observed)

    def also(self, observed: Variables, *link: Factor) -> Relation:
        return _Everywhere(self.observed | observed)


class _Functions(DiagramSpace):
    """A space whose quantifiers range over the variables themselves."""

    __slots__ = ()

    def instances(self, node: s.Quantifier) -> list[tuple[Space[Factor], Formula]]:
        return [(self, node.body)]

    def quantified(self, node: s.Quantifier, sets: list[Factor]) -> Factor:
        return self._projected(node, sets[0], variable_set(self.vocabulary[p] for p in node.names))
