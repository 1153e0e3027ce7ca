"""The players' cells, drawn where the worlds are too many: in each format all boxes are there."""

import json
import re
from collections import Counter
from itertools import combinations, pairwise

import pytest

import visualise
from kripke_werewolf import KripkeModel, ModelError, QuantumWerewolf, UnknownNameError
from kripke_werewolf.games.werewolf import public_cells
from kripke_werewolf.games.werewolf.knowledge import PlayerCells, PublicCells
from tests.visualise.reader import read_scene
from tests.visualise.test_faithful import FORMATS
from tests.visualise.test_scene import assert_nothing_overlaps
from visualise.public_cells import cells_picture
from visualise.sequence import film

HOSTILE = "<img onerror=a> $\\x_{}"
PLAYERS: dict[str, tuple[int, ...] | None] = {
    "Ann": (1, 1, 2, 2, 2, 12),
    HOSTILE: (12,),
    "a player with a very long name, number 1": None,
    "Many": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
}
ROLES = ("villager", "seer", "wolf")
CELLS = PublicCells(
    KripkeModel([f"deal {k}" for k in range(12)], {}, {}),
    ROLES,
    tuple(
        PlayerCells(name, name != "Many", ROLES[: k + 1][:3], left)
        for k, (name, left) in enumerate(PLAYERS.items())
    ),
)
STORY = [visualise.Frame("Night 2", CELLS.deals, cells=CELLS)]


def boxes(left: tuple[int, ...]) -> list[tuple[str, list[str]]]:
    counts = sorted(Counter(left).items())
    return [(str(deals), [f"{count} cell{'s' * (count > 1)}"]) for deals, count in counts]


@pytest.mark.parametrize("written", FORMATS)
def test_every_format_has_all_cells(written: str) -> None:
    figure = read_scene(film(STORY).scenes[0]) if written == "scene" else FORMATS[written](STORY)
    found = [(world.name, world.beside) for world in figure.worlds]
    assert found[:4] == [("Ann", ["villager"]), *boxes((1, 1, 2, 2, 2, 12))]
    assert found[4:6] == [(HOSTILE, ["villager or seer"]), ("12", ["1 cell"])]
    assert found[6][0].startswith("a player with")
    assert found[6][1:] == (["any role"],)
    assert found[7] == ("?", ["not counted"])
    many = [(name, beside[0]) for name, beside in found[9:]]
    spans = [[*map(int, name.split("–"))] for name, _ in many]
    assert sum(int(below.split()[0]) for _, below in many) == 12
    assert spans[0][0] == 1
    assert spans[-1][-1] == 12
    assert all(b[0] == a[-1] + 1 for a, b in pairwise(spans))
    assert "Everybody considers 12 deals possible" in figure.caption
    assert re.search("The cells of .* are too many to count", figure.caption)
    assert "Not shown: the deals" in figure.caption


def test_nothing_overlaps() -> None:
    scene = CELLS.draw()
    assert_nothing_overlaps(scene)
    for a, b in combinations([box for node in scene.nodes if (box := node.label_box)], 2):
        assert not a.overlaps(b)
    assert not scene.edges


def test_a_story_may_begin_with_worlds_and_go_on_with_cells() -> None:
    small = KripkeModel.from_partitions(["u", "v"], {"a": [["u", "v"]]}, {})
    shown = film([("small", small), *STORY, ("again", small)])
    assert [len(scene.nodes) for scene in shown.scenes] == [2, len(CELLS.draw().nodes), 2]
    for scene in shown.scenes:
        assert_nothing_overlaps(scene)
    page = visualise.html([("small", small), *STORY])
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]
    assert [len(frame["worlds"]) for frame in data["frames"]] == [2, 0]
    assert "<img" not in page


def test_options_about_worlds_are_refused() -> None:
    with pytest.raises(ModelError, match="formula is for pictures of worlds"):
        cells_picture(CELLS, formula="wolf_Ann")
    with pytest.raises(UnknownNameError, match="did you mean 'theme'"):
        cells_picture(CELLS, themes="dark")  # type: ignore[call-arg]
    assert cells_picture(CELLS, theme="dark", width=20).theme == "dark"


def test_a_game_shows_its_cells() -> None:
    cells = public_cells(QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1))
    assert "<svg " in cells._repr_mimebundle_()["image/svg+xml"]
    assert repr(cells) == "<PublicCells: 6 possible deals; cells: Ann 1, Bo 1, Cy 1>"
