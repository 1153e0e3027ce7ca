"""Properties of an agent's relation: those it has, and the arrows it lacks to have others."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any, ClassVar, Self

from kripke_werewolf.errors import ModelError
from kripke_werewolf.exercises.drawings import ARelation, Pair, arrows_text, closed, lacking, relation_of
from kripke_werewolf.exercises.exercise import Card, Listing, Mistake, OnModel, Parameter, Result, Rng, credit
from kripke_werewolf.exercises.forms import Names
from kripke_werewolf.exercises.generation import assume
from kripke_werewolf.exercises.serialisation import Agent
from kripke_werewolf.language.logics import FRAME_CLASSES, FRAME_PROPERTIES
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.semantics.explanation import world_text

CLOSED = ("reflexive", "symmetric", "transitive", "euclidean")
"""The properties for which there is always a least set of arrows to add."""

_MEANING: Mapping[str, str] = {
    "reflexive": "every world sees itself",
    "serial": "every world sees some world",
    "transitive": "every world sees the successors of its successors",
    "symmetric": "every world is seen by the worlds it sees",
    "euclidean": "the worlds that a world sees all see each other",
}
_LOOPS = "If the picture says that loops are left out, every world has one."
_SIZE = Parameter(4, range(3, 9), "worlds of the model")


def _frame(names: list[str], pairs: frozenset[Pair]) -> KripkeModel:
    return KripkeModel(names, {"a": pairs}, {})


def _random_arrows(size: int, rng: Rng) -> tuple[list[str], frozenset[Pair]]:
    names = [f"w{k}" for k in range(1, size + 1)]
    pairs = frozenset(
        (names[int(rng.integers(size))], names[int(rng.integers(size))])
        for _ in range(int(rng.integers(size - 1, size + 3)))
    )
    return names, pairs


@dataclass(frozen=True, slots=True, repr=False)
class FrameProperties(Listing, OnModel):
    """Which properties does the relation of an agent have?"""

    kind: ClassVar[str] = "frame-properties"
    about: ClassVar[str] = "which properties does a relation have?"
    parameters: ClassVar = {"size": _SIZE}
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
        return lacking(self.model, self.agent).get(option) or f"it is {option}: {_MEANING[option]}"

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
        names, pairs = _random_arrows(size, rng)
        exercise = cls("", _frame(names, closed(pairs, names, [x for x in CLOSED if x in wanted])), "a")
        assume(exercise.right() == wanted)
        return exercise


@dataclass(frozen=True, slots=True, repr=False)
class MissingArrows(OnModel):
    """Which arrows must be added, as few as possible, so that a relation has some properties?"""

    kind: ClassVar[str] = "missing-arrows"
    about: ClassVar[str] = "which arrows does a relation lack to have some properties?"
    parameters: ClassVar = {"size": _SIZE, "among": Parameter(CLOSED, CLOSED, "properties asked for")}
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
        return f"{_LOOPS} Which arrows, as few as possible, must be added so that {whose} is {wanted}?"

    @property
    def form(self) -> ARelation:
        """Arrows."""
        return ARelation(tuple(map(world_text, self.model.worlds)))

    def _missing(self) -> tuple[frozenset[Pair], frozenset[Pair]]:
        """Return the present and the missing arrows."""
        there = relation_of(self.model, self.agent)
        return there, closed(there, self.form.names, self.properties) - there

    def judge(self, answer: frozenset[Pair]) -> Result:
        """Return whether exactly the missing arrows are added, and why the first wrong one is wrong."""
        there, missing = self._missing()
        added = answer - there
        names = self.form.names
        if missing - added:
            why = self._still(there | added)
            return Result(False, f"it is still {why}", credit(added, missing))
        if extra := added - missing:
            return Result(False, f"not needed: {self._shown(extra)}", credit(added, missing))
        steps = []
        for pair in sorted(missing, key=lambda pair: (names.index(pair[0]), names.index(pair[1]))):
            steps.append(f"without {self._shown({pair})}: {self._still(there | missing - {pair})}")
        return Result(True, "\n".join([f"the relation is then {' and '.join(self.properties)}", *steps]))

    def _still(self, pairs: frozenset[Pair]) -> str:
        """Return why a relation with only some of the missing arrows lacks one of the properties."""
        reasons = lacking(_frame(list(self.form.names), pairs), "a")
        return next((reasons[name] for name in self.properties if name in reasons), "")

    def _shown(self, pairs: Collection[Pair]) -> str:
        return arrows_text(pairs, self.form.names)

    def solution(self) -> str:
        """Return the arrows that are missing."""
        return self._shown(self._missing()[1]) or "none"

    def mistakes(self) -> Iterator[Mistake]:
        """Yield the missing arrows except the loops."""
        missing = self._missing()[1]
        proper = frozenset((w, v) for w, v in missing if w != v)
        sentence = "a loop is an arrow, too: if w sees v and v sees w, w must see w"
        yield Mistake(self._shown(proper) or "none", "loops forgotten", sentence)

    @classmethod
    def deck(cls, *, among: Sequence[str], **parameters: Any) -> Sequence[Sequence[Card]]:
        """Return one or two of the properties."""
        known = [name for name in CLOSED if name in among]
        return ([{"among": wanted} for wanted in chain(combinations(known, 1), combinations(known, 2))],)

    @classmethod
    def generate(cls, rng: Rng, *, size: int, among: Sequence[str]) -> Self:
        """Return a random relation with few arrows that lacks some properties, and not just all loops."""
        names, pairs = _random_arrows(size, rng)
        exercise = cls("", _frame(names, pairs), "a", tuple(among))
        missing = exercise._missing()[1]
        assume(0 < len(missing) <= size + 2 and missing != {(w, w) for w in names})
        return exercise
