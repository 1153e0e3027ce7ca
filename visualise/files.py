"""Writing a file whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from kripke_werewolf.errors import FormatError

__all__ = ["write_aside"]


def write_aside(path: Path, content: bytes) -> None:
    """Write a file under another name in its folder, then rename it; raises `FormatError`."""
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        aside.write_bytes(content)
        aside.replace(path)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise FormatError(f"cannot write {str(path)!r}: {error.strerror or error}") from None
