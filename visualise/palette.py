"""Colours and line styles: those of Okabe and Ito (2008), which are safe for the colour-blind.

Every agent also has its own line style, so that greyscale prints are readable.
"""

from __future__ import annotations

from colorsys import hls_to_rgb
from dataclasses import dataclass

# the eight of Okabe and Ito, the darker ones first; yellow is too pale for a line on white
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
# on, off, on, off, … in units of length of the picture
DASHES: tuple[tuple[float, ...], ...] = (
    (), (6.0, 3.0), (1.8, 2.2), (8.0, 2.5, 1.5, 2.5), (11.0, 4.0), (7.0, 2.2, 1.5, 2.2, 1.5, 2.2),
)  # fmt: skip
_FILLS = (
    "#BFDDF2", "#F9D3B4", "#B5E3D3", "#EFCFE0", "#F8E2A8",
    "#D9D9D9", "#D4C5EA", "#F7F3B2", "#C8E6A0", "#F2B8B5",
)  # fmt: skip

INK = "#1A1A1A"  # outlines and text
MUTED = "#5A5A5A"  # captions
FADED = "#B8B8B8"  # worlds and lines that an update removes
PAPER = "#FFFFFF"
TRUE_FILL = "#BFE0F5"  # worlds where the formula is true
ACCENT = "#E69F00"  # an explanation's path, drawn half transparent,
ACCENT_FILL = "#F1CA73"  # and the same mixed with white


@dataclass(frozen=True, slots=True)
class Pen:
    """The style of an agent's lines: a colour, dashes as lengths on and off (none: solid), a width."""

    colour: str
    dashes: tuple[float, ...]
    width: float = 1.7

    def on_board(self, agent: str) -> dict[str, str]:
        """Return the name of an agent, and the colour and the dashes of its lines, for a page."""
        return {"name": agent, "colour": self.colour, "dashes": " ".join(map("{:g}".format, self.dashes))}


PENS = len(_COLOURS) * len(DASHES)
"""The number of different pens."""


def pen(number: int) -> Pen:
    """Return the pen of the agent with this number; the first `PENS` differ.

    >>> pen(0), pen(1)
    (Pen(colour='#0072B2', dashes=(), width=1.7), Pen(colour='#D55E00', dashes=(6.0, 3.0), width=1.7))
    """
    turn, place = divmod(number, len(_COLOURS))
    return Pen(_COLOURS[place], DASHES[(place + turn) % len(DASHES)])


def class_fill(number: int) -> str:
    """Return the fill of a class of worlds: ten chosen by hand, then pale ones of different hues.

    >>> class_fill(0), class_fill(10)
    ('#BFDDF2', '#EBC2C2')
    """
    if number < len(_FILLS):
        return _FILLS[number]
    turn = number - len(_FILLS)
    # steps of the golden ratio: no two hues coincide
    rgb = hls_to_rgb(turn * 0.618034 % 1, 0.84 - 0.07 * (turn % 3), 0.5)
    return "#" + "".join(f"{round(255 * part):02X}" for part in rgb)
