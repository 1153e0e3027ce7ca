"""The output of commands: text or JSON, and files."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias

import click

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.files import write_aside

Tell: TypeAlias = Callable[..., None]
"""What moves a line of progress."""


def print_json(content: object, *, indent: int | None = 2) -> None:
    """Print JSON for programs."""
    click.echo(json.dumps(content, indent=indent, ensure_ascii=False))


def columns(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the rows as lines of aligned columns, two spaces apart."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def note(*messages: object) -> None:
    """Print remarks on standard error, apart from the answer."""
    for message in messages:
        click.echo(f"note: {message}", err=True)


@contextmanager
def progress_shown(what: str, total: int | None = None) -> Iterator[Tell]:
    """Show the progress in a line on standard error, if that is a terminal; yield what moves it.

    That is called with the number of steps that were made, or with `done`, the number of all so far.
    """
    if not sys.stderr.isatty():
        yield lambda steps=0, *, done=None: None
        return
    made, shown = 0, 0.0
    whole = "" if total is None else f" of {total:,}"

    def tell(steps: int = 0, *, done: int | None = None) -> None:
        nonlocal made, shown
        made = made + steps if done is None else done
        if monotonic() > shown + _SELDOM:
            shown = monotonic()
            click.echo(f"\r{what}: {made:,}{whole}", nl=False, err=True)

    try:
        yield tell
    finally:
        click.echo(f"\r{_CLEARED}", nl=False, err=True)


_SELDOM = 0.1  # seconds between two lines
_CLEARED = "\033[K"  # the rest of the line


def check_new(*paths: Path) -> None:
    """Raise `FormatError` for a file in no folder, and for one that exists, unless `--force` was given."""
    for path in paths:
        if path.is_file() and not click.get_current_context().params.get("force"):
            raise FormatError(f"{path} exists; add --force to write over it")
        if not path.parent.is_dir():
            raise FormatError(f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}")
        if not os.access(path.parent, os.W_OK):
            raise FormatError(f"cannot write {str(path)!r}: no permission to write into {str(path.parent)!r}")


def page_apart(start: Mapping[str, Any], *, online: bool, pyodide: Path | None, **how: Any) -> str:
    """Return the page of the explorer that needs no server: with Pyodide in it, or `online` without."""
    from kripke_werewolf.teach.explorer.page.html import offline_page, online_page
    from kripke_werewolf.teach.explorer.page.pyodide import bundle

    if not online:
        return offline_page(start, bundle(pyodide), **how)
    if pyodide is not None:
        raise FormatError("--online loads Pyodide from its CDN; --pyodide is for pages that contain it")
    return online_page(start, **how)


def write_file(path: Path | None, content: str, *, secret: bool = False) -> None:
    """Write a string to a file, completely or not at all, or print it; raises `FormatError`.

    `secret`: only the owner of the file can read it.
    """
    if path is None:
        click.echo(content, nl=False)
    else:
        write_aside(path, content.encode(), secret=secret)
