"""Reading short files, such as stories and derivations: parts that know their place, errors that show it.

A reader begins with `whole` and cuts the text into parts: `lines`, `blocks` of indented lines, pieces that
`split` finds between commas, `tokens`. Each part keeps its place, so that `fail` can name the line and column
of a mistake and show the line with a caret below it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NoReturn

from kripke_werewolf.base.errors import (
    FormatError,
    UnknownNameError,
    cut_off,
    did_you_mean,
    line_and_column,
    pointed,
)

QUOTED = r'"(?:[^"\\\n]|\\.)*"'
"""A name or a label between quotes, in which a backslash stands before a quote."""
BRACED = rf'\{{(?:{QUOTED}|[^{{}}"])*\}}'
"""One or more names in braces, with commas between them."""
_NAME = re.compile(rf'\s*(?:({QUOTED})|({BRACED})|([^,"{{}}]*?))\s*(,|\Z)')


@dataclass(frozen=True, slots=True)
class Source:
    """A string and its name in errors; `form`: how errors write a place in it."""

    text: str
    name: str
    form: str = "{name}, line {line}, column {column}"

    def error(self, at: int, message: str) -> FormatError:
        """Return an error that names the line and column of a position, and shows the line.

        >>> print(Source("one\\ntwo", "numbers").error(5, "expected 2"))
        numbers, line 2, column 2: expected 2
          two
           ^
        """
        number, column, line = line_and_column(self.text, at)
        where = self.form.format(name=self.name, line=number, column=column)
        return FormatError(f"{where}: {cut_off(message, 800)}\n{pointed(line.rstrip(), column - 1)}")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a source: its characters, and the position where they begin.

    The characters may differ from those in the source, such as without comments; positions are the same.
    """

    text: str
    start: int
    source: Source

    def __str__(self) -> str:
        return self.text

    @property
    def number(self) -> int:
        """The number of the line on which it begins."""
        return line_and_column(self.source.text, self.start)[0]

    @property
    def indent(self) -> int:
        """The number of characters before it on its line."""
        return self.start - self.source.text.rfind("\n", 0, self.start) - 1

    @property
    def line(self) -> str:
        """Its text in one line."""
        return " ".join(self.text.split())

    def fail(self, message: str, at: int = 0) -> NoReturn:
        """Raise `FormatError` at a position in this part."""
        raise self.source.error(self.start + at, message) from None

    # --- parts of it -------------------------------------------------------------------------------

    def cut(self, start: int = 0, end: int | None = None) -> Part:
        """Return the part between two positions in this one, without the blanks around it."""
        text = self.text[start:end]
        first = begin(text) if text.strip() else 0
        return Part(text.strip(), self.start + start + first, self.source)

    def group(self, found: re.Match[str], group: int | str = 0) -> Part:
        """Return the part that a group of a match here matches; an empty one if it matches nothing."""
        return Part(found[group] or "", self.start + max(found.start(group), 0), self.source)

    def tokens(self, pattern: re.Pattern[str]) -> Iterator[tuple[str, Part]]:
        """Yield the parts that the named groups of a pattern match, one after the other, with their names.

        >>> signs = re.compile("(?P<number>[0-9]+)|(?P<name>[a-z]+)|(?P<sign>[+*])")
        >>> [(kind, part.text, part.start) for kind, part in whole("12 + x", "sum").tokens(signs)]
        [('number', '12', 0), ('sign', '+', 3), ('name', 'x', 5)]
        """
        for found in pattern.finditer(self.text):
            if found.lastgroup:
                yield found.lastgroup, self.group(found, found.lastgroup)

    def lines(self) -> list[Part]:
        """Return its lines without the blanks around them; blank lines are left out."""
        lines = re.finditer(r"^[^\S\n]*+\S[^\n]*", self.text, re.MULTILINE)
        return [self.cut(*line.span()) for line in lines]

    def blocks(self) -> list[Part]:
        """Return its lines, each with the lines below it that are indented further, which continue it."""
        lines = self.lines()
        least = min((line.indent for line in lines), default=0)
        starts = [line.start - self.start for line in lines if line.indent == least]
        if lines and lines[0].indent > least:
            lines[0].fail("this line is indented but continues nothing", -lines[0].indent)
        return [self.cut(start, end) for start, end in pairwise([*starts, len(self.text)])]

    def split(self, mark: str = ",") -> list[Part]:
        """Return the pieces between marks that are outside all brackets and quotes.

        An empty part has no pieces. An empty piece is an error.

        >>> [piece.text for piece in whole('f(x, y), "a, b"', "list").split()]
        ['f(x, y)', '"a, b"']
        """
        if not self.text:
            return []
        pieces, depth, start = [], 0, 0
        signs = re.compile(rf'"(?:\\.|[^"\\])*"?|[([{{)\]}}]|{re.escape(mark)}|\Z')
        for sign in signs.finditer(self.text):
            if sign[0] and sign[0] in "([{":
                depth += 1
            elif sign[0] and sign[0] in ")]}":
                depth -= 1
            elif not sign[0] or (sign[0] == mark and depth <= 0):
                piece = self.cut(start, sign.start())
                if not piece.text:
                    side = "before" if sign[0] else "after"
                    self.fail(f"expected something {side} {mark!r}", sign.start())
                pieces.append(piece)
                start = sign.end()
        return pieces

    def halves(self, mark: str, wanted: str) -> tuple[Part, Part]:
        """Return the parts before and after the first mark; fail without the mark: expected `wanted`."""
        before, found, _ = self.text.partition(mark)
        if not found:
            self.fail(f"expected {wanted!r}, got {self.text!r}")
        return self.cut(0, len(before)), self.cut(len(before + mark))

    def names(self) -> list[Part]:
        """Return the names between commas, as `read_names` reads them; none in an empty part."""
        if not self.text.strip():
            return []
        try:
            return [Part(name, self.start + place, self.source) for name, place in read_names(self.text)]
        except ValueError as error:
            self.fail(*error.args)

    # --- what it may be ----------------------------------------------------------------------------

    def known(self, names: Iterable[object], kind: str) -> str:
        """Return its text if it is a known name; otherwise fail, with names that are similar."""
        names = [*map(str, names)]
        if self.text not in names:
            self.fail(str(UnknownNameError(self.text, names, kind=kind)))
        return self.text

    def word(self, words: Iterable[str], what: str) -> str:
        """Return its text if it is one of some words; otherwise fail: expected `what`, and the words."""
        words = list(words)
        if self.text not in words:
            got = f"got {self.text or 'nothing'!r}{did_you_mean(self.text, words)}"
            self.fail(f"expected {what} ({', '.join(words)}), {got}")
        return self.text


def unquoted(name: str, place: int = 0) -> str:
    """Return a name without the quotes around it, in which it is written as in JSON.

    Raises `ValueError`, with the message and the place, for a wrong escape.
    """
    if not name.startswith('"'):
        return name
    try:
        return str(json.loads(name, strict=False))
    except ValueError:
        raise ValueError(f'{name} is not quoted as in JSON (\\" \\\\ \\n \\t \\u00e9)', place) from None


def read_names(
    text: str, start: int = 0, end: int = sys.maxsize, *, blanks: bool = False
) -> list[tuple[str, int]]:
    """Return the names of agents, atoms and other things between commas, each with its position.

    A name is a word, or anything in quotes, or in braces, where it may hold blanks (outside only with
    `blanks`). Braces may hold several names, as the index of an operator does.

    >>> [name for name, _ in read_names('Bo, {Mary Ann}, "a, b", {Cy, "1: {x}"}')]
    ['Bo', 'Mary Ann', 'a, b', 'Cy', '1: {x}']

    Raises `ValueError` with a message and its position.
    """
    found: list[tuple[str, int]] = []
    comma = ","
    while comma:
        one = _NAME.match(text, start, end)
        if one is None:
            raise ValueError("expected names between commas; those with signs go in quotes", start)
        quoted, braced, plain, comma = one.groups()
        place = start + begin(one[0])
        name = unquoted(quoted or plain or "", place)
        if braced:
            found += read_names(text, place + 1, one.end(2) - 1, blanks=True)
        elif not name:
            raise ValueError(f"a name is missing in {text.strip()!r}", place)
        elif plain and not blanks and len(plain.split()) > 1:
            raise ValueError(f"expected a name, got {plain!r}; names with blanks go in braces", place)
        else:
            found.append((name, place))
        start = one.end()
    return found


def whole(text: str, name: str) -> Part:
    """Return a string, which errors call by this name, as a part to be read."""
    return Part(text, 0, Source(text, name))


def begin(text: str) -> int:
    """Return the position after leading blanks."""
    return len(text) - len(text.lstrip())
