"""A derivation as a value: numbered lines, each a formula with its rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import FormulaError
from kripke_werewolf.base.reports.tables import Grid, counted
from kripke_werewolf.base.usage import Explaining
from kripke_werewolf.logic.formulas.logics import Logic
from kripke_werewolf.logic.formulas.names import tex_escaped
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.proofs.abbreviations import readings
from kripke_werewolf.logic.proofs.declarations import declaration, named_apart

if TYPE_CHECKING:
    from kripke_werewolf.base.reports.documents import Block
    from kripke_werewolf.logic.proofs.natural import NaturalProof

_FORMAT, _VERSION = "kripke_werewolf derivation", 1


@dataclass(frozen=True, slots=True)
class Line(Explaining):
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

    The lines need not be correct; `check` verifies them. `premises`: what lines may cite as `given`; `goal`:
    what is to be derived, if stated; `rules`: those that lines may cite, all if there are none.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> from kripke_werewolf.logic.formulas.logics import logic_named
    >>> proof = Proof(logic_named("T"), (Line(parse("K_a p -> p"), "T"),))
    >>> len(proof), str(proof.conclusion), proof.lines[0].reason
    (1, 'K_a p -> p', 'T')
    """

    logic: Logic
    lines: tuple[Line, ...]
    premises: tuple[Formula, ...] = ()
    goal: Formula | None = None
    rules: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.lines and self.goal is None:
            raise FormulaError("a derivation needs at least one line")

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def conclusion(self) -> Formula:
        """The formula of the last line."""
        return self.lines[-1].formula

    @property
    def missing(self) -> str:
        """What is missing at the end, whether or not the lines are right; empty if the goal is reached."""
        if not self.lines:
            return "it has no lines"
        if any(f is g for f, g in readings([self.conclusion, self.shown])):
            return ""
        return f"the last line is not {self.shown}"

    @property
    def shown(self) -> Formula:
        """The goal, or else the conclusion."""
        return self.conclusion if self.goal is None else self.goal

    def sequent(self) -> str:
        """Return the premises, if there are any, and the goal or else the conclusion: `p, p -> q ⊢ q`."""
        if not self.premises:
            return str(self.shown)
        return f"{', '.join(map(str, self.premises))} ⊢ {self.shown}"

    def __str__(self) -> str:
        apart, actions = named_apart(self)
        return in_columns(apart, actions, [(str(x.formula), x.reason) for x in apart.lines], self.rules)

    def hilbert(self) -> Proof:
        """Return this derivation, as `NaturalProof.hilbert` returns that of a natural deduction."""
        return self

    def uses(self) -> tuple[str, ...]:
        """Return the names of the axioms and rules cited, each once."""
        return tuple(dict.fromkeys(line.rule for line in self.lines))

    def to_markdown(self) -> str:
        """Return a table in GitHub's Markdown."""
        return self._grid().to_markdown()

    def to_html(self) -> str:
        """Return an HTML table."""
        return self._grid().to_html()

    def to_latex(self) -> str:
        r"""Return a LaTeX `tabular`; long formulas are broken into lines.

        >>> from kripke_werewolf.logic.proofs import read_proof
        >>> print(read_proof("K_a p -> p   T", logic="T").to_latex())
        \begin{tabular}{r@{\quad}p{0.7\linewidth}@{\quad}l}
        1. & $K_{a} p \to p$ & T\\
        \end{tabular}
        """
        apart, actions = named_apart(self)
        rows = [rf"& {_tex(name)}: {_tex(_in_a_line(text))} &\\" for name, text in actions.items()]
        for number, line in enumerate(apart.lines, 1):
            rows.append(rf"{number}. & ${line.formula.latex()}$ & {_tex(line.reason)}\\")
        head = r"\begin{tabular}{r@{\quad}p{0.7\linewidth}@{\quad}l}"
        return "\n".join([head, *rows, r"\end{tabular}"])

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        apart, actions = named_apart(self)
        lines = [{"formula": str(x.formula), "rule": x.rule, "refs": list(x.refs)} for x in apart.lines]
        found = {"format": _FORMAT, "version": _VERSION, "logic": self.logic.name, "lines": lines}
        goal = "" if apart.goal is None else str(apart.goal)
        told = {
            "premises": [*map(str, apart.premises)],
            "goal": goal,
            "rules": [*self.rules],
            "actions": actions,
        }
        return found | {key: value for key, value in told.items() if value}

    def headline(self) -> str:
        """Return the sequent, the logic, and the number of lines."""
        return f"{self.sequent()} in {self.logic}, {counted(len(self), 'line')}"

    def display(self) -> Iterable[Block]:
        """Yield the table of the lines."""
        yield self._grid()

    def _grid(self) -> Grid:
        apart, actions = named_apart(self)
        rows = [(f"{n}.", line.formula.unicode(), line.reason) for n, line in enumerate(apart.lines, 1)]
        note = "; ".join(f"{name}: {_in_a_line(text)}" for name, text in actions.items())
        return Grid(("", "formula", f"rule ({self.logic})"), tuple(rows), note, words=True)

    def mapped(self, put: Callable[[Formula], Formula]) -> Proof:
        """Return the derivation with every formula replaced, including premises and goal."""
        lines = tuple(replace(line, formula=put(line.formula)) for line in self.lines)
        mapped = replace(self, lines=lines, premises=tuple(map(put, self.premises)))
        return mapped if self.goal is None else replace(mapped, goal=put(self.goal))

    def pruned(self) -> Proof:
        """Return the derivation without lines on which its conclusion does not depend."""
        return replace(self, lines=tuple(pruned(self.lines)))


def _in_a_line(declaration: str) -> str:
    return re.sub(r":?\n", "; ", declaration)


def _tex(text: str) -> str:
    return tex_escaped(text).replace("->", r"$\to$")


def pruned(lines: Sequence[Line], before: int = 0) -> list[Line]:
    """Return the lines on which the last one depends; `before`: the number of preceding lines.

    >>> from kripke_werewolf.logic.formulas import parse
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
    needed_lines = [lines[n - before - 1] for n in kept]
    return [replace(line, refs=tuple(new[n] for n in line.refs)) for line in needed_lines]


def in_columns(
    proof: Proof | NaturalProof,
    actions: Mapping[str, str],
    rows: Sequence[tuple[str, str]],
    rules: Sequence[str],
) -> str:
    """Return a proof whose actions have distinct names as text: declarations, then numbered rows."""
    first = len(f"{len(rows)}.")
    second = min(max((len(formula) for formula, _ in rows), default=0), 80)
    top = [f"logic: {proof.logic}", *(declaration(name, text) for name, text in actions.items())]
    if proof.goal is None:
        top += [f"given: {premise}" for premise in proof.premises]
    else:
        top.append(f"show: {proof.sequent()}")
    if rules:
        top.append(f"rules: {', '.join(rules)}")
    for number, (formula, reason) in enumerate(rows, 1):
        top.append(f"{f'{number}.':>{first}} {formula:<{second}}   {reason}".rstrip())
    return "\n".join(top)
