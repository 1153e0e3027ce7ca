"""Plane geometry for pictures: boxes, curves, trees and outlines. The y axis points up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import pairwise
from math import comb, cos, hypot, inf, pi, sin
from operator import mul
from typing import NamedTuple, TypeAlias

from kripke_werewolf.base.grouping import grouped


class Point(NamedTuple):
    """A place in a picture."""

    x: float
    y: float

    def moved(self, by: Point) -> Point:
        """Return the point moved."""
        return Point(self.x + by.x, self.y + by.y)


ORIGIN = Point(0.0, 0.0)
_Spots: TypeAlias = Sequence[tuple[float, float]]  # places as pairs of coordinates, points among them
Curve: TypeAlias = tuple[Point, ...]  # a Bézier curve by its control points: two, three or four of them


class Rect(NamedTuple):
    """An upright rectangle."""

    left: float
    bottom: float
    right: float
    top: float

    @classmethod
    def at(cls, centre: Point, half_width: float, half_height: float) -> Rect:
        """Return the box with a given centre."""
        x, y = centre
        return cls(x - half_width, y - half_height, x + half_width, y + half_height)

    @classmethod
    def of(cls, spots: Iterable[tuple[float, float]]) -> Rect:
        """Return the smallest box that contains all points."""
        xs, ys = zip(*spots, strict=True)
        return cls(min(xs), min(ys), max(xs), max(ys))

    @classmethod
    def union(cls, boxes: Iterable[Rect]) -> Rect:
        """Return the smallest box that contains all boxes; an empty one at the origin for none."""
        found = list(boxes)
        if not found:
            return cls(0, 0, 0, 0)
        left, bottom, right, top = zip(*found, strict=True)
        return cls(min(left), min(bottom), max(right), max(top))

    @property
    def width(self) -> float:
        """The width."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The height."""
        return self.top - self.bottom

    @property
    def centre(self) -> Point:
        """The centre."""
        return Point((self.left + self.right) / 2, (self.bottom + self.top) / 2)

    @property
    def corners(self) -> list[Point]:
        """The corners, counter-clockwise."""
        left, bottom, right, top = self
        return [Point(left, bottom), Point(right, bottom), Point(right, top), Point(left, top)]

    def grown(self, by: float) -> Rect:
        """Return the box with a margin."""
        return Rect(self.left - by, self.bottom - by, self.right + by, self.top + by)

    def moved(self, by: Point) -> Rect:
        """Return the box moved."""
        return Rect(self.left + by.x, self.bottom + by.y, self.right + by.x, self.top + by.y)

    def overlaps(self, other: Rect) -> bool:
        """Return whether the boxes share more than an edge."""
        across = self.left < other.right and other.left < self.right
        return across and self.bottom < other.top and other.bottom < self.top


class SpatialIndex:
    """Boxes that can be looked up by place."""

    def __init__(self, boxes: Sequence[Rect]) -> None:
        self.boxes = boxes
        self._high = max(40.0, Rect.union(boxes).height / max(len(boxes), 1) ** 0.5)
        self._strips = grouped((strip, n) for n, box in enumerate(boxes) for strip in self._span(box))

    def _span(self, box: Rect) -> range:
        return range(int(box.bottom // self._high), int(box.top // self._high) + 1)

    def near(self, box: Rect) -> list[int]:
        """Return the numbers of the boxes that overlap a box, ascending."""
        left, bottom, right, top = box
        found = set()
        for strip in self._span(box):
            for number in self._strips.get(strip, ()):
                its_left, its_bottom, its_right, its_top = self.boxes[number]
                if its_left < right and left < its_right and its_bottom < top and bottom < its_top:
                    found.add(number)
        return sorted(found)


# --- curves ----------------------------------------------------------------------------------------


def sampled(curve: Curve, count: int = 33) -> list[tuple[float, float]]:
    """Return points along a curve, including its ends."""
    if len(curve) == 3:  # most are
        (ax, ay), (bx, by), (cx, cy) = curve
        return [(a * ax + b * bx + c * cx, a * ay + b * by + c * cy) for a, b, c in _bernstein(3, count)]
    xs, ys = zip(*curve, strict=True)
    return [(sum(map(mul, row, xs)), sum(map(mul, row, ys))) for row in _bernstein(len(curve), count)]


def spot_on(curve: Curve, t: float) -> Point:
    """Return the point of a curve at a parameter."""
    if len(curve) == 3:  # most are
        (ax, ay), (bx, by), (cx, cy) = curve
        a, b, c = (1 - t) * (1 - t), 2 * t * (1 - t), t * t
        return Point(a * ax + b * bx + c * cx, a * ay + b * by + c * cy)
    return _split(curve, t)[0][-1]


@cache
def _bernstein(points: int, count: int) -> list[list[float]]:
    """Return the weights of `points` control points at `count` parameters from 0 to 1."""
    last, times = points - 1, [step / (count - 1) for step in range(count)]
    return [[comb(last, k) * t**k * (1 - t) ** (last - k) for k in range(points)] for t in times]


def raised(curve: Curve) -> Curve:
    """Return the same curve with four control points.

    >>> raised((Point(0, 0), Point(3, 6)))[1]
    Point(x=1.0, y=2.0)
    """
    while (n := len(curve)) < 4:
        between = (
            Point((k * a.x + (n - k) * b.x) / n, (k * a.y + (n - k) * b.y) / n)
            for k, (a, b) in enumerate(pairwise(curve), 1)
        )
        curve = (curve[0], *between, curve[-1])
    return curve


def cut(curve: Curve, start: float, end: float) -> Curve:
    """Return the part of a curve between two parameters."""
    _, tail = _split(curve, start)
    head, _ = _split(tail, (end - start) / (1 - start) if start < 1 else 1)
    return head


def _split(curve: Curve, t: float) -> tuple[Curve, Curve]:
    levels = [curve]
    while len(levels[-1]) > 1:  # de Casteljau
        pairs = pairwise(levels[-1])
        levels.append(tuple(Point((1 - t) * a.x + t * b.x, (1 - t) * a.y + t * b.y) for a, b in pairs))
    return tuple(level[0] for level in levels), tuple(level[-1] for level in reversed(levels))


def bowed(start: Point, end: Point, bow: float) -> Curve:
    """Return the curve whose middle deviates from the straight line by `bow`, to the left if positive."""
    dx, dy = end.x - start.x, end.y - start.y
    length = hypot(dx, dy) or 1.0
    x, y = (start.x + end.x) / 2, (start.y + end.y) / 2
    return start, Point(x - 2 * bow * dy / length, y + 2 * bow * dx / length), end


def near_curve(curve: Curve, boxes: Sequence[Rect], numbers: Iterable[int], margin: float = 0.0) -> list[int]:
    """Return the boxes that a curve may touch, or pass within a margin.

    They are those as close to its chord as the curve itself.
    """
    (ax, ay), (bx, by) = curve[0], curve[-1]
    dx, dy = bx - ax, by - ay
    length = hypot(dx, dy) or 1.0
    lean = max(abs((x - ax) * dy - (y - ay) * dx) for x, y in curve) / length + margin
    found = []
    for number in numbers:
        left, bottom, right, top = boxes[number]
        x, y = (left + right) / 2 - ax, (bottom + top) / 2 - ay
        reach = (abs(dy) * (right - left) + abs(dx) * (top - bottom)) / 2 / length
        if abs(x * dy - y * dx) / length <= lean + reach:
            found.append(number)
    return found


def rounded(centre: Point, half: Point, radius: float, step: int = 1) -> list[Point]:
    """Return points around a rectangle, at this distance from it, counter-clockwise; one in `step`."""
    (x, y), (wide, high) = centre, half
    return [
        Point(x + dx * radius + across * wide, y + dy * radius + up * high)
        for dx, dy, across, up in _TURNS[::step]
    ]


_AROUND = [(cos(pi * k / 16), sin(pi * k / 16)) for k in range(32)]
# directions around a point, and the sides of a rectangle where they lead
_TURNS = [(x, y, *((z > 1e-9) - (z < -1e-9) for z in (x, y))) for x, y in _AROUND]


def mean(points: Sequence[Point]) -> Point:
    """Return the centre of gravity; the origin for no points."""
    x, y = (sum(axis) / len(points) for axis in zip(*points, strict=True)) if points else ORIGIN
    return Point(x, y)


def area(corners: Sequence[Point]) -> float:
    """Return the area of a polygon."""
    following = [*corners[1:], *corners[:1]]
    return abs(sum(a.x * b.y - b.x * a.y for a, b in zip(corners, following, strict=True))) / 2


# --- trees and outlines ----------------------------------------------------------------------------


def spanning_tree(nodes: Sequence[int], length: Callable[[int, int], float]) -> list[tuple[int, int]]:
    """Return the edges of a shortest spanning tree; ties go to the first (Prim 1957)."""
    if len(nodes) < 3:
        return [(min(nodes), max(nodes))] if len(nodes) == 2 else []
    near = {node: (inf, node) for node in nodes[1:]}  # distance from the tree, and closest node
    edges = []
    here = nodes[0]
    while near:
        least, nearest = inf, here
        for other, (closest, _) in near.items():
            if (far := length(here, other)) < closest - 1e-9:
                near[other] = far, here
                closest = far
            if closest < least:
                least, nearest = closest, other
        here = nearest
        _, parent = near.pop(here)
        edges.append((min(parent, here), max(parent, here)))
    return sorted(edges)


def convex_hull(points: Iterable[Point]) -> list[Point]:
    """Return the corners of the convex hull, counter-clockwise (Andrew's monotone chain)."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered

    def chain(sequence: Iterable[Point]) -> list[Point]:
        out: list[Point] = []
        for p in sequence:
            x, y = p
            while len(out) > 1:
                (ax, ay), (bx, by) = out[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > _FLAT:
                    break
                out.pop()
            out.append(p)
        return out[:-1]

    return chain(ordered) + chain(reversed(ordered))


def turn(a: Point, b: Point, c: Point) -> float:
    """Return the turn from a over b to c: positive to the left, 0 if collinear."""
    return round((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x), 6)


def crossing(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether two segments cross; touching at an end does not count."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = a, b, c, d
    x, y = bx - ax, by - ay
    left, right = x * (cy - ay) - y * (cx - ax), x * (dy - ay) - y * (dx - ax)
    if not ((left < -_FLAT and right > _FLAT) or (left > _FLAT and right < -_FLAT)):
        return False
    x, y = dx - cx, dy - cy
    left, right = x * (ay - cy) - y * (ax - cx), x * (by - cy) - y * (bx - cx)
    return (left < -_FLAT and right > _FLAT) or (left > _FLAT and right < -_FLAT)


_FLAT = 5e-7  # smaller turns are ignored


def inside_polygon(corners: _Spots) -> Callable[[tuple[float, float]], bool]:
    """Return whether points lie inside a polygon (even-odd rule), as a function."""
    left, bottom, right, top = Rect.of(corners)
    pairs = zip(corners, [*corners[1:], corners[0]], strict=True)
    sides = [(ax, ay, by, (bx - ax) / (by - ay)) for (ax, ay), (bx, by) in pairs if ay != by]

    def inside(spot: tuple[float, float]) -> bool:
        x, y = spot
        if not (left < x < right and bottom < y < top):
            return False
        return sum([x < slope * (y - ay) + ax for ax, ay, by, slope in sides if (ay > y) != (by > y)]) % 2 > 0

    return inside
