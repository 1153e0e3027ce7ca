"""Reads pictures back: from what a figure shows to the model that it is a picture of.

A reader knows the conventions (a line without heads joins worlds that the agent cannot tell apart,
a double outline designates, an index follows an underscore) and otherwise goes by what stands in the
figure: its lines, its texts, its legend and its caption.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import dist, inf
from typing import TYPE_CHECKING

import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text

from tests.visualise.dot_reading import dot_shown
from tests.visualise.shown import Content, World, shown_in, straight
from tests.visualise.svg_reading import page_shown, svg_shown
from tests.visualise.tikz_reading import tikz_shown
from visualise import Scene
from visualise.scene import RING, Label
from visualise.text import INDEX_DROP, INDEX_SCALE, width_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import PathPatch

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
    `silent`: those who are said to have no probabilities. `ranks`: for agents who find some worlds more
    plausible, the number of layers before that of a world. `named`: whether names say what is true; `digits`:
    the atoms that their digits stand for.
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
    ranks: dict[str, dict[int, int]] = field(default_factory=dict)
    named: bool = False
    digits: list[str] = field(default_factory=list)


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
    ranks: dict[str, dict[int, int]] = {}
    ranked = any("layers of the worlds there more plausible" in sentence for sentence in said)
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
            elif ranked and (found := re.fullmatch(r"(.*): (\d+)°", atom)):
                ranks.setdefault(_bare(found[1]), {})[number] = int(found[2])
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
    says = (s.partition("The digits in the name of a world say whether these are true: ") for s in said)
    digits = [atom for _, found, atoms in says if found for atom in _listed(atoms)]
    spoken = bool(digits) or "The name of a world says which atoms are true there" in said
    more_about = beyond, weights, unweighed, silent, ranks
    return Read(names, true, more, nameless, designated, relations, *more_about, spoken, digits)


def said_by(name: str, atoms: Sequence[str]) -> set[str]:
    """Return the atoms that the name of a world says: by a digit for each, or by their ends in order."""
    letters = "".join(filter(str.isalnum, name))
    if len(letters) == len(atoms) and set(letters) <= {"0", "1"}:
        return {atom for atom, digit in zip(atoms, letters, strict=True) if digit == "1"}
    found = set()
    for atom in atoms:
        for text in (atom, atom.rpartition("_")[2]):
            end = "".join(filter(str.isalnum, text))
            if atom not in found and letters.startswith(end):
                found.add(atom)
                letters = letters.removeprefix(end)
    assert not letters, name
    return found


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


# --- matplotlib ------------------------------------------------------------------------------------


def read_axes(ax: Axes, scene: Scene) -> Figure:
    """Read the artists on axes: those of each thing in the scene are where and as it is, and none is more."""
    unit = ax.get_window_extent().width * 72 / ax.figure.dpi / (ax.get_xlim()[1] - ax.get_xlim()[0])
    drawn: dict[str, tuple[list[PathPatch], list[Text]]] = {}
    for artist in [*ax.patches, *ax.texts]:
        drawn.setdefault(artist.get_gid(), ([], []))[isinstance(artist, Text)].append(artist)
    for number, node in enumerate(scene.nodes):
        shapes, texts = drawn.pop(f"world {number}")
        grown = [RING, 0.0] if node.ring else [0.0]
        for shape, more in zip(shapes, grown, strict=True):
            spots = _spots(shape)
            assert [max(k) for k in zip(*spots, strict=True)] == pytest.approx(
                [node.position[k] + node.half[k] + more for k in (0, 1)]
            )
            assert sum(x for x, _ in spots[:-1]) / (len(spots) - 1) == pytest.approx(
                node.position[0], abs=0.01
            )
        _assert_written(texts, [*node.labels, *node.lines], unit)
    for number, edge in enumerate(scene.edges):
        (body, *shapes), texts = drawn.pop(f"line {number}")
        _assert_written(texts, [edge.label] if edge.label else [], unit)
        tips = [_spots(shape)[0] for shape in shapes[: len(shapes) - bool(edge.label)]]
        ends = [end for end, head in zip((edge.curve[0], edge.curve[-1]), edge.heads, strict=True) if head]
        assert [x for tip in tips for x in tip] == pytest.approx([x for end in ends for x in end])
        for end, spot in zip((edge.curve[0], edge.curve[-1]), (0, -1), strict=True):
            assert dist(end, _spots(body)[spot]) < 10
        assert _pen(body, unit) == (edge.pen.colour.lower(), pytest.approx(edge.pen.dashes))
    for number, hull in enumerate(scene.hulls):
        (shape,), _ = drawn.pop(f"outline {number}")
        assert _spots(shape)[:-1] == [pytest.approx(spot) for spot in hull.outline]
        assert _pen(shape, unit) == (hull.pen.colour.lower(), pytest.approx(hull.pen.dashes))
    for number, entry in enumerate(scene.legend):
        shapes, texts = drawn.pop(f"legend {number}")
        _assert_written(texts, [entry.label], unit)
        if entry.pen:
            assert _pen(shapes[0], unit) == (entry.pen.colour.lower(), pytest.approx(entry.pen.dashes))
    for number, note in enumerate(scene.notes):
        _assert_written(drawn.pop(f"note {number}")[1], [note], unit)
    assert not drawn
    return read_scene(scene)


def _spots(shape: PathPatch) -> list[Spot]:
    return [(float(x), float(y)) for x, y in shape.get_path().vertices]


def _pen(shape: PathPatch, unit: float) -> tuple[str, list[float]]:
    """Return the colour and the dashes of a line; `unit`: points to a unit of the axes."""
    pattern = shape._dash_pattern[1]  # matplotlib has no public name for it
    return to_hex(shape.get_edgecolor()), [float(x / unit) for x in pattern or ()]


def _assert_written(texts: Sequence[Text], labels: Sequence[Label], unit: float) -> None:
    """Check that texts are the runs of labels, each beginning where the one before it ends, indices lower."""
    runs = []
    for label in labels:
        x = label.box.left
        for run in label.text:
            low = run.style == "index"
            y = label.at.y - (INDEX_DROP * label.size if low else 0)
            runs.append((run.text, x, y, label.size * (INDEX_SCALE if low else 1)))
            x += width_of((run,), label.size)
    found = [(t.get_text(), *t.get_position(), t.get_fontsize() / unit) for t in texts]
    assert [text for text, *_ in found] == [text for text, *_ in runs]
    assert [k for _, *rest in found for k in rest] == pytest.approx([k for _, *rest in runs for k in rest])


# --- outlines --------------------------------------------------------------------------------------


def from_outline(corners: Sequence[Spot], spot: Spot) -> float:
    """Return the distance of a place from the sides of a polygon."""
    found = inf
    for (ax, ay), (bx, by) in pairwise([*corners, corners[0]]):
        dx, dy = bx - ax, by - ay
        along = ((spot[0] - ax) * dx + (spot[1] - ay) * dy) / ((dx * dx + dy * dy) or 1.0)
        t = min(1.0, max(0.0, along))
        found = min(found, dist(spot, (ax + t * dx, ay + t * dy)))
    return found
