"""Exercises: right, wrong and invalid answers of every kind."""

from __future__ import annotations

import json

import pytest

from kripke_werewolf.errors import FormatError, ModelError
from kripke_werewolf.exercises import (
    Announcement,
    Distinguish,
    Exercise,
    FindModel,
    ModelChecking,
    TruthSet,
    read_exercise,
    to_latex,
    to_markdown,
    to_toml,
)
from kripke_werewolf.exercises.exercise import modal_depth
from kripke_werewolf.language import parse
from kripke_werewolf.models import KripkeModel
from tests.naming import naming

MODEL = KripkeModel.from_partitions(
    ["11", "10", "01", "00"],
    {
        "a": [["11"], ["10"], ["01"], ["00"]],
        "b": [["11", "01"], ["10", "00"]],
        "c": [["11", "10", "01", "00"]],
    },
    {"p": ["11", "10"], "q": ["11", "01"]},
    "11",
)
P, CHOICES = parse("p"), (parse("p"), parse("p <-> q"), parse("q"), parse("~p"))
CHECKING = ModelChecking("", MODEL, parse("K_b q & ~K_b p"), "11")
TRUE_AT = TruthSet("where", MODEL, parse("K_b q"))
FIND = FindModel("", parse("p & ~K_a p & K_a Kw_b p"), "S5", 2)
APART = Distinguish("", MODEL, "11", "10", 1)
SECRET = Announcement("", MODEL, "a", (("b", P),), (("c", P),))
CHOSEN = Announcement("", MODEL, "a", (("b", P),), (("c", P),), CHOICES)
ALL: list[Exercise] = [CHECKING, TRUE_AT, FIND, APART, SECRET, CHOSEN]


def model(**changes: object) -> str:
    found = KripkeModel.from_partitions(
        ["w", "v"], {"a": [["w", "v"]], "b": [["w"], ["v"]]}, {"p": ["w"]}, "w"
    ).to_dict()
    return json.dumps({**found, **changes})


def test_the_solution_is_right() -> None:
    for exercise in ALL:
        with naming(exercise):
            assert exercise.check(exercise.solution()).right


RIGHT_ANSWERS = [
    (CHECKING, "Yes.\n"),
    (TRUE_AT, "01\n11"),
    (TRUE_AT, "{11, 01}"),
    (TruthSet("", MODEL, parse("p & ~p")), "none"),
    (FIND, model()),
    (APART, "q"),
    (APART, "K_b q"),
    (SECRET, "p <-> q"),
    (SECRET, "q -> p"),
    (CHOSEN, "2"),
    (CHOSEN, "p <-> q"),
]


def test_right_answers() -> None:
    for exercise, answer in RIGHT_ANSWERS:
        with naming(exercise, answer):
            result = exercise.check(answer)
            assert result.right, result
            assert result.reason


WRONG_ANSWERS_GET_A_REASON = [
    (CHECKING, "no", "b does not know that p is true: b cannot tell 11 from 01"),
    (TRUE_AT, "11", "01 is missing\nb knows that q is true"),
    (TRUE_AT, "11, 01, 00", "00 does not belong there\nb does not know that q is true"),
    (TRUE_AT, "none", "11 is missing"),
    (FIND, model(designated=["v"]), "p is false"),
    (FIND, model(designated=None), "2 worlds are designated"),
    (FIND, model(worlds=["w", "v", "u"], relations={"a": [], "b": []}), "at most 2 are allowed"),
    (
        FIND,
        model(relations={"a": [["w", "v"]], "b": []}),
        "the relation of a is not reflexive: w does not see itself",
    ),
    (
        FIND,
        model(relations={"a": {"classes": [["w", "v"]]}, "b": {"classes": [["w", "v"]]}}),
        "b does not know whether p is true",
    ),
    (APART, "p", "true at both worlds"),
    (APART, "~p", "false at both worlds"),
    (APART, "~q", "the wrong way round"),
    (APART, "K_b K_b q", "modal depth of K_b K_b q is 2"),
    (SECRET, "~p", "a cannot say it truthfully"),
    (SECRET, "p", "c does not know whether p is true"),
    (SECRET, "q", "afterwards it should be true that b knows that p is true"),
    (CHOSEN, "1", "c knows whether p is true"),
    (Announcement("", MODEL, None, (("b", P),)), "~p", "it is not true"),
]


def test_wrong_answers_get_a_reason() -> None:
    for exercise, answer, reason in WRONG_ANSWERS_GET_A_REASON:
        with naming(exercise, answer, reason):
            result = exercise.check(answer)
            assert not result.right
            assert reason in result.reason, result.reason


WHAT_IS_NO_ANSWER = [
    (CHECKING, "\n perhaps", "a.txt, line 2, column 2: expected yes or no, got 'perhaps'"),
    (TRUE_AT, "11, 12", "a.txt, line 1, column 5: unknown world '12'"),
    (TRUE_AT, " ", "a.txt, line 1, column 1: expected names of worlds"),
    (APART, "q &\n  &", "a.txt, line 2, column 3: unexpected"),
    (APART, "q & K_b r", "a.txt, line 1, column 9: unknown atom 'r'"),
    (APART, "K_d q", "a.txt, line 1, column 3: unknown agent 'd'"),
    (SECRET, "[boo]p", "a.txt, line 1, column 1: unknown action 'boo'"),
    (CHOSEN, "5", "a.txt, line 1, column 1: expected a number from 1 to 4, got '5'"),
    (FIND, "{\n  oops}", "a.txt, line 2, column 3: expecting property name"),
    (FIND, "[1]", "a.txt: the model: expected an object"),
    (FIND, model(valuation={"q": ["w"]}), "a.txt: unknown atom 'p'"),
]


def test_what_is_no_answer() -> None:
    for exercise, answer, message in WHAT_IS_NO_ANSWER:
        with naming(exercise, answer, message):
            with pytest.raises(FormatError) as caught:
                exercise.check(answer, source="a.txt")
            assert str(caught.value).startswith(message)


def test_exercises_without_solution() -> None:
    for exercise in (
        FindModel("", parse("K_a p & ~p"), "S5"),
        Distinguish("", MODEL, "11", "11"),
        Distinguish("", MODEL, "11", "10", None, (parse("p"),)),
        Announcement("", MODEL, "a", (("b", parse("~p")),)),
    ):
        with pytest.raises(ModelError, match=r"no solution|no model"):
            exercise.solution()


def test_files_are_read_back(tmp_path_factory: pytest.TempPathFactory) -> None:
    for exercise in ALL:
        with naming(exercise):
            path = tmp_path_factory.mktemp("ex") / "ex.toml"
            path.write_text(to_toml(exercise), encoding="utf-8")
            assert read_exercise(path) == exercise


def test_export_keeps_the_solution_apart() -> None:
    for exercise in ALL:
        with naming(exercise):
            for text in (to_markdown, to_latex):
                plain, solved = text(exercise), text(exercise, solution=True)
                assert solved.startswith(plain.rstrip("\n"))
                assert "olution" not in plain
                assert "olution" in solved
            assert exercise.question() in to_markdown(exercise)
            assert "`" not in to_latex(exercise)


def test_depth() -> None:
    assert [modal_depth(parse(f)) for f in ("p & q", "K_a p", "p -> K_a ~M_b p", "[!K_a p]C_{a,b} p")] == [
        0, 1, 2, 2
    ]  # fmt: skip


def test_a_model_without_the_header_of_its_format_is_read() -> None:
    exercise = FindModel("", parse("p"), "S5", 1)
    answer = '{"worlds": ["u"], "designated": ["u"], "relations": {}, "valuation": {"p": %s}}'
    assert exercise.check(answer % '["u"]').right
    assert not exercise.check(answer % "[]").right
