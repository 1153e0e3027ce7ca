"""How commands print: with rich on a terminal, plain text in a pipe, whole files with a rename."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import get_args

import click

from kripke_werewolf.reports.tables import FORMATS, Numbers, Tabular

__all__ = ["format_option", "numbers_option", "print_table", "write_file"]

format_option = click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="The format of the table.",
)
numbers_option = click.option(
    "--as",
    "numbers",
    type=click.Choice(get_args(Numbers)),
    help="How probabilities are shown; by default decimal, in JSON as exact fractions.",
)


def print_table(table: Tabular, form: str, numbers: Numbers | None) -> None:
    """Print a table in one of the formats; as text on a terminal it is ruled."""
    if form == "text" and sys.stdout.isatty():
        from rich.console import Console

        Console().print(table.to_rich(numbers or "decimal"))
        return
    shown = numbers or ("fractions" if form == "json" else "decimal")
    click.echo(FORMATS[form](table, shown))
    note = table.grid(shown).note
    if form == "csv" and note:  # there is no place for it among the values
        click.echo(f"note: {note}", err=True)


def write_file(path: Path, content: str) -> None:
    """Write a text to a file, whole or not at all; raises `FormatError`."""
    from visualise.files import write_aside

    write_aside(path, content.encode())
