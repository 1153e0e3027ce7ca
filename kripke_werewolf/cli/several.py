"""Options that take several values in a row: `--players Ann Bo Cy`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

__all__ = ["Several", "SeveralValues"]


class Several(click.Option):
    """An option with one or more values: separate words, or one word with commas."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **{**settings, "multiple": True})

    def process_value(self, ctx: click.Context, value: Any) -> tuple[str, ...]:
        """Split a single value at its commas; several values are taken as they are."""
        values: tuple[str, ...] = super().process_value(ctx, value) or ()
        if len(values) == 1 and "," in values[0]:
            return tuple(part.strip() for part in values[0].split(","))
        return values


class SeveralValues(click.Command):
    """A command in which a `Several` option takes all words up to the next option.

    A value that begins with a dash is written `--players=-x`.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each of its values, as click wants it."""
        options = {name for param in self.params if isinstance(param, Several) for name in param.opts}
        return super().parse_args(ctx, list(_repeated(args, options)))


def _repeated(args: list[str], options: set[str]) -> Iterator[str]:
    option, given = None, True
    for place, arg in enumerate(args):
        if arg == "--":
            yield from args[place:]
            return
        if option is not None and not arg.startswith("-"):
            yield from (option, arg)
            given = True
            continue
        if not given and option is not None:
            yield option  # without a value: click says so
        option, given = (arg, False) if arg in options else (None, True)
        if option is None:
            yield arg
    if not given and option is not None:
        yield option
