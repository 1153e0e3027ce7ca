"""Names of worlds: any hashable values, listed or, for large models, computed on demand.

The result of an update keeps the old names with the indices of the worlds left (`_Selected`) or the pairs
of a product (`Paired`), and computes its names on demand.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, overload

from kripke_werewolf.base.errors import CallError, ModelError, UnknownWorldError
from kripke_werewolf.logic.semantics.explored import SHOWN, NameSet, name_shown, shortened
from kripke_werewolf.logic.semantics.space import Worlds

if TYPE_CHECKING:
    import numpy.typing as npt


class WorldNames(Sequence[Hashable]):
    """The names of worlds 0..n-1, all different."""

    def index(self, name: Any, start: int = 0, stop: int | None = None) -> int:
        """Return the number of the world with that name; raises `UnknownWorldError`."""
        found = self.find(name)
        if found is None:
            raise UnknownWorldError(name, list(self[:1000]))
        return found

    def find(self, name: object) -> int | None:
        """Return the number of the world with that name, or None."""
        try:
            return self.numbers.get(name)
        except TypeError:  # not hashable, so no name of a world
            return None

    @cached_property
    def numbers(self) -> Mapping[Hashable, int]:
        """The number of each name."""
        return {name: number for number, name in enumerate(self)}

    @abstractmethod
    def at(self, index: int) -> Hashable:
        """Return the name of a world."""

    def selected(self, kept: npt.NDArray[Any]) -> WorldNames:
        """Return the names of some of the worlds, given by ascending numbers."""
        return _Selected(self, kept)

    def places_in(self, base: WorldNames) -> npt.NDArray[Any] | None:
        """Return the numbers in `base` of these names, if they were selected from it."""
        return None

    def __call__(self, *asked: object) -> NoReturn:
        """Refuse to be called; the error says what is meant."""
        raise CallError("the worlds are a list, not a function: write model.worlds or model.where(formula)")

    def __contains__(self, name: object) -> bool:
        return self.find(name) is not None

    def __iter__(self) -> Iterator[Hashable]:
        return map(self.at, range(len(self)))

    @overload
    def __getitem__(self, index: int) -> Hashable: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hashable, ...]: ...
    def __getitem__(self, index: int | slice) -> Hashable | tuple[Hashable, ...]:
        numbers = range(len(self))[index]
        return tuple(self.at(i) for i in numbers) if isinstance(numbers, range) else self.at(numbers)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return self is other or (
            len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))
        )

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        shown = shortened(map(name_shown, self), len(self))
        return f"({shown},)" if len(self) == 1 else f"({shown})"


class Named(WorldNames):
    """Names given one by one."""

    @classmethod
    def known(cls, names: Iterable[Hashable]) -> Named:
        """Return names already known to be hashable and distinct."""
        found = cls.__new__(cls)
        found.listed = tuple(names)
        return found

    def __init__(self, names: Iterable[Hashable]) -> None:
        if not isinstance(names, (list, range, Iterable)):  # lists first: they are recognised at once
            raise ModelError(f"the worlds must be a collection of names, got {names!r}")
        if not isinstance(names, list) and hasattr(names, "nodes"):
            raise ModelError(f"{names!r} is not a list of worlds; KripkeModel.from_networkx reads a graph")
        self.listed = tuple(names)
        """The names, in order."""
        try:
            self.numbers = {name: number for number, name in enumerate(self.listed)}
        except TypeError:
            raise self._refused(names) from None
        if len(self.numbers) < len(self.listed):
            raise self._refused(names)

    def _refused(self, names: object) -> ModelError:
        seen = set[Hashable]()
        for name in self.listed:
            try:
                if name in seen:
                    break
                seen.add(name)
            except TypeError:
                return ModelError(
                    f"world {name!r} is not hashable; name worlds by strings, numbers or tuples of them"
                )
        listed = f"; a list of them is {names.split()!r}" if isinstance(names, str) else ""
        return ModelError(f"world {name!r} is given twice; names of worlds must differ{listed}")

    def __len__(self) -> int:
        return len(self.listed)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.listed)

    def at(self, index: int) -> Hashable:  # noqa: D102 - inherited
        return self.listed[index]


class Computed(WorldNames):
    """Names computed from the number, and looked up by the inverse function or else by search."""

    def __init__(
        self, size: int, name: Callable[[int], Hashable], find: Callable[[object], int | None] | None = None
    ) -> None:
        self._size, self._name, self._find = size, name, find

    def __reduce__(self) -> tuple[Any, ...]:
        return Named.known, (list(self),)

    def __len__(self) -> int:
        return self._size

    def at(self, index: int) -> Hashable:  # noqa: D102 - inherited
        return self._name(index)

    def find(self, name: object) -> int | None:  # noqa: D102 - inherited
        return super().find(name) if self._find is None else self._find(name)


class _Selected(WorldNames):
    """Some of the names of a larger model, in their order."""

    def __init__(self, base: WorldNames, kept: npt.NDArray[Any]) -> None:
        self._base, self._kept = base, kept

    def selected(self, kept: npt.NDArray[Any]) -> WorldNames:
        """Return a selection directly from the original names."""
        return _Selected(self._base, self._kept[kept])

    def places_in(self, base: WorldNames) -> npt.NDArray[Any] | None:
        """Return the numbers in the original names."""
        return self._kept if base is self._base else None

    def __len__(self) -> int:
        return len(self._kept)

    def at(self, index: int) -> Hashable:
        return self._base.at(int(self._kept[index]))

    def find(self, name: object) -> int | None:
        old = self._base.find(name)
        if old is None:
            return None
        new = int(self._kept.searchsorted(old))
        return new if new < len(self._kept) and self._kept[new] == old else None


class Paired(WorldNames):
    """The pairs (world, event) of a product update."""

    def __init__(
        self, base: WorldNames, events: Sequence[Hashable], world: npt.NDArray[Any], event: npt.NDArray[Any]
    ) -> None:
        self._base, self._events, self._world, self._event = base, tuple(events), world, event

    def __len__(self) -> int:
        return len(self._world)

    def selected(self, kept: npt.NDArray[Any]) -> WorldNames:
        """Return some of the pairs."""
        return Paired(self._base, self._events, self._world[kept], self._event[kept])

    def places_in(self, base: WorldNames) -> npt.NDArray[Any] | None:
        """Return the numbers of the worlds of the pairs in the original names."""
        before = self._base.places_in(base)
        if base is self._base:
            return self._world
        return None if before is None else before[self._world]

    def at(self, index: int) -> Hashable:  # noqa: D102 - inherited
        # after many updates the names are nested too deeply for recursion
        names: WorldNames = self
        happened = []
        while isinstance(names, Paired):
            happened.append(names._events[int(names._event[index])])
            index, names = int(names._world[index]), names._base
        name = names.at(index)
        for event in reversed(happened):
            name = name, event
        return name

    def find(self, name: object) -> int | None:  # noqa: D102 - inherited
        if not (isinstance(name, tuple) and len(name) == 2 and name[1] in self._events):
            return None
        world = self._base.find(name[0])
        if world is None:
            return None
        found = ((self._world == world) & (self._event == self._events.index(name[1]))).nonzero()[0]
        return int(found[0]) if len(found) else None


class WorldSet(NameSet[Hashable]):
    """Some of the worlds of a model, by their names: a view of a truth set."""

    __slots__ = ("_inside", "_space")

    def __init__(self, space: Worlds[Any], inside: Any) -> None:
        self._space, self._inside = space, inside

    def __reduce__(self) -> tuple[Any, ...]:
        return NameSet, (list(self),)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._space.named(self._inside))

    def __len__(self) -> int:
        return self._space.count(self._inside)

    def __contains__(self, name: object) -> bool:
        place = self._space.find(name)
        return place is not None and self._space.has(self._inside, place)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, WorldSet) and other._space is self._space:
            return not self._space.some(self._inside ^ other._inside)
        return super().__eq__(other)

    __hash__ = NameSet.__hash__

    def _first(self) -> Iterable[Hashable]:
        return map(self._space.name, self._space.members(self._inside, SHOWN))


def world_text(world: Hashable, called: Callable[[Hashable], str] = str) -> str:
    """Return the name of a world as sentences use it: the original name, then the events that happened.

    `called`: returns the words for a world of the original model.

    >>> world_text("w"), world_text((("w", "yes"), "told"))
    ('w', '(w, yes, told)')
    """
    parts: list[str] = []
    while isinstance(world, tuple) and len(world) == 2 and isinstance(world[1], str):
        parts.append(world[1])
        world = world[0]
    if not parts:
        return called(world)
    return f"({', '.join([called(world), *reversed(parts)])})"


def few_worlds(worlds: Collection[Hashable]) -> str:
    """Return the names of worlds after a colon if they are few, else an empty string.

    >>> few_worlds("wv"), few_worlds(range(9))
    (': w, v', '')
    """
    return f": {', '.join(map(world_text, worlds))}" if 0 < len(worlds) <= _FEW else ""


_FEW = 8
