"""Avalon without strategies: everybody may do what the rules allow. For programs that learn to play.

What `Avalon` leaves to strategies are moves here; only the rules about cards, leaders, the fifth proposal and
the assassination count. All that happens in public is in the situation, and in the atoms `leads_i`, `in_i`
(the party), `for_i` (the last votes), `fails_n` (the last quest), `attempt_n`, `failed_n` and `succeeded_n`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from kripke_werewolf.avalon.knowledge import deal_facts, deals
from kripke_werewolf.avalon.rules import (
    EVIL,
    PROPOSALS,
    SPECIAL,
    Deal,
    Outcome,
    Party,
    Rules,
    Side,
    evil,
    fails_needed,
    has_role,
    is_merlin,
    seats,
)
from kripke_werewolf.errors import GameError
from kripke_werewolf.games.chance import equally
from kripke_werewolf.games.environment import Bounds
from kripke_werewolf.games.program import End, Game, Happening

Stage: TypeAlias = Literal["leader", "party", "vote", "cards", "name"]


class Stand(NamedTuple):
    """The public situation."""

    leader: int
    """0 before the first leader is drawn."""
    stage: Stage = "leader"
    attempt: int = 1
    failed: int = 0
    succeeded: int = 0
    party: Party = ()
    """The last party proposed."""
    approving: Party = ()
    """The players who voted for it."""
    fails: int | None = None
    """The number of fail cards on the last quest."""

    @property
    def quest(self) -> int:
        """The number of the quest, from 1."""
        return self.failed + self.succeeded + 1


class Seated(NamedTuple):
    """A state of the world: the cards, and what is public."""

    deal: Deal
    now: Stand

    def __str__(self) -> str:
        return str(self.deal)


class Ended(NamedTuple):
    """The outcome, and the evil players."""

    outcome: Outcome
    evil: Party

    def __str__(self) -> str:
        return f"{self.outcome}; {', '.join(map(str, self.evil))} were evil"


class AvalonTable(Game):
    """The game without strategies.

    `players`, `evil`, `sizes` of the parties and `proposals` for each quest make a smaller game than that of
    the rules, without special roles, whose tree can be walked. More than half of the quests win.

    Raises GameError for impossible numbers.

    >>> small = AvalonTable(Rules(fifth="accepted"), players=3, evil=1, sizes=(1, 2, 2), proposals=1)
    >>> [str(deal) for deal, _ in small.deals()]
    ['evil 1', 'evil 2', 'evil 3']
    """

    name = "Avalon"

    def __init__(
        self,
        rules: Rules,
        *,
        players: int | None = None,
        evil: int | None = None,
        sizes: tuple[int, ...] | None = None,
        proposals: int = PROPOSALS,
    ) -> None:
        self.rules, self.proposals = rules, proposals
        self.sizes = sizes or rules.sizes
        self.players: tuple[int, ...] = seats(players or rules.players)
        self.evil = evil or EVIL[rules.players]
        self._own = players is not None or evil is not None
        if self._own and any(getattr(rules, role) for role in SPECIAL):
            raise GameError("players= and evil= make a game without Percival, Morgana, Mordred and Oberon")
        if not 0 < self.evil < len(self.players) or not {*self.sizes} <= {*self.players} or proposals < 1:
            raise GameError(
                f"no game for players={len(self.players)}, evil={self.evil}, sizes={self.sizes}, "
                f"proposals={proposals}: parties have 1 to {len(self.players)} members, and some but not all "
                "players are evil"
            )

    def deals(self) -> list[Seated]:
        """Return the deals."""
        dealt = deals(self.rules)
        if self._own:
            merlins = [None] if self.rules.merlin is None else self.players
            pairs = [(pair, m) for pair in combinations(self.players, self.evil) for m in merlins]
            dealt = [Deal(pair, m, players=len(self.players)) for pair, m in pairs if m not in pair]
        return [Seated(deal, self.start()) for deal in dealt]

    def start(self) -> Stand:
        """Return the situation before the first leader is drawn."""
        return Stand(0)

    def atoms(self, world: Seated) -> Iterator[str]:
        """Yield the atoms that say who has which card, and what is public."""
        deal, now = world
        yield from deal_facts(deal)
        yield from (f"attempt_{now.attempt}", f"failed_{now.failed}", f"succeeded_{now.succeeded}")
        yield from [f"leads_{now.leader}"] if now.leader else []
        yield from [] if now.fails is None else [f"fails_{now.fails}"]
        yield from (f"in_{i}" for i in now.party)
        yield from (f"for_{i}" for i in now.approving)

    def vocabulary(self) -> Iterator[str]:
        """Yield all atoms about players and numbers."""
        roles = [role for role in SPECIAL if getattr(self.rules, role)]
        for i in self.players:
            yield evil(i).name
            yield from [is_merlin(i).name] if self.rules.merlin else []
            yield from (has_role(role, i).name for role in roles)
            yield from (f"leads_{i}", f"in_{i}", f"for_{i}")
        yield from (f"attempt_{n}" for n in range(1, self.proposals + 1))
        yield from (f"{what}_{n}" for what in ("failed", "succeeded") for n in range(self._majority + 1))
        yield from (f"fails_{n}" for n in range(self.evil + 1))

    @property
    def _majority(self) -> int:
        return len(self.sizes) // 2 + 1

    def sees(self, player: int, world: Seated) -> Hashable:
        """Return the player's card, with the players it reveals."""
        return world.deal.observed(player)

    def moment(self, now: Stand) -> str:
        """Return the quest, and after its beginning the proposal and what is to be done."""
        where = f"quest {now.quest}" + (f", proposal {now.attempt}" if now.attempt > 1 else "")
        return where if now.stage == "party" else f"{where}, {now.stage}"

    def decides(self, now: Stand, world: Seated) -> dict[int, tuple[Hashable, ...]]:
        """Return the party, votes, cards or name that may be chosen."""
        deal = world.deal
        if now.stage == "party":
            return {now.leader: tuple(combinations(self.players, self.sizes[now.quest - 1]))}
        if now.stage == "vote":
            return dict.fromkeys(self.players, ("for", "against"))
        if now.stage == "cards":
            return {i: ("pass", "fail") for i in now.party if i in deal.evil}
        if now.stage == "name":
            return {deal.assassin: tuple(i for i in self.players if i != deal.assassin)}
        return {}

    def after(
        self, now: Stand, world: Seated, moves: Mapping[int, Any]
    ) -> Happening | End | dict[Happening | End, Fraction]:
        """Return the results of moves, all of them public."""
        deal = world.deal
        if now.stage == "leader":
            return self._led(deal, now, self.players)
        if now.stage == "party":
            stage: Stage = "cards" if self.unvoted(now) else "vote"
            proposed = Stand(now.leader, stage, now.attempt, now.failed, now.succeeded, *moves.values())
            return self._then(deal, proposed)
        if now.stage == "vote":
            voted = now._replace(approving=tuple(i for i in self.players if moves[i] == "for"))
            if self.accepts(voted.approving):
                return self._then(deal, voted._replace(stage="cards"))
            return self._next(deal, self.scored(voted, None))
        if now.stage == "cards":
            fails = list(moves.values()).count("fail")
            return self._next(deal, self.scored(now, fails)._replace(fails=fails))
        (name,) = moves.values()
        return self._end(deal, now, "evil" if name == deal.merlin else "good")

    def _next(self, deal: Deal, now: Stand) -> Happening | End | dict[Happening | End, Fraction]:
        """Return the next proposal, the assassination or the end."""
        winner = self.winner(now)
        if winner is None:
            return self._led(deal, now, self.leaders(now, self.players))
        if winner == "good" and self.rules.assassinate:
            return self._then(deal, now._replace(stage="name"))
        return self._end(deal, now, winner)

    def _led(self, deal: Deal, now: Stand, leaders: Party) -> dict[Happening | End, Fraction]:
        return equally(self._then(deal, now._replace(stage="party", leader=i)) for i in leaders)

    def _then(self, deal: Deal, now: Stand) -> Happening | End:
        return Happening(Seated(deal, now), now)

    def _end(self, deal: Deal, now: Stand, winner: Side) -> End:
        named = now.stage == "name" and winner == "evil"
        outcome = Outcome(winner, now.failed + now.succeeded, "assassination" if named else "quests")
        return End(Ended(outcome, deal.evil))

    # --- the rules about quests, for any public situation ------------------------------------------

    def unvoted(self, now: Any) -> bool:
        """Return whether the party is accepted without a vote."""
        return now.attempt == self.proposals and self.rules.fifth == "accepted"

    def accepts(self, approving: Party) -> bool:
        """Return whether these votes accept a party."""
        return 2 * len(approving) > len(self.players)

    def scored(self, now: Any, fails: int | None) -> Any:
        """Return the scores and the next proposal after a quest with some fail cards; None: a rejection."""
        if fails is None and now.attempt < self.proposals:
            return now._replace(attempt=now.attempt + 1)
        lost = fails is None or fails >= fails_needed(len(self.players), now.quest)
        return now._replace(attempt=1, failed=now.failed + lost, succeeded=now.succeeded + (not lost))

    def winner(self, now: Any) -> Side | None:
        """Return the side with more than half of the quests, if any."""
        if self._majority in (now.failed, now.succeeded):
            return "evil" if now.failed == self._majority else "good"
        return None

    def leaders(self, now: Any, seating: Party) -> Party:
        """Return the players who may lead next, equally likely."""
        following = (seating.index(now.leader) + 1) % len(seating)
        return self.players if self.rules.leader == "random" else seating[following : following + 1]

    # --- for learning programs ---------------------------------------------------------------------

    def rewards(self, end: Ended) -> dict[int, int]:
        """Return 1 for each player of the side that has won, and -1 for the others."""
        return {i: 1 if (i in end.evil) == (end.outcome.winner == "evil") else -1 for i in self.players}

    def outcomes(self) -> list[Outcome]:
        """Return all outcomes that the rules allow."""
        quests = range(self._majority, len(self.sizes) + 1)
        found = [Outcome(side, n) for side in get_args(Side) for n in quests]
        return found + [Outcome("evil", n, "assassination") for n in quests if self.rules.assassinate]

    def bounds(self) -> Bounds:
        """Return all moves and outcomes, without a walk through millions of states."""
        parties = [party for size in sorted({*self.sizes}) for party in combinations(self.players, size)]
        moves: dict[int, list[Hashable]] = {}
        for i in self.players:
            names = [j for j in self.players if j != i and self.rules.assassinate]
            moves[i] = [*parties, "for", "against", "pass", "fail", *names]
        most = len(self.sizes)
        voted = self.proposals - (self.rules.fifth == "accepted")
        longest = 1 + most * (self.proposals + voted + 1) + self.rules.assassinate
        evils = sorted({sitting.deal.evil for sitting in self.deals()})
        endings: list[Hashable] = [Ended(outcome, those) for outcome in self.outcomes() for those in evils]
        widest = max(len(self.deals()), len(self.players))
        return Bounds(moves, endings, longest, widest, sorted(self.vocabulary()))
