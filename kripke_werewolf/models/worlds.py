"""Names of worlds: any hashable values, listed or, for large models, computed when asked for.

An update does not build the names of its result. It keeps the old names with the indices of what
is left (`Selected`) or the pairs of a product (`Paired`), and a name is made when somebody looks.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from kripke_werewolf.errors import ModelError, UnknownWorldError

__all__ = ["Computed", "Listed", "Paired", "Selected", "WorldNames"]


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
        raise NotImplementedError

    def at(self, index: int) -> Hashable:
        """Return the name of a world."""
        raise NotImplementedError

    def __contains__(self, name: object) -> bool:
        return self.find(name) is not None

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
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        if len(self) <= 6:
            return repr(tuple(self))
        return f"({', '.join(map(repr, self[:6]))}, …)"


class Listed(WorldNames):
    """Names given one by one."""

    def __init__(self, names: Iterable[Hashable]) -> None:
        if not isinstance(names, Iterable):
            raise ModelError(f"the worlds must be a collection of names, got {names!r}")
        self._names = tuple(names)
        self._numbers: dict[Hashable, int] = {}
        for number, name in enumerate(self._names):
            if not isinstance(name, Hashable):
                raise ModelError(
                    f"world {name!r} is not hashable; name worlds by texts, numbers or tuples of them"
                )
            if self._numbers.setdefault(name, number) != number:
                raise ModelError(f"world {name!r} is given twice; names of worlds must differ")

    def __len__(self) -> int:
        return len(self._names)

    def at(self, index: int) -> Hashable:  # noqa: D102 - inherited
        return self._names[index]

    def find(self, name: object) -> int | None:  # noqa: D102 - inherited
        try:
            return self._numbers.get(name)
        except TypeError:  # not hashable, so the name of nothing
            return None


class Computed(WorldNames):
    """Names made by a function of the number, and found again by its inverse."""

    def __init__(
        self, size: int, name: Callable[[int], Hashable], find: Callable[[object], int | None]
    ) -> None:
        self._size, self._name, self._find = size, name, find

    def __len__(self) -> int:
        return self._size

    def at(self, index: int) -> Hashable:  # noqa: D102 - inherited
        return self._name(index)

    def find(self, name: object) -> int | None:  # noqa: D102 - inherited
        return self._find(name)


class Selected(WorldNames):
    """Some of the names of a larger model, in their order."""

    def __init__(self, base: WorldNames, kept: npt.NDArray[np.integer]) -> None:
        # selecting from a selection selects from its base: the chain stays one step long
        self._base, self._kept = base, kept
        if isinstance(base, Selected):
            self._base, self._kept = base._base, base._kept[kept]

    def __len__(self) -> int:
        return len(self._kept)

    def at(self, index: int) -> Hashable:  # noqa: D102 - inherited
        return self._base.at(int(self._kept[index]))

    def find(self, name: object) -> int | None:  # noqa: D102 - inherited
        old = self._base.find(name)
        if old is None:
            return None
        new = int(np.searchsorted(self._kept, old))
        return new if new < len(self._kept) and self._kept[new] == old else None


class Paired(WorldNames):
    """The pairs (world, event) of a product update."""

    def __init__(
        self,
        base: WorldNames,
        events: Sequence[Hashable],
        world: npt.NDArray[np.integer],
        event: npt.NDArray[np.integer],
    ) -> None:
        self._base, self._events, self._world, self._event = base, tuple(events), world, event

    def __len__(self) -> int:
        return len(self._world)

    def at(self, index: int) -> Hashable:  # noqa: D102 - inherited
        return self._base.at(int(self._world[index])), self._events[int(self._event[index])]

    def find(self, name: object) -> int | None:  # noqa: D102 - inherited
        if not (isinstance(name, tuple) and len(name) == 2 and name[1] in self._events):
            return None
        world = self._base.find(name[0])
        if world is None:
            return None
        found = np.flatnonzero((self._world == world) & (self._event == self._events.index(name[1])))
        return int(found[0]) if len(found) else None
