"""Question banks: many exercises of each task of a sheet, as Moodle XML and for CodeRunner.

A task with options to tick becomes a question with choices, each with its reason as feedback; one with a
number becomes a numerical question; any other becomes a free answer, with the solution and its reason for
graders. With CodeRunner, a plugin of Moodle whose questions are marked by a program, every answer is typed,
and checked as on a sheet: the file contains this package, which needs only Python on the server that runs the
program. The answer is read there as a string, and never run.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from html import escape
from itertools import groupby
from typing import NamedTuple, Self

from kripke_werewolf.base.files import zipped
from kripke_werewolf.teach.exercises.classes import CourseSheet
from kripke_werewolf.teach.exercises.exercise import Exercise, Result, share
from kripke_werewolf.teach.exercises.forms import in_signs
from kripke_werewolf.teach.exercises.notebooks import packed, unpacked
from kripke_werewolf.teach.exercises.own_files import data_text, sources
from kripke_werewolf.teach.exercises.rendering import marked, picture_in_words, pictures_of, to_html
from kripke_werewolf.teach.exercises.sheet import Sheet, variant_name
from kripke_werewolf.teach.exercises.validity import ValidOrModel
from kripke_werewolf.teach.exercises.worker import SECONDS, WAITING, Unchecked, Worker

_MOST_SHARES = 10  # Moodle knows the shares 1/1 to 1/10


class _Option(NamedTuple):
    """An option of a question: its label as HTML, its share of the points, and why."""

    label: str
    share: Fraction
    why: str


@dataclass(frozen=True, slots=True)
class BankQuestion:
    """A question of a bank, with the data for all formats."""

    task: int
    number: int
    title: str
    points: Fraction
    exercise: Exercise

    @property
    def name(self) -> str:
        """The name of the question, unique in the bank."""
        return f"{self.title} {self.number:03}"

    @property
    def worth(self) -> str:
        """The points as a decimal."""
        return f"{float(self.points):g}"

    def choices(self) -> tuple[_Option, ...]:
        """Return the options to tick, with "none of them" if several may be ticked; empty if none."""
        form = self.exercise.form
        if not form.options:
            return ()
        right = self.exercise.ticked()
        if form.several and len(right) > _MOST_SHARES:
            return ()
        part = share(right)
        wrong = -part if form.several else Fraction(0)
        found = [
            _Option(marked(label), part if answer in right else wrong, self.exercise.option_reason(answer))
            for answer, label in form.options
        ]
        if form.several and right:
            found.append(_Option("none of them", Fraction(-1), "some of them belong there"))
        elif form.several:
            found.append(_Option("none of them", Fraction(1), "none of them belongs there"))
        return tuple(option._replace(why=in_signs(option.why)) for option in found)


@dataclass(frozen=True, slots=True)
class Bank:
    """The questions of a bank, in their order.

    `attempts`: the number of answers to a question that count; `kinds`: the source of user-defined kinds.

    >>> from kripke_werewolf.teach.exercises.sheet import Task
    >>> bank = Bank.of(Sheet("Week 1", (Task("model-checking"),), seed=1), 3)
    >>> to_moodle(bank).count('<question type="multichoice">')
    3
    """

    title: str
    questions: tuple[BankQuestion, ...]
    attempts: int = 1
    kinds: str = ""

    @classmethod
    def of(cls, sheet: Sheet, variants: int = 1) -> Self:
        """Return up to `variants` different exercises of each task; fewer if there are no more."""
        return cls._asked(sheet, _drawn(sheet, sheet.kinds, variants))

    @classmethod
    def of_class(cls, course: CourseSheet) -> Self:
        """Return the different exercises of the students of a class, task by task."""
        return cls._asked(course.sheet, zip(*(variant.exercises for variant in course.variants), strict=True))

    @classmethod
    def _asked(cls, sheet: Sheet, columns: Iterable[Iterable[Exercise]]) -> Self:
        """Return the bank of the exercises of each task; each counts once."""
        found = [
            BankQuestion(number, place, f"{number} {task.name}", task.points, exercise)
            for number, (task, column) in enumerate(zip(sheet.tasks, columns, strict=True), 1)
            for place, exercise in enumerate(dict.fromkeys(column), 1)
        ]
        return cls(sheet.title, tuple(found), sheet.attempts, sheet.kinds)

    def free(self) -> list[str]:
        """Return the titles of the tasks with questions that have neither choices nor a number as answer."""
        found = (q for q in self.questions if not q.exercise.form.numeric and not q.choices())
        return list(dict.fromkeys(question.title for question in found))


@lru_cache(maxsize=1)
def _drawn(sheet: Sheet, kinds: str, variants: int) -> list[dict[Exercise, None]]:
    """Return exercises of each task of a sheet; `kinds` is here because sheets are compared without it."""
    columns = [dict[Exercise, None]() for _ in sheet.tasks]
    for task_number, (task, column) in enumerate(zip(sheet.tasks, columns, strict=True), 1):
        level = task.level(sheet.seed, task_number)
        for number in range(1, 2 if isinstance(task.what, Exercise) else 2 * variants + 1):
            if len(column) < variants:
                name = variant_name(number)
                column.setdefault(task.exercise(sheet.seed, task_number, name, level, number - 1))
    return columns


# --- Moodle XML ------------------------------------------------------------------------------------


class _Posed(NamedTuple):
    """How Moodle asks a question: its type, the elements of this type, and whether it has boxes to tick.

    `penalty`: the share lost with each attempt.
    """

    kind: str
    elements: Iterable[str]
    boxes: bool = False
    penalty: float = 0


def to_moodle(bank: Bank) -> str:
    """Return a bank as Moodle XML, with a category for each task and embedded pictures."""
    return _quiz(bank, _posed)


def _quiz(bank: Bank, pose: Callable[[BankQuestion], _Posed], *first: str) -> str:
    """Return a bank as Moodle XML, with the questions as `pose` says, after the elements in `first`."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<quiz>", *first]
    for title, found in groupby(bank.questions, key=lambda question: question.title):
        lines.append(_heading(bank, title))
        lines += [_moodle_question(question, pose(question)) for question in found]
    return "\n".join([*lines, "</quiz>", ""])


def _heading(bank: Bank, part: str) -> str:
    """Return the element after which the questions of a category stand: a part of a bank."""
    place = "/".join(["$course$/top", *(name.replace("/", "//") for name in (bank.title, part))])
    content = _xml("category", _xml("text", escape(place))) + _html_text("info", "")
    return _xml("question", content, type="category")


def _moodle_question(question: BankQuestion, posed: _Posed) -> str:
    exercise = question.exercise
    drawings = {f"model{number}.svg": svg for number, svg in enumerate(pictures_of(exercise), 1)}
    images = _images(exercise, [f"@@PLUGINFILE@@/{name}" for name in drawings])
    text = to_html(exercise, pictures=images, options=not posed.boxes)
    files = "".join(_file(name, svg.encode()) for name, svg in drawings.items())
    settings = {"defaultgrade": question.worth, "penalty": posed.penalty, "hidden": 0, "idnumber": ""}
    feedback = "" if posed.kind == "essay" else _solved(exercise)
    elements = [*(_xml(tag, value) for tag, value in settings.items()), *posed.elements]
    return _asking(posed.kind, question.name, _html_text("questiontext", text, files), feedback, elements)


def _asking(kind: str, name: str, text: str, feedback: str, elements: Iterable[str]) -> str:
    """Return a question of Moodle with a name, the element of its text, and those of its type."""
    head = [_xml("name", _xml("text", escape(name))), text, _html_text("generalfeedback", feedback)]
    return _xml("question", "\n".join([*head, *elements]), type=kind)


def _posed(question: BankQuestion) -> _Posed:
    """Return a question with choices or a number as answer, or an essay."""
    exercise, choices = question.exercise, question.choices()
    form = exercise.form
    texts, answers, penalty = dict[str, str](), list[str](), 0.3333333
    if choices:
        kind, single = "multichoice", str(not form.several).lower()
        settings = {"single": single, "shuffleanswers": "false", "answernumbering": "none"}
        settings |= {"showstandardinstruction": "0"}
        texts = {f"{said}feedback": "" for said in ("correct", "partiallycorrect", "incorrect")}
        answers = [
            _html_text("answer", choice.label, _feedback(choice.why), fraction=_percent(choice.share))
            for choice in choices
        ]
    elif form.numeric:
        kind = "numerical"
        settings = {"unitgradingtype": "0", "unitpenalty": "0.1", "showunits": "3", "unitsleft": "0"}
        value, tolerance = _number(exercise)
        inside = _xml("text", value) + _feedback(exercise.reason()) + _xml("tolerance", tolerance)
        answers = [_xml("answer", inside, fraction=100, format="moodle_auto_format")]
    else:
        kind, penalty = "essay", 0
        lines = 5 * max(1, round((form.lines + 2) / 5))
        settings = {"responseformat": "monospaced", "responserequired": "1", "responsefieldlines": f"{lines}"}
        settings |= {"attachments": "0", "attachmentsrequired": "0"}
        texts = {"graderinfo": _solved(exercise), "responsetemplate": ""}
    elements = [_xml(tag, value) for tag, value in settings.items()]
    elements += [_html_text(tag, text) for tag, text in texts.items()]
    return _Posed(kind, [*elements, *answers], boxes=bool(choices), penalty=penalty)


def _xml(tag: str, content: object = "", **attributes: object) -> str:
    """Return an element of XML; its content is XML already.

    >>> _xml("answer", _xml("text", "yes"), fraction=100)
    '<answer fraction="100"><text>yes</text></answer>'
    """
    given = "".join(f' {name}="{escape(str(value))}"' for name, value in attributes.items())
    return f"<{tag}{given}/>" if content == "" else f"<{tag}{given}>{content}</{tag}>"


def _file(name: str, content: bytes) -> str:
    """Return the element of Moodle that contains a file.

    >>> _file("a.txt", b"yes")
    '<file name="a.txt" path="/" encoding="base64">eWVz</file>'
    """
    return _xml("file", base64.b64encode(content).decode(), name=name, path="/", encoding="base64")


def _images(exercise: Exercise, files: Iterable[str]) -> list[str]:
    """Return the images of the models shown, with the models in words for those who cannot see them."""
    return [
        f'<img src="{source}" alt="{escape("; ".join(picture_in_words(thing).sentences), quote=True)}"/>'
        for source, (thing, _) in zip(files, exercise.shown(), strict=True)
    ]


def _solved(exercise: Exercise) -> str:
    """Return the solution of an exercise and its reason as HTML."""
    answer, reason = exercise.solved()
    return f"<p>A right answer: {escape(answer)}</p>{_reasoned(reason)}"


def _number(exercise: Exercise) -> tuple[str, float]:
    """Return the number that solves an exercise as a decimal, and how far an answer may be from it."""
    value = exercise.form.read(exercise.solution())
    return f"{float(value):.9g}", 0 if value.denominator == 1 else 0.001


def _html_text(tag: str, text: str, more: str = "", **attributes: object) -> str:
    """Return an element of Moodle that contains HTML, and further elements."""
    return _xml(tag, _xml("text", escape(text)) + more, **attributes, format="html")


def _feedback(reason: str) -> str:
    return _html_text("feedback", _reasoned(reason))


def _reasoned(reason: str) -> str:
    """Return a reason as HTML that keeps its indentation.

    >>> _reasoned("p < q")
    '<pre>p &lt; q</pre>'
    """
    return f"<pre>{escape(reason)}</pre>"


def _percent(share: Fraction) -> str:
    """Return a share in Moodle's notation: rounded to five decimal places.

    >>> _percent(Fraction(1, 3)), _percent(Fraction(-1, 2)), _percent(Fraction(1, 6))
    ('33.33333', '-50', '16.66667')
    """
    return f"{float(100 * share):.5f}".rstrip("0").rstrip(".")


# --- CodeRunner ------------------------------------------------------------------------------------

_LIBRARY, _EXERCISE = "kripke_werewolf.zip", "exercise.txt"
_AGAIN = "\nagain"  # after an exercise of which several attempts count
_MEGABYTES = 1000
_OFF = ["allornothing", "showsource", "hidecheck", "validateonsave", "hoisttemplateparams", "twigall"]
_OFF += ["extractcodefromjson", "attachments", "attachmentsrequired", "maxfilesize", "giveupallowed"]


def to_coderunner(bank: Bank) -> str:
    """Return a bank as Moodle XML with CodeRunner questions, after their type: a prototype with the program.

    >>> from kripke_werewolf.teach.exercises.sheet import Sheet, Task
    >>> bank = Bank.of(Sheet("Week 1", (Task("to-formula"),), seed=1), 3)
    >>> to_coderunner(bank).count('<question type="coderunner">')
    4
    """
    library = zipped(dict(sources()))
    name = f"kripke_werewolf_{sha256(library).hexdigest()[:8]}"
    # in the template, `e('py')` escapes what would end the string
    program = {"template": data_text("coderunner.txt"), "iscombinatortemplate": 1, "grader": "TemplateGrader"}
    program |= {"language": "python3", "uiplugin": "None"}
    program |= {"cputimelimitsecs": int(WAITING * SECONDS), "memlimitmb": _MEGABYTES}
    about = _html_text(
        "questiontext", "The program behind questions of this type. Leave it in the question bank."
    )
    elements = _elements(name, 2, 1, program, _file(_LIBRARY, library))
    prototype = _asking("coderunner", f"PROTOTYPE_{name}", about, "", elements)

    def pose(question: BankQuestion) -> _Posed:
        exercise = question.exercise
        form, attempts = exercise.form, bank.attempts
        given = {"answer": exercise.solution(), "answerboxlines": form.lines + 2}
        if isinstance(form, ValidOrModel) or (form.options and not form.several):
            attempts = 1  # it can be guessed
        data = _file(_EXERCISE, f"{packed(exercise, bank.kinds)}{_AGAIN if attempts > 1 else ''}".encode())
        return _Posed("coderunner", _elements(name, 0, attempts, given, data))

    return _quiz(bank, pose, _heading(bank, "CodeRunner") + prototype)


def _elements(name: str, prototype: int, attempts: int, given: Mapping[str, object], files: str) -> list[str]:
    """Return the elements of CodeRunner; after this number of attempts the points no longer change."""
    regime = ", ".join(["0"] * (attempts - 1) + ["100"])
    fields: dict[str, object] = {"coderunnertype": name, "prototypetype": prototype, "penaltyregime": regime}
    fields |= {"precheck": 4, "displayfeedback": 1, **dict.fromkeys(_OFF, 0), **given}
    return [*(_xml(tag, escape(str(value))) for tag, value in fields.items()), _xml("testcases", files)]


def outcome(exercise: str, answer: str, *, precheck: bool = False) -> str:
    """Return the share of the points and the reason as CodeRunner reads them; the program calls it.

    With `precheck`, the answer is only read, and shown as it was read; 1 means that it has the right form.
    If several attempts count, the reason of a wrong answer is left to the feedback after the quiz.

    >>> from kripke_werewolf.teach.exercises import new_exercise
    >>> exercise = packed(new_exercise("truth-set", rng=4))
    >>> outcome(exercise, "W_2 and w4", precheck=True)
    '{"fraction": 1.0, "prologuehtml": "<pre>read as: w2, w4</pre>"}'
    """
    read, kinds = unpacked(exercise.removesuffix(_AGAIN))
    with Worker(kinds=kinds, megabytes=_MEGABYTES) as worker:
        found = worker.check(read, answer, only_read=precheck)
    if isinstance(found, Unchecked):
        said, found = found.why, Result(False, "")
    elif precheck:
        said = found.reason
    elif exercise.endswith(_AGAIN) and not found.right:
        said = f"{'partly right' if found.credit else 'wrong'}: the quiz will say why when it is over"
    else:
        said = str(found)
    return json.dumps({"fraction": float(found.credit), "prologuehtml": _reasoned(said)})
