"""Histories listed one by one, for games that the search does not cover, such as those with further cards.

What the search adds up is here read off the histories that `Replay` plays. So a role is inferred as soon as
it is declared, also one of a user's own; but only small games have few enough histories.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from kripke_werewolf.errors import GameError
from kripke_werewolf.language import P
from kripke_werewolf.language.formulas import Formula, FormulaLike
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.reports.tables import Cell as Value
from kripke_werewolf.werewolf.events import Acted
from kripke_werewolf.werewolf.inference.answers import Histories, NoHistory, Way, summed
from kripke_werewolf.werewolf.inference.plan import (
    BY_FACTS,
    NOT_ASKED,
    PASSED,
    Acting,
    PlacedMove,
    Plan,
    Published,
)
from kripke_werewolf.werewolf.inference.replay import Numbering, PlayedHistory, Replay, unlisted
from kripke_werewolf.werewolf.inference.search import MAX_DEALS, Budget, unsearched
from kripke_werewolf.werewolf.table import Table
from kripke_werewolf.werewolf.told import Told, dead_in


@dataclass(frozen=True, eq=False, kw_only=True)
class ListedHistories(Histories):
    """All histories that explain one player's information, as they were played."""

    replay: Replay
    """The histories, with their chances."""

    def _numbered(self) -> Iterator[tuple[PlayedHistory, Numbering, Fraction]]:
        """Yield each history with each numbering of the players that fits it, and its weight."""
        for course in self.replay.courses:
            for numbers in course.numberings:
                yield course, numbers, course.chances[0]

    @cached_property
    def number(self) -> int:
        """The number of histories, one for each numbering of the players."""
        return sum(1 for _ in self._numbered())

    @cached_property
    def worlds(self) -> tuple[int, ...]:
        """The possible numbers of worlds of the superposition."""
        return tuple(sorted({course.state.worlds.size for course in self.replay.courses}))

    @cached_property
    def _total(self) -> Fraction:
        return sum((weight for _, _, weight in self._numbered()), Fraction(0))

    # moves

    @cached_property
    def _weights(self) -> Mapping[PlacedMove, Fraction]:
        return summed((move, weight) for moves, weight in self._played() for move in moves)

    def _played(self) -> Iterator[tuple[list[PlacedMove], Fraction]]:
        """Yield the moves of each history, by place, with its weight."""
        for course, numbers, weight in self._numbered():
            yield list(self._made_in(course, numbers)), weight

    def _made_in(self, course: PlayedHistory, numbers: Numbering) -> Iterator[PlacedMove]:
        """Yield the moves of the living in each phase, and why there was none."""
        setup, dead = self.setup, set[str]()
        place = {
            name: numbers[seat] - 1 if self.plan.anonymous else seat
            for seat, name in enumerate(setup.players)
        }
        acting = (number for number, step in enumerate(self.plan.steps) if isinstance(step, Acting))
        for entry in course.entries:
            step = next(acting) if setup.actions(entry.phase) else -1
            for action in setup.actions(entry.phase):
                for name in setup.players:
                    if name in dead:
                        continue
                    move, turn = entry.move(name, action), (name, action)
                    none = NOT_ASKED if turn not in entry.asked else PASSED if move is None else None
                    if isinstance(move, Acted):
                        aimed = [place[target] for target in move.targets]
                        yield PlacedMove(step, place[name], action, aimed[0], move.result, *aimed[1:])
                    else:
                        yield PlacedMove(step, place[name], action, None, none)
            dead.update(dead_in(entry.events))

    @cached_property
    def attacks(self) -> tuple[tuple[Fraction, Way], ...]:
        """All possible combinations of attacks; see `Histories.attacks`."""
        sums = summed(
            (self._way({(m.step, m.actor): m.target for m in moves if m.action == "attack"}), weight)
            for moves, weight in self._played()
        )
        return self._likely(sums)

    @cached_property
    def numbers(self) -> dict[str, dict[int, Fraction]]:
        """The probability of every number for each player, if the tables are anonymous."""
        return {
            name: summed((numbers[seat], weight / self._total) for _, numbers, weight in self._numbered())
            for seat, name in enumerate(self.setup.players if self.plan.anonymous else ())
        }

    def example(self) -> tuple[str, ...]:
        """Return a most likely history in sentences."""
        course, numbers, _ = max(self._numbered(), key=lambda found: found[2])
        numbered = zip(self.setup.players, numbers, strict=True) if self.plan.anonymous else ()
        happened = ((entry.phase, event.in_full()) for entry in course.entries for event in entry.events)
        return (
            *(f"{name} is number {number}." for name, number in numbered),
            *(f"{phase}: {sentence}" for phase, sentence in happened if sentence),
        )

    # knowledge

    def chance(self, fact: FormulaLike) -> Fraction:
        """Return the probability of a formula for this player."""
        f = self._resolved(fact)
        (chance,) = self.model(P(self.viewer, f) >= 0).probabilities(self.viewer, f)
        return chance

    def _replay(self, f: Formula) -> Replay:
        return super()._replay(f) if f.agents - {self.viewer} else self.replay

    def model(self, question: FormulaLike, *, deals: bool = False) -> KripkeModel:
        """Return the S5 model of what players know, as far as a formula needs it."""
        f = self._resolved(question)
        return self._replay(f).model(f, deals=deals)


def listed_histories(plan: Plan, budget: Budget) -> Histories:
    """Return the histories that explain a plan, listed one by one; raise NoHistory if there are none.

    Raises GameError for what is not listed. If there are too many, the status says so.
    """
    why = dict.fromkeys((unsearched(plan), unlisted(plan.told, [plan.viewer], weighted=True)))
    if len(why) < 2 or "" not in why or plan.setup.deck.worlds > MAX_DEALS:
        raise GameError("; ".join((*filter(None, why), BY_FACTS)))
    replay = Replay(_told_in(plan), [plan.viewer], weighted=True, budget=budget)
    if replay.unfinished:
        return Histories(plan, (), replay.unfinished, budget)
    if not replay.courses:
        raise NoHistory(plan)
    return ListedHistories(plan, (), budget=budget, replay=replay)


def _told_in(plan: Plan) -> Told:
    """Return the evidence with only those entries of tables that the plan has."""
    published = (step for step in plan.steps if isinstance(step, Published))

    def left(table: Table | None) -> Table | None:
        if table is None:
            return None
        kept = {(cell.row, cell.heading) for cell in next(published).cells}
        rows = tuple(_only(label, table.row(label), kept) for label in table.labels)
        return replace(table, rows=tuple(tuple(value for _, value in row) for row in rows))

    first, entries = left(plan.told.table), []
    for entry in plan.told.entries:
        chances = []
        for owner, row in entry.chances:
            cells = next(published).cells
            chances.append((owner, _only("", dict(row), {("", cell.heading) for cell in cells})))
        entries.append(replace(entry, chances=tuple(chances), table=left(entry.table)))
    return replace(plan.told, table=first, entries=tuple(entries))


def _only(label: str, row: Mapping[str, Value], kept: set[tuple[str, str]]) -> tuple[tuple[str, Value], ...]:
    """Return a row with only some of its entries."""
    return tuple((column, value if (label, column) in kept else None) for column, value in row.items())
