"""The site on a plain file server: every link opens, and nothing else is asked for."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import pytest

from tests.browser import PHONE, errors, needs_browser, requests, window

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[1]
SITE = runpy.run_path(str(ROOT / "examples" / "site.py"))
pytestmark = [
    needs_browser,
    pytest.mark.slow,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm here"),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site, served by the file server of Python."""
    folder = tmp_path_factory.mktemp("site")
    SITE["written"](folder)
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout
        port = re.search(r"port (\d+)", server.stdout.readline())
        assert port
        yield f"http://127.0.0.1:{port[1]}/"
        server.terminate()


def test_all_pages_open_on_a_file_server(browser: Browser, address: str) -> None:
    with window(browser) as page:
        page.goto(address)
        links = page.eval_on_selector_all("a", "all => all.map(a => a.getAttribute('href'))")
        assert len(links) > 20
        for link in links:
            page.goto("about:blank")
            page.goto(urljoin(address, link))
            if "#sheet=" in link:
                page.wait_for_selector('#explorer[data-ready="true"] [data-key="hand in"]')
            elif link.startswith("explorer"):
                page.wait_for_selector('#explorer[data-ready="true"] .palette button')
            else:
                page.wait_for_selector(".canvas .world[aria-label]")
        assert errors(page) == []
        assert all(asked.startswith((address, "about:", "blob:", "data:")) for asked in requests(page))


def test_a_game_is_seen_step_by_step_on_a_phone(browser: Browser, address: str) -> None:
    with window(browser, width=PHONE, scheme="dark") as page:
        page.goto(f"{address}game.html")
        steps = page.locator(".chips li").count()
        assert steps > 3
        for step in range(1, steps):
            page.tap(".redo")
            page.wait_for_selector(f".chips li:nth-child({step + 1}) [aria-current]")
        assert page.is_disabled(".redo")
        assert errors(page) == []
