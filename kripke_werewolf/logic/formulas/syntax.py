"""The base class of all formulas: immutable trees, each of which exists once.

A node has a `label` (its own data: a name, an agent, a number) and `children` (formulas). Nothing here
recurses, so formulas may be arbitrarily deep.

Formulas are hash-consed: building a formula that already exists returns the existing object. So equality is
identity, hashing takes constant time, and a table keyed by formulas (the memo of the model checker)
identifies equal subformulas.

Formulas are combined with Python's operators: `p & q`, `p | q`, `p ^ q` (exclusive or), `~p`, `p >> q`
(implies). Wherever a formula is expected, a string is parsed: `Knows("a", "p -> q")`.
"""

from __future__ import annotations

import sys
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce, wraps
from operator import and_, index, or_, xor
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, Protocol, Self, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from kripke_werewolf.base.errors import FormulaError
from kripke_werewolf.base.usage import UnknownAttributeError, better_error, set_parts
from kripke_werewolf.logic.formulas import operators as s  # which begins by importing this module

S = TypeVar("S")

T = TypeVar("T")

_table: WeakValueDictionary[Any, Formula] = WeakValueDictionary()
_table_lock = RLock()
_declared: tuple[type[Formula], ...] = ()


def all_operators() -> tuple[type[Formula], ...]:
    """Return all operators, the classes with a spelling, in the order of their declarations."""
    return _declared


def _signs_of(kind: Any) -> set[str]:
    """Return all signs by which an operator may be written."""
    spellings = kind.spellings.values() if "spellings" in kind.__dict__ else [kind.spelling]
    return {sign for spelling in spellings for sign in (*spelling[:3], *spelling.also)}


def read_off(make: Callable[[tuple[type[Formula], ...]], T]) -> Callable[[], T]:
    """Cache a function of the declarations until another operator is declared."""
    known: list[Any] = [None, None]

    @wraps(make)
    def found() -> T:
        if known[0] is not _declared:
            known[:] = _declared, make(_declared)
        return known[1]  # type: ignore[no-any-return]

    return found


class _Operator(type):
    """The metaclass of operators; its errors for wrong arguments name the right ones.

    No operator has attributes of its own (`__slots__`): all is in the label and the children.
    """

    def __new__(mcs, name: str, bases: tuple[type, ...], given: dict[str, Any]) -> Any:
        return super().__new__(mcs, name, bases, {"__slots__": (), **given})

    def __call__(cls, *arguments: Any, **named: Any) -> Any:
        try:
            return super().__call__(*arguments, **named)
        except TypeError as error:
            meant = better_error(error, cls.__new__, (cls, *arguments), named, "__new__")
        raise meant

    if not TYPE_CHECKING:

        def __getattr__(cls, name: str) -> object:
            raise UnknownAttributeError(cls, name)

    @property
    def called_in_calls(cls) -> str:
        """The name in calls: the letter of an operator, if the package exports it under its letter."""
        letter = str(getattr(getattr(cls, "spelling", None), "ascii", ""))
        package = sys.modules[__package__]
        return letter if getattr(package, letter, None) is cls else cls.__name__


_NAMES, _BELOW = ("acted_on", "agents", "atoms"), ("below", "is_scattered")
"""The facts about a formula that are found when they are first asked for."""


class Formula(metaclass=_Operator):
    """A formula; the base class of all operators.

    `label` holds the node's own data, `children` its direct subformulas, both as tuples.
    """

    __slots__ = ("__weakref__", "_found", "children", "label", *_NAMES, *_BELOW)
    label: tuple[Any, ...]
    children: tuple[Formula, ...]
    agents: frozenset[str]
    """The agents that occur in the formula, also inside bound actions."""
    atoms: frozenset[str]
    """The names of the atoms that occur in the formula, also inside bound actions."""
    acted_on: frozenset[str]
    """The names of the atoms that occur in actions bound inside the formula."""
    below: tuple[Formula, ...]
    """The formulas to be evaluated before this one in the same space, children before parents."""
    is_scattered: bool
    """Whether evaluating the formula needs other spaces than the current one."""
    _found: dict[str, Any]  # cached facts about the formula

    called_in_examples: ClassVar[str] = "formula"
    pointwise: ClassVar[bool] = False
    """Whether the truth value at a world depends only on those of the children there."""
    scattered: ClassVar[bool] = False
    """Whether its truth needs other formulas or other spaces than its children; see `elsewhere`."""
    plain: ClassVar[type[Formula] | None] = None
    """The operator that has the same sign, but no condition."""
    english: ClassVar[Any] = None
    """Its words (`operators.English`), or those of each of its kinds; None if no sentence expresses it."""

    def __init_subclass__(cls) -> None:
        global _declared
        if cls.__dict__.keys() & {"spelling", "spellings"}:
            # a class that is defined again, as by a cell of a notebook, takes the place of the old one
            name = cls.__module__, cls.__qualname__
            others = tuple(kind for kind in _declared if (kind.__module__, kind.__qualname__) != name)
            taken = {sign: kind for kind in others if kind is not cls.plain for sign in _signs_of(kind)}
            for sign in _signs_of(cls):
                if not sign:
                    raise FormulaError(f"{cls.__name__} has an empty sign; an operator is written somehow")
                if sign in taken:
                    raise FormulaError(
                        f"{cls.__name__} cannot be written {sign!r}: {taken[sign].__name__} is"
                    )
            if getattr(cls.truth, "__isabstractmethod__", False):
                raise FormulaError(f"{cls.__name__} has a spelling, but no truth condition")
            _declared = (*others, cls)

    @classmethod
    def _make(cls, label: tuple[Any, ...], children: tuple[Formula, ...]) -> Self:
        key = (cls, label, children)
        node = _table.get(key)
        if node is None:
            with _table_lock:
                node = _table.get(key)
                if node is None:
                    node = object.__new__(cls)
                    object.__setattr__(node, "label", label)
                    object.__setattr__(node, "children", children)
                    object.__setattr__(node, "_found", {})
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

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            if name in _NAMES:
                self._find_names()
            elif name in _BELOW:
                self._find_below()
            else:
                raise UnknownAttributeError(self, name)
            return getattr(self, name)

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
        return _joined("And", self, other)

    def __rand__(self, other: FormulaLike) -> Formula:
        return formula(other) & self

    def __or__(self, other: FormulaLike) -> Formula:
        return _joined("Or", self, other)

    def __ror__(self, other: FormulaLike) -> Formula:
        return formula(other) | self

    def __xor__(self, other: FormulaLike) -> Formula:
        return _joined("Xor", self, other)

    def __rxor__(self, other: FormulaLike) -> Formula:
        return formula(other) ^ self

    def __invert__(self) -> Formula:
        return s.Not(self)

    def __rshift__(self, other: FormulaLike) -> Formula:
        if not isinstance(other, Formula | str | bool):
            return NotImplemented
        return s.Implies(self, other)

    def __rrshift__(self, other: FormulaLike) -> Formula:
        return formula(other) >> self

    def iff(self, other: FormulaLike) -> Formula:
        """Return the formula `self <-> other`."""
        return s.Iff(self, other)

    # --- its parts -------------------------------------------------------------------------------

    def subformulas(self) -> Iterator[Formula]:
        """Yield every subformula once, children before parents, the formula itself last.

        >>> [str(f) for f in formula("K_a (p & ~p)").subformulas()]
        ['p', '~p', 'p & ~p', 'K_a (p & ~p)']
        """
        return self.ordered(lambda node: node.children)

    def ordered(self, parts: Callable[[Formula], tuple[Formula, ...]]) -> Iterator[Formula]:
        """Yield the parts of the formula and then the formula itself, each once."""
        done: set[Formula] = set()
        stack: list[tuple[Formula, bool]] = [(self, False)]
        while stack:
            node, expanded = stack.pop()
            if node in done:
                continue
            below = () if expanded else parts(node)
            if below:
                stack.append((node, True))
                stack.extend((c, False) for c in reversed(below) if c not in done)
            else:
                done.add(node)
                yield node

    def _find_names(self) -> None:
        agents, atoms, acted_on = set[str](), set[str](), set[str]()
        for node in self.subformulas():
            own_agents, own_atoms = node._own_names()
            agents.update(own_agents)
            atoms.update(own_atoms)
            if isinstance(node, s.Dynamic):
                acted_on.update(own_atoms)
        set_parts(self, agents=frozenset(agents), atoms=frozenset(atoms), acted_on=frozenset(acted_on))

    @property
    def is_boolean(self) -> bool:
        """Whether the formula consists of atoms, constants and Boolean operators."""
        for f in self.ordered(lambda node: () if "boolean" in node._found else node.children):
            if "boolean" not in f._found:
                f._found["boolean"] = f.pointwise and all(c._found["boolean"] for c in f.children)
        return self._found["boolean"]  # type: ignore[no-any-return]

    def _find_below(self) -> None:
        here = self.here()
        if self.scattered and len(here) == 1 and not here[0].scattered:  # several updates may have it
            found = [*here[0].below, *here]
        else:
            *found, _ = self.ordered(lambda node: node.here())
        # without itself, so that no cycle keeps it alive
        set_parts(self, below=tuple(found), is_scattered=self.scattered or any(f.scattered for f in found))

    def _own_names(self) -> tuple[Collection[str], Collection[str]]:
        """Return the agents and the atoms that the formula mentions itself, not in its parts."""
        return (), ()

    # --- its meaning -----------------------------------------------------------------------------

    @abstractmethod
    def truth(self, space: Algebra[S]) -> S:
        """Return the truth set of the formula in a space whose memo has the truth sets that it needs."""

    def here(self) -> tuple[Formula, ...]:
        """Return the formulas that must be evaluated first in the same space."""
        return self.children

    def elsewhere(self, space: Algebra[S]) -> Iterable[tuple[Algebra[S], Formula]]:
        """Return the other formulas to evaluate first, with their spaces; `here` has been evaluated."""
        return ()

    # --- transformation --------------------------------------------------------------------------

    def rewrite(self, step: Callable[[Formula], Formula]) -> Formula:
        """Rebuild the formula bottom-up, replacing every node f (its children done) by `step(f)`."""
        new: dict[Formula, Formula] = {}
        for node in self.subformulas():
            children = tuple(new[c] for c in node.children)
            if any(a is not b for a, b in zip(children, node.children, strict=True)):
                new[node] = step(node.with_children(children))
            else:
                new[node] = step(node)
        return new[self]

    def substitute(self, values: Mapping[str, FormulaLike]) -> Formula:
        """Replace atoms by formulas, simultaneously; bound atoms of quantifiers are not replaced.

        Raises `FormulaError` if an atom to be replaced occurs in an action that the formula names, or if a
        quantifier would bind an atom of the replacement.
        """
        given = {name: formula(value) for name, value in values.items()}
        start = (self, frozenset[str]())
        done: dict[tuple[Formula, frozenset[str]], Formula] = {}
        tasks = [start]
        while tasks:
            node, bound = key = tasks[-1]  # the atoms bound by quantifiers around this occurrence
            if key in done:
                tasks.pop()
                continue
            if isinstance(node, s.Atom):
                new: Formula = given.get(node.name, node) if node.name not in bound else node
                captured = bound & new.atoms
                if captured and new is not node:
                    raise FormulaError(
                        f"cannot put {new} for {node} inside a quantifier over {', '.join(sorted(captured))}"
                    )
                done[key] = new
                continue
            if isinstance(node, s.Quantifier):
                bound |= {*node.names}
            elif clash := values.keys() & {*node._own_names()[1]} - bound:
                raise FormulaError(f"cannot replace {', '.join(sorted(clash))} in the action of {node}")
            parts = [(child, bound) for child in node.children]
            if missing := [part for part in parts if part not in done]:
                tasks += missing
            else:
                done[key] = node.with_children(done[part] for part in parts)
        return done[start]

    def rename(
        self,
        *,
        agents: Callable[[str], str] = lambda name: name,
        atoms: Callable[[str], str] = lambda name: name,
    ) -> Formula:
        """Rename agents and atoms everywhere except inside bound actions.

        Several names may become one. Raises `FormulaError` if one of them is the bound atom of a quantifier
        and another is in its scope, and for a new name that is empty or not a name.
        """

        def agent(name: str) -> str:
            return agent_name(agents(name))

        def atom(name: str) -> str:
            return name_of(atoms(name), "an atom")

        for node in self.subformulas():
            if isinstance(node, s.Quantifier):
                new = {name: atom(name) for name in node.atoms}
                for name in node.names:
                    if other := next((o for o in sorted(new) if o != name and new[o] == new[name]), None):
                        raise FormulaError(
                            f"cannot rename both {name} and {other} to {new[name]} in {node}, "
                            f"which binds {name}"
                        )

        def step(node: Formula) -> Formula:
            return node._make(node._renamed(agent, atom), node.children)

        return self.rewrite(step)

    def _renamed(self, agents: Callable[[str], str], atoms: Callable[[str], str]) -> tuple[Any, ...]:
        return self.label

    def bind(self, **actions: Action) -> Formula:
        """Give the named actions of dynamic operators their action models.

        In `[show]K_b p` the name `show` stands for an action model, supplied by
        `parse("[show]K_b p").bind(show=action)`.
        """
        if not actions:
            return self

        def step(node: Formula) -> Formula:
            if isinstance(node, s.Dynamic) and isinstance(node.update, s.Act) and node.update.model is None:
                name, event, _ = node.update
                if name in actions:
                    return type(node)(s.Act(name, event, actions[name]), node.body)
            return node

        return self.rewrite(step)

    # --- reading it ------------------------------------------------------------------------------

    def _written(self, notation: str) -> str:
        from kripke_werewolf.logic.formulas import printing

        return printing.to_text(self, getattr(printing, notation))

    def __str__(self) -> str:
        return self._written("ASCII")

    def __repr__(self) -> str:
        from kripke_werewolf.logic.formulas.printing import to_repr

        return to_repr(self)

    def unicode(self) -> str:
        """Return the formula in mathematical symbols, for example `¬K_a p ∧ q`."""
        return self._written("UNICODE")

    def latex(self) -> str:
        r"""Return the formula in LaTeX (math mode), for example `\neg K_{a} p \wedge q`."""
        return self._written("LATEX")

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"


FormulaLike: TypeAlias = "Formula | str | bool"


def formula(
    value: FormulaLike, *, agents: Collection[str] | None = None, atoms: Collection[str] | None = None
) -> Formula:
    """Return `value` as a formula: a formula itself, a string to be read, or a truth value.

    `agents`: the agents of operators without an index in a string; `atoms`: all atoms, if they are known (see
    `understand`). Warns of a reading that is not obvious, and of ^.
    """
    if isinstance(value, Formula):
        return value
    if isinstance(value, str):
        from kripke_werewolf.logic.formulas.names import doubtful_caret
        from kripke_werewolf.logic.notation.reading import understand

        reading = understand(value, agents=agents, atoms=atoms)
        if reading.guessed:
            warnings.warn(f"{value!r} is {reading.how}", stacklevel=3)
        for remark in doubtful_caret(reading.text, reading.formula):
            warnings.warn(remark, stacklevel=3)
        return reading.formula
    if isinstance(value, bool):
        return s.Constant(value)
    several = "; give one formula, or ask for each of them" if isinstance(value, list | tuple) else ""
    raise FormulaError(f"expected a formula, its text, or True/False; got {value!r}{several}")


class OnCondition(FormulaError):
    """A question on a condition, where a formula was expected."""

    def __init__(self, question: Formula, given: Formula) -> None:
        super().__init__(f"expected a formula, got the question {question} on the condition {given}")
        self.question, self.given = question, given


def asked_on_condition(
    value: FormulaLike, given: FormulaLike | None, agents: Collection[str], atoms: Collection[str]
) -> tuple[Formula, Formula | None]:
    """Return the formula of a query, see `asked_formula`, and that of its condition.

    The condition is `given`, or what a string says after "if", or both.
    """
    conditions = [asked_formula(f, agents, atoms) for f in (given,) if f is not None]
    try:
        asked = asked_formula(value, agents, atoms)
    except OnCondition as read:
        asked, conditions = read.question, [*conditions, read.given]
    if not conditions:
        return asked, None
    return asked, reduce(and_, conditions)


def asked_formula(
    value: FormulaLike, agents: Collection[str], atoms: Collection[str] | None = None
) -> Formula:
    """Return the formula of a query about some agents, and if they are known some atoms; see `formula`.

    Raises `FormulaError` for a truth value, which is usually the result of comparing two formulas.
    """
    if isinstance(value, bool):
        raise FormulaError(
            f"expected a formula, got {value}; f == g compares two formulas in Python, and the formula that "
            "they are equivalent is f.iff(g), or in a string f <-> g"
        )
    return formula(value, agents=agents, atoms=atoms)


def joined(f: Formula) -> tuple[Formula, ...]:
    """Return the parts on whose truth values at the same world that of a formula depends."""
    return f.children if f.pointwise else ()


def name_of(value: object, what: str) -> str:
    """Return a nonempty string as a plain `str`, even if it is of a subclass; `what` is for the message."""
    if isinstance(value, str) and value:
        return str.__str__(value)
    raise FormulaError(f"{what} needs a nonempty name, got {value!r}")


def natural(value: object, what: str) -> int:
    """Return a nonnegative whole number as a plain `int`; `what` is for the message."""
    number = _integer(value)
    if number is None or number < 0:
        raise FormulaError(f"{what} needs a whole number that is not negative, got {value!r}")
    return number


def agent_name(agent: object) -> str:
    """Return an agent's name as used in formulas and models: `2` and `"2"` are one agent."""
    if isinstance(agent, str) and agent:
        return str.__str__(agent)
    number = _integer(agent)
    if number is None:
        raise FormulaError(f"an agent is a nonempty name or a number; got {agent!r}")
    return str(number)


def group_of(agents: object) -> tuple[str, ...]:
    """Return a group of agents as sorted names, each once; a single agent is a group of one."""
    if isinstance(agents, str) or not isinstance(agents, Iterable):
        return (agent_name(agents),)
    names = tuple(sorted({agent_name(a) for a in agents}))
    if not names:
        raise FormulaError("a group needs at least one agent")
    return names


def rational(value: object) -> Fraction:
    """Return an exact rational number: an int, a Fraction, or a string such as `2/3` or `0.25`.

    Floats are rejected, since most of them differ from the intended number.
    """
    if isinstance(value, Fraction):
        return value
    if (number := _integer(value)) is not None:
        return Fraction(number)
    if isinstance(value, str):
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError):
            pass
    raise FormulaError(f"expected an exact number such as Fraction(2, 3), 1 or '2/3'; got {value!r}")


def _integer(value: object) -> int | None:
    # numpy's integers are accepted; True is not a number here
    if isinstance(value, bool):
        return None
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def _rebuild(program: list[tuple[type[Formula], tuple[Any, ...], tuple[int, ...]]]) -> Formula:
    nodes: list[Formula] = []
    for kind, label, numbers in program:
        nodes.append(kind._make(label, tuple(nodes[n] for n in numbers)))
    return nodes[-1]


def _joined(operator_name: str, left: Formula, right: FormulaLike) -> Formula:
    if not isinstance(right, Formula | str | bool):
        return NotImplemented
    kind = getattr(s, operator_name)
    parts = left.children if type(left) is kind else (left,)
    found: Formula = kind(*parts, right)
    return found


# --- what the meanings of operators are made of ----------------------------------------------------


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
    def compared(self, node: s.Probability) -> S:
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

    # --- by the order of an agent, as `semantics.ranks` says -----------------------------------------

    @abstractmethod
    def ranks(self, agent: str) -> int:
        """Return the greatest rank that a world may have for an agent; 0: all are equally plausible."""

    @abstractmethod
    def best(self, agent: str, inside: S) -> S:
        """Return the worlds of a set such that the agent sees no more plausible world of the set."""

    @abstractmethod
    def safe(self, agent: str, inside: S) -> S:
        """Return the worlds such that all that the agent sees and that are as plausible are inside."""

    @abstractmethod
    def commonly(self, group: tuple[str, ...], given: S, inside: S) -> S:
        """Return where all nonempty paths end inside that lead to their agents' best worlds of a set."""

    # --- relations of groups -------------------------------------------------------------------------

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
    def instances(self, node: s.Quantifier) -> Sequence[tuple[Algebra[S], Formula]]:
        """Return the formulas that a quantifier ranges over, with the algebras to evaluate them in."""

    @abstractmethod
    def quantified(self, node: s.Quantifier, sets: list[S]) -> S:
        """Return the truth set of a quantified formula from those of its instances."""

    @abstractmethod
    def after(self, node: s.Dynamic) -> tuple[Algebra[S], Callable[[S], S]]:
        """Return the algebra after the update of a formula, and the map that takes its truth sets back."""
