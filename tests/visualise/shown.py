"""What a picture shows."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from visualise.scene import Label, Scene
from visualise.text import LATIN, text_of

Spot: TypeAlias = tuple[float, float]
# a line: the text that names its agents, its ends, and whether there are heads at these
Line: TypeAlias = tuple[str, int, int, tuple[bool, bool]]


@dataclass
class World:
    """A node as it is seen: its name, the lines beside it, whether its outline is double."""

    name: str
    beside: list[str]
    double: bool


@dataclass
class Content:
    """The content of a picture: worlds, lines between them, outlines around them, words below."""

    worlds: list[World]
    lines: list[Line] = field(default_factory=list)
    outlines: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    legend: list[str] = field(default_factory=list)
    caption: str = ""


def straight(name: str) -> str:
    """Return a text as it looks: with Latin letters for Greek ones of the same shape, and straight quotes."""
    return name.translate(_LOOKS)


_LOOKS = str.maketrans({"“": '"', "”": '"', **LATIN})


def shown_in(scene: Scene) -> Content:
    """Return the content of a scene with its legend and its caption."""
    pens = {entry.pen: text_of(entry.text) for entry in scene.legend if entry.pen}
    lines = [
        (text_of(edge.label.text) if edge.label else pens[edge.pen], edge.source, edge.target, edge.heads)
        for edge in scene.edges
    ]
    return Content(
        [World(" ".join(_texts(n.labels)), _texts(n.lines), n.ring) for n in scene.nodes],
        lines,
        [(pens[hull.pen], hull.members) for hull in scene.hulls],
        list(pens.values()),
        " ".join(text_of(note.text) for note in scene.notes),
    )


def _texts(labels: Iterable[Label]) -> list[str]:
    return [text_of(label.text) for label in labels]
