"""`kripke-werewolf prove FORMULA`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kripke_werewolf.cli.output import NEW_FILE, exit_with, json_option, tell
from kripke_werewolf.deciding.decision import DEFAULT_STEPS, Decision, decide_validity


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
@json_option
@click.option("-o", "--draw", "drawing", type=NEW_FILE, help="Draw the counter-model to this file.")
def prove_command(formula: str, logic: str, limit: int, as_json: bool, drawing: Path | None) -> None:
    """Is FORMULA valid: true in all models of the logic? If not, show a model where it is false.

    Announcements and bound actions are translated away first; common knowledge after an update that not
    everybody sees cannot be. Probabilities and Kv are not decided.

    Exit code 0 if it is valid, 1 if not, 2 if it was not decided within the limit.
    """
    found = decide_validity(formula, logic=logic, limit=limit)
    tell([str(found)], _as_dict(found), as_json=as_json)
    if drawing is not None and found.model is not None:
        from visualise import save

        save(found.model, drawing, title=f"counter-model in {found.logic}: {found.formula.unicode()}")
    exit_with(found.answer)


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
