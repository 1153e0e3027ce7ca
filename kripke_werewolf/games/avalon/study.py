"""Comparison with the published study: its table, and the effect of each rule.

Source: the results of "Modelling Avalon" (Mein, Huitema and van Lune), 1,000 games per row. Round length in
the document is the number of quests played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import repeat
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.base.randomness import generator
from kripke_werewolf.base.reports.tables import Grid
from kripke_werewolf.games.avalon.game import Avalon
from kripke_werewolf.games.avalon.outcomes import AvalonSimulation, AvalonSolution, decimals
from kripke_werewolf.games.avalon.rules import SPECIAL, Rules, configurations, option_values
from kripke_werewolf.games.programs.chain import SimulationStopped, simulate, solve


class Printed(NamedTuple):
    """One row of the published table."""

    good: float
    """The share of games that Good won."""
    quests: float
    """The mean number of quests played."""
    quests_good: float
    """The mean number of quests in games that Good won."""
    quests_evil: float
    """The mean number of quests in games that Evil won."""


PRINTED_GAMES = 1000
PRINTED = {
    "F/F/F": Printed(0.46, 3.765, 4.26, 3.34),
    "T/F/F": Printed(0.69, 3.975, 4.17, 3.53),
    "F/T/F": Printed(0.05, 3.865, 4.35, 3.84),
    "T/T/F": Printed(0.13, 4.18, 4.39, 4.15),
    "T/F/T": Printed(0.50, 3.985, 4.12, 3.81),
    "T/T/T": Printed(0.10, 4.198, 4.3, 4.19),
}
"""The published table by configuration: Merlin / higher-order evil / evil can assassinate."""


@dataclass(frozen=True, slots=True)
class Replication:
    """A configuration: published, simulated, and exact."""

    configuration: str
    printed: Printed
    simulated: AvalonSimulation
    exact: AvalonSolution

    def deviation(self) -> float:
        """Return the difference between printed and exact win rate, in standard errors."""
        p = float(self.exact.good)
        return (self.printed.good - p) / sqrt(p * (1 - p) / PRINTED_GAMES)


def replicate(
    games: int,
    *,
    rng: np.random.Generator | int | None = None,
    strategies: Mapping[str, Any] | None = None,
    executor: Executor | None = None,
    progress: Callable[[int], object] | None = None,
) -> Iterator[Replication]:
    """Yield the six configurations of the published table, each simulated with its own seed.

    `strategies`: replacements for `good`, `merlin` and `evil`; that of Merlin is used only in games with
    Merlin. Raises the errors of `simulate`; a configuration whose simulation was stopped is yielded first,
    with the games played.
    """
    seeds = generator(rng).spawn(len(PRINTED))
    for (name, rules), seed in zip(configurations("published").items(), seeds, strict=True):
        game = with_strategies(rules, strategies)
        try:
            simulated = simulate(game, games, rng=seed, executor=executor, progress=progress)
        except SimulationStopped as stopped:
            if stopped.simulation.games:
                yield Replication(name, PRINTED[name], stopped.simulation, solve(game))
            raise
        yield Replication(name, PRINTED[name], simulated, solve(game))


@dataclass(frozen=True, slots=True)
class Variation:
    """The effect of one rule: a base with one option changed.

    `good` is None if the changed rules contradict each other or do not fit the strategies; `problem` then
    gives the reason.
    """

    option: str
    value: object
    good: Fraction | None
    problem: str = ""


TABLE = ("players", *SPECIAL)
"""Options about the players, which an ablation does not change."""


def with_strategies(rules: Rules, strategies: Mapping[str, Any] | None) -> Avalon:
    """Return the game with the given strategies, ignoring that of Merlin in a game without Merlin."""
    given = dict(strategies or {})
    if rules.merlin is None:
        given.pop("merlin", None)
    return Avalon(rules, **given)


def ablation(
    base: Rules, *, strategies: Mapping[str, Any] | None = None, executor: Executor | None = None
) -> Iterator[Variation]:
    """Yield the exact win rate of Good for each change of a single option.

    `strategies`: replacements for `good`, `merlin` and `evil`; an option that they do not read has no effect
    on them. Options about Merlin are omitted in games without Merlin, and the reading of the look-ahead if
    nobody looks ahead.
    """
    changes = [
        (option, value)
        for option, allowed in option_values().items()
        if option not in TABLE
        and (base.merlin is not None or option not in ("merlin_seat", "worlds", "inference"))
        and (base.cards == "lookahead" or option != "lookahead")
        for value in allowed
        if value != getattr(base, option)
    ]
    each = executor.map if executor else map
    yield from each(_varied, repeat(base), repeat(strategies), *zip(*changes, strict=True))


def _varied(base: Rules, strategies: Mapping[str, Any] | None, option: str, value: object) -> Variation:
    try:
        game = with_strategies(base.but(**{option: value}), strategies)
        good = solve(game).good
    except GameError as error:
        return Variation(option, value, None, str(error))
    return Variation(option, value, good)


class StudyFindings(NamedTuple):
    """What a study found: the rows of the published table, and the effects of rules on some of them."""

    rows: list[Replication]
    effects: dict[str, list[Variation]]

    def blocks(self) -> Iterator[str | Grid]:
        """Yield the published table beside ours, and the effect of every rule, each below a line."""
        table = []
        for row in self.rows:
            printed, simulated, exact = row.printed, row.simulated, row.exact
            low, high = simulated.interval()
            rates = [f"{printed.good:.2f}", f"{float(simulated.good):.4f}", f"{low:.4f} to {high:.4f}"]
            rates += [f"{float(exact.good):.4f}", f"{row.deviation():+.1f}"]
            quests = [f"{printed.quests:.3f}", decimals(simulated.quests(), 3), decimals(exact.quests(), 3)]
            quests += [f"{printed.quests_good:.2f}", decimals(exact.quests("good"), 2)]
            quests += [f"{printed.quests_evil:.2f}", decimals(exact.quests("evil"), 2)]
            table.append((row.configuration, *rates, *quests))
        yield "Good's win rate, and quests played: in all games, in those Good won, in those Evil won"
        yield "(SE: the difference between printed and exact rate, in standard errors of 1,000 games)\n"
        quests = ["quests", "ours", "exact", "Good", "exact", "Evil", "exact"]
        headings = ("", "printed", "ours", "95%", "exact", "SE", *quests)
        yield Grid(headings, tuple(table), words=True)
        for name, variations in self.effects.items():
            base = next(row.exact.good for row in self.rows if row.configuration == name)
            yield f"\n{name} with one rule changed; Good's exact win rate is {base} = {float(base):.4f}\n"
            changed = []
            for v in variations:
                good, effect = "-", v.problem
                if v.good is not None:
                    good, effect = f"{float(v.good):.4f}", f"{float(v.good - base):+.4f}"
                changed.append((v.option, str(v.value), good, effect))
            yield Grid(("rule", "changed to", "good", "effect"), tuple(changed), words=True)

    def to_dict(self) -> dict[str, Any]:
        """Return the same for JSON, with exact rates as fractions such as "2/3"."""
        table: dict[str, dict[str, Any]] = {}
        for row in self.rows:
            told = {"printed": row.printed._asdict(), "simulated": row.simulated.to_dict()}
            more = {"exact": row.exact.to_dict(), "printed_deviation": row.deviation()}
            table[row.configuration] = told | more
        ablation = {
            name: [{**asdict(v), "good": None if v.good is None else str(v.good)} for v in variations]
            for name, variations in self.effects.items()
        }
        return {"table": table, "ablation": ablation}
