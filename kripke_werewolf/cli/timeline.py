"""`kripke-werewolf timeline LOG FORMULA…`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kripke_werewolf.cli.sources import load_game
from kripke_werewolf.language.formulas import formula
from kripke_werewolf.semantics.verdict import Verdict

__all__ = ["timeline_command"]


@click.command("timeline")
@click.argument("log")
@click.argument("formulas", nargs=-1, required=True, metavar="FORMULA…")
@click.option("--plot", type=click.Path(path_type=Path), help="Draw the shares of the worlds to this file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def timeline_command(log: str, formulas: tuple[str, ...], plot: Path | None, as_json: bool) -> None:
    """Print after every event of the game in LOG whether formulas are true.

    yes: in all surviving worlds; no: in none; otherwise in how many of them.
    """
    game = load_game(log)
    asked = [formula(text) for text in formulas]
    moments = game.timeline(*asked)
    if plot is not None:
        from matplotlib.figure import Figure

        from visualise.files import save_figure
        from visualise.game import timeline_plot

        figure = Figure(figsize=(7.0, 3.2), layout="constrained")
        timeline_plot(moments, asked, ax=figure.add_subplot())
        save_figure(figure, plot)
    if as_json:
        rows = [
            {
                "event": m.number,
                "what": m.event,
                "verdicts": [
                    {"verdict": str(v), "satisfied": v.satisfied, "worlds": v.total} for v in m.verdicts
                ],
            }
            for m in moments
        ]
        click.echo(
            json.dumps({"formulas": [str(f) for f in asked], "events": rows}, indent=2, ensure_ascii=False)
        )
        return
    for i, f in enumerate(asked, 1):
        click.echo(f"[{i}] {f}")
    lines = [("", *(f"[{i}]" for i in range(1, len(asked) + 1)), "")]
    lines += [(str(m.number), *map(_short, m.verdicts), m.event) for m in moments]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        click.echo("  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip())
    if game.setup.sampled:
        click.echo(game.setup.sampled)


def _short(verdict: Verdict) -> str:
    return {"true": "yes", "false": "no"}.get(verdict, f"{verdict.satisfied}/{verdict.total}")
