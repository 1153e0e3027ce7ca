"""Closed tableaux: trees in which the negation of a formula leads to a contradiction on every branch.

A line says that a formula is true at a world. New worlds are named as needed, and the frames of the logic
determine the accessibility between them (labelled tableaux: Fitting 1983; Negri 2005). Updates are replaced
by reduction axioms; there is no rule for common knowledge.

Finding closed tableaux: rules are applied in a fair order, then lines without use are dropped.

Tableaux in students' notation: `4. w1: ~K_a p   3`, with branches indented, `x 4, 5` at a closed end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields, replace
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import FormulaError, Undecided
from kripke_werewolf.base.files import unmarked
from kripke_werewolf.base.reader import Part, Source
from kripke_werewolf.base.reports.tables import counted, markdown_text
from kripke_werewolf.base.usage import Explaining
from kripke_werewolf.logic.deciding import valid
from kripke_werewolf.logic.deciding.decision import DEFAULT_STEPS
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import Logic, logic_named
from kripke_werewolf.logic.formulas.names import tex_escaped
from kripke_werewolf.logic.formulas.operators import Scope
from kripke_werewolf.logic.formulas.simplification import negated
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, formula
from kripke_werewolf.logic.proofs.abbreviations import Abbreviator, positive, unabbreviated
from kripke_werewolf.logic.proofs.checker import Checked
from kripke_werewolf.logic.proofs.derived import reduction
from kripke_werewolf.logic.proofs.script import is_box
from kripke_werewolf.logic.proofs.systems import system
from kripke_werewolf.logic.written import read_formula

if TYPE_CHECKING:
    from kripke_werewolf.base.reports.documents import Block


Parents: TypeAlias = Mapping[str, tuple[str, tuple[str, ...]]]
"""For each world but the first, its parent world, and the agents that see it from there."""
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
        return "\n".join(self._rows(str, "x {}"))

    def _rows(self, line: Callable[[TableauLine], str], end: str, blank: str = "") -> Iterator[str]:
        """Yield the lines, branches indented; `end` closes a branch, with a place for the numbers."""
        yield from (f"{blank}{line(step)}" for step in self.steps)
        if self.closed:
            yield blank + end.format(", ".join(map(str, self.closed)))
        for branch in self.branches:
            yield from branch._rows(line, end, f"{blank}  ")

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
        """Return nested Markdown lists."""

        def item(x: TableauLine) -> str:
            text = markdown_text(f"{x.world}: {x.formula.unicode()}")
            return f"* {x.number}. {text} {f'({x.cited})' if x.refs else ''}".rstrip()

        return "\n".join(self._rows(item, "* ✗ ({})"))

    def to_html(self) -> str:
        """Return nested HTML lists."""
        rows = [
            f"<div>{x.number}. {escape(f'{x.world}: {x.formula.unicode()}')} <small>{x.cited}</small></div>"
            for x in self.steps
        ]
        if self.closed:
            rows.append(f"<div>✗ <small>{', '.join(map(str, self.closed))}</small></div>")
        if self.branches:
            inner = "".join(f"<li>{branch.to_html()}</li>\n" for branch in self.branches)
            rows.append(f"<ul>\n{inner}</ul>")
        return "\n".join(rows)

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
        from kripke_werewolf.base.reports.documents import Outline

        yield Outline(str(self))


# --- the rules --------------------------------------------------------------------------------------


def alternatives(f: Formula) -> list[list[Formula]]:
    """Return the cases in which a formula is true, by its outermost connective; none for a letter.

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
        case s.Not(s.Not(body)):
            return [[body]]
        case s.Not(s.And(parts)):
            return [[negated(part)] for part in parts]
        case s.Not(s.Or(parts)):
            return [[negated(part) for part in parts]]
        case s.Not(s.Implies(left, right)):
            return [[left, negated(right)]]
        case s.Not(s.Iff(left, right)):
            return [[left, negated(right)], [negated(left), right]]
        case s.Not(s.Xor() | s.Count() as body):
            return [[first, negated(rest)] for first, rest in alternatives(body)]
    return []


def _fewer(f: s.Count, taken: int) -> Formula:
    """Return a count without its first formula, after `taken` true ones."""
    number, rest = f.number - taken, f.children[1:]
    if rest and number >= 0:
        return s.Count(f.kind, number, *rest)
    return s.Constant({"exactly": number == 0, "atleast": number <= 0, "atmost": number >= 0}[f.kind])


def reduced(f: Formula) -> Formula | None:
    """Return a formula [update]ψ, or its negation, after one reduction axiom; None if there is none."""
    box = positive(f)
    found = reduction(box) if isinstance(box, s.Box) else None
    if found is None:
        return None
    return found[0].right if box is f else negated(found[0].right)


def seen_by(box: Formula, world: str, parents: Parents, logic: Logic) -> set[str]:
    """Return the scope of a box at a world: the worlds that each agent sees in the logic.

    For several agents, the worlds that all of them see.
    """
    seen = (_seen(agent, world, parents, logic) for agent in box.label)
    return {START, *parents}.intersection(*seen)


def _seen(agent: str, world: str, parents: Parents, logic: Logic) -> set[str]:
    pairs = {(parent, child) for child, (parent, agents) in parents.items() if agent in agents}
    if logic.reflexive:
        pairs |= {(w, w) for w in (START, *parents)}
    while True:
        more = {(w, y) for w, v in pairs for x, y in pairs if logic.transitive and v == x}
        more |= {(v, y) for w, v in pairs for x, y in pairs if logic.euclidean and w == x}
        if more <= pairs:
            return {v for w, v in pairs if w == world}
        pairs |= more


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


@dataclass(frozen=True, slots=True)
class _Check:
    """The check of a branch: its lines so far, its worlds, and the alternative it takes for each line."""

    logic: Logic
    goal: Formula
    facts: dict[int, tuple[str, Formula]] = field(default_factory=dict)
    parents: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    chosen: Mapping[int, list[Formula]] = field(default_factory=dict)

    def of(self, part: Tableau) -> tuple[int, str] | None:
        """Return the first wrong line of a part of a tableau, and the reason."""
        for step in part.steps:
            f = unabbreviated(step.formula)
            if any(ref not in self.facts for ref in step.refs):
                return step.number, "it comes from a line that is not above it on its branch"
            if flaw := self._flaw(step.world, f, step.refs):
                return step.number, flaw
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
        if not self.facts:
            if world == START and f is negated(self.goal) and not refs:
                return None
            return f"a tableau begins with {START}: {negated(self.goal)}"
        if len(refs) != 1:
            return "it must name the line that it comes from"
        here, source = self.facts[refs[0]]
        if world == here:
            cases = alternatives(source)
            case = cases[0] if len(cases) == 1 else self.chosen.get(refs[0], [])
            if f in case or f is reduced(source):
                return None
        box = positive(source)
        if not is_box(box) or isinstance(box, s.Box):
            return f"it does not follow from line {refs[0]}"
        if world not in (START, *self.parents):
            return self._new(world, f, here, source)
        if source is not box or f is not box.children[-1]:
            return f"it does not follow from line {refs[0]}"
        if world in seen_by(box, here, self.parents, self.logic):
            return None
        return f"it does not follow from line {refs[0]}: {world} is not accessible from {here}"

    def _new(self, world: str, f: Formula, here: str, source: Formula) -> str | None:
        """Return why a line does not create a new world, which is added otherwise."""
        box = positive(source)
        wanted = box.children[-1]
        if isinstance(source, s.Not):
            wanted = negated(wanted)
        elif not (self.logic.serial and len(box.label) == 1):
            return f"{world} is new, and only a denied operator such as ~K_a makes a new world"
        if f is not wanted:
            return f"{world} is new, so its first line must be the one that makes it differ: {wanted}"
        self.parents[world] = (here, box.label)
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
            chosen = {**self.chosen, ref[0]: case}
            below = replace(self, facts=dict(self.facts), parents=dict(self.parents), chosen=chosen)
            if found := below.of(branches[match]):
                return found
        if left:
            return last, f"line {ref[0]} has {len(cases)} alternatives"
        return None


DEFAULT_LINES = 5_000
"""The default number of lines of a search."""


def tableau(
    f: FormulaLike, *, logic: str | Logic = "S5", limit: int = DEFAULT_STEPS, lines: int = DEFAULT_LINES
) -> Tableau | None:
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
    `limit` steps of the decision, or `lines` lines of the search; `UnknownNameError` for an unknown logic.
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
    search = _Search(chosen, lines)
    closed = search.tableau(negated(goal), Abbreviator(found))
    checked = check_tableau(closed, found, logic=chosen)
    if not checked.right:
        raise RuntimeError(f"the tableau found for {str(found)!r} in {chosen} is wrong: {checked}")
    return closed


class _Fact(NamedTuple):
    world: str
    formula: Formula
    refs: tuple[int, ...]
    needs: frozenset[int]
    """The facts on which it depends: those it comes from, and those that created the worlds on the way."""


class _Part(NamedTuple):
    """A closed part of a tree, and the facts above and in it on which its contradictions depend."""

    facts: tuple[int, ...]
    parts: tuple[_Part, ...]
    closed: tuple[int, ...]
    used: frozenset[int]


@dataclass(slots=True)
class _Branch:
    """The facts on a branch by number, and those still waiting for their rule."""

    known: dict[tuple[str, Formula], int] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    simple: list[int] = field(default_factory=list)
    splits: list[int] = field(default_factory=list)
    boxes: list[int] = field(default_factory=list)
    denied: list[int] = field(default_factory=list)
    parents: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    makers: dict[str, int] = field(default_factory=dict)
    closed: tuple[int, ...] = ()

    def copy(self) -> _Branch:
        """Return an independent branch with the same facts."""
        return _Branch(*(copy(getattr(self, one.name)) for one in fields(self)))


class _Search:
    def __init__(self, logic: Logic, lines: int) -> None:
        self.logic, self.most = logic, lines
        self.facts: list[_Fact] = []

    def tableau(self, denial: Formula, shown: Abbreviator) -> Tableau:
        branch = _Branch()
        self._add(branch, START, denial, ())
        root = self._closed(branch, 0)
        numbers: dict[int, int] = {}

        def written(part: _Part) -> Tableau:
            steps = []
            for n in part.facts:
                numbers[n] = len(numbers) + 1
                fact = self.facts[n]
                refs = tuple(numbers[ref] for ref in fact.refs)
                steps.append(TableauLine(numbers[n], fact.world, shown.written(fact.formula), refs))
            parts = tuple(map(written, part.parts))
            return Tableau(tuple(steps), parts, tuple(sorted(numbers[n] for n in part.closed)))

        return written(root)

    def _add(
        self, branch: _Branch, world: str, f: Formula, refs: tuple[int, ...], needs: Iterable[int] = ()
    ) -> None:
        if (world, f) in branch.known or branch.closed:
            return
        if len(self.facts) >= self.most:
            raise Undecided(f"no closed tableau was found within {self.most:,} lines")
        number = len(self.facts)
        self.facts.append(_Fact(world, f, refs, frozenset((*needs, *refs))))
        branch.known[world, f] = number
        branch.order.append(number)
        other = branch.known.get((world, f.body if isinstance(f, s.Not) else s.Not(f)))
        if _contradictory([f]):
            branch.closed = (number,)
        elif other is not None:
            branch.closed = (other, number)
        self._sort(branch, number, f)

    def _sort(self, branch: _Branch, number: int, f: Formula) -> None:
        cases = alternatives(f)
        box = positive(f)
        if len(cases) == 1 or reduced(f) is not None:
            branch.simple.append(number)
        elif cases:
            branch.splits.append(number)
        elif isinstance(box, s.Modal) and is_box(box):
            kind = branch.boxes if box is f else branch.denied
            kind.append(number)

    # --- one branch --------------------------------------------------------------------------------

    def _closed(self, branch: _Branch, start: int) -> _Part:
        """Close a branch; the part is about the facts on it from `start` on."""
        while not branch.closed:
            if not (self._simple(branch) or self._looked(branch)):
                split = self._split(branch)
                if split is not None:
                    return self._parted(branch, split, start)
                if not (self._witness(branch) or self._successor(branch)):
                    raise Undecided("no closed tableau was found: every rule has been applied to a branch")
        return self._kept(branch.order[start:], (), branch.closed, frozenset(branch.closed))

    def _kept(
        self, facts: list[int], parts: tuple[_Part, ...], closed: tuple[int, ...], used: frozenset[int]
    ) -> _Part:
        """Return a part with only the facts that are used, given those used below them."""
        needed, kept = set(used), []
        for number in reversed(facts):
            if number in needed:
                needed |= self.facts[number].needs
                kept.append(number)
        return _Part(tuple(reversed(kept)), parts, closed, frozenset(needed))

    def _simple(self, branch: _Branch) -> bool:
        if not branch.simple:
            return False
        number = branch.simple.pop(0)
        world, f = self.facts[number][:2]
        cases = alternatives(f)
        rest = reduced(f)
        if not cases and rest is not None:
            cases = [[rest]]
        for part in cases[0]:
            self._add(branch, world, part, (number,))
        return True

    def _looked(self, branch: _Branch) -> bool:
        """Write the consequences of boxes at the worlds in their scope; return whether any is new."""
        before = len(branch.order)
        for number in branch.boxes:
            world, f = self.facts[number][:2]
            for other in sorted(seen_by(f, world, branch.parents, self.logic), key=lambda w: int(w[1:])):
                self._add(branch, other, f.children[-1], (number,), self._way(branch, world, other))
        return len(branch.order) > before

    def _way(self, branch: _Branch, world: str, other: str) -> frozenset[int]:
        """Return the facts that created the worlds between two worlds, and the second."""
        above, below = list(_up(branch, world)), list(_up(branch, other))
        between = {w for w in (*above, *below) if (w in above) != (w in below)}
        return frozenset(branch.makers[w] for w in between | {other} if w in branch.makers)

    def _witness(self, branch: _Branch) -> bool:
        """Create a world for the oldest negated box without one; return whether there was any."""
        while branch.denied:
            number = branch.denied.pop(0)
            world, f = self.facts[number][:2]
            box = f.children[0]
            wanted = negated(box.children[-1])
            seen = seen_by(box, world, branch.parents, self.logic)
            if not any((other, wanted) in branch.known for other in seen):
                self._make(branch, number, world, box, wanted)
                return True
        return False

    def _successor(self, branch: _Branch) -> bool:
        """Create a world for a box with an empty scope in a serial logic; return whether there was any."""
        if not self.logic.serial:
            return False
        for number in branch.boxes:
            world, f = self.facts[number][:2]
            if len(f.label) == 1 and not seen_by(f, world, branch.parents, self.logic):
                self._make(branch, number, world, f, f.children[-1])
                return True
        return False

    def _make(self, branch: _Branch, number: int, world: str, box: Formula, f: Formula) -> None:
        new = f"w{len(branch.parents) + 1}"
        branch.parents[new] = world, box.label
        branch.makers[new] = len(self.facts)
        self._add(branch, new, f, (number,))

    # --- splits ------------------------------------------------------------------------------------

    def _split(self, branch: _Branch) -> int | None:
        """Return the fact with the fewest alternatives not contradicting the branch at once."""

        def left(number: int) -> int:
            world, f = self.facts[number][:2]
            return sum(not any((world, negated(g)) in branch.known for g in case) for case in alternatives(f))

        branch.splits = [n for n in branch.splits if not self._settled(branch, n)]
        if not branch.splits:
            return None
        number = min(branch.splits, key=lambda n: (left(n), n))
        branch.splits.remove(number)
        return number

    def _settled(self, branch: _Branch, number: int) -> bool:
        world, f = self.facts[number][:2]
        return any(all((world, g) in branch.known for g in case) for case in alternatives(f))

    def _parted(self, branch: _Branch, number: int, start: int) -> _Part:
        """Close all alternatives of a fact; one that closes without the fact suffices."""
        world, f = self.facts[number][:2]
        parts = []
        for case in alternatives(f):
            below, mark = branch.copy(), len(branch.order)
            for g in case:
                self._add(below, world, g, (number,))
            part = self._closed(below, mark)
            if not any(n in part.facts for n in below.order[mark : mark + len(case)]):
                facts = [*branch.order[start:], *part.facts]
                return self._kept(facts, part.parts, part.closed, part.used)
            parts.append(part)
        used = frozenset[int]().union(*(part.used for part in parts))
        return self._kept(branch.order[start:], tuple(parts), (), used)


def _up(branch: _Branch, world: str) -> Iterator[str]:
    while world in branch.parents:
        yield world
        world = branch.parents[world][0]
    yield world


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
    text = unmarked(text).expandtabs(4)
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
