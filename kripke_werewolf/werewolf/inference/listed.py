"""All histories of a small game, one by one, by playing the rules.

Where players are told their own probabilities, what they may have been told cannot be searched for. All
courses of the game with the same public information are played instead; two of them are alike for a player
who was told the same in both. The moves of a phase are made in seat order, which must not matter.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import permutations
from typing import TypeVar

from kripke_werewolf.errors import GameError
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.werewolf.draws import Draw
from kripke_werewolf.werewolf.enumerated import Enumerated
from kripke_werewolf.werewolf.events import (
    Attack,
    Declined,
    Event,
    Played,
    Said,
    Step,
    Vision,
    VotedOff,
    atoms_of,
)
from kripke_werewolf.werewolf.inference.evidence import BY_FACTS
from kripke_werewolf.werewolf.inference.search import check_published
from kripke_werewolf.werewolf.moves import aftermath, end_phase
from kripke_werewolf.werewolf.roles import WOLF, is_wolf, letter
from kripke_werewolf.werewolf.rules import Action
from kripke_werewolf.werewolf.setup import Setup, make_worlds
from kripke_werewolf.werewolf.state import State, compulsory, legal_targets, start_state
from kripke_werewolf.werewolf.told import Told, told, told_first, told_next

T = TypeVar("T")

MOST_MOVES = 40_000
"""The most moves that are played for one question."""


@dataclass(slots=True, eq=False)
class Course:
    """One course of a game: its state, and what everybody has been told, with tables by seat."""

    setup: Setup
    states: tuple[State, ...]
    told: Told
    """Everything that happened, with all secrets."""
    steps: tuple[Step, ...] = ()

    def then(self, state: State, step: Step) -> Course:
        """Return the course after a step."""
        return replace(
            self, states=(state,), told=told_next(self.told, self.setup, step, self.states[-1], state)
        )


class Listed:
    """All courses with the public information of a game."""

    def __init__(self, game: Played, deadline: float | None) -> None:
        check_published(game.setup, empty=not game.states[-1].worlds.size)
        self.game, self.deadline, self.moves = game, deadline, 0
        self.public = told(game)
        size = len(game.setup.players)
        self.setup = replace(game.setup, numbers=tuple(range(1, size + 1)))
        self._check()
        start = start_state(self.setup, make_worlds(self.setup, "enumerated"))
        found = [Course(self.setup, (start,), told_first(self.setup, start))]
        for number, part in enumerate(self.public.entries):
            found = [c for course in found for c in self._phase(course, number, part.ended)]
        self.courses = found

    def _check(self) -> None:
        """Raise GameError if the order of the moves of a phase may matter."""
        rules, kinds = self.setup.rules, {*self.setup.rules.opening, *self.setup.rules.cycle}
        mixed = "night" in kinds and rules.attack == "dominant"
        if self.setup.deck.seers > 1 or (
            mixed and (rules.vision_worlds == "alive" or rules.attack_must_be_possible)
        ):
            raise GameError(
                f"under these rules the order of moves matters, and not all of them are listed; {BY_FACTS}"
            )
        if any(isinstance(event, Said) for part in self.public.entries for event in part.events):
            raise GameError(f"words are not covered by the list of histories; {BY_FACTS}")

    def _tick(self) -> None:
        self.moves += 1
        late = self.deadline is not None and time.monotonic() > self.deadline
        if self.moves > MOST_MOVES or late:
            why = "the time was up" if late else f"more than {MOST_MOVES:,} moves would have to be played"
            raise GameError(
                f"not all histories were listed, because {why}; fewer players, an earlier moment or a "
                f"question about one player would help; {BY_FACTS}"
            )

    def _phase(self, course: Course, number: int, ended: bool) -> Iterator[Course]:
        """Yield the course after every way a phase may have gone with its public information."""
        wanted = self.public.entries[number]
        ways = [course]
        for event in wanted.events:
            if isinstance(event, VotedOff):
                ways = [after for c in ways for after in self._voted(c, event.player)]
        for way in ways:
            if way.states[-1].verdict is not None or len(way.told.entries) > number + 1:
                afters = iter([way])
            elif self.setup.actions(wanted.phase):
                passed = wanted.passed_over if ended else frozenset()
                afters = self._acted(way, ended, passed)
            else:
                afters = self._ended(way, way.states[-1], ()) if ended else iter([way])
            yield from (after for after in afters if self._fits(after, number))

    def _fits(self, course: Course, number: int) -> bool:
        mine, wanted = course.told.of().entries, self.public.entries
        return (
            len(mine) >= number + 1
            and mine[number].events == wanted[number].events
            and ((mine[number].table is None) == (wanted[number].table is None))
        )

    def _voted(self, course: Course, player: str) -> Iterator[Course]:
        def act(draw: Draw) -> tuple[State, Step]:
            event, state = VotedOff(player).happen(course, course.states[-1], draw)
            state, after = aftermath(course, state, draw, voted=True)
            step: Step = (event, *after)
            if state.votes >= self.setup.rules.burnings and state.verdict is None:
                state, ending = end_phase(course, state, draw)
                step += ending
            return state, step

        for state, step in self._outcomes(act):
            yield course.then(state, step)

    def _ended(self, course: Course, state: State, made: Step) -> Iterator[Course]:
        for after, ending in self._outcomes(partial(end_phase, course, state)):
            yield course.then(after, (*made, *ending))

    def _acted(self, course: Course, ended: bool, passed: frozenset[tuple[str, Action]]) -> Iterator[Course]:
        begun = course.states[-1]
        turns = [
            (name, action)
            for seat, name in enumerate(self.setup.players)
            for action in self.setup.actions(begun.phase)
            if seat in begun.open(action)
        ]
        for state, made in self._moved(course, begun, (), turns, ended, passed):
            if ended:
                yield from self._ended(course, state, made)
            elif not made or state.waits:
                yield course.then(state, made) if made else course

    def _moved(
        self,
        course: Course,
        state: State,
        made: Step,
        turns: Sequence[tuple[str, Action]],
        ended: bool,
        passed: frozenset[tuple[str, Action]],
    ) -> Iterator[tuple[State, Step]]:
        """Yield the state after the moves of some players, with the moves."""
        if not turns:
            yield state, made
            return
        (name, action), rest = turns[0], turns[1:]
        if not ended or (name, action) in passed:
            yield from self._moved(course, state, made, rest, ended, passed)
        if (name, action) in passed:
            return
        events: list[Event] = [] if compulsory(self.setup, action) else [Declined(name, action)]
        kind = Vision if action == "vision" else Attack
        events += [kind(name, t) for t in legal_targets(self.setup, state, self.setup.seat(name), action)]
        for event in events:
            for seen, after in self._outcomes(partial(event.happen, course, state)):
                yield from self._moved(course, after, (*made, seen), rest, ended, passed)

    def _outcomes(self, act: Callable[[Draw], T]) -> Iterator[T]:
        """Yield the results of an act for every outcome of its draws."""
        waiting: list[tuple[str, ...]] = [()]
        while waiting:
            path = waiting.pop()
            self._tick()
            rest, further = list(path), list[str]()
            try:
                yield act(partial(_drawn, rest, further))
            except _Undrawn:
                waiting += [(*path, outcome) for outcome in further]

    # the model

    def model(self, players: Sequence[str]) -> KripkeModel:
        """Return the model of what some players know; all worlds of the actual course are designated."""
        tables, names = self.public.tables, self.setup.players
        actual = {name: told(self.game, name) for name in names}
        really = sorted(_strings(self.game.states[-1]))
        numberings = [self.game.setup.numbers]
        if self.setup.numbers_hidden:
            numberings = list(permutations(self.setup.numbers))
        worlds: list[Hashable] = []
        alike: dict[str, dict[Hashable, Hashable]] = {player: {} for player in players}
        designated = []
        for number, course in enumerate(self.courses):
            drafts = {name: course.told.of(name) for name in names}
            own = {name: _own(handout) for name, handout in drafts.items()}
            strings = sorted(_strings(course.states[-1]))
            same = strings == really and all(own[name] == _own(actual[name]) for name in names)
            shown = course.told.tables
            for numbers in numberings:
                if not all(
                    (mine.worlds, [mine.rows[numbers.index(n)] for n in sorted(numbers)])
                    == (theirs.worlds, list(theirs.rows))
                    if self.setup.numbers_hidden
                    else mine.rows == theirs.rows and mine.worlds == theirs.worlds
                    for mine, theirs in zip(shown, tables, strict=True)
                ):
                    continue
                here = [(number, numbers, string) for string in strings]
                worlds += here
                for player, seen in alike.items():
                    seen |= dict.fromkeys(here, (numbers[names.index(player)], own[player]))
                if same and numbers == self.game.setup.numbers:
                    designated += here
        return KripkeModel.from_observations(
            worlds,
            {player: seen.__getitem__ for player, seen in alike.items()},
            lambda world: _facts(self.setup, world[2]),
            designated,
            atoms=atoms_of(self.setup),
        )


class _Undrawn(Exception):
    """A draw whose outcome has not been chosen."""


def _drawn(
    chosen: list[str], further: list[str], kind: str, player: str | None, weights: Mapping[str, int]
) -> str:
    """Return the next outcome chosen; if there is none, raise _Undrawn and note what is possible."""
    if not chosen:
        further.extend(weights)
        raise _Undrawn
    return chosen.pop(0)


def _strings(state: State) -> list[str]:
    assert isinstance(state.worlds, Enumerated)
    return list(state.worlds.world_strings())


def _facts(setup: Setup, world: str) -> frozenset[str]:
    """Return the atoms that are true in a world, given by its letters."""
    role_of = {letter(role): role for role in setup.deck.roles}
    roles = [role_of[sign.lower()] for sign in world]
    leading = (
        [r for r in setup.deck.wolf_roles if world[roles.index(r)].islower()] if setup.deck.ranked else []
    )
    facts = set[str]()
    for name, role, sign in zip(setup.players, roles, world, strict=True):
        facts |= {f"{role}_{name}", f"{WOLF if is_wolf(role) else 'good'}_{name}"}
        if sign.isupper():
            facts.add(f"dead_{name}")
        if role in leading[:1]:
            facts.add(f"dominant_{name}")
    return frozenset(facts)


def _own(handout: Told) -> Hashable:
    """Return the information of a player, without the tables."""
    return tuple((e.phase, e.asked, e.events, e.chances) for e in handout.entries)


__all__ = ["MOST_MOVES", "Listed"]
