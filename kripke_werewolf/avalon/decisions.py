"""Asking the strategies, and checking what they answer.

A decision is a formula, true or false at the actual world, and the player must know which. A strategy that
breaks a rule is named in the error with the player and the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from numbers import Integral
from typing import Any, NamedTuple, TypeVar

from kripke_werewolf.avalon.knowledge import Knowledge
from kripke_werewolf.avalon.rules import Rules
from kripke_werewolf.avalon.setting import PLAYERS, Deal, Party, Role
from kripke_werewolf.avalon.strategies import EvilStrategy, GoodStrategy, Situation
from kripke_werewolf.errors import IllegalMove, KripkeError
from kripke_werewolf.language import Formula
from kripke_werewolf.language.formulas import FormulaLike, formula

__all__ = ["Ballot", "Decision", "Decisions", "Proposals", "remembered"]

T = TypeVar("T")


class Decision(NamedTuple):
    """What a player decided by: the formula, and whether it is true."""

    formula: Formula
    holds: bool


class Proposals(NamedTuple):
    """The parties that a leader may propose."""

    parties: Mapping[Party, Fraction]
    """Their probabilities."""
    asked: tuple[Decision, ...]
    """What he asked in order to find them."""


class Ballot(NamedTuple):
    """By which formulas the players vote on a party: for each role, one formula per player."""

    party: Party
    good: tuple[Formula, ...]
    merlin: tuple[Formula, ...]
    evil: tuple[Formula, ...]

    def formula(self, player: int, role: Role) -> Formula:
        """Return by which formula the player votes in a role."""
        of_role = {"good": self.good, "Merlin": self.merlin, "evil": self.evil}[role]
        return of_role[PLAYERS.index(player)]


def remembered(memory: dict[Any, Any], key: object, make: Callable[[], T]) -> T:
    """Return what is remembered under a key, made the first time."""
    if key not in memory:
        memory[key] = make()
    found: T = memory[key]
    return found


class Decisions:
    """What the strategies of a game answer; every answer is remembered.

    The methods raise `IllegalMove` for answers that break a rule.
    """

    def __init__(self, rules: Rules, good: GoodStrategy, merlin: GoodStrategy, evil: EvilStrategy) -> None:
        self._rules = rules
        self._good, self._merlin, self._evil = good, merlin, evil
        self._memory: dict[Any, Any] = {}

    def proposals(self, knowledge: Knowledge, deal: Deal, now: Situation) -> Proposals:
        """Return the parties that the leader may propose."""
        key = "proposals", knowledge, deal, now
        return remembered(self._memory, key, lambda: self._proposals(knowledge, deal, now))

    def ballot(self, now: Situation, party: Party) -> Ballot:
        """Return by which formulas everybody would vote on a party."""

        def approvals(strategy: GoodStrategy, role: Role) -> tuple[Formula, ...]:
            return tuple(
                self._read(partial(strategy.approves, i, party, now), i, role, _voting(party))
                for i in PLAYERS
            )

        def make() -> Ballot:
            good, evil = approvals(self._good, "good"), approvals(self._evil, "evil")
            return Ballot(
                party, good, approvals(self._merlin, "Merlin") if self._rules.merlin else good, evil
            )

        return remembered(self._memory, ("ballot", now, party), make)

    def fails(self, now: Situation, party: Party) -> tuple[Formula, ...]:
        """Return by which formula each member of a party would play a fail card, being evil."""

        def make() -> tuple[Formula, ...]:
            return tuple(
                self._read(partial(self._evil.fails, i, party, now), i, "evil", _QUESTING) for i in party
            )

        return remembered(self._memory, ("fails", now, party), make)

    def votes(self, knowledge: Knowledge, deal: Deal, ballot: Ballot) -> Mapping[int, Decision]:
        """Return how everybody votes."""

        def make() -> Mapping[int, Decision]:
            what = _voting(ballot.party)
            formulas = {i: ballot.formula(i, deal.role(i)) for i in PLAYERS}
            return {i: Decision(f, self._decided(f, i, knowledge, deal, what)) for i, f in formulas.items()}

        return remembered(self._memory, ("votes", knowledge, deal, ballot), make)

    def cards(
        self, knowledge: Knowledge, deal: Deal, party: Party, fails: Sequence[Formula]
    ) -> Mapping[int, Decision]:
        """Return which evil members of a party play a fail card."""

        def make() -> Mapping[int, Decision]:
            formulas = {i: f for i, f in zip(party, fails, strict=True) if i in deal.evil}
            return {
                i: Decision(f, self._decided(f, i, knowledge, deal, _QUESTING)) for i, f in formulas.items()
            }

        return remembered(self._memory, ("cards", knowledge, deal, party, fails), make)

    def suspects(self, knowledge: Knowledge, deal: Deal, now: Situation) -> tuple[int, ...]:
        """Return of whom evil players name one as Merlin: all good players, should nobody be suspect."""

        def make() -> tuple[int, ...]:
            assassin, what = deal.evil[0], "looks for Merlin"
            formulas = {
                good: self._read(partial(self._evil.suspects, assassin, good, now), assassin, "evil", what)
                for good in deal.good
            }
            found = tuple(g for g, f in formulas.items() if self._decided(f, assassin, knowledge, deal, what))
            return found or deal.good

        return remembered(self._memory, ("suspects", knowledge, deal, now), make)

    # --- reading and checking ----------------------------------------------------------------------

    def _proposals(self, knowledge: Knowledge, deal: Deal, now: Situation) -> Proposals:
        leader, what = now.leader, f"leads quest {now.quest}"
        role = deal.role(leader)
        strategy = {"good": self._good, "Merlin": self._merlin, "evil": self._evil}[role]
        rule = (
            f"a party for quest {now.quest} has {now.size} different players of {PLAYERS}, and a leader "
            "answers with a list of parties"
        )
        asked: dict[Formula, bool] = {}

        def holds(f: FormulaLike) -> bool:
            read = self._read(lambda: f, leader, role, what)
            asked[read] = self._decided(read, leader, knowledge, deal, what)
            return asked[read]

        def ask() -> tuple[object, list[object]]:
            answer: object = strategy.party(leader, now, holds)
            return answer, list(answer) if isinstance(answer, Iterable) else [answer]

        answer, named = self._answered(ask, leader, role, what, rule)
        found = []
        for proposed in named:
            party = _party(proposed, now.size)
            if party is None:
                no_party = f"answers {answer!r}, in which {proposed!r} is no party"
                problem = f"proposes {proposed!r}" if isinstance(proposed, _COLLECTIONS) else no_party
                raise self._illegal(leader, role, what, problem, rule)
            found.append(party)
        if not found:
            raise self._illegal(leader, role, what, "proposes no party", rule)
        parties = {party: Fraction(found.count(party), len(found)) for party in dict.fromkeys(found)}
        return Proposals(parties, tuple(Decision(f, holds) for f, holds in asked.items()))

    def _answered(self, ask: Callable[[], T], player: int, role: Role, what: str, rule: str) -> T:
        """Return what a strategy answers; an error inside it is raised as one of the player."""
        try:
            return ask()
        except IllegalMove:
            raise
        except Exception as error:
            problem = f"his strategy raises {type(error).__name__}: {error}"
            raise self._illegal(player, role, what, problem, rule) from error

    def _read(self, ask: Callable[[], object], player: int, role: Role, what: str) -> Formula:
        """Return the formula that a strategy answers."""
        answer = self._answered(ask, player, role, what, _DECISION)
        try:
            return formula(answer)  # type: ignore[arg-type]
        except KripkeError as error:
            problem = f"decides by {answer!r} ({error})"
            raise self._illegal(player, role, what, problem, _DECISION) from error

    def _decided(self, f: Formula, player: int, knowledge: Knowledge, deal: Deal, what: str) -> bool:
        """Return what a player decides by a formula."""
        try:
            decision = knowledge.known(player, f, deal)
        except KripkeError as error:
            problem = f"decides by {f} ({error})"
            raise self._illegal(player, deal.role(player), what, problem, _DECISION) from error
        if decision is None:
            problem = f"decides by {f}, which he neither knows to be true nor knows to be false"
            raise self._illegal(player, deal.role(player), what, problem, _DECISION)
        return decision

    def _illegal(self, player: int, role: Role, what: str, problem: str, rule: str) -> IllegalMove:
        return IllegalMove(
            f"Avalon, rules {self._rules.name!r}: player {player} ({role}) {what} and {problem}; "
            f"the rule: {rule}"
        )


_DECISION = "a decision is True, False or a formula about the game whose truth value the player knows"
_QUESTING = "plays a card"
_COLLECTIONS = (tuple, list, set, frozenset)


def _party(proposed: object, size: int) -> Party | None:
    """Return a proposed party in ascending order; None for what is no party of that size."""
    if not isinstance(proposed, _COLLECTIONS):
        return None
    players = {int(a) for a in proposed if isinstance(a, Integral) and not isinstance(a, bool)}
    fits = len(proposed) == len(players) == size and players <= set(PLAYERS)
    return tuple(sorted(players)) if fits else None


def _voting(party: Party) -> str:
    return f"votes on the party {', '.join(map(str, party))}"
