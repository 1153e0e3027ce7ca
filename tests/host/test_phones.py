"""Eight phones and a screen in a browser: whole nights and days, and what happens to phones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("segno")

from tests.browser import PHONE, browsing, errors, needs_browser, window
from tests.host.hosting import NAMES, Host, hosted

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = needs_browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as found:
        yield found


def join(page: Page, host: Host, name: str) -> None:
    page.goto(f"{host.address}#{host.code}")
    page.fill("#name", name)
    page.click("button.primary")
    page.wait_for_selector("ol.people")


def phase(page: Page, text: str) -> None:
    page.wait_for_function("text => document.querySelector('header')?.textContent.includes(text)", arg=text)


def answer(page: Page) -> int:
    """Answer every question with the first name, and return the number of taps."""
    taps = 0
    for _ in range(page.locator(".ask", has=page.locator(".name")).count()):
        ask = page.locator(".ask", has=page.locator(".name")).first
        ask.locator(".name").first.click()
        ask.locator("button.primary").click()
        taps += 2
    return taps


@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
def test_a_night_and_a_day_on_phones(browser: Browser, rules: str, tmp_path: Path) -> None:
    log = tmp_path / "g.jsonl"
    with hosted(log, "--rules", rules, "--wolves", "2", "--seed", "5") as host, ExitStack() as stack:
        screen = stack.enter_context(window(browser, width=1920, height=1080))
        screen.goto(f"{host.address}tv#{host.code}")
        screen.wait_for_selector(".qr svg")
        phones = {name: stack.enter_context(window(browser, width=PHONE)) for name in NAMES}
        for name, page in phones.items():
            join(page, host, name)
        phones["Ann"].get_by_role("button", name="begin").click()
        for page in (*phones.values(), screen):
            phase(page, "night")
        taps = {answer(page) for page in phones.values()}
        assert len(taps) == 1
        for page in (*phones.values(), screen):
            phase(page, "day")
        for page in phones.values():
            if page.locator(".ask .name").count():
                answer(page)
        for page in (*phones.values(), screen):
            phase(page, "night")
        assert "Votes:" in screen.inner_text("main")
        for page in (*phones.values(), screen):
            assert errors(page) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_reload_two_tabs_offline_and_a_host_that_dies(browser: Browser, tmp_path: Path) -> None:
    log = tmp_path / "g.jsonl"
    names = NAMES[:4]
    settings = ("--rules", "gekka", "--wolves", "1", "--seed", "5")
    with hosted(log, *settings) as host, ExitStack() as stack:
        phones = {name: stack.enter_context(window(browser, width=PHONE)) for name in names}
        for name, page in phones.items():
            join(page, host, name)
        ann, bo, cy, di = phones.values()
        ann.get_by_role("button", name="begin").click()
        for page in phones.values():
            phase(page, "night")

        tab = ann.context.new_page()  # another tab is the same player
        tab.goto(host.address)
        phase(tab, "night")
        answer(ann)
        tab.wait_for_selector(".ask .answer")
        ann.reload()
        ann.wait_for_selector(".ask .answer")
        tab.close()

        bo.context.set_offline(True)  # what is tapped now is sent later
        bo.wait_for_selector(".cut")
        answer(bo)
        bo.wait_for_function("() => document.querySelector('footer').textContent.includes('Sending')")
        bo.context.set_offline(False)
        bo.wait_for_selector(".cut", state="detached")
        phase(cy, "night")
        cy.wait_for_function("() => document.querySelector('footer').textContent.includes('2 players')")

        host.kill()
        cy.wait_for_selector(".cut", timeout=15_000)
        answer(cy)
        host.start()
        cy.wait_for_selector(".cut", state="detached")
        di.wait_for_function("() => document.querySelector('footer').textContent.includes('1 player ')")
        answer(di)
        for page in phones.values():
            phase(page, "day")


def test_a_phone_whose_seat_is_freed(browser: Browser, tmp_path: Path) -> None:
    with hosted(tmp_path / "g.jsonl") as host, window(browser, width=PHONE) as ann:
        join(ann, host, "Ann")
        with window(browser, width=PHONE) as other:
            other.goto(f"{host.address}#{host.code}")
            other.fill("#name", "Ann")
            other.click("button.primary")
            other.wait_for_selector(".wrong")
            assert "the seat of Ann is taken" in other.inner_text(".wrong")
            other.goto(f"{host.address}master")
            other.fill("#key", host.key)
            other.click("button.primary")
            other.get_by_role("button", name="Remove Ann").click()
            other.get_by_role("button", name="sure?").click()
            ann.wait_for_selector("#name")
