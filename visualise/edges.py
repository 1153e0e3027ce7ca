"""The lines of a scene: routed, with pens, labels and marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from visualise.geometry import Box, Curve, Point, sampled
from visualise.labelling import DIRECTIONS, label_spot, loop_direction, traces
from visualise.layout import GAP
from visualise.palette import FADED, INK, Pen
from visualise.routing import LOOP, EdgeChoice, Place, Triples, loop, route
from visualise.scene import Edge, Label
from visualise.structure import Structure
from visualise.text import elided, plain, width_of

__all__ = ["LABEL_SIZE", "Look", "edges_of", "gap_for"]

LABEL_SIZE = 10.0
_LONGEST_AGENT = (18, 12, 8, 5)
_WIDEST_LABEL = 160.0


@dataclass(frozen=True, slots=True)
class Look:
    """How the lines are drawn: the agents' pens, which lines, with labels or with a legend.

    `accents`: triples (agent, world, world) on an explanation's path. `alive`: those that are not
    lost, None for all.
    """

    pens: tuple[Pen, ...]
    edges: EdgeChoice = "spanning"
    edge_labels: bool = False
    accents: Triples = frozenset()
    alive: Triples | None = None


def edges_of(s: Structure, places: Sequence[Place], look: Look) -> tuple[list[Edge], list[Box]]:
    """Return all edges with their labels, and the places that labels and loops take."""
    lines, loops = route(s, places, look.edges, merge=look.edge_labels, alive=look.alive, wanted=look.accents)
    along = traces([line.curve for line in lines])
    taken: list[Box] = []
    out: list[Edge] = []
    for world, agents in loops.items():
        names = _names(s, agents) if look.edge_labels else ""
        angle = loop_direction(world, places, along, LOOP, taken, partial(_loop_room, names))
        groups = [agents] if look.edge_labels else [(agent,) for agent in agents]
        for k, group in enumerate(groups):
            curve = loop(places[world], angle, LOOP * (1 + 0.3 * k))
            points = sampled(curve, 17)
            extent = Box(*map(float, (*points.min(axis=0), *points.max(axis=0))))
            label = _loop_label(_names(s, group), extent, angle) if look.edge_labels else None
            taken += [extent, label.box] if label else [extent]
            out.append(_edge(s, look, group, (world, world), curve, (False, True), 0.0, label))
    nodes = [Box.at(p.at, p.half.x + p.extra, p.half.y + p.extra) for p in places]
    for number, line in enumerate(lines):
        label = None
        if look.edge_labels:
            text = plain(_names(s, line.agents))
            width = width_of(text, LABEL_SIZE)
            others = np.delete(along, number, axis=0)
            spot = label_spot(line.curve, width, LABEL_SIZE, [*nodes, *taken], others)
            label = Label(text, Point(spot.x, spot.y - 0.33 * LABEL_SIZE), LABEL_SIZE)
            taken.append(label.box)
        ends = line.source, line.target
        out.append(_edge(s, look, line.agents, ends, line.curve, line.heads, line.bow, label))
    return out, taken


def _names(s: Structure, agents: Iterable[int]) -> str:
    """Return what is written on a line of these agents (numbers): names, shorter where they are many."""
    names = [s.ties[a].agent for a in agents]
    for most in _LONGEST_AGENT:
        text = ", ".join(elided(name, most) for name in names)
        if width_of(plain(text), LABEL_SIZE) <= _WIDEST_LABEL:
            break
    return text


def gap_for(s: Structure, look: Look) -> float:
    """Return the space that nodes need between them: room for the names on the lines."""
    if not look.edge_labels:
        return GAP
    some = min(width_of(plain(_names(s, range(len(s.ties)))), LABEL_SIZE), 70.0)
    return max(GAP, some + 22, _widest_label(s) + 22)


def _widest_label(s: Structure) -> float:
    """Return the width of the names of all agents who relate the same two worlds, where it is greatest."""
    related = np.zeros((len(s.ties), s.size, s.size), bool)
    for own, ties in zip(related, s.ties, strict=True):
        for cell in ties.cells:
            own[np.ix_(cell, cell)] = True
        for i, j in ties.pairs:
            own[i, j] = own[j, i] = True
    sets = np.unique(related[:, *np.triu_indices(s.size, 1)], axis=1).T
    texts = (_names(s, np.flatnonzero(agents).tolist()) for agents in sets)
    return max((width_of(plain(text), LABEL_SIZE) for text in texts), default=0.0)


def _edge(
    s: Structure,
    look: Look,
    agents: Sequence[int],
    ends: tuple[int, int],
    curve: Curve,
    heads: tuple[bool, bool],
    bow: float,
    label: Label | None,
) -> Edge:
    triples = {triple for a in agents for triple in ((a, *ends), (a, *ends[::-1]))}
    pen = Pen(INK, (), 1.1) if look.edge_labels else look.pens[agents[0]]
    if look.alive is not None and not triples & look.alive:
        pen = Pen(FADED, pen.dashes, pen.width)
    accent = bool(triples & look.accents)
    return Edge(tuple(s.ties[a].agent for a in agents), *ends, curve, heads, pen, bow, label, accent)


def _loop_room(names: str, extent: Box, angle: float) -> Box:
    return Box.union([extent, _loop_label(names, extent, angle).box]) if names else extent


def _loop_label(names: str, extent: Box, angle: float) -> Label:
    text = plain(names)
    half = width_of(text, LABEL_SIZE) / 2
    x, y = extent.centre
    if angle == DIRECTIONS["above"]:
        y = extent.top + 0.6 * LABEL_SIZE
    elif angle == DIRECTIONS["below"]:
        y = extent.bottom - 0.6 * LABEL_SIZE
    elif angle == DIRECTIONS["left"]:
        x = extent.left - half - 3
    else:
        x = extent.right + half + 3
    return Label(text, Point(x, y - 0.33 * LABEL_SIZE), LABEL_SIZE)
