"""Forms of answers: each reads an answer from a string, or reports an error in its format.

An answer in the wrong format raises `FormatError` with line and column; that is not the same as a wrong
answer. A form with a finite list of answers has `options`, so that a sheet can show boxes to tick.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, NoReturn

from kripke_werewolf.errors import FormatError, KripkeError, UnknownNameError
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.reading import understand
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.models.formats import json as json_format
from kripke_werewolf.stories.text import begin, located, read_formula


class TickBox(NamedTuple):
    """An answer to tick: its string, and the label of the box."""

    answer: str
    label: str


@dataclass(frozen=True, slots=True)
class Given:
    """An answer as given, and its name in errors."""

    text: str
    source: str

    def refuse(self, message: str, position: int | None = None) -> NoReturn:
        """Raise `FormatError` at a position, by default at the beginning of the text."""
        at = begin(self.text) if position is None else position
        raise located(self.text, at, self.source, message) from None

    @property
    def word(self) -> str:
        """The text without surrounding spaces and final full stop."""
        return self.text.strip().rstrip(".")

    @property
    def start(self) -> str:
        """The beginning of the text, for quotation."""
        return self.text.strip()[:40]


class Form(ABC):
    """The form of an answer.

    `several`: whether any number of options may be ticked; the answer is then their strings separated by
    commas, or `none`. `lines`: the approximate number of lines of an answer. `numeric`: whether it is a
    number, read as a `Fraction`. `takes_model`: whether a model is an answer, written by `of_model`.
    """

    several: ClassVar[bool] = False
    lines: ClassVar[int] = 1
    numeric: ClassVar[bool] = False
    takes_model: ClassVar[bool] = False

    @property
    @abstractmethod
    def words(self) -> str:
        """The form in words, such as "yes or no"."""

    @property
    def options(self) -> tuple[TickBox, ...]:
        """The answers to choose from; empty if the answer is free."""
        return ()

    @abstractmethod
    def parse(self, given: Given) -> Any:
        """Return the answer denoted by a string; `given.refuse` reports errors."""

    def of_model(self, model: KripkeModel) -> str:
        """Return a model as an answer; raises `FormatError` if the form does not accept models."""
        raise FormatError(f"the answer is not a model; expected {self.words}")

    def read(self, text: str, source: str = "answer") -> Any:
        """Return the answer denoted by a string; raises `FormatError`, which calls it `source`.

        >>> YesNo().read("Yes.")
        True
        """
        return self.parse(Given(text, source))


_YES_NO = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}


@dataclass(frozen=True, slots=True)
class YesNo(Form):
    """Yes or no, as a truth value."""

    words: ClassVar[str] = "yes or no"
    options: ClassVar[tuple[TickBox, ...]] = (TickBox("yes", "yes"), TickBox("no", "no"))

    def parse(self, given: Given) -> bool:
        """Return yes as True and no as False."""
        word = given.word.casefold()
        if word not in _YES_NO:
            given.refuse(f"expected yes or no, got {given.start!r}")
        return _YES_NO[word]


@dataclass(frozen=True, slots=True)
class Names(Form):
    """Some of the given names, or none of them, as a set. `noun`: the things they name."""

    names: tuple[str, ...]
    noun: str = "world"
    several: ClassVar[bool] = True

    @property
    def words(self) -> str:
        """The form in words."""
        plural = f"{self.noun[:-1]}ies" if self.noun.endswith("y") else f"{self.noun}s"
        return f"names of {plural} between commas, or none"

    @property
    def options(self) -> tuple[TickBox, ...]:
        """The names."""
        return tuple(TickBox(name, name) for name in self.names)

    def parse(self, given: Given) -> frozenset[str]:
        """Return the names, separated by commas or line breaks; `none` is the empty set."""
        if given.word.casefold() == "none" and "none" not in self.names:
            return frozenset()
        found = set()
        text = given.text.replace("{", " ").replace("}", " ")
        for piece in re.finditer(r"(?:\([^(),;\n]*,[^();\n]*\)|[^,;\n])+", text):
            name = piece[0].strip()
            name = name if name in self.names else tidy(name)
            if name and name not in self.names:
                error = UnknownNameError(name, self.names, kind=self.noun)
                given.refuse(str(error), piece.start() + begin(piece[0]))
            if name:
                found.add(name)
        if not found:
            given.refuse(f"expected {self.words}", len(given.text.rstrip()))
        return frozenset(found)


@dataclass(frozen=True, slots=True)
class Choice(Form):
    """One of several things, as its index from 0; it is written as its number from 1, or in full.

    `things`: the strings to choose from, with formulas between backticks. `noun`: what they are called.
    """

    things: tuple[str, ...]
    noun: str = "formula"

    @property
    def words(self) -> str:
        """The form in words."""
        return f"the number of {'an' if self.noun[0] in 'aeiou' else 'a'} {self.noun}"

    @property
    def options(self) -> tuple[TickBox, ...]:
        """The numbers."""
        return tuple(TickBox(str(n), thing) for n, thing in enumerate(self.things, 1))

    def parse(self, given: Given) -> int:
        """Return the index of the choice."""
        word = given.word.rstrip(")")
        if word.isascii() and word.isdecimal() and len(word) < 9 and 1 <= int(word) <= len(self.things):
            return int(word) - 1
        written = _plain(word)
        for index, thing in enumerate(self.things):
            if _plain(thing.strip("`")) == written:
                return index
        return given.refuse(f"expected a number from 1 to {len(self.things)}, got {given.start!r}")


def _plain(text: str) -> str:
    """Return a formula in plain characters, and any other string unchanged."""
    try:
        return str(understand(text).formula)
    except KripkeError:
        return text


@dataclass(frozen=True, slots=True)
class AFormula(Form):
    """A formula, about the atoms and agents of the model if one is given."""

    model: KripkeModel | None = None
    words: ClassVar[str] = "a formula, in which ~ & | -> may be typed for ¬ ∧ ∨ →"

    def parse(self, given: Given) -> Formula:
        """Return the formula."""
        return read_formula(given.text, self.model, given.refuse)


def formal(f: Formula) -> str:
    """Return a formula as in questions and options: between backticks, in textbook signs.

    >>> from kripke_werewolf.language import parse
    >>> formal(parse("~K_a p"))
    '`¬K_a p`'
    """
    return f"`{f.unicode()}`"


_SIGNS = {"<->": "↔", "->": "→", "&": "∧", "|": "∨", "^": "⊕"}


def in_signs(text: str) -> str:
    """Return a sentence with formulas in textbook signs; arrows of drawings are unchanged.

    >>> in_signs("(~p & q -> q) is true at w, and a: w->v is an arrow")
    '(¬p ∧ q → q) is true at w, and a: w->v is an arrow'
    """
    joined = re.sub(r"(?<= )(<->|->|[&|^])(?= )", lambda sign: _SIGNS[sign[1]], text)
    return re.sub(r"~(?=[\w(~\[<])", "¬", joined)


def one_world_model(atoms: Iterable[str], agents: Iterable[str]) -> KripkeModel:
    """Return a model of one world with the given atoms and agents, for reading formulas about them."""
    return KripkeModel.from_partitions(
        ["w"], {agent: [["w"]] for agent in sorted(agents)}, {atom: [] for atom in sorted(atoms)}
    )


@dataclass(frozen=True, slots=True)
class Number(Form):
    """A whole number, a fraction or a decimal, as an exact fraction."""

    numeric: ClassVar[bool] = True
    words: ClassVar[str] = "a number such as 3, 2/3 or 0.25"

    def parse(self, given: Given) -> Fraction:
        """Return the number."""
        word = re.fullmatch(r"([+-]?\d{1,30}(?:/\d{1,30}|\.\d{1,30})?)\s*(%?)", given.word)
        with suppress(ZeroDivisionError):
            if word:
                return Fraction(word[1]) / (100 if word[2] else 1)
        return given.refuse(f"expected {self.words}, got {given.start!r}")


def tidy(name: str) -> str:
    """Return a name with a space after each comma and none elsewhere.

    >>> tidy("( w1,told )")
    '(w1, told)'
    """
    return ", ".join(part.strip() for part in re.sub(r"\s*([()])\s*", r"\1", name.strip()).split(","))


def model_without_header(data: Any) -> KripkeModel:
    """Return the model described by plain data, whose header may be missing; raises `FormatError`."""
    if isinstance(data, Mapping):
        data = {"format": json_format.FORMAT, "version": json_format.VERSION, **data}
    return KripkeModel.from_dict(data)
