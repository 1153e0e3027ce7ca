"""Decks for a number of players, and their exact winning chances under blind play.

In blind play everybody who is asked chooses uniformly among all legal choices, declining included, and every
day a random living player is voted off. The deal is classical, so a game is a Markov chain: its states are
how many players there are of each *kind*, that is of each card with the same facts (`dead`, `linked`, …), and
the phase. What happens is read from the declarations of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import TypeVar, get_args

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.werewolf.declarations import Death, declared, seated
from kripke_werewolf.games.werewolf.draws import Chance
from kripke_werewolf.games.werewolf.roles import VILLAGER, Moment, Role, Schema, SecretAct
from kripke_werewolf.games.werewolf.rules import Rules
from kripke_werewolf.games.werewolf.setup import Phase, Setup, make_setup
from kripke_werewolf.games.werewolf.state import truth
from kripke_werewolf.logic.formulas import Atom, Everywhere, Formula

Kind = tuple[str, ...]
"""A card, and then the facts about its holder, in alphabetical order; `out`: officially dead."""
World = tuple[Kind, ...]
"""The kinds of all players, in order."""
Spread = dict[World, Fraction]
"""The probabilities of worlds."""
K = TypeVar("K")
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
    names = [f"p{seat}" for seat in range(players)]
    setup = make_setup(names, wolves=wolves, cards=cards, rules=rules, draw=Chance(0))
    chosen = setup.rules
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
        yield from [(VILLAGER if idle else role.name,)] * deck.cards(role.name)


class _Chain:
    """The chain of a game; players are places in the list of kinds."""

    def __init__(self, setup: Setup) -> None:
        self.setup, self.game = setup, declared(setup)
        self.seats = range(setup.deck.players)
        opening, cycle = setup.phases
        self.length, self.again = len(opening) + len(cycle), len(cycle)
        self.known: dict[tuple[int, World], dict[str, Fraction]] = {}
        self.defined = {f: where for f, where in self.game.defined.items() if f not in setup.deck.roles}
        self.follows = {m: list(self.game.following(m, self.seats)) for m in get_args(Moment)}
        self.true, self.verdict = cache(self._true), cache(self._verdict)
        self.followed = cache(self._followed)

    # what is true in a world

    def _true(self, schema: Schema, world: World, i: int = 0, t: int = 0, u: int = 0) -> bool:
        """Whether a schema is true of some players in a world."""
        return self.holds(seated(self.setup, schema, i, t, u), world)

    def holds(self, formula: Formula, world: World) -> bool:
        """Whether a formula about players by seat is true in a world."""

        def is_so(part: Formula) -> bool:
            if isinstance(part, Everywhere):
                return truth(part.body, is_so)
            if not isinstance(part, Atom):
                raise GameError(f"no exact chances: {part} cannot be read in a single world")
            fact, _, seat = part.name.rpartition("_")
            kind, schema = world[int(seat)], self.defined.get(fact, "")
            if "[" in schema:  # who leads, which depends on others
                return self.true(schema, world, world.index(kind))
            return self.true(schema, (kind,)) if schema else fact in kind

        return truth(formula, is_so)

    def living(self, world: World) -> list[int]:
        """Return those who are not officially dead."""
        return [seat for seat in self.seats if "out" not in world[seat]]

    def last(self, world: World, seats: Iterable[int]) -> int:
        """Return the number of those among some players who take somebody along."""
        return sum(self.true(self.game.named.needs, world, t=seat) for seat in seats)

    def _verdict(self, world: World) -> str | None:
        """Return the verdict on a world."""
        if self.setup.rules.nobody_left == "draw" and not self.living(world):
            return "draw"
        found = next((end.verdict for end in self.game.endings if self.true(end.when, world)), None)
        if found is None and self.true(self.game.collapse, world):
            found = next(end.verdict for end in self.game.endings if self.true(end.drawn, world))
        return found

    # what changes

    def changed(self, world: World, values: Mapping[str, bool]) -> World:
        """Return a world with other facts about players."""
        kinds = list(world)
        for atom, value in values.items():
            fact, _, place = atom.rpartition("_")
            card, *facts = kinds[int(place)]
            kinds[int(place)] = (card, *sorted({*facts, fact} if value else {*facts} - {fact}))
        return tuple(kinds)

    def _followed(self, world: World, *moments: Moment) -> World:
        """Return a world after what follows by itself at some moments."""
        for moment in moments:
            for values in self.follows[moment]:
                new = {atom: self.holds(value, world) for atom, value in values.items()}
                world = self.changed(world, new)
        return world

    def in_order(self, world: World) -> World:
        """Return a world with players of a kind side by side, and dead wolves below the living.

        Among wolves it matters who leads: the highest one alive.
        """
        ranks = self.setup.deck.wolf_roles if self.setup.deck.ranked else ()
        wolves = {kind[0]: kind[1:] for kind in world if kind[0] in ranks}
        facts = sorted((wolves[rank] for rank in ranks), key=lambda some: some if "dead" in some else ())
        others = sorted(kind for kind in world if kind[0] not in ranks)
        return (*others, *((rank, *some) for rank, some in zip(ranks, facts, strict=True)))

    def acted(self, world: World, actor: int, act: SecretAct) -> Spread:
        """Return the worlds after an action of a player."""
        if not act.change and not act.refusable and act.impossible == "false":
            return {world: Fraction(1)}
        possible = f"({act.by}) & ~({act.impossible})"
        targets = [seat for seat in self.living(world) if act.on_self or seat != actor]
        if act.refusable:
            targets = [seat for seat in targets if self.true(possible, world, actor, seat)]
        ways = list(act.choices(targets))
        if not act.compulsory or not ways:
            ways.append(())
        return _then(_any_of(ways), lambda way: {self._done(world, actor, act, way): Fraction(1)})

    def _done(self, world: World, actor: int, act: SecretAct, targets: tuple[int, ...]) -> World:
        i, t, u = (actor, *targets, *targets, actor, actor)[:3]
        blank = act.shows and not self.true(act.pool, world, actor)
        if not targets or blank or not self.true(act.by, world, i, t, u):
            return world
        if self.true(act.impossible, world, i, t, u):
            raise GameError(f"no exact chances: the action {act.name!r} may leave no world")
        values = {a.format(i=i, t=t, u=u): self.true(value, world, i, t, u) for a, value in act.change}
        return self.followed(self.changed(world, values), "once")

    def found(self, world: World, owed: int = 0) -> Spread:
        """Return the worlds after all who are dead were found, and some of them have taken others along.

        `owed`: how many of those found before still have to name somebody.
        """
        world = self.followed(world, "found")
        new = [seat for seat in self.living(world) if "dead" in world[seat]]
        after, owed = self.changed(world, {f"out_{seat}": True for seat in new}), owed + self.last(world, new)
        return self.taken(after, owed) if owed else {self.in_order(after): Fraction(1)}

    def taken(self, world: World, owed: int) -> Spread:
        """Return the worlds after some of the dead have each named somebody, and all dead were found."""
        if not owed or not (living := self.living(world)):
            return self.found(world)
        gone = partial(self.gone, world, how=self.game.named)
        return _then(_any_of(living), lambda seat: self.taken(gone(seat), owed - 1))

    def gone(self, world: World, seat: int, how: Death) -> World:
        """Return the world after an official death."""
        atoms = ("out_{i}", *(atom for atom, _ in how.change))
        after = self.changed(world, {atom.format(i=seat): True for atom in atoms})
        return self.followed(after, "once", "found")

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
        phase, spread = Phase(self.setup.phase_at(position), 0, position), {world: Fraction(1)}
        if phase.kind == "vote":
            world = self.in_order(self.followed(world, "morning"))
            off = partial(self.gone, world, how=self.game.vote)
            votes = _any_of(self.living(world))
            spread = _then(votes, lambda seat: self.found(off(seat), self.last(world, [seat])))
        for actor, action in product(self.living(world), self.setup.actions(phase)):
            act = self.game.acts[action]
            if self.true(act.asked, world, world.index(world[actor])):
                spread = _then(spread, partial(self.acted, actor=actor, act=act))
        spread = _then(spread, lambda world: {self.followed(world, "phase"): Fraction(1)})
        if not self.setup.at_night(phase):
            spread = _then(spread, self.found)
        return _then(spread, lambda world: self._rest(phase, self.in_order(world)))

    def _rest(self, phase: Phase, world: World) -> dict[str, Fraction]:
        """Return the chances of the verdicts after a phase."""
        early = phase.kind == "vote" or self.setup.rules.verdict_after == "phase"
        if (early or not self.living(world)) and (verdict := self.verdict(world)):
            return {verdict: Fraction(1)}
        return self.chances(phase.position + 1, world)


def _any_of(ways: Collection[K]) -> dict[K, Fraction]:
    """Return equal probabilities."""
    return dict.fromkeys(ways, Fraction(1, len(ways)))


def _then(spread: Mapping[K, Fraction], step: Callable[[K], Mapping[T, Fraction]]) -> dict[T, Fraction]:
    """Return the probabilities after another step."""
    found: dict[T, Fraction] = {}
    for before, chance in spread.items():
        for after, share in step(before).items():
            found[after] = found.get(after, Fraction(0)) + chance * share
    return found
