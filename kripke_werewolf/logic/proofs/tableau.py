"""Closed tableaux: trees in which the negation of a formula leads to a contradiction on every branch.

A line says that a formula is true at a world. New worlds are named as needed, and the frames of the logic
determine the accessibility between them (labelled tableaux: Fitting 1983; Negri 2005). Updates are replaced
by reduction axioms; there is no rule for common knowledge.

Finding closed tableaux: rules are applied in a fair order, then lines without use are dropped.

Tableaux in students' notation: `4. w1: ~K_a p   3`, with branches indented, `x 4, 5` at a closed end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from html import escape
from itertools import combinations
from operator import itemgetter, or_
from typing import Any, TypeAlias

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import FormulaError, Undecided
from kripke_werewolf.base.files import unmarked
from kripke_werewolf.base.reader import Part, Source
from kripke_werewolf.base.reports.documents import Block, Outline
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.base.usage import Explaining
from kripke_werewolf.logic.deciding import valid
from kripke_werewolf.logic.deciding.decision import DEFAULT_STEPS
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import Logic, logic_named
from kripke_werewolf.logic.formulas.names import tex_escaped
from kripke_werewolf.logic.formulas.operators import Scope
from kripke_werewolf.logic.formulas.simplification import negated
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, formula
from kripke_werewolf.logic.proofs.abbreviations import (
    Abbreviator,
    positive,
    readings,
    unabbreviated,
    without_double_negations,
)
from kripke_werewolf.logic.proofs.checker import Checked
from kripke_werewolf.logic.proofs.derived import reduction
from kripke_werewolf.logic.proofs.systems import system
from kripke_werewolf.logic.semantics.bits import Rows, members
from kripke_werewolf.logic.written import read_formula, without_comments

Tree: TypeAlias = tuple[tuple[str, str, tuple[str, ...]], ...]
"""The worlds but the first as they were created, each with its parent and those who see it from there."""
START = "w0"
"""The world at which a tableau begins."""


@dataclass(frozen=True, slots=True)
class TableauLine(Explaining):
    """A line: a formula true at a world, and the numbers of the lines it comes from."""

    number: int
    world: str
    formula: Formula
    refs: tuple[int, ...] = ()

    @property
    def cited(self) -> str:
        """The numbers of the lines it comes from, separated by commas."""
        return ", ".join(map(str, self.refs))

    def __str__(self) -> str:
        return f"{self.number}. {self.world}: {self.formula}   {self.cited}".rstrip()


@dataclass(frozen=True, slots=True, repr=False)
class Tableau(Displayed):
    """Lines below one another, and the branches below them, or the lines that contradict each other.

    Immutable. `closed` lists two contradictory lines, or one that is false; it is empty if there are
    branches. The lines need not be correct; `check_tableau` verifies them.
    """

    steps: tuple[TableauLine, ...]
    branches: tuple[Tableau, ...] = ()
    closed: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.steps) + sum(map(len, self.branches))

    def __str__(self) -> str:
        return "\n".join(self._rows(""))

    def _rows(self, blank: str) -> Iterator[str]:
        yield from (f"{blank}{step}" for step in self.steps)
        if self.closed:
            yield f"{blank}x {', '.join(map(str, self.closed))}"
        for branch in self.branches:
            yield from branch._rows(f"{blank}  ")

    def to_latex(self) -> str:
        r"""Return a picture for the LaTeX package `tikz-qtree`."""
        style = r"\begin{tikzpicture}[every tree node/.style={align=left, anchor=north}]"
        return "\n".join([style, r"\Tree", *self._nodes(""), r"\end{tikzpicture}"])

    def _nodes(self, blank: str) -> Iterator[str]:
        rows = [
            rf"{x.number}.\ {tex_escaped(x.world)}:\ ${x.formula.latex()}$\quad {x.cited}".rstrip()
            for x in self.steps
        ]
        if self.closed:
            rows.append(rf"$\times$\ {', '.join(map(str, self.closed))}")
        yield blank + "[.{" + r" \\ ".join(rows) + "}"
        for branch in self.branches:
            yield from branch._nodes(f"{blank}  ")
        yield f"{blank}]"

    def to_markdown(self) -> str:
        """Return a block of code for Markdown, branches indented."""
        return f"```\n{self}\n```"

    def to_html(self) -> str:
        """Return preformatted text for HTML, branches indented."""
        return f"<pre>{escape(str(self))}</pre>"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "lines": [
                {"number": x.number, "world": x.world, "formula": str(x.formula), "refs": list(x.refs)}
                for x in self.steps
            ],
            "branches": [branch.to_dict() for branch in self.branches],
            "closed": list(self.closed),
        }

    def headline(self) -> str:
        """Return the first line, and the number of lines."""
        begins = "".join(f"{x.world}: {x.formula}, " for x in self.steps[:1])
        return begins + counted(len(self), "line")

    def display(self) -> Iterable[Block]:
        """Yield the lines, with branches indented."""
        yield Outline(str(self))


# --- the rules --------------------------------------------------------------------------------------


@lru_cache(4096)
def alternatives(f: Formula) -> list[list[Formula]]:
    """Return the cases in which a formula is true, by its outermost connective or a reduction axiom.

    There are none for a letter.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> [[str(g) for g in case] for case in alternatives(parse("~(p <-> q)"))]
    [['p', '~q'], ['~p', 'q']]
    """
    match f:
        case s.And(parts):
            return [list(parts)]
        case s.Or(parts):
            return [[part] for part in parts]
        case s.Implies(left, right):
            return [[negated(left)], [right]]
        case s.Iff(left, right):
            return [[left, right], [negated(left), negated(right)]]
        case s.Xor(parts):
            rest = s.Xor(*parts[1:]) if len(parts) > 2 else parts[1]
            return [[parts[0], negated(rest)], [negated(parts[0]), rest]]
        case s.Count():
            return [[f.children[0], _fewer(f, 1)], [negated(f.children[0]), _fewer(f, 0)]]
        case s.Box() if (found := reduction(f)) is not None:
            return [[found[0].right]]
        case s.Not(s.Not(body)):
            return [[body]]
        case s.Not(body):
            cases = alternatives(body)
            if len(cases) == 1:
                return [[negated(g)] for g in cases[0]]
            if cases and all(len(case) == 1 for case in cases):
                return [[negated(g) for (g,) in cases]]
            return [[first, negated(rest)] for first, rest in cases]
    return []


def _fewer(f: s.Count, taken: int) -> Formula:
    """Return a count without its first formula, after `taken` true ones."""
    number, rest = f.number - taken, f.children[1:]
    if rest and number >= 0:
        return s.Count(f.kind, number, *rest)
    return s.Constant({"exactly": number == 0, "atleast": number <= 0, "atmost": number >= 0}[f.kind])


def demand(f: Formula, logic: Logic) -> Formula | None:
    """Return the formula that a box or a denied box makes true at some world; None if it makes none true."""
    box = positive(f)
    if not isinstance(box, s.Modal):
        return None
    if box is not f:
        return negated(box.body)
    return box.body if logic.serial and len(box.label) == 1 else None


def consequences(
    world: str, f: Formula, tree: Tree, logic: Logic
) -> Iterator[tuple[str, list[list[Formula]]]]:
    """Yield the worlds about which a formula at a world says something, with the cases there."""
    if cases := alternatives(f):
        yield world, cases
    if isinstance(f, s.Modal):
        for other in seen_from(f.label, world, tree, logic):
            yield other, [[f.body]]


@lru_cache(4096)
def seen_from(label: tuple[str, ...], world: str, tree: Tree, logic: Logic) -> list[str]:
    """Return the worlds that each of some agents sees from a world in the logic, in order."""
    worlds = [START, *(new for new, _, _ in tree)]
    seen = (1 << len(worlds)) - 1
    for agent in label:
        sights = [0] * len(worlds)
        for place, (_, parent, agents) in enumerate(tree, 1):
            sights[worlds.index(parent)] |= (agent in agents) << place
        closed = Rows.of_sights(sights).closed((1 << len(worlds)) - 1, {*logic.properties} - {"serial"})
        seen &= closed.sees(worlds.index(world))
    return [worlds[n] for n in members(seen)]


def _contradictory(formulas: Sequence[Formula]) -> bool:
    """Return whether one formula is false, or two contradict each other."""
    if len(formulas) == 1:
        return formulas[0] is s.FALSE or formulas[0] is s.Not(s.TRUE)
    return len(formulas) == 2 and (formulas[0] is s.Not(formulas[1]) or formulas[1] is s.Not(formulas[0]))


# --- is a tableau right? ----------------------------------------------------------------------------


def check_tableau(tableau: Tableau, f: FormulaLike, *, logic: str | Logic = "S5") -> Checked:
    """Return whether a tableau begins with the negation of a formula, and all lines are correct.

    >>> lines = (
    ...     TableauLine(1, "w0", formula("~(K_a p -> p)")), TableauLine(2, "w0", formula("K_a p"), (1,)),
    ...     TableauLine(3, "w0", formula("~p"), (1,)), TableauLine(4, "w0", formula("p"), (2,)))
    >>> print(check_tableau(Tableau(lines, (), (3, 4)), "K_a p -> p", logic="T"))
    right
    >>> print(check_tableau(Tableau(lines, (), (3, 4)), "K_a p -> p", logic="K"))
    line 4 is wrong: it does not follow from line 2: w0 is not accessible from w0
    """
    whole = formula(f)
    found = _Check(logic_named(logic, whole.agents), unabbreviated(whole)).of(tableau)
    return Checked(True) if found is None else Checked(False, *found)


@dataclass(slots=True)
class _Check:
    """The check of a branch: its lines so far, its worlds, and the alternative it takes for each line."""

    logic: Logic
    goal: Formula
    facts: dict[int, tuple[str, Formula]] = field(default_factory=dict)
    tree: Tree = ()
    chosen: Mapping[int, list[Formula]] = field(default_factory=dict)

    def of(self, part: Tableau) -> tuple[int, str] | None:
        """Return the first wrong line of a part of a tableau, and the reason."""
        for step in part.steps:
            meant = (f for (f,) in readings([step.formula]) if not self._flaw(step.world, f, step.refs))
            if (f := next(meant, None)) is None:
                return step.number, str(self._flaw(step.world, unabbreviated(step.formula), step.refs))
            self.facts[step.number] = step.world, f
        last = part.steps[-1].number if part.steps else 0
        if part.branches:
            return self._branches(part.branches, last)
        if not part.closed:
            return last, "the branch below it is open"
        ends = [self.facts[n] for n in part.closed if n in self.facts]
        if len(ends) < len(part.closed) or len({world for world, _ in ends}) != 1:
            return last, "the lines that close the branch must be on it, and about one world"
        if not _contradictory([f for _, f in ends]):
            return last, f"the lines {', '.join(map(str, part.closed))} do not contradict each other"
        return None

    def _flaw(self, world: str, f: Formula, refs: Sequence[int]) -> str | None:
        if any(ref not in self.facts for ref in refs):
            return "it comes from a line that is not above it on its branch"
        if not self.facts:
            goals = negated(self.goal), negated(without_double_negations(self.goal))
            begins = world == START and f in goals and not refs
            return None if begins else f"a tableau begins with {START}: {negated(self.goal)}"
        if len(refs) != 1:
            return "it must name the line that it comes from"
        here, source = self.facts[refs[0]]
        for said in (source, without_double_negations(source)):  # ~M_a p is ~~K_a ~p
            for at, cases in consequences(here, said, self.tree, self.logic):
                case = cases[0] if len(cases) == 1 else self.chosen.get(refs[0], [])
                if at == world and f in case:
                    return None
        wrong, box = f"it does not follow from line {refs[0]}", positive(source)
        if not isinstance(box, s.Modal):
            return wrong
        if world in (START, *(known for known, _, _ in self.tree)):
            if source is box and f is box.body:
                wrong += f": {world} is not accessible from {here}"
            return wrong
        wanted = demand(source, self.logic)
        if wanted is None:
            return f"{world} is new, and only a denied operator such as ~K_a makes a new world"
        if f is not wanted:
            return f"{world} is new, so its first line must be the one that makes it differ: {wanted}"
        self.tree = (*self.tree, (world, here, box.label))
        return None

    def _branches(self, branches: Sequence[Tableau], last: int) -> tuple[int, str] | None:
        refs = [step.refs for branch in branches for step in branch.steps[:1]]
        ref = refs[0] if len(refs) == len(branches) and len({*refs}) == 1 else ()
        if len(ref) != 1 or ref[0] not in self.facts:
            return last, "the branches below it must begin with the alternatives of one line"
        here, source = self.facts[ref[0]]
        begins = [(branch.steps[0].world, unabbreviated(branch.steps[0].formula)) for branch in branches]
        cases, left = alternatives(source), list(range(len(branches)))
        for case in cases:
            match = next((n for n in left if begins[n] in [(here, f) for f in case]), None)
            if match is None:
                missing = s.conjunction(case)
                return last, f"the branches below it leave out the case {missing} of line {ref[0]}"
            left.remove(match)
            below = replace(self, facts=dict(self.facts), chosen={**self.chosen, ref[0]: case})
            if found := below.of(branches[match]):
                return found
        if left:
            return last, f"line {ref[0]} has {len(cases)} alternatives"
        return None


# --- finding one ------------------------------------------------------------------------------------

MOST_LINES = 5_000
"""The most lines of a search."""


def tableau(f: FormulaLike, *, logic: str | Logic = "S5", limit: int = DEFAULT_STEPS) -> Tableau | None:
    """Return a closed tableau for a formula, or None if it is not valid.

    It has been checked, and has only lines on which some contradiction depends.

    >>> print(tableau("K_a p -> M_a p", logic="T"))
    1. w0: ~(K_a p -> M_a p)
    2. w0: K_a p   1
    3. w0: K_a ~p   1
    4. w0: p   2
    5. w0: ~p   3
    x 4, 5

    Raises `FormulaError` for common knowledge, and for formulas that cannot be decided; `Undecided` after
    `limit` steps of the decision, or 5,000 lines of the search; `UnknownNameError` for an unknown logic.
    """
    found = formula(f)
    chosen = logic_named(logic, found.agents)
    system(chosen)
    if chosen.mixed:
        raise FormulaError(f"there are no tableaux in {chosen}; ask for a derivation")
    goal = unabbreviated(found)
    for node in goal.subformulas():
        if isinstance(node, s.Modal) and node.scope is Scope.REACH:
            raise FormulaError(f"tableaux have no rule for common knowledge ({node}); ask for a derivation")
    if not valid(found, logic=chosen, limit=limit):
        return None
    closed = _Search(chosen).tableau(negated(goal), Abbreviator(found))
    checked = check_tableau(closed, found, logic=chosen)
    if not checked.right:
        raise RuntimeError(f"the tableau found for {str(found)!r} in {chosen} is wrong: {checked}")
    return closed


@dataclass(slots=True)
class _Branch:
    """The lines on a branch by number, its worlds, and the lines that close it."""

    known: dict[tuple[str, Formula], int]
    tree: Tree = ()
    closed: tuple[int, ...] = ()

    def has(self, world: str, formulas: Iterable[Formula]) -> bool:
        """Return whether all of the formulas are known at a world."""
        return all((world, f) in self.known for f in formulas)


_Turn: TypeAlias = tuple[int, int, str, list[list[Formula]], Tree]
"""How soon a rule is applied, to which line, what it makes true at which world, and all worlds after it."""
_LAST = 10_000  # the turn of a line that needs a new world


class _Search:
    """The lines of all branches, numbered from 0, each with the set of those on which it depends.

    They include itself, and the line with which its world was created.
    """

    def __init__(self, logic: Logic) -> None:
        self.logic = logic
        self.lines: list[TableauLine] = []
        self.needs: list[int] = []

    def tableau(self, denial: Formula, shown: Abbreviator) -> Tableau:
        branch, numbers = _Branch({}), dict[int, int]()
        self._add(branch, START, [denial])

        def numbered(old: Iterable[int]) -> tuple[int, ...]:
            return tuple(sorted(numbers[n] for n in old))

        def written(part: Tableau) -> Tableau:
            numbers.update((x.number, n) for n, x in enumerate(part.steps, len(numbers) + 1))
            steps = [
                TableauLine(numbers[x.number], x.world, shown.written(x.formula), numbered(x.refs))
                for x in part.steps
            ]
            return Tableau(tuple(steps), tuple(map(written, part.branches)), numbered(part.closed))

        return written(self._closed(branch, 0)[0])

    def _add(self, branch: _Branch, world: str, formulas: Iterable[Formula], *refs: int) -> None:
        """Write lines at the end of a branch, until it is closed."""
        for f in formulas:
            if branch.closed or branch.has(world, [f]):
                continue
            number = len(self.lines)
            if number >= MOST_LINES:
                raise Undecided(f"no closed tableau was found within {MOST_LINES:,} lines")
            self.lines.append(TableauLine(number, world, f, refs))
            self.needs.append(1 << number)
            created = next((n for (w, _), n in branch.known.items() if w == world), number)
            for ref in (created, *refs):
                self.needs[number] |= self.needs[ref]
            branch.known[world, f] = number
            other = branch.known.get((world, positive(f) if isinstance(f, s.Not) else s.Not(f)))
            if _contradictory([f]):
                branch.closed = (number,)
            elif other is not None:
                branch.closed = (other, number)

    def _closed(self, branch: _Branch, start: int) -> tuple[Tableau, int]:
        """Close a branch; return the lines on it from place `start` on, and all on which that depends."""
        while not branch.closed:
            turns = sorted(self._turns(branch), key=itemgetter(0))
            if not turns:
                raise Undecided("no closed tableau was found: every rule has been applied to a branch")
            for _, number, world, cases, tree in [x for x in turns if not x[0]] or turns[:1]:
                if len(cases) > 1:
                    return self._parted(branch, self.lines[number], cases, start)
                branch.tree = tree
                self._add(branch, world, cases[0], number)
        used = reduce(or_, [self.needs[n] for n in branch.closed])
        return Tableau(self._used(branch, start, used), (), branch.closed), used

    def _turns(self, branch: _Branch) -> Iterator[_Turn]:
        """Yield the lines that still make something true: first at known worlds, then with few cases."""
        tree = branch.tree
        for (world, f), number in branch.known.items():
            for at, cases in consequences(world, f, tree, self.logic):
                turn = 0
                if len(cases) > 1:
                    turn = 1 + sum(not any(branch.has(at, [negated(g)]) for g in case) for case in cases)
                if not any(branch.has(at, case) for case in cases):
                    yield turn, number, at, cases, tree
            wanted = demand(f, self.logic)
            if wanted is not None:
                label, new = positive(f).label, f"w{len(tree) + 1}"
                if not any(branch.has(w, [wanted]) for w in seen_from(label, world, tree, self.logic)):
                    turn = _LAST + isinstance(f, s.Modal)
                    yield turn, number, new, [[wanted]], (*tree, (new, world, label))

    def _used(self, branch: _Branch, start: int, used: int) -> tuple[TableauLine, ...]:
        return tuple(self.lines[n] for n in list(branch.known.values())[start:] if used >> n & 1)

    def _parted(
        self, branch: _Branch, line: TableauLine, cases: list[list[Formula]], start: int
    ) -> tuple[Tableau, int]:
        """Close all alternatives of a line; one that closes without the line suffices."""
        parts, used = list[Tableau](), 0
        for case in cases:
            below, first = replace(branch, known=dict(branch.known)), len(self.lines)
            self._add(below, line.world, case, line.number)
            new = (1 << len(self.lines)) - (1 << first)
            part, needed = self._closed(below, len(branch.known))
            if not needed & new:
                return replace(part, steps=self._used(branch, start, needed) + part.steps), needed
            parts.append(part)
            used |= needed
        return Tableau(self._used(branch, start, used), tuple(parts)), used


# one blank will do after `)` and one-letter atoms, and before `(1`
_GAP = r"(?:\s{2,}\D*?|\s(?=\(\d)\D|(?:(?<=\))|(?<=\W[^\Wv]))\s(?:from |by )?)"
_WHY = rf"{_GAP}((?:\d+[\s,;)]*)+)(?:\(?\D*)?|\s+[(\[]?(?:assum|negat|start)[^\n:]*|\s{{2,}}\(\D*\)"
_STEP = re.compile(rf"\s*(?:(\d+)[.):]?\s*)?(\w+)\s*(?::|⊨|\|=)\s*(.*?)(?:{_WHY})?\s*")
_END = re.compile(r"\s*(?:[x✗×⊥⊗]|closed|contradiction)[\s:(]*((?:\d+[\s,;)]*)*)(?:\([^()]*\))?")


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
    text = unmarked(text).expandtabs(4)
    bare = Part(without_comments(text), 0, Source(text, source))
    reader = _Reader(bare.lines())
    if not reader.rows:
        bare.fail("expected a line such as '1. w0: ~(K_a p -> p)'", len(text.rstrip()))
    found = reader.part(reader.rows[0].indent)
    if reader.rows:
        reader.rows[0].fail("the tableau is closed above this line; indent branches alike")
    return found


class _Reader:
    def __init__(self, rows: list[Part]) -> None:
        self.rows, self.number = rows, 0

    def part(self, indent: int, above: tuple[TableauLine, ...] = ()) -> Tableau:
        """Read lines with this indentation, up to where the branch closes, and the branches below them."""
        steps: list[TableauLine] = []
        while self.rows and self.rows[0].indent == indent:
            row = self.rows.pop(0)
            closed = _END.fullmatch(row.text)
            if closed:
                return Tableau(tuple(steps), (), _numbers(closed[1]) or _clash([*above, *steps]))
            steps.append(self.step(row))
        branches: list[Tableau] = []
        inner = self.rows[0].indent if self.rows else 0
        while self.rows and self.rows[0].indent > indent:
            if self.rows[0].indent != inner:
                self.rows[0].fail("indent the branches below a line alike")
            branches.append(self.part(inner, (*above, *steps)))
        return Tableau(tuple(steps), tuple(branches))

    def step(self, row: Part) -> TableauLine:
        found = _STEP.fullmatch(row.text)
        if found is None:
            row.fail("expected a line such as '4. w1: ~K_a p   3', or 'x 4, 5'")
        self.number += 1
        if int(found[1] or self.number) != self.number:
            row.fail(f"expected line {self.number}, got {found[1]}", found.start(1))
        f = read_formula(found[3], None, row.group(found, 3).fail)
        return TableauLine(self.number, found[2], f, _numbers(found[4] or ""))


def _clash(lines: Sequence[TableauLine]) -> tuple[int, ...]:
    """Return the first lines that contradict each other, for a branch that is closed without naming them."""
    pairs = (pair for pair in combinations(lines, 2) if pair[0].world == pair[1].world)
    clashes = (pair for pair in pairs if _contradictory([unabbreviated(line.formula) for line in pair]))
    return tuple(line.number for line in next(clashes, ()))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)))
