"""The part of a history that is the same for every seer: numbers, attacks, and the roles drawn.

Worlds are deals of the deck, by number; sets of them are integers used as bit masks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise, permutations, product
from math import ceil, factorial, floor, lcm, prod
from typing import TypeAlias

from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.werewolf.declarations import Declared, Schema, declared, removes_nothing, seated
from kripke_werewolf.werewolf.enumerated import Dead, Deals, Rows, by_membership, deals_of, died, rows_where
from kripke_werewolf.werewolf.inference.plan import Acting, Known, Move, Plan, Published
from kripke_werewolf.werewolf.roles import Deck, Role
from kripke_werewolf.werewolf.rules import FACTS
from kripke_werewolf.werewolf.setup import Setup

ANYBODY = -1
"""The target of an attack that affects no information."""

Worlds: TypeAlias = Rows
"""A set of deals, as a bit mask."""

Orders: TypeAlias = tuple[tuple[Mapping[int, frozenset[int]], Fraction], ...]
"""Orders of a night: for each player the attackers who matter before their vision, with the probability."""


@lru_cache(maxsize=1 << 14)
def _settled(
    game: Declared, schema: Schema, i: int | None, t: int | None, living: tuple[int, ...]
) -> Formula:
    f = seated(game, schema, i, t)
    official = {
        f"{stem}_{p}": s.Constant(p not in living)
        for stem in ("dead", "out")
        for p in range(len(game.players))
    }
    known = {
        atom: game.meaning[atom].substitute(official) for atom in f.atoms if atom.startswith("dominant_")
    }
    return f.substitute({**known, **{atom: out for atom, out in official.items() if atom.startswith("out_")}})


@lru_cache(maxsize=1 << 14)
def _rows(deck: Deck, f: Formula) -> Worlds:
    return deals_of(deck).test(f)(())


@dataclass(frozen=True, eq=False)
class Backbone:
    """The part of a history that is the same for every seer; places stand for players."""

    plan: Plan
    place: Mapping[str, int]
    """The places of the named players."""
    roles: Mapping[tuple[int, int], Role]
    """The roles drawn, by step and place."""
    attacks: Mapping[tuple[int, int], int | None]
    """The target of every attack, by step and place of the attacker; None if not asked, `ANYBODY` for a
    target whose death affects nothing else."""

    @cached_property
    def setup(self) -> Setup:
        """The settings of the game."""
        return self.plan.setup

    @cached_property
    def deals(self) -> Deals:
        """The deals of the game's deck."""
        return deals_of(self.setup.deck)

    @cached_property
    def game(self) -> Declared:
        """What happens in the game."""
        return declared(self.setup)

    def formula(self, number: int, schema: Schema, i: int | None = None, t: int | None = None) -> Formula:
        """Return what a schema says at a step, where official deaths decide who is dominant.

        Wolves die only by a vote or together with their last worlds.
        """
        return _settled(self.game, schema, i, t, self.living[number])

    def where(self, number: int, schema: Schema, i: int, t: int | None = None) -> Worlds:
        """Return the deals where something is true at a step that reads cards and official deaths only."""
        return _rows(self.setup.deck, self.formula(number, schema, i, t))

    def where_dealt(self, schema: Schema, i: int) -> Worlds:
        """Return the deals where something is true of a player before the first step, if there is any."""
        return _rows(self.setup.deck, _settled(self.game, schema, i, None, tuple(self.deals.places)))

    def true(self, f: Formula, dead: Dead) -> Worlds:
        """Return the deals where a formula about cards and deaths is true."""
        if any(atom.startswith("dead_") for atom in f.atoms):
            return self.deals.test(f)(dead)
        return _rows(self.setup.deck, f)

    @cached_property
    def viewer(self) -> int:
        """The place of the viewer."""
        return self.place[self.plan.viewer]

    @cached_property
    def living(self) -> tuple[tuple[int, ...], ...]:
        """For each step the places of the players not officially dead at its beginning."""
        return living_places(self.plan, self.place)

    # others' possible targets

    def targets(self, number: int, actor: int, action: str) -> tuple[int, ...]:
        """Return the publicly possible targets of a player."""
        return open_targets(self.setup, self.living[number], actor, action)

    # attacks

    def after_open_attacks(self, alive: Worlds, dead: Dead) -> Iterator[tuple[Worlds, Dead, Fraction]]:
        """Yield the worlds that hidden attacks of a running phase may have left of some, each with its share.

        The dominant wolf may have attacked nobody yet, or any other player who is not a
        wolf, all equally likely.
        """
        step, rest, act = self.plan.running, alive, self.game.acts["attack"]
        if step is None or not act.change or step.alone or "attack" not in self.setup.actions(step.phase):
            yield alive, dead, Fraction(1)
            return
        number = self.plan.steps.index(step)
        for actor in self.living[number]:
            if (number, actor) in self.attacks or moves_count(self.plan, self.place, step, actor):
                continue
            hunting = alive & self.where(number, act.by, actor)
            rest &= ~hunting
            targets = self.targets(number, actor, "attack")
            prey = {t: self.deals.every ^ self.where(number, act.impossible, actor, t) for t in targets}
            for open_, worlds in by_membership(hunting, prey.values()).items():
                share = Fraction(1, open_ + 1)
                yield worlds, dead, share
                for t, good in prey.items():
                    yield *died(worlds, dead, t, worlds, worlds & ~good), share
        yield rest, dead, Fraction(1)

    @cached_property
    def attackers(self) -> Mapping[int, tuple[tuple[int, int], ...]]:
        """For each step its attacks, in the order of the places."""
        found: dict[int, list[tuple[int, int]]] = {}
        for (number, actor), target in sorted(self.attacks.items()):
            if target is not None:
                found.setdefault(number, []).append((actor, target))
        return {number: tuple(pairs) for number, pairs in found.items()}

    @cached_property
    def orders(self) -> Mapping[int, Orders]:
        """For each night of random order, the attackers before each vision, with the probability."""
        look, attack = self.game.acts["vision"], self.game.acts["attack"]
        if not attack.change or (self._harmless and look.pool == "true"):  # no vision depends on attacks
            return {}
        mixed = (n for n in self.attackers if in_random_order(self.setup, self.plan.steps[n]))
        return {number: self._orders(number) for number in mixed}

    @cached_property
    def _harmless(self) -> bool:
        return removes_nothing(self.game, self.game.acts["attack"])

    def _orders(self, number: int, looking: tuple[int, ...] = ()) -> Orders:
        """Return the relevant attackers that may have acted before each vision, with the share of the orders.

        Where attacks are harmless, only those on the seer matter to a vision: others remove nothing it could
        show. `looking`: players who act in this order, in the orders that count.
        """
        made, living = self.attackers.get(number, ()), self.living[number]
        relevant = {
            p: frozenset(x for x, t in made if x != p and (not self._harmless or t == p)) for p in living
        }
        acting = [p for p in living if relevant[p] or any(p in others for others in relevant.values())]
        taking_turns = {*acting, *looking}
        turns = ({p: turn for turn, p in enumerate(order)} for order in permutations(taking_turns))
        found = Counter(
            tuple(frozenset(x for x in relevant[p] if turn[x] < turn[p]) for p in acting)
            for turn in turns
            if all(turn[p] < turn[q] for p, q in pairwise(looking))
        )
        every = factorial(len(taking_turns))
        return tuple((dict(zip(acting, key, strict=True)), Fraction(n, every)) for key, n in found.items())

    @cached_property
    def ways(self) -> tuple[tuple[Mapping[int, Mapping[int, frozenset[int]]], Fraction], ...]:
        """Every combination of the orders of all nights."""
        return tuple(
            (
                dict(zip(self.orders, (before for before, _ in chosen), strict=True)),
                prod((share for _, share in chosen), start=Fraction(1)),
            )
            for chosen in product(*self.orders.values())
        )

    def shares(self, number: int, looking: tuple[int, ...]) -> tuple[Fraction, ...]:
        """Return for each of the `ways` the probability that visions of a night are made in an order."""
        if len(looking) < 2 or number not in self.orders:
            return (Fraction(1, factorial(len(looking))),) * len(self.ways)
        both = self._orders(number, looking)

        def chance(orders: Orders, way: Mapping[int, Mapping[int, frozenset[int]]]) -> Fraction:
            return sum((p for before, p in orders if before == way[number]), Fraction(0))

        return tuple(chance(both, way) / chance(self.orders[number], way) for way, _ in self.ways)

    # bites

    @cached_property
    def bites(self) -> tuple[tuple[tuple[int, int, Fraction], ...], ...]:
        """For each step the bites that count after it: target, attacker and the fraction of a life."""
        return tuple(
            tuple((t, x, share) for (t, x), share in at.items())
            for at in bites_of(self.plan, self.place, self.roles, self.attackers)
        )

    @cached_property
    def scale(self) -> int:
        """A common denominator of all bites."""
        return lcm(*(share.denominator for at in self.bites for _, _, share in at))


def living_places(plan: Plan, place: Mapping[str, int]) -> tuple[tuple[int, ...], ...]:
    """Return for each step the places of the players not officially dead at its beginning."""
    players = set(plan.setup.players)
    gone = [{place[p] for p in players - set(alive)} for alive in plan.living()]
    return tuple(tuple(p for p in range(len(players)) if p not in dead) for dead in gone)


def moves_count(plan: Plan, place: Mapping[str, int], step: Acting, actor: int) -> bool:
    """Whether the moves of a player are known or searched for: in the current phase only known ones."""
    return step.ended or actor in {place[plan.viewer], *(place[name] for name, _ in step.known)}


def blind_in(plan: Plan, place: Mapping[str, int], step: Acting) -> tuple[int, ...]:
    """Return the places of players whose vision in a running night showed nothing.

    Where only living seers see, others may have attacked them before it.
    """
    game = declared(plan.setup)
    if step.ended or game.acts["vision"].pool == "true" or not game.acts["attack"].change:
        return ()
    return tuple(
        place[name]
        for (name, action), made in step.known.items()
        if action == "vision" and isinstance(made, Move) and made.target and made[1:] == (None, True)
    )


def in_random_order(setup: Setup, step: object) -> bool:
    """Whether players act in a random order in which visions and attacks mix."""
    if not isinstance(step, Acting):
        return False
    return step.phase.kind == "night" and setup.rules.acting_order == "random" and step.ended


def worlds_behind(plan: Plan, step: Published, most: int) -> Iterator[int]:
    """Yield the numbers of worlds for which all entries of a table are possible shares."""
    deck, fractional = plan.setup.deck, declared(plan.setup).mark is not None
    cells = [c for c in step.cells if not (fractional and FACTS[c.heading] == "dead")]
    unit = lcm(*(c.low.denominator for c in cells if c.low == c.high))
    for size in range(unit, most + 1, unit):
        if step.worlds is not None and size != step.worlds:
            continue
        bounds = [(FACTS[c.heading], ceil(c.low * size), floor(c.high * size)) for c in cells]
        if any(low > high for _, low, high in bounds):
            continue
        for fact in ("wolf", "good", "seer"):
            cards = deck.cards(fact)
            column = [(low, high) for f, low, high in bounds if f == fact]
            if sum(low for low, _ in column) > cards * size:
                break
            if len(column) == deck.players and sum(high for _, high in column) < cards * size:
                break
        else:
            yield size


def open_targets(setup: Setup, living: tuple[int, ...], actor: int, action: str) -> tuple[int, ...]:
    """Return the publicly possible targets: the living, possibly except oneself.

    An attack on oneself is never possible: where one is dominant, one is a wolf.
    """
    act = declared(setup).acts[action]  # type: ignore[index]
    own = act.on_self and not act.refusable
    return tuple(p for p in living if own or p != actor)


def bites_of(
    plan: Plan,
    place: Mapping[str, int],
    roles: Mapping[tuple[int, int], Role],
    attackers: Mapping[int, tuple[tuple[int, int], ...]],
) -> Iterator[Mapping[tuple[int, int], Fraction]]:
    """Yield the bites that count after each step: (target, attacker) and the fraction of a life."""
    game, deck = declared(plan.setup), plan.setup.deck
    mark = game.mark
    sharing = frozenset[Role]() if mark is None else game.roles(mark.shared)
    left = sum(map(deck.cards, sharing))
    found: dict[tuple[int, int], Fraction] = {}
    for number, step in enumerate(plan.steps):
        for actor, target in attackers.get(number, ()) if mark is not None else ():
            found[target, actor] = Fraction(1, max(left, 1))
        for seat in map(place.__getitem__, step.dead):
            if mark is not None and not mark.lasting and roles.get((number, seat)) in sharing:
                left -= 1
                found = {pair: share for pair, share in found.items() if pair[1] != seat}
        yield dict(found)


def is_true(f: Formula, facts: frozenset[str]) -> bool:
    """Return whether a Boolean formula is true if exactly these atoms are."""
    return bool(rows_where(f, 1, lambda atom: int(atom in facts)))


def announced_roles(setup: Setup, said: str | None, *, voted: bool) -> frozenset[Role]:
    """Return the roles that may have been drawn, given the announcement of a death."""
    game = declared(setup)
    words = dict((game.vote if voted else game.found).says)
    return game.roles(words.get(said or "", "true"))


def known_move(place: Mapping[str, int], step: Acting, actor: int, action: str) -> Known | None:
    """Return the known facts about a player's use of an action in a phase; `place`: of the named players."""
    found = (made for (name, of), made in step.known.items() if of == action and place.get(name) == actor)
    return next(found, None)
