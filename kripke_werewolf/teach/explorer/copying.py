"""Exports of the page: the board as Python, JSON, TikZ, SVG, a story, a link."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel
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
    start, lines = first.source.start, [f"model = {_model_code(first.model)}"]
    if first.before is None and "puzzle" in start:
        size = "" if start.get("n") is None else f", n={start['n']}"
        lines = [f"model = puzzle({start['puzzle']!r}{size}).model"]
    if events := [board for board in others if board.action is not None]:
        lines.append("history = History(model)")
        lines += [f"history = history.then({_event(board)}, name={board.name!r})" for board in events]
        lines.append("model = history.model")
    if state.formula.strip():
        lines.append(f"print(model.where({state.formula!r}))")
    code = "\n".join(lines)
    homes = {home: [n for n in names if re.search(rf"\b{n}[.(]", code)] for home, names in _HOMES.items()}
    head = [f"from {home} import {', '.join(used)}" for home, used in homes.items() if used]
    return "\n".join([*head, "", code]) + "\n"


_ACTIONS = sorted(ready.function.__name__ for ready in READY.values())
_HOMES = {
    "kripke_werewolf": ("ActionModel", "Event", "History", "KripkeModel", *_ACTIONS),
    "kripke_werewolf.logic.puzzles": ("puzzle",),
}


def _model_code(model: KripkeModel) -> str:
    """Return the Python call that builds a model.

    >>> print(_model_code(KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]}, "w")))
    KripkeModel.from_partitions(
        ['w', 'v'],
        {'a': [['w', 'v']]},
        {'p': ['w']},
        ['w'],
    )
    """
    relations: Any = {agent: model.classes(agent) for agent in model.agents}
    name = "KripkeModel.from_partitions"
    if None in relations.values():
        name = "KripkeModel"
        relations = {agent: list(pairs) for agent, pairs in model.relations.items()}
    valuation = {atom: list(true) for atom, true in model.valuation.items()}
    parts = [repr(list(model)), repr(relations), repr(valuation)]
    if not model.designates_all:
        parts.append(repr(list(model.designated)))
    parts += [f"{what}={given!r}" for what in ("weights", "ranks") if (given := getattr(model, what))]
    if model.variables:
        values = {x: {v: str(f) for v, f in given.items()} for x, given in model.variables.items()}
        parts.append(f"variables={values!r}")
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), ")"])


def _event(board: Board) -> str:
    action, do = board.action, board.do
    if isinstance(action, Formula):
        return repr(str(action))
    if do.get("command") == "tell":
        ready = READY[do["how"]]
        given = ready.arguments(do.get("group") or (), do[ready.content])
        return f"{ready.function.__name__}({', '.join(map(repr, given))})"
    assert action is not None
    events = ", ".join(f"{name!r}: {event!r}" for name, event in action.events.items())
    relations = {agent: list(action.relation(agent)) for agent in board.model.agents}
    return f"ActionModel({{{events}}}, {relations!r}, {[*action.designated]!r}, name={action.name!r})"


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
