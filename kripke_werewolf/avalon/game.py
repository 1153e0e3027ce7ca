"""The game: states, what can happen in them, and with what probability.

A state is what everybody knows, the deal, and the scores. The players' strategies decide everything but
the choices left to chance, so a game is a walk on finitely many states; `successors` are the transition
probabilities. Everything found out about a state is remembered, and equal knowledge is one value, so no
model is built twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from kripke_werewolf.avalon.chance import draw, generator
from kripke_werewolf.avalon.decisions import Ballot, Decision, Decisions, Proposals, remembered
from kripke_werewolf.avalon.knowledge import Knowledge, deals, initial_model
from kripke_werewolf.avalon.rules import Rules
from kripke_werewolf.avalon.setting import PLAYERS, PROPOSALS, Deal, Outcome, Party, evil, is_merlin
from kripke_werewolf.avalon.strategies import (
    CautiousMerlin,
    Evil,
    EvilStrategy,
    Good,
    GoodStrategy,
    Situation,
)
from kripke_werewolf.errors import FalseAnnouncement, GameError
from kripke_werewolf.language import Formula, atleast, conjunction, exactly
from kripke_werewolf.models.relation import Mask

__all__ = ["Avalon", "Next", "Played", "State", "Turn", "check_game"]


class State(NamedTuple):
    """Where a game stands when the leader is about to propose a party."""

    knowledge: Knowledge
    deal: Deal
    now: Situation


Next: TypeAlias = State | Outcome


@dataclass(frozen=True, slots=True)
class Turn:
    """One proposal and what came of it."""

    state: State
    party: Party
    choice: Proposals
    """The parties that the leader might have proposed, and what he asked in order to find them."""
    votes: Mapping[int, Decision]
    """Who votes for the party and by which formula; empty where it is accepted without a vote."""
    accepted: bool
    heard: Knowledge
    """The knowledge after the vote."""
    cards: Mapping[int, Decision]
    """Which evil members of the party play a fail card; empty where no quest takes place."""
    announcement: Formula | None
    """What the result of the quest announces, if anything."""
    after: Knowledge
    """The knowledge after the quest."""
    suspects: tuple[int, ...]
    """Of whom evil players name one as Merlin; empty where there is no assassination."""
    following: Mapping[Next, Fraction]
    """The states or outcomes that follow, with their probabilities."""

    @property
    def fails(self) -> int:
        """The number of fail cards played."""
        return sum(card.holds for card in self.cards.values())


@dataclass(frozen=True, slots=True)
class Played:
    """A game from the deal to the outcome; `str` and `html` tell it."""

    rules: Rules
    turns: tuple[Turn, ...]
    outcome: Outcome

    @property
    def deal(self) -> Deal:
        """The roles."""
        return self.turns[0].state.deal

    def __str__(self) -> str:
        from kripke_werewolf.avalon.telling import as_text

        return as_text(self)

    def html(self) -> str:
        """Return the game told as an HTML page."""
        from kripke_werewolf.avalon.telling import as_html

        return as_html(self)


class Avalon:
    """The game under given rules, with given strategies; by default those of the rules.

    >>> game = Avalon(Rules(merlin="naive", assassinate=True))
    >>> game.play(rng=1).outcome.winner
    'evil'

    Raises GameError for what is no strategy, and for one without a player to play it.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        good: GoodStrategy | None = None,
        merlin: GoodStrategy | None = None,
        evil: EvilStrategy | None = None,
    ) -> None:
        if not isinstance(rules, Rules):
            raise GameError(f"rules={rules!r} are no rules (try published(), intended() or Rules(…))")
        for role, strategy in (("good", good), ("merlin", merlin), ("evil", evil)):
            _check_strategy(role, strategy)
        if merlin is not None and rules.merlin is None:
            raise GameError(f"a strategy for Merlin was given, but the rules {rules.name!r} have merlin=None")
        self.rules = rules
        self.good: GoodStrategy = good or Good()
        self.merlin = merlin or (
            {"naive": Good(), "cautious": CautiousMerlin()}[rules.merlin] if rules.merlin else None
        )
        self.evil: EvilStrategy = evil or Evil()
        self._decisions = Decisions(rules, self.good, self.merlin or self.good, self.evil)
        self._same: dict[Knowledge, Knowledge] = {}
        self._memory: dict[Any, Any] = {}

    def _parts(self) -> tuple[Rules, GoodStrategy, GoodStrategy | None, EvilStrategy]:
        return self.rules, self.good, self.merlin, self.evil

    def __eq__(self, other: object) -> bool:
        return self._parts() == other._parts() if isinstance(other, Avalon) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._parts())

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, self._parts()

    def __repr__(self) -> str:
        return f"Avalon({self.rules!r}, good={self.good!r}, merlin={self.merlin!r}, evil={self.evil!r})"

    # --- the walk ----------------------------------------------------------------------------------

    def starts(self) -> dict[State, Fraction]:
        """Return the states after the deal, with their probabilities."""
        states = [
            State(self._dealt(deal), deal, Situation(self.rules, leader, 1, 0, 0))
            for deal in deals(self.rules)
            for leader in PLAYERS
        ]
        return dict.fromkeys(states, Fraction(1, len(states)))

    def proposals(self, state: State) -> Mapping[Party, Fraction]:
        """Return the parties that the leader may propose, with their probabilities."""
        return self._decisions.proposals(*state).parties

    def turn(self, state: State, party: Party) -> Turn:
        """Return what happens when the leader proposes a party."""
        knowledge, deal, now = state
        votes: Mapping[int, Decision] = {}
        if unvoted := now.attempt == PROPOSALS and self.rules.fifth == "accepted":
            heard = knowledge
        else:
            ballot = self._decisions.ballot(now, party)
            votes = self._decisions.votes(knowledge, deal, ballot)
            heard = self._heard(knowledge, ballot)
        accepted = unvoted or sum(vote.holds for vote in votes.values()) >= 3
        choice = self._decisions.proposals(*state)
        turn = Turn(state, party, choice, votes, accepted, heard, {}, None, heard, (), {})
        if accepted:
            return self._quest(turn)
        if now.attempt < PROPOSALS:
            return replace(turn, following=self._next(heard, deal, now._replace(attempt=now.attempt + 1)))
        return self._scored(turn, failed=True)

    def successors(self, state: State) -> dict[Next, Fraction]:
        """Return the states and outcomes that can follow, with their probabilities."""
        out: dict[Next, Fraction] = {}
        for party, p in self.proposals(state).items():
            for following, q in self.turn(state, party).following.items():
                out[following] = out.get(following, Fraction(0)) + p * q
        return out

    def play(self, *, rng: np.random.Generator | int | None = None) -> Played:
        """Return one game, chance being drawn from `rng`; raises GameError for what is no seed."""
        chance = generator(rng)
        place: Next = draw(self.starts(), chance)
        turns: list[Turn] = []
        while isinstance(place, State):
            turns.append(self.turn(place, draw(self.proposals(place), chance)))
            place = draw(turns[-1].following, chance)
        return Played(self.rules, tuple(turns), place)

    # --- quests and scores -------------------------------------------------------------------------

    def _quest(self, turn: Turn) -> Turn:
        """Return the turn with the quest of its party."""
        _, deal, now = turn.state
        fails = self._decisions.fails(now, turn.party)
        cards = self._decisions.cards(turn.heard, deal, turn.party, fails)
        number = sum(card.holds for card in cards.values())
        announcement = self._announcement(number, turn.party, fails)
        after = turn.heard if announcement is None else self._announced(turn.heard, announcement, deal)
        quest = replace(turn, cards=cards, announcement=announcement, after=after)
        return self._scored(quest, failed=number > 0)

    def _scored(self, turn: Turn, *, failed: bool) -> Turn:
        """Return the turn with what follows a quest."""
        _, deal, now = turn.state
        lost, won = now.failed + failed, now.succeeded + (not failed)
        if lost == 3:
            return replace(turn, following={Outcome("evil", now.quest): Fraction(1)})
        if won < 3:
            scores = now._replace(attempt=1, failed=lost, succeeded=won)
            return replace(turn, following=self._next(turn.after, deal, scores))
        if not self.rules.assassinate:
            return replace(turn, following={Outcome("good", now.quest): Fraction(1)})
        suspects = self._decisions.suspects(turn.after, deal, now)
        risk = Fraction(suspects.count(deal.merlin or 0), len(suspects))
        ends = {Outcome("good", now.quest): 1 - risk, Outcome("evil", now.quest, "assassination"): risk}
        return replace(turn, suspects=suspects, following={end: p for end, p in ends.items() if p})

    def _next(self, knowledge: Knowledge, deal: Deal, now: Situation) -> dict[Next, Fraction]:
        """Return the states in which another leader may propose in a situation."""
        leaders = PLAYERS if self.rules.leader == "random" else (now.leader % len(PLAYERS) + 1,)
        return {
            State(knowledge, deal, now._replace(leader=leader)): Fraction(1, len(leaders))
            for leader in leaders
        }

    # --- what everybody learns ---------------------------------------------------------------------

    def _dealt(self, deal: Deal) -> Knowledge:
        merlin = deal.merlin if self.rules.worlds == "pairs" else None
        return self._one(("dealt", merlin), lambda: Knowledge(initial_model(self.rules, merlin=merlin)))

    def _heard(self, knowledge: Knowledge, ballot: Ballot) -> Knowledge:
        """Return the knowledge after a vote: evil players compare it with what each deal lets expect."""
        if self.rules.merlin is None or not self.rules.inference:
            return knowledge

        def approves(player: int) -> Mask:
            """Return the worlds in which the player would approve."""
            truth = knowledge.truth
            servant = np.where(
                truth(is_merlin(player)), *(truth(ballot.formula(player, r)) for r in ("Merlin", "good"))
            )
            return np.where(truth(evil(player)), truth(ballot.formula(player, "evil")), servant)

        return self._one((knowledge, ballot), lambda: knowledge.observed([approves(i) for i in PLAYERS]))

    def _announcement(self, number: int, party: Party, fails: tuple[Formula, ...]) -> Formula | None:
        """Return what the number of fail cards announces."""
        if self.rules.announcements == "policy":
            return exactly(number, *(evil(i) & f for i, f in zip(party, fails, strict=True)))
        if number:
            return atleast(number, *map(evil, party))
        return conjunction(~evil(i) for i in party) if self.rules.announcements == "success" else None

    def _announced(self, knowledge: Knowledge, announcement: Formula, deal: Deal) -> Knowledge:
        if not knowledge.holds(announcement, deal):
            error = FalseAnnouncement(announcement, [deal])
            raise GameError(
                f"Avalon, rules {self.rules.name!r}: announcements={self.rules.announcements!r} does not fit "
                f"the strategy {self.evil!r} of the evil players: {error}"
            ) from error
        return self._one((knowledge, announcement), lambda: knowledge.announced(announcement))

    def _one(self, key: tuple[object, ...], make: Callable[[], Knowledge]) -> Knowledge:
        """Return the knowledge remembered under a key, made the first time; equal knowledge is one value."""

        def unique() -> Knowledge:
            made = make()
            return self._same.setdefault(made, made)

        return remembered(self._memory, key, unique)


def _rebuilt(rules: Rules, good: GoodStrategy, merlin: GoodStrategy | None, evil: EvilStrategy) -> Avalon:
    return Avalon(rules, good=good, merlin=merlin, evil=evil)


def check_game(game: object) -> None:
    """Raise GameError for what is no game."""
    if not isinstance(game, Avalon):
        given = f"the rules {game.name!r}" if isinstance(game, Rules) else repr(game)
        raise GameError(f"expected a game, such as Avalon(published()); got {given}")


def _check_strategy(role: str, strategy: object) -> None:
    if strategy is None:
        return
    wanted = ("party", "approves", "fails", "suspects") if role == "evil" else ("party", "approves")
    missing = [name for name in wanted if not callable(getattr(strategy, name, None))]
    if missing or isinstance(strategy, type):
        problem = "is a class, not an instance of it" if not missing else f"has no {' and no '.join(missing)}"
        raise GameError(f"{role}={strategy!r} is not a strategy: it {problem} (needed: {', '.join(wanted)})")
