"""Canonical forms: the key is equal iff models are bisimilar, on both carriers."""

import random
from collections.abc import Hashable
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf import KripkeModel, bisimilar
from kripke_werewolf.logic.formulas.operators import OfGroup
from kripke_werewolf.logic.models.model import Numbered
from tests.reference.kripke import Plain
from tests.strategies import formulas, plain_models

PLAIN = plain_models(max_worlds=5, atoms=("p", "q"), weights=False)
WEIGHTED = plain_models(max_worlds=4, atoms=("p", "q"), weights=True)


def key(model: KripkeModel, *, arrays: bool = False, probable: bool = False) -> Hashable:
    space: Any = model.arrays if arrays else model.space
    return space.canonical(space.set_of(Numbered(model).points), probable=probable)[2]


def same_designated(m: KripkeModel, n: KripkeModel) -> bool:
    """Return whether every designated world of each model is bisimilar to one of the other."""
    pairs = {(x, y) for x, y in product(m.designated, n.designated) if bisimilar(m, x, n, y)}
    return {x for x, _ in pairs} == set(m.designated) and {y for _, y in pairs} == set(n.designated)


def copied(model: Plain, seed: int) -> KripkeModel:
    """Return a bisimilar model: worlds doubled, pairs left out, and everything in another order."""
    rng = random.Random(seed)
    copies = {w: [(w, k) for k in range(rng.choice([1, 1, 2]))] for w in sorted(model.worlds, key=str)}
    worlds = [copy for some in copies.values() for copy in some]
    rng.shuffle(worlds)
    relations = {}
    for agent in rng.sample(sorted(model.relations), len(model.relations)):
        pairs = []
        for w, v in model.relations[agent]:
            for copy in copies[w]:
                pairs += [(copy, seen) for seen in rng.sample(copies[v], rng.randint(1, len(copies[v])))]
        relations[agent] = pairs
    atoms = rng.sample(sorted(model.true), len(model.true))
    true = {atom: [copy for copy in worlds if copy[0] in model.true[atom]] for atom in atoms}
    points = [rng.choice(copies[w]) for w in sorted(model.designated, key=str)]
    return KripkeModel(worlds, relations, true, points)


@given(PLAIN, PLAIN)
def test_keys_are_equal_iff_the_models_are_bisimilar(one: Plain, other: Plain) -> None:
    m, n = one.build(), other.build()
    assert (key(m) == key(n)) == same_designated(m, n)


@given(PLAIN, st.integers(0, 10**6))
def test_copies_have_the_same_key_and_form(model: Plain, seed: int) -> None:
    m, n = model.build(), copied(model, seed)
    assert key(m) == key(n)
    (space, points, _), (other, there, _) = (
        x.space.canonical(x.space.set_of(Numbered(x).points)) for x in (m, n)
    )
    assert space.same_as(other)
    assert space.members(points) == other.members(there)


@given(PLAIN, formulas(max_depth=3, atoms=("p", "q"), quantifiers=False, everywhere=False, probability=False))
def test_the_form_is_minimal_and_satisfies_the_same_formulas(model: Plain, f: Any) -> None:
    m = model.build()
    space, points, found = m.space.canonical(m.space.set_of(Numbered(m).points))
    form = KripkeModel.from_space(space, points)
    assert len(form) == len(m.generated().contract())
    assert key(form) == found
    if not any(isinstance(g, OfGroup) for g in f.subformulas()):
        assert form.holds(f) == m.holds(f)


@given(PLAIN, PLAIN, st.integers(0, 10**6))
def test_arrays_give_the_same_answers(one: Plain, other: Plain, seed: int) -> None:
    models = [one.build(), other.build()]
    assert [key(m, arrays=True) for m in models] == [key(m) for m in models]
    assert key(copied(one, seed), arrays=True) == key(models[0])


@given(PLAIN, PLAIN, st.integers(0, 10**6))
def test_forms_that_stay_arrays(one: Plain, other: Plain, seed: int) -> None:
    """Large models are not made into bits: here none is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kripke_werewolf.logic.semantics.arrays.MOST_BITS", 0)
        m, n, copy = one.build(), other.build(), copied(one, seed)
        assert (key(m, arrays=True) == key(n, arrays=True)) == same_designated(m, n)
        found = [x.arrays.canonical(x.arrays.set_of(Numbered(x).points)) for x in (m, copy)]
    assert found[0][2] == found[1][2]
    assert found[0][0].same_as(found[1][0])
    assert found[0][0].members(found[0][1]) == found[1][0].members(found[1][1])
    assert key(KripkeModel.from_space(*found[0][:2])) == key(m)


@given(WEIGHTED, WEIGHTED, formulas(max_depth=2, atoms=("p", "q"), quantifiers=False, everywhere=False))
def test_with_probabilities(one: Plain, other: Plain, f: Any) -> None:
    m, n = one.build(), other.build()
    space, points, found = m.space.canonical(m.space.set_of(Numbered(m).points), probable=True)
    form = KripkeModel.from_space(space, points)
    assert key(form, probable=True) == found
    if not any(isinstance(g, OfGroup) for g in f.subformulas()):
        assert form.holds(f) == m.holds(f)
        if key(n, probable=True) == found:
            assert n.holds(f) == m.holds(f)
