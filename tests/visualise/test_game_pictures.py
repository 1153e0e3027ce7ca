"""The table as a heat map, and its history as lines."""

import warnings
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

import visualise
from kripke_werewolf import KripkeModel, QuantumWerewolf, preset, story
from kripke_werewolf.base.errors import GameError, ModelError
from kripke_werewolf.logic.puzzles import puzzle
from visualise.game import figure_svg, heat_map, history
from visualise.matplotlib_output import _families
from visualise.palette import pen

NAMES = ["$x_1$", "_Ann", "Bo"]


@pytest.fixture
def game():
    game = QuantumWerewolf(NAMES, rules=preset("gekka", first_attack=True), wolves=1, rng=2)
    return game.attack("_Ann", "Bo").end_phase().vote_off("$x_1$", role="villager")


@pytest.fixture
def axes():
    return Figure(figsize=(6, 3)).add_subplot()


def test_every_cell_of_the_heat_map(game, axes):
    table = game.table()
    assert heat_map(table, ax=axes) is axes
    (cells,) = axes.collections
    assert np.allclose(cells.get_array(), [[float(v) for v in row] for row in table.rows])
    assert [t.get_text() for t in axes.get_yticklabels()] == NAMES
    assert [t.get_text() for t in axes.get_xticklabels()] == list(table.columns)
    assert len(axes.texts) == 9
    assert "100%" in [t.get_text() for t in axes.texts]


def test_lines_and_deaths(game, axes):
    assert history(game, "dead", ax=axes) is axes
    lines = [ln for ln in axes.lines if len(ln.get_xdata()) > 2]
    crosses = [ln for ln in axes.lines if ln.get_marker() == "x"]
    assert len(lines) == 3
    episodes = list(story(game))
    for number, (name, line) in enumerate(zip(NAMES, lines, strict=True)):
        assert np.allclose(line.get_ydata(), [100 * float(e.table[name, "dead"]) for e in episodes])
        assert line.get_color() == pen(number).colour
        assert all(a < b for a, b in zip(line.get_xdata(), line.get_xdata()[1:], strict=False))
    dead = [name for name in NAMES if name not in game.alive]
    assert len(crosses) == len(dead)
    assert {tuple(c.get_ydata()) for c in crosses} == {(100.0,)}
    assert [t.get_text() for t in axes.get_legend().get_texts()] == NAMES
    assert [t.get_text() for t in axes.get_xticklabels()] == ["night 1", "day 1"]


def test_names_are_not_formulas(game, axes):
    history(game, ax=axes)
    heat = heat_map(game.table(), ax=Figure().add_subplot())
    texts = [*axes.get_legend().get_texts(), *heat.get_yticklabels(), *heat.texts]
    assert not any(text.get_parse_math() for text in texts)


def test_an_unknown_column(game, axes):
    with pytest.raises(GameError, match="no column 'seer' "):
        history(game, "seer", ax=axes)


def test_new_axes_and_no_global_settings(game):
    from matplotlib import pyplot

    before = dict(matplotlib.rcParams)
    for axes in (heat_map(game.table()), history(game)):
        pyplot.close(axes.figure)
    figure_svg(lambda ax: history(game, ax=ax), size=(6, 3), name="x")
    assert dict(matplotlib.rcParams) == before


def test_svg_is_repeatable_and_its_ids_are_its_own(game):
    def drawn(name):
        return figure_svg(lambda ax: history(game, ax=ax), size=(6, 3), name=name)

    assert drawn("x") == drawn("x")
    assert drawn("x").count('id="x-') == drawn("x").count('id="')
    assert "url(#x-" in drawn("x")


def test_names_above_columns_do_not_meet() -> None:
    names = ["Bartholomew the Long-Named of Upper Nowhere", "Wilhelmina-Josephine", "Maximiliane", "Bo"]
    game = QuantumWerewolf(names, wolves=1, rules="straat")
    table = game.table()
    named = replace(table, columns=tuple(names))  # as wide as names of players would be
    axes = visualise.heat_map(named)
    axes.figure.canvas.draw()
    labels = [label.get_window_extent() for label in axes.get_xticklabels()]
    angle = np.radians(30)
    starts = [label.x0 for label in labels]
    # of slanted texts it counts how far apart their base lines are
    apart = [(b - a) * np.sin(angle) for a, b in pairwise(starts)]
    assert min(apart) > axes.get_xticklabels()[0].get_fontsize() * axes.figure.dpi / 72
    assert all(label.x1 <= axes.figure.bbox.x1 for label in labels)
    assert axes.get_yticklabels()[0].get_text() == "Bartholomew th…Upper Nowhere"
    plt.close(axes.figure)


def test_the_beginning_of_a_game_can_be_seen(axes) -> None:
    game = QuantumWerewolf(NAMES, rules="gekka", wolves=1)
    history(game, ax=axes)
    assert [line.get_marker() for line in axes.lines] == ["o"] * 3


def test_axes_that_are_none_are_refused(game) -> None:
    for draw in (
        lambda ax: visualise.heat_map(game.table(), ax=ax),
        lambda ax: visualise.history(game, ax=ax),
    ):
        with pytest.raises(ModelError, match="ax must be the axes of a matplotlib figure, got 5"):
            draw(5)


def test_other_values_are_refused_by_name_and_leave_no_figure(game) -> None:
    walk = puzzle("muddy-children", n=3).history()
    before = plt.get_fignums()
    for what in (walk, walk.model, 5, None, "x", ["x"], walk.steps):
        with pytest.raises(ModelError, match=r"cannot draw .*: expected a game, or a table such as"):
            visualise.heat_map(what)
    for what in (walk, 5, [], [walk]):
        with pytest.raises(ModelError, match="expected a game, or the episodes of its story"):
            history(what)
    assert plt.get_fignums() == before


def test_a_game_is_drawn_as_its_table(game, axes) -> None:
    def texts(axes: Axes) -> list[str]:
        return [text.get_text() for text in axes.texts]

    other = Figure().add_subplot()
    assert texts(heat_map(game, ax=axes)) == texts(heat_map(game.table(), ax=other))


def test_characters_without_a_font_are_named(tmp_path: Path) -> None:
    rare = "\U0010fffd"  # for private use
    model = KripkeModel(["w" + rare, "v"], {"a": []}, {})
    for ending in ("png", "pdf"):
        with pytest.warns(UserWarning, match="no font here has the characters .*drawn as boxes"):
            visualise.save(model, tmp_path / f"x.{ending}")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        visualise.save(model, tmp_path / "x.svg")
        visualise.save(KripkeModel(["w", "v"], {"a": []}, {}), tmp_path / "x.png")


@pytest.mark.parametrize("draw", [heat_map, history])
def test_plots_have_fonts_for_all_names(draw: Callable[..., Axes]) -> None:
    names = ["太郎", "花子", "Bo", "Дима"]
    texts = draw(QuantumWerewolf(names, rng=1)).findobj(Text)
    families = {text.get_text(): text.get_fontfamily() for text in texts if text.get_text() in names}
    assert set(families) == set(names)
    for name, family in families.items():
        assert set(_families(name)) <= set(family) or name.isascii()
