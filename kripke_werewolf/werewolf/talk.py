"""Saying something: claims in public, and words in private."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kripke_werewolf.errors import IllegalMove
from kripke_werewolf.formulas.base import FormulaLike
from kripke_werewolf.werewolf.events import Said
from kripke_werewolf.werewolf.questions import resolve

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf

__all__ = ["said"]


def said(
    game: QuantumWerewolf,
    speaker: str | int,
    what: FormulaLike,
    to: Iterable[str | int],
    *,
    believed: bool,
    noticed: bool = False,
) -> Said:
    """Return the event that a player says something; raise IllegalMove with the reason if he cannot."""
    name = game.players[game.setup.seat(speaker)]
    heard = tuple(game.players[game.setup.seat(player)] for player in to)
    f = resolve(game, what)
    if game.verdict is not None:
        raise IllegalMove(f"{name} cannot speak: the game is over")
    if name not in game.alive:
        raise IllegalMove(f"{name} cannot speak: {name} is dead")
    if name in heard or len(set(heard)) < len(heard):
        raise IllegalMove(f"{name} cannot tell {', '.join(heard)}: name others, each once")
    event = Said(name, str(f), heard, believed, noticed)
    if believed and game.ask(f).verdict == "false":
        raise IllegalMove(f"{name} cannot say {f}: it is false in every surviving world")
    return event
