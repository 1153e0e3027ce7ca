"""A few random evenings on eight phones in a browser; `python -m tests.host.walks` walks more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("segno")

from tests.browser import browsing, needs_browser
from tests.host.walks import handsets, walked

pytestmark = [needs_browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def pages() -> Iterator[Any]:
    with browsing() as browser, handsets(browser) as found:
        yield found


@pytest.mark.parametrize("seed", range(2))
def test_phones_show_what_the_log_says(pages: Any, seed: int) -> None:
    """Whatever happens to phones, networks and the host."""
    assert walked(pages, seed, 6).wrong == []
