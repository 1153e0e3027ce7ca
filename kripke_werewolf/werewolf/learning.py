"""When players came to know something, and which events told them."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from kripke_werewolf.errors import FalseAnnouncement, GameError
from kripke_werewolf.language.formulas import Formula, FormulaLike
from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.werewolf.questions import Answering, Inquiry
from kripke_werewolf.werewolf.story import sentence

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf

__all__ = ["Moment", "Since", "since", "timeline"]

TRIES = 5_000
"""Sets of events that `since` tries before it settles for one that merely cannot be shortened."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The verdicts of some formulas after an event.

    `number`: the number of the event, 0 for the start; `event`: it in words; `verdicts`: in the order of
    the formulas.
    """

    number: int
    event: str
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Since:
    """Since when a formula has held, and what suffices for it.

    `number`: the event since which it has held without a break, 0 for the start. `sufficient`: numbers
    of events that, happening alone, already make it hold. `smallest`: whether no fewer events do; False
    means that merely none of these can be left out.
    """

    formula: Formula
    number: int
    event: str
    sufficient: tuple[int, ...]
    smallest: bool = True


def timeline(
    game: QuantumWerewolf, *questions: FormulaLike, engine: Answering, limit: int
) -> tuple[Moment, ...]:
    """Return the verdicts of the formulas after every event; see `QuantumWerewolf.timeline`."""
    inquiries = [Inquiry.of(game, q, engine=engine, limit=limit) for q in questions]
    columns = [dict(i.verdicts()) for i in inquiries]
    rows = sorted(set().union(*columns)) if columns else []
    return tuple(Moment(n, describe(game, n), tuple(c[n] for c in columns)) for n in rows)


def since(game: QuantumWerewolf, question: FormulaLike, *, engine: Answering, limit: int) -> Since | None:
    """Return since when a formula has held, None if it does not hold now; see `QuantumWerewolf.since`."""
    inquiry = Inquiry.of(game, question, engine=engine, limit=limit)
    held: int | None = None
    for number, verdict in inquiry.verdicts():
        held = None if verdict != "true" else number if held is None else held
    if held is None:
        return None

    def suffices(chosen: Container[int]) -> bool:
        try:
            *_, (_, verdict) = inquiry.verdicts(only=chosen)
        except (FalseAnnouncement, GameError):  # such a game cannot have happened
            return False
        return verdict == "true"

    # nothing after the event since which it has held is needed
    sufficient, smallest = _smallest(range(1, held + 1), suffices)
    return Since(inquiry.formula, held, describe(game, held), sufficient, smallest)


def _smallest(numbers: range, suffices: Callable[[Container[int]], bool]) -> tuple[tuple[int, ...], bool]:
    """Return a smallest sufficient set of numbers, or one that cannot be shortened if that takes too long."""
    kept = tuple(numbers)
    for number in numbers:  # an upper bound: leave out whatever can be left out
        shorter = tuple(n for n in kept if n != number)
        if suffices(shorter):
            kept = shorter
    tries = 0
    for size in range(len(kept)):
        for chosen in combinations(numbers, size):
            tries += 1
            if tries > TRIES:
                return kept, False
            if suffices(chosen):
                return chosen, True
    return kept, True


def describe(game: QuantumWerewolf, number: int) -> str:
    """Return an event in words, as the game master sees it."""
    return "the start" if number == 0 else sentence(game.events[number - 1]) or "The phase ends."
