"""What is typed at first for models: products, graphs and pairs are read as meant, or it is said."""

import random

import networkx as nx
import pytest

import kripke_werewolf as kw

MODEL = kw.KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]}, "w")


def random_model(chosen: random.Random) -> kw.KripkeModel:
    """Return a model of 4 worlds, in which any pairs are related."""
    worlds = [1, 2, 3, 4]
    pairs = [(w, v) for w in worlds for v in worlds]
    relations = {agent: chosen.sample(pairs, 6) for agent in "ab"}
    facts = {atom: chosen.sample(worlds, 2) for atom in "pq"}
    return kw.KripkeModel(worlds, relations, facts)


@pytest.mark.parametrize("seed", range(5))
def test_the_facts_of_nodes_are_read_in_every_spelling(seed: int) -> None:
    model = random_model(random.Random(seed))
    for spelled in (
        lambda true: {"true": true},
        lambda true: {"atoms": tuple(true)},
        lambda true: {atom: atom in true for atom in model.atoms},
        lambda true: dict.fromkeys(true, True),
    ):
        graph = nx.MultiDiGraph()
        for world in model:
            graph.add_node(world, **spelled(list(model.atoms_at(world))))
        for agent, pairs in model.relations.items():
            graph.add_edges_from((w, v, {"agent": agent}) for w, v in pairs)
        assert kw.KripkeModel.from_networkx(graph) == model


def test_an_edge_of_several_agents_and_one_of_none() -> None:
    both = nx.Graph([(1, 2, {"agents": ["a", "b"]})])
    found = kw.KripkeModel.from_networkx(both)
    assert found.agents == ("a", "b")
    assert set(found.relation("a")) == {(1, 2), (2, 1)}
    with pytest.raises(kw.errors.FormatError, match="write agent=… for label=…"):
        kw.KripkeModel.from_networkx(nx.Graph([(1, 2, {"label": "a"})]))


@pytest.mark.parametrize("seed", range(5))
def test_closed_is_named_exactly_if_it_repairs_pairs(seed: int) -> None:
    model = random_model(random.Random(seed))
    odd = any(not c.serial or (c.symmetric and not c.reflexive) for c in map(model.frame_class, model.agents))
    assert ("closed()" in repr(model)) == odd
    assert "closed()" not in repr(model.closed())
    assert "closed()" not in repr(MODEL.update(kw.private("a", "p")))


def test_signs_of_textbooks() -> None:
    told = kw.private("a", "p")
    assert MODEL * told == MODEL.update(told)
    assert MODEL.announce("p") == MODEL | "p"


def test_a_valuation_by_worlds_is_recognised_for_numbers_too() -> None:
    with pytest.raises(kw.errors.ModelError, match=r"such as \{'p': \[1\]\}; got \{1: \['p'\]\}"):
        kw.KripkeModel.from_partitions([1, 2], {"a": [[1, 2]]}, {1: ["p"]})  # type: ignore[dict-item]


def test_who_is_told_is_shown() -> None:
    assert "agents p, others" in repr(kw.private("p", "a"))
    with pytest.raises(kw.errors.UnknownAgentError, match="unknown agent '2'"):
        kw.KripkeModel.from_partitions([1, 2], {"a": [[1, 2]]}, {}).successors(2, "a")
