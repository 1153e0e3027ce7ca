"""Find a formula: one that distinguishes two worlds, or one to announce."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar, Self, TypeVar

from kripke_werewolf.errors import ModelError
from kripke_werewolf.exercises.exercise import OnModel, Parameter, Result, Rng, modal_depth
from kripke_werewolf.exercises.forms import AFormula, Choice, formal
from kripke_werewolf.exercises.generation import Unsuitable, assume
from kripke_werewolf.exercises.random_parts import (
    WORLDS,
    chain_model,
    random_formula,
    random_literal,
    random_model,
)
from kripke_werewolf.exercises.serialisation import Agent, Goals, World, by_agent
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.sentences import clause
from kripke_werewolf.models import bisimilar, distinguishing_formula
from kripke_werewolf.planning import shortest_announcement
from kripke_werewolf.semantics.explanation import world_text

CHOICES = 4
_ANNOUNCED = 60  # formulas tried as announcements in one model


class FindFormula(OnModel):
    """A task whose answer is a formula: a free one, or one of the `choices`."""

    __slots__ = ()

    choices: tuple[Formula, ...]

    @property
    def form(self) -> AFormula | Choice:
        """A formula, or the number of a choice."""
        return Choice(tuple(map(formal, self.choices))) if self.choices else AFormula(self.model)

    def judge(self, answer: Formula | int) -> Result:
        """Return whether the formula, or the choice with this index, is right, and if not why."""
        return self.check_formula(self.choices[answer] if isinstance(answer, int) else answer)

    def solution(self) -> str:
        """Return a formula, or the number of the right choice."""
        for number, f in enumerate(self.choices, 1):
            if self.check_formula(f).right:
                return str(number)
        found = None if self.choices else self.found()
        if found is None or not self.check_formula(found).right:
            raise ModelError(f"the exercise has no solution: {self.question()}")
        return str(found)

    @abstractmethod
    def check_formula(self, f: Formula) -> Result:
        """Return whether a formula is right, and if not why."""

    @abstractmethod
    def found(self) -> Formula | None:
        """Return a formula that solves the exercise, if there is one."""


Finding = TypeVar("Finding", bound=FindFormula)


def with_choices(free: Finding, right: Formula, wrong: Iterable[Formula], rng: Rng) -> Finding:
    """Return the exercise with four formulas to choose from, exactly one of which must be right."""
    found = [right, *wrong]
    assume(len(found) >= CHOICES)
    exercise = replace(free, choices=tuple(found[k] for k in rng.permutation(CHOICES).tolist()))  # type: ignore[call-arg]
    numbers = [str(n) for n in range(1, CHOICES + 1) if exercise.check(str(n)).right]
    assume(len(numbers) == 1 and numbers == [exercise.solution()])
    return exercise


@dataclass(frozen=True, slots=True, repr=False)
class Distinguish(FindFormula):
    """Find a formula that is true at one world and false at another."""

    kind: ClassVar[str] = "distinguish"
    about: ClassVar[str] = "which formula is true at one world and false at another?"
    parameters: ClassVar = {
        "size": WORLDS,
        "depth": Parameter(2, range(1, 6), "modal depth of the formulas, at most the worlds less 2"),
    }
    true_at: World
    false_at: World
    most_depth: int | None = None
    choices: tuple[Formula, ...] = ()

    def question(self) -> str:
        """Return the task in words."""
        apart = f"is true at {world_text(self.true_at)} and false at {world_text(self.false_at)}"
        if self.choices:
            return f"Which of these formulas {apart}?"
        depth = "" if self.most_depth is None else f" of modal depth at most {self.most_depth}"
        return f"Find a formula{depth} that {apart}."

    def check_formula(self, f: Formula) -> Result:
        """Return whether a formula distinguishes the worlds, and if not why."""
        depth = modal_depth(f)
        if self.most_depth is not None and depth > self.most_depth:
            allowed = f"at most {self.most_depth} is allowed"
            return Result(False, f"the modal depth of {f.unicode()} is {depth}, and {allowed}")
        worlds = (self.true_at, self.false_at)
        here, there = (self.model.holds(f, at=world) for world in worlds)
        first, second = (f"at {world_text(w)}: {self.model.explain(f, at=w)}" for w in worlds)
        if here and there:
            return Result(False, f"it is true at both worlds\n{second}")
        if not here and not there:
            return Result(False, f"it is false at both worlds\n{first}")
        turned = "" if here else "it is the wrong way round; its negation does it\n"
        return Result(here, f"{turned}{first}\n{second}")

    def found(self) -> Formula | None:
        """Return a smallest formula that distinguishes the worlds."""
        return distinguishing_formula(self.model, self.true_at, self.model, self.false_at)

    @classmethod
    def generate(cls, rng: Rng, *, size: int, depth: int) -> Self:
        """Return two worlds that formulas of a smaller depth do not distinguish, and four formulas.

        Among n worlds, a depth of n - 2 always suffices, so small models need no larger depth.
        """
        deep = min(depth, size - 2)
        model = random_model(size, "ab", rng) if deep < 3 and size > 3 else chain_model(size, rng)
        pairs = [
            (w, v)
            for w, v in combinations(model.worlds, 2)
            if bisimilar(model, w, model, v, depth=deep - 1) and not bisimilar(model, w, model, v, depth=deep)
        ]
        assume(pairs)
        w, v = pairs[int(rng.integers(len(pairs)))]
        right = distinguishing_formula(model, w, model, v)
        if right is None or modal_depth(right) != deep:
            raise Unsuitable
        free = cls("", model, w, v)
        wrong: dict[Formula, None] = {}
        for _ in range(40):
            f = random_formula(model, deep, rng)
            if len(wrong) < CHOICES - 1 and (not model.holds(f, at=w) or model.holds(f, at=v)):
                wrong.setdefault(f)
        return with_choices(free, right, wrong, rng)


@dataclass(frozen=True, slots=True, repr=False)
class Announcement(FindFormula):
    """Which announcement makes some agents learn a fact and others not?

    `learns`: pairs of an agent and a formula that they should know afterwards. `ignorant`: pairs of an agent
    and a formula whose truth value they should not know. `speaker`: the speaker, who must know that the
    announcement is true, and everyone learns that; None: any true formula may be announced.
    """

    kind: ClassVar[str] = "announcement"
    about: ClassVar[str] = "which announcement lets one agent know a secret, and not another?"
    parameters: ClassVar = {
        "size": WORLDS,
        "depth": Parameter(2, range(1, 6), "modal depth of the announcement"),
    }
    speaker: Agent | None
    learns: Goals
    ignorant: Goals = ()
    choices: tuple[Formula, ...] = ()

    def question(self) -> str:
        """Return the task in words."""
        which = "which of these announcements" if self.choices else "which announcement"
        by, meaning = "", ""
        if self.speaker:
            said, by = s.Knows(self.speaker, "φ"), f" by {self.speaker}"
            after = formal(s.Box(s.Announce(said), "ψ"))
            meaning = (
                f"If {self.speaker} announces {formal(said.body)}, everyone learns {formal(said)}: "
                f"afterwards {formal(s.Atom('ψ'))} is true if {after} was true before. "
            )
        aims = [f"{agent} knows that {formal(f)}" for agent, f in self.learns]
        aims += [f"{agent} does not know whether {formal(f)}" for agent, f in self.ignorant]
        at = ", ".join(map(world_text, self.model.designated))
        return f"The actual world is {at}. {meaning}After {which}{by} is it true that {' and '.join(aims)}?"

    def check_formula(self, f: Formula) -> Result:
        """Return whether an announcement has these effects, and if not which condition fails."""
        said = f if self.speaker is None else s.Knows(self.speaker, f)
        if not self.model.holds(said):
            who = "it is not true" if self.speaker is None else f"{self.speaker} cannot say it truthfully"
            return Result(False, f"{who}\n{self.model.explain(said)}")
        after, wanted = self.model.announce(said), self.aims()
        for aim in wanted:
            if not after.holds(aim):
                left = ", ".join(map(world_text, after.worlds[:8]))
                left = f"{len(after)} of {len(self.model)} worlds are left ({left})"
                return Result(
                    False,
                    f"afterwards it should be true that {clause(aim)}\n"
                    f"after the announcement {left}, and there\n{after.explain(aim)}",
                )
        return Result(True, "\n".join(str(after.explain(aim)) for aim in wanted))

    def works(self, f: Formula) -> bool:
        """Return whether an announcement has these effects; faster than `check_formula`, without reasons."""
        said = f if self.speaker is None else s.Knows(self.speaker, f)
        return self.model.holds(said) and all(map(self.model.announce(said).holds, self.aims()))

    def aims(self) -> list[Formula]:
        """Return the formulas that should be true afterwards."""
        known: list[Formula] = [s.Knows(agent, g) for agent, g in self.learns]
        return known + [s.Not(s.KnowsWhether(agent, g)) for agent, g in self.ignorant]

    def found(self) -> Formula | None:
        """Return a shortest announcement with these effects."""
        learns, ignorant = by_agent(self.learns), by_agent(self.ignorant)
        for speaker in [self.speaker] if self.speaker else self.model.agents:
            found = shortest_announcement(self.model, speaker, learns=learns, ignorant=ignorant)
            if found is not None:
                return found.body if isinstance(found, s.Knows) and self.speaker else found
        return None

    @classmethod
    def generate(cls, rng: Rng, *, size: int, depth: int) -> Self:
        """Return a secret that a may tell b, but not c, and four announcements."""
        model = random_model(size, "abc", rng)
        secret = random_literal(model, rng)
        if not model.holds(secret):
            secret = s.Not(secret) if isinstance(secret, s.Atom) else secret.children[0]
        assume(not model.holds(s.Knows("b", secret)) and not model.holds(s.KnowsWhether("c", secret)))
        free = cls("", model, "a", (("b", secret),), (("c", secret),))
        plain = replace(free, speaker=None)
        right: dict[Formula, None] = {}
        wrong: dict[Formula, None] = {}
        unknown: dict[Formula, None] = {}
        for _ in range(_ANNOUNCED):
            f = random_formula(model, int(rng.integers(depth)), rng)
            if not model.holds(f) or model.valid(f):
                continue  # false or uninformative
            works, known = free.works(f), model.holds(s.Knows("a", f))
            if works == plain.works(f):  # in both readings of "by a"
                (right if works else wrong if known else unknown).setdefault(f)
            if right and len(wrong) >= CHOICES - 1:
                break
        assume(right)
        return with_choices(free, next(iter(right)), (*wrong, *unknown), rng)
