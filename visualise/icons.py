"""Icons inside worlds: what is true there as a drawing, such as children with mud on their foreheads."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from importlib.resources import files
from math import ceil, cos, sin, tau
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from kripke_werewolf.base.errors import check_known
from visualise.geometry import Point
from visualise.palette import PAPER
from visualise.scene import Label, Sign
from visualise.text import plain

if TYPE_CHECKING:
    from kripke_werewolf.logic.puzzles.puzzle import Icon

_SIDE, _PITCH = 24.0, 26.0  # of a drawing, a square, and from one to the next
_ROW = 5  # most drawings side by side
_LABEL, _LABEL_SIZE = 11.0, 9.5  # height of the line with the labels, and size of the letters
_PRINTED = "#222222"  # letters on things, as dark on any ground
_CORNERS = 24  # of the polygon drawn for an ellipse


def drawn_icons(icons: Sequence[Icon], true: Collection[str]) -> tuple[tuple[Sign, ...], Point] | None:
    """Return the icons where some atoms are true, around the origin, and half their width and height.

    None if a drawing has no room for all words of the true atoms. Raises `UnknownNameError` for an unknown
    drawing.
    """
    drawn = [sign for icon in icons if (sign := _sign(icon, true))]
    if len(drawn) < len(icons):
        return None
    across = ceil(len(icons) / ceil(len(icons) / _ROW))
    rows = [drawn[start : start + across] for start in range(0, len(icons), across)]
    high = _SIDE + (_LABEL if any(icon.label for icon in icons) else 0.0)
    half = Point((across * _PITCH - _PITCH + _SIDE) / 2, len(rows) * high / 2)
    signs = [
        sign.moved(Point((column - (len(row) - 1) / 2) * _PITCH - _SIDE / 2, half.y - number * high))
        for number, row in enumerate(rows)
        for column, sign in enumerate(row)
    ]
    return tuple(signs), half


def _sign(icon: Icon, true: Collection[str]) -> Sign | None:
    """Return an icon below and to the right of the origin; None if there is no room for its words."""
    here = tuple(atom for atom in icon.shows if atom in true)
    words = " ".join(icon.shows[atom] for atom in here).split()
    labels = [Label(plain(icon.label), Point(_SIDE / 2, -_SIDE - 8), _LABEL_SIZE)] if icon.label else []
    shapes = []
    for element in _drawing(icon.drawing):
        if element.get("class", wanted := "true" if here else "false") != wanted:
            continue
        if not element.tag.endswith("text"):
            shapes.append((_corners(element), element.get("fill", PAPER)))
        elif words:
            at = Point(float(element.attrib["x"]), -float(element.attrib["y"]))
            size = float(element.attrib["font-size"])
            labels.append(Label(plain(words.pop(0)), at, size, colour=element.get("fill", _PRINTED)))
    return None if words else Sign(tuple(icon.shows), here, tuple(shapes), tuple(labels))


def _corners(element: ElementTree.Element) -> tuple[Point, ...]:
    """Return the corners of a polygon or an ellipse of a drawing; the y axis points up."""
    if element.tag.endswith("polygon"):
        numbers = [float(text) for text in element.attrib["points"].replace(",", " ").split()]
        return tuple(Point(x, -y) for x, y in zip(numbers[::2], numbers[1::2], strict=True))
    x, y, across, up = (float(element.attrib[key]) for key in ("cx", "cy", "rx", "ry"))
    turns = (tau * k / _CORNERS for k in range(_CORNERS))
    return tuple(Point(x + across * cos(turn), -y + up * sin(turn)) for turn in turns)


@cache
def _drawing(name: str) -> ElementTree.Element:
    folder = files("visualise").joinpath("drawings")
    known = sorted(entry.name.removesuffix(".svg") for entry in folder.iterdir())
    check_known(name, known, kind="drawing")
    return ElementTree.fromstring(folder.joinpath(f"{name}.svg").read_text(encoding="utf-8"))
