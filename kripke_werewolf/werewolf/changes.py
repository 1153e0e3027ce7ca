"""What is different between two states of a game: the table before and after, the worlds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kripke_werewolf.errors import GameError
from kripke_werewolf.reports.tables import Cell, Grid, Numbers, Tabular, plain, shown
from kripke_werewolf.werewolf.enumerated import Enumerated
from kripke_werewolf.werewolf.table import Table

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf

__all__ = ["StateChange", "TableChange", "compare"]

_LISTED = 200
"""So many worlds are listed one by one; of more only the number is given."""
_COMPARED = 100_000
"""Worlds of so many at most are compared one by one."""


@dataclass(frozen=True, slots=True)
class TableChange(Tabular):
    """Two tables with the same rows and columns, as one: `1/4 → 3/11` where a cell has changed.

    Raises GameError for tables of other players or with other columns.
    """

    before: Table
    after: Table

    def __post_init__(self) -> None:
        for what, old, new in (
            ("rows", self.before.labels, self.after.labels),
            ("columns", self.before.columns, self.after.columns),
        ):
            if old != new:
                raise GameError(
                    f"the tables cannot be compared: their {what} are {', '.join(old)} and {', '.join(new)}"
                )

    @property
    def changed(self) -> tuple[tuple[str, str], ...]:
        """The (row, column) of every cell that differs."""
        return tuple((label, column) for label, column, old, new in self._cells() if old != new)

    def _cells(self) -> Iterator[tuple[str, str, Cell, Cell]]:
        for label in self.before.labels:
            for column in self.before.columns:
                yield label, column, self.before[label, column], self.after[label, column]

    def grid(self, numbers: Numbers = "decimal") -> Grid:
        """Return the texts of the cells: the value, or the old and the new one."""
        text: dict[str, list[str]] = {label: [label] for label in self.before.labels}
        for label, _, old, new in self._cells():
            now = shown(new, numbers, worlds=self.after.worlds)
            then = shown(old, numbers, worlds=self.before.worlds)
            text[label].append(now if old == new and now == then else f"{then} → {now}")
        header = (self.before.heading, *self.before.columns)
        return Grid(header, tuple(map(tuple, text.values())), self.after.note or self.before.note)

    def to_dict(self, numbers: Numbers = "fractions") -> dict[str, Any]:
        """Return JSON-able values: both tables, and the cells that differ."""
        return {
            "before": self.before.to_dict(numbers),
            "after": self.after.to_dict(numbers),
            "changed": [
                {
                    self.before.heading: label,
                    "column": column,
                    "before": plain(old, numbers, worlds=self.before.worlds),
                    "after": plain(new, numbers, worlds=self.after.worlds),
                }
                for label, column, old, new in self._cells()
                if old != new
            ],
        }


@dataclass(frozen=True, slots=True)
class StateChange:
    """How one state of a game differs from another of the same game; `str` says it in words.

    The numbers and lists of worlds are None where there are too many to compare one by one, or where
    worlds are only counted.
    """

    worlds: tuple[int, int]
    """How many worlds there are before and after."""
    shared: int | None
    """How many worlds are in both, with the same deaths."""
    gone: tuple[str, ...] | None
    """The worlds that are in the first only, as strings of letters (capital where dead)."""
    new: tuple[str, ...] | None
    """The worlds that are in the second only."""
    phases: tuple[str, str]
    verdicts: tuple[str | None, str | None]
    table: TableChange

    def to_text(self, numbers: Numbers = "decimal") -> str:
        """Return the difference in words, and the two tables in one."""
        before, after = self.worlds
        lines = [f"worlds: {before:,} → {after:,}" if before != after else f"worlds: {after:,}"]
        if self.shared is not None:
            lines[0] += f" ({self.shared:,} in both)"
        for what, listed in (("gone", self.gone), ("new", self.new)):
            if listed:
                more = f" … ({len(listed)} in all)" if len(listed) > 12 else ""
                lines.append(f"{what}: {' '.join(listed[:12])}{more}")
        if self.phases[0] != self.phases[1]:
            lines.append(f"phase: {self.phases[0]} → {self.phases[1]}")
        if self.verdicts[0] != self.verdicts[1]:
            was, now = (verdict or "open" for verdict in self.verdicts)
            lines.append(f"verdict: {was} → {now}")
        return "\n".join([*lines, "", self.table.to_text(numbers)])

    def to_dict(self, numbers: Numbers = "fractions") -> dict[str, Any]:
        """Return JSON-able values."""
        return {
            "worlds": list(self.worlds),
            "shared": self.shared,
            "gone": None if self.gone is None else list(self.gone),
            "new": None if self.new is None else list(self.new),
            "phases": list(self.phases),
            "verdicts": list(self.verdicts),
            "table": self.table.to_dict(numbers),
        }

    def __str__(self) -> str:
        return self.to_text()


def compare(before: QuantumWerewolf, after: QuantumWerewolf, *, public: bool = False) -> StateChange:
    """Return what is different between two states: of one game at two moments, or of two branches.

    `public`: compare the tables the rules make public. Raises GameError for other players or rules.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1)
    >>> print(compare(game, game.vision("Ann", "Bo", result="wolf")).to_text("fractions"))
    worlds: 6 → 5 (5 in both)
    gone: svw
    <BLANKLINE>
    player   villager       seer   werewolf  dead
    Ann     1/3 → 2/5  1/3 → 1/5  1/3 → 2/5     0
    Bo      1/3 → 1/5  1/3 → 2/5  1/3 → 2/5     0
    Cy      1/3 → 2/5  1/3 → 2/5  1/3 → 1/5     0
    """
    if before.setup != after.setup:
        raise GameError("the two states cannot be compared: their players, rules or settings differ")
    shared, gone, new = _worlds(before, after)
    return StateChange(
        worlds=(before.size, after.size),
        shared=shared,
        gone=gone,
        new=new,
        phases=(str(before.phase), str(after.phase)),
        verdicts=(before.verdict, after.verdict),
        table=TableChange(before.table(public=public), after.table(public=public)),
    )


def _worlds(
    before: QuantumWerewolf, after: QuantumWerewolf
) -> tuple[int | None, tuple[str, ...] | None, tuple[str, ...] | None]:
    old, new = before.worlds, after.worlds
    if not isinstance(old, Enumerated) or not isinstance(new, Enumerated):
        return None, None, None
    if max(old.size, new.size) > _COMPARED:
        return None, None, None
    try:
        was, now = set(old.world_strings()), set(new.world_strings())
    except GameError:  # more ranks than letters
        return None, None, None
    gone, come = sorted(was - now), sorted(now - was)
    return (
        len(was & now),
        tuple(gone) if len(gone) <= _LISTED else None,
        tuple(come) if len(come) <= _LISTED else None,
    )
