"""Exercises on the page: a set, its questions, answers checked with the reason, and the answers as a file.

A set is JSON: {"exercises": [TOML, …], "title": "…"}, or the TOML of one exercise. The answers are exported
with their set, so that `kripke-werewolf exercise check` can check them again.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from kripke_werewolf.base.errors import FormatError, KripkeError, ModelError
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.teach.explorer import limits
from kripke_werewolf.teach.explorer.limits import check_length, limited
from kripke_werewolf.teach.explorer.state import Answered, Json, Kept, State, digest

if TYPE_CHECKING:
    from kripke_werewolf.teach.exercises import Exercise, Result

FORMAT = "kripke_werewolf answers"
VERSION = 1

_UNANSWERED = Answered("", False)
_exercises: Kept[Exercise] = Kept(60)
_results: Kept[Result] = Kept(200)


def set_of(items: Any, title: str) -> State:
    """Return the state that shows the first exercise of a set; raises `FormatError` for an invalid one."""
    if not isinstance(items, list) or not items or not all(isinstance(item, str) for item in items):
        raise FormatError("exercises: expected a list of exercises, each as TOML")
    check_length(items, limits.MOST_EXERCISES, "the set of exercises")
    exercises = {"items": items} | ({"title": title} if title else {})
    state = State(start={"exercise": 0}, exercises=exercises)
    for number in range(len(items)):
        exercise_of(state, number)
    return state


def set_of_sheet(text: str, name: str, student: str) -> State:
    """Return the state that shows the first exercise of a sheet, which may depend on the student."""
    from kripke_werewolf.teach.exercises import to_toml
    from kripke_werewolf.teach.exercises.sheet import parse_sheet

    sheet = parse_sheet(text, name or "sheet")
    with limited(limits.EFFORT, "making these exercises"):
        variant = sheet.variant(student)
    return set_of([to_toml(exercise) for exercise in variant.exercises], sheet.title)


def exercise_of(state: State, number: Any) -> Exercise:
    """Return an exercise of the set."""
    from kripke_werewolf.teach.exercises import parse_exercise

    items = (state.exercises or {}).get("items", [])
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(items):
        raise FormatError(f"exercise: expected a number below {len(items)}, got {number!r}")
    text, name = items[number], f"exercise {number + 1}"
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


def checked_answer(state: State, number: int) -> Result:
    """Return the result of the answer to an exercise; raises `FormatError` for the wrong format."""
    exercise = exercise_of(state, number)
    text = state.answers[number].text

    def result() -> Result:
        with limited(limits.EFFORT_OF_PART, "checking this answer"):
            return exercise.check(text)

    return _results.get(digest((state.exercises or {})["items"][number], text), result)


def exercise_view(state: State) -> Json:
    """Return the exercise shown, and the progress in the set."""
    count = count_of(state)
    results = [_result(state, number) for number in range(count)]
    every = [
        {
            "title": exercise_of(state, number).title or f"Exercise {number + 1}",
            "answered": number in state.answers,
            "right": None if result is None else result.right,
        }
        for number, result in enumerate(results)
    ]
    assert state.exercises is not None
    found: dict[str, Any] = {"set": state.exercises.get("title", ""), "of": count, "all": every}
    if "exercise" not in state.start:
        return found | {"number": None}
    number = current(state)
    exercise, result = exercise_of(state, number), results[number]
    form = exercise.form
    return found | {
        "number": number,
        "title": exercise.title,
        "question": exercise.question(),
        "form": form.words,
        "options": [option._asdict() for option in form.options],
        "several": form.several,
        "lines": form.lines,
        "board": form.takes_model,
        "shown": _beside(exercise),
        "answer": state.answers.get(number, _UNANSWERED).text,
        "checked": None if result is None else {"right": result.right, "reason": result.reason},
    }


def board_model(exercise: Exercise) -> KripkeModel | None:
    """Return the first model shown by an exercise, for the board; None if it shows none."""
    return next((thing for thing, _ in exercise.shown() if isinstance(thing, KripkeModel)), None)


def _beside(exercise: Exercise) -> list[Json]:
    """Return the pictures of the models and actions of an exercise, unless it shows a single model."""
    shown = exercise.shown()
    if len(shown) == 1 and isinstance(shown[0].thing, KripkeModel):
        return []
    from kripke_werewolf.teach.exercises.rendering import pictures_of

    pictures = zip(shown, pictures_of(exercise), strict=True)
    return [{"caption": one.caption, "svg": svg} for one, svg in pictures]


def _result(state: State, number: int) -> Result | None:
    """Return the result of an answer that the student has checked."""
    with suppress(KripkeError):
        if number in state.answers and state.answers[number].checked:
            return checked_answer(state, number)
    return None


def exported(state: State, student: str = "") -> str:
    """Return the answers as a file, with their exercises, and the student's name if given."""
    count_of(state)  # raises if there are none
    assert state.exercises is not None
    answers = [
        {"exercise": item, "answer": state.answers.get(number, _UNANSWERED).text}
        for number, item in enumerate(state.exercises["items"])
    ]
    data = {"format": FORMAT, "version": VERSION, "title": state.exercises.get("title", "")}
    data |= {"student": student, "answers": answers}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def answer_in(text: str, exercise: Exercise, source: str) -> str:
    """Return the answer to an exercise in a file: the whole file, or a part of an exported one.

    Raises `FormatError` if an exported file has no answer to this exercise.
    """
    from kripke_werewolf.teach.exercises import parse_exercise

    if FORMAT not in text:
        return text
    try:
        data = json.loads(text)
        answers = [(item["exercise"], item["answer"]) for item in data["answers"]]
        version = data["version"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise FormatError(f"{source}: these answers were changed, and cannot be read") from None
    if version != VERSION:
        raise FormatError(f"{source}: version {version!r} of answers is unknown (known: {VERSION})")
    for written, answer in answers:
        with suppress(KripkeError):
            if isinstance(answer, str) and parse_exercise(str(written)) == exercise:
                return answer
    raise FormatError(f"{source}: it holds {len(answers)} answers, but none to this exercise")
