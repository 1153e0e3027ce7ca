"""The search for all histories that give a player the information they have.

Numbers, drawn roles, the worlds behind each table and the attacks are tried one after the other, each as soon
as the tables rule out most of its possibilities. These fix a *scenario* (`Backbone`): which worlds there
would be at every moment if nobody had looked at anybody (`course`). A vision of X removes only worlds in
which X is the seer, whatever the others see. So the worlds of each seer are a row: every result of their
visions leaves some of these (`Leaf`), and each published number is the sum over one leaf of every row.

A scenario also says what the player was told about these sums: conditions about all worlds, as that a player
is asked for an attack, that no verdict stands, that one role is left. Each statement about all worlds in a
condition is a flag, set where a world denies it. `convolution` adds up the rows; a `Find` holds all histories
of a scenario.

Worlds are deals of the deck, by number; sets of them are integers used as bit masks.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from importlib.util import find_spec
from itertools import chain, islice, permutations, product, takewhile
from math import ceil, factorial, floor, inf, lcm, prod
from operator import and_, ge, mul, or_
from typing import NamedTuple, NoReturn, TypeAlias

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.games.werewolf.declarations import (
    Declared,
    declared,
    exclusive,
    removes_nothing,
    seated,
    splits_worlds,
)
from kripke_werewolf.games.werewolf.engines import remembered
from kripke_werewolf.games.werewolf.enumerated import (
    Dead,
    Deals,
    Rows,
    deals_of,
    died,
    rows_where,
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


@lru_cache(maxsize=1 << 14)
def _settled(
    game: Declared, schema: Schema, i: int | None, t: int | None, living: tuple[int, ...]
) -> Formula:
    official = {p: Constant(p not in living) for p in range(len(game.players))}
    f = seated(game, schema, i, t).substitute({f"out_{p}": out for p, out in official.items()})
    dead = {f"dead_{p}": out for p, out in official.items()}
    ranked = (atom for atom in f.atoms if atom.startswith("dominant_"))
    return f.substitute({atom: game.meaning[atom].substitute(dead) for atom in ranked})


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
    alone: bool | None = None
    """In a running phase: whether exactly one move is left; None: one or more."""
    said: dict[Hashable, Formula] = field(default_factory=dict)
    """Conditions in terms of flags, shared by all ways to attack."""
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
                found[n, self.place[name], action] = move.placed(n, name, action, self.place)
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

    def moves(self, number: int, actor: int, action: Action) -> list[PlacedMove]:
        """Return what a player may have done as far as it is known, and last how nothing came to be done."""
        act, known = self.game.acts[action], self.known.get((number, actor, action))
        none = PlacedMove(number, actor, action, None, idle(known))
        declined = [none._replace(result=None)] if not act.compulsory else []
        looks = product(self.targets(number, actor, action), (*(word for word, _ in act.shows), None))
        made = (none._replace(target=target, result=word) for target, word in looks)
        return [move for move in (*declined, *made, none) if move.fits(known)]

    # attacks

    def attack(self, number: int, actor: int) -> PlacedMove:
        """Return a player's attack, or how they came to make none."""
        target, none = self.attacks[number, actor], idle(self.known.get((number, actor, "attack")))
        return PlacedMove(number, actor, "attack", target, none if target is None else None)

    def after_open_attacks(self, alive: Worlds, dead: Dead) -> Iterator[tuple[Worlds, Dead, Fraction]]:
        """Yield the worlds that hidden attacks of a running phase may have left of some, each with its share.

        The dominant wolf may have attacked nobody yet, or any other player who is not a
        wolf, all equally likely.
        """
        step, rest, act = self.plan.running, alive, self.game.acts["attack"]
        over = self.alone or self.plan.told.entries[-1].resting
        if step is not None and act.change and "attack" in self.setup.actions(step.phase):
            number = self.plan.steps.index(step)
            for actor in () if over else self.living[number]:
                hunting = alive & self.where(number, act.by, actor)
                if not hunting or (number, actor) in self.attacks or self.moves_count(number, actor):
                    continue
                rest &= ~hunting
                targets = self.targets(number, actor, "attack")
                prey = {t: hunting & ~self.where(number, act.impossible, actor, t) for t in targets}
                size = hunting.bit_count()  # as many players in every world: those alive who are not wolves
                share = Fraction(size, size + sum(map(int.bit_count, prey.values())))
                yield hunting, dead, share
                for t, good in prey.items():
                    yield *died(good, dead, t, good), share
        yield rest, dead, Fraction(1)

    def strikes(self, number: int) -> Mapping[int, int]:
        """Return the attacks of a step, in the order of the places."""
        made = sorted(
            (p, target) for (n, p), target in self.attacks.items() if n == number and target is not None
        )
        return dict(made)

    @cached_property
    def course(self) -> Mapping[tuple[int, int], Left]:
        """The worlds before (0) and after (1) each step, and at the end, if no vision removed any."""
        found, left = dict[tuple[int, int], Left](), (self.deals.every, (0,) * self.setup.deck.players)
        for number, step in enumerate(self.plan.steps):
            if isinstance(step, Voted):
                spared = self.formula(number, self.game.vote.needs, self.place[step.player])
                left = left[0] & self.true(spared, left[1]), left[1]
            found[number, 0] = left
            left = self._struck(number, self.strikes(number), left)
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
            target, (alive, dead) = self.strikes(number)[actor], left
            wolves = self.where(number, act.impossible, actor, target)
            left = died(alive, dead, target, alive & self.where(number, act.by, actor), wolves)
        return left

    def pools(self, number: int, actor: int) -> tuple[list[Worlds], list[Worlds]]:
        """Return for each of the `ways` the worlds a vision is drawn from, and those by which it may fail.

        In a running night these differ: all known attacks may have come before it.
        """
        step, made = self.plan.steps[number], self.strikes(number)
        if step is self.plan.running:
            before, last = self._pool(number, actor, ()), self._pool(number, actor, made)
            return [before] * len(self.ways), [last] * len(self.ways)
        in_turn = self.setup.rules.acting_order == "number" and is_night(step)
        earlier = frozenset(x for x in made if in_turn and x < actor)
        pools = [self._pool(number, actor, way.get((number, actor), earlier)) for way, _ in self.ways]
        return pools, pools

    def _pool(self, number: int, actor: int, before: Iterable[int]) -> Worlds:
        alive, dead = self._struck(number, before, self.course[number, 0])
        return alive & self.true(self.formula(number, self.game.acts["vision"].pool, actor), dead)

    @cached_property
    def ways(self) -> Sequence[tuple[Mapping[tuple[int, int], frozenset[int]], Fraction]]:
        """Every combination of the orders of random nights, with its probability.

        For each night and seer: the attackers who may matter to the vision and came before it.
        """
        look, attack = self.game.acts["vision"], self.game.acts["attack"]
        found: list[tuple[dict[tuple[int, int], frozenset[int]], Fraction]] = [({}, Fraction(1))]
        free = not attack.change or (self.harmless and look.pool == "true")  # no vision depends on attacks
        random = self.setup.rules.acting_order == "random" and not free
        for number, step in enumerate(self.plan.steps):
            if random and is_night(step):
                orders = self._orders(number)
                found = [({**one, **night}, p * q) for (one, p), (night, q) in product(found, orders)]
        return found

    @cached_property
    def harmless(self) -> bool:
        """Whether attacks remove no world."""
        return removes_nothing(self.game, self.game.acts["attack"])

    def _orders(self, number: int) -> Iterator[tuple[dict[tuple[int, int], frozenset[int]], Fraction]]:
        """Yield the relevant attackers that may have acted before each vision, with the share of the orders.

        Where attacks are harmless, only those on the seer matter to a vision: others remove nothing it could
        show.
        """
        made, living = self.strikes(number).items(), self.living[number]
        relevant = {
            p: frozenset(x for x, t in made if x != p and (not self.harmless or t == p)) for p in living
        }
        acting = [p for p in living if relevant[p] or any(p in others for others in relevant.values())]
        found = Counter[tuple[frozenset[int], ...]]()
        for order in permutations(acting):
            before = {p: relevant[p].intersection(order[:turn]) for turn, p in enumerate(order)}
            found[tuple(before[p] for p in acting)] += 1
        for key, orders in found.items():
            turns = zip(acting, key, strict=True)
            yield {(number, p): others for p, others in turns}, Fraction(orders, factorial(len(acting)))

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

    # what was told, and what silence says

    def conditions(self, number: int) -> Iterator[tuple[int, Formula]]:
        """Yield what follows from a step about all worlds before (0), or after it (1)."""
        match self.plan.steps[number]:
            case Acting() as step:
                yield from ((0, condition) for condition in self._acted(number, step))
            case Died() as step if self.game.mark is None:
                yield from self._deaths(number, [self.place[name] for name in step.dead])
            case Judged() as step:
                yield from ((0, condition) for condition in self._judged(number, step))
            case Noticed(role=role):
                informed = (isinstance(s, Noticed) and s.role is not None for s in self.plan.steps[:number])
                for word, schema in () if any(informed) else self.game.notices:
                    if role in (None, word):
                        yield 0, _so(Everywhere(seated(self.game, schema, self.viewer)), role is not None)

    def asked(self, number: int, actor: int, action: Action) -> Formula:
        """Return the condition that a player is asked for an action."""
        return ~Everywhere(~self.formula(number, self.game.acts[action].asked, actor))

    def accepted(self, number: int, actor: int, target: int) -> Formula:
        """Return the condition that an attack is not refused: some world is left in which it is made."""
        act = self.game.acts["attack"]
        if not act.refusable or self.harmless:
            return TRUE
        return ~Everywhere(~self.formula(number, f"({act.by}) & ~({act.impossible})", actor, target))

    def allowed(self, move: PlacedMove) -> Formula:
        """Return the condition for a move, or for the reason why there was none."""
        if move.result == UNMADE:
            return TRUE
        asked = self.asked(*move[:3])
        if move.action == "attack" and move.target is not None:
            asked &= self.accepted(move.step, move.actor, move.target)
        return _so(asked, move.result != NOT_ASKED)

    def _acted(self, number: int, step: Acting) -> Iterator[Formula]:
        """Yield the conditions for the attacks of a phase, and for its going on."""
        look, act = self.game.acts["vision"], self.game.acts["attack"]
        if not step.ended:
            yield from self._goes_on(number, step)
        for actor in self.living[number]:
            if (number, actor) in self.attacks:
                yield self.allowed(self.attack(number, actor))
        for blind in self.blind_in(number):  # before it, all who see were attacked
            sees = self.formula(number, f"({look.by}) & ({look.pool})", blind)
            for actor in self.living[number]:
                if not self.moves_count(number, actor):
                    nobody = Everywhere(~(self.formula(number, act.by, actor) & sees))
                    yield _so(nobody, self.attacks.get((number, actor)) != blind)
        for name in step.refused:
            yield ~self.accepted(number, self.viewer, self.place[name])

    def _goes_on(self, number: int, step: Acting) -> Iterator[Formula]:
        """Yield that a move is left if any was made: with the last one the phase would have ended."""
        struck, left = self.strikes(number), list[Formula]()
        for p, action in product(self.living[number], self.setup.actions(step.phase)):
            known = self.known.get((number, p, action))
            if idle(known) == PASSED:
                return
            if (known is None or idle(known) == UNMADE) and not (action == "attack" and p in struck):
                left.append(self.asked(number, p, action))
        if struck or any(known.made for known in self.known.values() if known.step == number):
            yield disjunction(left)
        if self.alone is not None:
            yield _so(exactly(1, *left) if left else FALSE, self.alone)

    def _judged(self, number: int, step: Judged) -> Iterator[Formula]:
        """Yield the verdict given by the rules, with what it says of those who have won."""
        ends = {ending.verdict: ending.when for ending in self.game.endings}
        ends["collapse"] = self.game.collapse
        end = "collapse" if step.collapsed else step.verdict
        for other in takewhile(lambda other: other != end, ends):
            yield ~self.formula(number, ends[other])
        if end is None:
            return
        yield self.formula(number, ends[end])
        for wins, won in () if step.collapsed else self._winning(step):
            yield _so(Everywhere(wins), won)

    def _winning(self, step: Judged) -> Iterator[tuple[Formula, bool]]:
        """Yield where each player wins, and whether they have won."""
        schema, won = self.game.ending(step.verdict or "village").wins, {self.place[n] for n in step.winners}
        for p in self.deals.places:
            yield seated(self.game, schema, p), p in won

    @cached_property
    def drawn(self) -> Worlds:
        """The worlds at the end; the one drawn by a collapse, given later events, is among these."""
        (alive, dead), at = self.course[len(self.plan.steps), 1], self.plan.collapsed
        said = list[Formula]()
        for step in self.plan.steps[at:]:
            if isinstance(step, Judged):
                died = {self.place[name]: word for name, word in step.dead.items()}
                said += [_so(wins, won) for wins, won in self._winning(step)]
                said += [seated(self.game, self.game.found.said(word), p) for p, word in died.items()]
                said += [_so(Atom(f"dead_{p}"), p in died) for p in self.living[at]]
                said.append(seated(self.game, self.game.ending(step.verdict or "village").drawn))
                if step.role is not None:
                    said.append(Atom(f"{step.role}_{self.viewer}"))
            for cell in step.cells if isinstance(step, Published) else ():
                if (fact := column_fact(cell.heading)) != "dead":  # players then found dead are announced
                    said.append(_so(Atom(f"{fact}_{self.plan.place_of(cell.row)}"), cell.high == 1))
        return alive & self.deals.test(conjunction(said), dead)

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
            for actor, target in self.strikes(number).items():
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

    # flags

    def in_flags(self, number: int, condition: Formula, after: int = 0) -> Formula:
        """Return a condition about all worlds at a step in terms of flags."""

        def flagged(f: Formula) -> Formula:
            if not isinstance(f, Everywhere):
                return f
            if self._surely_denied(number, f.body):
                return FALSE
            statement = number, after, self._meant(number, f.body)
            return Atom(_kept(self.bits.setdefault(statement, len(self.bits))))

        key = number, condition, after, self.bites[number]
        return remembered(self.said, key, lambda: simplify(condition.rewrite(flagged)))

    def _meant(self, number: int, body: Formula) -> Formula:
        """Return the meaning of a statement for each world: bitten players are not quite alive there."""
        match body:
            case Not(Atom(name)) if name.startswith("dead_") and self.game.mark is not None:
                p, where = int(name[5:]), self.game.mark.where
                attackers = [x for t, x, _ in self.bites[number] if t == p]
                return ~disjunction([body.body, *(seated(self.game, where, x, p) for x in attackers)])
        return body

    def _surely_denied(self, number: int, body: Formula) -> bool:
        """Whether later tables show that some world denies it."""
        seats = {int(atom.rpartition("_")[2]) for atom in body.atoms}
        if len(seats) != 1:
            return False
        (p,) = seats
        if any(atom.startswith("dead_") for atom in body.atoms):
            return isinstance(body, Atom) and self.plan.shows_later(number, "alive", p)
        true = self.true(body, ())
        shown = (fact for fact in self.deals.holders if self.plan.shows_later(number, fact, p))
        return any(not self.deals.holders[fact][p] & true for fact in shown)


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


def _so(f: Formula, holds: bool) -> Formula:
    """Return a formula, or its negation if it does not hold."""
    return f if holds else ~f


def _kept(bit: int) -> str:
    """Return the atom which says that a flag is not set."""
    return f"kept_{bit}"


def _bit(atom: str) -> int:
    return int(atom.removeprefix("kept_"))


@lru_cache(maxsize=1 << 16)
def is_met(f: Formula, flags: int) -> bool:
    """Whether a condition holds if exactly these flags are set."""
    return bool(rows_where(f, 1, lambda atom: ~flags >> _bit(atom) & 1))


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


# --- the histories of a scenario ------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Find:
    """All histories of one scenario that explain the plan."""

    scenario: Backbone
    """One of the ways to attack."""
    attacks: tuple[Attacks, ...]
    """Whom everybody attacked: all ways that add the same to all sums, equally likely."""
    rows: Sequence[Sequence[Leaf]]
    total: Total
    numberings: int
    """How many numberings of the players that are not named belong to it."""
    sizes: tuple[int, ...]
    """The numbers of worlds that the superposition may have at the end."""

    @cached_property
    def shares(self) -> Sequence[tuple[Leaf, Fraction, Fraction]]:
        """Every leaf of every row with its weight per world, and its weight.

        The weight per world is chance / worlds, summed over the histories with this leaf; all this is for one
        of the ways to attack.
        """
        ways, unit, found = len(self.scenario.ways), Fraction(self.numberings, self.total.unit), []
        for row, shares in zip(self.rows, self.total.shares, strict=True):
            for leaf, (number, *weights) in zip(row, shares, strict=True):
                if number:
                    found.append((leaf, unit * sum(weights[:ways]), unit * sum(weights[ways:])))
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
        return Fraction(found * self.numberings * len(self.attacks), self.total.unit)

    def valued(self, atoms: Sequence[str]) -> Iterator[tuple[frozenset[str], Fraction]]:
        """Yield the true ones of some atoms in the worlds of the histories, with the weights of these."""
        scenario, parts = self.scenario, dict[tuple[Worlds, Dead], Fraction]()
        mortal = any(atom.startswith(("dead_", "dominant_")) for atom in atoms)
        ways = (replace(scenario, attacks=attacks) for attacks in self.attacks)
        deaths = [way.course[len(scenario.plan.steps), 1][1] if mortal else () for way in ways]
        for dead, many in Counter(deaths).items():
            for leaf, each, _ in self.shares:
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
            scenario = replace(self.scenario, attacks=attacks)
            for number, actor in attacks:
                yield scenario.attack(number, actor), self.weight / len(self.attacks)
        for leaf, _, weight in self.shares:
            for seen in leaf.seen:
                yield seen, weight * len(self.attacks)

    def example(self) -> set[PlacedMove]:
        """Return the moves of one of the histories, and the reasons for none."""
        struck = ((turn, target) for turn, target in self.attacks[0].items() if target is not None)
        found = {PlacedMove(number, actor, "attack", target) for (number, actor), target in struck}
        return found.union(*(row[o].seen for row, o in zip(self.rows, self.total.example, strict=True)))


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
    if not splits_worlds(game, game.acts["vision"]):
        return "the search for histories does not cover several seers"
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
    for alone, (place, numberings) in product(_cases(plan), placements(plan, ())):
        for roles in drawn_roles(plan, place):
            budget.tick()
            bare = Backbone(plan, place, roles, {}, alone)
            solved = _solved(bare, budget)
            for worlds in _sizes(bare):
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


def _cases(plan: Plan) -> Sequence[bool | None]:
    """Return whether exactly one move is left in a running phase, if it can be an attack: both cases.

    That move has not been made, since the phase would have ended with it.
    """
    now, setup = plan.running, plan.setup
    passed = now is not None and PASSED in {known.result for known in now.known.values()}
    if now is None or passed or setup.targets == "public" or declared(setup).mark is not None:
        return (None,)
    return (True, False) if "attack" in setup.actions(now.phase) else (None,)


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
    phases = ((number, bare.living[number]) for number, step in bare.plan.acting("attack") if step.ended)
    return prod(len(bare.moves(number, p, "attack")) for number, living in phases for p in living)


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
        if known:
            yield place, factorial(len(rest) - len(names))


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
    """Whether tables from a step on may show that a player certainly had a role, and is dead."""
    certain = role, plan.setup.deck.kind(role), "dead"
    shown = (shares.items() for at, shares in plan.intervals.items() if at >= number)
    return all(
        low <= (fact in certain) <= high
        for (fact, p), (low, high) in chain.from_iterable(shown)
        if p == place
    )


# how many worlds were behind each table


def _sizes(bare: Backbone) -> Iterator[Mapping[int, int]]:
    """Yield the possible numbers of worlds at each table, by its step: never more than before."""
    plan, deals, left = bare.plan, bare.deals, bare.deals.every
    choices: dict[int, list[int]] = {}
    for number, step in enumerate(plan.steps[: plan.collapsed]):
        for (at, p), role in bare.roles.items():
            if at == number:
                left &= deals.holders[role][p]
        if isinstance(step, Published) and (step.cells or step.worlds is not None):
            choices[number] = list(worlds_behind(plan, step, left.bit_count()))
    for sizes in product(*choices.values()):
        if all(map(ge, sizes, sizes[1:])):
            yield dict(zip(choices, sizes, strict=True))


# the attacks


Needs: TypeAlias = Mapping[tuple[int, int], tuple[Fraction, Fraction]]
"""For each table, by its step, and each living place, how much death it shows, counted in worlds."""


class _Attackers:
    """Who may have attacked whom: in one scenario, the attacks that fit the column of the dead.

    The contribution of each attacker to an entry lies in an interval, from what the table says of them as a
    wolf; with one wolf it is exactly that number.
    """

    def __init__(self, bare: Backbone, worlds: Mapping[int, int], tick: Callable[[], None]) -> None:
        self.bare, self.worlds, self.tick = bare, worlds, tick
        self.act = bare.game.acts["attack"]
        self.lone = exclusive(bare.game, replace(self.act, by="wolf_{i}"))
        """Whether no two players are wolves at once: an attack counts wherever the attacker is one."""

    def _shown(self, table: int, fact: str, place: int) -> tuple[Fraction, Fraction]:
        """Return the least and greatest number of worlds where a fact is true, according to a table."""
        low, high = self.bare.plan.intervals[table].get((fact, place), ANY_SHARE)
        return low * self.worlds[table], high * self.worlds[table]

    def all(self) -> Iterator[Attacks]:
        """Yield the attacks by step and place; None for those who were not asked."""
        bare, tables = self.bare, self.worlds
        turns = [(n, p) for n, _ in bare.plan.acting("attack") for p in bare.living[n]]
        choices = grouped((p, self._choices(n, p)) for n, p in turns)
        likely = sorted(choices, key=lambda p: -max((self._shown(n, WOLF, p)[1] for n in tables), default=0))
        needs = {(n, p): self._shown(n, "dead", p) for n in tables for p in bare.living[n]}
        yield from self._extended([(p, choices[p]) for p in likely], {}, needs)

    def _extended(
        self, actors: Sequence[tuple[int, list[list[Attacks]]]], chosen: Attacks, needs: Needs
    ) -> Iterator[Attacks]:
        """Choose the attacks of one player after the other, as long as no entry is exceeded."""
        if not actors:
            if all(low <= 0 for low, _ in needs.values()):
                yield chosen
            return
        self.tick()
        (actor, choices), *rest = actors
        for parts in product(*choices):
            made = {turn: target for part in parts for turn, target in part.items()}
            left = self._left(made, actor, needs)
            if all(high >= 0 for _, high in left.values()):
                yield from self._extended(rest, {**chosen, **made}, left)

    def _choices(self, number: int, actor: int) -> list[Attacks]:
        """Return what a player may have done in a phase; nothing where they had no part in it."""
        bare, turn = self.bare, (number, actor)
        if not bare.moves_count(number, actor):
            return [{}, *({turn: blind} for blind in bare.blind_in(number))]
        moves = bare.moves(number, actor, "attack")
        good = any(self._shown(n, WOLF, actor)[1] == 0 for n in self.worlds if n < number)
        if good or bare.plan.steps[number] is bare.plan.running:
            moves = moves[-1:]
        denied = {move for move in moves if bare.in_flags(number, bare.allowed(move)) is FALSE}
        return [{turn: move.target} for move in moves if move not in denied]

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
            for target, share in killed.items():
                if (table, target) in left:
                    low, high = left[table, target]
                    left[table, target] = low - most * share, high - least * share
        return left


# the sums


class _Number(NamedTuple):
    """A number of worlds before (0) or after (1) a step, which is a sum over the rows."""

    step: int
    after: int
    counted: tuple[tuple[int, Worlds], ...]
    """The worlds that count, with their factors."""
    least: int | None = None
    most: int | None = None
    """Its bounds."""


class _Sums:
    """The sums over the rows of a scenario, with their bounds, and the conditions on these.

    `worlds`: the number of worlds at each table.
    """

    def __init__(self, scenario: Backbone, worlds: Mapping[int, int], budget: Budget) -> None:
        self.scenario, self.budget, steps = scenario, budget, scenario.plan.steps
        self.end = _Number(len(steps), 1, self._all, 1)
        """The number of worlds at the end."""
        self.draws: list[tuple[_Number, _Number | None]] = []
        """For each draw: the worlds before and after it; None if one world was drawn."""
        numbers, conditions = [self.end], list[Formula]()
        for number, step in enumerate(steps):
            if isinstance(step, Voted | Died) and step.dead:
                self.draws.append((_Number(number, 0, self._all), _Number(number, 1, self._all)))
            elif isinstance(step, Judged) and step.collapsed:
                self.draws.append((_Number(number, 1, self._all), None))
            elif number in worlds:
                numbers += self._shown(number, worlds[number])
            if isinstance(step, Died) and scenario.game.mark is not None:
                numbers += self._bitten(number, {scenario.place[name] for name in step.dead})
            conditions += [scenario.in_flags(number, f, after) for after, f in scenario.conditions(number)]
        numbers += [one for draw in self.draws for one in draw if one is not None]
        self.numbers = sorted(dict.fromkeys(numbers), key=lambda one: one[:2])
        """The numbers to which every row adds, in order of time."""
        self.counted = grouped(((one.step, one.after), one.counted) for one in self.numbers)
        """What is counted before (0) and after (1) each step."""
        self.conditions = [condition for condition in conditions if condition is not TRUE]
        """What must hold, in atoms that say that a flag is not set."""
        self.choices = list(self._chosen())
        """For each attack of another player, and each possible target of it, whether it was accepted."""
        asked = {atom for f in (*self.conditions, *chain(*self.choices)) for atom in f.atoms}
        self.tests = grouped(
            ((n, after), (1 << bit, scenario.deals.every ^ scenario.true(body, scenario.course[n, after][1])))
            for (n, after, body), bit in scenario.bits.items()
            if _kept(bit) in asked
        )
        """The flags before (0) and after (1) each step, each with the worlds that deny its statement."""
        self.ways = len(scenario.ways)
        self.impossible = ((1 << self.ways) - 1) << len(scenario.bits) if self.ways > 1 else 0
        """Further flags: in which orders of the nights a leaf is impossible."""
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
        worlds = (alive for alive, _ in self.scenario.course.values())
        seen = (*self.tests.items(), *self.counted.items(), *self.pools.items())
        return (*self.conditions, *self.choices, *worlds, self.scenario.drawn, repr(seen))

    @property
    def _all(self) -> tuple[tuple[int, Worlds], ...]:
        return ((1, self.scenario.deals.every),)

    def _chosen(self) -> Iterator[tuple[Formula, ...]]:
        scenario = self.scenario
        for (number, actor), target in scenario.attacks.items():
            if target is not None and actor != scenario.viewer:
                targets = scenario.targets(number, actor, "attack")
                accepted = (scenario.accepted(number, actor, t) for t in targets)
                yield tuple(scenario.in_flags(number, condition) for condition in accepted)

    def _shown(self, number: int, worlds: int) -> Iterator[_Number]:
        """Yield the numbers behind a table."""
        scenario, shown = self.scenario, self.scenario.plan.intervals[number]
        yield _Number(number, 1, self._all, worlds, worlds)
        exact = sum(fact == WOLF and low == high for (fact, _), (low, high) in shown.items())
        lone = scenario.game.mark is None and scenario.harmless
        for (fact, p), (low, high) in shown.items():
            if fact != "dead":
                held = ((1, scenario.deals.holders[fact][p]),)
                yield _Number(number, 1, held, ceil(low * worlds), floor(high * worlds))
            elif not lone or exact < scenario.setup.deck.players:  # else deaths follow from wolf and attacks
                scale = worlds * scenario.scale
                yield _Number(number, 1, self._lost(number, 1, p), ceil(low * scale), floor(high * scale))

    def _bitten(self, number: int, found: Container[int]) -> Iterator[_Number]:
        """Yield the parts of lives lost, minus the worlds: players bitten to death are found at once."""
        scenario = self.scenario
        for p in scenario.living[number]:
            after = int(p not in found)
            lost = (-scenario.scale, scenario.deals.every), *self._lost(number, after, p)
            if not after:
                yield _Number(number, after, lost, least=0)
            elif len(lost) > 1:
                yield _Number(number, after, lost, most=-1)

    def _lost(self, number: int, after: int, p: int) -> tuple[tuple[int, Worlds], ...]:
        """Return where a player is dead or bitten, with the part of a life."""
        scenario, mark = self.scenario, self.scenario.game.mark
        if mark is None or scenario.course[number, after][1][p]:
            return ((scenario.scale, scenario.course[number, after][1][p]),)
        bites = ((x, share) for t, x, share in scenario.bites[number - 1 + after] if t == p)
        return tuple(
            (int(share * scenario.scale), scenario.where(number, mark.where, x, p)) for x, share in bites
        )

    @cached_property
    def rows(self) -> list[list[Leaf]]:
        """The rows: the worlds of each seer, or of all without a seer, and what visions leave of them."""
        scenario, by = self.scenario, self.scenario.game.acts["vision"].by
        own = {p: scenario.where(0, by, p) for p in scenario.deals.places}
        if not any(own.values()):
            own = {-1: scenario.deals.every}
        rows = [self._row(worlds, seer) for seer, worlds in own.items()]
        if all(rows):  # what every leaf of a row denies need not be added up
            self.sure = reduce(or_, (reduce(and_, (leaf.flags for leaf in row)) for row in rows))
        return rows

    def _row(self, worlds: Worlds, seer: int) -> list[Leaf]:
        """Return all that the visions of a seer may leave of some worlds; raise Unfinished if need be."""
        steps = self.scenario.plan.steps
        leaves: Iterable[Leaf] = [Leaf(worlds, weights=(Fraction(1),) * self.ways)]
        for number in range(len(steps)):
            leaves = self._noted(leaves, number, 0)
            if (number, seer) in self.pools:
                leaves = self._checked(after for leaf in leaves for after in self._looked(number, leaf, seer))
            leaves = self._noted(leaves, number, 1)
        drawn = (leaf._replace(alive=leaf.alive & self.scenario.drawn) for leaf in leaves)
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
        tests, numbers = self.tests.get(moment, ()), self.counted.get(moment, ())
        for leaf in leaves:
            alive, flags, found = leaf.alive & worlds, leaf.flags, []
            for bit, denying in tests:
                if alive & denying:
                    flags |= bit
            for counted in numbers:
                found.append(sum(weight * (alive & some).bit_count() for weight, some in counted))
            yield Leaf(alive, (*leaf.numbers, *found), flags, leaf.weights, leaf.seen)

    def _looked(self, number: int, leaf: Leaf, actor: int) -> Iterator[Leaf]:
        """Yield the worlds after every possible vision of a player."""
        scenario, act, asked = self.scenario, self.scenario.game.acts["vision"], bool(leaf.alive)
        shows, (pools, last) = dict(act.shows), self.pools[number, actor]
        choices = len(scenario.targets(number, actor, "vision")) + (not act.compulsory)
        if actor == scenario.viewer:
            choices = 1
        for look in scenario.moves(number, actor, "vision"):
            alive, chances = leaf.alive, [Fraction(1, choices)] * self.ways
            if not look.made:
                if look.result == UNMADE or asked is (look.result == PASSED):
                    yield leaf._replace(seen=(*leaf.seen, look))
                continue
            if look.result is not None:
                matching = scenario.where(number, shows[look.result], actor, look.target)
                alive, drawn = alive & matching, [pool & alive for pool in pools]
                chances = [Fraction((w & matching).bit_count(), choices * w.bit_count() or 1) for w in drawn]
            elif look.target is not None:
                chances = [Fraction(not pool & alive, choices) for pool in last]
            weights = tuple(map(mul, leaf.weights, chances))
            if asked and any(weights):
                yield leaf._replace(alive=alive, weights=weights, seen=(*leaf.seen, look))

    def find(self, attacks: tuple[Attacks, ...], numberings: int) -> Find | None:
        """Return all histories of the scenario, with any of some attacks; None if it has none."""
        if FALSE in self.conditions or not all(self.rows):
            return None
        try:
            total = convolve(
                [list(map(self._summand, row)) for row in self.rows],
                [(one.least, one.most) for one in self.numbers],
                self._finish,
                channels=[0, *range(1, 1 + self.ways), *range(1, 1 + self.ways)],
                max_states=self.budget.states,
                tick=self.budget.tick,
            )
        except TooManyStates as error:
            raise Unfinished(f"more than {self.budget.states:,} partial sums ({error.states:,})") from None
        if total is None:
            return None
        return Find(self.scenario, attacks, self.rows, total, numberings, tuple(sorted(self.sizes)))

    def _summand(self, leaf: Leaf) -> Summand:
        """Return what a leaf adds."""
        flags = leaf.flags & ~self.sure
        for way, weight in enumerate(leaf.weights if self.impossible else ()):
            flags |= (not weight) << (len(self.scenario.bits) + way)
        return Summand(leaf.numbers, flags, (Fraction(1), *leaf.weights))

    def _finish(self, numbers: Sequence[int], flags: int) -> tuple[Fraction, ...] | None:
        """Return the factors of an end: for the number of histories, the weight per world and the weight."""
        flags |= self.sure
        if self.impossible and flags & self.impossible == self.impossible:
            return None
        if not all(is_met(condition, flags) for condition in self.conditions):
            return None
        reached = dict(zip(self.numbers, numbers, strict=True))
        factor, size = Fraction(1), reached[self.end]
        for accepted in self.choices:
            factor /= sum(is_met(each, flags) for each in accepted)
        for before, after in self.draws:
            factor *= Fraction(reached[after] if after is not None else 1, reached[before])
        histories = 1
        if self.scenario.plan.collapsed < len(self.scenario.plan.steps):
            histories, size = size, 1  # after a collapse every world is its own history
        self.sizes.add(size)
        weights = [factor * histories * share for _, share in self.scenario.ways]
        return (Fraction(histories), *(weight / size / histories for weight in weights), *weights)
