"""How commands print: with rich on a terminal, plain text in a pipe, whole files with a rename."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import get_args

import click

from kripke_werewolf.errors import FormatError
from kripke_werewolf.werewolf.tabular import FORMATS, Numbers, Tabular

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
    click.echo(FORMATS[form](table, numbers or ("fractions" if form == "json" else "decimal")))


def write_file(path: Path, content: str) -> None:
    """Write a text under another name in its folder and rename it: no half of it is ever there.

    Raises FormatError if it cannot be written.
    """
    aside = None
    try:
        handle, aside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(content)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(aside, 0o666 & ~mask)
        os.replace(aside, path)
    except OSError as error:
        if aside is not None and os.path.exists(aside):
            os.unlink(aside)
        raise FormatError(f"cannot write {str(path)!r}: {error.strerror or error}") from None
