"""Notebooks: nbgrader and otter-grader themselves make, run and grade them."""

import csv
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kripke_werewolf.cli.main import cli
from kripke_werewolf.teach.exercises import Sheet, Task, Variant, new_exercise, read_sheet
from kripke_werewolf.teach.exercises.classes import make_class, parse_roster
from kripke_werewolf.teach.exercises.notebooks import (
    OnlyAnswers,
    _nbgrader,
    _otter,
    graded,
    packed,
    reaches,
    without_code,
)
from kripke_werewolf.teach.explorer.page.exports import export
from tests.answers import answered
from tests.graders import CHEATING, run

pytestmark = pytest.mark.slow

SHEET = Sheet(
    "Week 1", (Task("truth-set", points=4), Task(new_exercise("distinguish", rng=1), points=2)), seed=11
)
VARIANT = SHEET.variant("")


def whole(make: Callable[[Variant], Any], variant: Variant = VARIANT) -> dict[str, Any]:
    """Return a notebook of a sheet."""
    return {"cells": list(make(variant))}


HOSTILE = (
    "import os, sys\n"
    "answer_1 = 'p & ' * 300_000\n"
    "answer_2 = open\n"
    "sys.modules['kripke_werewolf'] = None\n"
    "raise SystemExit"
)

OTTER = """
import json, sys
from otter.api import grade_submission

print(json.dumps([grade_submission(path, sys.argv[1]).total for path in sys.argv[2:]]))
"""


def partly(variant: Variant) -> str:
    """Return an answer to the first task with one world too many."""
    form = variant.exercises[0].form
    right = variant.exercises[0].right()  # type: ignore[attr-defined]
    wrong = next(name for name in form.options if name not in right)
    return ", ".join([*sorted(right), wrong])


def credit() -> float:
    return float(VARIANT.exercises[0].check(partly(VARIANT)).credit)


def handed_in(notebook: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the notebooks of three students: all right, partly right, hostile."""
    right = [exercise.solution() for exercise in VARIANT.exercises]
    found = {"right": answered(notebook, right), "partly": answered(notebook, [partly(VARIANT), "9"])}
    hostile: dict[str, Any] = json.loads(json.dumps(notebook))
    cell = next(
        c for c in hostile["cells"] if "answer_1 = " in "".join(c["source"]) and c["cell_type"] == "code"
    )
    cell["source"] = HOSTILE
    cheating: dict[str, Any] = answered(notebook, ["none", "9"])
    for cell in cheating["cells"]:
        if cell["cell_type"] == "code" and "answer_1 = " in "".join(cell["source"]):
            cell["source"] = f"{CHEATING}{REACHING}{''.join(cell['source'])}"
    return {**found, "hostile": hostile, "cheating": cheating}


@pytest.mark.skipif(find_spec("nbgrader") is None, reason="nbgrader is not installed")
def test_nbgrader_grades_the_assignment(tmp_path: Path) -> None:
    source, _ = export(SHEET, "nbgrader", tmp_path)
    name = source.stem
    run(tmp_path, "-m", "nbgrader", "generate_assignment", name)
    released = json.loads((tmp_path / "release" / name / f"{name}.ipynb").read_text("utf-8"))
    texts = "\n".join("".join(cell["source"]) for cell in released["cells"])
    assert "graded(" not in texts
    assert f"answer_1 = {VARIANT.exercises[0].solution()!r}" not in texts
    for student, notebook in handed_in(released).items():
        folder = tmp_path / "submitted" / student / name
        folder.mkdir(parents=True)
        (folder / f"{name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    # files that Python would load instead of those that the tests import
    for module in ("kripke_werewolf", "zlib", "json"):
        (folder / f"{module}.py").write_text(REACHING, encoding="utf-8")
    run(tmp_path, "-m", "nbgrader", "autograde", name)
    run(tmp_path, "-m", "nbgrader", "export", "--to", "grades.csv")
    rows = csv.DictReader((tmp_path / "grades.csv").read_text("utf-8").splitlines())
    scores = {row["student_id"]: float(row["score"]) for row in rows}
    assert scores == {"right": 6, "partly": pytest.approx(4 * credit()), "hostile": 0, "cheating": 0}
    marked = (tmp_path / "autograded" / "partly" / name / f"{name}.ipynb").read_text("utf-8")
    assert "does not belong there" in marked


@pytest.mark.skipif(find_spec("otter") is None, reason="otter-grader is not installed")
def test_otter_grades_the_assignment(tmp_path: Path) -> None:
    (master,) = export(SHEET, "otter", tmp_path / "master")
    run(tmp_path, "-m", "otter", "assign", str(master), "dist", "--no-run-tests")
    given = json.loads((tmp_path / "dist" / "student" / master.name).read_text("utf-8"))
    assert VARIANT.exercises[0].solution() not in [
        "".join(cell["source"]).rpartition("answer_1 = ")[2] for cell in given["cells"]
    ]
    (archive,) = (tmp_path / "dist" / "autograder").glob("*.zip")
    notebooks = handed_in(given)
    for student, notebook in notebooks.items():
        (tmp_path / f"{student}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    said = run(tmp_path, "-c", OTTER, str(archive), *(f"{student}.ipynb" for student in notebooks))
    scores = dict(zip(notebooks, json.loads(said.splitlines()[-1]), strict=True))
    assert scores == {"right": 6, "partly": int(4 * credit()), "hostile": 0, "cheating": 0}


@pytest.mark.parametrize("target", ["nbgrader", "otter"])
def test_each_student_has_a_notebook_of_their_own(target: str, tmp_path: Path) -> None:
    students = parse_roster("name,id\nAnn,1\nBo,2\n")
    course = make_class(SHEET, students, tmp_path / "out")
    done = CliRunner().invoke(
        cli,
        ["exercise", "sheet", "export", str(tmp_path / "out"), "--to", target, "-o", str(tmp_path / "x")],
        standalone_mode=False,
    )
    found = [Path(line) for line in done.stdout.splitlines() if line.endswith(".ipynb")]
    assert [path.stem for path in found] == ["Week-1-1", "Week-1-2"]
    for path, variant in zip(found, course.variants, strict=True):
        text = "".join("".join(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"])
        for exercise in variant.exercises:
            assert packed(exercise) in text


def test_what_hidden_tests_call() -> None:
    exercise = VARIANT.exercises[0]
    test = packed(exercise)
    assert graded(test, exercise.solution(), 4) is None
    assert graded(test, partly(VARIANT), 4) == pytest.approx(4 * credit())
    for answer in ("", "none", "p & " * 300_000, "nothing"):
        with pytest.raises(AssertionError):
            graded(test, answer, 4)
    reaches(test, exercise.solution(), 4)
    with pytest.raises(AssertionError, match="does not belong there"):
        reaches(test, partly(VARIANT), 4)


# what reaches every test that runs in the same process
REACHING = """
import builtins
imported = builtins.__import__
def importing(name, *more, **named):
    module = imported(name, *more, **named)
    if name.endswith("notebooks"):
        module.graded = module.reaches = lambda *given: None
    return module
builtins.__import__ = importing
"""


def is_test(cell: dict[str, Any]) -> bool:
    return "BEGIN HIDDEN TESTS" in cell["source"] or "BEGIN TEST CONFIG" in cell["source"]


def test_no_code_of_a_student_is_left() -> None:
    for make in (_nbgrader, _otter):
        notebook = answered(whole(make), ["none", "9"])
        tests = [cell["source"] for cell in notebook["cells"] if is_test(cell)]
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code" and not is_test(cell):
                cell["source"] = f"{REACHING}{''.join(cell['source'])}\nanswer_3 = open('/etc/passwd')"
        # a cell that pretends to be one of nbgrader's, which takes the id from it, or refuses the notebook
        forged = {"nbgrader": {"grade": True, "locked": True, "solution": False}}
        for metadata in ({}, forged):
            cell = {"cell_type": "code", "id": "x", "metadata": metadata, "source": CHEATING}
            notebook["cells"].insert(0, cell)
        left = without_code(notebook) if make is _nbgrader else OnlyAnswers().before_execution(notebook)
        sources = [cell["source"] for cell in left["cells"] if cell["cell_type"] == "code"]
        assert [source for source in sources if source and source not in tests] == [
            "answer_1 = 'none'",
            "answer_2 = '9'",
        ]
        assert [source for source in sources if source in tests] == (tests if make is _nbgrader else [])


def test_an_answer_that_changes_the_checker_gains_nothing() -> None:
    cells = {cell["id"]: cell["source"] for cell in whole(_nbgrader)["cells"]}
    (otter, *_) = (cell["source"] for cell in whole(_otter)["cells"] if is_test(cell))
    reached = otter.partition("# END TEST CONFIG\n")[2] + "\ntest_task_1_1(answer_1)\n"
    for test in (cells["task_1_test"], reached):
        for answer, code in (("none", 1), (VARIANT.exercises[0].solution(), 0)):
            script = f"{CHEATING}\nanswer_1 = {answer!r}\n{test}"
            run = subprocess.run(
                [sys.executable, "-c", script], capture_output=True, timeout=120, check=False
            )
            assert run.returncode == code, run.stderr
            assert code == 0 or b"AssertionError: wrong" in run.stderr


@pytest.mark.usefixtures("of_any_difficulty")
def test_the_solutions_of_a_week_pass_its_tests_in_one_process(tmp_path: Path) -> None:
    """Each test loads the library anew."""
    sheet = read_sheet(Path(__file__).parents[3] / "examples" / "course" / "week6.toml")
    assert {task.what for task in sheet.tasks[1:3]} == {"derivation"}
    cells = whole(_nbgrader, replace(sheet, tasks=sheet.tasks[:3]).variant("ann"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    (tmp_path / "week.py").write_text("\n".join(code), encoding="utf-8")
    run(tmp_path, "week.py")
