"""A sheet for each student of a class, on disk, and the solution book."""

from __future__ import annotations

import hmac
import json
import os
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from kripke_werewolf.base.errors import FormatError, UnknownNameError
from kripke_werewolf.base.files import parse_json, read_text, write_aside, writing
from kripke_werewolf.base.reports.documents import Block, Document, Heading, Outline, Paragraph, whole_page
from kripke_werewolf.teach.exercises.exercise import Exercise
from kripke_werewolf.teach.exercises.own_files import data_text
from kripke_werewolf.teach.exercises.rendering import illustrated
from kripke_werewolf.teach.exercises.roster import Roll, Student
from kripke_werewolf.teach.exercises.serialisation import from_dict, to_dict
from kripke_werewolf.teach.exercises.sheet import Sheet, Variant, read_sheet, sheet_from_dict

FORMAT, VERSION = "kripke-werewolf-class", 1
_BOOK = "class.json"


@dataclass(frozen=True, slots=True)
class CourseSheet:
    """A sheet, and the variant of each student of a class; the content of `class.json`.

    `secret`: what the students' codes and the seals of their files are made from; empty in older files.
    """

    sheet: Sheet
    students: tuple[Student, ...]
    variants: tuple[Variant, ...]
    secret: str = ""

    def variant(self, student: str) -> Variant:
        """Return the sheet of the student with this id, address or name."""
        found = Roll(self.students).student(student)
        if found is None:
            raise UnknownNameError(student, [one.key for one in self.students], kind="student of the class")
        return self.variants[self.students.index(found)]

    def code(self, student: Student) -> str:
        """Return the code in the student's link, which nobody can guess."""
        return self._made("code", student)[:20]

    def seal(self, student: Student) -> str:
        """Return the key by which the student's page seals the answers."""
        return self._made("seal", student)

    def _made(self, purpose: str, student: Student) -> str:
        said = f"{purpose} {self.sheet.title} {student.key}"
        return hmac.new(self.secret.encode(), said.encode(), "sha256").hexdigest()


def make_class(
    sheet: Sheet,
    students: Sequence[Student],
    out: str | os.PathLike[str],
    *,
    executor: Executor | None = None,
) -> CourseSheet:
    """Write an individual sheet for each student, the solution book, and `class.json` for grading.

    `sheets.html` has the sheets, each on pages of its own, to print. Students
    who already have a variant of the same sheet in the folder keep it. `executor`: where the
    sheets are made. Raises `FormatError` if the folder has another class or cannot be written.
    """
    folder = Path(out)
    kept, secret = dict[str, Variant](), secrets.token_hex(32)
    if (folder / _BOOK).exists():
        there = read_class(folder)
        if there.sheet != sheet:
            other = f"{folder} holds a class with another sheet ({there.sheet.headline()})"
            raise FormatError(f"{other}; choose an empty folder")
        kept, secret = {variant.student: variant for variant in there.variants}, there.secret or secret
    run: Callable[..., Iterable[Any]] = map if executor is None else executor.map
    levels = sheet.levels() if len(kept) < len(students) else None
    variants = tuple(run(partial(_one, sheet, levels, kept), range(len(students)), students))
    course = CourseSheet(sheet, tuple(students), variants, secret)
    data: dict[str, Any] = {"format": FORMAT, "version": VERSION, "secret": secret, "sheet": sheet.to_dict()}
    data["students"] = [
        {**asdict(student), "exercises": list(map(to_dict, variant.exercises))}
        for student, variant in zip(students, variants, strict=True)
    ]
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "sheet.toml").write_text(sheet.to_toml(), encoding="utf-8")
        _write_book(course, folder / "sheets.html", sheet.title, illustrated)
        _write_book(course, folder / "solutions.html", f"{sheet.title}: solutions", _solved)
        write_aside(folder / _BOOK, json.dumps(data, ensure_ascii=False, indent=1).encode())
    return course


def _one(
    sheet: Sheet, levels: Sequence[int] | None, kept: Mapping[str, Variant], place: int, student: Student
) -> Variant:
    """Return the sheet of one student, which is kept if there is one."""
    return kept.get(student.key) or sheet.variant(student.key, levels, place)


def _write_book(
    course: CourseSheet, path: Path, title: str, blocks_of: Callable[[Exercise], Iterable[Block]]
) -> None:
    """Write the tasks of all students, each as some blocks."""
    blocks: list[Block] = [Paragraph(course.sheet.text)] if course.sheet.text else []
    for student, variant in zip(course.students, course.variants, strict=True):
        named = student.name if student.name == student.key else f"{student.name} ({student.key})"
        blocks.append(Heading(f"{course.sheet.title}, {named}"))
        for number, exercise in enumerate(variant.exercises, 1):
            blocks += [Heading(variant.heading(number), 3), *blocks_of(exercise)]
    page = whole_page(title, Document(title, tuple(blocks)).to_html(), data_text("sheet.css"))
    write_aside(path, page.encode())


def _solved(exercise: Exercise) -> Iterable[Block]:
    return Paragraph(exercise.question()), *map(Outline, exercise.solved())


# --- class.json ------------------------------------------------------------------------------------


def read_class(folder: str | os.PathLike[str]) -> CourseSheet:
    """Return the class that `make_class` wrote to a folder.

    Raises `FormatError` if the folder has no class or a damaged one.
    """
    path = Path(folder) / _BOOK
    try:
        data = parse_json(read_text(path), str(path))
    except OSError as error:
        wanted = "expected a folder made by `exercise class make`"
        raise FormatError(f"{path}: {error.strerror}; {wanted}") from None
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise FormatError(f"{path}: this is not a class; expected the format {FORMAT!r}")
    if data.get("version") != VERSION:
        raise FormatError(f"{path}: version {data.get('version')!r} is not known; known is {VERSION}")
    try:
        sheet = sheet_from_dict(data["sheet"], str(path))
        students, variants = [], []
        for part in data["students"]:
            students.append(Student(part["key"], part["name"], part["email"], part["folder"]))
            exercises = tuple(from_dict(given, source=str(path)) for given in part["exercises"])
            variants.append(Variant(sheet, part["key"], exercises))
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"{path}: a part is missing or broken: {error}") from None
    return CourseSheet(sheet, tuple(students), tuple(variants), str(data.get("secret", "")))


def open_sheet(path: str | os.PathLike[str]) -> Sheet | CourseSheet:
    """Return the class in a folder, or the sheet in a TOML file; one beside its `class.json` is the class."""
    place = Path(path)
    if place.is_dir():
        return read_class(place)
    sheet = read_sheet(place)
    if (place.parent / _BOOK).exists() and (course := read_class(place.parent)).sheet == sheet:
        return course
    return sheet
