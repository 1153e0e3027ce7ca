"""What the commands of `avalon` print: tables for people, JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from kripke_werewolf.avalon import Rules, Simulation, Solution
from kripke_werewolf.avalon.study import Compared, Variation

__all__ = ["as_json", "print_simulation", "print_solutions", "print_study", "solutions_dict", "study_dict"]

Effects = Mapping[str, Sequence[Variation]]


def as_json(content: Mapping[str, Any]) -> str:
    """Return a JSON text with the name and the version of its format."""
    return json.dumps({"format": "kripke_werewolf avalon", "version": 1, **content}, indent=2)


def print_solutions(preset: str, solutions: Mapping[str, Solution]) -> None:
    """Print exact win rates and mean numbers of quests."""
    rows = [
        [name, f"{float(s.good):.6f}", str(s.good), *(_decimal(mean, 5) for mean in s.means().values())]
        for name, s in solutions.items()
    ]
    _print_table([preset, "good", "exactly", "quests", "Good won", "Evil won"], rows)


def solutions_dict(
    preset: str, rules: Mapping[str, Rules], solutions: Mapping[str, Solution]
) -> dict[str, Any]:
    """Return exact solutions by configuration, with the options of each."""
    found = {name: {**s.to_dict(), "options": rules[name].options()} for name, s in solutions.items()}
    return {"rules": preset, "configurations": found}


def print_simulation(label: str, result: Simulation) -> None:
    """Print the win rate with its interval, and how often each outcome occurred."""
    low, high = result.interval()
    click.echo(
        f"{label}: {result.games:,} games, Good won {float(result.good):.4f} ({low:.4f} to {high:.4f})"
    )
    rows = [
        [o.winner, str(o.quests), o.by, f"{count:,}", f"{float(count / result.games):.4f}"]
        for o, count in result.rows()
    ]
    _print_table(["won by", "quests", "decided by", "games", "share"], rows)


def print_study(rows: Sequence[Compared], effects: Effects) -> None:
    """Print the published table beside ours, and the effect of every rule."""
    table = []
    for row in rows:
        printed, simulated, exact = row.printed, row.simulated, row.exact
        low, high = simulated.interval()
        rates = [f"{printed.good:.2f}", f"{float(simulated.good):.4f}", f"{low:.4f} to {high:.4f}"]
        rates += [f"{float(exact.good):.4f}", f"{row.deviation():+.1f}"]
        quests = [f"{printed.quests:.3f}", _decimal(simulated.quests(), 3), _decimal(exact.quests(), 3)]
        quests += [f"{printed.quests_good:.2f}", _decimal(exact.quests("good"), 2)]
        quests += [f"{printed.quests_evil:.2f}", _decimal(exact.quests("evil"), 2)]
        table.append([row.configuration, *rates, *quests])
    click.echo("Good's win rate, and quests played: in all games, in those Good won, in those Evil won")
    click.echo("(SE: by how many standard errors of its 1,000 games the printed rate is off the exact one)\n")
    headings = ["", "printed", "ours", "95 %", "exact", "SE"]
    _print_table([*headings, "quests", "ours", "exact", "Good", "exact", "Evil", "exact"], table)
    for name, variations in effects.items():
        base = next(row.exact.good for row in rows if row.configuration == name)
        click.echo(f"\n{name} with one rule changed; Good's exact win rate is {base} = {float(base):.4f}\n")
        _print_table(
            ["rule", "changed to", "good", "effect"],
            [
                [v.option, str(v.value), "-", v.problem]
                if v.good is None
                else [v.option, str(v.value), f"{float(v.good):.4f}", f"{float(v.good - base):+.4f}"]
                for v in variations
            ],
        )


def study_dict(rows: Sequence[Compared], effects: Effects) -> dict[str, Any]:
    """Return the published table beside ours, and the effect of every rule."""
    table = {
        row.configuration: {
            "printed": row.printed._asdict(),
            "simulated": row.simulated.to_dict(),
            "exact": row.exact.to_dict(),
            "printed_deviation": row.deviation(),
        }
        for row in rows
    }
    ablation = {
        name: [
            {
                "option": v.option,
                "value": v.value,
                "good": None if v.good is None else str(v.good),
                "problem": v.problem,
            }
            for v in variations
        ]
        for name, variations in effects.items()
    }
    return {"table": table, "ablation": ablation}


def _print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table: ruled on a terminal, in plain columns otherwise."""
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table

        table = Table(*headings)
        for row in rows:
            table.add_row(*row)
        Console().print(table)
        return
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for line in (headings, *rows):
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _decimal(value: Any, places: int) -> str:
    return "-" if value is None else f"{float(value):.{places}f}"
