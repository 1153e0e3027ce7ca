"""Numbering of keys and of ragged rows."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf.logic.semantics.numbering import dense, distinct, ranges, row_numbers


@given(st.lists(st.integers(0, 2**40)), st.booleans())
def test_dense_and_distinct(keys: list[int], small: bool) -> None:
    keys = [k % 50 for k in keys] if small else keys
    bound = max(keys, default=0) + 1
    labels, found = dense(np.array(keys, np.int64), bound)
    assert found.tolist() == sorted(set(keys)) == distinct(np.array(keys, np.int64), bound).tolist()
    assert found[labels].tolist() == keys


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 5))))
def test_ranges(parts: list[tuple[int, int]]) -> None:
    begin, count = np.array(parts, int).reshape(-1, 2).T
    assert ranges(begin, count).tolist() == [b + i for b, c in parts for i in range(c)]


@given(st.lists(st.frozensets(st.integers(0, 9)), max_size=30))
def test_rows_have_equal_numbers_iff_they_are_equal(rows: list[frozenset[int]]) -> None:
    pairs = np.array([(i, v) for i, row in enumerate(rows) for v in sorted(row)], int).reshape(-1, 2)
    numbers = row_numbers(pairs[:, 0], pairs[:, 1], len(rows)).tolist()
    for i, a in enumerate(rows):
        for j, b in enumerate(rows):
            assert (numbers[i] == numbers[j]) == (a == b)
    assert sorted(set(numbers)) == list(range(len(set(rows))))
