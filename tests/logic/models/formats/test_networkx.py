"""Models as networkx graphs and back."""

import warnings
from typing import Any

import networkx as nx
import pytest
from hypothesis import given

from kripke_werewolf import FormatError, KripkeModel, ModelError
from kripke_werewolf.logic.semantics.arrays import ArraySpace, Valuation
from kripke_werewolf.logic.semantics.cells import Partition
from kripke_werewolf.logic.semantics.worlds import Computed
from tests.strategies import plain_models

pytestmark = pytest.mark.usefixtures("carrier")


@given(plain_models())
def test_models_survive_the_round_trip(plain: Any) -> None:
    model = plain.build()
    graph = model.to_networkx()
    assert KripkeModel.from_networkx(graph) == model
    assert {(w, v, d["agent"]) for w, v, d in graph.edges(data=True)} == {
        (w, v, agent) for agent, pairs in plain.relations.items() for w, v in pairs
    }


def test_the_attributes() -> None:
    m = KripkeModel("wv", {"a": [("w", "v")], "b": [("w", "v")]}, {"p": ["w"], "q": ["w"], "r": []}, "v")
    graph = m.to_networkx()
    assert isinstance(graph, nx.MultiDiGraph)
    assert dict(graph.nodes(data=True)) == {
        "w": {"true": ["p", "q"], "designated": False},
        "v": {"true": [], "designated": True},
    }
    assert sorted(graph.edges(keys=True, data="agent")) == [("w", "v", "a", "a"), ("w", "v", "b", "b")]
    assert graph.graph == {"atoms": ["p", "q", "r"], "agents": ["a", "b"], "variables": {}}


def test_graphs_made_by_hand() -> None:
    graph = nx.DiGraph()
    graph.add_node(1, true={"p"})
    graph.add_edge(1, 2, agent=7)
    m = KripkeModel.from_networkx(graph)
    assert m == KripkeModel([1, 2], {7: [(1, 2)]}, {"p": [1]})
    assert m.designates_all
    both = KripkeModel.from_networkx(nx.Graph(graph))
    assert set(both.arrays.pairs(str(7))) == {(0, 1), (1, 0)}
    weighted = nx.MultiDiGraph()
    weighted.add_node("w", weights={"a": 2})
    weighted.add_node("v", weights={"a": "1/2"})
    weighted.add_edge("w", "v", agent="a")
    assert KripkeModel.from_networkx(weighted).arrays.weight("a").tolist() == [4, 1]


def test_bad_graphs() -> None:
    with pytest.raises(FormatError, match="expected a networkx graph, got 5"):
        KripkeModel.from_networkx(5)  # type: ignore[arg-type]
    graph = nx.DiGraph([("w", "v")])
    with pytest.raises(
        FormatError, match="edge 'w' -> 'v': no attribute 'agent'; it names who considers 'v' possible"
    ):
        KripkeModel.from_networkx(graph)
    graph = nx.DiGraph()
    graph.add_node("w", true="p")
    with pytest.raises(FormatError, match="node 'w': the attribute 'true' must be a list, got 'p'"):
        KripkeModel.from_networkx(graph)
    graph = nx.DiGraph()
    graph.add_node("w", designated=False)
    with pytest.raises(ModelError, match="at least one world must be designated"):
        KripkeModel.from_networkx(graph)
    graph = nx.DiGraph()
    graph.add_node("w", weights={"c": 1})
    with pytest.raises(LookupError, match="unknown agent 'c'"):
        KripkeModel.from_networkx(graph)


def test_models_that_make_no_graph() -> None:
    with pytest.raises(ModelError, match="networkx does not accept None"):
        KripkeModel([None], {}, {}).to_networkx()
    size = 10_000
    names = Computed(size, lambda i: i, lambda name: None)
    large = KripkeModel.from_space(
        ArraySpace(names, {"a": Partition.whole(size)}, Valuation(size, {}), {}, {})
    )
    with pytest.raises(ModelError, match="would have 100,000,000 edges, above the limit of 5,000,000"):
        large.to_networkx()


@pytest.mark.parametrize(("facts", "warns"), [({}, True), ({"true": ["p"]}, False), ({"p": False}, False)])
def test_attributes_that_are_no_atoms_are_mentioned_if_there_are_none(facts: Any, warns: bool) -> None:
    graph = nx.DiGraph()
    graph.add_node("w", label="p", **facts)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        KripkeModel.from_networkx(graph)
    assert [str(warning.message) for warning in told] == [
        "there are no atoms: a node's true=[…] lists them, and not ['label']"
    ] * warns
