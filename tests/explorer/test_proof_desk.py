"""The proof desk in a browser, by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from kripke_werewolf.explorer.server import ExplorerServer
from tests.browser import PHONE, browsing, errors, needs_browser, window

from .test_places import started

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [needs_browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as found:
        yield found


def begin(page: Page, goal: str) -> None:
    page.keyboard.press("Escape")
    page.focus('[data-tab="proof"]')
    page.keyboard.press("Enter")
    page.focus('[data-key="goal"]')
    page.keyboard.type(goal)
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.dataset.key === 'row'")


def enter(page: Page, row: str, lines: int) -> None:
    page.keyboard.press("Control+A")
    page.keyboard.type(row)
    page.keyboard.press("Enter")
    page.wait_for_function("n => document.querySelectorAll('.sheet tbody tr').length === n", arg=lines)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (PHONE, "dark")])
def test_a_proof_with_a_mistake(
    browser: Browser, served: Callable[..., ExplorerServer], width: int, scheme: str
) -> None:
    with window(browser, width=width, scheme=scheme) as page:  # type: ignore[arg-type]
        page.set_default_timeout(15_000)
        started(page, served(empty=True).url)
        begin(page, "K_a p, K_a (p -> q) ⊢ q")
        enter(page, "K_a p   given", 1)
        enter(page, "K_a q   Nec 1", 2)
        page.wait_for_selector(".sheet .mark.false")
        page.click(".sheet details summary")
        assert "rest on no premise" in page.inner_text(".sheet details p")
        page.focus('[data-key="row"]')
        enter(page, "p   <b onclick=alert(1)>", 2)
        assert page.query_selector(".panel b") is None
        enter(page, "K_a p -> p   T", 2)
        page.wait_for_function(
            "() => !document.querySelector('.sheet .not-right')"
        )  # it replaced the wrong line
        for _ in range(9):
            if "Derived" in page.inner_text(".claim"):
                break
            count = page.eval_on_selector_all(".sheet tbody tr:not(.not-right)", "rows => rows.length")
            page.focus('[data-key="Show the next line"]')
            page.keyboard.press("Enter")
            page.wait_for_selector('[data-key="take"]')
            page.focus('[data-key="take"]')
            page.keyboard.press("Enter")
            page.wait_for_function("() => document.activeElement.dataset.key === 'row'")
            page.keyboard.press("Enter")
            page.wait_for_function(
                "n => document.querySelectorAll('.sheet tbody tr:not(.not-right)').length === n",
                arg=count + 1,
            )
        assert "Derived" in page.inner_text(".claim")
        rows = page.inner_text(".sheet")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.wait_for_function("() => document.querySelector('[data-key=row]').value === ''")
        page.focus('[data-key="row"]')
        page.keyboard.press("Control+z")
        page.wait_for_function("() => !document.querySelector('.claim').innerText.includes('Derived')")
        page.wait_for_function("() => document.activeElement.value !== ''")
        page.keyboard.press("Enter")  # what was taken back is in the line again
        page.wait_for_function("() => document.querySelector('.claim').innerText.includes('Derived')")
        page.wait_for_function("() => location.hash.length > 10")
        page.wait_for_timeout(700)
        page.reload()
        page.wait_for_selector("[data-ready] .claim .right")
        assert page.inner_text(".sheet") == rows
        assert errors(page) == []
