"""`kripke-werewolf prove FORMULA`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from kripke_werewolf.deciding.decision import DEFAULT_STEPS, Decision, decide_validity

__all__ = ["prove_command"]


@click.command("prove")
@click.argument("formula")
@click.option("--logic", default="S5", show_default=True, help="K, T, KD, K4, S4, K45, KD45 or S5.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=DEFAULT_STEPS,
    show_default=True,
    help="Give up after so many steps of the search.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@click.option(
    "-o", "--draw", "drawing", type=click.Path(path_type=Path), help="Draw the counter-model to this file."
)
@click.pass_context
def prove_command(
    ctx: click.Context, formula: str, logic: str, limit: int, as_json: bool, drawing: Path | None
) -> None:
    """Is FORMULA valid: true in all models of the logic? If not, show a model where it is false.

    Announcements and bound actions are translated away first; common knowledge after an update that not
    everybody sees cannot be. Probabilities and Kv are not decided.

    Exit code 0 if it is valid, 1 if not, 2 if it was not decided within the limit.
    """
    found = decide_validity(formula, logic=logic, limit=limit)
    click.echo(json.dumps(_as_dict(found), indent=2, ensure_ascii=False) if as_json else str(found))
    if drawing is not None and found.model is not None:
        from visualise import save

        save(found.model, drawing, title=f"counter-model in {found.logic}: {found.formula.unicode()}")
    ctx.exit(0 if found.answer else 1)


def _as_dict(found: Decision) -> dict[str, Any]:
    told: dict[str, Any] = {
        "formula": str(found.formula),
        "logic": found.logic,
        "valid": found.answer,
        "method": found.method,
    }
    if found.model is not None:
        told |= {"smallest": found.smallest, "countermodel": found.model.to_dict()}
    return told
