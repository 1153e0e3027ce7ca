"""Repeating recorded steps: the moves are made again, with their outcomes forced, and compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING

from kripke_werewolf.errors import GameError
from kripke_werewolf.werewolf.draws import Draw
from kripke_werewolf.werewolf.events import (
    Attack,
    Collapsed,
    Declined,
    Event,
    FoundDead,
    PhaseEnded,
    Said,
    Vision,
    VotedOff,
)

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf

__all__ = ["repeat_step"]


def repeat_step(game: QuantumWerewolf, events: tuple[Event, ...]) -> QuantumWerewolf:
    """Return the game after the step that `events` records.

    Raises IllegalMove when the rules refuse it, and GameError when something else follows from it
    than is recorded.
    """
    if not events:
        raise GameError("a step without events is not a move")
    source = game._draw
    again = _move(game.with_draw(_outcomes(game, events)), events)
    if len(again.steps) > len(game.steps) + 1:
        raise GameError(f"{game.phase} has to end first, and no step says so")
    happened = again.steps[-1]
    for place, (recorded, event) in enumerate(zip(events, happened, strict=False), start=1):
        if recorded != event:
            raise GameError(_differs(place, recorded, event))
    if len(events) != len(happened):
        raise GameError(
            f"the step has {len(events)} events on record, but from its move follow {len(happened)}"
        )
    return again.with_draw(source)


def _differs(place: int, recorded: Event, event: Event) -> str:
    what = f"event {place} of the step is recorded as"
    if type(recorded) is not type(event):
        return f"{what} {type(recorded).__name__}, but {type(event).__name__} follows"
    changed = [f.name for f in fields(event) if getattr(recorded, f.name) != getattr(event, f.name)]
    was = ", ".join(f"{name} {getattr(recorded, name)!r}" for name in changed)
    now = ", ".join(f"{name} {getattr(event, name)!r}" for name in changed)
    return f"{what} {type(event).__name__} with {was}, but {now} follows"


def _move(game: QuantumWerewolf, events: tuple[Event, ...]) -> QuantumWerewolf:
    first = events[0]
    match first:
        case Vision(actor, target, result):
            return game.vision(actor, target, result=result)
        case Attack(actor, target):
            return game.attack(actor, target)
        case VotedOff(player, role, _, _, tied):
            return game.vote_off(list(tied) if tied else player, role=role)
        case Declined(actor, action) if not any(isinstance(e, PhaseEnded) for e in events):
            return game.decline(actor, action=action)
        case Said(speaker, f, (), believed):
            return game.claim(speaker, f, believed=believed)
        case Said(speaker, f, to, _, noticed):
            return game.private(speaker, to, f, noticed=noticed)
        case Declined() | PhaseEnded():
            return game.end_phase(missing="pass")
        case _:
            raise GameError(f"{first} is no move; it can only follow from one")


def _outcomes(game: QuantumWerewolf, events: tuple[Event, ...]) -> Draw:
    """A draw that answers from the events of one step."""
    roles = {e.player: e.role for e in events if isinstance(e, FoundDead)}
    collapsed = next((e.roles for e in events if isinstance(e, Collapsed)), ())
    voted = next((e.player for e in events if isinstance(e, VotedOff)), None)

    def draw(kind: str, player: str | None, weights: Mapping[str, int]) -> str:
        if kind == "tie":
            outcome = voted
        elif kind == "collapse" and player is not None and collapsed:
            outcome = collapsed[game.setup.seat(player)]
        else:
            outcome = roles.get(player or "")
        if outcome is None:
            raise GameError(f"the step has no outcome for the draw {kind!r} of {player!r}")
        return outcome

    return draw
