"""Histories listed one by one, for games that the search does not cover, such as those with further cards.

What the search adds up is here read off the histories that `Replay` plays. So a role is inferred as soon as
it is declared, also one of a user's own; but only small games have few enough histories.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from kripke_werewolf.errors import GameError
from kripke_werewolf.werewolf.events import Acted
from kripke_werewolf.werewolf.inference.plan import (
    BY_FACTS,
    NOT_ASKED,
    PASSED,
    Acting,
    PlacedMove,
    Plan,
)
from kripke_werewolf.werewolf.inference.replay import Numbering, PlayedHistory, Replay, unlisted
from kripke_werewolf.werewolf.inference.search import MAX_DEALS, Budget, unsearched
from kripke_werewolf.werewolf.inference.solver import Attacks
from kripke_werewolf.werewolf.told import dead_in


@dataclass(frozen=True, eq=False)
class Played:
    """One history, as it was played, with one numbering of the players; it answers like a `Find`."""

    plan: Plan
    course: PlayedHistory
    numbers: Numbering
    histories = 1

    @property
    def weight(self) -> Fraction:
        """Its chance."""
        return self.course.chances[0]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of worlds of the superposition."""
        return (self.course.state.worlds.size,)

    @cached_property
    def place(self) -> Mapping[str, int]:
        """The place of each player."""
        seats, named = enumerate(self.plan.setup.players), not self.plan.anonymous
        return {name: seat if named else self.numbers[seat] - 1 for seat, name in seats}

    def places(self, names: Iterable[str]) -> Iterator[tuple[Mapping[str, int], Fraction]]:
        """Yield the places of the players; see `Find.places`."""
        yield self.place, Fraction(1)

    @property
    def attacks(self) -> tuple[Attacks, ...]:
        """Whom everybody attacked."""
        made = (move for move, _ in self.moves() if move.action == "attack")
        return ({(move.step, move.actor): move.target for move in made},)

    def moves(self) -> Iterator[tuple[PlacedMove, Fraction]]:
        """Yield the moves of the living in each phase, and why there was none, each with the weight."""
        setup, place, dead = self.plan.setup, self.place, set[str]()
        acting = (number for number, step in enumerate(self.plan.steps) if isinstance(step, Acting))
        for entry in self.course.entries:
            step = next(acting) if setup.actions(entry.phase) else -1
            for action in setup.actions(entry.phase):
                for name in setup.players:
                    if name in dead:
                        continue
                    move, turn = entry.move(name, action), (name, action)
                    none = NOT_ASKED if turn not in entry.asked else PASSED if move is None else None
                    made = PlacedMove(step, place[name], action, None, none)
                    if isinstance(move, Acted):
                        aimed = [place[target] for target in move.targets]
                        made = PlacedMove(step, place[name], action, aimed[0], move.result, *aimed[1:])
                    yield made, self.weight
            dead.update(dead_in(entry.events))

    def in_sentences(self) -> tuple[str, ...]:
        """Return everything that happened."""
        numbered = zip(self.plan.setup.players, self.numbers, strict=True) if self.plan.anonymous else ()
        happened = ((entry.phase, event.in_full()) for entry in self.course.entries for event in entry.events)
        return (
            *(f"{name} is number {number}." for name, number in numbered),
            *(f"{phase}: {sentence}" for phase, sentence in happened if sentence),
        )


def replayed(plan: Plan, budget: Budget) -> Replay:
    """Return the list of the histories that explain a plan; raise GameError for what is not listed."""
    why = dict.fromkeys((unsearched(plan), unlisted(plan.told, [plan.viewer], weighted=True)))
    if len(why) < 2 or "" not in why or plan.setup.deck.worlds > MAX_DEALS:
        raise GameError("; ".join((*filter(None, why), BY_FACTS)))
    return Replay(plan.told, [plan.viewer], weighted=True, budget=budget)
