"""The probability table of a game with exact fractions, and the difference between two states.

A table is the game master's, or the one that the rules make public.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import product, repeat
from typing import Any, overload

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import FormatError, GameError, check_known, did_you_mean
from kripke_werewolf.base.reports.documents import Block, Items
from kripke_werewolf.base.reports.tables import Cell, Grid, Numbers, Tabular, json_value, shown
from kripke_werewolf.base.settings import as_data
from kripke_werewolf.base.wording import Sentence, divided, word
from kripke_werewolf.games.werewolf.declarations import declared
from kripke_werewolf.games.werewolf.enumerated import Enumerated
from kripke_werewolf.games.werewolf.events import Played
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.games.werewolf.state import State
from kripke_werewolf.games.werewolf.superposition import Superposition

_LISTED = 200
"""The greatest number of worlds that are listed; if there are more, only their number is given."""
_COMPARED = 100_000
"""The greatest number of worlds that are compared one by one."""


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
        return self.row(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self.labels)

    def __len__(self) -> int:
        return len(self.labels)

    def grid(self, numbers: Numbers = "decimal") -> Grid:
        """Return the cells as strings, with the rows in their order."""
        cells = ((shown(value, numbers, worlds=self.worlds) for value in row) for row in self.rows)
        rows = tuple((label, *row) for label, row in zip(self.labels, cells, strict=True))
        return Grid(tuple(map(word, (self.heading, *self.columns))), rows, self.note)

    def row(self, label: str) -> dict[str, Cell]:
        """Return the cells of one row by column."""
        check_known(label, self.labels, kind="row")
        return dict(zip(self.columns, self.rows[self.labels.index(label)], strict=True))

    def to_dict(self, numbers: Numbers = "fractions") -> dict[str, Any]:
        """Return JSON-able values, null if a cell is hidden or undefined."""
        rows: list[dict[str, Any]] = [{self.heading: label} for label in self.labels]
        for row in rows:
            cells = self.row(row[self.heading])
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
    """Return the columns of a table, by default those of the rules; raise GameError for unknown ones."""
    for heading in columns or ():
        known = declared(setup).columns
        if heading not in known:
            hint, possible = did_you_mean(heading, known), ", ".join(known)
            raise GameError(f"the table has no column {heading!r}{hint} (possible: {possible})")
    return declared(setup).headings if columns is None else tuple(columns)


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

    The public one is sorted by number if the rules keep it anonymous, and hides deaths that are not certain
    if the rules do. `columns` default to those of the rules; possible are villager, seer, good (human), evil
    (wolf, werewolf), dead, and the other roles of the deck. Raises GameError for others.
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
    return Table(labels, headings, tuple(rows), state.worlds.size, divided(notes), heading)


@dataclass(frozen=True, slots=True, repr=False)
class TableChange(Tabular):
    """The change between two tables with the same rows and columns: `1/4 → 3/11` in changed cells.

    Raises GameError for tables with different players or columns.
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


@dataclass(frozen=True, slots=True, repr=False)
class StateChange(Displayed):
    """The difference between two states of a game; `str` gives it in words.

    The numbers and lists of worlds are None if there are too many to compare, or if worlds are only counted.
    """

    worlds: tuple[int, int]
    """The numbers of worlds before and after."""
    shared: int | None
    """The number of worlds in both, with the same deaths."""
    gone: tuple[str, ...] | None
    """The worlds only in the first, as strings of letters (capital if dead)."""
    new: tuple[str, ...] | None
    """The worlds only in the second."""
    phases: tuple[str, str]
    verdicts: tuple[str | None, str | None]
    table: TableChange

    def to_text(self, numbers: Numbers = "decimal") -> str:
        """Return the difference in words, and the two tables in one."""
        return "\n".join([*self._sentences(), "", self.table.to_text(numbers)])

    def _sentences(self) -> list[str]:
        before, after = self.worlds
        sizes = dict.fromkeys((f"{before:,}", f"{after:,}"))
        lines = [f"worlds: {' → '.join(sizes)}"]
        if self.shared is not None:
            lines[0] += f" ({self.shared:,} in both)"
        for what, listed in (("gone", self.gone), ("new", self.new)):
            if listed:
                more = f" … ({len(listed)} in all)" if len(listed) > 12 else ""
                lines.append(f"{what}: {' '.join(listed[:12])}{more}")
        pairs = {"phase": self.phases, "verdict": tuple(verdict or "open" for verdict in self.verdicts)}
        return lines + [f"{what}: {' → '.join(pair)}" for what, pair in pairs.items() if len(set(pair)) > 1]

    def to_dict(self, numbers: Numbers = "fractions") -> dict[str, Any]:
        """Return JSON-able values."""
        names = [field.name for field in fields(self) if field.name != "table"]
        found = {name: as_data(getattr(self, name)) for name in names}
        return found | {"table": self.table.to_dict(numbers)}

    def headline(self) -> str:
        """Return the number of worlds before and after, and the phase."""
        return f"worlds: {self.worlds[0]:,} → {self.worlds[1]:,}; {self.phases[1]}"

    def display(self) -> Iterator[Block]:
        """Yield the difference in words, and the two tables in one."""
        yield Items(tuple(self._sentences()))
        yield self.table.grid("percent")

    def __str__(self) -> str:
        return self.to_text()


def compare(before: Played, after: Played, *, public: bool = False) -> StateChange:
    """Compare two states: of one game at two moments, or of two branches.

    `public`: compare the public tables. Raises GameError for other players or rules.

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
    old, new = before.states[-1], after.states[-1]
    was, now = _listed(old.worlds), _listed(new.worlds)
    return StateChange(
        worlds=(old.worlds.size, new.worlds.size),
        shared=None if was is None or now is None else len(was & now),
        gone=_missing(was, now),
        new=_missing(now, was),
        phases=(str(old.phase), str(new.phase)),
        verdicts=(old.verdict, new.verdict),
        table=TableChange(*(make_table(before.setup, state, public=public) for state in (old, new))),
    )


def _listed(worlds: Superposition) -> frozenset[str] | None:
    """Return the worlds as strings; None if there are too many to compare, or if they are only counted."""
    if isinstance(worlds, Enumerated) and worlds.size <= _COMPARED:
        with suppress(GameError):  # more ranks than letters
            return frozenset(worlds.world_strings())
    return None


def _missing(there: frozenset[str] | None, here: frozenset[str] | None) -> tuple[str, ...] | None:
    """Return the worlds that are only in the first set; None if they are too many to list."""
    if there is None or here is None or len(there - here) > _LISTED:
        return None
    return tuple(sorted(there - here))
