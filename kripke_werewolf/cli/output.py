"""The output of commands: text or JSON, and files."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.files import write_aside

if TYPE_CHECKING:
    from kripke_werewolf.base.reports.tables import Grid
    from kripke_werewolf.logic.models import KripkeModel
    from kripke_werewolf.logic.semantics.verdict import Verdict


_FEW = 8  # worlds that are listed by name


def print_json(content: object, *, indent: int | None = 2) -> None:
    """Print JSON for programs."""
    click.echo(json.dumps(content, indent=indent, ensure_ascii=False))


def columns(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the rows as lines of aligned columns, two spaces apart."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def grid_text(grid: Grid) -> str:
    """Return a table as it is printed: ruled on a terminal, in plain columns otherwise."""
    if not sys.stdout.isatty():
        return grid.to_text()
    from rich.console import Console

    console = Console()
    with console.capture() as ruled:
        console.print(grid.to_rich(), end="")
    return ruled.get()


def note(*messages: object) -> None:
    """Print remarks on standard error, apart from the answer."""
    for message in messages:
        click.echo(f"note: {message}", err=True)


def in_words(verdict: Verdict, *, yes: str = "yes", no: str = "no", mixed: str = "in {} of {} worlds") -> str:
    """Return a verdict in words; `mixed` has places for the numbers of satisfied and of all worlds.

    >>> from kripke_werewolf.logic.semantics.verdict import Verdict
    >>> in_words(Verdict.of(2, 2)), in_words(Verdict.of(1, 2)), in_words(Verdict.of(1, 2), mixed="{}/{}")
    ('yes', 'in 1 of 2 worlds', '1/2')
    """
    return {"true": yes, "false": no}.get(verdict) or mixed.format(verdict.satisfied, verdict.total)


def few_worlds(model: KripkeModel) -> str:
    """Return the names of the worlds if they are few, else an empty string."""
    from kripke_werewolf.logic.semantics.explanation import world_text

    return f": {', '.join(map(world_text, model.worlds))}" if len(model) <= _FEW else ""


def check_new(*paths: Path) -> None:
    """Raise `FormatError` for a file that exists, unless the command was called with `--force`."""
    if click.get_current_context().params.get("force"):
        return
    for path in paths:
        if path.is_file():
            raise FormatError(f"{path} exists; add --force to write over it")


def write_file(path: Path | None, content: str, *, secret: bool = False) -> None:
    """Write a string to a file, completely or not at all, or print it; raises `FormatError`.

    `secret`: only the owner of the file can read it.
    """
    if path is None:
        click.echo(content, nl=False)
    else:
        write_aside(path, content.encode(), secret=secret)
