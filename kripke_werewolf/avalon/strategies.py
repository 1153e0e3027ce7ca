"""How the players decide: formulas, each beside the sentence of the rule that it renders.

A strategy is one value for all players of a role. The game asks it

* `party(player, now, holds)`: the parties that the leader may propose, equally likely (a party named
  twice is twice as likely). `holds(φ)` is the truth value of a formula; the leader must know it.
* `approves(player, party, now)`: the formula that must be true for the player to vote for the party;
* `fails(player, party, now)`: evil players only, the formula that must be true to play a fail card;
* `suspects(player, good, now)`: evil players only, the formula by which `good` may be Merlin.

`now` is what everybody sees: quest, leader, scores. A decision may also be given as True, False or the
text of a formula. It must be something that the player knows to be true or knows to be false; and since
it is a formula, others can ask what he would have done in any other world. The sentences quoted are those
of "Modelling Avalon" (Mein, Huitema and van Lune).

A strategy of one's own is a short class:

>>> class Trusting(Good):
...     def approves(self, player, party, now):
...         return player in party or super().approves(player, party, now)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, Protocol, TypeAlias

from kripke_werewolf.avalon.rules import Rules
from kripke_werewolf.avalon.setting import PARTY_SIZES, PLAYERS, Party, evil, is_merlin, parties
from kripke_werewolf.language import (
    TRUE,
    Announce,
    Box,
    Formula,
    Knows,
    Possible,
    Somewhere,
    atleast,
    conjunction,
    disjunction,
)
from kripke_werewolf.language.formulas import FormulaLike

__all__ = ["CautiousMerlin", "Evil", "EvilStrategy", "Good", "GoodStrategy", "Holds", "Situation"]

Holds: TypeAlias = Callable[[FormulaLike], bool]


class Situation(NamedTuple):
    """What everybody sees when a party is proposed."""

    rules: Rules
    """The rules of the game."""
    leader: int
    """The player who proposes."""
    attempt: int
    """How many parties have been proposed for this quest, this one included."""
    failed: int
    """How many quests have failed."""
    succeeded: int
    """How many quests have succeeded."""

    @property
    def quest(self) -> int:
        """The number of the quest, from 1."""
        return self.failed + self.succeeded + 1

    @property
    def size(self) -> int:
        """How many players the party needs."""
        return PARTY_SIZES[self.quest - 1]


class GoodStrategy(Protocol):
    """What the strategy of good players, or of Merlin, answers."""

    def party(self, player: int, now: Situation, holds: Holds) -> Iterable[Party]:
        """Return the parties that the player may propose."""

    def approves(self, player: int, party: Party, now: Situation) -> FormulaLike:
        """Return when the player votes for a party."""


class EvilStrategy(GoodStrategy, Protocol):
    """What the strategy of evil players answers."""

    def fails(self, player: int, party: Party, now: Situation) -> FormulaLike:
        """Return when the player, who is on the party, plays a fail card."""

    def suspects(self, player: int, good: int, now: Situation) -> FormulaLike:
        """Return when a good player is among those of whom one is named as Merlin, at random."""


@dataclass(frozen=True)
class Good:
    """Good players; a naive Merlin is one whose own knowledge is complete."""

    def party(self, player: int, now: Situation, holds: Holds) -> list[Party]:
        """Return parties of those he knows to be good, then of unknown ones, then of known evil ones."""
        if now.rules.good_leader == "any":
            return parties(now.size)
        # "they will start of filling up the quest party with members of which they know that they belong
        # to team Good"
        good = [a for a in PLAYERS if holds(now.rules.knows(player, ~evil(a)))]
        # "then … with agents about whom they do not know whether or not they are Evil. If no such agents
        # exist, they will fill up the party with agents about whom they know they are Evil"
        known = [a for a in PLAYERS if a not in good and holds(now.rules.knows(player, evil(a)))]
        unknown = [a for a in PLAYERS if a not in good and a not in known]
        if now.rules.leader_goes:
            return _filled([[player], [a for a in good if a != player], unknown, known], now.size)
        return _filled([good, unknown, known], now.size)

    def approves(self, player: int, party: Party, now: Situation) -> Formula:
        """Return ~(K_i e_a | K_i e_b | …) for the members of the party."""
        if now.rules.good_votes == "approve":
            return TRUE
        # "A member of team Good will always disagree if they know that a member of team Evil is on the
        # quest party. Otherwise they will agree"
        return ~disjunction(now.rules.knows(player, evil(a)) for a in party)


@dataclass(frozen=True)
class CautiousMerlin(Good):
    """A Merlin who votes against his knowledge iff voting by it would newly make Evil know him."""

    def approves(self, player: int, party: Party, now: Situation) -> Formula:
        """Return his knowledge's vote, reversed where it would give him away.

        "… if he knows that his own role will be revealed if he would otherwise vote according to his
        regular voting reasoning": an evil player j does not know him yet, but knows that in his seat
        anybody else would have voted otherwise.
        """
        by_knowledge = ~disjunction(evil(a) for a in party)
        by_anybody_else = super().approves(player, party, now)
        merlin = is_merlin(player)
        gives_away = disjunction(
            evil(j) & Possible(j, ~merlin) & Knows(j, ~merlin >> (by_knowledge ^ by_anybody_else))
            for j in PLAYERS
            if j != player
        )
        return by_knowledge ^ gives_away


@dataclass(frozen=True)
class Evil:
    """Evil players."""

    def party(self, player: int, now: Situation, holds: Holds) -> list[Party]:
        """Return parties of one evil player, the one least known, and good players."""
        pair = [a for a in PLAYERS if holds(Knows(player, evil(a)))]
        good = [a for a in PLAYERS if a not in pair]
        # "a party leader from team Evil will choose the Evil agent whose identity is known to the least
        # amount of Good agents"
        known_to = {
            a: sum(holds(Knows(player, ~evil(g) & now.rules.knows(g, evil(a)))) for g in good) for a in pair
        }
        least = [a for a in pair if now.rules.evil_leader == "any" or known_to[a] == min(known_to.values())]
        # "The remaining spots for the quest are then randomly chosen from the Good members"
        return [tuple(sorted((a, *rest))) for a in least for rest in combinations(good, now.size - 1)]

    def approves(self, player: int, party: Party, now: Situation) -> Formula:
        """Return that an evil player, but not only evil players, are on the party."""
        if now.rules.evil_votes == "approve":
            return TRUE
        # "they will always agree if one member of team Evil is in the proposed quest party. Otherwise they
        # will disagree … If the quest party consists of only Evil agents …, they will vote against it"
        members = [evil(a) for a in party]
        return Knows(player, disjunction(members) & ~conjunction(members))

    def fails(self, player: int, party: Party, now: Situation) -> Formula:
        """Return true, or the formula by which the player refrains in order to hide who is evil."""
        # "The exception for this is if the Evil team only need 1 more failed quest to win"
        if now.rules.cards == "fail" or now.failed == 2:
            return TRUE
        if now.rules.cards == "hide":
            return self._hides(player, party, now)
        # "if this can happen, they will choose a pass card instead"
        others = [a for a in PLAYERS if a != player]
        return ~disjunction(evil(a) & self._betrays(player, a, party) for a in others)

    def _hides(self, player: int, party: Party, now: Situation) -> Formula:
        """Return the published rule: if both are on a party of three, its good member knows the first."""
        if len(party) < 3:
            return TRUE
        return conjunction(
            Knows(player, (evil(a) & evil(b)) >> now.rules.knows(good, evil(a)))
            for good in party
            for a, b in combinations([other for other in party if other != good], 2)
        )

    def _betrays(self, a: int, b: int, party: Party) -> Formula:
        """Return that failing tells some good player who may be ordinary that a and b are the evil ones.

        "playing a fail card can result in the identity of both Evil members being discovered by a team Good
        member": the announcement would make him know both, and he does not know them yet. He may be
        ordinary if he is in a world with these evil players; what evil players infer from votes about
        Merlin is not considered here.
        """
        both = evil(a) & evil(b)
        fail = Announce(atleast(len({a, b} & set(party)), *(evil(member) for member in party)))
        return disjunction(
            Somewhere(both & ~is_merlin(g) & ~Knows(g, both) & Box(fail, Knows(g, both)))
            for g in PLAYERS
            if g not in (a, b)
        )

    def suspects(self, player: int, good: int, now: Situation) -> Formula:
        """Return M_i m_g: for all the evil player knows, g is Merlin."""
        return Possible(player, is_merlin(good))


def _filled(tiers: Sequence[Sequence[int]], size: int) -> list[Party]:
    """Return the parties that take every tier whole before the next, the last one needed in part."""
    taken: Party = ()
    for tier in tiers:
        if len(taken) + len(tier) >= size:
            return [tuple(sorted(taken + rest)) for rest in combinations(tier, size - len(taken))]
        taken += tuple(tier)
    raise AssertionError("the tiers hold all players")
