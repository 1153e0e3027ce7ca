"""`kripke-werewolf ask SOURCE FORMULA…`."""

from __future__ import annotations

import json
from typing import Any

import click

from kripke_werewolf.checking.verdict import Verdict
from kripke_werewolf.cli.sources import load
from kripke_werewolf.formulas.base import Formula, formula
from kripke_werewolf.models.model import KripkeModel

__all__ = ["ask_command"]


@click.command("ask")
@click.argument("source")
@click.argument("formulas", nargs=-1, required=True, metavar="FORMULA…")
@click.option("--at", help="Ask at this world of a model, by its name; by default at all designated worlds.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@click.pass_context
def ask_command(
    ctx: click.Context, source: str, formulas: tuple[str, ...], at: str | None, as_json: bool
) -> None:
    """Ask formulas about the game or model in the file SOURCE.

    A game is the log that `play` writes (JSON lines), a model a JSON file. In a game players go by name
    or number: "K_2 wolf_4", "K_Ann wolf_Di".

    Exit code 0 if every formula is true (in all worlds that may be the actual one), 1 if not.
    """
    found = load(source)
    asked = [formula(text) for text in formulas]
    answers = [
        _ask_model(found, f, at)
        if isinstance(found, KripkeModel)
        else (found.ask(f).verdict, str(found.ask(f)))
        for f in asked
    ]
    if as_json:
        click.echo(json.dumps([_as_dict(f, v) for f, (v, _) in zip(asked, answers, strict=True)], indent=2))
    else:
        for f, (_, text) in zip(asked, answers, strict=True):
            click.echo(f"{f}: {text}" if len(asked) > 1 else text)
    ctx.exit(0 if all(verdict == "true" for verdict, _ in answers) else 1)


def _ask_model(model: KripkeModel, f: Formula, at: str | None) -> tuple[Verdict, str]:
    if at is not None:
        names = {str(name): name for name in model.worlds}
        model = model.point(names.get(at, at))
    verdict = model.verdict(f)
    if verdict == "mixed":
        return verdict, f"in {verdict.satisfied} of {verdict.total} worlds"
    return verdict, "yes" if verdict == "true" else "no"


def _as_dict(f: Formula, verdict: Verdict) -> dict[str, Any]:
    return {
        "formula": str(f),
        "verdict": str(verdict),
        "worlds": verdict.total,
        "satisfied": verdict.satisfied,
    }
