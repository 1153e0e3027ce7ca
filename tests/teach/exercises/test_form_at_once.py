"""What a sheet or a notebook says while an answer is written: how it is read, never whether it is right."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from importlib.resources import files
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kripke_werewolf import FormatError, parse
from kripke_werewolf.teach.exercises import Exercise, Sheet, Task, Valid, kinds_generated, new_exercise
from kripke_werewolf.teach.exercises.drawings import AModel
from kripke_werewolf.teach.exercises.forms import Form
from kripke_werewolf.teach.exercises.notebooks import how_read, notebook_text
from kripke_werewolf.teach.exercises.updating import AnUpdatedModel
from kripke_werewolf.teach.exercises.web import web_page
from tests.browser import errors, needs_browser, window
from tests.teach.exercises.test_forms_of_answers import BLIND, NOT_READ, ODD, RELATIONS, SAME

if TYPE_CHECKING:
    from playwright.sync_api import Browser

RUN = """
const fs = require("fs");
const readable = new Function(fs.readFileSync(process.argv[1], "utf8") + "; return readable;")();
const asked = JSON.parse(fs.readFileSync(0, "utf8"));
console.log(JSON.stringify(asked.map(([form, text]) => readable(form, text))));
"""

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")


def told(asked: list[tuple[Exercise, str]]) -> list[dict[str, Any]]:
    """Return what the page says of each answer to an exercise."""
    return page_says([(exercise.form, answer) for exercise, answer in asked])


def page_says(asked: Iterable[tuple[Form, str]]) -> list[dict[str, Any]]:
    """Return what the page says of each answer in a form."""
    given = json.dumps([(form.to_dict(), answer) for form, answer in asked])
    script = files("kripke_werewolf.teach.exercises").joinpath("forms.js")
    done = subprocess.run(
        ["node", "-e", RUN, str(script)], input=given, capture_output=True, text=True, check=True
    )
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


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


def answers(seed: int) -> list[tuple[Exercise, str]]:
    """Return answers to an exercise of each kind with a field to write in."""
    drawn = [new_exercise(kind, rng=seed) for kind in kinds_generated()]
    free = [exercise for exercise in drawn if not exercise.form.options]
    given = [(x, answer) for x in free for answer in (x.solution(), *broken(x.solution()))]
    return given + [(x, mistake.answer) for x in free for mistake in x.mistakes()]


@needs_node
def test_the_page_reads_the_same_odd_forms() -> None:
    for cases, read in ((ODD, True), (NOT_READ, False)):
        asked = [(new_exercise(kind, rng=4), answer) for kind, answer in cases]
        asked = [(exercise, answer) for exercise, answer in asked if not exercise.form.options]
        for (exercise, answer), said in zip(asked, told(asked), strict=True):
            assert said["ok"] == read, (exercise.kind, answer, said)
            assert said["said"]


@needs_node
def test_the_page_reads_arrows_as_they_are_graded_and_refuses_no_model_that_is_read() -> None:
    form = AnUpdatedModel(("w1", "w2", "w3"), ("p",), ("a",), "K")
    ways = [way for alike in RELATIONS for way in alike] + ["{(w1,w2)}", "from w1 to w2", "w1 -> w9"]
    asked = [f"w1: ; w2: ; w3: ; a: {way}" for way in ways]
    for way, said in zip(asked, page_says([(form, way) for way in asked]), strict=True):
        assert said["ok"] == is_read(form, way), (way, said)
        if said["ok"]:
            assert form.read(said["said"].removeprefix("read as: ")) == form.read(way), way
    drawn = AModel(parse("K_a p & K_b q"), "S5")
    assert all(said["ok"] for said in page_says([(drawn, text) for text in SAME]))
    assert not any(said["ok"] for said in page_says([(drawn, "w*: ; v*: "), (drawn, "I do not know")]))


@needs_node
def test_the_page_refuses_no_answer_of_the_blind_list_that_is_read() -> None:
    asked = [(form, answer) for form, answer, _ in BLIND if not form.options and is_read(form, answer)]
    assert len(asked) > 40
    for (_, answer), said in zip(asked, page_says(asked), strict=True):
        assert said["ok"], (answer, said)


@needs_node
def test_the_page_says_of_a_reason_that_it_is_read_only_if_it_is() -> None:
    reasons = [
        *("reflexive", "no property", "serial, transitive and symmetric", "not reflexive"),
        "nobody sees itself",
    ]
    reasons += ["K and T", "non-reflexive", "reflexive, foo", "RK", "foo", "no property, reflexive"]
    exercise = Valid("", parse("K_a p -> p"), "S5")
    asked = [(exercise, f"valid: {reason}") for reason in reasons]
    for (_, answer), said in zip(asked, told(asked), strict=True):
        claim = said["said"].removeprefix("read as: ")
        assert claim in (answer, "valid; the reason is not checked here")
        if claim == answer:
            assert exercise.form.read(answer).reason is not None, answer
    assert [said["said"] for said in told(asked[:3])] == [f"read as: {answer}" for _, answer in asked[:3]]


@needs_node
@pytest.mark.parametrize("seed", range(4))
def test_the_page_refuses_nothing_that_is_read(seed: int) -> None:
    asked = answers(seed)
    seen = 0
    for (exercise, answer), said in zip(asked, told(asked), strict=True):
        read = is_read(exercise.form, answer)
        assert said["ok"] or not read, (exercise.kind, answer, said)
        seen += not said["ok"] and not read
    unread = sum(not is_read(exercise.form, answer) for exercise, answer in asked)
    assert seen >= 0.8 * unread > 20


@pytest.mark.parametrize("seed", range(2))
def test_a_form_as_data_reads_as_the_form(seed: int) -> None:
    for exercise, answer in answers(seed):
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
    cells = {cell["id"]: cell["source"] for cell in json.loads(notebook_text(variant))["cells"]}
    for number, exercise in enumerate(variant.exercises, 1):
        for answer, begin in ((exercise.solution(), "read as: "), ("", "there is"), ("???", "this cannot")):
            shown = StringIO()
            with redirect_stdout(shown):
                exec(cells[f"task-{number}-form"], {f"answer_{number}": answer})
            assert shown.getvalue().startswith(begin)


def test_a_form_of_ones_own_is_read_when_it_is_graded() -> None:
    assert "is unknown here; the answer is read when it is graded" in how_read('{"form": "Riddle"}', "42")


@pytest.mark.slow
@needs_browser
def test_the_page_says_it_while_a_student_types(browser: Browser, tmp_path: Path) -> None:
    drawn = Task("product", parameters={"event": "announcement"})
    sheet = Sheet("x", (drawn, Task("valid"), Task("truth-set")), seed=4)
    path = tmp_path / "sheet.html"
    path.write_text(web_page(sheet.variant("ann")), encoding="utf-8")
    with window(browser) as page:
        page.goto(path.as_uri())
        field, said = page.locator("textarea").nth(0), page.locator(".read").nth(0)
        assert said.is_hidden()
        field.press_sequentially("w1: p; w2: q; a: W_1 to w2")
        assert said.inner_text() == "read as: w1: p; w2: q; a: w1->w2"
        field.press_sequentially(", w99")
        assert said.inner_text().startswith("This cannot be read: unknown world: w99")
        assert page.locator("textarea").count() == page.locator(".read").count() == 2
        assert errors(page) == []
