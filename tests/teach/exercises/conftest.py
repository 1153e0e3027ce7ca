"""What tests of sheets share."""

from collections.abc import Iterator

import pytest

from kripke_werewolf.teach.exercises import sheet


@pytest.fixture(scope="module")
def of_any_difficulty() -> Iterator[None]:
    """Take the first exercise that is found for a task."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sheet, "_DRAWS", 1)
        patch.setattr(sheet, "_typical", lambda *_: 1)
        yield
