"""The probability table, as a value with exact fractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from kripke_werewolf.errors import GameError, UnknownNameError, near_misses
from kripke_werewolf.werewolf.rules import FACTS
from kripke_werewolf.werewolf.state import Setup, State, death_chances
from kripke_werewolf.werewolf.superposition import probability

__all__ = ["Table", "make_table"]

Cell = Fraction | None


@dataclass(frozen=True, slots=True)
class Table:
    """Probabilities by row (players) and column (facts); None where one is hidden or undefined.

    `str(table)` is plain text with decimals of six digits; `table["Alice", "seer"]` is a cell.
    """

    labels: tuple[str, ...]
    """What the rows are called: names, or numbers if the table is anonymous."""
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    worlds: int
    """The number of worlds the probabilities are taken over."""
    note: str = ""
    """What a reader must know about the numbers, such as that the worlds are a sample."""

    def __getitem__(self, cell: tuple[str, str]) -> Cell:
        label, column = cell
        if label not in self.labels:
            raise UnknownNameError(label, self.labels, kind="row")
        if column not in self.columns:
            raise UnknownNameError(column, self.columns, kind="column")
        return self.rows[self.labels.index(label)][self.columns.index(column)]

    def __str__(self) -> str:
        lines = [
            ("player", *self.columns),
            *((label, *map(_decimal, row)) for label, row in zip(self.labels, self.rows, strict=True)),
        ]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        text = [
            "  ".join(
                c.rjust(w) if i else c.ljust(w) for i, (c, w) in enumerate(zip(line, widths, strict=True))
            )
            for line in lines
        ]
        return "\n".join([*text, self.note] if self.note else text)


def _decimal(value: Cell) -> str:
    return "?" if value is None else f"{float(value):.6g}"


def make_table(
    setup: Setup, state: State, *, columns: Sequence[str] | None = None, public: bool = False
) -> Table:
    """Return the table of a state: the game master's, by name, or the one the rules make public.

    The public one is sorted by number if the rules keep it anonymous, and hides deaths that are not
    certain if the rules do. `columns` default to those of the rules; possible are villager, seer,
    good (human), evil (wolf, werewolf) and dead. Raises GameError for others.
    """
    headings = tuple(columns) if columns is not None else setup.rules.headings
    for heading in headings:
        if heading not in FACTS:
            near = near_misses(heading, FACTS)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise GameError(f"the table has no column {heading!r}{hint} (possible: {', '.join(FACTS)})")
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

    seats = list(range(setup.deck.players))
    anonymous = public and setup.rules.table == "anonymous"
    if anonymous:
        seats.sort(key=setup.numbers.__getitem__)
    return Table(
        labels=tuple(str(setup.numbers[p]) if anonymous else setup.players[p] for p in seats),
        columns=headings,
        rows=tuple(tuple(cell(p, h) for h in headings) for p in seats),
        worlds=state.worlds.size,
        note=f"a random sample of {setup.sample[0]:,} worlds at the start" if setup.sample else "",
    )
