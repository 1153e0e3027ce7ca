"""Puzzles as values: a start, and in order what happens and what is asked, with the known answers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

from kripke_werewolf.errors import FalseAnnouncement, ModelError, ModelTooLarge
from kripke_werewolf.language.formulas import Formula, FormulaLike, formula
from kripke_werewolf.models.history import History
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.puzzles.scenario import Scenario
from kripke_werewolf.semantics.action import ActionModel
from kripke_werewolf.semantics.model import Model
from kripke_werewolf.semantics.verdict import Verdict

if TYPE_CHECKING:
    from kripke_werewolf.symbolic import SymbolicStructure

_MOST = 1_100_000  # worlds at the start
_QUICK = 10_000  # worlds, events included, up to which `auto` is the explicit engine

Engine: TypeAlias = Literal["explicit", "symbolic", "auto"]


@dataclass(frozen=True, slots=True)
class Happened:
    """An event: its name in plain words, and the action or the formula announced.

    `line`: of the text, if it was read from one.
    """

    name: str
    action: ActionModel | Formula
    line: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """A formula asked at this point; `expected` is `true`, `false`, `mixed`, or None if nothing is."""

    meaning: str
    formula: Formula
    expected: str | None
    line: int = 0


@dataclass(frozen=True, slots=True)
class Sized:
    """How many worlds there should be at this point: of all, or of those where `formula` is true."""

    expected: int
    formula: Formula | None
    line: int = 0


Moment: TypeAlias = Happened | Asked | Sized


class Question(NamedTuple):
    """A formula asked after some of the events, its meaning in words, and the known verdict."""

    formula: Formula
    meaning: str
    expected: str | None
    after: int


class Answer(NamedTuple):
    """The verdict found on a question."""

    question: Question
    verdict: Verdict


@dataclass(frozen=True)
class Puzzle:
    """A puzzle as a value: `history` replays it on either engine.

    `source`: where the puzzle is found. `start`: the model before anything happens, or a `Scenario`
    where a law makes the worlds. `moments`: what happens and what is asked, in order, with the answers
    that the literature gives. `formulas`, `actions`: those that have names. `engine`: what the events
    happen to; `explicit`: the Kripke model; `symbolic`: the knowledge structure.
    """

    name: str
    description: str
    source: str
    start: KripkeModel | Scenario
    moments: tuple[Moment, ...] = ()
    formulas: Mapping[str, Formula] = field(default_factory=dict, hash=False)
    actions: Mapping[str, ActionModel] = field(default_factory=dict, hash=False)
    engine: Engine = "explicit"

    def __post_init__(self) -> None:
        if self.engine not in get_args(Engine):
            raise ModelError(f"the engine is {', '.join(get_args(Engine))}; got {self.engine!r}")

    @property
    def events(self) -> tuple[Happened, ...]:
        """What happens, in order."""
        return tuple(moment for moment in self.moments if isinstance(moment, Happened))

    @property
    def questions(self) -> tuple[Question, ...]:
        """What is asked, in order, each after as many of the events as stand before it."""
        found, after = [], 0
        for moment in self.moments:
            match moment:
                case Happened():
                    after += 1
                case Asked(meaning, f, expected):
                    found.append(Question(f, meaning, expected, after))
        return tuple(found)

    @cached_property
    def model(self) -> KripkeModel:
        """The Kripke model before anything happens, designated where the actual world is given."""
        return self.start if isinstance(self.start, KripkeModel) else self.start.model()

    @cached_property
    def structure(self) -> SymbolicStructure:
        """The knowledge structure before anything happens."""
        if isinstance(self.start, Scenario):
            return self.start.structure()
        from kripke_werewolf.symbolic import KnowledgeStructure

        return KnowledgeStructure.from_explicit(self.start)

    def history(self) -> History[Any]:
        """Return the history of all events.

        Raises `FalseAnnouncement` if one of them cannot happen.
        """
        return reduce(_then, self.events, self._beginning())

    def possible(self) -> tuple[History[Any], str | None]:
        """Return the history up to the first event that cannot happen, and the name of that event, if any."""
        history = self._beginning()
        for event in self.events:
            try:
                history = _then(history, event)
            except FalseAnnouncement:
                return history, event.name
        return history, None

    def _beginning(self) -> History[Any]:
        start: Model = self.structure if self.engine == "symbolic" else self.model
        return History(start)

    def answers(self, history: History[Any] | None = None) -> list[Answer]:
        """Return the verdicts found on the questions, those asked within a history if one is given."""
        played = self.history() if history is None else history
        asked = [q for q in self.questions if q.after <= len(played)]
        return [Answer(q, played.verdict(q.formula, step=q.after)) for q in asked]


def _then(history: History[Any], event: Happened) -> History[Any]:
    return history.then(event.action, name=event.name)


def happens(name: str, action: ActionModel | FormulaLike) -> Happened:
    """Return an event: an action, or the public announcement of a formula."""
    return Happened(name, action if isinstance(action, ActionModel) else formula(action))


def ask(meaning: str, f: FormulaLike, expected: str | bool = True) -> Asked:
    """Return a question; `expected` is true, false or `mixed`."""
    verdict = str(expected).lower()
    if verdict not in ("true", "false", "mixed"):
        raise ModelError(f"a verdict is true, false or mixed; got {expected!r}")
    return Asked(meaning, formula(f), verdict)


def known_if(condition: bool, *moments: Moment) -> tuple[Moment, ...]:
    """Return the moments; where the answers are not known, the events alone."""
    return tuple(moment for moment in moments if condition or isinstance(moment, Happened))


def places(*numbers: int) -> Callable[[Any], Hashable]:
    """Return the observation of an agent who sees some places of a world that is a string."""
    return lambda world: tuple(world[k] for k in numbers)


def check_size(
    n: object,
    *,
    least: int,
    most: int | None = None,
    worlds: Callable[[int], int] | None = None,
    engine: Engine = "explicit",
) -> None:
    """Raise `ModelError` if a puzzle's size n is no whole number, below `least` or too large.

    Only for the explicit engine it can be too large: above `most`, or so that the start has too
    many worlds; `worlds` returns their number for a size. Then the error is `ModelTooLarge`.
    """
    if not isinstance(n, int) or isinstance(n, bool) or n < least:
        raise ModelError(f"n must be a whole number, {least} or more; got {n!r}")
    if engine != "explicit":
        return
    if worlds is not None:
        beyond = 1
        while worlds(least + beyond) <= _MOST:
            beyond *= 2
        most = least - 1 + bisect_right(range(least, least + beyond), _MOST, key=worlds)
        if most < n <= 10 * most:  # beyond that even the number of worlds is too long to print
            raise ModelTooLarge(worlds(n), _MOST, f"the puzzle with n = {n}", f"n can be at most {most} here")
    if most is not None and n > most:
        raise ModelError(f"n = {n} is too large; n can be at most {most} here")


def engine_for(engine: Engine, worlds: int) -> Engine:
    """Return the engine for a puzzle that comes to have so many worlds: for `auto` explicit if few."""
    if engine == "auto":
        return "explicit" if worlds <= _QUICK else "symbolic"
    return engine
