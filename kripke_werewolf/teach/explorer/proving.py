"""The proof desk on the page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kripke_werewolf.base.errors import FormatError, KripkeError, ModelError
from kripke_werewolf.teach.explorer import practice
from kripke_werewolf.teach.explorer.state import Json, State
from kripke_werewolf.teach.language import OURS, CourseLanguage

if TYPE_CHECKING:
    from kripke_werewolf.logic.proofs.desk import Desk


def language_of(state: State) -> CourseLanguage:
    """Return the language of the exercise that is shown, or that of this library."""
    if state.exercises is None or "exercise" not in state.start:
        return OURS
    return practice.exercise_of(state, practice.current(state)).notation


def desk_of(state: State) -> Desk:
    """Return the desk of a state; raises `ModelError` if there is none."""
    from kripke_werewolf.logic.proofs.desk import Desk, read_desk

    if not state.proof:
        raise ModelError("no proof is begun")
    desk = read_desk(state.proof)
    return Desk(desk.header, desk.rows, state.undone)


def judged_live(state: State, text: str) -> Json:
    """Return whether a line that is being typed is right, with the reason; None if it cannot be read."""
    try:
        found = with_line(state, text).judged[-1]
    except KripkeError as error:
        return {"right": None, "reason": str(error)}
    return {"right": found.right, "reason": language_of(state).shown(found.reason)}


def with_line(state: State, text: str) -> Desk:
    """Return the desk with one more line; an error names its row, and its place as it was typed."""
    desk, language = desk_of(state), language_of(state)
    try:
        return desk.typed(language.read(text))
    except KripkeError as error:
        message = language.shown(_PLACE.sub(f"row {len(desk.rows) + 1}: ", str(error)))
        raise FormatError(_NUMBERED.sub(lambda at: f"\n  {at[2]}\n{at[3][len(at[1]) :]}", message)) from None


_PLACE = re.compile(r"^proof, line \d+, column \d+: ")
_NUMBERED = re.compile(r"\n  (\d+\. )(.*)\n( *)")
"""What nobody has typed: the place in the file, and the number of the line."""


def proof_view(state: State) -> Json | None:
    """Return the desk for the page; None if there is none."""
    if not state.proof:
        return None
    from kripke_werewolf.logic.proofs.natural import NaturalProof
    from kripke_werewolf.logic.proofs.natural_rules import BRACKETS, NATURAL

    desk, put = desk_of(state), language_of(state).shown
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
            "formula": put(f),
            "reason": put(f"  {reason}").strip(),
            "right": found.right,
            "why": put(found.reason),
        }
        for (bars, f, reason, begins), found in zip(rows, desk.judged, strict=True)
    ]
    return {
        "claim": put(sheet.sequent()),
        "logic": str(sheet.logic),
        "palette": [
            (put(f"  {name}").strip(), put(text), steps.get(name, 0)) for name, text in desk.palette.items()
        ],
        "rows": shown,
        "open": sheet.open if isinstance(sheet, NaturalProof) else None,
        "done": desk.done,
        "undone": desk.undone[-1] if desk.undone else None,
    }
