"""The procedure against all models with at most three worlds, and against the slow checker."""

from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kripke_werewolf import LOGICS, FormulaError, decide_satisfiability
from kripke_werewolf.logic import formulas as f
from tests.reference.kripke import holds, plain
from tests.reference.small_models import PROPERTIES, SmallModels, has
from tests.strategies import formulas

small_models = cache(SmallModels)


def conjunctions(**names):
    """Several conditions at once: a single random formula is usually true in a tiny model."""
    static = formulas(dynamic=False, probability=False, quantifiers=False, max_depth=2, **names)
    update = st.builds(
        lambda kind, x, y: kind(f.Announce(x), y), st.sampled_from([f.Box, f.Diamond]), static, static
    )
    agent = st.sampled_from(names["agents"])
    literal = st.sampled_from(names["atoms"]).flatmap(lambda p: st.sampled_from([f.Atom(p), ~f.Atom(p)]))
    group = st.lists(agent, min_size=1, unique=True)
    body = st.one_of(literal, static, update)
    modal = st.one_of(
        st.builds(f.Possible, agent, body),
        st.builds(lambda g, x: ~f.Common(g, x), group, body),
        st.builds(lambda g, x: ~f.Distributed(g, x), group, body),
        st.builds(f.Common, group, st.builds(lambda x, y: x | y, literal, body)),
        st.builds(f.Distributed, group, body),
        st.builds(f.Knows, agent, st.builds(lambda x, y: x | y, literal, st.builds(f.Possible, agent, body))),
        update,
    )
    return st.lists(modal, min_size=1, max_size=5).map(f.conjunction)


def agrees_with_all_models(formula, logic, agents, atoms, most):
    expected = next(
        (n for n in range(1, most + 1) if small_models(logic, n, agents, atoms).satisfy(formula)), None
    )
    found = decide_satisfiability(formula, logic=logic)
    if expected is None:
        assert found.model is None or len(found.model) > most
    else:
        assert len(found.model) == expected
        assert found.smallest


@pytest.mark.parametrize("logic", LOGICS)
@given(formula=conjunctions(agents=("a",), atoms=("p", "q")))
def test_one_agent_two_atoms(logic, formula):
    agrees_with_all_models(formula, logic, ("a",), ("p", "q"), 3)


@pytest.mark.parametrize("logic", LOGICS)
@given(formula=conjunctions(agents=("a", "b"), atoms=("p",)))
@settings(max_examples=20)
def test_two_agents_one_atom(logic, formula):
    agrees_with_all_models(formula, logic, ("a", "b"), ("p",), 3)


@pytest.mark.parametrize("logic", LOGICS)
@given(formula=conjunctions(agents=("a", "b", "c"), atoms=("p", "q")))
def test_every_model_is_one_of_the_formula_and_the_logic(logic, formula):
    check_model(formula, logic)


@pytest.mark.parametrize("logic", LOGICS)
@given(formula=formulas(probability=False))
def test_all_operators(logic, formula):
    check_model(formula, logic)
    check_model(~formula, logic)


def check_model(formula, logic):
    try:
        found = decide_satisfiability(formula, logic=logic)
    except FormulaError:
        assume(False)  # common knowledge after other updates than public announcements
    if found.model is None:
        return
    assert found.model is not None
    model = plain(found.model)
    assert holds(model, formula, found.model.designated[0])
    for pairs in model.relations.values():
        rows = [[(w, v) in pairs for v in model.worlds] for w in model.worlds]
        assert all(has(name, rows) for name in PROPERTIES[logic].split())
