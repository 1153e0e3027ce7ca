"""The probability table as an announcement about the whole superposition.

In the classical reading a world says what everybody privately did and saw. Had it been the actual one,
the superposition would have been another, and so perhaps the table that everybody was shown. A player
who takes the table seriously can rule out every world whose table would have been different. That needs
the game to be played again for every combination of secrets, so it is for small games.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import accumulate, compress, count
from typing import TYPE_CHECKING

import numpy as np

from kripke_werewolf.errors import KripkeError, ModelTooLarge
from kripke_werewolf.models.cells import Mask
from kripke_werewolf.werewolf.events import (
    Attack,
    Collapsed,
    Declined,
    Event,
    FoundDead,
    Option,
    Said,
    Vision,
    VotedOff,
    only_ends,
)
from kripke_werewolf.werewolf.game_models import Explicit, happened
from kripke_werewolf.werewolf.roles import letter

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf

_MOST_HISTORIES = 20_000
"""Combinations of secrets that are played through at most."""


def announced_tables(game: QuantumWerewolf) -> Callable[[int, Explicit], Explicit]:
    """Return the effect that public tables have on the model of all players, after each event."""
    ends = {number: place for place, number in enumerate(accumulate(map(len, game.steps)), 1)}
    secrets: list[int] = []  # the numbers of the events that worlds are named by

    def announced(number: int, explicit: Explicit) -> Explicit:
        if len(happened(explicit.model.worlds[0])[1]) > len(secrets):
            secrets.append(number)
        now = game.at(ends[number]) if number in ends else None
        if now is None or not now.table_due:
            return explicit
        return explicit.keep(_consistent(explicit, secrets, now))

    return announced


def _consistent(explicit: Explicit, secrets: Sequence[int], now: QuantumWerewolf) -> Mask:
    """Return the worlds in which everything public would have been the same up to now."""
    events, letters = now.events, {letter(role): role for role in now.setup.deck.roles}
    acts = [isinstance(events[number - 1], Vision | Attack | Declined) for number in secrets]
    drawn = [now.setup.seat(e.player) for e in events if isinstance(e, FoundDead | VotedOff)]
    if any(isinstance(e, Collapsed) for e in events):
        drawn = list(range(len(now.players)))
    which = []
    for name in explicit.model.worlds:
        deal, history = happened(name)
        which.append((tuple(compress(history, acts)), tuple(letters[deal[seat]] for seat in drawn)))
    histories = dict.fromkeys(which)
    if len(histories) > _MOST_HISTORIES:
        advice = "announced tables are for small games; leave table_announced out"
        raise ModelTooLarge(len(histories), _MOST_HISTORIES, "playing through what may have happened", advice)
    seen = _public(now)
    same = dict.fromkeys(histories, False)
    for options, cards in histories:
        secret = dict(zip(compress(secrets, acts), options, strict=True))
        roles = {now.players[seat]: role for seat, role in zip(drawn, cards, strict=True)}
        try:
            same[options, cards] = _public(_replayed(now, secret, roles)) == seen
        except KripkeError:  # the rules do not allow that history
            continue
    return np.array([same[history] for history in which])


def _public(game: QuantumWerewolf) -> object:
    table = game.table(public=True)
    deaths = [e.seen_by(None) for e in game.events if isinstance(e, FoundDead | VotedOff)]
    return table.labels, table.rows, table.worlds, deaths, game.verdict


def _replayed(
    now: QuantumWerewolf, secret: Mapping[int, Hashable], roles: Mapping[str, str]
) -> QuantumWerewolf:
    """Play the game again with other secrets (by the numbers of their events) and other roles drawn."""

    def draw(kind: str, player: str | None, weights: Mapping[str, int]) -> str:
        return roles.get(player or "", "")  # an outcome that is not possible is refused

    game, numbers = now.at(0).with_draw(draw), count(1)
    for step, before in zip(now.steps, now.states, strict=False):
        ends = only_ends(step)
        for event in step:
            option = secret.get(next(numbers))
            assert option is None or isinstance(option, Option)
            match event:
                case Vision() | Attack() | Declined():
                    move = _otherwise(event, option)
                    if not (ends and isinstance(move, Declined)):  # at the end of a phase by itself
                        game = game.play(move)
                case VotedOff(player):
                    game = game.play(VotedOff(player, roles[player]))
                case Said():
                    game = game.play(event)
        if ends and game.phase == before.phase and game.verdict is None:
            game = game.end_phase(missing="pass")
    return game


def _otherwise(event: Vision | Attack | Declined, option: Option | None) -> Event:
    """Return the move that an option stands for, in place of a recorded one."""
    if option is None:
        return event
    if option.target is None:
        return Declined(option.actor, "vision")
    if isinstance(event, Attack):
        return Attack(option.actor, option.target)
    return Vision(option.actor, option.target, option.result)
