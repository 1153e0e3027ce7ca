"""Arrow heads as triangles, so that all outputs draw the same ones."""

from __future__ import annotations

from visualise.geometry import Point, cut, sampled
from visualise.scene import Edge

__all__ = ["arrows"]

HEAD = 7.5  # length of an arrow head


def arrows(edge: Edge) -> tuple[tuple[Point, ...], list[tuple[Point, ...]]]:
    """Return the line of an edge, shortened where a head covers it, and the heads as triangles."""
    curve = edge.curve
    heads: list[tuple[Point, ...]] = []
    points = sampled(curve, 101)
    start, end = 0.0, 1.0
    for at_end, wanted in zip((False, True), edge.heads, strict=True):
        if not wanted:
            continue
        ordered = points[::-1] if at_end else points
        tip = ordered[0]
        apart = ((ordered - tip) ** 2).sum(axis=1) ** 0.5
        k = int((apart < HEAD).argmin()) or 1
        foot = ordered[k]
        along = (tip - foot) / (((tip - foot) ** 2).sum() ** 0.5 or 1.0)
        foot = tip - HEAD * along
        side = Point(-along[1] * HEAD * 0.4, along[0] * HEAD * 0.4)
        heads.append(
            (
                Point(float(tip[0]), float(tip[1])),
                Point(float(foot[0] + side.x), float(foot[1] + side.y)),
                Point(float(foot[0] - side.x), float(foot[1] - side.y)),
            )
        )
        inner = int((apart < 0.7 * HEAD).argmin()) / 100
        if at_end:
            end = 1 - inner
        else:
            start = inner
    return (cut(curve, start, end) if start < end else curve), heads
