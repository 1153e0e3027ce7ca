"""Partition refinement against pairs of worlds that are told apart one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kripke_werewolf as kw
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.semantics import refinement
from kripke_werewolf.logic.semantics.contraction import Refinement
from tests.reference.kripke import Plain
from tests.strategies import plain_models

LOOSE = plain_models(max_worlds=7, s5=False, agents=("a", "b"), atoms=("p", "q"))
KINDS = st.one_of(LOOSE, plain_models(max_worlds=7, agents=("a", "b"), atoms=("p", "q")))


@pytest.fixture(scope="module", params=["arrays", "exact", "lists"])
def rounds(request: pytest.FixtureRequest) -> Iterator[str]:
    """Let large models be refined on arrays, without colours, or on lists from the first round on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(refinement, "_ATTEMPTS", 0 if request.param == "lists" else 10**6)
        if request.param == "exact":
            patch.setattr(refinement, "_coloured", lambda relations, colour, rng: colour)
        yield request.param


def told_apart(model: Plain, weighted: Sequence[str] = ()) -> list[set[tuple[Any, Any]]]:
    """Return the pairs of worlds that are not bisimilar up to depth 0, 1, 2, …; the last for any depth.

    Two worlds are told apart by an atom, by a world that an agent sees from one of them and that is told
    apart from all that it sees from the other, or by the weight of the worlds like some world.
    """

    def share(agent: str, w: Any, like: Any, apart: set[tuple[Any, Any]]) -> Fraction:
        weights, seen = model.weights[agent], model.seen(agent, w)
        return sum((weights[v] for v in seen if (v, like) not in apart), Fraction(0)) / sum(
            weights[v] for v in seen
        )

    def differ(w: Any, v: Any, apart: set[tuple[Any, Any]]) -> bool:
        for agent in model.relations:
            here, there = model.seen(agent, w), model.seen(agent, v)
            for one, other in ((here, there), (there, here)):
                if any(all((x, y) in apart for y in other) for x in one):
                    return True
            if agent in weighted and any(
                share(agent, w, x, apart) != share(agent, v, x, apart) for x in here
            ):
                return True
        return False

    pairs = list(product(model.worlds, repeat=2))
    found = [{(w, v) for w, v in pairs if any((w in true) != (v in true) for true in model.true.values())}]
    while len(found) < 2 or found[-1] != found[-2]:
        found.append(found[-1] | {(w, v) for w, v in pairs if differ(w, v, found[-1])})
    return found


@given(KINDS)
def test_bisimilar_worlds_on_rows_arrays_and_lists(rounds: str, model: Plain) -> None:
    built = model.build()
    apart = told_apart(model, tuple(built.weights))
    spaces: list[Any] = [built.space, built.arrays]
    for space in spaces:
        smaller, merged = space.contracted(distributed=False, probable=False)
        image = {w: smaller.members(merged(space.set_of([k]))) for k, w in enumerate(built.worlds)}
        if not built.weights:
            assert {(w, v) for w in image for v in image if image[w] != image[v]} == apart[-1]
        assert {(w, v) for w in image for v in image if image[w] == image[v]}.isdisjoint(apart[-1])
    blocks = Refinement(built.arrays, list(built.weights)).run()
    for (i, w), (j, v) in product(enumerate(built.worlds), repeat=2):
        first = next((k for k, found in enumerate(apart) if (w, v) in found), None)
        assert blocks.parted(i, j) == first
        assert kw.bisimilar(built, w, built, v) == (first is None)


@given(KINDS, st.booleans())
def test_a_contraction_with_all_probabilities(rounds: str, model: Plain, distributed: bool) -> None:
    built = model.build()
    apart = told_apart(model, tuple(model.relations))
    spaces: list[Any] = [built.space, built.arrays]
    for space in spaces:
        smaller, merged = space.contracted(distributed=distributed, probable=True)
        image = {w: smaller.members(merged(space.set_of([k]))) for k, w in enumerate(built.worlds)}
        assert {(w, v) for w in image for v in image if image[w] == image[v]}.isdisjoint(apart[-1])
        small = KripkeModel.from_space(smaller)
        for w, agent, atom in product(small.worlds, small.agents, small.atoms):
            seen = model.seen(agent, w)
            if seen:
                total = sum(model.weights[agent][v] for v in seen)
                part = sum((model.weights[agent][v] for v in seen if v in model.true[atom]), Fraction(0))
                assert small.holds(kw.P(agent, kw.Atom(atom)) >= part / total, at=w)
                assert small.holds(kw.P(agent, kw.Atom(atom)) <= part / total, at=w)


@given(plain_models(max_worlds=7, weights=False, agents=("a", "b", "c"), atoms=("p", "q")))
def test_the_relations_of_groups_are_kept_with_distributed_knowledge(rounds: str, model: Plain) -> None:
    """A world and its image see images of the same worlds, for each group that sees together."""
    built = model.build()
    spaces: list[Any] = [built.space, built.arrays]
    for space in spaces:
        smaller, merged = space.contracted(distributed=True, probable=False)
        image = [smaller.members(merged(space.set_of([k])))[0] for k in range(len(built))]
        for size in (1, 2, 3):
            for group in combinations("abc", size):
                joint, new = space.met(group), smaller.met(group)
                for w in range(len(built)):
                    seen = {image[v] for v in space.members(space.sees(joint, w))}
                    assert seen == set(smaller.members(smaller.sees(new, image[w])))


def test_a_model_without_worlds() -> None:
    for atoms in ({}, {"p": []}):
        empty = KripkeModel([], {"a": []}, atoms)
        for options in ({}, {"keep_distributed": True}, {"keep_probability": True}, {"depth": 1}):
            assert empty.contract(**options) == empty  # type: ignore[arg-type]
        for m in (empty.space, empty.arrays):
            assert len(KripkeModel.from_space(m.contracted(distributed=True, probable=True)[0])) == 0
