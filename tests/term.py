"""A class for all weeks of a course: answers, the marks expected for them, and the marks of every system.

Every student answers each task in one of five ways, in turn: right; right in another form; partly right;
hostile; guessed.
"""

import csv
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple, TypeAlias

from click.testing import CliRunner

from kripke_werewolf.base.errors import KripkeError
from kripke_werewolf.cli.main import cli
from kripke_werewolf.teach.exercises import Exercise, Listing, read_sheet
from kripke_werewolf.teach.exercises.banks import to_coderunner
from kripke_werewolf.teach.exercises.classes import CourseSheet, make_class, parse_roster
from kripke_werewolf.teach.exercises.forms import AFormula, Names
from kripke_werewolf.teach.exercises.submissions import saved_answers
from tests import coderunner

ROOT = Path(__file__).parents[1]
WEEKS = sorted((ROOT / "examples" / "course").glob("week*.toml"))
WAYS = ("right", "in another form", "partly right", "hostile", "guessed")

HOSTILE = (
    '"""\nraise SystemExit(0)\n"""',
    "'); import os; os._exit(0); ('",
    "__import__('os').system('echo broken > broken')",
    "{{ STUDENT_ANSWER }} {% for x in y %}",
    "=HYPERLINK(1)<script>alert(1)</script>",
    "(" * 15_000,
    "p & " * 30_000,
    '{"fraction": 1}',
)


class Given(NamedTuple):
    """An answer, the way in which it was found, and the share of the points that it must get."""

    text: str
    way: str
    share: Fraction


Marks: TypeAlias = "list[float]"
"""The points of a student for each task."""


# --- answers ---------------------------------------------------------------------------------------


def given(exercise: Exercise, way: str, rng: random.Random) -> Given:
    """Return an answer to an exercise.

    The share for a list is counted here, as docs/for-lecturers.md says.
    """
    solution, form = exercise.solution(), exercise.form
    if way == "in another form":
        return Given(in_another_form(exercise, rng), way, Fraction(1))
    if way == "partly right" and isinstance(exercise, Listing):
        names, right = exercise.form.names, exercise.right()
        chosen = {name for name in names if (name in right) != (rng.random() < 0.3)}
        if chosen - right != right - chosen:
            return Given(", ".join(sorted(chosen)) or "none", way, listed(exercise, chosen))
    if way == "hostile":
        return Given(rng.choice(HOSTILE), way, Fraction(0))
    if way == "guessed":
        guess = "true" if isinstance(form, AFormula) else "valid"
        if isinstance(form, Names):
            chosen = set(form.names)
            return Given(", ".join(form.names), way, listed(exercise, chosen))
        return Given(guess, way, checked(exercise, guess))
    return Given(solution, "right", Fraction(1))


def listed(exercise: Exercise, chosen: Set[object]) -> Fraction:
    """Return the share for a list: half for one mistake in at least four names, if two names are right."""
    right = exercise.right()  # type: ignore[attr-defined]
    if chosen == right:
        return Fraction(1)
    nearly = len(chosen ^ right) == 1 and len(chosen & right) > 1 and len(exercise.form.options) > 3
    return Fraction(1, 2) if nearly else Fraction(0)


def checked(exercise: Exercise, answer: str) -> Fraction:
    """Return the share that the checker itself gives; nothing for an answer that it cannot read."""
    try:
        return exercise.check(answer).credit
    except KripkeError:
        return Fraction(0)


def in_another_form(exercise: Exercise, rng: random.Random) -> str:
    """Return a right answer that is not written as the solution is."""
    solution, form = exercise.solution(), exercise.form
    if isinstance(form, Names):
        names = sorted(exercise.right())  # type: ignore[attr-defined]
        rng.shuffle(names)
        return f"{{{' and '.join(names)}}}." if names else "none of them"
    if isinstance(form, AFormula):
        return f"~~({solution}) & ({solution})"
    first, *rest = solution.splitlines()
    return f"\n{first}  \n\n" + "".join(f"{line} \n" for line in rest)


def sheets(course: CourseSheet, seed: int) -> list[list[Given]]:
    """Return the answers of each student to each task, with all ways in each task and in each sheet."""
    return [
        [
            given(exercise, WAYS[(place + number) % len(WAYS)], random.Random(f"{seed} {place} {number}"))
            for number, exercise in enumerate(variant.exercises)
        ]
        for place, variant in enumerate(course.variants)
    ]


def expected(course: CourseSheet, answers: Sequence[Given]) -> Marks:
    """Return the points that a student must get."""
    pairs = zip(course.sheet.tasks, answers, strict=True)
    return [float(task.points * answer.share) for task, answer in pairs]


# --- systems ---------------------------------------------------------------------------------------


def by_the_command(
    folder: Path, course: CourseSheet, answers: Sequence[Sequence[Given]], workers: int
) -> list[Marks]:
    """Return the points in the table of `exercise class grade`, for files of text and of the page in turn."""
    (folder / "answers").mkdir()
    for place, (student, given) in enumerate(zip(course.students, answers, strict=True)):
        if place % 2:
            texts = {str(n): answer.text for n, answer in enumerate(given, 1)}
            data = {"student": student.key, "sheet": course.sheet.title, "attempt": 1, "answers": texts}
            saved = saved_answers(data, course.seal(student))
            (folder / "answers" / f"{student.key}.json").write_text(saved, "utf-8")
        else:
            text = "".join(f"Task {n}:\n{answer.text}\n\n" for n, answer in enumerate(given, 1))
            (folder / "answers" / f"{student.key}.txt").write_text(text, "utf-8")
    marks = folder / "marks.csv"
    command = ["exercise", "class", "grade", str(folder / "class"), str(folder / "answers")]
    done = CliRunner().invoke(cli, [*command, "-o", str(marks), "--workers", str(workers)])
    assert done.exit_code == 0, done.output
    rows = csv.DictReader(marks.read_text("utf-8-sig").splitlines())
    tasks = range(1, len(course.sheet.tasks) + 1)
    return [[float(row[f"task {n}"]) for n in tasks] for row in rows]


def by_coderunner(
    folder: Path, course: CourseSheet, answers: Sequence[Sequence[Given]], chosen: Callable[[int, int], bool]
) -> Iterator[tuple[int, int, float]]:
    """Yield the points of CodeRunner questions for students' tasks: student, task, points."""
    wanted = [
        (place, number)
        for place, variant in enumerate(course.variants)
        for number in range(len(variant.exercises))
        if chosen(place, number)
    ]
    sheet = replace(course.sheet, tasks=tuple(course.sheet.tasks[n] for _, n in wanted), attempts=1)
    posed = [[course.variants[place].exercises[number]] for place, number in wanted]
    asked = list(coderunner.questions(to_coderunner(sheet, posed)))
    texts = [answers[place][number].text for place, number in wanted]
    told = coderunner.outcomes(asked, texts, folder / "coderunner")
    for (place, number), question, one in zip(wanted, asked, told, strict=True):
        yield place, number, one["fraction"] * float(question.settings["defaultgrade"])


# --- a week ----------------------------------------------------------------------------------------


def class_of(week: Path, folder: Path, students: int) -> CourseSheet:
    """Return a class for a week, made in a folder."""
    roster = parse_roster(
        "name,id,email\n" + "".join(f"S {n},s{n},s{n}@u.example\n" for n in range(students))
    )
    return make_class(read_sheet(week), roster, folder / "class")


def compared(
    course: CourseSheet,
    folder: Path,
    *,
    seed: int = 0,
    command: bool = True,
    each: int = 0,
) -> Counter[str]:
    """Compare every mark of a class; return the number of marks by system, and of answers by the way.

    With `command`, the command grades all students; CodeRunner one of `each` answers.
    """
    answers = sheets(course, seed)
    due = [expected(course, given) for given in answers]
    found = Counter(answer.way for given in answers for answer in given)

    def same(system: str, place: int, told: Marks, wanted: Marks, within: float = 1e-6) -> None:
        for number, (points, right) in enumerate(zip(told, wanted, strict=True)):
            assert abs(points - right) < within, (
                course.sheet.title,
                system,
                place,
                number + 1,
                answers[place][number],
            )
            found[system] += 1

    graded = by_the_command(folder, course, answers, 1 + seed % 2) if command else ()
    for place, told in enumerate(graded):
        same("command", place, told, due[place], within=0.006)  # the table has two decimal places

    def chosen(place: int, number: int) -> bool:
        return (place * len(course.sheet.tasks) + number) % each == seed

    for place, number, points in by_coderunner(folder, course, answers, chosen) if each else ():
        about = (course.sheet.title, place, number + 1, answers[place][number])
        assert abs(points - due[place][number]) < 1e-6, about
        found["CodeRunner"] += 1
    return found
