"""Avalon without Merlin, by the text's rules, deal by deal: no symmetries, no formulas.

What is public is the list of teams that may be evil. For every deal, public list, leader and score the
probability that Good wins is added up over all proposals, so that seven players are within reach.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations

SIZES = {5: (2, 3, 2, 3, 3), 6: (2, 3, 4, 3, 4), 7: (2, 3, 3, 4, 4)}
EVIL = {5: 2, 6: 2, 7: 3}


class Seats:
    """The rules `intended(players=…)`."""

    def __init__(self, players):
        self.players, self.seats = players, range(1, players + 1)
        self.teams = tuple(combinations(self.seats, EVIL[players]))
        self.lore = cache(self.lore)
        self.told = cache(self.told)
        self.proposal = cache(self.proposal)
        self.wins = cache(self.wins)

    def lore(self, player, public):
        """Return whom a good player knows to be evil, and good: what all their worlds have in common."""
        teams = [set(team) for team in public if player not in team]
        if not teams:
            return frozenset(), frozenset()
        return frozenset(set.intersection(*teams)), frozenset(set(self.seats).difference(*teams))

    def parties(self, leader, size, team, public):
        good = [i for i in self.seats if i not in team]
        if leader in team:
            counts = {a: sum(a in self.lore(g, public)[0] for g in good) for a in team}
            least = [a for a in team if counts[a] == min(counts.values())]
            return [tuple(sorted((a, *rest))) for a in least for rest in combinations(good, size - 1)]
        bad, nice = self.lore(leader, public)
        taken = ()
        for tier in (sorted(nice), [i for i in self.seats if i not in bad | nice], sorted(bad)):
            if len(taken) + len(tier) >= size:
                return [tuple(sorted(taken + rest)) for rest in combinations(tier, size - len(taken))]
            taken += tuple(tier)
        raise AssertionError

    def accepted(self, party, team, public):
        mixed = bool({*party} & {*team}) and not {*party} <= {*team}
        votes = [mixed if i in team else not {*party} & self.lore(i, public)[0] for i in self.seats]
        return 2 * sum(votes) > self.players

    def told(self, public, party, fails):
        return tuple(team for team in public if len({*team} & {*party}) >= fails)

    def proposal(self, public, team, leader, size):
        """Return the probabilities of a rejection (None), and of each number of fails with what is public."""
        parties, found = self.parties(leader, size, team, public), {}
        for party in parties:
            result = None
            if self.accepted(party, team, public):
                fails = len({*party} & {*team})
                result = fails, self.told(public, party, fails)
            found[result] = found.get(result, 0) + 1
        return {result: Fraction(number, len(parties)) for result, number in found.items()}

    def wins(self, public, team, leader, quest, failed):
        """Return the probability that Good wins, at the beginning of a quest."""
        if failed == 3 or quest - 1 - failed == 3:
            return Fraction(failed < 3)
        total, left = Fraction(0), Fraction(1)
        for attempt in range(5):
            leads = (leader - 1 + attempt) % self.players + 1
            following = leads % self.players + 1
            results = dict(self.proposal(public, team, leads, SIZES[self.players][quest - 1]))
            rejected = results.pop(None, Fraction(0))
            for (fails, then), p in results.items():
                lost = fails >= (2 if quest == 4 and self.players >= 7 else 1)
                total += left * p * self.wins(then, team, following, quest + 1, failed + lost)
            left *= rejected
            if not left:
                return total
        return total + left * self.wins(public, team, following, quest + 1, failed + 1)

    def good(self):
        """Return the probability that Good wins: all deals and first leaders are equally likely."""
        games = [(team, leader) for team in self.teams for leader in self.seats]
        return sum(self.wins(self.teams, *game, 1, 0) for game in games) / len(games)
