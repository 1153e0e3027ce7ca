"""`kripke-werewolf story FILE`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.semantics.wording import world_text
from kripke_werewolf.stories import Asked, Happened, Outcome, Story, read_story

__all__ = ["story_command"]

_FEW = 8  # worlds that are listed by name
_ANSWERS = {"true": "yes", "false": "no", "mixed": "mixed"}


@click.command("story")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-q", "--quiet", is_flag=True, help="Print only what is not as expected, and the sum.")
@click.option("--explain", is_flag=True, help="Print the reasons for each answer that is not as expected.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@click.pass_context
def story_command(ctx: click.Context, file: Path, quiet: bool, explain: bool, as_json: bool) -> None:
    """Tell the story in FILE: what happens, the worlds left, the answers.

    Exit code 0 if all answers and sizes are as expected, 1 if not, 2 if FILE is no story.
    """
    told = read_story(file)
    outcomes = list(told.outcomes())
    if as_json:
        click.echo(json.dumps(_as_dict(told, outcomes), indent=2, ensure_ascii=False))
    else:
        _print(told, outcomes, quiet, explain)
    ctx.exit(0 if all(outcome.right for outcome in outcomes) else 1)


def _print(told: Story, outcomes: list[Outcome], quiet: bool, explain: bool) -> None:
    click.echo(told.title or told.source)
    if told.credit and not quiet:
        click.echo(f"({told.credit})")
    if not quiet:
        click.echo(f"at the start: {_worlds(len(told.model))}")
    for outcome in outcomes:
        if quiet and outcome.right:
            continue
        line = f"line {outcome.moment.line}: " if quiet else "  "
        match outcome.moment:
            case Happened(name):
                few = outcome.found in range(_FEW + 1)
                left = f": {', '.join(map(world_text, outcome.model.worlds))}" if few else ""
                click.echo(f"{name}: {_worlds(len(outcome.model))}{left}")
            case Asked(meaning, f, expected):
                click.echo(f"{line}{meaning}? {_answer(outcome)}{_note(outcome, expected)}")
                if explain and not outcome.right:
                    click.echo("    " + str(outcome.model.explain(f)).replace("\n", "\n    "))
            case moment:
                what = "worlds" if moment.formula is None else f"worlds where {moment.formula}"
                click.echo(f"{line}{what}: {outcome.found}{_note(outcome, str(moment.expected))}")
    checked = [o for o in outcomes if not isinstance(o.moment, Happened)]
    checked = [o for o in checked if not (isinstance(o.moment, Asked) and o.moment.expected is None)]
    wrong = sum(not outcome.right for outcome in checked)
    if wrong:
        click.echo(f"{wrong} of {len(checked)} answers not as expected")
    else:
        click.echo(f"all {len(checked)} answers as expected")


def _worlds(number: int) -> str:
    return f"{number:,} world{'' if number == 1 else 's'}"


def _answer(outcome: Outcome) -> str:
    verdict = outcome.found
    if not isinstance(verdict, Verdict) or verdict == "mixed":
        return f"in {verdict.satisfied} of {verdict.total} worlds" if isinstance(verdict, Verdict) else ""
    return _ANSWERS[verdict]


def _note(outcome: Outcome, expected: str | None) -> str:
    if expected is None:
        return ""
    return "  OK" if outcome.right else f"  WRONG: expected {_ANSWERS.get(expected, expected)}"


def _as_dict(told: Story, outcomes: list[Outcome]) -> dict[str, object]:
    moments: list[dict[str, object]] = []
    for outcome in outcomes:
        found: dict[str, object] = {"line": outcome.moment.line}
        match outcome.moment:
            case Happened(name):
                found |= {"event": name, "worlds": len(outcome.model)}
            case Asked(meaning, f, expected):
                found |= {
                    "question": str(f),
                    "meaning": meaning,
                    "verdict": str(outcome.found),
                    "expected": expected,
                    "right": outcome.right,
                }
            case moment:
                found |= {
                    "count": None if moment.formula is None else str(moment.formula),
                    "found": outcome.found,
                    "expected": moment.expected,
                    "right": outcome.right,
                }
        moments.append(found)
    return {
        "version": 1,
        "title": told.title,
        "source": told.credit,
        "worlds": len(told.model),
        "moments": moments,
    }
