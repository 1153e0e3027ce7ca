"""A class for every week of the course: the marks are as expected, and the same in all systems."""

from pathlib import Path
from typing import NamedTuple

import pytest

from kripke_werewolf.teach.exercises.classes import CourseSheet
from tests.term import WAYS, WEEKS, class_of, compared


class Made(NamedTuple):
    """A class for a week, and its folder."""

    number: int
    folder: Path
    course: CourseSheet


@pytest.fixture(scope="module", params=WEEKS, ids=lambda path: path.stem)
def made(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, of_any_difficulty: None
) -> Made:
    """Return a class of five for each week; several systems grade it."""
    folder = tmp_path_factory.mktemp("week")
    return Made(int(request.param.stem[-1]), folder, class_of(request.param, folder, 5))


def test_every_mark_is_as_expected(made: Made) -> None:
    found = compared(made.course, made.folder, seed=made.number)
    assert found["command"] == sum(found[way] for way in WAYS)
    assert min(found[way] for way in WAYS if way != "partly right") >= 4


@pytest.mark.slow
def test_coderunner_gives_the_same_marks(made: Made) -> None:
    found = compared(made.course, made.folder, seed=made.number, command=False, each=30)
    assert found["CodeRunner"] >= 1
