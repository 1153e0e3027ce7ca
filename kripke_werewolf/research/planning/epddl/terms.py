"""Types, entities, predicates, and formulas and lists with variables.

Words and nested brackets with their places: the form of EPDDL and PDDL files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, TypeAlias, TypeVar

from kripke_werewolf.base.errors import FormatError, UnknownNameError, line_and_column
from kripke_werewolf.base.files import unmarked
from kripke_werewolf.base.reader import Part, Source
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.simplification import negated
from kripke_werewolf.logic.formulas.syntax import Formula

_TOKENS = re.compile(r";[^\n]*|\s+|(?P<token>[()\[\]<>]|[^\s()\[\]<>;]+)")
CLOSING = {"(": ")", "[": "]", "<": ">"}
"""The closing bracket for each opening one."""
_NAME = re.compile(r"[\w'][\w'.+-]*")
_VARIABLE = re.compile(r"\?[\w'.+-]+")
_GLUED = re.compile(r"(Kw|C)\.(?=.)")
_DEEPEST = 150
REQUIREMENT = re.compile(
    ":(adl|agent-groups|common-knowledge|conditional-effects|del|equality|events-conditions|facts|general-frames"
    "|finitary-S5-theories|group-modalities|knowing-whether|list-comprehensions|lists|multi-pointed-models"
    "|ontic-actions|pal|partial-observability|static-common-knowledge|strips|typing"
    "|(disjunctive|existential|general|modal|negative|quantified|universal)"
    "-(formulas|goals|list-formulas|obs-conditions|postconditions|preconditions))"
)
"""What `:requirements` may name, in EPDDL and in PDDL without numbers and axioms."""
SECTIONS = {
    "domain": (":action-type-libraries", ":types", ":constants", ":predicates", ":event", ":action"),
    "problem": (":domain", ":agents", ":agent-groups", ":objects", ":facts-init", ":init", ":goal"),
    "action-type-library": (":action-type",),
}
"""The sections of each kind of definition, besides `:requirements`."""
_KEYS = (
    *(":parameters", ":precondition", ":effects", ":effect", ":action-type", ":observability-conditions"),
    *(":events", ":observability-types", ":relations", ":designated", ":conditions", ":worlds", ":labels"),
)
"""The keywords in sections."""


Declared: TypeAlias = "list[tuple[Expression, tuple[Expression, ...]]]"
"""Names or variables, with the names of their types; none if no type is written."""


@dataclass(frozen=True, eq=False)
class Expression:
    """A word, or a list of nodes in brackets.

    `word` is empty for a list; `bracket` is its opening bracket, or empty for a word. `start` is its place in
    the source.
    """

    word: str
    bracket: str
    items: tuple[Expression, ...]
    source: Source
    start: int

    def __str__(self) -> str:
        return self.word or f"{self.bracket}{' '.join(map(str, self.items))}{CLOSING[self.bracket]}"

    def __iter__(self) -> Iterator[Expression]:
        return iter(self.items)

    @property
    def head(self) -> str:
        """The word that a list begins with; empty if it begins with a list."""
        return self.items[0].word if self.items else ""

    @property
    def is_modal(self) -> bool:
        """Whether it contains a modality, in square or angle brackets."""
        return self.bracket in ("[", "<") or any(item.is_modal for item in self)

    def fault(self, message: str) -> FormatError:
        """Return the error that says what is wrong here."""
        return self.source.error(self.start, message)

    def unknown(self, kind: str, known: Iterable[str]) -> FormatError:
        """Return the error for an unknown name, with the most similar known ones."""
        return self.fault(str(UnknownNameError(self, known, kind=kind)))

    def among(self, known: Collection[str], kind: str) -> str:
        """Return the word if it is a known name of a kind."""
        if self.word not in known:
            raise self.unknown(kind, known)
        return self.word

    def new(self, known: Collection[str], what: str) -> str:
        """Return the word if it can be the name of something new."""
        if not _NAME.fullmatch(self.word):
            raise self.fault(f"expected the name of {what}, found {self}")
        if self.word in known:
            raise self.fault(f"{self.word} is declared twice")
        return self.word

    def enclosed(self, what: str, *, some: bool = False) -> tuple[Expression, ...]:
        """Return the items of a list in round brackets; `what`: their noun; `some`: one or more needed."""
        if self.bracket != "(" or (some and not self.items):
            raise self.fault(f"expected {what} in round brackets, found {self}")
        return self.items

    def parts(self, form: str) -> tuple[Expression, ...]:
        """Return the items after the first of a list that has a form, such as `(not FORMULA)`."""
        if len(self.items) != len(form.split()):
            raise self.fault(f"expected {form}, found {self}")
        return self.items[1:]

    def options(self, first: int, *needed: str, optional: Sequence[str] = ()) -> dict[str, Expression]:
        """Return the nodes that follow keywords, from an item on."""
        found: dict[str, Expression] = {}
        for key, value in self.paired(first):
            if key.among([*needed, *optional], "keyword") in found:
                raise key.fault(f"{key} is given twice")
            found[key.word] = value
        if missing := [key for key in needed if key not in found]:
            raise self.fault(f"{' '.join(item.word for item in self.items[:first])} has no {missing[0]}")
        return found

    def paired(self, first: int = 0) -> Iterator[tuple[Expression, Expression]]:
        """Yield the items two by two, from an item on."""
        if (len(self.items) - first) % 2:
            raise self.items[-1].fault(f"nothing follows {self.items[-1]}")
        yield from zip(self.items[first::2], self.items[first + 1 :: 2], strict=True)

    def typed(self, first: int = 0, what: str = "a name") -> Declared:
        """Return the names or variables in a list such as `a b - room c`, with their types."""
        wanted = _VARIABLE if what == "a variable" else _NAME
        found: Declared = []
        waiting: list[Expression] = []
        items = iter(self.items[first:])
        for node in items:
            if node.word == "|":
                break
            if node.word == "-":
                kind = next(items, node)
                if kind is node or not waiting or (kind.bracket and kind.head != "either"):
                    raise kind.fault(f"expected {what}, ' - ' and a type or (either TYPE …)")
                found += [(name, kind.items[1:] or (kind,)) for name in waiting]
                waiting = []
            elif wanted.fullmatch(node.word):
                waiting.append(node)
            else:
                raise node.fault(f"expected {what}, found {node}; types follow ' - '")
        return found + [(node, ()) for node in waiting]

    @cached_property
    def comprehension(self) -> tuple[Declared, tuple[Expression, ...]]:
        """The variables with their types, and the conditions, of `(?x ?y - type … | condition)`."""
        words = [item.word for item in self.enclosed("variables")]
        cut = words.index("|") if "|" in words else len(words)
        if cut + 2 < len(words) or cut + 1 == len(words):
            raise self.items[cut].fault("expected one condition after |")
        conditions = self.items[cut + 1 :]
        while any(condition.head == "and" for condition in conditions):
            conditions = tuple(
                c for node in conditions for c in (node.items[1:] if node.head == "and" else (node,))
            )
        return self.typed(what="a variable"), conditions

    @cached_property
    def variables(self) -> frozenset[str]:
        """The variables in it."""
        return frozenset({self.word} if self.word.startswith("?") else ()).union(*(i.variables for i in self))


def read_brackets(name: str, text: str) -> Expression:
    """Return the only list of a file; raises `FormatError` for brackets that do not match.

    >>> print(read_brackets("a.epddl", "(define (domain d) ; a comment\\n (:types room))"))
    (define (domain d) (:types room))
    """
    text = unmarked(text)
    source = Source(text, name, "{name}:{line}:{column}")
    whole: list[Expression] = []
    unclosed = [("", 0, whole)]
    for _, part in Part(text, 0, source).tokens(_TOKENS):
        token, start = part.text, part.start
        if whole:
            part.fail(f"{token!r} follows the definition: one ')' too many, or two definitions in a file?")
        bracket, begun, items = unclosed[-1]
        if token in CLOSING:
            unclosed.append((token, start, []))
            if len(unclosed) > _DEEPEST + 1:
                part.fail(f"more than {_DEEPEST} brackets inside each other")
        elif not bracket:
            part.fail(f"expected '(define …', as in files of EPDDL and PDDL, found {token!r}")
        elif token not in CLOSING.values():
            section = not items and token in {*chain(*SECTIONS.values())}
            if len(unclosed) > 3 and (section or (items and token in _KEYS)):
                # before a section, or a keyword of one, brackets inside are closed
                opened, before = (unclosed[-2][1], begun) if section else (begun, start)
                line, column, _ = line_and_column(text, opened)
                place = len(text[:before].rstrip())
                said = f"the bracket opened at {line}:{column} is not closed before {token}"
                raise source.error(place - 1, f"expected {CLOSING[text[opened]]!r} after this: {said}")
            items.append(Expression(token, "", (), source, start))
        elif token != CLOSING[bracket]:
            part.fail(f"expected {CLOSING[bracket]!r}, found {token!r}")
        else:
            unclosed.pop()
            unclosed[-1][2].append(Expression("", bracket, tuple(items), source, begun))
    if len(unclosed) > 1:
        line, column, _ = line_and_column(text, unclosed[-1][1])
        raise source.error(len(text.rstrip()) - 1, f"the bracket opened at {line}:{column} is not closed")
    if not whole:
        raise FormatError(f"{name}: empty; expected '(define …)'")
    return whole[0]


T = TypeVar("T")
Types: TypeAlias = frozenset[str]
"""The alternatives of a type; one, unless it is written with `either`."""

AGENT = frozenset({"agent"})
WORDS: Mapping[type[Formula], str] = {s.Not: "not", s.And: "and", s.Or: "or", s.Implies: "imply"}
"""How connectives are written."""
MODALITIES: Mapping[tuple[str, str], Callable[[Any, Formula], Formula]] = {
    ("[", ""): s.Knows,
    ("<", ""): s.Possible,
    ("[", "Kw."): s.KnowsWhether,
    ("[", "C."): s.Common,
    ("<", "C."): s.CommonDual,
}
"""The operators, by the bracket and the word before the agents."""
CONNECTIVES = ("true", "false", "not", "and", "or", "imply", "forall", "exists", "=", "/=")
"""The words that begin formulas."""

_MOST_VALUES = 1_000_000


def all_of(parts: Iterable[Formula]) -> Formula:
    """Return the conjunction without constants and repetitions.

    >>> print(all_of([s.TRUE, s.Atom("p"), s.Atom("p")]), "/", all_of([s.FALSE, s.Atom("p")]))
    p / false
    """
    return _joined(parts, s.And, s.FALSE)


def any_of(parts: Iterable[Formula]) -> Formula:
    """Return the disjunction without constants and repetitions."""
    return _joined(parts, s.Or, s.TRUE)


def _joined(parts: Iterable[Formula], kind: type[s.And | s.Or], zero: Formula) -> Formula:
    found: dict[Formula, None] = {}
    for part in parts:
        if part is zero:
            return zero
        if not isinstance(part, s.Constant):
            found.update(dict.fromkeys(part.children if isinstance(part, kind) else (part,)))
    return kind(*found) if len(found) > 1 else next(iter(found), negated(zero))


_JOINING = {"and": all_of, "forall": all_of, "or": any_of, "exists": any_of}


@dataclass(frozen=True)
class Declarations:
    """The names that a domain and a problem declare.

    `supertypes`: of each type, itself included. `entities`: the types of each object and agent. `predicates`:
    the types of the arguments; the truth of those in `fixed` never changes and is known to all: `facts` are
    the true ones. `atoms`: for the name of each atom mentioned, its predicate and arguments;
    `quantified`: the meanings of quantified formulas for values of their variables.
    `pddl`: there are no agents, and lists are written with `and` and `forall`, not `:and` and `:forall`.
    """

    supertypes: Mapping[str, Types]
    pddl: bool = False
    entities: dict[str, Types] = field(default_factory=dict)
    predicates: dict[str, list[Types]] = field(default_factory=dict)
    fixed: set[str] = field(default_factory=set)
    facts: set[tuple[str, ...]] = field(default_factory=set)
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    atoms: dict[str, tuple[str, ...]] = field(default_factory=dict)
    quantified: dict[tuple[Any, ...], Formula] = field(default_factory=dict)

    def types(self, nodes: Iterable[Expression], default: str = "object") -> Types:
        """Return the types with these names; `default` if there are none."""
        return frozenset(node.among(self.supertypes, "type") for node in nodes) or frozenset({default})

    def fits(self, types: Types, wanted: Types) -> bool:
        """Return whether everything of some types has one of the wanted types."""
        return all(self.supertypes[kind] & wanted for kind in types)

    def range(self, wanted: Types) -> tuple[str, ...]:
        """Return the entities of a type."""
        return tuple(name for name, types in self.entities.items() if self.fits(types, wanted))

    @cached_property
    def agents(self) -> tuple[str, ...]:
        """All agents."""
        return () if self.pddl else self.range(AGENT)

    def with_local(self, names: Iterable[str], kind: str) -> Context:
        """Return the context in which some names, even with ?, are entities of a type known only there."""
        local = dict.fromkeys(names, frozenset({kind}))
        types = {**self.supertypes, kind: frozenset({kind})}
        words = replace(self, supertypes=types, entities={**self.entities, **local})
        return Context(words, {name: name for name in local})


@dataclass(frozen=True, slots=True)
class Context:
    """The values of variables in a place.

    `draft`: everything is only checked, and variables stand for themselves. `fixed`: formulas must have the
    same truth value in all states.
    """

    words: Declarations
    values: Mapping[str, str] = field(default_factory=dict)
    draft: bool = False
    fixed: bool = False

    def term(self, node: Expression, wanted: Types | None = None, what: str = "entity") -> str:
        """Return the value of a variable or name; `wanted`: the types it may have, None for any."""
        words = self.words
        value = self.values.get(node.word, node.word)
        types = words.entities.get(value)
        if types is None:
            if node.word.startswith("?"):
                raise node.unknown("variable", self.values)
            close = [variable for variable in self.values if variable[1:] == node.word]
            known = words.entities if wanted is None else words.range(wanted)
            raise node.unknown(what, [*close, *(e for e in known if not (self.draft and e in self.values))])
        if wanted and not words.fits(types, wanted):
            raise node.fault(f"{node} is of type {_either(types)}, not {_either(wanted)}")
        return value

    def terms(self, node: Expression, wanted: Sequence[Types]) -> list[str]:
        """Return the arguments of a predicate or an event, whose number and types are checked."""
        if len(node.items) != len(wanted) + 1:
            form = " ".join([node.head, *map(_either, wanted)])
            raise node.fault(
                f"{node.head} takes {len(wanted)} arguments, found {len(node.items) - 1}; expected ({form})"
            )
        return [self.term(item, types) for item, types in zip(node.items[1:], wanted, strict=True)]

    def choices(self, node: Expression, default: str = "object") -> Iterator[Context]:
        """Yield the contexts for all values of the variables in `(?x - type … | condition)`."""
        declared, conditions = node.comprehension
        new: dict[str, Types] = {}
        for variable, kinds in declared:
            if variable.word in new:
                raise variable.fault(f"{variable} is declared twice")
            new[variable.word] = self.words.types(kinds, default)
        if self.draft:
            words = replace(self.words, entities={**self.words.entities, **new})
            inner = replace(self, words=words, values={**self.values, **{name: name for name in new}})
            for condition in conditions:
                replace(inner, fixed=True).formula(condition)
            yield inner
            return
        for number, values in enumerate(self._values(self.values, new, conditions)):
            if number == _MOST_VALUES:
                raise node.fault(f"the variables have more than {_MOST_VALUES:,} combinations of values")
            yield Context(self.words, values, fixed=self.fixed)

    def _values(
        self, values: Mapping[str, str], new: Mapping[str, Types], conditions: Sequence[Expression]
    ) -> Iterator[Mapping[str, str]]:
        """Yield the values with those of new variables; each condition is checked as early as possible."""
        context = Context(self.words, values, fixed=True)
        later = [condition for condition in conditions if not new.keys().isdisjoint(condition.variables)]
        if any(context.formula(c) is not s.TRUE for c in conditions if c not in later):
            return
        if not new:
            yield values
            return
        (name, types), *others = new.items()
        for entity in self.words.range(types):
            yield from self._values({**values, name: entity}, dict(others), later)

    def listed(
        self, node: Expression, read: Callable[[Context, Expression], T], default: str = "object"
    ) -> Iterator[T]:
        """Yield the elements of a list: `()`, one element, `(:and LIST …)` or `(:forall (…) LIST)`."""
        head = f":{node.head}" if self.words.pddl else node.head
        if head == ":and":
            for item in node.items[1:]:
                yield from self.listed(item, read, default)
        elif head == ":forall":
            variables, body = node.parts(f"({node.head} (VARIABLES) LIST)")
            for inner in self.choices(variables, default):
                yield from inner.listed(body, read, default)
        elif node.items or not node.bracket:
            yield read(self, node)

    # --- formulas --------------------------------------------------------------------------------

    def formula(self, node: Expression) -> Formula:
        """Return a formula."""
        word = node.word or node.head
        if word in self.words.predicates and not node.word:
            return self.atom(node)
        if word in ("true", "false") and len(node.items) < 2:
            return s.Constant(word == "true")
        items = node.enclosed("a formula")
        if items and items[0].bracket in ("[", "<"):
            return self._modality(node, items[0])
        match word:
            case "not":
                return negated(self.formula(node.parts("(not FORMULA)")[0]))
            case "and" | "or":
                return _JOINING[word](map(self.formula, items[1:]))
            case "imply":
                left, right = map(self.formula, node.parts("(imply FORMULA FORMULA)"))
                constant = isinstance(left, s.Constant) or isinstance(right, s.Constant)
                return any_of([negated(left), right]) if constant else s.Implies(left, right)
            case "forall" | "exists":
                variables, inside = node.parts(f"({word} (VARIABLES) FORMULA)")
                # other variables make no difference, but it does whether they have values
                key = node, self.draft, *map(self.values.get, node.variables)
                if key not in self.words.quantified:
                    parts = [inner.formula(inside) for inner in self.choices(variables)]
                    self.words.quantified[key] = _JOINING[word](parts)
                return self.words.quantified[key]
            case "=" | "/=":
                one, other = map(self.term, node.parts(f"({word} TERM TERM)"))
                return s.Constant((one == other) == (word == "="))
        raise (items[0] if items else node).unknown("predicate", [*self.words.predicates, *CONNECTIVES])

    def atom(self, node: Expression) -> Formula:
        """Return a ground atom, or for a fact its truth value."""
        words, predicate = self.words, node.head
        if not node.enclosed("a predicate and its arguments") or predicate not in words.predicates:
            raise (node.items or (node,))[0].unknown("predicate", words.predicates)
        key = predicate, *self.terms(node, words.predicates[predicate])
        if predicate in words.fixed:
            return s.Constant(key in words.facts)
        if self.fixed:
            raise node.fault(
                f"a list may depend only on facts, = and /=, but {node} may differ between states; declare "
                f"(:fact {predicate} …) if it never changes"
            )
        name = "_".join(key)
        if words.atoms.setdefault(name, key) != key:
            raise node.fault(f"({' '.join(key)}) and ({' '.join(words.atoms[name])}) would both be {name}")
        return s.Atom(name)

    def group(self, node: Expression) -> list[str]:
        """Return the agents of a modality: one, a list of several, a declared group, or All."""
        if node.word == "All" or node.word in self.words.groups:
            return list(self.words.groups.get(node.word, self.words.agents))
        if node.word:
            return [self.term(node, AGENT, "agent")]
        if node.head in (":and", ":forall"):
            return [agent for part in self.listed(node, Context.group, "agent") for agent in part]
        return [self.term(item, AGENT, "agent") for item in node.enclosed("agents")]

    def _modality(self, node: Expression, index: Expression) -> Formula:
        if self.fixed:
            raise index.fault("knowledge is not allowed here")
        body = self.formula(node.parts("(MODALITY FORMULA)")[0])
        *names, agents = index.items or (index,)
        prefix = "".join(name.word for name in names)
        if len(names) > 1 or prefix not in ("", "Kw.", "C.") or agents is index or _GLUED.match(agents.word):
            place = (names or [index])[0]
            told = "[Ann], several as [(Ann Bob)], and words with a blank after them, [Kw. Ann] or [C. All]"
            raise place.fault(f"expected agents such as {told}; found {index}")
        group = self.group(agents)
        if (index.bracket, prefix) == ("<", "Kw."):
            return all_of(~s.KnowsWhether(agent, body) for agent in group)
        kind = MODALITIES[index.bracket, prefix]
        return kind(group, body) if prefix == "C." else all_of(kind(agent, body) for agent in group)


def _either(types: Types) -> str:
    """Return the names of the types for a message."""
    return " or ".join(sorted(types))
