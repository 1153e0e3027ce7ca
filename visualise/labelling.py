"""Where texts and loops go: beside nodes and on lines, where nothing else stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import pi
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from visualise.geometry import Box, Curve, Point, inside_polygon, sampled
from visualise.routing import Place, loop

__all__ = ["DIRECTIONS", "Traces", "choose_sides", "label_spot", "loop_direction", "traces"]

Traces: TypeAlias = npt.NDArray[np.float64]  # points along lines, shape (lines, points, 2)


def traces(curves: Sequence[Curve]) -> Traces:
    """Return points along curves."""
    return np.array([sampled(curve, 41) for curve in curves]).reshape(-1, 41, 2)


def crossed(lines: Traces, box: Box) -> int:
    """Return how many lines run through a box."""
    x, y = lines[..., 0], lines[..., 1]
    inside = (x > box.left) & (x < box.right) & (y > box.bottom) & (y < box.top)
    return int(np.count_nonzero(inside.any(axis=1)))


DIRECTIONS = {"above": pi / 2, "left": pi, "right": 0.0, "below": -pi / 2}


def loop_direction(
    world: int,
    places: Sequence[Place],
    lines: Traces,
    reach: float,
    taken: Sequence[Box],
    room: Callable[[Box, float], Box],
) -> float:
    """Return the direction in which a loop has most room: above, left, right or below.

    `room`: what a loop takes with its label, from its extent and direction.
    """
    points = lines.reshape(-1, 2)
    best = (np.inf, 0.0)
    for rank, angle in enumerate(DIRECTIONS.values()):
        shape = sampled(loop(places[world], angle, reach), 17)
        own = Box(*shape.min(axis=0), *shape.max(axis=0))
        extent = room(own, angle)
        within = inside_polygon([Point(*p) for p in shape.tolist()], points).reshape(lines.shape[:2])
        hits = 1.5 * np.count_nonzero(within.any(axis=1)) + 0.5 * crossed(lines, extent)
        hits += 4 * sum(bool((p.distance(shape) < 3).any()) for k, p in enumerate(places) if k != world)
        hits += 4 * sum(extent.overlaps(box) for box in taken)
        best = min(best, (hits + 0.1 * rank, angle))
    return best[1]


# where lines of text may stand beside a node: direction, and what speaks against it
SIDES: Mapping[str, tuple[int, int, float]] = {
    "below": (0, -1, 0.0),
    "below right": (1, -1, 0.8),
    "below left": (-1, -1, 0.8),
    "above": (0, 1, 0.9),
    "right": (1, 0, 1.0),
    "left": (-1, 0, 1.0),
    "above right": (1, 1, 1.1),
    "above left": (-1, 1, 1.1),
}


def side_boxes(place: Place, width: float, height: float, gap: float) -> dict[str, Box]:
    """Return the box of a text on each side of a node."""
    x, y = place.at
    rx, ry = place.half.x + place.extra, place.half.y + place.extra
    out = {}
    for name, (dx, dy, _) in SIDES.items():
        if dx and dy:  # tucked into the corner of a round node
            left = x + dx * 0.72 * rx - (width if dx < 0 else 0)
            bottom = y + dy * (0.72 * ry + gap) - (height if dy < 0 else 0)
        elif dx:
            left, bottom = x + dx * (rx + gap) - (width if dx < 0 else 0), y - height / 2
        else:
            left, bottom = x - width / 2, y + dy * (ry + gap) - (height if dy < 0 else 0)
        out[name] = Box(left, bottom, left + width, bottom + height)
    return out


def choose_sides(
    places: Sequence[Place],
    sizes: Sequence[tuple[float, float]],
    lines: Traces,
    taken: Sequence[Box],
    gap: float,
) -> list[tuple[str, Box] | None]:
    """Return the side and the box for the text of each node (None where it has none).

    Everything starts below its node, where the arrangement left room; a text moves where fewer lines
    run through it and nothing else stands.
    """
    options = [side_boxes(p, *size, gap) if size[0] else {} for p, size in zip(places, sizes, strict=True)]
    chosen = ["below" if o else "" for o in options]
    nodes = [Box.at(p.at, p.half.x + p.extra, p.half.y + p.extra) for p in places]
    for _ in range(2):
        for k, own in enumerate(options):
            if not own:
                continue
            others = [o[c] for m, (o, c) in enumerate(zip(options, chosen, strict=True)) if c and m != k]
            blocked = [*(b for m, b in enumerate(nodes) if m != k), *others, *taken]
            best = (np.inf, chosen[k])
            for side, box in own.items():
                if side != "below" and any(box.grown(2).overlaps(b) for b in blocked):
                    continue
                hits = crossed(lines, box.grown(0.5))
                hits += 3 * any(box.overlaps(b) for b in taken)
                best = min(best, (2.0 * hits + SIDES[side][2], side))
            chosen[k] = best[1]
    return [(c, o[c]) if c else None for o, c in zip(options, chosen, strict=True)]


def label_spot(curve: Curve, width: float, height: float, taken: Sequence[Box], others: Traces) -> Point:
    """Return the centre of an edge's label: on the line, near its middle, where nothing else stands.

    `others`: the other lines, better avoided.
    """
    best = (np.inf, Point(0, 0))
    points = sampled(curve, 101)
    for rank, t in enumerate((0.5, 0.42, 0.58, 0.35, 0.65, 0.28, 0.72)):
        spot = Point(*map(float, points[round(100 * t)]))
        box = Box.at(spot, width / 2 + 1.5, height / 2 + 1)
        hits = 10.0 * sum(box.overlaps(b) for b in taken)
        hits += 2.5 * crossed(others, box)
        best = min(best, (hits + rank, spot))
    return best[1]
