"""Reading text files."""

from __future__ import annotations

import os
from pathlib import Path

from kripke_werewolf.errors import FormatError


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text in a file, without a byte order mark.

    Raises `FormatError` if it is not UTF-8, and `OSError` if it cannot be opened.
    """
    return decoded(Path(path).read_bytes(), os.fspath(path))


def decoded(data: bytes, source: str) -> str:
    """Return the text of some bytes, with each line ending in a newline; `source` is its name in errors.

    >>> decoded("\\ufeffp -> q\\r\\n".encode(), "a.txt")
    'p -> q\\n'
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"{source}: not valid UTF-8: {error.reason} at byte {error.start}") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")
