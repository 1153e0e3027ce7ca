"""Figures of matplotlib: their fonts, and writing them to files."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from kripke_werewolf.files import known_ending, write_aside

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@contextmanager
def even_fonts(*, drawn: bool = True) -> Iterator[None]:
    """Give one warning that names the characters missing in all fonts; they are shown as boxes.

    There is none if text stays text and is not `drawn`. Hinting is off, so letters keep their proportions at
    every size.
    """
    from matplotlib import rc_context

    with warnings.catch_warnings(record=True) as caught, rc_context({"text.hinting": "none"}):
        warnings.filterwarnings("always", message=".*missing from font.*")
        yield
    missing = []
    for one in caught:
        found = re.match(r"Glyph (\d+) .*missing from font", str(one.message))
        if found:
            missing.append(chr(int(found[1])))
        else:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    if missing and drawn:
        warnings.warn(
            f"no font here has the characters {''.join(dict.fromkeys(missing))!r}, which are drawn as boxes; "
            "install one that has them, or save as .svg",
            stacklevel=4,
        )


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure in the format given by the file's suffix; raises `FormatError` for an unknown one."""
    ending = known_ending(path, [f".{name}" for name in sorted(figure.canvas.get_supported_filetypes())])
    content = BytesIO()
    with even_fonts():
        figure.savefig(content, format=ending[1:], dpi=150, bbox_inches="tight")
    write_aside(path, content.getvalue())
