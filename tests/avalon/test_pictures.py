from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.figure import Figure

from kripke_werewolf.avalon import AvalonOutcomes, AvalonSimulation, Outcome, wilson
from kripke_werewolf.errors import FormatError
from visualise import avalon
from visualise.avalon import draw_mean_quests, draw_quests, draw_win_rates, save_results

RESULT = AvalonSimulation({Outcome("good", 3): 20, Outcome("good", 5): 10, Outcome("evil", 4): 70})


def test_win_rates_are_bars_with_intervals_and_marks() -> None:
    ax = Figure().add_subplot()
    drawn = draw_win_rates(
        {"A": RESULT, "B": AvalonOutcomes({Outcome("good", 3): 1})}, printed={"A": 0.46}, ax=ax
    )
    assert drawn is ax
    assert [bar.get_height() for bar in ax.patches] == [0.3, 1.0]
    ((low, high),) = [segment[:, 1] for box in ax.collections for segment in box.get_segments()]
    assert (low, high) == pytest.approx(RESULT.interval())
    assert [0.46] in [list(line.get_ydata()) for line in ax.lines]


def test_quests_are_bars_by_side() -> None:
    ax = draw_quests(RESULT, ax=Figure().add_subplot())
    heights = {(round(bar.get_x() + 0.2, 1), bar.get_height()) for bar in ax.patches}
    assert heights == {(2.8, 0.2), (3.8, 0.0), (4.8, 0.1), (3.2, 0.0), (4.2, 0.7), (5.2, 0.0)}
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["won by Good", "won by Evil"]
    low, high = wilson(70, 100)
    segments = [tuple(segment[:, 1]) for box in ax.collections for segment in box.get_segments()]
    assert any(segment == pytest.approx((low, high)) for segment in segments)


def test_what_evil_won_by_naming_merlin_is_hatched() -> None:
    result = AvalonSimulation(
        {Outcome("good", 3): 60, Outcome("evil", 3): 10, Outcome("evil", 3, "assassination"): 30}
    )
    ax = draw_quests(result, ax=Figure().add_subplot())
    assert [(bar.get_height(), bar.get_hatch()) for bar in ax.patches] == [
        (0.6, None), (0.4, None), (0.3, "////")
    ]  # fmt: skip
    assert "by naming Merlin" in [text.get_text() for text in ax.get_legend().get_texts()]


def test_mean_quests_are_points_with_intervals_and_marks() -> None:
    exact = {"A": AvalonOutcomes({Outcome("good", 4): 1})}
    ax = draw_mean_quests({"A": RESULT}, exact=exact, printed={"A": 3.9}, ax=Figure().add_subplot())
    assert [list(line.get_ydata()) for line in ax.lines if line.get_marker() in "oDx"] == [
        [3.9],
        [4.0],
        [3.9],
    ]
    ((low, high),) = [segment[:, 1] for box in ax.collections for segment in box.get_segments()]
    assert (low, high) == pytest.approx(RESULT.quests_interval())
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["exact", "printed"]


def test_a_saved_picture_says_how_many_games_and_what_the_names_mean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved: list[Figure] = []
    monkeypatch.setattr(avalon, "save_figure", lambda figure, path: saved.append(figure))
    save_results({"A": RESULT}, tmp_path / "a.png", names="letters")
    save_results({"A": RESULT, "B": RESULT}, tmp_path / "a.png")
    assert [figure.get_suptitle() for figure in saved] == [
        "100 games, intervals of 95%", "100 games each, intervals of 95%"
    ]  # fmt: skip
    assert [figure.get_supxlabel() for figure in saved] == ["letters", ""]
    assert [[ax.get_ylabel() for ax in figure.axes] for figure in saved] == [
        ["games won by Good", "share of games"], ["games won by Good", "quests played, mean"]
    ]  # fmt: skip


def test_pictures_are_files_of_their_ending(tmp_path: Path) -> None:
    save_results({"A": RESULT}, tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<?xml")
    with pytest.raises(FormatError, match="its extension must be one of"):
        save_results({"A": RESULT}, tmp_path / "a.doc")
