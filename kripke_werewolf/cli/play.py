"""`kripke-werewolf play`."""

from __future__ import annotations

import sys
from dataclasses import fields
from io import TextIOWrapper
from pathlib import Path
from typing import Any, get_args, get_type_hints

import click
import numpy as np

from kripke_werewolf.cli.several import Several, SeveralValues
from kripke_werewolf.console.master import Master
from kripke_werewolf.console.rounds import Rounds
from kripke_werewolf.console.session import Session
from kripke_werewolf.console.terminal import PlainTerminal, PromptTerminal
from kripke_werewolf.errors import FormatError, GameError, KripkeError
from kripke_werewolf.werewolf.game import QuantumWerewolf
from kripke_werewolf.werewolf.house import HouseRules, Ties, Unacted
from kripke_werewolf.werewolf.log import LogFile
from kripke_werewolf.werewolf.rules import PRESETS, Rules, preset
from kripke_werewolf.werewolf.setting import ENGINES, Engine

__all__ = ["play_command"]


@click.command("play", cls=SeveralValues)
@click.argument("log", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--rules", "rule_set", help=f"The rule set: {', '.join(PRESETS)}; by default straat.")
@click.option("--players", cls=Several, metavar="NAME…", help="The players' names, in seat order.")
@click.option("--wolves", type=int, help="How many wolves; by default what the rules call usual.")
@click.option("--seers", type=int, help="How many seers; by default 1.")
@click.option("--targets", help="Whether targets are secret (by default) or public.")
@click.option("--deal", help="A quantum deal (by default) or a classical one.")
@click.option("--sample", type=int, help="Play with at most so many random worlds instead of all.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the rules.")
@click.option("--burnings", type=int, help="How many may be voted off in one day; short for an option.")
@click.option(
    "--ties",
    type=click.Choice(get_args(Ties)),
    help="Who decides ties; by default the lot. The log keeps it.",
)
@click.option(
    "--missing",
    type=click.Choice(get_args(Unacted)),
    help="What becomes of compulsory actions that nobody took when a phase shall end; by default it "
    "does not end (remind). The log keeps it.",
)
@click.option("--seed", type=int, help="Draw everything from this seed. The log keeps it.")
@click.option("--log", "new_log", type=click.Path(dir_okay=False, path_type=Path), help="The new log.")
@click.option(
    "--engine",
    type=click.Choice(["auto", *ENGINES]),
    default="auto",
    show_default=True,
    help="How the superposition is represented.",
)
@click.option(
    "--screen",
    type=click.Choice(["shared", "master"]),
    help="One device for everybody, handed round, or the game master's own. On a terminal: shared.",
)
@click.option(
    "--hand-over",
    type=click.Choice(["everybody", "acting"]),
    default="everybody",
    show_default=True,
    help="Who gets a shared device by night: all the living, or only those with a choice.",
)
def play_command(
    log: Path | None,
    rule_set: str | None,
    players: tuple[str, ...],
    options: tuple[str, ...],
    burnings: int | None,
    ties: Ties | None,
    missing: Unacted | None,
    seed: int | None,
    new_log: Path | None,
    engine: Engine,
    screen: str | None,
    hand_over: str,
    **settings: Any,
) -> None:
    """Play a game of Quantum Werewolf; every move is saved before it is acknowledged.

    \b
      kripke-werewolf play --rules cisra --players Ann Bo Cy Di Ed --log g.jsonl
      kripke-werewolf play g.jsonl                       go on with it

    On a terminal the device is handed from player to player. From a file or pipe, and with
    --screen master, it reads one command a line:

    \b
      vision PLAYER TARGET [as RESULT]    attack PLAYER TARGET    decline PLAYER
      vote PLAYER [PLAYER …] [as ROLE]    end [pass | random]     undo [STEPS | phase]
      table [master]    status    numbers    help    quit

    Players go by name or number; several names in a vote are a tie. "as" forces what is otherwise
    drawn. A refused command in a script ends it with exit code 2; what came before is saved.
    """
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if isinstance(sys.stdout, TextIOWrapper):  # no name shall stop a game
        sys.stdout.reconfigure(errors="backslashreplace")
    if seed is not None and seed < 0:
        raise GameError(f"seed={seed} is not possible; give an integer of at least 0")
    settings = {name: value for name, value in settings.items() if value is not None}
    fresh = int(np.random.default_rng().integers(2**62)) if seed is None else seed
    if log is not None:
        fixed = {"players": players, "rules": rule_set, "option": options, "log": new_log}
        _refuse_settings(log, {**fixed, "burnings": burnings, **settings})
        file = LogFile.open(log, engine=engine)
        house, kept = file.session or (HouseRules(), fresh)
        session = _house(house, ties, missing), kept if seed is None else seed
    else:
        rules = _rules(rule_set or "straat", options, burnings)
        game = QuantumWerewolf(
            list(players) or _ask_players(on_terminal),
            rules=rules,
            numbers="shuffled" if rules.table == "anonymous" else None,
            engine=engine,
            rng=fresh,
            **settings,
        )
        session = _house(HouseRules(), ties, missing), fresh
        file = LogFile.create(new_log or Path("game.jsonl"), game, session=session)
    with file:
        if file.notice:
            click.echo(f"note: {file.notice}", err=True)
        file.settle(*session)
        shared = (screen or ("shared" if on_terminal else "master")) == "shared"
        _play(
            Session(file, session[0], seed=session[1], waits=shared),
            shared,
            on_terminal,
            hand_over == "everybody",
        )
        over = file.game.verdict is not None
        click.echo(f"The game is saved in {file.path}.")
        more = f"report {file.path} -o report.html" if over else f"play {file.path}"
        click.echo(f"{'To read it' if over else 'To go on'}: kripke-werewolf {more}")


def _play(session: Session, shared: bool, on_terminal: bool, everybody: bool) -> None:
    if shared:
        Rounds(session, PromptTerminal() if on_terminal else PlainTerminal(), everybody=everybody).run()
    elif on_terminal:
        Master(session, PromptTerminal(), patient=True).run()
    else:
        terminal = PlainTerminal()
        try:
            Master(session, terminal, patient=False).run()
        except FormatError:
            raise
        except KripkeError as error:
            saved = f"what came before is saved in {session.log.path}"
            raise GameError(f"line {terminal.line} of the script is refused: {error} ({saved})") from None


def _house(kept: HouseRules, ties: Ties | None, missing: Unacted | None) -> HouseRules:
    return HouseRules(ties or kept.ties, missing or kept.missing)


def _refuse_settings(log: Path, given: dict[str, object]) -> None:
    """Refuse what cannot be changed in a game that has begun."""
    for name, value in given.items():
        if value not in (None, ()):
            raise GameError(
                f"{str(log)!r} has its players and rules, which stay; leave out --{name} to go on with it"
            )


def _ask_players(on_terminal: bool) -> list[str]:
    if not on_terminal:
        raise GameError("who plays? Give --players NAME…, or the log of a game to go on with")
    line = PromptTerminal().ask("Who plays? Names, separated by commas: ")
    return [name.strip() for name in line.split(",")]


def _rules(name: str, options: tuple[str, ...], burnings: int | None) -> Rules:
    """Return a preset with options given as NAME=VALUE."""
    values = dict(_option(text) for text in options)
    if burnings is not None:
        values["burnings"] = burnings
    return preset(name, **values)


def _option(text: str) -> tuple[str, object]:
    """Return the name of an option and its value, read as its type wants it."""
    name, equals, value = text.partition("=")
    if not equals:
        raise GameError(f"the option {text!r} has no value; write NAME=VALUE, such as first_attack=true")
    name = name.strip().replace("-", "_")
    hint = get_type_hints(Rules).get(name) if name in {f.name for f in fields(Rules)} else None
    value = value.strip()
    if hint is bool:
        known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        return name, known.get(value.casefold(), value)
    if value.casefold() == "none" and hint == int | None:
        return name, None
    if hint in (int, int | None) and value.lstrip("-").isdecimal():
        return name, int(value)
    if str(hint).startswith("tuple"):
        return name, tuple(part.strip() for part in value.split(","))
    return name, value
