"""The explorer in its three places, for tests in a browser."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kripke_werewolf.teach.explorer import respond
from kripke_werewolf.teach.explorer.page.html import server_page
from kripke_werewolf.teach.explorer.page.server import ExplorerServer
from tests.browser import DESKTOP, errors, window

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@contextmanager
def serving(**opened: Any) -> Iterator[ExplorerServer]:
    """Serve the explorer as the command does, with a source for the command `open`."""
    start = respond({"do": {"command": "open", **opened}})
    assert start["ok"], start
    with serving_reply(start) as server:
        yield server


@contextmanager
def serving_reply(start: dict[str, Any]) -> Iterator[ExplorerServer]:
    """Serve the explorer as the command does, with a reply to show first."""
    # the browser waits as long: on a machine that does much else a picture takes more than 30 seconds
    with ExplorerServer(lambda path: server_page(start, path), limit=120) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="session")
def served() -> Iterator[Callable[..., ExplorerServer]]:
    """Return a function that serves the explorer; servers keep no state: one for each opening."""
    servers: dict[object, ExplorerServer] = {}
    with ExitStack() as stack:

        def serve(**opened: Any) -> ExplorerServer:
            key = tuple(sorted(opened.items()))
            if key not in servers:
                servers[key] = stack.enter_context(serving(**opened))
            return servers[key]

        yield serve


@pytest.fixture
def explore(browser: Browser, served: Callable[..., ExplorerServer]) -> Iterator[Callable[..., Page]]:
    """Return a function that opens the explorer in a window; in the end no script may have failed."""
    from tests.teach.explorer.page.test_places import started

    with ExitStack() as stack:
        pages: list[Page] = []

        def opened(*, width: int = DESKTOP, scheme: Any = "light", **source: Any) -> Page:
            pages.append(stack.enter_context(window(browser, width=width, scheme=scheme)))
            started(pages[-1], served(**source).url)
            return pages[-1]

        yield opened
        assert [error for page in pages for error in errors(page)] == []


@pytest.fixture(scope="session")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the offline page of the muddy children, made by the command."""
    if shutil.which("npm") is None:
        pytest.skip("there is no npm here")
    path = tmp_path_factory.mktemp("offline") / "page.html"
    command = [sys.executable, "-m", "kripke_werewolf", "explore", "muddy-children", "-n", "3"]
    done = subprocess.run([*command, "--export", str(path)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"{path}\n"), done.stderr
    return path
