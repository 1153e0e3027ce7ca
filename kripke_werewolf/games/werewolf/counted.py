"""Counted superpositions: exact numbers of worlds without listing them.

The evidence is kept: visions, attacks, drawn roles, deaths. A wolf dies only by an official death with a
drawn role, so the consequences of the evidence in a world depend on its seer and on its *chain*, the sequence
of dominant wolves. Given both (a *case*), each other player is known to be a wolf, known not to be one, or
free, and the number of worlds is

    C(free, left - forced) · left!        (without ranks the factorial drops out)

for `left` wolves not yet placed, `forced` of whom are certain players. Summing over seers and chains gives
every count in time polynomial in players and events.

A player's view of a game can be counted too. Attacks of others are *unseen*: a case has a number of possible
ways for them, which depends on how many wolves are among the players who are known to have survived a night;
so free players are grouped by these nights. If the side of a dead player was not shown, each side is a case
of its own.

If the dead wolves' ranks were not shown, only the *records* matter: wolves who outlived all wolves ranked
above them. B dead wolves have 2^B sets of records but B! orders, and the number of orders with given records
is a product.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, reduce
from itertools import chain as joined
from itertools import combinations, compress, permutations, product, takewhile
from math import comb, factorial, inf, lcm, perm, prod
from typing import Any, NamedTuple, TypeAlias

from kripke_werewolf.games.werewolf.roles import VILLAGER, WOLF, Deck, roles_of
from kripke_werewolf.games.werewolf.superposition import NotCovered, Superposition
from kripke_werewolf.logic.formulas import FALSE, TRUE, Atom, Formula, Not, conjunction, simplify
from kripke_werewolf.logic.formulas import operators as s

_MOST_ORDERS = 200_000


class _Known(NamedTuple):
    """What is known about cards if some player is the seer."""

    ranks: frozenset[tuple[int, int]]
    """Wolves of known rank, 0 the highest."""
    wolves: frozenset[int]
    """Wolves of unknown rank."""
    others: frozenset[int]
    """Players who are not wolves."""


class _Unseen(NamedTuple):
    """The unseen attacks that were made, according to a chain."""

    numbers: tuple[int, ...] = ()
    """Their numbers among the unseen attacks."""
    required: tuple[frozenset[int], ...] = ()
    """For each attack, targets that must have been hit by it or by another of these attacks."""
    scale: int = 1
    """The factor that gives worlds of all chains the right weight."""


@lru_cache(maxsize=1 << 16)
def _sequences(targets: tuple[int, ...], required: tuple[frozenset[int], ...]) -> int:
    """Return the number of sequences of attacks that hit all required targets, by inclusion and exclusion.

    `targets`: for each attack, the number of its possible targets; `required`: some of these.
    """
    wanted = frozenset[int]().union(*required)
    missed = joined.from_iterable(combinations(wanted, n) for n in range(len(wanted) + 1))
    both = list(zip(targets, required, strict=True))
    return sum((-1) ** len(some) * prod(n - len(r.intersection(some)) for n, r in both) for some in missed)


# the dominant wolves


@dataclass(frozen=True)
class Chain:
    """The dominant wolves of a game, and the ranks of the wolves that it accounts for.

    `above`: the wolves of the highest ranks, in order; `weight`: the number of orders of the hidden wolves
    with this chain; `orders`: for each wolf, the number of those in which it has each rank.
    """

    above: tuple[int, ...] = ()
    orders: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    weight: int = 1

    @cached_property
    def placed(self) -> frozenset[int]:
        """The wolves whose ranks the chain accounts for."""
        return frozenset(self.orders)


@lru_cache(maxsize=1 << 12)
def _orders(records: tuple[bool, ...], living: int) -> list[tuple[int, ...]]:
    """Return for hidden wolves, the last to die first, the number of orders in which each has each rank.

    `records`: whether they are records; `living`: the number of living wolves, whose leader comes first. An
    order is built from the last to die to the first: a record goes in front of all that are in it, any other
    wolf anywhere but in front.
    """
    found, total = [(1, *[0] * (living - 1))] if living else [], 1
    for placed, record in enumerate(records, start=living):
        if record:
            found = [(0, *ways) for ways in found]
        else:
            found = [
                tuple(
                    moved * (rank - 1) + stayed * (placed - rank)
                    for rank, (moved, stayed) in enumerate(zip((0, *ways), (*ways, 0), strict=True))
                )
                for ways in found
            ]
        found.append((total, *[0] * placed) if record else (0, *[total] * placed))
        total *= 1 if record else placed
    return found


# counting


class _Case(NamedTuple):
    """A seer and a chain, and their consequences for the other players."""

    looker: int | None
    chain: Chain
    """The dominant wolves, with the known ranks."""
    forced: frozenset[int]
    """Wolves whose rank is still open."""
    out: frozenset[int]
    """Players who are not wolves."""
    dead: frozenset[int]
    """Players killed by attacks at night."""
    unseen: _Unseen
    """The unseen attacks."""


class _Totals(NamedTuple):
    """The number of worlds of some cases, and of those where a fact about a player is true."""

    size: int
    dead: Mapping[int, int]
    """The number of worlds with each number of dead players."""
    facts: Mapping[str, tuple[int, ...]]
    """For `villager`, `seer`, `wolf`, `good`, `dead` and `dominant`, and each player."""


_Hits: TypeAlias = tuple[bool, ...]
"""Whether each of the unseen attacks may have hit a player."""


class _Weight(NamedTuple):
    """The number of worlds of a case, and of those in which a given free player of each group is a wolf."""

    size: int
    joining: Mapping[_Hits, int]


@lru_cache(maxsize=1 << 16)
def _placed(
    free: tuple[tuple[_Hits, int], ...],
    wolves: int,
    targets: tuple[tuple[int, int], ...],
    required: tuple[frozenset[int], ...],
) -> _Weight:
    """Return the number of ways to choose some wolves among free players, and to attack others.

    `free`: the number of free players in each group; `targets`: for each of some unseen attacks, the number
    of its possible targets, including the free.
    """
    size, joining = 0, dict.fromkeys(dict(free), 0)
    for chosen in _shares(tuple(number for _, number in free), wolves):
        groups = [(hits, number, some) for (hits, number), some in zip(free, chosen, strict=True)]
        left = tuple(n - sum(some for hits, _, some in groups if hits[attack]) for attack, n in targets)
        ways = prod(comb(number, some) for _, number, some in groups) * _sequences(left, required)
        size += ways
        for hits, number, some in groups:
            joining[hits] += ways * some // max(number, 1)
    return _Weight(size, joining)


def _shares(free: tuple[int, ...], number: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to divide a number into parts of limited sizes."""
    if not free:
        yield from [] if number else [()]
        return
    for first in range(max(0, number - sum(free[1:])), min(free[0], number) + 1):
        for rest in _shares(free[1:], number - first):
            yield (first, *rest)


@dataclass(frozen=True)
class Counted(Superposition):
    """A superposition that only counts; see `Superposition` for the operations.

    For at most one seer, and wolves that are all ranked or all equal. Raises NotCovered for cases that it
    cannot count: several seers, visions that show a group of ranks. The fields besides the deck are the
    evidence.

    >>> start = Counted.start(Deck(3, wolves=1))
    >>> start.size, start.die(1, Atom("dominant_0"), unless=Atom("wolf_1")).death_counts()
    (6, (0, 2, 0))
    """

    deck: Deck
    time: int = field(default=0, repr=False)
    """The current time: no two things happen at the same time."""
    roles: Mapping[int, frozenset[str]] = field(default_factory=dict, repr=False)
    """The roles left for some players; for the others, all are left."""
    visions: Mapping[int, tuple[tuple[int, frozenset[str]], ...]] = field(default_factory=dict, repr=False)
    """For each player, the targets of their visions, with the roles left for these if they are the seer."""
    attacks: Mapping[int, tuple[tuple[int, int], ...]] = field(default_factory=dict, repr=False)
    """For each player, the times and targets of their attacks."""
    survivors: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    """Times at which players had to be alive."""
    killed: Mapping[int, int] = field(default_factory=dict, repr=False)
    """The times of official deaths."""
    fallen: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    """Times before which an attack must have killed a player."""
    leading: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    """Times at which players were the dominant wolf."""
    idle: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    """Times at which players were not the dominant wolf."""
    refused: tuple[tuple[int, int, int], ...] = field(default=(), repr=False)
    """Times of refused attacks, with attacker and target."""
    blind: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    """Times at which players were not a living seer."""
    viewers: frozenset[int] = field(default=frozenset(), repr=False)
    """The players whose own attacks are seen, if others are unseen."""
    unseen: tuple[tuple[int, frozenset[int]], ...] = field(default=(), repr=False)
    """Times and possible targets of attacks by the dominant wolf, unless it was a viewer."""

    @classmethod
    def start(cls, deck: Deck) -> Counted:
        """Return all assignments of the deck, nobody dead."""
        if why := cls.refuses(deck):
            raise NotCovered(f"{why}; enumerate the worlds instead")
        return cls(deck)

    @staticmethod
    def refuses(deck: Deck) -> str:
        """Return why the worlds of a deck cannot be counted, or ""."""
        looking = deck.looker
        if (number := deck.cards(looking.name)) > 1:
            return f"{number} {looking.several} are too many for the counting engine, which takes one"
        names = " or ".join(kind for kind in deck.kinds if kind not in (VILLAGER, looking.name, WOLF))
        return f"the counting engine does not know {names}" if names else ""

    @cached_property
    def _eye(self) -> str:
        """The card whose holder looks."""
        return self.deck.looker.name

    # updates

    def _then(self, **news: Any) -> Counted:
        """Return the superposition with some new values of its fields, one moment later."""
        return replace(self, time=self.time + 1, **news)

    def _noted(self, field: str, player: int, *more: int) -> Counted:
        """Return the superposition with another entry of a field, which happened now."""
        return self._then(**{field: (*getattr(self, field), (self.time, player, *more))})

    def keep(self, f: Formula) -> Counted:
        """See `Superposition.keep`.

        It covers a player's possible cards, if these are all ranks or one; deaths, and who leads or
        does not; the result of a vision, or none; a refused attack.

        >>> start = Counted.start(Deck(4, wolves=2))
        >>> start.keep(Atom("alpha_0")).size, start.keep(Atom("good_0")).size
        (6, 12)
        """
        if isinstance(f, s.And):
            return reduce(Counted.keep, f.children, self)
        facts = {atom.rpartition("_")[0] for atom in f.atoms}
        mortal, seats = not facts.isdisjoint(("dead", "dominant")), {*map(_seat, f.atoms)}
        if len(seats) <= 1 and not mortal:
            return self._among(min(seats, default=0), roles_of(f, self.deck))
        match f:
            case Atom(name) if facts == {"dead"} and seats <= self.killed.keys():
                return self
            case Atom(name) if facts == {"dead"}:  # wolves die officially only
                return self._noted("fallen", _seat(name)).keep(Atom(f"good_{_seat(name)}"))
            case Atom(name):
                return self._noted("leading", _seat(name))
            case Not(Atom(name)):
                return self._noted("survivors" if facts == {"dead"} else "idle", _seat(name))
            case s.Implies(Atom(), Atom(dead)) if facts == {self._eye, "dead"} and len(seats) == 1:
                return self._noted("blind", _seat(dead))
            case s.Implies(Atom(lead), Atom(wolf)) if facts == {"dominant", WOLF} and wolf.startswith(WOLF):
                return self._noted("refused", _seat(lead), _seat(wolf))
            case s.Implies(Atom(name), shown) if not mortal and name.rpartition("_")[0] == self._eye:
                return self._see(_seat(name), min(map(_seat, shown.atoms)), roles_of(shown, self.deck))
        raise NotCovered(f"the counting engine does not cover the condition {f}")

    def _see(self, looker: int, target: int, roles: frozenset[str]) -> Counted:
        if not self._covers(roles):
            raise NotCovered("the counting engine takes visions that show a side, a kind or one exact role")
        seen = (*self.visions.get(looker, ()), (target, roles))
        return self._then(visions={**self.visions, looker: seen})

    def _among(self, player: int, roles: frozenset[str]) -> Counted:
        """Keep the worlds where a player has one of these roles."""
        if not self._covers(roles):
            raise NotCovered(f"the counting engine takes one rank or all, not {', '.join(sorted(roles))}")
        return self._then(roles={**self.roles, player: self.roles.get(player, roles) & roles})

    def _covers(self, roles: frozenset[str]) -> bool:
        """Whether some roles are a single one, or contain all wolves or none."""
        wolves = frozenset(self.deck.wolf_roles)
        return len(roles) < 2 or roles >= wolves or roles.isdisjoint(wolves)

    def change(
        self, values: Mapping[str, Formula], where: Formula = TRUE, *, unless: Formula = FALSE
    ) -> Counted:
        """See `Superposition.change`; covered are an official death, and an attack by the dominant wolf."""
        (atom, value), *more = values.items()
        player = _seat(atom)
        if value is TRUE and not more and atom.startswith("dead_"):
            if where is TRUE and unless is FALSE:
                return self._then(killed={player: self.time, **self.killed})
            match where, unless:
                case Atom(lead), Atom(wolf) if lead.startswith("dominant_") and wolf == f"{WOLF}_{player}":
                    made = (*self.attacks.get(_seat(lead), ()), (self.time, player))
                    return self._then(attacks={**self.attacks, _seat(lead): made})
        raise NotCovered(
            f"the counting engine does not cover the change of {', '.join(values)} where {where}"
        )

    def unseen_attack(self, viewers: Iterable[int], targets: Iterable[int]) -> Counted:
        """Let the dominant wolf, unless it is a viewer, attack one of the targets other than wolves.

        Worlds count once for each possible attack. The targets are all players officially alive; `viewers`
        are the same in all calls.
        """
        unseen = (*self.unseen, (self.time, frozenset(targets)))
        return self._then(viewers=frozenset(viewers), unseen=unseen)

    # counts

    @cached_property
    def _totals(self) -> _Totals:
        return self._added(self._cases())

    @property
    def size(self) -> int:
        """The number of worlds."""
        return self._totals.size

    def counts(self, fact: str) -> tuple[int, ...]:
        """See `Superposition.counts`; ranks are counted on demand."""
        if fact == "dead" and self.unseen:
            return tuple(self.size - self.keep(~Atom(f"dead_{p}")).size for p in range(self.deck.players))
        facts = self._totals.facts
        return facts[fact] if fact in facts else self._wolf_roles[fact]

    def count(self, f: Formula) -> int:
        """See `Superposition.count`."""
        match f:
            case Atom(name):
                return self.counts(name.rpartition("_")[0])[_seat(name)]
            case Not(body):
                return self.size - self.count(body)
            case s.And((first, *others)):
                kept = self._parts[first] = self._parts.get(first) or self.keep(first)
                return kept.count(conjunction(others))
        return self.keep(f).size

    @cached_property
    def _parts(self) -> dict[Formula, Counted]:
        """The worlds where formulas are true, once needed."""
        return {}

    def everywhere(self, f: Formula) -> bool:
        """See `Superposition.everywhere`; formulas other than literals treat all players alike."""
        if isinstance(f.body if isinstance(f, Not) else f, Atom):
            return self.count(f) == self.size
        return all(true_of(f, self.deck, *numbers) for numbers in self.living())

    def living(self) -> Mapping[tuple[int, int], int]:
        """Return the worlds counted by (living wolves, living others)."""
        wolves = self.deck.wolves - sum(map(self._is_wolf, self.killed))
        others = self.deck.players - wolves
        return {(wolves, others - dead): worlds for dead, worlds in self._totals.dead.items()}

    # what is known

    def _is_wolf(self, player: int) -> bool:
        """Whether the player is known to be a wolf."""
        return player in self.roles and all(map(self.deck.is_wolf, self.roles[player]))

    def _is_good(self, player: int) -> bool:
        """Whether the player is known not to be a wolf."""
        return player in self.roles and not any(map(self.deck.is_wolf, self.roles[player]))

    def _known_to(self, looker: int | None) -> _Known | None:
        """Return the cards that are known if this player is the seer; None if they cannot be."""
        deck = self.deck
        everybody, wolves = frozenset(deck.roles), frozenset(deck.wolf_roles)
        left = {player: roles - {self._eye} for player, roles in self.roles.items()}
        if looker is not None:
            left[looker] = self.roles.get(looker, everybody) & {self._eye}
            for target, shown in self.visions.get(looker, ()):
                left[target] = left.get(target, everybody - {self._eye}) & shown
        evil = {player: roles for player, roles in left.items() if roles <= wolves}
        exact = {player: min(roles) for player, roles in evil.items() if deck.ranked and len(roles) == 1}
        if not all(left.values()) or len({*exact.values()}) < len(exact):
            return None
        ranks = ((player, deck.wolf_roles.index(role)) for player, role in exact.items())
        out = (player for player, roles in left.items() if roles.isdisjoint(wolves))
        return _Known(frozenset(ranks), frozenset(evil.keys() - exact.keys()), frozenset(out))

    def _decided(self) -> Iterator[Counted]:
        """Yield the superposition with every possible side of the officially dead whose side is open."""
        wolves, good = frozenset(self.deck.wolf_roles), frozenset((VILLAGER, self._eye))
        open_ = [p for p in self.killed if not (self._is_wolf(p) or self._is_good(p))]
        left = self.deck.wolves - sum(map(self._is_wolf, self.killed))
        for number in range(min(left, len(open_)) + 1):
            for evil in combinations(open_, number):
                sides = ((p, wolves if p in evil else good) for p in open_)
                yield reduce(lambda worlds, side: worlds._among(*side), sides, self)

    # chains

    def _chains(self, ranks: Mapping[int, int]) -> Iterator[Chain]:
        """Yield the chains consistent with known ranks of wolves; one empty chain if wolves are unranked.

        Raises NotCovered if there are too many dead wolves with and without known ranks.
        """
        if not self.deck.ranked:
            yield Chain()
            return
        dead = (p for p in self.killed if self._is_wolf(p) and p not in ranks)
        hidden = sorted(dead, key=lambda p: -self.killed[p])
        if not ranks:
            yield from self._chains_of_records(hidden)
            return
        free = [r for r in range(self.deck.wolves) if r not in ranks.values()]
        if perm(len(free), len(hidden)) > _MOST_ORDERS:
            raise NotCovered(
                f"{len(hidden)} dead wolves of unknown rank and {len(ranks)} of known rank can lie in "
                f"{perm(len(free), len(hidden)):,} orders; the counting engine goes through {_MOST_ORDERS:,}"
            )
        for order in permutations(free, len(hidden)):
            yield from self._chains_of_ranks({**ranks, **dict(zip(hidden, order, strict=True))})

    def _chains_of_ranks(self, ranks: Mapping[int, int]) -> Iterator[Chain]:
        """Yield the chains if the rank of every dead wolf is known: the highest living one is open."""
        wolves, holders = range(self.deck.wolves), {rank: player for player, rank in ranks.items()}
        above = tuple(holders[rank] for rank in takewhile(holders.__contains__, wolves))
        at = [tuple(int(r == rank) for r in wolves) for rank in wolves]
        orders = {player: at[rank] for player, rank in ranks.items()}
        if len(above) == self.deck.wolves or not self.killed.keys() >= {*above}:
            yield Chain(above, orders)
            return
        for leader in self._leaders:
            if leader not in ranks:
                yield Chain((*above, leader), {**orders, leader: at[len(above)]})

    def _chains_of_records(self, hidden: list[int]) -> Iterator[Chain]:
        """Yield the chains if no dead wolf's rank is known: one for every set of records among them."""
        living = self.deck.wolves - len(hidden)
        for records in product((False, True), repeat=len(hidden)) if living >= 0 else ():
            # a wolf that is not a record stands behind one who died later or lives: `i + living` places
            weight = prod(i + living for i, record in enumerate(records) if not record)
            above, orders = tuple(compress(hidden, records))[::-1], _orders(records, living)
            leaders = [(leader,) for leader in self._leaders] if living else [()]
            for led in leaders if weight else ():
                yield Chain((*above, *led), dict(zip((*led, *hidden), orders, strict=True)), weight)

    @cached_property
    def _leaders(self) -> list[int]:
        """The players who may be a living wolf."""
        return [p for p in range(self.deck.players) if p not in self.killed and not self._is_good(p)]

    def _leader(self, chain: Chain, time: int) -> int | None:
        """Return the dominant wolf of a chain at some time; None if all were dead."""
        return next((wolf for wolf in chain.above if self.killed.get(wolf, inf) > time), None)

    def _bitten_by(self, chain: Chain) -> frozenset[int] | None:
        """Return the players killed at night by the dominant wolves of a chain; None for a contradiction.

        Players who had to be alive at some time must not have died before.
        """
        prey, begin = dict[int, int](), -1.0
        for wolf in chain.above:
            end = self.killed.get(wolf, inf)
            for time, target in self.attacks.get(wolf, ()):
                if begin < time < end:
                    prey.setdefault(target, time)
            begin = max(begin, end)
        for time, player in self.survivors:
            if min(prey.get(player, time), self.killed.get(player, time)) < time:
                return None
        led = all(self._leader(chain, time) == player for time, player in self.leading)
        idle = all(self._leader(chain, time) != player for time, player in self.idle)
        return frozenset(prey) if led and idle else None

    @cached_property
    def _exposed(self) -> tuple[frozenset[int], ...]:
        """For each unseen attack, its possible targets, apart from players who were alive later."""
        return tuple(
            targets - {p for later, p in self.survivors if time < later} for time, targets in self.unseen
        )

    def _unseen_by(self, chain: Chain, looker: int | None) -> _Unseen | None:
        """Return the unseen attacks if these wolves were dominant; None if they have not killed the fallen.

        A seer who was not a living seer at some time had fallen by then.
        A world has the same weight before and after an attack: each of its targets takes an equal part. To
        keep to integers, weights are multiplied by a multiple of all possible numbers of targets.
        """
        seen = ((time, target, wolf) for wolf, made in self.attacks.items() for time, target in made)
        led = (attack for attack in sorted(seen, reverse=True) if self._leader(chain, attack[0]) == attack[2])
        bitten = {target: time for time, target, _ in led}
        dead = (*self.fallen, *((time, p) for time, p in self.blind if p == looker))
        fallen = {p: time for time, p in sorted(dead, reverse=True) if bitten.get(p, time) >= time}
        numbers, required, scale = [], [], 1
        for number, (time, targets) in enumerate(self.unseen):
            gone = sum(self._is_wolf(p) and died < time for p, died in self.killed.items())
            prey = len(targets) - (self.deck.wolves - gone)
            common = lcm(*range(max(1, len(targets) - self.deck.wolves), len(targets) + 1))
            if self._leader(chain, time) in (None, *self.viewers):
                scale *= common
            elif prey <= 0:
                return None
            else:
                scale *= common // prey
                numbers.append(number)
                required.append(frozenset(p for p in self._exposed[number] if time < fallen.get(p, -1)))
        if not fallen.keys() <= frozenset[int]().union(*required):
            return None
        return _Unseen(tuple(numbers), tuple(required), scale)

    # cases

    def _cases(self) -> Iterator[_Case]:
        """Yield the seers and chains consistent with the evidence."""
        for decided in self._decided():
            yield from decided._cases_of_sides()

    def _cases_of_sides(self) -> Iterator[_Case]:
        """Yield the cases if the sides of all dead are known."""
        blind = {player for _, player in self.blind}
        courses = cache(lambda *known: list(self._courses(*known)))
        for looker in range(self.deck.players) if self.deck.cards(self._eye) else (None,):
            known = self._known_to(looker)
            if known is None:
                continue
            for chain, prey, wolves, unseen in courses(known.ranks, looker if looker in blind else None):
                out, forced = known.others | prey, (known.wolves | wolves) - chain.placed
                if out.isdisjoint(forced) and out.isdisjoint(chain.placed):
                    yield _Case(looker, chain, forced, out, prey, unseen)

    def _courses(
        self, ranks: Iterable[tuple[int, int]], looker: int | None
    ) -> Iterator[tuple[Chain, frozenset[int], frozenset[int], _Unseen]]:
        """Yield the possible chains with their prey, the wolves they could not attack, and unseen attacks."""
        for chain in self._chains(dict(ranks)):
            prey, unseen = self._bitten_by(chain), self._unseen_by(chain, looker)
            if prey is not None and unseen is not None:
                refused = (target for time, p, target in self.refused if self._leader(chain, time) == p)
                yield chain, prey, frozenset(refused), unseen

    @cached_property
    def _hits(self) -> tuple[_Hits, ...]:
        """For each player, whether each of the unseen attacks may have hit them."""
        exposed = self._exposed
        return tuple(tuple(p in targets for targets in exposed) for p in range(self.deck.players))

    @cached_property
    def _members(self) -> Mapping[_Hits, int]:
        """The groups of players whom the same unseen attacks may have hit, with their sizes."""
        return Counter(self._hits)

    def _weight(self, case: _Case) -> _Weight:
        """Return the number of worlds of a case, and of those in which a given free player is a wolf."""
        placed, forced = case.chain.placed, case.forced
        left, free = self.deck.wolves - len(placed), dict(self._members)
        for p in (*placed, *forced, *case.out):
            free[self._hits[p]] -= 1
        if min(free.values()) < 0 or left < len(forced):
            return _Weight(0, {})
        numbers, required, scale = case.unseen
        exposed = [self._exposed[number] - placed - forced for number in numbers]
        targets = tuple(zip(numbers, map(len, exposed), strict=True))
        weight = _placed(tuple(free.items()), left - len(forced), targets, required)
        factor = case.chain.weight * scale * (factorial(left) if self.deck.ranked else 1)
        return _Weight(weight.size * factor, {hits: n * factor for hits, n in weight.joining.items()})

    def _added(self, cases: Iterable[_Case]) -> _Totals:
        """Return the totals over some cases."""
        players, hits = self.deck.players, self._hits
        killed, numbers = self.killed.keys(), Counter[int]()
        size, joined = 0, dict.fromkeys(self._members, 0)
        looker, wolf, dead, dominant = ([0] * players for _ in range(4))
        for case in cases:
            weight, joining = self._weight(case)
            if not weight:
                continue
            size += weight
            numbers[len(case.dead | killed)] += weight
            for group, number in joining.items():
                joined[group] += number
            for p in (*case.forced, *case.chain.placed):
                wolf[p] += weight - joining[hits[p]]
            for p in case.out:
                wolf[p] -= joining[hits[p]]
            for p in case.dead:
                dead[p] += weight
            if case.looker is not None:
                looker[case.looker] += weight
            leader = self._leader(case.chain, self.time)
            if leader is not None:
                dominant[leader] += weight
        for p in killed:
            dead[p] = size
        wolves = [joined[hits[p]] + known for p, known in enumerate(wolf)]  # compared with free players
        good = [size - number for number in wolves]
        villager = [number - looking for number, looking in zip(good, looker, strict=True)]
        facts = {VILLAGER: villager, self._eye: looker, WOLF: wolves, "good": good, "dead": dead}
        facts["dominant"] = dominant
        return _Totals(size, numbers, {fact: tuple(numbers) for fact, numbers in facts.items()})

    # ranks

    @cached_property
    def _wolf_roles(self) -> Mapping[str, tuple[int, ...]]:
        """For each wolf role and each player, the number of worlds where they have it."""
        # cases alike have as many placed wolves, of the same ranks, and leave the same ranks open
        alike: dict[tuple[tuple[int, ...], ...], list[_Case]] = defaultdict(list)
        for case in self._cases():
            alike[tuple(case.chain.orders.values())].append(case)
        columns = [[0] * self.deck.players for _ in range(self.deck.wolves)]
        for orders, cases in alike.items():
            weight, left = cases[0].chain.weight, self.deck.wolves - len(orders)
            unplaced = list(self._added(cases).facts[WOLF])
            holding = Counter[tuple[int, int]]()
            for case in cases:
                worlds = self._weight(case).size
                holding.update({(p, place): worlds for place, p in enumerate(case.chain.orders)})
            for (player, place), worlds in holding.items():
                unplaced[player] -= worlds
                for column, number in zip(columns, orders[place], strict=True):
                    column[player] += worlds * number // weight
            for rank, column in enumerate(columns if left else ()):
                # the remaining wolves share the open ranks equally
                number = weight - sum(ways[rank] for ways in orders)
                for player, worlds in enumerate(unplaced):
                    column[player] += worlds * number // (weight * left)
        return dict(zip(self.deck.wolf_roles, map(tuple, columns), strict=True))


@lru_cache(maxsize=1024)
def true_of(f: Formula, deck: Deck, wolves: int, others: int) -> bool:
    """Whether a formula about all players alike is true in a world with these numbers of living players."""
    facts: dict[str, Formula] = {}
    for seat in range(deck.players):
        wolf = seat in range(deck.wolves)
        alive = seat in range(wolves) or seat in range(deck.wolves, deck.wolves + others)
        for fact, value in ((WOLF, wolf), ("good", not wolf), ("dead", not alive)):
            facts[f"{fact}_{seat}"] = s.Constant(value)
    return simplify(f.substitute(facts)) is TRUE


def _seat(atom: str) -> int:
    return int(atom.rpartition("_")[2])
