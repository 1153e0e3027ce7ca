"""The command `host`: a game of Quantum Werewolf on everybody's phone."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any, get_args

import click

from kripke_werewolf.cli.output import NEW_FILE, note
from kripke_werewolf.cli.play import Several, SeveralValues, read_rules, refuse_settings
from kripke_werewolf.errors import GameError
from kripke_werewolf.host.seats import SeatsFile
from kripke_werewolf.tabletop import PHONES, Keeper
from kripke_werewolf.werewolf import PRESETS, LogFile, QuantumWerewolf
from kripke_werewolf.werewolf.log import Absent, Ballot, HouseRules, Ties, Unacted
from kripke_werewolf.werewolf.setup import ENGINES

_HOUSE = ("ties", "missing", "ballot", "absent", "night_seconds", "day_seconds")


@click.command("host", cls=SeveralValues)
@click.argument("log", required=False, type=NEW_FILE, default=Path("game.jsonl"))
@click.option("--rules", "rule_set", help=f"The rule set: {', '.join(PRESETS)}; by default straat.")
@click.option("--players", cls=Several, metavar="NAME…", help="Who plays; by default whoever joins.")
@click.option("--wolves", type=int, help="How many wolves; by default what the rules call usual.")
@click.option("--seers", type=int, help="How many seers; by default 1.")
@click.option("--targets", help="Whether targets are secret (by default) or public.")
@click.option("--deal", help="A quantum deal (by default) or a classical one: ordinary Werewolf.")
@click.option("--sample", type=int, help="Play with at most so many random worlds instead of all.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the rules.")
@click.option("--burnings", type=int, help="How many may be voted off in one day; short for an option.")
@click.option("--ballot", type=click.Choice(get_args(Ballot)), help="How the village votes; by default open.")
@click.option("--ties", type=click.Choice(get_args(Ties)), help="Who decides ties; by default the lot.")
@click.option(
    "--missing",
    type=click.Choice(get_args(Unacted)),
    help="What becomes of compulsory actions that nobody took when time is up; by default pass.",
)
@click.option(
    "--absent",
    type=click.Choice(get_args(Absent)),
    help="What becomes of the actions of players who are away; by default pass.",
)
@click.option("--night-seconds", type=int, help="How long a phase of the night may take.")
@click.option("--day-seconds", type=int, help="How long a day may take.")
@click.option("--seed", type=int, help="Draw everything from this seed. The log keeps it.")
@click.option(
    "--engine",
    type=click.Choice(["auto", *ENGINES]),
    default="auto",
    show_default=True,
    help="How the superposition is represented.",
)
@click.option("--address", default="0.0.0.0", help="Listen at this address only, such as 127.0.0.1.")
@click.option("--port", type=int, default=8700, show_default=True, help="The port.")
@click.option("--name", "names", multiple=True, help="A name under which phones reach this machine.")
@click.option(
    "--tls",
    nargs=2,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="CERT KEY",
    help="Encrypt everything with this certificate.",
)
def host_command(
    log: Path,
    seed: int | None,
    engine: Any,
    address: str,
    port: int,
    names: tuple[str, ...],
    tls: tuple[Path, Path] | None,
    **given: Any,
) -> None:
    """Host a game of Quantum Werewolf: players join on their phones, in the browser.

    \b
      kripke-werewolf host friday.jsonl --rules cisra      begin an evening
      kripke-werewolf host friday.jsonl                    go on with it

    Prints an address, a QR code and a short code to join with. Every move is saved in LOG before it is
    acknowledged (by default game.jsonl); who has which seat stands in a private file beside it. Whoever
    joins first begins the game; the page of the game master is there for everything else, and nobody has
    to use it.
    """
    try:
        from kripke_werewolf.host.evening import Evening
        from kripke_werewolf.host.serving import bound, serve
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in ("starlette", "uvicorn", "segno"):
            raise
        advice = "pip install 'kripke-werewolf[host]'"
        raise GameError(f"this needs {name}, which is not installed: {advice}") from None

    if seed is not None and seed < 0:
        raise GameError(f"seed={seed} is not possible; give an integer of at least 0")
    given = {name: value for name, value in given.items() if value not in (None, ())}
    with SeatsFile(log) as file, bound(address, port) as listening:
        known = dict(file.seats.settings) if file.seats is not None else {}
        exists = log.is_file() and log.stat().st_size > 0
        if exists:
            fixed = {("rules" if k == "rule_set" else k): v for k, v in given.items() if k not in _HOUSE}
            refuse_settings(log, fixed)
        elif file.seats is not None and (given or seed is not None):
            raise GameError(
                f"players are waiting at {str(log)!r} with settings that stay; give none, "
                f"or delete {str(file.path)!r} to begin anew"
            )
        elif file.seats is None:
            known = {**given, "seed": secrets.randbits(62) if seed is None else seed, "engine": engine}
        house = _house(known if not exists else {})

        def begin(players: tuple[str, ...]) -> QuantumWerewolf:
            return _game(players, known)

        keeper = None
        if exists:
            opened = LogFile.open(log, engine=engine)
            if opened.notice:
                note(opened.notice)
            kept = opened.session[0] if opened.session else house
            keeper = Keeper(opened, PHONES, house=_house(given, kept), seed=seed)
        elif known.get("players"):
            game = begin(tuple(known["players"]))
            keeper = Keeper(LogFile.create(log, game, session=(house, known["seed"])), PHONES)
        else:
            read_rules(
                known.get("rule_set", "straat"), tuple(known.get("options", ())), known.get("burnings")
            )
        evening = Evening(
            log,
            file,
            begin=begin,
            house=house,
            seed=known.get("seed", 0),
            about=_about(known),
            keeper=keeper,
            settings=known,
        )
        try:
            serve(evening, listening, names=names, tls=tls)
        finally:
            evening.close()
        click.echo(
            f"The game is saved in {log}.\nTo go on: kripke-werewolf host {log}" if evening.keeper else ""
        )


def _house(given: dict[str, Any], kept: HouseRules | None = None) -> HouseRules:
    """Return the house rules: those given, and otherwise those kept, or what suits phones."""
    values: dict[str, Any] = {"ballot": "open", "missing": "pass", "absent": "pass"}
    if kept is not None:
        values = {name: getattr(kept, name) for name in _HOUSE}
    return HouseRules(**{**values, **{name: given[name] for name in _HOUSE if name in given}})


def _game(players: tuple[str, ...], settings: dict[str, Any]) -> QuantumWerewolf:
    """Return the game of these players with the settings of the command."""
    options = tuple(settings.get("options", ()))
    rules = read_rules(settings.get("rule_set", "straat"), options, settings.get("burnings"))
    chosen = {n: settings[n] for n in ("wolves", "seers", "targets", "deal", "sample") if n in settings}
    return QuantumWerewolf(
        list(players),
        rules=rules,
        numbers="shuffled" if rules.table == "anonymous" else None,
        engine=settings["engine"],
        rng=settings["seed"],
        **chosen,
    )


def _about(settings: dict[str, Any]) -> str:
    """Return the settings in one line."""
    parts = [f"rules {settings.get('rule_set', 'straat')}"]
    parts += [f"{n} {settings[n]}" for n in ("wolves", "seers", "targets", "deal", "ballot") if n in settings]
    return ", ".join([*parts, *map(str, settings.get("options", ()))])
