"""Superpositions as a table of worlds that is never copied: only the surviving rows and the deaths change.

The table (`_Deals`) has one row per assignment and one small-integer column per seer and per wolf, holding
the player who has that card; villagers are implied. The holders of equal cards (several seers, unranked
wolves) are in ascending order, so that every assignment occurs once. A set of rows is a Python integer whose
bit i stands for row i. A superposition is the set of surviving rows and, for each player, the set of rows in
which they are dead.

Without numpy the columns are bytes: games can be played, but worlds have no arrays.

So all superpositions of a game share their tables, and a game can keep all of them: a vision makes one new
set of rows, an attack two, with one bit per row. A new table is made when less than half of the rows survive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING, Any, TypeAlias

from kripke_werewolf.errors import GameError, ModelTooLarge, counted_roughly
from kripke_werewolf.language import FALSE, TRUE, Atom, Formula, Not
from kripke_werewolf.semantics.bits import BitSpace, arrays_are_there, members
from kripke_werewolf.werewolf.roles import SEER, VILLAGER, WOLF, Deck, Role, letter
from kripke_werewolf.werewolf.superposition import NotCovered, Superposition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Column: TypeAlias = "NDArray[np.uint8]"
Deaths: TypeAlias = "NDArray[np.unsignedinteger[Any]]"
Mask: TypeAlias = "NDArray[np.bool_]"
Rows: TypeAlias = int
"""A set of rows: bit i is set if row i belongs to it."""

MAX_BYTES = 2**30
"""The default memory limit for the columns and deaths of one superposition."""
_MOST_PLAYERS = 64
_CHUNK = 1 << 16
_SMALL = 1 << 10
"""Tables with at most this many rows are kept, however few rows survive."""


def bytes_per_world(deck: Deck) -> int:
    """Return the bytes for the columns and deaths of one world of this deck."""
    return deck.seers + deck.wolves + (4 if deck.players <= 32 else 8)


class _Deals:
    """A table of assignments, and the sets of rows in which a player has a card, computed on demand."""

    def __init__(self, deck: Deck, columns: Sequence[Any]) -> None:
        self.deck, self.columns = deck, tuple(columns)  # arrays, or bytes
        self.size = len(columns[0])
        self.every: Rows = (1 << self.size) - 1
        self._holders: dict[Role, tuple[Rows, ...]] = {}
        for column in self.columns:
            if not isinstance(column, bytes):
                column.setflags(write=False)

    def holders(self, role: Role) -> tuple[Rows, ...]:
        """Return for each player the rows in which they have a role; `"wolf"` and `"good"` are all."""
        if role not in self._holders:
            self._holders[role] = self._found(role)
        return self._holders[role]

    def _found(self, role: Role) -> tuple[Rows, ...]:
        if role == VILLAGER:
            special = zip(self.holders(SEER), self.holders(WOLF), strict=True)
            return tuple(self.every ^ (seer | wolf) for seer, wolf in special)
        if role == "good":
            return tuple(self.every ^ wolf for wolf in self.holders(WOLF))
        if role == WOLF:
            return _united(self.ranks, self.deck.players)
        if role == SEER:
            cards = [_places(column, self.deck.players) for column in self.columns[: self.deck.seers]]
            return _united(cards, self.deck.players)
        ranks = self.deck.wolf_roles
        return self.ranks[ranks.index(role)] if role in ranks else (0,) * self.deck.players

    @cached_property
    def ranks(self) -> tuple[tuple[Rows, ...], ...]:
        """For each wolf card and each player, the rows in which they have it."""
        return tuple(_places(column, self.deck.players) for column in self.columns[self.deck.seers :])


def _places(column: Any, players: int) -> tuple[Rows, ...]:
    """Return for each player the rows of a column in which they stand."""
    if isinstance(column, bytes):
        last_first = column[::-1]
        others = b"0" * 256
        digits = (others[:player] + b"1" + others[player + 1 :] for player in range(players))
        return tuple(int(last_first.translate(table), 2) for table in digits)
    return tuple(_packed(column == player) for player in range(players))


def _united(cards: Sequence[tuple[Rows, ...]], players: int) -> tuple[Rows, ...]:
    """Return for each player the rows in which they have one of several cards."""
    return tuple(reduce(or_, (places[player] for places in cards), 0) for player in range(players))


class Enumerated(Superposition):
    """A superposition that lists its worlds; see `Superposition` for the operations.

    `seers` and `wolves` are tuples of columns, `deaths` an array of bit masks with bit p set where player
    p is dead; all are read-only. The order of the worlds is that of their columns, read from left to
    right, and filtering keeps it.

    >>> start = Enumerated.start(Deck(3, wolves=1))
    >>> start.die(1, Atom("dominant_0"), unless=Atom("wolf_1")).world_strings()
    ['sav', 'sva', 'aSv', 'vsa', 'aVs', 'vas']
    """

    deck: Deck
    _deals: _Deals
    _alive: Rows
    """The surviving rows; in all other sets of rows only these count."""
    _dead: tuple[Rows, ...]
    """For each player the rows in which they are dead."""

    def __init__(self, deck: Deck, seers: Sequence[Column], wolves: Sequence[Column], deaths: Deaths) -> None:
        deals = _Deals(deck, (*seers, *wolves))
        self.deck, self._deals, self._alive = deck, deals, deals.every
        self._dead = tuple(_packed((deaths >> player & 1) != 0) for player in range(deck.players))

    @classmethod
    def _of(cls, deals: _Deals, alive: Rows, dead: tuple[Rows, ...]) -> Enumerated:
        made = cls.__new__(cls)
        made.deck, made._deals, made._alive, made._dead = deals.deck, deals, alive, dead
        return made

    @classmethod
    def _nobody_dead(cls, deck: Deck, columns: Sequence[Any]) -> Enumerated:
        deals = _Deals(deck, columns)
        return cls._of(deals, deals.every, (0,) * deck.players)

    @classmethod
    def fits(cls, deck: Deck, *, max_bytes: int = MAX_BYTES) -> bool:
        """Return whether all assignments of the deck can be listed within this memory."""
        return deck.players <= _MOST_PLAYERS and deck.worlds * bytes_per_world(deck) <= max_bytes

    @classmethod
    def start(cls, deck: Deck, *, max_bytes: int = MAX_BYTES) -> Enumerated:
        """Return all assignments of the deck, nobody dead.

        Raises ModelTooLarge, before allocating anything, if they would take more than `max_bytes`, and
        GameError for more than 64 players.
        """
        _check_players(deck)
        limit = max_bytes // bytes_per_world(deck)
        if deck.worlds > limit:
            raise ModelTooLarge(
                deck.worlds,
                limit,
                f"the superposition of {deck.players} players with {deck.wolves} wolves",
                f"it would take {counted_roughly(deck.worlds * bytes_per_world(deck) // 2**20)} MiB; "
                + ("the counting engine needs no worlds, and " if deck.seers < 2 else "")
                + "sample= plays with a random part of them",
            )
        columns: list[Any] = []
        grow: Callable[..., list[Any]] = _grow if arrays_are_there() else _grow_bytes
        for previous, card in zip((None, *_cards(deck)), _cards(deck), strict=False):
            columns = grow(deck.players, columns, ascending=card == previous)
        return cls._nobody_dead(deck, columns)

    @classmethod
    def sample(cls, deck: Deck, worlds: int, *, rng: np.random.Generator) -> Enumerated:
        """Return at most `worlds` distinct random assignments of the deck, nobody dead."""
        import numpy as np

        _check_players(deck)
        if worlds < 1:
            raise GameError(f"sample={worlds!r} is not a number of worlds; give at least 1")
        if deck.worlds <= worlds:
            return cls.start(deck)
        special = deck.seers + deck.wolves
        orders = rng.permuted(np.tile(np.arange(deck.players, dtype=np.uint8), (worlds, 1)), axis=1)[
            :, :special
        ]
        orders[:, : deck.seers].sort(axis=1)
        if not deck.ranked:
            orders[:, deck.seers :].sort(axis=1)
        distinct = np.unique(orders, axis=0)
        return cls._nobody_dead(deck, [np.ascontiguousarray(distinct[:, i]) for i in range(special)])

    @classmethod
    def single(cls, deck: Deck, roles: Sequence[Role]) -> Enumerated:
        """Return the one world with these roles (by seat), nobody dead.

        Raises GameError if they are not the cards of the deck.
        """
        _check_players(deck)
        if Counter(roles) != Counter({r: deck.cards(r) for r in deck.roles if deck.cards(r)}):
            wanted = ", ".join(f"{deck.cards(r)} {r}" for r in deck.roles if deck.cards(r))
            raise GameError(f"the roles {', '.join(roles)} are not the cards of the deck ({wanted})")
        special = deck.roles[1:]
        seats = [player for role in special for player, r in enumerate(roles) if r == role]
        cards = [bytes([player]) for player in seats]
        if not arrays_are_there():
            return cls._nobody_dead(deck, cards)
        import numpy as np

        return cls._nobody_dead(deck, [np.frombuffer(card, np.uint8) for card in cards])

    # the worlds one by one

    @cached_property
    def size(self) -> int:
        """The number of worlds."""
        return self._alive.bit_count()

    @property
    def seers(self) -> tuple[Column, ...]:
        """For each seer's card the player who has it, world by world."""
        return tuple(map(self._surviving, self._deals.columns[: self.deck.seers]))

    @property
    def wolves(self) -> tuple[Column, ...]:
        """For each wolf's card the player who has it, world by world; the highest rank first."""
        return tuple(map(self._surviving, self._deals.columns[self.deck.seers :]))

    @property
    def deaths(self) -> Deaths:
        """The dead, world by world: bit p is set if player p is dead."""
        import numpy as np

        dtype: np.dtype[np.unsignedinteger[Any]]
        dtype = np.dtype(np.uint32) if self.deck.players <= 32 else np.dtype(np.uint64)
        found = np.zeros(self.size, dtype)
        for player, dead in enumerate(self._dead):
            if dead:
                found |= self.is_dead(player).astype(dtype) << dtype.type(player)
        found.setflags(write=False)
        return found

    @property
    def nbytes(self) -> int:
        """The bytes of the columns of the worlds and the sets of rows."""
        sets = {id(rows): rows for rows in (self._alive, *self._dead)}
        columns: int = sum(column.nbytes for column in self._deals.columns)
        return columns + sum(rows.bit_length() // 8 for rows in sets.values())

    def has_role(self, player: int, role: Role) -> Mask:
        """Return the mask of the worlds where the player has this role; shape (size,).

        `"wolf"` means a wolf of any rank.
        """
        return self._mask(self._deals.holders(role)[player])

    def is_dead(self, player: int) -> Mask:
        """Return the mask of the worlds where the player is dead; shape (size,)."""
        return self._mask(self._dead[player])

    def world_strings(self, *, deaths: bool = True) -> list[str]:
        """Return every world as a string: one letter per seat, upper case where the player is dead.

        `deaths=False` omits deaths.
        """
        if not arrays_are_there():
            return self._spelled(deaths=deaths)
        import numpy as np

        letters = np.full((self.size, self.deck.players), ord(letter(VILLAGER)), np.uint8)
        rows = np.arange(self.size)
        for role, column in zip(_cards(self.deck), self._deals.columns, strict=True):
            letters[rows, self._surviving(column)] = ord(letter(role))
        if deaths:
            for player in range(self.deck.players):
                # 32 is the distance between the cases in ASCII
                letters[self.is_dead(player), player] -= 32
        width = self.deck.players
        return [
            text.decode("ascii") for text in np.ascontiguousarray(letters).view(f"S{width}").ravel().tolist()
        ]

    def _spelled(self, *, deaths: bool) -> list[str]:
        """Return the worlds as strings, without arrays."""
        dead = self._dead if deaths else ()
        villagers = [letter(VILLAGER)] * self.deck.players
        cards = [letter(role) for role in _cards(self.deck)]
        found = []
        for row in members(self._alive):
            letters = list(villagers)
            for sign, column in zip(cards, self._deals.columns, strict=True):
                letters[column[row]] = sign
            for player, rows in enumerate(dead):
                if rows >> row & 1:
                    letters[player] = letters[player].upper()
            found.append("".join(letters))
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Enumerated):
            return NotImplemented
        import numpy as np

        return self.deck == other.deck and all(
            np.array_equal(a, b)
            for a, b in zip(
                (*self.seers, *self.wolves, self.deaths),
                (*other.seers, *other.wolves, other.deaths),
                strict=True,
            )
        )

    def __hash__(self) -> int:
        return hash((self.deck, self.size))

    def __repr__(self) -> str:
        return f"<Enumerated superposition: {self.size:,} worlds of {self.deck}>"

    # counts

    def counts(self, fact: str) -> tuple[int, ...]:
        """See `Superposition.counts`."""
        return self._counts[fact]

    def count(self, f: Formula) -> int:
        """See `Superposition.count`."""
        if isinstance(f, Not):
            return self.size - self.count(f.body)
        if isinstance(f, Atom):
            stem, _, seat = f.name.rpartition("_")
            if stem in self._counts:
                return self._counts[stem][int(seat)]
        return self._rows(f).bit_count()

    @cached_property
    def _counts(self) -> Mapping[str, tuple[int, ...]]:
        """For facts about cards and deaths, and each player, the number of worlds."""
        sets = {"dead": self._dead, **{role: self._deals.holders(role) for role in self.deck.roles[1:]}}
        found = {fact: tuple((self._alive & r).bit_count() for r in rows) for fact, rows in sets.items()}
        wolves = tuple(map(sum, zip(*(found[role] for role in self.deck.wolf_roles), strict=True)))
        good = tuple(self.size - number for number in wolves)
        villagers = tuple(number - seers for number, seers in zip(good, found[SEER], strict=True))
        return {**found, WOLF: wolves, "good": good, VILLAGER: villagers}

    def living(self) -> Mapping[tuple[int, int], int]:
        """See `Superposition.living`."""
        return self._living

    @cached_property
    def _living(self) -> Mapping[tuple[int, int], int]:
        wolves, others = self.deck.wolves, self.deck.players - self.deck.wolves
        return {
            (wolves - fallen, others - (dead - fallen)): some.bit_count()
            for dead, rows in by_membership(self._alive, self._dead).items()
            for fallen, some in by_membership(rows, self._fallen).items()
        }

    # updates

    def keep(self, f: Formula) -> Enumerated:
        """See `Superposition.keep`."""
        return self._keep(self._rows(f))

    def die(self, player: int, where: Formula = TRUE, *, unless: Formula = FALSE) -> Enumerated:
        """See `Superposition.die`."""
        rows = self._rows(where)
        removed = rows & self._rows(unless)
        dead = (*self._dead[:player], self._dead[player] | (rows ^ removed), *self._dead[player + 1 :])
        return self._of(self._deals, self._alive, dead)._keep(self._alive ^ removed)

    def among(self, mask: Mask) -> Enumerated:
        """Keep the worlds inside a mask of shape (size,)."""
        inside = _unpacked(self._alive, self._deals.size)
        inside[inside] = mask
        return self._keep(_packed(inside))

    # sets of rows

    def _rows(self, f: Formula) -> Rows:
        """Return the surviving rows in which a Boolean formula about players by seat is true."""
        if not f.is_boolean:
            raise NotCovered(f"{f} is not about the cards and deaths of a world")
        true = {atom: self._true(atom) for atom in f.atoms}
        return BitSpace.numbered(self._alive, {}, true).truth(f)

    def _true(self, atom: str) -> Rows:
        """Return the rows in which an atom is true."""
        stem, _, seat = atom.rpartition("_")
        if stem == "dominant":
            return self._dominated(int(seat))
        return (self._dead if stem == "dead" else self._deals.holders(stem))[int(seat)]

    def _dominated(self, player: int) -> Rows:
        """Return the surviving rows in which a player is the dominant wolf."""
        found = self._leading.get(player)
        if found is None:
            found, superiors_dead = 0, _without(self._alive, self._dead[player])
            for places, fallen in zip(self._deals.ranks, self._fallen, strict=True):
                found |= superiors_dead & places[player]
                superiors_dead &= fallen
                if not superiors_dead:
                    break
            self._leading[player] = found
        return found

    @cached_property
    def _fallen(self) -> tuple[Rows, ...]:
        """For each wolf card the rows in which its holder is dead."""
        return tuple(
            reduce(or_, (dead & rows for dead, rows in zip(self._dead, places, strict=True) if dead), 0)
            for places in self._deals.ranks
        )

    @cached_property
    def _leading(self) -> dict[int, Rows]:
        """The rows in which players are dominant, as far as they were asked for."""
        return {}

    def _keep(self, rows: Rows) -> Enumerated:
        """Return the superposition of some surviving rows, in a new table if they are few."""
        deals = self._deals
        if rows == self._alive:
            return self
        if deals.size <= _SMALL or 2 * rows.bit_count() >= deals.size or not arrays_are_there():
            return self._of(deals, rows, self._dead)
        numbers = _numbers(rows, deals.size)
        kept = _Deals(self.deck, [column[numbers] for column in deals.columns])
        dead = (old and _packed(_unpacked(old, deals.size)[numbers]) for old in self._dead)
        return self._of(kept, kept.every, tuple(dead))

    def _surviving(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return the entries of an array that belong to surviving worlds; read-only."""
        if self._alive == self._deals.every:
            return array
        part = array[_numbers(self._alive, self._deals.size)]
        part.setflags(write=False)
        return part

    def _mask(self, rows: Rows) -> Mask:
        return self._surviving(_unpacked(rows, self._deals.size))


def _packed(mask: Mask) -> Rows:
    import numpy as np

    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


def _unpacked(rows: Rows, size: int) -> Mask:
    import numpy as np

    content = np.frombuffer(rows.to_bytes((size + 7) // 8, "little"), np.uint8)
    return np.unpackbits(content, count=size, bitorder="little").view(np.bool_)


def _numbers(rows: Rows, size: int) -> NDArray[np.intp]:
    import numpy as np

    return np.flatnonzero(_unpacked(rows, size))


def _without(rows: Rows, others: Rows) -> Rows:
    return rows ^ (rows & others)  # quicker than & ~, which goes through a negative number


def by_membership(rows: Rows, sets: Iterable[Rows]) -> dict[int, Rows]:
    """Return rows by the number of some sets to which they belong."""
    counted = {0: rows}
    for each in sets:
        split: dict[int, Rows] = {}
        for number, some in counted.items():
            inside = some & each
            for key, part in ((number + 1, inside), (number, some ^ inside)):
                if part:
                    split[key] = split.get(key, 0) | part
        counted = split
    return counted


def _check_players(deck: Deck) -> None:
    if deck.players > _MOST_PLAYERS:
        raise GameError(
            f"{deck.players} players are more than the {_MOST_PLAYERS} whose deaths fit a bit mask; "
            "the counting engine has no such limit"
        )


def _cards(deck: Deck) -> list[Role]:
    wolves = list(deck.wolf_roles) if deck.ranked else [WOLF] * deck.wolves
    return [SEER] * deck.seers + wolves


def _grow(players: int, columns: list[Column], *, ascending: bool) -> list[Column]:
    """Extend every partial assignment by one card in all possible ways.

    `ascending`: only to players after the holder of the previous card, which is equal.
    """
    import numpy as np

    seats = np.arange(players, dtype=np.uint8)
    if not columns:
        return [seats]
    parts: list[list[Column]] = []
    for start in range(0, len(columns[0]), _CHUNK):  # temporaries stay in the cache
        chunk = [c[start : start + _CHUNK] for c in columns]
        free = np.ones((len(chunk[0]), players), np.bool_)
        for column in chunk:
            free[np.arange(len(column)), column] = False
        if ascending:
            free &= seats > chunk[-1][:, None]
        row, seat = np.nonzero(free)
        parts.append([*(c[row] for c in chunk), seat.astype(np.uint8)])
    return [np.concatenate(column) for column in zip(*parts, strict=True)]


def _grow_bytes(players: int, columns: list[bytes], *, ascending: bool) -> list[bytes]:
    """Return the same as `_grow`, with columns of bytes."""
    rows = zip(*columns, strict=True) if columns else [()]
    longer = [
        (*row, seat)
        for row in rows
        for seat in range(row[-1] + 1 if ascending else 0, players)
        if seat not in row
    ]
    return list(map(bytes, zip(*longer, strict=True)))
