"""Translating English to formulas, and formulas with announcements to formulas without."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from textwrap import indent
from typing import ClassVar, Self

from kripke_werewolf.base.errors import FormulaError, Undecided
from kripke_werewolf.logic.english.sentences import names, to_sentence
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.simplification import simplify
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.proofs.abbreviations import unabbreviated
from kripke_werewolf.logic.proofs.derived import reduction
from kripke_werewolf.logic.semantics.reduction import reduce_announcements
from kripke_werewolf.teach.exercises.drawings import drawing
from kripke_werewolf.teach.exercises.exercise import Exercise, Mistake, Parameter, Result, Rng
from kripke_werewolf.teach.exercises.forms import AFormula, formal
from kripke_werewolf.teach.exercises.generation import DEPTH, assume, plain_formula, slips
from kripke_werewolf.teach.exercises.serialisation import FreeFormula
from kripke_werewolf.teach.exercises.validity import small_countermodel

_MOST_STEPS = 30  # of a reduction shown


class _EquivalentFormula(Exercise):
    """A task whose right answers are the formulas equivalent to a given one."""

    __slots__ = ()

    formula: FreeFormula

    @property
    def form(self) -> AFormula:
        """A formula about the same atoms and agents."""
        return AFormula(tuple(sorted(self.formula.atoms)), tuple(sorted(self.formula.agents)))

    def same(self, answer: Formula, other: Formula) -> bool:
        """Return whether two formulas are equivalent, as far as this is known."""
        with suppress(FormulaError, Undecided):
            return small_countermodel(s.Iff(answer, other), "K") is None
        return False

    def compared(self, answer: Formula, what: str) -> Result:
        """Return whether an answer is equivalent to the formula, which is called `what`, and why.

        They differ in a model of S5 if possible.
        """
        same = s.Iff(answer, self.formula)
        try:
            found = small_countermodel(same, "S5") or small_countermodel(same, "K")
        except (FormulaError, Undecided) as error:
            return Result(False, f"this cannot be compared: {error}")
        if found is None:
            return Result(True, "\n".join(self.because(answer)))
        mine, other = ("true", "false") if found.holds(answer) else ("false", "true")
        told = f"in this model your formula is {mine}, and {what} is {other}\n{indent(drawing(found), '  ')}"
        return Result(False, f"{told}\n{found.explain(answer)}\n{found.explain(self.formula)}")

    @abstractmethod
    def because(self, answer: Formula) -> Iterator[str]:
        """Yield why a right answer is right."""


@dataclass(frozen=True, slots=True, repr=False)
class ToFormula(_EquivalentFormula):
    """Write an English sentence as a formula; any equivalent formula is right.

    `sentence`: the wording, by default generated.
    """

    kind: ClassVar[str] = "to-formula"
    parameters: ClassVar = {"depth": DEPTH}
    formula: FreeFormula
    sentence: str | None = None

    def question(self) -> str:
        """Return the task in words."""
        said = self.sentence or to_sentence(self.formula)
        noun = "atoms" if len(self.formula.atoms) > 1 else "atom"
        asked = f"Write as a formula, with the {noun} {names(sorted(self.formula.atoms))}: “{said}”"
        either = any(isinstance(node, s.Or) for node in self.formula.subformulas())
        return f"{asked} Here “either … or …” includes both." if either else asked

    def judge(self, answer: Formula) -> Result:
        """Return whether the formula is equivalent in every model, and if not where it differs."""
        return self.compared(answer, "the sentence")

    def because(self, answer: Formula) -> Iterator[str]:
        """Yield the structure of the sentence."""
        return _built(self.formula)

    def solution(self) -> str:
        """Return the formula."""
        return str(self.formula)

    def mistakes(self) -> Iterator[Mistake]:
        """Yield the formulas with one operator mistaken for another."""
        for f, name in slips(self.formula):
            yield Mistake(str(f), name, f"this says {f.unicode()} ({name})")

    @classmethod
    def generate(cls, rng: Rng, *, depth: int) -> Self:
        """Return a random sentence."""
        return cls("", _spoken(depth, rng))


def _spoken(depth: int, rng: Rng) -> Formula:
    """Return a random formula without "knows whether not" and "does not consider it possible"."""
    f = plain_formula(depth, rng)
    for node in f.subformulas():
        below = node.children[-1] if node.children else node
        assume(not (isinstance(node, s.KnowsWhether) and isinstance(below, s.Not)))
        assume(not (isinstance(node, s.Not) and isinstance(below, s.Possible)))
    return f


def _built(f: Formula) -> Iterator[str]:
    """Yield the parts of a formula with their sentences, from the whole to the smallest except atoms."""
    for part in reversed(list(f.subformulas())):
        if part.children or part is f:
            yield f"{part.unicode()}: {to_sentence(part)}"


@dataclass(frozen=True, slots=True, repr=False)
class Reduce(_EquivalentFormula):
    """Give an equivalent formula without announcements."""

    kind: ClassVar[str] = "reduce"
    parameters: ClassVar = {"depth": Parameter(2, range(1, 5), "modal depth of the formula afterwards")}
    formula: FreeFormula

    def question(self) -> str:
        """Return the task in words."""
        return f"Find a formula without announcements that is equivalent to {formal(self.formula)}."

    def judge(self, answer: Formula) -> Result:
        """Return whether the formula has no updates and is equivalent, and if not where it differs."""
        for node in answer.subformulas():
            if isinstance(node, s.Dynamic):
                return Result(False, f"there is still an announcement or action in it: {node.unicode()}")
        return self.compared(answer, self.formula.unicode())

    def because(self, answer: Formula) -> Iterator[str]:
        """Yield the steps by the reduction axioms."""
        yield f"{answer.unicode()} is equivalent, by these steps"
        yield from _reduction_steps(self.formula)

    def solution(self) -> str:
        """Return the formula given by the reduction axioms."""
        return str(simplify(reduce_announcements(self.formula)))

    @classmethod
    def generate(cls, rng: Rng, *, depth: int) -> Self:
        """Return a random formula after an informative random announcement."""
        content = plain_formula(int(rng.random() < 0.3), rng)
        make = s.Diamond if rng.random() < 0.3 else s.Box
        body = plain_formula(depth, rng)
        f = make(s.Announce(content), body)
        exercise = cls("", f)
        static = simplify(reduce_announcements(f))
        assume(static not in (s.TRUE, s.FALSE) and len(str(static)) <= 120)
        assume(small_countermodel(s.Iff(static, static.rewrite(_unknown)), "S5"))
        unchanged = s.Implies(content, body) if make is s.Box else s.And(content, body)
        easy = [s.TRUE, s.FALSE, body, unchanged]
        assume(not any(exercise.same(f, g) for g in easy))
        return exercise


def _unknown(node: Formula) -> Formula:
    """Return a node without its knowledge operators, if it is equivalent to a formula about facts."""
    if isinstance(node, s.KnowsWhether):
        return s.TRUE
    return node.children[-1] if isinstance(node, s.Knows | s.Possible) else node


def _reduction_steps(f: Formula) -> Iterator[str]:
    """Yield the steps from a formula to one without updates, one axiom at a time.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> for line in _reduction_steps(parse("[!p]K_a q")):
    ...     print(line)
    [!p]K_a q
    p → K_a [!p]q
    p → K_a (p → q)
    """
    now = unabbreviated(f)
    yield now.unicode()
    for _ in range(_MOST_STEPS):
        outer = next((node for node in now.subformulas() if isinstance(node, s.Box)), None)
        if outer is None or (found := reduction(outer)) is None:
            return
        new = found[0].right
        now = now.rewrite(lambda node, old=outer, new=new: new if node is old else node)  # type: ignore[misc]
        yield now.unicode()
