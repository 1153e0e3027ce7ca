"""Relations by cells against sets of pairs."""

import pickle
from itertools import product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf.logic.semantics import cells as module
from kripke_werewolf.logic.semantics.cells import (
    General,
    Partition,
    Relation,
    _components_of,
    _pack,
    components,
    join,
    unpack,
)
from tests.logic.models.random_relations import Pairs, cell_relations, masks, pairs_of

SIZES = st.integers(0, 7)


def boxed(pairs: Pairs, inside: np.ndarray) -> list[bool]:
    return [all(inside[v] for w, v in pairs if w == world) for world in range(len(inside))]


def _common(several: list[Relation], inside: np.ndarray) -> np.ndarray:
    return join(several, np.ones(len(inside), bool)).box(inside)


def closed(pairs: Pairs) -> Pairs:
    while True:
        more = pairs | {(w, u) for (w, v), (x, u) in product(pairs, pairs) if v == x}
        if more == pairs:
            return pairs
        pairs = more


@given(st.data())
def test_edge_count_and_members(data: st.DataObject) -> None:
    relation = data.draw(SIZES.flatmap(cell_relations))
    pairs = pairs_of(relation)
    assert relation.edge_count() == len(pairs)
    assert sorted(w for cell in relation.members for w in cell.tolist()) == list(range(len(relation)))


@given(st.data())
def test_box_and_total(data: st.DataObject) -> None:
    size = data.draw(SIZES)
    relation, inside = data.draw(cell_relations(size)), data.draw(masks(size))
    pairs = pairs_of(relation)
    assert relation.box(inside).tolist() == boxed(pairs, inside)
    weights = data.draw(st.lists(st.sampled_from([0, 1, 5, 2**40, 2**80]), min_size=size, max_size=size))
    values = np.array(weights, object if max(weights, default=0) > 2**62 else np.int64)
    expected = [sum(weights[v] for w, v in pairs if w == world) for world in range(size)]
    assert relation.total(values).tolist() == expected


@given(st.data())
def test_restrict(data: st.DataObject) -> None:
    size = data.draw(SIZES)
    relation, kept = data.draw(cell_relations(size)), data.draw(masks(size))
    worlds = np.flatnonzero(kept)
    number = {w: i for i, w in enumerate(worlds.tolist())}
    expected = {(number[w], number[v]) for w, v in pairs_of(relation) if kept[w] and kept[v]}
    assert pairs_of(relation.restrict(worlds)) == expected


@given(st.data())
def test_meet_is_the_intersection(data: st.DataObject) -> None:
    size = data.draw(SIZES)
    a, b = data.draw(cell_relations(size)), data.draw(cell_relations(size))
    assert pairs_of(a.meet(b)) == pairs_of(a) & pairs_of(b)


@given(st.data())
def test_product_over_pairs_of_worlds_and_events(data: st.DataObject) -> None:
    size, count = data.draw(SIZES), data.draw(st.integers(1, 4))
    relation = data.draw(cell_relations(size))
    sight = tuple(data.draw(st.lists(st.integers(0, 2**count - 1), min_size=count, max_size=count)))
    every = [(w, e) for w in range(size) for e in range(count)]
    chosen = [pair for pair in every if data.draw(st.booleans())]
    world = np.array([w for w, _ in chosen], np.int32)
    event = np.array([e for _, e in chosen], np.int32)
    left = pairs_of(relation)
    expected = {
        (i, j)
        for i, (w, e) in enumerate(chosen)
        for j, (v, f) in enumerate(chosen)
        if (w, v) in left and sight[e] >> f & 1
    }
    assert pairs_of(relation.product(sight, world, event)) == expected


@given(st.data())
def test_the_canonical_form_is_the_relation_and_decides_equality(data: st.DataObject) -> None:
    size = data.draw(SIZES)
    a, b = data.draw(cell_relations(size)), data.draw(cell_relations(size))
    assert pairs_of(a.canonical()) == pairs_of(a) == pairs_of(a.simplest())
    assert a.same_as(b) == (pairs_of(a) == pairs_of(b))
    fine = General.from_pairs(size, pairs_of(a))
    assert a.same_as(fine)
    assert fine.same_as(a)
    assert not a.same_as(Partition.whole(size + 1))


@given(st.data())
def test_equivalences_become_partitions_and_nothing_else_does(data: st.DataObject) -> None:
    size = data.draw(SIZES)
    relation = data.draw(cell_relations(size))
    pairs = pairs_of(relation)
    reflexive = all((w, w) in pairs for w in range(size))
    equivalence = reflexive and {(v, w) for w, v in pairs} == pairs and closed(pairs) == pairs
    assert isinstance(relation.simplest(), Partition) == equivalence


@given(data=st.data())
def test_everyone_common_and_reachable(data: st.DataObject) -> None:
    size = data.draw(SIZES)
    s5 = data.draw(st.sampled_from([True, False, None]))
    several = [data.draw(cell_relations(size, s5=s5)) for _ in range(data.draw(st.integers(1, 3)))]
    inside = data.draw(masks(size))
    union = frozenset[tuple[int, int]]().union(*map(pairs_of, several))
    within = data.draw(st.one_of(masks(size), st.just(np.ones(size, bool))))
    relation = join(several, within)
    reached = closed(frozenset((w, v) for w, v in union if within[v]))
    steps = reached | {(w, u) for w, v in union if within[v] for x, u in reached if x == v}
    assert relation.box(inside).tolist() == boxed(steps, inside)
    assert relation.image(inside).tolist() == [
        any(inside[w] for w, v in steps if v == u) for u in range(size)
    ]
    if s5:
        assert pairs_of(_components_of([r for r in several if isinstance(r, Partition)])) == closed(union)


@given(st.integers(0, 2**32 - 1), st.integers(0, 60), st.integers(0, 80))
def test_components(seed: int, size: int, edges: int) -> None:
    rng = np.random.default_rng(seed)
    left, right = rng.integers(0, max(size, 1), (2, edges if size else 0))
    graph = nx.empty_graph(size)
    graph.add_edges_from(zip(left.tolist(), right.tolist(), strict=True))
    count, component = components(size, left, right)
    groups = [set(np.flatnonzero(component == number).tolist()) for number in range(count)]
    assert sorted(groups, key=min) == sorted(nx.connected_components(graph), key=min)


@pytest.mark.parametrize("directed", [False, True])
def test_common_knowledge_along_a_chain_longer_than_the_rounds(directed: bool) -> None:
    # a joins 0-1, 2-3, …; b joins 1-2, 3-4, …; with one pair taken out, a is no equivalence
    size = 101
    worlds = np.arange(size)
    a: Relation = Partition(worlds // 2, size)
    b = Partition((worlds + 1) // 2, size)
    if directed:
        a = General.from_pairs(size, pairs_of(a) - {(0, 0)})
        assert isinstance(a, General)
    for hole in (0, 50, size - 1):
        assert not _common([a, b], worlds != hole).any()
    assert _common([a, b], np.ones(size, bool)).all()
    lonely = np.append(worlds // 2, size)  # one more world, which nothing connects
    apart: list[Relation] = [
        Partition(lonely, size + 1),
        Partition(np.append((worlds + 1) // 2, size), size + 1),
    ]
    assert np.flatnonzero(_common(apart, np.arange(size + 1) != 3)).tolist() == [size]


@pytest.mark.parametrize("cells", [1, 3, 64, 65, 1000])
def test_large_partitions_box_as_small_ones_do(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # beyond a few thousand worlds coarse partitions work on bits, others in stretches
    rng = np.random.default_rng(cells)
    monkeypatch.setattr(module, "_STRETCH", 4096)
    labels = rng.integers(0, cells, 9001)
    partition = Partition(labels, cells)
    for share in (0.001, 0.5, 0.999, 1.0):
        inside = rng.random(9001) < share
        inside[labels == 0] = True
        whole = [bool(inside[labels == cell].all()) for cell in range(cells)]
        expected = np.array(whole)[labels]
        assert np.array_equal(partition.box(inside), expected)
        fine = Partition(np.arange(9001), 9001)
        assert np.array_equal(_common([partition, fine], inside), expected)
        assert np.array_equal(_common([partition, partition], inside), expected)


@given(SIZES.flatmap(masks))
def test_packing_keeps_every_bit(mask: np.ndarray) -> None:
    assert unpack(_pack(mask), len(mask)).tolist() == mask.tolist()


@given(SIZES.flatmap(cell_relations))
def test_relations_can_be_pickled(relation: Relation) -> None:
    relation.box(np.ones(len(relation), bool))
    again = pickle.loads(pickle.dumps(relation))
    assert type(again) is type(relation)
    assert pairs_of(again) == pairs_of(relation)


def test_arrays_of_a_relation_cannot_be_written() -> None:
    relation = General(np.zeros(2, int), 1, np.array([0]), np.array([0]))
    for array in (relation.labels, relation.sources, relation.targets):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
