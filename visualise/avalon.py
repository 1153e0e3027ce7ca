"""Results of Avalon as bars: win rates and numbers of quests."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from visualise.figures import save_figure
from visualise.matplotlib_output import new_axes
from visualise.palette import INK, class_fill, pen
from visualise.picture import check_args

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from kripke_werewolf.avalon import AvalonOutcomes, AvalonSimulation

Results: TypeAlias = "Mapping[str, AvalonOutcomes]"
"""The outcomes of games by configuration."""
Values: TypeAlias = Mapping[str, float]
"""A number for each configuration."""

_FILLS = {"good": class_fill(0), "evil": class_fill(1)}
_HEIGHT = 3.6  # of a figure, in inches
_ASIDE = 0.2  # the interval stands to the left of the exact value, the printed one to the right


def draw_win_rates(
    results: Results, *, exact: Results | None = None, printed: Values | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the share of games that Good won, one bar per configuration.

    Simulated results get a 95% Wilson interval, on the left. `exact` and `printed`, by configuration, are
    marks in the middle and on the right. Without `ax` a new pyplot figure is made; nothing is shown.
    """
    ax = _axes(results, ax)
    for place, outcomes in enumerate(results.values()):
        rate = float(outcomes.good)
        ax.bar(place, rate, width=0.6, color=_FILLS["good"], edgecolor=INK, linewidth=0.8)
        if _simulated(outcomes):
            _interval(ax, place - _ASIDE, rate, outcomes.interval())
    ax.set_ylim(0, 1)
    ax.set_ylabel("games won by Good")
    return _marked(ax, results, {name: o.good for name, o in (exact or {}).items()}, printed or {})


def draw_mean_quests(
    results: Results, *, exact: Results | None = None, printed: Values | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the mean number of quests played, one point per configuration.

    Simulated results with 95% intervals are on the left, beside the marks of `exact` and `printed`.
    """
    ax = _axes(results, ax)
    for place, outcomes in enumerate(results.values()):
        mean = float(outcomes.quests() or 0)
        ax.plot(place - _ASIDE, mean, "o", color=INK, markerfacecolor=_FILLS["good"], markersize=7)
        if _simulated(outcomes) and (interval := outcomes.quests_interval()):
            _interval(ax, place - _ASIDE, mean, interval)
    ax.set_ylabel("quests played, mean")
    means = {name: o.quests() or 0 for name, o in (exact or {}).items()}
    return _marked(ax, results, means, printed or {})


def draw_quests(outcomes: AvalonOutcomes, *, ax: Axes | None = None) -> Axes:
    """Draw the shares of games won by each side after 3, 4 and 5 quests.

    The hatched part of Evil's bars was won by naming Merlin. Simulated results get a 95% Wilson interval.
    Without `ax` a new pyplot figure is made.
    """
    from kripke_werewolf.avalon import wilson

    ax = _axes({"": outcomes}, ax, 4.5)
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
            if _simulated(outcomes):
                _interval(ax, quests + shift, share, wilson(int(weight), outcomes.games))
    ax.set_xticks(lengths)
    ax.set_xlabel("quests played")
    ax.set_ylabel("share of games")
    ax.legend(frameon=False)
    return ax


def save_results(
    results: Results,
    path: Path,
    *,
    exact: Results | None = None,
    printed: Values | None = None,
    printed_quests: Values | None = None,
    names: str = "",
) -> None:
    """Draw win rates and numbers of quests into a file.

    For a single configuration the shares of each number of quests are drawn, for several their means. `names`
    explains the names of the configurations. The suffix of the file determines its format; raises
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


def _axes(results: Results, ax: Axes | None, width: float | None = None) -> Axes:
    """Return axes for outcomes; raises `ModelError` for anything else."""
    from kripke_werewolf.avalon import AvalonOutcomes

    check_args(results, {}, kind=Mapping, what="outcomes by configuration, {name: AvalonOutcomes}")
    for outcomes in results.values():
        check_args(outcomes, {}, kind=AvalonOutcomes, what="the outcomes of games")
    return new_axes(ax, (width or _width(len(results)), _HEIGHT))


def _simulated(outcomes: AvalonOutcomes) -> TypeGuard[AvalonSimulation]:
    from kripke_werewolf.avalon import AvalonSimulation

    return isinstance(outcomes, AvalonSimulation)


def _played(results: Results) -> str:
    """Return the number of simulated games, for a title."""
    games = sorted({outcomes.games for outcomes in results.values() if _simulated(outcomes)})
    if not games:
        return ""
    number = f"{games[0]:,}" if len(games) == 1 else f"{games[0]:,} to {games[-1]:,}"
    return f"{number} games{' each' * (len(results) > 1)}, intervals of 95%"


def _marked(ax: Axes, results: Results, exact: Mapping[str, Fraction | int], printed: Values) -> Axes:
    """Name the configurations, and mark their exact and printed values, each explained once."""
    marks = {}
    for place, name in enumerate(results):
        if name in exact:
            value = float(exact[name])
            (marks["exact"],) = ax.plot(place, value, "D", color=pen(1).colour, markersize=5, zorder=3)
        if name in printed:
            right = place + _ASIDE
            (marks["printed"],) = ax.plot(right, printed[name], "x", color=INK, markersize=8, zorder=3)
    ax.set_xlim(-0.7, len(results) - 0.3)
    ax.set_xticks(range(len(results)), list(results))
    if marks:
        handles, names = list(marks.values()), list(marks)
        ax.legend(handles, names, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2, frameon=False)
    return ax


def _interval(ax: Axes, place: float, share: float, interval: tuple[float, float]) -> None:
    low, high = interval
    ax.errorbar(place, share, yerr=[[max(share - low, 0)], [max(high - share, 0)]], color=INK, capsize=4)
