"""What the meanings of operators are made of: an algebra of truth sets and relations, and actions.

`semantics.space` and `semantics.action` have the rest: they evaluate formulas and make updates.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import reduce
from operator import and_, or_, xor
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from kripke_werewolf.language.formulas import Formula
    from kripke_werewolf.language.operators import Dynamic, Probability, Quantifier

S = TypeVar("S")


class Action(Protocol):
    """What a formula needs of an action that it names: `semantics.ActionModel`."""

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """All preconditions and postconditions, each once."""

    @property
    def formula_agents(self) -> frozenset[str]:
        """The agents that occur in preconditions and postconditions."""

    @property
    def formula_atoms(self) -> frozenset[str]:
        """The atoms that occur in preconditions and postconditions, or are changed."""

    def point(self, *events: Hashable) -> Self:
        """Return the same action with the given events designated."""


class Algebra(ABC, Generic[S]):
    """Truth sets and relations, in which operators declare their truth conditions."""

    __slots__ = ()
    all: S
    relations: Mapping[str, Any]
    variables: Mapping[str, Mapping[str, Formula]]
    memo: dict[Formula, S]
    """The truth sets evaluated so far."""

    # --- truth sets: each carrier's own where these are not the fastest --------------------------

    def complement(self, inside: S) -> S:
        """Return the worlds outside a truth set."""
        return self.all ^ inside  # type: ignore[operator, no-any-return]

    def all_of(self, sets: Sequence[S]) -> S:
        """Return the intersection of truth sets."""
        return reduce(and_, sets)

    def any_of(self, sets: Sequence[S]) -> S:
        """Return the union of truth sets; without any, the empty set."""
        return reduce(or_, sets) if sets else self.complement(self.all)

    def odd_of(self, sets: Sequence[S]) -> S:
        """Return the worlds that are in an odd number of truth sets."""
        return reduce(xor, sets)

    def counted(self, sets: Sequence[S], low: int, high: int) -> S:
        """Return the worlds that are in at least `low` and at most `high` of the truth sets."""
        none = self.complement(self.all)
        row: list[Any] = [self.all] + [none] * (high + 1)  # row[j]: in at least j of those so far
        for number, inside in enumerate(sets, 1):
            for j in range(min(number, high + 1), 0, -1):
                row[j] = row[j] | (row[j - 1] & inside)
        return row[low] & self.complement(row[high + 1]) if low <= high else none

    @abstractmethod
    def fact(self, atom: str) -> S:
        """Return the truth set of an atom."""

    @abstractmethod
    def compared(self, node: Probability) -> S:
        """Return the truth set of a linear comparison of probabilities."""

    # --- relations -------------------------------------------------------------------------------

    @abstractmethod
    def box(self, relation: Any, inside: S) -> S:
        """Return the worlds whose successors all lie inside."""

    def diamond(self, relation: Any, inside: S) -> S:
        """Return the worlds with a successor inside."""
        return self.complement(self.box(relation, self.complement(inside)))

    def whether(self, relation: Any, inside: S) -> S:
        """Return the worlds whose successors all lie inside or all lie outside."""
        return self.any_of([self.box(relation, inside), self.box(relation, self.complement(inside))])

    @abstractmethod
    def met(self, group: tuple[str, ...]) -> Any:
        """Return the intersection of a group's relations, or the relation of the agent for the group.

        That of no agents is total.
        """

    @abstractmethod
    def joined(self, group: tuple[str, ...], within: Formula) -> Any:
        """Return the transitive closure of the union of a group's relations.

        Only steps to worlds where the formula `within`, whose truth set is in the memo, is true count.
        """

    @property
    @abstractmethod
    def total(self) -> Any:
        """The total relation: every world sees every world."""

    # --- algebras inside formulas ----------------------------------------------------------------

    @property
    @abstractmethod
    def unbound(self) -> Algebra[S]:
        """The algebra without quantified atoms, in which the values of declared variables are evaluated."""

    @abstractmethod
    def instances(self, node: Quantifier) -> Sequence[tuple[Algebra[S], Formula]]:
        """Return the formulas that a quantifier ranges over, with the algebras to evaluate them in."""

    @abstractmethod
    def quantified(self, node: Quantifier, sets: list[S]) -> S:
        """Return the truth set of a quantified formula from those of its instances."""

    @abstractmethod
    def after(self, node: Dynamic) -> tuple[Algebra[S], Callable[[S], S]]:
        """Return the algebra after the update of a formula, and the map that takes its truth sets back."""
