"""`kripke-werewolf knowledge LOG`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kripke_werewolf.cli.sources import load_game

__all__ = ["knowledge_command"]


@click.command("knowledge")
@click.argument("log")
@click.option("--viewer", metavar="PLAYER", help="Only what this player (name or number) knows.")
@click.option(
    "--depth", type=click.IntRange(1, 2), default=1, help="2: also who knows of others what they know."
)
@click.option("--about", metavar="FORMULA", help="Who knows whether this formula is true?")
@click.option("--draw", "drawing", type=click.Path(path_type=Path), help="Draw the matrix to this file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def knowledge_command(
    log: str, viewer: str | None, depth: int, about: str | None, drawing: Path | None, as_json: bool
) -> None:
    """Print who knows what about whom in the game in LOG.

    A row is what one player knows of everybody: the role, if he knows it; otherwise what he can exclude,
    and how likely he holds a wolf, exactly. With --depth 2 a second part says what everybody knows of
    the others' knowledge: yes (he knows that the other knows the role), no (he knows that the other does
    not), open.
    """
    game = load_game(log)
    if about is not None:
        found = game.who_knows(about)
        words = {True: "knows that it is so", False: "knows that it is not so", None: "does not know"}
        if as_json:
            click.echo(json.dumps(found, indent=2, ensure_ascii=False))
        else:
            width = max(map(len, found))
            click.echo("\n".join(f"{player:<{width}}  {words[known]}" for player, known in found.items()))
            if game.setup.sampled:
                click.echo(game.setup.sampled)
        return
    matrix = game.knowledge(depth=depth)
    if viewer is not None:
        matrix = matrix.of(game.players[game.setup.seat(int(viewer) if viewer.isdecimal() else viewer)])
    if drawing is not None:
        from matplotlib.figure import Figure

        from visualise.files import save_figure
        from visualise.game import knowledge_map

        size = 1.6 + 1.5 * len(matrix.players), 0.8 + 0.5 * len(matrix.viewers)
        figure = Figure(figsize=size, layout="constrained")
        knowledge_map(matrix, ax=figure.add_subplot())
        save_figure(figure, drawing)
    click.echo(json.dumps(matrix.to_dict(), indent=2, ensure_ascii=False) if as_json else str(matrix))
