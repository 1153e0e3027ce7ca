"""The operators of the language, each declared once.

The class of an operator declares everything about it: its notation (`spelling`) and precedence, its
arguments (in the order of the notation: `Knows("a", p)` is K_a p), its English words, and its meaning.
Parsers, printers, sentences, simplification, reduction, explanations, evaluators and the decision
procedure read these declarations; operators can also be declared elsewhere.

The meaning of an operator is given in the algebra of truth sets and relations that `semantics.space`
describes. A modal operator combines a *scope*, the worlds that it is about, and a *mode*, what it says
about them: K_a is the box of one agent's relation, Cw_G ("it is common knowledge whether") the whether
of the worlds that a group can reach.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from enum import Enum, IntEnum, StrEnum
from fractions import Fraction
from itertools import product
from operator import eq, ge, gt, le, lt, ne
from typing import Any, ClassVar, NamedTuple, NoReturn, Self, SupportsIndex, TypeAlias, TypeVar

from kripke_werewolf.base.errors import FormulaError, UnknownActionError, UnknownNameError, check_known
from kripke_werewolf.base.usage import set_parts
from kripke_werewolf.logic.formulas.syntax import (
    Algebra,
    Formula,
    FormulaLike,
    agent_name,
    formula,
    group_of,
    joined,
    name_of,
    natural,
    rational,
    read_off,
)

__all__ = [
    "FALSE",
    "TRUE",
    "Act",
    "And",
    "Announce",
    "Atom",
    "Believes",
    "BelievesGiven",
    "BelievesWhether",
    "Best",
    "Box",
    "Common",
    "CommonBelief",
    "CommonDual",
    "CommonWhether",
    "Constant",
    "Count",
    "Diamond",
    "Distributed",
    "DistributedDual",
    "DistributedWhether",
    "Everyone",
    "EveryoneDual",
    "EveryoneWhether",
    "Everywhere",
    "Exists",
    "Forall",
    "Iff",
    "Implies",
    "Knows",
    "KnowsValue",
    "KnowsWhether",
    "LinearSum",
    "Not",
    "Or",
    "P",
    "Possible",
    "Probability",
    "SafelyBelieves",
    "SomeoneKnows",
    "Somewhere",
    "StronglyBelieves",
    "Upgrade",
    "Xor",
    "atleast",
    "atmost",
    "atoms",
    "conjunction",
    "degree",
    "disjunction",
    "exactly",
    "oneof",
]

S = TypeVar("S")


# --- what a declaration consists of --------------------------------------------------------------


class Spelling(NamedTuple):
    """The notation of a sign in ASCII, Unicode and LaTeX, and alternatives that the parser accepts.

    `foreign`: spellings of textbooks and other programs, which are names in this notation; `understand` takes
    them in strings that are not formulas here. Those with a blank stand between an agent and a formula.
    """

    ascii: str
    unicode: str
    latex: str
    also: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()

    @classmethod
    def word(cls, text: str, font: str = "mathsf", foreign: tuple[str, ...] = ()) -> Self:
        r"""Return the spelling of a word, which LaTeX sets in a font: `\mathsf{exactly}`."""
        return cls(text, text, rf"\{font}{{{text}}}", foreign=foreign)


class Binding(IntEnum):
    """Precedence: a child that binds less tightly than its place requires gets parentheses."""

    IFF = 1
    IMPLIES = 2
    OR = 3
    XOR = 4
    AND = 5
    PREFIX = 6
    PRIMARY = 7


class English(NamedTuple):
    """The words of an operator: `{}` stands for its agents, `…` for each of its clauses.

    A single clause at the end may be omitted: "{} knows that". `{name}`, `{names}` and `{number}` stand for
    other data of the operator; "hold(s)" agrees with the number.

    `denies`: the words of the negation, by default "it is not the case that" and the words of `says`.
    `believes`, `disbelieves`: of a group, the words used if one of them may be wrong, if these differ.
    `several`: the words for more parts than `says` has clauses: "all of these hold: …, … and …", or for the
    condition and the body of a modal operator.

    Sentences are written and read with these words. The first word of a phrase is not a name, unless quoted.
    """

    says: str
    denies: str = ""
    believes: str = ""
    disbelieves: str = ""
    several: str = ""

    @classmethod
    def of_group(cls, says: str, believes: str = "", given: str = "") -> Self:
        """Return the words of an operator of a group, with those of its negation; `given`: on a condition."""
        return cls(says, _denial(says), believes, _denial(believes), given)


def _denial(words: str) -> str:
    """Return the negation of words for a group."""
    for start, denied in (("it is", "it is not"), ("everyone", "not everyone"), ("someone", "nobody")):
        if words.startswith(start):
            return denied + words.removeprefix(start)
    return ""


class Scope(Enum):
    """The worlds that a modal operator is about: those accessible by a relation.

    `AGENT`: the worlds that one agent considers possible; `EACH` and `SOME`: the same for every, or for some,
    member of a group; `REACH`: the worlds that the group can reach, through worlds where a condition holds if
    there is one; `MEET`: the worlds that all members of the group consider possible; `WORLDS`: all worlds of
    the model.

    By the order of an agent: `BEST`, the most plausible of the worlds considered possible; `ORDER`, those
    at least as plausible as the current one; `BELIEF`, those that the group can reach by steps to worlds that
    are most plausible for the one who makes the step.
    """

    AGENT = "agent"
    EACH = "each"
    SOME = "some"
    REACH = "reach"
    MEET = "meet"
    WORLDS = "worlds"
    BEST = "best"
    ORDER = "order"
    BELIEF = "belief"

    def relations(self, space: Algebra[S], agents: tuple[str, ...], within: Formula) -> list[Any]:
        """Return the relations of the scope; only `EACH` and `SOME` have several."""
        if self is Scope.REACH:
            return [space.joined(agents, within)]
        if self is Scope.MEET:
            return [space.met(agents)]
        return [space.relations[agent] for agent in agents] or [space.total]


class Mode(StrEnum):
    """The statement of a modal operator about the worlds in its scope: φ at all, φ at some, or whether φ.

    `OWN`: something else, that the truth condition of the operator says.
    """

    BOX = "box"
    DIAMOND = "diamond"
    WHETHER = "whether"
    OWN = "own"


ORDERED = frozenset({Scope.BEST, Scope.ORDER, Scope.BELIEF})
"""The scopes that depend on the orders of agents."""


@read_off
def _modal_operators(operators: tuple[type[Formula], ...]) -> dict[tuple[Scope, Mode], type[Modal]]:
    return {(kind.scope, kind.mode): kind for kind in reversed(operators) if issubclass(kind, Modal)}


def modal(scope: Scope, mode: Mode) -> type[Modal] | None:
    """Return the operator with a scope and a mode, or None."""
    return _modal_operators().get((scope, mode))


def box_of(scope: Scope) -> type[Modal]:
    """Return the box of a scope."""
    return _modal_operators()[scope, Mode.BOX]


def _in_label(place: int | slice, meaning: str) -> Any:
    """Return the property that is at this place in the label of a formula."""
    return property(lambda node: node.label[place], doc=meaning)


def _child(place: int, meaning: str) -> Any:
    """Return the property that is at this place among the children of a formula."""
    return property(lambda node: node.children[place], doc=meaning)


_WHOLE = slice(None)


# --- atoms and Boolean operators -----------------------------------------------------------------


class Atom(Formula):
    """An atomic proposition; true where the valuation says so."""

    __match_args__ = ("name",)
    pointwise = True
    english = English("{name} is true", "{name} is false")

    def __new__(cls, name: str) -> Self:
        """Return the atom with that name."""
        return cls._make((name_of(name, "an atom"),), ())

    name: str = _in_label(0, "The name of the atom.")

    def truth(self, space: Algebra[S]) -> S:  # noqa: D102 - inherited
        return space.fact(self.label[0])

    def _renamed(self, agents: Callable[[str], str], atoms: Callable[[str], str]) -> tuple[Any, ...]:
        return (atoms(self.name),)

    def _own_names(self) -> tuple[Collection[str], Collection[str]]:
        return (), self.label


def atoms(names: str) -> tuple[Atom, ...]:
    """Return the atoms with the names in a string, separated by spaces or commas.

    >>> p, q = atoms("p q")
    >>> print(p & ~q)
    p & ~q
    """
    return tuple(map(Atom, names.replace(",", " ").split()))


class Constant(Formula):
    """Truth or falsity: `TRUE` and `FALSE`."""

    __match_args__ = ("value",)
    pointwise = True
    spellings: ClassVar[Mapping[bool, Spelling]] = {
        True: Spelling("true", "⊤", r"\top", foreign=("Top", "True", "TRUE")),
        False: Spelling("false", "⊥", r"\bot", foreign=("Bot", "False", "FALSE")),
    }
    english: ClassVar[Mapping[bool, English]] = {
        True: English("truth holds"),
        False: English("falsehood holds"),
    }

    def __new__(cls, value: bool) -> Self:
        """Return the constant of that truth value."""
        if not isinstance(value, bool):
            raise FormulaError(f"a constant is True or False, got {value!r}")
        return cls._make((value,), ())

    value: bool = _in_label(0, "The truth value.")

    def truth(self, space: Algebra[S]) -> S:  # noqa: D102 - inherited
        return space.all if self.label[0] else space.complement(space.all)


TRUE = Constant(True)
FALSE = Constant(False)


class Unary(Formula):
    """An operator over one formula."""

    spelling: ClassVar[Spelling]
    __match_args__: ClassVar[tuple[str, ...]] = ("body",)

    def __new__(cls, body: FormulaLike) -> Self:
        """Return the operator over a formula."""
        return cls._make((), (formula(body),))

    body: Formula = _child(-1, "The formula under the operator.")


class Not(Unary):
    """Negation."""

    pointwise = True
    spelling = Spelling(
        "~", "¬", r"\neg", also=("!", "∼", "not", r"\lnot", r"\sim"), foreign=("Not", "NOT", "Neg", "neg")
    )
    english = English("it is not the case that")

    def truth(self, space: Algebra[S]) -> S:  # noqa: D102 - inherited
        return space.complement(space.memo[self.children[0]])


class Infix(Formula):
    """An operator between formulas."""

    pointwise = True
    spelling: ClassVar[Spelling]
    binding: ClassVar[Binding]
    groups: ClassVar[str] = "all"
    """How chains are read: `all` operands under one operator, or grouped from the `left` or the `right`."""


class Nary(Infix):
    """An operator between two or more formulas."""

    __match_args__ = ("children",)

    def __new__(cls, *parts: FormulaLike) -> Self:
        """Return the operator between formulas."""
        if len(parts) < 2:
            raise FormulaError(f"{cls.__name__} needs at least two formulas, got {len(parts)}")
        return cls._make((), tuple(formula(p) for p in parts))


class Binary(Infix):
    """An operator between two formulas."""

    __match_args__ = ("left", "right")

    def __new__(cls, left: FormulaLike, right: FormulaLike) -> Self:
        """Return the operator between two formulas."""
        return cls._make((), (formula(left), formula(right)))

    left: Formula = _child(0, "The formula on the left.")

    right: Formula = _child(1, "The formula on the right.")


class Junction(Infix):
    """A conjunction or disjunction of literals: `decides` is the value of a literal that settles it."""

    decides: ClassVar[bool]

    def literals(self) -> list[tuple[Formula, bool]]:
        """Return the parts, each with the truth value it has as a literal."""
        return [(part, True) for part in self.children]

    def truth(self, space: Algebra[S]) -> S:
        memo = space.memo
        found = [memo[f] if positive else space.complement(memo[f]) for f, positive in self.literals()]
        return space.any_of(found) if self.decides else space.all_of(found)


class And(Nary, Junction):
    """Conjunction of two or more formulas."""

    spelling = Spelling(
        "&", "∧", r"\wedge", also=("&&", "and", r"\land"), foreign=("And", "AND", "Conj", "/\\", "⋀", r"\&")
    )
    binding = Binding.AND
    english = English("both … and …", several="all of these hold: …, … and …")
    decides = False


class Or(Nary, Junction):
    """Disjunction of two or more formulas."""

    spelling = Spelling(
        "|", "∨", r"\vee", also=("||", "or", r"\lor"), foreign=("Or", "OR", "Disj", "\\/", "⋁", "v")
    )
    binding = Binding.OR
    english = English("either … or …", several="at least one of these holds: …, … or …")
    decides = True


class Parity(Formula):
    """A formula that is true iff an odd number of others are, or iff an even number is."""

    @property
    def summands(self) -> tuple[tuple[Formula, ...], bool]:
        """The formulas that occur an odd number of times in nested parities and negations; whether even.

        So brackets make no difference. Formulas that cancel need not be evaluated, for example the coins of
        the dining cryptographers.
        """
        if "summands" not in self._found:
            inner = list(self.ordered(lambda f: f.children if isinstance(f, Parity | Not) else ()))
            times = dict.fromkeys(inner, 0) | {self: 1}
            for f in reversed(inner):
                if isinstance(f, Parity | Not) and times[f] % 2:
                    for child in f.children:
                        times[child] += 1
            odd = [f for f in inner if times[f] % 2]
            even = sum(isinstance(f, Iff | Not) for f in odd) % 2 == 1
            self._found["summands"] = tuple(f for f in odd if not isinstance(f, Parity | Not)), even
        return self._found["summands"]  # type: ignore[no-any-return]

    def here(self) -> tuple[Formula, ...]:
        return self.summands[0]

    def truth(self, space: Algebra[S]) -> S:
        parts, even = self.summands
        found = space.odd_of([space.memo[f] for f in parts]) if parts else space.complement(space.all)
        return space.complement(found) if even else found


class Xor(Parity, Nary):
    """Exclusive or: true where an odd number of the formulas is true."""

    spelling = Spelling("^", "⊕", r"\oplus", also=("xor",), foreign=("Xor", "XOR", "⊻", r"\veebar"))
    binding = Binding.XOR
    english = English(
        "one but not both of these holds: … and …", several="an odd number of these hold: …, … and …"
    )


class Implies(Binary, Junction):
    """Material implication."""

    spelling = Spelling(
        "->", "→", r"\to",
        also=("=>", "⇒", "⊃", "implies", r"\rightarrow", r"\Rightarrow", r"\longrightarrow",
              r"\Longrightarrow", r"\implies", r"\supset"),
        foreign=("Implies", "IMPLIES", "Impl", "-->", "==>", "⟶", "⟹", "only if"),
    )  # fmt: skip
    binding = Binding.IMPLIES
    english = English("if …, then …")
    groups = "right"
    decides = True

    def literals(self) -> list[tuple[Formula, bool]]:  # noqa: D102 - inherited
        return [(self.left, False), (self.right, True)]


class Iff(Parity, Binary):
    """Equivalence: both sides true or both false."""

    spelling = Spelling(
        "<->", "↔", r"\leftrightarrow",
        also=("<=>", "⟷", "⇔", "≡", "iff", r"\Leftrightarrow", r"\longleftrightarrow",
              r"\Longleftrightarrow", r"\iff", r"\equiv"),
        foreign=("Iff", "IFF", "Equi", "<-->", "<==>", "⟺", "=", "==", "if and only if"),
    )  # fmt: skip
    binding = Binding.IFF
    english = English("it is the case that … exactly when …")
    groups = "left"


class Count(Formula):
    """Counting: `exactly`, `atleast` or `atmost` a number of the formulas are true."""

    __match_args__ = ("kind", "number", "children")
    pointwise = True
    KINDS = ("exactly", "atleast", "atmost")
    spellings: ClassVar[Mapping[str, Spelling]] = {
        kind: Spelling.word(kind, foreign=(words,))
        for kind, words in zip(KINDS, ("Exactly", "AtLeast", "AtMost"), strict=True)
    }
    english: ClassVar[Mapping[str, English]] = {
        kind: English(
            f"{words} {{number}} of this one statement hold(s): …",
            several=f"{words} {{number}} of these hold(s): …, … and …",
        )
        for kind, words in zip(KINDS, ("exactly", "at least", "at most"), strict=True)
    }

    def __new__(cls, kind: str, number: int, *parts: FormulaLike | Collection[FormulaLike]) -> Self:
        """Return the count of `parts` (or of a list of them), compared with `number`."""
        if kind not in cls.KINDS:
            raise FormulaError(f"expected one of {', '.join(cls.KINDS)}; got {kind!r}")
        one = parts[0] if len(parts) == 1 else None
        listed = isinstance(one, Collection) and not isinstance(one, str | Formula)
        counted: Iterable[Any] = one if listed else parts  # type: ignore[assignment]
        found = tuple(map(formula, counted))
        if not found:
            raise FormulaError(f"{kind} needs at least one formula to count")
        return cls._make((kind, natural(number, kind)), found)

    kind: str = _in_label(0, "`exactly`, `atleast` or `atmost`.")

    number: int = _in_label(1, "The number compared with.")

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest number of true parts for which the formula is true."""
        size = len(self.children)
        low, high = min(self.number, size + 1), min(self.number, size)
        if self.kind == "atmost":
            low = 0
        if self.kind == "atleast":
            high = size
        return low, high

    def truth(self, space: Algebra[S]) -> S:  # noqa: D102 - inherited
        return space.counted([space.memo[f] for f in self.children], *self.bounds)


def exactly(number: int, *parts: FormulaLike | Collection[FormulaLike]) -> Count:
    """Return the formula that exactly `number` of the given formulas are true."""
    return Count("exactly", number, *parts)


def atleast(number: int, *parts: FormulaLike | Collection[FormulaLike]) -> Count:
    """Return the formula that at least `number` of the given formulas are true.

    >>> print(atleast(2, "p", "q", "r"), atleast(2, ["p", "q", "r"]))
    atleast(2; p, q, r) atleast(2; p, q, r)
    """
    return Count("atleast", number, *parts)


def atmost(number: int, *parts: FormulaLike | Collection[FormulaLike]) -> Count:
    """Return the formula that at most `number` of the given formulas are true."""
    return Count("atmost", number, *parts)


def oneof(*parts: FormulaLike | Collection[FormulaLike]) -> Count:
    """Return the formula that exactly one of the given formulas is true."""
    return Count("exactly", 1, *parts)


def counts_compared(
    left: Iterable[FormulaLike], relation: str, right: Iterable[FormulaLike] | int
) -> Formula:
    """Return a comparison of the number of true formulas in a list with a number, or with that in another.

    `left` has at least as many true formulas as `right` iff, among the formulas of `left` and the negations
    of those of `right`, at least as many are true as `right` has formulas.

    >>> print(counts_compared("pq", ">", ["r"]), "and", counts_compared("pq", "!=", 1))
    atleast(2; p, q, ~r) and ~exactly(1; p, q)
    """
    number, others = 0, list[Formula]()
    if isinstance(right, int):
        number = right
    else:
        others += map(formula, right)
    kind, more, denied = _COMPARED[relation]
    found = Count(kind, number + len(others) + more, *left, *(Not(f) for f in others))
    return Not(found) if denied else found


_COMPARED: Mapping[str, tuple[str, int, bool]] = {
    ">=": ("atleast", 0, False),
    ">": ("atleast", 1, False),
    "<=": ("atmost", 0, False),
    "<": ("atleast", 0, True),
    "=": ("exactly", 0, False),
    "!=": ("exactly", 0, True),
}


def conjunction(parts: Iterable[FormulaLike]) -> Formula:
    """Return the conjunction of any number of formulas: `true` of none, the formula itself of one."""
    return _joined(And, parts, TRUE)


def _joined(kind: type[Nary], parts: Iterable[FormulaLike], nothing: Formula) -> Formula:
    found = tuple(map(formula, parts))
    if len(found) > 1:
        return kind(*found)
    return found[0] if found else nothing


def conjuncts(f: Formula) -> tuple[Formula, ...]:
    """Return the parts of a conjunction, including nested conjunctions; for any other formula, itself."""
    found = [f]
    while any(isinstance(g, And) for g in found):
        found = [part for g in found for part in (g.children if isinstance(g, And) else (g,))]
    return tuple(found)


def disjunction(parts: Iterable[FormulaLike]) -> Formula:
    """Return the disjunction of any number of formulas: `false` of none, the formula itself of one."""
    return _joined(Or, parts, FALSE)


# --- modal operators: a scope times a mode -------------------------------------------------------


class Modal(Unary):
    """An operator about other worlds: a scope and a mode. The label lists the agents."""

    spelling: ClassVar[Spelling]
    scope: ClassVar[Scope]
    mode: ClassVar[Mode]

    def __init_subclass__(cls) -> None:
        if "spelling" in cls.__dict__:
            for part in ("scope", "mode"):
                if not hasattr(cls, part):
                    raise FormulaError(f"{cls.__name__} has a spelling, but no {part}")
        super().__init_subclass__()

    def truth(self, space: Algebra[S]) -> S:
        inside = space.memo[self.children[-1]]
        look = getattr(space, self.mode)  # the space's box, diamond or whether
        found = [look(relation, inside) for relation in self.scope.relations(space, self.label, self.within)]
        if len(found) == 1:
            return found[0]  # type: ignore[no-any-return]
        return space.any_of(found) if self.scope is Scope.SOME else space.all_of(found)

    def unfolded(self) -> Formula | None:
        """Return the formula that this one abbreviates (E_G φ: a conjunction of K_a φ), or None."""
        if self.scope in (Scope.EACH, Scope.SOME):
            of_agent = modal(Scope.AGENT, self.mode)
            assert of_agent is not None
            parts = [of_agent._make((agent,), self.children) for agent in self.label]
            return (disjunction if self.scope is Scope.SOME else conjunction)(parts)
        if self.mode is Mode.WHETHER:
            box = box_of(self.scope)
            return Or(self.of_kind(box, self.body), self.of_kind(box, Not(self.body)))
        return None

    @property
    def within(self) -> Formula:
        """The condition on the worlds that count: ψ of C_G^{ψ} φ, `true` if there is none."""
        return self.children[0] if len(self.children) > 1 else TRUE

    def of_kind(self, kind: type[Formula], body: Formula) -> Formula:
        """Return an operator of another kind with the same agents and the same condition over a body."""
        return kind._make(self.label, (*self.children[:-1], body))

    def _renamed(self, agents: Callable[[str], str], atoms: Callable[[str], str]) -> tuple[Any, ...]:
        return group_of(map(agents, self.label)) if self.label else ()

    def _own_names(self) -> tuple[Collection[str], Collection[str]]:
        return self.label, ()


class OfAgent(Modal):
    """A modal operator of one agent."""

    __match_args__ = ("agent", "body")
    scope = Scope.AGENT

    def __new__(cls, agent: str | SupportsIndex, body: FormulaLike) -> Self:
        """Return the operator of an agent over a formula."""
        return cls._make((agent_name(agent),), (formula(body),))

    agent: str = _in_label(0, "The agent of the operator.")

    def truth(self, space: Algebra[S]) -> S:
        look = getattr(space, self.mode)
        return look(space.relations[self.label[0]], space.memo[self.children[-1]])  # type: ignore[no-any-return]


class OfGroup(Modal):
    """A modal operator of a group of agents."""

    __match_args__ = ("group", "body")

    def __new__(cls, group: object, body: FormulaLike) -> Self:
        """Return the operator of a group over a formula."""
        return cls._make(group_of(group), (formula(body),))

    group: tuple[str, ...] = _in_label(_WHOLE, "The agents of the group, sorted.")


class OfReach(OfGroup):
    """A modal operator about the worlds that a group can reach in one or more steps.

    With a condition ψ only paths count on which ψ is true at every world after the first, as in C_G^{ψ} φ:
    relativised common knowledge (van Benthem, van Eijck and Kooi 2006). It says before the announcement of
    ψ what C_G says after it: `[!ψ]C_G φ <-> (ψ -> C_G^{ψ} [!ψ]φ)`.

    >>> print(Common(["a", "b"], "p"), "and", CommonWhether(["a", "b"], "p", within="q"))
    C_{a,b} p and Cw_{a,b}^{q} p
    """

    scope = Scope.REACH

    def __new__(cls, group: object, body: FormulaLike, *, within: FormulaLike | None = None) -> Self:
        """Return the operator of a group over a formula, for paths through worlds where `within` is true."""
        if within is None:
            return cls._make(group_of(group), (formula(body),))
        return cls._make(group_of(group), (formula(within), formula(body)))


class OfWorlds(Modal):
    """A modal operator about all worlds of the model."""

    scope = Scope.WORLDS


class Knows(OfAgent):
    """K_a φ: φ holds at every world that a considers possible."""

    spelling = Spelling(
        "K",
        "K",
        "K",
        also=("□", r"\Box", r"\square", "[]"),
        foreign=("Knows", "Know", "Box", "box", "Box_a", "◻"),
    )
    mode = Mode.BOX
    english = English("{} knows that", "{} does not know that")


class Believes(Knows):
    """B_a φ: φ holds at the most plausible of the worlds that a considers possible.

    Where a has no ranks all worlds are equally plausible, and B_a φ is K_a φ. With a condition it is
    `BelievesGiven`.

    >>> print(Believes("a", "p"), "and", Believes("a", "p").unfolded(), "and", Believes("a", "p", within="q"))
    B_a p and K_a p and B_a^{q} p
    """

    spelling = Spelling("B", "B", "B", foreign=("Believes", "Bel"))
    english = English("{} believes that", "{} does not believe that")

    def __new__(
        cls, agent: str | SupportsIndex, body: FormulaLike, *, within: FormulaLike | None = None
    ) -> Any:
        """Return the operator of an agent over a formula, on the condition `within` if there is one."""
        if within is None:
            return cls._make((agent_name(agent),), (formula(body),))
        return BelievesGiven(agent, body, within=within)

    def truth(self, space: Algebra[S]) -> S:  # noqa: D102 - inherited
        if not space.ranks(self.agent):
            return super().truth(space)
        return _in_best(space, self.agent, space.all, space.memo[self.body])

    def unfolded(self) -> Formula:
        """Return K_a φ, which it abbreviates for an agent without ranks."""
        return self.of_kind(Knows, self.body)


def _in_best(space: Algebra[S], agent: str, given: S, inside: S) -> S:
    """Return the worlds at which an agent's most plausible worlds of one set are all in another."""
    best = space.best(agent, given)
    return space.box(space.relations[agent], space.any_of([space.complement(best), inside]))


class BelievesGiven(OfAgent):
    """B_a^{ψ} φ: φ holds at the most plausible ψ-worlds that a considers possible (Baltag and Smets 2008).

    It says what a would believe of the world as it is, if told ψ.
    """

    plain = Believes
    spelling = Believes.spelling
    scope, mode = Scope.BEST, Mode.BOX
    english = English("{} would believe, if told that …, that …")

    def __new__(cls, agent: str | SupportsIndex, body: FormulaLike, *, within: FormulaLike = True) -> Self:
        """Return the operator of an agent over a formula, on the condition `within`."""
        return cls._make((agent_name(agent),), (formula(within), formula(body)))

    def truth(self, space: Algebra[S]) -> S:  # noqa: D102 - inherited
        return _in_best(space, self.agent, space.memo[self.within], space.memo[self.body])


class BelievesWhether(OfAgent):
    """Bw_a φ: a believes whether φ, that is B_a φ or B_a ~φ."""

    spelling = Spelling.word("Bw", "mathit")
    scope, mode = Scope.BEST, Mode.WHETHER
    english = English("{} believes one way or the other whether", "{} has no belief whether")

    def truth(self, space: Algebra[S]) -> S:  # noqa: D102 - inherited
        inside = space.memo[self.body]
        sides = inside, space.complement(inside)
        return space.any_of([_in_best(space, self.agent, space.all, side) for side in sides])

    def unfolded(self) -> Formula:  # noqa: D102 - inherited
        return Or(Believes(self.agent, self.body), Believes(self.agent, Not(self.body)))


class SafelyBelieves(OfAgent):
    """Sf_a φ: φ at all worlds that are for a at least as plausible as this one (Baltag and Smets 2008).

    No true information makes a give up such a belief.
    """

    spelling = Spelling.word("Sf", "mathit")
    scope, mode = Scope.ORDER, Mode.BOX
    english = English("{} believes safely that", "{} does not believe safely that")

    def truth(self, space: Algebra[S]) -> S:  # noqa: D102 - inherited
        return space.safe(self.agent, space.memo[self.body])


class StronglyBelieves(OfAgent):
    """Sb_a φ: a considers φ possible, and every φ-world more plausible than every other.

    It is M_a φ & K_a (φ -> Sf_a φ).
    """

    spelling = Spelling.word("Sb", "mathit")
    scope, mode = Scope.ORDER, Mode.OWN
    english = English("{} believes strongly that", "{} does not believe strongly that")

    def truth(self, space: Algebra[S]) -> S:  # noqa: D102 - inherited
        inside, relation = space.memo[self.body], space.relations[self.agent]
        safe = space.any_of([space.complement(inside), space.safe(self.agent, inside)])
        return space.all_of([space.diamond(relation, inside), space.box(relation, safe)])

    def unfolded(self) -> Formula:  # noqa: D102 - inherited
        agent, body = self.agent, self.body
        return And(Possible(agent, body), Knows(agent, Implies(body, SafelyBelieves(agent, body))))


class Best(OfAgent):
    """Best_a φ: this world is one of the most plausible φ-worlds that a considers possible.

    B_a^{ψ} φ is K_a (Best_a ψ -> φ).
    """

    spelling = Spelling.word("Best", "mathit")
    scope, mode = Scope.BEST, Mode.OWN
    english = English("this world is for {} one of the most plausible in which")

    def truth(self, space: Algebra[S]) -> S:  # noqa: D102 - inherited
        return space.best(self.agent, space.memo[self.body])


def degree(agent: str | SupportsIndex, number: int, body: FormulaLike) -> Formula:
    """Return the formula that an agent believes another to a degree: at the `number` + 1 first layers.

    The layers of the worlds that the agent considers possible are counted, from the most plausible on.

    >>> print(degree("a", 0, "p"), "and", degree("a", 1, "p"))
    K_a (Best_a true -> p) and K_a (Best_a true | Best_a ~Best_a true -> p)
    """
    layers, rest = list[Formula](), list[Formula]()
    for _ in range(natural(number, "a degree") + 1):
        layers.append(Best(agent, conjunction(rest)))
        rest.append(Not(layers[-1]))
    return Knows(agent, Implies(disjunction(layers), body))


class Possible(OfAgent):
    """M_a φ: a considers φ possible, ~K_a ~φ."""

    spelling = Spelling(
        "M", "M", r"\hat{K}",
        also=("◇", r"\Diamond", r"\lozenge", "<>", r"\hat K"),
        foreign=("Diamond", "diamond", "Diamond_a", "Possible", "possible", "Kpos", "◊", "⋄", r"\diamond",
                 "L", "K\u0302"),
    )  # fmt: skip
    mode = Mode.DIAMOND
    english = English("{} considers it possible that", "{} does not consider it possible that")


class KnowsWhether(OfAgent):
    """Kw_a φ: a knows whether φ, that is K_a φ or K_a ~φ."""

    spelling = Spelling.word("Kw", "mathit", ("KW", "Kwh", "KnowsWhether"))
    mode = Mode.WHETHER
    english = English("{} knows whether", "{} does not know whether")


class Everyone(OfGroup):
    """E_G φ: everyone in the group knows φ."""

    spelling = Spelling("E", "E", "E", foreign=("EK", "EB", "Everyone", "Everybody"))
    scope, mode = Scope.EACH, Mode.BOX
    english = English.of_group("everyone among {} knows that", "everyone among {} believes that")


class EveryoneDual(OfGroup):
    """Em_G φ, the dual of E: someone in the group considers φ possible."""

    spelling = Spelling("Em", "Em", r"\hat{E}", also=(r"\hat E",))
    scope, mode = Scope.SOME, Mode.DIAMOND
    english = English.of_group("someone among {} considers it possible that")


class EveryoneWhether(OfGroup):
    """Ew_G φ: everyone in the group knows whether φ."""

    spelling = Spelling.word("Ew", "mathit", ("EKw", "Ekw"))
    scope, mode = Scope.EACH, Mode.WHETHER
    english = English.of_group("everyone among {} knows whether")


class SomeoneKnows(OfGroup):
    """Sk_G φ: someone in the group knows φ."""

    spelling = Spelling.word("Sk", "mathit")
    scope, mode = Scope.SOME, Mode.BOX
    english = English.of_group("someone among {} knows that", "someone among {} believes that")


class Common(OfReach):
    """C_G φ: φ at every world that the union of the relations reaches in one or more steps."""

    spelling = Spelling("C", "C", "C", foreign=("CK", "Ck", "Common", "comknow that"))
    mode = Mode.BOX
    english = English.of_group(
        "it is common knowledge among {} that",
        "it is common belief among {} that",
        "it is common knowledge among {}, given that …, that …",
    )


class CommonBelief(OfReach):
    """CB_G φ: common belief, φ at the end of every nonempty path whose steps lead to most plausible worlds.

    On a condition ψ, to most plausible ψ-worlds.
    """

    spelling = Spelling.word("CB", "mathit")
    scope, mode = Scope.BELIEF, Mode.BOX
    english = English.of_group(
        "it is common plausible belief among {} that",
        given="it would be common plausible belief among {}, if told that …, that …",
    )

    def truth(self, space: Algebra[S]) -> S:  # noqa: D102 - inherited
        given = space.all if self.within is TRUE else space.memo[self.within]
        return space.commonly(self.group, given, space.memo[self.body])


class CommonDual(OfReach):
    """Cm_G φ, the dual of C: φ at some world that the union of the relations reaches."""

    spelling = Spelling("Cm", "Cm", r"\hat{C}", also=(r"\hat C",))
    mode = Mode.DIAMOND
    english = English.of_group(
        "it is compatible with the common knowledge of {} that",
        given="it is compatible with the common knowledge of {}, given that …, that …",
    )


class CommonWhether(OfReach):
    """Cw_G φ: it is common knowledge whether φ, that is C_G φ or C_G ~φ."""

    spelling = Spelling.word("Cw", "mathit", ("CKw", "Ckw", "comknow whether"))
    mode = Mode.WHETHER
    english = English.of_group(
        "it is common knowledge among {} whether",
        given="it is common knowledge among {}, given that …, whether …",
    )


class Distributed(OfGroup):
    """D_G φ: φ at every world that all of the group consider possible."""

    spelling = Spelling("D", "D", "D", foreign=("DK", "Dk", "DB", "Distributed", "distknow that"))
    scope, mode = Scope.MEET, Mode.BOX
    english = English.of_group("it is distributed knowledge among {} that")


class DistributedDual(OfGroup):
    """Dm_G φ, the dual of D: φ at some world that all of the group consider possible."""

    spelling = Spelling("Dm", "Dm", r"\hat{D}", also=(r"\hat D",))
    scope, mode = Scope.MEET, Mode.DIAMOND
    english = English.of_group("it is compatible with the distributed knowledge of {} that")


class DistributedWhether(OfGroup):
    """Dw_G φ: it is distributed knowledge whether φ, that is D_G φ or D_G ~φ."""

    spelling = Spelling.word("Dw", "mathit", ("DKw", "Dkw", "distknow whether"))
    scope, mode = Scope.MEET, Mode.WHETHER
    english = English.of_group("it is distributed knowledge among {} whether")


class Everywhere(OfWorlds):
    """φ at all worlds of the model."""

    spelling = Spelling.word("everywhere")
    mode = Mode.BOX
    english = English("it holds at every world that", "it does not hold at every world that")


class Somewhere(OfWorlds):
    """φ at some world of the model."""

    spelling = Spelling.word("somewhere")
    mode = Mode.DIAMOND
    english = English("it holds at some world that", "it holds at no world that")


class KnowsValue(Formula):
    """Kv_a(x): a knows the value of the declared variable x."""

    __match_args__ = ("agent", "variable")
    spelling = Spelling.word("Kv", "mathit")
    english = English("{} knows the value of {name}", "{} does not know the value of {name}")
    scattered = True

    def __new__(cls, agent: str | SupportsIndex, variable: str) -> Self:
        """Return the formula that `agent` knows the value of `variable`."""
        return cls._make((agent_name(agent), name_of(variable, "a variable")), ())

    agent: str = _in_label(0, "The agent who knows the value.")

    variable: str = _in_label(1, "The name of the variable.")

    def instances(self, space: Algebra[S]) -> list[Formula]:
        """Return for each value of the variable the formula that the agent knows it."""
        return [Knows(self.agent, f) for f in space.variables[self.variable].values()]

    def elsewhere(self, space: Algebra[S]) -> list[tuple[Algebra[S], Formula]]:  # noqa: D102 - inherited
        return [(space.unbound, f) for f in self.instances(space)]

    def truth(self, space: Algebra[S]) -> S:  # noqa: D102 - inherited
        return space.any_of([space.unbound.memo[f] for f in self.instances(space)])

    def _renamed(self, agents: Callable[[str], str], atoms: Callable[[str], str]) -> tuple[Any, ...]:
        return (agents(self.agent), self.variable)

    def _own_names(self) -> tuple[Collection[str], Collection[str]]:
        return self.label[:1], ()


# --- all valuations of an atom -------------------------------------------------------------------

MOST_QUANTIFIED = 12
"""The most atoms of a quantifier that is written out; the formula is repeated 2^n times for n atoms."""


class Quantifier(Unary):
    """An operator that ranges over both truth values of some atoms."""

    __match_args__ = ("names", "body")
    spelling: ClassVar[Spelling]
    every: ClassVar[bool]
    scattered = True

    def __new__(cls, names: str | Iterable[str], body: FormulaLike) -> Self:
        """Return the quantifier over the atoms of these names."""
        if isinstance(names, str):
            names = (names,)
        if not isinstance(names, Iterable) or not (found := tuple(dict.fromkeys(names))):
            raise FormulaError(f"a quantifier needs the names of atoms, got {names!r}")
        return cls._make(tuple(name_of(n, "a quantified atom") for n in found), (formula(body),))

    names: tuple[str, ...] = _in_label(_WHOLE, "The atoms quantified over.")

    @property
    def bound(self) -> list[str]:
        """The atoms quantified over that the body mentions."""
        return [name for name in self.names if name in self.body.atoms]

    def instances(self) -> list[Formula]:
        """Return the body for each valuation of these atoms.

        >>> print(*Exists(["p", "q"], Atom("p") | Atom("r")).instances(), sep="; ")
        true | r; false | r

        Raises `FormulaError` for too many.
        """
        if (size := len(self.bound)) > MOST_QUANTIFIED:
            raise FormulaError(
                f"cannot write out {str(self)!r}: a quantifier over {size} atoms has {2**size:,} instances "
                f"(at most {MOST_QUANTIFIED} atoms)"
            )
        values = product((TRUE, FALSE), repeat=len(self.bound))
        return [self.body.substitute(dict(zip(self.bound, value, strict=True))) for value in values]

    def unfolded(self) -> Formula:
        """Return the conjunction of the instances for `forall`, their disjunction for `exists`."""
        return (conjunction if self.every else disjunction)(self.instances())

    def here(self) -> tuple[Formula, ...]:
        return ()

    def elsewhere(self, space: Algebra[S]) -> Sequence[tuple[Algebra[S], Formula]]:
        return space.instances(self)

    def truth(self, space: Algebra[S]) -> S:
        return space.quantified(self, [there.memo[f] for there, f in space.instances(self)])

    def _renamed(self, agents: Callable[[str], str], atoms: Callable[[str], str]) -> tuple[Any, ...]:
        return tuple(map(atoms, self.names))

    def _own_names(self) -> tuple[Collection[str], Collection[str]]:
        return (), self.label


class Forall(Quantifier):
    """`forall p, q. φ`: φ is true for all truth values of the atoms."""

    spelling = Spelling("forall", "∀", r"\forall", foreign=("Forall", "ForAll"))
    english = English(
        "for all truth values of {names} it holds that", "not for all truth values of {names} it holds that"
    )
    every = True


class Exists(Quantifier):
    """`exists p, q. φ`: φ is true for some truth values of the atoms."""

    spelling = Spelling("exists", "∃", r"\exists", foreign=("Exists",))
    english = English(
        "for some truth values of {names} it holds that", "for no truth values of {names} it holds that"
    )
    every = False


# --- after an update -----------------------------------------------------------------------------


class Announce(NamedTuple):
    """An announcement inside a formula.

    `group` None: public. Otherwise only the group learns it: with `whether`, semi-privately (the
    others see that the group learns whether it is true); without, privately (the others notice
    nothing). `whether`: the truth value of `content` is announced, instead of its truth.
    """

    content: Formula
    group: tuple[str, ...] | None = None
    whether: bool = False

    @property
    def english(self) -> str:
        """The words for the announcement, with `{}` for the group and `…` for the content."""
        return ANNOUNCED[self.group is not None, self.whether]


ANNOUNCED: Mapping[tuple[bool, bool], str] = {
    (False, False): "the public announcement that …",
    (False, True): "the public announcement whether …",
    (True, False): "the private announcement to {} that …",
    (True, True): "the semi-private announcement to {} whether …",
}
"""The words for announcements, by whether they are to a group, and whether they say *whether*."""


class Act(NamedTuple):
    """The execution of an action model inside a formula.

    `name`: the name in the formula. `event`: only this event (None: the designated ones). `model`: the
    action model, an `Action`; None as long as the name is not bound. Without a model, the name of an event is
    a string; with one, it is a name of the model.
    """

    name: str
    event: Hashable | None = None
    model: Any = None

    @property
    def bound(self) -> Any:
        """The action model; raises `UnknownActionError` if the name is not bound."""
        if self.model is None:
            raise UnknownActionError.unbound(self.name)
        return self.model

    @property
    def english(self) -> str:
        """The words for the action, with `{name}` for its name and for that of the event."""
        return ACTED[self.event is not None]


ACTED: Mapping[bool, str] = {False: "the action {name}", True: "the event {name} of the action {name}"}
"""The words for actions, by whether they are restricted to an event."""


class Upgrade(NamedTuple):
    """A change of the orders of all agents inside a formula, which excludes no world.

    `radical`: all worlds where `content` is true become more plausible than all others; `conservative`: the
    most plausible of them in each cell (van Benthem 2007).
    """

    content: Formula
    kind: str = "radical"

    @property
    def english(self) -> str:
        """The words for the upgrade, with `…` for its content."""
        return f"the {self.kind} upgrade that …"


UPGRADES: Mapping[str, Spelling] = {
    "radical": Spelling("^^", "⇑", r"\Uparrow"),
    "conservative": Spelling("^", "↑", r"\uparrow"),
}
"""The signs of the kinds of upgrades, before their content."""


Update: TypeAlias = Announce | Act | Upgrade
"""An update inside a formula."""


class Dynamic(Unary):
    """An operator about an update: a formula is true after every, or after some, possible outcome."""

    __match_args__ = ("update", "body")
    spelling: ClassVar[Spelling]
    closing: ClassVar[Spelling]
    every: ClassVar[bool]
    scattered = True

    def __new__(cls, update: Update, body: FormulaLike) -> Self:
        """Return the operator of an update over a formula."""
        match update:
            case Upgrade(content, kind):
                check_known(kind, UPGRADES, UnknownNameError, kind="upgrade")
                return cls._make(("upgrade", kind), (formula(content), formula(body)))
            case Announce(content, group, whether):
                members = group
                if group is not None:
                    members = group_of(group)
                return cls._make(("announce", members, bool(whether)), (formula(content), formula(body)))
            case Act(name, event, model):
                if event is not None and (model is None or isinstance(event, str)):
                    event = name_of(event, "an event")
                return cls._make(("act", name_of(name, "an action"), event, model), (formula(body),))
            case _:
                raise FormulaError(f"expected an Announce, an Act or an Upgrade, got {update!r}")

    @property
    def update(self) -> Update:
        """The update before the evaluation of the body."""
        if self.label[0] == "upgrade":
            return Upgrade(self.children[0], self.label[1])
        if self.label[0] == "announce":
            return Announce(self.children[0], self.label[1], self.label[2])
        return Act(*self.label[1:])

    def here(self) -> tuple[Formula, ...]:
        match self.update:
            case Act() as act:
                conditions: tuple[Formula, ...] = act.bound.formulas
                return conditions
            case Announce(content, _, True):
                return content, ~content
            case Announce(content, None, _) | Upgrade(content):
                return (content,)
        return tuple(dict.fromkeys((self.children[0], TRUE)))  # that of the event which the others expect

    def elsewhere(self, space: Algebra[S]) -> list[tuple[Algebra[S], Formula]]:
        return [(space.after(self)[0], self.body)]

    def truth(self, space: Algebra[S]) -> S:
        after, before = space.after(self)
        inside = after.memo[self.body]
        return space.complement(before(after.complement(inside))) if self.every else before(inside)

    def _renamed(self, agents: Callable[[str], str], atoms: Callable[[str], str]) -> tuple[Any, ...]:
        if self.label[0] == "announce" and self.label[1] is not None:
            return "announce", group_of(map(agents, self.label[1])), self.label[2]
        return self.label

    def _own_names(self) -> tuple[Collection[str], Collection[str]]:
        match self.update:
            case Announce(_, group, _):
                return group or (), ()
            case Act(_, _, model):
                return ((), ()) if model is None else (model.formula_agents, model.formula_atoms)
        return (), ()


def nodes_within(*formulas: Formula) -> Iterator[Formula]:
    """Yield the subformulas of formulas, and of the actions that these name."""
    left, done = list(formulas), set[Formula]()
    for f in left:
        for node in f.subformulas() if f not in done else ():
            yield node
            if isinstance(node, Dynamic) and isinstance(node.update, Act) and node.update.model is not None:
                left += node.update.model.formulas
        done.add(f)


class Box(Dynamic):
    """[update]φ: φ after every way in which the update can happen; true where it cannot happen."""

    english = English("after {update}, …")
    spelling, closing = Spelling("[", "[", "["), Spelling("]", "]", "]")
    every = True


class Diamond(Dynamic):
    """<update>φ: the update can happen such that φ holds afterwards."""

    english = English("{update} can take place, after which …")
    spelling = Spelling("<", "⟨", r"\langle")
    closing = Spelling(">", "⟩", r"\rangle")
    every = False


# --- probability ---------------------------------------------------------------------------------


class Comparison(NamedTuple):
    """A comparison of numbers: its notation, its meaning, and its words before a number."""

    spelling: Spelling
    holds: Callable[[Any, Any], Any]
    words: str


class Term(NamedTuple):
    """`coefficient * P_agent(body)`."""

    coefficient: Fraction
    agent: str
    body: Formula


class Probability(Formula):
    """A linear sum of probabilities compared with a number.

    `terms` are triples (coefficient, agent, formula), `relation` is one of `>= > <= < = !=`. P_a(φ)
    is the weight that a gives to φ among the worlds it considers possible (Fagin and Halpern 1994,
    with finite models and weights per agent).
    """

    __match_args__ = ("terms", "relation", "bound")
    spelling = Spelling("P", "P", "P", foreign=("Pr", "Prob", r"\Pr", "μ"))
    english = English("the probability for {} that …")
    comparisons: ClassVar[Mapping[str, Comparison]] = {
        ">=": Comparison(Spelling(">=", "≥", r"\geq", foreign=(r"\ge", "⩾")), ge, "is at least"),
        ">": Comparison(Spelling(">", ">", ">"), gt, "is greater than"),
        "<=": Comparison(Spelling("<=", "≤", r"\leq", foreign=(r"\le", "⩽")), le, "is at most"),
        "<": Comparison(Spelling("<", "<", "<"), lt, "is less than"),
        "=": Comparison(Spelling("=", "=", "=", also=("==",)), eq, "is exactly"),
        "!=": Comparison(Spelling("!=", "≠", r"\neq", foreign=(r"\ne", "=/=")), ne, "is not exactly"),
    }
    times: ClassVar[Spelling] = Spelling("*", "·", r"\cdot")
    RELATIONS = tuple(comparisons)

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

    relation: str = _in_label(1, "How the sum compares with the bound.")

    bound: Fraction = _in_label(2, "The number on the right.")

    @property
    def holds(self) -> Callable[[Any, Any], Any]:
        """The comparison as a function of two numbers, or of arrays of numbers."""
        return self.comparisons[self.relation].holds

    def truth(self, space: Algebra[S]) -> S:  # noqa: D102 - inherited
        return space.compared(self)

    def _renamed(self, agents: Callable[[str], str], atoms: Callable[[str], str]) -> tuple[Any, ...]:
        return tuple((c, agents(a)) for c, a in self.label[0]), self.relation, self.bound

    def _own_names(self) -> tuple[Collection[str], Collection[str]]:
        return {agent for _, agent in self.label[0]}, ()


def opposite(relation: str) -> str:
    """Return the negation of a comparison: `<` for `>=`."""
    return {">=": "<", "<": ">=", ">": "<=", "<=": ">", "=": "!=", "!=": "="}[relation]


class LinearSum:
    """A sum such as `2*P_a(p) - P_b(q) + 1`; comparing it with a number yields a formula.

    Supports `+`, `-`, multiplication by a rational, and `>= > <= < == !=`.
    """

    __slots__ = ("constant", "terms")
    terms: tuple[Term, ...]
    constant: Fraction

    def __init__(self, terms: Iterable[Term], constant: Fraction = Fraction(0)) -> None:
        set_parts(self, terms=tuple(terms), constant=constant)

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
        if self.constant:
            parts.append(str(self.constant))
        return " + ".join(parts)


def P(agent: object, body: FormulaLike) -> LinearSum:
    """Return the probability that `agent` gives to `body`, to be compared with a number.

    >>> from fractions import Fraction
    >>> print(P("a", "p") >= Fraction(2, 3))
    P_a(p) >= 2/3
    """
    return LinearSum([Term(Fraction(1), agent_name(agent), formula(body))])


def _linear(value: object) -> LinearSum:
    return value if isinstance(value, LinearSum) else LinearSum((), rational(value))


# --- conditions -----------------------------------------------------------------------------------


def within(given: Formula, f: Formula, ordered: Container[str] = ()) -> tuple[Formula, Formula]:
    """Return a formula as it is asked on a condition, and the statement that some world is left for it.

    `ordered`: the agents who find some worlds more plausible than others.

    What is said of all worlds, of some, or of what agents know or find likely, is then said of those worlds,
    or of those of these agents, where the condition holds. Anything else is asked where it holds, and stays
    as it is; so does knowledge of the condition itself ("if Bo is the seer, does Cy know it?"), because
    nobody learns the condition.

    >>> print(*within(Atom("q"), P("a", "p") >= "1/2"), sep=", ")
    P_a(q & p) - 1/2*P_a(q) >= 0, P_a(q) > 0
    >>> print(*within(Atom("q"), Knows("a", "p")), *within(Atom("q"), Knows("a", "q")), sep=", ")
    K_a (q -> p), ~K_a ~q, K_a q, q
    """
    if isinstance(f, Somewhere):
        return Somewhere(given & f.body), Somewhere(given)
    if isinstance(f, Everywhere):
        return Everywhere(Implies(given, f.body)), Somewhere(given)
    if isinstance(f, Probability) and len({term.agent for term in f.terms}) == 1:
        agent = f.terms[0].agent
        terms = [(term.coefficient, agent, given & term.body) for term in f.terms]
        return Probability([*terms, (-f.bound, agent, given)], f.relation, 0), P(agent, given) > 0
    if isinstance(f, Believes) and f.agent in ordered:
        return Believes(f.agent, f.body, within=given), Possible(f.agent, given)
    if isinstance(f, OfAgent | OfGroup) and f.within is TRUE and f.body not in (given, ~given):
        if f.mode is Mode.WHETHER and (parts := f.unfolded()) is not None:
            asked = [within(given, part) for part in parts.children]
            return parts.with_children(part for part, _ in asked), asked[0][1]
        if f.mode is Mode.DIAMOND:
            return f.with_children([given & f.body]), f.with_children([given])
        if f.mode is Mode.BOX:
            return f.with_children([Implies(given, f.body)]), ~f.with_children([~given])
    return f, given


def conditioned(f: Formula, given: Formula, ordered: Container[str] = ()) -> tuple[Formula, Formula]:
    """Return a question as it is asked on a condition, and where: in the worlds where the second is true.

    Their verdicts give that of the question, see `Verdict.among`. The second has the names of the first, so
    that the same worlds are counted. What a condition restricts is said in `within`.

    >>> from kripke_werewolf import Atom, Somewhere
    >>> print(*conditioned(Atom("p"), Atom("q")), *conditioned(Somewhere("p"), Atom("q"))[:1], sep=", ")
    p, q & (p | ~p), somewhere (q & p)
    """
    new, left = dict[Formula, Formula](), dict[Formula, None]()
    for node in f.ordered(joined):
        if parts := joined(node):
            new[node] = node.with_children(new[part] for part in parts)
        else:
            new[node], some = within(given, node, ordered)
            left[some] = None
    return new[f], conjunction(left) & (new[f] | ~new[f])
