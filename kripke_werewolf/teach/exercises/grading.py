"""Grading: answers matched to students and tasks, marks with reasons, and a summary of the class."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain
from pathlib import Path
from queue import Queue
from statistics import mean

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import FormatError, KripkeError, cut_off, did_you_mean
from kripke_werewolf.base.files import writing
from kripke_werewolf.base.reports.documents import Block, Document, Heading, Items, Outline, Paragraph
from kripke_werewolf.base.reports.tables import Grid
from kripke_werewolf.base.usage import Explaining
from kripke_werewolf.teach.exercises.classes import CourseSheet, Roll, Student, plain_text
from kripke_werewolf.teach.exercises.exercise import Exercise, Result
from kripke_werewolf.teach.exercises.rendering import in_words
from kripke_werewolf.teach.exercises.sheet import Variant, decimal, points_text
from kripke_werewolf.teach.exercises.submissions import LATE, Answers, Found, files_in, is_sealed, read_file
from kripke_werewolf.teach.exercises.worker import SECONDS, Unchecked, Worker

_STATES = ("right", "partly right", "wrong", "unreadable", "missing")


@dataclass(frozen=True, slots=True)
class Mark(Explaining):
    """The mark for one answer: the points, the answer, and the reason.

    `state`: "right", "wrong", "partly right", "unreadable" (in the wrong format, or too large), or "missing".
    """

    points: Fraction
    out_of: Fraction
    state: str
    answer: str = ""
    reason: str = ""
    mistake: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Marks(Displayed):
    """The marks of one student for all tasks. `attempt`: the number of the attempt."""

    variant: Variant
    marks: tuple[Mark, ...]
    attempt: int = 1

    @property
    def points(self) -> Fraction:
        """The total points."""
        return sum((mark.points for mark in self.marks), Fraction(0))

    @property
    def handed_in(self) -> bool:
        """Whether there is an answer to any task."""
        return any(mark.state != "missing" for mark in self.marks)

    def headline(self) -> str:
        """Return the points, and the greatest possible."""
        return f"{self.variant.student}: {decimal(self.points)} of {points_text(self.variant.sheet.points)}"

    def display(self) -> Iterator[Block]:
        """Yield each task, its points and the reason."""
        yield Heading(self.headline())
        for number, mark in enumerate(self.marks, 1):
            yield Heading(self.variant.heading(number), 3)
            yield from self.variant.exercises[number - 1].blocks(lambda thing: Items(tuple(in_words(thing))))
            worth = f"{decimal(mark.points)} of {points_text(mark.out_of)}"
            yield Paragraph(f"{mark.state.capitalize()}: {worth}.")
            if mark.answer:
                yield Outline(f"Your answer:\n{cut_off(mark.answer, 400)}")
            if mark.reason:
                yield Outline(mark.reason)


def grade(
    variant: Variant, answers: Mapping[int, str] | Sequence[str], *, worker: Worker | None = None
) -> Marks:
    """Return the marks for the answers to a sheet, given by task number from 1, or in order.

    With a `worker`, the answers are checked in a process with limits, advisable for students' answers. Raises
    `FormatError` for a task that the sheet does not have.

    >>> from kripke_werewolf.teach.exercises.sheet import Sheet, Task
    >>> sheet = Sheet("Week 1", (Task("truth-set", points=3), Task("to-formula")), seed=1)
    >>> variant = sheet.variant("ann")
    >>> grade(variant, [exercise.solution() for exercise in variant.exercises])
    <Marks: ann: 4 of 4 points>
    >>> [mark.state for mark in grade(variant, {2: "perhaps"}).marks]
    ['missing', 'unreadable']
    """
    given = dict(answers) if isinstance(answers, Mapping) else dict(enumerate(answers, 1))
    for number in given:
        if number not in range(1, 1 + len(variant.exercises)):
            raise FormatError(f"there is no task {number!r}; the sheet has {len(variant.exercises)}")
    check: Callable[[Exercise, str], Result | Unchecked] = _checked if worker is None else worker.check
    marks = []
    for number, (task, exercise) in enumerate(zip(variant.sheet.tasks, variant.exercises, strict=True), 1):
        answer = given.get(number, "")
        if not answer.strip():
            marks.append(Mark(Fraction(0), task.points, "missing"))
            continue
        result = check(exercise, answer)
        if isinstance(result, Unchecked):
            marks.append(Mark(Fraction(0), task.points, "unreadable", answer, result.why))
            continue
        state = "partly right" if result.credit else "wrong"
        if result.right:
            state = "right"
        points = result.credit * task.points
        marks.append(Mark(points, task.points, state, answer, result.reason, result.mistake))
    return Marks(variant, tuple(marks))


def _checked(exercise: Exercise, answer: str) -> Result | Unchecked:
    try:
        return exercise.check(answer)
    except KripkeError as error:
        return Unchecked(str(error))


# --- a folder of answers ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Graded(Displayed):
    """The marks of a class, and remarks on the files handed in, one line each."""

    course: CourseSheet
    marks: tuple[Marks, ...]
    remarks: tuple[str, ...] = ()
    per_student: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hints: Mapping[str, int] = field(default_factory=dict)
    """How often each student used a hint, in all tasks."""

    @property
    def handed_in(self) -> list[Marks]:
        """The marks of the students who handed in answers."""
        return [marks for marks in self.marks if marks.handed_in]

    def headline(self) -> str:
        """Return the number of students who handed in answers, and their mean points."""
        handed, total = self.handed_in, points_text(self.course.sheet.points)
        mean = decimal(_mean(marks.points for marks in handed))
        return f"{len(handed)} of {len(self.marks)} students handed in; mean {mean} of {total}"

    def table(self) -> Grid:
        """Return the marks as a table with a row for each student."""
        sheet, rows = self.course.sheet, []
        tasks = (f"task {n}" for n in range(1, len(sheet.tasks) + 1))
        for student, marks in zip(self.course.students, self.marks, strict=True):
            points = [mark.points for mark in marks.marks] + [marks.points, sheet.points]
            remarks = "; ".join(self.per_student.get(student.key, ()))
            told = (str(self.hints.get(student.key, 0)), remarks)
            rows.append((student.key, student.name, student.email, *map(decimal, points), *told))
        head = ("id", "name", "email", *tasks, "points", "out of", "hints", "remarks")
        return Grid(head, tuple(rows), words=True)

    def summary(self) -> Document:
        """Return a summary: the difficult tasks, the typical wrong answers, and the unreadable files."""
        blocks: list[Block] = [Paragraph(f"{self.headline()}.")]
        handed = self.handed_in
        rows = []
        for number, task in enumerate(self.course.sheet.tasks, 1):
            marks = [one.marks[number - 1] for one in handed]
            states = Counter(mark.state for mark in marks)
            worth = f"{round(100 * _mean(mark.points for mark in marks) / task.points)}%"
            rows.append((f"{number}. {task.name}", worth, *(str(states[state]) for state in _STATES)))
        blocks.append(Grid(("task", "mean", *_STATES), tuple(rows)))
        for number in range(1, len(rows) + 1):
            if wrong := list(self._typical(number, handed)):
                blocks += [Heading(f"Wrong answers to task {number}"), Items(tuple(wrong))]
        if self.remarks:
            blocks += [Heading("Remarks"), Items(self.remarks)]
        return Document(f"{self.course.sheet.title}: summary", tuple(blocks))

    def _typical(self, number: int, handed: Iterable[Marks]) -> Iterator[str]:
        """Yield mistakes made more than once, and wrong answers, with their numbers of students."""
        marks = [one.marks[number - 1] for one in handed]
        wrong = [mark for mark in marks if mark.state in ("wrong", "partly right", "unreadable")]
        for name, count in Counter(mark.mistake for mark in wrong if mark.mistake).most_common(5):
            yield f"{count} x the mistake “{name}”"
        firsts = Counter(mark.reason.split("\n", 1)[0] for mark in wrong if not mark.mistake and mark.reason)
        for reason, count in firsts.most_common(5):
            yield f"{count} x {cut_off(reason, 160)}"

    def feedback(self, marks: Marks, student: Student) -> Document:
        """Return the feedback for a student: the points and the reason for each task."""
        total = points_text(self.course.sheet.points)
        blocks: list[Block] = [Paragraph(f"{student.name}: {decimal(marks.points)} of {total}.")]
        remarks = tuple(r for r in self.per_student.get(student.key, ()) if not r.startswith("task "))
        if remarks:
            blocks.append(Items(remarks))
        return Document(f"{self.course.sheet.title}: feedback", (*blocks, *tuple(marks.display())[1:]))


def _mean(points: Iterable[Fraction]) -> Fraction:
    """Return the mean of some points; 0 of none."""
    return mean(list(points) or [Fraction(0)])


def grade_class(
    course: CourseSheet,
    answers: str | os.PathLike[str],
    *,
    workers: int | None = None,
    seconds: float | None = None,
) -> Graded:
    """Return the marks for a folder, an archive or a table of answers, checked in processes with limits.

    Files belong to the student whose id, address or name is in their path or, in plain text, on the line
    `Student:`; see docs/for-lecturers.md. A file that cannot be read gets a line in the remarks, and does not
    affect other students. `workers`: the number of processes; `seconds`: the processor time for one answer.
    """
    root = Path(answers)
    if not root.exists():
        raise FormatError(f"{root}: there is no such file or folder of answers")
    number = max(1, workers or min(8, os.cpu_count() or 1))
    with ExitStack() as stack:
        free: Queue[Worker] = Queue()
        for _ in range(number):
            free.put(stack.enter_context(Worker(seconds=seconds or SECONDS)))
        pool = stack.enter_context(ThreadPoolExecutor(number))
        files, remarks = files_in(root)
        collected = _Collected(course, remarks)

        def read(path: Path) -> list[Found]:
            with _lent(free) as worker:
                return list(read_file(root, path, worker.read))

        def best(student: Student, variant: Variant) -> Marks:
            """Return the marks of the best attempt that counts; of equal ones, the first."""
            attempts = enumerate(collected.attempts(student)[: variant.sheet.attempts], 1)
            with _lent(free) as worker:
                tried = [replace(grade(variant, given, worker=worker), attempt=n) for n, given in attempts]
            return max(tried, key=lambda marks: marks.points, default=grade(variant, {}))

        for part in chain.from_iterable(pool.map(read, files)):
            collected.add(part)
        marks = tuple(pool.map(best, course.students, course.variants))
    for student, one in zip(course.students, marks, strict=True):
        for number, mark in enumerate(one.marks, 1):
            if mark.state == "unreadable":
                collected.tell(student, f"task {number}: {mark.reason.splitlines()[0]}")
        if not one.handed_in:
            collected.tell(student, "nothing was handed in", quiet=True)
    told = {key: tuple(remarks) for key, remarks in collected.told.items()}
    return Graded(course, marks, tuple(collected.remarks), told, collected.hints)


@contextmanager
def _lent(free: Queue[Worker]) -> Iterator[Worker]:
    """Lend the next worker that is free."""
    worker = free.get()
    try:
        yield worker
    finally:
        free.put(worker)


class _Collected:
    """The answers found so far, by student and attempt, and the remarks."""

    def __init__(self, course: CourseSheet, remarks: list[str]) -> None:
        self.course, self.remarks = course, remarks
        self.told = defaultdict[str, list[str]](list)
        self._given = defaultdict[str, dict[int, dict[int, tuple[str, str]]]](dict)
        """For each student, attempt and task: the answer, and the file it is in."""
        self.hints = dict[str, int]()
        self._named = Roll(course.students).student

    def tell(self, student: Student | None, message: str, *, quiet: bool = False) -> None:
        """Record a remark, about a student if one is given; `quiet`: only in their row."""
        if student is not None:
            self.told[student.key].append(message)
            message = f"{student.key}: {message}"
        if not quiet:
            self.remarks.append(message)

    def add(self, found: Found) -> None:
        """Add the answers of a file, or record its problem."""
        path, answers = found.path, found.answers
        pieces = [piece for part in path.replace("\\", "/").split("/") for piece in _pieces(part)]
        owner = next(filter(None, map(self._named, sorted(pieces, key=len, reverse=True))), None)
        if found.problem:
            self.tell(owner, f"{path}: {found.problem}")
        if answers is None:
            return
        student = self._named(answers.student) if answers.student else owner
        if student is None and answers.student:
            named = answers.student[:80]
            likely = did_you_mean(named, [one.key for one in self.course.students])
            self.tell(None, f"{path}: no student is called {named!r}{likely}")
        elif student is None:
            self.tell(None, f"{path}: whose answers are these? No name in the path, no line “Student: …”")
        elif owner is not None and student is not owner:
            self.tell(owner, f"{path}: the file says it is by {answers.student!r}; not graded")
        elif answers.seal and not is_sealed(answers, self.course.seal(student)):
            self.tell(student, f"{path}: its seal does not fit: changed, or saved elsewhere; not graded")
        elif plain_text(answers.sheet) not in ("", plain_text(self.course.sheet.title)):
            self.tell(student, f"{path}: these are answers to the sheet {answers.sheet!r}; not graded")
        else:
            if LATE in path:
                self.tell(student, f"{path}: handed in late")
            hints = sum(answers.hints.values())
            self.hints[student.key] = max(hints, self.hints.get(student.key, 0))
            self._take(student, path, answers)

    def _take(self, student: Student, path: str, answers: Answers) -> None:
        tasks = len(self.course.sheet.tasks)
        place = self._given[student.key].setdefault(answers.attempt or 1, {})
        for number, text in sorted(answers.answers.items()):
            if not 1 <= number <= tasks:
                self.tell(student, f"{path}: there is no task {number}; the sheet has {tasks}")
            elif number in place and text.strip() and place[number][0].strip():
                if place[number][0] != text:
                    self.tell(student, f"{path}: a second answer to task {number}; {place[number][1]} counts")
            elif text.strip() or number not in place:
                place[number] = text, path

    def attempts(self, student: Student) -> list[dict[int, str]]:
        """Return the answers of each attempt of a student, in order."""
        found, counted = self._given[student.key], self.course.sheet.attempts
        if len(found) > counted:
            self.tell(student, f"{len(found)} attempts; the first {counted} count", quiet=True)
        return [{number: text for number, (text, _) in found[attempt].items()} for attempt in sorted(found)]


def _pieces(part: str) -> tuple[str, ...]:
    """Return possible names of students in a part of a path: all of it, and what is before the first `_`."""
    stem = part.rsplit(".", 1)[0]
    return part, stem, stem.split("_")[0]


def write_marks(graded: Graded, output: str | os.PathLike[str]) -> list[Path]:
    """Write the table of marks, the summary beside it, and a folder with each student's feedback.

    `marks.csv`, `marks.summary.html`, `marks.feedback/NAME.html`. Returns the paths of
    the files for the lecturer and of the folder.
    """
    path = Path(output)
    feedback = path.with_name(f"{path.stem}.feedback")

    with writing(path):
        feedback.mkdir(parents=True, exist_ok=True)
        path.write_text(graded.table().to_csv() + "\n", encoding="utf-8-sig")
        summary = path.with_name(f"{path.stem}.summary.html")
        summary.write_text(graded.summary().to_page(), encoding="utf-8")
        for student, marks in zip(graded.course.students, graded.marks, strict=True):
            page = graded.feedback(marks, student).to_page()
            (feedback / f"{student.folder}.html").write_text(page, encoding="utf-8")
    return [path, summary, feedback]
