"""A picture as data: what to draw and where, before any format.

A `Scene` is computed once and written by thin writers (matplotlib, SVG, TikZ, DOT, HTML). Lengths
are in points, as on paper; the y axis points up.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from visualise.geometry import Box, Curve, Point
from visualise.palette import INK, MUTED, Pen
from visualise.text import Text, width_of

__all__ = ["Anchor", "Edge", "Entry", "Hull", "Label", "Node", "Scene", "Shape", "beside"]

Anchor: TypeAlias = Literal["start", "middle", "end"]
Shape: TypeAlias = Literal["round", "square"]


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text; `at` is on its baseline, at its start, middle or end as `anchor` says."""

    text: Text
    at: Point
    size: float
    anchor: Anchor = "middle"
    colour: str = INK

    @property
    def box(self) -> Box:
        """The place the text takes."""
        width = width_of(self.text, self.size)
        left = self.at.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor] * width
        return Box(left, self.at.y - 0.25 * self.size, left + width, self.at.y + 0.78 * self.size)

    def moved(self, by: Point) -> Label:
        """Return the same text somewhere else."""
        return replace(self, at=Point(self.at.x + by.x, self.at.y + by.y))


@dataclass(frozen=True, slots=True)
class Node:
    """A world (round) or an event (square).

    `key`: a name unique in the scene, made of letters and digits. `world`: the name in the model.
    `half`: half its width and height; a round one that is not a circle has round ends. `ring`:
    drawn double, for designated ones. `lines`: what stands beside it, on which `side`. `title`: all
    there is to say about it, in words.
    """

    key: str
    world: Hashable
    label: Label
    position: Point
    half: Point
    shape: Shape = "round"
    ring: bool = False
    fill: str = "#FFFFFF"
    stroke: str = INK
    lines: tuple[Label, ...] = ()
    side: str = "below"
    title: str = ""
    accent: bool = False

    @property
    def box(self) -> Box:
        """The place of the node without its lines."""
        return Box.at(self.position, self.half.x, self.half.y).grown(RING if self.ring else 0)

    @property
    def label_box(self) -> Box | None:
        """The place of the lines beside it."""
        return Box.union(line.box for line in self.lines) if self.lines else None

    def moved(self, by: Point) -> Node:
        """Return the node somewhere else, with all that belongs to it."""
        return replace(
            self,
            position=Point(self.position.x + by.x, self.position.y + by.y),
            label=self.label.moved(by),
            lines=tuple(line.moved(by) for line in self.lines),
        )


CORNER = 2.0  # radius of the corners of a square node
RING = 3.2  # how far the second outline of a designated world lies outside the first


@dataclass(frozen=True, slots=True)
class Edge:
    """A line between two nodes (numbers in the scene), or from a node to itself.

    `agents`: whose. `curve`: a Bézier curve, already cut off at the nodes. `heads`: whether there is
    an arrow head at its start and at its end. `bow`: how far it leaves the straight line.
    """

    agents: tuple[str, ...]
    source: int
    target: int
    curve: Curve
    heads: tuple[bool, bool]
    pen: Pen
    bow: float = 0.0
    label: Label | None = None
    accent: bool = False

    def moved(self, by: Point, count: int) -> Edge:
        """Return the edge somewhere else, its nodes numbered from `count`."""
        return replace(
            self,
            source=self.source + count,
            target=self.target + count,
            curve=tuple(Point(p.x + by.x, p.y + by.y) for p in self.curve),
            label=self.label.moved(by) if self.label else None,
        )


@dataclass(frozen=True, slots=True)
class Hull:
    """An outline around the worlds (numbers in the scene) of one class of an agent."""

    agent: str
    members: tuple[int, ...]
    outline: tuple[Point, ...]
    pen: Pen

    def moved(self, by: Point, count: int) -> Hull:
        """Return the hull somewhere else, its nodes numbered from `count`."""
        return replace(
            self,
            members=tuple(m + count for m in self.members),
            outline=tuple(Point(p.x + by.x, p.y + by.y) for p in self.outline),
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the legend: a sample (a line, or a patch filled with `fill`) and what it stands for."""

    label: Label
    at: Point
    pen: Pen | None = None
    fill: str | None = None
    agent: str | None = None
    heads: bool = False

    @property
    def box(self) -> Box:
        """The place of the sample and its text."""
        return Box.union([self.label.box, Box.at(self.at, SAMPLE / 2, 5)])

    def moved(self, by: Point) -> Entry:
        """Return the entry somewhere else."""
        return replace(self, at=Point(self.at.x + by.x, self.at.y + by.y), label=self.label.moved(by))


SAMPLE = 24.0  # the length of a sample in the legend


@dataclass(frozen=True, slots=True)
class Scene:
    """All there is to draw.

    `notes`: caption and headings. `title`: what the picture is called; `description`: what it
    shows, in words, for those who cannot see it. `agents`: those whose relations are drawn.
    """

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    hulls: tuple[Hull, ...] = ()
    legend: tuple[Entry, ...] = ()
    notes: tuple[Label, ...] = ()
    title: str = ""
    description: str = ""
    agents: tuple[str, ...] = ()

    @property
    def body(self) -> Box:
        """The place of nodes, edges and hulls, without legend and notes."""
        boxes = [node.box for node in self.nodes]
        boxes += [box for node in self.nodes if (box := node.label_box)]
        boxes += [_extent(edge.curve) for edge in self.edges]
        boxes += [edge.label.box for edge in self.edges if edge.label]
        boxes += [_extent(hull.outline) for hull in self.hulls]
        return Box.union(boxes)

    @property
    def box(self) -> Box:
        """The place of everything, with a margin."""
        parts = [self.body] if self.nodes else []
        parts += [entry.box for entry in self.legend] + [note.box for note in self.notes]
        return Box.union(parts).grown(MARGIN)

    @property
    def positions(self) -> dict[Hashable, Point]:
        """Where each world is."""
        return {node.world: node.position for node in self.nodes}

    def moved(self, by: Point) -> Scene:
        """Return the scene somewhere else."""
        return replace(
            self,
            nodes=tuple(node.moved(by) for node in self.nodes),
            edges=tuple(edge.moved(by, 0) for edge in self.edges),
            hulls=tuple(hull.moved(by, 0) for hull in self.hulls),
            legend=tuple(entry.moved(by) for entry in self.legend),
            notes=tuple(note.moved(by) for note in self.notes),
        )


MARGIN = 10.0


def _extent(curve: Sequence[Point]) -> Box:
    xs, ys = [p.x for p in curve], [p.y for p in curve]
    return Box(min(xs), min(ys), max(xs), max(ys)).grown(1)


def beside(scenes: Sequence[Scene], headings: Sequence[str], *, gap: float = 42.0) -> Scene:
    """Return the scenes in a row, centred on one line, each under its heading; without their legends.

    The keys of nodes get the number of their scene as a prefix.
    """
    from visualise.text import plain

    top = max(scene.body.height for scene in scenes) / 2
    left = 0.0
    nodes: list[Node] = []
    edges: list[Edge] = []
    hulls: list[Hull] = []
    notes: list[Label] = []
    for number, (scene, heading) in enumerate(zip(scenes, headings, strict=True)):
        body = scene.body
        text = plain(heading, "bold")
        width = max(body.width, width_of(text, 11))
        by = Point(left + width / 2 - body.centre.x, -body.centre.y)
        count = len(nodes)
        nodes += [replace(node.moved(by), key=f"s{number}{node.key}") for node in scene.nodes]
        edges += [edge.moved(by, count) for edge in scene.edges]
        hulls += [hull.moved(by, count) for hull in scene.hulls]
        notes.append(Label(text, Point(left + width / 2, top + 18), 11, colour=MUTED))
        left += width + gap
    agents = dict.fromkeys(agent for scene in scenes for agent in scene.agents)
    description = " ".join(f"{h}: {s.description}" for h, s in zip(headings, scenes, strict=True))
    return Scene(
        tuple(nodes),
        tuple(edges),
        tuple(hulls),
        (),
        tuple(notes),
        " · ".join(headings),
        description,
        tuple(agents),
    )
