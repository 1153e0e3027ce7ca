"""`kripke-werewolf table LOG`."""

from __future__ import annotations

import json

import click

from kripke_werewolf.cli.output import format_option, numbers_option, print_table
from kripke_werewolf.cli.sources import load_game, player_named
from kripke_werewolf.errors import GameError
from kripke_werewolf.reports.tables import Numbers
from kripke_werewolf.werewolf.changes import TableChange
from kripke_werewolf.werewolf.game import QuantumWerewolf
from kripke_werewolf.werewolf.table import Table

__all__ = ["table_command"]


@click.command("table")
@click.argument("log")
@format_option
@numbers_option
@click.option("--public", is_flag=True, help="The table that the rules make public, not the game master's.")
@click.option("--viewer", metavar="PLAYER", help="The table as this player sees it, who knows what he did.")
@click.option("--step", type=int, metavar="N", help="The table after N steps; by default now.")
@click.option("--diff", type=int, metavar="N", help="What has changed since the table after N steps.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def table_command(
    log: str,
    form: str,
    numbers: Numbers | None,
    public: bool,
    viewer: str | None,
    step: int | None,
    diff: int | None,
    as_json: bool,
) -> None:
    """Print the probability table of the game in LOG, by default as the game master sees it."""
    if public and viewer is not None:
        raise GameError("--public and --viewer are two different tables; give one of them")
    whole = load_game(log)
    game = whole if step is None else whole.at(step)
    table = _table(game, public, viewer)
    if as_json or form == "json":
        content = {"step": len(game.steps), "phase": str(game.phase), "verdict": game.verdict}
        shown = table if diff is None else TableChange(_table(whole.at(diff), public, viewer), table)
        values = {**content, **shown.to_dict(numbers or "fractions")}
        click.echo(json.dumps(values, indent=2, ensure_ascii=False))
    elif diff is None:
        print_table(table, form, numbers)
    else:
        before = whole.at(diff)
        if form == "text":
            click.echo(f"step {diff} → {len(game.steps)}, worlds: {before.size:,} → {game.size:,}\n")
        print_table(TableChange(_table(before, public, viewer), table), form, numbers)


def _table(game: QuantumWerewolf, public: bool, viewer: str | None) -> Table:
    return game.table(public=public) if viewer is None else game.table(viewer=player_named(game, viewer))
