"""From nodes in their places to a scene: which lines are drawn, how they run, where texts find room."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import atan2, cos, dist, inf, sin
from typing import Literal, NamedTuple, TypeAlias

from visualise.geometry import (
    Box,
    Curve,
    Point,
    area,
    around,
    bowed,
    convex_hull,
    cut,
    inside_polygon,
    mean,
    rounded,
    sampled,
    spanning_tree,
    turn,
)
from visualise.layout import GAP, entries
from visualise.palette import FADED, INK, Pen
from visualise.reading import Graph, Ties
from visualise.scene import AIR, LABEL_SIZE, RING, SIDES, Edge, Hull, Label, Node, Scene
from visualise.text import elided, plain, width_of

EdgeChoice: TypeAlias = Literal["spanning", "full", "hulls"]
Triples: TypeAlias = frozenset[tuple[str, int, int]]  # an agent and the numbers of two nodes

_SPACING = 9.0  # between parallel lines, in their middle
_CLEARANCE = 5.0  # between a line and a node that is not its end
_LOOP = 25.0  # how far a loop reaches
_LONGEST_AGENT = (18, 12, 8, 5)
_WIDEST_LABEL = 160.0


@dataclass(frozen=True, slots=True)
class Look:
    """How the lines are drawn: the agents' pens, which lines, with labels or with a legend.

    `accents`: steps on the path of an explanation, drawn even where other lines would do. `alive`:
    the steps that an update leaves, None for all.
    """

    pens: Mapping[str, Pen]
    edges: EdgeChoice = "spanning"
    edge_labels: bool = False
    accents: Triples = frozenset()
    alive: Triples | None = None

    def lost(self, agent: str, i: int, j: int) -> bool:
        """Return whether an update removes a line."""
        return self.alive is not None and self.alive.isdisjoint(((agent, i, j), (agent, j, i)))

    def edge(
        self, agents: Sequence[str], i: int, j: int, heads: tuple[bool, bool], curve: Curve, bow: float = 0.0
    ) -> Edge:
        """Return a line of these agents."""
        pen = Pen(INK, (), 1.1) if self.edge_labels else self.pens[agents[0]]
        if all(self.lost(agent, i, j) for agent in agents):
            pen = replace(pen, colour=FADED)
        steps = ((agent, *ends) for agent in agents for ends in ((i, j), (j, i)))
        accent = not self.accents.isdisjoint(steps)
        return Edge(tuple(agents), i, j, curve, heads, pen, bow, accent=accent)


def rooms(nodes: Sequence[Node], graph: Graph) -> list[Box]:
    """Return the room that nodes need around their centres: with the lines below and a loop above."""
    looped = set[int]().union(*(ties.loops for ties in graph.ties))
    out = []
    for number, node in enumerate(nodes):
        width, height = node.text_size
        x, y = node.extent
        side = max(x, width / 2)
        out.append(Box(-side, -y - (height + AIR if height else 0), side, y + _LOOP * (number in looped)))
    return out


def gap_for(graph: Graph, look: Look) -> float:
    """Return the space that nodes need between them: room for the names on the lines."""
    if not look.edge_labels:
        return GAP
    related: dict[tuple[int, int], list[str]] = {}
    for ties in graph.ties:
        pairs = {pair for cell in ties.cells for pair in combinations(cell, 2)}
        for pair in pairs.union((min(i, j), max(i, j)) for i, j in ties.pairs):
            related.setdefault(pair, []).append(ties.agent)
    widest = max((_label_width(agents) for agents in set(map(tuple, related.values()))), default=0.0)
    everybody = min(_label_width([ties.agent for ties in graph.ties]), 70.0)
    return max(GAP, everybody + 22, widest + 22)


def _label_width(agents: Sequence[str]) -> float:
    return width_of(plain(_names(agents)), LABEL_SIZE)


def _names(agents: Sequence[str]) -> str:
    """Return the text on a line of these agents: their names, shorter where they are many."""
    texts = (", ".join(elided(name, most) for name in agents) for most in _LONGEST_AGENT)
    fitting = (text for text in texts if width_of(plain(text), LABEL_SIZE) <= _WIDEST_LABEL)
    return next(fitting, ", ".join(elided(name, _LONGEST_AGENT[-1]) for name in agents))


def compose(nodes: Sequence[Node], graph: Graph, look: Look) -> Scene:
    """Return the scene of nodes in their places, without legend and notes."""
    lines = _routed(nodes, graph, look)
    along = traces(line.curve for line in lines)
    loops = _looped(nodes, graph, look, along)
    taken = [box for loop in loops for box in _place_of_loop(loop)]
    if look.edge_labels:
        lines = _labelled(lines, along, [*(node.box for node in nodes), *taken])
        taken += [line.label.box for line in lines if line.label]
    placed = _sided(nodes, along, taken)
    return Scene(
        nodes=tuple(placed),
        edges=(*loops, *lines),
        hulls=tuple(_hulls(placed, graph, look)) if look.edges == "hulls" else (),
        agents=tuple(ties.agent for ties in graph.ties),
    )


# --- lines -----------------------------------------------------------------------------------------


_Obstacles: TypeAlias = Sequence[tuple[Box, Node]]


def _routed(nodes: Sequence[Node], graph: Graph, look: Look) -> list[Edge]:
    """Return the lines between nodes.

    With labels, agents whose lines would run side by side share one, unless one of them is lost and
    another not.
    """
    obstacles = [(node.box, node) for node in nodes]
    bundles: dict[tuple[int, int], dict[Hashable, tuple[tuple[bool, bool], list[str]]]] = {}
    for ties in graph.ties:
        for (i, j), heads in _pairs(ties, nodes, obstacles, graph, look).items():
            key = (heads, look.lost(ties.agent, i, j)) if look.edge_labels else ties.agent
            bundles.setdefault((i, j), {}).setdefault(key, (heads, []))[1].append(ties.agent)
    centre = mean([node.position for node in nodes])
    found = []
    for (i, j), bundle in sorted(bundles.items()):
        source, target = nodes[i], nodes[j]
        half = _SPACING * (len(bundle) - 1) / 2
        others = [other for number, other in enumerate(obstacles) if number not in (i, j)]
        base = _base_bow(source.position, target.position, others, centre, half)
        for number, (heads, agents) in enumerate(bundle.values()):
            bow = base + half - _SPACING * number
            curve = _clipped(bowed(source.position, target.position, bow), source, target, heads)
            found.append(look.edge(agents, i, j, heads, curve, bow))
    return found


def _pairs(
    ties: Ties, nodes: Sequence[Node], obstacles: _Obstacles, graph: Graph, look: Look
) -> dict[tuple[int, int], tuple[bool, bool]]:
    """Return the lines of one agent: the two nodes, the smaller first, and their arrow heads."""
    grouped = ties.classes is not None or (look.edges == "spanning" and bool(ties.groups))
    cell_of = {w: cell for cell in ties.cells for w in cell} if grouped else {}
    marked = {(i, j) for agent, i, j in look.accents if agent == ties.agent and i != j}
    wanted = {(min(pair), max(pair)) for pair in marked if pair[1] in cell_of.get(pair[0], ())}

    def price(i: int, j: int) -> float:
        lost = look.lost(ties.agent, i, j)
        if lost or (min(i, j), max(i, j)) in wanted:
            return 1e6 if lost else -1e6
        # of lines about as long, those are clearest that join worlds alike
        apart = (graph.bits[i] ^ graph.bits[j]).bit_count()
        alike = 0.5 * max(0, min(apart, 3) - 1) * dist(nodes[i].position, nodes[j].position)
        return alike + _through_text(nodes[i], nodes[j])

    lines = set(wanted)
    for cell in ties.cells if grouped else ():
        if look.edges == "full":
            lines.update(combinations(cell, 2))
        elif look.edges == "spanning":
            lines.update(_tree(cell, nodes, obstacles, price))
    out = dict.fromkeys(sorted(lines), (False, False))
    place = [node.position for node in nodes]
    arrows = {*entries(ties, place), *(marked & ties.pairs)} if grouped else ties.pairs
    for i, j in sorted(arrows):
        pair = min(i, j), max(i, j)
        if pair in lines:
            continue  # a marked step inside a group
        back, forth = out.get(pair, (False, False))
        out[pair] = back or i > j, forth or i < j
    return out


def _tree(
    cell: Sequence[int], nodes: Sequence[Node], obstacles: _Obstacles, price: Callable[[int, int], float]
) -> list[tuple[int, int]]:
    """Return the lines that join the nodes of a class: a shortest tree that avoids other nodes.

    `price` is added to the length of a line: to have it for sure, or only where no other will do.
    """
    members = set(cell)
    others = [other for number, other in enumerate(obstacles) if number not in members]

    def length(i: int, j: int) -> float:
        a, b = nodes[i].position, nodes[j].position
        blocked = _room((a, b), 17, others, _CLEARANCE) < _CLEARANCE
        return dist(a, b) + (1.5 * dist(a, b) + 40 if blocked else 0.0) + price(i, j)

    return spanning_tree(cell, length)


def _through_text(a: Node, b: Node) -> float:
    """Return the price of a line that leaves the upper of two nodes through the text below it."""
    dx, dy = abs(a.position.x - b.position.x), abs(a.position.y - b.position.y)
    return 4 * max(a, b, key=lambda node: node.position.y).text_size[1] if dx < 0.5 * dy else 0.0


def _room(curve: Curve, count: int, obstacles: _Obstacles, enough: float) -> float:
    """Return how far the closest of the nodes is from so many points of a curve; at most `enough`."""
    left, bottom, right, top = Box.of(curve).grown(enough)
    near = [
        node
        for (own_left, own_bottom, own_right, own_top), node in obstacles
        if own_left < right and left < own_right and own_bottom < top and bottom < own_top
    ]
    if not near:
        return enough
    points = sampled(curve, count)
    return min(enough, *(node.distance(point) for node in near for point in points))


def _base_bow(start: Point, end: Point, others: _Obstacles, centre: Point, spread: float) -> float:
    """Return the smallest bend that keeps the lines between two nodes off all others."""
    # outward first: to the left if the middle of the picture is on the right
    outward = -1.0 if turn(start, end, centre) > 0 else 1.0
    enough = _CLEARANCE + spread
    best = (-inf, 0.0)
    for size in (0.0, 10.0, 16.0, 22.0, 29.0, 37.0, 46.0, 58.0, 72.0, 90.0):
        for bow in (outward * size, -outward * size) if size else (0.0,):
            room = _room(bowed(start, end, bow), 25, others, enough)
            if room >= enough:
                return bow
            best = max(best, (room - 0.2 * size, bow))
    return best[1]


def _clipped(curve: Curve, source: Node, target: Node, heads: tuple[bool, bool]) -> Curve:
    """Cut a curve off at the outlines of its ends, with a little air before an arrow head."""
    points = sampled(curve, 129)
    start = next((k for k, p in enumerate(points) if source.distance(p) > 1.2 * heads[0]), 128)
    end = next((k for k in range(128, 0, -1) if target.distance(points[k]) > 1.2 * heads[1]), 0)
    return cut(curve, start / 128, end / 128) if start < end else curve


# --- loops -----------------------------------------------------------------------------------------


def _looped(nodes: Sequence[Node], graph: Graph, look: Look, lines: Sequence[Trace]) -> list[Edge]:
    """Return the loops, each where it has most room; with labels, agents share those of a node."""
    agents: dict[int, list[str]] = {}
    for ties in graph.ties:
        alone = {cell[0] for cell in ties.groups if len(cell) == 1}
        crowded = look.edges == "spanning" and ties.groups
        for number in sorted(ties.loops & alone if crowded else ties.loops):
            agents.setdefault(number, []).append(ties.agent)
    found: list[Edge] = []
    for number, own in agents.items():
        taken = [box for other in found for box in _place_of_loop(other)]
        side = _loop_side(number, nodes, lines, taken, _names(own) if look.edge_labels else "")
        for k, group in enumerate([own] if look.edge_labels else [[agent] for agent in own]):
            curve = _loop(nodes[number], side, _LOOP * (1 + 0.3 * k))
            edge = look.edge(group, number, number, (False, True), curve)
            if look.edge_labels:
                edge = replace(edge, label=_loop_label(_names(group), Box.of(sampled(curve, 17)), side))
            found.append(edge)
    return found


def _loop(node: Node, side: str, reach: float) -> Curve:
    """Return a loop at a node: above it, below or at a side."""
    dx, dy, _ = SIDES[side]
    angle = atan2(dy, dx)
    small = min(node.half) + (RING if node.ring else 0.0)
    base = node.position.moved(Point(dx * (node.half.x - min(node.half)), 0))
    far = small + 1.32 * reach
    corners = ((small, -0.42), (far, -0.62), (far, 0.62), (small, 0.42))
    return tuple(base.moved(Point(r * cos(angle + turn), r * sin(angle + turn))) for r, turn in corners)


def _place_of_loop(loop: Edge) -> list[Box]:
    """Return the places that a loop and its label take."""
    return [Box.of(sampled(loop.curve, 17)), *([loop.label.box] if loop.label else [])]


def _loop_side(
    number: int, nodes: Sequence[Node], lines: Sequence[Trace], taken: Sequence[Box], names: str
) -> str:
    """Return where a loop with these names has most room: above, left, right or below."""

    def against(side: str) -> float:
        shape = sampled(_loop(nodes[number], side, _LOOP), 17)
        extent = Box.of(shape)
        room = Box.union([extent, _loop_label(names, extent, side).box]) if names else extent
        near = [line for line in lines if line.box.overlaps(extent)]
        within = sum(any(inside_polygon(shape, point) for point in line.points) for line in near)
        touched = sum(
            any(node.distance(point) < 3 for point in shape)
            for other, node in enumerate(nodes)
            if other != number and node.box.grown(3).overlaps(extent)
        )
        return 1.5 * within + 0.5 * crossed(lines, room) + 4 * touched + 4 * sum(map(room.overlaps, taken))

    sides = "above", "left", "right", "below"
    return min(sides, key=lambda side: against(side) + 0.1 * sides.index(side))


def _loop_label(names: str, extent: Box, side: str) -> Label:
    text = plain(names)
    dx, dy, _ = SIDES[side]
    x = extent.centre.x + dx * (extent.width / 2 + width_of(text, LABEL_SIZE) / 2 + 3)
    y = extent.centre.y + dy * (extent.height / 2 + 0.6 * LABEL_SIZE)
    return Label(text, Point(x, y - 0.33 * LABEL_SIZE), LABEL_SIZE)


# --- texts -----------------------------------------------------------------------------------------


class Trace(NamedTuple):
    """Points along a line, and the box that holds them."""

    box: Box
    points: Sequence[tuple[float, float]]


def traces(curves: Iterable[Curve]) -> list[Trace]:
    """Return points along curves."""
    found = (sampled(curve, 41) for curve in curves)
    return [Trace(Box.of(points), points) for points in found]


def crossed(lines: Iterable[Trace], box: Box) -> int:
    """Return how many lines run through a box."""
    left, bottom, right, top = box
    return sum(
        any(left < x < right and bottom < y < top for x, y in line.points)
        for line in lines
        if line.box.overlaps(box)
    )


def _labelled(lines: Sequence[Edge], along: Sequence[Trace], taken: Sequence[Box]) -> list[Edge]:
    """Return the lines with their agents' names: near the middle, where nothing else stands."""
    places = list(taken)
    out = []
    for number, line in enumerate(lines):
        text = plain(_names(line.agents))
        others = [trace for other, trace in enumerate(along) if other != number]
        spot = _label_spot(line.curve, width_of(text, LABEL_SIZE), places, others)
        label = Label(text, spot.moved(Point(0, -0.33 * LABEL_SIZE)), LABEL_SIZE)
        places.append(label.box)
        out.append(replace(line, label=label))
    return out


def _label_spot(curve: Curve, width: float, taken: Sequence[Box], others: Sequence[Trace]) -> Point:
    """Return the centre of a label on a line; other lines are better avoided."""
    best = (inf, Point(0, 0))
    points = sampled(curve, 101)
    for rank, place in enumerate((50, 42, 58, 35, 65, 28, 72)):
        spot = Point(*points[place])
        box = Box.at(spot, width / 2 + 1.5, LABEL_SIZE / 2 + 1)
        hits = 10.0 * sum(map(box.overlaps, taken)) + 2.5 * crossed(others, box)
        best = min(best, (hits + rank, spot))
    return best[1]


def _sided(nodes: Sequence[Node], lines: Sequence[Trace], taken: Sequence[Box]) -> list[Node]:
    """Return the nodes with their texts on the sides where most room is.

    All start below, where the arrangement left room; a text moves where fewer lines run through it
    and nothing else stands.
    """
    out = list(nodes)
    boxes = [node.box for node in nodes]
    texts = {number: node.beside("below") for number, node in enumerate(nodes) if node.texts}
    for _ in range(2):
        for number in texts:
            own = {side: nodes[number].beside(side) for side in SIDES}
            around = Box.union(own.values()).grown(2)
            through = [line for line in lines if line.box.overlaps(around)]
            reserved = [box for box in taken if box.overlaps(around)]
            others = [box for other, box in (*enumerate(boxes), *texts.items()) if other != number]
            blocked = [*filter(around.overlaps, others), *reserved]
            best = (inf, out[number].side)
            for side, box in own.items():
                if side != "below" and any(map(box.grown(2).overlaps, blocked)):
                    continue
                hits = crossed(through, box.grown(0.5)) + 3 * sum(map(box.overlaps, reserved))
                best = min(best, (2.0 * hits + SIDES[side][2], side))
            out[number] = replace(nodes[number], side=best[1])
            texts[number] = own[best[1]]
    return out


# --- hulls -----------------------------------------------------------------------------------------


def _hulls(nodes: Sequence[Node], graph: Graph, look: Look) -> Iterable[Hull]:
    """Yield an outline for each class of two or more nodes, with the lines beside them; agents' are nested.

    It is a rectangle or convex where that encloses no other node, else it follows the tree of the
    class.
    """
    drawn = [ties for ties in graph.ties if ties.classes is not None]
    for rank, ties in enumerate(drawn):
        wide = 5.0 + 4.0 * (len(drawn) - 1 - rank)
        for cell in ties.cells:
            if len(cell) > 1:
                yield Hull(ties.agent, cell, tuple(_outline(cell, nodes, wide)), look.pens[ties.agent])


def _outline(cell: Sequence[int], nodes: Sequence[Node], wide: float) -> list[Point]:
    members = [nodes[number] for number in cell]
    others = [node.position for number, node in enumerate(nodes) if number not in cell]

    def fits(outline: Sequence[Point]) -> bool:
        return not any(inside_polygon(outline, other) for other in others)

    texts = [node.beside(node.side) for node in members if node.texts]
    corners = [corner for node in members for corner in _rim(node, wide)]
    corners += [
        corner
        for box in texts
        for corner in rounded(box.centre, Point(box.width / 2, box.height / 2), wide / 2)
    ]
    outline = convex_hull(corners)
    extent = Box.of(corners)
    if len(cell) > 3 and extent.width * extent.height < 1.5 * area(outline):
        radius = min(18 + wide, extent.width / 2, extent.height / 2)
        block = rounded(extent.centre, Point(extent.width / 2 - radius, extent.height / 2 - radius), radius)
        if fits(block):
            return block
    if fits(outline):
        return outline
    place = {number: k for k, number in enumerate(cell)}
    tree = _tree(cell, nodes, [(node.box, node) for node in nodes], lambda i, j: 0.0)
    radius = max(node.extent.y for node in members) + wide
    return around([node.position for node in members], [(place[i], place[j]) for i, j in tree], radius)


def _rim(node: Node, wide: float) -> list[Point]:
    """Return points around a node."""
    small = min(node.half) if node.shape == "round" else 0.0
    straight = Point(node.half.x - small, node.half.y - small)
    return rounded(node.position, straight, small + node.extent.x - node.half.x + wide)
