"""Formulas in one model: where they are true, and which one tells worlds or players apart."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, Self

from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.logic.english.sentences import clause
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel, bisimilar, distinguishing_formula
from kripke_werewolf.logic.semantics.worlds import world_text
from kripke_werewolf.research.planning import shortest_announcement
from kripke_werewolf.teach.exercises import random_parts
from kripke_werewolf.teach.exercises.exercise import Listing, Mistake, OnModel, Parameter, Result, Rng
from kripke_werewolf.teach.exercises.forms import AFormula, Form, Names, YesNo, formal
from kripke_werewolf.teach.exercises.generation import assume
from kripke_werewolf.teach.exercises.random_parts import DEPTH, FORMULAS, WORLDS, slips
from kripke_werewolf.teach.exercises.serialisation import Agent, Goals, World


@dataclass(frozen=True, slots=True, repr=False)
class ModelChecking(OnModel):
    """Is a formula true at a world? The answer is yes or no."""

    kind: ClassVar[str] = "model-checking"
    about: ClassVar[str] = "is a formula true at a world?"
    parameters: ClassVar = {"size": WORLDS, "depth": DEPTH}
    cards: ClassVar = ([{"true": True}], [{"true": False}])
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
    def generate(cls, rng: Rng, *, size: int, depth: int, true: bool) -> Self:
        """Return a question about a random S5 model and a formula true at some but not all worlds."""
        model, f = random_parts.telling(size, depth, rng)
        at = random_parts.pick_world(model, rng)
        assume(model.holds(f, at=at) == true)
        return cls("", model.point(at), f, at)


@dataclass(frozen=True, slots=True, repr=False)
class TruthSet(Listing, OnModel):
    """At which worlds is a formula true? The answer is a list of worlds. `story`: what the model is about."""

    kind: ClassVar[str] = "truth-set"
    about: ClassVar[str] = "at which worlds is it true?"
    parameters: ClassVar = {"size": WORLDS, "depth": DEPTH, "formulas": FORMULAS}
    formula: Formula
    story: str | None = None

    def question(self) -> str:
        """Return the task in words."""
        asked = f"At which worlds is {formal(self.formula)} true?"
        return " ".join(filter(None, [self.story, asked]))

    @property
    def form(self) -> Names:
        """The names of worlds."""
        return Names(tuple(map(world_text, self.model.worlds)))

    def right(self) -> frozenset[str]:
        """Return the worlds where the formula is true."""
        return true_in(self.model, self.formula)

    def because(self) -> Iterator[str]:
        """Yield the reason for each world."""
        yield f"these are all the worlds where {self.formula.unicode()} is true"
        for name in self.form.names:
            yield f"at {name}: {self.option_reason(name)}"

    def option_reason(self, option: str) -> str:
        """Return why the formula is true or false at a world."""
        world = self.model.worlds[self.form.names.index(option)]
        return str(self.model.explain(self.formula, at=world))

    def mistakes(self) -> Iterator[Mistake]:
        """Yield the truth sets of formulas that are easily confused with it."""
        for misread, name in slips(self.formula):
            worlds = self.form.write(true_in(self.model, misread))
            yield Mistake(worlds, name, f"these are the worlds where {misread.unicode()} is true ({name})")

    @classmethod
    def generate(cls, rng: Rng, *, size: int, depth: int, principle: Formula | None = None) -> Self:
        """Return a question about a random S5 model and a formula true at some but not all worlds."""
        if principle is None:
            return cls("", *random_parts.telling(size, depth, rng))
        model = random_parts.random_model(size, "abc", rng)
        f = random_parts.random_instance(principle, depth, rng)
        return cls("", _with_orders(model, f, rng), f)._open()

    def _open(self) -> Self:
        """Return the exercise if the formula is true at some but not all worlds."""
        assume(0 < len(self.right()) < len(self.model))
        return self


def _with_orders(model: KripkeModel, f: Formula, rng: Rng) -> KripkeModel:
    """Return a model in which the agents whose beliefs a formula is about find some worlds more plausible."""
    ranks = dict[str, dict[Hashable, int]]()
    for node in f.subformulas():
        if isinstance(node, s.Believes) or (isinstance(node, s.Modal) and node.scope in s.ORDERED):
            for agent in node.label:
                drawn = rng.integers(0, len(model), len(model)).tolist()
                ranks[agent] = dict(zip(model.worlds, drawn, strict=True))
    return model.replace(ranks=ranks) if ranks else model


def true_in(model: KripkeModel, f: Formula) -> frozenset[str]:
    """Return the worlds where a formula is true, by their names in sentences."""
    return frozenset(map(world_text, model.where(f)))


# --- finding formulas ------------------------------------------------------------------------------


class _FindFormula(OnModel):
    """A task whose answer is a formula about the model."""

    __slots__ = ()

    @property
    def form(self) -> AFormula:
        """A formula."""
        return AFormula(self.model.atoms, self.model.agents)

    def solution(self) -> str:
        """Return a formula."""
        found = self.found()
        if found is None or not self.judge(found).right:
            raise ModelError(f"the exercise has no solution: {self.question()}")
        return str(found)

    @abstractmethod
    def found(self) -> Formula | None:
        """Return a formula that solves the exercise, if there is one."""


@dataclass(frozen=True, slots=True, repr=False)
class Distinguish(_FindFormula):
    """Find a formula that is true at one world and false at another."""

    kind: ClassVar[str] = "distinguish"
    about: ClassVar[str] = "which formula is true at one world and false at another?"
    parameters: ClassVar = {
        "size": WORLDS,
        "depth": Parameter(2, range(1, 3), "modal depth of the formula; 1 for three worlds"),
    }
    true_at: World
    false_at: World

    def question(self) -> str:
        """Return the task in words."""
        where = f"true at {world_text(self.true_at)} and false at {world_text(self.false_at)}"
        return f"Find a formula that is {where}."

    def judge(self, answer: Formula) -> Result:
        """Return whether a formula distinguishes the worlds, and if not why."""
        worlds = (self.true_at, self.false_at)
        here, there = (self.model.holds(answer, at=world) for world in worlds)
        first, second = (f"at {world_text(w)}: {self.model.explain(answer, at=w)}" for w in worlds)
        if here == there:
            shown = f"true at both worlds\n{second}" if here else f"false at both worlds\n{first}"
            return Result(False, f"it is {shown}")
        flaw = "" if here else "it is the wrong way round; its negation works\n"
        return Result(here, f"{flaw}{first}\n{second}")

    def found(self) -> Formula | None:
        """Return a smallest formula that distinguishes the worlds."""
        return distinguishing_formula(self.model, self.true_at, self.model, self.false_at)

    @classmethod
    def generate(cls, rng: Rng, *, size: int, depth: int) -> Self:
        """Return two worlds that formulas of a smaller depth do not distinguish.

        Among n worlds, a depth of n - 2 always suffices, so three worlds need no larger depth than 1.
        """
        deep, model = min(depth, size - 2), random_parts.random_model(size, "ab", rng)
        pairs = [
            (w, v)
            for w, v in combinations(model.worlds, 2)
            if bisimilar(model, w, model, v, depth=deep - 1) and not bisimilar(model, w, model, v, depth=deep)
        ]
        assume(pairs)
        return cls("", model, *pairs[int(rng.integers(len(pairs)))])


@dataclass(frozen=True, slots=True, repr=False)
class Upgrading(_FindFormula):
    """Which truth has an effect on beliefs? The answer is the formula of a radical upgrade."""

    kind: ClassVar[str] = "upgrade"
    about: ClassVar[str] = "which truth leads to a belief, if it is told as soft news?"
    parameters: ClassVar = {"size": WORLDS}
    goal: Formula

    def question(self) -> str:
        """Return the task in words."""
        after = formal(s.Box(s.Upgrade(s.Atom("φ")), self.goal))
        at = ", ".join(map(world_text, self.model.designated))
        return f"The actual world is {at}. Find a formula φ that is true there and for which {after} is true."

    def judge(self, answer: Formula) -> Result:
        """Return whether the formula is true and its upgrade has this effect, and if not why."""
        if not self.model.holds(answer):
            return Result(False, f"it is not true\n{self.model.explain(answer)}")
        why = self.model.upgrade(answer).explain(self.goal)
        return Result(why.value, str(why))

    def found(self) -> Formula | None:
        """Return a formula of one or two literals that solves the exercise, if there is one."""
        literals = [f for atom in map(s.Atom, self.model.atoms) for f in (atom, ~atom)]
        pairs = [f for x, y in combinations(literals, 2) for f in (x | y, x & y)]
        return next((f for f in [*literals, *pairs] if self.judge(f).right), None)

    @classmethod
    def generate(cls, rng: Rng, *, size: int) -> Self:
        """Return a belief of a in something false to which a truth leads, and not a literal."""
        model = random_parts.random_model(size, "ab", rng)
        false = random_parts.random_literal(model, rng)
        goal: Formula = s.Believes("a", false)
        exercise = cls("", _with_orders(model, goal, rng), goal)
        assume(not exercise.model.holds(false | goal) and isinstance(exercise.found(), s.And | s.Or))
        return exercise


@dataclass(frozen=True, slots=True, repr=False)
class Announcement(_FindFormula):
    """Which announcement makes some agents learn a fact and others not?

    `learns`: pairs of an agent and a formula that they should know afterwards. `ignorant`: pairs of an agent
    and a formula whose truth value they should not know. `speaker`: the speaker, who must know that the
    announcement is true, and everyone learns that. `story`: what the model is about.
    """

    kind: ClassVar[str] = "announcement"
    about: ClassVar[str] = "which announcement lets one agent know a secret, and not another?"
    parameters: ClassVar = {"size": WORLDS}
    speaker: Agent
    learns: Goals
    ignorant: Goals = ()
    story: str | None = None

    def question(self) -> str:
        """Return the task in words."""
        said = s.Knows(self.speaker, "φ")
        after = formal(s.Box(s.Announce(said), "ψ"))
        meaning = (
            f"If {self.speaker} announces {formal(said.body)}, everyone learns {formal(said)}: "
            f"afterwards {formal(s.Atom('ψ'))} is true if {after} was true before."
        )
        aims = [f"{agent} knows that {formal(f)}" for agent, f in self.learns]
        aims += [f"{agent} does not know whether {formal(f)}" for agent, f in self.ignorant]
        at = ", ".join(map(world_text, self.model.designated))
        asked = f"After which announcement by {self.speaker} is it true that {' and '.join(aims)}?"
        told = f"The actual world is {at}. {meaning} {asked}"
        return " ".join(filter(None, [self.story, told]))

    def judge(self, answer: Formula) -> Result:
        """Return whether an announcement has these effects, and if not which condition fails."""
        said = s.Knows(self.speaker, answer)
        if not self.model.holds(said):
            return Result(False, f"{self.speaker} cannot say it truthfully\n{self.model.explain(said)}")
        after, wanted = self.model.announce(said), self.aims()
        for aim in wanted:
            if not after.holds(aim):
                left = ", ".join(map(world_text, after.worlds[:8]))
                told = f"after the announcement {len(after)} of {len(self.model)} worlds are left ({left})"
                should = f"afterwards it should be true that {clause(aim)}"
                return Result(False, f"{should}\n{told}, and there\n{after.explain(aim)}")
        return Result(True, "\n".join(str(after.explain(aim)) for aim in wanted))

    def aims(self) -> list[Formula]:
        """Return the formulas that should be true afterwards."""
        known: list[Formula] = [s.Knows(agent, g) for agent, g in self.learns]
        return known + [s.Not(s.KnowsWhether(agent, g)) for agent, g in self.ignorant]

    def found(self) -> Formula | None:
        """Return a shortest announcement with these effects."""
        learns, ignorant = grouped(self.learns), grouped(self.ignorant)
        found = shortest_announcement(self.model, self.speaker, learns=learns, ignorant=ignorant)
        return found.body if isinstance(found, s.Knows) else found

    @classmethod
    def generate(cls, rng: Rng, *, size: int) -> Self:
        """Return a secret that a may tell b, but not c."""
        model = random_parts.random_model(size, "abc", rng)
        secret = random_parts.random_literal(model, rng)
        if not model.holds(secret):
            secret = s.Not(secret) if isinstance(secret, s.Atom) else secret.children[0]
        assume(not model.holds(s.Knows("b", secret)) and not model.holds(s.KnowsWhether("c", secret)))
        exercise = cls("", model, "a", (("b", secret),), (("c", secret),))
        assume(exercise.found() is not None)
        return exercise
