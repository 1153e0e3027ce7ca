"""The decision procedure also reads the meaning of an operator off its declaration."""

import pytest

from kripke_werewolf.logic.deciding import satisfiable, valid
from tests.theorems import LOGICS

MEANINGS = [
    ("M_a p", "~K_a ~p"),
    ("Kw_a p", "K_a p | K_a ~p"),
    ("E_{a,b} p", "K_a p & K_b p"),
    ("Em_{a,b} p", "~E_{a,b} ~p"),
    ("Ew_{a,b} p", "Kw_a p & Kw_b p"),
    ("Sk_{a,b} p", "K_a p | K_b p"),
    ("Cm_{a,b} p", "~C_{a,b} ~p"),
    ("Cw_{a,b} p", "C_{a,b} p | C_{a,b} ~p"),
    ("Dm_{a,b} p", "~D_{a,b} ~p"),
    ("Dw_{a,b} p", "D_{a,b} p | D_{a,b} ~p"),
    ("somewhere p", "~everywhere ~p"),
    ("p ^ q ^ K_a p", "(p & q & K_a p) | (p & ~q & ~K_a p) | (~p & q & ~K_a p) | (~p & ~q & K_a p)"),
    ("exactly(1; p, q)", "(p | q) & ~(p & q)"),
    ("atmost(1; p, q, K_a p)", "~(p & q) & ~(p & K_a p) & ~(q & K_a p)"),
    ("forall q. K_a (p | q)", "K_a p"),
    ("exists q. Sk_{a,b} (p & q)", "Sk_{a,b} p"),
    ("[!p]Sk_{a,b} q", "p -> K_a (p -> [!p]q) | K_b (p -> [!p]q)"),
    ("<!p>Cm_{a,b} q", "p & ~[!p]C_{a,b} ~q"),
]


@pytest.mark.parametrize("logic", LOGICS)
def test_every_operator_has_its_meaning(logic: str) -> None:
    for operator, meaning in MEANINGS:
        assert valid(f"({operator}) <-> ({meaning})", logic=logic), operator
        for asked in (operator, f"~({operator})"):
            model = satisfiable(asked, logic=logic)
            assert model is not None, asked
            assert model.holds(f"({operator}) <-> ({meaning})"), asked
