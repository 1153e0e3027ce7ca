"""Kinds of exercises that a sheet brings along are those of the test that reads it, and of no other."""

import sys
from collections.abc import Iterator

import pytest

from kripke_werewolf.teach.exercises import Exercise


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
