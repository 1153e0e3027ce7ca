"""Partial types against whole types, and both on the families of the Logics Workbench."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.lwb import FAMILIES, LOGICS
from kripke_werewolf import Formula, countermodel, logic_named, valid
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.deciding.closure import closure_of
from kripke_werewolf.logic.deciding.core import simplified
from kripke_werewolf.logic.deciding.elimination import Elimination
from kripke_werewolf.logic.deciding.extraction import model_of_types
from kripke_werewolf.logic.deciding.partial import partial_types_suffice, witnessed_types
from kripke_werewolf.logic.deciding.sat import Steps
from kripke_werewolf.logic.deciding.smallest import in_class
from kripke_werewolf.logic.deciding.translation import translate
from tests import strategies
from tests.cases import cases

_formulas = strategies.formulas(
    groups=False, dynamic=False, probability=False, quantifiers=False, everywhere=False, max_depth=4
)


@pytest.mark.parametrize("name", ["K", "T", "KD", "K4", "S4"])
@given(data=st.data())
def test_partial_types_decide_as_whole_types_do(name: str, data: st.DataObject) -> None:
    formula = data.draw(st.one_of(_formulas, st.builds(lambda *parts: f.And(*parts), *[_formulas] * 3)))
    logic = logic_named(name)
    closure = closure_of(translate(formula, logic, Steps(10**7)), logic)
    assert partial_types_suffice(closure)
    found = witnessed_types(closure, Steps(10**7))
    assert (found is None) == (Elimination(closure, Steps(10**7)).run() is None)
    if found is not None:
        model = model_of_types(closure, found)
        assert in_class(model, logic)
        atoms = {atom: model.valuation.get(atom, 0) for atom in formula.atoms}
        assert model.with_facts(atoms).truth(formula) & 1


@pytest.mark.parametrize("name", ["K", "T", "KD", "K4", "S4", "S5", "KD45", "KB", "a: K, b: S4, others: KD"])
@given(data=st.data())
def test_simpler_formulas_are_as_satisfiable(name: str, data: st.DataObject) -> None:
    parts = data.draw(st.lists(_formulas, min_size=2, max_size=4))
    known = f.conjunction([f.K("a", part) for part in parts[1:]])
    formula = data.draw(st.sampled_from([parts[0] & known, f.K("a", known) & ~parts[0], known >> parts[0]]))
    logic = logic_named(name)
    core = translate(formula, logic, Steps(10**7))
    simpler, _ = simplified(core, logic)
    whole, less = closure_of(core, logic), closure_of(simpler, logic)
    assert len(less.boxes) <= len(whole.boxes)
    assert (Elimination(whole, Steps(10**7)).run() is None) == (Elimination(less, Steps(10**7)).run() is None)


@cases(("K_a p", "S5"), ("K_a p", "K45"), ("C_{a,b} p", "K"), ("D_{a,b} p", "T"), ("everywhere p", "S4"))
def test_whole_types_are_used_where_partial_ones_do_not_suffice(formula: str, logic: str) -> None:
    named = logic_named(logic)
    closure = closure_of(translate(f.formula(formula), named, Steps(10**6)), named)
    assert not partial_types_suffice(closure)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_families_of_the_workbench(name: str) -> None:
    logic = LOGICS[name.partition("_")[0]]
    for n in range(1, 5):
        formula: Formula = FAMILIES[name](n)
        assert valid(formula, logic=logic) == name.endswith("_p"), n
        if name.endswith("_n") and n < 3:
            model = countermodel(formula, logic=logic)
            assert model is not None
            assert not model.holds(formula)


@cases("k_lin_n", "k_grz_n", "k_path_p", "kt_path_n", "s4_branch_p", "s4_s5_n")
def test_large_formulas_of_the_families(name: str) -> None:
    assert valid(FAMILIES[name](21), logic=LOGICS[name.partition("_")[0]]) == name.endswith("_p")
