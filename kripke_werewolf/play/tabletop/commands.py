"""The commands of players and of the game master, as values.

Players submit `Choose` and `Vote`, each for themselves; the game master (or, without one, the
village at its shared screen) submits these for anybody, and all other commands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, get_args

from kripke_werewolf.base.errors import FormatError, cut_off
from kripke_werewolf.base.settings import Positive, fits, types_of
from kripke_werewolf.games.werewolf.log import Unacted
from kripke_werewolf.games.werewolf.roles import Action

_LONGEST = 1000
"""The greatest length of a string in a command."""


@dataclass(frozen=True, slots=True)
class Choose:
    """`actor` chooses `target` for an action of this phase, or declines it (None).

    `result` forces the result of a vision; only the game master may use it.
    """

    actor: str
    action: Action
    target: str | None
    result: str | None = None


@dataclass(frozen=True, slots=True)
class Vote:
    """`voter` votes for a player, or for nobody (None)."""

    voter: str
    target: str | None


@dataclass(frozen=True, slots=True)
class VoteOff:
    """The village has voted off a player; several players are a tie. `role` forces the role revealed."""

    players: tuple[str, ...]
    role: str | None = None


@dataclass(frozen=True, slots=True)
class EndPhase:
    """The phase ends: votes are counted, and missing choices follow the house rules or `missing`."""

    missing: Unacted | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """Go back `count` moments, or to the beginning of the phase. See `Sitting.moments`."""

    count: Positive = 1
    phase: bool = False


@dataclass(frozen=True, slots=True)
class Pause:
    """Pause or continue the game; players can do nothing in a pause."""

    paused: bool = True


@dataclass(frozen=True, slots=True)
class Away:
    """A player has left the table, or is back. This also frees their seat."""

    player: str
    away: bool = True


@dataclass(frozen=True, slots=True)
class Robots:
    """The program plays for these players from now on, and for no others."""

    players: tuple[str, ...] = ()


Command: TypeAlias = Choose | Vote | VoteOff | EndPhase | Undo | Pause | Away | Robots
"""Any command that can be submitted."""

OWN = (Choose, Vote)
"""The commands of players."""


def read_command(data: object, seat: str | None) -> Command:
    """Return the command in JSON data from a device; raise FormatError for anything else.

    `seat`: the owner of the device, None for the game master. A player's own name is omitted.

    >>> read_command({"do": "choose", "action": "vision", "target": "Bo"}, "Ann")
    Choose(actor='Ann', action='vision', target='Bo', result=None)
    >>> read_command({"do": "undo", "phase": True}, None)
    Undo(count=1, phase=True)
    """
    if not isinstance(data, Mapping):
        raise FormatError(f"a command is an object, not {cut_off(repr(data))}")
    given = dict(data)
    verb = given.pop("do", None)
    if not isinstance(verb, str) or verb not in _READERS:
        raise FormatError(f"{cut_off(repr(verb))} is not a command (known: {', '.join(_READERS)})")
    kind: Any = _READERS[verb]
    wanted = types_of(kind)
    if seat is not None:
        if kind not in OWN:
            raise FormatError(f"{verb!r} is for the game master")
        for name in ("actor", "voter", "result"):
            if name in given:
                raise FormatError(f"the command {verb!r} has no {name!r} on a player's device")
        if "actor" in wanted or "voter" in wanted:
            given["voter" if kind is Vote else "actor"] = seat
    if unknown := sorted(set(map(str, given)) - wanted.keys()):
        known = ", ".join(wanted)
        raise FormatError(f"the command {verb!r} has no {cut_off(repr(unknown[0]))} (known: {known})")
    sent = (name for name in wanted if given.get(name) is not None or wanted[name] not in (bool, Positive))
    command: Command = kind(**{name: _checked(verb, name, given.get(name), wanted[name]) for name in sent})
    return command


_ALLOWED: Mapping[Any, str] = {
    str: "a name",
    tuple[str, ...]: "a list of names",
    bool: "true or false",
    Positive: "an integer of at least 1",
    Unacted: ", ".join(get_args(Unacted)),
}
"""For the types of the fields of commands, without None: what is allowed."""

_READERS: Mapping[str, type[Command]] = {
    "choose": Choose,
    "vote": Vote,
    "vote_off": VoteOff,
    "end": EndPhase,
    "undo": Undo,
    "pause": Pause,
    "away": Away,
    "robots": Robots,
}


def _checked(verb: str, name: str, value: Any, hint: Any) -> object:
    """Return a field of a command after checking its type; raise FormatError otherwise."""
    kind = next(one for one in _ALLOWED if hint in (one, one | None))
    found = tuple(value) if isinstance(value, list) else value
    texts = found if isinstance(found, tuple) else (found,)
    if not fits(found, hint) or any(isinstance(text, str) and len(text) > _LONGEST for text in texts):
        allowed = "the name of an action" if name == "action" else _ALLOWED[kind]
        raise FormatError(f"the {name} of the command {verb!r} is {cut_off(repr(value))}; give {allowed}")
    return found
