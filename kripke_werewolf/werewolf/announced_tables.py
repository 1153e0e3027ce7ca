"""The probability table as an announcement about the whole superposition.

In the classical reading a world says what everybody privately did and saw. Had it been the actual one,
the superposition would have been another, and so perhaps the table that everybody was shown. A player
who takes the table seriously can rule out every world whose table would have been different. That needs
the game to be played again for every combination of secrets, so it is for small games.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from kripke_werewolf.errors import KripkeError, ModelTooLarge
from kripke_werewolf.models.relation import Mask
from kripke_werewolf.werewolf.events import (
    Attack,
    Collapsed,
    Declined,
    Event,
    FoundDead,
    PhaseEnded,
    Vision,
    VotedOff,
)
from kripke_werewolf.werewolf.possibilities import Possibilities

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf

__all__ = ["Secret", "consistent"]

MOST_HISTORIES = 20_000
"""Combinations of secrets that are played through at most."""


Option: TypeAlias = tuple[str | None, str | None]
"""What an action may have been: its target and its result, as far as it has them."""


class Secret(NamedTuple):
    """An action, by the number of its event, and what else it may have been."""

    number: int
    options: tuple[Option, ...]


def consistent(worlds: Possibilities, secrets: Mapping[int, Secret], now: QuantumWerewolf) -> Mask:
    """Return the worlds in which the public would have seen what it has seen up to now.

    `secrets`: for places in the records of the worlds, the actions they stand for.
    """
    drawn = [now.setup.seat(e.player) for e in now.events if isinstance(e, FoundDead | VotedOff)]
    if any(isinstance(e, Collapsed) for e in now.events):
        drawn = list(range(len(now.players)))
    columns = [worlds.records[place].chosen for place in secrets]
    columns += [worlds.roles[worlds.deal, player] for player in drawn]
    if not columns:
        return np.ones(len(worlds), bool)
    histories, which = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    if len(histories) > MOST_HISTORIES:
        advice = "announced tables are for small games; leave table_announced out"
        raise ModelTooLarge(len(histories), MOST_HISTORIES, "playing through what may have happened", advice)
    seen = _public(now)
    same = np.zeros(len(histories), bool)
    for number, row in enumerate(histories.tolist()):
        secret = {s.number: s.options[option] for s, option in zip(secrets.values(), row, strict=False)}
        roles = {
            now.players[p]: worlds.deck.roles[code]
            for p, code in zip(drawn, row[len(secrets) :], strict=True)
        }
        try:
            same[number] = _public(_replayed(now, secret, roles)) == seen
        except KripkeError:  # the rules do not allow that history
            continue
    return same[which.ravel()]


def _public(game: QuantumWerewolf) -> object:
    table = game.table(public=True)
    deaths = [e.seen_by(None) for e in game.events if isinstance(e, FoundDead | VotedOff)]
    return table.labels, table.rows, table.worlds, deaths, game.verdict


def _replayed(
    now: QuantumWerewolf, secret: Mapping[int, Option], roles: Mapping[str, str]
) -> QuantumWerewolf:
    """Play the game again with other secrets (by the numbers of their events) and other roles drawn."""

    def draw(kind: str, player: str | None, weights: Mapping[str, int]) -> str:
        return roles.get(player or "", "")  # an outcome that is not possible is refused

    original = now.at(0)
    game = original.with_draw(draw)
    number = 0
    for events in now.steps:
        first = secret.get(number + 1)
        match events[0]:
            case Vision(actor, target, result):
                game = _looked(game, actor, first or (target, result))
            case Attack(actor, target):
                game = game.attack(actor, str((first or (target, None))[0]))
            case VotedOff(player, _, _):
                game = game.vote_off(player, role=roles[player])
            case Declined(actor, _) if not _ends(events):
                game = _looked(game, actor, first or (None, None))
            case _:
                for place, event in enumerate(events, number + 1):
                    if isinstance(event, Declined) and secret.get(place, (None, None)) != (None, None):
                        game = _looked(game, event.actor, secret[place])
                if game.phase == original.phase and game.verdict is None:
                    game = game.end_phase(missing="pass")
        original = original.repeat(events)
        number += len(events)
    return game


def _looked(game: QuantumWerewolf, actor: str, option: Option) -> QuantumWerewolf:
    target, result = option
    return game.decline(actor) if target is None else game.vision(actor, target, result=result)


def _ends(events: tuple[Event, ...]) -> bool:
    return any(isinstance(event, PhaseEnded) for event in events)
