"""Closed tableaux: trees in which the negation of a formula leads to a contradiction on every branch.

A line says that a formula is true at a world. New worlds are named as needed, and the frames of the logic
determine the accessibility between them (labelled tableaux: Fitting 1983; Negri 2005). Updates are replaced
by reduction axioms; there is no rule for common knowledge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Any, TypeAlias

from kripke_werewolf.display import Displayed
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, FormulaLike, formula
from kripke_werewolf.language.logics import Logic, logic_named
from kripke_werewolf.language.names import tex_escaped
from kripke_werewolf.language.simplification import negated
from kripke_werewolf.proofs.abbreviations import positive, unabbreviated
from kripke_werewolf.proofs.checker import Checked
from kripke_werewolf.proofs.derived import reduction
from kripke_werewolf.proofs.script import is_box
from kripke_werewolf.reports.tables import counted, markdown_text
from kripke_werewolf.usage import Explaining

if TYPE_CHECKING:
    from kripke_werewolf.reports.documents import Block

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
        from kripke_werewolf.reports.documents import Outline

        yield Outline(str(self))


# --- the rules --------------------------------------------------------------------------------------


def alternatives(f: Formula) -> list[list[Formula]]:
    """Return the cases in which a formula is true, by its outermost connective; none for a letter.

    >>> from kripke_werewolf.language import parse
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


def contradictory(formulas: Sequence[Formula]) -> bool:
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
    found = _Check(logic_named(logic), unabbreviated(formula(f))).of(tableau)
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
        if not contradictory([f for _, f in ends]):
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
