"""The superposition by counting: exact numbers of worlds without a list of them.

A wolf dies only by an official death, whose role is drawn. So what happened in a world hangs on two
things: who is its seer, and its *chain*, the wolves who were dominant one after the other. Given both,
everybody else is known to be a wolf, known to be none, or free, and the worlds are

    C(free, left - forced) · left!        (ranks matter; without ranks the factorial goes)

for `left` wolves not yet placed, `forced` of whom must be certain players. Summing over seer and chain
gives every count in time polynomial in players and events. Integers have any size.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import comb, factorial
from typing import NamedTuple, TypeAlias

from kripke_werewolf.errors import GameError
from kripke_werewolf.werewolf.chains import Chain, Pattern, chains
from kripke_werewolf.werewolf.happenings import Happenings
from kripke_werewolf.werewolf.roles import SEER, VILLAGER, WOLF, Deck, Role, is_wolf

__all__ = ["Counted"]


class _Case(NamedTuple):
    """A seer and a chain, and what they make of the other players."""

    seer: int | None
    chain: Chain
    """The dominant wolves, and which ranks they and other known wolves have."""
    forced: frozenset[int]
    """Wolves of some rank that is still open."""
    out: frozenset[int]
    """No wolves (the seer aside)."""
    dead: frozenset[int]
    """Dead by attacks in the night."""


class _Tally:
    """How often cases of one shape have which player where; the big numbers come in at the end."""

    def __init__(self, players: int) -> None:
        self.cases = 0
        self.seer = [0] * players
        self.forced = [0] * players
        self.out = [0] * players
        self.placed = [0] * players
        self.dead = [0] * players
        self.dead_seer = [0] * players
        self.dominant = [0] * players


# a shape: free players, forced wolves, wolves left to place, and the weight of the chain
_Shape: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True)
class Counted:
    """A superposition that only counts; see `Superposition` for the operations.

    For one seer at most, and wolves of a rank each or all equal. Raises GameError for what it cannot
    count: several seers, visions that show a group of ranks, the death of a player whose side is open.

    >>> start = Counted.start(Deck(3, wolves=1))
    >>> start.size, start.attack(0, 1).death_counts()
    (6, (0, 2, 0))
    """

    deck: Deck
    happened: Happenings = field(repr=False)

    @classmethod
    def start(cls, deck: Deck) -> Counted:
        """Return all assignments of the deck, nobody dead."""
        if deck.seers > 1:
            raise GameError(
                f"{deck.seers} seers are too many for the counting engine, which takes one; "
                "enumerate the worlds instead"
            )
        return cls(deck, Happenings())

    # --- updates -------------------------------------------------------------------------------------

    def see(self, seer: int, target: int, roles: frozenset[Role]) -> Counted:
        """See `Superposition.see`."""
        wolves = roles & set(self.deck.wolf_roles)
        partly = bool(wolves) and wolves != set(self.deck.wolf_roles)
        if partly and (len(wolves) > 1 or VILLAGER in roles or SEER in roles):
            raise GameError("the counting engine takes visions that show a side, a kind or one exact role")
        return Counted(self.deck, self.happened.seen(seer, target, roles))

    def attack(self, attacker: int, target: int) -> Counted:
        """See `Superposition.attack`."""
        return Counted(self.deck, self.happened.attacked(attacker, target))

    def spare(self, player: int) -> Counted:
        """See `Superposition.spare`."""
        return Counted(self.deck, self.happened.spared(player))

    def fix(self, player: int, role: Role) -> Counted:
        """See `Superposition.fix`; `"wolf"` means a wolf of any rank."""
        return Counted(self.deck, self.happened.fixed_to(player, role))

    def kill(self, player: int) -> Counted:
        """See `Superposition.kill`."""
        if player not in self.happened.fixed and player not in self.happened.killed:
            raise GameError(
                f"player {player} dies with an open role; the counting engine needs it drawn first"
            )
        return Counted(self.deck, self.happened.killed_now(player))

    # --- counts --------------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """The number of worlds."""
        return sum(t.cases * self._weight(shape) for shape, t in self._tallies.items())

    def role_counts(self) -> Mapping[Role, tuple[int, ...]]:
        """See `Superposition.role_counts`; ranks are counted when they are looked up."""
        return _Lazily(self.deck.roles, self._role_count)

    def death_counts(self) -> tuple[int, ...]:
        """See `Superposition.death_counts`."""
        return self._summed(lambda t: t.dead)

    def joint_counts(self) -> Mapping[Role, tuple[int, ...]]:
        """See `Superposition.joint_counts`."""
        return _Lazily(self.deck.roles, self._joint_count)

    def dominant_counts(self) -> tuple[int, ...]:
        """See `Superposition.dominant_counts`."""
        return self._summed(lambda t: t.dominant)

    def prey_counts(self, attacker: int) -> tuple[int, ...]:
        """See `Superposition.prey_counts`."""
        tallies = self._tally(case for case in self._cases() if case.chain.now == attacker)
        total = sum(t.cases * self._weight(shape) for shape, t in tallies.items())
        wolves = self._wolves(tallies)
        return tuple(total - w for w in wolves)

    def bite_count(self, attacker: int, target: int) -> int:
        """See `Superposition.bite_count`."""
        return sum(self._biting(case, attacker, target) for case in self._cases())

    def pool(self, seer: int, target: int, *, alive: bool) -> dict[Role, int]:
        """See `Superposition.pool`."""
        killed = self.happened.killed
        cases = [
            case
            for case in self._cases(seer=seer)
            if not alive or (seer not in case.dead and seer not in killed)
        ]
        found: dict[Role, int] = defaultdict(int)
        for case in cases:
            for role, count in self._roles_in(case, target).items():
                found[role] += count
        return {role: found[role] for role in self.deck.roles if found[role]}

    def living(self) -> dict[tuple[int, int], int]:
        """See `Superposition.living`."""
        killed = self.happened.killed
        wolves = self.deck.wolves - sum(self.happened.is_wolf(p) for p in killed)
        found: dict[tuple[int, int], int] = defaultdict(int)
        for case in self._cases():
            dead = len(case.dead | killed.keys())
            found[wolves, self.deck.players - dead - wolves] += self._weight(self._shape(case))
        return {key: count for key, count in found.items() if count}

    # --- cases ---------------------------------------------------------------------------------------

    def _cases(self, *, seer: int | None = None) -> Iterator[_Case]:
        """Yield the seers and chains that agree with everything that happened."""
        happened, deck = self.happened, self.deck
        if happened.contradictory:
            return
        known_in, known_out, known_seer = happened.known(deck)
        seers: list[int | None] = [None]
        if deck.seers:
            seers = [known_seer] if known_seer is not None else list(range(deck.players))
        elif known_seer is not None:
            return
        if seer is not None:
            seers = [s for s in seers if s == seer]
        seen = {s: happened.shown_by(s, deck) for s in seers}
        ranks = {role: rank for rank, role in enumerate(deck.wolf_roles)}
        for chain in chains(deck, happened):
            bitten = happened.bitten_by(chain)
            if bitten is None:
                continue
            prey, dead = bitten
            holders = chain.placed
            if prey & holders or prey & known_in or holders & known_out:
                continue
            for s in seers:
                shown = seen[s]
                if shown is None or s in holders or s in known_in or s in known_out:
                    continue
                if s is not None and s in happened.killed and known_seer != s:
                    continue
                wolves_seen, others_seen, roles = shown
                exact = {p: ranks[role] for p, role in roles.items()}
                if not chain.admits(exact):
                    continue
                placed = holders | exact.keys()
                forced = (known_in | wolves_seen) - placed
                out = known_out | prey | others_seen
                if (
                    forced & out
                    or wolves_seen & out
                    or others_seen & placed
                    or s in forced
                    or exact.keys() & out
                ):
                    continue
                at = chain.placing(exact) if exact else chain
                yield _Case(s, at, frozenset(forced), frozenset(out - {s}), dead)

    def _shape(self, case: _Case) -> _Shape:
        placed = len(case.chain.placed)
        left = self.deck.wolves - placed
        free = self.deck.players - (case.seer is not None) - placed - len(case.forced) - len(case.out)
        return free, len(case.forced), left, case.chain.weight

    def _weight(self, shape: _Shape) -> int:
        free, forced, left, weight = shape
        if left < forced:
            return 0
        return comb(free, left - forced) * weight * (factorial(left) if self.deck.ranked else 1)

    @cached_property
    def _tallies(self) -> dict[_Shape, _Tally]:
        return self._tally(self._cases())

    def _tally(self, cases: Iterator[_Case]) -> dict[_Shape, _Tally]:
        tallies: dict[_Shape, _Tally] = {}
        killed = self.happened.killed
        for case in cases:
            shape = self._shape(case)
            tally = tallies.get(shape)
            if tally is None:
                tally = tallies[shape] = _Tally(self.deck.players)
            tally.cases += 1
            if case.seer is not None:
                tally.seer[case.seer] += 1
                tally.dead_seer[case.seer] += case.seer in case.dead or case.seer in killed
            for p in case.forced:
                tally.forced[p] += 1
            for p in case.out:
                tally.out[p] += 1
            for p in case.chain.placed:
                tally.placed[p] += 1
            for p in case.dead | killed.keys():
                tally.dead[p] += 1
            if case.chain.now is not None:
                tally.dominant[case.chain.now] += 1
        return tallies

    def _summed(self, part: Callable[[_Tally], list[int]]) -> tuple[int, ...]:
        totals = [0] * self.deck.players
        for shape, tally in self._tallies.items():
            weight = self._weight(shape)
            for p, number in enumerate(part(tally)):
                if number:
                    totals[p] += number * weight
        return tuple(totals)

    def _wolves(self, tallies: Mapping[_Shape, _Tally]) -> list[int]:
        """Return for each player the worlds of the tallies where he is a wolf of any rank."""
        totals = [0] * self.deck.players
        for shape, t in tallies.items():
            weight, joins = self._weight(shape), self._joining(shape)
            for p in range(self.deck.players):
                free = t.cases - t.seer[p] - t.forced[p] - t.out[p] - t.placed[p]
                totals[p] += (t.forced[p] + t.placed[p]) * weight + free * joins
        return totals

    def _joining(self, shape: _Shape) -> int:
        """Return the worlds of one case in which a certain free player is a wolf."""
        free, forced, left, weight = shape
        return self._weight((free - 1, forced + 1, left, weight)) if free else 0

    # --- roles ---------------------------------------------------------------------------------------

    def _role_count(self, role: Role) -> tuple[int, ...]:
        if role == SEER:
            return self._summed(lambda t: t.seer)
        wolves = self._wolf_totals
        if role == VILLAGER:
            seers = self._role_count(SEER)
            return tuple(self.size - s - w for s, w in zip(seers, wolves, strict=True))
        return wolves if role == WOLF else self._ranked[self.deck.wolf_roles.index(role)]

    @cached_property
    def _wolf_totals(self) -> tuple[int, ...]:
        return tuple(self._wolves(self._tallies))

    @cached_property
    def _ranked(self) -> list[tuple[int, ...]]:
        """For each rank and player the worlds where he has it."""
        # cases of one shape and pattern leave the same ranks open, and differ only in who is where
        alike: dict[tuple[_Shape, Pattern], list[_Case]] = defaultdict(list)
        for case in self._cases():
            alike[self._shape(case), case.chain.pattern].append(case)
        columns = [[0] * self.deck.players for _ in range(self.deck.wolves)]
        for (shape, _), cases in alike.items():
            weight, left, chain = self._weight(shape), shape[2], cases[0].chain
            if not weight:
                continue
            self._add_placed(columns, cases, weight)
            joins = self._joining(shape)
            tally = self._tally(iter(cases))[shape]
            unplaced = [0] * self.deck.players  # of all orders of the chain
            for p in range(self.deck.players):
                free = tally.cases - tally.seer[p] - tally.forced[p] - tally.out[p] - tally.placed[p]
                unplaced[p] = tally.forced[p] * weight + free * joins
            for column, orders in zip(columns, chain.open_ranks(self.deck.wolves), strict=True):
                if left and orders:
                    # the wolves that are left share the open ranks alike
                    for p, worlds in enumerate(unplaced):
                        column[p] += worlds * orders // (chain.weight * left)
        return [tuple(column) for column in columns]

    def _add_placed(self, columns: list[list[int]], cases: list[_Case], weight: int) -> None:
        """Add the worlds of cases of one pattern by the ranks of the wolves in their chains."""
        chain = cases[0].chain
        if not chain.hidden:
            for case in cases:
                for player, rank in case.chain.ranks.items():
                    columns[rank][player] += weight
            return
        times: dict[int, int] = defaultdict(int)
        for case in cases:
            for player in case.chain.placed:
                times[player] += 1
        dead = {player for player, _ in chain.hidden}
        spreads = {p: chain.spread(p) for p in chain.placed}
        for player, number in times.items():
            # whoever leads, leads with the same ranks
            spread = spreads[player if player in dead or chain.leader is None else chain.leader]
            for rank, orders in spread.items():
                columns[rank][player] += number * weight * orders // chain.weight

    def _joint_count(self, role: Role) -> tuple[int, ...]:
        if role == SEER:
            return self._summed(lambda t: t.dead_seer)
        killed = self.happened.killed
        if is_wolf(role):  # wolves die officially or not at all
            counts = self._role_count(role)
            return tuple(c if p in killed else 0 for p, c in enumerate(counts))
        dead, seers = self.death_counts(), self._joint_count(SEER)
        wolves = self._wolf_totals
        return tuple(
            d - s - (wolves[p] if p in killed else 0)
            for p, (d, s) in enumerate(zip(dead, seers, strict=True))
        )

    def _roles_in(self, case: _Case, player: int) -> dict[Role, int]:
        """Return in how many worlds of a case the player has which role."""
        weight = self._weight(self._shape(case))
        if player == case.seer:
            return {SEER: weight}
        if player in case.out:
            return {VILLAGER: weight}
        found: dict[Role, int] = {}
        chain, left = case.chain, self._shape(case)[2]
        certain = player in case.forced or player in chain.placed
        worlds = weight if certain else self._joining(self._shape(case))
        if not self.deck.ranked:
            found[WOLF] = worlds
        elif player in chain.placed:
            for rank, orders in chain.spread(player).items():
                found[self.deck.wolf_roles[rank]] = worlds * orders // chain.weight
        elif left:
            for role, orders in zip(self.deck.wolf_roles, chain.open_ranks(self.deck.wolves), strict=True):
                found[role] = worlds * orders // (chain.weight * left)
        return {VILLAGER: weight - sum(found.values()), **found}

    def _biting(self, case: _Case, attacker: int, target: int) -> int:
        """Return in how many worlds of a case the attacker is a wolf and the target is none."""
        shape = self._shape(case)
        certain = {*case.forced, *case.chain.placed}
        innocent = {case.seer, *case.out}
        if attacker in innocent or target in certain or attacker == target:
            return 0
        free, forced, left, weight = shape
        if attacker not in certain:
            free, forced = free - 1, forced + 1
        if target not in innocent:
            free -= 1
        return self._weight((free, forced, left, weight))


class _Lazily(Mapping[Role, tuple[int, ...]]):
    """A mapping whose values are computed when they are looked up, once."""

    def __init__(self, roles: tuple[Role, ...], count: Callable[[Role], tuple[int, ...]]) -> None:
        self._roles, self._count = roles, count
        self._found: dict[Role, tuple[int, ...]] = {}

    def __getitem__(self, role: Role) -> tuple[int, ...]:
        if role not in self._roles:
            raise KeyError(role)
        if role not in self._found:
            self._found[role] = self._count(role)
        return self._found[role]

    def __iter__(self) -> Iterator[Role]:
        return iter(self._roles)

    def __len__(self) -> int:
        return len(self._roles)
