"""Icons inside worlds show exactly what is true there."""

import json
import random
from pathlib import Path
from xml.etree import ElementTree

import pytest

import visualise
from kripke_werewolf import KripkeModel, QuantumWerewolf, UnknownNameError
from kripke_werewolf.logic.puzzles import PUZZLES, at_most, puzzle
from kripke_werewolf.logic.puzzles.puzzle import Icon, wolf_icons
from visualise.output import scene_of

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = [name for name in PUZZLES if name not in ("what-sum", "sum-and-product") and puzzle(name).icons]


def icons_in(svg: str) -> list[list[tuple[set[str], set[str]]]]:
    """Return for each world of a picture what its icons are about, and what they show as true."""
    root = ElementTree.fromstring(svg)
    return [
        [
            (set(json.loads(icon.attrib["data-about"])), set(json.loads(icon.attrib["data-true"])))
            for icon in world.iter(f"{SVG}g")
            if icon.get("class") == "icon"
        ]
        for world in root.iter(f"{SVG}g")
        if world.get("class") == "world"
    ]


@pytest.mark.parametrize("name", DRAWN)
def test_icons_show_all_atoms_true_at_each_world(name: str) -> None:
    model, icons = puzzle(name).model, puzzle(name).icons
    about = [atom for icon in icons for atom in icon.shows]
    assert sorted(about) == sorted(model.atoms)  # every atom in one icon
    scene = scene_of(model, {"icons": icons})
    read = icons_in(visualise.svg(scene))
    assert len(read) == len(scene.nodes) > 0
    for node, found in zip(scene.nodes, read, strict=True):
        assert {atom for _, true in found for atom in true} == set(model.atoms_at(node.world))
        assert {atom for atoms, _ in found for atom in atoms} == set(model.atoms)


@pytest.mark.parametrize("name", DRAWN)
def test_other_atoms_make_another_picture(name: str) -> None:
    """Two worlds with the same icons have the same atoms: what is drawn, and not only the data, differs."""
    model, icons = puzzle(name).model, puzzle(name).icons
    seen: dict[object, set[str]] = {}
    for node in scene_of(model, {"icons": icons}).nodes:
        drawn = tuple((sign.shapes, sign.labels) for sign in node.signs)
        assert seen.setdefault(drawn, set(model.atoms_at(node.world))) == set(model.atoms_at(node.world))
    for sign_of_one in icons:
        states = [[atom] for atom in sign_of_one.shows] + [[]]
        drawings = []
        for true in states:
            one = KripkeModel.from_partitions(["w"], {}, {a: ["w"] * (a in true) for a in sign_of_one.shows})
            [node] = scene_of(one, {"icons": [sign_of_one]}).nodes
            drawings.append((node.signs[0].shapes, node.signs[0].labels))
        assert len(set(drawings)) == len(states)


def test_nothing_is_drawn_that_could_be_wrong() -> None:
    """No icon where a node represents several worlds, or an atom of the icon is missing; other atoms stay."""
    rng = random.Random(7)
    with at_most(200):
        model = puzzle("muddy-children", n=7).model
    icons = puzzle("muddy-children", n=7).icons
    crowded = scene_of(model, {"icons": icons, "limit": 6})
    for node in crowded.nodes:
        true = {atom for sign in node.signs for atom in sign.true}
        assert not node.signs or true == set(model.atoms_at(node.world))
    worlds = list("uvw")
    valuation = {atom: [w for w in worlds if rng.random() < 0.5] for atom in ("muddy_1", "q")}
    small = KripkeModel.from_partitions(worlds, {}, valuation)
    for node in scene_of(small, {"icons": icons[:2]}).nodes:
        assert [sign.about for sign in node.signs] == [("muddy_1",)]
        beside = " ".join(run.text for text in node.texts for run in text)
        assert ("q" in beside) == (node.world in valuation["q"])
        assert "muddy" not in beside
        assert str(node.world) in beside


def test_every_format_of_a_puzzle_has_its_icons(tmp_path: Path) -> None:
    hexa = puzzle("hexa")
    for ending in ("png", "pdf", "svg", "tex", "gif", "html", "dot"):
        assert visualise.save(hexa, tmp_path / f"hexa.{ending}").stat().st_size > 0
    tex, svg, dot = ((tmp_path / f"hexa.{e}").read_text(encoding="utf-8") for e in ("tex", "svg", "dot"))
    assert tex.count("filldraw") == 6 * 3
    assert 'class="icon"' in svg
    assert "a_0" in dot  # DOT has no drawings, and keeps the atoms
    plain, drawn = tmp_path / "plain.png", tmp_path / "hexa.png"
    visualise.save(hexa, plain, icons=())
    assert plain.read_bytes() != drawn.read_bytes()
    assert all(node.signs for scene in hexa.draw().scenes for node in scene.nodes)


@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
def test_every_world_of_a_game_shows_its_wolves(rules: str) -> None:
    for players in (["Ann", "Bo", "Cy"], ["Charlotte", "Charles", "Charlie"], ["Alexander", "Bo", "Cy"]):
        game = QuantumWerewolf(players, rules=rules, wolves=1, rng=1)
        model = game.model(players[:1], deaths_of=[])
        icons = wolf_icons(model.atoms)
        assert len({icon.label for icon in icons}) == len(players)
        scene = scene_of(model, {"icons": icons, "limit": len(model)})
        for node, found in zip(scene.nodes, icons_in(visualise.svg(scene)), strict=True):
            wolves = {atom for atom in model.atoms_at(node.world) if atom.startswith("wolf_")}
            assert {atom for _, true in found for atom in true} == wolves != set()
            assert sorted(atom for about, _ in found for atom in about) == sorted(
                f"wolf_{p}" for p in players
            )


def test_a_drawing_that_does_not_exist_is_named() -> None:
    one = KripkeModel.from_partitions(["w"], {}, {"p": ["w"]})
    with pytest.raises(UnknownNameError, match=r"unknown drawing 'hatt'.*hat"):
        visualise.svg(one, icons=[Icon("hatt", {"p": ""})])


def test_a_drawing_without_room_for_all_words_gives_way_to_the_atoms() -> None:
    cards = [f"a_{card}" for card in range(5)]
    icon = Icon("hand", {atom: atom[2:] for atom in cards}, "a")
    for held in (3, 4):
        true = {atom: ["w"] if number < held else [] for number, atom in enumerate(cards)}
        model = KripkeModel.from_partitions("wv", {"a": ["wv"]}, true, "w")
        found = icons_in(visualise.svg(model, icons=(icon,)))
        assert any(found) == (held <= 3)
