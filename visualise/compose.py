"""From items (worlds or events) and their relations to a `Scene`."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from visualise.edges import Look, edges_of
from visualise.geometry import Box, Point, Positions
from visualise.labelling import choose_sides, traces
from visualise.palette import INK, PAPER
from visualise.routing import LOOP, Place, hull_outlines
from visualise.scene import RING, Anchor, Hull, Label, Node, Scene, Shape
from visualise.structure import Structure
from visualise.text import Text, elided, plain, width_of, wrapped

__all__ = ["Item", "boxes_of", "compose"]

NAME_SIZE = 11.0
LINE_SIZE = 9.5
RADIUS = 15.0
AIR = 4.0  # between a node and the lines beside it
_LINE_HEIGHT = 12.0
_MOST_LINES = 4
_LONGEST_NAME = 22
_WIDEST_IN_CIRCLE = 31.0  # wider names get a node with straight sides


@dataclass(frozen=True, slots=True)
class Item:
    """A node before it has a place: its name, what is written beside it, and how it looks.

    `parts`: the pieces written beside it, one to a line if `stacked`, else as many as fit.
    """

    world: Hashable
    name: str
    parts: tuple[Text, ...] = ()
    shape: Shape = "round"
    ring: bool = False
    fill: str = PAPER
    stroke: str = INK
    scale: float = 1.0
    title: str = ""
    accent: bool = False
    stacked: bool = False


def _halves(items: Sequence[Item]) -> list[Point]:
    widest = max((width_of(plain(elided(i.name, _LONGEST_NAME)), NAME_SIZE) for i in items), default=0.0)
    if widest <= _WIDEST_IN_CIRCLE:
        radius = max(RADIUS, widest / 2 + 3.6)
        return [Point(radius * item.scale, radius * item.scale) for item in items]
    straight = widest / 2 + 7 - RADIUS  # half of the straight side
    return [Point(straight + RADIUS * item.scale, RADIUS * item.scale) for item in items]


def _lines(items: Sequence[Item], halves: Sequence[Point]) -> list[tuple[Text, ...]]:
    width = max([84.0, *(2 * h.x for h in halves)])
    return [
        item.parts if item.stacked else wrapped(item.parts, LINE_SIZE, width, _MOST_LINES) for item in items
    ]


def _size(lines: Sequence[Text]) -> tuple[float, float]:
    if not lines:
        return 0.0, 0.0
    return max(width_of(line, LINE_SIZE) for line in lines), _LINE_HEIGHT * len(lines)


def boxes_of(items: Sequence[Item], s: Structure) -> list[Box]:
    """Return the room each item needs around its centre: the node, the lines below it, a loop above."""
    halves = _halves(items)
    looped = set[int]().union(*(ties.loops for ties in s.ties)) if s.ties else set[int]()
    out = []
    for k, (half, lines) in enumerate(zip(halves, _lines(items, halves), strict=True)):
        width, height = _size(lines)
        ring = RING if items[k].ring else 0.0
        side = max(half.x + ring, width / 2)
        out.append(
            Box(
                -side,
                -half.y - ring - (height + AIR if height else 0),
                side,
                half.y + ring + LOOP * (k in looped),
            )
        )
    return out


def compose(items: Sequence[Item], s: Structure, place: Positions, look: Look) -> Scene:
    """Return the scene of items at their positions, without legend and notes."""
    halves = _halves(items)
    texts = _lines(items, halves)
    places = [
        Place(Point(float(x), float(y)), half, item.shape == "round", RING if item.ring else 0.0, _size(t)[1])
        for (x, y), half, item, t in zip(place, halves, items, texts, strict=True)
    ]
    edges, taken = edges_of(s, places, look)
    curves = [edge.curve for edge in edges if edge.source != edge.target]
    spots = choose_sides(places, [_size(t) for t in texts], traces(curves), taken, AIR)
    nodes = []
    for k, (item, p, lines, spot) in enumerate(zip(items, places, texts, spots, strict=True)):
        name = plain(elided(item.name, _LONGEST_NAME))
        label = Label(name, Point(p.at.x, p.at.y - 0.36 * NAME_SIZE), NAME_SIZE, colour=item.stroke)
        side, placed = ("below", ()) if spot is None else (spot[0], _set(lines, *spot, item.stroke))
        nodes.append(
            Node(
                f"w{k}", item.world, label, p.at, p.half, item.shape, item.ring, item.fill, item.stroke,
                placed, side, item.title, item.accent,
            )
        )  # fmt: skip
    hulls: tuple[Hull, ...] = ()
    if look.edges == "hulls":
        hulls = tuple(
            Hull(s.ties[o.agent].agent, o.members, o.points, look.pens[o.agent])
            for o in hull_outlines(s, places, [spot and spot[1] for spot in spots])
        )
    return Scene(tuple(nodes), tuple(edges), hulls, agents=tuple(ties.agent for ties in s.ties))


def _set(lines: Sequence[Text], side: str, box: Box, colour: str) -> tuple[Label, ...]:
    """Set lines into a box: flush with the node where they stand at its side, else centred."""
    anchor: Anchor
    if "right" in side:
        anchor, x = "start", box.left
    elif "left" in side:
        anchor, x = "end", box.right
    else:
        anchor, x = "middle", box.centre.x
    first = box.top - 0.5 * _LINE_HEIGHT - 0.36 * LINE_SIZE
    return tuple(
        Label(line, Point(x, first - k * _LINE_HEIGHT), LINE_SIZE, anchor, colour)
        for k, line in enumerate(lines)
    )
