"""Valuations: which atoms are true where, one boolean array per atom."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from kripke_werewolf.models.relation import Mask

__all__ = ["Valuation"]


class _Row:
    """A truth set that is made the first time somebody looks at it; valuations may share it."""

    __slots__ = ("_given",)

    def __init__(self, given: Mask | Callable[[], Mask]) -> None:
        self._given = given

    def mask(self) -> Mask:
        if callable(self._given):
            self._given = np.ascontiguousarray(self._given(), dtype=bool)
        return self._given


class Valuation(Mapping[str, Mask]):
    """A read-only mapping from atoms to truth sets over `size` worlds.

    A truth set may be given as a function without arguments; it is called the first time its atom
    is looked up. Likewise the truth sets of a submodel are taken from those of the model when they
    are looked up. So a model with many atoms pays only for those that a formula mentions.
    """

    __slots__ = ("_rows", "size")

    def __init__(self, size: int, rows: Mapping[str, Mask | Callable[[], Mask]]) -> None:
        self.size = size
        # with each row the worlds to take of it, None for all
        self._rows: dict[str, tuple[_Row, npt.NDArray[np.integer] | None]] = {
            atom: (_Row(row), None) for atom, row in rows.items()
        }

    @classmethod
    def _of(cls, size: int, rows: dict[str, tuple[_Row, npt.NDArray[np.integer] | None]]) -> Valuation:
        found = cls(size, {})
        found._rows = rows
        return found

    def __reduce__(self) -> tuple[object, ...]:
        return Valuation, (self.size, dict(self))

    def __getitem__(self, atom: str) -> Mask:
        row, worlds = self._rows[atom]
        if worlds is not None:
            row = _Row(row.mask().take(worlds))
            self._rows[atom] = row, None
        mask = row.mask().view()
        mask.setflags(write=False)
        return mask

    def __contains__(self, atom: object) -> bool:
        return atom in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def take(self, worlds: npt.NDArray[np.integer]) -> Valuation:
        """Return the valuation of the given worlds, renumbered from 0."""
        # what is taken of a selection is taken of what that was selected from: however many
        # updates come one after the other, a row is one step away from an array
        composed: dict[int, npt.NDArray[np.integer]] = {}
        rows: dict[str, tuple[_Row, npt.NDArray[np.integer] | None]] = {}
        for atom, (row, old) in self._rows.items():
            if old is None:
                rows[atom] = row, worlds
                continue
            if id(old) not in composed:
                composed[id(old)] = old.take(worlds)
            rows[atom] = row, composed[id(old)]
        return self._of(len(worlds), rows)

    def with_rows(self, rows: Mapping[str, Mask]) -> Valuation:
        """Return the valuation with some atoms given anew."""
        return self._of(self.size, self._rows | {atom: (_Row(row), None) for atom, row in rows.items()})
