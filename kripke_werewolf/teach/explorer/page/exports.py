"""What becomes of sheets: a site with a page for each student, question banks, and notebooks."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from kripke_werewolf.base.errors import FormatError, check_known
from kripke_werewolf.base.files import known_ending, write_aside, writing
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


def publish(course: CourseSheet, folder: Path, page: str) -> list[tuple[str, str, str, str]]:
    """Write a site with a sheet for each student of a class; return ids, names, addresses and link ends.

    `page`: that of the explorer, which opens the sheet with the code at the end of the link. A sheet is kept
    in the student's browser, and handed in as a file with a seal.
    """
    links = []
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "index.html").write_text(page, encoding="utf-8")
        for student, variant in zip(course.students, course.variants, strict=True):
            data = {"title": course.sheet.title, "text": course.sheet.text, "student": student.key}
            data |= {"name": student.name, "seal": course.seal(student)}
            tasks = enumerate(variant.exercises, 1)
            titled = [to_toml(replace(exercise, title=variant.heading(n))) for n, exercise in tasks]
            sheet = json.dumps({**data, "exercises": titled}, ensure_ascii=False)
            (folder / f"{course.code(student)}.json").write_text(sheet, encoding="utf-8")
            links.append((student.key, student.name, student.email, f"#sheet={course.code(student)}"))
    return links


def write_links(path: Path, address: str, links: list[tuple[str, str, str, str]]) -> None:
    """Write the table of the students and their links; `address`: that of the site."""
    table = io.StringIO()
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(("id", "name", "email", "link"))
    rows.writerows((*student, address + end) for *student, end in links)
    write_aside(path, table.getvalue().encode("utf-8-sig"))


def export(
    given: Sheet | CourseSheet, target: str, output: str | Path, *, variants: int = 1, student: str = ""
) -> list[Path]:
    """Write a sheet, or that of one student of a class, for a system; return the files written.

    `variants`: the largest number of exercises for each task of a bank. `student`: otherwise the student of
    the sheet. Raises `UnknownNameError` for an unknown system or student, `FormatError` if the file cannot be
    written.
    """
    sheet = given.sheet if isinstance(given, CourseSheet) else given
    path = _place(target, output)
    if variants > 1 and target in _FOLDERS:
        raise FormatError("only a question bank has variants; for notebooks, make a class")
    if student and target not in _FOLDERS:
        raise FormatError("a question bank is not made for a student")
    with writing(path):
        if target in _FOLDERS:
            return _FOLDERS[target](path, {folder_name(sheet.title): given.variant(student)})
        write_aside(path, banks.to_coderunner(sheet, banks.drawn_exercises(sheet, variants)).encode())
    return [path]


def export_class(course: CourseSheet, target: str, output: str | Path) -> list[Path]:
    """Write the individual sheets of a class for a system; return the files written.

    Raises `UnknownNameError` for an unknown system, `FormatError` if a file cannot be written.
    """
    path = _place(target, output)
    with writing(path):
        if target not in _FOLDERS:
            columns = zip(*(variant.exercises for variant in course.variants), strict=True)
            write_aside(path, banks.to_coderunner(course.sheet, columns).encode())
            return [path]
        title, pairs = folder_name(course.sheet.title), zip(course.students, course.variants, strict=True)
        return _FOLDERS[target](path, {f"{title}-{student.folder}": variant for student, variant in pairs})


def _place(target: str, output: str | Path) -> Path:
    if check_known(target, EXPORTS, kind="system") not in _FOLDERS:
        known_ending(Path(output), [".xml"])
    return Path(output)
