"""Exercise files: models from elsewhere, broken files, and the commands."""

import json
from pathlib import Path
from textwrap import indent

import pytest

from kripke_werewolf import FormatError, KripkeModel, UnknownNameError
from kripke_werewolf.teach.exercises import (
    Exercise,
    OnModel,
    new_exercise,
    parse_exercise,
    read_exercise,
)
from kripke_werewolf.teach.exercises.sheet import parse_sheet
from kripke_werewolf.teach.exercises.truth import TruthSet
from tests.cases import cases
from tests.naming import naming
from tests.running import invoke

EXERCISES = Path(__file__).parents[3] / "examples" / "exercises"
STORIES = Path(__file__).parents[3] / "examples" / "stories"
MODEL = """
[model]
worlds = ["w", "v"]
relations = {a = {classes = [["w", "v"]]}}
valuation = {p = ["w"]}
"""
CHECK = 'kind = "truth-set"\nformula = "K_a p"\nstory = "Once."\n'


def read(text: str, folder: Path) -> object:
    path = folder / "ex.toml"
    path.write_text(text, encoding="utf-8")
    return read_exercise(path)


@cases(
    ("where-is-it-true", "w1, w2", "w2 does not belong there"),
    ("tell-apart", "heads", "it is true at both worlds"),
    ("what-to-say", "a_0", "afterwards it should be true that c does not know whether a_0 is true"),
    (
        "find-a-model",
        json.dumps(KripkeModel.from_partitions("w", {"a": ["w"], "b": ["w"]}, {"p": ["w"]}).to_dict()),
        "b believes that p is true",
    ),
    ("derive", "K_a K_b p -> K_a p   T", "line 1 is wrong: it is not an instance of T"),
    ("derive", "K_b p -> p   T\nK_a K_b p -> K_a p   MP 1", "hint: the line is right by RK 1"),
    ("close-the-tableau", "1. w0: K_a p", "line 1 is wrong: a tableau begins with w0: ¬"),
)
def test_exercises_of_the_examples(name, wrong, reason) -> None:
    exercise = read_exercise(EXERCISES / f"{name}.toml")
    assert exercise.check(exercise.solution()).right
    result = exercise.check(wrong)
    assert not result.right
    assert reason in result.reason


def test_models_from_elsewhere(tmp_path: Path) -> None:
    start = 'kind = "truth-set"\nformula = "true"\n[model]\n'
    (tmp_path / "cheryl.txt").write_text((STORIES / "cheryl.txt").read_text("utf-8"), encoding="utf-8")
    for lines, size in (
        ('puzzle = "muddy-children"\nn = 3\nafter = 1', 7),
        ('story = "cheryl.txt"\nafter = 2', 3),
        ('puzzle = "hexa"\ndesignated = "102"', 6),
    ):
        exercise = read(start + lines, tmp_path)
        assert isinstance(exercise, OnModel)
        assert len(exercise.model) == size
    assert isinstance(exercise, OnModel)
    assert exercise.model.designated == ("102",)


def test_a_model_in_a_file(tmp_path: Path) -> None:
    exercise = read(CHECK + MODEL, tmp_path)
    assert isinstance(exercise, TruthSet)
    from kripke_werewolf.logic.models.formats.json import write

    write(exercise.model, tmp_path / "m.json")
    assert read(CHECK + '[model]\nfile = "m.json"\n', tmp_path) == exercise


BROKEN_FILES = [
    ("", 1, 1, "an exercise needs the key 'kind'"),
    ('kind = ["truth-set"]', 1, 8, "kind: expected a string, got ['truth-set']"),
    ('\nkind = "tableu"', 2, 8, "did you mean 'tableau'?"),
    ('kind = "truth-set"\nformula = "p"', 1, 8, "needs the key 'model'"),
    (CHECK + 'logic = "S5"\n' + MODEL, 4, 9, "has no key 'logic'"),
    (CHECK.replace("K_a p", "K_a (p") + MODEL, 2, 18, "ends too early"),
    (CHECK.replace("K_a p", "K_a r") + MODEL, 2, 16, "unknown atom 'r'"),
    (CHECK.replace("K_a p", "K_b p") + MODEL, 2, 14, "unknown agent 'b'"),
    ('kind = "distinguish"\nfalse_at = "w"\ntrue_at = "u"' + MODEL, 3, 11, "unknown world 'u'"),
    (CHECK + MODEL.replace('[["w", "v"]]', '[["w", "u"]]'), 7, 13, "not a world of this model"),
    (CHECK + MODEL.replace('worlds = ["w", "v"]', ""), 5, 1, "worlds: missing"),
    (CHECK + '[model]\npuzzle = "hexa"\nafter = 9', 5, 10, "there is no step 9"),
    (CHECK + '[model]\npuzzle = "hexa"\nsize = 9', 6, 8, "expected one of puzzle, after"),
    (CHECK + 'model = "m"', 4, 9, "expected a table [model]"),
    ('kind = "find-model"\nformula = "p"\nlogic = "S6"', 3, 9, "'S6'"),
    ('kind = "find-model"\nformula = "p"\nlogic = "S5"\nmost_worlds = -1', 4, 15, "whole number"),
    ('kind = "announcement"\nlearns = "p"\nspeaker = "a"' + MODEL, 2, 10, "expected a table"),
    ('kind = "announcement"\nlearns = {b = "p"}\nspeaker = "a"' + MODEL, 2, 10, "unknown agent 'b'"),
]


def test_broken_files(tmp_path: Path) -> None:
    for text, line, column, words in BROKEN_FILES:
        with naming(text, line, column, words):
            with pytest.raises(FormatError) as caught:
                read(text, tmp_path)
            message = str(caught.value)
            assert message.startswith(f"{tmp_path / 'ex.toml'}, line {line}, column {column}: "), message
            assert words in message


@pytest.mark.parametrize("kind", sorted(Exercise.kinds))
def test_new_and_check(kind: str, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("ex.md", "ex.solution.md", "ex.toml")]
    own = Exercise.kinds[kind].parameters
    given = [part for name in ("size", "depth") if name in own for part in (f"--{name}", own[name].default)]
    made = invoke("exercise", "new", "--kind", kind, *given, "--seed", 1, "-o", paths[0])
    assert made.stdout.splitlines() == [str(path) for path in paths]
    answer = tmp_path / "answer.txt"
    answer.write_text(read_exercise(paths[2]).solution(), encoding="utf-8")
    checked = invoke("exercise", "check", paths[2], answer)
    assert checked.return_value == 0
    assert checked.output.startswith("right: ")
    assert indent(read_exercise(paths[2]).solution(), "    ") in paths[1].read_text(encoding="utf-8")


def test_wrong_and_unreadable_answers(tmp_path: Path) -> None:
    (tmp_path / "ex.toml").write_text(CHECK + MODEL, encoding="utf-8")
    answer = tmp_path / "answer.txt"
    answer.write_text("w", encoding="utf-8")
    found = invoke("exercise", "check", tmp_path / "ex.toml", answer)
    assert found.return_value == 1
    assert "\nw does not belong there\na does not know that p is true: a cannot tell w from" in found.output
    told = json.loads(invoke("exercise", "check", tmp_path / "ex.toml", answer, "--json").output)
    assert (told["right"], told["reason"]) == (False, found.output.removeprefix("wrong: ").rstrip())
    answer.write_bytes(b"\xff")
    assert isinstance(invoke("exercise", "check", tmp_path / "ex.toml", answer).exception, FormatError)
    assert isinstance(
        invoke("exercise", "export", tmp_path / "ex.toml", "-o", tmp_path / "ex.doc").exception, FormatError
    )


def test_a_kind_that_was_taken_out_says_what_to_do() -> None:
    said = "unknown kind of exercise 'missing-arrows'; did you mean 'frame-properties' in new sheets"
    exercise = 'kind = "missing-arrows"\nagent = "a"\nproperties = ["transitive"]\n'
    sheet = 'title = "x"\nseed = 1\n\n[[task]]\npoints = 2\nkind = "missing-arrows"\nsize = 4\n'
    with pytest.raises(FormatError, match=f"exercise, line 1, column 8: {said}"):
        parse_exercise(exercise)
    with pytest.raises(FormatError, match=f"sheet, line 6, column 8: {said}"):
        parse_sheet(sheet)
    with pytest.raises(UnknownNameError, match="did you mean 'product' in new sheets"):
        new_exercise("updated-relation")
