"""Tables on a small screen: aligned percentages, rows in blocks side by side, pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil
from typing import TypeVar

from kripke_werewolf.reports.tables import Grid, cell_width
from kripke_werewolf.tabletop.views import aligned_percentages
from kripke_werewolf.werewolf import Table
from kripke_werewolf.wording import ENGLISH, Sentence, in_language

T = TypeVar("T")
_SHORT = {"number": "no.", "villager": "vill.", "werewolf": "wolf"}
"""The headings that are shortened to save space."""
_BETWEEN = "   |  "
"""The separator of two blocks of rows."""


def table_text(table: Table, size: tuple[int, int] | None = None, *, language: str = ENGLISH) -> str:
    """Return a public table with aligned percentages, in as many blocks as the screen needs.

    `size`: the columns and lines of the screen; None for no limit.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], rules="cisra", wolves=1).end_phase()
    >>> game = game.vote_off("Cy", role="villager").attack("Ann", "Bo").end_phase()
    >>> print(table_text(game.table(public=True), (64, 4)))
    number    good   evil    dead   |  number    good   evil    dead
    1        66.7%  33.3%    0%     |  3       100%     0%    100%
    2        66.7%  33.3%   33.3%   |  4        66.7%  33.3%    0%
    left: 6 worlds
    """
    grid, after = _aligned(table.grid("percent"), language), list[str]()
    if grid.note:
        after.append(grid.note)
    if table.worlds is not None:
        after.append(in_language(Sentence("left", n=table.worlds), language))
    return "\n".join([*blocks(grid, size, less=len(after)), *after])


def _aligned(grid: Grid, language: str) -> Grid:
    """Return a table of percentages in a language, with aligned decimals; 0% and 100% are exact."""
    columns = [list(column) for column in zip(*grid.rows, strict=True)]
    for place, column in enumerate(columns[1:], start=1):
        aligned, blanks = aligned_percentages(column), dict[str, str]()
        if any("." in cell for cell in aligned):
            blanks = {"0%": "  ", "100%": "  "}
        columns[place] = [in_language(cell, language) + blanks.get(cell, "") for cell in aligned]
    return replace(in_language(grid, language), rows=tuple(zip(*columns, strict=True)))


def blocks(grid: Grid, size: tuple[int, int] | None, *, less: int = 0) -> list[str]:
    """Return the lines of a table, in blocks of rows side by side if it is too long.

    `less`: the number of lines needed for other things.
    """
    rows = len(grid.rows)
    whole = Grid(grid.header, grid.rows, words=grid.words).to_text().split("\n")
    if size is None or rows + 1 + less <= size[1]:
        return whole
    best, columns = whole, size[0]
    for header in (grid.header, tuple(_SHORT.get(word, word) for word in grid.header)):
        for number in range(2, rows + 1):
            each = ceil(rows / number)
            lines = _beside(header, grid.rows, each, grid.words)
            if max(map(cell_width, lines)) > columns:
                break
            if len(lines) < len(best):
                best = lines
            if len(best) + less <= size[1]:
                return best
    return best


def _beside(header: tuple[str, ...], rows: Sequence[tuple[str, ...]], each: int, words: bool) -> list[str]:
    """Return rows in blocks of `each`, all equally wide."""
    blank = tuple("" for _ in header)
    parts = [rows[start : start + each] for start in range(0, len(rows), each)]
    padded = [[*part, *[blank] * (each - len(part))] for part in parts]
    whole = Grid(header, tuple(row for part in padded for row in part), words=words)
    head, *body = whole.to_text().split("\n")
    width = max(map(cell_width, [head, *body]))
    columns = [[head, *body[start : start + each]] for start in range(0, len(body), each)]
    lines = zip(*columns, strict=True)
    return [
        _BETWEEN.join(cell + " " * (width - cell_width(cell)) for cell in line).rstrip() for line in lines
    ]


def pages(lines: Sequence[T], height: int) -> Iterator[list[T]]:
    """Yield lines in pages of at most `height`, all full except the first, since the last is read longest.

    >>> [len(page) for page in pages(["line"] * 25, 10)]
    [5, 10, 10]
    """
    first = len(lines) % height
    if first or not lines:
        yield list(lines[:first])
    for start in range(first, len(lines), height):
        yield list(lines[start : start + height])
