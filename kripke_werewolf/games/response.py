"""Best responses of one player, or of a team with common information, to fixed strategies.

The others keep their strategies, so the team faces a Markov decision process over its own information: a
state of it is the team's observations so far, given as a distribution over the places of the game (a belief).
The value is exact. The process must be finite and acyclic; more than `limit` states are an error.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, TypeAlias

from kripke_werewolf.display import Displayed
from kripke_werewolf.errors import GameError
from kripke_werewolf.games.chance import ONE, add
from kripke_werewolf.games.outcomes import csv_text
from kripke_werewolf.games.solving import without_collection
from kripke_werewolf.reports.tables import shown

Step: TypeAlias = tuple[Fraction, Hashable, Any]
"""A probability, the team's observation, and the next place of the game."""
Belief: TypeAlias = frozenset[tuple[Any, Fraction]]
_ZERO = Fraction(0)


class Contest(Protocol):
    """A match in which a team may deviate from its strategies."""

    def opening(self, team: Any) -> Iterable[Step]:
        """Return the initial places."""

    def is_place(self, place: object) -> bool:
        """Return whether the game continues from here."""

    def is_lasting(self, place: Any) -> bool:
        """Return whether a place can be reached in several ways, so that its value is worth keeping."""

    def choices(self, place: Any, team: Any) -> tuple[Hashable, ...]:
        """Return the team's options here; none where others move."""

    def follow(self, place: Any, choice: Any, team: Any) -> Iterable[Step]:
        """Return the possible results of a choice of the team (None where others move)."""

    def goal(self, team: Any) -> Callable[[Any], Any]:
        """Return the function that gives the value of an outcome for the team; True counts as 1."""

    def told(self, place: Any, team: Any) -> str:
        """Return the team's situation in words."""


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
    contest: Contest,
    team: Any,
    *,
    goal: Callable[[Any], Any] | None = None,
    limit: int = 2_000_000,
) -> Response:
    """Return the best response of a team to the strategies of the others.

    `goal`: the value of an outcome, a number or a truth value; by default winning. Raises GameError for a
    team whose players have different information, for games with cycles, and for more than `limit`
    information states.
    """
    worth = goal or contest.goal(team)
    with without_collection():
        process = _Process(contest, team, worth, limit)
        opening = list(contest.opening(team))
        value = process.value(opening)
    return Response(team, value, tuple(process.policy(opening)), len(process.chosen))


class _Turn(NamedTuple):
    """A situation of the team: for each choice the value of outcomes, and the situations that may follow."""

    belief: Belief
    options: Mapping[Hashable, tuple[Fraction, list[tuple[Fraction, Belief | _Turn]]]]

    def leaves(self) -> Iterator[Belief]:
        """Yield the lasting situations that may follow."""
        for _, after in self.options.values():
            for _, following in after:
                yield from following.leaves() if isinstance(following, _Turn) else (following,)


class _Chosen(NamedTuple):
    """The best choice in a situation, its value, and what may follow it."""

    belief: Belief
    choice: Hashable
    value: Fraction
    after: list[Belief | _Chosen]


class _Process:
    """The Markov decision process over the beliefs of a team, solved from the end.

    Beliefs in the middle of a turn are solved with the belief at its beginning, and not kept.
    """

    def __init__(self, contest: Contest, team: Any, worth: Callable[[Any], Any], limit: int) -> None:
        self.contest, self.team, self.worth, self.limit = contest, team, worth, limit
        self.chosen: dict[Belief, _Chosen] = {}

    def value(self, opening: Iterable[Step]) -> Fraction:
        settled, beliefs = self._parted(opening)
        for _, belief in beliefs:
            self._solve(belief)
        return settled + sum((p * self.chosen[b].value for p, b in beliefs), _ZERO)

    def _parted(self, steps: Iterable[Step]) -> tuple[Fraction, list[tuple[Fraction, Belief]]]:
        """Return the value of the outcomes, and the beliefs after each observation."""
        settled = _ZERO
        by_sight: dict[Hashable, dict[Any, Fraction]] = {}
        for p, seen, place in steps:
            if not self.contest.is_place(place):
                settled += p * Fraction(self.worth(place))
                continue
            add(by_sight.setdefault(seen, {}), place, p)
        found = []
        for inside in by_sight.values():
            total = sum(inside.values(), _ZERO)
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
        found: dict[Hashable, tuple[Fraction, list[tuple[Fraction, Belief | _Turn]]]] = {}
        for choice in choices or (None,):
            steps = [
                (q if p is ONE else p * q, seen, after)
                for place, p in places
                for q, seen, after in self.contest.follow(place, choice, self.team)
            ]
            settled, beliefs = self._parted(steps)
            found[choice] = (
                settled,
                [(p, b if self._is_lasting(b) else self._expanded(b)) for p, b in beliefs],
            )
        return _Turn(belief, found)

    def _is_lasting(self, belief: Belief) -> bool:
        return all(self.contest.is_lasting(place) for place, _ in belief)

    def _best(self, turn: _Turn) -> _Chosen:
        """Return the first of the best choices; the lasting situations that follow are solved."""
        best: _Chosen | None = None
        for choice, (value, after) in turn.options.items():
            following: list[Belief | _Chosen] = []
            for p, sub in after:
                chosen = self._best(sub) if isinstance(sub, _Turn) else self.chosen[sub]
                value += p * chosen.value
                following.append(chosen if isinstance(sub, _Turn) else sub)
            if best is None or value > best.value:
                best = _Chosen(turn.belief, choice, value, following)
        assert best is not None
        return best

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
        todo: list[Belief | _Chosen] = [belief for _, belief in self._parted(opening)[1]]
        seen = set[Belief]()
        for situation in todo:  # grows during the loop
            chosen = situation if isinstance(situation, _Chosen) else self.chosen[situation]
            if chosen.belief in seen:
                continue
            seen.add(chosen.belief)
            if chosen.choice is not None:
                told = min(self.contest.told(place, self.team) for place, _ in chosen.belief)
                yield told, str(chosen.choice), chosen.value
            todo += chosen.after
