"""Question banks for Moodle with CodeRunner, a plugin whose questions are marked by a program.

Every answer is typed, and checked as on a sheet: the file contains this package, which needs only Python on
the server that runs the program. The answer is read there as a string, and never run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from hashlib import sha256
from html import escape

from kripke_werewolf.exercises.banks import (
    Bank,
    BankQuestion,
    Posed,
    category,
    file,
    heading,
    html_text,
    quiz,
    reasoned,
    xml,
)
from kripke_werewolf.exercises.library import sources
from kripke_werewolf.exercises.notebooks import packed, unpacked
from kripke_werewolf.exercises.validity import ValidOrModel
from kripke_werewolf.exercises.worker import SECONDS, WAITING, Unchecked, Worker
from kripke_werewolf.files import zipped

_LIBRARY, _EXERCISE = "kripke_werewolf.zip", "exercise.txt"
_AGAIN = "\nagain"  # after an exercise of which several attempts count
_MEGABYTES = 1000
_OFF = ["allornothing", "showsource", "hidecheck", "validateonsave", "hoisttemplateparams", "twigall"]
_OFF += ["extractcodefromjson", "attachments", "attachmentsrequired", "maxfilesize", "giveupallowed"]

# in CodeRunner, `e('py')` escapes what would end the string
_TEMPLATE = f'''import sys
import zipfile

if sys.version_info < (3, 11):
    sys.exit("the server that runs this program (Jobe) needs Python 3.11 or later")
zipfile.ZipFile("{_LIBRARY}").extractall("library")
sys.path.insert(0, "library")
from kripke_werewolf.exercises.coderunner import outcome

answer = """{{{{ STUDENT_ANSWER | e('py') }}}}"""
with open("{_EXERCISE}", encoding="ascii") as exercise:
    print(outcome(exercise.read(), answer, precheck="{{{{ IS_PRECHECK }}}}" == "1"))
'''


def to_coderunner(bank: Bank) -> str:
    """Return a bank as Moodle XML with CodeRunner questions, after their type: a prototype with the program.

    >>> from kripke_werewolf.exercises.sheet import Sheet, Task
    >>> bank = Bank.of(Sheet("Week 1", (Task("to-formula"),), seed=1), 3)
    >>> to_coderunner(bank).count('<question type="coderunner">')
    4
    """
    library = zipped(dict(sources()))
    name = f"kripke_werewolf_{sha256(library).hexdigest()[:8]}"
    program = {"template": _TEMPLATE, "iscombinatortemplate": 1, "grader": "TemplateGrader"}
    program |= {"language": "python3", "uiplugin": "None"}
    program |= {"cputimelimitsecs": int(WAITING * SECONDS), "memlimitmb": _MEGABYTES}
    about = "The program behind questions of this type. Leave it in the question bank."
    prototype = [
        xml("name", xml("text", f"PROTOTYPE_{name}")),
        html_text("questiontext", about),
        html_text("generalfeedback", ""),
        *_elements(name, 2, 1, program, file(_LIBRARY, library)),
    ]
    first = xml("question", "\n".join(prototype), type="coderunner")
    first = heading(category(bank.title, "CodeRunner")) + first

    def pose(question: BankQuestion) -> Posed:
        exercise = question.exercise
        form, attempts = exercise.form, bank.attempts
        given = {"answer": exercise.solution(), "answerboxlines": form.lines + 2}
        if isinstance(form, ValidOrModel) or (form.options and not form.several):
            attempts = 1  # it can be guessed
        data = file(_EXERCISE, f"{packed(exercise, bank.kinds)}{_AGAIN * (attempts > 1)}".encode())
        return Posed("coderunner", _elements(name, 0, attempts, given, data))

    return quiz(bank, pose, first)


def _elements(name: str, prototype: int, attempts: int, given: Mapping[str, object], files: str) -> list[str]:
    """Return the elements of CodeRunner; after this number of attempts the points no longer change."""
    regime = ", ".join(["0"] * (attempts - 1) + ["100"])
    fields: dict[str, object] = {"coderunnertype": name, "prototypetype": prototype, "penaltyregime": regime}
    fields |= {"precheck": 4, "displayfeedback": 1, **dict.fromkeys(_OFF, 0), **given}
    return [*(xml(tag, escape(str(value))) for tag, value in fields.items()), xml("testcases", files)]


def outcome(exercise: str, answer: str, *, precheck: bool = False) -> str:
    """Return the share of the points and the reason as CodeRunner reads them; the program calls it.

    With `precheck`, the answer is only read, and shown as it was read; 1 means that it has the right form.
    If several attempts count, the reason of a wrong answer is left to the feedback after the quiz.

    >>> from kripke_werewolf.exercises import new_exercise
    >>> exercise = packed(new_exercise("truth-set", rng=4))
    >>> outcome(exercise, "W_2 and w4", precheck=True)
    '{"fraction": 1.0, "prologuehtml": "<pre>read as: w2, w4</pre>"}'
    """
    read, kinds = unpacked(exercise.removesuffix(_AGAIN))
    with Worker(kinds=kinds, megabytes=_MEGABYTES) as worker:
        found = worker.check(read, answer, only_read=precheck)
    if isinstance(found, Unchecked):
        share, said = Fraction(0), found.why
    else:
        share, said = found.credit, str(found)
        if precheck:
            said = found.reason
        elif exercise.endswith(_AGAIN) and not found.right:
            verdict = "partly right" if found.credit else "wrong"
            said = f"{verdict}: the quiz will say why when it is over"
    return json.dumps({"fraction": float(share), "prologuehtml": reasoned(said)})
