"""What a notebook says while an answer is written: how it is read, never whether it is right."""

import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO

import pytest

from kripke_werewolf import FormatError
from kripke_werewolf.teach.exercises import Exercise, Sheet, Task, new_exercise
from kripke_werewolf.teach.exercises.forms import Form
from kripke_werewolf.teach.exercises.notebooks import _tasks


def is_read(form: Form, answer: str) -> bool:
    try:
        form.read(answer)
    except FormatError:
        return False
    return True


def broken(answer: str) -> Iterator[str]:
    """Yield answers that are like this one, many of them in no form."""
    yield from (answer[:-1], f"{answer})", answer.replace(":", ""), answer.replace("w1", "w9"))
    yield from (answer.replace("p", "r"), f"({answer}", answer.upper(), f" {answer}. ", "I do not know")


@pytest.mark.parametrize("seed", range(2))
def test_a_form_as_data_reads_as_the_form(seed: int) -> None:
    for kind in Exercise.kinds:
        exercise = new_exercise(kind, rng=seed)
        for answer in (exercise.solution(), *broken(exercise.solution())):
            form = Form.from_dict(json.loads(json.dumps(exercise.form.to_dict())))
            assert form.words == exercise.form.words
            assert is_read(form, answer) == is_read(exercise.form, answer), (exercise.kind, answer)
            if is_read(form, answer):
                assert form.write(form.read(answer)) == exercise.form.write(exercise.form.read(answer))


def test_the_exercise_does_not_follow_from_the_form() -> None:
    for seed in range(5):
        for kind in ("to-formula", "reduce", "valid", "find-model", "derivation"):
            exercise = new_exercise(kind, rng=seed)
            data = json.dumps(exercise.form.to_dict())
            assert all(str(f) not in data for f in exercise.formulas() if f.children)


def test_the_notebook_says_how_an_answer_is_read() -> None:
    sheet = Sheet("x", (Task("truth-set"), Task("to-formula"), Task("valid")), seed=4)
    variant = sheet.variant("ann")
    for number, (exercise, asked) in enumerate(zip(variant.exercises, _tasks(variant), strict=True), 1):
        for answer, begin in ((exercise.solution(), "read as: "), ("", "there is"), ("???", "this cannot")):
            shown = StringIO()
            with redirect_stdout(shown):
                exec(asked.reading, {f"answer_{number}": answer})
            assert shown.getvalue().startswith(begin)
