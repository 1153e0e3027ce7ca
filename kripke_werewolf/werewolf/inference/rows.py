"""The worlds by their seer: with everything else fixed, each part evolves by the visions of its seer alone.

A `Backbone` fixes the numbers of players, all attacks, and the roles drawn. Then a vision of X changes only
the worlds in which X is the seer, and every published number is a sum over these parts (`Part`).
`Part.options` are all possible evolutions of a part: the moves of its seer, the numbers it adds, the facts it
makes true of some world (`flags`), and its probability. With several seers there is one part, with the
visions of everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from operator import add, mul
from typing import NamedTuple

from kripke_werewolf.werewolf.declarations import splits_worlds
from kripke_werewolf.werewolf.enumerated import Dead, died
from kripke_werewolf.werewolf.inference.demands import Demands
from kripke_werewolf.werewolf.inference.plan import (
    NOT_ASKED,
    PASSED,
    UNMADE,
    Acting,
    Judged,
    Moment,
    PlacedMove,
    Voted,
    idle,
)
from kripke_werewolf.werewolf.inference.scenarios import ANYBODY, Backbone, Worlds

MAX_LEAVES = 400_000
"""Evolutions of a part that may be in memory at once: each takes about a kilobyte."""


class TooManyLeaves(Exception):
    """A part has more than `MAX_LEAVES` evolutions."""


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

    def now(self, alive: Worlds, dead: Dead) -> Leaf:
        """Return it with other worlds, and who is dead in them."""
        return self._replace(alive=alive, dead=dead)

    def saw(self, look: PlacedMove) -> Leaf:
        """Return it after a vision, or none."""
        return self._replace(seen=(*self.seen, look))


@dataclass(frozen=True, eq=False)
class Part:
    """The worlds of one seer."""

    scenario: Backbone
    demands: Demands
    worlds: Worlds
    seers: tuple[int, ...]
    """The players whose visions change these worlds."""
    tick: Callable[[], None]
    """Called now and then; it may raise an exception to stop."""

    @property
    def key(self) -> Hashable:
        """All that its evolutions depend on besides the plan; numberings may have much of it in common."""
        scenario = self.scenario
        names = (
            (*step.dead, *getattr(step, "winners", ()), *getattr(step, "refused", ()))
            for step in scenario.plan.steps
        )
        return (
            self.worlds,
            tuple(
                look
                for look in scenario.known.values()
                if look.action == "vision" and look.actor in self.seers
            ),
            tuple(tuple(map(scenario.place.__getitem__, some)) for some in names),
            *(tuple(sorted(d.items())) for d in (scenario.attacks, scenario.roles)),
        )

    def options(self) -> list[Leaf]:
        """Return every possible evolution of these worlds; raise TooManyLeaves if there are too many."""
        scenario, demands = self.scenario, self.demands
        nobody = (0,) * scenario.deals.deck.players
        counts = len(self.seers) != 1 or self.seers == (0,)  # the share of an order counts once
        weights = tuple(share if counts else Fraction(1) for _, share in scenario.ways)
        leaves = [Leaf(self.worlds, nobody, weights=weights)]
        steps = scenario.plan.steps
        for number, step in enumerate(steps):
            if isinstance(step, Voted):
                spared = scenario.formula(number, scenario.game.vote.needs, scenario.place[step.player])
                leaves = [
                    leaf._replace(alive=leaf.alive & scenario.true(spared, leaf.dead)) for leaf in leaves
                ]
            leaves = [self._noted(leaf, number, 0) for leaf in leaves]
            leaves = self._checked(after for leaf in leaves for after in self._after(number, step, leaf))
            leaves = [self._noted(leaf, number, 1) for leaf in leaves]
        drawn = (leaf._replace(alive=demands.drawn_world(leaf.alive, leaf.dead)) for leaf in leaves)
        return [self._noted(leaf, len(steps), 1) for leaf in drawn]

    def _checked(self, leaves: Iterable[Leaf]) -> list[Leaf]:
        found = []
        for leaf in leaves:
            found.append(leaf)
            if len(found) % 1000 == 0:
                self.tick()
            if len(found) > MAX_LEAVES:
                raise TooManyLeaves
        return found

    def _noted(self, leaf: Leaf, number: int, after: int) -> Leaf:
        demands, flags, numbers = self.demands, leaf.flags, leaf.numbers
        for bit, body in demands.tests.get((number, after), ()):
            if leaf.alive & ~self.scenario.true(body, leaf.dead):
                flags |= bit
        numbers += tuple(
            demands.count(c, leaf.alive, leaf.dead) for c in demands.counted.get((number, after), ())
        )
        return leaf._replace(flags=flags, numbers=numbers)

    def _after(self, number: int, step: Moment, leaf: Leaf) -> Iterable[Leaf]:
        scenario, deals = self.scenario, self.scenario.deals
        if isinstance(step, Acting):
            return self._acted(number, step, leaf)
        for p in map(scenario.place.__getitem__, () if isinstance(step, Judged) else step.dead):
            alive = leaf.alive & deals.holders[scenario.roles[number, p]][p]
            leaf = leaf.now(*died(alive, leaf.dead, p, deals.every))
        return (leaf,)

    # a phase of moves

    def _acted(self, number: int, step: Acting, leaf: Leaf) -> Iterator[Leaf]:
        scenario = self.scenario
        by = scenario.game.acts["vision"].by
        seers = self.seers if "vision" in scenario.setup.actions(step.phase) else ()
        looking = [p for p in seers if p in scenario.living[number]]
        looking = [p for p in looking if scenario.moves_count(number, p)]
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
        for order in permutations(entitled):
            shares = scenario.shares(number, order)
            first = leaf._replace(weights=tuple(map(mul, leaf.weights, shares)))
            turns = [*((p, True) for p in order), *blind, *hits]
            for after in self._played(number, step, first, turns):
                same = after._replace(weights=(), seen=tuple(sorted(after.seen, key=lambda look: look[:2])))
                found[same] = tuple(map(add, found[same], after.weights)) if same in found else after.weights
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
        kills = self.scenario.game.acts["attack"].change
        return dict(self.scenario.attackers.get(number, ())) if kills else {}

    def _earlier(self, number: int, step: Acting, actor: int) -> list[Mapping[int, int]]:
        """Return for each combination of orders the attacks before a vision; in a running phase all known."""
        attacks = self._attacks(number)
        if not step.ended:
            return [attacks]
        before = [way.get(number, {}).get(actor, ()) for way, _ in self.scenario.ways]
        return [{x: attacks[x] for x in attackers} for attackers in before]

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
        none = UNMADE if idle(known) == UNMADE else PASSED if entitled else NOT_ASKED
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
        pools = [self._pool(number, leaf, actor, made) for made in self._earlier(number, step, actor)]
        if len(pools) == 1:
            pools *= len(leaf.weights)
        whole = pools if step.ended else [self._pool(number, leaf, actor, {})] * len(pools)
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
        self,
        number: int,
        leaf: Leaf,
        actor: int,
        target: int,
        pools: Sequence[Worlds],
        last: Sequence[Worlds],
    ) -> Iterator[tuple[str | None, list[Fraction], Worlds]]:
        """Yield the possible results of a vision, their chances for each pool, and the worlds they leave.

        `last`: the pools by which it may show nothing; in a running night those after all known attacks.
        """
        scenario = self.scenario
        for label, schema in scenario.game.acts["vision"].shows:
            matching = scenario.where(number, schema, actor, target)
            chances = [
                Fraction((pool & matching).bit_count(), pool.bit_count()) if pool else Fraction(0)
                for pool in pools
            ]
            yield label, chances, leaf.alive & ~(self._seeing(number, actor) & ~matching)
        if not all(last):
            yield None, [Fraction(not pool) for pool in last], leaf.alive


def parts_of(scenario: Backbone, demands: Demands, tick: Callable[[], None]) -> tuple[Part, ...]:
    """Return the worlds by their seer."""
    deals, look = scenario.deals, scenario.game.acts["vision"]
    own = [scenario.where(0, look.by, p) for p in deals.places]
    if splits_worlds(scenario.game, look) and any(own):
        return tuple(Part(scenario, demands, own[p], (p,), tick) for p in deals.places)
    return (Part(scenario, demands, deals.every, tuple(deals.places) if any(own) else (), tick),)


__all__ = ["MAX_LEAVES", "Leaf", "Part", "TooManyLeaves", "parts_of"]
