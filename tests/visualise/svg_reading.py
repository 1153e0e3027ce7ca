"""Reading SVG: the content of files and pages, by their shapes and texts, also after changes to the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import dist
from typing import TypeAlias
from xml.etree import ElementTree

from fontTools.misc.transform import Transform
from fontTools.pens.recordingPen import RecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.svgLib.path import parse_path
from fontTools.svgLib.path.shapes import PathBuilder

from kripke_werewolf.errors import FormatError
from kripke_werewolf.files import parse_json
from tests.visualise.shown import Content, Line, Picture, Spot, World
from visualise.geometry import Point, Rect, inside_polygon, sampled
from visualise.scene import Node

_Pens: TypeAlias = Mapping[tuple[str, ...], str]  # colours and dashes, with the agents' names in the legend

_SVG = "{http://www.w3.org/2000/svg}"
_DRAWN = {"rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "image", "use"}
_FAINT = ("opacity", "stroke-opacity", "stroke-width")
_NEAR = 10.0  # a line this close to the outline of a world ends there,
_AT = 3.0  # and one this close to an outline around worlds at that
_BY = 16.0  # so far is a text from its sample in the legend, or from the text above, at most,
_BESIDE, _ON = 24.0, 8.0  # and so far from the outline of its world, or from its line
_Face: TypeAlias = tuple[Node, Node]  # the outline of a world, where it is now and where it was drawn
_Outline: TypeAlias = tuple[tuple[str, ...], list[Spot], tuple[int, ...]]  # its looks, corners, and worlds


@dataclass
class _Part:
    """An element of an SVG file with what it inherits: its place (a transformation) and its looks."""

    element: ElementTree.Element
    place: Transform
    looks: Mapping[str, str]

    @property
    def parts(self) -> Iterator[_Part]:
        """Its children."""
        for element in self.element:
            place = self.place
            for kind, numbers in re.findall(r"(\w+)\(([^)]*)\)", element.get("transform", "")):
                given = [float(x) for x in re.findall(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", numbers)]
                if kind not in ("translate", "matrix"):
                    raise FormatError(f"a part of the picture is turned or resized: {kind}({numbers})")
                whole = given if kind == "matrix" else [1, 0, 0, 1, *given, 0][:6]
                place = place.transform(Transform(*whole))
            styled = dict(re.findall(r"([\w-]+)\s*:\s*([^;]+)", element.get("style", "")))
            looks = {**self.looks, **element.attrib, **styled}
            if any(re.fullmatch(r"0*\.?0+%?", looks.get(key, "")) for key in _FAINT):
                raise FormatError("a part of the picture is invisible")
            if looks.get("display") != "none" and looks.get("visibility") != "hidden":
                yield _Part(element, place, looks)

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
        own = {key: value for key, value in self.element.attrib.items() if key != "transform"}
        builder, pen = PathBuilder(), RecordingPen()
        builder.add_path_from_element(ElementTree.Element(self.element.tag, own))
        for path in builder.paths:
            parse_path(path, TransformPen(pen, self.place))
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
            found = [(_text(self.element), self.place.transformPoint(at))]
        return found + [text for part in self.parts for text in part.texts()]

    def numbers(self, key: str) -> list[int]:
        """Return the numbers in a data attribute, rounded."""
        return [round(float(number)) for number in self.element.get(f"data-{key}", "").split()]


def _text(node: ElementTree.Element) -> str:
    out, low = node.text or "", False
    for span in node:
        low = float(span.get("dy", 0)) > 0 if "dy" in span.attrib else low
        out += ("_" if low else "") + (span.text or "") + (span.tail or "")
    return out


def _pen(looks: Mapping[str, str]) -> tuple[str, ...]:
    return looks.get("stroke", ""), looks.get("stroke-dasharray", "")


def svg_shown(text: str, legend: _Pens | None = None) -> Content:
    """Return the content of an SVG document; `legend`: the agents of pens, if they stand elsewhere."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise FormatError(f"it is not SVG: {error}") from None
    parts: dict[str, list[_Part]] = {}
    for number, part in enumerate(_Part(root, Transform(), root.attrib).named()):
        kind, *_ = part.element.get("class", "").split() or [""]
        if number and not kind:  # the first is the paper
            what = part.element.tag.removeprefix(_SVG)
            raise FormatError(f"the picture was changed: it has a {what} that is not from visualise")
        parts.setdefault(kind, []).append(part)
    pens = dict(legend or {})
    for part in parts.get("sample", ()):
        (points, looks), ((name, at), *_) = part.shapes()[0], part.texts()
        if dist(max(points), at) > _BY:
            raise FormatError(f"the picture was changed: {name!r} in the legend is not beside its sample")
        pens[_pen(looks)] = name
    labels = {part.numbers("line")[0]: part for part in parts.get("label", ())}
    shown, faces = Content([], legend=list(pens.values())), dict[int, _Face]()
    for part in sorted(parts.get("world", ()), key=lambda part: part.numbers("w")):
        world, faces[part.numbers("w")[0]] = _world(part)
        shown.worlds.append(world)
    outlines = list[_Outline]()
    # optimisers make one path of outlines that look the same
    for points, looks in (shape for part in parts.get("hull", ()) for shape in part.shapes()):
        within = [k for k, (face, _) in faces.items() if _is_within(face, points)]
        outlines.append((_pen(looks), points, tuple(within)))
    order = {key: place for place, key in enumerate(faces)}
    shown.outlines = [(pens.get(pen, ""), tuple(order[k] for k in within)) for pen, _, within in outlines]
    for part in parts.get("edge", ()):
        shown.lines.append(_line(part, faces, outlines, pens, labels))
    shown.caption = " ".join(said for part in parts.get("note", ()) for said, _ in part.texts())
    return shown


def _world(part: _Part) -> tuple[World, _Face]:
    """Return a world and its face; raises `FormatError` if its texts were moved away from it."""
    outlines = [shape for shape in part.shapes() if shape[1].get("stroke", "none") != "none"]
    box = Rect.of(outlines[-1][0])
    if any(
        dist(Rect.of(ring).centre, box.centre) > _AT or _pen(looks) != _pen(outlines[-1][1])
        for ring, looks in outlines
    ):
        raise FormatError("the picture was changed: a ring is not around its world")
    face = Node("", "", (), Point(box.width / 2, box.height / 2), position=box.centre)
    names = [text for text, at in part.texts() if _holds(box, at)]
    beside = [(text, at) for text, at in part.texts() if not _holds(box, at)]
    for (_, above), (text, at) in pairwise(beside):
        if dist(above, at) > _BY:
            raise FormatError(f"the picture was changed: {text!r} is not below the text before it")
    if len(names) > 1 or (beside and min(face.distance(at) for _, at in beside) > _BESIDE):
        raise FormatError(f"the picture was changed: the texts beside {names or 'a world'} were moved")
    old = part.numbers("at")
    was = replace(face, position=Point(*old)) if old else face
    return World("".join(names), [text for text, _ in beside], len(outlines) > 1), (face, was)


def _line(
    part: _Part,
    faces: Mapping[int, _Face],
    outlines: Sequence[_Outline],
    pens: _Pens,
    labels: Mapping[int, _Part],
) -> Line:
    """Return a line: between the worlds where it ends, or, if these were moved, where they were before.

    An arrow may end at an outline around its world.
    """
    shapes = part.shapes()
    points, looks = [shape for shape in shapes if shape[1].get("fill") == "none"][-1]
    ends: list[tuple[Spot, bool]] = [(points[0], False), (points[-1], False)]
    for tip in (contour[0] for contour, looks in shapes if looks.get("fill") != "none"):
        place = min((0, 1), key=lambda k: (ends[k][1], dist(ends[k][0], tip)))
        if dist(ends[place][0], tip) > _BY:
            raise FormatError("the picture was changed: a head is not at the end of its line")
        ends[place] = tip, True
    order, joined = list(faces), []
    for (spot, _), drawn in zip(ends, part.numbers("ends"), strict=True):
        near = sorted((abs(face.distance(spot)), k != drawn, k) for k, (face, _) in faces.items())
        outlined = any(drawn in within and _border(corners, spot) <= _AT for _, corners, within in outlines)
        if near[0][0] > _NEAR and abs(faces[drawn][1].distance(spot)) > _NEAR and not outlined:
            raise FormatError("the picture was changed: a line does not end at a world")
        joined.append(order.index(drawn if outlined or near[0][0] > _NEAR else near[0][2]))
    number = part.numbers("line")
    text = pens.get(_pen(looks), "") if not number else ""
    if number and number[0] in labels:
        label = labels[number[0]]
        (text, at), ground = label.texts()[0], Rect.of(label.shapes()[0][0])
        course = sampled(tuple(Point(*spot) for spot in points)) if len(points) < 5 else points
        if not _holds(ground, at) or not any(_holds(ground.grown(_ON), spot) for spot in course):
            raise FormatError(f"the picture was changed: the text {text!r} is not on its line")
    return text, joined[0], joined[1], (ends[0][1], ends[1][1])


def _is_within(face: Node, corners: Sequence[Spot]) -> bool:
    """Return whether a world is inside an outline; raises `FormatError` if only a part of it is."""
    (x, y), half = face.position, face.half
    ends = [(x + half.x, y), (x - half.x, y), (x, y + half.y), (x, y - half.y)]
    inside = [inside_polygon(corners, spot) for spot in ends]
    if any(inside) != all(inside):
        raise FormatError("the picture was changed: an outline cuts a world")
    return all(inside)


def _border(corners: Sequence[Spot], spot: Spot) -> float:
    """Return the distance of a point from a polygon, up to half a point."""
    sides = pairwise([*corners, corners[0]])
    spots = (sampled((Point(*a), Point(*b)), 2 + int(dist(a, b))) for a, b in sides)
    return min(dist(spot, near) for side in spots for near in side)


def _holds(box: Rect, spot: Spot) -> bool:
    return box.left < spot[0] < box.right and box.bottom < spot[1] < box.top


def page_pictures(text: str) -> list[Picture]:
    """Return the pictures of a page, with the agents and the captions that its script shows."""
    stored = re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', text, re.DOTALL)
    pictures = re.findall(r'<template id="frame-\d+">(.*?)</template>', text, re.DOTALL)
    if not stored or not pictures:
        raise FormatError("it is not a page from visualise")
    if text.count(pictures[0]) < 2:
        raise FormatError("the picture was changed, but not in the script of the page")
    data = parse_json(stored[1], "its data")
    legend: _Pens = {(a["colour"], a["dashes"]): a["name"] for a in data["agents"] if a["on"]}

    def found(svg: str, frame: Mapping[str, str]) -> Content:
        shown = svg_shown(svg, legend)
        shown.caption = frame["caption"]
        return shown

    return [partial(found, svg, frame) for svg, frame in zip(pictures, data["frames"], strict=True)]
