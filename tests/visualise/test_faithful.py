"""Every picture can be read back: in each format it shows the model, or says what it leaves out."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt

import visualise
from kripke_werewolf import KripkeModel, private, public, semi_private, suspected
from kripke_werewolf.puzzles import PUZZLES, puzzle
from tests.visualise.reader import (
    Figure,
    Read,
    model_of,
    read_axes,
    read_dot,
    read_html,
    read_scene,
    read_svg,
    read_tikz,
    straight,
)
from visualise.measures import behind, measured
from visualise.text import natural, told_apart, world_texts


def from_axes(model: KripkeModel, **options: Any) -> Figure:
    try:
        return read_axes(visualise.draw(model, **options))
    finally:
        plt.close("all")


ACTIONS = {
    "private": private("b", "h"),
    "suspected": suspected("a", "h"),
    "semi-private": semi_private("b", "h"),
    "public": public("h"),
}
FORMATS: dict[str, Callable[..., Figure]] = {
    "scene": lambda model, **options: read_scene(visualise.picture(model, **options)),
    "svg": lambda model, **options: read_svg(visualise.svg(model, **options)),
    "tikz": lambda model, **options: read_tikz(visualise.tikz(model, **options)),
    "dot": lambda model, **options: read_dot(visualise.dot(model, **options)),
    "html": lambda model, **options: read_html(visualise.html(model, **options)),
    "axes": from_axes,
}


def assert_shows(model: KripkeModel, figure: Figure) -> None:
    """A figure shows a model: worlds, names, truth, designated worlds, and the relation of each agent."""
    read = model_of(figure)
    assert read.names == told_apart(world_texts(model.worlds), 22)
    assert read.designated == set(model.points)
    atoms = natural(model.atoms)
    true = {
        straight(name): {k for k, w in enumerate(model.worlds) if p in model.atoms_at(w)}
        for name, p in zip(told_apart(atoms), atoms, strict=True)
    }
    if read.more:
        assert all(read.true[name] <= true[name] for name in read.true)
    else:
        assert {name: read.true.get(name, set()) for name in true} == true
        assert len(true) - len(read.true) == read.nameless
    for k in range(len(model)):
        assert sum(k in t for t in true.values()) == sum(k in t for t in read.true.values()) + read.more.get(
            k, 0
        )
    shown = _names_of_agents(model, read)
    for agent, name in zip(model.agents, shown, strict=True):
        assert read.relations[name] == set(model.pairs(agent)), agent


def _names_of_agents(model: KripkeModel, read: Read) -> list[str]:
    """Return the names of agents as the figure has them: in full, or shortened where labels are crowded."""
    tries = [list(map(straight, told_apart(model.agents, most))) for most in (30, 18, 12, 8, 5)]
    return next(names for names in tries if set(names) == set(read.relations))


def coin() -> KripkeModel:
    return KripkeModel.from_partitions(
        ["heads", "tails"],
        {"a": [["heads"], ["tails"]], "b": [["heads", "tails"]]},
        {"h": ["heads"]},
        ["heads"],
    )


@pytest.mark.parametrize("written", FORMATS)
@pytest.mark.parametrize("labels", [True, False])
def test_agents_without_a_line_are_named(written: str, labels: bool) -> None:
    read = []
    for pairs in ([("u", "u"), ("v", "v")], []):
        model = KripkeModel(["u", "v"], {"a": [("u", "v"), ("v", "v")], "b": pairs}, {"p": ["u"]})
        figure = FORMATS[written](model, edge_labels=labels)
        assert_shows(model, figure)
        read.append(figure)
    assert read[0] != read[1]
    sally = puzzle("sally-anne").history().model
    assert "Anne can tell all worlds apart." in FORMATS[written](sally, edge_labels=labels).caption


@pytest.mark.parametrize("first", ACTIONS)
@pytest.mark.parametrize("second", ACTIONS)
def test_products_show_all_arrows_and_no_line_runs_behind_a_world(first: str, second: str) -> None:
    for third in ACTIONS:
        model = coin().update(ACTIONS[first]).update(ACTIONS[second]).update(ACTIONS[third])
        scene = visualise.picture(model)
        assert measured(scene).behind == measured(scene).overlaps == 0
        if len(model) <= 12:
            assert "arrows to one of them go to all" not in read_scene(scene).caption


def test_a_line_that_must_pass_behind_a_world_is_owned_up_to() -> None:
    worlds = [f"w{k}" for k in range(17)]
    model = KripkeModel.from_partitions(worlds, {"a": [["w0", "w16"], worlds[1:16]]}, {})
    wall = {f"w{5 * x + y + 1}": (1.5 * x + 1.5, y + x / 3 - 2) for x in range(3) for y in range(5)}
    scene = visualise.picture(
        model, pos={"w0": (0, 0), "w16": (6, 0)} | wall, names=lambda world: f"a wide name for {world}"
    )
    assert [node for _, node in behind(scene)]
    assert "1 line passes behind a world without ending there." in read_scene(scene).caption
    assert not behind(visualise.picture(model))


def test_a_class_is_not_outlined_around_other_worlds() -> None:
    model = KripkeModel.from_partitions("uvw", {"a": ["uw", "v"], "b": ["uv", "w"]}, {})
    scene = visualise.picture(model, edges="hulls", pos={"u": (0, 0), "v": (1, 0), "w": (2, 0)})
    assert [hull.agent for hull in scene.hulls] == ["b"]
    assert_shows(model, read_scene(scene))
    assert (
        "Lines join the worlds of a class that an outline would not hold alone." in read_scene(scene).caption
    )


def test_the_only_world_keeps_its_ring() -> None:
    assert [node.ring for node in visualise.picture(coin().announce("h")).nodes] == [True]


def test_names_of_products_are_short() -> None:
    twice = coin().update(ACTIONS["private"]).update(ACTIONS["public"])
    assert sorted(world_texts(twice.worlds)) == ["heads nothing", "heads told"]
    named = visualise.picture(coin().update(ACTIONS["private"]), names={"nothing": "–", "heads": "H"})
    assert [node.title.split(",")[0] for node in named.nodes] != [""]
    assert {w.name for w in read_scene(named).worlds} == {"H told", "H –", "tails –"}


@given(st.lists(st.text(max_size=40), unique=True, max_size=12), st.integers(8, 30))
def test_shortened_names_differ_and_are_parts_of_the_names(given_names: list[str], most: int) -> None:
    shown = told_apart(given_names, most)
    assert len(set(shown)) == len(shown)
    for name, text in zip(given_names, shown, strict=True):
        assert text.isprintable() or name
        if name.isascii() and name.isalnum() and len(name) <= most:
            assert text == name


@st.composite
def names(draw: st.DrawFn, least: int, most: int) -> list[str]:
    """Return different names, many of them unkind to readers and to formats."""
    unkind = [
        "<img onerror=alert(1)>", "a&b\"'", "\\x$y_{}", "p, q", "p", "q", "a and b", "a", "b", "+3", "x.",
        "“x”",
        "Loops of a",
        "d\ne", "d e", " d  e ", "\u202ed e", "a\u200bb", "世界", "%#~^", "m_1", "m_", "_1", "|-",
        "a very long name, number 1, which ends alike", "a very long name, number 2, which ends alike",
    ]  # fmt: skip
    some = st.one_of(st.sampled_from(unkind), st.text(min_size=1, max_size=8))
    return draw(st.lists(some, min_size=least, max_size=most, unique=True))


@st.composite
def relations(draw: st.DrawFn, count: int) -> set[tuple[int, int]]:
    """Return a relation of one of the kinds that are drawn differently."""
    everything = [(i, j) for i in range(count) for j in range(count)]
    labels = draw(st.lists(st.integers(0, max(0, count // 2)), min_size=count, max_size=count))
    pairs = st.sets(st.sampled_from(everything), max_size=2 * count)
    match draw(st.sampled_from(["classes", "identity", "all", "none", "belief", "reflexive", "any"])):
        case "classes":
            return {(i, j) for i, j in everything if labels[i] == labels[j]}
        case "identity":
            return {(i, i) for i in range(count)}
        case "all":
            return set(everything)
        case "none":
            return set()
        case "belief":  # everybody in a lot believes the same part of it, maybe nothing
            kept = draw(st.sets(st.integers(0, count - 1)))
            return {(i, j) for i, j in everything if labels[i] == labels[j] and j in kept}
        case "reflexive":
            return draw(pairs) | {(i, i) for i in range(count)}
        case _:
            return draw(pairs)


@st.composite
def models(draw: st.DrawFn) -> KripkeModel:
    worlds = draw(names(1, 10))
    count = len(worlds)
    return KripkeModel(
        worlds,
        {agent: [(worlds[i], worlds[j]) for i, j in draw(relations(count))] for agent in draw(names(0, 4))},
        {atom: draw(st.sets(st.sampled_from(worlds))) for atom in draw(names(0, 3))},
        draw(st.lists(st.sampled_from(worlds), min_size=1, unique=True)),
    )


CHOICES = st.fixed_dictionaries(
    {"edges": st.sampled_from(["spanning", "full", "hulls"]), "edge_labels": st.booleans()}
)


@pytest.mark.parametrize("written", [name for name in FORMATS if name != "axes"])
@settings(max_examples=40)
@given(models(), CHOICES)
def test_every_figure_can_be_read_back(written: str, model: KripkeModel, options: Any) -> None:
    assert_shows(model, FORMATS[written](model, **options))


@settings(max_examples=8)
@given(models(), CHOICES)
def test_axes_of_matplotlib_can_be_read_back(model: KripkeModel, options: Any) -> None:
    assert_shows(model, FORMATS["axes"](model, **options))


@pytest.mark.parametrize("written", FORMATS)
@pytest.mark.parametrize("name", sorted(PUZZLES))
def test_figures_of_puzzles_can_be_read_back(name: str, written: str) -> None:
    model = puzzle(name).model
    figure = FORMATS[written](model)
    if len(model) <= 60:
        assert_shows(model, figure)
    else:
        assert re.search(rf"Of {len(model):,} worlds|{len(model):,} worlds are too many", figure.caption)


def gallery() -> list[Any]:
    """Return the models of the gallery that are drawn world by world, and how their lines are drawn."""
    script = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "gallery.py"))
    found = []
    for figure in script["FIGURES"]:
        what, options = figure.make()
        if isinstance(what, KripkeModel) and len(what) <= 60:
            lines = {name: options[name] for name in ("edges", "edge_labels") if name in options}
            found.append(pytest.param(what, lines, id=figure.file))
    return found


@pytest.mark.parametrize("written", FORMATS)
@pytest.mark.parametrize(("model", "lines"), gallery())
def test_pictures_of_the_gallery_can_be_read_back(model: KripkeModel, lines: Any, written: str) -> None:
    assert_shows(model, FORMATS[written](model, **lines))
