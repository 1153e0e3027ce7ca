"""Themes: the colours of a picture on white, on dark ground, and in print without colours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from visualise.palette import ACCENT, ACCENT_FILL, FADED, INK, MUTED, PAPER, TRUE_FILL, Pen
from visualise.scene import Edge, Label, LegendEntry, Scene


@dataclass(frozen=True, slots=True)
class Theme:
    """The replacements of the colours of the light theme; others are computed.

    `grey`: without colours: lines are dark greys, and fills different greys.
    """

    instead: Mapping[str, str]
    grey: bool = False

    @property
    def paper(self) -> str:
        """The colour of the ground."""
        return self.line(PAPER)

    @property
    def ink(self) -> str:
        """The colour of outlines and texts."""
        return self.line(INK)

    @property
    def accent(self) -> str:
        """The colour of the path of an explanation."""
        return self.line(ACCENT)

    def line(self, colour: str) -> str:
        """Return the colour of a line or a text."""
        if colour in self.instead or not self.grey:
            return self.instead.get(colour, colour)
        return _hex([0.55 * _luminance(colour)] * 3)

    def part(self, fill: str) -> str:
        """Return the colour of a part of an icon: a white hat is white on any ground, but grey in print."""
        return self.line(fill) if self.grey else fill

    def rim(self, stroke: str) -> str:
        """Return the colour of the outline of a part of an icon: dark, as its fill stays as it is."""
        return INK if stroke == self.ink and not self.grey else stroke

    def pen(self, old: Pen) -> Pen:
        """Return the pen of a line."""
        return replace(old, colour=self.line(old.colour))

    def fills(self, colours: Iterable[str]) -> dict[str, str]:
        """Return the colours of the fills of a picture."""
        own = [colour for colour in dict.fromkeys(colours) if colour not in self.instead]
        if self.grey:  # darker colours stay darker
            own.sort(key=_luminance, reverse=True)
            shades = {colour: _hex([0.93 - 0.45 * k / len(own)] * 3) for k, colour in enumerate(own)}
        else:
            shades = {c: _hex([0.4 * part for part in _parts(c)]) if self.instead else c for c in own}
        return {**self.instead, **shades}


THEMES: Mapping[str, Theme] = MappingProxyType(
    {
        "light": Theme({}),
        "dark": Theme(
            {
                PAPER: "#16191D", INK: "#ECECEC", MUTED: "#ADADAD", FADED: "#5E6166", TRUE_FILL: "#1F4F6E",
                ACCENT: "#E69F00", ACCENT_FILL: "#7A5A10", "#0072B2": "#4BA3DC", "#D55E00": "#F0833A",
                "#009E73": "#2FBF93", "#CC79A7": "#DC97BE", "#56B4E9": "#8CD0F5", "#000000": "#F5F5F5",
            }
        ),
        "print": Theme(
            {
                PAPER: "#FFFFFF", INK: "#000000", MUTED: "#333333", FADED: "#B0B0B0", TRUE_FILL: "#D0D0D0",
                ACCENT: "#909090", ACCENT_FILL: "#BEBEBE",
            },
            grey=True,
        ),
    }
)  # fmt: skip
"""The themes by name."""


def coloured(scene: Scene) -> tuple[Scene, Theme]:
    """Return a scene in the colours of its theme, and the theme."""
    theme = THEMES[scene.theme]
    if not theme.instead:
        return scene, theme
    patches = (entry.fill for entry in scene.legend if entry.fill)
    fills = theme.fills([*(node.fill for node in scene.nodes), *patches])

    def edge(old: Edge) -> Edge:
        return replace(old, pen=theme.pen(old.pen), label=old.label and note(old.label))

    def entry(old: LegendEntry) -> LegendEntry:
        pen, fill = old.pen and theme.pen(old.pen), old.fill and fills[old.fill]
        return replace(old, pen=pen, fill=fill, colour=theme.ink)

    def note(old: Label) -> Label:
        return replace(old, colour=theme.line(old.colour))

    return replace(
        scene,
        nodes=tuple(
            replace(node, fill=fills[node.fill], stroke=theme.line(node.stroke)) for node in scene.nodes
        ),
        edges=tuple(map(edge, scene.edges)),
        hulls=tuple(replace(hull, pen=theme.pen(hull.pen)) for hull in scene.hulls),
        legend=tuple(map(entry, scene.legend)),
        notes=tuple(map(note, scene.notes)),
    ), theme


def _parts(colour: str) -> list[float]:
    return [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]


def _luminance(colour: str) -> float:
    red, green, blue = _parts(colour)
    return 0.3 * red + 0.59 * green + 0.11 * blue


def _hex(parts: Iterable[float]) -> str:
    return "#" + "".join(f"{round(255 * part):02X}" for part in parts)
