"""`kripke-werewolf exercise new|check|export`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kripke_werewolf.cli.output import write_file
from kripke_werewolf.errors import FormatError
from kripke_werewolf.exercises import (
    KINDS,
    Exercise,
    new_exercise,
    read_exercise,
    to_latex,
    to_markdown,
    to_toml,
)

__all__ = ["exercise_command"]

_output = click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file for the students: ex.md or ex.tex; the solution goes to ex.solution.md or .tex.",
)


@click.group("exercise")
def exercise_command() -> None:
    """Make exercises, check answers, and print exercises with the solutions apart."""


@exercise_command.command("new")
@click.option("--kind", type=click.Choice(list(KINDS)), required=True, help="What is asked.")
@click.option("--size", type=int, default=4, show_default=True, help="Worlds of the model.")
@click.option("--depth", type=int, default=2, show_default=True, help="Modal depth of the formula.")
@click.option("--seed", type=int, help="The same seed gives the same exercise.")
@_output
def new_command(kind: str, size: int, depth: int, seed: int | None, output: Path) -> None:
    """Make a fresh exercise with one right answer: ex.md, ex.solution.md, and ex.toml to check answers."""
    _form(output)
    exercise = new_exercise(kind, size=size, depth=depth, rng=seed)
    checker = output.with_suffix(".toml")
    write_file(checker, to_toml(exercise))
    click.echo("\n".join(map(str, [*_export(exercise, output), checker])))


@exercise_command.command("export")
@click.argument("file", type=click.Path(path_type=Path))
@_output
def export_command(file: Path, output: Path) -> None:
    """Write the exercise in FILE (TOML) for the students, and the solution apart."""
    _form(output)
    click.echo("\n".join(map(str, _export(read_exercise(file), output))))


@exercise_command.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("answer", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@click.pass_context
def check_command(ctx: click.Context, file: Path, answer: Path, as_json: bool) -> None:
    """Check the text in the file ANSWER against the exercise in FILE (TOML), and say why.

    Exit code 0 if it is right, 1 if not, 2 if it is no answer of the form asked for.
    """
    exercise = read_exercise(file)
    try:
        text = answer.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"{answer}: byte {error.start} is not UTF-8 text") from None
    result = exercise.check(text, source=str(answer))
    if as_json:
        click.echo(json.dumps({"right": result.right, "reason": result.reason}, ensure_ascii=False))
    else:
        click.echo(str(result))
    ctx.exit(0 if result.right else 1)


def _form(output: Path) -> str:
    ending = output.suffix.lower()
    if ending not in (".md", ".tex"):
        raise FormatError(
            f"cannot tell the format of {str(output)!r} by its ending; allowed are .md and .tex"
        )
    return ending


def _export(exercise: Exercise, output: Path) -> list[Path]:
    text = to_markdown if _form(output) == ".md" else to_latex
    apart = output.with_suffix(f".solution{output.suffix}")
    write_file(output, text(exercise))
    write_file(apart, text(exercise, solution=True))
    return [output, apart]
