"""Exercises on the page: asked, answered, checked with the reason, and exported."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kripke_werewolf.cli.main import cli
from kripke_werewolf.teach.exercises import read_exercise
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
    assert (shown["question"], shown["of"], shown["checked"]) == (exercise.question(), 1, None)
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
    number = next(k for k, path in enumerate(FILES) if path.stem == "is-it-true")
    page.do("exercise", number=number)
    page.do("draft", answer="perhaps")
    assert page.view("exercise")["checked"] is None
    page.do("answer", answer="no")
    assert page.said == "Not right."
    page.do("exercise", number=0)
    page.do("exercise", number=number)
    shown = page.view("exercise")
    assert (shown["answer"], shown["checked"]["right"]) == ("no", False)
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
    page.do("act", action=read_exercise(path).action.to_dict())  # type: ignore[attr-defined]
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
    page = Page(text=next(path for path in FILES if path.stem == "is-it-true").read_text(encoding="utf-8"))
    assert not page.view("exercise")["board"]
    assert "the answer is not a model; expected yes or no" in page.refused("answer", board=True)["message"]


SHEET = """
title = "Week 2"
seed = 7
[[task]]
kind = "truth-set"
size = 3
depth = 1
[[task]]
kind = "valid"
"""


def test_a_sheet_is_individual() -> None:
    page = Page(text=SHEET, student="ann")
    same, other = Page(text=SHEET, student="ann"), Page(text=SHEET, student="bo")
    assert page.state == same.state != other.state
    shown = page.view("exercise")
    assert (shown["set"], shown["of"], shown["several"]) == ("Week 2", 2, True)
    assert [option["answer"] for option in shown["options"]] == [str(w) for w in page.model.worlds]
    page.do("exercise", number=1)
    assert page.view("exercise")["board"]
    assert (
        "files can only be named in a file" in page.refused("open", text='kinds = "x.py"' + SHEET)["message"]
    )


def test_answers_leave_the_page() -> None:
    page = course()
    page.do("answer", answer=read_exercise(FILES[0]).solution())
    found = page.do("copy", what="answers", student="Ann")
    data = json.loads(found["text"])
    assert (data["student"], found["file"]) == ("Ann", "week-1.answers.json")
    assert data["title"] == "Week 1"
    assert [entry["exercise"] for entry in data["answers"]] == TEXTS
    assert data["answers"][0]["answer"] == read_exercise(FILES[0]).solution()


def test_exported_answers_are_checked_by_the_command(tmp_path: Path) -> None:
    page = course()
    for number, path in enumerate(FILES):
        page.do("exercise", number=number)
        answer = "no" if path.stem == "is-it-true" else read_exercise(path).solution()
        page.do("answer", answer=answer)
    saved = tmp_path / "week-1.answers.json"
    saved.write_text(page.do("copy", what="answers")["text"], encoding="utf-8")
    for path in FILES:
        done = CliRunner().invoke(cli, ["exercise", "check", str(path), str(saved)])
        assert done.exit_code == (1 if path.stem == "is-it-true" else 0), done.output
    other = tmp_path / "other.toml"
    other.write_text(TEXTS[0].replace("title", "# title", 1), encoding="utf-8")
    failed = CliRunner().invoke(cli, ["exercise", "check", str(other), str(saved)])
    assert f"it holds {len(FILES)} answers, but none to this exercise" in str(failed.exception)
    saved.write_text('{"format": "kripke_werewolf answers"', encoding="utf-8")
    failed = CliRunner().invoke(cli, ["exercise", "check", str(FILES[0]), str(saved)])
    assert "cannot be read" in str(failed.exception)


@cases(
    ('{"exercises": []}', "expected a list of exercises"),
    ('{"exercises": [3]}', "expected a list of exercises"),
    ('kind = "sudoku"', "exercise 1, line 1, column 8: expected a kind of exercise"),
    ('kind = "truth-set"\nformula = "p"\n[model]\nfile = "model.json"', "exercise 1"),
    ('kind = "truth-set', "exercise 1, line 1"),
)
def test_a_wrong_set(text, message) -> None:
    error = Page(puzzle="hexa").refused("open", text=text, name="week.json")
    assert message in error["message"]
    assert "/tmp" not in error["message"]
