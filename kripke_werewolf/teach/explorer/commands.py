"""The commands of the page: functions from a state and arguments to a new state."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from kripke_werewolf.base.errors import FormatError, ModelError
from kripke_werewolf.base.files import parse_json
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.logic.formulas.logics import logic_named
from kripke_werewolf.teach.explorer import limits, practice
from kripke_werewolf.teach.explorer import state as states
from kripke_werewolf.teach.explorer.boards import board_of, source_of, stepped
from kripke_werewolf.teach.explorer.games import state_of_game, state_of_handout
from kripke_werewolf.teach.explorer.guide import check_prediction
from kripke_werewolf.teach.explorer.limits import check_length
from kripke_werewolf.teach.explorer.pictures import picture_of
from kripke_werewolf.teach.explorer.proving import desk_of, language_of, with_line
from kripke_werewolf.teach.explorer.state import Answered, Json, State, by_name


class Done(NamedTuple):
    """The result of a command: the new state, a sentence about it, and data for the page."""

    state: State
    said: str = ""
    result: Any = None


# --- where the model comes from --------------------------------------------------------------------

_WAYS = ("empty", "puzzle", "text", "link")
_LINK = re.compile(r"\S*?(#|^)\d+\.[\w-]+\s*")


def _opened(do: Json) -> State | Json:
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
            return states.state_of_link(value)
    check_length(value, limits.MOST_TEXT, "the file")
    return _from_text(value, str(do.get("name") or ""), do)


def _from_text(text: str, name: str, do: Json) -> State | Json:
    """Return the state for the content of a file of any kind."""
    stripped = text.strip()
    if not stripped:
        raise FormatError("this file is empty")
    if _LINK.fullmatch(stripped):
        return states.state_of_link(stripped)
    if stripped.startswith("{"):
        return _from_json(stripped, name, do)
    if re.search(r"^[ \t]*kind[ \t]*=", text, re.MULTILINE):
        return practice.set_of({"exercises": [text], "title": name})
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
        return practice.set_of({"title": name, **data})
    return State(start={"model": data} | ({"name": name} if name else {}))


def _open(state: State, do: Json) -> Done:
    found = _opened(do)
    if not isinstance(found, State):
        return Done(state, result=found)
    said = [source_of(found).title, counted(len(board_of(found).model), "world")]
    return Done(found, f"{': '.join(filter(None, said))}.")


def _begin(state: State, do: Json) -> Done:
    board = board_of(state)
    title = board.source.title
    start: dict[str, Any] = {"model": board.model.to_dict()} | ({"name": title} if title else {})
    place = picture_of(state, board).place
    places = {0: {node: (round(x, 1), round(y, 1)) for node, (x, y) in enumerate(place)}}
    kept = replace(state, start=start, steps=(), at=0, tip=0, places=places, predictions={})
    return Done(kept, "All steps are removed; this model is now the start.")


# --- what is chosen --------------------------------------------------------------------------------


def _formula(state: State, do: Json) -> Done:
    return Done(replace(state, formula=states.read_line(do.get("text"), "text")))


def _pin(state: State, do: Json) -> Done:
    text = states.read_line(do.get("text"), "text").strip()
    if not text:
        raise FormatError("there is no formula to keep")
    if text in state.pins:
        return Done(state)
    check_length((*state.pins, text), limits.MOST_PINS, "the list of formulas that are kept")
    return Done(replace(state, pins=(*state.pins, text)), f"{text} is kept.")


def _unpin(state: State, do: Json) -> Done:
    number = states.read_number(do.get("number"), "number", len(state.pins) - 1, "the number of a formula")
    return Done(replace(state, pins=state.pins[:number] + state.pins[number + 1 :]))


def _world(state: State, do: Json) -> Done:
    world = do.get("world")
    if world is not None:
        states.read_number(world, "world", len(board_of(state).model) - 1, "the number of a world")
    return Done(replace(state, world=world))


def _logic(state: State, do: Json) -> Done:
    return Done(replace(state, logic=logic_named(states.read_line(do.get("logic"), "logic")).name))


# --- steps -----------------------------------------------------------------------------------------

_STORED = {
    "announce": "command formula",
    "tell": "command how group formula changes",
    "act": "command named text",
    "contract": "command",
    "edit": "command edit world worlds name atoms x y agent atom from to under",
    "next": "command",
}
"""The arguments of commands that make a step."""


def _step(state: State, do: Json) -> Done:
    before = board_of(state)
    kept = {key: do[key] for key in _STORED[do["command"]].split() if do.get(key) is not None}
    if len(json.dumps(kept)) > limits.MOST_ANSWER:
        raise FormatError("this step is too long for the page")
    stepped(before, kept)  # raises if it is impossible
    after = state.with_step(kept)
    board = board_of(after)
    if state.world is not None:
        came = list(picture_of(after, board).came) if len(before.model) <= limits.MOST_DRAWN else []
        after = replace(after, world=came.index(state.world) if state.world in came else None)
    return Done(after, _told(len(before.model), len(board.model), board.kind))


def _told(before: int, after: int, kind: str) -> str:
    if kind in ("edit", "question"):
        return f"{counted(after, 'world')}."
    if after < before:
        return f"{after:,} of {counted(before, 'world')} {'is' if after == 1 else 'are'} left."
    if after > before:
        return f"Now there are {counted(after, 'world')}."
    return f"All {counted(after, 'world')} are left." if after > 1 else "The only world is left."


def _go(state: State, do: Json) -> Done:
    return _shown(state, states.read_number(do.get("step"), "step", len(state.steps), "a step"))


def _undo(state: State, do: Json) -> Done:
    if not state.at:
        raise ModelError("there is nothing to undo")
    return _shown(state, state.steps[state.at - 1].parent, "Undone. ")


def _redo(state: State, do: Json) -> Done:
    path = [0, *state.path(state.tip)]
    if state.at == state.tip or state.at not in path:
        raise ModelError("there is nothing to redo")
    return _shown(state, path[path.index(state.at) + 1])


def _shown(state: State, step: int, said: str = "") -> Done:
    board = board_of(found := state.at_step(step))
    return Done(found, f"{said}{board.name}: {counted(len(board.model), 'world')}.")


def _forget(state: State, do: Json) -> Done:
    step = states.read_number(do.get("step"), "step", len(state.steps), "a step")
    if not step:
        raise ModelError("the start cannot be removed; open something else")
    return Done(state.without(step), "The step and all that came after it are removed.")


# --- places ----------------------------------------------------------------------------------------


def _place(state: State, do: Json) -> Done:
    count = len(picture_of(state, board_of(state)).place)
    node = states.read_number(do.get("node"), "node", count - 1, "the number of a node")
    x, y = states.read_spot([do.get("x"), do.get("y")], "x, y")
    spots = {**state.places.get(state.at, {}), node: (round(x, 1), round(y, 1))}
    return Done(replace(state, places={**state.places, state.at: spots}))


def _arrange(state: State, do: Json) -> Done:
    places = {step: nodes for step, nodes in state.places.items() if step not in (0, *state.path())}
    return Done(replace(state, places=places))


# --- stories and exercises -------------------------------------------------------------------------


def _predict(state: State, do: Json) -> Done:
    board = board_of(state)
    said = check_prediction(board, do.get("answer"))
    predictions = {**state.predictions, board.moment: said}
    return Done(replace(state, predictions=predictions), "Your prediction is kept.")


def _exercise(state: State, do: Json) -> Done:
    count = practice.count_of(state)
    number = states.read_number(do.get("number"), "number", count - 1, "the number of an exercise")
    fresh = State(start={"exercise": number}, exercises=state.exercises, answers=state.answers)
    return Done(fresh, f"Exercise {number + 1} of {count}.")


def _draft(state: State, do: Json) -> Done:
    number = do.get("number", state.start.get("exercise"))
    practice.exercise_of(state, number)  # raises for a wrong number
    text = states.read_line(do.get("answer"), "answer", limits.MOST_ANSWER)
    return Done(replace(state, answers={**state.answers, number: Answered(text, False)}))


def _answer(state: State, do: Json) -> Done:
    number = practice.current(state)
    if do.get("board"):
        text = practice.exercise_of(state, number).form.of_model(board_of(state).model)
        check_length(text, limits.MOST_ANSWER, "the model on the board")
    else:
        text = states.read_line(do.get("answer"), "answer", limits.MOST_ANSWER)
    after = replace(state, answers={**state.answers, number: Answered(text, True)})
    right = practice.checked_answer(after, number)["right"]  # raises for an answer in the wrong format
    if right is None:
        return Done(after)
    return Done(after, "Right." if right else "Not right.")


# --- proofs ----------------------------------------------------------------------------------------


def _proof(state: State, do: Json) -> Done:
    from kripke_werewolf.logic.proofs.desk import read_desk

    language = language_of(state)
    match do["command"]:
        case "proof":
            text = states.read_line(do.get("text"), "text", limits.MOST_ANSWER)
            desk = read_desk(language.read(text))
        case "row":
            desk = with_line(state, states.read_line(do.get("text"), "text"))
        case "unrow":
            desk = desk_of(state).undo()
        case _:
            desk = desk_of(state).redo()
    check_length(desk.text, limits.MOST_ANSWER, "the proof")
    told = ""
    if desk.done:
        told = f"{language.shown(desk.sheet.sequent())} is derived."
    elif desk.rows:
        told = f"Line {len(desk.rows)} is {'right' if desk.judged[-1].right else 'wrong'}."
    return Done(replace(state, proof=desk.text, undone=desk.undone), told)


COMMANDS: Mapping[str, Callable[[State, Json], Done]] = {
    **by_name(_open, _begin, _formula, _pin, _unpin, _world, _logic),
    **dict.fromkeys(_STORED, _step),
    **by_name(_go, _undo, _redo, _forget, _place, _arrange, _predict, _exercise, _draft, _answer),
    **dict.fromkeys(("proof", "row", "unrow", "rerow"), _proof),
}
"""The commands that change a state."""
