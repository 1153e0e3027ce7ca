"""Scenes drawn with matplotlib, on axes of the caller or on a figure of their own size."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from kripke_werewolf.errors import ModelError
from visualise.arrows import arrows
from visualise.geometry import Box, Point, rounded_path
from visualise.palette import ACCENT, INK, PAPER
from visualise.scene import CORNER, RING, SAMPLE, Edge, Entry, Hull, Label, Node, Scene
from visualise.text import INDEX_DROP, INDEX_SCALE, width_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["checked_axes", "draw_scene", "figure_of"]

_LARGEST = 16.0  # inches; larger scenes are scaled down


def figure_of(scene: Scene, *, box: Box | None = None) -> Figure:
    """Return a figure of the size of the scene, outside pyplot: nothing to close afterwards.

    `box`: the part of the plane shown, by default that of the scene.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=_inches(box or scene.box))
    draw_scene(scene, figure.add_axes((0, 0, 1, 1)), box=box)
    return figure


# that the widths of texts are those of DejaVu is known; the others help out with other scripts
_FAMILIES = (
    "DejaVu Sans", "Noto Sans CJK JP", "Noto Sans CJK SC", "PingFang SC", "Hiragino Sans", "Microsoft YaHei",
    "WenQuanYi Zen Hei", "Droid Sans Fallback", "Arial Unicode MS", "Noto Emoji", "Segoe UI Symbol",
)  # fmt: skip


@cache
def _families() -> list[str]:
    """Return the fonts of these that are installed."""
    from matplotlib.font_manager import fontManager

    installed = {font.name for font in fontManager.ttflist}
    return [name for name in _FAMILIES if name in installed]


def checked_axes(ax: object) -> Axes:
    """Return what was given as axes; raises `ModelError` if it is none."""
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes):
        raise ModelError(f"ax must be the axes of a matplotlib figure, got {ax!r}")
    return ax


def _inches(box: Box) -> tuple[float, float]:
    scale = min(1.0, _LARGEST * 72 / max(box.width, box.height))
    return box.width * scale / 72, box.height * scale / 72


def draw_scene(scene: Scene, ax: Axes | None = None, *, box: Box | None = None) -> Axes:
    """Draw a scene on axes, by default on those of a new pyplot figure; return the axes.

    Widths of lines and sizes of texts follow the size that the axes have now. Nothing is shown, and
    no global setting is read or changed.
    """
    box = box or scene.box
    if ax is not None:
        ax = checked_axes(ax)
    else:
        from matplotlib import pyplot

        ax = pyplot.figure(figsize=_inches(box)).add_axes((0, 0, 1, 1))
    ax.set_axis_off()
    ax.set_xlim(box.left, box.right)
    ax.set_ylim(box.bottom, box.top)
    ax.set_aspect("equal")
    ax.apply_aspect()
    size = ax.get_window_extent()
    unit = min(size.width / box.width, size.height / box.height) * 72 / ax.figure.dpi  # points per unit
    canvas = _Canvas(ax, unit)
    for hull in scene.hulls:
        canvas.hull(hull)
    for edge in scene.edges:
        canvas.edge(edge)
    for node in scene.nodes:
        canvas.node(node)
    for edge in scene.edges:
        if edge.label:
            canvas.text(edge.label, 4, boxed=True)
    for entry in scene.legend:
        canvas.entry(entry)
    for note in scene.notes:
        canvas.text(note, 5)
    return ax


class _Canvas:
    """Axes and the number of points to a unit."""

    def __init__(self, ax: Axes, unit: float) -> None:
        self.ax, self.unit = ax, unit

    def hull(self, hull: Hull) -> None:
        from matplotlib.patches import Polygon

        for fill, alpha in ((True, 0.08), (False, 1.0)):
            patch = Polygon(
                hull.outline, closed=True, fill=fill, facecolor=hull.pen.colour,
                edgecolor="none" if fill else hull.pen.colour, alpha=alpha, zorder=1, joinstyle="round",
                **self._stroke(1.4, hull.pen.dashes),
            )  # fmt: skip
            self.ax.add_patch(patch)

    def edge(self, edge: Edge) -> None:
        if edge.accent:
            self._path(edge.curve, ACCENT, edge.pen.width + 5.5, (), 2, alpha=0.55)
        body, heads = arrows(edge)
        self._path(body, edge.pen.colour, edge.pen.width, edge.pen.dashes, 2.5)
        for head in heads:
            self._polygon(head, edge.pen.colour)

    def _path(
        self,
        curve: Sequence[Point],
        colour: str,
        width: float,
        dashes: Sequence[float],
        order: float,
        alpha: float = 1.0,
    ) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        codes = [
            Path.MOVETO,
            *[{2: Path.LINETO, 3: Path.CURVE3, 4: Path.CURVE4}[len(curve)]] * (len(curve) - 1),
        ]
        stroke = self._stroke(width, dashes)
        patch = PathPatch(
            Path(list(curve), codes), fill=False, edgecolor=colour, alpha=alpha, zorder=order,
            capstyle="butt", **stroke,
        )  # fmt: skip
        self.ax.add_patch(patch)

    def _polygon(self, corners: Sequence[Point], colour: str) -> None:
        from matplotlib.patches import Polygon

        self.ax.add_patch(Polygon(corners, closed=True, facecolor=colour, edgecolor="none", zorder=2.6))

    def _stroke(self, width: float, dashes: Sequence[float]) -> dict[str, Any]:
        # matplotlib counts dashes in widths of the line
        pattern = (0, tuple(d / width for d in dashes)) if dashes else "solid"
        return {"linewidth": width * self.unit, "linestyle": pattern}

    def node(self, node: Node) -> None:
        if node.accent:
            self._outline(node, RING + 4.5, ACCENT, "none", 2.7, alpha=0.55)
        if node.ring:
            self._outline(node, RING, PAPER, node.stroke, 3)
        self._outline(node, 0, node.fill, node.stroke, 3)
        self.text(node.label, 4)
        for line in node.lines:
            self.text(line, 4, haloed=True)

    def _outline(
        self, node: Node, grown: float, fill: str, stroke: str, order: float, alpha: float = 1.0
    ) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        x, y = node.half.x + grown, node.half.y + grown
        corners = rounded_path(node.position, x, y, min(x, y) if node.shape == "round" else CORNER)
        codes = [Path.MOVETO, *[Path.LINETO, Path.CURVE4, Path.CURVE4, Path.CURVE4] * 4, Path.CLOSEPOLY]
        path = Path([*corners, corners[0]], codes)
        stroked = self._stroke(1.2, ())
        self.ax.add_patch(
            PathPatch(path, facecolor=fill, edgecolor=stroke, alpha=alpha, zorder=order, **stroked)
        )

    def entry(self, entry: Entry) -> None:
        from matplotlib.patches import Rectangle

        x, y = entry.at
        if entry.pen:
            line = (Point(x - SAMPLE / 2, y), Point(x + SAMPLE / 2, y))
            if entry.heads:
                edge = Edge((), 0, 1, line, (False, True), entry.pen)
                self.edge(edge)
            else:
                self._path(line, entry.pen.colour, entry.pen.width, entry.pen.dashes, 4)
        elif entry.fill:
            patch = Rectangle(
                (x - SAMPLE / 2 + 4, y - 5), SAMPLE - 8, 10, facecolor=entry.fill, edgecolor=INK, zorder=4,
                **self._stroke(0.8, ()),
            )  # fmt: skip
            self.ax.add_patch(patch)
        self.text(entry.label, 4)

    def text(self, label: Label, order: float, *, boxed: bool = False, haloed: bool = False) -> None:
        """Set a text run by run, at the widths the scene counted with."""
        from matplotlib import patheffects

        x = label.box.left
        if boxed:
            from matplotlib.patches import Rectangle

            box = label.box
            self.ax.add_patch(
                Rectangle(
                    (box.left - 1, box.bottom),
                    box.width + 2,
                    box.height,
                    color=PAPER,
                    linewidth=0,
                    zorder=order,
                )
            )
        for run in label.text:
            small = INDEX_SCALE if run.style == "index" else 1.0
            drop = INDEX_DROP * label.size if run.style == "index" else 0.0
            drawn = self.ax.text(
                x, label.at.y - drop, run.text, fontsize=label.size * small * self.unit, color=label.colour,
                family=_families(), style="italic" if run.style == "italic" else "normal",
                weight="bold" if run.style == "bold" else "normal", ha="left", va="baseline",
                parse_math=False, zorder=order, clip_on=False,
            )  # fmt: skip
            if haloed:
                drawn.set_path_effects([patheffects.withStroke(linewidth=2.4 * self.unit, foreground=PAPER)])
            x += width_of((run,), label.size)
