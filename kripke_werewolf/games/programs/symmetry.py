"""Symmetries of a game: renamings of its players after which it is the same game.

A state and its image under a symmetry have the same future, so one state of each orbit is enough to solve a
game (a lumpable Markov chain; Kemeny and Snell 1960, section 6.3). Symmetries are declared and checked: see
`Match.symmetries` and `Game.symmetries`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, groupby, islice, permutations, product
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.programs.chance import add
from kripke_werewolf.games.programs.knowledge import Knowledge, written

if TYPE_CHECKING:
    from kripke_werewolf.games.programs.match import Match, State

T = TypeVar("T")
Names: TypeAlias = Mapping[Any, Any]
"""The new name of every player."""
Line: TypeAlias = tuple[Any, ...]
"""A renaming as the new names of the players, in the order of the players."""
Way: TypeAlias = tuple[Line, Knowledge, Names]
"""A renaming, with the images of some knowledge and of its worlds."""
_LARGEST = 1000  # as many symmetries are listed or tried


def rotation(players: Sequence[Hashable]) -> Names:
    """Return the renaming in which every player becomes the next one, and the last the first.

    >>> rotation("abc")
    {'a': 'b', 'b': 'c', 'c': 'a'}
    """
    return dict(zip(players, [*players[1:], players[0]], strict=True))


def exchange(first: Hashable, second: Hashable, players: Iterable[Hashable]) -> Names:
    """Return the renaming that exchanges two players.

    >>> exchange("a", "c", "abc")
    {'a': 'c', 'b': 'b', 'c': 'a'}
    """
    new = {first: second, second: first}
    return {p: new.get(p, p) for p in players}


def renamed_value(value: T, names: Names) -> T:
    """Return a value with its players renamed: in tuples, frozen sets, and atoms such as `has_a_ace`.

    >>> renamed_value(("a", frozenset({"b"}), "has_a_ace"), {"a": "b", "b": "a"})
    ('b', frozenset({'a'}), 'has_b_ace')
    """
    found: Any = value
    if isinstance(value, Hashable) and value in names:
        found = names[value]
    elif isinstance(value, str):
        short = {str(old): str(new) for old, new in names.items()}
        found = "_".join(short.get(part, part) for part in value.split("_"))
    elif isinstance(value, tuple):
        parts = [renamed_value(part, names) for part in value]
        found = type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    elif isinstance(value, frozenset):
        found = frozenset(renamed_value(part, names) for part in value)
    return found  # type: ignore[no-any-return]


def group(players: Sequence[Hashable], generators: Iterable[Names]) -> list[Names]:
    """Return all renamings made of some, the identity first.

    >>> len(group("abcd", [rotation("abcd")]))
    4
    >>> len(group("abc", [rotation("abc"), exchange("a", "b", "abc")]))
    6

    Raises GameError for renamings that are not permutations, or too many.
    """
    listed = list(generators)
    for names in listed:
        if names.keys() != set(players) or set(names.values()) != set(players):
            raise GameError(f"{dict(names)!r} is not a symmetry: it must rename all players, to players")
    found = {tuple(players): dict(zip(players, players, strict=True))}
    todo = list(found.values())
    for names in todo:  # grows during the loop
        for further in listed:
            both = {player: further[new] for player, new in names.items()}
            if found.setdefault(tuple(both.values()), both) is both:
                todo.append(both)
        if len(found) > _LARGEST:
            raise GameError(f"the game has more than {_LARGEST:,} symmetries: declare fewer")
    return list(found.values())


class Orbits:
    """The states of a match up to its symmetries; see `Match.symmetries`.

    The image of a state under a renaming is found in the order knowledge, public situation, world. The
    representative of an orbit has the least of each, among the renamings that are tried.
    """

    def __init__(self, match: Match[Any, Any], generators: Sequence[Names]) -> None:
        self.match = match
        self.generators = [tuple(names.values()) for names in generators]
        self.players = list(generators[0])
        """The players; a renaming is the tuple of their new names in the same order."""
        around = rotation(self.players)
        neighbours = (exchange(p, around[p], self.players) in generators for p in self.players)
        self._everybody = around in generators and any(neighbours)
        """Whether all permutations are symmetries: a rotation and an exchange of neighbours generate them."""
        self._group = [] if self._everybody else group(self.players, generators)
        self._now = cache(lambda now, line: match.renamed(now, self.named(line)))
        self._image = cache(lambda knowledge, line: match.image(knowledge, self.named(line)))
        self._best, self._ways = cache(self._make_best), cache(self._make_ways)

    def __reduce__(self) -> tuple[Any, ...]:
        return Orbits, (self.match, list(map(self.named, self.generators)))

    def named(self, line: Line) -> Names:
        """Return a renaming as a mapping."""
        return dict(zip(self.players, line, strict=True))

    def image(self, place: Any, line: Line) -> Any:
        """Return the image of a state under a renaming; an outcome is its own image."""
        if not self.match.is_state(place):
            return place
        knowledge, worlds = self._image(place.knowledge, line)
        return type(place)(knowledge, worlds[place.world], self._now(place.now, line))

    def canonical(self, place: Any) -> Any:
        """Return the representative of the orbit of a state; an outcome represents itself."""
        if not self.match.is_state(place):
            return place
        knowledge, world, now = self.match.pruned(place)
        ways = self._ways(knowledge, self.match.frame(now))
        if len(ways) > 1:
            ways = _least(ways, lambda way: (written(self._now(now, way[0])), written(way[2][world])))
        line, image, worlds = ways[0]
        return type(place)(image, worlds[world], self._now(now, line))

    def _make_ways(self, knowledge: Knowledge, frame: Sequence[Hashable]) -> list[Way]:
        """Return the ways to the representative of some knowledge and the players in a situation."""
        place = {player: n for n, player in enumerate(self.players)}
        inside = [self.players.index(player) for player in frame]
        lines = _least(self._best(knowledge), lambda line: [place[line[n]] for n in inside])
        return [(line, *self._image(knowledge, line)) for line in lines]

    def _make_best(self, knowledge: Knowledge) -> list[Line]:
        """Return renamings that lead to the representative of some knowledge."""
        shapes = {player: knowledge.shape(player) for player in self.players}
        if self._everybody:
            ordered = sorted(self.players, key=shapes.__getitem__)
            classes = [list(alike) for _, alike in groupby(ordered, shapes.__getitem__)]
            arranged = (chain(*parts) for parts in product(*map(permutations, classes)))
            lines = [self._line(tuple(order)) for order in islice(arranged, _LARGEST)]
        else:
            numbers = {player: n for n, player in enumerate(self.players)}
            pairs = [sorted((numbers[new], old) for old, new in names.items()) for names in self._group]
            orders = [[old for _, old in listed] for listed in pairs]
            lines = [self._line(o) for o in _least(orders, lambda order: [shapes[p] for p in order])]
        image = self.match.image
        return _least(lines, lambda line: image(knowledge, self.named(line))[0].key())

    def _line(self, order: Sequence[Hashable]) -> Line:
        """Return the renaming that turns players in some order into the players in the order of the game."""
        new = dict(zip(order, self.players, strict=True))
        return tuple(new[player] for player in self.players)

    def originals(self, state: Any) -> Iterable[Line]:
        """Return the renamings that carry a representative to the states it represents."""
        given = self.match.originals(state)
        if given is None:
            given = self._group or [self.named(line) for line in permutations(self.players)]
        return [tuple(names[player] for player in self.players) for names in given]

    def collected(self, following: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
        """Return a distribution of places as one of representatives."""
        found: dict[Any, Fraction] = {}
        for place, p in following.items():
            add(found, self.canonical(place), p)
        return found

    def check(self, state: State, following: Mapping[Any, Fraction]) -> None:
        """Raise GameError unless the generators carry the successors of a state to those of its image."""
        for line in self.generators:
            image = self.image(state, line)
            if self.match.successors(image) != {self.image(place, line): p for place, p in following.items()}:
                raise GameError(
                    f"{self.match.title}: what follows {state.actual} at {state.now} is something else after "
                    f"renaming the players by {dict(self.named(line))!r}, so strategies do not treat all "
                    "players alike: solve with symmetry=False"
                )


def _least(options: Iterable[T], key: Callable[[T], Any]) -> list[T]:
    """Return the options with the least key."""
    keys = [(key(option), option) for option in options]
    least = min(k for k, _ in keys)
    return [option for k, option in keys if k == least]
