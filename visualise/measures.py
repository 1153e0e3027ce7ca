"""Quality of a picture, by what can be counted in it: fewer crossings, bends and overlaps read better.

Purchase 1997 ranks the crossings of lines by far first among the properties that hinder readers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import dist, sqrt

from visualise.geometry import Point, Rect, SpatialIndex, crossing, inside_polygon, near_curve, sampled
from visualise.routing import BARELY, striking, traces
from visualise.scene import Edge, Hull, Scene

OVERLAP = 20.0  # what an overlap costs
_SLIGHT = 10.0  # lines with a smaller bow run beside another, or seem straight
_SHORT = 11.0  # a line with a head needs to be longer
_LEVEL = 5.0  # lines that rise by less are level
_INSIDE = -0.5  # a line this far inside an outline passes behind the world


@dataclass(frozen=True, slots=True)
class Measures:
    """The counts of features that make a picture hard to read.

    `crossings`: of two lines without a common end, or of a line and an outline. `behind`: pairs of a line
    and a world that it passes behind. `bends`: lines that go round a world. `overlaps`: of worlds and texts
    with each other. `struck`: texts crossed by lines or outlines. `upward`: arrows that lead up, against the
    reading direction. `lines`: the number of lines without loops.
    """

    crossings: int
    behind: int
    bends: int
    overlaps: int
    struck: int
    upward: int
    lines: int

    @property
    def faults(self) -> int:
        """The number of things that hide each other."""
        return self.behind + self.overlaps + self.struck

    @property
    def cost(self) -> float:
        """The cost of these features; one line behind a world outweighs any other fault."""
        share = sqrt(max(self.lines, 1))
        return (
            200.0 * self.behind
            + OVERLAP * self.overlaps
            + (5.0 * self.crossings + 1.5 * self.bends + 6.0 * self.struck + 2.0 * self.upward) / share
        )


def measured(scene: Scene) -> Measures:
    """Return the measures of a scene."""
    lines = [edge for edge in scene.edges if edge.source != edge.target]
    texts = [box for node in scene.nodes if (box := node.label_box)]
    return Measures(
        crossings=_crossings(lines) + sum(_pierced(edge, hull) for edge in lines for hull in scene.hulls),
        behind=len(behind(scene)),
        bends=sum(abs(edge.bow) > _SLIGHT for edge in lines),
        overlaps=_overlaps(scene, texts),
        struck=len(struck(scene)),
        upward=sum(_leads_up(edge) for edge in lines),
        lines=len(lines),
    )


def behind(scene: Scene) -> list[tuple[int, int]]:
    """Return pairs of a line and a world that it passes behind without belonging to it, by number."""
    found = []
    field = SpatialIndex([node.box for node in scene.nodes])
    for line, edge in enumerate(scene.edges):
        if edge.source == edge.target:
            continue
        ends = edge.source, edge.target
        within = field.near(Rect.of(edge.curve).grown(0.1))
        near = [number for number in near_curve(edge.curve, field.boxes, within) if number not in ends]
        points = sampled(edge.curve, 65) if near else ()
        found += [
            (line, number) for number in near if min(map(scene.nodes[number].distance, points)) < _INSIDE
        ]
    return found


def struck(scene: Scene) -> list[int]:
    """Return the numbers of the worlds whose texts lines or outlines strike."""
    lines = traces(edge for edge in scene.edges if edge.source != edge.target)
    return [
        number
        for number, node in enumerate(scene.nodes)
        if (box := node.label_box) and (striking(lines, box.grown(BARELY)) or _cut(box, scene.hulls))
    ]


def _crossings(lines: Sequence[Edge]) -> int:
    """Count the pairs of lines that cross and have no common end."""
    ways = sorted(((Rect.of(edge.curve), edge, _way(edge)) for edge in lines), key=lambda way: way[0].left)
    count = 0
    for number, (box, edge, way) in enumerate(ways, 1):
        ends = edge.source, edge.target
        for other, another, its in ways[number:]:
            if other.left > box.right:
                break
            if other.bottom > box.top or other.top < box.bottom:
                continue
            if another.source in ends or another.target in ends:
                continue
            count += any(crossing(*one, *two) for one in way for two in its)
    return count


def _pierced(edge: Edge, hull: Hull) -> int:
    """Return how often a line crosses an outline for nothing: more than it must to reach its ends."""
    if not Rect.of(edge.curve).overlaps(Rect.of(hull.outline)):
        return 0
    inside = list(map(inside_polygon(hull.outline), sampled(edge.curve, 17)))
    needed = (edge.source in hull.members) != (edge.target in hull.members)
    return max(0, sum(a != b for a, b in pairwise(inside)) - needed)


def entwined(scene: Scene) -> int:
    """Count the pairs of outlines that cross, instead of lying apart or within each other."""
    shapes = [hull.outline for hull in scene.hulls]
    pairs = [(a, b) for a, b in combinations(shapes, 2) if Rect.of(a).overlaps(Rect.of(b))]
    return sum(_divides(a, b) and _divides(b, a) for a, b in pairs)


def _divides(outline: Sequence[Point], spots: Iterable[tuple[float, float]]) -> bool:
    """Return whether some of the points are inside an outline and some outside."""
    return len(set(map(inside_polygon(outline), spots))) > 1


def _cut(text: Rect, hulls: Sequence[Hull]) -> bool:
    """Return whether an outline runs through a text."""
    near = (hull.outline for hull in hulls if text.overlaps(Rect.of(hull.outline)))
    return any(_divides(outline, _rim(text)) for outline in near)


def _leads_up(edge: Edge) -> bool:
    """Return whether a line is a one-way arrow that leads up."""
    back, forth = edge.heads
    return (forth - back) * (edge.curve[-1].y - edge.curve[0].y) > _LEVEL


def _way(edge: Edge) -> list[tuple[Point, Point]]:
    """Return a line as straight pieces."""
    count = 2 if abs(edge.bow) < 0.1 else 9
    return list(pairwise(Point(*spot) for spot in sampled(edge.curve, count)))


def _overlaps(scene: Scene, texts: Sequence[Rect]) -> int:
    """Count overlaps of worlds with each other, of texts with each other and with worlds, and mere heads."""
    boxes = [node.box for node in scene.nodes]
    labels = [edge.label.box for edge in scene.edges if edge.label]
    both = sum(a.overlaps(b) for group in (boxes, [*texts, *labels]) for a, b in combinations(group, 2))
    both += sum(label.overlaps(box) for label in labels for box in boxes)
    both += sum(dist(line.curve[0], line.curve[-1]) < _SHORT for line in scene.edges if any(line.heads))
    return both + sum(
        node.box.overlaps(text) and min(node.distance(spot) for spot in _rim(text)) < 0
        for text in texts
        for node in scene.nodes
    )


def _rim(box: Rect) -> list[tuple[float, float]]:
    return [(x, y) for x in (box.left, box.centre.x, box.right) for y in (box.bottom, box.centre.y, box.top)]
