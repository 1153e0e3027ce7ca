"""Avalon without strategies: everybody may do what the rules allow. For programs that learn to play.

What `Avalon` leaves to strategies are moves here; only the rules about cards, leaders, the fifth proposal and
the assassination count. All that happens in public is in the situation, and in the atoms `leads_i`, `in_i`
(the party), `for_i` (the last votes), `fails_n` (the last quest), `attempt_n`, `failed_n` and `succeeded_n`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple, get_args

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.avalon.knowledge import deal_facts, deals
from kripke_werewolf.games.avalon.rules import (
    EVIL,
    NEEDS_TWO,
    PROPOSALS,
    SPECIAL,
    Deal,
    Outcome,
    Party,
    Rules,
    Side,
    evil,
    has_role,
    is_merlin,
    seats,
)
from kripke_werewolf.games.avalon.strategies import Situation, Stage
from kripke_werewolf.games.programs.chance import equally
from kripke_werewolf.games.programs.program import End, Game, Happening


class Seated(NamedTuple):
    """A state of the world: the cards, and what is public."""

    deal: Deal
    now: Situation

    def __str__(self) -> str:
        return str(self.deal)


class Ended(NamedTuple):
    """The outcome, and the evil players."""

    outcome: Outcome
    evil: Party

    def __str__(self) -> str:
        return f"{self.outcome}; {', '.join(map(str, self.evil))} were evil"


def quest_named(now: Situation) -> str:
    """Return the quest and, after the first, the proposal."""
    if now.attempt == 1:
        return f"quest {now.quest}"
    return f"quest {now.quest}, proposal {now.attempt}"


class AvalonTable(Game):
    """The game without strategies.

    `players`, `evil`, `sizes` of the parties and `proposals` for each quest make a smaller game than that of
    the rules, without special roles, whose tree can be walked. More than half of the quests decide the game.

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
            merlins = (None,) if self.rules.merlin is None else self.players
            pairs = [(pair, m) for pair in combinations(self.players, self.evil) for m in merlins]
            dealt = [Deal(pair, m, players=len(self.players)) for pair, m in pairs if m not in pair]
        return [Seated(deal, self.start()) for deal in dealt]

    def start(self) -> Situation:
        """Return the situation before the first leader is drawn."""
        return Situation(self.rules, 0, 1, 0, 0, stage="leader")

    def atoms(self, world: Seated) -> Iterator[str]:
        """Yield the atoms that say who has which card, and what is public."""
        deal, now = world
        yield from deal_facts(deal)
        yield from (f"attempt_{now.attempt}", f"failed_{now.failed}", f"succeeded_{now.succeeded}")
        if now.leader:
            yield f"leads_{now.leader}"
        if now.fails is not None:
            yield f"fails_{now.fails}"
        yield from (f"in_{i}" for i in now.party)
        yield from (f"for_{i}" for i in now.approving)

    def vocabulary(self) -> Iterator[str]:
        """Yield all atoms about players and numbers."""
        roles = [role for role in SPECIAL if getattr(self.rules, role)]
        for i in self.players:
            yield evil(i).name
            if self.rules.merlin:
                yield is_merlin(i).name
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

    def moment(self, now: Situation) -> str:
        """Return the quest, and after its beginning the proposal and what is to be done."""
        where = quest_named(now)
        return where if now.stage == "party" else f"{where}, {now.stage}"

    def decides(self, now: Situation, world: Seated) -> dict[int, tuple[Hashable, ...]]:
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
        self, now: Situation, world: Seated, moves: Mapping[int, Any]
    ) -> Happening | End | dict[Happening | End, Fraction]:
        """Return the results of moves, all of them public."""
        deal = world.deal
        if now.stage == "name":
            (name,) = moves.values()
            found = Outcome("good", now.quest)
            if name == deal.merlin:
                found = Outcome("evil", now.quest, "assassination")
            return End(Ended(found, deal.evil))
        following: Outcome | tuple[Situation, ...]
        if now.stage == "leader":
            following = tuple(now._replace(stage="party", leader=i) for i in self.players)
        else:
            moved = self.moved(now, moves)
            following = self.onward(moved) if moved.stage == now.stage else (moved,)
        if isinstance(following, Outcome):
            return End(Ended(following, deal.evil))
        happenings = [Happening(Seated(deal, later), later) for later in following]
        return happenings[0] if len(happenings) == 1 else equally(happenings)

    # --- the rules about quests, which do not depend on the cards ----------------------------------

    def moved(self, now: Situation, moves: Mapping[int, Any]) -> Situation:
        """Return the situation after a proposal, votes or cards, before anything else happens.

        The next stage is that of the same proposal; it stays the same after cards and rejections.
        """
        if now.stage == "party":
            unvoted = now.attempt == self.proposals and self.rules.fifth == "accepted"
            stage: Stage = "cards" if unvoted else "vote"
            return now._replace(stage=stage, party=moves[now.leader], approving=(), fails=None)
        if now.stage == "cards":
            return now._replace(fails=[*moves.values()].count("fail"))
        approving = tuple(i for i in self.players if moves[i] == "for")
        accepted = 2 * len(approving) > len(self.players)
        return now._replace(stage="cards" if accepted else "vote", approving=approving)

    def onward(self, now: Situation) -> Outcome | tuple[Situation, ...]:
        """Return the situations after cards or a rejection, equally likely, or the outcome."""
        lost, won = now.failed, now.succeeded
        over = now.fails is not None or now.attempt == self.proposals
        needed = 2 if now.quest == 4 and len(self.players) >= NEEDS_TWO else 1
        if over and (now.fails is None or now.fails >= needed):
            lost += 1
        elif over:
            won += 1
        if lost == self._majority:
            return Outcome("evil", now.quest)
        if won == self._majority:
            if self.rules.assassinate:
                return (now._replace(stage="name", succeeded=won),)
            return Outcome("good", now.quest)
        leaders, attempt = self.players, 1 if over else now.attempt + 1
        if self.rules.leader == "seat":
            leaders = (self.players[now.leader % len(self.players)],)
        return tuple(
            now._replace(stage="party", leader=leader, attempt=attempt, failed=lost, succeeded=won)
            for leader in leaders
        )

    def rewards(self, end: Ended) -> dict[int, int]:
        """Return 1 for each player of the side that has won, and -1 for the others."""
        return {i: 1 if (i in end.evil) == (end.outcome.winner == "evil") else -1 for i in self.players}

    def outcomes(self) -> list[Outcome]:
        """Return all outcomes that the rules allow."""
        quests = range(self._majority, len(self.sizes) + 1)
        found = [Outcome(side, n) for side in get_args(Side) for n in quests]
        return found + [Outcome("evil", n, "assassination") for n in quests if self.rules.assassinate]
