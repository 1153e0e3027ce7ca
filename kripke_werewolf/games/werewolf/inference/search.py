"""The search for all histories that give a player the information they have.

Numbers, drawn roles, the worlds behind each table and the attacks are tried one after the other, each as soon
as the tables rule out most of its possibilities. These fix a *scenario* (`Backbone`): which worlds there
would be at every moment if nobody had looked at anybody (`course`). A vision of X removes only worlds in
which X is the seer, whatever the others see. So the worlds of each seer are a row: every result of their
visions leaves some of these (`Leaf`), and each published number is the sum over one leaf of every row. With
several seers there is one row, with the visions of everybody.

`Demands` are what the player was told about these sums: bounds, and conditions about all worlds: that a
player is asked for an attack, that no verdict stands, that one role is left. Each statement about all worlds
in a condition is a flag, set where a world denies it. `convolution` adds up the rows; a `Find` holds all
histories of a scenario.

Worlds are deals of the deck, by number; sets of them are integers used as bit masks.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache, partial, reduce
from importlib.util import find_spec
from itertools import chain, islice, pairwise, permutations, product, takewhile
from math import ceil, factorial, floor, inf, lcm, prod
from operator import add, and_, mul, or_
from typing import NamedTuple, NoReturn, TypeAlias

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.games.werewolf.declarations import (
    SURVIVING,
    Declared,
    asks_all,
    declared,
    exclusive,
    fixed_by,
    removes_nothing,
    seated,
    splits_worlds,
)
from kripke_werewolf.games.werewolf.engines import remembered
from kripke_werewolf.games.werewolf.enumerated import (
    Dead,
    Deals,
    Rows,
    by_membership,
    deals_of,
    died,
)
from kripke_werewolf.games.werewolf.inference.convolution import Summand, TooManyStates, Total, convolve
from kripke_werewolf.games.werewolf.inference.plan import (
    ANY_SHARE,
    BY_FACTS,
    NOT_ASKED,
    PASSED,
    UNMADE,
    Acting,
    Died,
    Judged,
    Moment,
    Noticed,
    PlacedMove,
    Plan,
    Published,
    Voted,
    idle,
    unplanned,
    unpublished,
)
from kripke_werewolf.games.werewolf.roles import WOLF, Action, Deck, Schema
from kripke_werewolf.games.werewolf.rules import column_fact
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.logic.formulas import (
    FALSE,
    TRUE,
    Atom,
    Constant,
    Everywhere,
    Formula,
    Not,
    conjunction,
    disjunction,
    exactly,
    simplify,
)

Worlds: TypeAlias = Rows
"""A set of deals, as a bit mask."""

Attacks: TypeAlias = Mapping[tuple[int, int], "int | None"]
"""The target of every attack, by step and place of the attacker; None if not asked."""

DrawnRoles: TypeAlias = Mapping[tuple[int, int], str]
"""The roles drawn, by step and place."""

Left: TypeAlias = tuple[Worlds, Dead]
"""The worlds at some moment, and for each place those in which the player is dead."""

Orders: TypeAlias = tuple[tuple[Mapping[int, frozenset[int]], Fraction], ...]
"""Orders of a night: for each player, the attackers who matter before their vision, with the probability."""


@lru_cache(maxsize=1 << 14)
def _settled(
    game: Declared, schema: Schema, i: int | None, t: int | None, living: tuple[int, ...]
) -> Formula:
    f = seated(game, schema, i, t)
    gone = {p: Constant(p not in living) for p in range(len(game.players))}
    official = {f"{stem}_{p}": out for stem in ("dead", "out") for p, out in gone.items()}
    ranked = (atom for atom in f.atoms if atom.startswith("dominant_"))
    known = {atom: game.meaning[atom].substitute(official) for atom in ranked}
    return f.substitute({**known, **{atom: out for atom, out in official.items() if atom.startswith("out_")}})


@lru_cache(maxsize=1 << 14)
def _rows(deck: Deck, f: Formula) -> Worlds:
    return deals_of(deck).test(f)


@dataclass(frozen=True, eq=False)
class Backbone:
    """The part of a history that is the same for every seer; places stand for players."""

    plan: Plan
    place: Mapping[str, int]
    """The places of the named players."""
    roles: DrawnRoles
    attacks: Attacks
    said: dict[Hashable, Formula] = field(default_factory=dict)
    """Conditions in terms of flags, shared by all ways to attack."""
    totals: dict[Hashable, tuple[Total | None, tuple[int, ...]]] = field(default_factory=dict)
    """Sums with the sizes at their ends; shared like the conditions."""
    bits: dict[tuple[int, int, Formula], int] = field(default_factory=dict)
    """The flag of each statement about all worlds, by step and moment; shared like the conditions."""

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
            return self.deals.test(f, dead)
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
        found = {}
        for n, step in enumerate(self.plan.steps):
            for (name, action), move in step.known.items() if isinstance(step, Acting) else ():
                p, target = self.place[name], self.place.get(move.target or "")
                found[n, p, action] = PlacedMove(n, p, action, target, move.result)
        return found

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
        """Return the publicly possible targets of a player: the living, perhaps without the player.

        Nobody can attack themselves: where they are dominant, they are a wolf.
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
        over = step is None or step.alone or self.plan.told.entries[-1].resting
        if step is None or over or not act.change or "attack" not in self.setup.actions(step.phase):
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
    def strikes(self) -> Mapping[int, Mapping[int, int]]:
        """For each step, its attacks, in the order of the places."""
        made = sorted(
            (n, (actor, target)) for (n, actor), target in self.attacks.items() if target is not None
        )
        return {number: dict(pairs) for number, pairs in grouped(made).items()}

    @cached_property
    def course(self) -> Mapping[tuple[int, int], Left]:
        """The worlds before (0) and after (1) each step, and at the end, if no vision removed any."""
        found, left = dict[tuple[int, int], Left](), (self.deals.every, (0,) * self.setup.deck.players)
        for number, step in enumerate(self.plan.steps):
            if isinstance(step, Voted):
                spared = self.formula(number, self.game.vote.needs, self.place[step.player])
                left = left[0] & self.true(spared, left[1]), left[1]
            found[number, 0] = left
            left = self._struck(number, self.strikes.get(number, ()), left)
            for p in () if isinstance(step, Judged) else map(self.place.__getitem__, step.dead):
                drawn = left[0] & self.deals.holders[self.roles[number, p]][p]
                left = died(drawn, left[1], p, self.deals.every)
            found[number, 1] = left
        found[len(self.plan.steps), 1] = left
        return found

    def _struck(self, number: int, attackers: Iterable[int], left: Left) -> Left:
        """Return the rest after the attacks of some players in a step."""
        act = self.game.acts["attack"]
        for actor in attackers if act.change else ():
            target, (alive, dead) = self.strikes[number][actor], left
            wolves = self.where(number, act.impossible, actor, target)
            left = died(alive, dead, target, alive & self.where(number, act.by, actor), wolves)
        return left

    def pools(self, number: int, actor: int) -> tuple[list[Worlds], list[Worlds]]:
        """Return for each of the `ways` the worlds a vision is drawn from, and those by which it may fail.

        In a running night these differ: all known attacks may have come before it.
        """
        step, rules, made = self.plan.steps[number], self.setup.rules, self.strikes.get(number, {})
        if step is self.plan.running:
            return [self._pool(number, actor, ())] * len(self.ways), [self._pool(number, actor, made)] * len(
                self.ways
            )
        in_turn = rules.acting_order == "number" and is_night(step)
        earlier = frozenset(x for x in made if in_turn and x < actor)
        pools = [self._pool(number, actor, way.get(number, {}).get(actor, earlier)) for way, _ in self.ways]
        return pools, pools

    def _pool(self, number: int, actor: int, before: Iterable[int]) -> Worlds:
        look = self.game.acts["vision"]
        alive, dead = self._struck(number, before, self.course[number, 0])
        pool = self.formula(number, look.pool, actor)
        return alive & self.where(number, look.by, actor) & self.true(pool, dead)

    @cached_property
    def orders(self) -> Mapping[int, Orders]:
        """For each night of random order, the attackers before each vision, with the probability."""
        look, attack = self.game.acts["vision"], self.game.acts["attack"]
        free = not attack.change or (self.harmless and look.pool == "true")  # no vision depends on attacks
        if free or self.setup.rules.acting_order != "random":
            return {}
        nights = (n for n, step in enumerate(self.plan.steps) if is_night(step) and n in self.strikes)
        return {number: self._orders(number) for number in nights}

    @cached_property
    def harmless(self) -> bool:
        """Whether attacks remove no world."""
        return removes_nothing(self.game, self.game.acts["attack"])

    def _orders(self, number: int, looking: tuple[int, ...] = ()) -> Orders:
        """Return the relevant attackers that may have acted before each vision, with the share of the orders.

        Where attacks are harmless, only those on the seer matter to a vision: others remove nothing it could
        show. `looking`: players who act in this order, in the orders that count.
        """
        made, living = self.strikes.get(number, {}).items(), self.living[number]
        relevant = {
            p: frozenset(x for x, t in made if x != p and (not self.harmless or t == p)) for p in living
        }
        acting = [p for p in living if relevant[p] or any(p in others for others in relevant.values())]
        taking_turns, found = {*acting, *looking}, Counter[tuple[frozenset[int], ...]]()
        for order in permutations(taking_turns):
            turn = {p: place for place, p in enumerate(order)}
            if all(turn[p] < turn[q] for p, q in pairwise(looking)):
                found[tuple(frozenset(x for x in relevant[p] if turn[x] < turn[p]) for p in acting)] += 1
        every = factorial(len(taking_turns))
        return tuple((dict(zip(acting, key, strict=True)), Fraction(n, every)) for key, n in found.items())

    @cached_property
    def ways(self) -> tuple[tuple[Mapping[int, Mapping[int, frozenset[int]]], Fraction], ...]:
        """Every combination of the orders of all nights."""
        found = []
        for chosen in product(*self.orders.values()):
            before = {number: made for number, (made, _) in zip(self.orders, chosen, strict=True)}
            found.append((before, prod((share for _, share in chosen), start=Fraction(1))))
        return tuple(found)

    def shares(self, number: int, looking: tuple[int, ...]) -> tuple[Fraction, ...]:
        """Return for each of the `ways` the probability that visions of a night are made in an order."""
        if len(looking) < 2 or number not in self.orders:
            return (Fraction(1, factorial(len(looking))),) * len(self.ways)
        both = self._orders(number, looking)

        def chance(orders: Orders, way: Mapping[int, Mapping[int, frozenset[int]]]) -> Fraction:
            return sum((p for before, p in orders if before == way[number]), Fraction(0))

        return tuple(chance(both, way) / chance(self.orders[number], way) for way, _ in self.ways)

    def by_facts(
        self, atoms: Sequence[str], place: Mapping[str, int], alive: Worlds, dead: Dead
    ) -> dict[frozenset[str], Worlds]:
        """Return sets of worlds by the true ones of some atoms, given the places of the players in these."""
        found = {frozenset[str](): alive}
        for atom in atoms:
            fact, _, name = atom.partition("_")
            placed = f"{fact}_{place[name]}"
            inside = self.deals.test(self.game.meaning.get(placed, Atom(placed)), dead)
            halves = [((facts | {atom}, w & inside), (facts, w & ~inside)) for facts, w in found.items()]
            found = {facts: worlds for both in halves for facts, worlds in both if worlds}
        return found

    # what silence says

    def conditions(self, number: int) -> Iterator[tuple[int, Formula]]:
        """Yield the news of deaths and notices, or of none, about all worlds before (0), or after a step."""
        step = self.plan.steps[number]
        if isinstance(step, Died) and self.game.mark is None:
            yield from self._deaths(number, [self.place[name] for name in step.dead])
        elif isinstance(step, Noticed):
            informed = (isinstance(s, Noticed) and s.role is not None for s in self.plan.steps[:number])
            for word, schema in () if any(informed) else self.game.notices:
                if step.role in (None, word):
                    left = Everywhere(seated(self.game, schema, self.viewer))
                    yield 0, _so(left, step.role is not None)

    def _deaths(self, number: int, found: Sequence[int]) -> Iterator[tuple[int, Formula]]:
        """Yield that those found dead were dead in every world, in turn, and all others live in some."""

        def certain(p: int, before: tuple[int, ...]) -> Formula:
            """Return the condition that a player was dead in all worlds once some roles were drawn."""
            drawn = conjunction(Atom(f"{self.roles[number, q]}_{q}") for q in sorted(before))
            return Everywhere(drawn >> Atom(f"dead_{p}"))

        for p in self.living[number]:
            if p not in found:
                yield 1, ~Everywhere(Atom(f"dead_{p}"))
        orders = permutations(found)
        in_turn = (conjunction(certain(p, order[:n]) for n, p in enumerate(order)) for order in orders)
        yield 0, disjunction(in_turn)

    # bites

    @cached_property
    def bites(self) -> tuple[tuple[tuple[int, int, Fraction], ...], ...]:
        """For each step, the bites that count after it: target, attacker and the fraction of a life."""
        mark, after = self.game.mark, list[tuple[tuple[int, int, Fraction], ...]]()
        if mark is None:
            return ((),) * len(self.plan.steps)
        sharing = self.game.roles(mark.shared)
        left, found = sum(map(self.setup.deck.cards, sharing)), dict[tuple[int, int], Fraction]()
        for number, step in enumerate(self.plan.steps):
            for actor, target in self.strikes.get(number, {}).items():
                found[target, actor] = Fraction(1, max(left, 1))
            for seat in map(self.place.__getitem__, step.dead):
                if not mark.lasting and self.roles.get((number, seat)) in sharing:
                    left -= 1
                    found = {pair: share for pair, share in found.items() if pair[1] != seat}
            after.append(tuple((*pair, share) for pair, share in found.items()))
        return tuple(after)

    @cached_property
    def scale(self) -> int:
        """A common denominator of all bites."""
        return lcm(*(share.denominator for at in self.bites for _, _, share in at))


def is_night(step: Moment) -> bool:
    """Whether it is a night that is over."""
    return isinstance(step, Acting) and step.ended and step.phase.kind == "night"


def worlds_behind(plan: Plan, step: Published, most: int) -> Iterator[int]:
    """Yield the numbers of worlds for which all entries of a table are possible shares."""
    deck, fractional = plan.setup.deck, declared(plan.setup).mark is not None
    cells = [c for c in step.cells if not (fractional and column_fact(c.heading) == "dead")]
    unit = lcm(*(c.low.denominator for c in cells if c.low == c.high))

    def possible(size: int) -> bool:
        bounds = [(column_fact(c.heading), ceil(c.low * size), floor(c.high * size)) for c in cells]
        for fact in (*deck.kinds, "good"):
            column, every = [(low, high) for f, low, high in bounds if f == fact], deck.cards(fact) * size
            whole = len(column) == deck.players
            if sum(low for low, _ in column) > every or (whole and sum(high for _, high in column) < every):
                return False
        return all(low <= high for _, low, high in bounds)

    sizes = range(unit, most + 1, unit)
    return (size for size in sizes if step.worlds in (None, size) and possible(size))


# --- the demands -----------------------------------------------------------------------------------


class _Component(NamedTuple):
    """A number that is a sum over the rows: a count of worlds at some moment."""

    step: int
    fact: str
    """`worlds`, a role, `wolf`, `good`, `dead`; `bitten` for the sum of the bites minus the worlds."""
    place: int = 0
    after: int = 1
    """Whether it is counted after the step (1) or before it (0)."""


class Demands:
    """The demands of the plan on a scenario: numbers with their intervals, and conditions about all worlds.

    `components` are the numbers to which every row adds, in order of time; `tests` the statements about all
    worlds before (0) and after (1) each step, with their flags.
    """

    def __init__(self, scenario: Backbone) -> None:
        self.scenario, self.plan = scenario, scenario.plan
        self.deals, self.game = scenario.deals, scenario.game
        self.components: list[_Component] = []
        self.conditions: list[Formula] = []
        """What must hold, in atoms that say that a flag is not set."""
        self.choices: list[tuple[Formula, ...]] = []
        """For each attack of another player, and each possible target of it, whether it was accepted."""
        self.draws: list[tuple[_Component, _Component | None]] = []
        """For each draw: the worlds before and after it; None if one world was drawn."""
        self.collapse: Judged | None = None
        self._drawn: list[Formula] = []
        """What is true in the world drawn by a forced collapse."""
        for number, step in enumerate(self.plan.steps):
            match step:
                case Acting():
                    self._acting(number, step)
                case Voted():
                    self._draw(number)
                case Died():
                    self._found(number, step)
                case Judged():
                    self._judged(number, step)
                case Published():
                    self._shown(number, step)
            for after, condition in scenario.conditions(number):
                self._demand(number, condition, after)
        self.worlds = self._component(len(self.plan.steps), "worlds")
        """The worlds at the end."""
        self.components.sort(key=lambda c: (c.step, c.after))
        self.counted = grouped(((c.step, c.after), self._counted(c)) for c in self.components)
        """The numbers counted before (0) and after (1) each step, each as worlds with their factors."""
        asked = {atom for f in (*self.conditions, *sum(self.choices, ())) for atom in f.atoms}
        kept = {key: bit for key, bit in scenario.bits.items() if _kept(bit) in asked}
        self.tests = grouped(
            ((n, after), (1 << bit, self.deals.every ^ scenario.true(body, scenario.course[n, after][1])))
            for (n, after, body), bit in kept.items()
        )
        """The flags before (0) and after (1) each step, each with the worlds that deny its statement."""
        self.flags = len(scenario.bits)
        """The number of flags."""

    # the pieces

    def _component(self, step: int, fact: str, place: int = 0, *, after: int = 1) -> _Component:
        wanted = _Component(step, fact, place, after)
        if wanted not in self.components:
            self.components.append(wanted)
        return wanted

    def _said(self, number: int, condition: Formula, after: int = 0) -> Formula:
        """Return a condition about all worlds at a step in terms of flags."""
        bits, said = self.scenario.bits, self.scenario.said

        def flagged(f: Formula) -> Formula:
            if not isinstance(f, Everywhere):
                return f
            if self._surely_denied(number, f.body):
                return FALSE
            statement = number, after, self._meant(number, f.body)
            return Atom(_kept(bits.setdefault(statement, len(bits))))

        key = number, condition, after, self.scenario.bites[number]
        return remembered(said, key, lambda: simplify(condition.rewrite(flagged)))

    def _demand(self, number: int, condition: Formula, after: int = 0) -> None:
        found = self._said(number, condition, after)
        if found is not TRUE:
            self.conditions.append(found)

    def _meant(self, number: int, body: Formula) -> Formula:
        """Return the meaning of a statement for each world: bitten players are not quite alive there."""
        match body:
            case Not(Atom(name)) if name.startswith("dead_") and self.game.mark is not None:
                p, where = int(name[5:]), self.game.mark.where
                attackers = [x for t, x, _ in self.scenario.bites[number] if t == p]
                bites = (seated(self.game, where, x, p) for x in attackers)
                return ~disjunction([body.body, *bites])
        return body

    def _surely_denied(self, number: int, body: Formula) -> bool:
        """Whether later tables show that some world denies it."""
        scenario, seats = self.scenario, {int(atom.rpartition("_")[2]) for atom in body.atoms}
        if len(seats) != 1:
            return False
        (p,) = seats
        if any(atom.startswith("dead_") for atom in body.atoms):
            return isinstance(body, Atom) and self.plan.shows_later(number, "alive", p)
        true = scenario.true(body, ())
        shown = (fact for fact in self.deals.holders if self.plan.shows_later(number, fact, p))
        return any(not self.deals.holders[fact][p] & true for fact in shown)

    # by kind of step

    def _acting(self, number: int, step: Acting) -> None:
        scenario, act = self.scenario, self.game.acts["attack"]
        if not step.ended:
            self._goes_on(number, step)
        if "attack" not in scenario.setup.actions(step.phase):
            return
        sure = not act.refusable or scenario.harmless
        for actor in scenario.living[number]:
            if (number, actor) not in scenario.attacks:
                continue
            target = scenario.attacks[number, actor]
            none = idle(scenario.known.get((number, actor, "attack")))
            if none != UNMADE:
                asked = self._asked(number, actor, "attack")
                self._demand(number, _so(asked, target is not None or none == PASSED))
            if target is None:
                continue
            targets = scenario.targets(number, actor, "attack")
            accepted = {t: TRUE if sure else self._accepted(number, actor, t) for t in targets}
            self._demand(number, accepted.get(target, TRUE))
            if actor != scenario.viewer:
                self.choices.append(tuple(self._said(number, f) for f in accepted.values()))
        look = self.game.acts["vision"]
        for blind in scenario.blind_in(number):  # before it, all who see were attacked
            sees = scenario.formula(number, f"({look.by}) & ({look.pool})", blind)
            for actor in scenario.living[number]:
                if not scenario.moves_count(number, actor):
                    nobody = Everywhere(~(scenario.formula(number, act.by, actor) & sees))
                    self._demand(number, _so(nobody, scenario.attacks.get((number, actor)) != blind))
        for name in step.refused:
            self._demand(number, ~self._accepted(number, scenario.viewer, scenario.place[name]))

    def _asked(self, number: int, actor: int, action: Action) -> Formula:
        """Return the condition that a player is asked for an action."""
        return ~Everywhere(~self.scenario.formula(number, self.game.acts[action].asked, actor))

    def _accepted(self, number: int, actor: int, target: int) -> Formula:
        """Return the condition that an attack leaves a world in which it is the actor's."""
        act = self.game.acts["attack"]
        return ~Everywhere(~self.scenario.formula(number, f"({act.by}) & ~({act.impossible})", actor, target))

    def _goes_on(self, number: int, step: Acting) -> None:
        """Demand that a move be left if any was made: with the last one the phase would have ended."""
        scenario, left = self.scenario, list[Formula]()
        acted = any(known.made for known in scenario.known.values() if known.step == number)
        for p in scenario.living[number]:
            for action in scenario.setup.actions(step.phase):
                known = scenario.known.get((number, p, action))
                if idle(known) == PASSED:
                    return
                if action == "attack" and scenario.attacks.get((number, p)) is not None:
                    acted = True
                elif known is None or idle(known) == UNMADE:
                    left.append(self._asked(number, p, action))
        if acted:
            self._demand(number, disjunction(left))
        if step.alone is not None:
            self._demand(number, _so(exactly(1, *left) if left else FALSE, step.alone))

    def _draw(self, number: int) -> None:
        self.draws.append((self._component(number, "worlds", after=0), self._component(number, "worlds")))

    def _found(self, number: int, step: Died) -> None:
        """Count the worlds of a draw, and the bites where these kill."""
        scenario, found = self.scenario, [self.scenario.place[name] for name in step.dead]
        if found:
            self._draw(number)
        if self.game.mark is not None:
            living = [p for p in scenario.living[number] if p not in found]
            for p in dict.fromkeys(t for t, _, _ in scenario.bites[number] if t in living):
                self._component(number, "bitten", p)
            for p in found:
                self._component(number, "bitten", p, after=0)

    def _judged(self, number: int, step: Judged) -> None:
        """Demand the verdict given by the rules, with its consequences for some or all worlds."""
        scenario, game = self.scenario, self.game
        ends = {ending.verdict: ending.when for ending in game.endings} | {"collapse": game.collapse}
        end = "collapse" if step.collapsed else step.verdict
        for other in takewhile(lambda other: other != end, ends):
            self._demand(number, ~scenario.formula(number, ends[other]))
        if end is not None:
            self._demand(number, scenario.formula(number, ends[end]))
        if step.verdict is None and not step.collapsed:
            return
        won = {scenario.place[name] for name in step.winners}
        for p in self.deals.places:
            wins = seated(game, game.ending(step.verdict or "village").wins, p)
            if step.collapsed:
                self._drawn.append(_so(wins, p in won))
            else:
                self._demand(number, _so(Everywhere(wins), p in won))
        if not step.collapsed:
            return
        self.draws.append((self._component(number, "worlds"), None))
        self.collapse = step
        died = {scenario.place[name]: word for name, word in step.dead.items()}
        self._drawn += [seated(game, game.found.said(word), p) for p, word in died.items()]
        deaths = {p: Atom(f"dead_{p}") for p in scenario.living[number]}
        self._drawn += [_so(dead, p in died) for p, dead in deaths.items()]
        self._drawn.append(_so(seated(game, SURVIVING), step.verdict == "wolves"))
        if step.role is not None:
            self._drawn.append(Atom(f"{step.role}_{scenario.viewer}"))

    @cached_property
    def drawn(self) -> Worlds:
        """The worlds at the end; the one drawn by a collapse, given later events, is among these."""
        alive, dead = self.scenario.course[len(self.plan.steps), 1]
        return alive & self.deals.test(conjunction(self._drawn), dead)

    def _shown(self, number: int, step: Published) -> None:
        if number > self.plan.collapsed:
            for cell in step.cells:
                if column_fact(cell.heading) != "dead":  # players then found dead are announced as well
                    having = Atom(f"{column_fact(cell.heading)}_{self.plan.place_of(cell.row)}")
                    self._drawn.append(_so(having, cell.high == 1))
            return
        self._component(number, "worlds")
        shown = self.plan.intervals[number]
        exact = sum(fact == WOLF and low == high for (fact, _), (low, high) in shown.items())
        lone = self.game.mark is None and self.scenario.harmless
        for fact, place in shown:  # deaths follow from the wolf and from the attacks, which are fixed
            if fact != "dead" or not lone or exact < len(self.deals.places):
                self._component(number, fact, place)

    # numbers

    def _counted(self, component: _Component) -> list[tuple[int, Worlds]]:
        """Return the worlds that count for a component, with their factors."""
        (number, fact, p, after), scale = component, self.scenario.scale
        if fact == "worlds":
            return [(1, self.deals.every)]
        if fact not in ("dead", "bitten"):
            return [(1, self.deals.holders[fact][p])]
        if fact == "dead" and (dead := self.scenario.course[number, after][1][p]):
            return [(scale, dead)]
        mark, found = self.game.mark, [(-scale, self.deals.every)] if fact == "bitten" else []
        for target, x, share in self.scenario.bites[number - 1 + after]:
            if mark is not None and target == p:
                found.append((int(share * scale), self.scenario.where(number, mark.where, x, target)))
        return found

    def target(self, component: _Component, worlds: Mapping[int, int]) -> tuple[int | None, int | None]:
        """Return the least and greatest value a component may have, given the worlds at each table."""
        step, fact, place, after = component
        if component == self.worlds:
            return 1, None
        if fact == "bitten":  # players bitten to death are found at once
            return (None, -1) if after else (0, None)
        if step not in worlds or not after:
            return None, None
        all_or_any = Fraction(fact == "worlds"), Fraction(1)
        least, most = self.plan.intervals[step].get((fact, place), all_or_any)
        scale = worlds[step] * (self.scenario.scale if fact == "dead" else 1)
        return ceil(least * scale), floor(most * scale)


def _so(f: Formula, holds: bool) -> Formula:
    """Return a formula, or its negation if it does not hold."""
    return f if holds else ~f


def _kept(bit: int) -> str:
    """Return the atom which says that a flag is not set."""
    return f"kept_{bit}"


def _bit(atom: str) -> int:
    return int(atom.removeprefix("kept_"))


@lru_cache(maxsize=1 << 12)
def flags_of(f: Formula) -> int:
    """Return the flags on which a condition depends."""
    return sum(1 << _bit(atom) for atom in f.atoms)


def is_met(f: Formula, flags: int) -> bool:
    """Whether a condition holds if exactly these flags are set."""
    return _is_met(f, flags & flags_of(f))


@lru_cache(maxsize=1 << 14)
def _is_met(f: Formula, flags: int) -> bool:
    return simplify(f.substitute({a: Constant(not flags >> _bit(a) & 1) for a in f.atoms})) is TRUE


# --- the rows --------------------------------------------------------------------------------------

MAX_LEAVES = 400_000
"""Evolutions of a row that may be in memory at once: each takes about a kilobyte."""


class Leaf(NamedTuple):
    """A possible evolution of a row up to now."""

    alive: Worlds
    numbers: tuple[int, ...] = ()
    flags: int = 0
    weights: tuple[Fraction, ...] = (Fraction(1),)
    """Its probability, for each combination of the orders of the nights."""
    seen: tuple[PlacedMove, ...] = ()
    """The visions, and the reasons for none."""


# --- how long it may take --------------------------------------------------------------------------

MAX_STATES = 3_000_000
"""Partial sums that may be in memory at once: each takes some tens of bytes."""


class Unfinished(Exception):
    """The search had to stop; the message says why."""


@dataclass
class Budget:
    """The limits of a search on time and memory; it counts what has been done."""

    seconds: float | None = None
    states: int = MAX_STATES
    started: float = field(default_factory=time.monotonic)
    scenarios: int = 0
    progress: Callable[[int], None] | None = None
    """Called now and then with the number of scenarios tried so far."""

    def left(self, most: float = inf) -> float:
        """Return the seconds that are left, at most these."""
        if self.seconds is not None:
            most = min(most, self.started + self.seconds - time.monotonic())
        return max(most, 0.0)

    def tick(self) -> None:
        """Raise Unfinished when time has run out, and report the progress."""
        if self.progress is not None:
            self.progress(self.scenarios)
        if not self.left():
            self.stop()

    def stop(self) -> NoReturn:
        """Raise Unfinished because time has run out."""
        allowed = "" if self.seconds is None else f" ({self.seconds:g} s)"
        raise Unfinished(f"time ran out{allowed}")


FEW_MAPS = 100
"""The largest number of ways to attack to try one by one even if the solver can rule most of them out."""
MAX_MAPS = 2_000
"""The largest number of ways to attack to try one by one where no sum tells them apart."""
MAX_DEALS = 3_000
"""The largest number of deals of a deck that is searched."""
_REMEMBERED = 100
"""How many sums are remembered for other ways to attack."""


# --- the histories of a scenario ------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Find:
    """All histories of one scenario that explain the plan."""

    scenario: Backbone
    """One of the ways to attack."""
    attacks: tuple[Attacks, ...]
    """Whom everybody attacked: all ways that add the same to all sums, equally likely."""
    groups: tuple[tuple[tuple[Leaf, ...], ...], ...]
    """For each row, its options: each consists of the leaves that add the same to all sums."""
    total: Total
    numberings: int
    """How many numberings of the players that are not named belong to it."""
    scale: Fraction
    """The factor by which the weights of the sum are multiplied."""
    sizes: tuple[int, ...]
    """The numbers of worlds that the superposition may have at the end."""

    @cached_property
    def shares(self) -> Sequence[tuple[Leaf, int, Fraction, Fraction]]:
        """Every leaf of every row with its number of histories, its weight per world, and its weight.

        The weight per world is chance / worlds, summed over the histories with this leaf; all this is for one
        of the ways to attack.
        """
        found, ways, factor = [], len(self.scenario.ways), self.scale * self.numberings
        for groups, shares in zip(self.groups, self.total.shares, strict=True):
            for leaves, (number, *weights) in zip(groups, shares, strict=True):
                sums = [sum(way) for way in zip(*(leaf.weights for leaf in leaves), strict=True)]
                each = number // self.total.unit // len(leaves)
                for leaf in leaves if number else ():
                    parts = [factor * w / s if s else 0 for w, s in zip(leaf.weights, sums, strict=True)]
                    per_world, weight = sum(map(mul, parts, weights)), sum(map(mul, parts, weights[ways:]))
                    found.append((leaf, each, per_world, weight))
        return found

    @cached_property
    def histories(self) -> int:
        """How many histories there are, one for each numbering."""
        each = sum(share[0] for share in self.total.shares[0]) // self.total.unit
        return self.numberings * len(self.attacks) * each

    @cached_property
    def weight(self) -> Fraction:
        """The chance of all of them together, up to a factor that is the same for all finds."""
        found = sum(sum(share[1 + len(self.scenario.ways) :]) for share in self.total.shares[0])
        return found * self.scale * self.numberings * len(self.attacks)

    def valued(self, atoms: Sequence[str]) -> Iterator[tuple[frozenset[str], Fraction]]:
        """Yield the true ones of some atoms in the worlds of the histories, with the weights of these."""
        scenario, parts = self.scenario, dict[tuple[Worlds, Dead], Fraction]()
        mortal = any(atom.startswith(("dead_", "dominant_")) for atom in atoms)
        ways = (replace(scenario, attacks=attacks) for attacks in self.attacks)
        deaths = [way.course[len(scenario.plan.steps), 1][1] if mortal else () for way in ways]
        for dead, many in Counter(deaths).items():
            for leaf, _, each, _ in self.shares:
                parts[leaf.alive, dead] = parts.get((leaf.alive, dead), Fraction(0)) + each * many
        names = dict.fromkeys(atom.partition("_")[2] for atom in atoms)
        for (worlds, dead), weight in parts.items():
            left = scenario.after_open_attacks(worlds, dead) if mortal else [(worlds, dead, Fraction(1))]
            for (alive, killed, open_), (place, share) in product(left, self.places(names)):
                for facts, some in scenario.by_facts(atoms, place, alive, killed).items():
                    yield facts, weight * open_ * share * some.bit_count()

    def places(self, names: Iterable[str]) -> Iterator[tuple[Mapping[str, int], Fraction]]:
        """Yield the places of some players, equally likely for those that the scenario does not name."""
        place = self.scenario.place
        others = [name for name in names if name not in place]
        free = [p for p in self.scenario.deals.places if p not in place.values()]
        ways = list(permutations(free, len(others)))
        for chosen in ways:
            yield {**place, **dict(zip(others, chosen, strict=True))}, Fraction(1, len(ways))

    def moves(self) -> Iterator[tuple[PlacedMove, Fraction]]:
        """Yield all moves with their weights."""
        for attacks in self.attacks:
            for (number, actor), target in attacks.items():
                made = PlacedMove(number, actor, "attack", target)
                if target is None:
                    made = made._replace(result=idle(self.scenario.known.get((number, actor, "attack"))))
                yield made, self.weight / len(self.attacks)
        for leaf, _, _, weight in self.shares:
            for seen in leaf.seen:
                yield seen, weight * len(self.attacks)

    def example(self) -> set[PlacedMove]:
        """Return the moves of one of the histories, and the reasons for none."""
        struck = ((turn, target) for turn, target in self.attacks[0].items() if target is not None)
        found = {PlacedMove(number, actor, "attack", target) for (number, actor), target in struck}
        return found.union(*(g[o][0].seen for g, o in zip(self.groups, self.total.example, strict=True)))


def unsearched(plan: Plan) -> str:
    """Return why the method cannot find the histories of a game, or ""."""
    setup, rules, game = plan.setup, plan.setup.rules, declared(plan.setup)
    act = game.acts["attack"]
    if odd := [role.name for role in setup.deck.declared if not role.plain]:
        return f"the search for histories does not cover the role {odd[0]!r}"
    if why := unpublished(plan.told) or next(filter(None, map(unplanned, plan.told.entries)), ""):
        return why
    if setup.deck.worlds > MAX_DEALS:
        return (
            f"the deck has {setup.deck.worlds:,} deals, more than the {MAX_DEALS:,} that are searched for "
            "histories; fewer players or wolves would shrink it"
        )
    if not all(fixed_by(game, each) for each in game.acts.values()):
        return "who takes an action can change within a night, which the search does not cover"
    night = any("night" in kinds for kinds in (rules.opening, rules.cycle))
    if night and rules.acting_order == "random" and act.refusable:
        return (
            f"the rules {rules.name!r} refuse attacks by what happened earlier in a night of random order, "
            "which the search for histories does not cover"
        )
    if game.mark is not None and any(isinstance(s, Died) and len(s.dead) > 1 for s in plan.steps):
        return "several players were bitten to death at once, which the search for histories does not cover"
    return ""


def search(plan: Plan, budget: Budget) -> Iterator[Find]:
    """Yield all histories that explain the plan, scenario by scenario.

    Raises Unfinished if time or memory does not suffice.
    """
    if why := unsearched(plan):
        raise GameError(f"{why}; {BY_FACTS}")
    for case in _by_moves_left(plan):
        yield from _found(case, budget)


def _by_moves_left(plan: Plan) -> Iterator[Plan]:
    """Divide a running phase by whether exactly one move is left, if it can be an attack.

    That move has not been made, since the phase would have ended with it.
    """
    now, setup = plan.running, plan.setup
    hidden = declared(setup).mark is None and setup.targets == "secret"
    passed = now is not None and PASSED in {known.result for known in now.known.values()}
    if now is None or passed or not hidden or "attack" not in setup.actions(now.phase):
        yield plan
        return
    for alone in (True, False):
        steps = (replace(now, alone=alone) if step is now else step for step in plan.steps)
        yield replace(plan, steps=tuple(steps))


def _found(plan: Plan, budget: Budget) -> Iterator[Find]:
    for place, numberings in placements(plan, ()):
        for roles in drawn_roles(plan, place):
            budget.tick()
            bare = Backbone(plan, place, roles, {})
            solved = _solved(bare, budget)
            for worlds in _numbers_of_worlds(bare):
                budget.tick()
                ways = _Attackers(bare, worlds, budget.tick).all() if solved is None else solved
                alike: dict[Hashable, tuple[_Sums, list[Attacks]]] = {}
                for attacks in ways:
                    budget.tick()
                    budget.scenarios += 1
                    sums = _Sums(replace(bare, attacks=attacks), worlds, budget)
                    alike.setdefault(sums.key, (sums, []))[1].append(attacks)
                finds = (sums.find(tuple(some), numberings) for sums, some in alike.values())
                yield from (find for find in finds if find is not None)


def _solved(bare: Backbone, budget: Budget) -> list[Attacks] | None:
    """Return the attacks that the solver finds, or None where they are found quickly without it."""
    from kripke_werewolf.games.werewolf.inference import solver

    plan, most = bare.plan, FEW_MAPS if find_spec("ortools") else MAX_MAPS
    if any(map(bare.blind_in, range(len(plan.steps)))):
        return None  # of the others' attacks in a running phase the solver knows nothing
    if bare.harmless or not solver.solver_covers(plan) or _attack_maps(bare) <= most:
        return None
    problem = solver.Problem(plan, bare.place, bare.roles)
    found = list(islice(solver.attack_maps(problem, budget), MAX_MAPS + 1))
    if len(found) > MAX_MAPS:
        raise Unfinished(f"there are more than {MAX_MAPS:,} ways to attack")
    return found


def _attack_maps(bare: Backbone) -> int:
    """Return the number of ways to attack, ignoring tables."""
    found = 1
    for number, step in bare.plan.acting("attack"):
        if step.ended:
            living, known = len(bare.living[number]), [turn for turn in step.known if turn[1] == "attack"]
            found *= living ** (living - len(known))
    return found


# who has which number


def placements(plan: Plan, named: Sequence[str]) -> Iterator[tuple[Mapping[str, int], int]]:
    """Yield the places that the named players may have, and how many numberings of the rest there are."""
    players = plan.setup.players
    if not plan.setup.numbers_hidden:
        yield {name: seat for seat, name in enumerate(players)}, 1
        return
    assert plan.told.number is not None
    names = [n for n in dict.fromkeys((*plan.mentioned, *named)) if n != plan.viewer]
    own = plan.told.number - 1
    rest = [p for p in range(len(players)) if p != own]
    for chosen in permutations(rest, len(names)):
        place = {plan.viewer: own, **dict(zip(names, chosen, strict=True))}
        known = all(place[name] == number - 1 for name, number in plan.told.known_numbers.items())
        if known and _rows_fit(plan, place):
            yield place, factorial(len(rest) - len(names))


def _rows_fit(plan: Plan, place: Mapping[str, int]) -> bool:
    """Whether exactly the rows of the dead are certainly dead."""
    living = Backbone(plan, place, {}, {}).living
    return all(
        low < 1 if p in living[number] else high == 1
        for number, shown in plan.intervals.items()
        for (fact, p), (low, high) in shown.items()
        if fact == "dead"
    )


# the roles that were drawn


def drawn_roles(plan: Plan, place: Mapping[str, int]) -> Iterator[DrawnRoles]:
    """Yield the roles that the dead may have had: those that were announced, and that later tables allow."""
    game, deck = declared(plan.setup), plan.setup.deck
    deaths: dict[tuple[int, int], list[str]] = {}
    for number, step in enumerate(plan.steps):
        if isinstance(step, Judged):  # of a collapse the world is drawn, not the roles
            continue
        death = game.vote if isinstance(step, Voted) else game.found
        for name, word in step.dead.items():
            p, possible = place[name], game.roles(death.said(word))
            deaths[number, p] = [r for r in deck.roles if r in possible and _fits(plan, number, p, r)]
    for roles in product(*deaths.values()):
        if all(roles.count(role) <= deck.cards(role) for role in set(roles)):
            yield dict(zip(deaths, roles, strict=True))


def _fits(plan: Plan, number: int, place: int, role: str) -> bool:
    """Whether tables from a step on may show that a player certainly has a role."""
    shown = (shares.items() for at, shares in plan.intervals.items() if at >= number)
    return all(
        low <= (fact in (role, plan.setup.deck.kind(role))) <= high
        for (fact, p), (low, high) in chain.from_iterable(shown)
        if p == place and fact != "dead"
    )


# how many worlds were behind each table


def _numbers_of_worlds(bare: Backbone) -> Iterator[Mapping[int, int]]:
    """Yield the possible numbers of worlds at each table, by its step: never more than before."""
    plan, deals = bare.plan, bare.deals
    choices: dict[int, list[int]] = {}
    left = deals.every
    for number, step in enumerate(plan.steps[: plan.collapsed]):
        for (at, p), role in bare.roles.items():
            if at == number:
                left &= deals.holders[role][p]
        if isinstance(step, Published) and (step.cells or step.worlds is not None):
            choices[number] = list(worlds_behind(plan, step, left.bit_count()))
    yield from _falling(list(choices.items()), deals.size)


def _falling(choices: Sequence[tuple[int, Sequence[int]]], most: int) -> Iterator[Mapping[int, int]]:
    if not choices:
        yield {}
        return
    (number, sizes), *rest = choices
    for size in sizes:
        if size <= most:
            for later in _falling(rest, size):
                yield {number: size, **later}


# the attacks


Needs: TypeAlias = Mapping[tuple[int, int], tuple[Fraction, Fraction]]
"""For each table, by its step, and each living place, how much death it shows, counted in worlds."""


class _Attackers:
    """Who may have attacked whom: in one scenario, the attacks that fit the column of the dead.

    The contribution of each attacker to an entry lies in an interval, from what the table says of them as a
    wolf; with one wolf it is exactly that number.
    """

    def __init__(self, bare: Backbone, worlds: Mapping[int, int], tick: Callable[[], None]) -> None:
        self.bare, self.plan, self.worlds, self.tick = bare, bare.plan, worlds, tick
        self.act = bare.game.acts["attack"]
        self.lone = exclusive(bare.game, replace(self.act, by="wolf_{i}"))
        """Whether no two players are wolves at once: an attack counts wherever the attacker is one."""
        self.acting = [number for number, _ in self.plan.acting("attack")]

    def _shown(self, table: int, fact: str, place: int) -> tuple[Fraction, Fraction]:
        """Return the least and greatest number of worlds where a fact is true, according to a table."""
        low, high = self.plan.intervals[table].get((fact, place), ANY_SHARE)
        return low * self.worlds[table], high * self.worlds[table]

    def all(self) -> Iterator[Attacks]:
        """Yield the attacks by step and place; None for those who were not asked."""
        living, tables = self.bare.living, self.worlds
        actors = {p for n in self.acting for p in living[n] if self._choices(n, p) != (-1,)}
        likely = sorted(actors, key=lambda p: -max((self._shown(n, WOLF, p)[1] for n in tables), default=0))
        needs = {(n, p): self._shown(n, "dead", p) for n in tables for p in living[n]}
        yield from self._extended(likely, {}, needs)

    def _extended(self, actors: Sequence[int], chosen: Attacks, needs: Needs) -> Iterator[Attacks]:
        """Choose the attacks of one player after the other, as long as no entry is exceeded."""
        if not actors:
            if all(low <= 0 for low, _ in needs.values()):
                yield chosen
            return
        self.tick()
        actor, *rest = actors
        for targets in product(*(self._choices(number, actor) for number in self.acting)):
            made = {(n, actor): t for n, t in zip(self.acting, targets, strict=True) if t != -1}
            left = self._left(made, actor, needs)
            if all(high >= 0 for _, high in left.values()):
                yield from self._extended(rest, {**chosen, **made}, left)

    def _choices(self, number: int, actor: int) -> tuple[int | None, ...]:
        """Return a player's possible targets; None: not asked; -1 if they had no part in the phase."""
        bare, plan = self.bare, self.plan
        if actor not in bare.living[number]:
            return (-1,)
        if not bare.moves_count(number, actor):
            return (-1, *bare.blind_in(number))
        known = bare.known.get((number, actor, "attack"))
        if known is not None and known.made:
            return (known.target,)
        good = any(self._shown(n, WOLF, actor)[1] == 0 for n in self.worlds if n < number)
        if known is not None or plan.steps[number] is plan.running or good:
            return (None,)
        targets = bare.targets(number, actor, "attack")
        sure = asks_all(bare.game, self.act) and plan.shows_later(number, WOLF, actor)
        return targets if sure else (*targets, None)

    def _left(self, made: Attacks, actor: int, needs: Needs) -> Needs:
        """Return the remaining needs of the entries after a player's attacks."""
        left, bitten = dict(needs), replace(self.bare, attacks=made).bites
        for table in self.worlds:
            least, most = self._shown(table, WOLF, actor)
            killed = {t: Fraction(1) for (n, _), t in made.items() if n < table and t is not None}
            if self.act.mark is not None:
                killed = {t: share for t, _, share in bitten[table] if t != actor}
            if not self.lone:
                least = Fraction(0)
            for target in killed.keys() & {p for at, p in needs if at == table}:
                low, high = left[table, target]
                left[table, target] = low - most * killed[target], high - least * killed[target]
        return left


# the sums


class _Sums:
    """The sums over the rows of a scenario, with their bounds, and the conditions on these."""

    def __init__(self, scenario: Backbone, worlds: Mapping[int, int], budget: Budget) -> None:
        self.scenario, self.budget, self.ways = scenario, budget, len(scenario.ways)
        self.demands = demands = Demands(scenario)
        self.conditions, self.choices = demands.conditions, demands.choices
        self.needed = reduce(or_, map(flags_of, chain(self.conditions, *self.choices)), 0)
        self.bounds = [demands.target(c, worlds) for c in demands.components]
        self.place = {component: i for i, component in enumerate(demands.components)}
        self.impossible = ((1 << self.ways) - 1) << demands.flags if self.ways > 1 else 0
        self.pools = {
            (number, p): scenario.pools(number, p)
            for number, _ in scenario.plan.acting("vision")
            for p in scenario.living[number]
            if scenario.moves_count(number, p)
        }
        """For each vision, the worlds that it is drawn from; see `Backbone.pools`."""
        self.sure = 0
        """Flags that are set in any case."""
        self.sizes: set[int] = set()
        """The numbers of worlds at the ends that were accepted."""

    @property
    def key(self) -> Hashable:
        """All that differs between the attacks that these sums may be for."""
        demands, worlds = self.demands, (alive for alive, _ in self.scenario.course.values())
        seen = (*demands.tests.items(), *demands.counted.items(), *self.pools.items())
        return (*self.conditions, *self.choices, *worlds, demands.drawn, repr(seen))

    @cached_property
    def groups(self) -> list[dict[tuple[tuple[int, ...], int], list[Leaf]]]:
        """The rows: the worlds of each seer, or of all together, and what their visions leave of them."""
        places, look = self.scenario.deals.places, self.scenario.game.acts["vision"]
        own = [self._seeing(0, p) for p in places]
        if not any(own):
            rows = [self._options(self.scenario.deals.every, ())]
        elif splits_worlds(self.scenario.game, look):
            rows = [self._options(own[p], (p,)) for p in places]
        else:
            rows = [self._options(self.scenario.deals.every, places)]
        if all(rows):  # what every leaf of a row denies need not be added up
            self.sure = reduce(or_, (reduce(and_, (leaf.flags for leaf in row)) for row in rows))
        return list(map(self._grouped, rows))

    def _options(self, worlds: Worlds, lookers: Sequence[int]) -> list[Leaf]:
        """Return all that visions of some players may leave of some worlds; raise Unfinished if need be."""
        scenario, steps = self.scenario, self.scenario.plan.steps
        weights = tuple(share for _, share in scenario.ways)
        if len(lookers) == 1 and lookers[0]:  # the share of an order counts once
            weights = (Fraction(1),) * len(weights)
        leaves: Iterable[Leaf] = [Leaf(worlds, weights=weights)]
        for number, step in enumerate(steps):
            leaves = self._noted(leaves, number, 0)
            if isinstance(step, Acting) and "vision" in scenario.setup.actions(step.phase):
                leaves = self._checked(self._acted(number, lookers, leaves))
            leaves = self._noted(leaves, number, 1)
        drawn = (leaf._replace(alive=leaf.alive & self.demands.drawn) for leaf in leaves)
        return list(self._noted(drawn, len(steps), 1))

    def _checked(self, leaves: Iterable[Leaf]) -> list[Leaf]:
        found = []
        for leaf in leaves:
            found.append(leaf)
            if len(found) % 1000 == 0:
                self.budget.tick()
            if len(found) > MAX_LEAVES:
                raise Unfinished(f"the visions may have gone in more than {MAX_LEAVES:,} ways")
        return found

    def _noted(self, leaves: Iterable[Leaf], number: int, after: int) -> Iterator[Leaf]:
        """Yield them with what is counted, and denied, before (0) or after (1) a step."""
        worlds, moment = self.scenario.course[number, after][0], (number, after)
        tests, numbers = self.demands.tests.get(moment, ()), self.demands.counted.get(moment, ())
        for leaf in leaves:
            alive, flags, found = leaf.alive & worlds, leaf.flags, []
            for bit, denying in tests:
                if alive & denying:
                    flags |= bit
            for counted in numbers:
                found.append(sum(weight * (alive & some).bit_count() for weight, some in counted))
            yield Leaf(alive, (*leaf.numbers, *found), flags, leaf.weights, leaf.seen)

    def _acted(self, number: int, lookers: Sequence[int], leaves: Iterable[Leaf]) -> Iterator[Leaf]:
        """Yield the evolutions after the visions of a step."""
        scenario, step = self.scenario, self.scenario.plan.steps[number]
        looking = [p for p in lookers if (number, p) in self.pools]
        in_turn = scenario.setup.rules.acting_order == "number" and is_night(step)
        for leaf in leaves:
            seeing = [p for p in looking if leaf.alive & self._seeing(number, p)]
            if len(seeing) < 2 or in_turn:
                yield from self._played(number, leaf, {p: p in seeing for p in looking})
                continue
            # in any order; a vision shows the worlds after earlier moves, those of other seers included
            blind = {p: False for p in looking if p not in seeing}
            found: dict[Leaf, tuple[Fraction, ...]] = {}
            nothing = (Fraction(0),) * len(leaf.weights)
            for order in permutations(seeing):
                shares = scenario.shares(number, order)
                first = leaf._replace(weights=tuple(map(mul, leaf.weights, shares)))
                for after in self._played(number, first, dict.fromkeys(order, True) | blind):
                    looks = tuple(sorted(after.seen, key=lambda look: look[:2]))
                    same = after._replace(weights=(), seen=looks)
                    found[same] = tuple(map(add, found.get(same, nothing), after.weights))
            yield from (same._replace(weights=weights) for same, weights in found.items())

    def _played(self, number: int, leaf: Leaf, turns: Mapping[int, bool]) -> list[Leaf]:
        """Return the evolutions after the visions of players in turn, each with whether they are asked."""
        leaves = [leaf]
        for p, asked in turns.items():
            looked = (after for now in leaves for after in self._looked(number, now, p, asked))
            leaves = self._checked(looked)
        return leaves

    def _seeing(self, number: int, actor: int) -> Worlds:
        """Return the worlds where visions are the actor's."""
        return self.scenario.where(number, self.scenario.game.acts["vision"].by, actor)

    def _looked(self, number: int, leaf: Leaf, actor: int, asked: bool) -> Iterator[Leaf]:
        """Yield the worlds after every possible vision of a player."""
        scenario, known = self.scenario, self.scenario.known.get((number, actor, "vision"))
        none = PASSED if asked else NOT_ASKED
        if idle(known) == UNMADE:
            none = UNMADE
        unmoved = PlacedMove(number, actor, "vision", None, none)
        if known == unmoved or (known is None and not asked):
            yield leaf._replace(seen=(*leaf.seen, unmoved))
        if not asked or (known is not None and not known.made):
            return
        act, targets = scenario.game.acts["vision"], scenario.targets(number, actor, "vision")
        choices = 1 if actor == scenario.viewer else len(targets) + (not act.compulsory)
        pools, last = self.pools[number, actor]
        looks = [(unmoved._replace(result=None), [Fraction(1, choices)] * len(pools), leaf.alive)]
        if act.compulsory:
            looks = []
        drawn = [(pool & leaf.alive, choices * (pool & leaf.alive).bit_count() or 1) for pool in pools]
        failed = [Fraction(not pool & leaf.alive, choices) for pool in last]
        for target in targets:
            if known is not None and target != known.target:
                continue
            for result, schema in act.shows:
                matching = scenario.where(number, schema, actor, target)
                chances = [Fraction((pool & matching).bit_count(), size) for pool, size in drawn]
                left = leaf.alive & ~(self._seeing(number, actor) & ~matching)
                looks.append((PlacedMove(number, actor, "vision", target, result), chances, left))
            looks.append((PlacedMove(number, actor, "vision", target), failed, leaf.alive))
        for look, chances, alive in looks:
            if look.fits(known) and any(chances):
                weights = tuple(map(mul, leaf.weights, chances))
                if any(weights):
                    yield leaf._replace(alive=alive, weights=weights, seen=(*leaf.seen, look))

    def _grouped(self, options: Sequence[Leaf]) -> dict[tuple[tuple[int, ...], int], list[Leaf]]:
        """Return the leaves of a row by what they add to the sums."""
        found: dict[tuple[tuple[int, ...], int], list[Leaf]] = {}
        for leaf in options:
            flags = leaf.flags & self.needed & ~self.sure
            for way, weight in enumerate(leaf.weights) if self.impossible else ():
                flags |= (not weight) << (self.demands.flags + way)
            found.setdefault((leaf.numbers, flags), []).append(leaf)
        return found

    def find(self, attacks: tuple[Attacks, ...], numberings: int) -> Find | None:
        """Return all histories of the scenario, with any of some attacks; None if it has none."""
        if FALSE in self.conditions or not all(self.groups):
            return None
        parts, scale = [], Fraction(1)
        for row in self.groups:  # their weights become whole numbers, and `scale` makes up for that
            leaves = [leaf for same in row.values() for leaf in same]
            unit = lcm(*(weight.denominator for leaf in leaves for weight in leaf.weights))
            part = []
            for key, same in row.items():
                sums = (sum(way) for way in zip(*(leaf.weights for leaf in same), strict=True))
                part.append(Summand(*key, (len(same), *(int(total * unit) for total in sums))))
            parts.append(part)
            scale /= unit
        totals, orders = self.scenario.totals, (share for _, share in self.scenario.ways)
        asked = (*self.conditions, *self.choices, *self.demands.components, *orders)
        same_sums = (*map(tuple, parts), *self.bounds, self.sure, self.impossible, *asked)
        if len(totals) > _REMEMBERED:
            totals.clear()
        total, sizes = remembered(totals, same_sums, partial(self._total, parts))
        if total is None:
            return None
        groups = tuple(tuple(map(tuple, row.values())) for row in self.groups)
        return Find(self.scenario, attacks, groups, total, numberings, scale / total.unit, sizes)

    def _total(self, parts: Sequence[Sequence[Summand]]) -> tuple[Total | None, tuple[int, ...]]:
        """Return the sums over all choices, and the numbers of worlds at their ends."""
        try:
            total = convolve(
                parts,
                self.bounds,
                self._finish,
                channels=[0, *range(1, 1 + self.ways), *range(1, 1 + self.ways)],
                max_states=self.budget.states,
                tick=self.budget.tick,
            )
        except TooManyStates as error:
            raise Unfinished(f"more than {self.budget.states:,} partial sums ({error.states:,})") from None
        return total, tuple(sorted(self.sizes))

    def _finish(self, numbers: Sequence[int], flags: int) -> tuple[Fraction, ...] | None:
        """Return the factors of an end: for the number of histories, the weight per world and the weight."""
        demands, flags = self.demands, flags | self.sure
        if self.impossible and flags & self.impossible == self.impossible:
            return None
        if not all(is_met(condition, flags) for condition in self.conditions):
            return None
        factor, size = Fraction(1), numbers[self.place[demands.worlds]]
        for accepted in self.choices:
            factor /= sum(is_met(each, flags) for each in accepted)
        for before, after in demands.draws:
            factor /= numbers[self.place[before]]
            if after is not None:
                factor *= numbers[self.place[after]]
        if demands.collapse is None:
            self.sizes.add(size)
            return (Fraction(1), *[factor / size] * self.ways, *[factor] * self.ways)
        self.sizes.add(1)  # after a collapse every world is its own history
        return (Fraction(size), *[factor] * self.ways, *[factor * size] * self.ways)
