"""`kripke-werewolf branch LOG --step N -o NEW`."""

from __future__ import annotations

import json
from pathlib import Path

import click
import numpy as np

from kripke_werewolf.cli.output import numbers_option
from kripke_werewolf.cli.sources import load_game
from kripke_werewolf.console.language import Command, parse
from kripke_werewolf.errors import GameError, KripkeError
from kripke_werewolf.reports.tables import Numbers
from kripke_werewolf.werewolf.changes import compare
from kripke_werewolf.werewolf.draws import Chance
from kripke_werewolf.werewolf.game import QuantumWerewolf
from kripke_werewolf.werewolf.log import LogFile, read_log

__all__ = ["branch_command"]


@click.command("branch")
@click.argument("log")
@click.option("--step", type=int, required=True, metavar="N", help="How many steps to keep.")
@click.option(
    "-o",
    "--output",
    "new",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The new log.",
)
@click.option("--move", "moves", multiple=True, metavar="MOVE", help="A move to make there, as in play.")
@click.option("--against", type=int, metavar="N", help="Compare with LOG after N steps.")
@click.option("--seed", type=int, help="Draw the outcomes of the moves from this seed.")
@numbers_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def branch_command(
    log: str,
    step: int,
    new: Path,
    moves: tuple[str, ...],
    against: int | None,
    seed: int | None,
    numbers: Numbers | None,
    as_json: bool,
) -> None:
    """Begin a new log with the first N steps of LOG, make moves there, and say what is different.

    What if Ann had looked at Cy?

    \b
      kripke-werewolf branch g.jsonl --step 0 -o h.jsonl --move "vision Ann Cy"

    The difference is to LOG after as many steps if moves were made, otherwise to LOG as it stands.
    """
    game = load_game(log)
    there = game.at(step)
    if moves:
        seed = int(np.random.default_rng().integers(2**62)) if seed is None else seed
        there = there.with_draw(Chance(seed))
        for text in moves:
            command = parse(text, game.setup)
            try:
                there = there if command is None else _made(there, command)
            except KripkeError as error:
                raise GameError(f"the move {text!r} is refused: {error}") from None
    if against is None:
        against = min(len(there.steps), len(game.steps)) if moves else len(game.steps)
    before = game.at(against)
    change = compare(before, there)
    with LogFile.create(new, there, session=read_log(log).session):
        pass
    if as_json:
        click.echo(json.dumps(change.to_dict(numbers or "fractions"), indent=2, ensure_ascii=False))
        return
    click.echo("; ".join([f"{new}: {log} up to step {step}", *moves]))
    click.echo(f"difference: {log}, step {against} → {new}, step {len(there.steps)}")
    click.echo(change.to_text(numbers or "decimal"))


def _made(game: QuantumWerewolf, command: Command) -> QuantumWerewolf:
    match command:
        case Command("vision", (actor, target), word):
            return game.vision(actor, target, result=word)
        case Command("attack", (actor, target)):
            return game.attack(actor, target)
        case Command("decline", (actor,)):
            return game.decline(actor)
        case Command("vote", players, word):
            return game.vote_off(players if len(players) > 1 else players[0], role=word)
        case Command("end", _, word):
            return game.end_phase(missing="random" if word == "random" else "pass" if word else None)
    raise GameError(f"{command.verb!r} is no move")
