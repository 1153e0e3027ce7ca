"""Pictures as data: objects with their positions, independent of any format.

A `Scene` is computed once and written by thin writers (matplotlib, SVG, TikZ, DOT, HTML). Lengths are in
points; the y axis points up.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import dist, hypot, inf
from typing import Literal, TypeAlias

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.drawing import drawer
from kripke_werewolf.base.reports.documents import Figure
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.logic.models import KripkeModel
from visualise.geometry import ORIGIN, Curve, Point, Rect, cut, sampled
from visualise.palette import INK, MUTED, PAPER, Pen
from visualise.text import Style, Text, plain, rows_of, text_of, width_of

_Anchor: TypeAlias = Literal["start", "middle", "end"]
_Shape: TypeAlias = Literal["round", "square"]

# the sides of a node for its lines: the direction, and a penalty
SIDES: dict[str, tuple[int, int, float]] = {
    "below": (0, -1, 0.0),
    "below right": (1, -1, 0.8),
    "below left": (-1, -1, 0.8),
    "above": (0, 1, 0.9),
    "right": (1, 0, 1.0),
    "left": (-1, 0, 1.0),
    "above right": (1, 1, 1.1),
    "above left": (-1, 1, 1.1),
}
# where lines at the left, in the middle and at the right are anchored
_ANCHORS: dict[int, _Anchor] = {-1: "end", 0: "middle", 1: "start"}

# font sizes: in a node, beside it, on a line and in the legend, in the caption, in the heading
NAME_SIZE, LINE_SIZE, LABEL_SIZE, _NOTE_SIZE, _HEADING_SIZE = 11.0, 9.5, 10.0, 9.5, 11.0
_LINE_HEIGHT = 12.0  # of the lines beside a node
NAME_LINE = 13.0  # and of those inside
AIR = 4.0  # between a node and the lines beside it
_CORNER = 2.0  # radius of the corners of a square node
RING = 3.2  # how far the second outline of a designated world lies outside the first
_HEAD = 7.5  # length of an arrow head
_SAMPLE = 24.0  # length of a sample in the legend
MARGIN = 10.0  # around everything


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text; `at` is on its baseline, at its start, middle or end according to `anchor`."""

    text: Text
    at: Point
    size: float
    anchor: _Anchor = "middle"
    colour: str = INK

    @property
    def box(self) -> Rect:
        """The box of the text."""
        width = width_of(self.text, self.size)
        left = self.at.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor] * width
        return Rect(left, self.at.y - 0.25 * self.size, left + width, self.at.y + 0.78 * self.size)

    @property
    def ground(self) -> Rect:
        """The box to blank behind text on a line."""
        left, bottom, right, top = self.box
        return Rect(left - 1, bottom, right + 1, top)

    def moved(self, by: Point) -> Label:
        """Return the text moved."""
        return replace(self, at=self.at.moved(by))


@dataclass(frozen=True, slots=True)
class Sign:
    """An icon in a node: what it is about, which of these atoms are true there, and its parts.

    `shapes`: polygons with their fills, outlined in the colour of the node.
    """

    about: tuple[str, ...]
    true: tuple[str, ...]
    shapes: tuple[tuple[tuple[Point, ...], str], ...]
    labels: tuple[Label, ...]

    def moved(self, by: Point, ink: str = INK) -> Sign:
        """Return the icon moved, with black texts in a colour."""
        shapes = tuple((tuple(p.moved(by) for p in corners), fill) for corners, fill in self.shapes)
        labels = (replace(label.moved(by), colour=label.colour.replace(INK, ink)) for label in self.labels)
        return replace(self, shapes=shapes, labels=tuple(labels))


@dataclass(frozen=True, slots=True)
class Node:
    """A world (round) or an event (square), from the first sketch to the finished page.

    `key`: a name unique in the scene, made of letters and digits. `world`: the name in the model. `name`: the
    text inside. `half`: half its width and height; a round node that is not a circle has round ends. `texts`:
    the lines beside it; `side`: their side, one of `SIDES`. `ring`: drawn double, for designated worlds.
    `title`: a full description in words. `accent`: whether it is on the path of an explanation. `position`:
    the centre, initially the origin. `signs`: icons inside, around the origin; the name is then beside it.
    """

    key: str
    world: Hashable
    name: Text
    half: Point
    texts: tuple[Text, ...] = ()
    shape: _Shape = "round"
    ring: bool = False
    fill: str = PAPER
    stroke: str = INK
    title: str = ""
    accent: bool = False
    position: Point = ORIGIN
    side: str = "below"
    signs: tuple[Sign, ...] = ()

    @property
    def kind(self) -> str:
        """Its shape in a word or two: an event, or a world, perhaps a wide one."""
        if self.shape == "square":
            return "event"
        return "world" if self.half.x == self.half.y else "wide world"

    @property
    def placed_signs(self) -> tuple[Sign, ...]:
        """The positioned icons."""
        return tuple(sign.moved(self.position, self.stroke) for sign in self.signs)

    @property
    def extent(self) -> Point:
        """Half the width and height, including the ring."""
        ring = RING if self.ring else 0.0
        return Point(self.half.x + ring, self.half.y + ring)

    @property
    def box(self) -> Rect:
        """The box of the node without the lines beside it."""
        return Rect.at(self.position, *self.extent)

    def corner(self, across: float, up: float) -> float:
        """Return the radius of the corners of an outline with this half width and height."""
        return min(across, up) if self.shape == "round" else _CORNER

    @property
    def labels(self) -> tuple[Label, ...]:
        """The positioned lines of the name."""
        lines = text_of(self.name).split("\n")
        first = -0.36 * NAME_SIZE + NAME_LINE * (len(lines) - 1) / 2
        return tuple(
            Label(
                plain(line),
                self.position.moved(Point(0, first - NAME_LINE * k)),
                NAME_SIZE,
                colour=self.stroke,
            )
            for k, line in enumerate(lines)
        )

    @property
    def lines(self) -> tuple[Label, ...]:
        """The positioned lines beside it: aligned to the node at its sides, else centred."""
        if not self.texts:
            return ()
        box = self.beside(self.side)
        across, *_ = SIDES[self.side]
        x = {-1: box.right, 0: box.centre.x, 1: box.left}[across]
        first = box.top - 0.5 * _LINE_HEIGHT - 0.36 * LINE_SIZE
        return tuple(
            Label(text, Point(x, first - k * _LINE_HEIGHT), LINE_SIZE, _ANCHORS[across], self.stroke)
            for k, text in enumerate(self.texts)
        )

    @property
    def label_box(self) -> Rect | None:
        """The box of the lines beside it."""
        return Rect.union(line.box for line in self.lines) if self.texts else None

    @property
    def text_size(self) -> tuple[float, float]:
        """Width and height of the lines beside it."""
        width = max((width_of(text, LINE_SIZE) for text in self.texts), default=0.0)
        return width, _LINE_HEIGHT * len(self.texts)

    def beside(self, side: str) -> Rect:
        """Return the box of the lines if they were on a side."""
        width, height = self.text_size
        dx, dy, _ = SIDES[side]
        x, y = self.position
        rx, ry = self.extent
        if dx and dy:  # tucked into the corner of a round node
            corner = 0.72 if self.shape == "round" else 1.0
            x, y = x + dx * 0.72 * rx, y + dy * (corner * ry + AIR)
        else:
            x, y = x + dx * (rx + AIR), y + dy * (ry + AIR)
        left, bottom = x + (dx - 1) * width / 2, y + (dy - 1) * height / 2
        return Rect(left, bottom, left + width, bottom + height)

    def distance(self, spot: tuple[float, float]) -> float:
        """Return the distance of a point from the outline; negative inside."""
        (middle_x, middle_y), (half_x, half_y) = self.position, self.half
        x, y = abs(spot[0] - middle_x), abs(spot[1] - middle_y)
        if self.shape == "round":  # a disc, or the part of the plane around a straight line
            small = half_x if half_x < half_y else half_y
            straight, upright = x - half_x + small, y - half_y + small
            far = hypot(straight if straight > 0 else 0.0, upright if upright > 0 else 0.0)
            return far - small - (RING if self.ring else 0.0)
        rx, ry = self.extent
        return hypot(max(x - rx, 0.0), max(y - ry, 0.0)) + min(max(x - rx, y - ry), 0.0)

    def moved(self, by: Point) -> Node:
        """Return the node moved."""
        return replace(self, position=self.position.moved(by))


@dataclass(frozen=True, slots=True)
class Edge:
    """A line between two nodes (numbers in the scene), or from a node to itself.

    `agents`: its agents. `curve`: a Bézier curve, already cut off at the nodes. `heads`: whether there is an
    arrow head at its start and at its end. `bow`: its deviation from the straight line. `accent`: whether it
    is on the path of an explanation.
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

    def arrows(self) -> tuple[Curve, list[tuple[Point, Point, Point]]]:
        """Return the curve, shortened under heads, and the heads as triangles."""
        if not any(self.heads):
            return self.curve, []
        points = sampled(self.curve, 101)
        ends = [0.0, 1.0]
        heads = []
        for end, wanted in enumerate(self.heads):
            if not wanted:
                continue
            inward = points[::-1] if end else points
            tip = inward[0]
            foot = next((p for p in inward if dist(p, tip) >= _HEAD), inward[1])
            far = dist(foot, tip) or 1.0
            ux, uy = _HEAD * (tip[0] - foot[0]) / far, _HEAD * (tip[1] - foot[1]) / far
            x, y = tip[0] - ux, tip[1] - uy
            heads.append((Point(*tip), Point(x - 0.4 * uy, y + 0.4 * ux), Point(x + 0.4 * uy, y - 0.4 * ux)))
            covered = next((k for k, p in enumerate(inward) if dist(p, tip) >= 0.7 * _HEAD), 0) / 100
            ends[end] = 1 - covered if end else covered
        start, stop = ends
        return (cut(self.curve, start, stop) if start < stop else self.curve), heads

    def moved(self, by: Point, count: int) -> Edge:
        """Return the edge moved, with nodes numbered from `count`."""
        return replace(
            self,
            source=self.source + count,
            target=self.target + count,
            curve=tuple(p.moved(by) for p in self.curve),
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
        """Return the hull moved, with nodes numbered from `count`."""
        members = tuple(m + count for m in self.members)
        return replace(self, members=members, outline=tuple(p.moved(by) for p in self.outline))


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A line of the legend: a sample (a line, or a patch filled with `fill`) and its meaning.

    `at`: the middle of the sample. `colour`: the colour of the text.
    """

    text: Text
    pen: Pen | None = None
    fill: str | None = None
    agent: str | None = None
    heads: bool = False
    at: Point = ORIGIN
    colour: str = INK

    @property
    def label(self) -> Label:
        """The text beside the sample."""
        start = self.at.moved(Point(_SAMPLE / 2 + 5, -0.36 * LABEL_SIZE))
        return Label(self.text, start, LABEL_SIZE, "start", self.colour)

    @property
    def line(self) -> tuple[Point, Point]:
        """The ends of the sample."""
        return self.at.moved(Point(-_SAMPLE / 2, 0)), self.at.moved(Point(_SAMPLE / 2, 0))

    @property
    def patch(self) -> Rect:
        """The box of the sample of a fill."""
        return Rect.at(self.at, _SAMPLE / 2 - 4, 5)

    @property
    def box(self) -> Rect:
        """The box of the sample and its text."""
        return Rect.union([self.label.box, Rect.at(self.at, _SAMPLE / 2, 5)])


UNREAD = "it shows more, or something else, than one model"


@dataclass(frozen=True, slots=True, repr=False)
class Scene(Displayed):
    """A finished picture.

    `notes`: caption and headings. `title`; `description`: its content in words, for readers who cannot see
    it. `agents`: those whose relations are drawn. `model`: the model, if the picture shows all of it under
    its own names; `unread`: why none can be read from it. `theme`: one of `themes.THEMES`; colours
    here are those of the light one. `scale`: the factor of lengths in the output.
    """

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    hulls: tuple[Hull, ...] = ()
    legend: tuple[LegendEntry, ...] = ()
    notes: tuple[Label, ...] = ()
    title: str = ""
    description: str = ""
    agents: tuple[str, ...] = ()
    model: KripkeModel | None = None
    unread: str = UNREAD
    theme: str = "light"
    scale: float = 1.0

    def headline(self) -> str:
        """Return the title, and the numbers of nodes and lines."""
        lines = f", {counted(len(self.edges), 'line')}" if self.edges else ""
        return f"{self.title}; {counted(len(self.nodes), 'node')}{lines}"

    def display(self) -> Iterator[Figure]:
        """Yield the picture."""
        yield Figure(self.title, drawer("svg")(self), "")

    @property
    def body(self) -> Rect:
        """The box of nodes, edges and hulls, without legend and notes."""
        boxes = [node.box for node in self.nodes]
        boxes += [box for node in self.nodes if (box := node.label_box)]
        boxes += [Rect.of(edge.curve).grown(1) for edge in self.edges]
        boxes += [edge.label.box for edge in self.edges if edge.label]
        boxes += [Rect.of(hull.outline).grown(1) for hull in self.hulls]
        return Rect.union(boxes)

    @property
    def box(self) -> Rect:
        """The box of everything, with a margin."""
        parts = [self.body] if self.nodes else []
        parts += [entry.box for entry in self.legend] + [note.box for note in self.notes]
        return Rect.union(parts).grown(MARGIN)

    @property
    def positions(self) -> dict[Hashable, Point]:
        """The position of each world."""
        return {node.world: node.position for node in self.nodes}

    def with_notes(
        self,
        legend: Sequence[LegendEntry],
        *,
        heading: str = "",
        caption: str = "",
        body: Rect | None = None,
        widest: float = inf,
    ) -> Scene:
        """Return the scene with a heading above it, and a legend and a caption below.

        `body`: the box to keep free, by default that of nodes and lines. `widest`: the width of the page.
        """
        body = body or self.body
        width, folded = max(body.width, min(230.0, widest)), max(body.width, min(300.0, widest))
        y = body.bottom - 20
        entries: list[LegendEntry] = []
        for row in rows_of(legend, lambda row: _row_width(row) <= width):
            x = body.centre.x - _row_width(row) / 2
            for entry in row:
                entries.append(replace(entry, at=Point(x + _SAMPLE / 2, y)))
                x += _row_width([entry]) + _ENTRY_GAP
            y -= 16
        notes = list(self.notes)
        for line in _folded(caption, folded):
            notes.append(Label(line, Point(body.centre.x, y - 0.36 * _NOTE_SIZE), _NOTE_SIZE, colour=MUTED))
            y -= 13
        lines = _folded(heading, folded, "bold")
        top = max([body.top, *(note.box.top for note in self.notes)]) + 14
        for k, line in enumerate(reversed(lines)):
            notes.append(Label(line, Point(body.centre.x, top + 15 * k), _HEADING_SIZE))
        return replace(self, legend=tuple(entries), notes=tuple(notes))


_ENTRY_GAP = 18.0


def _row_width(entries: Sequence[LegendEntry]) -> float:
    widths = [_SAMPLE + 5 + width_of(entry.text, LABEL_SIZE) for entry in entries]
    return sum(widths) + _ENTRY_GAP * (len(widths) - 1)


def _folded(note: str, width: float, style: Style = "plain") -> list[Text]:
    """Return a note in lines of at most this width."""

    def line(words: list[str]) -> Text:
        return plain(" ".join(words), style)

    return [line(row) for row in rows_of(note.split(), lambda row: width_of(line(row), _NOTE_SIZE) <= width)]


_WIDEST_ROW = 1000.0


def beside(scenes: Sequence[Scene], headings: Sequence[str], *, gap: float = 42.0) -> Scene:
    """Return the scenes in rows, vertically centred, each with its heading; without their legends.

    The keys of nodes get the number of their scene as a prefix.
    """
    texts = [plain(heading, "bold") for heading in headings]
    widths = [max(s.body.width, width_of(t, _HEADING_SIZE)) for s, t in zip(scenes, texts, strict=True)]

    def wide(row: Sequence[int]) -> float:
        return sum(widths[number] + gap for number in row) - gap

    rows = rows_of(range(len(scenes)), lambda row: wide(row) <= _WIDEST_ROW)
    top = max(scenes[number].body.height for number in rows[0]) / 2
    nodes: list[Node] = []
    edges: list[Edge] = []
    hulls: list[Hull] = []
    notes: list[Label] = []
    for row in rows:
        left, high = (max(map(wide, rows)) - wide(row)) / 2, max(scenes[number].body.height for number in row)
        for number in row:
            scene, middle = scenes[number], left + widths[number] / 2
            by = Point(middle - scene.body.centre.x, top - high / 2 - scene.body.centre.y)
            count = len(nodes)
            nodes += [replace(node.moved(by), key=f"s{number}{node.key}") for node in scene.nodes]
            edges += [edge.moved(by, count) for edge in scene.edges]
            hulls += [hull.moved(by, count) for hull in scene.hulls]
            notes.append(Label(texts[number], Point(middle, top + 18), _HEADING_SIZE, colour=MUTED))
            left += widths[number] + gap
        top -= high + 2 * gap
    return Scene(
        nodes=tuple(nodes),
        edges=tuple(edges),
        hulls=tuple(hulls),
        notes=tuple(notes),
        title=" · ".join(headings),
        description=" ".join(f"{h}: {s.description}" for h, s in zip(headings, scenes, strict=True)),
        agents=tuple(dict.fromkeys(agent for scene in scenes for agent in scene.agents)),
    )
