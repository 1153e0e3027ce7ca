"""The demands of the plan on a scenario: bounds on sums over the parts, and facts about some world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from itertools import combinations, dropwhile
from math import ceil, floor
from operator import or_
from typing import NamedTuple, TypeAlias

from kripke_werewolf.language import Atom, Everywhere, Formula, Not
from kripke_werewolf.werewolf.declarations import (
    SURVIVING,
    Schema,
    asks_all,
    condition_holds,
    removes_nothing,
    seated,
)
from kripke_werewolf.werewolf.enumerated import Dead
from kripke_werewolf.werewolf.inference.plan import (
    PASSED,
    UNMADE,
    Acting,
    Died,
    Judged,
    Move,
    Noticed,
    Published,
    Voted,
)
from kripke_werewolf.werewolf.inference.scenarios import (
    Backbone,
    Worlds,
    announced_roles,
    blind_in,
    known_move,
    moves_count,
)
from kripke_werewolf.werewolf.roles import WOLF, is_wolf, kind
from kripke_werewolf.werewolf.rules import FACTS
from kripke_werewolf.werewolf.state import true_of

Test: TypeAlias = Callable[[Worlds, Dead], Worlds]
"""A fact about worlds: the deals among those given where it is true."""


def _in(worlds: Worlds) -> Test:
    """Return the test for some worlds."""
    return lambda alive, dead: alive & worlds


class Component(NamedTuple):
    """A number that is a sum over the parts: a count of worlds at some moment."""

    step: int
    fact: str
    """`worlds`, a role, `wolf`, `good`, `dead`; `bitten` for the sum of the bites less the worlds."""
    place: int = 0
    after: int = 1
    """Whether it is counted after the step (1) or before it (0)."""


class Condition(NamedTuple):
    """A demand on the facts of some world; a monotone one remains true if more facts hold."""

    flags: int
    """The flags of these facts."""
    test: Callable[[int], bool]
    monotone: bool
    mortal: bool = False
    """Whether it is about deaths."""


class Demands:
    """The demands of the plan on a scenario: numbers with their intervals, and facts about some world.

    `components` are the numbers to which every part adds, in order of time; `tests` the facts tested before
    (0) and after (1) each step, with their flags.
    """

    def __init__(self, scenario: Backbone) -> None:
        self.scenario, self.plan = scenario, scenario.plan
        self.deals, self.game = scenario.deals, scenario.game
        self.components: list[Component] = []
        self.tests: dict[tuple[int, int], list[tuple[int, Test]]] = {}
        self.conditions: list[Condition] = []
        self.choices: list[tuple[tuple[int, ...], int]] = []
        """For each attack of another player: the flags of its possible targets, and how many more."""
        self.draws: list[tuple[Component, Component | None]] = []
        """For each draw: the worlds before and after it; None if one world was drawn."""
        self.final: Worlds = self.deals.every
        """The deals that a forced collapse may have drawn, according to roles."""
        self.collapse: Judged | None = None
        self.flags = 0
        """The number of flags."""
        self.known = 0
        """The flags that are certainly set, according to later tables."""
        self._informed: set[str] = set()
        for number, step in enumerate(self.plan.steps):
            match step:
                case Acting():
                    self._acting(number, step)
                case Voted():
                    self._drawn(number)
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
        self.conditions = [c for c in self.conditions if not (c.monotone and c.test(self.known))]
        needed = sum({bit for bits, _ in self.choices for bit in bits})
        for condition in self.conditions:
            needed |= condition.flags
        self.tests = {k: [t for t in tests if t[0] & needed] for k, tests in self.tests.items()}

    # the pieces

    def _component(self, step: int, fact: str, place: int = 0, *, after: int = 1) -> Component:
        wanted = Component(step, fact, place, after)
        if wanted not in self.components:
            self.components.append(wanted)
        return wanted

    def _flag(self, number: int, after: int, test: Test) -> int:
        bit = 1 << self.flags
        self.flags += 1
        self.tests.setdefault((number, after), []).append((bit, test))
        return bit

    def _need(self, bit: int, *, mortal: bool = False) -> None:
        self.conditions.append(Condition(bit, lambda flags: bool(flags & bit), True, mortal))

    def _never(self, bit: int) -> None:
        self.conditions.append(Condition(bit, lambda flags: not flags & bit, False))

    # by kind of step

    def _acting(self, number: int, step: Acting) -> None:
        scenario = self.scenario
        if not step.ended:
            self._goes_on(number, step)
        if "attack" not in scenario.setup.actions(step.phase):
            return
        act = self.game.acts["attack"]
        single, harmless = asks_all(self.game, act), removes_nothing(self.game, act)
        for actor in scenario.living[number]:
            if (number, actor) not in scenario.attacks:
                continue
            target = scenario.attacks[number, actor]
            known = known_move(scenario.place, step, actor, "attack")
            asked = target is not None or known == PASSED
            if known != UNMADE and not (asked and single and self.plan.shows_later(number, WOLF, actor)):
                bit = self._flag(number, 0, self._having(number, act.asked, actor))
                (self._need if asked else self._never)(bit)
            if target is not None and act.refusable and not harmless:
                self._prey(number, actor, target)
            elif target is not None and actor != scenario.viewer:
                self.choices.append(((), len(scenario.targets(number, actor, "attack"))))
        for blind in blind_in(self.plan, scenario.place, step):  # before it, all who see were attacked
            for actor in scenario.living[number]:
                if not moves_count(self.plan, scenario.place, step, actor):
                    before = scenario.attacks.get((number, actor)) == blind
                    test = self._hunting(number, actor, blind)
                    (self._need if before else self._never)(self._flag(number, 0, test))
        for name in step.refused:
            self._never(self._flag(number, 0, self._preying(number, scenario.viewer, scenario.place[name])))

    def _goes_on(self, number: int, step: Acting) -> None:
        """Demand that a move be left if any was made: with the last one the phase would have ended."""
        scenario, open_ = self.scenario, 0
        acted = any(isinstance(known, Move) for known in step.known.values())
        for p in scenario.living[number]:
            for action in scenario.setup.actions(step.phase):
                known = known_move(scenario.place, step, p, action)
                if known == PASSED:
                    return
                if action == "attack" and scenario.attacks.get((number, p)) is not None:
                    acted = True
                elif known in (None, UNMADE):
                    asked = self.game.acts[action].asked
                    open_ |= self._flag(number, 0, self._having(number, asked, p))

        def possible(flags: int) -> bool:
            left = (flags & open_).bit_count()
            return (left > 0 or not acted) and step.alone in (None, left == 1)

        self.conditions.append(Condition(open_, possible, step.alone is None))

    def _having(self, number: int, schema: Schema, i: int, t: int | None = None) -> Test:
        """Return the test for worlds in which something is true of the cards and the officially dead."""
        return _in(self.scenario.where(number, schema, i, t))

    def _hunting(self, number: int, actor: int, seer: int) -> Test:
        look, attack = self.game.acts["vision"], self.game.acts["attack"]
        both = self.scenario.where(number, attack.by, actor) & self.scenario.where(number, look.by, seer)
        sees = self.deals.test(seated(self.game, look.pool, seer))
        return lambda alive, dead: alive & both & sees(dead)

    def _preying(self, number: int, actor: int, target: int) -> Test:
        act = self.game.acts["attack"]
        return self._having(number, f"({act.by}) & ~({act.impossible})", actor, target)

    def _living_in(self, p: int, worlds: Worlds) -> Test:
        """Return the test for those of some worlds in which a player lives."""
        return lambda alive, dead: alive & worlds & ~dead[p]

    def _prey(self, number: int, actor: int, target: int) -> None:
        """Demand that some world be left in which the attack is possible: otherwise it was refused."""
        scenario = self.scenario
        bits = {
            t: self._flag(number, 0, self._preying(number, actor, t))
            for t in scenario.targets(number, actor, "attack")
            if t == target or actor != scenario.viewer
        }
        self._need(bits[target])
        if actor != scenario.viewer:
            self.choices.append((tuple(bits.values()), 0))

    def _drawn(self, number: int) -> None:
        self.draws.append((self._component(number, "worlds", after=0), self._component(number, "worlds")))

    def _found(self, number: int, step: Died) -> None:
        """Demand that those found dead were dead in every world, in turn, and all others live in some."""
        scenario, found = self.scenario, [self.scenario.place[name] for name in step.dead]
        if found:
            self._drawn(number)
        living = [p for p in scenario.living[number] if p not in found]
        if self.game.mark is not None:
            bitten = {t for t, _, _ in scenario.bites[number]}
            for p in [p for p in living if p in bitten and not self._shown_at_once(number, p)]:
                self._component(number, "bitten", p)
            for p in found:
                self._component(number, "bitten", p, after=0)
            return
        for p in living:
            if not self.plan.shows_later(number, "alive", p):
                self._need(self._flag(number, 1, self._living_in(p, self.deals.every)), mortal=True)
        if found:
            self._one_after_the_other(number, found)

    def _shown_at_once(self, number: int, place: int) -> bool:
        """Whether the table after the deaths of a step shows that a player may live."""
        after = dropwhile(
            lambda n: isinstance(self.plan.steps[n], Judged | Noticed),
            range(number + 1, len(self.plan.steps)),
        )
        _, high = self.plan.intervals[next(after, number)].get(("dead", place), (0, 1))
        return high < 1

    def _one_after_the_other(self, number: int, found: list[int]) -> None:
        """Demand an order in which each was certainly dead once the earlier roles were drawn."""
        bits: dict[tuple[int, frozenset[int]], int] = {}
        for p in found:
            others = [q for q in found if q != p]
            for size in range(len(others) + 1):
                for before in map(frozenset, combinations(others, size)):
                    drawn = self.deals.every
                    for q in before:
                        drawn &= self.deals.holders[self.scenario.roles[number, q]][q]
                    bits[p, before] = self._flag(number, 0, self._living_in(p, drawn))

        def possible(flags: int) -> bool:
            done: frozenset[int] = frozenset()
            while len(done) < len(found):
                following = [p for p in found if p not in done and not flags & bits[p, done]]
                if not following:
                    return False
                done |= {following[0]}
            return True

        self.conditions.append(Condition(sum(bits.values()), possible, False, True))

    def _judged(self, number: int, step: Judged) -> None:
        """Demand the verdict given by the rules, with its consequences for some or all worlds."""
        scenario, game = self.scenario, self.game
        out = {p for p in self.deals.places if p not in scenario.living[number]}
        endings = [(ending.verdict, seated(game, ending.when)) for ending in game.endings]
        collapse = seated(game, game.collapse)
        wins = dict[int, Formula]()
        if step.verdict is not None:
            side = game.ending(step.verdict).wins
            wins = {p: seated(game, side, p) for p in self.deals.places}
        bodies = [f.body for _, when in endings for f in when.subformulas() if isinstance(f, Everywhere)]
        bodies += [f.body for f in collapse.subformulas() if isinstance(f, Everywhere)]
        denied: dict[Formula, int] = {}
        known = 0
        for body in dict.fromkeys([*bodies, *wins.values()]):
            denied[body] = self._flag(number, 0, self._denying(number, body))
            known |= denied[body] if self._surely_denied(number, body) else 0

        def standing(flags: int) -> str | None:
            def everywhere(body: Formula) -> bool:
                return not flags & denied[body]

            found = next(
                (verdict for verdict, when in endings if condition_holds(when, everywhere, out)), None
            )
            return "collapse" if found is None and condition_holds(collapse, everywhere, out) else found

        def ended(flags: int) -> bool:
            won = {p for p, side in wins.items() if not flags & denied[side]}
            as_told = step.collapsed or won == {scenario.place[name] for name in step.winners}
            return as_told and standing(flags) == ("collapse" if step.collapsed else step.verdict)

        every = sum(denied.values())
        # more kinds of worlds leave more open
        if step.verdict is not None:
            self.conditions.append(Condition(every, ended, False, True))
        elif standing(known) is not None:
            self.conditions.append(Condition(every, lambda flags: standing(flags) is None, True, True))
            self.known |= known
        if step.collapsed:
            self._collapsed(number, step)

    def _denying(self, number: int, body: Formula) -> Test:
        """Return the test for worlds that deny what a condition says about all worlds."""
        mark = self.game.mark
        match body:
            case Not(Atom(name)) if name.startswith("dead_") and mark is not None:  # no chance of being dead
                p = int(name[5:])
                bites = [x for t, x, _ in self.scenario.bites[number] if t == p]
                return _in(reduce(or_, (self.scenario.where(number, mark.where, x, p) for x in bites), 0))
        true = self.deals.test(body)
        return lambda alive, dead: alive & ~true(dead)

    def _surely_denied(self, number: int, body: Formula) -> bool:
        """Whether it is plain that some world denies it: by later tables, or by the numbers of the living.

        Wolves die only by a vote or together with their last worlds, others by at most one attack a night.
        """
        scenario, deck = self.scenario, self.deals.deck
        opposite = {WOLF: "good", "good": WOLF, "dead": "alive"}
        match body:
            case Atom(name) | Not(Atom(name)):
                fact, _, place = name.rpartition("_")
                fact = opposite.get(fact, "") if isinstance(body, Atom) else fact
                alive = int(place) in scenario.living[number] or fact in (WOLF, "good")
                return alive and self.plan.shows_later(number, fact, int(place))
        fallen = sum(is_wolf(role) for (at, _), role in scenario.roles.items() if at < number)
        nights = sum(isinstance(s, Acting) for s in self.plan.steps[:number])
        wolves, others = deck.wolves - fallen, len(scenario.living[number]) - deck.wolves + fallen
        numbers = range(max(others - nights, 0), others + 1)
        return not any(true_of(body, deck, wolves, number) for number in numbers)

    def _collapsed(self, number: int, step: Judged) -> None:
        scenario, deals = self.scenario, self.deals
        self.draws.append((self._component(number, "worlds"), None))
        self.collapse = step
        wins = self.game.ending(step.verdict or "village").wins
        won = {scenario.place[name] for name in step.winners}
        for p in deals.places:
            winning = scenario.where(number, wins, p)
            self.final &= winning if p in won else ~winning
        for name, said in step.dead.items():
            p = scenario.place[name]
            self.final &= deals.having(p, announced_roles(scenario.setup, said, voted=False))
        if step.role is not None:
            roles = frozenset(r for r in deals.deck.roles if step.role in (r, kind(r)))
            self.final &= deals.having(scenario.viewer, roles)

    def drawn_world(self, alive: Worlds, dead: Dead) -> Worlds:
        """Return the worlds of a part that the collapse may have drawn, given later events."""
        if self.collapse is None:
            return alive
        scenario, found = self.scenario, alive & self.final
        living = scenario.living[scenario.plan.collapsed]
        died = {scenario.place[name] for name in self.collapse.dead}
        for p in living:
            found &= dead[p] if p in died else ~dead[p]
        surviving = self.deals.test(seated(self.game, SURVIVING))(dead)
        return found & surviving if self.collapse.verdict == "wolves" else found & ~surviving

    def _told(self, number: int, step: Noticed) -> None:
        """Demand that a player is told, once, when only one role is left to them."""
        if not self.game.notices or step.player in self._informed:
            return
        place = self.scenario.place[step.player]
        denied = {}
        for word, schema in self.game.notices:
            denied[word] = self._flag(number, 0, self._having(number, f"~({schema})", place))
        if step.role is not None:
            self._informed.add(step.player)
            self._never(denied[step.role])
            return
        for word in denied:
            if self.plan.shows_later(number, word, place):
                self.known |= sum(bit for other, bit in denied.items() if other != word)
        every = sum(denied.values())
        self.conditions.append(Condition(every, lambda flags: flags & every == every, True))

    def _shown(self, number: int, step: Published) -> None:
        if number > self.plan.collapsed:
            for cell in step.cells:
                if FACTS[cell.heading] != "dead":  # players then found dead are announced as well
                    having = self.deals.holders[FACTS[cell.heading]][self.plan.place_of(cell.row)]
                    self.final &= having if cell.high == 1 else ~having
            return
        self._component(number, "worlds")
        implied = self._implied(number)
        for fact, place in self.plan.intervals[number]:
            if (fact, place) not in implied:
                self._component(number, fact, place)

    def _implied(self, number: int) -> set[tuple[str, int]]:
        """Return the entries of a complete exact table that follow from the others.

        With one wolf, deaths follow from the wolf and from the attacks, which the scenario fixes.
        """
        bounds = self.plan.intervals[number].items()
        exact = [p for (fact, p), (low, high) in bounds if fact == WOLF and low == high]
        if len(exact) < len(self.deals.places):
            return set()
        if self.game.mark is None and removes_nothing(self.game, self.game.acts["attack"]):
            return {("dead", p) for p in self.deals.places}
        return set()

    @property
    def mortal(self) -> bool:
        """Whether there are demands on deaths beyond the choice of the attacks."""
        return any(c.mortal for c in self.conditions) or any(c.fact == "dead" for c in self.components)

    # numbers

    def count(self, component: Component, alive: Worlds, dead: Dead) -> int:
        """Return the contribution of some worlds to a component."""
        fact, p = component.fact, component.place
        if fact == "worlds":
            return alive.bit_count()
        if fact == "bitten":
            return self._bitten(component, alive) - self.scenario.scale * alive.bit_count()
        if fact != "dead":
            return (alive & self.deals.holders[fact][p]).bit_count()
        if self.game.mark is None:
            return (alive & dead[p]).bit_count()
        return self.scenario.scale * (alive & dead[p]).bit_count() or self._bitten(component, alive)

    def _bitten(self, component: Component, alive: Worlds) -> int:
        mark = self.game.mark
        assert mark is not None
        at, p = component.step - 1 + component.after, component.place
        found = 0
        for target, x, share in self.scenario.bites[at]:
            if target == p:
                bitten = alive & self.scenario.where(component.step - 1, mark.where, x, p)
                found += int(share * self.scenario.scale) * bitten.bit_count()
        return found

    def target(self, component: Component, worlds: Mapping[int, int]) -> tuple[int | None, int | None]:
        """Return the least and greatest value a component may have, given the worlds at each table."""
        step = component.step
        if component.fact == "bitten":  # players bitten to death are found at once
            return (None, -1) if component.after else (0, None)
        if step not in worlds or not component.after:
            return None, None
        size = worlds[step]
        if component.fact == "worlds":
            return size, size
        fractional = component.fact == "dead" and self.game.mark is not None
        scale = size * (self.scenario.scale if fractional else 1)
        least, most = self.plan.intervals[step].get(
            (component.fact, component.place), (Fraction(0), Fraction(1))
        )
        low, high = ceil(least * scale), floor(most * scale)
        return low, high


def victims_that_matter(scenario: Backbone) -> frozenset[int] | None:
    """Return the places whose deaths affect some information, for any attacks; None: all may.

    With one wolf an attack removes no world. Deaths matter only if somebody is voted off or found dead later,
    or if the dead have no visions.
    """
    game, steps = scenario.game, scenario.plan.steps
    attack = game.acts["attack"]
    if attack.mark or not removes_nothing(game, attack) or game.acts["vision"].pool != "true":
        return None
    if any(isinstance(step, Judged) and step.collapsed for step in steps) or Demands(scenario).mortal:
        return None
    dead = (step.dead for step in steps if isinstance(step, Voted | Died))
    return frozenset(scenario.place[name] for names in dead for name in names)


__all__ = ["Component", "Condition", "Demands", "victims_that_matter"]
