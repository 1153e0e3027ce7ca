"""Derivations as students write them: one line for each step, `4. K_a p -> K_a q   MP 2, 3`.

Two blanks or a tab separate the formula from its rule; one is enough where it is clear. `#` begins a
comment, and a line `logic: S5` names the logic. A line may leave its rule out, to be filled in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NoReturn

from kripke_werewolf.errors import FormulaError, KripkeError, UnknownNameError
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.logics import Logic, logic_named
from kripke_werewolf.language.parser import parse
from kripke_werewolf.proofs.derived import rule_named
from kripke_werewolf.proofs.proof import Line, Proof
from kripke_werewolf.semantics.action import ActionModel
from kripke_werewolf.stories.text import begin, located, read_formula

_NUMBER = re.compile(r"\s*(\d+)\s*[.):]\s*|\s*(\d+)\s{1,}(?=\S)")
_LOGIC = re.compile(r"\s*logic\s*[:=]?\s+(.*\S)", re.IGNORECASE)
_GAP = re.compile(r"\s{2,}|\t\s*")
_REASON = re.compile(r"(?:by\s+)?([^\s\d,]\S*?|[45](?:[_-]\S+?)?)(?:[\s:]+((?:\d+[\s,;]*)+))?", re.IGNORECASE)
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*")


def read_proof(
    text: str,
    *,
    logic: str | Logic | None = None,
    actions: Mapping[str, ActionModel] | None = None,
    source: str = "proof",
) -> Proof:
    """Return the derivation that a string describes, line by line.

    `logic`: the logic, S5 unless this or the text names another; `actions`: the action models that names in
    `[name:event]φ` stand for; `source`: the name of the text in errors.

    >>> proof = read_proof('''
    ... 1. K_a (p -> q) -> (K_a p -> K_a q)   K
    ... 2. p -> p                             Taut
    ... 3. K_a (p -> p)                       Nec 2
    ... ''', logic="K")
    >>> [line.reason for line in proof.lines]
    ['K', 'Taut', 'Nec 2']

    Raises `FormatError` with line and column.
    """
    return _Reader(text, source, actions or {}).proof(logic)


class _Reader:
    """One reading of a text; positions are those in the whole text."""

    def __init__(self, text: str, source: str, actions: Mapping[str, ActionModel]) -> None:
        self.text, self.source, self.actions = text.expandtabs(4), source, actions

    def fail(self, place: int, message: str) -> NoReturn:
        raise located(self.text, place, self.source, message) from None

    def proof(self, logic: str | Logic | None) -> Proof:
        chosen = None if logic is None else logic_named(logic)
        lines: list[Line] = []
        place = 0
        for row in self.text.splitlines(keepends=True):
            content = _COMMENT.sub("", row.rstrip("\n"))
            named = _LOGIC.fullmatch(content.rstrip())
            if named and not lines:
                chosen = self.logic(named[1], place + named.start(1), chosen)
            elif content.strip():
                lines.append(self.line(content.rstrip(), place, len(lines) + 1))
            place += len(row)
        if not lines:
            self.fail(len(self.text.rstrip()), "expected a line such as '1. K_a p -> p   T'")
        return Proof(chosen or logic_named("S5"), tuple(lines))

    def logic(self, name: str, place: int, wanted: Logic | None) -> Logic:
        try:
            found = logic_named(name)
        except UnknownNameError as error:
            self.fail(place, str(error))
        if wanted is not None and found is not wanted:
            self.fail(place, f"the derivation is in {found}, and a derivation in {wanted} was asked for")
        return found

    def line(self, row: str, place: int, number: int) -> Line:
        numbered = _NUMBER.match(row)
        start = numbered.end() if numbered else begin(row)
        if numbered and int(numbered[1] or numbered[2]) != number:
            self.fail(place + begin(row), f"expected line {number}, got {numbered[1] or numbered[2]}")
        if start == len(row):
            self.fail(place + start, "expected a formula")
        cut = self.cut(row, start)
        formula = self.formula(row[start:cut], place + start)
        rule, refs = self.reason(row[cut:], place + cut, number) if row[cut:].strip() else ("", ())
        return Line(formula, rule, refs)

    def formula(self, text: str, place: int) -> Formula:
        found = read_formula(text.rstrip(), None, lambda message, at: self.fail(place + at, message))
        return found.bind(**self.actions)

    def cut(self, row: str, start: int) -> int:
        """Return where the formula of a row ends and its rule begins."""
        gaps = list(_GAP.finditer(row, start))
        for gap in reversed(gaps):
            if _cites(row[gap.end() :]):
                return gap.start()
        if gaps:
            return len(row) if _is_formula(row[start:]) else gaps[-1].start()
        for blank in reversed(list(re.finditer(r"\s", row[start:]))):
            end = start + blank.start()
            if _cites(row[end:]) and _is_formula(row[start:end]):
                return end
        return len(row)

    def reason(self, text: str, place: int, number: int) -> tuple[str, tuple[int, ...]]:
        inside = text.strip().strip("[]()").strip()
        at = place + text.index(inside)
        found = _REASON.fullmatch(inside)
        if found is None:
            self.fail(
                at, f"expected a rule and perhaps the numbers of lines, such as 'MP 1, 2', got {inside!r}"
            )
        try:
            rule = rule_named(found[1])
        except UnknownNameError as error:
            self.fail(at + found.start(1), str(error))
        refs = tuple(map(int, re.findall(r"\d+", found[2] or "")))
        for cited in re.finditer(r"\d+", found[2] or ""):
            if not 0 < int(cited[0]) < number:
                above = f"the lines above are 1 to {number - 1}" if number > 1 else "there is no line above"
                self.fail(
                    at + found.start(2) + cited.start(), f"line {cited[0]} is not above this one; {above}"
                )
        return rule, refs


def _is_formula(text: str) -> bool:
    try:
        parse(text)
    except (FormulaError, KripkeError):
        return False
    return True


def _cites(text: str) -> bool:
    """Return whether a string is a known rule, perhaps with numbers of lines."""
    found = _REASON.fullmatch(text.strip().strip("[]()").strip())
    try:
        return found is not None and bool(rule_named(found[1]))
    except UnknownNameError:
        return False


def write_proof(proof: Proof) -> str:
    """Return a derivation as text that `read_proof` reads back.

    >>> from kripke_werewolf.language import parse
    >>> print(write_proof(read_proof("K_a p -> p T", logic="T")))
    logic: T
    1. K_a p -> p   T
    """
    rows = [(f"{n}.", str(line.formula), line.reason) for n, line in enumerate(proof.lines, 1)]
    first = max(len(row[0]) for row in rows)
    second = min(max(len(row[1]) for row in rows), 80)
    lines = [f"{n:>{first}} {f:<{second}}   {reason}".rstrip() for n, f, reason in rows]
    return "\n".join([f"logic: {proof.logic}", *lines])
