"""The proof desk on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kripke_werewolf.errors import KripkeError, ModelError
from kripke_werewolf.web.state import Json, State

if TYPE_CHECKING:
    from kripke_werewolf.proofs.desk import Desk


def desk_of(state: State) -> Desk:
    """Return the desk of a state; raises `ModelError` if there is none."""
    from kripke_werewolf.proofs.desk import Desk, read_desk

    if not state.proof:
        raise ModelError("no proof is begun")
    desk = read_desk(state.proof)
    return Desk(desk.header, desk.rows, state.undone)


def judged_live(desk: Desk, text: str) -> Json:
    """Return whether a line that is being typed is right, with the reason; None if it cannot be read."""
    try:
        found = desk.typed(text).judged[-1]
    except KripkeError as error:
        return {"right": None, "reason": str(error)}
    return {"right": found.right, "reason": found.reason}


def proof_view(state: State) -> Json | None:
    """Return the desk for the page; None if there is none."""
    if not state.proof:
        return None
    desk = desk_of(state)
    return {
        "claim": desk.sheet.sequent(),
        "logic": str(desk.sheet.logic),
        "palette": list(desk.palette.items()),
        "rows": [
            {"text": row, "right": judged.right, "why": judged.reason}
            for row, judged in zip(desk.rows, desk.judged, strict=True)
        ],
        "done": desk.done,
        "undone": desk.undone[-1] if desk.undone else None,
    }
