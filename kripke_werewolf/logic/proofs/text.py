"""Derivations in students' notation: one line for each step, `4. K_a p -> K_a q   MP 2, 3`.

Two spaces or a tab separate the formula from its rule; one suffices if it is clear. `#` begins a comment. The
rule of a line may be missing, to be filled in. Lines before the first formula may be

    logic: S5
    given: K_a p
    show: p
    rules: T, MP
    agents: a, b
    group G = a, b
    action private = [a!p]
    action show:
        event told if p: q := true
        event nothing:
        agent a: told -> told, nothing -> nothing
        others: told -> nothing, nothing -> nothing

`given`: a premise, which lines cite as `given`; one line for each. `show`: what is to be derived, perhaps
from premises, as in `show: p, p -> q ⊢ q`; then there need be no lines yet. `rules`: those that may be used.
`agents`: those that operators without an index are about, otherwise those that the derivation names;
`action`: what a name in `[name:event]φ` stands for, the action model of an update, or one that is described
as in stories (`stories.text`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import NoReturn

from kripke_werewolf.base.errors import FormulaError, KripkeError, UnknownNameError
from kripke_werewolf.base.reader import QUOTED, Part, begin
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import Logic, logic_named
from kripke_werewolf.logic.formulas.names import about_unindexed, doubtful_names
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.notation.parser import Unindexed, unindexed
from kripke_werewolf.logic.proofs.declarations import (
    HOW_TO_DECLARE,
    NUMBER,
    SECOND_STEP,
    TURNSTILE,
    DeclarationReader,
    Groups,
)
from kripke_werewolf.logic.proofs.derived import DEFINES, rule_named
from kripke_werewolf.logic.proofs.proof import Line, Proof
from kripke_werewolf.logic.proofs.script import GIVEN

_LOGIC = re.compile(r"\s*logic\s*[:=]?\s+(.*\S)", re.IGNORECASE)
_ASKED = re.compile(r"\s*(given|show|rules)\s*[:=]\s*(.*\S)\s*", re.IGNORECASE)
DECLARES = re.compile(
    rf"\s*(?:logic|calculus|given|show|rules|agents?|groups?\s*:?\s*\w+|action\s*:?\s*(?:{QUOTED}|\S+?))\s*[:=]",
    re.IGNORECASE,
)
_GAP = re.compile(r"\s{2,}|\t\s*")
_WORD = re.compile(
    r"(?:modus\s+ponens|(?:positive|negative)\s+introspection|hypothetical\s+syllogism|propositional\s+logic)\b"
    rf"|{DEFINES}(?!\w)|[^\s,;()\[\]]+",
    re.IGNORECASE,
)
_FIRST = re.compile(r"([^\s:()\[\]]+(?:\s+\d+(?:\s*,\s*\d+)*)?)\s*:\s+")
"""A rule before its formula."""
_FILLERS = frozenset({"by", "from", "axiom", "ax", "rule", "line", "lines", "on", "and", "of", "using", "|"})
_LETTERED = re.compile(r"(?:\([a-z]\)|[a-z][.)])\s+(?!knows\b)[\w(~¬□◇\[⊢]")
"""A line that has a letter in place of a number."""
_REMARK = re.compile(r",?\s+(?:since|because)\b", re.IGNORECASE)
"""Where a reason ends, and what explains it begins."""
_ASSUMED = re.compile(
    r"(?:ass(?:\.|um(?:e|ed|ption)?\.?)?|prem(?:ise|iss)?\.?|given|hyp(?:othesis)?\.?|supp(?:ose)?\.?)",
    re.IGNORECASE,
)


def read_proof(
    text: str, *, logic: str | Logic | None = None, groups: Groups | None = None, source: str = "proof"
) -> Proof:
    """Return the derivation described by a string, line by line.

    `logic`: the logic, S5 unless this or the text names another; `groups`: the members of named groups, as in
    C_G φ; `source`: the name of the string in errors.

    >>> proof = read_proof('''
    ... 1. K_a (p -> q) -> (K_a p -> K_a q)   K
    ... 2. p -> p                             Taut
    ... 3. K_a (p -> p)                       Nec 2
    ... ''', logic="K")
    >>> [line.reason for line in proof.lines]
    ['K', 'Taut', 'Nec 2']

    Raises `FormatError` with line and column.
    """
    return ProofReader(text, source, groups or {}).proof(logic)


def read_with_remarks(
    text: str, *, logic: str | Logic | None = None, groups: Groups | None = None, source: str = "proof"
) -> tuple[Proof, list[str]]:
    """Return a derivation as `read_proof` does, and remarks on notation that may mean something else.

    >>> read_with_remarks("Kap -> Kap   PL")[1]
    ['Kap is read as an atom; did you mean K_a p?']
    """
    reader = ProofReader(text, source, groups or {})
    proof = reader.proof(logic)
    formulas = [line.formula for line in proof.lines]
    named = () if reader.declared else reader.bare.named
    remarks = [*about_unindexed(reader.bare.signs, named), *(r for f in formulas for r in doubtful_names(f))]
    opaque = (g for f in formulas for g in f.subformulas() if isinstance(g, s.Probability | s.KnowsValue))
    remarks += [f"{g} is treated as an atom here: no axiom is about its operator" for g in opaque]
    return proof, list(dict.fromkeys(remarks))


class ProofReader(DeclarationReader):
    """Reads one string."""

    def __init__(self, text: str, source: str, groups: Groups) -> None:
        super().__init__(text, source, groups)
        self.premises: list[Part] = []
        self.goal: list[Part] = []
        self.rules: tuple[str, ...] = ()
        self.chosen = logic_named("S5")

    def proof(self, logic: str | Logic | None) -> Proof:
        """Return the derivation."""
        rows = [self.row(content, n) for n, content in enumerate(self.body(logic), 1)]
        if not rows and not self.goal:
            end = len(self.text.source.text.rstrip())
            self.text.fail("expected a line such as '1. K_a p -> p   T'", end)
        self.bare = self.unindexed(formula for formula, _ in rows)
        premises, goal = self.sequent()
        lines = tuple(self.line(*row, n) for n, row in enumerate(rows, 1))
        named = [*self.declared, *(agent for line in lines for agent in line.formula.agents)]
        try:
            if not isinstance(logic, Logic):
                self.chosen.about(named, "the derivation")
        except UnknownNameError as error:
            self.text.fail(str(error))
        return Proof(self.chosen, lines, premises, goal, self.rules)

    def sequent(self) -> tuple[tuple[Formula, ...], Formula | None]:
        """Return the formulas of the premises, and the one to be derived, if there is one."""
        premises = tuple(map(self.formula, self.premises))
        return premises, self.formula(self.goal[0]) if self.goal else None

    def body(self, logic: str | Logic | None) -> list[Part]:
        """Read the declarations at the top; return the lines below them."""
        chosen, rows = None if logic is None else logic_named(logic), list[Part]()
        for content in self.contents():
            if not rows and (named := _LOGIC.fullmatch(content.text)):
                chosen = self.logic(content.group(named, 1), chosen)
            elif rows or not self.header(content):
                if DECLARES.match(content.text):
                    wanted = "this must stand before the lines of the derivation"
                    known = "expected a line such as 'logic: K', 'calculus: natural' or 'show: p ⊢ p | q'"
                    content.fail(wanted if rows else known, begin(content.text))
                rows.append(content)
        self.chosen = chosen or self.chosen
        return rows

    # --- what the lines before the first formula say ----------------------------------------------

    def header(self, row: Part) -> bool:
        """Read a declaration before the first formula; return whether the line is one."""
        if found := _ASKED.fullmatch(row.text):
            self.ask(found[1].casefold(), row.group(found, 2))
        return bool(found) or super().header(row)

    def ask(self, word: str, part: Part) -> None:
        """Read a premise, what is to be derived, or the rules that may be used."""
        if word == "rules":
            self.rules = tuple(map(self.rule_name, part.split()))
        elif word == "given":
            self.premises.append(part)
        else:
            if self.goal:
                part.fail("the goal is given twice")
            turnstile = TURNSTILE.search(part.text)
            start, end = turnstile.span() if turnstile else (0, 0)
            self.premises += part.cut(0, start).split()
            self.goal = [part.cut(end)]

    def rule_name(self, name: Part) -> str:
        """Return the name of a rule, or `given` for another word for it."""
        try:
            return GIVEN if _ASSUMED.fullmatch(name.text) else rule_named(name.text)
        except UnknownNameError as error:
            name.fail(str(error))

    def logic(self, name: Part, wanted: Logic | None) -> Logic:
        """Return the logic that is named, which must be the one asked for."""
        try:
            found = logic_named(name.text)
        except (FormulaError, UnknownNameError) as error:
            name.fail(str(error))
        if wanted is not None and found != wanted:
            name.fail(f"the derivation is in {found}, and a derivation in {wanted} was asked for")
        return found

    def unindexed(self, formulas: Iterable[Part]) -> Unindexed:
        """Return the operators without an index in all formulas, and the agents named by the others."""
        found = []
        for part in (*self.premises, *self.goal, *formulas):
            try:
                found.append(unindexed(part.text, self.groups))
            except KripkeError:
                continue  # reported with its position when the formula is read
        named = frozenset[str]().union(*(x.named for x in found))
        signs = dict.fromkeys(sign for x in found for sign in x.signs)
        return Unindexed(named, tuple(signs), all(x.single for x in found))

    # --- lines -----------------------------------------------------------------------------------

    def row(self, row: Part, number: int) -> tuple[Part, Part]:
        """Split a line into its formula and its rule."""
        row = replace(row, text=_without_latex(row.text))
        start = self.numbered(row, number)
        if turnstile := TURNSTILE.match(row.text, start):
            start = turnstile.end()
        if start == len(row.text.rstrip()):
            row.fail("expected a formula", start)
        first = _FIRST.match(row.text, start)
        if first and _cites(first[1]) and self.is_formula(row.text[first.end() :]):
            return row.cut(first.end()), row.group(first, 1)
        end = self.end(row.text, start)
        return row.cut(start, end), row.cut(end)

    def numbered(self, row: Part, number: int) -> int:
        """Return where a row begins after its number, which may be missing."""
        found, start = NUMBER.match(row.text), begin(row.text)
        if found is not None:
            given, start = found[1] or found[2] or found[3], found.end()
            if int(given) != number:
                row.fail(f"expected line {number}, got {given}", begin(row.text))
        if _LETTERED.match(row.text, start):
            row.fail(f"lines have numbers, by which others cite them: here {number}, not a letter", start)
        return start

    def line(self, formula: Part, reason: Part, number: int) -> Line:
        """Return a line with its formula and rule."""
        f = self.formula(formula)
        return Line(f, *self.reason(reason, number)) if reason.text else Line(f, "")

    def end(self, row: str, start: int) -> int:
        """Return the position between the formula and the rule of a row."""
        gaps = list(_GAP.finditer(row, start))
        for gap in reversed(gaps):
            if _cites(row[gap.end() :]) and (gap is gaps[0] or self.is_formula(row[start : gap.start()])):
                return gap.start()
        if gaps and self.is_formula(row[start:]):
            return len(row)
        cuts = [start + blank.start() for blank in re.finditer(r";?\s+", row[start:])]
        cited = [end for end in cuts if _cites(row[end:])]
        if not gaps:
            if clear := [end for end in cited if self.is_formula(row[start:end])]:
                return clear[-1]
            if self.is_formula(row[start:]):
                return len(row)
        for end in cuts:  # the readable part ends here: the error must be about the reason
            if _begins_reason(row[end:]) and self.is_formula(row[start:end]):
                return end
        # the formula cannot be read: the error must be about it alone
        return gaps[-1].start() if gaps else max(cited, default=len(row))

    def reason(self, part: Part, number: int) -> tuple[str, tuple[int, ...]]:
        """Return a rule and the numbers of the lines that it cites."""
        found = _reason(part.text)
        if found is None:
            self.refuse_reason(part)
        name, refs = part.group(found[0]), [part.group(cited) for cited in found[1]]
        rule = self.rule_name(name)
        if rule == "Taut" and refs:
            rule = "PL"
        if rule == GIVEN and not self.premises:
            name.fail(f"this derivation has no premises; to have p as one, {HOW_TO_DECLARE}")
        above = f"the lines above are 1 to {number - 1}" if number > 1 else "there is no line above"
        for cited in refs:
            if not 0 < int(cited.text) < number:
                cited.fail(f"line {cited} is not above this one; {above}")
        return rule, tuple(int(cited.text) for cited in refs)

    def refuse_reason(self, part: Part) -> NoReturn:
        """Fail because a formula is not followed by a single rule."""
        text = part.text
        words = [word for word in re.findall(r"[^\s,;()\[\]]+", text) if not word.isdecimal()]
        if len(words) > 1 and all(map(_cites, words)):
            part.fail(f"expected one rule for a line, got {' and '.join(words)}", text.index(words[1]))
        for blank in re.finditer(r"[\s;]+", text):
            follows = NUMBER.match(text, blank.end())
            begins = follows.end() if follows else blank.end()
            if _cites(text[: blank.start()]) and self.is_formula(text[begins : self.end(text, begins)]):
                part.fail(SECOND_STEP, blank.end())
        part.fail(f"expected a rule and perhaps the numbers of lines, such as 'MP 1, 2', got {text!r}")


def _reason(text: str) -> tuple[re.Match[str], list[re.Match[str]]] | None:
    """Return the word that names a rule, and the numbers beside it: `MP 1, 2`, `from 1 and 2 by MP`."""
    text = _REMARK.split(text, maxsplit=1)[0]
    words = [word for word in _WORD.finditer(text) if word[0].casefold().strip(".:") not in _FILLERS]
    names = [word for word in words if not word[0].strip(".:").isdecimal()]
    if not names and words and words[0][0] in ("4", "5"):
        names = words[:1]
    if len(names) != 1 or names[0] not in (words[0], words[-1]):
        return None
    name = re.compile(r".*[^.:]").match(text, names[0].start(), names[0].end())
    numbers = [re.compile(r"\d+").match(text, word.start()) for word in words if word is not names[0]]
    return None if name is None else (name, [number for number in numbers if number])


def _without_latex(row: str) -> str:
    """Return a row of the same length without $, and without the columns and the end of a row of a table."""
    if row.rstrip().endswith(r"\\"):
        row = row.replace("&", " ").replace(r"\\", "  ")
    return row.replace("$", " ")


def _cites(text: str) -> bool:
    """Return whether a string is a known rule, possibly with line numbers."""
    found = _reason(text)
    try:
        return found is not None and bool(_ASSUMED.fullmatch(found[0][0]) or rule_named(found[0][0]))
    except UnknownNameError:
        return False


def _begins_reason(text: str) -> bool:
    """Return whether a string begins with a number or a known rule."""
    words = [word[0].strip("[].:") for word in _WORD.finditer(text)]
    words = [word for word in words if word.casefold() not in _FILLERS]
    return bool(words) and (words[0].isdecimal() or _cites(words[0]))
