"""The demands of the plan on a scenario: bounds on sums over the parts, and facts about some world."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations
from math import ceil, floor
from operator import or_
from typing import NamedTuple, TypeAlias

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
    Dead,
    Scenario,
    Worlds,
    announced_roles,
    blind_in,
    known_move,
    moves_count,
)
from kripke_werewolf.werewolf.roles import SEER, WOLF, Role, is_wolf, kind
from kripke_werewolf.werewolf.rules import FACTS

Test: TypeAlias = Callable[[Worlds, Dead], Worlds]
"""A fact about worlds: the deals among those given where it is true."""


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

    def __init__(self, scenario: Scenario) -> None:
        self.scenario, self.deals, self.rules = scenario, scenario.deals, scenario.setup.rules
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
        self._shows = self._last_shown()
        for number, step in enumerate(scenario.plan.steps):
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
        self.worlds = self._component(len(scenario.plan.steps), "worlds")
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

    def _later(self, number: int, place: int, fact: str) -> bool:
        """Whether a later table shows that some world has this fact: worlds are only ever removed."""
        return self._shows.get((place, fact), -1) >= number

    def _last_shown(self) -> dict[tuple[int, str], int]:
        """Return the last step whose table shows that some world has a fact, by place and fact."""
        found: dict[tuple[int, str], int] = {}
        for number, step in enumerate(self.scenario.plan.steps):
            for cell in step.cells if isinstance(step, Published) else ():
                place, fact = self.scenario.plan.place_of(cell.row), FACTS[cell.heading]
                opposite = {"wolf": "good", "good": "wolf", "dead": "alive"}.get(fact)
                if cell.low > 0:
                    found[place, fact] = number
                if opposite and cell.high < 1:
                    found[place, opposite] = number
        return found

    # by kind of step

    def _acting(self, number: int, step: Acting) -> None:
        scenario, deals = self.scenario, self.deals
        if not step.ended:
            self._goes_on(number, step)
        if "attack" not in scenario.setup.actions(step.phase):
            return
        single = deals.deck.wolves == 1 or self.rules.attackers == "wolf"
        for actor in scenario.living[number]:
            if (number, actor) not in scenario.attacks:
                continue
            target = scenario.attacks[number, actor]
            known = known_move(scenario.place, step, actor, "attack")
            asked = target is not None or known == PASSED
            if known != UNMADE and not (asked and single and self._later(number, actor, WOLF)):
                bit = self._flag(number, 0, self._entitled(actor))
                (self._need if asked else self._never)(bit)
            if target is not None and self.rules.attack_must_be_possible and deals.deck.wolves > 1:
                self._prey(number, step, actor, target)
            elif target is not None and actor != scenario.viewer:
                self.choices.append(((), len(scenario.targets(number, actor, "attack"))))
        for blind in blind_in(
            scenario.plan, scenario.place, step
        ):  # all who could have seen something were attacked before
            for actor in scenario.living[number]:
                if not moves_count(scenario.plan, scenario.place, step, actor):
                    before = scenario.attacks.get((number, actor)) == blind
                    (self._need if before else self._never)(
                        self._flag(number, 0, self._hunting(actor, blind))
                    )
        for name in step.refused:
            bit = self._flag(number, 0, self._preying(scenario.viewer, scenario.place[name]))
            self._never(bit)

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
                    open_ |= self._flag(
                        number, 0, self._entitled(p) if action == "attack" else self._seeing(p)
                    )

        def possible(flags: int) -> bool:
            left = (flags & open_).bit_count()
            return (left > 0 or not acted) and step.alone in (None, left == 1)

        self.conditions.append(Condition(open_, possible, step.alone is None))

    def _seeing(self, actor: int) -> Test:
        return lambda alive, dead: alive & self.deals.holders[SEER][actor]

    def _entitled(self, actor: int) -> Test:
        if self.rules.attackers == "dominant":
            return lambda alive, dead: self.deals.dominated(alive, dead, actor)
        return lambda alive, dead: alive & self.deals.holders[WOLF][actor]

    def _hunting(self, actor: int, seer: int) -> Test:
        seeing = self.deals.holders[SEER][seer]
        return lambda alive, dead: self.deals.dominated(alive, dead, actor) & seeing & ~dead[seer]

    def _preying(self, actor: int, target: int) -> Test:
        good = self.deals.holders["good"][target]
        return lambda alive, dead: self.deals.dominated(alive, dead, actor) & good

    def _prey(self, number: int, step: Acting, actor: int, target: int) -> None:
        """Demand that no world remain in which the attacker is dominant, since the attack was refused."""
        scenario = self.scenario
        bits = {
            t: self._flag(number, 0, self._preying(actor, t))
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
        scenario, found = self.scenario, [self.scenario.place[name] for name in step.players]
        if found:
            self._drawn(number)
        living = [p for p in scenario.living[number] if p not in found]
        if self.rules.attack == "fractional":
            bitten = {t for t, _, _ in scenario.bites[number]}
            for p in [p for p in living if p in bitten and not self._shown_at_once(number, p)]:
                self._component(number, "bitten", p)
            for p in found:
                self._component(number, "bitten", p, after=0)
            return
        for p in living:
            if not self._later(number, p, "alive"):
                self._need(self._flag(number, 1, lambda alive, dead, p=p: alive & ~dead[p]), mortal=True)  # type: ignore[misc]
        if found:
            self._one_after_the_other(number, found)

    def _shown_at_once(self, number: int, place: int) -> bool:
        for step in self.scenario.plan.steps[number + 1 :]:
            if isinstance(step, Published):
                cells = [c for c in step.cells if FACTS[c.heading] == "dead" and c.high < 1]
                return any(self.scenario.plan.place_of(c.row) == place for c in cells)
            if not isinstance(step, Judged | Noticed):
                return False
        return False

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
                    bits[p, before] = self._flag(
                        number,
                        0,
                        lambda alive, dead, p=p, drawn=drawn: alive & drawn & ~dead[p],  # type: ignore[misc]
                    )

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
        scenario, deals, rules = self.scenario, self.deals, self.rules
        living = scenario.living[number]
        wolf, good = deals.holders[WOLF], deals.holders["good"]
        flag, every, known = self._flag, 0, 0

        def some(test: Test, *, sure: bool = False) -> int:
            nonlocal every, known
            bit = flag(number, 0, test)
            every |= bit
            if sure:
                known |= bit
            return bit

        def holding(holders: Sequence[Worlds], p: int, fact: str) -> int:
            return some(lambda alive, dead: alive & holders[p], sure=self._later(number, p, fact))

        def living_somewhere(p: int) -> int:
            sure = p in living and self._later(number, p, "alive")
            return some(lambda alive, dead: alive & ~dead[p], sure=sure)

        is_wolf_ = {p: holding(wolf, p, WOLF) for p in deals.places}
        is_good = {p: holding(good, p, "good") for p in deals.places}
        tests: dict[str, int] = {}
        hunted, ahead = self._surely(number)

        def some_living(test: Callable[[int, int], bool], *, sure: bool) -> int:
            return some(lambda alive, dead: deals.with_living(alive, dead, test), sure=sure)

        if rules.good_wins == "all dead" or rules.forced_collapse != "none":
            tests["wolves live"] = some_living(lambda w, o: w > 0, sure=hunted)
        if rules.evil_wins == "parity" or rules.forced_collapse == "parity":
            tests["no parity"] = some_living(lambda w, o: w < o, sure=ahead > 0)
        if rules.forced_collapse == "annihilation":
            others = ahead + deals.deck.wolves
            tests["both live"] = some_living(lambda w, o: w > 0 and o > 0, sure=hunted and others > 0)
        lives = {}
        if rules.good_wins == "known dead":
            lives = {p: living_somewhere(p) for p in deals.places}
        dies = {}
        if rules.evil_wins == "known half":
            dies = {p: some(self._wounded(number, p), sure=self._later(number, p, "dead")) for p in living}

        def standing(flags: int) -> str | None:
            if rules.good_wins == "all dead":
                village = not flags & tests["wolves live"]
            elif rules.good_wins == "known dead":
                certain = [p for p in deals.places if not flags & (is_good[p] | lives[p])]
                village = len(certain) == deals.deck.wolves
            else:
                village = not any(flags & is_wolf_[p] for p in living)
            if village:
                return "village"
            if rules.evil_wins == "parity":
                same = not any(flags & is_wolf_[p] and flags & is_good[p] for p in deals.places)
                wolves = same and not flags & tests["no parity"]
            elif rules.evil_wins == "known half":
                known_wolves = [p for p in living if not flags & (is_good[p] | dies[p])]
                wolves = len(living) <= 2 * len(known_wolves)
            else:
                wolves = not any(flags & is_good[p] for p in living)
            return "wolves" if wolves else None

        def collapses(flags: int) -> bool:
            wanted = {"annihilation": "both live", "parity": "no parity"}.get(rules.forced_collapse)
            return wanted is not None and not flags & tests[wanted]

        def goes_on(flags: int) -> bool:
            return standing(flags) is None and not collapses(flags)

        def ended(flags: int) -> bool:
            if step.collapsed:
                return standing(flags) is None and collapses(flags)
            side = is_good if step.verdict == "wolves" else is_wolf_
            won = {p for p in deals.places if not flags & side[p]}
            return standing(flags) == step.verdict and won == {scenario.place[w] for w in step.winners}

        # more kinds of worlds leave more open
        if step.verdict is None:
            if not goes_on(known):
                self.conditions.append(Condition(every, goes_on, True, True))
                self.known |= known
        else:
            self.conditions.append(Condition(every, ended, False, True))
        if step.collapsed:
            self._collapsed(number, step)

    def _surely(self, number: int) -> tuple[bool, int]:
        """Return whether a wolf lives in every world, and the least surplus of others over wolves.

        Wolves die only by a vote or together with their last worlds, others by at most one attack a night.
        """
        scenario, wolves = self.scenario, self.deals.deck.wolves
        fallen = sum(is_wolf(role) for (at, _), role in scenario.roles.items() if at < number)
        nights = sum(isinstance(s, Acting) for s in scenario.plan.steps[:number])
        return fallen < wolves, len(scenario.living[number]) - 2 * wolves - nights

    def _wounded(self, number: int, p: int) -> Test:
        """Return the test for worlds that make the chance of being dead positive."""
        if self.rules.attack == "dominant":
            return lambda alive, dead: alive & dead[p]
        wolf, good = self.deals.holders[WOLF], self.deals.holders["good"][p]
        biting = [x for t, x, _ in self.scenario.bites[number] if t == p]
        return lambda alive, dead: reduce(or_, (alive & wolf[x] & good for x in biting), 0)

    def _collapsed(self, number: int, step: Judged) -> None:
        scenario, deals = self.scenario, self.deals
        self.draws.append((self._component(number, "worlds"), None))
        self.collapse = step
        winning = deals.holders[WOLF if step.verdict == "wolves" else "good"]
        won = {scenario.place[name] for name in step.winners}
        for p in deals.places:
            self.final &= winning[p] if p in won else ~winning[p]
        for name, said in step.found.items():
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
        died = {scenario.place[name] for name in self.collapse.found}
        for p in living:
            found &= dead[p] if p in died else ~dead[p]
        side = self.deals.with_living(found, dead, lambda w, o: w > 0)
        return side if self.collapse.verdict == "wolves" else found & ~side

    def _told(self, number: int, step: Noticed) -> None:
        """Demand that a player is told, once, when only one role is left to them."""
        if self.rules.told not in ("role", "kind") or step.player in self._informed:
            return
        place = self.scenario.place[step.player]
        words: dict[str, frozenset[Role]] = {}
        for role in self.deals.deck.roles:
            word = role if self.rules.told == "role" else kind(role)
            words[word] = words.get(word, frozenset()) | {role}
        mine = {word: self.deals.having(place, roles) for word, roles in words.items()}
        if step.role is not None:
            self._informed.add(step.player)
            wanted = next(w for w in words if step.role in (w, *words[w]))
            others = self.deals.every ^ mine[wanted]
            self._never(self._flag(number, 0, lambda alive, dead: alive & others))
            return
        bits = {
            word: self._flag(number, 0, lambda alive, dead, having=having: alive & having)  # type: ignore[misc]
            for word, having in mine.items()
        }
        for word, bit in bits.items():
            if self._later(number, place, word):
                self.known |= bit
        every = sum(bits.values())
        self.conditions.append(Condition(every, lambda flags: (flags & every).bit_count() > 1, True))

    def _shown(self, number: int, step: Published) -> None:
        if number > self.scenario.plan.collapsed:
            for cell in step.cells:
                if FACTS[cell.heading] != "dead":  # players then found dead are announced as well
                    having = self.deals.holders[FACTS[cell.heading]][self.scenario.plan.place_of(cell.row)]
                    self.final &= having if cell.high == 1 else ~having
            return
        self._component(number, "worlds")
        implied = self._implied(number)
        for cell in step.cells:
            fact, _, _ = cell.as_wolf
            place = self.scenario.plan.place_of(cell.row)
            if (fact, place) not in implied:
                self._component(number, fact, place)

    def _implied(self, number: int) -> set[tuple[str, int]]:
        """Return the entries of a complete exact table that follow from the others.

        With one wolf, deaths follow from the wolf and from the attacks, which the scenario fixes.
        """
        bounds = self.scenario.plan.intervals[number].items()
        exact = [p for (fact, p), (low, high) in bounds if fact == WOLF and low == high]
        if len(exact) < len(self.deals.places):
            return set()
        if self.deals.deck.wolves == 1 and self.rules.attack == "dominant":
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
        if self.rules.attack == "dominant":
            return (alive & dead[p]).bit_count()
        return self.scenario.scale * (alive & dead[p]).bit_count() or self._bitten(component, alive)

    def _bitten(self, component: Component, alive: Worlds) -> int:
        wolf, good = self.deals.holders[WOLF], self.deals.holders["good"][component.place]
        at = component.step - 1 + component.after
        return sum(
            int(share * self.scenario.scale) * (alive & wolf[x] & good).bit_count()
            for t, x, share in self.scenario.bites[at]
            if t == component.place
        )

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
        fractional = component.fact == "dead" and self.rules.attack == "fractional"
        scale = size * (self.scenario.scale if fractional else 1)
        least, most = self.scenario.plan.intervals[step].get(
            (component.fact, component.place), (Fraction(0), Fraction(1))
        )
        low, high = ceil(least * scale), floor(most * scale)
        return low, high


def victims_that_matter(scenario: Scenario) -> frozenset[int] | None:
    """Return the places whose deaths affect some information, whoever attacks whom; None: all may.

    With one wolf an attack removes no world. Deaths matter only if somebody is voted off or found dead later,
    or if the dead have no visions.
    """
    rules, steps = scenario.setup.rules, scenario.plan.steps
    if scenario.deals.deck.wolves > 1 or rules.attack == "fractional" or rules.vision_worlds == "alive":
        return None
    if any(isinstance(step, Judged) and step.collapsed for step in steps) or Demands(scenario).mortal:
        return None
    dead = (step.dead for step in steps if isinstance(step, Voted | Died))
    return frozenset(scenario.place[name] for names in dead for name in names)


__all__ = ["Component", "Condition", "Demands", "victims_that_matter"]
