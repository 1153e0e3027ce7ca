"""Exercises on the page: asked, answered, checked with the reason, and exported."""

import json
from pathlib import Path

import pytest

from kripke_werewolf.logic.written import action_lines
from kripke_werewolf.teach.exercises import new_exercise, read_exercise, to_toml
from kripke_werewolf.teach.exercises.submissions import is_sealed, read_submission
from kripke_werewolf.teach.explorer import State, link
from tests.cases import cases

from .pages import Page

FILES = sorted((Path(__file__).parents[3] / "examples" / "exercises").glob("*.toml"))
TEXTS = [path.read_text(encoding="utf-8") for path in FILES]


def course() -> Page:
    return Page(text=json.dumps({"title": "Week 1", "exercises": TEXTS}))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_kind_is_asked_and_answered(path: Path) -> None:
    exercise = read_exercise(path)
    page = Page(text=path.read_text(encoding="utf-8"), name=path.name)
    shown = page.view("exercise")
    assert (shown["question"], shown["of"], shown["checked"]) == (exercise.asked(), 1, None)
    page.do("answer", answer=exercise.solution())
    shown = page.view("exercise")
    result = exercise.check(exercise.solution())
    assert shown["checked"] == {"right": True, "reason": result.reason}
    assert page.said == "Right."
    assert "line 1, column" in page.refused("answer", answer="(")["message"]
    assert page.view("exercise")["answer"] == exercise.solution()


def test_a_set() -> None:
    page = course()
    assert page.view("exercise")["set"] == "Week 1"
    number = next(k for k, path in enumerate(FILES) if path.stem == "where-is-it-true")
    page.do("exercise", number=number)
    page.do("draft", answer="perhaps")
    assert page.view("exercise")["checked"] is None
    page.do("answer", answer="w2")
    assert page.said == "Not right."
    page.do("exercise", number=0)
    page.do("exercise", number=number)
    shown = page.view("exercise")
    assert (shown["answer"], shown["checked"]["right"]) == ("w2", False)
    assert shown["all"][number] == {"title": shown["title"], "answered": True, "right": False}
    again = Page(link=link(State.from_dict(page.state)))
    assert again.view("exercise") == shown
    count = len(FILES)
    assert f"from 0 to {count - 1}, got {count}" in page.refused("exercise", number=count)["message"]


def test_a_model_is_handed_in_from_the_board() -> None:
    path = next(path for path in FILES if path.stem == "find-a-model")
    exercise = read_exercise(path)
    wanted = exercise.form.read(exercise.solution()).to_dict()
    number = {world: k for k, world in enumerate(wanted["worlds"])}
    page = Page(text=path.read_text(encoding="utf-8"))
    for atom in wanted["valuation"]:
        page.do("edit", edit="add_atom", atom=atom)
    for world in number:
        atoms = [atom for atom, true in wanted["valuation"].items() if world in true]
        page.do("edit", edit="add_world", name=world, atoms=atoms)
    for agent, relation in wanted["relations"].items():
        page.do("edit", edit="add_agent", agent=agent)
        if isinstance(relation, dict):
            for cell in relation["classes"]:
                page.do("edit", edit="join", agent=agent, worlds=[number[w] for w in cell])
            continue
        arrows = {(number[w], number[v]) for w, v in relation} ^ {(k, k) for k in number.values()}
        for first, second in sorted(arrows):
            page.do("edit", edit="arrow", agent=agent, **{"from": first, "to": second})
    page.do("answer", board=True)
    assert page.said == "Not right."
    page.do("edit", edit="actual", worlds=[number[w] for w in wanted["designated"]])
    page.do("answer", board=True)
    assert page.said == "Right."


def test_an_updated_model_is_handed_in_from_the_board() -> None:
    path = next(path for path in FILES if path.stem == "update-it")
    page = Page(text=path.read_text(encoding="utf-8"))
    assert page.view("exercise")["board"]
    assert "unknown world 'w1'" in page.refused("answer", board=True)["message"]
    action = read_exercise(path).action  # type: ignore[attr-defined]
    page.do("act", text="\n".join(action_lines(action)))
    page.do("answer", board=True)
    assert page.said == "Right."


def test_a_counter_model_is_handed_in_from_the_board() -> None:
    page = Page(text='kind = "valid"\nformula = "p -> q"\nlogic = "S5"')
    assert page.view("exercise")["board"]
    for edit in ({"edit": "add_atom", "atom": "p"}, {"edit": "add_atom", "atom": "q"}):
        page.do("edit", **edit)
    page.do("edit", edit="add_world", atoms=["p", "q"])
    page.do("answer", board=True)
    assert page.said == "Not right."
    page.do("edit", edit="flip", world=0, atom="q")
    page.do("answer", board=True)
    assert page.said == "Right."
    path = next(path for path in FILES if path.stem == "where-is-it-true")
    page = Page(text=path.read_text(encoding="utf-8"))
    assert not page.view("exercise")["board"]
    told = page.refused("answer", board=True)["message"]
    assert "the answer is not a model; expected names of worlds" in told


def sheet() -> Page:
    """Return the page of a student with a sheet."""
    data = {"title": "Week 1", "student": "s1", "name": "Ann", "seal": "key", "exercises": TEXTS}
    return Page(text=json.dumps(data))


def test_a_student_is_told_how_answers_are_read_and_not_whether_they_are_right() -> None:
    for number, path in enumerate(FILES):
        page, exercise = sheet(), read_exercise(path)
        page.do("exercise", number=number)
        page.do("answer", answer=exercise.solution())
        told = page.view("exercise")["checked"]
        assert told["right"] is None
        assert told["reason"].startswith("read as: ")
        assert page.view("exercise")["all"][number]["right"] is None


def test_the_file_that_is_handed_in() -> None:
    page, right = sheet(), [read_exercise(FILES[number % 2]).solution() for number in range(11)]
    given = {str(number): answer for number, answer in enumerate(right, 1)}
    found = page.do("hand-in", attempt=3, answers=given, hints={"2": 4})
    assert found["file"] == "Week-1-s1-3.answers.json"
    (read,) = read_submission("a.json", found["text"].encode())
    answers = read.answers
    assert answers is not None
    assert (answers.student, answers.sheet, answers.attempt) == ("s1", "Week 1", 3)
    assert dict(answers.answers) == dict(enumerate(right, 1))
    assert dict(answers.hints) == {"2": 4}
    assert is_sealed(answers, "key")
    assert not is_sealed(answers, "another key")


def test_a_draft_belongs_to_its_task_whichever_is_shown() -> None:
    page = sheet()
    page.do("exercise", number=1)
    page.do("draft", answer="first", number=0)
    assert not page.view("exercise")["answer"]
    page.do("exercise", number=0)
    assert page.view("exercise")["answer"] == "first"
    assert (
        "expected the number of an exercise" in page.refused("draft", answer="", number=len(TEXTS))["message"]
    )


@pytest.mark.parametrize("kind", ["derivation", "natural-deduction"])
def test_a_line_at_the_desk_is_called_by_its_row(kind: str) -> None:
    exercise = new_exercise(kind, rng=2)
    page = Page(text=json.dumps({"exercises": [to_toml(exercise)]}))
    page.do("proof", text=exercise.desk())
    assert page.refused("row", text="p & & q  PL")["message"].startswith("row 1: ")
    page.do("row", text="p -> p   PL" if kind == "derivation" else "| p   assume")
    assert page.refused("row", text="p & & q  PL")["message"].startswith("row 2: ")


@pytest.mark.parametrize("kind", ["derivation", "natural-deduction"])
def test_the_desk_begins_with_the_task_and_its_proof_is_an_answer(kind: str) -> None:
    exercise = new_exercise(kind, rng=2)
    page = Page(text=json.dumps({"exercises": [to_toml(exercise)]}))
    page.do("proof", text=page.view("exercise")["desk"])
    head = len(exercise.desk().splitlines())
    for row in (
        exercise.solution().splitlines()[head:]
        if kind != "derivation"
        else exercise.solution().splitlines()[1:]
    ):
        page.do("row", text=row)
    assert page.view("proof")["done"]
    page.do("answer", answer=page.do("copy", what="proof")["text"])
    assert page.view("exercise")["checked"]["right"]


@cases(
    ('{"exercises": []}', "expected a list of at least one exercise"),
    ('{"exercises": [3]}', "exercises[0]: expected a string"),
    ('kind = "sudoku"', "exercise 1, line 1, column 8: unknown kind of exercise 'sudoku'"),
    ('kind = "truth-set"\nformula = "p"\n[model]\nfile = "model.json"', "exercise 1"),
    ('kind = "truth-set', "exercise 1, line 1"),
)
def test_a_wrong_set(text, message) -> None:
    error = Page(puzzle="hexa").refused("open", text=text, name="week.json")
    assert message in error["message"]
    assert "/tmp" not in error["message"]
