"""The players' strategies: formulas, each with the sentence of the rule that it expresses.

A strategy is one value for all players of a role. The game calls

* `party(player, now, holds)`: the parties that the leader may propose, equally likely (a party named
  twice is twice as likely). `holds(φ)` is the truth value of a formula; the leader must know it.
  Also `choose({party: weight})`.
* `approves(player, party, now)`: the formula that must be true for the player to vote for the party;
* `fails(player, party, now)`: evil players only, the formula that must be true to play a fail card;
* `suspects(player, good, now)`: evil players only, the formula by which `good` may be Merlin.

`now` is the public situation: quest, leader, scores.
A decision may also be given as True, False or a string to be parsed, or mixed: `choose({True: "2/3", "K_1
e_2": "1/3"})`. The player must know its truth value; and since it is a formula, others can consider the
player's decision in any other world. The sentences quoted are those of "Modelling Avalon" (Mein, Huitema and
van Lune).

A new strategy is a short class:

>>> class Trusting(Good):
...     def approves(self, player, party, now):
...         return player in party or super().approves(player, party, now)

Parameters are arguments of `__init__` (or fields of a frozen dataclass); they belong to the identity of a
strategy, like everything else that its methods read.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import combinations
from typing import Any, TypeAlias

from kripke_werewolf.base.errors import GameError, check_known
from kripke_werewolf.games.avalon.rules import EVIL, Party, Situation, evil, is_merlin, known
from kripke_werewolf.games.programs.chance import Mixed
from kripke_werewolf.games.programs.decisions import as_rule
from kripke_werewolf.logic.formulas import TRUE, Formula, Knows, Possible, atleast, conjunction, disjunction
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import FormulaLike

Holds: TypeAlias = Callable[[FormulaLike], bool]


@dataclass(frozen=True)
class Good:
    """Good players; a naive Merlin is one with complete knowledge."""

    def party(self, player: int, now: Situation, holds: Holds) -> list[Party]:
        """Return parties of players known to be good, then of unknown ones, then of known evil ones."""
        if now.rules.good_leader == "any":
            return list(combinations(now.players, now.size))
        # "they will start of filling up the quest party with members of which they know that they belong
        # to team Good"
        good = [a for a in now.players if holds(now.rules.knows(player, ~evil(a)))]
        # "then … with agents about whom they do not know whether or not they are Evil. If no such agents
        # exist, they will fill up the party with agents about whom they know they are Evil"
        bad = [a for a in now.players if a not in good and holds(now.rules.knows(player, evil(a)))]
        unknown = [a for a in now.players if a not in good and a not in bad]
        if now.rules.leader_goes:
            return _filled([[player], [a for a in good if a != player], unknown, bad], now.size)
        return _filled([good, unknown, bad], now.size)

    def approves(self, player: int, party: Party, now: Situation) -> Formula:
        """Return ~(K_i e_a | K_i e_b | …) for the members of the party."""
        if now.rules.good_votes == "approve":
            return TRUE
        # "A member of team Good will always disagree if they know that a member of team Evil is on the
        # quest party. Otherwise they will agree"
        return _knows_no_evil(player, party, now.rules.knowledge)


@dataclass(frozen=True)
class CautiousMerlin(Good):
    """A Merlin who votes against their knowledge iff voting by it would newly reveal Merlin to Evil."""

    behind: Good = Good()
    """The strategy of the good players whom Merlin imitates."""

    def approves(self, player: int, party: Party, now: Situation) -> Formula:
        """Return the vote of a naive Merlin, reversed if it would reveal Merlin.

        "… if he knows that his own role will be revealed if he would otherwise vote according to his regular
        voting reasoning": an evil player j does not know Merlin yet, but knows that in this seat anybody else
        would have voted otherwise.
        """
        by_anybody_else = as_rule(self.behind.approves(player, party, now))
        if isinstance(by_anybody_else, Mixed):
            raise GameError(
                "a cautious Merlin hides behind a strategy whose votes are certain; give merlin= another one"
            )
        return _hiding(player, party, by_anybody_else, now.players)


@dataclass(frozen=True)
class Evil:
    """Evil players."""

    def party(self, player: int, now: Situation, holds: Holds) -> list[Party]:
        """Return parties of one evil player, the one least known, and good players."""
        pair = [a for a in now.players if holds(Knows(player, evil(a)))]
        good = [a for a in now.players if a not in pair]
        # "a party leader from team Evil will choose the Evil agent whose identity is known to the least
        # amount of Good agents"
        known_to = {a: sum(holds(_foreseen(player, g, a, now.rules.knowledge)) for g in good) for a in pair}
        least = [a for a in pair if now.rules.evil_leader == "any" or known_to[a] == min(known_to.values())]
        # "The remaining spots for the quest are then randomly chosen from the Good members"
        return [tuple(sorted((a, *rest))) for a in least for rest in combinations(good, now.size - 1)]

    def approves(self, player: int, party: Party, now: Situation) -> Formula:
        """Return the formula that an evil player, but not only evil players, are on the party."""
        if now.rules.evil_votes == "approve":
            return TRUE
        # "they will always agree if one member of team Evil is in the proposed quest party. Otherwise they
        # will disagree … If the quest party consists of only Evil agents …, they will vote against it"
        return _knows_one_evil(player, party)

    def fails(self, player: int, party: Party, now: Situation) -> Formula:
        """Return true, or the formula for holding back a fail card in order to hide who is evil."""
        # "The exception for this is if the Evil team only need 1 more failed quest to win"
        if now.rules.cards == "fail" or now.failed == 2:
            return TRUE
        if now.rules.cards == "hide":
            return _hides(player, party, now.rules.knowledge)
        # "if this can happen, they will choose a pass card instead"
        others = [a for a in now.players if a != player]
        return ~disjunction(
            _are_evil(mates) & _betrays(player, mates, party, now.players, now.rules.lookahead)
            for mates in combinations(others, EVIL[len(now.players)] - 1)
        )

    def suspects(self, player: int, good: int, now: Situation) -> Formula:
        """Return M_i m_g: the evil player considers it possible that g is Merlin."""
        return Possible(player, is_merlin(good))


# The formulas that are asked at every table, each made once.


@cache
def _knows_no_evil(player: int, party: Party, test: str) -> Formula:
    """Return the formula that a good player does not know any member of a party to be evil."""
    return ~disjunction(known(player, evil(a), test) for a in party)


@cache
def _knows_one_evil(player: int, party: Party) -> Formula:
    """Return the formula that a player knows that some but not all members of a party are evil."""
    members = [evil(a) for a in party]
    return Knows(player, disjunction(members) & ~conjunction(members))


@cache
def _foreseen(player: int, good: int, a: int, test: str) -> Formula:
    """Return the formula that a player knows that another player is good and knows a to be evil."""
    return Knows(player, ~evil(good) & known(good, evil(a), test))


@cache
def _hides(player: int, party: Party, test: str) -> Formula:
    """Return the published rule: if both are on a party of three, its good member knows the first."""
    if len(party) < 3:
        return TRUE
    return conjunction(
        Knows(player, (evil(a) & evil(b)) >> known(good, evil(a), test))
        for good in party
        for a, b in combinations([other for other in party if other != good], 2)
    )


@cache
def _are_evil(players: Party) -> Formula:
    """Return the formula that all these players are evil."""
    return conjunction(map(evil, players))


@cache
def _betrays(player: int, mates: Party, party: Party, players: Party, reading: str) -> Formula:
    """Return the formula that failing reveals all evil players to some good player who may be ordinary.

    "playing a fail card can result in the identity of both Evil members being discovered by a team Good
    member": the announcement would make a good player know them all who does not know them yet. A good player
    may be ordinary if they are in some world with these evil players (ignoring inferences from votes about
    Merlin); by the reading `possible`, in a world that the evil player considers possible.
    """
    those = (player, *mates)
    all_evil = _are_evil(those)
    fail = s.Announce(atleast(len({*those} & {*party}), *(evil(member) for member in party)))
    others = [g for g in players if g not in those]
    told = [all_evil & ~is_merlin(g) & ~Knows(g, all_evil) & s.Box(fail, Knows(g, all_evil)) for g in others]
    return disjunction(Possible(player, f) if reading == "possible" else s.Somewhere(f) for f in told)


@cache
def _hiding(player: int, party: Party, by_anybody_else: Formula, players: Party) -> Formula:
    """Return the vote of a cautious Merlin, when anyone else in this seat would vote by the formula."""
    by_knowledge = ~disjunction(evil(a) for a in party)
    merlin = is_merlin(player)
    gives_away = disjunction(
        evil(j) & Possible(j, ~merlin) & Knows(j, ~merlin >> (by_knowledge ^ by_anybody_else))
        for j in players
        if j != player
    )
    return by_knowledge ^ gives_away


def _filled(tiers: Sequence[Sequence[int]], size: int) -> list[Party]:
    """Return the parties filled from the tiers in order, the last tier in part."""
    taken: Party = ()
    for tier in tiers:
        if len(taken) + len(tier) >= size:
            return [tuple(sorted(taken + rest)) for rest in combinations(tier, size - len(taken))]
        taken += tuple(tier)
    raise AssertionError("the tiers hold all players")


_OURS = ("Good", "Evil", "CautiousMerlin")


def strategy_named(text: str) -> Any:
    """Return the strategy that a string names: `module:Class` or `module:Class(n=3)`, or one of Avalon's.

    >>> strategy_named("Good")
    Good()

    Raises GameError or UnknownNameError.
    """
    name, bracket, rest = text.partition("(")
    module, _, attribute = name.strip().rpartition(":")
    if not module:
        check_known(attribute, _OURS, kind="strategy", place="Avalon (or write module:Class)")
        module = __name__
    try:
        call: Any = ast.parse(f"f({rest}" if bracket else "f()", mode="eval").body
        values = [ast.literal_eval(value) for value in call.args]
        named = {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
        return getattr(import_module(module), attribute)(*values, **named)
    except (SyntaxError, ValueError, ImportError, AttributeError, TypeError) as error:
        raise GameError(
            f"the strategy {text!r} cannot be made: {error} (write module:Class or module:Class(name=value))"
        ) from error
