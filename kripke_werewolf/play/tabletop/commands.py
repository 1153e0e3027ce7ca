"""The commands of players and of the game master, as values.

Players submit `Choose` and `Vote`, each for themselves; the game master (or, without one, the
village at its shared screen) submits these for anybody, and all other commands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from kripke_werewolf.base.errors import FormatError, GameError, KripkeError, UnknownNameError, cut_off
from kripke_werewolf.base.settings import Positive, from_data
from kripke_werewolf.base.wording import Sentence
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
    if seat is not None:
        if kind not in OWN:
            raise FormatError(f"{verb!r} is for the game master")
        for name in ("actor", "voter", "result"):
            if name in given:
                raise FormatError(f"the command {verb!r} has no {name!r} on a player's device")
        given["voter" if kind is Vote else "actor"] = seat
    if kind in OWN:
        given.setdefault("target", None)
    if any(isinstance(text, str) and len(text) > _LONGEST for text in given.values()):
        raise FormatError(f"a string in the command {verb!r} has more than {_LONGEST} characters")
    try:
        command: Command = from_data(kind, given, called=f"the command {verb!r}")
    except GameError as error:
        raise FormatError(cut_off(str(error), 200)) from None
    return command


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


def reason_of(error: KripkeError) -> str:
    """Return why something is refused, in words that can be told in every language where there are any."""
    if not isinstance(error, UnknownNameError):
        return str(error)
    near, known = error.near[:3], error.known[:12]
    said = {"kind": error.kind, "name": str(error.name), "n": len(near), "near": near, "known": known}
    return Sentence("unknown-name", english=str(error), **said)
