"""`kripke-werewolf puzzle NAME`."""

from __future__ import annotations

import json
from decimal import Decimal
from inspect import signature
from pathlib import Path

import click

from kripke_werewolf.errors import FormatError, UnknownNameError
from kripke_werewolf.puzzles.catalogue import PUZZLES, puzzle
from kripke_werewolf.puzzles.puzzle import Answer, Puzzle
from kripke_werewolf.semantics.history import History
from kripke_werewolf.semantics.wording import world_text
from kripke_werewolf.symbolic.structure import SymbolicStructure

__all__ = ["puzzle_command"]

_FEW = 8  # worlds that are listed by name


@click.command("puzzle")
@click.argument("name", required=False)
@click.option("-n", "--n", "size", type=int, help="Size: how many children, days, … or the largest number.")
@click.option("--steps", is_flag=True, help="Print what happens step by step, and the worlds that are left.")
@click.option("--draw", "drawing", type=click.Path(path_type=Path), help="Draw the model to this file.")
@click.option(
    "--after", type=int, default=0, help="Draw the model after so many steps; by default at the start."
)
@click.option(
    "--engine",
    type=click.Choice(["explicit", "symbolic"]),
    default="explicit",
    help="symbolic: on decision diagrams, for sizes that no list of worlds could hold.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@click.pass_context
def puzzle_command(
    ctx: click.Context,
    name: str | None,
    size: int | None,
    steps: bool,
    drawing: Path | None,
    after: int,
    engine: str,
    as_json: bool,
) -> None:
    """Run the puzzle NAME: the worlds left after each step, and the answers. Without NAME, list all puzzles.

    Exit code 0 if all answers are those of the literature, 1 if not, or if the story cannot happen in this
    size.
    """
    if name is None:
        _list(as_json)
        return
    if engine == "symbolic":
        if drawing is not None:
            raise FormatError("the symbolic engine lists no worlds to draw; use --engine explicit")
        _symbolic(name, size, steps, as_json)
        return
    found = puzzle(name, n=size)
    history, impossible = found.possible()
    answers = found.answers(history)
    if drawing is not None:
        from visualise import save

        save(history.at(after), drawing, title=f"{found.name}, {_title(history, after)}")
    if as_json:
        click.echo(json.dumps(_as_dict(found, history, impossible, answers), indent=2, ensure_ascii=False))
    else:
        _print(found, history, impossible, answers, steps)
    right = impossible is None and all(a.verdict == a.question.expected for a in answers)
    ctx.exit(0 if right else 1)


def _list(as_json: bool) -> None:
    found = {name: build().description for name, build in PUZZLES.items()}
    if as_json:
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    width = max(map(len, found))
    for name, description in found.items():
        click.echo(f"{name:{width}}  {description}")


def _print(
    found: Puzzle, history: History, impossible: str | None, answers: list[Answer], steps: bool
) -> None:
    sizes = [len(model) for model in history.models()]
    click.echo(found.description)
    click.echo(f"({found.source})\n")
    if steps:
        width = len(f"{max(sizes):,}")
        for number, (model, size) in enumerate(zip(history.models(), sizes, strict=True)):
            left = f": {', '.join(map(world_text, model.worlds))}" if size <= _FEW and number else ""
            click.echo(f"{size:{width},} world{'' if size == 1 else 's'}  {_title(history, number)}{left}")
        if impossible is not None:
            click.echo(f"{0:{width}} worlds  after {impossible!r}")
    click.echo(f"worlds: {', '.join(map(str, [*sizes, *([0] if impossible else [])]))}")
    if impossible is not None:
        click.echo(f"{impossible!r} cannot be said: it is false in all the worlds that are left")
    after = None
    for question, verdict in answers:
        if question.after != after:
            after = question.after
            click.echo(f"\n{_title(history, after)}")
        answer = {"true": "yes", "false": "no"}.get(
            verdict, f"in {verdict.satisfied:,} of {verdict.total:,} worlds"
        )
        note = "" if verdict == question.expected else f" (expected: {question.expected})"
        click.echo(f"  {question.meaning}? {answer}{note}")


def _title(history: History, step: int) -> str:
    return f"after {history.steps[step - 1].name!r}" if step else "at the start"


def _as_dict(
    found: Puzzle, history: History, impossible: str | None, answers: list[Answer]
) -> dict[str, object]:
    worlds = [("start", len(history.start)), *((step.name, len(step.model)) for step in history.steps)]
    if impossible is not None:
        worlds.append((impossible, 0))
    return {
        "version": 1,
        "name": found.name,
        "description": found.description,
        "source": found.source,
        "steps": [{"name": name, "worlds": number} for name, number in worlds],
        "questions": [
            {
                "formula": str(question.formula),
                "meaning": question.meaning,
                "after": question.after,
                "verdict": str(verdict),
                "expected": question.expected,
            }
            for question, verdict in answers
        ],
    }


def _symbolic(name: str, size: int | None, steps: bool, as_json: bool) -> None:
    """Run the announcements of a puzzle on the symbolic engine: exact numbers of worlds, no list."""
    from kripke_werewolf.symbolic.puzzles import SYMBOLIC

    if name not in SYMBOLIC:
        raise UnknownNameError(name, SYMBOLIC, kind="puzzle in symbolic form")
    build = SYMBOLIC[name]
    if size is not None and not signature(build).parameters.keys() & {"n", "bound"}:
        raise FormatError(f"the puzzle {name} has no size: leave out -n")
    found = build() if size is None else build(size)
    structure: SymbolicStructure = found.structure
    sizes = [("at the start", structure.size)]
    for number, announced in enumerate(found.story, 1):
        structure = structure.announce(found.formulas[announced])
        sizes.append((f"after announcement {number}: {announced}", structure.size))
    if as_json:
        rows = [{"name": step, "worlds": number} for step, number in sizes]
        click.echo(json.dumps({"version": 1, "name": name, "engine": "symbolic", "steps": rows}, indent=2))
        return
    if steps:
        for step, number in sizes:
            click.echo(f"{_large(number)}  {step}")
    first, last = sizes[0][1], sizes[-1][1]
    count = f"{len(found.story)} announcement{'' if len(found.story) == 1 else 's'}"
    click.echo(f"{count}: {_large(first)} at first, {_large(last)} left")


def _large(number: int) -> str:
    text = f"{number:,}" if number < 10**20 else f"about {Decimal(number):.2e}".replace("e+", "e")
    return f"{text} world{'' if number == 1 else 's'}"
