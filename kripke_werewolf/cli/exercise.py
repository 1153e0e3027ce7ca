"""`kripke-werewolf exercise new|check|export`, `… sheet new|check|export`, `… class make|publish|grade`."""

from __future__ import annotations

import secrets
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from os import cpu_count
from pathlib import Path
from typing import Annotated

import click

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.files import read_text
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.cli.declared import Folder, New, NewFile, NewPlace, Pairs, Reply, Words, command
from kripke_werewolf.cli.output import check_new, note, page_apart, write_file
from kripke_werewolf.teach import exercises
from kripke_werewolf.teach.exercises import classes, grading
from kripke_werewolf.teach.exercises.classes import CourseSheet, folder_name, read_roster
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
    result = exercises.read_exercise(file).check(read_text(answer), source=str(answer))
    content = {"right": result.right, "reason": result.reason}
    return Reply([str(result)], content, yes=result.right, indent=None)


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
    found = list(read_submission(str(answers), answers.read_bytes()))
    problems = [part.problem for part in found if part.problem]
    given = found[0].answers
    if problems or len(found) != 1 or given is None:
        problem = next(iter(problems), "it holds the answers of several students")
        raise FormatError(f"{answers}: {problem}; `exercise class grade` reads folders and archives")
    opened, name = classes.open_sheet(sheet), student or given.student
    if isinstance(opened, Sheet) and name:
        theirs = f"if {name} has a sheet of a class, give the folder that `exercise class make` wrote"
        if student:
            raise FormatError(f"{sheet} has no sheet for a student; {theirs}")
        note(f"{sheet} has the same exercises for all; {theirs}")
        name = ""
    elif isinstance(opened, CourseSheet) and not name:
        raise FormatError(f"{sheet} is a class: give --student, such as {opened.students[0].key}")
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
    given = classes.read_class(sheet) if sheet.is_dir() else read_sheet(sheet)
    read = given if isinstance(given, Sheet) else given.sheet
    there = output.rglob(f"{folder_name(read.title)}*.ipynb") if output.is_dir() else [output]
    check_new(*there)
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
    for number, (least, most, different, answers, guess) in enumerate(spreads(course.variants), 1):
        level = least if least == most else f"{least} to {most}"
        found = f"{counted(different, 'exercise')}, {counted(answers, 'right answer')}"
        click.echo(f"task {number}: difficulty {level}, {found}, the best guess earns {float(guess):.0%}")
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
    if not course.secret:
        raise FormatError(f"{folder} was made by an older version, and has no codes: make the class again")
    page = page_apart(start, online=online, pyodide=pyodide, site=True)
    links = exports.publish(course, output, page)
    exports.write_links(folder / "links.csv", address, links)
    click.echo(f"{output / 'index.html'}: {counted(len(links), 'sheet')}\n{folder / 'links.csv'}")


@command("exercise class grade")
def _grade(
    folder: Path, answers: Path, *, output: _Marks, workers: _Workers = None, seconds: _Seconds | None = None
) -> None:
    """Grade ANSWERS (a folder or an archive) for the class in FOLDER, made by `class make`.

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
