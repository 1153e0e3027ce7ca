"""Answers as handed in by students: text, notebooks, archives, tables; none of it is ever run.

This module reads untrusted data, so it is called in a process with limits (`exercises.worker`). It raises
`FormatError` for unreadable data, with a sentence for the report.
"""

from __future__ import annotations

import ast
import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import unescape
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.teach.exercises.roster import COLUMNS, first_of, office_text, plain_text, table_rows
from kripke_werewolf.teach.exercises.sheet import Variant

LARGEST_FILE = 4_000_000  # bytes of one file
LARGEST_ANSWER = 20_000  # characters of one answer
MOST_FILES = 1_000  # files in one archive
_MOST_IN_FOLDER = 20_000
_LARGEST_ARCHIVE = 40_000_000  # bytes of all files in one archive


class Answers(NamedTuple):
    """The answers in one file, by task number; `student`: the author named in it.

    `attempt`: the number of the attempt from 1, if it is given; `sheet`: the title of the sheet, if it is;
    `problem`: why some answers do not count.
    """

    student: str
    answers: Mapping[int, str]
    attempt: int = 0
    sheet: str = ""
    problem: str = ""


class Found(NamedTuple):
    """A file with answers, by its path within the folder or archive, and its problem."""

    path: str
    answers: tuple[Answers, ...] = ()
    problem: str = ""


def template(variant: Variant, *, fields: bool = True) -> str:
    """Return the text form for a student to fill in; without `fields` only its head.

    >>> from kripke_werewolf.teach.exercises.sheet import Sheet, Task
    >>> print(template(Sheet("Week 1", (Task("truth-set"),), seed=1).variant("17")))
    Sheet: Week 1
    Student: 17
    <BLANKLINE>
    # Task 1: names of worlds between commas, or none
    Task 1:
    <BLANKLINE>
    """
    lines = [f"Sheet: {_line(variant.sheet.title)}", f"Student: {_line(variant.student)}", ""]
    if fields:
        for number, exercise in enumerate(variant.exercises, 1):
            lines += [f"# Task {number}: {exercise.form.words}", f"Task {number}:", ""]
    return "\n".join(lines)


def _line(text: str) -> str:
    return " ".join(text.split())


# --- a folder --------------------------------------------------------------------------------------


def files_in(root: Path) -> tuple[list[Path], list[str]]:
    """Return the files to read in a folder, or the file itself, in a fixed order; and remarks on others."""
    if root.is_file():
        return [root], []
    found: list[Path] = []
    remarks: list[str] = []
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        if _hidden(inside.as_posix()) or path.is_dir():
            continue
        if path.is_symlink() or not path.is_file():
            remarks.append(f"{inside}: this is not a plain file")
        elif len(found) >= _MOST_IN_FOLDER:
            remarks.append(f"more than {_MOST_IN_FOLDER:,} files; the rest is not read")
            break
        else:
            found.append(path)
    return found, remarks


def read_file(root: Path, path: Path, read: Callable[[str, bytes], Iterable[Found]]) -> Iterator[Found]:
    """Yield the content of a file in a folder, or its problem; `read` is given its name and its bytes."""
    name = path.name if root == path else path.relative_to(root).as_posix()
    try:
        size = path.stat().st_size
        data = path.read_bytes() if size <= LARGEST_FILE else b""
    except OSError as error:
        yield Found(name, problem=f"the file cannot be opened: {error.strerror}")
    else:
        yield from read(name, data) if data or not size else [Found(name, problem=_too_large(size))]


def _too_large(size: int) -> str:
    return f"the file has {size:,} bytes; at most {LARGEST_FILE:,} are read"


# --- one file --------------------------------------------------------------------------------------


def read_submission(path: str, data: bytes) -> Iterator[Found]:
    """Yield the content of a file, and of each file in an archive; problems are reported, not raised."""
    if len(data) > LARGEST_FILE:
        yield Found(path, problem=_too_large(len(data)))
        return
    if data[:2] == b"PK" and path.casefold().endswith(".zip"):
        yield from _archive(path, data)
        return
    try:
        answers = tuple(_answers(path, data))
    except FormatError as error:
        yield Found(path, problem=str(error))
    except (RecursionError, MemoryError):
        yield Found(path, problem="the file is nested too deeply to be read")
    else:
        yield Found(path, answers, "; ".join(filter(None, (part.problem for part in answers))))


def _archive(path: str, data: bytes) -> Iterator[Found]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            if len(members) > MOST_FILES:
                most = f"at most {MOST_FILES:,} are read"
                yield Found(path, problem=f"{len(members):,} files in one archive; {most}")
                return
            left = _LARGEST_ARCHIVE
            for member in members:
                name = f"{path}/{member.filename}"
                if _hidden(member.filename) or left < 0:
                    continue
                if member.filename.casefold().endswith(".zip"):
                    yield Found(name, problem="an archive within an archive is not read")
                elif member.flag_bits & 1:
                    yield Found(name, problem="the archive has a password")
                else:
                    with archive.open(member) as file:  # the sizes declared in the archive may be false
                        content = file.read(min(LARGEST_FILE, left) + 1)
                    left -= len(content)
                    if len(content) > LARGEST_FILE or left < 0:
                        yield Found(name, problem="the file is too large when it is unpacked")
                    else:
                        yield from read_submission(name, content)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, EOFError) as error:
        yield Found(path, problem=f"the archive cannot be read: {error}")
    except Exception as error:  # decompressors raise various errors for damaged data
        yield Found(path, problem=f"the archive cannot be read: {type(error).__name__}")


def _hidden(path: str) -> bool:
    """Return whether a file is a system file: hidden, or from a Mac's archive."""
    parts = PurePosixPath(path.replace("\\", "/")).parts
    return any(part.startswith(".") or part in ("__MACOSX", "Thumbs.db", "desktop.ini") for part in parts)


def _answers(path: str, data: bytes) -> Iterator[Answers]:
    ending = PurePosixPath(path).suffix.casefold()
    if ending == ".ipynb":
        yield _notebook(_json(data))
    elif ending == ".json":
        yield _exported(_json(data))
    elif ending in (".csv", ".tsv"):
        yield from _table(office_text(data), path)
    elif ending in (".txt", ".md", ".text", ""):
        if b"\0" in data and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
            raise FormatError("the file is not text")
        yield _text_answers(office_text(data), path)
    elif ending in (".html", ".htm"):
        text = re.sub(r"<(style|script)\b.*?</\1>", " ", office_text(data), flags=re.DOTALL | re.IGNORECASE)
        text = re.sub(r"<(br|/p|/div|/li)\b[^>]*>", "\n", text, flags=re.IGNORECASE)
        yield _text_answers(unescape(re.sub(r"<[^>]{0,2000}>", "", text)), path)
    else:
        instead = "hand in a .txt, .ipynb, .json or .zip file"
        raise FormatError(f"files ending in {ending} are not read; {instead}")


_TASK = re.compile(
    r"^[ \t>*#_]*(?:task|question|exercise|problem|q)[ \t]*\.?[ \t]*(\d{1,3})[ \t*_]*(?:[:.)]|$)", re.I | re.M
)
_NUMBERED = re.compile(r"^[ \t]*(\d{1,3})[ \t]*[:.)][ \t]*(.*)$")
_SHEET = re.compile(r"^[ \t]*sheet[ \t]*:[ \t]*(.+?)[ \t]*$", re.I | re.M)
_STUDENT = re.compile(r"^[ \t]*student[ \t]*:[ \t]*(.+?)[ \t]*$", re.I | re.M)
_ATTEMPT = re.compile(r"^[ \t]*attempt[ \t]*:[ \t]*(\d{1,3})[ \t]*$", re.I | re.M)


def _text_answers(text: str, path: str = "answers.txt") -> Answers:
    """Return the answers in a string: the text after each `Task 1:`, or the lines `1: …` of a list.

    A file with a number at the end of its name may contain only the answer to that task. Lines that begin
    with `# ` are comments.

    >>> dict(_text_answers("Student: 17\\nTask 1: w1, w2\\nTask 2:\\nyes\\n").answers)
    {1: 'w1, w2', 2: 'yes'}
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    body = "\n".join(line for line in text.split("\n") if not line.startswith("# "))
    heads = list(_TASK.finditer(body))
    found, twice, top = dict[int, str](), set[int](), body
    if heads:
        top = body[: heads[0].start()]
        for head, end in zip(heads, [*(head.start() for head in heads[1:]), len(body)], strict=True):
            number, said = int(head[1]), body[head.end() : end].strip()
            if said and found.get(number, "") not in ("", said):
                twice.add(number)
            found[number] = said or found.get(number, "")
    else:
        body = _STUDENT.sub("", _ATTEMPT.sub("", _SHEET.sub("", body)))
        lines = [line for line in body.split("\n") if line.strip()]
        listed = {int(m[1]): m[2].strip() for m in map(_NUMBERED.match, lines) if m}
        if not lines:
            raise FormatError("the file is empty")
        if (alone := task_in_name(path)) is not None:
            found[alone] = body.strip()
        elif list(listed) == list(range(1, len(lines) + 1)):
            found = listed
        else:
            raise FormatError('no answers were found; they follow lines such as "Task 1:"')
    problem = "; ".join(f"two answers to task {number}, and neither counts" for number in sorted(twice))
    kept = {number: said for number, said in found.items() if number not in twice}
    number = int(_first(_ATTEMPT, text) or 0)
    return Answers(_first(_STUDENT, text), kept, number, _first(_SHEET, top), problem)


def _first(pattern: re.Pattern[str], text: str) -> str:
    """Return the first match of a pattern's group in a string; empty if there is none."""
    found = pattern.search(text)
    return found[1] if found else ""


def task_in_name(path: str) -> int | None:
    """Return the number of the task in the name of a file, if it ends with one.

    >>> task_in_name("17/task3.txt"), task_in_name("ann-2.md"), task_in_name("answers-s17.txt")
    (3, 2, None)
    """
    name = PurePosixPath(path).stem
    found = re.search(r"(?i)(?:^|[-_. ])(?:task|question|answer|q)?[-_ ]?(\d{1,3})$", name)
    return int(found[1]) if found else None


# --- notebooks and other JSON ----------------------------------------------------------------------


def _json(data: bytes) -> Any:
    try:
        return json.loads(office_text(data))
    except RecursionError:
        raise FormatError("the data are nested too deeply") from None
    except ValueError as error:
        raise FormatError(f"this is not JSON: {error}") from None


def _notebook(data: Any) -> Answers:
    """Return the answers in a notebook, whose code is read and never run.

    An answer is a string assigned to `answer_1`.
    """
    cells = data.get("cells") if isinstance(data, Mapping) else None
    if not isinstance(cells, list):
        raise FormatError("this is not a notebook: it has no cells")
    given = dict[str, str]()
    for cell in cells:
        if isinstance(cell, Mapping) and cell.get("cell_type") == "code":
            source = cell.get("source", "")
            lines = source if isinstance(source, list) else [source]
            given |= {name: value.strip() for name, value in strings_given("".join(map(str, lines)))}
    numbered = ((re.fullmatch(r"answer_(\d{1,3})", name), value) for name, value in given.items())
    found = {int(number[1]): value for number, value in numbered if number}
    if not found:
        raise FormatError('no answers were found; they are strings such as answer_1 = "yes"')
    return Answers(given.get("student", ""), found)


def strings_given(code: str) -> Iterator[tuple[str, str]]:
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


def _exported(data: Any) -> Answers:
    """Return the answers in a file saved by the explorer: a table of answers by task."""
    given = data.get("answers") if isinstance(data, Mapping) else None
    if isinstance(given, list):
        parts = (part.get("answer") if isinstance(part, Mapping) else part for part in given)
        given = dict(enumerate(parts, 1))
    if not isinstance(given, Mapping):
        raise FormatError('expected the key "answers" with the answers by task')
    found = {}
    for key, value in given.items():
        number = re.fullmatch(r"(?:task\s*)?(\d{1,3})", str(key), re.IGNORECASE)
        if number and value not in (None, ""):
            found[int(number[1])] = value if isinstance(value, str) else json.dumps(value)
    student = data.get("student")
    return Answers(student if isinstance(student, str) else "", found)


# --- tables of responses ---------------------------------------------------------------------------


_RESPONSE = re.compile(r"(?:response|answer|task|antwort|reponse|question|q)(\d{1,3})(?:answer)?")


def _table(text: str, path: str) -> Iterator[Answers]:
    """Yield the answers in each row of a table of responses, such as Moodle's of a quiz.

    Columns are named "Response 1" or "Task 1"; those that name students are tried in this order: id, address,
    name, first and last name.
    """
    rows = [[cell.strip() for cell in row] for _, row in table_rows(text, path)]
    if not rows:
        raise FormatError("the table is empty")
    head = [plain_text(cell) for cell in rows[0]]
    answers = {int(found[1]): n for n, cell in enumerate(head) if (found := _RESPONSE.fullmatch(cell))}
    people = [head.index(name) for kind in ("key", "email", "name") for name in COLUMNS[kind] if name in head]
    first, last = first_of(COLUMNS["first"], head), first_of(COLUMNS["last"], head)
    if not answers:
        raise FormatError('no columns with answers; they are called "Response 1" or "Task 1"')
    seen = Counter[str]()
    for row in rows[1:]:
        named = [row[column] for column in people if column < len(row) and row[column]]
        if first is not None and last is not None and max(first, last) < len(row):
            named.append(f"{row[first]} {row[last]}".strip())
        student = "\n".join(dict.fromkeys(filter(None, named)))
        told = {number: row[column] for number, column in answers.items() if column < len(row)}
        given = {number: said for number, said in told.items() if said not in ("", "-")}
        if named and given:
            seen[student] += 1
            yield Answers(student, given, seen[student])
