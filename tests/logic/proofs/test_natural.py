"""Natural deduction: the checker, its lines in the kernel and in metamath, text, LaTeX, hints."""

import shutil
import subprocess
from dataclasses import replace
from random import Random

import pytest

from kripke_werewolf import FormatError, logic_named, parse, valid
from kripke_werewolf.logic.proofs import PALETTE, Checked, NaturalProof, check, natural_hint, read_natural
from kripke_werewolf.logic.proofs.desk import read_desk
from kripke_werewolf.logic.proofs.natural import NaturalRow
from kripke_werewolf.logic.proofs.natural_search import _Search
from kripke_werewolf.logic.proofs.script import implication
from tests.cases import cases, each
from tests.logic.proofs.natural_mutants import HOSTILE, mutants
from tests.logic.proofs.textbook import BOOK
from tests.reference.metamath import INSTALLED, accepts, to_metamath
from tests.running import invoke
from tests.theorems import KINDS, theorems

PROOFS = {name: read_natural(text) for name, text in BOOK.items()}


def finished_by_hints(proof: NaturalProof) -> NaturalProof:
    """Return a proof with all rows that hints give, typed as they are printed."""
    for _ in range(300):
        found = natural_hint(proof)
        if not found.row:
            break
        typed = read_natural(f"{proof}\n{found.row}")
        assert typed.rows[-1] == found.plan[0]
        proof = typed
    return proof


def proved(number: int, rng: Random) -> list[NaturalProof]:
    """Return proofs that the search finds for random theorems."""
    found = []
    for f, logic, _ in theorems(number, rng, depth=2, kinds=(*KINDS, "together", "mixed")):
        proof = NaturalProof(logic_named(logic), goal=f)
        found.append(proof.and_row(*_Search(proof).finished()))
    return found


def sequent_of(proof: NaturalProof):
    """Return the implication of the last formula by the premises that are stated."""
    given = [row.formula for row in proof.rows if row.rule == "premise"]
    return implication(given, proof.rows[-1].formula)


# --- the checker ------------------------------------------------------------------------------------


@each(BOOK)
def test_a_textbook_proof_is_right_and_so_is_its_derivation(name):
    proof = PROOFS[name]
    assert proof.done, (proof.flaw, proof.missing)
    derived = proof.hilbert()
    assert check(derived).right
    assert derived.conclusion is implication(proof.premises, proof.goal)


@each(HOSTILE)
def test_a_hostile_proof_is_refused_with_the_reason(name):
    reason, text = HOSTILE[name]
    found = read_natural(text).flaw
    assert found is not None
    assert reason in found[1]


def test_a_row_knows_what_it_rests_on():
    proof = PROOFS["KD45: consistent beliefs"]
    assert [sorted(x.rests) for x in proof.judgements] == [[1], [1], [1], [], [5], [6], [5, 6], [1], []]
    assert [x.frames for x in proof.judgements[-3:]] == [frozenset(), {"serial"}, {"serial"}]


def test_a_row_stays_right_and_a_wrong_row_keeps_its_number():
    proof = read_natural("1. p   premise\n2. q   R 1\n3. p   R 1\n4. q   R 2")
    assert [x.right for x in proof.judgements] == [True, False, True, False]
    assert "row 2 itself is wrong" in proof.judgements[3].reason
    assert proof.judgements[:3] == replace(proof, rows=proof.rows[:3]).judgements


@each(range(2))
def test_a_mutant_is_refused_or_right(seed):
    assert refused(150, Random(seed)) > 60


def refused(number: int, rng: Random, base: list[NaturalProof] | None = None) -> int:
    """Return the number of mutants refused; all others are right in the kernel, and valid."""
    found = 0
    for mutant in mutants(base or list(PROOFS.values()), number, rng):
        if not mutant.done:
            found += 1
            continue
        assert check(mutant.hilbert()).right, str(mutant)
        assert valid(sequent_of(mutant), logic=mutant.logic), str(mutant)
    return found


# --- text, LaTeX, metamath, the command ---------------------------------------------------------------


def test_a_proof_is_read_back_as_it_is_written():
    for proof in (*PROOFS.values(), *proved(8, Random(4))):
        assert read_natural(str(proof)) == proof
    limited = replace(PROOFS["S5: B"], rules=("premise", "T"))
    assert read_natural(str(limited)) == limited
    told = read_natural("action told = [a!p]\nshow: [told:told]q ⊢ q | [a!p]q\n1. [told:told]q   premise")
    assert read_natural(str(told)) == told


@cases(
    ("1. p   premiss", "expected a formula, a rule"),
    ("1. p -> (q   premise", "line 1, column"),
    ("rules: &I, &J\n1. p   premise", "unknown rule of natural deduction '&J'"),
    ("1. p   premise  show q", "only a row that begins a subproof"),
)
def test_an_unreadable_row_is_named(text, message):
    with pytest.raises(FormatError, match="line") as error:
        read_natural(text)
    assert message in str(error.value)


def test_rules_have_other_names_and_signs():
    proof = read_natural(
        "1. p ∧ q   given\n2. │ ¬p   ass\n3. │ p   ∧e 1\n4. │ ⊥   ¬E 3, 2\n5. ¬¬p   ¬I 2–4\n6. p   DN 5"
    )
    assert proof.done
    assert proof.rows[4].reason == "~I 2-4"


def test_latex_is_drawn_with_bars(tmp_path):
    drawn = [PROOFS["K: cases"].to_latex(), PROOFS["announcements: told, then known"].to_latex()]
    assert drawn[0].count(r"\rule") == 2 * (1 + 3 * 2 + 1)
    assert drawn[0].count(r"\underline") == 4
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    head = "\\documentclass{article}\\usepackage{amsmath,amssymb}\\begin{document}\n"
    (tmp_path / "nd.tex").write_text(head + "\n\n".join(drawn) + "\n\\end{document}\n", encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "nd.tex"],
        cwd=tmp_path,
        capture_output=True,
    )
    assert done.returncode == 0, done.stdout.decode()[-2000:]


@pytest.mark.slow
@pytest.mark.skipif(not INSTALLED, reason="metamath is not installed")
def test_metamath_verifies_what_is_accepted():
    for proof in (*PROOFS.values(), *proved(20, Random(6))):
        assert proof.done
        assert accepts(to_metamath(proof.hilbert()).text), str(proof)


def test_the_command_checks_and_helps(tmp_path):
    file = tmp_path / "proof.txt"
    file.write_text("calculus: natural\n" + BOOK["T: what is true is possible"].strip(), encoding="utf-8")
    assert "right: p ⊢ M_a p is shown in T, in 5 rows" in invoke("proof", "check", file).output
    file.write_text(file.read_text(encoding="utf-8").replace("T 2", "T 1"), encoding="utf-8")
    assert "line 3 is wrong" in invoke("proof", "check", file).output


@each(["K_a true", "[!p]true", "p", "true", "~p", "p & q", "M_a p"], ["K_a p", "[!p]p", "p", "true", "~p"])
def test_a_box_that_begins_with_anything_is_judged(box, known):
    for rule in ("KE", "R4", "R5"):
        rows = [(0, known, "premise", ()), (1, box, "box", ()), (1, "p", rule, (1,))]
        proof = NaturalProof(
            logic_named("S5"), rows=tuple(NaturalRow(n, parse(f), *by) for n, f, *by in rows)
        )
        right = rule == "KE" and (box, known) in (("K_a true", "K_a p"), ("[!p]true", "[!p]p"))
        assert (proof.flaw is None) is right


# --- hints ------------------------------------------------------------------------------------------------


def test_hints_finish_textbook_goals_in_few_rows():
    done = [finished_by_hints(replace(proof, rows=())) for proof in PROOFS.values()]
    assert all(proof.done for proof in done)
    assert sum(map(len, done)) <= 1.3 * sum(map(len, PROOFS.values()))


@cases(
    ("K4", "[!q -> q]C_{a,b} p -> D_{a,b} p"),
    ("T", "K_a [![!p]p]C_{a,b} p -> p"),
)
def test_hints_unfold_common_knowledge_after_an_announcement(logic, goal):
    assert finished_by_hints(read_natural(f"logic: {logic}\nshow: {goal}")).done


@pytest.mark.slow
@each(
    [
        ("K45", "K_a C_{a,b} D_{a,b} p -> D_{a,b} ([!q]p | p)"),
        ("KD45", "K_a C_{a,b} [![!q]q]K_b q -> q | [![!K_a p]~q]D_{a,b} q"),
    ],
)
def test_lemmas_do_not_rest_on_the_assumptions_around_them(logic, goal):
    assert finished_by_hints(read_natural(f"logic: {logic}\nshow: {goal}")).done


@each(["p", "p & q", "p & M_b r"])
def test_an_announcement_inside_a_lemma_is_reduced(known):
    goal = f"{known} -> K_a M_a [!r]p"
    assert finished_by_hints(read_natural(f"logic: S5\nshow: {goal}")).done


def test_the_palette_has_what_is_of_use():
    for proof in PROOFS.values():
        palette = read_desk(str(proof)).palette
        planned = natural_hint(replace(proof, rows=())).plan
        assert {row.rule for row in (*proof.rows, *planned)} <= set(palette), str(proof)
        assert ("Ind" in palette) is ("C_" in str(proof))
        assert ("!K" in palette) is ("[!" in str(proof))
        assert ("premise" in palette) is bool(proof.premises)


def test_hints_keep_their_plan():
    proof = replace(PROOFS["S4: what another knows"], rows=())
    plan = natural_hint(proof).plan
    for place, row in enumerate(plan):
        assert natural_hint(proof).plan == plan[place:]
        proof = proof.and_row(row)
    assert proof.done


def test_hints_leave_a_subproof_that_leads_nowhere():
    begun = read_natural("show: p & q ⊢ q & p\n1. p & q   premise\n2. | r   assume\n3. | r | p   |I 2")
    assert finished_by_hints(begun).done


@each(["DN", "IP", "X", "KE", "PL"])
def test_hints_respect_the_palette(gone):
    rules = tuple(rule for rule in PALETTE if rule != gone)
    for name, proof in PROOFS.items():
        begun = replace(proof, rows=(), rules=rules)
        plan = _Search(begun).finished()
        assert gone not in {row.rule for row in plan}
        assert begun.and_row(*plan).done or gone == "KE", name


@pytest.mark.slow
def test_hints_finish_random_theorems():
    for proof in proved(45, Random(11)):
        assert proof.done, str(proof)
        assert check(proof.hilbert()) == Checked(True)


def test_premises_that_are_declared_are_the_only_ones() -> None:
    """`given` counts without `show` too; with neither, the premises are those of the rows."""
    given = "logic: K\ngiven: p\n1. p   premise\n"
    assert read_natural(given + "2. q   premise").flaw == (2, "q is not among the premises")
    proof = read_natural(given + "2. p | q   |I 1")
    assert proof.done
    assert proof.sequent() == "p ⊢ p | q"
    assert read_natural(str(proof)) == proof
    free = read_natural("logic: K\n1. false   premise\n2. p   X 1")
    assert free.sequent() == "false ⊢ p"
    assert check(free.hilbert()).right
    assert read_natural("logic: K\n1. | p   assume").sequent() == ""


@cases(
    ("|I 1", r"$\lor$I 1"),
    ("&E 1", r"$\land$E 1"),
    ("!p 1", "!p 1"),
)
def test_rules_in_latex_have_no_signs_of_text(rule: str, shown: str) -> None:
    """In the usual font a bar is printed as a dash and < as an exclamation mark; rows need not be right."""
    drawn = read_natural(f"1. | p   assume\n2. p   {rule}").to_latex()
    assert f"$p$ & {shown}" in drawn
    assert r"{\baselineskip}" not in drawn  # 0 in a tabular: bars would be invisible
