"""Formulas in one model: where they are true, how probable they are, and which one tells worlds apart."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, islice
from typing import ClassVar, Self, TypeVar

from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.logic.english.sentences import clause, names
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel, bisimilar, distinguishing_formula
from kripke_werewolf.logic.semantics.worlds import world_text
from kripke_werewolf.research.planning import shortest_announcement
from kripke_werewolf.teach.exercises import random_parts
from kripke_werewolf.teach.exercises.exercise import (
    Listing,
    Mistake,
    OnModel,
    Parameter,
    Result,
    Rng,
    modal_depth,
)
from kripke_werewolf.teach.exercises.forms import AFormula, Choice, Form, Names, Number, YesNo, formal
from kripke_werewolf.teach.exercises.generation import Unsuitable, assume
from kripke_werewolf.teach.exercises.random_parts import DEPTH, WORLDS, slips
from kripke_werewolf.teach.exercises.serialisation import Agent, Goals, World

CHOICES = 4
_ANNOUNCED = 60  # formulas tried as announcements in one model


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
    def generate(cls, rng: Rng, *, size: int, depth: int) -> Self:
        """Return a question about a random S5 model and a formula true at some but not all worlds."""
        return cls("", *random_parts.telling(size, depth, rng))


def true_in(model: KripkeModel, f: Formula) -> frozenset[str]:
    """Return the worlds where a formula is true, by their names in sentences."""
    return frozenset(map(world_text, model.where(f)))


# --- probabilities ---------------------------------------------------------------------------------


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
        if not self._known(self._after()):
            raise ModelError(f"{self.agent} considers no world possible at {world_text(self.at)}")

    def _after(self) -> KripkeModel:
        model = self.model.point(self.at)
        return model if self.announced is None else model.announce(self.announced)

    def _weights(self, model: KripkeModel) -> Mapping[Hashable, int]:
        return model.weights.get(self.agent, dict.fromkeys(model, 1)) or dict.fromkeys(model, 0)

    def _known(self, model: KripkeModel) -> Mapping[Hashable, int]:
        """Return the weights of the worlds that the agent considers possible."""
        weights = self._weights(model)
        return {v: weights[v] for v in model.successors(self.agent, self.at)}

    def question(self) -> str:
        """Return the task in words."""
        weights = self._weights(self.model)
        each = f"the worlds have the weights {', '.join(f'{world_text(w)}: {n}' for w, n in weights.items())}"
        if len(set(weights.values())) == 1:
            each = "all worlds have the same weight"
        asked = f"What is the probability of {formal(self.formula)} for {self.agent} at {world_text(self.at)}"
        if self.announced is not None:
            asked += f" after the public announcement of {formal(self.announced)}"
        return f"For {self.agent} {each}. {asked}?"

    def _share(self, model: KripkeModel, weights: Mapping[Hashable, int]) -> Fraction:
        """Return the weight of the worlds among some where the formula is true, as a share of these."""
        return Fraction(sum(weights.get(v, 0) for v in model.where(self.formula)), sum(weights.values()))

    def judge(self, answer: Fraction) -> Result:
        """Return whether the number is the probability, and how it is computed."""
        after = self._after()
        known, true = self._known(after), set(after.where(self.formula))
        lines = [f"{self.agent} considers possible: {names(list(map(world_text, known)))}"]
        for v, weight in known.items():
            truth = "true" if v in true else "false"
            lines.append(f"{world_text(v)} has weight {weight}; {self.formula.unicode()} is {truth} there")
        right, part = self._share(after, known), sum(known[v] for v in known if v in true)
        lines.append(f"so the probability is {part} of {sum(known.values())}, which is {right}")
        return Result(answer == right, "\n".join(lines))

    def solution(self) -> str:
        """Return the probability."""
        after = self._after()
        return str(self._share(after, self._known(after)))

    def mistakes(self) -> Iterator[Mistake]:
        """Yield the results of counting worlds, of using all worlds, and of ignoring the event."""
        after = self._after()
        counted = self._share(after, dict.fromkeys(self._known(after), 1))
        yield Mistake(str(counted), "worlds counted", "the worlds have different weights")
        sentence = f"only the worlds that {self.agent} considers possible count"
        yield Mistake(str(self._share(after, self._weights(after))), "all worlds", sentence)
        if self.announced is not None:
            before = self._share(self.model, self._known(self.model))
            sentence = "the announcement removes the worlds where it is false"
            yield Mistake(str(before), "announcement ignored", sentence)

    @classmethod
    def generate(cls, rng: Rng, *, size: int, depth: int, event: str) -> Self:
        """Return a question about a random model with weights; the answer is neither 0 nor 1."""
        model = random_parts.random_model(size, "ab", rng)
        agent = str(rng.choice(list(model.agents)))
        weights = [int(rng.integers(1, 5)) for _ in model.worlds]
        weighed = KripkeModel.from_dict(model.to_dict() | {"weights": {agent: weights}})
        f, at = random_parts.random_formula(model, depth, rng), random_parts.pick_world(model, rng)
        announced = None
        if event == "announcement":
            announced = random_parts.random_formula(model, int(rng.random() < 0.4), rng)
        assume(announced is None or model.holds(announced, at=at))
        exercise = cls("", weighed.point(at), agent, f, at, announced)
        wrong = [mistake.answer for mistake in exercise.mistakes() if mistake.name != "all worlds"]
        assume(exercise.solution() not in ("0", "1", *wrong))
        return exercise


# --- finding formulas ------------------------------------------------------------------------------


class _FindFormula(OnModel):
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


Finding = TypeVar("Finding", bound=_FindFormula)


def _with_choices(free: Finding, right: Formula, wrong: Iterable[Formula], rng: Rng) -> Finding:
    """Return the exercise with four formulas to choose from, exactly one of which must be right."""
    found = [right, *wrong]
    assume(len(found) >= CHOICES)
    exercise = replace(free, choices=tuple(found[k] for k in rng.permutation(CHOICES).tolist()))  # type: ignore[call-arg]
    numbers = [str(n) for n in range(1, CHOICES + 1) if exercise.check(str(n)).right]
    assume(len(numbers) == 1 and numbers == [exercise.solution()])
    return exercise


@dataclass(frozen=True, slots=True, repr=False)
class Distinguish(_FindFormula):
    """Find a formula that is true at one world and false at another."""

    kind: ClassVar[str] = "distinguish"
    about: ClassVar[str] = "which formula is true at one world and false at another?"
    parameters: ClassVar = {
        "size": WORLDS,
        "depth": Parameter(2, range(1, 6), "modal depth of the formulas, at most the worlds minus 2"),
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
        deep = "" if self.most_depth is None else f" of modal depth at most {self.most_depth}"
        return f"Find a formula{deep} that {apart}."

    def check_formula(self, f: Formula) -> Result:
        """Return whether a formula distinguishes the worlds, and if not why."""
        depth = modal_depth(f)
        if self.most_depth is not None and depth > self.most_depth:
            allowed = f"at most {self.most_depth} is allowed"
            return Result(False, f"the modal depth of {f.unicode()} is {depth}, and {allowed}")
        worlds = (self.true_at, self.false_at)
        here, there = (self.model.holds(f, at=world) for world in worlds)
        first, second = (f"at {world_text(w)}: {self.model.explain(f, at=w)}" for w in worlds)
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
        """Return two worlds that formulas of a smaller depth do not distinguish, and four formulas.

        Among n worlds, a depth of n - 2 always suffices, so small models need no larger depth.
        """
        deep = min(depth, size - 2)
        few = deep < 3 < size
        model = random_parts.random_model(size, "ab", rng) if few else random_parts.chain_model(size, rng)
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
        tried = [random_parts.random_formula(model, deep, rng) for _ in range(40)]
        wrong = (f for f in dict.fromkeys(tried) if not model.holds(f, at=w) or model.holds(f, at=v))
        return _with_choices(cls("", model, w, v), right, islice(wrong, CHOICES - 1), rng)


@dataclass(frozen=True, slots=True, repr=False)
class Announcement(_FindFormula):
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
        which, by, meaning = "which of these announcements" if self.choices else "which announcement", "", ""
        if self.speaker:
            said, by = s.Knows(self.speaker, "φ"), f" by {self.speaker}"
            after = formal(s.Box(s.Announce(said), "ψ"))
            meaning = f"If {self.speaker} announces {formal(said.body)}, everyone learns {formal(said)}: "
            meaning += f"afterwards {formal(s.Atom('ψ'))} is true if {after} was true before. "
        aims = [f"{agent} knows that {formal(f)}" for agent, f in self.learns]
        aims += [f"{agent} does not know whether {formal(f)}" for agent, f in self.ignorant]
        at = ", ".join(map(world_text, self.model.designated))
        return f"The actual world is {at}. {meaning}After {which}{by} is it true that {' and '.join(aims)}?"

    def check_formula(self, f: Formula) -> Result:
        """Return whether an announcement has these effects, and if not which condition fails."""
        said = self._said(f)
        if not self.model.holds(said):
            who = "it is not true" if self.speaker is None else f"{self.speaker} cannot say it truthfully"
            return Result(False, f"{who}\n{self.model.explain(said)}")
        after, wanted = self.model.announce(said), self.aims()
        for aim in wanted:
            if not after.holds(aim):
                left = ", ".join(map(world_text, after.worlds[:8]))
                told = f"after the announcement {len(after)} of {len(self.model)} worlds are left ({left})"
                should = f"afterwards it should be true that {clause(aim)}"
                return Result(False, f"{should}\n{told}, and there\n{after.explain(aim)}")
        return Result(True, "\n".join(str(after.explain(aim)) for aim in wanted))

    def _said(self, f: Formula) -> Formula:
        return f if self.speaker is None else s.Knows(self.speaker, f)

    def works(self, f: Formula) -> bool:
        """Return whether an announcement has these effects; faster than `check_formula`, without reasons."""
        said = self._said(f)
        return self.model.holds(said) and all(map(self.model.announce(said).holds, self.aims()))

    def aims(self) -> list[Formula]:
        """Return the formulas that should be true afterwards."""
        known: list[Formula] = [s.Knows(agent, g) for agent, g in self.learns]
        return known + [s.Not(s.KnowsWhether(agent, g)) for agent, g in self.ignorant]

    def found(self) -> Formula | None:
        """Return a shortest announcement with these effects."""
        learns, ignorant = grouped(self.learns), grouped(self.ignorant)
        for speaker in [self.speaker] if self.speaker else self.model.agents:
            found = shortest_announcement(self.model, speaker, learns=learns, ignorant=ignorant)
            if found is not None:
                return found.body if isinstance(found, s.Knows) and self.speaker else found
        return None

    @classmethod
    def generate(cls, rng: Rng, *, size: int, depth: int) -> Self:
        """Return a secret that a may tell b, but not c, and four announcements."""
        model = random_parts.random_model(size, "abc", rng)
        secret = random_parts.random_literal(model, rng)
        if not model.holds(secret):
            secret = s.Not(secret) if isinstance(secret, s.Atom) else secret.children[0]
        assume(not model.holds(s.Knows("b", secret)) and not model.holds(s.KnowsWhether("c", secret)))
        free = cls("", model, "a", (("b", secret),), (("c", secret),))
        plain = replace(free, speaker=None)
        right, wrong, unknown = dict[Formula, None](), dict[Formula, None](), dict[Formula, None]()
        for _ in range(_ANNOUNCED):
            f = random_parts.random_formula(model, int(rng.integers(depth)), rng)
            if not model.holds(f) or model.valid(f):
                continue  # false or uninformative
            works = free.works(f)
            if works == plain.works(f):  # in both readings of "by a"
                ways = right
                if not works:
                    ways = wrong if model.holds(s.Knows("a", f)) else unknown
                ways.setdefault(f)
            if right and len(wrong) >= CHOICES - 1:
                break
        assume(right)
        return _with_choices(free, next(iter(right)), (*wrong, *unknown), rng)
