"""Exports of the page: the board as Python, JSON, TikZ, SVG, a link."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pprint import pformat
from textwrap import indent
from typing import Any, NamedTuple

from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models.formats.json import model_text
from kripke_werewolf.teach.explorer.actions import READY
from kripke_werewolf.teach.explorer.boards import Board, board_of
from kripke_werewolf.teach.explorer.pictures import picture_of
from kripke_werewolf.teach.explorer.proving import desk_of, language_of
from kripke_werewolf.teach.explorer.state import Json, State, chosen, link
from visualise.scene import Scene
from visualise.svg_output import to_svg
from visualise.tikz_output import to_tikz


class _Format(NamedTuple):
    """A format of export."""

    label: str
    ending: str
    mime: str
    make: Callable[[State], str]


def copied(state: State, do: Json) -> dict[str, str]:
    """Return the board in a format: file name, type and content."""
    copy = chosen(COPIES, do.get("what"), "copy")
    title = board_of(state).source.title
    stem = re.sub(r"[^\w-]+", "-", title).strip("-").lower() or "board"
    return {"file": stem + copy.ending, "mime": copy.mime, "text": copy.make(state)}


# --- pictures, models and links --------------------------------------------------------------------


def _scene(state: State) -> Scene:
    return picture_of(state, board_of(state)).alone()


# --- Python ----------------------------------------------------------------------------------------


def _python(state: State) -> str:
    first, *others = board_of(state).since_edit
    start, model = first.source.start, _built("KripkeModel", first.model.to_dict())
    if first.before is None and "puzzle" in start:
        size = "" if start.get("n") is None else f", n={start['n']}"
        model = f"kw.puzzles.puzzle({start['puzzle']!r}{size}).model"
    lines = ["import kripke_werewolf as kw", "", f"model = {model}"]
    if events := [board for board in others if board.action is not None]:
        lines.append("history = kw.History(model)")
        lines += [f"history = history.then({_event(board)}, name={board.name!r})" for board in events]
        lines.append("model = history.model")
    if state.formula.strip():
        lines.append(f"print(model.where({state.formula!r}))")
    return "\n".join([*lines, ""])


def _built(kind: str, data: Mapping[str, Any]) -> str:
    """Return the Python call that builds a value from its data."""
    written = pformat(data, width=100, compact=True, sort_dicts=False)
    return f"kw.{kind}.from_dict(\n{indent(written, '    ')}\n)"


def _event(board: Board) -> str:
    action, do = board.action, board.do
    if isinstance(action, Formula):
        return repr(str(action))
    if do.get("command") == "tell":
        ready = READY[do["how"]]
        given = ready.arguments(do.get("group") or (), do[ready.content])
        return f"kw.{ready.function.__name__}({', '.join(map(repr, given))})"
    assert action is not None
    return _built("ActionModel", action.to_dict())


def _proof(state: State) -> str:
    return language_of(state).shown(desk_of(state).text)


COPIES: Mapping[str, _Format] = {
    "python": _Format("Python", ".py", "text/x-python", _python),
    "json": _Format("JSON", ".json", "application/json", lambda state: model_text(board_of(state).model)),
    "tikz": _Format("TikZ", ".tex", "text/x-tex", lambda state: to_tikz(_scene(state))),
    "svg": _Format("SVG", ".svg", "image/svg+xml", lambda state: to_svg(_scene(state))),
    "link": _Format("Link", ".link.txt", "text/plain", link),
    "proof": _Format("Proof file", ".proof.txt", "text/plain", _proof),
    "latex": _Format(
        "Proof in LaTeX", ".proof.tex", "text/x-tex", lambda state: desk_of(state).sheet.to_latex()
    ),
}
"""The formats of export."""
