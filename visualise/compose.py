"""From items (worlds or events) and their relations to a `Scene`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from visualise.geometry import Box, Point, Positions, sampled
from visualise.palette import INK, MUTED, PAPER, Pen
from visualise.routing import (
    DIRECTIONS,
    LOOP,
    EdgeChoice,
    Place,
    choose_sides,
    hull_outlines,
    label_spot,
    loop,
    loop_direction,
    route,
)
from visualise.scene import RING, SAMPLE, Anchor, Edge, Entry, Hull, Label, Node, Scene, Shape
from visualise.structure import Structure
from visualise.text import Style, Text, elided, plain, width_of, wrapped

__all__ = ["Item", "Look", "boxes_of", "compose", "with_notes"]

NAME_SIZE = 11.0
LINE_SIZE = 9.5
LABEL_SIZE = 10.0
NOTE_SIZE = 9.5
RADIUS = 15.0
AIR = 4.0  # between a node and the lines beside it
_LINE_HEIGHT = 12.0
_MOST_LINES = 4
_LONGEST_NAME = 22
_WIDEST_IN_CIRCLE = 31.0  # wider names get a node with straight sides


@dataclass(frozen=True, slots=True)
class Item:
    """A node before it has a place: its name, what is written beside it, and how it looks."""

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


@dataclass(frozen=True, slots=True)
class Look:
    """How the lines are drawn: the agents' pens, which lines, with labels or with a legend."""

    pens: tuple[Pen, ...]
    edges: EdgeChoice = "spanning"
    edge_labels: bool = False
    accents: frozenset[tuple[int, int, int]] = frozenset()  # (agent, world, world) on a path


def _halves(items: Sequence[Item]) -> list[Point]:
    widest = max((width_of(plain(elided(i.name, _LONGEST_NAME)), NAME_SIZE) for i in items), default=0.0)
    if widest <= _WIDEST_IN_CIRCLE:
        radius = max(RADIUS, widest / 2 + 3.6)
        return [Point(radius * item.scale, radius * item.scale) for item in items]
    straight = widest / 2 + 7 - RADIUS  # half of the straight side
    return [Point(straight + RADIUS * item.scale, RADIUS * item.scale) for item in items]


def _lines(items: Sequence[Item], halves: Sequence[Point]) -> list[tuple[Text, ...]]:
    width = max([84.0, *(2 * h.x for h in halves)])
    return [wrapped(item.parts, LINE_SIZE, width, _MOST_LINES) for item in items]


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
        Place(Point(float(x), float(y)), half, item.shape == "round", RING if item.ring else 0.0)
        for (x, y), half, item in zip(place, halves, items, strict=True)
    ]
    edges, taken = _edges(s, places, look)
    curves = [edge.curve for edge in edges if edge.source != edge.target]
    spots = choose_sides(places, [_size(t) for t in texts], curves, taken, AIR)
    nodes = []
    for k, (item, p, lines, spot) in enumerate(zip(items, places, texts, spots, strict=True)):
        name = plain(elided(item.name, _LONGEST_NAME))
        label = Label(name, Point(p.at.x, p.at.y - 0.36 * NAME_SIZE), NAME_SIZE)
        side, placed = ("below", ()) if spot is None else (spot[0], _set(lines, *spot))
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


def _set(lines: Sequence[Text], side: str, box: Box) -> tuple[Label, ...]:
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
        Label(line, Point(x, first - k * _LINE_HEIGHT), LINE_SIZE, anchor) for k, line in enumerate(lines)
    )


def _edges(s: Structure, places: Sequence[Place], look: Look) -> tuple[list[Edge], list[Box]]:
    """Return all edges with their labels, and the places that labels and loops take."""
    lines, loops = route(s, places, look.edges, merge=look.edge_labels)
    black = Pen(INK, (), 1.1)
    taken: list[Box] = []
    nodes = [Box.at(p.at, p.half.x + p.extra, p.half.y + p.extra) for p in places]
    out: list[Edge] = []

    def names(agents: Sequence[int]) -> tuple[str, ...]:
        return tuple(s.ties[a].agent for a in agents)

    for agents, worlds in loops.items():
        for world in worlds:
            angle = loop_direction(world, places, lines, LOOP, [*taken])
            groups = [agents] if look.edge_labels else [(agent,) for agent in agents]
            for k, group in enumerate(groups):
                curve = loop(places[world], angle, LOOP * (1 + 0.3 * k))
                label = None
                points = sampled(curve, 17)
                extent = Box(*map(float, (*points.min(axis=0), *points.max(axis=0))))
                if look.edge_labels:
                    label = _loop_label(", ".join(names(group)), extent, angle)
                    taken.append(label.box)
                taken.append(extent)
                accent = any((a, world, world) in look.accents for a in group)
                pen = black if look.edge_labels else look.pens[group[0]]
                out.append(Edge(names(group), world, world, curve, (False, True), pen, 0.0, label, accent))
    for line in lines:
        label = None
        if look.edge_labels:
            text = plain(", ".join(names(line.agents)))
            width = width_of(text, LABEL_SIZE)
            spot = label_spot(line.curve, width, LABEL_SIZE, [*nodes, *taken])
            label = Label(text, Point(spot.x, spot.y - 0.33 * LABEL_SIZE), LABEL_SIZE)
            taken.append(label.box)
        accent = any(
            (a, *pair) in look.accents
            for a in line.agents
            for pair in ((line.source, line.target), (line.target, line.source))
        )
        pen = black if look.edge_labels else look.pens[line.agents[0]]
        out.append(
            Edge(
                names(line.agents),
                line.source,
                line.target,
                line.curve,
                line.heads,
                pen,
                line.bow,
                label,
                accent,
            )
        )
    return out, taken


def _loop_label(text: str, extent: Box, angle: float) -> Label:
    shown = plain(text)
    half = width_of(shown, LABEL_SIZE) / 2
    x, y = extent.centre
    if angle == DIRECTIONS["above"]:
        y = extent.top + 0.6 * LABEL_SIZE
    elif angle == DIRECTIONS["below"]:
        y = extent.bottom - 0.6 * LABEL_SIZE
    elif angle == DIRECTIONS["left"]:
        x = extent.left - half - 3
    else:
        x = extent.right + half + 3
    return Label(shown, Point(x, y - 0.33 * LABEL_SIZE), LABEL_SIZE)


# --- legend and notes ------------------------------------------------------------------------------


def with_notes(
    scene: Scene,
    samples: Sequence[tuple[Text, Mapping[str, object]]],
    *,
    heading: str = "",
    caption: str = "",
) -> Scene:
    """Return the scene with a heading above it, and a legend and a caption below.

    `samples`: for each entry of the legend its text and how the sample looks (fields of `Entry`).
    """
    body = scene.body
    width = max(body.width, 230.0)
    y = body.bottom - 20
    entries: list[Entry] = []
    for row in _rows(samples, width):
        total = sum(_entry_width(text) for text, _ in row) - _ENTRY_GAP
        x = body.centre.x - total / 2
        for text, looks in row:
            at = Point(x + SAMPLE / 2, y)
            label = Label(text, Point(x + SAMPLE + 5, y - 0.36 * LABEL_SIZE), LABEL_SIZE, "start")
            entries.append(Entry(label, at, **looks))  # type: ignore[arg-type]
            x += _entry_width(text)
        y -= 16
    notes = list(scene.notes)
    for line in _folded(caption, max(width, 300.0)):
        notes.append(Label(line, Point(body.centre.x, y - 0.36 * NOTE_SIZE), NOTE_SIZE, colour=MUTED))
        y -= 13
    lines = _folded(heading, max(width, 300.0), "bold")
    top = max([body.top, *(note.box.top for note in scene.notes)]) + 14
    for k, line in enumerate(reversed(lines)):
        notes.append(Label(line, Point(body.centre.x, top + 15 * k), NAME_SIZE))
    return replace(scene, legend=tuple(entries), notes=tuple(notes))


_ENTRY_GAP = 18.0


def _entry_width(text: Text) -> float:
    return SAMPLE + 5 + width_of(text, LABEL_SIZE) + _ENTRY_GAP


def _rows(
    samples: Sequence[tuple[Text, Mapping[str, object]]], width: float
) -> list[list[tuple[Text, Mapping[str, object]]]]:
    out: list[list[tuple[Text, Mapping[str, object]]]] = []
    used = 0.0
    for sample in samples:
        need = _entry_width(sample[0])
        if not out or used + need - _ENTRY_GAP > width:
            out.append([])
            used = 0.0
        out[-1].append(sample)
        used += need
    return out


def _folded(note: str, width: float, style: Style = "plain") -> list[Text]:
    lines = [""]
    for word in note.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(plain(longer, style), NOTE_SIZE) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return [plain(line, style) for line in lines if line]
