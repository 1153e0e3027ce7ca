"""Exports of the page: the board as Python, JSON, TikZ, SVG, a story, a link, and answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kripke_werewolf.errors import ModelError
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.models.formats.json import model_text
from kripke_werewolf.semantics.action import ActionModel
from kripke_werewolf.stories.actions import action_lines
from kripke_werewolf.stories.writing import model_lines, story_name
from kripke_werewolf.web.actions import READY
from kripke_werewolf.web.boards import Board, board_of
from kripke_werewolf.web.pictures import picture_of
from kripke_werewolf.web.practice import exported
from kripke_werewolf.web.proving import desk_of
from kripke_werewolf.web.state import State, link
from visualise.scene import Scene
from visualise.svg_output import to_svg
from visualise.tikz_output import to_tikz


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format of export."""

    label: str
    ending: str
    mime: str
    make: Callable[[State, str], str]


def copied(what: str, state: State, student: str = "") -> dict[str, str]:
    """Return the board in a format: file name, type and content; answers are those of a student."""
    copy = COPIES[what]
    title = board_of(state).source.title or "board"
    if what == "answers" and state.exercises is not None:
        title = state.exercises.get("title") or title
    stem = re.sub(r"[^\w-]+", "-", title).strip("-").lower() or "board"
    return {"file": stem + copy.ending, "mime": copy.mime, "text": copy.make(state, student)}


# --- pictures, models and links --------------------------------------------------------------------


def _scene(state: State) -> Scene:
    return picture_of(state, board_of(state)).alone()


# --- Python ----------------------------------------------------------------------------------------


def _python(state: State) -> str:
    chain = board_of(state).since_edit
    imports: set[str] = set()
    lines = [f"model = {_start(chain[0], imports)}"]
    events = [board for board in chain[1:] if board.action is not None]
    if events:
        imports.add("History")
        lines.append("history = History(model)")
        lines += [f"history = history.then({_event(b, imports)}, name={b.name!r})" for b in events]
        lines.append("model = history.model")
    if state.formula.strip():
        lines.append(f"print(model.where({state.formula!r}))")
    homes: dict[str, list[str]] = {}
    for name in sorted(imports):
        homes.setdefault(_HOMES.get(name, "kripke_werewolf"), []).append(name)
    head = [f"from {home} import {', '.join(names)}" for home, names in sorted(homes.items())]
    return "\n".join([*head, "", *lines]) + "\n"


_HOMES = {"puzzle": "kripke_werewolf.puzzles"}


def _start(board: Board, imports: set[str]) -> str:
    start = board.source.start
    if board.before is None and "puzzle" in start:
        imports.add("puzzle")
        size = "" if start.get("n") is None else f", n={start['n']}"
        return f"puzzle({start['puzzle']!r}{size}).model"
    imports.add("KripkeModel")
    return model_code(board.model)


def model_code(model: KripkeModel) -> str:
    """Return the Python call that builds a model.

    >>> print(model_code(KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]}, "w")))
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
    if model.weights:
        parts.append(f"weights={model.weights!r}")
    if model.variables:
        values = {x: {v: str(f) for v, f in given.items()} for x, given in model.variables.items()}
        parts.append(f"variables={values!r}")
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), ")"])


def _event(board: Board, imports: set[str]) -> str:
    action, do = board.action, board.do
    if isinstance(action, Formula):
        return repr(str(action))
    if do.get("command") == "tell":
        ready = READY[do["how"]]
        name = ready.function.__name__
        imports.add(name)
        return f"{name}({', '.join(map(repr, ready.arguments(do.get('group') or (), do[ready.content])))})"
    assert action is not None
    imports.update({"ActionModel", "Event"})
    return action_code(action, board.model.agents)


def action_code(action: ActionModel, agents: Sequence[str]) -> str:
    """Return the Python call that builds an action model, for some agents."""
    events = ", ".join(f"{name!r}: {event!r}" for name, event in action.events.items())
    relations = {agent: list(action.relation(agent)) for agent in agents}
    parts = [f"{{{events}}}", repr(relations), repr(list(action.designated)), f"name={action.name!r}"]
    return f"ActionModel({', '.join(parts)})"


# --- stories ---------------------------------------------------------------------------------------


def _story(state: State) -> str:
    return "\n".join(_story_lines(board_of(state).since_edit, state.formula)) + "\n"


def _story_lines(chain: Sequence[Board], formula: str) -> Iterator[str]:
    start = chain[0]
    lines = list(model_lines(start.model))
    if start.source.title:
        yield f"title: {' '.join(start.source.title.split())}"
    yield from lines
    for number, board in enumerate(chain[1:], 1):
        if board.action is not None:
            yield ""
            yield from _event_lines(board, number)
    if formula.strip():
        yield ""
        yield f"ask: {' '.join(formula.split())}"


def _event_lines(board: Board, number: int) -> Iterator[str]:
    action, do = board.action, board.do
    label = f' "{_label(board.name)}"'
    if isinstance(action, Formula):
        yield f"announce{label}: {action}"
        return
    how = do["how"] if do.get("command") == "tell" else "whether"
    if how != "whether":  # for which a story has no word
        ready = READY[how]
        group = " " + ", ".join(map(story_name, do["group"])) if ready.group else ""
        if ready.content == "changes":
            said = ", ".join(f"{story_name(atom)} := {f}" for atom, f in do["changes"].items())
        else:
            said = " ".join(do["formula"].split())
        yield f"{how}{group}{label}: {said}"
        return
    assert action is not None
    if any(event.weight != 1 for event in action.events.values()):
        raise ModelError("the weights of events have no form in a story; copy it as Python")
    yield f"action step{number}:"
    lines = action_lines(action.for_agents(board.model.agents, board.model.atoms))
    yield from (f"  {line}" for line in lines)
    yield f"do{label}: step{number}"


def _label(name: str) -> str:
    return " ".join(name.replace('"', "'").split())


def _metamath(state: State, _: str) -> str:
    from kripke_werewolf.proofs import to_metamath

    return to_metamath(desk_of(state).derivation()).text


COPIES: Mapping[str, ExportFormat] = {
    "python": ExportFormat("Python", ".py", "text/x-python", lambda state, _: _python(state)),
    "json": ExportFormat(
        "JSON", ".json", "application/json", lambda state, _: model_text(board_of(state).model)
    ),
    "tikz": ExportFormat("TikZ", ".tex", "text/x-tex", lambda state, _: to_tikz(_scene(state))),
    "svg": ExportFormat("SVG", ".svg", "image/svg+xml", lambda state, _: to_svg(_scene(state))),
    "story": ExportFormat("Story", ".txt", "text/plain", lambda state, _: _story(state)),
    "link": ExportFormat("Link", ".link.txt", "text/plain", lambda state, _: link(state)),
    "proof": ExportFormat("Proof file", ".proof.txt", "text/plain", lambda state, _: desk_of(state).text),
    "latex": ExportFormat(
        "Proof in LaTeX", ".proof.tex", "text/x-tex", lambda state, _: desk_of(state).sheet.to_latex()
    ),
    "metamath": ExportFormat("Metamath", ".mm", "text/plain", _metamath),
    "answers": ExportFormat("Answers", ".answers.json", "application/json", exported),
}
"""The formats of export."""
