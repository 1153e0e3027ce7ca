"""The beginning of every exported file, `prelude.mm`: the connectives, their notation, and modus ponens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import NamedTuple

PROVABLE = "|-"
"""The typecode of theorems."""


class Pattern(NamedTuple):
    """An expression: the label of its syntax axiom with its parts, or the label of a variable."""

    label: str
    parts: tuple[Pattern, ...] = ()


class Syntax(NamedTuple):
    """The notation of a kind of expression: its typecode, and its symbols with variables for the parts."""

    typecode: str
    symbols: tuple[str, ...]


class Reference(NamedTuple):
    """The data needed to cite an axiom or a theorem: its label, and its variables in order."""

    label: str
    variables: tuple[str, ...]


class Assertion(NamedTuple):
    """An axiom or a theorem with its content."""

    reference: Reference
    premises: tuple[Pattern, ...]
    conclusion: Pattern


@dataclass
class Database:
    """The declarations of a Metamath file that proofs use."""

    constants: set[str] = field(default_factory=set)
    variables: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Variables with their typecodes and the labels of their `$f`, in the order of the file."""
    syntax: dict[str, Syntax] = field(default_factory=dict)
    statements: dict[str, Assertion] = field(default_factory=dict)

    def copy(self) -> Database:
        """Return a copy of the database, to which declarations can be added."""
        return Database(set(self.constants), dict(self.variables), dict(self.syntax), dict(self.statements))

    def read(self, text: str) -> None:
        """Add the declarations of a file in Metamath's format; its proofs are ignored."""
        premises: list[tuple[str, ...]] = []
        for label, kind, symbols in _declarations(text):
            match kind:
                case "$c":
                    self.constants.update(symbols)
                case "$f":
                    self.variables[symbols[1]] = symbols[0], label
                case "$e":
                    premises.append(symbols[1:])
                case "$}":
                    premises.clear()
                case "$a" if symbols[0] != PROVABLE:
                    self.syntax[label] = Syntax(symbols[0], symbols[1:])
                case "$a" | "$p":
                    found = [self.expression("wff", part) for part in (*premises, symbols[1:])]
                    used = self.ordered(s for part in (*premises, symbols) for s in part)
                    self.statements[label] = Assertion(Reference(label, used), tuple(found[:-1]), found[-1])

    def ordered(self, symbols: Iterator[str]) -> tuple[str, ...]:
        """Return the labels of the variables among some symbols, in the order required in proofs."""
        found = set(symbols)
        return tuple(label for name, (_, label) in self.variables.items() if name in found)

    def parts(self, label: str) -> tuple[str, ...]:
        """Return the labels of the variables of a syntax axiom, in the order required in proofs."""
        return self.ordered(iter(self.syntax[label].symbols))

    def expression(self, typecode: str, symbols: Sequence[str]) -> Pattern:
        """Return an expression of a typecode as a tree."""
        for found, end in self._readings(typecode, tuple(symbols), 0):
            if end == len(symbols):
                return found
        raise ValueError(f"not of typecode {typecode}: {' '.join(symbols)}")

    def _readings(self, typecode: str, symbols: tuple[str, ...], start: int) -> Iterator[tuple[Pattern, int]]:
        """Yield the expressions that begin at a symbol, each with its end."""
        if start < len(symbols) and self.variables.get(symbols[start], ("",))[0] == typecode:
            yield Pattern(self.variables[symbols[start]][1]), start + 1
        for label, (kind, pattern) in self.syntax.items():
            if kind == typecode and (not pattern or symbols[start : start + 1] == pattern[:1]):
                for parts, end in self._matches(pattern, symbols, start):
                    yield Pattern(label, tuple(parts[v] for v in self.parts(label))), end

    def _matches(
        self, pattern: tuple[str, ...], symbols: tuple[str, ...], start: int
    ) -> Iterator[tuple[dict[str, Pattern], int]]:
        if not pattern:
            yield {}, start
        elif pattern[0] in self.variables:
            typecode, label = self.variables[pattern[0]]
            for part, middle in self._readings(typecode, symbols, start):
                for parts, end in self._matches(pattern[1:], symbols, middle):
                    yield {label: part, **parts}, end
        elif start < len(symbols) and symbols[start] == pattern[0]:
            yield from self._matches(pattern[1:], symbols, start + 1)


def _declarations(text: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield the label, keyword and symbols of each statement, without proofs and comments."""
    words = iter(re.sub(r"\$\(.*?\$\)", " ", text, flags=re.DOTALL).split())
    label = ""
    for word in words:
        if word in ("${", "$}"):
            yield "", word, ()
        elif word.startswith("$"):
            symbols: list[str] = []
            proof = False
            for symbol in iter(lambda: next(words), "$."):
                proof = proof or symbol == "$="
                symbols += [] if proof else [symbol]
            yield label, word, tuple(symbols)
        else:
            label = word


@cache
def prelude_text() -> str:
    """Return the text of the prelude."""
    return files(__package__).joinpath("prelude.mm").read_text(encoding="ascii")


@cache
def prelude() -> Database:
    """Return the declarations of the prelude.

    >>> prelude().statements["ax.mp"].premises[0].label
    'w.im'
    """
    found = Database()
    found.read(prelude_text())
    return found
