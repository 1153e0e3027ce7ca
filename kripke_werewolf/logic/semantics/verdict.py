"""Verdicts: the truth of a formula at several designated worlds."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import CallError
from kripke_werewolf.logic.formulas.syntax import Formula

NO_WORLD = "no world has that"
"""The answer to a question on a condition that holds nowhere."""


class Verdict(str, Displayed):
    """`true`, `false` or `mixed`: true at all, none or some of the designated worlds.

    On a condition, of those where it holds; `none` if it holds at none. A string with two counts: `satisfied`
    of the `total` worlds satisfy the formula, `fraction` is their proportion. In an `if` it is true or false,
    and `mixed` and `none` are errors.

    >>> bool(Verdict.of(0, 3)), bool(Verdict.of(3, 3))
    (False, True)
    """

    __slots__ = ("satisfied", "total")
    satisfied: int
    total: int

    def __new__(cls, outcome: str, satisfied: int, total: int) -> Self:
        """Return the verdict; `of` derives the outcome from the numbers."""
        verdict = super().__new__(cls, outcome)
        verdict.satisfied, verdict.total = satisfied, total
        return verdict

    @classmethod
    def of(cls, satisfied: int, total: int) -> Self:
        """Return the verdict if `satisfied` of `total` designated worlds satisfy the formula."""
        outcome = "mixed" if satisfied else "false"
        if satisfied == total:
            outcome = "true"
        return cls(outcome, satisfied, total)

    def __bool__(self) -> bool:
        if self in ("mixed", "none"):
            raise CallError(f"{self.headline()}: neither yes nor no; write verdict == 'true' for all of them")
        return self == "true"

    def __getnewargs__(self) -> tuple[str, int, int]:  # type: ignore[override]
        return str(self), self.satisfied, self.total

    def among(self, where: Verdict) -> Verdict:
        """Return the verdict on a condition, from that of both and that of the condition; see `conditioned`.

        >>> Verdict.of(1, 6).among(Verdict.of(2, 6)), Verdict.of(0, 6).among(Verdict.of(0, 6)).in_words()
        (Verdict('mixed', 1, 2), 'no world has that')
        """
        if where == "false":
            return Verdict("none", 0, 0)
        return Verdict.of(self.satisfied, where.satisfied)

    @property
    def fraction(self) -> Fraction:
        """The exact proportion of the designated worlds where the formula is true."""
        return Fraction(self.satisfied, self.total) if self.total else Fraction(1)

    def headline(self) -> str:
        """Return the verdict with its numbers."""
        if self == "none":
            return NO_WORLD
        if self.total == 1:
            return f"{self} at the designated world"
        return f"{self}: true at {self.satisfied:,} of the {self.total:,} designated worlds"

    def in_words(self, *, yes: str = "yes", no: str = "no", mixed: str = "in {} of {} worlds") -> str:
        """Return the answer in words; `mixed` has places for the numbers of satisfied and of all worlds.

        >>> Verdict.of(2, 2).in_words(), Verdict.of(1, 2).in_words(), Verdict.of(1, 2).in_words(mixed="{}/{}")
        ('yes', 'in 1 of 2 worlds', '1/2')
        """
        words = {"true": yes, "false": no, "none": NO_WORLD}
        return words.get(self) or mixed.format(self.satisfied, self.total)

    def __repr__(self) -> str:
        return f"Verdict({str(self)!r}, {self.satisfied}, {self.total})"


def verdict_heading(f: Formula, given: Formula | None) -> str:
    """Return the heading of a verdict: the formula that it is about, perhaps on a condition.

    >>> from kripke_werewolf import parse
    >>> verdict_heading(parse("~p"), parse("q"))
    '¬p, if q'
    """
    return ", if ".join(part.unicode() for part in (f, given) if part is not None)
