"""Pictures of a game of Quantum Werewolf: its table as a heat map, its history as lines.

Names are drawn literally, never as formula markup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple
from fractions import Fraction
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING, Any

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.base.reports.tables import shown
from visualise.matplotlib_output import even_fonts, new_axes, with_fonts
from visualise.palette import INK, pen
from visualise.picture import check_args
from visualise.text import elided

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from kripke_werewolf.games.werewolf.game import QuantumWerewolf
    from kripke_werewolf.games.werewolf.table import Table
    from kripke_werewolf.games.werewolf.telling import Episode


def heat_map(table: Table | QuantumWerewolf, *, ax: Axes | None = None) -> Axes:
    """Draw a probability table, or that of a game, with a shade for every cell; return the axes.

    Cells show percentages; those that are hidden or undefined have the lightest shade and a question mark.
    """
    from kripke_werewolf.games.werewolf.game import QuantumWerewolf
    from kripke_werewolf.games.werewolf.table import Table

    if isinstance(table, QuantumWerewolf):
        table = table.table()
    check_args(table, {}, kind=Table, what="a game, or a table such as game.table()")
    columns, rows = table.columns, table.labels
    ax = new_axes(ax, (1.6 + 1.1 * len(columns), 0.8 + 0.36 * len(rows)))
    shares = [[value if isinstance(value, Fraction) else Fraction() for value in row] for row in table.rows]
    ax.pcolormesh(
        [[min(1.0, float(share)) for share in row] for row in shares],
        cmap="Blues", vmin=0.0, vmax=1.25, edgecolors="white", linewidth=0.5,
    )  # fmt: skip
    ax.invert_yaxis()
    for y, row in enumerate(table.rows):
        for x, value in enumerate(row):
            colour = "white" if shares[y][x] > Fraction(7, 10) else INK
            text = shown(value, "percent")
            ax.text(x + 0.5, y + 0.5, text, ha="center", va="center", color=colour, parse_math=False)
    slant = _slanted("left", columns, _WIDEST)
    places = [x + 0.5 for x in range(len(columns))]
    ax.set_xticks(places, labels=[*map(elided, columns)], parse_math=False, **slant)
    ax.set_yticks([y + 0.5 for y in range(len(rows))], labels=[*map(elided, rows)], parse_math=False)
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)
    return with_fonts(ax)


_WIDEST = 10  # longer names do not stand side by side above their columns


def _slanted(end: str, names: Sequence[str], most: int) -> dict[str, Any]:
    """Return the style of names below or above an axis; some are longer than would stand side by side."""
    if max(map(len, names), default=0) <= most:
        return {}
    return {"rotation": 30, "ha": end, "rotation_mode": "anchor"}


def history(
    game: QuantumWerewolf | Iterable[Episode], column: str = "dead", *, ax: Axes | None = None
) -> Axes:
    """Draw one column of the game master's table over the steps, a line for each player; return the axes.

    Lines are stepped, since numbers change only at events. A cross marks the step at which a player died.
    Each player has their own colour and dash. `game` may be the episodes of a story, so that several columns
    share one computation. Raises GameError for a column missing in the rules' table, ModelError for anything
    but a game.
    """
    from kripke_werewolf.games.werewolf.events import FoundDead, VotedOff
    from kripke_werewolf.games.werewolf.game import QuantumWerewolf
    from kripke_werewolf.games.werewolf.telling import Episode, story

    told: Any = story(game) if isinstance(game, QuantumWerewolf) else game
    episodes: list[Any] = list(told) if isinstance(told, Iterable) else []
    for episode in episodes or [game]:
        check_args(episode, {}, kind=Episode, what="a game, or the episodes of its story")
    first = episodes[0].table
    if column not in first.columns:
        raise GameError(f"the table has no column {column!r} (possible: {', '.join(first.columns)})")
    ax = new_axes(ax, (7.0, 3.2))
    deaths = {
        event.player: episode.step
        for episode in episodes
        for event in episode.events
        if isinstance(event, (VotedOff, FoundDead))
    }
    places = _places(episodes)
    lines = []
    for number, name in enumerate(first.labels):
        cells = [episode.table[name, column] for episode in episodes]
        heights = [float("nan") if v is None else 100 * float(v) for v in cells]
        lines += ax.step(places, heights, where="post", **_look(number, places))
        if name in deaths:
            at = deaths[name]
            colour = pen(number).colour
            ax.plot([places[at]], [heights[at]], "x", color=colour, markersize=9, markeredgewidth=2)
    _name_phases(ax, episodes)
    ax.set_ylabel(f"{column} (%)")
    ax.set_ylim(-4, 104)
    ax.margins(x=0.01)
    numbers = [str(number) for number in range(len(lines))]
    legend = ax.legend(
        lines, numbers, loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize="small"
    )
    for text, name in zip(legend.get_texts(), first.labels, strict=True):
        text.set_parse_math(False)
        text.set_text(name)  # afterwards: a label that begins with an underscore would be omitted
    return with_fonts(ax)


def _look(number: int, points: Sequence[float]) -> dict[str, Any]:
    """Return the style of the line with this number; a single point is drawn as a dot."""
    colour, dashes, width = astuple(pen(number))
    style = (0, dashes) if dashes else "solid"
    mark = "o" if len(points) == 1 else ""
    return {"color": colour, "linestyle": style, "linewidth": width, "marker": mark}


def _places(episodes: list[Episode]) -> list[float]:
    """Return the position of each step on the axis: every phase is one unit wide, its steps evenly within."""
    places = [0.0]
    for number, steps in enumerate(_phases(episodes).values()):
        places += [number + (place + 1) / len(steps) for place in range(len(steps))]
    return places


def _phases(episodes: list[Episode]) -> dict[str, list[int]]:
    return grouped((str(episode.phase), episode.step) for episode in episodes[1:])


def _name_phases(ax: Axes, episodes: list[Episode]) -> None:
    phases = list(_phases(episodes))
    for number in range(1, len(phases)):
        ax.axvline(number, color="#dddddd", linewidth=0.8, zorder=0)
    slant = _slanted("right", phases, 8 if len(phases) <= 6 else 0)
    ax.set_xticks([number + 0.5 for number in range(len(phases))], labels=phases, fontsize="small", **slant)
    ax.tick_params(axis="x", length=0)


def figure_svg(draw: Callable[[Axes], object], *, size: tuple[float, float], name: str) -> str:
    """Return a drawing on axes as SVG to embed in a page; `name` makes its ids unique."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure: Figure = Figure(figsize=size, layout="constrained")
    draw(figure.add_subplot())
    out = StringIO()
    # text stays text, so that a browser finds a font for every name
    bare: dict[str, Any] = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": name}), even_fonts(drawn=False):
        figure.savefig(out, format="svg", metadata=bare)
    svg = out.getvalue()
    return re.sub("<[^>]*>", partial(_own_ids, name), svg[svg.index("<svg") :]).strip()


def _own_ids(name: str, tag: re.Match[str]) -> str:
    """Return a tag with ids that begin with a name."""
    return re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{name}-", tag[0])
