"""The inside of a symbolic structure: variables, facts, law and relations.

A state assigns a truth value to every variable and satisfies the law. An atom is a *fact*: a
function of the variables, at first a variable of its own. A factual change replaces the function,
so the variable keeps the old value for those who observed it, and nothing grows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias
from weakref import WeakSet

from kripke_werewolf.errors import UnknownAtomError, UnknownWorldError
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.symbolic.bdd import BDDs, Diagram, Variables, members, variable_set
from kripke_werewolf.symbolic.conjunction import Conjunction, Part
from kripke_werewolf.symbolic.relation import Law, Relation
from kripke_werewolf.symbolic.weights import Weighting

__all__ = ["Space", "State"]

State: TypeAlias = frozenset[str]


@dataclass(frozen=True)
class Space:
    """A symbolic structure without its designated states; an immutable value.

    `vocabulary`: the variable of each name, in order; `valuation`: the function of each atom.
    Names that are not atoms are hidden: they tell apart states that agree on all atoms.
    `variables`: the formulas of the values of declared variables. `weightings`: the factors of the
    weights of states. `bound`: atoms that stand for a quantified variable here. `checked`: a cache
    of formulas whose names are known to occur here, and so after every update.
    """

    bdds: BDDs
    vocabulary: Mapping[str, int]
    valuation: Mapping[str, Part]
    law: Law
    relations: Mapping[str, Relation]
    variables: Mapping[str, Mapping[str, Formula]]
    weightings: tuple[Weighting, ...] = ()
    bound: Mapping[str, Part] = field(default_factory=dict)
    checked: WeakSet[Formula] = field(default_factory=WeakSet, compare=False, repr=False)

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of the agents, in order."""
        return tuple(self.relations)

    @property
    def atoms(self) -> tuple[str, ...]:
        """The names of the atoms, in order."""
        return tuple(self.valuation)

    def fact(self, atom: str) -> Part:
        """Return the function that an atom stands for."""
        return self.bound[atom] if atom in self.bound else self.valuation[atom]

    def literal(self, name: str) -> Part:
        """Return the variable of a name as a function."""
        v = self.vocabulary[name]
        return Part(self.bdds.variable(v), 1 << v)

    def restricted(self, *parts: Part) -> Space:
        """Return the space of the states where the parts are true: a public announcement."""
        return replace(self, law=self.law.also(*parts))

    @cached_property
    def derived(self) -> tuple[str, ...]:
        """The atoms that are not, or no longer, the variable of their name."""
        return tuple(
            a
            for a, p in self.valuation.items()
            if a not in self.vocabulary or p.diagram != self.literal(a).diagram
        )

    def state(self, true: Collection[int]) -> State:
        """Return the state in which just the given variables are true: the set of its true names."""
        names = {name for name, v in self.vocabulary.items() if v in true}
        names.update(a for a in self.derived if self.bdds.value(self.valuation[a].diagram, true))
        return frozenset(names)

    def assignment(self, state: Iterable[str]) -> frozenset[int]:
        """Return the variables that are true at a state.

        Raises `UnknownAtomError` for a name that is no atom, and `UnknownWorldError` if no state
        of the law has just these true names.
        """
        if isinstance(state, str) or not isinstance(state, Iterable):
            raise UnknownWorldError(state, (), place="a symbolic structure: give the set of its true atoms")
        names = frozenset(state)
        for name in names:
            if name not in self.vocabulary and name not in self.valuation:
                raise UnknownAtomError(name, self.atoms)
        true = frozenset(self.vocabulary[n] for n in names if n in self.vocabulary)
        if self.state(true) != names or not all(self.bdds.value(p.diagram, true) for p in self.law.all.parts):
            shown = "{" + ", ".join(sorted(names)) + "}"
            raise UnknownWorldError(shown, (), kind="state", place="the structure; its law excludes it")
        return true

    def assignments(self, inside: Conjunction) -> Iterator[frozenset[int]]:
        """Yield the assignments to the vocabulary that satisfy `inside`, by the sets of true variables.

        In lexicographic order of the diagrams' variable order, false before true.
        """
        order = sorted(members(self.law.scope), key=self.bdds.level)
        stack: list[tuple[Diagram, int, Any]] = [(self.bdds.attempt(inside.whole).diagram, 0, None)]
        while stack:
            f, depth, path = stack.pop()
            if f == self.bdds.false:
                continue
            if depth == len(order):
                found = []
                while path is not None:
                    v, path = path
                    found.append(v)
                yield frozenset(found)
                continue
            v = order[depth]
            branch = self.bdds.branch(f)
            _, high, low = branch if branch is not None and branch[0] == v else (v, f, f)
            stack.append((high, depth + 1, (v, path)))
            stack.append((low, depth + 1, path))

    def unbound(self) -> Space:
        """Return the space in which no atom is bound."""
        return replace(self, bound={})

    def binding(self, names: tuple[str, ...]) -> tuple[Space, Variables]:
        """Return the space in which atoms stand for new variables, the same at all states."""
        new = self.bdds.declare(len(names))
        bound = {n: Part(self.bdds.variable(v), 1 << v) for n, v in zip(names, new, strict=True)}
        return replace(self, bound={**self.bound, **bound}), variable_set(new)
