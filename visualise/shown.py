"""What a picture shows, and the record by which its file gives the model back."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypeAlias

from kripke_werewolf.errors import FormatError, KripkeError
from kripke_werewolf.files import parse_json
from kripke_werewolf.models import KripkeModel
from visualise.scene import Scene
from visualise.text import LATIN, text_of

Spot: TypeAlias = tuple[float, float]
# a line: the text that names its agents, its ends, and whether there are heads at these
Line: TypeAlias = tuple[str, int, int, tuple[bool, bool]]


@dataclass
class World:
    """A node as it is seen: its name, the lines beside it, whether its outline is double.

    `key`: its name in the file. In pictures by others, the node itself may show what is true there instead.
    """

    name: str
    beside: list[str]
    double: bool
    key: str = ""


@dataclass
class Content:
    """The content of a picture: worlds, lines between them, outlines around them, words below.

    `looks`: the colours and dashes of its lines, as the file names them. `told_once`: whether the file says
    each thing in one place, so that it can be changed by hand.
    """

    worlds: list[World]
    lines: list[Line] = field(default_factory=list)
    outlines: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    legend: list[str] = field(default_factory=list)
    caption: str = ""
    looks: set[str] = field(default_factory=set)
    told_once: bool = True

    def check(self, model: object) -> str:
        """Return a check value of the picture and a model as plain data; places do not matter."""
        worlds = [(straight(w.name), straight(" ".join(w.beside)), w.double) for w in self.worlds]
        lines = sorted((straight(text), *ends) for text, *ends in self.lines)
        outlines = sorted((straight(text), members) for text, members in self.outlines)
        legend = sorted(map(straight, self.legend))
        content = [worlds, lines, outlines, legend, straight(" ".join(self.caption.split())), model]
        return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


# the content of a file, and its record of the model if it has one
Found: TypeAlias = tuple[Content, str | None]
# reads one of the pictures in a file
Picture: TypeAlias = Callable[[], Found]


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
        [World(text_of(n.label.text), [text_of(line.text) for line in n.lines], n.ring) for n in scene.nodes],
        lines,
        [(pens[hull.pen], hull.members) for hull in scene.hulls],
        list(pens.values()),
        " ".join(text_of(note.text) for note in scene.notes),
    )


def record_of(scene: Scene, shown: Callable[[], Content] | None = None) -> str:
    """Return the record of the model in a picture, for `visualise.read`, as JSON in ASCII.

    Pictures that tell all of their model carry it, with a check value of what they show (by default what the
    scene shows); others carry the reason why not.
    """
    if scene.model is None:
        return json.dumps({"unread": scene.unread})
    try:
        data = scene.model.to_dict()
    except FormatError as error:
        return json.dumps({"unread": str(error)})
    check = (shown() if shown else shown_in(scene)).check(data)
    return json.dumps({"model": data, "check": check}, separators=(",", ":"))


def recorded(shown: Content, record: str | None) -> KripkeModel:
    """Return the model in a file: the recorded one, or, without a record or after a change, the one shown.

    Raises `FormatError` if the picture does not tell all of a model, or if its meaning is in doubt.
    """
    from visualise.decoding import model_shown

    if record is None:
        return model_shown(shown)
    data = parse_json(record, "the record of the model")
    if not isinstance(data, dict):
        raise FormatError(f"the record of the model must be an object, got {record[:20]!r}")
    if "model" not in data:
        raise FormatError(f"the picture does not tell all of a model: {data.get('unread')}")
    model = KripkeModel.from_dict(data["model"])
    if data.get("check") == shown.check(data["model"]):
        return model
    if not shown.told_once:
        raise FormatError("the picture was changed, but other parts of the page still describe the old one")
    try:
        return model_shown(shown, model)
    except KripkeError as error:
        raise FormatError(f"the picture was changed, and what it shows is in doubt: {error}") from None
