"""Exercises on the page: a sheet, its questions, how answers are read, and the file that is handed in.

A sheet is JSON with the TOML of its `exercises` and, if it is a student's, the `student` and the key of their
`seal`. Without a student, as for the TOML of a single exercise, answers are also checked, with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from kripke_werewolf.base.errors import KripkeError, ModelError
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.teach.explorer import limits
from kripke_werewolf.teach.explorer.limits import limited
from kripke_werewolf.teach.explorer.state import Answered, Json, Kept, State, digest, read_number, read_sheet

if TYPE_CHECKING:
    from kripke_werewolf.teach.exercises import Exercise

_exercises: Kept[Exercise] = Kept(60)
_results: Kept[Json] = Kept(200)


def set_of(data: Mapping[str, Any]) -> State:
    """Return the state that shows the first exercise of a sheet; raises `FormatError` for an invalid one."""
    state = State(start={"exercise": 0}, exercises=read_sheet(data, "exercises"))
    for number in range(count_of(state)):
        exercise_of(state, number)
    return state


def exercise_of(state: State, number: Any) -> Exercise:
    """Return an exercise of the sheet."""
    from kripke_werewolf.teach.exercises import parse_exercise

    read_number(number, "exercise", count_of(state) - 1, "the number of an exercise")
    text, name = (state.exercises or {})["items"][number], f"exercise {number + 1}"
    return _exercises.get((text, name), lambda: parse_exercise(text, name))


def count_of(state: State) -> int:
    """Return the number of exercises; raises `ModelError` if there are none."""
    if state.exercises is None:
        raise ModelError("no exercises are open")
    return len(state.exercises["items"])


def current(state: State) -> int:
    """Return the number of the exercise shown; raises `ModelError` if there is none."""
    if state.exercises is None or "exercise" not in state.start:
        raise ModelError("no exercise is shown")
    number: int = state.start["exercise"]
    exercise_of(state, number)  # raises for a wrong number
    return number


def checked_answer(state: State, number: int) -> Json:
    """Return whether the answer to an exercise is right, and why; on a student's sheet, how it is read.

    Raises `FormatError` for the wrong format.
    """
    exercise, sheet = exercise_of(state, number), state.exercises or {}
    text = state.answers[number].text

    def result() -> Json:
        with limited(limits.EFFORT_OF_PART, "checking this answer"):
            if "seal" in sheet:
                return {"right": None, "reason": exercise.read_back(text)}
            found = exercise.check(text)
            return {"right": found.right, "reason": found.reason}

    return _results.get(digest(sheet["items"][number], text, "seal" in sheet), result)


def exercise_view(state: State) -> Json:
    """Return the exercise shown, and the progress in the sheet."""
    count, sheet = count_of(state), state.exercises or {}
    results = [_result(state, number) for number in range(count)]
    every = [
        {
            "title": exercise_of(state, number).title or f"Exercise {number + 1}",
            "answered": number in state.answers,
            "right": (result or {}).get("right"),
        }
        for number, result in enumerate(results)
    ]
    found: dict[str, Any] = {
        key: sheet.get(key, "") for key in ("title", "text", "name", "due", "attempts", "host")
    }
    found = {"set": found.pop("title"), **found, "of": count, "all": every, "sealed": "seal" in sheet}
    if "exercise" not in state.start:
        return found | {"number": None}
    number = current(state)
    exercise = exercise_of(state, number)
    form, shown = exercise.form, exercise.notation.shown
    return found | {
        "number": number,
        "title": exercise.title,
        "question": exercise.asked(),
        "form": shown(form.words),
        "options": [{"answer": name, "label": name} for name in form.options],
        "lines": form.lines,
        "board": form.takes_model,
        "desk": exercise.desk(),
        "shown": _beside(exercise),
        "answer": state.answers.get(number, Answered("", False)).text,
        "checked": results[number],
    }


def board_model(exercise: Exercise) -> KripkeModel | None:
    """Return the first model shown by an exercise, for the board; None if it shows none."""
    return next((thing for thing, _ in exercise.shown() if isinstance(thing, KripkeModel)), None)


def _beside(exercise: Exercise) -> list[Json]:
    """Return the pictures of the models and actions of an exercise, unless it shows a single model."""
    shown = exercise.shown()
    if len(shown) == 1 and isinstance(shown[0].thing, KripkeModel):
        return []
    from kripke_werewolf.teach.exercises.rendering import task_picture

    return [{"caption": one.caption, "svg": task_picture(one.thing)} for one in shown]


def _result(state: State, number: int) -> Json | None:
    """Return the verdict on an answer that the student has checked, or how it is read."""
    with suppress(KripkeError):
        if number in state.answers and state.answers[number].checked:
            return checked_answer(state, number)
    return None


def handed_in(state: State, do: Json) -> Json:
    """Return the file that a student hands in, sealed, and its name.

    `do` has the number of the `attempt` and, by the number of the task from 1, the `answers` and how often
    `hints` were used, as the page has kept them.
    """
    from kripke_werewolf.teach.exercises.classes import folder_name
    from kripke_werewolf.teach.exercises.submissions import saved_answers

    count_of(state)  # raises if there are none
    sheet = {key: (state.exercises or {}).get(key, "") for key in ("title", "student", "seal")}
    given = {key: do.get(key) for key in ("attempt", "answers", "hints")}
    text = saved_answers({"sheet": sheet["title"], "student": sheet["student"], **given}, sheet["seal"])
    name = folder_name(f"{sheet['title']} {sheet['student']} {given['attempt']}")
    return {"file": f"{name}.answers.json", "mime": "application/json", "text": text}
