"""The kinds of exercises, and how an answer to each is checked.

`check` takes the text of an answer and returns whether it is right, and why. An answer of the wrong
form, or a formula about other atoms, raises `FormatError` with line and column.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kripke_werewolf.deciding import satisfiable
from kripke_werewolf.errors import ModelError
from kripke_werewolf.exercises.answers import read_answer, read_model, read_worlds, read_yes_no
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.logics import logic_named
from kripke_werewolf.models.distinguishing import distinguishing_formula
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.planning import shortest_announcement
from kripke_werewolf.semantics.wording import clause, world_text

__all__ = [
    "Announcement",
    "Distinguish",
    "Exercise",
    "FindModel",
    "ModelChecking",
    "Result",
    "TruthSet",
    "modal_depth",
]


@dataclass(frozen=True, slots=True)
class Result:
    """Whether an answer is right, and the reason in sentences."""

    right: bool
    reason: str

    def __str__(self) -> str:
        return f"{'right' if self.right else 'wrong'}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Exercise(ABC):
    """One task; an immutable value. `title`: its heading; may be empty."""

    kind: ClassVar[str]

    title: str

    @abstractmethod
    def question(self) -> str:
        """Return the task in words; formulas stand between backticks."""

    @abstractmethod
    def answer_form(self) -> str:
        """Return what an answer looks like."""

    @abstractmethod
    def check(self, answer: str, *, source: str = "answer") -> Result:
        """Return whether the text of an answer is right, and why; `source` is what errors call it."""

    @abstractmethod
    def solution(self) -> str:
        """Return a right answer, as a text that `check` accepts."""

    @property
    def shown_model(self) -> KripkeModel | None:
        """The model that the task is about, None if it is about none."""
        return None

    @property
    def shown_choices(self) -> tuple[Formula, ...]:
        """The formulas to choose from; empty if the answer is free."""
        return ()


@dataclass(frozen=True, slots=True)
class _OnModel(Exercise):
    """A task about a model that the student is shown."""

    model: KripkeModel

    @property
    def shown_model(self) -> KripkeModel:
        """The model."""
        return self.model


@dataclass(frozen=True, slots=True)
class ModelChecking(_OnModel):
    """Is a formula true at a world? The answer is yes or no."""

    kind: ClassVar[str] = "model-checking"
    formula: Formula
    at: Hashable

    def question(self) -> str:
        """Return the task in words."""
        return f"Is `{self.formula}` true at {world_text(self.at)}?"

    def answer_form(self) -> str:
        """Return what an answer looks like."""
        return "yes or no"

    def check(self, answer: str, *, source: str = "answer") -> Result:
        """Return whether yes or no is right, and why."""
        said = read_yes_no(answer, source)
        why = self.model.explain(self.formula, at=self.at)
        return Result(said == why.value, str(why))

    def solution(self) -> str:
        """Return yes or no."""
        return "yes" if self.model.holds(self.formula, at=self.at) else "no"


@dataclass(frozen=True, slots=True)
class TruthSet(_OnModel):
    """At which worlds is a formula true? The answer is a list of worlds."""

    kind: ClassVar[str] = "truth-set"
    formula: Formula

    def question(self) -> str:
        """Return the task in words."""
        return f"At which worlds is `{self.formula}` true?"

    def answer_form(self) -> str:
        """Return what an answer looks like."""
        return "names of worlds between commas, or none"

    def check(self, answer: str, *, source: str = "answer") -> Result:
        """Return whether the worlds are those, and why the first wrong one is not."""
        said = set(read_worlds(answer, [world_text(w) for w in self.model.worlds], source))
        true = self.model.truth_set(self.formula)
        for number, world in enumerate(self.model.worlds):
            name = world_text(world)
            if true[number] != (name in said):
                missing = "is missing" if true[number] else "does not belong there"
                return Result(False, f"{name} {missing}\n{self.model.explain(self.formula, at=world)}")
        return Result(True, f"these are all worlds where {self.formula} is true")

    def solution(self) -> str:
        """Return the worlds."""
        return ", ".join(map(world_text, self.model.where(self.formula))) or "none"


@dataclass(frozen=True, slots=True)
class FindModel(Exercise):
    """Find a model, in a logic, where a formula is true. The answer is a model as JSON."""

    kind: ClassVar[str] = "find-model"
    formula: Formula
    logic: str
    most_worlds: int | None = None

    def question(self) -> str:
        """Return the task in words."""
        most = f" with at most {self.most_worlds} worlds" if self.most_worlds else ""
        return f"Find a model of {self.logic}{most} and a world in it where `{self.formula}` is true."

    def answer_form(self) -> str:
        """Return what an answer looks like."""
        return "a model as JSON, with one designated world"

    def check(self, answer: str, *, source: str = "answer") -> Result:
        """Return whether the model is one of the logic, small enough, and makes the formula true."""
        model = read_model(answer, source, self.formula)
        if len(model.designated) != 1:
            return Result(False, f"{len(model.designated)} worlds are designated; designate the one you mean")
        if self.most_worlds is not None and len(model) > self.most_worlds:
            return Result(False, f"it has {len(model)} worlds, and at most {self.most_worlds} are allowed")
        for agent in model.agents:
            found = model.frame_class(agent)
            for wanted in logic_named(self.logic).properties:
                if wanted in found.counterexamples:
                    worlds = ", ".join(map(world_text, found.counterexamples[wanted]))
                    return Result(False, f"the relation of {agent} is not {wanted}: look at {worlds}")
        why = model.explain(self.formula)
        return Result(model.holds(self.formula), str(why))

    def solution(self) -> str:
        """Return a smallest model found by the decision procedure."""
        import json

        model = satisfiable(self.formula, logic=self.logic)
        if model is None or (self.most_worlds is not None and len(model) > self.most_worlds):
            raise ModelError(f"no model of {self.logic} is known that solves the exercise: {self.question()}")
        return json.dumps(model.to_dict(), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Distinguish(_OnModel):
    """Find a formula that is true at one world and false at another."""

    kind: ClassVar[str] = "distinguish"
    true_at: Hashable
    false_at: Hashable
    most_depth: int | None = None
    choices: tuple[Formula, ...] = ()

    @property
    def shown_choices(self) -> tuple[Formula, ...]:
        """The formulas to choose from; empty if the answer is free."""
        return self.choices

    def question(self) -> str:
        """Return the task in words."""
        apart = f"is true at {world_text(self.true_at)} and false at {world_text(self.false_at)}"
        if self.choices:
            return f"Which of these formulas {apart}?"
        depth = "" if self.most_depth is None else f" of modal depth at most {self.most_depth}"
        return f"Find a formula{depth} that {apart}."

    def answer_form(self) -> str:
        """Return what an answer looks like."""
        return "the number of a formula" if self.choices else "a formula"

    def check(self, answer: str, *, source: str = "answer") -> Result:
        """Return whether the formula tells the worlds apart, and if not why."""
        return self.check_formula(read_answer(answer, self.choices, self.model, source))

    def check_formula(self, f: Formula) -> Result:
        """Return whether a formula tells the worlds apart, and if not why."""
        if self.most_depth is not None and modal_depth(f) > self.most_depth:
            return Result(
                False, f"the modal depth of {f} is {modal_depth(f)}, and at most {self.most_depth} is allowed"
            )
        here, there = self.model.holds(f, at=self.true_at), self.model.holds(f, at=self.false_at)
        first = f"at {world_text(self.true_at)}: {self.model.explain(f, at=self.true_at)}"
        second = f"at {world_text(self.false_at)}: {self.model.explain(f, at=self.false_at)}"
        if here and not there:
            return Result(True, f"{first}\n{second}")
        if there and not here:
            return Result(False, f"it is the wrong way round; its negation does it\n{first}\n{second}")
        if here:
            return Result(False, f"it is true at both worlds\n{second}")
        return Result(False, f"it is false at both worlds\n{first}")

    def solution(self) -> str:
        """Return a formula, or the number of the right choice."""
        right = [n for n, f in enumerate(self.choices, 1) if self.check_formula(f).right]
        if right:
            return str(right[0])
        f = distinguishing_formula(self.model, self.true_at, self.model, self.false_at)
        if f is None or self.choices:
            raise ModelError(f"the exercise has no solution: {self.question()}")
        return str(f)


@dataclass(frozen=True, slots=True)
class Announcement(_OnModel):
    """What may an agent announce so that some learn a thing and others do not?

    `learns`: pairs of an agent and a formula that it shall know afterwards. `ignorant`: pairs of an
    agent and a formula of which it shall not know whether it is true. `speaker`: who speaks, and so
    must know what is said; None: anything true may be announced.
    """

    kind: ClassVar[str] = "announcement"
    speaker: str | None
    learns: tuple[tuple[str, Formula], ...]
    ignorant: tuple[tuple[str, Formula], ...] = ()
    choices: tuple[Formula, ...] = ()

    @property
    def shown_choices(self) -> tuple[Formula, ...]:
        """The formulas to choose from; empty if the answer is free."""
        return self.choices

    def question(self) -> str:
        """Return the task in words."""
        which = "Which of these announcements" if self.choices else "Which announcement"
        by = f" by {self.speaker}" if self.speaker else ""
        aims = [f"{agent} knows `{f}`" for agent, f in self.learns]
        aims += [f"{agent} does not know whether `{f}`" for agent, f in self.ignorant]
        at = ", ".join(map(world_text, self.model.designated))
        return f"The actual world is {at}. {which}{by} makes it so that {' and '.join(aims)}?"

    def answer_form(self) -> str:
        """Return what an answer looks like."""
        return "the number of a formula" if self.choices else "a formula"

    def check(self, answer: str, *, source: str = "answer") -> Result:
        """Return whether the announcement does it, and if not which condition fails."""
        return self.check_formula(read_answer(answer, self.choices, self.model, source))

    def check_formula(self, f: Formula) -> Result:
        """Return whether an announcement does it, and if not which condition fails."""
        said = f if self.speaker is None else s.Knows(self.speaker, f)
        if not self.model.holds(said):
            who = "it is not true" if self.speaker is None else f"{self.speaker} cannot say it truthfully"
            return Result(False, f"{who}\n{self.model.explain(said)}")
        after = self.model.announce(said)
        wanted = [s.Knows(agent, g) for agent, g in self.learns]
        wanted += [~s.KnowsWhether(agent, g) for agent, g in self.ignorant]  # type: ignore[misc]
        for aim in wanted:
            if not after.holds(aim):
                left = ", ".join(map(world_text, after.worlds[:8]))
                return Result(
                    False,
                    f"it should be so that {clause(aim)}\nafter the announcement {len(after)} of "
                    f"{len(self.model)} worlds are left ({left}), and there\n{after.explain(aim)}",
                )
        return Result(True, "\n".join(str(after.explain(aim)) for aim in wanted))

    def solution(self) -> str:
        """Return an announcement, or the number of the right choice."""
        right = [n for n, f in enumerate(self.choices, 1) if self.check_formula(f).right]
        if right:
            return str(right[0])
        if not self.choices:
            found = self._shortest()
            if found is not None and self.check_formula(found).right:
                return str(found)
        raise ModelError(f"the exercise has no solution: {self.question()}")

    def _shortest(self) -> Formula | None:
        speakers: Sequence[str] = [self.speaker] if self.speaker else self.model.agents
        for speaker in speakers:
            learns: dict[object, list[s.FormulaLike]] = {}
            ignorant: dict[object, list[s.FormulaLike]] = {}
            for agent, f in self.learns:
                learns.setdefault(agent, []).append(f)
            for agent, f in self.ignorant:
                ignorant.setdefault(agent, []).append(f)
            found = shortest_announcement(self.model, speaker, learns=learns, ignorant=ignorant)
            if found is not None:
                return found.body if isinstance(found, s.Knows) and self.speaker else found
        return None


_BOOLEAN = (s.Atom, s.Constant, s.Not, s.And, s.Or, s.Xor, s.Implies, s.Iff, s.Count)


def modal_depth(f: Formula) -> int:
    """Return how many operators of knowledge are nested in a formula.

    >>> from kripke_werewolf.language import parse
    >>> modal_depth(parse("K_a (p -> ~K_b q)"))
    2
    """
    depth: dict[Formula, int] = {}
    for node in f.subformulas():
        inner = max((depth[child] for child in node.children), default=0)
        depth[node] = inner + (not isinstance(node, _BOOLEAN))
    return depth[f]
