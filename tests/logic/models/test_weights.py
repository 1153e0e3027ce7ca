"""Weights: exact, and checked."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf import FormulaError, KripkeModel, ModelError, UnknownAgentError, UnknownWorldError
from kripke_werewolf.logic.semantics.arrays import _scaled, in_lowest_terms, is_uniform
from tests.cases import cases

WORLDS = ["w", "v", "u"]


def weighted(weights: Any) -> KripkeModel:
    return KripkeModel.from_partitions(WORLDS, {"a": [["w", "v"], ["u"]]}, {"p": ["w"]}, weights=weights)


@given(st.lists(st.fractions(min_value=0), max_size=5), st.sampled_from([1, 10**30]))
def test_scaled_weights_keep_their_ratios(values: list[Fraction], factor: int) -> None:
    values = [v * factor + (v > 0) for v in values]
    found = _scaled(values)
    assert [x * sum(values) for x in found.tolist()] == [v * sum(found.tolist()) for v in values]
    assert found.dtype == (np.int64 if max(found.tolist(), default=0) < 2**31 else object)


def test_reduced_weights() -> None:
    assert in_lowest_terms(np.array([4, 6, 0])).tolist() == [2, 3, 0]
    assert in_lowest_terms(np.array([0, 0])).tolist() == [0, 0]
    assert in_lowest_terms(np.array([2**80, 2**81], object)).dtype == np.int64
    assert in_lowest_terms(np.array([2**80 + 1, 2**81], object)).tolist() == [2**80 + 1, 2**81]
    assert len(in_lowest_terms(np.zeros(0, np.int64))) == 0


def test_uniform_weights() -> None:
    assert is_uniform(np.array([3, 3]))
    assert is_uniform(np.zeros(0, np.int64))
    assert not is_uniform(np.array([0, 0]))  # no probabilities at all
    assert not is_uniform(np.array([1, 2]))


def test_weights_are_read_exactly() -> None:
    m = weighted({"a": {"w": "1/3", "v": Fraction(1, 2), "u": 2}})
    assert m.arrays.weight("a").tolist() == [2, 3, 12]
    assert m.holds("P_a(p) = 2/5", at="v")
    big = weighted({"a": {"w": 10**40, "v": 10**40 + 1, "u": 1}})
    assert big.holds(f"P_a(p) = {10**40}/{2 * 10**40 + 1}", at="w")
    assert not big.holds("P_a(p) = 1/2", at="w")


def test_without_weights_all_worlds_count_the_same() -> None:
    assert weighted(None).arrays.weight("a").tolist() == [1, 1, 1]
    with pytest.raises(UnknownAgentError):
        weighted(None).relation("b")


def test_a_world_may_weigh_nothing() -> None:
    m = weighted({"a": {"w": 0, "v": 1, "u": 1}})
    assert m.holds("P_a(p) = 0 & M_a p", at="w")
    left = m.announce("p")
    with pytest.raises(ModelError, match="agent 'a' has no probabilities at 'w'"):
        left.holds("P_a(p) = 1")


@cases(
    ({"b": {}}, UnknownAgentError, "unknown agent 'b'"),
    ({"a": {"w": 1, "v": 1}}, ModelError, "agent 'a' has weights, but none for world 'u'"),
    ({"a": {"w": 1, "v": 1, "x": 1}}, UnknownWorldError, "unknown world 'x'"),
    ({"a": {"w": -1, "v": 2, "u": 1}}, ModelError, "'w' for agent 'a' is -1; it must not be negative"),
    ({"a": {"w": 0, "v": 0, "u": 0}}, ModelError, "sum to zero over what it considers possible at 'w'"),
    ({"a": {"w": 0.5, "v": 1, "u": 1}}, FormulaError, "expected an exact number"),
    ({1: {}, "1": {}}, ModelError, "agent '1' is given twice"),
)
def test_bad_weights(weights: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        weighted(weights)


def test_worlds_that_an_agent_never_considers_possible_may_weigh_nothing() -> None:
    m = KripkeModel("wv", {"a": [("w", "v"), ("v", "v")]}, {"p": ["v"]}, weights={"a": {"w": 0, "v": 1}})
    assert m.valid("P_a(p) = 1")
    ends = KripkeModel("w", {"a": []}, {"p": []}, weights={"a": {"w": 0}})
    assert ends.valid("P_a(p) = 1 & K_a p")  # nothing is possible: everything is certain
