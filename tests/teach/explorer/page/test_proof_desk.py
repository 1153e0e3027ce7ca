"""The proof desk in a browser, by keyboard alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import pytest

from kripke_werewolf.logic.formulas.logics import FRAME_AXIOMS
from tests.browser import PHONE, needs_browser
from tests.logic.proofs.desk_theorems import THEOREMS

from .test_places import copied, tab

if TYPE_CHECKING:
    from playwright.sync_api import Page

PICTURES = os.environ.get("DESK_PICTURES")
"""A folder for screenshots of all theorems; only a sample is written without it."""
SAMPLE = ["K: diamond", "S5: a case that one knows about", "distribution from premises", "told all"]

pytestmark = [needs_browser, pytest.mark.slow]


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


def test_a_goal_that_is_not_valid_is_said_before_one_begins(explore: Callable[..., Page]) -> None:
    page = explore(empty=True)
    begin(page, "p -> K_a p")
    page.wait_for_selector(".hint-row pre >> text=counter-model with 2 worlds, the fewest possible")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (PHONE, "dark")])
def test_a_proof_with_a_mistake(explore: Callable[..., Page], width: int, scheme: str) -> None:
    page = explore(empty=True, width=width, scheme=scheme)
    page.set_default_timeout(15_000)
    begin(page, "K_a p, K_a (p -> q) ⊢ q")
    enter(page, "K_a p   given", 1)
    enter(page, "K_a q   Nec 1", 2)
    page.wait_for_selector(".sheet .mark.false")
    page.click(".sheet details summary")
    page.wait_for_selector(".sheet details p >> text=rest on no premise")
    page.focus('[data-key="row"]')
    enter(page, "p   <b onclick=alert(1)>", 2)
    page.wait_for_selector(".alert pre")  # the next line is typed when this one is judged
    assert page.query_selector(".panel b") is None
    enter(page, "K_a p -> p   T", 2)
    page.wait_for_function("() => !document.querySelector('.sheet .not-right')")  # it replaced the wrong line
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
            "n => document.querySelectorAll('.sheet tbody tr:not(.not-right)').length === n", arg=count + 1
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
    link = copied(page, "link").partition("#")[2]
    tab(page, "proof")
    page.wait_for_function("link => location.hash === `#${link}`", arg=link)
    page.reload()
    page.wait_for_selector("[data-ready] .claim .right")
    assert page.inner_text(".sheet") == rows


def test_nothing_is_lost_that_is_typed_before_a_verdict(explore: Callable[..., Page]) -> None:
    page = explore(text="calculus: natural\nlogic: T\nshow: K_a p -> p\n", name="x")
    page.focus('[data-key="row"]')
    typed = ["K_a p   nonsense", "p   T 1", "K_a p -> p   ->I 1-2", "unfinished"]
    for line in typed[:3]:
        page.keyboard.type(line, delay=80)
        page.keyboard.press("Enter")
    page.keyboard.type(typed[3], delay=80)
    page.wait_for_selector('[data-key="mend"]')
    shown = page.inner_text(".waits") + page.input_value('[data-key="row"]')
    assert [line for line in typed if " ".join(line.split()) not in " ".join(shown.split())] == []
    page.click('[data-key="mend"]')  # a line that is set aside; what was in the field is set aside instead
    mended = page.input_value('[data-key="row"]')
    assert mended in typed[:3]
    page.wait_for_selector(f".waits >> text={typed[3]}")
    page.press('[data-key="row"]', "Control+A")
    page.press('[data-key="row"]', "Delete")
    page.press('[data-key="row"]', "ArrowUp")  # the same by keyboard
    assert page.input_value('[data-key="row"]') in (set(typed) - {mended})


def row(page: Page, text: str) -> None:
    """Write a row at once and enter it, instead of what is in the line."""
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(text)
    page.keyboard.press("Enter")


def derive(page: Page, top: str, rows: Sequence[str], mistakes: Mapping[int, tuple[str, str]]) -> None:
    """Write a proof by keyboard, with mistakes before some of its rows; the reason of each must be told."""
    page.keyboard.press("Escape")
    page.focus('[data-tab="proof"]')
    page.keyboard.press("Enter")
    fields = dict(line.split(": ", 1) for line in top.splitlines())
    page.wait_for_selector(".panel-proof:not([hidden])")
    if not page.evaluate("document.querySelector('.begin').open"):
        page.focus(".begin summary")
        page.keyboard.press("Enter")
        page.wait_for_selector(".begin[open]")
    if ("calculus" in fields) is not page.is_checked('[data-key="natural"]'):
        page.focus('[data-key="natural"]')
        page.keyboard.press("Space")
    page.focus('[data-key="Logic"]')
    page.keyboard.press("Home")
    for _ in range([*FRAME_AXIOMS].index(fields["logic"])):
        page.keyboard.press("ArrowDown")
    page.focus('[data-key="goal"]')
    row(page, fields["show"])
    page.wait_for_function("() => document.activeElement.dataset.key === 'row'")
    for number, right in enumerate(rows, 1):
        if number in mistakes:
            wrong, why = mistakes[number]
            row(page, wrong)
            page.wait_for_function(
                "why => [...document.querySelectorAll('.sheet details p, .alert pre')]"
                ".some(told => told.textContent.includes(why))",
                arg=why,
            )
        row(page, right)
        page.wait_for_function(
            "n => document.querySelectorAll('.sheet tbody tr:not(.not-right)').length === n", arg=number
        )
        assert not page.query_selector(".sheet .not-right")  # the right row replaced the wrong one
    page.wait_for_selector(".claim .right")


@pytest.mark.parametrize("width", [1280, PHONE])
def test_theorems_with_mistakes(explore: Callable[..., Page], width: int) -> None:
    page = explore(empty=True, width=width)
    page.set_default_timeout(20_000)
    for name in THEOREMS if PICTURES else SAMPLE if width > PHONE else SAMPLE[::2]:
        derive(page, *THEOREMS[name])
        if PICTURES:
            page.screenshot(path=f"{PICTURES}/{width} {name}.png", full_page=True)
        shown = page.text_content(".sheet")
        for what in ("latex", "proof"):
            assert copied(page, what)
        tab(page, "proof")
        assert page.text_content(".sheet") == shown
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
