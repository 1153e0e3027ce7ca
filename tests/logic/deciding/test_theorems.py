"""The valid formulas of the textbooks, and the known smallest counter-models."""

import pytest

from kripke_werewolf import countermodel, decide_validity, parse, satisfiable, valid
from tests.cases import cases
from tests.reference.kripke import holds, plain
from tests.reference.small_models import PROPERTIES
from tests.theorems import LOGICS

ALL = set(LOGICS)
REFLEXIVE = {name for name, properties in PROPERTIES.items() if "reflexive" in properties}
SERIAL = REFLEXIVE | {"KD", "KD45"}
TRANSITIVE = {name for name, properties in PROPERTIES.items() if "transitive" in properties}
EUCLIDEAN = {name for name, properties in PROPERTIES.items() if "euclidean" in properties}

AXIOMS = {
    # one agent
    "K_a (p -> q) -> (K_a p -> K_a q)": ALL,
    "K_a p -> p": REFLEXIVE,
    "K_a p -> M_a p": SERIAL,
    "K_a p -> K_a K_a p": TRANSITIVE,
    "~K_a p -> K_a ~K_a p": EUCLIDEAN,
    "p -> K_a M_a p": {"S5"},
    "M_a K_a p -> K_a M_a p": EUCLIDEAN,
    "K_a (K_a p -> p)": REFLEXIVE | EUCLIDEAN,
    "K_a K_a p <-> K_a p": {"S4", *EUCLIDEAN},
    "Kw_a p <-> Kw_a ~p": ALL,
    "Kw_a Kw_a p": EUCLIDEAN,
    "K_a p | K_a ~p | (M_a p & M_a ~p)": ALL,
    # knowledge of a group
    "C_{a,b} p -> p": REFLEXIVE,
    "C_{a,b} p <-> E_{a,b} (p & C_{a,b} p)": ALL,
    "C_{a,b} p <-> E_{a,b} C_{a,b} p": REFLEXIVE | EUCLIDEAN,
    "C_{a,b} p -> C_{a,b} C_{a,b} p": ALL,
    "C_{a,b} C_{a,b} p -> C_{a,b} p": REFLEXIVE | EUCLIDEAN,
    "~C_{a,b} p -> C_{a,b} ~C_{a,b} p": {"S5"},
    "C_{a,b} p -> ~C_{a,b} ~p": SERIAL,
    "C_{a} p <-> K_a p": TRANSITIVE,
    "K_a C_{a,b} p -> C_{a,b} p": REFLEXIVE,
    "C_{a,b} (p -> E_{a,b} p) -> (E_{a,b} p -> C_{a,b} p)": ALL,
    "p & C_{a,b} (p -> E_{a,b} p) -> C_{a,b} p": REFLEXIVE,
    "C_{a,b,c} p -> C_{a,b} p": ALL,
    "C_{a,b} p -> C_{a,b,c} p": set(),
    # distributed knowledge
    "D_a p <-> K_a p": ALL,
    "K_a p | K_b p -> D_{a,b} p": ALL,
    "D_{a,b} p -> K_a p": set(),
    "D_{a,b} p -> D_{a,b,c} p": ALL,
    "D_{a,b,c} p -> D_{a,b} p | D_{b,c} p | D_{a,c} p": set(),
    "K_a (p -> q) & K_b p -> D_{a,b} q": ALL,
    "D_{a,b} p -> p": REFLEXIVE,
    "D_{a,b} p -> ~D_{a,b} ~p": REFLEXIVE,
    "D_{a,b} p -> D_{a,b} D_{a,b} p": TRANSITIVE,
    "~D_{a,b} p -> D_{a,b} ~D_{a,b} p": EUCLIDEAN,
    "C_{a,b} D_{a,b} p -> C_{a,b} p": REFLEXIVE,
    # the whole model
    "everywhere p -> p & C_{a,b} p & D_{a,b} p": ALL,
    "somewhere p -> everywhere somewhere p": ALL,
    "C_{a,b} p -> everywhere p": set(),
    # quantified and counting
    "exists p. forall q. (p <-> q)": set(),
    "forall p. (K_a p -> p)": SERIAL,
    "exactly(1; p, q, r) -> ~(p & q) & (p | q | r)": ALL,
    "K_a atleast(2; p, q, r) -> K_a ~atmost(1; p, q, r)": ALL,
    "(p ^ q ^ r) <-> (p <-> (q <-> r))": ALL,
}


@pytest.mark.parametrize("logic", LOGICS)
def test_axioms_are_valid_exactly_where_the_textbooks_say(logic):
    wrong = [text for text, where in AXIOMS.items() if valid(text, logic=logic) != (logic in where)]
    assert not wrong, wrong


def test_common_knowledge_after_an_announcement():
    assert decide_validity("[!p]C_{a,b} q <-> (p -> C_{a,b} [!p]q)").model is not None
    assert len(countermodel("[!p]C_{a,b} q <-> (p -> C_{a,b} [!p]q)")) == 3
    for logic in LOGICS:
        assert valid("[!p]C_{a,b} p", logic=logic)
        assert valid("C_{a,b} (p -> q) -> [!p]C_{a,b} q", logic=logic)
        # what must hold: q is implied along every path of p-worlds
        assert not valid("[!p]C_{a,b} q -> C_{a,b} (p -> q)", logic=logic)
        assert valid("[!p]C_{a,b} q & p -> E_{a,b} (p -> q & [!p]C_{a,b} q)", logic=logic)


@cases(
    ("p -> K_a p", 2),
    ("K_a p -> K_b K_a p", 2),
    ("K_a K_b p -> K_b K_a p", 3),
    ("E_{a,b} p -> E_{a,b} E_{a,b} p", 3),
    ("E_{a,b} E_{a,b} p -> C_{a,b} p", 4),
    ("E_{a,b} E_{a,b} E_{a,b} p -> C_{a,b} p", 5),
    ("D_{a,b} p -> K_a p", 2),
    ("K_a p -> K_a K_a p", None),
    ("p & C_{a,b} (p -> E_{a,b} p) -> C_{a,b} p", None),
)
def test_smallest_counter_models_in_S5(text, worlds):
    found = decide_validity(text)
    assert found.answer == (worlds is None)
    if worlds is not None:
        assert len(found.model) == worlds
        assert found.smallest
        assert not holds(plain(found.model), parse(text), found.model.designated[0])


def test_belief_can_be_wrong_but_not_about_itself():
    model = satisfiable("K_a p & ~p", logic="KD45")
    assert len(model) == 2
    assert model.holds("K_a K_a p & K_a (K_a p -> p)")
    assert satisfiable("K_a (p & ~K_a p)", logic="KD45") is None
    assert satisfiable("K_a (p & ~K_a p)", logic="K45").holds("K_a false")


def test_common_belief_is_not_introspective_about_its_absence():
    model = countermodel("~C_{a,b} p -> K_a ~C_{a,b} p", logic="KD45")
    assert model.holds("~C_{a,b} p & M_a C_{a,b} p")
    assert valid("C_{a,b} p -> K_a C_{a,b} p", logic="KD45")
    # the actual world counts for nobody
    assert satisfiable("C_{a,b} p & ~p & C_{a,b} C_{a,b} p", logic="KD45").holds("~p")
