"""Is a formula valid in a logic? If not, the answer is a counter-model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Self

from kripke_werewolf.deciding import countermodel
from kripke_werewolf.errors import FormulaError, Undecided
from kripke_werewolf.exercises.drawings import AModel, drawing, frame_flaw, is_s5
from kripke_werewolf.exercises.exercise import Exercise, Mistake, Parameter, Result, Rng, modal_depth
from kripke_werewolf.exercises.forms import Given, formal
from kripke_werewolf.exercises.generation import assume
from kripke_werewolf.exercises.random_parts import PRINCIPLES, random_instance
from kripke_werewolf.exercises.serialisation import FreeFormula, Logic
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.logics import LOGICS
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.proofs import tableau

LOGIC = Parameter("S5", tuple(LOGICS), "the logic")
"""The parameter for the logic."""
PRINCIPLE_DEPTH = Parameter(2, range(1, 5), "modal depth of the formula")
"""The modal depth of generated formulas that may be valid."""


_STEPS = 300_000  # about a second; formulas of exercises take a hundredth of that


@lru_cache(512)
def small_countermodel(f: Formula, logic: str) -> KripkeModel | None:
    """Return a small counter-model, None if the formula is valid; raises `Undecided` if unknown."""
    return countermodel(f, logic=logic, limit=_STEPS)


@dataclass(frozen=True, slots=True)
class ValidOrModel(AModel):
    """The word `valid`, as None, or a counter-model with a designated world."""

    @property
    def words(self) -> str:
        """The form in words."""
        return f"valid, or a counter-model: {AModel(self.about, self.logic).words}"

    def parse(self, given: Given) -> KripkeModel | None:  # type: ignore[override]
        """Return None for `valid`, or the model."""
        if given.word.casefold() == "valid":
            return None
        if ":" not in given.text:
            given.refuse(f"expected valid or a counter-model, got {given.start!r}")
        return AModel.parse(self, given)


@dataclass(frozen=True, slots=True, repr=False)
class Valid(Exercise):
    """Is a formula valid in a logic? The answer is `valid`, or a model with a world where it is false."""

    kind: ClassVar[str] = "valid"
    about: ClassVar[str] = "is a formula valid? If not, give a counter-model"
    parameters: ClassVar = {"depth": PRINCIPLE_DEPTH, "logic": LOGIC}
    formula: FreeFormula
    logic: Logic

    def question(self) -> str:
        """Return the task in words."""
        return f"Is {formal(self.formula)} valid in {self.logic}? If it is not, give a counter-model."

    @property
    def form(self) -> ValidOrModel:
        """Valid, or a model."""
        return ValidOrModel(self.formula, self.logic)

    def judge(self, answer: KripkeModel | None) -> Result:
        """Return whether the formula is valid, or the model belongs to the logic and refutes it."""
        if answer is None:
            found = small_countermodel(self.formula, self.logic)
            if found is None:
                return Result(True, self._proof())
            shown = "\n".join(f"  {line}" for line in drawing(found, s5=is_s5(self.logic)).splitlines())
            said = f"it is not valid in {self.logic}; here is a counter-model"
            return Result(False, f"{said}\n{shown}\n{found.explain(self.formula)}")
        if flaw := frame_flaw(answer, self.logic):
            return Result(False, flaw)
        false = not answer.holds(self.formula)
        why = str(answer.explain(self.formula))
        return Result(false, why if false else f"not a counter-model: the formula is true there\n{why}")

    def _proof(self) -> str:
        """Return why the formula is valid: a closed tableau of its negation, if there are rules for it."""
        said = f"it is valid in {self.logic}"
        try:
            closed = tableau(self.formula, logic=self.logic)
        except (FormulaError, Undecided):
            return said
        return f"{said}: to suppose that it is false leads to contradictions\n{closed}"

    def solution(self) -> str:
        """Return `valid` or a counter-model."""
        found = small_countermodel(self.formula, self.logic)
        return "valid" if found is None else drawing(found, s5=is_s5(self.logic))

    def mistakes(self) -> Iterator[Mistake]:
        """Yield the answer for S5, in which more formulas are valid."""
        if small_countermodel(self.formula, "S5") is None and not is_s5(self.logic):
            yield Mistake("valid", "S5 instead", f"it is valid in S5, but the question is about {self.logic}")

    @classmethod
    def draw(cls, rng: Rng, *, depth: int, logic: str) -> Mapping[str, Formula]:
        """Draw the verdict, and then a principle that has it."""
        wanted = rng.random() < 0.5
        simple = [f for f in PRINCIPLES if modal_depth(f) <= depth]
        fitting = [f for f in simple if (small_countermodel(f, logic) is None) == wanted]
        return {"principle": fitting[int(rng.integers(len(fitting)))]}

    @classmethod
    def generate(cls, rng: Rng, *, depth: int, logic: str, principle: Formula) -> Self:
        """Return a question about an instance of a principle, which is valid just if the principle is."""
        f = random_instance(principle, depth, rng)
        found = small_countermodel(f, logic)
        assume((found is None) == (small_countermodel(principle, logic) is None))
        assume(found is None or len(found) > 1 or rng.random() >= 0.7)
        return cls("", f, logic)
