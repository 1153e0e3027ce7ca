"""Results of Avalon as bars: win rates, and how many quests were played."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kripke_werewolf.avalon import Outcomes, Simulation, wilson
from visualise.files import save_figure
from visualise.matplotlib_output import checked_axes
from visualise.palette import INK, class_fill, pen

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_mean_quests", "draw_quests", "draw_win_rates", "save_results"]

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
            _exact(ax, place, float(exact[name].good))
        if printed is not None and name in printed:
            _printed(ax, place, printed[name])
    ax.set_xlim(-0.7, len(results) - 0.3)
    ax.set_xticks(range(len(results)), list(results))
    ax.set_ylim(0, 1)
    ax.set_ylabel("games won by Good")
    _legend_of_marks(ax)
    return ax


def draw_mean_quests(
    results: Mapping[str, Outcomes],
    *,
    exact: Mapping[str, Outcomes] | None = None,
    printed: Mapping[str, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the mean number of quests played, one point per configuration.

    Simulated results get their interval of 95 %; the marks of `exact` and `printed` are to the right of it.
    """
    ax = _axes(ax, _width(len(results)))
    for place, (name, outcomes) in enumerate(results.items()):
        mean = float(outcomes.quests() or 0)
        ax.plot(place - 0.2, mean, "o", color=INK, markerfacecolor=_FILLS["good"], markersize=7)
        if isinstance(outcomes, Simulation) and (interval := outcomes.quests_interval()):
            _interval(ax, place - 0.2, mean, interval)
        if exact is not None and name in exact:
            _exact(ax, place, float(exact[name].quests() or 0))
        if printed is not None and name in printed:
            _printed(ax, place + 0.2, printed[name])
    ax.set_xlim(-0.7, len(results) - 0.3)
    ax.set_xticks(range(len(results)), list(results))
    ax.set_ylabel("quests played, mean")
    _legend_of_marks(ax)
    return ax


def draw_quests(outcomes: Outcomes, *, ax: Axes | None = None) -> Axes:
    """Draw the share of games that each side won after 3, 4 and 5 quests.

    What Evil won by naming Merlin is the hatched part of its bars. Simulated results get the Wilson interval
    of 95 %. Without `ax` a new pyplot figure is made.
    """
    ax = _axes(ax, 4.5)
    lengths = sorted({o.quests for o in outcomes.weights})
    named = any(o.by == "assassination" for o, weight in outcomes.weights.items() if weight)
    for shift, side in zip((-0.2, 0.2), _FILLS, strict=True):
        style: dict[str, Any] = {"width": 0.4, "color": _FILLS[side], "edgecolor": INK, "linewidth": 0.8}
        for quests in lengths:
            here = {o: w for o, w in outcomes.weights.items() if (o.winner, o.quests) == (side, quests)}
            weight = sum(here.values())
            share = float(weight / outcomes.total)
            first = quests == lengths[0]
            ax.bar(quests + shift, share, label=f"won by {side.title()}" if first else None, **style)
            if side == "evil" and named:
                part = float(sum(w for o, w in here.items() if o.by == "assassination") / outcomes.total)
                label = "by naming Merlin" if first else None
                ax.bar(quests + shift, part, label=label, hatch="////", **style)
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
    printed_quests: Mapping[str, float] | None = None,
    names: str = "",
) -> None:
    """Draw win rates into a file, and how many quests were played.

    Of a single configuration that is how often each side won after how many quests, of several their means.
    `names` says what the names of the configurations mean. The ending of the file is its format; raises
    `FormatError` for one that matplotlib does not write.
    """
    from matplotlib.figure import Figure

    single = len(results) == 1
    figure = Figure(figsize=(7.0, 3.6) if single else (_width(len(results)), 6.0), layout="constrained")
    if single:
        left, right = figure.subplots(1, 2, width_ratios=(1, 2))
        draw_win_rates(results, exact=exact, printed=printed, ax=left)
        draw_quests(next(iter(results.values())), ax=right)
    else:
        above, below = figure.subplots(2, 1)
        draw_win_rates(results, exact=exact, printed=printed, ax=above)
        draw_mean_quests(results, exact=exact, printed=printed_quests, ax=below)
    figure.suptitle(_played(results), fontsize="medium")
    figure.supxlabel(names, fontsize="small")
    save_figure(figure, path)


def _width(bars: int) -> float:
    return 1.6 + 0.9 * bars


def _axes(ax: Axes | None, width: float) -> Axes:
    if ax is not None:
        return checked_axes(ax)
    from matplotlib import pyplot

    return pyplot.figure(figsize=(width, 3.6), layout="constrained").add_subplot()


def _played(results: Mapping[str, Outcomes]) -> str:
    """Return how many games were simulated, for a title."""
    games = sorted({outcomes.games for outcomes in results.values() if isinstance(outcomes, Simulation)})
    if not games:
        return ""
    number = f"{games[0]:,}" if len(games) == 1 else f"{games[0]:,} to {games[-1]:,}"
    return f"{number} games{' each' * (len(results) > 1)}, intervals of 95 %"


def _exact(ax: Axes, place: float, value: float) -> None:
    ax.plot(place, value, "D", color=pen(1).colour, markersize=5, zorder=3, label="exact")


def _printed(ax: Axes, place: float, value: float) -> None:
    ax.plot(place, value, "x", color=INK, markersize=8, zorder=3, label="printed")


def _legend_of_marks(ax: Axes) -> None:
    """Explain the marks, each once, above the axes."""
    marks = {str(line.get_label()): line for line in ax.lines if line.get_label() in ("exact", "printed")}
    if marks:
        handles, names = list(marks.values()), list(marks)
        ax.legend(handles, names, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2, frameon=False)


def _interval(ax: Axes, place: float, share: float, interval: tuple[float, float]) -> None:
    low, high = interval
    ax.errorbar(place, share, yerr=[[max(share - low, 0)], [max(high - share, 0)]], color=INK, capsize=4)
