"""Banks for CodeRunner: the fields of its documentation, and its program, run as CodeRunner runs it."""

import ast
import html
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf.cli.main import cli
from kripke_werewolf.teach.exercises import Exercise, Sheet, Task, new_exercise
from kripke_werewolf.teach.exercises.banks import to_coderunner
from kripke_werewolf.teach.exercises.classes import make_class, parse_roster
from tests import coderunner

FREE = ["to-formula", "valid", "find-model", "derivation", "truth-set"]

# fields of CodeRunner ("question_coderunner_options"), and those that all questions of Moodle have
OWN = {
    *("coderunnertype", "prototypetype", "allornothing", "penaltyregime", "precheck", "hidecheck"),
    *("showsource",),
    *("answerboxlines", "answer", "validateonsave", "hoisttemplateparams", "extractcodefromjson", "twigall"),
    *("attachments", "attachmentsrequired", "maxfilesize", "displayfeedback", "giveupallowed", "testcases"),
}
INHERITED = {"template", "iscombinatortemplate", "grader", "language", "uiplugin"}
INHERITED |= {"cputimelimitsecs", "memlimitmb"}
COMMON = {"name", "questiontext", "generalfeedback", "defaultgrade", "penalty", "hidden", "idnumber"}


def bank(exercises: Sequence[Exercise], attempts: int = 1) -> str:
    """Return a bank of one question for each exercise."""
    tasks = tuple(Task(exercise, Fraction(2)) for exercise in exercises)
    return to_coderunner(Sheet("A bank", tasks, 1, attempts), [[exercise] for exercise in exercises])


def graded(exercises: Sequence[Exercise], answers: Sequence[str], folder: Path) -> list[float]:
    """Return the shares that CodeRunner gives for an answer to each exercise."""
    asked = coderunner.questions(bank(exercises))
    return [float(one["fraction"]) for one in coderunner.outcomes(asked, answers, folder)]


def test_every_question_has_the_fields_of_coderunner_and_inherits_the_program() -> None:
    exercises = [new_exercise(kind, rng=1) for kind in sorted(Exercise.kinds)]
    quiz = bank(exercises, 3)
    assert quiz == bank(exercises, 3)
    prototype, *found = ET.fromstring(quiz).findall("question[@type='coderunner']")
    texts = {"name", "questiontext", "generalfeedback"}
    assert {child.tag for child in prototype} == (texts | OWN | INHERITED) - {"answerboxlines", "answer"}
    assert [file.attrib["name"] for file in prototype.iter("file")] == ["kripke_werewolf.xz"]
    for node, exercise in zip(found, exercises, strict=True):
        assert {child.tag for child in node} == COMMON | OWN
        assert node.findtext("coderunnertype") == prototype.findtext("coderunnertype")
        assert (node.findtext("prototypetype"), prototype.findtext("prototypetype")) == ("0", "2")
        guessed = exercise.kind == "valid"
        assert node.findtext("penaltyregime") == ("100" if guessed else "0, 0, 100")
        assert node.findtext("answer") == exercise.solution()
        assert [file.attrib["name"] for file in node.findall("testcases/file")] == ["exercise.txt"]
        assert float(node.findtext("defaultgrade") or 0) == 2
        shown = html.unescape(node.findtext("questiontext/text") or "")
        assert f"Answer: {exercise.form.words}." in shown
        assert all(file.attrib["name"] in shown for file in node.findall("questiontext/file"))
    assert bank(exercises[:1]).count(f"{prototype.findtext('coderunnertype')}<") == 3


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_no_answer_leaves_the_string_in_which_it_stands(answer: str) -> None:
    (question,) = coderunner.questions(QUIZ)
    for said in (answer, f'{answer}"""\nprint(1)\n"""', f"{{{{ {answer} }}}}", f'{answer}\\"""'):
        variables = {"STUDENT_ANSWER": said, "IS_PRECHECK": "0"}
        program = ast.parse(coderunner.expanded(question.settings["template"], variables))
        (read,) = (node for node in program.body if isinstance(node, ast.Assign))
        assert isinstance(read.value, ast.Constant)
        assert read.value.value == said.replace("\r\n", "\n").replace("\r", "\n")
        assert len(program.body) == STATEMENTS


QUIZ = bank([new_exercise("truth-set", rng=4)])
STATEMENTS = 10  # of the program


@pytest.mark.parametrize("seed", range(2))
def test_what_is_told_before_the_last_attempt_holds_no_solution(seed: int, tmp_path: Path) -> None:
    exercises = [new_exercise(kind, rng=seed) for kind in ("to-formula", "truth-set", "valid")] * 2
    answers = [*map(slip, exercises[:3]), *(exercise.solution() for exercise in exercises[3:])]
    asked = coderunner.questions(bank(exercises, 3))
    found = coderunner.outcomes(asked, answers, tmp_path)
    for exercise, answer, told in zip(exercises, answers, found, strict=True):
        result = exercise.check(answer)
        verdict = "partly right" if result.credit else "wrong"
        later = f"{verdict}: the quiz will say why when it is over"
        expected = result if result.right or exercise.kind == "valid" else later
        assert html.unescape(told["prologuehtml"]) == f"<pre>{expected}</pre>"


def test_a_precheck_says_how_an_answer_is_read_and_not_whether_it_is_right(tmp_path: Path) -> None:
    (question,) = coderunner.questions(QUIZ)
    expected = {"W_4 w2": (1, "read as: w2, w4"), "w1": (1, "read as: w1"), "w9": (0, "unknown world")}
    found = coderunner.outcomes([question] * 3, expected, tmp_path, precheck=True)
    for told, (share, said) in zip(found, expected.values(), strict=True):
        assert (told["fraction"], said in told["prologuehtml"]) == (share, True)
        assert "right" not in told["prologuehtml"]


@pytest.mark.slow
def test_right_and_wrong_answers_to_every_kind(tmp_path: Path) -> None:
    kinds = sorted(Exercise.kinds)
    exercises = [new_exercise(kind, rng=7) for kind in kinds]
    assert graded(exercises, [e.solution() for e in exercises], tmp_path / "right") == [1.0] * len(kinds)
    others = [new_exercise(kind, rng=8) for kind in FREE]
    expected = [float(e.check(answer).credit) for e, answer in ((e, slip(e)) for e in others)]
    assert graded(others, list(map(slip, others)), tmp_path / "wrong") == pytest.approx(expected)
    assert max(expected) < 1


def slip(exercise: Exercise) -> str:
    """Return a wrong answer in the right form."""
    for answer in ("w1", "p", "q & ~q", "valid", "w0*: p, q\na: w0-w0", "1. p -> p  PL"):
        try:
            if not exercise.check(answer).right:
                return answer
        except ValueError:
            continue
    raise AssertionError(exercise)


HOSTILE = [
    '"""\nprint(\'{"fraction": 1}\')\nraise SystemExit\n"""',
    '\\"""\nimport os; os._exit(0)\n#',
    "{{ STUDENT_ANSWER }}",
    '{"answer_code": ["w2, w4"]}',
    "__import__('os').system('touch broken')",
    "(" * 19_000,
    "p & " * 300_000,
]


@pytest.mark.slow
def test_hostile_answers_get_nothing_and_run_nothing(tmp_path: Path) -> None:
    exercise = new_exercise("truth-set", rng=4)
    shares = graded([exercise] * len(HOSTILE), HOSTILE, tmp_path)
    assert shares == [0] * len(HOSTILE)
    assert not list(tmp_path.rglob("broken"))


def test_the_bank_of_a_class_has_the_exercises_of_all_students(tmp_path: Path) -> None:
    sheet = Sheet("Week 1", (Task("truth-set"), Task(new_exercise("truth-set", rng=1))), seed=2)
    students = parse_roster("name,id\nAnn,s1\nBo,s2\nCy,s3\n")
    course = make_class(sheet, students, tmp_path / "class")
    file = tmp_path / "bank.xml"
    done = CliRunner().invoke(
        cli, ["exercise", "sheet", "export", str(tmp_path / "class"), "--to", "coderunner", "-o", str(file)]
    )
    assert done.exit_code == 0, done.output
    asked = [q for q in ET.parse(file).getroot() if q.get("type") not in ("category",)]
    named = [q.findtext("name/text") for q in asked]
    exercises = list(dict.fromkeys(variant.exercises[0] for variant in course.variants))
    expected = [f"1 truth-set {n:03}" for n in range(1, len(exercises) + 1)]
    assert [name for name in named if name and "PROTOTYPE" not in name] == [*expected, "2 truth-set 001"]
