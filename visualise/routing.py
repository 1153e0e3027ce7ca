"""From positioned nodes to a scene: the lines drawn, their courses, and the places of texts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, pairwise
from math import atan2, cos, dist, inf, sin
from typing import NamedTuple, TypeAlias

from kripke_werewolf.base.drawing import EdgeChoice
from kripke_werewolf.base.grouping import grouped
from visualise.geometry import (
    Curve,
    Point,
    Rect,
    SpatialIndex,
    area,
    bowed,
    convex_hull,
    cut,
    inside_polygon,
    mean,
    near_curve,
    rounded,
    sampled,
    spanning_tree,
    spot_on,
    turn,
)
from visualise.layout import GAP
from visualise.palette import FADED, INK, Pen
from visualise.reading import Graph, Ties
from visualise.scene import AIR, LABEL_SIZE, RING, SIDES, Edge, Hull, Label, Node, Scene
from visualise.text import Text, in_list, plain, series, told_apart, width_of

Triples: TypeAlias = frozenset[tuple[str, int, int]]  # an agent and the numbers of two nodes

_SPACING = 9.0  # between parallel lines, in their middle
_CLEARANCE = 5.0  # between a line and a node that is not its end
_LOOP = 25.0  # how far a loop reaches
_EXACT = 0.01  # how exactly lines end where they should
BARELY = 1.5  # closer to a text, a line seems to strike it
_BEYOND = 0.1  # what a point of a text beyond the page costs, in lines that strike it
_BESIDE = 8.0  # the distance within which a label avoids other lines
_LONGEST_AGENT = (30, 18, 12, 8, 5)
_WIDEST_LABEL = 160.0


@dataclass(frozen=True, slots=True)
class Look:
    """The style of lines: the agents' pens and names, the choice of lines, with labels or with a legend.

    `accents`: steps on the path of an explanation, drawn even if other lines would suffice. `alive`: the
    steps kept by an update, None for all. `outlined`: whether groups have outlines.
    """

    pens: Mapping[str, Pen] = field(compare=False)
    called: Mapping[str, str] = field(compare=False)
    edges: EdgeChoice = "spanning"
    edge_labels: bool = False
    accents: Triples = frozenset()
    alive: Triples | None = None
    outlined: bool = False

    def outlines(self, ties: Ties) -> bool:
        """Return whether the cells of an agent have outlines."""
        return self.outlined if ties.classes is None else self.edges == "hulls"

    def listed(self, agents: Iterable[str]) -> str:
        """Return the names of agents as in sentences."""
        return series(self.called[agent] for agent in agents)

    def label(self, agents: Iterable[str]) -> Text:
        """Return the text on a line of these agents."""
        return plain(", ".join(in_list(self.called[agent]) for agent in agents))

    def widest(self, graph: Graph) -> float:
        """Return the width of the widest text that a line may have."""
        return max((width_of(self.label(bundle), LABEL_SIZE) for bundle in _bundles(graph)), default=0.0)

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


def rooms(nodes: Sequence[Node], graph: Graph) -> list[Rect]:
    """Return the room that nodes need around their centres: with the lines below and a loop above."""
    looped = set[int]().union(*(ties.loops for ties in graph.ties))
    out = []
    for number, node in enumerate(nodes):
        width, height = node.text_size
        x, y = node.extent
        side = max(x, width / 2)
        out.append(Rect(-side, -y - (height + AIR if height else 0), side, y + _LOOP * (number in looped)))
    return out


def called(agents: Iterable[str], graph: Graph, *, labels: bool) -> dict[str, str]:
    """Return the displayed names of agents, all different; shorter if several occur on one line."""
    found = list(dict.fromkeys(agents))
    for most in _LONGEST_AGENT if labels else _LONGEST_AGENT[:1]:
        names = dict(zip(found, told_apart(found, most), strict=True))
        if Look({}, names).widest(graph) <= _WIDEST_LABEL:
            break
    return names


def _bundles(graph: Graph) -> set[tuple[str, ...]]:
    """Return the sets of agents whose lines may join the same two nodes."""
    related = list[tuple[tuple[int, int], str]]()
    for ties in graph.ties:
        pairs = {pair for cell in ties.cells for pair in combinations(cell, 2)}
        pairs.update((min(i, j), max(i, j)) for i, j in ties.pairs)
        related += [(pair, ties.agent) for pair in pairs]
    return set(map(tuple, grouped(related).values()))


def gap_for(graph: Graph, look: Look) -> float:
    """Return the space needed between nodes: room for the names on the lines."""
    if not look.edge_labels:
        return GAP
    everybody = min(width_of(look.label(ties.agent for ties in graph.ties), LABEL_SIZE), 70.0)
    return max(GAP, everybody + 22, look.widest(graph) + 22)


def compose(nodes: Sequence[Node], graph: Graph, look: Look, widest: float = inf) -> Scene:
    """Return the scene of positioned nodes, without legend and notes; `widest`: the width of the page."""
    hulls = list(_hulls([replace(node, texts=()) for node in nodes], graph, look))
    apart = frozenset((hull.agent, hull.members) for hull in hulls if not hull.outline)
    lines = [_at_outlines(line, nodes, hulls) for line in _routed(nodes, graph, look, apart)]
    drawn = traces(lines)
    loops = _looped(nodes, graph, look, drawn)
    taken = [box for loop in loops for box in _place_of_loop(loop)]
    if look.edge_labels:
        lines = _labelled(lines, look, drawn, [*(node.box for node in nodes), *taken])
        taken += [line.label.box for line in lines if line.label]
    placed = _sided(nodes, drawn, taken, widest)
    if not (hulls or look.edge_labels):
        lines = _off_texts(lines, drawn, placed)
    if hulls:  # now around the texts as well
        hulls = list(_hulls(placed, graph, look))
        lines = [_at_outlines(line, nodes, hulls) for line in lines]
    hulls = [hull for hull in hulls if hull.outline and (hull.agent, hull.members) not in apart]
    return Scene(
        nodes=tuple(placed),
        edges=(*loops, *lines),
        hulls=tuple(hulls),
        agents=tuple(ties.agent for ties in graph.ties),
    )


_Cells: TypeAlias = frozenset[tuple[str, tuple[int, ...]]]  # of agents


# --- lines -----------------------------------------------------------------------------------------


class _Obstacles:
    """The nodes that lines must avoid, with their positions."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes, self.places = nodes, SpatialIndex([node.box for node in nodes])
        self.lengths: dict[tuple[int, int], float] = {}  # of straight lines: agents share many

    def length(self, i: int, j: int) -> float:
        """Return the length of the straight line between two nodes, more if it touches others."""
        key = (i, j) if i < j else (j, i)
        if key not in self.lengths:
            a, b = (self.nodes[end].position for end in key)
            length = dist(a, b)
            if self.room((a, b), 17, key, _CLEARANCE) < _CLEARANCE:
                length += 1.5 * length + 40
            self.lengths[key] = length
        return self.lengths[key]

    def room(self, curve: Curve, count: int, ends: tuple[int, int], enough: float) -> float:
        """Return the distance of the closest node other than the ends from `count` points of a curve.

        It is at most `enough`.
        """
        within = self.places.near(Rect.of(curve).grown(enough))
        close = near_curve(curve, self.places.boxes, within, enough)
        near = [number for number in close if number not in ends]
        if not near:
            return enough
        points = sampled(curve, count)
        return min(enough, *(self.nodes[number].distance(point) for number in near for point in points))


def _routed(nodes: Sequence[Node], graph: Graph, look: Look, apart: _Cells) -> list[Edge]:
    """Return the lines between nodes, including those of the cells that have no outline (`apart`).

    With labels, agents whose lines would be parallel share one, unless only some of these are lost, or they
    lead to different outlines.
    """
    obstacles = _Obstacles(nodes)
    bundles: dict[tuple[int, int], dict[Hashable, tuple[tuple[bool, bool], list[str]]]] = {}
    for ties in graph.ties:
        for (i, j), heads in _pairs(ties, nodes, obstacles, graph, look, apart).items():
            entered = [cell for cell in ties.groups if look.outlined and (i in cell) != (j in cell)]
            key = (heads, look.lost(ties.agent, i, j), *entered) if look.edge_labels else ties.agent
            bundles.setdefault((i, j), {}).setdefault(key, (heads, []))[1].append(ties.agent)
    centre = mean([node.position for node in nodes])
    found = []
    for (i, j), bundle in sorted(bundles.items()):
        source, target = nodes[i], nodes[j]
        half = _SPACING * (len(bundle) - 1) / 2
        base = _base_bow(source.position, target.position, obstacles, (i, j), centre, half)
        for number, (heads, agents) in enumerate(bundle.values()):
            bow = base + half - _SPACING * number
            curve = _clipped(source, target, bow, heads)
            found.append(look.edge(agents, i, j, heads, curve, bow))
    return found


def _pairs(
    ties: Ties, nodes: Sequence[Node], obstacles: _Obstacles, graph: Graph, look: Look, apart: _Cells
) -> dict[tuple[int, int], tuple[bool, bool]]:
    """Return the lines of one agent: the two nodes, the smaller first, and their arrow heads."""
    cell_of = {w: cell for cell in ties.cells for w in cell}
    marked = {(i, j) for agent, i, j in look.accents if agent == ties.agent and i != j}
    wanted = {(min(pair), max(pair)) for pair in marked if pair[1] in cell_of.get(pair[0], ())}

    def price(i: int, j: int) -> float:
        if look.lost(ties.agent, i, j):
            return 1e6
        if (min(i, j), max(i, j)) in wanted:
            return -1e6
        # of lines about as long, those are clearest that join worlds alike
        apart, a, b = (graph.bits[i] ^ graph.bits[j]).bit_count(), nodes[i].position, nodes[j].position
        alike = 0.5 * max(0, min(apart, 3) - 1) * dist(a, b)
        if abs(a.x - b.x) >= 0.5 * abs(a.y - b.y):
            return alike
        upper = max(nodes[i], nodes[j], key=lambda node: node.position.y)
        return alike + 4 * upper.text_size[1]  # the line leaves it through the text below

    lines = set(wanted)
    for cell in ties.cells:
        if look.edges == "full":
            lines.update(combinations(cell, 2))
        elif not look.outlines(ties) or (ties.agent, cell) in apart:
            lines.update(spanning_tree(cell, lambda i, j: obstacles.length(i, j) + price(i, j)))
    out = dict.fromkeys(sorted(lines), (False, False))
    place = [node.position for node in nodes]
    arrows = ties.pairs
    if cell_of:
        arrows = marked & ties.arrows
        for w, seen in ties.outside:
            arrows.add((w, min(seen, key=lambda v: round(dist(place[w], place[v]), 6))))
    for i, j in sorted(arrows):
        pair = min(i, j), max(i, j)
        if pair in lines:
            continue  # a marked step inside a group
        back, forth = out.get(pair, (False, False))
        out[pair] = back or i > j, forth or i < j
    return out


def _base_bow(
    start: Point, end: Point, obstacles: _Obstacles, ends: tuple[int, int], centre: Point, spread: float
) -> float:
    """Return the smallest bow that keeps the lines between two nodes clear of all others."""
    # outward first: to the left if the middle of the picture is on the right
    outward = -1.0 if turn(start, end, centre) > 0 else 1.0
    enough = _CLEARANCE + spread
    best = (-inf, 0.0)
    for size in _BOWS if len(obstacles.nodes) <= _MANY else _BOWS[::3]:
        for bow in (outward * size, -outward * size):
            room = obstacles.room(bowed(start, end, bow), 25, ends, enough)
            if room >= enough:
                return bow
            best = max(best, (room - 0.2 * size, bow))
    return best[1]


_BOWS = (0.0, 10.0, 16.0, 22.0, 29.0, 37.0, 46.0, 58.0, 72.0, 90.0)
_MANY = 150  # nodes; among more, fewer bends are tried


def _clipped(source: Node, target: Node, bow: float, heads: tuple[bool, bool]) -> Curve:
    """Return a curve between two nodes, cut off at their outlines, with a gap before an arrow head."""
    curve = bowed(source.position, target.position, bow)
    start = _leaving(curve, lambda spot: source.distance(spot) - 1.2 * heads[0])
    end = 1 - _leaving(curve[::-1], lambda spot: target.distance(spot) - 1.2 * heads[1])
    return cut(curve, start, end) if start < end else curve


def _leaving(curve: Curve, distance: Callable[[Point], float]) -> float:
    """Return the parameter at which a curve that begins within a shape first leaves it.

    `distance`: that of a point from the shape, or any negative number if it is inside.
    """
    inside, deep = 0.0, distance(curve[0])
    for k in range(1, 17):
        outside, far = k / 16, distance(spot_on(curve, k / 16))
        if far > 0:
            break
        inside, deep = outside, far
    while deep <= 0 < far and outside - inside > 1e-4:
        middle = inside + (outside - inside) * deep / (deep - far)
        if abs(found := distance(spot_on(curve, middle))) < _EXACT:
            return middle
        if found > 0:
            outside, far = middle, found
        else:
            inside, deep = middle, found
    return outside if deep <= 0 else inside


def _bent(line: Edge, nodes: Sequence[Node], bow: float) -> Edge:
    """Return a line with another bow, from node to node."""
    curve = _clipped(nodes[line.source], nodes[line.target], bow, line.heads)
    return replace(line, curve=curve, bow=bow)


def _off_texts(lines: Sequence[Edge], drawn: Sequence[_Trace], nodes: Sequence[Node]) -> list[Edge]:
    """Return the lines, with another bow where they run through texts, if one is free."""
    obstacles, out = _Obstacles(nodes), list(lines)
    written = SpatialIndex([box for node in nodes if (box := node.label_box)])
    bows = [sign * bow for bow in _BOWS for sign in (1, -1)]
    parallel = grouped(((line.source, line.target), number) for number, line in enumerate(lines))

    def struck(trace: _Trace) -> bool:
        return any(striking([trace], written.boxes[k]) for k in written.near(trace.box))

    def is_free(line: Edge) -> bool:
        room = obstacles.room(line.curve, 25, (line.source, line.target), _CLEARANCE)
        return room >= _CLEARANCE and not struck(*traces([line]))

    for number, line in enumerate(lines):
        if struck(drawn[number]):
            beside = [out[k].bow for k in parallel[line.source, line.target] if k != number]
            apart = [bow for bow in bows if all(abs(bow - other) >= _SPACING for other in beside)]
            ways = (_bent(line, nodes, bow) for bow in sorted(apart, key=lambda bow: abs(bow - line.bow)))
            out[number] = next(filter(is_free, ways), line)
    return out


# --- loops -----------------------------------------------------------------------------------------


def _looped(nodes: Sequence[Node], graph: Graph, look: Look, lines: Sequence[_Trace]) -> list[Edge]:
    """Return the loops, each where it has most room; with labels, agents share the loops of a node."""
    agents = grouped((number, ties.agent) for ties in graph.ties for number in sorted(ties.loops))
    found: list[Edge] = []
    for number, own in agents.items():
        taken = [box for other in found for box in _place_of_loop(other)]
        side = _loop_side(number, nodes, lines, taken, look.label(own) if look.edge_labels else ())
        for k, group in enumerate([own] if look.edge_labels else [[agent] for agent in own]):
            curve = _loop(nodes[number], side, _LOOP * (1 + 0.3 * k))
            edge = look.edge(group, number, number, (False, True), curve)
            if look.edge_labels:
                edge = replace(edge, label=_loop_label(look.label(group), Rect.of(sampled(curve, 17)), side))
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


def _place_of_loop(loop: Edge) -> list[Rect]:
    """Return the boxes of a loop and its label."""
    return [Rect.of(sampled(loop.curve, 17)), *([loop.label.box] if loop.label else [])]


def _loop_side(
    number: int, nodes: Sequence[Node], lines: Sequence[_Trace], taken: Sequence[Rect], names: Text
) -> str:
    """Return the side where a loop with these names has most room: above, left, right or below."""

    def against(side: str) -> float:
        shape = sampled(_loop(nodes[number], side, _LOOP), 17)
        extent = Rect.of(shape)
        room = Rect.union([extent, _loop_label(names, extent, side).box]) if names else extent
        touched = sum(
            any(node.distance(point) < 3 for point in shape)
            for other, node in enumerate(nodes)
            if other != number and node.box.grown(3).overlaps(extent)
        )
        return (
            1.5 * len(striking(lines, extent.grown(-3)))
            + 0.5 * len(striking(lines, room))
            + 4 * touched
            + 4 * sum(map(room.overlaps, taken))
        )

    sides = "above", "left", "right", "below"
    return min(sides, key=lambda side: against(side) + 0.1 * sides.index(side))


def _loop_label(text: Text, extent: Rect, side: str) -> Label:
    dx, dy, _ = SIDES[side]
    x = extent.centre.x + dx * (extent.width / 2 + width_of(text, LABEL_SIZE) / 2 + 3)
    y = extent.centre.y + dy * (extent.height / 2 + 0.6 * LABEL_SIZE)
    return Label(text, Point(x, y - 0.33 * LABEL_SIZE), LABEL_SIZE)


# --- texts -----------------------------------------------------------------------------------------


class _Trace(NamedTuple):
    """The bounding box of a line, its straight pieces, and the nodes that it joins."""

    box: Rect
    pieces: Sequence[tuple[float, float, float, float]]  # each by its middle and half its extent
    ends: tuple[int, int]


def traces(lines: Iterable[Edge]) -> list[_Trace]:
    """Return the courses of lines."""
    found = []
    for line in lines:
        points = sampled(line.curve, 17 if line.bow or line.source == line.target else 2)
        halves = [((a + c) / 2, (b + d) / 2, (c - a) / 2, (d - b) / 2) for (a, b), (c, d) in pairwise(points)]
        found.append(_Trace(Rect.of(points), halves, (line.source, line.target)))
    return found


def striking(lines: Iterable[_Trace], box: Rect) -> list[_Trace]:
    """Return the lines that cross a box."""
    (middle_x, middle_y), wide, high = box.centre, box.width / 2, box.height / 2

    def met(piece: tuple[float, float, float, float]) -> bool:
        x, y, across, up = piece
        x, y = x - middle_x, y - middle_y
        if abs(x) >= wide + abs(across) or abs(y) >= high + abs(up):
            return False
        return abs(x * up - y * across) < wide * abs(up) + high * abs(across)

    around = box.grown(0.01)
    return [line for line in lines if line.box.overlaps(around) and any(map(met, line.pieces))]


def _labelled(lines: list[Edge], look: Look, drawn: Sequence[_Trace], taken: Sequence[Rect]) -> list[Edge]:
    """Return the lines with their agents' names, placed near the middle in free space."""
    places = list(taken)
    out = []
    for number, line in enumerate(lines):
        text = look.label(line.agents)
        others = [trace for other, trace in enumerate(drawn) if other != number]
        spot = _label_spot(line.curve, width_of(text, LABEL_SIZE), places, others)
        label = Label(text, spot.moved(Point(0, -0.33 * LABEL_SIZE)), LABEL_SIZE)
        places.append(label.box)
        out.append(replace(line, label=label))
    return out


def _label_spot(curve: Curve, width: float, taken: Sequence[Rect], others: Sequence[_Trace]) -> Point:
    """Return the centre of a label on a line, avoiding other lines if possible."""
    best = (inf, Point(0, 0))
    points = sampled(curve, 101)
    for rank, place in enumerate((50, 42, 58, 35, 65, 28, 72)):
        if best[0] < rank:
            break
        spot = Point(*points[place])
        box = Rect.at(spot, width / 2 + 1.5, LABEL_SIZE / 2 + 1)
        hits = 10.0 * sum(map(box.overlaps, taken)) + 2.5 * len(striking(others, box))
        hits += 2.0 * len(striking(others, box.grown(_BESIDE)))
        best = min(best, (hits + rank, spot))
    return best[1]


def _sided(
    nodes: Sequence[Node], lines: Sequence[_Trace], taken: Sequence[Rect], widest: float
) -> list[Node]:
    """Return the nodes with their texts on the sides with most room.

    All start below, where the arrangement left room; a text moves to a free side that fewer lines cross, and
    that is on the page.
    """
    out = list(nodes)
    boxes = [node.box for node in nodes]
    texts = {number: node.beside("below") for number, node in enumerate(nodes) if node.texts}
    middle = Rect.union([*boxes, *texts.values()]).centre.x
    sides = {number: {side: nodes[number].beside(side) for side in SIDES} for number in texts}
    whole = [
        Rect.union(sides[number].values()).grown(2) if number in sides else box
        for number, box in enumerate(boxes)
    ]
    close, lying = SpatialIndex(whole), SpatialIndex([line.box for line in lines])
    for _ in range(2):
        for number, own in sides.items():
            around = whole[number]
            through = [lines[k] for k in lying.near(around)]
            reserved = [box for box in taken if box.overlaps(around)]
            near = [other for other in close.near(around) if other != number]
            others = [boxes[other] for other in near] + [texts[other] for other in near if other in texts]
            blocked = [*filter(around.overlaps, others), *reserved]
            best = (inf, out[number].side)
            for side, box in own.items():
                if side != "below" and any(map(box.grown(2).overlaps, blocked)):
                    continue
                hits = 3.0 * sum(map(box.overlaps, reserved))
                hits += _BEYOND * max(0.0, box.right - middle - widest / 2, middle - widest / 2 - box.left)
                for line in striking(through, box.grown(BARELY)):
                    hits += 1 + (number in line.ends)  # its own would have to go round it
                best = min(best, (2.0 * hits + SIDES[side][2], side))
            out[number] = replace(nodes[number], side=best[1])
            texts[number] = own[best[1]]
    return out


# --- hulls -----------------------------------------------------------------------------------------


def _hulls(nodes: Sequence[Node], graph: Graph, look: Look) -> Iterator[Hull]:
    """Yield an outline for each cell of two or more nodes, including the texts beside them.

    It is a rectangle or convex; empty if that encloses other nodes. The outline of a smaller cell, or of a
    later agent, lies inside.
    """
    drawn = [ties for ties in graph.ties if look.outlines(ties)]
    cells = [(ties, cell) for ties in reversed(drawn) for cell in ties.cells if len(cell) > 1]
    found: list[tuple[str, tuple[int, ...], float]] = []
    for ties, cell in sorted(cells, key=lambda own: len(own[1])):
        inner = [wide for _, other, wide in found if not set(cell).isdisjoint(other)]
        found.append((ties.agent, cell, max(inner, default=1.0) + 4.0))
    for agent, cell, wide in reversed(found):
        yield Hull(agent, cell, tuple(_outline(cell, nodes, wide)), look.pens[agent])


def _at_outlines(line: Edge, nodes: Sequence[Node], hulls: Sequence[Hull]) -> Edge:
    """Return a line whose arrow heads touch the outlines of the groups that they lead to."""
    cells = [hull for hull in hulls if hull.outline and hull.agent in line.agents and any(line.heads)]
    entered = [hull for hull in cells if (line.source in hull.members) != (line.target in hull.members)]
    if entered:
        line = at_worlds(line, nodes)
    for hull in entered:
        inside = inside_polygon(hull.outline)

        def distance(spot: Point) -> float:
            return 0.5 - inside(spot)  # noqa: B023 (called at once)

        if line.target in hull.members:
            curve = cut(line.curve, 0.0, 1 - _leaving(line.curve[::-1], distance))
            line = replace(line, curve=curve, target=_nearest(curve[-1], hull, nodes))
        else:
            curve = cut(line.curve, _leaving(line.curve, distance), 1.0)
            line = replace(line, curve=curve, source=_nearest(curve[0], hull, nodes))
    return line


def _nearest(tip: Point, hull: Hull, nodes: Sequence[Node]) -> int:
    return min(hull.members, key=lambda number: nodes[number].distance(tip))


def at_worlds(line: Edge, nodes: Sequence[Node]) -> Edge:
    """Return a line whose heads touch its nodes, not outlines around them."""
    headless = line.source == line.target or not any(line.heads)
    return line if headless else _bent(line, nodes, line.bow)


def _outline(cell: Sequence[int], nodes: Sequence[Node], wide: float) -> list[Point]:
    """Return an outline around nodes and, if possible, their texts; none if it would enclose others."""
    members = [nodes[number] for number in cell]
    others = [node for number, node in enumerate(nodes) if number not in cell]
    texts = [node.beside(node.side) for node in members if node.texts]
    ends = [end for box in texts for end in box.grown(BARELY).corners]
    corners = [corner for node in members for corner in _rim(node, wide)]
    rims = [rounded(box.centre, Point(box.width / 2, box.height / 2), wide / 2, 4) for box in texts]

    def shapes() -> Iterator[list[Point]]:
        outline = convex_hull(chain(corners, *rims))
        block = _block(outline, wide)
        if block and all(map(inside_polygon(block), ends)):
            yield block
        yield outline
        yield convex_hull(corners)

    best = inf, list[Point]()
    for shape in shapes():
        if _free(shape, others) and (held := _texts_in(shape, others)) < best[0]:
            best = held, shape
        if not best[0]:
            break
    return best[1]


def _free(outline: Sequence[Point], others: Sequence[Node]) -> bool:
    """Return whether no part of some nodes is inside an outline."""
    extent = Rect.of(outline)
    near = [node for node in others if extent.overlaps(node.box)]
    spots = [spot for node in near for spot in (node.position, *_rim(node, 2.0, 4))]
    return not spots or not any(map(inside_polygon(outline), spots))


def _texts_in(outline: Sequence[Point], others: Sequence[Node]) -> int:
    """Return the number of corners of the texts of some nodes that are inside an outline."""
    texts, extent = [node.beside(node.side) for node in others if node.texts], Rect.of(outline)
    corners = [corner for box in texts if box.overlaps(extent) for corner in box.corners]
    return sum(map(inside_polygon(outline), corners)) if corners else 0


def _block(outline: Sequence[Point], wide: float) -> list[Point]:
    """Return a rectangle with round corners around a convex outline that nearly fills one."""
    extent = Rect.of(outline)
    if extent.width * extent.height >= 1.5 * area(outline):
        return []
    radius = min(18 + wide, extent.width / 2, extent.height / 2)
    return rounded(extent.centre, Point(extent.width / 2 - radius, extent.height / 2 - radius), radius)


def _rim(node: Node, wide: float, step: int = 1) -> list[Point]:
    """Return points around a node; one in `step`."""
    small = min(node.half) if node.shape == "round" else 0.0
    straight = Point(node.half.x - small, node.half.y - small)
    return rounded(node.position, straight, small + node.extent.x - node.half.x + wide, step)
