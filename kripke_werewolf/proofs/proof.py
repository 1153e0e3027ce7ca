"""A derivation as a value: numbered lines, each a formula with the rule that gives it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kripke_werewolf.errors import FormulaError
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.logics import Logic


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a derivation.

    `rule`: the name of an axiom or a rule, empty if none is given; `refs`: the numbers of the lines it is
    applied to, counted from 1.
    """

    formula: Formula
    rule: str
    refs: tuple[int, ...] = ()

    @property
    def reason(self) -> str:
        """The rule with the numbers of the lines: `MP 1, 2`."""
        return f"{self.rule} {', '.join(map(str, self.refs))}".rstrip()


@dataclass(frozen=True, slots=True)
class Proof:
    """A derivation in a logic; its last line is what it derives. An immutable value.

    Nothing says that the lines are right: `check` does.

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
        """Return the names of the axioms and rules that its lines cite, each once."""
        return tuple(dict.fromkeys(line.rule for line in self.lines))

    def to_markdown(self) -> str:
        """Return a table of GitHub's Markdown."""
        from kripke_werewolf.proofs.writing import to_markdown

        return to_markdown(self)

    def to_html(self) -> str:
        """Return an HTML table."""
        from kripke_werewolf.proofs.writing import to_html

        return to_html(self)

    def to_latex(self) -> str:
        """Return a `tabular` of LaTeX."""
        from kripke_werewolf.proofs.writing import to_latex

        return to_latex(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data that JSON can hold."""
        from kripke_werewolf.proofs.writing import to_dict

        return to_dict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Proof:
        """Return the derivation that `to_dict` wrote; raises `FormatError` for other data."""
        from kripke_werewolf.proofs.writing import from_dict

        return from_dict(data)

    def _repr_html_(self) -> str:
        return self.to_html()

    def _repr_latex_(self) -> str:
        return self.to_latex()

    def pruned(self) -> Proof:
        """Return the derivation without the lines that its conclusion does not depend on."""
        needed = {len(self)}
        for number in range(len(self), 0, -1):
            if number in needed:
                needed.update(self.lines[number - 1].refs)
        new = {old: place for place, old in enumerate(sorted(needed), 1)}
        kept = (self.lines[n - 1] for n in new)
        return Proof(self.logic, tuple(replace(line, refs=tuple(new[n] for n in line.refs)) for line in kept))
