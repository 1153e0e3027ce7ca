"""Results of Avalon as bars: win rates, and how many quests were played."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from kripke_werewolf.avalon import Outcomes, Simulation, wilson
from visualise.files import save_figure
from visualise.matplotlib_output import checked_axes
from visualise.palette import INK, class_fill, pen

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_quests", "draw_win_rates", "save_results"]

_FILLS = {"good": class_fill(0), "evil": class_fill(1)}


def draw_win_rates(
    results: Mapping[str, Outcomes],
    *,
    exact: Mapping[str, Outcomes] | None = None,
    printed: Mapping[str, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the share of games that Good won, one bar per configuration.

    Simulated results get the Wilson interval of 95 %. `exact` and `printed`, by configuration, are drawn
    as marks on the bars. Without `ax` a new pyplot figure is made; nothing is shown.
    """
    ax = _axes(ax, _width(len(results)))
    for place, (name, outcomes) in enumerate(results.items()):
        rate = float(outcomes.good)
        ax.bar(place, rate, width=0.6, color=_FILLS["good"], edgecolor=INK, linewidth=0.8)
        if isinstance(outcomes, Simulation):
            _interval(ax, place, rate, outcomes.interval())
        if exact is not None and name in exact:
            ax.plot(place, float(exact[name].good), "D", color=pen(1).colour, markersize=5, zorder=3)
        if printed is not None and name in printed:
            ax.plot(place, printed[name], "x", color=INK, markersize=8, zorder=3)
    ax.set_xticks(range(len(results)), list(results))
    ax.set_ylim(0, 1)
    ax.set_ylabel("games won by Good")
    marked = [text for marks, text in ((exact, "◆ exact"), (printed, "× printed")) if marks is not None]
    ax.set_title(", ".join(["bars: simulated", *marked]) if marked else "")
    return ax


def draw_quests(outcomes: Outcomes, *, ax: Axes | None = None) -> Axes:
    """Draw the share of games that each side won after 3, 4 and 5 quests.

    Simulated results get the Wilson interval of 95 %. Without `ax` a new pyplot figure is made.
    """
    ax = _axes(ax, 4.5)
    lengths = sorted({o.quests for o in outcomes.weights})
    for shift, side in zip((-0.2, 0.2), _FILLS, strict=True):
        for quests in lengths:
            weight = sum(w for o, w in outcomes.weights.items() if (o.winner, o.quests) == (side, quests))
            share = float(weight / outcomes.total)
            label = f"won by {side.title()}" if quests == lengths[0] else None
            ax.bar(
                quests + shift,
                share,
                width=0.4,
                color=_FILLS[side],
                edgecolor=INK,
                linewidth=0.8,
                label=label,
            )
            if isinstance(outcomes, Simulation):
                _interval(ax, quests + shift, share, wilson(int(weight), outcomes.games))
    ax.set_xticks(lengths)
    ax.set_xlabel("quests played")
    ax.set_ylabel("share of games")
    ax.legend(frameon=False)
    return ax


def save_results(
    results: Mapping[str, Outcomes],
    path: Path,
    *,
    exact: Mapping[str, Outcomes] | None = None,
    printed: Mapping[str, float] | None = None,
) -> None:
    """Draw win rates, and for a single configuration the quests beside them, into a file.

    The ending of the file is its format. Raises `FormatError` for one that matplotlib does not write.
    """
    from matplotlib.figure import Figure

    single = len(results) == 1
    figure = Figure(figsize=(7.0 if single else _width(len(results)), 3.6), layout="constrained")
    axes = figure.subplots(1, 2, width_ratios=(1, 2)) if single else [figure.add_subplot()]
    draw_win_rates(results, exact=exact, printed=printed, ax=axes[0])
    if single:
        draw_quests(next(iter(results.values())), ax=axes[1])
    save_figure(figure, path)


def _width(bars: int) -> float:
    return 1.6 + 0.9 * bars


def _axes(ax: Axes | None, width: float) -> Axes:
    if ax is not None:
        return checked_axes(ax)
    from matplotlib import pyplot

    return pyplot.figure(figsize=(width, 3.6), layout="constrained").add_subplot()


def _interval(ax: Axes, place: float, share: float, interval: tuple[float, float]) -> None:
    low, high = interval
    ax.errorbar(place, share, yerr=[[max(share - low, 0)], [max(high - share, 0)]], color=INK, capsize=4)
