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
from kripke_werewolf.werewolf.inference.plan import Acting, PlacedMove, Plan, Published
from kripke_werewolf.werewolf.roles import Deck, Role
from kripke_werewolf.werewolf.rules import FACTS, Action
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
        """Return the formula of a schema at a step, where official deaths decide who is dominant.

        Wolves die only by a vote or together with their last worlds.
        """
        return _settled(self.game, schema, i, t, self.living[number])

    def where(self, number: int, schema: Schema, i: int, t: int | None = None) -> Worlds:
        """Return the deals where something is true at a step that reads cards and official deaths only."""
        return _rows(self.setup.deck, self.formula(number, schema, i, t))

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
        """For each step, and the end, the places of the players not officially dead before it."""
        found = [tuple(self.deals.places)]
        for step in self.plan.steps:
            dead = {self.place[name] for name in step.dead}
            found.append(tuple(p for p in found[-1] if p not in dead))
        return tuple(found)

    @cached_property
    def known(self) -> Mapping[tuple[int, int, Action], PlacedMove]:
        """The known moves, and the known reasons for none, by step, place and action."""
        return {
            (n, self.place[name], action): PlacedMove(
                n, self.place[name], action, self.place.get(move.target or ""), move.result
            )
            for n, step in enumerate(self.plan.steps)
            if isinstance(step, Acting)
            for (name, action), move in step.known.items()
        }

    def moves_count(self, number: int, actor: int) -> bool:
        """Whether the moves of a player are known or searched for: in the current phase only known ones."""
        step = self.plan.steps[number]
        acting = (p for n, p, _ in self.known if n == number)
        return not isinstance(step, Acting) or step.ended or actor in (self.viewer, *acting)

    def blind_in(self, number: int) -> tuple[int, ...]:
        """Return the places of players whose vision in a running night showed nothing.

        Where only living seers see, others may have attacked them before it.
        """
        step, acts = self.plan.steps[number], self.game.acts
        if step is not self.plan.running or acts["vision"].pool == "true" or not acts["attack"].change:
            return ()
        looks = (move for move in self.known.values() if move.step == number and move.action == "vision")
        return tuple(look.actor for look in looks if look.target is not None and look.result is None)

    def targets(self, number: int, actor: int, action: Action) -> tuple[int, ...]:
        """Return the publicly possible targets of a player: the living, possibly except oneself.

        An attack on oneself is never possible: where one is dominant, one is a wolf.
        """
        act = self.game.acts[action]
        own = act.on_self and not act.refusable
        return tuple(p for p in self.living[number] if own or p != actor)

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
            if (number, actor) in self.attacks or self.moves_count(number, actor):
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
        free = not attack.change or (self._harmless and look.pool == "true")  # no vision depends on attacks
        if free or self.setup.rules.acting_order != "random":
            return {}
        steps = ((n, step) for n, step in enumerate(self.plan.steps) if isinstance(step, Acting))
        nights = (n for n, step in steps if step.ended and step.phase.kind == "night")
        return {number: self._orders(number) for number in nights if number in self.attackers}

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
        mark, after = self.game.mark, list[tuple[tuple[int, int, Fraction], ...]]()
        sharing = frozenset[Role]() if mark is None else self.game.roles(mark.shared)
        left, found = sum(map(self.setup.deck.cards, sharing)), dict[tuple[int, int], Fraction]()
        for number, step in enumerate(self.plan.steps):
            for actor, target in self.attackers.get(number, ()) if mark is not None else ():
                found[target, actor] = Fraction(1, max(left, 1))
            for seat in map(self.place.__getitem__, step.dead):
                if mark is not None and not mark.lasting and self.roles.get((number, seat)) in sharing:
                    left -= 1
                    found = {pair: share for pair, share in found.items() if pair[1] != seat}
            after.append(tuple((*pair, share) for pair, share in found.items()))
        return tuple(after)

    @cached_property
    def scale(self) -> int:
        """A common denominator of all bites."""
        return lcm(*(share.denominator for at in self.bites for _, _, share in at))


def worlds_behind(plan: Plan, step: Published, most: int) -> Iterator[int]:
    """Yield the numbers of worlds for which all entries of a table are possible shares."""
    deck, fractional = plan.setup.deck, declared(plan.setup).mark is not None
    cells = [c for c in step.cells if not (fractional and FACTS[c.heading] == "dead")]
    unit = lcm(*(c.low.denominator for c in cells if c.low == c.high))

    def possible(size: int) -> bool:
        bounds = [(FACTS[c.heading], ceil(c.low * size), floor(c.high * size)) for c in cells]
        for fact in ("wolf", "good", "seer"):
            column, every = [(low, high) for f, low, high in bounds if f == fact], deck.cards(fact) * size
            whole = len(column) == deck.players
            if sum(low for low, _ in column) > every or (whole and sum(high for _, high in column) < every):
                return False
        return all(low <= high for _, low, high in bounds)

    sizes = range(unit, most + 1, unit)
    return filter(possible, sizes if step.worlds is None else [n for n in sizes if n == step.worlds])


def is_true(f: Formula, facts: frozenset[str]) -> bool:
    """Return whether a Boolean formula is true if exactly these atoms are."""
    return bool(rows_where(f, 1, lambda atom: int(atom in facts)))
