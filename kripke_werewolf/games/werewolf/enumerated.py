"""Superpositions as a table of worlds that is never copied: only the surviving rows and the deaths change.

The table (`Deals`) has one row per assignment and one small-integer column per seer and per wolf, holding
the player who has that card; villagers are implied. The holders of equal cards (several seers, unranked
wolves) are in ascending order, so that every assignment occurs once. A set of rows is a Python integer whose
bit i stands for row i. A superposition is the set of surviving rows and, for each player, the set of rows in
which they are dead.

The columns are bytes, so that games can be played without numpy; only samples need it.

So all superpositions of a game share their tables, and a game can keep all of them: a vision makes one new
set of rows, an attack two, with one bit per row. A new table is made when less than half of the rows survive.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache, reduce
from itertools import combinations, compress
from operator import or_
from typing import Literal, TypeAlias, get_args

from kripke_werewolf.base.errors import GameError, ModelTooLarge
from kripke_werewolf.base.settings import check_possible
from kripke_werewolf.games.werewolf.counted import Counted
from kripke_werewolf.games.werewolf.roles import VILLAGER, WOLF, Deck
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.games.werewolf.superposition import NotCovered, Superposition
from kripke_werewolf.logic.formulas import FALSE, TRUE, Formula
from kripke_werewolf.logic.semantics.bits import BitSpace, digits, members, renumbered

Rows: TypeAlias = int
"""A set of rows: bit i is set if row i belongs to it."""
Dead: TypeAlias = tuple[Rows, ...]
"""For each player, the rows in which they are dead."""

MAX_BYTES = 2**30
"""The memory limit for the columns and deaths of one superposition."""
_MOST_PLAYERS = 64
"""With more players worlds are counted, if they can be."""
_SMALL = 1 << 10
"""Tables with at most this many rows are kept, however few rows survive."""


def most_listed(deck: Deck) -> int:
    """Return the number of worlds of a deck that fit the memory limit."""
    special = deck.players - deck.villagers
    return MAX_BYTES // (special + (4 if deck.players <= 32 else 8) * (1 + len(deck.facts)))


class Deals:
    """A table of assignments, by default all in order, and the sets of rows in which a player has a card."""

    def __init__(self, deck: Deck, columns: Sequence[bytes] = ()) -> None:
        every = columns or _columns(deck.players, [number for _, number in deck.special if number])
        self.deck, self.columns = deck, tuple(every)
        self.places = range(deck.players)
        self.size = len(self.columns[0])
        self.every: Rows = (1 << self.size) - 1

    @cached_property
    def holders(self) -> Mapping[str, Dead]:
        """For each role, `"wolf"` and each side, and each player, the rows in which they were dealt it."""
        found = dict.fromkeys(self.deck.roles[1:], (0,) * self.deck.players)
        cards = (role for role, number in self.deck.special for _ in range(number))
        for role, column in zip(cards, self.columns, strict=True):
            places = (_rows_with(column, player) for player in self.places)
            found[role] = tuple(map(or_, found[role], places))
        return self.held(found)

    def held(self, special: Mapping[str, Dead]) -> Mapping[str, Dead]:
        """Return the rows where players have cards, `"wolf"` and sides, from those of all but villagers."""
        found = {role: special[role] for role in self.deck.roles[1:]}
        held = [reduce(or_, rows, 0) for rows in zip(*found.values(), strict=True)]
        if sum(rows.bit_count() for some in found.values() for rows in some) > sum(map(int.bit_count, held)):
            raise GameError("what follows from a role gives somebody a second card, or two at once")
        found[VILLAGER] = tuple(self.every ^ rows for rows in held)
        wolves = (found[role] for role in self.deck.wolf_roles)
        found[WOLF] = tuple(reduce(or_, rows) for rows in zip(*wolves, strict=True))
        for side in dict.fromkeys(role.side for role in self.deck.declared if role.side not in found):
            sets = (found[role] for role in self.deck.sided(side))
            found[side] = tuple(reduce(or_, rows) for rows in zip(*sets, strict=True))
        return found

    def having(self, player: int, roles: Iterable[str]) -> Rows:
        """Return the rows in which a player has one of the given roles, which need not be in the deck."""
        return reduce(or_, (self.holders[role][player] for role in roles if role in self.holders), 0)

    def test(self, f: Formula, dead: Dead = ()) -> Rows:
        """Return the rows in which a Boolean formula about cards and deaths by seat is true."""

        def true(atom: str) -> Rows:
            stem, _, seat = atom.rpartition("_")
            return dead[int(seat)] if stem == "dead" else self.having(int(seat), [stem])

        return rows_where(f, self.every, true)


def _columns(players: int, groups: Sequence[int]) -> list[bytes]:
    """Return the holders of groups of equal cards in all assignments, a column for each card."""
    first, *later = groups
    if not later:
        return [bytes(column) for column in zip(*combinations(range(players), first), strict=True)]
    rest = _columns(players - first, later)  # among the players without the first cards
    columns = [bytearray() for _ in range(sum(groups))]
    for seats in combinations(range(players), first):
        others = bytes(seat for seat in range(players) if seat not in seats).ljust(256)
        held = (*(bytes([seat]) * len(rest[0]) for seat in seats), *(c.translate(others) for c in rest))
        for column, part in zip(columns, held, strict=True):
            column += part
    return list(map(bytes, columns))


class Enumerated(Superposition):
    """A superposition that lists its worlds; see `Superposition` for the operations.

    `deals` is the table of its worlds, whose order is that of the columns, read from left to right; filtering
    keeps it. `alive`: the surviving rows, by default all; `facts`: for `dead` and the other facts that
    change, and each player, the rows in which they are true, by default none.

    >>> from kripke_werewolf.logic.formulas import Atom
    >>> start = Enumerated.start(Deck(3, wolves=1))
    >>> start.die(1, Atom("dominant_0"), unless=Atom("wolf_1")).world_strings()
    ['sav', 'sva', 'aSv', 'vsa', 'aVs', 'vas']
    """

    def __init__(
        self, deals: Deals, alive: Rows | None = None, facts: Mapping[str, Dead] | None = None
    ) -> None:
        self.deck, self.deals = deals.deck, deals
        self._alive = deals.every if alive is None else alive
        """The surviving rows; in all other sets of rows only these count."""
        none = (0,) * deals.deck.players
        dealt = {role: deals.holders[role] for role in self.deck.changing}
        self._facts = dict.fromkeys(("dead", *self.deck.facts), none) | dealt if facts is None else facts

    @cached_property
    def _holders(self) -> Mapping[str, Dead]:
        """For each role, `"wolf"` and each side, and each player, the rows in which they have it now."""
        if self.deck.changing:
            return self.deals.held(self._facts)
        return self.deals.holders

    @classmethod
    def fits(cls, deck: Deck) -> bool:
        """Return whether the worlds of a deck are better listed than counted."""
        return deck.players <= _MOST_PLAYERS and deck.worlds <= most_listed(deck)

    @classmethod
    def start(cls, deck: Deck) -> Enumerated:
        """Return all assignments of the deck, nobody dead.

        Raises ModelTooLarge, before allocating anything, if they would take more than `MAX_BYTES`.
        """
        if deck.worlds > most_listed(deck):
            raise ModelTooLarge(
                deck.worlds,
                most_listed(deck),
                f"the superposition of {deck.players} players with {deck.wolves} wolves",
                ("" if Counted.refuses(deck) else "the counting engine needs no worlds, and ")
                + "sample= plays with a random part of them",
            )
        return cls(Deals(deck))

    @classmethod
    def sample(cls, deck: Deck, worlds: int, *, seed: int) -> Enumerated:
        """Return at most `worlds` distinct random assignments of the deck, nobody dead."""
        import numpy as np

        special = deck.players - deck.villagers
        seats = np.tile(np.arange(deck.players, dtype=np.uint8), (worlds, 1))
        orders = np.random.default_rng(seed).permuted(seats, axis=1)[:, :special]
        start = 0
        for _, number in deck.special:
            orders[:, start : start + number].sort(axis=1)
            start += number
        distinct = np.unique(orders, axis=0)
        return cls(Deals(deck, [column.tobytes() for column in distinct.T]))

    @classmethod
    def single(cls, deck: Deck, roles: Sequence[str]) -> Enumerated:
        """Return the one world with these roles, by seat; raise GameError if the deck has others."""
        deck.check_dealt(roles)
        special = deck.roles[1:]
        seats = [player for role in special for player, r in enumerate(roles) if r == role]
        return cls(Deals(deck, [bytes([player]) for player in seats]))

    # the worlds one by one

    @cached_property
    def size(self) -> int:
        """The number of worlds."""
        return self._alive.bit_count()

    def world_strings(self, *, deaths: bool = True) -> list[str]:
        """Return every world as a string: one letter per seat, upper case where the player is dead.

        `deaths=False` writes the cards as they were dealt, without deaths.
        """
        size, seats = self.deals.size, []
        holders = self._holders if deaths else self.deals.holders

        def each(rows: Rows) -> int:
            return int.from_bytes(digits(rows).ljust(size, b"\0"))  # a byte for each row

        for player, dead in enumerate(self._facts["dead"]):
            letters = sum(each(holders[r][player]) * ord(self.deck.letter(r)) for r in self.deck.roles)
            if deaths:
                letters ^= each(dead) << 5  # 32 is between the cases
            seats.append(letters.to_bytes(size).decode())
        return list(map("".join, compress(zip(*seats, strict=True), digits(self._alive))))

    def __repr__(self) -> str:
        return f"<Enumerated superposition: {self.size:,} worlds of {self.deck}>"

    # counts

    def counts(self, fact: str) -> tuple[int, ...]:
        """See `Superposition.counts`."""
        return tuple((self._alive & rows).bit_count() for rows in self._sets(fact))

    def count(self, f: Formula) -> int:
        """See `Superposition.count`."""
        return self._rows(f).bit_count()

    # updates

    def keep(self, f: Formula) -> Enumerated:
        """See `Superposition.keep`."""
        return self._keep(self._rows(f))

    def change(
        self, values: Mapping[str, Formula], where: Formula = TRUE, *, unless: Formula = FALSE
    ) -> Enumerated:
        """See `Superposition.change`."""
        changed, removed = self._rows(where), self._rows(where & unless)
        facts = {stem: list(sets) for stem, sets in self._facts.items()}
        for atom, value in values.items():
            stem, _, seat = atom.rpartition("_")
            kept = _without(self._facts[stem][int(seat)], changed)
            facts[stem][int(seat)] = kept | _without(self._rows(value) & changed, removed)
        found = {stem: tuple(sets) for stem, sets in facts.items()}
        return Enumerated(self.deals, self._alive, found)._keep(_without(self._alive, removed))

    def among(self, dealt: Container[str]) -> Enumerated:
        """Keep the worlds with some deals, written as in `world_strings` without deaths."""
        inside = bytearray(self.deals.size)
        for row, world in zip(members(self._alive), self.world_strings(deaths=False), strict=True):
            inside[row] = world in dealt
        return self._keep(_rows_with(inside, 1))

    # sets of rows

    def _rows(self, f: Formula) -> Rows:
        """Return the surviving rows in which a Boolean formula about players by seat is true."""
        if not f.is_boolean:
            raise NotCovered(f"{f} is not about the cards and deaths of a world")

        def true(atom: str) -> Rows:
            stem, _, seat = atom.rpartition("_")
            return self._sets(stem)[int(seat)]

        return rows_where(f, self._alive, true)

    def _sets(self, fact: str) -> Dead:
        """Return, for each player, rows where a fact is true; of those that count, all."""
        if fact in self._facts:
            return self._facts[fact]
        if fact == "dominant":
            return self._dominant
        return self._holders.get(fact, (0,) * self.deck.players)

    @cached_property
    def _dominant(self) -> Dead:
        """For each player, the surviving rows in which they are the dominant wolf."""
        found, leaderless = [0] * self.deck.players, self._alive
        for role in self.deck.wolf_roles:
            holders = list(zip(self._holders[role], self._facts["dead"], strict=True))
            for player, (held, dead) in enumerate(holders):
                found[player] |= _without(leaderless & held, dead)
            leaderless &= reduce(or_, (held & dead for held, dead in holders))
        return tuple(found)

    def _keep(self, rows: Rows) -> Enumerated:
        """Return the superposition of some surviving rows, in a new table if they are few."""
        if rows == self._alive:
            return self
        kept, size = Enumerated(self.deals, rows, self._facts), self.deals.size
        return kept._listed_anew() if size > _SMALL and 0 < 2 * rows.bit_count() < size else kept

    def _listed_anew(self) -> Enumerated:
        """Return the same worlds in a table of their own."""
        chosen = digits(self._alive)
        deals = Deals(self.deck, [bytes(compress(column, chosen)) for column in self.deals.columns])
        facts = {
            stem: tuple(rows and renumbered(rows, self._alive) for rows in sets)
            for stem, sets in self._facts.items()
        }
        return Enumerated(deals, facts=facts)


def _without(rows: Rows, others: Rows) -> Rows:
    return rows ^ (rows & others)  # quicker than & ~, which goes through a negative number


def _rows_with(column: bytes | bytearray, value: int) -> Rows:
    others = b"0" * 255
    return int(column[::-1].translate(others[:value] + b"1" + others[value:]), 2)


@lru_cache(maxsize=8)
def deals_of(deck: Deck) -> Deals:
    """Return all assignments of a small deck."""
    return Deals(deck)


def rows_where(f: Formula, rows: Rows, true: Callable[[str], Rows]) -> Rows:
    """Return the given rows in which a Boolean formula is true; `true` returns those of an atom."""
    return BitSpace.numbered(rows, {}, {atom: true(atom) for atom in f.atoms}).truth(f)


def died(rows: Rows, dead: Dead, player: int, where: Rows, unless: Rows = 0) -> tuple[Rows, Dead]:
    """Return the rows, and who is dead where, once a player dies in some; those in `unless` are removed."""
    removed = where & unless
    return rows ^ removed, (*dead[:player], dead[player] | (where ^ removed), *dead[player + 1 :])


# --- the worlds of a game -------------------------------------------------------------------------

Engine: TypeAlias = Literal["auto", "enumerated", "counting"]
"""Whether worlds are listed one by one, or only counted; `auto`: listed as long as they fit the memory."""


def make_worlds(setup: Setup, engine: Engine) -> Superposition:
    """Return the superposition at the start: all worlds, a sample, or the one that was dealt.

    Raises GameError for an unknown engine, or one that cannot represent these worlds.
    """
    if engine == "counting" and (setup.roles is not None or setup.sample is not None):
        what = "a sample lists its worlds" if setup.roles is None else "a classical deal is a single world"
        raise GameError(f"engine='counting' is not possible here: {what}; leave out engine=")
    if setup.roles is not None:
        return Enumerated.single(setup.deck, setup.roles)
    if setup.sample is not None:
        worlds, seed = setup.sample
        return Enumerated.sample(setup.deck, worlds, seed=seed)
    check_possible("engine", engine, get_args(Engine))
    listed = Enumerated.fits(setup.deck) or Counted.refuses(setup.deck)
    if engine == "counting" or (engine == "auto" and not listed):
        return Counted.start(setup.deck)
    return Enumerated.start(setup.deck)
