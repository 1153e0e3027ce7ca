"""A class from the sheet to the marks: thirty students, their submissions, and everything that goes wrong."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from fractions import Fraction
from html import escape
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kripke_werewolf import FormatError, KripkeModel, parse
from kripke_werewolf.teach.exercises import Exercise, Sheet, Task, grade, read_exercise, read_sheet, worker
from kripke_werewolf.teach.exercises.classes import (
    CourseSheet,
    make_class,
    open_sheet,
    parse_roster,
    read_class,
)
from kripke_werewolf.teach.exercises.generation import new_exercise
from kripke_werewolf.teach.exercises.grading import Graded, grade_class, write_marks
from kripke_werewolf.teach.exercises.submissions import LARGEST_FILE, _text_answers, saved_answers
from kripke_werewolf.teach.exercises.truth import TruthSet
from kripke_werewolf.teach.exercises.worker import Unchecked, Worker
from tests.browser import needs_browser, window
from tests.cases import cases
from tests.naming import naming
from tests.running import invoke

if TYPE_CHECKING:
    from playwright.sync_api import Browser

EXERCISES = Path(__file__).parents[3] / "examples" / "exercises"
SMALL = Sheet(
    "Small",
    (
        Task("truth-set", points=4),
        Task("to-formula"),
        Task(read_exercise(EXERCISES / "derive.toml"), points=2),
    ),
    seed=3,
    attempts=2,
)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> CourseSheet:
    """Four students with a small sheet, nothing drawn."""
    students = parse_roster(
        "name,id,email\nAnn Lee,s1,ann@u.example\nBo Chen,s2,\nCy Díaz,s3,\nBo Chen,s4,\n"
    )
    return make_class(SMALL, students, tmp_path_factory.mktemp("out"))


def solutions(course: CourseSheet, number: int) -> list[str]:
    return [exercise.solution() for exercise in course.variants[number].exercises]


def text(answers: list[str], student: str = "") -> str:
    head = f"Student: {student}\n" if student else ""
    return head + "".join(f"Task {n}:\n{answer}\n" for n, answer in enumerate(answers, 1))


def graded(course: CourseSheet, folder: Path) -> Graded:
    return grade_class(course, folder, workers=1)


def points(course: CourseSheet, folder: Path) -> list[Fraction]:
    return [marks.points for marks in graded(course, folder).marks]


# --- from end to end -------------------------------------------------------------------------------


def test_what_a_class_gets(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(Sheet("A & B", SMALL.tasks[:2], 3).to_toml(), encoding="utf-8")
    (tmp_path / "r.csv").write_text("name,id\nZoë <王>,s_1\n", encoding="utf-8")
    given = ("--roster", tmp_path / "r.csv", "-o", tmp_path / "out", "--workers", 1)
    made = invoke("exercise", "class", "make", tmp_path / "s.toml", *given)
    assert "seed 3" in made.stdout
    page = (tmp_path / "out" / "sheets.html").read_text("utf-8")
    assert page.count("<svg ") == 1
    assert escape("Zoë <王>") in page
    assert "<王>" not in page
    for name in ("solutions.html", "class.json", "sheet.toml"):
        assert (tmp_path / "out" / name).stat().st_size > 0
    course = read_class(tmp_path / "out")
    for exercise in course.variants[0].exercises:
        assert escape(exercise.reason()) in (tmp_path / "out" / "solutions.html").read_text("utf-8")
        # the sheets do not tell the answers
        assert exercise.reason().splitlines()[-1] not in page
    # a new student: those who have a sheet keep it, even if the program would make another one
    (tmp_path / "r.csv").write_text("name,id\nZoë,s_1\nBo,s2\n", encoding="utf-8")
    invoke("exercise", "class", "make", tmp_path / "s.toml", *given)
    assert read_class(tmp_path / "out").variants[0] == course.variants[0]
    other = invoke("exercise", "class", "make", EXERCISES.parent / "course" / "week1.toml", *given)
    assert "holds a class with another sheet" in str(other.exception)


@needs_browser
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
def test_printed_sheets_begin_on_new_pages_and_split_no_task(browser: "Browser", tmp_path: Path) -> None:
    kinds = ("truth-set", "distinguish", "bisimilar", "find-model", "frame-properties")
    students = parse_roster("name,id\nAnn,s1\nBo,s2\n")
    course = make_class(Sheet("Week", tuple(map(Task, kinds)), 3), students, tmp_path)
    with window(browser) as page:
        page.goto((tmp_path / "sheets.html").as_uri())
        page.pdf(path=tmp_path / "sheet.pdf", prefer_css_page_size=True)
    read = subprocess.run(["pdftotext", "-layout", "sheet.pdf", "-"], cwd=tmp_path, capture_output=True)
    sides = [" ".join(side.split()) for side in read.stdout.decode().split("\f")]
    (begin,) = (n for n, side in enumerate(sides) if "Week, Bo (s2)" in side)
    assert sides[begin].startswith("Week, Bo (s2)")
    for some, variant in zip((sides[:begin], sides[begin:]), course.variants, strict=True):
        for number, exercise in enumerate(variant.exercises, 1):
            (side,) = [side for side in some if variant.heading(number) in side]
            assert exercise.form.words in side.partition(variant.heading(number))[2]


@pytest.mark.usefixtures("of_any_difficulty")
@pytest.mark.parametrize("seed", [472020])
def test_the_sheet_of_a_student_is_the_same_by_every_way(seed: int, tmp_path: Path) -> None:
    tasks = tuple(Task(kind) for kind in ("valid", "truth-set", "to-formula"))
    students = parse_roster("name,id\nAnna Lee,s1\nBen,s2\nZoë,s3\n")
    course = make_class(Sheet("Week", tasks, seed=seed), students, tmp_path / "week")
    assert open_sheet(tmp_path / "week") == course
    assert open_sheet(tmp_path / "week" / "sheet.toml") == course.sheet
    made = ("--to", "otter", "-o", tmp_path / "notebooks")
    assert invoke("exercise", "sheet", "export", tmp_path / "week", *made).exception is None
    for student, variant in zip(students, course.variants, strict=True):
        for name in (student.key, student.name, student.name.upper(), student.folder):
            assert course.variant(name) == variant
        right = text([exercise.solution() for exercise in variant.exercises], student.key)
        (tmp_path / "a.txt").write_text(right, encoding="utf-8")
        for named in ((), ("--student", student.name)):
            done = invoke("exercise", "sheet", "check", tmp_path / "week", tmp_path / "a.txt", *named)
            assert done.return_value == 0
        notebook = tmp_path / "notebooks" / f"Week-{student.folder}.ipynb"
        cells = json.loads(notebook.read_text("utf-8"))["cells"]
        code = "\n".join("".join(cell["source"]) for cell in cells)
        for number, exercise in enumerate(variant.exercises, 1):
            assert f"answer_{number} = {exercise.solution()!r}" in code
    bank = ("--to", "coderunner", "--variants", "2", "-o", tmp_path / "bank.xml")
    assert invoke("exercise", "sheet", "export", tmp_path / "week" / "sheet.toml", *bank).exception is None
    (tmp_path / "week.toml").write_text(course.sheet.to_toml(), encoding="utf-8")
    for sheet, student, words in (
        ("week", "s4", "unknown student of the class 's4'"),
        ("week", "", "unknown student of the class ''"),
    ):
        (tmp_path / "a.txt").write_text(text(["1"]), encoding="utf-8")
        given = (tmp_path / sheet, tmp_path / "a.txt", "--student", student)
        assert words in str(invoke("exercise", "sheet", "check", *given).exception)
    (tmp_path / "a.txt").write_text(text(["1"], "s1"), encoding="utf-8")
    done = invoke("exercise", "sheet", "check", tmp_path / "week.toml", tmp_path / "a.txt")
    assert "same exercises for all; if s1 has a sheet of a class" in done.stderr


def test_the_commands_for_one_sheet(tmp_path: Path) -> None:
    sheet = tmp_path / "s.toml"
    kinds = ("truth-set", "to-formula")
    assert "seed 9" in invoke("exercise", "sheet", "new", *kinds, "--seed", 9, "-o", sheet).stdout
    (tmp_path / "s.html").write_text("<p>Task 1: w1</p>")
    variant = read_sheet(sheet).variant("")
    right = [exercise.solution() for exercise in variant.exercises]
    (tmp_path / "a.txt").write_text(text(right), encoding="utf-8")
    done = invoke("exercise", "sheet", "check", sheet, tmp_path / "a.txt", "--json")
    assert (done.return_value, json.loads(done.stdout)["points"]) == (0, "2")
    (tmp_path / "b.txt").write_text(text([right[0], "perhaps"]), encoding="utf-8")
    done = invoke("exercise", "sheet", "check", sheet, tmp_path / "b.txt")
    assert done.return_value == 1
    assert "Task 2 (1 point): unreadable" in done.stdout
    for arguments, words in (
        (["sheet", "check", sheet, tmp_path / "s.html"], "files ending in .html are not read"),
        (["sheet", "export", sheet, "--to", "coderunner", "-o", tmp_path / "m.txt"], "its extension must be"),
        (["class", "grade", tmp_path, tmp_path, "-o", tmp_path / "marks.csv"], "expected a folder made by"),
        (["class", "grade", tmp_path, tmp_path, "-o", tmp_path / "marks.txt"], "its extension must be .csv"),
        (["sheet", "new", "truth-sett", "-o", tmp_path / "new.toml"], "did you mean 'truth-set'"),
    ):
        assert words in str(invoke("exercise", *arguments).exception)


# --- what students hand in -------------------------------------------------------------------------


def in_a_file_of_text(course: CourseSheet, number: int, right: list[str], folder: Path) -> None:
    (folder / "anything.txt").write_text(text(right, course.students[number].key), encoding="utf-16")


def in_the_file_of_the_page(course: CourseSheet, number: int, right: list[str], folder: Path) -> None:
    who = course.students[number]
    answers = {str(n): answer for n, answer in enumerate(right, 1)}
    data = {"student": who.key, "sheet": course.sheet.title, "attempt": 1, "answers": answers}
    (folder / "answers.json").write_text(saved_answers(data, course.seal(who)), encoding="utf-8")


def in_the_archive_of_moodle(course: CourseSheet, number: int, right: list[str], folder: Path) -> None:
    with zipfile.ZipFile(folder / "submissions.zip", "w") as archive:
        archive.writestr(
            f"{course.students[number].name}_4711_assignsubmission_file_/homework.txt", text(right)
        )
        archive.writestr("__MACOSX/._homework.txt", "x")


WAYS = (in_a_file_of_text, in_the_file_of_the_page, in_the_archive_of_moodle)


def test_answers_are_read(course: CourseSheet, tmp_path: Path) -> None:
    for number, way in enumerate(WAYS):
        with naming(way):
            folder = tmp_path / str(number)
            folder.mkdir()
            way(course, number, solutions(course, number), folder)
    found = graded(course, tmp_path)
    assert [marks.points for marks in found.marks] == [7, 7, 7, 0], found.remarks


def test_a_file_that_was_changed_or_copied_counts_for_nobody(course: CourseSheet, tmp_path: Path) -> None:
    in_the_file_of_the_page(course, 0, solutions(course, 0), tmp_path)
    text = (tmp_path / "answers.json").read_text("utf-8")
    for name, (old, new) in {
        "another student": ('"student": "s1"', '"student": "s3"'),
        "another answer": (json.dumps(solutions(course, 0)[0])[1:-1], "none"),
        "another attempt": ('"attempt": 1', '"attempt": 2'),
    }.items():
        (tmp_path / "answers.json").write_text(text.replace(old, new), encoding="utf-8")
        found = graded(course, tmp_path)
        assert [marks.points for marks in found.marks] == [0, 0, 0, 0], name
        assert "its seal does not fit" in found.remarks[0], name
    (tmp_path / "answers.json").write_text(text, encoding="utf-8")
    (tmp_path / "answers.json").rename(tmp_path / "s3.json")
    assert [marks.points for marks in graded(course, tmp_path).marks] == [0, 0, 0, 0]


def test_the_best_of_the_attempts_that_count(course: CourseSheet, tmp_path: Path) -> None:
    right = solutions(course, 0)
    for attempt, given in enumerate(([], right[:2], right), 1):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        answers = text([*given, *[""] * (3 - len(given))])
        (folder / "s1.txt").write_text(f"Attempt: {attempt}\n{answers}", encoding="utf-8")
    found = graded(course, tmp_path)
    assert found.marks[0].points == 5  # the third is one too many
    assert "3 attempts; the first 2 count" in found.per_student["s1"]


def test_two_students_of_one_name(course: CourseSheet, tmp_path: Path) -> None:
    (tmp_path / "Bo Chen.txt").write_text(text(solutions(course, 1)), encoding="utf-8")
    (tmp_path / "s4.txt").write_text(text(solutions(course, 3)), encoding="utf-8")
    found = graded(course, tmp_path)
    assert [marks.points for marks in found.marks] == [0, 0, 0, 7]
    assert any("Bo Chen.txt: whose answers are these?" in remark for remark in found.remarks)


def test_nobody_hands_in_for_somebody_else(course: CourseSheet, tmp_path: Path) -> None:
    (tmp_path / "s1.txt").write_text(text(solutions(course, 1), "s2"), encoding="utf-8")
    found = graded(course, tmp_path)
    assert [marks.points for marks in found.marks] == [0, 0, 0, 0]
    assert "the file says it is by 's2'; not graded" in found.per_student["s1"][0]


# --- what goes wrong -------------------------------------------------------------------------------


def bomb() -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(20):
            archive.writestr(f"{number}.txt", b"\0" * LARGEST_FILE)
    return out.getvalue()


def nested() -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("inner.zip", bomb())
    return out.getvalue()


def wrong_files() -> dict[str, tuple[bytes, str]]:
    """Return files that cannot be graded, and words of what is said about each."""
    return {
        "prose.txt": (b"I did not have the time.", "no answers were found"),
        "picture.txt": (b"\x89PNG\x00\x00", "the file is not text"),
        "word.docx": (b"PK\x03\x04", "files ending in .docx are not read"),
        "bomb.zip": (bomb(), "too large when it is unpacked"),
        "nested.zip": (nested(), "an archive within an archive"),
        "deep.json": (b"[" * 100_000, "nested"),
        "bare.json": (b'{"answers": {"1": "w1"}}', "not a file saved by a student's page"),
        "code.ipynb": (b"{}", "files ending in .ipynb are not read"),
        "twice.txt": (b"Task 1: a\nTask 1: b", "two answers to task 1"),
    }


def test_a_broken_file_costs_nobody_else(
    course: CourseSheet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "answers"
    (folder / "s2").mkdir(parents=True)
    wrong = wrong_files()
    for name, (data, _) in wrong.items():
        (folder / "s2" / name).write_bytes(data)
    (folder / "s1.txt").write_text(text(solutions(course, 0)), encoding="utf-8")
    (folder / "s5.txt").write_text("Task 1: w1", encoding="utf-8")
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "s3.txt")
    found = graded(course, folder)
    assert [marks.points for marks in found.marks] == [7, 0, 0, 0]
    for name, (_, words) in wrong.items():
        assert any(name in told and words in told for told in found.per_student["s2"]), (name, words)
    assert any("s5.txt: whose answers" in remark for remark in found.remarks)
    assert not (tmp_path / "ran").exists()
    assert not (folder / "ran").exists()


def test_two_answers_void_only_their_task(course: CourseSheet, tmp_path: Path) -> None:
    right = solutions(course, 0)
    for student, number in (("s1", 1), ("s2", 3)):
        given = text(solutions(course, int(student[1]) - 1), student)
        (tmp_path / f"{student}.txt").write_text(f"{given}Task {number}: perhaps\n", encoding="utf-8")
    found = graded(course, tmp_path)
    assert [marks.points for marks in found.marks] == [3, 5, 0, 0]
    assert [mark.state for mark in found.marks[0].marks] == ["missing", "right", "right"]
    assert "two answers to task 1, and neither counts" in found.per_student["s1"][0]
    same = _text_answers(f"{text(right)}{text(right)}")
    assert (dict(same.answers), same.problem) == (dict(enumerate(right, 1)), "")


@pytest.mark.parametrize("line", ["Sheet: Week 7", "sheet :week 7", "SHEET: Small, week 7"])
def test_answers_to_another_sheet_are_not_graded(course: CourseSheet, tmp_path: Path, line: str) -> None:
    for student, head in (("s1", "Sheet:  small \n"), ("s2", f"{line}\n"), ("s3", "")):
        given = text(solutions(course, int(student[1]) - 1), student)
        (tmp_path / f"{student}.txt").write_text(head + given, encoding="utf-8")
    found = graded(course, tmp_path)
    assert [marks.points for marks in found.marks] == [7, 0, 7, 0]
    assert "these are answers to the sheet" in found.per_student["s2"][0]


def test_files_without_answers_overwrite_no_marks(tmp_path: Path) -> None:
    make_class(SMALL, parse_roster("name,id\nAnn Lee,s1\n"), tmp_path / "class")
    right = solutions(read_class(tmp_path / "class"), 0)
    marks, given = tmp_path / "marks.csv", tmp_path / "s1.txt"
    given.write_text(text(right), encoding="utf-8")
    command = ["exercise", "class", "grade", tmp_path / "class", given, "-o", marks, "--workers", 1]
    assert invoke(*command).exception is None
    written = marks.read_bytes()
    for wrong in ("I did not have the time.", "", f"Sheet: Week 7\n{text(right)}", text(right, "Zed")):
        given.write_text(wrong, encoding="utf-8")
        error = invoke(*command, "--force").exception
        assert isinstance(error, FormatError)
        assert "there are no answers to this sheet, and no marks are written: " in str(error)
        assert marks.read_bytes() == written


def test_prose_around_an_answer_is_told(course: CourseSheet, tmp_path: Path) -> None:
    answers = solutions(course, 0)
    answers[1] = f"Perhaps one could say {answers[1]}, because a knows it."
    (tmp_path / "s1.txt").write_text(f"Dear tutor,\n{text(answers)}", encoding="utf-8")
    found = graded(course, tmp_path)
    assert [mark.state for mark in found.marks[0].marks] == ["right", "unreadable", "right"]
    (told,) = (remark for remark in found.remarks if remark.startswith("s1: task 2: "))
    assert "line 1, column " in told


HOSTILE = {
    "a formula of a megabyte": ("p & " * 250_000 + "p", "at most 20,000 are checked"),
    "a deep formula": ("K_a " * 1_000 + "p", None),
    "many brackets": ("(" * 15_000, ""),
    "a model of many worlds": (f'{{"worlds": {[*range(1_000)]}, "relations": {{}}, "valuation": {{}}}}', ""),
    "deep JSON": ('{"worlds":' * 1_900, ""),
    "another language": ("п∧q\u202e\u0000", ""),
}


@pytest.fixture(scope="module")
def patient() -> Iterator[Worker]:
    with Worker(seconds=20) as worker:
        yield worker


@pytest.fixture(scope="module")
def asked() -> list[Exercise]:
    two = KripkeModel.from_partitions("wv", {"a": [["w", "v"]]}, {"p": ["w"]}, "w")
    return [
        TruthSet("", two, parse("K_a p")),
        read_exercise(EXERCISES / "tell-apart.toml"),
        read_exercise(EXERCISES / "find-a-model.toml"),
        read_exercise(EXERCISES / "derive.toml"),
        new_exercise("distinguish", rng=1),
    ]


def test_hostile_answers_are_told(patient: Worker, asked: list[Exercise]) -> None:
    for name in HOSTILE:
        with naming(name):
            answer, words = HOSTILE[name]
            for exercise in asked:
                found = patient.check(exercise, answer)
                assert not (isinstance(found, Unchecked) and "process" in found.why), (exercise.kind, found)
                if words is not None:
                    assert isinstance(found, Unchecked), (exercise.kind, found)
                    assert words in found.why
            assert patient.check(asked[0], "none") != patient.check(asked[0], "w")  # it goes on


_HOLES = [" | ".join(f"x{i}_{j}" for j in range(6)) for i in range(7)]
_APART = [f"~(x{i}_{j} & x{k}_{j})" for j in range(6) for i in range(7) for k in range(i)]
LONG = {
    "pigeonhole": f"(q | ({') & ('.join(_HOLES + _APART)})) -> q   PL",
    "updates": "[!p]" * 200 + "q -> q   Red",
}


def test_derivations_take_bounded_steps(asked: list[Exercise]) -> None:
    for name in LONG:
        with naming(name):
            found = asked[3].check(LONG[name])
            assert not found.right
            assert "write it in smaller steps: line 1: undecided within" in found.reason
            with pytest.raises(FormatError, match="at most 300 lines"):
                asked[3].check("p -> p   PL\n" * 400)


SLOW = """
import time
from dataclasses import dataclass

from kripke_werewolf.teach.exercises import Exercise, Result
from kripke_werewolf.teach.exercises.forms import Names


@dataclass(frozen=True, slots=True, repr=False)
class Slow(Exercise):
    kind = "slow-of-a-test"
    form = Names(("yes", "no"), "word")

    def question(self):
        return "Is it slow?"

    def judge(self, answer):
        if "yes" in answer:
            while True:
                pass
        time.sleep(3)  # which takes no processor time
        return Result(len(bytearray(3_000_000_000)) < 0, "it has a lot of memory")

    def solution(self):
        return "yes"
"""


def test_limits_of_time_and_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    exec(SLOW, {"__name__": __name__})
    monkeypatch.setattr(worker, "_SERVER", f"{SLOW}\n{worker._SERVER}")
    try:
        exercise = Exercise.kinds["slow-of-a-test"]("")
        with Worker(seconds=2, megabytes=1500) as slow:
            took = slow.check(exercise, "yes")
            assert isinstance(took, Unchecked)
            assert took.why == "it took more than 2 seconds"
            if sys.platform != "win32":  # which limits no memory
                needed = slow.check(exercise, "no")
                assert isinstance(needed, Unchecked)
                assert "too much memory" in needed.why
    finally:
        Exercise.kinds.pop("slow-of-a-test", None)


def test_a_broken_class_is_told(tmp_path: Path) -> None:
    for content, words in (
        ("{", "expecting property name"),
        ("[]", "not a class"),
        ('{"format": "kripke-werewolf-class", "version": 9}', "version 9 is not known"),
        ('{"format": "kripke-werewolf-class", "version": 1}', "a part is missing or broken"),
    ):
        (tmp_path / "class.json").write_text(content, encoding="utf-8")
        with pytest.raises(FormatError, match=words):
            read_class(tmp_path)


# --- marks -----------------------------------------------------------------------------------------


def test_marks_and_their_reasons(course: CourseSheet) -> None:
    variant = course.variants[0]
    true = sorted(variant.exercises[0].right())  # type: ignore[attr-defined]
    names = variant.exercises[0].form.options
    one_wrong = [*true, next(name for name in names if name not in true)]
    marks = grade(variant, [", ".join(one_wrong), "perhaps", ""])
    assert [mark.state for mark in marks.marks] == [
        "partly right", "unreadable", "missing"
    ]  # fmt: skip
    assert marks.marks[0].points == 2
    assert "does not belong there" in marks.marks[0].reason
    with pytest.raises(FormatError, match="there is no task 4"):
        grade(variant, {4: "yes"})


LINE = KripkeModel.from_partitions(
    "uvw", {"a": [["u", "v"], ["w"]], "b": [["u"], ["v", "w"]]}, {"p": ["u", "v"]}, "u"
)


@cases(
    ("C_{a,b} p", "E_{a,b} p", "E for C"),
    ("K_b p", "M_b p", "diamond for box"),
    ("E_{a,b} p", "C_{a,b} p", "C for E"),
    ("K_b p & K_a p", "K_b p | K_a p", "or for and"),
    ("p -> K_b p", "K_b p -> p", "converse"),
)
def test_typical_mistakes_are_named(formula, taken_for, name) -> None:
    exercise = TruthSet("", LINE, parse(formula))
    wrong = ", ".join(map(str, LINE.where(taken_for))) or "none"
    found = exercise.check(wrong)
    assert not found.right
    names = [mistake.name for mistake in exercise.mistakes() if mistake.answer == wrong]
    assert name in names
    assert found.mistake == names[0]
    assert found.reason.startswith("these are the worlds where")


def test_the_summary_counts_mistakes(tmp_path: Path) -> None:
    sheet = Sheet("x", (Task(TruthSet("", LINE, parse("C_{a,b} p"))),), 1)
    course = make_class(sheet, parse_roster("id\n1\n2\n3\n"), tmp_path / "out")
    (tmp_path / "answers").mkdir()
    for student, answer in (("1", "u"), ("2", "u"), ("3", "none")):
        (tmp_path / "answers" / f"student-{student}.txt").write_text(
            f"Student: {student}\nTask 1: {answer}", encoding="utf-8"
        )
    found = graded(course, tmp_path / "answers")
    summary = found.summary().to_text()
    assert "2 x the mistake “E for C”" in summary
    assert re.search(r"1\. truth-set +33%", summary)
    assert "Right" in found.feedback(found.marks[2], course.students[2]).to_html()


def test_cells_that_a_spreadsheet_would_run_are_inert(tmp_path: Path) -> None:
    sheet = Sheet("x", SMALL.tasks[1:2], 1)
    course = make_class(sheet, parse_roster('name,id\n"=1+1",@x\n'), tmp_path / "out")
    (tmp_path / "answers").mkdir()
    write_marks(graded(course, tmp_path / "answers"), tmp_path / "marks.csv")
    rows = list(csv.reader((tmp_path / "marks.csv").read_text("utf-8-sig").splitlines()))
    assert rows[1][:2] == ["'@x", "'=1+1"]


@cases(
    ("Task 1: yes\nTask 2:\n  w1,\n  w2\n", {1: "yes", 2: "w1,\n  w2"}),
    ("## Task 1:\nyes\n# a remark\n", {1: "yes"}),
    ("Task 1: \nTask 1: yes\n", {1: "yes"}),
    ("Task 3:\n1. K_b p -> p   T\n2. p   MP 1\n", {3: "1. K_b p -> p   T\n2. p   MP 1"}),
)
def test_texts_with_answers(given, answers) -> None:
    assert _text_answers(given).answers == answers
