"""The systems to which sheets can be exported, by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from kripke_werewolf.errors import FormatError, check_known
from kripke_werewolf.exercises import banks, coderunner, notebooks
from kripke_werewolf.exercises.classes import CourseSheet
from kripke_werewolf.exercises.pdf import print_sheet, sheet_tex, whole
from kripke_werewolf.exercises.roster import folder_name
from kripke_werewolf.exercises.serialisation import to_toml
from kripke_werewolf.exercises.sheet import Sheet, Variant, variant_name
from kripke_werewolf.exercises.web import web_page
from kripke_werewolf.explorer import pyodide
from kripke_werewolf.explorer.page import offline_page
from kripke_werewolf.files import known_ending, writing
from kripke_werewolf.web import respond


class _Export(NamedTuple):
    """An export format: its description, the suffix of its file (none: a folder), and its writers.

    A bank has many exercises of each task, `single` writes the sheet of one student, `course` those of a
    class made by `make_class`.
    """

    about: str
    ending: str
    bank: Callable[[Sheet, Path, int], list[Path]] | None = None
    single: Callable[[Variant, Path], list[Path]] | None = None
    course: Callable[[CourseSheet, Path], list[Path]] | None = None


def _file(content: Callable[..., str | bytes]) -> Callable[..., list[Path]]:
    """Return the writer of one file with this content."""

    def write(source: Sheet | CourseSheet | Variant, output: Path, *given: int) -> list[Path]:
        made = content(source, *given)
        if isinstance(made, str):
            output.write_text(made, encoding="utf-8")
        else:
            output.write_bytes(made)
        return [output]

    return write


def _bank(about: str, ending: str, written: Callable[[banks.Bank], str | bytes]) -> _Export:
    """Return the export to a question bank, for a class with the exercises of its students."""
    return _Export(
        about,
        ending,
        bank=_file(lambda sheet, variants: written(banks.Bank.of(sheet, variants))),
        course=_file(lambda course: written(banks.Bank.of_class(course))),
    )


def _notebooks(about: str, write: Callable[[Path, Mapping[str, Variant]], list[Path]]) -> _Export:
    """Return the export to a folder of notebooks, named by the sheet and, in a class, the student."""

    def single(variant: Variant, output: Path) -> list[Path]:
        return write(output, {folder_name(variant.sheet.title): variant})

    def course(given: CourseSheet, output: Path) -> list[Path]:
        title, pairs = folder_name(given.sheet.title), zip(given.students, given.variants, strict=True)
        return write(output, {f"{title}-{student.folder}": variant for student, variant in pairs})

    return _Export(about, "", single=single, course=course)


def _set(variant: Variant) -> str:
    """Return a sheet as a set of exercises for the explorer."""
    data = {"title": variant.sheet.title, "exercises": list(map(to_toml, variant.exercises))}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _practice(variant: Variant) -> str:
    reply = respond({"do": {"command": "open", "text": _set(variant), "name": "sheet.json"}})
    if not reply["ok"]:
        raise FormatError(reply["error"]["message"])
    return offline_page(reply, pyodide.bundle())


EXPORTS: Mapping[str, _Export] = {
    "moodle": _bank("a question bank as Moodle XML", ".xml", banks.to_moodle),
    "coderunner": _bank("a question bank for Moodle with CodeRunner", ".xml", coderunner.to_coderunner),
    "qti": _bank("a question bank as a QTI 2.1 package", ".zip", banks.to_qti),
    "explorer": _Export("a set of exercises for the explorer", ".json", single=_file(_set)),
    "web": _Export("a page with fields for the answers", ".html", single=_file(web_page)),
    "practice": _Export("a page that checks the answers itself, offline", ".html", single=_file(_practice)),
    "pdf": _Export("a sheet to print", ".pdf", single=_file(print_sheet)),
    "latex": _Export("the same as LaTeX", ".tex", single=_file(lambda variant: whole(sheet_tex(variant)))),
    "notebook": _Export(
        "a notebook with a cell for each answer", ".ipynb", single=_file(notebooks.notebook_text)
    ),
    "nbgrader": _notebooks("an assignment in the folder of a course", notebooks.write_nbgrader),
    "otter": _notebooks("a master notebook for otter assign", notebooks.write_otter),
}
"""The systems by name."""
CLASS_EXPORTS = {name: chosen for name, chosen in EXPORTS.items() if chosen.course is not None}
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
    chosen, path = _chosen(EXPORTS, target, output)
    if student and (variants > 1 or chosen.bank is not None):
        raise FormatError("give either a student or a number of variants, not both")
    with writing(path):
        if chosen.bank is not None:
            return chosen.bank(sheet, path, variants)
        assert chosen.single is not None
        if variants == 1:
            return chosen.single(given.variant(student), path)
        written = []
        for number in range(1, variants + 1):
            place = path.with_name(f"{path.stem}-{number:0{len(str(variants))}}{path.suffix}")
            written += chosen.single(sheet.variant(variant_name(number)), place)
        return written


def marked_by_hand(sheet: Sheet, target: str, *, variants: int = 1) -> list[str]:
    """Return the titles of the tasks that a system cannot mark: free answers in a question bank."""
    if target == "coderunner" or EXPORTS[target].bank is None:
        return []
    return banks.Bank.of(sheet, variants).free()


def export_class(course: CourseSheet, target: str, output: str | Path) -> list[Path]:
    """Write the individual sheets of a class for a system; return the files written.

    Raises `UnknownNameError` for a system that does not support this, `FormatError` if a file cannot be
    written.
    """
    chosen, path = _chosen(CLASS_EXPORTS, target, output)
    assert chosen.course is not None
    with writing(path):
        return chosen.course(course, path)


def _chosen(known: Mapping[str, _Export], target: str, output: str | Path) -> tuple[_Export, Path]:
    chosen, path = known[check_known(target, known, kind="system")], Path(output)
    if chosen.ending:
        known_ending(path, (chosen.ending,))
    return chosen, path
