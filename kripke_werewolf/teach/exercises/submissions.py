"""Answers as handed in by students: saved files, text and archives of them; none of it is ever run.

This module reads untrusted data, so it is called in a process with limits (`exercises.worker`). It raises
`FormatError` for unreadable data, with a sentence for the report.
"""

from __future__ import annotations

import hmac
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.files import parse_json
from kripke_werewolf.teach.exercises.classes import office_text

LARGEST_FILE = 4_000_000  # bytes of one file
LARGEST_ANSWER = 20_000  # characters of one answer
MOST_FILES = 1_000  # files in one archive
HANDED_IN = "handed-in"
"""The folder of what a host has kept, in that of its class, with a folder for each student."""
LATE = ".late."
"""What the names of files contain that a host has taken after the sheet was due."""
_MOST_IN_FOLDER = 20_000
_LARGEST_ARCHIVE = 40_000_000  # bytes of all files in one archive


class Answers(NamedTuple):
    """The answers in one file, by task number; `student`: the author named in it.

    `attempt`: the number of the attempt from 1, if it is given; `sheet`: the title of the sheet, if it is;
    `problem`: why some answers do not count; `seal`: that of a saved file, and `content` what it is made of.
    `hints`: how often hints were used, by task.
    """

    student: str
    answers: Mapping[int, str]
    attempt: int = 0
    sheet: str = ""
    problem: str = ""
    content: str = ""
    seal: str = ""
    hints: Mapping[str, int] = {}


class Found(NamedTuple):
    """A file with answers, by its path within the folder or archive, and its problem."""

    path: str
    answers: Answers | None = None
    problem: str = ""


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
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        yield Found(name, problem=f"the file cannot be opened: {error.strerror}")
    else:
        yield from read(name, data)


# --- one file --------------------------------------------------------------------------------------


def read_submission(path: str, data: bytes) -> Iterator[Found]:
    """Yield the content of a file, and of each file in an archive; problems are reported, not raised."""
    if len(data) > LARGEST_FILE:
        yield Found(path, problem=f"the file is too large: at most {LARGEST_FILE:,} bytes are read")
        return
    if data[:2] == b"PK" and path.casefold().endswith(".zip"):
        yield from _archive(path, data)
        return
    try:
        answers = _answers(path, data)
    except FormatError as error:
        yield Found(path, problem=str(error))
    except (RecursionError, MemoryError):
        yield Found(path, problem="the file is nested too deeply to be read")
    else:
        yield Found(path, answers, answers.problem)


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


def _answers(path: str, data: bytes) -> Answers:
    ending = PurePosixPath(path).suffix.casefold()
    if ending == ".json":
        return _saved(data)
    if ending not in (".txt", ".md", ""):
        raise FormatError(f"files ending in {ending} are not read; hand in a .json, .txt or .zip file")
    if b"\0" in data and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise FormatError("the file is not text")
    return _text_answers(office_text(data))


_TASK = re.compile(
    r"^[ \t>*#_]*(?:task|question|exercise|problem|q)[ \t]*\.?[ \t]*(\d{1,3})[ \t*_]*(?:[:.)]|$)", re.I | re.M
)
_HEAD = r"^[ \t]*{}[ \t]*:[ \t]*(.+?)[ \t]*$"


def _text_answers(text: str) -> Answers:
    """Return the answers in a string: the text after each `Task 1:`. Lines that begin with `# ` are comments.

    >>> dict(_text_answers("Student: 17\\nTask 1: w1, w2\\nTask 2:\\nyes\\n").answers)
    {1: 'w1, w2', 2: 'yes'}
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    body = "\n".join(line for line in text.split("\n") if not line.startswith("# "))
    heads = list(_TASK.finditer(body))
    if not heads:
        raise FormatError('no answers were found; they follow lines such as "Task 1:"')
    found, twice = dict[int, str](), set[int]()
    for head, end in zip(heads, [*(head.start() for head in heads[1:]), len(body)], strict=True):
        number, said = int(head[1]), body[head.end() : end].strip()
        if said and found.get(number, "") not in ("", said):
            twice.add(number)
        found[number] = said or found.get(number, "")
    problem = "; ".join(f"two answers to task {number}, and neither counts" for number in sorted(twice))
    kept = {number: said for number, said in found.items() if number not in twice}
    top = body[: heads[0].start()]
    named = (re.search(_HEAD.format(word), top, re.I | re.M) for word in ("student", "attempt", "sheet"))
    student, attempt, sheet = (match[1] if match else "" for match in named)
    return Answers(student, kept, int(attempt) if attempt.isdecimal() else 0, sheet, problem)


_FORMAT = "kripke-werewolf answers"
_PARTS = {"format": str, "student": str, "sheet": str, "attempt": int, "answers": dict, "seal": str}


def saved_answers(answers: Mapping[str, Any], key: str) -> str:
    """Return the file of a student's page: the student, the sheet, the attempt, and the answers by task.

    >>> data = {"student": "17", "sheet": "Week 1", "attempt": 1, "answers": {"1": "w1"}}
    >>> found = _saved(saved_answers(data, "key").encode())
    >>> found.student, dict(found.answers), is_sealed(found, "key"), is_sealed(found, "another key")
    ('17', {1: 'w1'}, True, False)
    """
    data = {"format": _FORMAT, "version": 1, **answers}
    return json.dumps({**data, "seal": _seal(_canonical(data), key)}, ensure_ascii=False, indent=1) + "\n"


def is_sealed(answers: Answers, key: str) -> bool:
    """Return whether a saved file has been sealed with a key, and not been changed since."""
    return hmac.compare_digest(_seal(answers.content, key), answers.seal)


def _canonical(data: object) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def _seal(content: str, key: str) -> str:
    return hmac.new(key.encode(), content.encode(), "sha256").hexdigest()


def _saved(data: bytes) -> Answers:
    """Return the answers in a file saved by a student's page."""
    saved = parse_json(office_text(data), "the file")
    kept = isinstance(saved, dict) and all(isinstance(saved.get(key), kind) for key, kind in _PARTS.items())
    if not kept or saved["format"] != _FORMAT or not saved["seal"].isascii():
        raise FormatError("this is not a file saved by a student's page")
    content = _canonical({key: value for key, value in saved.items() if key != "seal"})
    given, used = saved["answers"], saved.get("hints")
    tasks = ((key, said) for key, said in given.items() if re.fullmatch(r"[0-9]{1,3}", key))
    found = {int(key): said for key, said in tasks if isinstance(said, str)}
    hints = {key: n for key, n in (used if isinstance(used, dict) else {}).items() if isinstance(n, int)}
    about = saved["student"], found, saved["attempt"], saved["sheet"]
    return Answers(*about, content=content, seal=saved["seal"], hints=hints)
