"""The kinds of exercises, and how an answer to each is read and checked.

`check` takes an answer as a string and returns whether it is right, and why. An answer in the wrong
format, or a formula about other atoms, raises `FormatError` with line and column.
"""

from __future__ import annotations

import json
import re
from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

from kripke_werewolf.deciding import logic_named, satisfiable
from kripke_werewolf.display import Displayed, drawn
from kripke_werewolf.errors import FormatError, KripkeError, ModelError, UnknownNameError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.sentences import clause
from kripke_werewolf.models import KripkeModel, distinguishing_formula
from kripke_werewolf.models.formats import json as json_format
from kripke_werewolf.planning import shortest_announcement
from kripke_werewolf.proofs import check, check_tableau, derivation, hint, read_proof, read_tableau, tableau
from kripke_werewolf.reports.documents import Block, Items, Outline, Paragraph
from kripke_werewolf.semantics.explanation import world_text
from kripke_werewolf.stories.text import begin, located, read_formula


@dataclass(frozen=True, slots=True, repr=False)
class Result(Displayed):
    """Whether an answer is right, and the reason in sentences."""

    right: bool
    reason: str

    def headline(self) -> str:
        """Return the verdict and the reason."""
        return str(self)

    def display(self) -> Iterator[Block]:
        """Yield the verdict and the reason, whose indentation counts."""
        yield Outline(str(self))

    def __str__(self) -> str:
        return f"{'right' if self.right else 'wrong'}: {self.reason}"


@dataclass(frozen=True, slots=True, repr=False)
class Exercise(Displayed):
    """One task; an immutable value. `title`: its heading; may be empty."""

    kind: ClassVar[str]

    title: str

    def headline(self) -> str:
        """Return the task; not its solution."""
        return self.question()

    def display(self) -> Iterator[Block]:
        """Yield the task, its model and the choices, as a student sees them."""
        yield Paragraph(f"{self.title}. {self.question()}" if self.title else self.question())
        if self.shown_model is not None:
            yield drawn(self.shown_model)
        if self.shown_choices:
            yield Items(tuple(f"{k}: {f.unicode()}" for k, f in enumerate(self.shown_choices, 1)))
        yield Paragraph(f"Answer: {self.answer_form()}.")

    @abstractmethod
    def question(self) -> str:
        """Return the task in words; formulas stand between backticks."""

    @abstractmethod
    def answer_form(self) -> str:
        """Return the form of an answer, in words."""

    @abstractmethod
    def check(self, answer: str, *, source: str = "answer") -> Result:
        """Return whether an answer is right, and why; `source` is its name in errors."""

    @abstractmethod
    def solution(self) -> str:
        """Return a right answer, as `check` accepts it."""

    @property
    def shown_model(self) -> KripkeModel | None:
        """The model that the task is about, None if it is about none."""
        return None

    @property
    def shown_choices(self) -> tuple[Formula, ...]:
        """The formulas to choose from; empty if the answer is free."""
        return ()


@dataclass(frozen=True, slots=True, repr=False)
class OnModel(Exercise):
    """A task about a model that the student is shown."""

    model: KripkeModel

    @property
    def shown_model(self) -> KripkeModel:
        """The model."""
        return self.model


@dataclass(frozen=True, slots=True, repr=False)
class ModelChecking(OnModel):
    """Is a formula true at a world? The answer is yes or no."""

    kind: ClassVar[str] = "model-checking"
    formula: Formula
    at: Hashable

    def question(self) -> str:
        """Return the task in words."""
        return f"Is `{self.formula}` true at {world_text(self.at)}?"

    def answer_form(self) -> str:
        """Return the form of an answer, in words."""
        return "yes or no"

    def check(self, answer: str, *, source: str = "answer") -> Result:
        """Return whether yes or no is right, and why."""
        said = _Answer(answer, source).yes_no()
        why = self.model.explain(self.formula, at=self.at)
        return Result(said == why.value, str(why))

    def solution(self) -> str:
        """Return yes or no."""
        return "yes" if self.model.holds(self.formula, at=self.at) else "no"


@dataclass(frozen=True, slots=True, repr=False)
class TruthSet(OnModel):
    """At which worlds is a formula true? The answer is a list of worlds."""

    kind: ClassVar[str] = "truth-set"
    formula: Formula

    def question(self) -> str:
        """Return the task in words."""
        return f"At which worlds is `{self.formula}` true?"

    def answer_form(self) -> str:
        """Return the form of an answer, in words."""
        return "names of worlds between commas, or none"

    def check(self, answer: str, *, source: str = "answer") -> Result:
        """Return whether the worlds are those, and why the first wrong one is not."""
        said = _Answer(answer, source).worlds([world_text(w) for w in self.model.worlds])
        true = set(self.model.where(self.formula))
        for world in self.model.worlds:
            name = world_text(world)
            if (world in true) != (name in said):
                missing = "is missing" if world in true else "does not belong there"
                return Result(False, f"{name} {missing}\n{self.model.explain(self.formula, at=world)}")
        return Result(True, f"these are all worlds where {self.formula} is true")

    def solution(self) -> str:
        """Return the worlds."""
        return ", ".join(map(world_text, self.model.where(self.formula))) or "none"


@dataclass(frozen=True, slots=True, repr=False)
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
        """Return the form of an answer, in words."""
        return "a model as JSON, with one designated world"

    def check(self, answer: str, *, source: str = "answer") -> Result:
        """Return whether the model is one of the logic, small enough, and makes the formula true."""
        model = _Answer(answer, source).model(self.formula)
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
        return Result(model.holds(self.formula), str(model.explain(self.formula)))

    def solution(self) -> str:
        """Return a smallest model found by the decision procedure."""
        model = satisfiable(self.formula, logic=self.logic)
        if model is None or (self.most_worlds is not None and len(model) > self.most_worlds):
            raise ModelError(f"no model of {self.logic} is known that solves the exercise: {self.question()}")
        return json.dumps(model.to_dict(), ensure_ascii=False)


class _FindFormula(OnModel):
    """A task whose answer is a formula: a free one, or one of the `choices`."""

    __slots__ = ()

    choices: tuple[Formula, ...]

    @property
    def shown_choices(self) -> tuple[Formula, ...]:
        """The formulas to choose from; empty if the answer is free."""
        return self.choices

    def answer_form(self) -> str:
        """Return the form of an answer, in words."""
        return "the number of a formula" if self.choices else "a formula"

    def check(self, answer: str, *, source: str = "answer") -> Result:
        """Return whether the formula, or the one with this number, is right, and if not why."""
        return self.check_formula(_Answer(answer, source).formula(self.choices, self.model))

    def solution(self) -> str:
        """Return a formula, or the number of the right choice."""
        for number, f in enumerate(self.choices, 1):
            if self.check_formula(f).right:
                return str(number)
        found = None if self.choices else self._found()
        if found is None or not self.check_formula(found).right:
            raise ModelError(f"the exercise has no solution: {self.question()}")
        return str(found)

    @abstractmethod
    def check_formula(self, f: Formula) -> Result:
        """Return whether a formula is right, and if not why."""

    @abstractmethod
    def _found(self) -> Formula | None:
        """Return the formula that solves the exercise, if one does."""


@dataclass(frozen=True, slots=True, repr=False)
class Distinguish(_FindFormula):
    """Find a formula that is true at one world and false at another."""

    kind: ClassVar[str] = "distinguish"
    true_at: Hashable
    false_at: Hashable
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
        """Return whether a formula tells the worlds apart, and if not why."""
        depth = modal_depth(f)
        if self.most_depth is not None and depth > self.most_depth:
            allowed = f"at most {self.most_depth} is allowed"
            return Result(False, f"the modal depth of {f} is {depth}, and {allowed}")
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

    def _found(self) -> Formula | None:
        return distinguishing_formula(self.model, self.true_at, self.model, self.false_at)


@dataclass(frozen=True, slots=True, repr=False)
class Announcement(_FindFormula):
    """What may an agent announce so that some learn a thing and others do not?

    `learns`: pairs of an agent and a formula that they shall know afterwards. `ignorant`: pairs of an
    agent and a formula of which they shall not know whether it is true. `speaker`: who speaks, and so
    must know that the formula is true; None: anything true may be announced.
    """

    kind: ClassVar[str] = "announcement"
    speaker: str | None
    learns: tuple[tuple[str, Formula], ...]
    ignorant: tuple[tuple[str, Formula], ...] = ()
    choices: tuple[Formula, ...] = ()

    def question(self) -> str:
        """Return the task in words."""
        which = "Which of these announcements" if self.choices else "Which announcement"
        by = f" by {self.speaker}" if self.speaker else ""
        aims = [f"{agent} knows `{f}`" for agent, f in self.learns]
        aims += [f"{agent} does not know whether `{f}`" for agent, f in self.ignorant]
        at = ", ".join(map(world_text, self.model.designated))
        return f"The actual world is {at}. {which}{by} makes it so that {' and '.join(aims)}?"

    def check_formula(self, f: Formula) -> Result:
        """Return whether an announcement does it, and if not which condition fails."""
        said = f if self.speaker is None else s.Knows(self.speaker, f)
        if not self.model.holds(said):
            who = "it is not true" if self.speaker is None else f"{self.speaker} cannot say it truthfully"
            return Result(False, f"{who}\n{self.model.explain(said)}")
        after = self.model.announce(said)
        wanted: list[Formula] = [s.Knows(agent, g) for agent, g in self.learns]
        wanted += [s.Not(s.KnowsWhether(agent, g)) for agent, g in self.ignorant]
        for aim in wanted:
            if not after.holds(aim):
                left = ", ".join(map(world_text, after.worlds[:8]))
                return Result(
                    False,
                    f"it should be so that {clause(aim)}\nafter the announcement {len(after)} of "
                    f"{len(self.model)} worlds are left ({left}), and there\n{after.explain(aim)}",
                )
        return Result(True, "\n".join(str(after.explain(aim)) for aim in wanted))

    def _found(self) -> Formula | None:
        learns, ignorant = by_agent(self.learns), by_agent(self.ignorant)
        for speaker in [self.speaker] if self.speaker else self.model.agents:
            found = shortest_announcement(self.model, speaker, learns=learns, ignorant=ignorant)
            if found is not None:
                return found.body if isinstance(found, s.Knows) and self.speaker else found
        return None


@dataclass(frozen=True, slots=True)
class Derivation(Exercise):
    """Derive a formula in a logic. The answer is a derivation, line by line; a wrong one gets a hint."""

    kind: ClassVar[str] = "derivation"
    formula: Formula
    logic: str

    def question(self) -> str:
        """Return the task in words."""
        return f"Derive `{self.formula}` in {self.logic}."

    def answer_form(self) -> str:
        """Return the form of an answer, in words."""
        return "lines such as 4. K_a p -> K_a q   MP 2, 3: a formula, a rule, and the lines it is applied to"

    def check(self, answer: str, *, source: str = "answer") -> Result:
        """Return whether every line is right and the last one is the formula; if not, where, and a hint."""
        proof = read_proof(answer, logic=self.logic, source=source)
        found = check(proof)
        if not found.right:
            return Result(False, f"{found}\nhint: {hint(proof)}")
        if proof.conclusion is not self.formula:
            return Result(False, f"it derives {proof.conclusion}, not {self.formula}")
        lines = "line" if len(proof) == 1 else "lines"
        return Result(True, f"each of the {len(proof)} {lines} follows by its rule")

    def solution(self) -> str:
        """Return a derivation found by the prover."""
        proof = derivation(self.formula, logic=self.logic)
        if proof is None:
            raise ModelError(f"the exercise has no solution: {self.formula} is not valid in {self.logic}")
        return str(proof)


@dataclass(frozen=True, slots=True)
class ClosedTableau(Exercise):
    """Show by a closed tableau that a formula is valid in a logic. The answer is the tableau."""

    kind: ClassVar[str] = "tableau"
    formula: Formula
    logic: str

    def question(self) -> str:
        """Return the task in words."""
        return f"Show by a closed tableau that `{self.formula}` is valid in {self.logic}."

    def answer_form(self) -> str:
        """Return the form of an answer, in words."""
        return "lines such as 4. w1: ~K_a p   3, branches indented, and x 4, 5 where a branch closes"

    def check(self, answer: str, *, source: str = "answer") -> Result:
        """Return whether the tableau is for the formula, right and closed; if not, which line is wrong."""
        tree = read_tableau(answer, source=source)
        found = check_tableau(tree, self.formula, logic=self.logic)
        return Result(found.right, "every branch is closed" if found.right else str(found))

    def solution(self) -> str:
        """Return a closed tableau."""
        tree = tableau(self.formula, logic=self.logic)
        if tree is None:
            raise ModelError(f"the exercise has no solution: {self.formula} is not valid in {self.logic}")
        return str(tree)


EXERCISES: Mapping[str, type[Exercise]] = {
    kind.kind: kind
    for kind in (ModelChecking, TruthSet, FindModel, Distinguish, Announcement, Derivation, ClosedTableau)
}
"""The kinds of exercises by name."""


def by_agent(pairs: Iterable[tuple[str, Formula]]) -> dict[Any, list[Formula]]:
    """Return the formulas of each agent."""
    found: dict[Any, list[Formula]] = {}
    for agent, f in pairs:
        found.setdefault(agent, []).append(f)
    return found


def modal_depth(f: Formula) -> int:
    """Return how many operators of knowledge are nested in a formula.

    >>> from kripke_werewolf.language import parse
    >>> modal_depth(parse("K_a (p -> ~K_b q)"))
    2
    """
    depth: dict[Formula, int] = {}
    for node in f.subformulas():
        inner = max((depth[child] for child in node.children), default=0)
        depth[node] = inner + (not node.pointwise)
    return depth[f]


# --- reading ---------------------------------------------------------------------------------------


def model_without_header(data: Any) -> KripkeModel:
    """Return the model that plain data describe, whose header may be left out; raises `FormatError`."""
    if isinstance(data, Mapping):
        data = {"format": json_format.FORMAT, "version": json_format.VERSION, **data}
    return KripkeModel.from_dict(data)


_YES_NO = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}


class _Answer:
    """An answer as it was given, and its name in errors."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.begin = begin(text)

    def refuse(self, message: str, position: int) -> NoReturn:
        raise located(self.text, position, self.source, message) from None

    def yes_no(self) -> bool:
        """Return yes as True and no as False."""
        word = self.text.strip().rstrip(".").casefold()
        if word not in _YES_NO:
            self.refuse(f"expected yes or no, got {self.text.strip()[:40]!r}", self.begin)
        return _YES_NO[word]

    def worlds(self, names: Sequence[str]) -> set[str]:
        """Return the names of worlds, between commas or on lines of their own; `none`: no world."""
        if self.text.strip().casefold() == "none" and "none" not in names:
            return set()
        found = set()
        for piece in re.finditer(r"[^,;\n]+", self.text.replace("{", " ").replace("}", " ")):
            name = piece[0].strip()
            if name and name not in names:
                error = UnknownNameError(name, names, kind="world")
                self.refuse(str(error), piece.start() + begin(piece[0]))
            if name:
                found.add(name)
        if not found:
            self.refuse("expected names of worlds between commas, or none", len(self.text.rstrip()))
        return found

    def formula(self, choices: Sequence[Formula], model: KripkeModel) -> Formula:
        """Return a formula; if there are choices, the one with this number, or written like this."""
        if not choices:
            return read_formula(self.text, model, self.refuse)
        word = self.text.strip().rstrip(".)")
        if word.isdecimal() and 1 <= int(word) <= len(choices):
            return choices[int(word) - 1]
        for f in choices:
            if str(f) == word:
                return f
        got = self.text.strip()[:40]
        return self.refuse(f"expected a number from 1 to {len(choices)}, got {got!r}", self.begin)

    def model(self, f: Formula) -> KripkeModel:
        """Return a model from JSON, which must have the atoms and agents of the formula."""
        try:
            data = json.loads(self.text)
        except json.JSONDecodeError as error:
            reason = f"{error.msg[:1].lower()}{error.msg[1:]}"
            self.refuse(f"expected a model as JSON: {reason}", error.pos)
        try:
            model = model_without_header(data)
            model.where(f)
        except KripkeError as error:
            raise FormatError(f"{self.source}: {error}") from None
        return model
