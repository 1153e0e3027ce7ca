"""`kripke-werewolf replay LOG`."""

from __future__ import annotations

import json

import click

from kripke_werewolf.cli.output import numbers_option, print_table
from kripke_werewolf.cli.sources import load_game
from kripke_werewolf.reports.tables import Numbers
from kripke_werewolf.werewolf.story import describe_setup, story, worlds_text

__all__ = ["replay_command"]


@click.command("replay")
@click.argument("log")
@click.option("--step", type=int, metavar="N", help="Only the first N steps.")
@numbers_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def replay_command(log: str, step: int | None, numbers: Numbers | None, as_json: bool) -> None:
    """Tell the game in LOG step by step, with everything that is secret, and print the table then."""
    game = load_game(log)
    if step is not None:
        game = game.at(step)
    if as_json:
        values = {
            "setting": describe_setup(game.setup),
            "players": list(game.players),
            "steps": [episode.to_dict() for episode in story(game)],
            "phase": str(game.phase),
            "alive": list(game.alive),
            "verdict": game.verdict,
            "results": game.results,
            "table": game.table().to_dict(numbers or "fractions"),
        }
        click.echo(json.dumps(values, indent=2, ensure_ascii=False))
        return
    click.echo(f"{describe_setup(game.setup)}\nPlayers: {', '.join(game.players)}.")
    phase = None
    for episode in story(game):
        if episode.step and episode.phase != phase:
            phase = episode.phase
            click.echo(f"\n{phase}")
        number = f"{episode.step:4}  " if episode.step else "      "
        text = " ".join(episode.sentences) or ("The phase ends." if episode.step else "The start.")
        click.echo(f"{number}{text} [{worlds_text(episode.worlds)}]")
    over = f"over: {game.verdict}" if game.verdict else f"{game.phase}"
    click.echo(f"\nAfter step {len(game.steps)}: {over}. Alive: {', '.join(game.alive) or 'nobody'}.\n")
    print_table(game.table(), "text", numbers)
