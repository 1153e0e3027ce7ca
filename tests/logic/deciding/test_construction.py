"""The model out of types, before the search for a smaller one replaces it."""

import pytest
from hypothesis import given

from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.deciding.closure import closure_of
from kripke_werewolf.logic.deciding.elimination import Elimination
from kripke_werewolf.logic.deciding.extraction import model_of_types
from kripke_werewolf.logic.deciding.sat import Steps
from kripke_werewolf.logic.deciding.smallest import in_class, model_of_size, shrunk
from kripke_werewolf.logic.deciding.translation import translate
from kripke_werewolf.logic.semantics.bits import BitSpace
from tests.logic.deciding.test_against_all_models import conjunctions
from tests.theorems import LOGICS


@pytest.mark.parametrize("logic", LOGICS.values(), ids=str)
@given(formula=conjunctions(agents=("a", "b", "c"), atoms=("p", "q")))
def test_types_make_a_model(logic, formula):
    steps = Steps(3_000_000)
    core = translate(formula, logic, steps)
    closure = closure_of(core, logic)
    types = Elimination(closure, steps).run()
    if types is None:
        # nor does the search by size find one
        assert all(model_of_size(core, logic, size, steps) is None for size in (1, 2, 3))
        return
    found = model_of_types(closure, types)
    valuation = {atom: found.valuation.get(atom, 0) for atom in formula.atoms}
    model = BitSpace.numbered(found.all, found.relations, valuation)

    def satisfies(space):
        return bool(space.truth(formula) & 1)

    assert in_class(model, logic)
    if any(isinstance(node, f.Distributed) for node in formula.subformulas()):
        return  # several agents may together know less in this model
    assert satisfies(model)
    smaller = shrunk(model, satisfies, logic)
    assert smaller.all.bit_count() <= model.all.bit_count()
    assert in_class(smaller, logic)
    assert satisfies(smaller)
