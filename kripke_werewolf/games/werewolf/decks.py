"""Decks for a number of players, and their exact winning chances under blind play.

In blind play everybody who is asked chooses uniformly among all legal choices, declining included, and every
day a random living player is voted off. The deal is classical, so a game is a Markov chain: its states are
how many players there are of each *kind*, that is of each card with the same facts (`dead`, `linked`, …), and
the phase. What happens is read from the declarations of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TypeVar, get_args

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.werewolf.declarations import Death, declared, placed
from kripke_werewolf.games.werewolf.draws import Chance
from kripke_werewolf.games.werewolf.roles import VILLAGER, Action, Moment, Role, Schema, SecretAct
from kripke_werewolf.games.werewolf.rules import Rules, preset
from kripke_werewolf.games.werewolf.setup import Phase, Setup, make_setup
from kripke_werewolf.logic.formulas import And, Atom, Constant, Count, Everywhere, Formula, Implies, Not, Or

Kind = tuple[str, tuple[str, ...]]
"""A card and the facts about its holder, in alphabetical order; `out`: officially dead."""
World = tuple[Kind, ...]
"""The kinds of all players, in order."""
Way = tuple[int, ...]
"""Who acts, and on whom."""
Spread = dict[World, Fraction]
"""The probabilities of worlds."""
T = TypeVar("T")

MOST_STATES = 1000
"""The largest number of states of a chain: one or two seconds."""
_SUGGESTED: tuple[tuple[int, dict[str | Role, int]], ...] = (
    (5, {}),
    (6, {"hunter": 1}),
    (7, {"hunter": 1, "bodyguard": 1}),
    (12, {"hunter": 1, "fox": 1}),
    (16, {"hunter": 2}),
)


def suggested_cards(players: int) -> dict[str | Role, int]:
    """Return the further cards that are suggested for a number of players, from 5 to 20.

    >>> suggested_cards(8)
    {'hunter': 1, 'bodyguard': 1}
    """
    if not 5 <= players <= 20:
        raise GameError(f"{players} players: decks are suggested for 5 to 20")
    return dict(next(cards for least, cards in reversed(_SUGGESTED) if players >= least))


def blind_chances(
    players: int,
    *,
    wolves: int | None = None,
    cards: Mapping[str | Role, int] | None = None,
    rules: str | Rules = "cisra",
) -> dict[str, Fraction]:
    """Return the exact chances of all verdicts under blind play.

    The arguments are those of the game; `cards` also counts seers.

    Raises GameError where they cannot be computed: for attacks that take fractions of a life,
    for nights in which players look and attack in turn, for several votes a day, and for too many states.

    >>> {verdict: str(chance) for verdict, chance in blind_chances(5, wolves=1).items()}
    {'village': '7/15', 'wolves': '8/15'}
    """
    chosen = preset(rules) if isinstance(rules, str) else rules
    names = [f"p{seat}" for seat in range(players)]
    setup = make_setup(names, wolves=wolves, cards=cards, rules=chosen, draw=Chance(0))
    for wrong, why in (
        (chosen.attack == "fractional", "attacks take fractions of a life, and all sums of bites are states"),
        ("night" in (*chosen.opening, *chosen.cycle), "the order of the turns in a night matters"),
        (chosen.verdict_at_vote == "before deaths", "some are found dead after the verdict"),
        (chosen.burnings > 1, "it is open how many players are voted off in a day"),
        (bool(setup.deck.changing), "cards change"),
        (declared(setup).spared.needs != "false", "a vote may spare somebody"),
    ):
        if wrong:
            raise GameError(f"no exact chances under the rules {chosen.name!r}: {why}")
    chain = _Chain(setup)
    return dict(sorted(chain.chances(0, chain.in_order(tuple(_dealt(setup)))).items()))


def _dealt(setup: Setup) -> Iterator[Kind]:
    """Yield the players at the start; a good card that changes nothing counts as a villager."""
    game, deck = declared(setup), setup.deck
    acts = [act for act in game.acts.values() if act.change]
    said = " ".join((*(f"{act.by} {act.change}" for act in acts), *map(str, (*game.endings, *game.follows))))
    for role in deck.declared:
        idle = role.side == "good" and f"{role.name}_" not in said
        yield from [(VILLAGER if idle else role.name, ())] * deck.cards(role.name)


Places = tuple[int, int, int]
"""The players at the places `{i}`, `{t}` and `{u}` of a schema."""
Test = Callable[[World, Places], bool]
"""Whether a formula is true in a world."""


class _Chain:
    """The chain of a game; players are places in the list of kinds."""

    def __init__(self, setup: Setup) -> None:
        self.setup, self.game = setup, declared(setup)
        self.seats = range(setup.deck.players)
        opening, cycle = setup.phases
        self.length, self.again = len(opening) + len(cycle), len(cycle)
        self.known: dict[tuple[int, World], dict[str, Fraction]] = {}
        self.verdicts: dict[World, str | None] = {}
        self.tests: dict[Schema, Test] = {}
        self.follows: dict[Moment, list[dict[tuple[int, str], Test]]] = {}
        for moment in get_args(Moment):
            every = self.game.following(moment, self.seats)
            placed = ({a.rpartition("_"): self._test(f) for a, f in values.items()} for values in every)
            self.follows[moment] = [
                {(int(s), fact): t for (fact, _, s), t in some.items()} for some in placed
            ]

    # what is true in a world

    def true(self, schema: Schema, world: World, i: int = 0, t: int = 0, u: int = 0) -> bool:
        """Whether a schema is true of some players in a world."""
        if schema not in self.tests:
            self.tests[schema] = self._test(placed(schema, self.seats, "i", "t", "u"))
        return self.tests[schema](world, (i, t, u))

    def _test(self, formula: Formula) -> Test:
        match formula:
            case Atom(name):
                return self._fact(*name.rpartition("_")[::2])
            case Constant(value):
                return lambda world, places: value
            case Everywhere(body):
                return self._test(body)
            case Not(body):
                inner = self._test(body)
                return lambda world, places: not inner(world, places)
            case And(parts) | Or(parts):
                several, join = list(map(self._test, parts)), all if isinstance(formula, And) else any
                return lambda world, places: join(part(world, places) for part in several)
            case Implies(one, other):
                return self._test(~one | other)
            case Count(_, _, parts):
                several, (low, high) = list(map(self._test, parts)), formula.bounds
                return lambda world, places: low <= sum(part(world, places) for part in several) <= high
        raise GameError(f"no exact chances: {formula} cannot be read in a single world")

    def _fact(self, fact: str, place: str) -> Test:
        """Return the test of a fact about a player, who is at one of the places or given by seat."""
        number = "itu".find(place)
        seat = int(place) if number < 0 else 0
        schema = self.game.defined.get(fact, "") if fact not in self.setup.deck.roles else ""
        if "[" in schema:  # who leads, which depends on others
            return lambda world, places: self.true(schema, world, places[number] if number >= 0 else seat)
        true: dict[Kind, bool] = {}

        def test(world: World, places: Places) -> bool:
            kind = world[places[number] if number >= 0 else seat]
            if kind not in true:
                true[kind] = self.true(schema, (kind,)) if schema else fact == kind[0] or fact in kind[1]
            return true[kind]

        return test

    def living(self, world: World) -> list[int]:
        """Return those who are not officially dead."""
        return [seat for seat in self.seats if "out" not in world[seat][1]]

    def last(self, world: World, seats: Iterable[int]) -> int:
        """Return the number of those among some players who take somebody along."""
        return sum(self.true(self.game.named.needs, world, t=seat) for seat in seats)

    def verdict(self, world: World) -> str | None:
        """Return the verdict on a world."""
        if world not in self.verdicts:
            ends = self.game.endings
            found = next((end.verdict for end in ends if self.true(end.when, world)), None)
            if found is None and self.true(self.game.collapse, world):
                found = next(end.verdict for end in ends if self.true(end.drawn, world))
            drawn = self.setup.rules.nobody_left == "draw" and not self.living(world)
            self.verdicts[world] = "draw" if drawn else found
        return self.verdicts[world]

    # what changes

    def changed(self, world: World, values: Mapping[tuple[int, str], bool]) -> World:
        """Return a world with other facts about players."""
        kinds = list(world)
        for (seat, fact), value in values.items():
            card, facts = kinds[seat]
            if value != (fact in facts):
                kinds[seat] = card, tuple(sorted({*facts} ^ {fact}))
        return tuple(kinds)

    def followed(self, world: World, *moments: Moment) -> World:
        """Return a world after what follows by itself at some moments."""
        for tests in (tests for moment in moments for tests in self.follows[moment]):
            world = self.changed(world, {place: test(world, (0, 0, 0)) for place, test in tests.items()})
        return world

    def in_order(self, world: World) -> World:
        """Return a world with players of a kind side by side, and dead wolves below the living.

        Among wolves it matters who leads: the highest one alive.
        """
        kinds = sorted(world)
        if self.setup.deck.ranked:
            ranks = self.setup.deck.wolf_roles
            ranked = sorted((k for k in kinds if k[0] in ranks), key=lambda kind: ranks.index(kind[0]))
            facts = sorted((facts for _, facts in ranked), key=lambda some: some if "dead" in some else ())
            kinds = [kind for kind in kinds if kind not in ranked]
            kinds += [(card, some) for (card, _), some in zip(ranked, facts, strict=True)]
        return tuple(kinds)

    def each(self, world: World, ways: Collection[Way], do: Callable[[Way], Spread]) -> Spread:
        """Return the worlds after one of some equally likely ways; players of a kind make one way."""
        groups: dict[tuple[object, ...], list[Way]] = {}
        for way in ways:
            alike = (len(way), *(way[0] == seat or world[seat] for seat in way[1:]))
            groups.setdefault(alike, []).append(way)
        found: Spread = {}
        for some in groups.values():
            for after, share in do(some[0]).items():
                _add(found, after, share * Fraction(len(some), len(ways)))
        return found

    def acted(self, world: World, actor: int, act: SecretAct) -> Spread:
        """Return the worlds after an action of a player."""
        if not act.change and not act.refusable and act.impossible == "false":
            return {world: Fraction(1)}
        possible = f"({act.by}) & ~({act.impossible})"
        targets = [seat for seat in self.living(world) if act.on_self or seat != actor]
        if act.refusable:
            targets = [seat for seat in targets if self.true(possible, world, actor, seat)]
        ways: list[Way] = [(actor, *choice) for choice in act.choices(targets)]
        if not act.compulsory or not ways:
            ways.append((actor,))
        return self.each(world, ways, lambda way: {self._done(world, act, way): Fraction(1)})

    def _done(self, world: World, act: SecretAct, way: Way) -> World:
        actor, *targets = way
        i, t, u = (actor, *targets, *targets)[:3] if targets else (actor, actor, actor)
        blank = act.shows and not self.true(act.pool, world, actor)
        if not targets or blank or not self.true(act.by, world, i, t, u):
            return world
        if self.true(act.impossible, world, i, t, u):
            raise GameError(f"no exact chances: the action {act.name!r} may leave no world")
        places, values = {"{i}": i, "{t}": t, "{u}": u}, {}
        for atom, value in act.change:
            fact, _, place = atom.rpartition("_")
            values[places[place], fact] = self.true(value, world, i, t, u)
        return self.followed(self.changed(world, values), "once")

    def found(self, world: World, owed: int = 0) -> Spread:
        """Return the worlds after all who are dead were found, and some of them have taken others along.

        `owed`: how many of those found before still have to name somebody.
        """
        world = self.followed(world, "found")
        new = [seat for seat in self.living(world) if "dead" in world[seat][1]]
        after, owed = self.changed(world, {(seat, "out"): True for seat in new}), owed + self.last(world, new)
        return self.taken(after, owed) if owed else {self.in_order(after): Fraction(1)}

    def taken(self, world: World, owed: int) -> Spread:
        """Return the worlds after some of the dead have each named somebody, and all dead were found."""
        if not owed or not (living := self.living(world)):
            return self.found(world)
        ways = [(-1, seat) for seat in living]
        return self.each(
            world, ways, lambda way: self.taken(self.gone(world, way[1], self.game.named), owed - 1)
        )

    def gone(self, world: World, seat: int, how: Death) -> World:
        """Return the world after an official death."""
        facts = ("out", *(atom.removesuffix("_{i}") for atom, _ in how.change))
        return self.followed(self.changed(world, {(seat, fact): True for fact in facts}), "once", "found")

    def voted(self, world: World) -> Spread:
        """Return the worlds after one of the living was voted off."""
        ways, how = [(-1, seat) for seat in self.living(world)], self.game.vote
        return self.each(
            world, ways, lambda way: self.found(self.gone(world, way[1], how), self.last(world, way[1:]))
        )

    def chances(self, position: int, world: World) -> dict[str, Fraction]:
        """Return the chances of the verdicts from the beginning of a phase on."""
        position -= self.again * (position >= self.length)
        if (position, world) not in self.known:
            if len(self.known) >= MOST_STATES:
                raise GameError(f"no exact chances in about a second: more than {MOST_STATES:,} states")
            self.known[position, world] = {}  # counted before those that follow
            self.known[position, world] = self._chances(position, world)
        return self.known[position, world]

    def _chances(self, position: int, world: World) -> dict[str, Fraction]:
        phase = Phase(self.setup.phase_at(position), 0, position)
        if phase.kind == "vote":
            world = self.in_order(self.followed(world, "morning"))
        spread: Spread = {world: Fraction(1)} if phase.kind != "vote" else self.voted(world)
        for actor, action in self._asked(world, phase):
            spread = _then(spread, partial(self.acted, actor=actor, act=self.game.acts[action]))
        spread = _then(spread, lambda world: {self.followed(world, "phase"): Fraction(1)})
        if not self.setup.at_night(phase):
            spread = _then(spread, self.found)
        total = dict[str, Fraction]()
        for after, chance in spread.items():
            after = self.in_order(after)
            early = phase.kind == "vote" or self.setup.rules.verdict_after == "phase"
            verdict = self.verdict(after) if early or not self.living(after) else None
            rest = {verdict: Fraction(1)} if verdict else self.chances(position + 1, after)
            for name, share in rest.items():
                _add(total, name, chance * share)
        return total

    def _asked(self, world: World, phase: Phase) -> list[tuple[int, Action]]:
        """Return the actors of a phase with their actions, in order."""
        turns = product(self.living(world), self.setup.actions(phase))
        return [(seat, act) for seat, act in turns if self.true(self.game.acts[act].asked, world, seat)]


def _add(spread: dict[T, Fraction], key: T, chance: Fraction) -> None:
    spread[key] = spread.get(key, Fraction(0)) + chance


def _then(spread: Spread, step: Callable[[World], Spread]) -> Spread:
    """Return the worlds after another step."""
    found: Spread = {}
    for world, chance in spread.items():
        for after, share in step(world).items():
            _add(found, after, chance * share)
    return found
