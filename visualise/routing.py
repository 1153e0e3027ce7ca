"""Lines between worlds: which ones are drawn, how they bend, and where their labels go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import cos, dist, pi, sin
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from visualise.geometry import (
    Box,
    Curve,
    Point,
    Positions,
    area,
    around,
    bowed,
    convex_hull,
    cut,
    inside_polygon,
    rounded,
    sampled,
    spanning_tree,
)
from visualise.structure import Structure

__all__ = ["EdgeChoice", "Outline", "Place", "Routed", "Triples", "hull_outlines", "route", "tree_of"]

EdgeChoice: TypeAlias = Literal["spanning", "full", "hulls"]
Triples: TypeAlias = frozenset[tuple[int, int, int]]  # (agent, world, world), all numbers

SPACING = 9.0  # between parallel lines, in their middle
CLEARANCE = 5.0  # between a line and a world that is not its end
LOOP = 25.0  # how far a loop reaches


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node stands and what it takes up: half extents, and whether it has round ends.

    `extra`: how far a ring lies outside it. `below`: the height of the text that belongs below it.
    """

    at: Point
    half: Point
    round: bool = True
    extra: float = 0.0
    below: float = 0.0

    def distance(self, points: Positions) -> npt.NDArray[np.float64]:
        """Return how far points lie outside the outline; negative inside."""
        x, y = np.abs(points[:, 0] - self.at.x), np.abs(points[:, 1] - self.at.y)
        if self.round:  # a disc, or the part of the plane around a straight line
            small = min(self.half.x, self.half.y)
            x, y = np.maximum(x - (self.half.x - small), 0), np.maximum(y - (self.half.y - small), 0)
            return np.hypot(x, y) - small - self.extra
        x, y = x - self.half.x - self.extra, y - self.half.y - self.extra
        return np.hypot(np.maximum(x, 0), np.maximum(y, 0)) + np.minimum(np.maximum(x, y), 0)


@dataclass(frozen=True, slots=True)
class Routed:
    """A line to be drawn for some agents (numbers), from node to node."""

    agents: tuple[int, ...]
    source: int
    target: int
    heads: tuple[bool, bool]
    curve: Curve
    bow: float


@dataclass(frozen=True, slots=True)
class Outline:
    """The outline around one class of an agent (a number)."""

    agent: int
    members: tuple[int, ...]
    points: tuple[Point, ...]


# --- which lines -----------------------------------------------------------------------------------


def tree_of(
    cell: Sequence[int], places: Sequence[Place], price: Callable[[int, int], float] | None = None
) -> list[tuple[int, int]]:
    """Return the lines that join the worlds of a class: a shortest tree that avoids other worlds.

    `price` is added to the length of a line: to have it for sure, or only where no other will do.
    """
    at = np.array([places[w].at for w in cell])
    length = np.linalg.norm(at[:, None] - at[None, :], axis=2)
    i, j = np.triu_indices(len(cell), 1)
    t = np.linspace(0, 1, 17)[:, None]
    points = (at[i][:, None, :] * (1 - t) + at[j][:, None, :] * t).reshape(-1, 2)
    blocked = np.zeros(len(i), bool)
    members = set(cell)
    for world, place in enumerate(places):
        if world not in members:
            blocked |= (place.distance(points) < CLEARANCE).reshape(len(i), -1).any(axis=1)
    added = np.where(blocked, 1.5 * length[i, j] + 40, 0.0)
    if price:
        added += [price(cell[a], cell[b]) for a, b in zip(i.tolist(), j.tolist(), strict=True)]
    length[i, j] += added
    length[j, i] = length[i, j]
    return [(cell[a], cell[b]) for a, b in spanning_tree(length)]


def _pairs(
    s: Structure,
    number: int,
    places: Sequence[Place],
    choice: EdgeChoice,
    alive: Triples | None,
    wanted: Triples,
) -> dict[tuple[int, int], tuple[bool, bool]]:
    """Return the lines of one agent: the two worlds, the smaller first, and their arrow heads."""
    ties = s.ties[number]
    grouped = ties.classes is not None or (choice == "spanning" and bool(ties.groups))
    marked = {(i, j) for agent, i, j in wanted if agent == number and i != j}
    out: dict[tuple[int, int], tuple[bool, bool]] = {}
    if grouped:
        lines = {(min(pair), max(pair)) for pair in marked}
        if choice == "full":
            lines = {pair for cell in ties.cells for pair in combinations(cell, 2)}
        elif choice == "spanning":

            def price(i: int, j: int) -> float:
                lost = alive is not None and (number, i, j) not in alive
                if (i, j) in lines or lost:
                    return 1e6 if lost else -1e6
                # of lines about as long, those are clearest that join worlds alike
                apart = int(np.count_nonzero(s.bits[i] != s.bits[j]))
                alike = 0.5 * max(0, min(apart, 3) - 1) * dist(places[i].at, places[j].at)
                return alike + _through_text(places[i], places[j])

            lines = lines.union(*[tree_of(cell, places, price) for cell in ties.cells if len(cell) > 1])
        inside = [set(cell) for cell in ties.cells]
        out = {pair: (False, False) for pair in sorted(lines) if any(set(pair) <= cell for cell in inside)}
    at = np.array([place.at for place in places])
    arrows = {*ties.entries(at), *(marked & ties.pairs)} if grouped else ties.pairs
    for i, j in sorted(arrows):
        pair = (min(i, j), max(i, j))
        if grouped and pair in out:
            continue  # a marked step inside a group
        back, forth = out.get(pair, (False, False))
        out[pair] = (back or i > j, forth or i < j)
    return out


def _through_text(a: Place, b: Place) -> float:
    """Return what speaks against a line that leaves the upper of two nodes through the text below it."""
    dx, dy = abs(a.at.x - b.at.x), abs(a.at.y - b.at.y)
    return 4 * max(a, b, key=lambda place: place.at.y).below if dx < 0.5 * dy else 0.0


# --- how they run ----------------------------------------------------------------------------------


def route(
    s: Structure,
    places: Sequence[Place],
    choice: EdgeChoice,
    *,
    merge: bool = False,
    alive: Triples | None = None,
    wanted: Triples = frozenset(),
) -> tuple[list[Routed], dict[int, tuple[int, ...]]]:
    """Return the lines, and for each world with a loop the agents (numbers) whose loop it is.

    With `merge`, agents whose lines would run side by side share one, unless one is lost and another
    not. Lines that are `wanted` are drawn even where others would do.
    """
    bundles: dict[tuple[int, int], dict[object, Routed]] = {}
    straight: Curve = ()
    for number in range(len(s.ties)):
        for (i, j), heads in _pairs(s, number, places, choice, alive, wanted).items():
            lost = alive is not None and not {(number, i, j), (number, j, i)} & alive
            key = (heads, lost) if merge else number
            bundle = bundles.setdefault((i, j), {})
            agents = bundle[key].agents if key in bundle else ()
            bundle[key] = Routed((*agents, number), i, j, heads, straight, 0.0)
    centre = Point(*np.mean([p.at for p in places], axis=0)) if places else Point(0, 0)
    found = []
    for (i, j), bundle in sorted(bundles.items()):
        half = SPACING * (len(bundle) - 1) / 2
        base = _base_bow(i, j, places, centre, half)
        for k, line in enumerate(bundle.values()):
            bow = base + half - SPACING * k
            curve = _clipped(bowed(places[i].at, places[j].at, bow), places[i], places[j], line.heads)
            found.append(replace(line, curve=curve, bow=bow))
    loops: dict[int, tuple[int, ...]] = {}
    for number, ties in enumerate(s.ties):
        alone = {cell[0] for cell in ties.groups if len(cell) == 1}
        crowded = choice == "spanning" and ties.groups
        for world in sorted(ties.loops & alone if crowded else ties.loops):
            loops[world] = (*loops.get(world, ()), number)
    return found, loops


def _base_bow(i: int, j: int, places: Sequence[Place], centre: Point, spread: float) -> float:
    """Return the smallest bend that keeps the lines between two worlds off all others."""
    start, end = places[i].at, places[j].at
    others = [p for k, p in enumerate(places) if k not in (i, j)]
    if not others:
        return 0.0
    # outward first: to the left if the middle of the picture is on the right
    turn = (end.x - start.x) * (centre.y - start.y) - (end.y - start.y) * (centre.x - start.x)
    outward = -1.0 if turn > 0 else 1.0
    best = (-np.inf, 0.0)
    for size in (0.0, 10.0, 16.0, 22.0, 29.0, 37.0, 46.0, 58.0, 72.0, 90.0):
        for bow in (outward * size, -outward * size) if size else (0.0,):
            points = sampled(bowed(start, end, bow), 25)
            room = min(float(p.distance(points).min()) for p in others) - spread
            if room >= CLEARANCE:
                return bow
            best = max(best, (room - 0.2 * size, bow))
    return best[1]


def _clipped(curve: Curve, source: Place, target: Place, heads: tuple[bool, bool]) -> Curve:
    """Cut a curve off at the outlines of its ends, with a little air before an arrow head."""
    points = sampled(curve, 129)
    t = np.linspace(0, 1, 129)
    start = t[source.distance(points) > 1.2 * heads[0]]
    end = t[target.distance(points) > 1.2 * heads[1]]
    if not len(start) or not len(end) or start[0] >= end[-1]:
        return curve
    return cut(curve, float(start[0]), float(end[-1]))


def loop(place: Place, angle: float, reach: float) -> Curve:
    """Return a loop at a node in a direction."""
    half = 0.42
    small = min(place.half.x, place.half.y) + place.extra
    lean = place.half.x - min(place.half.x, place.half.y)
    base = Point(place.at.x + lean * cos(angle), place.at.y)
    wide = 0.62
    ends = [Point(base.x + small * cos(a), base.y + small * sin(a)) for a in (angle - half, angle + half)]
    far = small + 1.32 * reach
    controls = [Point(base.x + far * cos(a), base.y + far * sin(a)) for a in (angle - wide, angle + wide)]
    return ends[0], controls[0], controls[1], ends[1]


# --- hulls -----------------------------------------------------------------------------------------


def hull_outlines(s: Structure, places: Sequence[Place], lines: Sequence[Box | None]) -> list[Outline]:
    """Return an outline for each class of two or more worlds, with the lines beside them; agents' are nested.

    It is a rectangle or convex where that encloses no other world, else it follows the tree of the
    class.
    """
    found = []
    at = np.array([p.at for p in places])
    drawn = [k for k, ties in enumerate(s.ties) if ties.classes is not None]
    for rank, number in enumerate(drawn):
        wide = 5.0 + 4.0 * (len(drawn) - 1 - rank)
        for cell in s.ties[number].classes or ():
            if len(cell) > 1:
                others = np.array([k for k in range(len(places)) if k not in set(cell)], int)
                points = _outline(cell, places, lines, at[others], wide)
                found.append(Outline(number, tuple(cell), tuple(points)))
    return found


def _outline(
    cell: Sequence[int], places: Sequence[Place], lines: Sequence[Box | None], others: Positions, wide: float
) -> list[Point]:
    rims = [_rim(places[w], wide) for w in cell]
    rims += [_rim(_place_of(box), 0.5 * wide) for w in cell if (box := lines[w])]
    corners = [Point(float(x), float(y)) for rim in rims for x, y in rim]
    outline = convex_hull(corners)
    extent = Box.union(Box(p.x, p.y, p.x, p.y) for p in corners)
    if len(cell) > 3 and extent.width * extent.height < 1.5 * area(outline):
        block = rounded(extent.centre, extent.width / 2, extent.height / 2, radius=18 + wide)
        if not inside_polygon(block, others).any():
            return block
    if not inside_polygon(outline, others).any():
        return outline
    number = {w: k for k, w in enumerate(cell)}
    edges = [(number[i], number[j]) for i, j in tree_of(cell, places)]
    radius = max(places[w].half.y + places[w].extra for w in cell) + wide
    return around([places[w].at for w in cell], edges, radius)


def _place_of(box: Box) -> Place:
    return Place(box.centre, Point(box.width / 2, box.height / 2), round=False)


def _rim(place: Place, wide: float) -> Positions:
    angles = np.linspace(0, 2 * pi, 48, endpoint=False)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    small = min(place.half.x, place.half.y) if place.round else 0.0
    radius = small + place.extra + wide
    lean = np.array([place.half.x - small, place.half.y - small])
    rim: Positions = np.array(place.at) + circle * radius + np.sign(np.round(circle, 9)) * lean
    return rim
