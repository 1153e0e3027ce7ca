"""All histories of a small game, played one by one: what everybody may have been told, and what they know.

Moves are proposed for everybody who acts in a phase. The worlds they leave do not depend on their order, so
that proposals which do not fit the next table are never played: where an action divides the worlds by its
actor, the counts of a table are sums over the actors. What is left is played by the game itself, in an order
that the rules allow, with every outcome of every draw. So no rule is stated here, and kinds of events
declared elsewhere are played like any other.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import permutations, product
from math import prod
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from kripke_werewolf.errors import GameError, IllegalMove
from kripke_werewolf.language import Atom, Formula
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.reports.tables import Cell as Value
from kripke_werewolf.reports.tables import Rounded
from kripke_werewolf.werewolf.actions import DECLINED, NOT_ASKED, NOTHING, Option, WorldName
from kripke_werewolf.werewolf.declarations import SecretAct, declared, seated, splits_worlds
from kripke_werewolf.werewolf.draws import Draw
from kripke_werewolf.werewolf.events import (
    Attack,
    Collapsed,
    Declined,
    Event,
    FoundDead,
    PhaseEnded,
    Refused,
    Said,
    Step,
    Vision,
    in_seat_order,
    is_action,
)
from kripke_werewolf.werewolf.inference.plan import BY_FACTS, played_in_public, unplanned, unpublished
from kripke_werewolf.werewolf.moves import Moved, end_phase, play
from kripke_werewolf.werewolf.roles import VILLAGER, Role, letter
from kripke_werewolf.werewolf.rules import FACTS, Action
from kripke_werewolf.werewolf.setup import Setup, make_worlds
from kripke_werewolf.werewolf.state import State, compulsory, public_refusals, start_state
from kripke_werewolf.werewolf.superposition import Superposition
from kripke_werewolf.werewolf.table import Table
from kripke_werewolf.werewolf.told import UNKNOWN, Entry, Moves, Row, Told, told_first, told_next

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.inference.search import Budget

T = TypeVar("T")
MOST_HISTORIES = 100_000
"""The most histories that are kept at any moment of the game."""
MOST_PROPOSED = 500_000
"""The most combinations of moves that are tried for one phase of one history."""
Seen: TypeAlias = tuple[Moves, tuple[Event, ...], tuple[tuple[str, Row], ...]]
"""What a player was told in a phase, besides tables: the actions asked for, events, and own chances."""
Turn: TypeAlias = tuple[str, Action]
Numbering: TypeAlias = tuple[int, ...]


class _Stopped(Exception):
    """Not all histories could be listed; the message says why."""


class _Late(_Stopped):
    """The time was up."""


@dataclass(slots=True)
class Stage:
    """A game of which only the settings matter for what happens next."""

    setup: Setup
    steps: tuple[Step, ...] = ()
    states: tuple[State, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayedHistory:
    """A history up to some moment; numberings of the players that fit all tables so far are kept together."""

    state: State
    seen: tuple[tuple[Seen, ...], ...]
    """For each agent what they were told in each phase."""
    numberings: tuple[Numbering, ...]
    chance: Fraction = Fraction(1)
    own: tuple[Fraction, ...] = ()
    """For each agent the part of the chance that is their own choice."""


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """A phase as far as it was played: the state after it, and what happened."""

    state: State
    step: Step
    chance: Fraction
    own: tuple[Fraction, ...]
    numberings: tuple[Numbering, ...]


def unlisted(told: Told, agents: Sequence[str], *, weighted: bool = False) -> str:
    """Return why the histories with what some players were told are not listed, or ""."""
    if why := unpublished(told):
        return why
    for entry in told.entries:  # between moves, nobody knows who has acted before
        if (why := unplanned(entry)) and not played_in_public(told.setup, entry):
            return why
    if len(agents) > 1 and any(isinstance(event, Refused) for event in told.events):
        return "an attack was refused; what several players know of each other is then not listed"
    if weighted and told.running:
        return (
            "whether others have moved in a phase that has not ended has no probability; ask what they "
            "know, or ask when the phase is over"
        )
    return ""


class Replay:
    """All histories with the public part of what some players were told.

    `agents`: the players whose information is recorded; `weighted`: whether the chances are needed.
    """

    def __init__(
        self, told: Told, agents: Sequence[str], *, weighted: bool = False, budget: Budget | None = None
    ) -> None:
        if why := unlisted(told, agents, weighted=weighted):
            raise GameError(f"{why}; {BY_FACTS}")
        self.told, self.agents, self.weighted, self.budget = told, tuple(agents), weighted, budget
        self.public = told.of()
        self.players = told.setup.players
        seats = tuple(range(1, len(self.players) + 1))
        self.setup = replace(told.setup, numbers=told.setup.numbers or seats)
        self.game, self.declared = Stage(self.setup), declared(self.setup)
        self._courses: list[PlayedHistory] = []
        self._late = False

    # all histories

    @cached_property
    def unfinished(self) -> str:
        """Why not all histories were listed, or ""."""
        try:
            self._courses = self._listed()
        except _Stopped as stopped:
            self._late = isinstance(stopped, _Late)
            return str(stopped)
        return ""

    @property
    def courses(self) -> list[PlayedHistory]:
        """All histories; raise GameError if not all were listed."""
        if self.unfinished:
            time_helps = "a longer timeout (--timeout), " if self._late else ""
            raise GameError(
                f"not all histories were listed, because {self.unfinished}; {time_helps}"
                f"fewer players, an earlier moment or a question about one player would help; {BY_FACTS}"
            )
        return self._courses

    def _listed(self) -> list[PlayedHistory]:
        worlds = make_worlds(self.setup, "enumerated")
        start = PlayedHistory(start_state(self.setup, worlds), ((),) * len(self.agents), self._numberings)
        start = replace(start, own=(Fraction(1),) * len(self.agents))
        found = list(self._published(start, self.public.table, told_first(self.setup, start.state).table))
        for number in range(len(self.public.entries)):
            found = self._few(after for course in found for after in self._phase(course, number))
        return found

    @cached_property
    def _numberings(self) -> tuple[Numbering, ...]:
        if not self.told.setup.numbers_hidden:
            return (self.setup.numbers,)
        known = {self.players.index(name): number for name, number in self.told.known_numbers.items()}
        every = permutations(range(1, len(self.players) + 1))
        several = len(self.agents) > 1  # then the owners' numbers are news to the others
        return tuple(n for n in every if several or all(n[seat] == own for seat, own in known.items()))

    def _few(self, courses: Iterable[PlayedHistory]) -> list[PlayedHistory]:
        found: list[PlayedHistory] = []
        for course in courses:
            found.append(course)
            if len(found) > MOST_HISTORIES:
                raise _Stopped(
                    f"there are more than {MOST_HISTORIES:,} histories with this public information"
                )
            self._tick()
        return found

    def _tick(self) -> None:
        deadline = None if self.budget is None else self.budget.deadline
        if self.budget is not None and deadline is not None and time.monotonic() > deadline:
            raise _Late(f"the time was up ({self.budget.seconds:g} s)")

    def _phase(self, course: PlayedHistory, number: int) -> Iterator[PlayedHistory]:
        """Yield the history after every way a phase may have gone."""
        entry, state = self.public.entries[number], course.state
        if state.verdict is not None or state.phase != entry.phase:
            return
        if self.setup.actions(entry.phase):
            yield from self._acted(course, entry)
            return
        ways: list[tuple[Moved, Fraction]] = [((state, ()), Fraction(1))]
        for event in entry.events:
            if event.is_move and not isinstance(event, PhaseEnded):
                ways = [
                    ((after, (*step, *made)), chance * share)
                    for (now, step), chance in ways
                    if now.phase == entry.phase and now.verdict is None
                    for (after, made), share in _outcomes(partial(self._made, event, now))
                ]
        for (now, step), chance in ways:
            played = PlayedPhase(now, step, course.chance * chance, course.own, course.numberings)
            if not entry.ended or now.phase != entry.phase or now.verdict is not None:
                yield from self._told(course, entry, played, ())
                continue
            for (after, ending), share in _outcomes(partial(end_phase, self.game, now)):
                over = replace(played, state=after, chance=played.chance * share)
                yield from self._told(course, entry, over, ending)

    def _made(self, event: Event, state: State, draw: Draw) -> Moved:
        """Return the state after a public move with its consequences."""
        return play(Stage(self.setup, states=(state,)), event, draw)

    # moves

    def _acted(self, course: PlayedHistory, entry: Entry) -> Iterator[PlayedHistory]:
        state, passed = course.state, entry.passed_over if entry.ended else frozenset()
        turns = list(state.open)
        if not passed <= frozenset(turns):
            return
        for event in self.told.entries[len(course.seen[0])].events if len(self.agents) == 1 else ():
            if isinstance(event, Refused):
                actor, target = self.setup.seat(event.actor), self.setup.seat(event.target)
                if target not in state.secret_refusals(actor, event.action):
                    return
        turns = [turn for turn in turns if turn not in passed]
        choices = {turn: self._choices(state, turn, entry) for turn in turns}
        for moves in self._proposals(state, entry, choices, course.numberings):
            self._tick()
            made = [move for move in moves if move is not None]
            if not entry.ended and made and len(made) == len(choices):
                continue  # the phase would have ended
            for played in self._played(course, entry, made):
                if not entry.ended:
                    yield from self._told(course, entry, played, ())
                    continue
                for (end, ending), share in _outcomes(partial(end_phase, self.game, played.state)):
                    over = replace(played, state=end, chance=played.chance * share)
                    yield from self._told(course, entry, over, ending)

    def _choices(self, state: State, turn: Turn, entry: Entry) -> list[Event | None]:
        """Return the moves that a player may have made, as far as the public knows; None: none so far."""
        name, action = turn
        seat, found = self.setup.seat(name), list[Event | None]()
        refused = public_refusals(self.setup, state.dead, seat, action)
        targets = [t for t in range(len(self.players)) if t not in refused]
        if not compulsory(self.setup, action):
            found.append(Declined(name, action))
        for t in targets:
            if action == "attack":
                found.append(Attack(name, self.players[t]))
            else:
                found += [
                    Vision(name, self.players[t], r)
                    for r in self._results(state, entry, seat, t, self.declared.acts[action])
                ]
        seen = [event for event in entry.events if is_action(event) and event.actor == name]
        visible = [event for event in seen if event.action == action]
        if self.setup.targets == "public":
            found = [e for e in found if e is not None and e.told_to(None, self.setup) in visible]
        if not entry.ended and not visible:
            found.append(None)
        return found

    def _results(
        self, state: State, entry: Entry, seat: int, target: int, act: SecretAct
    ) -> list[str | None]:
        """Return the results that a player may have been shown; None: nothing."""
        count, mine = state.worlds.count, f"({act.by})"
        words = ((word, f"{mine} & ({where})") for word, where in act.shows)
        found: list[str | None] = [word for word, f in words if count(seated(self.setup, f, seat, target))]
        if self._ordered(entry) or not count(seated(self.setup, f"{mine} & ({act.pool})", seat, target)):
            found.append(None)
        return found

    def _acts(self, entry: Entry) -> list[SecretAct]:
        return [self.declared.acts[action] for action in self.setup.actions(entry.phase)]

    def _ordered(self, entry: Entry) -> bool:
        """Whether the order of the moves of a phase may matter."""
        acts = self._acts(entry)
        several = any(act.shows and not splits_worlds(self.declared, act) for act in acts)
        return several or (len(acts) > 1 and any(act.change for act in acts))

    def _left(self, worlds: Superposition, event: Event | None) -> Superposition:
        """Return the worlds that a move leaves, in whatever order it is made."""
        if event is None or (isinstance(event, Vision) and event.result is None):
            return worlds
        return event.learn(worlds, self.setup)

    def _proposals(
        self,
        state: State,
        entry: Entry,
        choices: Mapping[Turn, Sequence[Event | None]],
        numberings: Sequence[Numbering],
    ) -> Iterator[tuple[Event | None, ...]]:
        """Yield a move for each turn, as far as the sums of a table show that they may fit it."""
        targets = self._targets(entry, state.worlds.size, numberings)
        acts = self.declared.acts
        divided = [turn for turn in choices if splits_worlds(self.declared, acts[turn[1]])]
        if targets is None or not divided:
            if (number := prod(map(len, choices.values()))) > MOST_PROPOSED:
                raise _Stopped(f"{number:,} combinations of moves in {entry.phase} would have to be played")
            yield from product(*choices.values())
            return
        others = [turn for turn in choices if turn not in divided]
        for first in product(*(choices[turn] for turn in others)):
            worlds = state.worlds
            for event in first:
                worlds = self._left(worlds, event)
            found: dict[tuple[Event | None, ...], None] = {}
            for drawn in self._drawn(entry):
                found |= dict.fromkeys(self._summed(worlds, drawn, divided, choices, targets))
            for moves in found:
                made = dict(zip((*others, *divided), (*first, *moves), strict=True))
                yield tuple(made[turn] for turn in choices)

    def _drawn(self, entry: Entry) -> Iterator[tuple[tuple[int, Role], ...]]:
        """Yield the cards that may have been drawn at the end of a phase."""
        dead = [event for event in entry.events if isinstance(event, FoundDead)]
        words = dict(self.declared.found.says)
        roles = [self.declared.roles(words.get(event.announced or "", "true")) for event in dead]
        seats = [self.setup.seat(event.player) for event in dead]
        for chosen in product(*roles):
            yield tuple(zip(seats, chosen, strict=True))

    def _targets(
        self, entry: Entry, most: int, numberings: Sequence[Numbering]
    ) -> tuple[list[tuple[str, int]], frozenset[int], int] | None:
        """Return the facts of a table at the end of a phase, and the sums that would be shown as it."""
        table = entry.table
        if table is None or any(isinstance(event, Collapsed) for event in entry.events):
            return None
        mortal = self.declared.mark is None
        columns = [(k, FACTS[c]) for k, c in enumerate(table.columns) if FACTS[c] != "dead" or mortal]
        columns = [
            (k, fact) for k, fact in columns if all(isinstance(row[k], Fraction) for row in table.rows)
        ]
        if not columns or len(table.rows) != len(self.players):
            return None
        bits = most.bit_length()
        facts = [(fact, seat) for _, fact in columns for seat in range(len(self.players))]
        found: set[int] = set()
        for numbers in numberings:
            rows = [table.rows[table.labels.index(label)] for label in self._labels(numbers)]
            cells = [row[k] for k, _ in columns for row in rows]
            for size in range(1, most + 1) if table.worlds is None else [table.worlds]:
                counts = [cell * size for cell in cells]  # type: ignore[operator]
                if all(count.denominator == 1 for count in counts):
                    found.add(_packed([size, *map(int, counts)], bits))
        return facts, frozenset(found), bits

    def _labels(self, numbers: Numbering) -> Sequence[str]:
        return [str(n) for n in numbers] if self.setup.numbers_hidden else self.players

    def _summed(
        self,
        worlds: Superposition,
        drawn: tuple[tuple[int, Role], ...],
        divided: Sequence[Turn],
        choices: Mapping[Turn, Sequence[Event | None]],
        targets: tuple[list[tuple[str, int]], frozenset[int], int],
    ) -> Iterator[tuple[Event | None, ...]]:
        """Yield the moves of those who divide the worlds among them whose counts add up to a table."""
        facts, wanted, bits = targets

        def counted(part: Superposition) -> int:
            for seat, role in drawn:
                part = part.fix(seat, role).die(seat)
            return _packed([part.size, *(part.count(Atom(f"{fact}_{seat}")) for fact, seat in facts)], bits)

        acting = {self.setup.seat(name): (name, action) for name, action in divided}
        by = self.declared.acts[divided[0][1]].by
        rest = 0
        parts: list[dict[int, list[Event | None]]] = []
        for seat in range(len(self.players)):
            part = worlds.keep(seated(self.setup, by, seat))
            if seat not in acting:
                rest += counted(part)
                continue
            sums: dict[int, list[Event | None]] = {}
            for event in choices[acting[seat]]:
                sums.setdefault(counted(self._left(part, event)), []).append(event)
            parts.append(sums)
        half = len(parts) // 2
        first, second = (_combined(some) for some in (parts[:half], parts[half:]))
        for total in wanted:
            for number, begun in first.items():
                for ended in second.get(total - rest - number, ()):
                    for start in begun:
                        yield from product(*start, *ended)

    def _played(self, course: PlayedHistory, entry: Entry, made: Sequence[Event]) -> Iterator[PlayedPhase]:
        """Yield the state after some moves, in the orders that the rules allow."""
        for orders, numberings in self._orders(entry, made, course.numberings):
            states: dict[Step, tuple[State, Fraction]] = {}
            total = 0
            for order in orders:
                total += 1
                now, step, chance = course.state, tuple[Event, ...](), Fraction(1)
                try:
                    for event in order:
                        seen, now, share = self._one(event, now)
                        step, chance = (*step, seen), chance * share
                except IllegalMove:
                    continue
                key = in_seat_order(self.setup, step)
                states[key] = now, chance + (states[key][1] if key in states else 0)
                if not self.weighted:
                    break
            for step, (now, chance) in states.items():
                own = course.own
                for event in made if self.weighted else ():
                    choice = Fraction(1, self._accepted(course.state, event))
                    chance *= choice
                    own = tuple(
                        part * choice if agent == event.actor else part  # type: ignore[attr-defined]
                        for agent, part in zip(self.agents, own, strict=True)
                    )
                yield PlayedPhase(now, step, course.chance * chance / total, own, numberings)

    def _accepted(self, state: State, event: Event) -> int:
        """Return the number of choices that the game master would have accepted instead of a move."""
        assert isinstance(event, Vision | Attack | Declined)
        targets = state.target_refusals(self.setup.seat(event.actor), event.action)
        return len(self.players) - len(targets) + (not compulsory(self.setup, event.action))

    def _one(self, event: Event, state: State) -> tuple[Event, State, Fraction]:
        """Return a move as made, the state after it, and the chance of its result."""
        share = Fraction(1)
        wanted = event.result if isinstance(event, Vision) else None

        def draw(kind: str, player: str | None, weights: Mapping[str, int]) -> str:
            nonlocal share
            if wanted is None or wanted not in weights:
                raise IllegalMove("this result is not possible")
            share = Fraction(weights[wanted], sum(weights.values()))
            return wanted

        plain = replace(event, result=None) if isinstance(event, Vision) else event
        seen, after = plain.happen(self.game, state, draw)
        if isinstance(seen, Vision) and seen.result != wanted:
            raise IllegalMove("this result is not possible")
        return seen, after, share

    def _orders(
        self, entry: Entry, made: Sequence[Event], numberings: Sequence[Numbering]
    ) -> Iterator[tuple[Iterable[Sequence[Event]], tuple[Numbering, ...]]]:
        """Yield the possible orders of some moves, with the numberings for which they are possible."""
        if len(made) < 2 or not self._ordered(entry):
            yield [made], tuple(numberings)
            return
        own: dict[str, list[Event]] = {}
        for event in made:
            own.setdefault(event.actor, []).append(event)  # type: ignore[attr-defined]
        night = entry.phase.kind == "night" and entry.ended
        if not night or self.setup.rules.acting_order == "random":
            every = ([event for name in order for event in own[name]] for order in permutations(own))
            yield every, tuple(numberings)
            return
        by_order: dict[tuple[str, ...], list[Numbering]] = {}
        for numbers in numberings:
            order = tuple(sorted(own, key=lambda name: numbers[self.setup.seat(name)]))
            by_order.setdefault(order, []).append(numbers)
        for names, some in by_order.items():
            yield [[event for name in names for event in own[name]]], tuple(some)

    # what was told

    def _told(
        self, course: PlayedHistory, entry: Entry, played: PlayedPhase, ending: Step
    ) -> Iterator[PlayedHistory]:
        """Yield the history after a phase, if the public was told just this."""
        setup, state = self.setup, played.state
        if entry.ended is (state.phase == entry.phase and state.verdict is None):
            return
        begun = replace(told_first(setup, course.state), table=None)
        now = told_next(begun, setup, (*played.step, *ending), course.state, state).entries[0]
        wanted = [event for event in entry.events if not isinstance(event, Said)]
        if not _agree(now.of(setup, ()).events, wanted):
            return
        parts = (now.of(setup, (agent,)) for agent in self.agents)
        seen = tuple(
            (*before, (part.asked, part.events, part.chances))
            for before, part in zip(course.seen, parts, strict=True)
        )
        after = PlayedHistory(state, seen, played.numberings, played.chance, played.own)
        yield from self._published(after, entry.table, now.table)

    def _published(
        self, course: PlayedHistory, shown: Table | None, now: Table | None
    ) -> Iterator[PlayedHistory]:
        """Yield the history with the numberings for which a table shows what it does."""
        if shown is None:
            yield course
            return
        if now is None or shown.worlds not in (None, now.worlds):
            return
        rows = [now.row(str(p + 1) if self.setup.numbers_hidden else n) for p, n in enumerate(self.players)]
        fitting = tuple(
            numbers
            for numbers in course.numberings
            if all(
                _admits(cell, row[column])
                for label, row in zip(self._labels(numbers), rows, strict=True)
                if label in shown.labels
                for column, cell in shown.row(label).items()
            )
        )
        if fitting:
            yield replace(course, numberings=fitting)

    # the model

    def model(self, f: Formula, *, deals: bool = False) -> KripkeModel:
        """Return the S5 model of what the agents know, as far as a formula needs it.

        `deals`: worlds are told apart by all cards, for an explanation.
        """
        ids: list[dict[object, int]] = [{} for _ in self.agents]
        names: dict[tuple[object, ...], WorldName] = {}
        true: dict[Hashable, frozenset[str]] = {}
        seen: list[dict[Hashable, int]] = [{} for _ in self.agents]
        weights: list[dict[Hashable, Fraction]] = [{} for _ in self.agents]
        designated: dict[Hashable, None] = {}
        used: Counter[str] = Counter()
        for course in self.courses:
            for told, fits, many in self._by_number(course):
                own = tuple(known.setdefault(t, len(known)) for known, t in zip(ids, told, strict=True))
                for world, facts, size in self._worlds(course.state, f.atoms, deals=deals):
                    key = own, world, facts
                    if key not in names:
                        events = [option for k, t in enumerate(told) for option in self._options(k, t)]
                        name = WorldName(world or facts, events)
                        used[name] += 1
                        if used[name] > 1:
                            name = WorldName(name.deal, (*events, Option("", note=f"case {used[name]}")))
                        names[key], true[name] = name, facts & f.atoms
                        for k, number in enumerate(own):
                            seen[k][name] = number
                    name = names[key]
                    if fits:
                        designated[name] = None
                    share = course.chance * Fraction(many * size, course.state.worlds.size)
                    for k, part in enumerate(course.own if self.weighted else ()):
                        weights[k][name] = weights[k].get(name, Fraction(0)) + share / part
        if not designated:
            raise GameError(f"no history explains what {' and '.join(self.told.owners)} was told")
        return KripkeModel.from_observations(
            true,
            {agent: known.__getitem__ for agent, known in zip(self.agents, seen, strict=True)},
            true.__getitem__,
            designated,
            atoms=f.atoms,
            weights=dict(zip(self.agents, weights, strict=True)) if self.weighted else None,
        )

    def _by_number(
        self, course: PlayedHistory
    ) -> Iterator[tuple[tuple[tuple[int, tuple[Seen, ...]], ...], bool, int]]:
        """Yield the agents' information, by number; whether it fits, and how many numberings have it."""
        seats = [self.setup.seat(agent) for agent in self.agents]
        known = dict(self.told.numbers)
        like = all(map(self._like, self.agents, course.seen))
        for own, many in Counter(tuple(n[seat] for seat in seats) for n in course.numberings).items():
            fits = like and all(known.get(a, n) == n for a, n in zip(self.agents, own, strict=True))
            yield tuple(zip(own, course.seen, strict=True)), fits, many

    def _like(self, agent: str, told: Sequence[Seen]) -> bool:
        """Whether an agent's information may be what they were told; of others than the owners any may."""
        if agent not in self.told.owners:
            return True
        mine = self.told.of(agent)
        return all(
            self._same_phase(agent, entry, seen) for entry, seen in zip(mine.entries, told, strict=True)
        )

    def _same_phase(self, agent: str, entry: Entry, seen: Seen) -> bool:
        asked, events, chances = seen
        if asked - entry.unsaid != entry.asked - entry.unsaid:
            return False
        wanted = [event for event in entry.events if not isinstance(event, Said | Refused)]
        open_ = {turn for turn in entry.unsaid if entry.move(*turn) is None}
        told = [event for event in events if not (is_action(event) and (event.actor, event.action) in open_)]
        own, now = dict(entry.chances).get(agent, ()), dict(dict(chances).get(agent, ()))
        return _agree(told, wanted) and all(_admits(cell, now.get(column)) for column, cell in own)

    def _worlds(
        self, state: State, atoms: frozenset[str], *, deals: bool
    ) -> Iterator[tuple[str, frozenset[str], int]]:
        """Yield the worlds of a state: the cards if they are told apart, the facts, and how many worlds."""
        asked = atoms | deal_atoms(self.setup) if deals else atoms
        parts = [(frozenset[str](), state.worlds)]
        for atom in sorted(asked):
            fact, _, name = atom.partition("_")
            true = Atom(f"{fact}_{self.setup.seat(name)}")
            split = ((facts, w, w.keep(true)) for facts, w in parts)
            halves = [((facts | {atom}, yes), (facts, w.keep(~true))) for facts, w, yes in split]
            parts = [part for pair in halves for part in pair if part[1].size]
        for facts, worlds in parts:
            yield deal_letters(self.setup, facts) if deals else "", facts, worlds.size

    def _options(self, agent: int, told: tuple[int, tuple[Seen, ...]]) -> Iterator[Option]:
        """Yield a player's number, moves and notices, for the names of worlds."""
        name, (number, phases) = self.agents[agent], told
        if self.setup.numbers_hidden:
            yield Option(name, note=str(number))
        for entry, (asked, events, _) in zip(self.public.entries, phases, strict=True):
            for action in self.setup.actions(entry.phase):
                if (name, action) not in asked:
                    yield Option(name, note=NOT_ASKED)
            for event in events:
                if isinstance(event, Declined) and event.actor == name:
                    yield Option(name, note=DECLINED)
                elif is_action(event) and event.actor == name:
                    result = getattr(event, "result", None)
                    blind = isinstance(event, Vision) and result is None
                    yield Option(name, event.target, result, NOTHING if blind else "")  # type: ignore[union-attr]
                elif event.concerned == (name,):
                    yield Option(name, note=str(getattr(event, "role", event.name)))


def _agree(seen: Sequence[Event], wanted: Sequence[Event]) -> bool:
    """Whether events are as told; a typed sheet may leave out results and announcements."""
    return len(seen) == len(wanted) and all(map(_same, seen, wanted))


def _same(event: Event, wanted: Event) -> bool:
    if event == wanted:
        return True
    free = {"announced": None, "result": UNKNOWN, "tied": ()}
    if type(event) is not type(wanted):
        return False
    names = [field.name for field in fields(wanted)]  # type: ignore[arg-type]
    return all(
        getattr(event, n) == getattr(wanted, n)
        or (n in free and free[n] in (getattr(wanted, n), getattr(event, n)))
        for n in names
    )


def _admits(shown: Value, value: Value) -> bool:
    """Whether a probability may have been shown as an entry of a table; None: it is not given."""
    if isinstance(shown, Rounded):
        return isinstance(value, Fraction) and shown.low <= value <= shown.high
    return shown is None or shown == value


def _packed(numbers: Iterable[int], bits: int) -> int:
    """Return some numbers side by side in one."""
    found = 0
    for number in numbers:
        found = found << bits | number
    return found


def _combined(parts: Sequence[Mapping[int, Sequence[T]]]) -> dict[int, list[tuple[Sequence[T], ...]]]:
    """Return the sums of one option of each part, each with the options that add up to it."""
    found: dict[int, list[tuple[Sequence[T], ...]]] = {0: [()]}
    for sums in parts:
        more: dict[int, list[tuple[Sequence[T], ...]]] = {}
        for total, chosen in found.items():
            for number, same in sums.items():
                more.setdefault(total + number, []).extend((*before, same) for before in chosen)
        found = more
    return found


class _Undrawn(Exception):
    """A draw whose outcome has not been chosen."""


def _outcomes(act: Callable[[Draw], T]) -> Iterator[tuple[T, Fraction]]:
    """Yield the results of an act for every outcome of its draws, each with its probability."""
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        path = waiting.pop()
        rest, further, chance = list(path), list[str](), [Fraction(1)]

        def draw(kind: str, player: str | None, weights: Mapping[str, int]) -> str:
            if not rest:  # noqa: B023
                further.extend(weights)  # noqa: B023
                raise _Undrawn
            chosen = rest.pop(0)  # noqa: B023
            chance[0] *= Fraction(weights[chosen], sum(weights.values()))  # noqa: B023
            return chosen

        try:
            yield act(draw), chance[0]
        except _Undrawn:
            waiting += [(*path, outcome) for outcome in further]
        except IllegalMove:
            continue


def deal_atoms(setup: Setup) -> frozenset[str]:
    """Return the atoms that tell all deals and deaths apart."""
    return frozenset(f"{fact}_{name}" for fact in (*setup.deck.roles[1:], "dead") for name in setup.players)


def deal_letters(setup: Setup, facts: frozenset[str]) -> str:
    """Return a world by the letters of its cards, capital where a player is dead, from its true atoms."""
    letters = ""
    for name in setup.players:
        role = next((role for role in setup.deck.roles[1:] if f"{role}_{name}" in facts), VILLAGER)
        letters += letter(role).upper() if f"dead_{name}" in facts else letter(role)
    return letters


__all__ = ["MOST_HISTORIES", "Replay", "deal_atoms", "deal_letters", "unlisted"]
