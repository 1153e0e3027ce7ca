"""The proof desk on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kripke_werewolf.base.errors import KripkeError, ModelError
from kripke_werewolf.teach.explorer.state import Json, State

if TYPE_CHECKING:
    from kripke_werewolf.logic.proofs.desk import Desk


def desk_of(state: State) -> Desk:
    """Return the desk of a state; raises `ModelError` if there is none."""
    from kripke_werewolf.logic.proofs.desk import Desk, read_desk

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
    from kripke_werewolf.logic.proofs.natural import NaturalProof
    from kripke_werewolf.logic.proofs.natural_rules import BRACKETS, NATURAL

    if not state.proof:
        return None
    desk = desk_of(state)
    sheet, steps = desk.sheet, dict[str, int]()
    if isinstance(sheet, NaturalProof):
        rows = [(row.depth, row.written, row.reason, row.rule in BRACKETS) for row in sheet.rows]
        steps = {name: rule.step for name, rule in NATURAL.items()}
    else:
        rows = [(0, str(line.formula), line.reason, False) for line in sheet.lines]
    shown = [
        {
            "bars": bars,
            "begins": begins,
            "formula": f,
            "reason": reason,
            "right": found.right,
            "why": found.reason,
        }
        for (bars, f, reason, begins), found in zip(rows, desk.judged, strict=True)
    ]
    return {
        "claim": sheet.sequent(),
        "logic": str(sheet.logic),
        "palette": [(name, text, steps.get(name, 0)) for name, text in desk.palette.items()],
        "rows": shown,
        "open": sheet.open if isinstance(sheet, NaturalProof) else None,
        "done": desk.done,
        "undone": desk.undone[-1] if desk.undone else None,
    }
