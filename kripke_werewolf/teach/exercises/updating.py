"""Exercises on updated models: truth sets, or the whole model."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import ClassVar, Self

from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.semantics.action import (
    ActionModel,
    is_equivalence,
    private,
    semi_private,
    suspected,
)
from kripke_werewolf.logic.semantics.worlds import world_text
from kripke_werewolf.teach.exercises import drawings, random_parts
from kripke_werewolf.teach.exercises.exercise import Listing, OnModel, Parameter, Result, Rng, Shown
from kripke_werewolf.teach.exercises.forms import Names, formal
from kripke_werewolf.teach.exercises.generation import Unsuitable, assume
from kripke_werewolf.teach.exercises.truth import true_in

_FORMULAS = 8  # tried on the same model
_EVENT = Parameter("announcement", ("announcement", "action"), "what happens")


@dataclass(frozen=True, slots=True, repr=False)
class _OnUpdate(OnModel):
    """A task about a model and an update: a public announcement or an action."""

    announced: Formula | None
    action: ActionModel | None

    def __post_init__(self) -> None:
        if (self.announced is None) == (self.action is None):
            raise ModelError(f"a {self.kind} exercise needs either an announced formula or an action")
        if len(self.after()) == 0:
            raise ModelError("no world is left after the update")

    def after(self) -> KripkeModel:
        """Return the updated model."""
        return _updated(self.model, self.announced, self.action)

    def happening(self) -> str:
        """Return the words for the update, such as "the public announcement of `p`"."""
        if self.announced is None:
            return "the action"
        return f"the public announcement of {formal(self.announced)}"

    def shown(self) -> tuple[Shown, ...]:
        """Return the model, and the action if there is one."""
        if self.action is None:
            return (Shown(self.model),)
        return Shown(self.model, "The model"), Shown(self.action, "The action")

    def names(self) -> tuple[str, ...]:
        """Return the possible names of worlds after the update; for an action, worlds with events."""
        return tuple(self._origins())

    def _origins(self) -> dict[str, tuple[Hashable, str, Formula]]:
        """Return the world and the event that each possible world is made of, and the condition, by name."""
        if self.action is None:
            assert self.announced is not None
            return {world_text(w): (w, "", self.announced) for w in self.model.worlds}
        made = product(self.model.worlds, self.action.events.items())
        return {world_text((w, str(e))): (w, str(e), event.pre) for w, (e, event) in made}

    def kept(self, name: str) -> bool:
        """Return whether the world with this name exists after the update."""
        world, _, pre = self._origins()[name]
        return self.model.holds(pre, at=world)

    def world_reason(self, name: str) -> str:
        """Return why the world with this name exists after the update, or why not."""
        world, _, pre = self._origins()[name]
        if self.kept(name):
            return f"{pre.unicode()} is true at {world_text(world)}"
        where, why = f"{pre.unicode()} is false at {world_text(world)}", self.model.explain(pre, at=world)
        return f"{name} is not in the updated model, since {where}:\n{why}"

    def link_reason(self, agent: str, pair: drawings.Pair) -> str:
        """Return why an agent has an arrow after the update, or why not."""
        for name in pair:
            if not self.kept(name):
                return self.world_reason(name)
        (w, e, _), (v, f, _) = map(self._origins().__getitem__, pair)
        seen = v in self.model.successors(agent, w)
        before = f"before the update {agent} {_considers(seen)} {world_text(v)} possible at {world_text(w)}"
        if self.action is None:
            return before
        told = (e, f) in drawings.sight_pairs(self.action, agent)
        return f"{before}, and when {e} happens {agent} {_considers(told)} {f} possible"


@lru_cache(256)
def _updated(model: KripkeModel, announced: Formula | None, action: ActionModel | None) -> KripkeModel:
    after = model if announced is None else model.announce(announced)
    return after if action is None else after.update(action)


def _considers(seen: bool) -> str:
    return "considers" if seen else "does not consider"


def _happening(
    size: int, depth: int, event: str, rng: Rng
) -> tuple[KripkeModel, Formula | None, ActionModel | None]:
    """Return a random model and an update of it that removes some worlds, not all."""
    model, f = random_parts.telling(size, depth, rng)
    model = model.point(*model.worlds)
    if event == "announcement":
        assume(len(model.where(f)) > 1)
        return model, f, None
    make = (semi_private, private, suspected)[rng.integers(3)]
    action = make(str(rng.choice(list(model.agents))), f).for_agents(model.agents, model.atoms)
    return model, None, random_parts.lettered(action, model.agents)


@dataclass(frozen=True, slots=True, repr=False)
class UpdatedTruthSet(Listing, _OnUpdate):
    """At which worlds of the updated model is a formula true? The answer is a list of worlds."""

    kind: ClassVar[str] = "updated-truth-set"
    about: ClassVar[str] = "at which worlds is it true after an update?"
    parameters: ClassVar = {"size": random_parts.WORLDS, "depth": random_parts.DEPTH, "event": _EVENT}
    formula: Formula

    def question(self) -> str:
        """Return the task in words."""
        asked = f"at which worlds of the updated model is {formal(self.formula)} true?"
        return f"After {self.happening()}, {asked}"

    @property
    def form(self) -> Names:
        """The names of worlds."""
        return Names(self.names())

    def right(self) -> frozenset[str]:
        """Return the worlds of the updated model where the formula is true."""
        return true_in(self.after(), self.formula)

    def because(self) -> Iterator[str]:
        """Yield the reason for each remaining world."""
        yield f"these are all the worlds where {self.formula.unicode()} is true afterwards"
        for name in filter(self.kept, self.names()):
            yield f"at {name}: {self.option_reason(name)}"

    def option_reason(self, option: str) -> str:
        """Return why the formula is true or false at a world, or why the world does not exist."""
        if not self.kept(option):
            return self.world_reason(option)
        after = self.after()
        world = next(w for w in after.worlds if world_text(w) == option)
        return str(after.explain(self.formula, at=world))

    @classmethod
    def generate(cls, rng: Rng, *, size: int, depth: int, event: str) -> Self:
        """Return a question about a random S5 model and a formula that the update makes true somewhere."""
        found = _happening(size, min(depth - 1, size - 2), event, rng)
        model, announced, action = found
        after = _updated(model, announced, action)
        left = frozenset(map(world_text, after.worlds))
        for _ in range(_FORMULAS):
            f = random_parts.random_formula(model, depth, rng)
            true = true_in(after, f)
            # an announcement must change its truth set, unless too little is left for that
            if 0 < len(true) < len(after) and (action or size == 3 or true != true_in(model, f) & left):
                return cls("", *found, f)
        raise Unsuitable


# --- all of it -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Product(_OnUpdate):
    """Give the whole updated model: its worlds, their true atoms, and everyone's arrows."""

    kind: ClassVar[str] = "product"
    about: ClassVar[str] = "what is the updated model?"
    parameters: ClassVar = {
        "size": Parameter(3, range(3, 7), "worlds of the model"),
        "depth": Parameter(1, range(1, 4), "modal depth of the announcement or message"),
        "event": Parameter("action", ("action", "announcement"), "what happens"),
    }

    def question(self) -> str:
        """Return the task in words."""
        what = "its worlds, their true atoms, and the arrows of each agent"
        return f"Draw the model after {self.happening()}: {what}."

    @property
    def form(self) -> drawings.AModel:
        """Worlds and arrows."""
        agents, atoms = self.model.agents, self.model.atoms
        partitions = all(self.model.classes(agent) is not None for agent in agents)
        if self.action is not None:
            partitions &= all(is_equivalence(self.action._sight(agent)) for agent in agents)
        return drawings.AModel(atoms, agents, "S5" if partitions else "K", self.names())

    def judge(self, answer: KripkeModel) -> Result:
        """Return whether worlds, atoms and arrows are right, and why the first wrong part is wrong."""
        after, names = self.after(), self.names()
        right, worlds = drawings.true_atoms(after), drawings.true_atoms(answer)
        arrows = {agent: drawings.relation_of(answer, agent) for agent in after.agents}
        parts = len(self.model.agents) + 2
        for name in names:
            if (name in worlds) != (name in right):
                flaw = f"the world {name} is missing: " if name in right else ""
                return Result(False, f"{flaw}{self.world_reason(name)}")
        for name, true in right.items():
            for atom in sorted(true ^ worlds[name]):
                truth = "true" if atom in true else "false"
                return Result(False, f"{atom} is {truth} at {name}", Fraction(1, parts))
        credit = 2 + sum(drawings.relation_of(after, a) == arrows[a] for a in after.agents)
        for agent in after.agents:
            there = drawings.relation_of(after, agent)
            if wrong := there ^ arrows[agent]:
                pair = min(wrong, key=lambda pair: tuple(map(names.index, pair)))
                verb = "is missing" if pair in there else "does not belong there"
                told = f"the arrow of {agent} from {pair[0]} to {pair[1]} {verb}"
                return Result(False, f"{told}: {self.link_reason(agent, pair)}", Fraction(credit, parts))
        head = f"{len(right)} worlds are left"
        if removed := [name for name in names if name not in right]:
            head += f"; removed: {', '.join(removed)}"
        return Result(True, f"{head}\n{self.solution()}")

    def solution(self) -> str:
        """Return the model drawn as text; designated worlds are marked unless all are designated."""
        return drawings.drawing(self.after(), logic=self.form.logic)

    @classmethod
    def generate(cls, rng: Rng, *, size: int, depth: int, event: str) -> Self:
        """Return a question about an update of a random S5 model that removes some worlds."""
        exercise = cls("", *_happening(size, depth, event, rng))
        assume(len(exercise.after()) < len(exercise.names()))
        return exercise
