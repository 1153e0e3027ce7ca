"""Tableaux in students' notation: `4. w1: ~K_a p   3`, with branches indented, `x 4, 5` at a closed end."""

from __future__ import annotations

import re

from kripke_werewolf.base.reader import Part, Source
from kripke_werewolf.proofs.tableau import Tableau, TableauLine
from kripke_werewolf.stories.text import read_formula

_GAP = r"(?:\s{2,}\D*?|(?:(?<=\))|(?<=\W[^\Wv]))\s)"  # one space will do after `)` and one-letter atoms
_STEP = re.compile(rf"\s*(\d+)[.):]?\s*(\w+)\s*:\s*(.*?)(?:{_GAP}((?:\d+[\s,;]*)+))?\s*")
_END = re.compile(r"\s*[x✗×]\s*((?:\d+[\s,;]*)*)")
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*", re.MULTILINE)


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
    text = text.expandtabs(4)
    return _Reader(
        Part(_COMMENT.sub(lambda found: " " * len(found[0]), text), 0, Source(text, source))
    ).tableau()


class _Reader:
    def __init__(self, text: Part) -> None:
        self.text, self.rows, self.number = text, text.lines(), 0

    def tableau(self) -> Tableau:
        if not self.rows:
            end = len(self.text.source.text.rstrip())
            self.text.fail("expected a line such as '1. w0: ~(K_a p -> p)'", end)
        found = self.part(self.rows[0].indent)
        if self.rows:
            self.rows[0].fail("the tableau is closed above this line; indent branches alike")
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
                self.rows[0].fail("indent the branches below a line alike")
            branches.append(self.part(inner))
        return Tableau(tuple(steps), tuple(branches))

    def step(self, row: Part) -> TableauLine:
        found = _STEP.fullmatch(row.text)
        if found is None:
            row.fail("expected a line such as '4. w1: ~K_a p   3', or 'x 4, 5'")
        self.number += 1
        if int(found[1]) != self.number:
            row.fail(f"expected line {self.number}, got {found[1]}", found.start(1))
        f = read_formula(found[3], None, row.group(found, 3).fail)
        return TableauLine(self.number, found[2], f, _numbers(found[4] or ""))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)))
