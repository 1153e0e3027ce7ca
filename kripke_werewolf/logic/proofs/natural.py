"""Natural deduction: proofs with subproofs, in the style of Fitch, and their checker.

Every row that is right is one line of a derivation: the conjunction of the rows it rests on implies its
formula. The checker of derivations judges this line as soon as the row is added, so a row that was right
stays right, and rules need no trust. A strict subproof is about any world that an agent considers possible:
only what is known about such worlds gets in, and what rests on nothing.

Natural deduction as text: a row for each step, with a bar for each subproof that it is in.

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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, product
from typing import NoReturn, TypeAlias

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import FormulaError, Undecided, UnknownNameError, did_you_mean
from kripke_werewolf.base.reader import Part
from kripke_werewolf.base.reports.documents import Block, Outline
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.base.usage import Explaining
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import Logic
from kripke_werewolf.logic.formulas.names import tex_escaped
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.proofs.abbreviations import readings, unabbreviated
from kripke_werewolf.logic.proofs.checker import Checking
from kripke_werewolf.logic.proofs.declarations import named_apart
from kripke_werewolf.logic.proofs.natural_rules import (
    BRACKETS,
    NATURAL,
    PALETTE,
    STRICT,
    NaturalRule,
    RowKind,
    natural_rule,
)
from kripke_werewolf.logic.proofs.paths import states, under
from kripke_werewolf.logic.proofs.proof import Line, Proof, in_columns
from kripke_werewolf.logic.proofs.script import DoesNotApply, Frames, implication, is_box, scope_contains
from kripke_werewolf.logic.proofs.systems import elsewhere
from kripke_werewolf.logic.proofs.text import ProofReader

Cited: TypeAlias = int | tuple[int, int]
"""The number of a row, or the first and the last row of a subproof."""
Path: TypeAlias = tuple[int, ...]
"""The rows that begin the subproofs around a row, outermost first."""
_BAR = r"\rule[-0.3\normalbaselineskip]{0.4pt}{\normalbaselineskip}\hspace{0.8em}"
_SIGNS = {"->": r"\to", "<->": r"\leftrightarrow", "&": r"\land", "|": r"\lor", "~": r"\lnot"}
"""The connectives with which names of rules begin, in LaTeX."""


@dataclass(frozen=True, slots=True)
class NaturalRow(Explaining):
    """One row: how many subproofs it is in, its formula, its rule, and what it cites.

    The row that begins a box has the operator before `true` as its formula. `purpose`: what a row that begins
    a subproof says is to be shown in it.
    """

    depth: int
    formula: Formula
    rule: str
    cited: tuple[Cited, ...] = ()
    purpose: Formula | None = None

    @property
    def written(self) -> str:
        """The formula; for a box the operator and a colon, as `K_a` becomes in a file."""
        if self.rule != "box":
            return str(self.formula)
        return f"{str(self.formula).removesuffix('true').rstrip()}:"

    @property
    def reason(self) -> str:
        """The rule with what it cites: `|E 1, 2-4, 5-7`."""
        cited = ", ".join(f"{c[0]}-{c[1]}" if isinstance(c, tuple) else str(c) for c in self.cited)
        told = f"{self.rule} {cited}".rstrip()
        return told if self.purpose is None else f"{told}  show {self.purpose}"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A row with the reason why it is wrong, empty if it is right.

    `formula`: its formula with abbreviations expanded; `path`: the rows that begin the subproofs around it;
    `rests`: the premises, the assumptions and the rows brought into a box on which it rests, by number;
    `line`: the line that it is in the derivation, 0 for none; `frames`: the properties of frames on which
    this line depends.
    """

    row: NaturalRow
    formula: Formula
    path: Path
    rests: frozenset[int] = frozenset()
    line: int = 0
    reason: str = ""
    frames: Frames = frozenset()

    @property
    def right(self) -> bool:
        """Whether the row is right."""
        return not self.reason


@dataclass(frozen=True, slots=True, repr=False)
class NaturalProof(Displayed):
    """A proof in natural deduction, perhaps unfinished or wrong. An immutable value.

    `goal`: what is to be shown, and `premises`: from what, if stated; `rules`: those that it may use.

    >>> from kripke_werewolf.logic.proofs import read_natural
    >>> proof = read_natural('''
    ... logic: S4
    ... show: K_a p ⊢ K_a K_a p
    ... 1. K_a p        premise
    ... 2. | K_a:       box
    ... 3. | K_a p      R4 1
    ... 4. K_a K_a p    KI 2-3
    ... ''')
    >>> proof.done, str(proof.hilbert().conclusion)
    (True, 'K_a p -> K_a K_a p')
    """

    logic: Logic
    rows: tuple[NaturalRow, ...] = ()
    goal: Formula | None = None
    premises: tuple[Formula, ...] = ()
    rules: tuple[str, ...] = PALETTE

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        apart, actions = named_apart(self)
        rows = [("| " * row.depth + row.written, row.reason) for row in apart.rows]
        rules = () if self.rules == PALETTE else self.rules
        return f"calculus: natural\n{in_columns(apart, actions, rows, rules)}"

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """For each row, whether it is right, and what it rests on."""
        return tuple(judged(self).found)

    @property
    def open(self) -> int:
        """How many subproofs are open at the end."""
        return len(judged(self).path) - 1

    @property
    def flaw(self) -> tuple[int, str] | None:
        """The number of the first wrong row, and the reason; None if all rows are right."""
        wrong = ((n, found.reason) for n, found in enumerate(self.judgements, 1) if found.reason)
        return next(wrong, None)

    @property
    def missing(self) -> str:
        """What is missing from a proof without wrong rows; empty if it is finished."""
        if not self.rows:
            return "it has no rows"
        if self.open:
            return f"the subproof that begins at row {judged(self).path[-1]} is still open"
        if self.goal is None or self.judgements[-1].formula is unabbreviated(self.goal):
            return ""
        return f"the last row is not {self.goal}"

    @property
    def done(self) -> bool:
        """Whether all rows are right and the last one is what was to be shown."""
        return self.flaw is None and not self.missing

    def and_row(self, *rows: NaturalRow) -> NaturalProof:
        """Return the proof with rows added."""
        return replace(self, rows=(*self.rows, *rows))

    def mapped(self, put: Callable[[Formula], Formula]) -> NaturalProof:
        """Return the proof with every formula replaced, including premises, goal and purposes."""

        def if_any(f: Formula | None) -> Formula | None:
            return None if f is None else put(f)

        kept = replace(self, premises=tuple(map(put, self.premises)), goal=if_any(self.goal))
        rows = (replace(x, formula=put(x.formula), purpose=if_any(x.purpose)) for x in self.rows)
        return replace(kept, rows=tuple(rows))

    def to_latex(self) -> str:
        r"""Return a LaTeX `tabular`, with a line beside each subproof and below its assumption.

        It needs no package but amsmath.

        >>> from kripke_werewolf.logic.proofs import read_natural
        >>> proof = read_natural("1. | p  assume\n2. p -> p  ->I 1-1")
        >>> print(proof.to_latex().replace(_BAR, "BAR "))
        \begin{tabular}{r@{\quad}l@{\qquad}l}
        1. & BAR \underline{$p$} & assume\\
        2. & $p \to p$ & $\to$I 1--1\\
        \end{tabular}
        """
        apart, actions = named_apart(self)
        rows = [rf"& {tex_escaped(name)}: {tex_escaped(text)} &\\" for name, text in actions.items()]
        for number, row in enumerate(apart.rows, 1):
            shown = f"${row.formula.latex()}$"
            if row.rule == "box":
                shown = f"${row.formula.latex().removesuffix(chr(92) + 'top').rstrip()}$:"
            if row.rule in BRACKETS:
                shown = rf"\underline{{{shown}}}"
            sign = next(filter(row.rule.startswith, _SIGNS), "")
            rule = (f"${_SIGNS[sign]}$" if sign else "") + tex_escaped(row.rule.removeprefix(sign))
            cited = replace(row, rule="", purpose=None).reason.replace("-", "--")
            rows.append(rf"{number}. & {_BAR * row.depth}{shown} & {rule}{cited}\\")
        return "\n".join([r"\begin{tabular}{r@{\quad}l@{\qquad}l}", *rows, r"\end{tabular}"])

    def hilbert(self) -> Proof:
        """Return the finished proof as a derivation: what is shown is implied by the premises.

        Raises `FormulaError` if the proof is wrong or not finished.
        """
        why = self.missing if self.flaw is None else f"row {self.flaw[0]} is wrong: {self.flaw[1]}"
        if why:
            raise FormulaError(f"no derivation can be written: {why}")
        lines, last = judged(self).kernel.lines, self.judgements[-1].line
        whole = implication(self.given, self.rows[-1].formula if self.goal is None else self.goal)
        return Proof(self.logic, (*lines, Line(whole, "PL", (last,)))).pruned()

    def headline(self) -> str:
        """Return the sequent, the logic, and the number of rows."""
        return f"{self.sequent() or 'a proof'} in {self.logic}, {counted(len(self), 'row')}"

    def sequent(self) -> str:
        """Return the sequent to be shown, such as `p, p -> q ⊢ q`; empty if there is none."""
        goal = self.goal
        if goal is None and not self.missing:
            goal = self.rows[-1].formula
        return "" if goal is None else f"{', '.join(map(str, self.given))} ⊢ {goal}".lstrip()

    @property
    def given(self) -> tuple[Formula, ...]:
        """The premises: those declared, or else those of the rows, if no goal is stated."""
        if self.premises or self.goal is not None:
            return self.premises
        return tuple(dict.fromkeys(r.formula for r in self.rows if r.rule == "premise"))

    def display(self) -> Iterable[Block]:
        """Yield the rows."""
        yield Outline(str(self))


@lru_cache(256)
def judged(proof: NaturalProof) -> NaturalChecking:
    """Return the checked rows of a proof, to which no row may be added."""
    checking = NaturalChecking(proof)
    for row in proof.rows:
        checking.add(row)
    return checking


class NaturalChecking:
    """The rows judged so far. A wrong row keeps its place, so that the numbers stay, and cannot be cited."""

    def __init__(self, proof: NaturalProof) -> None:
        self.kernel = Checking(proof.logic)
        self.allowed = frozenset(proof.rules)
        self.given = frozenset(map(unabbreviated, proof.given))
        self.found: list[Judgement] = []

    @property
    def path(self) -> Path:
        """The subproofs that are open; the first, 0, is the whole proof."""
        return self.found[-1].path if self.found else (0,)

    def add(self, row: NaturalRow) -> str:
        """Add a row; return why it is wrong, or nothing."""
        mark, opens = len(self.kernel.lines), row.rule in BRACKETS
        path = (*self.path[: row.depth], len(self.found) + 1) if opens else self.path[: row.depth + 1]
        bare = Judgement(row, unabbreviated(row.formula), path)
        self.found.append(bare)
        try:
            if len(path) != row.depth + 1:
                _fail(f"the bars say it is in {counted(row.depth, 'subproof')}, and fewer are open above")
            rests, line = self._judged(NATURAL[row.rule], row, path)
            frames = self.kernel.frames(line) if line else frozenset()
            self.found[-1] = replace(bare, rests=rests, line=line, frames=frames)
        except (DoesNotApply, Undecided) as reason:
            self.kernel.back_to(mark)
            self.found[-1] = replace(bare, reason=str(reason))
        return self.found[-1].reason

    def back_to(self, length: int) -> None:
        """Remove all rows after the first `length`."""
        del self.found[length:]
        self.kernel.back_to(max((found.line for found in self.found), default=0))

    def strict(self, path: Path) -> int:
        """Return the row that begins the innermost strict subproof of a path; 0 if there is none."""
        return next((start for start in reversed(path) if start and self._row(start).rule in STRICT), 0)

    def unreachable(self, number: int, path: Path, span: tuple[int, int] | None = None) -> str:
        """Return why a row, or the subproof that it ends, cannot be cited on a path; empty if it can."""
        found = self.found[number - 1]
        where, rests, what = found.path, found.rests, f"row {number}"
        if span is not None:
            where, rests, what = where[:-1], rests - {where[-1]}, f"the subproof {span[0]}-{span[1]}"
        if found.reason:
            return f"row {number} itself is wrong"
        if path[: len(where)] != where:
            return f"{what} is inside a subproof that is closed"
        inner = self.strict(path[len(where) :])
        if not inner or not rests:
            return ""
        box = self._row(inner).rule == "box"
        advice = f"only what {self._operator(inner)} says gets in, by KE" if box else "so it does not get in"
        return f"{what} is outside the strict subproof of row {inner} and rests on row {min(rests)}: {advice}"

    def _row(self, number: int) -> NaturalRow:
        return self.found[number - 1].row

    def _operator(self, box: int) -> str:
        return f"{str(self._row(box).formula).removesuffix('true')}…"

    def _above(self, *numbers: int) -> None:
        for number in numbers:
            if not 0 < number < len(self.found):
                _fail(f"it cites row {number}, which is not above it")

    def _cited(self, number: int, path: Path) -> Judgement:
        self._above(number)
        if self._row(number).rule == "box":
            _fail(f"row {number} begins a box and says nothing")
        if reason := self.unreachable(number, path):
            _fail(reason)
        return self.found[number - 1]

    def _subproof(self, span: tuple[int, int], path: Path, kind: str) -> s.Implies:
        """Return the implication of the last formula of a closed subproof by its first."""
        self._above(*span)
        first, last = (self.found[n - 1] for n in span)
        shown = f"{span[0]}-{span[1]}"
        if last.path[-1] != span[0]:
            _fail(f"{shown} is not a subproof from its first row to one of its own rows")
        if path[: len(last.path)] == last.path:
            _fail(f"the subproof {shown} is still open")
        if reason := self.unreachable(span[1], path, span):
            _fail(reason)
        if first.row.rule != kind or last.row.rule == "box":
            _fail(f"the subproof {shown} begins with {first.row.rule}, and needs {kind} and a row in it")
        return s.Implies(first.formula, last.formula)

    # --- the line that a row is -------------------------------------------------------------------

    def _line(self, f: Formula, rule: str, refs: Iterable[int] = ()) -> int:
        flaw = self.kernel.add(Line(f, rule, tuple(dict.fromkeys(refs))))
        if flaw is not None:
            _fail(flaw)
        return len(self.kernel.lines)

    def _stated(self, f: Formula, rests: frozenset[int], refs: Sequence[int]) -> tuple[frozenset[int], int]:
        """Write that a formula follows from what it rests on."""
        goal = implication(list(dict.fromkeys(self._row(n).formula for n in sorted(rests))), f)
        if len(refs) == 1 and self.kernel.lines[refs[0] - 1].formula is goal:
            return rests, refs[0]
        return rests, self._line(goal, "PL", refs)

    def _judged(self, rule: NaturalRule, row: NaturalRow, path: Path) -> tuple[frozenset[int], int]:
        """Return the rows on which a row rests, and its line; raises `DoesNotApply`."""
        if rule.name not in self.allowed:
            _fail(f"{rule.name} is not among the rules allowed here")
        if (way := _WAYS.get(rule.kind)) is not None:
            return way(self, rule, row, path)
        rows = [self._cited(n, path) for n in row.cited if isinstance(n, int)]
        spans = [span for span in row.cited if isinstance(span, tuple)]
        cases = [self._subproof(span, path, "assume") for span in spans]
        ends = [self.found[n - 1] for _, n in spans]
        rests = frozenset[int]().union(*(x.rests for x in rows), *(x.rests - {x.path[-1]} for x in ends))
        refs, cited, f = [x.line for x in (*rows, *ends)], [x.formula for x in rows], self.found[-1].formula
        if rule.kind is RowKind.CONNECTIVES:
            if not self._fits(rule, row, [x.row.formula for x in rows], spans):
                given = rule.given(cited, cases)
                if given is None:
                    _fail(rule.unfit)
                _fail(f"{row.reason} gives {given}")
        elif len(cited) != 1 or spans:
            _fail(f"it cites one row: {rule.headline()}")
        elif rule.kind is RowKind.AXIOM:
            refs.append(self._instance(rule, [s.Implies(cited[0], f)]))
        elif cited[0] is not f:
            refs.append(self._rewritten(rule, s.Iff(cited[0], f)))
        return self._stated(row.formula, rests, refs)

    def _fits(
        self, rule: NaturalRule, row: NaturalRow, rows: Sequence[Formula], spans: Iterable[tuple[int, int]]
    ) -> bool:
        """Return whether a row follows by connectives; `rows`: those cited, as they were written."""
        ends = [self._row(n).formula for span in spans for n in span]
        for f, *told in readings([row.formula, *rows, *ends]):
            cited, parts = told[: len(rows)], told[len(rows) :]
            cases = [s.Implies(*pair) for pair in zip(parts[::2], parts[1::2], strict=True)]
            if rule.fits(f, cited, cases):
                return True
        return False

    def _opened(self, rule: NaturalRule, row: NaturalRow, path: Path) -> tuple[frozenset[int], int]:
        f, itself = self.found[-1].formula, frozenset({len(self.found)})
        if row.cited:
            _fail(f"{rule.name} cites nothing")
        if rule.name == "box":
            if not is_box(f) or f.children[-1] is not s.TRUE:
                _fail("a box is about an operator such as K_a, C_{a,b} or [!p], as in `K_a:`")
            return frozenset(), 0
        if rule.name == "premise" and f not in self.given:
            _fail(f"{row.formula} is not among the premises")
        if rule.name == "premise" and self.strict(path):
            _fail("a premise cannot be used in a strict subproof, which is about other worlds")
        return self._stated(row.formula, itself, [])

    def _instance(self, rule: NaturalRule, formulas: Sequence[Formula]) -> int:
        """Write the first of some formulas that is an instance of one of the axioms of a rule."""
        flaws = []
        for f, name in product(formulas, rule.hilbert):
            flaws.append(self.kernel.add(Line(f, name)))
            if flaws[-1] is None:
                return len(self.kernel.lines)
        raise DoesNotApply(next((flaw for flaw in flaws if flaw and "not sound" in flaw), rule.unfit))

    def _rewritten(self, rule: NaturalRule, whole: s.Iff) -> int:
        """Write that two formulas that differ in one place are equivalent by one axiom."""
        equals, pairs = list[Formula](), [whole.children]
        while len(pairs) == 1:
            left, right = pairs[0]
            equals += [s.Iff(left, right), s.Iff(right, left)]
            alike = type(left) is type(right) and left.label == right.label
            if not alike or len(left.children) != len(right.children):
                break
            parts = zip(left.children, right.children, strict=True)
            pairs = [(x, y) for x, y in parts if x is not y]
        line = self._instance(rule, equals)
        return line if self.kernel.lines[line - 1].formula is whole else self._line(whole, "RE", [line])

    def _brought(self, rule: NaturalRule, row: NaturalRow, path: Path) -> tuple[frozenset[int], int]:
        start = self.strict(path)
        if len(row.cited) != 1 or not isinstance(number := row.cited[0], int):
            _fail(f"it cites one row: {rule.headline()}")
        if not start or self._row(start).rule != "box":
            _fail("there is no box here into which it could be brought")
        self._above(number)
        if start in self.found[number - 1].path:
            _fail(f"row {number} is inside the box already")
        f, box = self._cited(number, path[: path.index(start)]).formula, self.found[start - 1].formula
        denied = rule.name == "R5" and isinstance(f, s.Not)
        if not scope_contains(f.children[0] if denied else f, box) or denied is not (rule.name == "R5"):
            _fail(f"the box is about {self._operator(start)}, and row {number} is {f}: {rule.headline()}")
        inside = f.children[-1] if rule.name == "KE" else f
        if inside is not self.found[-1].formula:
            _fail(f"{row.reason} gives {inside}")
        self._line(s.Implies(f, under(box, inside)), rule.hilbert[0])  # introspection may be unsound here
        return self._stated(row.formula, frozenset({len(self.found)}), [])

    def _closed(self, rule: NaturalRule, row: NaturalRow, path: Path) -> tuple[frozenset[int], int]:
        if len(row.cited) != 1 or not isinstance(span := row.cited[0], tuple):
            _fail(f"it cites one subproof: {rule.headline()}")
        box, body = self._subproof(span, path, "box").children
        end, known = self.found[span[1] - 1], under(box, body)
        if rule.name == "D" and body is not s.FALSE:
            _fail(rule.unfit)
        gives = s.FALSE if rule.name == "D" else known
        if self.found[-1].formula is not gives:
            _fail(f"{row.reason} gives {gives}")
        brought = [self._row(n) for n in sorted(end.rests)]
        sources = [self.found[n - 1] for inside in brought for n in inside.cited if isinstance(n, int)]
        signs = {inside.rule[1] for inside in brought if inside.rule != "KE"}
        conditions = list(dict.fromkeys(source.row.formula for source in sources))
        goal = under(self._row(span[0]).formula, end.row.formula)
        refs = [self._line(implication(conditions, goal), "RK" + "".join(sorted(signs)), [end.line])]
        refs += [source.line for source in sources]
        if rule.name == "D":
            refs.append(self._line(s.Not(known), "D"))
        return self._stated(row.formula, frozenset[int]().union(*(x.rests for x in sources)), refs)

    def _induced(self, rule: NaturalRule, row: NaturalRow, path: Path) -> tuple[frozenset[int], int]:
        if len(row.cited) != 2 or not isinstance(row.cited[0], int) or not isinstance(row.cited[1], tuple):
            _fail(f"it cites a row and a subproof: {rule.headline()}")
        invariant, f = self._cited(row.cited[0], path), self.found[-1].formula
        found = states(f)
        if self._subproof(row.cited[1], path, "invariant").left is not invariant.formula or found is None:
            _fail(rule.unfit)
        step = self.found[row.cited[1][1] - 1].line
        refs = [self._line(s.Implies(invariant.formula, f), f"Ind{found[0].sign}", [step]), invariant.line]
        return self._stated(row.formula, invariant.rests, refs)


_WAYS = {
    RowKind.OPEN: NaturalChecking._opened, RowKind.BRING: NaturalChecking._brought,
    RowKind.CLOSE: NaturalChecking._closed, RowKind.INDUCTION: NaturalChecking._induced,
}  # fmt: skip


def _fail(reason: str) -> NoReturn:
    raise DoesNotApply(reason)


_CALCULUS = re.compile(r"[^\S\n]*calculus\s*[:=]\s*natural\b.*", re.IGNORECASE)
_BARRED = re.compile(r"\s*\d+\s*[.:)]?\s*[|│](?!-).*")
_BARS = re.compile(r"(?:\s*[|│](?!-))*\s*")
_SPELT = chain(NATURAL, *(rule.also for rule in NATURAL.values()))
_NAMES = "|".join(map(re.escape, sorted(_SPELT, key=len, reverse=True)))
_REASON = re.compile(
    rf"(?i)\s+[(\[]?(?P<rule>{_NAMES})(?P<cited>[\s\d,.:–-]*)[)\]]?(?:(?<=\s)show\s*:?\s+(?P<purpose>.*))?"
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
    return _Reader(text, source, groups or {}).natural(logic)


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
        if row.text.endswith(":"):
            row = replace(row, text=f"{row.text}  box")
        text = row.text
        bars = _BARS.match(text, self.numbered(row, number))
        start = bars.end() if bars else 0
        depth = len(re.findall("[|│]", bars[0])) if bars else 0
        blanks = (start + blank.start() for blank in re.finditer(r"\s+", text[start:]))
        found = next(filter(None, (_REASON.fullmatch(text, at) for at in blanks)), None)
        word = re.split(r"\s{2,}", text[start:].strip())[-1]
        name = re.split(r"\s+\d", word)[0]
        meant = elsewhere().get(name.casefold())
        if found is None or (meant and found.start() > text.rindex(word)):  # not by R4: RN 3, 4
            advice = f"; for `{name}` write {meant}" if meant else did_you_mean(name, NATURAL)
            expected = "expected a formula, a rule and what it cites, such as '->I 1-3'"
            row.fail(f"{expected}, got {word!r}{advice}", text.rindex(word))
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
