"""Is a formula true at a world, and at which worlds is it true?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Self

from kripke_werewolf.exercises.exercise import Mistake, OnModel, Result
from kripke_werewolf.exercises.fields import World
from kripke_werewolf.exercises.forms import Names, YesNo
from kripke_werewolf.exercises.random_parts import DEPTH, WORLDS, random_world, telling
from kripke_werewolf.exercises.slips import slips
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.semantics.explanation import world_text

if TYPE_CHECKING:
    from numpy.random import Generator


@dataclass(frozen=True, slots=True, repr=False)
class ModelChecking(OnModel):
    """Is a formula true at a world? The answer is yes or no."""

    kind: ClassVar[str] = "model-checking"
    about: ClassVar[str] = "is a formula true at a world?"
    parameters: ClassVar = {"size": WORLDS, "depth": DEPTH}
    formula: Formula
    at: World

    def question(self) -> str:
        """Return the task in words."""
        return f"Is `{self.formula}` true at {world_text(self.at)}?"

    @property
    def form(self) -> YesNo:
        """Yes or no."""
        return YesNo()

    def judge(self, answer: bool) -> Result:
        """Return whether yes or no is right, and why."""
        why = self.model.explain(self.formula, at=self.at)
        return Result(answer == why.value, str(why))

    def solution(self) -> str:
        """Return yes or no."""
        return "yes" if self.model.holds(self.formula, at=self.at) else "no"

    @classmethod
    def generate(cls, rng: Generator, *, size: int, depth: int) -> Self | None:
        """Return a question about a random S5 model and a formula true at some of its worlds only."""
        found = telling(size, depth, rng)
        if found is None:
            return None
        model, f = found
        at = random_world(model, rng)
        return cls("", model.point(at), f, at)


@dataclass(frozen=True, slots=True, repr=False)
class TruthSet(OnModel):
    """At which worlds is a formula true? The answer is a list of worlds."""

    kind: ClassVar[str] = "truth-set"
    about: ClassVar[str] = "at which worlds is it true?"
    parameters: ClassVar = {"size": WORLDS, "depth": DEPTH}
    formula: Formula

    def question(self) -> str:
        """Return the task in words."""
        return f"At which worlds is `{self.formula}` true?"

    @property
    def form(self) -> Names:
        """The names of worlds."""
        return Names(tuple(map(world_text, self.model.worlds)))

    def judge(self, answer: frozenset[str]) -> Result:
        """Return whether the worlds are those, and why the first wrong one is not.

        A wrong answer gets the share of the right worlds that it names, less one for each wrong one.
        """
        true = self._names(self.formula)
        for name in self.form.names:
            if (name in true) != (name in answer):
                verb = "is missing" if name in true else "does not belong there"
                net = len(answer & true) - len(answer - true)
                return Result(
                    False,
                    f"{name} {verb}\n{self.option_reason(name)}",
                    Fraction(max(0, net), len(true) or 1),
                )
        each = (f"at {name}: {self.option_reason(name)}" for name in self.form.names)
        return Result(True, "\n".join([f"these are all worlds where {self.formula} is true", *each]))

    def option_reason(self, option: str) -> str:
        """Return why the formula is true or false at a world."""
        world = self.model.worlds[self.form.names.index(option)]
        return str(self.model.explain(self.formula, at=world))

    def solution(self) -> str:
        """Return the worlds."""
        return ", ".join(map(world_text, self.model.where(self.formula))) or "none"

    def mistakes(self) -> Iterator[Mistake]:
        """Yield the worlds of formulas that are easily read instead."""
        for slip in slips(self.formula):
            worlds = ", ".join(map(world_text, self.model.where(slip.formula))) or "none"
            sentence = f"these are the worlds where {slip.formula} is true ({slip.name})"
            yield Mistake(worlds, slip.name, sentence)

    def _names(self, f: Formula) -> frozenset[str]:
        return frozenset(map(world_text, self.model.where(f)))

    @classmethod
    def generate(cls, rng: Generator, *, size: int, depth: int) -> Self | None:
        """Return a question about a random S5 model and a formula true at some of its worlds only."""
        found = telling(size, depth, rng)
        return None if found is None else cls("", *found)
