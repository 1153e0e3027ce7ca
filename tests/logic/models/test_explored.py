"""What a person asks about a model by the names of its worlds, against dicts of sets.

The names are numbers, strings, tuples and frozensets, mixed; the worlds come in any order; models are small
(bits) and large (arrays), and symbolic. No answer may depend on any of it.
"""

import copy
import pickle
import random
from collections.abc import Hashable
from typing import Any

import pytest

import kripke_werewolf as kw
from kripke_werewolf.base.errors import ModelError, UnknownAgentError, UnknownAtomError
from kripke_werewolf.logic.semantics.explored import Accessibility, NameSet

SEEDS = range(6)
SIZES = [1, 2, 3, 7, 40, 127, 128, 129, 150]
Pairs = dict[str, set[tuple[Any, Any]]]


def names_for(size: int, rng: random.Random) -> list[Hashable]:
    """Return names of all kinds, among them 1 and "1", in any order."""
    kinds: list[Any] = [
        lambda k: k,
        str,
        lambda k: (k, "x"),
        lambda k: frozenset({k, -k - 1}),
        lambda k: ((k,),),
    ]
    found = [kind(k) for k in range(1, size // len(kinds) + 2) for kind in kinds]
    rng.shuffle(found)
    return found[:size]


def relation_for(worlds: list[Any], rng: random.Random) -> set[tuple[Any, Any]]:
    """Return an equivalence, or any relation, on the worlds."""
    if rng.random() < 0.5:
        label = {w: rng.randrange(max(1, len(worlds) // 3)) for w in worlds}
        return {(w, v) for w in worlds for v in worlds if label[w] == label[v]}
    return {(w, v) for w in worlds for v in rng.sample(worlds, min(len(worlds), rng.randrange(4)))}


def drawn(size: int, seed: int) -> tuple[list[Any], Pairs, dict[str, set[Any]], set[Any]]:
    rng = random.Random(1000 * size + seed)
    worlds = names_for(size, rng)
    relations = {agent: relation_for(worlds, rng) for agent in ("a", "b", "3")}
    true = {atom: set(rng.sample(worlds, rng.randrange(size + 1))) for atom in ("p", "q")}
    return worlds, relations, true, set(rng.sample(worlds, rng.randrange(1, size + 1)))


def steps(pairs: set[tuple[Any, Any]], start: set[Any]) -> set[Any]:
    found: set[Any] = set()
    new = start
    while new:
        new = {v for w, v in pairs if w in new} - found
        found |= new
    return found


def classes_of(worlds: list[Any], pairs: set[tuple[Any, Any]]) -> set[frozenset[Any]] | None:
    seen = {w: frozenset(v for x, v in pairs if x == w) for w in worlds}
    return (
        set(seen.values())
        if all(w in seen[w] and all(seen[v] == seen[w] for v in seen[w]) for w in worlds)
        else None
    )


def check(model: Any, worlds: list[Any], relations: Pairs, true: dict[str, set[Any]]) -> None:
    """Check everything that a person can ask about a model."""
    rng = random.Random(0)
    some = rng.sample(worlds, min(5, len(worlds)))
    assert set(model) == set(worlds)
    assert len(model) == len(worlds)
    assert all(w in model for w in worlds)
    assert "nowhere" not in model
    assert ["no list is a name"] not in model
    for agent, pairs in relations.items():
        relation = model.relation(agent)
        assert relation == pairs
        assert pairs == set(relation)
        assert relation == model.relations[agent]
        assert len(relation) == len(pairs)
        assert relation != pairs ^ {(worlds[0], worlds[-1])}
        assert relation <= pairs | {(worlds[0], "nowhere")}
        assert ("nowhere", worlds[0]) not in relation
        cells = relation.classes
        assert cells == model.classes(agent)
        assert (None if cells is None else set(map(frozenset, cells))) == classes_of(worlds, pairs)
        for w in some:
            assert model.successors(agent, w) == {v for x, v in pairs if x == w} == relation.successors(w)
            assert model.predecessors(agent, w) == {x for x, v in pairs if v == w}
            assert model[w].sees[agent] == model.successors(agent, w)
    for w in some:
        assert set(model[w].atoms) == {atom for atom, there in true.items() if w in there}
        group = rng.sample(sorted(relations), rng.randrange(1, len(relations) + 1))
        union = set().union(*(relations[agent] for agent in group))
        reached = model.reachable(group, w)
        assert reached == steps(union, {w})
        for atom in true:
            assert model.holds(kw.C(group, kw.Atom(atom)), at=w) == (reached <= model.valuation[atom])
    for atom, there in true.items():
        assert model.valuation[atom] == there
        assert there == model.valuation[atom]
        assert set(model.where(kw.Atom(atom))) == there
    with pytest.raises(UnknownAgentError):
        model.relations["nobody"]
    with pytest.raises(UnknownAtomError):
        model.valuation["rain"]
    assert model.relations.get("nobody") is None
    assert dict(model.relations).keys() == relations.keys()


@pytest.mark.parametrize("size", SIZES)
def test_a_model_answers_by_names(size: int) -> None:
    for seed in SEEDS if size < 50 else (0, 1):
        worlds, relations, true, points = drawn(size, seed)
        model = kw.KripkeModel(worlds, relations, true, points)
        check(model, worlds, relations, true)
        assert list(model) == worlds
        order = random.Random(seed).sample(worlds, size)
        again = kw.KripkeModel(order, relations, true, points)
        assert again == model
        assert hash(again) == hash(model)
        assert pickle.loads(pickle.dumps(model)) == model
        called = {w: ("new", w) for w in worlds}
        renamed = kw.KripkeModel(
            list(called.values()),
            {a: {(called[w], called[v]) for w, v in pairs} for a, pairs in relations.items()},
            {atom: {called[w] for w in there} for atom, there in true.items()},
            [called[w] for w in points],
        )
        for agent in relations:
            for w in worlds[:4]:
                assert renamed.successors(agent, called[w]) == {called[v] for v in model.successors(agent, w)}
        assert (renamed == model) is False
        assert all(kw.bisimilar(model, w, renamed, called[w]) for w in worlds[:2])


@pytest.mark.parametrize("size", [4, 40, 150])
def test_replaced_parts(size: int) -> None:
    worlds, relations, true, points = drawn(size, 0)
    weights = {"a": {w: k + 1 for k, w in enumerate(worlds)}}
    relations["a"] |= {(w, w) for w in worlds}
    model = kw.KripkeModel(worlds, relations, true, points, weights=weights)
    assert model.replace() == model
    assert model.weights == weights
    assert model.replace(designated=worlds[0]) == model.point(worlds[0])
    assert model.replace(designated=None).designates_all
    other = {**relations, "b": {(worlds[0], worlds[-1])}}
    assert model.replace(relations=other) == kw.KripkeModel(worlds, other, true, points, weights=weights)
    mixed = {**model.relations, "b": model.relation("a")}
    assert model.replace(relations=mixed).relation("b") == model.relation("a")
    if hasattr(copy, "replace"):
        assert copy.replace(model, valuation={}) == kw.KripkeModel(
            worlds, relations, {}, points, weights=weights
        )
    with pytest.raises(TypeError, match="KripkeModel cannot replace colour; its parts are worlds, relations"):
        model.replace(colour=1)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_structure_answers_by_its_states(seed: int) -> None:
    rng = random.Random(seed)
    atoms = "pqr"
    law = rng.choice(["true", "p | q", "~(p & q & r)", "p <-> q"])
    seen = {agent: rng.sample(atoms, rng.randrange(4)) for agent in ("a", "b")}
    structure = kw.KnowledgeStructure(atoms, law, seen)
    explicit = structure.to_explicit()
    states = list(explicit)
    relations = {
        agent: {(w, v) for w in states for v in states if w & set(known) == v & set(known)}
        for agent, known in seen.items()
    }
    true = {atom: {w for w in states if atom in w} for atom in atoms}
    for model in (structure, explicit):
        check(model, states, relations, true)
    assert structure == kw.KnowledgeStructure(atoms, law, seen)
    assert (
        structure != kw.KnowledgeStructure(atoms, law, {**seen, "a": set(atoms) - set(seen["a"])})
        or len(states) < 2
    )
    kept = [w for w in states if "p" not in w] or states[:1]
    assert structure.restrict(kept).to_explicit() == explicit.restrict(kept)
    belief = kw.BeliefStructure(atoms, law, {"a": "p'", "b": "q <-> r'"})
    there = belief.to_explicit()
    arrows = {agent: set(there.relation(agent)) for agent in ("a", "b")}
    assert arrows["a"] == {(w, v) for w in states for v in states if "p" in v}
    check(belief, states, arrows, true)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_action_answers_by_its_events(seed: int) -> None:
    rng = random.Random(seed)
    events = names_for(rng.randrange(1, 9), rng)
    relations = {agent: relation_for(events, rng) for agent in ("a", "b")}
    others = relation_for(events, rng)
    action = kw.ActionModel({e: kw.Event("p") for e in events}, relations, events[:1], others=others)
    assert (list(action), len(action), action.agents) == (events, len(events), ("a", "b"))
    assert all(action[e] == kw.Event("p") for e in action)
    assert action.others == others
    assert "nothing of this name" not in action
    for agent, pairs in {**relations, "stranger": others}.items():
        assert action.relation(agent) == pairs
        cells = action.classes(agent)
        assert (None if cells is None else set(map(frozenset, cells))) == classes_of(events, pairs)
        for e in events:
            assert action.successors(agent, e) == {f for x, f in pairs if x == e}
            assert action.predecessors(agent, e) == {x for x, f in pairs if f == e}
            assert action.reachable([agent], e) == steps(pairs, {e})
    assert pickle.loads(pickle.dumps(action)) == action == action.replace()
    assert action.replace(designated=events).designated == tuple(events)
    closed = kw.ActionModel(dict.fromkeys(events, True), relations)
    with pytest.raises(UnknownAgentError, match="give 'c' a relation there"):
        closed.successors("c", events[0])


def test_a_history_answers_by_the_names_of_its_steps() -> None:
    start = kw.KripkeModel.from_partitions("wv", {"a": ["wv"]}, {"p": ["w"]}, "w")
    history = kw.History(start).then("p", name="father speaks").then("K_a p").then("K_a p")
    assert [step.name for step in history] == ["father speaks", "!K_a p", "!K_a p"]
    assert history["father speaks"].model == start.announce("p")
    assert "father speaks" in history
    assert "mother speaks" not in history
    assert pickle.loads(pickle.dumps(history)) == history
    for name in ("mother speaks", "!K_a p"):
        with pytest.raises(ModelError, match=r"the history has .* step.*history.at\(1\)"):
            history[name]


def test_a_table_answers_by_rows_and_cells() -> None:
    table = kw.QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, seers=1).table()
    assert list(table) == ["Ann", "Bo", "Cy"]
    assert all(table[name][column] == table[name, column] for name in table for column in table[name])
    for key in ("An", ("Ann", "werewolv"), ("An", "werewolf")):
        with pytest.raises(kw.UnknownNameError, match="did you mean"):
            table[key]
    with pytest.raises(kw.GameError, match=r"a row is table.name., a cell is"):
        table["Ann", "werewolf", "seer"]


def test_how_sets_and_relations_read() -> None:
    m = kw.KripkeModel(range(200), {"a": [(w, w + 1) for w in range(199)]}, {"p": range(100)})
    assert repr(m.valuation["p"]) == "{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, … (100 in all)}"
    assert repr(m.relation("a")).startswith("<Accessibility: a: 0 → 1, 1 → 2,")
    assert repr(m.relation("a")).endswith("11 → 12, … (199 in all)>")
    assert repr(m.for_agents("a", []).closed("a").relation("a")).endswith("… (200 in all)}>")
    assert m.valuation["p"] & {1, 300} == {1}
    assert len({m.valuation["p"], NameSet(range(100)), frozenset(range(100))}) == 1
    assert isinstance(m.relation("a") - {(0, 1)}, NameSet)
    assert not isinstance(m.relation("a") - {(0, 1)}, Accessibility)


def test_worlds_after_a_thousand_updates_are_named_by_the_last_event():
    model = kw.KripkeModel.from_partitions("wv", {"a": ["wv"], "b": ["wv"]}, {"p": ["w"]}, "w")
    for turn in range(1200):
        model = model.update(kw.private("ab"[turn % 2], "p")).contract()
    assert "designated (…, 'told')" in repr(model)
    assert repr(model.worlds).startswith("((…, 'told'), ")
    assert "(…, 'told') → (…, 'nothing')" in repr(model.relation("a"))
    assert repr(model[model.worlds[0]]).startswith("<PossibleWorld: (…, 'told'): p true; ")
