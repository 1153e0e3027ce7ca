"""`kripke-werewolf exercise new|check|export`, `… sheet …`, `… class make|publish|host|grade`."""

from __future__ import annotations

import secrets
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from os import cpu_count
from pathlib import Path
from typing import Annotated

import click

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.files import known_ending, read_text
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.cli.declared import (
    ExistingFile,
    Folder,
    New,
    NewFile,
    NewPlace,
    Pairs,
    Reply,
    Words,
    command,
)
from kripke_werewolf.cli.output import check_new, note, page_apart, write_file
from kripke_werewolf.teach import exercises
from kripke_werewolf.teach.exercises import classes, grading
from kripke_werewolf.teach.exercises.classes import folder_name, read_roster
from kripke_werewolf.teach.exercises.sheet import Sheet, points_text, read_sheet, spreads
from kripke_werewolf.teach.exercises.submissions import read_submission
from kripke_werewolf.teach.exercises.worker import Worker
from kripke_werewolf.teach.explorer.page import exports

_Output = Annotated[Path, New(".md"), "-o, --output: The file for students, ex.md; beside it the solution."]
_Marks = Annotated[Path, New(".csv"), "-o, --output: The table of marks, a .csv file."]
_Seconds = Annotated[float, click.FloatRange(0.1, 600)]
_Workers = Annotated[int | None, click.IntRange(1, 61), "--workers: Processes, by default one for each core."]
"""Windows cannot wait for more than 61."""


@command("exercise new")
def _new(
    *,
    kind: Annotated[str, click.Choice(sorted(exercises.Exercise.kinds))],
    size: int | None = None,
    depth: int | None = None,
    set_: Pairs = (),
    seed: int | None = None,
    output: _Output,
) -> None:
    """Generate an exercise: ex.md, ex.solution.md, and ex.toml for checking answers.

    The seed is printed and stored in ex.toml.

    Options:
      --kind: The kind of exercise.
      --size: The number of worlds of the model, or of players.
      --depth: The modal depth of the formula.
      --set NAME=VALUE: Another parameter of the kind, lists with commas; may be repeated.
      --seed: The seed: the same seed gives the same exercise; by default it is drawn.
    """
    parameters = {"size": size, "depth": depth}
    given: dict[str, int | str] = {name: value for name, value in parameters.items() if value is not None}
    for name, value in set_:
        given[name] = int(value) if value.isdecimal() else value
    seed = secrets.randbelow(10**6) if seed is None else seed
    _export(exercises.new_exercise(kind, rng=seed, **given), output, seed=seed)


@command("exercise export")
def _export_exercise(file: Path, *, output: _Output) -> None:
    """Write the exercise in FILE (TOML) for students, and the solution to a separate file."""
    _export(exercises.read_exercise(file), output)


@command("exercise check")
def _check(file: Path, answer: Path) -> Reply:
    """Check the answer in the file ANSWER to the exercise in FILE (TOML), and give the reason.

    Exit code 0 if it is right, 1 if it is wrong, 2 if it is in the wrong format.
    """
    known_ending(file, [".toml"])
    result = exercises.read_exercise(file).check(read_text(answer), source=str(answer))
    return Reply([str(result)], {"right": result.right, "reason": result.reason}, result.right, indent=None)


def _export(exercise: exercises.Exercise, output: Path, *, seed: int | None = None) -> None:
    """Write an exercise, its solution and, with a seed, its file; print the names of all files written."""
    apart = output.with_suffix(".solution.md")
    files = {output: exercises.to_markdown(exercise), apart: exercises.to_markdown(exercise, solution=True)}
    if seed is not None:
        files[output.with_suffix(".toml")] = f"# seed {seed}\n{exercises.to_toml(exercise)}"
        click.echo(f"seed {seed}", err=True)
    check_new(*files)
    for path, content in files.items():
        write_file(path, content)
        click.echo(str(path))


# --- sheets -----------------------------------------------------------------------------------------


@command("exercise sheet new")
def _new_sheet(
    kinds: Words, *, title: str = "Exercise sheet", points: int = 1, seed: int | None = None, output: NewFile
) -> None:
    """Write a sheet with a task of each KIND. Edit it to change parameters, points and titles, or to add
    exercise files.

    Options:
      --title: The title of the sheet.
      --points: The points of each task.
      --seed: The seed of all exercises; by default it is drawn.
      -o, --output: The sheet to write, a .toml file.
    """
    seed = secrets.randbelow(10**6) if seed is None else seed
    sheet = Sheet(title, tuple(exercises.Task(kind, points) for kind in kinds), seed)  # type: ignore[arg-type]
    write_file(output, sheet.to_toml())
    click.echo(f"{output}\nseed {seed}")


@command("exercise sheet check")
def _check_sheet(sheet: Path, answers: Path, *, student: str = "") -> Reply:
    """Check the answers in the file ANSWERS to SHEET, and give the reason for each task.

    SHEET is a TOML file or, for the sheet of one student, the folder that `class make` wrote. The answers are
    plain text or a file saved by the student's page. Exit code 0 if all answers are right, 1 if not.

    Options:
      --student ID: The student of a class; by default the author of the answers.
    """
    found, *others = read_submission(str(answers), answers.read_bytes())
    given = found.answers
    if found.problem or others or given is None:
        problem = found.problem or "it holds the answers of several students"
        raise FormatError(f"{answers}: {problem}; `exercise class grade` reads folders and archives")
    opened, name = classes.open_sheet(sheet), student or given.student
    if isinstance(opened, Sheet) and name:
        theirs = f"if {name} has a sheet of a class, give the folder that `exercise class make` wrote"
        note(f"{sheet} has the same exercises for all; {theirs}")
        name = ""
    variant = opened.variant(name)
    with Worker() as worker:
        marks = grading.grade(variant, given.answers, worker=worker)
    lines, tasks = [], []
    for number, mark in enumerate(marks.marks, 1):
        lines.append(f"{marks.variant.heading(number)}: {mark.state}")
        lines += [f"  {line}" for line in mark.reason.splitlines()]
        tasks.append({"state": mark.state, "points": str(mark.points), "reason": mark.reason})
    lines.append(f"{marks.points} of {points_text(variant.sheet.points)}")
    content = {"points": str(marks.points), "out_of": str(variant.sheet.points), "tasks": tasks}
    return Reply(lines, content, all(mark.state == "right" for mark in marks.marks), indent=None)


@command("exercise sheet export")
def _export_sheet(
    sheet: Path,
    *,
    to: Annotated[str, click.Choice(list(exports.EXPORTS))],
    variants: Annotated[int, click.IntRange(1, 1000)] = 1,
    output: NewPlace,
) -> None:
    """Export SHEET as a question bank or as notebooks.

    SHEET is a TOML file, or the folder that `class make` wrote: for nbgrader and otter this is a notebook for
    each student; for a question bank (coderunner), a category for each task with the exercises of all
    students, from which a quiz draws. With --variants 30, a bank of a TOML file has 30 exercises for each
    task.

    Options:
      --to: The system to export to.
      --variants: The number of variants.
      -o, --output: The file or, for notebooks, the folder to write.
    """
    given = classes.open_sheet(sheet)
    read = given if isinstance(given, Sheet) else given.sheet
    check_new(*(output.rglob(f"{folder_name(read.title)}*.ipynb") if output.is_dir() else [output]))
    for path in exports.export(given, to, output, variants=variants):
        click.echo(path)
    click.echo(f"seed {read.seed}", err=True)


# --- classes ----------------------------------------------------------------------------------------


@command("exercise class make")
def _make(sheet: Path, *, roster: Path, output: Path, workers: _Workers = None) -> None:
    """Write a sheet for each student of a class, to print, and all solutions.

    All sheets are equally difficult. If you run the command again, students keep their sheets.
    `exercise class publish` makes pages to work on.

    Options:
      --roster: The students: a CSV file with names and ids.
      -o, --output: The folder to write.
    """
    read, students = read_sheet(sheet), read_roster(roster)
    number = min(8, cpu_count() or 1) if workers is None else workers
    with nullcontext() if number == 1 else ProcessPoolExecutor(number) as executor:
        course = classes.make_class(read, students, output, executor=executor)
    click.echo(f"{output / 'sheets.html'}: {counted(len(students), 'sheet')}")
    click.echo(output / "solutions.html")
    for number, (least, most, found, keys, guess) in enumerate(spreads(course.variants), 1):
        told = f"difficulty {least} to {most}, {counted(found, 'exercise')}, {counted(keys, 'right answer')}"
        click.echo(f"task {number}: {told}, the best guess earns {float(guess):.0%}")
    click.echo(f"seed {read.seed}")


@command("exercise class publish")
def _publish(
    folder: Path, *, output: NewPlace, address: str = "", online: bool = False, pyodide: Folder | None = None
) -> None:
    """Write a site with a page for each student of the class in FOLDER, made by `class make`.

    Put it on any web server, and give each student the link in FOLDER/links.csv. Work is kept in the
    student's browser, and handed in as a file with a seal, which `class grade` reads.

    Options:
      -o, --output: The folder of the site.
      --address: The address of the site, for the links.
      --online: Load Pyodide from its public server, instead of keeping it in the site.
      --pyodide: A folder with the files of the npm package pyodide; by default npm downloads them.
    """
    from kripke_werewolf.teach.explorer import respond

    check_new(*output.glob("index.html"))
    course, start = classes.read_class(folder), respond({"do": {"command": "open", "empty": True}})
    page = page_apart(start, online=online, pyodide=pyodide, site=True)
    links = exports.publish(course, output, page, address=address)
    write_file(folder / "links.csv", f"\ufeff{links.to_csv()}\n")
    click.echo(f"{output / 'index.html'}: {counted(len(links.rows), 'sheet')}\n{folder / 'links.csv'}")


@command("exercise class host")
def _host(
    site: Folder,
    folders: Words,
    *,
    address: str = "0.0.0.0",
    port: int = 8700,
    names: Words = (),
    tls: tuple[ExistingFile, ExistingFile] | None = None,
) -> None:
    """Serve the SITE that `class publish` wrote, and keep what students of the classes in FOLDERS hand in.

    Each file is kept in FOLDER/handed-in, beside those that came before, and the student is shown its name as
    a receipt. After the time that the sheet has as `due` it is marked as late. `class grade` reads them.

    Options:
      --address: Listen only at this address, such as 127.0.0.1.
      --port: The port to listen at.
      --name: A name under which students reach this machine; may be repeated.
      --tls CERT KEY: Encrypt all connections with this certificate and key.
    """
    from kripke_werewolf.play.host.serving import bound, run_until_stopped
    from kripke_werewolf.teach.exercises.class_host import ClassHost

    host = ClassHost(site, map(Path, folders))
    with bound(address, port) as listening:
        run_until_stopped(lambda at, known, _: host.hosted(at, known), listening, names=names, tls=tls)


@command("exercise class grade")
def _grade(
    folder: Path, answers: Path, *, output: _Marks, workers: _Workers = None, seconds: _Seconds | None = None
) -> None:
    """Grade ANSWERS (a folder or an archive) for the class in FOLDER, made by `class make`.

    What `class host` has kept is in FOLDER/handed-in.
    Writes the marks, a summary, and feedback for each student. Answers are checked in separate processes
    with limits. An unreadable answer is reported and affects only its author.

    Options:
      --seconds: The processor time for one answer.  [default: 10]
    """
    graded = grading.grade_class(classes.read_class(folder), answers, workers=workers, seconds=seconds)
    if not graded.handed_in:
        why = "; ".join(graded.remarks[:3]) or "the files are empty, or there are none"
        raise FormatError(f"{answers}: there are no answers to this sheet, and no marks are written: {why}")
    for path in grading.write_marks(graded, output):
        click.echo(path)
    click.echo(graded.headline())
    note(*graded.remarks)
