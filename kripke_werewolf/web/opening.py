"""Sources that the page opens: puzzles, contents of files, links, and an empty board."""

from __future__ import annotations

import re
from typing import Any

from kripke_werewolf.errors import FormatError
from kripke_werewolf.files import parse_json
from kripke_werewolf.web import limits
from kripke_werewolf.web.games import state_of_game, state_of_handout
from kripke_werewolf.web.limits import check_length
from kripke_werewolf.web.practice import set_of, set_of_sheet
from kripke_werewolf.web.state import Json, State, state_of_link

_WAYS = ("empty", "puzzle", "text", "link")
_LINK = re.compile(r"\S*?(#|^)\d+\.[\w-]+\s*")


def opened(do: Json) -> State | Json:
    """Return the state after a command `open`, or a choice to be made first.

    Raises `FormatError` for an invalid source.
    """
    ways = [way for way in _WAYS if do.get(way) is not None]
    if len(ways) != 1:
        raise FormatError(f"open: expected one of {', '.join(_WAYS)}")
    value = do[ways[0]]
    match ways[0]:
        case "empty":
            return State()
        case "puzzle":
            n = do.get("n")
            return State(start={"puzzle": value} | ({} if n is None else {"n": n}))
        case "link":
            return state_of_link(value)
    check_length(value, limits.MOST_TEXT, "the file")
    return _from_text(value, str(do.get("name") or ""), do)


def _from_text(text: str, name: str, do: Json) -> State | Json:
    """Return the state for the content of a file of any kind."""
    stripped = text.strip()
    if not stripped:
        raise FormatError("this file is empty")
    if _LINK.fullmatch(stripped):
        return state_of_link(stripped)
    if stripped.startswith("{"):
        return _from_json(stripped, name, do)
    if re.search(r"^[ \t]*\[\[task\]\]", text, re.MULTILINE):
        return set_of_sheet(text, name, str(do.get("student") or ""))
    if re.search(r"^[ \t]*kind[ \t]*=", text, re.MULTILINE):
        return set_of([text], name)
    if re.search(r"^[ \t]*(show|calculus)[ \t]*:", text, re.MULTILINE):
        return State(proof=text)
    return State(start={"story": text} | ({"name": name} if name else {}))


def _from_json(text: str, name: str, do: Json) -> State | Json:
    first, _, rest = text.partition("\n")
    in_lines = first.rstrip().endswith("}") and rest.lstrip()[:1] not in ("", ",", "}")
    data: dict[str, Any]  # it begins with a brace
    data = parse_json(first, "the first line") if in_lines else parse_json(text, name or "the file")
    if "rules" in data:
        return state_of_game(text, do)
    if "settings" in data:
        return state_of_handout(data)
    if "explorer" in data:
        return State.from_dict(data)
    if "exercises" in data:
        return set_of(data["exercises"], str(data.get("title", name)))
    return State(start={"model": data} | ({"name": name} if name else {}))
