"""Sheets as notebooks: as nbgrader assignments, and as otter-grader master notebooks.

The hidden tests contain the exercise without its solution, and call the checker: `graded` for nbgrader,
`reaches` for otter-grader. No code of a student is run: before the tests, `without_code` leaves only the
answers, as strings, of the notebook handed in. nbgrader's configuration and otter's plugin call it.
"""

from __future__ import annotations

import ast
import base64
import json
import re
import tomllib
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from textwrap import indent
from typing import Any, NamedTuple

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.reports.documents import Document, Figure
from kripke_werewolf.teach.exercises.classes import folder_name
from kripke_werewolf.teach.exercises.exercise import Exercise, Result
from kripke_werewolf.teach.exercises.forms import Form
from kripke_werewolf.teach.exercises.own_files import data_text
from kripke_werewolf.teach.exercises.rendering import illustrated
from kripke_werewolf.teach.exercises.serialisation import from_dict, to_dict
from kripke_werewolf.teach.exercises.sheet import Variant, decimal
from kripke_werewolf.teach.exercises.submissions import LARGEST_ANSWER
from kripke_werewolf.teach.exercises.worker import Unchecked, Worker
from kripke_werewolf.teach.language import CourseLanguage

_Cell = dict[str, Any]
_CELLS = tomllib.loads(data_text("cells.toml"))
_QUARTERS = 4  # the shares of the points that otter-grader can give


# --- what the graders call -------------------------------------------------------------------------


def without_code(notebook: Any, resources: Any = None) -> Any:
    """Leave only the answers in the cells of a notebook that a student can change.

    It is a preprocessor of nbgrader, which has restored its own cells and taken the id from unknown ones.
    """
    for cell in notebook["cells"]:
        role = cell["metadata"].get("nbgrader", {})
        if cell["cell_type"] == "code" and not all(map(role.get, ("grade_id", "grade", "locked"))):
            given = _strings_given("".join(cell["source"]))
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


def _strings_given(code: str) -> Iterator[tuple[str, str]]:
    """Yield the names to which code assigns plain strings or numbers, with these values; nothing is run."""
    if len(code) > 4 * LARGEST_ANSWER:
        return
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in tree.body:
        match node:
            case ast.Assign(targets, ast.Constant(str() | int() | float() as value)):
                yield from ((target.id, str(value)) for target in targets if isinstance(target, ast.Name))


def packed(exercise: Exercise) -> str:
    """Return an exercise as letters and digits for a test.

    >>> from kripke_werewolf.teach.exercises import new_exercise
    >>> exercise = new_exercise("truth-set", rng=1)
    >>> unpacked(packed(exercise)) == exercise
    True
    """
    data = json.dumps(to_dict(exercise)).encode()
    return base64.urlsafe_b64encode(zlib.compress(data, 9)).decode()


def unpacked(text: str) -> Exercise:
    """Return the exercise written by `packed`."""
    try:
        return from_dict(json.loads(zlib.decompress(base64.urlsafe_b64decode(text))))
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
    read = unpacked(exercise)
    if not answer.strip():
        return Result(False, "there is no answer")
    with Worker() as worker:
        found = worker.check(read, answer)
    return Result(False, found.why) if isinstance(found, Unchecked) else found


def how_read(form: str, answer: str) -> str:
    """Return how an answer is read, or why it cannot be; whether it is right is not known here.

    `form`: that of the task, as JSON of `Form.to_dict`, with the table of its `language`.

    >>> form = '{"form": "Names", "names": ["w1", "w2"], "noun": "world"}'
    >>> how_read(form, "W_1 and w2")
    'read as: w1, w2'
    """
    if not answer.strip():
        return "there is no answer yet"
    try:
        data = json.loads(form)
        language = CourseLanguage.of("", data.get("language", {}))
        return language.shown(Form.from_dict(data).read_back(language.read(answer)))
    except FormatError as error:
        return f"this cannot be read: {error}"


# --- notebooks -------------------------------------------------------------------------------------


class _Asked(NamedTuple):
    """A task of a notebook: its key, its points, the sources of its cells, and the exercise, packed.

    `answer`: the remark above the answer; `solution`: the assignment of a right one.
    """

    key: str
    points: Fraction
    question: str
    answer: str
    solution: str
    reading: str
    data: str


def _tasks(variant: Variant) -> Iterator[_Asked]:
    for number, (task, exercise) in enumerate(zip(variant.sheet.tasks, variant.exercises, strict=True), 1):
        blocks = tuple(illustrated(exercise))
        figures = {block.name: block.svg for block in blocks if isinstance(block, Figure)}
        coded = {name: base64.b64encode(svg.encode()).decode() for name, svg in figures.items()}
        links = {name: f"data:image/svg+xml;base64,{image}" for name, image in coded.items()}
        question = Document(variant.heading(number), blocks).to_markdown(links)
        form = json.dumps(
            exercise.form.to_dict() | {"language": exercise.notation.table()}, ensure_ascii=False
        )
        reading = _CELLS["reading"].format(form=form, number=number)
        remark = f"# task {number}: {exercise.notation.shown(exercise.form.words)}"
        solution = f"answer_{number} = {exercise.solved()[0]!r}"
        yield _Asked(f"task_{number}", task.points, question, remark, solution, reading, packed(exercise))


def _nbgrader(variant: Variant) -> Iterator[_Cell]:
    """Yield the cells of the source of an nbgrader assignment: solutions and hidden tests included."""
    for number, (key, points, question, remark, solution, reading, data) in enumerate(_tasks(variant), 1):
        quotes = '""' if variant.exercises[number - 1].form.lines == 1 else '"""\n"""'
        answer = f"{remark}\nanswer_{number} = {quotes}\n### BEGIN SOLUTION\n{solution}\n### END SOLUTION"
        told = {"number": number, "anew": _anew("graded"), "data": data, "points": float(points)}
        yield _known("markdown", question, f"{key}_question")
        yield _known("code", answer, f"{key}_answer", locked=False, solution=True)
        yield _known("code", reading, f"{key}_form")
        yield _known("code", _CELLS["hidden"].format(**told), f"{key}_test", grade=True, points=float(points))


def _known(kind: str, source: str, key: str, **role: bool | float) -> _Cell:
    """Return a cell with the metadata by which nbgrader knows it; by default students cannot change it."""
    fixed = {"schema_version": 3, "task": False, "grade": False, "locked": True, "solution": False}
    return _cell(kind, source, key, {"nbgrader": {**fixed, **role, "grade_id": key}})


def _otter(variant: Variant) -> Iterator[_Cell]:
    """Yield the cells of a master for `otter assign`, which makes the students' notebook and the grader."""
    config = _CELLS["assignment"].format(name=json.dumps(folder_name(variant.sheet.title)))
    yield _cell("raw", config, "config")
    for number, (key, points, question, remark, solution, reading, data) in enumerate(_tasks(variant), 1):
        begin = f"# BEGIN QUESTION\nname: task{number}\npoints: {float(points):g}"
        cells = [("raw", begin), ("markdown", question), ("raw", "# BEGIN SOLUTION")]
        cells += [("code", f"{remark}\n{solution} # SOLUTION"), ("raw", "# END SOLUTION")]
        cells.append(("raw", "# BEGIN TESTS"))
        told: dict[str, Any] = {"number": number, "data": data, "points": float(points / _QUARTERS)}
        told["anew"] = indent(_anew("reaches"), "    ")
        for quarter in range(1, _QUARTERS + 1):
            told |= {"quarter": quarter}
            cells.append(("code", _CELLS["tested"].format(**told)))
        cells += [("raw", "# END TESTS"), ("raw", "# END QUESTION"), ("code", reading)]
        yield from (_cell(kind, source, f"{key}_{place}") for place, (kind, source) in enumerate(cells))


def _anew(name: str) -> str:
    """Return the lines of a test that import a function of this module, and not of a file handed in."""
    return str(_CELLS["anew"].format(name=name))


def _cell(kind: str, source: str, key: str, metadata: Any = None) -> _Cell:
    cell = {"cell_type": kind, "id": key, "metadata": metadata or {}, "source": source}
    return cell | {"execution_count": None, "outputs": []} if kind == "code" else cell


# --- files -----------------------------------------------------------------------------------------


def write_nbgrader(output: Path, assignments: Mapping[str, Variant]) -> list[Path]:
    """Write an nbgrader course folder with these sheets as assignments, by their names."""
    source = output / "source"
    written = [_write(source / name, name, sheet, _nbgrader) for name, sheet in assignments.items()]
    config = output / "nbgrader_config.py"
    if not config.exists():  # an existing file belongs to the lecturer
        config.write_text(_CELLS["config"].format(name=next(iter(assignments))), encoding="utf-8")
    return [*written, config]


def write_otter(output: Path, assignments: Mapping[str, Variant]) -> list[Path]:
    """Write master notebooks for `otter assign` of these sheets, by their names."""
    return [_write(output, name, sheet, _otter) for name, sheet in assignments.items()]


def _write(folder: Path, name: str, variant: Variant, tasks: Callable[[Variant], Iterable[_Cell]]) -> Path:
    """Write a notebook: the sheet's title and text, and the cells of its tasks."""
    sheet, path = variant.sheet, folder / f"{name}.ipynb"
    told = f"Write each answer between the quotation marks. Points: {decimal(sheet.points)}."
    intro = "\n\n".join(filter(None, [f"# {sheet.title}", sheet.text, told]))
    cells = [_cell("markdown", intro, "intro"), *tasks(variant)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return path
