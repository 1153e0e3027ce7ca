"""Reading pictures: from files in SVG, TikZ, DOT, HTML and JSON to the models that they show."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from kripke_werewolf.errors import FormatError, KripkeError
from kripke_werewolf.files import known_ending, read_text
from kripke_werewolf.models import KripkeModel
from visualise.shown import Picture, recorded
from visualise.tikz_reading import tikz_pictures


def read(path: str | os.PathLike[str], *, step: int | None = None) -> KripkeModel:
    """Return the model of a picture: in SVG, TikZ, DOT or a page (HTML) from `save`, or in a JSON file.

    Worlds may have been moved, and the file may have been minified. A picture that was changed by
    hand gives the model that it shows now; TikZ and DOT by others do as well (see `decoding.model_shown`).
    `step`: which picture of a page or of slides, from 0.

    Raises `FormatError` for other files, for pictures that leave parts of their model out, and for those
    whose meaning is in doubt.
    """
    source = Path(path)
    ending = known_ending(source, (*_READERS, ".json"))
    if ending == ".json":
        return KripkeModel.load(source)
    text = read_text(source)
    try:
        found = _READERS[ending](text)
        if not found:
            raise FormatError("it contains no picture")
        if step not in range(len(found)) and (step is not None or len(found) > 1):
            raise FormatError(f"it has {len(found)} pictures; choose one with step=0 to {len(found) - 1}")
        return recorded(*found[step or 0]())
    except (KripkeError, LookupError, ValueError) as error:
        # an element lacks something, or has something else
        why = error if isinstance(error, KripkeError) else "the picture was changed: a part of it is missing"
        raise FormatError(f"cannot read a model from {str(path)!r}: {why}") from None


def _dot_picture(text: str) -> list[Picture]:
    from visualise.dot_reading import dot_shown  # whose library takes long to load

    return [partial(dot_shown, text)]


def _svg_picture(text: str) -> list[Picture]:
    from visualise.svg_reading import svg_shown  # which needs fontTools, and the explorer's page has none

    return [partial(svg_shown, text)]


def _page_pictures(text: str) -> list[Picture]:
    from visualise.svg_reading import page_pictures

    return page_pictures(text)


_READERS: dict[str, Callable[[str], list[Picture]]] = {
    ".svg": _svg_picture,
    ".tex": tikz_pictures,
    ".dot": _dot_picture,
    ".gv": _dot_picture,
    ".html": _page_pictures,
}
