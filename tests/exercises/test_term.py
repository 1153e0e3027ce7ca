"""A class for every week of the course: the marks are as expected, and the same in all systems."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.term import WAYS, WEEKS, compared


@pytest.mark.parametrize("week", WEEKS, ids=lambda path: path.stem)
def test_every_mark_is_as_expected(week: Path, tmp_path: Path) -> None:
    found = compared(week, tmp_path, 5, seed=int(week.stem[-1]))
    assert found["command"] == sum(found[way] for way in WAYS)
    assert min(found[way] for way in WAYS if way != "partly right") >= 4


@pytest.mark.slow
def test_gradescope_and_coderunner_give_the_same_marks(tmp_path: Path) -> None:
    total = Counter[str]()
    for number, week in enumerate(WEEKS):
        total += compared(week, tmp_path / week.stem, 2, seed=number, gradescope=1, each=7)
    assert min(total["Gradescope"], total["CodeRunner"]) >= len(WEEKS)


@pytest.mark.slow
def test_notebooks_that_also_cheat_get_the_same_marks(tmp_path: Path) -> None:
    pytest.importorskip("nbgrader")
    pytest.importorskip("otter")
    found = compared(WEEKS[-1], tmp_path, 2, notebooks=1)
    assert found["nbgrader"] == found["otter-grader"] == found["command"] // 2
