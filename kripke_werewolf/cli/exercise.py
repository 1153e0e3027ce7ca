"""`kripke-werewolf exercise new|check|export`, `… sheet new|check|export`, `… class make|grade|export`."""

from __future__ import annotations

import secrets
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from os import cpu_count
from pathlib import Path

import click

from kripke_werewolf.cli.output import (
    NEW_FILE,
    WholeHelps,
    check_ending,
    exit_with,
    json_option,
    note,
    tell,
    write_file,
)
from kripke_werewolf.errors import FormatError
from kripke_werewolf.exercises import (
    Exercise,
    classes,
    exports,
    grading,
    kinds_generated,
    new_exercise,
    read_exercise,
    to_latex,
    to_markdown,
    to_toml,
)
from kripke_werewolf.exercises.roster import read_roster
from kripke_werewolf.exercises.sheet import Sheet, Task, points_text, read_sheet
from kripke_werewolf.exercises.submissions import read_submission
from kripke_werewolf.exercises.worker import Worker
from kripke_werewolf.files import read_text

_ENDINGS = (".md", ".tex")
_PATH = click.Path(path_type=Path)

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
@click.argument("file", type=_PATH)
@_output
@_document
def exercise_export_command(file: Path, output: Path, document: bool) -> None:
    """Write the exercise in FILE (TOML) for students, and the solution to a separate file."""
    check_ending(output, _ENDINGS)
    _export(read_exercise(file), output, document=document)


@exercise_command.command("check")
@click.argument("file", type=_PATH)
@click.argument("answer", type=_PATH)
@json_option
def exercise_check_command(file: Path, answer: Path, as_json: bool) -> None:
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


# --- sheets -----------------------------------------------------------------------------------------


@exercise_command.group("sheet", cls=WholeHelps)
def sheet_command() -> None:
    """Write sheets of several tasks, check answers to them, and export them to learning systems."""


@sheet_command.command("new")
@click.argument("kinds", nargs=-1, required=True, metavar="KIND…")
@click.option("--title", default="Exercise sheet", show_default=True, help="The title of the sheet.")
@click.option("--points", type=int, default=1, show_default=True, help="The points of each task.")
@click.option("--seed", type=int, help="The seed of all exercises; by default it is drawn.")
@click.option("-o", "--output", required=True, type=NEW_FILE, help="The sheet to write, a .toml file.")
def new_sheet_command(
    kinds: tuple[str, ...], title: str, points: int, seed: int | None, output: Path
) -> None:
    """Write a sheet with a task of each KIND. Edit it to change parameters, points and titles, or to add
    exercise files."""
    seed = secrets.randbelow(10**6) if seed is None else seed
    sheet = Sheet(title, tuple(Task(kind, points) for kind in kinds), seed)  # type: ignore[arg-type]
    write_file(output, sheet.to_toml())
    click.echo(f"{output}\nseed {seed}")


_student = click.option(
    "--student",
    default="",
    metavar="ID",
    help="The student whose sheet it is; by default the sheet for no particular student.",
)


@sheet_command.command("check")
@click.argument("sheet", type=_PATH)
@click.argument("answers", type=_PATH)
@_student
@json_option
def check_sheet_command(sheet: Path, answers: Path, student: str, as_json: bool) -> None:
    """Check the answers in the file ANSWERS to SHEET (TOML), and give the reason for each task.

    The file is plain text, a notebook or a file saved by the explorer. Exit code 0 if all answers are
    right, 1 if not.
    """
    read = read_sheet(sheet)
    found = list(read_submission(str(answers), answers.read_bytes()))
    if len(found) != 1 or found[0].problem or len(found[0].answers) != 1:
        problem = next(
            (part.problem for part in found if part.problem), "it holds answers of several students"
        )
        raise FormatError(f"{answers}: {problem}; `exercise class grade` reads folders and tables")
    given = found[0].answers[0]
    with Worker(kinds=read.kinds) as worker:
        marks = grading.grade(read.variant(student or given.student), given.answers, worker=worker)
    lines = []
    for number, mark in enumerate(marks.marks, 1):
        lines.append(f"{marks.variant.heading(number)}: {mark.state}")
        lines += [f"  {line}" for line in mark.reason.splitlines()]
    content = {
        "points": str(marks.points),
        "out_of": str(read.points),
        "tasks": [
            {"state": mark.state, "points": str(mark.points), "reason": mark.reason} for mark in marks.marks
        ],
    }
    total = f"{marks.points} of {points_text(read.points)}"
    tell([*lines, total], content, as_json=as_json, indent=None)
    exit_with(all(mark.state == "right" for mark in marks.marks))


@sheet_command.command("export")
@click.argument("sheet", type=_PATH)
@click.option(
    "--to", "target", type=click.Choice(list(exports.EXPORTS)), required=True, help="The system to export to."
)
@click.option(
    "--variants", type=click.IntRange(1, 1000), default=1, show_default=True, help="The number of variants."
)
@_student
@click.option(
    "-o", "--output", required=True, type=_PATH, help="The file or, for notebooks, the folder to write."
)
def export_sheet_command(sheet: Path, target: str, variants: int, student: str, output: Path) -> None:
    """Export SHEET (TOML) to a learning system, as notebooks, or as a web page.

    With --variants 30 a question bank (moodle, gift, qti) has 30 exercises for each task. For other
    systems, 30 different sheets of the same difficulty are written, numbered -01 to -30.
    """
    read = read_sheet(sheet)
    for path in exports.export(read, target, output, variants=variants, student=student):
        click.echo(path)
    click.echo(f"seed {read.seed}", err=True)


# --- classes ----------------------------------------------------------------------------------------

_workers = click.option(
    "--workers",
    type=click.IntRange(1, 61),  # Windows cannot wait for more
    help="The number of processes; by default one for each core.",
)


@exercise_command.group("class", cls=WholeHelps)
def class_command() -> None:
    """Write an individual sheet for each student of a class, grade answers, and export the sheets."""


@class_command.command("make")
@click.argument("sheet", type=_PATH)
@click.option("--roster", required=True, type=_PATH, help="The students: a CSV file with names and ids.")
@click.option("-o", "--output", required=True, type=_PATH, help="The folder to write.")
@click.option(
    "--format",
    "formats",
    multiple=True,
    type=click.Choice(classes.FORMATS),
    help="Write only this format; may be repeated. By default all.",
)
@_workers
def make_command(
    sheet: Path, roster: Path, output: Path, formats: tuple[str, ...], workers: int | None
) -> None:
    """Write a sheet for each student to OUTPUT/students, and all solutions to OUTPUT.

    All sheets are equally difficult. If you run the command again, students keep their sheets.
    """
    read, students = read_sheet(sheet), read_roster(roster)
    with _executor(workers) as executor:
        made = classes.make_class(
            read, students, output, formats=formats or classes.FORMATS, executor=executor
        )
    click.echo(f"{output / 'students'}: {len(students)} sheets")
    for name in sorted(path.name for path in output.glob("solutions.*")):
        click.echo(output / name)
    for number, (least, most) in enumerate(made.difficulties, 1):
        click.echo(f"task {number}: difficulty {least if least == most else f'{least} to {most}'}")
    click.echo(f"seed {read.seed}")
    note(*made.remarks)


@class_command.command("grade")
@click.argument("folder", type=_PATH)
@click.argument("answers", type=_PATH)
@click.option("-o", "--output", required=True, type=NEW_FILE, help="The table of marks, a .csv file.")
@_workers
@click.option(
    "--seconds", type=click.FloatRange(0.1, 600), help="The time limit for one answer.  [default: 10]"
)
def grade_command(
    folder: Path, answers: Path, output: Path, workers: int | None, seconds: float | None
) -> None:
    """Grade ANSWERS (a folder, an archive or a table) for the class in FOLDER, made by `class make`.

    Writes the marks, a summary, and feedback for each student. Answers are checked in separate processes
    with limits. An unreadable answer is reported and affects only its author.
    """
    if output.suffix.lower() != ".csv":
        raise FormatError(f"the marks are a table: expected a file ending in .csv, got {str(output)!r}")
    graded = grading.grade_class(classes.read_class(folder), answers, workers=workers, seconds=seconds)
    for path in grading.write_marks(graded, output):
        click.echo(path)
    click.echo(graded.headline())
    note(*graded.remarks)


@class_command.command("export")
@click.argument("folder", type=_PATH)
@click.option(
    "--to",
    "target",
    type=click.Choice(list(exports.CLASS_EXPORTS)),
    required=True,
    help="The system to export to.",
)
@click.option(
    "-o", "--output", required=True, type=_PATH, help="The archive or, for notebooks, the folder to write."
)
def export_class_command(folder: Path, target: str, output: Path) -> None:
    """Export the individual sheets of the class in FOLDER, made by `class make`, to a system.

    For gradescope, this is one autograder for the class; for nbgrader and otter, a notebook for each
    student.
    """
    for path in exports.export_class(classes.read_class(folder), target, output):
        click.echo(path)


def _executor(workers: int | None) -> AbstractContextManager[Executor | None]:
    """Return processes to make sheets in; None for one worker."""
    number = min(8, cpu_count() or 1) if workers is None else workers
    return nullcontext() if number == 1 else ProcessPoolExecutor(number)
