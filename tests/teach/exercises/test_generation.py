"""Fresh exercises: one right answer each, of the size and depth asked for, the same for the same seed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kripke_werewolf import ModelError, UnknownNameError, bisimilar, parse, satisfiable
from kripke_werewolf.teach.exercises import Exercise, new_exercise
from kripke_werewolf.teach.exercises.exercise import modal_depth
from kripke_werewolf.teach.exercises.truth import Distinguish, TruthSet
from kripke_werewolf.teach.exercises.validity import FindModel
from tests.cases import cases

seeds = st.integers(0, 2**32)


@pytest.mark.parametrize("kind", sorted(Exercise.kinds))
def test_the_same_seed_gives_the_same_exercise(kind: str) -> None:
    assert new_exercise(kind, rng=5) == new_exercise(kind, rng=5)
    assert new_exercise(kind, rng=5) != new_exercise(kind, rng=6)


@settings(max_examples=15)
@given(seeds, st.integers(3, 7), st.integers(1, 3))
def test_truth_sets(seed: int, size: int, depth: int) -> None:
    exercise = new_exercise("truth-set", size=size, depth=depth, rng=seed)
    assert isinstance(exercise, TruthSet)
    assert len(exercise.model) == len(exercise.model.contract()) == size
    assert modal_depth(exercise.formula) == depth
    assert 0 < len(exercise.model.where(exercise.formula)) < size


@settings(max_examples=6)
@given(seeds, st.integers(2, 3), st.integers(1, 2))
def test_the_model_to_find_has_no_fewer_worlds(seed: int, size: int, depth: int) -> None:
    exercise = new_exercise("find-model", size=size, depth=depth, rng=seed)
    assert isinstance(exercise, FindModel)
    first = satisfiable(exercise.formula)
    assert first is not None
    assert len(first) == size
    assert len(str(exercise.formula)) <= 80


@pytest.mark.parametrize("size", [3, 4, 12])
def test_worlds_are_distinguished_at_every_size(size: int) -> None:
    exercise = new_exercise("distinguish", size=size, depth=2, rng=1)
    assert isinstance(exercise, Distinguish)
    depth = modal_depth(parse(exercise.solution()))
    assert depth == min(2, size - 2)
    m, w, v = exercise.model, exercise.true_at, exercise.false_at
    assert bisimilar(m, w, m, v, depth=depth - 1)


@cases(
    ("riddle", 4, 2, UnknownNameError),
    ("truth-set", 2, 2, ModelError),
    ("truth-set", 13, 2, ModelError),
    ("truth-set", 4, 0, ModelError),
    ("truth-set", 4, 6, ModelError),
    ("find-model", 5, 1, ModelError),
)
def test_bad_input(kind, size, depth, error) -> None:
    with pytest.raises(error):
        new_exercise(kind, size=size, depth=depth, rng=1)
