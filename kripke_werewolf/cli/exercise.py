"""`kripke-werewolf exercise new|check|export`."""

from __future__ import annotations

import secrets
from functools import partial
from pathlib import Path

import click

from kripke_werewolf.cli.exercise_sheets import class_command, sheet_command
from kripke_werewolf.cli.output import (
    NEW_FILE,
    WholeHelps,
    check_ending,
    exit_with,
    json_option,
    tell,
    write_file,
)
from kripke_werewolf.errors import FormatError
from kripke_werewolf.exercises import (
    Exercise,
    kinds_generated,
    new_exercise,
    read_exercise,
    to_latex,
    to_markdown,
    to_toml,
)
from kripke_werewolf.files import read_text

_ENDINGS = (".md", ".tex")

_output = click.option(
    "-o",
    "--output",
    required=True,
    type=NEW_FILE,
    help="The file for the students: ex.md or ex.tex; the solution goes to ex.solution.md or .tex.",
)
_document = click.option(
    "--document", is_flag=True, help="Write complete LaTeX documents, instead of files to include."
)


@click.group("exercise", cls=WholeHelps)
def exercise_command() -> None:
    """Generate exercises and sheets, check and grade answers."""


exercise_command.add_command(sheet_command)
exercise_command.add_command(class_command)


@exercise_command.command("new")
@click.option(
    "--kind", type=click.Choice(sorted(kinds_generated())), required=True, help="The kind of exercise."
)
@click.option("--size", type=int, help="The number of worlds of the model, or of players.")
@click.option("--depth", type=int, help="The modal depth of the formula.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Another parameter of the kind; may be repeated.",
)
@click.option(
    "--seed", type=int, help="The seed: the same seed gives the same exercise; by default it is drawn."
)
@_output
@_document
def new_command(
    kind: str,
    size: int | None,
    depth: int | None,
    settings: tuple[str, ...],
    seed: int | None,
    output: Path,
    document: bool,
) -> None:
    """Generate an exercise: ex.md, ex.solution.md, and ex.toml for checking answers.

    The seed is printed and stored in ex.toml.
    """
    check_ending(output, _ENDINGS)
    given: dict[str, int | str] = {} if size is None else {"size": size}
    given |= {} if depth is None else {"depth": depth}
    for setting in settings:
        name, sign, value = setting.partition("=")
        if not sign:
            raise FormatError(f"--set: expected NAME=VALUE, got {setting!r}")
        given[name.strip()] = int(value) if value.strip().isdecimal() else value.strip()
    seed = secrets.randbelow(10**6) if seed is None else seed
    exercise = new_exercise(kind, rng=seed, **given)
    checker = output.with_suffix(".toml")
    write_file(checker, f"# seed {seed}\n{to_toml(exercise)}")
    click.echo(f"seed {seed}", err=True)
    _export(exercise, output, checker, document=document)


@exercise_command.command("export")
@click.argument("file", type=click.Path(path_type=Path))
@_output
@_document
def export_command(file: Path, output: Path, document: bool) -> None:
    """Write the exercise in FILE (TOML) for students, and the solution to a separate file."""
    check_ending(output, _ENDINGS)
    _export(read_exercise(file), output, document=document)


@exercise_command.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("answer", type=click.Path(path_type=Path))
@json_option
def check_command(file: Path, answer: Path, as_json: bool) -> None:
    """Check the answer in the file ANSWER to the exercise in FILE (TOML), and give the reason.

    ANSWER may also be a file of answers from the explorer. Exit code 0 if it is right, 1 if it is wrong, 2
    if it is in the wrong format.
    """
    exercise, given = read_exercise(file), read_text(answer)
    if given.lstrip().startswith("{"):
        from kripke_werewolf.web.practice import answer_in

        given = answer_in(given, exercise, str(answer))
    result = exercise.check(given, source=str(answer))
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
