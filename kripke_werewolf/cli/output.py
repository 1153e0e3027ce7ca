"""The output of commands: text or JSON, files, and exit codes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from kripke_werewolf.files import write_aside

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from kripke_werewolf.models import KripkeModel
    from kripke_werewolf.reports.tables import Grid
    from kripke_werewolf.semantics.verdict import Verdict


_FEW = 8  # worlds that are listed by name


class WholeHelps(click.Group):
    """A group whose help shows the whole first sentence of each command."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with their first sentences."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        with formatter.section("Commands"):
            formatter.write_dl([(name, c.get_short_help_str(limit=200)) for name, c in commands if c])


class WithDefault(WholeHelps):
    """A group that runs the command `default` if none is named."""

    def __init__(self, *args: Any, default: str, **named: Any) -> None:
        super().__init__(*args, **named)
        self.default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments of the command that is named or meant."""
        named = args and args[0] in (*self.commands, "-h", "--help")
        return super().parse_args(ctx, args if named or not args else [self.default, *args])


def print_json(content: object, *, indent: int | None = 2) -> None:
    """Print JSON for programs."""
    click.echo(json.dumps(content, indent=indent, ensure_ascii=False))


def tell(lines: Iterable[str], content: object, *, as_json: bool, indent: int | None = 2) -> None:
    """Print an answer as lines of text, or as JSON."""
    if as_json:
        print_json(content, indent=indent)
    else:
        for line in lines:
            click.echo(line)


def columns(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the rows as lines of aligned columns, two spaces apart."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def print_grid(grid: Grid) -> None:
    """Print a table: ruled on a terminal, in plain columns otherwise."""
    if sys.stdout.isatty():
        from rich.console import Console

        Console().print(grid.to_rich())
    else:
        click.echo(grid.to_text())


def note(*messages: object) -> None:
    """Print remarks on standard error, apart from the answer."""
    for message in messages:
        click.echo(f"note: {message}", err=True)


def in_words(verdict: Verdict, *, yes: str = "yes", no: str = "no", mixed: str = "in {} of {} worlds") -> str:
    """Return a verdict in words; `mixed` has places for the numbers of satisfied and of all worlds.

    >>> from kripke_werewolf.semantics.verdict import Verdict
    >>> in_words(Verdict.of(2, 2)), in_words(Verdict.of(1, 2)), in_words(Verdict.of(1, 2), mixed="{}/{}")
    ('yes', 'in 1 of 2 worlds', '1/2')
    """
    return {"true": yes, "false": no}.get(verdict) or mixed.format(verdict.satisfied, verdict.total)


def few_worlds(model: KripkeModel) -> str:
    """Return the names of the worlds if they are few, else an empty string."""
    from kripke_werewolf.semantics.explanation import world_text

    return f": {', '.join(map(world_text, model.worlds))}" if len(model) <= _FEW else ""


def exit_with(yes: bool) -> NoReturn:
    """End the command with exit code 0 for yes, 1 for no."""
    click.get_current_context().exit(0 if yes else 1)


def write_file(path: Path | None, content: str, *, secret: bool = False) -> None:
    """Write a string to a file, completely or not at all, or print it; raises `FormatError`.

    `secret`: only the owner of the file can read it.
    """
    if path is None:
        click.echo(content, nl=False)
    else:
        write_aside(path, content.encode(), secret=secret)


def save_plot(path: Path, size: tuple[float, float], plot: Callable[[Axes], object]) -> None:
    """Draw a figure of this size in inches into a file; raises `FormatError`."""
    from matplotlib.figure import Figure

    from visualise.matplotlib_output import save_figure

    figure = Figure(figsize=size, layout="constrained")
    plot(figure.add_subplot())
    save_figure(figure, path)
