"""Scenes drawn with matplotlib: on the caller's axes, as files, and as animations."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, replace
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeVar

from kripke_werewolf.base.errors import ModelError
from visualise.geometry import Point, Rect, rounded
from visualise.palette import Pen
from visualise.record import record_of, sealed, sealed_png
from visualise.scene import RING, Edge, Hull, Label, LegendEntry, Node, Scene
from visualise.sequence import Film
from visualise.text import INDEX_DROP, INDEX_SCALE, width_of
from visualise.themes import Theme, coloured

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from PIL.Image import Image

_T = TypeVar("_T")
_LARGEST = 16.0  # inches; larger scenes are scaled down


@contextmanager
def even_fonts(*, drawn: bool = True) -> Iterator[None]:
    """Give one warning that names the characters missing in all fonts; they are shown as boxes.

    There is none if text stays text and is not `drawn`. Hinting is off, so letters keep their proportions at
    every size.
    """
    from matplotlib import rc_context

    with warnings.catch_warnings(record=True) as caught, rc_context({"text.hinting": "none"}):
        warnings.filterwarnings("always", message=".*missing from font.*")
        yield
    missing = []
    for one in caught:
        found = re.match(r"Glyph (\d+) .*missing from font", str(one.message))
        if found:
            missing.append(chr(int(found[1])))
        else:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    if missing and drawn:
        warnings.warn(
            f"no font here has the characters {''.join(dict.fromkeys(missing))!r}, which are drawn as boxes; "
            "install one that has them, or save as .svg",
            stacklevel=4,
        )


def new_axes(ax: Axes | None, size: tuple[float, float], *, filled: bool = False) -> Axes:
    """Return the given axes, or else those of a new pyplot figure of this size in inches.

    `filled`: new axes take the whole figure. Raises `ModelError` for anything but axes.
    """
    from matplotlib.axes import Axes

    if isinstance(ax, Axes):
        return ax
    if ax is not None:
        raise ModelError(f"ax must be the axes of a matplotlib figure, got {ax!r}")
    from matplotlib import pyplot

    if filled:
        return pyplot.figure(figsize=size).add_axes((0, 0, 1, 1))
    return pyplot.figure(figsize=size, layout="constrained").add_subplot()


def draw_scene(scene: Scene, ax: Axes | None = None, *, box: Rect | None = None) -> Axes:
    """Draw a scene on axes, by default on those of a new pyplot figure; return the axes.

    `box`: the part of the plane shown, by default that of the scene. Line widths and text sizes follow the
    present size of the axes. Nothing is shown, and no global setting is read or changed. The artists of one
    object share a gid: `world 0`, `line 0`, `outline 0`, `legend 0`, `note 0`.
    """
    box = box or scene.box
    ax = new_axes(ax, _inches(box, scene.scale), filled=True)
    ax.set_axis_off()
    ax.set_xlim(box.left, box.right)
    ax.set_ylim(box.bottom, box.top)
    ax.set_aspect("equal")
    ax.apply_aspect()
    size = ax.get_window_extent()
    unit = min(size.width / box.width, size.height / box.height) * 72 / ax.figure.dpi  # points per unit
    scene, theme = coloured(scene)
    canvas = _Canvas(ax, unit, theme)
    if theme.instead:
        canvas.ground(box)
    for hull in canvas.named("outline", scene.hulls):
        canvas.hull(hull)
    for edge in canvas.named("line", scene.edges):
        canvas.edge(edge)
    for node in canvas.named("world", scene.nodes):
        canvas.node(node)
    for edge in canvas.named("line", scene.edges):
        if edge.label:
            canvas.text(edge.label, 4, boxed=True)
    for entry in canvas.named("legend", scene.legend):
        canvas.entry(entry)
    for note in canvas.named("note", scene.notes):
        canvas.text(note, 5)
    return ax


def to_png(scene: Scene, dpi: float) -> bytes:
    """Return the scene as the content of a PNG, deterministically; `dpi`: dots per inch."""
    content = _saved(_figure_of(scene, scene.box), format="png", dpi=dpi, metadata={"Software": None})
    return sealed_png(content, record_of((scene.model, scene.unread)))


def to_pdf(scene: Scene) -> bytes:
    """Return the scene as the content of a PDF, deterministically: no date is inside."""
    kept = {"CreationDate": None, "Keywords": record_of((scene.model, scene.unread))}
    content = _saved(_figure_of(scene, scene.box), format="pdf", metadata=kept).decode("latin-1")
    return sealed(content, ".pdf").encode("latin-1")


def _saved(figure: Figure, **how: Any) -> bytes:
    out = BytesIO()
    with even_fonts():
        figure.savefig(out, **how)
    return out.getvalue()


_MODEL_TIME, _LOST_TIME, _LAST_TIME = 1800, 1400, 3200  # milliseconds
_WIDEST_FILM = 1000  # pixels


def to_gif(film: Film, dpi: float | None = None) -> bytes:
    """Return a story as a looping animated GIF, with lost worlds in grey between two models.

    The default is 144 dots per inch, less for large pictures.
    """
    times = [_MODEL_TIME] * (len(film.scenes) - 1) + [_LAST_TIME]
    shown: list[tuple[Scene, int]] = []
    for scene, time, lost in zip(film.scenes, times, (*film.between, None), strict=True):
        shown.append((scene, time))
        if lost:
            shown.append((lost, _LOST_TIME))
    images = [_image(scene, film.box, dpi) for scene, _ in shown]
    out = BytesIO()
    durations = [time for _, time in shown]
    images[0].save(out, "GIF", save_all=True, append_images=images[1:], duration=durations, loop=0)
    return out.getvalue()


def _image(scene: Scene, box: Rect, dpi: float | None) -> Image:
    from PIL import Image

    figure = _figure_of(scene, box)
    dots = dpi or min(144.0, _WIDEST_FILM / max(figure.get_size_inches()))
    return Image.open(BytesIO(_saved(figure, format="png", dpi=dots))).convert("RGB").quantize(128)


def _figure_of(scene: Scene, box: Rect) -> Figure:
    """Return a figure of the size of a box, outside pyplot: it need not be closed."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=_inches(box, scene.scale))
    draw_scene(scene, figure.add_axes((0, 0, 1, 1)), box=box)
    return figure


def _inches(box: Rect, wanted: float) -> tuple[float, float]:
    """Return width and height: those requested, or else those of the scene, reduced if large."""
    scale = wanted if wanted != 1 else min(1.0, _LARGEST * 72 / max(box.width, box.height))
    return box.width * scale / 72, box.height * scale / 72


# layouts use the widths of DejaVu; the others come first where it lacks a letter
_FAMILIES = (
    "DejaVu Sans", "Noto Sans CJK JP", "Noto Sans CJK SC", "PingFang SC", "Hiragino Sans", "Microsoft YaHei",
    "WenQuanYi Zen Hei", "Droid Sans Fallback", "Arial Unicode MS", "Noto Emoji", "Segoe UI Symbol",
    "Symbola",
)  # fmt: skip


@cache
def _fonts() -> dict[str, str]:
    """Return the installed upright fonts with their files, in order of preference."""
    from matplotlib.font_manager import fontManager

    upright = [font for font in fontManager.ttflist if font.style == font.stretch == "normal"]
    plain = [font for font in upright if not font.name.startswith("Last Resort")]
    boldest = sorted(plain, key=lambda font: abs(int(font.weight) - 400))[::-1]
    found = {font.name: font.fname for font in boldest}
    first = [name for name in _FAMILIES if name in found]
    return {name: found[name] for name in dict.fromkeys([*first, *sorted(found)])}


@cache
def _letters(file: str) -> frozenset[int]:
    """Return the characters that a font can draw at any size; none for bitmap fonts."""
    from matplotlib.ft2font import FT2Font

    font = FT2Font(file)
    return frozenset(font.get_charmap() if font.scalable else ())


@cache
def _family_with(character: str) -> str | None:
    """Return a font that has a character, or None."""
    return next((name for name, file in _fonts().items() if ord(character) in _letters(file)), None)


def _families(text: str) -> list[str]:
    """Return the fonts for a text, each for the letters that the previous ones lack."""
    others = (_family_with(character) for character in text if not character.isascii())
    return list(dict.fromkeys(["DejaVu Sans", *filter(None, others)]))


def with_fonts(ax: Axes) -> Axes:
    """Return axes with fonts that have all letters of their texts."""
    from matplotlib.text import Text

    for text in ax.findobj():
        if isinstance(text, Text) and not text.get_text().isascii():
            text.set_fontfamily(_families(text.get_text()))
    return ax


_NO_PEN = Pen("none", (), 0.0)


class _Canvas:
    """Axes and the number of points per unit."""

    def __init__(self, ax: Axes, unit: float, theme: Theme) -> None:
        self.ax, self.unit, self.theme = ax, unit, theme
        self.accent = f"{theme.accent}8C"  # half transparent
        self.gid = ""

    def named(self, kind: str, things: Iterable[_T]) -> Iterator[_T]:
        """Yield objects; artists drawn until the next one get a gid with its number."""
        for number, thing in enumerate(things):
            self.gid = f"{kind} {number}"
            yield thing

    def ground(self, box: Rect) -> None:
        self._add(box.grown(1).corners, 0, fill=self.theme.paper)

    def hull(self, hull: Hull) -> None:
        self._add(hull.outline, 1, fill=f"{hull.pen.colour}14", pen=replace(hull.pen, width=1.4))

    def edge(self, edge: Edge) -> None:
        if edge.accent:
            self._add(edge.curve, 2, pen=Pen(self.accent, (), edge.pen.width + 5.5))
        body, heads = edge.arrows()
        self._add(body, 2.5, pen=edge.pen)
        for head in heads:
            self._add(head, 2.6, fill=edge.pen.colour)

    def node(self, node: Node) -> None:
        pen = Pen(node.stroke, (), 1.2)
        if node.accent:
            self._add(_outline(node, RING + 4.5), 2.7, fill=self.accent)
        if node.ring:
            self._add(_outline(node, RING), 3, fill=self.theme.paper, pen=pen)
        self._add(_outline(node, 0), 3, fill=node.fill, pen=pen)
        for sign in node.placed_signs:
            for corners, fill in sign.shapes:
                rim = replace(pen, colour=self.theme.rim(pen.colour), width=0.8)
                self._add(corners, 3.5, fill=self.theme.part(fill), pen=rim)
        for label in [label for sign in node.placed_signs for label in sign.labels] or node.labels:
            self.text(label, 4)
        for line in node.lines:
            self.text(line, 4, haloed=True)

    def entry(self, entry: LegendEntry) -> None:
        if entry.pen:
            self.edge(Edge((), 0, 1, entry.line, (False, entry.heads), entry.pen))
        else:
            pen = Pen(self.theme.ink, (), 0.8)
            self._add(entry.patch.corners, 4, fill=entry.fill or self.theme.paper, pen=pen)
        self.text(entry.label, 4)

    def _add(self, points: Sequence[Point], order: float, *, fill: str = "", pen: Pen = _NO_PEN) -> None:
        """Draw a polygon with a fill, or else a curve by its control points."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        if fill:
            path = Path([*points, points[0]], closed=True)
        else:
            code = {2: Path.LINETO, 3: Path.CURVE3, 4: Path.CURVE4}[len(points)]
            path = Path(points, [Path.MOVETO, *[code] * (len(points) - 1)])
        colour, dashes, width = astuple(pen)
        # matplotlib counts dashes in widths of the line
        style = (0, tuple(length / width for length in dashes)) if dashes else "solid"
        patch = PathPatch(
            path, facecolor=fill or "none", edgecolor=colour, linestyle=style, linewidth=width * self.unit,
            zorder=order, capstyle="butt", joinstyle="round", gid=self.gid,
        )  # fmt: skip
        self.ax.add_patch(patch)

    def text(self, label: Label, order: float, *, boxed: bool = False, haloed: bool = False) -> None:
        """Draw a text run by run, at the widths used by the scene."""
        from matplotlib import patheffects

        if boxed:
            self._add(label.ground.corners, order, fill=self.theme.paper)
        x = label.box.left
        for run in label.text:
            small, drop = (INDEX_SCALE, INDEX_DROP * label.size) if run.style == "index" else (1.0, 0.0)
            drawn = self.ax.text(
                x, label.at.y - drop, run.text, fontsize=label.size * small * self.unit, color=label.colour,
                family=_families(run.text), style="italic" if run.style == "italic" else "normal",
                weight="bold" if run.style == "bold" else "normal", ha="left", va="baseline",
                parse_math=False, zorder=order, clip_on=False, gid=self.gid,
            )  # fmt: skip
            if haloed:
                halo = patheffects.withStroke(linewidth=2.4 * self.unit, foreground=self.theme.paper)
                drawn.set_path_effects([halo])
            x += width_of((run,), label.size)


def _outline(node: Node, grown: float) -> list[Point]:
    """Return the outline of a node, optionally enlarged."""
    x, y = node.half.x + grown, node.half.y + grown
    radius = node.corner(x, y)
    return rounded(node.position, Point(x - radius, y - radius), radius)
