"""A sheet for each student of a class, on disk, the solution book, and the students of a roster."""

from __future__ import annotations

import csv
import hmac
import io
import json
import os
import re
import secrets
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from kripke_werewolf.base.errors import FormatError, UnknownNameError
from kripke_werewolf.base.files import parse_json, read_text, write_aside, writing
from kripke_werewolf.base.reports.documents import Block, Document, Heading, Outline, Paragraph, whole_page
from kripke_werewolf.teach.exercises.exercise import Exercise
from kripke_werewolf.teach.exercises.own_files import data_text
from kripke_werewolf.teach.exercises.rendering import illustrated
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
        """Return the code in the student's link, which nobody can guess.

        Raises `FormatError` if the class has no codes.
        """
        if not self.secret:
            raise FormatError("the class was made by an older version, and has no codes: make it again")
        return self._made("code", student)[:20]

    def seal(self, student: Student) -> str:
        """Return the key by which the student's page seals the answers."""
        return self._made("seal", student)

    def receipt(self, student: Student, said: str) -> str:
        """Return the proof that a host has said this to a student."""
        return self._made(f"receipt {said}", student)[:12]

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

    `sheets.html` has the sheets, each on pages of its own, to print. Students who already have a variant of
    the same sheet in the folder keep it; when it is due may change. `executor`: where the sheets are made.
    Raises `FormatError` if the folder has another class or cannot be written.
    """
    folder = Path(out)
    kept, secret = dict[str, Variant](), secrets.token_hex(32)
    if (folder / _BOOK).exists():
        there = read_class(folder)
        if replace(there.sheet, due=sheet.due) != sheet:
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
    return Paragraph(exercise.asked()), *map(Outline, exercise.solved())


# --- class.json ------------------------------------------------------------------------------------


def read_class(folder: str | os.PathLike[str]) -> CourseSheet:
    """Return the class that `make_class` wrote to a folder.

    Raises `FormatError` if the folder has no class or a damaged one.
    """
    path = Path(folder) / _BOOK
    try:
        data = parse_json(read_text(path), str(path))
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror}; expected a folder made by `class make`") from None
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
    """Return the class in a folder, or the sheet in a TOML file."""
    return read_class(path) if Path(path).is_dir() else read_sheet(path)


# --- the roster -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Student:
    """A student: the university's identifier (`key`), their name and address, and their folder."""

    key: str
    name: str
    email: str = ""
    folder: str = ""


COLUMNS: Mapping[str, Sequence[str]] = tomllib.loads(data_text("columns.toml"))
"""The headings of columns by kind, in lower case, letters only; the first column of each kind counts."""


def read_roster(path: str | os.PathLike[str]) -> tuple[Student, ...]:
    """Return the students in a CSV file: commas, semicolons or tabs, in UTF-8, UTF-16 or Windows-1252.

    The first line names the columns: a name (or a first and a last name), and an id, a login or an e-mail
    address, as Moodle, Canvas and Gradescope export them. Raises `FormatError` with the line for missing or
    duplicate entries; `OSError` if the file cannot be opened.
    """
    return parse_roster(office_text(Path(path).read_bytes()), os.fspath(path))


def office_text(data: bytes) -> str:
    """Decode bytes in any of the encodings used by office programs.

    >>> office_text("Zoë".encode()), office_text("Zoë".encode("utf-16")), office_text("Zoë".encode("cp1252"))
    ('Zoë', 'Zoë', 'Zoë')
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def parse_roster(text: str, source: str = "roster") -> tuple[Student, ...]:
    """Return the students in a table; `source` is its name in errors.

    >>> [student.key for student in parse_roster("Name,ID\\nAnn Lee,17\\nBo Chen,4\\n")]
    ['17', '4']
    """
    rows = _table_rows(text, source)
    if not rows:
        raise FormatError(f"{source}: the file is empty; expected a line with the names of the columns")
    (_, head), *body = rows
    plain = [plain_text(cell) for cell in head]
    first = {what: next(filter(plain.__contains__, names), "") for what, names in COLUMNS.items()}
    columns = {what: plain.index(name) for what, name in first.items() if name}
    if not columns.keys() & {"name", "last"} and "key" not in columns and "email" not in columns:
        got = ", ".join(map(repr, head))[:200]
        raise FormatError(
            f"{source}, line {rows[0][0]}: expected the columns name (or first name and last name) and id, "
            f"username or email, got {got}"
        )
    students, lines, folders = list[Student](), dict[str, int](), Counter[str]()
    for line, row in body:
        part = {what: row[column].strip() if column < len(row) else "" for what, column in columns.items()}
        name = part.get("name") or " ".join(filter(None, (part.get("first"), part.get("last"))))
        key = part.get("key") or part.get("email") or name
        if not key:
            raise FormatError(f"{source}, line {line}: a student without a name, an id and an address")
        if key.casefold() in lines:
            added = "" if part.get("key") else "; add a column id that tells them apart"
            other = lines[key.casefold()]
            raise FormatError(f"{source}, line {line}: {key!r} also stands in line {other}{added}")
        lines[key.casefold()] = line
        folder = folder_name(key)
        folders[folder.casefold()] += 1
        if (number := folders[folder.casefold()]) > 1:
            folder += f"-{number}"
        students.append(Student(key, name or key, part.get("email", ""), folder))
    if not students:
        raise FormatError(f"{source}: no students below the line with the names of the columns")
    return tuple(students)


def _table_rows(text: str, source: str) -> list[tuple[int, list[str]]]:
    """Return the nonempty rows of a CSV string, with their line numbers."""
    if "\0" in text:
        raise FormatError(f"{source}: this is not a table of text")
    head = text.lstrip("\ufeff\n\r ").split("\n", 1)[0]
    delimiter = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=delimiter, strict=True)
    try:
        return [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        said = "a quotation mark is not closed" if "unexpected end" in str(error) else error
        raise FormatError(f"{source}, line {reader.line_num}: {said}") from None


def plain_text(text: str) -> str:
    """Return the letters and digits of a string in lower case, without accents.

    >>> plain_text("E-mail Address"), plain_text("Zoë Müller")
    ('emailaddress', 'zoemuller')
    """
    apart = unicodedata.normalize("NFKD", text).casefold()
    return "".join(c for c in apart if c.isalnum())


def folder_name(key: str) -> str:
    """Return a name for files from any string.

    >>> folder_name("ann.lee@uni.example"), folder_name("../..")
    ('ann.lee@uni.example', 'student')
    """
    apart = unicodedata.normalize("NFKD", key)
    kept = "".join(c for c in apart if not unicodedata.combining(c))
    kept = re.sub(r"[^\w.@+-]+", "-", kept).strip(".-")[:60]
    return kept if re.search(r"\w", kept) else "student"


class Roll:
    """The students of a class by all that names one: id, folder, address, and a name that nobody shares.

    >>> roll = Roll([Student("s1", "Zoë Lee", "zoe@uni.example")])
    >>> roll.student("lee zoe") == roll.student("ZOE") == roll.student("s1"), roll.student("s2")
    (True, None)
    """

    def __init__(self, students: Sequence[Student]) -> None:
        self._called: dict[str, Student] = {}
        bearers = Counter(plain_text(student.name) for student in students)
        for student in students:
            names = [student.key, student.folder, student.email, student.email.partition("@")[0]]
            if bearers[plain_text(student.name)] == 1:
                names += [student.name, " ".join(reversed(student.name.split()))]
            for name in filter(None, names):
                self._called.setdefault(name.casefold(), student)
                if plain_text(name):
                    self._called.setdefault(plain_text(name), student)

    def student(self, name: str) -> Student | None:
        """Return the student with this id, address or name, or None."""
        return self._called.get(name.strip().casefold()) or self._called.get(plain_text(name))
