"""The command `host`: a game of Quantum Werewolf on everybody's phone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from kripke_werewolf.cli.declared import ExistingFile, File, command
from kripke_werewolf.cli.output import note
from kripke_werewolf.cli.settings import (
    SeveralValues,
    game_options,
    house_options,
    new_game,
    new_seed,
    read_rules,
    refuse_settings,
    split_settings,
)
from kripke_werewolf.errors import GameError, missing_package
from kripke_werewolf.host.seats import SeatsFile
from kripke_werewolf.tabletop import PHONES, Keeper
from kripke_werewolf.werewolf import LogFile, QuantumWerewolf
from kripke_werewolf.werewolf.log import HouseRules
from kripke_werewolf.werewolf.rulesheet import rule_sheet

PHONES_HOUSE = HouseRules(ballot="open", missing="pass", absent="pass")
"""The house rules that suit phones."""


@command("host", cls=SeveralValues)
@game_options(players="The players; by default everybody who joins.")
@house_options(PHONES_HOUSE)
def host_command(
    log: File = Path("game.jsonl"),
    *,
    address: str = "0.0.0.0",
    port: int = 8700,
    names: tuple[str, ...] = (),
    tls: tuple[ExistingFile, ExistingFile] | None = None,
    **given: Any,
) -> None:
    """Host a game of Quantum Werewolf, which players join in the browser of their phones.

    \b
      kripke-werewolf host friday.jsonl --rules cisra      start a game
      kripke-werewolf host friday.jsonl                    continue it

    Prints an address, a QR code and a short code for joining. Every move is saved in LOG (by default
    game.jsonl) before it is confirmed; the players' seats are saved in a private file next to it. The
    player who joins first starts the game. A page for a game master is available, but not needed.

    Options:
      --address: Listen only at this address, such as 127.0.0.1.
      --port: The port to listen at.
      --name: A name under which phones reach this machine; may be repeated.
      --tls CERT KEY: Encrypt all connections with this certificate and key.
    """
    try:
        from kripke_werewolf.host.evening import Evening
        from kripke_werewolf.host.serving import bound, serve
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in ("starlette", "uvicorn", "segno"):
            raise
        raise GameError(missing_package("this", name, extra="host")) from None

    seed, engine = given.pop("seed"), given.pop("engine")
    settings, house = split_settings(given)
    with SeatsFile(log) as file, bound(address, port) as listening:
        waiting, given_any = file.seats, settings or house or seed is not None
        known = dict(waiting.settings) if waiting is not None else {}
        exists = log.is_file() and log.stat().st_size > 0
        if exists:
            refuse_settings(log, settings)
        elif waiting is not None and waiting.players and not waiting.begun and given_any:
            raise GameError(
                f"players are waiting at {str(log)!r} with settings that stay; give none, "
                f"or delete {str(file.path)!r} to begin anew"
            )
        elif waiting is not None and waiting.begun:
            raise GameError(
                f"the log {str(log)!r} of the game that was hosted here is gone; put it back, "
                f"or delete {str(file.path)!r} to begin anew"
            )
        elif waiting is None or given_any:
            known = {**settings, **house, "seed": new_seed(seed), "engine": engine}
        begun, kept = split_settings(known)
        own_house = replace(PHONES_HOUSE, **kept)

        def begin(players: tuple[str, ...]) -> QuantumWerewolf:
            return new_game(players, begun, begun["engine"], begun["seed"])

        keeper = None
        if exists:
            opened = LogFile.open(log, engine=engine)
            if opened.notice:
                note(opened.notice)
            held = opened.session[0] if opened.session else PHONES_HOUSE
            drawn = None if seed is None else new_seed(seed)
            keeper = Keeper(opened, PHONES, house=replace(held, **house), seed=drawn)
        elif begun.get("players"):
            game = begin(tuple(begun["players"]))
            keeper = Keeper(LogFile.create(log, game, session=(own_house, begun["seed"])), PHONES)
        if keeper is not None:
            setup = keeper.game.setup
            sheet = rule_sheet(setup.rules, deal=setup.deal, targets=setup.targets)
        else:  # impossible settings are refused here, not when all have joined
            chosen = {name: begun[name] for name in ("deal", "targets") if name in begun}
            sheet = rule_sheet(read_rules(begun), **chosen)
            if waiting is not None:
                file.write(replace(waiting, settings=known))
        evening = Evening(
            log,
            file,
            begin=begin,
            house=own_house,
            seed=known.get("seed", 0),
            sheet=sheet,
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


def _about(settings: Mapping[str, Any]) -> str:
    """Return the settings in one line."""
    named = [n for n in ("wolves", "seers", "targets", "deal", "ballot") if n in settings]
    parts = [f"Rules: {settings.get('rule_set', 'straat')}", *(f"{n}: {settings[n]}" for n in named)]
    return ", ".join([*parts, *map(str, settings.get("options", ()))])
