"""Sheets: several tasks with points, individual for each student and equally difficult for all."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cache
from hashlib import sha256
from itertools import islice, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import KripkeError, ModelError
from kripke_werewolf.base.files import read_text
from kripke_werewolf.base.reports.documents import Block, Heading, Items, Paragraph
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.teach.exercises import serialisation
from kripke_werewolf.teach.exercises.exercise import Exercise, Rng, Setting
from kripke_werewolf.teach.exercises.generation import alike, checked_parameters, dealt, deck_of, new_exercise
from kripke_werewolf.teach.exercises.serialisation import TableReader, toml_table, toml_text
from kripke_werewolf.teach.language import OURS, CourseLanguage

_SAMPLE = 9  # exercises for the median difficulty of a task
_DRAWS = 40  # exercises drawn to find one of that difficulty

Parameters = Mapping[str, Setting] | tuple[tuple[str, Setting], ...]


@dataclass(frozen=True, slots=True, repr=False)
class Task(Displayed):
    """One task of a sheet: a kind, with an exercise for every student, or one exercise for all.

    `what`: the name of a kind, or an exercise. `points`: those for a right answer. `parameters`: those of the
    kind, by name. `difficulty`: the difficulty of all exercises, by default a typical one.

    >>> Task("distinguish", points=3, parameters={"size": 5}).parameters
    (('size', 5), ('depth', 2))
    """

    what: str | Exercise
    points: Fraction = Fraction(1)
    title: str = ""
    parameters: Parameters = ()
    difficulty: int | None = None

    def __post_init__(self) -> None:
        given, points = dict(self.parameters), Fraction(self.points)
        if not isinstance(self.what, Exercise):
            given = checked_parameters(self.what, given)
        elif given or self.difficulty is not None:
            raise ModelError("a finished exercise has no parameters and no difficulty")
        if not 0 < points <= 1000:
            raise ModelError(f"a task is worth more than 0 and at most 1000 points, got {self.points}")
        object.__setattr__(self, "parameters", tuple(given.items()))
        object.__setattr__(self, "points", points)

    def headline(self) -> str:
        """Return the title, the kind with its parameters, and the points."""
        kind = self.what.kind if isinstance(self.what, Exercise) else self.what
        named = (self.name,) if self.name != kind else ()
        settings = (f"{name} {value}" for name, value in dict(self.parameters).items())
        return ", ".join((*named, kind, *settings, points_text(self.points)))

    def display(self) -> Iterator[Block]:
        """Yield the line, and the exercise if it is the same for all."""
        yield Paragraph(self.headline())
        if isinstance(self.what, Exercise):
            yield from self.what.display()

    @property
    def name(self) -> str:
        """The title, or the kind."""
        if isinstance(self.what, Exercise):
            return self.title or self.what.title or self.what.kind
        return self.title or self.what

    def level(self, seed: int, number: int) -> int:
        """Return the intended difficulty of all exercises of this task."""
        if isinstance(self.what, Exercise):
            return self.what.difficulty()
        return _typical(self, seed, number) if self.difficulty is None else self.difficulty

    def exercise(self, seed: int, number: int, who: str, level: int, place: int | None = None) -> Exercise:
        """Return the exercise of the student `who`, as close to the task's difficulty (`level`) as is found.

        What must not depend on that, such as the verdict, is dealt to students with a `place` in a class, so
        that it recurs as late as possible; for others it is drawn.
        """
        if isinstance(self.what, Exercise):
            return self.what
        given, generator = dict(self.parameters), _generator(seed, number, f"student {who}")
        suits = deck_of(self.what, given)
        card = None if place is None else dealt(suits, _generator(seed, number, "deck"), place)
        tried = list[tuple[int, Exercise]]()
        for found in islice(alike(self.what, generator, given, card), _DRAWS):
            least, most = sorted((found.difficulty(), level))
            tried.append((most - least, found))
            if most <= found.close * least:
                break
        return min(tried, key=itemgetter(0))[1]


@cache
def _typical(task: Task, seed: int, number: int) -> int:
    """Return the median difficulty of some exercises of a task."""
    assert isinstance(task.what, str)
    generator = _generator(seed, number, "level")
    sample = (new_exercise(task.what, rng=generator, **dict(task.parameters)) for _ in range(_SAMPLE))
    return sorted(exercise.difficulty() for exercise in sample)[_SAMPLE // 2]


def _generator(seed: int, number: int, purpose: str) -> Rng:
    """Return a random generator determined by the seed, task and purpose."""
    from numpy.random import default_rng

    digest = sha256(purpose.encode()).digest()
    return default_rng([seed, number, *digest])


@dataclass(frozen=True, slots=True, repr=False)
class Sheet(Displayed):
    """A title, tasks and a seed. With the roster of a class they determine the exercises of each student.

    `attempts`: the number of attempts that count; the best is graded. `text`: the text above the tasks.
    `language`: that of the course, in which students read and write. `due`: the day and time after which
    a sheet is handed in late, such as "2026-05-04 23:59"; "" if it never is.

    >>> sheet = Sheet("Week 1", (Task("truth-set", points=2), Task("to-formula")), seed=7)
    >>> sheet.points
    Fraction(3, 1)
    >>> sheet.variant("ann") == sheet.variant("ann"), sheet.variant("ann") == sheet.variant("bo")
    (True, False)
    """

    title: str
    tasks: tuple[Task, ...]
    seed: int
    attempts: int = 1
    text: str = ""
    language: CourseLanguage = OURS
    due: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tasks", tuple(self.tasks))
        if not self.tasks:
            raise ModelError("a sheet needs at least one task")
        if not isinstance(self.seed, int) or self.seed < 0:
            raise ModelError(f"the seed is a whole number from 0, got {self.seed!r}")
        if not 1 <= self.attempts <= 100:
            raise ModelError(f"the number of attempts is from 1 to 100, got {self.attempts}")
        try:
            self.is_late(datetime.now())
        except ValueError:
            wanted = "expected a day and a time, such as 2026-05-04 23:59"
            raise ModelError(f"due: {wanted}, got {self.due!r}") from None

    @property
    def points(self) -> Fraction:
        """The total points."""
        return sum((task.points for task in self.tasks), Fraction(0))

    def is_late(self, moment: datetime) -> bool:
        """Whether the sheet was due before a moment, both in the time of this place."""
        return bool(self.due) and moment > datetime.strptime(self.due, "%Y-%m-%d %H:%M")

    def levels(self) -> tuple[int, ...]:
        """Return the difficulty of each task."""
        return tuple(task.level(self.seed, number) for number, task in enumerate(self.tasks, 1))

    def variant(self, student: str, levels: Sequence[int] | None = None, place: int | None = None) -> Variant:
        """Return the sheet of one student; any string names a student.

        `levels`: `levels()`, if known. `place`: the student's place in a class, from 0; classmates then get
        different verdicts, principles and the like as far as possible.
        """
        aimed = self.levels() if levels is None else levels
        exercises = (
            task.exercise(self.seed, number, student, level, place).told_in(self.language)
            for number, (task, level) in enumerate(zip(self.tasks, aimed, strict=True), 1)
        )
        return Variant(self, student, tuple(exercises))

    def headline(self) -> str:
        """Return the title, the number of tasks, the points and the seed."""
        tasks = counted(len(self.tasks), "task")
        return f"{self.title}: {tasks}, {points_text(self.points)}, seed {self.seed}"

    def display(self) -> Iterator[Block]:
        """Yield the title and a line for each task."""
        yield Heading(self.headline())
        yield Items(tuple(task.headline() for task in self.tasks))

    def to_dict(self) -> dict[str, Any]:
        """Return the sheet as plain data, for JSON or TOML."""
        found: dict[str, Any] = {"title": self.title, "seed": self.seed, "attempts": self.attempts}
        told = {"text": self.text, "due": self.due, "language": self.language.name or self.language.table()}
        found |= {key: value for key, value in told.items() if value}
        found["task"] = [_task_data(task) for task in self.tasks]
        return found

    def to_toml(self) -> str:
        """Return the file from which `read_sheet` reads the same sheet."""
        data = self.to_dict()
        tasks = data.pop("task")
        return toml_text(data) + "".join(f"\n[[task]]\n{toml_table(task)}" for task in tasks)


@dataclass(frozen=True, slots=True, repr=False)
class Variant(Displayed):
    """The sheet of one student: an exercise for each task."""

    sheet: Sheet
    student: str
    exercises: tuple[Exercise, ...]

    def heading(self, number: int) -> str:
        """Return the heading of a task, counted from 1: its number, its title and its points."""
        task, exercise = self.sheet.tasks[number - 1], self.exercises[number - 1]
        title = task.title or exercise.title
        named = ": ".join(filter(None, [f"Task {number}", title]))
        return f"{named} ({points_text(task.points)})"

    def headline(self) -> str:
        """Return the title and the student."""
        return f"{self.sheet.title}, {self.student}: {counted(len(self.exercises), 'task')}"

    def display(self) -> Iterator[Block]:
        """Yield all tasks as the student sees them."""
        yield Heading(f"{self.sheet.title}, {self.student}")
        if self.sheet.text:
            yield Paragraph(self.sheet.text)
        for number, exercise in enumerate(self.exercises, 1):
            yield Heading(self.heading(number), 3)
            yield from exercise.display()


def points_text(points: Fraction) -> str:
    """Return a number of points in words.

    >>> points_text(Fraction(1)), points_text(Fraction(5, 2))
    ('1 point', '2.5 points')
    """
    return f"{decimal(points)} point{'' if points == 1 else 's'}"


def decimal(points: Fraction) -> str:
    """Return points as a decimal with at most two places."""
    return f"{float(round(points, 2)):.2f}".rstrip("0").rstrip(".")


def _task_data(task: Task) -> dict[str, Any]:
    found: dict[str, Any] = {} if isinstance(task.what, Exercise) else {"kind": task.what}
    if task.title:
        found["title"] = task.title
    if task.difficulty is not None:
        found["difficulty"] = task.difficulty
    found["points"] = int(task.points) if task.points.denominator == 1 else str(task.points)
    if isinstance(task.what, Exercise):
        found["exercise"] = serialisation.to_dict(task.what)
    return found | dict(task.parameters)


# --- reading ---------------------------------------------------------------------------------------

_TASK_KEYS = ("kind", "exercise", "points", "title", "difficulty")


def read_sheet(path: str | os.PathLike[str]) -> Sheet:
    """Return the sheet in a TOML file.

    Raises `FormatError` with line and column; `OSError` if the file, or one that it names, cannot be opened.
    """
    return parse_sheet(read_text(path), str(path), Path(path).parent)


def parse_sheet(text: str, source: str = "sheet", folder: Path | None = None) -> Sheet:
    """Return the sheet in a TOML string; `source` is its name in errors, `folder` that of its files."""
    return _sheet(TableReader(serialisation.parse_toml(text, source), source, text, folder))


def sheet_from_dict(data: Mapping[str, Any], source: str = "sheet") -> Sheet:
    """Return the sheet described by plain data, without files; raises `FormatError`."""
    return _sheet(TableReader(data, source))


def _sheet(given: TableReader) -> Sheet:
    owner, string, number = "a sheet", TableReader.string, TableReader.number
    given.check_keys(("title", "seed", "attempts", "text", "due", "language", "task"), owner)
    title, seed = given.field("title", owner, string), given.field("seed", owner, number)
    attempts, text = given.field("attempts", owner, number, 1), given.field("text", owner, string, "")
    due = given.field("due", owner, string, "")
    language = given.field("language", owner, TableReader.language, OURS)
    tables = given.data.get("task")
    if not isinstance(tables, list) or not tables:
        given.fail("task", "a sheet needs at least one [[task]]")
    heads = [m.start() for m in re.finditer(r"^[ \t]*\[\[\s*task\s*\]\]", given.text, re.MULTILINE)]
    parts = dict(enumerate(pairwise([*heads, len(given.text)])))
    tasks = []
    for place, data in enumerate(tables):
        if not isinstance(data, Mapping):
            given.fail("task", "expected a table [[task]]")
        label, within = f"task {place + 1}", parts.get(place, (0, None))
        table = TableReader(data, given.source, given.text, given.folder, label=label, within=within)
        tasks.append(_task(table))
    try:
        return Sheet(title, tuple(tasks), seed, attempts, text, language, due)
    except ModelError as error:
        given.fail(next(key for key in ("attempts", "due", "seed") if key in str(error)), str(error))


def _task(given: TableReader) -> Task:
    data, owner = given.data, "a task"
    if ("kind" in data) == ("exercise" in data):
        given.fail("", "a task needs either a kind or an exercise")
    what = given.string("kind") if "kind" in data else _exercise(given)
    title = given.field("title", owner, TableReader.string, "")
    difficulty = given.field("difficulty", owner, TableReader.number, None)
    points = given.field("points", owner, TableReader.fraction, Fraction(1))
    rest = {key: value for key, value in data.items() if key not in _TASK_KEYS}
    if isinstance(what, Exercise) and (rest or difficulty is not None):
        key = next(iter(rest), "difficulty")
        given.fail(key, f"a task with an exercise has no key {key!r}")
    try:
        return Task(what, points, title, rest, difficulty)
    except KripkeError as error:
        key = next((key for key in (*rest, "points") if key in str(error)), "kind")
        given.fail(key, str(error))


def _exercise(given: TableReader) -> Exercise:
    key = "exercise"
    if isinstance(given.data[key], Mapping):
        return serialisation.from_dict(given.data[key], source=f"{given.source}, {given.label}")
    path = given.file(key)
    try:
        return serialisation.read_exercise(path)
    except OSError as error:
        given.fail(key, f"exercise: cannot open {given.data[key]!r}: {error.strerror}")


class Spread(NamedTuple):
    """A task in a class: its least and greatest difficulty, the numbers of exercises and of right answers.

    `guess`: the share of the points if everybody gives the same answer, the best of the frequent right ones.
    """

    least: int
    most: int
    exercises: int
    answers: int
    guess: Fraction


def spreads(variants: Sequence[Variant]) -> Iterator[Spread]:
    """Yield for each task how its exercises differ, and the worth of guessing."""
    for column in zip(*(variant.exercises for variant in variants), strict=True):
        levels = [exercise.difficulty() for exercise in column]
        answers = Counter(exercise.solution() for exercise in column)
        guess = max(worth(column, answer) for answer, _ in answers.most_common(4))
        yield Spread(min(levels), max(levels), len(set(column)), len(answers), guess)


def worth(exercises: Sequence[Exercise], answer: str) -> Fraction:
    """Return the share of the points that one answer earns if it is given to all of these exercises."""
    total = Fraction(0)
    for exercise in exercises:
        with suppress(KripkeError):
            total += exercise.check(answer).credit
    return total / len(exercises)
