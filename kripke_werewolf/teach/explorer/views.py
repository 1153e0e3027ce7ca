"""The views of a state: sections, each computed when requested."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any

from kripke_werewolf.base.errors import FormulaSyntaxError, KripkeError, UnknownNameError, check_known
from kripke_werewolf.logic.english.questions import Question, parted
from kripke_werewolf.logic.formulas import to_sentence
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.semantics.answers import Answer, OfModel, answer_to, asked_of_model
from kripke_werewolf.teach.explorer import limits
from kripke_werewolf.teach.explorer.actions import formula_in, questions_of
from kripke_werewolf.teach.explorer.boards import Board, board_of
from kripke_werewolf.teach.explorer.games import asked_of_handout, game_view
from kripke_werewolf.teach.explorer.guide import guide_of
from kripke_werewolf.teach.explorer.limits import limited
from kripke_werewolf.teach.explorer.pictures import drawn_of, picture_of
from kripke_werewolf.teach.explorer.practice import exercise_view
from kripke_werewolf.teach.explorer.proving import proof_view
from kripke_werewolf.teach.explorer.state import State, by_name
from visualise.picture import pens_of
from visualise.text import world_texts
from visualise.themes import THEMES

Json = dict[str, Any]


def error_of(error: Exception) -> Json:
    """Return an error for the page: the message, its kind, the argument and the position in it."""
    at, field = getattr(error, "at", None), getattr(error, "field", None)
    if isinstance(error, FormulaSyntaxError):
        at, field = error.position, field or "formula"
    message = str(error)
    short, kind = message.split("\n", 1)[0], type(error).__name__
    return {"message": message, "short": short, "kind": kind, "at": at, "field": field}


def view_of(
    state: State, wanted: Collection[str] | None = None, *, have: str = "", theme: str | None = None
) -> Json:
    """Return the view of a state; `wanted`: the sections, by default all; `have`: the picture sent."""
    board = board_of(state)
    for name in wanted or ():
        check_known(name, _SECTIONS, kind="section")
    look = {"have": have, "theme": theme_of(theme)}
    found: Json = {"title": board.source.title}
    for name, section in _SECTIONS.items():
        if wanted is None or name in wanted:
            found[name] = section(state, board, look)
    return found


def theme_of(name: str | None) -> str:
    """Return the name of a theme, by default the light one; raises `UnknownNameError`."""
    return check_known(name or "light", THEMES, kind="theme")


# --- the model and its picture ---------------------------------------------------------------------


def _model(state: State, board: Board, look: Json) -> Json:
    model = board.model
    pens = {a: THEMES[look["theme"]].pen(pen) for a, pen in pens_of(model.agents, {}).items()}
    places = Numbered(model)
    worlds = cells = None
    if len(model) <= limits.MOST_LISTED:
        cells, points = {agent: places.classes(agent) for agent in model.agents}, set(places.points)
        names = world_texts(tuple(model.worlds))
        worlds = [
            {"name": names[k], "atoms": list(model.atoms_at(world)), "actual": k in points}
            for k, world in enumerate(model.worlds)
        ]
    agents = [{**pens[a].on_board(a), "class": str(model.frame_class(a))} for a in model.agents]
    return {
        "size": len(model),
        "agents": agents,
        "atoms": list(model.atoms),
        "worlds": worlds,
        "all_actual": model.designates_all,
        "cells": cells,
    }


def _picture(state: State, board: Board, look: Json) -> Json:
    picture = picture_of(state, board)
    key = f"{picture.key}-{look['theme']}"
    found: Json = {
        "key": key,
        **picture.sketch.on_board(picture.bare, drawn_of(board).lots),
        "came": list(picture.came) or [None] * len(picture.place),
        "gone": picture.gone,
    }
    if look["have"] != key:
        found["svg"] = picture.svg(look["theme"], board.model.agents)
    return found


def _steps(state: State, board: Board, look: Json) -> list[Json]:
    path, parents = {0, *state.path()}, [None, *(parent for parent, _ in state.steps)]
    return [
        {"step": number, "parent": parent, "on_path": number in path, **_named(state, number)}
        for number, parent in enumerate(parents)
    ]


def _named(state: State, number: int) -> Json:
    """Return the name of a step, even of one in another branch whose model cannot be computed."""
    try:
        with limited(limits.EFFORT_OF_PART, "another branch"):
            board = board_of(state, number)
    except KripkeError as error:
        name = str(state.steps[number - 1].do.get("command"))
        return {"name": name, "kind": "broken", "size": None, "error": str(error)}
    return {"name": board.name, "kind": board.kind, "size": len(board.model)}


# --- formulas --------------------------------------------------------------------------------------


def formula_of(text: str, board: Board) -> Formula:
    """Return the formula in the line; raises the library's errors, with a position if there is one."""
    with limited(limits.EFFORT_OF_PART, "this formula"):
        return formula_in(text, board.model, actions=board.source.actions)


def _asked_in(text: str, board: Board) -> tuple[Question, ...]:
    """Return the meanings of a line."""
    with limited(limits.EFFORT_OF_PART, "this formula"):
        return questions_of(text, board.model, "formula", actions=board.source.actions)


def _formula(state: State, board: Board, look: Json) -> Json | None:
    text = state.formula
    if not text.strip():
        return None
    shown: Json = dict.fromkeys(_SHOWN) | {"text": text}
    try:
        answer = _answer_to(text, state, board)
        if answer.parts or not isinstance(answer.asked, OfModel):  # by no formula, or not by the board
            return shown | {"unicode": answer.read_as, "said": f"{answer}."}
        shown |= _truth_of(answer, board)
    except KripkeError as error:
        return shown | {"error": error_of(error)}
    if not state.at and (handout := state.start.get("game", {}).get("handout")):
        with suppress(KripkeError):  # the worlds of the picture also differ in who is dead
            shown["said"] = f"{asked_of_handout(handout, text)}."
    return shown


def _answer_to(text: str, state: State, board: Board) -> Answer:
    """Return the answer of a board to a line, or that of a player's handout, which says what others know."""
    handout = state.start.get("game", {}).get("handout")
    try:
        return answer_to(OfModel(board.model, board.model.words), text, _asked_in(text, board))
    except KripkeError:
        if state.at or not handout:
            raise
        with suppress(UnknownNameError):  # the board's error has its place
            return asked_of_handout(handout, text)
        raise


_SHOWN = ("error", "unicode", "sentence", "truth", "nodes", "count", "verdict", "said")


def _truth_of(answer: Answer, board: Board) -> Json:
    """Return a formula in all notations, and where it is true, perhaps among the worlds of a condition."""
    model, f, given = board.model, answer.formula, answer.given
    asked, where = asked_of_model(model.space, f, given, None)
    true = set(Numbered(model).numbers(asked if where is None else asked & where))
    sentence = None  # some operators have no words
    with suppress(KripkeError):
        sentence = to_sentence(f, vocabulary=model.words)
    return {
        "unicode": answer.heading,
        "sentence": sentence,
        "truth": "".join("1" if world in true else "0" for world in range(len(model))),
        "nodes": drawn_of(board).marks(true),
        "count": len(true),
        "verdict": str(answer.verdict),
        "said": drawn_of(board).where_true(len(true), answer.verdict) if given is None else f"{answer}.",
    }


def _pins(state: State, board: Board, look: Json) -> list[Json]:
    found: list[Json] = []
    for text in state.pins:
        try:
            answer = _answer_to(text, state, board)
            verdict = None if answer.parts else str(answer.verdict)
            found.append({"text": text, "unicode": answer.heading, "verdict": verdict, "error": None})
        except KripkeError as error:
            found.append({"text": text, "unicode": text, "verdict": None, "error": error_of(error)})
    return found


def _explanation(state: State, board: Board, look: Json) -> Json | None:
    model = board.model
    if state.world is None or state.world >= len(model) or not state.formula.strip():
        return None
    try:
        f, given = parted(_asked_in(state.formula, board)[0])
        if not isinstance(f, Formula):
            return None
        with limited(limits.EFFORT_OF_PART, "the explanation"):
            why = model.explain(f, given=given, at=model.worlds[state.world])
    except KripkeError as error:
        return {"world": state.world, "error": error_of(error)}
    place = {world: number for number, world in enumerate(model.worlds)}
    lines = [(line.lstrip(), len(line)) for line in str(why).split("\n")]
    return {
        "world": state.world,
        "error": None,
        "value": why.value,
        "gist": why.sentences(),
        "lines": [{"depth": (long - len(line)) // 2, "text": line.rstrip()} for line, long in lines],
        "path": [
            {"from": place[link.source], "to": place[link.target], "agents": list(link.agents)}
            for link in why.path
            if link.source in place and link.target in place
        ],
        "worlds": [place[world] for world in why.worlds if world in place],
    }


_SECTIONS: Mapping[str, Callable[[State, Board, Json], Any]] = {
    **by_name(_model, _picture, _steps),
    "at": lambda state, *_: state.at,
    "undo": lambda state, *_: state.at > 0,
    "redo": lambda state, *_: state.tip != state.at,
    **by_name(_formula, _pins, _explanation),
    "guide": lambda state, board, _: guide_of(state, board),
    "exercise": lambda state, *_: None if state.exercises is None else exercise_view(state),
    "proof": lambda state, *_: proof_view(state),
    "game": lambda state, *_: game_view(state.start["game"]) if "game" in state.start else None,
}
