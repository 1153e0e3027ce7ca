"""What a player was told as constraints on histories, moment by moment: the plan of a search.

`plan_of` makes it from a `Told`, with what silence says: that nobody else died, that the game went on, that
there was no notice. Players are named; in anonymous tables rows are numbers, and a name has a number only if
the player knows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain, count, pairwise, product
from typing import NamedTuple, TypeAlias, TypeVar

from kripke_werewolf.base.reports.tables import Cell as Value
from kripke_werewolf.base.reports.tables import Rounded
from kripke_werewolf.games.werewolf import events as ev
from kripke_werewolf.games.werewolf.declarations import declared
from kripke_werewolf.games.werewolf.move_atoms import MoveAtom
from kripke_werewolf.games.werewolf.roles import WOLF, Action
from kripke_werewolf.games.werewolf.rules import column_fact
from kripke_werewolf.games.werewolf.setup import Phase, Setup
from kripke_werewolf.games.werewolf.table import Table
from kripke_werewolf.games.werewolf.told import UNKNOWN, Entry, Told

NOT_ASKED = "not asked"
PASSED = "passed over"
UNMADE = "not made"
"""In a running phase: not made so far; whether the player was asked is unknown."""

_OPPOSITE = {"good": WOLF, "alive": "dead"}
"""What a player is in the worlds where they do not have this property."""
ANY_SHARE = Fraction(0), Fraction(1)
"""The interval of a fact about which a table says nothing."""

BY_FACTS = "reading='facts' answers what follows from the facts alone (--reading facts of a log or handout)"
"""What to do instead where histories are not searched for."""


class Move(NamedTuple):
    """What is known of a player's use of an action; without a target, why nobody was chosen."""

    target: str | None
    """None: an action was declined, or there was none for the reason given as its result."""
    result: str | None = None
    """The result of a vision, None if it showed nothing, `UNKNOWN` if it is not known."""
    other: str = ""
    """The second target, if the action has two."""


Turn: TypeAlias = tuple[int, str, Action]
"""A step, and who may use which action in it."""


class PlacedMove(NamedTuple):
    """A move by places: the step, the actor, the action, the target and the result, as in a `Move`."""

    step: int
    actor: int
    action: Action
    target: int | None
    result: str | None = None
    other: int | None = None
    """The second target, if the action has two."""

    @property
    def made(self) -> bool:
        """Whether it was made or declined."""
        return self.result not in (NOT_ASKED, PASSED, UNMADE)

    def fits(self, known: PlacedMove | None) -> bool:
        """Whether it may be a move about which something is known."""
        return known is None or known == self or known == self._replace(result=UNKNOWN)


@dataclass(frozen=True, slots=True)
class Cell:
    """An entry of a published table, with the interval of the probabilities displayed as this entry."""

    row: str
    """A name, or a number if the table is anonymous."""
    heading: str
    low: Fraction
    high: Fraction
    text: str
    """The entry as written."""
    place: str
    """Its position: the table, and in a file the line."""

    @property
    def as_wolf(self) -> tuple[str, Fraction, Fraction]:
        """The fact of the entry and its interval; "not a wolf" is converted to "wolf"."""
        fact = column_fact(self.heading)
        return (WOLF, 1 - self.high, 1 - self.low) if fact == "good" else (fact, self.low, self.high)

    def __str__(self) -> str:
        return f"{self.row} {self.heading} {self.text} ({self.place})"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Moment:
    """A moment of the game, with what the player was told."""

    dead: Mapping[str, str | None] = field(default_factory=dict)
    """The players officially dead from now on, with the announcements (None: nothing)."""


@dataclass(frozen=True, slots=True)
class Acting(_Moment):
    """A phase of moves. Until it has ended, others without known moves may have made any or none."""

    phase: Phase
    known: Mapping[tuple[str, Action], Move] = field(default_factory=dict)
    """The known moves: the player's own, others' if targets are public, and players passed over."""
    refused: tuple[str, ...] = ()
    """The targets of the player's refused attacks, which would have left no world."""
    ended: bool = True


@dataclass(frozen=True, slots=True)
class Died(_Moment):
    """All players found dead at one moment; possibly none."""


@dataclass(frozen=True, slots=True)
class Voted(_Moment):
    """The village voted a player off."""


@dataclass(frozen=True, slots=True)
class Judged(_Moment):
    """The verdict was tested: the game continued (None), or ended.

    After a forced collapse, `dead` are the players found dead in the world drawn, and `role` is the role
    that the player was told then.
    """

    verdict: str | None = None
    winners: tuple[str, ...] = ()
    collapsed: bool = False
    role: str | None = None


@dataclass(frozen=True, slots=True)
class Noticed(_Moment):
    """The player was told that only one role is left to them (`role`), or was not (None)."""

    role: str | None = None


@dataclass(frozen=True, slots=True)
class Published(_Moment):
    """Probabilities shown to the player: a public table, or their own chances."""

    cells: tuple[Cell, ...]
    worlds: int | None = None


_Kind = TypeVar("_Kind", bound=_Moment)
Moment: TypeAlias = Acting | Voted | Died | Judged | Noticed | Published


@dataclass(frozen=True)
class Plan:
    """What a player was told, as constraints on histories, in order."""

    told: Told
    steps: tuple[Moment, ...]

    @property
    def setup(self) -> Setup:
        """The public settings."""
        return self.told.setup

    @property
    def viewer(self) -> str:
        """The player."""
        return self.told.player

    def all(self, kind: type[_Kind]) -> list[tuple[int, _Kind]]:
        """Return the steps of a kind, each with its number."""
        return [(number, step) for number, step in enumerate(self.steps) if isinstance(step, kind)]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All entries of all tables."""
        return tuple(cell for _, step in self.all(Published) for cell in step.cells)

    def placed(self, place: Mapping[str, int]) -> Iterator[PlacedMove]:
        """Yield the known moves, and the known reasons for none, by places."""
        for number, step in self.all(Acting):
            for (name, action), move in step.known.items():
                target, other = map(place.get, (move.target or "", move.other))
                yield PlacedMove(number, place[name], action, target, move.result, other)

    def acting(self, action: Action) -> list[tuple[int, Acting]]:
        """Return the phases in which there is an action, each with its step."""
        return [(n, step) for n, step in self.all(Acting) if action in self.setup.actions(step.phase)]

    @cached_property
    def intervals(self) -> Mapping[int, Mapping[tuple[str, int], tuple[Fraction, Fraction]]]:
        """For each table, by its step, the interval of every fact of a place; "good" is "not a wolf"."""
        found: dict[int, dict[tuple[str, int], tuple[Fraction, Fraction]]] = {}
        for number, step in self.all(Published):
            shares = found[number] = {}
            for cell in step.cells:
                fact, low, high = cell.as_wolf
                key = fact, self.place_of(cell.row)
                least, most = shares.get(key, (low, high))
                shares[key] = max(least, low), min(most, high)
        return found

    def shows_later(self, number: int, fact: str, place: int) -> bool:
        """Whether a table from a step on shows that a fact is true in some world; then it was so before."""
        later = (shares for at, shares in self.intervals.items() if at >= number)
        if opposite := _OPPOSITE.get(fact):
            return any(shares.get((opposite, place), ANY_SHARE)[1] < 1 for shares in later)
        return any(shares.get((fact, place), ANY_SHARE)[0] > 0 for shares in later)

    def place_of(self, row: str) -> int:
        """Return the place of a row of a table: the number minus one, or the seat."""
        return int(row) - 1 if self.setup.numbers_hidden else self.setup.seat(row)

    def only(self, cells: frozenset[int]) -> Plan:
        """Return the plan with only these entries of the tables, given by their indices in `cells`."""
        numbers = count()

        def kept(value: Value) -> Value:
            return value if value is not None and next(numbers) in cells else None

        def left(table: Table | None) -> Table | None:
            if table is None:
                return None
            return replace(table, rows=tuple(tuple(map(kept, row)) for row in table.rows))

        first, entries = left(self.told.table), []
        for entry in self.told.entries:
            chances = tuple((owner, tuple((c, kept(v)) for c, v in row)) for owner, row in entry.chances)
            entries.append(replace(entry, chances=chances, table=left(entry.table)))
        return plan_of(replace(self.told, table=first, entries=tuple(entries)))

    def with_moves(self, moves: Mapping[Turn, Move], sizes: Mapping[int, int]) -> Plan:
        """Return the plan with more moves known, and the numbers of worlds behind some tables; by step."""
        steps = list(self.steps)
        for (number, name, action), move in moves.items():
            if isinstance(step := steps[number], Acting):
                steps[number] = replace(step, known={**step.known, (name, action): move})
        for number, size in sizes.items():
            if isinstance(step := steps[number], Published):
                steps[number] = replace(step, worlds=size)
        return replace(self, steps=tuple(steps))

    def cases_of(self, moves: Sequence[MoveAtom]) -> dict[Turn, dict[Move, frozenset[str]]]:
        """Return the uses of actions by which some moves may have been made, each with what is then true.

        The moves of one use exclude each other; if none of the uses was made, neither was any of the moves.
        """
        found: dict[Turn, dict[Move, frozenset[str]]] = {}
        for actor, action in {(m.actor, a) for m in moves for a in m.actions}:
            for number, step in self.acting(action):
                about = [m for m in moves if m.actor == actor and action in m.actions]
                shows = dict(declared(self.setup).acts[action].shows)
                words = [None, *shows] if any(m.result for m in about) else [UNKNOWN]
                known = step.known.get((actor, action), Move(None, UNKNOWN))
                for target, word in product({m.targets[0] for m in about}, words):
                    night = step.phase.number
                    made = {m.name for m in about if m.is_made(actor, action, (target,), word, night)}
                    if made and known.target in (None, target) and known.result in (UNKNOWN, word):
                        found.setdefault((number, actor, action), {})[Move(target, word)] = frozenset(made)
        return found

    @property
    def running(self) -> Acting | None:
        """The current phase of moves."""
        return next((step for _, step in self.all(Acting) if not step.ended), None)

    @property
    def collapsed(self) -> int:
        """The number of the step at which one world was drawn; if none was, a number beyond all steps."""
        return next((number for number, step in self.all(Judged) if step.collapsed), len(self.steps))

    @property
    def mentioned(self) -> tuple[str, ...]:
        """The players named by the plan, the viewer first; the others are interchangeable."""
        named = [self.viewer, *dict(self.told.numbers)]
        for step in self.steps:
            named += step.dead
            if isinstance(step, Judged) and step.verdict is not None:  # this includes those who have not won
                named += self.setup.players
            if isinstance(step, Acting):
                moves = ((player, move.target or player) for (player, _), move in step.known.items())
                named += [*chain.from_iterable(moves), *step.refused]
        return tuple(dict.fromkeys(named))


def idle(known: PlacedMove | None) -> str:
    """Return how a player came to make no move, if they made none: by default they were not asked."""
    return NOT_ASKED if known is None or known.made else str(known.result)


# --- from what was told ------------------------------------------------------------------------------


def plan_of(told: Told) -> Plan:
    """Return the constraints in what one player, or nobody, was told."""
    return Plan(told, tuple(_moments(told)))


def _published(table: Table | None, name: str) -> Iterator[Published]:
    if table is not None:
        rows = (_cells(label, table[label].items(), name) for label in table.labels)
        yield Published(tuple(chain.from_iterable(rows)), table.worlds)


def _cells(label: str, row: Iterable[tuple[str, Value]], name: str) -> Iterator[Cell]:
    for column, value in row:
        if isinstance(value, Rounded):
            yield Cell(label, column, value.low, value.high, value.text, f"line {value.line}")
        elif value is not None:
            yield Cell(label, column, value, value, str(value), name)


def _moments(told: Told) -> Iterator[Moment]:
    yield from _published(told.table, "the table before the first move")
    for entry in told.entries:
        for owner, chances in entry.chances:
            row = owner if told.number is None else str(told.number)
            name = f"your chances at the beginning of {entry.phase}"
            yield Published(tuple(_cells(row, chances, name)))
        if told.setup.actions(entry.phase):
            known = dict(_told_moves(told, entry))
            yield Acting(entry.phase, known, entry.refused(told.player), entry.ended)
        yield from _what_followed(told, entry)
        yield from _published(entry.table, f"the table of {entry.phase}")


def _told_moves(told: Told, entry: Entry) -> Iterator[tuple[tuple[str, Action], Move]]:
    """Yield the player's moves, and the public information about the others'."""
    dead = told.dead_before(entry)
    for name in told.setup.players:
        for action in told.setup.actions(entry.phase) if name not in dead else ():
            move, own, turn = entry.move(name, action), name in told.owners, (name, action)
            if turn in entry.passed_over:
                yield turn, Move(None, PASSED)
            elif isinstance(move, ev.Acted):
                shown = UNKNOWN if declared(told.setup).acts[action].shows else None
                yield turn, Move(move.target, move.result if own else shown, move.other)
            elif isinstance(move, ev.Declined):
                yield turn, Move(None)
            elif own and turn not in entry.unsaid:
                yield turn, Move(None, PASSED if turn in entry.asked else NOT_ASKED)
            elif (own and not entry.ended) or (not own and told.setup.targets == "public"):
                yield turn, Move(None, NOT_ASKED if entry.ended else UNMADE)


def _what_followed(told: Told, entry: Entry) -> Iterator[Moment]:
    """Yield the outcome of each vote and of the end of the phase: deaths, verdict, notice, and silence.

    That nobody else died, that the game continued, and that there was no notice are information as well.
    Deaths after a collapse are those of the world drawn.
    """
    begun = [n for n, event in enumerate(entry.events) if isinstance(event, ev.VotedOff | ev.PhaseEnded)]
    for first, end in pairwise([*begun, len(entry.events)]):
        event, *news = entry.events[first:end]
        if voted := isinstance(event, ev.VotedOff):
            yield Voted(dead={event.player: event.announced})
        drawn = next((n for n, e in enumerate(news) if isinstance(e, ev.Collapsed)), len(news))
        collapsed = drawn < len(news)
        dead = [(n, e) for n, e in enumerate(news) if isinstance(e, ev.FoundDead)]
        before = {e.player: e.announced for n, e in dead if n < drawn}
        after = {e.player: e.announced for n, e in dead if n >= drawn}
        verdict = next((e for e in news if isinstance(e, ev.GameEnded)), None)
        role = next((e.role for e in news if isinstance(e, ev.Notice) and e.player == told.player), None)
        if not voted or told.setup.rules.verdict_at_vote == "after deaths":
            yield Died(dead=before)
        if verdict is not None or voted or told.setup.rules.verdict_after == "phase":
            won, winners = (verdict.verdict, verdict.winners) if verdict is not None else (None, ())
            yield Judged(won, winners, collapsed, role if collapsed else None, dead=after)
        if not collapsed:
            yield Noticed(role)


def unpublished(told: Told) -> str:
    """Return why a game has no exact published tables, or no worlds; or ""."""
    if told.setup.deal == "classical":
        return "in a classical deal no table is published"
    if told.setup.sample is not None:
        return "a game on a sample of its worlds shows no exact tables"
    if told.verdict == "draw":
        return "no world is left, so there is nothing to know about the game"
    return ""


_PLANNED = (
    *(ev.Vision, ev.Attack, ev.Declined, ev.Refused, ev.VotedOff, ev.FoundDead),
    *(ev.PhaseEnded, ev.Said, ev.Notice, ev.Collapsed, ev.GameEnded),
)
"""The kinds of events that a plan says something about."""


def played_in_public(setup: Setup, entry: Entry) -> bool:
    """Whether a phase that no plan knows can be replayed.

    Besides actions, and deaths that the dead choose, it has events that are public and not among moves.
    """
    others = [e for e in entry.events if not isinstance(e, (*_PLANNED, ev.Acted, ev.TakenAlong))]
    seen = all(event.told_to(None, setup) is not None for event in others)
    believed = any(isinstance(event, ev.Said) and event.believed for event in entry.events)
    return not believed and (not others or (seen and not setup.actions(entry.phase)))


def unplanned(entry: Entry) -> str:
    """Return why what happened in a phase puts no constraints on histories, or ""."""
    if any(isinstance(event, ev.Said) and event.believed for event in entry.events):
        return "believed words change the superposition, which the search for histories does not cover"
    names = sorted({event.name for event in entry.events if not isinstance(event, _PLANNED)})
    return f"the search for histories does not cover the event {names[0]!r}" if names else ""
