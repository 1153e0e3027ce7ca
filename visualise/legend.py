"""What stands around a picture: a heading above it, a legend and a caption below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from visualise.edges import LABEL_SIZE
from visualise.geometry import Box, Point
from visualise.palette import MUTED
from visualise.scene import SAMPLE, Entry, Label, Scene
from visualise.text import Style, Text, plain, width_of

__all__ = ["with_notes"]

HEADING_SIZE = 11.0
NOTE_SIZE = 9.5


def with_notes(
    scene: Scene,
    samples: Sequence[tuple[Text, Mapping[str, object]]],
    *,
    heading: str = "",
    caption: str = "",
    body: Box | None = None,
) -> Scene:
    """Return the scene with a heading above it, and a legend and a caption below.

    `samples`: for each entry of the legend its text and how the sample looks (fields of `Entry`). `body`:
    the place to keep clear of, by default that of nodes and lines.
    """
    body = body or scene.body
    width = max(body.width, 230.0)
    y = body.bottom - 20
    entries: list[Entry] = []
    for row in _rows(samples, width):
        total = sum(_entry_width(text) for text, _ in row) - _ENTRY_GAP
        x = body.centre.x - total / 2
        for text, looks in row:
            at = Point(x + SAMPLE / 2, y)
            label = Label(text, Point(x + SAMPLE + 5, y - 0.36 * LABEL_SIZE), LABEL_SIZE, "start")
            entries.append(Entry(label, at, **looks))  # type: ignore[arg-type]
            x += _entry_width(text)
        y -= 16
    notes = list(scene.notes)
    for line in _folded(caption, max(width, 300.0)):
        notes.append(Label(line, Point(body.centre.x, y - 0.36 * NOTE_SIZE), NOTE_SIZE, colour=MUTED))
        y -= 13
    lines = _folded(heading, max(width, 300.0), "bold")
    top = max([body.top, *(note.box.top for note in scene.notes)]) + 14
    for k, line in enumerate(reversed(lines)):
        notes.append(Label(line, Point(body.centre.x, top + 15 * k), HEADING_SIZE))
    return replace(scene, legend=tuple(entries), notes=tuple(notes))


_ENTRY_GAP = 18.0


def _entry_width(text: Text) -> float:
    return SAMPLE + 5 + width_of(text, LABEL_SIZE) + _ENTRY_GAP


def _rows(
    samples: Sequence[tuple[Text, Mapping[str, object]]], width: float
) -> list[list[tuple[Text, Mapping[str, object]]]]:
    out: list[list[tuple[Text, Mapping[str, object]]]] = []
    used = 0.0
    for sample in samples:
        need = _entry_width(sample[0])
        if not out or used + need - _ENTRY_GAP > width:
            out.append([])
            used = 0.0
        out[-1].append(sample)
        used += need
    return out


def _folded(note: str, width: float, style: Style = "plain") -> list[Text]:
    lines = [""]
    for word in note.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(plain(longer, style), NOTE_SIZE) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return [plain(line, style) for line in lines if line]
