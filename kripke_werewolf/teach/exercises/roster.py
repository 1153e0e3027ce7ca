"""The students of a class, read from the table exported by a university's system."""

from __future__ import annotations

import csv
import io
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kripke_werewolf.base.errors import FormatError


@dataclass(frozen=True, slots=True)
class Student:
    """A student: the university's identifier (`key`), their name and address, and their folder."""

    key: str
    name: str
    email: str = ""
    folder: str = ""


COLUMNS: Mapping[str, tuple[str, ...]] = {
    "key": (
        *("idnumber", "id", "studentid", "studentnumber", "matriculationnumber", "matriculation"),
        *("matrikelnummer", "sid", "sisuserid", "username", "login", "user", "sisloginid", "key"),
    ),
    "name": ("name", "fullname", "studentname", "student"),
    "first": ("firstname", "givenname", "first", "vorname"),
    "last": ("lastname", "surname", "familyname", "last", "nachname"),
    "email": ("email", "emailaddress", "mail"),
}
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
    rows = table_rows(text, source)
    if not rows:
        raise FormatError(f"{source}: the file is empty; expected a line with the names of the columns")
    (_, head), *body = rows
    columns = _columns(head)
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


def table_rows(text: str, source: str) -> list[tuple[int, list[str]]]:
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


def _columns(head: Sequence[str]) -> dict[str, int]:
    """Return the column of each kind of information: the first of its names that the table has."""
    plain = [plain_text(cell) for cell in head]
    found = {what: next(filter(plain.__contains__, names), "") for what, names in COLUMNS.items()}
    return {what: plain.index(name) for what, name in found.items() if name}


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
