"""Stories: worlds keep their places through updates."""

from io import BytesIO
from math import dist
from pathlib import Path

import pytest
from PIL import Image

import visualise
from kripke_werewolf import History, KripkeModel, ModelError, QuantumWerewolf, private, replay, suspected
from kripke_werewolf.logic.puzzles import puzzle
from tests.visualise.golden import two_worlds
from tests.visualise.test_scene import assert_nothing_overlaps
from visualise.matplotlib_output import to_gif
from visualise.sequence import _frames_of, film

GAME = Path(__file__).parents[2] / "examples" / "games" / "five_players.jsonl"


def test_survivors_stay_where_they_are() -> None:
    shown = film(puzzle("muddy-children", n=3))
    first = shown.scenes[0].positions
    assert [len(scene.nodes) for scene in shown.scenes] == [8, 7, 4, 1]
    for scene in shown.scenes:
        assert scene.positions.items() <= first.items()
        assert_nothing_overlaps(scene)


def test_between_two_models_what_is_lost_is_grey() -> None:
    shown = film(puzzle("muddy-children", n=3))
    for k, scene in enumerate(shown.between):
        assert scene is not None
        left = {node.world for node in scene.nodes if node.stroke == "#1A1A1A"}
        assert left == {node.world for node in shown.scenes[k + 1].nodes}


def test_copies_of_worlds_stand_in_blocks() -> None:
    history = History(two_worlds()).then(suspected("a", "p")).then(private("b", "p"))
    shown = film(history)
    w, v = (shown.scenes[0].positions[x] for x in "wv")
    after = shown.scenes[1].positions
    assert after["w", "yes"] == w
    for event in ("nothing",):
        a, b = after["w", event], after["v", event]
        assert (round(b.x - a.x, 6), round(b.y - a.y, 6)) == (round(v.x - w.x, 6), round(v.y - w.y, 6))
    for scene in shown.scenes:
        assert_nothing_overlaps(scene)


def test_worlds_of_a_game_keep_their_places() -> None:
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=2, rules="straat", targets="public")
    states = [game, game.vision("Ann", "Bo", result="wolf")]
    states.append(states[-1].attack("Ann", "Cy").vote_off("Di", role="wolf"))
    shown = film([(str(k), state.model(["Ann", "Bo"])) for k, state in enumerate(states)])
    first, second, third = (scene.positions for scene in shown.scenes)
    assert {p for world, p in second.items() if str(world).endswith("=wolf")} <= set(first.values())
    assert set(third.values()) <= set(second.values())


def test_a_game_with_many_records_stays_on_the_page() -> None:
    game = replay(GAME)
    models = [game.at(step).model(["Bo"]) for step in range(len(game.steps) + 1)]
    shown = film([(str(k), model) for k, model in enumerate(models)])
    # every look and bite of Bo's splits worlds; with a block for each the last would be miles away
    assert max(shown.box.width, shown.box.height) < 3000
    for scene in shown.scenes:
        assert_nothing_overlaps(scene)


def test_what_is_arranged_anew_stays_in_the_middle() -> None:
    small = KripkeModel(["w"], {"a": [("w", "w")]}, {})
    other = KripkeModel.from_partitions(range(7), {"a": [range(7)]}, {"p": [0]})
    first, second = (scene.body.centre for scene in film([("one", small), ("two", other)]).scenes)
    assert dist(first, second) < 25


def test_gif_shows_each_model_and_each_loss() -> None:
    shown = film(puzzle("muddy-children", n=3))
    image = Image.open(BytesIO(to_gif(shown)))
    assert image.n_frames == 4 + 3
    assert max(image.size) <= 1001
    wide = KripkeModel.from_partitions(range(9), {"a": [range(9)]}, {})
    at = {k: (400.0 * k, 0.0) for k in range(9)}  # wider than the largest figure
    image = Image.open(BytesIO(to_gif(film(wide, pos=at))))
    assert 950 <= max(image.size) <= 1001


def test_still_pictures_show_the_end_of_a_history_and_a_puzzle_as_it_is_posed() -> None:
    story = puzzle("muddy-children", n=3)
    assert visualise.svg(story, icons=()) == visualise.svg(story.model)
    assert visualise.svg(story.history()) == visualise.svg(story.history().model)


def test_frames_of_stories() -> None:
    story = puzzle("muddy-children", n=3)
    assert [frame.title for frame in _frames_of(story)] == [
        "At first",
        *(event.name for event in story.events),
    ]
    assert _frames_of([("now", two_worlds())])[0].model == two_worlds()
    for wrong in ("text", [], [("a", "b")], 7):
        with pytest.raises(ModelError, match="expected a model, or a story"):
            _frames_of(wrong)


def test_a_film_is_never_reduced_to_its_last_scene_in_silence(tmp_path: Path) -> None:
    shown = film(puzzle("muddy-children", n=3))
    for name in ("film.png", "film.svg", "film.tex"):
        with pytest.raises(ModelError, match=rf"one picture cannot show {len(shown.frames)} models"):
            visualise.save(shown, tmp_path / name)
    for scene in shown.scenes:
        assert visualise.save(scene, tmp_path / "scene.svg").exists()
    assert visualise.save(film([("only", shown.frames[0].model)]), tmp_path / "one.svg").exists()
