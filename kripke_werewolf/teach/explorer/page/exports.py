"""The systems to which sheets can be exported, by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from kripke_werewolf.base.errors import FormatError, check_known
from kripke_werewolf.base.files import known_ending, writing
from kripke_werewolf.teach.exercises import banks, notebooks
from kripke_werewolf.teach.exercises.classes import CourseSheet
from kripke_werewolf.teach.exercises.roster import folder_name
from kripke_werewolf.teach.exercises.serialisation import to_toml
from kripke_werewolf.teach.exercises.sheet import Sheet, Variant, variant_name
from kripke_werewolf.teach.exercises.web import web_page
from kripke_werewolf.teach.explorer import respond
from kripke_werewolf.teach.explorer.page import pyodide
from kripke_werewolf.teach.explorer.page.html import offline_page


def _set(variant: Variant) -> str:
    """Return a sheet as a set of exercises for the explorer."""
    data = {"title": variant.sheet.title, "exercises": list(map(to_toml, variant.exercises))}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _practice(variant: Variant) -> str:
    reply = respond({"do": {"command": "open", "text": _set(variant), "name": "sheet.json"}})
    if not reply["ok"]:
        raise FormatError(reply["error"]["message"])
    return offline_page(reply, pyodide.bundle())


_BANKS: Mapping[str, tuple[str, Callable[[banks.Bank], str | bytes]]] = {
    "moodle": (".xml", banks.to_moodle),
    "coderunner": (".xml", banks.to_coderunner),
}
"""Question banks, with many exercises of each task: the suffix of the file, and its content."""
_FILES: Mapping[str, tuple[str, Callable[[Variant], str | bytes]]] = {
    "explorer": (".json", _set),
    "web": (".html", web_page),
    "practice": (".html", _practice),
    "notebook": (".ipynb", notebooks.notebook_text),
}
"""Files with the sheet of one student."""
_FOLDERS: Mapping[str, Callable[[Path, Mapping[str, Variant]], list[Path]]] = {
    "nbgrader": notebooks.write_nbgrader,
    "otter": notebooks.write_otter,
}
"""Folders with notebooks, named by the sheet and, in a class, the student."""
EXPORTS = (*_BANKS, *_FILES, *_FOLDERS)
"""The systems by name."""
CLASS_EXPORTS = (*_BANKS, *_FOLDERS)
"""The systems that accept the individual sheets of a class."""


def export(
    given: Sheet | CourseSheet, target: str, output: str | Path, *, variants: int = 1, student: str = ""
) -> list[Path]:
    """Write a sheet, or that of one student of a class, for a system; return the files written.

    `variants`: for a bank, the largest number of exercises for each task; for other systems, the number of
    sheets, each written to `output` with a number added to the name. `student`: otherwise the student of the
    sheet. Raises `UnknownNameError` for an unknown system or student, `FormatError` if the file cannot be
    written.
    """
    sheet = given.sheet if isinstance(given, CourseSheet) else given
    path = _place(EXPORTS, target, output)
    if student and (variants > 1 or target in _BANKS):
        raise FormatError("give either a student or a number of variants, not both")
    with writing(path):
        if target in _BANKS:
            return _written(path, _BANKS[target][1](banks.Bank.of(sheet, variants)))
        if variants == 1:
            return _single(target, given.variant(student), path)
        written, digits = list[Path](), len(str(variants))
        for number in range(1, variants + 1):
            place = path.with_name(f"{path.stem}-{number:0{digits}}{path.suffix}")
            written += _single(target, sheet.variant(variant_name(number)), place)
        return written


def export_class(course: CourseSheet, target: str, output: str | Path) -> list[Path]:
    """Write the individual sheets of a class for a system; return the files written.

    Raises `UnknownNameError` for a system that does not support this, `FormatError` if a file cannot be
    written.
    """
    path = _place(CLASS_EXPORTS, target, output)
    with writing(path):
        if target in _BANKS:
            return _written(path, _BANKS[target][1](banks.Bank.of_class(course)))
        title, pairs = folder_name(course.sheet.title), zip(course.students, course.variants, strict=True)
        return _FOLDERS[target](path, {f"{title}-{student.folder}": variant for student, variant in pairs})


def _place(known: Sequence[str], target: str, output: str | Path) -> Path:
    path = Path(output)
    if check_known(target, known, kind="system") not in _FOLDERS:
        known_ending(path, [{**_BANKS, **_FILES}[target][0]])
    return path


def _single(target: str, variant: Variant, path: Path) -> list[Path]:
    """Write the sheet of one student."""
    if target in _FILES:
        return _written(path, _FILES[target][1](variant))
    return _FOLDERS[target](path, {folder_name(variant.sheet.title): variant})


def _written(path: Path, content: str | bytes) -> list[Path]:
    if isinstance(content, str):
        path.write_text(content, encoding="utf-8")
    else:
        path.write_bytes(content)
    return [path]
