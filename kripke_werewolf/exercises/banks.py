"""Question banks: many exercises of each task of a sheet, as Moodle XML, GIFT and QTI 2.1.

A task with options to tick becomes a question with choices, each with its reason as feedback; one with a
number becomes a numerical question; any other becomes a free answer, with the solution and its reason for
graders.
"""

from __future__ import annotations

import base64
import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from itertools import groupby
from typing import Self

from kripke_werewolf.exercises.exercise import Exercise, share
from kripke_werewolf.exercises.forms import in_signs
from kripke_werewolf.exercises.rendering import marked, picture_in_words, pictures_of, to_html
from kripke_werewolf.exercises.sheet import Sheet, variant_name

_MOST_SHARES = 10  # Moodle knows the shares 1/1 to 1/10


@dataclass(frozen=True, slots=True)
class BankOption:
    """An option of a question: its answer, its label as HTML, its share of the points, and why."""

    answer: str
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

    def choices(self) -> tuple[BankOption, ...]:
        """Return the options to tick, with "none of them" if several may be ticked; empty if none."""
        form = self.exercise.form
        if not form.options:
            return ()
        right = self.exercise.ticked()
        if form.several and len(right) > _MOST_SHARES:
            return ()
        each = share(right)
        wrong = -each if form.several else Fraction(0)
        found = tuple(
            BankOption(
                option.answer,
                marked(option.label),
                each if option.answer in right else wrong,
                in_signs(self.exercise.option_reason(option.answer)),
            )
            for option in form.options
        )
        if not form.several:
            return found
        why = "some of them belong there" if right else "none of them belongs there"
        return (*found, BankOption("none", "none of them", Fraction(-1 if right else 1), why))


@dataclass(frozen=True, slots=True)
class Bank:
    """The questions of a bank, in their order.

    >>> from kripke_werewolf.exercises.sheet import Task
    >>> bank = Bank.of(Sheet("Week 1", (Task("model-checking"),), seed=1), 3)
    >>> to_moodle(bank).count('<question type="multichoice">')
    3
    >>> print(to_gift(bank).splitlines()[0])
    $CATEGORY: $course$/top/Week 1/1 model-checking
    """

    title: str
    questions: tuple[BankQuestion, ...]

    @classmethod
    def of(cls, sheet: Sheet, variants: int = 1) -> Self:
        """Return up to `variants` different exercises of each task; fewer if there are no more."""
        return cls(sheet.title, tuple(_questions(sheet, variants)))

    def tasks(self) -> Iterator[tuple[str, list[BankQuestion]]]:
        """Yield the category of each task, and its questions."""
        for title, found in groupby(self.questions, key=lambda question: question.title):
            yield f"$course$/top/{_category(self.title)}/{_category(title)}", list(found)


def _questions(sheet: Sheet, variants: int) -> Iterator[BankQuestion]:
    for task_number, task in enumerate(sheet.tasks, 1):
        level = task.level(sheet.seed, task_number)
        title = f"{task_number} {task.name}"
        seen: set[Exercise] = set()
        for number in range(1, 2 * variants + 1):
            exercise = task.exercise(sheet.seed, task_number, variant_name(number), level)
            if exercise not in seen and len(seen) < variants:
                seen.add(exercise)
                yield BankQuestion(task_number, len(seen), title, task.points, exercise)
            if isinstance(task.what, Exercise) or len(seen) == variants:
                break


# --- Moodle XML ------------------------------------------------------------------------------------


def to_moodle(bank: Bank) -> str:
    """Return a bank as Moodle XML, with a category for each task and embedded pictures."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<quiz>"]
    for place, found in bank.tasks():
        lines += [
            '<question type="category">',
            f"<category><text>{escape(place)}</text></category>",
            '<info format="html"><text></text></info>',
            "</question>",
            *map(_moodle_question, found),
        ]
    return "\n".join([*lines, "</quiz>", ""])


def _category(text: str) -> str:
    return text.replace("/", "//")  # a single one divides categories


def _moodle_question(question: BankQuestion) -> str:
    exercise = question.exercise
    choices = question.choices()
    kind = "multichoice" if choices else "numerical" if exercise.form.numeric else "essay"
    general = _solved(exercise)
    files = {f"model{number}.svg": drawn.svg for number, drawn in enumerate(pictures_of(exercise), 1)}
    images = _images(exercise, [f"@@PLUGINFILE@@/{name}" for name in files])
    body = to_html(exercise, pictures=images, options=not choices)
    encoded = "".join(
        f'<file name="{name}" path="/" encoding="base64">{base64.b64encode(svg.encode()).decode()}</file>'
        for name, svg in files.items()
    )
    lines = [
        f'<question type="{kind}">',
        f"<name><text>{escape(question.name)}</text></name>",
        f'<questiontext format="html"><text>{escape(body)}</text>{encoded}</questiontext>',
        _html_text("generalfeedback", "" if kind == "essay" else general),
        f"<defaultgrade>{float(question.points):g}</defaultgrade>",
        f"<penalty>{0 if kind == 'essay' else 0.3333333}</penalty>",
        "<hidden>0</hidden>",
        "<idnumber></idnumber>",
    ]
    if choices:
        lines += [
            f"<single>{'false' if exercise.form.several else 'true'}</single>",
            "<shuffleanswers>false</shuffleanswers>",
            "<answernumbering>none</answernumbering>",
            "<showstandardinstruction>0</showstandardinstruction>",
            *(_html_text(f"{said}feedback", "") for said in ("correct", "partiallycorrect", "incorrect")),
        ]
        lines += [
            f'<answer fraction="{_percent(choice.share)}" format="html"><text>{escape(choice.label)}</text>'
            f"{_html_text('feedback', _reason(choice.why))}</answer>"
            for choice in choices
        ]
    elif exercise.form.numeric:
        value, whole = _number(exercise)
        lines.append(
            f'<answer fraction="100" format="moodle_auto_format"><text>{value}</text>'
            f"{_html_text('feedback', _reason(exercise.reason()))}"
            f"<tolerance>{0 if whole else 0.001}</tolerance></answer>"
        )
        lines += ["<unitgradingtype>0</unitgradingtype>", "<unitpenalty>0.1</unitpenalty>"]
        lines += ["<showunits>3</showunits>", "<unitsleft>0</unitsleft>"]
    else:
        lines += [
            "<responseformat>monospaced</responseformat>",
            "<responserequired>1</responserequired>",
            f"<responsefieldlines>{5 * max(1, round((exercise.form.lines + 2) / 5))}</responsefieldlines>",
            "<attachments>0</attachments>",
            "<attachmentsrequired>0</attachmentsrequired>",
            _html_text("graderinfo", general),
            _html_text("responsetemplate", ""),
        ]
    return "\n".join([*lines, "</question>"])


def _images(exercise: Exercise, files: Iterable[str]) -> list[str]:
    """Return the images of the models shown, with the models in words for those who cannot see them."""
    return [
        f'<img src="{file}" alt="{escape("; ".join(picture_in_words(thing).sentences), quote=True)}"/>'
        for file, (thing, _) in zip(files, exercise.shown(), strict=True)
    ]


def _solved(exercise: Exercise) -> str:
    """Return the solution of an exercise and its reason as HTML."""
    answer, reason = exercise.solved()
    return f"<p>A right answer: {escape(answer)}</p>{_reason(reason)}"


def _number(exercise: Exercise) -> tuple[str, bool]:
    """Return the number that solves an exercise as a decimal, and whether it is whole."""
    value = exercise.form.read(exercise.solution())
    return f"{float(value):.9g}", value.denominator == 1


def _html_text(tag: str, text: str) -> str:
    return f'<{tag} format="html"><text>{escape(text)}</text></{tag}>'


def _reason(reason: str) -> str:
    """Return a reason as HTML that keeps its indentation."""
    return f"<pre>{escape(reason)}</pre>"


def _percent(share: Fraction) -> str:
    """Return a share in Moodle's notation: rounded to five decimal places.

    >>> _percent(Fraction(1, 3)), _percent(Fraction(-1, 2)), _percent(Fraction(1, 6))
    ('33.33333', '-50', '16.66667')
    """
    return f"{float(100 * share):.5f}".rstrip("0").rstrip(".")


# --- GIFT ------------------------------------------------------------------------------------------


def to_gift(bank: Bank) -> str:
    """Return a bank as GIFT, with models in words instead of pictures."""
    lines: list[str] = []
    for place, found in bank.tasks():
        lines += [f"$CATEGORY: {place}", ""]
        for question in found:
            choices = question.choices()
            body = _gift(to_html(question.exercise, options=not choices))
            lines += [f"::{_gift(question.name)}::[html]{body}{{{_gift_answers(question, choices)}}}", ""]
    return "\n".join(lines)


def _gift_answers(question: BankQuestion, choices: tuple[BankOption, ...]) -> str:
    exercise = question.exercise
    if not choices and exercise.form.numeric:
        value, whole = _number(exercise)
        return f"#{value}{'' if whole else ':0.001'}#{_gift(_reason(exercise.reason()))}"
    if not choices:
        return ""
    found = []
    for choice in choices:
        mark = "~" if exercise.form.several or choice.share != 1 else "="
        share = f"%{_percent(choice.share)}%" if exercise.form.several else ""
        found.append(f"\n{mark}{share}{_gift(choice.label)}#{_gift(_reason(choice.why))}")
    return "".join(found) + "\n"


def _gift(text: str) -> str:
    """Escape the special characters of GIFT, and blank lines, which would end the question."""
    marked = re.sub(r"[~=#{}:\\]", lambda found: "\\" + found[0], text)
    return marked.replace("\n", "\\n")


# --- QTI 2.1 ---------------------------------------------------------------------------------------

_QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
_ITEM_HEAD = (
    f'<assessmentItem xmlns="{_QTI}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    f'xsi:schemaLocation="{_QTI} http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd"'
)


def to_qti(bank: Bank) -> bytes:
    """Return a bank as a QTI 2.1 package: a ZIP archive with a manifest, items and pictures."""
    resources: list[str] = []
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:

        def add(name: str, text: str) -> None:
            # the time of the archive would make equal exports differ
            archive.writestr(zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED)

        for question in bank.questions:
            name = f"task{question.task}_{question.number:03}"
            images = []
            for number, picture in enumerate(pictures_of(question.exercise), 1):
                images.append(f"images/{name}_{number}.svg")
                add(images[-1], picture.svg)
            add(f"{name}.xml", qti_item(question, name, images))
            files = "".join(f'<file href="{href}"/>' for href in (f"{name}.xml", *images))
            resources.append(
                f'<resource identifier="{name}" type="imsqti_item_xmlv2p1" href="{name}.xml">'
                f"{files}</resource>"
            )
        add(
            "imsmanifest.xml",
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" identifier="MANIFEST-1">\n'
            "<metadata><schema>QTIv2.1 Package</schema><schemaversion>1.0.0</schemaversion></metadata>\n"
            f"<organizations/>\n<resources>\n{chr(10).join(resources)}\n</resources>\n</manifest>\n",
        )
    return out.getvalue()


def qti_item(question: BankQuestion, name: str, images: list[str]) -> str:
    """Return one item of a QTI package; `images`: the files with its pictures."""
    exercise, choices = question.exercise, question.choices()
    several = exercise.form.several
    numeric = not choices and exercise.form.numeric
    zero, most = "<defaultValue><value>0</value></defaultValue>", f"{float(question.points):g}"
    outcomes = _declared("outcome", "SCORE", "single", "float", zero, f' normalMaximum="{most}"')
    tags = [f"<p>{image}</p>" for image in _images(exercise, images)]
    body = to_html(exercise, pictures=tags, options=not choices, words=False)
    named = [(f"A{number}", choice) for number, choice in enumerate(choices, 1)]
    if choices:
        right = "".join(f"<value>{key}</value>" for key, choice in named if choice.share > 0)
        mapped = "".join(
            f'<mapEntry mapKey="{key}" mappedValue="{float(choice.share * question.points):.6g}"/>'
            for key, choice in named
        )
        mapping = f'<mapping lowerBound="0" upperBound="{most}" defaultValue="0">'
        scored = f"<correctResponse>{right}</correctResponse>{mapping}{mapped}</mapping>"
        kind = "multiple" if several else "single"
        response = _declared("response", "RESPONSE", kind, "identifier", scored)
        outcomes += _declared("outcome", "FEEDBACK", kind, "identifier")
        interaction = (
            '<choiceInteraction responseIdentifier="RESPONSE" shuffle="false" '
            f'maxChoices="{0 if several else 1}">'
            + "".join(
                f'<simpleChoice identifier="{key}">{choice.label}'
                f'<feedbackInline outcomeIdentifier="FEEDBACK" identifier="{key}" showHide="show"> '
                f"({escape(' '.join(choice.why.split()))})</feedbackInline></simpleChoice>"
                for key, choice in named
            )
            + "</choiceInteraction>"
        )
    elif numeric:
        scored = f"<correctResponse><value>{_number(exercise)[0]}</value></correctResponse>"
        response = _declared("response", "RESPONSE", "single", "float", scored)
        interaction = '<p><textEntryInteraction responseIdentifier="RESPONSE" expectedLength="12"/></p>'
    else:
        response = _declared("response", "RESPONSE", "single", "string")
        lines = exercise.form.lines + 2
        interaction = f'<extendedTextInteraction responseIdentifier="RESPONSE" expectedLines="{lines}"/>'
    outcomes += _declared("outcome", "SOLUTION", "single", "identifier")
    solved = _solved(exercise)
    rubric = f'<rubricBlock view="scorer tutor">{solved}</rubricBlock>'
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'{_ITEM_HEAD} identifier="{name}" title="{escape(question.name, quote=True)}" '
            'adaptive="false" timeDependent="false">',
            response,
            outcomes,
            f"<itemBody>\n{body}\n{interaction}\n{rubric}\n</itemBody>",
            _qti_processing(question, numeric=numeric, choices=bool(choices)),
            '<modalFeedback outcomeIdentifier="SOLUTION" identifier="SHOWN" showHide="show">'
            f"{solved}</modalFeedback>",
            "</assessmentItem>",
            "",
        ]
    )


def _declared(kind: str, name: str, cardinality: str, base: str, content: str = "", more: str = "") -> str:
    """Return the declaration of a response or an outcome; `more`: further attributes."""
    tag = f"{kind}Declaration"
    head = f'<{tag} identifier="{name}" cardinality="{cardinality}" baseType="{base}"{more}'
    return f"{head}>{content}</{tag}>" if content else f"{head}/>"


def _qti_processing(question: BankQuestion, *, numeric: bool, choices: bool) -> str:
    """Return the response processing, which computes the points."""
    shown = '<setOutcomeValue identifier="SOLUTION"><baseValue baseType="identifier">SHOWN</baseValue>'
    shown += "</setOutcomeValue>"
    if choices:
        score = '<setOutcomeValue identifier="SCORE"><mapResponse identifier="RESPONSE"/></setOutcomeValue>'
        said = '<setOutcomeValue identifier="FEEDBACK"><variable identifier="RESPONSE"/></setOutcomeValue>'
        rules = (
            '<responseCondition><responseIf><not><isNull><variable identifier="RESPONSE"/></isNull></not>'
            f"{score}{said}</responseIf></responseCondition>"
        )
    elif numeric:
        rules = (
            '<responseCondition><responseIf><equal toleranceMode="absolute" tolerance="0.001 0.001">'
            '<variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></equal>'
            '<setOutcomeValue identifier="SCORE"><baseValue baseType="float">'
            f"{float(question.points):g}</baseValue></setOutcomeValue></responseIf></responseCondition>"
        )
    else:
        rules = ""
    return f"<responseProcessing>{rules}{shown}</responseProcessing>"
