"""`kripke-werewolf undo LOG`."""

from __future__ import annotations

import click

from kripke_werewolf.errors import IllegalMove
from kripke_werewolf.werewolf.log import LogFile
from kripke_werewolf.werewolf.story import sentence, worlds_text

__all__ = ["undo_command"]


@click.command("undo")
@click.argument("log")
@click.option("--steps", type=click.IntRange(min=1), default=1, show_default=True, help="How many steps.")
def undo_command(log: str, steps: int) -> None:
    """Take back the last steps of the game in LOG; the log keeps them, and says that they were undone."""
    with LogFile.open(log) as file:
        if file.notice:
            click.echo(f"note: {file.notice}", err=True)
        game = file.game
        if steps > len(game.steps):
            raise IllegalMove(f"cannot undo {steps}: the game has {len(game.steps)} steps")
        file.write(game.at(len(game.steps) - steps))
        for number in range(len(game.steps), len(game.steps) - steps, -1):
            told = " ".join(text for event in game.steps[number - 1] if (text := sentence(event)))
            click.echo(f"undone: step {number}: {told or 'the end of the phase.'}")
        click.echo(f"now: step {len(file.game.steps)}, {file.game.phase}, {worlds_text(file.game.size)}")
