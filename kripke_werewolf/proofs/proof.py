"""A derivation as a value: numbered lines, each a formula with its rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kripke_werewolf.display import Displayed
from kripke_werewolf.errors import FormulaError
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.logics import Logic
from kripke_werewolf.reports.tables import counted

if TYPE_CHECKING:
    from kripke_werewolf.reports.documents import Block


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a derivation.

    `rule`: the name of an axiom or a rule, empty if none is given; `refs`: the numbers of the lines to which
    it is applied, from 1.
    """

    formula: Formula
    rule: str
    refs: tuple[int, ...] = ()

    @property
    def reason(self) -> str:
        """The rule with the numbers of the lines: `MP 1, 2`."""
        return f"{self.rule} {', '.join(map(str, self.refs))}".rstrip()


@dataclass(frozen=True, slots=True, repr=False)
class Proof(Displayed):
    """A derivation in a logic; its last line is its conclusion. An immutable value.

    The lines need not be correct; `check` verifies them.

    >>> from kripke_werewolf.language import parse
    >>> from kripke_werewolf.language.logics import logic_named
    >>> proof = Proof(logic_named("T"), (Line(parse("K_a p -> p"), "T"),))
    >>> len(proof), str(proof.conclusion), proof.lines[0].reason
    (1, 'K_a p -> p', 'T')
    """

    logic: Logic
    lines: tuple[Line, ...]

    def __post_init__(self) -> None:
        if not self.lines:
            raise FormulaError("a derivation needs at least one line")

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def conclusion(self) -> Formula:
        """The formula of the last line."""
        return self.lines[-1].formula

    def __str__(self) -> str:
        from kripke_werewolf.proofs.text import write_proof

        return write_proof(self)

    def uses(self) -> tuple[str, ...]:
        """Return the names of the axioms and rules cited, each once."""
        return tuple(dict.fromkeys(line.rule for line in self.lines))

    def to_markdown(self) -> str:
        """Return a table in GitHub's Markdown."""
        from kripke_werewolf.proofs.writing import grid

        return grid(self).to_markdown()

    def to_html(self) -> str:
        """Return an HTML table."""
        from kripke_werewolf.proofs.writing import grid

        return grid(self).to_html()

    def to_latex(self) -> str:
        """Return a LaTeX `tabular`."""
        from kripke_werewolf.proofs.writing import to_latex

        return to_latex(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        from kripke_werewolf.proofs.writing import to_dict

        return to_dict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Proof:
        """Return the derivation written by `to_dict`; raises `FormatError` for other data."""
        from kripke_werewolf.proofs.writing import from_dict

        return from_dict(data)

    def headline(self) -> str:
        """Return the conclusion, the logic, and the number of lines."""
        return f"{self.conclusion} in {self.logic}, {counted(len(self), 'line')}"

    def display(self) -> Iterable[Block]:
        """Yield the table of the lines."""
        from kripke_werewolf.proofs.writing import grid

        yield grid(self)

    def pruned(self) -> Proof:
        """Return the derivation without lines on which its conclusion does not depend."""
        return Proof(self.logic, tuple(pruned(self.lines)))


def pruned(lines: Sequence[Line], before: int = 0) -> list[Line]:
    """Return the lines on which the last one depends; `before`: the number of preceding lines.

    >>> from kripke_werewolf.language import parse
    >>> lines = [Line(parse(text), "PL") for text in ("p -> p", "q -> q")]
    >>> [line.reason for line in pruned([*lines, Line(parse("K_a (q -> q)"), "Nec", (2,))])]
    ['PL', 'Nec 1']
    """
    needed = {before + len(lines)}
    for number in range(before + len(lines), before, -1):
        if number in needed:
            needed.update(lines[number - before - 1].refs)
    new = {old: old for old in range(1, before + 1)}
    kept = sorted(number for number in needed if number > before)
    new |= {old: place for place, old in enumerate(kept, before + 1)}
    return [
        replace(line, refs=tuple(new[n] for n in line.refs)) for line in (lines[n - before - 1] for n in kept)
    ]
