"""The model in the file of a picture: the record that writers put there, its seal, and `read`.

The seal is a check value of the whole file, except of the way in which its lines end; for PNG, of the pixels
and of the record; for PDF, of every byte. It shows changes; it does not prove who made the file.
"""

from __future__ import annotations

import json
import os
import re
from hashlib import sha256
from html import escape, unescape
from io import BytesIO
from pathlib import Path
from struct import pack
from typing import Any
from zlib import crc32

from kripke_werewolf.base.errors import FormatError, KripkeError
from kripke_werewolf.base.files import known_ending, parse_json, read_text
from kripke_werewolf.logic.models import KripkeModel

_UNSEALED = "0" * 16
_RECORDS = {
    ".svg": r'data-model="([^"]*)"',
    ".html": r'data-model="([^"]*)"',
    ".tex": "^  % model: (.*)$",
    ".dot": "^// model: (.*)$",
    ".gv": "^// model: (.*)$",
    ".pdf": r"/Keywords \(((?:[^\\)]|\\.)*)\)",
    ".png": "^record: (.+)$",  # a line after that of the pixels, see `_png_text`
}
"""Where each format keeps its record."""


# --- writing ---------------------------------------------------------------------------------------


def record_of(*told: tuple[KripkeModel | None, str]) -> str:
    """Return the record of the pictures in a file as JSON in ASCII, not yet sealed.

    For each picture: its model, or None and the reason why there is none.
    """
    pictures: list[dict[str, Any]] = []
    for model, unread in told:
        try:
            pictures.append({"unread": unread} if model is None else {"model": model.to_dict()})
        except FormatError as error:
            pictures.append({"unread": str(error)})
    return json.dumps({"seal": _UNSEALED, "pictures": pictures}, separators=(",", ":"))


def in_markup(record: str) -> str:
    """Return the attribute of an element of SVG or HTML that holds a record."""
    return f'data-model="{escape(record)}"'


def sealed(text: str, ending: str) -> str:
    """Return the text of a file with the check value of all of it in its record."""
    start, end = _seal(text, _record(text, ending))
    return text[:start] + _check(text) + text[end:]


def sealed_png(content: bytes, record: str) -> bytes:
    """Return a PNG with its sealed record, in a chunk of text after its header."""
    _, kept = sealed(_png_text(content, record), ".png").split("record: ")
    chunk = b"tEXtmodel\0" + kept.encode()
    whole = pack(">I", len(chunk) - 4) + chunk + pack(">I", crc32(chunk))
    return content[:_PNG_HEADER] + whole + content[_PNG_HEADER:]


_PNG_HEADER = 33  # its bytes


def _png_text(content: bytes, record: str = "") -> str:
    """Return the sealed part of a PNG: a check value of its pixels, and a record, by default its own."""
    from PIL import Image

    try:
        with Image.open(BytesIO(content), formats=["PNG"]) as image:
            pixels = sha256(image.convert("RGBA").tobytes()).hexdigest()
            return f"pixels: {image.size} {pixels}\nrecord: {record or image.info.get('model', '')}"
    except (OSError, ValueError) as error:
        raise FormatError(f"it is not PNG: {error}") from None


def _check(text: str) -> str:
    return sha256(text.encode()).hexdigest()[: len(_UNSEALED)]


def _record(text: str, ending: str) -> tuple[int, int]:
    """Return where the record of a file stands, as the format writes it."""
    found = re.search(_RECORDS[ending], text, re.MULTILINE)
    if not found:
        raise FormatError(
            "it has no record of a model: it is not from visualise or from an earlier version, or was changed"
        )
    return found.span(1)


def _seal(text: str, record: tuple[int, int]) -> tuple[int, int]:
    """Return where the seal of a record stands, which is its first part."""
    found = re.compile("[0-9a-f]{16}").search(text, *record)
    return found.span() if found else record


# --- reading ---------------------------------------------------------------------------------------


def read(path: str | os.PathLike[str], *, step: int | None = None) -> KripkeModel:
    """Return the model of a picture from `save`: SVG, PNG, PDF, TikZ, DOT, or a page; or of a JSON file.

    `step`: which picture of a page, from 0.

    Raises `FormatError` for other files, for pictures that leave parts of their model out, and for those that
    were changed after they were drawn: what they show may no longer be what their record says.
    """
    source = Path(path)
    ending = known_ending(source, (*_RECORDS, ".json"))
    if ending == ".json":
        return KripkeModel.load(source)
    try:
        if ending == ".png":
            text = _png_text(source.read_bytes())
        elif ending == ".pdf":
            text = source.read_bytes().decode("latin-1")
        else:
            text = read_text(source)
        return _recorded(text, ending, step)
    except KripkeError as error:
        raise FormatError(f"cannot read a model from {str(path)!r}: {error}") from None


def _recorded(text: str, ending: str, step: int | None) -> KripkeModel:
    """Return the model that a file records, if nothing in the file has been changed."""
    start, end = _record(text, ending)
    record = text[start:end]
    if ending == ".pdf":
        record = re.sub(r"\\(.)", r"\1", record)
    if ending in (".svg", ".html"):
        record = unescape(record)
    data = parse_json(record, "the record of the model")
    if not isinstance(data, dict) or "pictures" not in data:
        raise FormatError(f"its record of a model is damaged or of an earlier version: {record[:20]!r}")
    place = _seal(text, (start, end))
    if data["seal"] != _check(text[: place[0]] + _UNSEALED + text[place[1] :]):
        raise FormatError("the picture was changed after it was drawn, and may not show what its record says")
    pictures = data["pictures"]
    if step not in range(len(pictures)) and (step is not None or len(pictures) > 1):
        raise FormatError(f"it has {len(pictures)} pictures; choose one with step=0 to {len(pictures) - 1}")
    found = pictures[step or 0]
    if "model" not in found:
        raise FormatError(f"the picture does not tell all of a model: {found['unread']}")
    return KripkeModel.from_dict(found["model"])
