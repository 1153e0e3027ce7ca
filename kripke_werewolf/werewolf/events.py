"""What happens in a game, as frozen values.

The history of a game is a sequence of events; every event knows who may see how much of it
(`seen_by`). Players are named, roles are the strings of `roles`. `weights` holds the numbers of
worlds an outcome was drawn from; it is the game master's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Literal, Self, TypeAlias

from kripke_werewolf.errors import FormatError
from kripke_werewolf.werewolf.roles import Role
from kripke_werewolf.werewolf.rules import PhaseKind

__all__ = [
    "Action",
    "Attack",
    "Collapsed",
    "Declined",
    "Event",
    "FoundDead",
    "GameEnded",
    "PhaseEnded",
    "Said",
    "Told",
    "Verdict",
    "Vision",
    "VotedOff",
    "Weights",
    "event_from_dict",
    "event_to_dict",
]

Action: TypeAlias = Literal["vision", "attack"]
Verdict: TypeAlias = Literal["village", "wolves", "draw"]
Weights: TypeAlias = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Vision:
    """`actor` looked at `target` and was shown `result`; None: no world was left to draw from."""

    actor: str
    target: str
    result: str | None
    weights: Weights = ()

    def seen_by(self, player: str | None, *, targets: str = "secret") -> Self | None:
        """Everything for the actor; for others the target, if targets are public."""
        if player == self.actor:
            return replace(self, weights=())
        return replace(self, result=None, weights=()) if targets == "public" else None


@dataclass(frozen=True, slots=True)
class Attack:
    """`actor` attacked `target`."""

    actor: str
    target: str

    def seen_by(self, player: str | None, *, targets: str = "secret") -> Self | None:
        """Visible to the actor, and to all if targets are public."""
        return self if player == self.actor or targets == "public" else None


@dataclass(frozen=True, slots=True)
class Declined:
    """`actor` did without a vision he could have had; only where the rules allow it."""

    actor: str
    action: Action

    def seen_by(self, player: str | None, *, targets: str = "secret") -> Self | None:
        """Visible to the actor, and to all if targets are public."""
        return self if player == self.actor or targets == "public" else None


@dataclass(frozen=True, slots=True)
class VotedOff:
    """The village voted `player` off; `role` was drawn, and `announced` said about it (None: nothing).

    `tied`: the players among whom the lot decided, if it did.
    """

    player: str
    role: Role | None
    announced: str | None
    weights: Weights = ()
    tied: tuple[str, ...] = ()

    def seen_by(self, player: str | None, *, targets: str = "secret") -> Self | None:
        """Everybody sees who died and what is announced, nobody the role."""
        return replace(self, role=None, weights=())


@dataclass(frozen=True, slots=True)
class FoundDead:
    """`player` was dead in every world; `role` was drawn, None if no world was left."""

    player: str
    role: Role | None
    announced: str | None
    weights: Weights = ()

    def seen_by(self, player: str | None, *, targets: str = "secret") -> Self | None:
        """Everybody sees who died and what is announced, nobody the role."""
        return replace(self, role=None, weights=())


@dataclass(frozen=True, slots=True)
class Told:
    """`player` was told privately that only `role` is left to him."""

    player: str
    role: Role

    def seen_by(self, player: str | None, *, targets: str = "secret") -> Self | None:
        """Visible to the player alone."""
        return self if player == self.player else None


@dataclass(frozen=True, slots=True)
class Collapsed:
    """An undetermined game ended: one world was drawn; `roles` by seat."""

    roles: tuple[Role, ...]

    def seen_by(self, player: str | None, *, targets: str = "secret") -> Self | None:
        """Everybody sees that it happened, nobody the world."""
        return replace(self, roles=())


@dataclass(frozen=True, slots=True)
class Said:
    """`speaker` said `formula` (its text) to the players in `to`, or to everybody if that is empty.

    `believed`: everybody who hears it takes it for the truth; otherwise it is a mere claim and changes
    nothing. `noticed`: the others see that the players in `to` are told whether it is so; otherwise they
    notice nothing.
    """

    speaker: str
    formula: str
    to: tuple[str, ...] = ()
    believed: bool = False
    noticed: bool = False

    def seen_by(self, player: str | None, *, targets: str = "secret") -> Self | None:
        """What is said in public everybody hears; of a whisper the others hear at most the subject."""
        if not self.to or player == self.speaker or player in self.to:
            return self
        return self if self.noticed else None


@dataclass(frozen=True, slots=True)
class PhaseEnded:
    """A phase was over; `missing` lists compulsory actions that were not taken."""

    kind: PhaseKind
    number: int
    missing: tuple[tuple[str, Action], ...] = ()

    def seen_by(self, player: str | None, *, targets: str = "secret") -> Self | None:
        """Public but for the missing actions."""
        return replace(self, missing=())


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game was over; `winners` are the players who won in every world."""

    verdict: Verdict
    forced: bool
    winners: tuple[str, ...]

    def seen_by(self, player: str | None, *, targets: str = "secret") -> Self | None:
        """Public."""
        return self


Event: TypeAlias = (
    Vision | Attack | Declined | VotedOff | FoundDead | Told | Collapsed | Said | PhaseEnded | GameEnded
)

_CLASSES: Mapping[str, type[Event]] = {
    "vision": Vision,
    "attack": Attack,
    "declined": Declined,
    "voted_off": VotedOff,
    "found_dead": FoundDead,
    "told": Told,
    "collapsed": Collapsed,
    "said": Said,
    "phase_ended": PhaseEnded,
    "game_ended": GameEnded,
}
_NAMES = {cls: name for name, cls in _CLASSES.items()}


def event_to_dict(event: Event) -> dict[str, object]:
    """Return the event as JSON-able values; fields with empty values are left out.

    >>> event_to_dict(Attack("Ann", "Bob"))
    {'event': 'attack', 'actor': 'Ann', 'target': 'Bob'}
    """
    result: dict[str, object] = {"event": _NAMES[type(event)]}
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name == "weights":
            value = dict(value)
        if value is not None and value is not False and value not in ({}, ()):
            result[field.name] = value
    return result


def event_from_dict(data: Mapping[str, object]) -> Event:
    """Return the event that `event_to_dict` wrote; raise FormatError if it is none."""
    values = dict(data)
    name = values.pop("event", None)
    cls = _CLASSES.get(str(name))
    if cls is None:
        raise FormatError(f"unknown event {name!r} (known: {', '.join(_CLASSES)})")
    known = [f.name for f in fields(cls)]
    for key in values:
        if key not in known:
            raise FormatError(f"the event {name!r} has no {key!r} (known: {', '.join(known)})")
    arguments = {f: _tuples(f, values.get(f)) for f in known}
    wanted = ("actor", "target", "player", "kind", "number", "speaker", "formula")
    missing = [f for f in wanted if f in known and arguments[f] is None]
    if missing:
        raise FormatError(f"the event {name!r} lacks {', '.join(map(repr, missing))}")
    for flag in {"forced", "believed", "noticed"} & arguments.keys():
        arguments[flag] = bool(arguments[flag])
    return cls(**arguments)  # type: ignore[arg-type]  # replaying the event checks the values


def _tuples(field: str, value: object) -> object:
    if field == "weights":
        return tuple(value.items()) if isinstance(value, Mapping) else ()
    if field in ("tied", "missing", "winners", "roles", "to"):
        items = value if isinstance(value, (list, tuple)) else ()
        return tuple(tuple(i) if isinstance(i, list) else i for i in items)
    return value
