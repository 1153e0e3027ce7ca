"""Theorems and smallest counter-models (items 25 to 27); random instances of 25 are in tests/updates."""

from __future__ import annotations

import pytest

from kripke_werewolf.deciding import countermodel, satisfiable, valid
from kripke_werewolf.language import parse
from kripke_werewolf.models import KripkeModel
from tests.theorems import LOGICS

# --- 25: the reduction axioms are theorems, that of common knowledge is none ------------------------


@pytest.mark.parametrize(
    "axiom",
    [
        "[!f]p <-> (f -> p)",
        "[!f]~g <-> (f -> ~[!f]g)",
        "[!f](g & h) <-> [!f]g & [!f]h",
        "[!f]K_a g <-> (f -> K_a [!f]g)",
        "[!f]D_{a,b} g <-> (f -> D_{a,b} [!f]g)",
        "[!f][!g]h <-> [!(f & [!f]g)]h",
    ],
)
def test_reduction_axioms_are_valid(axiom: str) -> None:
    assert valid(axiom, logic="K")


def test_common_knowledge_has_no_reduction_axiom() -> None:
    schema = "[!p]C_{a,b} q <-> (p -> C_{a,b} [!p]q)"
    model = KripkeModel.from_partitions(
        ["w0", "w1", "w2"],
        {"a": [["w0", "w1"], ["w2"]], "b": [["w0", "w2"], ["w1"]]},
        {"p": ["w1", "w2"], "q": ["w2"]},
    )
    assert model.where(~parse(schema)) == ["w2"]
    assert not valid(schema, logic="S5")


# --- 26: smallest S5 counter-models -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "worlds"),
    [
        ("p -> K_a p", 2),
        ("K_a p -> K_b K_a p", 2),
        ("K_a K_b p -> K_b K_a p", 3),
        ("E_{a,b} p -> E_{a,b} E_{a,b} p", 3),
        ("E_{a,b} E_{a,b} p -> C_{a,b} p", 4),
        ("E_{a,b} E_{a,b} E_{a,b} p -> C_{a,b} p", 5),
        ("D_{a,b} p -> K_a p", 2),
    ],
)
def test_smallest_counter_models(text: str, worlds: int) -> None:
    found = countermodel(text, logic="S5")
    assert found is not None
    assert len(found) == worlds
    assert not found.holds(text)
    assert {str(found.frame_class(agent)) for agent in found.agents} == {"S5"}


@pytest.mark.parametrize("text", ["K_a p -> K_a K_a p", "p & C_{a,b} (p -> E_{a,b} p) -> C_{a,b} p"])
def test_theorems_of_s5(text: str) -> None:
    assert valid(text, logic="S5")
    assert countermodel(text, logic="S5") is None


# --- 27: which axioms hold where ----------------------------------------------------------------------

AXIOMS = {
    "K": ("K_a (p -> q) -> (K_a p -> K_a q)", set(LOGICS)),
    "T": ("K_a p -> p", {"T", "S4", "S5"}),
    "D": ("K_a p -> M_a p", {"T", "KD", "S4", "KD45", "S5"}),
    "4": ("K_a p -> K_a K_a p", {"K4", "S4", "K45", "KD45", "S5"}),
    "5": ("~K_a p -> K_a ~K_a p", {"K45", "KD45", "S5"}),
    "B": ("p -> K_a M_a p", {"S5"}),
}


@pytest.mark.parametrize("logic", LOGICS)
@pytest.mark.parametrize("axiom", AXIOMS)
def test_axioms_are_valid_where_the_textbooks_say(axiom: str, logic: str) -> None:
    text, where = AXIOMS[axiom]
    assert valid(text, logic=logic) == (logic in where)
    found = countermodel(text, logic=logic)
    assert (found is None) == (logic in where)
    if found is not None:
        assert not found.holds(text)
        wanted = set(LOGICS[logic].properties)
        assert all(wanted <= set(found.frame_class(agent).properties) for agent in found.agents)


@pytest.mark.parametrize("logic", LOGICS)
def test_formulas_with_several_diamonds(logic: str) -> None:
    assert satisfiable("M_a ~p & K_a p", logic=logic) is None
    found = satisfiable("M_a p & M_a ~p & M_a (p & q) & M_a (~p & M_a q)", logic=logic)
    assert found is not None
    assert found.holds("M_a p & M_a ~p & M_a (p & q) & M_a (~p & M_a q)")
