"""The operators of the language, one class each.

A constructor takes its arguments in the order of the notation: `Knows("a", p)` is K_a p. What all
formulas share (being values, subformulas, rewriting, Python's operators) is in `base`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from kripke_werewolf.errors import FormulaError
from kripke_werewolf.language.formulas import (
    Formula,
    FormulaLike,
    agent_name,
    formula,
    group_of,
    name_of,
    natural,
)

if TYPE_CHECKING:
    from kripke_werewolf.semantics.action import ActionModel

__all__ = [
    "FALSE",
    "TRUE",
    "Act",
    "And",
    "Announce",
    "Atom",
    "Box",
    "Common",
    "CommonWhether",
    "Constant",
    "Count",
    "Diamond",
    "Distributed",
    "DistributedWhether",
    "Everyone",
    "Everywhere",
    "Exists",
    "Forall",
    "Formula",
    "FormulaLike",
    "Iff",
    "Implies",
    "Knows",
    "KnowsValue",
    "KnowsWhether",
    "Not",
    "Or",
    "Possible",
    "Somewhere",
    "Xor",
    "agent_name",
    "atleast",
    "atmost",
    "conjunction",
    "disjunction",
    "exactly",
    "formula",
    "group_of",
    "oneof",
]


# --- atoms and boolean operators -----------------------------------------------------------------


class Atom(Formula):
    """An atomic proposition; true where the valuation says so."""

    __slots__ = ()
    __match_args__ = ("name",)

    def __new__(cls, name: str) -> Self:
        """Return the atom of that name."""
        return cls._make((name_of(name, "an atom"),), ())

    @property
    def name(self) -> str:
        """The name of the atom."""
        return self.label[0]  # type: ignore[no-any-return]

    def _renamed(self, agents: Callable[[str], str], atoms: Callable[[str], str]) -> tuple[Any, ...]:
        return (atoms(self.name),)

    def _own_atoms(self) -> frozenset[str]:
        return frozenset(self.label)


class Constant(Formula):
    """Truth or falsity: `TRUE` and `FALSE`."""

    __slots__ = ()
    __match_args__ = ("value",)

    def __new__(cls, value: bool) -> Self:
        """Return the constant of that truth value."""
        if not isinstance(value, bool):
            raise FormulaError(f"a constant is True or False, got {value!r}")
        return cls._make((value,), ())

    @property
    def value(self) -> bool:
        """The truth value."""
        return self.label[0]  # type: ignore[no-any-return]


TRUE = Constant(True)
FALSE = Constant(False)


class _Unary(Formula):
    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]] = ("body",)

    def __new__(cls, body: FormulaLike) -> Self:
        return cls._make((), (formula(body),))

    @property
    def body(self) -> Formula:
        """The formula under the operator."""
        return self.children[-1]


class Not(_Unary):
    """Negation."""

    __slots__ = ()


class _Nary(Formula):
    __slots__ = ()
    __match_args__ = ("children",)

    def __new__(cls, *parts: FormulaLike) -> Self:
        if len(parts) < 2:
            raise FormulaError(f"{cls.__name__} needs at least two formulas, got {len(parts)}")
        return cls._make((), tuple(formula(p) for p in parts))


class And(_Nary):
    """Conjunction of two or more formulas."""

    __slots__ = ()


class Or(_Nary):
    """Disjunction of two or more formulas."""

    __slots__ = ()


class Xor(_Nary):
    """Exclusive or: true where an odd number of the formulas is true."""

    __slots__ = ()


class _Binary(Formula):
    __slots__ = ()
    __match_args__ = ("left", "right")

    def __new__(cls, left: FormulaLike, right: FormulaLike) -> Self:
        return cls._make((), (formula(left), formula(right)))

    @property
    def left(self) -> Formula:
        """The formula on the left."""
        return self.children[0]

    @property
    def right(self) -> Formula:
        """The formula on the right."""
        return self.children[1]


class Implies(_Binary):
    """Material implication."""

    __slots__ = ()


class Iff(_Binary):
    """Equivalence: both sides true or both false."""

    __slots__ = ()


class Count(Formula):
    """How many of the formulas are true: `exactly`, `atleast` or `atmost` a number of them."""

    __slots__ = ()
    __match_args__ = ("kind", "number", "children")
    KINDS = ("exactly", "atleast", "atmost")

    def __new__(cls, kind: str, number: int, *parts: FormulaLike) -> Self:
        """Return the count of `parts`, compared with `number`."""
        if kind not in cls.KINDS:
            raise FormulaError(f"expected one of {', '.join(cls.KINDS)}; got {kind!r}")
        if not parts:
            raise FormulaError(f"{kind} needs at least one formula to count")
        return cls._make((kind, natural(number, kind)), tuple(formula(p) for p in parts))

    @property
    def kind(self) -> str:
        """`exactly`, `atleast` or `atmost`."""
        return self.label[0]  # type: ignore[no-any-return]

    @property
    def number(self) -> int:
        """The number compared with."""
        return self.label[1]  # type: ignore[no-any-return]


def exactly(number: int, *parts: FormulaLike) -> Count:
    """Return the formula that exactly `number` of the given formulas are true."""
    return Count("exactly", number, *parts)


def atleast(number: int, *parts: FormulaLike) -> Count:
    """Return the formula that at least `number` of the given formulas are true."""
    return Count("atleast", number, *parts)


def atmost(number: int, *parts: FormulaLike) -> Count:
    """Return the formula that at most `number` of the given formulas are true."""
    return Count("atmost", number, *parts)


def oneof(*parts: FormulaLike) -> Count:
    """Return the formula that exactly one of the given formulas is true."""
    return Count("exactly", 1, *parts)


def conjunction(parts: Iterable[FormulaLike]) -> Formula:
    """Return the conjunction of any number of formulas: `true` of none, the formula itself of one."""
    found = tuple(formula(p) for p in parts)
    return And(*found) if len(found) > 1 else found[0] if found else TRUE


def disjunction(parts: Iterable[FormulaLike]) -> Formula:
    """Return the disjunction of any number of formulas: `false` of none, the formula itself of one."""
    found = tuple(formula(p) for p in parts)
    return Or(*found) if len(found) > 1 else found[0] if found else FALSE


# --- knowledge -----------------------------------------------------------------------------------


class _OfAgent(_Unary):
    __slots__ = ()
    __match_args__ = ("agent", "body")

    def __new__(cls, agent: object, body: FormulaLike) -> Self:
        return cls._make((agent_name(agent),), (formula(body),))

    @property
    def agent(self) -> str:
        """The agent whose knowledge it is."""
        return self.label[0]  # type: ignore[no-any-return]

    def _renamed(self, agents: Callable[[str], str], atoms: Callable[[str], str]) -> tuple[Any, ...]:
        return (agents(self.agent),)

    def _own_agents(self) -> frozenset[str]:
        return frozenset(self.label)


class Knows(_OfAgent):
    """K_a φ (also read as belief, B_a φ): φ holds at every world that a considers possible."""

    __slots__ = ()


class Possible(_OfAgent):
    """M_a φ: a considers φ possible, ~K_a ~φ."""

    __slots__ = ()


class KnowsWhether(_OfAgent):
    """Kw_a φ: a knows whether φ, that is K_a φ or K_a ~φ."""

    __slots__ = ()


class KnowsValue(Formula):
    """Kv_a(x): a knows the value of the declared variable x."""

    __slots__ = ()
    __match_args__ = ("agent", "variable")

    def __new__(cls, agent: object, variable: str) -> Self:
        """Return the formula that `agent` knows the value of `variable`."""
        return cls._make((agent_name(agent), name_of(variable, "a variable")), ())

    @property
    def agent(self) -> str:
        """The agent whose knowledge it is."""
        return self.label[0]  # type: ignore[no-any-return]

    @property
    def variable(self) -> str:
        """The name of the variable."""
        return self.label[1]  # type: ignore[no-any-return]

    def _renamed(self, agents: Callable[[str], str], atoms: Callable[[str], str]) -> tuple[Any, ...]:
        return (agents(self.agent), self.variable)

    def _own_agents(self) -> frozenset[str]:
        return frozenset(self.label[:1])


class _OfGroup(_Unary):
    __slots__ = ()
    __match_args__ = ("group", "body")

    def __new__(cls, group: object, body: FormulaLike) -> Self:
        return cls._make(group_of(group), (formula(body),))

    @property
    def group(self) -> tuple[str, ...]:
        """The agents of the group, sorted."""
        return self.label

    def _renamed(self, agents: Callable[[str], str], atoms: Callable[[str], str]) -> tuple[Any, ...]:
        return group_of(map(agents, self.group))

    def _own_agents(self) -> frozenset[str]:
        return frozenset(self.label)


class Everyone(_OfGroup):
    """E_G φ: everyone in the group knows φ."""

    __slots__ = ()


class Common(_OfGroup):
    """C_G φ: φ at every world that the union of the relations reaches in one or more steps."""

    __slots__ = ()


class CommonWhether(_OfGroup):
    """Cw_G φ: it is common knowledge whether φ, that is C_G φ or C_G ~φ."""

    __slots__ = ()


class Distributed(_OfGroup):
    """D_G φ: φ at every world that all of the group consider possible."""

    __slots__ = ()


class DistributedWhether(_OfGroup):
    """Dw_G φ: it is distributed knowledge whether φ, that is D_G φ or D_G ~φ."""

    __slots__ = ()


# --- the whole model, and all valuations of an atom ----------------------------------------------


class Everywhere(_Unary):
    """φ at all worlds of the model."""

    __slots__ = ()


class Somewhere(_Unary):
    """φ at some world of the model."""

    __slots__ = ()


class _Quantifier(_Unary):
    __slots__ = ()
    __match_args__ = ("names", "body")

    def __new__(cls, names: str | Iterable[str], body: FormulaLike) -> Self:
        if isinstance(names, str):
            names = (names,)
        if not isinstance(names, Iterable) or not (found := tuple(dict.fromkeys(names))):
            raise FormulaError(f"a quantifier needs the names of atoms, got {names!r}")
        return cls._make(tuple(name_of(n, "a quantified atom") for n in found), (formula(body),))

    @property
    def names(self) -> tuple[str, ...]:
        """The atoms quantified over."""
        return self.label

    def _renamed(self, agents: Callable[[str], str], atoms: Callable[[str], str]) -> tuple[Any, ...]:
        return tuple(map(atoms, self.names))

    def _own_atoms(self) -> frozenset[str]:
        return frozenset(self.label)


class Forall(_Quantifier):
    """`forall p, q. φ`: φ with true and with false put for each of the atoms, all combinations."""

    __slots__ = ()


class Exists(_Quantifier):
    """`exists p, q. φ`: φ with true or false put for each of the atoms, some combination."""

    __slots__ = ()


# --- after an update -----------------------------------------------------------------------------


class Announce(NamedTuple):
    """An announcement inside a formula.

    `group` None: public. Otherwise only the group learns it: with `whether`, semi-privately (the
    others see that the group learns whether it is so); without, privately (the others notice
    nothing). `whether`: the truth value of `content` is announced, not that it is true.
    """

    content: Formula
    group: tuple[str, ...] | None = None
    whether: bool = False


class Act(NamedTuple):
    """The execution of an action model inside a formula.

    `name` is what the text says, `event` restricts it to one event (None: the designated ones),
    `model` is the action model itself, None as long as the name is not bound. Without a model an
    event's name is a text; with one, whatever names the model has.
    """

    name: str
    event: Hashable | None = None
    model: ActionModel | None = None


class _Dynamic(_Unary):
    __slots__ = ()
    __match_args__ = ("update", "body")

    def __new__(cls, update: Announce | Act, body: FormulaLike) -> Self:
        match update:
            case Announce(content, group, whether):
                members = None if group is None else group_of(group)
                return cls._make(("announce", members, bool(whether)), (formula(content), formula(body)))
            case Act(name, event, model):
                if event is not None and (model is None or isinstance(event, str)):
                    event = name_of(event, "an event")
                return cls._make(("act", name_of(name, "an action"), event, model), (formula(body),))
            case _:
                raise FormulaError(f"expected an Announce or an Act, got {update!r}")

    @property
    def update(self) -> Announce | Act:
        """What happens before the body is evaluated."""
        if self.label[0] == "announce":
            return Announce(self.children[0], self.label[1], self.label[2])
        return Act(*self.label[1:])

    def _renamed(self, agents: Callable[[str], str], atoms: Callable[[str], str]) -> tuple[Any, ...]:
        if self.label[0] == "announce" and self.label[1] is not None:
            return "announce", group_of(map(agents, self.label[1])), self.label[2]
        return self.label

    def _own_agents(self) -> frozenset[str]:
        match self.update:
            case Announce(_, group, _):
                return frozenset(group or ())
            case Act(_, _, model):
                return frozenset() if model is None else model.formula_agents

    def _own_atoms(self) -> frozenset[str]:
        match self.update:
            case Act(_, _, model) if model is not None:
                return model.formula_atoms
        return frozenset()


class Box(_Dynamic):
    """[update]φ: φ after every way in which the update can happen; true where it cannot happen."""

    __slots__ = ()


class Diamond(_Dynamic):
    """<update>φ: the update can happen such that φ holds afterwards."""

    __slots__ = ()
