"""Properties of an agent's relation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from kripke_werewolf.exercises.drawings import closed
from kripke_werewolf.exercises.exercise import Card, Listing, OnModel, Parameter, Rng
from kripke_werewolf.exercises.forms import Names
from kripke_werewolf.exercises.generation import assume
from kripke_werewolf.exercises.serialisation import Agent
from kripke_werewolf.language.logics import FRAME_CLASSES, FRAME_PROPERTIES
from kripke_werewolf.models import KripkeModel

_MEANING: Mapping[str, str] = {
    "reflexive": "every world sees itself",
    "serial": "every world sees some world",
    "transitive": "every world sees the successors of its successors",
    "symmetric": "every world is seen by the worlds it sees",
    "euclidean": "the worlds that a world sees all see each other",
}
_LOOPS = "If the picture says that loops are left out, every world has one."


@dataclass(frozen=True, slots=True, repr=False)
class FrameProperties(Listing, OnModel):
    """Which properties does the relation of an agent have?"""

    kind: ClassVar[str] = "frame-properties"
    about: ClassVar[str] = "which properties does a relation have?"
    parameters: ClassVar = {"size": Parameter(4, range(3, 9), "worlds of the model")}
    agent: Agent

    def question(self) -> str:
        """Return the task in words."""
        listed = ", ".join(FRAME_PROPERTIES)
        return f"{_LOOPS} Which of these properties does the relation of {self.agent} have: {listed}?"

    @property
    def form(self) -> Names:
        """The names of properties."""
        return Names(FRAME_PROPERTIES, "property")

    def right(self) -> frozenset[str]:
        """Return the properties that the relation has."""
        return frozenset(self.model.frame_class(self.agent).properties)

    def option_reason(self, option: str) -> str:
        """Return why the relation has a property, or lacks it."""
        flaws = self.model.frame_class(self.agent).flaws
        if option in flaws:
            return flaws[option].replace("'", "")
        return f"it is {option}: {_MEANING[option]}"

    def difficulty(self) -> int:
        """Return the number of worlds and arrows, all of which must be examined."""
        return len(self.model) + len(self.model.relation(self.agent))

    @classmethod
    def deck(cls, **parameters: Any) -> Sequence[Sequence[Card]]:
        """Return the properties it may have: all combinations that occur, except all five."""
        return ([{"wanted": some} for some in FRAME_CLASSES.values() if len(some) < len(FRAME_PROPERTIES)],)

    @classmethod
    def generate(cls, rng: Rng, *, size: int, wanted: frozenset[str]) -> Self:
        """Return a random relation with some properties and no others."""
        names = [f"w{k}" for k in range(1, size + 1)]
        pairs = {
            (names[int(rng.integers(size))], names[int(rng.integers(size))])
            for _ in range(int(rng.integers(size - 1, size + 3)))
        }
        arrows = closed(pairs, names, wanted - {"serial"})
        exercise = cls("", KripkeModel(names, {"a": arrows}, {}), "a")
        assume(exercise.right() == wanted)
        return exercise
