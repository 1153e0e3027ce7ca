"""Kinds of exercises that a sheet brings along are those of the test that reads it, and of no other."""

import sys
from collections.abc import Iterator

import pytest

from kripke_werewolf.teach.exercises import Exercise, sheet


@pytest.fixture(autouse=True)
def own_kinds() -> Iterator[None]:
    """Forget after a test which kinds it has loaded."""
    kinds, modules = dict(Exercise.kinds), set(sys.modules)
    yield
    for name in set(sys.modules) - modules:
        if name.startswith("kripke_werewolf_kinds_"):
            del sys.modules[name]
    Exercise.kinds.clear()
    Exercise.kinds.update(kinds)


@pytest.fixture(scope="module")
def of_any_difficulty() -> Iterator[None]:
    """Take the first exercise that is found for a task."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sheet, "_DRAWS", 1)
        patch.setattr(sheet, "_typical", lambda *_: 1)
        yield
