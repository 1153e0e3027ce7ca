"""What becomes of sheets: a site with a page for each student, question banks, and notebooks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from kripke_werewolf.base.errors import FormatError, check_known
from kripke_werewolf.base.files import known_ending, write_aside, writing
from kripke_werewolf.base.reports.tables import Grid
from kripke_werewolf.teach.exercises import banks, notebooks
from kripke_werewolf.teach.exercises.classes import CourseSheet, folder_name
from kripke_werewolf.teach.exercises.serialisation import to_toml
from kripke_werewolf.teach.exercises.sheet import Sheet, Variant

_FOLDERS: Mapping[str, Callable[[Path, Mapping[str, Variant]], list[Path]]] = {
    "nbgrader": notebooks.write_nbgrader,
    "otter": notebooks.write_otter,
}
"""Folders with notebooks, named by the sheet and, in a class, the student."""
EXPORTS = ("coderunner", *_FOLDERS)
"""The systems by name: a question bank with many exercises of each task, and notebooks."""


def publish(course: CourseSheet, folder: Path, page: str, *, address: str = "") -> Grid:
    """Write a site with a sheet for each student of a class; return the students and their links.

    `page`: that of the explorer, which opens the sheet with the code at the end of the link. A sheet is kept
    in the student's browser, and handed in as a file with a seal. `address`: that of the site.
    """
    of = course.sheet
    links, about = [], {"title": of.title, "text": of.text, "due": of.due, "attempts": str(of.attempts)}
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "index.html").write_text(page, encoding="utf-8")
        for student, variant in zip(course.students, course.variants, strict=True):
            code, tasks = course.code(student), enumerate(variant.exercises, 1)
            titled = [to_toml(replace(exercise, title=variant.heading(n))) for n, exercise in tasks]
            data = {**about, "student": student.key, "name": student.name, "seal": course.seal(student)}
            sheet = json.dumps({**data, "exercises": titled}, ensure_ascii=False)
            (folder / f"{code}.json").write_text(sheet, encoding="utf-8")
            links.append((student.key, student.name, student.email, f"{address}#sheet={code}"))
    return Grid(("id", "name", "email", "link"), tuple(links), words=True)


def export(given: Sheet | CourseSheet, target: str, output: str | Path, *, variants: int = 1) -> list[Path]:
    """Write a sheet, or those of all students of a class, for a system; return the files written.

    `variants`: the largest number of exercises for each task of a bank; of a class, it has everybody's.
    Raises `UnknownNameError` for an unknown system, `FormatError` if a file cannot be written.
    """
    path = Path(output)
    if check_known(target, EXPORTS, kind="system") not in _FOLDERS:
        known_ending(path, [".xml"])
    if variants > 1 and (isinstance(given, CourseSheet) or target in _FOLDERS):
        raise FormatError("only a question bank made from a sheet has variants; notebooks need a class")
    with writing(path):
        if target in _FOLDERS:
            return _FOLDERS[target](path, dict(_assignments(given)))
        if isinstance(given, CourseSheet):
            columns = zip(*(variant.exercises for variant in given.variants), strict=True)
            bank = banks.to_coderunner(given.sheet, columns)
        else:
            bank = banks.to_coderunner(given, banks.drawn_exercises(given, variants))
        write_aside(path, bank.encode())
    return [path]


def _assignments(given: Sheet | CourseSheet) -> Iterator[tuple[str, Variant]]:
    """Yield the name and the content of each notebook."""
    if isinstance(given, Sheet):
        yield folder_name(given.title), given.variant("")
        return
    for student, variant in zip(given.students, given.variants, strict=True):
        yield f"{folder_name(given.sheet.title)}-{student.folder}", variant
