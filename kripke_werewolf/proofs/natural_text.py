"""Natural deduction as text: a row for each step, with a bar for each subproof that it is in.

    calculus: natural
    logic: S5
    show: K_a (p -> q) ⊢ K_a p -> K_a q
    rules: premise, assume, box, ->I, ->E, KE, KI
    1. K_a (p -> q)     premise
    2. | K_a p          assume   show K_a q
    3. | | K_a:         box
    4. | | p -> q       KE 1
    5. | | p            KE 2
    6. | | q            ->E 4, 5
    7. | K_a q          KI 3-6
    8. K_a p -> K_a q   ->I 2-7

The lines at the top may be left out, and declare agents, groups and actions as in other derivations. `rules`:
those that may be used, by default all but PL. A row that begins a subproof may say what is shown in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain

from kripke_werewolf.base.reader import Part
from kripke_werewolf.errors import UnknownNameError
from kripke_werewolf.language.logics import Logic
from kripke_werewolf.proofs.natural import Cited, NaturalProof, NaturalRow
from kripke_werewolf.proofs.natural_rules import BRACKETS, NATURAL, PALETTE, natural_rule
from kripke_werewolf.proofs.text import ProofReader

_CALCULUS = re.compile(r"[^\S\n]*calculus\s*[:=]\s*natural\b.*", re.IGNORECASE)
_BARRED = re.compile(r"\s*\d+\s*[.:)]?\s*[|│](?!-).*")
_BARS = re.compile(r"(?:\s*[|│](?!-))*\s*")
_NAMES = "|".join(
    re.escape(name)
    for name in sorted(chain(NATURAL, *(rule.also for rule in NATURAL.values())), key=len, reverse=True)
)
_REASON = re.compile(
    rf"\s+(?P<rule>{_NAMES})(?P<cited>[\s\d,–-]*)(?:(?<=\s)show\s*:?\s+(?P<purpose>.*))?", re.IGNORECASE
)
_CITED = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+))?")


def is_natural(text: str) -> bool:
    """Return whether a string says that it is a proof in natural deduction, or has a bar of a subproof.

    >>> is_natural("1. p   premise\\n2. | q   assume"), is_natural("1. p | ~p   PL")
    (True, False)
    """
    return any(_CALCULUS.fullmatch(line) or _BARRED.fullmatch(line) for line in text.splitlines())


def read_natural(
    text: str,
    *,
    logic: str | Logic | None = None,
    groups: Mapping[str, Iterable[object]] | None = None,
    source: str = "proof",
) -> NaturalProof:
    """Return the proof in natural deduction described by a string, row by row.

    `logic`: the logic, S5 unless this or the text names another; `groups`: the members of named groups;
    `source`: the name of the string in errors.

    >>> proof = read_natural('''
    ... 1. | K_a p         assume
    ... 2. | p             T 1
    ... 3. K_a p -> p      ->I 1-2
    ... ''', logic="T")
    >>> proof.flaw, proof.rows[2].reason
    (None, '->I 1-2')

    The rows need not be right. Raises `FormatError` with line and column for a row that cannot be read.
    """
    return _Reader(text, source, {}, groups or {}).natural(logic)


class _Reader(ProofReader):
    """Reads one proof; the lines at the top are those of other derivations, and the calculus."""

    def header(self, row: Part) -> bool:
        """Read a declaration before the first row; return whether the line is one."""
        return bool(_CALCULUS.fullmatch(row.text)) or super().header(row)

    def natural(self, logic: str | Logic | None) -> NaturalProof:
        """Return the proof."""
        found = [self.natural_row(row, n) for n, row in enumerate(self.body(logic), 1)]
        self.bare = self.unindexed(formula for _, formula, _, _ in found)
        premises, goal = self.sequent()
        rows = tuple(self.as_row(*row) for row in found)
        return NaturalProof(self.chosen, rows, goal, premises, self.rules or PALETTE)

    def rule_name(self, name: Part) -> str:
        """Return the name of a rule."""
        try:
            return natural_rule(name.text).name
        except UnknownNameError as error:
            name.fail(str(error))

    def natural_row(self, row: Part, number: int) -> tuple[int, Part, Part, re.Match[str]]:
        """Split a row into its bars, its formula and its reason."""
        text = row.text
        bars = _BARS.match(text, self.numbered(row, number))
        start = bars.end() if bars else 0
        depth = len(re.findall("[|│]", bars[0])) if bars else 0
        blanks = (start + blank.start() for blank in re.finditer(r"\s+", text[start:]))
        found = next(filter(None, (_REASON.fullmatch(text, at) for at in blanks)), None)
        if found is None:
            word = re.split(r"\s{2,}", text[start:].strip())[-1]
            row.fail(
                f"expected a formula, a rule and what it cites, such as '->I 1-3', got {word!r}; rules are "
                f"{', '.join(name for name in NATURAL if name[0] not in '!@')} and axioms about updates",
                text.rindex(word),
            )
        formula = row.cut(start, found.start())
        if natural_rule(found["rule"]).name == "box":
            formula = replace(formula, text=formula.text.rstrip(": ") + " true")
        return depth, formula, row, found

    def as_row(self, depth: int, formula: Part, row: Part, found: re.Match[str]) -> NaturalRow:
        """Return a row with its formula, and what it cites."""
        cited: list[Cited] = [(int(a), int(b)) if b else int(a) for a, b in _CITED.findall(found["cited"])]
        rule, purpose = natural_rule(found["rule"]).name, None
        if found["purpose"]:
            shown = row.group(found, "purpose")
            if rule not in BRACKETS:
                shown.fail(f"only a row that begins a subproof says what is to be shown, not one by {rule}")
            purpose = self.formula(shown)
        return NaturalRow(depth, self.formula(formula), rule, tuple(cited), purpose)
