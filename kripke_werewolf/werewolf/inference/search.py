"""The search for all histories that give a player the information they have.

Numbers, drawn roles, the worlds behind each table and the attacks are tried one after the other, each
as soon as the tables rule out most of its possibilities; for each of these scenarios the visions of all
seers are added up at once (`rows`, `convolution`). A `Find` holds all histories of one scenario.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, reduce
from importlib.util import find_spec
from itertools import permutations, product
from math import ceil, factorial, floor, lcm
from operator import and_, or_

from kripke_werewolf.errors import GameError
from kripke_werewolf.werewolf.declarations import asks_all, declared, exclusive, fixed_by, removes_nothing
from kripke_werewolf.werewolf.enumerated import Dead, deals_of
from kripke_werewolf.werewolf.inference.convolution import (
    Summand,
    TooManyStates,
    Total,
    convolve,
)
from kripke_werewolf.werewolf.inference.demands import Demands, victims_that_matter
from kripke_werewolf.werewolf.inference.plan import (
    BY_FACTS,
    NOT_ASKED,
    PASSED,
    UNMADE,
    Acting,
    Cell,
    Died,
    Judged,
    Move,
    Plan,
    Published,
    Voted,
    unplanned,
    unpublished,
)
from kripke_werewolf.werewolf.inference.rows import MAX_LEAVES, Leaf, Part, TooManyLeaves, parts_of
from kripke_werewolf.werewolf.inference.scenarios import (
    ANYBODY,
    Backbone,
    announced_roles,
    bites_of,
    blind_in,
    living_places,
    moves_count,
    open_targets,
    worlds_behind,
)
from kripke_werewolf.werewolf.inference.solver import (
    Attacks as AttackMap,
)
from kripke_werewolf.werewolf.inference.solver import (
    OutOfTime,
    Problem,
    attack_maps,
    solver_covers,
)
from kripke_werewolf.werewolf.roles import WOLF, Role, is_wolf
from kripke_werewolf.werewolf.rules import FACTS

MAX_STATES = 3_000_000
"""Partial sums that may be in memory at once: each takes some tens of bytes."""
FEW_MAPS = 100
"""Ways to attack that are tried one by one even if the solver is there to rule most of them out."""
MAX_MAPS = 2_000
"""Ways to attack that are tried one by one, where no sum tells them apart."""
MAX_DEALS = 3_000
"""Deals of a deck that is searched."""


_REMEMBERED = 500
"""Parts whose evolutions are remembered."""


class Unfinished(Exception):
    """The search had to stop; the message says why."""


@dataclass
class Budget:
    """How long a search may take and how much it may hold; counts what it has done."""

    seconds: float | None = None
    states: int = MAX_STATES
    started: float = field(default_factory=time.monotonic)
    scenarios: int = 0
    progress: Callable[[int], None] | None = None
    """Called now and then with the number of scenarios tried so far."""
    _known: dict[Hashable, tuple[Plan, list[Leaf]]] = field(default_factory=dict, repr=False)

    @property
    def deadline(self) -> float | None:
        """When the time is over, on the monotonic clock."""
        return None if self.seconds is None else self.started + self.seconds

    def left(self, most: float) -> float:
        """Return the seconds that are left, at most these."""
        return most if self.deadline is None else min(max(self.deadline - time.monotonic(), 0.0), most)

    def options(self, part: Part) -> list[Leaf]:
        """Return the evolutions of a part, remembered for the next numbering of the players."""
        key = id(part.scenario.plan), part.key
        if key not in self._known:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            self._known[key] = part.scenario.plan, part.options()
        return self._known[key][1]

    def tick(self) -> None:
        """Raise Unfinished when the time is over, and tell the progress."""
        if self.progress is not None:
            self.progress(self.scenarios)
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise Unfinished(f"the time was up ({self.seconds:g} s)")


@dataclass(frozen=True, eq=False)
class Find:
    """All histories of one scenario that explain the plan."""

    scenario: Backbone
    attacks: tuple[Mapping[tuple[int, int], int | None], ...]
    """Whom everybody attacked: all ways that the scenario stands for, equally likely."""
    groups: tuple[tuple[tuple[Leaf, ...], ...], ...]
    """For each part its options, each the leaves that add the same to all sums."""
    total: Total
    numberings: int
    """How many numberings of the players that are not named belong to it."""
    scale: Fraction
    """By which the weights of the sum are multiplied."""
    ways: int
    sizes: tuple[int, ...]
    """The numbers of worlds that the superposition may have at the end."""

    def shares(self) -> Iterator[tuple[Leaf, int, Fraction, Fraction]]:
        """Yield every leaf of every part with its number of histories, its weight per world, and its weight.

        The weight per world is chance / worlds, summed over the histories with this leaf; all of it is for
        one of the ways of the attacks.
        """
        for groups, shares in zip(self.groups, self.total.shares, strict=True):
            for leaves, share in zip(groups, shares, strict=True):
                if not share[0]:
                    continue
                sums = [sum((leaf.weights[w] for leaf in leaves), Fraction(0)) for w in range(self.ways)]
                for leaf in leaves:
                    parts = [w / s if s else Fraction(0) for w, s in zip(leaf.weights, sums, strict=True)]
                    each, whole = share[1 : 1 + self.ways], share[1 + self.ways :]
                    per_world = sum((p * x for p, x in zip(parts, each, strict=True)), Fraction(0))
                    weight = sum((p * x for p, x in zip(parts, whole, strict=True)), Fraction(0))
                    factor = self.scale * self.numberings
                    yield (
                        leaf,
                        share[0] // self.total.unit // len(leaves),
                        per_world * factor,
                        weight * factor,
                    )

    @cached_property
    def histories(self) -> int:
        """How many histories there are, one for each numbering."""
        each = sum(share[0] for share in self.total.shares[0]) // self.total.unit
        return self.numberings * len(self.attacks) * each

    @cached_property
    def weight(self) -> Fraction:
        """The chance of all of them together, up to a factor that is the same for all finds."""
        found = sum((sum(share[1 + self.ways :]) for share in self.total.shares[0]), 0)
        return found * self.scale * self.numberings * len(self.attacks)

    def dead(self, leaf: Leaf, attacks: Mapping[tuple[int, int], int | None]) -> Dead:
        """Return for each place the worlds of a leaf in which its player is dead, given the attacks."""
        found, wolves = list(leaf.dead), self.scenario.deals.holders[WOLF]
        for (key, target), seen in zip(attacks.items(), map(self.scenario.attacks.get, attacks), strict=True):
            if seen == ANYBODY and target is not None:
                found[target] |= wolves[key[1]]
        return tuple(found)

    def example(self) -> tuple[Leaf, ...]:
        """Return for each part how it evolves in one of the histories."""
        return tuple(g[o][0] for g, o in zip(self.groups, self.total.example, strict=True))


def unsearched(plan: Plan) -> str:
    """Return why the method cannot find the histories of a game, or ""."""
    setup, rules, game = plan.setup, plan.setup.rules, declared(plan.setup)
    act = game.acts["attack"]
    if why := unpublished(plan.told) or next(filter(None, map(unplanned, plan.told.entries)), ""):
        return why
    if setup.deck.worlds > MAX_DEALS:
        return (
            f"the deck has {setup.deck.worlds:,} deals, more than the {MAX_DEALS:,} that are searched for "
            "histories; fewer players or wolves would shrink it"
        )
    if not all(fixed_by(game, each) for each in game.acts.values()):
        return "whose an action is changes within a night, which the search does not cover"
    night = any("night" in kinds for kinds in (rules.opening, rules.cycle))
    if night and rules.acting_order == "random" and act.refusable:
        return (
            f"the rules {rules.name!r} refuse attacks by what happened earlier in a night of random order, "
            "which the search for histories does not cover"
        )
    if game.mark is not None and any(isinstance(s, Died) and len(s.players) > 1 for s in plan.steps):
        return "several players were bitten to death at once, which the search for histories does not cover"
    return ""


def search(plan: Plan, budget: Budget, *, named: Sequence[str] = ()) -> Iterator[Find]:
    """Yield all histories that explain the plan, scenario by scenario.

    `named`: players whose numbers are to be told apart, besides those that the plan names. Raises
    Unfinished when the time or the memory is not enough.
    """
    if why := unsearched(plan):
        raise GameError(f"{why}; {BY_FACTS}")
    for case in _by_moves_left(plan):
        yield from _found(case, budget, named)


def _by_moves_left(plan: Plan) -> Iterator[Plan]:
    """Divide a running phase by whether just one move is left to be made, if it can be an attack.

    That one has not been made, since the phase would have ended.
    """
    now, setup = plan.running, plan.setup
    killing = now is not None and declared(setup).mark is None and setup.targets == "secret"
    if now is None or not killing or "attack" not in setup.actions(now.phase) or PASSED in now.known.values():
        yield plan
        return
    for alone in (True, False):
        steps = (replace(now, alone=alone) if step is now else step for step in plan.steps)
        yield replace(plan, steps=tuple(steps))


def _found(plan: Plan, budget: Budget, named: Sequence[str]) -> Iterator[Find]:
    for place, numberings in placements(plan, named):
        for roles in drawn_roles(plan, place):
            budget.tick()
            candidates = _solved(plan, place, roles, budget)
            for worlds in numbers_of_worlds(plan, roles):
                budget.tick()
                attacks = Attacks(plan, place, roles, worlds, budget.tick)
                ways = attacks.all() if candidates is None else candidates
                yield from _with_worlds(plan, place, numberings, roles, worlds, ways, budget)


def _solved(
    plan: Plan, place: Mapping[str, int], roles: Mapping[tuple[int, int], Role], budget: Budget
) -> list[AttackMap] | None:
    """Return the attacks that the solver finds, or None where they are found quickly without it."""
    most = FEW_MAPS if find_spec("ortools") else MAX_MAPS
    now = plan.running
    if now is not None and blind_in(plan, place, now):
        return None  # of the others' attacks in a running phase the solver knows nothing
    game = declared(plan.setup)
    if removes_nothing(game, game.acts["attack"]) or not solver_covers(plan) or _attack_maps(plan) <= most:
        return None
    problem = Problem(plan, place, roles)
    found: list[AttackMap] = []
    try:
        for attacks in attack_maps(problem, deadline=budget.deadline):
            budget.tick()
            found.append(attacks)
            if len(found) > MAX_MAPS:
                raise Unfinished(f"there are more than {MAX_MAPS:,} ways to attack")
    except OutOfTime:
        raise Unfinished(f"the time was up ({budget.seconds:g} s)") from None
    return found


def _attack_maps(plan: Plan) -> int:
    """Return the number of ways to attack, ignoring tables."""
    found = 1
    for step, living in zip(plan.steps, plan.living(), strict=True):
        if isinstance(step, Acting) and step.ended and "attack" in plan.setup.actions(step.phase):
            known = sum(action == "attack" for _, action in step.known)
            found *= len(living) ** (len(living) - known)
    return found


# who has which number


def placements(plan: Plan, named: Sequence[str]) -> Iterator[tuple[Mapping[str, int], int]]:
    """Yield the places that the named players may have, and how many numberings of the rest there are."""
    players = plan.setup.players
    if not plan.anonymous:
        yield {name: seat for seat, name in enumerate(players)}, 1
        return
    assert plan.number is not None
    names = [n for n in dict.fromkeys((*plan.mentioned, *named)) if n != plan.viewer]
    own = plan.number - 1
    rest = [p for p in range(len(players)) if p != own]
    for chosen in permutations(rest, len(names)):
        place = {plan.viewer: own, **dict(zip(names, chosen, strict=True))}
        known = all(place[name] == number - 1 for name, number in plan.numbers.items())
        if known and _rows_fit(plan, place):
            yield place, factorial(len(rest) - len(names))


def _rows_fit(plan: Plan, place: Mapping[str, int]) -> bool:
    """Whether just the rows of the dead are dead for certain."""
    for step, living in zip(plan.steps, living_places(plan, place), strict=True):
        if not isinstance(step, Published):
            continue
        for cell in step.cells:
            if FACTS[cell.heading] == "dead":
                lives = plan.place_of(cell.row) in living
                if cell.low == 1 if lives else cell.high < 1:
                    return False
    return True


# the roles that were drawn


def drawn_roles(plan: Plan, place: Mapping[str, int]) -> Iterator[Mapping[tuple[int, int], Role]]:
    """Yield the roles that the dead may have had: those that were announced, and that later tables allow."""
    setup = plan.setup
    deaths: list[tuple[int, int, tuple[Role, ...]]] = []
    for number, step in enumerate(plan.steps):
        if isinstance(step, Judged):  # of a collapse the world is drawn, not the roles
            continue
        for name, said in step.dead.items():
            possible = announced_roles(setup, said, voted=isinstance(step, Voted))
            allowed = _allowed(plan, number, place[name], possible)
            deaths.append((number, place[name], tuple(r for r in setup.deck.roles if r in allowed)))
    for roles in product(*(roles for _, _, roles in deaths)):
        if all(roles.count(role) <= setup.deck.cards(role) for role in set(roles)):
            yield {(n, p): role for (n, p, _), role in zip(deaths, roles, strict=True)}


def _allowed(plan: Plan, number: int, place: int, roles: frozenset[Role]) -> frozenset[Role]:
    for step in plan.steps[number:]:
        for cell in step.cells if isinstance(step, Published) else ():
            if plan.place_of(cell.row) == place:
                roles = frozenset(r for r in roles if cell.low <= _truth(cell, r) <= cell.high)
    return roles


def _truth(cell: Cell, role: Role) -> int:
    """Return the probability that a table shows of a player whose role is certain."""
    fact = FACTS[cell.heading]
    if fact == "dead":
        return ceil(cell.low)
    return int(fact == role or fact == ("wolf" if is_wolf(role) else "good"))


# how many worlds were behind each table


def numbers_of_worlds(plan: Plan, roles: Mapping[tuple[int, int], Role]) -> Iterator[Mapping[int, int]]:
    """Yield the possible numbers of worlds at each table, by its step: never more than before."""
    deals = deals_of(plan.setup.deck)
    choices: list[tuple[int, list[int]]] = []
    left = deals.every
    for number, step in enumerate(plan.steps):
        for (at, p), role in roles.items():
            if at == number:
                left &= deals.holders[role][p]
        shows = isinstance(step, Published) and number < plan.collapsed
        if isinstance(step, Published) and shows and (step.cells or step.worlds is not None):
            choices.append((number, list(worlds_behind(plan, step, left.bit_count()))))
    yield from _falling(choices, {})


def _falling(choices: list[tuple[int, list[int]]], chosen: dict[int, int]) -> Iterator[Mapping[int, int]]:
    if len(chosen) == len(choices):
        yield dict(chosen)
        return
    number, sizes = choices[len(chosen)]
    most = min(chosen.values(), default=None)
    for size in sizes:
        if most is None or size <= most:
            yield from _falling(choices, {**chosen, number: size})


# the attacks


def _with_worlds(
    plan: Plan,
    place: Mapping[str, int],
    numberings: int,
    roles: Mapping[tuple[int, int], Role],
    worlds: Mapping[int, int],
    ways: Iterable[AttackMap],
    budget: Budget,
) -> Iterator[Find]:
    grouped: dict[tuple[tuple[tuple[int, int], int | None], ...], list[Backbone]] = {}
    for attacks in ways:
        budget.tick()
        budget.scenarios += 1
        scenario = Backbone(plan, place, roles, attacks)
        if not grouped:
            matter = victims_that_matter(scenario)
        seen = {k: t if t is None or matter is None or t in matter else ANYBODY for k, t in attacks.items()}
        grouped.setdefault(tuple(sorted(seen.items())), []).append(scenario)
    for key, scenarios in grouped.items():
        rough = Backbone(plan, place, roles, dict(key))
        found = _added_up(rough, tuple(s.attacks for s in scenarios), numberings, worlds, budget)
        if found is not None:
            yield found


class Attacks:
    """Who may have attacked whom: in one scenario, the attacks that fit the column of the dead.

    The contribution of each attacker to an entry lies in an interval, from what the table says of them as a
    wolf; with one wolf it is exactly that number.
    """

    def __init__(
        self,
        plan: Plan,
        place: Mapping[str, int],
        roles: Mapping[tuple[int, int], Role],
        worlds: Mapping[int, int],
        tick: Callable[[], None],
    ) -> None:
        self.plan, self.place, self.roles, self.worlds = plan, place, roles, worlds
        self.tick = tick
        self.setup, self.deck = plan.setup, plan.setup.deck
        self.game = declared(self.setup)
        attack = self.game.acts["attack"]
        self.lone = exclusive(self.game, replace(attack, by="wolf_{i}"))
        """Whether no two players are wolves at once."""
        self.certain = asks_all(self.game, attack)
        self._wolves: dict[tuple[int, int], tuple[int, int]] = {}
        self.living = living_places(plan, place)
        self.viewer = place[plan.viewer]
        self.acting = [
            (number, step)
            for number, step in enumerate(plan.steps)
            if isinstance(step, Acting) and "attack" in self.setup.actions(step.phase)
        ]
        self.tables = [n for n, s in enumerate(plan.steps) if isinstance(s, Published) and n in worlds]

    def all(self) -> Iterator[Mapping[tuple[int, int], int | None]]:
        """Yield the attacks by step and place; None for those who were not asked."""
        actors = sorted(
            {p for n, step in self.acting for p in self.living[n] if self._choices(n, step, p) != (-1,)},
            key=lambda p: -max((self._wolf(t, p)[1] for t in self.tables), default=0),
        )
        needs = {t: self._entries(t) for t in self.tables}
        yield from self._extended(actors, {}, needs)

    def _entries(self, table: int) -> dict[int, tuple[Fraction, Fraction]]:
        """Return for each place that lives how much death a table shows, in worlds."""
        step, size = self.plan.steps[table], self.worlds[table]
        assert isinstance(step, Published)
        found = {p: (Fraction(0), Fraction(size)) for p in self.living[table]}
        for cell in step.cells:
            p = self.plan.place_of(cell.row)
            if FACTS[cell.heading] == "dead" and p in found:
                found[p] = cell.low * size, cell.high * size
        return found

    def _wolf(self, table: int, p: int) -> tuple[int, int]:
        if (table, p) not in self._wolves:
            self._wolves[table, p] = self._wolf_bounds(table, p)
        return self._wolves[table, p]

    def _wolf_bounds(self, table: int, p: int) -> tuple[int, int]:
        """Return in how many worlds at least and at most a player is a wolf at a table."""
        size, step = self.worlds[table], self.plan.steps[table]
        assert isinstance(step, Published)
        low, high, others = 0, size, [0, 0]
        for cell in step.cells:
            fact, place = FACTS[cell.heading], self.plan.place_of(cell.row)
            if fact == "wolf":
                a, b = ceil(cell.low * size), floor(cell.high * size)
            elif fact == "good":
                a, b = size - floor(cell.high * size), size - ceil(cell.low * size)
            else:
                continue
            if place == p:
                low, high = max(low, a), min(high, b)
            elif fact == "wolf":
                others[0] += a
                others[1] += 1
        return low, min(high, self.deck.wolves * size - others[0])

    def _extended(
        self,
        actors: Sequence[int],
        chosen: dict[tuple[int, int], int | None],
        needs: Mapping[int, Mapping[int, tuple[Fraction, Fraction]]],
    ) -> Iterator[Mapping[tuple[int, int], int | None]]:
        """Choose the attacks of one player after the other, as long as every entry can be reached."""
        if not actors:
            if all(low <= 0 for entries in needs.values() for low, _ in entries.values()):
                yield chosen
            return
        self.tick()
        actor, rest = actors[0], actors[1:]
        for targets in product(*(self._choices(number, step, actor) for number, step in self.acting)):
            made = {(n, actor): t for (n, _), t in zip(self.acting, targets, strict=True) if t != -1}
            left = self._left(made, actor, needs)
            if left is not None and self._reachable(left, rest):
                yield from self._extended(rest, {**chosen, **made}, left)

    def _choices(self, number: int, step: Acting, actor: int) -> tuple[int | None, ...]:
        """Return a player's possible targets; None: not asked; -1 if they had no part in the phase."""
        if actor not in self.living[number]:
            return (-1,)
        if not moves_count(self.plan, self.place, step, actor):
            return (-1, *blind_in(self.plan, self.place, step))
        known = next(
            (k for (n, a), k in step.known.items() if a == "attack" and self.place[n] == actor), None
        )
        if known in (NOT_ASKED, PASSED, UNMADE):
            return (None,)
        if isinstance(known, Move):
            assert known.target is not None
            return (self.place[known.target],)
        if not step.ended:
            return (None,)
        before = [t for t in self.tables if t < number]
        if any(self._wolf(t, actor)[1] == 0 for t in before):
            return (None,)
        targets = open_targets(self.setup, self.living[number], actor, "attack")
        sure = self.certain
        if sure and any(self._wolf(t, actor)[0] > 0 for t in self.tables if t > number):
            return targets
        return (*targets, None)

    def _left(
        self,
        made: Mapping[tuple[int, int], int | None],
        actor: int,
        needs: Mapping[int, Mapping[int, tuple[Fraction, Fraction]]],
    ) -> Mapping[int, Mapping[int, tuple[Fraction, Fraction]]] | None:
        """Return the remaining needs of the entries after a player's attack; None if one is exceeded."""
        left = {}
        for table, entries in needs.items():
            entries = dict(entries)
            for target, (least, most) in self._killed(table, made, actor).items():
                if target in entries:
                    low, high = entries[target]
                    entries[target] = low - most, high - least
                    if entries[target][1] < 0:
                        return None
            left[table] = entries
        return left

    def _killed(
        self, table: int, made: Mapping[tuple[int, int], int | None], actor: int
    ) -> Mapping[int, tuple[Fraction, Fraction]]:
        """Return the least and greatest amounts of death that a player's attacks add to each target."""
        before = {key: target for key, target in made.items() if key[0] < table and target is not None}
        low, high = map(Fraction, self._wolf(table, actor))
        if self.game.mark is not None:
            attackers = {number: ((actor, target),) for (number, _), target in before.items()}
            *_, bites = list(bites_of(self.plan, self.place, self.roles, attackers))[: table + 1]
            return {
                t: (
                    share * max(Fraction(0), low - self._both(table, actor, t)),
                    share * high if t != actor else Fraction(0),
                )
                for (t, _), share in bites.items()
            }
        exact = low if self.lone else Fraction(0)
        return dict.fromkeys(before.values(), (exact, high))

    def _both(self, table: int, actor: int, target: int) -> int:
        """Return in how many worlds at most both of two players are wolves."""
        if actor == target:
            return self._wolf(table, actor)[1]
        if self.lone:
            return 0
        return min(self._wolf(table, actor)[1], self._wolf(table, target)[1])

    def _reachable(
        self, needs: Mapping[int, Mapping[int, tuple[Fraction, Fraction]]], rest: Sequence[int]
    ) -> bool:
        """Whether the players who are left can cause all the deaths that are still needed."""
        nights = len(self.acting)
        for table, entries in needs.items():
            missing = sum((low for low, _ in entries.values() if low > 0), Fraction(0))
            if missing > nights * sum(self._wolf(table, p)[1] for p in rest):
                return False
        return True


# the sums


def _added_up(
    scenario: Backbone,
    attacks: tuple[AttackMap, ...],
    numberings: int,
    worlds: Mapping[int, int],
    budget: Budget,
) -> Find | None:
    """Return all histories of a scenario; None if it has no history."""
    try:
        sums = _Sums(scenario, worlds, budget)
    except TooManyLeaves:
        raise Unfinished(f"the visions may have gone in more than {MAX_LEAVES:,} ways") from None
    if not all(sums.groups):
        return None
    channels = [0, *range(1, 1 + sums.ways), *range(1, 1 + sums.ways)]
    try:
        total = convolve(
            sums.parts(),
            [low for low, _ in sums.bounds],
            [high for _, high in sums.bounds],
            sums.finish,
            channels=channels,
            groups=[component.step for component in sums.demands.components],
            max_states=budget.states,
            tick=budget.tick,
        )
    except TooManyStates as error:
        raise Unfinished(f"more than {budget.states:,} partial sums ({error.states:,})") from None
    if total is None:
        return None
    groups = tuple(tuple(map(tuple, grouped.values())) for grouped in sums.groups)
    scale = sums.scale / total.unit
    return Find(scenario, attacks, groups, total, numberings, scale, sums.ways, tuple(sorted(sums.sizes)))


class _Sums:
    """The parts of a scenario as options, with the bounds of their sums, and what is asked of these."""

    def __init__(self, scenario: Backbone, worlds: Mapping[int, int], budget: Budget) -> None:
        self.demands = demands = Demands(scenario)
        self.ways = len(scenario.ways)
        leaves = [budget.options(part) for part in parts_of(scenario, demands, budget.tick)]
        self.always = demands.known
        for options in leaves:
            self.always |= reduce(and_, (leaf.flags for leaf in options)) if options else 0
        self.conditions = [c for c in demands.conditions if not (c.monotone and c.test(self.always))]
        needed = reduce(or_, (c.flags for c in self.conditions), 0)
        for flags, _ in demands.choices:
            needed |= sum(flags) & ~self.always
        self.bounds = [demands.target(c, worlds) for c in demands.components]
        self.place = {component: i for i, component in enumerate(demands.components)}
        last = self.place[demands.worlds]
        self.bounds[last] = max(self.bounds[last][0] or 0, 1), self.bounds[last][1]
        self.most = [
            (k, high)
            for k, ((_, high), c) in enumerate(zip(self.bounds, demands.components, strict=True))
            if high is not None and c.fact != "bitten"
        ]
        self.groups = [self._grouped(options, needed) for options in leaves]
        self.impossible = ((1 << self.ways) - 1) << demands.flags if self.ways > 1 else 0
        self.scale = Fraction(1)
        self.sizes: set[int] = set()
        """The numbers of worlds at the ends that were accepted."""

    def _grouped(self, options: Sequence[Leaf], needed: int) -> dict[tuple[tuple[int, ...], int], list[Leaf]]:
        """Return the leaves of a part that are possible on their own, by what they add to the sums."""
        never = [c for c in self.conditions if c.flags.bit_count() == 1 and not c.test(c.flags)]
        grouped: dict[tuple[tuple[int, ...], int], list[Leaf]] = {}
        for leaf in options:
            if any(leaf.flags & c.flags for c in never) or not self._within(leaf):
                continue
            flags = leaf.flags & needed
            for way, weight in enumerate(leaf.weights) if self.ways > 1 else ():
                flags |= (not weight) << (self.demands.flags + way)
            grouped.setdefault((leaf.numbers, flags), []).append(leaf)
        return grouped

    def _within(self, leaf: Leaf) -> bool:
        """Whether no number of a leaf alone is too great; `bitten` may be balanced by other parts."""
        numbers = leaf.numbers
        for k, high in self.most:  # noqa: SIM110 - a third quicker than all(...), and called for every leaf
            if numbers[k] > high:
                return False
        return True

    def parts(self) -> list[list[Summand]]:
        """Return the options of each part, with whole weights; `scale` makes up for that."""
        found = []
        for grouped in self.groups:
            unit = lcm(*(w.denominator for same in grouped.values() for leaf in same for w in leaf.weights))
            self.scale /= unit
            found.append(
                [Summand(*key, (len(same), *self._weights(same, unit))) for key, same in grouped.items()]
            )
        return found

    def _weights(self, same: Sequence[Leaf], unit: int) -> Iterator[int]:
        for way in range(self.ways):
            yield int(sum((leaf.weights[way] for leaf in same), Fraction(0)) * unit)

    def finish(self, numbers: Sequence[int], flags: int) -> tuple[Fraction, ...] | None:
        """Return the factors of an end: for the number of histories, the weight per world and the weight."""
        demands, flags = self.demands, flags | self.always
        if self.impossible and flags & self.impossible == self.impossible:
            return None
        if not all(condition.test(flags) for condition in self.conditions):
            return None
        factor, size = Fraction(1), numbers[self.place[demands.worlds]]
        for possible, more in demands.choices:
            factor /= sum(1 for bit in possible if flags & bit) + more
        for before, after in demands.draws:
            kept = 1 if after is None else numbers[self.place[after]]
            factor *= Fraction(kept, numbers[self.place[before]])
        self.sizes.add(1 if demands.collapse else size)
        number = 1 if demands.collapse is None else size  # after a collapse every world is its own history
        each = factor / size if demands.collapse is None else factor
        return (Fraction(number), *[each] * self.ways, *[each * size] * self.ways)


__all__ = ["Budget", "Find", "Unfinished", "drawn_roles", "placements", "search", "unsearched"]
