"""Scenes as DOT, the language of Graphviz: worlds and lines keep their places; lines carry the agents' names.

Graphviz arranges nothing (layout `nop2`): it may crash when it routes many lines. It cannot draw
outlines around given worlds; lines join the worlds of a class instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import dist

from visualise.geometry import Point, raised, spanning_tree
from visualise.palette import ACCENT_FILL, DASHES
from visualise.record import record_of, sealed
from visualise.routing import at_worlds
from visualise.scene import Edge, Hull, Node, Scene
from visualise.text import in_list, plain, text_of
from visualise.themes import Theme, coloured


def to_dot(scene: Scene) -> str:
    """Return the scene as a DOT graph, undirected if no edge has an arrow head."""
    directed = any(any(edge.heads) for edge in scene.edges)
    names = {entry.agent: text_of(entry.text) for entry in scene.legend if entry.agent is not None}
    caption = "\n".join(_caption(scene))
    sized = look = ground = ""
    if scene.scale != 1:
        size = ",".join(f"{scene.scale * side / 72:.2f}" for side in (scene.box.width, scene.box.height))
        sized = f' size="{size}!",'
    scene, theme = coloured(scene)
    arrows = [at_worlds(edge, scene.nodes) for edge in scene.edges] if scene.hulls else scene.edges
    joined = (edge for hull in scene.hulls for edge in _joined(hull, scene))
    edges = [(edge, _label(edge, names)) for edge in (*arrows, *joined)]
    if scene.theme != "light":
        look = f', color="{theme.ink}", fontcolor="{theme.ink}"'
        ground = f', bgcolor="{theme.paper}"{look}'
    lines = [
        f"{'digraph' if directed else 'graph'} model {{",
        f"  graph [layout=nop2, outputorder=edgesfirst,{sized} label={_quoted(caption)}{ground}];",
        '  node [fontname="Helvetica", fontsize=11, fixedsize=true, style=filled,'
        f' fillcolor="{theme.paper}"{look}];',
        f'  edge [fontname="Helvetica", fontsize=10{look}];',
        *(f"  {_node(node, theme)}" for node in scene.nodes),
        *(f"  {_edge(edge, label, scene, directed, theme)}" for edge, label in edges),
        f"// model: {record_of((scene.model, scene.unread))}",
        "}",
    ]
    return sealed("\n".join(lines) + "\n", ".dot")


def _caption(scene: Scene) -> Iterator[str]:
    """Yield the lines below the graph: the notes, and the legend of fills."""
    for note in scene.notes:
        yield text_of(note.text)
    if scene.hulls:
        yield "Outlines are drawn as lines without heads."
    if any(len(hull.members) > 2 for hull in scene.hulls):
        yield "Lines implied by transitivity are left out."
    for entry in scene.legend:
        if entry.fill:
            filled = "marked" if entry.fill == ACCENT_FILL else "filled"
            yield f"{filled}: {text_of(entry.text)}"


def _joined(hull: Hull, scene: Scene) -> Iterator[Edge]:
    """Yield lines that join the worlds of a class."""
    places = [node.position for node in scene.nodes]
    for i, j in spanning_tree(hull.members, lambda i, j: dist(places[i], places[j])):
        yield Edge((hull.agent,), i, j, (places[i], places[j]), (False, False), hull.pen)


def _quoted(text: str) -> str:
    """Return a DOT string with backslashes, quotes and line breaks escaped."""
    shown = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{shown}"'


def _node(node: Node, theme: Theme) -> str:
    looks = {
        "label": text_of(node.name),
        "pos": _place(node.position),
        "width": f"{node.half.x / 36:.3f}",
        "height": f"{node.half.y / 36:.3f}",
        "shape": _SHAPES[node.kind],
    }
    if node.lines:
        looks["xlabel"] = "\n".join(text_of(line.text) for line in node.lines)
    if node.ring:
        looks["peripheries"] = "2"
    if node.fill != theme.paper:
        looks["fillcolor"] = node.fill
    if node.stroke != theme.ink:
        looks["color"] = looks["fontcolor"] = node.stroke
    if node.accent:
        looks["color"], looks["penwidth"] = theme.accent, "3"
    return f"{node.key} [{_listed(looks)}];"


_SHAPES = {"event": "box", "world": "circle", "wide world": "ellipse"}


def _place(point: Point) -> str:
    return f"{point.x:.1f},{point.y:.1f}"


def _course(edge: Edge) -> str:
    """Return the tips of the arrow heads and the control points of a cubic curve."""
    curve, heads = edge.arrows()
    ends = [end for end, wanted in zip("se", edge.heads, strict=True) if wanted]
    tips = [f"{end},{_place(head[0])}" for end, head in zip(ends, heads, strict=True)]
    return " ".join([*tips, *map(_place, raised(curve))])


def _label(edge: Edge, names: dict[str, str]) -> str:
    if edge.label:
        return text_of(edge.label.text)
    return ", ".join(in_list(names.get(agent, text_of(plain(agent)))) for agent in edge.agents)


def _edge(edge: Edge, label: str, scene: Scene, directed: bool, theme: Theme) -> str:
    double, style = divmod(DASHES.index(edge.pen.dashes), len(_STYLES))
    colour = f"{edge.pen.colour}:{theme.paper}:{edge.pen.colour}" if double else edge.pen.colour
    looks = {"label": label, "pos": _course(edge), "color": colour, "style": _STYLES[style]}
    if edge.label:
        looks["lp"] = _place(edge.label.box.centre)
    if edge.accent:
        looks["penwidth"] = "3"
    if directed:
        looks["dir"] = _DIRECTIONS[edge.heads]
    ends = f"{scene.nodes[edge.source].key} {'->' if directed else '--'} {scene.nodes[edge.target].key}"
    return f"{ends} [{_listed(looks)}];"


_STYLES = ("solid", "dashed", "dotted")  # then the same as double lines
_DIRECTIONS = {(False, False): "none", (True, False): "back", (False, True): "forward", (True, True): "both"}


def _listed(looks: dict[str, str]) -> str:
    return ", ".join(f"{key}={_quoted(value)}" for key, value in looks.items())
