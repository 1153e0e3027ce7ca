"""Derivations with a palette: what may be cited, what must be, and how many lines there may be."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from kripke_werewolf import LOGICS, FormatError, ModelError, UnknownNameError, parse
from kripke_werewolf.cli.main import cli
from kripke_werewolf.logic.proofs import (
    DERIVED,
    RULES,
    Line,
    Proof,
    check,
    derivation,
    expand,
    hint,
    read_proof,
    system,
)
from kripke_werewolf.logic.proofs.derived import forbidden
from kripke_werewolf.teach.exercises import Task, from_dict, new_exercise, to_dict
from kripke_werewolf.teach.exercises.sheet import parse_sheet
from kripke_werewolf.teach.exercises.validity import ClosedTableau, Derivation, NaturalDeduction
from tests.cases import cases

PRIMITIVE = ("Taut", "MP", "K", "Nec", "T", "5")
NAMES = tuple(dict.fromkeys((*RULES, *DERIVED)))
FOUR = parse("K_a p -> K_a K_a p")


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("logic", ["S5", "KD45"])
def test_no_single_line_solves_a_generated_task(seed: int, logic: str) -> None:
    task = new_exercise("derivation", rng=seed, logic=logic)
    assert isinstance(task, Derivation)
    for name in NAMES:
        alone = Proof(LOGICS[logic], (Line(task.formula, name),))
        assert not check(alone).right, (task.question(), name)


@pytest.mark.parametrize("seed", range(3))
def test_solutions_cite_what_is_allowed_and_no_other_rule(seed: int) -> None:
    for restriction in ({"rules": PRIMITIVE}, {"without": ("4", "RK4", "PL")}):
        task = new_exercise("derivation", rng=seed, **restriction)
        answer = read_proof(task.solution())
        cited = set(answer.uses())
        assert cited <= set(restriction.get("rules", NAMES)) - set(restriction.get("without", ()))
        assert task.check(task.solution()).right
        assert from_dict(to_dict(task)) == task
        # the same derivation is refused as soon as one of the rules it cites is forbidden
        for name in cited:
            told = Derivation("", task.formula, task.logic, without=(name,)).check(task.solution())  # type: ignore[attr-defined]
            assert not told.right
            assert f"{name} may not be used here" in told.reason


@pytest.mark.parametrize("seed", range(4))
def test_a_palette_never_makes_a_wrong_derivation_right(seed: int) -> None:
    """What is right with a palette is right without, and what cites only its rules is right with it."""
    task = new_exercise("derivation", rng=seed)
    found = derivation(task.formula, logic="S5")  # type: ignore[attr-defined]
    assert found is not None
    last = Proof(found.logic, found.lines[-1:])
    for proof in (found, expand(found), Proof(LOGICS["K"], found.lines), last):
        assert (
            check(proof).right
            == check(replace(proof, rules=proof.uses())).right
            == check(replace(proof, rules=NAMES)).right
        )
        for name in proof.uses():
            assert not check(replace(proof, rules=tuple(other for other in NAMES if other != name))).right


def test_names_of_rules_may_be_those_of_the_literature() -> None:
    step = read_proof("1. p -> p   Taut\n2. K_a (p -> p)   Nec 1")
    assert check(replace(step, rules=("taut", "necessitation"))).right
    for rules in (["R2"], ["MP", "Nec"]):
        assert not check(replace(step, rules=tuple(rules))).right
    with pytest.raises(UnknownNameError, match="axiom or rule"):
        check(replace(step, rules=("Magic",)))


def test_what_must_be_used_must_matter() -> None:
    task = Derivation("", FOUR, "S5", using=("5",))
    assert not task.check(f"{FOUR}   4").right
    idle = f"1. ~K_a q -> K_a ~K_a q   5\n2. {FOUR}   4"
    assert "does not depend on a use of 5" in task.check(idle).reason
    assert task.check(task.solution()).right
    assert "Make use of `5`." in task.question()


def test_lengths_are_limited() -> None:
    long = Derivation("", FOUR, "S5", rules=PRIMITIVE).solution()
    lines = len(read_proof(long))
    assert Derivation("", FOUR, "S5", most_lines=lines).check(long).right
    told = Derivation("", FOUR, "S5", most_lines=lines - 1).check(long)
    assert told.reason == f"it has {lines} lines, and at most {lines - 1} are allowed"
    with pytest.raises(ModelError, match="no such proof was found"):
        Derivation("", FOUR, "S5", rules=PRIMITIVE, most_lines=2).solution()


def test_a_goal_that_is_not_valid_is_told_with_a_counter_model() -> None:
    for kind in (Derivation, NaturalDeduction, ClosedTableau):
        with pytest.raises(ModelError, match=r"p -> K_a p is not valid in S5\nw0\*: p\nw1:"):
            kind("", parse("p -> K_a p"), "S5").solution()


@pytest.mark.parametrize("seed", range(3))
def test_model_answers_are_as_in_a_book(seed: int) -> None:
    """No chain of tautologies and MP where PL may be cited, and no abbreviation written out in vain."""
    formulas = ["[!x]K_a x", "M_a K_a x -> K_a K_a x", "K_a x | K_a y -> K_a (x | y)"]
    for f in formulas:
        task = new_exercise("derivation", formulas=[f], without=["4", "Red"], rng=seed)
        proof = read_proof(task.solution(), logic="S5")
        assert check(proof).right
        assert len(proof) <= 8
        assert "Taut" not in proof.uses()
        chained = [line for line in proof.lines if line.rule == "MP"]
        assert all(proof.lines[n - 1].rule not in ("MP", "PL") for line in chained for n in line.refs)


def test_hints_cite_what_is_allowed() -> None:
    asked = read_proof(f"{FOUR}   4")
    assert "4 may not be used here; allowed: Taut" in str(check(replace(asked, rules=PRIMITIVE)))
    told = hint(replace(asked, rules=PRIMITIVE))
    assert told.startswith("the formula is valid, but does not follow in one step")
    assert "right by" not in told
    assert hint(replace(read_proof(f"{FOUR}   PL"), rules=("4", "PL"))) == "the line is right by 4"


def test_a_definition_may_be_written_out() -> None:
    task = Derivation("", parse("p -> M_a p"), "T", rules=("Taut", "MP", "T"))
    assert task.check(task.solution()).right
    assert not task.check("K_a ~p -> ~p   T").right


def test_a_sheet_sets_the_palette() -> None:
    text = (
        'title = "P"\nseed = 1\n[[task]]\nkind = "derivation"\npoints = 2\n'
        'rules = ["Taut", "MP", "K", "Nec", "T", "5"]\n[[task]]\nkind = "derivation"\nwithout = ["4"]\n'
    )
    sheet = parse_sheet(text)
    assert parse_sheet(sheet.to_toml()) == sheet
    assert sheet.tasks[0] == Task("derivation", points=Fraction(2), parameters={"rules": PRIMITIVE})
    asked = new_exercise("derivation", rng=1, **dict(sheet.tasks[1].parameters))
    assert "Do not cite `4`, `RK4`, `RK45`." in asked.question()
    with pytest.raises(FormatError, match=r"rules of derivation .* may be Taut, MP"):
        parse_sheet(text.replace('"MP"', '"Magic"'))


def test_the_command_restricts(tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text(f"1. {FOUR}   4\n", encoding="utf-8")

    def told(*more: str) -> tuple[int, str]:
        done = CliRunner().invoke(cli, ["proof", "check", str(tmp_path / "p.txt"), *more])
        return done.exit_code, done.output + str(done.exception)

    assert told()[0] == told("--rules", "4")[0] == 0
    code, said = told("--rules", "Taut, MP, K, Nec, T, 5")
    assert code == 1
    assert "4 may not be used here; allowed: Taut, MP, K, Nec, T, 5" in said
    assert "unknown axiom or rule 'Magic'" in told("--rules", "Magic")[1]


@cases(
    f"given: {FOUR}\n1. {FOUR}   given",
    f"show: {FOUR} ⊢ {FOUR}\n1. {FOUR}   given",
    f"show: {FOUR}",
    f"rules: 4\n1. {FOUR}   4",
)
def test_an_answer_brings_no_premises_and_no_rules(answer: str) -> None:
    task = Derivation("", FOUR, "S5", rules=PRIMITIVE)
    assert not task.check(answer).right


@pytest.mark.parametrize("logic", ["S4", "S5", "KD45"])
def test_without_an_axiom_no_rule_that_rests_on_it_is_left(logic: str) -> None:
    four, own = forbidden(["4"], LOGICS[logic]), {rule.name for rule in system(LOGICS[logic])}
    assert four == {"4", "RK4", "RK45"}
    if "5" in own:
        rest = {"4"} - own
        assert forbidden(["5"], LOGICS[logic]) >= {"5", "RK5", "RK45"} | rest
    lines = "1. p & K_a q -> p   PL\n2. K_a p & K_a q -> K_a p   %s 1"
    goal = parse("K_a p & K_a q -> K_a p")
    for rule in ("RK", "RK4", "RK45"):
        task = Derivation("", goal, logic, without=("4",))
        allowed = task.check(lines % rule).right
        assert allowed is (rule == "RK")
    assert "Do not cite `4`, `RK4`, `RK45`." in task.question()
    assert Derivation("", goal, logic, rules=("PL", "RK4")).check(lines % "RK4").right  # a palette is exact
