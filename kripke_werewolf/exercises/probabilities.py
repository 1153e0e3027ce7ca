"""The probability of a formula for an agent, possibly after an announcement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from kripke_werewolf.errors import ModelError
from kripke_werewolf.exercises.exercise import Mistake, OnModel, Parameter, Result, Rng
from kripke_werewolf.exercises.forms import Form, Number, formal
from kripke_werewolf.exercises.generation import assume
from kripke_werewolf.exercises.random_parts import WORLDS, pick_world, random_formula, random_model
from kripke_werewolf.exercises.serialisation import Agent, World
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.sentences import names
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.semantics.explanation import world_text


@dataclass(frozen=True, slots=True, repr=False)
class HowProbable(OnModel):
    """What is the probability of a formula for an agent at a world, possibly after an announcement?"""

    kind: ClassVar[str] = "probability"
    about: ClassVar[str] = "how likely is a formula for an agent?"
    parameters: ClassVar = {
        "size": WORLDS,
        "depth": Parameter(0, range(4), "modal depth of the formula"),
        "event": Parameter("announcement", ("announcement", "none"), "what happens before"),
    }
    form: ClassVar[Form] = Number()
    agent: Agent
    formula: Formula
    at: World
    announced: Formula | None = None

    def __post_init__(self) -> None:
        if self.announced is not None and not self.model.holds(self.announced, at=self.at):
            raise ModelError(f"{self.announced} is false at {world_text(self.at)}, so it cannot be announced")
        if not self._seen(self._after()):
            raise ModelError(f"{self.agent} considers no world possible at {world_text(self.at)}")

    def _after(self) -> KripkeModel:
        model = self.model.point(self.at)
        return model if self.announced is None else model.announce(self.announced)

    def _seen(self, model: KripkeModel) -> list[int]:
        return model.successors(self.agent, list(model.worlds).index(self.at))

    def _weights(self, model: KripkeModel) -> list[int]:
        return model.given_weights.get(self.agent, [1] * len(model))

    def question(self) -> str:
        """Return the task in words."""
        weights = self._weights(self.model)
        weighs = [f"{world_text(w)}: {n}" for w, n in zip(self.model.worlds, weights, strict=True)]
        each = f"the worlds have the weights {', '.join(weighs)}"
        if len(set(weights)) == 1:
            each = "all worlds have the same weight"
        event = (
            "" if self.announced is None else f" after the public announcement of {formal(self.announced)}"
        )
        asked = f"What is the probability of {formal(self.formula)} for {self.agent} at {world_text(self.at)}"
        return f"For {self.agent} {each}. {asked}{event}?"

    def _chance(self, model: KripkeModel, *, weighed: bool = True, everywhere: bool = False) -> Fraction:
        weights = self._weights(model) if weighed else [1] * len(model)
        inside = range(len(model)) if everywhere else self._seen(model)
        true = set(model.numbers(self.formula))
        return Fraction(sum(weights[v] for v in inside if v in true), sum(weights[v] for v in inside))

    def judge(self, answer: Fraction) -> Result:
        """Return whether the number is the probability, and how it is computed."""
        after = self._after()
        right = self._chance(after)
        weights, worlds = self._weights(after), list(after.worlds)
        seen, true = self._seen(after), set(after.numbers(self.formula))
        lines = [f"{self.agent} considers possible: {names([world_text(worlds[v]) for v in seen])}"]
        for v in seen:
            truth = "true" if v in true else "false"
            said = f"{self.formula.unicode()} is {truth} there"
            lines.append(f"{world_text(worlds[v])} has weight {weights[v]}; {said}")
        part = sum(weights[v] for v in seen if v in true)
        lines.append(f"so the probability is {part} of {sum(weights[v] for v in seen)}, which is {right}")
        return Result(answer == right, "\n".join(lines))

    def solution(self) -> str:
        """Return the probability."""
        return str(self._chance(self._after()))

    def mistakes(self) -> Iterator[Mistake]:
        """Yield the results of counting worlds, of using all worlds, and of ignoring the event."""
        after = self._after()
        yield Mistake(
            str(self._chance(after, weighed=False)), "worlds counted", "the worlds have different weights"
        )
        sentence = f"only the worlds that {self.agent} considers possible count"
        yield Mistake(str(self._chance(after, everywhere=True)), "all worlds", sentence)
        if self.announced is not None:
            before = self._chance(self.model)
            sentence = "the announcement removes the worlds where it is false"
            yield Mistake(str(before), "announcement ignored", sentence)

    @classmethod
    def generate(cls, rng: Rng, *, size: int, depth: int, event: str) -> Self:
        """Return a question about a random model with weights; the answer is neither 0 nor 1."""
        model = random_model(size, "ab", rng)
        agent = str(rng.choice(list(model.agents)))
        weights = {w: int(rng.integers(1, 5)) for w in model.worlds}
        relations = {
            a: [[model.worlds[w] for w in cell] for cell in model.classes(a) or []] for a in model.agents
        }
        true = {atom: model.where(atom) for atom in model.atoms}
        weighed = KripkeModel.from_partitions(
            list(model.worlds), relations, true, model.designated, weights={agent: weights}
        )
        f, at = random_formula(model, depth, rng), pick_world(model, rng)
        announced = random_formula(model, int(rng.random() < 0.4), rng) if event == "announcement" else None
        assume(announced is None or model.holds(announced, at=at))
        exercise = cls("", weighed.point(at), agent, f, at, announced)
        wrong = [mistake.answer for mistake in exercise.mistakes() if mistake.name != "all worlds"]
        assume(exercise.solution() not in ("0", "1", *wrong))
        return exercise
