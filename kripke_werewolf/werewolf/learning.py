"""When players learnt something, from which events, and whether these were meant for them.

A player learns from an event if they can then rule out assignments of roles, with deaths, that they
considered possible before. A *leak* occurs when a player learns from an event that was not meant for them
(`Event.meant_for`). The messages between two phases count by themselves: each player is told the table, their
own chances, and whether they are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, combinations
from typing import TYPE_CHECKING, NamedTuple, get_args

from kripke_werewolf.display import Displayed
from kripke_werewolf.errors import FalseAnnouncement, GameError
from kripke_werewolf.language.formulas import Formula, FormulaLike
from kripke_werewolf.reports.tables import Grid, Tabled
from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.werewolf.actions import View
from kripke_werewolf.werewolf.events import PhaseEnded, Played, Step, ends_phase, events_of
from kripke_werewolf.werewolf.game_models import Course, Explicit, along
from kripke_werewolf.werewolf.handout import handout_of
from kripke_werewolf.werewolf.questions import Answering, Inquiry, Reading, ask_tables, resolve, table_budget
from kripke_werewolf.werewolf.rules import check_possible
from kripke_werewolf.werewolf.setup import LIMIT
from kripke_werewolf.werewolf.table import table_due
from kripke_werewolf.werewolf.telling import stages

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf

MESSAGES = "messages"
"""The kind of the messages between two phases, among the kinds of events."""

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

    With `reading="table"`, at the start and after every complete step, all of them in `timeout` seconds; see
    `questions.ask`.
    """
    check_possible("reading", reading, get_args(Reading))
    asked = [resolve(game.setup, question) for question in questions]
    if reading == "table":
        ends = accumulate(map(len, game.steps), initial=0)
        budget = table_budget(timeout)
        found = [
            Moment(n, _then(game, n), tuple(ask_tables(at, f, budget).verdict for f in asked), reading)
            for n, at in zip(ends, stages(game), strict=True)
        ]
    else:
        columns = [dict(Inquiry.of(game, f, engine=engine, limit=limit).verdicts()) for f in asked]
        rows = sorted(set().union(*columns)) if columns else []
        published = _first_table(game)
        found = []
        for n in rows:
            verdicts = tuple(column[n] for column in columns)
            open_ = any(f.agents and v == "false" for f, v in zip(asked, verdicts, strict=True))
            more = open_ and published is not None and n >= published
            found.append(Moment(n, _then(game, n), verdicts, reading, more))
    header = ("number", "event", *(f.unicode() for f in asked))
    cells = ((str(moment.number), moment.event, *moment.verdicts) for moment in found)
    return Tabled(found, Grid(header, tuple(cells), words=True))


def _first_table(game: Played) -> int | None:
    """Return the number of the event with which the first table was published; None if none was."""
    steps: Iterable[Step] = ((), *game.steps)
    ends = accumulate(map(len, game.steps), initial=0)
    due = (
        n
        for n, step, state in zip(ends, steps, game.states, strict=True)
        if table_due(game.setup, step, state)
    )
    return next(due, None)


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
    inquiry = Inquiry.of(game, question, engine=engine, limit=limit)
    held: int | None = None
    for number, verdict in inquiry.verdicts():
        held = None if verdict != "true" else number if held is None else held
    if held is None:
        return None

    def suffices(chosen: Sequence[int]) -> bool:
        try:
            return inquiry.verdict_of(chosen) == "true"
        except (FalseAnnouncement, GameError):  # such a game is impossible
            return False

    # nothing after the event since which it has held is needed
    sufficient, smallest = _smallest(range(1, held + 1), suffices)
    return Since(inquiry.formula, held, _then(game, held), sufficient, smallest)


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
    """A player learnt from an event that was not meant for them.

    `players`: for each of them an assignment of roles (letters by seat) that they can rule out now.
    """

    def __init__(self, event: str, players: dict[str, str]) -> None:
        self.players = players
        who = "; ".join(f"{name} can rule out {world}" for name, world in players.items())
        super().__init__(f"not private: {event.removesuffix('.')}: {who}")


@dataclass(frozen=True, slots=True, repr=False)
class Learnt(Displayed):
    """The facts that players learnt from one event, or from the messages between two phases.

    `number`, `kind`, `event`: the event; for messages, the number of the event before them and the kind
    `MESSAGES`. `meant_for`: the players who may see more of it than the fact that it happened; `ruled_out`:
    for each player who learnt something, the assignments of roles (letters by seat, capital if dead) that
    they can rule out since then.
    """

    number: int
    kind: str
    event: str
    meant_for: frozenset[str]
    ruled_out: dict[str, frozenset[str]]

    def headline(self) -> str:
        """Return the event, and the players who learnt from it."""
        return f"{self.number}, {self.event.removesuffix('.')}: learnt by {self.learners()}"

    def learners(self) -> str:
        """Return the players who learnt from the event, in words."""
        who = (f"{p}{' (not meant for them)' if p in self.leaked_to else ''}" for p in self.ruled_out)
        return ", ".join(who) or "nobody"

    @property
    def leaked_to(self) -> frozenset[str]:
        """The players who learnt something though it was not meant for them."""
        return frozenset(self.ruled_out) - self.meant_for


def audit(game: Played, *, limit: int = LIMIT) -> Tabled[Learnt]:
    """Return for every event the players who learnt from it, and whether it was meant for them.

    The messages between two phases have an entry of their own.
    """
    moments = tuple(_moments(game))
    possible = {player: _considered(game, player, moments, limit) for player in game.setup.players}
    found = []
    for place, moment in enumerate(moments, 1):
        gone = {player: sets[place - 1] - sets[place] for player, sets in possible.items()}
        ruled_out = {player: worlds for player, worlds in gone.items() if worlds}
        found.append(Learnt(moment.number, moment.kind, moment.text, moment.meant_for, ruled_out))
    rows = tuple((str(learnt.number), learnt.event, learnt.learners()) for learnt in found)
    return Tabled(found, Grid(("number", "event", "learnt by"), rows, words=True))


def assert_private(game: Played, event: int, *, to: Iterable[str | int], limit: int = LIMIT) -> None:
    """Raise `Leak` if anybody but the players `to` learnt from an event (numbered from 1).

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
    >>> game.assert_private(1, to={"Ann"})
    """
    last = len(events_of(game))
    if not 1 <= event <= last:
        raise GameError(f"there is no event {event}; events run from 1 to {last}")
    allowed = set(map(game.setup.name_of, to))
    learnt = next(found for found in audit(game, limit=limit) if found.number == event)
    others = {p: min(worlds) for p, worlds in learnt.ruled_out.items() if p not in allowed}
    if others:
        raise Leak(learnt.event, others)


class _Heard(NamedTuple):
    """An event, or the messages after the one with this number."""

    number: int
    kind: str
    text: str
    meant_for: frozenset[str]
    view: Callable[[str], View]
    """The view of a player from then on."""


def _moments(game: Played) -> Iterator[_Heard]:
    """Yield the events and the messages between phases, in order."""
    setup, number = game.setup, 0
    for step, before, after in zip(game.steps, game.states, game.states[1:], strict=False):
        for event in step:
            number += 1
            view = partial(_view_at, game, number, quiet=number)
            yield _Heard(number, event.name, describe(game, number), event.meant_for(setup), view)
        if before.phase != after.phase or table_due(setup, step, after):
            text, everybody = f"The messages after {before.phase}.", frozenset(setup.players)
            yield _Heard(number, MESSAGES, text, everybody, partial(_view_at, game, number))


def _view_at(game: Played, number: int, player: str, *, quiet: int | None = None) -> View:
    """Return a player's view after the first events; `quiet`: see `handout_of`."""
    return View.of({player: handout_of(game, player, only=range(1, number + 1), quiet=quiet)})


def _considered(game: Played, player: str, moments: Sequence[_Heard], limit: int) -> list[frozenset[str]]:
    """Return the deals and deaths that a player considers possible at the start and at every moment."""
    views = [_view_at(game, 0, player), *(moment.view(player) for moment in moments)]
    course = Course.of(views[-1], [player])
    start = Explicit.start(views[-1], course, weighted=False, limit=limit)
    # a model for one player is generated from the designated worlds: all of it is what they consider
    models = (now.shown() for now in along(start, map(course.actions_in, views)))
    return [frozenset(str(name).partition(" ")[0] for name in model.worlds) for model in models]
