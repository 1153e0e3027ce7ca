"""Sheets as notebooks: plain, as nbgrader assignments, and as otter-grader master notebooks.

The hidden tests contain the exercise without its solution, and call the checker: `graded` for nbgrader,
`reaches` for otter-grader. No code of a student is run: before the tests, `without_code` leaves only the
answers, as strings, of the notebook handed in. nbgrader's configuration and otter's plugin call it.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from textwrap import indent
from typing import Any

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.teach.exercises.exercise import Exercise, Result
from kripke_werewolf.teach.exercises.forms import Form
from kripke_werewolf.teach.exercises.rendering import pictures_of, to_markdown
from kripke_werewolf.teach.exercises.roster import folder_name
from kripke_werewolf.teach.exercises.serialisation import from_dict, to_dict
from kripke_werewolf.teach.exercises.sheet import Variant, decimal, load_kinds
from kripke_werewolf.teach.exercises.submissions import strings_given
from kripke_werewolf.teach.exercises.worker import Unchecked, Worker

_Cell = dict[str, Any]
_QUARTERS = 4  # the shares of the points that otter-grader can give


# --- what the graders call -------------------------------------------------------------------------


def without_code(notebook: Any, resources: Any = None) -> Any:
    """Leave only the answers in the cells of a notebook that a student can change.

    It is a preprocessor of nbgrader, which has restored its own cells and taken the id from unknown ones.
    """
    for cell in notebook["cells"]:
        role = cell["metadata"].get("nbgrader", {})
        if cell["cell_type"] == "code" and not all(map(role.get, ("grade_id", "grade", "locked"))):
            given = strings_given("".join(cell["source"]))
            lines = (f"{name} = {text!r}" for name, text in given if re.fullmatch(r"answer_\d+", name))
            cell["source"] = "\n".join(lines)
    return notebook if resources is None else (notebook, resources)


class OnlyAnswers:
    """A plugin of otter-grader, by which it runs no code of a student."""

    def __init__(self, *_: object) -> None: ...

    def before_execution(self, submission: Any) -> Any:
        """Return the notebook handed in with nothing but answers."""
        for cell in submission["cells"]:
            cell["metadata"] = {}
        return without_code(submission)


def packed(exercise: Exercise, kinds: str = "") -> str:
    """Return an exercise as letters and digits for a test; `kinds`: the source of user-defined kinds.

    >>> from kripke_werewolf.teach.exercises import new_exercise
    >>> exercise = new_exercise("truth-set", rng=1)
    >>> unpacked(packed(exercise))[0] == exercise
    True
    """
    data = json.dumps({"exercise": to_dict(exercise), "kinds": kinds}).encode()
    return base64.urlsafe_b64encode(zlib.compress(data, 9)).decode()


def unpacked(text: str) -> tuple[Exercise, str]:
    """Return the exercise written by `packed`, and the source of user-defined kinds."""
    try:
        data = json.loads(zlib.decompress(base64.urlsafe_b64decode(text)))
        if data["kinds"]:
            load_kinds(data["kinds"])
        return from_dict(data["exercise"]), data["kinds"]
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise FormatError(f"the exercise in the test is damaged: {error}") from None


def graded(exercise: str, answer: str, points: float) -> float | None:
    """Print the reason for an answer; return the points if it is partly right, None if it is right.

    nbgrader expects this as the last line of a test. Raises `AssertionError` for a wrong answer.
    """
    result = _checked(exercise, answer)
    if not result.credit:
        raise AssertionError(str(result))
    print(result)
    return None if result.right else float(result.credit) * points


def reaches(exercise: str, answer: str, quarters: int) -> None:
    """Raise `AssertionError` with the reason unless the answer is worth this many quarters of the points."""
    result = _checked(exercise, answer)
    if result.credit * _QUARTERS < quarters:
        raise AssertionError(str(result))


@lru_cache(maxsize=256)
def _checked(exercise: str, answer: str) -> Result:
    read, kinds = unpacked(exercise)
    if not answer.strip():
        return Result(False, "there is no answer")
    with Worker(kinds=kinds) as worker:
        found = worker.check(read, answer)
    return Result(False, found.why) if isinstance(found, Unchecked) else found


def how_read(form: str, answer: str) -> str:
    """Return how an answer is read, or why it cannot be; whether it is right is not known here.

    `form`: that of the task, as JSON of `Form.to_dict`.

    >>> form = '{"form": "Names", "names": ["w1", "w2"], "noun": "world"}'
    >>> how_read(form, "W_1 and w2")
    'read as: w1, w2'
    """
    if not answer.strip():
        return "there is no answer yet"
    try:
        return Form.from_dict(json.loads(form)).read_back(answer)
    except FormatError as error:
        return f"this cannot be read: {error}"


# --- notebooks -------------------------------------------------------------------------------------


def notebook_text(variant: Variant) -> str:
    """Return a sheet as a plain notebook, with a cell for each answer, which `exercise class grade` reads."""
    cells = [_intro(variant), _cell("code", f"student = {variant.student!r}", "student")]
    for number, exercise in enumerate(variant.exercises, 1):
        cells.append(_cell("markdown", _question(variant, number), f"task-{number}-question"))
        cells.append(_cell("code", _answer(number, exercise), f"task-{number}-answer"))
        cells.append(_cell("code", _reading(number, exercise), f"task-{number}-form"))
    return _text(cells)


def _nbgrader(variant: Variant) -> Iterator[_Cell]:
    """Yield the cells of the source of an nbgrader assignment: solutions and hidden tests included."""
    yield _intro(variant)
    for number, exercise in enumerate(variant.exercises, 1):
        key = f"task-{number}"
        points = float(variant.sheet.tasks[number - 1].points)
        solution = f"### BEGIN SOLUTION\nanswer_{number} = {exercise.solution()!r}\n### END SOLUTION"
        test = (
            f"# task {number} is checked here; the reason appears after grading\n"
            "### BEGIN HIDDEN TESTS\n"
            f"{_anew('graded')}\n\n"
            f'graded("{packed(exercise, variant.sheet.kinds)}", answer_{number}, {points:g})\n'
            "### END HIDDEN TESTS"
        )
        answer = f"{_answer(number, exercise)}\n{solution}"
        yield _known("markdown", _question(variant, number), f"{key}-question")
        yield _known("code", answer, f"{key}-answer", locked=False, solution=True)
        yield _known("code", _reading(number, exercise), f"{key}-form")
        yield _known("code", test, f"{key}-test", grade=True, points=points)


def _known(kind: str, source: str, key: str, **role: bool | float) -> _Cell:
    """Return a cell with the metadata by which nbgrader knows it; by default students cannot change it."""
    fixed = {"schema_version": 3, "task": False, "grade": False, "locked": True, "solution": False}
    return _cell(kind, source, key, {"nbgrader": {**fixed, **role, "grade_id": key}})


def _otter(variant: Variant) -> Iterator[_Cell]:
    """Yield the cells of a master for `otter assign`, which makes the students' notebook and the grader."""
    name = folder_name(variant.sheet.title)
    config = (
        f"# ASSIGNMENT CONFIG\nname: {json.dumps(name)}\ninit_cell: true\ncheck_all_cell: false\n"
        "export_cell: false\ntests:\n  ok_format: false\ngenerate:\n  show_hidden: true\n"
        "  plugins:\n    - kripke_werewolf.exercises.notebooks.OnlyAnswers\n"
        "requirements:\n  - kripke-werewolf"
    )
    yield _cell("raw", config, "config")
    yield _intro(variant)
    for number, exercise in enumerate(variant.exercises, 1):
        key = f"task-{number}"
        points = variant.sheet.tasks[number - 1].points
        given = f"{_form_remark(number, exercise)}\nanswer_{number} = {exercise.solution()!r} # SOLUTION"
        yield _cell("raw", f"# BEGIN QUESTION\nname: task{number}\npoints: {float(points):g}", f"{key}-begin")
        yield _cell("markdown", _question(variant, number), f"{key}-question")
        yield _cell("raw", "# BEGIN SOLUTION", f"{key}-solution")
        yield _cell("code", given, f"{key}-answer")
        yield _cell("raw", "# END SOLUTION", f"{key}-solution-end")
        yield _cell("raw", "# BEGIN TESTS", f"{key}-tests")
        data, share = packed(exercise, variant.sheet.kinds), float(points / _QUARTERS)
        for quarter in range(1, _QUARTERS + 1):
            test = (
                f'""" # BEGIN TEST CONFIG\nhidden: true\npoints: {share:g}\n""" # END TEST CONFIG\n'
                f"def test_task_{number}_{quarter}(answer_{number}):\n"
                f"{indent(_anew('reaches'), '    ')}\n"
                f'    reaches("{data}", answer_{number}, {quarter})'
            )
            yield _cell("code", test, f"{key}-test-{quarter}")
        yield _cell("raw", "# END TESTS", f"{key}-tests-end")
        yield _cell("raw", "# END QUESTION", f"{key}-end")
        yield _cell("code", _reading(number, exercise), f"{key}-form")


def _anew(name: str) -> str:
    """Return the lines of a test that import a function of this module, and not of a file handed in.

    Modules of user-defined kinds (`load_kinds`) are loaded again too: they belong to the library loaded
    before.
    """
    return (
        "import sys\n\n"
        "sys.path[:] = [x for x in sys.path if x not in ('', '.')]\n"
        "for module in [x for x in sys.modules if x.startswith('kripke_werewolf')]:\n"
        "    del sys.modules[module]\n"
        f"from kripke_werewolf.exercises.notebooks import {name}"
    )


def _intro(variant: Variant) -> _Cell:
    told = f"Write each answer between the quotation marks. Points: {decimal(variant.sheet.points)}."
    shown = filter(None, [f"# {variant.sheet.title}", variant.sheet.text, told])
    return _cell("markdown", "\n\n".join(shown), "intro")


def _question(variant: Variant, number: int) -> str:
    exercise = variant.exercises[number - 1]
    svgs = (base64.b64encode(svg.encode()).decode() for svg in pictures_of(exercise))
    images = [f"data:image/svg+xml;base64,{svg}" for svg in svgs]
    return to_markdown(exercise, heading=variant.heading(number), level=2, pictures=images)


def _form_remark(number: int, exercise: Exercise) -> str:
    return f"# task {number}: {exercise.form.words}"


def _answer(number: int, exercise: Exercise) -> str:
    quotes = '""' if exercise.form.lines == 1 else '"""\n"""'
    return f"{_form_remark(number, exercise)}\nanswer_{number} = {quotes}"


def _reading(number: int, exercise: Exercise) -> str:
    """Return the lines that say how an answer is read, where this library is installed."""
    form = json.dumps(exercise.form.to_dict(), ensure_ascii=False, default=str)
    return (
        "# run this to see how your answer is read; it does not say whether it is right\n"
        "try:\n    from kripke_werewolf.exercises.notebooks import how_read\n\n"
        f"    print(how_read({form!r}, answer_{number}))\n"
        "except ImportError:\n    print('to see it, install kripke-werewolf')"
    )


def _cell(kind: str, source: str, key: str, metadata: Any = None) -> _Cell:
    cell = {"cell_type": kind, "id": key, "metadata": metadata or {}, "source": source}
    return cell | {"execution_count": None, "outputs": []} if kind == "code" else cell


# --- files -----------------------------------------------------------------------------------------

_CONFIG = """# nbgrader: run `nbgrader generate_assignment {name}` in this folder
c = get_config()
c.CourseDirectory.course_id = {name!r}
c.Autograde.sanitize_preprocessors.append("kripke_werewolf.exercises.notebooks.without_code")
c.Execute.timeout = 180  # seconds for a cell; nbgrader's own limit fails right answers on a busy machine
c.ClearSolutions.code_stub = {{"python": "# write your answer between the quotation marks above"}}
"""


def write_nbgrader(output: Path, assignments: Mapping[str, Variant]) -> list[Path]:
    """Write an nbgrader course folder with these sheets as assignments, by their names."""
    source = output / "source"
    written = [_write(source / name, name, _nbgrader(sheet)) for name, sheet in assignments.items()]
    config = output / "nbgrader_config.py"
    if not config.exists():  # an existing file belongs to the lecturer
        config.write_text(_CONFIG.format(name=next(iter(assignments))), encoding="utf-8")
    return [*written, config]


def write_otter(output: Path, assignments: Mapping[str, Variant]) -> list[Path]:
    """Write master notebooks for `otter assign` of these sheets, by their names."""
    return [_write(output, name, _otter(variant)) for name, variant in assignments.items()]


def _write(folder: Path, name: str, cells: Iterable[_Cell]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.ipynb"
    path.write_text(_text(cells), encoding="utf-8")
    return path


def _text(cells: Iterable[_Cell]) -> str:
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    notebook = {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
