"""Plane geometry for pictures: boxes, curves, trees and outlines. The y axis points up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import atan2, ceil, cos, hypot, inf, pi, sin
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = [
    "Box",
    "Curve",
    "Point",
    "Positions",
    "area",
    "around",
    "bowed",
    "convex_hull",
    "cut",
    "inside_polygon",
    "rounded",
    "rounded_path",
    "sampled",
    "spanning_tree",
]

Positions: TypeAlias = npt.NDArray[np.float64]  # shape (n, 2)


class Point(NamedTuple):
    """A place in a picture."""

    x: float
    y: float


# a Bézier curve by its control points: three or four of them
Curve: TypeAlias = tuple[Point, ...]


class Box(NamedTuple):
    """An upright rectangle."""

    left: float
    bottom: float
    right: float
    top: float

    @classmethod
    def at(cls, centre: Point, half_width: float, half_height: float) -> Box:
        """Return the box around a centre."""
        x, y = centre
        return cls(x - half_width, y - half_height, x + half_width, y + half_height)

    @classmethod
    def union(cls, boxes: Iterable[Box]) -> Box:
        """Return the smallest box that holds all of them; an empty one at the origin for none."""
        found = list(boxes)
        if not found:
            return cls(0, 0, 0, 0)
        left, bottom, right, top = zip(*found, strict=True)
        return cls(min(left), min(bottom), max(right), max(top))

    @property
    def width(self) -> float:
        """The extent from left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The extent from bottom to top."""
        return self.top - self.bottom

    @property
    def centre(self) -> Point:
        """The point in the middle."""
        return Point((self.left + self.right) / 2, (self.bottom + self.top) / 2)

    def grown(self, by: float) -> Box:
        """Return the box with a margin."""
        return Box(self.left - by, self.bottom - by, self.right + by, self.top + by)

    def moved(self, by: Point) -> Box:
        """Return the box somewhere else."""
        return Box(self.left + by.x, self.bottom + by.y, self.right + by.x, self.top + by.y)

    def overlaps(self, other: Box) -> bool:
        """Return whether the two have more than an edge in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.bottom < other.top
            and other.bottom < self.top
        )


# --- curves ----------------------------------------------------------------------------------------


def sampled(curve: Curve, count: int = 33) -> Positions:
    """Return points along a curve, ends included; shape (count, 2)."""
    t = np.linspace(0, 1, count)[:, None]
    points = [np.array(p)[None, :] + 0 * t for p in curve]
    while len(points) > 1:  # de Casteljau
        points = [(1 - t) * a + t * b for a, b in pairwise(points)]
    return points[0]


def cut(curve: Curve, start: float, end: float) -> Curve:
    """Return the part of a curve between two parameters."""
    _, tail = _split(curve, start)
    head, _ = _split(tail, (end - start) / (1 - start) if start < 1 else 1)
    return head


def _split(curve: Curve, t: float) -> tuple[Curve, Curve]:
    levels = [curve]
    while len(levels[-1]) > 1:
        last = levels[-1]
        levels.append(
            tuple(Point((1 - t) * a.x + t * b.x, (1 - t) * a.y + t * b.y) for a, b in pairwise(last))
        )
    return tuple(level[0] for level in levels), tuple(level[-1] for level in reversed(levels))


def bowed(start: Point, end: Point, bow: float) -> Curve:
    """Return the curve that leaves the straight line by `bow` in its middle, to the left if positive."""
    dx, dy = end.x - start.x, end.y - start.y
    length = hypot(dx, dy) or 1.0
    middle = Point(
        (start.x + end.x) / 2 - 2 * bow * dy / length, (start.y + end.y) / 2 + 2 * bow * dx / length
    )
    return start, middle, end


def rounded_path(centre: Point, half_width: float, half_height: float, radius: float) -> list[Point]:
    """Return a rectangle with round corners: a start, then four times a line and a cubic curve."""
    r = min(radius, half_width, half_height)
    handle = 0.5523 * r  # a quarter of a circle as a cubic Bézier curve
    x, y = half_width - r, half_height - r
    out = [Point(centre.x + x, centre.y - half_height)]
    for (cx, cy), (ux, uy), (vx, vy) in (
        ((x, -y), (0, -1), (1, 0)),
        ((x, y), (1, 0), (0, 1)),
        ((-x, y), (0, 1), (-1, 0)),
        ((-x, -y), (-1, 0), (0, -1)),
    ):
        sides = ((r, 0.0), (r, handle), (handle, r), (0.0, r))
        out += [Point(centre.x + cx + u * ux + v * vx, centre.y + cy + u * uy + v * vy) for u, v in sides]
    return out


def rounded(centre: Point, half_width: float, half_height: float, *, radius: float) -> list[Point]:
    """Return the same shape as a polygon."""
    path = rounded_path(centre, half_width, half_height, radius)
    out = []
    for k in range(1, len(path), 4):
        out += [Point(float(x), float(y)) for x, y in sampled(tuple(path[k : k + 4]), 9)]
    return out


def area(corners: Sequence[Point]) -> float:
    """Return the area of a polygon."""
    following = [*corners[1:], *corners[:1]]
    return abs(sum(a.x * b.y - b.x * a.y for a, b in zip(corners, following, strict=True))) / 2


# --- trees and outlines ----------------------------------------------------------------------------


def spanning_tree(length: npt.NDArray[np.float64]) -> list[tuple[int, int]]:
    """Return the edges of a shortest spanning tree of a distance matrix; the first of equals wins."""
    count = len(length)
    near = np.full(count, inf)
    parent = np.zeros(count, np.int64)
    outside = np.ones(count, bool)
    edges = []
    here = 0
    for _ in range(count - 1):
        outside[here] = False
        closer = outside & (length[here] < near - 1e-9)
        near[closer], parent[closer] = length[here][closer], here
        here = int(np.argmin(np.where(outside, near, inf)))
        edges.append((min(int(parent[here]), here), max(int(parent[here]), here)))
    return sorted(edges)


def convex_hull(points: Sequence[Point]) -> list[Point]:
    """Return the corners of the convex hull, counter-clockwise (Andrew's monotone chain)."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered

    def chain(sequence: Iterable[Point]) -> list[Point]:
        out: list[Point] = []
        for p in sequence:
            while len(out) > 1 and _turn(out[-2], out[-1], p) <= 1e-9:
                out.pop()
            out.append(p)
        return out[:-1]

    return chain(ordered) + chain(reversed(ordered))


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)


def inside_polygon(corners: Sequence[Point], points: Positions) -> npt.NDArray[np.bool_]:
    """Return which points lie inside a polygon (even-odd rule)."""
    inside = np.zeros(len(points), bool)
    x, y = points[:, 0], points[:, 1]
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if ay != by:
            inside ^= ((ay > y) != (by > y)) & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return inside


def around(centres: Sequence[Point], edges: Iterable[tuple[int, int]], radius: float) -> list[Point]:
    """Return the outline at a distance from a tree drawn with straight edges, counter-clockwise.

    With one centre and no edge it is a circle. At a corner that turns outward the outline is an
    arc, at one that turns inward the two sides meet.
    """
    neighbours: list[list[tuple[float, int]]] = [[] for _ in centres]
    for i, j in edges:
        for a, b in ((i, j), (j, i)):
            p, q = centres[a], centres[b]
            neighbours[a].append((atan2(q.y - p.y, q.x - p.x), b))
    if len(centres) == 1:
        return _arc(centres[0], 0, 2 * pi, radius)[:-1]
    for found in neighbours:
        found.sort()
    out: list[Point] = []
    start = here, towards = 0, neighbours[0][0][1]
    while True:
        # arriving at `towards` from `here`: turn to the next edge counter-clockwise
        ring = neighbours[towards]
        place = next(k for k, (_, b) in enumerate(ring) if b == here)
        back, (angle, following) = ring[place][0], ring[(place + 1) % len(ring)]
        gap = (angle - back) % (2 * pi) or 2 * pi
        centre = centres[towards]
        if gap > pi + 1e-6:
            out += _arc(centre, back + pi / 2, back + gap - pi / 2, radius)
        else:
            reach = radius / max(sin(gap / 2), 0.35)
            out.append(Point(centre.x + reach * cos(back + gap / 2), centre.y + reach * sin(back + gap / 2)))
        here, towards = towards, following
        if (here, towards) == start:
            return out


def _arc(centre: Point, start: float, end: float, radius: float) -> list[Point]:
    steps = max(2, ceil((end - start) / (pi / 12)))
    angles = [start + (end - start) * k / steps for k in range(steps + 1)]
    return [Point(centre.x + radius * cos(a), centre.y + radius * sin(a)) for a in angles]
