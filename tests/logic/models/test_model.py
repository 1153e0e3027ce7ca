"""Models: construction, errors, and equality."""

import copy
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kripke_werewolf as kw
from kripke_werewolf.base.errors import (
    FormulaError,
    ModelError,
    ModelTooLarge,
    UnknownAgentError,
    UnknownAtomError,
    UnknownWorldError,
)
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.semantics.arrays import ArraySpace, Valuation
from kripke_werewolf.logic.semantics.cells import Partition
from kripke_werewolf.logic.semantics.worlds import Computed
from tests.cases import cases
from tests.reference.kripke import Plain
from tests.reference.kripke import plain as as_sets
from tests.strategies import formulas, plain_models

pytestmark = pytest.mark.usefixtures("carrier")


def small(**changes: Any) -> KripkeModel:
    parts: dict[str, Any] = {
        "worlds": ["w", "v", "u"],
        "relations": {"a": [("w", "v"), ("v", "v")], 2: []},
        "valuation": {"p": ["w"], "q": []},
        "designated": "w",
        "weights": {"a": {"w": 1, "v": 2, "u": 3}},
        "variables": {"x": {"yes": "p", "no": "~p"}},
    }
    return KripkeModel(**(parts | changes))


def test_the_parts() -> None:
    m = small()
    assert len(m) == 3
    assert list(m.worlds) == ["w", "v", "u"]
    assert m.agents == ("a", "2")
    assert m.atoms == ("p", "q")
    assert m.designated == ("w",)
    assert Numbered(m).points == [0]
    assert m.atoms_at("w") == ("p",)
    assert m.valuation["p"] == {"w"}
    assert set(m.arrays.pairs(str(2))) == set()
    assert set(m.arrays.pairs("a")) == {(0, 1), (1, 1)}
    assert {v: str(f) for v, f in m.variables["x"].items()} == {"yes": "p", "no": "~p"}


@given(plain_models())
def test_building_from_sets_and_back(plain: Any) -> None:
    back = as_sets(plain.build())
    assert (back.worlds, back.relations, back.true, back.designated) == (
        plain.worlds, plain.relations, plain.true, plain.designated,
    )  # fmt: skip


def test_designated_worlds() -> None:
    assert small(designated=None).designated == ("w", "v", "u")
    assert small(designated=None).designates_all
    assert small(designated=["u", "w", "u"]).designated == ("w", "u")
    pairs = KripkeModel([(1, 2), 1, 2], {}, {}, (1, 2))
    assert pairs.designated == ((1, 2),)  # the world of that name, not two worlds
    assert KripkeModel([(1, 2), 1, 2], {}, {}, [1, 2]).designated == (1, 2)
    assert small().point("u", "v").designated == ("v", "u")
    assert small().point("u") == small(designated="u")
    for bad in ("x", ["w", "x"], 5, ("w", "x")):
        with pytest.raises(UnknownWorldError):
            small(designated=bad)
    with pytest.raises(ModelError, match="at least one world must be designated"):
        small(designated=[])
    with pytest.raises(ModelError, match="name at least one world to designate"):
        small().point()


@cases(
    ({"worlds": 5}, ModelError, "the worlds must be a collection of names, got 5"),
    ({"relations": {"a": [("w", "x")]}}, UnknownWorldError, "unknown world 'x' in the relation of agent 'a'"),
    ({"relations": {"": []}}, FormulaError, "an agent is a nonempty name or a number; got ''"),
    ({"relations": {1: [], "1": []}}, ModelError, "agent '1' is given twice"),
    (
        {"valuation": {"p": "w"}},
        ModelError,
        "the worlds where 'p' is true must be a collection, such as \\['w'\\]; got 'w'",
    ),
    ({"valuation": {"": []}}, ModelError, "an atom needs a nonempty name, got ''"),
    ({"variables": {"x": {}}}, FormulaError, "variable 'x' needs at least one value"),
)
def test_bad_parts(changes: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        small(**{"weights": None} | changes)


def test_bad_observations() -> None:
    with pytest.raises(
        ModelError, match=r"agent 'a' observes \[1\] at 'w', which cannot be compared by hash"
    ):
        KripkeModel.from_observations("wv", {"a": lambda w: [1]}, lambda w: [])  # type: ignore[dict-item, return-value]
    for atoms in ("rain", None):
        with pytest.raises(ModelError, match="the atoms true at 'w' must be a collection, got"):
            KripkeModel.from_observations("wv", {}, lambda w, a=atoms: a)  # type: ignore[misc]


def test_classes() -> None:
    m = KripkeModel.from_partitions([1, 2, 3], {"a": [[1, 3], [], [2]], "b": [{1, 2, 3}]}, {"p": [1]})
    assert m.arrays.relations["a"].same_as(Partition(np.array([0, 1, 0]), 2))
    assert m.arrays.relations["b"].same_as(Partition.whole(3))
    for classes, message in [
        ([[1, 2], [2, 3]], "world 2 is in more than one class of agent 'a', or twice in one"),
        ([[1, 1], [2, 3]], "world 1 is in more than one class of agent 'a', or twice in one"),
        ([[1, 2]], "world 3 is in no class of agent 'a'; every world must be in one"),
        ([1, 2, 3], "a class of agent 'a' must be a collection of worlds, got 1"),
        (5, "the classes of agent 'a' must be a collection, got 5"),
    ]:
        with pytest.raises(ModelError, match=message):
            KripkeModel.from_partitions([1, 2, 3], {"a": classes}, {})  # type: ignore[dict-item]
    with pytest.raises(UnknownWorldError):
        KripkeModel.from_partitions([1, 2, 3], {"a": [[1, 2, 3, 4]]}, {})


@given(st.lists(st.integers(0, 2), min_size=1, max_size=6), st.sets(st.integers(0, 5)))
def test_every_way_to_build_a_model_gives_the_same(cells: list[int], true: set[int]) -> None:
    worlds = list(range(len(cells)))
    here = [w for w in worlds if w in true]
    classes = [[w for w in worlds if cells[w] == cell] for cell in {*cells}]
    pairs = [(w, v) for w in worlds for v in worlds if cells[w] == cells[v]]
    ways = [
        KripkeModel(worlds, {"a": pairs}, {"p": here}, 0),
        KripkeModel(iter(worlds), {"a": iter(pairs)}, {"p": iter(here)}, [0]),
        KripkeModel.from_partitions(worlds, {"a": classes}, {"p": here}, 0),
        KripkeModel.from_partitions(worlds, {"a": map(iter, classes)}, {"p": frozenset(here)}, 0),
        KripkeModel.from_partitions(worlds, {"a": {frozenset(c) for c in classes}}, {"p": {*here}}, 0),
        KripkeModel.from_observations(
            worlds, {"a": cells.__getitem__}, lambda w: ["p"] if w in true else [], 0, atoms="p"
        ),
    ]
    first = ways[0]
    ways += [KripkeModel.from_dict(first.to_dict()), KripkeModel.from_networkx(first.to_networkx())]
    ways += [pickle.loads(pickle.dumps(m)) for m in ways]
    known = [w for w in worlds if {v for x, v in pairs if x == w} <= {*here}]
    for m in ways:
        assert m == first
        assert hash(m) == hash(first)
        assert m.where("K_a p") == known
        assert [m.holds("K_a p", at=w) for w in worlds] == [w in known for w in worlds]


def test_changes_of_what_was_given_change_no_model() -> None:
    worlds, classes, true, designated = [1, 2], {"a": [[1], [2]]}, {"p": [1]}, [1]
    pairs = {"a": [(1, 2)]}
    before = [
        KripkeModel.from_partitions(worlds, classes, true, designated),
        KripkeModel(worlds, pairs, true, designated),
    ]
    expected = [copy.deepcopy(m) for m in before]
    worlds.append(3)
    classes["a"][0].append(3)
    classes["b"] = [[1, 2, 3]]
    true["p"].append(2)
    pairs["a"].clear()
    designated.clear()
    assert before == expected
    assert [m.where("K_a p") for m in before] == [[1], [2]]


def test_observations() -> None:
    worlds = [(x, y) for x in range(3) for y in range(2)]
    m = KripkeModel.from_observations(
        worlds,
        {"a": lambda w: w[0], 7: lambda w: sum(w), "blind": lambda w: None},
        lambda w: ["p"] if w[0] else [],
        (1, 1),
        atoms=["q"],
    )
    for agent, see in (("a", lambda w: w[0]), (7, sum), ("blind", lambda w: 0)):
        expected = {(i, j) for i, w in enumerate(worlds) for j, v in enumerate(worlds) if see(w) == see(v)}
        assert set(m.arrays.pairs(str(agent))) == expected
    assert m.atoms == ("q", "p")
    assert m.where("p | q") == [w for w in worlds if w[0]]
    assert m.designated == ((1, 1),)


def test_unknown_names() -> None:
    m = small()
    with pytest.raises(UnknownAgentError, match="unknown agent 'b'"):
        m.relation("b")
    with pytest.raises(UnknownAtomError, match="unknown atom 'P'; did you mean 'p'"):
        m.valuation["P"]
    with pytest.raises(UnknownWorldError, match="unknown world 'x'"):
        m.atoms_at("x")
    with pytest.raises(UnknownWorldError, match="unknown world 'x'"):
        m.holds("p", at="x")


def test_models_cannot_be_changed() -> None:
    m = small()
    for name in ("names", "relations", "_designated", "anything"):
        with pytest.raises(AttributeError):
            setattr(m, name, None)
    with pytest.raises(ValueError, match="read-only"):
        m.arrays.valuation["p"][0] = False


@cases(
    {"worlds": ["w", "v", "x"], "weights": {"a": {"w": 1, "v": 2, "x": 3}}},
    {"relations": {"a": [("w", "v")], 2: []}},
    {"relations": {"a": [("w", "v"), ("v", "v")], 3: []}},
    {"valuation": {"p": ["v"], "q": []}},
    {"valuation": {"p": ["w"]}},
    {"designated": None},
    {"weights": None},
    {"variables": None},
    {"variables": {"x": {"yes": "p", "no": "q"}}},
)
def test_models_that_differ_in_one_part(changes: dict[str, Any]) -> None:
    assert small() != small(**changes)


def test_equal_models() -> None:
    assert small() == small()
    assert small() != 3
    assert hash(small()) == hash(small())
    again = small(
        relations={"2": [], "a": [("v", "v"), ("w", "v"), ("w", "v")]},
        valuation={"q": [], "p": ["w"]},
        weights={"a": {"w": "1/6", "v": "1/3", "u": "1/2"}},
    )
    assert again == small() == small(worlds=["v", "u", "w"])
    assert hash(again) == hash(small()) == hash(small(worlds=["v", "u", "w"]))
    pairs = [(w, v) for w in "wv" for v in "wv"]
    assert KripkeModel("wv", {"a": pairs}, {}) == KripkeModel.from_partitions("wv", {"a": ["wv"]}, {})
    everywhere = KripkeModel("wv", {}, {}, ["w", "v"])
    assert everywhere == KripkeModel("wv", {}, {})
    assert not everywhere.designates_all


def test_a_space_of_arrays_is_taken_as_it_is() -> None:
    size = 1_000_000
    labels = np.arange(size, dtype=np.int32) // 2
    names = Computed(size, lambda i: f"w{i}", lambda name: int(str(name)[1:]))
    valuation = Valuation(size, {"p": lambda: np.arange(size) % 3 == 0})
    space = ArraySpace(names, {"a": Partition(labels, size // 2)}, valuation, {}, {})
    m = KripkeModel.from_space(space, np.isin(np.arange(size), [0, 9]))
    assert m.arrays.relations["a"].labels is labels
    assert m.designated == ("w0", "w9")
    assert int(Numbered(m).mask("K_a ~p").sum()) == 2 * 166_666  # every third pair has no multiple of 3
    assert len(m.announce("p")) == 333_334
    assert m.announce("p").designated == ("w0", "w9")


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_copies(again: Any) -> None:
    m = small()
    assert again(m) == m
    after = m.update(kw.whether("p"))
    assert again(after) == after
    assert again(after).holds("Kw_a p") == after.holds("Kw_a p")


def test_how_models_read() -> None:
    told = "agents a (K45), 2 (KB5); atoms p, q; designated 'w'; closed() makes the relations S5"
    assert repr(small()) == f"<KripkeModel: 3 worlds; {told}>"
    assert repr(KripkeModel("w", {}, {})) == "<KripkeModel: 1 world; agents -; atoms -; designated all>"
    many = KripkeModel(range(2000), {}, {f"p{i}": [] for i in range(20)}, range(10))
    assert repr(many).startswith("<KripkeModel: 2,000 worlds; agents -; atoms p0, ")
    assert repr(many).endswith("p11, …; designated 0, 1, 2, 3, …>")


@given(plain_models(), st.data())
def test_submodels(plain: Any, data: st.DataObject) -> None:
    m = plain.build()
    kept = data.draw(st.lists(st.sampled_from(plain.worlds), min_size=1, unique=True).map(sorted))
    expected = KripkeModel(
        kept,
        {a: [(w, v) for w, v in pairs if w in kept and v in kept] for a, pairs in plain.relations.items()},
        {p: [w for w in true if w in kept] for p, true in plain.true.items()},
        variables=plain.variables,
    )
    if plain.designated.isdisjoint(kept):
        with pytest.raises(ModelError, match="no designated world is left of"):
            m.restrict(kept)
        m = m.point(kept[0])
        assert m.restrict(kept).designated == (kept[0],)
        return
    part = m.restrict(kept)
    assert part == m.restrict(kept[::-1])
    assert set(part.designated) == {w for w in plain.designated if w in kept}
    for agent in m.agents:
        assert part.relation(agent) == expected.relation(agent)
        ours, all_ours = part.weights.get(agent), m.weights.get(agent)
        assert ours is None or all_ours is None or ours == {w: all_ours[w] for w in part}
    assert [part.atoms_at(w) for w in kept] == [expected.atoms_at(w) for w in kept]


@given(plain_models())
def test_the_generated_submodel_is_what_the_designated_worlds_reach(plain: Any) -> None:
    reached = set(plain.designated)
    while True:
        more = {v for pairs in plain.relations.values() for w, v in pairs if w in reached} - reached
        if not more:
            break
        reached |= more
    part = plain.build().generated()
    assert list(part.worlds) == [w for w in plain.worlds if w in reached]
    assert set(part.designated) == set(plain.designated)


def test_updates_that_would_be_too_large_are_refused_before() -> None:
    m = KripkeModel.from_partitions(range(100), {"a": [range(100)]}, {"p": range(50)})
    with pytest.raises(ModelTooLarge, match="would have 150 worlds, above the limit of 149") as caught:
        m.update(kw.private("a", "p"), limit=149)
    assert (caught.value.worlds, caught.value.limit) == (150, 149)
    assert len(m.update(kw.private("a", "p"), limit=150)) == 150


@given(plain_models(), formulas(agents=("b",), atoms=("p", "q"), quantifiers=False))
def test_the_part_for_some_agents_and_atoms_says_the_same_of_them(plain: Plain, f: kw.Formula) -> None:
    model = plain.build()
    part = model.for_agents(["b"], ["q", "p"])
    assert (part.agents, set(part.atoms), part.worlds) == (("b",), {"p", "q"}, model.worlds)
    assert part.where(f) == model.where(f)
    assert part.designated == model.designated


def test_truth_values_are_no_worlds_unless_worlds_have_such_names() -> None:
    for names in (["True", "False"], [True, False]):
        assert list(KripkeModel(names, {}, {"p": names}).where("p")) == names
    with pytest.raises(ModelError, match="if true]"):
        KripkeModel(["w", "v"], {}, {"p": np.array([True, False])})


def test_worlds_that_there_are_not() -> None:
    model = KripkeModel.from_partitions("wv", {"a": ["wv"]}, {"p": ["w"]})
    for worlds in (["u"], [0], [["w"]], ["w", "wv"], "wv", 1):
        with pytest.raises(UnknownWorldError, match=r"unknown world .*(known: w, v)"):
            model.restrict(worlds)
    with pytest.raises(ModelError, match="keep at least one world"):
        model.restrict([])
    for world in (-1, 0, "u", ("w",), ["w"]):
        with pytest.raises(UnknownWorldError, match=r"unknown world .*(known: w, v)"):
            model.successors("a", world)
    numbered = KripkeModel.from_partitions([0, 1], {"a": [[0, 1]]}, {})
    with pytest.raises(UnknownWorldError, match="unknown world '0'; did you mean 0, without quotes"):
        numbered.successors("a", "0")


def test_a_model_may_be_asked_while_its_form_changes() -> None:
    # an announcement leaves gaps between the worlds of a small model; to look at it closes them
    start = KripkeModel.from_partitions(range(8), {"a": [range(8)]}, {"p": [1, 4, 7], "q": [4, 6]}, 4)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            for _ in range(150):
                model = start.announce("p")
                looks = [pool.submit(lambda m: Numbered(m).mask("p"), model) for _ in range(2)]
                found = [pool.submit(model.where, "p & q | ~M_a q") for _ in range(4)]
                held = [pool.submit(model.holds, "q & p") for _ in range(4)]
                assert all(look.result().tolist() == [True] * 3 for look in looks)
                assert all(worlds.result() == [4] for worlds in found)
                assert all(value.result() for value in held)
    finally:
        sys.setswitchinterval(interval)
