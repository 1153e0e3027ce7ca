"""Best responses of one player, or of a team with common information, to fixed strategies.

The others keep their strategies, so the team faces a Markov decision process over its own information: a
state of it is the team's observations so far, given as a distribution over the places of the game (a belief).
The value is exact. The process must be finite and acyclic; more than `limit` states are an error.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import GameError
from kripke_werewolf.base.reports.tables import shown
from kripke_werewolf.games.programs.chance import ONE, ZERO, add
from kripke_werewolf.games.programs.match import State
from kripke_werewolf.games.programs.outcomes import csv_text
from kripke_werewolf.games.programs.solving import without_collection

Step: TypeAlias = tuple[Fraction, Hashable, Any]
"""A probability, the team's observation, and the next place of the game."""
Belief: TypeAlias = frozenset[tuple[Any, Fraction]]


@dataclass(frozen=True, repr=False)
class Response(Displayed):
    """The best result that a team can achieve against fixed strategies of the others."""

    team: Any
    """The deviating players."""
    value: Fraction
    """The expected value of the outcomes for the team; for winning, its probability."""
    policy: tuple[tuple[str, str, Fraction], ...]
    """The optimal policy: for each possible situation, the team's choice and its value."""
    places: int
    """The number of information states, without those in the middle of a turn."""

    def headline(self) -> str:
        """Return the value."""
        return f"best response of {self.team}: {self.value} = {shown(self.value, 'percent')}"

    def regret(self, value: Fraction) -> Fraction:
        """Return the difference between this value and that of another strategy."""
        return self.value - value

    def to_csv(self) -> str:
        """Return the policy as CSV: situation, choice, value."""
        rows = [{"situation": s, "choice": c, "value": str(v)} for s, c, v in self.policy]
        return csv_text(rows)


def best_response(
    contest: Any,
    team: Any,
    *,
    goal: Callable[[Any], Any] | None = None,
    limit: int = 2_000_000,
) -> Response:
    """Return the best response of a team to the strategies of the others.

    `contest`: a `Program`, or a `Deviation` of Avalon. `goal`: the value of an outcome, a number or a truth
    value; by default winning. Raises GameError for a team whose players have different information, for games
    with cycles, and for more than `limit` information states.
    """
    worth = goal or contest.goal(team)
    with without_collection():
        process = _Process(contest, team, worth, limit)
        opening = list(contest.opening(team))
        value = process.value(opening)
    return Response(team, value, tuple(process.policy(opening)), len(process.chosen))


class _Turn(NamedTuple):
    """A situation of the team: for each choice, the value of outcomes and the situations that may follow."""

    belief: Belief
    options: Mapping[Hashable, tuple[Fraction, list[tuple[Fraction, _Turn]]]] | None
    """None if the situation lasts: its choices are found once, whatever leads to it."""

    def leaves(self) -> Iterator[Belief]:
        """Yield the lasting situations that may follow."""
        for _, following in (self.options or {}).values():
            for _, turn in following:
                if turn.options is None:
                    yield turn.belief
                else:
                    yield from turn.leaves()


class _Chosen(NamedTuple):
    """The best choice in a situation, its value, and what may follow it."""

    belief: Belief
    choice: Hashable
    value: Fraction
    after: list[_Chosen]


class _Process:
    """The Markov decision process over the beliefs of a team, solved from the end.

    Beliefs in the middle of a turn are solved with the belief at its beginning, and not kept.
    """

    def __init__(self, contest: Any, team: Any, worth: Callable[[Any], Any], limit: int) -> None:
        self.contest, self.team, self.worth, self.limit = contest, team, worth, limit
        self.chosen: dict[Belief, _Chosen] = {}

    def value(self, opening: Iterable[Step]) -> Fraction:
        settled, beliefs = self._parted(opening)
        for _, belief in beliefs:
            self._solve(belief)
        return settled + sum((p * self.chosen[b].value for p, b in beliefs), ZERO)

    def _parted(self, steps: Iterable[Step]) -> tuple[Fraction, list[tuple[Fraction, Belief]]]:
        """Return the value of the outcomes, and the beliefs after each observation."""
        settled = ZERO
        by_sight: dict[Hashable, dict[Any, Fraction]] = {}
        for p, seen, place in steps:
            if not isinstance(place, State):
                settled += p * Fraction(self.worth(place))
                continue
            add(by_sight.setdefault(seen, {}), place, p)
        found = []
        for inside in by_sight.values():
            total = sum(inside.values(), ZERO)
            found.append((total, frozenset((place, p / total) for place, p in inside.items())))
        return settled, found

    def _expanded(self, belief: Belief) -> _Turn:
        """Return the results of each choice; the choices are the same at all places of the belief."""
        places = list(belief)
        choices = self.contest.choices(places[0][0], self.team)
        if any(self.contest.choices(place, self.team) != choices for place, _ in places[1:]):
            raise GameError(
                f"{self.team} may do different things in situations that they cannot tell apart, so their "
                "play is not a decision process over their information"
            )
        found = {}
        for choice in choices or (None,):
            settled, beliefs = self._parted(
                (q if p is ONE else p * q, seen, after)
                for place, p in places
                for q, seen, after in self.contest.follow(place, choice, self.team)
            )
            found[choice] = settled, [(p, self._following(after)) for p, after in beliefs]
        return _Turn(belief, found)

    def _following(self, belief: Belief) -> _Turn:
        lasting = all(self.contest.is_lasting(place) for place, _ in belief)
        return _Turn(belief, None) if lasting else self._expanded(belief)

    def _best(self, turn: _Turn) -> _Chosen:
        """Return the first of the best choices; the lasting situations that follow are solved."""
        if turn.options is None:
            return self.chosen[turn.belief]
        found = []
        for choice, (settled, following) in turn.options.items():
            after = [(p, self._best(later)) for p, later in following]
            value = settled + sum((p * chosen.value for p, chosen in after), ZERO)
            found.append(_Chosen(turn.belief, choice, value, [chosen for _, chosen in after]))
        return max(found, key=lambda chosen: chosen.value)

    def _solve(self, start: Belief) -> None:
        """Find the best choice at a belief and at all its successors, successors first."""
        stack, open_ = [start], dict[Belief, _Turn]()
        while stack:
            belief = stack[-1]
            if belief in self.chosen:
                stack.pop()
            elif belief in open_:
                self.chosen[belief] = self._best(open_.pop(belief))
                stack.pop()
            else:
                if len(self.chosen) + len(open_) >= self.limit:
                    raise GameError(
                        f"the best response has more than {self.limit:,} states of information; it is out of "
                        "reach, or allow more (limit=…)"
                    )
                open_[belief] = self._expanded(belief)
                new = list(open_[belief].leaves())
                if any(b in open_ for b in new):
                    raise GameError("the game can come back to a situation, so it is not a finite process")
                stack += [b for b in new if b not in self.chosen]

    def policy(self, opening: Iterable[Step]) -> Iterator[tuple[str, str, Fraction]]:
        """Yield the team's choices, in the order in which situations can arise."""
        todo, seen = [self.chosen[belief] for _, belief in self._parted(opening)[1]], set[Belief]()
        for chosen in todo:  # grows during the loop
            if chosen.belief in seen:
                continue
            seen.add(chosen.belief)
            if chosen.choice is not None:
                told = min(self.contest.told(place, self.team) for place, _ in chosen.belief)
                yield told, str(chosen.choice), chosen.value
            todo += chosen.after
