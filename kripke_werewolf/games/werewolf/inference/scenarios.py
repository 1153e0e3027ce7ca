"""Scenarios: what is fixed for all seers, what the plan demands of it, and how its worlds may have evolved.

A `Backbone` fixes the numbers of players, all attacks, and the roles drawn. Then a vision of X changes only
the worlds in which X is the seer, and every published number is a sum over these parts (`_Part`).
`_Part.options` are all possible evolutions of a part: the moves of its seer, the numbers it adds, the
statements about all worlds that it denies (`flags`), and its probability. With several seers there is one
part, with the visions of everybody.

`Demands` are bounds on these sums, and conditions about all worlds: that a player is asked for an attack,
that no verdict stands, that one role is left. Each statement about all worlds in a condition is a flag, set
where a world denies it.

Worlds are deals of the deck, by number; sets of them are integers used as bit masks.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise, permutations, product, takewhile
from math import ceil, factorial, floor, inf, lcm, prod
from operator import add, mul
from typing import NamedTuple, NoReturn, TypeAlias

from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.games.werewolf.counted import true_of
from kripke_werewolf.games.werewolf.declarations import (
    SURVIVING,
    Declared,
    declared,
    removes_nothing,
    seated,
    splits_worlds,
)
from kripke_werewolf.games.werewolf.enumerated import (
    Dead,
    Deals,
    Rows,
    by_membership,
    deals_of,
    died,
    rows_where,
)
from kripke_werewolf.games.werewolf.inference.plan import (
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

ANYBODY = -1
"""The target of an attack that affects no information."""

Worlds: TypeAlias = Rows
"""A set of deals, as a bit mask."""

DrawnRoles: TypeAlias = Mapping[tuple[int, int], str]
"""The roles drawn, by step and place."""

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
        resting = self.plan.told.entries[-1].resting
        if (
            step is None
            or resting
            or not act.change
            or step.alone
            or "attack" not in self.setup.actions(step.phase)
        ):
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
        """For each step, its attacks, in the order of the places."""
        made = sorted(
            (n, (actor, target)) for (n, actor), target in self.attacks.items() if target is not None
        )
        return {number: tuple(pairs) for number, pairs in grouped(made).items()}

    @cached_property
    def orders(self) -> Mapping[int, Orders]:
        """For each night of random order, the attackers before each vision, with the probability."""
        look, attack = self.game.acts["vision"], self.game.acts["attack"]
        free = not attack.change or (self.harmless and look.pool == "true")  # no vision depends on attacks
        if free or self.setup.rules.acting_order != "random":
            return {}
        steps = ((n, step) for n, step in enumerate(self.plan.steps) if isinstance(step, Acting))
        nights = (n for n, step in steps if step.ended and step.phase.kind == "night")
        return {number: self._orders(number) for number in nights if number in self.attackers}

    @cached_property
    def harmless(self) -> bool:
        """Whether attacks remove no world."""
        return removes_nothing(self.game, self.game.acts["attack"])

    def _orders(self, number: int, looking: tuple[int, ...] = ()) -> Orders:
        """Return the relevant attackers that may have acted before each vision, with the share of the orders.

        Where attacks are harmless, only those on the seer matter to a vision: others remove nothing it could
        show. `looking`: players who act in this order, in the orders that count.
        """
        made, living = self.attackers.get(number, ()), self.living[number]
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
            for actor, target in self.attackers.get(number, ()):
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


def is_true(f: Formula, facts: frozenset[str]) -> bool:
    """Return whether a Boolean formula is true if exactly these atoms are."""
    return bool(rows_where(f, 1, lambda atom: int(atom in facts)))


# --- the demands -----------------------------------------------------------------------------------


class _Component(NamedTuple):
    """A number that is a sum over the parts: a count of worlds at some moment."""

    step: int
    fact: str
    """`worlds`, a role, `wolf`, `good`, `dead`; `bitten` for the sum of the bites minus the worlds."""
    place: int = 0
    after: int = 1
    """Whether it is counted after the step (1) or before it (0)."""


class Demands:
    """The demands of the plan on a scenario: numbers with their intervals, and conditions about all worlds.

    `components` are the numbers to which every part adds, in order of time; `tests` the statements about all
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
        self._bits: dict[tuple[int, int, Formula], int] = {}
        self._informed = False
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
                case Noticed():
                    self._told(number, step)
                case Published():
                    self._shown(number, step)
        self.worlds = self._component(len(self.plan.steps), "worlds")
        """The worlds at the end."""
        self.components.sort(key=lambda c: (c.step, c.after))
        self.counted = grouped(((c.step, c.after), c) for c in self.components)
        """The numbers counted before (0) and after (1) each step."""
        asked = {atom for f in (*self.conditions, *sum(self.choices, ())) for atom in f.atoms}
        kept = {key: bit for key, bit in self._bits.items() if _kept(bit) in asked}
        self.tests = grouped(
            ((number, after), (1 << bit, body)) for (number, after, body), bit in kept.items()
        )
        self.flags = len(self._bits)
        """The number of flags."""
        deadly = any(atom.startswith("dead_") for _, _, body in kept for atom in body.atoms)
        self.mortal = deadly or any(c.fact == "dead" for c in self.components)
        """Whether there are demands on deaths beyond the choice of the attacks."""

    # the pieces

    def _component(self, step: int, fact: str, place: int = 0, *, after: int = 1) -> _Component:
        wanted = _Component(step, fact, place, after)
        if wanted not in self.components:
            self.components.append(wanted)
        return wanted

    def _said(self, number: int, condition: Formula, after: int = 0) -> Formula:
        """Return a condition about all worlds at a step in terms of flags."""

        def flagged(f: Formula) -> Formula:
            if not isinstance(f, Everywhere):
                return f
            if self._surely_denied(number, f.body):
                return FALSE
            key = number, after, self._meant(number, f.body)
            return Atom(_kept(self._bits.setdefault(key, len(self._bits))))

        return simplify(condition.rewrite(flagged))

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
        """Whether it is plain that some world denies it: by later tables, or by the numbers of the living.

        Wolves die only by a vote or together with their last worlds, others by at most one attack a night.
        """
        scenario, deck, step = self.scenario, self.deals.deck, self.plan.steps[number]
        seats = {int(atom.rpartition("_")[2]) for atom in body.atoms}
        if len(seats) == 1:
            (p,) = seats
            if any(atom.startswith("dead_") for atom in body.atoms):
                return isinstance(body, Atom) and self.plan.shows_later(number, "alive", p)
            true = scenario.true(body, ())
            shown = (fact for fact in self.deals.holders if self.plan.shows_later(number, fact, p))
            return any(not self.deals.holders[fact][p] & true for fact in shown)
        if not isinstance(step, Judged):
            return False
        fallen = sum(deck.is_wolf(role) for (at, _), role in scenario.roles.items() if at < number)
        nights = sum(isinstance(s, Acting) for s in self.plan.steps[:number])
        wolves, others = deck.wolves - fallen, len(scenario.living[number]) - deck.wolves + fallen
        numbers = range(max(others - nights, 0), others + 1)
        return not any(true_of(body, deck, wolves, number) for number in numbers)

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
        """Demand that those found dead were dead in every world, in turn, and all others live in some."""
        scenario, found = self.scenario, [self.scenario.place[name] for name in step.dead]
        if found:
            self._draw(number)
        living = [p for p in scenario.living[number] if p not in found]
        if self.game.mark is not None:
            for p in dict.fromkeys(t for t, _, _ in scenario.bites[number] if t in living):
                self._component(number, "bitten", p)
            for p in found:
                self._component(number, "bitten", p, after=0)
            return
        for p in living:
            self._demand(number, ~Everywhere(Atom(f"dead_{p}")), 1)

        def certain(p: int, before: tuple[int, ...]) -> Formula:
            """Return the condition that a player was dead in all worlds once some roles were drawn."""
            drawn = conjunction(Atom(f"{scenario.roles[number, q]}_{q}") for q in sorted(before))
            return Everywhere(drawn >> Atom(f"dead_{p}"))

        orders = permutations(found)
        in_turn = (conjunction(certain(p, order[:n]) for n, p in enumerate(order)) for order in orders)
        self._demand(number, disjunction(in_turn))

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

    def drawn_world(self, alive: Worlds, dead: Dead) -> Worlds:
        """Return the worlds of a part that the collapse may have drawn, given later events."""
        if self.collapse is None:
            return alive
        return alive & self.deals.test(conjunction(self._drawn), dead)

    def _told(self, number: int, step: Noticed) -> None:
        """Demand that a player is told, once, when only one role is left to them."""
        if not self.game.notices or self._informed:
            return
        self._informed, viewer = step.role is not None, self.scenario.viewer
        for word, schema in self.game.notices:
            left = Everywhere(seated(self.game, schema, viewer))
            if step.role in (None, word):
                self._demand(number, _so(left, step.role is not None))

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

    def count(self, component: _Component, alive: Worlds, dead: Dead) -> int:
        """Return the contribution of some worlds to a component."""
        fact, p, scale = component.fact, component.place, self.scenario.scale
        if fact == "worlds":
            return alive.bit_count()
        if fact == "bitten":
            return self._bitten(component, alive) - scale * alive.bit_count()
        if fact != "dead":
            return (alive & self.deals.holders[fact][p]).bit_count()
        return scale * (alive & dead[p]).bit_count() or self._bitten(component, alive)

    def _bitten(self, component: _Component, alive: Worlds) -> int:
        mark, found = self.game.mark, 0
        for target, x, share in self.scenario.bites[component.step - 1 + component.after]:
            if mark is not None and target == component.place:
                bitten = alive & self.scenario.where(component.step, mark.where, x, target)
                found += int(share * self.scenario.scale) * bitten.bit_count()
        return found

    def target(self, component: _Component, worlds: Mapping[int, int]) -> tuple[int | None, int | None]:
        """Return the least and greatest value a component may have, given the worlds at each table."""
        step, fact, place, after = component
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


def victims_that_matter(scenario: Backbone) -> frozenset[int] | None:
    """Return the places whose deaths affect some information, for any attacks; None: all may.

    With one wolf an attack removes no world. Deaths matter only if somebody is voted off or found dead later,
    or if the dead have no visions.
    """
    game, steps = scenario.game, scenario.plan.steps
    attack = game.acts["attack"]
    if attack.mark or not scenario.harmless or game.acts["vision"].pool != "true":
        return None
    if scenario.plan.collapsed < len(steps) or Demands(scenario).mortal:
        return None
    dead = (step.dead for step in steps if isinstance(step, Voted | Died))
    return frozenset(scenario.place[name] for names in dead for name in names)


# --- the parts -------------------------------------------------------------------------------------

MAX_LEAVES = 400_000
"""Evolutions of a part that may be in memory at once: each takes about a kilobyte."""


class Leaf(NamedTuple):
    """A possible evolution of a part up to now."""

    alive: Worlds
    dead: Dead
    numbers: tuple[int, ...] = ()
    flags: int = 0
    weights: tuple[Fraction, ...] = (Fraction(1),)
    """Its probability, for each combination of the orders of the nights."""
    seen: tuple[PlacedMove, ...] = ()
    """The visions, and the reasons for none."""

    def among(self, worlds: Worlds) -> Leaf:
        """Return it with the worlds that are among these."""
        return self._replace(alive=self.alive & worlds)

    def now(self, alive: Worlds, dead: Dead) -> Leaf:
        """Return it with other worlds, and who is dead in them."""
        return self._replace(alive=alive, dead=dead)

    def saw(self, look: PlacedMove) -> Leaf:
        """Return it after a vision, or after none."""
        return self._replace(seen=(*self.seen, look))


@dataclass(frozen=True, eq=False)
class _Part:
    """The worlds of one seer."""

    scenario: Backbone
    demands: Demands
    worlds: Worlds
    lookers: tuple[int, ...]
    """The players whose visions change these worlds."""
    tick: Callable[[], None]
    """Called now and then; it may raise an exception to stop."""

    @property
    def key(self) -> Hashable:
        """All that its evolutions depend on besides the plan; numberings may have much of it in common."""
        scenario = self.scenario
        looks = (look for look in scenario.known.values() if look.action == "vision")
        own, places = tuple(look for look in looks if look.actor in self.lookers), []
        for step in scenario.plan.steps:
            names = (*step.dead, *getattr(step, "winners", ()), *getattr(step, "refused", ()))
            places.append(tuple(map(scenario.place.__getitem__, names)))
        fixed = (tuple(sorted(d.items())) for d in (scenario.attacks, scenario.roles))
        return (self.worlds, own, tuple(places), *fixed)

    def options(self) -> list[Leaf]:
        """Return every possible evolution of these worlds; raise Unfinished if there are too many."""
        scenario, demands = self.scenario, self.demands
        nobody = (0,) * scenario.deals.deck.players
        weights = tuple(share for _, share in scenario.ways)
        if len(self.lookers) == 1 and self.lookers != (0,):  # the share of an order counts once
            weights = (Fraction(1),) * len(weights)
        leaves = [Leaf(self.worlds, nobody, weights=weights)]
        steps = scenario.plan.steps
        for number, step in enumerate(steps):
            if isinstance(step, Voted):
                spared = scenario.formula(number, scenario.game.vote.needs, scenario.place[step.player])
                leaves = [leaf.among(scenario.true(spared, leaf.dead)) for leaf in leaves]
            leaves = [self._noted(leaf, number, 0) for leaf in leaves]
            leaves = self._checked(after for leaf in leaves for after in self._after(number, step, leaf))
            leaves = [self._noted(leaf, number, 1) for leaf in leaves]
        drawn = (leaf.among(demands.drawn_world(leaf.alive, leaf.dead)) for leaf in leaves)
        return [self._noted(leaf, len(steps), 1) for leaf in drawn]

    def _checked(self, leaves: Iterable[Leaf]) -> list[Leaf]:
        found = []
        for leaf in leaves:
            found.append(leaf)
            if len(found) % 1000 == 0:
                self.tick()
            if len(found) > MAX_LEAVES:
                raise Unfinished(f"the visions may have gone in more than {MAX_LEAVES:,} ways")
        return found

    def _noted(self, leaf: Leaf, number: int, after: int) -> Leaf:
        demands, flags, numbers = self.demands, leaf.flags, leaf.numbers
        for bit, body in demands.tests.get((number, after), ()):
            if leaf.alive & ~self.scenario.true(body, leaf.dead):
                flags |= bit
        counted = demands.counted.get((number, after), ())
        numbers += tuple(demands.count(c, leaf.alive, leaf.dead) for c in counted)
        return leaf._replace(flags=flags, numbers=numbers)

    def _after(self, number: int, step: Moment, leaf: Leaf) -> Iterable[Leaf]:
        scenario, deals = self.scenario, self.scenario.deals
        if isinstance(step, Acting):
            return self._acted(number, step, leaf)
        if isinstance(step, Judged):
            return (leaf,)
        for p in map(scenario.place.__getitem__, step.dead):
            alive = leaf.alive & deals.holders[scenario.roles[number, p]][p]
            leaf = leaf.now(*died(alive, leaf.dead, p, deals.every))
        return (leaf,)

    # a phase of moves

    def _acted(self, number: int, step: Acting, leaf: Leaf) -> Iterator[Leaf]:
        scenario = self.scenario
        by = scenario.game.acts["vision"].by
        acting = self.lookers if "vision" in scenario.setup.actions(step.phase) else ()
        looking = [p for p in acting if p in scenario.living[number] and scenario.moves_count(number, p)]
        looks, hits = [(p, True) for p in looking], [(p, False) for p in self._attacks(number)]
        entitled = [p for p in looking if leaf.alive & scenario.where(number, by, p)]
        night = step.ended and step.phase.kind == "night"
        if night and scenario.setup.rules.acting_order == "number":
            in_turn = sorted(looks + hits, key=lambda turn: (turn[0], not turn[1]))
            yield from self._played(number, step, leaf, in_turn)
            return
        if len(entitled) < 2:
            yield from self._played(number, step, leaf, looks + hits)
            return
        # in any order; a vision shows the worlds after earlier moves, those of other seers included
        blind = [(p, True) for p in looking if p not in entitled]
        found: dict[Leaf, tuple[Fraction, ...]] = {}
        nothing = (Fraction(0),) * len(leaf.weights)
        for order in permutations(entitled):
            shares = scenario.shares(number, order)
            first = leaf._replace(weights=tuple(map(mul, leaf.weights, shares)))
            turns = [*((p, True) for p in order), *blind, *hits]
            for after in self._played(number, step, first, turns):
                same = after._replace(weights=(), seen=tuple(sorted(after.seen, key=lambda look: look[:2])))
                found[same] = tuple(map(add, found.get(same, nothing), after.weights))
        yield from (same._replace(weights=weights) for same, weights in found.items())

    def _played(self, number: int, step: Acting, leaf: Leaf, turns: Iterable[tuple[int, bool]]) -> list[Leaf]:
        """Return the evolutions after the visions (true) and attacks of players in turn."""
        leaves = [leaf]
        for p, is_look in turns:
            if is_look:
                entitled = bool(leaf.alive & self._seeing(number, p))
                leaves = self._checked(
                    after for now in leaves for after in self._looked(number, step, now, p, entitled)
                )
            else:
                leaves = [self._attacked(number, now, p, self._attacks(number)[p]) for now in leaves]
        return leaves

    def _attacks(self, number: int) -> Mapping[int, int]:
        """Return the targets of the attacks of a step that change anything, by attacker."""
        if not self.scenario.game.acts["attack"].change:
            return {}
        return dict(self.scenario.attackers.get(number, ()))

    def _seeing(self, number: int, actor: int) -> Worlds:
        """Return the worlds where visions are the actor's."""
        return self.scenario.where(number, self.scenario.game.acts["vision"].by, actor)

    def _attacked(self, number: int, leaf: Leaf, actor: int, target: int) -> Leaf:
        scenario, act = self.scenario, self.scenario.game.acts["attack"]
        if target == ANYBODY:
            return leaf
        hunting = leaf.alive & scenario.where(number, act.by, actor)
        wolves = scenario.where(number, act.impossible, actor, target)
        return leaf.now(*died(leaf.alive, leaf.dead, target, hunting, wolves))

    def _looked(self, number: int, step: Acting, leaf: Leaf, actor: int, entitled: bool) -> Iterator[Leaf]:
        """Yield the worlds after every possible vision of a player."""
        scenario, known = self.scenario, self.scenario.known.get((number, actor, "vision"))
        none = PASSED if entitled else NOT_ASKED
        if idle(known) == UNMADE:
            none = UNMADE
        unmoved = PlacedMove(number, actor, "vision", None, none)
        if known == unmoved or (known is None and not entitled):
            yield leaf.saw(unmoved)
        if not entitled or (known is not None and not known.made):
            return
        targets = scenario.targets(number, actor, "vision")
        declines = not scenario.game.acts["vision"].compulsory
        choice = Fraction(1) if actor == scenario.viewer else Fraction(1, len(targets) + declines)
        declined = unmoved._replace(result=None)
        if declines and declined.fits(known):
            yield leaf.saw(declined)._replace(weights=tuple(w * choice for w in leaf.weights))
        targets = tuple(t for t in targets if known is None or t == known.target)
        attacks, each = self._attacks(number), len(leaf.weights)
        if step.ended:
            before = [way.get(number, {}).get(actor, ()) for way, _ in scenario.ways]
            pools = [self._pool(number, leaf, actor, {x: attacks[x] for x in made}) for made in before]
            whole = pools
        else:  # all attacks are known
            pools = [self._pool(number, leaf, actor, attacks)] * each
            whole = [self._pool(number, leaf, actor, {})] * each
        for target in targets:
            for result, chances, alive in self._shown(number, leaf, actor, target, whole, pools):
                look = PlacedMove(number, actor, "vision", target, result)
                weights = tuple(w * choice * c for w, c in zip(leaf.weights, chances, strict=True))
                if look.fits(known) and any(weights):
                    yield leaf.saw(look)._replace(alive=alive, weights=weights)

    def _pool(self, number: int, leaf: Leaf, actor: int, before: Mapping[int, int]) -> Worlds:
        for attacker, target in before.items():
            leaf = self._attacked(number, leaf, attacker, target)
        pool = self.scenario.formula(number, self.scenario.game.acts["vision"].pool, actor)
        return leaf.alive & self._seeing(number, actor) & self.scenario.true(pool, leaf.dead)

    def _shown(
        self, number: int, leaf: Leaf, actor: int, target: int, pools: list[Worlds], last: list[Worlds]
    ) -> Iterator[tuple[str | None, list[Fraction], Worlds]]:
        """Yield the possible results of a vision, their chances for each pool, and the worlds they leave.

        `last`: the pools by which it may show nothing; in a running night those after all known attacks.
        """
        scenario = self.scenario
        for label, schema in scenario.game.acts["vision"].shows:
            matching = scenario.where(number, schema, actor, target)
            shown = ((pool & matching).bit_count() for pool in pools)
            chances = [Fraction(n, pool.bit_count() or 1) for n, pool in zip(shown, pools, strict=True)]
            yield label, chances, leaf.alive & ~(self._seeing(number, actor) & ~matching)
        if not all(last):
            yield None, [Fraction(not pool) for pool in last], leaf.alive


def parts_of(scenario: Backbone, demands: Demands, tick: Callable[[], None]) -> tuple[_Part, ...]:
    """Return the worlds by their seer."""
    deals, look = scenario.deals, scenario.game.acts["vision"]
    own = [scenario.where(0, look.by, p) for p in deals.places]
    if not any(own):
        return (_Part(scenario, demands, deals.every, (), tick),)
    if splits_worlds(scenario.game, look):
        return tuple(_Part(scenario, demands, own[p], (p,), tick) for p in deals.places)
    return (_Part(scenario, demands, deals.every, tuple(deals.places), tick),)


# --- how long it may take --------------------------------------------------------------------------

MAX_STATES = 3_000_000
"""Partial sums that may be in memory at once: each takes some tens of bytes."""

_REMEMBERED = 500
"""Parts whose evolutions are remembered."""


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
    _known: dict[Hashable, tuple[Plan, list[Leaf]]] = field(default_factory=dict, repr=False)

    def left(self, most: float = inf) -> float:
        """Return the seconds that are left, at most these."""
        if self.seconds is not None:
            most = min(most, self.started + self.seconds - time.monotonic())
        return max(most, 0.0)

    def options(self, part: _Part) -> list[Leaf]:
        """Return the evolutions of a part, remembered for the next numbering of the players."""
        key = id(part.scenario.plan), part.key
        if key not in self._known:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            self._known[key] = part.scenario.plan, part.options()
        return self._known[key][1]

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
