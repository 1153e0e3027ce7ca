"""Find a model in which a formula is true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from kripke_werewolf.deciding import satisfiable
from kripke_werewolf.errors import ModelError
from kripke_werewolf.exercises.drawings import AModel, drawing, frame_flaw, is_s5
from kripke_werewolf.exercises.exercise import Exercise, Parameter, Result, Rng, modal_depth
from kripke_werewolf.exercises.forms import formal
from kripke_werewolf.exercises.generation import assume
from kripke_werewolf.exercises.random_parts import DEPTH, nested_formula, plain_formula
from kripke_werewolf.exercises.serialisation import FreeFormula, Logic
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.models import KripkeModel

_STEPS = 30_000  # enough for the small formulas of exercises


@dataclass(frozen=True, slots=True, repr=False)
class FindModel(Exercise):
    """Find a model of a logic in which a formula is true. The answer is a model."""

    kind: ClassVar[str] = "find-model"
    about: ClassVar[str] = "find a model where a formula is true"
    parameters: ClassVar = {"size": Parameter(3, range(2, 5), "worlds of the smallest model"), "depth": DEPTH}
    formula: FreeFormula
    logic: Logic
    most_worlds: int | None = None

    def question(self) -> str:
        """Return the task in words."""
        most = f" with at most {self.most_worlds} worlds" if self.most_worlds else ""
        return f"Find a model of {self.logic}{most} and a world in it where {formal(self.formula)} is true."

    @property
    def form(self) -> AModel:
        """A model with a designated world."""
        return AModel(self.formula, self.logic)

    def judge(self, answer: KripkeModel) -> Result:
        """Return whether the model belongs to the logic, is small enough, and makes the formula true."""
        if self.most_worlds is not None and len(answer) > self.most_worlds:
            return Result(False, f"it has {len(answer)} worlds, and at most {self.most_worlds} are allowed")
        if flaw := frame_flaw(answer, self.logic):
            return Result(False, flaw)
        return Result(answer.holds(self.formula), str(answer.explain(self.formula)))

    def solution(self) -> str:
        """Return a smallest model found by the decision procedure."""
        model = satisfiable(self.formula, logic=self.logic)
        if model is None or (self.most_worlds is not None and len(model) > self.most_worlds):
            raise ModelError(f"no model of {self.logic} is known that solves the exercise: {self.question()}")
        return drawing(model, s5=is_s5(self.logic))

    @classmethod
    def generate(cls, rng: Rng, *, size: int, depth: int) -> Self:
        """Return a few short conditions, such as p & ~K_a p & K_a Kw_b p, and the fewest worlds needed."""
        if depth == 1 and size == 4:
            parts = _four_worlds(rng)
        else:
            parts = [plain_formula(0, rng), nested_formula(depth, rng)]
            parts += [nested_formula(int(rng.integers(1, depth + 1)), rng) for _ in range(size - 1)]
        f = s.conjunction(dict.fromkeys(parts))
        assume(len(str(f)) <= 80 and modal_depth(f) == depth)
        smallest = satisfiable(f, logic="S5", limit=_STEPS)
        assume(smallest is not None and len(smallest) == size)
        return cls("", f, "S5", size)


def _four_worlds(rng: Rng) -> list[Formula]:
    """Return the facts at one of four worlds that differ in p and q, and that the others are possible."""
    p, q = s.Atom("p"), s.Atom("q")
    cases = [p & q, p & ~q, ~p & q, ~p & ~q]
    here, *others = (cases[k] for k in rng.permutation(4).tolist())
    return [here, *(s.Possible(str(rng.choice(["a", "b"])), case) for case in others)]
