"""Reading text and JSON files, writing files completely or not at all, and locking them."""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Collection, Container, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from kripke_werewolf.base.errors import FormatError, GameError

if TYPE_CHECKING:
    from filelock import FileLock


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text in a file, without a byte order mark.

    Raises `FormatError` if it is a folder or not UTF-8, or if the path is empty; `OSError` if it cannot be
    opened.
    """
    if not os.fspath(path):
        raise FormatError("no file is given: its name is empty")
    if Path(path).is_dir():
        raise FormatError(f"{os.fspath(path)}: a folder, not a file")
    return decoded(Path(path).read_bytes(), os.fspath(path))


def holds_night(path: Path) -> bool:
    """Whether a file holds a night of One Night, whatever it is called."""
    with suppress(OSError), path.open("rb") as file:
        return b'"kripke_werewolf one night"' in file.read(200)
    return False


def decoded(data: bytes, source: str) -> str:
    """Return the text of some bytes, with each line ending in a newline; `source` is its name in errors.

    >>> decoded("\\ufeffp -> q\\r\\n".encode(), "a.txt")
    'p -> q\\n'
    """
    try:
        return unmarked(data.decode())
    except UnicodeDecodeError as error:
        raise FormatError(f"{source}: not valid UTF-8: {error.reason} at byte {error.start}") from None


def unmarked(text: str) -> str:
    """Return a string without a byte order mark, its lines ending in newlines; every reader begins so."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def parse_json(text: str, source: str) -> Any:
    """Return the data in a JSON text; `source` is its name in errors.

    Raises `FormatError` with line and column, even for NaN and infinity, which are not JSON, for keys that
    occur twice in one object, for numbers of thousands of digits, and for data that are nested too deeply.

    >>> parse_json('{"p": [1, }', "a.json")
    Traceback (most recent call last):
    ...
    kripke_werewolf.errors.FormatError: a.json, line 1, column 11: expecting value
    """
    try:
        return json.loads(unmarked(text), object_pairs_hook=_object, parse_constant=_refused)
    except json.JSONDecodeError as error:
        reason = f"{error.msg[:1].lower()}{error.msg[1:]}".removesuffix(" at")
        line = "" if re.search(r"line \d+$", source) else f", line {error.lineno}"
        raise FormatError(f"{source}{line}, column {error.colno}: {reason}") from None
    except RecursionError:
        raise FormatError(f"{source}: the data are nested too deeply") from None
    except ValueError as error:
        raise FormatError(f"{source}: {str(error).partition('; use')[0]}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise FormatError(f"the key {key!r} occurs twice in one object")
        found[key] = value
    return found


def _refused(constant: str) -> NoReturn:
    raise FormatError(f"{constant} is not a JSON number")


def private_opener(path: str, flags: int) -> int:
    """Open a file for `open`; a new one is readable only by its owner."""
    return os.open(path, flags, 0o600)


def write_aside(path: Path, content: bytes, *, secret: bool = False) -> None:
    """Write a file completely or not at all, as `replace_file` does; raises `FormatError`."""
    with writing(path):
        replace_file(path, content, secret=secret)


def replace_file(path: Path, content: bytes, *, secret: bool = False) -> None:
    """Write a file under another name in its folder, then rename it; raises `OSError` with its name.

    `secret`: only its owner can read it. The target of a symbolic link is replaced, not the link; a device or
    a pipe is written to as it is.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    path = path.resolve() if path.is_symlink() else path
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(aside, "wb", opener=private_opener if secret else None) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError as error:  # a full disk names no file
        if error.errno is not None:
            error.filename = str(path)
        raise
    finally:
        aside.unlink(missing_ok=True)


def zipped(
    entries: Mapping[str, bytes | str], *, executable: Container[str] = (), stored: bool = False
) -> bytes:
    """Return a ZIP archive of files by name; equal files make equal archives.

    `executable`: the names of those that can be run. `stored`: the files are not compressed.
    """
    import zipfile

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            entry = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if name in executable else 0o644) << 16
            archive.writestr(entry, content, archive.compression)
    return out.getvalue()


def known_ending(path: str | os.PathLike[str], allowed: Collection[str]) -> str:
    """Return the ending of a file's name in lower case; raise `FormatError` if it is not allowed.

    >>> known_ending("Map.SVG", (".png", ".svg"))
    '.svg'
    """
    ending = Path(path).suffix.lower()
    if ending not in allowed:
        one = f"one of {', '.join(allowed)}" if len(allowed) > 1 else "".join(allowed)
        raise FormatError(f"cannot tell the format of {os.fspath(path)!r}: its extension must be {one}")
    return ending


@contextmanager
def writing(place: Path) -> Iterator[None]:
    """Raise `FormatError` for a file that cannot be written; `place` is named if the error names none."""
    try:
        yield
    except OSError as error:
        name = str(error.filename or place)
        raise FormatError(f"cannot write {name!r}: {error.strerror or error}") from None


def being_written(path: Path) -> str:
    """Return the refusal of a file that another program holds."""
    return f"{str(path)!r} is being written by another program; close that one first"


def locked(path: Path, refusal: str) -> FileLock:
    """Return the lock of a file, which no other program can hold until it is unlocked.

    Raises `GameError` with the message `refusal` if another program holds it.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(f"{path}.lock", timeout=0, mode=0o600, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise GameError(refusal) from None
    return lock


def unlock(lock: FileLock) -> None:
    """Release a lock and remove its file."""
    with suppress(OSError):  # Windows removes the file on release, and not before
        os.remove(lock.lock_file)
    lock.release()
