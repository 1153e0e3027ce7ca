"""`kripke-werewolf handout LOG --player NAME`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import click

from kripke_werewolf.cli.output import write_file
from kripke_werewolf.cli.sources import load_game, player_named
from kripke_werewolf.werewolf.handout import Handout

__all__ = ["handout_command"]

_WRITERS: Mapping[str, Callable[[Handout], str]] = {
    "text": lambda handout: f"{handout}\n",
    "markdown": Handout.to_markdown,
    "html": Handout.to_page,
    "json": lambda handout: handout.to_json() + "\n",
}


@click.command("handout")
@click.argument("log")
@click.option("--player", required=True, help="Whose handout, by name or number.")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(_WRITERS)),
    default="text",
    show_default=True,
    help="The format.",
)
@click.option("--step", type=int, metavar="N", help="What was known after N steps; by default now.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file to write it to."
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def handout_command(
    log: str, player: str, form: str, step: int | None, output: Path | None, as_json: bool
) -> None:
    """Print what one player of the game in LOG may know, and nothing else.

    Own number, own visions and attacks, what was announced, and the tables as they were made public.
    """
    game = load_game(log)
    handout = (game if step is None else game.at(step)).handout(player_named(game, player))
    text = _WRITERS["json" if as_json else form](handout)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_file(output, text)
