"""A headless Chromium of the distribution for tests of pages, driven through Playwright.

A module of tests has its own browser, and every test a window that forgets everything afterwards:

    @needs_browser
    def test_title(browser: Browser, tmp_path: Path) -> None:
        with window(browser, width=PHONE, scheme="dark") as page:
            page.goto(path.as_uri())
            assert page.title() == "Muddy children"
            assert errors(page) == []

While a browser is open, its thread has a running event loop: `asyncio.run` fails there.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DESKTOP, PHONE = 1280, 390
"""The widths of windows, in pixels, for which pages are designed."""

# the first has no windows of its own to draw, and takes half the processor time
_PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PROGRAM = next(filter(None, map(shutil.which, _PROGRAMS)), None)
FLAGS = (
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

needs_browser = pytest.mark.skipif(
    PROGRAM is None or find_spec("playwright") is None, reason="there is no Chromium or no Playwright here"
)

_errors: WeakKeyDictionary[Page, list[str]] = WeakKeyDictionary()
_requests: WeakKeyDictionary[Page, list[str]] = WeakKeyDictionary()


@contextmanager
def browsing() -> Iterator[Browser]:
    """Run a browser with an empty profile."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def window(
    browser: Browser,
    *,
    width: int = DESKTOP,
    height: int | None = None,
    scheme: Literal["light", "dark"] = "light",
) -> Iterator[Page]:
    """Open a window without cookies or stored data: as high as a phone or a screen of its width."""
    height = height or (844 if width <= PHONE else 800)
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        has_touch=width <= PHONE,
    )
    context.set_default_timeout(120_000)  # for machines that do much else
    page = context.new_page()
    _errors[page], _requests[page] = [], []
    page.on("pageerror", lambda error: _errors[page].append(str(error)))
    page.on(
        "console",
        lambda said: _errors[page].append(said.text) if said.type in ("error", "warning") else None,
    )
    page.on("dialog", lambda dialog: (_errors[page].append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda request: _requests[page].append(request.url))
    try:
        yield page
    finally:
        context.close()


def errors(page: Page) -> list[str]:
    """Return the errors and warnings of a page's scripts, and dialogs that it opened."""
    return _errors[page]


def requests(page: Page) -> list[str]:
    """Return the addresses requested by a page, including its own."""
    return _requests[page]
