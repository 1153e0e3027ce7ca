"""The search for all histories that give a player the information they have.

Numbers, drawn roles, the worlds behind each table and the attacks are tried one after the other, each as soon
as the tables rule out most of its possibilities. These fix a *scenario* (`Backbone`). A vision of X removes
only worlds in which X is the seer, whatever the others see. So the worlds of each seer are a row: every
result of their visions leaves some of these (`Leaf`), and each published number is the sum over one leaf of
every row. `convolution` adds up the rows, with the flags that they set; a `Find` holds all histories of a
scenario.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, reduce
from importlib.util import find_spec
from itertools import chain, islice, permutations, product
from math import ceil, factorial, floor, inf, prod
from operator import and_, ge, mul, or_
from typing import NamedTuple, TypeAlias

from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.games.werewolf.budget import Budget, Unfinished
from kripke_werewolf.games.werewolf.declarations import declared, exclusive, splits_worlds
from kripke_werewolf.games.werewolf.enumerated import Dead
from kripke_werewolf.games.werewolf.inference import plan as plans
from kripke_werewolf.games.werewolf.inference import scenario as scenarios
from kripke_werewolf.games.werewolf.inference.convolution import Summand, Total, convolve
from kripke_werewolf.games.werewolf.roles import WOLF
from kripke_werewolf.logic.formulas import FALSE, TRUE, Formula

# --- the rows --------------------------------------------------------------------------------------

MAX_LEAVES = 400_000
"""Evolutions of a row that may be in memory at once: each takes about a kilobyte."""


class Leaf(NamedTuple):
    """A possible evolution of a row up to now."""

    alive: scenarios.Worlds
    numbers: tuple[int, ...] = ()
    flags: int = 0
    weights: tuple[Fraction, ...] = (Fraction(1),)
    """Its probability, for each combination of the orders of the nights."""
    seen: tuple[plans.PlacedMove, ...] = ()
    """The visions, and the reasons for none."""


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

    scenario: scenarios.Backbone
    """One of the ways to attack."""
    attacks: tuple[scenarios.Attacks, ...]
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
        scenario, parts = self.scenario, dict[tuple[scenarios.Worlds, Dead], Fraction]()
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

    def moves(self) -> Iterator[tuple[plans.PlacedMove, Fraction]]:
        """Yield all moves with their weights."""
        for attacks in self.attacks:
            scenario = replace(self.scenario, attacks=attacks)
            for number, actor in attacks:
                yield scenario.attack(number, actor), self.weight / len(self.attacks)
        for leaf, _, weight in self.shares:
            for seen in leaf.seen:
                yield seen, weight * len(self.attacks)

    def example(self) -> set[plans.PlacedMove]:
        """Return the moves of one of the histories, and the reasons for none."""
        found = {self.scenario.attack(*turn) for turn in self.scenario.attacks}
        return found.union(*(row[o].seen for row, o in zip(self.rows, self.total.example, strict=True)))


def unsearched(plan: plans.Plan) -> str:
    """Return why the method cannot find the histories of a game, or ""."""
    setup, rules, game = plan.setup, plan.setup.rules, declared(plan.setup)
    if odd := [role.name for role in setup.deck.declared if not role.plain]:
        return f"the search for histories does not cover the role {odd[0]!r}"
    if why := plans.unpublished(plan.told) or next(filter(None, map(plans.unplanned, plan.told.entries)), ""):
        return why
    if setup.deck.worlds > MAX_DEALS:
        return (
            f"the deck has {setup.deck.worlds:,} deals, more than the {MAX_DEALS:,} that are searched for "
            "histories; fewer players or wolves would shrink it"
        )
    if not splits_worlds(game, game.acts["vision"]):
        return f"the search for histories does not cover several {setup.deck.looker.several}"
    act = game.acts["attack"]
    if "night" in (*rules.opening, *rules.cycle) and rules.acting_order == "random" and act.refusable:
        return (
            f"the rules {rules.name!r} refuse attacks by what happened earlier in a night of random order, "
            "which the search for histories does not cover"
        )
    if game.mark is not None and any(isinstance(s, plans.Died) and len(s.dead) > 1 for s in plan.steps):
        return "several players were bitten to death at once, which the search for histories does not cover"
    return ""


def search(plan: plans.Plan, budget: Budget) -> Iterator[Find]:
    """Yield all histories that explain the plan, scenario by scenario.

    Raises Unfinished if time or memory does not suffice.
    """
    for alone, (place, numberings) in product(_cases(plan), placements(plan, ())):
        for roles in drawn_roles(plan, place):
            budget.tick()
            bare = scenarios.Backbone(plan, place, roles, {}, alone)
            solved = _solved(bare, budget)
            for worlds in _sizes(bare):
                budget.tick()
                ways = _Attackers(bare, worlds, budget.tick).all() if solved is None else solved
                alike: dict[Hashable, tuple[_Sums, list[scenarios.Attacks]]] = {}
                for attacks in ways:
                    budget.tick()
                    budget.scenarios += 1
                    sums = _Sums(replace(bare, attacks=attacks), worlds, budget)
                    alike.setdefault(sums.key, (sums, []))[1].append(attacks)
                finds = (sums.find(tuple(some), numberings) for sums, some in alike.values())
                yield from (find for find in finds if find is not None)


def _cases(plan: plans.Plan) -> Sequence[bool | None]:
    """Return whether exactly one move is left in a running phase, if it can be an attack: both cases.

    That move has not been made, since the phase would have ended with it.
    """
    now, setup = plan.running, plan.setup
    passed = now is not None and plans.PASSED in {known.result for known in now.known.values()}
    if now is None or passed or setup.targets == "public" or declared(setup).mark is not None:
        return (None,)
    return (True, False) if "attack" in setup.actions(now.phase) else (None,)


def _solved(bare: scenarios.Backbone, budget: Budget) -> list[scenarios.Attacks] | None:
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


def _attack_maps(bare: scenarios.Backbone) -> int:
    """Return the number of ways to attack, ignoring tables."""
    phases = ((number, bare.living[number]) for number, step in bare.plan.acting("attack") if step.ended)
    return prod(len(bare.moves(number, p, "attack")) for number, living in phases for p in living)


# who has which number


def placements(plan: plans.Plan, named: Sequence[str]) -> Iterator[tuple[Mapping[str, int], int]]:
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
        if all(place[name] == number - 1 for name, number in plan.told.numbers):
            yield place, factorial(len(rest) - len(names))


# the roles that were drawn


def drawn_roles(plan: plans.Plan, place: Mapping[str, int]) -> Iterator[scenarios.DrawnRoles]:
    """Yield the roles that the dead may have had: those that were announced."""
    game, deck = declared(plan.setup), plan.setup.deck
    deaths: dict[tuple[int, int], list[str]] = {}
    for number, step in enumerate(plan.steps):
        if isinstance(step, plans.Judged):  # of a collapse the world is drawn, not the roles
            continue
        death = game.vote if isinstance(step, plans.Voted) else game.found
        for name, word in step.dead.items():
            p, possible = place[name], game.roles(death.said(word))
            deaths[number, p] = [r for r in deck.roles if r in possible]
    for roles in product(*deaths.values()):
        if all(roles.count(role) <= deck.cards(role) for role in set(roles)):
            yield dict(zip(deaths, roles, strict=True))


# how many worlds were behind each table


def _sizes(bare: scenarios.Backbone) -> Iterator[Mapping[int, int]]:
    """Yield the possible numbers of worlds at each table, by its step: never more than before."""
    choices: dict[int, list[int]] = {}
    for number, step in bare.plan.all(plans.Published):
        if number < bare.plan.collapsed and (step.cells or step.worlds is not None):
            most = bare.course[number, 1][0].bit_count()
            choices[number] = list(scenarios.worlds_behind(bare.plan, step, most))
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

    def __init__(self, bare: scenarios.Backbone, worlds: Mapping[int, int], tick: Callable[[], None]) -> None:
        self.bare, self.worlds, self.tick = bare, worlds, tick
        self.act = bare.game.acts["attack"]
        self.lone = exclusive(bare.game, replace(self.act, by="wolf_{i}"))
        """Whether no two players are wolves at once: an attack counts wherever the attacker is one."""

    def _shown(self, table: int, fact: str, place: int) -> tuple[Fraction, Fraction]:
        """Return the least and greatest number of worlds where a fact is true, according to a table."""
        low, high = self.bare.plan.intervals[table].get((fact, place), plans.ANY_SHARE)
        return low * self.worlds[table], high * self.worlds[table]

    def all(self) -> Iterator[scenarios.Attacks]:
        """Yield the attacks by step and place; None for those who were not asked."""
        bare = self.bare
        turns = [(n, p) for n, _ in bare.plan.acting("attack") for p in bare.living[n]]
        choices = grouped((p, self._choices(n, p)) for n, p in turns)
        needs = {(n, p): self._shown(n, "dead", p) for n in self.worlds for p in bare.living[n]}
        yield from self._extended(list(choices.items()), {}, needs)

    def _extended(
        self,
        actors: Sequence[tuple[int, list[list[scenarios.Attacks]]]],
        chosen: scenarios.Attacks,
        needs: Needs,
    ) -> Iterator[scenarios.Attacks]:
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

    def _choices(self, number: int, actor: int) -> list[scenarios.Attacks]:
        """Return the possible attacks of a player in a phase; none where they had no part in it."""
        bare, turn = self.bare, (number, actor)
        if not bare.moves_count(number, actor):
            return [{}, *({turn: blind} for blind in bare.blind_in(number))]
        moves = bare.moves(number, actor, "attack")
        good = any(self._shown(n, WOLF, actor)[1] == 0 for n in self.worlds if n < number)
        if good or bare.plan.steps[number] is bare.plan.running:
            moves = moves[-1:]
        denied = {move for move in moves if bare.in_flags(number, bare.allowed(move)) is FALSE}
        return [{turn: move.target} for move in moves if move not in denied]

    def _left(self, made: scenarios.Attacks, actor: int, needs: Needs) -> Needs:
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
    counted: tuple[tuple[int, scenarios.Worlds], ...]
    """The worlds that count, with their factors."""
    least: float = -inf
    most: float = inf
    """Its bounds."""


class _Sums:
    """The sums over the rows of a scenario, with their bounds, and the conditions on these.

    `worlds`: the number of worlds at each table.
    """

    def __init__(self, scenario: scenarios.Backbone, worlds: Mapping[int, int], budget: Budget) -> None:
        self.scenario, self.budget, steps = scenario, budget, scenario.plan.steps
        self.end = _Number(len(steps), 1, self._all, 1)
        """The number of worlds at the end."""
        self.drawn_from, self.drawn = list[_Number](), list[_Number]()
        """For each draw the worlds before it, and after it but for a collapse."""
        numbers, conditions = [self.end], list[Formula]()
        for number, step in enumerate(steps):
            if isinstance(step, plans.Voted | plans.Died) and step.dead:
                self.drawn_from.append(_Number(number, 0, self._all))
                self.drawn.append(_Number(number, 1, self._all))
            elif isinstance(step, plans.Judged) and step.collapsed:
                self.drawn_from.append(_Number(number, 1, self._all))
            elif number in worlds:
                numbers += self._shown(number, worlds[number])
            if isinstance(step, plans.Died) and scenario.game.mark is not None:
                numbers += self._bitten(number, {scenario.place[name] for name in step.dead})
            conditions += [scenario.in_flags(number, f, after) for after, f in scenario.conditions(number)]
        every = dict.fromkeys((*numbers, *self.drawn_from, *self.drawn))
        self.numbers = sorted(every, key=lambda one: one[:2])
        """The numbers to which every row adds, in order of time."""
        self.counted = grouped(((one.step, one.after), one.counted) for one in self.numbers)
        """What is counted before (0) and after (1) each step."""
        self.conditions = [condition for condition in conditions if condition is not TRUE]
        """What must hold, in atoms that say that a flag is not set."""
        self.choices = list(self._chosen())
        """For each attack of another player, and each possible target of it, whether it was accepted."""
        self.tests = scenario.denied([*self.conditions, *chain(*self.choices)])
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
    def _all(self) -> tuple[tuple[int, scenarios.Worlds], ...]:
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

    def _lost(self, number: int, after: int, p: int) -> tuple[tuple[int, scenarios.Worlds], ...]:
        """Return where a player is dead or bitten, with the part of a life."""
        scenario, mark = self.scenario, self.scenario.game.mark
        if mark is None or scenario.course[number, after][1][p]:
            return ((scenario.scale, scenario.course[number, after][1][p]),)
        bites = (
            (x, int(share * scenario.scale)) for t, x, share in scenario.bites[number - 1 + after] if t == p
        )
        return tuple((factor, scenario.where(number, mark.where, x, p)) for x, factor in bites)

    @cached_property
    def rows(self) -> list[list[Leaf]]:
        """The rows: the worlds of each seer, or of all without a seer, and what visions leave of them."""
        scenario, by = self.scenario, self.scenario.game.acts["vision"].by
        own = {p: scenario.where(0, by, p) for p in scenario.deals.places}
        if not any(own.values()):
            own = {-1: scenario.deals.every}
        rows = [self._row(worlds, looker) for looker, worlds in own.items()]
        if all(rows):  # what every leaf of a row denies need not be added up
            self.sure = reduce(or_, (reduce(and_, (leaf.flags for leaf in row)) for row in rows))
        return rows

    def _row(self, worlds: scenarios.Worlds, looker: int) -> list[Leaf]:
        """Return all that the visions of a looker may leave of some worlds; raise Unfinished if need be."""
        steps = self.scenario.plan.steps
        leaves: Iterable[Leaf] = [Leaf(worlds, weights=(Fraction(1),) * self.ways)]
        for number in range(len(steps)):
            leaves = self._noted(leaves, number, 0)
            if (number, looker) in self.pools:
                looked = (after for leaf in leaves for after in self._looked(number, leaf, looker))
                leaves = list(islice(looked, MAX_LEAVES + 1))
                if len(leaves) > MAX_LEAVES:
                    raise Unfinished(f"the visions may have gone in more than {MAX_LEAVES:,} ways")
            leaves = self._noted(leaves, number, 1)
        drawn = (leaf._replace(alive=leaf.alive & self.scenario.drawn) for leaf in leaves)
        return list(self._noted(drawn, len(steps), 1))

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
        self.budget.tick()
        scenario, act, asked = self.scenario, self.scenario.game.acts["vision"], bool(leaf.alive)
        shows, (pools, last) = dict(act.shows), self.pools[number, actor]
        choices = len(scenario.targets(number, actor, "vision")) + (not act.compulsory)
        if actor == scenario.viewer:
            choices = 1
        for look in scenario.moves(number, actor, "vision"):
            alive, chances = leaf.alive, [Fraction(1, choices)] * self.ways
            if not look.made:
                if look.result == plans.UNMADE or asked is (look.result == plans.PASSED):
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

    def find(self, attacks: tuple[scenarios.Attacks, ...], numberings: int) -> Find | None:
        """Return all histories of the scenario, with any of some attacks; None if it has none."""
        if FALSE in self.conditions or not all(self.rows):
            return None
        parts = [list(map(self._summand, row)) for row in self.rows]
        bounds = [(one.least, one.most) for one in self.numbers]
        total = convolve(parts, bounds, self._finish, self.budget)
        if total is None:
            return None
        return Find(self.scenario, attacks, self.rows, total, numberings, tuple(sorted(self.sizes)))

    def _summand(self, leaf: Leaf) -> Summand:
        """Return the numbers, flags and weights that a leaf adds."""
        flags = leaf.flags & ~self.sure
        if self.impossible:
            ruled_out = sum(1 << way for way, weight in enumerate(leaf.weights) if not weight)
            flags |= ruled_out << len(self.scenario.bits)
        return Summand(leaf.numbers, flags, (Fraction(1), *leaf.weights, *leaf.weights))

    def _finish(self, numbers: Sequence[int], flags: int) -> tuple[Fraction, ...] | None:
        """Return the factors of an end: for the number of histories, the weight per world and the weight."""
        flags |= self.sure
        if self.impossible and flags & self.impossible == self.impossible:
            return None
        if not all(scenarios.is_met(condition, flags) for condition in self.conditions):
            return None
        reached = dict(zip(self.numbers, numbers, strict=True))
        factor, size = Fraction(1), reached[self.end]
        for accepted in self.choices:
            factor /= sum(scenarios.is_met(each, flags) for each in accepted)
        for before in self.drawn_from:
            factor /= reached[before]
        for after in self.drawn:
            factor *= reached[after]
        histories = 1
        if self.scenario.plan.collapsed < len(self.scenario.plan.steps):
            histories, size = size, 1  # after a collapse every world is its own history
        self.sizes.add(size)
        weights = [factor * histories * share for _, share in self.scenario.ways]
        return (Fraction(histories), *(weight / size / histories for weight in weights), *weights)
