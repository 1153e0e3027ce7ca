"""The superposition as a table of worlds: one small-integer column per special role.

Layout, for N worlds: one uint8 array of length N per seer and per wolf, holding the player who has
that card (villagers are implied), and one array of N bit masks, uint32 up to 32 players and uint64
up to 64, with bit p set where player p is dead. Equal cards (several seers, unranked wolves) stand in
ascending order, so that every assignment occurs once. With k wolves and one seer a world takes
k + 5 or k + 9 bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kripke_werewolf.errors import GameError, ModelTooLarge
from kripke_werewolf.werewolf.roles import SEER, VILLAGER, WOLF, Deck, Role, is_wolf, letter

__all__ = ["MAX_BYTES", "Enumerated", "bytes_per_world"]

Column: TypeAlias = NDArray[np.uint8]
Deaths: TypeAlias = NDArray[np.unsignedinteger[Any]]
Mask: TypeAlias = NDArray[np.bool_]

MAX_BYTES = 2**30
"""The default limit of the memory for one superposition."""
_MOST_PLAYERS = 64
_CHUNK = 1 << 16
_POPCOUNT = np.array([bin(i).count("1") for i in range(256)], dtype=np.uint8)


def bytes_per_world(deck: Deck) -> int:
    """Return the bytes one world of this deck takes in an `Enumerated`."""
    return deck.seers + deck.wolves + _deaths_dtype(deck).itemsize


def _deaths_dtype(deck: Deck) -> np.dtype[np.unsignedinteger[Any]]:
    return np.dtype(np.uint32) if deck.players <= 32 else np.dtype(np.uint64)


class Enumerated:
    """A superposition that lists its worlds; see `Superposition` for the operations.

    `seers` and `wolves` are tuples of columns, `deaths` the array of bit masks; all are read-only.
    An atom such as "player 2 is the seer" is `column == 2`. The order of the worlds is that of
    their columns, read from left to right, and filtering keeps it.

    >>> Enumerated.start(Deck(3, wolves=1)).attack(0, 1).world_strings()
    ['sav', 'sva', 'aSv', 'vsa', 'aVs', 'vas']
    """

    __slots__ = ("_counts", "deaths", "deck", "seers", "wolves")

    def __init__(self, deck: Deck, seers: Sequence[Column], wolves: Sequence[Column], deaths: Deaths) -> None:
        self.deck = deck
        self.seers = tuple(seers)
        self.wolves = tuple(wolves)
        self.deaths = deaths
        self._counts: Mapping[Role, tuple[int, ...]] | None = None
        for array in (*self.seers, *self.wolves, self.deaths):
            array.setflags(write=False)

    @classmethod
    def fits(cls, deck: Deck, *, max_bytes: int = MAX_BYTES) -> bool:
        """Return whether all assignments of the deck can be listed in so much memory."""
        return deck.players <= _MOST_PLAYERS and deck.worlds * bytes_per_world(deck) <= max_bytes

    @classmethod
    def start(cls, deck: Deck, *, max_bytes: int = MAX_BYTES) -> Enumerated:
        """Return all assignments of the deck, nobody dead.

        Raises ModelTooLarge, before anything is allocated, when they would take more than
        `max_bytes`, and GameError for more than 64 players.
        """
        _check_players(deck)
        limit = max_bytes // bytes_per_world(deck)
        if deck.worlds > limit:
            raise ModelTooLarge(
                deck.worlds,
                limit,
                f"the superposition of {deck.players} players with {deck.wolves} wolves",
                f"it would take {deck.worlds * bytes_per_world(deck) / 2**30:,.1f} GiB; "
                + ("the counting engine needs no worlds, and " if deck.seers < 2 else "")
                + "sample= plays with a random part of them",
            )
        columns: list[Column] = []
        for previous, card in zip((None, *_cards(deck)), _cards(deck), strict=False):
            columns = _grow(deck.players, columns, ascending=card == previous)
        worlds = len(columns[0])
        return cls(deck, columns[: deck.seers], columns[deck.seers :], np.zeros(worlds, _deaths_dtype(deck)))

    @classmethod
    def sample(cls, deck: Deck, worlds: int, *, rng: np.random.Generator) -> Enumerated:
        """Return at most `worlds` distinct random assignments of the deck, nobody dead."""
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
        columns = [np.ascontiguousarray(distinct[:, i]) for i in range(special)]
        return cls(
            deck, columns[: deck.seers], columns[deck.seers :], np.zeros(len(distinct), _deaths_dtype(deck))
        )

    @classmethod
    def single(cls, deck: Deck, roles: Sequence[Role]) -> Enumerated:
        """Return the one world with these roles (by seat), nobody dead.

        Raises GameError when they are not the cards of the deck.
        """
        _check_players(deck)
        if Counter(roles) != Counter({r: deck.cards(r) for r in deck.roles if deck.cards(r)}):
            wanted = ", ".join(f"{deck.cards(r)} {r}" for r in deck.roles if deck.cards(r))
            raise GameError(f"the roles {', '.join(roles)} are not the cards of the deck ({wanted})")

        def columns(wanted: tuple[Role, ...]) -> list[Column]:
            return [np.array([p], np.uint8) for role in wanted for p, r in enumerate(roles) if r == role]

        return cls(deck, columns((SEER,)), columns(deck.wolf_roles), np.zeros(1, _deaths_dtype(deck)))

    @property
    def size(self) -> int:
        """The number of worlds."""
        return len(self.deaths)

    @property
    def nbytes(self) -> int:
        """The bytes all arrays take together."""
        return sum(a.nbytes for a in (*self.seers, *self.wolves, self.deaths))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Enumerated):
            return NotImplemented
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

    def has_role(self, player: int, role: Role) -> Mask:
        """Return in which worlds the player has this role; shape (size,).

        `"wolf"` means a wolf of any rank.
        """
        if role == VILLAGER:
            return ~(self._is_in(self.seers, player) | self._is_in(self.wolves, player))
        return self._is_in(self._columns(role), player)

    def is_dead(self, player: int) -> Mask:
        """Return in which worlds the player is dead; shape (size,)."""
        return _bits(self.deaths, player)

    def world_strings(self, *, deaths: bool = True) -> list[str]:
        """Return every world as a string: one letter per seat, upper case where the player is dead.

        `deaths=False` leaves out who is dead.
        """
        letters = np.full((self.size, self.deck.players), ord(letter(VILLAGER)), np.uint8)
        rows = np.arange(self.size)
        for role in self.deck.roles[1:]:
            for column in self._columns(role):
                letters[rows, column] = ord(letter(role))
        if deaths:
            for player in range(self.deck.players):
                # 32 is the distance between the cases in ASCII
                letters[self.is_dead(player), player] -= 32
        width = self.deck.players
        return [
            text.decode("ascii") for text in np.ascontiguousarray(letters).view(f"S{width}").ravel().tolist()
        ]

    # counts

    def role_counts(self) -> Mapping[Role, tuple[int, ...]]:
        """See `Superposition.role_counts`."""
        if self._counts is None:
            self._counts = self._count_roles(self.deck.players * [self.size], self.seers, self.wolves)
        return self._counts

    def joint_counts(self) -> Mapping[Role, tuple[int, ...]]:
        """See `Superposition.joint_counts`."""
        return self._count_roles(
            list(self.death_counts()),
            [c[_bits(self.deaths, c)] for c in self.seers],
            [c[_bits(self.deaths, c)] for c in self.wolves],
        )

    def _count_roles(
        self, total: list[int], seers: Sequence[Column], wolves: Sequence[Column]
    ) -> Mapping[Role, tuple[int, ...]]:
        seer = sum((self._histogram(c) for c in seers), np.zeros(self.deck.players, np.int64))
        wolf = [self._histogram(c) for c in wolves]
        if not self.deck.ranked:
            wolf = [sum(wolf[1:], wolf[0])]
        villager = np.asarray(total, np.int64) - seer - sum(wolf[1:], wolf[0])
        return {
            role: tuple(counts.tolist())
            for role, counts in zip(self.deck.roles, (villager, seer, *wolf), strict=True)
        }

    def _histogram(self, column: Column) -> NDArray[np.int64]:
        counts = np.zeros(self.deck.players, np.int64)
        for part in _chunks(len(column)):  # bincount widens its input to eight bytes
            counts += np.bincount(column[part], minlength=self.deck.players)
        return counts

    def death_counts(self) -> tuple[int, ...]:
        """See `Superposition.death_counts`."""
        counts = [0] * self.deck.players
        for part in _chunks(self.size):
            deaths = self.deaths[part]
            anybody = int(np.bitwise_or.reduce(deaths))
            for player in range(self.deck.players):
                if anybody >> player & 1:
                    counts[player] += int(np.count_nonzero(_bits(deaths, player)))
        return tuple(counts)

    def dominant_counts(self) -> tuple[int, ...]:
        """See `Superposition.dominant_counts`."""
        counts = np.zeros(self.deck.players, np.int64)
        rest = np.arange(self.size)
        for column in self.wolves:  # the alpha where he lives, else the beta where he lives, …
            holder = column[rest]
            dead = _bits(self.deaths[rest], holder)
            counts += self._histogram(holder[~dead])
            rest = rest[dead]
        return tuple(counts.tolist())

    def prey_counts(self, attacker: int) -> tuple[int, ...]:
        """See `Superposition.prey_counts`."""
        where = self._dominated(attacker)
        wolves = sum(self._histogram(column[where]) for column in self.wolves)
        return tuple((len(where) - np.asarray(wolves)).tolist())

    def bite_count(self, attacker: int, target: int) -> int:
        """See `Superposition.bite_count`."""
        biting = self._is_in(self.wolves, attacker)
        return int(np.count_nonzero(biting & ~self._is_in(self.wolves, target)))

    def pool(self, seer: int, target: int, *, alive: bool) -> dict[Role, int]:
        """See `Superposition.pool`."""
        where = np.flatnonzero(self._is_in(self.seers, seer))
        if alive:
            where = where[~_bits(self.deaths[where], seer)]
        counts = {
            role: sum(int(np.count_nonzero(c[where] == target)) for c in self._columns(role))
            for role in self.deck.roles[1:]
        }
        return {r: c for r, c in {VILLAGER: len(where) - sum(counts.values()), **counts}.items() if c}

    def living(self) -> dict[tuple[int, int], int]:
        """See `Superposition.living`."""
        found: Counter[tuple[int, int]] = Counter()
        side = self.deck.players + 1
        for part in _chunks(self.size):
            deaths = self.deaths[part]
            dead = _POPCOUNT[deaths.view(np.uint8).reshape(len(deaths), deaths.itemsize)].sum(
                axis=1, dtype=np.intp
            )
            wolves = sum((~_bits(deaths, c[part])).astype(np.intp) for c in self.wolves)
            others = self.deck.players - dead - wolves
            codes, counts = np.unique(wolves * side + others, return_counts=True)
            for code, count in zip(codes.tolist(), counts.tolist(), strict=True):
                found[divmod(code, side)] += count
        return dict(found)

    # updates

    def see(self, seer: int, target: int, roles: frozenset[Role]) -> Enumerated:
        """See `Superposition.see`."""
        where = np.flatnonzero(self._is_in(self.seers, seer))
        match = np.zeros(len(where), np.bool_)
        special = np.zeros(len(where), np.bool_)
        for role in self.deck.roles[1:]:
            for column in self._columns(role):
                holds = column[where] == target
                special |= holds
                if role in roles:
                    match |= holds
        if VILLAGER in roles:
            match |= ~special
        return self._without(where[~match])

    def attack(self, attacker: int, target: int) -> Enumerated:
        """See `Superposition.attack`."""
        where = self._dominated(attacker)
        among_wolves = np.zeros(len(where), np.bool_)
        for column in self.wolves:
            among_wolves |= column[where] == target
        deaths = self.deaths.copy()
        deaths[where] |= _bit(self.deck, target)
        return Enumerated(self.deck, self.seers, self.wolves, deaths)._without(where[among_wolves])

    def spare(self, player: int) -> Enumerated:
        """See `Superposition.spare`."""
        return self._keep(~self.is_dead(player))

    def fix(self, player: int, role: Role) -> Enumerated:
        """See `Superposition.fix`."""
        return self._keep(self.has_role(player, role))

    def kill(self, player: int) -> Enumerated:
        """See `Superposition.kill`."""
        return Enumerated(self.deck, self.seers, self.wolves, self.deaths | _bit(self.deck, player))

    def keep(self, mask: Mask) -> Enumerated:
        """Keep the worlds inside a mask of shape (size,)."""
        return self._keep(mask)

    def _dominated(self, attacker: int) -> NDArray[np.intp]:
        """The worlds in which the attacker is the dominant wolf."""
        found: list[NDArray[np.intp]] = []
        for rank, column in enumerate(self.wolves):
            where = np.flatnonzero(column == attacker)
            where = where[~_bits(self.deaths[where], attacker)]
            for higher in self.wolves[:rank]:
                where = where[_bits(self.deaths[where], higher[where])]
            found.append(where)
        return np.concatenate(found)

    def _columns(self, role: Role) -> tuple[Column, ...]:
        if role == SEER:
            return self.seers
        if role == WOLF or not self.deck.ranked:
            return self.wolves if is_wolf(role) else ()
        return (self.wolves[self.deck.wolf_roles.index(role)],)

    def _is_in(self, columns: Sequence[Column], player: int) -> Mask:
        mask = np.zeros(self.size, np.bool_)
        for column in columns:
            mask |= column == player
        return mask

    def _without(self, worlds: NDArray[np.intp]) -> Enumerated:
        if not len(worlds):
            return self
        keep = np.ones(self.size, np.bool_)
        keep[worlds] = False
        return self._keep(keep)

    def _keep(self, mask: Mask) -> Enumerated:
        return Enumerated(
            self.deck, [c[mask] for c in self.seers], [c[mask] for c in self.wolves], self.deaths[mask]
        )


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

    `ascending`: only to players behind the holder of the previous card, which is its equal.
    """
    seats = np.arange(players, dtype=np.uint8)
    if not columns:
        return [seats]
    rows = len(columns[0])
    parts: list[list[Column]] = []
    for start in range(0, rows, _CHUNK):
        chunk = [c[start : start + _CHUNK] for c in columns]
        free = np.ones((len(chunk[0]), players), np.bool_)
        for column in chunk:
            free[np.arange(len(column)), column] = False
        if ascending:
            free &= seats > chunk[-1][:, None]
        row, seat = np.nonzero(free)
        parts.append([*(c[row] for c in chunk), seat.astype(np.uint8)])
    return [np.concatenate(column) for column in zip(*parts, strict=True)]


def _chunks(worlds: int) -> Iterator[slice]:
    """Slices of a length that keeps temporaries in the cache."""
    return (slice(start, start + _CHUNK) for start in range(0, worlds, _CHUNK))


def _bit(deck: Deck, player: int) -> np.unsignedinteger[Any]:
    return _deaths_dtype(deck).type(1 << player)


def _bits(deaths: Deaths, player: int | Column) -> Mask:
    """Whether the bit of a player, or of one player per world, is set."""
    shift = deaths.dtype.type(player) if isinstance(player, int) else player.astype(deaths.dtype)
    one = deaths.dtype.type(1)
    result: Mask = ((deaths >> shift) & one) != 0
    return result
