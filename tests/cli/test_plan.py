"""The command `plan`: find, validate, ground."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.cli.main import cli

DOMAIN = """
(define (domain coin) (:action-type-libraries basic intermediate)
  (:predicates (heads) (near ?i - agent))
  (:event e-go :parameters (?i - agent) :precondition (not (near ?i)) :effects (near ?i))
  (:action go :parameters (?i - agent) :action-type (public-ontic (e-go ?i))
    :observability-conditions (default Fully))
  (:event e-heads :parameters (?i - agent) :precondition (and (near ?i) (heads)))
  (:event e-tails :parameters (?i - agent) :precondition (and (near ?i) (not (heads))))
  (:action peek :parameters (?i - agent) :action-type (semi-private-sensing (e-heads ?i) (e-tails ?i))
    :observability-conditions (:and (?i Fully) (default Partially)))
  (:event e-turn :precondition (not (heads)) :effects (heads))
  (:action turn :action-type (public-ontic (e-turn)) :observability-conditions (default Fully)))
"""
PROBLEM = """
(define (problem toss) (:domain coin) (:agents Anne Bob)
  (:init (:and (:forall (?i - agent) ([C. All] (not (near ?i))))
               (:forall (?i - agent) ([C. All] (<Kw. ?i> (heads))))))
  (:goal GOAL))
"""


def run(*arguments: object):
    return CliRunner().invoke(cli, ["plan", *map(str, arguments)])


@pytest.fixture
def files(tmp_path: Path):
    def written(goal: str) -> list[Path]:
        for name, text in (("domain", DOMAIN), ("problem", PROBLEM.replace("GOAL", goal))):
            (tmp_path / f"{name}.epddl").write_text(text, encoding="utf-8")
        return [tmp_path / "problem.epddl", tmp_path / "domain.epddl"]

    return written


KNOWS, HEADS = "([Bob] ([Kw. Anne] (heads)))", "([Anne] (heads))"


@pytest.mark.parametrize("how", [[], ["--greedy"], ["--width"]])
def test_a_plan_is_found_checked_and_told(files, tmp_path: Path, how: list[str]) -> None:
    given = files(KNOWS)
    found = run(*how, *given, "--json")
    assert found.exit_code == 0
    assert json.loads(found.output)["plan"] == ["go_Anne", "peek_Anne"]
    told = run(*how, *given).output
    assert told.startswith("1. go_Anne\n2. peek_Anne\n")
    assert "Bob knows that Anne knows whether heads is true" in told
    listed = json.dumps(["go_Anne", "peek_Anne"])
    for text in (found.output, listed, "1. go_Anne\n2. peek_Anne\n", "(go Anne)\n; a comment\n(peek Anne)\n"):
        (tmp_path / "plan").write_text(text, encoding="utf-8")
        checked = run("validate", tmp_path / "plan", *given)
        assert checked.exit_code == 0
        assert checked.output.splitlines()[-1] == "valid"


def test_the_step_and_the_worlds_that_are_wrong(files, tmp_path: Path) -> None:
    given = files(KNOWS)
    (tmp_path / "plan").write_text("peek_Anne\n", encoding="utf-8")
    checked = run("validate", tmp_path / "plan", *given, "--json")
    assert checked.exit_code == 1
    assert json.loads(checked.output)["steps"][0]["problem"].startswith("impossible at ")
    (tmp_path / "plan").write_text("go_Anne\n", encoding="utf-8")
    checked = run("validate", tmp_path / "plan", *given, "--json")
    goals = json.loads(checked.output)["goals"]
    assert [(g["goal"], len(g["false at"])) for g in goals] == [("K_Bob Kw_Anne heads", 2)]


def test_policies(files, tmp_path: Path) -> None:
    given = files(HEADS)
    assert run(*given).exit_code == 1
    asked = "--policy", "--agents", "Anne", *given
    found = run(*asked)
    (tmp_path / "policy.json").write_text(run(*asked, "--json").output, encoding="utf-8")
    assert found.exit_code == 0
    lines = ["1. go_Anne", "2. peek_Anne", "if K_Anne ~heads:", "  3. turn", "if K_Anne heads: done"]
    assert sorted(found.output.splitlines()) == sorted(lines)
    checked = run("validate", tmp_path / "policy.json", *given)
    assert checked.exit_code == 0
    none = run("--policy", "--agents", "Anne", "--longest", 1, *given, "--json")
    assert (none.exit_code, json.loads(none.output)) == (1, {"policy": None})


def test_limits(files) -> None:
    stopped = run(*files(KNOWS), "--longest", 1)
    assert stopped.exit_code == 1
    assert "no plan of length at most 1" in stopped.output
    stopped = json.loads(run(*files(KNOWS), "--states", 1, "--json").output)["stopped"]
    assert stopped.startswith("the limit on states (1) is reached")


def test_ground(files) -> None:
    assert json.loads(run("ground", *files(KNOWS)).output)["planning-task-info"]["actions-number"] == 5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"plan": 3}', "expected a 'plan', a list of actions"),
        ('{"plan": ', "line 1"),
        ('{"policy": {"start": []}}', "a policy has 'start' and 'steps'"),
        (
            '{"policy": {"start": [{"if": "true", "step": 4}], "steps": []}}',
            "continues with null (this policy has no steps)",
        ),
        ('{"policy": {"start": [{"if": "K_Bob (", "step": null}], "steps": []}}', "cannot read the formula"),
    ],
)
def test_wrong_plans(files, tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "plan").write_text(text, encoding="utf-8")
    done = run("validate", tmp_path / "plan", *files(KNOWS))
    assert isinstance(done.exception, FormatError)
    assert words in str(done.exception)
    assert str(done.exception).startswith(str(tmp_path / "plan"))


def test_wrong_options(files) -> None:
    both = run(*files(KNOWS), "--greedy", "--policy")
    assert "--greedy and --policy" in str(both.exception)
    assert "add --policy" in str(run(*files(KNOWS), "--agents", "Anne").exception)
    assert "find" in run("--help").output
