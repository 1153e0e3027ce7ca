"""The language of moves: one command a line, as typed at the console or read from a script.

    vision PLAYER TARGET [as RESULT]     attack PLAYER TARGET      decline PLAYER
    vote PLAYER [PLAYER …] [as ROLE]     end [pass | random]       undo [N | phase]

Players go by name, in any case, or by number. A name with blanks is recognised as it is; quotes make
any text a name (`"as"`). `as` forces an outcome that is otherwise drawn. Blank lines and lines that
begin with `#` say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kripke_werewolf.errors import GameError, UnknownNameError
from kripke_werewolf.werewolf.state import Setup

__all__ = ["USAGE", "VERBS", "Command", "parse", "read_player"]

USAGE: Mapping[str, str] = {
    "vision": "vision PLAYER TARGET [as RESULT]",
    "attack": "attack PLAYER TARGET",
    "decline": "decline PLAYER",
    "vote": "vote PLAYER [PLAYER …] [as ROLE]",
    "end": "end [pass | random]",
    "undo": "undo [STEPS | phase]",
    "table": "table [master]",
    "status": "status",
    "numbers": "numbers",
    "help": "help",
    "quit": "quit",
}
"""Every command and how it is written."""

_SYNONYMS = {
    **dict.fromkeys(("look", "see", "seer", "divine"), "vision"),
    **dict.fromkeys(("bite", "wolf", "werewolf"), "attack"),
    **dict.fromkeys(("burn", "lynch", "execute", "kill"), "vote"),
    **dict.fromkeys(("pass", "skip"), "decline"),
    **dict.fromkeys(("done", "nobody", "next"), "end"),
    **dict.fromkeys(("exit", "q"), "quit"),
    "?": "help",
}
VERBS: Mapping[str, str] = {**{verb: verb for verb in USAGE}, **_SYNONYMS}
"""The words a command may begin with, and the command each stands for."""


@dataclass(frozen=True, slots=True)
class Command:
    """What one line says; players by their full names."""

    verb: str
    players: tuple[str, ...] = ()
    word: str | None = None
    """A forced outcome (`as`), or the argument of `end`, `undo` and `table`."""


def parse(line: str, setup: Setup) -> Command | None:
    """Return what a line says; None if it says nothing.

    Raises UnknownNameError for unknown commands and players, with near misses, and GameError with the
    usage for a command that is not complete.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> setup = QuantumWerewolf(["Ann", "Mary Ann", "Bo"], wolves=1).setup
    >>> parse("vision mary ann Bo as wolf", setup)
    Command(verb='vision', players=('Mary Ann', 'Bo'), word='wolf')
    """
    line = line.strip()
    if not line or line.startswith("#"):
        return None
    first, _, rest = line.partition(" ")
    verb = VERBS.get(first.casefold().removeprefix("/"))
    if verb is None:
        raise UnknownNameError(first, USAGE, kind="command")
    rest = rest.strip()
    if verb in ("vision", "attack", "decline", "vote"):
        return _move(verb, rest, setup)
    allowed = {"end": ("pass", "random"), "undo": ("phase",), "table": ("master",)}.get(verb, ())
    if rest and rest not in allowed and not (verb == "undo" and rest.isdecimal()):
        raise GameError(f"{rest!r} is not understood after {first!r}; write: {USAGE[verb]}")
    return Command(verb, (), rest or None)


def _move(verb: str, rest: str, setup: Setup) -> Command:
    fixed = {"vision": 2, "attack": 2, "decline": 1}.get(verb)
    players: list[str] = []
    word = None
    while rest:
        forced = re.fullmatch(r"as\s+(\S.*)", rest, re.IGNORECASE)
        if forced and players and verb in ("vision", "vote") and len(players) >= (fixed or 1):
            word, rest = forced[1], ""
        elif len(players) == fixed:
            raise GameError(f"{rest!r} is not understood at the end; write: {USAGE[verb]}")
        else:
            player, rest = read_player(rest, setup)
            players.append(player)
    if not players or (fixed is not None and len(players) < fixed):
        raise GameError(f"who? Write: {USAGE[verb]}")
    return Command(verb, tuple(players), word)


def read_player(text: str, setup: Setup) -> tuple[str, str]:
    """Return the player with whom a text begins, and the rest of the text.

    The longest name it begins with counts, then a text in quotes (`\\"` for a quote within), then a word:
    a name in any case, or a number. Raises UnknownNameError, and GameError if several fit.
    """
    for fold in (str, str.casefold):
        found = [
            name
            for name in setup.players
            if fold(text[: len(name)]) == fold(name) and text[len(name) : len(name) + 1] in ("", " ", "\t")
        ]
        longest = [name for name in found if len(name) == max(map(len, found))]
        if len(longest) > 1:
            raise GameError(f"{text[: len(longest[0])]!r} may be {' or '.join(longest)}; write it exactly")
        if longest:
            return longest[0], text[len(longest[0]) :].strip()
    quoted = re.match(r"""(["'])((?:\\.|(?!\1).)*)\1(?=\s|$)""", text)
    if quoted:
        word, rest = re.sub(r"\\([\\\"'])", r"\1", quoted[2]), text[quoted.end() :]
    else:
        word, _, rest = text.partition(" ")
    by_number = {str(number): name for number, name in zip(setup.numbers, setup.players, strict=True)}
    player = word if word in setup.players else by_number.get(word)  # names before numbers
    return player or setup.players[setup.seat(word)], rest.strip()
