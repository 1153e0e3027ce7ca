"""Avalon by plain sets and loops: obviously right, not fast.

A world is (evil pair, Merlin or None). What the players know is a dictionary from the worlds left to a
label: evil players tell worlds apart whose labels differ. Players are 1 to 5.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations

PLAYERS = range(1, 6)
SIZES = (2, 3, 2, 3, 3)
PAIRS = list(combinations(PLAYERS, 2))

World = tuple[tuple[int, int], int | None]


class Known(dict[World, int]):
    """The players' knowledge: immutable and unique, so that answers about it can be cached."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__


@cache
def known_of(items: tuple[tuple[World, int], ...]) -> Known:
    return Known(items)


def known_from(labels: dict[World, int]) -> Known:
    return known_of(tuple(sorted(labels.items())))


def goods(world):
    return [a for a in PLAYERS if a not in world[0]]


def uniform(options):
    out = defaultdict(Fraction)
    for option in options:
        out[tuple(sorted(option))] += Fraction(1, len(options))
    return out


@dataclass(eq=False)
class Reference:
    """The rules; the defaults are those of the text with neither Merlin nor higher-order reasoning."""

    merlin: str | None = None
    cards: str = "fail"
    announcements: str = "atleast"
    assassinate: bool = False
    inference: bool = True
    fifth_accepted: bool = False
    lowest: bool = False
    pairs: bool = False
    leader_goes: bool = False

    def __post_init__(self):
        for question in ("parties", "votes", "heard", "fails", "announced"):  # asked again and again
            setattr(self, question, cache(getattr(self, question)))

    def deals(self):
        for pair in PAIRS:
            candidates = goods((pair, None))[: 1 if self.lowest else 3]
            yield from ((pair, m) for m in (candidates if self.merlin else [None]))

    def start(self) -> Known:
        """All worlds; where worlds are pairs, the deal says in addition who is Merlin."""
        merlins = bool(self.merlin) and not self.pairs
        return known_from({(p, m): 0 for p in PAIRS for m in (goods((p, None)) if merlins else [None])})

    def cell(self, i, deal, known):
        pair, merlin = deal
        here = (pair, None) if self.pairs else deal
        if i == merlin:
            return [here]
        if i in pair:
            return [v for v in known if v[0] == pair and known[v] == known[here]]
        return [v for v in known if i not in v[0] and v[1] != i]

    def knows(self, i, deal, known, fact):
        return all(fact(v) for v in self.cell(i, deal, known))

    def knows_evil(self, i, a, deal, known):
        return self.knows(i, deal, known, lambda v: a in v[0])

    def at(self, world, deal):
        """Return a world as a deal: if worlds are pairs, Merlin is the same in every world."""
        return (world[0], deal[1]) if self.pairs else world

    def parties(self, leader, size, deal, known):
        pair, good = deal[0], goods(deal)
        if leader in pair:
            count = {
                e: sum(
                    self.knows(
                        leader,
                        deal,
                        known,
                        lambda v, g=g, e=e: self.knows_evil(g, e, self.at(v, deal), known),
                    )
                    for g in good
                )
                for e in pair
            }
            chosen = [e for e in pair if count[e] == min(count.values())]
            return uniform([(e, *rest) for e in chosen for rest in combinations(good, size - 1)])
        known_good = [a for a in PLAYERS if self.knows(leader, deal, known, lambda v, a=a: a not in v[0])]
        known_evil = [a for a in PLAYERS if self.knows_evil(leader, a, deal, known)]
        rest = [a for a in PLAYERS if a not in known_good + known_evil]
        tiers = [known_good, rest, known_evil]
        if self.leader_goes:
            tiers = [[leader], [a for a in known_good if a != leader], rest, known_evil]
        party = ()
        for tier in tiers:
            if len(party) + len(tier) >= size:
                return uniform([party + more for more in combinations(tier, size - len(party))])
            party += tuple(tier)
        raise AssertionError

    def votes(self, party, deal, known):
        pair, merlin = deal
        spoilt = bool(set(party) & set(pair))
        out = []
        for a in PLAYERS:
            ordinary = lambda v, a=a: not any(self.knows_evil(a, e, v, known) for e in party)  # noqa: E731
            if a in pair:
                out.append(spoilt and set(party) != set(pair))
            elif a != merlin:
                out.append(ordinary(deal))
            elif self.merlin == "naive":
                out.append(not spoilt)
            else:
                others = [v for v in self.cell(pair[0], deal, known) if v[1] != a]
                betrays = bool(others) and all(ordinary(v) == spoilt for v in others)
                out.append((not spoilt) != betrays)
        return tuple(out)

    def heard(self, party, known):
        if not (self.merlin and self.inference):
            return known
        labels = {}
        return known_from(
            {
                w: labels.setdefault((w[0], known[w], self.votes(party, w, known)), len(labels))
                for w in sorted(known)
            }
        )

    def fails(self, party, deal, known, failed):
        pair = deal[0]
        number = len(set(party) & set(pair))
        if not number or self.cards == "fail" or failed == 2:
            return number
        if self.cards == "hide":
            if len(party) == 2 or number == 1:
                return number
            (member,) = set(party) - set(pair)
            return number if self.knows_evil(member, pair[0], deal, known) else 0
        after = {v: known[v] for v in known if len(set(v[0]) & set(party)) >= number}
        for g in goods(deal):
            for v in known:  # the worlds with this evil pair in which g is ordinary
                if v[0] == pair and g not in (v[1], deal[1] if self.pairs else None):
                    both = lambda u: u[0] == pair  # noqa: E731
                    if not self.knows(g, v, known, both) and self.knows(g, v, after, both):
                        return 0
        return number

    def announced(self, number, party, deal, known, failed):
        evil = lambda v: len(set(v[0]) & set(party))  # noqa: E731
        if self.announcements == "policy":
            left = [v for v in known if self.fails(party, self.at(v, deal), known, failed) == number]
        elif number == 0 and self.announcements == "success":
            left = [v for v in known if evil(v) == 0]
        else:
            left = [v for v in known if evil(v) >= number]
        return known_from({v: known[v] for v in left})

    def solve(self):
        """Return the probability of every (winner, quests, by)."""
        out = defaultdict(Fraction)
        layer = defaultdict(Fraction)
        deals = list(self.deals())
        for deal in deals:
            for leader in PLAYERS:
                layer[self.start(), deal, leader, 0, 0] += Fraction(1, 5 * len(deals))
        for quest in range(1, 6):
            following = defaultdict(Fraction)
            for attempt in range(1, 6):
                again = defaultdict(Fraction)
                for (known, deal, leader, failed, won), p in layer.items():
                    for party, q in self.parties(leader, SIZES[quest - 1], deal, known).items():
                        unvoted = attempt == 5 and self.fifth_accepted
                        accepted = unvoted or sum(self.votes(party, deal, known)) >= 3
                        heard = known if unvoted else self.heard(party, known)
                        if not accepted and attempt < 5:
                            again[heard, deal, leader % 5 + 1, failed, won] += p * q
                            continue
                        number, after = 1, heard
                        if accepted:
                            number = self.fails(party, deal, heard, failed)
                            after = self.announced(number, party, deal, heard, failed)
                        scores = (failed + 1, won) if number else (failed, won + 1)
                        if scores[0] == 3:
                            out["evil", quest, "quests"] += p * q
                        elif scores[1] == 3:
                            risk = self.risk(deal, after) if self.assassinate else 0
                            out["good", quest, "quests"] += p * q * (1 - risk)
                            out["evil", quest, "assassination"] += p * q * risk
                        else:
                            following[after, deal, leader % 5 + 1, *scores] += p * q
                layer = again
            layer = following
        return {end: p for end, p in out.items() if p}

    def risk(self, deal, known):
        if self.pairs:
            return Fraction(1, 3)
        return Fraction(1, len({v[1] for v in self.cell(deal[0][0], deal, known)}))

    def best_evil(self, deal, leader, scores=(0, 0)):
        """Return the best probability with which evil players can win; the deal has no Merlin.

        `scores`: how many quests have failed and succeeded, with nothing learnt from them.
        """
        pair = deal[0]

        @cache
        def proposing(known, leader, attempt, failed, won):
            size = SIZES[failed + won]
            if leader in pair:
                return max(
                    voting(tuple(p), known, leader, attempt, failed, won) for p in combinations(PLAYERS, size)
                )
            parties = self.parties(leader, size, deal, known)
            return sum(q * voting(p, known, leader, attempt, failed, won) for p, q in parties.items())

        def voting(party, known, leader, attempt, failed, won):
            votes = sum(
                v for a, v in zip(PLAYERS, self.votes(party, deal, known), strict=True) if a not in pair
            )
            following = leader % 5 + 1
            values = []
            for evil in range(3):
                if votes + evil >= 3:
                    values.append(quest(party, known, following, failed, won))
                elif attempt < 5:
                    values.append(proposing(known, following, attempt + 1, failed, won))
                else:
                    values.append(1 if failed == 2 else proposing(known, following, 1, failed + 1, won))
            return max(values)

        def quest(party, known, following, failed, won):
            values = []
            for number in range(len(set(party) & set(pair)) + 1):
                after = self.announced(number, party, deal, known, failed)
                scores = (failed + 1, won) if number else (failed, won + 1)
                if 3 in scores:
                    values.append(Fraction(scores[0] == 3))
                else:
                    values.append(proposing(after, following, 1, *scores))
            return max(values)

        return proposing(self.start(), leader, 1, *scores)
