"""Reading SVG: the content of files and pages, by their shapes and texts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import dist
from typing import TypeAlias
from xml.etree import ElementTree

from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from fontTools.svgLib.path.shapes import PathBuilder

from tests.visualise.shown import Content, Line, Spot, World
from visualise.geometry import Point, Rect, inside_polygon, sampled
from visualise.scene import Node

_Pens: TypeAlias = Mapping[tuple[str, ...], str]  # colours and dashes, with the agents' names in the legend

_SVG = "{http://www.w3.org/2000/svg}"
_DRAWN = {"rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "image", "use"}
_NEAR = 10.0  # a line this close to the outline of a world ends there,
_AT = 3.0  # and one this close to an outline around worlds at that
_BY = 16.0  # so far is a text from its sample in the legend, or from the text above, at most,
_BESIDE, _ON = 24.0, 8.0  # and so far from the outline of its world, or from its line
_Outline: TypeAlias = tuple[tuple[str, ...], list[Spot], tuple[int, ...]]  # its looks, corners, and worlds


@dataclass
class _Part:
    """An element of an SVG file with its looks, some of which it inherits."""

    element: ElementTree.Element
    looks: Mapping[str, str]

    @property
    def parts(self) -> Iterator[_Part]:
        """Its children."""
        for element in self.element:
            assert not {"transform", "style", "display", "visibility"} & element.attrib.keys()
            yield _Part(element, {**self.looks, **element.attrib})

    def named(self) -> Iterator[_Part]:
        """Yield the outermost parts that have a class, and all shapes and texts outside of them."""
        for part in self.parts:
            kind = part.element.tag.removeprefix(_SVG)
            if "class" in part.element.attrib or kind in _DRAWN:
                yield part
            elif kind != "defs":
                yield from part.named()

    def shapes(self) -> list[tuple[list[Spot], Mapping[str, str]]]:
        """Return the contours in it, where they are on the page, with their looks."""
        builder, pen = PathBuilder(), RecordingPen()
        builder.add_path_from_element(ElementTree.Element(self.element.tag, self.element.attrib))
        for path in builder.paths:
            parse_path(path, pen)
        found: list[tuple[list[Spot], Mapping[str, str]]] = []
        for step, points in pen.value:
            if step == "moveTo":
                found.append(([], self.looks))
            found[-1][0].extend(points)
        return found + [shape for part in self.parts for shape in part.shapes()]

    def texts(self) -> list[tuple[str, Spot]]:
        """Return the texts in it, with an underscore before an index, and where they are on the page."""
        found = []
        if self.element.tag == f"{_SVG}text":
            at = float(self.element.get("x", 0)), float(self.element.get("y", 0))
            found = [(_text(self.element), at)]
        return found + [text for part in self.parts for text in part.texts()]

    def numbers(self, key: str) -> list[int]:
        """Return the numbers in a data attribute, rounded."""
        return [round(float(number)) for number in self.element.get(f"data-{key}", "").split()]


def _text(node: ElementTree.Element) -> str:
    out, low = node.text or "", False
    for span in node:
        low = float(span.get("dy", 0)) > 0 if "dy" in span.attrib else low
        out += " " if "x" in span.attrib else ""  # the second line of a name
        out += ("_" if low else "") + (span.text or "") + (span.tail or "")
    return out


def _pen(looks: Mapping[str, str]) -> tuple[str, ...]:
    return looks.get("stroke", ""), looks.get("stroke-dasharray", "")


def svg_shown(text: str, legend: _Pens | None = None) -> Content:
    """Return the content of an SVG document; `legend`: the agents of pens, if they stand elsewhere."""
    root = ElementTree.fromstring(text)
    parts: dict[str, list[_Part]] = {}
    for number, part in enumerate(_Part(root, root.attrib).named()):
        kind, *_ = part.element.get("class", "").split() or [""]
        assert kind or not number  # the first is the paper
        parts.setdefault(kind, []).append(part)
    pens = dict(legend or {})
    for part in parts.get("sample", ()):
        (points, looks), ((name, at), *_) = part.shapes()[0], part.texts()
        assert dist(max(points), at) <= _BY, f"{name!r} in the legend is beside its sample"
        pens[_pen(looks)] = name
    labels = {part.numbers("line")[0]: part for part in parts.get("label", ())}
    shown, faces = Content([], legend=list(pens.values())), dict[int, Node]()
    for part in sorted(parts.get("world", ()), key=lambda part: part.numbers("w")):
        world, faces[part.numbers("w")[0]] = _world(part)
        shown.worlds.append(world)
    outlines = list[_Outline]()
    for points, looks in (shape for part in parts.get("hull", ()) for shape in part.shapes()):
        within = [k for k, face in faces.items() if _is_within(face, points)]
        outlines.append((_pen(looks), points, tuple(within)))
    order = {key: place for place, key in enumerate(faces)}
    shown.outlines = [(pens.get(pen, ""), tuple(order[k] for k in within)) for pen, _, within in outlines]
    for part in parts.get("edge", ()):
        shown.lines.append(_line(part, faces, outlines, pens, labels))
    shown.caption = " ".join(said for part in parts.get("note", ()) for said, _ in part.texts())
    return shown


def _world(part: _Part) -> tuple[World, Node]:
    """Return a world and its face; its texts are beside it."""
    outlines = [shape for shape in part.shapes() if shape[1].get("stroke", "none") != "none"]
    box = Rect.of(outlines[-1][0])
    for ring, looks in outlines:
        assert dist(Rect.of(ring).centre, box.centre) <= _AT
        assert _pen(looks) == _pen(outlines[-1][1])
    face = Node("", "", (), Point(box.width / 2, box.height / 2), position=box.centre)
    names = [text for text, at in part.texts() if _holds(box, at)]
    beside = [(text, at) for text, at in part.texts() if not _holds(box, at)]
    for (_, above), (text, at) in pairwise(beside):
        assert dist(above, at) <= _BY, f"{text!r} is below the text before it"
    assert len(names) < 2
    assert not beside or min(face.distance(at) for _, at in beside) <= _BESIDE
    return World("".join(names), [text for text, _ in beside], len(outlines) > 1), face


def _line(
    part: _Part,
    faces: Mapping[int, Node],
    outlines: Sequence[_Outline],
    pens: _Pens,
    labels: Mapping[int, _Part],
) -> Line:
    """Return a line between the worlds where it ends; an arrow may end at an outline around its world."""
    shapes = part.shapes()
    points, looks = [shape for shape in shapes if shape[1].get("fill") == "none"][-1]
    ends: list[tuple[Spot, bool]] = [(points[0], False), (points[-1], False)]
    for tip in (contour[0] for contour, looks in shapes if looks.get("fill") != "none"):
        place = min((0, 1), key=lambda k: (ends[k][1], dist(ends[k][0], tip)))
        assert dist(ends[place][0], tip) <= _BY, "a head is at the end of its line"
        ends[place] = tip, True
    order, joined = list(faces), []
    for (spot, _), drawn in zip(ends, part.numbers("ends"), strict=True):
        near, _, number = min((abs(face.distance(spot)), k != drawn, k) for k, face in faces.items())
        outlined = any(drawn in within and _border(corners, spot) <= _AT for _, corners, within in outlines)
        assert near <= _NEAR or outlined, "a line ends at a world"
        joined.append(order.index(drawn if outlined else number))
    own = part.numbers("line")
    text = pens.get(_pen(looks), "") if not own else ""
    if own:
        label = labels[own[0]]
        (text, at), ground = label.texts()[0], Rect.of(label.shapes()[0][0])
        course = sampled(tuple(Point(*spot) for spot in points)) if len(points) < 5 else points
        assert _holds(ground, at)
        assert any(_holds(ground.grown(_ON), spot) for spot in course), f"{text!r} is on its line"
    return text, joined[0], joined[1], (ends[0][1], ends[1][1])


def _is_within(face: Node, corners: Sequence[Spot]) -> bool:
    """Return whether a world is inside an outline, which cuts none."""
    (x, y), half = face.position, face.half
    ends = [(x + half.x, y), (x - half.x, y), (x, y + half.y), (x, y - half.y)]
    inside = [inside_polygon(corners)(spot) for spot in ends]
    assert any(inside) == all(inside)
    return all(inside)


def _border(corners: Sequence[Spot], spot: Spot) -> float:
    """Return the distance of a point from a polygon, up to half a point."""
    sides = pairwise([*corners, corners[0]])
    spots = (sampled((Point(*a), Point(*b)), 2 + int(dist(a, b))) for a, b in sides)
    return min(dist(spot, near) for side in spots for near in side)


def _holds(box: Rect, spot: Spot) -> bool:
    return box.left < spot[0] < box.right and box.bottom < spot[1] < box.top


def page_shown(text: str) -> Content:
    """Return the content of the first picture of a page, with the agents and the caption of its script."""
    stored = re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', text, re.DOTALL)
    assert stored
    data = json.loads(stored[1])
    picture = data["frames"][0]["picture"]
    legend = {(a["colour"], a["dashes"]): a["name"] for a in data["agents"]}
    shown = svg_shown(picture["svg"]["light"], legend)
    shown.caption = picture["remarks"]
    return shown
