"""The base class of exercises: a question, a form of answers, a checker with reasons, a solution.

A kind of exercise is one class derived from `Exercise`; see the package for how to write one.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeAlias

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import FormatError, ModelError, check_known
from kripke_werewolf.base.reader import whole
from kripke_werewolf.base.reports.documents import Beside, Block, Heading, Outline, Paragraph
from kripke_werewolf.logic.formulas import parse
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.semantics.action import ActionModel
from kripke_werewolf.teach.exercises.forms import Form, Names, compares, refuse
from kripke_werewolf.teach.language import OURS, CourseLanguage, in_signs

if TYPE_CHECKING:
    from numpy.random import Generator

Rng: TypeAlias = "Generator"
"""A random generator, from which exercises are made."""

Setting: TypeAlias = "int | str | tuple[str, ...]"
"""The value of a parameter."""

Card: TypeAlias = Mapping[str, Any]
"""What is decided before an exercise is generated, such as the verdict: arguments of `generate`."""

_GONE = {"missing-arrows": "frame-properties", "updated-relation": "product", "probability": "truth-set"}
_GONE |= {"group-truth-set": "truth-set", "set-model": "find-model", "set-derivation": "derivation"}
_GONE |= {"model-checking": "truth-set", "to-sentence": "to-formula"}
"""The kinds that were taken out, and the kinds to use instead, some of them with a list of `formulas`."""


def kind_named(name: str) -> type[Exercise]:
    """Return the kind with a name; raises `UnknownNameError`."""
    meant = f"{_GONE[name]!r} in new sheets (version 0.1.0 grades old ones)" if name in _GONE else None
    return Exercise.kinds[check_known(name, Exercise.kinds, kind="kind of exercise", meant=meant)]


@dataclass(frozen=True, slots=True, repr=False)
class Result(Displayed):
    """Whether an answer is right, and the reason in sentences, with formulas in textbook signs.

    `partial`: the share of the points for a wrong answer. `mistake`: the name of the typical mistake that
    leads to this answer; empty if none is known.
    """

    right: bool
    reason: str
    partial: Fraction = Fraction(0)
    mistake: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "reason", in_signs(self.reason))

    @property
    def credit(self) -> Fraction:
        """The share of the points that the answer gets: 1 if it is right."""
        return Fraction(1) if self.right else self.partial

    def headline(self) -> str:
        """Return the verdict and the reason."""
        return f"{'right' if self.right else 'wrong'}: {self.reason}"

    __str__ = headline

    def display(self) -> Iterator[Block]:
        """Yield the verdict and the reason, with its indentation."""
        yield Outline(str(self))


class Mistake(NamedTuple):
    """A typical wrong answer: the answer as a student writes it, and a sentence on the mistake.

    `name` is the same for the same mistake in all exercises, such as "E for C".
    """

    answer: str
    name: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter for generating exercises: its default, the allowed values (None: formulas), its meaning.

    >>> Parameter(4, range(3, 13), "worlds of the model").allowed_text
    'from 3 to 12'
    """

    default: Setting
    allowed: range | Sequence[str] | None
    meaning: str

    def settled(self, value: Any) -> Setting | None:
        """Return an allowed value, as a tuple of words where the default is one; None for any other.

        >>> rules, worlds = Parameter((), ("K", "4"), "rules"), Parameter(4, range(9), "worlds")
        >>> rules.settled("K, 4"), rules.settled(["K", "T"]), worlds.settled(5)
        (('K', '4'), None, 5)
        """
        if isinstance(self.default, tuple):
            sign = ";" if self.allowed is None else ","
            parts = value if isinstance(value, list | tuple) else str(value).split(sign)
            words = tuple(str(part).strip() for part in parts)
            if self.allowed is None:
                return tuple(str(parse(word)) for word in words)
            return words if all(word in self.allowed for word in words) else None
        allowed = self.allowed or ()
        return value if type(value) is type(self.default) and value in allowed else None

    @property
    def allowed_text(self) -> str:
        """The values allowed, in words."""
        if self.allowed is None:
            return "formulas (between semicolons on the command line)"
        if isinstance(self.allowed, range):
            return f"from {self.allowed[0]} to {self.allowed[-1]}"
        return ", ".join(self.allowed)


class Shown(NamedTuple):
    """A model or an action model that the task is about, and its caption; empty if there is only one."""

    thing: KripkeModel | ActionModel
    caption: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Exercise(Displayed):
    """One task; an immutable value. `title`: its heading; may be empty. `language`: that of the course."""

    kind: ClassVar[str]
    """The name of the kind in files and on the command line."""
    parameters: ClassVar[Mapping[str, Parameter]] = {}
    """The parameters for generating exercises of the kind; empty if they can only be written."""
    cards: ClassVar[Sequence[Sequence[Card]]] = (({},),)
    """The cards of `deck`, where they do not depend on the parameters."""
    close: ClassVar[float] = 9 / 8
    """How many times as difficult as another an exercise may be that is equally difficult."""
    patience: ClassVar[int] = 100
    """The number of attempts to generate an exercise before another card is drawn."""
    kinds: ClassVar[dict[str, type[Exercise]]] = {}
    """All kinds by name."""

    title: str
    language: CourseLanguage = field(default=OURS, kw_only=True)

    def __init_subclass__(cls) -> None:
        if "kind" in vars(cls):
            known = Exercise.kinds.setdefault(cls.kind, cls)
            if (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
                raise TypeError(f"{cls.kind!r} is the name of two kinds of exercises")
            Exercise.kinds[cls.kind] = cls  # a dataclass with slots is made twice; the second counts

    # required of a kind

    @abstractmethod
    def question(self) -> str:
        """Return the task in words; formulas stand between backticks."""

    @property
    @abstractmethod
    def form(self) -> Form:
        """How an answer is written."""

    @abstractmethod
    def judge(self, answer: Any) -> Result:
        """Return whether an answer, as read by the form, is right, and why."""

    @abstractmethod
    def solution(self) -> str:
        """Return a right answer, in the notation of the form; raises `ModelError` if there is none."""

    # optional

    @classmethod
    def deck(cls, *args: Any, **parameters: Any) -> Sequence[Sequence[Card]]:
        """Return the cards, in suits, of which one is drawn before each exercise is generated.

        They hold what must not depend on the difficulty, such as the verdict. All suits are equally frequent,
        and so are the cards of a suit. A list of formulas, if one is given, is the deck instead.
        """
        return cls.cards

    @classmethod
    def generate(cls, rng: Rng, *args: Any, **parameters: Any) -> Self | None:
        """Return a random exercise with these parameters, by name, or None if this attempt failed."""
        raise ModelError(f"exercises of the kind {cls.kind} cannot be generated; write one")

    def shown(self) -> tuple[Shown, ...]:
        """Return the models and actions that the student sees with the task."""
        return ()

    def desk(self) -> str:
        """Return the proof file with which one begins on the proof desk; empty if nothing is proved."""
        return ""

    def mistakes(self) -> Iterable[Mistake]:
        """Yield answers that typical mistakes lead to; they may include right ones."""
        return ()

    def same(self, answer: Any, other: Any) -> bool:
        """Return whether two answers, as read by the form, are equivalent."""
        return bool(answer == other)

    def difficulty(self) -> int:
        """Return the number of claims in the reason for the solution plus the modal depth of the task."""
        depth = max(map(modal_depth, self.formulas()), default=0)
        return len(self.reason().splitlines()) + depth

    # derived

    def check(self, answer: str, *, source: str = "answer") -> Result:
        """Return whether an answer is right, and why; `source` is its name in errors.

        Raises `FormatError` with line and column for an answer in the wrong format.
        """
        given = self._in_ours(lambda text: self.form.read(text, source), answer)
        result, written = self.judge(given), self.form.write(given)
        if not result.right and compares(given):
            refuse(whole(answer, source), "this says that formulas are equivalent; write only one of them")
        if written and _squeezed(written) != _squeezed(answer):
            result = replace(result, reason=f"{result.reason}\nread as: {written}")
        if not (result.right or result.mistake):
            result = self._named(given, result)
        return replace(result, reason=self.notation.shown(result.reason))

    def _in_ours(self, read: Callable[[str], Any], answer: str) -> Any:
        """Return the value that a function reads in an answer in our notation; errors are in the course's."""
        try:
            return read(self.notation.read(answer))
        except FormatError as error:
            raise FormatError(self.notation.shown(str(error))) from None

    def _named(self, given: Any, result: Result) -> Result:
        """Return the result for a wrong answer with the typical mistake that leads to it, if one is known."""
        for mistake in self.mistakes():
            if self.same(self.form.read(mistake.answer), given):
                reason = f"{mistake.sentence}\n{result.reason}"
                return replace(result, reason=reason, mistake=mistake.name)
        return result

    def read_back(self, answer: str) -> str:
        """Return how an answer is read, in words; raises `FormatError`."""
        return self.notation.shown(self._in_ours(self.form.read_back, answer))

    def asked(self) -> str:
        """Return the question in the language of the course."""
        return self.notation.shown(self.question())

    def told_in(self, language: CourseLanguage) -> Self:
        """Return the exercise in the language of a course."""
        return replace(self, language=language)

    @property
    def notation(self) -> CourseLanguage:
        """The language of the course, in this task."""
        return self.language.about([agent for thing, _ in self.shown() for agent in thing.relations])

    def solvable(self) -> bool:
        """Return whether the checker accepts the solution."""
        return _solved(self)[1].right

    def solved(self) -> tuple[str, str]:
        """Return a right answer and why it is right; computed once."""
        return self.notation.shown(_solved(self)[0]), self.reason()

    def reason(self) -> str:
        """Return why the solution is right."""
        return _solved(self)[1].reason

    def formulas(self) -> Iterator[Formula]:
        """Yield the formulas in the fields of the exercise."""
        yield from _formulas_in(tuple(getattr(self, field.name) for field in fields(self)))

    def headline(self) -> str:
        """Return the task without its solution."""
        return self.asked()

    def display(self) -> Iterator[Block]:
        """Yield the task as a student sees it, after its title."""
        if self.title:
            yield Heading(self.title)
        yield from self.blocks(lambda thing: Beside(tuple(thing.display())))

    def blocks(self, picture: Callable[[KripkeModel | ActionModel], Block]) -> Iterator[Block]:
        """Yield the task, with a `picture` of each model or action, and the form of answers."""
        for thing, caption in self.shown():
            if caption:
                yield Paragraph(f"{caption}:")
            yield picture(thing)
        yield Paragraph(self.asked())
        yield Paragraph(f"Answer: {self.notation.shown(self.form.words)}.")


@dataclass(frozen=True, slots=True, repr=False)
class OnModel(Exercise):
    """A task about a model that the student is shown."""

    model: KripkeModel

    def shown(self) -> tuple[Shown, ...]:
        """Return the model."""
        return (Shown(self.model),)


class Listing(Exercise):
    """A task whose answer is a list: some of the names in the form, or none of them.

    A single name too many or too few, of four or more, gets half of the points if two others are right.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def form(self) -> Names:
        """The names."""

    @abstractmethod
    def right(self) -> frozenset[str]:
        """Return the names that belong on the list."""

    @abstractmethod
    def option_reason(self, option: str) -> str:
        """Return why a name belongs there or does not."""

    def judge(self, answer: frozenset[str]) -> Result:
        """Return whether the list is right, and why the first wrong name is wrong."""
        right = self.right()
        wrong = [name for name in self.form.names if (name in right) != (name in answer)]
        if not wrong:
            return Result(True, "\n".join(self.because()))
        verb = "is missing" if wrong[0] in right else "does not belong there"
        nearly = len(wrong) == 1 and len(answer & right) > 1 and len(self.form.names) > 3
        why = f"{wrong[0]} {verb}\n{self.option_reason(wrong[0])}"
        return Result(False, why, Fraction(1, 2) if nearly else Fraction(0))

    def because(self) -> Iterator[str]:
        """Yield the reason for each name of a right answer."""
        return map(self.option_reason, self.form.names)

    def solution(self) -> str:
        """Return the names."""
        return self.form.write(self.right())


def _squeezed(text: str) -> str:
    return re.sub(r"\s+|[.;]", "", text).casefold()


def _formulas_in(value: object) -> Iterator[Formula]:
    if isinstance(value, Formula):
        yield value
    elif isinstance(value, tuple):
        yield from chain.from_iterable(map(_formulas_in, value))


@lru_cache(maxsize=2048)
def _solved(exercise: Exercise) -> tuple[str, Result]:
    answer = exercise.solution()
    return answer, exercise.check(answer)


def modal_depth(f: Formula) -> int:
    """Return the nesting depth of knowledge operators in a formula.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> modal_depth(parse("K_a (p -> ~K_b q)"))
    2
    """
    depth: dict[Formula, int] = {}
    for node in f.subformulas():
        inner = max((depth[child] for child in node.children), default=0)
        depth[node] = inner + (not node.pointwise)
    return depth[f]
