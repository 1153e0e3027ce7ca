"""Saying something: claims in public, and words in private."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from kripke_werewolf.errors import IllegalMove
from kripke_werewolf.language.formulas import Formula, FormulaLike
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.werewolf.enumerated import Enumerated
from kripke_werewolf.werewolf.events import Said
from kripke_werewolf.werewolf.questions import resolve
from kripke_werewolf.werewolf.superposition import Superposition

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
) -> tuple[Said, Superposition]:
    """Return the event that a player says something, and the worlds that survive it.

    Raises IllegalMove with the reason if he cannot say it.
    """
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
    return event, _believed(game, name, f) if believed else game.worlds


def _believed(game: QuantumWerewolf, name: str, f: Formula) -> Superposition:
    """Return the surviving worlds where what is said is true.

    What a player knows is true in all or in none of them; a fact that is open collapses.
    """
    answer = game.ask(f)
    if answer.verdict == "false":
        raise IllegalMove(f"{name} cannot say {f}: it is false in every surviving world")
    if answer.verdict == "true":
        return game.worlds
    model, worlds = answer.model, game.worlds
    if not isinstance(model, KripkeModel) or not isinstance(worlds, Enumerated):
        raise IllegalMove(f"{name} cannot say {f}: it is open, and the worlds are too many to list")
    true = model.truth_set(f)
    named = [str(model.names[i]).partition(" ")[0].lower() for i in model.designated_indices if true[i]]
    return worlds.keep(np.isin([w.lower() for w in worlds.world_strings()], named))
