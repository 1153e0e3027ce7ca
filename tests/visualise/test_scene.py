"""The geometry of pictures: nothing overlaps, and the lines are those of the relations."""

import re
import runpy
from itertools import combinations
from math import dist
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import visualise
from kripke_werewolf import ActionModel, Event, KripkeModel, private, public, suspected
from kripke_werewolf.base.errors import ModelError, UnknownNameError
from kripke_werewolf.logic.puzzles import puzzle
from tests.strategies import plain_models
from tests.visualise.golden import drawings
from tests.visualise.reader import from_outline, read_scene
from tests.visualise.test_faithful import assert_shows
from visualise import Scene
from visualise.geometry import Rect, sampled
from visualise.measures import measured
from visualise.output import scene_of
from visualise.picture import sketch

GALLERY = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "gallery.py"))["FIGURES"]
FIGURES = {each.file: each.make for each in GALLERY if each.file.endswith((".svg", ".tex"))}


def assert_nothing_overlaps(scene: Scene) -> None:
    nodes = [node.box for node in scene.nodes]
    labels = [(k, box) for k, node in enumerate(scene.nodes) if (box := node.label_box)]
    for a, b in combinations(nodes, 2):
        assert not a.overlaps(b)
    for (_, a), (_, b) in combinations(labels, 2):
        assert not a.overlaps(b)
    for _, box in labels:
        for node in scene.nodes:
            # a label may reach into the corner of the square around its round node, not into others
            assert not box.overlaps(node.box) or not min(map(node.distance, _corners(box))) < 0
    around = [*scene.legend, *(note for note in scene.notes)]
    for a, b in combinations([part.box for part in around], 2):
        assert not a.overlaps(b)
    for part in around:
        assert not any(part.box.overlaps(box) for box in nodes)


def _corners(box: Any) -> list[tuple[float, float]]:
    return [(x, y) for x in (box.left, box.centre.x, box.right) for y in (box.bottom, box.centre.y, box.top)]


def assert_lines_reach_their_worlds(scene: Scene) -> None:
    """Lines end at the outlines of their worlds and keep off all others."""
    for edge in scene.edges:
        points = sampled(edge.curve, 65)
        cells = [hull for hull in scene.hulls if hull.agent in edge.agents and any(edge.heads)]
        for end, other, spot in (
            (edge.source, edge.target, points[0]),
            (edge.target, edge.source, points[-1]),
        ):
            outlines = [h.outline for h in cells if end in h.members and other not in h.members]
            far = [from_outline(outline, spot) for outline in outlines]
            assert min([*far, abs(scene.nodes[end].distance(spot))]) < 4
        for number, node in enumerate(scene.nodes):
            if number not in (edge.source, edge.target):
                assert min(map(node.distance, points)) > 0


def assert_lines_are_those_of(model: KripkeModel, scene: Scene, choice: str) -> None:
    """A picture shows the model, and its lines for equivalences are all, or as few as possible, or none."""
    assert_shows(model, read_scene(scene))
    for agent in model.agents:
        classes = model.classes(agent)
        if classes is not None:
            own = [edge for edge in scene.edges if agent in edge.agents]
            hulls = [hull for hull in scene.hulls if hull.agent == agent]
            full = sum(len(cell) * (len(cell) - 1) // 2 for cell in classes)
            wanted = {"full": full, "spanning": len(model) - len(classes), "hulls": 0}[choice]
            assert len({(edge.source, edge.target) for edge in own}) == len(own) == wanted
            assert len(hulls) == (sum(len(cell) > 1 for cell in classes) if choice == "hulls" else 0)


def test_gallery_has_no_overlaps() -> None:
    for name, (what, options) in ({name: make() for name, make in FIGURES.items()} | drawings()).items():
        if not callable(what):  # else it is drawn on axes
            print(name)  # the picture at fault
            scene = scene_of(what, options)
            assert_nothing_overlaps(scene)
            assert_lines_reach_their_worlds(scene)


@settings(max_examples=25)
@given(plain_models(max_worlds=7, weights=False), st.sampled_from(["spanning", "full"]), st.booleans())
def test_random_models(plain: Any, choice: Any, labels: bool) -> None:
    model = plain.build()
    scene = visualise.picture(model, edges=choice, edge_labels=labels, agents=model.agents)
    assert_lines_are_those_of(model, scene, choice)
    assert_nothing_overlaps(scene)
    assert scene == visualise.picture(model, edges=choice, edge_labels=labels, agents=model.agents)


@settings(max_examples=4)
@given(st.integers(0, 10_000), st.integers(20, 30), st.integers(2, 4))
def test_thirty_worlds_do_not_overlap(seed: int, worlds: int, agents: int) -> None:
    rng = np.random.default_rng(seed)
    classes = {str(a): rng.integers(0, worlds // 2, worlds) for a in range(agents)}
    model = KripkeModel.from_observations(
        range(worlds),
        {a: (lambda w, row=row: int(row[w])) for a, row in classes.items()},
        lambda w: [f"atom_{k}" for k in range(w % 4)],
    )
    scene = visualise.picture(model)
    assert_nothing_overlaps(scene)
    assert_lines_are_those_of(model, scene, "spanning")


def test_crowded_belief_is_drawn_by_groups() -> None:
    model = KripkeModel.from_observations(
        range(10),
        {"a": lambda w: w, "b": lambda w: w // 5, "c": lambda w: 0},
        lambda w: ["p"] if w % 2 else [],
    ).update(private("a", "p"))
    assert model.arrays.relations["c"].edge_count() == 150
    arrows = sketch(model, {})
    scene = arrows.finished(arrows.composed(arrows.placed()))
    assert sum("c" in edge.agents for edge in scene.edges) == 9 + 5
    assert_lines_are_those_of(model, scene, "spanning")
    assert_lines_are_those_of(model, visualise.picture(model, edges="full", pos=scene.positions), "full")
    scene = visualise.picture(model)
    assert [len(hull.members) for hull in scene.hulls if hull.agent == "c"] == [10]
    assert sum("c" in edge.agents for edge in scene.edges) == 5


def test_a_loop_and_its_label_keep_off_other_lines() -> None:
    model = KripkeModel(
        ["u", "up", "down", "right"],
        {"a": [("u", "u"), ("u", "up"), ("u", "down"), ("u", "right")]},
        {},
    )
    at = {"u": (0, 0), "up": (0, 1), "down": (0, -1), "right": (1, 0)}
    scene = visualise.picture(model, pos=at, edge_labels=True)
    loop = next(edge for edge in scene.edges if edge.source == edge.target)
    assert max(x for x, _ in sampled(loop.curve)) < scene.nodes[0].position.x
    assert loop.label is not None
    for edge in scene.edges:
        if edge is not loop:
            assert not any(loop.label.box.overlaps(Rect(x, y, x, y)) for x, y in sampled(edge.curve))


@pytest.mark.parametrize("long", ["Bo", "a player with a very long name"])
@pytest.mark.parametrize("count", [2, 12])
def test_names_on_lines_cover_no_world(long: str, count: int) -> None:
    rng = np.random.default_rng(count)
    agents = [long, "Bartholomew", "<img onerror=alert(1)>", "d"]
    classes = {a: rng.integers(0, (count + 2) // 3, count) for a in agents}
    model = KripkeModel.from_observations(
        [f"world {k}" for k in range(count)],
        {a: (lambda w, row=row: int(row[int(w.split()[1])])) for a, row in classes.items()},
        lambda w: ["p"],
    )
    scene = visualise.picture(model, edge_labels=True, agents=agents)
    assert_nothing_overlaps(scene)
    labels = [edge.label.box for edge in scene.edges if edge.label]
    assert labels
    for box in labels:
        assert not any(box.overlaps(node.box) for node in scene.nodes)
    assert not any(a.overlaps(b) for a, b in combinations(labels, 2))


def test_truth_is_the_fill() -> None:
    model = puzzle("three-wise-men").model
    scene = visualise.picture(model, formula="Kw_1 red_1")
    fills = {node.fill for node in scene.nodes}
    filled = [node.world for node in scene.nodes if node.fill != "#FFFFFF"]
    assert filled == model.where("Kw_1 red_1")
    assert {entry.fill for entry in scene.legend if entry.fill} == fills - {"#FFFFFF"}


def test_explanation_is_a_marked_path() -> None:
    model = puzzle("consecutive-numbers").model
    start = next(w for w in model.worlds if set(model.atoms_at(w)) == {"a_2", "b_3"})
    why = model.explain("C_{a,b} ~b_7", at=start)
    scene = visualise.picture(model, explain=why)
    marked = {
        frozenset((scene.nodes[e.source].world, scene.nodes[e.target].world)) for e in scene.edges if e.accent
    }
    assert marked == {frozenset((link.source, link.target)) for link in why.path}
    assert {node.world for node in scene.nodes if node.accent} == set(why.worlds)
    assert why.sentences().split()[-1] in said(scene)


def test_every_class_has_a_colour_of_its_own() -> None:
    model = KripkeModel.from_observations(
        range(48), {"a": lambda w: 0}, lambda w: [f"p_{k}" for k in range(5) if w % 24 >> k & 1]
    )
    scene = visualise.picture(model, fills="bisimulation")
    fills: dict[str, set[int]] = {}
    for node in scene.nodes:
        fills.setdefault(node.fill, set()).add(int(str(node.world)) % 24)
    assert len(fills) == 24
    assert all(len(classes) == 1 for classes in fills.values())
    assert "Worlds of one colour are bisimilar" in said(scene)


def test_agents_who_know_nothing_are_named_not_drawn() -> None:
    model = KripkeModel.from_partitions(range(8), {"a": [range(8)], "b": [range(4), range(4, 8)]}, {"p": [0]})
    scene = visualise.picture(model)
    assert scene.agents == ("b",)
    assert "a cannot tell any of these worlds apart." in said(scene)
    assert visualise.picture(model, agents=["a"]).agents == ("a",)


def test_large_models_are_drawn_by_classes_and_say_so() -> None:
    copies = KripkeModel.from_observations(
        range(500), {"a": lambda w: w % 5}, lambda w: ["p"] if w % 5 == 0 else []
    )
    scene = visualise.picture(copies, formula="K_a p")
    assert len(scene.nodes) == 2
    assert "Of 500 worlds 2 are drawn: the bisimulation contraction." in said(scene)
    assert [node.fill != "#FFFFFF" for node in scene.nodes] == [True, False]

    atoms = [2, 3, 5, 7, 11, 13]
    numbers = KripkeModel.from_observations(
        range(840),
        {"a": lambda w: w % 4, "b": lambda w: w % 3},
        lambda w: [f"d_{k}" for k in atoms if w % k == 0],
    )
    scene = visualise.picture(numbers, formula="d_2 & d_3")
    assert len(scene.nodes) == 12
    assert "none of the agents drawn can tell apart" in said(scene)
    # a node is filled where all its worlds satisfy the formula: those that 12 divides
    assert [node.world for node in scene.nodes if node.fill != "#FFFFFF"] == ["0 +69", "6 +69"]

    chain = KripkeModel.from_observations(
        range(1000),
        {"a": lambda w: w // 2, "b": lambda w: (w + 1) // 2},
        lambda w: ["p"] if w * w % 7 == 1 else [],
        [500],
    )
    scene = visualise.picture(chain)
    assert 50 < len(scene.nodes) <= 64
    assert "the worlds closest to the designated one." in said(scene)
    scene = visualise.picture(chain.point(*chain.worlds))
    assert 50 < len(scene.nodes) <= 64
    assert re.search(r"the worlds closest to \d+\.", said(scene))
    grid = KripkeModel.from_observations(
        range(1000),
        {"a": lambda w: w // 100, "b": lambda w: w % 100},
        lambda w: [f"bit_{k}" for k in range(10) if w >> k & 1],
    )
    scene = visualise.picture(grid, limit=50)
    assert "1,000 worlds are too many to draw: a has 10 classes, b has 100 classes." in said(scene)
    assert not scene.legend


def test_a_node_for_many_worlds_is_named_by_their_number() -> None:
    model = KripkeModel.from_partitions(
        range(6),
        {"a": [range(6)], "b": [[0], range(1, 6)]},
        {f"p_{k}": [k] for k in range(6)},
    )
    one, many = visualise.picture(model, limit=3).nodes
    assert [one.world, many.world] == ["0", "1 +4"]
    assert set(visualise.layout(model, limit=3)) == {"0", "1 +4"}


def test_lost_worlds_are_grey() -> None:
    before = puzzle("muddy-children", n=3).model
    after = before.announce("muddy_1 | muddy_2 | muddy_3")
    scene = visualise.difference(before, after)
    grey = [node.world for node in scene.nodes if node.stroke != "#1A1A1A"]
    assert grey == ["000"]
    faded = {
        e.pen.colour
        for e in scene.edges
        if "000" in (scene.nodes[e.source].world, scene.nodes[e.target].world)
    }
    kept = {e.pen.colour for e in scene.edges} - faded
    assert len(faded) == 1
    assert len(kept) == 3


def test_worlds_keep_their_places_in_a_difference() -> None:
    before = puzzle("muddy-children", n=3).model
    assert (
        visualise.difference(before, before.announce("muddy_1")).positions
        == visualise.picture(before).positions
    )


def test_action_models_are_drawn_as_asked() -> None:
    action = suspected("a", "p")
    at = {"yes": (0.0, 0.0), "no": (0.0, -300.0), "nothing": (300.0, 0.0)}
    scene = visualise.action_picture(action, pos=at)
    yes, no, nothing = (scene.positions[name] for name in at)
    assert yes.x == no.x
    assert yes.y == nothing.y
    assert [text_of(entry.label) for entry in scene.legend] == ["a", "others"]
    assert said(scene) == "a can tell all events apart. Loops and lines implied by transitivity are left out."
    with pytest.raises(ModelError, match="pos has no position for world 'no'"):
        visualise.action_picture(action, pos={"yes": (0, 0)})
    with pytest.raises(UnknownNameError, match="unknown choice of edges 'all'"):
        visualise.action_picture(action, edges="all")  # type: ignore[arg-type]
    everybody = visualise.action_picture(public("p"))
    assert [text_of(entry.label) for entry in everybody.legend] == ["all agents"]
    long = private("a player with a very long name", "p")
    for box in (e.label.box for e in visualise.action_picture(long, edge_labels=True).edges if e.label):
        assert not any(
            box.overlaps(node.box) for node in visualise.action_picture(long, edge_labels=True).nodes
        )


def test_product_update_has_three_parts() -> None:

    model = KripkeModel.from_partitions(
        ["w", "v"], {"a": [["w", "v"]], "b": [["w", "v"]]}, {"p": ["w"]}, ["w"]
    )
    scene = visualise.update_picture(model, private("a", "p"))
    assert [node.shape for node in scene.nodes] == ["round"] * 2 + ["square"] * 2 + ["round"] * 3
    assert len({node.key for node in scene.nodes}) == 7
    assert said(scene) == (
        "M A: private M ⊗ A In M: Loops are left out. In A: a can tell all events apart."
        " In M ⊗ A: Loops of a are left out."
    )
    assert_nothing_overlaps(scene)
    # w stays where it is: above its copy in which nothing has happened
    at = {node.world: node.position for node in scene.nodes[4:]}
    assert dist(at["w", "nothing"], at["v", "nothing"]) > 0
    assert at["w", "told"].x == at["w", "nothing"].x


def test_a_product_shows_the_agents_of_the_model_and_says_what_it_leaves_out() -> None:
    model = KripkeModel.from_partitions(
        range(4), {"a": [[0, 1], [2, 3]], "b": [[0, 2], [1, 3]], "c": [range(4)]}, {"p": [0, 1]}, [0]
    )
    scene = visualise.update_picture(model, suspected("a", "p"))
    product = [k for k, node in enumerate(scene.nodes) if isinstance(node.world, tuple)]
    # c confuses all eight worlds after the update, as all four before
    assert len(product) == 8
    assert sum("c" in e.agents and e.source in product for e in scene.edges) == 7
    assert "Loops and lines implied by transitivity are left out. In A: a can tell all events" in said(scene)
    wide = KripkeModel.from_partitions(
        range(8), {"a": [range(4), range(4, 8)], "b": [range(8)]}, {"p": [0]}, [0]
    )
    scene = visualise.update_picture(wide, public("p | ~p"))
    assert scene.agents == ("a",)
    assert "b cannot tell any worlds apart." in said(scene)
    assert said(visualise.update_picture(wide, public("p"), caption="Mine")).endswith(" Mine")


def test_weights_are_shown_or_left_out_with_a_word() -> None:
    model = KripkeModel.from_partitions(
        "uvw", {"a": ["uvw"], "b": ["uv", "w"]}, {}, weights={"a": {"u": 1, "v": 2, "w": 3}}
    )
    scene = visualise.picture(model)
    assert "“a: k”: a gives the world the weight k." in said(scene)
    assert [text_of(node.lines[0]) for node in scene.nodes] == ["a: 1", "a: 2", "a: 3"]
    silent = KripkeModel.from_partitions("uvw", {"a": ["uvw"]}, {}, weights={"a": None})
    assert "There are no probabilities for a." in said(visualise.picture(silent))
    assert "Weights" not in said(visualise.picture(KripkeModel.from_partitions("uv", {"a": ["uv"]}, {})))


def test_a_picture_without_worlds_says_nothing_about_them() -> None:
    model = KripkeModel.from_observations(
        range(600), {"a": lambda w: w // 2, "b": lambda w: w // 3}, lambda w: [f"p_{w % 5}"], range(600)
    )
    scene = visualise.picture(model, limit=1)
    assert not scene.nodes
    assert said(scene) == "600 worlds are too many to draw: a has 300 classes, b has 200 classes."


def text_of(note: Any) -> str:
    return "".join(run.text for run in note.text)


def said(scene: Scene) -> str:
    return " ".join(map(text_of, scene.notes))


def test_only_short_last_parts_of_atoms_are_lowered() -> None:
    atoms = {
        "it_is_raining_today": ["w"],
        "is_it_raining_0": ["w"],
        "wolf_Ann": ["w"],
        "wolf_Bob": ["w"],
        "x_1_2": ["w"],
    }
    model = KripkeModel(["w", "v"], {"Ann": []}, atoms, ["w"])
    drawn = visualise.svg(model, formula="K_Ann it_is_raining_today")
    assert re.search(r">[^<]*is_it_raining_0[,<]", drawn)
    assert drawn.count("it_is_raining_today") >= 3  # beside the world, in the legend, in the description
    for index in ("Ann", "Bob", "1_2"):
        assert re.search(rf'font-size="7.03">{index}</tspan>', drawn)


@pytest.mark.parametrize("count", [2, 3])
def test_a_wide_picture_of_an_update_is_wrapped(count: int) -> None:
    model = puzzle("muddy-children", n=count).model
    scene = visualise.update_picture(model, private("1", "muddy_1"))
    parts = [Rect.union(n.box for n in scene.nodes if n.key.startswith(f"s{k}")) for k in range(3)]
    assert not any(a.overlaps(b) for a, b in combinations(parts, 2))
    assert (parts[2].top < min(part.bottom for part in parts[:2])) == (count == 3)
    assert scene.box.width < 1100


def test_a_film_is_drawn_like_its_story(tmp_path: Path) -> None:
    told = puzzle("cheryl").history()
    files = [
        visualise.save(one, tmp_path / f"{k}.html") for k, one in enumerate((told, visualise.film(told)))
    ]
    assert files[0].read_text(encoding="utf-8") == files[1].read_text(encoding="utf-8")


def test_the_weights_of_events_are_shown() -> None:
    def action(weight: int) -> ActionModel:
        pairs = [(e, f) for e in "ef" for f in "ef"]
        return ActionModel({"e": Event("p", weight=weight), "f": Event("~p")}, {"a": pairs}, ["e"])

    assert "weight: 2" in visualise.svg(action(2))
    assert visualise.svg(action(2)) != visualise.svg(action(3))
    assert "weight" not in visualise.svg(action(1))


@pytest.mark.parametrize("n", [5, 6])
def test_no_line_strikes_a_label_of_a_cube(n: int) -> None:
    children = puzzle("muddy-children", n=n).model
    scene = visualise.picture(children)
    assert measured(scene).struck == 0
    if n == 5:
        assert "The name of a world says which atoms are true there." in said(scene)


def test_the_places_given_stay_even_if_lines_strike_labels() -> None:
    children = puzzle("muddy-children", n=4).model
    crowded = {world: (0.0 if k else 1.0, 40.0 * k) for k, world in enumerate(children.worlds)}
    place = visualise.layout(children, pos=crowded)
    assert place.keys() == crowded.keys()
    assert [x for x, _ in place.values()] == sorted((x for x, _ in place.values()), reverse=True)
