"""Scenes as SVG: deterministic, with titles for hovering and for screen readers.

Names of worlds, atoms and agents are escaped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape

from visualise.geometry import Point, Rect
from visualise.palette import Pen
from visualise.record import in_markup, record_of, sealed
from visualise.scene import RING, Edge, Hull, Label, LegendEntry, Node, Scene, Sign
from visualise.text import FAMILY, INDEX_DROP, INDEX_SCALE, Text, text_of
from visualise.themes import Theme, coloured

_THIN = 0.8  # the width of the lines of icons


def to_svg(scene: Scene, *, agents: Sequence[str] | None = None) -> str:
    """Return the scene as an SVG document, in points.

    With `agents`, lines and worlds carry the numbers of agents as data attributes, for scripts; other
    documents carry the record of the model, for `read`.
    """
    box = scene.box
    record = f"{in_markup(record_of((scene.model, scene.unread)))} " if agents is None else ""
    width, height = _number(box.width), _number(box.height)
    size = f'width="{_number(scene.scale * box.width)}" height="{_number(scene.scale * box.height)}"'
    scene, theme = coloured(scene)
    flip = _Flipped(-box.left, box.top, agents, theme)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} '
        f'viewBox="0 0 {width} {height}" role="img" xml:space="preserve" {record}'
        f'font-family="{", ".join(FAMILY)}">',
        f"<title>{clean(scene.title)}</title>",
        f"<desc>{clean(scene.description)}</desc>",
        f'<rect width="{width}" height="{height}" fill="{theme.paper}"/>',
        *map(flip.hull, scene.hulls),
        *(flip.line(edge, k) for k, edge in enumerate(scene.edges)),
        *(flip.node(node, k) for k, node in enumerate(scene.nodes)),
        *(flip.boxed(edge.label, k) for k, edge in enumerate(scene.edges) if edge.label),
        *map(flip.entry, scene.legend),
        *(flip.text(note, kind=' class="note"') for note in scene.notes),
        "</svg>",
    ]
    text = "\n".join(parts) + "\n"
    return sealed(text, ".svg") if record else text


def clean(text: str) -> str:
    """Return a string escaped for XML; characters that XML forbids become U+FFFD."""
    return escape(_FORBIDDEN.sub("\ufffd", text), quote=False)


_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _number(value: float) -> str:
    """Return a length with at most two decimals."""
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def _stroke(pen: Pen) -> str:
    """Return the attributes of a line."""
    dashes = f' stroke-dasharray="{" ".join(map(_number, pen.dashes))}"' if pen.dashes else ""
    return f'stroke="{pen.colour}" stroke-width="{_number(pen.width)}"{dashes}'


class _Flipped:
    """The plane of the scene moved to the origin, y downwards."""

    def __init__(self, left: float, top: float, agents: Sequence[str] | None, theme: Theme) -> None:
        self.left, self.top, self.theme = left, top, theme
        self.numbers = None if agents is None else {agent: str(k) for k, agent in enumerate(agents)}

    def data(self, agents: Iterable[str]) -> str:
        """Return the data attribute with the agents of a line."""
        if self.numbers is None:
            return ""
        return f' data-agents="{" ".join(self.numbers[a] for a in agents if a in self.numbers)}"'

    def point(self, p: Point) -> Point:
        return Point(p.x + self.left, self.top - p.y)

    def polygon(self, corners: Iterable[Point], attributes: str) -> str:
        points = " ".join(f"{_number(p.x)},{_number(p.y)}" for p in map(self.point, corners))
        return f'<polygon points="{points}" {attributes}/>'

    def path(self, curve: Iterable[Point], pen: Pen, more: str = "") -> str:
        start, *rest = (f"{_number(p.x)} {_number(p.y)}" for p in map(self.point, curve))
        turn = {1: "L", 2: "Q", 3: "C"}[len(rest)]
        return f'<path d="M{start}{turn}{" ".join(rest)}" fill="none" {_stroke(pen)}{more}/>'

    def hull(self, hull: Hull) -> str:
        look = f'fill="{hull.pen.colour}" fill-opacity="0.08" {_stroke(replace(hull.pen, width=1.4))}'
        return (
            f'<g class="hull"{self.data([hull.agent])}>\n<title>{clean(hull.agent)}</title>\n'
            f"{self.polygon(hull.outline, look)}\n</g>"
        )

    def line(self, edge: Edge, index: int) -> str:
        """Return a line between worlds, with their numbers, and with its own if it has a label."""
        own = f' data-line="{index}"' if edge.label else ""
        joined = f'{self.data(edge.agents)} data-ends="{edge.source} {edge.target}"{own}'
        return self.edge(edge, f' class="edge"{joined}')

    def edge(self, edge: Edge, looks: str = "") -> str:
        body, heads = edge.arrows()
        whose = text_of(edge.label.text) if edge.label else ", ".join(edge.agents)
        parts = [f"<title>{clean(whose)}</title>"]
        if edge.accent:
            glow = Pen(self.theme.accent, (), edge.pen.width + 5.5)
            parts.append(self.path(edge.curve, glow, ' stroke-opacity="0.55"'))
        parts.append(self.path(body, edge.pen))
        parts += [self.polygon(head, f'fill="{edge.pen.colour}"') for head in heads]
        return f"<g{looks}>\n" + "\n".join(parts) + "\n</g>"

    def node(self, node: Node, index: int) -> str:
        parts = [f"<title>{clean(node.title)}</title>"]
        if node.accent:
            parts.append(self.outline(node, RING + 4.5, f'fill="{self.theme.accent}" fill-opacity="0.55"'))
        line = f'stroke="{node.stroke}" stroke-width="1.2"'
        if node.ring:
            parts.append(self.outline(node, RING, f'fill="{self.theme.paper}" {line}'))
        parts.append(self.outline(node, 0, f'class="face" fill="{node.fill}" {line}'))
        parts += [self.sign(node, sign) for sign in node.placed_signs] or [self.text(*node.labels)]
        parts += [self.text(label, halo=True) for label in node.lines]
        x, y = self.point(node.position)
        drawn = f' data-at="{_number(x)} {_number(y)}"' if self.numbers is None else ""
        return f'<g class="world" data-w="{index}"{drawn}>\n' + "\n".join(parts) + "\n</g>"

    def sign(self, node: Node, sign: Sign) -> str:
        """Return an icon, with its atoms and those that are true as data."""
        about, true = (clean(json.dumps(atoms)).replace('"', "&quot;") for atoms in (sign.about, sign.true))
        parts = []
        for corners, fill in sign.shapes:
            pen = _stroke(Pen(self.theme.rim(node.stroke), (), _THIN))
            parts.append(self.polygon(corners, f'fill="{self.theme.part(fill)}" {pen}'))
        inside = "\n".join([*parts, *map(self.text, sign.labels)])
        return f'<g class="icon" aria-hidden="true" data-about="{about}" data-true="{true}">\n{inside}\n</g>'

    def outline(self, node: Node, grown: float, look: str) -> str:
        x, y = self.point(node.position)
        w, h = node.half.x + grown, node.half.y + grown
        if node.shape == "round" and w == h:
            return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(w)}" {look}/>'
        return self.box(Rect.at(node.position, w, h), f'rx="{_number(node.corner(w, h))}" {look}')

    def boxed(self, label: Label, index: int) -> str:
        ground = self.box(label.ground, f'fill="{self.theme.paper}"')
        return f'<g class="label" data-line="{index}">\n{ground}\n{self.text(label)}\n</g>'

    def entry(self, entry: LegendEntry) -> str:
        if entry.pen:
            heads = (False, entry.heads)
            line = self.edge(Edge((entry.agent or "",), 0, 1, entry.line, heads, entry.pen))
            return f'<g class="sample">\n{line}\n{self.text(entry.label)}\n</g>'
        look = f'fill="{entry.fill}" stroke="{self.theme.ink}" stroke-width="0.8"'
        return self.box(entry.patch, look) + "\n" + self.text(entry.label)

    def box(self, box: Rect, look: str) -> str:
        x, y = self.point(Point(box.left, box.top))
        size = f'width="{_number(box.width)}" height="{_number(box.height)}"'
        return f'<rect x="{_number(x)}" y="{_number(y)}" {size} {look}/>'

    def text(self, label: Label, *below: Label, kind: str = "", halo: bool = False) -> str:
        x, y = self.point(label.at)
        place = f'x="{_number(x)}" y="{_number(y)}"'
        look = f'font-size="{_number(label.size)}" fill="{label.colour}"{kind}'
        if label.anchor != "start":
            look += f' text-anchor="{label.anchor}"'
        if halo:
            look += f' stroke="{self.theme.paper}" stroke-width="2.4"'
            look += ' paint-order="stroke" stroke-linejoin="round"'
        shown = _runs(label.text, label.size)
        for other in below:
            x, y = self.point(other.at)
            shown += f'<tspan x="{_number(x)}" y="{_number(y)}">{_runs(other.text, other.size)}</tspan>'
        return f"<text {place} {look}>{shown}</text>"


def _runs(text: Text, size: float) -> str:
    """Return the runs of a text as `tspan` elements; an index is lowered, and the next run raised again."""
    out = []
    low = False
    for run in text:
        looks = []
        if (run.style == "index") != low:
            low = not low
            looks.append(f'dy="{_number((1 if low else -1) * INDEX_DROP * size)}"')
        if low:
            looks.append(f'font-size="{_number(INDEX_SCALE * size)}"')
        elif run.style == "italic":
            looks.append('font-style="italic"')
        elif run.style == "bold":
            looks.append('font-weight="bold"')
        shown = clean(run.text)
        out.append(f"<tspan {' '.join(looks)}>{shown}</tspan>" if looks else shown)
    return "".join(out)
