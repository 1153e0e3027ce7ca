"""Which random examples the tests try: 16, the same ones everywhere; with `EXPLORE=1` 50 others in each run.

`make explore-tests` runs the second kind until its time is up (`tests/explore.py`); a failure comes back with
`EXPLORE=1` and the `--hypothesis-seed` of its run. Hypothesis keeps no database, so that no run depends on
those before it.
"""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from kripke_werewolf.logic.models import model
from tests.browser import browsing

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

_BOTH: dict[str, Any] = {"deadline": None, "database": None, "suppress_health_check": _SLOW}

settings.register_profile("fixed", max_examples=16, derandomize=True, **_BOTH)
settings.register_profile("explore", max_examples=50, derandomize=False, **_BOTH)
settings.load_profile("explore" if os.environ.get("EXPLORE") else "fixed")


@pytest.fixture(scope="module", params=["bits", "arrays"])
def carrier(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the tests of a module on small models of each carrier."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "SMALL", 1_000 if request.param == "bits" else -1)
        yield request.param


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Run a browser for a module of tests."""
    with browsing() as found:
        yield found
