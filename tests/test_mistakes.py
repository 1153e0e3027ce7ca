"""The errors for students' mistakes show how to correct them."""

from __future__ import annotations

import pytest

from tests.mistakes import FURTHER, MISTAKES, Mistake


@pytest.mark.parametrize("mistake", [*MISTAKES, *FURTHER], ids=lambda mistake: mistake.code)
def test_the_fix_is_obvious(mistake: Mistake) -> None:
    assert mistake.is_obvious(), mistake.outcome()


def test_there_are_fifty() -> None:
    assert len(MISTAKES) == 50
