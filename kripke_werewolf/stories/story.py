"""What a story is: a model, and in order what happens in it, what is asked and how many worlds are left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kripke_werewolf.errors import FalseAnnouncement, FormatError
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.semantics.action import ActionModel
from kripke_werewolf.semantics.history import History
from kripke_werewolf.semantics.verdict import Verdict

__all__ = ["Asked", "Happened", "Moment", "Outcome", "Sized", "Story"]


@dataclass(frozen=True, slots=True)
class Happened:
    """An event: its name in plain words, and the action or the formula announced; `line` of the text."""

    name: str
    action: ActionModel | Formula
    line: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A formula asked at this point; `expected` is `true`, `false`, `mixed`, or None if nothing is."""

    meaning: str
    formula: Formula
    expected: str | None
    line: int


@dataclass(frozen=True, slots=True)
class Sized:
    """How many worlds there should be at this point: of all, or of those where `formula` is true."""

    expected: int
    formula: Formula | None
    line: int


Moment = Happened | Asked | Sized


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one moment: the model then, the verdict or number found, and whether it was expected."""

    moment: Moment
    model: KripkeModel
    found: Verdict | int
    right: bool


@dataclass(frozen=True, slots=True)
class Story:
    """A scenario as a value.

    `title`, and `credit`: where it comes from. `model`: before anything happens. `moments`: what happens
    and what is asked, in order. `source`: the file it was read from, for messages.

    >>> from kripke_werewolf.stories import story
    >>> told = story('''
    ... agents: a, b
    ... atoms: p
    ... sees a: p
    ... actual: p
    ... expect no: K_b p
    ... announce: p
    ... expect yes: C_{a,b} p
    ... ''')
    >>> [outcome.right for outcome in told.outcomes()]
    [True, True, True]
    """

    title: str
    credit: str
    model: KripkeModel
    moments: tuple[Moment, ...]
    source: str

    def history(self) -> History:
        """Return the history of all events of the story; raises as `outcomes` does."""
        history = History(self.model)
        for moment in self.moments:
            if isinstance(moment, Happened):
                history = self._after(history, moment)
        return history

    def outcomes(self) -> Iterator[Outcome]:
        """Tell the story: yield what becomes of each moment, in order.

        Raises `FormatError`, naming the line, for an event that cannot happen.
        """
        history = History(self.model)
        for moment in self.moments:
            found: Verdict | int
            match moment:
                case Happened():
                    history = self._after(history, moment)
                    found, right = len(history.model), True
                case Asked(_, f, expected, _):
                    found = history.model.verdict(f)
                    right = expected is None or found == expected
                case Sized(number, f, _):
                    found = len(history.model) if f is None else len(history.model.where(f))
                    right = found == number
            yield Outcome(moment, history.model, found, right)

    def _after(self, history: History, event: Happened) -> History:
        try:
            return history.then(event.action, name=event.name)
        except FalseAnnouncement as error:
            raise FormatError(f"{self.source}, line {event.line}: this cannot happen: {error}") from None
