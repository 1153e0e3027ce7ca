"""Truth of a formula at a world, and the worlds where it is true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from kripke_werewolf.exercises.exercise import Listing, Mistake, OnModel, Result, Rng
from kripke_werewolf.exercises.forms import Form, Names, YesNo, formal
from kripke_werewolf.exercises.generation import assume
from kripke_werewolf.exercises.random_parts import DEPTH, WORLDS, pick_world, telling
from kripke_werewolf.exercises.serialisation import World
from kripke_werewolf.exercises.slips import slips
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.semantics.explanation import world_text


@dataclass(frozen=True, slots=True, repr=False)
class ModelChecking(OnModel):
    """Is a formula true at a world? The answer is yes or no."""

    kind: ClassVar[str] = "model-checking"
    about: ClassVar[str] = "is a formula true at a world?"
    parameters: ClassVar = {"size": WORLDS, "depth": DEPTH}
    form: ClassVar[Form] = YesNo()
    formula: Formula
    at: World

    def question(self) -> str:
        """Return the task in words."""
        return f"Is {formal(self.formula)} true at {world_text(self.at)}?"

    def judge(self, answer: bool) -> Result:
        """Return whether yes or no is right, and why."""
        why = self.model.explain(self.formula, at=self.at)
        return Result(answer == why.value, str(why))

    def solution(self) -> str:
        """Return yes or no."""
        return "yes" if self.model.holds(self.formula, at=self.at) else "no"

    @classmethod
    def draw(cls, rng: Rng, **parameters: Any) -> Mapping[str, bool]:
        """Draw whether the formula is true."""
        return {"true": rng.random() < 0.5}

    @classmethod
    def generate(cls, rng: Rng, *, size: int, depth: int, true: bool) -> Self:
        """Return a question about a random S5 model and a formula true at some but not all worlds."""
        model, f = telling(size, depth, rng)
        at = pick_world(model, rng)
        assume(model.holds(f, at=at) == true)
        return cls("", model.point(at), f, at)


@dataclass(frozen=True, slots=True, repr=False)
class TruthSet(Listing, OnModel):
    """At which worlds is a formula true? The answer is a list of worlds."""

    kind: ClassVar[str] = "truth-set"
    about: ClassVar[str] = "at which worlds is it true?"
    parameters: ClassVar = {"size": WORLDS, "depth": DEPTH}
    formula: Formula

    def question(self) -> str:
        """Return the task in words."""
        return f"At which worlds is {formal(self.formula)} true?"

    @property
    def form(self) -> Names:
        """The names of worlds."""
        return Names(tuple(map(world_text, self.model.worlds)))

    def right(self) -> frozenset[str]:
        """Return the worlds where the formula is true."""
        return true_in(self.model, self.formula)

    def because(self) -> Iterator[str]:
        """Yield the reason for each world."""
        yield f"these are all worlds where {self.formula.unicode()} is true"
        for name in self.form.names:
            yield f"at {name}: {self.option_reason(name)}"

    def option_reason(self, option: str) -> str:
        """Return why the formula is true or false at a world."""
        world = self.model.worlds[self.form.names.index(option)]
        return str(self.model.explain(self.formula, at=world))

    def mistakes(self) -> Iterator[Mistake]:
        """Yield the truth sets of formulas that are easily confused with it."""
        for slip in slips(self.formula):
            worlds = self.listed(true_in(self.model, slip.formula))
            sentence = f"these are the worlds where {slip.formula.unicode()} is true ({slip.name})"
            yield Mistake(worlds, slip.name, sentence)

    @classmethod
    def generate(cls, rng: Rng, *, size: int, depth: int) -> Self:
        """Return a question about a random S5 model and a formula true at some but not all worlds."""
        return cls("", *telling(size, depth, rng))


def true_in(model: KripkeModel, f: Formula) -> frozenset[str]:
    """Return the worlds where a formula is true, by their names in sentences."""
    return frozenset(map(world_text, model.where(f)))
