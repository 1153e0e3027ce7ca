"""When something became true or known, from which events, and whether an event was private."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from typing import TYPE_CHECKING, Any

from kripke_werewolf.display import Displayed
from kripke_werewolf.errors import FalseAnnouncement, GameError
from kripke_werewolf.language.formulas import Formula, FormulaLike
from kripke_werewolf.reports.tables import Grid, Tabled
from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.werewolf.events import PhaseEnded, Played, ends_phase, events_of
from kripke_werewolf.werewolf.questions import (
    Answering,
    AskedOfGame,
    Reading,
    exact_budget,
    reading_of,
)
from kripke_werewolf.werewolf.setup import LIMIT
from kripke_werewolf.werewolf.superposition import NoWorldLeft
from kripke_werewolf.werewolf.telling import stages
from kripke_werewolf.werewolf.told import told

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf

_TRIES = 5_000
"""Sets of events that `since` tries before it accepts one that is only irreducible."""


@dataclass(frozen=True, slots=True, repr=False)
class Moment(Displayed):
    """The verdicts of some formulas after an event.

    `number`: the number of the event, 0 for the start; `event`: its description; `verdicts`: in the order of
    the formulas.
    """

    number: int
    event: str
    verdicts: tuple[Verdict, ...]
    reading: Reading = "facts"
    """How published tables were read."""
    more: bool = False
    """Whether a table published by then may say more than was used for a no about knowledge."""

    def headline(self) -> str:
        """Return the event and the verdicts."""
        return f"{self.number}, {self.event.removesuffix('.')}: {', '.join(self.verdicts)}"


@dataclass(frozen=True, slots=True, repr=False)
class Since(Displayed):
    """The event since which a formula has held, and events that suffice for it.

    `number`: the event since which it has held without a break, 0 for the start. `sufficient`: numbers of
    events that alone make it hold. `smallest`: whether no fewer events do; otherwise it is only known that
    none can be omitted.
    """

    formula: Formula
    number: int
    event: str
    sufficient: tuple[int, ...]
    smallest: bool = True

    def headline(self) -> str:
        """Return since when it has held, and the events that suffice."""
        enough = f"; enough: {', '.join(map(str, self.sufficient))}" if self.sufficient else ""
        return f"{self.formula.unicode()} since event {self.number}, {self.event.removesuffix('.')}{enough}"


def timeline(
    game: QuantumWerewolf,
    *questions: FormulaLike,
    reading: Reading = "facts",
    engine: Answering = "auto",
    limit: int = LIMIT,
    timeout: float | None = None,
) -> Tabled[Moment]:
    """Return the verdicts of formulas at the start and after every event.

    With `reading="exact"`, at the start and after every complete step, all of them in `timeout` seconds; see
    `questions.ask`.
    """
    reading, budget = reading_of(reading), exact_budget(timeout)
    how: dict[str, Any] = {"engine": engine, "limit": limit, "timeout": timeout}
    ends = list(zip(accumulate(map(len, game.steps), initial=0), stages(game), strict=True))
    asked = [AskedOfGame.of(game, question, **how) for question in questions]
    if reading == "exact":
        found = []
        for n, at in ends:
            exact = (AskedOfGame.of(at, q.formula, reading=reading, budget=budget) for q in asked)
            found.append(Moment(n, _then(game, n), tuple(question.verdict for question in exact), reading))
    else:
        columns = [dict(question.verdicts()) for question in asked]
        rows = sorted(set().union(*columns)) if columns else []
        announced = next((n for n, at in ends if told(at).announced), None)
        found = []
        for n in rows:
            verdicts = tuple(column[n] for column in columns)
            open_ = any(q.formula.agents and v == "false" for q, v in zip(asked, verdicts, strict=True))
            more = open_ and announced is not None and n >= announced
            found.append(Moment(n, _then(game, n), verdicts, reading, more))
    header = ("number", "event", *(q.formula.unicode() for q in asked))
    cells = ((str(moment.number), moment.event, *moment.verdicts) for moment in found)
    return Tabled(found, Grid(header, tuple(cells), words=True))


def since(
    game: Played, question: FormulaLike, *, engine: Answering = "auto", limit: int = LIMIT
) -> Since | None:
    """Return the event since which a formula has held, and a smallest set of events that suffices.

    None if it does not hold now.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Bo", "Cy", result="villager")
    >>> game = game.vision("Ann", "Bo", result="wolf")
    >>> found = game.since("K_Ann (seer_Ann -> wolf_Bo)")
    >>> found.number, found.event, found.sufficient
    (2, 'Ann looks at Bo and sees wolf (of 2 worlds: villager 1, wolf 1).', (2,))
    """
    asked = AskedOfGame.of(game, question, engine=engine, limit=limit)
    held: int | None = None
    for number, verdict in asked.verdicts():
        held = None if verdict != "true" else number if held is None else held
    if held is None:
        return None

    def suffices(chosen: Sequence[int]) -> bool:
        try:
            return asked.verdict_of(chosen) == "true"
        except (FalseAnnouncement, NoWorldLeft):  # such a game is impossible
            return False

    # nothing after the event since which it has held is needed
    sufficient, smallest = _smallest(range(1, held + 1), suffices)
    return Since(asked.formula, held, _then(game, held), sufficient, smallest)


def _smallest(numbers: range, suffices: Callable[[Sequence[int]], bool]) -> tuple[tuple[int, ...], bool]:
    """Return a smallest sufficient set of numbers, or an irreducible one if that takes too long."""
    kept = tuple(numbers)
    for number in numbers:  # an upper bound: omit events as long as possible
        shorter = tuple(n for n in kept if n != number)
        if suffices(shorter):
            kept = shorter
    tries = 0
    for size in range(len(kept)):
        for chosen in combinations(numbers, size):
            tries += 1
            if tries > _TRIES:
                return kept, False
            if suffices(chosen):
                return chosen, True
    return kept, True


def describe(game: Played, number: int) -> str:
    """Return an event in words, for the game master."""
    return "the start" if number == 0 else events_of(game)[number - 1].in_full() or "The phase ends."


def _then(game: Played, number: int) -> str:
    """Return an event in words, and the phase after it if its messages count as part of the event."""
    words, ends = describe(game, number), accumulate(map(len, game.steps))
    for end, step, after in zip(ends, game.steps, game.states[1:], strict=True):
        begins = ends_phase(step) and after.verdict is None and not isinstance(step[-1], PhaseEnded)
        if end == number and begins:
            return f"{words} Then {after.phase} begins."
    return words


# --- whether it was meant for them ---------------------------------------------------------------


class Leak(GameError):
    """Players were shown an event that was not meant for them."""


def assert_private(game: Played, event: int, *, to: Iterable[str | int]) -> None:
    """Raise `Leak` if any part of an event (numbered from 1) was shown to anybody but the players `to`.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
    >>> game.assert_private(1, to={"Ann"})
    """
    last, allowed = len(events_of(game)), set(map(game.setup.name_of, to))
    if not 1 <= event <= last:
        raise GameError(f"there is no event {event}; events run from 1 to {last}")
    happened = events_of(game)[event - 1]
    seen = [name for name in game.setup.players if happened.told_to(name, game.setup) is not None]
    if others := [name for name in seen if name not in allowed]:
        raise Leak(f"not private: {describe(game, event).removesuffix('.')}: shown to {', '.join(others)}")
