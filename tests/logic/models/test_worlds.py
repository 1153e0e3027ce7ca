"""Names of worlds: listed, computed, selected, paired."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf.base.errors import ModelError, UnknownWorldError
from kripke_werewolf.logic.semantics.worlds import Computed, Named, Paired, WorldNames, _Selected


def squares(size: int) -> Computed:
    def find(name: object) -> int | None:
        root = int(name**0.5) if isinstance(name, int) and name >= 0 else -1
        return root if root**2 == name and root < size else None

    return Computed(size, lambda i: i * i, find)


def check(names: WorldNames, expected: list[object]) -> None:
    assert len(names) == len(expected)
    assert list(names) == expected
    assert names == tuple(expected)
    assert names == Named(expected)
    assert hash(names) == hash(tuple(expected))
    assert [names.index(name) for name in expected] == list(range(len(expected)))
    assert all(name in names for name in expected)
    for stranger in ("stranger", -1, (0, 0, 0), [], None, ("x", "e")):
        assert stranger not in names
        assert names.find(stranger) is None
        with pytest.raises(UnknownWorldError):
            names.index(stranger)
    assert names[1:] == tuple(expected[1:])
    assert names[::-1] == tuple(expected[::-1])
    if expected:
        assert names[-1] == expected[-1]
        assert names[np.int64(0)] == expected[0]
    with pytest.raises(IndexError):
        names[len(expected)]


def test_listed_and_computed_names() -> None:
    check(Named([]), [])
    check(Named(["w", 2, (1, "x"), frozenset({3})]), ["w", 2, (1, "x"), frozenset({3})])
    check(squares(4), [0, 1, 4, 9])


@given(st.data())
def test_selections_of_selections(data: st.DataObject) -> None:
    names: WorldNames = squares(8) if data.draw(st.booleans()) else Named("abcdefgh")
    expected: list[object] = list(names)
    for _ in range(3):
        kept = [i for i in range(len(expected)) if data.draw(st.booleans())]
        names, expected = _Selected(names, np.array(kept, np.int64)), [expected[i] for i in kept]
        check(names, expected)


@given(st.data())
def test_pairs(data: st.DataObject) -> None:
    base, events = squares(3), ["e", "f"]
    chosen = [(w, e) for e in range(2) for w in range(3) if data.draw(st.booleans())]
    world, event = (np.array(part, np.int64) for part in (zip(*chosen, strict=True) if chosen else ([], [])))
    check(Paired(base, events, world, event), [(w * w, events[e]) for w, e in chosen])


def test_names_that_differ_in_kind_are_not_equal() -> None:
    assert Named("ab") != "ab"
    assert Named("ab") == ["a", "b"]
    assert Named("ab") != Named("ba")
    assert Named("ab") != 3


def test_no_name_twice() -> None:
    with pytest.raises(ModelError, match="world 'w' is given twice; names of worlds must differ"):
        Named(["w", "v", "w"])


def test_a_name_that_is_not_known_is_reported_with_near_ones() -> None:
    with pytest.raises(UnknownWorldError, match="unknown world 'alce'; did you mean 'alice'"):
        Named(["alice", "bob"]).index("alce")
    with pytest.raises(UnknownWorldError, match=r"1000 in all"):
        Named(range(5000)).index("w")
