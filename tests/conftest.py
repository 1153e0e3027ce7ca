"""How many random examples a test tries: some, new ones in each run, by default; many, and the same ones
in each run, in continuous integration (CI=true)."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from kripke_werewolf.models import model

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile("default", max_examples=50, deadline=None, suppress_health_check=_SLOW)
settings.register_profile("ci", max_examples=25, derandomize=True, deadline=None, suppress_health_check=_SLOW)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.fixture(scope="module", params=["bits", "arrays"])
def carrier(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the tests of a module on small models of each carrier."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "SMALL", 1_000 if request.param == "bits" else -1)
        yield request.param
