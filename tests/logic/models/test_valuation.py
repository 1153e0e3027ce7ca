"""Valuations: read-only, computed on demand, one step from an array after any number of selections."""

import pickle

import numpy as np
import pytest

from kripke_werewolf.logic.semantics.arrays import Valuation


def test_rows_are_looked_up_by_atom() -> None:
    v = Valuation(3, {"p": np.array([True, False, True]), "q": lambda: np.zeros(3, int)})
    assert list(v) == ["p", "q"]
    assert len(v) == 2
    assert "q" in v
    assert "r" not in v
    assert v["p"].tolist() == [True, False, True]
    assert v["q"].dtype == bool
    with pytest.raises(KeyError):
        v["r"]


def test_rows_cannot_be_written_and_leave_the_callers_array_alone() -> None:
    given = np.array([True, False])
    v = Valuation(2, {"p": given})
    with pytest.raises(ValueError, match="read-only"):
        v["p"][0] = False
    given[1] = True  # still the caller's
    assert given.tolist() == [True, True]


def test_a_row_is_made_once_and_only_if_wanted() -> None:
    calls = []

    def row() -> np.ndarray:
        calls.append("p")
        return np.array([True, False, True, True])

    v = Valuation(4, {"p": row, "q": row})
    part = v.take(np.array([0, 2, 3])).take(np.array([1, 2]))
    assert calls == []
    assert part["p"].tolist() == v["p"].tolist()[2:] == v.take(np.array([2, 3]))["p"].tolist()
    assert calls == ["p"]


def test_ten_thousand_selections_are_no_recursion() -> None:
    v = Valuation(4, {"p": np.array([True, False, True, False])})
    everything = np.arange(4)
    for _ in range(10_000):
        v = v.take(everything)
    assert v["p"].tolist() == [True, False, True, False]


def test_valuations_can_be_pickled() -> None:
    v = Valuation(2, {"p": lambda: np.array([True, False])}).take(np.array([1]))
    assert {a: row.tolist() for a, row in pickle.loads(pickle.dumps(v)).items()} == {"p": [False]}
