from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.figure import Figure

from kripke_werewolf.avalon import Outcome, Outcomes, Simulation, wilson
from kripke_werewolf.errors import FormatError
from visualise.avalon import draw_quests, draw_win_rates, save_results

RESULT = Simulation({Outcome("good", 3): 20, Outcome("good", 5): 10, Outcome("evil", 4): 70})


def test_win_rates_are_bars_with_intervals_and_marks() -> None:
    ax = Figure().add_subplot()
    drawn = draw_win_rates({"A": RESULT, "B": Outcomes({Outcome("good", 3): 1})}, printed={"A": 0.46}, ax=ax)
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


def test_pictures_are_files_of_their_ending(tmp_path: Path) -> None:
    save_results({"A": RESULT}, tmp_path / "a.svg")
    assert "quests played" in (tmp_path / "a.svg").read_text() or (tmp_path / "a.svg").stat().st_size > 5000
    with pytest.raises(FormatError, match="its ending must be one of"):
        save_results({"A": RESULT}, tmp_path / "a.doc")
