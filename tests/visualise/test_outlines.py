"""Outlines around the worlds that belief leads to: they hold these worlds and no others, in every format."""

import random
from functools import cache
from math import dist
from typing import Any

import pytest

import visualise
from kripke_werewolf import KripkeModel, private
from tests.visualise.sheet import belief, classes, product
from tests.visualise.test_faithful import PICTURES, assert_shows, coin
from visualise import Scene
from visualise.geometry import inside_polygon, sampled
from visualise.measures import behind, measured
from visualise.scene import Node

BELIEFS = {
    "private": coin().update(private("b", "h")),
    "secrets": coin().update(private("a", "h")).update(private("b", "h")),
    "suspected": product(1, "abc", 2),
    **{f"random {seed}": belief(seed, 3 + seed % 5, "abc"[: 1 + seed % 3]) for seed in range(40, 48)},
    "product": product(60, "abc", 2),
}


def rim(node: Node) -> list[tuple[float, float]]:
    (x, y), (rx, ry) = node.position, node.half
    return [(x, y), (x - rx, y), (x + rx, y), (x, y - ry), (x, y + ry)]


@cache
def outlined(*, labels: bool = False) -> dict[str, Scene]:
    scenes = {name: visualise.picture(model, edge_labels=labels) for name, model in BELIEFS.items()}
    return {name: scene for name, scene in scenes.items() if scene.hulls}


def test_a_world_is_inside_an_outline_just_if_it_is_a_member() -> None:
    scenes = outlined()
    assert len(scenes) > len(BELIEFS) / 2
    for scene in scenes.values():
        for hull in scene.hulls:
            for number, node in enumerate(scene.nodes):
                inside = {inside_polygon(hull.outline)(spot) for spot in rim(node)}
                assert inside == {number in hull.members}


def test_no_text_of_another_world_is_inside_an_outline_that_can_do_without() -> None:
    boxes = foreign = 0
    for scene in outlined().values():
        for hull in scene.hulls:
            inside = inside_polygon(hull.outline)
            others = (node for number, node in enumerate(scene.nodes) if number not in hull.members)
            for box in filter(None, (node.label_box for node in others)):
                boxes += 1
                foreign += any(map(inside, [*box.corners, box.centre]))
    assert boxes > 100 * foreign


def test_an_arrow_to_an_outline_ends_at_it_and_no_line_passes_behind_a_world() -> None:
    for name, scene in outlined().items():
        assert not behind(scene)
        sees = {agent: dict[int, set[int]]() for agent in scene.agents}
        for agent in scene.agents:
            for w, world in enumerate(BELIEFS[name].worlds):
                seen = BELIEFS[name].successors(agent, world)
                sees[agent][w] = {k for k, v in enumerate(BELIEFS[name].worlds) if v in seen}
        for edge in scene.edges:
            for hull in scene.hulls:
                if hull.agent in edge.agents and (edge.source in hull.members) != (
                    edge.target in hull.members
                ):
                    end = edge.curve[-1] if edge.target in hull.members else edge.curve[0]
                    corners = sampled_outline(hull.outline)
                    assert min(dist(end, corner) for corner in corners) < 3
                    other = edge.source if edge.target in hull.members else edge.target
                    assert sees[hull.agent][other] == set(hull.members)


def sampled_outline(outline: tuple[Any, ...]) -> list[tuple[float, float]]:
    sides = zip(outline, [*outline[1:], outline[0]], strict=True)
    return [spot for side in sides for spot in sampled(side, 33)]


@pytest.mark.parametrize("written", PICTURES)
@pytest.mark.parametrize("labels", [False, True])
def test_pictures_with_outlines_can_be_read_back(written: str, labels: bool) -> None:
    for name, scene in outlined(labels=labels).items():
        assert_shows(BELIEFS[name], PICTURES[written](scene))


def test_other_names_of_the_same_order_give_the_same_picture() -> None:
    rng = random.Random(1)
    for name, scene in list(outlined().items())[-4:]:
        model = BELIEFS[name]
        numbers = sorted(rng.sample(range(100, 1000), len(model)))  # digits are equally wide
        others = (range(100, 100 + len(model)), numbers)
        called = [{w: f"v{k}" for k, w in zip(its, model.worlds, strict=True)} for its in others]
        first, second = (visualise.picture(renamed(model, names)) for names in called)
        assert [n.position for n in first.nodes] == [n.position for n in second.nodes]
        assert [h.outline for h in first.hulls] == [h.outline for h in second.hulls]
        assert len(first.hulls) == len(scene.hulls)


def renamed(model: KripkeModel, names: dict[Any, str]) -> KripkeModel:
    relations = {
        a: [(names[u], names[v]) for u in model.worlds for v in model.successors(a, u)] for a in model.agents
    }
    valuation = {p: [names[w] for w in model.worlds if p in model.atoms_at(w)] for p in model.atoms}
    return KripkeModel(
        [names[w] for w in model.worlds], relations, valuation, [names[w] for w in model.designated]
    )


def test_full_lines_and_explanations_have_no_outlines() -> None:
    model = BELIEFS["secrets"]
    assert visualise.picture(model).hulls
    assert not visualise.picture(model, edges="full").hulls
    assert not visualise.picture(model, explain="K_a h").hulls


@pytest.mark.parametrize("seed", [100, 103, 104, 106, 115, 122, 125, 127])
def test_no_text_lies_on_a_line_and_nothing_on_a_world(seed: int) -> None:
    agents = "abc"[: 1 + seed % 3]
    for model in (belief(seed, 4 + seed % 9, agents), classes(seed, 5 + seed % 12, agents)):
        scene = visualise.picture(model)
        found = measured(scene)
        assert (found.struck, found.behind, found.overlaps) == (0, 0, 0)
        for hull in scene.hulls:
            inside = [inside_polygon(hull.outline)(node.position) for node in scene.nodes]
            assert inside == [number in hull.members for number in range(len(model))]
