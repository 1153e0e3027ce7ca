"""Arrows that follow by transitivity are left out where they are many, and every picture tells them."""

import random
from functools import cache
from itertools import permutations

import pytest

import visualise
from kripke_werewolf import KripkeModel
from tests.visualise.reader import Pair, closed
from tests.visualise.test_faithful import PICTURES, assert_shows
from visualise.measures import measured
from visualise.reading import Ties


def random_order(seed: int) -> tuple[int, set[Pair]]:
    """Return a transitive relation among some worlds: of all, of some or of no worlds to themselves."""
    rng = random.Random(seed)
    size = rng.randrange(4, 9)
    pairs = {(i, j) for i in range(size) for j in range(i, size) if rng.random() < 0.35 and i != j}
    pairs |= {(j, i) for i, j in pairs if rng.random() < 0.15}
    pairs |= {(i, i) for i in range(size) if rng.random() < (0, 0.5, 1)[seed % 3]}
    return size, closed(pairs)


@cache
def ordered(seed: int) -> KripkeModel:
    """Return a model of one agent with an order, and one with an equivalence."""
    size, pairs = random_order(seed)
    worlds = [f"w{k}" for k in range(size)]
    halves = [(u, v) for i, u in enumerate(worlds) for j, v in enumerate(worlds) if i % 2 == j % 2]
    relations = {"a": [(worlds[i], worlds[j]) for i, j in pairs], "b": halves}
    return KripkeModel(worlds, relations, {"p": worlds[::3]}, worlds[:1])


def test_the_arrows_drawn_are_as_few_as_tell_the_relation() -> None:
    for seed in range(60):
        size, pairs = random_order(seed)
        sees = [tuple(sorted(j for h, j in pairs if h == i)) for i in range(size)]
        drawn, loops = Ties("a", sees, None, ordered=True).pairs, {(i, j) for i, j in pairs if i == j}
        assert closed(drawn) | loops == pairs, seed
        one_way = [pair for pair in drawn if pair[::-1] not in pairs]
        assert all(closed(drawn - {pair}) | loops != pairs for pair in one_way), seed


@pytest.mark.parametrize("written", PICTURES)
def test_every_picture_tells_the_whole_order(written: str) -> None:
    shorter = 0
    for seed in range(12):
        scene = visualise.picture(ordered(seed), edge_labels=seed % 2 == 1)
        assert_shows(ordered(seed), PICTURES[written](scene))
        assert not measured(scene).behind
        shorter += any("follow by transitivity" in note.text[0].text for note in scene.notes)
    assert shorter > 4


def chain(names: str) -> KripkeModel:
    arrows = [(u, v) for i, u in enumerate("uvwxy") for v in "uvwxy"[i:]]
    return KripkeModel(list(names), {"a": arrows}, {"p": ["y"]}, ["u"])


def test_a_chain_is_a_chain_in_any_order_of_its_worlds() -> None:
    for names in random.Random(1).sample(list(permutations("uvwxy")), 6):
        scene = visualise.picture(chain("".join(names)))
        ends = {frozenset(scene.nodes[k].world for k in (e.source, e.target)) for e in scene.edges}
        assert ends == {frozenset(pair) for pair in ("uv", "vw", "wx", "xy")}


def test_all_arrows_are_drawn_where_they_are_asked_for_or_something_is_lost() -> None:
    model = chain("uvwxy")
    assert len(visualise.picture(model, edges="full").edges) == 10
    assert len(visualise.picture(model, explain="K_a p").edges) == 10
    lost = visualise.difference(model, model.announce("p | M_a ~p & M_a p"))
    assert len(lost.edges) == 10
    assert "follow by transitivity" not in " ".join(note.text[0].text for note in lost.notes)


def test_few_arrows_are_all_drawn() -> None:
    arrows = [(u, v) for i, u in enumerate("uvw") for v in "uvw"[i + 1 :]]
    assert len(visualise.picture(KripkeModel(list("uvw"), {"a": arrows}, {}, ["u"])).edges) == 3
