"""What to tell to whom after an event, in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kripke_werewolf.werewolf.events import (
    Attack,
    Collapsed,
    Declined,
    Event,
    FoundDead,
    GameEnded,
    PhaseEnded,
    Said,
    Told,
    Vision,
    VotedOff,
)
from kripke_werewolf.werewolf.state import Phase, Setup

__all__ = ["Message", "messages"]


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for one player, or for everybody (`to` is None)."""

    to: str | None
    text: str

    def __str__(self) -> str:
        return self.text if self.to is None else f"[{self.to}] {self.text}"


def messages(setup: Setup, events: Iterable[Event]) -> tuple[Message, ...]:
    """Return what the game master has to say about the events, in order, to whom it concerns.

    Private things are told to nobody else: a private message is made from what the player may see of
    the event, a public one from what everybody may see.
    """
    found: list[Message] = []
    for event in events:
        everybody = event.seen_by(None, targets=setup.targets)
        if everybody is not None and (text := _public(everybody)):
            found.append(Message(None, text))
        for concerned in _concerned(event):
            alone = event.seen_by(concerned, targets=setup.targets)
            if alone is not None:
                found.append(Message(concerned, _private(alone)))
    return tuple(found)


def _concerned(event: Event) -> tuple[str, ...]:
    """The players to whom the event says more than to everybody."""
    if isinstance(event, Vision | Attack | Declined):
        return (event.actor,)
    if isinstance(event, Said):
        return event.to
    return (event.player,) if isinstance(event, Told) else ()


def _public(event: Event) -> str:
    match event:
        case Vision(actor, target):
            return f"{actor} looks at {target}."
        case Attack(actor, target):
            return f"{actor} attacks {target}."
        case Declined(actor, action):
            return f"{actor} does without the {action}."
        case VotedOff(player, _, announced, _, tied):
            lot = f"The vote is tied between {', '.join(tied)}; the lot decides. " if tied else ""
            return f"{lot}{player} is voted off{_was(announced)}."
        case FoundDead(player, _, announced):
            return f"{player} is found dead{_was(announced)}."
        case Said(speaker, f, (), believed):
            return f"{speaker} {'says, and is believed' if believed else 'claims'}: {f}."
        case Said(speaker, f, to):
            return f"{speaker} tells {' and '.join(to)} whether {f}."
        case Collapsed():
            return "Nothing can change any more; one world is drawn."
        case PhaseEnded(kind, number):
            phase = Phase(kind, number, 0)
            return f"End of {phase}."
        case GameEnded(verdict, _, winners):
            sides = {"village": "The village wins", "wolves": "The wolves win", "draw": "The game is a draw"}
            names = f"; winners: {', '.join(winners)}" if winners else ""
            return f"{sides[verdict]}{names}."
        case _:
            return ""


def _was(announced: str | None) -> str:
    return f" and was {announced}" if announced else ""


def _private(event: Event) -> str:
    match event:
        case Vision(_, target, None):
            return f"You look at {target} and see nothing."
        case Vision(_, target, result):
            return f"You look at {target} and see: {result}."
        case Attack(_, target):
            return f"You attack {target}."
        case Declined(_, action):
            return f"You do without the {action}."
        case Said(speaker, f):
            return f"{speaker} tells you: {f}."
        case Told(_, role):
            return f"Only one role is left for you: {role}."
        case _:
            return ""
