"""Scenes as DOT, the language of Graphviz, with positions for `neato -n` and colours for all."""

from __future__ import annotations

from visualise.palette import ACCENT, INK, PAPER
from visualise.scene import Edge, Node, Scene
from visualise.text import plain, text_of


def to_dot(scene: Scene) -> str:
    """Return the scene as a DOT graph; its edges are undirected where no edge has an arrow head."""
    directed = any(any(edge.heads) for edge in scene.edges)
    caption = "\n".join("".join(run.text for run in note.text) for note in scene.notes)
    lines = [
        f"{'digraph' if directed else 'graph'} model {{",
        f"  graph [label={_quoted(caption)}, outputorder=edgesfirst];",
        '  node [fontname="Helvetica", fontsize=11, style=filled, fillcolor="#FFFFFF"];',
        '  edge [fontname="Helvetica", fontsize=10];',
        *(f"  {_node(node)}" for node in scene.nodes),
        *(f"  {_edge(edge, scene, directed)}" for edge in scene.edges),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """Return a DOT string: backslashes and quotes escaped, lines kept apart."""
    shown = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{shown}"'


def _node(node: Node) -> str:
    looks = {
        "label": text_of(node.label.text),
        "pos": f"{node.position.x:.1f},{node.position.y:.1f}",
        "shape": "box" if node.shape == "square" else "ellipse" if node.half.x > node.half.y else "circle",
    }
    if node.lines:
        looks["xlabel"] = "\n".join(text_of(line.text) for line in node.lines)
    if node.ring:
        looks["peripheries"] = "2"
    if node.fill != PAPER:
        looks["fillcolor"] = node.fill
    if node.stroke != INK:
        looks["color"] = looks["fontcolor"] = node.stroke
    if node.accent:
        looks["color"], looks["penwidth"] = ACCENT, "3"
    return f"{node.key} [{_listed(looks)}];"


def _edge(edge: Edge, scene: Scene, directed: bool) -> str:
    names = ", ".join(text_of(plain(agent)) for agent in edge.agents)
    looks = {"label": names, "color": edge.pen.colour}
    if edge.pen.dashes:
        looks["style"] = "dotted" if edge.pen.dashes[0] < 2 else "dashed"
    if edge.accent:
        looks["penwidth"] = "3"
    if directed:
        looks["dir"] = {(False, False): "none", (True, False): "back", (False, True): "forward"}.get(
            edge.heads, "both"
        )
    ends = f"{scene.nodes[edge.source].key} {'->' if directed else '--'} {scene.nodes[edge.target].key}"
    return f"{ends} [{_listed(looks)}];"


def _listed(looks: dict[str, str]) -> str:
    return ", ".join(f"{key}={_quoted(value)}" for key, value in looks.items())
