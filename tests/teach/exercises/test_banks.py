"""Question banks: against the documented format, and read back by a separate program.

There is no schema for Moodle XML; `check_moodle` holds each question against the tables of Moodle's
documentation ("Moodle XML format").
"""

import base64
import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from kripke_werewolf.base.errors import FormatError, UnknownNameError
from kripke_werewolf.teach.exercises import (
    Exercise,
    Sheet,
    Task,
    kinds_generated,
    new_exercise,
    parse_exercise,
    read_exercise,
)
from kripke_werewolf.teach.exercises.banks import Bank, BankQuestion, to_moodle
from kripke_werewolf.teach.exercises.forms import in_signs
from kripke_werewolf.teach.explorer.page.exports import export

EXERCISES = Path(__file__).parents[3] / "examples" / "exercises"
SHEET = Sheet("Once", (Task(read_exercise(EXERCISES / "derive.toml")),), seed=4)


@pytest.fixture(scope="module")
def bank() -> Bank:
    """Two questions of each kind, and one with a free answer."""
    found = [
        BankQuestion(task, number, f"{task} {kind}", Fraction(2), new_exercise(kind, rng=number))
        for task, kind in enumerate(sorted(kinds_generated()), 1)
        for number in (1, 2)
    ]
    (written,) = Bank.of(SHEET, 2).questions
    return Bank("Bank: a/b <&> {x}", (*found, replace(written, task=99, title="99 derive")))


@pytest.fixture(scope="module")
def quiz(bank: Bank) -> ET.Element:
    return ET.fromstring(to_moodle(bank))


# --- Moodle XML ------------------------------------------------------------------------------------

HTML_TEXTS = {"questiontext", "generalfeedback", "feedback", "graderinfo", "responsetemplate"}
HTML_TEXTS |= {"correctfeedback", "partiallycorrectfeedback", "incorrectfeedback"}
COMMON = ["name", "questiontext", "generalfeedback", "defaultgrade", "penalty", "hidden", "idnumber"]
OF_KIND = {
    "multichoice": [
        *("single", "shuffleanswers", "answernumbering", "showstandardinstruction"),
        *("correctfeedback", "partiallycorrectfeedback", "incorrectfeedback"),
    ],
    "numerical": ["unitgradingtype", "unitpenalty", "showunits", "unitsleft"],
    "essay": [
        *("responseformat", "responserequired", "responsefieldlines"),
        *("attachments", "attachmentsrequired", "graderinfo", "responsetemplate"),
    ],
}
WORDS = {
    "single": {"true", "false"},
    "shuffleanswers": {"true", "false"},
    "answernumbering": {"none", "abc", "ABCD", "123", "iii", "IIII"},
    "responseformat": {"editor", "editorfilepicker", "plain", "monospaced", "noinline"},
    "responsefieldlines": {"5", "10", "15", "20", "25", "30", "35", "40"},
    "hidden": {"0", "1"},
}
FRACTIONS = {
    *("100", "90", "83.33333", "80", "75", "70", "66.66667", "60", "50", "40", "33.33333", "30", "25", "20"),
    *("16.66667", "14.28571", "12.5", "11.11111", "10", "5", "0"),
}
FRACTIONS |= {f"-{share}" for share in FRACTIONS - {"0"}}


def check_moodle(quiz: ET.Element) -> None:
    """Assert that a quiz has the elements of the documentation, and nothing else."""
    assert quiz.tag == "quiz"
    for question in quiz:
        assert question.tag == "question"
        kind = question.attrib["type"]
        tags = [child.tag for child in question]
        if kind == "category":
            assert tags == ["category", "info"]
            continue
        assert sorted(tag for tag in tags if tag != "answer") == sorted(COMMON + OF_KIND[kind])
        for node in question.iter():
            if node.tag in HTML_TEXTS:
                assert node.attrib == {"format": "html"}
                assert [child.tag for child in node if child.tag != "file"] == ["text"]
            if node.tag in WORDS:
                assert node.text in WORDS[node.tag], node.tag
            if node.tag == "file":
                assert node.attrib == {"name": node.attrib["name"], "path": "/", "encoding": "base64"}
                ET.fromstring(base64.b64decode(node.text or "", validate=True))
        answers = question.findall("answer")
        assert bool(answers) == (kind != "essay")
        for answer in answers:
            assert answer.attrib["fraction"] in FRACTIONS
            extra = ["tolerance"] if kind == "numerical" else []
            assert [child.tag for child in answer] == ["text", "feedback", *extra]
            assert (answer.findtext("feedback/text") or "").strip()
        # every picture that the text shows is there, and no other
        shown = re.findall(r'src="@@PLUGINFILE@@/([^"]+)"', question.findtext("questiontext/text") or "")
        assert shown == [file.attrib["name"] for file in question.findall("questiontext/file")]
        assert float(question.findtext("defaultgrade") or 0) > 0


def moodle_points(question: ET.Element, ticked: set[int]) -> float:
    """Return what Moodle gives for ticking answers: the sum of their fractions, within 0 and 1."""
    shares = [float(answer.attrib["fraction"]) for answer in question.findall("answer")]
    return min(1, max(0, sum(shares[k] for k in ticked) / 100))


def test_moodle_xml_as_documented_and_read_back(bank: Bank, quiz: ET.Element) -> None:
    check_moodle(quiz)
    found = [question for question in quiz if question.attrib["type"] != "category"]
    assert len(found) == len(bank.questions)
    assert len({question.findtext("name/text") for question in found}) == len(found)
    for node, question in zip(found, bank.questions, strict=True):
        exercise = question.exercise
        assert node.findtext("name/text") == question.name
        if node.attrib["type"] != "multichoice":
            assert exercise.solution() in unescaped(node.findtext("graderinfo/text") or exercise.solution())
            continue
        options = [option.answer for option in exercise.form.options]
        right = {options.index(answer) for answer in exercise.ticked()}
        assert moodle_points(node, right or {len(options)}) == pytest.approx(1, abs=1e-5)
        for k, option in enumerate(options):  # each option alone is worth what the checker gives for it
            credit = float(exercise.check(option).credit)
            assert moodle_points(node, {k}) == pytest.approx(credit, abs=1e-5), (exercise.kind, option)
        for k, option in enumerate(options):
            said = unescaped(node.findall("answer")[k].findtext("feedback/text") or "")
            assert in_signs(exercise.option_reason(option)) in said


def unescaped(html: str) -> str:
    from html import unescape

    return unescape(re.sub(r"<[^>]*>", "", html))


def test_categories_with_a_slash_are_not_divided(quiz: ET.Element) -> None:
    place = quiz.findtext("question/category/text") or ""
    assert re.split(r"(?<!/)/(?!/)", place)[:3] == ["$course$", "top", "Bank: a//b <&> {x}"]


# --- other systems ---


def test_a_page_that_checks_answers_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "kripke_werewolf.teach.explorer.page.pyodide.bundle", dict
    )  # without the megabytes of Pyodide
    (path,) = export(SHEET, "practice", tmp_path / "p.html")
    page = path.read_text("utf-8")
    assert re.search(r'"place": ?"offline"', page)
    assert SHEET.tasks[0].what.title in page  # type: ignore[union-attr]


def test_variants_for_systems_that_take_one_sheet(tmp_path: Path) -> None:
    sheet = Sheet("A", (Task("truth-set"), *SHEET.tasks), 3)
    paths = export(sheet, "explorer", tmp_path / "a.json", variants=10)
    assert [path.name for path in paths] == [f"a-{number:02}.json" for number in range(1, 11)]
    sets = [json.loads(path.read_text("utf-8"))["exercises"] for path in paths]
    assert len({first for first, _ in sets}) == 10
    assert len({last for _, last in sets}) == 1
    assert parse_exercise(sets[2][0]) == sheet.variant("variant 3").exercises[0]
    with pytest.raises(FormatError, match="give either a student or a number of variants"):
        export(sheet, "explorer", tmp_path / "a.json", variants=2, student="ann")


# --- all systems -----------------------------------------------------------------------------------


def test_wrong_names_of_files_and_systems(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'moodle'"):
        export(SHEET, "moodel", tmp_path / "x.xml")
    with pytest.raises(FormatError, match=r"its extension must be \.xml"):
        export(SHEET, "moodle", tmp_path / "x.zip")
    with pytest.raises(FormatError, match="cannot write"):
        export(SHEET, "moodle", tmp_path / "none" / "x.xml")


def test_no_exporter_knows_a_kind() -> None:
    folder = EXERCISES.parents[1] / "kripke_werewolf" / "teach" / "exercises"
    for name in (
        "banks",
        "notebooks",
        "../explorer/page/exports",
        "web",
        "classes",
        "grading",
        "sheet",
    ):
        text = (folder / f"{name}.py").read_text("utf-8")
        code = re.sub(r'""".*?"""', "", text, flags=re.DOTALL)
        for kind in Exercise.kinds.values():
            assert f'"{kind.kind}"' not in code
            assert not re.search(rf"\b{kind.__name__}\b", code)
