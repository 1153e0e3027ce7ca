"""A sheet for each student of a class, on disk, and the solution book."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from kripke_werewolf.base.errors import FormatError, UnknownNameError
from kripke_werewolf.base.files import parse_json, read_text, write_aside, writing
from kripke_werewolf.base.reports.documents import Block, Document, Heading, Outline, Paragraph, whole_page
from kripke_werewolf.teach.exercises.own_files import data_text
from kripke_werewolf.teach.exercises.rendering import pictures_of, to_markdown
from kripke_werewolf.teach.exercises.roster import Roll, Student
from kripke_werewolf.teach.exercises.serialisation import from_dict, to_dict
from kripke_werewolf.teach.exercises.sheet import (
    Sheet,
    Spread,
    Variant,
    load_kinds,
    read_sheet,
    sheet_from_dict,
    spreads,
)
from kripke_werewolf.teach.exercises.submissions import template
from kripke_werewolf.teach.exercises.web import web_page

FORMAT, VERSION = "kripke-werewolf-class", 1
FORMATS = ("html", "md")
_BOOK = "class.json"


@dataclass(frozen=True, slots=True)
class CourseSheet:
    """A sheet, and the variant of each student of a class; the content of `class.json`."""

    sheet: Sheet
    students: tuple[Student, ...]
    variants: tuple[Variant, ...]

    def variant(self, student: str) -> Variant:
        """Return the sheet of the student with this id, address or name."""
        found = Roll(self.students).student(student)
        if found is None:
            raise UnknownNameError(student, [one.key for one in self.students], kind="student of the class")
        return self.variants[self.students.index(found)]


class _MadeClass(NamedTuple):
    """The result of `make_class`: the class, and the spreads of its tasks."""

    course: CourseSheet
    tasks: tuple[Spread, ...]


def make_class(
    sheet: Sheet,
    students: Sequence[Student],
    out: str | os.PathLike[str],
    *,
    formats: Iterable[str] = FORMATS,
    executor: Executor | None = None,
) -> _MadeClass:
    """Write an individual sheet for each student, the solution book, and `class.json` for grading.

    `students/NAME/` has the files for a student: `sheet.html`, which can be printed, `sheet.md` with its
    pictures, and `answers.txt` to fill in. Everything else is for the lecturer. Students who already have a
    variant of the same sheet in the folder keep it. `formats`: some of html, md. `executor`: where the sheets
    are made. Raises `FormatError` if the folder has another class or cannot be written.
    """
    wanted = tuple(formats)
    if unknown := [name for name in wanted if name not in FORMATS]:
        raise FormatError(f"unknown format {unknown[0]!r}; allowed are {', '.join(FORMATS)}")
    folder = Path(out)
    kept = dict[str, Variant]()
    if (folder / _BOOK).exists():
        there = read_class(folder)
        if there.sheet != sheet:
            other = f"{folder} holds a class with another sheet ({there.sheet.headline()})"
            raise FormatError(f"{other}; choose an empty folder")
        kept = {variant.student: variant for variant in there.variants}
    run: Callable[..., Iterable[Any]] = map if executor is None else executor.map
    with writing(folder):
        (folder / "students").mkdir(parents=True, exist_ok=True)
        levels = sheet.levels() if len(kept) < len(students) else None
        work = partial(_one, sheet, levels, kept, folder, wanted)
        variants = tuple(run(work, range(len(students)), students))
        course = CourseSheet(sheet, tuple(students), variants)
        _write_book(course, folder, wanted)
        (folder / "sheet.toml").write_text(sheet.to_toml(), encoding="utf-8")
        data: dict[str, Any] = {"format": FORMAT, "version": VERSION}
        data |= {"sheet": sheet.to_dict(), "kinds": sheet.kinds}
        data["students"] = [
            {**asdict(student), "exercises": list(map(to_dict, variant.exercises))}
            for student, variant in zip(students, variants, strict=True)
        ]
        write_aside(folder / _BOOK, json.dumps(data, ensure_ascii=False, indent=1).encode())
    return _MadeClass(course, tuple(spreads(variants)))


def _one(
    sheet: Sheet,
    levels: Sequence[int] | None,
    kept: Mapping[str, Variant],
    folder: Path,
    formats: Sequence[str],
    place: int,
    student: Student,
) -> Variant:
    """Write the files of one student; return their variant."""
    if sheet.kinds:
        load_kinds(sheet.kinds)
    variant = kept.get(student.key) or sheet.variant(student.key, levels, place)
    home = folder / "students" / student.folder
    home.mkdir(parents=True, exist_ok=True)
    (home / "answers.txt").write_text(template(variant), encoding="utf-8")
    if "html" in formats:
        saved = f"answers-{student.folder}.txt"
        page = web_page(variant, name=student.name, file=saved)
        (home / "sheet.html").write_text(page, encoding="utf-8")
    if "md" in formats:
        parts = [f"# {sheet.title}", student.name, sheet.text]
        for number, exercise in enumerate(variant.exercises, 1):
            pictures = {f"task{number}-{n}.svg": drawn for n, drawn in enumerate(pictures_of(exercise), 1)}
            for file, drawn in pictures.items():
                (home / file).write_text(drawn, encoding="utf-8")
            heading = variant.heading(number)
            parts.append(to_markdown(exercise, heading=heading, level=2, pictures=list(pictures)))
        (home / "sheet.md").write_text("\n\n".join(filter(None, parts)), encoding="utf-8")
    return variant


# --- the solution book -----------------------------------------------------------------------------


def _write_book(course: CourseSheet, folder: Path, formats: Sequence[str]) -> None:
    """Write the solutions of all students in each format."""
    seed = f"Seed {course.sheet.seed}. The same sheet, seed and roster give the same exercises."
    blocks: list[Block] = [Paragraph(seed)]
    for student, variant in zip(course.students, course.variants, strict=True):
        blocks.append(Heading(_named(student)))
        for number, exercise in enumerate(variant.exercises, 1):
            blocks += [Heading(variant.heading(number), 3), Paragraph(exercise.question().replace("`", ""))]
            blocks += map(Outline, exercise.solved())
    book = Document(f"{course.sheet.title}: solutions", tuple(blocks))
    if "html" in formats:
        page = whole_page(book.title, book.to_html(), data_text("sheet.css"))
        write_aside(folder / "solutions.html", page.encode())
    if "md" in formats:
        write_aside(folder / "solutions.md", book.to_markdown().encode())


def _named(student: Student) -> str:
    return student.name if student.name == student.key else f"{student.name} ({student.key})"


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
        if data["kinds"]:
            load_kinds(data["kinds"], "kinds")
        sheet = replace(sheet_from_dict(data["sheet"], str(path)), kinds=data["kinds"])
        students, variants = [], []
        for part in data["students"]:
            students.append(Student(part["key"], part["name"], part["email"], part["folder"]))
            exercises = tuple(from_dict(given, source=str(path)) for given in part["exercises"])
            variants.append(Variant(sheet, part["key"], exercises))
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"{path}: a part is missing or broken: {error}") from None
    return CourseSheet(sheet, tuple(students), tuple(variants))


def open_sheet(path: str | os.PathLike[str]) -> Sheet | CourseSheet:
    """Return the class in a folder, or the sheet in a TOML file; one beside its `class.json` is the class."""
    place = Path(path)
    if place.is_dir():
        return read_class(place)
    sheet = read_sheet(place)
    if (place.parent / _BOOK).exists() and (course := read_class(place.parent)).sheet == sheet:
        return course
    return sheet
