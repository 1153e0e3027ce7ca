"""What a puzzle is: a model, events in order, and questions whose answers are known."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple

from kripke_werewolf.errors import FalseAnnouncement, ModelError, ModelTooLarge
from kripke_werewolf.language.formulas import Formula, FormulaLike, formula
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.semantics.action import ActionModel
from kripke_werewolf.semantics.history import History
from kripke_werewolf.semantics.verdict import Verdict

__all__ = ["Answer", "Puzzle", "Question", "ask", "check_size", "happens", "places"]

MOST_WORLDS = 1_100_000


class Happening(NamedTuple):
    """One event of a puzzle: its name in plain words, and the action or the formula announced."""

    name: str
    action: ActionModel | Formula


class Question(NamedTuple):
    """A formula asked after some of the events, its meaning in words, and the known verdict."""

    formula: Formula
    meaning: str
    expected: str
    after: int


class Answer(NamedTuple):
    """The verdict found on a question."""

    question: Question
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle as a value: `History` replays it.

    `model`: before anything happens, designated where the actual state of affairs is given.
    `events`: what happens, in order. `questions`: what to ask, after how many of the events, with
    the verdict that the literature gives. `source`: where the puzzle is found.
    """

    name: str
    description: str
    source: str
    model: KripkeModel
    events: tuple[Happening, ...] = ()
    questions: tuple[Question, ...] = ()

    def history(self) -> History:
        """Return the history of all events.

        Raises `FalseAnnouncement` if one of them cannot happen.
        """
        history = History(self.model)
        for event in self.events:
            history = history.then(event.action, name=event.name)
        return history

    def possible(self) -> tuple[History, str | None]:
        """Return the history up to the first event that cannot happen, and the name of that event, if any."""
        history = History(self.model)
        for event in self.events:
            try:
                history = history.then(event.action, name=event.name)
            except FalseAnnouncement:
                return history, event.name
        return history, None

    def answers(self, history: History | None = None) -> list[Answer]:
        """Return the verdicts found on the questions, those asked within a history if one is given."""
        played = self.history() if history is None else history
        asked = [q for q in self.questions if q.after <= len(played)]
        return [Answer(q, played.at(q.after).verdict(q.formula)) for q in asked]


def happens(name: str, action: ActionModel | FormulaLike) -> Happening:
    """Return an event: an action, or the public announcement of a formula."""
    return Happening(name, action if isinstance(action, ActionModel) else formula(action))


def ask(meaning: str, f: FormulaLike, expected: str | bool = True, *, after: int) -> Question:
    """Return a question; `expected` is true, false or `mixed`."""
    verdict = str(expected).lower()
    if verdict not in ("true", "false", "mixed"):
        raise ModelError(f"a verdict is true, false or mixed; got {expected!r}")
    return Question(formula(f), meaning, verdict, after)


def places(*numbers: int) -> Callable[[Any], Hashable]:
    """Return the observation of some places of a world that is a text: what an agent sees of it."""
    return lambda world: tuple(world[k] for k in numbers)


def check_size(
    n: object, *, least: int, most: int | None = None, worlds: Callable[[int], int] | None = None
) -> int:
    """Return a puzzle's size n if it is a whole number, `least` or more, and not too large.

    Either `most` is given, or `worlds`, the number of worlds as a function of the size.
    """
    if not isinstance(n, int) or isinstance(n, bool) or n < least:
        raise ModelError(f"n must be a whole number, {least} or more; got {n!r}")
    if worlds is not None:
        most = least - 1 + bisect_right(range(least, MOST_WORLDS + least), MOST_WORLDS, key=worlds)
        if most < n <= 10 * most:  # beyond that even the number of worlds is too long to print
            advice = f"n can be at most {most} here"
            raise ModelTooLarge(worlds(n), MOST_WORLDS, f"the puzzle with n = {n}", advice)
    if most is not None and n > most:
        raise ModelError(f"n = {n} is too large; n can be at most {most} here")
    return n
