"""The probability table of a game with exact fractions, and the difference between two.

A table is the game master's, or the one that the rules make public.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product, repeat
from typing import Any, overload

from kripke_werewolf.base.errors import FormatError, GameError, check_known
from kripke_werewolf.base.reports.tables import Cell, Grid, Numbers, Tabular, json_value, shown
from kripke_werewolf.base.wording import Sentence, divided, word
from kripke_werewolf.games.werewolf.declarations import declared
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.games.werewolf.state import State


@dataclass(frozen=True, slots=True, repr=False)
class Table(Tabular):
    """Probabilities by row (players) and column (facts); None if hidden or undefined.

    `str(table)` is plain text with decimals of six digits; `table["Alice"]` is a row and `table["Alice",
    "seer"]` a cell.
    """

    labels: tuple[str, ...]
    """The names of the rows: of players, or numbers if the table is anonymous."""
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    worlds: int | None
    """The number of worlds behind the probabilities; None if it is not announced."""
    note: str = ""
    """A caveat about the numbers, for example that the worlds are a sample."""
    heading: str = "player"
    """The kind of labels: names of a `player`, or the `number` of each."""

    @overload
    def __getitem__(self, key: str) -> Mapping[str, Cell]: ...
    @overload
    def __getitem__(self, key: tuple[str, str]) -> Cell: ...
    def __getitem__(self, key: str | tuple[str, str]) -> Mapping[str, Cell] | Cell:
        if isinstance(key, tuple):
            if len(key) != 2:
                raise GameError(f"a row is table[name], a cell is table[name, column]; got {key!r}")
            row = self[key[0]]
            return row[check_known(key[1], self.columns, kind="column")]
        check_known(key, self.labels, kind="row")
        return dict(zip(self.columns, self.rows[self.labels.index(key)], strict=True))

    def __iter__(self) -> Iterator[str]:
        return iter(self.labels)

    def __len__(self) -> int:
        return len(self.labels)

    def grid(self, numbers: Numbers = "decimal") -> Grid:
        """Return the cells as strings, with the rows in their order."""
        cells = ((shown(value, numbers, worlds=self.worlds) for value in row) for row in self.rows)
        rows = tuple((label, *row) for label, row in zip(self.labels, cells, strict=True))
        return Grid(tuple(map(word, (self.heading, *self.columns))), rows, self.note)

    def to_dict(self, numbers: Numbers = "fractions") -> dict[str, Any]:
        """Return JSON-able values, null if a cell is hidden or undefined."""
        rows: list[dict[str, Any]] = [{self.heading: label} for label in self.labels]
        for row in rows:
            cells = self[row[self.heading]]
            row |= {c: json_value(value, numbers, worlds=self.worlds) for c, value in cells.items()}
        found: dict[str, Any] = {"columns": list(self.columns), "rows": rows}
        if self.worlds is not None:
            found["worlds"] = self.worlds
        if self.note:
            found["note"] = self.note
        return found

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Table:
        """Return the table written by `to_dict` with fractions; raise FormatError for anything else."""
        try:
            columns, listed = tuple(data["columns"]), list(data["rows"])
            heading = "number" if listed and "number" in listed[0] else "player"
            found = ([row[c] for c in columns] for row in listed)
            rows = tuple(tuple(None if v is None else Fraction(str(v)) for v in row) for row in found)
            labels = tuple(str(row[heading]) for row in listed)
        except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
            raise FormatError(f"not a table with columns and rows of fractions: {error}") from None
        worlds = data.get("worlds")
        if worlds is not None and (isinstance(worlds, bool) or not isinstance(worlds, int)):
            raise FormatError(f"the number of worlds of a table is an integer, not {worlds!r}")
        return Table(labels, columns, rows, worlds, str(data.get("note", "")), heading)


def chosen_columns(setup: Setup, columns: Sequence[str] | None) -> tuple[str, ...]:
    """Return the columns of a table, by default those of the rules; raise for unknown ones."""
    if columns is None:
        return declared(setup).headings
    return tuple(check_known(heading, declared(setup).columns, kind="column") for heading in columns)


def chances(
    setup: Setup, columns: Sequence[str], chance: Callable[[str], Fraction]
) -> tuple[tuple[tuple[Cell, ...], ...], str]:
    """Return the rows of a player's table, and the note below it.

    `chance`: the player's probability of an atom. With fractional attacks no death is a fact of a world as
    long as it is not certain.
    """
    game = declared(setup)

    def cell(name: str, heading: str) -> Cell:
        found = chance(game.columns[heading].format(i=name))
        if heading == "dead" and not game.mortal and not found:
            return None
        return found

    rows = tuple(tuple(cell(name, heading) for heading in columns) for name in setup.players)
    return rows, Sentence("bitten-perhaps") if any(None in row for row in rows) else ""


def make_table(
    setup: Setup, state: State, *, columns: Sequence[str] | None = None, public: bool = False
) -> Table:
    """Return the table of a state: the game master's, by name, or the public one.

    The public one is sorted by number if the rules keep it anonymous, and hides deaths that are not certain,
    and the number of worlds, if the rules do. `columns` default to those of the rules; possible are villager,
    seer, good (human), evil (wolf, werewolf), dead, and the other roles of the deck. Raises UnknownNameError
    for others.
    """
    headings, notes = chosen_columns(setup, columns), []
    if setup.sampled:
        notes.append(Sentence("sampled-at-first", sample=setup.sampled))
    if not state.worlds.size:
        notes.append(Sentence("no-world-left"))
    elif public and not setup.rules.show_dead and "dead" in headings:
        notes.append(Sentence("hidden-until-certain"))
    rows, labels, heading = state.chances(headings, public=public), setup.players, "player"
    if public and setup.numbers_hidden:
        rows = [rows[setup.numbers.index(int(label))] for label in setup.rows]
        labels, heading = setup.rows, "number"
    worlds = None if public and not setup.rules.show_worlds else state.worlds.size
    return Table(labels, headings, tuple(rows), worlds, divided(notes), heading)


@dataclass(frozen=True, slots=True, repr=False)
class TableChange(Tabular):
    """The change between two tables with the same rows and columns: `1/4 → 3/11` in changed cells.

    Raises GameError for tables with different players or columns.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1)
    >>> seen = game.vision("Ann", "Bo", result="wolf")
    >>> print(TableChange(game.table(), seen.table()).to_text("fractions"))
    player   villager       seer   werewolf  dead
    Ann     1/3 → 2/5  1/3 → 1/5  1/3 → 2/5     0
    Bo      1/3 → 1/5  1/3 → 2/5  1/3 → 2/5     0
    Cy      1/3 → 2/5  1/3 → 2/5  1/3 → 1/5     0
    """

    before: Table
    after: Table

    def __post_init__(self) -> None:
        before, after = self.before, self.after
        pairs = {"rows": (before.labels, after.labels), "columns": (before.columns, after.columns)}
        for what, (old, new) in pairs.items():
            if old != new:
                raise GameError(
                    f"the tables cannot be compared: their {what} are {', '.join(old)} and {', '.join(new)}"
                )

    @property
    def changed(self) -> tuple[tuple[str, str], ...]:
        """The (row, column) of every cell that differs."""
        cells = product(self.before.labels, self.before.columns)
        return tuple(cell for cell in cells if self.before[cell] != self.after[cell])

    def grid(self, numbers: Numbers = "decimal") -> Grid:
        """Return the cells as strings: the value, or the old and the new one."""
        then, now, changed = self.before.grid(numbers), self.after.grid(numbers), self.changed

        def cell(label: str, column: str, old: str, new: str) -> str:
            if old == new and (label, column) not in changed:
                return new
            return Sentence("changed", before=old, after=new)

        pairs = zip(then.rows, now.rows, strict=True)
        rows = (tuple(map(cell, repeat(old[0]), then.header, old, new)) for old, new in pairs)
        return Grid(then.header, tuple(rows), now.note or then.note)

    def to_dict(self, numbers: Numbers = "fractions") -> dict[str, Any]:
        """Return JSON-able values: both tables, and the cells that differ."""
        before, after = (table.to_dict(numbers) for table in (self.before, self.after))
        rows = dict(zip(self.before.labels, zip(before["rows"], after["rows"], strict=True), strict=True))
        changed = []
        for label, column in self.changed:
            old, new = (row[column] for row in rows[label])
            changed.append({self.before.heading: label, "column": column, "before": old, "after": new})
        return {"before": before, "after": after, "changed": changed}
