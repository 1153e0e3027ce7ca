"""The rule Def, and abbreviations as textbooks expand them: `M_a ~p` is `~K_a ~~p`."""

from random import Random

import pytest

from kripke_werewolf import Formula, valid
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.proofs import Line, Proof, check, derivation, expand, read_natural, read_proof
from kripke_werewolf.logic.proofs.abbreviations import unabbreviated
from tests.cases import cases, each
from tests.reference.metamath import INSTALLED, accepts, to_metamath
from tests.theorems import LOGICS, formula, mutant, theorems


def defined(g: Formula, rng: Random) -> Formula:
    """Return a formula with some operators in it put as textbooks define them, in either direction."""

    def step(node: Formula) -> Formula:
        if rng.random() < 0.4:
            return node
        match node:
            case f.Possible(agent, body):
                return ~f.Knows(agent, ~body)
            case f.Knows(agent, body):
                return ~f.Possible(agent, ~body)
            case f.Box(update, body):
                return ~f.Diamond(update, ~body)
        return node

    return g.rewrite(step)


def ends_right(proof: Proof) -> bool:
    """Return whether a derivation is right; its primitive steps and its Metamath file then are too."""
    if not check(proof).right:
        return False
    assert check(expand(proof)).right
    assert not INSTALLED or accepts(to_metamath(proof).text)
    return True


@pytest.mark.slow
@each(["plain", "announced"], range(8))
def test_definitions_hold_in_both_directions_at_any_place(kind: str, seed: int) -> None:
    rng = Random(f"{kind} {seed}")
    g = f.Possible("a", ~f.Implies(formula(kind, rng, 2), f.Possible("b", ~formula(kind, rng, 2))))
    h = defined(g, rng)
    for lines in (
        (Line(f.Iff(g, h), "Def"),),
        (Line(f.Iff(h, g), "Dual"),),
        (Line(g >> g, "Taut"), Line(g >> h, "Def", (1,))),
        (Line(h >> h, "Taut"), Line(h >> g, "Def", (1,)), Line(f.Knows("c", h >> g), "Nec", (2,))),
    ):
        assert ends_right(Proof(LOGICS["K"], lines)), (g, h)


@each(range(4))
def test_what_is_accepted_by_definition_is_equivalent(seed: int) -> None:
    rng, refused = Random(seed), 0
    for _ in range(60):
        g = f.Possible("a", ~formula("plain", rng, 3))
        h = mutant(defined(g, rng), rng)
        if check(Proof(LOGICS["K"], (Line(f.Iff(g, h), "Def"),))).right:
            assert valid(f.Iff(g, h), logic="K")
        else:
            refused += 1
    assert refused > 30


@each(range(4))
def test_a_derivation_stays_right_when_its_lines_are_put_as_textbooks_define_them(seed: int) -> None:
    rng = Random(seed)
    for g, logic, _ in theorems(8, rng, kinds=["plain", "announced"]):
        proof = derivation(g, logic=logic)
        assert proof is not None
        put = proof.mapped(lambda h: defined(h, rng))
        found = check(put)
        if found.line is not None:  # only if there is nothing left that could be expanded
            line = put.lines[found.line - 1]
            told = [line.formula, *(put.lines[n - 1].formula for n in line.refs)]
            assert all(unabbreviated(h) is h for h in told), (found, line)
        else:
            assert ends_right(put)


@cases(
    ("T", "1. K_a ~~p -> ~~p   T\n2. ~p -> ~K_a ~~p   PL 1\n3. ~p -> M_a ~p   Def 2"),
    ("KD45", "1. K_a ~p -> M_a ~p   D"),
    ("S5", "1. ~p -> K_a M_a ~p   B"),
    ("K", "1. K_a ~p <-> ~M_a p   Def. of M"),
    ("K", "1. Kw_a ~p <-> K_a ~p | K_a ~~p   definition of Kw"),
    ("K", "show: M_a ~p -> q, ~K_a ~~p ⊢ q\n1. M_a ~p -> q   given\n2. ~K_a ~~p   given\n3. q   MP 1, 2"),
    ("K", "show: M_a ~p ⊢ M_a ~p\n1. M_a ~p   given\n2. ~K_a ~~p   Def 1"),
)
def test_a_textbook_s_step_is_right(logic: str, text: str) -> None:
    assert ends_right(read_proof(text, logic=logic))


NATURAL = """show: K_a p & M_a ~q ⊢ M_a (p & ~q)
1. K_a p & M_a ~q       premise
2. K_a p                &E 1
3. M_a ~q               &E 1
4. | K_a ~(p & ~q)      assume
5. | | K_a:             box
6. | | p                KE 2
7. | | ~(p & ~q)        KE 4
8. | | | ~q             assume
9. | | | p & ~q         &I 6, 8
10. | | | false         ~E 7, 9
11. | | ~~q             ~I 8-10
12. | K_a ~~q           KI 5-11
13. | ~K_a ~~q          Def 3
14. | false             ~E 13, 12
15. ~K_a ~(p & ~q)      ~I 4-14
16. M_a (p & ~q)        Def 15
"""


def test_a_natural_deduction_may_expand_abbreviations_as_textbooks_do() -> None:
    for text in (NATURAL, NATURAL.replace("~E 13, 12", "~E 3, 12")):  # with and without the definition
        proof = read_natural(text, logic="K")
        assert proof.done, proof.flaw
        assert ends_right(proof.hilbert())
    wrong = read_natural(NATURAL.replace("13. | ~K_a ~~q ", "13. | ~K_a q & p"), logic="K")
    assert wrong.flaw is not None
    assert wrong.flaw[0] == 13


@cases(
    "K_a ~~p <-> K_a p   Def",
    "K_a ~~p -> p   T",
    "M_a p <-> K_a p   Def",
    "M_a ~p <-> ~K_a p & q   Def",
    "M_a p -> p   T",
    "K_a ~p -> M_b ~p   D",
)
def test_what_no_definition_gives_is_refused(line: str) -> None:
    assert not check(read_proof(f"1. {line}", logic="S5")).right
