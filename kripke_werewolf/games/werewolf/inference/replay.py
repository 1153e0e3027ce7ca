"""All histories of a small game, played one by one: what everybody may have been told, and what they know.

Moves are proposed for everybody who acts in a phase. The worlds they leave do not depend on their order, so
that proposals which do not fit the next table are never played: where an action divides the worlds by its
actor, the counts of a table are sums over the actors. What is left is played by the game itself, in an order
that the rules allow, with every outcome of every draw. So no rule is stated here, and kinds of events
declared elsewhere are played like any other.

Games that the search does not cover, such as those with further cards, are inferred from this list
(`ListedHistory`) if they are small enough: a role as soon as it is declared, even one of a user's own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial, reduce
from itertools import chain, islice, permutations, product, takewhile
from math import ceil, floor, prod
from typing import Any, TypeAlias

from kripke_werewolf.base.errors import GameError, IllegalMove
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.base.reports.tables import Cell as Value
from kripke_werewolf.base.reports.tables import Rounded
from kripke_werewolf.games.werewolf import events as ev
from kripke_werewolf.games.werewolf.actions import Option, WorldName
from kripke_werewolf.games.werewolf.budget import Budget, Unfinished
from kripke_werewolf.games.werewolf.declarations import declared, seated, splits_worlds
from kripke_werewolf.games.werewolf.draws import Draw
from kripke_werewolf.games.werewolf.engines import is_weighted
from kripke_werewolf.games.werewolf.enumerated import make_worlds
from kripke_werewolf.games.werewolf.inference import plan as plans
from kripke_werewolf.games.werewolf.inference.scenario import Attacks
from kripke_werewolf.games.werewolf.move_atoms import moves_in
from kripke_werewolf.games.werewolf.moves import Moved, end_phase, play
from kripke_werewolf.games.werewolf.roles import VILLAGER, Action, Schema
from kripke_werewolf.games.werewolf.rules import column_fact
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.games.werewolf.state import State, is_compulsory, public_choices, start_state
from kripke_werewolf.games.werewolf.superposition import NotCovered, Superposition
from kripke_werewolf.games.werewolf.table import Table
from kripke_werewolf.games.werewolf.told import UNKNOWN, Entry, Told, told_first, told_next
from kripke_werewolf.logic.formulas import Atom, Formula
from kripke_werewolf.logic.models.model import KripkeModel

MOST_HISTORIES = 100_000
"""The largest number of histories that are kept at any moment of the game."""
MOST_SUMS = 10_000
"""The largest number of combinations of numbers that may be behind a table of a given number of worlds."""
MOST_PROPOSED = 500_000
"""The largest number of combinations of moves that are tried for one phase of one history."""
Turn: TypeAlias = tuple[str, Action]
_Move: TypeAlias = ev.Acted | ev.Declined
_Choices: TypeAlias = Mapping[Turn, Sequence[_Move | None]]
"""For each turn the moves that may have been made in it; None: none so far."""
_Moves: TypeAlias = tuple[_Move | None, ...]
_Cards: TypeAlias = tuple[tuple[int, str], ...]
"""Some seats, each with a role."""
_Counts: TypeAlias = frozenset[tuple[int, ...]]
Numbering: TypeAlias = tuple[int, ...]
_Own: TypeAlias = tuple[int, tuple[Entry, ...]]
"""A player's number, and what they were told in each phase."""


class _TooMany(Unfinished):
    """Not all histories could be listed, however much time there is; the message says why."""


@dataclass(slots=True)
class Stage:
    """A game whose settings alone matter for what happens next."""

    setup: Setup
    steps: tuple[ev.Step, ...] = ()
    states: tuple[State, ...] = ()

    def worlds_where(self, f: Formula) -> tuple[Superposition, str | None]:
        """Raise NotCovered: words that were believed are not replayed."""
        raise NotCovered(f"histories with the words {f} are not listed")


@dataclass(frozen=True, slots=True)
class _Course:
    """A history up to some moment; numberings of the players that fit all tables so far are kept together."""

    state: State
    seen: tuple[tuple[Entry, ...], ...]
    """For each agent, what they were told in each phase, besides tables."""
    numberings: tuple[Numbering, ...]
    chances: tuple[Fraction, ...]
    """For each agent, the chance of this history given the agent's own choices."""
    step: ev.Step = ()
    """What has happened in the phase that is played."""
    entries: tuple[Entry, ...] = ()
    """Everything that happened in the phases before it."""

    def after(self, moved: Moved, share: Fraction) -> _Course:
        """Return it after some events of this chance."""
        state, step = moved
        chances = tuple(chance * share for chance in self.chances)
        return replace(self, state=state, step=(*self.step, *step), chances=chances)

    def by_facts(self, atoms: Iterable[str]) -> Iterator[tuple[frozenset[str], int]]:
        """Yield the true ones of some atoms, and the number of worlds where exactly these are true."""
        setup = self.state.setup
        known, moves = Told(setup, setup.players, entries=self.entries), moves_in(setup, atoms)
        parts = [(frozenset(move.name for move in moves if known.made(move)), self.state.worlds)]
        for atom in sorted({*atoms}.difference(move.name for move in moves)):
            true = Atom(setup.by_seat(atom))
            halves = [((facts | {atom}, w.keep(true)), (facts, w.keep(~true))) for facts, w in parts]
            parts = [part for both in halves for part in both if part[1].size]
        yield from ((facts, worlds.size) for facts, worlds in parts)


@dataclass(frozen=True, eq=False)
class ListedHistory:
    """One history, as it was played, with the numberings of the players; it answers like a `Find`."""

    plan: plans.Plan
    course: _Course

    @property
    def histories(self) -> int:
        """How many there are, one for each numbering."""
        return len(self.course.numberings)

    @property
    def weight(self) -> Fraction:
        """Their chance."""
        return self.course.chances[0] * self.histories

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of worlds of the superposition."""
        return (self.course.state.worlds.size,)

    def places(self, names: Iterable[str]) -> Iterator[tuple[Mapping[str, int], Fraction]]:
        """Yield the places of the players; see `Find.places`."""
        setup = self.plan.setup
        for numbers in self.course.numberings:
            seats = [n - 1 for n in numbers] if setup.numbers_hidden else range(len(numbers))
            yield dict(zip(setup.players, seats, strict=True)), Fraction(1, self.histories)

    def valued(self, atoms: Sequence[str]) -> Iterator[tuple[frozenset[str], Fraction]]:
        """Yield the true ones of some atoms in the worlds, with the weights of these; see `Find.valued`."""
        for facts, size in self.course.by_facts(atoms):
            yield facts, self.weight * size / self.course.state.worlds.size

    @property
    def attacks(self) -> tuple[Attacks, ...]:
        """Whom everybody attacked, for each numbering."""
        ways = (self._played.placed(place) for place, _ in self.places(()))
        return tuple({(m.step, m.actor): m.target for m in way if m.action == "attack"} for way in ways)

    def moves(self) -> Iterator[tuple[plans.PlacedMove, Fraction]]:
        """Yield the moves of the living in each phase, and why there was none, each with the weight."""
        for place, share in self.places(()):
            yield from ((move, self.weight * share) for move in self._played.placed(place))

    @cached_property
    def _played(self) -> plans.Plan:
        """The plan with everybody's moves."""
        told = self.plan.told
        played = zip(self.course.entries, told.entries, strict=True)
        entries = tuple(replace(now, chances=known.chances, table=known.table) for now, known in played)
        return plans.plan_of(replace(told, owners=told.setup.players, entries=entries))

    def in_sentences(self) -> Iterator[str]:
        """Yield everything that happened."""
        for entry in self.course.entries:
            yield from (f"{entry.phase}: {said}" for event in entry.events if (said := event.in_full()))


def unlisted(told: Told, agents: Sequence[str]) -> str:
    """Return why the histories with what some players were told are not listed, or ""."""
    if why := plans.unpublished(told):
        return why
    looker = told.setup.deck.looker
    if told.running and told.setup.deck.cards(looker.name) > 1:
        return f"in a phase that has not ended, histories with several {looker.several} are not listed"
    for entry in told.entries:  # between moves, nobody knows who has acted before
        if (why := plans.unplanned(entry)) and not plans.played_in_public(told.setup, entry):
            return why
    if len(agents) > 1 and any(isinstance(event, ev.Refused) for event in told.events):
        return "an attack was refused; what several players know of each other is then not listed"
    return ""


@dataclass(eq=False, repr=False)
class Replay:
    """All histories with the public part of what some players were told."""

    told: Told
    agents: Sequence[str]
    """The players whose information is recorded."""
    weighted: bool = field(default=False, kw_only=True)
    """Whether the chances are needed."""
    alone: bool = field(default=False, kw_only=True)
    """Whether only histories with what the agents were told matter."""
    budget: Budget = field(default_factory=Budget, kw_only=True)
    kept: dict[Any, Any] = field(default_factory=dict, kw_only=True)
    """The latest list that was finished, with what it is for."""

    def __post_init__(self) -> None:
        if why := unlisted(self.told, () if self.alone else self.agents):
            raise GameError(f"{why}; {plans.BY_FACTS}")
        self.public, self.players = self.told.of(), self.told.setup.players
        seats = tuple(range(1, len(self.players) + 1))
        self.setup = replace(self.told.setup, numbers=self.told.setup.numbers or seats)
        self.game, self.declared = Stage(self.setup), declared(self.setup)

    @classmethod
    def of(cls, told: Told, question: Formula, budget: Budget, kept: dict[Any, Any]) -> Replay:
        """Return the list for a question.

        About the owners alone, only histories that fit their information count. `kept`: for the latest list,
        which is used again if it was finished, or ended with the same budget.
        """
        alone = question.agents <= told.alone
        agents = told.owners if alone else tuple(sorted(question.agents | told.alone))
        return cls(told, agents, weighted=is_weighted(question), alone=alone, budget=budget, kept=kept)

    # all histories

    @cached_property
    def _found(self) -> list[_Course] | Unfinished:
        asked = self.told if self.alone else self.public, tuple(self.agents), self.weighted
        known, budget, found = self.kept.get("histories", (None, None, []))
        if known != asked or (isinstance(found, Unfinished) and budget is not self.budget):
            try:
                found = self._listed()
            except Unfinished as stopped:
                found = stopped
            self.kept["histories"] = asked, self.budget, found
        return found  # type: ignore[no-any-return]

    @property
    def unfinished(self) -> str:
        """Why not all histories were listed, or ""."""
        return str(self._found) if isinstance(self._found, Unfinished) else ""

    @property
    def courses(self) -> list[_Course]:
        """All histories; raise GameError if not all were listed."""
        if isinstance(self._found, Unfinished):
            time_helps = "" if isinstance(self._found, _TooMany) else "a longer timeout (--timeout), "
            raise GameError(
                f"not all histories were listed, because {self._found}; {time_helps}"
                "fewer players, an earlier moment or a question about one player would help; "
                f"{plans.BY_FACTS}"
            )
        return self._found

    def _listed(self) -> list[_Course]:
        begun, many = start_state(self.setup, make_worlds(self.setup, "enumerated")), len(self.agents)
        numberings = [self.setup.numbers]
        if self.told.setup.numbers_hidden:
            known = [(self.setup.seat(name), n) for name, n in self.told.numbers if self.alone]
            every = permutations(sorted(self.setup.numbers))
            numberings = [numbers for numbers in every if all(numbers[seat] == n for seat, n in known)]
        start = _Course(begun, ((),) * many, tuple(numberings), (Fraction(1),) * many)
        found = list(self._published(start, self.public.table, told_first(self.setup, begun).table))
        for entry in self.public.entries:
            played = (after for course in found for after in self._phase(course, entry))
            found = list(islice(played, MOST_HISTORIES + 1))
            if len(found) > MOST_HISTORIES:
                raise _TooMany(f"there are over {MOST_HISTORIES:,} histories with this public information")
        return found

    def _phase(self, course: _Course, entry: Entry) -> Iterator[_Course]:
        """Yield the history after every way a phase may have gone."""
        if course.state.verdict is not None or course.state.phase != entry.phase:
            return
        if self.setup.actions(entry.phase):
            every = self._acted(course, entry)
        else:
            public = takewhile(lambda event: not isinstance(event, ev.PhaseEnded), entry.events)
            every = self._moved(course, entry, public)
        for played in every:
            ways = [played]
            if entry.ended and not ev.ends_phase(played.step) and played.state.verdict is None:
                ends = _outcomes(partial(end_phase, self.game, played.state))
                ways = [played.after(ending, share) for ending, share in ends]
            for way in ways:
                for after in self._moved(way, entry, entry.after):
                    yield from self._told(course, entry, after)

    def _moved(self, course: _Course, entry: Entry, events: Iterable[ev.Event]) -> Iterator[_Course]:
        """Yield the history after the public moves among some events of a phase, with their consequences."""
        ways = [course]
        for event in events:
            if event.is_move:
                ways = [
                    way.after(moved, share)
                    for way in ways
                    if way.state.phase == entry.phase and way.state.verdict is None
                    for moved, share in _outcomes(partial(play, Stage(self.setup, (), (way.state,)), event))
                ]
        yield from ways

    # moves

    def _acted(self, course: _Course, entry: Entry) -> Iterator[_Course]:
        """Yield the history after the actions of players that may fit the public part of a phase."""
        state, passed = course.state, entry.passed_over
        turns = list(state.open)
        if not passed <= frozenset(turns):
            return
        for event in self.told.entries[len(course.entries)].events:
            if self.alone and isinstance(event, ev.Refused):
                actor, target = self.setup.seat(event.actor), self.setup.seat(event.target)
                if state.secret_refusal(actor, event.action, target) is None:
                    return
        choices = {turn: self._choices(course, turn, entry) for turn in turns if turn not in passed}
        for moves in self._proposals(course, entry, choices):
            self.budget.tick()
            made = [move for move in moves if move is not None]
            if entry.ended or not made or len(made) < len(choices):  # else the phase would have ended
                yield from self._played(course, entry, made)

    def _choices(self, course: _Course, turn: Turn, entry: Entry) -> list[_Move | None]:
        """Return the moves that a player may have made, as far as it is known; None: none so far."""
        state, (name, action) = course.state, turn
        found = list[_Move | None]()
        if not is_compulsory(self.setup, action):
            found.append(ev.Declined(name, action))
        for chosen in public_choices(self.setup, state.dead, self.setup.seat(name), action).values():
            move = ev.act_of(name, action, *chosen)
            found += [replace(move, result=result) for result in self._results(state, entry, move)]
        visible = [e for e in entry.events if ev.is_action(e) and (e.actor, e.action) == turn]
        if self.setup.targets == "public":
            found = [e for e in found if e is not None and e.told_to(None, self.setup) in visible]
        if not entry.ended and not visible:
            found.append(None)
        if entry.resting and name not in self.agents:
            found = [None]
        if self.alone and name in self.agents:  # others' histories are not needed
            told = self.told.entries[len(course.entries)]
            own = told.move(*turn)
            if own is not None or turn not in told.unsaid:
                found = [event for event in found if _same(event, own)]
        return found

    def _results(self, state: State, entry: Entry, move: ev.Acted) -> list[str | None]:
        """Return the results of an action that a player may have been shown; None: nothing."""
        act, seats = self.declared.acts[move.action], move.places(self.setup)
        if not act.shows:
            return [None]

        def possible(where: Schema) -> bool:
            return bool(state.count(f"({act.by}) & ({where})", *seats))

        found: list[str | None] = [word for word, where in act.shows if possible(where)]
        if self._ordered(entry) or not possible(act.pool):
            found.append(None)
        return found

    def _ordered(self, entry: Entry) -> bool:
        """Whether the order of the moves of a phase may matter."""
        acts = [self.declared.acts[action] for action in self.setup.actions(entry.phase)]
        several = any(act.shows and not splits_worlds(self.declared, act) for act in acts)
        return several or (len(acts) > 1 and any(act.change for act in acts))

    def _left(self, worlds: Superposition, event: _Move | None) -> Superposition:
        """Return the worlds that a move leaves, in whatever order it is made."""
        acted = isinstance(event, ev.Acted) and event.result is None
        if event is None or (acted and self.declared.acts[event.action].shows):
            return worlds
        return event.learn(worlds, self.setup)

    def _proposals(self, course: _Course, entry: Entry, choices: _Choices) -> Iterator[_Moves]:
        """Yield a move for each turn, as far as the sums of a table show that they may fit it."""
        table, acts = self._wanted(course, entry), self.declared.acts
        dividing = [a for a, act in acts.items() if act.shows and splits_worlds(self.declared, act)]
        divided = [turn for turn in choices if turn[1] in dividing]
        if table is None or not divided:
            if (number := prod(map(len, choices.values()))) > MOST_PROPOSED:
                raise _TooMany(f"{number:,} combinations of moves in {entry.phase} would have to be played")
            yield from product(*choices.values())
            return
        others = [turn for turn in choices if turn not in divided]
        for first in product(*(choices[turn] for turn in others)):
            worlds = reduce(self._left, first, course.state.worlds)
            some = {turn: choices[turn] for turn in divided}
            found = (self._summed(worlds, drawn, some, *table) for drawn in self._drawn(entry))
            for moves in dict.fromkeys(chain.from_iterable(found)):
                made = dict(zip((*others, *divided), (*first, *moves), strict=True))
                yield tuple(made[turn] for turn in choices)

    def _drawn(self, entry: Entry) -> Iterator[_Cards]:
        """Yield the cards that may have been drawn at the end of a phase."""
        dead = (event for event in entry.events if isinstance(event, ev.FoundDead))
        said = ((self.setup.seat(e.player), self.declared.found.said(e.announced)) for e in dead)
        yield from product(*([(seat, role) for role in self.declared.roles(word)] for seat, word in said))

    def _wanted(self, course: _Course, entry: Entry) -> tuple[list[str], _Counts] | None:
        """Return facts in a table at the end of a phase, and the counts that it may stand for.

        The counts are the number of worlds and, for each fact and player, the number of worlds where it is
        true.
        """
        table = entry.table
        drawn = any(isinstance(event, ev.Collapsed) for event in entry.events)
        if table is None or drawn or len(table.labels) != len(self.players):
            return None
        shown = [c for c in table.columns if column_fact(c) != "dead" or self.declared.mark is None]
        shown = [c for c in shown if None not in (table[label, c] for label in table.labels)]
        sizes = [table.worlds] if table.worlds else range(1, course.state.worlds.size + 1)
        if not shown:
            return None
        found: set[tuple[int, ...]] = set()
        for numbers in course.numberings:
            bounds = [_bounds(table[label, c]) for c in shown for label in self._labels(numbers)]
            for size in sizes:
                counts = [range(ceil(low * size), floor(high * size) + 1) for low, high in bounds]
                if prod(map(len, counts)) > MOST_SUMS:
                    return None
                found.update((size, *chosen) for chosen in product(*counts))
        return [self.declared.fact(c) for c in shown], frozenset(found)

    def _labels(self, numbers: Numbering) -> Sequence[str]:
        return [str(n) for n in numbers] if self.setup.numbers_hidden else self.players

    def _summed(
        self, worlds: Superposition, drawn: _Cards, choices: _Choices, facts: Sequence[str], wanted: _Counts
    ) -> Iterator[_Moves]:
        """Yield the moves of those who divide the worlds among them whose counts add up to a table."""
        bits = worlds.size.bit_length()

        def packed(counts: Iterable[int]) -> int:
            return sum(count << bits * place for place, count in enumerate(counts))

        def counted(part: Superposition) -> int:
            for seat, role in drawn:
                part = part.fix(seat, role).die(seat)
            return packed([part.size, *(count for fact in facts for count in part.counts(fact))])

        by = self.declared.acts[next(iter(choices))[1]].by
        parts = [worlds.keep(seated(self.setup, by, seat)) for seat in range(len(self.players))]
        acting = {self.setup.seat(name): events for (name, _), events in choices.items()}
        sums = [[(e, counted(self._left(parts[s], e))) for e in events] for s, events in acting.items()]
        rest = sum(counted(part) for seat, part in enumerate(parts) if seat not in acting)
        totals, half = [packed(counts) - rest for counts in wanted], len(sums) // 2
        endings = product(*sums[half:])
        ended = grouped((sum(n for _, n in chosen), [e for e, _ in chosen]) for chosen in endings)
        for chosen in product(*sums[:half]):
            for total in totals:
                for later in ended.get(total - sum(n for _, n in chosen), ()):
                    yield *(e for e, _ in chosen), *later

    def _played(self, course: _Course, entry: Entry, made: Sequence[_Move]) -> Iterator[_Course]:
        """Yield the history after some moves, in the orders that the rules allow."""
        counts = entry.ended or self.setup.targets == "public"  # else no move of others has a chance
        for orders, numberings in self._orders(entry, made, course.numberings):
            found, tried = list[tuple[Moved, Fraction]](), 0
            for tried, order in enumerate(orders, start=1):  # noqa: B007  # the worlds left are the same
                with suppress(IllegalMove):
                    found.append(self._in_turn(order, course.state))
                if found and not self.weighted:
                    break
            if not found:
                continue
            after = course.after(found[0][0], sum((share for _, share in found), Fraction(0)) / tried)
            accepted = [(move.actor, self._accepted(course.state, move)) for move in made if self.weighted]
            chances = [
                prod((Fraction(counts, many) for name, many in accepted if name != agent), start=chance)
                for agent, chance in zip(self.agents, after.chances, strict=True)
            ]
            yield replace(after, numberings=numberings, chances=tuple(chances))

    def _accepted(self, state: State, move: _Move) -> int:
        """Return the number of choices that the game master would have accepted instead of a move."""
        refused = state.target_refusals(self.setup.seat(move.actor), move.action)
        targets = [seat for seat in range(len(self.players)) if seat not in refused]
        act = self.declared.acts[move.action]
        return sum(1 for _ in act.choices(targets)) + (not act.compulsory)

    def _in_turn(self, order: Sequence[_Move], state: State) -> tuple[Moved, Fraction]:
        """Return the state after moves in this order, their events, and the chance of their results."""
        step, chance = tuple[ev.Event, ...](), Fraction(1)
        for event in order:
            seen, state = event.happen(self.game, state, _undrawn)
            if isinstance(seen, ev.Acted) and seen.result is not None:
                weights = dict(seen.weights)
                chance *= Fraction(weights[seen.result], sum(weights.values()))
            step = (*step, seen)
        return (state, step), chance

    def _orders(
        self, entry: Entry, made: Sequence[_Move], numberings: Sequence[Numbering]
    ) -> Iterator[tuple[Iterable[Sequence[_Move]], tuple[Numbering, ...]]]:
        """Yield the possible orders of some moves, with the numberings for which they are possible."""
        own = grouped((move.actor, move) for move in made)
        night = entry.phase.kind == "night" and entry.ended
        by_order: dict[Iterable[Sequence[str]], list[Numbering]] = {}
        if len(made) < 2 or not self._ordered(entry):
            by_order[tuple(own),] = [*numberings]
        elif not night or self.setup.rules.acting_order == "random":
            by_order[permutations(own)] = [*numberings]
        else:
            for numbers in numberings:
                order = tuple(sorted(own, key=lambda name: numbers[self.setup.seat(name)]))
                by_order.setdefault((order,), []).append(numbers)
        for orders, some in by_order.items():
            yield ([event for name in order for event in own[name]] for order in orders), tuple(some)

    # what was told

    def _told(self, course: _Course, entry: Entry, played: _Course) -> Iterator[_Course]:
        """Yield the history after a phase, if the public was told exactly this."""
        setup, state = self.setup, played.state
        if entry.ended is not (ev.ends_phase(played.step) or state.verdict is not None):
            return
        begun = replace(told_first(setup, course.state), table=None)
        now = told_next(begun, setup, played.step, course.state, state).entries[0]
        if not _may_be_told(entry, now.of(setup, ())):
            return
        parts = [replace(now.of(setup, (agent,)), table=None) for agent in self.agents]
        wanted = [self._entries[agent][len(course.entries)] for agent in self.agents if self.alone]
        if not all(map(_may_be_told, wanted, parts)):
            return  # the other histories are for what others consider possible
        seen = tuple((*before, part) for before, part in zip(course.seen, parts, strict=True))
        after = replace(played, seen=seen, step=(), entries=(*course.entries, now))
        yield from self._published(after, entry.table, now.table)

    def _published(self, course: _Course, shown: Table | None, now: Table | None) -> Iterator[_Course]:
        """Yield the history with the numberings for which a table shows what it does."""
        if shown is None:
            yield course
            return
        if now is None or shown.worlds not in (None, now.worlds):
            return
        fitting = []
        for numbers in course.numberings:
            rows = dict(zip(self._labels(numbers), now.labels, strict=True))
            places = product(rows.keys() & {*shown.labels}, shown.columns)
            if all(_admits(shown[label, column], now[rows[label], column]) for label, column in places):
                fitting.append(numbers)
        if fitting:
            yield replace(course, numberings=tuple(fitting))

    # the model

    def model(self, f: Formula, *, deals: bool = False) -> KripkeModel:
        """Return the S5 model of what the agents know, as far as a formula needs it.

        `deals`: worlds are told apart by all cards, for an explanation.
        """
        ids: dict[object, int] = {}
        names: dict[tuple[tuple[int, ...], frozenset[str]], WorldName] = {}
        weights = [defaultdict[Hashable, Fraction](Fraction) for _ in self.agents]
        designated: dict[Hashable, None] = {}
        used: Counter[str] = Counter()
        asked = f.atoms | deal_atoms(self.setup, "dead") if deals else f.atoms
        for course in self.courses:
            for told, fits, many in self._by_number(course):
                own = tuple(ids.setdefault(mine, len(ids)) for mine in told)
                for facts, size in course.by_facts(asked):
                    key = own, facts
                    if key not in names:
                        events = [option for k, t in enumerate(told) for option in self._options(k, t)]
                        name = world_name(self.setup, facts, events, deals=deals)
                        used[name] += 1
                        if used[name] > 1:
                            name = WorldName(name.deal, (*name.events, Option("", note=f"case {used[name]}")))
                        names[key] = name
                    name = names[key]
                    if fits:
                        designated[name] = None
                    share = Fraction(many * size, course.state.worlds.size)
                    for weight, chance in zip(weights, course.chances, strict=True):
                        weight[name] += chance * share
        if not designated:
            raise GameError(f"no history explains what {' and '.join(self.told.owners)} was told")
        true: dict[Hashable, frozenset[str]] = {n: facts & f.atoms for (_, facts), n in names.items()}
        seen = [{n: own[k] for (own, _), n in names.items()} for k in range(len(self.agents))]
        return KripkeModel.from_observations(
            true,
            {agent: known.__getitem__ for agent, known in zip(self.agents, seen, strict=True)},
            true.__getitem__,
            designated,
            atoms=f.atoms,
            weights=dict(zip(self.agents, weights, strict=True)) if is_weighted(f) else None,
        )

    def _by_number(self, course: _Course) -> Iterator[tuple[tuple[_Own, ...], bool, int]]:
        """Yield the agents' information, by number; whether it fits, and how many numberings have it."""
        seats, known = [self.setup.seat(agent) for agent in self.agents], dict(self.told.numbers)
        told = zip(self.agents, course.seen, strict=True)
        like = all(all(map(_may_be_told, self._entries.get(agent, ()), seen)) for agent, seen in told)
        for own, many in Counter(tuple(n[seat] for seat in seats) for n in course.numberings).items():
            fits = like and all(known.get(a, n) == n for a, n in zip(self.agents, own, strict=True))
            yield tuple(zip(own, course.seen, strict=True)), fits, many

    @cached_property
    def _entries(self) -> Mapping[str, tuple[Entry, ...]]:
        """What each owner was told in each phase."""
        return {agent: self.told.of(agent).entries for agent in self.told.owners}

    def _options(self, agent: int, told: _Own) -> Iterator[Option]:
        """Yield a player's number, moves and notices, for the names of worlds."""
        name, (number, phases) = self.agents[agent], told
        if self.setup.numbers_hidden:
            yield Option(name, note=str(number))
        for entry in phases:
            for action in self.setup.actions(entry.phase):
                if (name, action) not in entry.asked:
                    yield Option(name, note=plans.NOT_ASKED)
            for event in entry.events:
                if isinstance(event, ev.Acted | ev.Declined) and event.actor == name:
                    yield Option.of(event)
                elif event.concerned == (name,):
                    yield Option(name, note=str(getattr(event, "role", event.name)))


def _may_be_told(told: Entry, now: Entry) -> bool:
    """Whether what happens in a phase may have been told like this, besides tables.

    A typed sheet may leave out moves, results and announcements; words and refused attacks are not played.
    """
    open_ = {turn for turn in told.unsaid if told.move(*turn) is None}
    wanted = [event for event in told.events if not isinstance(event, ev.Said | ev.Refused)]
    seen = [e for e in now.events if not (ev.is_action(e) and (e.actor, e.action) in open_)]
    chances = {agent: dict(row) for agent, row in now.chances}
    if told.shown not in (None, now.shown) or not (now.asked ^ told.asked) <= told.unsaid:
        return False
    fits = (_admits(v, chances.get(agent, {}).get(c)) for agent, row in told.chances for c, v in row)
    return len(seen) == len(wanted) and all(map(_same, seen, wanted)) and all(fits)


def _same(event: ev.Event | None, wanted: ev.Event | None) -> bool:
    """Whether an event, or its absence, may have been told like this."""
    if event == wanted or type(event) is not type(wanted):
        return event == wanted
    unknown = {"announced": None, "result": UNKNOWN, "tied": ()}
    known = {n: (getattr(event, n), getattr(wanted, n)) for n in unknown if hasattr(wanted, n)}
    open_ = {n: said for n, (so, said) in known.items() if unknown[n] in (so, said)}
    return replace(event, **open_) == wanted  # type: ignore[type-var]


def _bounds(cell: Value) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest probability that may have been shown as an entry."""
    if isinstance(cell, Rounded):
        return cell.low, cell.high
    return Fraction(cell or 0), Fraction(cell or 0)


def _admits(shown: Value, value: Value) -> bool:
    """Whether a probability may have been shown as an entry of a table; None: it is not given."""
    low, high = _bounds(shown)
    return shown is None or (isinstance(value, Fraction) and low <= value <= high)


def _undrawn(kind: str, player: str | None, weights: Mapping[str, int]) -> str:
    raise IllegalMove("this result is not possible: it is given")


def _outcomes(act: Callable[[Draw], Moved], chosen: Sequence[str] = ()) -> Iterator[tuple[Moved, Fraction]]:
    """Yield the results of an act for every outcome of its draws, each with its probability.

    `chosen`: the outcomes of the first draws.
    """
    rest, chance, drawn, others = iter(chosen), Fraction(1), list[str](), list[Sequence[str]]()

    def draw(kind: str, player: str | None, weights: Mapping[str, int]) -> str:
        nonlocal chance
        outcome = next(rest, None)
        if outcome is None:  # the others are tried afterwards
            *more, outcome = weights
            others.extend([(*drawn, other) for other in more])
        drawn.append(outcome)
        chance *= Fraction(weights[outcome], sum(weights.values()))
        return outcome

    with suppress(IllegalMove):
        yield act(draw), chance
    for other in reversed(others):
        yield from _outcomes(act, other)


def deal_atoms(setup: Setup, *others: str) -> frozenset[str]:
    """Return the atoms that tell all deals apart, and those of some other facts."""
    return frozenset(f"{fact}_{name}" for fact in (*setup.deck.roles[1:], *others) for name in setup.players)


def world_name(
    setup: Setup, facts: frozenset[str], events: Iterable[Option] = (), *, deals: bool
) -> WorldName:
    """Return the name of a world with some private events: by its true atoms, or by its cards.

    Cards are letters, capital where a player is dead; then moves among the atoms are events, too.
    """
    if not deals:
        return WorldName(facts, events)
    letters = ""
    for name in setup.players:
        role = next((role for role in setup.deck.roles[1:] if f"{role}_{name}" in facts), VILLAGER)
        letter = setup.deck.letter(role)
        letters += letter.upper() if f"dead_{name}" in facts else letter
    return WorldName(letters, (*events, *map(Option.made, moves_in(setup, facts))))
