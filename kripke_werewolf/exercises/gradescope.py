"""An autograder for Gradescope: an archive that grades answers.txt, notebooks and other files.

The archive contains the sheet, this package (so that it needs only Python) and the two scripts that
Gradescope calls. Students are graded by their own sheets if the class is given.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from kripke_werewolf.errors import KripkeError
from kripke_werewolf.exercises.classes import CourseSheet, course_data, course_from
from kripke_werewolf.exercises.grading import Marks, grade
from kripke_werewolf.exercises.roster import Roll
from kripke_werewolf.exercises.sheet import Variant
from kripke_werewolf.exercises.submissions import files_in, read_file
from kripke_werewolf.exercises.worker import Worker
from kripke_werewolf.files import zipped

_SETUP = """#!/usr/bin/env bash
set -e
if ! command -v python3.11 >/dev/null && ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  apt-get update
  apt-get install -y python3.11
fi
"""
_RUN = """#!/usr/bin/env bash
root="${AUTOGRADER:-/autograder}"
python=$(command -v python3.11 || command -v python3)
PYTHONPATH="$root/source/lib" exec "$python" -c \\
  "import sys; from kripke_werewolf.exercises.gradescope import run; run(sys.argv[1])" "$root"
"""


def to_gradescope(course: CourseSheet) -> bytes:
    """Return the autograder as a ZIP archive."""
    from kripke_werewolf.explorer.pyodide import sources

    entries: dict[str, bytes | str] = {"setup.sh": _SETUP, "run_autograder": _RUN}
    entries["class.json"] = json.dumps(course_data(course), ensure_ascii=False)
    entries |= {f"lib/{name}": content for name, content in sources()}
    return zipped(entries, executable=("setup.sh", "run_autograder"))


def run(root: str) -> None:
    """Grade a submission; `run_autograder` calls it in the folder that Gradescope makes."""
    folder = Path(root)
    try:
        results = _results(folder)
    except (KripkeError, OSError, ValueError, KeyError) as error:
        results = {"score": 0, "output": f"The answers could not be graded: {error}", "visibility": "visible"}
    target = folder / "results"
    target.mkdir(exist_ok=True)
    (target / "results.json").write_text(json.dumps(results, ensure_ascii=False), encoding="utf-8")


def _results(folder: Path) -> dict[str, Any]:
    course = course_from(
        json.loads((folder / "source" / "class.json").read_text(encoding="utf-8")), "class.json"
    )
    metadata = folder / "submission_metadata.json"
    given = json.loads(metadata.read_text(encoding="utf-8")) if metadata.exists() else {}
    variant = _variant(course, given)
    answers: dict[int, str] = {}
    files, remarks = files_in(folder / "submission")
    with Worker(kinds=course.sheet.kinds) as worker:
        for path in files:
            for found in read_file(folder / "submission", path, worker.read):
                remarks += [f"{found.path}: {found.problem}"] if found.problem else []
                for part in found.answers:
                    answers |= {n: text for n, text in part.answers.items() if not answers.get(n)}
        known = {n: text for n, text in answers.items() if 1 <= n <= len(variant.exercises)}
        remarks += [f"there is no task {n}" for n in sorted(answers.keys() - known.keys())]
        marks = grade(variant, known, worker=worker)
    return {"tests": list(_tests(marks)), "output": "\n".join(remarks), "visibility": "visible"}


def _tests(marks: Marks) -> Iterator[dict[str, Any]]:
    for number, mark in enumerate(marks.marks, 1):
        said = "no answer" if mark.state == "missing" else f"{mark.state}: {mark.reason}"
        yield {
            "name": marks.variant.heading(number),
            "number": str(number),
            "score": float(mark.points),
            "max_score": float(mark.out_of),
            "output": said,
        }


def _variant(course: CourseSheet, metadata: Mapping[str, Any]) -> Variant:
    """Return the sheet of the student who submitted; without a class it is the same for all."""
    if not course.students:
        return course.sheet.variant("")
    users = metadata.get("users") or [{}]
    names = (str(user.get(key, "")) for user in users for key in ("sid", "email", "name", "id"))
    if found := next(filter(Roll(course.students).student, names), None):
        return course.variant(found)
    raise KripkeError("the author of this submission is not in the class; tell your lecturer")


def of_sheet(variant: Variant) -> bytes:
    """Return an autograder with the same exercises for all, generated now, so that grading generates none."""
    tasks = tuple(
        replace(task, what=exercise, parameters=(), difficulty=None)
        for task, exercise in zip(variant.sheet.tasks, variant.exercises, strict=True)
    )
    return to_gradescope(CourseSheet(replace(variant.sheet, tasks=tasks), (), ()))
