"""Avalon for any number of players, by listing everything that can happen: plain sets, no formulas.

A world is (the evil players, Merlin or None). What is public is the set of worlds that are left, each with a
label: evil players tell worlds apart whose labels differ. An ordinary good player knows what all worlds
have in common in which they are ordinary; Merlin knows the deal.
"""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations

SIZES = {5: (2, 3, 2, 3, 3), 6: (2, 3, 4, 3, 4), 7: (2, 3, 3, 4, 4)}


class Left(dict):
    """The worlds that are left, with their labels; equal ones are one object."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__


@cache
def _left(items):
    return Left(items)


def left(labels):
    """Return the worlds that are left; labels are numbered anew."""
    numbers = {}
    return _left(tuple((w, numbers.setdefault((w[0], label), len(numbers))) for w, label in sorted(labels)))


@dataclass(eq=False)
class Quests:
    """The options of the rules, as in `kripke_werewolf.games.avalon.rules.Rules`."""

    players: int = 5
    merlin: str | None = None
    merlin_seat: str = "uniform"
    worlds: str = "roles"
    leader: str = "seat"
    good_leader: str = "knowledge"
    leader_goes: bool = False
    evil_leader: str = "least known"
    good_votes: str = "knowledge"
    evil_votes: str = "one evil"
    fifth: str = "fails"
    cards: str = "fail"
    announcements: str = "atleast"
    inference: bool = True
    assassinate: bool = False
    lookahead: str = "somewhere"

    def __post_init__(self):
        self.seats = range(1, self.players + 1)
        self.lore = cache(self.lore)
        self.parties = cache(self.parties)
        self.result = cache(self.result)
        self.heard = cache(self.heard)
        self.announced = cache(self.announced)

    def teams(self):
        return list(combinations(self.seats, 3 if self.players == 7 else 2))

    def good(self, team):
        return [i for i in self.seats if i not in team]

    def here(self, deal):
        return (deal[0], None) if self.worlds == "pairs" else deal

    def lore(self, i, known):
        """Return whom an ordinary good player knows to be evil, and to be good."""
        teams = [set(team) for team, merlin in known if i not in team and i != merlin]
        evil = set.intersection(*teams) if teams else set(self.seats)
        return evil, set(self.seats).difference(*teams)

    def seen_by_evil(self, deal, known):
        """Return the worlds that the evil players consider possible."""
        label = known[self.here(deal)]
        return [w for w in known if w[0] == deal[0] and known[w] == label]

    def parties(self, leader, size, deal, known):
        team, merlin = deal
        good = self.good(team)
        if leader in team:

            def foreseen(a, g):
                return all(
                    g == (merlin if self.worlds == "pairs" else w[1]) or a in self.lore(g, known)[0]
                    for w in self.seen_by_evil(deal, known)
                )

            counts = {a: sum(foreseen(a, g) for g in good) for a in team}
            least = [a for a in team if self.evil_leader == "any" or counts[a] == min(counts.values())]
            return [tuple(sorted((a, *rest))) for a in least for rest in combinations(good, size - 1)]
        if self.good_leader == "any":
            return list(combinations(self.seats, size))
        bad, nice = (set(team), set(good)) if leader == merlin else self.lore(leader, known)
        tiers = [sorted(nice), [i for i in self.seats if i not in bad | nice], sorted(bad)]
        if self.leader_goes:
            tiers = [[leader], *([i for i in tier if i != leader] for tier in tiers)]
        taken = ()
        for tier in tiers:
            if len(taken) + len(tier) >= size:
                return [tuple(sorted(taken + rest)) for rest in combinations(tier, size - len(taken))]
            taken += tuple(tier)
        raise AssertionError

    def votes(self, party, deal, known):
        team, merlin = deal
        spoilt = bool({*party} & {*team})
        found = []
        for i in self.seats:
            ordinary = self.good_votes == "approve" or not {*party} & self.lore(i, known)[0]
            if i in team:
                found.append(self.evil_votes == "approve" or (spoilt and not {*party} <= {*team}))
            elif i != merlin:
                found.append(ordinary)
            elif self.merlin == "naive":
                found.append(self.good_votes == "approve" or not spoilt)
            else:
                others = [w for w in self.seen_by_evil(deal, known) if w[1] != i]
                betrayed = bool(others) and ordinary == spoilt
                found.append((not spoilt) != betrayed)
        return found

    def heard(self, party, known):
        if not self.merlin or not self.inference:
            return known
        return left([(w, (label, *self.votes(party, w, known))) for w, label in known.items()])

    def fails(self, party, deal, known, failed):
        team, merlin = deal
        number = len({*party} & {*team})
        if not number or self.cards == "fail" or failed == 2:
            return number
        if self.cards == "hide":
            if len(party) == 2 or number == 1:
                return number
            (x,) = {*party} - {*team}
            merlins = [merlin if self.worlds == "pairs" else w[1] for w in self.seen_by_evil(deal, known)]
            found_out = team[0] in self.lore(x, known)[0] or all(x == m for m in merlins)
            return number if found_out else 0
        told = [set(w[0]) for w in known if len({*w[0]} & {*party}) >= number]
        considered = self.seen_by_evil(deal, known)
        for w in considered if self.lookahead == "possible" else [w for w in known if w[0] == team]:
            for g in self.good(team):
                if g == (merlin if self.worlds == "pairs" else w[1]):
                    continue
                before = [v[0] for v in known if g not in v[0] and g != v[1]]
                after = [v for v in before if set(v) in told]
                if set(before) != {team} and set(after) == {team}:
                    return 0
        return number

    def announced(self, number, party, merlin, known, failed):
        evil = {w: len({*w[0]} & {*party}) for w in known}
        if self.announcements == "policy":
            deals = {w: (w[0], merlin) if self.worlds == "pairs" else w for w in known}
            kept = [w for w in known if self.fails(party, deals[w], known, failed) == number]
        elif self.announcements == "success" and not number:
            kept = [w for w in known if not evil[w]]
        else:
            kept = [w for w in known if evil[w] >= number]
        return left([(w, known[w]) for w in kept])

    def result(self, party, deal, known, lost, unvoted):
        """Return whether the party is accepted, the fail cards, and what is known afterwards."""
        if not unvoted:
            votes, known = self.votes(party, deal, known), self.heard(party, known)
            if 2 * sum(votes) <= self.players:
                return False, 0, known
        number = self.fails(party, deal, known, lost)
        return True, number, self.announced(number, party, deal[1], known, lost)

    def risk(self, deal, known):
        """Return the probability that the assassin names Merlin."""
        if not self.assassinate:
            return Fraction(0)
        pairs = self.worlds == "pairs"
        good = len(self.good(deal[0]))
        return Fraction(1, good if pairs else len({w[1] for w in self.seen_by_evil(deal, known)}))

    def deals(self):
        for team in self.teams():
            good = self.good(team)
            if not self.merlin:
                yield team, None
            elif self.merlin_seat == "lowest":
                yield team, good[0]
            else:
                yield from ((team, i) for i in good)

    def solve(self):
        """Return the probability of every (winner, quests, by)."""
        roles = self.merlin and self.worlds == "roles"
        start = left([((t, m), 0) for t in self.teams() for m in (self.good(t) if roles else [None])])
        deals = list(self.deals())
        # seats may be numbered from the first leader, unless somebody's number matters
        leaders = self.seats if self.merlin_seat == "lowest" or self.cards == "hide" else [1]
        layer = defaultdict(Fraction)
        for deal in deals:
            for i in leaders:
                layer[start, deal, i, 0] += Fraction(1, len(leaders) * len(deals))
        out = defaultdict(Fraction)
        for quest in range(1, 6):
            following = defaultdict(Fraction)
            for attempt in range(1, 6):
                again = defaultdict(Fraction)
                for (known, deal, i, failed), p in layer.items():
                    options = self.parties(i, SIZES[self.players][quest - 1], deal, known)
                    after = self.seats if self.leader == "random" else [i % self.players + 1]
                    ways = defaultdict(int)
                    for party in options:
                        unvoted = attempt == 5 and self.fifth == "accepted"
                        ways[self.result(party, deal, known, 2 * (failed == 2), unvoted)] += 1
                    for (accepted, number, then), weight in ways.items():
                        q = p * Fraction(weight, len(options))
                        if not accepted and attempt < 5:
                            for j in after:
                                again[then, deal, j, failed] += q / len(after)
                            continue
                        needed = 2 if self.players >= 7 and quest == 4 else 1
                        lost = failed + (not accepted or number >= needed)
                        if lost == 3:
                            out["evil", quest, "quests"] += q
                        elif quest - lost == 3:
                            risk = self.risk(deal, then)
                            out["good", quest, "quests"] += q * (1 - risk)
                            out["evil", quest, "assassination"] += q * risk
                        else:
                            for j in after:
                                following[then, deal, j, lost] += q / len(after)
                layer = again
            layer = following
        return {end: p for end, p in out.items() if p}
