"""What all histories say about a game, in words and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from kripke_werewolf.base.reports.tables import counted, shown
from kripke_werewolf.games.werewolf.inference.answers import Histories, Made

_HELP = (
    "More time, more or exact entries in the tables, or fewer players would help. For a recorded game, "
    "`ask LOG --reading facts` says what follows from the facts alone; for a handout, "
    "`game infer SHEET --reading facts` does."
)
"""Said of a search that was not finished."""
_LISTED = 8
"""The number of moves named for a player in a phase; the data have all of them."""


def histories_in_words(found: Histories, *, example: bool = False) -> Iterator[str]:
    """Yield lines: the number of histories, the table, numbers, moves, and an `example` if it is wanted."""
    yield _headline(found)
    if found.reason:
        yield _HELP
    if found.status == "exact":
        yield ""
        yield found.table().to_text("percent")
        for name, numbers in found.numbers.items():
            likely = sorted(numbers.items(), key=lambda item: -item[1])
            yield f"{name} is number " + ", ".join(f"{n} ({shown(p, 'percent')})" for n, p in likely)
    for phase, moves in groupby(found.moves, key=lambda made: made.phase):
        yield ""
        yield f"{phase}:"
        for player, made in groupby(moves, key=lambda m: m.player):
            yield f"  {player} {_likeliest(list(made))}"
    if example:
        lines = list(found.example()) or ["no history was found"]
        yield from ("", "For example:", *(f"  {line}" for line in lines))


def _headline(found: Histories) -> str:
    if found.status == "exact":
        worlds = " or ".join(f"{n:,}" for n in found.worlds)
        many = "history explains" if found.number == 1 else "histories explain"
        return f"{found.number:,} {many} what {found.viewer} was told; worlds left: {worlds} (exact)."
    if not found.budget.scenarios:
        return f"Not finished, because {found.reason}; no history has been found so far."
    tried = counted(found.budget.scenarios, "way")
    return f"Not finished, because {found.reason}; {tried} to attack tried, {found.number:,} histories found."


def _likeliest(moves: Sequence[Made]) -> str:
    """Return a player's possible attacks and visions in a phase, the most likely first."""
    parts = []
    for made in moves[:_LISTED]:
        likely = made.chance not in (None, 1)
        parts.append(f"{made.move} ({shown(made.chance, 'percent')})" if likely else made.move)
    more = f" … and {len(moves) - _LISTED} more" if len(moves) > _LISTED else ""
    return ", ".join(parts) + more


def histories_as_data(found: Histories, *, example: bool = False) -> dict[str, Any]:
    """Return the same for JSON, with all moves; probabilities are fractions such as "2/3"."""
    content: dict[str, Any] = {"player": found.viewer, "reading": "exact"}
    content |= {"status": found.status, "reason": found.reason}
    if found.reason:
        content["help"] = _HELP
    if found.status == "exact":
        content |= {"histories": found.number, "worlds": list(found.worlds), "table": found.table().to_dict()}
        likely = found.numbers.items()
        content["numbers"] = {name: {str(n): str(p) for n, p in numbers.items()} for name, numbers in likely}
    content["moves"] = []
    for made in found.moves:
        chance = None if made.chance is None else str(made.chance)
        told = {"phase": made.phase, "player": made.player, "action": made.action, "move": made.move}
        content["moves"].append(told | {"chance": chance})
    if example:
        content["example"] = list(found.example())
    return content
