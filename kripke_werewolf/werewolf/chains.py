"""Chains of dominant wolves: who led the pack, one after the other.

The highest-ranked living wolf is dominant. A wolf dies only officially, so the chain follows from the
ranks of the dead wolves and the highest-ranked living one. Where the dead wolves' ranks were not shown,
only the *records* matter: those who outlived all wolves ranked above them. There are 2^B sets of
records for B dead wolves, against B! orders, and the number of orders with given records is a product.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain as joined
from itertools import combinations, permutations
from math import inf, perm, prod
from typing import TypeAlias

from kripke_werewolf.errors import GameError
from kripke_werewolf.werewolf.happenings import Happenings
from kripke_werewolf.werewolf.roles import WOLF, Deck

__all__ = ["Chain", "Pattern", "chains"]

_MOST_ORDERS = 200_000

_Span: TypeAlias = tuple[int, float, float]

Pattern: TypeAlias = tuple[tuple[tuple[int, bool], ...], bool, int, frozenset[int]]
"""What the ranks that a chain leaves open hang on; see `Chain.pattern`."""


@dataclass(frozen=True)
class Chain:
    """The dominant wolves of a game, and what is known of the ranks.

    `spans`: (wolf, from, until) in times of the game, exclusive; `ranks`: the rank of each wolf whose
    rank is known (0 the highest); `weight`: how many orders of the hidden wolves give this chain.
    `hidden`: the dead wolves of unknown rank, the last to die first, each with whether it is a record;
    `leader`: the highest-ranked living wolf where ranks are hidden, among `living` living ones.
    """

    spans: tuple[_Span, ...] = ()
    ranks: Mapping[int, int] = field(default_factory=dict)
    weight: int = 1
    hidden: tuple[tuple[int, bool], ...] = ()
    leader: int | None = None
    living: int = 0

    @property
    def placed(self) -> frozenset[int]:
        """The wolves whose ranks the chain accounts for."""
        found = {*self.ranks, *(p for p, _ in self.hidden)}
        return frozenset(found if self.leader is None else found | {self.leader})

    @property
    def now(self) -> int | None:
        """The dominant wolf now; None if all are dead."""
        return self.spans[-1][0] if self.spans and self.spans[-1][2] == inf else None

    @property
    def pattern(self) -> Pattern:
        """Hidden wolves, whether somebody leads, how many live, and the known ranks.

        Chains with the same pattern have the same orders, but for the names of living wolves and of
        those with known ranks.
        """
        return self.hidden, self.leader is not None, self.living, frozenset(self.ranks.values())

    def open_ranks(self, wolves: int) -> list[int]:
        """Return for each rank in how many of the chain's orders none of its wolves has it."""
        left = [self.weight] * wolves
        for player in self.placed:
            for rank, orders in self.spread(player).items():
                left[rank] -= orders
        return left

    def admits(self, exact: Mapping[int, int]) -> bool:
        """Whether wolves may have these exact ranks besides those of the chain."""
        if exact and self.hidden:
            raise GameError(
                "the counting engine cannot combine visions of exact ranks with hidden ranks of dead wolves"
            )
        holders = {rank: player for player, rank in self.ranks.items()}
        return all(
            self.ranks.get(player, rank) == rank and holders.get(rank, player) == player
            for player, rank in exact.items()
        )

    def placing(self, exact: Mapping[int, int]) -> Chain:
        """Return the chain with further known ranks."""
        return replace(self, ranks={**self.ranks, **exact})

    def spread(self, player: int) -> Mapping[int, int]:
        """Return in how many of the chain's orders a placed wolf has each rank."""
        if player in self.ranks:
            return {self.ranks[player]: self.weight}
        # build the order from the last to die to the first: a record goes in front of all that are in
        # it, any other wolf anywhere but in front
        ways: dict[int, int] = {0: 1} if player == self.leader else {}
        placed, total = self.living, 1
        for wolf, record in self.hidden:
            after: dict[int, int] = {}
            if wolf == player:
                places = [0] if record else range(1, placed + 1)
                after = dict.fromkeys(places, total)
            for place, number in ways.items():
                if record:
                    after[place + 1] = after.get(place + 1, 0) + number
                else:
                    after[place + 1] = after.get(place + 1, 0) + number * place
                    after[place] = after.get(place, 0) + number * (placed - place)
            total *= 1 if record else placed
            ways, placed = after, placed + 1
        return {place: number for place, number in ways.items() if number}


def chains(deck: Deck, happened: Happenings) -> Iterator[Chain]:
    """Yield the chains that agree with the drawn roles; one empty chain where wolves are equal.

    Raises GameError where dead wolves with and without known ranks are too many to go through.
    """
    if not deck.ranked:
        yield Chain()
        return
    ranks = {role: rank for rank, role in enumerate(deck.wolf_roles)}
    known = [(ranks[role], p) for p, role in happened.fixed.items() if role in ranks and role != WOLF]
    holders = dict(known)
    if len(holders) < len(known):
        return  # two wolves of one rank
    hidden = sorted((p for p in happened.killed if happened.hidden(p)), key=lambda p: -happened.killed[p])
    if not hidden:
        yield from _known(deck, happened, holders)
    elif not holders:
        yield from _records(deck, happened, hidden)
    else:
        free = [r for r in range(deck.wolves) if r not in holders]
        if perm(len(free), len(hidden)) > _MOST_ORDERS:
            raise GameError(
                f"{len(hidden)} dead wolves of unknown rank beside {len(holders)} of known rank can lie in "
                f"{perm(len(free), len(hidden)):,} orders; the counting engine goes through {_MOST_ORDERS:,}"
            )
        for order in permutations(free, len(hidden)):
            yield from _known(deck, happened, {**holders, **dict(zip(order, hidden, strict=True))})


def _living_candidates(deck: Deck, happened: Happenings) -> list[int]:
    """Players who may be a living wolf of unknown rank."""
    return [
        p for p in range(deck.players) if p not in happened.killed and happened.fixed.get(p, WOLF) == WOLF
    ]


def _known(deck: Deck, happened: Happenings, holders: Mapping[int, int]) -> Iterator[Chain]:
    """Yield the chains where the rank of every dead wolf is known: the highest living one is open."""
    ranks = {player: rank for rank, player in holders.items()}
    spans: list[_Span] = []
    since: float = -1
    for rank in range(deck.wolves):
        holder = holders.get(rank)
        if holder is None:
            for leader in _living_candidates(deck, happened):
                if leader not in ranks:
                    yield Chain((*spans, (leader, since, inf)), {**ranks, leader: rank})
            return
        until = happened.killed.get(holder, inf)
        if until > since:
            spans.append((holder, since, until))
            since = until
        if until == inf:
            break
    yield Chain(tuple(spans), ranks)


def _records(deck: Deck, happened: Happenings, hidden: list[int]) -> Iterator[Chain]:
    """Yield the chains where the rank of no dead wolf is known: every set of records among them."""
    living = deck.wolves - len(hidden)
    if living < 0:
        return
    subsets = joined.from_iterable(combinations(range(len(hidden)), n) for n in range(len(hidden) + 1))
    for records in subsets:
        # a wolf that is no record stands behind one who died later or lives: `i + living` places
        weight = prod(i + living for i in range(len(hidden)) if i not in records)
        if not weight:
            continue
        spans: list[_Span] = []
        since: float = -1
        for i in sorted(records, reverse=True):
            until = happened.killed[hidden[i]]
            spans.append((hidden[i], since, until))
            since = until
        order = tuple((p, i in records) for i, p in enumerate(hidden))
        if not living:
            yield Chain(tuple(spans), {}, weight, order)
            continue
        for leader in _living_candidates(deck, happened):
            yield Chain((*spans, (leader, since, inf)), {}, weight, order, leader, living)
