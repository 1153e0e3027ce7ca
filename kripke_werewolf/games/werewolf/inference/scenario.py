"""Scenarios: what the histories of a search have in common, and what was told about their worlds.

A scenario fixes the numbers of the players, the roles drawn and the attacks: so it says which worlds there
would be at every moment if nobody had looked at anybody (`course`). What a player was told, and what silence
says, are conditions about all worlds: that a player is asked for an attack, that no verdict stands, that one
role is left. Each statement about all worlds in a condition is a flag, set where a world denies it.

Worlds are deals of the deck, by number; sets of them are integers used as bit masks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import permutations, product, takewhile
from math import ceil, factorial, floor, lcm
from typing import TypeAlias

from kripke_werewolf.base.grouping import grouped, remembered
from kripke_werewolf.games.werewolf.declarations import Declared, declared, removes_nothing, seated
from kripke_werewolf.games.werewolf.enumerated import Dead, Deals, Rows, deals_of, died, rows_where
from kripke_werewolf.games.werewolf.inference import plan as plans
from kripke_werewolf.games.werewolf.roles import Action, Deck, Schema
from kripke_werewolf.games.werewolf.rules import column_fact
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.logic.formulas import Atom, Constant, Everywhere, Formula, conjunction, simplify
from kripke_werewolf.logic.formulas import operators as s

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

    plan: plans.Plan
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
    def known(self) -> Mapping[tuple[int, int, Action], plans.PlacedMove]:
        """The known moves, and the known reasons for none, by step, place and action."""
        return {move[:3]: move for move in self.plan.placed(self.place)}

    def moves_count(self, number: int, actor: int) -> bool:
        """Whether the moves of a player are known or searched for: in the current phase only known ones."""
        step = self.plan.steps[number]
        acting = (p for n, p, _ in self.known if n == number)
        return not isinstance(step, plans.Acting) or step.ended or actor in (self.viewer, *acting)

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

    def moves(self, number: int, actor: int, action: Action) -> list[plans.PlacedMove]:
        """Return the possible moves of a player as far as they are known, and last the reason for none."""
        act, known = self.game.acts[action], self.known.get((number, actor, action))
        none = plans.PlacedMove(number, actor, action, None, plans.idle(known))
        declined = [none._replace(result=None)] if not act.compulsory else []
        looks = product(self.targets(number, actor, action), (*(word for word, _ in act.shows), None))
        made = (none._replace(target=target, result=word) for target, word in looks)
        return [move for move in (*declined, *made, none) if move.fits(known)]

    # attacks

    def attack(self, number: int, actor: int) -> plans.PlacedMove:
        """Return a player's attack, or how they came to make none."""
        target, none = self.attacks[number, actor], plans.idle(self.known.get((number, actor, "attack")))
        return plans.PlacedMove(number, actor, "attack", target, none if target is None else None)

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
        made = ((p, t) for (n, p), t in self.attacks.items() if n == number and t is not None)
        return dict(sorted(made))

    @cached_property
    def course(self) -> Mapping[tuple[int, int], Left]:
        """The worlds before (0) and after (1) each step, and at the end, if no vision removed any."""
        found, left = dict[tuple[int, int], Left](), (self.deals.every, (0,) * self.setup.deck.players)
        for number, step in enumerate(self.plan.steps):
            for p in map(self.place.__getitem__, step.dead):
                if isinstance(step, plans.Voted):
                    possible = self.formula(number, self.game.vote.needs, p)
                    left = left[0] & self.true(possible, left[1]), left[1]
            found[number, 0] = left
            left = self._struck(number, self.strikes(number), left)
            for p in map(self.place.__getitem__, step.dead):
                if (number, p) in self.roles:  # of a collapse the world is drawn, not the roles
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
        in_turn = self.setup.rules.acting_order == "number" and _is_night(step)
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
            if random and _is_night(step):
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
        """Yield the conditions of a step on all worlds before (0), or after it (1)."""
        match self.plan.steps[number]:
            case plans.Acting() as step:
                yield from ((0, condition) for condition in self._acted(number, step))
            case plans.Died() as step if self.game.mark is None:
                yield from self._deaths(number, [self.place[name] for name in step.dead])
            case plans.Judged() as step:
                yield from ((0, condition) for condition in self._judged(number, step))
            case plans.Noticed(role=role):
                earlier = (one for one in self.plan.steps[:number] if isinstance(one, plans.Noticed))
                informed = any(one.role is not None for one in earlier)
                for word, schema in self.game.notices:
                    if role in (None, word) and not informed:
                        yield 0, _so(Everywhere(seated(self.game, schema, self.viewer)), role is not None)

    def asked(self, number: int, actor: int, action: Action) -> Formula:
        """Return the condition that a player is asked for an action."""
        return ~Everywhere(~self.formula(number, self.game.acts[action].asked, actor))

    def accepted(self, number: int, actor: int, target: int) -> Formula:
        """Return the condition that an attack is not refused: some world is left in which it is made."""
        act = self.game.acts["attack"]
        if not act.refusable or self.harmless:
            return s.TRUE
        return ~Everywhere(~self.formula(number, f"({act.by}) & ~({act.impossible})", actor, target))

    def allowed(self, move: plans.PlacedMove) -> Formula:
        """Return the condition for a move, or for the reason why there was none."""
        if move.result == plans.UNMADE:
            return s.TRUE
        asked = self.asked(*move[:3])
        if move.action == "attack" and move.target is not None:
            asked &= self.accepted(move.step, move.actor, move.target)
        return _so(asked, move.result != plans.NOT_ASKED)

    def _acted(self, number: int, step: plans.Acting) -> Iterator[Formula]:
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

    def _goes_on(self, number: int, step: plans.Acting) -> Iterator[Formula]:
        """Yield that a move is left if any was made: with the last one the phase would have ended."""
        struck, left = self.strikes(number), list[Formula]()
        for p, action in product(self.living[number], self.setup.actions(step.phase)):
            known = self.known.get((number, p, action))
            if plans.idle(known) == plans.PASSED:
                return
            if (known is None or plans.idle(known) == plans.UNMADE) and not (
                action == "attack" and p in struck
            ):
                left.append(self.asked(number, p, action))
        if struck or any(known.made for known in self.known.values() if known.step == number):
            yield s.disjunction(left)
        if self.alone is not None:
            yield _so(s.exactly(1, *left) if left else s.FALSE, self.alone)

    def _judged(self, number: int, step: plans.Judged) -> Iterator[Formula]:
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

    def _winning(self, step: plans.Judged) -> Iterator[tuple[Formula, bool]]:
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
            if isinstance(step, plans.Judged):
                died = {self.place[name]: word for name, word in step.dead.items()}
                said += [_so(wins, won) for wins, won in self._winning(step)]
                said += [seated(self.game, self.game.found.said(word), p) for p, word in died.items()]
                said += [_so(Atom(f"dead_{p}"), p in died) for p in self.living[at]]
                said.append(seated(self.game, self.game.ending(step.verdict or "village").drawn))
                if step.role is not None:
                    said.append(Atom(f"{step.role}_{self.viewer}"))
            for cell in step.cells if isinstance(step, plans.Published) else ():
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
        yield 0, s.disjunction(in_turn)

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
                return s.FALSE
            statement = number, after, self._meant(number, f.body)
            return Atom(_kept(self.bits.setdefault(statement, len(self.bits))))

        key = number, condition, after, self.bites[number]
        return remembered(self.said, key, lambda: simplify(condition.rewrite(flagged)))

    def denied(self, conditions: Iterable[Formula]) -> Mapping[tuple[int, int], list[tuple[int, Worlds]]]:
        """Return the flags of some conditions by step and moment, each with the worlds that set it."""
        asked = frozenset[str]().union(*(condition.atoms for condition in conditions))
        return grouped(
            ((n, after), (1 << bit, self.deals.every ^ self.true(body, self.course[n, after][1])))
            for (n, after, body), bit in self.bits.items()
            if _kept(bit) in asked
        )

    def _meant(self, number: int, body: Formula) -> Formula:
        """Return the meaning of a statement for each world: bitten players are not quite alive there."""
        match body:
            case s.Not(Atom(name)) if name.startswith("dead_") and self.game.mark is not None:
                p, where = int(name[5:]), self.game.mark.where
                attackers = [x for t, x, _ in self.bites[number] if t == p]
                return ~s.disjunction([body.body, *(seated(self.game, where, x, p) for x in attackers)])
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


def _is_night(step: plans.Moment) -> bool:
    """Whether it is a night that is over."""
    return isinstance(step, plans.Acting) and step.ended and step.phase.kind == "night"


def worlds_behind(plan: plans.Plan, step: plans.Published, most: int) -> Iterator[int]:
    """Yield the numbers of worlds for which all entries of a table are possible shares."""
    fractional = declared(plan.setup).mark is not None
    cells = [c for c in step.cells if not (fractional and column_fact(c.heading) == "dead")]
    unit = lcm(*(c.low.denominator for c in cells if c.low == c.high))
    for size in range(unit, most + 1, unit):
        if step.worlds in (None, size) and all(ceil(c.low * size) <= floor(c.high * size) for c in cells):
            yield size


def _so(f: Formula, holds: bool) -> Formula:
    """Return a formula, or its negation if it does not hold."""
    return f if holds else ~f


def _kept(bit: int) -> str:
    """Return the atom which says that a flag is not set."""
    return f"kept_{bit}"


@lru_cache(maxsize=1 << 16)
def is_met(f: Formula, flags: int) -> bool:
    """Whether a condition holds if exactly these flags are set."""
    return bool(rows_where(f, 1, lambda atom: ~flags >> int(atom.removeprefix("kept_")) & 1))
