"""Probability in formulas: linear comparisons of P_a(φ) with exact rationals.

`P("a", p) + P("a", q) >= Fraction(2, 3)` is a formula: the weight that agent a gives to p among the
worlds it considers possible, plus that of q, is at least two thirds. (Fagin and Halpern 1994, with
finite models and weights per agent.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from operator import eq, ge, gt, le, lt, ne
from typing import Any, NamedTuple, NoReturn, Self

from kripke_werewolf.errors import FormulaError
from kripke_werewolf.language.formulas import Formula, FormulaLike, agent_name, formula, rational

__all__ = ["COMPARE", "LinearSum", "P", "Probability", "Term"]

COMPARE = {">=": ge, ">": gt, "<=": le, "<": lt, "=": eq, "!=": ne}
"""What the relations of probability formulas mean, as functions."""


class Term(NamedTuple):
    """`coefficient * P_agent(body)`."""

    coefficient: Fraction
    agent: str
    body: Formula


class Probability(Formula):
    """A linear sum of probabilities compared with a number.

    `terms` are triples (coefficient, agent, formula), `relation` is one of `>= > <= < = !=`.
    """

    __slots__ = ()
    __match_args__ = ("terms", "relation", "bound")
    RELATIONS = tuple(COMPARE)

    def __new__(
        cls, terms: Iterable[tuple[object, object, FormulaLike]], relation: str, bound: object
    ) -> Self:
        """Return the formula that compares the sum of `terms` with `bound`."""
        found = [(rational(c), agent_name(a), formula(f)) for c, a, f in terms]
        if not found:
            raise FormulaError("a probability formula needs at least one P_a(…)")
        if relation not in cls.RELATIONS:
            raise FormulaError(f"expected one of {' '.join(cls.RELATIONS)}; got {relation!r}")
        label = (tuple((c, a) for c, a, _ in found), relation, rational(bound))
        return cls._make(label, tuple(f for _, _, f in found))

    @property
    def terms(self) -> tuple[Term, ...]:
        """The summands."""
        return tuple(Term(c, a, f) for (c, a), f in zip(self.label[0], self.children, strict=True))

    @property
    def relation(self) -> str:
        """How the sum compares with the bound."""
        return self.label[1]  # type: ignore[no-any-return]

    @property
    def bound(self) -> Fraction:
        """The number on the right."""
        return self.label[2]  # type: ignore[no-any-return]

    def _renamed(self, agents: Callable[[str], str], atoms: Callable[[str], str]) -> tuple[Any, ...]:
        return tuple((c, agents(a)) for c, a in self.label[0]), self.relation, self.bound

    def _own_agents(self) -> frozenset[str]:
        return frozenset(agent for _, agent in self.label[0])


class LinearSum:
    """A sum such as `2*P_a(p) - P_b(q) + 1`: not yet a formula, but compared with a number, one.

    Supports `+`, `-`, multiplication by a rational, and `>= > <= < == !=`.
    """

    __slots__ = ("constant", "terms")
    terms: tuple[Term, ...]
    constant: Fraction

    def __init__(self, terms: Iterable[Term], constant: Fraction = Fraction(0)) -> None:
        object.__setattr__(self, "terms", tuple(terms))
        object.__setattr__(self, "constant", constant)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a sum of probabilities is immutable: cannot set {name!r}")

    def __add__(self, other: object) -> LinearSum:
        right = _linear(other)
        return LinearSum(self.terms + right.terms, self.constant + right.constant)

    __radd__ = __add__

    def __neg__(self) -> LinearSum:
        return self * -1

    def __sub__(self, other: object) -> LinearSum:
        return self + -_linear(other)

    def __rsub__(self, other: object) -> LinearSum:
        return _linear(other) - self

    def __mul__(self, factor: object) -> LinearSum:
        k = rational(factor)
        return LinearSum((Term(k * c, a, f) for c, a, f in self.terms), k * self.constant)

    __rmul__ = __mul__

    def compared(self, relation: str, other: object) -> Probability:
        """Return the formula `self relation other`, all terms brought to the left."""
        difference = self - other
        return Probability(difference.terms, relation, -difference.constant)

    def __ge__(self, other: object) -> Probability:
        return self.compared(">=", other)

    def __gt__(self, other: object) -> Probability:
        return self.compared(">", other)

    def __le__(self, other: object) -> Probability:
        return self.compared("<=", other)

    def __lt__(self, other: object) -> Probability:
        return self.compared("<", other)

    def __eq__(self, other: object) -> Probability:  # type: ignore[override]
        return self.compared("=", other)

    def __ne__(self, other: object) -> Probability:  # type: ignore[override]
        return self.compared("!=", other)

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> NoReturn:
        raise FormulaError("a sum of probabilities is not a truth value; compare it with a number")

    def __repr__(self) -> str:
        parts = [f"{c} * P({a!r}, {f!r})" for c, a, f in self.terms]
        return " + ".join([*parts, *([str(self.constant)] if self.constant else [])])


def P(agent: object, body: FormulaLike) -> LinearSum:
    """Return the probability that `agent` gives to `body`, to be compared with a number.

    >>> from fractions import Fraction
    >>> print(P("a", "p") >= Fraction(2, 3))
    P_a(p) >= 2/3
    """
    return LinearSum([Term(Fraction(1), agent_name(agent), formula(body))])


def _linear(value: object) -> LinearSum:
    return value if isinstance(value, LinearSum) else LinearSum((), rational(value))
