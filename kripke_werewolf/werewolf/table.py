"""The probability table, as a value with exact fractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kripke_werewolf.errors import GameError, UnknownNameError, near_misses
from kripke_werewolf.reports.tables import Cell, Grid, Numbers, Tabular, plain, shown
from kripke_werewolf.werewolf.rules import FACTS
from kripke_werewolf.werewolf.state import Setup, State, death_chances
from kripke_werewolf.werewolf.superposition import probability

__all__ = ["Cell", "Table", "check_columns", "make_table"]


@dataclass(frozen=True, slots=True)
class Table(Tabular):
    """Probabilities by row (players) and column (facts); None where one is hidden or undefined.

    `str(table)` is plain text with decimals of six digits; `table["Alice", "seer"]` is a cell.
    """

    labels: tuple[str, ...]
    """What the rows are called: names, or numbers if the table is anonymous."""
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    worlds: int | None
    """The number of worlds the probabilities are taken over; None where it is not announced."""
    note: str = ""
    """What a reader must know about the numbers, such as that the worlds are a sample."""
    heading: str = "player"
    """What the labels are: names of players, or the `number` of each."""

    def __getitem__(self, cell: tuple[str, str]) -> Cell:
        label, column = cell
        if label not in self.labels:
            raise UnknownNameError(label, self.labels, kind="row")
        if column not in self.columns:
            raise UnknownNameError(column, self.columns, kind="column")
        return self.rows[self.labels.index(label)][self.columns.index(column)]

    def grid(self, numbers: Numbers = "decimal") -> Grid:
        """Return the texts of the cells, with the rows as they are."""
        rows = tuple(
            (label, *(shown(value, numbers, worlds=self.worlds) for value in row))
            for label, row in zip(self.labels, self.rows, strict=True)
        )
        return Grid((self.heading, *self.columns), rows, self.note)

    def row(self, label: str) -> dict[str, Cell]:
        """Return the cells of one row by column."""
        return {column: self[label, column] for column in self.columns}

    def to_dict(self, numbers: Numbers = "fractions") -> dict[str, Any]:
        """Return JSON-able values, null where a cell is hidden or undefined."""
        rows = [
            {
                self.heading: label,
                **{c: plain(v, numbers, worlds=self.worlds) for c, v in self.row(label).items()},
            }
            for label in self.labels
        ]
        found: dict[str, Any] = {"columns": list(self.columns), "rows": rows}
        if self.worlds is not None:
            found["worlds"] = self.worlds
        return {**found, "note": self.note} if self.note else found


def check_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of a table as a tuple; raise GameError for one that no table has."""
    for heading in columns:
        if heading not in FACTS:
            near = near_misses(heading, FACTS)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise GameError(f"the table has no column {heading!r}{hint} (possible: {', '.join(FACTS)})")
    return tuple(columns)


def make_table(
    setup: Setup, state: State, *, columns: Sequence[str] | None = None, public: bool = False
) -> Table:
    """Return the table of a state: the game master's, by name, or the one the rules make public.

    The public one is sorted by number if the rules keep it anonymous, and hides deaths that are not
    certain if the rules do. `columns` default to those of the rules; possible are villager, seer,
    good (human), evil (wolf, werewolf) and dead. Raises GameError for others.
    """
    headings = check_columns(columns) if columns is not None else setup.rules.headings
    counts = state.worlds.role_counts()
    dead = death_chances(setup, state)

    def cell(player: int, heading: str) -> Cell:
        fact = FACTS[heading]
        if fact == "dead":
            chance = dead[player]
            return chance if setup.rules.show_dead or not public or chance == 1 else None
        if fact in counts and fact != "wolf":
            return probability(counts[fact][player], state.worlds)
        good = counts["villager"][player] + counts["seer"][player]
        return probability(good if fact == "good" else state.worlds.size - good, state.worlds)

    if not state.worlds.size:
        hidden = "?: no world is left"
    elif setup.rules.show_dead or not public or "dead" not in (FACTS[h] for h in headings):
        hidden = ""
    else:
        hidden = "?: hidden as long as it is not certain"
    seats = list(range(setup.deck.players))
    anonymous = public and setup.rules.table == "anonymous"
    if anonymous:
        seats.sort(key=setup.numbers.__getitem__)
    return Table(
        labels=tuple(str(setup.numbers[p]) if anonymous else setup.players[p] for p in seats),
        columns=headings,
        rows=tuple(tuple(cell(p, h) for h in headings) for p in seats),
        worlds=state.worlds.size,
        note="; ".join(filter(None, (setup.sampled and f"{setup.sampled} at the start", hidden))),
        heading="number" if anonymous else "player",
    )
