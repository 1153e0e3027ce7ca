"""Valuations: which atoms are true where, one boolean array per atom."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from kripke_werewolf.models.relation import Mask

__all__ = ["Valuation"]


class Valuation(Mapping[str, Mask]):
    """A read-only mapping from atoms to truth sets over `size` worlds.

    A truth set may be given as a function without arguments; it is called the first time its atom
    is looked up. So a model with many atoms pays only for those that a formula mentions.
    """

    __slots__ = ("_rows", "size")

    def __init__(self, size: int, rows: Mapping[str, Mask | Callable[[], Mask]]) -> None:
        self.size = size
        self._rows = dict(rows)

    def __getitem__(self, atom: str) -> Mask:
        row = self._rows[atom]
        if callable(row):
            row = np.ascontiguousarray(row(), dtype=bool)
            self._rows[atom] = row
        row.setflags(write=False)
        return row

    def __contains__(self, atom: object) -> bool:
        return atom in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def take(self, worlds: npt.NDArray[np.integer]) -> Valuation:
        """Return the valuation of the given worlds, renumbered from 0."""
        return Valuation(len(worlds), {a: self._taker(a, worlds) for a in self})

    def _taker(self, atom: str, worlds: npt.NDArray[np.integer]) -> Callable[[], Mask]:
        return lambda: self[atom].take(worlds)

    def with_rows(self, rows: Mapping[str, Mask]) -> Valuation:
        """Return the valuation with some atoms given anew."""
        return Valuation(self.size, {**self._rows, **rows})
