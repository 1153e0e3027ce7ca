"""`kripke-werewolf exercise new|check|export`."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from kripke_werewolf.cli.output import NEW_FILE, check_ending, exit_with, json_option, tell, write_file
from kripke_werewolf.cli.sources import read_text
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

_ENDINGS = (".md", ".tex")

_output = click.option(
    "-o",
    "--output",
    required=True,
    type=NEW_FILE,
    help="The file for the students: ex.md or ex.tex; the solution goes to ex.solution.md or .tex.",
)
_document = click.option(
    "--document", is_flag=True, help="A .tex that compiles as it is, not one to be included."
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
@_document
def new_command(kind: str, size: int, depth: int, seed: int | None, output: Path, document: bool) -> None:
    """Make a fresh exercise with one right answer: ex.md, ex.solution.md, and ex.toml to check answers."""
    check_ending(output, _ENDINGS)
    exercise = new_exercise(kind, size=size, depth=depth, rng=seed)
    checker = output.with_suffix(".toml")
    write_file(checker, to_toml(exercise))
    _export(exercise, output, checker, document=document)


@exercise_command.command("export")
@click.argument("file", type=click.Path(path_type=Path))
@_output
@_document
def export_command(file: Path, output: Path, document: bool) -> None:
    """Write the exercise in FILE (TOML) for the students, and the solution apart."""
    check_ending(output, _ENDINGS)
    _export(read_exercise(file), output, document=document)


@exercise_command.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("answer", type=click.Path(path_type=Path))
@json_option
def check_command(file: Path, answer: Path, as_json: bool) -> None:
    """Check the text in the file ANSWER against the exercise in FILE (TOML), and say why.

    Exit code 0 if it is right, 1 if not, 2 if it is not an answer of the form asked for.
    """
    result = read_exercise(file).check(read_text(answer), source=str(answer))
    tell([str(result)], {"right": result.right, "reason": result.reason}, as_json=as_json, indent=None)
    exit_with(result.right)


def _export(exercise: Exercise, output: Path, *others: Path, document: bool) -> None:
    """Write an exercise and its solution, and print the names of all files written."""
    latex = output.suffix.lower() == ".tex"
    if document and not latex:
        raise FormatError(f"--document is for .tex, and not for {output.suffix}")
    text = partial(to_latex, document=document) if latex else to_markdown
    apart = output.with_suffix(f".solution{output.suffix}")
    write_file(output, text(exercise))
    write_file(apart, text(exercise, solution=True))
    click.echo("\n".join(map(str, (output, apart, *others))))
