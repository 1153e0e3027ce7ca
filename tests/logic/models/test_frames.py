"""Frame classes, closures, and what updates lose, against the definitions."""

import copy
import pickle
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kripke_werewolf as kw
from kripke_werewolf import KripkeModel, ModelError, UnknownAgentError
from kripke_werewolf.logic.formulas.logics import FRAME_CLASSES, FRAME_PROPERTIES
from kripke_werewolf.logic.models.frames import FrameClass
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.semantics.bits import Pairs as PairsOfWorlds
from kripke_werewolf.logic.semantics.bits import Rows
from kripke_werewolf.logic.semantics.cells import General, Partition, Relation, closure
from tests.logic.models.random_relations import Pairs, cell_relations, pairs_of

pytestmark = pytest.mark.usefixtures("carrier")


def as_bits(pairs: Pairs, size: int) -> Rows:
    return PairsOfWorlds(list(pairs)).rows(size)


def missing(pairs: Pairs, size: int, name: str) -> set[tuple[int, ...]]:
    """Return all counterexamples to a property."""
    worlds = range(size)
    match name:
        case "reflexive":
            return {(w,) for w in worlds if (w, w) not in pairs}
        case "serial":
            return {(w,) for w in worlds if not any(x == w for x, _ in pairs)}
        case "symmetric":
            return {(w, v) for w, v in pairs if (v, w) not in pairs}
        case "transitive":
            two = product(pairs, pairs)
            return {(w, v, u) for (w, v), (x, u) in two if v == x and (w, u) not in pairs}
        case "euclidean":
            two = product(pairs, pairs)
            return {(w, v, u) for (w, v), (x, u) in two if w == x and (v, u) not in pairs}
    raise AssertionError(name)


@given(st.data())
def test_properties_and_counterexamples(data: st.DataObject) -> None:
    size = data.draw(st.integers(0, 6))
    relation = data.draw(cell_relations(size))
    pairs = pairs_of(relation)
    for found in (relation.failures(), as_bits(pairs, size).failures((1 << size) - 1)):
        for name in FRAME_PROPERTIES:
            expected = missing(pairs, size, name)
            assert (name in found) == bool(expected)
            if expected:
                assert found[name] in expected


@given(cell_relations(5))
def test_the_class_is_the_strongest_whose_properties_hold(relation: Relation) -> None:
    found = KripkeModel(range(5), {"a": pairs_of(relation)}, {}).frame_class("a")
    assert set(found.properties) == FRAME_CLASSES[found] == set(FRAME_PROPERTIES) - relation.failures().keys()
    for name in FRAME_PROPERTIES:
        assert getattr(found, name) == (name in found.properties)
    assert eval(repr(found), {"FrameClass": FrameClass}) == found
    assert pickle.loads(pickle.dumps(found)).counterexamples == found.counterexamples


def test_counterexamples_name_worlds_and_read_as_sentences() -> None:
    m = KripkeModel(
        ["w", "v", "u", "x"], {"a": [("w", "v"), ("v", "u")], "b": [("w", "v"), ("w", "u"), ("x", "x")]}, {}
    )
    a, b = m.frame_class("a"), m.frame_class("b")
    assert str(a) == "K"
    assert a.counterexamples == {
        "reflexive": ("w",),
        "serial": ("u",),
        "transitive": ("w", "v", "u"),
        "symmetric": ("w", "v"),
        "euclidean": ("w", "v", "v"),
    }
    assert b == "K4"
    assert a.agent == "a"
    assert a.reasons == (
        "not reflexive: 'w' does not see itself",
        "not serial: 'u' sees no world",
        "not transitive: 'w' sees 'v', which sees 'u', but 'w' does not see 'u'",
        "not symmetric: 'w' sees 'v', but 'v' does not see 'w'",
        "not euclidean: 'w' sees 'v' and 'v', but 'v' does not see 'v'",
    )
    with pytest.raises(UnknownAgentError):
        m.frame_class("c")


def least(pairs: Pairs, size: int, names: frozenset[str]) -> Pairs:
    """Return the closure by adding, again and again, every pair a counterexample asks for."""
    wanted = {"reflexive": (0, 0), "symmetric": (1, 0), "transitive": (0, 2), "euclidean": (1, 2)}
    while True:
        more = set(pairs)
        for name in names - {"serial"}:
            i, j = wanted[name]
            more |= {(c[i], c[j]) for c in missing(pairs, size, name)}
        if more == pairs:
            dead = missing(pairs, size, "serial") if "serial" in names else set()
            if not dead:
                return pairs
            more |= {(w, w) for (w,) in dead}
        pairs = frozenset(more)


@given(st.data())
def test_closures_are_the_least_relations(data: st.DataObject) -> None:
    size = data.draw(st.integers(0, 5))
    relation = data.draw(cell_relations(size))
    names = data.draw(st.frozensets(st.sampled_from(FRAME_PROPERTIES)))
    found = closure(relation, names)
    expected = least(pairs_of(relation), size, names)
    assert pairs_of(found) == expected
    assert not found.failures().keys() & names
    closed = as_bits(pairs_of(relation), size).closed((1 << size) - 1, names)
    assert closed.by_sight() == as_bits(expected, size).by_sight()


def test_closures_of_a_model_keep_the_rest() -> None:
    m = KripkeModel([1, 2, 3], {"a": [(1, 2)], 4: [(2, 3)]}, {"p": [1]}, 2)
    closed = m.closed(4, under="symmetric")
    assert set(closed.arrays.pairs(str(4))) == {(1, 2), (2, 1)}
    assert closed.designated == (2,)
    assert m.closed().frame_class("a") == m.closed().frame_class(4) == "S5"
    assert not m.closed().lost
    with pytest.raises(ModelError, match="unknown frame property or class 'total'; known: reflexive, serial"):
        m.closed(under="total")


def test_a_large_equivalence_closure_is_a_partition() -> None:
    n = 200_000
    pairs = np.arange(n - 1)
    relation = General(np.arange(n), n, pairs[pairs % 2 == 0], pairs[pairs % 2 == 0] + 1)
    found = closure(relation, FRAME_CLASSES["S5"])
    assert isinstance(found, Partition)
    assert np.array_equal(found.canonical().labels, np.arange(n) // 2)


def test_closures_too_large_are_refused() -> None:
    n = 20_000
    chain = General(np.arange(n), n, np.arange(n - 1), np.arange(1, n))
    for wanted in ("transitive", "euclidean"):
        with pytest.raises(ModelError, match="closure over 20,000 cells is above the limit of 10,000"):
            closure(chain, frozenset({wanted}))


def test_a_private_announcement_loses_s5_and_a_belief_given_up_loses_kd45() -> None:
    start = KripkeModel.from_partitions("wv", {"a": ["wv"], "b": ["wv"]}, {"p": ["w"]})
    assert not start.lost
    told = start.update(kw.private("a", "p"))
    assert told.lost == (("b", "S5", "KD45"),)
    assert "lost b: S5 -> KD45" in repr(told)
    assert "lost b: S5 -> KD45" in str(told.point(("w", "told")))
    assert not told.update(kw.public("true")).lost
    given_up = told.announce("K_a p")
    assert len(given_up) == 1
    assert [(loss.agent, loss.before) for loss in given_up.lost] == [("b", "KD45")]
    assert not given_up.frame_class("b").serial
    assert given_up.holds("K_b false")


def test_what_was_lost_survives_copies() -> None:
    told = KripkeModel.from_partitions("wv", {"a": ["wv"], "b": ["wv"]}, {"p": ["w"]}).update(
        kw.private("a", "p")
    )
    for again in (copy.deepcopy(told), pickle.loads(pickle.dumps(told))):
        assert again == told
        assert again.lost == told.lost


def test_pairs_out_of_reach_do_not_count() -> None:
    model = KripkeModel(["w", "v"], {"a": [("w", "w"), ("v", "w")]}, {}, "w")
    assert model.classes("a") is None
    assert Numbered(model.generated()).classes("a") == [[0]]
