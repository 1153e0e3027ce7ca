"""Exercises on beliefs that are revised by news."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import ClassVar, Self

from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.semantics.worlds import world_text
from kripke_werewolf.teach.exercises import random_parts
from kripke_werewolf.teach.exercises.exercise import Result, Rng
from kripke_werewolf.teach.exercises.forms import formal
from kripke_werewolf.teach.exercises.generation import assume
from kripke_werewolf.teach.exercises.serialisation import Agent
from kripke_werewolf.teach.exercises.truth import FindFormula


@dataclass(frozen=True, slots=True, repr=False)
class Misleading(FindFormula):
    """Which truth makes an agent believe something false? The answer is the formula of a radical upgrade."""

    kind: ClassVar[str] = "misleading-truth"
    about: ClassVar[str] = "which truth makes an agent believe something false?"
    parameters: ClassVar = {"size": random_parts.WORLDS}
    agent: Agent
    false: Formula

    @property
    def _belief(self) -> Formula:
        belief: Formula = s.Believes(self.agent, self.false)
        return belief

    def question(self) -> str:
        """Return the task in words."""
        after = formal(s.Box(s.Upgrade(s.Atom("φ")), self._belief))
        at = ", ".join(map(world_text, self.model.designated))
        asked = f"Find a formula φ that is true there and for which {after} is true, too"
        return f"The actual world is {at}. {asked}, though {formal(self.false)} is false."

    def judge(self, answer: Formula) -> Result:
        """Return whether the formula is true and its upgrade has this effect, and if not why."""
        if not self.model.holds(answer):
            return Result(False, f"it is not true\n{self.model.explain(answer)}")
        why = self.model.upgrade(answer).explain(self._belief)
        return Result(why.value, str(why))

    def found(self) -> Formula | None:
        """Return a formula of one or two literals that solves the exercise, if there is one."""
        atoms = [*map(s.Atom, self.model.atoms)]
        literals = [*atoms, *(~atom for atom in atoms)]
        pairs = [f for x, y in product(literals, repeat=2) for f in (x | y, x & y)]
        return next((f for f in [*literals, *pairs] if self.judge(f).right), None)

    @classmethod
    def generate(cls, rng: Rng, *, size: int) -> Self:
        """Return something false that a comes to believe by a truth, not by a literal."""
        model = random_parts.random_model(size, "ab", rng)
        exercise = cls("", model, "a", random_parts.random_literal(model, rng))
        exercise = replace(exercise, model=random_parts.with_orders(model, exercise._belief, rng))
        assume(not exercise.model.holds(exercise.false | exercise._belief))
        assume(isinstance(exercise.found(), s.And | s.Or))
        return exercise
