"""A sheet for each student of a class, on disk, and the solution book."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from kripke_werewolf.base.errors import FormatError, KripkeError, UnknownNameError
from kripke_werewolf.base.files import parse_json, read_text, write_aside, writing
from kripke_werewolf.base.reports.documents import whole_page
from kripke_werewolf.teach.exercises import pdf
from kripke_werewolf.teach.exercises.exercise import Exercise
from kripke_werewolf.teach.exercises.rendering import marked, pictures_of, to_markdown
from kripke_werewolf.teach.exercises.roster import Roll, Student
from kripke_werewolf.teach.exercises.serialisation import from_dict, to_dict
from kripke_werewolf.teach.exercises.sheet import (
    Sheet,
    Spread,
    Variant,
    load_kinds,
    read_sheet,
    sheet_from_dict,
    spreads,
)
from kripke_werewolf.teach.exercises.submissions import template
from kripke_werewolf.teach.exercises.web import web_page

FORMAT, VERSION = "kripke-werewolf-class", 1
FORMATS = ("html", "md", "pdf")
_BOOK = "class.json"


@dataclass(frozen=True, slots=True)
class CourseSheet:
    """A sheet, and the variant of each student of a class; the content of `class.json`."""

    sheet: Sheet
    students: tuple[Student, ...]
    variants: tuple[Variant, ...]

    def variant(self, student: str) -> Variant:
        """Return the sheet of the student with this id, address or name."""
        found = Roll(self.students).student(student)
        if found is None:
            raise UnknownNameError(student, [one.key for one in self.students], kind="student of the class")
        return self.variants[self.students.index(found)]


class _MadeClass(NamedTuple):
    """The result of `make_class`: the class, the spreads of its tasks, and remarks."""

    course: CourseSheet
    folder: Path
    tasks: tuple[Spread, ...]
    remarks: tuple[str, ...]


def make_class(
    sheet: Sheet,
    students: Sequence[Student],
    out: str | os.PathLike[str],
    *,
    formats: Iterable[str] = FORMATS,
    executor: Executor | None = None,
) -> _MadeClass:
    """Write an individual sheet for each student, the solution book, and `class.json` for grading.

    `students/NAME/` has the files for a student: `sheet.html`, `sheet.md` with its pictures, `sheet.pdf`, and
    `answers.txt` to fill in. Everything else is for the lecturer. Students who already have a variant of the
    same sheet in the folder keep it. `formats`: some of html, md, pdf. `executor`: where the sheets are made.
    Raises `FormatError` if the folder has another class or cannot be written.
    """
    wanted = tuple(formats)
    if unknown := [name for name in wanted if name not in FORMATS]:
        raise FormatError(f"unknown format {unknown[0]!r}; allowed are {', '.join(FORMATS)}")
    folder = Path(out)
    kept, remarks = dict[str, Variant](), list[str]()
    if (folder / _BOOK).exists():
        there = read_class(folder)
        if there.sheet != sheet:
            other = f"{folder} holds a class with another sheet ({there.sheet.headline()})"
            raise FormatError(f"{other}; choose an empty folder")
        kept = {variant.student: variant for variant in there.variants}
    printed = "pdf" in wanted and pdf.printable()
    if "pdf" in wanted and not printed:
        remarks.append(f"no PDF was made: {pdf.MISSING}; the .tex files compile with it")
    run: Callable[..., Iterable[Any]] = map if executor is None else executor.map
    with writing(folder), ExitStack() as stack:
        (folder / "students").mkdir(parents=True, exist_ok=True)
        kit = None
        if printed:
            texts = [sheet.title, sheet.text, *map(_named, students), *_printed(sheet)]
            kit = stack.enter_context(pdf.printing(texts))
            if lost := pdf.rare_in("".join(texts)) - kit.settable:
                remarks.append(f"these characters cannot be printed: {' '.join(sorted(lost))}; {_INSTEAD}")
        levels = sheet.levels() if len(kept) < len(students) else None
        work = partial(_one, sheet, levels, kept, folder, wanted, kit)
        done = list(run(work, range(len(students)), students))
        variants = tuple(variant for variant, _ in done)
        course = CourseSheet(sheet, tuple(students), variants)
        problems = [*(problem for _, problem in done), _write_book(course, folder, wanted, kit)]
        remarks += filter(None, problems)
        (folder / "sheet.toml").write_text(sheet.to_toml(), encoding="utf-8")
        data: dict[str, Any] = {"format": FORMAT, "version": VERSION}
        data |= {"sheet": sheet.to_dict(), "kinds": sheet.kinds}
        data["students"] = [
            {**asdict(student), "exercises": list(map(to_dict, variant.exercises))}
            for student, variant in zip(students, variants, strict=True)
        ]
        write_aside(folder / _BOOK, json.dumps(data, ensure_ascii=False, indent=1).encode())
    return _MadeClass(course, folder, tuple(spreads(variants)), tuple(remarks))


def _one(
    sheet: Sheet,
    levels: Sequence[int] | None,
    kept: Mapping[str, Variant],
    folder: Path,
    formats: Sequence[str],
    kit: pdf.Kit | None,
    place: int,
    student: Student,
) -> tuple[Variant, str]:
    """Write the files of one student; return their variant, and a remark if something went wrong."""
    if sheet.kinds:
        load_kinds(sheet.kinds)
    variant = kept.get(student.key) or sheet.variant(student.key, levels, place)
    home = folder / "students" / student.folder
    home.mkdir(parents=True, exist_ok=True)
    (home / "answers.txt").write_text(template(variant), encoding="utf-8")
    if "html" in formats:
        saved = f"answers-{student.folder}.txt"
        page = web_page(variant, name=student.name, file=saved)
        (home / "sheet.html").write_text(page, encoding="utf-8")
    if "md" in formats:
        parts = [f"# {sheet.title}", student.name, sheet.text]
        for number, exercise in enumerate(variant.exercises, 1):
            pictures = {f"task{number}-{n}.svg": drawn for n, drawn in enumerate(pictures_of(exercise), 1)}
            for file, drawn in pictures.items():
                (home / file).write_text(drawn.svg, encoding="utf-8")
            heading = variant.heading(number)
            parts.append(to_markdown(exercise, heading=heading, level=2, pictures=list(pictures)))
        (home / "sheet.md").write_text("\n\n".join(filter(None, parts)), encoding="utf-8")
    if "pdf" in formats:
        name = student.name if kit is None else kit.name(student.name, student.key)
        if problem := _pdf(home / "sheet", pdf.sheet_tex(variant, name=name), kit):
            return variant, f"{student.key}: {problem}"
    return variant, ""


_INSTEAD = (
    "the PDF files have plain letters or the student's id instead. To print them, install LuaLaTeX and a "
    "font that has them, such as Noto"
)


def _printed(sheet: Sheet) -> Iterator[str]:
    """Yield the words of the tasks that are the same for all students."""
    for task in sheet.tasks:
        yield task.name
        if isinstance(task.what, Exercise):
            yield from (task.what.question(), *(option.label for option in task.what.form.options))


def _pdf(path: Path, body: str, kit: pdf.Kit | None) -> str:
    """Write a PDF or, if that is impossible, the LaTeX file; return the problem."""
    problem = ""
    if kit is not None:
        try:
            path.with_suffix(".pdf").write_bytes(kit.printed(body))
        except KripkeError as error:
            problem = str(error)
    if kit is None or problem:
        path.with_suffix(".tex").write_text(pdf.tex_document(body), encoding="utf-8")
    return problem


# --- the solution book -----------------------------------------------------------------------------


def _write_book(course: CourseSheet, folder: Path, formats: Sequence[str], kit: pdf.Kit | None) -> str:
    """Write the solutions of all students in each format; return the problem, if there is one."""
    title = f"{course.sheet.title}: solutions"
    pairs = list(zip(course.students, course.variants, strict=True))
    solved = [
        (student, [(v.heading(n), e.question(), *e.solved()) for n, e in enumerate(v.exercises, 1)])
        for student, v in pairs
    ]
    seed = f"Seed {course.sheet.seed}. The same sheet, seed and roster give the same exercises."
    if "html" in formats:
        parts = [f"<h1>{escape(title)}</h1>", f"<p>{seed}</p>"]
        for student, tasks in solved:
            parts.append(f'<h2 id="{escape(student.folder)}">{escape(_named(student))}</h2>')
            for heading, question, answer, reason in tasks:
                shown = f"<b>{escape(answer)}</b>\n\n{escape(reason)}"
                parts += [f"<h3>{escape(heading)}</h3>", f"<p>{marked(question)}</p>"]
                parts.append(f'<pre style="white-space: pre-wrap">{shown}</pre>')
        write_aside(folder / "solutions.html", whole_page(title, "\n".join(parts)).encode())
    if "md" in formats:
        lines = [f"# {title}", "", seed, ""]
        for student, tasks in solved:
            lines += [f"## {_named(student)}", ""]
            for heading, question, answer, reason in tasks:
                lines += [f"### {heading}", "", question, ""]
                lines += ["```", answer, "```", "", "```", reason, "```", ""]
        write_aside(folder / "solutions.md", "\n".join(lines).encode())
    if "pdf" in formats:
        book = pdf.book_tex(title, [(variant, _named(student)) for student, variant in pairs])
        if problem := _pdf(folder / "solutions", book, kit):
            return f"solutions: {problem}"
    return ""


def _named(student: Student) -> str:
    return student.name if student.name == student.key else f"{student.name} ({student.key})"


# --- class.json ------------------------------------------------------------------------------------


def read_class(folder: str | os.PathLike[str]) -> CourseSheet:
    """Return the class that `make_class` wrote to a folder.

    Raises `FormatError` if the folder has no class or a damaged one.
    """
    path = Path(folder) / _BOOK
    try:
        data = parse_json(read_text(path), str(path))
    except OSError as error:
        wanted = "expected a folder made by `exercise class make`"
        raise FormatError(f"{path}: {error.strerror}; {wanted}") from None
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise FormatError(f"{path}: this is not a class; expected the format {FORMAT!r}")
    if data.get("version") != VERSION:
        raise FormatError(f"{path}: version {data.get('version')!r} is not known; known is {VERSION}")
    try:
        if data["kinds"]:
            load_kinds(data["kinds"], "kinds")
        sheet = replace(sheet_from_dict(data["sheet"], str(path)), kinds=data["kinds"])
        students, variants = [], []
        for part in data["students"]:
            students.append(Student(part["key"], part["name"], part["email"], part["folder"]))
            exercises = tuple(from_dict(given, source=str(path)) for given in part["exercises"])
            variants.append(Variant(sheet, part["key"], exercises))
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"{path}: a part is missing or broken: {error}") from None
    return CourseSheet(sheet, tuple(students), tuple(variants))


def open_sheet(path: str | os.PathLike[str]) -> Sheet | CourseSheet:
    """Return the class in a folder, or the sheet in a TOML file; one beside its `class.json` is the class."""
    place = Path(path)
    if place.is_dir():
        return read_class(place)
    sheet = read_sheet(place)
    if (place.parent / _BOOK).exists() and (course := read_class(place.parent)).sheet == sheet:
        return course
    return sheet
