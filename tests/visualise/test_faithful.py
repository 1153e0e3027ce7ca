"""Every picture can be read back: in each format it shows the model, or says what it leaves out."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from math import dist
from typing import Any

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt

import visualise
from kripke_werewolf import ActionModel, Event, KripkeModel, private, public, semi_private, suspected
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.puzzles import PUZZLES, puzzle
from kripke_werewolf.logic.semantics.bits import members
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
    said_by,
    straight,
)
from visualise import Scene
from visualise.measures import behind, measured
from visualise.output import scene_of
from visualise.text import natural_order, told_apart, world_label, world_texts


def from_axes(what: Any, **options: Any) -> Figure:
    try:
        return read_axes(visualise.draw(what, **options), scene_of(what, options))
    finally:
        plt.close("all")


ACTIONS = {
    "private": private("b", "h"),
    "suspected": suspected("a", "h"),
    "semi-private": semi_private("b", "h"),
    "public": public("h"),
}
FORMATS: dict[str, Callable[..., Figure]] = {
    "scene": lambda what, **options: read_scene(scene_of(what, options)),
    "svg": lambda model, **options: read_svg(visualise.svg(model, **options)),
    "tikz": lambda model, **options: read_tikz(visualise.tikz(model, **options)),
    "dot": lambda model, **options: read_dot(visualise.dot(model, **options)),
    "html": lambda model, **options: read_html(visualise.html(model, **options)),
    "axes": from_axes,
}


def assert_shows(model: KripkeModel, figure: Figure) -> None:
    """A figure shows a model: worlds, names, truth, designated worlds, and the relation of each agent."""
    read = model_of(figure)
    names = told_apart(world_texts(model.worlds), 22)
    assert len(set(map(straight, names))) == len(names)
    assert list(map(straight, read.names)) == list(map(straight, names))
    assert read.designated == set(Numbered(model).points)
    atoms = natural_order(model.atoms)
    true = {
        straight(name): {k for k, w in enumerate(model.worlds) if p in model.atoms_at(w)}
        for name, p in zip(told_apart(atoms), atoms, strict=True)
    }
    if read.named:
        assert not read.true
        said = {
            k: set(map(straight, said_by(name, read.digits or atoms))) for k, name in enumerate(read.names)
        }
        read.true = {name: {k for k in said if name in said[k]} for name in true}
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
        assert read.relations[name] == set(Numbered(model).space.pairs(agent)), agent
        weights = model.space.listed_weights(agent) if agent in model.space.weights else []
        if name not in read.unweighed:
            assert read.weights.get(name, {}) == (dict(enumerate(weights)) if any(weights) else {})
        assert (name in read.silent) == (bool(weights) and not any(weights))
        own = model.ranks.get(agent, {})
        layers = [{own[v] for v in model.successors(agent, w) if own[v] < own[w]} for w in own]
        assert read.ranks.get(name, {}) == dict(enumerate(map(len, layers)))


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
def test_digits_stand_for_atoms_that_do_not_fit_beside_worlds(written: str) -> None:
    children = ["Wilhelmina", "Theophilus", "Persephone", "Maximilian", "Clementine"]
    worlds = list(map("".join, product("01", repeat=5)))
    sees = {who: (lambda w, k=k: w[:k] + w[k + 1 :]) for k, who in enumerate(children)}
    muddy = {f"so_muddy_is_{who}": [w for w in worlds if w[k] == "1"] for k, who in enumerate(children)}
    model = KripkeModel.from_observations(worlds, sees, lambda w: [p for p in muddy if w in muddy[p]])
    figure = FORMATS[written](model)
    assert_shows(model, figure)
    assert "The digits in the name of a world say whether these are true" in figure.caption


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
def test_products_show_all_arrows_and_no_line_runs_behind_a_world(first: str) -> None:
    for second, third in product(ACTIONS, repeat=2):
        model = coin().update(ACTIONS[first]).update(ACTIONS[second]).update(ACTIONS[third])
        scene = visualise.picture(model)
        assert measured(scene).behind == measured(scene).overlaps == 0, (second, third)
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
        "Α", "A", "Κ", "K", "ο", "o", "Υ", "Y",
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


# what each format shows of a scene; pages draw the model
PICTURES: dict[str, Callable[[Any], Figure]] = {
    "scene": read_scene,
    "svg": lambda scene: read_svg(visualise.svg(scene)),
    "tikz": lambda scene: read_tikz(visualise.tikz(scene)),
    "dot": lambda scene: read_dot(visualise.dot(scene)),
    "axes": from_axes,
}


@settings(max_examples=20)
@given(models(), CHOICES)
def test_every_figure_can_be_read_back(model: KripkeModel, options: Any) -> None:
    scene = visualise.picture(model, **options)
    for written, read in PICTURES.items():
        note(written)
        assert_shows(model, read(scene))
    note("html")
    assert_shows(model, FORMATS["html"](model, pos=scene.positions, **options))


def test_long_lines_reach_their_worlds() -> None:
    worlds = range(16)
    model = KripkeModel(worlds, {"a": [(0, 15), (2, 14), (13, 1)]}, {"p": [0]})
    arch = {world: (world, -((world - 7.5) ** 2) / 12) for world in worlds}
    scene = visualise.picture(model, pos=arch, names=lambda world: f"a wide name for {world}")
    assert min(dist(edge.curve[0], edge.curve[-1]) for edge in scene.edges) > 1500
    for edge in scene.edges:
        for end, number in ((edge.curve[0], edge.source), (edge.curve[-1], edge.target)):
            assert -0.1 < scene.nodes[number].distance(end) < 1.4


@cache
def picture_of(model: KripkeModel, lines: tuple[tuple[str, Any], ...] = ()) -> Scene:
    """Return the picture of a model, which all formats but pages write."""
    options: Any = dict(lines)
    return visualise.picture(model, **options)


def figure_of(model: KripkeModel, written: str, **lines: Any) -> Figure:
    """Return the content of a model's figure in a format; in TikZ agents have their names on the lines."""
    scene = picture_of(model, tuple(lines.items()))
    if written in ("html", "tikz"):
        return FORMATS[written](model, pos=scene.positions, **lines)
    return PICTURES[written](scene)


@pytest.mark.parametrize("name", sorted(PUZZLES))
def test_figures_of_puzzles_can_be_read_back(name: str) -> None:
    model = puzzle(name).model
    for written in FORMATS if len(model) < 10_000 else ["scene"]:
        figure = figure_of(model, written)
        print(written)  # the format at fault
        if len(model) <= 60:
            assert_shows(model, figure)
        else:
            assert re.search(rf"Of {len(model):,} worlds|{len(model):,} worlds are too many", figure.caption)


@pytest.mark.parametrize("written", FORMATS)
def test_a_crowded_model_is_drawn_around_the_actual_world(written: str) -> None:
    model = puzzle("gossip").history().model
    figure = FORMATS[written](model)
    assert "Of 36 worlds 11 are drawn: the worlds closest to the designated one." in figure.caption
    read, texts = model_of(figure), world_texts(model.worlds)
    number = [texts.index(name) for name in read.names]
    assert {number[k] for k in read.designated} == set(Numbered(model).points)
    near = {j for a in model.agents for i, j in Numbered(model).space.pairs(a) if i in Numbered(model).points}
    assert set(number) == near
    for atom in model.atoms:
        assert read.true.get(atom, set()) == {
            k for k, w in enumerate(number) if w in Numbered(model).numbers(atom)
        }
    for agent in model.agents:
        pairs = set(Numbered(model).space.pairs(agent))
        assert read.relations[agent] == {
            (i, j) for i, v in enumerate(number) for j, w in enumerate(number) if (v, w) in pairs
        }
        for k, world in enumerate(number):
            seen = {w for v, w in pairs if v == world}
            assert read.beyond.get((agent, k), 0) == len(seen - near)


def test_crowded_worlds_are_all_drawn_where_they_are_asked_for() -> None:
    model = puzzle("gossip").history().model
    for options in ({"limit": 36}, {"explain": "K_0 has_0_1"}, {"atoms": []}):
        assert len(visualise.picture(model, arrangement="ring", **options).nodes) == 36
    assert len(visualise.picture(model.point(*model.worlds[:9]), arrangement="ring").nodes) == 36
    place = visualise.layout(model)
    assert len(place) == 11
    assert visualise.layout(model, pos=place).keys() == place.keys()


def test_what_is_true_everywhere_stands_in_the_caption_of_a_crowded_picture() -> None:
    atoms = {f"p_{k}": ["u", "v"] if k < 8 else ["u"] for k in range(24)}
    model = KripkeModel.from_partitions("uv", {"a": ["uv"]}, atoms)
    scene = visualise.picture(model)
    assert "p_0, p_1, p_2, p_3, p_4, p_5, p_6 and p_7 are true everywhere." in read_scene(scene).caption
    assert_shows(model, read_scene(scene))


# --- action models and products ----------------------------------------------------------------------


def read_events(figure: Figure) -> tuple[Read, list[list[str]]]:
    """Return an action model as it was read, and the lines beside each event."""
    caption = figure.caption.replace("All events", "All worlds").replace("all events", "all worlds")
    caption = caption.replace("no event possible", "no world possible")
    bare = [replace(event, beside=[]) for event in figure.worlds]
    return model_of(replace(figure, worlds=bare, caption=caption)), [e.beside for e in figure.worlds]


def part_of(figure: Figure, name: str, numbers: range) -> Figure:
    """Return one of several pictures in a figure, with the sentences of the caption that are about it."""
    caption = re.sub("^M A: .*? M ⊗ A *", "", figure.caption)  # the headings
    about, *scoped = re.split(r"(?:^|(?<=\. ))In ([^:]+): ", caption)
    for scope, sentences in zip(scoped[::2], scoped[1::2], strict=True):
        about += f" {sentences}" if name in scope.split(" and ") else ""
    lines = [
        (whose, i - numbers[0], j - numbers[0], heads) for whose, i, j, heads in figure.lines if i in numbers
    ]
    worlds = [figure.worlds[k] for k in numbers]
    return replace(figure, worlds=worlds, lines=lines, caption=" ".join(about.split()))


def assert_is_action(action: ActionModel, agents: Sequence[str], read: Read, beside: list[list[str]]) -> None:
    assert read.names == told_apart(map(world_label, action.events), 22)
    names = list(action.events)
    assert {names[k] for k in read.designated} == set(action.designated)
    for agent in agents:
        sight = action._sight(agent)
        pairs = {(i, j) for i in range(len(names)) for j in members(sight[i])}
        assert read.relations[agent] == pairs, agent
    for event, lines in zip(action.events.values(), beside, strict=True):
        assert lines[0].replace("_", "") == f"pre: {event.pre.unicode()}".replace("_", "")
        assert len(lines) == 1 + len(event.post)


@st.composite
def actions(draw: st.DrawFn) -> ActionModel:
    names = ["e", "f", "g", "told", "a long name of an event"][: draw(st.integers(1, 5))]
    formulas = st.sampled_from(["p", "~p", "K_a p", "q_1", "true"])
    events = {
        name: Event(draw(formulas), draw(st.dictionaries(st.sampled_from(["p", "q_1"]), formulas)))
        for name in names
    }
    pairs = {
        agent: [(names[i], names[j]) for i, j in draw(relations(len(names)))] for agent in ("a", "b", "c")
    }
    return ActionModel(events, pairs, draw(st.lists(st.sampled_from(names), min_size=1, unique=True)))


@settings(max_examples=12)
@given(actions(), st.booleans())
def test_pictures_of_action_models_can_be_read_back(action: ActionModel, labels: bool) -> None:
    scene = visualise.action_picture(action, edge_labels=labels)
    for written, read in PICTURES.items():
        note(written)
        assert_is_action(action, ("a", "b", "c"), *read_events(read(scene)))


@pytest.mark.parametrize("written", PICTURES)
@pytest.mark.parametrize(
    "action", [private("b", "h"), suspected("a", "h"), semi_private("b", "h"), public("h")]
)
def test_pictures_of_updates_can_be_read_back(action: ActionModel, written: str) -> None:
    before = coin().update(suspected("b", "h"))
    after = before.update(action)
    figure = PICTURES[written](visualise.update_picture(before, action, edge_labels=True))
    numbers = range(len(figure.worlds))
    first, second = len(before), len(before) + len(action.events)
    assert_shows(before, part_of(figure, "M", numbers[:first]))
    assert_shows(after, part_of(figure, "M ⊗ A", numbers[second:]))
    assert_is_action(action, before.agents, *read_events(part_of(figure, "A", numbers[first:second])))
