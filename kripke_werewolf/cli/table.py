"""`kripke-werewolf table LOG`."""

from __future__ import annotations

import click

from kripke_werewolf.cli.sources import load_game

__all__ = ["table_command"]


@click.command("table")
@click.argument("log")
def table_command(log: str) -> None:
    """Print the probability table of the game in LOG, as the game master sees it."""
    click.echo(str(load_game(log).table()))
