"""One request, one reply: the only functions called by the page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from kripke_werewolf.base.errors import FormatError, KripkeError, check_known
from kripke_werewolf.teach.explorer import limits
from kripke_werewolf.teach.explorer.commands import COMMANDS, Done
from kripke_werewolf.teach.explorer.limits import limited
from kripke_werewolf.teach.explorer.queries import QUERIES
from kripke_werewolf.teach.explorer.state import State, check_arguments
from kripke_werewolf.teach.explorer.views import error_of, view_of

BUG = "Bug"
"""The kind of an unexpected error."""


def respond(request: Any) -> dict[str, Any]:
    """Return the reply to a request; never raises.

    A request has a `state` (of the last reply), a command to `do`, the sections of the view it wants
    (`want`), the picture that the page has (`have`), and a `theme`. A reply that is not `ok` has an `error`,
    and the state that was sent.

    >>> reply = respond({"do": {"command": "open", "puzzle": "muddy-children", "n": 3}, "want": ["formula"]})
    >>> reply["said"]
    'muddy children, n = 3: 8 worlds.'
    >>> said = {"command": "announce", "formula": "muddy_1 | muddy_2"}
    >>> reply = respond({"state": reply["state"], "do": said, "want": ["undo"]})
    >>> reply["ok"], reply["said"], reply["view"]["undo"]
    (True, '6 of 8 worlds are left.', True)
    >>> said["formula"] = "muddy_1 &"
    >>> respond({"state": reply["state"], "do": said})["error"]["at"]
    9
    """
    sent = request.get("state") if isinstance(request, Mapping) else None
    try:
        with limited(limits.EFFORT, "this"):
            return _replied(request)
    except KripkeError as error:
        told = error_of(error)
    except (RecursionError, MemoryError):
        told = error_of(FormatError("this is too much for the page"))
    except ModuleNotFoundError as error:
        instead = "open the file with `kripke-werewolf explore FILE`, or write it into a page with --export"
        told = error_of(FormatError(f"this needs {error.name}, which this page does not have; {instead}"))
    except Exception as error:  # the page continues with the last valid state
        told = error_of(error) | {"kind": BUG, "message": f"an error of the explorer: {error!r}"}
    return {"ok": False, "state": sent, "view": {}, "error": told}


def respond_json(text: str) -> str:
    """Return the reply to a request, both as JSON."""
    try:
        request = json.loads(text)
    except (ValueError, RecursionError):
        request = None
    return json.dumps(respond(request), separators=(",", ":"))


def _replied(request: Any) -> dict[str, Any]:
    if not isinstance(request, Mapping):
        raise FormatError("expected a request as an object")
    check_arguments(request)
    sent = request.get("state")
    state = State() if sent is None else State.from_dict(sent)
    do = request.get("do") or {"command": "show"}
    name = check_known(str(do.get("command")), [*COMMANDS, *QUERIES, "show"], kind="command")
    done = Done(state)
    if name in COMMANDS:
        done = COMMANDS[name](state, do)
    elif name in QUERIES:
        done = Done(state, result=QUERIES[name](state, do))
    have, theme = request.get("have") or "", request.get("theme")
    view = view_of(done.state, request.get("want"), have=have, theme=theme)
    after = sent if done.state is state and sent is not None else done.state.to_dict()
    return {"ok": True, "state": after, "view": view, "said": done.said, "result": done.result}
