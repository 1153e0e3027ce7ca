"""Contraction, bisimilarity and distinguishing formulas against the definitions and the model checker."""

from fractions import Fraction
from itertools import combinations
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kripke_werewolf as kw
from kripke_werewolf.base.errors import FormulaError, ModelError, UnknownWorldError
from kripke_werewolf.logic.models import KripkeModel, bisimilar, distinguishing_formula
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.semantics.space import needs
from tests.reference.kripke import Plain
from tests.strategies import formulas, plain_models

pytestmark = pytest.mark.usefixtures("carrier")

D_FREE = (kw.Distributed, kw.DistributedWhether)


def naive_blocks(model: Plain, depth: int | None = None, *, weighted: tuple[str, ...] = ()) -> list[object]:
    """Return a label for each world: equal iff bisimilar (up to a depth), by comparing whole rows."""

    def shares(agent: str, w: object) -> frozenset[object]:
        seen = model.seen(agent, w)
        if agent not in weighted:
            return frozenset(label[v] for v in seen)
        total = sum(model.weights[agent][v] for v in seen)
        masses: dict[object, Fraction] = {}
        for v in seen:
            masses[label[v]] = masses.get(label[v], Fraction(0)) + model.weights[agent][v]
        return frozenset((b, mass / total) for b, mass in masses.items())

    label = {w: frozenset(p for p in model.true if w in model.true[p]) for w in model.worlds}
    rounds = len(model.worlds) if depth is None else depth
    for _ in range(rounds):
        rows = {w: (label[w], tuple(shares(a, w) for a in model.relations)) for w in model.worlds}
        numbers = {row: i for i, row in enumerate(dict.fromkeys(rows.values()))}
        label = {w: numbers[row] for w, row in rows.items()}
    return [label[w] for w in model.worlds]


def same_partition(left: list[object], right: list[object]) -> bool:
    return len(set(left)) == len(set(right)) == len(set(zip(left, right, strict=True)))


UNWEIGHTED = plain_models(weights=False, max_worlds=6)


@settings(max_examples=75)
@given(UNWEIGHTED)
def test_the_contraction_has_one_world_per_class_of_bisimilar_worlds(plain: Plain) -> None:
    model, labels = plain.build(), naive_blocks(plain)
    small = model.contract()
    representatives = [w for i, w in enumerate(plain.worlds) if labels[i] not in labels[:i]]
    assert list(small.worlds) == representatives
    of_label = dict(
        zip((labels[plain.worlds.index(w)] for w in representatives), representatives, strict=True)
    )
    to = {w: of_label[labels[i]] for i, w in enumerate(plain.worlds)}
    for agent, pairs in plain.relations.items():
        expected = {(to[w], to[v]) for w, v in pairs}
        assert {(small.worlds[i], small.worlds[j]) for i, j in small.arrays.pairs(str(agent))} == expected
    assert set(small.designated) == {to[w] for w in plain.designated}
    assert small.contract() == small


@given(UNWEIGHTED)
def test_the_quotient_says_where_each_world_is(plain: Plain) -> None:
    model = plain.build()
    space = model.space
    smaller, merged = space.contracted(distributed=False, probable=False)
    numbers = [smaller.members(merged(space.set_of([w]))) for w in range(len(model))]
    assert same_partition(list(map(tuple, numbers)), naive_blocks(plain))
    for atom in model.atoms:
        true = smaller.members(smaller.fact(atom))
        assert [number in true for (number,) in numbers] == Numbered(model).mask(atom).tolist()


@given(plain_models(max_worlds=4))
def test_without_weights_nobody_has_probabilities(plain: Plain) -> None:
    model = KripkeModel.from_space(plain.build().space.unweighted())
    for agent in model.agents:
        if model.relation(agent):
            with pytest.raises(ModelError, match="no probabilities"):
                model.holds(f"P_{agent}(p) >= 0")


@given(plain_models(max_worlds=6), formulas(variables=["x"]))
def test_contraction_with_weights_keeps_probabilities(plain: Plain, f: kw.Formula) -> None:
    if any(isinstance(g, D_FREE) for g in f.subformulas()):
        return
    model = plain.build()
    small = model.contract(keep_probability=True)
    for w in small.worlds:
        assert small.holds(f, at=w) == model.holds(f, at=w), str(f)


@given(UNWEIGHTED, formulas(variables=["x"]))
def test_probabilities_after_contraction_are_right_or_refused(plain: Plain, f: kw.Formula) -> None:
    if any(isinstance(g, D_FREE) for g in f.subformulas()):
        return
    model = plain.build()
    small = model.contract()
    try:
        found = small.where(f)
    except ModelError:
        assert any(isinstance(g, kw.Probability) for g in f.subformulas())
        assert len(small) < len(model)
        return
    assert found == [w for w in small.worlds if model.holds(f, at=w)]


@given(plain_models(max_worlds=6, agents=("a",)), formulas(agents=("a",), groups=False))
def test_agents_with_weights_of_their_own_keep_them(plain: Plain, f: kw.Formula) -> None:
    model = plain.build()
    if not model.weights:
        return
    small = model.contract()
    for w in small.worlds:
        assert small.holds(f, at=w) == model.holds(f, at=w), str(f)


@given(plain_models(weights=False, max_worlds=6, agents=("a", "b", "c")), st.data())
def test_contraction_can_keep_distributed_knowledge(plain: Plain, data: st.DataObject) -> None:
    f = data.draw(formulas(agents=("a", "b", "c"), probability=False))
    model = plain.build()
    small = model.contract(keep_distributed=True)
    assert len(model.contract()) <= len(small) <= len(model)
    for w in small.worlds:
        assert small.holds(f, at=w) == model.holds(f, at=w), str(f)
    for group in [g for k in (2, 3) for g in combinations("abc", k)]:
        for atom in small.atoms:
            d = kw.D(group, kw.Atom(atom))
            assert small.where(d) == [w for w in small.worlds if model.holds(d, at=w)]


@pytest.mark.parametrize("first", range(10))
def test_worlds_kept_apart_for_distributed_knowledge_stay_in_their_blocks(first: int) -> None:
    """Two coins as above, one with q, and two equal copies of a world with r: only these may be merged."""
    worlds = ["r", "v", "u", "v'", "u'", "r'", "qu", "qv", "qv'", "qu'"]
    coins = ("", "q")
    same = [[f"{q}u", f"{q}v"] for q in coins] + [[f"{q}u'", f"{q}v'"] for q in coins]
    cross = [[f"{q}u", f"{q}v'"] for q in coins] + [[f"{q}u'", f"{q}v"] for q in coins]
    alone = [["r"], ["r'"]]
    model = KripkeModel.from_partitions(
        worlds[first:] + worlds[:first],
        {"a": same + alone, "b": cross + alone},
        {atom: [w for w in worlds if name in w] for atom, name in [("p", "u"), ("q", "q"), ("r", "r")]},
    )
    small = model.contract(keep_distributed=True)
    assert {*small.worlds} | {"r", "r'"} == {*worlds}
    assert len(small) == 9
    for f in ("D_{a,b} p", "D_{a,b} q", "D_{a,b} r", "D_{a,b} (p & q)"):
        assert small.where(f) == [w for w in small.worlds if model.holds(f, at=w)]


def test_weights_of_merged_worlds_add_up() -> None:
    m = KripkeModel.from_partitions(
        [1, 2, 3, 4], {"a": [[1, 2, 3, 4]], "b": [[1, 2], [3, 4]]}, {"p": [1, 2, 3]}, [2, 4]
    )
    small = m.contract()
    assert list(small.worlds) == [1, 3, 4]  # b knows p at 1 and 2 only
    assert small.arrays.weight("a").tolist() == [2, 1, 1]
    assert small.valid("P_a(p) = 3/4")
    assert small.designated == (1, 4)


def test_cells_with_the_same_worlds_in_other_shares_merge_only_without_weights() -> None:
    cells = {"a": [["p1", "p2", "q1"], ["p3", "q2"]]}
    true = {"p": ["p1", "p2", "p3"]}
    worlds = ["p1", "p2", "q1", "p3", "q2"]
    plain = KripkeModel.from_partitions(worlds, cells, true)
    merged = plain.contract()
    assert len(merged) == 2
    assert merged.valid("M_a p & M_a ~p")
    with pytest.raises(ModelError, match="agent 'a' has no probabilities at 'p1'"):
        merged.holds("P_a(p) = 1/2")
    assert KripkeModel.from_dict(merged.to_dict()) == merged
    kept = plain.contract(keep_probability=True)
    assert list(kept.worlds) == ["p1", "q1", "p3", "q2"]
    assert kept.holds("P_a(p) = 2/3", at="p1")
    assert kept.holds("P_a(p) = 1/2", at="p3")
    fair = {"p1": 1, "p2": 1, "q1": 2, "p3": 3, "q2": 3}
    weighted = KripkeModel.from_partitions(worlds, cells, true, weights={"a": fair})
    assert len(weighted.contract()) == 2
    assert weighted.contract().valid("P_a(p) = 1/2")
    huge = {w: x * 3**100 + (w == "p3") for w, x in fair.items()}
    assert len(KripkeModel.from_partitions(worlds, cells, true, weights={"a": huge}).contract()) == 4


@given(plain_models(max_worlds=6), st.integers(0, 4), st.data())
def test_bisimilarity_up_to_a_depth_and_altogether(plain: Plain, depth: int, data: st.DataObject) -> None:
    model = plain.build()
    weighted = tuple(model.weights)
    bounded, full = naive_blocks(plain, depth, weighted=weighted), naive_blocks(plain, weighted=weighted)
    w, v = data.draw(st.sampled_from(plain.worlds)), data.draw(st.sampled_from(plain.worlds))
    i, j = plain.worlds.index(w), plain.worlds.index(v)
    again = plain.build()  # once within one model, once across two
    for other in (model, again):
        assert bisimilar(model, w, other, v, depth=depth) == (bounded[i] == bounded[j])
        assert bisimilar(model, w, other, v) == (full[i] == full[j])
        f = distinguishing_formula(model, w, other, v)
        assert (f is None) == (full[i] == full[j])
        if f is not None:
            assert model.holds(f, at=w)
            assert not other.holds(f, at=v)
            least = next(k for k in range(9) if not bisimilar(model, w, other, v, depth=k))
            assert modal_depth(f) == least


@given(
    plain_models(max_worlds=6),
    formulas(probability=False, everywhere=False, dynamic=False),
)
def test_contraction_up_to_a_depth_keeps_formulas_of_that_depth(plain: Plain, f: kw.Formula) -> None:
    model = plain.build()
    need = needs(f, model.variables)
    if need.depth < inf and not need.distributed:
        small = model.contract(depth=int(need.depth))
        assert small.verdict(f) == model.verdict(f)
        assert set(small.worlds) <= set(model.worlds)
        assert len(small) <= (need.depth + 1) * len(model)


def modal_depth(f: kw.Formula) -> int:
    inner = max(map(modal_depth, f.children), default=0)
    return inner + isinstance(f, kw.Knows | kw.Possible | kw.Probability)


@given(plain_models(weights=False, max_worlds=5), plain_models(weights=False, max_worlds=5), st.data())
def test_points_of_different_models(left: Plain, right: Plain, data: st.DataObject) -> None:
    m, n = left.build(), right.build()
    w, v = data.draw(st.sampled_from(left.worlds)), data.draw(st.sampled_from(right.worlds))
    f = distinguishing_formula(m, w, n, v)
    assert bisimilar(m, w, n, v) == (f is None) == (distinguishing_formula(n, v, m, w) is None)
    if f is not None:
        assert m.holds(f, at=w)
        assert not n.holds(f, at=v)


@given(plain_models(max_worlds=6), st.booleans(), st.booleans())
def test_a_model_is_bisimilar_to_its_contraction(plain: Plain, distributed: bool, probability: bool) -> None:
    model = plain.build()
    small = model.contract(keep_distributed=distributed, keep_probability=probability)
    for w in small.worlds:
        assert bisimilar(model, w, small, w)
        assert distinguishing_formula(small, w, model, w) is None
        if not distributed and not probability and not model.weights:
            others = [v for v in small.worlds if v != w]
            assert not any(bisimilar(small, w, small, v) for v in others)
    if not distributed:
        assert small.contract(keep_probability=probability) == small


def test_distinguishing_formulas_are_short() -> None:
    def known(*worlds: str) -> KripkeModel:
        true = {"p": ["w"], "q": [w for w in worlds if w == "u"]}
        return KripkeModel(worlds, {"a": [("w", v) for v in worlds]}, true)

    assert str(distinguishing_formula(known("w"), "w", known("w", "v"), "w")) == "K_a p"
    assert str(distinguishing_formula(known("w", "v"), "w", known("w"), "w")) == "M_a ~p"
    assert str(distinguishing_formula(known("w", "u"), "w", known("w", "v"), "w")) == "M_a q"
    ends = KripkeModel("wv", {"a": [("w", "v")]}, {})
    assert str(distinguishing_formula(ends, "w", ends, "v")) == "M_a true"
    assert str(distinguishing_formula(ends, "v", ends, "w")) == "K_a ~true"
    fair = KripkeModel.from_partitions("wv", {"a": ["wv"]}, {"p": ["w"]}, weights={"a": {"w": 1, "v": 2}})
    even = KripkeModel.from_partitions("wv", {"a": ["wv"]}, {"p": ["w"]})
    assert str(distinguishing_formula(fair, "w", even, "w")) == "P_a(p) <= 1/3"


def test_long_chains() -> None:
    size = 1200
    chain = KripkeModel.from_observations(
        range(size),
        {"a": lambda i: i // 2, "b": lambda i: (i + 1) // 2},
        lambda i: [] if i == size - 1 else ["p"],
    )
    assert len(chain.contract()) == size
    f = distinguishing_formula(chain, 0, chain, 1)
    assert f is not None
    assert chain.where(f).count(0) == 1
    assert 1 not in chain.where(f)
    assert bisimilar(chain, 0, chain, 1, depth=100)


def test_only_what_the_points_reach_is_compared() -> None:
    m = KripkeModel("wvu", {"a": [("w", "w"), ("u", "v")]}, {"p": ["w"]})
    n = KripkeModel("w", {"a": [("w", "w")]}, {"p": ["w"]})
    assert bisimilar(m, "w", n, "w")


def test_models_that_cannot_be_compared() -> None:
    m = KripkeModel("w", {"a": []}, {"p": ["w"]})
    with pytest.raises(ModelError, match="the same agents to be compared; only one of them has b"):
        bisimilar(m, "w", KripkeModel("w", {"a": [], "b": []}, {"p": []}), "w")
    with pytest.raises(ModelError, match="the same atoms to be compared; only one of them has p, q"):
        distinguishing_formula(m, "w", KripkeModel("w", {"a": []}, {"q": []}), "w")
    with pytest.raises(UnknownWorldError):
        bisimilar(m, "v", m, "w")
    with pytest.raises(FormulaError, match="depth needs a whole number"):
        bisimilar(m, "w", m, "w", depth=-1)
