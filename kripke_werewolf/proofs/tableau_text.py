"""Tableaux in students' notation: `4. w1: ~K_a p   3`, with branches indented, `x 4, 5` at a closed end."""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from kripke_werewolf.proofs.tableau import Tableau, TableauLine
from kripke_werewolf.stories.text import begin, located, read_formula

_GAP = r"(?:\s{2,}\D*?|(?:(?<=\))|(?<=\W[^\Wv]))\s)"  # one space will do after `)` and one-letter atoms
_STEP = re.compile(rf"\s*(\d+)[.):]?\s*(\w+)\s*:\s*(.*?)(?:{_GAP}((?:\d+[\s,;]*)+))?\s*")
_END = re.compile(r"\s*[x✗×]\s*((?:\d+[\s,;]*)*)")
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*")


class _Row(NamedTuple):
    text: str
    place: int

    @property
    def indent(self) -> int:
        return begin(self.text)


def read_tableau(text: str, *, source: str = "tableau") -> Tableau:
    """Return the tableau described by a string; `source` is its name in errors.

    >>> print(read_tableau('''
    ... 1. w0: ~(p | ~p)
    ... 2. w0: ~p   1
    ... 3. w0: p    1
    ... x 2, 3
    ... '''))
    1. w0: ~(p | ~p)
    2. w0: ~p   1
    3. w0: p   1
    x 2, 3

    Lines that are indented more begin the branches below a line, one after the other. Raises `FormatError`
    with line and column.
    """
    return _Reader(text.expandtabs(4), source).tableau()


class _Reader:
    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.rows: list[_Row] = []
        place = 0
        for row in text.splitlines(keepends=True):
            content = _COMMENT.sub("", row.rstrip("\n")).rstrip()
            if content.strip():
                self.rows.append(_Row(content, place))
            place += len(row)
        self.number = 0

    def fail(self, place: int, message: str) -> NoReturn:
        raise located(self.text, place, self.source, message) from None

    def tableau(self) -> Tableau:
        if not self.rows:
            self.fail(len(self.text.rstrip()), "expected a line such as '1. w0: ~(K_a p -> p)'")
        found = self.part(self.rows[0].indent)
        if self.rows:
            row = self.rows[0]
            self.fail(row.place + row.indent, "the tableau is closed above this line; indent branches alike")
        return found

    def part(self, indent: int) -> Tableau:
        """Read lines with this indentation, up to where the branch closes, and the branches below them."""
        steps: list[TableauLine] = []
        while self.rows and self.rows[0].indent == indent:
            row = self.rows.pop(0)
            closed = _END.fullmatch(row.text)
            if closed:
                return Tableau(tuple(steps), (), _numbers(closed[1]))
            steps.append(self.step(row))
        branches: list[Tableau] = []
        inner = self.rows[0].indent if self.rows else 0
        while self.rows and self.rows[0].indent > indent:
            if self.rows[0].indent != inner:
                self.fail(self.rows[0].place + self.rows[0].indent, "indent the branches below a line alike")
            branches.append(self.part(inner))
        return Tableau(tuple(steps), tuple(branches))

    def step(self, row: _Row) -> TableauLine:
        found = _STEP.fullmatch(row.text)
        if found is None:
            self.fail(row.place + row.indent, "expected a line such as '4. w1: ~K_a p   3', or 'x 4, 5'")
        self.number += 1
        if int(found[1]) != self.number:
            self.fail(row.place + found.start(1), f"expected line {self.number}, got {found[1]}")
        at = row.place + found.start(3)
        f = read_formula(found[3], None, lambda message, offset: self.fail(at + offset, message))
        return TableauLine(self.number, found[2], f, _numbers(found[4] or ""))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)))
