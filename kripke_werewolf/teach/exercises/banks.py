"""Question banks: many exercises of each task of a sheet, as Moodle XML for CodeRunner.

With CodeRunner, a plugin of Moodle whose questions are marked by a program, every answer is typed, and
checked as on a sheet: the file contains this package, which needs only Python on the server that runs the
program. The answer is read there as a string, and never run.
"""

from __future__ import annotations

import base64
import json
import lzma
from collections.abc import Iterable, Mapping
from fractions import Fraction
from hashlib import sha256
from html import escape

from kripke_werewolf.base.files import zipped
from kripke_werewolf.base.reports.documents import fragment
from kripke_werewolf.teach.exercises.exercise import Exercise, Result
from kripke_werewolf.teach.exercises.notebooks import packed, unpacked
from kripke_werewolf.teach.exercises.own_files import data_text, sources
from kripke_werewolf.teach.exercises.rendering import illustrated
from kripke_werewolf.teach.exercises.sheet import Sheet
from kripke_werewolf.teach.exercises.validity import ValidOrModel
from kripke_werewolf.teach.exercises.worker import SECONDS, WAITING, Unchecked, Worker


def drawn_exercises(sheet: Sheet, variants: int) -> list[dict[Exercise, None]]:
    """Return up to `variants` different exercises of each task of a sheet; fewer if there are no more."""
    columns = [dict[Exercise, None]() for _ in sheet.tasks]
    for task_number, (task, column) in enumerate(zip(sheet.tasks, columns, strict=True), 1):
        level = task.level(sheet.seed, task_number)
        for number in range(1, 2 if isinstance(task.what, Exercise) else 2 * variants + 1):
            if len(column) < variants:
                name = f"variant {number}"
                exercise = task.exercise(sheet.seed, task_number, name, level, number - 1)
                column.setdefault(exercise.told_in(sheet.language))
    return columns


# --- the file --------------------------------------------------------------------------------------

_LIBRARY, _EXERCISE = "kripke_werewolf.xz", "exercise.txt"
_NOT_GRADING = frozenset({"games", "teach/explorer", "visualise"})
_AGAIN = "\nagain"  # after an exercise of which several attempts count
_MEGABYTES = 1000
_OFF = ["allornothing", "showsource", "hidecheck", "validateonsave", "hoisttemplateparams", "twigall"]
_OFF += ["extractcodefromjson", "attachments", "attachmentsrequired", "maxfilesize", "giveupallowed"]


def to_coderunner(sheet: Sheet, columns: Iterable[Iterable[Exercise]]) -> str:
    """Return exercises of each task of a sheet as Moodle XML, after the questions' prototype.

    Each task is a category, in which equal exercises are one question. The prototype is the type of the
    questions, and contains the program.

    >>> from kripke_werewolf.teach.exercises.sheet import Task
    >>> sheet = Sheet("Week 1", (Task("to-formula"),), seed=1)
    >>> to_coderunner(sheet, drawn_exercises(sheet, 3)).count('<question type="coderunner">')
    4
    """
    library = lzma.compress(zipped(dict(sources(_NOT_GRADING)), stored=True))
    name = f"kripke_werewolf_{sha256(library).hexdigest()[:8]}"
    # in the template, `e('py')` escapes what would end the string
    program = {"template": data_text("coderunner.txt"), "iscombinatortemplate": 1, "grader": "TemplateGrader"}
    program |= {"language": "python3", "uiplugin": "None"}
    program |= {"cputimelimitsecs": int(WAITING * SECONDS), "memlimitmb": _MEGABYTES}
    about = "The program behind questions of this type. Leave it in the question bank."
    elements = _elements(name, 2, 1, program, _file(_LIBRARY, library))
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<quiz>", _heading(sheet, "CodeRunner")]
    lines.append(_asking(f"PROTOTYPE_{name}", _html_text("questiontext", about), "", elements))
    for n, (task, exercises) in enumerate(zip(sheet.tasks, columns, strict=True), 1):
        title = f"{n} {task.name}"
        lines.append(_heading(sheet, title))
        for number, exercise in enumerate(dict.fromkeys(exercises), 1):
            posed = _question(exercise, task.points, name, sheet.attempts)
            lines.append(_asking(f"{title} {number:03}", *posed))
    return "\n".join([*lines, "</quiz>", ""])


def _heading(sheet: Sheet, part: str) -> str:
    """Return the element after which the questions of a category stand: a part of a sheet's."""
    place = "/".join(["$course$/top", *(name.replace("/", "//") for name in (sheet.title, part))])
    content = _xml("category", _xml("text", escape(place))) + _html_text("info", "")
    return _xml("question", content, type="category")


def _question(exercise: Exercise, points: Fraction, name: str, attempts: int) -> tuple[str, str, list[str]]:
    """Return the text of a question of the type with this name, the feedback, and the other elements."""
    form = exercise.form
    if isinstance(form, ValidOrModel):
        attempts = 1  # it can be guessed
    drawings = dict[str, str]()

    def image(name: str, svg: str) -> str:
        drawings[f"{name}.svg"] = svg
        return f'<img src="@@PLUGINFILE@@/{name}.svg" alt=""/>'

    shown = fragment(illustrated(exercise, image))
    files = "".join(_file(name, svg.encode()) for name, svg in drawings.items())
    text = _html_text("questiontext", shown, files)
    answer, reason = exercise.solved()
    feedback = f"<p>A right answer: {escape(answer)}</p>{_reasoned(reason)}"
    data = _file(_EXERCISE, f"{packed(exercise)}{_AGAIN if attempts > 1 else ''}".encode())
    given = {"answer": answer, "answerboxlines": form.lines + 2}
    worth = {"defaultgrade": f"{float(points):g}", "penalty": 0, "hidden": 0, "idnumber": ""}
    elements = [_xml(tag, value) for tag, value in worth.items()]
    return text, feedback, elements + _elements(name, 0, attempts, given, data)


def _asking(name: str, text: str, feedback: str, elements: Iterable[str]) -> str:
    """Return a question with a name, the element of its text, and those of its type."""
    head = [_xml("name", _xml("text", escape(name))), text, _html_text("generalfeedback", feedback)]
    return _xml("question", "\n".join([*head, *elements]), type="coderunner")


def _elements(name: str, prototype: int, attempts: int, given: Mapping[str, object], files: str) -> list[str]:
    """Return the elements of CodeRunner; after this number of attempts the points no longer change."""
    regime = ", ".join(["0"] * (attempts - 1) + ["100"])
    fields: dict[str, object] = {"coderunnertype": name, "prototypetype": prototype, "penaltyregime": regime}
    fields |= {"precheck": 4, "displayfeedback": 1, **dict.fromkeys(_OFF, 0), **given}
    return [*(_xml(tag, escape(str(value))) for tag, value in fields.items()), _xml("testcases", files)]


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


def _html_text(tag: str, text: str, more: str = "") -> str:
    """Return an element of Moodle that contains HTML, and further elements."""
    return _xml(tag, _xml("text", escape(text)) + more, format="html")


def _reasoned(reason: str) -> str:
    """Return a reason as HTML that keeps its indentation.

    >>> _reasoned("p < q")
    '<pre>p &lt; q</pre>'
    """
    return f"<pre>{escape(reason)}</pre>"


# --- the program -----------------------------------------------------------------------------------


def outcome(exercise: str, answer: str, *, precheck: bool = False) -> str:
    """Return the share of the points and the reason as CodeRunner reads them; the program calls it.

    With `precheck`, the answer is only read, and shown as it was read; 1 means that it has the right form.
    If several attempts count, the reason of a wrong answer is left to the feedback after the quiz.

    >>> from kripke_werewolf.teach.exercises import new_exercise
    >>> exercise = packed(new_exercise("truth-set", rng=4))
    >>> outcome(exercise, "W_2 and w4", precheck=True)
    '{"fraction": 1.0, "prologuehtml": "<pre>read as: w2, w4</pre>"}'
    """
    with Worker(megabytes=_MEGABYTES) as worker:
        found = worker.check(unpacked(exercise.removesuffix(_AGAIN)), answer, only_read=precheck)
    if isinstance(found, Unchecked):
        said, found = found.why, Result(False, "")
    elif precheck:
        said = found.reason
    elif exercise.endswith(_AGAIN) and not found.right:
        said = f"{'partly right' if found.credit else 'wrong'}: the quiz will say why when it is over"
    else:
        said = str(found)
    return json.dumps({"fraction": float(found.credit), "prologuehtml": _reasoned(said)})
