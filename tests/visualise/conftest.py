"""Pictures in these tests are those of this library alone, whether pygraphviz is installed or not."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import pytest


@pytest.fixture(autouse=True)
def without_graphviz() -> Iterator[None]:
    with patch("visualise.layout.find_spec", lambda name: None):
        yield
