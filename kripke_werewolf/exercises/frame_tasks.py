"""Properties of an agent's relation: which it has, and which arrows it lacks to have some."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Self

from kripke_werewolf.errors import ModelError
from kripke_werewolf.exercises.drawings import ARelation, Pair, arrows_text, closed, relation_of
from kripke_werewolf.exercises.exercise import Mistake, OnModel, Parameter, Result
from kripke_werewolf.exercises.fields import Agent
from kripke_werewolf.exercises.forms import Names
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.models.frames import FRAME_PROPERTIES, FrameClass
from kripke_werewolf.semantics.explanation import world_text

if TYPE_CHECKING:
    from numpy.random import Generator

CLOSED = ("reflexive", "symmetric", "transitive", "euclidean")
"""The properties for which there is always a smallest set of arrows to add."""

_MEANING: Mapping[str, str] = {
    "reflexive": "every world sees itself",
    "serial": "every world sees some world",
    "transitive": "every world sees what the worlds it sees see",
    "symmetric": "every world is seen by the worlds it sees",
    "euclidean": "the worlds that a world sees all see each other",
}
_SIZE = Parameter(4, range(3, 9), "worlds of the model")


def _frame(names: list[str], pairs: frozenset[Pair]) -> KripkeModel:
    return KripkeModel(names, {"a": pairs}, {})


def _reasons(found: FrameClass) -> dict[str, str]:
    """Return for each property that the relation lacks a sentence."""
    return dict(zip(found.counterexamples, (r.replace("'", "") for r in found.reasons), strict=True))


def _lacks(found: FrameClass, wanted: tuple[str, ...]) -> str:
    """Return why a relation lacks one of some properties; empty if it has them all."""
    return next((why for name, why in _reasons(found).items() if name in wanted), "")


def _random_arrows(size: int, rng: Generator) -> tuple[list[str], frozenset[Pair]]:
    names = [f"w{k}" for k in range(1, size + 1)]
    pairs = frozenset(
        (names[int(rng.integers(size))], names[int(rng.integers(size))])
        for _ in range(int(rng.integers(size - 1, size + 3)))
    )
    return names, pairs


@dataclass(frozen=True, slots=True, repr=False)
class FrameProperties(OnModel):
    """Which properties does the relation of an agent have?"""

    kind: ClassVar[str] = "frame-properties"
    about: ClassVar[str] = "which properties has a relation?"
    parameters: ClassVar = {"size": _SIZE}
    agent: Agent

    def question(self) -> str:
        """Return the task in words."""
        listed = ", ".join(FRAME_PROPERTIES)
        return f"Which of these properties does the relation of {self.agent} have: {listed}?"

    @property
    def form(self) -> Names:
        """The names of properties."""
        return Names(FRAME_PROPERTIES, "property")

    def judge(self, answer: frozenset[str]) -> Result:
        """Return whether the properties are those, and why the first wrong one is not."""
        right = frozenset(self.model.frame_class(self.agent).properties)
        for name in FRAME_PROPERTIES:
            if (name in right) != (name in answer):
                share = Fraction(len(FRAME_PROPERTIES) - len(right ^ answer), len(FRAME_PROPERTIES))
                return Result(False, self.option_reason(name), max(Fraction(0), 2 * share - 1))
        return Result(True, "\n".join(map(self.option_reason, FRAME_PROPERTIES)))

    def option_reason(self, option: str) -> str:
        """Return why the relation has a property, or has not."""
        wrong = _reasons(self.model.frame_class(self.agent)).get(option)
        return wrong or f"it is {option}: {_MEANING[option]}"

    def solution(self) -> str:
        """Return the properties."""
        return ", ".join(self.model.frame_class(self.agent).properties) or "none"

    @classmethod
    def generate(cls, rng: Generator, *, size: int) -> Self | None:
        """Return a random relation, closed under some properties so that any may occur."""
        names, pairs = _random_arrows(size, rng)
        wanted = [name for name in CLOSED if rng.random() < 0.45]
        exercise = cls("", _frame(names, closed(pairs, names, wanted)), "a")
        found = exercise.model.frame_class("a")
        return None if found == "S5" or not exercise.model.edge_count("a") else exercise


@dataclass(frozen=True, slots=True, repr=False)
class MissingArrows(OnModel):
    """Which arrows must be added, as few as possible, so that a relation has some properties?"""

    kind: ClassVar[str] = "missing-arrows"
    about: ClassVar[str] = "which arrows does a relation lack to have some properties?"
    parameters: ClassVar = {"size": _SIZE}
    agent: Agent
    properties: tuple[str, ...]

    def __post_init__(self) -> None:
        for name in self.properties:
            if name not in CLOSED:
                raise ModelError(f"arrows can be missing for {', '.join(CLOSED)}, not for {name!r}")
        if not self.properties:
            raise ModelError("name at least one property")

    def question(self) -> str:
        """Return the task in words."""
        wanted = " and ".join(self.properties)
        whose = f"the relation of {self.agent}"
        return f"Which arrows, as few as possible, must be added so that {whose} is {wanted}?"

    @property
    def form(self) -> ARelation:
        """Arrows."""
        return ARelation(tuple(map(world_text, self.model.worlds)))

    def _missing(self) -> tuple[frozenset[Pair], frozenset[Pair]]:
        """Return the arrows that are there, and those that are missing."""
        there = relation_of(self.model, self.agent)
        return there, closed(there, self.form.names, self.properties) - there

    def judge(self, answer: frozenset[Pair]) -> Result:
        """Return whether just the missing arrows are added, and why the first wrong one is not."""
        there, missing = self._missing()
        added = answer - there
        names = self.form.names
        share = Fraction(max(0, len(added & missing) - len(added - missing)), len(missing) or 1)
        if lacking := missing - added:
            found = _frame(list(names), there | added).frame_class("a")
            why = _lacks(found, self.properties)
            return Result(False, f"it is still {why}" if why else f"{self._shown(lacking)} is missing", share)
        if extra := added - missing:
            return Result(False, f"not needed: {self._shown(extra)}", share)
        steps = []
        for pair in sorted(missing, key=lambda pair: (names.index(pair[0]), names.index(pair[1]))):
            without = _frame(list(names), there | missing - {pair}).frame_class("a")
            steps.append(f"without {self._shown(frozenset([pair]))}: {_lacks(without, self.properties)}")
        return Result(True, "\n".join([f"the relation is {' and '.join(self.properties)} then", *steps]))

    def _shown(self, pairs: frozenset[Pair]) -> str:
        return arrows_text(pairs, self.form.names)

    def solution(self) -> str:
        """Return the arrows that are missing."""
        return self._shown(self._missing()[1]) or "none"

    def mistakes(self) -> Iterator[Mistake]:
        """Yield the missing arrows without the loops."""
        missing = self._missing()[1]
        proper = frozenset((w, v) for w, v in missing if w != v)
        sentence = "a loop is an arrow, too: if w sees v and v sees w, w must see w"
        yield Mistake(self._shown(proper) or "none", "loops forgotten", sentence)

    @classmethod
    def generate(cls, rng: Generator, *, size: int) -> Self | None:
        """Return a random relation with few arrows, and one or two properties that it lacks."""
        names, pairs = _random_arrows(size, rng)
        count = 1 + int(rng.random() < 0.4)
        places = sorted(rng.permutation(len(CLOSED))[:count].tolist())
        exercise = cls("", _frame(names, pairs), "a", tuple(CLOSED[k] for k in places))
        return exercise if 0 < len(exercise._missing()[1]) <= size + 2 else None
