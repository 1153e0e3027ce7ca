"""Counted superpositions: exact numbers of worlds without listing them.

The evidence is kept: visions, and what happened, in order. A wolf dies only by an official death with a drawn
role, so the consequences of the evidence in a world depend on its seer and on its *chain*, the sequence of
dominant wolves. Given both (a *case*), each other player is known to be a wolf, known not to be one, or free,
and the number of worlds is

    C(free, left - forced) · left!        (without ranks the factorial drops out)

for `left` wolves not yet placed, `forced` of whom are certain players. Summing over seers and chains gives
every count in time polynomial in players and events.

A player's view of a game can be counted too. Attacks of others are *unseen*: a case has a number of possible
ways for them, which depends on how many wolves are among the players who are known to have survived a night;
so free players are grouped by these nights. If the side of a dead player was not shown, each side is a case
of its own.

If the dead wolves' ranks were not shown, only those matter who outlived all wolves ranked above them: orders
in which these are the same are one chain, with a weight.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, reduce
from itertools import chain as joined
from itertools import combinations, combinations_with_replacement
from math import comb, factorial, inf, lcm, perm, prod
from typing import Any, Literal, NamedTuple, TypeAlias

from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.games.werewolf.roles import VILLAGER, WOLF, Deck, roles_of
from kripke_werewolf.games.werewolf.superposition import NotCovered, Superposition
from kripke_werewolf.logic.formulas import FALSE, TRUE, Atom, Formula, Not, simplify
from kripke_werewolf.logic.formulas import operators as s

_MOST_FACTS = 8
"""The most facts in a formula: each has three cases; with a hundred players, one takes some hundredths of a
second."""


class _Happened(NamedTuple):
    """What happened at some time, the place in the list: no two things happen at the same time."""

    kind: Literal["killed", "attacked", "alive", "dead", "led", "idle", "refused", "unseen"]
    """An official death; an attack; somebody had to be alive, dead, the dominant wolf, or not; a refused
    attack; an attack by the dominant wolf, unless that was a viewer."""
    player: int
    """The player; -1 for nobody."""
    targets: frozenset[int] = frozenset()
    """The target, or the possible ones, of an attack; a player who had to be dead only as the seer."""


class _Chain(NamedTuple):
    """The dominant wolves of a game, and the ranks of the wolves that these account for."""

    above: tuple[int, ...] = ()
    """The wolves who outlived all wolves of higher ranks, in order."""
    ranks: Mapping[int, int] = {}
    """The wolves whose ranks are accounted for; the ranks count if no dead wolf's rank is hidden."""
    weight: int = 1
    """The number of orders of the dead wolves of hidden rank with this chain."""


class _Case(NamedTuple):
    """A seer and a chain, and their consequences for the other players."""

    looker: int | None
    chain: _Chain
    forced: frozenset[int]
    """Wolves whose rank is still open."""
    out: frozenset[int]
    """Players who are not wolves."""
    dead: frozenset[int]
    """Players killed by attacks at night."""
    unseen: tuple[int, ...]
    """The numbers of the unseen attacks that were made."""
    required: tuple[frozenset[int], ...]
    """For each of these, targets that must have been hit by it or by another of them."""
    scale: int
    """The factor that gives worlds of all chains the right weight."""


class _Totals(NamedTuple):
    """The number of worlds of some cases, and of those where a fact about a player is true."""

    size: int
    dead: Mapping[int, int]
    """The number of worlds with each number of dead players."""
    facts: Mapping[str, tuple[int, ...]]
    """For `villager`, `seer`, `wolf`, `good`, `dead` and `dominant`, and each player."""


_Hits: TypeAlias = tuple[bool, ...]
"""Whether each of the unseen attacks may have hit a player."""


@lru_cache(maxsize=1 << 16)
def _sequences(targets: tuple[int, ...], required: tuple[frozenset[int], ...]) -> int:
    """Return the number of sequences of attacks that hit all required targets, by inclusion and exclusion.

    `targets`: for each attack, the number of its possible targets; `required`: some of these.
    """
    wanted = frozenset[int]().union(*required)
    missed = joined.from_iterable(combinations(wanted, n) for n in range(len(wanted) + 1))
    both = list(zip(targets, required, strict=True))
    return sum((-1) ** len(some) * prod(n - len(r.intersection(some)) for n, r in both) for some in missed)


@lru_cache(maxsize=1 << 16)
def _placed(
    free: tuple[tuple[_Hits, int], ...],
    wolves: int,
    targets: tuple[tuple[int, int], ...],
    required: tuple[frozenset[int], ...],
) -> tuple[int, Mapping[_Hits, int]]:
    """Return the number of ways to choose some wolves among free players, and to attack others.

    And the number of those in which a given player of each group is a wolf. `free`: the number of free
    players in each group; `targets`: for each of some unseen attacks, the number of its possible targets,
    including the free.
    """
    size, joining = 0, dict.fromkeys(dict(free), 0)
    for chosen in combinations_with_replacement(free, wolves):
        groups = [(hits, number, chosen.count((hits, number))) for hits, number in free]
        left = tuple(n - sum(some for hits, _, some in groups if hits[attack]) for attack, n in targets)
        ways = prod(comb(number, some) for _, number, some in groups) * _sequences(left, required)
        size += ways
        for hits, number, some in groups:
            joining[hits] += ways * some // max(number, 1)
    return size, joining


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
    roles: Mapping[int, frozenset[str]] = field(default_factory=dict, repr=False)
    """The roles left for some players; for the others, all are left."""
    visions: Mapping[int, tuple[tuple[int, frozenset[str]], ...]] = field(default_factory=dict, repr=False)
    """For each player, the targets of their visions, with the roles left for these if they are the seer."""
    course: tuple[_Happened, ...] = field(default=(), repr=False)
    """What happened, in order."""
    viewers: frozenset[int] = field(default=frozenset(), repr=False)
    """The players whose own attacks are seen, if others are unseen."""

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

    def _then(self, *happened: Any) -> Counted:
        """Return the superposition after something has happened."""
        return replace(self, course=(*self.course, _Happened(*happened)))

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
        facts, seats = {atom.rpartition("_")[0] for atom in f.atoms}, {*map(_seat, f.atoms)}
        mortal = not facts.isdisjoint(("dead", "dominant"))
        if len(seats) <= 1 and not mortal:
            return self._among(min(seats, default=0), roles_of(f, self.deck))
        match f:
            case Atom(name) if facts == {"dead"} and seats <= self.killed.keys():
                return self
            case Atom(name) if facts == {"dead"}:  # wolves die officially only
                return self._then("dead", _seat(name)).keep(Atom(f"good_{_seat(name)}"))
            case Atom(name):
                return self._then("led", _seat(name))
            case Not(Atom(name)):
                return self._then("alive" if facts == {"dead"} else "idle", _seat(name))
            case s.Implies(Atom(), Atom(dead)) if facts == {self._eye, "dead"} and len(seats) == 1:
                return self._then("dead", _seat(dead), frozenset(seats))
            case s.Implies(Atom(lead), Atom(wolf)) if facts == {"dominant", WOLF} and wolf.startswith(WOLF):
                return self._then("refused", _seat(lead), frozenset({_seat(wolf)}))
            case s.Implies(Atom(name), shown) if not mortal and name.rpartition("_")[0] == self._eye:
                looker, target = _seat(name), min(map(_seat, shown.atoms))
                seen = target, self._covered(roles_of(shown, self.deck))
                return replace(self, visions={**self.visions, looker: (*self.visions.get(looker, ()), seen)})
        raise NotCovered(f"the counting engine does not cover the condition {f}")

    def _among(self, player: int, roles: frozenset[str]) -> Counted:
        """Keep the worlds where a player has one of these roles."""
        left = self.roles.get(player, roles) & self._covered(roles)
        return replace(self, roles={**self.roles, player: left})

    def _covered(self, roles: frozenset[str]) -> frozenset[str]:
        """Return some roles; raise NotCovered if they are several, and contain some wolves but not all."""
        wolves = frozenset(self.deck.wolf_roles)
        if len(roles) > 1 and not (roles >= wolves or roles.isdisjoint(wolves)):
            several = ", ".join(sorted(roles))
            raise NotCovered(f"the counting engine takes a side, a kind or one exact role, not {several}")
        return roles

    def change(
        self, values: Mapping[str, Formula], where: Formula = TRUE, *, unless: Formula = FALSE
    ) -> Counted:
        """See `Superposition.change`; covered are an official death, and an attack by the dominant wolf."""
        (atom, value), *more = values.items()
        player = _seat(atom)
        if value is TRUE and not more and atom.startswith("dead_"):
            match where, unless:
                case s.Constant(True), s.Constant(False):
                    return self._then("killed", player)
                case Atom(lead), Atom(wolf) if lead.startswith("dominant_") and wolf == f"{WOLF}_{player}":
                    return self._then("attacked", _seat(lead), frozenset({player}))
        raise NotCovered(f"the counting engine does not cover a change of {', '.join(values)} where {where}")

    def unseen_attack(self, viewers: Iterable[int], targets: Iterable[int]) -> Counted:
        """Let the dominant wolf, unless it is a viewer, attack one of the targets other than wolves.

        Worlds count once for each possible attack. The targets are all players officially alive; `viewers`
        are the same in all calls.
        """
        return replace(self, viewers=frozenset(viewers))._then("unseen", -1, frozenset(targets))

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
        if self._is_hidden(fact):
            return tuple(self.count(Atom(f"{fact}_{player}")) for player in range(self.deck.players))
        facts = self._totals.facts
        return facts[fact] if fact in facts else self._wolf_roles[fact]

    def count(self, f: Formula) -> int:
        """See `Superposition.count`; formulas other than literals are counted fact by fact.

        Worlds where a fact is true, or somebody is alive, are kept: in the others a formula is true in as
        many worlds as it would be if these were all, minus those of the kept ones.
        """
        f = simplify(f)
        match f:
            case s.Constant(True):
                return self.size
            case s.Constant():
                return 0
            case Atom(name) if not self._is_hidden(name.rpartition("_")[0]):
                return self.counts(name.rpartition("_")[0])[_seat(name)]
            case Not(body):
                return self.size - self.count(body)
        # where it is known who looks, there are few cases
        atoms = sorted(sorted(f.atoms), key=lambda atom: not atom.startswith(f"{self._eye}_"))
        kept = {atom: ~Atom(atom) if atom.startswith("dead_") else Atom(atom) for atom in atoms}
        certain = f.children if isinstance(f, s.And) else ()
        atom = next((atom for atom, fact in kept.items() if fact in certain), min(kept))
        if kept[atom] not in certain and len(kept) > _MOST_FACTS:
            raise NotCovered(f"{f} has too many cases to be counted")
        if kept[atom] not in self._found:
            self._found[kept[atom]] = self.keep(kept[atom])
        some, true = self._found[kept[atom]], isinstance(kept[atom], Atom)
        here, elsewhere = (f.substitute({atom: s.Constant(value)}) for value in (true, not true))
        return some.count(here) + self.count(elsewhere) - some.count(elsewhere)

    def _is_hidden(self, fact: str) -> bool:
        """Whether a fact is counted for each player by itself: deaths unseen, and ranks of hidden wolves."""
        if fact == "dead":
            return bool(self._unseen)
        shown = (self._is_good(p) or len(self.roles.get(p, ())) == 1 for p in self.killed)
        return self.deck.ranked and fact in self.deck.wolf_roles and not all(shown)

    @cached_property
    def _found(self) -> dict[Formula, Counted]:
        """The worlds where a fact is true, as far as they were asked for."""
        return {}

    def everywhere(self, f: Formula) -> bool:
        """See `Superposition.everywhere`; formulas other than literals treat all players alike."""
        if isinstance(f.body if isinstance(f, Not) else f, Atom):
            return self.count(f) == self.size
        wolves = self.deck.wolves - sum(map(self._is_wolf, self.killed))
        others = (self.deck.players - wolves - dead for dead in self._totals.dead)
        return all(true_of(f, self.deck, wolves, living) for living in others)

    # what is known

    def _times(self, kind: str) -> Iterator[tuple[int, _Happened]]:
        """Yield the happenings of some kind, with their times."""
        return ((time, what) for time, what in enumerate(self.course) if what.kind == kind)

    @cached_property
    def killed(self) -> Mapping[int, int]:
        """The times of official deaths."""
        return {what.player: time for time, what in reversed([*self._times("killed")])}

    @cached_property
    def _attacks(self) -> Mapping[int, list[tuple[int, _Happened]]]:
        """For each player, their attacks, with the times."""
        return grouped((what.player, (time, what)) for time, what in self._times("attacked"))

    def _is_wolf(self, player: int) -> bool:
        """Whether the player is known to be a wolf."""
        return player in self.roles and all(map(self.deck.is_wolf, self.roles[player]))

    def _is_good(self, player: int) -> bool:
        """Whether the player is known not to be a wolf."""
        return player in self.roles and not any(map(self.deck.is_wolf, self.roles[player]))

    def _known_to(
        self, looker: int | None
    ) -> tuple[frozenset[tuple[int, int]], frozenset[int], frozenset[int]] | None:
        """Return the cards that are known if this player is the seer; None if they cannot be.

        The wolves of known rank, 0 the highest; those of unknown rank; and players who are not wolves.
        """
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
        return frozenset(ranks), frozenset(evil.keys() - exact.keys()), frozenset(out)

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

    def _chains(self, ranks: Mapping[int, int]) -> Iterator[_Chain]:
        """Yield the chains consistent with known ranks of wolves; one empty chain if wolves are unranked."""
        if not self.deck.ranked:
            yield _Chain()
            return
        hidden = frozenset(p for p in self.killed if self._is_wolf(p) and p not in ranks)
        holders = {rank: p for p, rank in ranks.items()}
        open_ = [rank for rank in range(self.deck.wolves) if rank not in holders]

        fallen = {rank: {p} & self.killed.keys() for rank, p in holders.items()}

        @cache
        def led(rank: int, end: int, left: frozenset[int]) -> Counter[tuple[int, ...]]:
            """Return the numbers of ways in which others may lead next; a last one of -1 is alive.

            `end`: the time when the last of those above died; `left`: the dead wolves of hidden rank who are
            not among those above.
            """
            if rank == self.deck.wolves:
                return Counter({(): 1})
            found, holder = Counter[tuple[int, ...]](), holders.get(rank, -1)
            if holder not in self.killed:
                found[holder,] = perm(sum(other > rank for other in open_), len(left))
            for p in fallen.get(rank, left):
                later = led(rank + 1, max(end, self.killed[p]), left - {p})
                for rest, ways in later.items():
                    found[(p, *rest) if self.killed[p] > end else rest] += ways
            return found

        placed = {**ranks, **dict.fromkeys(hidden, -1)}
        for above, weight in led(0, -1, hidden).items():
            if weight and above[-1:] == (-1,):
                for leader in self._leaders - ranks.keys():
                    yield _Chain((*above[:-1], leader), placed | {leader: open_[0]}, weight)
            elif weight:
                yield _Chain(above, placed, weight)

    @cached_property
    def _leaders(self) -> frozenset[int]:
        """The players who may be a living wolf."""
        players = range(self.deck.players)
        return frozenset(p for p in players if p not in self.killed and not self._is_good(p))

    def _leader(self, chain: _Chain, time: int) -> int | None:
        """Return the dominant wolf of a chain at some time; None if all were dead."""
        return next((wolf for wolf in chain.above if self.killed.get(wolf, inf) > time), None)

    @cached_property
    def _conditions(self) -> list[tuple[int, _Happened]]:
        """What happened that rules out some chains, or has consequences for others."""
        others = ("killed", "attacked", "unseen")
        return [(time, what) for time, what in enumerate(self.course) if what.kind not in others]

    @cached_property
    def _unseen(self) -> list[tuple[int, _Happened]]:
        return list(self._times("unseen"))

    @cached_property
    def _exposed(self) -> tuple[frozenset[int], ...]:
        """For each unseen attack, its possible targets, apart from players who were alive later."""
        alive = [(time, what.player) for time, what in self._times("alive")]
        return tuple(what.targets - {p for later, p in alive if time < later} for time, what in self._unseen)

    # cases

    def _cases(self) -> Iterator[_Case]:
        """Yield the seers and chains consistent with the evidence."""
        for decided in self._decided():
            yield from decided._cases_of_sides()

    def _cases_of_sides(self) -> Iterator[_Case]:
        """Yield the cases if the sides of all dead are known."""
        blind = frozenset[int]().union(*(what.targets for _, what in self._times("dead")))
        chains = cache(lambda ranks: [*self._chains(dict(ranks))])
        led = cache(lambda ranks, eye: [*filter(None, (self._led(c, eye) for c in chains(ranks)))])
        for looker in range(self.deck.players) if self.deck.cards(self._eye) else (None,):
            if (known := self._known_to(looker)) is None:
                continue
            ranks, wolves, others = known
            for case in led(ranks, looker if looker in blind else None):
                out, forced = others | case.dead, (wolves | case.forced) - case.chain.ranks.keys()
                if out.isdisjoint(forced) and out.isdisjoint(case.chain.ranks):
                    yield case._replace(looker=looker, forced=forced, out=out)

    def _led(self, chain: _Chain, looker: int | None) -> _Case | None:
        """Return the consequences if these wolves were dominant; None for a contradiction.

        `looker`: the seer, if one without a result had to be dead. Who had to be alive must not have died
        before; who had fallen must have been hit.

        A world has the same weight before and after an unseen attack: each of its targets takes an equal
        part. To keep to integers, weights are multiplied by a multiple of all possible numbers of targets.
        """
        prey, refused, fallen = dict[int, int](), set[int](), dict[int, int]()
        own = joined.from_iterable(self._attacks.get(wolf, ()) for wolf in chain.above)
        for time, (kind, player, targets) in sorted([*self._conditions, *own]):
            leads, bitten = self._leader(chain, time) == player, prey.get(player, inf) < time
            match kind:
                case "attacked" if leads:
                    prey.setdefault(min(targets), time)
                case "alive" if bitten or self.killed.get(player, inf) < time:
                    return None
                case "led" if not leads:
                    return None
                case "idle" if leads:
                    return None
                case "refused" if leads:
                    refused |= targets
                case "dead" if targets <= {looker} and not bitten:
                    fallen.setdefault(player, time)
        numbers, required, scale = list[int](), list[frozenset[int]](), 1
        for number, (time, (_, _, targets)) in enumerate(self._unseen):
            gone = sum(self._is_wolf(p) and died < time for p, died in self.killed.items())
            left = len(targets) - (self.deck.wolves - gone)
            common = lcm(*range(max(1, len(targets) - self.deck.wolves), len(targets) + 1))
            if self._leader(chain, time) in (None, *self.viewers):
                scale *= common
            elif left <= 0:
                return None
            else:
                scale *= common // left
                numbers.append(number)
                required.append(frozenset(p for p in self._exposed[number] if time < fallen.get(p, -1)))
        if not fallen.keys() <= frozenset[int]().union(*required):
            return None
        dead = frozenset(prey)
        return _Case(None, chain, frozenset(refused), dead, dead, tuple(numbers), tuple(required), scale)

    @cached_property
    def _hits(self) -> tuple[_Hits, ...]:
        """For each player, whether each of the unseen attacks may have hit them."""
        exposed = self._exposed
        return tuple(tuple(p in targets for targets in exposed) for p in range(self.deck.players))

    @cached_property
    def _members(self) -> Mapping[_Hits, int]:
        """The groups of players whom the same unseen attacks may have hit, with their sizes."""
        return Counter(self._hits)

    def _weight(self, case: _Case) -> tuple[int, Mapping[_Hits, int]]:
        """Return the number of worlds of a case, and of those in which a given free player is a wolf."""
        placed, forced = case.chain.ranks.keys(), case.forced
        left, free = self.deck.wolves - len(placed), dict(self._members)
        for p in (*placed, *forced, *case.out):
            free[self._hits[p]] -= 1
        if min(free.values()) < 0 or left < len(forced):
            return 0, {}
        targets = tuple((number, len(self._exposed[number] - placed - forced)) for number in case.unseen)
        size, joining = _placed(tuple(free.items()), left - len(forced), targets, case.required)
        factor = case.chain.weight * case.scale * (factorial(left) if self.deck.ranked else 1)
        return size * factor, {hits: ways * factor for hits, ways in joining.items()}

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
            for p in (*case.forced, *case.chain.ranks):
                wolf[p] += weight - joining[hits[p]]
            for p in case.out:
                wolf[p] -= joining[hits[p]]
            for p in case.dead:
                dead[p] += weight
            if case.looker is not None:
                looker[case.looker] += weight
            leader = self._leader(case.chain, len(self.course))
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
        alike = defaultdict[tuple[int, ...], list[_Case]](list)
        for case in self._cases():
            alike[tuple(case.chain.ranks.values())].append(case)
        columns = [[0] * self.deck.players for _ in range(self.deck.wolves)]
        for taken, cases in alike.items():
            shared = list(self._added(cases).facts[WOLF])
            for case in cases:
                worlds, _ = self._weight(case)
                for player, rank in case.chain.ranks.items():
                    columns[rank][player] += worlds
                    shared[player] -= worlds
            for rank in set(range(self.deck.wolves)).difference(taken):  # the others share them equally
                for player, worlds in enumerate(shared):
                    columns[rank][player] += worlds // (self.deck.wolves - len(taken))
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
