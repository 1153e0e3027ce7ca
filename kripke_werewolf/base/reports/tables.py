"""Tables of exact numbers: formats of numbers, and a writer for each output format.

Players may have any names: every writer escapes the markup of its format.
"""

from __future__ import annotations

import csv
import io
import json
import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from html import escape
from typing import Any, Literal, Self, TypeAlias, TypeVar, get_args
from unicodedata import category, east_asian_width

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import GameError
from kripke_werewolf.base.wording import word


@dataclass(frozen=True, slots=True)
class Rounded:
    """An entry of a table that somebody typed: the interval of the probabilities that it may stand for."""

    low: Fraction
    high: Fraction
    text: str
    line: int


Cell: TypeAlias = Fraction | Rounded | None
Numbers: TypeAlias = Literal["decimal", "percent", "fractions", "counts"]

_MARKUP = str.maketrans(
    {c: f"\\{c}" for c in "\\`*_[]|#~$"} | {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\n": " "}
)

_NUMBER = re.compile(r"[+-]?[\d./]+%?")
_LIST = re.compile(r"^(\d*)([-+.)])(?=\s|$)")  # the beginning of a list item


def shown(value: Cell, numbers: Numbers, *, worlds: int | None = None) -> str:
    """Return a probability as a string; `?` if it is hidden or undefined.

    A rounded number is 0 or 1 only if it is exact; halves are rounded up. Counts need the number of worlds; a
    count that is not a whole number (with fractional attacks) is written as a fraction. A percentage can be
    told in other languages.

    >>> shown(Fraction(1, 16), "percent"), shown(Fraction(1, 9999), "percent"), shown(Fraction(1), "percent")
    ('6.3%', '<0.1%', '100%')

    Raises GameError for an unknown format, and for counts if the number of worlds is unknown.
    """
    if numbers not in get_args(Numbers):
        allowed = ", ".join(map(repr, get_args(Numbers)))
        raise GameError(f"numbers={numbers!r} is not possible (allowed: {allowed})")
    if numbers == "counts" and worlds is None:
        raise GameError("counts cannot be shown: the number of worlds is not announced")
    if value is None:
        return "?"
    if isinstance(value, Rounded):
        return value.text
    if numbers == "fractions":
        return str(value)
    if numbers == "counts":
        return str(value * (worlds or 0))
    if numbers == "percent":
        near, least, one, unit = _rounded(100 * value, places=1), Decimal("0.1"), 100, "%"
    else:
        near, least, one, unit = _rounded(value, digits=6), Decimal("0.000001"), 1, ""
    if value and near < least:
        text = f"<{least:f}{unit}"
    elif value < 1 and near == one:
        text = f">{one - least:f}{unit}"
    else:
        text = f"{near.normalize():f}{unit}"
    return word(text) if unit else text


def _rounded(value: Fraction, *, digits: int = 0, places: int | None = None) -> Decimal:
    """Return a number rounded to this many significant digits or decimal places, halves up."""
    if places is not None:
        units = (2 * 10**places * value.numerator + value.denominator) // (2 * value.denominator)
        return Decimal(units).scaleb(-places)
    return Context(prec=digits, rounding=ROUND_HALF_UP).divide(value.numerator, value.denominator)


def json_value(value: Cell, numbers: Numbers, *, worlds: int | None = None) -> str | int | float | None:
    """Return a probability as a JSON value: a string for fractions, else a number; None if undefined.

    Decimals and percentages are rounded floats; a count that is not whole becomes a fraction.
    """
    text = shown(value, numbers, worlds=worlds)
    if value is None:
        return None
    if isinstance(value, Rounded) or numbers == "fractions":
        return text
    if numbers == "counts":
        return int(text) if text.isdecimal() else text
    return float(value if numbers == "decimal" else 100 * value)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "world"), counted(1024, "world")
    ('1 world', '1,024 worlds')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def sparkline(shares: Iterable[Fraction | None]) -> str:
    """Return numbers from 0 to 1 as a line of small bars; a gap stands for an unknown one.

    >>> sparkline([Fraction(0), Fraction(1, 3), None, Fraction(1)])
    '▁▃ █'
    """
    return "".join(" " if share is None else "▁▂▃▄▅▆▇█"[min(7, int(8 * share))] for share in shares)


def cell_width(text: str) -> int:
    """Return the number of columns that a string takes on a terminal; emoji take two."""
    if text.isascii():
        return len(text)
    seen = [c for c in text if category(c) not in ("Mn", "Me", "Cf")]  # not marks on others
    return len(seen) + sum(east_asian_width(c) in ("W", "F") for c in seen)


def markdown_text(text: str) -> str:
    """Escape a string so that Markdown shows it unchanged, in a paragraph or in a table.

    >>> markdown_text("<b> *Ann*")
    '&lt;b&gt; \\\\*Ann\\\\*'
    """
    return _LIST.sub(r"\1\\\2", text.translate(_MARKUP))


def _inert(text: str) -> str:
    """Escape the content of a cell so that a spreadsheet does not take it for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) and not _NUMBER.fullmatch(text) else text


@dataclass(frozen=True, slots=True)
class Grid:
    """The content of a table as strings: its header, its rows, and a note to print below it.

    `words`: whether the cells are words, which are aligned left; numbers are aligned right.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    words: bool = False

    def to_text(self) -> str:
        """Return plain text: aligned columns, the first always left-aligned."""
        lines = [self.header, *self.rows]
        widths = [max(map(cell_width, column)) for column in zip(*lines, strict=True)]

        def padded(text: str, place: int) -> str:
            blank = " " * (widths[place] - cell_width(text))
            return blank + text if place and not self.words else text + blank

        text = ["  ".join(padded(cell, i) for i, cell in enumerate(line)).rstrip() for line in lines]
        if self.note:
            text.append(self.note)
        return "\n".join(text)

    def to_markdown(self) -> str:
        """Return a table in GitHub's Markdown, with names escaped."""
        other = ":--" if self.words else "--:"
        rule = "| " + " | ".join([":--", *[other] * (len(self.header) - 1)]) + " |"
        head, *text = ("| " + " | ".join(map(markdown_text, row)) + " |" for row in (self.header, *self.rows))
        if self.note:
            text += ["", markdown_text(self.note)]
        return "\n".join([head, rule, *text])

    def to_csv(self) -> str:
        """Return comma-separated values with a header, and quotes where needed; the note is omitted.

        A cell that a spreadsheet would run as a formula begins with an apostrophe.
        """
        out = io.StringIO()
        rows = [map(_inert, row) for row in (self.header, *self.rows)]
        csv.writer(out, lineterminator="\n").writerows(rows)
        return out.getvalue().removesuffix("\n")

    def to_html(self) -> str:
        """Return an HTML table, with names escaped."""
        side, look = "right", ""
        if self.words:
            side, look = "left", ' style="text-align: left"'
        head = "".join(f'<th scope="col"{look}>{escape(c)}</th>' for c in self.header)
        body = "".join(
            f'<tr><th scope="row"{look}>{escape(row[0])}</th>'
            + "".join(f'<td style="text-align: {side}">{escape(c)}</td>' for c in row[1:])
            + "</tr>\n"
            for row in self.rows
        )
        note = f"<caption>{escape(self.note)}</caption>\n" if self.note else ""
        return f"<table>\n{note}<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>"


class Tabular(Displayed):
    """A table that can be written in every format, with numbers in any of the formats.

    `numbers` is `"decimal"` (six digits), `"percent"`, exact `"fractions"`, or `"counts"` of worlds.
    """

    __slots__ = ()

    @abstractmethod
    def grid(self, numbers: Numbers = "decimal") -> Grid:
        """Return the cells as strings."""

    @abstractmethod
    def to_dict(self, numbers: Numbers = "fractions") -> dict[str, Any]:
        """Return JSON-able values; see `json_value`."""

    def to_text(self, numbers: Numbers = "decimal") -> str:
        """Return plain text: aligned columns, the first to the left and the others to the right."""
        return self.grid(numbers).to_text()

    def to_markdown(self, numbers: Numbers = "decimal") -> str:
        """Return a table in GitHub's Markdown, with names escaped."""
        return self.grid(numbers).to_markdown()

    def to_csv(self, numbers: Numbers = "decimal") -> str:
        """Return comma-separated values with a header, and quotes where needed; see `Grid.to_csv`."""
        return self.grid(numbers).to_csv()

    def to_html(self, numbers: Numbers = "decimal") -> str:
        """Return an HTML table, with names escaped."""
        return self.grid(numbers).to_html()

    def to_json(self, numbers: Numbers = "fractions") -> str:
        """Return JSON, by default with exact fractions."""
        return json.dumps(self.to_dict(numbers), indent=2, ensure_ascii=False)

    def headline(self) -> str:
        """Return the size of the table and its columns."""
        grid = self.grid()
        return f"{counted(len(grid.rows), 'row')}; columns {', '.join(grid.header[1:])}"

    def display(self) -> Iterator[Grid]:
        """Yield the table in percentages."""
        yield self.grid("percent")

    def __str__(self) -> str:
        return self.to_text()


_T = TypeVar("_T")


class Tabled(tuple[_T, ...], Displayed):
    """A tuple of values that is displayed as a table.

    >>> found = Tabled([1, 4], Grid(("n", "square"), (("1", "1"), ("2", "4"))))
    >>> found == (1, 4)
    True
    >>> found
    n  square
    1       1
    2       4
    """

    table: Grid

    def __new__(cls, values: Iterable[_T], table: Grid) -> Self:
        """Return the values with the table that shows them."""
        made = super().__new__(cls, values)
        made.table = table
        return made

    def __getnewargs__(self) -> tuple[tuple[_T, ...], Grid]:
        return tuple(self), self.table

    def headline(self) -> str:
        """Return the whole table."""
        return self.table.to_text()

    def display(self) -> Iterator[Grid]:
        """Yield the table."""
        yield self.table

    def __repr__(self) -> str:
        return self.headline()
