"""Closed tableaux of valid formulas, and mistakes in them."""

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from html import escape
from pathlib import Path
from random import Random

import pytest

from kripke_werewolf import FormatError, FormulaError, Undecided, parse, valid
from kripke_werewolf.logic.proofs import (
    Tableau,
    TableauLine,
    check_tableau,
    derivation,
    read_tableau,
    tableau,
)
from tests.cases import cases, each
from tests.logic.deciding.test_theorems import AXIOMS
from tests.theorems import LOGICS, mutant, theorems


@each(range(3))
def test_valid_formulas_have_closed_tableaux(seed):
    for found, name, kind in theorems(24, Random(500 + seed)):
        if kind != "common":
            tree = tableau(found, logic=name)
            assert tree is not None
            assert check_tableau(tree, found, logic=name).right
            assert read_tableau(str(tree)) == tree


@each(LOGICS, [text for text in AXIOMS if "C" not in text])
def test_textbook_formulas_have_tableaux_where_they_are_valid(name, text):
    tree = tableau(text, logic=name)
    assert (tree is not None) == (name in AXIOMS[text])
    if tree is not None:
        assert check_tableau(tree, text, logic=name).right


@cases(
    "exactly(1; p, q) -> ~(p & q)",
    "atleast(2; p, q, r) <-> ~atmost(1; p, q, r)",
    "(p ^ q ^ r) <-> (r ^ q ^ p)",
    "everywhere p -> D_{a,b} (p | q)",
    "K_a p & K_b (p -> q) -> D_{a,b} q",
    "[a!p]K_a p",
    "[!p][!q]K_a (p & q)",
)
def test_the_other_operators(text):
    tree = tableau(text)
    assert tree is not None
    assert check_tableau(tree, text).right


def changed(tree: Tableau, rng: Random) -> Tableau:
    """Return a tableau with a change in one of its lines."""
    if tree.branches and (not tree.steps or rng.random() < 0.6):
        place = rng.randrange(len(tree.branches))
        parts = list(tree.branches)
        parts[place] = changed(parts[place], rng)
        return replace(tree, branches=tuple(parts[: len(parts) - (rng.random() < 0.2)]))
    if not tree.steps:
        return replace(tree, closed=tree.closed[:1])
    place = rng.randrange(len(tree.steps))
    step = tree.steps[place]
    match rng.randrange(4):
        case 0:
            step = replace(step, formula=mutant(step.formula, rng))
        case 1:
            step = replace(step, world=rng.choice(["w0", "w1", "w2", "w9"]))
        case 2:
            step = replace(step, refs=(rng.randint(1, 12),))
        case 3:
            return replace(tree, steps=(*tree.steps[:place], *tree.steps[place + 1 :]))
    return replace(tree, steps=(*tree.steps[:place], step, *tree.steps[place + 1 :]))


def test_a_changed_tableau_never_shows_that_a_formula_is_valid_which_is_not():
    rng = Random(6)
    refused = 0
    for found, name, kind in theorems(24, Random(600)):
        if kind == "common":
            continue
        tree = tableau(found, logic=name)
        assert tree is not None
        for _ in range(8):
            other = changed(tree, rng)
            first = other.steps[0].formula if other.steps else parse("p")
            right = check_tableau(other, ~first, logic=name).right
            refused += not right
            assert not right or valid(~first, logic=name)
        weaker = check_tableau(tree, found, logic="K").right
        assert not weaker or valid(found, logic="K")
    assert refused > 40


def test_a_box_of_a_negation_may_be_written_as_a_denied_diamond():
    """In any of the lines below the first: ~M_a p for K_a ~p."""
    rng = Random(8)

    def either(found: re.Match[str]) -> str:
        return rng.choice([found[0], f"~M_{found[1]} {found[2]}"])

    def otherwise(tree: Tableau) -> Tableau:
        steps = []
        for step in tree.steps:
            said = re.sub(
                r"\bK_(\w) ~(\w)\b", lambda m: rng.choice([m[0], f"~M_{m[1]} {m[2]}"]), f"{step.formula}"
            )
            steps.append(replace(step, formula=parse(said)))
        return replace(tree, steps=tuple(steps), branches=tuple(map(otherwise, tree.branches)))

    written = 0
    for text in (
        *(
            "~(p -> M_b q) -> K_b ~q",
            "p & ~M_b q -> K_b ~q",
            "K_a ~p & K_a (p | q) -> K_a q",
            "K_a ~p -> ~K_a p",
        ),
        *("K_a (p -> ~q) & M_a q -> M_a ~p", "~M_a p | ~M_a q -> K_a ~(p & q)", "K_a K_a ~p -> K_a ~p"),
    ):
        tree = tableau(text, logic="S5")
        assert tree is not None
        for _ in range(6):
            other = otherwise(tree)
            written += str(other) != str(tree)
            assert check_tableau(other, text, logic="S5").right, str(other)
    assert written > 20


@cases(
    (
        "1. w0: ~(p -> K_a p)\n2. w0: p   1\n3. w0: ~K_a p   1\n4. w0: ~p   3\nx 2, 4",
        4,
        "does not follow from line 3",
    ),
    ("1. w0: ~(K_a p -> p)\n2. w0: K_a p   1\n3. w0: ~p   1\n4. w1: p   2\nx 3, 4", 4, "w1 is new"),
    ("1. w0: ~(p | q)\n2. w0: ~p   1\n3. w1: ~q   1\nx 2, 3", 3, "does not follow"),
    ("1. w0: ~~(p | q)\n2. w0: p | q   1\n  3. w0: p   2\n  x 3, 2", 3, "do not contradict"),
    (
        "1. w0: ~~((p & ~p) | q)\n2. w0: (p & ~p) | q   1\n  3. w0: p & ~p   2\n"
        "  4. w0: p   3\n  5. w0: ~p   3\n  x 4, 5",
        2,
        "leave out the case q",
    ),
    ("1. w0: ~p\n2. w0: p   1\nx 1, 2", 2, "does not follow"),
    ("1. w0: ~(p -> p)\n2. w0: p   1", 2, "the branch below it is open"),
    ("1. w0: ~(p -> p)\n2. w0: p   1\n3. w0: ~p   7\nx 2, 3", 3, "not above it"),
)
def test_the_first_wrong_line_is_named(text, line, reason):
    tree = read_tableau(text)
    found = check_tableau(tree, ~tree.steps[0].formula, logic="S5" if "K_a p -> p" not in text else "K")
    assert (found.right, found.line) == (False, line)
    assert reason in found.reason


@cases(
    ("", "line 1, column 1", "expected a line such as"),
    ("1. w0: p &", "line 1, column 11", "expected a formula"),
    ("1. w0: p\n3. w0: q   1", "line 2, column 1", "expected line 2, got 3"),
    ("1. w0: p\nx 1\n2. w0: q   1", "line 3, column 1", "closed above this line"),
    ("K_a p", "line 1, column 1", "expected a line such as"),
)
def test_errors_name_line_and_column(text, place, message):
    with pytest.raises(FormatError) as error:
        read_tableau(text, source="answer.txt")
    assert str(error.value).startswith(f"answer.txt, {place}: ")
    assert message in str(error.value)


def test_what_has_no_tableau_is_said(monkeypatch):
    assert tableau("K_a p -> K_b p") is None
    with pytest.raises(FormulaError, match="no rule for common knowledge"):
        tableau("C_{a,b} p -> p")
    assert derivation("C_{a,b} p -> p") is not None
    monkeypatch.setattr(sys.modules[tableau.__module__], "MOST_LINES", 3)
    with pytest.raises(Undecided, match="within 3 lines"):
        tableau("K_a p & K_b q -> K_a p")


def test_outputs():
    tree = tableau("K_a p | K_a q -> K_a (p | q)", logic="K")
    assert tree is not None
    assert tree.to_dict()["branches"][0]["closed"] == [6, 7]
    assert tree.to_latex().count("\n  [.{") == 2
    assert tree.to_html() == f"<pre>{escape(str(tree))}</pre>"
    assert tree.to_markdown() == f"```\n{tree}\n```"
    assert len(tree) == 11
    assert isinstance(tree.steps[0], TableauLine)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_is_accepted(tmp_path: Path):
    tree, proof = tableau("K_a p | K_b q -> D_{a,b} (p | q)"), derivation("C_{a,b} p -> K_a K_b p")
    assert tree is not None
    assert proof is not None
    packages = r"\usepackage{amssymb}\usepackage{tikz}\usepackage{tikz-qtree}"
    body = f"{proof.to_latex()}\n\n{tree.to_latex()}"
    (tmp_path / "t.tex").write_text(
        rf"\documentclass{{article}}{packages}\begin{{document}}{body}\end{{document}}", encoding="utf-8"
    )
    found = subprocess.run(["kpsewhich", "tikz-qtree.sty"], capture_output=True, text=True, check=False)
    if not found.stdout.strip():
        pytest.skip("the package tikz-qtree of LaTeX is not installed")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
