"""Reads pictures back: from what a figure shows to the model that it is a picture of.

A reader knows the conventions (a line without heads joins worlds that the agent cannot tell apart,
a double outline designates, an index follows an underscore) and otherwise goes by what stands in the
figure: its lines, its texts, its legend and its caption.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import dist, hypot, inf
from typing import Any

from tests.visualise.dot_reading import dot_shown
from tests.visualise.shown import Content, World, shown_in, straight
from tests.visualise.svg_reading import page_shown, svg_shown
from tests.visualise.tikz_reading import tikz_shown
from visualise import Scene
from visualise.geometry import inside_polygon
from visualise.text import INDEX_SCALE, Run, width_of

Pair = tuple[int, int]
Spot = tuple[float, float]


@dataclass
class Figure:
    """The content of a figure. A line: its agents, its ends, whether they have heads."""

    worlds: list[World]
    lines: list[tuple[list[str], int, int, tuple[bool, bool]]] = field(default_factory=list)
    outlines: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    legend: list[str] = field(default_factory=list)
    caption: str = ""


@dataclass
class Read:
    """A model as it was read: worlds by number, names as shown.

    `more`: how many true atoms are left out at worlds. `nameless`: how many atoms are false everywhere
    and not named. `beyond`: how many worlds that are not drawn an agent considers possible at a world.
    `weights`: those of agents; `unweighed`: the agents whose weights are said to be left out;
    `silent`: those who are said to have no probabilities.
    """

    names: list[str]
    true: dict[str, set[int]]
    more: dict[int, int]
    nameless: int
    designated: set[int]
    relations: dict[str, set[Pair]]
    beyond: dict[tuple[str, int], int] = field(default_factory=dict)
    weights: dict[str, dict[int, int]] = field(default_factory=dict)
    unweighed: set[str] = field(default_factory=set)
    silent: set[str] = field(default_factory=set)


def model_of(figure: Figure) -> Read:
    """Return the model that a figure shows."""
    count = len(figure.worlds)
    everything = {(i, j) for i in range(count) for j in range(count)}
    identity = {(i, i) for i in range(count)}
    said = list(_sentences(figure.caption))
    true: dict[str, set[int]] = {}
    more: dict[int, int] = {}
    beyond: dict[tuple[str, int], int] = {}
    weights: dict[str, dict[int, int]] = {}
    weighed = any("gives the world the weight k" in sentence for sentence in said)
    zoomed = any("k more worlds possible there, which are not drawn" in sentence for sentence in said)
    for number, world in enumerate(figure.worlds):
        lines = [line if line.endswith(",") else f"{line}," for line in world.beside]
        for atom in _split(" ".join(lines).removesuffix(","), ", "):
            if re.fullmatch(r"\+\d+", atom):
                more[number] = int(atom)
            elif zoomed and (found := re.fullmatch(r"(.*): \+([\d,]+)", atom)):
                beyond[_bare(found[1]), number] = int(found[2].replace(",", ""))
            elif weighed and (found := re.fullmatch(r"(.*): ([\d,]+)", atom)):
                weights.setdefault(_bare(found[1]), {})[number] = int(found[2].replace(",", ""))
            elif atom:
                true.setdefault(_bare(atom), set()).add(number)
    assert not more or "+k: k more atoms are true there" in said
    nameless = 0
    for sentence in said:
        if found := re.fullmatch(r"([\d,]+) atoms are false everywhere", sentence):
            nameless = int(found[1].replace(",", ""))
        elif found := re.fullmatch(r"(.*) (?:is|are) false everywhere", sentence):
            true |= {atom: set() for atom in _listed(found[1])}
        elif found := re.fullmatch(r"(.*) (?:is|are) true (?:everywhere|at all of these worlds)", sentence):
            true |= {atom: set(range(count)) for atom in _listed(found[1])}
    designated = {number for number, world in enumerate(figure.worlds) if world.double}
    if "All worlds are designated" in said:
        assert not designated
        designated = set(range(count))

    def named(pattern: str) -> set[str]:
        found = (re.fullmatch(pattern, sentence) for sentence in said)
        return {name for match in found if match for name in _listed(match[1])}

    knowing = named("(.*) can tell all worlds apart")
    blind = named("(.*) cannot tell any of these worlds apart")
    nowhere = named("(.*) considers? no world possible")
    looped = named("Loops of (.*) are left out")
    figure = replace(
        figure,
        lines=[(list(map(straight, agents)), *more) for agents, *more in figure.lines],
        outlines=[(straight(agent), members) for agent, members in figure.outlines],
    )
    seen = {name for agents, *_ in figure.lines for name in agents} | {name for name, _ in figure.outlines}
    agents = {*map(straight, figure.legend), *seen, *knowing, *blind, *nowhere}
    if {"Loops are left out", "Loops and lines implied by transitivity are left out"} & set(said):
        assert not looped
        looped = agents - knowing - nowhere
    crowded = any(
        sentence.startswith(("Lines without heads join", "Worlds in an outline")) for sentence in said
    )
    lonely = named(
        "Where nothing of (.*) is drawn but arrows that end there, they consider only that world possible"
    )
    ordered = named("Arrows of (.*) that follow by transitivity are left out")
    relations: dict[str, set[Pair]] = {}
    for name in agents:
        if name in nowhere:
            assert name not in seen
            relations[name] = set()
        elif name in knowing or name in blind:
            assert name not in seen
            relations[name] = set(identity if name in knowing else everything)
        else:
            relations[name] = _relation(name, figure, crowded) | (identity if name in looped else set())
        if name in ordered:
            relations[name] = closed(relations[name])
        if name in lonely:
            seeing = {i for i, _ in relations[name]}
            relations[name] |= {(w, w) for w in range(count) if w not in seeing}
    names = [world.name for world in figure.worlds]
    unweighed, silent = named("Weights of (.*) are not shown"), named("There are no probabilities for (.*)")
    return Read(names, true, more, nameless, designated, relations, beyond, weights, unweighed, silent)


def closed(pairs: set[Pair]) -> set[Pair]:
    """Return the transitive closure, by its definition."""
    found = set(pairs)
    while more := {(i, k) for i, j in found for h, k in found if h == j} - found:
        found |= more
    return found


def _relation(name: str, figure: Figure, crowded: bool) -> set[Pair]:
    lot = {w: {w} for w in range(len(figure.worlds))}
    joined = [(i, j) for agents, i, j, heads in figure.lines if name in agents and not any(heads)]
    joined += [pair for agent, members in figure.outlines if agent == name for pair in pairwise(members)]
    for i, j in joined:
        both = lot[i] | lot[j]
        for w in both:
            lot[w] = both
    pairs = {(i, j) for part in lot.values() if len(part) > 1 for i in part for j in part}
    for agents, i, j, heads in figure.lines:
        if name in agents:
            arrows = [(i, j)] * heads[1] + [(j, i)] * heads[0]
            assert i == j or len(arrows) == len(set(arrows))
            pairs |= {(u, w) for u, v in arrows for w in (lot[v] if crowded else {v})}
    return pairs


def _tokens(text: str) -> Iterator[tuple[str, bool]]:
    """Yield characters, and whether they stand outside quotation marks; the marks themselves are left out."""
    inside = False
    for c in text:
        if c in "“”":
            inside = c == "“"
        yield c, not inside and c not in "“”"


def _split(text: str, pattern: str) -> list[str]:
    """Split a string at a pattern outside quotation marks."""
    masked = "".join(c if outside else "\0" for c, outside in _tokens(text))
    cuts = [0, *(k for found in re.finditer(pattern, masked) for k in found.span()), len(text)]
    return [text[a:b] for a, b in zip(cuts[::2], cuts[1::2], strict=True)]


def _sentences(caption: str) -> Iterator[str]:
    for sentence in _split(caption, r"\.(?: |$)"):
        if sentence:
            yield sentence


def _listed(text: str) -> list[str]:
    parts = [part for piece in _split(text, ", ") for part in _split(piece, " and ")]
    return [_bare(part) for part in parts if part]


def _bare(name: str) -> str:
    return straight(re.sub("^“(.*)”$", r"\1", name))


# --- files and scenes -------------------------------------------------------------------------------


def _figure(shown: Content) -> Figure:
    """Return the content of a picture, with the labels of its lines as lists of agents."""
    whole = {name for name in shown.legend if _listed(name) != [name]}  # a name that looks like a list
    lines = [([text] if text in whole else _listed(text), i, j, heads) for text, i, j, heads in shown.lines]
    caption = " ".join(shown.caption.split())
    return Figure(shown.worlds, lines, shown.outlines, shown.legend, caption)


def read_scene(scene: Scene) -> Figure:
    """Read a scene with its legend and its caption."""
    return _figure(shown_in(scene))


def read_svg(text: str) -> Figure:
    """Read an SVG document by its shapes and texts."""
    return _figure(svg_shown(text))


def read_html(text: str) -> Figure:
    """Read the first step of a page."""
    return _figure(page_shown(text))


def read_dot(text: str) -> Figure:
    """Read a graph in DOT by its labels; it has no legend."""
    return _figure(dot_shown(text))


def read_tikz(text: str) -> Figure:
    """Read a TikZ picture by its commands, the styles of lines by their names."""
    return _figure(tikz_shown(text))


# --- marks on a plane ------------------------------------------------------------------------------


@dataclass
class Face:
    """The outline of a node: its centre, half its size, and the radius of its corners."""

    centre: Spot
    half: Spot
    radius: float

    def distance(self, spot: Spot) -> float:
        """Return how far a place is from the outline."""
        x, y = (abs(spot[k] - self.centre[k]) - self.half[k] + self.radius for k in (0, 1))
        return abs(hypot(max(x, 0), max(y, 0)) + min(max(x, y), 0) - self.radius)

    def holds(self, spot: Spot) -> bool:
        """Return whether a place is inside, about as high as the centre."""
        x, y = abs(spot[0] - self.centre[0]), abs(spot[1] - self.centre[1])
        return x < self.half[0] and y < 0.4 * self.half[1]


@dataclass
class Stroke:
    """A line as it is seen: its points, its look, the tips of its heads."""

    points: list[Spot]
    pen: tuple[str, str]
    tips: list[Spot]
    title: str = ""

    @property
    def ends(self) -> list[tuple[Spot, bool]]:
        """The two ends, each where its head's tip is, and whether it has one."""
        out = [(self.points[0], False), (self.points[-1], False)]
        for tip in self.tips:
            place = min((0, 1), key=lambda k: (out[k][1], dist(out[k][0], tip)))
            out[place] = tip, True
        return out


@dataclass
class Writing:
    """A text as it is seen, at its left end and the middle of its height."""

    text: str
    at: Spot


def _figure_of(
    worlds: Sequence[World],
    faces: Sequence[Face],
    strokes: Iterable[Stroke],
    polygons: Iterable[tuple[list[Spot], tuple[str, str]]],
    writings: Sequence[Writing],
    legend: dict[tuple[str, str], str] | None = None,
) -> Figure:
    """Return the figure that marks on a plane make: lines are told by where they end, agents by the pen."""

    def nearest(spot: Spot) -> tuple[float, int]:
        return min(((face.distance(spot), k) for k, face in enumerate(faces)), default=(inf, -1))

    outlines = [(corners, pen) for corners, pen in polygons]
    inside = [[k for k, face in enumerate(faces) if inside_polygon(c, face.centre)] for c, _ in outlines]

    def ended(spot: Spot) -> tuple[float, int]:
        """Return how far the nearest world or outline is, and this world or one inside."""
        found = [nearest(spot)]
        for (corners, _), members in zip(outlines, inside, strict=True):
            if members:
                found.append((from_outline(corners, spot), members[0]))
        return min(found)

    found, samples, used = [], [], set()
    for stroke in strokes:
        (far_a, a), (far_b, b) = (ended(spot) for spot, _ in stroke.ends)
        (samples if max(far_a, far_b) > 10 else found).append((stroke, a, b))
    pens = dict(legend or {})
    for stroke, *_ in samples:
        end = max(stroke.ends)[0]
        text = min(writings, key=lambda w: abs(w.at[1] - end[1]) + (w.at[0] - end[0]) % 1e6)
        pens[stroke.pen] = text.text
        used.add(id(text))
    figure = Figure(list(worlds), legend=list(pens.values()))
    figure.caption = " ".join(w.text for w in writings if id(w) not in used)
    for stroke, a, b in found:
        agents = [pens[stroke.pen]] if stroke.pen in pens else _listed(stroke.title)
        figure.lines.append((agents, a, b, (stroke.ends[0][1], stroke.ends[1][1])))
    for (_, pen), members in zip(outlines, inside, strict=True):
        figure.outlines.append((pens[pen], tuple(members)))
    return figure


def from_outline(corners: Sequence[Spot], spot: Spot) -> float:
    """Return the distance of a place from the sides of a polygon."""
    found = inf
    for (ax, ay), (bx, by) in pairwise([*corners, corners[0]]):
        dx, dy = bx - ax, by - ay
        along = ((spot[0] - ax) * dx + (spot[1] - ay) * dy) / ((dx * dx + dy * dy) or 1.0)
        t = min(1.0, max(0.0, along))
        found = min(found, dist(spot, (ax + t * dx, ay + t * dy)))
    return found


# --- matplotlib ------------------------------------------------------------------------------------


def read_axes(ax: Any) -> Figure:
    """Read the artists on axes: those of one thing have one gid, and say by their shapes what it is."""
    parts: dict[str, tuple[list[Any], list[Any]]] = {}
    for artist in [*ax.patches, *ax.texts]:
        kind = "set_text" in dir(artist)
        parts.setdefault(artist.get_gid(), ([], []))[kind].append(artist)
    worlds, faces, strokes, polygons, writings = [], [], [], [], []
    unit = ax.get_window_extent().width * 72 / ax.figure.dpi / (ax.get_xlim()[1] - ax.get_xlim()[0])
    for gid, (patches, texts) in parts.items():
        shapes = [[(float(x), float(y)) for x, y in patch.get_path().vertices] for patch in patches]
        lines = _writings(texts, unit)
        if gid.startswith("world"):
            outlines = [_face(shape) for shape in shapes]
            face = outlines[-1]
            named = bool(lines) and face.holds(lines[0].at)
            beside = [w.text for w in lines[int(named) :]]
            worlds.append(World(lines[0].text if named else "", beside, len(outlines) > 1))
            faces.append(face)
        elif gid.startswith("line"):
            body, *heads = shapes[: len(shapes) - bool(lines)]
            title = "".join(w.text for w in lines)
            strokes.append(Stroke(body, _pen(patches[0], unit), [head[0] for head in heads], title))
        elif gid.startswith("outline"):
            polygons.append((shapes[0], _pen(patches[0], unit)))
        else:
            writings += lines
            if patches and len(shapes[0]) == 2:
                strokes.append(Stroke(shapes[0], _pen(patches[0], unit), [head[0] for head in shapes[1:]]))
    return _figure_of(worlds, faces, strokes, polygons, writings)


def _face(points: list[Spot]) -> Face:
    xs, ys = zip(*points, strict=True)
    left, right, low, high = min(xs), max(xs), min(ys), max(ys)
    cut = min(dist(point, (right, high)) for point in points)  # what the round takes off the corner
    centre, half = ((left + right) / 2, (low + high) / 2), ((right - left) / 2, (high - low) / 2)
    return Face(centre, half, cut / (2**0.5 - 1))


def _pen(patch: Any, unit: float) -> tuple[str, str]:
    pattern = patch._dash_pattern[1]  # matplotlib has no public name for it
    return str(patch.get_edgecolor()[:3]), str(pattern and [round(float(x / unit), 2) for x in pattern])


@dataclass
class Line(Writing):
    """A text of several runs, and the size of its first."""

    size: float


def _writings(texts: Sequence[Any], unit: float) -> list[Line]:
    """Return the texts of artists, each a run that begins where the one before it ends, maybe lower.

    `unit`: points to a unit of the axes.
    """
    out: list[Line] = []
    end, base = (inf, inf), 0.0
    for artist in texts:
        (x, y), size = artist.get_position(), artist.get_fontsize() / unit
        if abs(x - end[0]) < 0.02 and abs(y - end[1]) < 0.02 * size:
            out[-1].text += artist.get_text()
        elif abs(x - end[0]) < 0.02 and -0.5 < (y - base) / size < -0.1 and size < 0.9 * out[-1].size:
            out[-1].text += "_" + artist.get_text()
        else:
            out.append(Line(artist.get_text(), (x, y + 0.36 * size), size))
            base = y
        style = "index" if y < base else "bold" if artist.get_weight() == "bold" else "plain"
        full = size / INDEX_SCALE if style == "index" else size
        end = x + width_of((Run(artist.get_text(), style),), full), base
    return out
