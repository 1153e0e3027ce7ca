"""Words and nested brackets with their places: the form of EPDDL and PDDL files."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TypeAlias

from kripke_werewolf.base.reader import Part, Source
from kripke_werewolf.errors import FormatError, UnknownNameError

_TOKENS = re.compile(r";[^\n]*|\s+|(?P<token>[()\[\]<>]|[^\s()\[\]<>;]+)")
CLOSING = {"(": ")", "[": "]", "<": ">"}
"""The closing bracket for each opening one."""
_NAME = re.compile(r"[\w'][\w'.+-]*")
_VARIABLE = re.compile(r"\?[\w'.+-]+")
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
    source = Source(text, name, "{name}:{line}:{column}")
    whole: list[Expression] = []
    unclosed = [("", 0, whole)]
    for _, part in Part(text, 0, source).tokens(_TOKENS):
        token, start = part.text, part.start
        if whole:
            part.fail(f"{token!r} follows the end of the definition: one ')' too many?")
        bracket, begun, items = unclosed[-1]
        if token in CLOSING:
            unclosed.append((token, start, []))
            if len(unclosed) > _DEEPEST + 1:
                part.fail(f"more than {_DEEPEST} brackets inside each other")
        elif not bracket:
            part.fail(f"expected '(define …', found {token!r}")
        elif token not in CLOSING.values():
            if len(unclosed) > 3 and not items and token in {*chain(*SECTIONS.values())}:
                raise source.error(unclosed[-2][1], f"this bracket is not closed before ({token} …")
            items.append(Expression(token, "", (), source, start))
        elif token != CLOSING[bracket]:
            part.fail(f"expected {CLOSING[bracket]!r}, found {token!r}")
        else:
            unclosed.pop()
            unclosed[-1][2].append(Expression("", bracket, tuple(items), source, begun))
    if len(unclosed) > 1:
        raise source.error(unclosed[-1][1], "this bracket is not closed")
    if not whole:
        raise FormatError(f"{name}: empty; expected '(define …)'")
    return whole[0]
