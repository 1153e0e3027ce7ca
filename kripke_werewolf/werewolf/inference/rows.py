"""The worlds by their seer: with everything else fixed, each part evolves by the visions of its seer alone.

A `Scenario` fixes who has which number, whom everybody attacked, and the roles that were drawn. Then a
vision of X changes only the worlds in which X is the seer, and every number that anybody is shown is a
sum over these parts (`Part`). `Part.options` are all ways in which a part may evolve: the moves of its
seer, the numbers it adds, the facts it makes true of some world (`flags`), and how likely it is.
With several seers there is one part, with the visions of everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from itertools import combinations, permutations, product
from math import ceil, floor, lcm
from operator import or_
from typing import NamedTuple, TypeAlias

from kripke_werewolf.werewolf.inference.evidence import (
    NOT_ASKED,
    PASSED,
    Acting,
    Cell,
    Died,
    Evidence,
    Judged,
    Known,
    Move,
    Shown,
    Told,
    Voted,
)
from kripke_werewolf.werewolf.roles import SEER, VILLAGER, WOLF, Deck, Role, is_wolf, kind
from kripke_werewolf.werewolf.rules import FACTS
from kripke_werewolf.werewolf.setup import Setup
from kripke_werewolf.werewolf.state import compulsory

ANYBODY = -1
"""The target of an attack that does not matter to what anybody is shown."""

Worlds: TypeAlias = int
"""A set of deals: bit i is set if deal i belongs to it."""
Dead: TypeAlias = tuple[Worlds, ...]
"""For each place the deals in which its player is dead."""
Test: TypeAlias = Callable[[Worlds, Dead], Worlds]
"""A fact about worlds: the deals among some where it is true."""
Seen: TypeAlias = tuple[int, int, int | str | None, str | None]
"""A vision in the course of a part: the number of the step, the place of who looked, the place of the
target (None: declined; or why there was none), and what was shown."""


@lru_cache(maxsize=8)
def deals_of(deck: Deck) -> Deals:
    """Return the deals of a deck."""
    return Deals(deck)


class Deals:
    """All deals of a deck, and for each role and place the set of deals in which it is there."""

    def __init__(self, deck: Deck) -> None:
        self.deck, self.places = deck, range(deck.players)
        self.roles = tuple(_dealt(deck, [VILLAGER] * deck.players, deck.seers, deck.wolf_roles))
        self.every: Worlds = (1 << len(self.roles)) - 1
        self.holders: dict[Role, tuple[Worlds, ...]] = {}
        for role in deck.roles:
            self.holders[role] = tuple(
                sum(1 << i for i, dealt in enumerate(self.roles) if dealt[p] == role) for p in self.places
            )
        wolves = [self.holders[role] for role in deck.wolf_roles]
        self.holders[WOLF] = tuple(reduce(or_, column) for column in zip(*wolves, strict=True))
        self.holders["good"] = tuple(self.every ^ wolf for wolf in self.holders[WOLF])

    def having(self, place: int, roles: frozenset[Role]) -> Worlds:
        """Return the deals in which a player has one of some roles."""
        return reduce(or_, (self.holders[role][place] for role in roles), 0)

    def dominated(self, alive: Worlds, dead: Dead, attacker: int) -> Worlds:
        """Return the worlds in which a player is the dominant wolf."""
        found, open_ = 0, alive & ~dead[attacker]
        for rank in self.deck.wolf_roles:
            found |= open_ & self.holders[rank][attacker]
            fallen = reduce(or_, (h & d for h, d in zip(self.holders[rank], dead, strict=True)))
            open_ &= fallen
        return found

    def living(self, alive: Worlds, dead: Dead, role: Role) -> dict[int, Worlds]:
        """Return the worlds by how many living players have a role."""
        counted = {0: alive}
        for holder, fallen in zip(self.holders[role], dead, strict=True):
            split: dict[int, Worlds] = {}
            for number, worlds in counted.items():
                inside = worlds & holder & ~fallen
                for key, part in ((number + 1, inside), (number, worlds ^ inside)):
                    if part:
                        split[key] = split.get(key, 0) | part
            counted = split
        return counted

    def with_living(self, alive: Worlds, dead: Dead, test: Callable[[int, int], bool]) -> Worlds:
        """Return the worlds whose numbers of living wolves and of living others pass a test."""
        wolves, others = self.living(alive, dead, WOLF), self.living(alive, dead, "good")
        return reduce(or_, (a & b for w, a in wolves.items() for o, b in others.items() if test(w, o)), 0)


def _dealt(deck: Deck, roles: list[Role], seers: int, wolves: Sequence[Role]) -> Iterator[tuple[Role, ...]]:
    """Yield every way to deal the special cards, each once."""
    for looking in combinations(range(deck.players), seers):
        rest = [p for p in range(deck.players) if p not in looking]
        packs = permutations(rest, deck.wolves) if deck.ranked else combinations(rest, deck.wolves)
        for pack in packs:
            dealt = list(roles)
            for p in looking:
                dealt[p] = SEER
            for rank, p in enumerate(pack):
                dealt[p] = wolves[rank] if deck.ranked else WOLF
            yield tuple(dealt)


class Component(NamedTuple):
    """A number that sums over the parts: a count of worlds at some moment."""

    step: int
    fact: str
    """`worlds`, a role, `wolf`, `good`, `dead`; `bitten` for the sum of the bites less the worlds."""
    place: int = 0
    after: int = 1
    """Whether it is counted after the step (1) or before it (0)."""


class Condition(NamedTuple):
    """A demand on what is true of some world: a monotone one stays true if more is."""

    flags: int
    """The flags it is about."""
    test: Callable[[int], bool]
    monotone: bool
    mortal: bool = False
    """Whether it is about who is dead."""


class Leaf(NamedTuple):
    """One way in which a part evolves, up to now."""

    alive: Worlds
    dead: Dead
    numbers: tuple[int, ...] = ()
    flags: int = 0
    weights: tuple[Fraction, ...] = (Fraction(1),)
    """Its chance, for each way in which the orders of the nights may fall."""
    seen: tuple[Seen, ...] = ()


@dataclass(frozen=True, eq=False)
class Scenario:
    """The part of a history that is the same for every seer; places stand for players."""

    evidence: Evidence
    place: Mapping[str, int]
    """The places of the players that are named."""
    roles: Mapping[tuple[int, int], Role]
    """The roles that were drawn, by step and place."""
    attacks: Mapping[tuple[int, int], int | None]
    """Whom everybody attacked, by step and place of the attacker; None if they were not asked, `ANYBODY`
    for somebody whose death changes nothing else."""

    @cached_property
    def setup(self) -> Setup:
        """The settings of the game."""
        return self.evidence.setup

    @cached_property
    def deals(self) -> Deals:
        """The deals of the game's deck."""
        return deals_of(self.setup.deck)

    @cached_property
    def viewer(self) -> int:
        """The place of the player whose information it is."""
        return self.place[self.evidence.viewer]

    @cached_property
    def living(self) -> tuple[tuple[int, ...], ...]:
        """For each step the places of those not officially dead when it begins."""
        return living_places(self.evidence, self.place)

    def place_of(self, row: str) -> int:
        """Return the place of a row of a table."""
        return place_of(self.evidence, row)

    # what others may have chosen from

    def targets(self, number: int, actor: int, action: str) -> tuple[int, ...]:
        """Return whom a player may choose as far as everybody knows."""
        return open_targets(self.setup, self.living[number], actor, action)

    # attacks

    @property
    def coarse(self) -> Scenario:
        """The scenario without the targets whose deaths change nothing that anybody is shown.

        With one wolf an attack removes no world. It matters who died only where somebody is voted off or
        found dead later, or where the dead have no visions.
        """
        rules, matter = self.setup.rules, set[int]()
        if self.deals.deck.wolves > 1 or rules.attack == "fractional":
            return self
        if rules.vision_worlds == "alive" or self.demands.mortal:
            return self
        for step in self.evidence.steps:
            match step:
                case Voted(player=name):
                    matter.add(self.place[name])
                case Died(players=players):
                    matter |= {self.place[name] for name in players}
                case Judged(collapsed=True):
                    return self
        seen = {k: t if t is None or t in matter else ANYBODY for k, t in self.attacks.items()}
        return Scenario(self.evidence, self.place, self.roles, seen)

    @cached_property
    def attackers(self) -> Mapping[int, tuple[tuple[int, int], ...]]:
        """For each step the attacks that were made, in the order of the places."""
        found: dict[int, list[tuple[int, int]]] = {}
        for (number, actor), target in sorted(self.attacks.items()):
            if target is not None:
                found.setdefault(number, []).append((actor, target))
        return {number: tuple(pairs) for number, pairs in found.items()}

    @cached_property
    def orders(self) -> Mapping[int, tuple[tuple[Mapping[int, frozenset[int]], Fraction], ...]]:
        """For each night of random order, who of the attackers came before each vision, with its chance."""
        found = {}
        for number, step in enumerate(self.evidence.steps):
            if not isinstance(step, Acting) or not in_random_order(self.setup, step):
                continue
            made = self.attackers.get(number, ())
            if made and (self.setup.rules.vision_worlds == "alive" or self.deals.deck.wolves > 1):
                found[number] = _orders(made, self.living[number], self.deals.deck.wolves)
        return found

    @cached_property
    def ways(self) -> tuple[tuple[Mapping[int, Mapping[int, frozenset[int]]], Fraction], ...]:
        """Every way in which the orders of all nights may fall together."""
        numbers = list(self.orders)
        found = []
        for chosen in product(*self.orders.values()):
            share = reduce(lambda x, y: x * y, (s for _, s in chosen), Fraction(1))
            found.append((dict(zip(numbers, (before for before, _ in chosen), strict=True)), share))
        return tuple(found)

    # bites

    @cached_property
    def bites(self) -> tuple[tuple[tuple[int, int, Fraction], ...], ...]:
        """For each step the bites that count after it: target, attacker and the fraction of a life."""
        return tuple(
            tuple((t, x, share) for (t, x), share in at.items())
            for at in bites_of(self.evidence, self.place, self.roles, self.attackers)
        )

    @cached_property
    def scale(self) -> int:
        """A common denominator of all bites."""
        return lcm(*(share.denominator for at in self.bites for _, _, share in at))

    # what is demanded

    @cached_property
    def demands(self) -> Demands:
        """The numbers and facts that the evidence is about."""
        return Demands(self)

    def parts(self) -> tuple[Part, ...]:
        """Return the worlds by their seer."""
        deals = self.deals
        if deals.deck.seers == 1:
            return tuple(Part(self, deals.holders[SEER][p], (p,)) for p in deals.places)
        return (Part(self, deals.every, tuple(deals.places) if deals.deck.seers else ()),)


def place_of(evidence: Evidence, row: str) -> int:
    """Return the place of a row of a table: the number less one, or the seat."""
    return int(row) - 1 if evidence.anonymous else evidence.setup.seat(row)


def living_places(evidence: Evidence, place: Mapping[str, int]) -> tuple[tuple[int, ...], ...]:
    """Return for each step the places of those not officially dead when it begins."""
    players = set(evidence.setup.players)
    gone = [{place[p] for p in players - set(alive)} for alive in evidence.living()]
    return tuple(tuple(p for p in range(len(players)) if p not in dead) for dead in gone)


def in_random_order(setup: Setup, step: Acting) -> bool:
    """Whether players act in a random order in which visions and attacks mix."""
    return step.phase.kind == "night" and setup.rules.acting_order == "random" and step.ended


def worlds_behind(evidence: Evidence, step: Shown, most: int) -> Iterator[int]:
    """Yield the numbers of worlds of which every entry of a table can be a share."""
    deck, fractional = evidence.setup.deck, evidence.setup.rules.attack == "fractional"
    cells = [c for c in step.cells if not (fractional and FACTS[c.heading] == "dead")]
    unit = lcm(*(c.low.denominator for c in cells if c.low == c.high))
    for size in range(unit, most + 1, unit):
        if step.worlds is not None and size != step.worlds:
            continue
        bounds = [(FACTS[c.heading], ceil(c.low * size), floor(c.high * size)) for c in cells]
        if any(low > high for _, low, high in bounds):
            continue
        for fact, cards in (
            ("wolf", deck.wolves),
            ("good", deck.players - deck.wolves),
            ("seer", deck.seers),
        ):
            column = [(low, high) for f, low, high in bounds if f == fact]
            if sum(low for low, _ in column) > cards * size:
                break
            if len(column) == deck.players and sum(high for _, high in column) < cards * size:
                break
        else:
            yield size


def open_targets(setup: Setup, living: tuple[int, ...], actor: int, action: str) -> tuple[int, ...]:
    """Return whom a player may choose as far as everybody knows: the living, except perhaps oneself."""
    own = setup.rules.vision_self if action == "vision" else setup.rules.attack_self
    return tuple(p for p in living if own or p != actor)


def _orders(
    made: tuple[tuple[int, int], ...], living: tuple[int, ...], wolves: int
) -> tuple[tuple[Mapping[int, frozenset[int]], Fraction], ...]:
    """Return who of those that matter may have attacked before each vision, with the share of the orders.

    With one wolf only attacks on the seer matter to a vision: others remove nothing it could show.
    """
    relevant = {p: frozenset(x for x, t in made if x != p and (wolves > 1 or t == p)) for p in living}
    acting = [p for p in living if relevant[p] or any(p in others for others in relevant.values())]
    found: dict[tuple[frozenset[int], ...], int] = {}
    total = 0
    for order in permutations(acting):
        turn = {p: i for i, p in enumerate(order)}
        key = tuple(frozenset(x for x in relevant[p] if turn[x] < turn[p]) for p in acting)
        found[key] = found.get(key, 0) + 1
        total += 1
    return tuple((dict(zip(acting, key, strict=True)), Fraction(n, total)) for key, n in found.items())


def bites_of(
    evidence: Evidence,
    place: Mapping[str, int],
    roles: Mapping[tuple[int, int], Role],
    attackers: Mapping[int, tuple[tuple[int, int], ...]],
) -> Iterator[Mapping[tuple[int, int], Fraction]]:
    """Yield the bites that count after each step: (target, attacker) and the fraction of a life."""
    rules, wolves_left = evidence.setup.rules, evidence.setup.deck.wolves
    found: dict[tuple[int, int], Fraction] = {}
    for number, step in enumerate(evidence.steps):
        if rules.attack == "fractional":
            for actor, target in attackers.get(number, ()):
                found[target, actor] = Fraction(1, max(wolves_left, 1))
        gone = (
            [step.player] if isinstance(step, Voted) else list(step.players) if isinstance(step, Died) else []
        )
        for name in gone:
            seat = place[name]
            if is_wolf(roles[number, seat]) and rules.bites == "intended":
                wolves_left -= 1
                found = {pair: share for pair, share in found.items() if pair[1] != seat}
        yield dict(found)


class Demands:
    """What the evidence demands of a scenario: numbers with their intervals, and facts about some world.

    `components` are the numbers every part adds to, in the order in which they arise; `tests` the facts
    that are looked for before (0) and after (1) each step, with the flag each sets.
    """

    def __init__(self, scenario: Scenario) -> None:
        self.scenario, self.deals, self.rules = scenario, scenario.deals, scenario.setup.rules
        self.components: list[Component] = []
        self.tests: dict[tuple[int, int], list[tuple[int, Test]]] = {}
        self.conditions: list[Condition] = []
        self.choices: list[tuple[tuple[int, ...], int]] = []
        """For each attack of another player: the flags of its possible targets, and how many more."""
        self.draws: list[tuple[Component, Component | None]] = []
        """For each draw: the worlds before and after it; None where one world was drawn."""
        self.final: Worlds = self.deals.every
        """The deals that a forced collapse may have drawn, as far as roles go."""
        self.collapse: Judged | None = None
        self.flags = 0
        """How many flags there are."""
        self.known = 0
        """The flags that are set for certain, because a later table says so."""
        self._informed: set[str] = set()
        for number, step in enumerate(scenario.evidence.steps):
            match step:
                case Acting():
                    self._acting(number, step)
                case Voted():
                    self._drawn(number)
                case Died():
                    self._found(number, step)
                case Judged():
                    self._judged(number, step)
                case Told():
                    self._told(number, step)
                case Shown():
                    self._shown(number, step)
        self.worlds = self._component(len(scenario.evidence.steps), "worlds")
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
        """Whether a later table says that some world has this fact: worlds are only ever removed."""
        for step in self.scenario.evidence.steps[number:]:
            for cell in step.cells if isinstance(step, Shown) else ():
                if self.scenario.place_of(cell.row) != place:
                    continue
                shown = FACTS[cell.heading]
                opposite = {"wolf": "good", "good": "wolf", "dead": "alive"}.get(shown, "")
                if (shown == fact and cell.low > 0) or (opposite == fact and cell.high < 1):
                    return True
        return False

    # by kind of step

    def _acting(self, number: int, step: Acting) -> None:
        scenario, deals = self.scenario, self.deals
        if "attack" not in scenario.setup.actions(step.phase):
            return
        single = deals.deck.wolves == 1 or self.rules.attackers == "wolf"
        for actor in scenario.living[number]:
            if (number, actor) not in scenario.attacks:
                continue
            target = scenario.attacks[number, actor]
            known = _known(scenario, step, actor, "attack")
            asked = target is not None or known == PASSED
            if not (asked and single and self._later(number, actor, WOLF)):
                bit = self._flag(number, 0, self._entitled(actor))
                (self._need if asked else self._never)(bit)
            if target is not None and self.rules.attack_must_be_possible and deals.deck.wolves > 1:
                self._prey(number, step, actor, target)
            elif target is not None and actor != scenario.viewer:
                self.choices.append(((), len(scenario.targets(number, actor, "attack"))))
        for name in step.refused:
            bit = self._flag(number, 0, self._preying(scenario.viewer, scenario.place[name]))
            self._never(bit)

    def _entitled(self, actor: int) -> Test:
        if self.rules.attackers == "dominant":
            return lambda alive, dead: self.deals.dominated(alive, dead, actor)
        return lambda alive, dead: alive & self.deals.holders[WOLF][actor]

    def _preying(self, actor: int, target: int) -> Test:
        good = self.deals.holders["good"][target]
        return lambda alive, dead: self.deals.dominated(alive, dead, actor) & good

    def _prey(self, number: int, step: Acting, actor: int, target: int) -> None:
        """An attack is refused that would leave no world in which the attacker is dominant."""
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
        """Those found dead were dead in every world, one after the other; everybody else lives in some."""
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
        for step in self.scenario.evidence.steps[number + 1 :]:
            if isinstance(step, Shown):
                cells = [c for c in step.cells if FACTS[c.heading] == "dead" and c.high < 1]
                return any(self.scenario.place_of(c.row) == place for c in cells)
            if not isinstance(step, Judged | Told):
                return False
        return False

    def _one_after_the_other(self, number: int, found: list[int]) -> None:
        """In some order each was certainly dead once the roles of those before were drawn."""
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
        """Demand the verdict that the rules give: what it says about some or all worlds."""
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
        if rules.good_wins == "all dead" or rules.forced_collapse != "none":
            tests["wolves live"] = some(lambda a, d: deals.with_living(a, d, lambda w, o: w > 0), sure=hunted)
        if rules.evil_wins == "parity" or rules.forced_collapse == "parity":
            tests["no parity"] = some(
                lambda a, d: deals.with_living(a, d, lambda w, o: w < o), sure=ahead > 0
            )
        if rules.forced_collapse == "annihilation":
            tests["both live"] = some(
                lambda a, d: deals.with_living(a, d, lambda w, o: w > 0 and o > 0),
                sure=hunted and ahead + deals.deck.wolves > 0,
            )
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

        # the more kinds of worlds there are, the more is open
        if step.verdict is None:
            if not goes_on(known):
                self.conditions.append(Condition(every, goes_on, True, True))
                self.known |= known
        else:
            self.conditions.append(Condition(every, ended, False, True))
        if step.collapsed:
            self._collapsed(number, step)

    def _surely(self, number: int) -> tuple[bool, int]:
        """Return whether a wolf lives in every world, and by how many the others are more at least.

        Wolves die only by a vote or together with their last worlds, others by one attack a night.
        """
        scenario, wolves = self.scenario, self.deals.deck.wolves
        fallen = sum(is_wolf(role) for (at, _), role in scenario.roles.items() if at < number)
        nights = sum(isinstance(s, Acting) for s in scenario.evidence.steps[:number])
        return fallen < wolves, len(scenario.living[number]) - 2 * wolves - nights

    def _wounded(self, number: int, p: int) -> Test:
        """The worlds that make the chance of being dead more than nothing."""
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

    def drawn_world(self, leaf: Leaf) -> Worlds:
        """Return the worlds of a part that the collapse may have drawn, given what followed."""
        if self.collapse is None:
            return leaf.alive
        scenario, found = self.scenario, leaf.alive & self.final
        living = scenario.living[scenario.evidence.collapsed]
        died = {scenario.place[name] for name in self.collapse.found}
        for p in living:
            found &= leaf.dead[p] if p in died else ~leaf.dead[p]
        side = self.deals.with_living(found, leaf.dead, lambda w, o: w > 0)
        return side if self.collapse.verdict == "wolves" else found & ~side

    def _told(self, number: int, step: Told) -> None:
        """A player hears when only one role is left to them, and only once."""
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
        facts = {VILLAGER: VILLAGER, SEER: SEER, WOLF: WOLF}
        for word, bit in bits.items():
            if self._later(number, place, facts.get(word, "")):
                self.known |= bit
        every = sum(bits.values())
        self.conditions.append(Condition(every, lambda flags: (flags & every).bit_count() > 1, True))

    def _shown(self, number: int, step: Shown) -> None:
        if number > self.scenario.evidence.collapsed:
            for cell in step.cells:
                if FACTS[cell.heading] != "dead":  # who is found dead then is told as well
                    having = self.deals.holders[FACTS[cell.heading]][self.scenario.place_of(cell.row)]
                    self.final &= having if cell.high == 1 else ~having
            return
        self._component(number, "worlds")
        implied = self._implied(step)
        for cell in step.cells:
            fact, _, _ = as_wolf(cell)
            place = self.scenario.place_of(cell.row)
            if (fact, place) not in implied:
                self._component(number, fact, place)

    def _implied(self, step: Shown) -> set[tuple[str, int]]:
        """Return the entries that follow from the others of a complete table of exact numbers.

        With one wolf, who is dead follows from the attacks, which the scenario fixes, and from the wolf.
        """
        bounds: dict[int, tuple[Fraction, Fraction]] = {}
        for cell in step.cells:
            fact, low, high = as_wolf(cell)
            if fact == WOLF:
                place = self.scenario.place_of(cell.row)
                least, most = bounds.get(place, (low, high))
                bounds[place] = max(least, low), min(most, high)
        exact = [p for p, (low, high) in bounds.items() if low == high]
        if len(exact) < len(self.deals.places):
            return set()
        if self.deals.deck.wolves == 1 and self.rules.attack == "dominant":
            return {("dead", p) for p in self.deals.places}
        return set()

    @property
    def mortal(self) -> bool:
        """Whether anything is demanded of the dead beyond the choice of the attacks."""
        return any(c.mortal for c in self.conditions) or any(c.fact == "dead" for c in self.components)

    # numbers

    def count(self, component: Component, alive: Worlds, dead: Dead) -> int:
        """Return what some worlds add to a component."""
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
        if component.fact == "bitten":  # whoever is bitten to death is found at once
            return (None, -1) if component.after else (0, None)
        if step not in worlds or not component.after:
            return None, None
        size = worlds[step]
        if component.fact == "worlds":
            return size, size
        fractional = component.fact == "dead" and self.rules.attack == "fractional"
        scale = size * (self.scenario.scale if fractional else 1)
        shown = self.scenario.evidence.steps[step]
        assert isinstance(shown, Shown)
        low, high = 0, scale
        for cell in shown.cells:
            fact, least, most = as_wolf(cell)
            if fact == component.fact and self.scenario.place_of(cell.row) == component.place:
                low, high = max(low, ceil(least * scale)), min(high, floor(most * scale))
        return low, high


def as_wolf(cell: Cell) -> tuple[str, Fraction, Fraction]:
    """Return the fact of an entry and its interval; not to be a wolf is put as to be one."""
    fact = FACTS[cell.heading]
    return (WOLF, 1 - cell.high, 1 - cell.low) if fact == "good" else (fact, cell.low, cell.high)


def announced_roles(setup: Setup, said: str | None, *, voted: bool) -> frozenset[Role]:
    """Return the roles that may have been drawn, given what was said about a death."""
    shown = setup.rules.announce_vote if voted else setup.rules.announce_found
    labels = setup.rules.labels(shown, setup.deck)
    return frozenset(setup.deck.roles) if said is None else labels[said]


def _known(scenario: Scenario, step: Acting, place: int, action: str) -> Known | None:
    for (name, of), made in step.known.items():
        if of == action and scenario.place.get(name) == place:
            return made
    return None


@dataclass(frozen=True, eq=False)
class Part:
    """The worlds of one seer."""

    scenario: Scenario
    worlds: Worlds
    seers: tuple[int, ...]
    """Whose visions change these worlds."""

    def options(self) -> list[Leaf]:
        """Return every way in which these worlds may evolve."""
        scenario, demands = self.scenario, self.scenario.demands
        nobody = (0,) * scenario.deals.deck.players
        leaves = [Leaf(self.worlds, nobody, weights=tuple(share for _, share in scenario.ways))]
        if scenario.deals.deck.seers == 1 and self.seers != (0,):  # the share of an order counts once
            leaves = [leaves[0]._replace(weights=tuple(Fraction(1) for _ in scenario.ways))]
        steps = scenario.evidence.steps
        counted: dict[tuple[int, int], list[Component]] = {}
        for component in demands.components:
            counted.setdefault((component.step, component.after), []).append(component)
        for number, step in enumerate(steps):
            spared = [self._spared(step, leaf) for leaf in leaves]
            leaves = [self._noted(leaf, number, 0, counted) for leaf in spared]
            leaves = [after for leaf in leaves for after in self._after(number, step, leaf)]
            leaves = [self._noted(leaf, number, 1, counted) for leaf in leaves]
        drawn = (leaf._replace(alive=demands.drawn_world(leaf)) for leaf in leaves)
        return [self._noted(leaf, len(steps), 1, counted) for leaf in drawn]

    def _spared(self, step: object, leaf: Leaf) -> Leaf:
        if not isinstance(step, Voted) or not self.scenario.setup.rules.vote_eliminates:
            return leaf
        return leaf._replace(alive=leaf.alive & ~leaf.dead[self.scenario.place[step.player]])

    def _noted(
        self, leaf: Leaf, number: int, after: int, counted: Mapping[tuple[int, int], list[Component]]
    ) -> Leaf:
        demands, flags, numbers = self.scenario.demands, leaf.flags, leaf.numbers
        for bit, test in demands.tests.get((number, after), ()):
            if test(leaf.alive, leaf.dead):
                flags |= bit
        components = counted.get((number, after), ())
        if components:
            numbers += tuple(demands.count(c, leaf.alive, leaf.dead) for c in components)
        return leaf._replace(flags=flags, numbers=numbers)

    def _after(self, number: int, step: object, leaf: Leaf) -> Iterator[Leaf]:
        scenario = self.scenario
        match step:
            case Acting():
                yield from self._acted(number, step, leaf)
            case Voted(player=name):
                yield self._with_death(leaf, number, scenario.place[name])
            case Died(players=players):
                for name in players:
                    leaf = self._with_death(leaf, number, scenario.place[name])
                yield leaf
            case _:
                yield leaf

    def _with_death(self, leaf: Leaf, number: int, p: int) -> Leaf:
        deals = self.scenario.deals
        alive = leaf.alive & deals.holders[self.scenario.roles[number, p]][p]
        return leaf._replace(alive=alive, dead=(*leaf.dead[:p], deals.every, *leaf.dead[p + 1 :]))

    # a phase of moves

    def _acted(self, number: int, step: Acting, leaf: Leaf) -> Iterator[Leaf]:
        scenario = self.scenario
        attacks = (
            dict(scenario.attackers.get(number, ())) if self.scenario.setup.rules.attack == "dominant" else {}
        )
        looks = "vision" in scenario.setup.actions(step.phase)
        looking = [p for p in self.seers if looks and p in scenario.living[number]]
        if not step.ended:
            looking = [p for p in looking if p == scenario.viewer]
        entitled = {p for p in looking if leaf.alive & scenario.deals.holders[SEER][p]}
        if in_random_order(scenario.setup, step):
            yield from self._in_any_order(number, step, leaf, attacks, looking, entitled)
            return
        leaves = [leaf]
        for p in scenario.deals.places:
            if p in looking and step.phase.kind == "night":
                leaves = [a for b in leaves for a in self._looked(number, step, b, p, p in entitled, [{}])]
            if p in attacks:
                leaves = [self._attacked(a, p, attacks[p]) for a in leaves]
        if step.phase.kind != "night":
            for p in looking:
                leaves = [a for b in leaves for a in self._looked(number, step, b, p, p in entitled, [{}])]
        yield from leaves

    def _attacked(self, leaf: Leaf, actor: int, target: int) -> Leaf:
        deals = self.scenario.deals
        if target == ANYBODY:
            return leaf
        hunting = deals.dominated(leaf.alive, leaf.dead, actor)
        removed = hunting & deals.holders[WOLF][target]
        fallen = leaf.dead[target] | (hunting ^ removed)
        dead = (*leaf.dead[:target], fallen, *leaf.dead[target + 1 :])
        return leaf._replace(alive=leaf.alive ^ removed, dead=dead)

    def _in_any_order(
        self,
        number: int,
        step: Acting,
        leaf: Leaf,
        attacks: Mapping[int, int],
        looking: Sequence[int],
        entitled: set[int],
    ) -> Iterator[Leaf]:
        """In a night of random order: a vision shows the worlds as they are after the attacks before it."""
        scenario = self.scenario
        earlier = [way.get(number, {}) for way, _ in scenario.ways]
        leaves = [leaf]
        for p in looking:
            first = []
            for before in earlier:
                done = {x: attacks[x] for x in before.get(p, ())}
                first.append(done)
            leaves = [a for b in leaves for a in self._looked(number, step, b, p, p in entitled, first)]
        for actor, target in attacks.items():
            leaves = [self._attacked(a, actor, target) for a in leaves]
        yield from leaves

    def _looked(
        self,
        number: int,
        step: Acting,
        leaf: Leaf,
        actor: int,
        entitled: bool,
        earlier: Sequence[Mapping[int, int]],
    ) -> Iterator[Leaf]:
        """Yield the worlds after every vision that a player may have had.

        `earlier`: for each way of the orders, the attacks that came before it.
        """
        scenario, known = self.scenario, _known(self.scenario, step, actor, "vision")
        if not entitled or known in (NOT_ASKED, PASSED):
            if known in (None, NOT_ASKED) and not entitled:
                yield leaf._replace(seen=(*leaf.seen, (number, actor, NOT_ASKED, None)))
            elif known == PASSED and entitled:
                yield leaf._replace(seen=(*leaf.seen, (number, actor, PASSED, None)))
            return
        targets = scenario.targets(number, actor, "vision")
        declines = not compulsory(scenario.setup, "vision")
        choice = Fraction(1) if actor == scenario.viewer else Fraction(1, len(targets) + declines)
        wanted = (
            scenario.place[known.target] if isinstance(known, Move) and known.target is not None else None
        )
        if declines and (known is None or (isinstance(known, Move) and known.target is None)):
            seen = (*leaf.seen, (number, actor, None, None))
            yield leaf._replace(weights=tuple(w * choice for w in leaf.weights), seen=seen)
        if isinstance(known, Move) and known.target is None:
            return
        pools = [self._pool(leaf, actor, before) for before in earlier]
        if len(pools) == 1:
            pools *= len(leaf.weights)
        for target in targets if wanted is None else (wanted,):
            for result, chances, alive in self._shown(leaf, actor, target, pools):
                if isinstance(known, Move) and known.shown and known.result != result:
                    continue
                weights = tuple(w * choice * c for w, c in zip(leaf.weights, chances, strict=True))
                if any(weights):
                    seen = (*leaf.seen, (number, actor, target, result))
                    yield leaf._replace(alive=alive, weights=weights, seen=seen)

    def _pool(self, leaf: Leaf, actor: int, before: Mapping[int, int]) -> Worlds:
        for attacker, target in before.items():
            leaf = self._attacked(leaf, attacker, target)
        pool = leaf.alive & self.scenario.deals.holders[SEER][actor]
        return pool & ~leaf.dead[actor] if self.scenario.setup.rules.vision_worlds == "alive" else pool

    def _shown(
        self, leaf: Leaf, actor: int, target: int, pools: Sequence[Worlds]
    ) -> Iterator[tuple[str | None, list[Fraction], Worlds]]:
        """Yield the results a vision may have, their chances for each pool, and the worlds they leave."""
        setup, deals = self.scenario.setup, self.scenario.deals
        for label, roles in setup.rules.labels(setup.rules.vision_shows, setup.deck).items():
            matching = deals.having(target, roles)
            chances = [
                Fraction((pool & matching).bit_count(), pool.bit_count()) if pool else Fraction(0)
                for pool in pools
            ]
            yield label, chances, leaf.alive & ~(deals.holders[SEER][actor] & ~matching)
        if not all(pools):
            yield None, [Fraction(not pool) for pool in pools], leaf.alive


__all__ = [
    "Cell",
    "Component",
    "Condition",
    "Deals",
    "Demands",
    "Leaf",
    "Part",
    "Scenario",
    "announced_roles",
    "bites_of",
    "deals_of",
    "in_random_order",
    "living_places",
    "open_targets",
    "place_of",
    "worlds_behind",
]
