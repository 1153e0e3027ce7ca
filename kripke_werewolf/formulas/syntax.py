"""Formulas of dynamic epistemic logic, as immutable trees.

A node has a `label` (its own data: a name, an agent, a number) and `children` (formulas). Every
operator is a class whose constructor takes the arguments in the order of the notation:
`Knows("a", p)` is K_a p. Formulas are values and safe at any depth, since nothing here recurses.

Formulas are hash-consed: building a formula that already exists returns the existing object. So
equality is identity, hashing costs nothing however deep the formula is, and a table keyed by
formulas (the memo of the model checker) treats equal subformulas as one.

Formulas combine with Python's operators: `p & q`, `p | q`, `p ^ q` (exclusive or), `~p`, `p >> q`
(implies). Wherever a formula is wanted, its text does as well: `Knows("a", "p -> q")`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn, Self, TypeAlias
from weakref import WeakValueDictionary

from kripke_werewolf.errors import FormulaError

if TYPE_CHECKING:
    from kripke_werewolf.updates.action import ActionModel

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


_table: WeakValueDictionary[Any, Formula] = WeakValueDictionary()
_table_lock = RLock()


class Formula:
    """A formula; the base class of all operators.

    `label` holds the node's own data, `children` its direct subformulas, both as tuples.
    """

    __slots__ = ("__weakref__", "children", "label")
    label: tuple[Any, ...]
    children: tuple[Formula, ...]

    @classmethod
    def _make(cls, label: tuple[Any, ...], children: tuple[Formula, ...]) -> Self:
        key = (cls, label, children)
        with _table_lock:
            node = _table.get(key)
            if node is None:
                node = object.__new__(cls)
                object.__setattr__(node, "label", label)
                object.__setattr__(node, "children", children)
                _table[key] = node
        return node  # type: ignore[return-value]

    def with_children(self, children: Iterable[Formula]) -> Self:
        """Return the same operator over other subformulas."""
        return self._make(self.label, tuple(children))

    # --- a value: unchangeable; equality and hash are those of the one object ---------------------

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"formulas are immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"formulas are immutable: cannot delete {name!r}")

    def __bool__(self) -> NoReturn:
        raise FormulaError("a formula is neither true nor false in itself: combine formulas with & | ^ ~ >>")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # a flat program, children first: pickling a nested structure would recurse
        program = []
        numbers: dict[Formula, int] = {}
        for node in self.subformulas():
            program.append((type(node), node.label, tuple(numbers[c] for c in node.children)))
            numbers[node] = len(numbers)
        return _rebuild, (program,)

    # --- combination -----------------------------------------------------------------------------

    def __and__(self, other: FormulaLike) -> Formula:
        return _joined(And, self, other)

    def __rand__(self, other: FormulaLike) -> Formula:
        return formula(other) & self

    def __or__(self, other: FormulaLike) -> Formula:
        return _joined(Or, self, other)

    def __ror__(self, other: FormulaLike) -> Formula:
        return formula(other) | self

    def __xor__(self, other: FormulaLike) -> Formula:
        return _joined(Xor, self, other)

    def __rxor__(self, other: FormulaLike) -> Formula:
        return formula(other) ^ self

    def __invert__(self) -> Formula:
        return Not(self)

    def __rshift__(self, other: FormulaLike) -> Formula:
        return Implies(self, other)

    def __rrshift__(self, other: FormulaLike) -> Formula:
        return Implies(other, self)

    def iff(self, other: FormulaLike) -> Formula:
        """Return the formula `self <-> other`."""
        return Iff(self, other)

    # --- what occurs in it -----------------------------------------------------------------------

    def subformulas(self) -> Iterator[Formula]:
        """Yield every subformula once, children before parents, the formula itself last.

        >>> [str(f) for f in Knows("a", Atom("p") & ~Atom("p")).subformulas()]
        ['p', '~p', 'p & ~p', 'K_a (p & ~p)']
        """
        done: set[Formula] = set()
        stack: list[tuple[Formula, bool]] = [(self, False)]
        while stack:
            node, expanded = stack.pop()
            if node in done:
                continue
            if expanded or not node.children:
                done.add(node)
                yield node
            else:
                stack.append((node, True))
                stack.extend((c, False) for c in reversed(node.children) if c not in done)

    @property
    def agents(self) -> frozenset[str]:
        """The agents that occur in the formula, also inside bound actions."""
        return self._occurring("_own_agents")

    @property
    def atoms(self) -> frozenset[str]:
        """The names of the atoms that occur in the formula, also inside bound actions."""
        return self._occurring("_own_atoms")

    def _occurring(self, what: str) -> frozenset[str]:
        found: set[str] = set()
        for node in self.subformulas():
            found |= getattr(node, what)()
        return frozenset(found)

    def _own_agents(self) -> frozenset[str]:
        return frozenset()

    def _own_atoms(self) -> frozenset[str]:
        return frozenset()

    # --- transformation --------------------------------------------------------------------------

    def rewrite(self, step: Callable[[Formula], Formula]) -> Formula:
        """Rebuild the formula bottom-up, replacing every node f (its children done) by `step(f)`."""
        new: dict[Formula, Formula] = {}
        for node in self.subformulas():
            children = tuple(new[c] for c in node.children)
            changed = any(a is not b for a, b in zip(children, node.children, strict=True))
            new[node] = step(node.with_children(children) if changed else node)
        return new[self]

    def substitute(self, values: Mapping[str, Formula]) -> Formula:
        """Replace atoms by formulas.

        Raises `FormulaError` where an atom to be replaced is bound by a quantifier or occurs in
        an action that the formula names: there replacing would change what the formula says.
        """

        def step(node: Formula) -> Formula:
            if isinstance(node, Atom):
                return values.get(node.name, node)
            if clash := node._own_atoms() & values.keys():
                names = ", ".join(sorted(clash))
                raise FormulaError(
                    f"cannot replace {names} inside {node}: it is bound or used by an action there"
                )
            return node

        return self.rewrite(step)

    def bind(self, **actions: ActionModel) -> Formula:
        """Give the named actions of dynamic operators their action models.

        In `[show]K_b p` the name `show` stands for an action model, here supplied:
        `parse("[show]K_b p").bind(show=action)`.
        """

        def step(node: Formula) -> Formula:
            match node:
                case Box(Act(name, event, None), body) if name in actions:
                    return Box(Act(name, event, actions[name]), body)
                case Diamond(Act(name, event, None), body) if name in actions:
                    return Diamond(Act(name, event, actions[name]), body)
            return node

        return self.rewrite(step)

    # --- reading it ------------------------------------------------------------------------------

    def __str__(self) -> str:
        from kripke_werewolf.formulas.printer import ASCII, to_text

        return to_text(self, ASCII)

    def __repr__(self) -> str:
        from kripke_werewolf.formulas.printer import to_repr

        return to_repr(self)

    def unicode(self) -> str:
        """Return the formula in mathematical symbols, for example `¬K_a p ∧ q`."""
        from kripke_werewolf.formulas.printer import UNICODE, to_text

        return to_text(self, UNICODE)

    def latex(self) -> str:
        r"""Return the formula in LaTeX (math mode), for example `\neg K_{a} p \wedge q`."""
        from kripke_werewolf.formulas.printer import LATEX, to_text

        return to_text(self, LATEX)

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"


FormulaLike: TypeAlias = "Formula | str | bool"


def formula(value: FormulaLike) -> Formula:
    """Return `value` as a formula: a formula itself, a text to be parsed, or a truth value."""
    if isinstance(value, Formula):
        return value
    if isinstance(value, str):
        from kripke_werewolf.formulas.parser import parse

        return parse(value)
    if isinstance(value, bool):
        return TRUE if value else FALSE
    raise FormulaError(f"expected a formula, its text, or True/False; got {value!r}")


def agent_name(agent: object) -> str:
    """Return an agent's name as the text that formulas and models use: `2` and `"2"` are one agent."""
    if isinstance(agent, str) and agent:
        return agent
    if isinstance(agent, int) and not isinstance(agent, bool):
        return str(agent)
    raise FormulaError(f"an agent is a nonempty name or a number; got {agent!r}")


def group_of(agents: object) -> tuple[str, ...]:
    """Return a group of agents as sorted names, each once; a single agent is a group of one."""
    members = agents if isinstance(agents, Iterable) and not isinstance(agents, str) else (agents,)
    names = tuple(sorted({agent_name(a) for a in members}))
    if not names:
        raise FormulaError("a group needs at least one agent")
    return names


def _rebuild(program: list[tuple[type[Formula], tuple[Any, ...], tuple[int, ...]]]) -> Formula:
    nodes: list[Formula] = []
    for kind, label, numbers in program:
        nodes.append(kind._make(label, tuple(nodes[n] for n in numbers)))
    return nodes[-1]


def _joined(kind: type[_Nary], left: Formula, right: FormulaLike) -> Formula:
    if not isinstance(right, Formula | str | bool):
        return NotImplemented
    parts = left.children if type(left) is kind else (left,)
    return kind(*parts, right)


# --- atoms and boolean operators -----------------------------------------------------------------


class Atom(Formula):
    """An atomic proposition; true where the valuation says so."""

    __slots__ = ()
    __match_args__ = ("name",)

    def __new__(cls, name: str) -> Self:
        """Return the atom of that name."""
        if not isinstance(name, str) or not name:
            raise FormulaError(f"an atom needs a nonempty name, got {name!r}")
        return cls._make((name,), ())

    @property
    def name(self) -> str:
        """The name of the atom."""
        return self.label[0]  # type: ignore[no-any-return]

    def _own_atoms(self) -> frozenset[str]:
        return frozenset(self.label)


class Constant(Formula):
    """Truth or falsity: `TRUE` and `FALSE`."""

    __slots__ = ()
    __match_args__ = ("value",)

    def __new__(cls, value: bool) -> Self:
        """Return the constant of that truth value."""
        return cls._make((bool(value),), ())

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
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            raise FormulaError(f"{kind} needs a whole number that is not negative, got {number!r}")
        if not parts:
            raise FormulaError(f"{kind} needs at least one formula to count")
        return cls._make((kind, number), tuple(formula(p) for p in parts))

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
        if not isinstance(variable, str) or not variable:
            raise FormulaError(f"a variable needs a nonempty name, got {variable!r}")
        return cls._make((agent_name(agent), variable), ())

    @property
    def agent(self) -> str:
        """The agent whose knowledge it is."""
        return self.label[0]  # type: ignore[no-any-return]

    @property
    def variable(self) -> str:
        """The name of the variable."""
        return self.label[1]  # type: ignore[no-any-return]

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
        found = tuple(dict.fromkeys([names] if isinstance(names, str) else names))
        if not found or not all(isinstance(n, str) and n for n in found):
            raise FormulaError(f"a quantifier needs the names of atoms, got {names!r}")
        return cls._make(found, (formula(body),))

    @property
    def names(self) -> tuple[str, ...]:
        """The atoms quantified over."""
        return self.label

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
    `model` is the action model itself, None as long as the name is not bound.
    """

    name: str
    event: str | None = None
    model: ActionModel | None = None


class _Dynamic(_Unary):
    __slots__ = ()
    __match_args__ = ("update", "body")

    def __new__(cls, update: Announce | Act, body: FormulaLike) -> Self:
        match update:
            case Announce(content, group, whether):
                members = None if group is None else group_of(group)
                return cls._make(("announce", members, bool(whether)), (formula(content), formula(body)))
            case Act():
                return cls._make(("act", *update), (formula(body),))
            case _:
                raise FormulaError(f"expected an Announce or an Act, got {update!r}")

    @property
    def update(self) -> Announce | Act:
        """What happens before the body is evaluated."""
        if self.label[0] == "announce":
            return Announce(self.children[0], self.label[1], self.label[2])
        return Act(*self.label[1:])

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


# --- rational numbers in formulas ----------------------------------------------------------------


def rational(value: object) -> Fraction:
    """Return an exact rational number: an int, a Fraction, or a text such as `2/3` or `0.25`.

    Floats are refused, since most of them are not the number that was meant.
    """
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return Fraction(value)
    if isinstance(value, str):
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError):
            pass
    raise FormulaError(f"expected an exact number such as Fraction(2, 3), 1 or '2/3'; got {value!r}")
