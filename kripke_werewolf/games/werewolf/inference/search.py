"""The search for all histories that give a player the information they have.

Numbers, drawn roles, the worlds behind each table and the attacks are tried one after the other, each
as soon as the tables rule out most of its possibilities; for each of these scenarios the visions of all
seers are added up at once (`scenarios`, `convolution`). A `Find` holds all histories of one scenario.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, reduce
from importlib.util import find_spec
from itertools import chain, islice, permutations, product
from math import factorial, lcm
from operator import mul, or_
from typing import TypeAlias

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.werewolf.declarations import asks_all, declared, exclusive, fixed_by
from kripke_werewolf.games.werewolf.enumerated import Dead
from kripke_werewolf.games.werewolf.inference.convolution import Summand, TooManyStates, Total, convolve
from kripke_werewolf.games.werewolf.inference.plan import (
    ANY_SHARE,
    BY_FACTS,
    PASSED,
    Died,
    Judged,
    PlacedMove,
    Plan,
    Published,
    Voted,
    idle,
    unplanned,
    unpublished,
)
from kripke_werewolf.games.werewolf.inference.scenarios import (
    ANYBODY,
    Backbone,
    Budget,
    Demands,
    DrawnRoles,
    Leaf,
    Unfinished,
    flags_of,
    is_met,
    parts_of,
    victims_that_matter,
    worlds_behind,
)
from kripke_werewolf.games.werewolf.inference.solver import Attacks, Problem, attack_maps, solver_covers
from kripke_werewolf.games.werewolf.roles import WOLF
from kripke_werewolf.logic.formulas import FALSE

FEW_MAPS = 100
"""The largest number of ways to attack to try one by one even if the solver can rule most of them out."""
MAX_MAPS = 2_000
"""The largest number of ways to attack to try one by one where no sum tells them apart."""
MAX_DEALS = 3_000
"""The largest number of deals of a deck that is searched."""


@dataclass(frozen=True, eq=False)
class Find:
    """All histories of one scenario that explain the plan."""

    scenario: Backbone
    attacks: tuple[Attacks, ...]
    """Whom everybody attacked: all ways that the scenario stands for, equally likely."""
    groups: tuple[tuple[tuple[Leaf, ...], ...], ...]
    """For each part, its options: each consists of the leaves that add the same to all sums."""
    total: Total
    numberings: int
    """How many numberings of the players that are not named belong to it."""
    scale: Fraction
    """The factor by which the weights of the sum are multiplied."""
    sizes: tuple[int, ...]
    """The numbers of worlds that the superposition may have at the end."""

    def shares(self) -> Iterator[tuple[Leaf, int, Fraction, Fraction]]:
        """Yield every leaf of every part with its number of histories, its weight per world, and its weight.

        The weight per world is chance / worlds, summed over the histories with this leaf; all this is for one
        of the ways to attack.
        """
        ways, factor = len(self.scenario.ways), self.scale * self.numberings
        for groups, shares in zip(self.groups, self.total.shares, strict=True):
            for leaves, (number, *weights) in zip(groups, shares, strict=True):
                if not number:
                    continue
                sums = [sum(way) for way in zip(*(leaf.weights for leaf in leaves), strict=True)]
                for leaf in leaves:
                    parts = [factor * w / s if s else 0 for w, s in zip(leaf.weights, sums, strict=True)]
                    each = number // self.total.unit // len(leaves)
                    yield leaf, each, sum(map(mul, parts, weights)), sum(map(mul, parts, weights[ways:]))

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

    def dead(self, leaf: Leaf, attacks: Attacks) -> Dead:
        """Return for each place the worlds of a leaf in which its player is dead, given the attacks."""
        found, wolves = list(leaf.dead), self.scenario.deals.holders[WOLF]
        for (key, target), seen in zip(attacks.items(), map(self.scenario.attacks.get, attacks), strict=True):
            if seen == ANYBODY and target is not None:
                found[target] |= wolves[key[1]]
        return tuple(found)

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
        for leaf, _, _, weight in self.shares():
            for seen in leaf.seen:
                yield seen, weight * len(self.attacks)

    def example(self) -> tuple[Leaf, ...]:
        """Return for each part how it evolves in one of the histories."""
        return tuple(g[o][0] for g, o in zip(self.groups, self.total.example, strict=True))


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
                yield from _with_worlds(bare, numberings, worlds, ways, budget)


def _solved(bare: Backbone, budget: Budget) -> list[Attacks] | None:
    """Return the attacks that the solver finds, or None where they are found quickly without it."""
    plan, most = bare.plan, FEW_MAPS if find_spec("ortools") else MAX_MAPS
    if any(map(bare.blind_in, range(len(plan.steps)))):
        return None  # of the others' attacks in a running phase the solver knows nothing
    if bare.harmless or not solver_covers(plan) or _attack_maps(bare) <= most:
        return None
    found = list(islice(attack_maps(Problem(plan, bare.place, bare.roles), budget), MAX_MAPS + 1))
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


def _with_worlds(
    bare: Backbone, numberings: int, worlds: Mapping[int, int], ways: Iterable[Attacks], budget: Budget
) -> Iterator[Find]:
    grouped: dict[tuple[tuple[tuple[int, int], int | None], ...], list[Attacks]] = {}
    for attacks in ways:
        budget.tick()
        budget.scenarios += 1
        if not grouped:
            matter = victims_that_matter(replace(bare, attacks=attacks))
        seen = dict(attacks)
        if matter is not None:
            seen |= {k: ANYBODY for k, t in attacks.items() if t is not None and t not in matter}
        grouped.setdefault(tuple(sorted(seen.items())), []).append(attacks)
    for key, alike in grouped.items():
        found = _Sums(replace(bare, attacks=dict(key)), worlds, budget).find(tuple(alike), numberings)
        if found is not None:
            yield found


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
    """The parts of a scenario as options, with the bounds of their sums, and the conditions on these."""

    def __init__(self, scenario: Backbone, worlds: Mapping[int, int], budget: Budget) -> None:
        self.scenario, self.budget, self.ways = scenario, budget, len(scenario.ways)
        self.demands = demands = Demands(scenario)
        leaves = [budget.options(part) for part in parts_of(scenario, demands, budget.tick)]
        self.conditions, self.choices = demands.conditions, demands.choices
        self.needed = reduce(or_, map(flags_of, chain(self.conditions, *self.choices)), 0)
        self.bounds = [demands.target(c, worlds) for c in demands.components]
        self.place = {component: i for i, component in enumerate(demands.components)}
        last = self.place[demands.worlds]
        self.bounds[last] = max(self.bounds[last][0] or 0, 1), self.bounds[last][1]
        self.impossible = ((1 << self.ways) - 1) << demands.flags if self.ways > 1 else 0
        self.groups = list(map(self._grouped, leaves))
        self.sizes: set[int] = set()
        """The numbers of worlds at the ends that were accepted."""

    def _grouped(self, options: Sequence[Leaf]) -> dict[tuple[tuple[int, ...], int], list[Leaf]]:
        """Return the leaves of a part that are possible on their own, by what they add to the sums."""
        single = (c for c in self.conditions if flags_of(c).bit_count() == 1)
        never = reduce(or_, (flags_of(c) for c in single if not is_met(c, flags_of(c))), 0)
        grouped: dict[tuple[tuple[int, ...], int], list[Leaf]] = {}
        for leaf in options:
            if not leaf.flags & never:
                flags = leaf.flags & self.needed
                for way, weight in enumerate(leaf.weights) if self.impossible else ():
                    flags |= (not weight) << (self.demands.flags + way)
                grouped.setdefault((leaf.numbers, flags), []).append(leaf)
        return grouped

    def find(self, attacks: tuple[Attacks, ...], numberings: int) -> Find | None:
        """Return all histories of the scenario, which stands for some attacks; None if it has none."""
        if not all(self.groups) or FALSE in self.conditions:
            return None
        parts, scale = [], Fraction(1)
        for grouped in self.groups:  # their weights become whole numbers, and `scale` makes up for that
            leaves = [leaf for same in grouped.values() for leaf in same]
            unit = lcm(*(weight.denominator for leaf in leaves for weight in leaf.weights))
            part = []
            for key, same in grouped.items():
                sums = (sum(way) for way in zip(*(leaf.weights for leaf in same), strict=True))
                part.append(Summand(*key, (len(same), *(int(total * unit) for total in sums))))
            parts.append(part)
            scale /= unit
        try:
            total = convolve(
                parts,
                [low for low, _ in self.bounds],
                [high for _, high in self.bounds],
                self._finish,
                channels=[0, *range(1, 1 + self.ways), *range(1, 1 + self.ways)],
                max_states=self.budget.states,
                tick=self.budget.tick,
            )
        except TooManyStates as error:
            raise Unfinished(f"more than {self.budget.states:,} partial sums ({error.states:,})") from None
        if total is None:
            return None
        groups = tuple(tuple(map(tuple, grouped.values())) for grouped in self.groups)
        sizes = tuple(sorted(self.sizes))
        return Find(self.scenario, attacks, groups, total, numberings, scale / total.unit, sizes)

    def _finish(self, numbers: Sequence[int], flags: int) -> tuple[Fraction, ...] | None:
        """Return the factors of an end: for the number of histories, the weight per world and the weight."""
        demands = self.demands
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
