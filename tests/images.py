"""Draws the pictures of the documentation anew, except of costs: `python -m tests.images`."""

from __future__ import annotations

import runpy
import threading
from base64 import b64encode
from collections.abc import Callable
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from kripke_werewolf.teach.exercises import Sheet, Task
from kripke_werewolf.teach.exercises.classes import make_class, parse_roster
from kripke_werewolf.teach.explorer import respond
from kripke_werewolf.teach.explorer.page.html import server_page
from kripke_werewolf.teach.explorer.page.server import ExplorerServer
from tests.browser import PHONE, browsing, window
from tests.play.host.hosting import NAMES, hosted, join
from tests.play.host.test_host import joined, play
from tests.play.host.test_phones import answer, phase

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
STILL = "() => document.getAnimations().every((one) => one.playState !== 'running')"


def explorer(page: Page) -> None:
    """Show the muddy children after the father has spoken, with a formula, at a world."""
    page.click(".next [data-key=next]")
    page.wait_for_selector(".canvas:not(:has(.world:nth-of-type(8)))")
    page.fill(".line .formula-input", "K_1 muddy_1")
    page.wait_for_selector(".verdict:not(:empty)")
    page.click('[data-tab="ask"]')
    page.click(".canvas .world[aria-label^='101'] .face", force=True)
    page.wait_for_selector(".why .gist")
    page.wait_for_selector(".canvas .world.true")  # the worlds that the step removed have left


def shown(browser: Browser, file: str, width: int, height: int, prepare: Callable[[Page], None]) -> None:
    """Take a picture of the explorer."""
    reply = respond({"do": {"command": "open", "puzzle": "muddy-children", "n": 3}})
    with ExplorerServer(lambda path: server_page(reply, path)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        with window(browser, width=width, height=height) as page:
            page.goto(server.url)
            page.wait_for_selector("[data-ready] .palette button")
            prepare(page)
            page.wait_for_function(STILL)
            page.screenshot(path=IMAGES / file)
        server.shutdown()
        thread.join()


def sheet(browser: Browser, folder: Path) -> None:
    """Take a picture of the sheet of a student."""
    made = Sheet("Week 1: models and truth", (Task("truth-set", points=Fraction(4)),), seed=101)
    make_class(made, parse_roster("name,id\nAnn Lee,s1\n"), folder / "class")
    with window(browser, width=720, height=560) as page:
        page.goto((folder / "class" / "sheets.html").as_uri())
        page.screenshot(path=IMAGES / "sheet.png")


def evening(browser: Browser, folder: Path) -> None:
    """Take a picture of an evening: a player's phone at night, another by day, and the screen for all."""
    settings = ("--rules", "cisra", "--wolves", "1", "--seed", "5")
    with hosted(folder / "evening", *settings, fresh=True) as host, ExitStack() as stack:
        ann, bo = (stack.enter_context(window(browser, width=PHONE, height=720)) for _ in range(2))
        screen = stack.enter_context(window(browser, width=900, height=720))
        frame = stack.enter_context(window(browser, width=1720, height=752))
        screen.goto(f"{host.address}tv#{host.code}")
        join(ann, host, "Ann")
        join(bo, host, "Bo")
        others = joined(host, NAMES[2:6])
        ann.get_by_role("button", name="begin").click()
        for page in (ann, bo):
            page.wait_for_selector(".ask .name")
        night = ann.screenshot()
        for page in (ann, bo):
            answer(page)
        [*play(others, Random(5), rounds=1)]
        for page in (ann, bo, screen):
            phase(page, "day")
        taken = [night, bo.screenshot(), screen.screenshot()]
        images = "".join(f'<img src="data:image/png;base64,{b64encode(one).decode()}">' for one in taken)
        frame.set_content(f'<body style="margin:16px;display:flex;gap:16px;background:#ccc">{images}')
        frame.wait_for_function("() => [...document.images].every((one) => one.complete)")
        frame.screenshot(path=IMAGES / "evening.png")


def main() -> None:
    """Draw all pictures."""
    runpy.run_path(str(ROOT / "examples" / "gallery.py"), run_name="__main__")
    with browsing() as browser, TemporaryDirectory() as home:
        sheet(browser, Path(home))
        evening(browser, Path(home))
        shown(browser, "explorer.png", 1280, 720, explorer)
        shown(browser, "explorer-phone.png", PHONE, 844, explorer)


if __name__ == "__main__":
    main()
